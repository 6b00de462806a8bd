/**
 * Composed layouts: a swizzle of a layout's offsets, `Sw<3,4,3> o offset o L`.
 */
#ifndef CUTLET_COMPOSED_H
#define CUTLET_COMPOSED_H

#include "cast.h"
#include "divide.h"
#include "size.h"
#include "swizzle.h"
#include "tensor.h"

/** The function c -> swizzle(offset + layout(c)). The error of a failed one is layout.err. */
typedef struct ct_composed {
    ct_swizzle swizzle;
    int64_t offset;
    ct_layout layout;
} ct_composed;

/**
 * The composed layout of its parts.
 * Fails:   CT_E_ARGUMENT when the layout reaches a negative offset or has basis strides.
 */
CT_FN ct_composed ct_make_composed(ct_swizzle s, int64_t offset, ct_layout L)
{
    ct_composed c = CT_ZERO;
    c.swizzle = s;
    c.offset = offset;
    c.layout = s.err.status ? ct_layout_fail(s.err) : L;
    if (c.layout.err.status) return c;
    if (!ct_is_integral(L))
        c.layout = ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_COMPOSED, CT_WHY_NOT_INTEGER, 0, 0, 0));
    if (c.layout.err.status) return c;
    /* Below 2^62 a swizzle, which leaves bit 62 and those above alone, stays within 64 bits. */
    int ok = 1;
    const int64_t low = ct_add(offset, ct_lowest(L), &ok);
    const int64_t high = ct_add(low, ct_cosize(L) - 1, &ok);
    if (!ok || high >= INT64_MAX / 2)
        c.layout = ct_layout_fail(
            ct_make_error(CT_E_OVERFLOW, CT_OP_COMPOSED, CT_WHY_OVERFLOW, 0, 0, 0));
    else if (low < 0)
        c.layout = ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_COMPOSED, CT_WHY_NEGATIVE, 0, low, 0));
    return c;
}

/** The swizzled offset of index i; requires as ct_eval. */
CT_FN int64_t ct_composed_eval(ct_composed c, int64_t i)
{
    return ct_swizzle_apply(c.swizzle, c.offset + ct_eval(c.layout, i));
}

/**
 * The swizzled offset of a coordinate.
 * Fails:   as ct_at.
 * Example: at(Sw<2,0,3> o 0 o (8,8):(8,1), (1,2)) == 11
 */
CT_FN ct_tuple ct_composed_at(ct_composed c, ct_tuple coord)
{
    const ct_tuple t = ct_at(c.layout, coord);
    return t.err.status ? t : ct_int(ct_swizzle_apply(c.swizzle, c.offset + t.value[0]));
}

/**
 * One more than the highest offset that the composed layout reaches. A swizzle moves offsets, so this
 * can be more than the cosize of the layout inside.
 *
 * Fails:   CT_E_UNDECIDED when the layout has more than CT_MAX_PROOF coordinates and is not one run of
 *          whole swizzle periods; the error of a failed operand.
 * Cost:    size(L), or O(leaves) where L fills whole periods.
 * Example: cosize(Sw<1,0,1> o 0 o (3):(1)) == 4
 * Example: cosize(Sw<3,4,3> o 0 o (8,64):(64,1)) == 512
 */
CT_FN ct_tuple ct_composed_cosize(ct_composed c)
{
    if (c.layout.err.status) return ct_tuple_fail(c.layout.err);
    const int64_t size = ct_size(c.layout), top = c.offset + ct_cosize(c.layout) - 1;
    const int64_t period = (int64_t)1 << (c.swizzle.bits + c.swizzle.base + (int)ct_abs(c.swizzle.shift));
    ct_layout run = ct_filter(c.layout);
    ct_sort_by_stride(&run);
    run = ct_coalesce(run);
    const int whole = run.profile.leaves == 1 && run.stride[0] == 1; /* every offset up to top */
    if (whole && c.offset % period == 0 && (top + 1) % period == 0) return ct_int(top + 1);
    if (size > CT_MAX_PROOF)
        return ct_tuple_fail(
            ct_make_error(CT_E_UNDECIDED, CT_OP_COSIZE, CT_WHY_PROOF, 0, size, CT_MAX_PROOF));
    int64_t high = 0;
    for (int64_t i = 0; i < size; ++i) high = ct_max(high, ct_composed_eval(c, i));
    return ct_int(high + 1);
}

/**
 * The composed layout over the modes at the `_` of coord, the rest of it moved into the offset.
 *
 * Ensures: R(c) = C(coord with c in the places of `_`).   [law_composed_slice]
 * Fails:   as ct_tensor_slice.
 * Example: slice((_,3), Sw<3,4,3> o 0 o (8,64):(64,1)) == Sw<3,4,3> o 3 o (8):(64)
 */
CT_FN ct_composed ct_composed_slice(ct_tuple coord, ct_composed c)
{
    ct_tensor t = ct_make_tensor(c.layout);
    t = ct_tensor_slice(t, coord);
    if (t.layout.err.status) {
        c.layout = t.layout;
        return c;
    }
    return ct_make_composed(c.swizzle, c.offset + t.offset.value[0], t.layout);
}

/** C o B: the layout inside composed with B.
 *  Example: composition(Sw<1,0,1> o 0 o (4,4):(4,1), 4:2) == Sw<1,0,1> o 0 o (2,2):(8,1) */
CT_FN ct_composed ct_composed_composition(ct_composed c, ct_layout B)
{
    return ct_make_composed(c.swizzle, c.offset, ct_composition(c.layout, B));
}

/** The layout inside composed mode by mode. */
CT_FN ct_composed ct_composed_composition_by(ct_composed c, ct_tiler T)
{
    return ct_make_composed(c.swizzle, c.offset, ct_composition_by(c.layout, T));
}

/** The layout inside divided mode by mode, zipped. */
CT_FN ct_composed ct_composed_zipped_divide_by(ct_composed c, ct_tiler T)
{
    return ct_make_composed(c.swizzle, c.offset, ct_zipped_divide_by(c.layout, T));
}

/**
 * In elements n times as large, n a power of two.
 * Fails:   as upcast of the swizzle and of the layout; CT_E_ARGUMENT when the offset is no multiple.
 * Example: upcast(Sw<3,4,3> o 0 o (8,64):(64,1), 8) == Sw<3,1,3> o 0 o (8,8):(8,1)
 */
CT_FN ct_composed ct_composed_upcast(ct_composed c, int64_t n)
{
    if (c.layout.err.status) return c;
    c.swizzle = ct_swizzle_upcast(c.swizzle, n);
    if (c.swizzle.err.status) c.layout = ct_layout_fail(c.swizzle.err);
    else if (c.offset % n != 0)
        c.layout = ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_ALIGNMENT, 0, c.offset, n));
    else c.layout = ct_upcast(c.layout, n);
    c.offset /= n < 1 ? 1 : n;
    return c;
}

/**
 * In elements a factor n smaller, n a power of two.
 * Example: downcast(Sw<3,1,3> o 0 o (8,8):(8,1), 8) == Sw<3,4,3> o 0 o (8,64):(64,1)
 */
CT_FN ct_composed ct_composed_downcast(ct_composed c, int64_t n)
{
    if (c.layout.err.status) return c;
    return ct_make_composed(ct_swizzle_downcast(c.swizzle, n), c.offset * n, ct_downcast(c.layout, n));
}

#endif
