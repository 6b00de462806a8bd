/**
 * @internal Modes and launch arguments, common to all kernels of copy plans, and the one walk of
 * modes: from a number to a place.
 */
#ifndef CUTLET_PLAN_KERNELS_PLAN_ARGS_H
#define CUTLET_PLAN_KERNELS_PLAN_ARGS_H

#include <cutlet/copy/copy_sides.h>

#include <cutlet/device/kernel/kernel.h>

/* The most modes of a copy. A kernel compiled for one copy defines the number that it has, and unrolls the
 * loop over them. */
#ifdef CT_BOX_MODES
#define CT_EACH_MODE CT_UNROLL
#else
#define CT_BOX_MODES 16
#define CT_EACH_MODE CT_ROLL
#endif

/** A mode of a copy: of its elements, or of the tiles that its blocks take. */
typedef struct ct_box_mode {
    int64_t extent;     /* coordinates */
    int64_t src, dst;   /* steps: bytes from one coordinate to the next */
    int32_t tile, axis; /* elements of a tile along this mode, and its axis; 1 and -1: not tiled */
} ct_box_mode;

/** src, dst: the addresses of element 0. first, end: the source's first byte and the end of its
 *  last. */
typedef struct ct_plan_args {
    const void *src;
    void *dst;
    const void *first, *end;
    double scale;
} ct_plan_args;

/** Bytes from element 0 of either side. */
typedef struct ct_place {
    int64_t src, dst;
} ct_place;

/** The place of coordinate `number` of modes begin to end - 1, the first of them fastest. is_short:
 * whether the number fits in 32 bits, whose division takes a quarter of the time. first: the first
 * elements of the tile there along the axes, or NULL. */
CT_DEVICE ct_place ct_place_of(const ct_box_mode *mode, const int begin, const int end,
                               const uint64_t number, const int is_short, int64_t *first)
{
    ct_place p = {0, 0};
    uint64_t rest = number;
    uint32_t short_rest = (uint32_t)number;
    CT_EACH_MODE for (int k = begin; k < end; ++k)
    {
        const ct_box_mode *const m = &mode[k];
        const uint64_t n = (uint64_t)m->extent;
        uint64_t at = is_short ? short_rest : rest;
        if (k + 1 < end) at = is_short ? short_rest % (uint32_t)n : rest % n;
        if (is_short) short_rest /= (uint32_t)n;
        else rest /= n;
        p.src += (int64_t)at * m->src;
        p.dst += (int64_t)at * m->dst;
        if (first && m->axis >= 0) first[m->axis] += (int64_t)at * m->tile;
    }
    return p;
}

#endif
