/* Units along one mode, and rows: copied or converted where they are. */
#include <string.h>

#include "cpu.h"

void ct_cpu_begin(ct_cpu_coord *coord, const ct_plan_form *f, int64_t index)
{
    coord->src = coord->dst = 0;
    for (int k = f->first; k < f->modes; ++k) {
        coord->at[k] = index % f->mode[k].extent;
        index /= f->mode[k].extent;
        coord->src += coord->at[k] * f->mode[k].src;
        coord->dst += coord->at[k] * f->mode[k].dst;
    }
}

void ct_cpu_next(ct_cpu_coord *coord, const ct_plan_form *f)
{
    for (int k = f->first; k < f->modes; ++k) {
        const ct_plan_mode m = f->mode[k];
        coord->src += m.src;
        coord->dst += m.dst;
        if (++coord->at[k] < m.extent) return;
        coord->at[k] = 0;
        coord->src -= m.extent * m.src;
        coord->dst -= m.extent * m.dst;
    }
}

/* Converts n units of any steps, block by block, through contiguous buffers. */
static void convert_along(const ct_cpu_job *r, unsigned char *dst, int64_t dst_step,
                          const unsigned char *src, int64_t src_step, int64_t n)
{
    const ct_conversion how = ct_plan_conversion(r->plan);
    const int32_t from = r->plan->form.src_bytes, to = r->plan->form.dst_bytes;
    _Alignas(16) unsigned char before[CT_CPU_BLOCK * 8], after[CT_CPU_BLOCK * 8];
    if (src_step == from && dst_step == to) {
        r->kernels->convert(dst, src, n, &how);
        return;
    }
    for (int64_t i = 0; i < n; i += CT_CPU_BLOCK) {
        const int64_t some = ct_min(CT_CPU_BLOCK, n - i);
        r->kernels->strided(before, from, src + i * src_step, src_step, some, from);
        r->kernels->convert(after, before, some, &how);
        r->kernels->strided(dst + i * dst_step, dst_step, after, to, some, to);
    }
}

void ct_cpu_along(const ct_cpu_job *r, unsigned char *dst, int64_t dst_step,
                  const unsigned char *src, int64_t src_step, int64_t n)
{
    const int32_t unit = r->plan->form.dst_bytes;
    if (r->plan->converts) convert_along(r, dst, dst_step, src, src_step, n);
    else if (src_step == unit && dst_step == unit && r->plan->choice.streams)
        r->kernels->stream(dst, 0, src, 0, 1, n * unit);
    else if (src_step == unit && dst_step == unit) memcpy(dst, src, (size_t)(n * unit));
    else r->kernels->strided(dst, dst_step, src, src_step, n, unit);
}

/* Copies whole contiguous rows, at once all along the first mode after the row. */
static void whole_rows(const ct_cpu_job *r, int64_t first, int64_t last)
{
    const ct_plan_form *const f = &r->plan->form;
    const int64_t bytes = f->mode[0].extent * f->dst_bytes;
    const ct_plan_mode m = f->mode[1];
    for (int64_t u = first, some = 0; u < last; u += some) {
        ct_cpu_coord p;
        ct_cpu_begin(&p, f, u);
        some = ct_min(m.extent - p.at[1], last - u);
        (r->plan->choice.streams ? r->kernels->stream : r->kernels->rows)(
            r->dst + p.dst, m.dst, r->src + p.src, m.src, some, bytes);
    }
}

void ct_cpu_rows(const ct_cpu_job *r, int64_t first, int64_t last)
{
    const ct_plan_form *const f = &r->plan->form;
    const ct_plan_mode row = f->mode[0];
    ct_cpu_coord p;
    if (f->kind == CT_FORM_ROWS && !r->plan->converts && r->pieces == 1) {
        whole_rows(r, first, last);
        return;
    }
    ct_cpu_begin(&p, f, first / r->pieces);
    for (int64_t u = first; u < last; ++u) {
        const int64_t from = u % r->pieces * r->piece, n = ct_min(r->piece, row.extent - from);
        ct_cpu_along(r, r->dst + p.dst + from * row.dst, row.dst, r->src + p.src + from * row.src,
                     row.src, n);
        if (u % r->pieces == r->pieces - 1) ct_cpu_next(&p, f);
    }
}
