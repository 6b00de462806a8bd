/**
 * Divides: a layout split into a tile and the rest. Divides are logical, zipped, tiled or flat, by
 * a layout or, mode by mode, by a tiler.
 *
 * The number of tiles is rounded up when a tile does not divide its mode, as in CuTe. The last tile
 * then reaches past the mode; ct_divide_excess gives the number of elements.
 *
 * Fails:    as complement and composition, of each mode for a tiler; a failed operand is the
 *           result.
 * Cost:     that of a complement and a composition, of each mode for a tiler.
 */
#ifndef CUTLET_ALGEBRA_DIVIDE_H
#define CUTLET_ALGEBRA_DIVIDE_H

#include <cutlet/algebra/complement_shape.h>
#include <cutlet/algebra/composition.h>

/** @internal Makes the empty layout R the part A divided by the part B; see ct_logical_divide. The
 *  copies of B must reach every index of A, so a gap is always an error here. */
CT_FN void ct_divide_part(ct_layout *R, ct_part A, ct_part B)
{
    ct_layout by = CT_ZERO, rest = CT_ZERO; /* (B, rest): what A is composed with */
    ct_complement_of(&rest, B, ct_part_size(A), CT_GAPS_NONE);
    ct_push_part(&by, B, 0, 0);
    ct_push_second(&by, ct_whole(&rest));
    R->err = rest.err.status ? rest.err : by.err;
    if (R->err.status == CT_OK) ct_compose(R, A, ct_whole(&by));
}

/** @internal Makes the empty layout R the layout A divided by the coordinate layout B, whose bases
 *  are those of modes of A. */
CT_FN void ct_divide_along(ct_layout *R, const ct_layout *A, const ct_layout *B)
{
    const ct_tuple shape = ct_shape(*A);
    const ct_layout rest = ct_complement_along(B, &shape, CT_GAPS_NONE);
    ct_layout by = *B;
    ct_push_second(&by, ct_whole(&rest));
    R->err = by.err;
    if (R->err.status == CT_OK) ct_compose(R, ct_whole(A), ct_whole(&by));
}

/**
 * A divided by B: mode 0 is A composed with B, the tile; mode 1 is A composed with the complement
 * of B in the size of A, the position of the tile. Basis strides of B are those of modes of A, and
 * the complement is that in the shape of A.
 *
 * Ensures:  R = composition(A, (B, complement(B, size(A)))), by basis strides
 *           composition(A, (B, complement(B, shape(A)))).   [law_divide] [law_divide_along]
 * Fails:    CT_E_NO_LAYOUT when the copies of B cannot fill an interval, as complement says; as
 *           composition.
 * Example:  logical_divide((4,2,3):(2,1,8), 4:2) == ((2,2),(2,3)):((4,1),(2,8))
 * Example:  logical_divide((4,6):(1,4), (2,2):(2,6)) == error
 * Example:  logical_divide((8,8):(8,1), (4,2):(1@0,2@1)) == ((4,2),(2,(2,2))):((8,2),(32,(1,4)))
 * Source:   CUTLASS docs, 02_layout_algebra.
 */
CT_FN ct_layout ct_logical_divide(ct_layout A, ct_layout B)
{
    if (A.err.status) return A;
    if (B.err.status) return B;
    ct_layout R = CT_ZERO;
    if (ct_is_integral(B)) ct_divide_part(&R, ct_whole(&A), ct_whole(&B));
    else ct_divide_along(&R, &A, &B);
    return R;
}

/** @internal Each mode of A divided by its tile; modes that the tiler does not reach stay. Adds the
 *  tiles to `tile` and the rests to `rest`, or, where `rest` is NULL, both of each mode as one mode
 *  to `tile`. `_` is the tile of the whole mode. */
CT_FN void ct_divide_by_mode(ct_layout *tile, ct_layout *rest, const ct_layout *A,
                             const ct_tiler *T)
{
    tile->err = A->err.status ? A->err : T->tiles.err;
    if (tile->err.status) return;
    const ct_by_mode m = ct_match_modes(A->profile, T->nesting, CT_OP_DIVIDE);
    tile->err = m.err;
    if (tile->err.status) return;
    ct_layout both = CT_ZERO, one = CT_ZERO;
    ct_layout_push_leaf(&one, 1, 0, CT_INTEGER);
    CT_FOR(i, m.count)
    {
        const ct_part part = ct_by_mode_part(A, &m, i);
        const int g = m.guide[i], opens = m.open[i], closes = m.close[i];
        const int any = g < 0 || ct_tile_part_is_any(ct_tile_part(T, g));
        if (!any) {
            ct_layout_clear(&both);
            ct_divide_part(&both, part, ct_tile_part_compact(T, g, &one));
        }
        if (!rest) {
            ct_push_part(tile, any ? part : ct_whole(&both), opens, closes);
        } else if (g < 0) {
            ct_push_part(rest, part, opens, closes);
        } else if (any) {
            ct_push_part(tile, part, T->nesting.open[g], T->nesting.close[g]);
            ct_push_part(rest, ct_whole(&one), opens, closes);
        } else {
            ct_push_mode(tile, ct_whole(&both), 0, T->nesting.open[g], T->nesting.close[g]);
            ct_push_mode(rest, ct_whole(&both), 1, opens, closes);
        }
    }
    tile->err = ct_layout_check(tile, CT_OP_DIVIDE);
    if (rest) rest->err = ct_layout_check(rest, CT_OP_DIVIDE);
}

