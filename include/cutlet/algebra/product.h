/**
 * Products: a layout repeated in the pattern of another, in six forms from logical to raked.
 * Fails:    as complement and composition, of each mode for a tiler; CT_E_CAPACITY; a failed
 *           operand is the result.
 * Cost:     that of a complement and a composition, of each mode for a tiler.
 */
#ifndef CUTLET_ALGEBRA_PRODUCT_H
#define CUTLET_ALGEBRA_PRODUCT_H

#include <cutlet/algebra/divide.h>
#include <cutlet/algebra/make.h>
#include <cutlet/algebra/shape_product.h>

/** @internal The highest index that a leaf of B reaches by itself, plus one. */
CT_FN int64_t ct_widest_leaf(ct_part B)
{
    int64_t most = 1;
    CT_FOR(i, B.s.count)
    {
        const int leaf = B.s.first + i;
        most = ct_max(most, (B.of->shape[leaf] - 1) * ct_abs(B.of->stride[leaf]) + 1);
    }
    return most;
}

/**
 * @internal Makes the empty layout r the offsets of the copies in the product of A and B: the
 * complement A* of A composed with B.
 *
 * A* rounds down the number of copies that fit in a gap of A. It may then have fewer offsets than
 * B needs; more are added at the end.
 *
 * With `by_rank` the modes of B count one by one.
 */
CT_FN void ct_copies(ct_layout *r, ct_part A, ct_part B, int by_rank)
{
    CT_FOR(i, B.s.count)
    {
        if (B.of->basis[B.s.first + i] != CT_INTEGER && r->err.status == CT_OK)
            r->err = ct_make_error(CT_E_ARGUMENT, CT_OP_PRODUCT, CT_WHY_NOT_INTEGER, i, 0, 0);
    }
    if (r->err.status) return;
    const int64_t cosize = ct_part_cosize(B);
    int ok = 1;
    const int64_t n = ct_mul(ct_part_size(A), cosize, &ok);
    ct_layout places = CT_ZERO;
    if (ok) ct_complement_of(&places, A, n, CT_GAPS_ROUND);
    const int64_t asked = by_rank ? ct_widest_leaf(B) : cosize;
    if (ok && places.err.status == CT_OK && ct_part_size(ct_whole(&places)) < asked) {
        ct_layout once = CT_ZERO;
        ct_push_coalesced(&once, A, CT_NO_ZEROS);
        const int64_t more = ct_mul(ct_part_cosize(ct_whole(&once)), cosize, &ok);
        ct_layout_clear(&places);
        if (ok) ct_complement_of(&places, A, more, CT_GAPS_ROUND);
    }
    r->err = places.err;
    if (!ok) r->err = ct_make_error(CT_E_OVERFLOW, CT_OP_PRODUCT, CT_WHY_OVERFLOW, 0, 0, 0);
    if (r->err.status == CT_OK) ct_compose(r, ct_whole(&places), B);
}

/**
 * A repeated in the pattern of B: mode 0 is A, mode 1 is compatible with B and places the copies.
 *
 * Ensures:  mode 0 of R is A; mode 1 is composition(A*, B), A* being the complement of A; copies do
 *           not meet where B reaches no index twice.   [law_product]
 * Fails:    CT_E_NO_LAYOUT when the modes of A interleave or overlap; as composition.
 * Example:  logical_product((2,2):(4,1), 6:1) == ((2,2),(2,3)):((4,1),(2,8))
 * Example:  logical_product((4,2):(6,2), 3:1) == error
 * Source:   CUTLASS docs, 02_layout_algebra.
 */
CT_FN ct_layout ct_logical_product(ct_layout A, ct_layout B)
{
    if (A.err.status) return A;
    if (B.err.status) return B;
    ct_layout copies = CT_ZERO;
    ct_copies(&copies, ct_whole(&A), ct_whole(&B), 0);
    return copies.err.status ? copies : ct_make_layout2(A, copies);
}

/** The part of each mode that a product by mode takes: the block, the copies, or both. */
enum { CT_PRODUCT_BLOCK, CT_PRODUCT_COPIES, CT_PRODUCT_BOTH };

/** @internal Makes the empty layout r mode `part` of A, the copies of it, or both; `_` makes no
 *  copies. */
CT_FN void ct_product_mode(ct_layout *r, ct_part part, ct_part tile, int which)
{
    const int any = ct_tile_part_is_any(tile);
    if (any && which == CT_PRODUCT_COPIES) ct_layout_push_leaf(r, 1, 0, CT_INTEGER);
    else if (any || which == CT_PRODUCT_BLOCK) ct_push_part(r, part, 0, 0);
    else if (which == CT_PRODUCT_COPIES) ct_copies(r, part, tile, 0);
    else *r = ct_logical_product(ct_part_layout(part), ct_part_layout(tile));
}

