/**
 * Coordinates and indices: conversion between them, and evaluation of a layout at either.
 * Cost:     O(leaves) divisions; with basis strides up to their square. No allocation.
 */
#ifndef CUTLET_ALGEBRA_COORD_H
#define CUTLET_ALGEBRA_COORD_H

#include <cutlet/algebra/layout.h>
#include <cutlet/algebra/shape_ops.h>

/** One scaled basis element of a sum: the path of modes and how many steps along it. `more` counts
 *  those that had no room. */
typedef struct ct_terms {
    int32_t count, more;
    uint32_t path[CT_MAX_LEAVES];
    int64_t steps[CT_MAX_LEAVES];
} ct_terms;

/** @internal Adds steps along path to the sum; *ok becomes 0 on overflow. */
CT_FN ct_terms ct_terms_add(ct_terms t, uint32_t path, int64_t steps, int *ok)
{
    int at = -1;
    CT_FOR(i, t.count)
    {
        if (t.path[i] == path) at = i;
    }
    if (at < 0 && t.count == CT_MAX_LEAVES) {
        ++t.more;
        return t;
    }
    if (at < 0) {
        at = t.count;
        t.path[at] = path;
        t.count = at + 1;
    }
    t.steps[at] = ct_add(t.steps[at], steps, ok);
    return t;
}

/** @internal Adds a number of steps of a stride of the given basis; *ok becomes 0 on overflow. */
CT_FN ct_terms ct_terms_add_steps(ct_terms t, uint32_t basis, int64_t times, int64_t stride,
                                  int *ok)
{
    if (!ct_is_sum(basis)) return ct_terms_add(t, basis, ct_mul(times, stride, ok), ok);
    const ct_sum s = ct_sum_of(stride, basis);
    for (int k = 0; k < s.count; ++k)
        t = ct_terms_add(t, s.path[k], ct_mul(times, s.steps[k], ok), ok);
    return t;
}

/** @internal Mode number at a level of a path, outermost level 0; -1 past its end. */
CT_FN int ct_path_mode(uint32_t path, int level)
{
    return level < 4 ? CT_CAST(int, (path >> (8 * level)) & 0xffu) - 1 : -1;
}

/** @internal The coordinate that a sum of basis elements names; modes that no term mentions are
 *  0. */
CT_FN ct_tuple ct_terms_coordinate(ct_terms t)
{
    if (t.more)
        return ct_tuple_fail(ct_make_error(CT_E_CAPACITY, CT_OP_CRD2IDX, CT_WHY_LEAVES, 0,
                                           t.count + t.more, CT_MAX_LEAVES));
    for (int i = 1; i < t.count; ++i) { /* insertion sort: at most CT_MAX_LEAVES terms */
        for (int k = i; k > 0 && ct_path_key(t.path[k - 1]) > ct_path_key(t.path[k]); --k) {
            const uint32_t path = t.path[k];
            const int64_t steps = t.steps[k];
            t.path[k] = t.path[k - 1];
            t.steps[k] = t.steps[k - 1];
            t.path[k - 1] = path;
            t.steps[k - 1] = steps;
        }
    }
    ct_tuple r = ct_tuple0();
    uint32_t last = 0;
    int depth = 0; /* levels open at the moment */
    for (int i = 0; i < t.count; ++i) {
        const uint32_t path = t.path[i];
        int common = 0;
        while (common < depth - 1 && ct_path_mode(path, common) == ct_path_mode(last, common))
            ++common;
        /* a path that goes on below another names no coordinate: 1@0 beside 1@0@0 */
        if (depth > 0 && ct_path_mode(path, common) == ct_path_mode(last, common))
            return ct_tuple_fail(
                ct_make_error(CT_E_ARGUMENT, CT_OP_CRD2IDX, CT_WHY_BASIS_MIXED, i, 0, 0));
        int next = 0;
        if (depth > 0) {
            const int n = r.profile.leaves - 1;
            r.profile.close[n] = CT_CAST(uint8_t, r.profile.close[n] + depth - 1 - common);
            next = ct_path_mode(last, common) + 1;
        }
        int opens = depth > 0 ? 0 : 1, level = common;
        for (;;) {
            const int mode = ct_path_mode(path, level);
            for (; next < mode && r.err.status == CT_OK; ++next) {
                r = ct_tuple_push(r, ct_int(0), opens, 0);
                opens = 0;
            }
            if (ct_path_mode(path, level + 1) < 0) break;
            ++opens;
            ++level;
            next = 0;
        }
        r = ct_tuple_push(r, ct_int(t.steps[i]), opens, 0);
        if (r.err.status) return r;
        last = path;
        depth = level + 1;
    }
    if (depth > 0) {
        const int n = r.profile.leaves - 1;
        r.profile.close[n] = CT_CAST(uint8_t, r.profile.close[n] + depth);
    }
    return r;
}

