/* The engine of peer memory: copies that write straight into the memory of another device. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fnv.h"
#include "base/refuse.h"
#include "cuda_rank.h"
#include "rows.h"

/* Streams beside the caller's: of what stays, of every second copy, of moves. MOVES: those that have an
 * event of their own, at most. */
enum { STAYS, COPIES, LINE, SIDES, OPENED = 32, LEAST_ROW_BYTES = 4096, MOVES = 64 };

/* Memory of another process that is open here. */
typedef struct opened {
    ct_driver_ipc handle;
    uint64_t base; /* here; 0: none */
    uint64_t used; /* when it was last asked for */
} opened;

/* Who a rank is. */
typedef struct who {
    int64_t process;
    uint64_t host;
    int32_t device; /* as the process numbers them */
    void *context;
} who;

/* What a rank shares: by its address, or by a handle for other processes. */
typedef struct shared {
    void *memory;  /* NULL: nothing */
    void *ready;   /* the event after which it may be written */
    ct_driver_ipc handle;
    uint64_t offset;
    int32_t has_handle;
    int32_t failed; /* whether the rank has none of that, and says so */
} shared;

/* The moves of a rank since the last meet: to whom, and the event after which it has come. Later ones have
 * come with the last of all. */
typedef struct moves {
    int32_t failed; /* whether the rank has told of a failure */
    int32_t count;
    void *last;
    int32_t to[MOVES];
    void *event[MOVES];
} moves;
_Static_assert(sizeof(moves) <= CT_ENGINE_RECORD, "the moves of a rank are one record");

typedef struct state {
    ct_cuda_rank at;
    int64_t row_bytes;
    who *ranks;
    int is_apart;            /* whether a rank is in another process */
    void *ready, *fork;      /* events on the caller's stream */
    void *side[SIDES], *joined[SIDES];
    int is_forked[SIDES];    /* whether the stream beside has work that nobody has waited for */
    void *event[MOVES + 1];  /* of moves, and of the last one */
    moves mine, *met;        /* since the last meet; everybody's at that one */
    unsigned turn;           /* of copies to other ranks */
    unsigned kept;           /* copies of this run to the rank itself */
    opened cache[OPENED];
    uint64_t clock;
} state;

/* ---- events that other ranks follow ---------------------------------------------------------- */

/* An event that a rank shared. It is never destroyed: after a wait that was over too early another rank may
 * still be about to follow it. The next engine of its context takes it again. */
typedef struct shared_event {
    struct shared_event *next;
    void *context, *event;
    int taken;
} shared_event;

static pthread_mutex_t events_lock = PTHREAD_MUTEX_INITIALIZER;
static shared_event *events;

/* Within ct_cuda_rank_enter. */
static ct_status take_event(state *s, void **taken, char *message)
{
    void *const context = s->at.device->gpu->context;
    ct_status bad = CT_OK;
    pthread_mutex_lock(&events_lock);
    shared_event *e = events;
    while (e && (e->taken || e->context != context)) e = e->next;
    if (!e) {
        e = calloc(1, sizeof *e);
        if (!e) bad = ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory", s->at.rank);
        else bad = ct_cuda_rank_check(&s->at, s->at.driver->event_create(&e->event, CT_EVENT_UNTIMED),
                                      "cuEventCreate", message);
        if (bad) {
            free(e);
            e = NULL;
        } else {
            e->context = context;
            e->next = events;
            events = e;
        }
    }
    if (e) {
        e->taken = 1;
        *taken = e->event;
    }
    pthread_mutex_unlock(&events_lock);
    return bad;
}

static void give_event(const void *taken)
{
    pthread_mutex_lock(&events_lock);
    for (shared_event *e = events; e; e = e->next)
        if (e->event == taken) e->taken = 0;
    pthread_mutex_unlock(&events_lock);
}

/* ---- who the others are ---------------------------------------------------------------------- */

/* A number of this machine since it was started. */
static uint64_t this_host(void)
{
    char text[64] = "";
    FILE *const file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file) {
        if (!fgets(text, sizeof text, file)) text[0] = 0;
        fclose(file);
    }
    return ct_fnv(CT_FNV_BEGIN, text, strlen(text));
}

