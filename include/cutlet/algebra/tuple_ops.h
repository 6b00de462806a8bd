/**
 * Operations on tuples: rearranging modes.
 * Fails:    a failed operand is the result.
 * Cost:     at most the square of the number of leaves, which is at most CT_MAX_LEAVES; no
 *           allocation.
 */
#ifndef CUTLET_ALGEBRA_TUPLE_OPS_H
#define CUTLET_ALGEBRA_TUPLE_OPS_H

#include <cutlet/algebra/tuple_parts.h>

/** @internal The failed tuple for two operands that do not nest alike. */
CT_FN ct_tuple ct_tuple_fail_profile(int32_t op, int at)
{
    return ct_tuple_fail(ct_make_error(CT_E_ARGUMENT, op, CT_WHY_PROFILE, at, 0, 0));
}

/**
 * The leaves of t in a tuple of depth 1; an integer stays an integer.
 * Example: flatten(((2,3),(4,(5)))) == (2,3,4,5)
 * Example: flatten(7) == 7
 */
CT_FN ct_tuple ct_flatten(ct_tuple t)
{
    if (t.err.status || ct_is_integer(t)) return t;
    t.profile = ct_profile_flat(t.profile.leaves);
    return t;
}

/**
 * The leaves of t nested as profile is.
 * Fails:   CT_E_ARGUMENT when the two have different numbers of leaves.
 * Example: unflatten((2,3,4), ((0,0),0)) == ((2,3),4)
 */
CT_FN ct_tuple ct_unflatten(ct_tuple t, ct_tuple profile)
{
    if (t.err.status) return t;
    if (profile.err.status) return profile;
    if (t.profile.leaves != profile.profile.leaves)
        return ct_tuple_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_UNFLATTEN, CT_WHY_COUNT, 0,
                                           t.profile.leaves, profile.profile.leaves));
    t.profile = profile.profile;
    return t;
}

/**
 * t with the modes [first, last) made into one mode.
 * Fails:   CT_E_ARGUMENT when the range is empty or not within the modes of t.
 * Example: group((2,3,4,5), 1, 3) == (2,(3,4),5)
 */
CT_FN ct_tuple ct_group(ct_tuple t, int first, int last)
{
    if (t.err.status) return t;
    const int rank = ct_tuple_rank(t);
    if (first < 0 || last <= first || last > rank) {
        ct_error e = ct_make_error(CT_E_ARGUMENT, CT_OP_GROUP, CT_WHY_RANGE, 0, first, last);
        e.n[2] = rank;
        return ct_tuple_fail(e);
    }
    const ct_tuple middle = ct_wrap(ct_take(t, first, last));
    return ct_concat(ct_concat(ct_take(t, 0, first), middle), ct_take(t, last, rank));
}

/**
 * t with mode k replaced by x.
 * Fails:   CT_E_ARGUMENT when t has no mode k; CT_E_CAPACITY.
 * Example: replace((2,3,4), 1, (5,6)) == (2,(5,6),4)
 */
CT_FN ct_tuple ct_replace(ct_tuple t, int k, ct_tuple x)
{
    if (t.err.status) return t;
    if (x.err.status) return x;
    const int rank = ct_tuple_rank(t);
    if (k < 0 || k >= rank)
        return ct_tuple_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_REPLACE, CT_WHY_MODE, k, rank, 0));
    if (ct_is_integer(t)) return x;
    return ct_concat(ct_append(ct_take(t, 0, k), x), ct_take(t, k + 1, rank));
}

/**
 * The modes of t that modes names, in that order.
 * Fails:   CT_E_ARGUMENT when t lacks one of them, or one is not an integer.
 * Example: select((2,(3,4),5), (2,1)) == (5,(3,4))
 */
