/* NCCL's functions between the threads of one process; see fake_nccl.h. */
#include "fake_nccl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

fake_nccl_state fake_nccl;

enum { INVALID_ARGUMENT = 4, INVALID_USAGE = 5, IN_PROGRESS = 7, PARTS = 4096, GROUPS = 16 };

/* A send or a receive. */
typedef struct part {
    int is_send, peer, done;
    unsigned long number; /* of this pair of ranks and this direction */
    void *at;
    size_t bytes;
} part;

typedef struct world {
    int ranks, alive;
} world;

typedef struct comm {
    world *world;
    int rank, aborted, groups;
    unsigned long sent[FAKE_NCCL_RANKS], received[FAKE_NCCL_RANKS];
} comm;

/* The parts of one communicator and stream in a group. */
typedef struct group {
    comm *comm;
    void *stream;
    part *parts;
    int count, has_begun;
} group;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static group *begun[PARTS]; /* groups that streams have come to and that have not ended */

static __thread group open_groups[GROUPS];
static __thread int open_count, depth;

static int fails(const char *function, int rank)
{
    if (!fake_nccl.fail || strcmp(fake_nccl.fail, function) != 0) return 0;
    if (fake_nccl.fail_rank >= 0 && rank >= 0 && fake_nccl.fail_rank != rank) return 0;
    return __atomic_fetch_sub(&fake_nccl.calls_before, 1, __ATOMIC_RELAXED) <= 0;
}

#define FAKE_NCCL(name, parameters)                                                                \
    int name parameters;                                                                           \
    int name parameters
#define MAY_FAIL(rank)                                                                             \
    if (fails(__func__, rank)) return fake_nccl.result

static void forget(const comm *c);

/* ---- communicators --------------------------------------------------------------------------- */

const char *ncclGetErrorString(int result);
const char *ncclGetErrorString(int result) { return result ? "a planted NCCL error" : "no error"; }

FAKE_NCCL(ncclGetVersion, (int *version))
{
    MAY_FAIL(-1);
    *version = 22809;
    return 0;
}

FAKE_NCCL(ncclCommInitAll, (void **comms, int count, const int *devices))
{
    world *const w = calloc(1, sizeof *w);
    (void)devices;
    if (!w || count > FAKE_NCCL_RANKS) return INVALID_ARGUMENT;
    w->ranks = w->alive = count;
    for (int r = 0; r < count; ++r) {
        comm *const c = calloc(1, sizeof *c);
        if (!c) abort();
        c->world = w;
        c->rank = r;
        comms[r] = c;
        __atomic_add_fetch(&fake_nccl.comms, 1, __ATOMIC_RELAXED);
    }
    return 0;
}

FAKE_NCCL(ncclCommDestroy, (void *handle))
{
    comm *const c = handle;
    pthread_mutex_lock(&lock);
    forget(c);
    pthread_mutex_unlock(&lock);
    if (__atomic_sub_fetch(&c->world->alive, 1, __ATOMIC_SEQ_CST) == 0) free(c->world);
    free(c);
    __atomic_sub_fetch(&fake_nccl.comms, 1, __ATOMIC_RELAXED);
    return 0;
}

/* Its groups end as they are. What it stands in stays until ncclCommDestroy: tests ask later. */
FAKE_NCCL(ncclCommAbort, (void *handle))
{
    comm *const c = handle;
    MAY_FAIL(c->rank);
    pthread_mutex_lock(&lock);
    c->aborted = 1;
    forget(c);
    pthread_mutex_unlock(&lock);
    __atomic_add_fetch(&fake_nccl.aborts, 1, __ATOMIC_RELAXED);
    return 0;
}

FAKE_NCCL(ncclCommCount, (const void *handle, int *count))
{
    MAY_FAIL(((const comm *)handle)->rank);
    *count = ((const comm *)handle)->world->ranks;
    return 0;
}

FAKE_NCCL(ncclCommUserRank, (const void *handle, int *rank))
{
    MAY_FAIL(((const comm *)handle)->rank);
    *rank = ((const comm *)handle)->rank;
    return 0;
}

FAKE_NCCL(ncclCommCuDevice, (const void *handle, int *device))
{
    MAY_FAIL(((const comm *)handle)->rank);
    *device = ((const comm *)handle)->rank;
    return 0;
}

