/**
 * Tensors without their pointer: a layout, where it begins, and a swizzle of the sum. What a slice,
 * a tile or a partition of a layout is.
 *
 * Cost:     O(leaves), no allocation, host and device.
 */
#ifndef CUTLET_ALGEBRA_TENSOR_H
#define CUTLET_ALGEBRA_TENSOR_H

#include <cutlet/algebra/coord.h>
#include <cutlet/algebra/layout_ops.h>
#include <cutlet/algebra/size.h>
#include <cutlet/algebra/swizzle.h>

/**
 * The function c -> swizzle(offset + layout(c)): elements from the base, or, of a coordinate
 * layout, a coordinate, which no swizzle takes. Written `offset@layout`, or
 * `Sw<3,4,3> o offset o layout`: CuTe's composed layout is a tensor with a swizzle. All zero but
 * the layout is the tensor that begins at the base: () counts as the offset 0, and a swizzle of 0
 * bits moves nothing. The error of a failed tensor is layout.err.
 */
typedef struct ct_tensor {
    ct_swizzle swizzle;
    ct_tuple offset;
    ct_layout layout;
} ct_tensor;

/** @internal The failed tensor that carries e. */
CT_FN ct_tensor ct_tensor_fail(ct_error e)
{
    ct_tensor t = CT_ZERO;
    t.layout.err = e;
    return t;
}

/**
 * The tensor that begins at the base: 0@L.
 * Fails:    a failed L is carried on.
 * In C:     const ct_tensor t = ct_make_tensor(ct_layout2(4, 8, 8, 1));
 *           assert(ct_tensor_eval(t, 5) == 9);
 */
CT_FN ct_tensor ct_make_tensor(ct_layout L)
{
    ct_tensor t = CT_ZERO;
    t.offset = ct_int(0);
    t.layout = L;
    return t;
}

/** @internal Whether an offset is an integer, then value[0], rather than a coordinate; `3@0` is the
 *  coordinate (3), () is 0. */
CT_FN int ct_offset_is_integer(const ct_tuple *offset)
{
    if (offset->profile.leaves == 0) return 1;
    return ct_profile_is_integer(offset->profile) && offset->basis[0] == CT_INTEGER;
}

/** @internal Whether an offset adds nothing: 0, 0@0, (). */
CT_FN int ct_offset_is_zero(const ct_tuple *offset)
{
    if (offset->profile.leaves == 0) return 1;
    return ct_profile_is_integer(offset->profile) && offset->value[0] == 0 &&
           offset->basis[0] != CT_ANY;
}

/** @internal Adds the steps of a coordinate to the sum. Returns 0 where t is not a coordinate. */
CT_FN int ct_terms_add_coordinate(ct_terms *sum, ct_tuple t, int *ok)
{
    if (ct_is_integer(t)) {
        if (t.basis[0] == CT_INTEGER || t.basis[0] == CT_ANY) return 0;
        *sum = ct_terms_add_steps(*sum, t.basis[0], 1, t.value[0], ok);
        return 1;
    }
    const ct_tuple paths = ct_basis_like(t);
    int yes = paths.err.status == CT_OK;
    CT_FOR(i, t.profile.leaves)
    {
        if (t.basis[i] != CT_INTEGER) yes = 0;
    }
    if (yes) {
        CT_FOR(i, t.profile.leaves) *sum = ct_terms_add(*sum, paths.basis[i], t.value[i], ok);
    }
    return yes;
}

/**
 * The sum of two offsets: two integers, or two coordinates mode by mode. Missing modes count as 0;
 * an integer 0 adds to anything. With it a tensor begins at another coordinate, as by CuTe's
 * domain_offset.
 *
 * Fails:    CT_E_ARGUMENT for an integer and a coordinate; CT_E_OVERFLOW; CT_E_CAPACITY; a failed
 *           operand is the result.
 * In C:     ct_tensor t = ct_make_tensor(ct_layout2(4, 8, 8, 1));
 *           t.offset = ct_offset_add(t.offset, ct_at(t.layout, ct_tuple2(1, 2)));
 *           assert(ct_tensor_eval(t, 0) == 10); // it begins at the coordinate (1,2)
 *           const ct_tuple sum = ct_offset_add(ct_tuple2(1, 2), ct_tuple2(3, 4));
 *           assert(ct_tuple_equal(sum, ct_tuple2(4, 6)));
 *           assert(ct_offset_add(ct_int(1), sum).err.status == CT_E_ARGUMENT);
 */
