/**
 * Casts: a layout of the same data in larger or smaller elements.
 */
#ifndef CUTLET_ALGEBRA_CAST_H
#define CUTLET_ALGEBRA_CAST_H

#include <cutlet/algebra/coalesce.h>

/**
 * L in elements n times as large: the leaves within a new element merge into it, the strides beyond
 * are divided by n.
 *
 * Ensures:  R(c / step) = floor(L(c) / n), where a leaf of stride d below n shrinks by
 *           step = n / d, or to 1 where it lies within one new element.   [law_upcast]
 * Fails:    CT_E_ARGUMENT when of a stride and n neither divides the other; when a leaf below n is
 *           neither a whole number of new elements nor, with the others, exactly one; when it runs
 *           backwards; when the leaves below n together reach past a new element; for n < 1.
 * Cost:     O(leaves).
 * Example:  upcast((8,4):(1,8), 4) == (2,4):(1,2)
 * Example:  upcast((2,2,3):(1,2,4), 4) == (1,1,3):(1,1,1)
 * Example:  upcast((6,4):(1,8), 4) == error
 * Source:   CUTLASS docs, 02_layout_algebra.
 */
CT_FN ct_layout ct_upcast(ct_layout L, int64_t n)
{
    if (L.err.status) return L;
    if (n < 1)
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_NOT_POSITIVE, 0, n, 0));
    int64_t within = 1, reach = 0; /* of one new element: the old ones in it, and their last */
    int partial = -1;              /* a leaf that does not reach from one new element to the next */
    int64_t partial_shape = 0, partial_step = 0;
    int ok = 1;
    CT_FOR(i, L.profile.leaves)
    {
        const int64_t d = ct_abs(L.stride[i]), s = L.shape[i];
        if (ct_is_sum(L.basis[i])) return ct_layout_fail(ct_sums_check(&L, CT_OP_UPCAST));
        if (d != 0) {
            const int64_t step = ct_ceil_div_int(n, d); /* old elements in a new one */
            if (s > 1 && d % n != 0 && (n % d != 0 || L.stride[i] < 0))
                return ct_layout_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_UPCAST,
                                                    CT_WHY_UPCAST_STRIDE, i, L.stride[i], n));
            if (s > step && s % step != 0)
                return ct_layout_fail(
                    ct_make_error(CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_UPCAST_SHAPE, i, s, step));
            if (s > 1 && s < step && partial < 0) {
                partial = i;
                partial_shape = s;
                partial_step = step;
            }
            if (s > 1 && d < n) {
                within = ct_mul(within, ct_min(s, step), &ok);
                reach = ct_add(reach, (ct_min(s, step) - 1) * d, &ok);
            }
            L.shape[i] = ct_ceil_div_int(s, step);
            L.stride[i] = ct_signum(L.stride[i]) * ct_ceil_div_int(d, n);
        }
    }
    if (reach >= n || !ok)
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_UPCAST_INSIDE, 0, reach, n));
    if (partial >= 0 && within != n)
        return ct_layout_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_UPCAST_SHAPE,
                                            partial, partial_shape, partial_step));
    return L;
}

/** @internal The contiguous leaf of L: of stride 1, else of stride -1. Among several it is the
 * first with more than one coordinate, else the first; -1 if there is none. */
CT_FN int ct_unit_leaf(const ct_layout *L)
{
    int best = -1, rank = 0; /* of a leaf: 4 stride 1, 3 stride -1, less 2 where its size is 1 */
    CT_FOR(i, L->profile.leaves)
    {
        const int64_t d = L->stride[i];
        const int one = d != 1 && d != -1 ? 0 : (d == 1 ? 4 : 3) - (L->shape[i] == 1 ? 2 : 0);
        if (one > rank) {
            best = i;
            rank = one;
        }
    }
    return best;
}

/**
 * L in elements a factor n smaller: the contiguous leaf gets n times as long, the other strides are
 * multiplied by n. A contiguous leaf of stride -1 becomes (n,s):(1,-n).
 *
 * Ensures:  size(R) = n * size(L); R(n * c + j in the contiguous leaf) = n * L(c) + j for
 *           0 <= j < n.   [law_downcast]
 * Fails:    CT_E_ARGUMENT when no leaf has stride 1 or -1, for n < 1; CT_E_OVERFLOW; CT_E_CAPACITY.
 * Cost:     O(leaves).
 * Example:  downcast((2,4):(1,2), 4) == (8,4):(1,8)
 * Example:  downcast((1,4):(1,1), 2) == (1,8):(2,1)
 * Example:  downcast(4:-1, 2) == (2,4):(1,-2)
 */
CT_FN ct_layout ct_downcast(ct_layout L, int64_t n)
{
    if (L.err.status) return L;
    if (n < 1)
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_DOWNCAST, CT_WHY_NOT_POSITIVE, 0, n, 0));
    if (n == 1) return L;
    const int unit = ct_unit_leaf(&L);
    if (unit < 0)
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_DOWNCAST, CT_WHY_NO_UNIT, 0, 0, 0));
    ct_layout r = CT_ZERO;
    int ok = 1;
    CT_FOR(i, L.profile.leaves)
    {
        const int64_t s = L.shape[i], d = L.stride[i];
        if (ct_is_sum(L.basis[i])) return ct_layout_fail(ct_sums_check(&L, CT_OP_DOWNCAST));
        const int first = r.profile.leaves;
        if (i == unit && d == -1) ct_layout_push_leaf(&r, n, 1, L.basis[i]);
        if (i == unit && d == 1) ct_layout_push_leaf(&r, ct_mul(s, n, &ok), 1, L.basis[i]);
        else ct_layout_push_leaf(&r, s, ct_mul(d, n, &ok), L.basis[i]);
        ct_layout_close_mode(&r, first, L.profile.open[i], L.profile.close[i]);
    }
    if (!ok)
        return ct_layout_fail(
            ct_make_error(CT_E_OVERFLOW, CT_OP_DOWNCAST, CT_WHY_OVERFLOW, 0, 0, 0));
    return ct_checked(r, CT_OP_DOWNCAST);
}

/**
 * L, a layout of elements of old_bits, as one of elements of new_bits.
 * Fails:    as ct_upcast and ct_downcast.
 * Cost:     that of an upcast and a downcast: O(leaves).
 * Example:  recast((8,4):(1,8), 16, 128) == (1,4):(1,1)
 * Example:  recast((2,4):(1,2), 32, 8) == (8,4):(1,8)
 */
CT_FN ct_layout ct_recast(ct_layout L, int64_t old_bits, int64_t new_bits)
{
    if (L.err.status) return L;
    if (old_bits < 1 || new_bits < 1)
        return ct_layout_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_RECAST, CT_WHY_NOT_POSITIVE, 0,
                                            old_bits < new_bits ? old_bits : new_bits, 0));
    const int64_t common = ct_gcd(old_bits, new_bits);
    const int64_t up = new_bits / common, down = old_bits / common;
    if (up > 1) L = ct_upcast(L, up);
    if (down > 1) L = ct_downcast(L, down);
    return L;
}

#endif
