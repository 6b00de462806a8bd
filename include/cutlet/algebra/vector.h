/**
 * Vectorization: the elements that are contiguous in two layouts at once, and their alignment.
 * Cost:     that of a right inverse and a composition; with a swizzle, an enumeration of at most
 *           CT_MAX_PROOF coordinates.
 */
#ifndef CUTLET_ALGEBRA_VECTOR_H
#define CUTLET_ALGEBRA_VECTOR_H

#include <cutlet/algebra/composition.h>
#include <cutlet/algebra/inverse.h>
#include <cutlet/algebra/tensor.h>

/** @internal The longest n with a(r(i)) = i for i < n, in whole modes of r, by enumeration. */
CT_FN int64_t ct_common_by_trial(ct_layout a, ct_layout r)
{
    const ct_span all = {0, a.profile.leaves};
    const int64_t size = ct_min(ct_size(r), CT_MAX_PROOF);
    int64_t n = 1, whole = 1;
    int ok = 1;
    while (n < size && ct_digits_eval(&a, all, ct_eval(r, n), CT_INTEGER, &ok) == n && ok) ++n;
    CT_FOR(k, r.profile.leaves)
    {
        if (whole * r.shape[k] <= n) whole *= r.shape[k];
        else return n / whole * whole;
    }
    return whole;
}

/**
 * The largest layout R, of whole modes of the right inverse of b, that is contiguous in both. If a
 * is smaller than b, it continues past its size as in evaluation; ct_copy_width, which requires
 * equal sizes, never does.
 *
 * Ensures:  a(R(i)) = i and b(R(i)) = i for 0 <= i < size(R).   [law_max_common]
 * Fails:    CT_E_ARGUMENT when a or b has basis strides.
 * Cost:     O(leaves^2) where a composes with the inverse of b.
 * Example:  max_common_layout((4,8):(1,4), (4,8):(1,8)) == 4:1
 * Source:   CUTLASS docs, 02_layout_algebra.
 */
CT_FN ct_layout ct_max_common_layout(ct_layout a, ct_layout b)
{
    ct_error bad = ct_integral_check(&a, CT_OP_MAX_COMMON);
    if (bad.status == CT_OK) bad = ct_integral_check(&b, CT_OP_MAX_COMMON);
    if (bad.status) return ct_layout_fail(bad);
    ct_layout inverse = CT_ZERO;
    ct_right_inverse_of(&inverse, &b);
    const ct_layout common = ct_coalesce(ct_composition(a, inverse));
    int64_t n = 1;
    if (common.err.status) n = ct_common_by_trial(a, inverse);
    else if (common.stride[0] == 1) n = common.shape[0];
    return n == 1 ? ct_layout1(1, 0) : ct_composition(inverse, ct_layout1(n, 1));
}

/**
 * The number of elements that are contiguous, in the same order, in both layouts.
 * Ensures:  the size of max_common_layout(a, b); at least 1.   [law_max_common]
 * Fails:    CT_INVALID as ct_max_common_layout.
 * Example:  max_common_vector((4,8):(1,4), (4,8):(1,8)) == 4
 * Example:  max_common_vector((16,8):(8,4096), (16,8):(8,128)) == 1
 */
CT_FN int64_t ct_max_common_vector(ct_layout a, ct_layout b)
{
    return ct_size(ct_max_common_layout(a, b));
}

/**
 * The number of elements that divides the length and the offset of every contiguous run of L. It is
 * the greatest common divisor of the contiguous size and of all strides beyond it.
 *
 * Ensures:  a vector of R elements that starts at a multiple of R in the contiguous modes lies at
 *           an offset that is a multiple of R.   [law_max_alignment]
 * Fails:    CT_INVALID when L is failed or has basis strides.
 * Example:  max_alignment((4,8):(1,4)) == 32
 * Example:  max_alignment((4,8):(1,6)) == 2
 */
CT_FN int64_t ct_max_alignment(ct_layout L)
{
    if (L.err.status || !ct_is_integral(L)) return CT_INVALID;
    const ct_sorted s = ct_sort_leaves(&L);
    int64_t next = 1, gcd = 0;
    CT_FOR(i, s.leaves.profile.leaves)
    {
        if (s.leaves.shape[i] > 1) {
            if (s.leaves.stride[i] == next) next *= s.leaves.shape[i];
            else gcd = ct_gcd(gcd, s.leaves.stride[i]);
        }
    }
    return ct_gcd(gcd, next);
}

