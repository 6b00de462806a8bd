/* The fewest layouts that together are some points.
 *
 * A set of points is a word, a bit for each. Layouts within the points are listed, and divisions
 * into 2, 3, .. of them are tried. The first number that has a division is the fewest.
 *
 * Two layouts: the one with the least point is in the list of all layouts that begin there. The points
 * that it leaves are one layout, or they are not.
 *
 * More layouts: these are chosen from the largest to the smallest. The largest of k layouts has at
 * least a k-th of the points, and few layouts are so large. What the last one leaves is tested as
 * above. Any two points are a layout. Therefore 2 k points are k layouts, and the list needs no
 * pairs.
 *
 * Every layout is listed: its steps can be taken as positive, and ascend. Each leads from the least
 * point to another point of the layout. Therefore digits are grown from the least point to each
 * later one.
 *
 * In the worst case the time grows exponentially with the points; a limit of steps ends the search. */
#include "points.h"

#include <stdlib.h>

/* The most layouts that are listed, and the steps that listing one counts as. A step is a point that
 * is reached, or a layout that is tried. */
enum { LISTED = 4096, LISTED_STEPS = 4 };

typedef struct listed {
    uint64_t points;
    int size;
} listed;

typedef struct division {
    const ct_point *p;
    int count, most_digits, lists;
    listed list[LISTED];
    int layouts;
    uint64_t layout[CT_POINTS_DIVIDED]; /* the points of each */
    int64_t steps_left;
    int ended; /* too many layouts or steps */
    /* For the least point of the list: the point that the step from it to point `to` reaches from
     * point i, and all points i from which this step reaches a point. */
    signed char reached[CT_POINTS_DIVIDED][CT_POINTS_DIVIDED]; /* [to][i] */
    uint64_t reaches[CT_POINTS_DIVIDED];
} division;

/* A layout that is grown: its points, and its digits by ascending steps. */
typedef struct grown {
    uint64_t points;
    int size, digits;
    signed char point[CT_POINTS_DIVIDED]; /* the least one first */
    signed char to[CT_MAX_LEAVES];        /* the step leads from the least point to this one */
    signed char last[CT_MAX_LEAVES];      /* the point that the step reaches last */
} grown;

/* The bit of a point. */
static uint64_t bit(int i) { return (uint64_t)1 << i; }

static int lowest(uint64_t points) { return __builtin_ctzll(points); }

static uint64_t all_points(const division *d) { return ~(uint64_t)0 >> (64 - d->count); }

static void take_steps(division *d, int64_t steps)
{
    d->steps_left -= steps;
    d->ended |= d->steps_left < 0;
}

/* Finds which points the steps from a least point reach. */
static void reach_from(division *d, int least)
{
    const ct_point *const p = d->p, from = p[least];
    for (int to = least + 1; to < d->count; ++to) {
        d->reaches[to] = 0;
        for (int i = least, at = to; i < d->count; ++i) {
            while (at < d->count && p[at].first - p[to].first < p[i].first - from.first) ++at;
            if (at == d->count) break;
            if (p[at].first - p[to].first != p[i].first - from.first ||
                p[at].at[0] - p[to].at[0] != p[i].at[0] - from.at[0] ||
                p[at].at[1] - p[to].at[1] != p[i].at[1] - from.at[1])
                continue;
            d->reached[to][i] = (signed char)at;
            d->reaches[to] |= bit(i);
        }
    }
    take_steps(d, (d->count - least) * (d->count - least) / 4);
}

/* The point that the step to point `to` reaches from point i, or -1. */
static int reached_from(const division *d, int i, int to)
{
    return d->reaches[to] & bit(i) ? d->reached[to][i] : -1;
}

/* Adds points to g: its last `size` points, moved by the step to `to`. Returns 0 where one of them is
 * missing, or belongs to g. */
static int add_block(division *d, grown *g, int size, int to)
{
    for (int i = g->size - size, end = g->size; i < end; ++i) {
        const int at = reached_from(d, g->point[i], to);
        if (at < 0 || g->points & bit(at)) return 0;
        g->point[g->size++] = (signed char)at;
        g->points |= bit(at);
    }
    take_steps(d, size);
    return 1;
}

/* Whether a digit with the step to `to` continues another one: then the layout is listed with both
 * as one. */
static int continues(const division *d, const grown *g, int to)
{
    for (int i = 0; i < g->digits; ++i)
        if (reached_from(d, g->last[i], g->to[i]) == to) return 1;
    return 0;
}

/* Lists a layout, and all that have larger digits too. A step is valid from each point of the
 * layout if it leads to one of `ends`: the points from which the steps to the layout's points all
 * reach points. */
