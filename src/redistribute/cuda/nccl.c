/* The engine of NCCL: messages in groups of sends and receives, in a separate stream. */
#include "nccl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"

/* How long an engine waits for its messages when it is closed. */
enum { CLOSE_SECONDS = 10 };

/* ---- registration ---------------------------------------------------------------------------- */

/* NCCL may send from registered memory, and receive there, without an internal copy. What is
 * refused works without. */
static void register_block(void *user, ct_cuda_block *b)
{
    ct_nccl_rank *const s = user;
    int bad = -1;
    if (s->nccl->comm_register && s->nccl->comm_deregister)
        bad = s->nccl->comm_register(s->comm, b->memory, b->bytes, &b->note);
    if (bad == CT_NCCL_OK) {
        s->registered++;
        return;
    }
    b->note = NULL;
    snprintf(s->unregistered, sizeof s->unregistered,
             bad < 0 ? "it has no ncclCommRegister" : "ncclCommRegister: %s",
             bad < 0 ? "" : s->nccl->error_text(bad));
}

/* A communicator that was aborted is gone, with what it knew. */
static void deregister_block(void *user, ct_cuda_block *b)
{
    ct_nccl_rank *const s = user;
    if (!b->note) return;
    if (!__atomic_load_n(&s->aborted, __ATOMIC_SEQ_CST)) s->nccl->comm_deregister(s->comm, b->note);
    b->note = NULL;
    s->registered--;
}

/* ---- the other functions --------------------------------------------------------------------- */

static void *take(ct_engine *e, size_t bytes)
{
    return ct_cuda_rank_take(&((ct_nccl_rank *)e->state)->at, bytes);
}

static void give(ct_engine *e, void *memory)
{
    ct_cuda_rank_give(&((ct_nccl_rank *)e->state)->at, memory);
}

static ct_status failed(ct_engine *e, char *message)
{
    return ct_cuda_rank_alive(&((ct_nccl_rank *)e->state)->at, message);
}

static void fail(ct_engine *e, const char *message)
{
    ct_nccl_rank *const s = e->state;
    ct_nccl_give_up(s, CT_E_FAILED, message);
    if (s->at.has_host) s->at.host.fail(&s->at.host, message);
    if (ct_cuda_rank_enter(&s->at, NULL)) return;
    s->at.driver->stream_wait(s->stream); /* ends: the communicator has been aborted */
    ct_cuda_rank_leave(&s->at);
}

/* ---- opening and closing --------------------------------------------------------------------- */

static ct_status check_comm(const ct_nccl_rank *s, const ct_engine *host, int32_t *rank,
                            int32_t *ranks, char *message)
{
    int count = 0, mine = 0;
    ct_status bad =
        ct_nccl_check(s, s->nccl->comm_count(s->comm, &count), "ncclCommCount", message);
    if (!bad)
        bad = ct_nccl_check(s, s->nccl->comm_rank(s->comm, &mine), "ncclCommUserRank", message);
    if (bad) return bad;
    if (host && (host->ranks != count || host->rank != mine))
        return ct_refuse(message, CT_E_ARGUMENT,
                         "the communicator is of rank %d of %d, the host engine "
                         "of rank %d of %d",
                         mine, count, host->rank, host->ranks);
    *rank = mine;
    *ranks = count;
    return CT_OK;
}

static ct_status check_device(const ct_nccl_rank *s, char *message)
{
    int device = 0;
    const ct_status bad =
        ct_nccl_check(s, s->nccl->comm_device(s->comm, &device), "ncclCommCuDevice", message);
    if (bad || device == s->at.device->ordinal) return bad;
    return ct_refuse(message, CT_E_ARGUMENT,
                     "rank %d: the communicator is of device %d, the calling "
                     "thread's is %d",
                     s->at.rank, device, s->at.device->ordinal);
}

static ct_status make_streams(ct_nccl_rank *s, char *message)
{
    const ct_driver *const d = s->at.driver;
    ct_status bad = ct_cuda_rank_check(&s->at, d->event_create(&s->packed, CT_EVENT_UNTIMED),
                                       "cuEventCreate", message);
    for (int i = 0; i < CT_ENGINE_SLOTS && !bad; ++i)
        bad = ct_cuda_rank_check(&s->at, d->event_create(&s->sent[i], CT_EVENT_UNTIMED),
                                 "cuEventCreate", message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, d->stream_create(&s->stream, CT_STREAM_SEPARATE),
                                 "cuStreamCreate", message);
    if (bad) return bad;
    s->records = ct_cuda_rank_take(&s->at, (size_t)(1 + s->at.ranks) * CT_ENGINE_RECORD);
    if (s->records) return CT_OK;
    return ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory on the device", s->at.rank);
}

