/**
 * The engine of NCCL: what its parts share.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_CUDA_NCCL_H
#define CUTLET_SRC_REDISTRIBUTE_CUDA_NCCL_H

#include <pthread.h>

#include "base/refuse.h"
#include "cuda_rank.h"
#include "driver/nccl/library.h"

/** A thread that aborts the communicator if a call of NCCL does not return in time. The first
 * messages between two ranks connect them, and the call waits for the other rank. */
typedef struct ct_nccl_watchdog {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    double deadline; /* of ct_now; 0: no call is watched */
    int has_thread, quits;
} ct_nccl_watchdog;

/** The engine of a rank. */
typedef struct ct_nccl_rank {
    ct_cuda_rank at;
    const ct_nccl *nccl;
    void *comm;
    int aborted;
    void *stream;                         /* of the messages */
    void *packed, *sent[CT_ENGINE_SLOTS]; /* events: of the caller's stream, of this one */
    int is_started[CT_ENGINE_SLOTS];
    unsigned char *records; /* of gather, on the device: mine, then everybody's */
    int32_t registered;     /* blocks of its memory that NCCL knows */
    char unregistered[160]; /* why one is not; "": all are */
    ct_nccl_watchdog dog;
} ct_nccl_rank;

/* ---- nccl_failures.c ------------------------------------------------------------------------- */

/** Aborts the communicator. Any thread, once. */
void ct_nccl_abort(ct_nccl_rank *s);

/** The engine is of no use any more, and nothing of it waits in a stream. Returns bad. */
ct_status ct_nccl_give_up(ct_nccl_rank *s, ct_status bad, const char *message);

/** CT_OK where NCCL's result is; else a status and a line. */
ct_status ct_nccl_check(const ct_nccl_rank *s, int result, const char *call, char *message);

/** Whether another rank has failed, whose messages would not come, or the communicator has an error.
 *  For ct_cuda_rank_wait. */
ct_status ct_nccl_watch(void *rank, char *message);

/** Watches a call from now on, or with 0 no longer. */
void ct_nccl_set_watch(ct_nccl_rank *s, double limit_seconds);

ct_status ct_nccl_watchdog_start(ct_nccl_rank *s, char *message);
void ct_nccl_watchdog_stop(ct_nccl_rank *s);

/* ---- nccl_messages.c: functions of the engine ------------------------------------------------ */

ct_status ct_nccl_start(ct_engine *e, int32_t slot, const ct_engine_message *messages,
                        int32_t count, void *stream, double limit_seconds, char *message);
ct_status ct_nccl_finish(ct_engine *e, int32_t slot, void *stream, double limit_seconds,
                         char *message);
ct_status ct_nccl_complete(ct_engine *e, void *stream, double limit_seconds, char *message);
ct_status ct_nccl_gather(ct_engine *e, const void *mine, void *all, size_t bytes,
                         double limit_seconds, char *message);

#endif
