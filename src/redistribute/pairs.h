/**
 * Which ranks exchange elements. A rank's elements are a product over the modes of the tensor, so
 * that two ranks share some where they do along each mode.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_PAIRS_H
#define CUTLET_SRC_REDISTRIBUTE_PAIRS_H

#include <cutlet/host/redistribute.h>
#include "sets.h"

/** Along one mode: what decides whether a key of the source meets one of the destination. */
typedef struct ct_pair_axis {
    int is_chain;       /* the digits of both are those of one finer number */
    int is_whole;       /* and keys that agree where both are fixed always meet */
    int64_t *shared[2]; /* by side and key, of a chain: the part of the coordinate that both fix */
    int64_t *first[2];  /* and the least coordinate; of the destination without the shared part */
} ct_pair_axis;

/** The two sides of a redistribution. */
typedef struct ct_sides {
    ct_axes side[2]; /* source, destination */
    int32_t modes;
    int64_t ranks; /* of the larger mesh */
    ct_pair_axis axis[CT_SHARDED_MODES];
} ct_sides;

ct_status ct_sides_of(const ct_redistribute_desc *desc, ct_sides *out, char *message);
void ct_sides_free(ct_sides *s);

/** Whether keys p of the source and q of the destination share a coordinate of a mode below n. */
int ct_sides_meet(const ct_sides *s, int mode, int64_t p, int64_t q);

/** The keys of the other side that may meet a key: *from <= key < *to. */
void ct_sides_range(const ct_sides *s, int mode, int side, int64_t key, int64_t *from, int64_t *to);

/** A key of the other side, and how many coordinates below n it shares. */
typedef struct ct_met {
    int64_t key, elems;
} ct_met;

/** The keys of the other side that a key meets, ascending. Without `elems` the search is faster,
 * and their elems are wrong. The caller frees *list. */
ct_status ct_sides_met(const ct_sides *s, int mode, int side, int64_t key, int elems, ct_met **list,
                       int64_t *count, char *message);

/** For a chain: the number of keys of the other side that each key of a side meets; count has an
 * entry for each key. */
ct_status ct_sides_degrees(const ct_sides *s, int mode, int side, int64_t *count, char *message);

/** The keys of a rank along each mode. Returns 0 for a rank beyond the mesh. */
int ct_sides_keys(const ct_sides *s, int side, int64_t rank, int64_t keys[CT_SHARDED_MODES]);

/** The place of `other`, a rank of the other side, among those that share elements with `rank`, or
 * -1. Ranks of the source that hold the same elements count once. */
int64_t ct_sides_position(const ct_sides *s, int side, int64_t rank, int64_t other);

/** How many coordinates below n keys p of the source and q of the destination share. */
ct_status ct_sides_shared(const ct_sides *s, int mode, int64_t p, int64_t q, int64_t *elems,
                          char *message);

/** Which of the ranks that hold `source`, keys of the source, gives to a rank that does not. */
int64_t ct_sides_giver(const ct_sides *s, const int64_t *source, int64_t rank);

#endif
