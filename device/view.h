/**
 * Views: a matrix or a tile of one where it lies in memory, as a kernel holds it.
 *
 *     const ct_view A = ct_view_global(args.src, 2, m, n, ld, 1);       // (m,n):(ld,1), half
 *     const ct_view tile = ct_view_tile(A, 64, 64, blockIdx.y, blockIdx.x);
 *     const ct_view s = ct_view_shared(smem, 2, 64, 64, 64, 1);
 *     ct_copy(tile, s);
 *
 * A view is a tensor of two modes, its base an address. Its steps may be constants or numbers that
 * are known only when the kernel runs; a step of 1 is a 1 either way. A tile at the edge of a
 * matrix keeps the extents of a tile, and knows how much of it is there.
 */
#ifndef CUTLET_DEVICE_VIEW_H
#define CUTLET_DEVICE_VIEW_H

#include <cutlet/base.h>

#include "kernel.h"

/** The memory spaces. */
enum { CT_IN_GLOBAL, CT_IN_SHARED };

typedef struct ct_view {
    unsigned char *at;  /* the element (0,0) */
    int64_t step[2];    /* from one coordinate to the next along either mode, in bytes */
    int64_t extent[2];
    int64_t inside[2];  /* how much of the extent there is: 0 to extent */
    int32_t elem_bytes; /* 1, 2, 4, 8 or 16 */
    int32_t space;
} ct_view;

/** The view of a matrix (m,n):(step_m,step_n) of elements at base; steps in elements, of any
 *  sign. */
CT_DEVICE ct_view ct_make_view(const int space, const void *base, const int elem_bytes, int64_t m,
                               int64_t n, int64_t step_m, int64_t step_n)
{
    ct_view v = CT_ZERO;
    v.at = (unsigned char *)base;
    v.step[0] = step_m * elem_bytes;
    v.step[1] = step_n * elem_bytes;
    v.extent[0] = v.inside[0] = m;
    v.extent[1] = v.inside[1] = n;
    v.elem_bytes = elem_bytes;
    v.space = space;
    return v;
}

CT_DEVICE ct_view ct_view_global(const void *base, const int elem_bytes, int64_t m, int64_t n,
                                 int64_t step_m, int64_t step_n)
{
    return ct_make_view(CT_IN_GLOBAL, base, elem_bytes, m, n, step_m, step_n);
}

CT_DEVICE ct_view ct_view_shared(const void *base, const int elem_bytes, int64_t m, int64_t n,
                                 int64_t step_m, int64_t step_n)
{
    return ct_make_view(CT_IN_SHARED, base, elem_bytes, m, n, step_m, step_n);
}

/** How many of `extent` coordinates from `first` on lie before `end`. */
CT_DEVICE int64_t ct_view_left(int64_t end, int64_t first, int64_t extent)
{
    const int64_t left = end - first;
    return left < 0 ? 0 : left < extent ? left : extent;
}

/** The tile (i,j) of a view cut into tiles of (m,n): ct_local_tile, with how much of it there
 *  is. */
CT_DEVICE ct_view ct_view_tile(const ct_view v, int64_t m, int64_t n, int64_t i, int64_t j)
{
    ct_view tile = v;
    tile.at = v.at + i * m * v.step[0] + j * n * v.step[1];
    tile.extent[0] = m;
    tile.extent[1] = n;
    tile.inside[0] = ct_view_left(v.inside[0], i * m, m);
    tile.inside[1] = ct_view_left(v.inside[1], j * n, n);
    return tile;
}

#endif
