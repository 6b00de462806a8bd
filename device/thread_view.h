/**
 * A thread's part of a tile: its first coordinate, from the digits of its number, and the one
 * address that it computes. Every access of the thread is at a constant coordinate from there.
 */
#ifndef CUTLET_DEVICE_THREAD_VIEW_H
#define CUTLET_DEVICE_THREAD_VIEW_H

#include "tile_view.h"

/** @internal The bytes from the tensor's first element to its coordinate first + mine. */
CT_DEVICE int64_t ct_view_offset(const ct_partition *P, const ct_side *side, const ct_view *v)
{
    int64_t at = 0;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) {
        const int64_t c = v->first[a] + v->mine[a];
        if (!P->promised) at += c * v->step[a];
        else if (a == side->axis)
            at += (int64_t)(int32_t)c * (P->elem_bits < 8 ? P->elem_bits : P->elem_bits / 8);
        else at += ct_wide((int32_t)c, (int32_t)v->step[a]);
    }
    return P->elem_bits < 8 ? at >> 3 : at;
}

/** @internal The threads counted by digit d of a side and the digits after it that continue it in
 *  shared memory; 0 if digit d itself continues the digit before it. */
CT_FN int32_t ct_digit_run(const ct_side *side, int d)
{
    int32_t run = 1;
    for (int k = 0; k < CT_DIGITS; ++k) {
        if (k < d || k >= side->digits) continue;
        const ct_digit *const g = &side->digit[k];
        const ct_digit *const b = &side->digit[k > 0 ? k - 1 : 0];
        const int goes_on = k > 0 && b->div * b->mod == g->div && b->mod * b->offset == g->offset;
        if (k == d && goes_on) return 0;
        if (k > d && !goes_on) return run;
        run *= g->mod;
    }
    return run;
}

/** The part of a tile that a thread copies, on one side of a partition. A part of a thread is
 *  returned unchanged. (Selections instead of a branch: a branch between two views would keep them
 *  in local memory.) */
CT_DEVICE ct_view ct_view_of_thread(const ct_partition *P, const ct_side *side, ct_view v,
                                    const uint32_t thread)
{
    const int done = v.of_thread;
    int32_t offset = 0;
    CT_UNROLL for (int d = 0; d < side->digits; ++d) {
        const ct_digit *const g = &side->digit[d];
        const int32_t mod = side->space == CT_SHARED ? ct_digit_run(side, d) : g->mod;
        if (mod == 0) continue;
        uint32_t n = g->div == 1 ? thread : thread / (uint32_t)g->div;
        if (g->div * mod < P->threads) n %= (uint32_t)mod;
        v.mine[g->axis] += done ? 0 : (int32_t)n * g->step;
        offset += (int32_t)n * g->offset;
    }
    if (side->space == CT_GLOBAL) {
        v.at += done ? 0 : ct_view_offset(P, side, &v);
    } else if (side->space == CT_SHARED) {
        const ct_swizzle sw = side == &P->src ? P->src_swizzle : P->dst_swizzle;
        offset = P->elem_bits < 8 ? offset * P->elem_bits / 8 : offset * (P->elem_bits / 8);
        offset += side->first;
        const int swizzled = side->apart && sw.bits > 0;
        const int32_t own = swizzled ? (int32_t)ct_swizzle_apply(sw, offset) : offset;
        v.own = done ? v.own : own;
    }
    v.of_thread = 1;
    return ct_view_by(P, v);
}

/** The parts of a tile that thread `thread` reads and writes, by the sides of a partition. A copy
 *  of a whole tile calls this itself, for threadIdx.x. */
CT_DEVICE ct_view ct_view_src(const ct_partition *P, const ct_view v, uint32_t thread)
{
    return ct_view_of_thread(P, &P->src, v, thread);
}
CT_DEVICE ct_view ct_view_dst(const ct_partition *P, const ct_view v, uint32_t thread)
{
    return ct_view_of_thread(P, &P->dst, v, thread);
}

/** The first coordinate of a thread in a tile, on a side of a partition in global memory; for a
 *  kernel's own predicates. */
CT_DEVICE ct_index ct_thread_first(const ct_partition *P, const ct_side *side, uint32_t thread)
{
    ct_view none = CT_ZERO;
    ct_index x = CT_ZERO;
    none = ct_view_of_thread(P, side, none, thread);
    CT_UNROLL for (int a = 0; a < P->axes; ++a) x.at[a] = none.mine[a];
    return x;
}

/** The coordinate of value v of a thread along an axis, from the thread's first. */
CT_FN int32_t ct_value_step(const ct_side *side, int v, int axis)
{
    const int at = side->inverse[v];
    return side->coord[at / side->width][axis] + (axis == side->axis ? at % side->width : 0);
}

/** The same part of the tile `tiles` tiles further along an axis. */
CT_DEVICE ct_view ct_view_next(const ct_partition *P, ct_view v, const int axis, int64_t tiles)
{
    const int64_t steps = tiles * P->tile[axis], offset = steps * v.step[axis];
    const int64_t by = P->elem_bits < 8 ? offset >> 3 : offset;
    v.at += v.of_thread ? by : 0; /* `at` of a whole tile is that of the tensor */
    v.first[axis] += steps;
    v.left[axis] -= steps;
    v.whole = ct_view_is_whole(P, &v);
    return v;
}

#endif
