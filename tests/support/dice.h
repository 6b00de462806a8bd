/**
 * Random operands for the laws: numbers, shapes, layouts, tiles and coordinates, the same on the
 * host and on a GPU. A case is a seed and a number, so that a case that fails on one can be looked
 * at on the other.
 */
#ifndef CUTLET_TESTS_DICE_H
#define CUTLET_TESTS_DICE_H

#include "oracle.h"

/** Random numbers: xorshift, so that a seed means the same everywhere. */
typedef struct dice {
    uint64_t state;
} dice;

LAW_FN uint64_t dice_next(dice *d)
{
    d->state ^= d->state << 13;
    d->state ^= d->state >> 7;
    d->state ^= d->state << 17;
    return d->state;
}

/** The dice of a seed. */
LAW_FN dice dice_of(uint64_t seed)
{
    dice d = {(seed + 1) * 0x9e3779b97f4a7c15u | 1};
    for (int i = 0; i < 8; ++i) dice_next(&d);
    return d;
}

/** The dice of case `number` under a seed: it needs none of the cases before. */
LAW_FN dice dice_of_case(uint64_t seed, uint64_t number)
{
    uint64_t x = (seed + 1) * 0x9e3779b97f4a7c15u + (number + 1) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return dice_of(x ^ (x >> 31));
}

/** A random number from low to high. */
LAW_FN int64_t dice_int(dice *d, int64_t low, int64_t high)
{
    return low + (int64_t)(dice_next(d) >> 11) % (high - low + 1);
}

/** Random parentheses for n leaves, depth at most 3. */
LAW_FN ct_profile dice_profile(dice *d, int n)
{
    ct_profile p = ct_profile_flat(n);
    if (n == 1 && dice_int(d, 0, 2) > 0) {
        p.open[0] = p.close[0] = 0;
        return p;
    }
    for (int round = 0; round < 2; ++round) { /* pairs around runs of leaves, within one another */
        for (int first = 0; first < n; ++first) {
            int last = first + (int)dice_int(d, 1, 3);
            if (last > n) last = n;
            if (dice_int(d, 0, 2) != 0) continue;
            int level = 0, lowest = 0; /* the run must be whole modes of one tuple */
            for (int k = first; k < last; ++k) {
                level += k > first ? p.open[k] : 0;
                level -= k + 1 < last ? p.close[k] : 0;
                if (level < lowest) lowest = level;
            }
            const int inner = level == 0 && lowest == 0;
            if (!inner || ct_profile_depth(p) > 3) continue;
            p.open[first]++;
            p.close[last - 1]++;
            first = last - 1;
        }
    }
    return p;
}

/** A random shape of at most `leaves` leaves and `most` coordinates. */
LAW_FN ct_tuple dice_shape(dice *d, int leaves, int64_t most)
{
    ct_tuple t = CT_ZERO;
    const int n = (int)dice_int(d, 1, leaves);
    static const int64_t sizes[] = {1, 2, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 12, 16};
    int64_t left = most;
    for (int k = 0; k < n; ++k) {
        int64_t s = sizes[dice_int(d, 0, 14)];
        if (s > left) s = 1;
        t.value[k] = s;
        left /= s;
    }
    t.profile = dice_profile(d, n);
    return t;
}

/** What the strides of a random layout are like. */
enum { DICE_COMPACT, DICE_PADDED, DICE_WILD, DICE_NEGATIVE, DICE_STYLES };

/** A random layout: compact in any order, with gaps and repetition, anything, also below 0. */
LAW_FN ct_layout dice_layout(dice *d, int leaves, int64_t most, int style)
{
    const ct_tuple shape = dice_shape(d, leaves, most);
    ct_layout L = CT_ZERO;
    L.profile = shape.profile;
    const int n = L.profile.leaves;
    int order[CT_MAX_LEAVES] = {0};
    for (int k = 0; k < n; ++k) order[k] = k;
    for (int k = n - 1; k > 0 && dice_int(d, 0, 2); --k) {
        const int j = (int)dice_int(d, 0, k), x = order[k];
        order[k] = order[j];
        order[j] = x;
    }
    int64_t run = 1;
    for (int i = 0; i < n; ++i) {
        const int k = order[i];
        L.shape[k] = shape.value[k];
        if (style >= DICE_WILD) {
            L.stride[k] = dice_int(d, 0, 1) ? dice_int(d, 0, 40) : run;
        } else {
            if (style == DICE_PADDED && dice_int(d, 0, 3) == 0) run *= dice_int(d, 1, 3);
            L.stride[k] = style == DICE_PADDED && dice_int(d, 0, 9) == 0 ? 0 : run;
        }
        if (style == DICE_NEGATIVE && dice_int(d, 0, 2) == 0) L.stride[k] = -L.stride[k];
        run *= L.shape[k];
    }
    return L;
}

/** A random layout of any style. */
LAW_FN ct_layout dice_any(dice *d, int leaves, int64_t most)
{
    return dice_layout(d, leaves, most, (int)dice_int(d, 0, DICE_STYLES - 1));
}

/** One without strides below 0. */
LAW_FN ct_layout dice_upward(dice *d, int leaves, int64_t most)
{
    return dice_layout(d, leaves, most, (int)dice_int(d, 0, DICE_WILD));
}

/** A right side for a layout of this size: made of its factors, so that a good part composes. */
LAW_FN ct_layout dice_tile(dice *d, int64_t size)
{
    ct_layout B = dice_layout(d, 3, size < 64 ? size : 64, DICE_COMPACT);
    const int64_t gap = dice_int(d, 0, 2) ? 1 : dice_int(d, 1, 8);
    for (int k = 0; k < B.profile.leaves; ++k) B.stride[k] *= gap;
    return B;
}

/** A coordinate of L, `_` in some places. */
LAW_FN ct_tuple dice_coordinate(dice *d, ct_layout L)
{
    const int rank = ct_layout_rank(L);
    ct_tuple coord = ct_repeat_any(rank);
    if (rank == 1) coord = ct_wrap(coord);
    for (int k = 0; k < rank; ++k) {
        if (dice_int(d, 0, 1)) continue;
        coord.basis[k] = 0;
        coord.value[k] = dice_int(d, 0, oracle_size(ct_mode(L, k)) - 1);
    }
    return coord;
}

/** A tiler of the first modes of L. */
LAW_FN ct_tiler dice_tiler(dice *d, ct_layout L)
{
    ct_tiler t = ct_tiler0();
    const int rank = ct_layout_rank(L), tiles = (int)dice_int(d, 1, rank);
    for (int k = 0; k < tiles; ++k)
        t = ct_tiler_append(t, dice_int(d, 0, 3) == 0 ? ct_tile_any()
                                                      : dice_tile(d, oracle_size(ct_mode(L, k))));
    return t;
}

#endif
