/**
 * A copy of matrices through shared memory, tile by tile: its partitions as constants of a kernel, and
 * the arguments of its launch.
 *
 * A job has the numbers. A copy of lines goes between two tensors of bytes, contiguous along axis 0.
 * The tile is part of one line, and each thread reads back the bytes that it wrote itself. A
 * transpose goes between two tensors of one shape, the source contiguous along axis 1, the
 * destination along axis 0. Its tile is stored as lines in shared memory. One of its sides runs
 * along the lines, 16 bytes of a line at a time. The other runs across them: its 16 bytes have one
 * element of each line of a run, which is several neighbouring lines. A thread transposes a small
 * block in registers:
 *
 *     staging    lines are   the block is turned
 *     reg        columns     between the load from global memory and the store to the tile
 *     async      rows        between the load from the tile and the store to global memory
 *     sector       rows        nowhere: elements are gathered one by one (copy_sectors.h)
 *
 * Across the lines a quarter warp accesses 8 runs of lines, all at the same position. They would
 * have bank conflicts; so the tile is swizzled, or padded by 16 bytes after each run. Both are
 * layouts:
 *
 *     swizzled   Sw<3,4,s> o (elems,lines):(elem_bytes,line_bytes), s from the run to the 16 bytes
 *     padded     (elems,(run,lines/run)):(elem_bytes,(line_bytes,run*line_bytes+16))
 *
 * Cost:     O(1), no allocation, host and device.
 * In C:     // tiles of 64 x 64 halves by 256 threads, for a matrix of 1000 x 300
 *           static uint16_t src[1000 * 300], dst[300 * 1000];
 *           const ct_staged_job job = ct_make_staged_job(
 *               2, 64, 64, 256, CT_STAGED_reg, 2, CT_STAGED_padded, CT_STAGED_out, 0);
 *           const ct_staged_copy copy = ct_make_staged_copy(job); // a kernel's constant
 *           const ct_staged_args args =
 *               ct_make_transpose_args(src, dst, 300, 1000, 1000, 300, 2);
 *           const ct_staged_grid grid = ct_staged_grid_of(job, 1000, 300);
 *           assert(copy.err.status == CT_OK && !ct_staged_by_sectors(job));
 *           assert(args.src.err.status == CT_OK && args.dst.axis == 0);
 *           assert(grid.x == 16 && grid.y == 5 && grid.z == 1); // along n of dst, then across
 *           assert(ct_staged_shared_bytes(job) >= 64 * 64 * 2);
 *           // 150 of 300 halves of each row, by blocks of 32 threads with 4 accesses each
 *           const ct_staged_args lines = ct_make_line_args(src, dst, 300, 300, 150, 1000, 2);
 *           const ct_staged_job line = ct_make_line_job(CT_STAGED_async, 32, 4);
 *           const ct_staged_grid parts = ct_staged_grid_of(line, 300, 1000); // of bytes
 *           assert(lines.src.err.status == CT_OK && lines.src.extent[0] == 300);
 *           assert(parts.x == 1 && parts.y == 1000 && parts.z == 1);
 *           assert(ct_staged_shared_bytes(line) == 2064);
 */
#ifndef CUTLET_DEVICE_STAGED_STAGED_JOB_H
#define CUTLET_DEVICE_STAGED_STAGED_JOB_H

#include <cutlet/device/unaligned/sector_plan.h>
#include <cutlet/device/tensor/global.h>

enum { CT_STAGED_reg, CT_STAGED_async, CT_STAGED_sector };

/** The tile in shared memory: of a transpose, or of a line that each thread reads back itself. */
enum { CT_STAGED_swizzled, CT_STAGED_padded, CT_STAGED_line };

/** The order of blocks: consecutive in the destination (out) or in the source (in). */
enum { CT_STAGED_out, CT_STAGED_in };

/** The parameters of a tiling. Extents are in elements, powers of two. */
typedef struct ct_staged_job {
    int32_t elem_bytes;
    int32_t rows, cols; /* of the tile, in the source */
    int32_t threads;
    int32_t staging; /* CT_STAGED_reg, _async or _sector */
    int32_t block;   /* elements of each line in a thread's block; if sector-aligned, of a chunk */
    int32_t shared;  /* CT_STAGED_swizzled, _padded or _line; sector-aligned tiles are padded */
    int32_t sweep;   /* CT_STAGED_out or CT_STAGED_in ... */
    int32_t group_log2; /* ... over groups of 2^group_log2 neighbouring tiles */
} ct_staged_job;

/** The constants of a kernel. A sector-aligned job has no partitions. */
typedef struct ct_staged_copy {
    ct_error err;
    ct_staged_job job;
    ct_partition in, out;
    ct_sector_copy sector; /* for tiles and addresses that do not fit the partitions */
} ct_staged_copy;

