/**
 * The box plan: how a block moves a box of a copy between two layouts of any rank.
 *
 * A copy is a set of modes, each with a step in the source and one in the destination. A block takes
 * a box: of each mode a tile, 1 where it has none. It goes through the box in two ways, each an
 * order of the box's modes:
 *
 *     in     by the steps of the source: neighbouring threads load neighbouring memory
 *     out    by the steps of the destination: they store neighbouring memory
 *
 * Where both are the same order, an element goes straight from its load to its store. Where they
 * differ the box is turned in shared memory, whose steps are such that neither way meets its banks
 * more often than it has to.
 *
 * The plan is plain data, worked out by the host. A kernel that is compiled for one has it as a
 * constant, and nothing of it is left; the kernel for all of them is told it at its launch.
 */
#ifndef CUTLET_DEVICE_BOX_PLAN_H
#define CUTLET_DEVICE_BOX_PLAN_H

#include <stdint.h>

/* The modes of a copy, and those that one way through a box may have, at most; the loads of a thread
 * that are under way at once. A kernel that is compiled for one plan defines what that has: every loop
 * that the compiler spreads out for less takes its time. */
#ifndef CT_BOX_MODES
#define CT_BOX_MODES 16
#define CT_BOX_WAY 8
#define CT_BOX_BATCH 16
#endif

/** The accesses of a thread that are spread out in the code; more of them are a loop, for code that is
 *  much longer takes longer to compile, and some of it ran slower on an H200. */
#define CT_BOX_SPREAD 40

/** A mode of the copy. */
typedef struct ct_box_mode {
    int64_t extent;   /* elements */
    int64_t src, dst; /* bytes from one to the next */
    int32_t tile;     /* elements of a box */
    int32_t shared;   /* bytes from one to the next, in shared memory */
} ct_box_mode;

/** A way through the box: numbers of modes, the one that changes fastest first. The threads cover the
 *  first ones whole, and some rows of the next; what is left of that and the modes behind it are the
 *  accesses of each thread. So a thread works its own place out once, and every access is a constant
 *  further on. */
typedef struct ct_box_way {
    int32_t vector;    /* elements of an access, along the first of them */
    int32_t wide;      /* whether they lie side by side in shared memory too */
    int32_t by_thread; /* modes that threads cover whole ... */
    int32_t rows;      /* ... and coordinates of the next one */
    int32_t active;    /* threads that take part */
    int32_t accesses;  /* of a thread */
    int32_t modes;
    int32_t mode[CT_BOX_WAY];
} ct_box_way;

typedef struct ct_box_plan {
    int32_t src_bytes, dst_bytes; /* of an element: 1, 2, 4, 8 or 16 */
    int32_t from, to, has_scale;  /* CT_TYPE_..., raw on both sides where nothing is converted */
    int32_t staged;               /* whether the box is turned in shared memory */
    int32_t threads, resident;    /* of a block; blocks that are to fit on a multiprocessor */
    int32_t batch;                /* loads of a thread that are under way at once */
    int32_t modes;
    int32_t shared_bytes;
    int32_t group, group_mode;    /* blocks take so many tiles of this mode before they go on */
    ct_box_mode mode[CT_BOX_MODES]; /* in the order in which blocks go along them */
    ct_box_way in, out;
} ct_box_plan;

/** What a kernel compiled for a plan is told: the addresses of element 0, and the scale. */
typedef struct ct_box_args {
    const void *src;
    void *dst;
    double scale;
} ct_box_args;

/** What the kernel for all plans is told. */
typedef struct ct_box_any_args {
    ct_box_plan plan;
    ct_box_args at;
} ct_box_any_args;

#endif
