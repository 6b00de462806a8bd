/* Copies that compute the offset of each element: for swizzled sides, and for shapes that have no
 * common refinement. */
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include <cutlet/algebra/tensor_ops.h>

/* An iteration over a layout, index by index. */
typedef struct walk {
    const ct_layout *layout;
    int64_t at[CT_MAX_LEAVES], offset;
} walk;

static walk begin_walk(const ct_tensor *c, int64_t index)
{
    walk w = {.layout = &c->layout, .offset = c->offset.value[0]};
    for (int k = 0; k < c->layout.profile.leaves; ++k) {
        w.at[k] = index % c->layout.shape[k];
        index /= c->layout.shape[k];
        w.offset += w.at[k] * c->layout.stride[k];
    }
    return w;
}

static void next(walk *w)
{
    const ct_layout *const L = w->layout;
    for (int k = 0; k < L->profile.leaves; ++k) {
        w->offset += L->stride[k];
        if (++w->at[k] < L->shape[k]) return;
        w->at[k] = 0;
        w->offset -= L->shape[k] * L->stride[k];
    }
}

/* Whether both sides join the same n contiguous elements: only one leaf became shorter, the same on
 * both sides, with stride 1. */
static int same_leaf(const ct_plan_desc *d, const ct_tensor *src, const ct_tensor *dst, int64_t n)
{
    const ct_layout *const a = &d->src.memory.layout, *const b = &d->dst.memory.layout;
    int shorter = 0;
    if (a->profile.leaves != b->profile.leaves) return 0;
    for (int k = 0; k < a->profile.leaves; ++k) {
        if (a->shape[k] != b->shape[k] || src->layout.shape[k] != dst->layout.shape[k]) return 0;
        if (a->shape[k] == src->layout.shape[k]) continue;
        if (a->stride[k] != 1 || b->stride[k] != 1) return 0;
        if (a->shape[k] != n * src->layout.shape[k]) return 0;
        ++shorter;
    }
    return shorter == 1;
}

ct_cpu_indexed *ct_cpu_index(const ct_plan *plan)
{
    const ct_plan_desc *const d = &plan->desc;
    const int32_t bytes = d->src.elem_bytes;
    ct_cpu_indexed *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    x->src = d->src.memory;
    x->dst = d->dst.memory;
    x->size = plan->size;
    x->unit = bytes;
    const int upward = ct_lowest(x->src.layout) == 0 && ct_lowest(x->dst.layout) == 0;
    if (plan->converts || !upward || (bytes & (bytes - 1)) != 0) return x;
    for (int64_t n = 16 / bytes; n > 1; n /= 2) {
        const ct_tensor src = ct_tensor_upcast(d->src.memory, n);
        const ct_tensor dst = ct_tensor_upcast(d->dst.memory, n);
        if (src.layout.err.status || dst.layout.err.status || !same_leaf(d, &src, &dst, n))
            continue;
        x->src = src;
        x->dst = dst;
        x->size = plan->size / n;
        x->unit = (int32_t)n * bytes;
        break;
    }
    return x;
}

static void copy_unit(unsigned char *dst, const unsigned char *src, int32_t unit)
{
    switch (unit) {
        case 1: *dst = *src; break;
        case 2: memcpy(dst, src, 2); break;
        case 4: memcpy(dst, src, 4); break;
        case 8: memcpy(dst, src, 8); break;
        case 16: memcpy(dst, src, 16); break;
        default: memcpy(dst, src, (size_t)unit);
    }
}

/* Converts blocks of elements: gathers, converts, scatters. */
static void convert_range(const ct_cpu_job *r, walk *from, walk *to, int64_t count)
{
    const ct_cpu_indexed *const x = r->plan->state;
    const ct_conversion how = ct_plan_conversion(r->plan);
    const int32_t src_bytes = r->plan->form.src_bytes, dst_bytes = r->plan->form.dst_bytes;
    const unsigned char *const src = r->src - r->plan->form.src_base; /* offsets include the base */
    unsigned char *const dst = r->dst - r->plan->form.dst_base;
    _Alignas(16) unsigned char before[CT_CPU_BLOCK * 8], after[CT_CPU_BLOCK * 8];
    for (int64_t i = 0; i < count; i += CT_CPU_BLOCK) {
        const int64_t some = ct_min(CT_CPU_BLOCK, count - i);
        for (int64_t k = 0; k < some; ++k, next(from))
            copy_unit(before + k * src_bytes,
                      src + ct_swizzle_apply(x->src.swizzle, from->offset) * src_bytes, src_bytes);
        r->kernels->convert(after, before, some, &how);
        for (int64_t k = 0; k < some; ++k, next(to))
            copy_unit(dst + ct_swizzle_apply(x->dst.swizzle, to->offset) * dst_bytes,
                      after + k * dst_bytes, dst_bytes);
    }
}

void ct_cpu_indexed_range(const ct_cpu_job *r, int64_t first, int64_t last)
{
    const ct_cpu_indexed *const x = r->plan->state;
    walk from = begin_walk(&x->src, first), to = begin_walk(&x->dst, first);
    const unsigned char *const src = r->src - r->plan->form.src_base;
    unsigned char *const dst = r->dst - r->plan->form.dst_base;
    if (r->plan->converts) {
        convert_range(r, &from, &to, last - first);
        return;
    }
    for (int64_t i = first; i < last; ++i, next(&from), next(&to))
        copy_unit(dst + ct_swizzle_apply(x->dst.swizzle, to.offset) * x->unit,
                  src + ct_swizzle_apply(x->src.swizzle, from.offset) * x->unit, x->unit);
}
