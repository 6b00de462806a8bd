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
    const float u = x * fmaf(-0.1029432406f * x, x, -2.302208198f); /* -2 u / ln 2 */
    return ct_divide(x, 1 + ct_exp2(u));
}

/* x / (1 + e^-x). */
CT_DEVICE float silu_of(float x) { return ct_divide(x, 1 + ct_exp2(-1.4426950409f * x)); }

/* gelu and silu for results of 16 bits, in half the time: x/2 (1 + tanh(a x + b x^3)). Its error is 2^-12 of x. b of
 * silu changes no result, but 0 times an infinite x is a NaN. */
CT_DEVICE float gate_of(float x, const int activation)
{
    const float a = activation == GEMM_GELU ? 0.7978845608f : 0.5f;
    const float b = activation == GEMM_GELU ? 0.0356774081f : 1e-37f;
    const float half = 0.5f * x;
    return fmaf(half, ct_tanh(x * fmaf(b * x, x, a)), half);
}

/* to_16: whether the result is rounded to 16 bits. */
CT_DEVICE float activate(float x, const int activation, const int to_16)
{
    if (activation == GEMM_RELU)
        return x <= 0 ? 0 : x; /* -0 becomes 0, as by cvt.relu; NaNs stay */
    if (activation == GEMM_NO_ACTIVATION) return x;
    if (to_16) return gate_of(x, activation);
    return activation == GEMM_GELU ? gelu_of(x) : silu_of(x);
}

/* scale_rows[i] scale_cols[j] x. */
CT_DEVICE float scale_sum(const gemm_epilogue *e, float x, int64_t row, int64_t column)
{
    const uint32_t one = ct_bits_of_float(1);
    if (e->scale_rows) x *= ct_float_of_bits(vector_bits(e->scale_rows, row, e->m, one));
    if (e->scale_cols) x *= ct_float_of_bits(vector_bits(e->scale_cols, column, e->n, one));
    return x;
}

/* activation(x + bias[j]), for a result of 16 bits. */
CT_DEVICE float activate_sum(const gemm_epilogue *e, float x, int64_t column)
{
    if (e->bias) x += ct_float_of_bits(vector_bits(e->bias, column, e->n, 0));
    return activate(x, e->activation, 1);
}

#endif
