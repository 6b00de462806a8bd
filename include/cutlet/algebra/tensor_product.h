/**
 * Tensors repeated and rearranged: products, tile_to_shape, and operations that select modes.
 *
 * Each is the operation on layouts of the same name, and keeps the tensor's offset and swizzle. A
 * swizzle applies to offsets, so the copies of a swizzled block are swizzled too. Each fails as the
 * operation on layouts does, and as ct_tensor_with where the layout leaves the range of the
 * swizzle.
 *
 * Fails:    as the operation on layouts; CT_E_ARGUMENT or CT_E_OVERFLOW where the new layout leaves
 *           the range of the swizzle; a failed operand is the result.
 * Cost:     that of the operation on layouts.
 */
#ifndef CUTLET_ALGEBRA_TENSOR_PRODUCT_H
#define CUTLET_ALGEBRA_TENSOR_PRODUCT_H

#include <cutlet/algebra/layout_ops.h>
#include <cutlet/algebra/product.h>
#include <cutlet/algebra/tensor.h>

/**
 * The tensor repeated in the pattern of B: (block, copies).
 * Ensures:  mode 0 of R is T.   [law_tensor_product]
 * Example:  logical_product(Sw<1,0,2> o 0 o (2,4):(4,1), 3:1)
 *               == Sw<1,0,2> o 0 o ((2,4),3):((4,1),8)
 */
CT_FN ct_tensor ct_tensor_logical_product(ct_tensor t, ct_layout B)
{
    return ct_tensor_with(t, ct_logical_product(t.layout, B));
}

/**
 * The product mode by mode of a tiler.
 * Example:  logical_product(3@(4,8):(1,4), <2:1,3:1>) == 3@((4,2),(8,3)):((1,4),(4,1))
 */
CT_FN ct_tensor ct_tensor_logical_product_by(ct_tensor t, ct_tiler T)
{
    return ct_tensor_with(t, ct_logical_product_by(t.layout, T));
}

/**
 * (block, copies); by a layout, zipped is the same as logical.
 * Example:  zipped_product(3@(2,2):(4,1), (2,3):(1,2)) == 3@((2,2),(2,3)):((4,1),(2,8))
 */
CT_FN ct_tensor ct_tensor_zipped_product(ct_tensor t, ct_layout B)
{
    return ct_tensor_with(t, ct_zipped_product(t.layout, B));
}

/** ((block ...), (copies ...)).
 *  Example: zipped_product(3@(4,8):(1,4), <2:1,3:1>) == 3@((4,8),(2,3)):((1,4),(4,1)) */
CT_FN ct_tensor ct_tensor_zipped_product_by(ct_tensor t, ct_tiler T)
{
    return ct_tensor_with(t, ct_zipped_product_by(t.layout, T));
}

/**
 * (block, copies modes ...).
 * Example:  tiled_product(3@(2,2):(4,1), (2,3):(1,2)) == 3@((2,2),2,3):((4,1),2,8)
 */
CT_FN ct_tensor ct_tensor_tiled_product(ct_tensor t, ct_layout B)
{
    return ct_tensor_with(t, ct_tiled_product(t.layout, B));
}

/**
 * ((block ...), copies, copies, ...).
 * Example:  tiled_product(3@(4,8):(1,4), <2:1,3:1>) == 3@((4,8),2,3):((1,4),4,1)
 */
CT_FN ct_tensor ct_tensor_tiled_product_by(ct_tensor t, ct_tiler T)
{
    return ct_tensor_with(t, ct_tiled_product_by(t.layout, T));
}

/**
 * (block modes ..., copies modes ...).
 * Example:  flat_product(3@(2,2):(4,1), (2,3):(1,2)) == 3@(2,2,2,3):(4,1,2,8)
 */
CT_FN ct_tensor ct_tensor_flat_product(ct_tensor t, ct_layout B)
{
    return ct_tensor_with(t, ct_flat_product(t.layout, B));
}

/**
 * (block, block, ..., copies, copies, ...).
 * Example:  flat_product(3@(4,8):(1,4), <2:1,3:1>) == 3@(4,8,2,3):(1,4,4,1)
 */
CT_FN ct_tensor ct_tensor_flat_product_by(ct_tensor t, ct_tiler T)
{
    return ct_tensor_with(t, ct_flat_product_by(t.layout, T));
}

/**
 * The product by rank, each copy of the block in one piece.
 * Ensures:  mode (k,0) of R is mode k of T.   [law_tensor_product]
 * Example:  blocked_product(Sw<1,0,2> o 0 o (2,4):(4,1), (2,1))
 *               == Sw<1,0,2> o 0 o ((2,2),(4,1)):((4,8),(1,0))
 */
