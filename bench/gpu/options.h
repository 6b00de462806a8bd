/**
 * The arguments of cutlet-bench-gpu.
 */
#ifndef CUTLET_BENCH_GPU_OPTIONS_H
#define CUTLET_BENCH_GPU_OPTIONS_H

#include "bench.h"

typedef struct bench_options {
    int64_t mib;
    int runs, warmups, device, list;
    const char *groups; /* names between commas; NULL: all */
    const char *only, *tsv, *peer;
    bench_setup setup;
} bench_options;

/** Reads them; ends the program where one is wrong, or help was asked for. */
bench_options bench_read_options(int argc, char **argv);

/** Whether the job is one of those that are asked for. */
int bench_is_wanted(const bench_options *o, const bench_job *job);

#endif