/**
 * A divided mode by mode: mode k of the result is mode k of A divided by tile k.
 * Fails:    CT_E_ARGUMENT when the tiler has modes that A lacks; as ct_logical_divide.
 * Example:  logical_divide((9,8):(8,1), <3:3,4:1>) == ((3,3),(4,2)):((24,8),(1,4))
 */
CT_FN ct_layout ct_logical_divide_by(ct_layout A, ct_tiler T)
{
    ct_layout r = CT_ZERO;
    ct_divide_by_mode(&r, CT_CAST(ct_layout *, 0), &A, &T);
    return r;
}

/** @internal (a, modes of b ...): a, then the modes of b; an integer or a tuple of one stays. */
CT_FN ct_layout ct_spread_second(ct_layout a, ct_layout b)
{
    if (ct_layout_rank(b) == 1) b = ct_layout_wrap(b);
    return ct_checked(ct_layout_concat(ct_layout_wrap(a), b), CT_OP_DIVIDE);
}

/** @internal (modes of a ..., modes of b ...). */
CT_FN ct_layout ct_spread_both(ct_layout a, ct_layout b)
{
    if (ct_layout_rank(a) == 1) a = ct_layout_wrap(a);
    if (ct_layout_rank(b) == 1) b = ct_layout_wrap(b);
    return ct_checked(ct_layout_concat(a, b), CT_OP_DIVIDE);
}

/** A divided by B; by a layout, zipped is the same as logical.
 *  Example: zipped_divide((4,8):(8,1), 4:1) == (4,8):(8,1) */
CT_FN ct_layout ct_zipped_divide(ct_layout A, ct_layout B) { return ct_logical_divide(A, B); }

/**
 * (tile, rest modes ...) of A divided by B.
 * Example:  tiled_divide((4,8):(8,1), 4:1) == (4,8):(8,1)
 */
CT_FN ct_layout ct_tiled_divide(ct_layout A, ct_layout B)
{
    const ct_layout z = ct_logical_divide(A, B);
    if (z.err.status || ct_layout_rank(z) < 2) return z;
    return ct_spread_second(ct_mode(z, 0), ct_mode(z, 1));
}

/**
 * (tile modes ..., rest modes ...) of A divided by B.
 * Example:  flat_divide((4,2,3):(2,1,8), 4:2) == (2,2,2,3):(4,1,2,8)
 */
CT_FN ct_layout ct_flat_divide(ct_layout A, ct_layout B)
{
    const ct_layout z = ct_logical_divide(A, B);
    return z.err.status || ct_layout_rank(z) < 2 ? z : ct_spread_both(ct_mode(z, 0), ct_mode(z, 1));
}

/** @internal Makes the empty layout r the tiles and the rests of A; see ct_zipped_divide_by. */
CT_FN void ct_divide_zipped(ct_layout *r, const ct_layout *A, const ct_tiler *T)
{
    ct_layout rest = CT_ZERO;
    ct_divide_by_mode(r, &rest, A, T);
    if (r->err.status == CT_OK && T->nesting.leaves == 0 && A->profile.leaves > 0)
        r->err = ct_make_error(CT_E_ARGUMENT, CT_OP_DIVIDE, CT_WHY_NO_TILE, 0, 0, 0);
    if (r->err.status == CT_OK) ct_push_second(r, ct_whole(&rest)); /* a tile leaves a rest */
}

/**
 * A divided mode by mode, with the tiles in mode 0 and the rests in mode 1. The modes beyond the
 * tiler follow the rests in mode 1.
 * Fails:    CT_E_ARGUMENT for the tiler <>, as no mode is empty; as ct_logical_divide_by.
 * Example:  zipped_divide((9,8):(8,1), <3:3,4:1>) == ((3,4),(3,2)):((24,1),(8,4))
 */
CT_FN ct_layout ct_zipped_divide_by(ct_layout A, ct_tiler T)
{
    ct_layout r = CT_ZERO;
    ct_divide_zipped(&r, &A, &T);
    return r;
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
 * Example:  flat_divide((9,8):(8,1), <>) == (9,8):(8,1)
 */
CT_FN ct_layout ct_flat_divide_by(ct_layout A, ct_tiler T)
{
    if (ct_tiler_count(T) == 0) return ct_logical_divide_by(A, T);
    const ct_layout z = ct_zipped_divide_by(A, T);
    return z.err.status ? z : ct_spread_both(ct_mode(z, 0), ct_mode(z, 1));
}

/**
 * The number of elements by which A divided by B exceeds A: 0 where B divides A evenly.
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
 * The number of elements by which A divided mode by mode exceeds A.
 * Example:  divide_excess((10,6):(1,10), <4:1,3:1>) == 12
 */
CT_FN int64_t ct_divide_excess_by(ct_layout A, ct_tiler T)
{
    const ct_layout r = ct_logical_divide_by(A, T);
    return r.err.status ? CT_INVALID : ct_size(r) - ct_size(A);
}

#endif
