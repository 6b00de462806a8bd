/**
 * Shapes: comparing and dividing them mode by mode, and whether a layout may have one.
 * Cost:     at most the square of the number of leaves, which is at most CT_MAX_LEAVES; no
 *           allocation.
 */
#ifndef CUTLET_ALGEBRA_SHAPE_OPS_H
#define CUTLET_ALGEBRA_SHAPE_OPS_H

#include <cutlet/algebra/tuple_ops.h>

/**
 * Whether b nests as a does or deeper: each integer of a is opposite an integer or a tuple of b.
 * Example: weakly_congruent((2,3), (5,(6,7))) == 1
 * Example: weakly_congruent((5,(6,7)), (2,3)) == 0
 */
CT_FN int ct_weakly_congruent(ct_tuple a, ct_tuple b)
{
    const ct_pairs p = ct_profile_pairs(a.profile, b.profile);
    return p.ok && p.a_integers;
}

/**
 * Whether every coordinate of the shape a is also one of b: a is weakly congruent to b, and each
 * integer of a is the size of the mode opposite.
 * Example: compatible((4,6), ((2,2),6)) == 1
 * Example: compatible(24, ((2,2),6)) == 1
 * Example: compatible((6,4), ((2,2),6)) == 0
 */
CT_FN int ct_compatible(ct_tuple a, ct_tuple b)
{
    if (a.err.status || b.err.status || !ct_weakly_congruent(a, b)) return 0;
    const ct_pairs p = ct_profile_pairs(a.profile, b.profile);
    int yes = 1;
    CT_FOR(i, p.count)
    {
        if (ct_product(ct_tuple_pair_b(b, p, i)) != a.value[i]) yes = 0;
    }
    return yes;
}

/** @internal The integer quotient that ceil_div and shape_div share. */
CT_FN int64_t ct_divide_int(int64_t a, int64_t b, int exact, ct_error *err, int leaf)
{
    const int32_t op = exact ? CT_OP_SHAPE_DIV : CT_OP_CEIL_DIV;
    if (err->status) return 1;
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

/** @internal b with modes 1 appended, at every level, where a has more of them. */
CT_FN ct_tuple ct_pad_ones(ct_tuple b, ct_tuple a)
{
    ct_tuple r = ct_tuple0();
    int i = 0, j = 0;
    if (b.profile.leaves == 0 && a.profile.leaves > 0) {
        CT_FOR(k, ct_tuple_rank(a)) r = ct_append(r, ct_int(1));
        return r;
    }
    while (i < a.profile.leaves && j < b.profile.leaves) {
        const int both = CT_CAST(int, ct_min(a.profile.open[i], b.profile.open[j]));
        int have = 0, need = 0;
        ct_span s = CT_ZERO;
        s.first = j;
        s.count = ct_profile_run(b.profile, j, b.profile.open[j] - both, &need);
        i += ct_profile_run(a.profile, i, a.profile.open[i] - both, &have);
        j += s.count;
        const ct_tuple mode = ct_tuple_part(b, s, ct_profile_part(b.profile, s, both, need));
        r = ct_tuple_push(r, mode, both, have);
        while (have < need && i < a.profile.leaves) { /* b's tuple ends before a's does */
            int more = 0;
            i += ct_profile_run(a.profile, i, a.profile.open[i], &more);
            r = ct_tuple_push(r, ct_int(1), 0, more);
            have += more;
        }
        if (have != need) return b;
    }
    return i == a.profile.leaves && j == b.profile.leaves ? r : b;
}

/** @internal What is wrong with t where its leaves must be integers. */
CT_FN ct_error ct_integers_check(const ct_tuple *t, int32_t op)
{
    ct_error e = t->err;
    CT_FOR(i, t->profile.leaves)
    {
        if (e.status == CT_OK && t->basis[i] != CT_INTEGER)
            e = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_NOT_INTEGER, i, 0, 0);
    }
    return e;
}