CT_FN ct_tuple ct_offset_add(ct_tuple a, ct_tuple b)
{
    if (a.err.status) return a;
    if (b.err.status) return b;
    if (ct_offset_is_zero(&a)) return b;
    if (ct_offset_is_zero(&b)) return a;
    int ok = 1;
    if (ct_offset_is_integer(&a) && ct_offset_is_integer(&b)) {
        a.value[0] = ct_add(a.value[0], b.value[0], &ok);
    } else {
        if (a.profile.leaves + b.profile.leaves > CT_MAX_LEAVES && !ct_congruent(a, b))
            return ct_tuple_fail(ct_make_error(CT_E_CAPACITY, CT_OP_SLICE, CT_WHY_LEAVES, 0,
                                               a.profile.leaves + b.profile.leaves, CT_MAX_LEAVES));
        ct_terms sum = CT_ZERO;
        if (!ct_terms_add_coordinate(&sum, a, &ok) || !ct_terms_add_coordinate(&sum, b, &ok))
            return ct_tuple_fail(
                ct_make_error(CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_BASIS_MIXED, 0, 0, 0));
        a = ct_terms_coordinate(sum);
    }
    return ok ? a
              : ct_tuple_fail(ct_make_error(CT_E_OVERFLOW, CT_OP_SLICE, CT_WHY_OVERFLOW, 0, 0, 0));
}

/** @internal What is wrong with integers from low to high as the offsets that a swizzle takes. */
CT_FN ct_error ct_swizzle_range_check(int64_t low, int64_t high)
{
    ct_error e = CT_ZERO;
    /* Below 2^62 a swizzle, which leaves bit 62 and those above alone, stays within 64 bits. */
    if (high >= INT64_MAX / 2)
        e = ct_make_error(CT_E_OVERFLOW, CT_OP_COMPOSED, CT_WHY_OVERFLOW, 0, 0, 0);
    else if (low < 0) e = ct_make_error(CT_E_ARGUMENT, CT_OP_COMPOSED, CT_WHY_NEGATIVE, 0, low, 0);
    return e;
}

/** @internal The error of t as a tensor: that of a part, an integer and a coordinate in one sum, or
 * a sum that overflows. Under a swizzle, offsets must be integers from 0 up to 2^62 - 1. */
CT_FN ct_error ct_tensor_check(const ct_tensor *t)
{
    const ct_layout *const L = &t->layout;
    ct_error e = L->err;
    if (e.status == CT_OK) e = t->offset.err;
    if (e.status == CT_OK) e = t->swizzle.err;
    if (e.status) return e;
    const int swizzled = t->swizzle.bits > 0, integer = ct_offset_is_integer(&t->offset);
    const int zero = ct_offset_is_zero(&t->offset);
    int bases = 0, moves = 0, ok = 1;
    int64_t low = integer ? t->offset.value[0] : 0, high = low;
    CT_FOR(i, L->profile.leaves)
    {
        const int64_t reach = (L->shape[i] - 1) * L->stride[i]; /* it fits: L was checked */
        if (L->basis[i] != CT_INTEGER) bases = 1;
        if (L->basis[i] == CT_INTEGER && reach != 0) moves = 1;
        if (reach > 0) high = ct_add(high, reach, &ok);
        else low = ct_add(low, reach, &ok);
    }
    if (swizzled && (bases || !integer))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_COMPOSED, CT_WHY_NOT_INTEGER, 0, 0, 0);
    if ((bases && integer && !zero) || (!integer && !zero && moves))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_BASIS_MIXED, 0, 0, 0);
    if (integer && !bases && !ok)
        return ct_make_error(CT_E_OVERFLOW, swizzled ? CT_OP_COMPOSED : CT_OP_SLICE,
                             CT_WHY_OVERFLOW, 0, 0, 0);
    return swizzled ? ct_swizzle_range_check(low, high) : e;
}

/** @internal The tensor that begins where t does, swizzled as it is, with another layout. */
CT_FN ct_tensor ct_tensor_with(ct_tensor t, ct_layout L)
{
    if (t.layout.err.status) return t;
    t.layout = L;
    const ct_error e = ct_tensor_check(&t);
    return e.status ? ct_tensor_fail(e) : t;
}

/**
 * The swizzled tensor c -> s(offset + L(c)).
 * Fails:   CT_E_ARGUMENT when the sum is negative for some c or L has basis strides, also where s
 *          has 0 bits; CT_E_OVERFLOW when it reaches 2^62.
 * Example: composition(Sw<3,4,3>, (8,64):(64,1)) == Sw<3,4,3> o 0 o (8,64):(64,1)
 */
CT_FN ct_tensor ct_make_swizzled(ct_swizzle s, int64_t offset, ct_layout L)
{
    if (s.err.status) return ct_tensor_fail(s.err);
    ct_error e = ct_integral_check(&L, CT_OP_COMPOSED);
    if (e.status) return ct_tensor_fail(e);
    int ok = 1;
    const int64_t low = ct_add(offset, ct_lowest(L), &ok);
    const int64_t high = ct_add(low, ct_cosize(L) - 1, &ok);
    e = ct_make_error(CT_E_OVERFLOW, CT_OP_COMPOSED, CT_WHY_OVERFLOW, 0, 0, 0);
    if (ok) e = ct_swizzle_range_check(low, high);
    if (e.status) return ct_tensor_fail(e);
    ct_tensor t = ct_make_tensor(L);
    t.offset.value[0] = offset;
    t.swizzle = s.bits > 0 ? s : ct_swizzle_none();
    return t;
}

/**
 * The number of coordinates of t; CT_INVALID when t is failed.
 * In C:     assert(ct_tensor_size(ct_make_tensor(ct_layout2(4, 8, 8, 1))) == 32);
 */
