/**
 * Coordinates with their places in both memories, as layouts: which points are one, and the fewest
 * that together are the points.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_POINTS_H
#define CUTLET_SRC_REDISTRIBUTE_POINTS_H

#include "sets.h"

/** The most points of which one layout is sought. */
#define CT_POINTS_TRIED 256

/** The most points that ct_points_divide takes: each is a bit of a word. */
#define CT_POINTS_DIVIDED 64

/** The most points for which it ends without a limit of steps, which are few. */
#define CT_POINTS_ALWAYS 12

/** A coordinate, and its place in the memory of the source and of the destination. */
typedef struct ct_point {
    int64_t first, at[2];
} ct_point;

/** Finds a layout of up to `digits` digits whose values are these points, ascending, if it exists.
 * count <= CT_POINTS_TRIED, digits <= CT_MAX_LEAVES. */
int ct_points_layout(const ct_point *p, int count, int digits, ct_set *out);

/** How ct_points_divide ended. */
typedef enum ct_division {
    CT_DIVISION_NONE, /* no division has so few layouts */
    CT_DIVISION_FOUND,
    CT_DIVISION_GIVEN_UP /* more steps or more room are needed */
} ct_division;

/**
 * The fewest layouts of up to this many digits that together are these points, each point in one, if
 * they are at least two and fewer than `below`: *found sets in out, which has room for below - 1, in
 * the order of their least points. count <= CT_POINTS_DIVIDED.
 * Cost:     up to `steps` steps of a few nanoseconds, no allocation. Up to CT_POINTS_ALWAYS points have
 *           no limit; the most steps seen are 3,002.
 */
ct_division ct_points_divide(const ct_point *p, int count, int digits, int below, int64_t steps,
                             ct_set *out, int *found);

#endif
