/**
 * @internal The digits of a thread's number and of the number of its elements in registers, and what they move along
 * the axes of a tile: in one form for each such function, so that equal ones have equal hashes.
 */
#ifndef CUTLET_COPY_REGISTER_DIGITS_H
#define CUTLET_COPY_REGISTER_DIGITS_H

#include <cutlet/copy/access_leaves.h>
#include <cutlet/copy/copy_sides.h>

/** What moves nothing, and what moved along an axis that a reduction has lost. */
enum { CT_AXIS_NONE = -1, CT_AXIS_LOST = -2 };

/** Adds a digit; one that continues the last becomes part of it. Returns 0 if it is one too many. */
CT_FN int ct_digits_push(ct_digits *d, ct_value_digit g)
{
    ct_value_digit *const last = &d->digit[d->count > 0 ? d->count - 1 : 0];
    if (g.mod == 1) return 1;
    if (g.axis < 0) g.step = 0;
    if (d->count > 0 && last->axis == g.axis && last->div * last->mod == g.div &&
        last->step * last->mod == g.step) {
        last->mod *= g.mod;
        return 1;
    }
    if (d->count >= CT_DIGITS) return 0;
    d->digit[d->count] = g;
    d->count += 1;
    return 1;
}

/** Digits in the order of what they move, by axis and step; or, by_div, of the number itself. */
CT_FN ct_digits ct_digits_sorted(const ct_digits *d, int by_div)
{
    ct_digits r = CT_ZERO, merged = CT_ZERO;
    for (int k = 0; k < d->count; ++k) {
        const ct_value_digit g = d->digit[k];
        int i = k;
        for (; i > 0; --i) {
            const ct_value_digit b = r.digit[i - 1];
            const int before = b.axis != g.axis ? b.axis < g.axis : b.step <= g.step;
            if (by_div ? b.div <= g.div : before) break;
            r.digit[i] = b;
        }
        r.digit[i] = g;
    }
    for (int k = 0; k < d->count; ++k) ct_digits_push(&merged, r.digit[k]);
    return merged;
}

/** The coordinate along an axis to which number n leads. */
CT_FN int32_t ct_digits_coord(const ct_digits *d, int32_t n, int axis)
{
    int32_t at = 0;
    for (int k = 0; k < d->count; ++k)
        if (d->digit[k].axis == axis)
            at += n / d->digit[k].div % d->digit[k].mod * d->digit[k].step;
    return at;
}

/** A hash (FNV-1a), continued by a number. */
CT_FN uint32_t ct_hash_on(uint32_t hash, int32_t n)
{
    return (hash ^ CT_CAST(uint32_t, n)) * 16777619u;
}

/** The hash of what threads have: of their digits that move, and of those of their elements. */
CT_FN uint32_t ct_digits_hash(int32_t threads, const ct_digits *thread, const ct_digits *value)
{
    uint32_t hash = ct_hash_on(2166136261u, threads);
    for (int which = 0; which < 2; ++which) {
        const ct_digits *const d = which == 0 ? thread : value;
        for (int k = 0; k < d->count; ++k) {
            const ct_value_digit g = d->digit[k];
            if (which == 0 && g.axis < 0) continue;
            hash = ct_hash_on(ct_hash_on(hash, g.div), g.mod);
            hash = ct_hash_on(ct_hash_on(hash, g.axis), g.step);
        }
        hash = ct_hash_on(hash, which - 3);
    }
    return hash;
}

/** The digits of the threads of a side: those between its own move nothing. Returns 0 if they are too many. */
CT_FN int ct_digits_of_threads(ct_digits *r, const ct_digit *digit, int count, int32_t threads)
{
    int32_t done = 1;
    int ok = 1;
    for (int k = 0; k <= count; ++k) {
        const int32_t div = k < count ? digit[k].div : threads;
        const ct_value_digit none = {done, div / done, CT_AXIS_NONE, 0};
        ok = ok && ct_digits_push(r, none);
        done = div;
        if (k == count) break;
        const ct_value_digit g = {div, digit[k].mod, digit[k].step ? digit[k].axis : CT_AXIS_NONE,
                                  digit[k].step};
        ok = ok && ct_digits_push(r, g);
        done = div * digit[k].mod;
    }
    return ok;
}

/** The digits of leaves, of the number of a thread or value. Returns 0 if they are too many. */
CT_FN int ct_digits_of_leaves(ct_digits *r, const ct_access_leaves *leaves)
{
    int ok = 1;
    for (int k = 0; k < leaves->count; ++k) {
        const ct_access_leaf l = leaves->leaf[k];
        const ct_value_digit g = {CT_CAST(int32_t, l.number), CT_CAST(int32_t, l.shape),
                                  l.step ? l.axis : CT_AXIS_NONE, CT_CAST(int32_t, l.step)};
        ok = ok && ct_digits_push(r, g);
    }
    return ok;
}

#endif
