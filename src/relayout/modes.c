/* The modes of a copy between two files, its division into blocks, and the placement of both ends
 * of a block in memory. */
#include <stdlib.h>
#include <string.h>

#include "job.h"

/* Elements that are no further apart are read together with the gap between them. */
enum { GAP_BYTES = 256 };

/* The largest factor by which a swizzle may lengthen windows. */
enum { WIDER = 4 };

void ct_relayout_set_modes(const ct_normal_form *f, ct_relayout_box *box)
{
    box->dst += f->first[0];
    box->src += f->first[1];
    box->modes = f->modes;
    for (int k = 0; k < f->modes; ++k)
        box->mode[k] =
            (ct_relayout_mode){f->mode[k].extent, f->mode[k].step[1], f->mode[k].step[0]};
}

int ct_relayout_cut(ct_layout src, ct_layout dst, ct_relayout_box *box)
{
    const ct_normal_side side[2] = {{dst, 1}, {src, 1}}; /* bytes are elements */
    const ct_normal_form f = ct_normalize(side, 2);
    if (f.err.status == CT_OK) ct_relayout_set_modes(&f, box);
    return f.err.status == CT_OK;
}

static int64_t step_of(const ct_relayout_box *box, int k, int is_dst)
{
    return is_dst ? box->mode[k].dst : box->mode[k].src;
}

/* The modes of more than one coordinate in order of their steps at an end; returns their number. */
static int in_order(const ct_relayout_box *box, int is_dst, const int64_t *extent, int *order)
{
    int n = 0;
    for (int k = 0; k < box->modes; ++k) {
        if (extent[k] == 1) continue;
        const int64_t step = ct_abs(step_of(box, k, is_dst));
        int at = n++;
        for (; at > 0 && ct_abs(step_of(box, order[at - 1], is_dst)) > step; --at)
            order[at] = order[at - 1];
        order[at] = k;
    }
    return n;
}

/* A number that no swizzled offset carries over: a power of two above all bits that take part. */
static int64_t period_of(ct_swizzle s)
{
    const int64_t bits = ct_swizzle_source(s) | ct_swizzle_target(s);
    int64_t period = 1;
    while (period <= bits) period *= 2;
    return s.bits > 0 ? period : 1;
}

/* The windows of a stage. Modes are inner ones while they are at most a gap apart; without a gap
 * they must continue where the previous ones end. Returns whether no two windows interleave. */
static int set_windows(const ct_relayout_box *box, int is_dst, const int64_t *extent,
                       int64_t gap_elems, ct_relayout_stage *s)
{
    int order[CT_PLAN_MODES], separate = 1;
    const int n = in_order(box, is_dst, extent, order);
    int64_t inside = 1, low = 0, reach;
    int i = 0;
    s->length = s->windows = 1;
    s->outers = 0;
    for (; i < n; ++i) {
        const int k = order[i];
        const int64_t step = step_of(box, k, is_dst), gap = ct_abs(step) - s->length;
        if (gap_elems > 0 ? gap > ct_max(s->length, gap_elems) : gap != 0) break;
        s->length += (extent[k] - 1) * ct_abs(step);
        low += step < 0 ? (extent[k] - 1) * step : 0;
        inside *= extent[k];
        s->step[k] = step;
    }
    s->base = -low;
    s->gaps = s->length > inside;
    reach = s->length;
    for (; i < n; ++i) {
        const int k = order[i];
        const int64_t step = ct_abs(step_of(box, k, is_dst));
        separate &= step >= reach;
        reach += (extent[k] - 1) * step;
        s->outer[s->outers++] = k;
        s->windows *= extent[k];
    }
    return separate;
}

/* Widens windows to multiples of the swizzle's period, so that the swizzle stays within each
 * window. If this would take far more memory, or windows begin at different offsets of a period,
 * each piece is transferred to its swizzled place. */
static void align_windows(const ct_relayout_end *end, const ct_relayout_box *box, int is_dst,
                          ct_relayout_stage *s)
{
    const int64_t period = period_of(end->swizzle), past = s->start % period;
    const int64_t length = ct_ceil_div_int(past + s->length, period) * period;
    s->chunked = length > WIDER * s->length;
    for (int i = 0; i < s->outers; ++i) {
        const int64_t step = ct_abs(step_of(box, s->outer[i], is_dst));
        s->chunked |= step % period != 0 || step < length;
    }
    if (s->chunked) return;
    s->gaps |= length > s->length;
    s->start -= past;
    s->base += past;
    s->length = length;
}

