/**
 * Copies to rows that begin anywhere: of a tile skewed by the destination, in aligned accesses only.
 *
 * The destination is contiguous along one axis of the tile: its lines. In each line a tile takes
 * not what lies in it but what begins at the first multiple of 32 bytes from its own first byte on,
 * and ends where the next tile begins. So every store is aligned, and no two blocks share a sector
 * of 32 bytes: their parts would meet in L2 one after the other. The first tile of a line copies
 * what lies before it as well, the last one what is left over, element by element.
 *
 * The source's rows are staged in shared memory as they lie: in the aligned chunks that hold them,
 * by cp.async, each row at its own distance past a chunk. The way out minds that distance:
 *
 *     straight   lines are the source's rows: a vector is cut out of two of the staged ones
 *     turned     lines run across them: a vector is gathered element by element
 *
 * A turned tile stages 32 bytes more of each line than it has, for lines begin anywhere in them. All
 * threads of a block read rows of one remainder modulo the vector's length at a time. Those rows
 * begin at one distance past a chunk, so eight lanes along the lines read eight groups of banks, and
 * four lanes across them the four banks of a group; what was read is rotated in registers.
 *
 * Whether an edge is to be minded is a constant, `edge`: for tiles inside the tensor, with what lies
 * around them, nothing is tested.
 */
#ifndef CUTLET_DEVICE_COPY_SKEW_H
#define CUTLET_DEVICE_COPY_SKEW_H

#include "copy_access.h"
#include "prefetch.h"
#include "skew_plan.h"

/** A tile of a copy, where its block stands. Rows are the source's, lines the destination's. */
typedef struct ct_skew_tile {
    const unsigned char *src; /* the tile's first element, before it is skewed */
    unsigned char *dst;
    int64_t row_step, line_step;        /* bytes from row to row, and from line to line */
    int32_t left_along, left_lines;     /* elements of a line from the tile on, and lines */
    const unsigned char *begin, *end;   /* of the source: nothing outside is touched */
    uint32_t mask;                      /* lines are taken from a multiple of mask + 1 bytes on */
    int first;                          /* no tile of the same lines lies before this one */
    int before;                         /* there is a chunk of the source before the tile */
} ct_skew_tile;

/** The tile of number x along the axes. mask: 31, or 0 for a tile that is not skewed. */
CT_DEVICE ct_skew_tile ct_skew_tile_at(const ct_skew *K, const ct_global *src, const ct_global *dst,
                                       const ct_index x, uint32_t mask)
{
    const int64_t first[2] = {x.at[0] * K->tile[0], x.at[1] * K->tile[1]};
    const int row = 1 - K->inner, line = 1 - K->along;
    const int64_t down = (src->extent[row] - 1) * src->step[row];
    ct_skew_tile t = CT_ZERO;
    t.row_step = src->step[row];
    t.line_step = dst->step[line];
    t.src = src->at + first[row] * t.row_step + first[K->inner] * K->elem_bytes;
    t.dst = dst->at + first[line] * t.line_step + first[K->along] * K->elem_bytes;
    t.left_along = ct_clamp32(dst->extent[K->along] - first[K->along]);
    t.left_lines = ct_clamp32(dst->extent[line] - first[line]);
    t.begin = src->at + (down < 0 ? down : 0);
    t.end = src->at + (down < 0 ? 0 : down) + src->extent[K->inner] * K->elem_bytes;
    t.mask = mask;
    t.first = first[K->along] == 0;
    t.before = first[K->inner] > 0 || (first[row] > 0 && t.row_step >= K->chunk);
    return t;
}

/** How many bytes of a line lie before what the tile takes of it. */
CT_DEVICE uint32_t ct_skew_by(const ct_skew_tile *t, const int32_t line)
{
    const uint32_t at = (uint32_t)(uintptr_t)t->dst + (uint32_t)line * (uint32_t)t->line_step;
    return -at & t->mask;
}

/** Where a staged row begins in memory. */
CT_DEVICE const unsigned char *ct_skew_row(const ct_skew *K, const ct_skew_tile *t,
                                           const int32_t row)
{
    return t->src + row * t->row_step + (K->turned ? 0 : ct_skew_by(t, row));
}

/** Bytes from the aligned chunk that holds an address to the address. */
CT_DEVICE uint32_t ct_skew_past(const ct_skew *K, const unsigned char *at)
{
    return (uint32_t)(uintptr_t)at & (uint32_t)(K->chunk - 1);
}

