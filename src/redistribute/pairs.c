/* Which ranks exchange elements, and which of several holders gives. */
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"

/* The digit of an axis that covers the step `cut`, or NULL beyond the last. */
static const ct_axis_digit *digit_at(const ct_axis *a, int64_t cut)
{
    for (int i = 0; i < a->digits; ++i)
        if (cut >= a->digit[i].step && (i == a->digits - 1 || cut < a->digit[i + 1].step))
            return &a->digit[i];
    return NULL;
}

/* The steps of both axes, ascending and each once. Returns how many. */
static int cuts_of(const ct_axis *a, const ct_axis *b, int64_t cut[2 * CT_MAX_LEAVES])
{
    int count = 0, i = 0, k = 0;
    while (i < a->digits || k < b->digits) {
        const int64_t x = i < a->digits ? a->digit[i].step : INT64_MAX;
        const int64_t y = k < b->digits ? b->digit[k].step : INT64_MAX;
        cut[count++] = ct_min(x, y);
        i += x <= y;
        k += y <= x;
    }
    return count;
}

/* The part of the coordinate that a key fixes and that the other side fixes too. */
static int64_t shared_part(const ct_axis *own, const ct_axis *other, const int64_t *cut, int cuts,
                           int64_t key)
{
    int64_t part = 0;
    for (int c = 0; c < cuts; ++c) {
        const ct_axis_digit *const x = digit_at(own, cut[c]), *const y = digit_at(other, cut[c]);
        if (!x || !y || !x->is_mesh || !y->is_mesh) continue;
        int64_t value = key / x->key % x->extent / (cut[c] / x->step);
        if (c + 1 < cuts) value %= cut[c + 1] / cut[c];
        part += value * cut[c];
    }
    return part;
}

static ct_status chain_of(ct_sides *s, int mode, char *message)
{
    ct_pair_axis *const p = &s->axis[mode];
    const ct_axis *const axis[2] = {&s->side[0].axis[mode], &s->side[1].axis[mode]};
    int64_t cut[2 * CT_MAX_LEAVES], most[2] = {0, 0};
    const int cuts = cuts_of(axis[0], axis[1], cut);
    p->is_chain = 1;
    for (int c = 1; c < cuts; ++c) p->is_chain &= cut[c] % cut[c - 1] == 0;
    if (!p->is_chain) return CT_OK;
    for (int side = 0; side < 2; ++side) {
        const ct_axis *const own = axis[side];
        p->shared[side] = malloc((size_t)own->keys * sizeof(int64_t));
        p->first[side] = malloc((size_t)own->keys * sizeof(int64_t));
        if (!p->shared[side] || !p->first[side])
            return ct_refuse(message, CT_E_MEMORY, "not enough memory");
        for (int64_t key = 0; key < own->keys; ++key) {
            const int64_t part = shared_part(own, axis[1 - side], cut, cuts, key);
            p->shared[side][key] = part;
            p->first[side][key] = ct_axis_first(own, key) - (side ? part : 0);
            most[side] = ct_max(most[side], p->first[side][key]);
        }
    }
    p->is_whole = most[0] + most[1] < axis[0]->n;
    return CT_OK;
}

ct_status ct_sides_of(const ct_redistribute_desc *desc, ct_sides *out, char *message)
{
    char why[CT_MESSAGE_BYTES];
    memset(out, 0, sizeof *out);
    for (int side = 0; side < 2; ++side) {
        const ct_status bad =
            ct_axes_of(side ? &desc->dst.layout : &desc->src.layout, &out->side[side], why);
        if (bad) return ct_refuse(message, bad, "%s: %s", side ? "destination" : "source", why);
    }
    out->modes = out->side[0].modes;
    if (out->modes != out->side[1].modes)
        return ct_refuse(message, CT_E_ARGUMENT, "the source has %d modes, and the destination %d",
                         out->modes, out->side[1].modes);
    out->ranks = ct_max(out->side[0].ranks, out->side[1].ranks);
    for (int m = 0; m < out->modes; ++m) {
        const int64_t n[2] = {out->side[0].axis[m].n, out->side[1].axis[m].n};
        if (n[0] != n[1])
            return ct_refuse(
                message, CT_E_ARGUMENT,
                "mode %d has %lld coordinates in the source, and %lld in the destination", m,
                (long long)n[0], (long long)n[1]);
        const ct_status bad = chain_of(out, m, message);
        if (bad) return bad;
    }
    return CT_OK;
}

