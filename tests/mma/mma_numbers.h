/**
 * Random integers that a type of an MMA has, and how an integer is written in it.
 */
#ifndef CUTLET_TESTS_MMA_NUMBERS_H
#define CUTLET_TESTS_MMA_NUMBERS_H

#include <cutlet/mma/mma_op.h>

#include "dice.h"

static dice mma_dice = {88172645463325252u};

static int64_t mma_between(int64_t low, int64_t high) { return dice_int(&mma_dice, low, high); }

/* An integer that the type has, small where sums of products would not be exact. */
static int64_t mma_any(int32_t type)
{
    switch (type) {
        case CT_MMA_U1: return mma_between(0, 1);
        case CT_MMA_S4: return mma_between(-8, 7);
        case CT_MMA_U4: return mma_between(0, 15);
        case CT_MMA_S8: return mma_between(-128, 127);
        case CT_MMA_U8: return mma_between(0, 255);
        case CT_MMA_S32:
            return mma_between(0, 3)   ? mma_between(-9, 9)
                   : mma_between(0, 1) ? INT32_MAX - 9
                                       : INT32_MIN + 9;
        case CT_MMA_E4M3:
        case CT_MMA_E5M2: return mma_between(-4, 4);
        default: return mma_between(-8, 8);
    }
}

/* The bits of an integer in a floating-point type of this many bits of exponent and of mantissa. */
static uint64_t mma_float_bits(int64_t x, int exponent, int mantissa)
{
    const uint64_t sign = (uint64_t)(x < 0) << (exponent + mantissa);
    const uint64_t size = (uint64_t)(x < 0 ? -x : x);
    int top = 0;
    if (x == 0) return 0;
    while (size >> (top + 1)) ++top;
    const uint64_t biased = (uint64_t)(top + (1 << (exponent - 1)) - 1);
    const uint64_t low = size - ((uint64_t)1 << top);
    return sign | biased << mantissa |
           (top <= mantissa ? low << (mantissa - top) : low >> (top - mantissa));
}

static uint64_t mma_bits_of(int32_t type, int64_t x)
{
    switch (type) {
        case CT_MMA_F16: return mma_float_bits(x, 5, 10);
        case CT_MMA_BF16: return mma_float_bits(x, 8, 7);
        case CT_MMA_F32:
        case CT_MMA_TF32: return mma_float_bits(x, 8, 23);
        case CT_MMA_F64: return mma_float_bits(x, 11, 52);
        case CT_MMA_E4M3: return mma_float_bits(x, 4, 3);
        case CT_MMA_E5M2: return mma_float_bits(x, 5, 2);
        default: return (uint64_t)x & (((uint64_t)1 << ct_mma_bits(type)) - 1);
    }
}

#endif
