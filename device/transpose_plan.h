/**
 * The transpose plan: how the threads of a block take a tile through shared memory and turn it, as
 * coordinates that are known when the kernel is compiled.
 *
 * In shared memory the tile lies as lines of elements. One of its two sides in global memory runs
 * along the lines, and moves 16 bytes of a line at a time. The other runs across them: 16 bytes
 * there are an element of each of several neighbouring lines. A thread crosses with a small block
 * that it transposes in registers:
 *
 *     staging            lines are    the block is transposed
 *     REGISTERS (reg)    columns      between the load from global memory and the store to the tile
 *     ASYNC (async)      rows         between the load from the tile and the store to global memory
 *
 * Across the lines a quarter warp touches 8 runs of lines, at the same place of each: one bank,
 * were it not that the tile is swizzled or padded, by 16 bytes from one run to the next. Both are
 * layouts:
 *
 *     SWIZZLED   Sw<3,4,s> o (lines,elems):(line_bytes,elem_bytes), s from the run to the 16 bytes
 *     PADDED     ((run,lines/run),elems):((line_bytes,run*line_bytes+16),elem_bytes)
 *
 * A swizzle is linear over XOR: where two offsets share no bit, the swizzle of the sum is the XOR
 * of the swizzles. So a thread evaluates its own part once, and every further access is an XOR and
 * an addition of constants.
 */
#ifndef CUTLET_DEVICE_TRANSPOSE_PLAN_H
#define CUTLET_DEVICE_TRANSPOSE_PLAN_H

#include <cutlet/tensor.h>

#include "tile.h"

enum { CT_TRANSPOSE_reg, CT_TRANSPOSE_async };
enum { CT_TRANSPOSE_swizzled, CT_TRANSPOSE_padded };

/** Along which side of the tiles in global memory consecutive blocks go. */
enum { CT_TRANSPOSE_out, CT_TRANSPOSE_in };

/** What the accesses say to the caches: nothing, that no line is used twice, or that a load may
 *  bring 256 bytes into L2. */
enum { CT_TRANSPOSE_plain, CT_TRANSPOSE_cs, CT_TRANSPOSE_l2 };

/** Bytes of an access on either side, and the most of them that one thread makes on one side. */
#define CT_TRANSPOSE_BYTES 16
#define CT_TRANSPOSE_ACCESSES 16

/** Bytes of each line that a tile may take from the next one: those of a sector of memory. */
#define CT_TRANSPOSE_MORE 32

/** What a plan is for. Extents in elements, all powers of two. */
typedef struct ct_transpose_job {
    int32_t elem_bytes;
    int32_t rows, cols;    /* the tile, as the source has it */
    int32_t threads;
    int32_t staging;       /* CT_TRANSPOSE_reg or CT_TRANSPOSE_async */
    int32_t block;         /* elements of each line in a thread's block, at least 4 bytes of them */
    int32_t shared;        /* CT_TRANSPOSE_swizzled or CT_TRANSPOSE_padded */
    int32_t sweep;         /* CT_TRANSPOSE_out or CT_TRANSPOSE_in ... */
    int32_t group_log2;    /* ... in step with so many neighbouring tiles (their logarithm) */
    int32_t hint;          /* CT_TRANSPOSE_plain, _cs or _l2 */
} ct_transpose_job;

/** One side of the tile: what thread and access touch. An access is 16 bytes along the lines, or a
 *  block of them across. */
typedef struct ct_transpose_side {
    ct_layout line, elem;           /* thread -> coordinate of its first access ... */
    ct_layout at;                   /* ... and its byte in the tile before the swizzle */
    ct_layout next_line, next_elem; /* access -> coordinate from there */
    int32_t accesses;
    int32_t lines[CT_TRANSPOSE_ACCESSES], elems[CT_TRANSPOSE_ACCESSES]; /* the same counted out */
    int32_t fold[CT_TRANSPOSE_ACCESSES], add[CT_TRANSPOSE_ACCESSES]; /* byte (first ^ fold) + add */
} ct_transpose_side;

typedef struct ct_transpose_plan {
    ct_error err;
    ct_transpose_job job;
    int32_t run;          /* lines of a block: the elements of 16 bytes */
    int32_t lines, elems; /* the tile in shared memory */
    int32_t line_bytes;
    int32_t shared_bytes;
    ct_swizzle swizzle;
    ct_layout line_at;    /* line -> its first byte before the swizzle */
    ct_transpose_side along, across;
} ct_transpose_plan;

/** The job from its numbers. */
CT_FN ct_transpose_job ct_make_transpose_job(int32_t elem_bytes, int32_t rows, int32_t cols,
                                             int32_t threads, int32_t staging, int32_t block,
                                             int32_t shared, int32_t sweep, int32_t group_log2,
                                             int32_t hint)
{
    ct_transpose_job job = CT_ZERO;
    job.elem_bytes = elem_bytes;
    job.rows = rows;
    job.cols = cols;
    job.threads = threads;
    job.staging = staging;
    job.block = block;
    job.shared = shared;
    job.sweep = sweep;
    job.group_log2 = group_log2;
    job.hint = hint;
    return job;
}

