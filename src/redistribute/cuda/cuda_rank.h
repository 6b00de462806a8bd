/**
 * What the engines between GPUs have in common: the device of a rank, waits that end, memory that is
 * kept, and the host engine.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_CUDA_CUDA_RANK_H
#define CUTLET_SRC_REDISTRIBUTE_CUDA_CUDA_RANK_H

#include <cutlet/host/engine_cuda.h>
#include "plan/cuda/cuda.h"

/** Memory that `take` gave. */
typedef struct ct_cuda_block {
    void *memory;
    size_t bytes;
    int taken;
    void *note; /* of `made` below */
} ct_cuda_block;

/** The device of one rank. */
typedef struct ct_cuda_rank {
    ct_plan_device *device;
    const ct_driver *driver;
    int32_t rank, ranks;
    int has_host;
    ct_engine host;
    void *mark;   /* the event that waits look at */
    int entered;  /* how often ct_cuda_rank_enter was called, less ct_cuda_rank_leave */
    void *pushed; /* the context that it pushed, or NULL */
    int dead;     /* nothing works any more, because of ... */
    char why[CT_MESSAGE_BYTES];
    ct_cuda_block *block;
    int32_t blocks;
    /* called with each block that is new, and before it is freed; may be NULL */
    void (*made)(void *user, ct_cuda_block *block);
    void (*ends)(void *user, ct_cuda_block *block);
    void *user;
} ct_cuda_rank;

/** The device of the calling thread, whose context it must be while other functions here are called;
 *  host may be NULL. */
ct_status ct_cuda_rank_open(ct_cuda_rank *r, const ct_engine *host, int32_t rank, int32_t ranks,
                            char *message);

/** Frees all memory. Within ct_cuda_rank_enter. */
void ct_cuda_rank_close(ct_cuda_rank *r);

/** Makes the device's context that of the calling thread, if it is not; undoes it. They nest. */
ct_status ct_cuda_rank_enter(ct_cuda_rank *r, char *message);
void ct_cuda_rank_leave(ct_cuda_rank *r);

/** CT_OK where the driver's result is; else a status and a line that begins with `rank 3: CALL: `. */
ct_status ct_cuda_rank_check(const ct_cuda_rank *r, int result, const char *call, char *message);

/** CT_E_FAILED and the reason where the engine has failed before; what the host engine knows of. */
ct_status ct_cuda_rank_alive(ct_cuda_rank *r, char *message);

/** Nothing works from now on, because of that line. Returns status. */
ct_status ct_cuda_rank_die(ct_cuda_rank *r, ct_status status, const char *message);

/** Waits until the current work of stream has ended, `watch` fails, or the time is over; the latter
 * two give a status and a line. watch may be NULL. */
ct_status ct_cuda_rank_wait(ct_cuda_rank *r, void *stream, double limit_seconds,
                            ct_status (*watch)(void *user, char *message), void *user,
                            char *message);

/** Memory of the device, of what was given back first. NULL, or an address. */
void *ct_cuda_rank_take(ct_cuda_rank *r, size_t bytes);
void ct_cuda_rank_give(ct_cuda_rank *r, void *memory);

/** Collective, by an engine's gather: CT_OK where every rank brings CT_OK; else on every rank the
 *  status and the line of the first one that does not. */
ct_status ct_engine_agree(ct_engine *e, ct_status mine, double limit_seconds, char *message);

#endif
