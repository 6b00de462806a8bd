/**
 * Accesses that begin anywhere, cut in registers out of the two aligned ones that hold them.
 *
 * Loads are as wide as the plan's accesses whatever the addresses are, multiples of the size of the
 * elements: the second one of two finds in L1 what the first of the next thread has fetched. As the
 * bytes have to go through registers, so does here what the plan moves by cp.async otherwise.
 */
#ifndef CUTLET_DEVICE_COPY_CUT_H
#define CUTLET_DEVICE_COPY_CUT_H

#include "copy_short.h"
#include "turn.h"

/** The words of registers that hold an access. */
CT_FN int32_t ct_copy_planned_words(int32_t bytes) { return bytes < 4 ? 1 : bytes / 4; }

/** v = `bytes` bytes out of w, which holds two accesses as wide, each in words of its own, from
 *  byte `from` on: less than bytes, a multiple of `unit`. bytes and unit are constants. */
CT_DEVICE void ct_copy_cut(uint32_t *v, const uint32_t *w, uint32_t from, const int bytes,
                           const int unit)
{
    if (bytes == 16) {
        ct_cut(v, w, from, 16, unit);
    } else if (bytes == 8) {
        CT_FRAGMENT(uint32_t, word, 3);
        CT_UNROLL for (int i = 0; i < 3; ++i) word[i] = unit < 8 && from & 4 ? w[i + 1] : w[i];
        CT_UNROLL for (int i = 0; i < 2; ++i)
            v[i] = unit < 4 ? ct_funnel(word[i], word[i + 1], 8 * (from & 3)) : word[i];
    } else if (bytes == 4) {
        v[0] = unit < 4 ? ct_funnel(w[0], w[1], 8 * from) : w[0];
    } else {
        v[0] = bytes == 2 && unit < 2 ? (w[0] | w[1] << 16) >> 8 * from : w[0];
    }
}

/** The thread's accesses on a side of a copy, from the first to the last. Every row may be taken
 *  from a few bytes further on: where its place in the destination meets a multiple of skew + 1. */
typedef struct ct_copy_walk {
    ct_copy_global global; /* the tile's part of the row that the walk has come to */
    int32_t along;         /* from there to the thread's first element */
    uint32_t skew;         /* a power of two less 1; 0: no skew */
    uint32_t to, to_ld;    /* of a source: the address in the destination, and from row to row */
} ct_copy_walk;

/** Where access i is, after the one before it; in the destination where `out` is 1. */
CT_DEVICE unsigned char *ct_copy_walk_to(const ct_tile_plan *plan, ct_copy_walk *w, int i,
                                         const int out)
{
    const int32_t rows = i == 0 ? 0 : plan->outer[i] - plan->outer[i - 1];
    w->global.first += (int64_t)w->global.ld_bytes * rows;
    w->to += (uint32_t)rows * w->to_ld;
    const uint32_t to = out ? (uint32_t)(uintptr_t)w->global.first : w->to;
    return w->global.first + (uint32_t)(w->along + (int32_t)(-to & w->skew)) +
           plan->inner[i] * plan->elem_bytes;
}

/** How many accesses' data the registers hold at once, each cut out of two. */
CT_FN int32_t ct_copy_cut_in_flight(int32_t access_bytes)
{
    return access_bytes <= 8 ? CT_COPY_IN_FLIGHT / 2 : CT_COPY_IN_FLIGHT / 4;
}

/** The thread's accesses of the tile on one side; taken as they lie, or skewed as the rows of the
 *  destination want it. Needs extents and leading dimensions of 31 bits. */
CT_DEVICE ct_copy_walk ct_copy_walk_of(const ct_tile_plan *plan, const ct_copy_args *args,
                                       const ct_copy_place place, const int out,
                                       const uint32_t skew)
{
    const int e = plan->elem_bytes;
    const int32_t row = (int32_t)place.outer + ct_copy_start(&plan->thread_outer);
    const int32_t ld_bytes = (int32_t)(out ? args->dst_ld : args->src_ld) * e;
    ct_copy_walk w = CT_ZERO;
    w.global.first = (unsigned char *)(out ? args->dst : args->src) + (int64_t)row * ld_bytes +
                     (int32_t)place.inner * e;
    w.global.ld_bytes = ld_bytes;
    w.along = ct_copy_start(&plan->thread_inner) * e;
    w.skew = skew;
    w.to_ld = (uint32_t)args->dst_ld * (uint32_t)e;
    w.to = (uint32_t)(uintptr_t)args->dst + (uint32_t)row * w.to_ld;
    return w;
}

/** Whether 31 bits hold what the addresses of a tile are made of, and its rows follow each
 *  other. */
