/**
 * What cutlet-bench-gpu prints, and writes as tab-separated values.
 */
#ifndef CUTLET_BENCH_GPU_REPORT_H
#define CUTLET_BENCH_GPU_REPORT_H

#include <stdio.h>

#include "options.h"

/** What was measured on, and the heads of the columns; tsv may be NULL. */
void bench_print_head(const bench_options *o, ct_cuda *gpu, FILE *tsv);

/** What the jobs of a group are about, on a line of its own. */
void bench_print_title(const char *group);

/** The figures of a job. */
void bench_print_row(const bench_options *o, ct_cuda *gpu, FILE *tsv, const bench_list *list,
                     const bench_job *job, const bench_result *r);

/** The jobs that are asked for, and how they are launched. */
void bench_print_jobs(const bench_options *o, const bench_list *list);

#endif
