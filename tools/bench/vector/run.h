/**
 * `cutlet-bench vector`: what narrow and wide accesses are worth to kernels that compute.
 */
#ifndef CUTLET_TOOLS_BENCH_VECTOR_RUN_H
#define CUTLET_TOOLS_BENCH_VECTOR_RUN_H

#include <stdio.h>

#include "../harness/device.h"
#include "../harness/harness.h"
#include "cases.h"
#include "cub.h"

enum { VECTOR_MOST = 32 };

/** What became of a case. */
typedef struct vector_result {
    bench_result is;
    int64_t elements;
    int32_t sets;          /* of arrays, used in turn, so that caches do not hold them */
    int32_t launches;      /* back to back in one run */
    double memcpy_seconds; /* of the driver's copy of its array, in turn */
} vector_result;

typedef struct vector_report {
    bench_about is;
    int32_t shift;                     /* as wished */
    vector_result result[VECTOR_MOST]; /* of vector_cases[i] */
    char cub[24]; /* the version of CUB whose sum was run; empty: none, or not known */
} vector_report;

/** What is asked for. */
typedef struct vector_wish {
    int64_t mib;      /* of each array; 0: as in vector_groups */
    const char *only; /* names of groups with commas between; NULL: all */
    int32_t runs;
    int32_t shift;  /* of the sources of element-wise kernels: bytes past an aligned address */
    bench_cub *cub; /* CUB's sum; NULL: not beside ours */
} vector_wish;

/** Whether a case was run at all. */
int vector_any(const vector_report *r);

/** Rates in GB/s; 0: none. Speedups over the case that a case is measured by; 0: none. */
double vector_rate(const vector_report *r, int32_t at);
double vector_memcpy_rate(const vector_report *r, int32_t at);
double vector_speedup(const vector_report *r, int32_t at);
double vector_claimed_speedup(int32_t at);

/** Measures on a GPU, or where that is NULL counts on the CPU grid. 0; 1 when a result was wrong,
 *  after a line on stderr; or -1 and one line. */
int vector_measure(vector_report *r, ct_cuda *gpu, const vector_wish *wish,
                   char error[CT_MESSAGE_BYTES]);

/** The table for a terminal. */
void vector_print(const vector_report *r, FILE *stream);

/** The same as tab-separated values, on stdout. */
void vector_tsv(const vector_report *r);

#endif
