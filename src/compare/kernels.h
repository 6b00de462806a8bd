/**
 * The kernels of the tiled copy: a table of the variants, and the best one.
 */
#ifndef CUTLET_SRC_COMPARE_KERNELS_H
#define CUTLET_SRC_COMPARE_KERNELS_H

#include <cutlet/host/grid.h>

/** Element sizes 1, 2, 4, 8 and 16. */
#define CT_KERNEL_SIZES 5

/** The kernel of a row of variants.h for data that is contiguous along an axis, 0 or 1. */
const ct_grid_kernel *ct_copy_kernel(int variant, int axis, int elem_bytes);

/** The best copy, for any data. */
typedef struct ct_best_kernel {
    const ct_grid_kernel *kernel;
    int32_t threads, accesses; /* of a block; of a thread, 16 bytes each */
} ct_best_kernel;

/** The row of best_copies.h that is the one to use. */
extern const ct_best_kernel ct_best_kernel_chosen;

#endif
