/**
 * @internal The writes of misaligned rows and lines (misaligned.h): aligned vectors, each cut out
 * of two staged ones, and single bytes at the ends of a run or line.
 */
#ifndef CUTLET_PLAN_KERNELS_MISALIGNED_OUT_H
#define CUTLET_PLAN_KERNELS_MISALIGNED_OUT_H

#include <cutlet/device/element/funnel_shift.h>
#include "misaligned_plan.h"
#include <cutlet/device/element/move.h>

/** v = the 16 bytes at an offset in shared memory; of them those from byte `first` to `end`. Staged
 *  vectors that have none of these are not read: nothing may be staged there. */
CT_DEVICE void ct_misaligned_vector(uint32_t *v, const unsigned char *memory, const int32_t at,
                                    const int32_t first, const int32_t end)
{
    ct_cut_shared(v, memory + (at & ~15), at & 15, first, end, 1);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/** A byte of a run in shared memory. */
typedef struct ct_misaligned_byte {
    int32_t line; /* counted from the block's first row or line */
    int32_t at;   /* offset in shared memory */
    int32_t left; /* bytes of its line from it on: 0 or less in a gap */
} ct_misaligned_byte;

/** Byte `byte` of the run. The last line of a turned part also has the bytes of the next line up to
 *  the part's end. */
CT_DEVICE ct_misaligned_byte ct_misaligned_byte_of(const ct_misaligned *P,
                                                   const ct_misaligned_part *b,
                                                   const unsigned char *memory, const int32_t byte)
{
    const int32_t line = (int32_t)((uint32_t)byte / (uint32_t)P->line_step);
    ct_misaligned_byte at = {line - (P->transposed ? b->first_line : b->first_row), 0, 0};
    if (P->transposed) at.line = ct_misaligned_min(at.line, b->lines - 1);
    if (P->transposed) at.at = ct_misaligned_line_at(P, at.line);
    else ct_load_shared(&at.at, memory + P->offsets_at + 4 * at.line, 32);
    const int32_t first = at.line + (P->transposed ? b->first_line : b->first_row);
    const int32_t column = byte - first * P->line_step;
    at.at += column;
    at.left = P->line_bytes - column;
    return at;
}

/** Stores a vector without the bytes from `from` on and before `to`: a gap. */
CT_DEVICE void ct_misaligned_store_around(unsigned char *dst, const uint32_t *v, const int32_t from,
                                          const int32_t to)
{
    CT_UNROLL for (int i = 0; i < 4; ++i)
    {
        const int all = from >= 4 * i + 4 || to <= 4 * i;
        const int none = from <= 4 * i && to >= 4 * i + 4;
        ct_store_global_if(all, dst + 4 * i, v + i, 32);
        if (all || none) continue;
        CT_ROLL for (int k = 4 * i; k < 4 * i + 4; ++k)
        {
            const uint8_t x = (uint8_t)(v[i] >> 8 * (k - 4 * i));
            ct_store_global_if(k < from || k >= to, dst + k, &x, 8);
        }
    }
}

/** Stores the 16 bytes of a run from byte `byte` on, without those of a gap. */
CT_DEVICE void ct_misaligned_run_vector(const ct_misaligned *P, const ct_misaligned_part *b,
                                        const unsigned char *memory, const int32_t byte)
{
    const ct_misaligned_byte from = ct_misaligned_byte_of(P, b, memory, byte);
    CT_FRAGMENT(uint32_t, v, 4);
    const int32_t own = P->transposed ? 16 : ct_misaligned_min(from.left, 16);
    ct_misaligned_vector(v, memory, from.at, P->transposed || own > 0 ? 0 : 16, own);
    if (!P->transposed && from.left < CT_VECTOR_BYTES) { /* a gap, and the next row */
        const int32_t next = from.left + P->line_step - P->line_bytes;
        if (next < CT_VECTOR_BYTES) {
            CT_FRAGMENT(uint32_t, w, 4);
            int32_t at = 0;
            ct_load_shared(&at, memory + P->offsets_at + 4 * from.line + 4, 32);
            ct_misaligned_vector(w, memory, at - next, next, 16);
            ct_join(v, w, from.left);
        }
        if (P->line_step > P->line_bytes) {
            ct_misaligned_store_around(b->dst + byte, v, from.left, next);
            return;
        }
    }
    ct_store_global(b->dst + byte, v, 128);
}

/** Stores the part of a run. Vectors of rows wait for an offset first, so a thread has two in
 *  flight. */
CT_DEVICE void ct_misaligned_run_out(const ct_misaligned *P, const ct_misaligned_part *b,
                                     const unsigned char *memory)
{
    const int32_t from = b->begin < 0 ? 0 : b->begin, up = (from - b->begin + 15) / 16 * 16;
    const ct_line_part part = {b->begin + up, b->end, from};
    const int32_t vectors = ct_part_whole(&part) / CT_VECTOR_BYTES;
    if (P->transposed) {
        CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < vectors; i += P->threads)
            ct_misaligned_run_vector(P, b, memory, part.begin + CT_VECTOR_BYTES * i);
    } else {
        CT_UNROLL_BY(2)
        for (int32_t i = (int32_t)threadIdx.x; i < vectors; i += P->threads)
            ct_misaligned_run_vector(P, b, memory, part.begin + CT_VECTOR_BYTES * i);
    }
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < ct_end_slots(1); i += P->threads)
    {
        const int32_t byte = ct_end_piece(&part, i, 1);
        if (!ct_part_has(&part, byte)) continue;
        const ct_misaligned_byte from = ct_misaligned_byte_of(P, b, memory, byte);
        ct_move_if(from.left > 0, b->dst + byte, CT_SPACE_SHARED, memory + from.at, 1, 1);
    }
}

