/* The contents of a tensor map on the grid. */
#ifndef CUTLET_SRC_GRID_RUN_MAP_H
#define CUTLET_SRC_GRID_RUN_MAP_H

#include <cutlet/copy/tma.h>

enum { GRID_MAP_MARK = 0x70616d63 };

typedef struct ct_grid_map {
    uint32_t mark; /* GRID_MAP_MARK */
    uint8_t rank, elem, swizzle, fill;
    uint8_t box_less_1[CT_TMA_RANK], step[CT_TMA_RANK];
    uint32_t extent_less_1[CT_TMA_RANK];
    int64_t stride[CT_TMA_RANK];
    uint64_t address;
} ct_grid_map;

_Static_assert(sizeof(ct_grid_map) <= sizeof(ct_tma_map), "a map of the grid fits into a map");

#endif
