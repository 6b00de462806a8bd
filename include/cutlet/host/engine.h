/**
 * Engines, which carry the bytes between ranks. A structure of functions, which an engine fills.
 *
 * Each rank has an engine, and calls it in step with the others: all ranks make the same calls of
 * gather, share, meet and fail, in the same order. An engine for the threads of one process is
 * below, and one for processes, by which those between GPUs (engine_cuda.h) exchange records.
 *
 *     ct_thread_group *group = NULL;
 *     ct_engine engine;
 *     if (ct_thread_group_create(8, &group, message) == CT_OK)
 *         ct_thread_group_engine(group, rank, &engine);       in the thread of each rank
 *
 * Every function that waits takes a limit in seconds. It fails with CT_E_FAILED after the limit, or
 * as soon as a rank has called fail. The message names a rank and what it did not do.
 *
 * Fails:    as each function says; message may be NULL.
 * Cost:     a record of memory for each rank and for each message in flight.
 * Used by:  examples/redistribute.c, tests/redistribute/test_thread_engine.c,
 *           tests/redistribute/test_process_engine.c, tests/redistribute/test_late_ranks.c
 */
#ifndef CUTLET_HOST_ENGINE_H
#define CUTLET_HOST_ENGINE_H

#include <stddef.h>

#include <cutlet/host/capacity.h>
#include <cutlet/host/message.h>
#include <cutlet/host/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most bytes of a record that gather exchanges. */
#define CT_ENGINE_RECORD 1024

/** The slots in which messages may be in flight: start and finish name one. */
#define CT_ENGINE_SLOTS 2

/** A message that this rank sends or receives: contiguous bytes, of the memory that take gives, or of
 *  the caller's source or destination. Between two ranks messages arrive in the order of start. */
typedef struct ct_engine_message {
    int32_t peer;  /* the other rank */
    int32_t sends; /* whether this rank sends it */
    void *data;
    int64_t bytes; /* more than 0 */
} ct_engine_message;

typedef struct ct_engine ct_engine;

/** An engine of one rank. Functions that may be missing are NULL. stream is that of
 *  ct_redistribute_run; engines of host memory take no notice of it. */
struct ct_engine {
    const char *name;
    void *state; /* the engine's own */
    int32_t rank, ranks;

    /** Collective: all[i * bytes ..] gets the record of rank i, on every rank, up to
     *  CT_ENGINE_RECORD bytes. It is in host memory. */
    ct_status (*gather)(ct_engine *e, const void *mine, void *all, size_t bytes,
                        double limit_seconds, char message[CT_MESSAGE_BYTES]);

    /** Begins messages, after the work queued on stream. A rank has at most one to each peer and one
     *  from each in a slot. Memory must stay as it is until finish. */
    ct_status (*start)(ct_engine *e, int32_t slot, const ct_engine_message *messages, int32_t count,
                       void *stream, double limit_seconds, char message[CT_MESSAGE_BYTES]);

    /** Waits, or makes the work that stream gets from now on wait, for the messages of a slot. */
    ct_status (*finish)(ct_engine *e, int32_t slot, void *stream, double limit_seconds,
                        char message[CT_MESSAGE_BYTES]);

    /** Waits for the work queued on stream; NULL where a copy has ended when its call returns. */
    ct_status (*complete)(ct_engine *e, void *stream, double limit_seconds,
                          char message[CT_MESSAGE_BYTES]);

    /** Memory for messages, and its release. NULL on failure. */
    void *(*take)(ct_engine *e, size_t bytes);
    void (*give)(ct_engine *e, void *memory);

    /** Collective: all[i] gets the address at which this rank may write rank i's memory, of `bytes`
     * bytes. Later work on stream may use it; it begins when the work queued on rank i's stream has
     * ended. A rank that fails takes part: the others then fail here, or at the next gather. NULL:
     * this engine reaches no other rank's memory, and sends messages. */
    ct_status (*share)(ct_engine *e, void *memory, size_t bytes, void **all, void *stream,
                       double limit_seconds, char message[CT_MESSAGE_BYTES]);

