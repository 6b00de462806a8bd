/**
 * Launches with whole tiles only: the host checks this, and threads check no bounds.
 *
 *     args.step = ct_whole_step(&in, &out, &args.src, &args.dst);               on the host
 *
 *     if (args.step) {                                                          in the kernel
 *         from = ct_view_whole(&in, &in.src, &args.src, args.step, x, y, threadIdx.x);
 *         to = ct_view_whole(&out, &out.dst, &args.dst, args.step, x, y, threadIdx.x);
 *     }
 *
 * Both tensors are matrices of one order and one leading dimension, which fits in 31 bits. So a
 * thread computes one offset for both.
 *
 * In a kernel:
 *           // args.src and args.dst: in and out as matrices (32,32):(32,1)
 *           CT_STATIC(ct_tiled_copy, rows,
 *                     ct_make_tiled_copy(ct_copy_atom_universal(128, 32), ct_layout2(4, 8, 8, 1),
 *                                        ct_layout2(1, 4, 4, 1)));
 *           CT_STATIC(ct_partition, load, ct_make_partition(rows, ct_tuple2(16, 32),
 *                                                         ct_in_global(1), ct_in_registers()));
 *           CT_STATIC(ct_partition, put, ct_make_partition(rows, ct_tuple2(16, 32),
 *                                                          ct_in_registers(), ct_in_global(1)));
 *           const int32_t step = ct_whole_step(&load, &put, &args.src, &args.dst); // on the host
 *           CT_FRAGMENT(float, v, 16);
 *           assert(step == 128);
 *           ct_copy(&load, ct_view_whole(&load, &load.src, &args.src, step, 0, 1, threadIdx.x),
 *                   ct_view_registers(v));
 *           assert(v[0] == (float)(16 * 32 + 4 * threadIdx.x)); // from row 16 on
 *           ct_copy(&put, ct_view_registers(v),
 *                   ct_view_whole(&put, &put.dst, &args.dst, step, 0, 1, threadIdx.x));
 */
#ifndef CUTLET_DEVICE_STAGED_WHOLE_TILES_H
#define CUTLET_DEVICE_STAGED_WHOLE_TILES_H

#include <cutlet/device/copy/access.h>

/** @internal Whether all accesses of a side are contiguous and aligned in a tensor. */
CT_FN int ct_side_fits(const ct_partition *P, const ct_side *side, const ct_global *g)
{
    const int32_t bytes = ct_access_bytes(P, side);
    return g->axis == side->axis && (bytes == P->elem_bits / 8 || g->align >= bytes);
}

/**
 * The leading dimension of both tensors in bytes if no bounds checks are needed, otherwise 0. None
 * are needed if a copy by `in` from src and by `out` to dst has only whole tiles and aligned
 * accesses, and its numbers fit in 31 bits.
 *
 * For halves, 16384 x 16384 without gaps, in tiles of 64 x 64 it is 32768; with a column less 0.
 *
 * Fails:    0 for any other launch. So it is for tensors of other than two axes, for elements of
 *           less than a byte, and for more than 65535 tiles across.
 * Cost:     O(1), no allocation, host and device.
 */
CT_FN int32_t ct_whole_step(const ct_partition *in, const ct_partition *out, const ct_global *src,
                            const ct_global *dst)
{
    const int inner = in->src.axis, outer = inner == 0 ? 1 : 0;
    if (in->axes != 2 || src->axes != 2 || dst->axes != 2 || in->elem_bits < 8) return 0;
    if (!ct_side_fits(in, &in->src, src) || !ct_side_fits(out, &out->dst, dst)) return 0;
    const int64_t step = src->step[outer], run = src->extent[inner] * (in->elem_bits / 8);
    if (step != dst->step[outer] || step < run || step > INT32_MAX) return 0;
    for (int a = 0; a < 2; ++a)
        if (src->extent[a] % in->tile[a] != 0 || src->extent[a] != dst->extent[a]) return 0;
    if (src->extent[outer] > 65535 * (int64_t)in->tile[outer]) return 0;
    return (int32_t)step;
}

/**
 * A thread's part of tile (x,y) of a launch with whole tiles only; x is along the contiguous axis.
 * step: of ct_whole_step, not 0. Copies from or to it check no bounds.
 * Cost:     three multiplications of 32 bits and one of 64, without memory traffic.
 */
CT_DEVICE ct_view ct_view_whole(const ct_partition *P, const ct_side *side, const ct_global *g,
                                const int32_t step, int32_t x, int32_t y, uint32_t thread)
{
    const int inner = side->axis, outer = 1 - inner, unit = P->elem_bits / 8;
    ct_view none = CT_ZERO;
    none.space = CT_SPACE_GLOBAL;
    ct_view v = ct_view_of_thread(P, side, none, thread); /* its coordinates */
    const int32_t along = x * P->tile[inner] + v.mine[inner];
    const int32_t across = y * P->tile[outer] + v.mine[outer];
    v.at = g->at + ((int64_t)across * step + along * unit);
    v.step[inner] = unit;
    v.step[outer] = step;
    v.axis = inner;
    v.align = 32;
    v.whole = 1;
    return v;
}

#define ct_view_whole(...) CT_CALL(ct_view_whole, __VA_ARGS__)

#endif