FAKE_NCCL(ncclCommGetAsyncError, (void *handle, int *error))
{
    const comm *const c = handle;
    MAY_FAIL(c->rank);
    *error = fake_nccl.async_result && fake_nccl.async_rank == c->rank &&
                     c->groups > fake_nccl.async_after
                 ? fake_nccl.async_result
             : fake_nccl.stays == 1 + c->rank ? IN_PROGRESS
                                              : 0;
    return 0;
}

/* ---- registration: a version without it is made with FAKE_NCCL_OLD ---------------------------- */

#ifndef FAKE_NCCL_OLD
typedef struct registration {
    struct registration *next;
    const comm *comm;
    unsigned char *memory;
    size_t bytes;
} registration;

static registration *registrations; /* under the lock */

FAKE_NCCL(ncclCommRegister, (const void *handle, void *memory, size_t bytes, void **made))
{
    MAY_FAIL(((const comm *)handle)->rank);
    int twice = 0;
    registration *const r = malloc(sizeof *r);
    if (!r || !memory || !bytes || ((const comm *)handle)->aborted) {
        free(r);
        return INVALID_ARGUMENT;
    }
    pthread_mutex_lock(&lock);
    for (const registration *o = registrations; o; o = o->next)
        twice |= o->comm == handle && o->memory < (unsigned char *)memory + bytes &&
                 (unsigned char *)memory < o->memory + o->bytes;
    *r = (registration){registrations, handle, memory, bytes};
    if (!twice) {
        registrations = r;
        ++fake_nccl.registered;
        ++fake_nccl.registrations;
    }
    pthread_mutex_unlock(&lock);
    if (twice) free(r);
    else *made = r;
    return twice ? INVALID_USAGE : 0;
}

FAKE_NCCL(ncclCommDeregister, (const void *handle, void *made))
{
    MAY_FAIL(((const comm *)handle)->rank);
    pthread_mutex_lock(&lock);
    registration **at = &registrations;
    while (*at && (*at != made || (*at)->comm != handle)) at = &(*at)->next;
    registration *const found = *at;
    if (found) {
        *at = found->next;
        --fake_nccl.registered;
    }
    pthread_mutex_unlock(&lock);
    free(found);
    return found ? 0 : INVALID_ARGUMENT;
}

/* What a communicator knew ends with it. Under the lock. */
static void forget(const comm *c)
{
    for (registration **at = &registrations; *at;) {
        registration *const r = *at;
        if (r->comm != c) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        --fake_nccl.registered;
        free(r);
    }
}
#else
static void forget(const comm *c) { (void)c; }
#endif

/* ---- groups ---------------------------------------------------------------------------------- */

static int add_part(comm *c, void *stream, part p)
{
    group *g = NULL;
    for (int i = 0; i < open_count; ++i)
        if (open_groups[i].comm == c && open_groups[i].stream == stream) g = &open_groups[i];
    if (!g) {
        if (open_count == GROUPS) return INVALID_USAGE;
        g = &open_groups[open_count++];
        *g = (group){c, stream, malloc(PARTS * sizeof *g->parts), 0, 0};
    }
    if (g->count == PARTS) return INVALID_USAGE;
    g->parts[g->count++] = p;
    return 0;
}

FAKE_NCCL(ncclGroupStart, (void))
{
    MAY_FAIL(-1);
    ++depth;
    return 0;
}

/* The part of a group of the peer that belongs to p, or NULL. Under the lock. */
static part *other_end(const group *g, const part *p)
{
    for (int i = 0; i < PARTS; ++i) {
        const group *const o = begun[i];
        if (!o || o->comm->world != g->comm->world || o->comm->rank != p->peer) continue;
        for (int k = 0; k < o->count; ++k) {
            part *const q = &o->parts[k];
            if (!q->done && q->peer == g->comm->rank && q->is_send != p->is_send &&
                q->number == p->number)
                return q;
        }
    }
    return NULL;
}

/* Moves what has met; whether all has. Under the lock. */
static int meet(group *g)
{
    int left = 0;
    for (int k = 0; k < g->count; ++k) {
        part *const p = &g->parts[k];
        part *const q = p->done ? NULL : other_end(g, p);
        if (q && q->bytes != p->bytes)
            __atomic_add_fetch(&fake_nccl.mismatches, 1, __ATOMIC_RELAXED);
        if (q && q->bytes == p->bytes) {
            memmove(p->is_send ? q->at : p->at, p->is_send ? p->at : q->at, p->bytes);
            p->done = q->done = 1;
        }
        left += !p->done;
    }
    return left == 0;
}

