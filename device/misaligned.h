/**
 * @internal A plan's copy between rows and lines of bytes at any addresses, staged in shared
 * memory: every access to global memory is aligned.
 *
 * Rows are contiguous in the source, lines in the destination.
 *
 *     straight   a line is a row; lines that follow one another are a run
 *     joined     lines run across the rows, and follow one another in a run
 *     long       lines run across the rows, one anywhere; a block writes a window of each
 *
 * A block stages its rows by cp.async, in the aligned chunks of 16 bytes that hold them. Rows that
 * lines run across are turned in shared memory, four bytes of four rows at a time. Then it writes
 * vectors of 16 bytes, each cut out of two staged ones. Its part of a run or line begins and ends at
 * multiples of 32 bytes, so no two blocks write the same sector, which L2 would read first.
 *
 * Rows of a turned copy are staged at odd multiples of 16 bytes, with 16 bytes after every eighth,
 * lines with 32 bytes after every eighth: so the words that a warp turns lie in different banks, up
 * to the distances of the rows past their chunks. Plain data, as a box.
 */
#ifndef CUTLET_DEVICE_MISALIGNED_H
#define CUTLET_DEVICE_MISALIGNED_H

#include "cp_async.h"
#include "cut.h"
#include "plan_args.h"
#include "prefetch.h"

/** Bytes of a vector and of a chunk; of a sector, where the parts of blocks meet. */
#define CT_MISALIGNED_BYTES 16
#define CT_MISALIGNED_SECTOR 32

typedef struct ct_misaligned {
    int32_t turned;       /* whether lines run across the rows */
    int32_t joined;       /* whether each line follows the one before it: always if not turned */
    int32_t threads;      /* of a block */
    int32_t rows;         /* staged rows at most; of a turned run: its line's bytes */
    int32_t row_bytes;    /* staged bytes of a row at most */
    int32_t line_bytes;   /* joined: of a line */
    int32_t run_bytes;    /* joined: of all lines that follow one another; else of a line */
    int32_t lines;        /* turned: lines of a block; else 0 */
    int32_t all_lines;    /* turned: lines, which are the bytes of a row */
    int32_t window;       /* bytes that a block writes of a run, or of each long line; else 0 */
    int32_t tiles, windows; /* blocks of all lines, and of a run or line */
    int32_t chunks;       /* of a staged row */
    int32_t pitch, line_pitch; /* bytes from a staged row, and a turned line, to the next */
    int32_t offsets_at, rows_at, lines_at; /* in shared memory; addresses of rows are at 0 */
    int32_t shared_bytes;
    int32_t row_modes, modes; /* modes of a row's number, the fastest first; all modes */
    int64_t line_step;    /* turned: bytes from line to line of the destination */
    ct_box_mode mode[CT_BOX_MODES];
    ct_plan_args at;      /* of the kernel for all plans */
} ct_misaligned;

/** What a block copies. */
typedef struct ct_misaligned_part {
    const unsigned char *src;     /* of row 0, at the block's first line */
    unsigned char *dst;           /* of the run, or of line 0 */
    int32_t first_row, rows;      /* staged; rows after the last of the copy are not */
    int32_t first_line, lines;    /* turned */
    int32_t bytes;                /* that are needed of each row */
    int32_t begin, end;           /* joined: its bytes of the run */
} ct_misaligned_part;

/** The lesser of two numbers of 32 bits: ct_min would compare 64. */
CT_DEVICE int32_t ct_misaligned_min(const int32_t a, const int32_t b) { return a < b ? a : b; }

/** Bytes before the first multiple of 32 at or after byte `at` of the memory at dst. */
CT_DEVICE int32_t ct_misaligned_up(const unsigned char *dst, const int32_t at)
{
    const uint32_t low = (uint32_t)(uintptr_t)dst + (uint32_t)at;
    return at + (int32_t)(-low & (CT_MISALIGNED_SECTOR - 1));
}

