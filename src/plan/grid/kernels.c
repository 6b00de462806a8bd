/* The kernels that plans launch, compiled for the CPU grid, and their table. A kernel ct_.. is ct_plan_..
 * here, for programs that compile the same kernels themselves. */
#define CT_SECTOR_NAME(bytes, along, across, threads, blocks)                                      \
    ct_plan_sectors_##bytes##_##along##x##across
#define ct_box_any ct_plan_box_any
#define ct_indexed_any ct_plan_indexed_any
#define ct_misaligned_any ct_plan_misaligned_any
#define ct_vectors_any ct_plan_vectors_any
#include "plan/kernels/plan_copy.cu"

#include "kernels.h"

#include <string.h>

#define SECTORS(...) &CT_SECTOR_NAME(__VA_ARGS__),
#define ENGINE(engine, ...) &ct_plan_##engine##_any,

static const ct_grid_kernel *const kernels[] = {CT_PLAN_ENGINES(ENGINE) CT_SECTOR_TILES(SECTORS)
                                                    NULL};

const ct_grid_kernel *ct_plan_kernel(const char *name)
{
    const ct_grid_kernel *const *k = kernels;
    while (strcmp((*k)->name + strlen("ct_plan"), name + strlen("ct")) != 0)
        if (!*++k) k = ct_plan_transposes;
    return *k;
}
