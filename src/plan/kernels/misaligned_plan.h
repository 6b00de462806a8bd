/**
 * @internal The plan of a copy between misaligned rows and lines (misaligned.h), and the part of it
 * that a block copies.
 */
#ifndef CUTLET_PLAN_KERNELS_MISALIGNED_PLAN_H
#define CUTLET_PLAN_KERNELS_MISALIGNED_PLAN_H

#include <cutlet/device/unaligned/line_part.h>
#include "plan_args.h"

typedef struct ct_misaligned {
    ct_plan_args at;      /* of the kernel for all plans */
    int32_t transposed;   /* whether lines run across the rows */
    int32_t merged;       /* whether each line follows the one before it: always if not turned */
    int32_t threads;      /* of a block */
    int32_t rows;         /* staged rows at most; of a turned run: its line's bytes */
    int32_t row_bytes;    /* staged bytes of a row at most */
    int32_t line_bytes;   /* joined: of a line */
    int32_t line_step;    /* joined: from line to line of the run; more if gaps follow the lines */
    int32_t run_bytes;    /* joined: of all lines that follow one another; else of a line */
    int32_t lines;        /* turned: lines of a block; else 0 */
    int32_t all_lines;    /* turned: lines, which are the bytes of a row */
    int32_t span;         /* bytes that a block writes of a run, or of each long line; else 0 */
    int32_t tiles, spans; /* blocks of all lines, and of a run or line */
    int32_t chunks;       /* of a staged row at most */
    int32_t pitch, line_pitch; /* bytes from a staged row, and a turned line, to the next */
    int32_t offsets_at, rows_at, lines_at; /* in shared memory; addresses of rows are at 0 */
    int32_t shared_bytes;
    int32_t row_modes, modes; /* modes of a row's number, the fastest first; all modes */
    int64_t dst_step;         /* long: bytes from line to line of the destination */
    ct_box_mode mode[CT_BOX_MODES];
} ct_misaligned;

/** What a block copies. */
typedef struct ct_misaligned_part {
    const unsigned char *src;  /* of row 0, at the block's first line */
    unsigned char *dst;        /* of the run, or of line 0 */
    int32_t first_row, rows;   /* staged; rows after the last of the copy are not */
    int32_t first_line, lines; /* turned */
    int32_t bytes;             /* that are needed of each row */
    int32_t skip, last;        /* straight: bytes before the first row's staged ones, a multiple
                                     of 16; bytes that are needed of the last row */
    int32_t begin, end;        /* joined: its bytes of the run */
} ct_misaligned_part;

/** The lesser of two numbers of 32 bits: ct_min would compare 64. */
CT_DEVICE int32_t ct_misaligned_min(const int32_t a, const int32_t b) { return a < b ? a : b; }

/** The part of a run or of lines that tile `tile` and span `span` copy. */
CT_DEVICE ct_misaligned_part ct_misaligned_part_of(const ct_misaligned *P, const unsigned char *src,
                                                   unsigned char *dst, const int32_t tile,
                                                   const int32_t span)
{
    ct_misaligned_part b = {src, dst,          0, P->rows, tile * P->lines, 0, P->row_bytes,
                            0,   P->row_bytes, 0, 0};
    const int32_t misalignment = (int32_t)((uint32_t)(uintptr_t)dst & (CT_SECTOR_BYTES - 1));
    if (!P->transposed) {
        b.begin = span * P->span - misalignment;
        b.end = ct_misaligned_min(b.begin + P->span, P->run_bytes);
        const int32_t from = b.begin < 0 ? 0 : b.begin;
        b.first_row = from / P->line_step;
        b.rows = b.end > from ? (b.end - 1) / P->line_step - b.first_row + 1 : 0;
        b.skip = ct_misaligned_min(from - b.first_row * P->line_step, P->line_bytes) & ~15;
        b.last =
            ct_misaligned_min(b.end - (b.first_row + b.rows - 1) * P->line_step, P->line_bytes);
        return b;
    }
    const int32_t left = P->all_lines - b.first_line;
    b.src += b.first_line;
    b.lines = ct_misaligned_min(P->lines, left);
    b.bytes = ct_misaligned_min(P->row_bytes, left);
    if (P->merged) {
        const int32_t first = b.first_line * P->line_bytes, next = first + b.lines * P->line_bytes;
        b.begin = b.first_line == 0 ? -misalignment : first + ct_to_sector(dst, first);
        b.end = b.lines == left ? P->run_bytes : next + ct_to_sector(dst, next);
    } else {
        b.first_row = span * P->span;
        b.rows = ct_misaligned_min(P->rows, P->run_bytes - b.first_row);
    }
    return b;
}

/** The rows of a transposed line, in full vectors. The last row of a merged line is followed by the
 * first ones of the next line, as far as a vector of the part may reach. */
CT_DEVICE int32_t ct_misaligned_transposed_rows(const ct_misaligned *P, const ct_misaligned_part *b)
{
    return (b->rows + (P->merged ? CT_SECTOR_BYTES - 1 : 0) + 15) / 16 * 16;
}

/** The offset in shared memory of the first chunk of a staged row, and of a turned line. */
CT_DEVICE int32_t ct_misaligned_row_at(const ct_misaligned *P, const ct_misaligned_part *b,
                                       const int32_t row)
{
    return P->rows_at + row * P->pitch + (P->transposed ? row / 8 * 16 : -b->skip);
}
CT_DEVICE int32_t ct_misaligned_line_at(const ct_misaligned *P, const int32_t line)
{
    return P->lines_at + line * P->line_pitch + line / 8 * 32;
}

#endif
