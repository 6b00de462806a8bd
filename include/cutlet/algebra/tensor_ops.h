/**
 * The algebra of tensors: operations that rewrite the layout of a tensor and keep its offset and
 * swizzle, and recasts to elements of another size.
 *
 * Each is the operation on layouts of the same name. It fails as that does, and as ct_tensor_with
 * where the new layout leaves the range of a swizzle.
 *
 * Fails:    as the operation on layouts; CT_E_ARGUMENT or CT_E_OVERFLOW where the new layout leaves
 *           the range of the swizzle; a failed operand is the result.
 * Cost:     that of the operation on layouts.
 */
#ifndef CUTLET_ALGEBRA_TENSOR_OPS_H
#define CUTLET_ALGEBRA_TENSOR_OPS_H

#include <cutlet/algebra/cast.h>
#include <cutlet/algebra/divide.h>
#include <cutlet/algebra/tensor.h>

/**
 * The tensor with the fewest leaves.
 * Ensures:  R(i) = T(i) for 0 <= i < size(T).   [law_tensor_coalesce]
 * Example:  coalesce(7@(2,(1,6)):(1,(6,2))) == 7@12:1
 */
CT_FN ct_tensor ct_tensor_coalesce(ct_tensor t) { return ct_tensor_with(t, ct_coalesce(t.layout)); }

/** The tensor coalesced mode by mode of a profile.
 *  Example: coalesce(7@(2,(1,6)):(1,(6,2)), (1,1)) == 7@(2,6):(1,2) */
CT_FN ct_tensor ct_tensor_coalesce_by(ct_tensor t, ct_tuple profile)
{
    return ct_tensor_with(t, ct_coalesce_by(t.layout, profile));
}

/**
 * T o B: the coordinates of B lead to elements of T.
 * Ensures:  R(c) = T(B(c)) for every coordinate c of B.   [law_tensor_composition]
 * Example:  composition(3@(4,4):(4,1), 4:2) == 3@(2,2):(8,1)
 * Example:  composition(Sw<1,0,1> o 0 o (4,4):(4,1), 4:2) == Sw<1,0,1> o 0 o (2,2):(8,1)
 */
CT_FN ct_tensor ct_tensor_composition(ct_tensor t, ct_layout B)
{
    return ct_tensor_with(t, ct_composition(t.layout, B));
}

/** The composition mode by mode of a tiler.
 *  Example: composition(3@(8,8):(8,1), <4:2,2:1>) == 3@(4,2):(16,1) */
CT_FN ct_tensor ct_tensor_composition_by(ct_tensor t, ct_tiler T)
{
    return ct_tensor_with(t, ct_composition_by(t.layout, T));
}

/**
 * The tensor divided by B: (tile, rest).
 * Ensures:  R is T in the order of logical_divide(index, B).   [law_tensor_divide]
 * Example:  logical_divide(9@(4,2,3):(2,1,8), 4:2) == 9@((2,2),(2,3)):((4,1),(2,8))
 */
CT_FN ct_tensor ct_tensor_logical_divide(ct_tensor t, ct_layout B)
{
    return ct_tensor_with(t, ct_logical_divide(t.layout, B));
}

/**
 * The tensor divided mode by mode: ((tile, rest), (tile, rest), ...).
 * Example:  logical_divide(9@(9,8):(8,1), <3:3,4:1>) == 9@((3,3),(4,2)):((24,8),(1,4))
 */
CT_FN ct_tensor ct_tensor_logical_divide_by(ct_tensor t, ct_tiler T)
{
    return ct_tensor_with(t, ct_logical_divide_by(t.layout, T));
}

/**
 * (tile, rest); by a layout, zipped is the same as logical.
 * Example:  zipped_divide(9@(4,8):(8,1), 4:1) == 9@(4,8):(8,1)
 */
CT_FN ct_tensor ct_tensor_zipped_divide(ct_tensor t, ct_layout B)
{
    return ct_tensor_with(t, ct_zipped_divide(t.layout, B));
}

/** ((tiles ...), (rests ...)).
 *  Example: zipped_divide(9@(9,8):(8,1), <3:3,4:1>) == 9@((3,4),(3,2)):((24,1),(8,4)) */
CT_FN ct_tensor ct_tensor_zipped_divide_by(ct_tensor t, ct_tiler T)
{
    return ct_tensor_with(t, ct_zipped_divide_by(t.layout, T));
}

