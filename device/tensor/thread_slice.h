/**
 * A thread's part of a tile: its first coordinate, from the digits of its number, and the one
 * address that it computes. Every access of the thread is at a constant coordinate from there.
 *
 * Fails:    Nothing here makes an access or a check; the copy does.
 * Cost:     No memory traffic. For each digit of the thread number a division and a remainder by
 *           constants, which are shifts and masks for powers of two. For each axis a multiplication
 *           of 64 bits, or of 32 bits for an unchecked partition.
 * In a kernel:
 *           // args.src and args.dst: in and out as matrices (32,32):(32,1); 8 rows at a time
 *           CT_STATIC(ct_tiled_copy, rows,
 *                     ct_make_tiled_copy(ct_copy_atom_universal(128, 32), ct_layout2(4, 8, 8, 1),
 *                                        ct_layout2(1, 4, 4, 1)));
 *           CT_STATIC(ct_partition, P, ct_make_partition(rows, ct_tuple2(8, 32), ct_in_global(1),
 *                                                        ct_in_registers()));
 *           CT_STATIC(ct_partition, Q, ct_make_partition(rows, ct_tuple2(8, 32),
 *                                                        ct_in_registers(), ct_in_global(1)));
 *           CT_REGISTERS(float, v, P);
 *           const ct_index zero = ct_index2(0, 0);
 *           ct_view from = ct_view_src(&P, ct_view_tile(&args.src, &P, zero), threadIdx.x);
 *           ct_view to = ct_view_of_thread(&Q, &Q.dst, ct_view_tile(&args.dst, &Q, zero),
 *                                          threadIdx.x);
 *           assert(to.at == ct_view_dst(&Q, to, threadIdx.x).at); // a part stays as it is
 *           for (int k = 0; k < 4; ++k) {
 *               ct_copy(&P, from, v);
 *               CT_EACH(i, v)
 *               assert(ct_val(v, i) == (float)(32 * (8 * k + ct_coord(v, i, 0)) + ct_coord(v, i, 1)));
 *               ct_copy(&Q, v, to);
 *               from = ct_view_next(&P, from, 0, 1); // a tile down
 *               to = ct_view_next(&Q, to, 0, 1);
 *           }
 */
#ifndef CUTLET_DEVICE_TENSOR_THREAD_SLICE_H
#define CUTLET_DEVICE_TENSOR_THREAD_SLICE_H

#include <cutlet/device/tensor/tile.h>

/** @internal The bytes from the tensor's first element to its coordinate first + mine. */
CT_DEVICE int64_t ct_view_offset(const ct_partition *P, const ct_side *side, const ct_view *v)
{
    int64_t at = 0;
    CT_UNROLL for (int a = 0; a < P->axes; ++a)
    {
        const int64_t c = v->first[a] + v->mine[a];
        if (P->predicated && v->indexed == a + 1) continue;
        if (!P->unchecked) at += c * v->step[a];
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

/** @internal Why a side has no tile in shared memory where a view's is; CT_OK if it has. */
CT_FN ct_error ct_shared_refusal(const ct_partition *P, const ct_side *side, const ct_view *v)
{
    const ct_error none = CT_ZERO;
    for (int a = 0; a < P->axes && side->space == CT_SPACE_SHARED; ++a) {
        const int64_t x = v->first[a] / P->tile[a];
        if (v->first[a] % P->tile[a] != 0)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_TILE_DIVIDES, a, v->first[a],
                                 P->tile[a]);
        if (x != 0 && (x < 0 || x >= side->tiles[a]))
            return ct_make_error(CT_E_DOMAIN, CT_OP_TENSOR, CT_WHY_COORD, a, x, side->tiles[a]);
    }
    return none;
}

/** @internal The bytes in shared memory from a side's first tile to a view's, unswizzled. */
CT_DEVICE int32_t ct_shared_offset(const ct_partition *P, const ct_side *side, const ct_view *v)
{
    int32_t offset = 0;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) if (side->tiles[a] > 1) offset +=
        (int32_t)(v->first[a] / P->tile[a]) * side->next[a];
    return offset;
}

/** @internal The swizzle of a side, of bytes. */
CT_DEVICE ct_swizzle ct_side_swizzle(const ct_partition *P, const ct_side *side)
{
    return side == &P->src ? P->src_swizzle : P->dst_swizzle;
}

/** The part of a tile that a thread copies, on one side of a partition. A part of a thread is
 *  returned unchanged. (Selections instead of a branch: a branch between two views would keep them
 *  in local memory.) */