/** Whether the tile, and the aligned chunks that hold it, lie inside; rows that go down in memory
 *  never do. */
CT_DEVICE int ct_skew_inside(const ct_skew *K, const ct_skew_tile *t)
{
    const int32_t more = CT_SKEW_BYTES / K->elem_bytes, around = CT_SKEW_BYTES + K->chunk;
    const int32_t cols = K->tile[K->inner], rows = K->rows;
    const int32_t left_cols = K->turned ? t->left_lines : t->left_along;
    const int32_t left_rows = K->turned ? t->left_along : t->left_lines;
    const int behind = left_cols - cols >= around / K->elem_bytes ||
                       (left_rows > rows && t->row_step >= around);
    return t->left_along >= K->tile[K->along] + more && t->left_lines >= K->tile[1 - K->along] &&
           t->row_step >= 0 && t->before && behind;
}

/* ---- the way in ------------------------------------------------------------------------------ */

/** One chunk by cp.async: its first n bytes, zeros behind them. */
CT_DEVICE void ct_skew_async_fill(const ct_skew *K, unsigned char *to, const unsigned char *at,
                                  int n)
{
    if (K->chunk == 16) ct_cp_async_cg_fill(to, at, 16, n);
    else ct_cp_async_ca_fill(to, at, K->chunk, n);
}

/** A chunk of which the source begins in the midst: element by element. */
CT_DEVICE void ct_skew_elements_in(const ct_skew *K, const ct_skew_tile *t, unsigned char *to,
                                   const unsigned char *at)
{
    CT_ROLL for (int i = 0; i < K->chunk; i += K->elem_bytes) {
        CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
        ct_load_global_if(at + i >= t->begin && at + i < t->end, x, at + i, 8 * K->elem_bytes);
        ct_store_shared(to + i, x, 8 * K->elem_bytes);
    }
}

/** The bytes of a staged row that are stored as vectors, of a tile at an edge. */
CT_DEVICE int64_t ct_skew_bytes_wanted(const ct_skew *K, const ct_skew_tile *t, const int32_t row)
{
    if (K->turned) return row < t->left_along ? (int64_t)t->left_lines * K->elem_bytes : 0;
    const int64_t left = (int64_t)t->left_along * K->elem_bytes - ct_skew_by(t, row);
    return row < t->left_lines && left > 0 ? left & ~(int64_t)15 : 0;
}

/** One chunk of a tile inside. */
CT_DEVICE void ct_skew_chunk_in(const ct_skew *K, const int on, unsigned char *to,
                                const unsigned char *at)
{
    if (K->chunk < 16) ct_cp_async_ca_if(on, to, at, K->chunk);
    else if (!K->lines) ct_cp_async_cg_if(on, to, at, 16);
    else if (on) ct_cp_async_cg_l2(to, at, 16, 128);
}

/** Chunk i of all that a tile at an edge stages. */
CT_DEVICE void ct_skew_chunk_in_edge(const ct_skew *K, const ct_skew_tile *t, unsigned char *tile,
                                     const uint32_t i)
{
    const uint32_t row = K->rows == 1 ? 0 : i / (uint32_t)K->chunks;
    const uint32_t k = i - row * (uint32_t)K->chunks;
    const unsigned char *const first = ct_skew_row(K, t, (int32_t)row);
    const unsigned char *const at = first - ct_skew_past(K, first) + k * (uint32_t)K->chunk;
    unsigned char *const to = tile + ct_skew_staged(K, (int32_t)row) + k * (uint32_t)K->chunk;
    const int has = at < first + ct_skew_bytes_wanted(K, t, (int32_t)row) && at < t->end;
    const int64_t bytes = !has ? 0 : t->end - at < K->chunk ? t->end - at : K->chunk;
    if (has && at < t->begin) ct_skew_elements_in(K, t, to, at);
    else if (has || K->turned) ct_skew_async_fill(K, to, has ? at : t->begin, (int)bytes);
}

/** The chunks of a tile inside where the threads are whole rows of chunks: a thread has the same
 *  chunk of every so many rows. */
