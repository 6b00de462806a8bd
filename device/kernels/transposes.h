/**
 * The transposes, one row each. Kernels, tests and measurements are made from this list.
 *
 * T(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, group_log2)
 *
 * The columns are those of ct_transpose_job, and the least resident blocks of a multiprocessor.
 * Together they are the kernel's name: ct_transpose_4_64x64_256x8_reg4_swizzled_out0. A launch has
 * the threads of its row, the grid of ct_transpose_grid_of, and ct_transpose_shared_bytes of
 * dynamic shared memory.
 */
#ifndef CUTLET_DEVICE_KERNELS_TRANSPOSES_H
#define CUTLET_DEVICE_KERNELS_TRANSPOSES_H

#include "../transpose_tiling.h"

/** The name of a row's kernel. */
#define CT_TRANSPOSE_NAME(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, \
                          group)                                                             \
    ct_transpose_##bytes##_##rows##x##cols##_##threads##x##blocks##_##staging##block##_      \
##shared##_##sweep##group

/** The job of a row. */
#define CT_TRANSPOSE_JOB(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, group) \
    ct_make_transpose_job(bytes, rows, cols, threads, CT_TRANSPOSE_##staging, block,             \
                          CT_TRANSPOSE_##shared, CT_TRANSPOSE_##sweep, group)

/** The kernel of a row. A macro: C has no other way to define a function for each row of constants.
 *  The plans are constants that the compiler folds. */
#define CT_TRANSPOSE_KERNEL(bytes, rows, cols, threads, blocks, ...)                          \
    CT_TRANSPOSE_KERNEL_OF(CT_TRANSPOSE_NAME(bytes, rows, cols, threads, blocks, __VA_ARGS__), \
                           threads, blocks,                                                   \
                           CT_TRANSPOSE_JOB(bytes, rows, cols, threads, blocks, __VA_ARGS__))
#define CT_TRANSPOSE_KERNEL_OF(name, threads, blocks, ...)                                    \
    CT_KERNEL_RESIDENT(name, threads, blocks, ct_transpose_args, args)                        \
    {                                                                                         \
        CT_STATIC(ct_transpose_tiling, plan, ct_transpose_tiling_of(__VA_ARGS__));                \
        CT_SHARED_DYNAMIC(unsigned char, tile);                                               \
        ct_transpose(&plan, &args, tile);                                                     \
    }

/** The fastest transposes for addresses aligned to 16 bytes: one swizzled and one padded for every
 *  element size. */
#define CT_TRANSPOSES_ALIGNED(T)                                 \
    T(1, 256, 256, 256, 2, reg, 16, swizzled, out, 0)            \
    T(1, 256, 256, 256, 2, reg, 16, padded, out, 0)              \
    T(2, 128, 128, 1024, 2, reg, 2, swizzled, out, 0)            \
    T(2, 128, 128, 1024, 2, reg, 2, padded, out, 0)              \
    T(4, 64, 64, 512, 4, reg, 2, swizzled, out, 0)               \
    T(4, 64, 64, 512, 4, reg, 2, padded, out, 0)                 \
    T(8, 32, 32, 256, 8, reg, 2, swizzled, out, 0)               \
    T(8, 32, 32, 256, 8, reg, 2, padded, out, 0)                 \
    T(16, 32, 32, 256, 5, reg, 1, swizzled, out, 0)              \
    T(16, 32, 32, 256, 5, reg, 1, padded, out, 0)

/** The fastest transposes for other addresses: skewed, for matrices of few tiles and of many. A row
 *  of a tile has 16 bytes less than a power of two: so the aligned chunks that hold a misaligned
 *  row are a power of two. Every kernel of either list transposes any matrix. */
#define CT_TRANSPOSES_MISALIGNED(T)                              \
    T(1, 256, 112, 256, 6, skew, 16, padded, out, 0)             \
    T(1, 256, 240, 512, 2, skew, 16, padded, out, 0)             \
    T(2, 128, 120, 256, 5, skew, 8, padded, out, 0)              \
    T(2, 256, 120, 512, 3, skew, 8, padded, out, 0)              \
    T(4, 64, 60, 256, 8, skew, 4, padded, out, 0)                \
    T(4, 128, 124, 1024, 2, skew, 4, padded, out, 0)             \
    T(8, 32, 30, 256, 8, skew, 2, padded, out, 0)                \
    T(8, 64, 62, 512, 4, skew, 2, padded, out, 0)                \
    T(16, 32, 32, 256, 8, skew, 1, padded, out, 0)

/** All transposes. */
#define CT_TRANSPOSES(T) CT_TRANSPOSES_ALIGNED(T) CT_TRANSPOSES_MISALIGNED(T)

/** Other transposes, for measurements: elements of 1 byte. */
#define CT_TRANSPOSES_TUNING_1(T)                                \
    T(1, 128, 128, 128, 1, reg, 8, swizzled, out, 0)             \
    T(1, 128, 128, 64, 1, reg, 16, swizzled, out, 0)             \
    T(1, 128, 128, 256, 1, async, 4, swizzled, out, 0)           \
    T(1, 128, 128, 128, 1, async, 8, swizzled, out, 0)           \
    T(1, 256, 128, 256, 1, reg, 8, swizzled, out, 0)             \
    T(1, 128, 256, 256, 1, reg, 8, swizzled, out, 0)             \
    T(1, 256, 256, 512, 1, reg, 8, swizzled, out, 0)             \
    T(1, 256, 256, 512, 1, reg, 4, swizzled, out, 0)             \
    T(1, 128, 128, 256, 1, reg, 4, swizzled, out, 0)             \
    T(1, 256, 256, 512, 1, async, 8, swizzled, out, 0)           \
    T(1, 256, 256, 512, 1, reg, 8, swizzled, out, 1)             \
    T(1, 256, 256, 512, 1, reg, 8, swizzled, out, 2)             \
    T(1, 128, 128, 128, 1, reg, 8, swizzled, out, 2)             \
    T(1, 128, 128, 128, 1, reg, 8, swizzled, out, 3)             \
    T(1, 128, 128, 128, 1, reg, 8, swizzled, in, 0)              \
    T(1, 128, 128, 128, 1, reg, 8, swizzled, in, 3)              \
    T(1, 256, 240, 512, 3, skew, 16, padded, out, 0)             \
    T(1, 256, 112, 512, 3, skew, 16, padded, out, 0)             \
    T(1, 512, 112, 512, 3, skew, 16, padded, out, 0)             \
    T(1, 256, 128, 256, 5, skew, 16, padded, out, 0)

/** Other transposes, for measurements: elements of 2 bytes. */
#define CT_TRANSPOSES_TUNING_2(T)                                \
    T(2, 64, 64, 64, 1, reg, 8, swizzled, out, 0)                \
    T(2, 64, 64, 128, 1, reg, 4, swizzled, out, 0)               \
    T(2, 64, 64, 256, 1, reg, 2, swizzled, out, 0)               \
    T(2, 64, 128, 128, 1, reg, 8, swizzled, out, 0)              \
    T(2, 128, 64, 128, 1, reg, 8, swizzled, out, 0)              \
    T(2, 128, 64, 256, 1, reg, 4, swizzled, out, 0)              \
    T(2, 128, 128, 256, 1, async, 8, swizzled, out, 0)           \
    T(2, 128, 128, 256, 1, async, 4, swizzled, out, 0)           \
    T(2, 64, 64, 128, 1, async, 4, swizzled, out, 0)             \
    T(2, 128, 128, 512, 1, reg, 4, swizzled, out, 0)             \
    T(2, 128, 128, 256, 1, reg, 8, swizzled, out, 0)             \
    T(2, 128, 128, 256, 1, reg, 8, swizzled, out, 1)             \
    T(2, 128, 128, 256, 1, reg, 8, swizzled, out, 2)             \
    T(2, 64, 64, 128, 1, reg, 4, swizzled, out, 2)               \
    T(2, 64, 64, 128, 1, reg, 4, swizzled, out, 3)               \
    T(2, 64, 64, 128, 1, reg, 4, swizzled, in, 0)                \
    T(2, 64, 64, 128, 1, reg, 4, swizzled, in, 3)                \
    T(2, 128, 120, 512, 3, skew, 8, padded, out, 0)              \
    T(2, 256, 120, 256, 3, skew, 8, padded, out, 0)              \
    T(2, 128, 248, 512, 3, skew, 8, padded, out, 0)              \
    T(2, 128, 128, 256, 5, skew, 8, padded, out, 0)

/** Other transposes, for measurements: elements of 4 bytes. */
#define CT_TRANSPOSES_TUNING_4(T)                                \
    T(4, 64, 64, 256, 1, async, 4, swizzled, out, 0)             \
    T(4, 64, 64, 256, 1, async, 1, swizzled, out, 0)             \
    T(4, 64, 64, 256, 1, reg, 1, swizzled, out, 0)               \
    T(4, 64, 64, 512, 1, reg, 2, swizzled, out, 0)               \
    T(4, 64, 64, 1024, 1, reg, 1, swizzled, out, 0)              \
    T(4, 64, 64, 128, 1, reg, 4, swizzled, out, 0)               \
    T(4, 32, 32, 64, 1, reg, 4, swizzled, out, 0)                \
    T(4, 32, 32, 128, 1, reg, 2, swizzled, out, 0)               \
    T(4, 32, 32, 256, 1, reg, 1, swizzled, out, 0)               \
    T(4, 32, 32, 256, 1, async, 1, swizzled, out, 0)             \
    T(4, 64, 32, 128, 1, reg, 4, swizzled, out, 0)               \
    T(4, 32, 64, 128, 1, reg, 4, swizzled, out, 0)               \
    T(4, 128, 32, 256, 1, reg, 4, swizzled, out, 0)              \
    T(4, 32, 128, 256, 1, reg, 4, swizzled, out, 0)              \
    T(4, 128, 128, 1024, 1, reg, 4, swizzled, out, 0)            \
    T(4, 64, 64, 256, 1, reg, 4, swizzled, out, 1)               \
    T(4, 64, 64, 256, 1, reg, 4, swizzled, out, 2)               \
    T(4, 64, 64, 256, 1, reg, 4, swizzled, out, 3)               \
    T(4, 64, 64, 256, 1, reg, 4, swizzled, out, 5)               \
    T(4, 64, 64, 256, 1, reg, 4, swizzled, in, 0)                \
    T(4, 64, 64, 256, 1, reg, 4, swizzled, in, 3)                \
    T(4, 32, 32, 256, 1, reg, 1, swizzled, out, 3)               \
    T(4, 128, 60, 256, 6, skew, 4, padded, out, 0)               \
    T(4, 128, 60, 512, 4, skew, 4, padded, out, 0)               \
    T(4, 128, 124, 256, 3, skew, 4, padded, out, 0)              \
    T(4, 128, 124, 512, 3, skew, 4, padded, out, 0)              \
    T(4, 128, 64, 256, 6, skew, 1, padded, out, 0)

/** Other transposes, for measurements: elements of 8 bytes. */
#define CT_TRANSPOSES_TUNING_8(T)                                \
    T(8, 32, 32, 256, 1, async, 2, swizzled, out, 0)             \
    T(8, 32, 32, 512, 1, reg, 1, swizzled, out, 0)               \
    T(8, 32, 32, 128, 1, reg, 2, swizzled, out, 0)               \
    T(8, 16, 16, 64, 1, reg, 2, swizzled, out, 0)                \
    T(8, 16, 16, 128, 1, reg, 1, swizzled, out, 0)               \
    T(8, 64, 32, 256, 1, reg, 2, swizzled, out, 0)               \
    T(8, 32, 64, 256, 1, reg, 2, swizzled, out, 0)               \
    T(8, 64, 64, 512, 1, reg, 2, swizzled, out, 0)               \
    T(8, 64, 64, 1024, 1, reg, 2, swizzled, out, 0)              \
    T(8, 32, 32, 256, 1, reg, 2, swizzled, out, 1)               \
    T(8, 32, 32, 256, 1, reg, 2, swizzled, out, 2)               \
    T(8, 32, 32, 256, 1, reg, 2, swizzled, out, 3)               \
    T(8, 32, 32, 256, 1, reg, 2, swizzled, in, 0)                \
    T(8, 32, 32, 256, 1, reg, 2, swizzled, in, 3)                \
    T(8, 64, 30, 256, 8, skew, 2, padded, out, 0)                \
    T(8, 64, 62, 256, 6, skew, 2, padded, out, 0)                \
    T(8, 64, 32, 256, 8, skew, 1, padded, out, 0)

/** Other transposes, for measurements: elements of 16 bytes. */
#define CT_TRANSPOSES_TUNING_16(T)                               \
    T(16, 32, 32, 256, 1, async, 1, swizzled, out, 0)            \
    T(16, 16, 16, 256, 1, reg, 1, swizzled, out, 0)              \
    T(16, 16, 16, 128, 1, reg, 1, swizzled, out, 0)              \
    T(16, 16, 16, 128, 1, async, 1, swizzled, out, 0)            \
    T(16, 32, 32, 512, 1, reg, 1, swizzled, out, 0)              \
    T(16, 32, 32, 256, 1, reg, 1, swizzled, out, 2)              \
    T(16, 16, 16, 128, 1, reg, 1, swizzled, out, 3)              \
    T(16, 32, 32, 256, 1, reg, 1, swizzled, in, 0)               \
    T(16, 32, 16, 128, 16, skew, 1, padded, out, 0)              \
    T(16, 64, 32, 256, 5, skew, 1, padded, out, 0)

/* The element sizes to build; a measurement may define fewer. */
#ifndef CT_TRANSPOSES_TUNING
#define CT_TRANSPOSES_TUNING(T)                                  \
    CT_TRANSPOSES_TUNING_1(T) CT_TRANSPOSES_TUNING_2(T) CT_TRANSPOSES_TUNING_4(T)     \
    CT_TRANSPOSES_TUNING_8(T) CT_TRANSPOSES_TUNING_16(T)
#endif

#endif
