/**
 * Runs stored as JSON, read back.
 */
#ifndef CUTLET_BENCH_COMMAND_JSON_READ_H
#define CUTLET_BENCH_COMMAND_JSON_READ_H

#include <jansson.h>
#include <stdint.h>

#include "cutlet/host/cuda.h"
#include "timing.h"

/** Reads the run of the sub-command `bench` (width, vector) from a file; or NULL and one line. */
json_t *bench_json_load(const char *path, const char *bench, char error[CT_CUDA_LINE]);

/** A number of an object that is not negative and at most 2^50; 0 where it is null or missing. -1
 *  in *bad else. */
double bench_json_number(json_t *object, const char *key, int *bad);
int64_t bench_json_integer(json_t *object, const char *key, int *bad);

/** The same, and at most 2^30. */
int32_t bench_json_count(json_t *object, const char *key, int *bad);

/** Seconds: none, or a time that a clock could tell, 10^-12 at least. */
double bench_json_seconds(json_t *object, const char *key, int *bad);

/** The times that bench_json_times wrote: seconds, seconds_least, seconds_most. */
bench_times bench_json_read_times(json_t *object, int *bad);

/** Adds them, nulls where nothing was timed. 0 or -1. */
int bench_json_times(json_t *object, const bench_times *times);

/** Copies a string of an object; empty where it is null or missing. */
void bench_json_text(json_t *object, const char *key, char *text, size_t size, int *bad);

#endif
