/* The threads that copies share: each job gets its own, also while others run. */
#include "test.h"

#include <pthread.h>
#include <time.h>

#include "base/pool.h"

enum { CALLERS = 5, THREADS = 4, SECONDS = 20 };

/* Tasks that are over when this many are in hand at the same time, or after some seconds. */
typedef struct meeting {
    pthread_mutex_t mutex;
    pthread_cond_t came;
    int expected, here, missed;
} meeting;

static void meet(void *user, int64_t task)
{
    meeting *const m = user;
    struct timespec end;
    (void)task;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += SECONDS;
    pthread_mutex_lock(&m->mutex);
    ++m->here;
    pthread_cond_broadcast(&m->came);
    while (m->here < m->expected && !m->missed)
        m->missed |= pthread_cond_timedwait(&m->came, &m->mutex, &end) != 0;
    pthread_cond_broadcast(&m->came);
    pthread_mutex_unlock(&m->mutex);
}

static void *call(void *user)
{
    ct_pool_run(THREADS, THREADS, meet, user);
    return NULL;
}

/* Every task of every job has a thread. */
TEST(test_at_the_same_time)
{
    meeting m = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, CALLERS * THREADS, 0, 0};
    pthread_t thread[CALLERS];
    for (int i = 0; i < CALLERS; ++i)
        assert_int_equal(pthread_create(&thread[i], NULL, call, &m), 0);
    for (int i = 0; i < CALLERS; ++i) pthread_join(thread[i], NULL);
    assert_int_equal(m.missed, 0);
    assert_int_equal(m.here, CALLERS * THREADS);
}

static void count(void *user, int64_t task)
{
    unsigned char *const done = user;
    __atomic_add_fetch(&done[task], 1, __ATOMIC_RELAXED);
}

static void *call_often(void *user)
{
    enum { TASKS = 100, TIMES = 300 };
    (void)user;
    for (int i = 0; i < TIMES; ++i) {
        unsigned char done[TASKS] = {0};
        ct_pool_run(1 + i % 9, TASKS, count, done);
        for (int k = 0; k < TASKS; ++k)
            if (done[k] != 1) return "a task was not done once";
    }
    return NULL;
}

/* Each task is done once, whoever does it, and no job touches another's. */
TEST(test_once)
{
    pthread_t thread[CALLERS];
    for (int i = 0; i < CALLERS; ++i)
        assert_int_equal(pthread_create(&thread[i], NULL, call_often, NULL), 0);
    for (int i = 0; i < CALLERS; ++i) {
        void *wrong;
        pthread_join(thread[i], &wrong);
        assert_null(wrong);
    }
}

/* More threads than there may be: all tasks are done nevertheless. */
TEST(test_many)
{
    enum { TASKS = 3000 };
    unsigned char done[TASKS] = {0};
    ct_pool_run(1000, TASKS, count, done);
    for (int k = 0; k < TASKS; ++k) assert_int_equal(done[k], 1);
}

GROUP("pool", NULL, NULL)
