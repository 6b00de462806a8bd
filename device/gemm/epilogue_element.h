/* The epilogue of the GEMM kernels, on one sum: its scales before beta C is added, its bias and activation after. */
#ifndef CUTLET_EXAMPLES_GEMM_EPILOGUE_ELEMENT_H
#define CUTLET_EXAMPLES_GEMM_EPILOGUE_ELEMENT_H

#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/element/element.h>
#include <cutlet/device/element/fast_math.h>

#include "epilogue_args.h"

/* The bits of element i of a vector of `count`; `other` outside of it. */
CT_DEVICE uint32_t vector_bits(const void *vector, int64_t i, int64_t count, uint32_t other)
{
    ct_load_global_if(i < count, &other, (const uint32_t *)vector + i, 32);
    return other;
}

/* x/2 (1 + tanh u) with u = sqrt(2/pi) (x + 0.044715 x^3), which is x / (1 + e^-2u). */
CT_DEVICE float gelu_of(float x)
{
    const float u = x * (-2.302208198f - 0.1029432406f * x * x); /* -2 u / ln 2 */
    return ct_divide(x, 1 + ct_exp2(u));
}

/* x / (1 + e^-x). */
CT_DEVICE float silu_of(float x) { return ct_divide(x, 1 + ct_exp2(-1.4426950409f * x)); }

CT_DEVICE float activate(float x, const int activation)
{
    return activation == GEMM_RELU   ? (x < 0 ? 0 : x)
           : activation == GEMM_GELU ? gelu_of(x)
           : activation == GEMM_SILU ? silu_of(x)
                                     : x;
}

/* scale_rows[i] scale_cols[j] x. */
CT_DEVICE float scale_sum(const gemm_epilogue *e, float x, int64_t row, int64_t column)
{
    const uint32_t one = ct_bits_of_float(1);
    if (e->scale_rows) x *= ct_float_of_bits(vector_bits(e->scale_rows, row, e->m, one));
    if (e->scale_cols) x *= ct_float_of_bits(vector_bits(e->scale_cols, column, e->n, one));
    return x;
}
/* activation(x + bias[j]). */
CT_DEVICE float activate_sum(const gemm_epilogue *e, float x, int64_t column)
{
    if (e->bias) x += ct_float_of_bits(vector_bits(e->bias, column, e->n, 0));
    return activate(x, e->activation);
}

#endif
