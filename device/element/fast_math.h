/**
 * Fast functions of floats under one name for nvcc and for C compilers.
 *
 * On a GPU their errors are those of the source below; on the CPU grid they are functions of the C
 * library. Tests compare with float64. No function fails: infinities and NaNs are those of the C
 * library.
 *
 * In a kernel:
 *           float x = 0;
 *           ct_load_global(&x, in + 1 + threadIdx.x, 32); // 1 to 32
 *           assert(fabsf(ct_exp(-x) * expf(x) - 1) < 1e-5f);
 *           assert(fabsf(ct_exp2(-x) * exp2f(x) - 1) < 1e-6f);
 *           assert(fabsf(ct_divide(x, 3) * 3 - x) <= 1e-6f * x);
 *           assert(fabsf(ct_rsqrt(x * x) * x - 1) < 1e-6f);
 *           assert(fabsf(ct_tanh(0.1f * x) / tanhf(0.1f * x) - 1) < 1e-3f);
 * Source:   NVIDIA, CUDA C++ Programming Guide 13.0, mathematical functions: the error of __expf is
 *           2 + |1.173 x| units in the last place, of __fdividef 2, of rsqrtf 2. PTX ISA 9.0,
 *           ex2.approx.ftz: 2 units, and 0 for subnormal results; tanh.approx: a relative error of 2^-11.
 */
#ifndef CUTLET_DEVICE_ELEMENT_FAST_MATH_H
#define CUTLET_DEVICE_ELEMENT_FAST_MATH_H

#include <math.h>

#include <cutlet/device/kernel/kernel.h>

/**
 * e to the x.
 * Cost:     a multiplication by log2(e), and one ex2.
 */
CT_DEVICE float ct_exp(float x)
{
#if defined(__CUDACC__)
    return __expf(x);
#else
    return expf(x);
#endif
}

/**
 * 2 to the x.
 * Cost:     one ex2.
 */
CT_DEVICE float ct_exp2(float x)
{
#if defined(__CUDACC__)
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return exp2f(x);
#endif
}

/**
 * a / b; on a GPU 0 if |b| is more than 2^126.
 * Cost:     one div.approx: a reciprocal and a multiplication.
 */
CT_DEVICE float ct_divide(float a, float b)
{
#if defined(__CUDACC__)
    return __fdividef(a, b);
#else
    return a / b;
#endif
}

/**
 * 1 / sqrt(x).
 * Cost:     one rsqrt.
 */
CT_DEVICE float ct_rsqrt(float x)
{
#if defined(__CUDACC__)
    return rsqrtf(x);
#else
    return 1.0f / sqrtf(x);
#endif
}

/**
 * The hyperbolic tangent: on a GPU by tanh.approx, with a relative error of at most 2^-11; on the host it is rounded once.
 * Cost:     one tanh.
 */
CT_DEVICE float ct_tanh(float x)
{
#if defined(__CUDACC__)
    float y;
    asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return (float)tanh((double)x);
#endif
}

#endif
