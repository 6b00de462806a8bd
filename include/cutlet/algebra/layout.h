/**
 * The layout: a shape and a stride of the same profile; a function from coordinates to offsets.
 *
 * A layout is a value: no ownership, copied with `=`, passed to kernels as it is. A failed layout
 * carries its error, and every operation passes the first error on.
 *
 * Fails:    CT_E_ARGUMENT where a shape is below 1; CT_E_OVERFLOW where the size or an offset does
 *           not fit in 64 bits; a failed operand is the result.
 * Cost:     O(leaves), no allocation, host and device.
 */
#ifndef CUTLET_ALGEBRA_LAYOUT_H
#define CUTLET_ALGEBRA_LAYOUT_H

#include <cutlet/algebra/basis_sum.h>
#include <cutlet/algebra/tuple_parts.h>

typedef struct ct_layout {
    ct_error err;
    ct_profile profile;
    int64_t shape[CT_MAX_LEAVES];
    int64_t stride[CT_MAX_LEAVES];
    uint32_t basis[CT_MAX_LEAVES]; /* of the stride leaves, as in ct_tuple */
} ct_layout;

/** @internal The failed layout that carries e. */
CT_FN ct_layout ct_layout_fail(ct_error e)
{
    ct_layout l = CT_ZERO;
    l.err = e;
    return l;
}

/**
 * The shape of L.
 * Fails:    a failed L gives a failed tuple with its error.
 * Example:  shape((4,(2,3)):(1,(4,8))) == (4,(2,3))
 */
CT_FN ct_tuple ct_shape(ct_layout L)
{
    ct_tuple t = CT_ZERO;
    t.err = L.err;
    t.profile = L.profile;
    CT_FOR(i, L.profile.leaves) t.value[i] = L.shape[i];
    return t;
}

/**
 * The stride of L.
 * Fails:    a failed L gives a failed tuple with its error.
 * Example:  stride((4,(2,3)):(1,(4,8))) == (1,(4,8))
 * Example:  stride((2,3):(1@0,1@1)) == (1@0,1@1)
 */
CT_FN ct_tuple ct_stride(ct_layout L)
{
    ct_tuple t = CT_ZERO;
    t.err = L.err;
    t.profile = L.profile;
    CT_FOR(i, L.profile.leaves)
    {
        t.value[i] = L.stride[i];
        t.basis[i] = L.basis[i];
    }
    return t;
}

/**
 * Whether the strides of L are integers, so that its offsets are integers too.
 * In C:     assert(ct_is_integral(ct_layout2(4, 8, 8, 1)));
 *           assert(!ct_is_integral(ct_make_identity_layout(ct_tuple2(4, 8))));
 */
CT_FN int ct_is_integral(ct_layout L)
{
    int yes = 1;
    CT_FOR(i, L.profile.leaves)
    {
        if (L.basis[i] != CT_INTEGER) yes = 0;
    }
    return yes;
}

/** @internal What is wrong with L where integer strides are needed. */
CT_FN ct_error ct_integral_check(const ct_layout *L, int32_t op)
{
    ct_error e = L->err;
    CT_FOR(i, L->profile.leaves)
    {
        if (L->basis[i] != CT_INTEGER && e.status == CT_OK)
            e = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_NOT_INTEGER, i, 0, 0);
    }
    return e;
}

/** @internal What is wrong with L where a stride of one term is needed. */
CT_FN ct_error ct_sums_check(const ct_layout *L, int32_t op)
{
    ct_error e = L->err;
    CT_FOR(i, L->profile.leaves)
    {
        if (ct_is_sum(L->basis[i]) && e.status == CT_OK)
            e = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_SUM, i,
                              ct_sum_of(L->stride[i], L->basis[i]).count, 0);
    }
    return e;
}

/** @internal Adds the reach of leaf i of L, whose stride is a sum: each of its terms to top or
 *  bottom. */
CT_FN void ct_reach_of_sum(const ct_layout *L, int i, int64_t *top, int64_t *bottom, int *ok)
{
    const int64_t d = L->stride[i];
    if (!ct_sum_is_leaf(d, L->basis[i])) *ok = 0;
    const int64_t reach = ct_sum_mul(L->shape[i] - 1, *ok ? d : 0, L->basis[i], ok);
    const ct_sum s = ct_sum_of(reach, L->basis[i]);
    for (int k = 0; k < s.count; ++k) {
        if (s.steps[k] > 0) *top = ct_add(*top, s.steps[k], ok);
        else *bottom = ct_add(*bottom, s.steps[k], ok);
    }
}

