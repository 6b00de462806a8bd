/**
 * @internal A plan's copy between rows and lines of bytes at any addresses, staged in shared
 * memory: every access to global memory is aligned.
 *
 * Rows are contiguous in the source, lines in the destination.
 *
 *     straight   a line is a row; lines that follow one another, with small gaps or none, are a run
 *     joined     lines run across the rows, and follow one another in a run
 *     long       lines run across the rows, one anywhere; a block writes a span of each
 *
 * A block stages its rows in the aligned chunks of 16 bytes that hold them (chunks.h). Rows that
 * lines run across are turned in shared memory, four bytes of eight rows at a time. Then it writes
 * vectors of 16 bytes, each cut out of two staged ones (element/funnel_shift.h). Its part of a run or line begins
 * and ends at a sector (line_part.h).
 *
 * Rows of a transposing copy are staged at odd multiples of 16 bytes, with 16 bytes after every
 * eighth; lines have 32 bytes after every eighth. So the words that a warp transposes are in
 * different banks, except for the misalignments of the rows. Plain data, as a box.
 */
#ifndef CUTLET_PLAN_KERNELS_MISALIGNED_H
#define CUTLET_PLAN_KERNELS_MISALIGNED_H

#include "misaligned_in.h"
#include "misaligned_out.h"

/** Copies the part of this block. memory: P->shared_bytes bytes of shared memory. */
CT_DEVICE void ct_misaligned_move(const ct_misaligned *P, const ct_plan_args *args,
                                  unsigned char *memory)
{
    const uint32_t rest = blockIdx.x / (uint32_t)P->tiles;
    const int32_t tile = (int32_t)(blockIdx.x - rest * (uint32_t)P->tiles);
    const uint32_t outer = rest / (uint32_t)P->spans;
    const int32_t span = (int32_t)(rest - outer * (uint32_t)P->spans);
    const ct_place at = ct_place_of(P->mode, P->row_modes, P->modes, outer, 1, 0);
    const unsigned char *const src = (const unsigned char *)args->src + at.src;
    unsigned char *const dst = (unsigned char *)args->dst + at.dst;
    const ct_misaligned_part b = ct_misaligned_part_of(P, src, dst, tile, span);
    ct_misaligned_rows(P, args, &b, memory);
    __syncthreads();
    ct_misaligned_in(P, args, &b, memory);
    __syncthreads();
    if (P->transposed) {
        ct_misaligned_turn(P, &b, memory);
        __syncthreads();
    }
    if (P->merged) ct_misaligned_run_out(P, &b, memory);
    else ct_misaligned_lines_out(P, &b, memory);
}

#define ct_misaligned_move(...) CT_CALL(ct_misaligned_move, __VA_ARGS__)

#endif
