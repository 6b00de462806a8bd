/**
 * The transposition of a tile of any size, anywhere: the careful way of transpose.h.
 *
 * Aligned 16 bytes are loaded and stored all the same. On the way in, the tile takes the rows as
 * they are, each from the aligned 16 bytes on in which it begins; every thread cuts its vectors out
 * of two neighbours, and the tile is written again, transposed. On the way out, the vectors of a
 * line are cut out of two in the same way, so that they fall on aligned addresses. Only the ends of
 * rows move in smaller pieces.
 */
#ifndef CUTLET_DEVICE_TRANSPOSE_CAREFUL_H
#define CUTLET_DEVICE_TRANSPOSE_CAREFUL_H

#include "atoms.h"
#include "transpose_plan.h"
#include "transpose_words.h"

/** One side of the tile in global memory. */
typedef struct ct_transpose_global {
    unsigned char *base; /* of the tile's first element */
    int64_t ld_bytes;
    int64_t inner_bytes; /* from the base to the end of the matrix along its contiguous mode */
    int64_t outer;       /* rows of this side left from the base on */
    int64_t before;      /* bytes from the beginning of such a row to the base */
} ct_transpose_global;

/** The side that is the source (out = 0) or the result (out = 1) of the tile at (row, col). */
CT_DEVICE ct_transpose_global ct_transpose_side_at(const ct_transpose_args *args, const int out,
                                                   const int elem_bytes, int64_t row, int64_t col)
{
    ct_transpose_global g = CT_ZERO;
    const int64_t inner = out ? row : col, outer = out ? col : row;
    g.ld_bytes = (out ? args->dst_ld : args->src_ld) * elem_bytes;
    g.before = inner * elem_bytes;
    g.base = (out ? (unsigned char *)args->dst : (unsigned char *)args->src) + outer * g.ld_bytes +
             g.before;
    g.inner_bytes = ((out ? args->rows : args->cols) - inner) * elem_bytes;
    g.outer = (out ? args->cols : args->rows) - outer;
    return g;
}

/** The thread's first byte of a side in the tile. */
CT_DEVICE int32_t ct_transpose_first(const ct_transpose_plan *plan, const ct_transpose_side *side)
{
    return (int32_t)ct_swizzle_apply(plan->swizzle, ct_offset(&side->at, (int64_t)threadIdx.x));
}

/** Bytes that divide every address of a side, and where its rows end: 1, 2 or 4. */
CT_DEVICE int32_t ct_transpose_unit(const ct_transpose_global *g)
{
    const uint32_t bits = (uint32_t)(uintptr_t)g->base | (uint32_t)g->ld_bytes |
                          (uint32_t)g->inner_bytes;
    return bits & 1 ? 1 : bits & 2 ? 2 : 4;
}

/** From one row to the next where the tile lies as the source has it, for the careful way. */
CT_DEVICE int32_t ct_transpose_raw_pitch(const ct_transpose_plan *plan)
{
    return plan->job.cols * plan->job.elem_bytes + 16;
}

/** How far row `row` of the tile begins behind a multiple of 16 in global memory. */
CT_DEVICE uint32_t ct_transpose_past(const ct_transpose_global *g, int32_t row)
{
    return ((uint32_t)(uintptr_t)g->base + (uint32_t)row * (uint32_t)g->ld_bytes) & 15;
}

/** The rows of the source as they are, from the aligned 16 bytes on in which each begins: whole
 *  ones and the first bytes of the last one by cp.async, zeros behind the matrix. */
CT_DEVICE void ct_transpose_any_rows(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                     unsigned char *tile)
{
    const int32_t pitch = ct_transpose_raw_pitch(plan), chunks = pitch / 16;
    const int32_t all = plan->job.rows * chunks;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < all; i += plan->job.threads) {
        const int32_t row = i / chunks, chunk = i % chunks;
        const int32_t from = 16 * chunk - (int32_t)ct_transpose_past(g, row);
        const int64_t left = row < g->outer ? g->inner_bytes - from : 0;
        const int32_t valid = left < 0 ? 0 : left < 16 ? (int32_t)left : 16;
        const unsigned char *src = valid ? g->base + row * g->ld_bytes + from : g->base;
        if (from + g->before < 0) continue; /* the row begins within: ct_transpose_any_heads */
        ct_cp_async_cg_fill(tile + row * pitch + 16 * chunk, src - ((uintptr_t)src & 15), 16,
                            valid);
    }
    ct_cp_async_commit();
}