/** The job from its numbers, in the order of ct_staged_job; ct_make_staged_copy checks
 *  them. */
CT_FN ct_staged_job ct_make_staged_job(int32_t elem_bytes, int32_t rows, int32_t cols,
                                       int32_t threads, int32_t staging, int32_t block,
                                       int32_t shared, int32_t sweep, int32_t group_log2)
{
    ct_staged_job job = CT_ZERO;
    job.elem_bytes = elem_bytes;
    job.rows = rows;
    job.cols = cols;
    job.threads = threads;
    job.staging = staging;
    job.block = block;
    job.shared = shared;
    job.sweep = sweep;
    job.group_log2 = group_log2;
    return job;
}

/** The job of a copy of lines of bytes: 16 bytes for each access of each thread. staging:
 *  CT_STAGED_async or CT_STAGED_reg. Threads wait only for their own loads. */
CT_FN ct_staged_job ct_make_line_job(int32_t staging, int32_t threads, int32_t accesses)
{
    return ct_make_staged_job(1, 16 * threads * accesses, 1, threads, staging, 16, CT_STAGED_line,
                              CT_STAGED_out, 0);
}

/** @internal The base-2 logarithm of n, or -1 if n is not a power of two. */
CT_FN int32_t ct_log2_exact(int64_t n)
{
    int32_t log = 0;
    while (n > 1 && n % 2 == 0) {
        n /= 2;
        ++log;
    }
    return n == 1 ? log : -1;
}

/** Whether all tiles are sector-aligned, not only those that do not fit the partitions. */
CT_FN int ct_staged_by_sectors(ct_staged_job job) { return job.staging == CT_STAGED_sector; }

/** @internal The axis along which the lines of a tile in shared memory run. */
CT_FN int32_t ct_staged_axis(ct_staged_job job) { return job.staging == CT_STAGED_reg ? 0 : 1; }

/** @internal The layout of (rows, cols) from one of (along, across) the lines. */
CT_FN ct_layout ct_staged_by_axes(ct_staged_job job, ct_layout along, ct_layout across)
{
    return ct_staged_axis(job) == 0 ? ct_make_layout2(along, across)
                                    : ct_make_layout2(across, along);
}

/** @internal The tile in shared memory: swizzled or padded. */
CT_FN ct_tensor ct_staged_tile(ct_staged_job job)
{
    const int64_t run = 16 / job.elem_bytes, in_rows = ct_staged_axis(job) == 0;
    const int64_t elems = in_rows ? job.rows : job.cols, lines = in_rows ? job.cols : job.rows;
    const ct_layout along = ct_layout1(elems, 1);
    const int padded = job.shared == CT_STAGED_padded;
    const ct_layout across =
        padded ? ct_layout2(run, lines / run, elems, run * elems + run) : ct_layout1(lines, elems);
    const int32_t unit = ct_log2_exact(run);
    return ct_make_swizzled(padded ? ct_swizzle_none()
                                   : ct_make_swizzle(3, unit, ct_log2_exact(run * elems) - unit),
                            0, ct_staged_by_axes(job, along, across));
}

/** @internal The tiled copy of the side that runs along the lines: 16 bytes per access, line after
 *  line. */
CT_FN ct_tiled_copy ct_staged_along(ct_staged_job job, ct_copy_atom atom)
{
    const int64_t run = 16 / job.elem_bytes;
    const int64_t elems = ct_staged_axis(job) == 0 ? job.rows : job.cols;
    const int64_t side = ct_min(elems / run, job.threads);
    return ct_make_tiled_copy(
        atom, ct_staged_by_axes(job, ct_layout1(side, 1), ct_layout1(job.threads / side, side)),
        ct_staged_by_axes(job, ct_layout1(run, 1), ct_layout1(1, 0)));
}

/** @internal The tiled copy of the side that runs across them: 8 runs of lines, 4 blocks along
 *  them, then the other runs, then the other blocks. Every quarter warp has 8 different runs. */
CT_FN ct_tiled_copy ct_staged_across(ct_staged_job job)
{
    const int64_t run = 16 / job.elem_bytes;
    const int64_t lines = ct_staged_axis(job) == 0 ? job.cols : job.rows;
    const int64_t runs = ct_min(lines / (8 * run), job.threads / 32);
    const int64_t rest = job.threads / (32 * runs);
    return ct_make_tiled_copy(
        ct_copy_atom_auto(8 * job.elem_bytes),
        ct_staged_by_axes(job, ct_layout2(4, rest, 8, 32 * runs), ct_layout2(8, runs, 1, 32)),
        ct_staged_by_axes(job, ct_layout1(job.block, 1), ct_layout1(run, job.block)));
}

/** @internal The error of a value: `a` must be a multiple of b, or a power of two. */
CT_FN ct_error ct_staged_error(int mode, int64_t a, int64_t b)
{
    return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_SIZE_DIVIDES, mode, a, b);
}

