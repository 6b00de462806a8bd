/**
 * Tuples as trees, the textbook way: every operation on tuples written as a recursion, for
 * comparison with the library, which has no trees. Results are texts, so that a difference can be
 * read.
 */
#ifndef CUTLET_TESTS_TREE_H
#define CUTLET_TESTS_TREE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "read.h"

/** A leaf (count -1) with its value, or a tuple of `count` trees. Failed: count -2. */
typedef struct tree {
    int count;
    int64_t value;
    const struct tree *mode[CT_MAX_LEAVES];
} tree;

static tree tree_pool[4096];
static int tree_used;

static inline tree *tree_new(int count, int64_t value)
{
    tree *t = &tree_pool[tree_used++ % 4096];
    memset(t, 0, sizeof *t);
    t->count = count;
    t->value = value;
    return t;
}

static inline const tree *tree_leaf(int64_t v) { return tree_new(-1, v); }
static inline const tree *tree_fail(void) { return tree_new(-2, 0); }
static inline int tree_is_leaf(const tree *t) { return t->count == -1; }
static inline int tree_failed(const tree *t) { return t->count == -2; }

/** The tree of a text as show_tuple writes it. */
static inline const tree *tree_parse(const char **p)
{
    if (**p != '(') return tree_leaf(strtoll(*p, (char **)p, 10));
    tree *t = tree_new(0, 0);
    ++*p;
    while (**p != ')') {
        t->mode[t->count++] = tree_parse(p);
        if (**p == ',') ++*p;
    }
    ++*p;
    return t;
}

static inline const tree *tree_read(const char *text) { return tree_parse(&text); }

static inline char *tree_write(const tree *t, char *out)
{
    if (tree_failed(t)) return strcpy(out, "error") + 5;
    if (tree_is_leaf(t)) return out + sprintf(out, "%lld", (long long)t->value);
    *out++ = '(';
    for (int k = 0; k < t->count; ++k) {
        if (k) *out++ = ',';
        out = tree_write(t->mode[k], out);
    }
    *out++ = ')';
    *out = 0;
    return out;
}

/** A tuple that has a failed mode is failed. */
static inline const tree *tree_checked(const tree *t)
{
    for (int k = 0; k < t->count; ++k) {
        if (tree_failed(t->mode[k])) return tree_fail();
    }
    return t;
}

static inline int tree_rank(const tree *t) { return tree_is_leaf(t) ? 1 : t->count; }

static inline int tree_depth(const tree *t)
{
    int deepest = 0;
    if (tree_is_leaf(t)) return 0;
    for (int k = 0; k < t->count; ++k) {
        if (tree_depth(t->mode[k]) > deepest) deepest = tree_depth(t->mode[k]);
    }
    return deepest + 1;
}

static inline int64_t tree_product(const tree *t)
{
    int64_t p = 1;
    if (tree_is_leaf(t)) return t->value;
    for (int k = 0; k < t->count; ++k) p *= tree_product(t->mode[k]);
    return p;
}

static inline void tree_add_leaves(tree *to, const tree *t)
{
    if (tree_is_leaf(t)) to->mode[to->count++] = t;
    for (int k = 0; k < t->count; ++k) tree_add_leaves(to, t->mode[k]);
}

static inline const tree *tree_flatten(const tree *t)
{
    if (tree_is_leaf(t)) return t;
    tree *r = tree_new(0, 0);
    tree_add_leaves(r, t);
    return r;
}

/** The modes [first, last) of t, with x before mode `at` where x is given. */
static inline const tree *tree_modes(const tree *t, int first, int last)
{
    tree *r = tree_new(0, 0);
    for (int k = first; k < last; ++k) r->mode[r->count++] = tree_is_leaf(t) ? t : t->mode[k];
    return r;
}

static inline const tree *tree_reverse(const tree *t)
{
    if (tree_is_leaf(t)) return t;
    tree *r = tree_new(0, 0);
    for (int k = t->count; k > 0; --k) r->mode[r->count++] = t->mode[k - 1];
    return r;
}

