/* The order in which blocks compute the tiles of C. */
#ifndef CUTLET_EXAMPLES_GEMM_TILE_ORDER_H
#define CUTLET_EXAMPLES_GEMM_TILE_ORDER_H

#include <cutlet/device/tile_view.h>

/* Tile i: 8 rows of tiles at a time, column by column, whose tiles of B L2 then holds. */
CT_DEVICE ct_index tile_of(uint32_t rows, uint32_t columns, uint32_t i)
{
    const uint32_t group = i / (8 * columns), in = i % (8 * columns);
    const uint32_t high = rows - 8 * group < 8 ? rows - 8 * group : 8;
    return ct_index2(8 * group + in % high, in / high);
}

#endif
