/**
 * @internal A copy of rows in the order of the destination's memory, window by window.
 *
 * Tiles of unaligned rows share sectors: two tiles write the sector at the boundary of both. So a
 * thread writes 4 or 16 aligned bytes of the destination, and a warp whole lines. The inverse of
 * the destination's layout gives the elements of these bytes. Bytes of a gap have no element.
 *
 *     nest    the rows, and the modes whose strides leave only small gaps between them
 *     outer   the other modes: each of their coordinates has a nest
 *
 * A window without gaps is stored in one access, at any addresses. A window in one row is loaded in
 * one access if it is aligned; otherwise it is cut out of two. Plain data, as a box.
 */
#ifndef CUTLET_DEVICE_WINDOW_H
#define CUTLET_DEVICE_WINDOW_H

#include "cut.h"
#include "plan_args.h"

/** The most windows of a thread. */
#define CT_WINDOW_EACH 4

/** The longest window, in bytes. Rows are at least as long. */
#define CT_WINDOW_BYTES 16

/** The alignment in bytes of the first window of a nest. */
#define CT_WINDOW_LINE 128

typedef struct ct_window {
    int32_t unit;         /* bytes that divide every address: 1, 2, 4, 8 or 16 */
    int32_t bytes;        /* of a window: 4 or 16, at least the unit */
    int32_t threads;      /* of a block */
    int32_t each;         /* windows of a thread: at most CT_WINDOW_EACH */
    int32_t row_bytes;
    int32_t nest, modes;  /* modes of the nest, the nearest first; all modes */
    int32_t nest_bytes;   /* from the first byte of a nest to the end of its last */
    int32_t blocks;       /* of one nest */
    ct_box_mode mode[CT_BOX_MODES];
    ct_plan_args at;      /* of the kernel for all windows */
} ct_window;

/** The place of a byte of the nest: its column in its row, in bytes, and the offset of the row in
 *  the source. on = 0: the byte has no element. */
typedef struct ct_window_byte {
    int64_t row;
    int32_t column;
    int on;
} ct_window_byte;

CT_DEVICE ct_window_byte ct_window_byte_of(const ct_window *plan, const int32_t byte)
{
    ct_window_byte p = {0, 0, 0};
    uint32_t rest = (uint32_t)byte;
    p.on = byte >= 0 && byte < plan->nest_bytes;
    CT_UNROLL
    for (int i = 0; i < CT_BOX_MODES; ++i) if (i < plan->nest) {
        const ct_box_mode *const m = &plan->mode[plan->nest - 1 - i]; /* the farthest first */
        const uint32_t at = rest / (uint32_t)m->dst;
        rest -= at * (uint32_t)m->dst;
        p.on = p.on && at < (uint32_t)m->extent;
        p.row += at * m->src;
    }
    p.column = (int32_t)rest;
    p.on = p.on && p.column < plan->row_bytes;
    return p;
}

/** Copies a window of several rows, or with a gap, unit by unit. */
CT_DEVICE void ct_window_pieces(const ct_window *plan, unsigned char *dst,
                                const unsigned char *src, const int32_t byte)
{
    const int unit = plan->unit, bytes = plan->bytes, last = bytes - unit;
    const ct_window_byte a = ct_window_byte_of(plan, byte);
    const ct_window_byte b = ct_window_byte_of(plan, byte + last);
    CT_FRAGMENT(uint32_t, v, 4) = {0, 0, 0, 0};
    int all = 1;
    CT_UNROLL
    for (int k = 0; k < CT_WINDOW_BYTES; ++k) if (k * unit < bytes) {
        const int in_a = a.on && a.column + k * unit < plan->row_bytes;
        const int in_b = b.on && b.column - last + k * unit >= 0;
        const int64_t at = in_a ? a.row + a.column + k * unit : b.row + b.column - last + k * unit;
        ct_load_global_if(in_a || in_b, (unsigned char *)v + k * unit, src + at, 8 * unit);
        all = all && (in_a || in_b);
    }
    if (all) {
        ct_store_global(dst + byte, v, 8 * bytes);
        return;
    }
    CT_UNROLL
    for (int k = 0; k < CT_WINDOW_BYTES; ++k) if (k * unit < bytes) {
        const int in_a = a.on && a.column + k * unit < plan->row_bytes;
        const int in_b = b.on && b.column - last + k * unit >= 0;
        ct_store_global_if(in_a || in_b, dst + byte + k * unit,
                           (const unsigned char *)v + k * unit, 8 * unit);
    }
}

/** Copies the windows of a thread in one nest. */
CT_DEVICE void ct_window_nest(const ct_window *plan, const ct_plan_args *args,
                              unsigned char *dst, const unsigned char *src, const uint32_t block)
{
    const int bytes = plan->bytes;
    const int32_t skew = (int32_t)((uint32_t)(uintptr_t)dst & (CT_WINDOW_LINE - 1));
    const uint32_t first = block * (uint32_t)(plan->threads * plan->each) + threadIdx.x;
    CT_FRAGMENT(uint32_t, v, 4 * CT_WINDOW_EACH);
    int whole[CT_WINDOW_EACH] = {0, 0, 0, 0};
    CT_UNROLL
    for (int k = 0; k < CT_WINDOW_EACH; ++k) if (k < plan->each) {
        const int32_t byte = (int32_t)(first + (uint32_t)(k * plan->threads)) * bytes - skew;
        const ct_window_byte p = ct_window_byte_of(plan, byte);
        const unsigned char *const at = src + p.row + p.column;
        const int32_t past = (int32_t)((uint32_t)(uintptr_t)at & (uint32_t)(bytes - 1));
        whole[k] = p.on && p.column + bytes <= plan->row_bytes &&
                   (plan->unit == bytes || (at - past >= (const unsigned char *)args->first &&
                                            at - past + 2 * bytes <=
                                                (const unsigned char *)args->end));
        if (whole[k] && plan->unit == bytes) ct_load_global(v + 4 * k, at, 8 * bytes);
        else if (whole[k] && bytes == 4) ct_load_cut(v + 4 * k, at, 4, plan->unit);
        else if (whole[k]) ct_load_cut(v + 4 * k, at, 16, plan->unit);
    }
    CT_UNROLL
    for (int k = 0; k < CT_WINDOW_EACH; ++k) if (k < plan->each) {
        const int32_t byte = (int32_t)(first + (uint32_t)(k * plan->threads)) * bytes - skew;
        if (whole[k]) ct_store_global(dst + byte, v + 4 * k, 8 * bytes);
        else if (plan->unit < bytes && byte < plan->nest_bytes)
            ct_window_pieces(plan, dst, src, byte);
    }
}

/** Copies the windows of this block. */
CT_DEVICE void ct_window_move(const ct_window *plan, const ct_plan_args *args)
{
    const unsigned char *src = (const unsigned char *)args->src;
    unsigned char *dst = (unsigned char *)args->dst;
    uint32_t rest = blockIdx.x / (uint32_t)plan->blocks;
    CT_UNROLL
    for (int k = 0; k < CT_BOX_MODES; ++k) if (k >= plan->nest && k < plan->modes) {
        const ct_box_mode *const m = &plan->mode[k];
        const uint32_t at = k + 1 < plan->modes ? rest % (uint32_t)m->extent : rest;
        rest /= (uint32_t)m->extent;
        src += at * m->src;
        dst += at * m->dst;
    }
    ct_window_nest(plan, args, dst, src, blockIdx.x % (uint32_t)plan->blocks);
}

#define ct_window_move(...) CT_CALL(ct_window_move, __VA_ARGS__)

#endif
