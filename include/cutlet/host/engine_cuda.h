/**
 * Engines between GPUs: NCCL's messages, and the peer memory of one host.
 *
 * Both are built on the host engine of the same rank, by which ranks exchange small records in host
 * memory and report failures. It is the engine of a group of threads (engine.h), or one whose
 * functions call MPI_Allgather or torch.distributed.
 *
 *     ct_engine host, engine;
 *     ct_thread_group_engine(group, rank, &host);
 *     if (ct_peer_engine_open(&host, NULL, 0, &engine, message) ||       the device of this thread
 *         ct_redistribute_run(plan, &engine, dst, src, stream, message))
 *         fprintf(stderr, "%s\n", message);
 *     ct_peer_engine_close(&engine);
 *
 * The device is that of the calling thread's current context, or the first. An engine is used by one
 * thread at a time, with the same device. The driver and NCCL are opened at run time.
 *
 * Scratch: until it is closed an engine keeps the memory that `take` gave and `give` got back, at
 * most the largest amount in use at a time. If ranks are processes, scratch of peer memory is a
 * power of two of bytes. It stays until the process ends, because another process may have it open.
 *
 * Failures: when a rank fails, all others have an error within the limit in seconds that each call is
 * given. Work that a rank had queued may have been written. After a limit, a late rank may still
 * write the memory of others. An engine that has failed refuses everything from then on. A failure
 * aborts NCCL's communicator (ncclCommAbort), so that no stream waits for ever. It must not be used
 * or destroyed again.
 *
 * Environment: CUTLET_NCCL names NCCL's library instead of libnccl.so.2; empty or 0 turns it off.
 *
 * Fails:    as each function says; message may be NULL.
 * Cost:     a few streams and events for each engine; NCCL's also has a thread.
 * Source:   NVIDIA, NCCL documentation, version 2.28; CUDA Driver API reference, version 13.0.
 * Used by:  tests/gpu/test_redistribute_gpu.c, tests/engines/test_engine_pairs.c,
 *           tests/engines/test_engine_faults.c
 */
#ifndef CUTLET_HOST_ENGINE_CUDA_H
#define CUTLET_HOST_ENGINE_CUDA_H

#include <cutlet/host/engine.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How memory of other devices is written. All zero is a good choice. */
typedef struct ct_peer_options {
    int64_t row_bytes; /* the device's copy engines move rows of at least this number of bytes,
                          kernels all else; 0: 4096; -1: kernels move all rows */
} ct_peer_options;

/**
 * Opens the engine of a rank whose peers are on devices of the same host. Ranks of one process
 * write each other's memory directly, ranks of other processes by CUDA IPC. For IPC destinations
 * have to come from cuMemAlloc or cudaMalloc, and to stay until all engines are closed. Copies
 * write directly into the receiver's memory; the device's copy engines move staged transfers to its
 * scratch. options may be NULL.
 *
 * Collective: every rank of the host engine calls it. It waits limit_seconds at most; 0: 30.
 * Ensures:  CT_OK on every rank, or an error on every rank.
 * Fails:    CT_E_ARGUMENT; CT_E_BACKEND: no device, a device that does not reach that of another
 *           rank, a rank on another host; CT_E_MEMORY; CT_E_FAILED, as the host engine or the
 *           driver.
 */
ct_status ct_peer_engine_open(const ct_engine *host, const ct_peer_options *options,
                              double limit_seconds, ct_engine *engine,
                              char message[CT_MESSAGE_BYTES]);

/** Waits for the engine's work and releases it. An engine of zeros is nothing. */
void ct_peer_engine_close(ct_engine *engine);

/**
 * Opens the engine of a rank of an ncclComm_t, which stays the caller's. host may be NULL: records
 * then go by NCCL too, which takes longer, and only the limit reveals failures. The engine's memory
 * is registered with NCCL once (ncclCommRegister, from version 2.19 on) and deregistered before it
 * is freed. If NCCL refuses, messages use unregistered memory. The caller's memory is the caller's
 * to register.
 *
 * Collective: every rank of the communicator calls it. It waits limit_seconds at most; 0: 30.
 * Ensures:  CT_OK on every rank, or an error on every rank that returns.
 * Fails:    CT_E_ARGUMENT: no communicator, another number of ranks or rank than host's, another
 *           device than the calling thread's; CT_E_BACKEND: no NCCL, no device; CT_E_MEMORY;
 *           CT_E_FAILED: NCCL's message, or a rank that did not come.
 */
ct_status ct_nccl_engine_open(const ct_engine *host, void *comm, double limit_seconds,
                              ct_engine *engine, char message[CT_MESSAGE_BYTES]);

/**
 * The engine in two lines: the version of NCCL; the bytes of its memory, and of those registered
 * with NCCL, or why not.
 * Returns:  the full length, as snprintf does; 0 for an engine of zeros.
 * Example:  ct_nccl_engine_describe(&engine, text, sizeof text);   before the engine is closed
 */
int ct_nccl_engine_describe(const ct_engine *engine, char *buf, size_t size);

/** Waits for the engine's work and releases it, but not the communicator. An engine of zeros is
 *  nothing. */
void ct_nccl_engine_close(ct_engine *engine);

/**
 * Whether the engine has aborted its communicator.
 * Example:  if (!ct_nccl_engine_has_aborted(&engine)) ncclCommDestroy(comm);   before the engine is closed
 */
int ct_nccl_engine_has_aborted(const ct_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
