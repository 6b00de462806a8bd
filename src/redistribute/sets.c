/* The intersection of two layouts of coordinates, as layouts.
 *
 * Digits descend, and the lower digits are shorter than a digit's step: a set is blocks of blocks.
 * The set with the larger top step is taken block by block. Blocks at a period of the other set
 * have the same intersection, except for a shift: these are one digit of the result. */
#include "sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"

enum { TOO_MANY = 1, NO_MEMORY, FOUND };

/* A set without its largest digits. */
typedef struct part {
    const ct_set_digit *digit;
    int digits;
    int64_t first, at[2], span; /* from the first coordinate to the last */
} part;

typedef struct search {
    ct_sets *out;
    int64_t n;                                   /* only coordinates below n count */
    int only_whether;                            /* stop at the first of them */
    int ended;                                   /* TOO_MANY, NO_MEMORY or FOUND */
    int (*found)(void *user, const ct_set *set); /* takes the sets, if it is there */
    void *user;
    int64_t handed; /* the sets that it took */
} search;

static part part_of(const ct_set *s)
{
    part p = {s->digit, s->digits, s->first, {s->at[0], s->at[1]}, 0};
    for (int i = 0; i < s->digits; ++i) p.span += (s->digit[i].count - 1) * s->digit[i].step;
    return p;
}

/* Block j of the largest digit. */
static part block_of(const part *p, int64_t j)
{
    const ct_set_digit *const d = p->digit;
    part b = {d + 1,
              p->digits - 1,
              p->first + j * d->step,
              {p->at[0] + j * d->at[0], p->at[1] + j * d->at[1]},
              p->span - (d->count - 1) * d->step};
    return b;
}

static int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

static void meet(search *s, const part *a, const part *b, ct_set *above);

/* What a set has below n. */
static void meet_below(search *s, const part *p, int64_t n)
{
    const ct_set_digit ones = {n, 1, {0, 0}};
    const part all = {&ones, n > 1, 0, {0, 0}, n - 1};
    ct_set above = {0};
    meet(s, p, &all, &above);
}

/* Passes a set on, without coordinates from n on. */
static void hand_over(search *s, const ct_set *found)
{
    const part p = part_of(found);
    if (p.first + p.span >= s->n) {
        search below = {NULL, INT64_MAX, 0, 0, s->found, s->user, s->handed};
        meet_below(&below, &p, s->n);
        s->ended = below.ended;
        s->handed = below.handed;
    } else if (++s->handed > CT_SET_PIECES) {
        s->ended = TOO_MANY;
    } else if (!s->found(s->user, found)) {
        s->ended = FOUND;
    }
}

/* Adds a set; a coordinate has a place in each memory. */
static void add(search *s, const ct_set *found)
{
    if (s->only_whether) {
        if (found->first < s->n) s->ended = FOUND;
        return;
    }
    if (s->found) {
        hand_over(s, found);
        return;
    }
    ct_sets *const out = s->out;
    if (out->count == out->capacity) {
        const int32_t capacity = out->capacity ? 2 * out->capacity : 4;
        ct_set *const more = out->count >= CT_SET_PIECES
                                 ? NULL
                                 : realloc(out->item, (size_t)capacity * sizeof *more);
        if (!more) {
            s->ended = out->count >= CT_SET_PIECES ? TOO_MANY : NO_MEMORY;
            return;
        }
        out->item = more;
        out->capacity = capacity;
    }
    out->item[out->count++] = *found;
}

/* Blocks first .. first + count * every of `large`, whose intersections are equal except for a
 * shift: that of `small` is given for each `every` blocks. */
static void meet_blocks(search *s, const part *large, const part *small, int64_t first,
                        int64_t count, int64_t every, ct_set *above)
{
    const part block = block_of(large, first);
    if (count == 1) {
        meet(s, &block, small, above);
        return;
    }
    if (above->digits == CT_MAX_LEAVES) {
        s->ended = TOO_MANY;
        return;
    }
    const int64_t step = every * large->digit->step, times = step / small->digit->step;
    ct_set_digit *const d = &above->digit[above->digits++];
    d->count = count;
    d->step = step;
    for (int i = 0; i < 2; ++i)
        d->at[i] = every * large->digit->at[i] + times * small->digit->at[i];
    meet(s, &block, small, above);
    above->digits--;
}

