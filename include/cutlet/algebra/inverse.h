/**
 * Inverses and the nullspace.
 */
#ifndef CUTLET_ALGEBRA_INVERSE_H
#define CUTLET_ALGEBRA_INVERSE_H

#include <cutlet/algebra/complement.h>
#include <cutlet/algebra/coshape.h>
#include <cutlet/algebra/inverse_trial.h>

/** The coalesced leaves of L in ascending order of stride: sorted.shape and sorted.stride of L.
 * `unit` has the index of each leaf's unit step in L. */
typedef struct ct_sorted {
    ct_layout leaves;
    int64_t unit[CT_MAX_LEAVES];
} ct_sorted;

/**
 * @internal The leaves of L in ascending order of their strides.
 */
CT_FN ct_sorted ct_sort_leaves(const ct_layout *L)
{
    ct_sorted s = CT_ZERO;
    ct_push_coalesced(&s.leaves, ct_whole(L), 0);
    ct_layout_close_mode(&s.leaves, 0, 0, 0);
    int64_t run = 1;
    CT_FOR(i, s.leaves.profile.leaves)
    {
        s.unit[i] = run;
        run *= s.leaves.shape[i];
    }
    for (int i = 1; i < s.leaves.profile.leaves; ++i) { /* insertion sort, stable */
        for (int k = i; k > 0 && s.leaves.stride[k - 1] > s.leaves.stride[k]; --k) {
            const int64_t shape = s.leaves.shape[k], stride = s.leaves.stride[k], unit = s.unit[k];
            s.leaves.shape[k] = s.leaves.shape[k - 1];
            s.leaves.stride[k] = s.leaves.stride[k - 1];
            s.unit[k] = s.unit[k - 1];
            s.leaves.shape[k - 1] = shape;
            s.leaves.stride[k - 1] = stride;
            s.unit[k - 1] = unit;
        }
    }
    return s;
}

/** @internal Makes the empty layout r the right inverse of L by integer strides; see
 *  ct_right_inverse. */
CT_FN void ct_right_inverse_of(ct_layout *r, const ct_layout *L)
{
    r->err = ct_integral_check(L, CT_OP_RIGHT_INVERSE);
    if (r->err.status) return;
    const ct_sorted s = ct_sort_leaves(L);
    int64_t next = 1; /* the offset up to which r reaches */
    CT_FOR(i, s.leaves.profile.leaves)
    {
        if (s.leaves.stride[i] == next && s.leaves.shape[i] > 1) {
            ct_layout_push_leaf(r, s.leaves.shape[i], s.unit[i], CT_INTEGER);
            next *= s.leaves.shape[i];
        }
    }
    ct_close_flat(r); /* leaves that run on into each other were one leaf of L, coalesced */
}

/** @internal The first leaf of L that moves by steps of d; the last leaf if none does. */
CT_FN int ct_leaf_of_stride(const ct_layout *L, int64_t d)
{
    int leaf = 0;
    while (leaf + 1 < L->profile.leaves && (L->stride[leaf] != d || L->shape[leaf] == 1)) ++leaf;
    return leaf;
}

/** @internal Makes the empty layout r the left inverse of L for integer strides that nest. In
 * ascending order each is a multiple of the previous one, and at least the extent of its mode. */
CT_FN void ct_left_inverse_of(ct_layout *r, const ct_layout *L)
{
    r->err = ct_integral_check(L, CT_OP_LEFT_INVERSE);
    if (r->err.status) return;
    const ct_sorted s = ct_sort_leaves(L);
    int64_t below = 1, unit = 0; /* the last stride, and the index of its step */
    int64_t extent = 1, shape = 1;
    int ok = 1; /* an extent past 64 bits is that of the last mode, or overlaps: layouts fit */
    CT_FOR(i, s.leaves.profile.leaves)
    {
        const int64_t d = s.leaves.stride[i];
        const int overlaps = d < extent || !ok;
        if (d != 0 && (overlaps || d % below != 0)) {
            r->err = ct_make_error(CT_E_NO_LAYOUT, CT_OP_LEFT_INVERSE,
                                   overlaps ? CT_WHY_OVERLAP : CT_WHY_GAP, 0, d,
                                   overlaps ? extent : below);
            if (d < 0)
                r->err = ct_make_error(CT_E_ARGUMENT, CT_OP_LEFT_INVERSE, CT_WHY_NEGATIVE_STRIDE,
                                       ct_leaf_of_stride(L, d), d, 0);
            return;
        }
        if (d != 0) {
            if (d > below) ct_layout_push_leaf(r, d / below, unit, CT_INTEGER);
            below = d;
            unit = s.unit[i];
            shape = s.leaves.shape[i];
            extent = ct_mul(d, shape, &ok);
        }
    }
    if (unit == 0) shape = ct_size(s.leaves); /* strides 0 alone: each offset and its index are 0 */
    ct_layout_push_leaf(r, shape, unit, CT_INTEGER);
    *r = ct_checked(ct_coalesce_flat(r, 0), CT_OP_LEFT_INVERSE);
}

