/* What becomes of the sums of a GEMM, as its kernels' arguments have it:
 *
 *     D = activation(scale_rows[i] scale_cols[j] alpha (A B) + beta C + bias[j])
 */
#ifndef CUTLET_EXAMPLES_GEMM_EPILOGUE_ARGS_H
#define CUTLET_EXAMPLES_GEMM_EPILOGUE_ARGS_H

#include <stdint.h>

/* The activations. gelu is the tanh form, as in examples/vector/elementwise.cu. */
enum { GEMM_NO_ACTIVATION, GEMM_RELU, GEMM_GELU, GEMM_SILU, GEMM_ACTIVATIONS };

/* Vectors of contiguous floats; the bias of int32 sums is of int32. NULL: none. The same for each of a batch. All zero:
 * the product is stored as it is. */
typedef struct gemm_epilogue {
    int32_t is_on, activation; /* is_on: whether there is any of it */
    int64_t m, n;
    const void *bias, *scale_rows, *scale_cols; /* of n, m and n elements */
} gemm_epilogue;

#endif
