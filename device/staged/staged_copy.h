/**
 * Copies between global tensors through shared memory, tile by tile: lines, and transposes.
 *
 *     CT_STATIC(ct_staged_copy, copy, ct_make_staged_copy(job));   staged_job.h
 *     CT_SHARED_DYNAMIC(unsigned char, tile);                      ct_staged_shared_bytes(job)
 *     ct_copy_staged(&copy, &args, tile);
 *
 * A whole tile aligned to 16 bytes is copied by two partitions without bounds checks, and each
 * access to global memory has 16 bytes. Any other tile is sector-aligned (copy_sectors.h). No extent, leading
 * dimension or pointer makes a copy fault.
 *
 * A line is the fastest known tiled copy: a thread loads its bytes into the tile, waits only for
 * its own loads, and stores them. No thread waits for another one, so a block leaves its
 * multiprocessor as soon as possible. Consecutive blocks access consecutive memory, as a plain copy does.
 *
 * In a kernel:
 *           // out = in transposed, matrices (32,32) of floats: one tile of a block of 32 threads
 *           CT_STATIC(ct_staged_copy, copy,
 *                     ct_make_staged_copy(
 *                         ct_make_staged_job(4, 32, 32, 32, CT_STAGED_reg, 4, CT_STAGED_swizzled,
 *                                            CT_STAGED_out, 0)));
 *           CT_SHARED(unsigned char, tile, ct_staged_shared_bytes(copy.job));
 *           const ct_staged_args a = ct_make_transpose_args(in, out, 32, 32, 32, 32, 4);
 *           ct_copy_staged(&copy, &a, tile);
 *           __syncthreads();
 *           for (int row = 0; row < 32; ++row) {
 *               float x = 0;
 *               ct_load_global(&x, out + 32 * row + threadIdx.x, 32);
 *               assert(x == (float)(32 * threadIdx.x + row));
 *           }
 *           // rows of 30 floats, one element further in the destination; tiles of 512 bytes
 *           CT_STATIC(ct_staged_copy, line,
 *                     ct_make_staged_copy(ct_make_line_job(CT_STAGED_async, 32, 1)));
 *           const ct_staged_args b = ct_make_line_args(in, out + 1, 32, 32, 30, 32, 4);
 *           for (int row = 0; row < 32; ++row) {
 *               __syncthreads(); // the tile is used again
 *               ct_copy_staged_tile(&line, &b, ct_index2(0, row), tile);
 *           }
 *           __syncthreads();
 *           for (int row = 0; row < 32; ++row) {
 *               float x = 0;
 *               const int i = (int)threadIdx.x;
 *               ct_load_global(&x, out + 32 * row + i, 32);
 *               assert(i == 0 || i == 31 || x == (float)(32 * row + i - 1));
 *           }
 * Used by:  tests/copy/test_best_copy.c
 * Source:   NVIDIA, PTX ISA 9.0, ld, st, cp.async and prmt.
 */
#ifndef CUTLET_DEVICE_STAGED_STAGED_COPY_H
#define CUTLET_DEVICE_STAGED_STAGED_COPY_H

#include <cutlet/device/copy/copy.h>
#include <cutlet/device/unaligned/copy_sectors.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/staged/staged_job.h>

/** @internal A view of a tile that is whole, at addresses aligned for every access: copies of it
 *  check nothing. */
CT_DEVICE ct_view ct_view_checked(ct_view v)
{
    v.whole = 1;
    v.align = 32;
    return v;
}

/** @internal Copies a tile that a partition loads into shared memory, and another stores from there.
 *  own: each thread reads back what it wrote itself, so that there is no barrier. */
CT_DEVICE void ct_copy_through(const ct_partition *in, const ct_partition *out, const ct_view from,
                               const ct_view to, void *tile, const int own)
{
    ct_copy(in, from, ct_view_shared(tile));
    if (ct_atom_is_async(in->atom)) ct_cp_async_wait_all();
    if (!own) __syncthreads();
    ct_copy(out, ct_view_shared(tile), to);
}