/**
 * (tile, rest modes ...).
 * Example:  tiled_divide(9@(4,8):(8,1), 4:1) == 9@(4,8):(8,1)
 */
CT_FN ct_tensor ct_tensor_tiled_divide(ct_tensor t, ct_layout B)
{
    return ct_tensor_with(t, ct_tiled_divide(t.layout, B));
}

/**
 * ((tiles ...), rest, rest, ...).
 * Example:  tiled_divide(9@(9,8):(8,1), <3:3,4:1>) == 9@((3,4),3,2):((24,1),8,4)
 */
CT_FN ct_tensor ct_tensor_tiled_divide_by(ct_tensor t, ct_tiler T)
{
    return ct_tensor_with(t, ct_tiled_divide_by(t.layout, T));
}

/**
 * (tile modes ..., rest modes ...).
 * Example:  flat_divide(9@(4,2,3):(2,1,8), 4:2) == 9@(2,2,2,3):(4,1,2,8)
 */
CT_FN ct_tensor ct_tensor_flat_divide(ct_tensor t, ct_layout B)
{
    return ct_tensor_with(t, ct_flat_divide(t.layout, B));
}

/**
 * (tile, tile, ..., rest, rest, ...).
 * Example:  flat_divide(9@(9,8):(8,1), <3:3,4:1>) == 9@(3,4,3,2):(24,1,8,4)
 */
CT_FN ct_tensor ct_tensor_flat_divide_by(ct_tensor t, ct_tiler T)
{
    return ct_tensor_with(t, ct_flat_divide_by(t.layout, T));
}

/**
 * The number of offsets from the lowest to the highest that t reaches, including 0: the elements of
 * memory that it needs. For offsets >= 0 it is one more than the highest. A swizzle moves offsets,
 * so this can be more than the offset and the cosize of the layout.
 *
 * Ensures: max(T, -1) + 1 - min(T, 0), over all coordinates.   [law_tensor]
 * Fails:   CT_E_ARGUMENT for basis strides; CT_E_UNDECIDED when a swizzled layout has more than
 *          CT_MAX_PROOF coordinates and is not one run of whole swizzle periods; CT_E_OVERFLOW.
 * Cost:    size(L), or O(leaves) without a swizzle or where L fills whole periods.
 * Example: cosize(5@(4,8):(1,5)) == 44
 * Example: cosize(Sw<1,0,1> o 0 o (3):(1)) == 4
 * Example: cosize(Sw<3,4,3> o 0 o (8,64):(64,1)) == 512
 */
CT_FN ct_tuple ct_tensor_cosize(ct_tensor t)
{
    ct_error bad = ct_tensor_check(&t);
    if (bad.status == CT_OK) bad = ct_integral_check(&t.layout, CT_OP_COSIZE);
    if (bad.status == CT_OK && !ct_offset_is_integer(&t.offset))
        bad = ct_make_error(CT_E_ARGUMENT, CT_OP_COSIZE, CT_WHY_NOT_INTEGER, 0, 0, 0);
    if (bad.status) return ct_tuple_fail(bad);
    const int64_t low = t.offset.value[0] + ct_lowest(t.layout);
    const int64_t top = low + (ct_cosize(t.layout) - 1), size = ct_size(t.layout);
    if (t.swizzle.bits == 0) {
        int ok = 1;
        const int64_t below = ct_mul(-1, ct_min(low, 0), &ok);
        const int64_t capacity = ct_add(ct_add(ct_max(top, -1), 1, &ok), below, &ok);
        return ok ? ct_int(capacity)
                  : ct_tuple_fail(
                        ct_make_error(CT_E_OVERFLOW, CT_OP_COSIZE, CT_WHY_OVERFLOW, 0, 0, 0));
    }
    const int64_t period = ct_swizzle_period(t.swizzle);
    ct_layout run = ct_filter(t.layout);
    ct_sort_by_stride(&run);
    run = ct_coalesce(run);
    const int whole = run.profile.leaves == 1 && run.stride[0] == 1; /* every offset up to top */
    if (whole && low % period == 0 && (top + 1) % period == 0) return ct_int(top + 1);
    if (size > CT_MAX_PROOF)
        return ct_tuple_fail(
            ct_make_error(CT_E_UNDECIDED, CT_OP_COSIZE, CT_WHY_PROOF, 0, size, CT_MAX_PROOF));
    int64_t high = 0;
    for (int64_t i = 0; i < size; ++i) high = ct_max(high, ct_tensor_offset(&t, i));
    return ct_int(high + 1);
}

