/* The engine whose ranks are threads of one process. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/refuse.h"
#include <cutlet/host/engine.h>

/* SLICE_BYTES: more than a copy plan takes to be in a cache, on both sides together. */
enum { RANKS_MAX = 4096, SLICE_BYTES = 32 << 20 };

/* How long a rank looks for the others before it sleeps: to be woken takes as long as a small message. */
static const double LOOK_SECONDS = 200e-6;

/* A message that was sent and not yet received. */
typedef struct post {
    struct post *next;
    int32_t from, slot;
    const void *data;
    int64_t bytes;
} post;

/* A message that a rank has started to receive. */
typedef struct awaited {
    struct awaited *next;
    int32_t peer;
    void *data;
    int64_t bytes;
} awaited;

typedef struct member {
    pthread_cond_t changed;
    post *first, *last;               /* sent to this rank */
    awaited *wanted[CT_ENGINE_SLOTS]; /* its own */
    awaited *wanted_last[CT_ENGINE_SLOTS];
    int64_t unsent[CT_ENGINE_SLOTS]; /* messages of it that their receivers have not copied */
    int32_t copied;  /* slices of its messages and into its memory that are being copied */
    int64_t gathers; /* that it has entered */
} member;

struct ct_thread_group {
    pthread_mutex_t mutex;
    int32_t ranks;
    int32_t has_processors; /* whether there is one for each rank */
    member *member;
    int64_t gathers;       /* that all have entered */
    int32_t entered;       /* the present one */
    unsigned char *record; /* of two alternating gathers, for each rank */
    int32_t failed;        /* the rank that failed first, and one; 0: none */
    char why[CT_MESSAGE_BYTES];
};

static member *own(ct_engine *e) { return &((ct_thread_group *)e->state)->member[e->rank]; }

static void wake_all(ct_thread_group *g)
{
    for (int32_t i = 0; i < g->ranks; ++i) pthread_cond_broadcast(&g->member[i].changed);
}

/* With the mutex held. */
static void fail_locked(ct_thread_group *g, int32_t rank, const char *why)
{
    if (g->failed) return;
    g->failed = rank + 1;
    ct_one_line(g->why, sizeof g->why, "%s", why);
    wake_all(g);
}

static struct timespec deadline(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    if (seconds > 1e9) seconds = 1e9;
    t.tv_sec += (time_t)seconds;
    t.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (t.tv_nsec >= 1000000000) ++t.tv_sec, t.tv_nsec -= 1000000000;
    return t;
}

/* Waits for a change, with the mutex held. Returns 0 after the deadline. */
static int wait_until(ct_engine *e, const struct timespec *until)
{
    ct_thread_group *const g = e->state;
    return pthread_cond_timedwait(&own(e)->changed, &g->mutex, until) != ETIMEDOUT;
}

/* Waits until no other rank copies a slice from or to this one's memory, with the mutex held. After a failure
 * none begins another. */
static void wait_for_slices(ct_engine *e)
{
    ct_thread_group *const g = e->state;
    while (own(e)->copied > 0) pthread_cond_wait(&own(e)->changed, &g->mutex);
}

/* Leaves with the failure of the group, which unlocks it. This rank's memory is its caller's again. */
static ct_status leave_failed(ct_engine *e, char *message)
{
    ct_thread_group *const g = e->state;
    wait_for_slices(e);
    const ct_status bad = ct_refuse(message, CT_E_FAILED, "%s", g->why);
    pthread_mutex_unlock(&g->mutex);
    return bad;
}

/* Looks until all have entered that gather, for a moment. Without the mutex. */
static void look_for(const ct_thread_group *g, int64_t number)
{
    struct timespec begun, now;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    do {
        for (int i = 0; i < 50; ++i)
            if (__atomic_load_n(&g->gathers, __ATOMIC_ACQUIRE) >= number) return;
        sched_yield();
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - begun.tv_sec) + 1e-9 * (double)(now.tv_nsec - begun.tv_nsec) <
             LOOK_SECONDS);
}

