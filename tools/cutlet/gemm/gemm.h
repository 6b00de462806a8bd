/**
 * cutlet gemm: what is asked for, the product that comes of it, and those that compute it.
 */
#ifndef CUTLET_TOOLS_GEMM_GEMM_H
#define CUTLET_TOOLS_GEMM_GEMM_H

#include <cutlet/host/cuda.h>
#include <cutlet/host/plan.h>
#include "device/gemm/epilogue_args.h"
#include "io/npy_header.h"

/** What computes the product. */
enum { CT_GEMM_AUTO, CT_GEMM_GPU, CT_GEMM_GRID, CT_GEMM_CPU };

/** Which matrix instructions: what fits, or one of them. */
enum { CT_GEMM_BY_ANY, CT_GEMM_BY_WGMMA, CT_GEMM_BY_MMA_SYNC };

/** The most multiply-adds that the CPU grid is given unasked. */
#define CT_GEMM_GRID_MOST ((int64_t)1 << 22)

/** The vectors of an epilogue. */
enum { CT_GEMM_BIAS, CT_GEMM_SCALE_ROWS, CT_GEMM_SCALE_COLS, CT_GEMM_VECTORS };

/** What the command line says. */
typedef struct ct_gemm_options {
    const char *a, *b, *c, *output;      /* c: NULL without one */
    const char *vector[CT_GEMM_VECTORS]; /* files; NULL without one */
    int32_t activation;                  /* GEMM_RELU and so on */
    const char *type;                    /* of the elements; NULL: what the files say */
    int32_t on, by;                      /* CT_GEMM_..., CT_GEMM_BY_... */
    int32_t transpose_b, tf32, no_verify, has_beta, json;
    float alpha, beta;
} ct_gemm_options;

/** The elements of A and B, and those of C and D that come of them. */
typedef struct ct_gemm_type {
    const char *name;
    char kind;                         /* as in NumPy; V has to be named */
    int32_t bytes, type;               /* of A and B; CT_TYPE_... */
    const char *result, *result_descr; /* of C and D */
    int32_t result_bytes;
} ct_gemm_type;

/** A matrix as a file has it. */
typedef struct ct_gemm_matrix {
    ct_npy file;
    ct_layout layout; /* (row, column) -> element */
} ct_gemm_matrix;

/** D = activation(scale_rows[i] scale_cols[j] alpha (A B) + beta C + bias[j]). A is (m,k), B is seen as (n,k); C and D are (m,n). */
typedef struct ct_gemm_job {
    const ct_gemm_type *type;
    int64_t m, n, k;
    ct_gemm_matrix a, b, c;         /* c is empty unless beta is not 0 */
    ct_npy vector[CT_GEMM_VECTORS]; /* without data where there is none */
    int32_t activation;
    float alpha, beta;
    int32_t tf32, on;              /* on: GPU, GRID or CPU */
    int32_t by_wgmma;              /* not by mma.sync or fused multiply-adds */
    void *d;                       /* row-major, from malloc */
    ct_cuda *gpu;                  /* NULL unless it is used */
    char no_gpu[CT_MESSAGE_BYTES]; /* why not, where nothing was asked for; else empty */
} ct_gemm_job;

/** What came of a product. */
typedef struct ct_gemm_result {
    char where[192]; /* "gemm_simt on NVIDIA H200" */
    double seconds;
} ct_gemm_result;

/** What came of the comparison with a product in double. */
typedef struct ct_gemm_check {
    int64_t checked, wrong; /* elements */
    int64_t at[2];          /* the first wrong one, ... */
    double found, right;    /* ... what it is and what it should be */
    double largest;         /* difference */
} ct_gemm_check;

/** A matrix in memory of its own, rows contiguous. */
typedef struct ct_gemm_rows {
    void *at;     /* from malloc */
    int64_t step; /* elements from row to row */
    int64_t bytes;
} ct_gemm_rows;

/** Reads the files and sees that they fit. */
ct_status ct_gemm_prepare(const ct_gemm_options *o, ct_gemm_job *job, char *error);

/** Gives back all that the job has. */
void ct_gemm_release(ct_gemm_job *job);

/** Copies a matrix to rows that begin at multiples of `align_bytes`: elements of a type as floats,
 *  or as they are (CT_TYPE_RAW). */
ct_status ct_gemm_arrange(const ct_gemm_matrix *m, int32_t type, int64_t align_bytes,
                          ct_gemm_rows *rows, char *error);

/** Reads the vectors of the epilogue; sees that they fit, and that the type has such an epilogue. */
ct_status ct_gemm_read_epilogue(const ct_gemm_options *o, ct_gemm_job *job, char *error);

/** The epilogue for kernels, with its vectors at these addresses. */
gemm_epilogue ct_gemm_epilogue(const ct_gemm_job *job, void *const *vectors);

/** The factor of the product's element (i,j), and what is added to it: beta C[i,j] + bias[j]. */
double ct_gemm_factor(const ct_gemm_job *job, const int64_t *at);
double ct_gemm_addend(const ct_gemm_job *job, const int64_t *at);

/** Element (i,j) of an int8 product, from its sum modulo 2^32. */
int32_t ct_gemm_integer(const ct_gemm_job *job, const int64_t *at, uint32_t sum);

/** The activation of x. */
double ct_gemm_activated(int32_t activation, double x);

/** Whether wgmma can compute the product where job->on says; if not, why: `is of sm_90a alone`. */
int ct_gemm_takes_wgmma(const ct_gemm_job *job, char *why);

/** Compute job->d, which they take. */
ct_status ct_gemm_on_wgmma(ct_gemm_job *job, ct_gemm_result *run, char *error);
ct_status ct_gemm_on_kernels(ct_gemm_job *job, ct_gemm_result *run, char *error);
ct_status ct_gemm_on_cpu(ct_gemm_job *job, ct_gemm_result *run, char *error);

/** Compares job->d with a product of the files' elements in double, exact for int8: every element,
 *  or where that takes long some at random in every tile. */
void ct_gemm_compare(const ct_gemm_job *job, ct_gemm_check *check);

/** Element i of an array, as a double. */
double ct_gemm_value(const void *at, int64_t i, int32_t type);

#endif
