/**
 * The work of the kernels of the tiled copy: a tile from global to shared memory and back, by the
 * partitions of variants.h.
 */
#ifndef CUTLET_DEVICE_KERNELS_COPY_VARIANT_H
#define CUTLET_DEVICE_KERNELS_COPY_VARIANT_H

#include <cutlet/device/copy/copy.h>
#include <cutlet/device/unaligned/copy_sectors.h>
#include "variants.h"

/** The number of strips of `out` in a tile of `in` along an axis. */
CT_FN int32_t ct_variant_strips(const ct_partition *in, const ct_partition *out, int axis)
{
    return in->tile[axis] / out->tile[axis];
}

/** Strip k of the tile in shared memory; strips are counted along the contiguous axis first. */
CT_DEVICE ct_view ct_variant_strip_at(const ct_partition *in, const ct_partition *out,
                                      unsigned char *memory, const int k)
{
    const int axis = out->dst.axis, n = ct_variant_strips(in, out, axis);
    const int along = k % n * out->tile[axis];
    const int across = k / n * out->tile[1 - axis] * in->tile[axis];
    return ct_view_shared(memory + ct_bytes_of(out, along + across));
}

/** The number of this block's tile in the matrix; `whole` launches have no blocks along z. */
CT_DEVICE ct_index ct_variant_tile_of(const int axis, const int whole)
{
    const int64_t x = blockIdx.x;
    const int64_t y = whole ? blockIdx.y : (int64_t)blockIdx.z * gridDim.y + blockIdx.y;
    return axis == 0 ? ct_index2(x, y) : ct_index2(y, x);
}

/** The view with the axis that the host has checked: the matrix is contiguous along it. */
CT_DEVICE ct_view ct_variant_view(ct_view v, const int axis)
{
    v.axis = axis;
    return v;
}

/** The same, with the alignment that the host has checked for launches that are not sector-aligned. */
CT_DEVICE ct_view ct_variant_aligned(ct_view v, const int axis)
{
    v.align = 32;
    return ct_variant_view(v, axis);
}

/** Stores strip k of tile `at`, when all threads have stored the tile or the strip before. */
CT_DEVICE void ct_variant_strip_out(const ct_partition *in, const ct_partition *out,
                                    const ct_global *dst, const ct_index at, unsigned char *memory,
                                    const int k)
{
    const int axis = in->src.axis;
    const int n = ct_variant_strips(in, out, axis), m = ct_variant_strips(in, out, 1 - axis);
    const int64_t along = at.at[axis] * n + k % n, across = at.at[1 - axis] * m + k / n;
    const ct_index strip = axis == 0 ? ct_index2(along, across) : ct_index2(across, along);
    __syncthreads();
    ct_copy(out, ct_variant_strip_at(in, out, memory, k),
            ct_variant_aligned(ct_view_tile(dst, out, strip), axis));
}

/** Copies the kernel's own tile if its accesses are aligned, or have one element; stores strip by strip.
 *  Unchecked partitions are for launches of whole tiles only. */
CT_DEVICE void ct_variant_tile_by(const ct_partition *in, const ct_partition *out,
                                  const ct_variant_args *args, unsigned char *memory)
{
    const int axis = in->src.axis;
    const int strips = ct_variant_strips(in, out, 0) * ct_variant_strips(in, out, 1);
    const ct_index at = ct_variant_tile_of(axis, in->unchecked);
    ct_global dst = args->dst;
    if (in->unchecked) dst.step[1 - axis] = args->src.step[1 - axis];
    ct_copy(in, ct_variant_aligned(ct_view_tile(&args->src, in, at), axis), ct_view_shared(memory));
    if (ct_atom_is_async(in->atom)) ct_cp_async_wait_all();
    if (in->unchecked)
        CT_UNROLL for (int k = 0; k < strips; ++k)
            ct_variant_strip_out(in, out, &dst, at, memory, k);
    else
        CT_ROLL for (int k = 0; k < strips; ++k) ct_variant_strip_out(in, out, &dst, at, memory, k);
}

/** Copies the kernel's own tile, aligned to the destination's sectors. */
CT_DEVICE void ct_variant_by_sectors(const ct_sector_copy *sector, const ct_variant_args *args,
                                     unsigned char *memory)
{
    ct_copy_sectors(sector, &args->src, &args->dst, ct_variant_tile_of(sector->inner, 0), memory);
}

/** The coordinate of row i and column j of this block's tile. */
CT_DEVICE ct_index ct_variant_block_at(const ct_variant_args *args, const int axis, int32_t i,
                                       int32_t j)
{
    const ct_index at = ct_variant_tile_of(axis, 0);
    return ct_index2(at.at[0] * args->tile_m + i, at.at[1] * args->tile_n + j);
}

/** Copies a tile of another size, in parts that the threads cover at once: loads all, then stores
 *  all. */
CT_DEVICE void ct_variant_blocks(const ct_partition *in, const ct_partition *out,
                                 const ct_variant_args *args, unsigned char *memory)
{
    const int32_t axis = in->src.axis, tall = in->tile[0], wide = in->tile[1];
    CT_ROLL for (int back = 0; back < 2; ++back)
    {
        CT_ROLL for (int32_t i = 0; i < args->tile_m; i += tall)
            CT_ROLL for (int32_t j = 0; j < args->tile_n; j += wide)
        {
            const ct_index at = ct_variant_block_at(args, axis, i, j);
            const ct_view block =
                ct_view_shared(memory + ct_bytes_of(in, i * args->tile_n + j * tall));
            const ct_view from = ct_variant_view(ct_view_at(&args->src, in, at), axis);
            const ct_view to = ct_variant_view(ct_view_at(&args->dst, out, at), axis);
            if (back) ct_copy(out, block, to);
            else ct_copy(in, from, block);
        }
        if (!back && ct_atom_is_async(in->atom)) ct_cp_async_wait_all();
        if (!back) __syncthreads();
    }
}

#endif
