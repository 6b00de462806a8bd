/**
 * cutlet gemm: what is asked for, the files, and the comparison of the result.
 */
#ifndef CUTLET_TOOLS_GEMM_GEMM_H
#define CUTLET_TOOLS_GEMM_GEMM_H

#include <cutlet/host/gemm.h>

#include "io/npy_header.h"

/** What computes the product. */
enum { CT_GEMM_AUTO, CT_GEMM_GPU, CT_GEMM_GRID, CT_GEMM_CPU };

/** The most multiply-adds that the CPU grid is given unasked. */
#define CT_GEMM_GRID_MOST ((int64_t)1 << 22)

/** The files beside A and B: C, and the vectors of an epilogue. */
enum { CT_GEMM_C, CT_GEMM_BIAS, CT_GEMM_SCALE_ROWS, CT_GEMM_SCALE_COLS, CT_GEMM_FILES };

/** What the command line says. */
typedef struct ct_gemm_options {
    const char *a, *b, *output, *file[CT_GEMM_FILES]; /* NULL without one */
    const char *type;           /* of the elements; NULL: what the files say */
    int32_t on, by, activation; /* CT_GEMM_..., CT_GEMM_BY_..., CT_ACTIVATION_... */
    int32_t effort;             /* CT_EFFORT_... */
    int32_t transpose_b, tf32, no_verify, has_beta, json;
    float alpha, beta;
} ct_gemm_options;

/** The elements of the files of A and B, and those of C and D that come of them. */
typedef struct ct_gemm_elements {
    const char *name;
    char kind;                         /* as in NumPy; V and u have to be named */
    int32_t bytes, type;               /* of A and B; CT_TYPE_... */
    const char *result, *result_descr; /* of C and D */
    char result_kind;
    int32_t result_bytes;
} ct_gemm_elements;

/** A product of files. */
typedef struct ct_gemm_job {
    const ct_gemm_elements *type;
    int64_t m, n, k;
    ct_npy a, b, file[CT_GEMM_FILES]; /* a file that is not given has no data */
    ct_gemm_desc desc;
    ct_gemm_plan *plan;            /* of the files */
    ct_gemm_operands on;           /* in the host's memory; d is from malloc, row-major */
    int32_t where, effort;         /* GPU, GRID or CPU; CT_EFFORT_... of the plan that runs */
    ct_cuda *gpu;                  /* NULL unless it is used */
    char no_gpu[CT_MESSAGE_BYTES]; /* why not, where nothing was asked for; else empty */
} ct_gemm_job;

/** What came of a product. */
typedef struct ct_gemm_result {
    char where[400]; /* "gemm_simt on NVIDIA H200" */
    double seconds;
} ct_gemm_result;

/** What came of the comparison with a product in double. */
typedef struct ct_gemm_check {
    int64_t checked, wrong; /* elements */
    int64_t at[2];          /* the first wrong one, ... */
    double found, right;    /* ... what it is and what it should be */
    double largest;         /* difference */
} ct_gemm_check;

/** Reads the files, sees that they fit, and plans the product. */
ct_status ct_gemm_prepare(const ct_gemm_options *o, ct_gemm_job *job, char *error);

/** Runs the plan, timed: on a GPU the median of several runs. */
ct_status ct_gemm_compute(ct_gemm_job *job, ct_gemm_result *run, char *error);

/** Gives back all that the job has. */
void ct_gemm_release(ct_gemm_job *job);

/** Compares D with a product of the elements in double, exact for int8: every element, or where that takes long some at
 *  random in every tile. All operands are in the host's memory. */
void ct_gemm_compare(const ct_gemm_plan *plan, const ct_gemm_operands *on, ct_gemm_check *check);

#endif
