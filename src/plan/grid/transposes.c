/* The transposes that plans launch, compiled for the CPU grid. A kernel ct_transpose_.. is
 * ct_plan_transpose_.. here. */
#include "kernels.h"

#include "kernels/transposes.h"
#include <cutlet/device/staged/staged_copy.h>

#define NAME(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, group)             \
    ct_plan_transpose_##bytes##_##rows##x##cols##_##threads##x##blocks##_##staging##block##_##shared##_##sweep##group
#define KERNEL(bytes, rows, cols, threads, blocks, ...)                                            \
    CT_STAGED_KERNEL(NAME(bytes, rows, cols, threads, blocks, __VA_ARGS__), threads, blocks,       \
                     CT_TRANSPOSE_JOB(bytes, rows, cols, threads, blocks, __VA_ARGS__))
#define ENTRY(...) &NAME(__VA_ARGS__),

CT_TRANSPOSES(KERNEL)

const ct_grid_kernel *const ct_plan_transposes[] = {CT_TRANSPOSES(ENTRY) NULL};