/** @internal The offset of a coordinate whose modes have been paired with those of L; see ct_at. */
CT_FN ct_tuple ct_offset_of_pairs(const ct_layout *L, const ct_tuple *coord, const ct_pairs *p)
{
    if (!p->ok || !p->a_integers)
        return ct_tuple_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_CRD2IDX, CT_WHY_COORD_PROFILE, p->nested_at, 0, 0));
    const ct_error bad = ct_coord_check(coord, CT_OP_CRD2IDX);
    if (bad.status) return ct_tuple_fail(bad);
    ct_terms terms = CT_ZERO;
    int64_t offset = 0;
    int ok = 1;
    CT_FOR(i, p->count)
    {
        int64_t rest = coord->basis[i] == CT_ANY ? 0 : coord->value[i], size = 1;
        CT_FOR(k, L->profile.leaves)
        {
            if (k >= p->b[i] && k < p->b[i + 1]) {
                const int64_t digit = rest % L->shape[k];
                size *= L->shape[k];
                rest /= L->shape[k];
                const int64_t d = L->stride[k];
                if (L->basis[k] == CT_INTEGER) offset = ct_add(offset, ct_mul(digit, d, &ok), &ok);
                else terms = ct_terms_add_steps(terms, L->basis[k], digit, d, &ok);
            }
        }
        if (coord->basis[i] != CT_ANY && (coord->value[i] < 0 || coord->value[i] >= size))
            return ct_tuple_fail(
                ct_make_error(CT_E_DOMAIN, CT_OP_CRD2IDX,
                              ct_profile_is_integer(coord->profile) ? CT_WHY_INDEX : CT_WHY_COORD,
                              i, coord->value[i], size));
    }
    if (!ok)
        return ct_tuple_fail(ct_make_error(CT_E_OVERFLOW, CT_OP_CRD2IDX, CT_WHY_OVERFLOW, 0, 0, 0));
    if (terms.count == 0) return ct_int(offset);
    if (offset != 0)
        return ct_tuple_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_CRD2IDX, CT_WHY_BASIS_MIXED, 0, 0, 0));
    return ct_terms_coordinate(terms);
}

/** @internal The offset of a coordinate; see ct_at. */
CT_FN ct_tuple ct_offset_at(const ct_layout *L, const ct_tuple *coord)
{
    if (L->err.status) return ct_tuple_fail(L->err);
    if (coord->err.status) return ct_tuple_fail(coord->err);
    const ct_pairs p = ct_profile_pairs(coord->profile, L->profile);
    return ct_offset_of_pairs(L, coord, &p);
}

/**
 * The offset that a layout of this shape and stride gives to a coordinate: an integer, or with
 * basis strides a coordinate. A coordinate may give an index for a whole mode, and `_` counts as 0.
 *
 * Fails:   CT_E_DOMAIN when an integer lies outside its mode; CT_E_ARGUMENT when the coordinate
 *          does not fit the shape; CT_E_OVERFLOW.
 * Cost:    O(leaves).
 * Example: at((4,(2,4)):(8,(4,1)), (3,5)) == 30
 * Example: at((4,(2,4)):(8,(4,1)), (3,(1,2))) == 30
 * Example: at((2,3):(1@0,1@1), 5) == (1,2)
 * Example: at((4,8):(8,1), (4,0)) == error
 */
CT_FN ct_tuple ct_at(ct_layout L, ct_tuple coord) { return ct_offset_at(&L, &coord); }

/**
 * @internal The column-major strides of a shape, plain: the product of the leaves before each one.
 */
CT_FN ct_tuple ct_index_stride(ct_tuple shape)
{
    int64_t run = 1;
    int ok = 1;
    CT_FOR(i, shape.profile.leaves)
    {
        const int64_t s = shape.value[i];
        shape.value[i] = run;
        run = ct_mul(run, s, &ok);
    }
    return ok ? shape
              : ct_tuple_fail(
                    ct_make_error(CT_E_OVERFLOW, CT_OP_CRD2IDX, CT_WHY_OVERFLOW, 0, 0, 0));
}

