/**
 * What the kernels of copy plans have in common: modes and launch arguments.
 */
#ifndef CUTLET_DEVICE_PLAN_ARGS_H
#define CUTLET_DEVICE_PLAN_ARGS_H

#include <stdint.h>

/* The modes of a copy, at most; a kernel that is compiled for one says how many it has. */
#ifndef CT_BOX_MODES
#define CT_BOX_MODES 16
#endif

/** A mode of a copy. */
typedef struct ct_box_mode {
    int64_t extent;     /* elements */
    int64_t src, dst;   /* bytes from one to the next */
    int32_t tile, axis; /* elements of a box, and which axis of it they are; 1 and -1: not tiled */
} ct_box_mode;

/** The addresses of element 0, of the source's first byte and behind its last, and the scale. */
typedef struct ct_plan_args {
    const void *src;
    void *dst;
    const void *first, *end;
    double scale;
} ct_plan_args;

#endif
