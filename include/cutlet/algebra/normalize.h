/**
 * Several layouts as one: their common modes, with one step per side.
 *
 * A copy visits the same coordinates on every side. Only the steps of the modes on each side
 * matter. Nesting does not, and neither does a mode that continues another one. So the layouts are
 * split to a common shape, and modes whose step on side 0 is negative are reversed. Then the modes
 * are sorted by the steps of side 0. A mode that continues the previous one on all sides joins it.
 *
 *     const ct_normal_side side[2] = {{to, 4}, {from, 4}};      layouts, bytes of an element
 *     const ct_normal_form f = ct_normalize(side, 2);
 *     if (f.err.status) ...
 *     for each coordinate c: side k's byte is f.first[k] + sum of c[i] * f.mode[i].step[k]
 */
#ifndef CUTLET_ALGEBRA_NORMALIZE_H
#define CUTLET_ALGEBRA_NORMALIZE_H

#include <cutlet/algebra/coalesce.h>

/** The most sides and modes of a normal form; two layouts of CT_MAX_LEAVES leaves never have more
 * modes in common. */
#define CT_SIDES 9
#define CT_NORMAL_MODES (2 * CT_MAX_LEAVES)

/** A side: a layout of integers and the size of its elements. */
typedef struct ct_normal_side {
    ct_layout layout;
    int64_t elem_bytes;
} ct_normal_side;

/** A mode of all sides; steps in bytes. */
typedef struct ct_normal_mode {
    int64_t extent;
    int64_t step[CT_SIDES];
} ct_normal_mode;

/** The remaining modes of several layouts. */
typedef struct ct_normal_form {
    ct_error err;
    int32_t sides, modes;
    int64_t first[CT_SIDES]; /* bytes from offset 0 to the element at coordinate 0 */
    ct_normal_mode mode[CT_NORMAL_MODES];
} ct_normal_form;

/** @internal The failed form that carries e. */
CT_FN ct_normal_form ct_normal_fail(ct_error e)
{
    ct_normal_form f = CT_ZERO;
    f.err = e;
    return f;
}

/**
 * @internal Inserts a mode after those whose step on side 0 is not longer. A negative step of side
 * 0 is reversed: the same elements from the other end. A mode of one coordinate is left out.
 */
CT_FN void ct_normal_insert(ct_normal_form *f, ct_normal_mode m)
{
    if (m.extent == 1 || f->err.status) return;
    if (f->modes == CT_NORMAL_MODES) {
        f->err = ct_make_error(CT_E_CAPACITY, CT_OP_NORMALIZE, CT_WHY_LEAVES, 0, f->modes + 1,
                               CT_NORMAL_MODES);
        return;
    }
    if (m.step[0] < 0) {
        for (int k = 0; k < f->sides; ++k) {
            f->first[k] += (m.extent - 1) * m.step[k];
            m.step[k] = -m.step[k];
        }
    }
    int i = f->modes;
    for (; i > 0 && f->mode[i - 1].step[0] > m.step[0]; --i) f->mode[i] = f->mode[i - 1];
    f->mode[i] = m;
    f->modes += 1;
}

/** @internal Merges each mode with the previous one if it continues on all sides. */
CT_FN void ct_normal_join(ct_normal_form *f)
{
    int n = 0;
    for (int i = 0; i < f->modes; ++i) {
        const ct_normal_mode m = f->mode[i];
        ct_normal_mode *const last = &f->mode[n > 0 ? n - 1 : 0];
        int goes_on = n > 0;
        for (int k = 0; k < f->sides; ++k)
            if (m.step[k] != last->step[k] * last->extent) goes_on = 0;
        if (goes_on) {
            last->extent *= m.extent;
        } else {
            f->mode[n] = m;
            n += 1;
        }
    }
    f->modes = n;
}

/** @internal Whether side k is a layout of integers whose offsets in bytes fit in 64 bits, with as
 *  many elements as side 0. */
CT_FN ct_error ct_normal_check(const ct_normal_side *side, int k)
{
    const ct_layout *const L = &side[k].layout;
    const ct_error bad = ct_layout_check(L, CT_OP_NORMALIZE);
    if (bad.status) return bad;
    if (!ct_is_integral(*L))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_NORMALIZE, CT_WHY_NOT_INTEGER, k, 0, 0);
    if (side[k].elem_bytes < 1)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_NORMALIZE, CT_WHY_NOT_POSITIVE, k,
                             side[k].elem_bytes, 0);
    int64_t reach = 0;
    int ok = 1;
    for (int i = 0; i < L->profile.leaves; ++i) {
        const int64_t step = ct_mul(L->stride[i], side[k].elem_bytes, &ok);
        if (step == INT64_MIN) ok = 0;
        if (ok) reach = ct_add(reach, ct_mul(L->shape[i] - 1, ct_abs(step), &ok), &ok);
    }
    if (!ok) return ct_make_error(CT_E_OVERFLOW, CT_OP_NORMALIZE, CT_WHY_OVERFLOW, k, 0, 0);
    if (ct_size(*L) != ct_size(side[0].layout))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_NORMALIZE, CT_WHY_SIZES, k, ct_size(*L),
                             ct_size(side[0].layout));
    return bad;
}