/** @internal The error of leaf i of L, whose offsets do not fit. */
CT_FN ct_error ct_reach_error(const ct_layout *L, int i, int32_t op)
{
    ct_error e = ct_make_error(CT_E_OVERFLOW, op, CT_WHY_OVERFLOW, i, 0, 0);
    const ct_sum s = ct_sum_of(L->stride[i], L->basis[i]);
    for (int k = 0; k < s.count && s.count > 1; ++k) {
        int ok = 1;
        const int64_t steps = ct_mul(L->shape[i] - 1, s.steps[k], &ok), most = ct_sum_most(s.count);
        if (ok && (steps > most || steps < -most))
            e = ct_make_error(CT_E_OVERFLOW, op, CT_WHY_TERM, i, steps, most);
    }
    return e;
}

/** @internal What is wrong with L as a layout: a shape below 1, or a size or an offset that
 *  overflows. The error of L itself when it has one. Every layout that the library makes has passed
 *  this. */
CT_FN ct_error ct_layout_check(const ct_layout *L, int32_t op)
{
    if (L->err.status) return L->err;
    ct_error none = CT_ZERO;
    int64_t size = 1, top = 0, bottom = 0;
    int bad = -1, over = -1;
    CT_FOR(i, L->profile.leaves)
    {
        if (L->shape[i] < 1) {
            if (bad < 0) bad = i;
            continue;
        }
        int ok = L->stride[i] != INT64_MIN;
        size = ct_mul(size, L->shape[i], &ok);
        if (ct_is_sum(L->basis[i])) {
            ct_reach_of_sum(L, i, &top, &bottom, &ok);
        } else {
            const int64_t reach = ct_mul(L->shape[i] - 1, ok ? L->stride[i] : 0, &ok);
            if (reach > 0) top = ct_add(top, reach, &ok);
            else bottom = ct_add(bottom, reach, &ok);
        }
        if (!ok && over < 0) over = i;
    }
    if (bad >= 0) return ct_make_error(CT_E_ARGUMENT, op, CT_WHY_SHAPE, bad, L->shape[bad], 0);
    /* cosize, one more than the distance from bottom to top, must fit as well */
    if (over < 0 && top > INT64_MAX - 1 + bottom) over = L->profile.leaves - 1;
    if (over >= 0) return ct_reach_error(L, over, op);
    return none;
}

/** @internal L when it is a layout, otherwise the failed layout that says why not. */
CT_FN ct_layout ct_checked(ct_layout L, int32_t op)
{
    L.err = ct_layout_check(&L, op);
    return L;
}

/**
 * Whether L is a layout: not failed, shapes at least 1, nothing overflows.
 * In C:     assert(ct_is_valid(ct_layout2(4, 8, 8, 1)));
 *           assert(!ct_is_valid(ct_layout2(0, 8, 8, 1)));
 */
CT_FN int ct_is_valid(ct_layout L) { return ct_layout_check(&L, CT_OP_NONE).status == CT_OK; }

/**
 * shape : stride.
 *
 * Fails:   CT_E_ARGUMENT when the two nest differently, a shape is below 1 or not an integer;
 *          CT_E_OVERFLOW when the size or an offset does not fit in 64 bits.
 * Example: layout((4,(2,3)), (1,(4,8))) == (4,(2,3)):(1,(4,8))
 */
CT_FN ct_layout ct_make_layout(ct_tuple shape, ct_tuple stride)
{
    if (shape.err.status) return ct_layout_fail(shape.err);
    if (stride.err.status) return ct_layout_fail(stride.err);
    const int at = ct_profile_mismatch(shape, stride);
    if (at >= 0)
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_PROFILE, at, 0, 0));
    ct_layout L = CT_ZERO;
    L.profile = shape.profile;
    int bad = -1;
    CT_FOR(i, shape.profile.leaves)
    {
        L.shape[i] = shape.value[i];
        L.stride[i] = stride.value[i];
        L.basis[i] = stride.basis[i];
        if (shape.basis[i] != CT_INTEGER || stride.basis[i] == CT_ANY) bad = i;
    }
    if (bad >= 0)
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_NOT_INTEGER, bad, 0, 0));
    return ct_checked(L, CT_OP_MAKE_LAYOUT);
}

/**
 * The layout s:d of a single integer.
 * In C:     assert(ct_layout_equal(ct_layout1(8, 2), ct_read("8:2")));
 */
