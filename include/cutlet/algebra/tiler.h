/**
 * Tilers: one tile for each mode of a layout, `<4:1,8:2>`, where `_` leaves a mode alone.
 * Fails:    CT_E_ARGUMENT for an empty tile; CT_E_CAPACITY; in tiles.err. A failed operand is
 *           carried on.
 * Cost:     at most the square of the number of leaves, which is at most CT_MAX_LEAVES; no
 *           allocation.
 */
#ifndef CUTLET_ALGEBRA_TILER_H
#define CUTLET_ALGEBRA_TILER_H

#include <cutlet/algebra/build.h>

typedef struct ct_tiler {
    ct_layout tiles;    /* mode k is tile k; a `_` tile is a leaf of size 1 whose basis is CT_ANY */
    ct_profile nesting; /* one leaf for each tile: how the angle brackets nest */
    uint8_t integer[CT_MAX_LEAVES]; /* 1: tile k is an integer of a shape, not a layout */
} ct_tiler;

/**
 * The number of tiles.
 * In C:     const ct_tiler t = ct_tiler2(ct_layout1(4, 1), ct_tile_any());
 *           assert(ct_tiler_count(t) == 2);
 */
CT_FN int ct_tiler_count(ct_tiler t) { return t.nesting.leaves; }

/**
 * Tile k.
 * In C:     const ct_tiler t = ct_tiler2(ct_layout1(4, 1), ct_tile_any());
 *           assert(ct_layout_equal(ct_tile(t, 0), ct_layout1(4, 1)));
 */
CT_FN ct_layout ct_tile(ct_tiler t, int k) { return ct_mode(t.tiles, k); }

/**
 * Whether a tile is `_`.
 * In C:     const ct_tiler t = ct_tiler2(ct_layout1(4, 1), ct_tile_any());
 *           assert(!ct_tile_is_any(ct_tile(t, 0)) && ct_tile_is_any(ct_tile(t, 1)));
 */
CT_FN int ct_tile_is_any(ct_layout tile)
{
    return ct_profile_is_integer(tile.profile) && tile.basis[0] == CT_ANY;
}

/** @internal Tile k, by reference. */
CT_FN ct_part ct_tile_part(const ct_tiler *t, int k)
{
    return ct_part_mode(ct_whole(&t->tiles), k);
}

/** @internal Tile k as a mode is divided or repeated by it: the integer 1 is `one`, which is
 *  1:0. */
CT_FN ct_part ct_tile_part_compact(const ct_tiler *t, int k, const ct_layout *one)
{
    const ct_part tile = ct_tile_part(t, k);
    return t->integer[k] && t->tiles.shape[tile.s.first] == 1 ? ct_whole(one) : tile;
}

/** @internal Whether a tile is `_`. */
CT_FN int ct_tile_part_is_any(ct_part tile)
{
    return ct_part_is_integer(tile) && tile.of->basis[tile.s.first] == CT_ANY;
}

/**
 * <>: a tiler without tiles, to which ct_tiler_append adds.
 * In C:     const ct_tiler t = ct_tiler_append(ct_tiler0(), ct_layout1(4, 1));
 *           assert(ct_tiler_count(t) == 1);
 */
CT_FN ct_tiler ct_tiler0(void)
{
    ct_tiler t = CT_ZERO;
    return t;
}

/** @internal Counts the tile that was added to the tiles of t. */
CT_FN void ct_tiler_count_next(ct_tiler *t)
{
    const int tiles = t->nesting.leaves;
    if (t->tiles.err.status) return;
    if (ct_profile_is_integer(t->nesting)) t->nesting = ct_profile_wrap(t->nesting);
    if (tiles > 0) t->nesting.close[tiles - 1] = CT_CAST(uint8_t, t->nesting.close[tiles - 1] - 1);
    else t->nesting.open[0] = 1;
    t->nesting.close[tiles] = 1;
    t->nesting.leaves = tiles + 1;
}

