/* The transposes that plans launch, compiled for the CPU grid. A kernel ct_transpose_.. is
 * ct_plan_transpose_.. here. */
#include "kernels.h"

#include <string.h>

#include "kernels/transposes.h"
#include <cutlet/device/staged/transpose.h>

#define NAME(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, group)             \
    ct_plan_transpose_##bytes##_##rows##x##cols##_##threads##x##blocks##_##staging##block##_##shared##_##sweep##group
#define KERNEL(bytes, rows, cols, threads, blocks, ...)                                            \
    CT_TRANSPOSE_KERNEL_OF(NAME(bytes, rows, cols, threads, blocks, __VA_ARGS__), threads, blocks, \
                           CT_TRANSPOSE_JOB(bytes, rows, cols, threads, blocks, __VA_ARGS__))
#define ENTRY(...) &NAME(__VA_ARGS__),

CT_TRANSPOSES(KERNEL)

static const ct_grid_kernel *const transposes[] = {CT_TRANSPOSES(ENTRY)};

const ct_grid_kernel *ct_plan_transpose_kernel(const char *name)
{
    int i = 0;
    while (strcmp(transposes[i]->name + strlen("ct_plan"), name + strlen("ct")) != 0) ++i;
    return transposes[i];
}
