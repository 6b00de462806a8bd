/**
 * Transposition inside a kernel: dst[c * dst_ld + r] = src[r * src_ld + c], tile by tile.
 *
 *     CT_STATIC(ct_transpose_plan, plan, ct_transpose_plan_of(job));
 *     CT_STATIC(ct_transpose_plan, careful, ct_transpose_careful_plan(job));
 *     CT_SHARED_DYNAMIC(unsigned char, tile);
 *     ct_transpose(&plan, &careful, &args, tile);
 *
 * A tile that lies whole inside the matrix, at addresses that 16 bytes divide, takes the short way of
 * its plan: nothing is tested, 16 bytes an access on both global sides. Any other tile takes the
 * careful way, whose accesses are as wide: aligned 16 bytes are loaded and stored, and a vector that
 * begins anywhere is cut out of the two that hold it, in registers, on the way in as on the way out, so
 * that only the ends of the rows are moved in smaller pieces. No extent, leading dimension or pointer makes either of them fault.
 */
#ifndef CUTLET_DEVICE_TRANSPOSE_H
#define CUTLET_DEVICE_TRANSPOSE_H

#include "atoms.h"
#include "cache_hints.h"
#include "static.h"
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
    g.base = (out ? (unsigned char *)args->dst : (unsigned char *)args->src) + outer * g.ld_bytes + g.before;
    g.inner_bytes = ((out ? args->rows : args->cols) - inner) * elem_bytes;
    g.outer = (out ? args->cols : args->rows) - outer;
    return g;
}

/* 16 bytes to or from global memory, with the hint of the plan. */
CT_DEVICE void ct_transpose_load(const int hint, uint32_t *v, const unsigned char *src)
{
    if (hint == CT_TRANSPOSE_cs) ct_load_global_cs(v, src, 128);
    else if (hint == CT_TRANSPOSE_l2) ct_load_global_l2_256(v, src, 128);
    else ct_load_global(v, src, 128);
}

CT_DEVICE void ct_transpose_store(const int hint, unsigned char *dst, const uint32_t *v)
{
    if (hint == CT_TRANSPOSE_cs) ct_store_global_cs(dst, v, 128);
    else ct_store_global(dst, v, 128);
}

/* ---- the short way ---------------------------------------------------------------------------- */

/** The thread's first byte of a side in the tile. */
CT_DEVICE int32_t ct_transpose_first(const ct_transpose_plan *plan, const ct_transpose_side *side)
{
    return (int32_t)ct_swizzle_apply(plan->swizzle, ct_offset(&side->at, (int64_t)threadIdx.x));
}

/** The thread's first address of a side in global memory; its rows are the lines or run across. */
CT_DEVICE unsigned char *ct_transpose_start(const ct_transpose_plan *plan, const ct_transpose_side *side,
                                            const ct_transpose_global *g, const int across)
{
    const int32_t line = (int32_t)ct_offset(&side->line, (int64_t)threadIdx.x);
    const int32_t elem = (int32_t)ct_offset(&side->elem, (int64_t)threadIdx.x);
    return g->base + (across ? elem : line) * g->ld_bytes + (across ? line : elem) * plan->job.elem_bytes;
}

/** From access i of a side to its next row. */
CT_DEVICE int64_t ct_transpose_to(const ct_transpose_plan *plan, const ct_transpose_side *side, int i,
                                  int64_t ld_bytes, const int across)
{
    const int32_t inner = across ? side->lines[i] : side->elems[i];
    return (across ? side->elems[i] : side->lines[i]) * ld_bytes + inner * plan->job.elem_bytes;
}

/** Global memory to the tile, across its lines: all loads, then block after block transposed. */
CT_DEVICE void ct_transpose_across_in(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                      unsigned char *tile)
{
    const ct_transpose_side *side = &plan->across;
    const int block = plan->job.block, words = 4 * block;
    const int bits = 8 * block * plan->job.elem_bytes;
    const unsigned char *src = ct_transpose_start(plan, side, g, 1);
    CT_FRAGMENT(uint32_t, held, 4 * CT_TRANSPOSE_ACCESSES);
    CT_UNROLL for (int i = 0; i < CT_TRANSPOSE_ACCESSES; ++i) if (i < side->accesses * block) {
        const int64_t row = ct_transpose_to(plan, side, i / block, g->ld_bytes, 1) + i % block * g->ld_bytes;
        ct_transpose_load(plan->job.hint, held + 4 * i, src + row);
    }
    const int32_t first = ct_transpose_first(plan, side);
    CT_UNROLL for (int b = 0; b < CT_TRANSPOSE_ACCESSES; ++b) if (b < side->accesses) {
        CT_FRAGMENT(uint32_t, turned, CT_BLOCK_WORDS);
        ct_transpose_block(turned, held + b * words, plan->job.elem_bytes, block, plan->run);
        unsigned char *to = tile + (first ^ side->fold[b]) + side->add[b];
        CT_UNROLL for (int j = 0; j < CT_TRANSPOSE_BYTES; ++j) if (j < plan->run)
            ct_store_shared(to + j * plan->line_bytes, turned + j * (bits / 32), bits);
    }
}

