/* Tile copies on the grid: a tile of a tensor, row by row, and the swizzle of its chunks of 16 bytes
 * in shared memory. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "map.h"

enum { CHUNK = 16 };

static const uint64_t quiet_nan_bits[CT_ELEM_COUNT] = {
    [CT_ELEM_F16] = 0x7fff, [CT_ELEM_BF16] = 0x7fff, [CT_ELEM_F32] = 0x7fffffff,
    [CT_ELEM_F64] = 0x7ff8000000000000u, [CT_ELEM_F32_FTZ] = 0x7fffffff,
    [CT_ELEM_TF32] = 0x7fffffff, [CT_ELEM_TF32_FTZ] = 0x7fffffff};

/* A row of a tile: its elements lo to hi - 1 are inside the tensor, the first of them at address. */
typedef struct tile_row {
    unsigned char *address;
    int64_t lo, hi;
} tile_row;

static int64_t rows_of(const ct_tma_desc *d)
{
    return ct_tma_bytes(d) / (ct_tma_tile(d, 0) * d->stride[0]);
}

static tile_row row_of(const ct_transfer *what, int64_t number)
{
    const ct_tma_desc *d = &what->desc;
    tile_row row = {NULL, 0, 0};
    int64_t offset = 0;
    int inside = 1;
    for (int i = 1; i < d->rank; ++i) {
        const int64_t at = what->coords[i] + number % ct_tma_tile(d, i) * d->step[i];
        number /= ct_tma_tile(d, i);
        inside &= at >= 0 && at < d->extent[i];
        offset += inside ? at * d->stride[i] : 0;
    }
    if (!inside) return row;
    row.lo = ct_max(0, -(int64_t)what->coords[0]);
    row.hi = ct_min(ct_tma_tile(d, 0), d->extent[0] - what->coords[0]);
    if (row.hi <= row.lo) row.hi = row.lo = 0;
    row.address = (unsigned char *)(uintptr_t)(d->address + (uint64_t)offset +
                                               (uint64_t)((what->coords[0] + row.lo) * d->stride[0]));
    return row;
}

void ct_grid_tile_check(ct_thread *t, const ct_operation *op, const ct_transfer *what)
{
    const int64_t elem = what->desc.stride[0];
    for (int64_t i = 0; i < rows_of(&what->desc); ++i) {
        const tile_row row = row_of(what, i);
        ct_operation part = *op;
        part.bytes = (int32_t)((row.hi - row.lo) * elem);
        part.align = 1;
        if (part.bytes > 0) ct_grid_check(t, &part, row.address);
    }
}

/* Between shared memory and a dense buffer. */
static void swizzle(const ct_transfer *what, unsigned char *dense, int to_shared)
{
    const ct_swizzle s = ct_tma_swizzle(what->desc.swizzle);
    for (int64_t i = 0; i < what->bytes; i += CHUNK) {
        unsigned char *place = what->shared + ct_swizzle_apply(s, i);
        if (to_shared) memcpy(place, dense + i, CHUNK);
        else memcpy(dense + i, place, CHUNK);
    }
}

int ct_grid_tile_load(const ct_transfer *what)
{
    const ct_tma_desc *d = &what->desc;
    const int64_t elem = d->stride[0], row_elems = ct_tma_tile(d, 0);
    unsigned char *dense = calloc(1, (size_t)what->bytes);
    if (!dense) return 0;
    for (int64_t i = 0; d->fill == CT_TMA_FILL_NAN && i < what->bytes; i += elem)
        memcpy(dense + i, &quiet_nan_bits[d->elem], (size_t)elem);
    for (int64_t i = 0; i < rows_of(d); ++i) {
        const tile_row row = row_of(what, i);
        if (row.hi > row.lo)
            memcpy(dense + (i * row_elems + row.lo) * elem, row.address,
                   (size_t)((row.hi - row.lo) * elem));
    }
    swizzle(what, dense, 1);
    free(dense);
    return 1;
}

int ct_grid_tile_store(const ct_transfer *what)
{
    const ct_tma_desc *d = &what->desc;
    const int64_t elem = d->stride[0], row_elems = ct_tma_tile(d, 0);
    unsigned char *dense = malloc((size_t)what->bytes);
    if (!dense) return 0;
    swizzle(what, dense, 0);
    for (int64_t i = 0; i < rows_of(d); ++i) {
        const tile_row row = row_of(what, i);
        const unsigned char *from = dense + (i * row_elems + row.lo) * elem;
        if (row.hi <= row.lo) continue;
        if (what->reduce) ct_grid_reduce(what->reduce, d->elem, row.address, from, row.hi - row.lo);
        else memcpy(row.address, from, (size_t)((row.hi - row.lo) * elem));
    }
    free(dense);
    return 1;
}

