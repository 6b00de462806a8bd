/* The normal form of a copy: the common modes of both layouts, and the kind of copy. */
#include <string.h>

#include <cutlet/algebra/normalize.h>
#include "plan.h"

/* Sets the common modes of both sides. in_units: elements whose size is not a power of two become
 * rows of units. A unit is the largest power of two that divides the size. */
int ct_plan_cut(ct_plan_form *f, const ct_plan_desc *desc, int in_units)
{
    const int32_t bytes = desc->src.elem_bytes, unit = in_units ? bytes & -bytes : bytes;
    const ct_normal_side side[2] = {{desc->dst.memory.layout, desc->dst.elem_bytes},
                                    {desc->src.memory.layout, bytes}};
    ct_normal_form n = ct_normalize(side, 2);
    memset(f, 0, sizeof *f);
    if (unit < bytes) {
        ct_normal_insert(&n, (ct_normal_mode){bytes / unit, {unit, unit}});
        ct_normal_join(&n);
    }
    if (n.err.status) return 0;
    f->src_bytes = unit;
    f->dst_bytes = unit < bytes ? unit : desc->dst.elem_bytes;
    f->src_base = desc->src.memory.offset.value[0] * bytes + n.first[1];
    f->dst_base = desc->dst.memory.offset.value[0] * desc->dst.elem_bytes + n.first[0];
    for (int k = 0; k < n.modes; ++k)
        f->mode[f->modes++] =
            (ct_plan_mode){n.mode[k].extent, n.mode[k].step[1], n.mode[k].step[0]};
    return 1;
}

static int is_row(const ct_plan_form *f)
{
    return f->modes > 0 && f->mode[0].src == f->src_bytes && f->mode[0].dst == f->dst_bytes;
}

/* Makes a row of 2, 4, 8 or 16 bytes the unit: so pairs are transposed like elements. */
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

/* Sets the kind of copy, and moves the one or two modes that determine it to the front. */
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
    int along = -1; /* the mode with the shortest step in the source that is not 0 */
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

ct_conversion ct_plan_conversion(const ct_plan *plan)
{
    const ct_plan_desc *const d = &plan->desc;
    const ct_conversion none = {CT_TYPE_RAW, CT_TYPE_RAW, 0, 1};
    return plan->converts ? (ct_conversion){d->src.type, d->dst.type, d->has_scale, d->scale}
                          : none;
}

void ct_plan_normalize(ct_plan *plan)
{
    const ct_plan_desc *const d = &plan->desc;
    ct_plan_form *const f = &plan->form;
    memset(f, 0, sizeof *f);
    if (plan->size == 0) return;
    const int is_plain = d->src.memory.swizzle.bits == 0 && d->dst.memory.swizzle.bits == 0;
    if (!is_plain || !ct_plan_cut(f, d, !plan->converts)) {
        f->kind = CT_FORM_INDEXED;
        f->src_bytes = d->src.elem_bytes;
        f->dst_bytes = d->dst.elem_bytes;
        f->src_base = d->src.memory.offset.value[0] * f->src_bytes;
        f->dst_base = d->dst.memory.offset.value[0] * f->dst_bytes;
        return;
    }
    if (!plan->converts && plan->backend->any_address) widen_units(f);
    classify(f);
}
