/* Copies of rows in the order of the destination's memory. */
#include <string.h>

#include "gpu.h"

enum { LONGEST_NEST = 1 << 30, SHORT_NEST = 4096, SHORT_ROW = 16, MOST_BYTES = 16 };

/* The number of modes in the nest: it grows while gaps are less than a fifth of it. */
static int nest_of(const ct_window *w)
{
    int n = 0;
    int64_t bytes = w->row_bytes, payload = w->row_bytes;
    while (n < w->modes) {
        const ct_box_mode *const m = &w->mode[n];
        const int64_t span = (m->extent - 1) * m->dst + bytes;
        if (m->dst < bytes || span > LONGEST_NEST || span > payload * m->extent * 5 / 4) break;
        payload *= m->extent;
        bytes = span;
        ++n;
    }
    return n;
}

int ct_gpu_windows(const ct_plan *plan, const ct_plan_form *form, int64_t src_align,
                   int64_t dst_align, ct_gpu_launch *launch)
{
    ct_window *const w = &launch->window;
    const ct_plan_mode *const row = &form->mode[0];
    const int64_t bytes = row->extent * form->src_bytes;
    int64_t all = ct_gcd(ct_gcd(src_align, dst_align), ct_gcd(form->src_base, form->dst_base));
    memset(w, 0, sizeof *w);
    if (plan->converts || row->src != form->src_bytes || row->dst != form->dst_bytes ||
        bytes < SHORT_ROW || bytes > LONGEST_NEST || form->modes > CT_BOX_MODES)
        return -1;
    all = ct_gcd(all, bytes);
    w->row_bytes = (int32_t)bytes;
    for (int k = 1; k < form->modes; ++k) {
        w->mode[w->modes++] =
            (ct_box_mode){form->mode[k].extent, form->mode[k].src, form->mode[k].dst, 1, -1};
        all = ct_gcd(all, ct_gcd(form->mode[k].src, form->mode[k].dst));
    }
    w->bytes = (int32_t)ct_power_of_two(all, MOST_BYTES);
    if (w->bytes < 4) return -1; /* misaligned rows are staged */
    w->threads = 256;
    w->each = w->bytes == MOST_BYTES ? 1 : CT_WINDOW_EACH;
    w->nest = nest_of(w);
    int64_t span = bytes, blocks = 1;
    for (int k = 0; k < w->nest; ++k) span += (w->mode[k].extent - 1) * w->mode[k].dst;
    if (span < SHORT_NEST) return -1; /* most threads would have nothing to do */
    w->nest_bytes = (int32_t)span;
    w->blocks = (int32_t)ct_ceil_div_int(span + CT_WINDOW_LINE - 1,
                                         (int64_t)w->threads * w->each * w->bytes);
    blocks = w->blocks;
    for (int k = w->nest; k < w->modes; ++k) {
        if (blocks > INT32_MAX / w->mode[k].extent) return -1;
        blocks *= w->mode[k].extent;
    }
    launch->kind = CT_GPU_WINDOWS;
    launch->src_base = form->src_base;
    launch->dst_base = form->dst_base;
    launch->grid[0] = (uint32_t)blocks;
    launch->grid[1] = launch->grid[2] = 1;
    launch->threads = (uint32_t)w->threads;
    launch->shared_bytes = 0;
    return 0;
}
