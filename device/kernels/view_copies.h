/**
 * What the copies between views are told: matrices whose every step is known only at run time.
 */
#ifndef CUTLET_DEVICE_KERNELS_VIEW_COPIES_H
#define CUTLET_DEVICE_KERNELS_VIEW_COPIES_H

#include <stdint.h>

/** The threads of a block, and the tile that it takes. */
#define CT_VIEW_COPY_THREADS 128
#define CT_VIEW_COPY_TILE 64

/** dst(i,j) = src(i,j) for i < m, j < n; steps in elements, of any sign. A launch has a block (x,y)
 *  for each tile: x along n, or along m where the source is contiguous there (by_cols). */
typedef struct ct_view_copy_args {
    const void *src;
    void *dst;
    int64_t m, n;
    int64_t src_step_m, src_step_n, dst_step_m, dst_step_n;
    int32_t by_cols;
} ct_view_copy_args;

#endif
