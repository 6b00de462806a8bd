/* The kernels that plans launch, compiled for the CPU grid, and their tables. Under names of their own,
 * for programs that compile the same kernels themselves. */
#include "grid_kernels.h"

#include "kernel.h"
#include "kernels/transposes.h"
#include "kernels/view_copies.h"

#define ct_view_copy_1 ct_plan_view_copy_1
#define ct_view_copy_2 ct_plan_view_copy_2
#define ct_view_copy_4 ct_plan_view_copy_4
#define ct_view_copy_8 ct_plan_view_copy_8
#define ct_view_copy_16 ct_plan_view_copy_16
#define ct_view_copy_with_2 ct_plan_view_copy_with_2
#include "kernels/view_copy.cu"

#include "transpose.h"

/* One for each size: small tiles, for the grid's plans are small. */
#define ROWS(T)                                                       \
    T(1, 256, 128, 256, 4, reg, 8, swizzled, out, 0, plain)           \
    T(2, 128, 128, 512, 4, reg, 2, swizzled, out, 0, plain)           \
    T(4, 64, 64, 256, 8, reg, 2, swizzled, out, 0, plain)             \
    T(8, 32, 32, 256, 8, reg, 2, swizzled, out, 0, plain)             \
    T(16, 32, 32, 256, 5, reg, 1, swizzled, out, 0, plain)

#define KERNEL(bytes, rows, cols, threads, blocks, ...)               \
    CT_TRANSPOSE_KERNEL_OF(ct_plan_transpose_##bytes, threads, blocks, \
                           CT_TRANSPOSE_JOB(bytes, rows, cols, threads, blocks, __VA_ARGS__))
ROWS(KERNEL)

#define ENTRY(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, group, hint)      \
    {&ct_plan_transpose_##bytes, {bytes, rows, cols, threads, CT_TRANSPOSE_##staging, block,       \
                                  CT_TRANSPOSE_##shared, CT_TRANSPOSE_##sweep, group,              \
                                  CT_TRANSPOSE_##hint}},

static const ct_transpose_kernel transposes[] = {ROWS(ENTRY)};

static const ct_grid_kernel *const views[] = {&ct_view_copy_1, &ct_view_copy_2, &ct_view_copy_4,
                                              &ct_view_copy_8, &ct_view_copy_16};

const ct_transpose_kernel *ct_plan_transpose_kernel(int32_t unit)
{
    return &transposes[__builtin_ctz((unsigned)unit)];
}

const ct_grid_kernel *ct_plan_view_kernel(int32_t unit)
{
    return views[__builtin_ctz((unsigned)unit)];
}
