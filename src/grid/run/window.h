/* Addresses in shared memory as numbers of 32 bits: in the window of the thread's block an offset below 2^24, in
 * that of another block of the cluster the same behind its number + 1. */
#ifndef CUTLET_SRC_GRID_RUN_WINDOW_H
#define CUTLET_SRC_GRID_RUN_WINDOW_H

#include "grid/engine/state.h"

enum { WINDOW_BITS = 24, WINDOW_OFFSETS = (1 << WINDOW_BITS) - 1 };

/* The shared memory of a block. */
static inline unsigned char *ct_grid_window(const ct_thread *t, int rank)
{
    return ct_grid_in_rank(t->grid, t->grid->arena, 0, rank);
}

/* own: the shared memory of the thread's block */
static inline unsigned char *ct_grid_in_window(const ct_thread *t, unsigned char *own, uint32_t a)
{
    const uint32_t block = a >> WINDOW_BITS;
    if (block == 0) return own + a;
    if (block == 255) return own + (int32_t)a; /* before the window */
    return ct_grid_window(t, (int)block - 1) + (a & WINDOW_OFFSETS);
}

/* The address of an offset in the window of a block. */
static inline uint64_t ct_grid_window_address(int rank, uint64_t offset)
{
    return (offset & WINDOW_OFFSETS) | (uint64_t)(rank + 1) << WINDOW_BITS;
}

#endif