/** @internal Makes the empty layout r the left inverse of L by integer strides; see ct_left_inverse.
 *  For strides that do not nest shapes are tried, if L is a layout, so that its offsets fit. If no
 *  layout is found, the error is that of their nesting. */
CT_FN void ct_left_inverse_any(ct_layout *r, const ct_layout *L)
{
    ct_left_inverse_of(r, L);
    if (r->err.status != CT_E_NO_LAYOUT || ct_layout_check(L, CT_OP_LEFT_INVERSE).status) return;
    const ct_error why = r->err;
    const ct_sorted s = ct_sort_leaves(L);
    const ct_points p = ct_points_of(&s.leaves, s.unit);
    ct_layout_clear(r);
    const int found = ct_points_meet(&p) ? 0 : ct_find_inverse(r, &p);
    if (found == 1) {
        ct_close_flat(r);
        r->err = ct_layout_check(r, CT_OP_LEFT_INVERSE);
        return;
    }
    ct_layout_clear(r);
    r->err = why;
    if (found == -1)
        r->err = ct_make_error(CT_E_UNDECIDED, CT_OP_LEFT_INVERSE, CT_WHY_PROOF, 0, p.size,
                               CT_MAX_PROOF);
    if (found == -2)
        r->err = ct_make_error(CT_E_OVERFLOW, CT_OP_LEFT_INVERSE, CT_WHY_OVERFLOW, 0, 0, 0);
}

/** @internal Makes the empty layout r the inverse, right or left, of a coordinate layout: its mode
 * m is the inverse of L along mode m of the coordinates. */
CT_FN void ct_inverse_along(ct_layout *r, const ct_layout *L, int left)
{
    const int32_t op = left ? CT_OP_LEFT_INVERSE : CT_OP_RIGHT_INVERSE;
    r->err = ct_sums_check(L, op);
    if (r->err.status) return;
    const ct_tuple modes = ct_coshape(*L), path = ct_basis_like(modes);
    r->err = path.err;
    ct_layout piece = CT_ZERO;
    CT_FOR(m, modes.profile.leaves)
    {
        const ct_layout one = ct_along(L, path.basis[m]);
        ct_layout_clear(&piece);
        if (!ct_moves(&one)) ct_layout_push_leaf(&piece, 1, 0, CT_INTEGER);
        else if (left) ct_left_inverse_any(&piece, &one);
        else ct_right_inverse_of(&piece, &one);
        piece.err = ct_error_along(piece.err, m);
        ct_push_part(r, ct_whole(&piece), modes.profile.open[m], modes.profile.close[m]);
    }
    if (r->err.status == CT_OK) r->err = ct_layout_check(r, op);
    else if (r->err.op == CT_OP_COSHAPE) r->err.op = op;
}

/**
 * The right inverse of L: a layout R, built from whole modes of L, with L(R(i)) = i. It is the
 * largest one if L reaches no offset twice. That of a coordinate layout takes coordinates: mode m
 * of R is the right inverse along mode m of the coordinates.
 *
 * Ensures:  L(R(i)) = i for 0 <= i < size(R), for basis strides i being a coordinate of
 *           R.   [law_right_inverse] [law_inverse_along]
 * Fails:    CT_E_ARGUMENT when integer and basis strides, or bases of different levels, meet, and for
 *           a stride that is a sum of bases.
 * Cost:     O(leaves^2), for basis strides O(leaves^3).
 * Example:  right_inverse((4,8):(8,1)) == (8,4):(4,1)
 * Example:  right_inverse((2,3):(1,5)) == 2:1
 * Example:  right_inverse((4,8):(1@1,1@0)) == (8,4):(4,1)
 * Example:  right_inverse((2,3,4):(1@0,1@1,2@0)) == ((2,4),3):((1,6),2)
 * Source:   CUTLASS docs, 02_layout_algebra.
 */
