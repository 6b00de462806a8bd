/**
 * What conversions are to give, worked out another way than the library does: the value of an element
 * by its sign, exponent and fraction, the nearest element by a search among those that there are, a
 * product in twice the precision.
 */
#ifndef CUTLET_TESTS_PLAN_REFERENCE_H
#define CUTLET_TESTS_PLAN_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <cutlet/host/plan.h>

/** The bytes of each type. */
static const int reference_bytes[CT_TYPE_COUNT] = {0, 2, 2, 4, 8, 1};

/** The value of a short float: sign, exponent bits, fraction bits. */
static double short_value(uint32_t bits, int exponents, int fractions)
{
    const int sign = (int)(bits >> (exponents + fractions) & 1);
    const int e = (int)(bits >> fractions & ((1u << exponents) - 1)),
              bias = (1 << (exponents - 1)) - 1;
    const uint32_t f = bits & ((1u << fractions) - 1);
    double x;
    if (e == (1 << exponents) - 1) x = f ? (double)NAN : (double)INFINITY;
    else if (e == 0) x = ldexp(f, 1 - bias - fractions);
    else x = ldexp((double)(f | 1u << fractions), e - bias - fractions);
    return sign ? -x : x;
}

/** The short float nearest to x, the even one of two: a search among the positive ones, which are in
 *  order. */
static uint32_t short_nearest(double x, int exponents, int fractions)
{
    const uint32_t infinity = ((1u << exponents) - 1) << fractions;
    const uint32_t sign = signbit(x) ? 1u << (exponents + fractions) : 0;
    uint32_t low = 0, high = infinity;
    if (isnan(x)) return infinity + 1;
    x = fabs(x);
    if (isinf(x)) return sign | infinity;
    while (high - low > 1) { /* value(low) <= x < value(high) */
        const uint32_t middle = (low + high) / 2;
        if (short_value(middle, exponents, fractions) <= x) low = middle;
        else high = middle;
    }
    const double a = short_value(low, exponents, fractions);
    /* what infinity would be, were there one more exponent */
    const double b =
        high == infinity ? ldexp(1, 1 << (exponents - 1)) : short_value(high, exponents, fractions);
    if (x >= b) return sign | high;
    /* exact: neighbours of fewer bits, the smallest of which a double counts 2^900 times */
    const double below = x - a, above = b - x;
    const uint32_t nearest = below < above || (below == above && low % 2 == 0) ? low : high;
    return sign | nearest;
}

/** The value of an element. */
static inline double value_of(const void *at, int type)
{
    uint16_t h;
    uint32_t f;
    double d;
    switch (type) {
        case CT_TYPE_HALF: memcpy(&h, at, 2); return short_value(h, 5, 10);
        case CT_TYPE_BFLOAT16: memcpy(&h, at, 2); return short_value(h, 8, 7);
        case CT_TYPE_FLOAT: memcpy(&f, at, 4); return short_value(f, 8, 23);
        case CT_TYPE_DOUBLE: memcpy(&d, at, 8); return d;
        default: return *(const int8_t *)at;
    }
}

/** The element of a value. */
static inline void reference(void *at, double x, int type)
{
    uint16_t h;
    uint32_t f;
    switch (type) {
            /* clang-format off */
    case CT_TYPE_HALF: h = (uint16_t)short_nearest(x, 5, 10); memcpy(at, &h, 2); return;
    case CT_TYPE_BFLOAT16: h = (uint16_t)short_nearest(x, 8, 7); memcpy(at, &h, 2); return;
    case CT_TYPE_FLOAT: f = short_nearest(x, 8, 23); memcpy(at, &f, 4); return;
    case CT_TYPE_DOUBLE: memcpy(at, &x, 8); return;
    default: *(int8_t *)at = (int8_t)(isnan(x) ? 0 : nearbyint(fmin(fmax(x, -128), 127)));
            /* clang-format on */
    }
}

/** The product as a double, rounded once: 53 bits by 53 are 106, of which the wider type has 113. */
static inline double product_of(double x, double scale)
{
#if defined(__SIZEOF_FLOAT128__)
    return (double)((__float128)x * (__float128)scale);
#else
    return x * scale;
#endif
}

/** Whether two elements are the same bits; any NaN is as good as another. */
static inline int same_value(const void *a, const void *b, int type)
{
    if (memcmp(a, b, (size_t)reference_bytes[type]) == 0) return 1;
    return type != CT_TYPE_INT8 && isnan(value_of(a, type)) && isnan(value_of(b, type));
}

#endif
