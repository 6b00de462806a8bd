/**
 * @internal A copy that computes the offsets of each element: for swizzled sides, and for shapes
 * that have no common refinement. Plain data, as a box.
 */
#ifndef CUTLET_PLAN_KERNELS_INDEXED_H
#define CUTLET_PLAN_KERNELS_INDEXED_H

#include <cutlet/device/element/convert.h>
#include <cutlet/device/arch/load_store.h>
#include "plan_args.h"

/** One side: from an index to a byte offset. */
typedef struct ct_index_side {
    int64_t offset;     /* of index 0, in elements */
    ct_swizzle swizzle; /* of offsets in elements */
    int32_t bytes;      /* of an element: 1 to 16 */
    int32_t begin, end; /* its modes, the fastest first; both sides may have the same */
} ct_index_side;

typedef struct ct_indexed {
    ct_plan_args at; /* of the kernel for all indices */
    int64_t size;
    ct_conversion by;
    int32_t threads, batch; /* of a block; elements of a thread */
    ct_index_side src, dst;
    ct_box_mode mode[2 * CT_BOX_MODES]; /* steps in elements */
} ct_indexed;

/** The offset of an element of a side, in bytes from its pointer. */
CT_DEVICE int64_t ct_indexed_byte(const ct_index_side *side, const int64_t at)
{
    return ct_swizzle_apply(side->swizzle, side->offset + at) * side->bytes;
}

/** Copies one element, by accesses of the largest power of two that divides its bytes. */
CT_DEVICE void ct_indexed_element(const ct_indexed *plan, unsigned char *dst,
                                  const unsigned char *src, const int on, const double scale)
{
    const ct_conversion *const by = &plan->by;
    const int src_unit = plan->src.bytes & -plan->src.bytes;
    const int dst_unit = plan->dst.bytes & -plan->dst.bytes;
    CT_ROLL
    for (int at = 0; at < plan->src.bytes; at += src_unit) {
        CT_FRAGMENT(uint32_t, in, 4) = {0, 0, 0, 0};
        CT_FRAGMENT(uint32_t, out, 4);
        ct_load_global_if(on, in, src + at, 8 * src_unit);
        CT_UNROLL for (int w = 0; w < 4; ++w) out[w] = in[w];
        if (by->to != CT_TYPE_RAW)
            ct_convert(out, 0, in, 0, by->from, by->to, by->has_scale, scale);
        ct_store_global_if(on, dst + at, out, 8 * dst_unit);
    }
}

/** Copies plan->batch elements of each thread of the block. */
CT_DEVICE void ct_indexed_move(const ct_indexed *plan, const ct_plan_args *args,
                               unsigned char *memory)
{
    (void)memory;
    const int is_short = plan->size <= INT32_MAX;
    const uint32_t threads = (uint32_t)plan->threads;
    const uint64_t first = (uint64_t)blockIdx.x * threads * (uint32_t)plan->batch + threadIdx.x;
    for (int b = 0; b < plan->batch; ++b) {
        const ct_index_side *const s = &plan->src, *const d = &plan->dst;
        const uint64_t i = first + (uint32_t)b * threads;
        const int64_t src = ct_place_of(plan->mode, s->begin, s->end, i, is_short, 0).src;
        const int64_t dst = ct_place_of(plan->mode, d->begin, d->end, i, is_short, 0).dst;
        ct_indexed_element(plan, (unsigned char *)args->dst + ct_indexed_byte(d, dst),
                           (const unsigned char *)args->src + ct_indexed_byte(s, src),
                           i < (uint64_t)plan->size, args->scale);
    }
}

#define ct_indexed_move(...) CT_CALL(ct_indexed_move, __VA_ARGS__)

#endif