/* Whether a group has ended; its stream has come to it. */
static int is_over(void *data)
{
    group *const g = *(group **)data;
    if (fake_nccl.hangs == g->comm->rank + 1 && !g->comm->aborted) return 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < PARTS && !g->has_begun; ++i) {
        if (begun[i]) continue;
        begun[i] = g;
        g->has_begun = 1;
    }
    const int over = meet(g) || g->comm->aborted;
    pthread_mutex_unlock(&lock);
    return over;
}

static int end(void *data)
{
    group *const g = *(group **)data;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < PARTS; ++i)
        if (begun[i] == g) begun[i] = NULL;
    pthread_mutex_unlock(&lock);
    free(g->parts);
    free(g);
    return 0;
}

typedef int put_function(void *stream, int (*run)(void *data), int (*ready)(void *data),
                         const void *data, size_t bytes);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static put_function *put;

static void find_put(void)
{
    void *const driver = dlopen(getenv("FAKE_CUDA"), RTLD_NOW | RTLD_LOCAL);
    if (driver) *(void **)&put = dlsym(driver, "fake_stream_put");
    if (!put) abort();
}

/* Puts a group in its stream. */
static int start(const group *g)
{
    group *const kept = malloc(sizeof *kept);
    if (!kept) abort();
    pthread_once(&once, find_put);
    *kept = *g;
    ++g->comm->groups;
    __atomic_add_fetch(&fake_nccl.groups, 1, __ATOMIC_RELAXED);
    for (int k = 0; k < g->count; ++k) {
        const part *const p = &g->parts[k];
        if (!p->is_send || p->peer == g->comm->rank) continue;
        __atomic_add_fetch(&fake_nccl.sends, 1, __ATOMIC_RELAXED);
        __atomic_add_fetch(&fake_nccl.bytes[g->comm->rank], (int64_t)p->bytes, __ATOMIC_RELAXED);
    }
    return put(g->stream, end, is_over, &kept, sizeof kept) ? 1 : 0;
}

/* The result of a group that does not end. */
static int stay(group *g)
{
    free(g->parts);
    while (fake_nccl.blocks && !__atomic_load_n(&g->comm->aborted, __ATOMIC_SEQ_CST)) sched_yield();
    return IN_PROGRESS;
}

FAKE_NCCL(ncclGroupEnd, (void))
{
    int bad = 0;
    if (depth == 0) return INVALID_USAGE;
    if (--depth > 0) return 0;
    for (int i = 0; i < open_count; ++i) {
        const int failed = fails(__func__, open_groups[i].comm->rank) ? fake_nccl.result : 0;
        if (failed) free(open_groups[i].parts);
        const int stays = fake_nccl.stays == 1 + open_groups[i].comm->rank;
        const int result = failed ? failed : stays ? stay(&open_groups[i]) : start(&open_groups[i]);
        if (!bad) bad = result;
    }
    open_count = 0;
    return bad;
}

static int put_part(comm *c, part p, void *stream)
{
    if (p.peer < 0 || p.peer >= c->world->ranks || (p.bytes && !p.at)) return INVALID_ARGUMENT;
    p.number = p.is_send ? c->sent[p.peer]++ : c->received[p.peer]++;
    ++depth;
    const int bad = add_part(c, stream, p);
    if (bad) {
        --depth;
        return bad;
    }
    return ncclGroupEnd();
}

FAKE_NCCL(ncclSend, (const void *src, size_t count, int type, int peer, void *handle, void *stream))
{
    MAY_FAIL(((comm *)handle)->rank);
    if (type != 1) return INVALID_ARGUMENT;
    return put_part(handle, (part){1, peer, 0, 0, (void *)(uintptr_t)src, count}, stream);
}

FAKE_NCCL(ncclRecv, (void *dst, size_t count, int type, int peer, void *handle, void *stream))
{
    MAY_FAIL(((comm *)handle)->rank);
    if (type != 1) return INVALID_ARGUMENT;
    return put_part(handle, (part){0, peer, 0, 0, dst, count}, stream);
}
