/* The grid backend: the kernels of the GPU on the CPU grid, every access checked. A plan is a launch for
 * each place of the modes behind the first two. */
#include <pthread.h>
#include <string.h>

#include "cpu.h"
#include "cutlet/host/grid.h"
#include "grid_kernels.h"
#include "kernels/view_copies.h"

/* The grid runs one launch at a time. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static int prepare(ct_plan *plan, char *message)
{
    plan->choice.threads = 1;
    if (plan->converts)
        return ct_plan_refuse(message, CT_PLAN_E_BACKEND,
                            "grid: no kernel converts elements on the way; the cpu backend does");
    if (plan->form.kind == CT_FORM_INDEXED)
        return ct_plan_refuse(message, CT_PLAN_E_BACKEND,
                            "grid: no kernel copies %s; the cpu backend does",
                            plan->desc.src.memory.swizzle.bits || plan->desc.dst.memory.swizzle.bits
                                ? "swizzled layouts" : "shapes without a common refinement");
    for (int k = 0; k < plan->form.modes && k < 2; ++k)
        if (plan->form.mode[k].extent > (int64_t)65535 * CT_VIEW_COPY_TILE)
            return ct_plan_refuse(message, CT_PLAN_E_BACKEND,
                                "grid: %lld units along one mode are more tiles than a grid has blocks",
                                (long long)plan->form.mode[k].extent);
    return CT_PLAN_OK;
}

/* Whether the transpose takes the first two modes: contiguous one on either side. */
static int transposes(const ct_plan_form *f)
{
    const ct_plan_mode *const m = f->mode;
    return f->kind == CT_FORM_TILES && m[0].src == f->src_bytes && m[1].dst == f->dst_bytes &&
           m[1].src >= m[0].extent * f->src_bytes && m[0].dst >= m[1].extent * f->dst_bytes;
}

/* One launch: the first two modes from these units on. */
static int launch(const ct_plan_form *f, unsigned char *dst, const unsigned char *src,
                  const ct_grid_options *options, ct_grid_report *report)
{
    const int64_t e = f->src_bytes;
    const ct_plan_mode n = f->mode[0];
    const ct_plan_mode m = f->modes > 1 ? f->mode[1] : (ct_plan_mode){1, 0, 0};
    if (transposes(f)) {
        const ct_transpose_kernel *const t = ct_plan_transpose_kernel((int32_t)e);
        const ct_transpose_args args = {src, dst, m.src / e, n.dst / e, m.extent, n.extent};
        const ct_transpose_grid g = ct_transpose_grid_of(t->job, m.extent, n.extent);
        const ct_dim3 grid = {g.x, g.y, g.z}, block = {(uint32_t)t->job.threads, 1, 1};
        return ct_grid_launch(t->kernel, grid, block, (size_t)ct_transpose_shared_bytes(t->job), &args,
                              sizeof args, options, report);
    }
    const ct_view_copy_args args = {.src = src, .dst = dst, .m = m.extent, .n = n.extent,
                                    .src_step_m = m.src / e, .src_step_n = n.src / e,
                                    .dst_step_m = m.dst / e, .dst_step_n = n.dst / e};
    const ct_dim3 block = {CT_VIEW_COPY_THREADS, 1, 1};
    const ct_dim3 grid = {(uint32_t)ct_ceil_div_int(n.extent, CT_VIEW_COPY_TILE),
                          (uint32_t)ct_ceil_div_int(m.extent, CT_VIEW_COPY_TILE), 1};
    const size_t shared = (size_t)(CT_VIEW_COPY_TILE * CT_VIEW_COPY_TILE * e);
    return ct_grid_launch(ct_plan_view_kernel((int32_t)e), grid, block, shared, &args, sizeof args,
                          options, report);
}

static int run(const ct_plan *plan, void *dst, const void *src, void *stream, char *message)
{
    ct_plan_form f = plan->form;
    unsigned char *const to = (unsigned char *)dst;
    const unsigned char *const from = src;
    const ct_plan_span a = plan->src_span, b = plan->dst_span;
    const ct_grid_buffer buffers[2] = {
        {"source", (void *)(uintptr_t)(from + a.low), (size_t)(a.high - a.low), 0,
         (int32_t)((uintptr_t)(from + a.low) % 256)},
        {"destination", to + b.low, (size_t)(b.high - b.low), 1,
         (int32_t)((uintptr_t)(to + b.low) % 256)}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .no_records = 1};
    int64_t places = 1;
    int status = CT_PLAN_OK;
    ct_cpu_place p;
    (void)stream;
    f.first = f.modes < 2 ? f.modes : 2; /* both have a part in a launch */
    for (int k = f.first; k < f.modes; ++k) places *= f.mode[k].extent;
    ct_cpu_begin(&p, &f, 0);
    pthread_mutex_lock(&one_at_a_time);
    for (int64_t i = 0; i < places && !status; ++i, ct_cpu_next(&p, &f)) {
        ct_grid_report report;
        if (launch(&f, to + f.dst_base + p.dst, from + f.src_base + p.src, &options, &report))
            status = ct_plan_refuse(message, report.status == CT_GRID_E_MEMORY ? CT_PLAN_E_MEMORY
                                                                             : CT_PLAN_E_FAILED,
                                  "grid: %s", report.message);
        ct_grid_report_free(&report);
    }
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

static int say(const ct_plan *plan, char *buf, size_t size)
{
    const int32_t e = plan->form.src_bytes;
    int64_t places = 1;
    for (int k = 2; k < plan->form.modes; ++k) places *= plan->form.mode[k].extent;
    return snprintf(buf, size, "%lld launch%s of %s", (long long)places, places == 1 ? "" : "es",
                    transposes(&plan->form) ? ct_plan_transpose_kernel(e)->kernel->name
                                            : ct_plan_view_kernel(e)->name);
}

const ct_plan_backend ct_plan_grid = {
    .name = "grid", .host_memory = 1, .prepare = prepare, .run = run, .say = say,
};
