/**
 * @internal A copy that computes the offsets of each element: for swizzled sides, and for shapes
 * that have no common refinement. Plain data, as a box.
 */
#ifndef CUTLET_DEVICE_INDEX_COPY_H
#define CUTLET_DEVICE_INDEX_COPY_H

#include "convert.h"
#include "load_store.h"
#include "plan_args.h"

/** One side: from an index to a byte offset, the first mode fastest. */
typedef struct ct_index_side {
    int64_t offset;       /* of index 0, in elements */
    int64_t mask;         /* the bits of an offset that are XORed into those `shift` lower */
    int32_t shift;        /* below 0: into those -shift higher */
    int32_t bytes;        /* of an element: 1 to 16 */
    int32_t modes;
    int64_t extent[CT_BOX_MODES], step[CT_BOX_MODES];
} ct_index_side;

typedef struct ct_indexed {
    int64_t size;
    int32_t from, to, has_scale; /* as in a box */
    int32_t threads, batch;      /* of a block; elements of a thread */
    ct_index_side src, dst;
    ct_plan_args at;             /* of the kernel for all indices */
} ct_indexed;

/** The offset of element `index` of a side, in bytes from its pointer. */
CT_DEVICE int64_t ct_index_byte(const ct_index_side *side, const uint64_t index, const int is_short)
{
    int64_t x = side->offset;
    uint64_t rest = index;
    uint32_t short_rest = (uint32_t)index; /* a 32-bit division takes a quarter of the time */
    CT_UNROLL
    for (int k = 0; k < CT_BOX_MODES; ++k) if (k < side->modes) {
        const uint64_t n = (uint64_t)side->extent[k];
        uint64_t at = is_short ? short_rest : rest;
        if (k + 1 < side->modes) at = is_short ? short_rest % (uint32_t)n : rest % n;
        if (is_short) short_rest /= (uint32_t)n;
        else rest /= n;
        x += (int64_t)at * side->step[k];
    }
    const int64_t field = x & side->mask;
    x ^= side->shift >= 0 ? field >> side->shift : field << -side->shift;
    return x * side->bytes;
}

/** Copies one element, by accesses of the largest power of two that divides its bytes. */
CT_DEVICE void ct_index_element(const ct_indexed *plan, unsigned char *dst,
                                const unsigned char *src, const int on, const double scale)
{
    const int src_unit = plan->src.bytes & -plan->src.bytes;
    const int dst_unit = plan->dst.bytes & -plan->dst.bytes;
    CT_ROLL
    for (int at = 0; at < plan->src.bytes; at += src_unit) {
        CT_FRAGMENT(uint32_t, in, 4);
        CT_FRAGMENT(uint32_t, out, 4);
        CT_UNROLL
        for (int w = 0; w < 4; ++w) in[w] = 0;
        ct_load_global_if(on, in, src + at, 8 * src_unit);
        CT_UNROLL
        for (int w = 0; w < 4; ++w) out[w] = in[w];
        if (plan->to != CT_TYPE_RAW)
            ct_convert(out, 0, in, 0, plan->from, plan->to, plan->has_scale, scale);
        ct_store_global_if(on, dst + at, out, 8 * dst_unit);
    }
}

/** Copies plan->batch elements of each thread of the block. */
CT_DEVICE void ct_index_move(const ct_indexed *plan, const ct_plan_args *args)
{
    const int is_short = plan->size <= INT32_MAX;
    const uint32_t threads = (uint32_t)plan->threads;
    const uint64_t first = (uint64_t)blockIdx.x * threads * (uint32_t)plan->batch + threadIdx.x;
    for (int b = 0; b < plan->batch; ++b) {
        const uint64_t i = first + (uint32_t)b * threads;
        const int on = i < (uint64_t)plan->size;
        ct_index_element(plan, (unsigned char *)args->dst + ct_index_byte(&plan->dst, i, is_short),
                         (const unsigned char *)args->src + ct_index_byte(&plan->src, i, is_short),
                         on, args->scale);
    }
}

#define ct_index_move(...) CT_CALL(ct_index_move, __VA_ARGS__)

#endif
