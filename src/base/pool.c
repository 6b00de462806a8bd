/* Jobs, one for each caller: the caller and the threads that join it take its tasks in order. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* for sched_getaffinity */
#endif
#include "pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "number.h"

enum { THREADS_MAX = 256 };

typedef struct job {
    struct job *later; /* that was given after this one */
    void (*work)(void *user, int64_t task);
    void *user;
    int64_t tasks, next; /* next is atomic */
    int32_t helpers;     /* threads that are to join in all */
    int32_t wanted;      /* threads that may still join */
    int32_t inside;      /* threads that have joined and not left */
} job;

static struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t given, left;
    job *first;      /* of those whose tasks are not all taken */
    int32_t helpers; /* of all of them */
    int32_t workers;
} pool = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0, 0};

int32_t ct_pool_threads(void)
{
    const char *asked = getenv("CUTLET_THREADS");
    int64_t n = 0;
    if (asked && ct_number_read(asked, 1, THREADS_MAX, &n) == 0) return (int32_t)n;
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0) return 1;
    const int count = CPU_COUNT(&mask);
    return count < 1 ? 1 : count > THREADS_MAX ? THREADS_MAX : count;
}

static void do_tasks(job *j)
{
    for (;;) {
        const int64_t task = __atomic_fetch_add(&j->next, 1, __ATOMIC_RELAXED);
        if (task >= j->tasks) return;
        j->work(j->user, task);
    }
}

/* The first job that wants another thread, or NULL. */
static job *next_job(void)
{
    job *j = pool.first;
    while (j && j->wanted == 0) j = j->later;
    return j;
}

static void *wait_for_jobs(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.mutex);
    for (;;) {
        job *j;
        while (!(j = next_job())) pthread_cond_wait(&pool.given, &pool.mutex);
        --j->wanted;
        ++j->inside;
        pthread_mutex_unlock(&pool.mutex);
        do_tasks(j);
        pthread_mutex_lock(&pool.mutex);
        if (--j->inside == 0) pthread_cond_broadcast(&pool.left); /* several callers may wait */
    }
    return NULL;
}

/* A child of fork has none of the threads, and its locks may be in any state. */
static void begin_anew(void)
{
    const struct pool empty = {
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0, 0};
    pool = empty;
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, begin_anew); }

/* Starts threads until every job can have its own; signals are left to the threads of the
 * program. */
static void start_workers(void)
{
    const int32_t wanted = pool.helpers < THREADS_MAX ? pool.helpers : THREADS_MAX;
    sigset_t all, before;
    pthread_t thread;
    if (pool.workers >= wanted) return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool.workers < wanted && pthread_create(&thread, NULL, wait_for_jobs, NULL) == 0) {
        pthread_detach(thread);
        ++pool.workers;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Queues the job after earlier ones, and wakes threads for it. */
static void give(job *j)
{
    job **last = &pool.first;
    pthread_mutex_lock(&pool.mutex);
    while (*last) last = &(*last)->later;
    *last = j;
    pool.helpers += j->helpers;
    start_workers();
    pthread_cond_broadcast(&pool.given);
    pthread_mutex_unlock(&pool.mutex);
}

/* Prevents further threads from joining, and waits for those that have joined. */
static void take_back(job *j)
{
    job **at = &pool.first;
    pthread_mutex_lock(&pool.mutex);
    while (*at != j) at = &(*at)->later;
    *at = j->later;
    while (j->inside > 0) pthread_cond_wait(&pool.left, &pool.mutex);
    pool.helpers -= j->helpers;
    pthread_mutex_unlock(&pool.mutex);
}

void ct_pool_run(int32_t threads, int64_t tasks, void (*work)(void *user, int64_t task), void *user)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (threads > tasks) threads = (int32_t)tasks;
    const int32_t helpers = threads < 2 ? 0 : threads - 1;
    job j = {.work = work, .user = user, .tasks = tasks, .helpers = helpers, .wanted = helpers};
    if (helpers > 0) {
        pthread_once(&once, watch_forks);
        give(&j);
    }
    do_tasks(&j);
    if (helpers > 0) take_back(&j);
}
