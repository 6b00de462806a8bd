/* Each wgmma once for each block, a warpgroup with operands of its own. */
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/arch/wgmma.h>

#include "wgmma_kernels.h"
#include "wgmma_memory.h"

#define A_SS ct_mma_descriptor_step(pair[0], base)
#define A_RS a

#define KERNEL(kind, name, A_MAJOR, B_MAJOR)                                                       \
    CT_KERNEL_THREADS(wgmma_##name##_##A_MAJOR##_##B_MAJOR, 128, wgmma_args, args)                 \
    {                                                                                              \
        CT_STATIC(ct_mma_op, op,                                                                   \
                  ct_wgmma_op(ct_make_mma_atom(#name), CT_MMA_##A_MAJOR##_MAJOR,                   \
                              CT_MMA_##B_MAJOR##_MAJOR));                                          \
        CT_STATIC(int, words, op.n *ct_mma_bits(op.d) / 64);                                       \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        CT_FRAGMENT(uint32_t, d, WGMMA_D_WORDS);                                                   \
        CT_FRAGMENT(uint32_t, a, WGMMA_A_WORDS);                                                   \
        CT_FRAGMENT(uint64_t, pair, 2);                                                            \
        const size_t block = blockIdx.x, thread = 128 * block + threadIdx.x;                       \
        const uint32_t base = ct_shared_address(memory);                                           \
        int32_t scale_d = 0;                                                                       \
        fill(memory, args.a + block * WGMMA_A_BYTES, WGMMA_A_BYTES);                               \
        fill(memory + WGMMA_A_BYTES, args.b + block * WGMMA_B_BYTES, WGMMA_B_BYTES);               \
        ct_fence_async_shared();                                                                   \
        __syncthreads();                                                                           \
        ct_load_global(pair, args.descriptors + 2 * block, 128);                                   \
        ct_load_global(&scale_d, args.scale_d + block, 32);                                        \
        take(a, args.a_words + thread * WGMMA_A_WORDS, WGMMA_A_WORDS);                             \
        take(d, args.c + thread * WGMMA_D_WORDS, words);                                           \
        ct_wgmma_fence();                                                                          \
        ct_wgmma(&op, d, A_##kind, ct_mma_descriptor_step(pair[1], base), scale_d);                \
        ct_wgmma_commit();                                                                         \
        ct_wgmma_wait(0);                                                                          \
        ct_wgmma_done(d, words);                                                                   \
        put(args.d + thread * WGMMA_D_WORDS, d, words);                                            \
    }
WGMMA_NAMES(KERNEL)
