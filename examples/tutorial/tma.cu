/* One thread fetches a tile of 64 x 64 from a row-major matrix of uint16_t, the block adds up the
 * rows of it. */
#include "atoms.h"
#include "tma.h"

typedef struct tma_args {
    ct_tma_map map;     /* made on the host: the matrix, the tile, the swizzle */
    ct_swizzle swizzle; /* the same swizzle, of the places of elements in the tile */
    int32_t *dst;
    int32_t row, col;   /* of the tile's first element */
} tma_args;

#if CT_HAS_BULK /* sm_90 and later */
/* part: kernel */
CT_KERNEL_THREADS(row_sums, 64, tma_args, args)
{
    CT_SHARED_DYNAMIC(uint16_t, tile);
    CT_SHARED(uint64_t, bar, 1);
    if (threadIdx.x == 0) {
        ct_mbarrier_init(bar, 1); /* one arrival: that of the thread that asks for the tile */
        ct_fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ct_mbarrier_arrive_expect(bar, 64 * 64 * 2);
        ct_tma_load_2d(tile, &args.map, bar, args.col, args.row); /* contiguous dimension first */
    }
    ct_mbarrier_wait(bar, 0);
    int32_t sum = 0;
    for (int j = 0; j < 64; j += 8) {
        CT_FRAGMENT(uint16_t, x, 8);
        const int place = 64 * (int)threadIdx.x + j;
        ct_load_shared(x, tile + ct_swizzle_apply(args.swizzle, place), 128);
        for (int k = 0; k < 8; ++k) sum += x[k];
    }
    ct_store_global(args.dst + threadIdx.x, &sum, 32);
}
/* end */
#endif