/** The first 16 bytes of rows that begin behind a multiple of 16; nothing before them is read. */
CT_DEVICE void ct_transpose_any_heads(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                      unsigned char *tile)
{
    const int32_t unit = ct_transpose_unit(g), unit_log2 = unit >> 1;
    const int32_t pitch = ct_transpose_raw_pitch(plan);
    const int32_t slots_log2 = 4 - unit_log2;
    const int32_t all = plan->job.rows << slots_log2;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < all; i += plan->job.threads) {
        const int32_t row = i >> slots_log2, byte = (i & ((1 << slots_log2) - 1)) << unit_log2;
        const int32_t past = (int32_t)ct_transpose_past(g, row), from = byte - past;
        const int on = from >= 0 && from < g->inner_bytes && row < g->outer;
        const unsigned char *src = g->base + row * g->ld_bytes + from;
        unsigned char *at = tile + row * pitch + byte;
        CT_FRAGMENT(uint32_t, x, 1) = {0};
        ct_load_global_if(on && unit == 4, x, src, 32);
        ct_load_global_if(on && unit == 2, x, src, 16);
        ct_load_global_if(on && unit == 1, x, src, 8);
        ct_store_shared_if(past && unit == 4, at, x, 32);
        ct_store_shared_if(past && unit == 2, at, x, 16);
        ct_store_shared_if(past && unit == 1, at, x, 8);
    }
}

/** Global memory to the tile across its lines, from anywhere: the rows as they are, from there to
 *  registers, each vector cut out of two, and back transposed. */
