/**
 * The transposition of a tile of any size, anywhere: the careful way of transpose.h.
 *
 * Aligned 16 bytes are loaded and stored all the same. On the way in, every thread cuts its vectors
 * out of the two aligned ones that hold them, in registers, and writes them into the tile
 * transposed. On the way out, the vectors of a line are cut out of two of the tile in the same way,
 * so that they fall on aligned addresses.
 *
 * Where the rows of the result begin anywhere, tiles are skewed: a tile takes a line of the result
 * not from its own first byte on but from the first multiple of 32 behind it, and as many bytes of
 * the next tile. So the blocks share no 32-byte sector of the result, which is slow: the parts of a
 * sector meet in L2 one after the other. The tile needs 32 bytes more of every line for it.
 *
 * Whether an edge is to be minded is a constant of the functions here, `edge`: they are compiled
 * twice, and for tiles inside the matrix nothing is tested. Without an edge all addresses are
 * multiples of the elements' size; with one, of nothing.
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
    const unsigned char *begin, *end; /* of the whole matrix: nothing outside is touched */
    uint32_t skew;       /* lines are taken from a multiple of skew + 1 on: 31, or 0 for no skew */
    int first;           /* no tile of the same rows lies before this one */
} ct_transpose_global;

/** The side that is the source (out = 0) or the result (out = 1) of the tile at (row, col). */
CT_DEVICE ct_transpose_global ct_transpose_side_at(const ct_transpose_args *args, const int out,
                                                   const int elem_bytes, int64_t row, int64_t col)
{
    ct_transpose_global g = CT_ZERO;
    const int64_t inner = out ? row : col, outer = out ? col : row;
    const int64_t inner_all = out ? args->rows : args->cols;
    const int64_t outer_all = out ? args->cols : args->rows;
    unsigned char *const first = out ? (unsigned char *)args->dst : (unsigned char *)args->src;
    g.ld_bytes = (out ? args->dst_ld : args->src_ld) * elem_bytes;
    g.base = first + outer * g.ld_bytes + inner * elem_bytes;
    g.inner_bytes = (inner_all - inner) * elem_bytes;
    g.outer = outer_all - outer;
    const int64_t down = (outer_all - 1) * g.ld_bytes; /* negative where rows go down */
    g.begin = first + (down < 0 ? down : 0);
    g.end = first + (down < 0 ? 0 : down) + inner_all * elem_bytes;
    g.skew = (((uint32_t)(uintptr_t)first | (uint32_t)g.ld_bytes) & 15) != 0 ? CT_TRANSPOSE_MORE - 1
                                                                             : 0;
    g.first = inner == 0;
    return g;
}

/** What divides all addresses, in bytes. */
CT_DEVICE int ct_transpose_unit(const ct_transpose_plan *plan, const int edge)
{
    return edge ? 1 : plan->job.elem_bytes;
}

/** Whether the tile at (row, col) of the source, with the rows that a skewed one needs more, lies
 *  whole inside, and with it the aligned 16 bytes that hold it: there is something before it, and
 *  behind it. */
CT_DEVICE int ct_transpose_inside(const ct_transpose_plan *plan, const ct_transpose_args *args,
                                  int64_t row, int64_t col)
{
    const int64_t last_row = row + plan->job.rows + CT_TRANSPOSE_MORE / plan->job.elem_bytes;
    const int64_t last_col = col + plan->job.cols;
    return args->src_ld >= args->cols && row > 0 && last_row <= args->rows &&
           last_col <= args->cols && (last_row < args->rows || last_col + plan->run <= args->cols);
}

/** The thread's first byte of a side in the tile. */
CT_DEVICE int32_t ct_transpose_first(const ct_transpose_plan *plan, const ct_transpose_side *side)
{
    return (int32_t)ct_swizzle_apply(plan->swizzle, ct_offset(&side->at, (int64_t)threadIdx.x));
}

/* ---- the way in ------------------------------------------------------------------------------ */

/** The aligned 16 bytes at `at`, and of those that cross the begin or end of the matrix only what
 *  is inside, byte by byte. */
CT_DEVICE void ct_transpose_load_inside(const int on, uint32_t *v, const unsigned char *at,
                                        const ct_transpose_global *g)
{
    const int whole = at >= g->begin && at + 16 <= g->end;
    ct_load_global_if(on && whole, v, at, 128);
    if (!on || whole) return;
    CT_ROLL for (int i = 0; i < 16; ++i) {
        CT_FRAGMENT(uint32_t, x, 1) = {0};
        ct_load_global_if(at + i >= g->begin && at + i < g->end, x, at + i, 8);
        ct_vector_append(v, x[0], 1);
    }
}

