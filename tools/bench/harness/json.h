/**
 * Runs as JSON, written and read back.
 */
#ifndef CUTLET_TOOLS_BENCH_HARNESS_JSON_H
#define CUTLET_TOOLS_BENCH_HARNESS_JSON_H

#include <jansson.h>

#include "device.h"
#include "harness.h"
#include "report.h"

/** Reads the run of a benchmark (width, vector) from a file; or NULL and one line. */
json_t *bench_json_load(const char *path, const char *bench, char error[CT_MESSAGE_BYTES]);

/** What a field of a row is. From BENCH_SECONDS on they are read back. */
enum {
    BENCH_WORDS,   /* a const char *, not known where it is NULL or empty */
    BENCH_FIGURE,  /* a double, not known where it is 0 */
    BENCH_SECONDS, /* the same */
    BENCH_COUNT,   /* an int32_t, not negative */
    BENCH_LONG     /* an int64_t, not negative */
};

/** A field: where in the row's structure it lies. */
typedef struct bench_field {
    const char *name;
    int kind;
    size_t at;
} bench_field;

/** Adds the fields of a row to an object, null where one is not known. 0 or -1. */
int bench_json_add(json_t *object, const bench_field *fields, int count, const void *row);

/**
 * Reads those fields that a run stores; 0 where they are null or missing.
 *
 * Fails:    a number that is negative or beyond 2^50 (a count: 2^30), a time that no clock tells
 *           (not 0, below 10^-12 s), what is of another type. -1.
 */
int bench_json_read(json_t *object, const bench_field *fields, int count, void *row);

/** Whether a result is right, and its times on a GPU, else its counts. 0 or -1. */
int bench_json_add_result(json_t *object, const bench_result *result, int on_gpu);
int bench_json_read_result(json_t *object, bench_result *result);

/** Copies a string of an object; empty where it is null or missing. 0 or -1. */
int bench_json_text(json_t *object, const char *key, char *text, size_t size);

/** A run as JSON: its name, what all runs have, and its results, which it takes; or NULL. */
json_t *bench_json_run(const char *bench, const bench_about *about, json_t *results);

/** Reads what all runs have. The results, an array; or NULL and one line. */
json_t *bench_json_read_run(json_t *from, bench_about *about, char error[CT_MESSAGE_BYTES]);

#endif
