/**
 * Copies on a GPU: verified byte by byte, then timed against the driver's copy of the same bytes.
 *
 *     ct_gpu_matrix m;
 *     ct_gpu_copy copy;
 *     if (ct_gpu_matrix_put(&m, gpu, &matrix) == 0 &&
 *         ct_gpu_copy_run(&m, ct_copy_variant_named("best"), 0, 0, &copy) == 0)
 *         printf("%.0f GB/s\n", 1e-9 * (double)copy.bytes / copy.seconds);
 *     ct_gpu_matrix_drop(&m);
 */
#ifndef CUTLET_SRC_COMPARE_ON_GPU_H
#define CUTLET_SRC_COMPARE_ON_GPU_H

#include <cutlet/host/compare.h>
#include <cutlet/host/cuda.h>

/** How often a copy is timed, and run before that. */
enum { CT_GPU_RUNS = 25, CT_GPU_WARMUPS = 3 };

/** A matrix on a GPU, with room for its copy. */
typedef struct ct_gpu_matrix {
    ct_cuda *gpu;
    ct_matrix host;        /* the copied elements */
    size_t bytes;          /* of the matrix, the copy, ... */
    size_t capacity;       /* ... and of the copy's memory, guards and all */
    unsigned char *src;    /* on the device: the matrix, */
    unsigned char *dst;    /* the memory in which it is copied, */
    unsigned char *before; /* and what that holds before: the complement of what it becomes */
    unsigned char *found;  /* on the host: room for a part of the copy, and for what it should be */
} ct_gpu_matrix;

/** What came of a copy on the GPU. */
typedef struct ct_gpu_copy {
    ct_status status;               /* CT_OK; CT_E_WRONG; any other: no figures */
    char message[CT_MESSAGE_BYTES]; /* one line where status is not 0 */
    int64_t bytes;                  /* read and written */
    double seconds;                 /* medians of CT_GPU_RUNS: of the copy ... */
    double memcpy_seconds; /* ... and of the driver's, device to device, between its runs */
} ct_gpu_copy;

/**
 * Puts a matrix on the device: one without gaps between its lines, that stays where it is.
 *
 * Fails:    as the functions of cuda.h, the reason in ct_cuda_error(gpu). The caller drops it in
 *           either case.
 */
ct_status ct_gpu_matrix_put(ct_gpu_matrix *m, ct_cuda *gpu, const ct_matrix *host);

/** Gives its memory back. */
void ct_gpu_matrix_drop(ct_gpu_matrix *m);

/**
 * Copies the matrix by a variant, in tiles as in ct_compare_options. Compares every byte of the
 * copy and of its guards, and times the copy if all are right.
 *
 * Ensures:  returns copy->status. CT_E_WRONG: the message names the variant and the first byte;
 *           CT_E_ARGUMENT: the launch; those of cuda.h: the device refused, and why.
 */
ct_status ct_gpu_copy_run(ct_gpu_matrix *m, const ct_copy_variant *variant, int64_t tile_m,
                          int64_t tile_n, ct_gpu_copy *copy);

#endif
