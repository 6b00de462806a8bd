/**
 * The plan of a copy whose offsets are worked out for each element: swizzled sides, and shapes that
 * have no common refinement. Plain data, as a box plan.
 */
#ifndef CUTLET_DEVICE_INDEX_PLAN_H
#define CUTLET_DEVICE_INDEX_PLAN_H

#include <stdint.h>

/* Of a side, at most; a kernel that is compiled for one plan defines what that has. */
#ifndef CT_INDEX_MODES
#define CT_INDEX_MODES 16
#endif

/** One side: index -> byte, the first mode fastest. */
typedef struct ct_index_side {
    int64_t offset;       /* elements ... */
    int64_t mask;         /* ... of which these bits are XORed into those `shift` to the right */
    int32_t shift;        /* below 0: to the left */
    int32_t bytes;        /* of an element: 1 to 16 */
    int32_t modes;
    int64_t extent[CT_INDEX_MODES], step[CT_INDEX_MODES];
} ct_index_side;

typedef struct ct_index_plan {
    int64_t size;
    int32_t from, to, has_scale; /* as of a box plan */
    int32_t threads, batch;      /* of a block; elements of a thread */
    ct_index_side src, dst;
} ct_index_plan;

/** What the kernel for all plans is told. */
typedef struct ct_index_args {
    const void *src;
    void *dst;
    double scale;
} ct_index_args;

typedef struct ct_index_any_args {
    ct_index_plan plan;
    ct_index_args at;
} ct_index_any_args;

#endif
