/**
 * @internal The way out of misaligned rows and lines (misaligned.h): aligned vectors, each cut out of
 * two staged ones, and bytes where a run or line begins and ends.
 */
#ifndef CUTLET_DEVICE_MISALIGNED_OUT_H
#define CUTLET_DEVICE_MISALIGNED_OUT_H

#include "cut.h"
#include "misaligned_plan.h"

/** v = the 16 bytes at an offset in shared memory. */
CT_DEVICE void ct_misaligned_vector(const unsigned char *memory, const int32_t at, uint32_t *v)
{
    ct_cut_shared(v, memory + (at & ~15), (uint32_t)at & 15, 1);
}

/** Copies a byte if `on` is not 0. */
CT_DEVICE void ct_misaligned_byte_out(const int on, unsigned char *dst, const unsigned char *from)
{
    uint8_t x = 0;
    ct_load_shared_if(on, &x, from, 8);
    ct_store_global_if(on, dst, &x, 8);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/** A byte of a run as it lies in shared memory. */
typedef struct ct_misaligned_byte {
    int32_t line; /* counted from the block's first row or line */
    int32_t at;   /* offset in shared memory */
    int32_t left; /* bytes of its line from it on */
} ct_misaligned_byte;

/** Byte `byte` of the run. The last line of a turned part also has the bytes of the next line up to the
 *  part's end. */
CT_DEVICE ct_misaligned_byte ct_misaligned_byte_of(const ct_misaligned *P,
                                                   const ct_misaligned_part *b,
                                                   const unsigned char *memory, const int32_t byte)
{
    const int32_t line = (int32_t)((uint32_t)byte / (uint32_t)P->line_bytes);
    ct_misaligned_byte at = {line - (P->turned ? b->first_line : b->first_row), 0, 0};
    if (P->turned) at.line = ct_misaligned_min(at.line, b->lines - 1);
    if (P->turned) at.at = ct_misaligned_line_at(P, at.line);
    else ct_load_shared(&at.at, memory + P->offsets_at + 4 * at.line, 32);
    const int32_t first = at.line + (P->turned ? b->first_line : b->first_row);
    const int32_t column = byte - first * P->line_bytes;
    at.at += column;
    at.left = P->line_bytes - column;
    return at;
}

/** Stores the 16 bytes of a run from byte `byte` on. */
CT_DEVICE void ct_misaligned_run_vector(const ct_misaligned *P, const ct_misaligned_part *b,
                                        const unsigned char *memory, const int32_t byte)
{
    const ct_misaligned_byte from = ct_misaligned_byte_of(P, b, memory, byte);
    CT_FRAGMENT(uint32_t, v, 4);
    ct_misaligned_vector(memory, from.at, v);
    if (!P->turned && from.left < CT_VECTOR_BYTES) { /* the rest is the next row's */
        CT_FRAGMENT(uint32_t, w, 4);
        int32_t next = 0;
        ct_load_shared(&next, memory + P->offsets_at + 4 * from.line + 4, 32);
        ct_misaligned_vector(memory, next - from.left, w);
        ct_join(v, w, from.left);
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
    const int32_t vectors = ct_part_vectors(&part);
    if (P->turned) {
        CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < vectors; i += P->threads)
            ct_misaligned_run_vector(P, b, memory, part.begin + CT_VECTOR_BYTES * i);
    } else {
        CT_UNROLL_BY(2) for (int32_t i = (int32_t)threadIdx.x; i < vectors; i += P->threads)
            ct_misaligned_run_vector(P, b, memory, part.begin + CT_VECTOR_BYTES * i);
    }
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < ct_end_slots(1); i += P->threads) {
        const int32_t byte = ct_end_piece(&part, i, 1);
        if (ct_part_has(&part, byte))
            ct_misaligned_byte_out(1, b->dst + byte,
                                   memory + ct_misaligned_byte_of(P, b, memory, byte).at);
    }
}

/* ---- long lines ------------------------------------------------------------------------------ */

/** The block's first line of those that are not joined, and its window of it. */
CT_DEVICE unsigned char *ct_misaligned_line(const ct_misaligned *P, const ct_misaligned_part *b,
                                            const int32_t line, ct_line_part *part)
{
    unsigned char *const dst = b->dst + (b->first_line + line) * P->line_step + b->first_row;
    part->begin = ct_to_sector(dst, 0);
    part->end = ct_misaligned_min(P->run_bytes - b->first_row, part->begin + P->window);
    part->from = b->first_row == 0 ? 0 : part->begin;
    return dst;
}

/** Stores the windows of long lines. A window begins at the first multiple of a sector in it, and
 *  ends where the next begins. */
CT_DEVICE void ct_misaligned_lines_out(const ct_misaligned *P, const ct_misaligned_part *b,
                                       const unsigned char *memory)
{
    const int32_t each = P->window / CT_VECTOR_BYTES, left = P->run_bytes - b->first_row;
    const int32_t slots = ct_end_slots(1);
    ct_line_part part = {0, 0, 0};
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < b->lines * each; i += P->threads) {
        const int32_t line = (int32_t)((uint32_t)i / (uint32_t)each);
        unsigned char *const dst = ct_misaligned_line(P, b, line, &part);
        const int32_t byte = part.begin + CT_VECTOR_BYTES * (i - line * each);
        CT_FRAGMENT(uint32_t, v, 4);
        if (byte + CT_VECTOR_BYTES > part.end) continue;
        ct_misaligned_vector(memory, ct_misaligned_line_at(P, line) + byte, v);
        ct_store_global(dst + byte, v, 128);
    }
    if (b->first_row > 0 && left >= P->window + CT_SECTOR_BYTES) return;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < b->lines * slots; i += P->threads) {
        const int32_t line = i / slots;
        unsigned char *const dst = ct_misaligned_line(P, b, line, &part);
        const int32_t byte = ct_end_piece(&part, i - line * slots, 1);
        ct_misaligned_byte_out(ct_part_has(&part, byte), dst + byte,
                               memory + ct_misaligned_line_at(P, line) + byte);
    }
}

#endif