/** The logarithm of n, or -1 where it is no power of two. */
CT_FN int32_t ct_log2_exact(int64_t n)
{
    int32_t log = 0;
    while (n > 1 && n % 2 == 0) {
        n /= 2;
        ++log;
    }
    return n == 1 ? log : -1;
}

/** The failed plan: value `a` is needed to be what `why` says, with b. */
CT_FN ct_transpose_plan ct_transpose_plan_fail(int32_t why, int mode, int64_t a, int64_t b)
{
    ct_transpose_plan p = CT_ZERO;
    p.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, why, mode, a, b);
    return p;
}

/** A mode of the way through the tile: n steps of so many lines or elements. */
CT_FN ct_layout ct_transpose_steps(int64_t n, int64_t step, int mode)
{
    return ct_make_layout(ct_int(n), ct_basis(step, mode));
}

/** Across the lines: 8 runs of lines, 4 blocks along them, then the other runs, then the other
 *  blocks; (thread, access) -> (line, elem). In every quarter warp there are 8 different runs. */
CT_FN ct_layout ct_transpose_way_across(const ct_transpose_plan *p)
{
    const int64_t run = p->run, block = p->job.block;
    return ct_make_layout2(
        ct_make_layout2(ct_transpose_steps(8, run, 0), ct_transpose_steps(4, block, 1)),
        ct_make_layout2(ct_transpose_steps(p->lines / (8 * run), 8 * run, 0),
                        ct_transpose_steps(p->elems / (4 * block), 4 * block, 1)));
}

/** Along the lines: 16 bytes after 16 bytes, line after line. */
CT_FN ct_layout ct_transpose_way_along(const ct_transpose_plan *p)
{
    return ct_make_layout2(ct_transpose_steps(p->elems / p->run, p->run, 1),
                           ct_transpose_steps(p->lines, 1, 0));
}

/** The tile in shared memory before the swizzle: (line, elem) -> byte. */
CT_FN ct_layout ct_transpose_tile_of(const ct_transpose_plan *p)
{
    return ct_make_layout2(p->line_at, ct_layout1(p->elems, p->job.elem_bytes));
}

/** A side of the tile from the way that the accesses take through it. */
CT_FN ct_transpose_side ct_transpose_side_of(const ct_transpose_plan *p, ct_layout way)
{
    ct_transpose_side s = CT_ZERO;
    const ct_layout tile = ct_transpose_tile_of(p);
    const ct_layout split = ct_logical_divide(way, ct_layout1(p->job.threads, 1));
    const ct_layout thread = ct_mode(split, 0), access = ct_mode(split, 1);
    s.line = ct_along(thread, 0);
    s.elem = ct_along(thread, 1);
    s.at = ct_composition(tile, thread);
    s.next_line = ct_along(access, 0);
    s.next_elem = ct_along(access, 1);
    if (s.at.err.status || access.err.status) return s;
    s.accesses = (int32_t)ct_size(access);
    const ct_tensor at = ct_make_swizzled(p->swizzle, 0, ct_composition(tile, access));
    const int64_t field = ct_swizzle_target(p->swizzle);
    for (int i = 0; i < CT_TRANSPOSE_ACCESSES; ++i) if (i < s.accesses) {
        const int64_t byte = ct_tensor_eval(at, i);
        s.lines[i] = (int32_t)ct_offset(&s.next_line, i);
        s.elems[i] = (int32_t)ct_offset(&s.next_elem, i);
        s.fold[i] = (int32_t)(byte & field);
        s.add[i] = (int32_t)(byte & ~field);
    }
    return s;
}

/**
 * The plan of a job.
 *
 * Ensures:  each element of the tile is met once on either side; no access to shared memory has a
 *           bank conflict.
 * Fails:    CT_E_ARGUMENT when an extent is no power of two, a line of the tile or the way across
 *           is shorter than 128 bytes, a block is narrower than 4 or wider than 16 bytes, or a
 *           thread would have no whole block or more than CT_TRANSPOSE_ACCESSES accesses.
 */
