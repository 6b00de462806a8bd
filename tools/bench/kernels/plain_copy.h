/**
 * The arguments of the plain copy.
 */
#ifndef CUTLET_TOOLS_BENCH_KERNELS_PLAIN_COPY_H
#define CUTLET_TOOLS_BENCH_KERNELS_PLAIN_COPY_H

#include <stdint.h>

/** The threads of a block. A launch has a block for each 16 * CT_PLAIN_COPY_THREADS bytes, or part
 *  of them. */
#define CT_PLAIN_COPY_THREADS 128

typedef struct ct_plain_copy_args {
    const void *src; /* both addresses are multiples of 16 */
    void *dst;
    int64_t bytes;
} ct_plain_copy_args;

#endif
