/* Kernels that ask for a matrix instruction that there is not, or not together. */
#include <cutlet/device/arch/mma_sync.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/mma/mma_atom.h>

#include "mma_kernels.h"

#define MISTAKE(kernel, name, change)                                                              \
    CT_KERNEL_THREADS(kernel, 32, mma_args, args)                                                  \
    {                                                                                              \
        CT_FRAGMENT(uint32_t, x, MMA_WORDS) = {0};                                                 \
        ct_mma_op op = ct_make_mma_atom(name).op;                                                  \
        (void)args;                                                                                \
        change;                                                                                    \
        ct_mma(&op, x, x, x, x);                                                                   \
    }
MISTAKE(mma_of_block, "SM90_64x8x16_F32F16F16_SS", (void)0)
MISTAKE(mma_unknown, "SM80_16x8x16_F32F16F16F32_TN", op.k = 12)
MISTAKE(mma_complex, "SM80_8x8x4_C64C64C64C64_TN", (void)0)
MISTAKE(mma_sparse, "SM80_SPARSE_16x8x32_F32F16F16F32_TN", (void)0)
MISTAKE(mma_two_at_once, "SM80_16x8x16_F32F16F16F32_TN",
        if (threadIdx.x >= 16) op = ct_make_mma_atom("SM80_16x8x8_F32F16F16F32_TN").op)
MISTAKE(mma_half_warp, "SM80_16x8x16_F32F16F16F32_TN", if (threadIdx.x >= 16) return )
