/**
 * A copy of rows through the destination's memory; device/window_plan.h says what a window is.
 *
 * Stores are of 16 bytes but at gaps, whatever the addresses are; loads are of 16 bytes where the
 * window lies in one row, cut out of two where they are not aligned.
 */
#ifndef CUTLET_DEVICE_WINDOW_H
#define CUTLET_DEVICE_WINDOW_H

#include "run.h"
#include "window_plan.h"

/** The place of a byte of the nest: the byte in its row, and where the row begins in the source;
 *  column < 0 or >= row_bytes, or on = 0: no element is there. */
typedef struct ct_window_place {
    int64_t row;
    int32_t column;
    int on;
} ct_window_place;

CT_DEVICE ct_window_place ct_window_place_of(const ct_window_plan *plan, const int32_t byte)
{
    ct_window_place p = {0, 0, 0};
    uint32_t rest = (uint32_t)byte;
    p.on = byte >= 0 && byte < plan->nest_bytes;
    CT_UNROLL
    for (int i = 0; i < CT_WINDOW_MODES; ++i) if (i < plan->nest) {
        const ct_window_mode *const m = &plan->mode[plan->nest - 1 - i]; /* the farthest first */
        const uint32_t at = rest / (uint32_t)m->dst;
        rest -= at * (uint32_t)m->dst;
        p.on = p.on && at < (uint32_t)m->extent;
        p.row += at * m->src;
    }
    p.column = (int32_t)rest;
    p.on = p.on && p.column < plan->row_bytes;
    return p;
}

/** A window of several rows or with a gap, unit by unit. */
CT_DEVICE void ct_window_pieces(const ct_window_plan *plan, unsigned char *dst,
                                const unsigned char *src, const int32_t byte)
{
    const int unit = plan->unit, last = CT_WINDOW_BYTES - unit;
    const ct_window_place a = ct_window_place_of(plan, byte);
    const ct_window_place b = ct_window_place_of(plan, byte + last);
    CT_FRAGMENT(uint32_t, v, 4) = {0, 0, 0, 0};
    int all = 1;
    CT_UNROLL
    for (int k = 0; k < CT_WINDOW_BYTES; ++k) if (k * unit < CT_WINDOW_BYTES) {
        const int in_a = a.on && a.column + k * unit < plan->row_bytes;
        const int in_b = b.on && b.column - last + k * unit >= 0;
        const int64_t at = in_a ? a.row + a.column + k * unit : b.row + b.column - last + k * unit;
        ct_load_global_if(in_a || in_b, (unsigned char *)v + k * unit, src + at, 8 * unit);
        all = all && (in_a || in_b);
    }
    if (all) {
        ct_store_global(dst + byte, v, 8 * CT_WINDOW_BYTES);
        return;
    }
    CT_UNROLL
    for (int k = 0; k < CT_WINDOW_BYTES; ++k) if (k * unit < CT_WINDOW_BYTES) {
        const int in_a = a.on && a.column + k * unit < plan->row_bytes;
        const int in_b = b.on && b.column - last + k * unit >= 0;
        ct_store_global_if(in_a || in_b, dst + byte + k * unit,
                           (const unsigned char *)v + k * unit, 8 * unit);
    }
}

/** Copies the windows of this block, one a thread. */
CT_DEVICE void ct_window(const ct_window_plan *plan, const ct_window_args *args)
{
    const unsigned char *src = (const unsigned char *)args->src;
    unsigned char *dst = (unsigned char *)args->dst;
    const uint32_t block = blockIdx.x % (uint32_t)plan->blocks;
    uint32_t rest = blockIdx.x / (uint32_t)plan->blocks;
    CT_UNROLL
    for (int k = 0; k < CT_WINDOW_MODES; ++k) if (k >= plan->nest && k < plan->modes) {
        const ct_window_mode *const m = &plan->mode[k];
        const uint32_t at = k + 1 < plan->modes ? rest % (uint32_t)m->extent : rest;
        rest /= (uint32_t)m->extent;
        src += at * m->src;
        dst += at * m->dst;
    }
    const int32_t skew = (int32_t)((uint32_t)(uintptr_t)dst & (CT_WINDOW_BYTES - 1));
    const int32_t byte =
        (int32_t)(block * (uint32_t)plan->threads + threadIdx.x) * CT_WINDOW_BYTES - skew;
    if (byte >= plan->nest_bytes) return;
    const ct_window_place p = ct_window_place_of(plan, byte);
    const unsigned char *const at = src + p.row + p.column;
    const unsigned char *const aligned = at - ct_run_skew(at, CT_WINDOW_BYTES);
    if (p.on && p.column + CT_WINDOW_BYTES <= plan->row_bytes &&
        aligned >= (const unsigned char *)args->first &&
        aligned + 2 * CT_WINDOW_BYTES <= (const unsigned char *)args->end) {
        CT_FRAGMENT(uint32_t, v, 4);
        ct_vector_load_cut(v, at, CT_WINDOW_BYTES, plan->unit);
        ct_store_global(dst + byte, v, 8 * CT_WINDOW_BYTES);
    } else {
        ct_window_pieces(plan, dst, src, byte);
    }
}

#endif