/**
 * The alignment of a tensor: as of its layout, but it also divides the offset and, under a swizzle,
 * the runs of 2^base that the swizzle keeps contiguous.
 *
 * Ensures:  a vector of R elements that starts at a multiple of R in the contiguous modes is
 *           contiguous and lies at an offset that is a multiple of R.   [law_tensor_alignment]
 * Fails:    CT_INVALID when t is failed, or begins at a coordinate or has basis strides.
 * Example:  max_alignment(8@(4,8):(1,4)) == 8
 * Example:  max_alignment(Sw<3,3,3> o 0 o (8,64):(64,1)) == 8
 * Source:   CuTe, swizzle_layout.hpp.
 */
CT_FN int64_t ct_tensor_max_alignment(ct_tensor t)
{
    const int64_t of_layout = ct_max_alignment(t.layout);
    if (of_layout == CT_INVALID || !ct_offset_is_integer(&t.offset)) return CT_INVALID;
    const int64_t n = ct_gcd(t.offset.value[0] % of_layout, of_layout); /* of_layout >= 1 */
    return t.swizzle.bits > 0 ? ct_gcd(n, CT_CAST(int64_t, 1) << t.swizzle.base) : n;
}

/**
 * The largest layout R that begins as max_common_layout of the layouts of a and b does and is
 * contiguous in both tensors. Without swizzles it is that layout; the offsets of the tensors do not
 * matter. Under a swizzle no vector of R elements is split: size(R) divides the tensor's
 * max_alignment, with whole modes first, then a divisor of the next.
 *
 * Ensures:  a(R(i)) = a(0) + i and b(R(i)) = b(0) + i for 0 <= i < size(R); the same from each
 *           multiple of R on where a swizzled tensor divides by R. Twice as long, some vector of a
 *           tensor that goes on would be torn.   [law_tensor_max_common]
 * Fails:    CT_E_ARGUMENT when a tensor begins at a coordinate or has basis strides.
 * Example:  max_common_layout(5@(4,8):(1,4), (4,8):(1,8)) == 4:1
 * Example:  max_common_layout(Sw<3,3,3> o 0 o (8,64):(64,1), (8,64):(64,1)) == 8:8
 */
CT_FN ct_layout ct_tensor_max_common_layout(ct_tensor a, ct_tensor b)
{
    const ct_layout whole = ct_max_common_layout(a.layout, b.layout);
    if (whole.err.status) return whole;
    if (!ct_offset_is_integer(&a.offset) || !ct_offset_is_integer(&b.offset))
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_MAX_COMMON, CT_WHY_NOT_INTEGER, 0, 0, 0));
    int64_t limit = 0; /* 0: no limit, as every number divides 0 */
    if (a.swizzle.bits > 0) limit = ct_gcd(limit, ct_tensor_max_alignment(a));
    if (b.swizzle.bits > 0) limit = ct_gcd(limit, ct_tensor_max_alignment(b));
    if (limit == 0) return whole;
    int64_t n = 1;
    int open = 1; /* whether the modes so far are whole */
    CT_FOR(k, whole.profile.leaves)
    {
        const int64_t taken = open ? ct_gcd(whole.shape[k], limit / n) : 1;
        if (taken < whole.shape[k]) open = 0;
        n *= taken;
    }
    return n == 1 ? ct_layout1(1, 0) : ct_composition(whole, ct_layout1(n, 1));
}

/**
 * The number of elements that are contiguous, in the same order, in both tensors.
 * Ensures:  the size of max_common_layout(a, b); at least 1.   [law_tensor_max_common]
 * Fails:    CT_INVALID as ct_tensor_max_common_layout.
 * Example:  max_common_vector(Sw<3,3,3> o 4 o (8,64):(64,1), (8,64):(64,1)) == 4
 */
CT_FN int64_t ct_tensor_max_common_vector(ct_tensor a, ct_tensor b)
{
    return ct_size(ct_tensor_max_common_layout(a, b));
}

#endif
