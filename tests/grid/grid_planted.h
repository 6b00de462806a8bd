/* A header of cutlet's that has every atom in it, made by hand: its lines are said to lie where
 * cutlet's headers are installed. Included by grid_lines.cu. */
#ifndef CUTLET_TESTS_GRID_PLANTED_H
#define CUTLET_TESTS_GRID_PLANTED_H

#include <cutlet/device/arch/cluster.h>
#include <cutlet/device/arch/prefetch.h>
#include <cutlet/device/arch/tma.h>
#include <cutlet/device/arch/warp.h>
#include <cutlet/device/arch/load_store_256.h>

#include <cutlet/device/arch/atoms.h>

#if CT_HAS_BULK

#line 17 "some/include/cutlet/device/arch/planted.h"

/** Atom `which` of all that name a place, 1 to 40, with an argument that it cannot take; none is in
 *  no buffer. All lanes of a warp arrive here. */
CT_DEVICE void planted_atom(const int which, const ct_tma_map *map, unsigned char *none)
{
    CT_FRAGMENT(uint32_t, x, 8) = {0, 0, 0, 0, 0, 0, 0, 0};
    uint64_t *const bar = (uint64_t *)(void *)none;
    switch (which) {
        case 1: ct_load_global(x, none, 32); break;
        case 2: ct_store_global(none, x, 32); break;
        case 3: ct_load_shared(x, none, 32); break;
        case 4: ct_store_shared(none, x, 32); break;
#if CT_HAS_256
        case 5: ct_load_global_256(x, none); break;
        case 6: ct_store_global_256(none, x); break;
#endif
        case 7: ct_prefetch_l1(none); break;
        case 8: ct_prefetch_l2(none); break;
        case 9: ct_cp_async_ca(none, none, 16); break;
        case 10: ct_cp_async_cg_fill(none, none, 16, 8); break;
        case 11: ct_cp_async_ca_if(1, none, none, 4); break;
        case 12: ct_cp_async_cg_l2(none, none, 16, 64); break;
        case 13: ct_ldmatrix_x4(x, none); break;
        case 14: ct_ldmatrix_x2_trans(x, none); break;
        case 15: ct_stmatrix_x1(none, x); break;
        case 16: ct_mbarrier_init(bar, 1); break;
        case 17: ct_mbarrier_invalidate(bar); break;
        case 18: ct_mbarrier_arrive(bar); break;
        case 19: ct_mbarrier_expect(bar, 16); break;
        case 20: ct_mbarrier_arrive_remote(bar, 0); break;
        case 21: x[0] = (uint32_t)ct_mbarrier_try_wait(bar, 0); break;
        case 22: ct_mbarrier_wait(bar, 0); break;
        case 23: ct_bulk_load(none, none, 16, bar); break;
        case 24: ct_bulk_load_multicast(none, none, 16, bar, 1); break;
        case 25: ct_bulk_store(none, none, 16); break;
        case 26: ct_bulk_max(none, none, 16, CT_ELEM_U32); break;
        case 27: ct_bulk_prefetch_l2(none, 16); break;
        case 28: ct_tma_load_2d(none, map, bar, 0, 0); break;
        case 29: ct_tma_store_1d(map, none, 0); break;
        case 30: ct_tma_add_3d(map, none, 0, 0, 0); break;
        case 31: ct_tma_prefetch_5d(map, 0, 0, 0, 0, 0); break;
        case 32: ct_tma_prefetch_map((const ct_tma_map *)(const void *)none); break;
        case 33: x[0] = __shfl_sync(0xffffu, x[0], 0); break;
        case 34: __syncwarp(0xffffu); break;
        case 35: x[0] = __ballot_sync(0xffffu, 1); break;
        case 36:
            if (threadIdx.x == 0) __syncthreads();
            __syncthreads();
            break;
        case 37:
            if (threadIdx.x == 0) ct_cluster_sync();
            ct_cluster_sync();
            break;
        case 38: ct_cluster_wait(); break;
        case 39: ct_mbarrier_arrive_cluster(bar); break;
        default: ct_mbarrier_wait_relaxed(bar, 0); break;
    }
    (void)x;
}

#define planted_atom(...) CT_CALL(planted_atom, __VA_ARGS__)

#endif

#endif
