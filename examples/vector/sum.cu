/* The sum of n elements, by accesses of one element and by accesses of 16 bytes.
 *
 * The array is cut into tiles of eight accesses for each thread of a block, and as many blocks as the
 * device holds at once take one tile after another. Each thread has its eight accesses under way at
 * once and a float for each; a block adds up what its threads have, by shuffles within a warp and
 * through shared memory between warps, and writes one float. A second launch of one block adds
 * those. No atomics: the order of the additions is fixed, so that the same array gives the same sum
 * each time.
 *
 * Tiles are counted from the first aligned address. The vector before them and those behind them are
 * shared out among all threads, whole or in part. So any n will do, and any address of an element. */
#include "element.h"
#include "reduce.h"
#include "vector.h"
#include "vectors.h"

enum { SUM_UNDER_WAY = 8 };

/* part: tiles */
/* The first tiles of a row that begins at an aligned address: every gridDim.x-th is this block's. */
CT_DEVICE float sum_tiles(const ct_partition *tile, const ct_view row, int64_t tiles,
                          const ct_get_function get)
{
    const int width = tile->src.width;
    float sum[SUM_UNDER_WAY] = {0};
    ct_view from = ct_view_src(tile, ct_view_from(row, blockIdx.x * (int64_t)tile->tile[0]), threadIdx.x);
    CT_ROLL for (int64_t i = blockIdx.x; i < tiles; i += gridDim.x) {
        CT_FRAGMENT(uint32_t, x, 4 * SUM_UNDER_WAY);
        const ct_view to = ct_view_registers(x);
        ct_copy_whole(tile, &from, &to);
        CT_UNROLL for (int k = 0; k < tile->values; ++k) sum[k / width] += get(x, k);
        from = ct_view_next(tile, from, 0, gridDim.x);
    }
    CT_UNROLL for (int k = 1; k < SUM_UNDER_WAY; ++k) sum[0] += sum[k];
    return sum[0];
}
/* end */

/* The vectors that are in no tile, of which there are `done`: one before them, if the row begins
 * past an aligned address, and those behind. The last block, which may have had a tile less, begins. */
CT_DEVICE float sum_rest(const ct_partition *vector, const ct_view row, int32_t skew, int64_t done,
                         const ct_get_function get)
{
    const int width = vector->src.width;
    const int64_t all = (row.left[0] + skew + width - 1) / width - done;
    int64_t i = (int64_t)(gridDim.x - 1 - blockIdx.x) * SUM_THREADS + threadIdx.x;
    float sum = 0;
    CT_ROLL for (; i < all; i += (int64_t)gridDim.x * SUM_THREADS) {
        CT_FRAGMENT(uint32_t, x, 4);
        const int64_t number = skew > 0 && i == 0 ? 0 : i + done;
        ct_copy_vector_in(vector, row, number * width - skew, x);
        CT_UNROLL for (int k = 0; k < vector->values; ++k) sum += get(x, k);
    }
    return sum;
}

CT_DEVICE float sum_of_thread(const sum_args *args, const ct_partition *tile,
                              const ct_partition *vector, const ct_get_function get)
{
    const int width = tile->src.width, e = tile->elem_bits / 8;
    const ct_view row = ct_view_row(args->src, args->n, e);
    const int32_t head = ct_head_of(row, width, e), skew = ct_skew_of(args->src, width, e);
    int64_t tiles = (args->n - head) / tile->tile[0];
    const int64_t last = tiles % gridDim.x; /* of a last round that most blocks have no part in */
    if (last * SUM_UNDER_WAY <= gridDim.x) tiles -= last;
    return sum_tiles(tile, ct_view_from(row, head), tiles, get) +
           sum_rest(vector, row, skew, tiles * (tile->tile[0] / width), get);
}

#define SUM(name, bytes, type)                                                                 \
    CT_KERNEL_RESIDENT(name, SUM_THREADS, SUM_RESIDENT, sum_args, args)                        \
    {                                                                                          \
        CT_SHARED(float, parts, SUM_THREADS / 32);                                             \
        CT_STATIC(ct_partition, tile,                                                          \
                  ct_vectors_in((bytes) / CT_BYTES_##type, SUM_THREADS, SUM_UNDER_WAY,         \
                                8 * CT_BYTES_##type));                                         \
        CT_STATIC(ct_partition, vector, ct_vector_in((bytes) / CT_BYTES_##type,                \
                                                     8 * CT_BYTES_##type));                    \
        const float mine = sum_of_thread(&args, &tile, &vector, ct_get_##type);                \
        const float sum = ct_block_sum(mine, parts, SUM_THREADS);                              \
        ct_store_global_if(threadIdx.x == 0, args.dst + blockIdx.x, &sum, 32);                 \
    }
SUM(sum_float, 16, float)
SUM(sum_half, 16, half)
SUM(sum_bfloat16, 16, bfloat16)
SUM(sum_float_scalar, 4, float)
SUM(sum_half_scalar, 2, half)
