/* y = gelu(x + bias), with a bias for each column of a matrix of halves of any leading dimension.
 * nvcc compiles it for a GPU, a C compiler for the CPU grid. */
#include <cutlet/device/elementwise/elementwise.h>

CT_DEVICE float gelu_of(float x)
{
    return ct_divide(x, 1 + ct_exp(-1.5957691216f * (x + 0.044715f * x * x * x)));
}

CT_ELEMENTWISE(bias_gelu, half, gelu_of(x + b), (half, x), (half, b))

/* The kernel's argument. Unless .err is set, launch .blocks blocks of CT_ELEMENTWISE_THREADS. */
CT_FN ct_elementwise_args bias_gelu_args(void *y, const void *x, const void *bias, int64_t rows,
                                         int64_t columns, int64_t ld)
{
    const ct_layout matrix = ct_layout2(rows, columns, ld, 1);
    const ct_layout row = ct_layout2(rows, columns, 0, 1);
    const ct_operand from[] = {ct_make_operand(x, matrix, 2), ct_make_operand(bias, row, 2)};
    return ct_make_elementwise(from, 2, ct_make_operand(y, matrix, 2), CT_ELEMENTWISE_BYTES);
}