CT_FN ct_tuple ct_select(ct_tuple t, ct_tuple modes)
{
    if (t.err.status) return t;
    if (modes.err.status) return modes;
    ct_tuple r = ct_tuple0();
    CT_FOR(i, modes.profile.leaves)
    {
        const int64_t k = modes.value[i];
        if (modes.basis[i] != CT_INTEGER && r.err.status == CT_OK)
            r = ct_tuple_fail(
                ct_make_error(CT_E_ARGUMENT, CT_OP_SELECT, CT_WHY_NOT_INTEGER, i, 0, 0));
        else if (k != CT_CAST(int, k) && r.err.status == CT_OK)
            r = ct_tuple_fail(
                ct_make_error(CT_E_ARGUMENT, CT_OP_SELECT, CT_WHY_INDEX, 0, k, ct_tuple_rank(t)));
        else r = ct_append(r, ct_get(t, CT_CAST(int, k)));
    }
    if (r.err.status) r.err.op = CT_OP_SELECT;
    return r;
}

/**
 * The modes of t in reverse order; how each of them nests stays. An integer stays.
 * Ensures: mode k of the result is mode rank(t) - 1 - k of t.   [law_reverse]
 * Example: reverse((2,(3,4),5)) == (5,(3,4),2)
 * Example: reverse(7) == 7
 * Source:  CuTe, tuple_algorithms.hpp.
 */
CT_FN ct_tuple ct_reverse(ct_tuple t)
{
    if (t.err.status || ct_is_integer(t)) return t;
    const int rank = ct_tuple_rank(t);
    ct_tuple r = ct_tuple0();
    CT_FOR(k, rank) r = ct_append(r, ct_get(t, rank - 1 - k));
    return r;
}

/** @internal Whether each leaf of a coordinate is an integer or `_`; otherwise the first basis
 *  element. */
CT_FN ct_error ct_coord_check(const ct_tuple *coord, int32_t op)
{
    ct_error e = CT_ZERO;
    CT_FOR(i, coord->profile.leaves)
    {
        if (coord->basis[i] != CT_INTEGER && coord->basis[i] != CT_ANY && e.status == CT_OK)
            e = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_COORD_BASIS, i, 0, 0);
    }
    return e;
}

/** @internal The modes of t opposite `_` (wanted 1) or an integer (wanted 0) of coord. */
CT_FN ct_tuple ct_slice_or_dice(ct_tuple t, ct_tuple coord, int wanted, int32_t op)
{
    if (t.err.status) return t;
    if (coord.err.status) return coord;
    const ct_error bad = ct_coord_check(&coord, op);
    if (bad.status) return ct_tuple_fail(bad);
    if (ct_is_integer(coord)) return (coord.basis[0] == CT_ANY) == wanted ? t : ct_tuple0();
    const ct_pairs p = ct_profile_pairs(coord.profile, t.profile);
    if (!p.ok || !p.a_integers)
        return ct_tuple_fail(
            ct_make_error(CT_E_ARGUMENT, op, CT_WHY_COORD_PROFILE, p.nested_at, 0, 0));
    ct_tuple r = ct_tuple0();
    CT_FOR(i, p.count)
    {
        if ((coord.basis[i] == CT_ANY) == wanted) r = ct_append(r, ct_tuple_pair_b(t, p, i));
    }
    return r;
}

/**
 * The modes of t opposite a `_` of coord. Expressions write the coordinate first, as
 * CuTe does; in C the object that is sliced comes first.
 * Fails:   CT_E_ARGUMENT when coord does not fit t.
 * Example: slice((_,(1,_)), (2,(3,4))) == (2,4)
 */
CT_FN ct_tuple ct_slice(ct_tuple t, ct_tuple coord)
{
    return ct_slice_or_dice(t, coord, 1, CT_OP_SLICE);
}

/**
 * The modes of t opposite an integer of coord.
 * Fails:   CT_E_ARGUMENT when coord does not fit t.
 * Example: dice((_,(1,_)), (2,(3,4))) == (3)
 */
CT_FN ct_tuple ct_dice(ct_tuple t, ct_tuple coord)
{
    return ct_slice_or_dice(t, coord, 0, CT_OP_DICE);
}

#endif
