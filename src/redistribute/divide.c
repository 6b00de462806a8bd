/* The fewest layouts that together are some points.
 *
 * A set of points is a word, a bit for each. First all layouts that lie in the points are listed, by
 * their least point. Then divisions into 2, 3, .. of them are tried. The least point that no layout
 * has yet is the least point of the next one, so that only those in its list are tried. All of these
 * are, which makes the first number that has a division the fewest.
 *
 * Every layout is listed: its steps can be taken as positive, and ascend. Each leads from the least
 * point to another point of the layout. So digits are grown from the least point to each later one.
 *
 * A list has the largest layouts first. Points that are left need a layout for each `largest` of
 * them, the most that a layout has whose least point is as late. Where these are too many, all
 * smaller layouts of the list leave too many points too. */
#include "points.h"

#include <stdlib.h>

/* The most layouts that are listed. A step is a point that is looked for, or a layout that is tried. */
enum { LISTED = 2048, STEPS = 100000 };

typedef struct listed {
    uint64_t points;
    int size;
} listed;

/* A layout that is grown: its points, and its digits by ascending steps. */
typedef struct grown {
    uint64_t points;
    int size, digits;
    int point[CT_POINTS_DIVIDED]; /* the least one first */
    int to[CT_MAX_LEAVES];        /* the step leads from the least point to this one */
    int extent[CT_MAX_LEAVES];
} grown;

typedef struct division {
    const ct_point *p;
    int count;
    int lists;
    listed list[LISTED];
    int begin[CT_POINTS_DIVIDED + 1];   /* the list of each least point */
    int largest[CT_POINTS_DIVIDED + 1]; /* the most points of a layout of this list or a later one */
    uint64_t chosen[CT_POINTS_DIVIDED];
    int64_t steps;
    int ended; /* too many layouts or steps */
} division;

/* The bit of a point. */
static uint64_t bit(int i) { return (uint64_t)1 << i; }

/* Whether `to` is p[i] + times * (p[end] - p[begin]). */
static int is_at(const ct_point *p, int to, int i, int64_t times, int begin, int end)
{
    return p[to].first == p[i].first + times * (p[end].first - p[begin].first) &&
           p[to].at[0] == p[i].at[0] + times * (p[end].at[0] - p[begin].at[0]) &&
           p[to].at[1] == p[i].at[1] + times * (p[end].at[1] - p[begin].at[1]);
}

/* The number of the point that is_at, or -1. */
static int point_at(division *d, int i, int64_t times, int begin, int end)
{
    const ct_point *const p = d->p;
    const int64_t first = p[i].first + times * (p[end].first - p[begin].first);
    int low = i + 1, high = d->count;
    d->ended |= ++d->steps > STEPS;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (p[middle].first < first) low = middle + 1;
        else high = middle;
    }
    return low < d->count && is_at(p, low, i, times, begin, end) ? low : -1;
}

/* Adds points to g: its first `size` points, moved so many times by the step that leads to `to`. Returns 0
 * where one of them is missing, or belongs to g. */
static int add_block(division *d, grown *g, int size, int64_t times, int to)
{
    for (int i = 0; i < size; ++i) {
        const int at = point_at(d, g->point[i], times, g->point[0], to);
        if (at < 0 || g->points & bit(at)) return 0;
        g->point[g->size++] = at;
        g->points |= bit(at);
    }
    return 1;
}

/* Whether a digit with the step to `to` continues another one: the layout is listed with both as one. */
static int continues(const division *d, const grown *g, int to)
{
    for (int i = 0; i < g->digits; ++i)
        if (is_at(d->p, to, g->point[0], g->extent[i], g->point[0], g->to[i])) return 1;
    return 0;
}

/* Lists a layout, and all that have larger digits too. */
static void list_grown(division *d, grown *g)
{
    const int size = g->size;
    const uint64_t points = g->points;
    d->ended |= d->lists == LISTED;
    if (d->ended) return;
    d->list[d->lists++] = (listed){points, size};
    if (g->digits == CT_MAX_LEAVES) return;
    for (int to = g->digits ? g->to[g->digits - 1] + 1 : g->point[0] + 1; to < d->count && !d->ended; ++to) {
        if (continues(d, g, to)) continue;
        for (int times = 1; !d->ended && add_block(d, g, size, times, to); ++times) {
            const grown smaller = *g;
            g->to[g->digits] = to;
            g->extent[g->digits++] = times + 1;
            list_grown(d, g);
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

/* Lists all layouts in the points. */
static void list_all(division *d)
{
    for (int least = 0; least < d->count && !d->ended; ++least) {
        grown g = {bit(least), 1, 0, {least}, {0}, {0}};
        d->begin[least] = d->lists;
        list_grown(d, &g);
        qsort(d->list + d->begin[least], (size_t)(d->lists - d->begin[least]), sizeof *d->list, by_size);
    }
    d->begin[d->count] = d->lists;
    for (int least = d->count - 1; least >= 0 && !d->ended; --least)
        d->largest[least] = (int)ct_max(d->largest[least + 1], d->list[d->begin[least]].size);
}

/* Divides `left`, of `size` points, into `layouts` more. */
static int divide(division *d, uint64_t left, int size, int layouts, int chosen)
{
    int least = 0;
    while (!(left & bit(least))) ++least;
    for (int i = d->begin[least]; i < d->begin[least + 1] && !d->ended; ++i) {
        const listed *const next = &d->list[i];
        const int rest = size - next->size;
        if (rest > (layouts - 1) * d->largest[least + 1]) break;
        d->ended |= ++d->steps > STEPS;
        if (next->points & ~left || (rest == 0) != (layouts == 1)) continue;
        d->chosen[chosen] = next->points;
        if (rest == 0 || divide(d, left & ~next->points, rest, layouts - 1, chosen + 1)) return 1;
    }
    return 0;
}

/* The layout of some of the points. */
static void layout_of(const division *d, uint64_t points, ct_set *out)
{
    ct_point p[CT_POINTS_DIVIDED];
    int count = 0;
    for (int i = 0; i < d->count; ++i)
        if (points & bit(i)) p[count++] = d->p[i];
    ct_points_layout(p, count, out);
}

ct_division ct_points_divide(const ct_point *p, int count, int below, ct_set *out, int *found)
{
    division d;
    d.p = p;
    d.count = count;
    d.lists = d.ended = 0;
    d.steps = 0;
    d.largest[count] = 0;
    list_all(&d);
    for (int layouts = 2; layouts < below && !d.ended; ++layouts) {
        if (!divide(&d, ~(uint64_t)0 >> (64 - count), count, layouts, 0) || d.ended) continue;
        for (int i = 0; i < layouts; ++i) layout_of(&d, d.chosen[i], &out[i]);
        *found = layouts;
        return CT_DIVISION_FOUND;
    }
    return d.ended ? CT_DIVISION_GIVEN_UP : CT_DIVISION_NONE;
}