void ct_sides_free(ct_sides *s)
{
    for (int m = 0; m < CT_SHARDED_MODES; ++m)
        for (int side = 0; side < 2; ++side) {
            free(s->axis[m].shared[side]);
            free(s->axis[m].first[side]);
            s->axis[m].shared[side] = s->axis[m].first[side] = NULL;
        }
}

int ct_sides_meet(const ct_sides *s, int mode, int64_t p, int64_t q)
{
    const ct_pair_axis *const a = &s->axis[mode];
    const int64_t n = s->side[0].axis[mode].n;
    if (a->is_chain)
        return a->shared[0][p] == a->shared[1][q] && a->first[0][p] + a->first[1][q] < n;
    ct_set x, y;
    ct_set_held(&s->side[0], mode, p, 0, &x);
    ct_set_held(&s->side[1], mode, q, 1, &y);
    return ct_sets_touch(&x, &y, n);
}

/* Where the largest digit of the other side is fixed, only those near the key's coordinates. */
void ct_sides_range(const ct_sides *s, int mode, int side, int64_t key, int64_t *from, int64_t *to)
{
    const ct_axis *const own = &s->side[side].axis[mode];
    const ct_axis *const other = &s->side[1 - side].axis[mode];
    *from = 0;
    *to = other->keys;
    if (other->digits == 0 || !other->digit[other->digits - 1].is_mesh) return;
    const ct_axis_digit *const top = &other->digit[other->digits - 1];
    int64_t low = ct_axis_first(own, key), high = low;
    for (int i = 0; i < own->digits; ++i)
        if (!own->digit[i].is_mesh) high += (own->digit[i].extent - 1) * own->digit[i].step;
    high = ct_min(high, own->n - 1);
    *from = ct_min(low / top->step, top->extent) * top->key;
    *to = high < low ? *from : (ct_min(high / top->step, top->extent - 1) + 1) * top->key;
    if (*to < *from) *to = *from;
}

/* A list of keys that grows. `seen` has the place of a key that was found lately, by the key's last
 * digits: most keys are found many times. */
enum { SEEN = 256 };

typedef struct keys_found {
    ct_met *item;
    int64_t count, capacity;
    int64_t enough; /* the search ends at this number */
    int no_memory;
    int32_t seen[SEEN];
} keys_found;

static int add_key(keys_found *f, int64_t key, int64_t elems)
{
    int32_t *const seen = &f->seen[key % SEEN];
    if (*seen >= 0 && f->item[*seen].key == key) {
        f->item[*seen].elems += elems;
        return 1;
    }
    if (f->count == f->capacity) {
        const int64_t capacity = f->capacity ? 2 * f->capacity : 16;
        ct_met *const more = realloc(f->item, (size_t)capacity * sizeof *more);
        f->no_memory = !more;
        if (!more) return 0;
        f->item = more;
        f->capacity = capacity;
    }
    *seen = f->count < INT32_MAX ? (int32_t)f->count : -1;
    f->item[f->count++] = (ct_met){key, elems};
    return 1;
}

