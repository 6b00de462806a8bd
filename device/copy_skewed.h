/**
 * A tile of a copy whose destination begins anywhere: aligned accesses that share no sector with
 * those of another block.
 *
 * Tiles are skewed. In each row a tile begins not at its own first byte but at the first multiple
 * of 32 of the destination from there on, and ends where the next tile begins: blocks that each
 * write a part of a 32-byte sector make a copy slow, for the parts meet in L2 one after the other.
 * Source and destination are the same region of the matrix: the tile in shared memory is as large
 * as ever. The first tile of a row stores what lies before it as well, the last one what is left
 * over, element by element.
 *
 * A tile inside the matrix tests nothing. One at an edge is copied in rolled loops, and may have
 * any size. Bytes before the first one of the source matrix and behind the last are not touched.
 */
#ifndef CUTLET_DEVICE_COPY_SKEWED_H
#define CUTLET_DEVICE_COPY_SKEWED_H

#include "copy_cut.h"

/** A block's tile. All in bytes but the rows. */
typedef struct ct_copy_skewed {
    const unsigned char *src; /* the row of the matrix in which the tile begins */
    unsigned char *dst;
    int64_t src_ld, dst_ld;
    int64_t inner;            /* a row of the matrix */
    int64_t at;               /* where in the rows the tile begins, before it is skewed */
    int32_t rows;             /* of the tile inside the matrix */
    int above, below;         /* rows of the source lie before them, and behind */
    uint32_t skew;            /* tiles begin at a multiple of skew + 1 */
} ct_copy_skewed;

/** What a tile's rows are skewed to: 32 bytes, or less where a tile is no multiple of them. */
CT_FN uint32_t ct_copy_skew_of(int32_t tile_bytes)
{
    const int32_t unit = tile_bytes & -tile_bytes;
    return (uint32_t)(unit < 32 ? unit : 32) - 1;
}

CT_DEVICE ct_copy_skewed ct_copy_skewed_of(const ct_tile_plan *plan, const ct_copy_args *args,
                                           const ct_copy_place place)
{
    const int e = plan->elem_bytes;
    ct_copy_skewed t = CT_ZERO;
    t.src_ld = args->src_ld * e;
    t.dst_ld = args->dst_ld * e;
    t.src = (const unsigned char *)args->src + place.outer * t.src_ld;
    t.dst = (unsigned char *)args->dst + place.outer * t.dst_ld;
    t.inner = args->inner * e;
    t.at = place.inner * e;
    const int64_t left = args->outer - place.outer;
    const int rising = args->src_ld >= args->inner; /* one row after the other */
    t.rows = (int32_t)(left < args->tile_outer ? left : args->tile_outer);
    t.above = rising && place.outer > 0;
    t.below = rising && left > args->tile_outer;
    t.skew = ct_copy_skew_of(args->tile_inner * e);
    return t;
}

/** Whether the skewed tile lies whole inside, with the aligned accesses that hold its own. */
CT_DEVICE int ct_copy_skewed_inside(const ct_tile_plan *plan, const ct_copy_args *args,
                                    const ct_copy_place place)
{
    const int32_t more = (CT_PLAN_BYTES + 32) / plan->elem_bytes;
    return place.inner > 0 && place.inner + plan->tile_inner + more <= args->inner &&
           ct_copy_cut_fits(plan, args, place, 0) && ct_copy_cut_fits(plan, args, place, 1);
}

/* ---- inside ---------------------------------------------------------------------------------- */

