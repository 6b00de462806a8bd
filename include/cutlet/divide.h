/**
 * Divides: a layout split into a tile and the rest, logical, zipped, tiled and flat; by a layout or,
 * mode by mode, by a tiler.
 *
 * A tile that does not divide its mode rounds the number of tiles up, as in CuTe, so that the last
 * tile reaches past the mode. ct_divide_excess says by how much.
 */
#ifndef CUTLET_DIVIDE_H
#define CUTLET_DIVIDE_H

#include "complement.h"
#include "composition.h"

/** The layout B and its complement in the size of A: what A is composed with to divide it by B. The
 *  copies of B must reach every index of A, so a gap is always an error here. */
CT_FN ct_layout ct_divide_by(ct_layout A, ct_layout B)
{
    if (A.err.status) return A;
    if (B.err.status) return B;
    const ct_layout rest = ct_complement_with(B, ct_size(A), CT_GAPS_NONE);
    return rest.err.status ? rest : ct_make_layout2(B, rest);
}

/**
 * A divided by B: mode 0 is A composed with B, the tile; mode 1 is A composed with the complement of
 * B in the size of A, the position of the tile.
 *
 * Ensures:  R = composition(A, (B, complement(B, size(A)))).   [law_divide]
 * Fails:    CT_E_NO_LAYOUT when the copies of B cannot fill an interval, as complement says; as
 *           composition.
 * Example:  logical_divide((4,2,3):(2,1,8), 4:2) == ((2,2),(2,3)):((4,1),(2,8))
 * Example:  logical_divide((4,6):(1,4), (2,2):(2,6)) == error
 * Source:   CUTLASS docs, 02_layout_algebra.
 */
CT_FN ct_layout ct_logical_divide(ct_layout A, ct_layout B)
{
    return ct_composition(A, ct_divide_by(A, B));
}

/** What a divide by mode takes of each mode: the tile, the rest, or both. */
enum { CT_DIVIDE_TILE, CT_DIVIDE_REST, CT_DIVIDE_BOTH };

/** Mode `part` of A divided by a tile; `_` counts as the tile that is the whole mode. */
CT_FN ct_layout ct_divide_mode(ct_layout part, ct_layout tile, int which)
{
    if (ct_tile_is_any(tile)) return which == CT_DIVIDE_REST ? ct_layout1(1, 0) : part;
    const ct_layout both = ct_logical_divide(part, tile);
    return which == CT_DIVIDE_BOTH ? both : ct_mode(both, which == CT_DIVIDE_TILE ? 0 : 1);
}

/** Each mode of A divided by its tile; modes that the tiler does not reach stay, or, for the tiles
 *  alone, are dropped. */
CT_FN ct_layout ct_divide_by_mode(ct_layout A, ct_tiler T, int which)
{
    if (A.err.status) return A;
    if (T.tiles.err.status) return T.tiles;
    A = ct_as_guided(A, T.nesting);
    const ct_by_mode m = ct_match_modes(A, T.nesting, CT_OP_DIVIDE);
    if (m.err.status) return ct_layout_fail(m.err);
    ct_layout r = CT_ZERO;
    CT_FOR(i, m.count) {
        const ct_layout part = ct_by_mode_part(A, m, i);
        const int g = m.guide[i];
        if (g >= 0) {
            const ct_layout done = ct_divide_mode(part, ct_tile(T, g), which);
            const int tile = which == CT_DIVIDE_TILE;
            ct_layout_push(&r, &done, tile ? T.nesting.open[g] : m.open[i],
                           tile ? T.nesting.close[g] : m.close[i]);
        } else if (which != CT_DIVIDE_TILE) {
            ct_layout_push(&r, &part, m.open[i], m.close[i]);
        }
    }
    return ct_checked(r, CT_OP_DIVIDE);
}

/**
 * A divided mode by mode: mode k of the result is mode k of A divided by tile k.
 * Fails:    CT_E_ARGUMENT when the tiler has modes that A lacks; as ct_logical_divide.
 * Example:  logical_divide((9,8):(8,1), <3:3,4:1>) == ((3,3),(4,2)):((24,8),(1,4))
 */
CT_FN ct_layout ct_logical_divide_by(ct_layout A, ct_tiler T)
{
    return ct_divide_by_mode(A, T, CT_DIVIDE_BOTH);
}

