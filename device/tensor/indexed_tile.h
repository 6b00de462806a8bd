/**
 * Tiles of fewer coordinates than the tensor has, and of coordinates that memory names: a limit on the rows of a tile, and
 * rows that an index gathers or scatters.
 *
 * Fails:    Nothing here makes an access; the copy does.
 * Cost:     No memory traffic before the copy.
 * In a kernel:
 *           // args.src: in as a matrix (32,32):(32,1), of which rows 8 to 11 are taken, three of them
 *           CT_STATIC(ct_tiled_copy, rows,
 *                     ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1),
 *                                        ct_layout2(1, 4, 4, 1)));
 *           CT_STATIC(ct_partition, P,
 *                     ct_make_predicated_partition(rows, ct_tuple2(4, 32), ct_in_global(1),
 *                                                  ct_in_registers()));
 *           CT_FRAGMENT(float, v, 4);
 *           const ct_view tile = ct_view_tile(&args.src, &P, ct_index2(2, 0));
 *           ct_copy(&P, ct_view_limit(tile, 0, 3), ct_view_registers(v));
 *           assert(v[0] == (threadIdx.x < 24 ? (float)(32 * (8 + threadIdx.x / 8) + 4 * (threadIdx.x % 8)) : 0.0f));
 * Used by:  examples/paged_gather.cu
 */
#ifndef CUTLET_DEVICE_TENSOR_INDEXED_TILE_H
#define CUTLET_DEVICE_TENSOR_INDEXED_TILE_H

#include <cutlet/device/tensor/tile.h>

/**
 * The tile with at most n coordinates along an axis, from its first on: those after them are out of
 * bounds, as past the end of the tensor. So a kernel limits rows by a number known at launch.
 * Used by:  tests/copy/test_halos.c
 */
CT_DEVICE ct_view ct_view_limit(ct_view v, const int axis, const int64_t n)
{
    v.whole = v.whole && (!v.is_taken || n >= v.by->tile[axis]);
    v.left[axis] = n < v.left[axis] ? n : v.left[axis];
    return v;
}

/** @internal Why an axis of a partition's tile has no index; CT_OK if it may have one. */
CT_FN ct_error ct_index_of_refusal(const ct_partition *P, const ct_view *v, int axis)
{
    const ct_error none = CT_ZERO;
    const int inside = (P->src.space == CT_SPACE_GLOBAL && P->src.axis == axis) ||
                       (P->dst.space == CT_SPACE_GLOBAL && P->dst.axis == axis);
    if (P->predicated && v->space == CT_SPACE_GLOBAL && !v->of_thread && !inside) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_INDEXED, axis, 0, 0);
}

/**
 * The tile with an axis whose coordinates are in memory, a gather or a scatter: coordinate c of the
 * tensor along it is index[c], for c from the tile's first on and less than n. What is not a
 * coordinate of the tensor, such as -1, reads as zero and is not written. With pages as an axis, the
 * index is a page table.
 *
 * Ensures:  as ct_make_predicated_partition, of the tensor whose axis has the coordinates index[c]
 *           [test_gathers]
 * Fails:    the CPU grid ends the launch for a partition that is not predicated, for a thread's part,
 *           and for the axis along which accesses lie.
 * Cost:     a load of 4 bytes for each access whose coordinate differs from the one before.
 * Used by:  examples/paged_gather.cu
 */
CT_DEVICE ct_view ct_view_indexed(const ct_partition *P, ct_view v, const int axis,
                                  const int32_t *index, const int64_t n)
{
    CT_REFUSE("indexed tile", ct_index_of_refusal(P, &v, axis));
    v.index = index;
    v.indexed = axis + 1;
    v.rows = ct_clamp32(v.first[axis] + v.left[axis]);
    v.left[axis] = n - v.first[axis];
    return ct_view_by(P, v);
}

#define ct_view_indexed(...) CT_CALL(ct_view_indexed, __VA_ARGS__)

#endif