CT_DEVICE void ct_transpose_any_in(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                   unsigned char *tile)
{
    const ct_transpose_side *side = &plan->across;
    const int block = plan->job.block, elem_bytes = plan->job.elem_bytes;
    const int bits = 8 * block * elem_bytes;
    const int32_t pitch = ct_transpose_raw_pitch(plan);
    const int32_t line = (int32_t)ct_offset(&side->line, (int64_t)threadIdx.x);
    const int32_t elem = (int32_t)ct_offset(&side->elem, (int64_t)threadIdx.x);
    const int32_t first = ct_transpose_first(plan, side);
    ct_transpose_any_rows(plan, g, tile);
    if (g->before < 16) ct_transpose_any_heads(plan, g, tile);
    ct_cp_async_wait_all();
    __syncthreads();
    CT_FRAGMENT(uint32_t, held, 4 * CT_TRANSPOSE_ACCESSES);
    CT_UNROLL for (int i = 0; i < CT_TRANSPOSE_ACCESSES; ++i) if (i < side->accesses * block) {
        const int32_t row = elem + side->elems[i / block] + i % block;
        const uint32_t past = ct_transpose_past(g, row);
        const unsigned char *from = tile + row * pitch +
                                    (line + side->lines[i / block]) * elem_bytes;
        CT_FRAGMENT(uint32_t, w, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
        ct_load_shared(w, from, 128);
        ct_load_shared_if(past != 0, w + 4, from + 16, 128);
        ct_vector_from(held + 4 * i, w, past);
    }
    __syncthreads();
    CT_UNROLL for (int b = 0; b < CT_TRANSPOSE_ACCESSES; ++b) if (b < side->accesses) {
        CT_FRAGMENT(uint32_t, turned, CT_BLOCK_WORDS);
        ct_transpose_block(turned, held + 4 * b * block, elem_bytes, block, plan->run);
        unsigned char *to = tile + (first ^ side->fold[b]) + side->add[b];
        CT_UNROLL for (int j = 0; j < CT_TRANSPOSE_BYTES; ++j) if (j < plan->run)
            ct_store_shared(to + j * plan->line_bytes, turned + j * (bits / 32), bits);
    }
}

/** Where byte i of a line lies in the tile. */
CT_DEVICE int32_t ct_transpose_line_byte(const ct_transpose_plan *plan, int32_t line, int32_t i)
{
    return (int32_t)ct_swizzle_apply(plan->swizzle, ct_offset(&plan->line_at, line) + i);
}

/** How a line of the tile falls on the aligned 16 bytes of its row in the result: a head, whole
 *  vectors, a tail, all in bytes. */
typedef struct ct_transpose_cut {
    unsigned char *row;
    int32_t end;        /* of the bytes to be stored, 0 for a line outside the matrix */
    int32_t head, tail; /* where the whole vectors begin and end */
} ct_transpose_cut;

CT_DEVICE ct_transpose_cut ct_transpose_cut_of(const ct_transpose_plan *plan,
                                               const ct_transpose_global *g, int32_t line)
{
    ct_transpose_cut cut = CT_ZERO;
    cut.row = g->base + line * g->ld_bytes;
    const int32_t past = (int32_t)((uintptr_t)cut.row & 15);
    const int32_t end = g->inner_bytes < plan->line_bytes ? (int32_t)g->inner_bytes
                                                          : plan->line_bytes;
    cut.end = line < g->outer ? end : 0;
    cut.head = -past & 15;
    if (cut.head > cut.end) cut.head = cut.end;
    cut.tail = cut.head + ((cut.end - cut.head) & ~15);
    return cut;
}

/** The whole vectors of the lines, each cut out of two of the tile. */
CT_DEVICE void ct_transpose_any_vectors(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                        const unsigned char *tile)
{
    const ct_transpose_side *side = &plan->along;
    CT_ROLL for (int i = 0; i < side->accesses; ++i) {
        const int32_t line = (int32_t)(ct_offset(&side->line, (int64_t)threadIdx.x) +
                                       ct_offset(&side->next_line, i));
        const int32_t elem = (int32_t)(ct_offset(&side->elem, (int64_t)threadIdx.x) +
                                       ct_offset(&side->next_elem, i));
        const ct_transpose_cut cut = ct_transpose_cut_of(plan, g, line);
        const int32_t at = elem * plan->job.elem_bytes, from = cut.head + at, past = from & 15;
        const int on = from + 16 <= cut.tail;
        CT_FRAGMENT(uint32_t, w, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
        CT_FRAGMENT(uint32_t, v, 4);
        ct_load_shared_if(on, w, tile + ct_transpose_line_byte(plan, line, from - past), 128);
        ct_load_shared_if(on && past, w + 4, tile + ct_transpose_line_byte(plan, line, at + 16),
                          128);
        ct_vector_from(v, w, (uint32_t)past);
        ct_store_global_if(on, cut.row + from, v, 128);
    }
}

/** The heads and tails of the lines, in the largest units that fit their addresses. */
CT_DEVICE void ct_transpose_any_ends(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                     const unsigned char *tile)
{
    const int32_t unit = ct_transpose_unit(g), unit_log2 = unit >> 1; /* 1, 2, 4 -> 0, 1, 2 */
    const int32_t slots_log2 = 5 - unit_log2; /* of a line: 16 bytes of a head, 16 of a tail */
    const int32_t all = plan->lines << slots_log2;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < all; i += plan->job.threads) {
        const int32_t line = i >> slots_log2, byte = (i & ((1 << slots_log2) - 1)) << unit_log2;
        const ct_transpose_cut cut = ct_transpose_cut_of(plan, g, line);
        const int32_t from = byte < 16 ? byte : cut.tail + byte - 16;
        const int on = from < (byte < 16 ? cut.head : cut.end);
        const int32_t within = from & (plan->line_bytes - 1); /* off or not, an address inside */
        const unsigned char *at = tile + ct_transpose_line_byte(plan, line, within);
        CT_FRAGMENT(uint32_t, x, 1) = {0};
        ct_load_shared_if(on && unit == 4, x, at, 32);
        ct_load_shared_if(on && unit == 2, x, at, 16);
        ct_load_shared_if(on && unit == 1, x, at, 8);
        ct_store_global_if(on && unit == 4, cut.row + from, x, 32);
        ct_store_global_if(on && unit == 2, cut.row + from, x, 16);
        ct_store_global_if(on && unit == 1, cut.row + from, x, 8);
    }
}

#endif
