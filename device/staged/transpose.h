/**
 * Transposition inside a kernel: dst[c * dst_ld + r] = src[r * src_ld + c], tile by tile.
 *
 *     CT_STATIC(ct_transpose_tiling, tiling, ct_transpose_tiling_of(job));
 *     CT_SHARED_DYNAMIC(unsigned char, tile);
 *     ct_transpose(&tiling, &args, tile);
 *
 * A whole tile aligned to 16 bytes is copied by two partitions without bounds checks, and each
 * access to global memory has 16 bytes. Any other tile is skewed (copy_skew.h). No extent, leading
 * dimension or pointer makes a transpose fault.
 *
 * In a kernel:
 *           // out = in transposed, matrices (32,32) of floats: one tile of a block of 32 threads
 *           CT_STATIC(ct_transpose_tiling, tiling,
 *                     ct_transpose_tiling_of(ct_make_transpose_job(
 *                         4, 32, 32, 32, CT_TRANSPOSE_reg, 4, CT_TRANSPOSE_swizzled,
 *                         CT_TRANSPOSE_out, 0)));
 *           CT_SHARED(unsigned char, tile, ct_transpose_shared_bytes(tiling.job));
 *           const ct_transpose_args a = ct_make_transpose_args(in, out, 32, 32, 32, 32, 4);
 *           ct_transpose(&tiling, &a, tile);
 *           __syncthreads();
 *           for (int row = 0; row < 32; ++row) {
 *               float x = 0;
 *               ct_load_global(&x, out + 32 * row + threadIdx.x, 32);
 *               assert(x == (float)(32 * threadIdx.x + row));
 *           }
 * Source:   NVIDIA, PTX ISA 9.0, ld, st, cp.async and prmt.
 */
#ifndef CUTLET_DEVICE_STAGED_TRANSPOSE_H
#define CUTLET_DEVICE_STAGED_TRANSPOSE_H

#include <cutlet/device/copy/copy.h>
#include <cutlet/device/unaligned/copy_skew.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/staged/transpose_tiling.h>

/** @internal Transposes a whole, aligned tile through shared memory. */
CT_DEVICE void ct_transpose_whole(const ct_transpose_tiling *tiling, const ct_view from,
                                  const ct_view to, unsigned char *tile)
{
    const ct_view shared = ct_view_shared(tile);
    const ct_view in = ct_view_src(&tiling->in, from, threadIdx.x);
    const ct_view staged = ct_view_dst(&tiling->in, shared, threadIdx.x);
    if (tiling->job.staging == CT_TRANSPOSE_async) {
        ct_copy_by_async(&tiling->in, &in, &staged, CT_PATH_WHOLE);
        ct_cp_async_commit();
        ct_cp_async_wait_all();
    } else {
        ct_copy_whole(&tiling->in, &in, &staged);
    }
    __syncthreads();
    const ct_view back = ct_view_src(&tiling->out, shared, threadIdx.x);
    const ct_view out = ct_view_dst(&tiling->out, to, threadIdx.x);
    ct_copy_whole(&tiling->out, &back, &out);
}

/** @internal The tile of this block: its number along both axes. */
CT_DEVICE ct_index ct_transpose_tile_index(const ct_transpose_job *job)
{
    const int64_t group = (int64_t)blockIdx.z * gridDim.y + blockIdx.y;
    const int64_t other = (group << job->group_log2) | (blockIdx.x & ((1u << job->group_log2) - 1));
    const int64_t step = blockIdx.x >> job->group_log2;
    return job->sweep == CT_TRANSPOSE_out ? ct_index2(step, other) : ct_index2(other, step);
}

/**
 * Transposes the tile of this block in the grid of ct_transpose_grid_of, by all threads of the
 * block. tile: shared memory of ct_transpose_shared_bytes bytes, aligned to 16.
 *
 * Fails:    as its accesses: the CPU grid ends the launch at memory outside of the buffers.
 * Cost:     one barrier. A whole, aligned tile takes for each 16 bytes a load, an access to shared
 *           memory on either side, and a store; no bank conflicts. Each sector moves once. A thread
 *           transposes its values by byte permutations, or for 4 bytes and more by renaming.
 */
CT_DEVICE void ct_transpose(const ct_transpose_tiling *tiling, const ct_transpose_args *args,
                            unsigned char *tile)
{
    const ct_transpose_job *const job = &tiling->job;
    const ct_index x = ct_transpose_tile_index(job);
    const ct_global src = ct_global_along(args->src, 1, 8 * job->elem_bytes);
    const ct_global dst = ct_global_along(args->dst, 0, 8 * job->elem_bytes);
    const int64_t rows = src.extent[0] - x.at[0] * job->rows;
    const int64_t cols = src.extent[1] - x.at[1] * job->cols;
    const int skew = ct_transpose_is_skewed(*job);
    const int aligned = src.align >= 16 && dst.align >= 16;
    CT_REFUSE("transpose", ct_block_refusal(job->threads));
    if (rows <= 0 || cols <= 0) return;
    if (!skew && aligned && rows >= job->rows && cols >= job->cols) {
        ct_transpose_whole(tiling, ct_view_tile(&src, &tiling->in, x),
                           ct_view_tile(&dst, &tiling->out, x), tile);
    } else {
        const uint32_t mask = !skew && aligned ? 0 : CT_SECTOR_BYTES - 1;
        ct_copy_skewed_by(&tiling->skew, &src, &dst, x, tile, mask, skew);
    }
}

#define ct_transpose(...) CT_CALL(ct_transpose, __VA_ARGS__)

#endif
