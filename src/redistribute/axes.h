/**
 * A sharded layout along each mode of its tensor: the leaves that step along it, as digits of the
 * coordinate. A rank fixes the digits of the mesh, and holds all values of the others.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_AXES_H
#define CUTLET_SRC_REDISTRIBUTE_AXES_H

#include <cutlet/host/sharded.h>

/** A digit of a coordinate: (coordinate / step) % extent. */
typedef struct ct_axis_digit {
    int64_t extent, step;
    int32_t is_mesh;
    int64_t
        weight; /* of the mesh: in the rank; local: in the count of coordinates that a rank holds */
    int64_t key; /* of the mesh: its weight in the key; local: in the index of the local mode */
} ct_axis_digit;

/** Along one mode of the tensor. A key numbers what ranks hold along it: 0 <= key < keys. */
typedef struct ct_axis {
    int64_t n; /* the extent of the tensor */
    int64_t keys;
    int32_t digits; /* by ascending step; all extents are above 1 */
    ct_axis_digit digit[CT_MAX_LEAVES];
} ct_axis;

typedef struct ct_axes {
    int32_t modes, memory;
    int64_t ranks, holders;
    int64_t stride[CT_SHARDED_MODES];
    ct_axis axis[CT_SHARDED_MODES];
    int32_t copies; /* mesh modes that are replicated */
    ct_axis_digit copy[CT_MAX_LEAVES];
} ct_axes;

/** Checks a sharded layout and takes it apart; see ct_sharded_check. */
ct_status ct_axes_of(const ct_sharded *s, ct_axes *out, char *message);

/** What a rank holds along an axis. */
int64_t ct_axis_key(const ct_axis *a, int64_t rank);

/** The coordinate with the key's digits, all others 0: the least one, which may be n or more. */
int64_t ct_axis_first(const ct_axis *a, int64_t key);

/** How many coordinates below n a key holds. */
int64_t ct_axis_count(const ct_axis *a, int64_t key);

/** The rank of these keys, one for each mode, and this copy: 0 <= copy < holders. */
int64_t ct_axes_rank(const ct_axes *a, const int64_t *keys, int64_t copy);

/** Which copy a rank holds. */
int64_t ct_axes_copy(const ct_axes *a, int64_t rank);

/** The step in a rank's memory of one more coordinate held along each mode. With CT_MEMORY_LOCAL it
 * is 1, because its digits have separate weights there. */
void ct_axes_steps(const ct_axes *a, int64_t rank, int64_t step[CT_SHARDED_MODES]);

/** The weight of a local digit in what ct_axes_steps multiplies. */
static inline int64_t ct_axes_weight(const ct_axes *a, const ct_axis_digit *d)
{
    return a->memory == CT_MEMORY_LOCAL ? d->key : d->weight;
}

#endif
