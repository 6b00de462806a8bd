/**
 * A pipeline: producers fill stages of shared memory, consumers empty them, and two mbarriers for each stage
 * synchronise them.
 *
 *     p.pipe = ct_make_pipe(STAGES, ct_tile_bytes(&p.load_a) + ct_tile_bytes(&p.load_b), WARPS);   a constant
 *
 *     CT_SHARED(uint64_t, bars, 2 * STAGES);
 *     ct_pipe pipe = ct_pipe_begin(&p.pipe, bars);                     // the whole block
 *     if (PRODUCER) {                                                  // one thread
 *         for (int i = 0; i < tiles; ++i) {
 *             uint64_t *full = ct_pipe_fill(&pipe);                    // the stage is free
 *             ct_copy(ct_view_map(&args.map, &load, tile i),
 *                     ct_view_arriving(ct_stage_of(&p.a, memory, pipe.stage), full, 0));
 *             ct_pipe_next(&pipe);
 *         }
 *     } else if (CONSUMER) {                                           // WARPS warps
 *         for (int i = 0; i < tiles; ++i) {
 *             ct_pipe_wait(&pipe);                                     // the tile has arrived
 *             WORK(stage pipe.stage);
 *             ct_pipe_release(&pipe, 0);
 *             ct_pipe_next(&pipe);
 *         }
 *     }
 *
 * Each thread has its own copy of pipe. The bytes are those of the copies of a stage, also at an edge. A warp releases
 * the stage that it used `back` tiles before: with products in flight, the one that they have read. A
 * consumer that stores the stage by a bulk or tile copy releases it when the store has read it
 * (ct_bulk_wait_group_read). Consumers that write to the stage call ct_fence_async_shared before they
 * release it. A warp whose lanes load from the stage themselves calls __syncwarp before.
 *
 * Producers that copy by cp.async are threads: ct_make_pipe_of_threads says how many. Each calls ct_pipe_fill, copies
 * its part, and calls ct_pipe_filled, which arrives when its copies have.
 *
 * Blocks of a cluster that fill stages together, each a part of every block's, wait for the consumers of all of them:
 * ct_make_pipe_of_blocks. Each block's stage expects the bytes that it receives, its own and others'. A ct_cluster_sync
 * follows ct_pipe_begin, and another one comes before a block exits.
 *
 * Fails:    As mbarrier.h: the CPU grid ends the launch when a wait has no end, because the bytes
 *           or the number of consumers are wrong. A GPU hangs.
 * Cost:     A producer waits for one barrier and arrives at one for each tile; so does a consumer.
 *           The state is an address, the stage and its parity.
 * In a kernel:
 *           // eight tiles of 32 floats, two stages; lane 0 fills them, all lanes read them
 *           CT_STATIC(ct_pipe_plan, plan, ct_make_pipe(2, 32 * 4, 1));
 *           CT_STATIC(ct_pipe_plan, of_pairs, ct_make_pipe_of_blocks(2, 32 * 4, 1, 2));
 *           assert(of_pairs.blocks == 2 && plan.blocks == 1);
 *           CT_SHARED(float, memory, 2 * 32);
 *           CT_SHARED(uint64_t, bars, 2 * 2);
 *           const int i = (int)threadIdx.x;
 *           ct_pipe p = ct_pipe_begin(&plan, bars), filled = p;
 *           for (int k = 0; k < 8 + 1; ++k) {
 *               if (i == 0 && k < 8) { // one tile ahead
 *                   uint64_t *const full = ct_pipe_fill(&filled);
 *                   ct_bulk_load(memory + 32 * filled.stage, in + 32 * k, 128, full);
 *                   ct_pipe_next(&filled);
 *               }
 *               if (k == 0) continue;
 *               float x = 0;
 *               ct_pipe_wait(&p);
 *               ct_load_shared(&x, memory + 32 * p.stage + i, 32);
 *               assert(x == (float)(32 * (k - 1) + i));
 *               __syncwarp();
 *               ct_pipe_release(&p, 0);
 *               ct_pipe_next(&p);
 *           }
 * Used by:  examples/tutorial/wgmma.cu, device/gemm/wgmma_result.h, tests/mma/gemm_calls.cu
 * Source:   NVIDIA, PTX ISA 9.0, mbarrier.
 */
#ifndef CUTLET_DEVICE_PIPELINE_PIPE_H
#define CUTLET_DEVICE_PIPELINE_PIPE_H

#include <cutlet/algebra/base.h>

#include <cutlet/device/arch/cluster.h>
#include <cutlet/device/arch/cp_async.h>
#include <cutlet/device/arch/mbarrier.h>
#include <cutlet/device/arch/warp.h>

/** What a pipeline's stages hold, and who fills and empties them. */
typedef struct ct_pipe_plan {
    ct_error err;
    int32_t stages, bytes; /* that arrive in a stage by bulk or tile copies */
    int32_t threads;       /* of the block that fill a stage by cp.async */
    int32_t warps, blocks; /* warps of each block that release a stage; blocks that fill it */
} ct_pipe_plan;