/** @internal Each mode of A repeated by its tile. Modes that the tiler does not reach stay, after
 * the copies if these are taken alone. */
CT_FN ct_layout ct_product_by_mode(ct_layout A, ct_tiler T, int which)
{
    if (A.err.status) return A;
    if (T.tiles.err.status) return T.tiles;
    const ct_by_mode m = ct_match_modes(A.profile, T.nesting, CT_OP_PRODUCT);
    if (m.err.status) return ct_layout_fail(m.err);
    const ct_layout one = ct_layout1(1, 0);
    ct_layout r = CT_ZERO;
    CT_FOR(i, m.count)
    {
        const ct_part part = ct_by_mode_part(&A, &m, i);
        const int g = m.guide[i], block = which == CT_PRODUCT_BLOCK;
        if (g >= 0) {
            ct_layout done = CT_ZERO;
            ct_product_mode(&done, part, ct_tile_part_compact(&T, g, &one), which);
            ct_layout_push(&r, &done, block ? T.nesting.open[g] : m.open[i],
                           block ? T.nesting.close[g] : m.close[i]);
        } else if (!block) {
            ct_push_part(&r, part, m.open[i], m.close[i]);
        }
    }
    return ct_checked(r, CT_OP_PRODUCT);
}

/**
 * The product mode by mode: mode k of A repeated as tile k says; `_` and modes that the tiler does
 * not reach stay.
 * Example:  logical_product((4,8):(1,4), <2:1,_>) == ((4,2),8):((1,4),4)
 */
CT_FN ct_layout ct_logical_product_by(ct_layout A, ct_tiler T)
{
    return ct_product_by_mode(A, T, CT_PRODUCT_BOTH);
}

/**
 * The product mode by mode, with the blocks in mode 0 and the copies in mode 1. The modes beyond
 * the tiler follow.
 * Fails:    CT_E_ARGUMENT for the tiler <>, as no mode is empty; as ct_logical_product.
 * Example:  zipped_product((4,8):(1,4), <2:1,3:1>) == ((4,8),(2,3)):((1,4),(4,1))
 */
CT_FN ct_layout ct_zipped_product_by(ct_layout A, ct_tiler T)
{
    const ct_layout block = ct_product_by_mode(A, T, CT_PRODUCT_BLOCK);
    const ct_layout copies = ct_product_by_mode(A, T, CT_PRODUCT_COPIES);
    if (block.err.status) return block;
    if (ct_tiler_count(T) == 0)
        return ct_layout_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_PRODUCT, CT_WHY_NO_TILE, 0, 0, 0));
    return copies.err.status ? copies : ct_make_layout2(block, copies);
}

/**
 * As zipped, with the modes of the copies spread out.
 * Example:  tiled_product((4,8):(1,4), <2:1,3:1>) == ((4,8),2,3):((1,4),4,1)
 */
CT_FN ct_layout ct_tiled_product_by(ct_layout A, ct_tiler T)
{
    const ct_layout z = ct_zipped_product_by(A, T);
    return z.err.status ? z : ct_spread_second(ct_mode(z, 0), ct_mode(z, 1));
}

/**
 * As zipped, with the modes of both spread out.
 * Example:  flat_product((4,8):(1,4), <2:1,3:1>) == (4,8,2,3):(1,4,4,1)
 */
CT_FN ct_layout ct_flat_product_by(ct_layout A, ct_tiler T)
{
    if (ct_tiler_count(T) == 0) return ct_logical_product_by(A, T);
    const ct_layout z = ct_zipped_product_by(A, T);
    return z.err.status ? z : ct_spread_both(ct_mode(z, 0), ct_mode(z, 1));
}

/**
 * A repeated as B says; by a layout, zipped is the same as logical.
 * Example:  zipped_product((2,2):(4,1), (2,3):(1,2)) == ((2,2),(2,3)):((4,1),(2,8))
 */
CT_FN ct_layout ct_zipped_product(ct_layout A, ct_layout B) { return ct_logical_product(A, B); }

/**
 * (A, modes of the copies ...).
 * Example:  tiled_product((2,2):(4,1), (2,3):(1,2)) == ((2,2),2,3):((4,1),2,8)
 */
CT_FN ct_layout ct_tiled_product(ct_layout A, ct_layout B)
{
    const ct_layout z = ct_logical_product(A, B);
    if (z.err.status || ct_layout_rank(z) < 2) return z;
    return ct_spread_second(ct_mode(z, 0), ct_mode(z, 1));
}

/**
 * (modes of A ..., modes of the copies ...).
 * Example:  flat_product((2,2):(4,1), (2,3):(1,2)) == (2,2,2,3):(4,1,2,8)
 */
