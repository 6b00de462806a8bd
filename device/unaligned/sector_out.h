/**
 * @internal The stores of a sector-aligned tile (copy_sectors.h): aligned vectors, gathered across the rows of
 * a turned tile, or cut out of two vectors of a row of a straight tile.
 */
#ifndef CUTLET_DEVICE_UNALIGNED_SECTOR_OUT_H
#define CUTLET_DEVICE_UNALIGNED_SECTOR_OUT_H

#include <cutlet/device/unaligned/chunks.h>
#include <cutlet/device/element/funnel_shift.h>
#include <cutlet/device/unaligned/sector_tile.h>

/* ---- the way out, turned --------------------------------------------------------------------- */

/** Returns n, computed here once and kept in a register instead of recomputed at each use. */
CT_DEVICE int32_t ct_sector_hold(int32_t n)
{
#if defined(__CUDACC__)
    asm volatile("" : "+r"(n));
#endif
    return n;
}

/** A word of elements of consecutive rows, `on` bytes after at[0], at[1], ... */
CT_DEVICE uint32_t ct_sector_word(const unsigned char *const *at, const int32_t on,
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

/** v = a vector of a line. Its element of the row with remainder r is `on` bytes after at[r]. In
 *  the order of the remainders the vector begins at byte `from`. */
CT_DEVICE void ct_sector_gather(const ct_sector_copy *K, uint32_t *v,
                                const unsigned char *const *at, const int32_t on,
                                const uint32_t from)
{
    const int e = K->elem_bytes;
    CT_FRAGMENT(uint32_t, w, 8);
    CT_UNROLL for (int i = 0; i < 4; ++i)
    {
        if (e >= 4 && 4 * i % e == 0) ct_load_shared(w + i, at[4 * i / e] + on, 8 * e);
        else if (e < 4) w[i] = ct_sector_word(at + 4 / e * i, on, e);
    }
    CT_UNROLL for (int i = 0; i < 4; ++i) w[i + 4] = w[i];
    ct_cut(v, w, from, 16, e);
}

/** Stores a lane's vectors of one line: vector k and every `step`-th one after it. rows: the
 *  offsets in the staged tile of the rows of the first run. */
CT_DEVICE void ct_sector_line_transposed(const ct_sector_copy *K, const ct_sector_tile *t,
                                         const unsigned char *tile, const int32_t *rows,
                                         const int32_t line, const int32_t k, const int32_t step,
                                         const int edge)
{
    const int e = K->elem_bytes;
    const int32_t vectors = K->tile[K->along] / K->run, next = K->run * K->pitch + K->gap;
    const uint32_t by = ct_sector_by(t, line), from = by & 15;
    unsigned char *const to = t->dst + line * t->line_step + by + 16 * k;
    const unsigned char *const first = tile + line * e + (k + (int32_t)(by >> 4)) * next;
    const unsigned char *at[16] = CT_ZERO;
    CT_UNROLL for (int r = 0; r < K->run; ++r) at[r] =
        first + rows[r] + ((uint32_t)(r * e) < from ? next : 0);
    CT_FRAGMENT(uint32_t, v, 4);
    if (edge) {
        const int32_t left = line < t->left_lines ? t->left_along - (int32_t)by / e : 0;
        CT_ROLL for (int32_t i = 0; i < vectors; i += step)
        {
            ct_sector_gather(K, v, at, i * next, from);
            ct_store_global_if((k + i + 1) * K->run <= left, to + 16 * i, v, 128);
        }
    } else {
        CT_UNROLL for (int32_t i = 0; i < vectors; i += step)
        {
            ct_sector_gather(K, v, at, i * next, from);
            ct_store_global(to + 16 * i, v, 128);
        }
    }
}

/** Stores the vectors of a turned tile. */
CT_DEVICE void ct_sector_out_transposed(const ct_sector_copy *K, const ct_sector_tile *t,
                                        const unsigned char *tile, const int edge)
{
    const int32_t each = ct_sector_lines(K), distance = ct_sector_line_distance(K);
    const int32_t groups = K->tile[1 - K->along] / each, own = K->threads / 32 / ct_sector_warps(K);
    const int32_t warp = (int32_t)threadIdx.x / 32, lane = (int32_t)threadIdx.x % 32;
    const int32_t k = lane % 8 + lane / (8 * each) * 8 + warp / own * (32 / each);
    int32_t rows[16] = CT_ZERO;
    CT_UNROLL for (int r = 0; r < K->run; ++r)
    {
        const uint32_t at = (uint32_t)(uintptr_t)t->src + (uint32_t)r * (uint32_t)t->row_step;
        rows[r] = r * K->pitch;
        if (K->chunk > K->elem_bytes)
            rows[r] = ct_sector_hold(rows[r] + (int32_t)(at & (uint32_t)(K->chunk - 1)));
    }
    CT_ROLL for (int32_t g = warp % own; g < groups; g += own)
    {
        const int32_t line =
            g / distance * each * distance + lane / 8 % each * distance + g % distance;
        ct_sector_line_transposed(K, t, tile, rows, line, k, 32 / each * ct_sector_warps(K), edge);
    }
}

/* ---- the way out, straight ------------------------------------------------------------------- */

/** Stores vector i of a straight tile, cut out of two vectors of its staged row. */
CT_DEVICE void ct_sector_vector_out(const ct_sector_copy *K, const ct_sector_tile *t,
                                    const unsigned char *tile, const int32_t i, const int edge)
{
    const int32_t vectors = K->tile[K->along] * K->elem_bytes / 16;
    const int32_t line = K->rows == 1 ? 0 : (int32_t)((uint32_t)i / (uint32_t)vectors);
    const int32_t k = i - line * vectors;
    const uint32_t by = ct_sector_by(t, line);
    const int32_t past = (int32_t)ct_chunk_past(ct_sector_row(K, t, line), K->chunk);
    const unsigned char *const from = tile + ct_sector_staged(K, line) + 16 * k;
    const int32_t left = t->left_along - (int32_t)by / K->elem_bytes;
    const int on = !edge || (line < t->left_lines && (k + 1) * (16 / K->elem_bytes) <= left);
    CT_FRAGMENT(uint32_t, v, 4);
    ct_cut_shared(v, from, past, on ? 0 : 16, on ? 16 : 0, K->elem_bytes);
    ct_store_global_if(on, t->dst + line * t->line_step + by + 16 * k, v, 128);
}

/** Stores the vectors of a straight tile. */
CT_DEVICE void ct_sector_out_in_order(const ct_sector_copy *K, const ct_sector_tile *t,
                                      const unsigned char *tile, const int edge)
{
    const int32_t all = K->tile[0] * K->tile[1] * K->elem_bytes / 16;
    if (edge) {
        CT_ROLL for (int32_t i = (int32_t)threadIdx.x; i < all; i += K->threads)
            ct_sector_vector_out(K, t, tile, i, 1);
    } else {
        CT_UNROLL for (int32_t i = 0; i < all; i += K->threads)
            ct_sector_vector_out(K, t, tile, i + (int32_t)threadIdx.x, 0);
    }
}

#endif
