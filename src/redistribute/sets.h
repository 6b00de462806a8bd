/**
 * Sets of coordinates along one mode, as layouts: what a key holds, and what two keys share.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_SETS_H
#define CUTLET_SRC_REDISTRIBUTE_SETS_H

#include "axes.h"

/** The most pieces of a set. */
#define CT_SET_PIECES (1 << 20)

/** Coordinates first + i * step, 0 <= i < count. at: the step in the memory of the source and of
 * the destination, in coordinates held there (a factor of ct_axes_steps). */
typedef struct ct_set_digit {
    int64_t count, step, at[2];
} ct_set_digit;

/** A layout of coordinates: first, and all sums of its digits, of descending steps. */
typedef struct ct_set {
    int64_t first, at[2];
    int32_t digits;
    ct_set_digit digit[CT_MAX_LEAVES];
} ct_set;

/** A list of disjoint sets. All zero: none. */
typedef struct ct_sets {
    ct_set *item;
    int32_t count, capacity;
    int64_t elems; /* of all */
    int is_fewest; /* whether it is proved that no fewer layouts are the set */
} ct_sets;

/** Neighbouring digits that are one become one. */
void ct_set_coalesce(ct_set *s);

/** What a key of an axis holds, those at n and beyond too; `side` is 0 for the source, 1 for the
 *  destination. */
void ct_set_held(const ct_axes *axes, int mode, int64_t key, int side, ct_set *out);

/**
 * The coordinates below n that two sets share, as disjoint layouts. Sets *out, which the caller frees
 * with ct_sets_free.
 *
 * Ensures:  one layout where one is that set and it has up to 256 blocks. Otherwise the fewest where
 *           the set has up to 12 coordinates, or up to 64 and the search ends within this many steps.
 *           Of a larger set of up to 64 blocks, the fewest that keep each block whole, with the
 *           same limit. A block is what all layouts of the intersection have as their smallest
 *           digits. Otherwise layouts are joined until no two are one.
 * Fails:    CT_E_MEMORY; CT_E_CAPACITY: more than CT_SET_PIECES pieces or CT_MAX_LEAVES digits.
 */
ct_status ct_sets_meet(const ct_set *a, const ct_set *b, int64_t n, int64_t steps, ct_sets *out,
                       char *message);

/** The steps for each of this many calls of ct_sets_meet: up to CT_SETS_STEPS in all, as far as each
 *  has the least. */
#define CT_SETS_STEPS (1 << 24)
#define CT_SETS_STEPS_LEAST (1 << 12)
#define CT_SETS_STEPS_MOST (1 << 15)

static inline int64_t ct_sets_steps(int64_t calls)
{
    const int64_t each = ct_min(CT_SETS_STEPS_MOST, CT_SETS_STEPS / ct_max(1, calls));
    return ct_max(CT_SETS_STEPS_LEAST, each);
}

/** Makes fewer layouts of disjoint sets, as ct_sets_meet says. */
void ct_sets_join(ct_sets *s, int64_t steps);

/** What ct_sets_meet finds in more layouts, sooner. */
ct_status ct_sets_cut(const ct_set *a, const ct_set *b, int64_t n, ct_sets *out, char *message);

/** Calls `found` for each layout that ct_sets_cut finds, without a list of them. It returns 0 to end.
 *  Fails:    CT_E_CAPACITY, as ct_sets_cut. */
ct_status ct_sets_visit(const ct_set *a, const ct_set *b, int64_t n,
                        int (*found)(void *user, const ct_set *set), void *user, char *message);

/** Whether there is such a coordinate. */
int ct_sets_touch(const ct_set *a, const ct_set *b, int64_t n);

void ct_sets_free(ct_sets *s);

#endif