    /** Runs a copy plan from this rank's memory to that of rank `to`, which share gave; `complete`
     *  waits for it too. NULL: ct_plan_run does it on stream. */
    ct_status (*copy)(ct_engine *e, int32_t to, const ct_plan *plan, void *dst, const void *src,
                      void *stream, char message[CT_MESSAGE_BYTES]);

    /** The most bytes that a copy plan for `copy` writes to another rank. Larger ones are split
     * into such slices, and a failure stops later slices. 0: any number. */
    int64_t slice_bytes;

    /** Whether contiguous bytes get to another rank faster than elements that are written one by one:
     *  CT_CARRY_AUTO then stages the transfers of which that is expected. */
    int32_t stages;

    /** The three of CT_CARRY_STAGED; NULL together. move queues a copy of contiguous bytes to memory of
     *  rank `to`, which share gave, after the work queued on stream; `complete` waits for it too. */
    ct_status (*move)(ct_engine *e, int32_t to, void *dst, const void *src, int64_t bytes,
                      void *stream, char message[CT_MESSAGE_BYTES]);

    /** Collective, once after the moves of a run: announces them to all ranks. A rank that fails
     * takes part: the others then fail here. */
    ct_status (*meet)(ct_engine *e, double limit_seconds, char message[CT_MESSAGE_BYTES]);

    /** Makes later work on stream wait for move k, from 0 on, from rank `from` to this one: of
     * those before meet. */
    ct_status (*follow)(ct_engine *e, int32_t from, int32_t k, void *stream,
                        char message[CT_MESSAGE_BYTES]);

    /** CT_OK; or the status and the line of a rank that has called fail. Does not wait. */
    ct_status (*failed)(ct_engine *e, char message[CT_MESSAGE_BYTES]);

    /** Notifies all ranks that this one has failed: their waits fail with this line. Returns when
     *  no rank reads this one's messages any more. */
    void (*fail)(ct_engine *e, const char *message);
};

/** The ranks of one process, one thread each. */
typedef struct ct_thread_group ct_thread_group;

/**
 * Makes a group of 1 to 4096 ranks.
 * Fails:    CT_E_ARGUMENT: another number; CT_E_MEMORY.
 */
ct_status ct_thread_group_create(int32_t ranks, ct_thread_group **group,
                                 char message[CT_MESSAGE_BYTES]);

/** Fills the engine of a rank: messages are copied, and share gives each rank's own address. After a
 *  failure the group carries nothing more. What is copied from or to the memory of another rank goes in
 *  slices of up to 32 MiB. A function that fails returns when the slices of this rank's memory have
 *  ended, and the caller owns the memory again. A wait may exceed its limit by this time. */
void ct_thread_group_engine(ct_thread_group *group, int32_t rank, ct_engine *engine);

/**
 * Runs work(user, engine, message) in a thread for each rank, and waits for all.
 *
 * Ensures:  CT_OK, or the status and the message of the rank that failed first.
 * Fails:    CT_E_MEMORY where a thread cannot be started; as work.
 */
ct_status ct_thread_group_run(ct_thread_group *group,
                              ct_status (*work)(void *user, ct_engine *engine,
                                                char message[CT_MESSAGE_BYTES]),
                              void *user, char message[CT_MESSAGE_BYTES]);

/** Releases the group; NULL is nothing. No thread may use it. */
void ct_thread_group_destroy(ct_thread_group *group);

/**
 * Opens the host engine of a rank that is a process, of up to 64 on one host. Records go through
 * shared memory. It sends no messages: engines between GPUs are built on it. name is the same on
 * all ranks, and of no other group: `/` and up to 200 letters, digits, `-`, `_` or `.`. The first
 * rank removes it when all have come.
 *
 * Collective: every rank calls it. It waits limit_seconds at most; 0: 30.
 * Ensures:  CT_OK on every rank, or an error on every rank that returns.
 * Fails:    CT_E_ARGUMENT: no such rank, another number of ranks than another process gives, no such
 *           name; CT_E_MEMORY; CT_E_FAILED: a rank that did not come, or what the system says.
 */
ct_status ct_process_engine_open(const char *name, int32_t rank, int32_t ranks,
                                 double limit_seconds, ct_engine *engine,
                                 char message[CT_MESSAGE_BYTES]);

/** Releases it. An engine of zeros is nothing. */
void ct_process_engine_close(ct_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
