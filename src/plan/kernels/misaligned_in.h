/**
 * @internal The way in of misaligned rows (misaligned.h): the address of each row, the aligned
 * chunks that hold it, and rows turned into lines, four bytes of eight rows at a time.
 */
#ifndef CUTLET_PLAN_KERNELS_MISALIGNED_IN_H
#define CUTLET_PLAN_KERNELS_MISALIGNED_IN_H

#include <cutlet/device/element/permute.h>
#include <cutlet/device/unaligned/chunks.h>
#include "misaligned_plan.h"

/** Bytes from row 0 of the source to a row. */
CT_DEVICE int64_t ct_misaligned_row(const ct_misaligned *P, const int32_t row)
{
    return ct_place_of(P->mode, 0, P->row_modes, (uint32_t)row, 1, 0).src;
}

/* Marks the address of a row of which some chunk is not all in the source: none is so large. */
#define CT_MISALIGNED_EDGE ((uint64_t)1 << 63)

/** Writes the address of each row, and its offset in shared memory. The rows of the next line are
 *  the same ones, a byte further on. */
CT_DEVICE void ct_misaligned_rows(const ct_misaligned *P, const ct_plan_args *args,
                                  const ct_misaligned_part *b, unsigned char *memory)
{
    const uint64_t first = (uint64_t)(uintptr_t)args->first, end = (uint64_t)(uintptr_t)args->end;
    const int32_t all = P->transposed ? ct_misaligned_transposed_rows(P, b) : b->rows;
    CT_ROLL for (int32_t r = (int32_t)threadIdx.x; r < all; r += P->threads)
    {
        const int again = P->transposed && P->merged && r >= P->rows;
        const int32_t row = again ? r - P->rows : r;
        const unsigned char *const from = b->src + ct_misaligned_row(P, b->first_row + row);
        const uint32_t past = ct_chunk_past(from, CT_VECTOR_BYTES);
        const int32_t offset = ct_misaligned_row_at(P, b, row) + (int32_t)past + again;
        uint64_t at = (uint64_t)(uintptr_t)from;
        if (at - past < first || at + (uint32_t)b->bytes + CT_VECTOR_BYTES > end)
            at |= CT_MISALIGNED_EDGE;
        ct_store_shared_if(!again, memory + 8 * r, &at, 64);
        ct_store_shared(memory + P->offsets_at + 4 * r, &offset, 32);
    }
}

/** Stages the required parts of the block's rows. Zeros follow where turned ones end. */
CT_DEVICE void ct_misaligned_in(const ct_misaligned *P, const ct_plan_args *args,
                                const ct_misaligned_part *b, unsigned char *memory)
{
    const int32_t rows =
        P->transposed && !P->merged ? ct_misaligned_transposed_rows(P, b) : b->rows;
    const int32_t all = rows * P->chunks;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < all; i += P->threads)
    {
        const int32_t row = (int32_t)((uint32_t)i / (uint32_t)P->chunks);
        const int is_first = !P->transposed && row == 0,
                  is_last = !P->transposed && row == b->rows - 1;
        const int32_t k = CT_VECTOR_BYTES * (i - row * P->chunks) + (is_first ? b->skip : 0);
        uint64_t address = 0;
        ct_load_shared(&address, memory + 8 * row, 64);
        const int32_t past = (int32_t)(address & (CT_VECTOR_BYTES - 1));
        const int on = row < b->rows && k < past + (is_last ? b->last : b->bytes);
        const uint64_t chunk = (address & ~CT_MISALIGNED_EDGE) + (uint64_t)(int64_t)(k - past);
        const unsigned char *const at = (const unsigned char *)(uintptr_t)chunk;
        unsigned char *const to = memory + ct_misaligned_row_at(P, b, row) + k;
        if (on && address < CT_MISALIGNED_EDGE) ct_chunk_in(1, to, at, CT_VECTOR_BYTES);
        else if (on || P->transposed)
            ct_chunk_in_edge(on, to, at, CT_VECTOR_BYTES, (const unsigned char *)args->first,
                             (const unsigned char *)args->end);
    }
    ct_cp_async_commit();
    ct_cp_async_wait_all();
}

/* ---- rows turned into lines ------------------------------------------------------------------ */

/** Turns four bytes of eight rows: row r + i is at offset[i], line c + i goes to its own place. */
CT_DEVICE void ct_misaligned_turn_words(const ct_misaligned *P, unsigned char *memory,
                                        const int32_t r, const int32_t c)
{
    CT_FRAGMENT(int32_t, offset, 8);
    CT_FRAGMENT(uint32_t, x, 8);
    ct_load_shared(offset, memory + P->offsets_at + 4 * r, 128);
    ct_load_shared(offset + 4, memory + P->offsets_at + 4 * r + 16, 128);
    CT_UNROLL for (int i = 0; i < 8; ++i)
    {
        const int32_t at = offset[i] + c;
        uint32_t low = 0, high = 0;
        ct_load_shared(&low, memory + (at & ~3), 32);
        ct_load_shared(&high, memory + (at & ~3) + 4, 32);
        x[i] = ct_word_at(low, high, (uint32_t)at);
    }
    unsigned char *const to = memory + ct_misaligned_line_at(P, c) + r;
    CT_UNROLL for (int i = 0; i < 4; ++i)
    {
        CT_FRAGMENT(uint32_t, w, 2);
        w[0] = ct_turn_word(x, i, 4 + i, 8 + i, 12 + i);
        w[1] = ct_turn_word(x + 4, i, 4 + i, 8 + i, 12 + i);
        ct_store_shared(to + i * P->line_pitch, w, 64);
    }
}

/** Turns the staged rows into lines. A warp turns 64 rows of 16 lines at a time. */
CT_DEVICE void ct_misaligned_turn(const ct_misaligned *P, const ct_misaligned_part *b,
                                  unsigned char *memory)
{
    const int32_t rows = ct_misaligned_transposed_rows(P, b), down = (rows + 63) / 64;
    const int32_t all = down * ((b->lines + 15) / 16);
    const int32_t lane = (int32_t)threadIdx.x % 32;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x / 32; i < all; i += P->threads / 32)
    {
        const int32_t across = (int32_t)((uint32_t)i / (uint32_t)down);
        const int32_t r = (i - across * down) * 64 + lane / 4 * 8, c = across * 16 + lane % 4 * 4;
        if (r < rows && c < b->lines) ct_misaligned_turn_words(P, memory, r, c);
    }
}

#endif