/** @internal The error if the parameters of a job are invalid. */
CT_FN ct_error ct_staged_check(ct_staged_job job)
{
    ct_error e = CT_ZERO;
    const int64_t numbers[5] = {job.elem_bytes, job.block, job.threads, job.rows, job.cols};
    for (int i = 0; i < (ct_staged_by_sectors(job) ? 2 : 5); ++i) {
        if (ct_log2_exact(numbers[i]) < 0 || numbers[i] > (i == 0 ? 16 : INT32_MAX))
            return ct_staged_error(i, numbers[i], 2);
    }
    if (ct_staged_by_sectors(job)) return e;
    const int64_t run = 16 / job.elem_bytes, block = job.block * job.elem_bytes;
    const int64_t across = ct_staged_axis(job) == 0 ? job.cols : job.rows;
    const int64_t elems = ct_staged_axis(job) == 0 ? job.rows : job.cols;
    if (block < 4 || block > 16) return ct_staged_error(4, block, 4);
    if (across < 8 * run) return ct_staged_error(0, across, 8 * run);
    if (elems < 4 * job.block || elems * job.elem_bytes < 128)
        return ct_staged_error(1, elems, ct_max(4 * job.block, 128 / job.elem_bytes));
    const int64_t each = elems * across / (run * job.threads);
    if (job.threads < 32 || each < 1 || each % job.block != 0 || each > 16)
        return ct_staged_error(3, each, job.block);
    return e;
}

/** @internal The sector-aligned tile of a job: of all of its copies, or at the edges of its tile. */
CT_FN ct_sector_copy ct_staged_sectors(ct_staged_job job)
{
    return ct_make_sector_copy(job.elem_bytes, job.rows, job.cols, job.threads,
                               job.shared == CT_STAGED_line ? 0 : 1, 0,
                               ct_staged_by_sectors(job) ? job.block * job.elem_bytes : 16);
}

/** @internal The partitions of a copy of lines. */
CT_FN void ct_staged_lines(ct_staged_copy *p, ct_copy_atom load, ct_copy_atom back)
{
    const ct_layout thr = ct_layout1(p->job.threads, 1), val = ct_layout1(16, 1);
    const ct_tuple tile = ct_tuple2(p->job.rows, 1);
    const ct_memory shared = ct_in_shared_plain(ct_layout2(p->job.rows, 1, 1, 0));
    p->in = ct_make_partition(ct_make_tiled_copy(load, thr, val), tile, ct_in_global(0), shared);
    p->out = ct_make_partition(ct_make_tiled_copy(back, thr, val), tile, shared, ct_in_global(0));
}

/** @internal Those of a transpose. */
CT_FN void ct_staged_transpose(ct_staged_copy *p, ct_copy_atom load, ct_copy_atom back)
{
    const ct_staged_job job = p->job;
    const ct_tuple tile = ct_tuple2(job.rows, job.cols);
    const ct_memory shared = ct_in_shared(ct_staged_tile(job));
    const int reg = job.staging == CT_STAGED_reg;
    const ct_tiled_copy across = ct_staged_across(job);
    const ct_tiled_copy along = ct_staged_along(job, reg ? back : load);
    p->in = ct_make_partition(reg ? across : along, tile, ct_in_global(1), shared);
    p->out = ct_make_partition(reg ? along : across, tile, shared, ct_in_global(0));
    p->in.in_flight = p->out.in_flight = 64; /* all of a thread's loads before its first store */
}

/**
 * The copy of a job: its partitions and the sector-aligned tile.
 *
 * Ensures:  each element of the tile is accessed once on either side; no access to shared memory
 *           has a bank conflict.
 * Fails:    .err: CT_E_ARGUMENT for a number that is not a power of two, for a tile of less than
 *           128 bytes along or across its lines, for a block of less than 4 or more than 16 bytes,
 *           and when a thread would have no whole block or more than 16 accesses. Of lines: as
 *           ct_make_partition, when a thread has too many accesses.
 * Cost:     that of two partitions, O(values of a thread); a constant in a kernel.
 */
CT_FN ct_staged_copy ct_make_staged_copy(ct_staged_job job)
{
    const int bits = 8 * job.elem_bytes, line = job.shared == CT_STAGED_line;
    ct_staged_copy p = CT_ZERO;
    if (!line) p.err = ct_staged_check(job);
    if (p.err.status) return p;
    p.job = job;
    p.sector = ct_staged_sectors(job);
    p.err = p.sector.err;
    if (ct_staged_by_sectors(job) || p.err.status) return p;
    const ct_copy_atom back = ct_copy_atom_auto(bits);
    const ct_copy_atom load = job.staging == CT_STAGED_async
                                  ? ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, bits)
                                  : back;
    if (line) ct_staged_lines(&p, load, back);
    else ct_staged_transpose(&p, load, back);
    p.err = p.in.err.status ? p.in.err : p.out.err;
    return p;
}

