/* Transposes of matrices at addresses that are multiples of 16 bytes. At other addresses a matrix uses
 * sector-aligned tiles, like any transposing copy. */
#include <stdio.h>

#include "gpu.h"
#include "kernels/transposes.h"

typedef struct transpose_kernel {
    const char *name;
    ct_staged_job job;
} transpose_kernel;

#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
#define NAME(...) TEXT(CT_TRANSPOSE_NAME(__VA_ARGS__))
#define ROW(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, group)              \
    {NAME(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, group),               \
     {bytes, rows, cols, threads, CT_STAGED_##staging, block, CT_STAGED_##shared,                  \
      CT_STAGED_##sweep, group}},

/* The kernels that libcutlet has inside. */
static const transpose_kernel kernels[] = {CT_TRANSPOSES(ROW)};
static const char table[] = CT_TRANSPOSES(NAME);
enum { KERNELS = sizeof kernels / sizeof *kernels };

static int make(const ct_plan *plan, const ct_plan_form *ascending, int nth, ct_gpu_launch *launch)
{
    const ct_staged_job job = kernels[nth].job;
    const ct_plan_form *const f = &plan->form;
    const ct_plan_mode *const m = f->mode;
    const int64_t e = f->src_bytes;
    (void)ascending;
    if (plan->converts || job.elem_bytes != e || !ct_gpu_is_transpose(f)) return -1;
    const ct_staged_grid g = ct_staged_grid_of(job, m[1].extent, m[0].extent);
    if (g.x == 0) return -1;
    launch->kernel = kernels[nth].name;
    launch->job = job;
    launch->args.transpose = ct_make_transpose_args(NULL, NULL, m[1].src / e, m[0].dst / e,
                                                    m[1].extent, m[0].extent, (int32_t)e);
    launch->grid[0] = g.x;
    launch->grid[1] = g.y;
    launch->grid[2] = g.z;
    launch->threads = (uint32_t)job.threads;
    launch->shared_bytes = ct_staged_shared_bytes(job);
    return 0;
}

/* The first kernel that fits, of matrices that have a whole tile. */
static int choose(const ct_plan *plan, const ct_plan_form *form, ct_gpu_launch *launch)
{
    const ct_plan_form *const f = &plan->form;
    if (!ct_gpu_is_transpose(f) || f->src_bytes > 4 || ct_gpu_alignment(f, launch) < 16 ||
        ct_min(f->mode[0].extent, f->mode[1].extent) < 64)
        return -1;
    for (int i = 0; i < KERNELS; ++i)
        if (make(plan, form, i, launch) == 0) return 0;
    return -1;
}

static void bind(ct_gpu_args *args, const ct_plan_args *at)
{
    args->transpose.src = ct_global_at(args->transpose.src, at->src);
    args->transpose.dst = ct_global_at(args->transpose.dst, at->dst);
}

static int say(const ct_gpu_launch *launch, char *buf, size_t size)
{
    return snprintf(buf, size, "%s, tiles of %d x %d", launch->kernel, launch->job.rows,
                    launch->job.cols);
}

const ct_gpu_engine ct_gpu_transpose = {.choose = choose,
                                        .make = make,
                                        .variants = KERNELS,
                                        .table = table,
                                        .table_bytes = sizeof table,
                                        .args_bytes = sizeof(ct_staged_args),
                                        .bind = bind,
                                        .say = say};
