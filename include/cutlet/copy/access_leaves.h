/**
 * Access leaves: the elements of a thread as modes that step through a tile and through memory.
 *
 * A tiled copy maps (thread, value) to a coordinate of the tile; a layout in shared memory maps the
 * coordinate to an offset. Both are linear mode by mode once the modes are split finely enough. An
 * access leaf is such a mode. It has the number of steps, the axis of the tile and the step along
 * it, the step in shared memory, and the step of the value number.
 */
#ifndef CUTLET_COPY_ACCESS_LEAVES_H
#define CUTLET_COPY_ACCESS_LEAVES_H

#include <cutlet/algebra/layout.h>

/** A mode of a thread's elements. */
typedef struct ct_access_leaf {
    int64_t shape;
    int64_t step;   /* coordinates along the axis */
    int64_t offset; /* elements in shared memory; 0 elsewhere */
    int64_t number; /* of the thread or value */
    int32_t axis;   /* -1: the leaf does not move */
} ct_access_leaf;

/** The leaves of one mode of a tiled copy: its threads, or its values and their repetitions. */
typedef struct ct_access_leaves {
    ct_error err;
    int32_t count;
    ct_access_leaf leaf[2 * CT_MAX_LEAVES];
} ct_access_leaves;

/** @internal Appends a leaf. */
CT_FN void ct_access_leaves_push(ct_access_leaves *a, ct_access_leaf leaf)
{
    if (a->count >= 2 * CT_MAX_LEAVES) {
        if (a->err.status == CT_OK)
            a->err = ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_LEAVES, 0,
                                   a->count + 1, 2 * CT_MAX_LEAVES);
        return;
    }
    a->leaf[a->count] = leaf;
    a->count += 1;
}

/**
 * @internal The common leaves of two layouts of one size: coords with basis strides, one axis a
 * leaf, and offsets with integer ones. Each leaf of either is one or more leaves of the result.
 *
 * Ensures:  element i of coords and of offsets is where the leaves lead for i, lowest leaf first.
 * Fails:    .err: CT_E_NO_LAYOUT when the shapes have no common refinement; CT_E_CAPACITY.
 */
CT_FN ct_access_leaves ct_make_access_leaves(ct_layout coords, ct_layout offsets)
{
    ct_access_leaves r = CT_ZERO;
    r.err = coords.err.status ? coords.err : offsets.err;
    if (r.err.status == CT_OK) r.err = ct_sums_check(&coords, CT_OP_PARTITION_COPY);
    if (r.err.status) return r;
    int64_t left_a = 1, left_b = 1, done_a = 1, done_b = 1, number = 1;
    int a = -1, b = -1;
    const int na = coords.profile.leaves, nb = offsets.profile.leaves;
    for (;;) { /* two layouts have fewer than 2 * CT_MAX_LEAVES leaves in common: each is added */
        while (left_a == 1 && a < na) {
            ++a;
            left_a = a < na ? coords.shape[a] : 1;
            done_a = 1;
        }
        while (left_b == 1 && b < nb) {
            ++b;
            left_b = b < nb ? offsets.shape[b] : 1;
            done_b = 1;
        }
        if (a >= na || b >= nb) break;
        const int64_t n = ct_min(left_a, left_b);
        if (left_a % n != 0 || left_b % n != 0) {
            r.err = ct_make_error(CT_E_NO_LAYOUT, CT_OP_PARTITION_COPY, CT_WHY_DIVIDE, a, left_a,
                                  left_b);
            break;
        }
        ct_access_leaf leaf = CT_ZERO;
        leaf.shape = n;
        leaf.axis = CT_CAST(int32_t, coords.basis[a]) - 1;
        leaf.step = coords.stride[a] * done_a;
        leaf.offset = offsets.stride[b] * done_b;
        leaf.number = number;
        if (leaf.step == 0) leaf.axis = -1;
        ct_access_leaves_push(&r, leaf);
        number *= n;
        done_a *= n;
        done_b *= n;
        left_a /= n;
        left_b /= n;
    }
    return r;
}

/** @internal Splits leaf k into its first n steps and then the rest. n divides its shape. */
CT_FN void ct_access_leaves_split(ct_access_leaves *a, int k, int64_t n)
{
    ct_access_leaf rest = a->leaf[k];
    if (n == 1 || n == rest.shape) return;
    ct_access_leaves_push(a, rest); /* makes room, or fails */
    if (a->err.status) return;
    for (int i = a->count - 1; i > k + 1; --i) a->leaf[i] = a->leaf[i - 1];
    a->leaf[k].shape = n;
    rest.shape /= n;
    rest.step *= n;
    rest.offset *= n;
    rest.number *= n;
    a->leaf[k + 1] = rest;
}

/** @internal Splits the leaves of a and b, which hold the same values, until they are alike.
 *  Fails:    a->err: CT_E_NO_LAYOUT where they have no common refinement. */
CT_FN void ct_access_leaves_match(ct_access_leaves *a, ct_access_leaves *b)
{
    for (int i = 0; i < a->count && i < b->count && a->err.status == CT_OK; ++i) {
        const int64_t x = a->leaf[i].shape, y = b->leaf[i].shape, n = ct_min(x, y);
        if (x % n != 0 || y % n != 0)
            a->err = ct_make_error(CT_E_NO_LAYOUT, CT_OP_PARTITION_COPY, CT_WHY_DIVIDE, i, x, y);
        else if (x > n) ct_access_leaves_split(a, i, n);
        else if (y > n) ct_access_leaves_split(b, i, n);
    }
    if (a->err.status == CT_OK) a->err = b->err;
}

#endif
