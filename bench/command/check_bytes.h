/**
 * Copies compared with what they should be, byte by byte: on the host, or where they are too large
 * for that, by a kernel on the device.
 */
#ifndef CUTLET_BENCH_COMMAND_CHECK_BYTES_H
#define CUTLET_BENCH_COMMAND_CHECK_BYTES_H

#include "cutlet/host/cuda.h"

enum {
    BENCH_GUARD = 256,        /* bytes before and behind a copy that must stay as they were */
    BENCH_ON_HOST = 64 << 20, /* larger copies are compared on the device */
    BENCH_WRONG_TEXT = 160
};

/** Who compared a copy. */
enum { BENCH_BY_NOBODY, BENCH_BY_HOST, BENCH_BY_DEVICE };

/** Source and destination on the device, and what comparing takes. */
typedef struct bench_bytes {
    ct_cuda *gpu;
    unsigned char *src;  /* the pattern (pattern.h) */
    unsigned char *room; /* the destination, BENCH_GUARD bytes into it */
    int64_t most;        /* bytes of either */
    float *wrong;        /* on the device: what the kernel counts */
    unsigned char *host; /* room for two parts */
    int tried;           /* the kernel has found a planted byte */
} bench_bytes;

/** Takes memory for copies of at most so many bytes, and fills the source. 0; or -1, the reason in
 *  ct_cuda_error(gpu), and nothing is taken. */
int bench_bytes_take(bench_bytes *b, ct_cuda *gpu, int64_t most);

/** Gives the memory back. */
void bench_bytes_drop(bench_bytes *b);

unsigned char *bench_bytes_dst(const bench_bytes *b);

/** Makes every byte of the destination and of the guards one that no copy has. */
int bench_bytes_poison(const bench_bytes *b, int64_t bytes);

/**
 * Compares the copy of the first `bytes` bytes, and the guards. The first time that the kernel is
 * used, a wrong byte is planted, which it has to find.
 *
 * Ensures:  BENCH_BY_HOST or BENCH_BY_DEVICE; 0 and in wrong the first byte that is wrong, in
 * words; or -1 and the reason in ct_cuda_error(gpu).
 */
int bench_bytes_check(bench_bytes *b, int64_t bytes, char wrong[BENCH_WRONG_TEXT]);

#endif
