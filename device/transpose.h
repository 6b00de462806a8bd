/**
 * Transposition inside a kernel: dst[c * dst_ld + r] = src[r * src_ld + c], tile by tile.
 *
 *     CT_STATIC(ct_transpose_plan, plan, ct_transpose_plan_of(job));
 *     CT_STATIC(ct_transpose_plan, careful, ct_transpose_careful_plan(job));
 *     CT_SHARED_DYNAMIC(unsigned char, tile);
 *     ct_transpose(&plan, &careful, &args, tile);
 *
 * A tile that lies whole inside the matrix, at addresses that 16 bytes divide, takes the short way
 * of its plan: nothing is tested, 16 bytes an access on both global sides. Any other tile takes the
 * careful way, whose accesses are as wide: aligned 16 bytes are loaded and stored, and a vector
 * that begins anywhere is cut out of the two that hold it, in registers, on the way in as on the
 * way out, so that only the ends of the rows are moved in smaller pieces. No extent, leading
 * dimension or pointer makes either of them fault.
 */
#ifndef CUTLET_DEVICE_TRANSPOSE_H
#define CUTLET_DEVICE_TRANSPOSE_H

#include "cache_hints.h"
#include "static.h"
#include "transpose_careful.h"

/* 16 bytes to or from global memory, with the hint of the plan. */
CT_DEVICE void ct_transpose_load(const int hint, uint32_t *v, const unsigned char *src)
{
    if (hint == CT_TRANSPOSE_cs) ct_load_global_cs(v, src, 128);
    else if (hint == CT_TRANSPOSE_l2) ct_load_global_l2_256(v, src, 128);
    else ct_load_global(v, src, 128);
}

CT_DEVICE void ct_transpose_store(const int hint, unsigned char *dst, const uint32_t *v)
{
    if (hint == CT_TRANSPOSE_cs) ct_store_global_cs(dst, v, 128);
    else ct_store_global(dst, v, 128);
}

/* ---- the short way --------------------------------------------------------------------------- */

/** The thread's first address of a side in global memory; its rows are the lines or run across. */
CT_DEVICE unsigned char *ct_transpose_start(const ct_transpose_plan *plan,
                                            const ct_transpose_side *side,
                                            const ct_transpose_global *g, const int across)
{
    const int32_t line = (int32_t)ct_offset(&side->line, (int64_t)threadIdx.x);
    const int32_t elem = (int32_t)ct_offset(&side->elem, (int64_t)threadIdx.x);
    return g->base + (across ? elem : line) * g->ld_bytes +
           (across ? line : elem) * plan->job.elem_bytes;
}

/** From access i of a side to its next row. */
CT_DEVICE int64_t ct_transpose_to(const ct_transpose_plan *plan, const ct_transpose_side *side,
                                  int i, int64_t ld_bytes, const int across)
{
    const int32_t inner = across ? side->lines[i] : side->elems[i];
    return (across ? side->elems[i] : side->lines[i]) * ld_bytes + inner * plan->job.elem_bytes;
}

/** Global memory to the tile, across its lines: all loads, then block after block transposed. */
CT_DEVICE void ct_transpose_across_in(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                      unsigned char *tile)
{
    const ct_transpose_side *side = &plan->across;
    const int block = plan->job.block, words = 4 * block;
    const int bits = 8 * block * plan->job.elem_bytes;
    const unsigned char *src = ct_transpose_start(plan, side, g, 1);
    CT_FRAGMENT(uint32_t, held, 4 * CT_TRANSPOSE_ACCESSES);
    CT_UNROLL for (int i = 0; i < CT_TRANSPOSE_ACCESSES; ++i) if (i < side->accesses * block) {
        const int64_t row = ct_transpose_to(plan, side, i / block, g->ld_bytes, 1) +
                            i % block * g->ld_bytes;
        ct_transpose_load(plan->job.hint, held + 4 * i, src + row);
    }
    const int32_t first = ct_transpose_first(plan, side);
    CT_UNROLL for (int b = 0; b < CT_TRANSPOSE_ACCESSES; ++b) if (b < side->accesses) {
        CT_FRAGMENT(uint32_t, turned, CT_BLOCK_WORDS);
        ct_transpose_block(turned, held + b * words, plan->job.elem_bytes, block, plan->run);
        unsigned char *to = tile + (first ^ side->fold[b]) + side->add[b];
        CT_UNROLL for (int j = 0; j < CT_TRANSPOSE_BYTES; ++j) if (j < plan->run)
            ct_store_shared(to + j * plan->line_bytes, turned + j * (bits / 32), bits);
    }
}

