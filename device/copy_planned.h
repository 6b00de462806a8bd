/**
 * The tiled copy inside a kernel: a tile from global to shared memory and back, as a plan says.
 *
 *     const ct_copy_place place = ct_copy_place_of(&plan, &args);
 *     ct_copy_in(&plan, &args, place, tile);
 *     ct_cp_async_commit();
 *     ct_cp_async_wait_all();
 *     __syncthreads();
 *     ct_copy_out(&plan, &args, place, tile);
 *
 * A tile that lies whole inside the matrix, at addresses that the plan's access width divides,
 * takes the short way (copy_short.h): nothing is tested, all steps are constants, as many loads as
 * the registers hold are under way at once. Where the addresses do not fit, the accesses are cut
 * out of aligned ones, as wide (copy_cut.h): they go through registers, cp.async or not. A tile at
 * an edge takes the careful way (copy_careful.h): as wide as its addresses allow, whole accesses
 * where they fit, elements at the edge, zeros in the shared tile behind it. No extent, leading
 * dimension or pointer makes any of them fault.
 */
#ifndef CUTLET_DEVICE_COPY_PLANNED_H
#define CUTLET_DEVICE_COPY_PLANNED_H

#include "copy_careful.h"
#include "copy_cut.h"
#include "copy_short.h"

/** Whether the accesses of a tile inside the matrix have to be cut out of two of the source, which
 *  the matrix holds as well. */
CT_DEVICE int ct_copy_in_is_cut(const ct_tile_plan *plan, const ct_copy_args *args,
                                const ct_copy_place place)
{
    const int32_t more = plan->access_bytes / plan->elem_bytes;
    return args->src_bytes < plan->access_bytes && ct_copy_cut_fits(plan, args, place, 0) &&
           (place.inner > 0 || place.outer > 0) &&
           (place.inner + plan->tile_inner + more <= args->inner ||
            place.outer + plan->tile_outer < args->outer);
}

/** The block's tile from global to shared memory. cp.async is neither committed nor waited for. */
CT_DEVICE void ct_copy_in(const ct_tile_plan *plan, const ct_copy_args *args,
                          const ct_copy_place place, unsigned char *tile)
{
    if (place.whole && args->src_bytes == plan->access_bytes &&
        ct_copy_is_short(plan, args->src_ld))
        ct_copy_in_whole(plan, ct_copy_global_of(plan, args->src, args->src_ld, place), tile);
    else if (ct_copy_is_by_element(plan, args) && ct_copy_is_short(plan, args->src_ld))
        ct_copy_in_registers(plan, tile + ct_copy_shared_start(plan),
                             ct_copy_global_of(plan, args->src, args->src_ld, place), 1,
                             ct_copy_left_of(plan, args, place));
    else if (plan->access_bytes > plan->elem_bytes && ct_copy_in_is_cut(plan, args, place))
        ct_copy_in_cut(plan, tile + ct_copy_shared_start(plan),
                       ct_copy_walk_of(plan, args, place, 0, 0));
    else ct_copy_planned_careful(plan, 1, args, place, tile);
}

/** The block's tile from shared to global memory. */
CT_DEVICE void ct_copy_out(const ct_tile_plan *plan, const ct_copy_args *args,
                           const ct_copy_place place, unsigned char *tile)
{
    if (place.whole && args->dst_bytes == plan->access_bytes &&
        ct_copy_is_short(plan, args->dst_ld)) {
        ct_copy_out_whole(plan, ct_copy_global_of(plan, args->dst, args->dst_ld, place), tile);
    } else if (ct_copy_is_by_element(plan, args) && ct_copy_is_short(plan, args->dst_ld)) {
        ct_copy_out_registers(plan, ct_copy_global_of(plan, args->dst, args->dst_ld, place),
                              tile + ct_copy_shared_start(plan), 1,
                              ct_copy_left_of(plan, args, place));
    } else if (plan->access_bytes > plan->elem_bytes && args->dst_bytes < plan->access_bytes &&
               ct_copy_cut_fits(plan, args, place, 1)) {
        const int64_t ld_bytes = args->dst_ld * plan->elem_bytes;
        ct_copy_out_cut(plan, ct_copy_walk_of(plan, args, place, 1, 0),
                        tile + ct_copy_shared_start(plan));
        ct_copy_out_ends(plan, (unsigned char *)args->dst + place.outer * ld_bytes +
                                   place.inner * plan->elem_bytes, ld_bytes, tile);
    } else {
        ct_copy_planned_careful(plan, 0, args, place, tile);
    }
}

#endif