static ct_status gather(ct_engine *e, const void *mine, void *all, size_t bytes,
                        double limit_seconds, char *message)
{
    ct_thread_group *const g = e->state;
    const struct timespec until = deadline(limit_seconds);
    if (bytes > CT_ENGINE_RECORD)
        return ct_refuse(message, CT_E_ARGUMENT, "a record of %zu bytes; it has up to %d", bytes,
                         CT_ENGINE_RECORD);
    pthread_mutex_lock(&g->mutex);
    const int64_t number = ++own(e)->gathers;
    unsigned char *const area =
        g->record + (size_t)(number % 2) * (size_t)g->ranks * CT_ENGINE_RECORD;
    if (!g->failed) {
        memcpy(area + (size_t)e->rank * CT_ENGINE_RECORD, mine, bytes);
        if (++g->entered == g->ranks) {
            g->entered = 0;
            __atomic_store_n(&g->gathers, number, __ATOMIC_RELEASE);
            wake_all(g);
        }
    }
    if (!g->failed && g->gathers < number && g->has_processors) {
        pthread_mutex_unlock(&g->mutex);
        look_for(g, number);
        pthread_mutex_lock(&g->mutex);
    }
    while (!g->failed && g->gathers < number) {
        if (wait_until(e, &until) || g->failed || g->gathers >= number) continue;
        int32_t missing = 0;
        while (g->member[missing].gathers >= number) ++missing;
        char why[CT_MESSAGE_BYTES];
        ct_one_line(why, sizeof why, "rank %d did not come within %g s", missing, limit_seconds);
        fail_locked(g, missing, why);
    }
    if (g->gathers < number) return leave_failed(e, message);
    for (int32_t i = 0; i < g->ranks; ++i)
        memcpy((char *)all + (size_t)i * bytes, area + (size_t)i * CT_ENGINE_RECORD, bytes);
    pthread_mutex_unlock(&g->mutex);
    return CT_OK;
}

static ct_status start(ct_engine *e, int32_t slot, const ct_engine_message *messages, int32_t count,
                       void *stream, double limit_seconds, char *message)
{
    ct_thread_group *const g = e->state;
    (void)stream, (void)limit_seconds;
    for (int32_t i = 0; i < count; ++i) {
        const ct_engine_message *const m = &messages[i];
        post *const p = m->sends ? malloc(sizeof *p) : NULL;
        awaited *const a = m->sends ? NULL : malloc(sizeof *a);
        if (!p && !a) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
        pthread_mutex_lock(&g->mutex);
        if (g->failed) {
            free(p);
            free(a);
            return leave_failed(e, message);
        }
        if (p) {
            member *const to = &g->member[m->peer];
            *p = (post){NULL, e->rank, slot, m->data, m->bytes};
            if (to->last) to->last->next = p;
            else to->first = p;
            to->last = p;
            own(e)->unsent[slot]++;
            pthread_cond_broadcast(&to->changed);
        } else {
            member *const me = own(e);
            *a = (awaited){NULL, m->peer, m->data, m->bytes};
            if (me->wanted_last[slot]) me->wanted_last[slot]->next = a;
            else me->wanted[slot] = a;
            me->wanted_last[slot] = a;
        }
        pthread_mutex_unlock(&g->mutex);
    }
    return CT_OK;
}

/* Takes the first message from a rank out of the list, or returns NULL. */
static post *take_post(member *m, int32_t from)
{
    post *before = NULL;
    for (post *p = m->first; p; before = p, p = p->next) {
        if (p->from != from) continue;
        if (before) before->next = p->next;
        else m->first = p->next;
        if (m->last == p) m->last = before;
        return p;
    }
    return NULL;
}

/* A slice from or to the memory of a rank begins and ends, with the mutex held on both sides. */
static void begin_slice(ct_thread_group *g, member *other)
{
    other->copied++;
    pthread_mutex_unlock(&g->mutex);
}

static void end_slice(ct_thread_group *g, member *other)
{
    pthread_mutex_lock(&g->mutex);
    other->copied--;
    pthread_cond_broadcast(&other->changed);
}

/* Copies bytes from or to the memory of a rank, up to a failure. With the mutex held. */
static void copy_slices(ct_thread_group *g, member *other, char *dst, const char *src,
                        int64_t bytes)
{
    for (int64_t at = 0; at < bytes && !g->failed; at += SLICE_BYTES) {
        begin_slice(g, other);
        memcpy(dst + at, src + at, (size_t)ct_min(bytes - at, SLICE_BYTES));
        end_slice(g, other);
    }
}

