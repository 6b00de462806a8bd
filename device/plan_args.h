/**
 * @internal Modes and launch arguments, common to all kernels of copy plans.
 */
#ifndef CUTLET_DEVICE_PLAN_ARGS_H
#define CUTLET_DEVICE_PLAN_ARGS_H

#include <stdint.h>

/* The most modes of a copy. A kernel compiled for one copy defines the number that it has. */
#ifndef CT_BOX_MODES
#define CT_BOX_MODES 16
#endif

/** A mode of a copy. */
typedef struct ct_box_mode {
    int64_t extent;     /* elements */
    int64_t src, dst;   /* strides in bytes */
    int32_t tile, axis; /* elements and axis of a box along this mode; 1 and -1: not tiled */
} ct_box_mode;

/** src, dst: the addresses of element 0. first, end: the source's first byte and the end of its
 *  last. */
typedef struct ct_plan_args {
    const void *src;
    void *dst;
    const void *first, *end;
    double scale;
} ct_plan_args;

#endif
