/**
 * The tiles of a layout in shared memory that is larger than a partition's tile. The
 * offset of another tile is a constant for each axis times its number, before the swizzle.
 */
#ifndef CUTLET_COPY_SHARED_TILES_H
#define CUTLET_COPY_SHARED_TILES_H

#include <cutlet/algebra/composition.h>
#include <cutlet/copy/copy_memory.h>

/** @internal The layout of the first tile of a shared layout: all of it if it has as many elements
 * as the tile in each mode.
 *
 *  Fails:    CT_E_ARGUMENT where a mode has fewer elements than the tile, or a nested one has more;
 *            as composition. */
CT_FN ct_layout ct_first_tile(ct_memory m, ct_tuple tile)
{
    const int axes = ct_tuple_rank(tile);
    const ct_layout L = ct_layout_take(m.layout.layout, 0, axes);
    ct_tuple sizes = ct_tuple0();
    int larger = 0;
    if (L.err.status) return L;
    for (int k = 0; k < axes; ++k) {
        const ct_tuple mode = ct_get(tile, k);
        const int64_t has = ct_size(ct_mode(L, k)), needs = ct_product(mode);
        if (has < needs || (has > needs && mode.profile.leaves > 1))
            return ct_layout_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY,
                                                CT_WHY_TILE_DIVIDES, k, has, needs));
        larger |= has > needs;
        sizes = ct_append(sizes, ct_int(needs));
    }
    return larger ? ct_composition_by(L, ct_tiler_of_shape(sizes)) : L;
}

/** @internal The number of tiles of a side's shared layout along each axis with one step, and this
 * step, an integral number of bytes. ct_first_tile has passed. */
CT_FN void ct_side_tiles(ct_side *side, ct_memory m, ct_tuple tile, int32_t bits)
{
    if (bits < 1) return;
    const int64_t most = INT32_MAX / bits, each = bits < 8 ? 8 / bits : 1; /* elements of a byte */
    for (int k = 0, a = 0; k < ct_tuple_rank(tile); ++k) {
        const int leaves = ct_get(tile, k).profile.leaves;
        const ct_layout L = ct_coalesce(ct_mode(m.layout.layout, k));
        int64_t rest = tile.value[a], step = 0, n = 1; /* rest: of the tile, from leaf i on */
        if (a + leaves > CT_AXES) return;
        for (int i = 0; leaves == 1 && rest > 0 && i < L.profile.leaves; ++i) {
            if (rest >= L.shape[i] && rest % L.shape[i] == 0) {
                rest /= L.shape[i];
            } else {
                if (rest < L.shape[i]) step = rest * L.stride[i];
                if (step % each == 0 && step >= -most && step <= most)
                    n = ct_max(L.shape[i] / rest, 1);
                break;
            }
        }
        for (int j = 0; j < leaves; ++j) {
            side->tiles[a + j] = CT_CAST(int32_t, ct_min(n, INT32_MAX));
            side->next[a + j] = n > 1 ? CT_CAST(int32_t, step * bits / 8) : 0;
        }
        a += leaves;
    }
}

/** @internal Keeps only the first tile of a side along axes whose step is not a multiple of `by`
 * bytes, the alignment of an access. If `reaches` is 0 it does so along all axes. */
CT_FN void ct_side_limit_tiles(ct_side *s, int64_t by, int reaches)
{
    CT_FOR(a, CT_AXES)
    {
        if (reaches && by > 0 && s->next[a] % by == 0) continue;
        s->tiles[a] = 1;
        s->next[a] = 0;
    }
}

#endif
