/**
 * The fewest layouts that together are some points, by trying every division. A layout is what it is by
 * definition: one point, or a smaller layout and its copies at equal steps.
 */
#ifndef CUTLET_TESTS_DIVISION_ORACLE_H
#define CUTLET_TESTS_DIVISION_ORACLE_H

#include <string.h>

#include <cutlet/algebra/base.h>

/** The most points of which every division is tried. */
enum { DIVIDED = 12 };

/** A coordinate, and its place in the memory of the source and of the destination. */
typedef struct placed {
    int64_t value[3];
} placed;

/** By subset of the points, bit i for point i: whether it is one layout, and the fewest that it is. */
typedef struct divisions {
    char one[1 << DIVIDED], fewest[1 << DIVIDED];
} divisions;

/** The number of a point, or -1. */
static inline int find_placed(const placed *p, int count, placed wanted)
{
    for (int i = 0; i < count; ++i)
        if (memcmp(&p[i], &wanted, sizeof wanted) == 0) return i;
    return -1;
}

/** The points of `base`, moved by the step from point `from` to point `to`; 0 where one is missing. */
static inline int moved_subset(const placed *p, int count, int base, int from, int to)
{
    int moved = 0;
    for (int i = 0; i < count; ++i) {
        if (!(base >> i & 1)) continue;
        placed at = p[i];
        for (int k = 0; k < 3; ++k) at.value[k] += p[to].value[k] - p[from].value[k];
        const int found = find_placed(p, count, at);
        if (found < 0) return 0;
        moved |= 1 << found;
    }
    return moved;
}

/** Whether a subset is `base` and copies of it, the first of them moved from its least point to point `to`. */
static inline int is_copies(const placed *p, int count, int subset, int base, int least, int to)
{
    int all = base, last = base;
    while (all != subset) {
        /* Copies follow one another: each is the one before, moved by the same step. */
        const int next = moved_subset(p, count, last, least, to);
        if (!next || next & all || next & ~subset) return 0;
        all |= next;
        last = next;
    }
    return 1;
}

static inline int points_in(int subset)
{
    int points = 0;
    for (; subset; subset &= subset - 1) ++points;
    return points;
}

static inline int is_one_layout(const placed *p, int count, int subset, const char *one)
{
    int least = 0;
    while (!(subset >> least & 1)) ++least;
    const int points = points_in(subset);
    if (points == 1) return 1;
    for (int base = (subset - 1) & subset; base; base = (base - 1) & subset) {
        if (!(base >> least & 1) || !one[base] || points % points_in(base)) continue;
        for (int to = 0; to < count; ++to)
            if ((subset & ~base) >> to & 1 && is_copies(p, count, subset, base, least, to))
                return 1;
    }
    return 0;
}

/** Fills *out for count <= DIVIDED points with coordinates that ascend. */
static inline void all_divisions(const placed *p, int count, divisions *out)
{
    out->fewest[0] = 0;
    for (int some = 1; some < 1 << count; ++some) {
        out->one[some] = (char)is_one_layout(p, count, some, out->one);
        out->fewest[some] = (char)count;
        for (int part = some; part; part = (part - 1) & some)
            if (out->one[part] && out->fewest[some ^ part] + 1 < out->fewest[some])
                out->fewest[some] = (char)(out->fewest[some ^ part] + 1);
    }
}

#endif