/** The part of a run or of lines that tile `tile` and window `window` copy. */
CT_DEVICE ct_misaligned_part ct_misaligned_part_of(const ct_misaligned *P, const unsigned char *src,
                                                   unsigned char *dst, const int32_t tile,
                                                   const int32_t window)
{
    ct_misaligned_part b = {src, dst, 0, P->rows, tile * P->lines, 0, P->row_bytes, 0, 0};
    const int32_t skew = (int32_t)((uint32_t)(uintptr_t)dst & (CT_MISALIGNED_SECTOR - 1));
    if (!P->turned) {
        b.begin = window * P->window - skew;
        b.end = ct_misaligned_min(b.begin + P->window, P->run_bytes);
        b.first_row = (b.begin < 0 ? 0 : b.begin) / P->line_bytes;
        b.rows = b.end > b.begin ? (b.end - 1) / P->line_bytes - b.first_row + 1 : 0;
        return b;
    }
    const int32_t left = P->all_lines - b.first_line;
    b.src += b.first_line;
    b.lines = ct_misaligned_min(P->lines, left);
    b.bytes = ct_misaligned_min(P->row_bytes, left);
    if (P->joined) {
        const int32_t next = (b.first_line + b.lines) * P->line_bytes;
        b.begin = b.first_line == 0 ? -skew : ct_misaligned_up(dst, b.first_line * P->line_bytes);
        b.end = b.lines == left ? P->run_bytes : ct_misaligned_up(dst, next);
    } else {
        b.first_row = window * P->window;
        b.rows = ct_misaligned_min(P->rows, P->run_bytes - b.first_row);
    }
    return b;
}

/** The offset in shared memory of a staged row, and of a turned line. */
CT_DEVICE int32_t ct_misaligned_row_at(const ct_misaligned *P, const int32_t row)
{
    return P->rows_at + row * P->pitch + (P->turned ? row / 8 * 16 : 0);
}
CT_DEVICE int32_t ct_misaligned_line_at(const ct_misaligned *P, const int32_t line)
{
    return P->lines_at + line * P->line_pitch + line / 8 * 32;
}

/* ---- in -------------------------------------------------------------------------------------- */

/** Bytes from row 0 of the source to a row. */
CT_DEVICE int64_t ct_misaligned_row(const ct_misaligned *P, const int32_t row)
{
    uint32_t rest = (uint32_t)row;
    int64_t at = 0;
    CT_UNROLL for (int k = 0; k < CT_BOX_MODES; ++k) if (k < P->row_modes) {
        const uint32_t n = (uint32_t)P->mode[k].extent;
        at += (int64_t)(k + 1 < P->row_modes ? rest % n : rest) * P->mode[k].src;
        rest /= n;
    }
    return at;
}

/** The rows of a line as it is turned, in whole vectors. After the last row of a joined line the first
 *  ones of the next line follow, as far as a vector of the part may reach. */
CT_DEVICE int32_t ct_misaligned_turned_rows(const ct_misaligned *P, const ct_misaligned_part *b)
{
    return (b->rows + (P->joined ? CT_MISALIGNED_SECTOR - 1 : 0) + 15) / 16 * 16;
}

/* Marks the address of a row of which some chunk is not all in the source: no address is so large. */
#define CT_MISALIGNED_EDGE ((uint64_t)1 << 63)

/** Writes the address of each row, and its offset in shared memory. The rows of the next line are
 *  the same ones, a byte further on. */
CT_DEVICE void ct_misaligned_rows(const ct_misaligned *P, const ct_plan_args *args,
                                  const ct_misaligned_part *b, unsigned char *memory)
{
    const uint64_t first = (uint64_t)(uintptr_t)args->first, end = (uint64_t)(uintptr_t)args->end;
    const int32_t all = P->turned ? ct_misaligned_turned_rows(P, b) : b->rows;
    CT_ROLL for (int32_t r = (int32_t)threadIdx.x; r < all; r += P->threads) {
        const int again = P->turned && P->joined && r >= P->rows;
        const int32_t row = again ? r - P->rows : r;
        uint64_t at = (uint64_t)(uintptr_t)(b->src + ct_misaligned_row(P, b->first_row + row));
        const int32_t past = (int32_t)(at & (CT_MISALIGNED_BYTES - 1));
        const int32_t offset = ct_misaligned_row_at(P, row) + past + again;
        if (at - (uint32_t)past < first || at + (uint32_t)b->bytes + CT_MISALIGNED_BYTES > end)
            at |= CT_MISALIGNED_EDGE;
        ct_store_shared_if(!again, memory + 8 * r, &at, 64);
        ct_store_shared(memory + P->offsets_at + 4 * r, &offset, 32);
    }
}

