/**
 * The fastest known tiled copy: global -> shared -> global, by 16-byte accesses.
 *
 * The tile is part of one row (of one column, for column-major data): 16 bytes for each access of
 * each thread. A thread loads its bytes into the tile, waits only for its own loads, and stores
 * them. No thread waits for another one, so a block leaves its multiprocessor as soon as possible.
 * Consecutive blocks access consecutive memory, as a plain copy does.
 *
 * Both sides are tensors of bytes, (inner, outer), so that one kernel serves every type and both
 * orders. A tile that is not aligned to 16 bytes, or that the end of its row cuts off, is copied as
 * a skewed tile (copy_skew.h). No extent, leading dimension or pointer makes the copy fault.
 *
 * In C:     // the host: 30 of 32 floats of each row, for blocks of 128 threads, 4 accesses each
 *           static float src[1000 * 32], dst[1000 * 32];
 *           const ct_best_copy_args args = ct_make_best_copy_args(src, dst, 32, 32, 30, 1000, 4);
 *           const ct_best_copy_grid grid = ct_best_copy_grid_of(&args, 128, 4);
 *           assert(args.src.err.status == CT_OK && args.dst.err.status == CT_OK);
 *           assert(grid.x == 1 && grid.y == 1000 && grid.z == 1); // a tile of 8192 bytes each
 *           assert(ct_best_copy_shared_bytes(128, 4) == 8208);
 * In a kernel:
 *           // rows of 30 floats, one element further in the destination; tiles of 512 bytes
 *           CT_STATIC(ct_best_copy_tiling, tiling,
 *                     ct_best_copy_tiling_of(CT_BEST_COPY_async, 32, 1));
 *           CT_SHARED(unsigned char, tile, ct_best_copy_shared_bytes(32, 1));
 *           const ct_best_copy_args a = ct_make_best_copy_args(in, out + 1, 32, 32, 30, 32, 4);
 *           ct_best_copy(&tiling, &a, tile); // block (0,0,0): row 0
 *           for (int row = 1; row < 32; ++row) {
 *               __syncthreads(); // the tile is used again
 *               ct_best_copy_tile(&tiling, &a, ct_index2(0, row), tile);
 *           }
 *           __syncthreads();
 *           for (int row = 0; row < 32; ++row) {
 *               float x = 0;
 *               const int i = (int)threadIdx.x, is_copied = 1 <= i && i <= 30;
 *               ct_load_global(&x, out + 32 * row + i, 32);
 *               assert(x == (is_copied ? (float)(32 * row + i - 1) : 0.0f));
 *           }
 * Used by:  tests/copy/test_best_copy.c
 * Source:   NVIDIA, PTX ISA 9.0, ld, st and cp.async.
 */
#ifndef CUTLET_DEVICE_STAGED_BEST_COPY_H
#define CUTLET_DEVICE_STAGED_BEST_COPY_H

#include <cutlet/device/copy/copy.h>
#include <cutlet/device/unaligned/copy_skew.h>
#include <cutlet/device/kernel/static.h>

/** How tiles are loaded: by cp.async, or by loads into registers. */
enum { CT_BEST_COPY_async, CT_BEST_COPY_reg };

/** The arguments of the copy: tensors of bytes, contiguous along axis 0. */
typedef struct ct_best_copy_args {
    ct_global src, dst;
} ct_best_copy_args;

/**
 * The arguments for a matrix of `outer` rows of `inner` elements of elem_bytes bytes, at any
 * addresses. src_ld and dst_ld: elements from one row to the next. Rows without gaps on both sides
 * become one row. Columns are copied as rows of the transposed matrix.
 *
 * Fails:    .src.err, .dst.err as ct_make_global, also for an extent below 1.
 * Cost:     O(1), no allocation; the host calls it.
 */
CT_FN ct_best_copy_args ct_make_best_copy_args(const void *src, void *dst, int64_t src_ld,
                                               int64_t dst_ld, int64_t inner, int64_t outer,
                                               int32_t elem_bytes)
{
    ct_best_copy_args args = CT_ZERO;
    const int one = src_ld == inner && dst_ld == inner;
    const int64_t bytes = inner * elem_bytes * (one ? outer : 1), rows = one ? outer > 0 : outer;
    args.src = ct_make_global(src, 8, ct_layout2(bytes, rows, 1, src_ld * elem_bytes));
    args.dst = ct_make_global(dst, 8, ct_layout2(bytes, rows, 1, dst_ld * elem_bytes));
    args.src.axis = args.dst.axis = 0; /* even if a row is one byte */
    return args;
}

/** The constants of a kernel: two partitions of a tile of (bytes, 1), and the skewed tile. */
typedef struct ct_best_copy_tiling {
    ct_error err;
    ct_partition in, out;
    ct_skew skew;
} ct_best_copy_tiling;

/**
 * The tile and its threads: a tiled copy of `threads` threads along a row, each with `accesses`
 * accesses of 16 bytes. how: CT_BEST_COPY_async or CT_BEST_COPY_reg.
 *
 * Fails:    .err as ct_make_partition, when a thread has too many accesses.
 * Cost:     that of two partitions, O(values of a thread); a constant in a kernel.
 */
