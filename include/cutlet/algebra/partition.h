/**
 * Tiles and partitions: the part of a tensor that a block or a thread works on. They take tensors
 * only, as the result has an offset; a layout becomes a tensor by ct_make_tensor.
 *
 * Fails:    as zipped_divide and slice; a failed operand is the result.
 * Cost:     that of a zipped divide and a slice.
 */
#ifndef CUTLET_ALGEBRA_PARTITION_H
#define CUTLET_ALGEBRA_PARTITION_H

#include <cutlet/algebra/divide.h>
#include <cutlet/algebra/tensor.h>

/** @internal Makes the zero tensor r the tensor t divided by the tiler: the tile (inner) or the
 *  rest. */
CT_FN void ct_partition_tensor(ct_tensor *r, const ct_tensor *t, const ct_tiler *T,
                               const ct_tuple *coord, int inner, int32_t op)
{
    r->layout.err = t->layout.err.status ? t->layout.err : coord->err;
    if (r->layout.err.status) return;
    if (ct_tiler_count(*T) == 0 && T->tiles.err.status == CT_OK) { /* each element is a tile */
        const ct_tuple all = ct_pad_any(*coord, inner ? ct_layout_rank(t->layout) : 0);
        const ct_tuple kept = ct_repeat_any(ct_layout_rank(t->layout));
        ct_slice_tensor(r, t, &t->layout, inner ? &all : &kept);
        if (!inner && coord->profile.leaves > 0)
            r->layout.err =
                ct_make_error(CT_E_ARGUMENT, op, CT_WHY_RANK, 0, 0, ct_tuple_rank(*coord));
        if (r->layout.err.status) r->layout.err.op = op;
        return;
    }
    ct_layout z = CT_ZERO;
    ct_divide_zipped(&z, &t->layout, T);
    r->layout.err = z.err;
    if (z.err.status) return;
    const int rank0 = ct_part_rank(ct_part_mode(ct_whole(&z), 0));
    const int rank1 = ct_part_rank(ct_part_mode(ct_whole(&z), 1));
    const ct_tuple keep = ct_repeat_any(inner ? rank0 : rank1);
    const ct_tuple at = ct_pad_any(*coord, inner ? rank1 : rank0);
    ct_tuple full = CT_ZERO;
    ct_tuple_push_next(&full, inner ? &keep : &at);
    ct_tuple_push_next(&full, inner ? &at : &keep);
    ct_slice_tensor(r, t, &z, &full);
    if (r->layout.err.status == CT_OK) return;
    if (inner) r->layout.err.mode -= rank0; /* the caller's coordinate comes second */
    r->layout.err.op = op;
}

/** @internal ct_local_tile by value. */
CT_FN ct_tensor ct_partition_by(ct_tensor t, ct_tiler T, ct_tuple coord, int inner, int32_t op)
{
    ct_tensor r = CT_ZERO;
    ct_partition_tensor(&r, &t, &T, &coord, inner, op);
    return r;
}

/**
 * The tile at a coordinate: the tensor divided by the tiler, sliced among the tiles. `_` in the
 * coordinate keeps a mode of tiles.
 *
 * Ensures:  over all coordinates each element is met once.   [law_tiles]
 * Fails:    as zipped_divide; CT_E_DOMAIN when there is no such tile.
 * Example:  inner_partition((8,8):(8,1), (2,4), (1,0)) == 16@(2,4):(8,1)
 * Example:  inner_partition(Sw<1,0,2> o 3 o (8,8):(8,1), (2,4), (1,0))
 *               == Sw<1,0,2> o 19 o (2,4):(8,1)
 */
CT_FN ct_tensor ct_inner_partition(ct_tensor t, ct_tiler T, ct_tuple coord)
{
    return ct_partition_by(t, T, coord, 1, CT_OP_PARTITION);
}

/**
 * One coordinate of every tile: the tensor divided by the tiler, sliced inside the tile.
 * Ensures:  over all coordinates each element is met once.   [law_tiles]
 * Fails:    as zipped_divide; CT_E_DOMAIN when the coordinate lies outside the tile.
 * Example:  outer_partition((8,8):(8,1), (2,4), (1,0)) == 8@(4,2):(16,4)
 */
CT_FN ct_tensor ct_outer_partition(ct_tensor t, ct_tiler T, ct_tuple coord)
{
    return ct_partition_by(t, T, coord, 0, CT_OP_OUTER_PARTITION);
}

