/**
 * What cutlet-bench-gpu prints, and writes as tab-separated values.
 */
#ifndef CUTLET_BENCH_GPU_TABLE_H
#define CUTLET_BENCH_GPU_TABLE_H

#include "device.h"
#include "options.h"
#include "report.h"

/** Where rows go, and what they are about. */
typedef struct bench_table {
    const bench_options *options;
    bench_device device;
    FILE *tsv; /* NULL: none */
} bench_table;

/** Times of a job, and what it is timed beside. */
typedef struct bench_measured {
    bench_times own, driver, beside; /* beside: all 0 where there is none */
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