CT_FN ct_layout ct_right_inverse(ct_layout L)
{
    ct_layout r = CT_ZERO;
    if (ct_is_integral(L)) ct_right_inverse_of(&r, &L);
    else ct_inverse_along(&r, &L, 0);
    return r;
}

/**
 * The left inverse of L: a layout R that takes an offset of L back to its index. Where L has modes
 * of stride 0, it takes it back to the first index of that offset. Strides that nest have the inverse
 * that CuTe gives, each size of which is a stride divided by the next smaller one. Otherwise R is
 * the first layout with the fewest leaves that maps the offsets back, in the order of its sizes.
 * That of a coordinate layout takes coordinates: mode m of R is the left inverse along mode m of
 * the coordinates.
 *
 * Ensures:  R(L(i)) = i for 0 <= i < size(L) where L has no mode of stride 0; L(R(L(i))) = L(i)
 *           always.   [law_left_inverse] [law_inverse_along]
 * Fails:    CT_E_NO_LAYOUT when no layout of CT_MAX_LEAVES leaves takes the offsets back, so where two
 *           indices share one otherwise than by a stride of 0; CT_E_UNDECIDED where the trial takes
 *           more than CT_MAX_PROOF comparisons; CT_E_ARGUMENT for negative strides, where integer and
 *           basis strides, or bases of different levels, meet, and for a stride that is a sum of bases;
 *           CT_E_OVERFLOW.
 * Cost:     O(leaves^2), for basis strides O(leaves^3); where strides do not nest, up to CT_MAX_PROOF
 *           comparisons more.
 * Example:  left_inverse((4,8):(8,1)) == (8,4):(4,1)
 * Example:  left_inverse((2,3):(1,6)) == (6,3):(1,2)
 * Example:  left_inverse(4:0) == 4:0
 * Example:  left_inverse((2,4,3):(1@0,3@1,2@0)) == ((2,3),(3,4)):((1,8),(0,2))
 * Example:  left_inverse((2,2):(2,3)) == (2,3):(1,1)
 * Example:  left_inverse((2,3):(2,5)) == (2,4,2):(0,1,3)
 * Example:  left_inverse((4,2):(2,4)) == error
 * Source:   CUTLASS docs, 02_layout_algebra.
 */
CT_FN ct_layout ct_left_inverse(ct_layout L)
{
    ct_layout r = CT_ZERO;
    if (ct_is_integral(L)) ct_left_inverse_any(&r, &L);
    else ct_inverse_along(&r, &L, 1);
    return r;
}

/**
 * The nullspace of L: the layout of the indices that its modes of stride 0 reach.
 *
 * Ensures:  L(R(i)) = 0 for 0 <= i < size(R); size(R) is the product of the modes of
 *           stride 0.   [law_nullspace]
 * Fails:    a failed operand is the result; it never fails otherwise.
 * Cost:     O(leaves).
 * Example:  nullspace((2,3,4):(1,0,2)) == 3:2
 * Example:  nullspace((2,3):(1,2)) == 1:0
 */
CT_FN ct_layout ct_nullspace(ct_layout L)
{
    if (L.err.status) return L;
    ct_layout r = CT_ZERO;
    int64_t run = 1;
    CT_FOR(i, L.profile.leaves)
    {
        if (L.stride[i] == 0)
            ct_layout_push_leaf(&r, L.shape[i], L.shape[i] == 1 ? 0 : run, CT_INTEGER);
        run *= L.shape[i];
    }
    if (r.profile.leaves == 0) ct_layout_push_leaf(&r, 1, 0, CT_INTEGER);
    ct_layout_close_mode(&r, 0, 0, 0);
    return r;
}

#endif
