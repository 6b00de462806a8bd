/**
 * The complement up to a shape, of layouts of offsets and of coordinates.
 * Cost:     that of the complement of each mode along which L moves.
 */
#ifndef CUTLET_ALGEBRA_COMPLEMENT_SHAPE_H
#define CUTLET_ALGEBRA_COMPLEMENT_SHAPE_H

#include <cutlet/algebra/complement.h>
#include <cutlet/algebra/coshape.h>

/** @internal Whether `basis` names the mode at `path`, or a mode around it. */
CT_FN int ct_basis_holds(uint32_t basis, uint32_t path)
{
    uint32_t mask = 0;
    for (int k = 0; k < CT_MAX_DEPTH; ++k) mask |= basis >> (8 * k) ? 0xffu << (8 * k) : 0;
    return basis != CT_INTEGER && (path & mask) == basis;
}

/** @internal The basis of L that names the mode at `path` or one around it, `path` itself where
 *  none does; CT_ANY where two do. */
CT_FN uint32_t ct_basis_around(const ct_layout *L, uint32_t path)
{
    uint32_t found = CT_INTEGER;
    CT_FOR(i, L->profile.leaves)
    {
        if (ct_basis_holds(L->basis[i], path))
            found = found == CT_INTEGER || found == L->basis[i] ? L->basis[i] : CT_ANY;
    }
    return found == CT_INTEGER ? path : found;
}

/** @internal The first leaf of L that moves along no mode at `paths`, as an error. */
CT_FN ct_error ct_bases_check(const ct_layout *L, const ct_tuple *paths)
{
    ct_error e = paths->err.status ? paths->err : ct_sums_check(L, CT_OP_COMPLEMENT);
    CT_FOR(i, L->profile.leaves)
    {
        int held = L->shape[i] == 1 || L->stride[i] == 0;
        CT_FOR(k, paths->profile.leaves) held |= ct_basis_holds(L->basis[i], paths->basis[k]);
        if (!held && e.status == CT_OK)
            e = ct_make_error(CT_E_ARGUMENT, CT_OP_COMPLEMENT,
                              L->basis[i] == CT_INTEGER ? CT_WHY_BASIS_MIXED : CT_WHY_BASIS_SHAPE,
                              i, 0, 0);
    }
    return e;
}

/** @internal The sizes of the modes of a shape that the bases of L name, and of the leaves that
 * none names, as a tuple. */
CT_FN ct_tuple ct_modes_along(const ct_layout *L, const ct_tuple *shape)
{
    const ct_tuple path = ct_basis_like(*shape);
    ct_error e = ct_bases_check(L, &path);
    if (ct_is_integer(*shape) && e.status == CT_OK)
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_COMPLEMENT, CT_WHY_BASIS_SHAPE, 0, 0, 0);
    ct_terms sizes = CT_ZERO;
    CT_FOR(i, path.profile.leaves)
    {
        const uint32_t basis = ct_basis_around(L, path.basis[i]);
        int64_t more = shape->value[i];
        int ok = 1;
        CT_FOR(k, sizes.count)
        { /* a further leaf of a mode */
            if (sizes.path[k] == basis) more = sizes.steps[k] * (shape->value[i] - 1);
        }
        sizes = ct_terms_add(sizes, basis, more, &ok);
        if (basis == CT_ANY && e.status == CT_OK)
            e = ct_make_error(CT_E_ARGUMENT, CT_OP_COMPLEMENT, CT_WHY_BASIS_MIXED, i, 0, 0);
    }
    return e.status ? ct_tuple_fail(e) : ct_terms_coordinate(sizes);
}

/** @internal The complement of a coordinate layout within a shape, mode by mode of the
 *  coordinates. */
CT_FN ct_layout ct_complement_along(const ct_layout *L, const ct_tuple *shape, int gaps)
{
    const ct_tuple modes = ct_modes_along(L, shape), path = ct_basis_like(modes);
    if (path.err.status) return ct_layout_fail(path.err);
    ct_layout r = CT_ZERO, piece = CT_ZERO;
    CT_FOR(m, modes.profile.leaves)
    {
        const ct_layout one = ct_along(L, path.basis[m]);
        ct_layout_clear(&piece);
        ct_complement_of(&piece, ct_whole(&one), modes.value[m], gaps);
        piece.err = ct_error_along(piece.err, m);
        CT_FOR(k, piece.profile.leaves)
        {
            if (piece.stride[k] != 0) piece.basis[k] = path.basis[m];
        }
        ct_push_part(&r, ct_whole(&piece), modes.profile.open[m], modes.profile.close[m]);
    }
    return ct_checked(r, CT_OP_COMPLEMENT);
}

/**
 * The complement of L up to a shape. Integer strides: the complement up to its size. If an extent
 * of L does not divide the modes of the shape, each mode is rounded up separately, as in CuTe.
 * Basis strides: the coordinates of the shape at which L can be repeated without overlap, mode by
 * mode of the shape.
 *
 * Ensures:  as complement for integer strides. For basis strides mode m of R is the complement of
 *           what L adds along mode m; the coordinates L(i) + R(j) are distinct, and at least as
 *           many as the shape has; R ascends colexicographically.   [law_complement_shape]
 * Fails:    as complement, by the mode of the coordinates; CT_E_ARGUMENT where a basis names a mode
 *           that the shape lacks, integer and basis strides meet, or a stride is a sum of bases.
 * Cost:     O(leaves^2), for basis strides O(leaves^3).
 * Example:  complement((2,2):(1,6), (4,6)) == (3,2):(2,12)
 * Example:  complement(2:1, (3,4)) == 8:2
 * Example:  complement((4,2):(1@0,2@1), (8,8)) == (2,(2,2)):(4@0,(1@1,4@1))
 * Example:  complement(2:1@1, ((2,3),4)) == ((2,3),2):((1@0@0,1@1@0),2@1)
 * Example:  complement((2,2):(2@0,6@0), (24,4)) == error
 * Source:   CuTe, layout.hpp, of integer strides.
 */
CT_FN ct_layout ct_complement_shape(ct_layout L, ct_tuple shape)
{
    if (L.err.status) return L;
    const ct_error bad = ct_shape_check(shape, CT_OP_COMPLEMENT);
    if (bad.status) return ct_layout_fail(bad);
    if (!ct_is_integral(L)) return ct_complement_along(&L, &shape, CT_GAPS_COUNT);
    ct_layout r = CT_ZERO;
    const ct_gaps g = ct_fill_gaps(&r, ct_whole(&L));
    if (r.err.status) return r;
    const int64_t size = ct_product(shape);
    const int64_t by_mode = ct_product(ct_ceil_div(shape, ct_int(g.extent)));
    const int64_t rest = ct_max(by_mode, ct_ceil_div_int(size, g.extent));
    ct_close_complement(&r, &g, size, rest, CT_GAPS_COUNT);
    return r;
}

/**
 * The complement of L within all that it reaches: up to its coshape.
 * Fails:   as complement, up to the cosize, or up to the coshape where the strides are basis
 *          elements.
 * Example: complement((2,2):(1@0,2@1)) == (1,2):(0,1@1)
 */
CT_FN ct_layout ct_complement_within(ct_layout L)
{
    const ct_tuple reach = ct_coshape(L);
    return reach.err.status ? ct_layout_fail(reach.err) : ct_complement_shape(L, reach);
}

#endif