/** The tile to global memory, across its lines. */
CT_DEVICE void ct_transpose_across_out(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                       const unsigned char *tile)
{
    const ct_transpose_side *side = &plan->across;
    const int block = plan->job.block, bits = 8 * block * plan->job.elem_bytes;
    unsigned char *dst = ct_transpose_start(plan, side, g, 1);
    const int32_t first = ct_transpose_first(plan, side);
    CT_UNROLL for (int b = 0; b < CT_TRANSPOSE_ACCESSES; ++b) if (b < side->accesses) {
        CT_FRAGMENT(uint32_t, held, CT_BLOCK_WORDS);
        CT_FRAGMENT(uint32_t, turned, CT_BLOCK_WORDS);
        const unsigned char *from = tile + (first ^ side->fold[b]) + side->add[b];
        CT_UNROLL for (int j = 0; j < CT_TRANSPOSE_BYTES; ++j) if (j < plan->run)
            ct_load_shared(held + j * (bits / 32), from + j * plan->line_bytes, bits);
        ct_transpose_block(turned, held, plan->job.elem_bytes, plan->run, block);
        unsigned char *to = dst + ct_transpose_to(plan, side, b, g->ld_bytes, 1);
        CT_UNROLL for (int k = 0; k < CT_TRANSPOSE_ACCESSES; ++k) if (k < block)
            ct_transpose_store(plan->job.hint, to + k * g->ld_bytes, turned + 4 * k);
    }
}

/** Global memory to the tile, along its lines, by cp.async; waits for the thread's own. */
CT_DEVICE void ct_transpose_along_in(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                     unsigned char *tile)
{
    const ct_transpose_side *side = &plan->along;
    const unsigned char *src = ct_transpose_start(plan, side, g, 0);
    const int32_t first = ct_transpose_first(plan, side);
    CT_UNROLL for (int i = 0; i < CT_TRANSPOSE_ACCESSES; ++i) if (i < side->accesses)
        ct_cp_async_cg(tile + (first ^ side->fold[i]) + side->add[i],
                       src + ct_transpose_to(plan, side, i, g->ld_bytes, 0), 16);
    ct_cp_async_commit();
    ct_cp_async_wait_all();
}

/** The tile to global memory, along its lines. */
CT_DEVICE void ct_transpose_along_out(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                      const unsigned char *tile)
{
    const ct_transpose_side *side = &plan->along;
    unsigned char *dst = ct_transpose_start(plan, side, g, 0);
    const int32_t first = ct_transpose_first(plan, side);
    CT_FRAGMENT(uint32_t, held, 4 * CT_TRANSPOSE_ACCESSES);
    CT_UNROLL for (int i = 0; i < CT_TRANSPOSE_ACCESSES; ++i) if (i < side->accesses)
        ct_load_shared(held + 4 * i, tile + (first ^ side->fold[i]) + side->add[i], 128);
    CT_UNROLL for (int i = 0; i < CT_TRANSPOSE_ACCESSES; ++i) if (i < side->accesses)
        ct_transpose_store(plan->job.hint, dst + ct_transpose_to(plan, side, i, g->ld_bytes, 0), held + 4 * i);
}

/* ---- the careful way -------------------------------------------------------------------------- */

/** Bytes that divide every address of a side, and where its rows end: 1, 2 or 4. */
CT_DEVICE int32_t ct_transpose_unit(const ct_transpose_global *g)
{
    const uint32_t bits = (uint32_t)(uintptr_t)g->base | (uint32_t)g->ld_bytes | (uint32_t)g->inner_bytes;
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

/** The rows of the source as they are, from the aligned 16 bytes on in which each begins: whole ones
 *  and the first bytes of the last one by cp.async, zeros behind the matrix. */
CT_DEVICE void ct_transpose_any_rows(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                     unsigned char *tile)
{
    const int32_t pitch = ct_transpose_raw_pitch(plan), chunks = pitch / 16;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < plan->job.rows * chunks; i += plan->job.threads) {
        const int32_t row = i / chunks, chunk = i % chunks;
        const int32_t from = 16 * chunk - (int32_t)ct_transpose_past(g, row);
        const int64_t left = row < g->outer ? g->inner_bytes - from : 0;
        const int32_t valid = left < 0 ? 0 : left < 16 ? (int32_t)left : 16;
        const unsigned char *src = valid ? g->base + row * g->ld_bytes + from : g->base;
        if (from + g->before < 0) continue; /* the row begins within: ct_transpose_any_heads */
        ct_cp_async_cg_fill(tile + row * pitch + 16 * chunk, src - ((uintptr_t)src & 15), 16, valid);
    }
    ct_cp_async_commit();
}

