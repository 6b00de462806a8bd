/* Tile copies on the grid: the rows of a tile in global memory, and its swizzled chunks in shared
 * memory. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "map.h"

enum {
    CHUNK = 8, /* bytes that every swizzle keeps together */
    TILE_ALIGN =
        16 /* alignment of a tile's start in bytes, and bytes of a write to global memory */
};

/* The fill with NaN of elements out of bounds: every 16 bits, for any type. Seen on an H200. */
static const uint16_t nan_bits = 0x7ff7;

void ct_grid_tile_check(ct_thread *t, const ct_operation *op, const ct_transfer *what)
{
    const int64_t elem = what->desc.stride[0];
    for (int64_t i = 0; i < ct_grid_tile_rows(&what->desc); ++i) {
        const ct_tile_row row = ct_grid_tile_row(what, i);
        ct_operation part = *op;
        part.bytes = (int32_t)((row.hi - row.lo) * elem);
        part.align = 1;
        if (part.bytes > 0) ct_grid_check(t, &part, row.address);
    }
}

/* The swizzled offset of a byte of the tile. FLIP_8B is ATOM_32B with the halves of each 16 bytes
 * exchanged in every other row of 128 bytes. */
static int64_t place_of(int swizzle, int64_t at)
{
    if (swizzle != CT_TMA_SWIZZLE_128B_ATOM_32B_FLIP_8B)
        return ct_swizzle_apply(ct_tma_swizzle(swizzle), at);
    return place_of(CT_TMA_SWIZZLE_128B_ATOM_32B, at) ^ at / 128 % 2 * 8;
}

/* Copies a tile from a dense buffer to shared memory, or back. */
static void swizzle(const ct_transfer *what, unsigned char *dense, int to_shared)
{
    const ct_tma_desc *d = &what->desc;
    const int64_t inner = d->box[0] * d->stride[0], pitch = ct_tma_row_bytes(d);
    for (int64_t i = 0; i < ct_tma_bytes(d); i += CHUNK) {
        unsigned char *chunk = what->shared + place_of(d->swizzle, i / inner * pitch + i % inner);
        if (to_shared) memcpy(chunk, dense + i, CHUNK);
        else memcpy(dense + i, chunk, CHUNK);
    }
}

static int is_tf32(int elem) { return elem == CT_ELEM_TF32 || elem == CT_ELEM_TF32_FTZ; }

/* Rounds `count` floats to the 10 bits of tf32, to nearest even. Subnormal numbers are kept; every
 * NaN is 0x7fffe000. Seen on an H200, which does the same for TF32_FTZ and nothing for F32_FTZ. */
static void round_tf32(unsigned char *at, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, at + 4 * i, 4);
        const int is_nan = (bits & 0x7fffffff) > 0x7f800000;
        bits = is_nan ? 0x7fffe000 : (bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000;
        memcpy(at + 4 * i, &bits, 4);
    }
}

int ct_grid_tile_load(const ct_transfer *what)
{
    const ct_tma_desc *d = &what->desc;
    const int64_t elem = d->stride[0], row_elems = ct_tma_tile(d, 0);
    unsigned char *dense = calloc(1, (size_t)what->bytes);
    if (!dense) return 0;
    for (int64_t i = 0; d->fill == CT_TMA_FILL_NAN && i < what->bytes; i += 2)
        memcpy(dense + i, &nan_bits, 2);
    for (int64_t i = 0; i < ct_grid_tile_rows(d); ++i) {
        const ct_tile_row row = ct_grid_tile_row(what, i);
        unsigned char *const to = dense + (i * row_elems + row.lo) * elem;
        if (row.hi <= row.lo) continue;
        memcpy(to, row.address, (size_t)((row.hi - row.lo) * elem));
        if (is_tf32(d->elem)) round_tf32(to, row.hi - row.lo);
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
    for (int64_t i = 0; i < ct_grid_tile_rows(d); ++i) {
        const ct_tile_row row = ct_grid_tile_row(what, i);
        const unsigned char *from = dense + (i * row_elems + row.lo) * elem;
        if (row.hi <= row.lo) continue;
        if (what->reduce) ct_grid_reduce(what->reduce, d->elem, row.address, from, row.hi - row.lo);
        else memcpy(row.address, from, (size_t)((row.hi - row.lo) * elem));
    }
    free(dense);
    return 1;
}

/* ---- the instructions ------------------------------------------------------------------------ */

/* The descriptor of a map; fails if ct_grid_tma_map did not make it, or if n is neither 0 nor its
 * number of dimensions. */
static ct_tma_desc read_map(ct_thread *t, const ct_operation *op, const void *map, int n)
{
    ct_grid_map g;
    ct_tma_desc d = {0};
    memcpy(&g, map, sizeof g);
    if (g.mark != GRID_MAP_MARK)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM, "the map was not made by ct_grid_tma_map");
    if (n && g.rank != n)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM, "%d coordinates, and the map has %d dimensions", n,
                        g.rank);
    if (g.address % TILE_ALIGN != 0)
        ct_grid_fail_at(t, op, CT_GRID_E_MISALIGNED, "the map's address is not a multiple of %d",
                        TILE_ALIGN);
    d.rank = g.rank;
    d.elem = g.elem;
    d.swizzle = g.swizzle;
    d.fill = g.fill;
    d.address = g.address;
    for (int i = 0; i < CT_TMA_RANK; ++i) {
        d.extent[i] = (int64_t)g.extent_less_1[i] + 1;
        d.stride[i] = g.stride[i];
        d.box[i] = g.box_less_1[i] + 1;
        d.step[i] = g.step[i];
    }
    return d;
}