/** The position in the split of a side's layout: the leaf, its remaining size, and its step. */
typedef struct ct_normal_cut {
    int32_t leaf;
    int64_t left, step;
} ct_normal_cut;

/** @internal The next leaf of more than one element after `leaf`; after the last such leaf, the
 * number of leaves. */
CT_FN ct_normal_cut ct_normal_next(const ct_normal_side *s, int32_t leaf)
{
    const ct_layout *const L = &s->layout;
    ct_normal_cut c = CT_ZERO;
    c.leaf = leaf + 1;
    c.left = 1;
    for (; c.leaf < L->profile.leaves && L->shape[c.leaf] == 1;) c.leaf += 1;
    if (c.leaf < L->profile.leaves) {
        c.left = L->shape[c.leaf];
        c.step = L->stride[c.leaf] * s->elem_bytes;
    }
    return c;
}

/**
 * The common modes of layouts of one size. Element i of every side corresponds to element i of
 * every other, for each index i. Side 0, the destination of a copy, determines the order.
 *
 * Ensures:  the coordinates of the modes lead to first[k] + c . step[k] bytes on side k; over all
 *           of them these are, together, the bytes of the elements i of all sides; extents of at
 *           least 2; steps of side 0 of at least 0, ascending; no mode goes on in the next on all
 *           sides. [law_normalize]
 * Fails:    .err, whose mode is the side: CT_E_ARGUMENT for a failed or coordinate layout, sizes
 *           that differ (CT_WHY_SIZES), and shapes without a common refinement (CT_WHY_DIVIDE);
 *           CT_E_OVERFLOW when offsets in bytes do not fit in 64 bits; CT_E_CAPACITY for more than
 *           CT_NORMAL_MODES modes, or more than CT_SIDES sides.
 * Cost:     O(sides * modes^2).
 * In C:     const ct_normal_side side[2] = {{ct_layout2(4, 8, 1, 4), 4},
 *                                          {ct_layout2(4, 8, 8, 1), 4}};
 *           const ct_normal_form f = ct_normalize(side, 2); // a transpose of 4 x 8 floats
 *           assert(f.err.status == CT_OK && f.modes == 2);
 */
CT_FN ct_normal_form ct_normalize(const ct_normal_side *side, int sides)
{
    if (sides < 1 || sides > CT_SIDES)
        return ct_normal_fail(
            ct_make_error(CT_E_CAPACITY, CT_OP_NORMALIZE, CT_WHY_LEAVES, 0, sides, CT_SIDES));
    ct_normal_form f = CT_ZERO;
    ct_normal_side flat[CT_SIDES] = CT_ZERO;
    ct_normal_cut cut[CT_SIDES] = CT_ZERO;
    f.sides = sides;
    for (int k = 0; k < sides; ++k) {
        const ct_error bad = ct_normal_check(side, k);
        if (bad.status) return ct_normal_fail(bad);
        flat[k].layout = ct_coalesce(side[k].layout);
        flat[k].elem_bytes = side[k].elem_bytes;
        cut[k] = ct_normal_next(&flat[k], -1);
    }
    while (cut[0].left > 1 && f.err.status == CT_OK) {
        int low = 0; /* the side whose leaf ends first */
        for (int k = 1; k < sides; ++k)
            if (cut[k].left < cut[low].left) low = k;
        ct_normal_mode m = CT_ZERO;
        m.extent = cut[low].left;
        for (int k = 0; k < sides; ++k) {
            m.step[k] = cut[k].step;
            if (cut[k].left % m.extent != 0) {
                ct_error e = ct_make_error(CT_E_ARGUMENT, CT_OP_NORMALIZE, CT_WHY_DIVIDE, k,
                                           cut[k].left, m.extent);
                e.other = low;
                return ct_normal_fail(e);
            }
        }
        ct_normal_insert(&f, m);
        for (int k = 0; k < sides; ++k) {
            cut[k].left /= m.extent;
            if (cut[k].left == 1) cut[k] = ct_normal_next(&flat[k], cut[k].leaf);
            else cut[k].step *= m.extent;
        }
    }
    ct_normal_join(&f);
    return f.err.status ? ct_normal_fail(f.err) : f;
}

#endif
