/**
 * @internal The loads of a sector-aligned tile (copy_sectors.h): the aligned chunks that hold its rows, by
 * cp.async.
 */
#ifndef CUTLET_DEVICE_UNALIGNED_SECTOR_IN_H
#define CUTLET_DEVICE_UNALIGNED_SECTOR_IN_H

#include <cutlet/device/unaligned/chunks.h>
#include <cutlet/device/unaligned/sector_tile.h>

/** The bytes of a staged row of a tile at an edge that are stored as vectors. */
CT_DEVICE int32_t ct_sector_bytes_wanted(const ct_sector_copy *K, const ct_sector_tile *t,
                                         const int32_t row)
{
    const int32_t most = K->tile[K->inner] + (K->transposed ? 0 : CT_SECTOR_BYTES / K->elem_bytes);
    const int64_t left_all = K->transposed ? t->left_lines : t->left_along;
    const int32_t has = (int32_t)ct_min(left_all, most) * K->elem_bytes;
    if (K->transposed) return row < t->left_along ? has : 0;
    const int32_t left = has - (int32_t)ct_sector_by(t, row);
    return row < t->left_lines && left > 0 ? left & ~15 : 0;
}

/** Copies chunk i of all staged chunks of a tile at an edge. */
CT_DEVICE void ct_sector_chunk_in_edge(const ct_sector_copy *K, const ct_sector_tile *t,
                                       unsigned char *tile, const uint32_t i)
{
    const int32_t row = K->rows == 1 ? 0 : (int32_t)(i / (uint32_t)K->chunks);
    const int32_t k = ((int32_t)i - row * K->chunks) * K->chunk;
    const unsigned char *const at = ct_sector_row(K, t, row);
    const int32_t in = k - (int32_t)ct_chunk_past(at, K->chunk);
    const int on = in < ct_sector_bytes_wanted(K, t, row) && at + in < t->end;
    if (on || K->transposed) /* what is turned needs a value everywhere */
        ct_chunk_in_edge(on, tile + ct_sector_staged(K, row) + k, at + in, K->chunk, t->begin,
                         t->end);
}

/** Copies the first `wide` chunks of each row of a tile that reaches no edge, if the block's threads
 *  are whole rows of so many: a thread copies the same chunk of every `step`-th row. */
CT_DEVICE void ct_sector_in_rows(const ct_sector_copy *K, const ct_sector_tile *t,
                                 unsigned char *tile, const int32_t wide)
{
    const int32_t step = K->threads / wide, gap = step / K->run * K->gap;
    const int32_t first = (int32_t)(threadIdx.x / (uint32_t)wide);
    const int32_t k = (int32_t)(threadIdx.x % (uint32_t)wide) * K->chunk;
    const unsigned char *at = t->src + first * t->row_step;
    const uint32_t past = K->transposed ? ct_chunk_past(at, K->chunk) : 0; /* of all of its rows */
    unsigned char *const to = tile + ct_sector_staged(K, first) + k;
    at += k - (int32_t)past;
    CT_UNROLL for (int32_t row = 0; row < K->rows; row += step)
    {
        const unsigned char *const from = at + (K->transposed ? 0 : ct_sector_by(t, first + row));
        ct_chunk_in(row + step <= K->rows || first + row < K->rows,
                    to + row * K->pitch + row / step * gap,
                    from - (K->transposed ? 0 : ct_chunk_past(from, K->chunk)), K->chunk);
        at += step * t->row_step;
    }
}

/** Copies the last chunk of each row of a straight tile that is not aligned to chunks. */
CT_DEVICE void ct_sector_in_last(const ct_sector_copy *K, const ct_sector_tile *t,
                                 unsigned char *tile)
{
    const int32_t k = (K->chunks - 1) * K->chunk;
    CT_UNROLL for (int32_t row = 0; row < K->rows; row += K->threads)
    {
        const int32_t own = row + (int32_t)threadIdx.x;
        const unsigned char *const from = ct_sector_row(K, t, own);
        const uint32_t past = ct_chunk_past(from, K->chunk);
        ct_chunk_in(own < K->rows && past != 0, tile + own * K->pitch + k, from - past + k,
                    K->chunk);
    }
}

/** Copies all chunks of a tile that reaches no edge, in the order of memory, by any number of
 *  threads. */
CT_DEVICE void ct_sector_in_order(const ct_sector_copy *K, const ct_sector_tile *t,
                                  unsigned char *tile)
{
    const uint32_t all = (uint32_t)(K->rows * K->chunks), threads = (uint32_t)K->threads;
    CT_UNROLL for (uint32_t first = 0; first < all; first += threads)
    {
        const uint32_t i = first + threadIdx.x;
        const uint32_t row = K->rows == 1 ? 0 : i / (uint32_t)K->chunks;
        const uint32_t k = (i - row * (uint32_t)K->chunks) * (uint32_t)K->chunk;
        const unsigned char *const at = ct_sector_row(K, t, (int32_t)row);
        ct_chunk_in(first + threads <= all || i < all, tile + ct_sector_staged(K, (int32_t)row) + k,
                    at - ct_chunk_past(at, K->chunk) + k, K->chunk);
    }
}

/** Stages the tile, and waits for the thread's own chunks. */
CT_DEVICE void ct_sector_in(const ct_sector_copy *K, const ct_sector_tile *t, unsigned char *tile,
                            const int edge)
{
    const uint32_t all = (uint32_t)(K->rows * K->chunks), threads = (uint32_t)K->threads;
    if (edge) {
        CT_ROLL for (uint32_t i = threadIdx.x; i < all; i += threads)
            ct_sector_chunk_in_edge(K, t, tile, i);
    } else if (K->transposed && K->threads % (K->chunks * K->run) == 0) {
        ct_sector_in_rows(K, t, tile, K->chunks);
    } else if (!K->transposed && K->rows > 1 && K->threads % (K->chunks - 1) == 0) {
        ct_sector_in_last(K, t, tile);
        ct_sector_in_rows(K, t, tile, K->chunks - 1);
    } else {
        ct_sector_in_order(K, t, tile);
    }
    ct_cp_async_commit();
    ct_cp_async_wait_all();
}

#endif
