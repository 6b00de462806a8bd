/**
 * The kernels of the tiled copy on the CPU grid, and what it takes to launch them.
 */
#ifndef CUTLET_SRC_COMPARE_LAUNCH_H
#define CUTLET_SRC_COMPARE_LAUNCH_H

#include <cutlet/device/staged/staged_job.h>
#include <cutlet/copy/copy_width.h>
#include <cutlet/host/compare.h>
#include <cutlet/host/grid.h>
#include "kernels/variants.h"

typedef struct ct_copy_launch {
    const ct_grid_kernel *kernel;
    int32_t threads, access_bytes; /* of a block; of an access, by the values of a thread alone */
    union {
        ct_variant_args tiled;
        ct_staged_args best;
    } args; /* the kernel's argument, of kernel->args_bytes bytes */
    ct_dim3 grid, block;
    size_t shared_bytes;
    ct_matrix src, dst;
    ct_layout thr, val; /* which thread holds which element of a tile, in elements */
    int64_t tile_m, tile_n;
    int64_t block_m, block_n;         /* the extents of the matrix that a block copies */
    ct_copy_width_result load, store; /* what keeps either side narrow */
} ct_copy_launch;

/**
 * The launch that copies src to dst, both of one order, shape and element size, in tiles (tile_m,
 * tile_n), 0 for 64. load and store get the widths of accesses that fit the addresses. The best
 * copy has a fixed tile and accesses.
 *
 * Fails:   CT_E_ARGUMENT: an invalid matrix, a tile that is not a multiple of the block of the
 *          threads or too large for shared memory, more tiles than a grid holds.
 */
ct_status ct_copy_launch_make(ct_copy_launch *launch, const ct_copy_variant *variant,
                              const ct_matrix *src, const ct_matrix *dst, int64_t tile_m,
                              int64_t tile_n, char *message);

/** Along a mode of a matrix, the tiles that are run: `head` of them from the first on, then `head`
 *  that stand for `times` as many each, then the others. */
typedef struct ct_tiles_run {
    int64_t head, times;
    int64_t extent; /* of what they cover */
} ct_tiles_run;

/**
 * The part of a launch that has a tile of each kind: those whose addresses are congruent cost the
 * same. run[0]: along m; run[1]: along n.
 */
void ct_copy_launch_part(const ct_copy_launch *launch, ct_tiles_run run[2]);

/** One line on the reasons for a copy's cost. way: the passes through the banks, relative to the
 * minimum, of the instruction with the worst conflicts. */
void ct_compare_explain(ct_compare_result *result, const ct_copy_launch *launch, double way);

/** Of that, what the addresses of result->first say, after what stands in result->reason. */
void ct_compare_explain_load(ct_compare_result *result, double way);

#endif
