/* The transposes that plans launch, compiled for the CPU grid. A kernel ct_transpose_.. is
 * ct_plan_transpose_.. here. */
#define CT_TRANSPOSE_NAME(bytes, rows, cols, threads, blocks, staging, block, shared, sweep,       \
                          group)                                                                   \
    ct_plan_transpose_##bytes##_##rows##x##cols##_##threads##x##blocks##_##staging##block##_##shared##_##sweep##group
#include "kernels.h"
#include "kernels/transposes.h"

#define ENTRY(...) &CT_TRANSPOSE_NAME(__VA_ARGS__),

CT_TRANSPOSES(CT_TRANSPOSE_KERNEL)

const ct_grid_kernel *const ct_plan_transposes[] = {CT_TRANSPOSES(ENTRY) NULL};
