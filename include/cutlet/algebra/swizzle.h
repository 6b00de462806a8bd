/**
 * Swizzles: a permutation of offsets that XORs one field of bits into another.
 * Fails:    a failed operand is the result.
 * Cost:     a few instructions, host and device.
 */
#ifndef CUTLET_ALGEBRA_SWIZZLE_H
#define CUTLET_ALGEBRA_SWIZZLE_H

#include <cutlet/algebra/base.h>

/** Sw<bits,base,shift>: of an offset x, the `bits` bits from position base + max(shift, 0) are
 *  XORed into those from position base - min(shift, 0). */
typedef struct ct_swizzle {
    ct_error err;
    int32_t bits;
    int32_t base;
    int32_t shift;
} ct_swizzle;

/**
 * Sw<bits,base,shift>.
 * Fails:   CT_E_ARGUMENT when bits or base is negative, |shift| < bits (the fields would overlap),
 *          or the fields reach past bit 62.
 * In C:    assert(ct_make_swizzle(3, 4, 3).err.status == CT_OK);
 *          assert(ct_make_swizzle(3, 4, 2).err.status == CT_E_ARGUMENT); // the fields overlap
 * Source:  CuTe, swizzle.hpp.
 */
CT_FN ct_swizzle ct_make_swizzle(int bits, int base, int shift)
{
    ct_swizzle s = CT_ZERO;
    const int64_t reach = CT_CAST(int64_t, bits) + base + ct_abs(shift);
    if (bits < 0 || base < 0 || ct_abs(shift) < bits || reach > 62) {
        s.err = ct_make_error(CT_E_ARGUMENT, CT_OP_SWIZZLE, CT_WHY_SWIZZLE, 0, bits, base);
        s.err.n[2] = shift;
    }
    s.bits = bits;
    s.base = base;
    s.shift = shift;
    return s;
}

/**
 * The identity swizzle Sw<0,0,0>.
 * Fails:    never.
 * In C:     assert(ct_swizzle_apply(ct_swizzle_none(), 1234) == 1234);
 */
CT_FN ct_swizzle ct_swizzle_none(void) { return ct_make_swizzle(0, 0, 0); }

/** @internal The bits that a swizzle reads. */
CT_FN int64_t ct_swizzle_source(ct_swizzle s)
{
    return CT_CAST(int64_t, (CT_CAST(uint64_t, 1) << s.bits) - 1)
           << (s.base + (s.shift > 0 ? s.shift : 0));
}

/** @internal The bits that a swizzle changes. */
CT_FN int64_t ct_swizzle_target(ct_swizzle s)
{
    return CT_CAST(int64_t, (CT_CAST(uint64_t, 1) << s.bits) - 1)
           << (s.base - (s.shift < 0 ? s.shift : 0));
}

/** @internal The period of a swizzle: the offsets of each period are swizzled among themselves. */
CT_FN int64_t ct_swizzle_period(ct_swizzle s)
{
    return CT_CAST(int64_t, 1) << (s.bits + s.base + CT_CAST(int, ct_abs(s.shift)));
}

/**
 * The swizzled offset; its own inverse.
 * Requires: x >= 0, s not failed.
 * Example:  Sw<3,4,3>(200) == 216
 */
CT_FN int64_t ct_swizzle_apply(ct_swizzle s, int64_t x)
{
    const int64_t field = x & ct_swizzle_source(s);
    return x ^ (s.shift >= 0 ? field >> s.shift : field << -s.shift);
}

/** @internal log2 of the lowest bit of x, for x > 0. */
CT_FN int ct_lowest_bit(int64_t x)
{
    int log = 0;
    for (; (x >> log & 1) == 0; ++log) continue;
    return log;
}

/** @internal log2 of n; -1 where it is not a power of two. */
CT_FN int ct_log2(int64_t n) { return n > 0 && (n & (n - 1)) == 0 ? ct_lowest_bit(n) : -1; }

/**
 * The swizzle that does what b and then a do.
 *
 * Ensures:  R(x) = a(b(x)) for x >= 0.   [law_swizzle_composition]
 * Fails:    CT_E_NO_LAYOUT where that is not a swizzle: the two shift by different steps, leave a gap
 *           between their fields, or one reads what the other writes.
 * Example:  composition(Sw<1,0,3>, Sw<1,1,3>) == Sw<2,0,3>
 * Example:  composition(Sw<2,0,3>, Sw<2,0,3>) == Sw<0,0,0>
 * Example:  composition(Sw<1,0,1>, Sw<1,0,2>) == error
 */
CT_FN ct_swizzle ct_swizzle_composition(ct_swizzle a, ct_swizzle b)
{
    if (a.err.status) return a;
    if (b.err.status) return b;
    int first = 0, bits = 0, shift = 0, ok = 1;
    for (int from = 0; from < 62; ++from) { /* bit `from` moves one bit, `shift` below it */
        const int64_t bit = CT_CAST(int64_t, 1) << from;
        const int64_t moved = ct_swizzle_apply(a, ct_swizzle_apply(b, bit)) ^ bit;
        if (moved == 0) continue;
        const int to = ct_lowest_bit(moved);
        if (bits == 0) first = from;
        if (bits == 0) shift = from - to;
        if (moved != CT_CAST(int64_t, 1) << to || from != first + bits || from - to != shift)
            ok = 0;
        ++bits;
    }
    const int base = first - (shift > 0 ? shift : 0);
    ct_swizzle r = bits == 0 ? ct_swizzle_none() : ct_make_swizzle(bits, base, shift);
    if (!ok || r.err.status) {
        r.err = ct_make_error(CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_TWO_SWIZZLES, 0, a.bits,
                              a.base);
        r.err.n[2] = a.shift;
    }
    return r;
}

/**
 * The swizzle that does the same to elements n times as large, n a power of two.
 * Fails:   CT_E_ARGUMENT when n is not a power of two, or larger than the smallest run that the
 *          swizzle leaves in one piece (2^base).
 * Example: upcast(Sw<3,4,3>, 8) == Sw<3,1,3>
 */
CT_FN ct_swizzle ct_swizzle_upcast(ct_swizzle s, int64_t n)
{
    if (s.err.status) return s;
    const int log = ct_log2(n);
    if (log < 0) {
        s.err = ct_make_error(CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_NOT_POWER, 0, n, 0);
        return s;
    }
    if (log > s.base) {
        s.err =
            ct_make_error(CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_SWIZZLE_BASE, log, s.bits, s.base);
        s.err.n[2] = s.shift;
    }
    s.base -= log;
    return s;
}

/**
 * The swizzle that does the same to elements a factor n smaller, n a power of two.
 * Example: downcast(Sw<3,1,3>, 8) == Sw<3,4,3>
 */
CT_FN ct_swizzle ct_swizzle_downcast(ct_swizzle s, int64_t n)
{
    if (s.err.status) return s;
    const int log = ct_log2(n);
    if (log < 0) {
        s.err = ct_make_error(CT_E_ARGUMENT, CT_OP_DOWNCAST, CT_WHY_NOT_POWER, 0, n, 0);
        return s;
    }
    return ct_make_swizzle(s.bits, s.base + log, s.shift);
}

#endif