static ct_status finish(ct_engine *e, int32_t slot, void *stream, double limit_seconds,
                        char *message)
{
    ct_thread_group *const g = e->state;
    member *const me = own(e);
    const struct timespec until = deadline(limit_seconds);
    char why[CT_MESSAGE_BYTES];
    (void)stream;
    pthread_mutex_lock(&g->mutex);
    while (!g->failed && (me->wanted[slot] || me->unsent[slot] > 0)) {
        awaited *const a = me->wanted[slot];
        post *const p = a ? take_post(me, a->peer) : NULL;
        if (!p) {
            if (wait_until(e, &until)) continue;
            if (a)
                ct_one_line(why, sizeof why, "rank %d sent rank %d nothing within %g s", a->peer,
                            e->rank, limit_seconds);
            else
                ct_one_line(why, sizeof why, "what rank %d sent was not received within %g s",
                            e->rank, limit_seconds);
            fail_locked(g, a ? a->peer : e->rank, why);
            continue;
        }
        me->wanted[slot] = a->next;
        if (!a->next) me->wanted_last[slot] = NULL;
        if (p->bytes != a->bytes) {
            ct_one_line(why, sizeof why, "rank %d sent rank %d %lld bytes, which expected %lld",
                        p->from, e->rank, (long long)p->bytes, (long long)a->bytes);
            fail_locked(g, p->from, why);
        } else {
            copy_slices(g, &g->member[p->from], a->data, p->data, p->bytes);
        }
        g->member[p->from].unsent[p->slot]--;
        pthread_cond_broadcast(&g->member[p->from].changed);
        free(p);
        free(a);
    }
    if (g->failed) return leave_failed(e, message);
    pthread_mutex_unlock(&g->mutex);
    return CT_OK;
}

static void *take(ct_engine *e, size_t bytes)
{
    (void)e;
    void *memory;
    return posix_memalign(&memory, 64, bytes) ? NULL : memory;
}

static void give(ct_engine *e, void *memory)
{
    ct_thread_group *const g = e->state;
    pthread_mutex_lock(&g->mutex);
    wait_for_slices(e);
    pthread_mutex_unlock(&g->mutex);
    free(memory);
}

/* One slice: run.c splits writes to other ranks. */
static ct_status copy(ct_engine *e, int32_t to, const ct_plan *plan, void *dst, const void *src,
                      void *stream, char *message)
{
    ct_thread_group *const g = e->state;
    pthread_mutex_lock(&g->mutex);
    if (g->failed) return leave_failed(e, message);
    begin_slice(g, &g->member[to]);
    const ct_status bad = ct_plan_run(plan, dst, src, stream, message);
    end_slice(g, &g->member[to]);
    pthread_mutex_unlock(&g->mutex);
    return bad;
}

static ct_status move(ct_engine *e, int32_t to, void *dst, const void *src, int64_t bytes,
                      void *stream, char *message)
{
    ct_thread_group *const g = e->state;
    (void)stream;
    pthread_mutex_lock(&g->mutex);
    copy_slices(g, &g->member[to], dst, src, bytes);
    if (g->failed) return leave_failed(e, message);
    pthread_mutex_unlock(&g->mutex);
    return CT_OK;
}

static ct_status meet(ct_engine *e, double limit_seconds, char *message)
{
    ct_thread_group *const g = e->state;
    const char mine = 0;
    char *const all = malloc((size_t)g->ranks);
    if (!all) {
        ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory", e->rank);
        pthread_mutex_lock(&g->mutex);
        fail_locked(g, e->rank, message ? message : "not enough memory");
        pthread_mutex_unlock(&g->mutex);
        return CT_E_MEMORY;
    }
    const ct_status bad = gather(e, &mine, all, 1, limit_seconds, message);
    free(all);
    return bad;
}

/* Moves have ended when their calls return. */
static ct_status follow(ct_engine *e, int32_t from, int32_t k, void *stream, char *message)
{
    (void)e, (void)from, (void)k, (void)stream, (void)message;
    return CT_OK;
}

/* Copies have ended when their calls return: no stream has to be waited for. */
static ct_status share(ct_engine *e, void *memory, size_t bytes, void **all, void *stream,
                       double limit_seconds, char *message)
{
    (void)bytes;
    (void)stream;
    return gather(e, &memory, all, sizeof memory, limit_seconds, message);
}

static ct_status failed(ct_engine *e, char *message)
{
    ct_thread_group *const g = e->state;
    ct_status bad = CT_OK;
    pthread_mutex_lock(&g->mutex);
    if (g->failed) bad = ct_refuse(message, CT_E_FAILED, "%s", g->why);
    pthread_mutex_unlock(&g->mutex);
    return bad;
}

