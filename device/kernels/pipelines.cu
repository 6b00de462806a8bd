/* A matrix from global to shared to global memory, in tiles that overlap: by a pipeline of
 * cp.async, and by one of tile copies.
 *
 * A launch has blocks (x,y): x tiles along the inner mode, and any number of blocks y along the
 * outer, each of which takes every y-th tile. Dynamic shared memory holds CT_PIPELINE_STAGES
 * tiles. */
#include "../copy_planned.h"
#include "../pipeline_cp_async.h"
#include "../pipeline_tma.h"
#include "pipelines.h"

/* Tile `number` of the block. */
CT_DEVICE ct_copy_place place_of(const ct_tile_plan *plan, const ct_copy_args *args, int32_t number)
{
    ct_copy_place at = CT_ZERO;
    at.inner = (int64_t)blockIdx.x * args->tile_inner;
    at.outer = ((int64_t)number * gridDim.y + blockIdx.y) * args->tile_outer;
    at.whole = at.inner + plan->tile_inner <= args->inner && at.outer + plan->tile_outer <= args->outer;
    return at;
}

/* Elements of 2 bytes, 128 threads, tiles of 64 rows of 64: the arguments' tile is (64,64). */
CT_KERNEL_THREADS(ct_pipeline_cp_async, 128, ct_copy_args, args)
{
    CT_STATIC(ct_tile_plan, plan,
              ct_plan_tiled_copy(ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1),
                                 ct_make_plan_job(CT_PLAN_CP_ASYNC, 2, CT_ROW_MAJOR, 64, 64)));
    CT_SHARED_DYNAMIC(unsigned char, tile);
    const int32_t bytes = plan.tile_inner * plan.tile_outer * plan.elem_bytes;
    ct_stages s = ct_stages_begin(CT_PIPELINE_STAGES);
    ct_copy_place in = place_of(&plan, &args, 0), out = in;
    int32_t next = 0;
    for (; next < CT_PIPELINE_STAGES - 1; ++next) {
        if (in.outer < args.outer) ct_copy_in(&plan, &args, in, tile + ct_stages_write(&s) * bytes);
        ct_cp_async_commit();
        in = place_of(&plan, &args, next + 1);
    }
    for (int32_t i = 1; out.outer < args.outer; ++i) {
        ct_cp_async_stage_wait(CT_PIPELINE_STAGES);
        if (in.outer < args.outer) ct_copy_in(&plan, &args, in, tile + ct_stages_write(&s) * bytes);
        ct_cp_async_commit();
        in = place_of(&plan, &args, ++next);
        ct_copy_out(&plan, &args, out, tile + ct_stages_read(&s) * bytes);
        out = place_of(&plan, &args, i);
    }
}

#if CT_HAS_BULK

/* The elements behind the last whole 16 bytes of a row, where they lie in the tile at (x,y): each
 * lane stores those of every 32nd row. */
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
