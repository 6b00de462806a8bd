/**
 * Operations on tuples: rearranging modes, and comparing and dividing shapes.
 */
#ifndef CUTLET_TUPLE_OPS_H
#define CUTLET_TUPLE_OPS_H

#include "tuple.h"

/** The failed tuple for two operands that do not nest alike. */
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
    const int rank = ct_rank(t);
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
    const int rank = ct_rank(t);
    if (k < 0 || k >= rank)
        return ct_tuple_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_REPLACE, CT_WHY_MODE, k, rank, 0));
    if (ct_is_integer(t)) return x;
    return ct_concat(ct_append(ct_take(t, 0, k), x), ct_take(t, k + 1, rank));
}

/**
 * The modes of t that modes names, in that order.
 * Fails:   CT_E_ARGUMENT when t lacks one of them.
 * Example: select((2,(3,4),5), (2,1)) == (5,(3,4))
 */
CT_FN ct_tuple ct_select(ct_tuple t, ct_tuple modes)
{
    if (t.err.status) return t;
    if (modes.err.status) return modes;
    ct_tuple r = ct_tuple0();
    CT_FOR(i, modes.profile.leaves) r = ct_append(r, ct_get(t, (int)modes.value[i]));
    if (r.err.status) r.err.op = CT_OP_SELECT;
    return r;
}

/** The modes of t that stand opposite `_` (wanted 1) or an integer (wanted 0) of coord. */
CT_FN ct_tuple ct_slice_or_dice(ct_tuple coord, ct_tuple t, int wanted, int32_t op)
{
    if (coord.err.status) return coord;
    if (t.err.status) return t;
    if (ct_is_integer(coord)) return (coord.basis[0] == CT_ANY) == wanted ? t : ct_tuple0();
    const ct_pairs p = ct_profile_pairs(coord.profile, t.profile);
    if (!p.ok) return ct_tuple_fail(ct_make_error(CT_E_ARGUMENT, op, CT_WHY_COORD_PROFILE, p.at, 0, 0));
    ct_tuple r = ct_tuple0();
    CT_FOR(i, p.count) {
        if (p.a[i + 1] - p.a[i] != 1)
            r = ct_tuple_fail(ct_make_error(CT_E_ARGUMENT, op, CT_WHY_COORD_PROFILE, p.at, 0, 0));
        else if ((coord.basis[p.a[i]] == CT_ANY) == wanted)
            r = ct_append(r, ct_tuple_pair_b(t, p, i));
    }
    return r;
}

/**
 * The modes of t that stand opposite a `_` of coord.
 * Fails:   CT_E_ARGUMENT when coord does not fit t.
 * Example: slice((_,(1,_)), (2,(3,4))) == (2,4)
 */
CT_FN ct_tuple ct_slice(ct_tuple coord, ct_tuple t)
{
    return ct_slice_or_dice(coord, t, 1, CT_OP_SLICE);
}

/**
 * The modes of t that stand opposite an integer of coord.
 * Fails:   CT_E_ARGUMENT when coord does not fit t.
 * Example: dice((_,(1,_)), (2,(3,4))) == (3)
 */
CT_FN ct_tuple ct_dice(ct_tuple coord, ct_tuple t)
{
    return ct_slice_or_dice(coord, t, 0, CT_OP_DICE);
}

/**
 * Whether b nests as a does or deeper: each integer of a stands opposite an integer or a tuple of b.
 * Example: weakly_congruent((2,3), (5,(6,7))) == 1
 * Example: weakly_congruent((5,(6,7)), (2,3)) == 0
 */
CT_FN int ct_weakly_congruent(ct_tuple a, ct_tuple b)
{
    const ct_pairs p = ct_profile_pairs(a.profile, b.profile);
    return p.ok && p.count == a.profile.leaves;
}

/**
 * Whether every coordinate of the shape a is also one of b: a is weakly congruent to b, and each
 * integer of a is the size of what stands opposite.
 * Example: compatible((4,6), ((2,2),6)) == 1
 * Example: compatible(24, ((2,2),6)) == 1
 * Example: compatible((6,4), ((2,2),6)) == 0
 */
CT_FN int ct_compatible(ct_tuple a, ct_tuple b)
{
    if (a.err.status || b.err.status || !ct_weakly_congruent(a, b)) return 0;
    const ct_pairs p = ct_profile_pairs(a.profile, b.profile);
    int yes = 1;
    CT_FOR(i, p.count) {
        if (ct_product(ct_tuple_pair_b(b, p, i)) != a.value[i]) yes = 0;
    }
    return yes;
}

/** The integer quotient that ceil_div and shape_div share. */
CT_FN int64_t ct_divide_int(int64_t a, int64_t b, int exact, ct_error *err, int leaf)
{
    const int32_t op = exact ? CT_OP_SHAPE_DIV : CT_OP_CEIL_DIV;
    if (a < 1 || b < 1) {
        *err = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_NOT_POSITIVE, leaf, a < b ? a : b, 0);
        return 1;
    }
    if (exact && a % b != 0 && b % a != 0) {
        *err = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_DIVIDE, leaf, a, b);
        return 1;
    }
    return ct_ceil_div_int(a, b);
}