CT_FN ct_layout ct_layout1(int64_t s, int64_t d)
{
    ct_layout L = CT_ZERO;
    L.profile.leaves = 1;
    L.shape[0] = s;
    L.stride[0] = d;
    return ct_checked(L, CT_OP_MAKE_LAYOUT);
}

/**
 * The layout (s0,s1):(d0,d1).
 * In C:     assert(ct_layout_equal(ct_layout2(4, 8, 8, 1), ct_read("(4,8):(8,1)")));
 *           assert(ct_layout2(4, -8, 8, 1).err.status == CT_E_ARGUMENT);
 */
CT_FN ct_layout ct_layout2(int64_t s0, int64_t s1, int64_t d0, int64_t d1)
{
    ct_layout L = CT_ZERO;
    L.profile = ct_profile_flat(2);
    L.shape[0] = s0;
    L.shape[1] = s1;
    L.stride[0] = d0;
    L.stride[1] = d1;
    return ct_checked(L, CT_OP_MAKE_LAYOUT);
}

/**
 * The layout (s0,s1,s2):(d0,d1,d2).
 * In C:     const ct_layout L = ct_layout3(2, 3, 4, 12, 4, 1);
 *           assert(ct_layout_equal(L, ct_read("(2,3,4):(12,4,1)")));
 */
CT_FN ct_layout ct_layout3(int64_t s0, int64_t s1, int64_t s2, int64_t d0, int64_t d1, int64_t d2)
{
    ct_layout L = ct_layout2(s0, s1, d0, d1);
    if (L.err.status) return L;
    L.profile = ct_profile_flat(3);
    L.shape[2] = s2;
    L.stride[2] = d2;
    return ct_checked(L, CT_OP_MAKE_LAYOUT);
}

/**
 * The layout (s0,s1,s2,s3):(d0,d1,d2,d3).
 * In C:     const ct_layout L = ct_layout4(2, 3, 4, 5, 60, 20, 5, 1);
 *           assert(ct_layout_equal(L, ct_read("(2,3,4,5):(60,20,5,1)")));
 */
CT_FN ct_layout ct_layout4(int64_t s0, int64_t s1, int64_t s2, int64_t s3, int64_t d0, int64_t d1,
                           int64_t d2, int64_t d3)
{
    ct_layout L = ct_layout3(s0, s1, s2, d0, d1, d2);
    if (L.err.status) return L;
    L.profile = ct_profile_flat(4);
    L.shape[3] = s3;
    L.stride[3] = d3;
    return ct_checked(L, CT_OP_MAKE_LAYOUT);
}

/**
 * (L): a layout whose only mode is L.
 * Fails:    CT_E_CAPACITY where it nests more deeply than a profile counts; a failed L is the
 *           result.
 * In C:     const ct_layout L = ct_layout_wrap(ct_read("(2,3):(1,2)"));
 *           assert(ct_layout_equal(L, ct_read("((2,3)):((1,2))")));
 */
CT_FN ct_layout ct_layout_wrap(ct_layout L)
{
    const ct_error deep = ct_nesting_check(&L.profile, 1);
    if (L.err.status == CT_OK && deep.status) return ct_layout_fail(deep);
    L.profile = ct_profile_wrap(L.profile);
    return L;
}

/** @internal The leaves s of L with the profile p. */
CT_FN ct_layout ct_layout_part(ct_layout L, ct_span s, ct_profile p)
{
    ct_layout r = CT_ZERO;
    r.profile = p;
    CT_FOR(i, s.count)
    {
        r.shape[i] = L.shape[s.first + i];
        r.stride[i] = L.stride[s.first + i];
        r.basis[i] = L.basis[s.first + i];
    }
    return r;
}

/**
 * The number of modes of L.
 * Example:  rank(((2,4),3):((1,2),8)) == 2
 */
CT_FN int ct_layout_rank(ct_layout L) { return ct_profile_rank(L.profile); }

#if defined(__cplusplus)
/** @internal In C++, an overload. */
CT_FN int ct_rank(const ct_layout &v) { return ct_layout_rank(v); }
#else
/**
 * The number of modes, of a layout as of a tuple: an overload in C++, a choice by type in C.
 * In C:     assert(ct_rank(ct_layout2(4, 8, 8, 1)) == 2 && ct_rank(ct_tuple1(8)) == 1);
 */
#define ct_rank(value)                                                                             \
    _Generic((value), ct_tuple : ct_tuple_rank, ct_layout : ct_layout_rank)(value)
#endif

/**
 * How deep L nests.
 * Example:  depth(((2,4),3):((1,2),8)) == 2
 */