/** The first 16 bytes of rows that begin behind a multiple of 16: nothing before the row is read. */
CT_DEVICE void ct_transpose_any_heads(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                      unsigned char *tile)
{
    const int32_t unit = ct_transpose_unit(g), unit_log2 = unit >> 1, pitch = ct_transpose_raw_pitch(plan);
    const int32_t slots_log2 = 4 - unit_log2;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < plan->job.rows << slots_log2; i += plan->job.threads) {
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
    const int block = plan->job.block, elem_bytes = plan->job.elem_bytes, bits = 8 * block * elem_bytes;
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
        const unsigned char *from = tile + row * pitch + (line + side->lines[i / block]) * elem_bytes;
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

CT_DEVICE ct_transpose_cut ct_transpose_cut_of(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                               int32_t line)
{
    ct_transpose_cut cut = CT_ZERO;
    cut.row = g->base + line * g->ld_bytes;
    const int32_t past = (int32_t)((uintptr_t)cut.row & 15);
    const int32_t end = g->inner_bytes < plan->line_bytes ? (int32_t)g->inner_bytes : plan->line_bytes;
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
        ct_load_shared_if(on && past, w + 4, tile + ct_transpose_line_byte(plan, line, at + 16), 128);
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
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < plan->lines << slots_log2; i += plan->job.threads) {
        const int32_t line = i >> slots_log2, byte = (i & ((1 << slots_log2) - 1)) << unit_log2;
        const ct_transpose_cut cut = ct_transpose_cut_of(plan, g, line);
        const int32_t from = byte < 16 ? byte : cut.tail + byte - 16;
        const int on = from < (byte < 16 ? cut.head : cut.end);
        const unsigned char *at = tile + ct_transpose_line_byte(plan, line, from & (plan->line_bytes - 1));
        CT_FRAGMENT(uint32_t, x, 1) = {0};
        ct_load_shared_if(on && unit == 4, x, at, 32);
        ct_load_shared_if(on && unit == 2, x, at, 16);
        ct_load_shared_if(on && unit == 1, x, at, 8);
        ct_store_global_if(on && unit == 4, cut.row + from, x, 32);
        ct_store_global_if(on && unit == 2, cut.row + from, x, 16);
        ct_store_global_if(on && unit == 1, cut.row + from, x, 8);
    }
}

/* ---- the whole tile --------------------------------------------------------------------------- */

/** Transposes the tile of this block. */
CT_DEVICE void ct_transpose(const ct_transpose_plan *plan, const ct_transpose_plan *careful,
                            const ct_transpose_args *args, unsigned char *tile)
{
    const ct_transpose_job *job = &plan->job;
    const int elem_bytes = job->elem_bytes;
    const int64_t group = (int64_t)blockIdx.z * gridDim.y + blockIdx.y;
    const int64_t other = (group << job->group_log2) | (blockIdx.x & ((1u << job->group_log2) - 1));
    const int64_t step = blockIdx.x >> job->group_log2;
    const int64_t row = (job->sweep == CT_TRANSPOSE_out ? step : other) * job->rows;
    const int64_t col = (job->sweep == CT_TRANSPOSE_out ? other : step) * job->cols;
    if (row >= args->rows || col >= args->cols) return;
    const ct_transpose_global src = ct_transpose_side_at(args, 0, elem_bytes, row, col);
    const ct_transpose_global dst = ct_transpose_side_at(args, 1, elem_bytes, row, col);
    const uint32_t odd = (uint32_t)(uintptr_t)args->src | (uint32_t)(uintptr_t)args->dst |
                         (uint32_t)src.ld_bytes | (uint32_t)dst.ld_bytes;
    if (row + job->rows > args->rows || col + job->cols > args->cols || (odd & 15) != 0) {
        ct_transpose_any_in(careful, &src, tile);
        __syncthreads();
        ct_transpose_any_vectors(careful, &dst, tile);
        ct_transpose_any_ends(careful, &dst, tile);
    } else if (job->staging == CT_TRANSPOSE_reg) {
        ct_transpose_across_in(plan, &src, tile);
        __syncthreads();
        ct_transpose_along_out(plan, &dst, tile);
    } else {
        ct_transpose_along_in(plan, &src, tile);
        __syncthreads();
        ct_transpose_across_out(plan, &dst, tile);
    }
}

#endif
