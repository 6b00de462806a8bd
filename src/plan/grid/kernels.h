/**
 * The kernels of the grid backend.
 */
#ifndef CUTLET_SRC_PLAN_GRID_KERNELS_H
#define CUTLET_SRC_PLAN_GRID_KERNELS_H

#include <cutlet/host/grid.h>

/** The kernel of that name inside libcutlet, of src/plan/kernels/plan_copy.cu or
 *  device/kernels/transposes.h. */
const ct_grid_kernel *ct_plan_kernel(const char *name);

/** The transposes, which are compiled in a file of their own; NULL ends them. */
extern const ct_grid_kernel *const ct_plan_transposes[];

#endif
