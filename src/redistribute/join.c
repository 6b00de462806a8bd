/* Disjoint sets as fewer layouts.
 *
 * Pairs that are one layout are joined first, which takes little time for many sets too. Then one
 * layout is sought, and the fewest, by trying points. The smallest digits that all sets have are a
 * block of coordinates, and a block is one point. Layouts that cut blocks may be fewer: of a set
 * with few coordinates each coordinate is then a point. */
#include <stdlib.h>
#include <string.h>

#include "points.h"

void ct_set_coalesce(ct_set *s)
{
    int kept = 0;
    for (int i = 1; i < s->digits; ++i) {
        ct_set_digit *const above = &s->digit[kept];
        const ct_set_digit *const d = &s->digit[i];
        if (above->step == d->count * d->step && above->at[0] == d->count * d->at[0] &&
            above->at[1] == d->count * d->at[1]) {
            const int64_t count = above->count * d->count;
            *above = *d;
            above->count = count;
        } else s->digit[++kept] = *d;
    }
    if (s->digits > 0) s->digits = kept + 1;
}

static int same_digits(const ct_set *a, const ct_set *b, int from_a, int from_b)
{
    return a->digits - from_a == b->digits - from_b &&
           memcmp(a->digit + from_a, b->digit + from_b,
                  (size_t)(a->digits - from_a) * sizeof *a->digit) == 0;
}

/* Whether b continues a: the same below the top digit of a, one step after its last block. */
static int continues(const ct_set *a, const ct_set *b)
{
    if (a->digits == 0) return 0;
    const ct_set_digit *const top = a->digit;
    if (b->first != a->first + top->count * top->step) return 0;
    for (int i = 0; i < 2; ++i)
        if (b->at[i] != a->at[i] + top->count * top->at[i]) return 0;
    if (same_digits(a, b, 1, 0)) return 1;
    return b->digits > 0 && same_digits(a, b, 1, 1) && b->digit->step == top->step &&
           memcmp(b->digit->at, top->at, sizeof top->at) == 0;
}

/* Makes one set of a and b, a before b, if one layout is both. */
static int join(ct_set *a, const ct_set *b)
{
    if (continues(a, b)) {
        a->digit->count += same_digits(a, b, 1, 0) ? 1 : b->digit->count;
        return 1;
    }
    if (!same_digits(a, b, 0, 0) || a->digits == CT_MAX_LEAVES) return 0;
    memmove(a->digit + 1, a->digit, (size_t)a->digits * sizeof *a->digit);
    a->digits++;
    a->digit[0].count = 2;
    a->digit[0].step = b->first - a->first;
    for (int i = 0; i < 2; ++i) a->digit[0].at[i] = b->at[i] - a->at[i];
    return 1;
}

