/**
 * Functions of floats, the same on every compiler: fast ones where the GPU has an instruction.
 *
 * On the GPU they are off by as much as the source below says, on the grid they are the C
 * library's; tests compare with float64.
 *
 * Source: NVIDIA, CUDA C++ Programming Guide 13.0, mathematical functions: __expf and __fdividef
 * are off by 2 + |1.173 x| and 2 units in the last place, rsqrtf by 2. PTX ISA 9.0, ex2.approx.ftz:
 * off by 2 units, and 0 for subnormal results.
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

/** a / b; 0 where |b| is more than 2^126. */
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
