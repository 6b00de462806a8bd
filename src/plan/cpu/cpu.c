/* The CPU backend: a copy is divided into tasks, which the threads of the pool execute. */
#include "cpu.h"

#include <stdlib.h>

#include "base/pool.h"

enum { TASKS_PER_THREAD = 8, PIECE_BYTES = 1 << 18 };

const ct_kernels *ct_kernels_chosen(void)
{
#if defined(CT_HAS_KERNELS_AVX2)
    if (__builtin_cpu_supports("avx2")) return &ct_kernels_avx2;
#endif
    return &ct_kernels_any;
}

static void do_task(void *user, int64_t task)
{
    const ct_cpu_job *const r = user;
    const int64_t each = r->units / r->tasks, more = r->units % r->tasks;
    const int64_t first = task * each + ct_min(task, more), last = first + each + (task < more);
    if (r->plan->form.kind == CT_FORM_TILES) ct_cpu_tiles(r, first, last);
    else if (r->plan->form.kind == CT_FORM_INDEXED) ct_cpu_indexed_range(r, first, last);
    else ct_cpu_rows(r, first, last);
    if (r->plan->choice.streams) r->kernels->settle();
}

/* Counts the units of work: tiles, elements, or rows, cut into pieces if there are few rows. */
static void count_units(ct_cpu_job *r)
{
    const ct_plan *const p = r->plan;
    const ct_plan_form *const f = &p->form;
    const int32_t threads = p->choice.threads;
    r->units = 1;
    for (int k = f->first; k < f->modes; ++k) r->units *= f->mode[k].extent;
    r->piece = f->mode[0].extent;
    r->pieces = 1;
    if (f->kind == CT_FORM_INDEXED) {
        r->units = ((const ct_cpu_indexed *)p->state)->size;
    } else if (f->kind == CT_FORM_TILES) {
        r->tiling = ct_cpu_tiling_chosen(p, &p->choice);
        r->tiles_src = ct_ceil_div_int(r->tiling->n_along, p->choice.tile_src);
        r->tiles_dst = ct_ceil_div_int(r->tiling->n_across, p->choice.tile_dst);
        r->units = r->tiles_src * r->tiles_dst;
        for (int k = r->tiling->form.first; k < f->modes; ++k)
            r->units *= r->tiling->form.mode[k].extent;
    } else if (threads > 1 && r->units < TASKS_PER_THREAD * threads) {
        const int64_t bytes = f->mode[0].extent * f->dst_bytes;
        const int64_t wanted =
            ct_min(TASKS_PER_THREAD * threads, ct_ceil_div_int(bytes, PIECE_BYTES));
        const int64_t line = CT_CPU_LINE;
        r->piece = ct_ceil_div_int(ct_ceil_div_int(f->mode[0].extent, wanted), line) * line;
        r->pieces = ct_ceil_div_int(f->mode[0].extent, r->piece);
        r->units *= r->pieces;
    }
    r->tasks = ct_min(r->units, threads == 1 ? 1 : TASKS_PER_THREAD * threads);
}

static ct_status run(const ct_plan *plan, void *dst, const void *src, void *stream, char *message)
{
    (void)stream;
    ct_cpu_job r = {.plan = plan, .kernels = ct_kernels_chosen()};
    r.dst = (unsigned char *)dst + plan->form.dst_base;
    r.src = (const unsigned char *)src + plan->form.src_base;
    count_units(&r);
    if (!ct_cpu_make_buffers(&r))
        return ct_refuse(message, CT_E_MEMORY, "not enough memory for the buffers of a copy");
    ct_pool_run(plan->choice.threads, r.tasks, do_task, &r);
    ct_cpu_free_buffers(&r);
    return CT_OK;
}

static ct_status prepare(ct_plan *plan, char *message)
{
    const int indexed = plan->form.kind == CT_FORM_INDEXED;
    if (indexed) plan->state = ct_cpu_index(plan);
    else if (plan->form.kind == CT_FORM_TILES) plan->state = ct_cpu_tilings_of(plan);
    if ((indexed || plan->form.kind == CT_FORM_TILES) && !plan->state)
        return ct_refuse(message, CT_E_MEMORY, "not enough memory for a plan");
    plan->choice = ct_cpu_choose(plan);
    return CT_OK;
}

static void drop(ct_plan *plan) { free(plan->state); }

static int say(const ct_plan *plan, char *buf, size_t size)
{
    const ct_plan_choice c = plan->choice;
    const char *const s = c.threads > 1 ? "s" : "";
    if (plan->form.kind != CT_FORM_TILES)
        return snprintf(buf, size, "%d thread%s%s, loops for %s", c.threads, s,
                        c.streams ? ", non-temporal stores" : "", ct_kernels_chosen()->name);
    return snprintf(buf, size, "%d thread%s, tiles of %d x %d units%s, loops for %s", c.threads, s,
                    c.tile_src, c.tile_dst,
                    c.direct    ? ", without a buffer"
                    : c.streams ? ", non-temporal stores"
                                : "",
                    ct_kernels_chosen()->name);
}

const ct_plan_backend ct_plan_cpu = {
    .name = "cpu",
    .any_address = 1,
    .host_memory = 1,
    .prepare = prepare,
    .run = run,
    .drop = drop,
    .candidate = ct_cpu_candidate,
    .say = say,
};
