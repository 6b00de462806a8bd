/**
 * Runs a tiled copy of a matrix from global through shared to global memory on the CPU grid,
 * verifies it bit by bit, and counts its cost.
 *
 * In C:     static uint16_t data[64 * 64];
 *           for (int i = 0; i < 64 * 64; ++i) data[i] = (uint16_t)i;
 *           const ct_matrix matrix = {data, 64, 64, 64, 1, 2}; // halves, row-major
 *           ct_compare_result result;
 *           const ct_copy_variant *variant = ct_copy_variant_named("rows8");
 *           if (ct_compare_copy(variant, &matrix, NULL, &result)) puts(result.message);
 *           assert(result.status == CT_OK && result.load_bytes == 16);
 *           assert(result.sectors == 2 * 64 * 64 * 2 / 32); // each one once, in and out
 *           assert(ct_compare_used(&result) == 1);
 *           assert(ct_compare_instructions(&result) == 0.5); // 4 accesses for 8 elements
 */
#ifndef CUTLET_HOST_COMPARE_H
#define CUTLET_HOST_COMPARE_H

#include <stddef.h>
#include <stdint.h>

#include <cutlet/algebra/layout.h>
#include <cutlet/host/access.h>
#include <cutlet/host/capacity.h>
#include <cutlet/host/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A way to copy: its thread-value layout, and the instructions. */
typedef struct ct_copy_variant {
    const char *name;
    const char *about;          /* one line */
    ct_layout thr, val;         /* (m,n) -> thread and (m,n) -> value; of best in row-major bytes */
    int32_t how;                /* CT_COPY_... */
    int32_t for_rows, for_cols; /* whether it is meant for row-major, for column-major data */
} ct_copy_variant;

enum {
    CT_COPY_BY_ELEMENT,   /* loads and stores of one element */
    CT_COPY_BY_VECTOR,    /* loads and stores as wide as a thread's values allow */
    CT_COPY_BY_CP_ASYNC,  /* cp.async as wide, and stores */
    CT_COPY_BY_PARTITION, /* loads and stores of what local_partition gives a thread */
    CT_COPY_BEST          /* the fastest known copy: thr along a row or a column of bytes, val of
                             them by one cp.async; a fixed tile for any data */
};

/**
 * The variants, *count of them.
 * Cost:     O(1).
 * In C:     int count;
 *           const ct_copy_variant *variants = ct_copy_variants(&count);
 *           assert(count > 1);
 *           for (int i = 0; i < count; ++i)
 *               assert(ct_copy_variant_named(variants[i].name) == &variants[i]);
 */
const ct_copy_variant *ct_copy_variants(int *count);

/**
 * The variant of that name, or NULL.
 * Cost:     O(variants).
 * In C:     assert(ct_copy_variant_named("rows8")->how == CT_COPY_BY_VECTOR);
 *           assert(ct_copy_variant_named("none") == NULL);
 */
const ct_copy_variant *ct_copy_variant_named(const char *name);

/** A matrix in memory. One mode is contiguous; ld elements lead along the other. */
typedef struct ct_matrix {
    const void *data;
    int64_t rows, cols;
    int64_t ld; /* at least cols when row-major, rows when column-major */
    int32_t row_major;
    int32_t elem_bytes; /* 1, 2, 4, 8 or 16 */
} ct_matrix;

/** How to copy. All zero is a good choice. */
typedef struct ct_compare_options {
    int64_t tile_m, tile_n; /* the tile of a block: multiples of the threads' block; 0: 64; */
                            /* best has a fixed tile */
    int64_t dst_ld;         /* of the copy, 0: its extent; its first element, in elements from a */
    int32_t dst_shift;      /* 256-byte boundary */
    void *copy;             /* not NULL: gets the copy, packed, in the order of the source */
    int32_t congruent;      /* tiles whose addresses are congruent are run and verified once; their
                                counts are multiplied. Only the first lines of the matrix are read:
                                ct_compare_part. Has no effect with copy */
    void (*progress)(void *user, double done); /* called now and then; done runs from 0 to 1 */
    void *user;
} ct_compare_options;

