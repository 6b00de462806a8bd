/* Copies of rows in the order of the destination's memory. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "gpu.h"

enum { LONGEST_NEST = 1 << 30, SHORT_NEST = 4096, SHORT_ROW = 16, MOST_BYTES = 16 };

/* Takes modes into the nest: it grows while gaps are less than a fifth of it. Returns its bytes. */
static int64_t take_nest(ct_vectors *w)
{
    int64_t bytes = w->row_bytes, payload = w->row_bytes;
    for (; w->nest < w->modes; ++w->nest) {
        const ct_box_mode *const m = &w->mode[w->nest];
        const int64_t span = (m->extent - 1) * m->dst + bytes;
        if (m->dst < bytes || span > LONGEST_NEST || span > payload * m->extent * 5 / 4) break;
        payload *= m->extent;
        bytes = span;
    }
    return bytes;
}

static int make(const ct_plan *plan, const ct_plan_form *form, int nth, ct_gpu_launch *launch)
{
    ct_vectors *const w = &launch->args.vectors;
    const ct_plan_mode *const row = &form->mode[0];
    const int64_t bytes = row->extent * form->src_bytes;
    int64_t all = ct_gcd(ct_gcd(launch->src_align, launch->dst_align),
                         ct_gcd(form->src_base, form->dst_base));
    (void)plan;
    (void)nth;
    memset(w, 0, sizeof *w);
    launch->resident = launch->shared_bytes = 0;
    if (row->src != form->src_bytes || row->dst != form->dst_bytes || bytes < SHORT_ROW ||
        bytes > LONGEST_NEST)
        return -1;
    all = ct_gcd(all, bytes);
    w->row_bytes = (int32_t)bytes;
    for (int k = 1; k < form->modes; ++k) {
        ct_gpu_add_mode(w->mode, &w->modes, &form->mode[k]);
        all = ct_gcd(all, ct_gcd(form->mode[k].src, form->mode[k].dst));
    }
    w->bytes = (int32_t)ct_power_of_two(all, MOST_BYTES);
    if (w->bytes < 4) return -1; /* misaligned rows are staged */
    w->threads = 256;
    w->each = w->bytes == MOST_BYTES ? 1 : CT_VECTORS_EACH;
    const int64_t span = take_nest(w);
    if (span < SHORT_NEST) return -1; /* most threads would have nothing to do */
    w->nest_bytes = (int32_t)span;
    w->blocks = (int32_t)ct_ceil_div_int(span + CT_VECTORS_LINE - 1,
                                         (int64_t)w->threads * w->each * w->bytes);
    launch->threads = (uint32_t)w->threads;
    launch->modes = w->modes;
    return ct_gpu_set_blocks(launch, w->blocks, w->mode, w->nest, w->modes);
}

/* Rows at multiples of 4 or 8 bytes, unless boxes of them would be transposed. */
static int choose(const ct_plan *plan, const ct_plan_form *form, ct_gpu_launch *launch)
{
    if (form->kind != CT_FORM_ROWS || make(plan, form, 0, launch) ||
        launch->args.vectors.bytes == MOST_BYTES)
        return -1;
    if (ct_gpu_box.make(plan, form, 0, launch) || launch->box.staged) return -1;
    return make(plan, form, 0, launch);
}

static int say(const ct_gpu_launch *launch, char *buf, size_t size)
{
    const ct_vectors *const w = &launch->args.vectors;
    return snprintf(buf, size, "%u blocks of %d vectors of %d bytes, rows of %d, nests of %d",
                    launch->grid[0], w->threads * w->each, w->bytes, w->row_bytes, w->nest_bytes);
}

static const ct_gpu_field fields[] = {
    CT_GPU_ZEROS(ct_vectors, at),
    CT_GPU_MEMBERS(ct_vectors, bytes, blocks),
    CT_GPU_STRUCTS(ct_vectors, mode, ct_box_mode, ct_gpu_mode_fields),
    {0}};

const ct_gpu_engine ct_gpu_vectors = {.name = "vectors",
                                      .inside = "ct_vectors_any",
                                      .choose = choose,
                                      .make = make,
                                      .variants = 1,
                                      .args_bytes = sizeof(ct_vectors),
                                      .fields = fields,
                                      .say = say};