static inline const tree *tree_join(const tree *a, const tree *b)
{
    tree *r = tree_new(0, 0);
    for (int k = 0; k < tree_rank(a); ++k) r->mode[r->count++] = tree_is_leaf(a) ? a : a->mode[k];
    for (int k = 0; k < tree_rank(b); ++k) r->mode[r->count++] = tree_is_leaf(b) ? b : b->mode[k];
    return r;
}

static inline const tree *tree_wrap(const tree *t)
{
    tree *r = tree_new(1, 0);
    r->mode[0] = t;
    return r;
}

static inline int tree_congruent(const tree *a, const tree *b)
{
    if (a->count != b->count) return 0;
    for (int k = 0; k < a->count; ++k) {
        if (!tree_congruent(a->mode[k], b->mode[k])) return 0;
    }
    return 1;
}

static inline int tree_weakly_congruent(const tree *a, const tree *b)
{
    if (tree_is_leaf(a)) return 1;
    if (tree_is_leaf(b) || a->count != b->count) return 0;
    for (int k = 0; k < a->count; ++k) {
        if (!tree_weakly_congruent(a->mode[k], b->mode[k])) return 0;
    }
    return 1;
}

static inline int tree_compatible(const tree *a, const tree *b)
{
    if (tree_is_leaf(a)) return a->value == tree_product(b);
    if (tree_is_leaf(b) || a->count != b->count) return 0;
    for (int k = 0; k < a->count; ++k) {
        if (!tree_compatible(a->mode[k], b->mode[k])) return 0;
    }
    return 1;
}

static inline int tree_elem_less(const tree *a, const tree *b)
{
    if (a->count != b->count) return 0;
    if (tree_is_leaf(a)) return a->value < b->value;
    for (int k = 0; k < a->count; ++k) {
        if (!tree_elem_less(a->mode[k], b->mode[k])) return 0;
    }
    return 1;
}

/** -1, 0, 1: a before, like, after b by the first mode that differs, or the last; 2 where an integer
 *  meets a tuple there. A tuple that ends is before one that goes on. */
static inline int tree_order(const tree *a, const tree *b, int from_last)
{
    if (tree_is_leaf(a) != tree_is_leaf(b)) return 2;
    if (tree_is_leaf(a)) return (a->value > b->value) - (a->value < b->value);
    for (int k = 0; k < a->count && k < b->count; ++k) {
        const int i = from_last ? a->count - 1 - k : k, j = from_last ? b->count - 1 - k : k;
        const int order = tree_order(a->mode[i], b->mode[j], from_last);
        if (order != 0) return order;
    }
    return (a->count > b->count) - (a->count < b->count);
}

/** a / b: exact, or rounded up. An integer b is divided through the modes of a from the left. */
static inline const tree *tree_divide(const tree *a, const tree *b, int exact)
{
    if (tree_failed(a) || tree_failed(b)) return tree_fail();
    if (tree_is_leaf(a)) {
        const int64_t x = a->value, y = tree_product(b);
        if (exact && x % y != 0 && y % x != 0) return tree_fail();
        return tree_leaf((x + y - 1) / y);
    }
    if (!tree_is_leaf(b) && (b->count > a->count || (exact && b->count != a->count)))
        return tree_fail();
    tree *r = tree_new(a->count, 0);
    const tree *rest = b;
    for (int k = 0; k < a->count; ++k) {
        if (tree_is_leaf(b)) {
            r->mode[k] = tree_divide(a->mode[k], rest, exact);
            if (tree_failed(r->mode[k])) return tree_fail();
            if (k + 1 < a->count) rest = tree_divide(rest, a->mode[k], exact);
        } else {
            r->mode[k] = k < b->count ? tree_divide(a->mode[k], b->mode[k], exact) : a->mode[k];
        }
    }
    return tree_checked(r);
}

static inline int tree_evenly_divides(const tree *a, const tree *b)
{
    if (tree_is_leaf(b)) {
        const tree *rest = tree_divide(a, b, 0);
        return tree_product(rest) * b->value == tree_product(a);
    }
    if (tree_is_leaf(a)) return b->count == 1 && tree_evenly_divides(a, b->mode[0]);
    if (b->count > a->count) return 0;
    for (int k = 0; k < b->count; ++k) {
        if (!tree_evenly_divides(a->mode[k], b->mode[k])) return 0;
    }
    return 1;
}