/** One instruction of one warp: the first that loads from the matrix. */
typedef struct ct_compare_load {
    int32_t bits;
    int64_t offset[32]; /* the byte of each lane, from the matrix's first, or CT_LANE_OFF */
    int32_t sectors, bytes_used;
} ct_compare_load;

/** What came of a copy. Counts are sums over all warps, loads and stores together. */
typedef struct ct_compare_result {
    const ct_copy_variant *variant;
    ct_status status; /* CT_E_WRONG: the copy differs, or memory outside it was written */
    char message[CT_MESSAGE_BYTES]; /* one line where status is not 0 */
    int32_t row_major, elem_bytes;
    int32_t threads;    /* of a block */
    ct_layout thr, val; /* the variant's, those of best in elements */
    int64_t tile_m, tile_n;
    int64_t elements; /* of the matrix, and those that were copied and verified */
    int64_t verified;
    int32_t wanted_bytes;                  /* of an access, by the variant's values alone */
    int32_t load_bytes, store_bytes;       /* of the widest access to global memory, here */
    int32_t async;                         /* whether cp.async was used */
    int64_t instructions;                  /* memory instructions, executions by a warp */
    int64_t requests, sectors, bytes_used; /* of global memory; bytes_used of 32 * sectors */
    int64_t lines;                         /* of 128 bytes, summed over the requests */
    int64_t wavefronts, conflicts;         /* of shared memory */
    ct_compare_load first;
    ct_access worst; /* of shared memory: the first with the most conflicts, if there are any */
    char reason[CT_MESSAGE_BYTES]; /* the cause of the cost: one line, from the counts */
} ct_compare_result;

/**
 * Copies the matrix by the variant and verifies the copy. The destination is first filled with
 * other bytes, with guards around it and between its rows.
 *
 * Returns:  result->status.
 * Ensures:  the counts are those of the CPU grid.
 * Fails:    CT_E_ARGUMENT: a matrix or options out of range. CT_E_WRONG: the copy differs, or
 *           memory outside it was written. CT_E_FAILED: the grid stopped the kernel. CT_E_MEMORY.
 *           One line in result->message.
 * Cost:     that of ct_grid_launch, and memory for a second matrix.
 */
ct_status ct_compare_copy(const ct_copy_variant *variant, const ct_matrix *matrix,
                          const ct_compare_options *options, ct_compare_result *result);

/**
 * The extents of the part of a matrix that ct_compare_copy reads, from its first element on, with
 * the options' `congruent`: all of a small one. matrix->data may be NULL, for an aligned one.
 * Fails:    as ct_compare_copy, before it copies.
 * Cost:     O(1).
 * In C:     const ct_matrix matrix = {NULL, 16384, 16384, 16384, 1, 2};
 *           const ct_compare_options once = {.congruent = 1};
 *           int64_t rows, cols;
 *           const ct_copy_variant *variant = ct_copy_variant_named("rows8");
 *           ct_compare_part(variant, &matrix, &once, &rows, &cols, NULL);
 *           assert(rows == 3 * 64 && cols == 3 * 128);
 */
ct_status ct_compare_part(const ct_copy_variant *variant, const ct_matrix *matrix,
                          const ct_compare_options *options, int64_t *rows, int64_t *cols,
                          char message[CT_MESSAGE_BYTES]);

/**
 * Memory instructions of a thread for each element of the matrix.
 * Cost:     O(1).
 */
double ct_compare_instructions(const ct_compare_result *result);

/**
 * The share of the bytes moved to and from global memory that were used: 0 to 1.
 * Cost:     O(1).
 */
double ct_compare_used(const ct_compare_result *result);

/** @internal Orders results: those that failed last, then by sectors, instructions, cache lines.
 *  For qsort. */
int ct_compare_rank(const void *a, const void *b);

#ifdef __cplusplus
}
#endif

#endif