/** (a, modes of b ...): the modes of b spread out behind a; an integer or a tuple of one stays. */
CT_FN ct_layout ct_spread_second(ct_layout a, ct_layout b)
{
    if (ct_layout_rank(b) == 1) b = ct_layout_wrap(b);
    return ct_checked(ct_layout_concat(ct_layout_wrap(a), b), CT_OP_DIVIDE);
}

/** (modes of a ..., modes of b ...). */
CT_FN ct_layout ct_spread_both(ct_layout a, ct_layout b)
{
    if (ct_layout_rank(a) == 1) a = ct_layout_wrap(a);
    if (ct_layout_rank(b) == 1) b = ct_layout_wrap(b);
    return ct_checked(ct_layout_concat(a, b), CT_OP_DIVIDE);
}

/** A divided by B; by a layout, zipped is the same as logical.
 *  Example: zipped_divide((4,8):(8,1), 4:1) == (4,8):(8,1) */
CT_FN ct_layout ct_zipped_divide(ct_layout A, ct_layout B) { return ct_logical_divide(A, B); }

/** (tile, rest modes ...) of A divided by B. */
CT_FN ct_layout ct_tiled_divide(ct_layout A, ct_layout B)
{
    const ct_layout z = ct_logical_divide(A, B);
    return z.err.status ? z : ct_spread_second(ct_mode(z, 0), ct_mode(z, 1));
}

/** (tile modes ..., rest modes ...) of A divided by B. */
CT_FN ct_layout ct_flat_divide(ct_layout A, ct_layout B)
{
    const ct_layout z = ct_logical_divide(A, B);
    return z.err.status ? z : ct_spread_both(ct_mode(z, 0), ct_mode(z, 1));
}

/**
 * A divided mode by mode, the tiles in mode 0 and the rests in mode 1, with the modes that the tiler
 * does not reach behind them.
 * Fails:    as ct_logical_divide_by.
 * Example:  zipped_divide((9,8):(8,1), <3:3,4:1>) == ((3,4),(3,2)):((24,1),(8,4))
 */
CT_FN ct_layout ct_zipped_divide_by(ct_layout A, ct_tiler T)
{
    return ct_make_layout2(ct_divide_by_mode(A, T, CT_DIVIDE_TILE),
                           ct_divide_by_mode(A, T, CT_DIVIDE_REST));
}

/**
 * As zipped, with the modes of the rest spread out: ((tiles ...), rest, rest, ...).
 * Example:  tiled_divide((9,8):(8,1), <3:3,4:1>) == ((3,4),3,2):((24,1),8,4)
 */
CT_FN ct_layout ct_tiled_divide_by(ct_layout A, ct_tiler T)
{
    const ct_layout z = ct_zipped_divide_by(A, T);
    return z.err.status ? z : ct_spread_second(ct_mode(z, 0), ct_mode(z, 1));
}

/**
 * As zipped, with the modes of both spread out: (tile, tile, ..., rest, rest, ...).
 * Example:  flat_divide((9,8):(8,1), <3:3,4:1>) == (3,4,3,2):(24,1,8,4)
 */
CT_FN ct_layout ct_flat_divide_by(ct_layout A, ct_tiler T)
{
    const ct_layout z = ct_zipped_divide_by(A, T);
    return z.err.status ? z : ct_spread_both(ct_mode(z, 0), ct_mode(z, 1));
}

/**
 * By how many elements A divided by B is larger than A: 0 where B divides A evenly.
 * Fails:    CT_INVALID where the divide fails.
 * Example:  divide_excess(10:1, 4:1) == 2
 * Example:  divide_excess(12:1, 4:1) == 0
 */
CT_FN int64_t ct_divide_excess(ct_layout A, ct_layout B)
{
    const ct_layout r = ct_logical_divide(A, B);
    return r.err.status ? CT_INVALID : ct_size(r) - ct_size(A);
}

/**
 * The same for a tiler: by how many elements A divided mode by mode is larger than A.
 * Example:  divide_excess((10,6):(1,10), <4:1,3:1>) == 12
 */
CT_FN int64_t ct_divide_excess_by(ct_layout A, ct_tiler T)
{
    const ct_layout r = ct_logical_divide_by(A, T);
    return r.err.status ? CT_INVALID : ct_size(r) - ct_size(A);
}

#endif
