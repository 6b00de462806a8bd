/* The transposes that plans launch, compiled for the CPU grid, under names of their own. */
#include "kernels.h"

#include "kernels/transposes.h"
#include "transpose.h"

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