/** a divided by b, mode by mode; see ct_shape_div and ct_ceil_div. */
CT_FN ct_tuple ct_divide_shape(ct_tuple a, ct_tuple b, int exact)
{
    const int32_t op = exact ? CT_OP_SHAPE_DIV : CT_OP_CEIL_DIV;
    if (a.err.status) return a;
    if (b.err.status) return b;
    if (!exact && !ct_is_integer(a) && !ct_is_integer(b)) { /* missing modes of b are 1 */
        const int missing = ct_rank(a) - ct_rank(b);
        CT_FOR(i, missing) b = ct_append(b, ct_int(1));
    }
    const ct_pairs p = ct_profile_pairs(a.profile, b.profile);
    if (!p.ok) return ct_tuple_fail_profile(op, p.at);
    ct_error err = CT_ZERO;
    CT_FOR(i, p.count) {
        int64_t by = ct_product(ct_tuple_pair_b(b, p, i));
        CT_FOR(k, a.profile.leaves) {
            if (k >= p.a[i] && k < p.a[i + 1]) {
                const int64_t s = a.value[k];
                a.value[k] = ct_divide_int(s, by, exact, &err, k);
                if (k + 1 < p.a[i + 1]) by = ct_divide_int(by, s, exact, &err, k);
            }
        }
    }
    return err.status ? ct_tuple_fail(err) : a;
}

/**
 * a / b rounded up, mode by mode; an integer b is divided through the modes of a from the left,
 * and modes that b lacks divide by 1.
 * Fails:   CT_E_ARGUMENT when the two do not fit or an integer is below 1.
 * Example: ceil_div((10,7), (4,2)) == (3,4)
 * Example: ceil_div((6,8), 12) == (1,4)
 */
CT_FN ct_tuple ct_ceil_div(ct_tuple a, ct_tuple b) { return ct_divide_shape(a, b, 0); }

/**
 * a / b, mode by mode, where of two integers one must divide the other; an integer b is divided
 * through the modes of a from the left.
 * Fails:   CT_E_ARGUMENT when the two do not fit, an integer is below 1, or neither divides.
 * Example: shape_div((4,5,6), 40) == (1,1,3)
 * Example: shape_div((3,4), 2) == error
 */
CT_FN ct_tuple ct_shape_div(ct_tuple a, ct_tuple b) { return ct_divide_shape(a, b, 1); }

/**
 * Each mode of t as its product; an integer becomes a tuple of one.
 * Example: product_each(((2,3),4)) == (6,4)
 */
CT_FN ct_tuple ct_product_each(ct_tuple t)
{
    if (t.err.status) return t;
    ct_tuple r = ct_tuple0();
    CT_FOR(k, ct_rank(t)) {
        const int64_t p = ct_product(ct_get(t, k));
        if (p == CT_INVALID)
            return ct_tuple_fail(ct_make_error(CT_E_OVERFLOW, CT_OP_TUPLE, CT_WHY_OVERFLOW, k, 0, 0));
        r = ct_append(r, ct_int(p));
    }
    return r;
}

/**
 * The product of what stands opposite each integer of guide.
 * Fails:   CT_E_ARGUMENT when guide is not weakly congruent to t; CT_E_OVERFLOW.
 * Example: product_like(((2,3),4), (0,0)) == (6,4)
 */
CT_FN ct_tuple ct_product_like(ct_tuple t, ct_tuple guide)
{
    if (t.err.status) return t;
    if (guide.err.status) return guide;
    if (!ct_weakly_congruent(guide, t)) return ct_tuple_fail_profile(CT_OP_TUPLE, 0);
    const ct_pairs p = ct_profile_pairs(guide.profile, t.profile);
    CT_FOR(i, p.count) {
        guide.value[i] = ct_product(ct_tuple_pair_b(t, p, i));
        guide.basis[i] = CT_INTEGER;
        if (guide.value[i] == CT_INVALID)
            return ct_tuple_fail(ct_make_error(CT_E_OVERFLOW, CT_OP_TUPLE, CT_WHY_OVERFLOW, i, 0, 0));
    }
    return guide;
}

/**
 * Whether the tile shape b divides the shape a without a remainder, mode by mode; modes that b lacks
 * are left alone.
 * Example: evenly_divides((8,6), (4,3)) == 1
 * Example: evenly_divides((8,6), (4,4)) == 0
 */
CT_FN int ct_evenly_divides(ct_tuple a, ct_tuple b)
{
    if (a.err.status || b.err.status) return 0;
    if (ct_is_integer(b)) {
        const int64_t size = ct_product(a);
        return b.value[0] >= 1 && size != CT_INVALID && size % b.value[0] == 0 &&
               ct_product(ct_ceil_div(a, b)) * b.value[0] == size;
    }
    if (ct_rank(b) > ct_rank(a) || ct_is_integer(a)) return 0;
    const ct_tuple first = ct_take(a, 0, ct_rank(b));
    const ct_pairs p = ct_profile_pairs(first.profile, b.profile);
    if (!p.ok) return 0;
    int yes = 1;
    CT_FOR(i, p.count) {
        const int64_t by = ct_product(ct_tuple_pair_b(b, p, i));
        const ct_tuple part = ct_tuple_pair_a(first, p, i);
        const int64_t size = ct_product(part);
        if (by < 1 || size % by != 0 || ct_product(ct_ceil_div(part, ct_int(by))) * by != size) yes = 0;
    }
    return yes;
}

/**
 * Whether every integer of a is less than the one of b in its place: "is this coordinate inside?".
 * False where the two are not congruent.
 * Example: elem_less((1,(2,3)), (2,(3,4))) == 1
 * Example: elem_less((1,(2,4)), (2,(3,4))) == 0
 */
CT_FN int ct_elem_less(ct_tuple a, ct_tuple b)
{
    if (a.err.status || b.err.status || !ct_congruent(a, b)) return 0;
    int yes = 1;
    CT_FOR(i, a.profile.leaves) {
        if (a.value[i] >= b.value[i]) yes = 0;
    }
    return yes;
}

#endif