static int by_first(const void *a, const void *b)
{
    const ct_set *const x = a, *const y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Joins sets as long as two can be joined; of very many only neighbours are tried. */
static void join_all(ct_sets *s)
{
    for (int again = 1; again;) {
        again = 0;
        qsort(s->item, (size_t)s->count, sizeof *s->item, by_first);
        for (int i = 0; i < s->count; ++i) {
            for (int k = i + 1; k < s->count && k <= i + 64;) {
                if (join(&s->item[i], &s->item[k])) {
                    ct_set_coalesce(&s->item[i]);
                    memmove(&s->item[k], &s->item[k + 1],
                            (size_t)(s->count - k - 1) * sizeof *s->item);
                    s->count--;
                    again = 1;
                } else ++k;
            }
        }
    }
}

static int by_point(const void *a, const void *b)
{
    const ct_point *const x = a, *const y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Cuts digit k, counted from the smallest, of all sets into `count` steps and a digit above it. */
static void cut_digit(ct_sets *s, int k, int64_t count)
{
    for (int i = 0; i < s->count; ++i) {
        ct_set *const set = &s->item[i];
        ct_set_digit *const d = &set->digit[set->digits - 1 - k];
        if (d->count == count) continue;
        memmove(d + 1, d, (size_t)(k + 1) * sizeof *d);
        set->digits++;
        d[0] = (ct_set_digit){
            d[1].count / count, count * d[1].step, {count * d[1].at[0], count * d[1].at[1]}};
        d[1].count = count;
    }
}

/* How many smallest digits all sets have. The last of these may be a part of a larger one, which is
 * cut. */
static int common_digits(ct_sets *s)
{
    for (int k = 0;; ++k) {
        const ct_set *const a = &s->item[0];
        int64_t count = 0;
        int same = 1, has_capacity = 1;
        for (int i = 0; i < s->count; ++i) {
            const ct_set *const b = &s->item[i];
            if (k >= a->digits || k >= b->digits) return k;
            const ct_set_digit *const x = &a->digit[a->digits - 1 - k];
            const ct_set_digit *const y = &b->digit[b->digits - 1 - k];
            if (x->step != y->step || memcmp(x->at, y->at, sizeof x->at)) return k;
            same &= x->count == y->count;
            has_capacity &= b->digits < CT_MAX_LEAVES;
            count = ct_gcd(count, y->count);
        }
        if (same) continue;
        if (count == 1 || !has_capacity) return k;
        cut_digit(s, k, count);
        return k + 1;
    }
}

/* The values of the sets without their smallest `common` digits, ascending. Returns how many, or 0
 * where they are more than CT_POINTS_TRIED. */
static int points_of(const ct_sets *s, int common, ct_point p[CT_POINTS_TRIED])
{
    int64_t count = 0;
    for (int i = 0; i < s->count; ++i) {
        const ct_set *const set = &s->item[i];
        int64_t points = 1;
        for (int k = 0; k < set->digits - common; ++k) points *= set->digit[k].count;
        if (points > CT_POINTS_TRIED - count) return 0;
        for (int64_t j = 0; j < points; ++j) {
            ct_point *const at = &p[count++];
            *at = (ct_point){set->first, {set->at[0], set->at[1]}};
            int64_t rest = j;
            for (int k = 0; k < set->digits - common; ++k) {
                const int64_t value = rest % set->digit[k].count;
                rest /= set->digit[k].count;
                at->first += value * set->digit[k].step;
                for (int side = 0; side < 2; ++side) at->at[side] += value * set->digit[k].at[side];
            }
        }
    }
    qsort(p, (size_t)count, sizeof *p, by_point);
    return (int)count;
}

/* Puts the `common` smallest digits of a set below those of the first `count` sets. */
static void put_below(ct_set *to, int count, const ct_set *below, int common)
{
    for (int i = 0; i < count; ++i) {
        memcpy(to[i].digit + to[i].digits, below->digit + below->digits - common,
               (size_t)common * sizeof *below->digit);
        to[i].digits += common;
    }
}

/* Replaces sets by the fewest that keep the values of their `common` smallest digits together, if the
 * others have few enough values to try. Returns whether no smaller number exists. */
static int try_fewer(ct_sets *s, int common, int64_t steps)
{
    ct_point p[CT_POINTS_TRIED];
    const ct_set first = s->item[0];
    const int count = points_of(s, common, p);
    const int digits = CT_MAX_LEAVES - common;
    ct_set one;
    int found = 0;
    if (count == 0 || digits == 0) return 0;
    if (ct_points_layout(p, count, digits, &one)) {
        s->item[0] = one;
        found = 1;
    } else {
        if (s->count > 2 && count > CT_POINTS_DIVIDED) return 0;
        const ct_division division =
            ct_points_divide(p, count, digits, s->count, steps, s->item, &found);
        if (division != CT_DIVISION_FOUND) return division == CT_DIVISION_NONE;
    }
    put_below(s->item, found, &first, common);
    s->count = found;
    return 1;
}

void ct_sets_join(ct_sets *s, int64_t steps)
{
    for (int i = 0; i < s->count; ++i) ct_set_coalesce(&s->item[i]);
    if (s->count > 1) join_all(s);
    s->is_fewest = s->count < 2;
    if (s->is_fewest) return;
    const int common = common_digits(s);
    s->is_fewest = try_fewer(s, common, steps) && (common == 0 || s->count == 1);
    if (!s->is_fewest && common > 0 && s->elems <= CT_POINTS_TRIED)
        s->is_fewest = try_fewer(s, 0, steps);
    for (int i = 0; i < s->count; ++i) ct_set_coalesce(&s->item[i]);
}
