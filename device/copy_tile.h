/**
 * The whole work of a block that copies one tile: global -> shared -> global.
 *
 *     args.whole_ld_bytes = ct_copy_whole_ld(&plan, &args);       on the host
 *     ct_copy_tile(&plan, &args, tile);                           in the kernel
 *
 * Where the host promises that every tile is whole, no thread looks for an edge, and addresses are
 * made of 32-bit numbers. Otherwise each block finds its way: where all addresses fit as copy.h
 * says, else as copy_skewed.h does.
 */
#ifndef CUTLET_DEVICE_COPY_TILE_H
#define CUTLET_DEVICE_COPY_TILE_H

#include "copy_planned.h"
#include "copy_skewed.h"

/**
 * The leading dimension of both sides in bytes, when every tile of a launch is whole, of the plan's
 * size, and allows the plan's access; and when rows, columns and that number fit 31 bits. Else 0.
 *
 * Example:  half, 16384 x 16384 without gaps, tiles of 64 x 64: 32768; one column less: 0
 */
CT_FN int32_t ct_copy_whole_ld(const ct_tile_plan *plan, const ct_copy_args *args)
{
    const int same = args->src_ld == args->dst_ld && args->tile_inner == plan->tile_inner &&
                     args->tile_outer == plan->tile_outer &&
                     args->src_bytes == plan->access_bytes && args->dst_bytes == plan->access_bytes;
    const int short_ld = ct_copy_is_short(plan, args->src_ld) && args->inner <= args->src_ld;
    if (!same || !short_ld || args->outer > 65535 * (int64_t)plan->tile_outer) return 0;
    if (args->inner % plan->tile_inner || args->outer % plan->tile_outer) return 0;
    return (int32_t)args->src_ld * plan->elem_bytes;
}

/** Whether tiles are not skewed: the plan's accesses are of one element, which fits any address; or
 *  fit all addresses, and no two tiles share a sector of the destination. The same for all
 *  blocks. */
CT_DEVICE int ct_copy_is_aligned(const ct_tile_plan *plan, const ct_copy_args *args)
{
    const uint32_t dst = (uint32_t)(uintptr_t)args->dst |
                         (uint32_t)args->dst_ld * (uint32_t)plan->elem_bytes;
    const uint32_t skew = ct_copy_skew_of(args->tile_inner * plan->elem_bytes);
    return plan->access_bytes == plan->elem_bytes ||
           (args->src_bytes == plan->access_bytes && args->dst_bytes == plan->access_bytes &&
            (dst & skew) == 0);
}

/** Makes what was copied visible to the block. */
CT_DEVICE void ct_copy_arrive(const ct_tile_plan *plan)
{
    if (plan->atom != CT_ATOM_UNIVERSAL) ct_cp_async_wait_all();
    __syncthreads();
}

/** The tile of this block, of a launch that has only whole ones. */
CT_DEVICE void ct_copy_tile_whole(const ct_tile_plan *plan, const ct_copy_args *args,
                                  unsigned char *tile)
{
    const int32_t x = (int32_t)blockIdx.x, y = (int32_t)blockIdx.y, ld_bytes = args->whole_ld_bytes;
    const int32_t along = x * plan->tile_inner + ct_copy_start(&plan->thread_inner);
    const int32_t row = y * plan->tile_outer + ct_copy_start(&plan->thread_outer);
    const int64_t at = (int64_t)row * ld_bytes + along * plan->elem_bytes;
    const ct_copy_global src = {(unsigned char *)args->src + at, ld_bytes};
    const ct_copy_global dst = {(unsigned char *)args->dst + at, ld_bytes};
    ct_copy_in_whole(plan, src, tile);
    ct_copy_arrive(plan);
    ct_copy_out_whole(plan, dst, tile);
}

/** Copies the tile of this block, of any size, anywhere. */
CT_DEVICE void ct_copy_tile(const ct_tile_plan *plan, const ct_copy_args *args, unsigned char *tile)
{
    if (args->whole_ld_bytes) {
        ct_copy_tile_whole(plan, args, tile);
        return;
    }
    const ct_copy_place place = ct_copy_place_of(plan, args);
    if (ct_copy_is_aligned(plan, args)) {
        ct_copy_args fits = *args;
        fits.src_bytes = fits.dst_bytes = plan->access_bytes; /* constants */
        ct_copy_in(plan, &fits, place, tile);
        ct_copy_arrive(plan);
        ct_copy_out(plan, &fits, place, tile);
    } else {
        ct_copy_skewed_tile(plan, args, place, tile);
    }
}

#define ct_copy_arrive(...) CT_CALL(ct_copy_arrive, __VA_ARGS__)
#define ct_copy_tile(...) CT_CALL(ct_copy_tile, __VA_ARGS__)
#define ct_copy_tile_whole(...) CT_CALL(ct_copy_tile_whole, __VA_ARGS__)

#endif
