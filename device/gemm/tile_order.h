/* The order in which blocks compute the tiles of C. */
#ifndef CUTLET_EXAMPLES_GEMM_TILE_ORDER_H
#define CUTLET_EXAMPLES_GEMM_TILE_ORDER_H

#include <cutlet/device/tensor/tile.h>

#if !defined(GEMM_GROUP)
#define GEMM_GROUP 8
#endif

/* Tile i: groups of GEMM_GROUP rows of tiles, column by column, so that L2 holds the tiles of B. Whole
 * groups divide by a constant, by a shift; the last group may have fewer rows. */
CT_DEVICE ct_index tile_of(uint32_t rows, uint32_t columns, uint32_t i)
{
    const uint32_t most = GEMM_GROUP, group = i / (most * columns), in = i - group * most * columns;
    const uint32_t high = rows - most * group;
    if (high >= most) return ct_index2(most * group + in % most, in / most);
    return ct_index2(most * group + in % high, in / high);
}

#endif