static void list_grown(division *d, grown *g, uint64_t ends)
{
    const int size = g->size;
    const uint64_t points = g->points;
    if (size > 2 || g->point[0] == 0) {
        d->ended |= d->lists == LISTED;
        take_steps(d, LISTED_STEPS);
        if (d->ended) return;
        d->list[d->lists++] = (listed){points, size};
    }
    if (g->digits == d->most_digits) return;
    for (uint64_t left = ends; left && !d->ended; left &= left - 1) {
        const int to = lowest(left);
        if (points & bit(to) || continues(d, g, to)) continue;
        uint64_t next = left & (left - 1);
        while (!d->ended && add_block(d, g, size, to)) {
            const grown smaller = *g;
            for (int i = g->size - size; i < g->size; ++i) next &= d->reaches[g->point[i]];
            g->to[g->digits] = (signed char)to;
            g->last[g->digits++] = g->point[g->size - size];
            list_grown(d, g, next);
            *g = smaller;
        }
        g->size = size;
        g->points = points;
    }
}

/* Lists the layouts that have this least point. */
static void list_from(division *d, int least)
{
    grown g = {bit(least), 1, 0, {(signed char)least}, {0}, {0}};
    reach_from(d, least);
    list_grown(d, &g, all_points(d) & ~(uint64_t)0 << least & ~bit(least));
}

/* Whether some of the points are a layout. */
static int is_layout(const division *d, uint64_t points, ct_set *out)
{
    ct_point p[CT_POINTS_DIVIDED];
    int count = 0;
    for (; points; points &= points - 1) p[count++] = d->p[lowest(points)];
    return ct_points_layout(p, count, d->most_digits, out);
}

/* Divides all points into two layouts. The list has those with the least point. */
static int divide_in_two(division *d)
{
    ct_set rest;
    for (int i = 0; i < d->lists && !d->ended; ++i) {
        take_steps(d, d->count);
        d->layouts = 2;
        d->layout[0] = d->list[i].points;
        d->layout[1] = all_points(d) & ~d->layout[0];
        if (d->layout[1] && is_layout(d, d->layout[1], &rest)) return 1;
    }
    return 0;
}

static int by_size(const void *a, const void *b)
{
    return ((const listed *)b)->size - ((const listed *)a)->size;
}

/* Divides `left`, of `size` points, into this number of further layouts, none before number `from`
 * of the list. */
static int divide(division *d, uint64_t left, int size, int layouts, int from)
{
    ct_set last;
    uint64_t *const chosen = &d->layout[d->layouts];
    if (size <= 2 * layouts) {
        while (left) {
            const uint64_t rest = left & (left - 1), after = rest & (rest - 1);
            d->layout[d->layouts++] = left & ~after;
            left = after;
        }
        return 1;
    }
    if (layouts == 1) {
        take_steps(d, size);
        if (!is_layout(d, left, &last)) return 0;
        *chosen = left;
        d->layouts++;
        return 1;
    }
    for (int i = from; i < d->lists && !d->ended && d->list[i].size * layouts >= size; ++i) {
        take_steps(d, 1);
        if (d->list[i].points & ~left) continue;
        *chosen = d->list[i].points;
        d->layouts++;
        if (divide(d, left & ~*chosen, size - d->list[i].size, layouts - 1, i + 1)) return 1;
        d->layouts--;
    }
    return 0;
}

/* Orders by the least points. */
static int by_least(const void *a, const void *b)
{
    return lowest(*(const uint64_t *)a) - lowest(*(const uint64_t *)b);
}

ct_division ct_points_divide(const ct_point *p, int count, int digits, int below, int64_t steps,
                             ct_set *out, int *found)
{
    division d;
    int ok = 0;
    d.p = p;
    d.count = count;
    d.most_digits = digits;
    d.lists = d.ended = 0;
    d.steps_left = count <= CT_POINTS_ALWAYS ? INT64_MAX : steps;
    if (below <= 2) return CT_DIVISION_NONE;
    list_from(&d, 0);
    if (!d.ended) ok = divide_in_two(&d);
    if (!ok && below > 3) {
        for (int least = 1; least < count && !d.ended; ++least) list_from(&d, least);
        qsort(d.list, (size_t)d.lists, sizeof *d.list, by_size);
    }
    for (int layouts = 3; layouts < below && !ok && !d.ended; ++layouts) {
        d.layouts = 0;
        ok = divide(&d, all_points(&d), count, layouts, 0);
    }
    if (d.ended) return CT_DIVISION_GIVEN_UP;
    if (!ok) return CT_DIVISION_NONE;
    qsort(d.layout, (size_t)d.layouts, sizeof *d.layout, by_least);
    for (int i = 0; i < d.layouts; ++i) is_layout(&d, d.layout[i], &out[i]);
    *found = d.layouts;
    return CT_DIVISION_FOUND;
}