/** Copies a chunk that the source holds in part, byte by byte. */
CT_DEVICE void ct_misaligned_bytes_in(const ct_plan_args *args, unsigned char *to,
                                      const unsigned char *at)
{
    CT_ROLL for (int i = 0; i < CT_MISALIGNED_BYTES; ++i) {
        const int on = at + i >= (const unsigned char *)args->first &&
                       at + i < (const unsigned char *)args->end;
        uint8_t x = 0;
        ct_load_global_if(on, &x, at + i, 8);
        ct_store_shared(to + i, &x, 8);
    }
}

/** Stages the block's rows, with zeros where they end. A chunk brings its line of 128 bytes into L2:
 *  neighbours read the rest. */
CT_DEVICE void ct_misaligned_in(const ct_misaligned *P, const ct_plan_args *args,
                                const ct_misaligned_part *b, unsigned char *memory)
{
    const int32_t rows = P->turned && !P->joined ? ct_misaligned_turned_rows(P, b) : b->rows;
    const int32_t all = rows * P->chunks;
    const uint32_t none[4] = {0, 0, 0, 0};
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < all; i += P->threads) {
        const int32_t row = (int32_t)((uint32_t)i / (uint32_t)P->chunks);
        const int32_t k = CT_MISALIGNED_BYTES * (i - row * P->chunks);
        uint64_t address = 0;
        ct_load_shared(&address, memory + 8 * row, 64);
        const int32_t past = (int32_t)(address & (CT_MISALIGNED_BYTES - 1));
        const int on = row < b->rows && k < past + b->bytes;
        const uint64_t chunk = (address & ~CT_MISALIGNED_EDGE) + (uint64_t)(int64_t)(k - past);
        const unsigned char *const at = (const unsigned char *)(uintptr_t)chunk;
        unsigned char *const to = memory + ct_misaligned_row_at(P, row) + k;
        if (on && address < CT_MISALIGNED_EDGE) ct_cp_async_cg_l2(to, at, 16, 128);
        else if (on) ct_misaligned_bytes_in(args, to, at);
        else ct_store_shared(to, none, 128);
    }
    ct_cp_async_commit();
    ct_cp_async_wait_all();
}

/* ---- turned ---------------------------------------------------------------------------------- */

/** Turns four bytes of four rows: row r + i is at offset[i], line c + i goes to its own place. */
CT_DEVICE void ct_misaligned_turn_words(const ct_misaligned *P, unsigned char *memory,
                                        const int32_t r, const int32_t c)
{
    CT_FRAGMENT(int32_t, offset, 4);
    CT_FRAGMENT(uint32_t, x, 4);
    ct_load_shared(offset, memory + P->offsets_at + 4 * r, 128);
    CT_UNROLL for (int i = 0; i < 4; ++i) {
        const int32_t at = offset[i] + c;
        uint32_t low = 0, high = 0;
        ct_load_shared(&low, memory + (at & ~3), 32);
        ct_load_shared(&high, memory + (at & ~3) + 4, 32);
        x[i] = ct_word_at(low, high, (uint32_t)at);
    }
    unsigned char *const to = memory + ct_misaligned_line_at(P, c) + r;
    CT_UNROLL for (int i = 0; i < 4; ++i) {
        const uint32_t w = ct_turn_word(x, i, 4 + i, 8 + i, 12 + i);
        ct_store_shared(to + i * P->line_pitch, &w, 32);
    }
}

