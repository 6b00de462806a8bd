/**
 * Rearranging the modes of a layout: the tuple operations, applied to shape and stride alike.
 * Fails:    as the operation on tuples; as ct_make_layout; a failed operand is the result.
 * Cost:     at most the square of the number of leaves, which is at most CT_MAX_LEAVES; no
 *           allocation.
 */
#ifndef CUTLET_ALGEBRA_LAYOUT_OPS_H
#define CUTLET_ALGEBRA_LAYOUT_OPS_H

#include <cutlet/algebra/build.h>
#include <cutlet/algebra/tuple_ops.h>

/**
 * The leaves of L as the modes of a layout of depth 1; an integer layout stays.
 * Example: flatten(((2,3),4):((1,2),6)) == (2,3,4):(1,2,6)
 */
CT_FN ct_layout ct_layout_flatten(ct_layout L)
{
    if (L.err.status || ct_profile_is_integer(L.profile)) return L;
    L.profile = ct_profile_flat(L.profile.leaves);
    return L;
}

/**
 * The leaves of L nested as profile is.
 * Example: unflatten((2,3,4):(1,2,6), ((0,0),0)) == ((2,3),4):((1,2),6)
 */
CT_FN ct_layout ct_layout_unflatten(ct_layout L, ct_tuple profile)
{
    return ct_make_layout(ct_unflatten(ct_shape(L), profile), ct_unflatten(ct_stride(L), profile));
}

/**
 * L with the modes [first, last) made into one mode.
 * Example: group((2,3,4):(1,2,6), 0, 2) == ((2,3),4):((1,2),6)
 */
CT_FN ct_layout ct_layout_group(ct_layout L, int first, int last)
{
    return ct_make_layout(ct_group(ct_shape(L), first, last), ct_group(ct_stride(L), first, last));
}

/**
 * L with X as one more, last mode.
 * Example: append((2,3):(1,2), 4:6) == (2,3,4):(1,2,6)
 */
CT_FN ct_layout ct_layout_append(ct_layout L, ct_layout X)
{
    return ct_make_layout(ct_append(ct_shape(L), ct_shape(X)),
                          ct_append(ct_stride(L), ct_stride(X)));
}

/**
 * L with X as one more, first mode.
 * Example: prepend((2,3):(1,2), 4:6) == (4,2,3):(6,1,2)
 */
CT_FN ct_layout ct_layout_prepend(ct_layout L, ct_layout X)
{
    return ct_make_layout(ct_prepend(ct_shape(L), ct_shape(X)),
                          ct_prepend(ct_stride(L), ct_stride(X)));
}

/**
 * L with mode k replaced by X.
 * Example: replace((2,3):(1,2), 1, 4:6) == (2,4):(1,6)
 */
CT_FN ct_layout ct_layout_replace(ct_layout L, int k, ct_layout X)
{
    return ct_make_layout(ct_replace(ct_shape(L), k, ct_shape(X)),
                          ct_replace(ct_stride(L), k, ct_stride(X)));
}

/**
 * The modes of L that modes names, in that order.
 * Example: select((2,3,4):(1,2,6), (2,0)) == (4,2):(6,1)
 */
CT_FN ct_layout ct_layout_select(ct_layout L, ct_tuple modes)
{
    return ct_make_layout(ct_select(ct_shape(L), modes), ct_select(ct_stride(L), modes));
}

/**
 * The modes [first, last) of L, as a layout.
 * Example: take((2,3,4):(1,2,6), 1, 3) == (3,4):(2,6)
 */
CT_FN ct_layout ct_layout_take(ct_layout L, int first, int last)
{
    return ct_make_layout(ct_take(ct_shape(L), first, last), ct_take(ct_stride(L), first, last));
}

/**
 * The modes of L in reverse order: the index that runs fastest becomes the slowest.
 * Ensures: R(c_n, .., c_0) = L(c_0, .., c_n).   [law_reverse]
 * Example: reverse((2,(3,4)):(1,(2,6))) == ((3,4),2):((2,6),1)
 */
CT_FN ct_layout ct_layout_reverse(ct_layout L)
{
    return ct_make_layout(ct_reverse(ct_shape(L)), ct_reverse(ct_stride(L)));
}

/** @internal Makes the empty layout r the modes of L opposite `_` (wanted 1) or an integer (wanted
 *  0) of coord, paired with them. */
CT_FN void ct_slice_pairs(ct_layout *r, const ct_layout *L, const ct_tuple *coord,
                          const ct_pairs *p, int wanted)
{
    CT_FOR(i, p->count)
    {
        ct_part mode = ct_whole(L);
        mode.s.first = p->b[i];
        mode.s.count = p->b[i + 1] - p->b[i];
        mode.opens = p->open[i];
        mode.closes = p->close[i];
        if ((coord->basis[i] == CT_ANY) == wanted) ct_push_next(r, mode);
    }
    r->err = ct_layout_check(r, CT_OP_MAKE_LAYOUT);
}

/** @internal Makes the empty layout r a slice (wanted 1) or a dice (wanted 0) of L. */
CT_FN void ct_slice_or_dice_of(ct_layout *r, const ct_layout *L, const ct_tuple *coord, int wanted,
                               int32_t op)
{
    r->err = L->err.status ? L->err : coord->err;
    if (r->err.status == CT_OK) r->err = ct_coord_check(coord, op);
    if (r->err.status) return;
    if (ct_profile_is_integer(coord->profile)) {
        if ((coord->basis[0] == CT_ANY) == wanted) *r = *L;
        r->err = ct_layout_check(r, CT_OP_MAKE_LAYOUT);
        return;
    }
    const ct_pairs p = ct_profile_pairs(coord->profile, L->profile);
    if (p.ok && p.a_integers) ct_slice_pairs(r, L, coord, &p, wanted);
    else r->err = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_COORD_PROFILE, p.nested_at, 0, 0);
}

/**
 * The modes of L opposite a `_` of coord: the slice when the others are fixed.
 * Example: slice((_,1), (2,3):(1,2)) == (2):(1)
 */
CT_FN ct_layout ct_layout_slice(ct_layout L, ct_tuple coord)
{
    ct_layout r = CT_ZERO;
    ct_slice_or_dice_of(&r, &L, &coord, 1, CT_OP_SLICE);
    return r;
}

/**
 * The modes of L opposite an integer of coord, which a slice omits.
 * Example: dice((_,1), (2,3):(1,2)) == (3):(2)
 */
CT_FN ct_layout ct_layout_dice(ct_layout L, ct_tuple coord)
{
    ct_layout r = CT_ZERO;
    ct_slice_or_dice_of(&r, &L, &coord, 0, CT_OP_DICE);
    return r;
}

#endif
