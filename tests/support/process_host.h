/**
 * A host engine whose ranks are processes that were forked from one: records in memory that they share.
 */
#ifndef CUTLET_TESTS_PROCESS_HOST_H
#define CUTLET_TESTS_PROCESS_HOST_H

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <cutlet/host/engine.h>

enum { PROCESS_RANKS = 8 };

typedef struct process_group {
    int ranks, failed;
    long arrived; /* at all gathers together */
    char why[CT_MESSAGE_BYTES];
    unsigned char record[2][PROCESS_RANKS][CT_ENGINE_RECORD]; /* of two gathers in turn */
} process_group;

/** Before the fork. */
static inline process_group *process_group_make(int ranks)
{
    process_group *const g =
        mmap(NULL, sizeof *g, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (g == MAP_FAILED) return NULL;
    g->ranks = ranks;
    return g;
}

static inline double process_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void process_fail(ct_engine *e, const char *message)
{
    process_group *const g = e->state;
    if (!__atomic_exchange_n(&g->failed, 1, __ATOMIC_SEQ_CST))
        snprintf(g->why, sizeof g->why, "%s", message);
}

static inline ct_status process_failed(ct_engine *e, char *message)
{
    process_group *const g = e->state;
    if (!__atomic_load_n(&g->failed, __ATOMIC_SEQ_CST)) return CT_OK;
    if (message) snprintf(message, CT_MESSAGE_BYTES, "%s", g->why);
    return CT_E_FAILED;
}

static inline ct_status process_gather(ct_engine *e, const void *mine, void *all, size_t bytes,
                                       double limit, char *message)
{
    static long number; /* of this process's one engine */
    process_group *const g = e->state;
    const double begun = process_seconds();
    unsigned char(*const area)[CT_ENGINE_RECORD] = g->record[++number % 2];
    memcpy(area[e->rank], mine, bytes);
    __atomic_add_fetch(&g->arrived, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&g->arrived, __ATOMIC_SEQ_CST) < number * g->ranks) {
        if (process_failed(e, message)) return CT_E_FAILED;
        if (process_seconds() - begun > limit) {
            process_fail(e, "a process did not come");
            return process_failed(e, message);
        }
        sched_yield();
    }
    for (int i = 0; i < g->ranks; ++i) memcpy((char *)all + (size_t)i * bytes, area[i], bytes);
    return CT_OK;
}

/** In the process of a rank: its one engine. */
static inline ct_engine process_engine(process_group *g, int rank)
{
    return (ct_engine){.name = "processes",
                       .state = g,
                       .rank = rank,
                       .ranks = g->ranks,
                       .gather = process_gather,
                       .failed = process_failed,
                       .fail = process_fail};
}

#endif
