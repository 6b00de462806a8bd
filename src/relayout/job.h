/**
 * Inside of a relayout: the job, the ends of its passes, and the blocks that it is done in.
 */
#ifndef CUTLET_SRC_RELAYOUT_JOB_H
#define CUTLET_SRC_RELAYOUT_JOB_H

#include <cutlet/algebra/normalize.h>
#include "io/npy_header.h"
#include "plan/front/plan.h"
#include "relayout.h"

/** Elements of the array and their places in memory, index by index. Both layouts have the same
 * size, and begin at these elements. */
typedef struct ct_relayout_part {
    ct_layout array, memory;
    int64_t array_at, memory_at;
} ct_relayout_part;

/** An array in C or Fortran order on one side, memory of some layout on the other. */
typedef struct ct_relayout_job {
    const char *input, *output;
    FILE *in;        /* the input, its header read; ct_relayout_release closes it */
    int32_t forward; /* whether the array is the input */
    int32_t verify, backend, effort;
    int64_t memory;
    const char **wrong; /* gets the name of the option that a message is about */
    ct_npy array, flat; /* the headers: of the array, and of the memory as one dimension */
    int32_t array_type, flat_type;
    int32_t swap;       /* of an input in the other byte order that is converted: the bytes
                                  of an element; else 0 */
    ct_swizzle swizzle; /* of the memory's offsets */
    int32_t tiled;      /* whether the memory is in tiles */
    int32_t parts;      /* 1, or the boxes of the tiles: ct_relayout_tile_box makes them */
    int64_t tile[CT_MAX_LEAVES];
    ct_relayout_part whole; /* without tiles: all of the array */
} ct_relayout_job;

/** The elements of a file: one end of a pass. */
typedef struct ct_relayout_end {
    const char *path; /* for messages */
    int fd;           /* to read from, and for the output to write to */
    int64_t at;       /* the byte of element 0 */
    int64_t elems;
    int32_t type, elem_bytes; /* as in ct_plan_side */
    ct_swizzle swizzle;       /* element offset -> offset in the file */
    int32_t swap;             /* bytes of elements that are turned around when they are read; 0 */
} ct_relayout_end;

/** A mode that both ends have; steps in elements, that of the destination at least 0. */
typedef struct ct_relayout_mode {
    int64_t extent, src, dst;
} ct_relayout_mode;

/** Elements from an offset of the source to one of the destination, along modes. */
typedef struct ct_relayout_box {
    int64_t src, dst;
    int32_t modes;
    ct_relayout_mode mode[CT_PLAN_MODES];
} ct_relayout_box;

/** The placement of one end of a block in memory: windows of its file, one after another. A window
 * spans the inner modes, including gaps; the outer modes lead from one to the next. */
typedef struct ct_relayout_stage {
    int64_t step[CT_PLAN_MODES]; /* of each mode of the block, in elements */
    int64_t base;                /* the block's first element */
    int64_t start;               /* the element of the file with which its first window begins */
    int64_t length, windows;     /* elements of a window; windows */
    int32_t outers, outer[CT_PLAN_MODES];
    int32_t gaps;    /* whether windows hold other elements too */
    int32_t chunked; /* whether the swizzle is left to the transfer: windows are in
                                     order of the offsets before it */
} ct_relayout_stage;

/** The job of the options, the header of the input read; *wrong as in
 *  ct_relayout_result. */
ct_status ct_relayout_prepare(const ct_relayout_options *options, ct_relayout_job *job,
                              const char **wrong, char *message);

/** The places of the job's array elements: the parts and the swizzle of a named layout. *elems gets
 * the number of elements of the memory. */
ct_status ct_relayout_parts(const char *name, ct_relayout_job *job, int64_t *elems, char *message);

/** The places for tiles of extents such as 4x16x32, one for each mode of the array. */
ct_status ct_relayout_read_tiles(const char *text, ct_relayout_job *job, int64_t *elems,
                                 char *message);

/** Box number `part` of a job with tiles, from the job's input to its output. */
void ct_relayout_tile_box(const ct_relayout_job *job, int32_t part, ct_relayout_box *box);

/** Closes the job's open files. */
void ct_relayout_release(ct_relayout_job *job);

/** Sets the modes of a box to those of a normal form in elements, and moves its offsets by the
 * form's. Side 0 is the destination, side 1 the source. */
void ct_relayout_set_modes(const ct_normal_form *form, ct_relayout_box *box);

/** Sees two layouts of one size as modes that both have, and moves the box's offsets to where these
 *  begin; 0, and the box as it was, where the layouts have no common refinement. */
int ct_relayout_cut(ct_layout src, ct_layout dst, ct_relayout_box *box);

/** The placement of a box's block with these extents at an end, with its first element at
 * `first`. */
void ct_relayout_stage_of(const ct_relayout_end *end, const ct_relayout_box *box, int is_dst,
                          const int64_t *extent, int64_t first, ct_relayout_stage *stage);

/** Extents of blocks that fit in a number of bytes, with a copy of both sides and `packed` copies
 * of the elements. *bytes gets the most bytes of each side. A single element always fits. */
void ct_relayout_extents(const ct_relayout_end *src, const ct_relayout_end *dst,
                         const ct_relayout_box *box, int packed, int64_t memory, int64_t *extent,
                         int64_t bytes[2]);

/** Reads or writes the windows of a stage. 0, or -1 and errno; 0 there: the file ends too early. */
int ct_relayout_transfer(const ct_relayout_end *end, const ct_relayout_box *box, int is_dst,
                         const int64_t *extent, const ct_relayout_stage *stage, int writes,
                         unsigned char *buffer);

/** A block in memory of the host: what a plan reads and writes. */
typedef struct ct_relayout_slab {
    void *dst;
    const void *src;
    int64_t dst_bytes, src_bytes;
    int32_t keeps; /* whether dst holds elements between those of the plan, which have to stay */
} ct_relayout_slab;

/** Runs a plan on a slab. One kind of backend copies memory of the host. The other kind has
 * separate memory: the mover copies the slab there and back. */
typedef ct_status (*ct_relayout_mover)(const ct_plan *plan, const ct_relayout_slab *slab,
                                       char *message);

/** The mover for plans of a backend. */
ct_relayout_mover ct_relayout_mover_of(int32_t backend);

#endif