/**
 * The index of a coordinate in a shape, the first mode running fastest; with a stride, the offset.
 *
 * Fails:   as ct_at, with CT_INVALID for its value.
 * Example: crd2idx((1,2), (4,8)) == 9
 * Example: crd2idx((1,2), (4,8):(8,1)) == 10
 */
CT_FN ct_tuple ct_crd2idx(ct_tuple coord, ct_tuple shape)
{
    return ct_at(ct_make_layout(shape, ct_index_stride(shape)), coord);
}

/**
 * The coordinate of an index in a shape, the first mode running fastest.
 * Fails:   CT_E_DOMAIN when the index lies outside the shape; CT_E_ARGUMENT, CT_E_OVERFLOW when
 *          that is the shape of no layout.
 * Example: idx2crd(13, (4,(2,4))) == (1,(1,1))
 */
CT_FN ct_tuple ct_idx2crd(int64_t index, ct_tuple shape)
{
    const ct_error bad = ct_shape_check(shape, CT_OP_IDX2CRD);
    if (bad.status) return ct_tuple_fail(bad);
    const int64_t size = ct_product(shape);
    if (index < 0 || index >= size)
        return ct_tuple_fail(
            ct_make_error(CT_E_DOMAIN, CT_OP_IDX2CRD, CT_WHY_INDEX, 0, index, size));
    CT_FOR(i, shape.profile.leaves)
    {
        const int64_t s = shape.value[i];
        shape.value[i] = index % s;
        index /= s;
    }
    return shape;
}

/**
 * The coordinate of the shape dst with the index that coord has in the shape src. Two tuples of one
 * rank are converted mode by mode.
 *
 * Fails:   CT_E_DOMAIN, CT_E_ARGUMENT.
 * Example: crd2crd((3,5), (4,8), (4,(2,4))) == (3,(1,2))
 * Example: crd2crd(13, 32, (4,8)) == (1,3)
 */
CT_FN ct_tuple ct_crd2crd(ct_tuple coord, ct_tuple src, ct_tuple dst)
{
    if (coord.err.status) return coord;
    if (src.err.status) return src;
    if (dst.err.status) return dst;
    const int by_mode = !ct_is_integer(coord) && !ct_is_integer(src) && !ct_is_integer(dst) &&
                        ct_tuple_rank(src) == ct_tuple_rank(dst);
    if (!by_mode) {
        const ct_tuple index = ct_crd2idx(coord, src);
        return index.err.status ? index : ct_idx2crd(index.value[0], dst);
    }
    if (ct_tuple_rank(coord) != ct_tuple_rank(src)) return ct_tuple_fail_profile(CT_OP_CRD2CRD, 0);
    ct_tuple r = ct_tuple0();
    CT_FOR(k, ct_tuple_rank(src))
    {
        const ct_tuple index = ct_crd2idx(ct_get(coord, k), ct_get(src, k));
        r = ct_append(r, index.err.status ? index : ct_idx2crd(index.value[0], ct_get(dst, k)));
    }
    if (r.err.status && r.err.op != CT_OP_CRD2IDX) r.err.op = CT_OP_CRD2CRD;
    return r;
}

/** @internal The step of leaf i of L from one coordinate to the next; 0 where it stays. */
CT_FN int64_t ct_leaf_step(const ct_layout *L, int i)
{
    return L->shape[i] > 1 ? ct_abs(L->stride[i]) : 0;
}

/** @internal The total reach of the leaves of L whose steps are smaller than that of leaf i, or
 * equal and of a later leaf. */
CT_FN int64_t ct_reach_below(const ct_layout *L, int i)
{
    const int64_t step = ct_leaf_step(L, i);
    int64_t reach = 0;
    CT_FOR(k, L->profile.leaves)
    {
        const int64_t d = ct_leaf_step(L, k);
        if (d < step || (d == step && k > i)) reach += (L->shape[k] - 1) * d;
    }
    return reach;
}

/** @internal Finds digits of the leaves of L whose steps add up to an offset, counted from the
 *  lowest: 1; 0 where there are none, -1 where more than CT_MAX_PROOF would have to be tried. Of
 *  several the first, with the largest steps taken most often; `once`: then 2. */
