/* Products by any descriptors of B, with A in registers and a window of shared memory that the host
 * fills. */
#include "wgmma_read.h"

#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/arch/wgmma.h>

#define READ(name, atom, B_MAJOR)                                                                  \
    CT_KERNEL_THREADS(wr_##name, 128, wgmma_read_args, args)                                       \
    {                                                                                              \
        CT_STATIC(ct_mma_op, op, ct_wgmma_op(ct_make_mma_atom(atom), CT_MMA_K_MAJOR, B_MAJOR));    \
        CT_STATIC(int, words, op.n / 2);                                                           \
        CT_SHARED_DYNAMIC(unsigned char, window);                                                  \
        CT_FRAGMENT(uint32_t, x, 4);                                                               \
        CT_FRAGMENT(uint32_t, a, 4);                                                               \
        CT_FRAGMENT(uint32_t, d, WGMMA_READ_WORDS) = {0};                                          \
        for (int at = 16 * (int)threadIdx.x; at < WGMMA_READ_WINDOW; at += 16 * 128) {             \
            ct_load_global(x, args.window + at, 128);                                              \
            ct_store_shared(window + at, x, 128);                                                  \
        }                                                                                          \
        ct_load_global(a, args.a + 4 * threadIdx.x, 128);                                          \
        ct_fence_async_shared();                                                                   \
        __syncthreads();                                                                           \
        for (int n = 0; n < args.count; ++n) {                                                     \
            uint32_t *const to = args.d + (n * 128 + (int)threadIdx.x) * WGMMA_READ_WORDS;         \
            CT_FRAGMENT(uint64_t, b, 1);                                                           \
            ct_load_global(b, args.descriptors + n, 64);                                           \
            ct_wgmma_fence();                                                                      \
            ct_wgmma(&op, d, a, ct_mma_descriptor_step(b[0], ct_shared_address(window)), 0);       \
            ct_wgmma_commit();                                                                     \
            ct_wgmma_wait(0);                                                                      \
            ct_wgmma_done(d, words);                                                               \
            CT_UNROLL for (int i = 0; i < words; ++i) ct_store_global(to + i, d + i, 32);          \
        }                                                                                          \
    }
READ(half_k, "SM90_64x128x16_F32F16F16_RS", CT_MMA_K_MAJOR)
READ(half_n, "SM90_64x128x16_F32F16F16_RS", CT_MMA_MN_MAJOR)
READ(half_k_8, "SM90_64x8x16_F32F16F16_RS", CT_MMA_K_MAJOR)
READ(half_n_8, "SM90_64x8x16_F32F16F16_RS", CT_MMA_MN_MAJOR)
READ(tf32, "SM90_64x128x8_F32TF32TF32_RS_TN", CT_MMA_K_MAJOR)
READ(s8, "SM90_64x128x32_S32S8S8_RS_TN", CT_MMA_K_MAJOR)
