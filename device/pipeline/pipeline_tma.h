/**
 * A pipeline of tile copies: a producer fills stages of shared memory, consumers empty them, and
 * two mbarriers for each stage synchronise them.
 *
 *     CT_SHARED(uint64_t, bars, 2 * STAGES);
 *     ct_tma_pipe p = ct_tma_pipe_begin(bars, STAGES, CONSUMERS);      // the whole block
 *     if (PRODUCER) {                                                  // one thread
 *         for (int i = 0; i < tiles; ++i) {
 *             uint64_t *full = ct_tma_pipe_fill(&p, bytes);            // the stage is free
 *             ct_copy(&load, ct_view_map(&args.map, &load, tile i),
 *                     ct_view_arriving(ct_view_stage(&load.dst, memory, p.stage), full, 0));
 *             ct_tma_pipe_next(&p);
 *         }
 *     } else if (CONSUMER) {                                           // CONSUMERS threads
 *         for (int i = 0; i < tiles; ++i) {
 *             ct_tma_pipe_wait(&p);                                    // the tile has arrived
 *             WORK(stage p.stage);
 *             ct_tma_pipe_release(&p, p.stage);
 *             ct_tma_pipe_next(&p);
 *         }
 *     }
 *
 * Each thread has its own copy of p. bytes is ct_tile_bytes of the partition, also at an edge. A
 * consumer that stores the stage by a bulk or tile copy releases it when the store has read it
 * (ct_bulk_wait_group_read). Consumers that write to the stage call ct_fence_async_shared before they
 * release it.
 *
 * Fails:    As mbarrier.h: the CPU grid ends the launch when a wait has no end, because the bytes
 *           or the number of consumers are wrong. A GPU hangs.
 * Cost:     A producer waits for one barrier and arrives at one for each tile; so does a consumer.
 *           The state is an address, the stage and its parity.
 * In a kernel:
 *           // eight tiles of 32 floats, two stages; lane 0 fills them, all lanes read them
 *           CT_SHARED(float, memory, 2 * 32);
 *           CT_SHARED(uint64_t, bars, 2 * 2);
 *           const int i = (int)threadIdx.x;
 *           ct_tma_pipe p = ct_tma_pipe_begin(bars, 2, 32), filled = p;
 *           for (int k = 0; k < 8 + 1; ++k) {
 *               if (i == 0 && k < 8) { // one tile ahead
 *                   uint64_t *const full = ct_tma_pipe_fill(&filled, 128);
 *                   ct_bulk_load(memory + 32 * filled.stage, in + 32 * k, 128, full);
 *                   ct_tma_pipe_next(&filled);
 *               }
 *               if (k == 0) continue;
 *               float x = 0;
 *               ct_tma_pipe_wait(&p);
 *               ct_load_shared(&x, memory + 32 * p.stage + i, 32);
 *               assert(x == (float)(32 * (k - 1) + i));
 *               ct_tma_pipe_release(&p, p.stage);
 *               ct_tma_pipe_next(&p);
 *           }
 * Source:   NVIDIA, PTX ISA 9.0, mbarrier.
 */
#ifndef CUTLET_DEVICE_PIPELINE_PIPELINE_TMA_H
#define CUTLET_DEVICE_PIPELINE_PIPELINE_TMA_H

#include <cutlet/device/arch/tma.h>
#include <cutlet/device/arch/warp.h>

#if CT_HAS_BULK

/** The state of one thread in a pipeline. */
typedef struct ct_tma_pipe {
    uint64_t *full, *empty; /* a barrier for each stage */
    int32_t stage, stages;
    int32_t parity; /* of the phases of this pass over the stages */
} ct_tma_pipe;

/**
 * A pipeline before its first tile. All threads of the block call it. bars: 2 * stages mbarriers in
 * shared memory, which it initialises. consumers: the arrivals that release a stage.
 * Cost:     2 * stages initialisations by one thread, a shuffle, and a barrier of the block.
 */
CT_DEVICE ct_tma_pipe ct_tma_pipe_begin(uint64_t *bars, const int stages, const int consumers)
{
    bars = (uint64_t *)ct_uniform_shared(bars);
    ct_tma_pipe p = {bars, bars + stages, 0, stages, 0};
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) {
            ct_mbarrier_init(p.full + i, 1);
            ct_mbarrier_init(p.empty + i, consumers);
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
CT_DEVICE void ct_tma_pipe_next(ct_tma_pipe *p)
{
    p->stage += 1;
    if (p->stage == p->stages) {
        p->stage = 0;
        p->parity ^= 1;
    }
}

/** Producer: waits until the stage is free, then expects the bytes of its tile. Returns the barrier
 *  of the stage's copy. In the first pass all stages are free: the wait on a new barrier returns at
 *  once. One thread calls it. */
CT_DEVICE uint64_t *ct_tma_pipe_fill(const ct_tma_pipe *p, int bytes)
{
    ct_mbarrier_wait(p->empty + p->stage, p->parity ^ 1);
    ct_mbarrier_arrive_expect(p->full + p->stage, bytes);
    return p->full + p->stage;
}

/** Consumer: waits until the tile of the stage has arrived. */
CT_DEVICE void ct_tma_pipe_wait(const ct_tma_pipe *p)
{
    ct_mbarrier_wait(p->full + p->stage, p->parity);
}

/** Consumer: one arrival that releases a stage, which may be an earlier one than the current. */
CT_DEVICE void ct_tma_pipe_release(const ct_tma_pipe *p, int stage)
{
    ct_mbarrier_arrive(p->empty + stage);
}

#define ct_tma_pipe_begin(...) CT_CALL(ct_tma_pipe_begin, __VA_ARGS__)
#define ct_tma_pipe_fill(...) CT_CALL(ct_tma_pipe_fill, __VA_ARGS__)
#define ct_tma_pipe_wait(...) CT_CALL(ct_tma_pipe_wait, __VA_ARGS__)
#define ct_tma_pipe_release(...) CT_CALL(ct_tma_pipe_release, __VA_ARGS__)

#endif

#endif
