/**
 * The table of the kernels of the tiled copy.
 */
#ifndef CUTLET_SRC_COPY_KERNELS_H
#define CUTLET_SRC_COPY_KERNELS_H

#include "cutlet/host/grid.h"

/** Element sizes 1, 2, 4, 8 and 16. */
#define CT_KERNEL_SIZES 5

/** The kernel of a row of variants.h for data of an order (CT_ROW_MAJOR, CT_COL_MAJOR). */
const ct_grid_kernel *ct_copy_kernel(int variant, int order, int elem_bytes);

#endif