/** @internal Adds one more tile to t. An empty layout is not a tile: CT_E_ARGUMENT. */
CT_FN void ct_tiler_push(ct_tiler *t, const ct_layout *tile)
{
    if (tile->profile.leaves == 0 && tile->err.status == CT_OK && t->tiles.err.status == CT_OK)
        t->tiles.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TILER, CT_WHY_EMPTY_TILE, 0, 0, 0);
    ct_push_next(&t->tiles, ct_whole(tile));
    ct_tiler_count_next(t);
}

/** @internal Adds `_` to t. */
CT_FN void ct_tiler_push_any(ct_tiler *t)
{
    ct_push_next_leaf(&t->tiles, 1, 0, CT_ANY);
    ct_tiler_count_next(t);
}

/**
 * t with one more tile.
 * In C:     const ct_tiler t = ct_tiler_append(ct_tiler0(), ct_layout1(4, 1));
 *           assert(ct_layout_equal(ct_tile(t, 0), ct_layout1(4, 1)));
 */
CT_FN ct_tiler ct_tiler_append(ct_tiler t, ct_layout tile)
{
    ct_tiler_push(&t, &tile);
    return t;
}

/**
 * The tile that leaves a mode alone.
 * In C:     assert(ct_tile_is_any(ct_tile_any()));
 */
CT_FN ct_layout ct_tile_any(void)
{
    ct_layout L = CT_ZERO;
    L.profile.leaves = 1;
    L.shape[0] = 1;
    L.basis[0] = CT_ANY;
    return L;
}

/**
 * <a>.
 * In C:     assert(ct_tiler_count(ct_tiler1(ct_layout1(4, 1))) == 1);
 */
CT_FN ct_tiler ct_tiler1(ct_layout a) { return ct_tiler_append(ct_tiler0(), a); }

/**
 * <a,b>.
 * In C:     const ct_tiler t = ct_tiler2(ct_layout1(4, 1), ct_tile_any());
 *           const ct_layout r = ct_composition_by(ct_layout2(8, 8, 8, 1), t);
 *           assert(ct_layout_equal(r, ct_layout2(4, 8, 8, 1)));
 */
CT_FN ct_tiler ct_tiler2(ct_layout a, ct_layout b) { return ct_tiler_append(ct_tiler1(a), b); }

/**
 * <a,b,c>.
 * In C:     const ct_layout four = ct_layout1(4, 1), any = ct_tile_any();
 *           assert(ct_tiler_count(ct_tiler3(four, any, four)) == 3);
 */
CT_FN ct_tiler ct_tiler3(ct_layout a, ct_layout b, ct_layout c)
{
    return ct_tiler_append(ct_tiler2(a, b), c);
}

/**
 * The tiler of a shape: each integer s is the tile s:1, `_` stays. Where a tile divides or repeats
 * a mode, the integer 1 is 1:0, as in CuTe.
 * Fails:   CT_E_ARGUMENT for an integer below 1 or a basis element, in tiles.err.
 * Example: composition((8,8):(8,1), (4,2)) == (4,2):(8,1)
 */
CT_FN ct_tiler ct_tiler_of_shape(ct_tuple shape)
{
    ct_tiler t = CT_ZERO;
    t.tiles.err = shape.err;
    if (shape.err.status) return t;
    t.nesting = shape.profile;
    t.tiles.profile = ct_profile_flat(shape.profile.leaves);
    int bad = -1;
    CT_FOR(i, shape.profile.leaves)
    {
        const int any = shape.basis[i] == CT_ANY;
        t.tiles.shape[i] = any ? 1 : shape.value[i];
        t.tiles.stride[i] = any ? 0 : 1;
        t.integer[i] = !any;
        t.tiles.basis[i] = any ? CT_ANY : CT_INTEGER;
        if (!any && bad < 0 && (shape.basis[i] != CT_INTEGER || shape.value[i] < 1)) bad = i;
    }
    if (bad >= 0 && shape.basis[bad] != CT_INTEGER)
        t.tiles.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TILER, CT_WHY_NOT_INTEGER, bad, 0, 0);
    else if (bad >= 0)
        t.tiles.err =
            ct_make_error(CT_E_ARGUMENT, CT_OP_TILER, CT_WHY_SHAPE, bad, shape.value[bad], 0);
    return t;
}

#endif
