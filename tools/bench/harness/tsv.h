/**
 * Runs as tab-separated values: lines `# name: value`, a line of columns, a row for each result.
 */
#ifndef CUTLET_TOOLS_BENCH_HARNESS_TSV_H
#define CUTLET_TOOLS_BENCH_HARNESS_TSV_H

#include "device.h"
#include "harness.h"

/** A line `# name: value`; none where the value is empty. */
void bench_tsv_about(const char *name, const char *value);

/** What every run says of itself, and which benchmark it is. */
void bench_tsv_run(const char *bench, const bench_about *about);

/** The line of columns: a benchmark's own, those of bench_tsv_result, and on a GPU `of_gpu`. */
void bench_tsv_columns(const char *own, const char *of_gpu, int on_gpu);

/** Whether a result is right, and its times on a GPU, else its counts; each after a tab. */
void bench_tsv_result(const bench_result *result, int on_gpu);

/** A figure after a tab; nothing stands there where it is 0, which is not known. */
void bench_tsv_figure(double figure);

#endif
