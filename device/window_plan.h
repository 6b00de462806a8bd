/**
 * The window plan: a copy of rows that goes through the destination's memory, window after window.
 *
 * Rows that begin anywhere are badly cut by their coordinates: every piece of one ends within a
 * sector that the next piece writes too. So a thread takes 4 or 16 aligned bytes of the destination,
 * a warp whole lines of it, and asks which elements they are: the destination's layout inverted.
 * Bytes of a gap are nobody's.
 *
 *     nest    the rows, and the modes that lie so close together that there is little between them
 *     outer   the other modes: each place of them is a nest of its own
 *
 * Plain data, as a box plan.
 */
#ifndef CUTLET_DEVICE_WINDOW_PLAN_H
#define CUTLET_DEVICE_WINDOW_PLAN_H

#include <stdint.h>

/* Modes, and windows of a thread, at most; a kernel that is compiled for one plan defines its modes. */
#ifndef CT_WINDOW_MODES
#define CT_WINDOW_MODES 16
#endif
#define CT_WINDOW_EACH 4

/** The longest window, in bytes. Rows are at least as long. */
#define CT_WINDOW_BYTES 16

/** What the first window of a nest is aligned to. */
#define CT_WINDOW_LINE 128

/** A mode of the nest or outside; steps in bytes. */
typedef struct ct_window_mode {
    int64_t extent, src, dst;
} ct_window_mode;

typedef struct ct_window_plan {
    int32_t unit;         /* bytes that divide every address: 1, 2, 4, 8 or 16 */
    int32_t bytes;        /* of a window: 4 or 16, at least the unit */
    int32_t threads;      /* of a block */
    int32_t each;         /* windows of a thread: at most CT_WINDOW_EACH */
    int32_t row_bytes;
    int32_t nest, modes;  /* modes of the nest, the nearest first; all modes */
    int32_t nest_bytes;   /* from the first byte of a nest to behind its last */
    int32_t blocks;       /* for one nest */
    ct_window_mode mode[CT_WINDOW_MODES];
} ct_window_plan;

/** What a kernel is told: the addresses of element 0, and of the source's first byte and behind its
 *  last, which no load goes beyond. */
typedef struct ct_window_args {
    const void *src;
    void *dst;
    const void *first, *end;
} ct_window_args;

typedef struct ct_window_any_args {
    ct_window_plan plan;
    ct_window_args at;
} ct_window_any_args;

#endif
