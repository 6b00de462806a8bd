/* The sum of n elements, by accesses of one element and by accesses of 16 bytes.
 *
 * As many blocks as the device holds at once stride through the array. Each thread has eight
 * accesses under way and a float for each; a block adds up what its threads have, by shuffles
 * within a warp and through shared memory between warps, and writes one float. A second launch of
 * one block adds those. No atomics: the order of the additions is fixed, so that the same array
 * gives the same sum each time.
 *
 * Vectors are counted from the first aligned address; what lies before and behind them is added
 * element by element, by the first block. So any n will do, and any address of an element. */
#include "element.h"
#include "reduce.h"
#include "run.h"
#include "vector.h"

enum { SUM_UNDER_WAY = 8 };

/* part: vectors */
/* The vectors of this thread: `bytes` bytes each, from an aligned address on. */
CT_DEVICE float sum_vectors(const unsigned char *at, int64_t vectors, const int bytes,
                            const ct_get_function get, const int elem_bytes)
{
    const int64_t threads = (int64_t)gridDim.x * SUM_THREADS;
    int64_t first = (int64_t)blockIdx.x * SUM_THREADS + threadIdx.x;
    float sum[SUM_UNDER_WAY] = {0};
    CT_ROLL for (; first < vectors; first += SUM_UNDER_WAY * threads) {
        CT_FRAGMENT(uint32_t, x, 4 * SUM_UNDER_WAY) = {0};
        CT_UNROLL for (int k = 0; k < SUM_UNDER_WAY; ++k) {
            const int64_t i = first + k * threads;
            ct_load_global_if(i < vectors, x + 4 * k, at + i * bytes, 8 * bytes);
        }
        CT_UNROLL for (int k = 0; k < SUM_UNDER_WAY; ++k)
            CT_UNROLL for (int i = 0; i < 8; ++i)
                if (i < bytes / elem_bytes) sum[k] += get(x + 4 * k, i);
    }
    CT_UNROLL for (int k = 1; k < SUM_UNDER_WAY; ++k) sum[0] += sum[k];
    return sum[0];
}
/* end */

/* The elements before the vectors and behind them, by the first threads of the first block. */
CT_DEVICE float sum_ends(const ct_run run, int64_t head, int64_t tail, const ct_get_function get,
                         const int elem_bytes)
{
    const int64_t before = (int64_t)threadIdx.x * elem_bytes, behind = tail + before;
    CT_FRAGMENT(uint32_t, x, 1) = {0};
    CT_FRAGMENT(uint32_t, y, 1) = {0};
    ct_load_global_if(blockIdx.x == 0 && before < head, x, run.at + before, 8 * elem_bytes);
    ct_load_global_if(blockIdx.x == 0 && behind < run.bytes, y, run.at + behind, 8 * elem_bytes);
    return get(x, 0) + get(y, 0);
}

CT_DEVICE float sum_of_thread(const sum_args *args, const int bytes, const ct_get_function get,
                              const int elem_bytes)
{
    const ct_run run = {(const unsigned char *)args->src, args->n * elem_bytes};
    const int64_t aligned = -ct_run_skew(run.at, bytes) & (bytes - 1);
    const int64_t head = ct_min(aligned, run.bytes), vectors = (run.bytes - head) / bytes;
    return sum_vectors(run.at + head, vectors, bytes, get, elem_bytes) +
           sum_ends(run, head, head + vectors * bytes, get, elem_bytes);
}

#define SUM(name, bytes, type)                                                               \
    CT_KERNEL_RESIDENT(name, SUM_THREADS, SUM_RESIDENT, sum_args, args)                      \
    {                                                                                        \
        CT_SHARED(float, parts, SUM_THREADS / 32);                                           \
        const float mine = sum_of_thread(&args, bytes, ct_get_##type, CT_BYTES_##type);      \
        const float sum = ct_block_sum(mine, parts, SUM_THREADS);                            \
        ct_store_global_if(threadIdx.x == 0, args.dst + blockIdx.x, &sum, 32);               \
    }
SUM(sum_float, 16, float)
SUM(sum_half, 16, half)
SUM(sum_bfloat16, 16, bfloat16)
SUM(sum_float_scalar, 4, float)
SUM(sum_half_scalar, 2, half)