CT_DEVICE void ct_skew_in_columns(const ct_skew *K, const ct_skew_tile *t, unsigned char *tile)
{
    const int32_t step = K->threads / K->chunks, gap = step / K->run * K->gap;
    const int32_t first = (int32_t)(threadIdx.x / (uint32_t)K->chunks);
    const int32_t k = (int32_t)(threadIdx.x % (uint32_t)K->chunks) * K->chunk;
    const unsigned char *at = ct_skew_row(K, t, first);
    const uint32_t past = ct_skew_past(K, at);
    unsigned char *const to = tile + ct_skew_staged(K, first) + k;
    at += k - (int32_t)past;
    CT_UNROLL for (int32_t row = 0; row < K->rows; row += step) {
        ct_skew_chunk_in(K, row + step <= K->rows || first + row < K->rows,
                         to + row * K->pitch + row / step * gap, at);
        at += step * t->row_step;
    }
}

/** The same where they are not, in the order of memory. */
CT_DEVICE void ct_skew_in_order(const ct_skew *K, const ct_skew_tile *t, unsigned char *tile)
{
    const uint32_t all = (uint32_t)(K->rows * K->chunks), threads = (uint32_t)K->threads;
    CT_UNROLL for (uint32_t first = 0; first < all; first += threads) {
        const uint32_t i = first + threadIdx.x;
        const uint32_t row = K->rows == 1 ? 0 : i / (uint32_t)K->chunks;
        const uint32_t k = (i - row * (uint32_t)K->chunks) * (uint32_t)K->chunk;
        const unsigned char *const at = ct_skew_row(K, t, (int32_t)row);
        ct_skew_chunk_in(K, first + threads <= all || i < all,
                         tile + ct_skew_staged(K, (int32_t)row) + k, at - ct_skew_past(K, at) + k);
    }
}

/** Stages the tile; waits for the thread's own part. */
CT_DEVICE void ct_skew_in(const ct_skew *K, const ct_skew_tile *t, unsigned char *tile,
                          const int edge)
{
    const uint32_t all = (uint32_t)(K->rows * K->chunks), threads = (uint32_t)K->threads;
    if (edge) {
        CT_ROLL for (uint32_t i = threadIdx.x; i < all; i += threads)
            ct_skew_chunk_in_edge(K, t, tile, i);
    } else if (K->turned && K->threads % (K->chunks * K->run) == 0) {
        ct_skew_in_columns(K, t, tile);
    } else {
        ct_skew_in_order(K, t, tile);
    }
    ct_cp_async_commit();
    ct_cp_async_wait_all();
}

/* ---- the way out, turned --------------------------------------------------------------------- */

/** n, worked out here and held in a register, not worked out again wherever it is used. */
CT_DEVICE int32_t ct_skew_hold(int32_t n)
{
#if defined(__CUDACC__)
    asm volatile("" : "+r"(n));
#endif
    return n;
}

/** As many elements as a word holds, out of rows that follow each other; at[] says where they lie. */
CT_DEVICE uint32_t ct_skew_word(const unsigned char *const *at, const int32_t on,
                                const int elem_bytes)
{
    if (elem_bytes == 1) {
        uint8_t x[4] = {0, 0, 0, 0};
        CT_UNROLL for (int i = 0; i < 4; ++i) ct_load_shared(x + i, at[i] + on, 8);
        return ct_permute(ct_permute(x[0], x[1], 0x1140), ct_permute(x[2], x[3], 0x1140), 0x5410);
    }
    uint16_t x[2] = {0, 0};
    CT_UNROLL for (int i = 0; i < 2; ++i) ct_load_shared(x + i, at[i] + on, 16);
    return ct_permute(x[0], x[1], 0x5410);
}

/** v = a vector of a line: of the row with remainder r it has the element `on` bytes behind at[r];
 *  `from` is the byte at which the vector begins in that order. */
CT_DEVICE void ct_skew_gather(const ct_skew *K, uint32_t *v, const unsigned char *const *at,
                              const int32_t on, const uint32_t from)
{
    const int e = K->elem_bytes;
    CT_FRAGMENT(uint32_t, w, 8);
    CT_UNROLL for (int i = 0; i < 4; ++i) {
        if (e >= 4 && 4 * i % e == 0) ct_load_shared(w + i, at[4 * i / e] + on, 8 * e);
        else if (e < 4) w[i] = ct_skew_word(at + 4 / e * i, on, e);
    }
    CT_UNROLL for (int i = 0; i < 4; ++i) w[i + 4] = w[i];
    ct_cut(v, w, from, 16, e);
}

/** The vectors of one line that a lane stores: vector k, and every `step` behind it. rows: where
 *  those of the first run begin in the staged tile. */
