/**
 * What `cutlet-bench matrix` is made of: jobs, each a launch and a statement of what it has to do.
 *
 * A job copies a matrix: the element (m,n) of `to` becomes the element (m,n) of `from`, and nothing
 * else changes. When both have the same order it is a copy, else a transposition in memory. To add
 * jobs, write a function that adds them to the list, and a line for it to the table in jobs.c.
 */
#ifndef CUTLET_TOOLS_BENCH_MATRIX_JOBS_H
#define CUTLET_TOOLS_BENCH_MATRIX_JOBS_H

#include <stddef.h>
#include <stdint.h>

#include "../harness/harness.h"
#include <cutlet/host/compare.h>

enum { BENCH_NAME = 64 };

typedef struct bench_job {
    const char *group;
    char name[BENCH_NAME];
    bench_launch launch;
    ct_matrix from, to; /* their data lies in the setup's src and dst */
    size_t forget_at;   /* not 0: where in the launch's argument a pointer lies that is NULL while
                           the job is timed, so that it reads only, and writes nothing */
    int launches;       /* one run is this many launches, back to back; 0 is 1 */
    int beside;         /* timed in turn with this job of the list, counted from 1; 0: with none */
} bench_job;

typedef struct bench_list {
    bench_job *jobs;
    int count;
} bench_list;

/** What jobs are made for. */
typedef struct bench_setup {
    int peer;                 /* whether there is an image of bench/peers/cute_copy.cu */
    unsigned char *src, *dst; /* on the device, or addresses as aligned as these */
    int64_t bytes;            /* about the size of each matrix */
    int elem_bytes[5];        /* the sizes of elements that are wanted ... */
    int elem_count;
    int64_t tile_m, tile_n; /* 0: what a kernel was made for */
} bench_setup;

/** Bytes after src and dst that a job may use beyond setup->bytes: shifts, gaps, guards. */
#define BENCH_SPARE (4 << 20)

/** Adds a job; its name is still empty. */
bench_job *bench_add(bench_list *list, const char *group, bench_launch launch, ct_matrix from,
                     ct_matrix to);

/** Names the job added last. */
void bench_name(bench_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A matrix of about setup->bytes: rows a power of two, all of it contiguous. */
ct_matrix bench_matrix(const bench_setup *setup, unsigned char *data, int elem_bytes,
                       int row_major);

/** The launches of one run of a job. */
int bench_launches(const bench_job *job);

/** The bytes that one run of a job moves at least: those of the matrix, read and, unless they are
 *  only read, written, once for each launch. */
int64_t bench_moved(const bench_job *job);

/** The job of that group and name, counted from 1; 0 for a name that the list lacks. */
int bench_find(const bench_list *list, const char *group, const char *name);

/** A job that launches a variant of the tiled copy. */
bench_job *bench_add_copy(bench_list *list, const bench_setup *setup, const char *group,
                          const ct_copy_variant *variant, ct_matrix from, ct_matrix to,
                          const char *note);

/** What may be the matter with a matrix: rows and columns that are left out of a dense one,
 *  elements by which it begins late. */
typedef struct bench_shape {
    const char *note;
    int cut_rows, cut_cols, shift;
} bench_shape;

ct_matrix bench_shaped(ct_matrix m, const bench_shape *shape);

/** Everything that there is to time, group by group: */
void bench_add_all(bench_list *list, const bench_setup *setup);

/** "tutorial" (000) and "article" (002) retell documents. "static" is the tiled copy with its
 *  leading dimension a constant beside the one that is told it at run time, only where the setup's
 *  matrix of half is the one that it is made for. */
void bench_add_documents(bench_list *list, const bench_setup *setup);

/** Every kernel of kernels/transposes.h and misaligned_transposes.h for the wanted sizes of elements: as
 *  it comes, with odd extents, misaligned. */
void bench_add_transposes(bench_list *list, const bench_setup *setup);

/** The kernel of kernels/best_copies.h, both orders: as it comes, with odd extents, misaligned. */
void bench_add_best_copy(bench_list *list, const bench_setup *setup);

/** Prints one line that says what is wrong, and ends the program with CT_EXIT_FAILED. */
_Noreturn void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- what is right --------------------------------------------------------------------------- */

/** All bytes of the destination, as a job leaves them. */
typedef struct bench_expected {
    const unsigned char *src, *dst; /* on the device, or wherever jobs are told that they lie */
    unsigned char *source, *bytes;  /* what src holds, and dst has to */
    int64_t count;                  /* of either */
    ct_matrix from, to;             /* of the job that it was made for */
} bench_expected;

/** Fills the source with bytes that do not repeat, and makes room. */
bench_expected bench_expect_start(bench_target *t, const bench_array *src, const bench_array *dst);

void bench_expect_end(bench_expected *e);

/** Runs the job once, and compares every byte of the destination, those beside the matrix too; as
 *  bench_verify. */
int bench_verify_job(bench_target *t, bench_expected *e, const bench_array *dst,
                     const bench_job *job, char wrong[BENCH_WRONG]);

#endif
