/* The kernels that plans launch, compiled for the CPU grid, and their table. Under separate names,
 * for programs that compile the same kernels themselves. */
#define ct_box_any ct_plan_box_any
#define ct_index_any ct_plan_index_any
#define ct_misaligned_any ct_plan_misaligned_any
#define ct_window_any ct_plan_window_any
#define CT_SKEWED_NAME(bytes, along, across, threads, blocks)                                      \
    ct_plan_skewed_##bytes##_##along##x##across
#include "plan/kernels/plan_copy.cu"

#include "kernels.h"

#include <string.h>

#define NAMED(bytes, along, across, threads, blocks)                                               \
    {"ct_skewed_" #bytes "_" #along "x" #across,                                                   \
     &CT_SKEWED_NAME(bytes, along, across, threads, blocks)},

static const struct {
    const char *name;
    const ct_grid_kernel *kernel;
} skewed[] = {CT_SKEWED_TILES(NAMED)};

const ct_grid_kernel *ct_plan_skewed_kernel(const char *name)
{
    int i = 0;
    while (strcmp(skewed[i].name, name) != 0) ++i;
    return skewed[i].kernel;
}
