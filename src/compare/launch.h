/**
 * The kernels of the tiled copy on the CPU grid, and what it takes to launch them.
 */
#ifndef CUTLET_SRC_COMPARE_LAUNCH_H
#define CUTLET_SRC_COMPARE_LAUNCH_H

#include <cutlet/device/staged/best_copy.h>
#include <cutlet/copy/copy_width.h>
#include <cutlet/host/compare.h>
#include <cutlet/host/grid.h>
#include "kernels/variants.h"

typedef struct ct_copy_launch {
    const ct_grid_kernel *kernel;
    int32_t threads, access_bytes; /* of a block; of an access, by the values of a thread alone */
    union {
        ct_variant_args tiled;
        ct_best_copy_args best;
    } args; /* what the kernel is told, kernel->args_bytes of it */
    ct_dim3 grid, block;
    size_t shared_bytes;
    ct_matrix src, dst;
    ct_layout thr, val; /* which thread holds which element of a tile, in elements */
    int64_t tile_m, tile_n;
    ct_copy_width_result load, store; /* what keeps either side narrow */
} ct_copy_launch;

/**
 * The launch that copies src to dst, both of one order, shape and element size, in tiles
 * (tile_m, tile_n), 0 for 64. load and store tell how wide accesses would be if they had to fit the
 * addresses; the best copy has a tile and accesses of its own.
 *
 * Fails:   CT_E_ARGUMENT: an invalid matrix, a tile that is not a multiple of the block of the
 *          threads or too large for shared memory, more tiles than a grid holds.
 */
ct_status ct_copy_launch_make(ct_copy_launch *launch, const ct_copy_variant *variant,
                              const ct_matrix *src, const ct_matrix *dst, int64_t tile_m,
                              int64_t tile_n, char *message);

/** One line on why a copy costs what it costs; way: passes through the banks for each one that would
 *  do, of the instruction that has the worst conflicts. */
void ct_compare_explain(ct_compare_result *result, const ct_copy_launch *launch, double way);

#endif