/** From shared to global memory; tile points to the thread's first element, as dst does. */
CT_DEVICE void ct_copy_skewed_out(const ct_tile_plan *plan, ct_copy_walk dst,
                                  const unsigned char *tile)
{
    const int n = plan->accesses, bits = 8 * plan->access_bytes;
    const int group = ct_copy_in_flight(plan->access_bytes);
    CT_UNROLL for (int first = 0; first < CT_PLAN_ACCESSES; first += CT_COPY_IN_FLIGHT_WIDE) {
        if (first % group != 0) continue;
        CT_FRAGMENT(uint32_t, held, 4 * CT_COPY_IN_FLIGHT);
        CT_UNROLL for (int i = 0; i < CT_COPY_IN_FLIGHT; ++i) if (i < group && first + i < n) {
            ct_load_shared(held + 4 * i, tile + ct_copy_shared_at(plan, first + i), bits);
        }
        CT_UNROLL for (int i = 0; i < CT_COPY_IN_FLIGHT; ++i) if (i < group && first + i < n) {
            ct_store_global(ct_copy_walk_to(plan, &dst, first + i, 1), held + 4 * i, bits);
        }
    }
}

/** The tile inside the matrix, of the plan's size. */
CT_DEVICE void ct_copy_skewed_inside_tile(const ct_tile_plan *plan, const ct_copy_args *args,
                                          const ct_copy_place place, unsigned char *tile)
{
    const uint32_t skew = ct_copy_skew_of(plan->tile_inner * plan->elem_bytes);
    unsigned char *const first = tile + ct_copy_shared_start(plan);
    ct_copy_in_cut(plan, first, ct_copy_walk_of(plan, args, place, 0, skew));
    __syncthreads();
    ct_copy_skewed_out(plan, ct_copy_walk_of(plan, args, place, 1, skew), first);
}

/* ---- at an edge ------------------------------------------------------------------------------ */

/** One access of a tile at an edge. */
typedef struct ct_copy_skewed_access {
    int32_t row;
    int64_t at;   /* in the row */
    int on;       /* it lies whole in the matrix */
    unsigned char *tile;
} ct_copy_skewed_access;

/** How many bytes further on than its own first byte the tile begins in a row. */
CT_DEVICE int32_t ct_copy_skewed_by(const ct_copy_skewed *t, int32_t row)
{
    return (int32_t)(-(uint32_t)(uintptr_t)(t->dst + row * t->dst_ld) & t->skew);
}

/** Access i of a thread, in the block of the tile at (inner, outer). */
CT_DEVICE ct_copy_skewed_access ct_copy_skewed_access_of(const ct_tile_plan *plan,
                                                         const ct_copy_args *args,
                                                         const ct_copy_skewed *t, int i,
                                                         int32_t inner, int32_t outer,
                                                         unsigned char *tile)
{
    ct_copy_skewed_access a = CT_ZERO;
    a.row = outer + ct_copy_start(&plan->thread_outer) + ct_copy_step(&plan->access_outer, i);
    inner += ct_copy_start(&plan->thread_inner) + ct_copy_step(&plan->access_inner, i);
    a.at = t->at + inner * plan->elem_bytes + ct_copy_skewed_by(t, a.row);
    a.on = a.row < t->rows && a.at + plan->access_bytes <= t->inner;
    a.tile = tile + (a.row * args->tile_inner + inner) * plan->elem_bytes;
    return a;
}

/** From global to shared memory, cut out of two aligned accesses that the matrix holds, or element
 *  by element. */
