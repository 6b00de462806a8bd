/**
 * The arguments of `cutlet-bench matrix`, and what it prints and writes as tab-separated values.
 */
#ifndef CUTLET_TOOLS_BENCH_MATRIX_TABLE_H
#define CUTLET_TOOLS_BENCH_MATRIX_TABLE_H

#include "../harness/device.h"
#include "../harness/report.h"
#include "jobs.h"

/* ---- arguments ------------------------------------------------------------------------------- */

typedef struct matrix_options {
    int64_t mib;
    int runs, warmups, device, list;
    const char *groups; /* names between commas; NULL: all */
    const char *only, *tsv, *peer;
    bench_setup setup;
} matrix_options;

/** What is assumed. */
extern const matrix_options matrix_usual;

/** Whether the job is one of those that are asked for. */
int bench_is_wanted(const matrix_options *o, const bench_job *job);

/* ---- output ---------------------------------------------------------------------------------- */

/** Where rows go, and what they are about. */
typedef struct bench_table {
    const matrix_options *options;
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
void bench_print_jobs(const matrix_options *o, const bench_list *list);

#endif
