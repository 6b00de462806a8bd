/**
 * How long launches take, in turn with each other.
 */
#ifndef CUTLET_BENCH_COMMAND_TIMING_H
#define CUTLET_BENCH_COMMAND_TIMING_H

#include "cutlet/host/cuda.h"

enum { BENCH_WARMUPS = 3, BENCH_RUNS = 20, BENCH_RUNS_MOST = 1000 };

/** Seconds of one launch: the median over the runs, the least, the most. */
typedef struct bench_times {
    double median, least, most;
} bench_times;

/** Something that is timed. queue() queues it once; turn counts from 0, one for each time. */
typedef struct bench_work {
    int (*queue)(ct_cuda *gpu, void *user, int64_t turn);
    void *user;
    int32_t launches; /* one run queues it so many times, back to back */
    int64_t turn;
} bench_work;

/**
 * Times works: in each round every one of them twice, one after another, of which the second
 * counts, for it comes behind one of its own kind. BENCH_WARMUPS rounds do not count.
 *
 * Ensures:  0 and times[w]; or -1 and the reason in ct_cuda_error(gpu).
 */
int bench_time(ct_cuda *gpu, bench_work *works, int32_t count, int32_t runs, bench_times *times);

#endif