static void fail(ct_engine *e, const char *message)
{
    ct_thread_group *const g = e->state;
    pthread_mutex_lock(&g->mutex);
    fail_locked(g, e->rank, message);
    wait_for_slices(e);
    pthread_mutex_unlock(&g->mutex);
}

void ct_thread_group_engine(ct_thread_group *group, int32_t rank, ct_engine *engine)
{
    /* clang-format off */
    *engine = (ct_engine){.name = "threads", .state = group, .rank = rank, .ranks = group->ranks,
                          .gather = gather, .start = start, .finish = finish, .take = take, .give = give,
                          .share = share, .copy = copy, .slice_bytes = SLICE_BYTES, .move = move, .meet = meet,
                          .follow = follow, .failed = failed, .fail = fail};
    /* clang-format on */
}

ct_status ct_thread_group_create(int32_t ranks, ct_thread_group **group,
                                 char message[CT_MESSAGE_BYTES])
{
    *group = NULL;
    if (ranks < 1 || ranks > RANKS_MAX)
        return ct_refuse(message, CT_E_ARGUMENT, "%d ranks; a group of threads has 1 to %d", ranks,
                         RANKS_MAX);
    ct_thread_group *const g = calloc(1, sizeof *g);
    member *const members = calloc((size_t)ranks, sizeof *members);
    unsigned char *const record = calloc(2 * (size_t)ranks, CT_ENGINE_RECORD);
    if (!g || !members || !record) {
        free(g);
        free(members);
        free(record);
        return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    }
    g->ranks = ranks;
    g->has_processors = sysconf(_SC_NPROCESSORS_ONLN) >= ranks;
    g->member = members;
    g->record = record;
    pthread_mutex_init(&g->mutex, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    for (int32_t i = 0; i < ranks; ++i) pthread_cond_init(&members[i].changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    *group = g;
    return CT_OK;
}

void ct_thread_group_destroy(ct_thread_group *g)
{
    if (!g) return;
    for (int32_t i = 0; i < g->ranks; ++i) {
        member *const m = &g->member[i];
        for (post *p = m->first, *next; p; p = next) next = p->next, free(p);
        for (int slot = 0; slot < CT_ENGINE_SLOTS; ++slot)
            for (awaited *a = m->wanted[slot], *next; a; a = next) next = a->next, free(a);
        pthread_cond_destroy(&m->changed);
    }
    pthread_mutex_destroy(&g->mutex);
    free(g->member);
    free(g->record);
    free(g);
}

/* A rank that runs in a separate thread. */
typedef struct runner {
    pthread_t thread;
    ct_engine engine;
    ct_status (*work)(void *user, ct_engine *engine, char *message);
    void *user;
    ct_status status;
    char message[CT_MESSAGE_BYTES];
} runner;

static void *run_rank(void *argument)
{
    runner *const r = argument;
    r->status = r->work(r->user, &r->engine, r->message);
    if (r->status) fail(&r->engine, r->message);
    return NULL;
}

ct_status ct_thread_group_run(ct_thread_group *group,
                              ct_status (*work)(void *user, ct_engine *engine,
                                                char message[CT_MESSAGE_BYTES]),
                              void *user, char message[CT_MESSAGE_BYTES])
{
    runner *const all = calloc((size_t)group->ranks, sizeof *all);
    if (!all) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    int32_t started = 0;
    for (; started < group->ranks; ++started) {
        runner *const r = &all[started];
        ct_thread_group_engine(group, started, &r->engine);
        r->work = work;
        r->user = user;
        if (pthread_create(&r->thread, NULL, run_rank, r)) break;
    }
    ct_status bad = CT_OK;
    if (started < group->ranks) {
        bad =
            ct_refuse(message, CT_E_MEMORY, "the thread of rank %d could not be started", started);
        fail(&all[started].engine, "a thread could not be started");
    }
    for (int32_t i = 0; i < started; ++i) pthread_join(all[i].thread, NULL);
    const int32_t first = group->failed - 1;
    if (!bad && first >= 0 && all[first].status)
        bad = ct_refuse(message, all[first].status, "%s", all[first].message);
    for (int32_t i = 0; i < started && !bad; ++i)
        if (all[i].status) bad = ct_refuse(message, all[i].status, "%s", all[i].message);
    free(all);
    return bad;
}
