/* Conversions of contiguous elements, block by block, through float or double. The compiler can
 * vectorise the loops. */
#include <string.h>

#include <cutlet/host/plan.h>
#include <cutlet/device/element/element.h>
#include "kernels.h"

enum { BLOCK = 256 };

static void floats_of(float *restrict to, const void *from, int64_t n, int32_t type)
{
    const uint16_t *const halves = from;
    const int8_t *const bytes = from;
    switch (type) {
        case CT_TYPE_HALF:
            for (int64_t i = 0; i < n; ++i) to[i] = ct_float_of_half(halves[i]);
            break;
        case CT_TYPE_BFLOAT16:
            for (int64_t i = 0; i < n; ++i) to[i] = ct_float_of_bfloat16(halves[i]);
            break;
        case CT_TYPE_INT8:
            for (int64_t i = 0; i < n; ++i) to[i] = bytes[i];
            break;
        default: memcpy(to, from, (size_t)n * sizeof *to);
    }
}

/* x clamped to -128 .. 127 and rounded to nearest even: at 1.5 * 2^23 floats have steps of 1. A NaN
 * becomes 0. */
static inline int8_t int8_of(float x)
{
    x = x == x ? x : 0;
    x = x < -128 ? -128 : x;
    x = x > 127 ? 127 : x;
    return (int8_t)(uint8_t)ct_bits_of_float(x + 0x1.8p23f);
}

static void from_floats(void *to, const float *restrict from, int64_t n, int32_t type)
{
    uint16_t *const halves = to;
    int8_t *const bytes = to;
    double *const doubles = to;
    switch (type) {
        case CT_TYPE_HALF:
            for (int64_t i = 0; i < n; ++i) halves[i] = (uint16_t)ct_half_of_float(from[i]);
            break;
        case CT_TYPE_BFLOAT16:
            for (int64_t i = 0; i < n; ++i) halves[i] = (uint16_t)ct_bfloat16_of_float(from[i]);
            break;
        case CT_TYPE_INT8:
            for (int64_t i = 0; i < n; ++i) bytes[i] = int8_of(from[i]);
            break;
        case CT_TYPE_DOUBLE:
            for (int64_t i = 0; i < n; ++i) doubles[i] = from[i];
            break;
        default: memcpy(to, from, (size_t)n * sizeof *from);
    }
}

/* x rounded to odd: towards zero, with the last bit set if the result is not exact. Rounding it
 * again to a shorter type gives what x itself would give. (Boldo and Melquiond, "Emulation of FMA
 * and correctly rounded sums", 2008.) */
static inline float odd_float(double x)
{
    const float near = (float)x;
    const double back = near;
    uint32_t bits = ct_bits_of_float(near);
    bits -= (back < 0 ? -back : back) > (x < 0 ? -x : x); /* the next one towards zero */
    bits |= back != x;
    return ct_float_of_bits(bits);
}

static void from_doubles(void *to, const double *restrict from, int64_t n, int32_t type)
{
    float *const floats = to;
    if (type == CT_TYPE_DOUBLE) {
        memcpy(to, from, (size_t)n * sizeof *from);
    } else if (type == CT_TYPE_FLOAT) {
        for (int64_t i = 0; i < n; ++i) floats[i] = (float)from[i];
    } else {
        float odd[BLOCK];
        for (int64_t i = 0; i < n; ++i) odd[i] = odd_float(from[i]);
        from_floats(to, odd, n, type);
    }
}

static void block(unsigned char *dst, const unsigned char *src, int64_t n, const ct_conversion *how)
{
    float floats[BLOCK];
    double doubles[BLOCK];
    if (how->from != CT_TYPE_DOUBLE) {
        floats_of(floats, src, n, how->from);
        if (!how->has_scale) {
            from_floats(dst, floats, n, how->to);
            return;
        }
        for (int64_t i = 0; i < n; ++i) doubles[i] = floats[i];
    } else {
        memcpy(doubles, src, (size_t)n * sizeof *doubles);
    }
    if (how->has_scale)
        for (int64_t i = 0; i < n; ++i) doubles[i] *= how->scale;
    from_doubles(dst, doubles, n, how->to);
}

static int64_t bytes_of(int32_t type)
{
    return type == CT_TYPE_INT8 ? 1 : type == CT_TYPE_FLOAT ? 4 : type == CT_TYPE_DOUBLE ? 8 : 2;
}

void CT_LOOPS(ct_convert)(unsigned char *dst, const unsigned char *src, int64_t n,
                          const ct_conversion *how)
{
    const int64_t from = bytes_of(how->from), to = bytes_of(how->to);
    for (int64_t i = 0; i < n; i += BLOCK)
        block(dst + i * to, src + i * from, n - i < BLOCK ? n - i : BLOCK, how);
}