/* ---- long lines ------------------------------------------------------------------------------ */

/** The block's first line of those that are not joined, and its span of it. */
CT_DEVICE unsigned char *ct_misaligned_line(const ct_misaligned *P, const ct_misaligned_part *b,
                                            const int32_t line, ct_line_part *part)
{
    unsigned char *const dst = b->dst + (b->first_line + line) * P->dst_step + b->first_row;
    part->begin = ct_to_sector(dst, 0);
    part->end = ct_misaligned_min(P->run_bytes - b->first_row, part->begin + P->span);
    part->from = b->first_row == 0 ? 0 : part->begin;
    return dst;
}

/** Stores the spans of long lines. A span begins at the first multiple of a sector in it, and
 *  ends where the next begins. */
CT_DEVICE void ct_misaligned_lines_out(const ct_misaligned *P, const ct_misaligned_part *b,
                                       const unsigned char *memory)
{
    const int32_t each = P->span / CT_VECTOR_BYTES, left = P->run_bytes - b->first_row;
    const int32_t slots = ct_end_slots(1);
    ct_line_part part = {0, 0, 0};
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < b->lines * each; i += P->threads)
    {
        const int32_t line = (int32_t)((uint32_t)i / (uint32_t)each);
        unsigned char *const dst = ct_misaligned_line(P, b, line, &part);
        const int32_t byte = part.begin + CT_VECTOR_BYTES * (i - line * each);
        CT_FRAGMENT(uint32_t, v, 4);
        if (byte + CT_VECTOR_BYTES > part.end) continue;
        ct_misaligned_vector(v, memory, ct_misaligned_line_at(P, line) + byte, 0, 16);
        ct_store_global(dst + byte, v, 128);
    }
    if (b->first_row > 0 && left >= P->span + CT_SECTOR_BYTES) return;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < b->lines * slots; i += P->threads)
    {
        const int32_t line = i / slots;
        unsigned char *const dst = ct_misaligned_line(P, b, line, &part);
        const int32_t byte = ct_end_piece(&part, i - line * slots, 1);
        ct_move_if(ct_part_has(&part, byte), dst + byte, CT_SPACE_SHARED,
                   memory + ct_misaligned_line_at(P, line) + byte, 1, 1);
    }
}

#endif
