/* The engine of NCCL: messages in groups of sends and receives, in a stream beside the caller's. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/builder.h"
#include "base/clock.h"
#include "base/refuse.h"
#include "cuda_rank.h"
#include "driver/nccl/library.h"

/* How long an engine waits for its messages when it is closed. */
enum { CLOSE_SECONDS = 10 };

/* A thread that aborts the communicator where a call of NCCL does not return in time: the first
 * messages between two ranks connect them, for which the call waits for the other one. */
typedef struct watchdog {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    double deadline; /* of ct_now; 0: nothing is watched */
    int has_thread, quits;
} watchdog;

typedef struct state {
    ct_cuda_rank at;
    const ct_nccl *nccl;
    void *comm;
    int aborted;
    void *stream;                          /* of the messages */
    void *packed, *sent[CT_ENGINE_SLOTS];  /* events: of the caller's stream, of this one */
    int is_started[CT_ENGINE_SLOTS];
    unsigned char *records;                /* of gather, on the device: mine, then everybody's */
    int32_t registered;                    /* blocks of its memory that NCCL knows */
    char unregistered[160];                /* why one is not; "": all are */
    watchdog dog;
} state;

/* ---- registration ---------------------------------------------------------------------------- */

/* NCCL may send from registered memory, and receive there, without a copy of its own. What is refused works
 * without. */
static void register_block(void *user, ct_cuda_block *b)
{
    state *const s = user;
    int bad = -1;
    if (s->nccl->comm_register && s->nccl->comm_deregister)
        bad = s->nccl->comm_register(s->comm, b->memory, b->bytes, &b->note);
    if (bad == CT_NCCL_OK) {
        s->registered++;
        return;
    }
    b->note = NULL;
    snprintf(s->unregistered, sizeof s->unregistered, bad < 0 ? "it has no ncclCommRegister" : "ncclCommRegister: %s",
             bad < 0 ? "" : s->nccl->error_text(bad));
}

/* A communicator that was aborted is gone, with what it knew. */
static void deregister_block(void *user, ct_cuda_block *b)
{
    state *const s = user;
    if (!b->note) return;
    if (!__atomic_load_n(&s->aborted, __ATOMIC_SEQ_CST)) s->nccl->comm_deregister(s->comm, b->note);
    b->note = NULL;
    s->registered--;
}

/* ---- failures -------------------------------------------------------------------------------- */

/* Any thread, once. */
static void abort_comm(state *s)
{
    if (!__atomic_exchange_n(&s->aborted, 1, __ATOMIC_SEQ_CST)) s->nccl->comm_abort(s->comm);
}

/* The engine is of no use any more, and nothing of it waits in a stream. Returns bad. */
static ct_status give_up(state *s, ct_status bad, const char *message)
{
    ct_cuda_rank_die(&s->at, bad, message);
    abort_comm(s);
    return bad;
}

static ct_status check_nccl(const state *s, int result, const char *call, char *message)
{
    if (result == CT_NCCL_OK) return CT_OK;
    return ct_refuse(message, CT_E_FAILED, "rank %d: %s: %.200s", s->at.rank, call,
                     s->nccl->error_text(result));
}

/* Whether another rank has failed, whose messages would not come, or the communicator has an error. */
static ct_status watch(void *user, char *message)
{
    state *const s = user;
    int error = 0;
    const ct_status dead = ct_cuda_rank_alive(&s->at, message);
    if (dead) return dead;
    if (__atomic_load_n(&s->aborted, __ATOMIC_SEQ_CST))
        return ct_refuse(message, CT_E_FAILED, "rank %d: the communicator has been aborted", s->at.rank);
    const ct_status bad = check_nccl(s, s->nccl->comm_error(s->comm, &error), "ncclCommGetAsyncError",
                                     message);
    if (bad || error == CT_NCCL_IN_PROGRESS) return bad;
    return check_nccl(s, error, "the communicator", message);
}

/* ---- the watchdog ---------------------------------------------------------------------------- */

static void *keep_watch(void *user)
{
    state *const s = user;
    watchdog *const dog = &s->dog;
    pthread_mutex_lock(&dog->lock);
    while (!dog->quits) {
        if (dog->deadline == 0) {
            pthread_cond_wait(&dog->changed, &dog->lock);
        } else if (ct_now() < dog->deadline) {
            struct timespec until;
            until.tv_sec = (time_t)dog->deadline;
            until.tv_nsec = (long)((dog->deadline - (double)until.tv_sec) * 1e9);
            pthread_cond_timedwait(&dog->changed, &dog->lock, &until);
        } else {
            dog->deadline = 0;
            abort_comm(s);
        }
    }
    pthread_mutex_unlock(&dog->lock);
    return NULL;
}