CT_FN int ct_find_digits(const ct_layout *L, int64_t rest, int once, int64_t *found)
{
    int leaf[CT_MAX_LEAVES] = {0}, n = 0, at = 0, back = 0, times = 0;
    int64_t digit[CT_MAX_LEAVES] = {0};
    CT_FOR(i, L->profile.leaves)
    { /* in descending order of steps */
        int k = n;
        if (ct_leaf_step(L, i) == 0) continue;
        for (; k > 0 && ct_leaf_step(L, leaf[k - 1]) < ct_leaf_step(L, i); --k)
            leaf[k] = leaf[k - 1];
        leaf[k] = i;
        ++n;
    }
    for (int trials = 0; at >= 0; at += back ? -1 : 1) {
        if (at == n) {
            ++times;
            CT_FOR(i, L->profile.leaves)
            {
                if (times == 1) found[i] = digit[i];
            }
            if (times > once) return times;
            back = 1;
            continue;
        }
        if (++trials > CT_MAX_PROOF) return -1;
        const int i = leaf[at];
        const int64_t step = ct_leaf_step(L, i);
        if (back) rest += digit[i] * step;
        digit[i] = back ? digit[i] - 1 : ct_min(rest / step, L->shape[i] - 1);
        /* a smaller digit leaves more, which those below must reach */
        back = digit[i] < 0 || rest - digit[i] * step > ct_reach_below(L, i);
        if (!back) rest -= digit[i] * step;
    }
    return times;
}

/** @internal The coordinate of an offset; see ct_hier_coord. `once`: an offset that several have,
 *  other than by a stride of 0, is an error. */
CT_FN ct_tuple ct_coordinate_of(const ct_layout *L, int64_t offset, int once)
{
    ct_tuple c = CT_ZERO;
    c.err = L->err;
    if (c.err.status) return c;
    c.profile = L->profile;
    int64_t lowest = 0, highest = 0;
    CT_FOR(i, L->profile.leaves)
    {
        if (L->basis[i] != CT_INTEGER && c.err.status == CT_OK)
            c.err = ct_make_error(CT_E_ARGUMENT, CT_OP_HIER_COORD, CT_WHY_NOT_INTEGER, i, 0, 0);
        if (c.err.status || ct_leaf_step(L, i) == 0) continue;
        if (L->stride[i] < 0) lowest += (L->shape[i] - 1) * L->stride[i];
        else highest += (L->shape[i] - 1) * L->stride[i];
    }
    if (c.err.status) return ct_tuple_fail(c.err);
    const int inside = offset >= lowest && offset <= highest;
    const int found = inside ? ct_find_digits(L, offset - lowest, once, c.value) : 0;
    CT_FOR(i, L->profile.leaves)
    {
        if (L->stride[i] < 0 && L->shape[i] > 1) c.value[i] = L->shape[i] - 1 - c.value[i];
    }
    if (found == -1)
        return ct_tuple_fail(ct_make_error(CT_E_UNDECIDED, CT_OP_HIER_COORD, CT_WHY_PROOF, 0,
                                           ct_size(*L), CT_MAX_PROOF));
    if (found == 1) return c;
    ct_error none = ct_make_error(CT_E_DOMAIN, CT_OP_HIER_COORD, CT_WHY_COVER_TWICE, 0, offset, 0);
    if (found == 0) {
        none.why = CT_WHY_NO_OFFSET;
        none.n[1] = lowest;
        none.n[2] = highest;
    }
    return ct_tuple_fail(none);
}

/**
 * The coordinate, as nested as the layout, that has an offset: the inverse of evaluation. Modes of
 * stride 0 are at 0. If several coordinates have the offset, it is the one of the largest steps.
 *
 * Ensures: L(R) = offset.   [law_hier_coord]
 * Fails:   CT_E_DOMAIN where no coordinate has the offset; CT_E_UNDECIDED where steps overlap and
 *          the search takes more than CT_MAX_PROOF trials.
 * Cost:    O(leaves^2); where steps overlap, up to CT_MAX_PROOF trials.
 * Example: hier_coord((4,8):(8,1), 13) == (1,5)
 * Example: hier_coord((4,3,2):(1,4,16), 16) == (0,0,1)
 * Example: hier_coord((3,2):(2,3), 4) == (2,0)
 * Example: hier_coord((2,2):(1,4), 2) == error
 */
CT_FN ct_tuple ct_hier_coord(ct_layout L, int64_t offset)
{
    return ct_coordinate_of(&L, offset, 0);
}

#endif