CT_FN int ct_layout_depth(ct_layout L) { return ct_profile_depth(L.profile); }

/**
 * Mode k of L.
 * Fails:   CT_E_ARGUMENT when L has no mode k.
 * Example: mode(((2,4),3):((1,2),8), 0) == (2,4):(1,2)
 */
CT_FN ct_layout ct_mode(ct_layout L, int k)
{
    if (L.err.status) return L;
    const ct_span s = ct_profile_mode_span(L.profile, k);
    if (s.count < 0)
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE, k, ct_layout_rank(L), 0));
    return ct_layout_part(L, s, ct_profile_cut(L.profile, s));
}

/**
 * The number of coordinates of L.
 * Fails:   CT_INVALID when L is failed.
 * Example: size(((2,4),3):((1,2),8)) == 24
 */
CT_FN int64_t ct_size(ct_layout L)
{
    CT_CHECK_MADE(L.err);
    if (L.err.status) return CT_INVALID;
    int64_t size = 1; /* every layout was checked when it was made: no overflow */
    CT_FOR(i, L.profile.leaves) size *= L.shape[i];
    return size;
}

/**
 * Whether A and B are the same: shape, stride and nesting.
 * In C:     assert(ct_layout_equal(ct_layout1(8, 1), ct_read("8:1")));
 *           assert(!ct_layout_equal(ct_layout1(8, 1), ct_read("(8):(1)")));
 */
CT_FN int ct_layout_equal(ct_layout A, ct_layout B)
{
    return ct_tuple_equal(ct_shape(A), ct_shape(B)) && ct_tuple_equal(ct_stride(A), ct_stride(B));
}

/**
 * The offset of index i, from the integer strides only. The first mode runs fastest; an index of
 * size(L) or more continues along the last leaf, as in CuTe.
 *
 * Requires: L is not failed, i >= 0.  (Not checked: this is the function that kernels call.)
 * Cost:     one division a leaf, none where the shapes are constants.
 * Example:  eval((4,8):(8,1), 5) == 9
 */
CT_FN int64_t ct_eval(ct_layout L, int64_t i)
{
    CT_CHECK_MADE(L.err);
    int64_t offset = 0;
    const int n = L.profile.leaves;
    CT_FOR(k, n)
    {
        int64_t digit = i;
        if (k + 1 < n) {
            digit = i % L.shape[k];
            i /= L.shape[k];
        }
        if (L.basis[k] == CT_INTEGER) offset += digit * L.stride[k];
    }
    return offset;
}

/** @internal The offset of a coordinate of 2 or 3 modes; further modes are ignored. */
CT_FN int64_t ct_offset_modes(const ct_layout *L, int64_t i, int64_t j, int64_t k, const int modes)
{
    int64_t offset = 0, rest = i;
    int level = 0, mode = 0;
    CT_FOR(leaf, L->profile.leaves)
    {
        level += L->profile.open[leaf];
        level -= L->profile.close[leaf];
        int64_t digit = rest;
        if (level > 1) { /* the mode goes on */
            digit = rest % L->shape[leaf];
            rest /= L->shape[leaf];
        }
        if (mode < modes && L->basis[leaf] == CT_INTEGER) offset += digit * L->stride[leaf];
        if (level <= 1) {
            ++mode;
            rest = mode == 1 ? j : k;
        }
    }
    return offset;
}

/**
 * The offset of the coordinate (i, j) of a layout of rank 2; requires as ct_eval. By pointer, for
 * use in loops on a host; ct_eval2 is the same by value.
 *
 * In C:     const ct_layout L = ct_layout2(4, 8, 8, 1);
 *           assert(ct_offset2(&L, 1, 2) == 10);
 */
CT_FN int64_t ct_offset2(const ct_layout *L, int64_t i, int64_t j)
{
    return ct_offset_modes(L, i, j, 0, 2);
}

/**
 * The offset of the coordinate (i, j); see ct_offset2.
 * Example:  eval((4,8):(8,1), (1,2)) == 10
 */
CT_FN int64_t ct_eval2(ct_layout L, int64_t i, int64_t j) { return ct_offset2(&L, i, j); }

/**
 * The offset of the coordinate (i, j, k) of a layout of rank 3; requires as ct_eval.
 * Example:  eval((4,8,2):(8,1,32), (1,2,1)) == 42
 */
CT_FN int64_t ct_eval3(ct_layout L, int64_t i, int64_t j, int64_t k)
{
    return ct_offset_modes(&L, i, j, k, 3);
}

#endif
