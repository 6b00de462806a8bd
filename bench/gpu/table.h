/**
 * The arguments of cutlet-bench-gpu, and what it prints and writes as tab-separated values.
 */
#ifndef CUTLET_BENCH_GPU_TABLE_H
#define CUTLET_BENCH_GPU_TABLE_H

#include "bench.h"
#include "device.h"
#include "report.h"

/* ---- arguments ------------------------------------------------------------------------------- */

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

/* ---- output ---------------------------------------------------------------------------------- */

/** Where rows go, and what they are about. */
typedef struct bench_table {
    const bench_options *options;
    bench_device device;
    FILE *tsv; /* NULL: none */
} bench_table;

/** Times of a job, and what it is timed beside. */
typedef struct bench_measured {
    bench_times own, driver, beside; /* beside: all 0 for a job that is timed alone */
    ct_cuda_kernel kernel;
} bench_measured;

/** What was measured on, and the heads of the columns. */
void bench_print_head(const bench_table *t);

/** What the jobs of a group are about, on a line of its own. */
void bench_print_title(const char *group);

/** The figures of a job. */
void bench_print_row(const bench_table *t, const bench_list *list, const bench_job *job,
                     const bench_measured *m);

/** The jobs that are asked for, and how they are launched. */
void bench_print_jobs(const bench_options *o, const bench_list *list);

#endif
