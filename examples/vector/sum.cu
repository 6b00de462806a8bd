/* The sum of n elements, by accesses of one element and by accesses of 16 bytes.
 *
 * The array is cut into tiles of eight accesses for each thread of a block, and as many blocks as
 * the device holds at once take one tile after another. Each thread has its eight accesses in
 * flight at once and a float for each; a block adds up what its threads have, by shuffles within a
 * warp and through shared memory between warps, and writes one float. A second launch of one block
 * adds those. No atomics: the order of the additions is fixed, so that the same array gives the
 * same sum each time.
 *
 * Tiles are counted from the first aligned address. The vectors after them are shared out among
 * all threads, and what lies before and after the vectors is added element by element, by the
 * first block. So any n will do, and any address of an element. */
#include "sum.h"

enum { SUM_UNDER_WAY = 8 };

/* part: tiles */
/* The first tiles of a row that begins at an aligned address: every gridDim.x-th is this block's.
 * */
CT_DEVICE float sum_tiles(const ct_partition *tile, const ct_view row, int64_t tiles,
                          const ct_registers x)
{
    const int width = tile->src.width;
    float sum[SUM_UNDER_WAY] = {0};
    const ct_view first = ct_view_from(row, blockIdx.x * (int64_t)tile->tile[0]);
    ct_view from = ct_view_src(tile, first, threadIdx.x);
    CT_ROLL for (int64_t i = blockIdx.x; i < tiles; i += gridDim.x)
    {
        const ct_view to = ct_view_of_registers(x);
        ct_copy_whole(tile, &from, &to);
        CT_EACH(k, x) sum[k / width] += ct_val(x, k);
        from = ct_view_next(tile, from, 0, gridDim.x);
    }
    CT_UNROLL for (int k = 1; k < SUM_UNDER_WAY; ++k) sum[0] += sum[k];
    return sum[0];
}
/* end */

/* The vectors of a row that begins at an aligned address, from number `done` on. The last block,
 * which may have had a tile less, begins. */
CT_DEVICE float sum_vectors(const ct_partition *tile, const ct_view row, int64_t done,
                            const ct_registers x)
{
    const int width = tile->values;
    const int64_t all = row.left[0] / width, threads = (int64_t)gridDim.x * SUM_THREADS;
    int64_t i = done + (int64_t)(gridDim.x - 1 - blockIdx.x) * SUM_THREADS + threadIdx.x;
    float sum = 0;
    CT_ROLL for (; i < all; i += threads)
    {
        const ct_view from = ct_view_from(row, i * width), to = ct_view_of_registers(x);
        ct_copy_whole(tile, &from, &to);
        CT_EACH(k, x) sum += ct_val(x, k);
    }
    return sum;
}

/* How a block's accesses lie, and where they are brought: eight vectors of each thread, one, one element. */
typedef struct sum_parts {
    const ct_partition *tile, *vector, *one;
    ct_registers eight, x, first, last;
} sum_parts;

CT_DEVICE float sum_of_thread(const sum_args *args, const sum_parts part)
{
    const int width = part.vector->values, e = part.vector->elem_bits / 8;
    const int size = part.tile->tile[0];
    const ct_view row = ct_view_row(args->src, args->n, e);
    const int64_t head = ct_head_of(row, width, e), tail = head + (args->n - head) / width * width;
    const ct_view vectors = ct_view_from(row, head);
    int64_t tiles = vectors.left[0] / size;
    const int64_t last = tiles % gridDim.x; /* of a last round that most blocks have no part in */
    if (last * SUM_UNDER_WAY <= gridDim.x) tiles -= last;
    return sum_tiles(part.tile, vectors, tiles, part.eight) +
           sum_vectors(part.vector, vectors, tiles * (size / width), part.x) +
           sum_ends(part.one, row, head, tail, part.first, part.last);
}

#define PART(width, each, type) ct_vectors_in(width, SUM_THREADS, each, 8 * CT_BYTES_##type)

#define SUM(name, bytes, type)                                                                     \
    CT_KERNEL_RESIDENT(name, SUM_THREADS, SUM_RESIDENT, sum_args, args)                            \
    {                                                                                              \
        CT_SHARED(float, shared, SUM_THREADS / 32);                                                \
        CT_STATIC(ct_partition, tile, PART((bytes) / CT_BYTES_##type, SUM_UNDER_WAY, type));       \
        CT_STATIC(ct_partition, vector, PART((bytes) / CT_BYTES_##type, 1, type));                 \
        CT_STATIC(ct_partition, one, PART(1, 1, type));                                            \
        CT_REGISTERS(type, eight, tile);                                                           \
        CT_REGISTERS(type, x, vector);                                                             \
        CT_REGISTERS(type, y, one);                                                                \
        CT_REGISTERS(type, z, one);                                                                \
        const sum_parts parts = {&tile, &vector, &one, eight, x, y, z};                            \
        const float mine = sum_of_thread(&args, parts);                                            \
        const float sum = ct_block_sum(mine, shared, SUM_THREADS);                                 \
        ct_store_global_if(threadIdx.x == 0, args.dst + blockIdx.x, &sum, 32);                     \
    }
SUM(sum_float, 16, float)
SUM(sum_half, 16, half)
SUM(sum_bfloat16, 16, bfloat16)
SUM(sum_float_scalar, 4, float)
SUM(sum_half_scalar, 2, half)
