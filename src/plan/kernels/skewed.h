/* The skewed tiles of libcutlet for transposing copies: every element size, long and short lines of
 * the destination. One table defines their names and constants. */
#ifndef CUTLET_DEVICE_KERNELS_SKEWED_H
#define CUTLET_DEVICE_KERNELS_SKEWED_H

#include "plan/kernels/skew_move.h"

/* T(elem_bytes, along, across, threads, blocks): elements of a tile along the destination's lines
 * and across them, and resident blocks of a multiprocessor. Each size has three tiles, the largest
 * first. A row of the source is 16 bytes short of a power of two, so a misaligned row spans a
 * power-of-two number of aligned chunks. */
#define CT_SKEWED_TILES(T)                                                                         \
    T(1, 256, 240, 512, 2)                                                                         \
    T(1, 256, 112, 256, 5)                                                                         \
    T(1, 128, 112, 256, 8)                                                                         \
    T(2, 256, 120, 512, 3)                                                                         \
    T(2, 128, 120, 512, 4)                                                                         \
    T(2, 64, 56, 256, 8)                                                                           \
    T(4, 128, 124, 1024, 2)                                                                        \
    T(4, 128, 60, 256, 6)                                                                          \
    T(4, 32, 60, 256, 8)                                                                           \
    T(8, 64, 62, 512, 4)                                                                           \
    T(8, 64, 30, 256, 8)                                                                           \
    T(8, 32, 30, 256, 8)

enum { CT_SKEWED_EACH = 3 };

#ifndef CT_SKEWED_NAME
#define CT_SKEWED_NAME(bytes, along, across, threads, blocks) ct_skewed_##bytes##_##along##x##across
#endif

/** The constants of a tile. */
CT_FN ct_skew ct_skewed_tile(int32_t bytes, int32_t along, int32_t across, int32_t threads)
{
    return ct_make_skew(bytes, along, across, threads, 1, 0, 16);
}

#endif
