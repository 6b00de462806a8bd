/**
 * The kernels of the grid backend, by the size of the units: 1, 2, 4, 8 or 16 bytes.
 */
#ifndef CUTLET_SRC_PLAN_GRID_KERNELS_H
#define CUTLET_SRC_PLAN_GRID_KERNELS_H

#include "cutlet/host/grid.h"
#include "transpose_tiling.h"

/** A transpose, and the job that its launch is worked out from. */
typedef struct ct_transpose_kernel {
    const ct_grid_kernel *kernel;
    ct_transpose_job job;
} ct_transpose_kernel;

/** The transpose of device/kernels/transposes.h: the swizzled one for any addresses. */
const ct_transpose_kernel *ct_plan_transpose_kernel(int32_t unit);

/** The kernels of device/kernels/plan_copy.cu. */
extern const ct_grid_kernel ct_plan_box_any, ct_plan_window_any, ct_plan_index_any,
    ct_plan_misaligned_any;

/** The kernel for skewed tiles of that name. */
const ct_grid_kernel *ct_plan_skewed_kernel(const char *name);

#endif
