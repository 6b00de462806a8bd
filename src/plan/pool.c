/* A job at a time: its tasks are taken in turn by the caller and the threads that wait for jobs. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* for sched_getaffinity */
#endif
#include "pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

enum { THREADS_MAX = 256 };

typedef struct job {
    void (*work)(void *user, int64_t task);
    void *user;
    int64_t tasks, next; /* next is atomic */
    int32_t wanted;      /* threads that may still join */
    int32_t inside;      /* threads that have joined and not left */
} job;

static struct pool {
    pthread_mutex_t mutex, busy; /* busy is held by whoever has given the job */
    pthread_cond_t given, left;
    job *job;
    int32_t workers;
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
          PTHREAD_COND_INITIALIZER, NULL, 0};

int32_t ct_pool_threads(void)
{
    const char *asked = getenv("CUTLET_THREADS");
    char *end = NULL;
    const long n = asked ? strtol(asked, &end, 10) : 0;
    if (n >= 1 && n <= THREADS_MAX && *end == 0) return (int32_t)n;
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

static void *wait_for_jobs(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.mutex);
    for (;;) {
        while (!pool.job || pool.job->wanted == 0) pthread_cond_wait(&pool.given, &pool.mutex);
        job *const j = pool.job;
        --j->wanted;
        ++j->inside;
        pthread_mutex_unlock(&pool.mutex);
        do_tasks(j);
        pthread_mutex_lock(&pool.mutex);
        if (--j->inside == 0) pthread_cond_signal(&pool.left);
    }
    return NULL;
}

/* A child of fork has none of the threads, and whatever state the locks were in. */
static void begin_anew(void)
{
    const struct pool empty = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                               PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};
    pool = empty;
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, begin_anew); }

/* Starts threads until there are so many; signals are left to the threads of the program. */
static void start_workers(int32_t wanted)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    sigset_t all, before;
    pthread_t thread;
    pthread_once(&once, watch_forks);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool.workers < wanted && pthread_create(&thread, NULL, wait_for_jobs, NULL) == 0) {
        pthread_detach(thread);
        ++pool.workers;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void ct_pool_run(int32_t threads, int64_t tasks, void (*work)(void *user, int64_t task), void *user)
{
    job j = {work, user, tasks, 0, 0, 0};
    if (threads > tasks) threads = (int32_t)tasks;
    if (threads < 2 || pthread_mutex_trylock(&pool.busy) != 0) {
        do_tasks(&j);
        return;
    }
    if (pool.workers < threads - 1) start_workers(threads - 1);
    pthread_mutex_lock(&pool.mutex);
    j.wanted = threads - 1 < pool.workers ? threads - 1 : pool.workers;
    pool.job = &j;
    pthread_cond_broadcast(&pool.given);
    pthread_mutex_unlock(&pool.mutex);
    do_tasks(&j);
    pthread_mutex_lock(&pool.mutex);
    pool.job = NULL; /* nobody joins any more */
    while (j.inside > 0) pthread_cond_wait(&pool.left, &pool.mutex);
    pthread_mutex_unlock(&pool.mutex);
    pthread_mutex_unlock(&pool.busy);
}
