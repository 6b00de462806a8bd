/**
 * The transposes of libcutlet, one row each. Kernels, tests and measurements are made from this list.
 *
 * T(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, group_log2)
 *
 * The columns are those of ct_staged_job, and the least resident blocks of a multiprocessor.
 * Together they are the kernel's name: ct_transpose_4_64x64_256x8_reg4_swizzled_out0. A launch has
 * the threads of its row, the grid of ct_staged_grid_of, and ct_staged_shared_bytes of
 * dynamic shared memory.
 */
#ifndef CUTLET_DEVICE_KERNELS_TRANSPOSES_H
#define CUTLET_DEVICE_KERNELS_TRANSPOSES_H

#include <cutlet/device/staged/staged_copy.h>

/** The name of a row's kernel. */
#ifndef CT_TRANSPOSE_NAME
#define CT_TRANSPOSE_NAME(bytes, rows, cols, threads, blocks, staging, block, shared, sweep,       \
                          group)                                                                   \
    ct_transpose_##bytes##_##rows##x##cols##_##threads##x##blocks##_##staging##block##_##shared##_##sweep##group
#endif

/** The job of a row. */
#define CT_TRANSPOSE_JOB(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, group) \
    ct_make_staged_job(bytes, rows, cols, threads, CT_STAGED_##staging, block, CT_STAGED_##shared, \
                       CT_STAGED_##sweep, group)

/** The kernel of a row. */
#define CT_TRANSPOSE_KERNEL(bytes, rows, cols, threads, blocks, ...)                               \
    CT_STAGED_KERNEL(CT_TRANSPOSE_NAME(bytes, rows, cols, threads, blocks, __VA_ARGS__), threads,  \
                     blocks, CT_TRANSPOSE_JOB(bytes, rows, cols, threads, blocks, __VA_ARGS__))
/** The fastest transposes for addresses aligned to 16 bytes: one swizzled and one padded for every
 *  element size. Each transposes any matrix. */
#define CT_TRANSPOSES(T)                                                                           \
    T(1, 256, 256, 256, 2, reg, 16, swizzled, out, 0)                                              \
    T(1, 256, 256, 256, 2, reg, 16, padded, out, 0)                                                \
    T(2, 128, 128, 1024, 2, reg, 2, swizzled, out, 0)                                              \
    T(2, 128, 128, 1024, 2, reg, 2, padded, out, 0)                                                \
    T(4, 64, 64, 512, 4, reg, 2, swizzled, out, 0)                                                 \
    T(4, 64, 64, 512, 4, reg, 2, padded, out, 0)                                                   \
    T(8, 32, 32, 256, 8, reg, 2, swizzled, out, 0)                                                 \
    T(8, 32, 32, 256, 8, reg, 2, padded, out, 0)                                                   \
    T(16, 32, 32, 512, 4, reg, 1, swizzled, out, 0)                                                \
    T(16, 32, 32, 512, 4, reg, 1, padded, out, 0)

#endif