static int is_here(const state *s, int32_t rank)
{
    return s->ranks[rank].process == s->ranks[s->at.rank].process;
}

/* Lets this rank's kernels reach the memory of another device of the process. */
static ct_status reach(state *s, int32_t rank, char *message)
{
    const who *const me = &s->ranks[s->at.rank], *const other = &s->ranks[rank];
    const ct_driver *const d = s->at.driver;
    int can = 0, ordinal = 0;
    if (other->host != me->host)
        return ct_refuse(message, CT_E_BACKEND, "rank %d: rank %d is on another host", s->at.rank, rank);
    if (!is_here(s, rank)) {
        s->is_apart = 1;
        if (d->ipc_handle && d->ipc_open && d->ipc_close && d->memory_range) return CT_OK;
        return ct_refuse(message, CT_E_BACKEND, "rank %d: the driver opens no memory of other "
                         "processes", s->at.rank);
    }
    if (other->context == me->context) return CT_OK;
    if (!d->peer_can || !d->peer_enable)
        return ct_refuse(message, CT_E_BACKEND, "rank %d: the driver is too old for peer memory",
                         s->at.rank);
    ct_status bad = ct_cuda_rank_check(&s->at, d->device_get(&ordinal, other->device), "cuDeviceGet",
                                       message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, d->peer_can(&can, s->at.device->gpu->device, ordinal),
                                 "cuDeviceCanAccessPeer", message);
    if (bad) return bad;
    if (!can)
        return ct_refuse(message, CT_E_BACKEND, "rank %d: device %d does not reach the memory of "
                         "device %d, of rank %d", s->at.rank, me->device, other->device, rank);
    const int result = d->peer_enable(other->context, 0);
    if (result == CT_DRIVER_PEER_ENABLED) return CT_OK;
    return ct_cuda_rank_check(&s->at, result, "cuCtxEnablePeerAccess", message);
}

static ct_status reach_all(state *s, char *message)
{
    ct_status bad = CT_OK;
    for (int32_t i = 0; i < s->at.ranks && !bad; ++i)
        if (i != s->at.rank) bad = reach(s, i, message);
    return bad;
}

/* ---- memory of other processes --------------------------------------------------------------- */

static void close_opened(state *s, opened *o)
{
    if (o->base) s->at.driver->ipc_close(o->base);
    memset(o, 0, sizeof *o);
}

/* The address here of what a handle stands for. */
static ct_status open_handle(state *s, const ct_driver_ipc *handle, uint64_t *base, char *message)
{
    opened *oldest = s->cache;
    for (int i = 0; i < OPENED; ++i) {
        opened *const o = &s->cache[i];
        if (o->base && memcmp(&o->handle, handle, sizeof *handle) == 0) {
            o->used = ++s->clock;
            *base = o->base;
            return CT_OK;
        }
        if (o->used < oldest->used) oldest = o;
    }
    close_opened(s, oldest);
    const int result = s->at.driver->ipc_open(base, *handle, CT_IPC_LAZY);
    if (result) return ct_cuda_rank_check(&s->at, result, "cuIpcOpenMemHandle", message);
    *oldest = (opened){*handle, *base, ++s->clock};
    return CT_OK;
}

/* What this rank tells of its memory. */
static ct_status describe(state *s, void *memory, shared *mine, char *message)
{
    const uint64_t address = (uint64_t)(uintptr_t)memory;
    uint64_t base = 0;
    size_t bytes = 0;
    memset(mine, 0, sizeof *mine);
    mine->memory = memory;
    mine->ready = s->ready;
    if (!memory || !s->is_apart) return CT_OK;
    ct_status bad = ct_cuda_rank_check(&s->at, s->at.driver->memory_range(&base, &bytes, address),
                                       "cuMemGetAddressRange", message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, s->at.driver->ipc_handle(&mine->handle, base),
                                 "cuIpcGetMemHandle", message);
    mine->offset = address - base;
    mine->has_handle = !bad;
    return bad;
}