CT_DEVICE void ct_skew_line_turned(const ct_skew *K, const ct_skew_tile *t,
                                   const unsigned char *tile, const int32_t *rows,
                                   const int32_t line, const int32_t k, const int32_t step,
                                   const int edge)
{
    const int e = K->elem_bytes;
    const int32_t vectors = K->tile[K->along] / K->run, next = K->run * K->pitch + K->gap;
    const uint32_t by = ct_skew_by(t, line), from = by & 15;
    unsigned char *const to = t->dst + line * t->line_step + by + 16 * k;
    const unsigned char *const first = tile + line * e + (k + (int32_t)(by >> 4)) * next;
    const unsigned char *at[16] = CT_ZERO;
    CT_UNROLL for (int r = 0; r < K->run; ++r)
        at[r] = first + rows[r] + ((uint32_t)(r * e) < from ? next : 0);
    CT_FRAGMENT(uint32_t, v, 4);
    if (edge) {
        const int32_t left = line < t->left_lines ? t->left_along - (int32_t)by / e : 0;
        CT_ROLL for (int32_t i = 0; i < vectors; i += step) {
            ct_skew_gather(K, v, at, i * next, from);
            ct_store_global_if((k + i + 1) * K->run <= left, to + 16 * i, v, 128);
        }
    } else {
        CT_UNROLL for (int32_t i = 0; i < vectors; i += step) {
            ct_skew_gather(K, v, at, i * next, from);
            ct_store_global(to + 16 * i, v, 128);
        }
    }
}

/** The vectors of a turned tile. */
CT_DEVICE void ct_skew_out_turned(const ct_skew *K, const ct_skew_tile *t,
                                  const unsigned char *tile, const int edge)
{
    const int32_t each = ct_skew_lines(K), apart = ct_skew_lines_apart(K);
    const int32_t groups = K->tile[1 - K->along] / each, own = K->threads / 32 / ct_skew_warps(K);
    const int32_t warp = (int32_t)threadIdx.x / 32, lane = (int32_t)threadIdx.x % 32;
    const int32_t k = lane % 8 + lane / (8 * each) * 8 + warp / own * (32 / each);
    int32_t rows[16] = CT_ZERO;
    CT_UNROLL for (int r = 0; r < K->run; ++r) {
        const uint32_t at = (uint32_t)(uintptr_t)t->src + (uint32_t)r * (uint32_t)t->row_step;
        rows[r] = r * K->pitch;
        if (K->chunk > K->elem_bytes)
            rows[r] = ct_skew_hold(rows[r] + (int32_t)(at & (uint32_t)(K->chunk - 1)));
    }
    CT_ROLL for (int32_t g = warp % own; g < groups; g += own) {
        const int32_t line = g / apart * each * apart + lane / 8 % each * apart + g % apart;
        ct_skew_line_turned(K, t, tile, rows, line, k, 32 / each * ct_skew_warps(K), edge);
    }
}

/* ---- the way out, straight ------------------------------------------------------------------- */

/** Vector i of a straight tile: cut out of two of its staged row. */
CT_DEVICE void ct_skew_vector_out(const ct_skew *K, const ct_skew_tile *t,
                                  const unsigned char *tile, const int32_t i, const int edge)
{
    const int32_t vectors = K->tile[K->along] * K->elem_bytes / 16;
    const int32_t line = K->rows == 1 ? 0 : (int32_t)((uint32_t)i / (uint32_t)vectors);
    const int32_t k = i - line * vectors;
    const uint32_t by = ct_skew_by(t, line), past = ct_skew_past(K, ct_skew_row(K, t, line));
    const unsigned char *const from = tile + ct_skew_staged(K, line) + 16 * k;
    const int32_t left = t->left_along - (int32_t)by / K->elem_bytes;
    const int on = !edge || (line < t->left_lines && (k + 1) * (16 / K->elem_bytes) <= left);
    CT_FRAGMENT(uint32_t, w, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
    CT_FRAGMENT(uint32_t, v, 4);
    ct_load_shared_if(on, w, from, 128);
    ct_load_shared_if(on && past != 0, w + 4, from + 16, 128);
    ct_cut(v, w, past, 16, K->elem_bytes);
    ct_store_global_if(on, t->dst + line * t->line_step + by + 16 * k, v, 128);
}

/** The vectors of a straight tile. */
CT_DEVICE void ct_skew_out_straight(const ct_skew *K, const ct_skew_tile *t,
                                    const unsigned char *tile, const int edge)
{
    const int32_t all = K->tile[0] * K->tile[1] * K->elem_bytes / 16;
    if (edge) {
        CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < all; i += K->threads)
            ct_skew_vector_out(K, t, tile, i, 1);
    } else {
        CT_UNROLL for (int32_t i = 0; i < all; i += K->threads)
            ct_skew_vector_out(K, t, tile, i + (int32_t)threadIdx.x, 0);
    }
}

