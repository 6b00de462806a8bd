/* The skewed tiles that libcutlet has inside for copies that are turned: every element size, long and
 * short lines of the destination. A table, so that the names and what they stand for are in one place. */
#ifndef CUTLET_DEVICE_KERNELS_SKEWED_H
#define CUTLET_DEVICE_KERNELS_SKEWED_H

#include "../skew_move.h"

/* T(elem_bytes, along, across, blocks): elements of a tile along the destination and across it, and
 * blocks that are to fit on a multiprocessor. The long lines of each size first. */
#define CT_SKEWED_TILES(T) \
    T(1, 256, 128, 5)      \
    T(1, 128, 128, 8)      \
    T(2, 128, 128, 5)      \
    T(2, 64, 64, 8)        \
    T(4, 128, 64, 6)       \
    T(4, 32, 64, 8)        \
    T(8, 64, 32, 8)        \
    T(8, 32, 32, 8)

enum { CT_SKEWED_THREADS = 256 };

#ifndef CT_SKEWED_NAME
#define CT_SKEWED_NAME(bytes, along, across, blocks) ct_skewed_##bytes##_##along##x##across
#endif

/** The constants of a tile. */
CT_FN ct_skew ct_skewed_tile(int32_t bytes, int32_t along, int32_t across)
{
    return ct_make_skew(bytes, along, across, CT_SKEWED_THREADS, 1, 0, 16);
}

#endif
