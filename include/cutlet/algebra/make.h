/**
 * Layouts made from a shape: compact, ordered, like another one, and the identity.
 * Fails:    CT_E_ARGUMENT where the shape is not a tuple of integers of at least 1; CT_E_OVERFLOW
 *           where its size does not fit in 64 bits; a failed operand is the result.
 * Cost:     at most the square of the number of leaves, which is at most CT_MAX_LEAVES; no
 *           allocation.
 */
#ifndef CUTLET_ALGEBRA_MAKE_H
#define CUTLET_ALGEBRA_MAKE_H

#include <cutlet/algebra/layout.h>
#include <cutlet/algebra/shape_ops.h>

/**
 * The strides of the compact layout of a shape in which the first leaf runs fastest; leaves of
 * size 1 get stride 0.
 * Fails:   CT_E_ARGUMENT for a shape below 1; CT_E_OVERFLOW.
 * Example: compact_col_major((4,(2,1,3))) == (1,(4,0,8))
 */
CT_FN ct_tuple ct_compact_col_major(ct_tuple shape)
{
    const ct_error e = ct_shape_check(shape, CT_OP_MAKE_LAYOUT);
    if (e.status) return ct_tuple_fail(e);
    int64_t run = 1;
    CT_FOR(i, shape.profile.leaves)
    {
        const int64_t s = shape.value[i];
        shape.value[i] = s == 1 ? 0 : run;
        run *= s;
    }
    return shape;
}

/**
 * The strides of the compact layout of a shape in which the last leaf runs fastest; leaves of
 * size 1 get stride 0.
 * Fails:   as ct_compact_col_major.
 * Example: compact_row_major((4,(2,1,3))) == (6,(3,0,1))
 */
CT_FN ct_tuple ct_compact_row_major(ct_tuple shape)
{
    const ct_error e = ct_shape_check(shape, CT_OP_MAKE_LAYOUT);
    if (e.status) return ct_tuple_fail(e);
    int64_t run = 1;
    CT_FOR(k, shape.profile.leaves)
    {
        const int i = shape.profile.leaves - 1 - k;
        const int64_t s = shape.value[i];
        shape.value[i] = s == 1 ? 0 : run;
        run *= s;
    }
    return shape;
}

/** @internal The strides of a shape whose modes run in the order of the keys. Modes of one key
 *  follow each other from left to right, or, where `share` is set, all begin at the same stride. */
CT_FN ct_tuple ct_order_strides(ct_tuple shape, ct_tuple order, int share)
{
    const ct_error e = ct_shape_check(shape, CT_OP_ORDERED);
    if (e.status) return ct_tuple_fail(e);
    if (order.err.status) return order;
    const ct_pairs p = ct_profile_pairs(order.profile, shape.profile);
    if (!p.ok || !p.a_integers) return ct_tuple_fail_profile(CT_OP_ORDERED, p.nested_at);
    ct_tuple r = shape;
    CT_FOR(i, p.count)
    {
        int64_t run = 1; /* what runs faster than mode i */
        CT_FOR(k, p.count)
        {
            const int before = order.value[k] == order.value[i] && k < i && !share;
            if (order.value[k] < order.value[i] || before)
                run *= ct_product(ct_tuple_pair_b(shape, p, k));
        }
        CT_FOR(leaf, shape.profile.leaves)
        {
            if (leaf >= p.b[i] && leaf < p.b[i + 1]) {
                const int64_t s = shape.value[leaf];
                r.value[leaf] = s == 1 ? 0 : run;
                run *= s;
            }
        }
    }
    return r;
}

/**
 * The strides of the compact layout of a shape, with its modes in the order of the keys. The
 * smallest key runs fastest, equal keys from left to right. A mode that is a tuple opposite a
 * single key is column-major inside.
 *
 * Fails:   CT_E_ARGUMENT when order does not fit the shape; as ct_compact_col_major.
 * Example: compact_order((2,3,4,5), (3,1,4,2)) == (15,1,30,3)
 * Example: compact_order((2,3), (7,7)) == (1,2)
 */
