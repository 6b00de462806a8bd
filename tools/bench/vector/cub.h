/**
 * CUB's sum, from a library that the user compiled (bench/peers/cub_sum.cu): a peer of
 * sum_float.
 */
#ifndef CUTLET_TOOLS_BENCH_VECTOR_CUB_H
#define CUTLET_TOOLS_BENCH_VECTOR_CUB_H

#include <cutlet/host/cuda.h>

typedef struct bench_cub {
    void *library;
    int (*sum)(const float *src, float *dst, long long n, void *scratch, size_t *scratch_bytes,
               void *stream);
    char version[24]; /* "3.0.1"; empty where the library does not say */
    ct_cuda *gpu;     /* whose memory the scratch is */
    void *scratch;
    size_t scratch_bytes;
} bench_cub;

/** Opens the library. 0, or -1 and one line. */
int bench_cub_open(bench_cub *cub, const char *path, char error[CT_MESSAGE_BYTES]);

/** Gives the scratch memory back and closes the library, if there are any. */
void bench_cub_close(bench_cub *cub);

/** Queues the sum of n floats, with scratch memory that is taken once. As the functions of
 *  cuda.h. */
ct_status bench_cub_queue(bench_cub *cub, ct_cuda *gpu, const float *src, float *dst, int64_t n);

#endif