void ct_relayout_stage_of(const ct_relayout_end *end, const ct_relayout_box *box, int is_dst,
                          const int64_t *extent, int64_t first, ct_relayout_stage *s)
{
    memset(s, 0, sizeof *s);
    /* gaps are written back as they were read, unless windows interleave */
    if (!set_windows(box, is_dst, extent, GAP_BYTES / end->elem_bytes, s) && s->gaps && is_dst)
        set_windows(box, is_dst, extent, 0, s);
    s->start = first - s->base;
    if (end->swizzle.bits > 0) align_windows(end, box, is_dst, s);
    int64_t step = s->length;
    for (int i = 0; i < s->outers; ++i) {
        s->step[s->outer[i]] = step;
        step *= extent[s->outer[i]];
    }
}

/* The bytes that an end of a block takes at most, wherever it begins. */
static int64_t stage_bytes(const ct_relayout_end *end, const ct_relayout_box *box, int is_dst,
                           const int64_t *extent)
{
    ct_relayout_end plain = *end;
    ct_relayout_stage s;
    int ok = 1;
    plain.swizzle = ct_swizzle_none();
    ct_relayout_stage_of(&plain, box, is_dst, extent, 0, &s);
    const int64_t more = ct_min((WIDER - 1) * s.length, 2 * period_of(end->swizzle));
    const int64_t length = s.length + (end->swizzle.bits > 0 ? more : 0);
    const int64_t bytes = ct_mul(ct_mul(length, s.windows, &ok), end->elem_bytes, &ok);
    return ok ? bytes : INT64_MAX / 8;
}

/* The memory of a block: both ends, and copies of its elements. */
static int64_t block_bytes(const ct_relayout_end *src, const ct_relayout_end *dst,
                           const ct_relayout_box *box, int packed, const int64_t *extent)
{
    int ok = 1;
    int64_t elems = 1;
    for (int k = 0; k < box->modes; ++k) elems = ct_mul(elems, extent[k], &ok);
    elems = ct_mul(elems, (int64_t)packed * src->elem_bytes, &ok);
    const int64_t bytes = ct_add(
        elems, ct_add(stage_bytes(src, box, 0, extent), stage_bytes(dst, box, 1, extent), &ok),
        &ok);
    return ok ? bytes : INT64_MAX;
}

/* The mode along which an end continues next, or -1; *run is its current contiguous length. */
static int next_mode(const ct_relayout_box *box, int is_dst, const int64_t *extent,
                     const int *stuck, int64_t *run)
{
    int64_t all[CT_PLAN_MODES];
    int order[CT_PLAN_MODES];
    *run = 1;
    for (int k = 0; k < box->modes; ++k) all[k] = box->mode[k].extent;
    const int n = in_order(box, is_dst, all, order);
    for (int i = 0; i < n; ++i) {
        const int k = order[i];
        *run *= extent[k];
        if (extent[k] < all[k] && !stuck[k]) return k;
    }
    return -1;
}

void ct_relayout_extents(const ct_relayout_end *src, const ct_relayout_end *dst,
                         const ct_relayout_box *box, int packed, int64_t memory, int64_t *extent,
                         int64_t bytes[2])
{
    int stuck[CT_PLAN_MODES] = {0}, long_ones = 0;
    for (int k = 0; k < box->modes; ++k) extent[k] = 1;
    for (;;) { /* both ends alternately, so that each has long runs */
        int64_t src_run, dst_run;
        const int a = next_mode(box, 0, extent, stuck, &src_run);
        const int b = next_mode(box, 1, extent, stuck, &dst_run);
        if (a < 0) break; /* the same modes are left to both */
        const int k = src_run * src->elem_bytes < dst_run * dst->elem_bytes ? a : b;
        const int64_t was = extent[k], most = ct_min(box->mode[k].extent, 2 * was);
        if (was == 1 && long_ones == CT_MAX_LEAVES) {
            stuck[k] = 1; /* no layout has more modes */
            continue;
        }
        int64_t low = was, high = most + 1; /* bounds: this number fits, this one does not */
        while (high - low > 1) {
            const int64_t middle = high == most + 1 ? most : low + (high - low) / 2;
            extent[k] = middle;
            if (block_bytes(src, dst, box, packed, extent) <= memory) low = middle;
            else high = middle;
        }
        extent[k] = low;
        stuck[k] = low < most;
        long_ones += was == 1 && low > 1;
    }
    bytes[0] = stage_bytes(src, box, 0, extent);
    bytes[1] = stage_bytes(dst, box, 1, extent);
}
