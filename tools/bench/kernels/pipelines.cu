/* Copies of a matrix global -> shared -> global with several tiles in flight: by a pipeline of
 * cp.async, and by a pipeline of tile copies.
 *
 * A launch has blocks (x,y): one for each tile along the inner mode, and any number y along the
 * outer mode, each of which copies every y-th tile. Dynamic shared memory holds CT_PIPELINE_STAGES
 * tiles. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/element/move.h>
#include <cutlet/device/pipeline/pipeline_cp_async.h>
#include <cutlet/device/pipeline/pipe.h>
#include <cutlet/device/kernel/static.h>
#include "pipelines.h"

/* Each thread has eight elements of a row of a tile (64,64). atom: of the loads or stores. */
CT_FN ct_tiled_copy pipeline_copy(ct_copy_atom atom)
{
    return ct_make_tiled_copy(atom, ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1));
}

/* Elements of 2 bytes, 128 threads, tiles of 64 rows of 64. */
CT_KERNEL_THREADS(ct_pipeline_cp_async, 128, ct_pipeline_args, args)
{
    CT_STATIC(ct_tuple, tile, ct_tuple2(64, 64));
    CT_STATIC(ct_memory, shared, ct_in_shared_plain(ct_make_row_major(tile)));
    CT_STATIC(ct_partition, load,
              ct_make_partition(pipeline_copy(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16)),
                                tile, ct_in_global(1), shared));
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
            ct_copy(&load, from, ct_view_stage(&load.dst, memory, ct_stages_write(&s)));
        ct_cp_async_commit();
        from = ct_view_next(&load, from, 0, gridDim.y);
    }
    for (; to.left[0] > 0; to = ct_view_next(&store, to, 0, gridDim.y)) {
        ct_cp_async_stage_wait(CT_PIPELINE_STAGES);
        if (from.left[0] > 0)
            ct_copy(&load, from, ct_view_stage(&load.dst, memory, ct_stages_write(&s)));
        ct_cp_async_commit();
        from = ct_view_next(&load, from, 0, gridDim.y);
        ct_copy(&store, ct_view_stage(&store.src, memory, ct_stages_read(&s)), to);
    }
}

#if CT_HAS_BULK

/* A whole tile from global to swizzled shared memory, or back. */
CT_FN ct_partition pipeline_tile(int kind, int32_t swizzle)
{
    const ct_tuple box = ct_pipeline_box(swizzle);
    const ct_swizzle bytes = ct_tma_swizzle(swizzle);
    const ct_swizzle elems = bytes.bits > 0 ? ct_swizzle_upcast(bytes, 2) : bytes;
    const ct_memory global = ct_in_global(1);
    const ct_memory shared = ct_in_shared(ct_make_swizzled(elems, 0, ct_make_row_major(box)));
    const int load = kind == CT_ATOM_TMA_LOAD;
    return ct_make_partition(ct_make_bulk_copy(ct_copy_atom_tile(kind, 16)), box,
                             load ? global : shared, load ? shared : global);
}

/* Stores the elements of a row after its last whole 16 bytes, at most seven, if they are in tile y
 * of this block: each lane those of its row. Not by a partition: partitions are constants, and the
 * first of these elements is known only at run time. */
CT_DEVICE void store_rest(const ct_partition *store, const ct_swizzle *swizzle,
                          const ct_global *out, const unsigned char *tile, int32_t y, int32_t lane)
{
    const int32_t inner = (int32_t)out->extent[1], first = ct_pipeline_whole(inner);
    const int32_t x = (int32_t)blockIdx.x * store->tile[1], row = y * store->tile[0] + lane;
    if (first < x || first >= x + store->tile[1] || row >= out->extent[0]) return;
    CT_ROLL for (int32_t i = first; i < inner; ++i)
    {
        const int32_t at = 2 * (lane * store->tile[1] + i - x);
        ct_move_if(1, out->at + row * out->step[0] + 2 * i, CT_SPACE_SHARED,
                   tile + ct_swizzle_apply(*swizzle, at), 2, 2);
    }
}

/* Thread 0 loads. The other warp stores: its first lane by tile copies, and all lanes the elements
 * that tile copies omit. */
CT_DEVICE void pipeline_tma(const ct_partition *load, const ct_partition *store,
                            const ct_swizzle *swizzle, const ct_pipeline_tma_args *args,
                            unsigned char *memory)
{
    CT_SHARED(uint64_t, bars, 2 * CT_PIPELINE_STAGES);
    const ct_pipe_plan plan = ct_make_pipe(CT_PIPELINE_STAGES, ct_tile_bytes(load), 1);
    ct_pipe p = ct_pipe_begin(&plan, bars);
    const int32_t tiles = (int32_t)ct_tiles_along(&args->out, load, 0);
    const int32_t x = (int32_t)blockIdx.x, lane = (int32_t)threadIdx.x - 32;
    if (threadIdx.x == 0) {
        for (int32_t y = (int32_t)blockIdx.y; y < tiles; y += (int32_t)gridDim.y) {
            uint64_t *full = ct_pipe_fill(&p);
            const ct_view stage = ct_view_stage(&load->dst, memory, p.stage);
            ct_copy(load, ct_view_map(&args->src, load, ct_index2(y, x)),
                    ct_view_arriving(stage, full, 0));
            ct_pipe_next(&p);
        }
    } else if (lane >= 0) {
        const int any = x * store->tile[1] < ct_pipeline_whole((int32_t)args->out.extent[1]);
        int32_t stores = 0;
        for (int32_t y = (int32_t)blockIdx.y; y < tiles; y += (int32_t)gridDim.y) {
            const ct_view stage = ct_view_stage(&store->src, memory, p.stage);
            ct_pipe_wait(&p);
            if (lane == 0 && any) {
                ct_copy(store, stage, ct_view_map(&args->dst, store, ct_index2(y, x)));
                ct_bulk_commit();
            }
            store_rest(store, swizzle, &args->out, stage.at, y, lane);
            ct_bulk_wait_group_read(1);
            __syncwarp();
            if (stores++ > 0)
                ct_pipe_release(&p, 1); /* the stage that the previous store has read */
            ct_pipe_next(&p);
        }
        ct_bulk_wait_group_read(0);
    }
}

/* One kernel for each swizzle of the maps. */
#define PIPELINE_TMA(name, mode)                                                                   \
    CT_KERNEL_THREADS(name, 64, ct_pipeline_tma_args, args)                                        \
    {                                                                                              \
        CT_STATIC(ct_partition, load, pipeline_tile(CT_ATOM_TMA_LOAD, mode));                      \
        CT_STATIC(ct_partition, store, pipeline_tile(CT_ATOM_TMA_STORE, mode));                    \
        CT_STATIC(ct_swizzle, swizzle, ct_tma_swizzle(mode));                                      \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        pipeline_tma(&load, &store, &swizzle, &args, memory);                                      \
    }
PIPELINE_TMA(ct_pipeline_tma, CT_TMA_SWIZZLE_128B)
PIPELINE_TMA(ct_pipeline_tma_64b, CT_TMA_SWIZZLE_64B)
PIPELINE_TMA(ct_pipeline_tma_32b, CT_TMA_SWIZZLE_32B)
PIPELINE_TMA(ct_pipeline_tma_plain, CT_TMA_SWIZZLE_NONE)

#endif
