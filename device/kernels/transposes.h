/**
 * The transposes, one row each: kernels, tests and measurements are made from this list.
 *
 * T(bytes, rows, cols, threads, staging, block, shared, sweep, group_log2, hint)
 *
 * The columns are those of ct_transpose_job, and together they are the kernel's name:
 * ct_transpose_4_64x64_256_reg4_swizzled_out0_plain. A launch has the threads of its row, the grid
 * of ct_transpose_grid_of, and ct_transpose_shared_bytes of dynamic shared memory.
 */
#ifndef CUTLET_DEVICE_KERNELS_TRANSPOSES_H
#define CUTLET_DEVICE_KERNELS_TRANSPOSES_H

#include "../transpose_plan.h"

/** The name of a row's kernel. */
#define CT_TRANSPOSE_NAME(bytes, rows, cols, threads, staging, block, shared, sweep, group, hint) \
    ct_transpose_##bytes##_##rows##x##cols##_##threads##_##staging##block##_##shared##_##sweep\
##group##_##hint

/** The job of a row. */
#define CT_TRANSPOSE_JOB(bytes, rows, cols, threads, staging, block, shared, sweep, group, hint) \
    ct_make_transpose_job(bytes, rows, cols, threads, CT_TRANSPOSE_##staging, block,             \
                          CT_TRANSPOSE_##shared, CT_TRANSPOSE_##sweep, group, CT_TRANSPOSE_##hint)

/** The kernel of a row. A macro, because C has no other way to write a function down for a list of
 *  constants; the plans are constant, so that nothing of them is left in a kernel. */
#define CT_TRANSPOSE_KERNEL(bytes, rows, cols, threads, ...)                                  \
    CT_TRANSPOSE_KERNEL_OF(CT_TRANSPOSE_NAME(bytes, rows, cols, threads, __VA_ARGS__), threads, \
                           CT_TRANSPOSE_JOB(bytes, rows, cols, threads, __VA_ARGS__))
#define CT_TRANSPOSE_KERNEL_OF(name, threads, ...)                                            \
    CT_KERNEL_THREADS(name, threads, ct_transpose_args, args)                                 \
    {                                                                                         \
        CT_STATIC(ct_transpose_plan, plan, ct_transpose_plan_of(__VA_ARGS__));                \
        CT_STATIC(ct_transpose_plan, careful, ct_transpose_careful_plan(__VA_ARGS__));        \
        CT_SHARED_DYNAMIC(unsigned char, tile);                                               \
        ct_transpose(&plan, &careful, &args, tile);                                           \
    }

/** Swizzled and padded, one of each for every size of elements. */
#define CT_TRANSPOSES(T)                                      \
    T(1, 256, 256, 256, reg, 16, swizzled, out, 0, plain)     \
    T(1, 256, 256, 256, reg, 16, padded, out, 0, plain)       \
    T(2, 128, 128, 1024, reg, 2, swizzled, out, 0, plain)     \
    T(2, 128, 128, 1024, reg, 2, padded, out, 0, plain)       \
    T(4, 64, 64, 256, reg, 4, swizzled, out, 0, plain)        \
    T(4, 64, 64, 256, reg, 4, padded, out, 0, plain)          \
    T(8, 32, 32, 256, reg, 2, swizzled, out, 0, plain)        \
    T(8, 32, 32, 256, reg, 2, padded, out, 0, plain)          \
    T(16, 32, 32, 256, reg, 1, swizzled, out, 0, plain)       \
    T(16, 32, 32, 256, reg, 1, padded, out, 0, plain)

/** What is measured beside them, by the size of the elements. */
#define CT_TRANSPOSES_TUNING_1(T)                             \
    T(1, 128, 128, 128, reg, 8, swizzled, out, 0, plain)      \
    T(1, 128, 128, 64, reg, 16, swizzled, out, 0, plain)      \
    T(1, 128, 128, 256, async, 4, swizzled, out, 0, plain)    \
    T(1, 128, 128, 128, async, 8, swizzled, out, 0, plain)    \
    T(1, 256, 128, 256, reg, 8, swizzled, out, 0, plain)      \
    T(1, 128, 256, 256, reg, 8, swizzled, out, 0, plain)      \
    T(1, 256, 256, 512, reg, 8, swizzled, out, 0, plain)      \
    T(1, 256, 256, 512, reg, 4, swizzled, out, 0, plain)      \
    T(1, 128, 128, 256, reg, 4, swizzled, out, 0, plain)      \
    T(1, 256, 256, 512, async, 8, swizzled, out, 0, plain)    \
    T(1, 256, 256, 512, reg, 8, swizzled, out, 1, plain)      \
    T(1, 256, 256, 512, reg, 8, swizzled, out, 2, plain)      \
    T(1, 128, 128, 128, reg, 8, swizzled, out, 2, plain)      \
    T(1, 128, 128, 128, reg, 8, swizzled, out, 3, plain)      \
    T(1, 128, 128, 128, reg, 8, swizzled, in, 0, plain)       \
    T(1, 128, 128, 128, reg, 8, swizzled, in, 3, plain)       \
    T(1, 128, 128, 128, reg, 8, swizzled, out, 0, cs)         \
    T(1, 128, 128, 256, reg, 4, swizzled, out, 0, l2)         \
    T(1, 128, 128, 256, reg, 4, swizzled, out, 3, cs)

/** What is measured beside them, 2 bytes. */
#define CT_TRANSPOSES_TUNING_2(T)                             \
    T(2, 64, 64, 64, reg, 8, swizzled, out, 0, plain)         \
    T(2, 64, 64, 128, reg, 4, swizzled, out, 0, plain)        \
    T(2, 64, 64, 256, reg, 2, swizzled, out, 0, plain)        \
    T(2, 64, 128, 128, reg, 8, swizzled, out, 0, plain)       \
    T(2, 128, 64, 128, reg, 8, swizzled, out, 0, plain)       \
    T(2, 128, 64, 256, reg, 4, swizzled, out, 0, plain)       \
    T(2, 128, 128, 256, async, 8, swizzled, out, 0, plain)    \
    T(2, 128, 128, 256, async, 4, swizzled, out, 0, plain)    \
    T(2, 64, 64, 128, async, 4, swizzled, out, 0, plain)      \
    T(2, 128, 128, 512, reg, 4, swizzled, out, 0, plain)      \
    T(2, 128, 128, 256, reg, 8, swizzled, out, 0, plain)      \
    T(2, 128, 128, 256, reg, 8, swizzled, out, 1, plain)      \
    T(2, 128, 128, 256, reg, 8, swizzled, out, 2, plain)      \
    T(2, 64, 64, 128, reg, 4, swizzled, out, 2, plain)        \
    T(2, 64, 64, 128, reg, 4, swizzled, out, 3, plain)        \
    T(2, 64, 64, 128, reg, 4, swizzled, in, 0, plain)         \
    T(2, 64, 64, 128, reg, 4, swizzled, in, 3, plain)         \
    T(2, 128, 128, 256, reg, 8, swizzled, out, 0, cs)         \
    T(2, 128, 128, 256, reg, 8, swizzled, out, 0, l2)         \
    T(2, 128, 128, 256, reg, 8, swizzled, out, 3, cs)

/** What is measured beside them, 4 bytes. */
#define CT_TRANSPOSES_TUNING_4(T)                             \
    T(4, 64, 64, 256, async, 4, swizzled, out, 0, plain)      \
    T(4, 64, 64, 256, async, 1, swizzled, out, 0, plain)      \
    T(4, 64, 64, 256, reg, 1, swizzled, out, 0, plain)        \
    T(4, 64, 64, 512, reg, 2, swizzled, out, 0, plain)        \
    T(4, 64, 64, 1024, reg, 1, swizzled, out, 0, plain)       \
    T(4, 64, 64, 128, reg, 4, swizzled, out, 0, plain)        \
    T(4, 32, 32, 64, reg, 4, swizzled, out, 0, plain)         \
    T(4, 32, 32, 128, reg, 2, swizzled, out, 0, plain)        \
    T(4, 32, 32, 256, reg, 1, swizzled, out, 0, plain)        \
    T(4, 32, 32, 256, async, 1, swizzled, out, 0, plain)      \
    T(4, 64, 32, 128, reg, 4, swizzled, out, 0, plain)        \
    T(4, 32, 64, 128, reg, 4, swizzled, out, 0, plain)        \
    T(4, 128, 32, 256, reg, 4, swizzled, out, 0, plain)       \
    T(4, 32, 128, 256, reg, 4, swizzled, out, 0, plain)       \
    T(4, 128, 128, 1024, reg, 4, swizzled, out, 0, plain)     \
    T(4, 64, 64, 256, reg, 4, swizzled, out, 1, plain)        \
    T(4, 64, 64, 256, reg, 4, swizzled, out, 2, plain)        \
    T(4, 64, 64, 256, reg, 4, swizzled, out, 3, plain)        \
    T(4, 64, 64, 256, reg, 4, swizzled, out, 5, plain)        \
    T(4, 64, 64, 256, reg, 4, swizzled, in, 0, plain)         \
    T(4, 64, 64, 256, reg, 4, swizzled, in, 3, plain)         \
    T(4, 32, 32, 256, reg, 1, swizzled, out, 3, plain)        \
    T(4, 64, 64, 256, reg, 4, swizzled, out, 0, cs)           \
    T(4, 64, 64, 256, reg, 4, swizzled, out, 0, l2)           \
    T(4, 64, 64, 256, reg, 4, swizzled, out, 3, cs)

/** What is measured beside them, 8 bytes. */
#define CT_TRANSPOSES_TUNING_8(T)                             \
    T(8, 32, 32, 256, async, 2, swizzled, out, 0, plain)      \
    T(8, 32, 32, 512, reg, 1, swizzled, out, 0, plain)        \
    T(8, 32, 32, 128, reg, 2, swizzled, out, 0, plain)        \
    T(8, 16, 16, 64, reg, 2, swizzled, out, 0, plain)         \
    T(8, 16, 16, 128, reg, 1, swizzled, out, 0, plain)        \
    T(8, 64, 32, 256, reg, 2, swizzled, out, 0, plain)        \
    T(8, 32, 64, 256, reg, 2, swizzled, out, 0, plain)        \
    T(8, 64, 64, 512, reg, 2, swizzled, out, 0, plain)        \
    T(8, 64, 64, 1024, reg, 2, swizzled, out, 0, plain)       \
    T(8, 32, 32, 256, reg, 2, swizzled, out, 1, plain)        \
    T(8, 32, 32, 256, reg, 2, swizzled, out, 2, plain)        \
    T(8, 32, 32, 256, reg, 2, swizzled, out, 3, plain)        \
    T(8, 32, 32, 256, reg, 2, swizzled, in, 0, plain)         \
    T(8, 32, 32, 256, reg, 2, swizzled, in, 3, plain)         \
    T(8, 32, 32, 256, reg, 2, swizzled, out, 0, cs)           \
    T(8, 32, 32, 256, reg, 2, swizzled, out, 0, l2)           \
    T(8, 32, 32, 256, reg, 2, swizzled, out, 3, cs)

/** What is measured beside them, 16 bytes. */
#define CT_TRANSPOSES_TUNING_16(T)                            \
    T(16, 32, 32, 256, async, 1, swizzled, out, 0, plain)     \
    T(16, 16, 16, 256, reg, 1, swizzled, out, 0, plain)       \
    T(16, 16, 16, 128, reg, 1, swizzled, out, 0, plain)       \
    T(16, 16, 16, 128, async, 1, swizzled, out, 0, plain)     \
    T(16, 32, 32, 512, reg, 1, swizzled, out, 0, plain)       \
    T(16, 32, 32, 256, reg, 1, swizzled, out, 2, plain)       \
    T(16, 16, 16, 128, reg, 1, swizzled, out, 3, plain)       \
    T(16, 32, 32, 256, reg, 1, swizzled, in, 0, plain)        \
    T(16, 32, 32, 256, reg, 1, swizzled, out, 0, l2)          \
    T(16, 32, 32, 256, reg, 1, swizzled, out, 3, cs)

/* The sizes to build; a measurement may ask for fewer. */
#ifndef CT_TRANSPOSES_TUNING
#define CT_TRANSPOSES_TUNING(T)                               \
    CT_TRANSPOSES_TUNING_1(T) CT_TRANSPOSES_TUNING_2(T) CT_TRANSPOSES_TUNING_4(T)     \
    CT_TRANSPOSES_TUNING_8(T) CT_TRANSPOSES_TUNING_16(T)
#endif

#endif
