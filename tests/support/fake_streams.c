/* Streams and events of the fake driver; see fake_cuda.h. Unless they are deferred, work has run when it
 * was put in a stream, and an event keeps the time. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake_inside.h"

enum { CAPTURE_IMPLICIT = 906, NOT_READY = 600, STREAMS = 256 };

/* Work of a stream. */
typedef struct work {
    struct work *next;
    void *context;
    int (*run)(void *data), (*ready)(void *data);
    unsigned char data[];
} work;

/* A stream; what has no handle is one of each context. */
typedef struct queue {
    void *context, *handle; /* of a slot that is free both are NULL */
    work *first, **last;
    int is_destroyed; /* it goes when its work has run */
    int failed;       /* the first result that is not 0: the stream stops there */
} queue;

/* An event: how often it was recorded, and how many of these its streams have come to. */
typedef struct event {
    double clock;
    unsigned long recorded, reached;
    int uses;
} event;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static queue queues[STREAMS];

/* ---- queues ---------------------------------------------------------------------------------- */

/* The queue of a stream, a new one if need be. Under the lock. */
static queue *queue_of(void *stream)
{
    void *const context = stream ? NULL : fake_context();
    queue *unused = NULL;
    for (int i = 0; i < STREAMS; ++i) {
        queue *const q = &queues[i];
        if (q->last && q->handle == stream && q->context == context) return q;
        if (!q->last && !unused) unused = q;
    }
    if (!unused) abort();
    *unused = (queue){.context = context, .handle = stream};
    unused->last = &unused->first;
    return unused;
}

static int is_runnable(const queue *q)
{
    return q->last && q->first && !q->failed &&
           (!q->first->ready || q->first->ready(q->first->data));
}

/* Frees a stream, and work after a failure. */
static void drop_queue(queue *q)
{
    while (q->first) {
        work *const w = q->first;
        q->first = w->next;
        free(w);
    }
    free(q->handle);
    *q = (queue){0};
}

/* Runs the first work of a stream that chance picks. Under the lock; 0 where none can go on. */
static int run_one(void)
{
    int count = 0;
    queue *picked = NULL;
    for (int i = 0; i < STREAMS; ++i) {
        if (!is_runnable(&queues[i])) continue;
        ++count;
        fake_cuda.order = fake_cuda.order * 6364136223846793005u + 1442695040888963407u;
        if ((fake_cuda.order >> 33) % (unsigned)count == 0) picked = &queues[i];
    }
    if (!picked) return 0;
    work *const w = picked->first;
    fake_context_begin(w->context);
    picked->failed = w->run(w->data);
    fake_context_end();
    picked->first = w->next;
    if (!picked->first) picked->last = &picked->first;
    free(w);
    if (picked->is_destroyed && (!picked->first || picked->failed)) drop_queue(picked);
    return 1;
}

int fake_stream_put(void *stream, int (*run)(void *data), int (*ready)(void *data),
                    const void *data, size_t bytes)
{
    work *const w = calloc(1, sizeof *w + bytes);
    if (!w) return 2;
    w->context = fake_context();
    w->run = run;
    w->ready = ready;
    memcpy(w->data, data, bytes);
    if (!fake_cuda.deferred) {
        const int bad = run(w->data);
        free(w);
        return bad;
    }
    pthread_mutex_lock(&lock);
    queue *const q = queue_of(stream);
    const int failed = q->failed;
    if (!failed) {
        *q->last = w;
        q->last = &w->next;
    }
    pthread_mutex_unlock(&lock);
    if (failed) free(w);
    return failed;
}

void fake_streams_settle(void)
{
    pthread_mutex_lock(&lock);
    while (run_one()) continue;
    pthread_mutex_unlock(&lock);
}

/* Runs one piece of work, or lets others put some; whether it ran one. */
static int step(void)
{
    const struct timespec moment = {0, 100000};
    pthread_mutex_lock(&lock);
    const int ran = run_one();
    pthread_mutex_unlock(&lock);
    if (!ran) nanosleep(&moment, NULL);
    return ran;
}

/* 0 where all work of a stream has run, NOT_READY, or its failure. */
static int state_of(void *stream)
{
    pthread_mutex_lock(&lock);
    queue *const q = queue_of(stream);
    const int state = q->failed ? q->failed : q->first ? NOT_READY : 0;
    pthread_mutex_unlock(&lock);
    return state;
}

/* ---- streams --------------------------------------------------------------------------------- */

FAKE(cuStreamCreate, (void **stream, unsigned flags))
{
    MAY_FAIL();
    fake_count(&fake_cuda.streams, 1);
    *stream = fake_cuda.deferred ? malloc(1) : fake_pointer(77);
    return flags == 1 ? 0 : 1;
}

