/**
 * Tiles and partitions: the part of a tensor that a block or a thread works on.
 */
#ifndef CUTLET_PARTITION_H
#define CUTLET_PARTITION_H

#include "divide.h"
#include "tensor.h"

/** The tensor divided by the tiler, with the tile kept (inner) or the rest kept (outer). */
CT_FN ct_tensor ct_partition_by(ct_tensor t, ct_tiler T, ct_tuple coord, int inner, int32_t op)
{
    if (t.layout.err.status) return t;
    if (coord.err.status) return ct_tensor_fail(coord.err);
    ct_tensor z = t;
    z.layout = ct_zipped_divide_by(t.layout, T);
    if (z.layout.err.status) return ct_tensor_fail(z.layout.err);
    const int rank0 = ct_layout_rank(ct_mode(z.layout, 0));
    const int rank1 = ct_layout_rank(ct_mode(z.layout, 1));
    const ct_tuple keep = ct_repeat_any(inner ? rank0 : rank1);
    const ct_tuple at = ct_pad_any(coord, inner ? rank1 : rank0);
    const ct_tuple full = inner ? ct_concat(ct_wrap(keep), ct_wrap(at))
                                : ct_concat(ct_wrap(at), ct_wrap(keep));
    ct_tensor r = ct_tensor_slice(z, full);
    if (r.layout.err.status) r.layout.err.op = op;
    return r;
}

/**
 * The tile at a coordinate: the tensor divided by the tiler, sliced among the tiles. `_` in the
 * coordinate keeps a mode of tiles.
 *
 * Ensures:  over all coordinates each element is met once.   [law_tiles]
 * Fails:    as zipped_divide; CT_E_DOMAIN when there is no such tile.
 * Example:  inner_partition((8,8):(8,1), (2,4), (1,0)) == 16@(2,4):(8,1)
 * Example:  inner_partition(Sw<1,0,2> o 3 o (8,8):(8,1), (2,4), (1,0)) == Sw<1,0,2> o 19 o (2,4):(8,1)
 */
CT_FN ct_tensor ct_inner_partition(ct_tensor t, ct_tiler T, ct_tuple coord)
{
    return ct_partition_by(t, T, coord, 1, CT_OP_PARTITION);
}

/**
 * The same place in every tile: the tensor divided by the tiler, sliced inside the tile.
 * Ensures:  over all coordinates each element is met once.   [law_tiles]
 * Fails:    as zipped_divide; CT_E_DOMAIN when the coordinate lies outside the tile.
 * Example:  outer_partition((8,8):(8,1), (2,4), (1,0)) == 8@(4,2):(16,4)
 */
CT_FN ct_tensor ct_outer_partition(ct_tensor t, ct_tiler T, ct_tuple coord)
{
    return ct_partition_by(t, T, coord, 0, CT_OP_PARTITION);
}

/**
 * The tile of a block: what inner_partition gives, under the name that kernels use.
 * Fails:    as ct_inner_partition.
 * Example:  local_tile((8,8):(8,1), (2,4), (1,1)) == 20@(2,4):(8,1)
 * Example:  local_tile((8,8):(8,1), (2,4), (1,_)) == 16@(2,4,2):(8,1,4)
 * Example:  local_tile(local_tile((64,8):(8,1), (8,8), (1,0)), (2,4), (1,1)) == 84@(2,4):(8,1)
 */
CT_FN ct_tensor ct_local_tile(ct_tensor t, ct_tiler T, ct_tuple coord)
{
    return ct_partition_by(t, T, coord, 1, CT_OP_LOCAL_TILE);
}

/** The coordinate, one integer for each mode, that a thread layout gives to an index. */
CT_FN ct_tuple ct_thread_coord(ct_layout thr, int64_t index)
{
    const ct_tuple hier = ct_hier_coord(thr, index);
    if (hier.err.status) {
        ct_error e = hier.err;
        if (e.status == CT_E_DOMAIN) {
            e = ct_make_error(CT_E_DOMAIN, CT_OP_LOCAL_PARTITION, CT_WHY_THREAD, 0, index, ct_size(thr));
        }
        return ct_tuple_fail(e);
    }
    ct_tuple r = ct_tuple0();
    CT_FOR(k, ct_layout_rank(thr)) {
        const ct_tuple i = ct_crd2idx(ct_get(hier, k), ct_get(ct_shape(thr), k));
        r = ct_append(r, i);
    }
    return r;
}

/**
 * The elements that a thread gets when the threads, laid out as thr, cover the tensor again and again:
 * one place in each tile of the shape of thr.
 *
 * Ensures:  over all indices of thr, each element that the shape of thr reaches evenly is in exactly
 *           one part.   [law_local_partition]
 * Fails:    CT_E_DOMAIN when thr has no such index; as zipped_divide.
 * Example:  local_partition((128,16):(1,128), (8,4):(4,1), 7) == 385@(16,4):(8,512)
 * Example:  local_partition(local_tile((64,8):(8,1), (8,8), (1,0)), (4,2):(2,1), 3) == 73@(2,4):(32,2)
 * Source:   CUTLASS docs, 03_tensor.
 */
CT_FN ct_tensor ct_local_partition(ct_tensor t, ct_layout thr, int64_t index)
{
    if (t.layout.err.status) return t;
    if (thr.err.status) return ct_tensor_fail(thr.err);
    const ct_tuple coord = ct_thread_coord(thr, index);
    if (coord.err.status) return ct_tensor_fail(coord.err);
    return ct_partition_by(t, ct_tiler_of_shape(ct_product_each(ct_shape(thr))), coord, 0,
                           CT_OP_LOCAL_PARTITION);
}

#endif
