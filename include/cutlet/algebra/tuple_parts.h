/**
 * Parts of tuples: modes, runs of modes, pairs of modes; and whether tuples are equal or congruent.
 * Cost:     O(leaves), no allocation.
 */
#ifndef CUTLET_ALGEBRA_TUPLE_PARTS_H
#define CUTLET_ALGEBRA_TUPLE_PARTS_H

#include <cutlet/algebra/tuple.h>

/** @internal The leaves s of t with the profile p. */
CT_FN ct_tuple ct_tuple_part(ct_tuple t, ct_span s, ct_profile p)
{
    ct_tuple r = CT_ZERO;
    r.profile = p;
    CT_FOR(i, s.count)
    {
        r.value[i] = t.value[s.first + i];
        r.basis[i] = t.basis[s.first + i];
    }
    return r;
}

/** @internal Side b of pair i: the mode of t opposite a mode of the other tuple. */
CT_FN ct_tuple ct_tuple_pair_b(ct_tuple t, ct_pairs p, int i)
{
    ct_span s = CT_ZERO;
    s.first = p.b[i];
    s.count = p.b[i + 1] - p.b[i];
    return ct_tuple_part(t, s, ct_profile_part(t.profile, s, p.open[i], p.close[i]));
}

/** @internal Side a of pair i. */
CT_FN ct_tuple ct_tuple_pair_a(ct_tuple t, ct_pairs p, int i)
{
    ct_span s = CT_ZERO;
    s.first = p.a[i];
    s.count = p.a[i + 1] - p.a[i];
    return ct_tuple_part(t, s, ct_profile_part(t.profile, s, p.open[i], p.close[i]));
}

/** @internal t followed by the leaves of x, with `opens` parentheses before and `closes` after
 * them; this builds a tuple from left to right. */
CT_FN ct_tuple ct_tuple_push(ct_tuple t, ct_tuple x, int opens, int closes)
{
    if (t.err.status) return t;
    if (x.err.status) return x;
    const int n = t.profile.leaves, m = x.profile.leaves;
    if (n + m > CT_MAX_LEAVES)
        return ct_tuple_fail(
            ct_make_error(CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_LEAVES, 0, n + m, CT_MAX_LEAVES));
    const ct_error deep = ct_nesting_check(&x.profile, opens > closes ? opens : closes);
    if (deep.status) return ct_tuple_fail(deep);
    CT_FOR(i, m)
    {
        t.value[n + i] = x.value[i];
        t.basis[n + i] = x.basis[i];
        t.profile.open[n + i] = x.profile.open[i];
        t.profile.close[n + i] = x.profile.close[i];
    }
    if (m > 0) {
        t.profile.open[n] = CT_CAST(uint8_t, t.profile.open[n] + opens);
        t.profile.close[n + m - 1] = CT_CAST(uint8_t, t.profile.close[n + m - 1] + closes);
    }
    t.profile.leaves = n + m;
    return t;
}

/**
 * Mode k of t; mode 0 of an integer is the integer.
 * Fails:   CT_E_ARGUMENT when t has no mode k.
 * Example: get(((2,3),4), 0) == (2,3)
 */
CT_FN ct_tuple ct_get(ct_tuple t, int k)
{
    if (t.err.status) return t;
    const ct_span s = ct_profile_mode_span(t.profile, k);
    if (s.count < 0)
        return ct_tuple_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE, k, ct_tuple_rank(t), 0));
    return ct_tuple_part(t, s, ct_profile_cut(t.profile, s));
}

/**
 * The modes [first, last) of t, as a tuple.
 * Fails:   CT_E_ARGUMENT when the range is not within the modes of t.
 * Example: take((2,(3,4),5,6), 1, 3) == ((3,4),5)
 */
CT_FN ct_tuple ct_take(ct_tuple t, int first, int last)
{
    if (t.err.status) return t;
    const int rank = ct_tuple_rank(t);
    if (first < 0 || last < first || last > rank) {
        ct_error e = ct_make_error(CT_E_ARGUMENT, CT_OP_TAKE, CT_WHY_RANGE, 0, first, last);
        e.n[2] = rank;
        return ct_tuple_fail(e);
    }
    ct_tuple r = ct_tuple0();
    CT_FOR(k, rank)
    {
        if (k >= first && k < last) r = ct_append(r, ct_get(t, k));
    }
    return r;
}

/** How deep a path of modes goes, and so how deep a coordinate layout may nest. */
#define CT_MAX_DEPTH 4

/**
 * The unit basis elements of the leaves of t, nested as t is; an integer gives 1.
 * Fails:   CT_E_CAPACITY when t nests deeper than CT_MAX_DEPTH.
 * Example: basis_like((4,(2,3))) == (1@0,(1@0@1,1@1@1))
 */
CT_FN ct_tuple ct_basis_like(ct_tuple t)
{
    if (t.err.status) return t;
    if (ct_depth(t) > CT_MAX_DEPTH)
        return ct_tuple_fail(
            ct_make_error(CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_DEPTH, 0, ct_depth(t), CT_MAX_DEPTH));
    uint32_t path = 0;
    int level = 0;
    CT_FOR(i, t.profile.leaves)
    {
        for (int k = 0; k < t.profile.open[i]; ++k) path |= 1u << (8 * level++);
        t.value[i] = 1;
        t.basis[i] = level == 0 ? CT_INTEGER : path;
        for (int k = 0; k < t.profile.close[i]; ++k) path &= ~(0xffu << (8 * --level));
        if (level > 0) path += 1u << (8 * (level - 1));
    }
    return t;
}

/**
 * @internal The first leaf at which two tuples nest differently, or -1 where they are congruent.
 */
CT_FN int ct_profile_mismatch(ct_tuple a, ct_tuple b)
{
    return ct_profile_difference(a.profile, b.profile);
}

/**
 * Whether a and b have the same profile.
 * Example: congruent((2,(3,4)), (5,(6,7))) == 1
 * Example: congruent((2,3), (5,(6,7))) == 0
 */
CT_FN int ct_congruent(ct_tuple a, ct_tuple b) { return ct_profile_mismatch(a, b) < 0; }

/**
 * Whether a and b are the same: profile, values and bases.
 * In C:     assert(ct_tuple_equal(ct_tuple2(2, 3), ct_append(ct_tuple1(2), ct_int(3))));
 *           assert(!ct_tuple_equal(ct_tuple1(2), ct_int(2)));
 */
CT_FN int ct_tuple_equal(ct_tuple a, ct_tuple b)
{
    if (a.err.status || b.err.status || !ct_congruent(a, b)) return 0;
    int equal = 1;
    CT_FOR(i, a.profile.leaves)
    {
        if (a.value[i] != b.value[i] || a.basis[i] != b.basis[i]) equal = 0;
    }
    return equal;
}

/**
 * The product of all leaves: the number of coordinates of a shape. 1 for the empty tuple.
 * Fails:   CT_INVALID on overflow, or when t is failed or holds anything but integers.
 * Example: size(((2,3),4)) == 24
 */
CT_FN int64_t ct_product(ct_tuple t)
{
    if (t.err.status) return CT_INVALID;
    int ok = 1;
    int64_t p = 1;
    CT_FOR(i, t.profile.leaves)
    {
        if (t.basis[i] != CT_INTEGER) ok = 0;
        p = ct_mul(p, t.value[i], &ok);
    }
    return ok ? p : CT_INVALID;
}

#endif
