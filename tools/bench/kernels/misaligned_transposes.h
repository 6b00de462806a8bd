/**
 * Transposes for addresses that are not aligned to 16 bytes, one row each, as in
 * device/kernels/transposes.h. Plans use sector-aligned tiles of their own for such data.
 */
#ifndef CUTLET_TOOLS_BENCH_KERNELS_MISALIGNED_TRANSPOSES_H
#define CUTLET_TOOLS_BENCH_KERNELS_MISALIGNED_TRANSPOSES_H

#include <cutlet/device/kernels/transposes.h>

/** The fastest of them: sector-aligned, for matrices of few tiles and of many. A row of a tile has 16 bytes
 *  less than a power of two: so the aligned chunks that hold a misaligned row are a power of two.
 *  Each transposes any matrix. */
#define CT_TRANSPOSES_MISALIGNED(T)                                                                \
    T(1, 256, 112, 256, 6, sector, 16, padded, out, 0)                                             \
    T(1, 256, 240, 512, 2, sector, 16, padded, out, 0)                                             \
    T(2, 128, 120, 256, 5, sector, 8, padded, out, 0)                                              \
    T(2, 256, 120, 512, 3, sector, 8, padded, out, 0)                                              \
    T(4, 64, 60, 256, 8, sector, 4, padded, out, 0)                                                \
    T(4, 128, 124, 1024, 2, sector, 4, padded, out, 0)                                             \
    T(8, 32, 30, 256, 8, sector, 2, padded, out, 0)                                                \
    T(8, 64, 62, 512, 4, sector, 2, padded, out, 0)                                                \
    T(16, 32, 32, 512, 4, sector, 1, padded, out, 0)

#endif
