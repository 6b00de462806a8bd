/**
 * @internal Staged rows turned into lines (misaligned.h), four bytes of eight rows at a time.
 */
#ifndef CUTLET_PLAN_KERNELS_MISALIGNED_TURN_H
#define CUTLET_PLAN_KERNELS_MISALIGNED_TURN_H

#include <cutlet/device/arch/load_store.h>
#include "misaligned_plan.h"
#include <cutlet/device/element/permute.h>

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