/* Where rank i's memory is here. The stream goes on when that rank's has come to its event. */
static ct_status find(state *s, int32_t i, const shared *theirs, void *stream, void **at, char *message)
{
    uint64_t base = 0;
    *at = theirs->memory;
    if (!theirs->memory || i == s->at.rank) return CT_OK;
    if (is_here(s, i))
        return ct_cuda_rank_check(&s->at, s->at.driver->stream_follow(stream, theirs->ready, 0),
                                  "cuStreamWaitEvent", message);
    *at = NULL;
    if (!theirs->has_handle)
        return ct_refuse(message, CT_E_FAILED, "rank %d: rank %d has no handle of its memory",
                         s->at.rank, i);
    const ct_status bad = open_handle(s, &theirs->handle, &base, message);
    if (!bad) *at = (void *)(uintptr_t)(base + theirs->offset);
    return bad;
}

/* ---- the functions of the engine ------------------------------------------------------------- */

static ct_status failed(ct_engine *e, char *message)
{
    return ct_cuda_rank_alive(&((state *)e->state)->at, message);
}

static void fail(ct_engine *e, const char *message)
{
    state *const s = e->state;
    ct_cuda_rank_die(&s->at, CT_E_FAILED, message);
    s->at.host.fail(&s->at.host, message);
}

static ct_status gather(ct_engine *e, const void *mine, void *all, size_t bytes, double limit_seconds,
                        char *message)
{
    state *const s = e->state;
    const ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (bad) s->at.host.fail(&s->at.host, message); /* the others do not wait for this rank */
    return bad ? bad : s->at.host.gather(&s->at.host, mine, all, bytes, limit_seconds, message);
}

/* What this rank has to do before it may tell of its memory. */
static ct_status make_ready(state *s, void *memory, shared *mine, void *stream, double limit_seconds,
                            char *message)
{
    ct_status bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = ct_cuda_rank_check(&s->at, s->at.driver->event_record(s->ready, stream), "cuEventRecord", message);
    /* another process knows nothing of the event */
    if (!bad && s->is_apart) bad = ct_cuda_rank_wait(&s->at, stream, limit_seconds, NULL, NULL, message);
    if (!bad) bad = describe(s, memory, mine, message);
    ct_cuda_rank_leave(&s->at);
    return bad;
}

/* Where everybody's memory is. */
static ct_status find_all(state *s, const shared *others, void *stream, void **all, char *message)
{
    ct_status bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    for (int32_t i = 0; i < s->at.ranks && !bad; ++i) {
        if (others[i].failed)
            bad = ct_refuse(message, CT_E_FAILED, "rank %d: its memory is not ready to be written", i);
        else bad = find(s, i, &others[i], stream, &all[i], message);
    }
    ct_cuda_rank_leave(&s->at);
    return bad;
}

/* Whatever fails before, this rank takes part in the exchange: the others wait for it. */
static ct_status share(ct_engine *e, void *memory, size_t bytes, void **all, void *stream,
                       double limit_seconds, char *message)
{
    state *const s = e->state;
    shared mine;
    (void)bytes;
    memset(&mine, 0, sizeof mine);
    shared *const others = calloc((size_t)s->at.ranks, sizeof *others);
    ct_status bad = others ? ct_cuda_rank_alive(&s->at, message)
                           : ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory", s->at.rank);
    if (!bad) bad = make_ready(s, memory, &mine, stream, limit_seconds, message);
    if (!others) {
        fail(e, message);
        return bad;
    }
    char why[CT_MESSAGE_BYTES];
    mine.failed = bad != CT_OK;
    const ct_status told = s->at.host.gather(&s->at.host, &mine, others, sizeof mine, limit_seconds, why);
    if (!bad && told) bad = ct_refuse(message, told, "%s", why);
    if (!bad) bad = find_all(s, others, stream, all, message);
    free(others);
    return bad;
}

/* The stream for a copy: what stays on the rank has one beside those of what it sends, and every second piece of
 * it goes with what is sent, because small ones leave most of a device idle. */
static ct_status stream_for(state *s, int32_t to, void *stream, void **chosen, char *message)
{
    const int stays = to == s->at.rank;
    const int side = stays ? s->kept++ % 2 ? COPIES : STAYS : s->turn++ % 2 ? COPIES : -1;
    *chosen = stream;
    if (side < 0) return CT_OK;
    *chosen = s->side[side];
    if (s->is_forked[side]) return CT_OK;
    ct_status bad = ct_cuda_rank_check(&s->at, s->at.driver->event_record(s->fork, stream),
                                       "cuEventRecord", message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, s->at.driver->stream_follow(s->side[side], s->fork, 0),
                                 "cuStreamWaitEvent", message);
    s->is_forked[side] = !bad;
    return bad;
}