FAKE(cuStreamDestroy_v2, (void *stream))
{
    fake_count(&fake_cuda.streams, -1);
    if (!stream) return 400;
    if (stream == fake_pointer(77)) return 0;
    pthread_mutex_lock(&lock);
    queue *const q = queue_of(stream);
    q->is_destroyed = 1;
    if (!q->first || q->failed) drop_queue(q);
    pthread_mutex_unlock(&lock);
    return 0;
}

FAKE(cuStreamSynchronize, (void *stream))
{
    MAY_FAIL();
    int state = 0;
    while (fake_cuda.deferred && (state = state_of(stream)) == NOT_READY) step();
    fake_cuda.timing = 0;
    fake_count(&fake_cuda.waits, 1);
    return state;
}

FAKE(cuStreamQuery, (void *stream))
{
    MAY_FAIL();
    if (!fake_cuda.deferred) return 0;
    if (state_of(stream) == NOT_READY) step();
    return state_of(stream);
}

FAKE(cuStreamIsCapturing, (void *stream, int *status))
{
    MAY_FAIL();
    *status = 0;
    return fake_cuda.captures && !stream && fake_context() ? CAPTURE_IMPLICIT : 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void let_go(event *e)
{
    if (__atomic_sub_fetch(&e->uses, 1, __ATOMIC_SEQ_CST) == 0) free(e);
}

/* A record of an event, or a stream that waits for it. */
typedef struct mark {
    event *event;
    unsigned long number;
} mark;

static int reach(void *data)
{
    const mark *const m = data;
    __atomic_store_n(&m->event->reached, m->number, __ATOMIC_SEQ_CST);
    let_go(m->event);
    return 0;
}

static int is_reached(void *data)
{
    const mark *const m = data;
    return __atomic_load_n(&m->event->reached, __ATOMIC_SEQ_CST) >= m->number;
}

static int follow(void *data)
{
    let_go(((const mark *)data)->event);
    return 0;
}

FAKE(cuEventCreate, (void **event_made, unsigned flags))
{
    MAY_FAIL();
    event *const e = calloc(1, sizeof *e);
    if (!e) return 2;
    e->uses = 1;
    fake_count(&fake_cuda.events, 1);
    *event_made = e;
    return flags == 0 || flags == 2 ? 0 : 1;
}

FAKE(cuEventDestroy_v2, (void *handle))
{
    fake_count(&fake_cuda.events, -1);
    if (handle) let_go(handle);
    return 0;
}

FAKE(cuEventRecord, (void *handle, void *stream))
{
    MAY_FAIL();
    event *const e = handle;
    if (!fake_cuda.deferred) {
        e->clock = fake_cuda.clock;
        fake_cuda.timing = 1;
        return stream ? 0 : 400;
    }
    const mark m = {e, __atomic_add_fetch(&e->recorded, 1, __ATOMIC_SEQ_CST)};
    __atomic_add_fetch(&e->uses, 1, __ATOMIC_SEQ_CST);
    return fake_stream_put(stream, reach, NULL, &m, sizeof m);
}

FAKE(cuStreamWaitEvent, (void *stream, void *handle, unsigned flags))
{
    MAY_FAIL();
    event *const e = handle;
    if (flags) return 1;
    if (!fake_cuda.deferred) return 0;
    const mark m = {e, __atomic_load_n(&e->recorded, __ATOMIC_SEQ_CST)};
    __atomic_add_fetch(&e->uses, 1, __ATOMIC_SEQ_CST);
    return fake_stream_put(stream, follow, is_reached, &m, sizeof m);
}

FAKE(cuEventQuery, (void *handle))
{
    MAY_FAIL();
    mark m = {handle, __atomic_load_n(&((event *)handle)->recorded, __ATOMIC_SEQ_CST)};
    if (!fake_cuda.deferred) return 0;
    if (!is_reached(&m)) step();
    return is_reached(&m) ? 0 : NOT_READY;
}

FAKE(cuEventSynchronize, (void *handle))
{
    MAY_FAIL();
    mark m = {handle, __atomic_load_n(&((event *)handle)->recorded, __ATOMIC_SEQ_CST)};
    while (fake_cuda.deferred && !is_reached(&m)) step();
    return 0;
}

FAKE(cuEventElapsedTime, (float *milliseconds, void *from, void *to))
{
    MAY_FAIL();
    *milliseconds = (float)(((const event *)to)->clock - ((const event *)from)->clock);
    return 0;
}
