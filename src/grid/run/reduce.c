/* The arithmetic of reductions in memory: add, minimum, maximum. 16-bit floating-point numbers are
 * computed in float and rounded to nearest even. For one sum of two this rounds correctly.
 *
 * Source: NVIDIA, PTX ISA 9.0, cp.reduce.async.bulk, cp.reduce.async.bulk.tensor. */
#include "run.h"

#include <string.h>

int ct_grid_reduce_known(int reduce, int elem, int is_tile)
{
    const int is_half = elem == CT_ELEM_F16 || elem == CT_ELEM_BF16;
    const int is_word = elem == CT_ELEM_U32 || elem == CT_ELEM_S32 || elem == CT_ELEM_U64;
    if (reduce == CT_REDUCE_ADD)
        return is_half || is_word || elem == CT_ELEM_F32 || (elem == CT_ELEM_F64 && !is_tile);
    return is_half || is_word || elem == CT_ELEM_S64;
}

static float float_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

static uint32_t bits_of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

static float from_f16(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, part = h & 0x3ff;
    if (exponent == 31) return float_of_bits(sign | 0x7f800000u | part << 13);
    if (exponent > 0) return float_of_bits(sign | (exponent + 112) << 23 | part << 13);
    const float size = (float)part * 0x1p-24f;
    return sign ? -size : size;
}

static uint16_t to_f16(float x)
{
    const uint32_t bits = bits_of_float(x), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) return 0x7fff;                     /* NaN */
    if (size >= 0x477ff000u) return (uint16_t)(sign | 0x7c00); /* 65520 rounds to infinity */
    if (size < 0x38800000u) /* below 2^-14: the sum with 0.5 has steps of 2^-24, like f16 */
        return (uint16_t)(sign | (bits_of_float(float_of_bits(size) + 0.5f) - 0x3f000000u));
    const uint32_t rounded = size + 0xfff + (size >> 13 & 1);
    return (uint16_t)(sign | ((rounded >> 13) - (112u << 10)));
}

static float from_bf16(uint16_t h) { return float_of_bits((uint32_t)h << 16); }

static uint16_t to_bf16(float x)
{
    const uint32_t bits = bits_of_float(x);
    if (x != x) return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* The minimum or maximum of a NaN and a number is the number; -0 is less than +0. */
static float combine_float(int reduce, float a, float b)
{
    if (reduce == CT_REDUCE_ADD) return a + b;
    if (a != a) return b;
    if (a == b) return (bits_of_float(a) >> 31 != 0) == (reduce == CT_REDUCE_MIN) ? a : b;
    return (reduce == CT_REDUCE_MIN ? b < a : b > a) ? b : a;
}

/* Subnormal numbers are kept; every NaN is 0x7fffffff. Seen on an H200. */
static void add_f32(unsigned char *into, const unsigned char *from)
{
    float a, b;
    memcpy(&a, into, 4);
    memcpy(&b, from, 4);
    a += b;
    const uint32_t bits = a != a ? 0x7fffffff : bits_of_float(a);
    memcpy(into, &bits, 4);
}

/* A NaN of `from` is the result, or else one of `into`, with all its bits. Infinities of both signs
 * give the NaN below. Seen on an H200. */
static void add_f64(unsigned char *into, const unsigned char *from)
{
    static const uint64_t made = 0xfff8000000000000u;
    double a, b;
    memcpy(&a, into, 8);
    memcpy(&b, from, 8);
    const double sum = a + b;
    if (b != b) memcpy(into, from, 8);
    else if (a != a) return;
    else if (sum != sum) memcpy(into, &made, 8);
    else memcpy(into, &sum, 8);
}

/* A macro, because C has no generic functions. */
#define COMBINE(type)                                                                              \
    do {                                                                                           \
        type a, b;                                                                                 \
        memcpy(&a, into, sizeof a);                                                                \
        memcpy(&b, from, sizeof b);                                                                \
        if (reduce == CT_REDUCE_ADD) a = (type)(a + b);                                            \
        else if (reduce == CT_REDUCE_MIN ? b < a : b > a) a = b;                                   \
        memcpy(into, &a, sizeof a);                                                                \
    } while (0)

static void combine(int reduce, int elem, unsigned char *into, const unsigned char *from)
{
    uint16_t a, b;
    switch (elem) {
        case CT_ELEM_U32: COMBINE(uint32_t); return;
        case CT_ELEM_U64: COMBINE(uint64_t); return;
        case CT_ELEM_F32: add_f32(into, from); return;
        case CT_ELEM_F64: add_f64(into, from); return;
        case CT_ELEM_S32:
            if (reduce == CT_REDUCE_ADD) COMBINE(uint32_t); /* the same sum, without overflow */
            else COMBINE(int32_t);
            return;
        case CT_ELEM_S64: COMBINE(int64_t); return;
        default: break;
    }
    memcpy(&a, into, 2);
    memcpy(&b, from, 2);
    a = elem == CT_ELEM_F16 ? to_f16(combine_float(reduce, from_f16(a), from_f16(b)))
                            : to_bf16(combine_float(reduce, from_bf16(a), from_bf16(b)));
    memcpy(into, &a, 2);
}

void ct_grid_reduce(int reduce, int elem, unsigned char *into, const unsigned char *from, int64_t n)
{
    const int bytes = ct_elem_bytes(elem);
    for (int64_t i = 0; i < n; ++i) combine(reduce, elem, into + i * bytes, from + i * bytes);
}

/* What a reduction does not. */
static uint64_t updated(int how, uint64_t old, uint64_t b, uint64_t c)
{
    switch (how) {
        case CT_UPDATE_EXCH: return b;
        case CT_UPDATE_CAS: return old == b ? c : old;
        case CT_UPDATE_AND: return old & b;
        case CT_UPDATE_OR: return old | b;
        case CT_UPDATE_XOR: return old ^ b;
        case CT_UPDATE_INC: return old >= b ? 0 : old + 1;
        default: return old == 0 || old > b ? b : old - 1;
    }
}

uint64_t ct_grid_update(int how, int elem, int count, unsigned char *p, uint64_t b, uint64_t c)
{
    const size_t bytes = (size_t)(count * ct_elem_bytes(elem));
    uint64_t old = 0, now, given = 0;
    memcpy(&old, p, bytes);
    memcpy(&given, &b, bytes);
    now = old;
    if (how > CT_UPDATE_MAX) now = updated(how, old, given, c);
    else
        ct_grid_reduce(how + CT_REDUCE_ADD, elem, (unsigned char *)&now, (const unsigned char *)&b,
                       count);
    memcpy(p, &now, bytes);
    return old;
}