CT_FN int64_t ct_tensor_size(ct_tensor t) { return ct_size(t.layout); }

/**
 * @internal The offset of index i, swizzled: by pointer, for use in loops on a host; ct_tensor_eval
 * is the same by value.
 * Requires: as ct_eval; the offset of t is an integer.
 */
CT_FN int64_t ct_tensor_offset(const ct_tensor *t, int64_t i)
{
    return ct_swizzle_apply(t->swizzle, t->offset.value[0] + ct_eval(t->layout, i));
}

/**
 * The offset of index i; see ct_tensor_offset.
 * In C:     const ct_swizzle s = ct_make_swizzle(2, 0, 3);
 *           const ct_tensor t = ct_make_swizzled(s, 0, ct_layout2(8, 8, 8, 1));
 *           assert(ct_tensor_eval(t, 1) == 9 && ct_tensor_eval(t, 17) == 11);
 */
CT_FN int64_t ct_tensor_eval(ct_tensor t, int64_t i) { return ct_tensor_offset(&t, i); }

/**
 * The offset of a coordinate: an integer, or with basis strides a coordinate.
 * Fails:   as ct_at; as ct_offset_add; CT_E_ARGUMENT under a swizzle as ct_make_swizzled.
 * Example: at(5@(4,8):(8,1), (1,2)) == 15
 * Example: at(Sw<2,0,3> o 0 o (8,8):(8,1), (1,2)) == 11
 */
CT_FN ct_tuple ct_tensor_at(ct_tensor t, ct_tuple coord)
{
    const ct_tuple sum = ct_offset_add(t.offset, ct_at(t.layout, coord));
    if (sum.err.status || t.swizzle.bits == 0) return sum;
    if (!ct_offset_is_integer(&sum))
        return ct_tuple_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_COMPOSED, CT_WHY_NOT_INTEGER, 0, 0, 0));
    return ct_int(ct_swizzle_apply(t.swizzle, sum.value[0]));
}

/** @internal Makes the zero tensor r the slice of the layout L that begins where t does, swizzled
 *  as t is; see ct_tensor_slice. */
CT_FN void ct_slice_tensor(ct_tensor *r, const ct_tensor *t, const ct_layout *L,
                           const ct_tuple *coord)
{
    r->offset.err = L->err.status ? L->err : coord->err;
    const ct_pairs p = ct_profile_pairs(coord->profile, L->profile);
    if (r->offset.err.status == CT_OK) r->offset = ct_offset_of_pairs(L, coord, &p);
    if (!ct_offset_is_zero(&t->offset)) r->offset = ct_offset_add(t->offset, r->offset);
    if (r->offset.err.status) {
        *r = ct_tensor_fail(r->offset.err);
        return;
    }
    r->swizzle = t->swizzle;
    if (ct_profile_is_integer(coord->profile))
        ct_slice_or_dice_of(&r->layout, L, coord, 1, CT_OP_SLICE);
    else ct_slice_pairs(&r->layout, L, coord, &p, 1);
    const ct_error e = ct_tensor_check(r);
    if (e.status) *r = ct_tensor_fail(e);
}

/**
 * The part of a tensor at the integers of coord, over the modes at its `_`.
 *
 * Ensures:  R(c) = T(coord with c in the places of `_`).   [law_slice]
 * Fails:    CT_E_DOMAIN when an integer lies outside its mode; CT_E_ARGUMENT when coord does not
 *           fit.
 * Example:  slice_and_offset((2,_), (4,8):(8,1)) == 16@(8):(1)
 * Example:  slice((_,3), Sw<3,4,3> o 0 o (8,64):(64,1)) == Sw<3,4,3> o 3 o (8):(64)
 * Example:  slice_and_offset((2), slice_and_offset((_,3), (8,8):(1@0,1@1))) == (2,3)@():()
 */
CT_FN ct_tensor ct_tensor_slice(ct_tensor t, ct_tuple coord)
{
    if (t.layout.err.status) return t;
    ct_tensor r = CT_ZERO;
    ct_slice_tensor(&r, &t, &t.layout, &coord);
    return r;
}

/** @internal A tuple of n `_`: `_` itself for n = 1. */
CT_FN ct_tuple ct_repeat_any(int n)
{
    ct_tuple t = ct_any();
    if (n == 1) return t;
    if (n < 0 || n > CT_MAX_LEAVES)
        return ct_tuple_fail(
            ct_make_error(CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_LEAVES, 0, n, CT_MAX_LEAVES));
    t.profile = ct_profile_flat(n);
    CT_FOR(i, n) t.basis[i] = CT_ANY;
    return t;
}

/** @internal coord with `_` appended up to the given rank, where it is a tuple. */
CT_FN ct_tuple ct_pad_any(ct_tuple coord, int rank)
{
    if (ct_is_integer(coord)) return coord;
    const int have = ct_tuple_rank(coord);
    CT_FOR(i, rank)
    {
        if (i >= have) coord = ct_append(coord, ct_any());
    }
    return coord;
}

#endif