CT_DEVICE ct_view ct_view_of_thread(const ct_partition *P, const ct_side *side, ct_view v,
                                    const uint32_t thread)
{
    const int done = !CT_OF_PLAN && v.of_thread;
    if (!CT_OF_PLAN) CT_REFUSE("tile in shared memory", ct_shared_refusal(P, side, &v));
    uint32_t rest = thread; /* thread / div */
    int32_t div = 1, offset = 0;
    CT_UNROLL for (int d = 0; d < side->digits; ++d)
    {
        const ct_digit *const g = &side->digit[d];
        const int runs = !CT_OF_PLAN && side->space == CT_SPACE_SHARED &&
                         !P->predicated; /* a plan, or a predicate, needs each of them */
        const int32_t mod = runs ? ct_digit_run(side, d) : g->mod;
        if (mod == 0) continue;
        const int again = g->div % div != 0; /* else this quotient is one of the last */
        rest = (again ? thread : rest) / (uint32_t)(again ? g->div : g->div / div);
        div = g->div;
        const uint32_t n = g->div * mod < P->threads ? rest % (uint32_t)mod : rest;
        v.mine[g->axis] += done ? 0 : (int32_t)n * g->step;
        offset += (int32_t)n * g->offset;
    }
    if (side->space == CT_SPACE_GLOBAL) {
        v.at += done || CT_OF_PLAN ? 0 : ct_view_offset(P, side, &v);
    } else if (side->space == CT_SPACE_SHARED) {
        const ct_swizzle sw = ct_side_swizzle(P, side);
        offset = P->elem_bits < 8 ? offset * P->elem_bits / 8 : offset * (P->elem_bits / 8);
        offset += side->first;
        if (!CT_OF_PLAN) offset += ct_shared_offset(P, side, &v);
        const int swizzled = !CT_OF_PLAN && side->separate && sw.bits > 0;
        const int32_t own = swizzled ? (int32_t)ct_swizzle_apply(sw, offset) : offset;
        v.own = done ? v.own : own;
    }
    v.of_thread = done ? v.of_thread : 1 + (side == &P->dst);
#if !defined(__CUDACC__) && !CT_OF_PLAN /* 3 + the number of a thread that the tiled copy lacks */
    if (!done && P->threads > 1 && thread >= (uint32_t)P->threads)
        v.of_thread = 3 + (int32_t)(thread & 0xffff);
#endif
    return ct_view_by(P, v);
}

/** The part of a tile that thread `thread` reads, by the source side of a partition. A copy of a
 *  whole tile calls this itself, for threadIdx.x. */
CT_DEVICE ct_view ct_view_src(const ct_partition *P, const ct_view v, uint32_t thread)
{
    return ct_view_of_thread(P, &P->src, v, thread);
}

/** The part of a tile that thread `thread` writes, by the destination side of a partition. */
CT_DEVICE ct_view ct_view_dst(const ct_partition *P, const ct_view v, uint32_t thread)
{
    return ct_view_of_thread(P, &P->dst, v, thread);
}

/** @internal Why a view has no next tile by a partition; CT_OK if it may have one. */
CT_FN ct_error ct_view_next_refusal(const ct_partition *P, const ct_view *v)
{
    const ct_error none = CT_ZERO;
    if (v->space == CT_SPACE_REGISTERS)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_REGISTERS, 0, 0, 0);
    if (v->space == CT_SPACE_SHARED && v->of_thread && v->by != P)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_TWO_PARTITIONS, 1, 0, 0);
    return none;
}

/** @internal The first byte of a thread's part in shared memory, this many tiles further along an
 *  axis. A swizzle is its own inverse, and a step of whole periods passes through it. */
CT_DEVICE int32_t ct_next_in_shared(const ct_partition *P, const ct_view *v, const int axis,
                                    int64_t tiles)
{
    const int both = P->src.space == CT_SPACE_SHARED && P->dst.space == CT_SPACE_SHARED;
    const int second = both ? v->of_thread == 2 : P->dst.space == CT_SPACE_SHARED;
    const ct_side *const side = second ? &P->dst : &P->src;
    const ct_swizzle sw = ct_side_swizzle(P, side);
    const int32_t by = (int32_t)tiles * side->next[axis];
    const int inside = sw.bits > 0 && (side->next[axis] & (ct_swizzle_period(sw) - 1)) != 0;
    if (!side->separate || !inside) return v->own + by;
    return (int32_t)ct_swizzle_apply(sw, ct_swizzle_apply(sw, v->own) + by);
}

/**
 * The same part of the tile `tiles` tiles further along an axis, or the whole tile there.
 *
 * Fails:    the CPU grid ends the launch for registers, and for a part in shared memory by another
 *           partition. A copy of a tile that the layout in shared memory does not have ends it.
 * Cost:     a multiplication and an addition of 64 bits, and the comparisons for `whole`. In shared
 *           memory of 32 bits, with the swizzle twice where a step is not whole periods of it.
 */
CT_DEVICE ct_view ct_view_next(const ct_partition *P, ct_view v, const int axis, int64_t tiles)
{
    CT_REFUSE("next tile", ct_view_next_refusal(P, &v));
    const int64_t steps = tiles * P->tile[axis], offset = steps * v.step[axis];
    const int64_t by = P->elem_bits < 8 ? offset >> 3 : offset;
    if (!CT_OF_PLAN && v.space == CT_SPACE_SHARED && v.of_thread)
        v.own = ct_next_in_shared(P, &v, axis, tiles);
    v.at += v.of_thread ? by : 0; /* `at` of a whole tile is that of the tensor */
    v.first[axis] += steps;
    v.left[axis] -= steps;
    v.whole = ct_view_is_whole(P, &v);
    return v;
}

#define ct_view_of_thread(...) CT_CALL(ct_view_of_thread, __VA_ARGS__)
#define ct_view_src(...) CT_CALL(ct_view_src, __VA_ARGS__)
#define ct_view_dst(...) CT_CALL(ct_view_dst, __VA_ARGS__)
#define ct_view_next(...) CT_CALL(ct_view_next, __VA_ARGS__)

#endif