/* The coordinates that a and b share, below the digits of `above`. */
static void meet(search *s, const part *a, const part *b, ct_set *above)
{
    if (s->ended || a->first > b->first + b->span || b->first > a->first + a->span) return;
    if (a->digits == 0 && b->digits == 0) {
        above->first = a->first;
        for (int i = 0; i < 2; ++i) above->at[i] = a->at[i] + b->at[i];
        add(s, above);
        return;
    }
    const int b_is_large = a->digits == 0 || (b->digits > 0 && b->digit->step >= a->digit->step);
    const part *const large = b_is_large ? b : a, *const small = b_is_large ? a : b;
    const int64_t step = large->digit->step, below = block_of(large, 0).span;
    const int64_t from = ct_max(0, -floor_div(large->first + below - small->first, step));
    const int64_t to =
        ct_min(large->digit->count - 1, floor_div(small->first + small->span - large->first, step));
    /* Blocks of `large` that meet only blocks of `small` that are there: they begin after `low` and
     * before `high`. */
    int64_t inner = from, beyond = from; /* inner <= j < beyond */
    if (small->digits > 0) {
        const int64_t period = small->digit->step, part_span = block_of(small, 0).span;
        const int64_t low = small->first + part_span - period;
        const int64_t high = small->first + small->digit->count * period - below;
        inner = ct_max(from, floor_div(low - large->first, step) + 1);
        beyond = ct_min(to, floor_div(high - 1 - large->first, step)) + 1;
        if (beyond < inner) inner = beyond = from;
    }
    for (int64_t j = from; j < inner && !s->ended; ++j)
        meet_blocks(s, large, small, j, 1, 1, above);
    if (beyond > inner) {
        const int64_t every = small->digit->step / ct_gcd(step, small->digit->step);
        for (int64_t j = inner; j < beyond && j < inner + every && !s->ended; ++j)
            meet_blocks(s, large, small, j, (beyond - 1 - j) / every + 1, every, above);
    }
    for (int64_t j = beyond; j <= to && !s->ended; ++j)
        meet_blocks(s, large, small, j, 1, 1, above);
}

void ct_set_held(const ct_axes *axes, int mode, int64_t key, int side, ct_set *out)
{
    const ct_axis *const a = &axes->axis[mode];
    out->first = ct_axis_first(a, key);
    out->at[0] = out->at[1] = 0;
    out->digits = 0;
    for (int i = a->digits - 1; i >= 0; --i) {
        const ct_axis_digit *const d = &a->digit[i];
        if (d->is_mesh) continue;
        ct_set_digit *const to = &out->digit[out->digits++];
        to->count = d->extent;
        to->step = d->step;
        to->at[side] = ct_axes_weight(axes, d);
        to->at[1 - side] = 0;
    }
    ct_set_coalesce(out);
}

static int64_t elems_of(const ct_set *s)
{
    int64_t n = 1;
    for (int i = 0; i < s->digits; ++i) n *= s->digit[i].count;
    return n;
}

/* Replaces the sets that reach n or beyond by their parts below n. */
static void clip(search *s, ct_sets *sets)
{
    const int32_t count = sets->count;
    int32_t kept = 0;
    for (int32_t i = 0; i < count && !s->ended; ++i) {
        const ct_set whole = sets->item[i];
        const part p = part_of(&whole);
        if (p.first + p.span >= s->n) meet_below(s, &p, s->n);
        else sets->item[kept++] = whole; /* after those that are still to be processed */
    }
    /* The new ones are after the old ones. */
    memmove(sets->item + kept, sets->item + count,
            (size_t)(sets->count - count) * sizeof *sets->item);
    sets->count -= count - kept;
}

static ct_status too_many(char *message)
{
    return ct_refuse(message, CT_E_CAPACITY,
                     "two ranks share a set of more than %d layouts, or of more than %d leaves",
                     CT_SET_PIECES, CT_MAX_LEAVES);
}

ct_status ct_sets_cut(const ct_set *a, const ct_set *b, int64_t n, ct_sets *out, char *message)
{
    search s = {out, n, 0, 0, NULL, NULL, 0};
    const part x = part_of(a), y = part_of(b);
    ct_set above = {0};
    memset(out, 0, sizeof *out);
    meet(&s, &x, &y, &above);
    if (!s.ended && out->count > 0) clip(&s, out);
    if (s.ended) {
        ct_sets_free(out);
        return s.ended == NO_MEMORY ? ct_refuse(message, CT_E_MEMORY, "not enough memory")
                                    : too_many(message);
    }
    for (int i = 0; i < out->count; ++i) out->elems += elems_of(&out->item[i]);
    return CT_OK;
}

ct_status ct_sets_meet(const ct_set *a, const ct_set *b, int64_t n, int64_t steps, ct_sets *out,
                       char *message)
{
    const ct_status bad = ct_sets_cut(a, b, n, out, message);
    if (!bad) ct_sets_join(out, steps);
    return bad;
}

ct_status ct_sets_visit(const ct_set *a, const ct_set *b, int64_t n,
                        int (*found)(void *user, const ct_set *set), void *user, char *message)
{
    search s = {NULL, n, 0, 0, found, user, 0};
    const part x = part_of(a), y = part_of(b);
    ct_set above = {0};
    meet(&s, &x, &y, &above);
    return s.ended == TOO_MANY ? too_many(message) : CT_OK;
}

int ct_sets_touch(const ct_set *a, const ct_set *b, int64_t n)
{
    search s = {NULL, n, 1, 0, NULL, NULL, 0};
    const part x = part_of(a), y = part_of(b);
    ct_set above = {0};
    meet(&s, &x, &y, &above);
    return s.ended != 0;
}

void ct_sets_free(ct_sets *s)
{
    free(s->item);
    memset(s, 0, sizeof *s);
}