/* Watches a call from now on, or with 0 no longer. */
static void set_watch(state *s, double limit_seconds)
{
    pthread_mutex_lock(&s->dog.lock);
    s->dog.deadline = limit_seconds > 0 ? ct_now() + limit_seconds : 0;
    pthread_cond_signal(&s->dog.changed);
    pthread_mutex_unlock(&s->dog.lock);
}

static ct_status start_watchdog(state *s, char *message)
{
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&s->dog.lock, NULL);
    pthread_cond_init(&s->dog.changed, &clock);
    pthread_condattr_destroy(&clock);
    if (pthread_create(&s->dog.thread, NULL, keep_watch, s))
        return ct_refuse(message, CT_E_MEMORY, "rank %d: no thread for the engine", s->at.rank);
    s->dog.has_thread = 1;
    return CT_OK;
}

static void stop_watchdog(state *s)
{
    if (!s->dog.has_thread) return;
    pthread_mutex_lock(&s->dog.lock);
    s->dog.quits = 1;
    pthread_cond_signal(&s->dog.changed);
    pthread_mutex_unlock(&s->dog.lock);
    pthread_join(s->dog.thread, NULL);
    pthread_cond_destroy(&s->dog.changed);
    pthread_mutex_destroy(&s->dog.lock);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Ends a group, which a communicator that does not block goes on with. */
static ct_status end_group(state *s, double limit_seconds, char *message)
{
    const double begun = ct_now();
    set_watch(s, limit_seconds);
    int result = s->nccl->group_end();
    set_watch(s, 0);
    if (__atomic_load_n(&s->aborted, __ATOMIC_SEQ_CST))
        return ct_refuse(message, CT_E_FAILED, "rank %d: ncclGroupEnd has not ended within %g s: a rank "
                         "did not come", s->at.rank, limit_seconds);
    while (result == CT_NCCL_IN_PROGRESS) {
        if (ct_now() - begun > limit_seconds)
            return ct_refuse(message, CT_E_FAILED, "rank %d: messages have not begun within %g s: a rank "
                             "did not come", s->at.rank, limit_seconds);
        ct_pause(begun);
        const int asked = s->nccl->comm_error(s->comm, &result);
        if (asked) result = asked;
    }
    return check_nccl(s, result, "ncclGroupEnd", message);
}

/* Queues messages in the engine's stream. */
static ct_status queue(state *s, const ct_engine_message *messages, int32_t count,
                       double limit_seconds, char *message)
{
    ct_status bad = check_nccl(s, s->nccl->group_start(), "ncclGroupStart", message);
    if (bad) return bad;
    for (int32_t i = 0; i < count && !bad; ++i) {
        const ct_engine_message *const m = &messages[i];
        if (m->sends)
            bad = check_nccl(s, s->nccl->send(m->data, (size_t)m->bytes, CT_NCCL_UINT8, m->peer, s->comm,
                                              s->stream), "ncclSend", message);
        else
            bad = check_nccl(s, s->nccl->receive(m->data, (size_t)m->bytes, CT_NCCL_UINT8, m->peer,
                                                 s->comm, s->stream), "ncclRecv", message);
    }
    char unread[CT_MESSAGE_BYTES];
    const ct_status ended = end_group(s, limit_seconds, bad ? unread : message);
    return bad ? bad : ended;
}

static ct_status start_within(state *s, int32_t slot, const ct_engine_message *messages,
                              int32_t count, void *stream, double limit_seconds, char *message)
{
    const ct_driver *const d = s->at.driver;
    ct_status bad = ct_cuda_rank_check(&s->at, d->event_record(s->packed, stream), "cuEventRecord",
                                       message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, d->stream_follow(s->stream, s->packed, 0),
                                 "cuStreamWaitEvent", message);
    if (!bad) bad = queue(s, messages, count, limit_seconds, message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, d->event_record(s->sent[slot], s->stream), "cuEventRecord",
                                 message);
    s->is_started[slot] = !bad;
    return bad;
}

static ct_status start(ct_engine *e, int32_t slot, const ct_engine_message *messages, int32_t count,
                       void *stream, double limit_seconds, char *message)
{
    state *const s = e->state;
    if (slot < 0 || slot >= CT_ENGINE_SLOTS)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no slot %d", slot);
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (bad || count == 0) return bad;
    bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = start_within(s, slot, messages, count, stream, limit_seconds, message);
    ct_cuda_rank_leave(&s->at);
    return bad ? give_up(s, bad, message) : CT_OK;
}

/* The caller's stream waits; the caller does not. */
static ct_status finish(ct_engine *e, int32_t slot, void *stream, double limit_seconds, char *message)
{
    state *const s = e->state;
    (void)limit_seconds;
    if (slot < 0 || slot >= CT_ENGINE_SLOTS)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no slot %d", slot);
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (bad || !s->is_started[slot]) return bad;
    bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = ct_cuda_rank_check(&s->at, s->at.driver->stream_follow(stream, s->sent[slot], 0),
                             "cuStreamWaitEvent", message);
    s->is_started[slot] = 0;
    ct_cuda_rank_leave(&s->at);
    return bad ? give_up(s, bad, message) : CT_OK;
}

static ct_status complete(ct_engine *e, void *stream, double limit_seconds, char *message)
{
    state *const s = e->state;
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = ct_cuda_rank_wait(&s->at, stream, limit_seconds, watch, s, message);
    ct_cuda_rank_leave(&s->at);
    return bad ? give_up(s, bad, message) : CT_OK;
}

/* ---- records --------------------------------------------------------------------------------- */

/* A message of every rank to every other. */
static ct_status exchange(state *s, size_t bytes, double limit_seconds, char *message)
{
    ct_engine_message *const m = calloc(2 * (size_t)s->at.ranks, sizeof *m);
    int32_t count = 0;
    if (!m) return ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory", s->at.rank);
    for (int32_t i = 0; i < s->at.ranks; ++i) {
        if (i == s->at.rank) continue;
        unsigned char *const theirs = s->records + (size_t)(1 + i) * CT_ENGINE_RECORD;
        m[count++] = (ct_engine_message){i, 1, s->records, (int64_t)bytes};
        m[count++] = (ct_engine_message){i, 0, theirs, (int64_t)bytes};
    }
    const ct_status bad = queue(s, m, count, limit_seconds, message);
    free(m);
    return bad;
}

/* Waits before it reads: a copy to the host would wait for ever where a rank does not come. */
static ct_status gather_by_nccl(state *s, const void *mine, unsigned char *all, size_t bytes,
                                double limit_seconds, char *message)
{
    const ct_driver *const d = s->at.driver;
    const uint64_t records = (uint64_t)(uintptr_t)s->records;
    ct_status bad = ct_cuda_rank_check(&s->at, d->upload(records, mine, bytes, s->stream),
                                       "cuMemcpyHtoDAsync", message);
    if (!bad) bad = exchange(s, bytes, limit_seconds, message);
    if (!bad) bad = ct_cuda_rank_wait(&s->at, s->stream, limit_seconds, watch, s, message);
    for (int32_t i = 0; i < s->at.ranks && !bad; ++i) {
        unsigned char *const to = all + (size_t)i * bytes;
        if (i == s->at.rank) memcpy(to, mine, bytes);
        else
            bad = ct_cuda_rank_check(&s->at, d->download(to, records + (uint64_t)(1 + i) * CT_ENGINE_RECORD,
                                                         bytes, s->stream),
                                     "cuMemcpyDtoHAsync", message);
    }
    /* Also where one was refused: those before it write `all`. Nothing waits for ever in the stream of a
     * communicator that was aborted. */
    if (bad) give_up(s, bad, message);
    const int waited = d->stream_wait(s->stream);
    return bad ? bad : ct_cuda_rank_check(&s->at, waited, "cuStreamSynchronize", message);
}

static ct_status gather(ct_engine *e, const void *mine, void *all, size_t bytes, double limit_seconds,
                        char *message)
{
    state *const s = e->state;
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (bad && s->at.has_host) s->at.host.fail(&s->at.host, message); /* the others do not wait */
    if (bad) return bad;
    if (bytes == 0 || bytes > CT_ENGINE_RECORD)
        return ct_refuse(message, CT_E_ARGUMENT, "a record of %zu bytes; it has 1 to %d", bytes,
                         CT_ENGINE_RECORD);
    if (s->at.has_host)
        return s->at.host.gather(&s->at.host, mine, all, bytes, limit_seconds, message);
    bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = gather_by_nccl(s, mine, all, bytes, limit_seconds, message);
    ct_cuda_rank_leave(&s->at);
    return bad ? give_up(s, bad, message) : CT_OK;
}

/* ---- the other functions --------------------------------------------------------------------- */

static void *take(ct_engine *e, size_t bytes)
{
    return ct_cuda_rank_take(&((state *)e->state)->at, bytes);
}

static void give(ct_engine *e, void *memory) { ct_cuda_rank_give(&((state *)e->state)->at, memory); }

static ct_status failed(ct_engine *e, char *message)
{
    return ct_cuda_rank_alive(&((state *)e->state)->at, message);
}

static void fail(ct_engine *e, const char *message)
{
    state *const s = e->state;
    give_up(s, CT_E_FAILED, message);
    if (s->at.has_host) s->at.host.fail(&s->at.host, message);
    if (ct_cuda_rank_enter(&s->at, NULL)) return;
    s->at.driver->stream_wait(s->stream); /* ends: the communicator has been aborted */
    ct_cuda_rank_leave(&s->at);
}

/* ---- opening and closing --------------------------------------------------------------------- */

static ct_status check_comm(const state *s, const ct_engine *host, int32_t *rank, int32_t *ranks,
                            char *message)
{
    int count = 0, mine = 0;
    ct_status bad = check_nccl(s, s->nccl->comm_count(s->comm, &count), "ncclCommCount", message);
    if (!bad) bad = check_nccl(s, s->nccl->comm_rank(s->comm, &mine), "ncclCommUserRank", message);
    if (bad) return bad;
    if (host && (host->ranks != count || host->rank != mine))
        return ct_refuse(message, CT_E_ARGUMENT, "the communicator is of rank %d of %d, the host engine "
                         "of rank %d of %d", mine, count, host->rank, host->ranks);
    *rank = mine;
    *ranks = count;
    return CT_OK;
}

static ct_status check_device(const state *s, char *message)
{
    int device = 0;
    const ct_status bad = check_nccl(s, s->nccl->comm_device(s->comm, &device), "ncclCommCuDevice",
                                     message);
    if (bad || device == s->at.device->ordinal) return bad;
    return ct_refuse(message, CT_E_ARGUMENT, "rank %d: the communicator is of device %d, the calling "
                     "thread's is %d", s->at.rank, device, s->at.device->ordinal);
}

static ct_status make_streams(state *s, char *message)
{
    const ct_driver *const d = s->at.driver;
    ct_status bad = ct_cuda_rank_check(&s->at, d->event_create(&s->packed, CT_EVENT_UNTIMED),
                                       "cuEventCreate", message);
    for (int i = 0; i < CT_ENGINE_SLOTS && !bad; ++i)
        bad = ct_cuda_rank_check(&s->at, d->event_create(&s->sent[i], CT_EVENT_UNTIMED),
                                 "cuEventCreate", message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, d->stream_create(&s->stream, CT_STREAM_APART),
                                 "cuStreamCreate", message);
    if (bad) return bad;
    s->records = ct_cuda_rank_take(&s->at, (size_t)(1 + s->at.ranks) * CT_ENGINE_RECORD);
    if (s->records) return CT_OK;
    return ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory on the device", s->at.rank);
}

/* All that this rank needs by itself. */
static ct_status open_alone(state *s, const ct_engine *host, void *comm, char *message)
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
    if (!bad) bad = start_watchdog(s, message);
    return bad;
}