CT_DEVICE int ct_copy_cut_fits(const ct_tile_plan *plan, const ct_copy_args *args,
                               const ct_copy_place place, const int out)
{
    const int64_t ld = out ? args->dst_ld : args->src_ld;
    return place.whole && ct_copy_is_short(plan, ld) && ld >= args->inner &&
           args->outer <= INT32_MAX;
}

/** From global to shared memory, every access inside the matrix, with the aligned ones that hold
 *  it; tile points to the thread's first element. */
CT_DEVICE void ct_copy_in_cut(const ct_tile_plan *plan, unsigned char *tile, ct_copy_walk src)
{
    const int n = plan->accesses, bytes = plan->access_bytes, bits = 8 * bytes;
    const int words = ct_copy_planned_words(bytes), group = ct_copy_cut_in_flight(bytes);
    CT_UNROLL for (int first = 0; first < CT_PLAN_ACCESSES; first += CT_COPY_IN_FLIGHT / 4) {
        if (first % group != 0) continue;
        CT_FRAGMENT(uint32_t, held, 2 * CT_COPY_IN_FLIGHT);
        CT_FRAGMENT(uint32_t, past, CT_COPY_IN_FLIGHT / 2);
        CT_UNROLL for (int i = 0; i < CT_COPY_IN_FLIGHT / 2; ++i) if (i < group && first + i < n) {
            uint32_t *const w = held + 2 * words * i;
            const unsigned char *const from = ct_copy_walk_to(plan, &src, first + i, 0);
            past[i] = (uint32_t)(uintptr_t)from & (uint32_t)(bytes - 1);
            CT_UNROLL for (int k = 0; k < 8; ++k) if (k < 2 * words) w[k] = 0;
            ct_load_global(w, from - past[i], bits);
            ct_load_global_if(past[i] != 0, w + words, from - past[i] + bytes, bits);
        }
        CT_UNROLL for (int i = 0; i < CT_COPY_IN_FLIGHT / 2; ++i) if (i < group && first + i < n) {
            CT_FRAGMENT(uint32_t, v, 4);
            ct_copy_cut(v, held + 2 * words * i, past[i], bytes, plan->elem_bytes);
            ct_store_shared(tile + ct_copy_shared_at(plan, first + i), v, bits);
        }
    }
}

/** From shared to global memory: whole accesses at aligned addresses, cut out of two of the tile.
 *  Of each row they leave a part at either end, together as long as an access. */
CT_DEVICE void ct_copy_out_cut(const ct_tile_plan *plan, ct_copy_walk dst,
                               const unsigned char *tile)
{
    const int n = plan->accesses, e = plan->elem_bytes, bytes = plan->access_bytes;
    const int words = ct_copy_planned_words(bytes);
    CT_UNROLL for (int i = 0; i < CT_PLAN_ACCESSES; ++i) if (i < n) {
        const unsigned char *const from = tile + ct_copy_shared_at(plan, i);
        unsigned char *const to = ct_copy_walk_to(plan, &dst, i, 1);
        const uint32_t ahead = -(uint32_t)(uintptr_t)to & (uint32_t)(bytes - 1);
        const int last = dst.along + plan->inner[i] * e + bytes == plan->tile_inner * e;
        CT_FRAGMENT(uint32_t, w, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
        CT_FRAGMENT(uint32_t, v, 4);
        ct_load_shared(w, from, 8 * bytes);
        ct_load_shared_if(ahead != 0 && !last, w + words, from + bytes, 8 * bytes);
        ct_copy_cut(v, w, ahead, bytes, e);
        ct_store_global_if(ahead == 0 || !last, to + ahead, v, 8 * bytes);
    }
}

/** What ct_copy_out_cut leaves, element by element. tile and dst point to the tile's first row. */
CT_DEVICE void ct_copy_out_ends(const ct_tile_plan *plan, unsigned char *dst, int64_t ld_bytes,
                                const unsigned char *tile)
{
    const int e = plan->elem_bytes, bytes = plan->access_bytes, slots = bytes / e;
    CT_ROLL for (uint32_t i = threadIdx.x; i < (uint32_t)(plan->tile_outer * slots);
                 i += (uint32_t)plan->threads) {
        const int32_t row = (int32_t)(i / (uint32_t)slots), slot = (int32_t)(i % (uint32_t)slots);
        unsigned char *const to = dst + row * ld_bytes;
        const int32_t ahead = (int32_t)(-(uint32_t)(uintptr_t)to & (uint32_t)(bytes - 1));
        const int32_t at = slot * e < ahead ? slot * e : plan->tile_inner * e - bytes + slot * e;
        CT_FRAGMENT(uint32_t, v, 4) = {0, 0, 0, 0};
        ct_load_shared_if(ahead != 0, v, tile + row * plan->tile_inner * e + at, 8 * e);
        ct_store_global_if(ahead != 0, to + at, v, 8 * e);
    }
}

#endif