/**
 * The tile of a block: inner_partition under the name that kernels use.
 * Fails:    as ct_inner_partition.
 * Example:  local_tile((8,8):(8,1), (2,4), (1,1)) == 20@(2,4):(8,1)
 * Example:  local_tile((8,8):(8,1), (2,4), (1,_)) == 16@(2,4,2):(8,1,4)
 * Example:  local_tile(local_tile((64,8):(8,1), (8,8), (1,0)), (2,4), (1,1)) == 84@(2,4):(8,1)
 */
CT_FN ct_tensor ct_local_tile(ct_tensor t, ct_tiler T, ct_tuple coord)
{
    return ct_partition_by(t, T, coord, 1, CT_OP_LOCAL_TILE);
}

/** @internal Why a thread layout gives an index to no coordinate, from what ct_coordinate_of says. */
CT_FN ct_error ct_thread_error(const ct_layout *thr, ct_error e)
{
    int64_t threads = 1;
    CT_FOR(i, thr->profile.leaves)
    {
        if (thr->stride[i] != 0) threads *= thr->shape[i];
    }
    e.op = CT_OP_LOCAL_PARTITION;
    if (e.why != CT_WHY_NO_OFFSET) return e;
    if (e.n[1] == 0 && e.n[2] == threads - 1)
        return ct_make_error(CT_E_DOMAIN, e.op, CT_WHY_THREAD, 0, e.n[0], threads);
    e.why = e.n[0] > e.n[1] && e.n[0] < e.n[2] ? CT_WHY_THREAD_GAP : CT_WHY_THREAD_PAST;
    return e;
}

/**
 * The coordinate, one integer for each mode, that a thread layout gives to an index. Threads may
 * have gaps between them, as those of a quad pair have.
 * Fails:    CT_E_DOMAIN where the layout gives the index to no coordinate, or to several other than by
 *           a stride of 0; as hier_coord.
 * Cost:     O(leaves) divisions.
 * In C:     const ct_tuple at = ct_thread_coord(ct_layout2(4, 8, 8, 1), 10);
 *           assert(ct_tuple_equal(at, ct_tuple2(1, 2)));
 *           const ct_layout pair = ct_layout2(4, 2, 1, 16); // threads 0 to 3 and 16 to 19
 *           assert(ct_tuple_equal(ct_thread_coord(pair, 17), ct_tuple2(1, 1)));
 *           assert(ct_thread_coord(pair, 4).err.status == CT_E_DOMAIN);
 */
CT_FN ct_tuple ct_thread_coord(ct_layout thr, int64_t index)
{
    if (thr.err.status) return ct_tuple_fail(thr.err);
    const ct_tuple hier = ct_coordinate_of(&thr, index, 1);
    if (hier.err.status) return ct_tuple_fail(ct_thread_error(&thr, hier.err));
    ct_tuple r = CT_ZERO;
    int level = 0, mode = 0;
    int64_t index_in_mode = 0, run = 1;
    CT_FOR(i, thr.profile.leaves)
    {
        level += thr.profile.open[i];
        level -= thr.profile.close[i];
        index_in_mode += run * hier.value[i];
        run *= thr.shape[i];
        if (level <= 1) {
            r.value[mode] = index_in_mode;
            ++mode;
            index_in_mode = 0;
            run = 1;
        }
    }
    r.profile = ct_profile_flat(mode);
    return r;
}

/**
 * The elements of a thread when the threads, laid out as thr, cover the tensor repeatedly: one
 * element in each tile of the shape of thr.
 *
 * Ensures:  over all indices of thr, each element that the shape of thr reaches evenly is in
 *           exactly one part.   [law_local_partition]
 * Fails:    CT_E_DOMAIN when thr has no such index; as zipped_divide.
 * Example:  local_partition((128,16):(1,128), (8,4):(4,1), 7) == 385@(16,4):(8,512)
 * Example:  local_partition((12,2):(1,12), (12,2):(1,16), 16) == 12@(1,1):(0,0)
 * Example:  local_partition(local_tile((64,8):(8,1), (8,8), (1,0)), (4,2):(2,1), 3)
 *               == 73@(2,4):(32,2)
 * Source:   CUTLASS docs, 03_tensor.
 */
CT_FN ct_tensor ct_local_partition(ct_tensor t, ct_layout thr, int64_t index)
{
    if (t.layout.err.status) return t;
    if (thr.err.status) return ct_tensor_fail(thr.err);
    const ct_tuple coord = ct_thread_coord(thr, index);
    if (coord.err.status) return ct_tensor_fail(coord.err);
    const ct_tiler tile = ct_tiler_of_shape(ct_mode_sizes(&thr));
    ct_tensor r = CT_ZERO;
    ct_partition_tensor(&r, &t, &tile, &coord, 0, CT_OP_LOCAL_PARTITION);
    return r;
}

#endif
