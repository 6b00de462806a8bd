/**
 * The kernels of the grid backend.
 */
#ifndef CUTLET_SRC_PLAN_GRID_KERNELS_H
#define CUTLET_SRC_PLAN_GRID_KERNELS_H

#include <cutlet/host/grid.h>

/** The transpose of device/kernels/transposes.h of that name. */
const ct_grid_kernel *ct_plan_transpose_kernel(const char *name);

/** The kernels of src/plan/kernels/plan_copy.cu. */
extern const ct_grid_kernel ct_plan_box_any, ct_plan_window_any, ct_plan_index_any,
    ct_plan_misaligned_any;

/** The kernel for skewed tiles of that name. */
const ct_grid_kernel *ct_plan_skewed_kernel(const char *name);

#endif