/** v = the 16 bytes at src, which need not be aligned: cut out of two aligned ones. */
CT_DEVICE void ct_transpose_load_any(uint32_t *v, const unsigned char *src, const int unit,
                                     const int edge, const int on, const ct_transpose_global *g)
{
    const uint32_t past = (uint32_t)(uintptr_t)src & 15;
    const unsigned char *const at = src - past;
    CT_FRAGMENT(uint32_t, w, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
    if (edge) {
        ct_transpose_load_inside(on, w, at, g);
        ct_transpose_load_inside(on && past, w + 4, at + 16, g);
    } else {
        ct_load_global(w, at, 128);
        ct_load_global_if(past != 0, w + 4, at + 16, 128);
    }
    ct_vector_from(v, w, past, unit);
}

/** Global memory to registers: a block of the tile, at (row, byte). */
CT_DEVICE void ct_transpose_any_block(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                      uint32_t *held, int32_t row, int32_t byte, const int edge)
{
    const unsigned char *const src = g->base + row * g->ld_bytes + byte;
    CT_UNROLL for (int k = 0; k < CT_TRANSPOSE_BYTES; ++k) if (k < plan->job.block)
        ct_transpose_load_any(held + 4 * k, src + k * g->ld_bytes, ct_transpose_unit(plan, edge), edge,
                              row + k < g->outer && byte < g->inner_bytes, g);
}

/** Registers to the tile: a block of it transposed, a piece of each of its lines. */
CT_DEVICE void ct_transpose_turn(const ct_transpose_plan *plan, const uint32_t *held,
                                 unsigned char *to, const int32_t pitch)
{
    const int block = plan->job.block, bits = 8 * block * plan->job.elem_bytes;
    CT_FRAGMENT(uint32_t, turned, CT_BLOCK_WORDS);
    ct_transpose_block(turned, held, plan->job.elem_bytes, block, plan->run);
    CT_UNROLL for (int j = 0; j < CT_TRANSPOSE_BYTES; ++j) if (j < plan->run)
        ct_store_shared(to + j * pitch, turned + j * (bits / 32), bits);
}

/** Global memory to the tile across its lines, from anywhere. */
CT_DEVICE void ct_transpose_any_in(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                   unsigned char *tile, const int edge)
{
    const ct_transpose_side *side = &plan->across;
    const int elem_bytes = plan->job.elem_bytes;
    const int32_t line = (int32_t)ct_offset(&side->line, (int64_t)threadIdx.x);
    const int32_t elem = (int32_t)ct_offset(&side->elem, (int64_t)threadIdx.x);
    const int32_t first = ct_transpose_first(plan, side);
    CT_UNROLL for (int b = 0; b < CT_TRANSPOSE_ACCESSES; ++b) if (b < side->accesses) {
        CT_FRAGMENT(uint32_t, held, 4 * CT_TRANSPOSE_ACCESSES);
        ct_transpose_any_block(plan, g, held, elem + side->elems[b],
                               (line + side->lines[b]) * elem_bytes, edge);
        ct_transpose_turn(plan, held, tile + (first ^ side->fold[b]) + side->add[b],
                          plan->line_bytes);
    }
}

/** What a skewed tile needs more of its lines, to where it lies behind the tile. */
CT_DEVICE void ct_transpose_any_more(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                     unsigned char *tile, const int edge)
{
    const int elem_bytes = plan->job.elem_bytes, block = plan->job.block;
    const int runs = plan->lines / plan->run, rows = CT_TRANSPOSE_MORE / elem_bytes;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < runs * rows / block; i += plan->job.threads) {
        const int32_t line = i % runs * plan->run, row = i / runs * block;
        CT_FRAGMENT(uint32_t, held, 4 * CT_TRANSPOSE_ACCESSES);
        ct_transpose_any_block(plan, g, held, plan->elems + row, line * elem_bytes, edge);
        ct_transpose_turn(plan, held, tile + plan->shared_bytes + line * CT_TRANSPOSE_MORE +
                          row * elem_bytes, CT_TRANSPOSE_MORE);
    }
}

/* ---- the way out ----------------------------------------------------------------------------- */

