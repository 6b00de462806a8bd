/**
 * A pipeline of cp.async: while threads work on one tile, the next tiles are in flight.
 *
 * A stage is a part of shared memory that holds one tile. Each iteration waits for the oldest
 * stage, fills the stage that the previous iteration released, and works:
 *
 *     ct_stages s = ct_stages_begin(STAGES);
 *     for (int i = 0; i < STAGES - 1; ++i) {
 *         if (i < tiles) COPY(i, ct_stages_write(&s));
 *         ct_cp_async_commit();
 *     }
 *     for (int i = 0; i < tiles; ++i) {
 *         ct_cp_async_stage_wait(STAGES);           // every thread sees tile i
 *         if (i + STAGES - 1 < tiles) COPY(i + STAGES - 1, ct_stages_write(&s));
 *         ct_cp_async_commit();                     // one group per iteration, even if empty
 *         WORK(i, ct_stages_read(&s));
 *     }
 *
 * Each iteration has one barrier. After it, tile i has arrived for all threads, and no thread uses
 * the stage that is filled next. A group is committed even if nothing was copied, so that "all but
 * the newest STAGES - 2 groups" always includes tile i.
 *
 * Fails:    Not by itself; the CPU grid ends the launch when a stage is read too early, or filled
 *           while it is read.
 * Cost:     The state is two integers: a stage costs an addition and a selection. Loops that nvcc
 *           unrolls by the number of stages make it a constant.
 * In a kernel:
 *           // eight tiles of 128 floats, three stages; a thread copies 16 bytes of each tile
 *           CT_SHARED(float, memory, 3 * 128);
 *           const int i = (int)threadIdx.x;
 *           ct_stages s = ct_stages_begin(3);
 *           for (int k = 0; k < 2; ++k) {
 *               ct_cp_async_cg(memory + 128 * ct_stages_write(&s) + 4 * i,
 *                              in + 128 * k + 4 * i, 16);
 *               ct_cp_async_commit();
 *           }
 *           for (int k = 0; k < 8; ++k) {
 *               CT_FRAGMENT(float, v, 4);
 *               ct_cp_async_stage_wait(3);
 *               if (k + 2 < 8)
 *                   ct_cp_async_cg(memory + 128 * ct_stages_write(&s) + 4 * i,
 *                                  in + 128 * (k + 2) + 4 * i, 16);
 *               ct_cp_async_commit();
 *               ct_load_shared(v, memory + 128 * ct_stages_read(&s) + 4 * (31 - i), 128);
 *               assert(v[0] == (float)(128 * k + 4 * (31 - i))); // another lane's copy
 *           }
 * Source:   NVIDIA, PTX ISA 9.0, cp.async.commit_group and cp.async.wait_group.
 */
#ifndef CUTLET_DEVICE_PIPELINE_PIPELINE_CP_ASYNC_H
#define CUTLET_DEVICE_PIPELINE_PIPELINE_CP_ASYNC_H

#include <cutlet/device/arch/cp_async.h>

/** The state of a pipeline: the stage to work on, the stage to fill next, the number of stages. */
typedef struct ct_stages {
    int32_t read, write, count;
} ct_stages;

/** A pipeline of `count` stages before its first tile. */
CT_DEVICE ct_stages ct_stages_begin(const int count)
{
    ct_stages s = {0, 0, count};
    return s;
}

/** The stage of the pipeline to fill, 0 to count - 1; the next call gives the one after it. */
CT_DEVICE int32_t ct_stages_write(ct_stages *s)
{
    const int32_t stage = s->write;
    s->write = stage + 1 == s->count ? 0 : stage + 1;
    return stage;
}

/** The stage of the pipeline to work on, 0 to count - 1; the next call gives the one after it. */
CT_DEVICE int32_t ct_stages_read(ct_stages *s)
{
    const int32_t stage = s->read;
    s->read = stage + 1 == s->count ? 0 : stage + 1;
    return stage;
}

/**
 * Waits until the oldest of `stages` - 1 tiles in flight has arrived for the whole block. A macro:
 * the number of groups is an immediate of the instruction. stages is a constant from 2 on.
 * Cost:     a cp.async.wait_group and a barrier of the block.
 */
#define ct_cp_async_stage_wait(stages)                                                             \
    do {                                                                                           \
        ct_cp_async_wait_group((stages)-2);                                                        \
        __syncthreads();                                                                           \
    } while (0)

#endif