static int by_key(const void *a, const void *b)
{
    const ct_met *const x = a, *const y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Keys ascend, and each is there once. */
static void sort_keys(keys_found *f)
{
    if (f->count == 0) return;
    qsort(f->item, (size_t)f->count, sizeof *f->item, by_key);
    int64_t kept = 0;
    for (int64_t i = 1; i < f->count; ++i)
        if (f->item[i].key == f->item[kept].key) f->item[kept].elems += f->item[i].elems;
        else f->item[++kept] = f->item[i];
    f->count = kept + 1;
}

/* All coordinates of an axis, each with the key that holds it in at[1]. */
static void all_keys(const ct_axis *a, ct_set *out)
{
    memset(out, 0, sizeof *out);
    for (int i = a->digits - 1; i >= 0; --i) {
        const ct_axis_digit *const d = &a->digit[i];
        out->digit[out->digits++] =
            (ct_set_digit){d->extent, d->step, {0, d->is_mesh ? d->key : 0}};
    }
}

/* Takes the keys of a set of all_keys: sums of the steps that change the key. Returns 0 to end. */
static int add_keys(void *user, const ct_set *set)
{
    keys_found *const f = user;
    int64_t count = 1, elems = 1; /* keys, and coordinates of each */
    for (int i = 0; i < set->digits; ++i) {
        if (set->digit[i].at[1]) count *= set->digit[i].count;
        else elems *= set->digit[i].count;
    }
    for (int64_t j = 0; j < count; ++j) {
        int64_t rest = j, key = set->at[1];
        for (int i = 0; i < set->digits; ++i) {
            if (!set->digit[i].at[1]) continue;
            key += rest % set->digit[i].count * set->digit[i].at[1];
            rest /= set->digit[i].count;
        }
        if (!add_key(f, key, elems)) return 0;
    }
    return f->count < f->enough;
}

/* What the key holds is cut by the other side's digits, and each part has a key. */
static ct_status met_by_sets(const ct_sides *s, int mode, int side, int64_t key, keys_found *f,
                             char *message)
{
    ct_set own, others;
    ct_set_held(&s->side[side], mode, key, 0, &own);
    for (int i = 0; i < own.digits; ++i) own.digit[i].at[0] = 0;
    all_keys(&s->side[1 - side].axis[mode], &others);
    return ct_sets_visit(&own, &others, s->side[0].axis[mode].n, add_keys, f, message);
}

/* Each key of the other side is tried. */
static ct_status met_by_trying(const ct_sides *s, int mode, int side, int64_t key, int elems,
                               keys_found *f, char *message)
{
    int64_t from, to, shared = 0;
    ct_status bad = CT_OK;
    ct_sides_range(s, mode, side, key, &from, &to);
    for (int64_t k = from; k < to && !bad && !f->no_memory; ++k) {
        const int64_t p = side ? k : key, q = side ? key : k;
        if (!ct_sides_meet(s, mode, p, q)) continue;
        if (elems) bad = ct_sides_shared(s, mode, p, q, &shared, message);
        if (!bad) add_key(f, k, shared);
    }
    return bad;
}

ct_status ct_sides_met(const ct_sides *s, int mode, int side, int64_t key, int elems, ct_met **list,
                       int64_t *count, char *message)
{
    keys_found f = {NULL, 0, 0, INT64_MAX, 0, {0}};
    const int64_t others = s->side[1 - side].axis[mode].keys;
    ct_status bad = CT_E_CAPACITY;
    memset(f.seen, 0xff, sizeof f.seen);
    if (!elems && others <= SEEN) f.enough = others; /* then no key is in the list twice */
    if (elems || !s->axis[mode].is_chain) bad = met_by_sets(s, mode, side, key, &f, message);
    if (bad == CT_E_CAPACITY) { /* a chain, or too many digits */
        f.count = 0;
        memset(f.seen, 0xff, sizeof f.seen);
        bad = met_by_trying(s, mode, side, key, elems, &f, message);
    }
    if (f.no_memory) bad = ct_refuse(message, CT_E_MEMORY, "not enough memory");
    if (bad) free(f.item);
    else sort_keys(&f);
    *list = bad ? NULL : f.item;
    *count = bad ? 0 : f.count;
    return bad;
}

/* For a chain: the keys of a side by their shared elements, then by their first coordinate. */
typedef struct entry {
    int64_t shared, first;
} entry;

static int by_entry(const void *a, const void *b)
{
    const entry *const x = a, *const y = b;
    if (x->shared != y->shared) return x->shared < y->shared ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* The entries before (shared, first). */
static int64_t entries_before(const entry *sorted, int64_t count, entry e)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (by_entry(&sorted[middle], &e) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

ct_status ct_sides_degrees(const ct_sides *s, int mode, int side, int64_t *count, char *message)
{
    const ct_pair_axis *const a = &s->axis[mode];
    const int64_t keys = s->side[side].axis[mode].keys, others = s->side[1 - side].axis[mode].keys;
    entry *const sorted = malloc((size_t)others * sizeof *sorted);
    if (!sorted) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    for (int64_t k = 0; k < others; ++k)
        sorted[k] = (entry){a->shared[1 - side][k], a->first[1 - side][k]};
    qsort(sorted, (size_t)others, sizeof *sorted, by_entry);
    for (int64_t key = 0; key < keys; ++key) {
        const int64_t shared = a->shared[side][key],
                      left = s->side[0].axis[mode].n - a->first[side][key];
        const int64_t first = entries_before(sorted, others, (entry){shared, INT64_MIN});
        count[key] = ct_max(0, entries_before(sorted, others, (entry){shared, left}) - first);
    }
    free(sorted);
    return CT_OK;
}

int ct_sides_keys(const ct_sides *s, int side, int64_t rank, int64_t keys[CT_SHARDED_MODES])
{
    if (rank >= s->side[side].ranks) return 0;
    for (int m = 0; m < s->modes; ++m) keys[m] = ct_axis_key(&s->side[side].axis[m], rank);
    return 1;
}

int64_t ct_sides_position(const ct_sides *s, int side, int64_t rank, int64_t other)
{
    int64_t own[CT_SHARDED_MODES], keys[CT_SHARDED_MODES];
    if (!ct_sides_keys(s, side, rank, own) || !ct_sides_keys(s, 1 - side, other, keys)) return -1;
    int64_t at = side == 0 ? ct_axes_copy(&s->side[1], other) : 0;
    for (int m = s->modes - 1; m >= 0; --m) {
        int64_t from, to, before = 0, all = 0;
        if (!ct_sides_meet(s, m, side ? keys[m] : own[m], side ? own[m] : keys[m])) return -1;
        ct_sides_range(s, m, side, own[m], &from, &to);
        for (int64_t k = from; k < to; ++k) {
            const int touches = ct_sides_meet(s, m, side ? k : own[m], side ? own[m] : k);
            all += touches;
            before += touches && k < keys[m];
        }
        at = at * all + before;
    }
    return at;
}

ct_status ct_sides_shared(const ct_sides *s, int mode, int64_t p, int64_t q, int64_t *elems,
                          char *message)
{
    ct_set x, y;
    ct_sets sets;
    *elems = 0;
    if (!ct_sides_meet(s, mode, p, q)) return CT_OK;
    ct_set_held(&s->side[0], mode, p, 0, &x);
    ct_set_held(&s->side[1], mode, q, 1, &y);
    const ct_status bad = ct_sets_cut(&x, &y, s->side[0].axis[mode].n, &sets, message);
    if (bad) return bad;
    *elems = sets.elems;
    ct_sets_free(&sets);
    return CT_OK;
}

/* Holders send alternately to ranks that need and do not hold. */
int64_t ct_sides_giver(const ct_sides *s, const int64_t *source, int64_t rank)
{
    const ct_axes *const a = &s->side[0];
    const int64_t first = ct_axes_rank(a, source, 0);
    if (a->holders == 1) return first;
    const int64_t at = ct_sides_position(s, 0, first, rank);
    int64_t before = 0;
    for (int64_t copy = 0; copy < a->holders; ++copy) {
        const int64_t own = ct_sides_position(s, 0, first, ct_axes_rank(a, source, copy));
        before += own >= 0 && own < at;
    }
    return ct_axes_rank(a, source, (at - before) % a->holders);
}