/** @internal a divided by b, mode by mode; see ct_shape_div and ct_ceil_div. */
CT_FN ct_tuple ct_divide_shape(ct_tuple a, ct_tuple b, int exact)
{
    const int32_t op = exact ? CT_OP_SHAPE_DIV : CT_OP_CEIL_DIV;
    if (a.err.status) return a;
    if (b.err.status) return b;
    if (!exact) b = ct_pad_ones(b, a);
    const ct_pairs p = ct_profile_pairs(a.profile, b.profile);
    if (!p.ok) return ct_tuple_fail_profile(op, p.at);
    ct_error err = ct_integers_check(&a, op);
    if (err.status == CT_OK) err = ct_integers_check(&b, op);
    CT_FOR(i, p.count)
    {
        int64_t by = ct_product(ct_tuple_pair_b(b, p, i));
        if (by == CT_INVALID && err.status == CT_OK)
            err = ct_make_error(CT_E_OVERFLOW, op, CT_WHY_OVERFLOW, i, 0, 0);
        CT_FOR(k, a.profile.leaves)
        {
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
 * a / b rounded up, mode by mode. An integer b is divided through the modes of a from the left;
 * modes that b lacks divide by 1.
 * Fails:   CT_E_ARGUMENT when the two do not fit or an integer is below 1.
 * Example: ceil_div((10,7), (4,2)) == (3,4)
 * Example: ceil_div((6,8), 12) == (1,4)
 */
CT_FN ct_tuple ct_ceil_div(ct_tuple a, ct_tuple b) { return ct_divide_shape(a, b, 0); }

/**
 * a / b, mode by mode; one of two integers must divide the other. An integer b is divided through
 * the modes of a from the left.
 * Fails:   CT_E_ARGUMENT when the two do not fit, an integer is below 1, or neither divides.
 * Example: shape_div((4,5,6), 40) == (1,1,3)
 * Example: shape_div((3,4), 2) == error
 */
CT_FN ct_tuple ct_shape_div(ct_tuple a, ct_tuple b) { return ct_divide_shape(a, b, 1); }

/** @internal Whether a tile of `by` divides a shape of at least 1 without a remainder, mode after
 *  mode. */
CT_FN int ct_evenly_divides_by(ct_tuple shape, int64_t by)
{
    const int64_t size = ct_product(shape);
    return by >= 1 && size >= 1 && size % by == 0 &&
           ct_product(ct_ceil_div(shape, ct_int(by))) == size / by;
}

/**
 * Whether the tile shape b divides the shape a without a remainder, mode by mode; modes that b
 * lacks are left alone. Where b has a tuple of one integer, a may have an integer.
 * Example: evenly_divides((8,6), (4,3)) == 1
 * Example: evenly_divides((8,6), (4,4)) == 0
 */
CT_FN int ct_evenly_divides(ct_tuple a, ct_tuple b)
{
    if (a.err.status || b.err.status) return 0;
    if (ct_is_integer(b)) return ct_evenly_divides_by(a, b.value[0]);
    b = ct_pad_ones(b, a);
    const ct_pairs p = ct_profile_pairs(a.profile, b.profile);
    if (!p.ok) return 0;
    int yes = 1;
    CT_FOR(i, p.count)
    {
        if (p.b[i + 1] - p.b[i] != 1) yes = 0; /* b nests where a does not */
        else if (!ct_evenly_divides_by(ct_tuple_pair_a(a, p, i), b.value[p.b[i]])) yes = 0;
    }
    return yes;
}

/** @internal Whether the shape holds integers of at least 1 whose product fits; otherwise why
 *  not. */
CT_FN ct_error ct_shape_check(ct_tuple shape, int32_t op)
{
    ct_error e = ct_integers_check(&shape, op);
    CT_FOR(i, shape.profile.leaves)
    {
        if (e.status == CT_OK && shape.value[i] < 1)
            e = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_SHAPE, i, shape.value[i], 0);
    }
    if (e.status == CT_OK && ct_product(shape) == CT_INVALID)
        e = ct_make_error(CT_E_OVERFLOW, op, CT_WHY_OVERFLOW, shape.profile.leaves - 1, 0, 0);
    return e;
}

#endif