/* Fails if the start of a tile in its rows is not a multiple of 16 bytes. */
static void check_start(ct_thread *t, const ct_operation *op, const ct_tma_desc *d, int32_t at)
{
    const int64_t bytes = at * d->stride[0];
    if (bytes % TILE_ALIGN != 0)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM,
                        "coordinate %d of dimension 0 is %lld bytes, not a multiple of %d", at,
                        (long long)bytes, TILE_ALIGN);
}

/* Fails if a stored tile includes the last bytes of a row that are less than 16: a store writes 16
 * bytes at a time. */
static void check_end(ct_thread *t, const ct_operation *op, const ct_transfer *what)
{
    const ct_tma_desc *d = &what->desc;
    const int64_t end = d->extent[0] * d->stride[0], begin = what->coords[0] * d->stride[0];
    const int64_t last = end - end % TILE_ALIGN; /* the start of these bytes */
    if (begin < end && begin + d->box[0] * d->stride[0] > last && last < end)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM,
                        "the tile reaches the end of dimension 0, and its extent %lld is %lld "
                        "bytes, not a multiple of %d: a store would write beyond it",
                        (long long)d->extent[0], (long long)end, TILE_ALIGN);
}

static ct_transfer tile_of(ct_thread *t, ct_operation *op, const void *map, const void *shared,
                           int reduce, int n, const int32_t *coords)
{
    ct_transfer what = {
        .shared = (unsigned char *)(uintptr_t)shared, .is_tile = 1, .reduce = reduce};
    what.desc = read_map(t, op, map, n);
    what.bytes = ct_tma_shared_bytes(&what.desc);
    memcpy(what.coords, coords, sizeof what.coords);
    check_start(t, op, &what.desc, coords[0]);
    op->bytes = (int32_t)what.bytes;
    op->align = (int32_t)ct_tma_alignment(what.desc.swizzle);
    return what;
}

void ct_grid_map_fits(ct_grid_site *site, const void *map, int n, const int32_t *box, int bits,
                      int base, int shift)
{
    ct_thread *t = self();
    ct_operation op = {site, "tile copy", 0, 0, 0, 0, ENGINE_COPY};
    const ct_tma_desc d = read_map(t, &op, map, n);
    const ct_swizzle sw = ct_tma_swizzle(d.swizzle);
    for (int i = 0; i < n; ++i) {
        const int64_t has = d.box[i] * (i == 0 ? d.stride[0] : 1);
        if (has != box[i])
            ct_grid_fail_at(t, &op, CT_GRID_E_ATOM,
                            "dimension %d of the map's box is %lld %s, and of the partition's "
                            "tile %d",
                            i, (long long)has, i == 0 ? "bytes" : "elements", box[i]);
    }
    if (sw.err.status == CT_OK &&
        (sw.bits != bits || (bits > 0 && (sw.base != base || sw.shift != shift))))
        ct_grid_fail_at(t, &op, CT_GRID_E_ATOM,
                        "the map's swizzle is Sw<%d,%d,%d> of bytes, and that of the "
                        "partition's tile Sw<%d,%d,%d>",
                        sw.bits, sw.base, sw.shift, bits, base, shift);
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
    const ct_operation to = {site, "tile copy to global memory",           0, 0, 1,
                             0,    reduce ? ENGINE_REDUCTION : ENGINE_COPY};
    ct_operation from = {site, "tile copy from shared memory", 0, 1, 0, 0, ENGINE_COPY};
    const ct_transfer what = tile_of(t, &from, map, src, reduce, n, coords);
    for (int i = 0; i < n; ++i) {
        if (coords[i] < 0)
            ct_grid_fail_at(t, &to, CT_GRID_E_ATOM,
                            "coordinate %d of dimension %d; those of a store are 0 or more",
                            coords[i], i);
    }
    if (what.desc.swizzle == CT_TMA_SWIZZLE_128B_ATOM_32B_FLIP_8B)
        ct_grid_fail_at(t, &to, CT_GRID_E_ATOM,
                        "swizzle 128B_ATOM_32B_FLIP_8B is one of loads only");
    if (reduce && !ct_grid_reduce_known(reduce, what.desc.elem, 1))
        ct_grid_fail_at(t, &to, CT_GRID_E_ATOM, "no such reduction for elements of type %d",
                        what.desc.elem);
    check_end(t, &to, &what);
    ct_grid_tile_check(t, &to, &what);
    ct_grid_transfer_store(t, &from, &what);
}

void ct_grid_tma_prefetch(ct_grid_site *site, const void *map, int n, const int32_t *coords)
{
    ct_thread *t = self();
    const ct_operation op = {site, "tile prefetch", 0, 0, 0, 0, ENGINE_COPY};
    const ct_tma_desc d = read_map(t, &op, map, n);
    check_start(t, &op, &d, coords[0]);
}

void ct_grid_tma_prefetch_map(ct_grid_site *site, const void *map)
{
    ct_thread *t = self();
    const ct_operation op = {site, "prefetch of a map", 0, 0, 0, 0, ENGINE_COPY};
    read_map(t, &op, map, 0);
}