/**
 * The dynamic shared memory of a launch, in bytes: of the job's tile or the sector-aligned tile, whichever
 * is larger.
 * Fails:    not by itself: ct_make_staged_copy has the error of the job. Of a job with one: 0.
 * Cost:     O(1).
 */
CT_FN int32_t ct_staged_shared_bytes(ct_staged_job job)
{
    const ct_sector_copy sector = ct_staged_sectors(job);
    const int line = job.shared == CT_STAGED_line;
    if (!line && ct_staged_check(job).status) return 0;
    if (sector.err.status || line || ct_staged_by_sectors(job)) return sector.shared_bytes;
    const int64_t lines = job.staging == CT_STAGED_reg ? job.cols : job.rows;
    const int64_t pad = job.shared == CT_STAGED_padded ? lines * job.elem_bytes : 0;
    return (int32_t)ct_max(job.rows * job.cols * job.elem_bytes + pad, sector.shared_bytes);
}

/** The arguments of a kernel: two tensors of one shape. */
typedef struct ct_staged_args {
    ct_global src, dst;
} ct_staged_args;

/**
 * dst[c * dst_ld + r] = src[r * src_ld + c], for a source of rows x cols elements, at any
 * addresses. src_ld and dst_ld are in elements.
 *
 * Fails:    .src.err, .dst.err as ct_make_global does.
 */
CT_FN ct_staged_args ct_make_transpose_args(const void *src, void *dst, int64_t src_ld,
                                            int64_t dst_ld, int64_t rows, int64_t cols,
                                            int32_t elem_bytes)
{
    ct_staged_args args = CT_ZERO;
    const ct_global from = ct_make_global(0, 8 * elem_bytes, ct_layout2(rows, cols, src_ld, 1));
    const ct_global to = ct_make_global(0, 8 * elem_bytes, ct_layout2(rows, cols, 1, dst_ld));
    args.src = ct_global_at(from, src);
    args.dst = ct_global_at(to, dst);
    args.src.axis = 1; /* even if a row has one element, or the leading dimension is 1 */
    args.dst.axis = 0;
    return args;
}

/**
 * The arguments for `outer` lines of `inner` elements of elem_bytes bytes, at any addresses. src_ld
 * and dst_ld: elements from one line to the next. Lines without gaps on both sides become one line.
 * Both tensors are of bytes, (inner, outer): one kernel serves every type, rows and columns.
 *
 * Fails:    .src.err, .dst.err as ct_make_global, also for an extent below 1.
 */
CT_FN ct_staged_args ct_make_line_args(const void *src, void *dst, int64_t src_ld, int64_t dst_ld,
                                       int64_t inner, int64_t outer, int32_t elem_bytes)
{
    ct_staged_args args = CT_ZERO;
    const int one = src_ld == inner && dst_ld == inner;
    const int64_t bytes = inner * elem_bytes * (one ? outer : 1), lines = one ? outer > 0 : outer;
    args.src = ct_make_global(src, 8, ct_layout2(bytes, lines, 1, src_ld * elem_bytes));
    args.dst = ct_make_global(dst, 8, ct_layout2(bytes, lines, 1, dst_ld * elem_bytes));
    args.src.axis = args.dst.axis = 0; /* even if a line is one byte */
    return args;
}

/** Blocks of a launch; x = 0 if there is nothing to copy. */
typedef struct ct_staged_grid {
    uint32_t x, y, z;
} ct_staged_grid;

/**
 * The grid for extents rows and cols, of a copy of lines bytes and lines: x goes along the sweep over a group of neighbouring tiles,
 * the group fastest; y and z go from group to group, y fastest.
 *
 * Fails:    x = 0 if the matrix is empty, or has more tiles than a grid has blocks.
 */
CT_FN ct_staged_grid ct_staged_grid_of(ct_staged_job job, int64_t rows, int64_t cols)
{
    ct_staged_grid g = CT_ZERO;
    const int64_t tall = ct_ceil_div_int(rows, job.rows), wide = ct_ceil_div_int(cols, job.cols);
    const int64_t steps = job.sweep == CT_STAGED_out ? tall : wide;
    const int64_t groups =
        ct_ceil_div_int(job.sweep == CT_STAGED_out ? wide : tall, (int64_t)1 << job.group_log2);
    if (rows < 1 || cols < 1 || steps > INT32_MAX >> job.group_log2) return g;
    const int64_t z = ct_ceil_div_int(groups, 65535);
    if (z > 65535) return g;
    g.x = (uint32_t)(steps << job.group_log2);
    g.y = (uint32_t)ct_ceil_div_int(groups, z);
    g.z = (uint32_t)z;
    return g;
}

#endif