/**
 * Copies tile x by all threads of a block, with at most one barrier. tile: shared memory of
 * ct_staged_shared_bytes bytes, aligned to 16. A second call needs a barrier before it.
 *
 * Fails:    as its accesses: the CPU grid ends the launch at memory outside of the buffers. It also
 *           does at a race, if a second call has no barrier before it.
 * Cost:     a whole, aligned tile takes for each 16 bytes a load, an access to shared memory on
 *           either side, and a store; no bank conflicts. Each sector moves once. A thread
 *           transposes its values by byte permutations, or for 4 bytes and more by renaming. A sector-aligned tile may
 *           touch one sector more in each row.
 */
CT_DEVICE void ct_copy_staged_tile(const ct_staged_copy *K, const ct_staged_args *args,
                                   const ct_index x, unsigned char *tile)
{
    const ct_staged_job *const job = &K->job;
    const ct_global src = ct_global_along(args->src, K->sector.inner, 8 * job->elem_bytes);
    const ct_global dst = ct_global_along(args->dst, K->sector.along, 8 * job->elem_bytes);
    CT_REFUSE("staged copy", ct_block_refusal(job->threads));
    CT_REFUSE("staged copy", ct_index_refusal(x.at, 2, 0));
    const int64_t rows = src.extent[0] - x.at[0] * job->rows;
    const int64_t cols = src.extent[1] - x.at[1] * job->cols;
    const int sectored = ct_staged_by_sectors(*job), own = job->shared == CT_STAGED_line;
    const int aligned = !sectored && src.align >= 16 && dst.align >= 16;
    if (rows <= 0 || cols <= 0) return;
    if (aligned && rows >= job->rows && cols >= job->cols) {
        ct_copy_through(&K->in, &K->out, ct_view_checked(ct_view_tile(&src, &K->in, x)),
                        ct_view_checked(ct_view_tile(&dst, &K->out, x)), tile, own);
    } else {
        ct_copy_sectors_by(&K->sector, &src, &dst, x, tile, aligned ? 0 : CT_SECTOR_BYTES - 1,
                           sectored || own);
    }
}

/**
 * Copies the tile of this block in the grid of ct_staged_grid_of.
 * Fails:    as ct_copy_staged_tile.
 * Cost:     as ct_copy_staged_tile.
 */
CT_DEVICE void ct_copy_staged(const ct_staged_copy *K, const ct_staged_args *args,
                              unsigned char *tile)
{
    const int32_t group = K->job.group_log2;
    const int64_t other = ((int64_t)blockIdx.z * gridDim.y + blockIdx.y) << group;
    const int64_t near = blockIdx.x & ((1u << group) - 1), step = blockIdx.x >> group;
    const ct_index x = K->job.sweep == CT_STAGED_out ? ct_index2(step, other | near)
                                                     : ct_index2(other | near, step);
    ct_copy_staged_tile(K, args, x, tile);
}

/** The kernel of a job. */
#define CT_STAGED_KERNEL(name, threads, blocks, ...)                                               \
    CT_KERNEL_RESIDENT(name, threads, blocks, ct_staged_args, args)                                \
    {                                                                                              \
        CT_STATIC(ct_staged_copy, copy, ct_make_staged_copy(__VA_ARGS__));                         \
        CT_SHARED_DYNAMIC(unsigned char, tile);                                                    \
        ct_copy_staged(&copy, &args, tile);                                                        \
    }

#define ct_copy_through(...) CT_CALL(ct_copy_through, __VA_ARGS__)
#define ct_copy_staged_tile(...) CT_CALL(ct_copy_staged_tile, __VA_ARGS__)
#define ct_copy_staged(...) CT_CALL(ct_copy_staged, __VA_ARGS__)

#endif