static inline const tree *tree_product_each(const tree *t)
{
    tree *r = tree_new(0, 0);
    for (int k = 0; k < tree_rank(t); ++k)
        r->mode[r->count++] = tree_leaf(tree_product(tree_is_leaf(t) ? t : t->mode[k]));
    return r;
}

static inline const tree *tree_product_like(const tree *t, const tree *guide)
{
    if (tree_is_leaf(guide)) return tree_leaf(tree_product(t));
    if (tree_is_leaf(t) || t->count != guide->count) return tree_fail();
    tree *r = tree_new(t->count, 0);
    for (int k = 0; k < t->count; ++k) r->mode[k] = tree_product_like(t->mode[k], guide->mode[k]);
    return tree_checked(r);
}

/** Each leaf as the product of *run and the leaves before it, or after it; *run grows by them. */
static inline const tree *tree_run(const tree *t, int64_t *run, int from_last)
{
    if (tree_is_leaf(t)) {
        const int64_t at = *run;
        *run *= t->value;
        return tree_leaf(at);
    }
    tree *r = tree_new(t->count, 0);
    for (int k = 0; k < t->count; ++k) {
        const int i = from_last ? t->count - 1 - k : k;
        r->mode[i] = tree_run(t->mode[i], run, from_last);
    }
    return r;
}

static inline const tree *tree_running_product(const tree *t, const tree *init, int from_last)
{
    if (tree_is_leaf(init)) {
        int64_t run = init->value;
        return tree_run(t, &run, from_last);
    }
    if (tree_is_leaf(t) || t->count != init->count) return tree_fail();
    tree *r = tree_new(t->count, 0);
    for (int k = 0; k < t->count; ++k)
        r->mode[k] = tree_running_product(t->mode[k], init->mode[k], from_last);
    return tree_checked(r);
}

/** What stands opposite the leaves of coord that are -1 (keep 1) or are not (keep 0). */
static inline int tree_add_slice(tree *to, const tree *coord, const tree *t, int keep)
{
    if (tree_is_leaf(coord)) {
        if ((coord->value == -1) == keep) to->mode[to->count++] = t;
        return 1;
    }
    if (tree_is_leaf(t) || t->count != coord->count) return 0;
    for (int k = 0; k < t->count; ++k) {
        if (!tree_add_slice(to, coord->mode[k], t->mode[k], keep)) return 0;
    }
    return 1;
}

static inline const tree *tree_slice(const tree *coord, const tree *t, int keep)
{
    tree *r = tree_new(0, 0);
    if (tree_is_leaf(coord)) return (coord->value == -1) == keep ? t : r;
    return tree_add_slice(r, coord, t, keep) ? r : tree_fail();
}

/** The index of a coordinate, -1 where it lies outside or does not fit. */
static inline int64_t tree_index(const tree *coord, const tree *shape)
{
    if (tree_is_leaf(coord))
        return coord->value >= 0 && coord->value < tree_product(shape) ? coord->value : -1;
    if (tree_is_leaf(shape) || shape->count != coord->count) return -1;
    int64_t sum = 0, place = 1;
    for (int k = 0; k < shape->count; ++k) {
        const int64_t i = tree_index(coord->mode[k], shape->mode[k]);
        if (i < 0) return -1;
        sum += i * place;
        place *= tree_product(shape->mode[k]);
    }
    return sum;
}

static inline const tree *tree_coordinate(int64_t index, const tree *shape)
{
    if (tree_is_leaf(shape)) return tree_leaf(index);
    tree *r = tree_new(shape->count, 0);
    for (int k = 0; k < shape->count; ++k) {
        const int64_t size = tree_product(shape->mode[k]);
        r->mode[k] = tree_coordinate(index % size, shape->mode[k]);
        index /= size;
    }
    return r;
}

#endif
