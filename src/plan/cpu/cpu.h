/**
 * Internals of the CPU backend: a copy divided into units of work, and functions for ranges of them.
 */
#ifndef CUTLET_SRC_PLAN_CPU_CPU_H
#define CUTLET_SRC_PLAN_CPU_CPU_H

#include "kernels.h"
#include "plan/front/plan.h"

/** The bytes and rows of a tile at most, the bytes of a line, the elements of a block. */
enum { CT_CPU_TILE_BYTES = 65536, CT_CPU_TILE_ROWS = 512, CT_CPU_LINE = 64, CT_CPU_BLOCK = 256 };

/** The sides of a plan that computes the offset of each element. Several contiguous elements may be
 *  one wider element. */
typedef struct ct_cpu_indexed {
    ct_tensor src, dst;
    int64_t size;
    int32_t unit;
} ct_cpu_indexed;

/** The modes of a transpose in the order of its tiles: first the modes that are contiguous in the
 *  source, then those that are contiguous in the destination, then the outer ones. */
typedef struct ct_cpu_tiling {
    ct_plan_form form;         /* its `first` is along + across */
    int32_t along, across;     /* modes contiguous in source and destination, 1 or more */
    int64_t n_along, n_across; /* units along them */
    int64_t group;             /* units along all of the source's modes except the last */
} ct_cpu_tiling;

/** The first n units along the source in the order of their offsets in the destination; n is a
 *  multiple of group. */
void ct_cpu_order(const ct_cpu_tiling *tiling, int64_t n, int16_t order[CT_CPU_TILE_ROWS]);

/** The tilings of a plan. plain: one mode of each kind, for tiles without a buffer; joined: the
 * modes that make rows long enough. */
typedef struct ct_cpu_tilings {
    ct_cpu_tiling plain, merged;
} ct_cpu_tilings;

typedef struct ct_cpu_job {
    const ct_plan *plan;
    const ct_kernels *kernels;
    unsigned char *dst; /* unit 0 */
    const unsigned char *src;
    int64_t piece, pieces; /* of a row: units of a piece, and pieces */
    const ct_cpu_tiling *tiling;
    int64_t tiles_src, tiles_dst;
    int64_t units, tasks;           /* of work */
    int32_t slots;                  /* buffers of tiles */
    unsigned char *taken, *buffers; /* flags of buffers in use; buffers. NULL if none is needed */
} ct_cpu_job;

/** A buffer of a thread: for a transposed tile, and for a converted tile if the plan converts. */
typedef struct ct_cpu_buffer {
    int32_t slot;
    unsigned char *transposed, *converted;
} ct_cpu_buffer;

/** Makes the buffers of a job. Returns 0 without memory. */
int ct_cpu_make_buffers(ct_cpu_job *job);
void ct_cpu_free_buffers(ct_cpu_job *job);

/** Take a free buffer; give it back. */
ct_cpu_buffer ct_cpu_take_buffer(const ct_cpu_job *job);
void ct_cpu_give_buffer(const ct_cpu_job *job, ct_cpu_buffer buffer);

/** A coordinate along the modes from form->first on. */
typedef struct ct_cpu_coord {
    int64_t at[CT_PLAN_MODES];
    int64_t src, dst; /* bytes */
} ct_cpu_coord;

/** The coordinate of an index, mode `form->first` fastest; and the next one. */
void ct_cpu_begin(ct_cpu_coord *coord, const ct_plan_form *form, int64_t index);
void ct_cpu_next(ct_cpu_coord *coord, const ct_plan_form *form);

/** Copies or converts n units along one mode. */
void ct_cpu_along(const ct_cpu_job *job, unsigned char *dst, int64_t dst_step,
                  const unsigned char *src, int64_t src_step, int64_t n);

/** Execute units first <= u < last of work. */
void ct_cpu_rows(const ct_cpu_job *job, int64_t first, int64_t last);
void ct_cpu_tiles(const ct_cpu_job *job, int64_t first, int64_t last);
void ct_cpu_indexed_range(const ct_cpu_job *job, int64_t first, int64_t last);

/** The model's choice for a plan, and candidate k of effort MEASURE. */
ct_plan_choice ct_cpu_choose(const ct_plan *plan);
int ct_cpu_candidate(const ct_plan *plan, int k, ct_plan_choice *choice);

/** Whether tiles are transposed by vectors: both modes are contiguous on their sides. */
int ct_cpu_by_vectors(const ct_plan_form *form);

/** The tilings of a plan of tiles, NULL without memory; and the tiling of a choice. */
ct_cpu_tilings *ct_cpu_tilings_of(const ct_plan *plan);
const ct_cpu_tiling *ct_cpu_tiling_chosen(const ct_plan *plan, const ct_plan_choice *choice);

/** The sides of an indexed plan, with the widest elements that both allow. NULL without memory. */
ct_cpu_indexed *ct_cpu_index(const ct_plan *plan);

#endif