CT_DEVICE void ct_copy_skewed_access_in(const ct_tile_plan *plan, const ct_copy_skewed *t,
                                        const ct_copy_skewed_access a)
{
    const int bytes = plan->access_bytes, e = plan->elem_bytes, words = ct_copy_planned_words(bytes);
    const unsigned char *const from = t->src + a.row * t->src_ld + a.at;
    const uint32_t past = (uint32_t)(uintptr_t)from & (uint32_t)(bytes - 1);
    const unsigned char *const aligned = from - past;
    const int64_t at = a.at - past, end = at + (past != 0 ? 2 * bytes : bytes);
    const int wide = a.on && (at >= 0 || t->above) && (end <= t->inner || t->below);
    CT_FRAGMENT(uint32_t, w, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
    CT_FRAGMENT(uint32_t, v, 4);
    ct_load_global_if(wide, w, aligned, 8 * bytes);
    if (bytes > e) {
        ct_load_global_if(wide && past != 0, w + words, aligned + bytes, 8 * bytes);
        ct_copy_cut(v, w, past, bytes, e);
    }
    ct_store_shared_if(wide, a.tile, bytes > e ? v : w, 8 * bytes);
    if (bytes == e || !a.on || wide) return;
    CT_ROLL for (int k = 0; k < bytes; k += e) {
        ct_load_global(w, from + k, 8 * e);
        ct_store_shared(a.tile + k, w, 8 * e);
    }
}

/** From shared to global memory. */
CT_DEVICE void ct_copy_skewed_access_out(const ct_tile_plan *plan, const ct_copy_skewed *t,
                                         const ct_copy_skewed_access a)
{
    CT_FRAGMENT(uint32_t, v, 4) = {0, 0, 0, 0};
    ct_load_shared_if(a.on, v, a.tile, 8 * plan->access_bytes);
    ct_store_global_if(a.on, t->dst + a.row * t->dst_ld + a.at, v, 8 * plan->access_bytes);
}

/** What lies before the first tile of the rows (head), or is left behind the whole accesses:
 *  element by element, as many slots as there may be. */
CT_DEVICE void ct_copy_skewed_pieces(const ct_tile_plan *plan, const ct_copy_args *args,
                                     const ct_copy_skewed *t, const int head)
{
    const int e = plan->elem_bytes, width = plan->access_bytes;
    const uint32_t slots = (uint32_t)((head ? 32 : width) / e);
    CT_ROLL for (uint32_t i = threadIdx.x; i < (uint32_t)args->tile_outer * slots;
                 i += (uint32_t)plan->threads) {
        const int32_t row = (int32_t)(i / slots);
        const int64_t begin = t->at + ct_copy_skewed_by(t, row);
        const int64_t whole = (t->inner - begin) & ~(int64_t)(width - 1); /* below 0: also down */
        const int64_t at = (head ? 0 : begin + whole) + (int64_t)(i % slots) * e;
        const int on = row < t->rows && at < t->inner &&
                       (head ? at < begin : t->at > 0 || begin < t->inner);
        CT_FRAGMENT(uint32_t, v, 4) = {0, 0, 0, 0};
        ct_load_global_if(on, v, t->src + row * t->src_ld + at, 8 * e);
        ct_store_global_if(on, t->dst + row * t->dst_ld + at, v, 8 * e);
    }
}

/** The tile of any size, anywhere. */
CT_DEVICE void ct_copy_skewed_edge_tile(const ct_tile_plan *plan, const ct_copy_args *args,
                                        const ct_copy_skewed *t, unsigned char *tile)
{
    for (int in = 1; in >= 0; --in) {
        CT_ROLL for (int32_t outer = 0; outer < args->tile_outer; outer += plan->block_outer)
        CT_ROLL for (int32_t inner = 0; inner < args->tile_inner; inner += plan->block_inner)
        CT_ROLL for (int i = 0; i < plan->accesses_once; ++i) {
            const ct_copy_skewed_access a =
                ct_copy_skewed_access_of(plan, args, t, i, inner, outer, tile);
            if (in) ct_copy_skewed_access_in(plan, t, a);
            else ct_copy_skewed_access_out(plan, t, a);
        }
        if (in) __syncthreads();
    }
    if (t->at == 0) ct_copy_skewed_pieces(plan, args, t, 1);
    if (t->at + args->tile_inner * plan->elem_bytes >= t->inner)
        ct_copy_skewed_pieces(plan, args, t, 0);
}

/** Copies the tile of the block. */
CT_DEVICE void ct_copy_skewed_tile(const ct_tile_plan *plan, const ct_copy_args *args,
                                   const ct_copy_place place, unsigned char *tile)
{
    if (ct_copy_skewed_inside(plan, args, place)) {
        ct_copy_skewed_inside_tile(plan, args, place, tile);
    } else {
        const ct_copy_skewed t = ct_copy_skewed_of(plan, args, place);
        ct_copy_skewed_edge_tile(plan, args, &t, tile);
    }
}

#endif
