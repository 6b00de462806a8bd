/* Candidates on a GPU: their kernels compiled by NVRTC, verified, timed against each other. */
#ifndef CUTLET_SRC_SUGGEST_MEASURE_H
#define CUTLET_SRC_SUGGEST_MEASURE_H

#include <cutlet/host/cuda.h>

#include "code.h"

/* ---- for the command ------------------------------------------------------------------------- */

/* What became of a candidate. */
typedef struct ct_suggest_time {
    double seconds; /* the median; 0 where it was not timed */
    int32_t runs;   /* of which it is the median */
    int32_t rank;   /* by the estimate: 0 is the first */
    int32_t wrong;  /* 1: something else came out than what went in */
    char message
        [CT_MESSAGE_BYTES]; /* why there is no kernel of it, or what was wrong; empty otherwise */
} ct_suggest_time;

/* What was measured, and how. */
typedef struct ct_suggest_measured {
    char message[CT_MESSAGE_BYTES]; /* one line, where nothing was */
    ct_cuda_device device;
    int64_t bytes;        /* that a run reads, and writes with a dst: the tensors' own */
    int64_t memory_bytes; /* of the source in memory, one matrix after the other */
    int32_t matrices;
    int32_t count, wrong, none; /* candidates; those that are wrong; those that have no kernel */
    ct_suggest_time *time;      /* [count], from malloc, of the result's items in their new order */
} ct_suggest_measured;

/* Called while it works: its step and progress. From any thread, one at a time. */
typedef void ct_suggest_tell(const char *what, int32_t done, int32_t all);

/* Keeps this number of a result's items, in order; 0 keeps all. evenly: the first, the first of
 * each instruction, and the rest at equal distances from the best to the worst; else the first
 * ones. */
void ct_suggest_choose(ct_suggest_result *result, int32_t count, int evenly);

/*
 * Measures all of a result's items and sorts them: those that were timed by their time, then the
 * others. measured->message has the line of a failure. Release by ct_suggest_measured_free either
 * way.
 */
ct_status ct_suggest_measure(const ct_suggest_query *query, ct_suggest_result *result,
                             ct_suggest_measured *measured, ct_suggest_tell *tell);

void ct_suggest_measured_free(ct_suggest_measured *measured);

/* ---- measure_run.c: the kernels, and where they run ------------------------------------------ */

struct suggest_bench;

typedef struct suggest_trial {
    const struct suggest_bench *bench;
    const ct_suggestion *item;
    void *cubin, *module, *function;
    size_t cubin_bytes;
    int32_t rank, wrong;
    char message[CT_MESSAGE_BYTES];
    double *seconds; /* of the rounds */
    int32_t runs;
} suggest_trial;

typedef struct suggest_bench {
    const ct_suggest_query *query;
    ct_cuda *gpu;
    int arch;
    suggest_plain src, dst;
    int64_t matrices, src_step, dst_step; /* elements from one matrix to the next */
    size_t src_bytes, dst_bytes;          /* dst: of the tensor, or of the sums */
    ct_dim3 grid;
    int32_t warps;
    unsigned char *host, *got; /* the source; what came out */
    uint32_t *sums;            /* the expected result of a read of this number of bits */
    int32_t sum_bits;
    void *on_src, *on_dst;
    suggest_trial *trial;
    int32_t count;
    ct_suggest_tell *tell;
    char *message; /* CT_MESSAGE_BYTES */
} suggest_bench;

/* bench->message has the line of a failure. Sizes, the grid, memory. */
ct_status ct_suggest_bench_open(suggest_bench *bench);
void ct_suggest_bench_close(suggest_bench *bench);

/* Compiles all kernels and loads them; a candidate may have none. */
ct_status ct_suggest_bench_compile(suggest_bench *bench);

/* Runs a candidate once and compares; wrong and its message. */
ct_status ct_suggest_bench_verify(suggest_bench *bench, suggest_trial *trial);

/* Queues a candidate once: a ct_cuda_work, user is the trial. */
ct_status ct_suggest_bench_queue(ct_cuda *gpu, void *user, int run);

/* ---- measure_expect.c: what should come out -------------------------------------------------- */

/* Fills the source. */
void ct_suggest_fill(suggest_bench *bench);

/* Makes bench->sums the sums of a read of this number of bits. */
ct_status ct_suggest_expect(suggest_bench *bench, int32_t read_bits);

/* The first element of what came out that differs: its matrix, m and n. 1 where there is one. */
int ct_suggest_differs(const suggest_bench *bench, int64_t where[3]);

#endif