/* All that this rank needs by itself. */
static ct_status open_alone(ct_nccl_rank *s, const ct_engine *host, void *comm, char *message)
{
    int32_t rank = host ? host->rank : 0, ranks = host ? host->ranks : 1;
    s->at.rank = rank;
    s->nccl = ct_nccl_open(message);
    if (!s->nccl) return CT_E_BACKEND;
    if (!comm) return ct_refuse(message, CT_E_ARGUMENT, "there is no communicator");
    s->comm = comm;
    ct_status bad = check_comm(s, host, &rank, &ranks, message);
    if (!bad) bad = ct_cuda_rank_open(&s->at, host, rank, ranks, message);
    s->at.made = register_block;
    s->at.ends = deregister_block;
    s->at.user = s;
    if (!bad) bad = check_device(s, message);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (!bad) bad = make_streams(s, message);
    if (!bad) bad = ct_nccl_watchdog_start(s, message);
    return bad;
}

static void release(ct_nccl_rank *s)
{
    const ct_driver *const d = s->at.driver;
    if (s->stream) {
        if (ct_cuda_rank_wait(&s->at, s->stream, CLOSE_SECONDS, ct_nccl_watch, s, NULL))
            ct_nccl_abort(s);
        d->stream_wait(s->stream); /* ends: messages of an aborted communicator do not wait */
        d->stream_destroy(s->stream);
    }
    if (s->packed) d->event_destroy(s->packed);
    for (int i = 0; i < CT_ENGINE_SLOTS; ++i)
        if (s->sent[i]) d->event_destroy(s->sent[i]);
    ct_cuda_rank_close(&s->at);
}

static void close_state(ct_nccl_rank *s)
{
    ct_nccl_watchdog_stop(s);
    if (s->at.device && ct_cuda_rank_enter(&s->at, NULL) == CT_OK) {
        release(s);
        ct_cuda_rank_leave(&s->at);
    }
    free(s);
}

/* Whether every rank has opened its own part. */
static ct_status agree(ct_engine *e, const ct_engine *host, ct_status bad, double limit,
                       char *message)
{
    if (!host) return bad ? bad : ct_engine_agree(e, CT_OK, limit, message);
    ct_engine own = *host;
    return ct_engine_agree(&own, bad, limit, message);
}

ct_status ct_nccl_engine_open(const ct_engine *host, void *comm, double limit_seconds,
                              ct_engine *engine, char message[CT_MESSAGE_BYTES])
{
    char unread[CT_MESSAGE_BYTES];
    const double limit = limit_seconds > 0 ? limit_seconds : 30;
    if (!message) message = unread;
    message[0] = 0;
    if (!engine) return ct_refuse(message, CT_E_ARGUMENT, "there is no place for the engine");
    memset(engine, 0, sizeof *engine);
    ct_nccl_rank *const s = calloc(1, sizeof *s);
    ct_status bad = s ? open_alone(s, host, comm, message)
                      : ct_refuse(message, CT_E_MEMORY, "not enough memory for an engine");
    if (s && s->at.device) ct_cuda_rank_leave(&s->at);
    /* clang-format off */
    *engine = (ct_engine){.name = "nccl", .state = s, .rank = s ? s->at.rank : 0,
                          .ranks = s ? s->at.ranks : 0, .gather = ct_nccl_gather, .start = ct_nccl_start,
                          .finish = ct_nccl_finish, .complete = ct_nccl_complete, .take = take, .give = give,
                          .failed = failed, .fail = fail};
    /* clang-format on */
    bad = agree(engine, host, bad, limit, message);
    if (!bad) return CT_OK;
    if (s) close_state(s);
    memset(engine, 0, sizeof *engine);
    return bad;
}

void ct_nccl_engine_close(ct_engine *engine)
{
    if (!engine || !engine->state) return;
    close_state(engine->state);
    memset(engine, 0, sizeof *engine);
}

int ct_nccl_engine_describe(const ct_engine *engine, char *buf, size_t size)
{
    ct_builder b = ct_builder_fixed(buf, size);
    const ct_nccl_rank *const s = engine ? engine->state : NULL;
    size_t bytes = 0;
    if (!s) return ct_builder_end(&b);
    for (int32_t i = 0; i < s->at.blocks; ++i) bytes += s->at.block[i].bytes;
    ct_put(&b, "rank %d of %d, NCCL %d.%d.%d\n", s->at.rank, s->at.ranks, s->nccl->number / 10000,
           s->nccl->number / 100 % 100, s->nccl->number % 100);
    ct_put(&b, "memory: %d block%s, %zu bytes; %d registered with NCCL", s->at.blocks,
           s->at.blocks == 1 ? "" : "s", bytes, s->registered);
    if (s->unregistered[0]) ct_put(&b, "; the others are not: %s", s->unregistered);
    ct_put_char(&b, '\n');
    return ct_builder_end(&b);
}

int ct_nccl_engine_has_aborted(const ct_engine *engine)
{
    const ct_nccl_rank *const s = engine ? engine->state : NULL;
    return s && __atomic_load_n(&s->aborted, __ATOMIC_SEQ_CST);
}
