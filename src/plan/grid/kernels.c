/* The kernels that plans launch, compiled for the CPU grid, and their tables. Under names of their own,
 * for programs that compile the same kernels themselves. */
#include "kernels.h"

#include <string.h>

#include "kernel.h"
#include "kernels/transposes.h"
#define ct_box_any ct_plan_box_any
#define ct_index_any ct_plan_index_any
#define ct_misaligned_any ct_plan_misaligned_any
#define ct_window_any ct_plan_window_any
#define CT_SKEWED_NAME(bytes, along, across, threads, blocks) ct_plan_skewed_##bytes##_##along##x##across
#include "kernels/plan_copy.cu"

#include "transpose.h"

#define NAMED(bytes, along, across, threads, blocks)          \
    {"ct_skewed_" #bytes "_" #along "x" #across,              \
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

/* One for each size: small tiles, for the grid's plans are small. */
#define ROWS(T)                                                       \
    T(1, 256, 128, 256, 4, reg, 8, swizzled, out, 0)                  \
    T(2, 128, 128, 512, 4, reg, 2, swizzled, out, 0)                  \
    T(4, 64, 64, 256, 8, reg, 2, swizzled, out, 0)                    \
    T(8, 32, 32, 256, 8, reg, 2, swizzled, out, 0)                    \
    T(16, 32, 32, 256, 5, reg, 1, swizzled, out, 0)

#define KERNEL(bytes, rows, cols, threads, blocks, ...)               \
    CT_TRANSPOSE_KERNEL_OF(ct_plan_transpose_##bytes, threads, blocks, \
                           CT_TRANSPOSE_JOB(bytes, rows, cols, threads, blocks, __VA_ARGS__))
ROWS(KERNEL)

#define ENTRY(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, group)            \
    {&ct_plan_transpose_##bytes, {bytes, rows, cols, threads, CT_TRANSPOSE_##staging, block,       \
                                  CT_TRANSPOSE_##shared, CT_TRANSPOSE_##sweep, group}},

static const ct_transpose_kernel transposes[] = {ROWS(ENTRY)};

const ct_transpose_kernel *ct_plan_transpose_kernel(int32_t unit)
{
    return &transposes[__builtin_ctz((unsigned)unit)];
}
