/* The arithmetic of reductions in memory: add, minimum, maximum. 16-bit floating-point numbers are
 * rounded to nearest even, once.
 *
 * Source: NVIDIA, PTX ISA 9.0, cp.reduce.async.bulk, cp.reduce.async.bulk.tensor. */
#include "mma_values.h"
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

/* Of 16 bits. */
static uint16_t combine_half(int reduce, int type, uint16_t bits_a, uint16_t bits_b)
{
    const double a = ct_mma_number(type, bits_a), b = ct_mma_number(type, bits_b),
                 d = reduce == CT_REDUCE_ADD ? ct_odd_sum(a, b)
                                             : ct_extreme(a, b, reduce == CT_REDUCE_MAX);
    return (uint16_t)ct_mma_number_bits(type, d, CT_MMA_NEAREST, 0);
}

/* Subnormal numbers are kept; every NaN is 0x7fffffff. Seen on an H200. */
static void add_f32(unsigned char *into, const unsigned char *from)
{
    float a, b;
    memcpy(&a, into, 4);
    memcpy(&b, from, 4);
    static const uint32_t nan = 0x7fffffff;
    a += b;
    memcpy(into, a != a ? (const void *)&nan : &a, 4);
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
    a = combine_half(reduce, elem == CT_ELEM_F16 ? CT_MMA_F16 : CT_MMA_BF16, a, b);
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