/** Turns the staged rows into lines. A warp turns 32 rows of 16 lines at a time. */
CT_DEVICE void ct_misaligned_turn(const ct_misaligned *P, const ct_misaligned_part *b,
                                  unsigned char *memory)
{
    const int32_t rows = ct_misaligned_turned_rows(P, b), down = (rows + 31) / 32;
    const int32_t all = down * ((b->lines + 15) / 16);
    const int32_t lane = (int32_t)threadIdx.x % 32;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x / 32; i < all; i += P->threads / 32) {
        const int32_t across = (int32_t)((uint32_t)i / (uint32_t)down);
        const int32_t r = (i - across * down) * 32 + lane / 4 * 4, c = across * 16 + lane % 4 * 4;
        if (r < rows && c < b->lines) ct_misaligned_turn_words(P, memory, r, c);
    }
}

/* ---- out ------------------------------------------------------------------------------------- */

/** v = the 16 bytes at an offset in shared memory. */
CT_DEVICE void ct_misaligned_vector(const unsigned char *memory, const int32_t at, uint32_t *v)
{
    CT_FRAGMENT(uint32_t, w, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
    ct_load_shared(w, memory + (at & ~15), 128);
    ct_load_shared_if((at & 15) != 0, w + 4, memory + (at & ~15) + 16, 128);
    ct_cut(v, w, (uint32_t)at & 15, 16, 1);
}

/** The first `left` bytes of v stay; the others become those of w. */
CT_DEVICE void ct_misaligned_merge(uint32_t *v, const uint32_t *w, const int32_t left)
{
    CT_UNROLL for (int i = 0; i < 4; ++i) {
        const int32_t n = left - 4 * i;
        const uint32_t keep = n >= 4 ? ~0u : n <= 0 ? 0 : (1u << 8 * n) - 1;
        v[i] = (v[i] & keep) | (w[i] & ~keep);
    }
}

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

/** Copies a byte if `on` is not 0. */
CT_DEVICE void ct_misaligned_byte_out(const int on, unsigned char *dst, const unsigned char *from)
{
    uint8_t x = 0;
    ct_load_shared_if(on, &x, from, 8);
    ct_store_global_if(on, dst, &x, 8);
}

/** Stores the 16 bytes of a run from byte `byte` on. */
CT_DEVICE void ct_misaligned_run_vector(const ct_misaligned *P, const ct_misaligned_part *b,
                                        const unsigned char *memory, const int32_t byte)
{
    const ct_misaligned_byte from = ct_misaligned_byte_of(P, b, memory, byte);
    CT_FRAGMENT(uint32_t, v, 4);
    ct_misaligned_vector(memory, from.at, v);
    if (!P->turned && from.left < 16) { /* the rest is the next row's */
        CT_FRAGMENT(uint32_t, w, 4);
        int32_t next = 0;
        ct_load_shared(&next, memory + P->offsets_at + 4 * from.line + 4, 32);
        ct_misaligned_vector(memory, next - from.left, w);
        ct_misaligned_merge(v, w, from.left);
    }
    ct_store_global(b->dst + byte, v, 128);
}

/** Stores the part of a run: whole vectors, then the bytes before and after them, where the run begins
 *  and ends. Vectors of rows wait for an offset first, so a thread has two in flight. */
CT_DEVICE void ct_misaligned_run_out(const ct_misaligned *P, const ct_misaligned_part *b,
                                     const unsigned char *memory)
{
    const int32_t first = b->begin < 0 ? b->begin + (15 - b->begin) / 16 * 16 : b->begin;
    const int32_t vectors = b->end > first ? (b->end - first) / 16 : 0;
    if (P->turned) {
        CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < vectors; i += P->threads)
            ct_misaligned_run_vector(P, b, memory, first + 16 * i);
    } else {
        CT_UNROLL_BY(2) for (int32_t i = (int32_t)threadIdx.x; i < vectors; i += P->threads)
            ct_misaligned_run_vector(P, b, memory, first + 16 * i);
    }
    const int32_t lane = (int32_t)threadIdx.x, end = first + 16 * vectors;
    const int32_t byte = lane < 16 ? (b->begin < 0 ? 0 : b->begin) + lane : end + lane - 16;
    if (lane < 32 && (lane < 16 ? byte < first : byte >= 0) && byte < b->end)
        ct_misaligned_byte_out(1, b->dst + byte,
                               memory + ct_misaligned_byte_of(P, b, memory, byte).at);
}