CT_FN ct_layout ct_flat_product(ct_layout A, ct_layout B)
{
    const ct_layout z = ct_logical_product(A, B);
    if (B.profile.leaves == 0) return A; /* one copy, and no mode of copies */
    return z.err.status ? z : ct_spread_both(ct_mode(z, 0), ct_mode(z, 1));
}

/** @internal Appends modes 1:0 to L until it has the given rank; an integer counts as one mode. */
CT_FN void ct_pad_rank(ct_layout *L, int rank)
{
    const int have = ct_part_rank(ct_whole(L));
    if (L->err.status) return;
    if (ct_profile_is_integer(L->profile) && rank >= 1) L->profile = ct_profile_wrap(L->profile);
    CT_FOR(i, rank)
    {
        if (i >= have) ct_push_next_leaf(L, 1, 0, CT_INTEGER);
    }
}

/** @internal The product of A and B with mode k of the one zipped with mode k of the other. */
CT_FN ct_layout ct_zip_product(ct_layout A, ct_layout B, int tile_first)
{
    if (A.err.status) return A;
    if (B.err.status) return B;
    const int rank = CT_CAST(int, ct_max(ct_layout_rank(A), ct_layout_rank(B)));
    ct_layout copies = CT_ZERO, r = CT_ZERO;
    ct_pad_rank(&A, rank);
    ct_pad_rank(&B, rank);
    copies.err = A.err.status ? A.err : B.err;
    if (copies.err.status == CT_OK) ct_copies(&copies, ct_whole(&A), ct_whole(&B), 1);
    if (copies.err.status) return copies;
    CT_FOR(k, rank)
    {
        const ct_layout *const first = tile_first ? &A : &copies;
        const ct_layout *const second = tile_first ? &copies : &A;
        ct_push_mode(&r, ct_whole(first), k, k == 0 ? 2 : 1, 0);
        ct_push_mode(&r, ct_whole(second), k, 0, k + 1 == rank ? 2 : 1);
    }
    return ct_checked(r, tile_first ? CT_OP_BLOCKED_PRODUCT : CT_OP_RAKED_PRODUCT);
}

/**
 * The product by rank, each copy of the block A in one piece: mode k is (mode k of A, mode k of B).
 * Copies along one mode never overlap. Along two modes together they can, if A has gaps that are
 * not a multiple of the copy (as in CuTe; complement(A, n) fails for such an A and a large n).
 * Ensures:  mode (k,0) is mode k of A.   [law_blocked_product]
 * Example:  blocked_product((2,5):(5,1), (3,4):(1,3)) == ((2,3),(5,4)):((5,10),(1,30))
 */
CT_FN ct_layout ct_blocked_product(ct_layout A, ct_layout B) { return ct_zip_product(A, B, 1); }

/**
 * The product by rank, the copies of A interleaved: mode k is (mode k of B, mode k of A).
 * Ensures:  mode (k,1) is mode k of A.   [law_raked_product]
 * Example:  raked_product((2,5):(5,1), (3,4):(1,3)) == ((3,2),(4,5)):((10,5),(30,1))
 */
CT_FN ct_layout ct_raked_product(ct_layout A, ct_layout B) { return ct_zip_product(A, B, 0); }

/**
 * The block repeated until it has the given shape, the copies in the order of the keys.
 * Fails:    CT_E_ARGUMENT when the block has more modes than the shape, or does not divide it.
 * Example:  tile_to_shape((2,2):(1,2), (4,6), (1,0)) == ((2,2),(2,3)):((1,12),(2,4))
 */
CT_FN ct_layout ct_tile_to_shape(ct_layout block, ct_tuple shape, ct_tuple order)
{
    if (block.err.status) return block;
    if (shape.err.status) return ct_layout_fail(shape.err);
    const ct_tuple target = ct_product_each(shape);
    const int rank = ct_tuple_rank(target);
    if (ct_layout_rank(block) > rank)
        return ct_layout_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_TILE_TO_SHAPE, CT_WHY_RANK_MORE, 0,
                                            ct_layout_rank(block), rank));
    ct_layout padded = block;
    ct_pad_rank(&padded, rank);
    ct_tuple copies = target;
    CT_FOR(k, rank)
    {
        const int64_t size = ct_size(ct_mode(padded, k));
        if (target.value[k] % size != 0)
            return ct_layout_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_TILE_TO_SHAPE,
                                                CT_WHY_TILE_DIVIDES, k, size, target.value[k]));
        copies.value[k] = target.value[k] / size;
    }
    return ct_blocked_product(padded, ct_make_ordered_layout(copies, order));
}

#endif