/** @internal Why t cannot be seen in other elements: it begins at a coordinate. */
CT_FN ct_error ct_tensor_cast_check(const ct_tensor *t, int32_t op)
{
    ct_error e = t->layout.err;
    if (e.status == CT_OK && !ct_offset_is_integer(&t->offset))
        e = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_NOT_INTEGER, 0, 0, 0);
    return e;
}

/**
 * The tensor in elements n times as large; under a swizzle, n is a power of two.
 *
 * Ensures:  n * R(c / step) is T(c) rounded down to a multiple of n, steps as upcast of the layout
 *           has them.   [law_tensor_upcast]
 * Fails:    as upcast of the swizzle and of the layout; CT_E_ARGUMENT when the offset is not a
 *           multiple.
 * Example:  upcast(16@(8,4):(1,8), 4) == 4@(2,4):(1,2)
 * Example:  upcast(2@(8,4):(1,8), 4) == error
 * Example:  upcast(Sw<3,4,3> o 0 o (8,64):(64,1), 8) == Sw<3,1,3> o 0 o (8,8):(8,1)
 */
CT_FN ct_tensor ct_tensor_upcast(ct_tensor t, int64_t n)
{
    const ct_error bad = ct_tensor_cast_check(&t, CT_OP_UPCAST);
    if (bad.status) return ct_tensor_fail(bad);
    if (t.swizzle.bits > 0) t.swizzle = ct_swizzle_upcast(t.swizzle, n);
    if (t.swizzle.err.status) return ct_tensor_fail(t.swizzle.err);
    const ct_layout L = ct_upcast(t.layout, n); /* n is at least 1 where this succeeds */
    if (L.err.status) return ct_tensor_fail(L.err);
    if (t.offset.value[0] % n != 0)
        return ct_tensor_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_ALIGNMENT, 0, t.offset.value[0], n));
    t.offset.value[0] /= n;
    return ct_tensor_with(t, L);
}

/**
 * The tensor in elements a factor n smaller; under a swizzle, n is a power of two.
 * Ensures:  R(n * c + j in the contiguous leaf) = n * T(c) + j for 0 <= j < n.
 *           [law_tensor_downcast]
 * Fails:    as downcast of the swizzle and of the layout; CT_E_OVERFLOW.
 * Example:  downcast(4@(2,4):(1,2), 4) == 16@(8,4):(1,8)
 * Example:  downcast(Sw<3,1,3> o 0 o (8,8):(8,1), 8) == Sw<3,4,3> o 0 o (8,64):(64,1)
 */
CT_FN ct_tensor ct_tensor_downcast(ct_tensor t, int64_t n)
{
    const ct_error bad = ct_tensor_cast_check(&t, CT_OP_DOWNCAST);
    if (bad.status) return ct_tensor_fail(bad);
    if (t.swizzle.bits > 0) t.swizzle = ct_swizzle_downcast(t.swizzle, n);
    int ok = 1;
    t.offset.value[0] = ct_mul(t.offset.value[0], n, &ok);
    if (!ok)
        return ct_tensor_fail(
            ct_make_error(CT_E_OVERFLOW, CT_OP_DOWNCAST, CT_WHY_OVERFLOW, 0, 0, 0));
    return ct_tensor_with(t, ct_downcast(t.layout, n));
}

/**
 * The tensor of elements of old_bits as one of elements of new_bits.
 * Fails:    as ct_tensor_upcast and ct_tensor_downcast.
 * Example:  recast(16@(8,4):(1,8), 16, 128) == 2@(1,4):(1,1)
 * Example:  recast(Sw<3,3,3> o 0 o (8,64):(64,1), 16, 128) == Sw<3,0,3> o 0 o (8,8):(8,1)
 */
CT_FN ct_tensor ct_tensor_recast(ct_tensor t, int64_t old_bits, int64_t new_bits)
{
    if (t.layout.err.status) return t;
    if (old_bits < 1 || new_bits < 1)
        return ct_tensor_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_RECAST, CT_WHY_NOT_POSITIVE, 0,
                                            ct_min(old_bits, new_bits), 0));
    const int64_t common = ct_gcd(old_bits, new_bits);
    const int64_t up = new_bits / common, down = old_bits / common;
    if (up > 1) t = ct_tensor_upcast(t, up);
    if (t.layout.err.why == CT_WHY_SWIZZLE_BASE) t.layout.err.op = CT_OP_RECAST;
    if (down > 1) t = ct_tensor_downcast(t, down);
    return t;
}

#endif