CT_FN ct_transpose_plan ct_transpose_plan_of(ct_transpose_job job)
{
    ct_transpose_plan p = CT_ZERO;
    const int64_t numbers[5] = {job.elem_bytes, job.rows, job.cols, job.threads, job.block};
    for (int i = 0; i < 5; ++i) {
        if (ct_log2_exact(numbers[i]) < 0)
            return ct_transpose_plan_fail(CT_WHY_SIZE_DIVIDES, i, numbers[i], 2);
    }
    if (job.elem_bytes > CT_TRANSPOSE_BYTES)
        return ct_transpose_plan_fail(CT_WHY_ATOM_BITS, 0, 8 * CT_TRANSPOSE_BYTES,
                                      8 * job.elem_bytes);
    p.job = job;
    p.run = CT_TRANSPOSE_BYTES / job.elem_bytes;
    p.lines = job.staging == CT_TRANSPOSE_reg ? job.cols : job.rows;
    p.elems = job.staging == CT_TRANSPOSE_reg ? job.rows : job.cols;
    p.line_bytes = p.elems * job.elem_bytes;
    const int32_t block_bytes = job.block * job.elem_bytes;
    const int64_t each = ct_min((int64_t)job.rows * job.cols / (p.run * job.threads),
                                CT_TRANSPOSE_ACCESSES + 1);
    if (block_bytes < 4 || block_bytes > CT_TRANSPOSE_BYTES)
        return ct_transpose_plan_fail(CT_WHY_ATOM_BITS, 4, 8 * block_bytes, 8 * CT_TRANSPOSE_BYTES);
    const int32_t extents[3] = {p.lines, p.elems, p.line_bytes};
    const int32_t least[3] = {8 * p.run, 4 * job.block, 128};
    for (int i = 0; i < 3; ++i) {
        if (extents[i] < least[i])
            return ct_transpose_plan_fail(CT_WHY_SIZE_DIVIDES, i, extents[i], least[i]);
    }
    if (each < 1 || each % job.block != 0 || each > CT_TRANSPOSE_ACCESSES)
        return ct_transpose_plan_fail(CT_WHY_VALUES, 0, each, job.block);
    const int32_t run_bytes = p.run * p.line_bytes, runs = p.lines / p.run;
    if (job.shared == CT_TRANSPOSE_padded) {
        p.swizzle = ct_swizzle_none();
        p.line_at = ct_layout2(p.run, runs, p.line_bytes, run_bytes + CT_TRANSPOSE_BYTES);
        p.shared_bytes = runs * (run_bytes + CT_TRANSPOSE_BYTES);
    } else {
        p.swizzle = ct_make_swizzle(3, 4, ct_log2_exact(run_bytes) - 4);
        p.line_at = ct_layout1(p.lines, p.line_bytes);
        p.shared_bytes = p.lines * p.line_bytes;
    }
    p.along = ct_transpose_side_of(&p, ct_transpose_way_along(&p));
    p.across = ct_transpose_side_of(&p, ct_transpose_way_across(&p));
    p.err = p.along.at.err.status ? p.along.at.err : p.across.at.err;
    return p;
}

/** The same tile and threads for extents and addresses of any kind: transposed on the way into the
 *  tile, in blocks of two vectors, or of four where two are no 4 bytes wide. Each is cut out of
 *  twice as many registers, and more of them would leave room for fewer threads. */
CT_FN ct_transpose_plan ct_transpose_careful_plan(ct_transpose_job job)
{
    const int32_t run = CT_TRANSPOSE_BYTES / job.elem_bytes;
    const int64_t most = job.elem_bytes == 1 ? 4 : 2;
    job.staging = CT_TRANSPOSE_reg;
    job.block = (int32_t)ct_min(ct_min(run, most), job.rows * job.cols / (run * job.threads));
    return ct_transpose_plan_of(job);
}

/** The dynamic shared memory of a launch; the careful way holds more of each line. */
CT_FN int32_t ct_transpose_shared_bytes(ct_transpose_job job)
{
    const ct_transpose_plan careful = ct_transpose_careful_plan(job);
    return (int32_t)ct_max(ct_transpose_plan_of(job).shared_bytes,
                           careful.shared_bytes + careful.lines * CT_TRANSPOSE_MORE);
}

/** What a transpose kernel is told at run time, in elements; rows and cols are the source's. */
typedef struct ct_transpose_args {
    const void *src;
    void *dst;
    int64_t src_ld, dst_ld; /* from one row to the next: of the source, of the result */
    int64_t rows, cols;
} ct_transpose_args;

/** Blocks of a launch; no blocks in x where there is nothing to do. */
typedef struct ct_transpose_grid {
    uint32_t x, y, z;
} ct_transpose_grid;

/**
 * The grid for a matrix of rows x cols: x goes along the sweep, a group of neighbouring tiles in
 * step; y, and behind its end z, from group to group.
 *
 * Fails:   x = 0 where the matrix is empty, or has more tiles than a grid has blocks.
 */
CT_FN ct_transpose_grid ct_transpose_grid_of(ct_transpose_job job, int64_t rows, int64_t cols)
{
    ct_transpose_grid g = CT_ZERO;
    const int64_t tall = ct_ceil_div_int(rows, job.rows), wide = ct_ceil_div_int(cols, job.cols);
    const int64_t steps = job.sweep == CT_TRANSPOSE_out ? tall : wide;
    const int64_t groups = ct_ceil_div_int(job.sweep == CT_TRANSPOSE_out ? wide : tall,
                                           (int64_t)1 << job.group_log2);
    if (rows < 1 || cols < 1 || steps > INT32_MAX >> job.group_log2) return g;
    const int64_t z = ct_ceil_div_int(groups, 65535);
    if (z > 65535) return g;
    g.x = (uint32_t)(steps << job.group_log2);
    g.y = (uint32_t)ct_ceil_div_int(groups, z);
    g.z = (uint32_t)z;
    return g;
}

#endif
