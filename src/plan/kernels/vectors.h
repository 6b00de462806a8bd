/**
 * @internal A copy of rows in the order of the destination's memory, vector by vector.
 *
 * Tiles of unaligned rows share sectors: two tiles write the sector at the boundary of both. So a
 * thread writes vectors of 4, 8 or 16 aligned bytes of the destination, and a warp full lines. The
 * inverse of the destination's layout gives the elements of these bytes. Bytes of a gap have no
 * element.
 *
 *     nest    the rows, and the modes whose strides leave only small gaps between them
 *     outer   the other modes: each of their coordinates has a nest
 *
 * The bytes of a vector divide every address: so a vector is one aligned access on either side, or
 * none. Plain data, as a box.
 */
#ifndef CUTLET_PLAN_KERNELS_VECTORS_H
#define CUTLET_PLAN_KERNELS_VECTORS_H

#include <cutlet/device/arch/load_store.h>
#include "plan_args.h"

/** The most vectors of a thread. */
#define CT_VECTORS_EACH 4

/** The alignment in bytes of the first vector of a nest. */
#define CT_VECTORS_LINE 128

typedef struct ct_vectors {
    ct_plan_args at; /* of the kernel for all vectors */
    int32_t bytes;   /* of a vector: 4, 8 or 16 */
    int32_t threads; /* of a block */
    int32_t each;    /* vectors of a thread: at most CT_VECTORS_EACH */
    int32_t row_bytes;
    int32_t nest, modes; /* modes of the nest, the nearest first; all modes */
    int32_t nest_bytes;  /* from the first byte of a nest to the end of its last */
    int32_t blocks;      /* of one nest */
    ct_box_mode mode[CT_BOX_MODES];
} ct_vectors;

/** The offset in the source of a byte of the nest; -1 for a byte that has no element. */
CT_DEVICE int64_t ct_vectors_from(const ct_vectors *plan, const int32_t byte)
{
    uint32_t rest = (uint32_t)byte;
    int64_t row = 0;
    int on = byte >= 0 && byte < plan->nest_bytes;
    CT_UNROLL
    for (int i = 0; i < CT_BOX_MODES; ++i)
        if (i < plan->nest) {
            const ct_box_mode *const m = &plan->mode[plan->nest - 1 - i]; /* the farthest first */
            const uint32_t at = rest / (uint32_t)m->dst;
            rest -= at * (uint32_t)m->dst;
            on = on && at < (uint32_t)m->extent;
            row += at * m->src;
        }
    return on && rest < (uint32_t)plan->row_bytes ? row + rest : -1;
}

/** Copies the vectors of a thread in one nest. */
CT_DEVICE void ct_vectors_nest(const ct_vectors *plan, unsigned char *dst, const unsigned char *src,
                               const uint32_t block)
{
    const int bytes = plan->bytes;
    const int32_t skew = (int32_t)((uint32_t)(uintptr_t)dst & (CT_VECTORS_LINE - 1));
    const uint32_t first = block * (uint32_t)(plan->threads * plan->each) + threadIdx.x;
    CT_FRAGMENT(uint32_t, v, 4 * CT_VECTORS_EACH);
    int on[CT_VECTORS_EACH] = {0, 0, 0, 0};
    CT_UNROLL
    for (int k = 0; k < CT_VECTORS_EACH; ++k)
        if (k < plan->each) {
            const int32_t byte = (int32_t)(first + (uint32_t)(k * plan->threads)) * bytes - skew;
            const int64_t from = ct_vectors_from(plan, byte);
            on[k] = from != -1;
            if (on[k]) ct_load_global(v + 4 * k, src + from, 8 * bytes);
        }
    CT_UNROLL
    for (int k = 0; k < CT_VECTORS_EACH; ++k)
        if (k < plan->each) {
            const int32_t byte = (int32_t)(first + (uint32_t)(k * plan->threads)) * bytes - skew;
            if (on[k]) ct_store_global(dst + byte, v + 4 * k, 8 * bytes);
        }
}

/** Copies the vectors of this block. */
CT_DEVICE void ct_vectors_move(const ct_vectors *plan, const ct_plan_args *args,
                               unsigned char *memory)
{
    (void)memory;
    const uint32_t outer = blockIdx.x / (uint32_t)plan->blocks;
    const ct_place at = ct_place_of(plan->mode, plan->nest, plan->modes, outer, 1, 0);
    const unsigned char *const src = (const unsigned char *)args->src + at.src;
    unsigned char *const dst = (unsigned char *)args->dst + at.dst;
    ct_vectors_nest(plan, dst, src, blockIdx.x % (uint32_t)plan->blocks);
}

#define ct_vectors_move(...) CT_CALL(ct_vectors_move, __VA_ARGS__)

#endif