/* ---- element by element ---------------------------------------------------------------------- */

/** `bytes` bytes of a line from element i on, in accesses of `unit` bytes, which divides both
 *  addresses. */
CT_DEVICE void ct_skew_elements(const ct_skew *K, const ct_skew_tile *t, const int on,
                                const int32_t line, const int32_t i, const int bytes,
                                const int32_t unit)
{
    const int e = K->elem_bytes, most = e < 4 && !K->turned ? 4 : e;
    const unsigned char *const from =
        t->src + (K->turned ? i : line) * t->row_step + (K->turned ? line : i) * e;
    unsigned char *const to = t->dst + line * t->line_step + i * e;
    CT_ROLL for (int k = 0; k < bytes; k += unit) {
        CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
        CT_UNROLL for (int u = 1; u <= 16; u *= 2)
            if (u <= most) ct_load_global_if(on && u == unit, x, from + k, 8 * u);
        CT_UNROLL for (int u = 1; u <= 16; u *= 2)
            if (u <= most) ct_store_global_if(on && u == unit, to + k, x, 8 * u);
    }
}

/** What the lines have before the tile's vectors and behind them: single elements, or of a straight
 *  tile as much as 4 bytes at once. unit: bytes that divide all addresses. */
CT_DEVICE void ct_skew_ends(const ct_skew *K, const ct_skew_tile *t, const int32_t unit)
{
    const int e = K->elem_bytes;
    const int32_t left = t->left_along, before = CT_SKEW_BYTES / e, slots = before + 16 / e;
    const int32_t wide = e < 4 && !K->turned ? ct_align_of((uint32_t)(unit | left * e | 4)) : e;
    const int32_t all = K->tile[1 - K->along] * slots;
    const int32_t first = (int32_t)threadIdx.x * (wide / e), step = K->threads * (wide / e);
    CT_ROLL for (int32_t i = first; i < all; i += step) {
        const int32_t line = i / slots, slot = i % slots, by = (int32_t)ct_skew_by(t, line) / e;
        const int32_t end = (int32_t)ct_min(left, by + K->tile[K->along]);
        const int32_t tail = by + (end > by ? (end - by) / (16 / e) * (16 / e) : 0);
        const int32_t at = slot < before ? slot : tail + slot - before;
        const int on = slot < before ? t->first && at < by && at < left : at < end;
        ct_skew_elements(K, t, on && line < t->left_lines, line, at, wide, wide);
    }
}

/** The whole tile, of elements that do not lie at multiples of their size. */
CT_DEVICE void ct_skew_units(const ct_skew *K, const ct_skew_tile *t, const int32_t unit)
{
    const int32_t along = K->tile[K->along];
    CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < K->tile[0] * K->tile[1]; i += K->threads) {
        const int32_t line = i / along, at = i % along;
        const int on = line < t->left_lines && at < t->left_along;
        ct_skew_elements(K, t, on, line, at, K->elem_bytes, unit);
    }
}

/* ---- the tile -------------------------------------------------------------------------------- */

/** Copies a tile through `tile`, ct_skew's shared memory; a block meets one barrier. fast: whether
 *  tiles inside are copied by code of their own, which tests nothing. unit: bytes that divide all
 *  addresses. */
CT_DEVICE void ct_copy_skew(const ct_skew *K, const ct_skew_tile *t, unsigned char *tile,
                            const int32_t unit, const int fast)
{
    if (unit < K->elem_bytes) {
        ct_skew_units(K, t, unit);
        return;
    }
    if (fast && ct_skew_inside(K, t)) {
        ct_skew_in(K, t, tile, 0);
        __syncthreads();
        if (K->turned) ct_skew_out_turned(K, t, tile, 0);
        else ct_skew_out_straight(K, t, tile, 0);
    } else {
        ct_skew_in(K, t, tile, 1);
        __syncthreads();
        if (K->turned) ct_skew_out_turned(K, t, tile, 1);
        else ct_skew_out_straight(K, t, tile, 1);
    }
    if (t->first || t->left_along < K->tile[K->along] + CT_SKEW_BYTES / K->elem_bytes)
        ct_skew_ends(K, t, unit);
}

#define ct_copy_skew(...) CT_CALL(ct_copy_skew, __VA_ARGS__)

#endif
