/**
 * A tensor without its pointer: an offset and a layout, what a slice of a layout is.
 */
#ifndef CUTLET_TENSOR_H
#define CUTLET_TENSOR_H

#include "coord.h"
#include "layout_ops.h"

/** `offset@layout`: elements from the base, or, of a coordinate layout, a coordinate. The error of a
 *  failed tensor is layout.err. */
typedef struct ct_tensor {
    ct_tuple offset;
    ct_layout layout;
} ct_tensor;

/** The failed tensor that carries e. */
CT_FN ct_tensor ct_tensor_fail(ct_error e)
{
    ct_tensor t = CT_ZERO;
    t.offset.err = e;
    t.layout.err = e;
    return t;
}

/** The tensor that begins at the base: 0@L. */
CT_FN ct_tensor ct_make_tensor(ct_layout L)
{
    ct_tensor t = CT_ZERO;
    t.offset = ct_int(0);
    t.layout = L;
    return t;
}

/**
 * a + b: two integers, or two coordinates mode by mode, where modes that one of them lacks count as 0;
 * an integer 0 adds to anything.
 * Fails:    CT_E_ARGUMENT for an integer and a coordinate; CT_E_OVERFLOW.
 */
CT_FN ct_tuple ct_offset_add(ct_tuple a, ct_tuple b)
{
    if (a.err.status) return a;
    if (b.err.status) return b;
    if (ct_is_integer(a) && a.value[0] == 0) return b;
    if (ct_is_integer(b) && b.value[0] == 0) return a;
    int ok = 1;
    if (ct_is_integer(a) && ct_is_integer(b)) {
        a.value[0] = ct_add(a.value[0], b.value[0], &ok);
    } else {
        const ct_tuple paths_a = ct_basis_like(a), paths_b = ct_basis_like(b);
        if (ct_is_integer(a) || ct_is_integer(b) || paths_a.err.status || paths_b.err.status)
            return ct_tuple_fail(
                ct_make_error(CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_BASIS_MIXED, 0, 0, 0));
        if (a.profile.leaves + b.profile.leaves > CT_MAX_LEAVES && !ct_congruent(a, b))
            return ct_tuple_fail(ct_make_error(CT_E_CAPACITY, CT_OP_SLICE, CT_WHY_LEAVES, 0,
                                               a.profile.leaves + b.profile.leaves, CT_MAX_LEAVES));
        ct_terms sum = CT_ZERO;
        CT_FOR(i, a.profile.leaves) sum = ct_terms_add(sum, paths_a.basis[i], a.value[i], &ok);
        CT_FOR(i, b.profile.leaves) sum = ct_terms_add(sum, paths_b.basis[i], b.value[i], &ok);
        a = ct_terms_coordinate(sum);
    }
    return ok ? a : ct_tuple_fail(ct_make_error(CT_E_OVERFLOW, CT_OP_SLICE, CT_WHY_OVERFLOW, 0, 0, 0));
}

/**
 * The part of a tensor at the integers of coord, over the modes at its `_`.
 *
 * Ensures:  R(c) = T(coord with c in the places of `_`).   [law_slice]
 * Fails:    CT_E_DOMAIN when an integer lies outside its mode; CT_E_ARGUMENT when coord does not fit.
 * Example:  slice_and_offset((2,_), (4,8):(8,1)) == 16@(8):(1)
 * Example:  slice_and_offset((2), slice_and_offset((_,3), (8,8):(1@0,1@1))) == (2,3)@():()
 */
CT_FN ct_tensor ct_tensor_slice(ct_tensor t, ct_tuple coord)
{
    if (t.layout.err.status) return t;
    ct_tensor r = CT_ZERO;
    r.offset = ct_offset_add(t.offset, ct_at(t.layout, coord));
    if (r.offset.err.status) return ct_tensor_fail(r.offset.err);
    r.layout = ct_layout_slice(coord, t.layout);
    return r.layout.err.status ? ct_tensor_fail(r.layout.err) : r;
}

/** A tuple of n `_`: `_` itself for n = 1. */
CT_FN ct_tuple ct_repeat_any(int n)
{
    ct_tuple t = ct_any();
    if (n == 1) return t;
    t.profile = ct_profile_flat(n);
    CT_FOR(i, n) t.basis[i] = CT_ANY;
    return t;
}

/** coord with `_` appended up to the given rank, where it is a tuple. */
CT_FN ct_tuple ct_pad_any(ct_tuple coord, int rank)
{
    if (ct_is_integer(coord)) return coord;
    const int have = ct_rank(coord);
    CT_FOR(i, rank) {
        if (i >= have) coord = ct_append(coord, ct_any());
    }
    return coord;
}

#endif
