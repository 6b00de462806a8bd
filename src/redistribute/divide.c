/* The fewest layouts that together are some points.
 *
 * A set of points is a word, a bit for each. Layouts that lie in the points are listed by their least
 * point, and divisions into 2, 3, .. of them are tried. The least point that no layout has yet is the
 * least point of the next one, so that only those in its list are tried. All of these are, which
 * makes the first number that has a division the fewest.
 *
 * Every layout is listed: its steps can be taken as positive, and ascend. Each leads from the least
 * point to another point of the layout. So digits are grown from the least point to each later one.
 *
 * A list has the largest layouts first. Points that are left need a layout for each `largest` of
 * them, the most that a layout has whose least point is as late. Where these are too many, all
 * smaller layouts of the list leave too many points too. */
#include "points.h"

#include <stdlib.h>

/* The most layouts that are listed. A step is a point that is reached, or a layout that is tried. */
enum { LISTED = 4096, STEPS = 100000 };

typedef struct listed {
    uint64_t points;
    int size;
} listed;

typedef struct division {
    const ct_point *p;
    int count;
    int lists, begin[CT_POINTS_DIVIDED + 1]; /* the list of each least point */
    listed list[LISTED];
    int largest[CT_POINTS_DIVIDED + 1]; /* the most points of a layout of this list or a later one */
    uint64_t chosen[CT_POINTS_DIVIDED];
    int64_t steps;
    int ended; /* too many layouts or steps */
    /* Of the least point whose list is made: the point that the step from it to point `to` reaches from point
     * i, and all points i from which it reaches one. */
    signed char reached[CT_POINTS_DIVIDED][CT_POINTS_DIVIDED]; /* [to][i] */
    uint64_t reaches[CT_POINTS_DIVIDED];
} division;

/* A layout that is grown: its points, and its digits by ascending steps. */
typedef struct grown {
    uint64_t points;
    int size, digits;
    signed char point[CT_POINTS_DIVIDED]; /* the least one first */
    signed char to[CT_MAX_LEAVES];        /* the step leads from the least point to this one */
    signed char extent[CT_MAX_LEAVES];
} grown;

/* The bit of a point. */
static uint64_t bit(int i) { return (uint64_t)1 << i; }

static int lowest(uint64_t points) { return __builtin_ctzll(points); }

static void take_steps(division *d, int64_t steps)
{
    d->steps += steps;
    d->ended |= d->steps > STEPS;
}

/* Whether p[to] is p[i] + times * (p[end] - p[begin]). */
static int is_at(const ct_point *p, int to, int i, int64_t times, int begin, int end)
{
    return p[to].first == p[i].first + times * (p[end].first - p[begin].first) &&
           p[to].at[0] == p[i].at[0] + times * (p[end].at[0] - p[begin].at[0]) &&
           p[to].at[1] == p[i].at[1] + times * (p[end].at[1] - p[begin].at[1]);
}

/* Finds which points the steps from a least point reach. */
static void reach_from(division *d, int least)
{
    const ct_point *const p = d->p;
    for (int to = least + 1; to < d->count; ++to) {
        d->reaches[to] = 0;
        for (int i = least, at = to; i < d->count; ++i) {
            const int64_t first = p[i].first + (p[to].first - p[least].first);
            while (at < d->count && p[at].first < first) ++at;
            if (at == d->count) break;
            if (!is_at(p, at, i, 1, least, to)) continue;
            d->reached[to][i] = (signed char)at;
            d->reaches[to] |= bit(i);
        }
    }
    take_steps(d, (d->count - least) * (d->count - least) / 4);
}

/* Adds points to g: its last `size` points, moved by the step to `to`. Returns 0 where one of them is missing,
 * or belongs to g. */
static int add_block(division *d, grown *g, int size, int to)
{
    for (int i = g->size - size, end = g->size; i < end; ++i) {
        if (!(d->reaches[to] & bit(g->point[i]))) return 0;
        const signed char at = d->reached[to][g->point[i]];
        if (g->points & bit(at)) return 0;
        g->point[g->size++] = at;
        g->points |= bit(at);
    }
    take_steps(d, size);
    return 1;
}

/* Whether a digit with the step to `to` continues another one: the layout is listed with both as one. */
static int continues(const division *d, const grown *g, int to)
{
    for (int i = 0; i < g->digits; ++i)
        if (is_at(d->p, to, g->point[0], g->extent[i], g->point[0], g->to[i])) return 1;
    return 0;
}

/* Lists a layout, and all that have larger digits too. The step to a point reaches from each point of the
 * layout where those to the points of the layout reach from that point: `ends`. */
