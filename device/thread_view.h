/**
 * A thread's part of a tile: its first coordinate by the digits of its number, and the one address
 * that it works out. Every access of the thread is a constant coordinate away from there.
 */
#ifndef CUTLET_DEVICE_THREAD_VIEW_H
#define CUTLET_DEVICE_THREAD_VIEW_H

#include "tile_view.h"

/** Bytes from the tensor's first element to coordinate first + mine of it. */
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

/** How many threads digit d of a side counts together with those behind it, as far as they go on in
 *  shared memory where it ends; 0 where it goes on itself where the digit before it ends. */
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

/** The part of a tile that a thread copies, on one side of a partition; a part of a thread stays
 *  what it is. (Selections instead of a branch: a branch between two views keeps them in
 *  memory.) */
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

/** What thread `thread` reads of a tile, and what it writes: the sides of a partition. A copy of a
 *  whole tile does this by itself, for threadIdx.x. */
CT_DEVICE ct_view ct_view_src(const ct_partition *P, const ct_view v, uint32_t thread)
{
    return ct_view_of_thread(P, &P->src, v, thread);
}
CT_DEVICE ct_view ct_view_dst(const ct_partition *P, const ct_view v, uint32_t thread)
{
    return ct_view_of_thread(P, &P->dst, v, thread);
}

/** Where a thread begins in a tile, on a side of a partition in global memory: its coordinates, for
 *  predicates of a kernel's own. */
CT_DEVICE ct_index ct_thread_first(const ct_partition *P, const ct_side *side, uint32_t thread)
{
    ct_view none = CT_ZERO;
    ct_index x = CT_ZERO;
    none = ct_view_of_thread(P, side, none, thread);
    CT_UNROLL for (int a = 0; a < P->axes; ++a) x.at[a] = none.mine[a];
    return x;
}

/** How far value v of a thread lies from there along an axis. */
CT_FN int32_t ct_value_step(const ct_side *side, int v, int axis)
{
    const int at = side->place[v];
    return side->coord[at / side->width][axis] + (axis == side->axis ? at % side->width : 0);
}

/** The same part of the tile that lies `tiles` tiles further along an axis. */
CT_DEVICE ct_view ct_view_next(const ct_partition *P, ct_view v, const int axis, int64_t tiles)
{
    const int64_t steps = tiles * P->tile[axis], offset = steps * v.step[axis];
    const int64_t by = P->elem_bits < 8 ? offset >> 3 : offset;
    v.at += v.of_thread ? by : 0; /* of a tile, at is that of the tensor */
    v.first[axis] += steps;
    v.left[axis] -= steps;
    v.whole = ct_view_is_whole(P, &v);
    return v;
}

#endif
