/* Counts the words of an array that are not those of the pattern, so that an array of gigabytes is
 * compared where it lies. Any wrong byte makes its word wrong. */
#include <cutlet/device/arch/load_store.h>
#include "pattern.h"
#include <cutlet/device/register/reduce.h>

CT_KERNEL_THREADS(bench_wrong_words, PATTERN_THREADS, pattern_args, args)
{
    CT_SHARED(float, parts, PATTERN_THREADS / 32);
    float wrong = 0;
    CT_ROLL for (int64_t i = (int64_t)blockIdx.x * PATTERN_THREADS + threadIdx.x; i < args.count;
                 i += (int64_t)gridDim.x * PATTERN_THREADS)
    {
        CT_FRAGMENT(uint32_t, w, 2);
        const uint64_t right = bench_word((uint64_t)i);
        ct_load_global(w, args.words + i, 64);
        wrong += w[0] != (uint32_t)right || w[1] != (uint32_t)(right >> 32);
    }
    const float sum = ct_block_sum(wrong, parts, PATTERN_THREADS);
    ct_store_global_if(threadIdx.x == 0, args.wrong + blockIdx.x, &sum, 32);
}
