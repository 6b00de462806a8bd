/**
 * What a kernel of the tiled copy does: a tile from global to shared memory and back, by the partitions
 * of variants.h.
 */
#ifndef CUTLET_DEVICE_KERNELS_COPY_VARIANT_H
#define CUTLET_DEVICE_KERNELS_COPY_VARIANT_H

#include "../copy.h"
#include "../copy_skew.h"
#include "../whole_tiles.h"
#include "variants.h"

/** Makes what was copied visible to the block. */
CT_DEVICE void ct_variant_arrive(const ct_partition *in)
{
    if (in->atom != CT_ATOM_UNIVERSAL) ct_cp_async_wait_all();
    __syncthreads();
}

/** The tile of this block, of a launch that has only whole ones. */
CT_DEVICE void ct_variant_whole(const ct_partition *in, const ct_partition *out,
                                const ct_variant_args *args, unsigned char *memory)
{
    const int32_t x = (int32_t)blockIdx.x, y = (int32_t)blockIdx.y;
    const ct_view tile = ct_view_shared(memory);
    ct_copy(in, ct_view_whole(in, &in->src, &args->src, args->step, x, y, threadIdx.x),
            ct_view_dst(in, tile, threadIdx.x));
    ct_variant_arrive(in);
    ct_copy(out, ct_view_src(out, tile, threadIdx.x),
            ct_view_whole(out, &out->dst, &args->dst, args->step, x, y, threadIdx.x));
}

/** Which tile of the matrix is this block's. */
CT_DEVICE ct_index ct_variant_tile_of(const int axis)
{
    const int64_t x = blockIdx.x, y = (int64_t)blockIdx.z * gridDim.y + blockIdx.y;
    return axis == 0 ? ct_index2(x, y) : ct_index2(y, x);
}

/** The kernel's own tile, anywhere. */
CT_DEVICE void ct_variant_any(const ct_partition *in, const ct_partition *out, const ct_skew *skew,
                              const ct_variant_args *args, unsigned char *memory)
{
    const ct_index at = ct_variant_tile_of(in->src.axis);
    if (in->src.width > 1 && args->is_skewed) {
        const ct_skew_tile t =
            ct_skew_tile_at(skew, &args->src, &args->dst, at, CT_SKEW_BYTES - 1);
        ct_copy_skew(skew, &t, memory, 1);
        return;
    }
    const ct_view from = ct_view_tile(&args->src, in, at), to = ct_view_tile(&args->dst, out, at);
    const ct_view tile = ct_view_shared(memory);
    ct_copy(in, ct_view_src(in, from, threadIdx.x), ct_view_dst(in, tile, threadIdx.x));
    ct_variant_arrive(in);
    ct_copy(out, ct_view_src(out, tile, threadIdx.x), ct_view_dst(out, to, threadIdx.x));
}

/** A tile of another size, in blocks that the threads cover at once: all in, then all out. */
CT_DEVICE void ct_variant_blocks(const ct_partition *in, const ct_partition *out,
                                 const ct_variant_args *args, unsigned char *memory)
{
    const ct_index at = ct_variant_tile_of(in->src.axis);
    const int64_t m = at.at[0] * args->tile_m, n = at.at[1] * args->tile_n;
    const int32_t tall = in->tile[0], wide = in->tile[1], bytes = ct_bytes_of(in, tall * wide);
    unsigned char *block = memory;
    CT_ROLL for (int32_t i = 0; i < args->tile_m; i += tall)
    CT_ROLL for (int32_t j = 0; j < args->tile_n; j += wide, block += bytes) {
        const ct_view from = ct_view_at(&args->src, in, ct_index2(m + i, n + j));
        ct_copy(in, ct_view_src(in, from, threadIdx.x),
                ct_view_dst(in, ct_view_shared(block), threadIdx.x));
    }
    ct_variant_arrive(in);
    block = memory;
    CT_ROLL for (int32_t i = 0; i < args->tile_m; i += tall)
    CT_ROLL for (int32_t j = 0; j < args->tile_n; j += wide, block += bytes) {
        const ct_view to = ct_view_at(&args->dst, out, ct_index2(m + i, n + j));
        ct_copy(out, ct_view_src(out, ct_view_shared(block), threadIdx.x),
                ct_view_dst(out, to, threadIdx.x));
    }
}

#endif