static void list_grown(division *d, grown *g, uint64_t ends)
{
    const int size = g->size;
    const uint64_t points = g->points;
    d->ended |= d->lists == LISTED;
    if (d->ended) return;
    d->list[d->lists++] = (listed){points, size};
    if (g->digits == CT_MAX_LEAVES) return;
    for (uint64_t left = ends; left && !d->ended; left &= left - 1) {
        const int to = lowest(left);
        if (points & bit(to) || continues(d, g, to)) continue;
        uint64_t next = left & (left - 1);
        for (int extent = 2; !d->ended && add_block(d, g, size, to); ++extent) {
            const grown smaller = *g;
            for (int i = g->size - size; i < g->size; ++i) next &= d->reaches[g->point[i]];
            g->to[g->digits] = (signed char)to;
            g->extent[g->digits++] = (signed char)extent;
            list_grown(d, g, next);
            *g = smaller;
        }
        g->size = size;
        g->points = points;
    }
}

static int by_size(const void *a, const void *b)
{
    return ((const listed *)b)->size - ((const listed *)a)->size;
}

/* Lists the layouts that have this least point. */
static void list_from(division *d, int least)
{
    grown g = {bit(least), 1, 0, {(signed char)least}, {0}, {0}};
    reach_from(d, least);
    d->begin[least] = d->lists;
    list_grown(d, &g, ~(uint64_t)0 >> (64 - d->count) & ~(uint64_t)0 << least & ~bit(least));
    qsort(d->list + d->begin[least], (size_t)(d->lists - d->begin[least]), sizeof *d->list, by_size);
    d->begin[least + 1] = d->lists;
}

/* Whether some of the points are a layout. */
static int is_layout(const division *d, uint64_t points, ct_set *out)
{
    ct_point p[CT_POINTS_DIVIDED];
    int count = 0;
    for (; points; points &= points - 1) p[count++] = d->p[lowest(points)];
    return ct_points_layout(p, count, out);
}

/* Divides all points into two layouts. */
static int divide_in_two(division *d)
{
    const uint64_t all = ~(uint64_t)0 >> (64 - d->count);
    ct_set rest;
    for (int i = 0; i < d->begin[1] && !d->ended; ++i) {
        take_steps(d, d->count);
        d->chosen[0] = d->list[i].points;
        d->chosen[1] = all & ~d->chosen[0];
        if (d->chosen[1] && is_layout(d, d->chosen[1], &rest)) return 1;
    }
    return 0;
}

/* Divides `left`, of `size` points, into `layouts` more, of all lists. */
static int divide(division *d, uint64_t left, int size, int layouts, int chosen)
{
    const int least = lowest(left);
    for (int i = d->begin[least]; i < d->begin[least + 1] && !d->ended; ++i) {
        const listed *const next = &d->list[i];
        const int rest = size - next->size;
        if (rest > (layouts - 1) * d->largest[least + 1]) break;
        take_steps(d, 1);
        if (next->points & ~left || (rest == 0) != (layouts == 1)) continue;
        d->chosen[chosen] = next->points;
        if (rest == 0 || divide(d, left & ~next->points, rest, layouts - 1, chosen + 1)) return 1;
    }
    return 0;
}

/* Lists what is not listed yet. */
static void list_all(division *d)
{
    for (int least = 1; least < d->count && !d->ended; ++least) list_from(d, least);
    d->largest[d->count] = 0;
    for (int least = d->count - 1; least >= 0 && !d->ended; --least)
        d->largest[least] = (int)ct_max(d->largest[least + 1], d->list[d->begin[least]].size);
}

ct_division ct_points_divide(const ct_point *p, int count, int below, ct_set *out, int *found)
{
    division d;
    int layouts = 2, ok = 0;
    d.p = p;
    d.count = count;
    d.lists = d.ended = 0;
    d.steps = 0;
    if (below <= layouts) return CT_DIVISION_NONE;
    list_from(&d, 0);
    if (!d.ended) ok = divide_in_two(&d);
    if (!ok && !d.ended && below > 3) list_all(&d);
    while (!ok && !d.ended && ++layouts < below)
        ok = divide(&d, ~(uint64_t)0 >> (64 - count), count, layouts, 0);
    if (d.ended) return CT_DIVISION_GIVEN_UP;
    if (!ok) return CT_DIVISION_NONE;
    for (int i = 0; i < layouts; ++i) is_layout(&d, d.chosen[i], &out[i]);
    *found = layouts;
    return CT_DIVISION_FOUND;
}