/* ---- the instructions ------------------------------------------------------------------------ */

/* The descriptor of a map, which must be one of n dimensions that the grid can carry out. */
static ct_tma_desc read_map(ct_thread *t, const ct_operation *op, const void *map, int n)
{
    ct_grid_map g;
    ct_tma_desc d = {0};
    memcpy(&g, map, sizeof g);
    if (g.mark != GRID_MAP_MARK)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM, "the map is none that ct_grid_tma_map has made");
    if (n && g.rank != n)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM, "%d coordinates, and the map has %d dimensions", n,
                        g.rank);
    d.rank = g.rank;
    d.elem = g.elem;
    d.swizzle = g.swizzle;
    d.interleave = g.interleave;
    d.fill = g.fill;
    d.address = g.address;
    for (int i = 0; i < CT_TMA_RANK; ++i) {
        d.extent[i] = (int64_t)g.extent_less_1[i] + 1;
        d.stride[i] = g.stride[i];
        d.box[i] = g.box_less_1[i] + 1;
        d.step[i] = g.step[i];
    }
    const int64_t inner = d.box[0] * d.stride[0], span = ct_tma_span(d.swizzle);
    if (d.interleave || ct_tma_swizzle(d.swizzle).err.status)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM, "the grid does not know what %s does",
                        d.interleave ? "an interleaved map" : "this swizzle mode");
    if (span && inner != span)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM,
                        "rows of %lld bytes in a swizzle of %lld: the grid knows full rows only",
                        (long long)inner, (long long)span);
    return d;
}

static ct_transfer tile_of(ct_thread *t, ct_operation *op, const void *map, const void *shared,
                           int reduce, int n, const int32_t *coords)
{
    ct_transfer what = {.shared = (unsigned char *)(uintptr_t)shared, .is_tile = 1,
                        .reduce = reduce};
    what.desc = read_map(t, op, map, n);
    what.bytes = ct_tma_bytes(&what.desc);
    memcpy(what.coords, coords, sizeof what.coords);
    op->bytes = (int32_t)what.bytes;
    op->align = (int32_t)ct_tma_alignment(what.desc.swizzle);
    return what;
}

void ct_grid_tma_load(ct_grid_site *site, void *dst, const void *map, void *at, int mask, int n,
                      const int32_t *coords)
{
    ct_thread *t = self();
    const ct_operation from = {site, "tile copy from global memory", 0, 0, 0, 0, ENGINE_COPY};
    ct_operation to = {site, "tile copy to shared memory", 0, 1, 1, 0, ENGINE_COPY};
    const ct_transfer what = tile_of(t, &to, map, dst, CT_REDUCE_NONE, n, coords);
    ct_mbarrier *bar = ct_grid_mbarrier_find(t, &to, at);
    ct_grid_tile_check(t, &from, &what);
    ct_grid_transfer_load(t, &to, &what, bar, mask);
}

void ct_grid_tma_store(ct_grid_site *site, const void *map, const void *src, int reduce, int n,
                       const int32_t *coords)
{
    ct_thread *t = self();
    const ct_operation to = {site, "tile copy to global memory", 0, 0, 1, 0,
                             reduce ? ENGINE_REDUCTION : ENGINE_COPY};
    ct_operation from = {site, "tile copy from shared memory", 0, 1, 0, 0, ENGINE_COPY};
    const ct_transfer what = tile_of(t, &from, map, src, reduce, n, coords);
    if (reduce && !ct_grid_reduce_known(reduce, what.desc.elem))
        ct_grid_fail_at(t, &to, CT_GRID_E_ATOM, "no such reduction for elements of type %d",
                        what.desc.elem);
    ct_grid_tile_check(t, &to, &what);
    ct_grid_transfer_store(t, &from, &what);
}

void ct_grid_tma_prefetch(ct_grid_site *site, const void *map, int n)
{
    ct_thread *t = self();
    const ct_operation op = {site, "tile prefetch", 0, 0, 0, 0, ENGINE_COPY};
    read_map(t, &op, map, n);
}