/** @internal The plan, or the error of a number that is not positive. */
CT_FN ct_pipe_plan ct_make_pipe_by(int32_t stages, int32_t bytes, int32_t threads, int32_t warps,
                                   int32_t blocks)
{
    const ct_error none = CT_ZERO;
    ct_pipe_plan p = {none, stages, bytes, threads, warps, blocks};
    const int32_t least =
        CT_CAST(int32_t, ct_min(ct_min(stages, warps), ct_min(blocks, bytes + threads)));
    if (least < 1)
        p.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_NOT_POSITIVE, 0, least, 0);
    return p;
}

/**
 * A pipeline of stages that receive `bytes` each by bulk or tile copies of one thread, and that warps release.
 * Fails:    CT_E_ARGUMENT if a number is not positive.
 */
CT_FN ct_pipe_plan ct_make_pipe(int32_t stages, int32_t bytes, int32_t warps)
{
    return ct_make_pipe_by(stages, bytes, 0, warps, 1);
}
/** The same, of stages that `blocks` blocks of a cluster fill together. */
CT_FN ct_pipe_plan ct_make_pipe_of_blocks(int32_t stages, int32_t bytes, int32_t warps,
                                          int32_t blocks)
{
    return ct_make_pipe_by(stages, bytes, 0, warps, blocks);
}
/** The same, of stages that threads fill by cp.async. */
CT_FN ct_pipe_plan ct_make_pipe_of_threads(int32_t stages, int32_t threads, int32_t warps)
{
    return ct_make_pipe_by(stages, 0, threads, warps, 1);
}

#if CT_HAS_BULK

/** The state of one thread in a pipeline. */
typedef struct ct_pipe {
    uint64_t *full, *empty; /* a barrier for each stage */
    int32_t stage, stages;
    int32_t parity; /* of the phases of this pass over the stages */
    int32_t bytes, blocks;
} ct_pipe;

/**
 * A pipeline before its first tile. All threads of the block call it. bars: 2 * stages mbarriers in
 * shared memory, which it initialises.
 * Cost:     2 * stages initialisations by one thread, a shuffle, and a barrier of the block.
 */
CT_DEVICE ct_pipe ct_pipe_begin(const ct_pipe_plan *plan, uint64_t *bars)
{
    bars = (uint64_t *)ct_uniform_shared(bars);
    const ct_pipe p = {bars, bars + plan->stages, 0, plan->stages, 0, plan->bytes, plan->blocks};
    CT_REFUSE("pipeline", plan->err);
    if (threadIdx.x == 0) {
        for (int i = 0; i < plan->stages; ++i) {
            ct_mbarrier_init(p.full + i, plan->threads + (plan->bytes > 0));
            ct_mbarrier_init(p.empty + i, plan->warps * plan->blocks);
        }
        ct_fence_mbarrier_init();
    }
    __syncthreads();
    return p;
}

/**
 * Goes to the next stage; after the last one to the first, of the other parity.
 * Cost:     an addition, a comparison and two selections.
 */
CT_DEVICE void ct_pipe_next(ct_pipe *p)
{
    p->stage += 1;
    if (p->stage == p->stages) {
        p->stage = 0;
        p->parity ^= 1;
    }
}

/** Producer: waits until the stage is free, then expects the bytes of its tile. Returns the barrier
 *  of the stage's copy. In the first pass all stages are free: the wait on a new barrier returns at
 *  once. One thread calls it, or each one that fills by cp.async. */
CT_DEVICE uint64_t *ct_pipe_fill(const ct_pipe *p)
{
    ct_mbarrier_wait(p->empty + p->stage, p->parity ^ 1);
    if (p->bytes > 0) ct_mbarrier_arrive_expect(p->full + p->stage, p->bytes);
    return p->full + p->stage;
}

/** Producer by cp.async: the stage is full when the copies of all threads that filled it have arrived. */
CT_DEVICE void ct_pipe_filled(const ct_pipe *p) { ct_cp_async_arrive(p->full + p->stage); }

/** Consumer: waits until the tile of the stage has arrived. */
CT_DEVICE void ct_pipe_wait(const ct_pipe *p) { ct_mbarrier_wait(p->full + p->stage, p->parity); }

/** Consumer: this warp has read the stage of `back` tiles before: a lane tells each block that fills it. */
CT_DEVICE void ct_pipe_release(const ct_pipe *p, const int back)
{
    const int lane = ct_lane(), stage = p->stage - back + (p->stage < back ? p->stages : 0);
    if (p->blocks > 1 && lane < p->blocks)
        ct_mbarrier_arrive_remote_relaxed(p->empty + stage, lane);
    if (p->blocks == 1 && lane == 0) ct_mbarrier_arrive(p->empty + stage);
}

#define ct_pipe_begin(...) CT_CALL(ct_pipe_begin, __VA_ARGS__)
#define ct_pipe_fill(...) CT_CALL(ct_pipe_fill, __VA_ARGS__)
#define ct_pipe_filled(...) CT_CALL(ct_pipe_filled, __VA_ARGS__)
#define ct_pipe_wait(...) CT_CALL(ct_pipe_wait, __VA_ARGS__)
#define ct_pipe_release(...) CT_CALL(ct_pipe_release, __VA_ARGS__)

#endif

#endif
