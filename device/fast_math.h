/**
 * Fast functions of floats under one name for nvcc and for C compilers.
 *
 * On a GPU their errors are those of the source below; on the CPU grid they are functions of the C
 * library. Tests compare with float64.
 *
 * Source: NVIDIA, CUDA C++ Programming Guide 13.0, mathematical functions: the error of __expf is
 * 2 + |1.173 x| units in the last place, of __fdividef 2, of rsqrtf 2. PTX ISA 9.0, ex2.approx.ftz:
 * 2 units, and 0 for subnormal results.
 */
#ifndef CUTLET_DEVICE_FAST_MATH_H
#define CUTLET_DEVICE_FAST_MATH_H

#include <math.h>

#include "kernel.h"

/** e to the x. */
CT_DEVICE float ct_exp(float x)
{
#if defined(__CUDACC__)
    return __expf(x);
#else
    return expf(x);
#endif
}

/** 2 to the x. */
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

/** a / b; on a GPU 0 if |b| is more than 2^126. */
CT_DEVICE float ct_divide(float a, float b)
{
#if defined(__CUDACC__)
    return __fdividef(a, b);
#else
    return a / b;
#endif
}

/** 1 / sqrt(x). */
CT_DEVICE float ct_rsqrt(float x)
{
#if defined(__CUDACC__)
    return rsqrtf(x);
#else
    return 1.0f / sqrtf(x);
#endif
}

#endif
