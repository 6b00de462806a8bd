/* The copy in its simplest form: the modes of both layouts cut to a common shape, turned, sorted,
 * merged, and the kind of copy that is left. */
#include <string.h>

#include "cutlet/coalesce.h"
#include "plan.h"

/* Adds a mode with its steps; one of a single coordinate is none. A destination that runs backwards is
 * turned round: the same elements, from the other end. */
static void add_mode(ct_plan_form *f, int64_t extent, int64_t src, int64_t dst)
{
    if (extent == 1) return;
    if (dst < 0) {
        f->src_base += (extent - 1) * src;
        f->dst_base += (extent - 1) * dst;
        src = -src;
        dst = -dst;
    }
    int k = f->modes++;
    for (; k > 0 && f->mode[k - 1].dst > dst; --k) f->mode[k] = f->mode[k - 1];
    f->mode[k].extent = extent;
    f->mode[k].src = src;
    f->mode[k].dst = dst;
}

/* Leaf by leaf. 0 where a leaf of one does not end with leaves of the other. No step overflows: the
 * spans in bytes were checked. */
int ct_plan_cut(ct_plan_form *f, const ct_plan_desc *desc)
{
    memset(f, 0, sizeof *f);
    f->src_bytes = desc->src.elem_bytes;
    f->dst_bytes = desc->dst.elem_bytes;
    f->src_base = desc->src.memory.offset.value[0] * f->src_bytes;
    f->dst_base = desc->dst.memory.offset.value[0] * f->dst_bytes;
    const ct_layout a = ct_coalesce(desc->src.memory.layout), b = ct_coalesce(desc->dst.memory.layout);
    int i = 0, k = 0;
    int64_t a_left = a.shape[0], b_left = b.shape[0];
    int64_t a_step = a.stride[0] * f->src_bytes, b_step = b.stride[0] * f->dst_bytes;
    for (;;) {
        const int64_t extent = ct_min(a_left, b_left);
        if (a_left % extent != 0 || b_left % extent != 0) return 0;
        add_mode(f, extent, a_step, b_step);
        a_left /= extent;
        b_left /= extent;
        a_step *= a_left > 1 ? extent : 1;
        b_step *= b_left > 1 ? extent : 1;
        if (a_left == 1 && ++i < a.profile.leaves) {
            a_left = a.shape[i];
            a_step = a.stride[i] * f->src_bytes;
        }
        if (b_left == 1 && ++k < b.profile.leaves) {
            b_left = b.shape[k];
            b_step = b.stride[k] * f->dst_bytes;
        }
        if (i >= a.profile.leaves && k >= b.profile.leaves) return 1;
    }
}

/* Joins each mode to the one before it where it goes on on both sides. */
static void merge(ct_plan_form *f)
{
    int n = 0;
    for (int i = 0; i < f->modes; ++i) {
        const ct_plan_mode m = f->mode[i];
        ct_plan_mode *const last = &f->mode[n > 0 ? n - 1 : 0];
        if (n > 0 && m.src == last->src * last->extent && m.dst == last->dst * last->extent)
            last->extent *= m.extent;
        else f->mode[n++] = m;
    }
    f->modes = n;
}

static int is_row(const ct_plan_form *f)
{
    return f->modes > 0 && f->mode[0].src == f->src_bytes && f->mode[0].dst == f->dst_bytes;
}

/* Elements of an odd size as a row of the largest power of two that divides it. */
static void split_elements(ct_plan_form *f)
{
    const int32_t bytes = f->src_bytes, unit = bytes & -bytes;
    if (unit == bytes) return;
    f->src_bytes = f->dst_bytes = unit;
    add_mode(f, bytes / unit, unit, unit);
}

/* A row of 2, 4, 8 or 16 bytes becomes the unit: so pairs can be transposed as elements are. */
static void widen_units(ct_plan_form *f)
{
    const int64_t bytes = is_row(f) ? f->mode[0].extent * f->src_bytes : 0;
    if (bytes < 2 || bytes > 16 || (bytes & (bytes - 1)) != 0) return;
    f->src_bytes = f->dst_bytes = (int32_t)bytes;
    memmove(f->mode, f->mode + 1, sizeof *f->mode * (size_t)--f->modes);
}

/* Moves mode k to the front. */
static void bring_forward(ct_plan_form *f, int k)
{
    const ct_plan_mode m = f->mode[k];
    memmove(f->mode + 1, f->mode, sizeof m * (size_t)k);
    f->mode[0] = m;
}

/* What kind of copy the modes are, the one or two that matter in front. */
static void classify(ct_plan_form *f)
{
    f->first = 1;
    if (f->modes == 0) {
        f->mode[f->modes++] = (ct_plan_mode){1, f->src_bytes, f->dst_bytes};
        f->kind = CT_FORM_CONTIGUOUS;
        return;
    }
    if (is_row(f)) {
        f->kind = f->modes == 1 ? CT_FORM_CONTIGUOUS : CT_FORM_ROWS;
        return;
    }
    int along = -1; /* the mode with the shortest step in the source, repetitions left out */
    for (int k = 0; k < f->modes; ++k) {
        if (f->mode[k].src != 0 &&
            (along < 0 || ct_abs(f->mode[k].src) < ct_abs(f->mode[along].src)))
            along = k;
    }
    f->kind = CT_FORM_STRIDED;
    if (along <= 0 || f->mode[0].src == 0) return;
    bring_forward(f, along);
    f->first = 2;
    f->kind = CT_FORM_TILES;
}

void ct_plan_normalize(ct_plan *plan)
{
    const ct_plan_desc *const d = &plan->desc;
    ct_plan_form *const f = &plan->form;
    memset(f, 0, sizeof *f);
    if (plan->size == 0) return;
    const int is_plain = d->src.memory.swizzle.bits == 0 && d->dst.memory.swizzle.bits == 0;
    if (!is_plain || !ct_plan_cut(f, d)) {
        f->kind = CT_FORM_INDEXED;
        f->modes = 0;
        f->src_bytes = d->src.elem_bytes;
        f->dst_bytes = d->dst.elem_bytes;
        f->src_base = d->src.memory.offset.value[0] * f->src_bytes;
        f->dst_base = d->dst.memory.offset.value[0] * f->dst_bytes;
        return;
    }
    if (!plan->converts) split_elements(f);
    merge(f);
    if (!plan->converts && plan->backend->any_address) widen_units(f);
    classify(f);
}