CT_FN ct_best_copy_tiling ct_best_copy_tiling_of(int how, int32_t threads, int32_t accesses)
{
    ct_best_copy_tiling p = CT_ZERO;
    const int32_t bytes = 16 * threads * accesses;
    const ct_layout thr = ct_layout1(threads, 1), val = ct_layout1(16, 1);
    const ct_tuple tile = ct_tuple2(bytes, 1);
    const ct_memory shared =
        ct_in_shared(ct_make_swizzled(ct_swizzle_none(), 0, ct_layout2(bytes, 1, 1, 0)));
    const ct_copy_atom async = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 8);
    const ct_copy_atom any = ct_copy_atom_auto(8);
    p.in = ct_make_partition(ct_make_tiled_copy(how == CT_BEST_COPY_async ? async : any, thr, val),
                             tile, ct_in_global(0), shared);
    p.out = ct_make_partition(ct_make_tiled_copy(any, thr, val), tile, shared, ct_in_global(0));
    p.skew = ct_make_skew(1, bytes, 1, threads, 0, 0, 16);
    p.err = p.in.err.status ? p.in.err : p.out.err.status ? p.out.err : p.skew.err;
    return p;
}

/**
 * The dynamic shared memory of a launch in bytes: the tile, and 16 bytes for a skewed tile.
 * Cost:     O(1), no allocation, host and device.
 */
CT_FN int32_t ct_best_copy_shared_bytes(int32_t threads, int32_t accesses)
{
    return 16 * (threads * accesses + 1);
}

/** Blocks of a launch; x = 0 if there is nothing to copy. */
typedef struct ct_best_copy_grid {
    uint32_t x, y, z;
} ct_best_copy_grid;

/**
 * The grid: x goes along a row; y and z go from row to row, y fastest.
 *
 * Fails:    x = 0 if the matrix is empty, or has more tiles than a grid has blocks.
 * Cost:     O(1), no allocation; the host calls it.
 */
CT_FN ct_best_copy_grid ct_best_copy_grid_of(const ct_best_copy_args *args, int32_t threads,
                                             int32_t accesses)
{
    ct_best_copy_grid g = CT_ZERO;
    const int64_t inner = args->src.extent[0], outer = args->src.extent[1];
    if (inner < 1 || outer < 1) return g;
    const int64_t x = ct_ceil_div_int(inner, 16 * (int64_t)threads * accesses);
    const int64_t z = ct_ceil_div_int(outer, 65535);
    if (x > INT32_MAX || z > 65535) return g;
    g.x = (uint32_t)x;
    g.y = (uint32_t)ct_ceil_div_int(outer, z);
    g.z = (uint32_t)z;
    return g;
}

/** @internal Copies a whole, aligned tile through shared memory: each thread its own bytes. */
CT_DEVICE void ct_best_copy_whole(const ct_best_copy_tiling *tiling, const ct_view from,
                                  const ct_view to, unsigned char *tile)
{
    const ct_view shared = ct_view_shared(tile);
    const ct_view in = ct_view_src(&tiling->in, from, threadIdx.x);
    const ct_view own = ct_view_dst(&tiling->in, shared, threadIdx.x);
    const ct_view out = ct_view_dst(&tiling->out, to, threadIdx.x);
    if (tiling->in.atom == CT_ATOM_CP_ASYNC_CG) {
        ct_copy_by_async(&tiling->in, &in, &own, CT_PATH_WHOLE);
        ct_cp_async_wait_all();
    } else {
        ct_copy_whole(&tiling->in, &in, &own);
    }
    ct_copy_whole(&tiling->out, &own, &out);
}

/**
 * Copies tile x by all threads of a block, with at most one barrier. tile: shared memory of
 * ct_best_copy_shared_bytes bytes, aligned to 16. x: the tile along a row, and the row.
 *
 * Fails:    as its accesses: the CPU grid ends the launch at memory outside of the buffers. It also
 *           does at a race, if a second call has no barrier before it.
 * Cost:     for each 16 bytes of a whole, aligned tile a cp.async, a load from shared memory and a
 *           store, without a barrier; each sector moves once. A skewed tile has one barrier, and
 *           its loads may touch one sector more in each row.
 */
CT_DEVICE void ct_best_copy_tile(const ct_best_copy_tiling *tiling, const ct_best_copy_args *args,
                                 ct_index x, unsigned char *tile)
{
    const ct_global src = ct_global_along(args->src, 0, 8), dst = ct_global_along(args->dst, 0, 8);
    CT_REFUSE("copy", ct_block_refusal(tiling->in.threads));
    CT_REFUSE("copy", ct_index_refusal(x.at, 2, 0));
    const ct_view from = ct_view_tile(&src, &tiling->in, x);
    const int aligned = src.align >= 16 && dst.align >= 16;
    if (from.left[1] <= 0) return;
    if (aligned && from.whole) {
        ct_best_copy_whole(tiling, from, ct_view_tile(&dst, &tiling->out, x), tile);
    } else {
        const uint32_t mask = aligned ? 0 : CT_SECTOR_BYTES - 1;
        ct_copy_skewed_by(&tiling->skew, &src, &dst, x, tile, mask, 1);
    }
}

/**
 * Copies the tile of this block in the grid of ct_best_copy_grid_of.
 * Fails:    as ct_best_copy_tile.
 * Cost:     as ct_best_copy_tile.
 */
CT_DEVICE void ct_best_copy(const ct_best_copy_tiling *tiling, const ct_best_copy_args *args,
                            unsigned char *tile)
{
    const int64_t row = (int64_t)blockIdx.z * gridDim.y + blockIdx.y;
    ct_best_copy_tile(tiling, args, ct_index2(blockIdx.x, row), tile);
}

#define ct_best_copy_tile(...) CT_CALL(ct_best_copy_tile, __VA_ARGS__)
#define ct_best_copy(...) CT_CALL(ct_best_copy, __VA_ARGS__)

#endif
