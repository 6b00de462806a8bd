/* Stages of shared memory that several warps read by ldmatrix and multiply by mma.sync. */
#include <cutlet/device/arch/bulk.h>
#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/arch/ldmatrix.h>
#include <cutlet/device/arch/mma_sync.h>
#include <cutlet/mma/mma_atom.h>

#include "grid_args.h"

#if CT_HAS_BULK

enum {
    MS_A = 16 * 16 * 2,
    MS_STAGE = MS_A + 8 * 16 * 2
}; /* 16 x 16 and 8 x 16 halves, rows of k */

/* Warp 0 brings n tiles to two warps, by bulk copies into two stages; a lane of each releases a stage
 * for its warp. args.wrong: 1 only the first warp releases, 2 only the second, 3 a lane releases
 * for its warp, which it has not met, 4 a lane waits for its warp, which it does not meet. */
CT_KERNEL_THREADS(mma_stages, 96, copy_args, args)
{
    CT_SHARED(unsigned char, stages, 2 * MS_STAGE);
    CT_SHARED(uint64_t, bars, 4);
    uint64_t *const full = bars, *const empty = bars + 2;
    const int wrong = args.wrong, warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int one = wrong == 1 || wrong == 2;
    const ct_mma_op op = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN").op;
    CT_FRAGMENT(uint32_t, d, 4) = {0};
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; ++i) {
            ct_mbarrier_init(full + i, 1);
            ct_mbarrier_init(empty + i, one ? 1 : 2);
        }
        ct_fence_mbarrier_init();
    }
    __syncthreads();
    for (int i = 0; i < args.n; ++i) {
        unsigned char *const stage = stages + i % 2 * MS_STAGE;
        if (warp == 0 && lane == 0) {
            if (i >= 2) ct_mbarrier_wait(empty + i % 2, (i / 2 - 1) & 1);
            ct_mbarrier_arrive_expect(full + i % 2, MS_STAGE);
            ct_bulk_load(stage, args.src + i * MS_STAGE, MS_STAGE, full + i % 2);
        }
        if (warp == 0) continue;
        CT_FRAGMENT(uint32_t, a, 4);
        CT_FRAGMENT(uint32_t, b, 2);
        if (wrong != 4 || lane == 0) ct_mbarrier_wait(full + i % 2, i / 2 & 1);
        ct_ldmatrix_x4(a, stage + lane % 16 * 32 + lane / 16 * 16);
        ct_ldmatrix_x2(b, stage + MS_A + lane % 8 * 32 + lane / 8 % 2 * 16);
        ct_mma(&op, d, a, b, d);
        if (wrong != 3) __syncwarp();
        if (lane == 0 && (!one || warp == wrong)) ct_mbarrier_arrive(empty + i % 2);
    }
    for (int i = 0; i < 4 && warp == 1; ++i)
        ct_store_global(args.dst + 16 * lane + 4 * i, d + i, 32);
}

#endif