/** The tile to global memory, across its lines. */
CT_DEVICE void ct_transpose_across_out(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                       const unsigned char *tile)
{
    const ct_transpose_side *side = &plan->across;
    const int block = plan->job.block, bits = 8 * block * plan->job.elem_bytes;
    unsigned char *dst = ct_transpose_start(plan, side, g, 1);
    const int32_t first = ct_transpose_first(plan, side);
    CT_UNROLL for (int b = 0; b < CT_TRANSPOSE_ACCESSES; ++b) if (b < side->accesses) {
        CT_FRAGMENT(uint32_t, held, CT_BLOCK_WORDS);
        CT_FRAGMENT(uint32_t, turned, CT_BLOCK_WORDS);
        const unsigned char *from = tile + (first ^ side->fold[b]) + side->add[b];
        CT_UNROLL for (int j = 0; j < CT_TRANSPOSE_BYTES; ++j) if (j < plan->run)
            ct_load_shared(held + j * (bits / 32), from + j * plan->line_bytes, bits);
        ct_transpose_block(turned, held, plan->job.elem_bytes, plan->run, block);
        unsigned char *to = dst + ct_transpose_to(plan, side, b, g->ld_bytes, 1);
        CT_UNROLL for (int k = 0; k < CT_TRANSPOSE_ACCESSES; ++k) if (k < block)
            ct_transpose_store(plan->job.hint, to + k * g->ld_bytes, turned + 4 * k);
    }
}

/** Global memory to the tile, along its lines, by cp.async; waits for the thread's own. */
CT_DEVICE void ct_transpose_along_in(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                     unsigned char *tile)
{
    const ct_transpose_side *side = &plan->along;
    const unsigned char *src = ct_transpose_start(plan, side, g, 0);
    const int32_t first = ct_transpose_first(plan, side);
    CT_UNROLL for (int i = 0; i < CT_TRANSPOSE_ACCESSES; ++i) if (i < side->accesses)
        ct_cp_async_cg(tile + (first ^ side->fold[i]) + side->add[i],
                       src + ct_transpose_to(plan, side, i, g->ld_bytes, 0), 16);
    ct_cp_async_commit();
    ct_cp_async_wait_all();
}

/** The tile to global memory, along its lines. */
CT_DEVICE void ct_transpose_along_out(const ct_transpose_plan *plan, const ct_transpose_global *g,
                                      const unsigned char *tile)
{
    const ct_transpose_side *side = &plan->along;
    unsigned char *dst = ct_transpose_start(plan, side, g, 0);
    const int32_t first = ct_transpose_first(plan, side);
    CT_FRAGMENT(uint32_t, held, 4 * CT_TRANSPOSE_ACCESSES);
    CT_UNROLL for (int i = 0; i < CT_TRANSPOSE_ACCESSES; ++i) if (i < side->accesses)
        ct_load_shared(held + 4 * i, tile + (first ^ side->fold[i]) + side->add[i], 128);
    CT_UNROLL for (int i = 0; i < CT_TRANSPOSE_ACCESSES; ++i) if (i < side->accesses)
        ct_transpose_store(plan->job.hint, dst + ct_transpose_to(plan, side, i, g->ld_bytes, 0),
                           held + 4 * i);
}

/* ---- the whole tile -------------------------------------------------------------------------- */

/** Transposes the tile at (row, col) of the source. */
CT_DEVICE void ct_transpose_tile(const ct_transpose_plan *plan, const ct_transpose_plan *careful,
                                 const ct_transpose_args *args, unsigned char *tile,
                                 const int64_t row, const int64_t col)
{
    const int elem_bytes = plan->job.elem_bytes;
    const ct_transpose_global src = ct_transpose_side_at(args, 0, elem_bytes, row, col);
    const ct_transpose_global dst = ct_transpose_side_at(args, 1, elem_bytes, row, col);
    const uint32_t odd = (uint32_t)(uintptr_t)args->src | (uint32_t)(uintptr_t)args->dst |
                         (uint32_t)src.ld_bytes | (uint32_t)dst.ld_bytes;
    const int whole = row + plan->job.rows <= args->rows && col + plan->job.cols <= args->cols;
    if (whole && (odd & 15) == 0) {
        if (plan->job.staging == CT_TRANSPOSE_reg) ct_transpose_across_in(plan, &src, tile);
        else ct_transpose_along_in(plan, &src, tile);
        __syncthreads();
        if (plan->job.staging == CT_TRANSPOSE_reg) ct_transpose_along_out(plan, &dst, tile);
        else ct_transpose_across_out(plan, &dst, tile);
    } else if ((odd & (uint32_t)(elem_bytes - 1)) == 0 &&
               ct_transpose_inside(careful, args, row, col)) {
        ct_transpose_any(careful, &src, &dst, tile, 0);
    } else {
        ct_transpose_any(careful, &src, &dst, tile, 1);
    }
}

/** Transposes the tile of this block. */
CT_DEVICE void ct_transpose(const ct_transpose_plan *plan, const ct_transpose_plan *careful,
                            const ct_transpose_args *args, unsigned char *tile)
{
    const ct_transpose_job *job = &plan->job;
    const int64_t group = (int64_t)blockIdx.z * gridDim.y + blockIdx.y;
    const int64_t other = (group << job->group_log2) | (blockIdx.x & ((1u << job->group_log2) - 1));
    const int64_t step = blockIdx.x >> job->group_log2;
    const int64_t row = (job->sweep == CT_TRANSPOSE_out ? step : other) * job->rows;
    const int64_t col = (job->sweep == CT_TRANSPOSE_out ? other : step) * job->cols;
    if (row < args->rows && col < args->cols)
        ct_transpose_tile(plan, careful, args, tile, row, col);
}

#define ct_transpose(...) CT_CALL(ct_transpose, __VA_ARGS__)

#endif
