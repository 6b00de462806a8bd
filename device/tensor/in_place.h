/**
 * Updates in place: whether a kernel may store tiles to a tensor while it loads tiles of another one, without a barrier
 * between its threads. The host asks before the launch.
 *
 * It may if the memory of both is disjoint. In place it may if each element of the destination is that of the source: the
 * thread that loads an element stores it. A destination that is shifted against the source is neither.
 *
 * Cost:     O(axes), on the host.
 * In a kernel:
 *           // args.dst: out as a matrix (32,32):(32,1)
 *           CT_STATIC(ct_tiled_copy, rows,
 *                     ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1),
 *                                        ct_layout2(1, 4, 4, 1)));
 *           CT_STATIC(ct_partition, P, ct_make_partition(rows, ct_tuple2(8, 32), ct_in_global(1),
 *                                                         ct_in_registers()));
 *           assert(ct_check_in_place(&P, &args.dst, &args.dst).status == CT_OK);
 *           assert(ct_check_in_place(&P, &args.src, &args.dst).status == CT_OK);
 *           ct_global shifted = args.dst;
 *           shifted.at += 4; // an element
 *           assert(ct_check_in_place(&P, &args.dst, &shifted).why == CT_WHY_IN_PLACE);
 */
#ifndef CUTLET_DEVICE_TENSOR_IN_PLACE_H
#define CUTLET_DEVICE_TENSOR_IN_PLACE_H

#include <cutlet/device/tensor/tile.h>

/** @internal The bytes from a tensor's first element to the lowest (end 0), or past the highest one (end 1). */
CT_FN int64_t ct_global_end(const ct_global *g, int end)
{
    int64_t at = end ? g->elem_bits : 0;
    for (int a = 0; a < g->axes; ++a) {
        const int64_t by = g->step[a] * (g->extent[a] - 1);
        if ((by > 0) == (end == 1)) at += g->elem_bits < 8 ? by : 8 * by;
    }
    return end ? (at + 7) >> 3 : at >> 3;
}

/**
 * Whether tiles of src may be loaded by a partition and stored, changed, to dst by the same threads.
 *
 * Ensures:  where it is CT_OK, such a copy has no race, and dst(c) comes from src(c) as it was   [test_in_place]
 * Fails:    CT_E_ARGUMENT if the memory between the first and the last element of both overlaps, and they are not the
 *           same tensor; or if they are, and misaligned: a load of a partition that is not predicated then reads bytes of
 *           its neighbours.
 */
CT_FN ct_error ct_check_in_place(const ct_partition *load, const ct_global *src,
                                 const ct_global *dst)
{
    const int64_t by = (int64_t)((intptr_t)dst->at - (intptr_t)src->at);
    const int32_t bytes = load->src.width * load->elem_bits / 8;
    ct_error e = src->err.status ? src->err : dst->err;
    int same = by == 0 && src->axes == dst->axes && src->elem_bits == dst->elem_bits;
    if (e.status) return e;
    for (int a = 0; a < src->axes; ++a)
        same = same && src->extent[a] == dst->extent[a] && src->step[a] == dst->step[a];
    const int before = by + ct_global_end(dst, 1) <= ct_global_end(src, 0);
    if (before || by + ct_global_end(dst, 0) >= ct_global_end(src, 1)) return e;
    if (!same) e = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_IN_PLACE, 0, by, 0);
    else if (!load->predicated && src->align < bytes)
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_IN_PLACE_LOADS, 0, src->align, bytes);
    return e;
}

#endif