static ct_status copy(ct_engine *e, int32_t to, const ct_plan *plan, void *dst, const void *src,
                      void *stream, char *message)
{
    state *const s = e->state;
    const ct_plan *const on_device = plan->device ? plan->device : plan;
    ct_rows rows;
    void *chosen = stream;
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = stream_for(s, to, stream, &chosen, message);
    int moved = 0;
    if (!bad && to != s->at.rank && s->at.driver->copy_rows && ct_rows_of(on_device, s->row_bytes, &rows))
        moved = ct_rows_start(s->at.driver, &rows, dst, src, chosen) == 0;
    if (!bad && !moved) bad = ct_plan_run(plan, dst, src, chosen, message);
    ct_cuda_rank_leave(&s->at);
    return bad;
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* In a stream of their own, one after another: each takes the whole link. */
static ct_status move_within(state *s, int32_t to, void *dst, const void *src, int64_t bytes, void *stream,
                             char *message)
{
    const ct_driver *const d = s->at.driver;
    const int number = (int)ct_min(s->mine.count, MOVES);
    void **const event = &s->event[number];
    ct_status bad = *event ? CT_OK : take_event(s, event, message);
    if (!bad) bad = ct_cuda_rank_check(&s->at, d->event_record(s->fork, stream), "cuEventRecord", message);
    if (!bad) bad = ct_cuda_rank_check(&s->at, d->stream_follow(s->side[LINE], s->fork, 0), "cuStreamWaitEvent", message);
    if (bad) return bad;
    s->is_forked[LINE] = 1;
    bad = ct_cuda_rank_check(&s->at, d->copy((uint64_t)(uintptr_t)dst, (uint64_t)(uintptr_t)src, (size_t)bytes,
                                             s->side[LINE]), "cuMemcpyDtoDAsync", message);
    if (!bad) bad = ct_cuda_rank_check(&s->at, d->event_record(*event, s->side[LINE]), "cuEventRecord", message);
    if (bad) return bad;
    s->mine.last = *event;
    if (number < MOVES) {
        s->mine.to[number] = to;
        s->mine.event[number] = *event;
        s->mine.count++;
    }
    return CT_OK;
}

static ct_status move(ct_engine *e, int32_t to, void *dst, const void *src, int64_t bytes, void *stream,
                      char *message)
{
    state *const s = e->state;
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = move_within(s, to, dst, src, bytes, stream, message);
    ct_cuda_rank_leave(&s->at);
    return bad;
}

/* Another process knows nothing of the events: moves to it have to have ended. */
static ct_status end_moves(state *s, double limit_seconds, char *message)
{
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (bad || !s->is_apart) return bad;
    bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = ct_cuda_rank_wait(&s->at, s->side[LINE], limit_seconds, NULL, NULL, message);
    ct_cuda_rank_leave(&s->at);
    return bad;
}

static ct_status meet(ct_engine *e, double limit_seconds, char *message)
{
    state *const s = e->state;
    char why[CT_MESSAGE_BYTES];
    ct_status bad = end_moves(s, limit_seconds, message);
    s->mine.failed = bad != CT_OK;
    const ct_status told = s->at.host.gather(&s->at.host, &s->mine, s->met, sizeof s->mine, limit_seconds, why);
    s->mine.count = 0;
    s->mine.last = NULL;
    if (!bad && told) bad = ct_refuse(message, told, "%s", why);
    for (int32_t i = 0; i < s->at.ranks && !bad; ++i)
        if (s->met[i].failed) bad = ct_refuse(message, CT_E_FAILED, "rank %d: its moves have failed", i);
    return bad;
}

static ct_status follow(ct_engine *e, int32_t from, int32_t k, void *stream, char *message)
{
    state *const s = e->state;
    const moves *const theirs = &s->met[from];
    void *event = theirs->last;
    if (!is_here(s, from)) return CT_OK; /* it has come */
    for (int32_t i = 0; i < theirs->count; ++i) {
        if (theirs->to[i] != s->at.rank || k-- > 0) continue;
        event = theirs->event[i];
        break;
    }
    if (!event) return ct_refuse(message, CT_E_FAILED, "rank %d: its moves have failed", from);
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = ct_cuda_rank_check(&s->at, s->at.driver->stream_follow(stream, event, 0), "cuStreamWaitEvent", message);
    ct_cuda_rank_leave(&s->at);
    return bad;
}

/* ---- the end of a run ------------------------------------------------------------------------ */

/* The stream waits for those beside it. */
static ct_status join(state *s, void *stream, char *message)
{
    ct_status bad = CT_OK;
    for (int i = 0; i < SIDES && !bad; ++i) {
        if (!s->is_forked[i]) continue;
        bad = ct_cuda_rank_check(&s->at, s->at.driver->event_record(s->joined[i], s->side[i]),
                                 "cuEventRecord", message);
        if (!bad)
            bad = ct_cuda_rank_check(&s->at, s->at.driver->stream_follow(stream, s->joined[i], 0),
                                     "cuStreamWaitEvent", message);
        s->is_forked[i] = 0;
    }
    return bad;
}

/* Waits also when another rank has failed: what is queued here writes that rank's memory, and ends. */
static ct_status complete(ct_engine *e, void *stream, double limit_seconds, char *message)
{
    state *const s = e->state;
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    s->kept = 0;
    bad = join(s, stream, message);
    if (!bad) bad = ct_cuda_rank_wait(&s->at, stream, limit_seconds, NULL, NULL, message);
    ct_cuda_rank_leave(&s->at);
    return bad;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Memory that another process may have open. It must not be freed before that process closes it, which this
 * one does not learn: it stays until the process ends, for the next that takes as much in its context. */
typedef struct kept_block {
    struct kept_block *next;
    void *context, *memory;
    size_t bytes;
    int taken;
} kept_block;

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static kept_block *kept;

/* Powers of two: all blocks together are no more than twice the largest, of what is taken at a time. */
static size_t kept_bytes(size_t bytes)
{
    size_t all = (size_t)1 << 16;
    while (all < bytes) all *= 2;
    return all;
}

/* A new block, or NULL. */
static kept_block *add_kept(state *s, size_t bytes)
{
    uint64_t address = 0;
    kept_block *const b = calloc(1, sizeof *b);
    if (!b || ct_cuda_rank_enter(&s->at, NULL)) {
        free(b);
        return NULL;
    }
    const int result = s->at.driver->memory_alloc(&address, bytes);
    ct_cuda_rank_leave(&s->at);
    if (result) {
        free(b);
        return NULL;
    }
    *b = (kept_block){kept, s->at.device->gpu->context, (void *)(uintptr_t)address, bytes, 0};
    return kept = b;
}

static void *take_kept(state *s, size_t bytes)
{
    const size_t all = kept_bytes(bytes);
    pthread_mutex_lock(&kept_lock);
    kept_block *b = kept;
    while (b && (b->taken || b->bytes != all || b->context != s->at.device->gpu->context)) b = b->next;
    if (!b) b = add_kept(s, all);
    if (b) b->taken = 1;
    pthread_mutex_unlock(&kept_lock);
    return b ? b->memory : NULL;
}

static void *take(ct_engine *e, size_t bytes)
{
    state *const s = e->state;
    return s->is_apart ? take_kept(s, bytes) : ct_cuda_rank_take(&s->at, bytes);
}

static void give(ct_engine *e, void *memory)
{
    ct_cuda_rank_give(&((state *)e->state)->at, memory);
    pthread_mutex_lock(&kept_lock);
    for (kept_block *b = kept; b; b = b->next)
        if (b->memory == memory) b->taken = 0;
    pthread_mutex_unlock(&kept_lock);
}

/* ---- opening and closing --------------------------------------------------------------------- */

static ct_status make_streams(state *s, char *message)
{
    const ct_driver *const d = s->at.driver;
    ct_status bad = take_event(s, &s->ready, message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, d->event_create(&s->fork, CT_EVENT_UNTIMED), "cuEventCreate",
                                 message);
    for (int i = 0; i < SIDES && !bad; ++i) {
        bad = ct_cuda_rank_check(&s->at, d->event_create(&s->joined[i], CT_EVENT_UNTIMED), "cuEventCreate",
                                 message);
        if (!bad)
            bad = ct_cuda_rank_check(&s->at, d->stream_create(&s->side[i], CT_STREAM_APART),
                                     "cuStreamCreate", message);
    }
    return bad;
}

/* All that this rank needs by itself, and then of the others. Collective. */
static ct_status open_state(state *s, const ct_engine *host, double limit_seconds, char *message)
{
    who mine;
    memset(&mine, 0, sizeof mine);
    ct_status bad = ct_cuda_rank_open(&s->at, host, host->rank, host->ranks, message);
    s->at.host = *host;
    s->ranks = calloc((size_t)host->ranks, sizeof *s->ranks);
    s->met = calloc((size_t)host->ranks, sizeof *s->met);
    if (!bad && (!s->ranks || !s->met))
        bad = ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory", host->rank);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (!bad) bad = make_streams(s, message);
    bad = ct_engine_agree(&s->at.host, bad, limit_seconds, message);
    if (bad) return bad;
    mine.process = getpid();
    mine.host = this_host();
    mine.device = s->at.device->ordinal;
    mine.context = s->at.device->gpu->context;
    bad = s->at.host.gather(&s->at.host, &mine, s->ranks, sizeof mine, limit_seconds, message);
    if (bad) return bad;
    bad = reach_all(s, message);
    return ct_engine_agree(&s->at.host, bad, limit_seconds, message);
}

static void release(state *s)
{
    const ct_driver *const d = s->at.driver;
    for (int i = 0; i < SIDES; ++i) {
        if (s->joined[i]) d->event_destroy(s->joined[i]);
        if (!s->side[i]) continue;
        if (!s->at.dead) d->stream_wait(s->side[i]);
        d->stream_destroy(s->side[i]);
    }
    if (s->fork) d->event_destroy(s->fork);
    if (s->ready) give_event(s->ready);
    for (int i = 0; i <= MOVES; ++i)
        if (s->event[i]) give_event(s->event[i]);
    for (int i = 0; i < OPENED; ++i)
        if (s->cache[i].base) close_opened(s, &s->cache[i]);
    ct_cuda_rank_close(&s->at);
}

static void close_state(state *s)
{
    if (s->at.device && ct_cuda_rank_enter(&s->at, NULL) == CT_OK) {
        release(s);
        ct_cuda_rank_leave(&s->at);
    }
    free(s->ranks);
    free(s->met);
    free(s);
}

ct_status ct_peer_engine_open(const ct_engine *host, const ct_peer_options *options,
                              double limit_seconds, ct_engine *engine, char message[CT_MESSAGE_BYTES])
{
    char unread[CT_MESSAGE_BYTES];
    if (!message) message = unread;
    message[0] = 0;
    if (!engine) return ct_refuse(message, CT_E_ARGUMENT, "there is no place for the engine");
    memset(engine, 0, sizeof *engine);
    if (!host || !host->gather || !host->fail)
        return ct_refuse(message, CT_E_ARGUMENT, "peer memory needs a host engine");
    state *const s = calloc(1, sizeof *s);
    const double limit = limit_seconds > 0 ? limit_seconds : 30;
    if (!s) {
        ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory for an engine", host->rank);
        ct_engine own = *host;
        return ct_engine_agree(&own, CT_E_MEMORY, limit, message);
    }
    s->row_bytes = options && options->row_bytes ? options->row_bytes : LEAST_ROW_BYTES;
    const ct_status bad = open_state(s, host, limit, message);
    if (s->at.device) ct_cuda_rank_leave(&s->at);
    if (bad) {
        close_state(s);
        return bad;
    }
    *engine = (ct_engine){.name = "peer", .state = s, .rank = host->rank, .ranks = host->ranks,
                          .gather = gather, .share = share, .copy = copy, .complete = complete,
                          .take = take, .give = give, .failed = failed, .fail = fail, .stages = 1,
                          .move = move, .meet = meet, .follow = follow};
    return CT_OK;
}

void ct_peer_engine_close(ct_engine *engine)
{
    if (!engine || !engine->state) return;
    close_state(engine->state);
    memset(engine, 0, sizeof *engine);
}
