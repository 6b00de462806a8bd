/**
 * A pipeline of cp.async: while a thread works on one tile, the tiles after it are on their way.
 *
 * A stage is a part of shared memory that holds one tile. Each round waits for the oldest stage,
 * fills the one that the round before has left, and works:
 *
 *     ct_stages s = ct_stages_begin(STAGES);
 *     for (int i = 0; i < STAGES - 1; ++i) {
 *         if (i < tiles) COPY(i, ct_stages_write(&s));
 *         ct_cp_async_commit();
 *     }
 *     for (int i = 0; i < tiles; ++i) {
 *         ct_cp_async_stage_wait(STAGES);           // tile i is here, for every thread
 *         if (i + STAGES - 1 < tiles) COPY(i + STAGES - 1, ct_stages_write(&s));
 *         ct_cp_async_commit();                     // a group a round, empty or not
 *         WORK(i, ct_stages_read(&s));
 *     }
 *
 * One barrier a round: behind it all threads have their part of tile i, and all have finished with
 * the stage that is filled next. A group is committed even where nothing was copied, so that "all
 * but the newest STAGES - 2 groups" always means tile i.
 */
#ifndef CUTLET_DEVICE_PIPELINE_CP_ASYNC_H
#define CUTLET_DEVICE_PIPELINE_CP_ASYNC_H

#include "cp_async.h"

/** Where a pipeline stands: which stage is worked on, and which is filled next. */
typedef struct ct_stages {
    int32_t read, write, count;
} ct_stages;

/** The pipeline of so many stages, before its first tile. */
CT_DEVICE ct_stages ct_stages_begin(const int count)
{
    ct_stages s = {0, 0, count};
    return s;
}

/** The stage to fill; the next call gives the one after it. */
CT_DEVICE int32_t ct_stages_write(ct_stages *s)
{
    const int32_t stage = s->write;
    s->write = stage + 1 == s->count ? 0 : stage + 1;
    return stage;
}

/** The stage to work on; the next call gives the one after it. */
CT_DEVICE int32_t ct_stages_read(ct_stages *s)
{
    const int32_t stage = s->read;
    s->read = stage + 1 == s->count ? 0 : stage + 1;
    return stage;
}

/** Waits until the oldest of `stages` - 1 tiles under way is there for the whole block. A macro,
 *  for the number of groups is a part of the instruction. */
#define ct_cp_async_stage_wait(stages)          \
    do {                                        \
        ct_cp_async_wait_group((stages) - 2);   \
        __syncthreads();                        \
    } while (0)

#endif
