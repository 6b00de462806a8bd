/* Whole tiles by the copy engines: from global to shared memory, also of several blocks of a
 * cluster, and on to global memory. One of the two ways may be by threads, which shows where a tile
 * lies in shared memory. The launch tells the partitions. */
#include <cutlet/device/arch/cluster.h>
#include <cutlet/device/copy/copy.h>

#include "engine_kernels.h"

#if CT_HAS_BULK

#define SPOILED 0x5a5a5a5au

/* Tile n of a tensor, the first axis fastest. Tiles after the last one lie outside along the last
 * axis. */
CT_DEVICE ct_index tile_number(const ct_partition *P, const ct_global *g, int64_t n)
{
    ct_index x = CT_ZERO;
    for (int a = 0; a < CT_AXES; ++a) {
        if (a >= P->axes) continue;
        const int64_t tiles = ct_tiles_along(g, P, a);
        x.at[a] = a == P->axes - 1 ? n : n % tiles;
        n /= tiles;
    }
    return x;
}

/* A tile as the atom of a partition takes it: by a map, or by the steps of the tensor. */
CT_DEVICE ct_view tile_for(const ct_partition *P, const ct_global *g, const ct_tma_map *map,
                           ct_index x)
{
    if (P->atom >= CT_ATOM_TMA_LOAD && P->atom <= CT_ATOM_TMA_MAX) return ct_view_map(map, P, x);
    return ct_view_tile(g, P, x);
}

/* Writes something to all stages, so that what a copy leaves out is seen. */
CT_DEVICE void spoil(unsigned char *memory, int32_t bytes)
{
    for (int32_t i = 4 * (int32_t)threadIdx.x; i < bytes; i += 4 * 32) {
        const uint32_t x = SPOILED;
        ct_store_shared(memory + i, &x, 32);
    }
}

/* Whether the stages hold what spoil wrote that no block of the mask has loaded for this one. */
CT_DEVICE int are_others_spoiled(const ct_partition *P, const unsigned char *memory, int mask,
                                 int rank)
{
    int ok = 1;
    for (int k = mask == 0 ? 1 : 0; k < ENGINE_BLOCKS; ++k) {
        uint32_t x = SPOILED;
        if (mask >> k & 1) continue;
        const int by = (rank + ENGINE_BLOCKS - k) % ENGINE_BLOCKS;
        ct_load_shared(&x, ct_view_stage(&P->dst, memory, by).at, 32);
        ok = ok && x == SPOILED;
    }
    return ok;
}

CT_KERNEL_CLUSTER(copy_by_engine, ENGINE_BLOCKS, 32, engine_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, memory);
    CT_SHARED(uint64_t, bar, 1);
    const ct_partition *const in = &args.in, *const out = &args.out;
    const int by_engine = ct_atom_is_tile(in->atom), rank = ct_cluster_rank();
    const int from = (rank + ENGINE_BLOCKS - args.behind) % ENGINE_BLOCKS;
    int loads = args.mask == 0, mask = 0; /* how many tiles arrive; for whom this block loads */
    for (int k = 0; k < ENGINE_BLOCKS; ++k) {
        loads += args.mask >> k & 1;
        mask |= (args.mask >> k & 1) << (rank + k) % ENGINE_BLOCKS;
    }
    spoil(memory, ENGINE_BLOCKS * in->dst.bytes);
    if (threadIdx.x == 0) {
        ct_mbarrier_init(bar, 1);
        ct_fence_mbarrier_init();
        if (by_engine) ct_mbarrier_arrive_expect(bar, ct_tile_bytes(in) * loads);
    }
    ct_fence_async_shared();
    ct_cluster_sync();
    const ct_view src =
        tile_for(in, &args.src, &args.src_map, tile_number(out, &args.dst, blockIdx.x));
    const ct_view stage = ct_view_stage(&in->dst, memory, rank);
    if (!by_engine) {
        if (threadIdx.x < (uint32_t)in->threads) ct_copy(in, src, stage);
        ct_fence_async_shared();
    } else {
        if (threadIdx.x == 0) ct_copy(in, src, ct_view_arriving(stage, bar, mask));
        ct_mbarrier_wait(bar, 0);
    }
    ct_cluster_sync(); /* the tiles of all blocks are there */
    const int ok = are_others_spoiled(in, memory, args.mask, rank);
    const ct_view dst = tile_for(out, &args.dst, &args.dst_map,
                                 tile_number(out, &args.dst, (int64_t)blockIdx.x - rank + from));
    if (!ct_atom_is_tile(out->atom)) {
        if (ok && threadIdx.x < (uint32_t)out->threads)
            ct_copy(out, ct_view_stage(&in->dst, memory, from), dst);
    } else if (ok && threadIdx.x == 0) {
        ct_copy(out, ct_view_stage(&in->dst, memory, from), dst);
        ct_bulk_commit();
        ct_bulk_wait_group(0);
    }
    ct_cluster_sync();
}

#endif