/** Stores the bytes of long lines before the first window's vectors, and after the last one's. */
CT_DEVICE void ct_misaligned_line_ends(const ct_misaligned *P, const ct_misaligned_part *b,
                                       const unsigned char *memory)
{
    const int32_t slots = CT_MISALIGNED_SECTOR + 16, left = P->run_bytes - b->first_row;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < b->lines * slots; i += P->threads) {
        const int32_t line = i / slots, slot = i - line * slots;
        unsigned char *const dst = b->dst + (b->first_line + line) * P->line_step + b->first_row;
        const int32_t by = ct_misaligned_up(dst, 0), tail = by + (left > by ? (left - by) / 16 * 16 : 0);
        const int is_head = slot < CT_MISALIGNED_SECTOR;
        const int32_t byte = is_head ? slot : tail + slot - CT_MISALIGNED_SECTOR;
        const int on = is_head ? b->first_row == 0 && byte < by : byte < by + P->window;
        ct_misaligned_byte_out(on && byte < left, dst + byte,
                               memory + ct_misaligned_line_at(P, line) + byte);
    }
}

/** Stores the windows of long lines. A window begins at the first multiple of 32 bytes in it, and
 *  ends where the next begins. */
CT_DEVICE void ct_misaligned_lines_out(const ct_misaligned *P, const ct_misaligned_part *b,
                                       const unsigned char *memory)
{
    const int32_t each = P->window / 16, left = P->run_bytes - b->first_row;
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < b->lines * each; i += P->threads) {
        const int32_t line = (int32_t)((uint32_t)i / (uint32_t)each), k = i - line * each;
        unsigned char *const dst = b->dst + (b->first_line + line) * P->line_step + b->first_row;
        const int32_t byte = ct_misaligned_up(dst, 0) + 16 * k;
        CT_FRAGMENT(uint32_t, v, 4);
        if (byte + 16 > left) continue;
        ct_misaligned_vector(memory, ct_misaligned_line_at(P, line) + byte, v);
        ct_store_global(dst + byte, v, 128);
    }
    if (b->first_row == 0 || left < P->window + CT_MISALIGNED_SECTOR)
        ct_misaligned_line_ends(P, b, memory);
}

/** Copies the part of this block. memory: P->shared_bytes bytes of shared memory. */
CT_DEVICE void ct_misaligned_move(const ct_misaligned *P, const ct_plan_args *args,
                                  unsigned char *memory)
{
    const unsigned char *src = (const unsigned char *)args->src;
    unsigned char *dst = (unsigned char *)args->dst;
    uint32_t rest = blockIdx.x / (uint32_t)P->tiles;
    const int32_t tile = (int32_t)(blockIdx.x - rest * (uint32_t)P->tiles);
    const uint32_t outer = rest / (uint32_t)P->windows;
    const int32_t window = (int32_t)(rest - outer * (uint32_t)P->windows);
    rest = outer;
    CT_UNROLL for (int k = 0; k < CT_BOX_MODES; ++k) if (k >= P->row_modes && k < P->modes) {
        const ct_box_mode *const m = &P->mode[k];
        const uint32_t at = k + 1 < P->modes ? rest % (uint32_t)m->extent : rest;
        rest /= (uint32_t)m->extent;
        src += at * m->src;
        dst += at * m->dst;
    }
    const ct_misaligned_part b = ct_misaligned_part_of(P, src, dst, tile, window);
    ct_misaligned_rows(P, args, &b, memory);
    __syncthreads();
    ct_misaligned_in(P, args, &b, memory);
    __syncthreads();
    if (P->turned) {
        ct_misaligned_turn(P, &b, memory);
        __syncthreads();
    }
    if (P->joined) ct_misaligned_run_out(P, &b, memory);
    else ct_misaligned_lines_out(P, &b, memory);
}

#define ct_misaligned_move(...) CT_CALL(ct_misaligned_move, __VA_ARGS__)

#endif