static void release(state *s)
{
    const ct_driver *const d = s->at.driver;
    if (s->stream) {
        if (ct_cuda_rank_wait(&s->at, s->stream, CLOSE_SECONDS, watch, s, NULL)) abort_comm(s);
        d->stream_wait(s->stream); /* ends: messages of an aborted communicator do not wait */
        d->stream_destroy(s->stream);
    }
    if (s->packed) d->event_destroy(s->packed);
    for (int i = 0; i < CT_ENGINE_SLOTS; ++i)
        if (s->sent[i]) d->event_destroy(s->sent[i]);
    ct_cuda_rank_close(&s->at);
}

static void close_state(state *s)
{
    stop_watchdog(s);
    if (s->at.device && ct_cuda_rank_enter(&s->at, NULL) == CT_OK) {
        release(s);
        ct_cuda_rank_leave(&s->at);
    }
    free(s);
}

/* Whether every rank has opened its own part. */
static ct_status agree(ct_engine *e, const ct_engine *host, ct_status bad, double limit, char *message)
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
    state *const s = calloc(1, sizeof *s);
    ct_status bad = s ? open_alone(s, host, comm, message)
                      : ct_refuse(message, CT_E_MEMORY, "not enough memory for an engine");
    if (s && s->at.device) ct_cuda_rank_leave(&s->at);
    *engine = (ct_engine){.name = "nccl", .state = s, .rank = s ? s->at.rank : 0,
                          .ranks = s ? s->at.ranks : 0, .gather = gather, .start = start,
                          .finish = finish, .complete = complete, .take = take, .give = give,
                          .failed = failed, .fail = fail};
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
    const state *const s = engine ? engine->state : NULL;
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
    const state *const s = engine ? engine->state : NULL;
    return s && __atomic_load_n(&s->aborted, __ATOMIC_SEQ_CST);
}