CT_FN ct_tensor ct_tensor_blocked_product(ct_tensor t, ct_layout B)
{
    return ct_tensor_with(t, ct_blocked_product(t.layout, B));
}

/**
 * The product by rank, the copies interleaved.
 * Example:  raked_product(3@(2,5):(5,1), (3,4):(1,3)) == 3@((3,2),(4,5)):((10,5),(30,1))
 */
CT_FN ct_tensor ct_tensor_raked_product(ct_tensor t, ct_layout B)
{
    return ct_tensor_with(t, ct_raked_product(t.layout, B));
}

/**
 * The block repeated until it has the given shape: how the layout of a tile in shared memory is
 * made of a swizzled block.
 * Ensures:  mode (k,0) of R is mode k of T, and mode k has the size of mode k of the
 *           shape.   [law_tensor_product]
 * Example:  tile_to_shape(Sw<3,3,3> o 0 o (8,64):(64,1), (16,128), (0,1))
 *               == Sw<3,3,3> o 0 o ((8,2),(64,2)):((64,512),(1,1024))
 * Source:   CuTe, swizzle_layout.hpp.
 */
CT_FN ct_tensor ct_tensor_tile_to_shape(ct_tensor t, ct_tuple shape, ct_tuple order)
{
    return ct_tensor_with(t, ct_tile_to_shape(t.layout, shape, order));
}

/** Mode k of the tensor, from its first element.
 *  Example: get(Sw<3,3,3> o 0 o (8,64):(64,1), 1) == Sw<3,3,3> o 0 o 64:1 */
CT_FN ct_tensor ct_tensor_mode(ct_tensor t, int k)
{
    return ct_tensor_with(t, ct_mode(t.layout, k));
}

/** The modes that a tuple names, in that order.
 *  Example: select(5@(2,3,4):(1,2,6), (2,0)) == 5@(4,2):(6,1) */
CT_FN ct_tensor ct_tensor_select(ct_tensor t, ct_tuple modes)
{
    return ct_tensor_with(t, ct_layout_select(t.layout, modes));
}

/**
 * The modes [first, last) of the tensor.
 * Example:  take(5@(2,3,4):(1,2,6), 1, 3) == 5@(3,4):(2,6)
 */
CT_FN ct_tensor ct_tensor_take(ct_tensor t, int first, int last)
{
    return ct_tensor_with(t, ct_layout_take(t.layout, first, last));
}

/** The tensor with the modes [first, last) made into one mode.
 *  Example: group(5@(2,3,4):(1,2,6), 0, 2) == 5@((2,3),4):((1,2),6) */
CT_FN ct_tensor ct_tensor_group(ct_tensor t, int first, int last)
{
    return ct_tensor_with(t, ct_layout_group(t.layout, first, last));
}

/** The leaves as modes.
 *  Example: flatten(Sw<3,3,3> o 0 o (8,(2,32)):(64,(32,1)))
 *               == Sw<3,3,3> o 0 o (8,2,32):(64,32,1) */
CT_FN ct_tensor ct_tensor_flatten(ct_tensor t)
{
    return ct_tensor_with(t, ct_layout_flatten(t.layout));
}

/** The tensor without modes of stride 0 and of size 1: the same elements.
 *  Example: filter(Sw<1,0,2> o 3 o (2,3,4):(1,0,2)) == Sw<1,0,2> o 3 o 8:1 */
CT_FN ct_tensor ct_tensor_filter(ct_tensor t) { return ct_tensor_with(t, ct_filter(t.layout)); }

/**
 * The tensor filtered mode by mode of a profile.
 * Example:  filter(5@(2,(1,6)):(0,(6,2)), (1,1)) == 5@(1,6):(0,2)
 */
CT_FN ct_tensor ct_tensor_filter_by(ct_tensor t, ct_tuple profile)
{
    return ct_tensor_with(t, ct_filter_by(t.layout, profile));
}

/** The leaves in ascending order of their strides.
 *  Example: sort(5@(2,4):(4,1)) == 5@(4,2):(1,4) */
CT_FN ct_tensor ct_tensor_sort(ct_tensor t) { return ct_tensor_with(t, ct_sort(t.layout)); }

/** The tensor without modes of size 1.
 *  Example: squeeze(5@(2,1,4):(4,9,1)) == 5@(2,4):(4,1) */
CT_FN ct_tensor ct_tensor_squeeze(ct_tensor t) { return ct_tensor_with(t, ct_squeeze(t.layout)); }

/** The modes in reverse order.
 *  Example: reverse(Sw<3,3,3> o 0 o (8,64):(64,1)) == Sw<3,3,3> o 0 o (64,8):(1,64) */
CT_FN ct_tensor ct_tensor_reverse(ct_tensor t)
{
    return ct_tensor_with(t, ct_layout_reverse(t.layout));
}

#endif
