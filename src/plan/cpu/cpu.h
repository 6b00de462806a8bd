/**
 * Inside of the CPU backend: a run cut into units of work, and the ways to do a range of them.
 */
#ifndef CUTLET_SRC_PLAN_CPU_CPU_H
#define CUTLET_SRC_PLAN_CPU_CPU_H

#include "kernels.h"
#include "plan/front/plan.h"

/** The bytes of a tile of the destination that lies in the caches on its way. */
enum { CT_CPU_TILE_BYTES = 65536, CT_CPU_TILE_ROWS = 512, CT_CPU_LINE = 64, CT_CPU_BLOCK = 256 };

/** Offsets worked out for each element, and the sides that they come from: those of the plan, in wider
 *  elements where several lie side by side. */
typedef struct ct_cpu_indexed {
    ct_tensor src, dst;
    int64_t size;
    int32_t unit;
} ct_cpu_indexed;

/** The modes of a transpose in the order that tiles are cut along: those that are contiguous in the
 *  source, one after the other, then those that are in the destination, then the outer ones. */
typedef struct ct_cpu_tiling {
    ct_plan_form form;         /* its `first` is both of the former */
    int32_t along, across;     /* modes of either kind, 1 or more */
    int64_t n_along, n_across; /* units along them */
    int64_t group;             /* of the units along the source: those of all modes but the last */
} ct_cpu_tiling;

/** The first n units along the source in the order of their places in the destination; n is a multiple
 *  of group. */
void ct_cpu_order(const ct_cpu_tiling *tiling, int64_t n, int16_t order[CT_CPU_TILE_ROWS]);

/** Of a plan: with one mode of either kind, for tiles that go directly; and with as many as make rows
 *  long enough. */
typedef struct ct_cpu_tilings {
    ct_cpu_tiling plain, joined;
} ct_cpu_tilings;

typedef struct ct_cpu_run {
    const ct_plan *plan;
    const ct_kernels *kernels;
    unsigned char *dst;       /* unit 0 */
    const unsigned char *src;
    int64_t piece, pieces;    /* of a row: units of a piece, and pieces */
    const ct_cpu_tiling *tiling;
    int64_t tiles_src, tiles_dst;
    int64_t units, tasks;     /* of work */
    int32_t slots;            /* buffers of tiles */
    unsigned char *taken, *buffers; /* whether a buffer is in use; the buffers. NULL: none is needed */
} ct_cpu_run;

/** A buffer of a thread: for a turned tile, and, in a conversion, for a converted one. */
typedef struct ct_cpu_buffer {
    int32_t slot;
    unsigned char *turned, *converted;
} ct_cpu_buffer;

/** Makes the buffers that a run needs: 0 without memory. */
int ct_cpu_make_buffers(ct_cpu_run *run);
void ct_cpu_free_buffers(ct_cpu_run *run);

/** A free one, and the same given back. */
ct_cpu_buffer ct_cpu_take_buffer(const ct_cpu_run *run);
void ct_cpu_give_buffer(const ct_cpu_run *run, ct_cpu_buffer buffer);

/** A place among the modes behind the first ones. */
typedef struct ct_cpu_place {
    int64_t at[CT_PLAN_MODES];
    int64_t src, dst; /* bytes */
} ct_cpu_place;

/** The place of that index, mode `form->first` fastest; and the next one. */
void ct_cpu_begin(ct_cpu_place *place, const ct_plan_form *form, int64_t index);
void ct_cpu_next(ct_cpu_place *place, const ct_plan_form *form);

/** The conversion of a plan. */
ct_conversion ct_cpu_conversion(const ct_plan *plan);

/** Copies or converts n units along one mode. */
void ct_cpu_along(const ct_cpu_run *run, unsigned char *dst, int64_t dst_step,
                  const unsigned char *src, int64_t src_step, int64_t n);

/** Do units first <= u < last of work. */
void ct_cpu_rows(const ct_cpu_run *run, int64_t first, int64_t last);
void ct_cpu_tiles(const ct_cpu_run *run, int64_t first, int64_t last);
void ct_cpu_indexed_range(const ct_cpu_run *run, int64_t first, int64_t last);

/** What the model chooses for a plan, and what else may be measured. */
ct_plan_choice ct_cpu_choose(const ct_plan *plan);
int ct_cpu_candidate(const ct_plan *plan, int k, ct_plan_choice *choice);

/** Whether tiles are turned by vectors: both modes are contiguous on their side. */
int ct_cpu_by_vectors(const ct_plan_form *form);

/** How a plan of tiles may be cut; NULL without memory. And the one that a choice takes. */
ct_cpu_tilings *ct_cpu_tilings_of(const ct_plan *plan);
const ct_cpu_tiling *ct_cpu_tiling_chosen(const ct_plan *plan, const ct_plan_choice *choice);

/** The sides of an indexed plan in the widest elements that they allow. NULL without memory. */
ct_cpu_indexed *ct_cpu_index(const ct_plan *plan);

#endif
