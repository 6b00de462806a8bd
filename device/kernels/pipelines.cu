/* A matrix from global to shared to global memory, in tiles that overlap: by a pipeline of
 * cp.async, and by one of tile copies.
 *
 * A launch has blocks (x,y): x tiles along the inner mode, and any number of blocks y along the
 * outer, each of which takes every y-th tile. Dynamic shared memory holds CT_PIPELINE_STAGES
 * tiles. */
#include "../copy.h"
#include "../pipeline_cp_async.h"
#include "../pipeline_tma.h"
#include "../static.h"
#include "pipelines.h"

/* Eight elements of a row a thread, in a tile of 64 rows of 64; atom: of the way in or out. */
CT_FN ct_tiled_copy pipeline_copy(ct_copy_atom atom)
{
    return ct_make_tiled_copy(atom, ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1));
}

/* Elements of 2 bytes, 128 threads, tiles of 64 rows of 64. */
CT_KERNEL_THREADS(ct_pipeline_cp_async, 128, ct_pipeline_args, args)
{
    enum { TILE = 64 * 64 * 2 };
    CT_STATIC(ct_tuple, tile, ct_tuple2(64, 64));
    CT_STATIC(ct_memory, shared, ct_in_shared_plain(ct_make_row_major(tile)));
    CT_STATIC(ct_partition, load,
              ct_make_partition(pipeline_copy(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16)), tile,
                                ct_in_global(1), shared));
    CT_STATIC(ct_partition, store,
              ct_make_partition(pipeline_copy(ct_copy_atom_universal(128, 16)), tile, shared,
                                ct_in_global(1)));
    CT_SHARED_DYNAMIC(unsigned char, memory);
    const ct_index first = ct_index2(blockIdx.y, blockIdx.x);
    ct_view from = ct_view_src(&load, ct_view_tile(&args.src, &load, first), threadIdx.x);
    ct_view to = ct_view_dst(&store, ct_view_tile(&args.dst, &store, first), threadIdx.x);
    ct_stages s = ct_stages_begin(CT_PIPELINE_STAGES);
    for (int i = 0; i < CT_PIPELINE_STAGES - 1; ++i) {
        if (from.left[0] > 0)
            ct_copy(&load, from,
                    ct_view_dst(&load, ct_view_shared(memory + ct_stages_write(&s) * TILE), threadIdx.x));
        ct_cp_async_commit();
        from = ct_view_next(&load, from, 0, gridDim.y);
    }
    for (; to.left[0] > 0; to = ct_view_next(&store, to, 0, gridDim.y)) {
        ct_cp_async_stage_wait(CT_PIPELINE_STAGES);
        if (from.left[0] > 0)
            ct_copy(&load, from,
                    ct_view_dst(&load, ct_view_shared(memory + ct_stages_write(&s) * TILE), threadIdx.x));
        ct_cp_async_commit();
        from = ct_view_next(&load, from, 0, gridDim.y);
        ct_copy(&store,
                ct_view_src(&store, ct_view_shared(memory + ct_stages_read(&s) * TILE), threadIdx.x), to);
    }
}

#if CT_HAS_BULK

/* The elements behind the last whole 16 bytes of a row, where they lie in the tile at (x,y): each
 * lane stores those of every 32nd row. No partition does this: box and swizzle are arguments here, a
 * partition is a constant. With a constant box, and ct_copy for the tiles that a row's end cuts, the
 * kernel has 392 instructions for sm_90 instead of 248, in as many registers. It also stores such
 * tiles whole from registers, where at most seven elements of a row have to be. */
CT_DEVICE void store_rest(const ct_pipeline_tma_args *args, const unsigned char *tile, int32_t x,
                          int32_t y, int32_t lane)
{
    const int32_t first = ct_pipeline_whole(args->inner);
    if (first < x || first >= x + args->tile_inner) return;
    for (int32_t j = lane; j < args->tile_outer && y + j < args->outer; j += 32) {
        for (int32_t i = first; i < args->inner; ++i) {
            CT_FRAGMENT(uint16_t, e, 1);
            const int32_t at = 2 * (j * args->tile_inner + i - x);
            ct_load_shared(e, tile + ct_swizzle_apply(args->swizzle, at), 16);
            ct_store_global(args->out + (y + j) * args->out_ld + i, e, 16);
        }
    }
}

/* Thread 0 loads. The other warp stores: its first lane tiles, all lanes what a tile copy would
 * store with elements that are not dst's. */
CT_KERNEL_THREADS(ct_pipeline_tma, 64, ct_pipeline_tma_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, tile);
    CT_SHARED(uint64_t, bars, 2 * CT_PIPELINE_STAGES);
    ct_tma_pipe p = ct_tma_pipe_begin(bars, CT_PIPELINE_STAGES, 32);
    const int32_t x = (int32_t)blockIdx.x * args.tile_inner, lane = (int32_t)threadIdx.x - 32;
    const int32_t first = (int32_t)blockIdx.y * args.tile_outer;
    const int32_t step = (int32_t)gridDim.y * args.tile_outer;
    if (threadIdx.x == 0) {
        for (int32_t y = first; y < args.outer; y += step) {
            uint64_t *full = ct_tma_pipe_fill(&p, args.bytes);
            ct_tma_load_2d(tile + p.stage * args.bytes, &args.src, full, x, y);
            ct_tma_pipe_next(&p);
        }
    } else if (lane >= 0) {
        int32_t before = -1; /* the stage that the store before this one reads */
        for (int32_t y = first; y < args.outer; y += step) {
            const unsigned char *stage = tile + p.stage * args.bytes;
            ct_tma_pipe_wait(&p);
            if (lane == 0 && x < ct_pipeline_whole(args.inner)) {
                ct_tma_store_2d(&args.dst, stage, x, y);
                ct_bulk_commit();
            }
            store_rest(&args, stage, x, y, lane);
            ct_bulk_wait_group_read(1);
            if (before >= 0) ct_tma_pipe_release(&p, before);
            before = p.stage;
            ct_tma_pipe_next(&p);
        }
        ct_bulk_wait_group_read(0);
    }
}

#endif
