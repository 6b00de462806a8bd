/**
 * What a peer's image has to offer: a kernel cute_VARIANT_row or _col for half, VARIANT with _ for
 * -, that takes these arguments, has the threads of its variant, and a block for each tile, x along
 * the inner mode.
 */
#ifndef CUTLET_TOOLS_BENCH_MATRIX_CUTE_COPY_H
#define CUTLET_TOOLS_BENCH_MATRIX_CUTE_COPY_H

#include <stdint.h>

/** The tile in both modes, which divides both extents. */
#define CUTE_COPY_TILE 64

/** An m x n matrix of half, contiguous, row-major or column-major as the kernel's name says. */
typedef struct cute_copy_args {
    const void *src;
    void *dst;
    int64_t m, n;
} cute_copy_args;

#endif
