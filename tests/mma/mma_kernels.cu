/* Each mma.sync once for each block: a block is a warp, with fragments of its own. */
#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/arch/mma_sync.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/mma/gemm_partition.h>

#include "mma_kernels.h"
#include "mma_names.h"

CT_DEVICE void take(uint32_t *to, const uint32_t *from, const int words)
{
    CT_UNROLL for (int i = 0; i < MMA_WORDS; ++i) if (i < words)
        ct_load_global(to + i, from + i, 32);
}

#define KERNEL(name)                                                                               \
    CT_KERNEL_THREADS(mma_##name, 32, mma_args, args)                                              \
    {                                                                                              \
        CT_STATIC(ct_mma_atom, atom, ct_make_mma_atom(#name));                                     \
        CT_STATIC(int, a_words, ct_mma_words(atom, CT_MMA_A, atom.op.a));                          \
        CT_STATIC(int, b_words, ct_mma_words(atom, CT_MMA_B, atom.op.b));                          \
        CT_STATIC(int, c_words, ct_mma_words(atom, CT_MMA_C, atom.op.c));                          \
        CT_FRAGMENT(uint32_t, a, MMA_WORDS);                                                       \
        CT_FRAGMENT(uint32_t, b, MMA_WORDS);                                                       \
        CT_FRAGMENT(uint32_t, c, MMA_WORDS);                                                       \
        const size_t at = (size_t)(32 * blockIdx.x + threadIdx.x) * MMA_WORDS;                     \
        take(a, args.a + at, a_words);                                                             \
        take(b, args.b + at, b_words);                                                             \
        take(c, args.c + at, c_words);                                                             \
        ct_mma(&atom.op, c, a, b, c);                                                              \
        CT_UNROLL for (int i = 0; i < MMA_WORDS; ++i) if (i < c_words)                             \
            ct_store_global(args.d + at + i, c + i, 32);                                           \
    }
MMA_NAMES(KERNEL)