CT_FN ct_tuple ct_compact_order(ct_tuple shape, ct_tuple order)
{
    return ct_order_strides(shape, order, 0);
}

/**
 * The compact column-major layout of a shape: the first leaf runs fastest.
 * Example: make_col_major((4,(2,3))) == (4,(2,3)):(1,(4,8))
 */
CT_FN ct_layout ct_make_col_major(ct_tuple shape)
{
    return ct_make_layout(shape, ct_compact_col_major(shape));
}

/**
 * The compact row-major layout of a shape: the last leaf runs fastest.
 * Example: make_row_major((4,8)) == (4,8):(8,1)
 */
CT_FN ct_layout ct_make_row_major(ct_tuple shape)
{
    return ct_make_layout(shape, ct_compact_row_major(shape));
}

/**
 * The compact layout of a shape whose modes run in the order of the keys; see ct_compact_order.
 * Example: make_ordered_layout((2,2,2,2), (0,2,3,1)) == (2,2,2,2):(1,4,8,2)
 */
CT_FN ct_layout ct_make_ordered_layout(ct_tuple shape, ct_tuple order)
{
    return ct_make_layout(shape, ct_compact_order(shape, order));
}

/**
 * The compact layout with the shape of L whose modes run in the order of the strides of L. Modes of
 * stride 0 keep it, and modes of equal strides, which overlap in L, still overlap.
 * Fails:   CT_E_ARGUMENT when L has basis strides.
 * Example: make_layout_like((2,3,4,5):(0,42,1,0)) == (2,3,4,5):(0,4,1,0)
 */
CT_FN ct_layout ct_make_layout_like(ct_layout L)
{
    const ct_error bad = ct_integral_check(&L, CT_OP_ORDERED);
    if (bad.status) return ct_layout_fail(bad);
    ct_tuple shape = ct_shape(L), keys = ct_stride(L);
    CT_FOR(i, L.profile.leaves)
    {
        if (L.stride[i] == 0) shape.value[i] = 1;
        keys.value[i] = ct_abs(L.stride[i]);
    }
    return ct_make_layout(ct_shape(L), ct_order_strides(shape, keys, 1));
}

/**
 * The compact layout of a register fragment of the shape of L. Mode 0 is column-major and fastest;
 * the other modes follow in the order of the strides of L. From rank 2 on, modes of stride 0 keep
 * it. A layout of rank 1 becomes column-major.
 * Fails:   CT_E_ARGUMENT when L has basis strides.
 * Example: make_fragment_like(((4,2),8):((8,64),1)) == ((4,2),8):((1,4),8)
 */
CT_FN ct_layout ct_make_fragment_like(ct_layout L)
{
    const ct_error bad = ct_integral_check(&L, CT_OP_ORDERED);
    if (bad.status) return ct_layout_fail(bad);
    if (ct_layout_rank(L) <= 1) return ct_make_col_major(ct_shape(L));
    ct_tuple shape = ct_shape(L), keys = ct_stride(L);
    const int first = ct_profile_mode_span(L.profile, 0).count;
    CT_FOR(i, L.profile.leaves)
    {
        if (L.stride[i] == 0) shape.value[i] = 1;
        keys.value[i] = i < first ? 0 : ct_max(1, ct_abs(L.stride[i]));
    }
    return ct_make_layout(ct_shape(L), ct_compact_order(shape, keys));
}

/**
 * The layout that maps each coordinate to itself: basis strides, one for each leaf.
 * Fails:   CT_E_CAPACITY when the shape nests deeper than CT_MAX_DEPTH.
 * Example: make_identity_layout((4,(2,3))) == (4,(2,3)):(1@0,(1@0@1,1@1@1))
 */
CT_FN ct_layout ct_make_identity_layout(ct_tuple shape)
{
    return ct_make_layout(shape, ct_basis_like(shape));
}

#endif
