/* Rows of a copy plan, moved by the copy engines. */
#include "rows.h"

#include <string.h>

/* The most calls that one copy is worth, and the longest pitch that the driver takes. */
enum { MOST_CALLS = 64 };
#define MOST_PITCH ((int64_t)INT32_MAX)

/* Whether mode m can be the rows of one call. */
static int is_pitch(const ct_plan_mode *m, int64_t row_bytes)
{
    return m->src >= row_bytes && m->dst >= row_bytes && m->src <= MOST_PITCH &&
           m->dst <= MOST_PITCH;
}

int ct_rows_of(const ct_plan *plan, int64_t least_bytes, ct_rows *r)
{
    const ct_plan_form *const f = &plan->form;
    int64_t calls = 1;
    int best = -1;
    if (plan->converts || f->kind != CT_FORM_ROWS || least_bytes < 0) return 0;
    memset(r, 0, sizeof *r);
    r->src_at = f->src_base;
    r->dst_at = f->dst_base;
    r->row_bytes = f->mode[0].extent * f->src_bytes;
    if (r->row_bytes < least_bytes) return 0;
    for (int k = 1; k < f->modes; ++k)
        if (is_pitch(&f->mode[k], r->row_bytes) &&
            (best < 0 || f->mode[k].extent > f->mode[best].extent))
            best = k;
    r->rows = (ct_plan_mode){1, r->row_bytes, r->row_bytes};
    if (best >= 0) r->rows = f->mode[best];
    for (int k = 1; k < f->modes; ++k) {
        if (k == best) continue;
        if (f->mode[k].extent > MOST_CALLS / calls) return 0;
        calls *= f->mode[k].extent;
        r->mode[r->modes++] = f->mode[k];
    }
    return 1;
}

int ct_rows_start(const ct_driver *driver, const ct_rows *r, void *dst, const void *src,
                  void *stream)
{
    int64_t calls = 1;
    for (int k = 0; k < r->modes; ++k) calls *= r->mode[k].extent;
    for (int64_t i = 0; i < calls; ++i) {
        uint64_t from = (uint64_t)(uintptr_t)src + (uint64_t)r->src_at;
        uint64_t to = (uint64_t)(uintptr_t)dst + (uint64_t)r->dst_at;
        for (int64_t k = 0, rest = i; k < r->modes; rest /= r->mode[k++].extent) {
            from += (uint64_t)(rest % r->mode[k].extent * r->mode[k].src);
            to += (uint64_t)(rest % r->mode[k].extent * r->mode[k].dst);
        }
        const ct_driver_rows rows = {
            .src = {.type = CT_MEMORY_UNIFIED, .address = from, .pitch = (size_t)r->rows.src},
            .dst = {.type = CT_MEMORY_UNIFIED, .address = to, .pitch = (size_t)r->rows.dst},
            .row_bytes = (size_t)r->row_bytes,
            .rows = (size_t)r->rows.extent};
        const int bad = driver->copy_rows(&rows, stream);
        if (bad) return bad;
    }
    return 0;
}