/** Where byte i of a line lies in the tile, or behind it. */
CT_DEVICE int32_t ct_transpose_line_byte(const ct_transpose_plan *plan, int32_t line, int32_t i)
{
    const int32_t more = plan->shared_bytes + line * CT_TRANSPOSE_MORE + i - plan->line_bytes;
    const int32_t at = (int32_t)ct_swizzle_apply(plan->swizzle, ct_offset(&plan->line_at, line) + i);
    return i < plan->line_bytes ? at : more;
}

/** What of a line the tile stores to its row in the result, in bytes of the line: [from, end),
 *  whole vectors from `begin` on. */
typedef struct ct_transpose_cut {
    unsigned char *row;
    int32_t from, begin, end;
} ct_transpose_cut;

CT_DEVICE ct_transpose_cut ct_transpose_cut_of(const ct_transpose_plan *plan,
                                               const ct_transpose_global *g, int32_t line,
                                               const int edge)
{
    ct_transpose_cut cut = CT_ZERO;
    cut.row = g->base + line * g->ld_bytes;
    cut.begin = (int32_t)(-(uint32_t)(uintptr_t)cut.row & g->skew);
    cut.from = edge && g->first ? 0 : cut.begin;
    cut.end = cut.begin + plan->line_bytes;
    if (edge && g->inner_bytes < cut.end) cut.end = (int32_t)g->inner_bytes;
    if (edge && line >= g->outer) cut.end = 0;
    return cut;
}

/** The whole vectors of the lines. */
CT_DEVICE void ct_transpose_any_vectors(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                        const unsigned char *tile, const int edge)
{
    const ct_transpose_side *side = &plan->along;
    const int32_t line = (int32_t)ct_offset(&side->line, (int64_t)threadIdx.x);
    const int32_t elem = (int32_t)ct_offset(&side->elem, (int64_t)threadIdx.x);
    CT_UNROLL for (int i = 0; i < CT_TRANSPOSE_ACCESSES; ++i) if (i < side->accesses) {
        const int32_t l = line + side->lines[i];
        const ct_transpose_cut cut = ct_transpose_cut_of(plan, g, l, edge);
        const int32_t from = cut.begin + (elem + side->elems[i]) * plan->job.elem_bytes;
        const int32_t past = from & 15, on = !edge || from + 16 <= cut.end;
        CT_FRAGMENT(uint32_t, w, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
        CT_FRAGMENT(uint32_t, v, 4);
        ct_load_shared_if(on, w, tile + ct_transpose_line_byte(plan, l, from - past), 128);
        ct_load_shared_if(on && past, w + 4,
                          tile + ct_transpose_line_byte(plan, l, from - past + 16), 128);
        ct_vector_from(v, w, (uint32_t)past, ct_transpose_unit(plan, edge));
        ct_store_global_if(on, cut.row + from, v, 128);
    }
}

/** What is left of the lines at an edge, byte by byte: up to 31 before the vectors, 15 behind. */
CT_DEVICE void ct_transpose_any_ends(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                     const unsigned char *tile)
{
    enum { SLOTS_LOG2 = 6, BEFORE = 32 };
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < plan->lines << SLOTS_LOG2;
                 i += plan->job.threads) {
        const int32_t line = i >> SLOTS_LOG2, slot = i & ((1 << SLOTS_LOG2) - 1);
        const ct_transpose_cut cut = ct_transpose_cut_of(plan, g, line, 1);
        const int32_t vectors = cut.end > cut.begin ? (cut.end - cut.begin) & ~15 : 0;
        const int32_t byte = slot < BEFORE ? cut.from + slot : cut.begin + vectors + slot - BEFORE;
        const int on = byte < cut.end && (slot >= BEFORE || byte < cut.begin);
        uint8_t x = 0;
        ct_load_shared_if(on, &x, tile + ct_transpose_line_byte(plan, line, on ? byte : 0), 8);
        ct_store_global_if(on, cut.row + byte, &x, 8);
    }
}

/** The whole tile, edge or not; a block has one barrier. */
CT_DEVICE void ct_transpose_any(const ct_transpose_plan *plan, const ct_transpose_global *src,
                                const ct_transpose_global *dst, unsigned char *tile, const int edge)
{
    if (dst->skew) ct_transpose_any_more(plan, src, tile, edge);
    ct_transpose_any_in(plan, src, tile, edge);
    __syncthreads();
    ct_transpose_any_vectors(plan, dst, tile, edge);
    if (edge) ct_transpose_any_ends(plan, dst, tile);
}

#endif
