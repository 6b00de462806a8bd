/**
 * What the GPU benchmark is made of: jobs, each a launch and a statement of what it has to do.
 *
 * A job copies a matrix: the element (m,n) of `to` becomes the element (m,n) of `from`, and nothing
 * else changes. When both have the same order it is a copy, else a transposition in memory. To add
 * jobs, write a function that adds them to the list, and a line for it to the table in jobs.c.
 */
#ifndef CUTLET_BENCH_GPU_BENCH_H
#define CUTLET_BENCH_GPU_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "cutlet/host/compare.h"
#include "cutlet/host/cuda.h"

enum { BENCH_NAME = 64, BENCH_ARGS = 1024, BENCH_LINE = 640 };

typedef struct bench_job {
    const char *group;
    char name[BENCH_NAME];
    const char *kernel; /* NULL: the driver's own copy, of all of `from` */
    ct_dim3 grid, block;
    size_t shared_bytes;
    unsigned char args[BENCH_ARGS];
    size_t args_bytes;
    ct_matrix from, to; /* their data lies in the setup's src and dst */
    size_t forget_at;   /* not 0: where in args a pointer lies that is NULL while the job is timed,
                           so that it reads only, and writes nothing */
    int launches;       /* one run is so many launches, back to back; 0 is 1 */
    int beside;         /* timed in turn with this job of the list, counted from 1; 0: with none */
} bench_job;

typedef struct bench_list {
    bench_job *jobs;
    int count;
} bench_list;

/** What jobs are made for. */
typedef struct bench_setup {
    int peer; /* whether there is an image of peers/cute_copy.h */
    unsigned char *src, *dst; /* on the device, or addresses as aligned as these */
    int64_t bytes;            /* about the size of each matrix */
    int elem_bytes[5];        /* the sizes of elements that are wanted ... */
    int elem_count;
    int64_t tile_m, tile_n;   /* 0: what a kernel was made for */
} bench_setup;

/** Bytes behind src and dst that a job may use beyond setup->bytes: shifts, gaps, guards. */
#define BENCH_SPARE (4 << 20)

/** Adds a job that is all zero but for its group and name. */
bench_job *bench_add(bench_list *list, const char *group, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Sets the argument of a job. */
void bench_set_args(bench_job *job, const void *args, size_t bytes);

/** A matrix of about setup->bytes: rows a power of two, all of it contiguous. */
ct_matrix bench_matrix(const bench_setup *setup, unsigned char *data, int elem_bytes,
                       int row_major);

/** The bytes that one run of a job moves at least: those of the matrix, read and, unless they are
 *  only read, written, once for each launch. */
int64_t bench_moved(const bench_job *job);

/** The job of that group and name, counted from 1; 0 where there is none. */
int bench_find(const bench_list *list, const char *group, const char *name);

/** A job that launches a variant of the tiled copy. */
bench_job *bench_add_copy(bench_list *list, const bench_setup *setup, const char *group,
                          const ct_copy_variant *variant, ct_matrix from, ct_matrix to,
                          const char *note);

/** Everything that there is to time. */
void bench_add_all(bench_list *list, const bench_setup *setup);

/** Prints one line that says what is wrong, and ends the program with status 1. */
_Noreturn void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- verification ---------------------------------------------------------------------------- */

/** Host memory that results are compared in. */
typedef struct bench_check {
    ct_cuda *gpu;
    unsigned char *src, *dst; /* on the device */
    unsigned char *source;    /* what src holds */
    unsigned char *expected, *found;
    bench_job last;           /* the job that `expected` was made for */
    size_t bytes;             /* of each buffer */
} bench_check;

/** Fills src with bytes that do not repeat, and makes room for comparisons. */
bench_check bench_start_check(ct_cuda *gpu, unsigned char *src, unsigned char *dst, size_t bytes);

void bench_end_check(bench_check *check);

/**
 * Poisons the destination, runs the job once and compares every byte of the destination, those
 * beside the matrix too.
 *
 * Ensures: 0; or -1 and one line in why.
 */
int bench_verify(bench_check *check, const bench_job *job, char why[BENCH_LINE]);

/** Queues the job once, as it is verified. */
int bench_queue(ct_cuda *gpu, const bench_setup *setup, const bench_job *job);

/* ---- time ------------------------------------------------------------------------------------ */

/** Medians, in seconds for one run. */
typedef struct bench_result {
    double seconds, least, most;
    double driver; /* the driver's own copy of the job's matrix, once */
    double beside; /* the job that it was timed in turn with; 0: with none ... */
    double ratio;  /* ... and the median over the rounds of seconds / beside */
    ct_cuda_kernel kernel;
} bench_result;

/** Times a job: `runs` rounds after the warm-ups, in each of them the driver's copy, the job and
 *  the one beside it. Ends the program where a call fails. */
bench_result bench_time(ct_cuda *gpu, const bench_setup *setup, const bench_list *list,
                        const bench_job *job, int warmups, int runs);

#endif
