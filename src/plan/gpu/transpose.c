/* Transposes of matrices at addresses that are multiples of 16 bytes. At other addresses a matrix uses
 * sector-aligned tiles, like any transposing copy. */
#include <stdio.h>

#include "gpu.h"
#include "kernels/transposes.h"

#define ROW(bytes, rows, cols, threads, blocks, staging, block, shared, sweep, group)              \
    {CT_GPU_TEXT(CT_TRANSPOSE_NAME(bytes, rows, cols, threads, blocks, staging, block, shared,     \
                                   sweep, group)),                                                 \
     {bytes, rows, cols, threads, CT_STAGED_##staging, block, CT_STAGED_##shared,                  \
      CT_STAGED_##sweep, group}},

/* The kernels that libcutlet has inside. */
static const struct {
    char name[56];
    ct_staged_job job;
} kernels[] = {CT_TRANSPOSES(ROW)};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static int make(const ct_plan *plan, const ct_plan_form *f, int nth, ct_gpu_launch *launch)
{
    const ct_staged_job job = kernels[nth].job;
    const ct_plan_mode *const line = &f->mode[0], *const row = &f->mode[1];
    const int64_t e = f->src_bytes;
    (void)plan;
    if (job.elem_bytes != e || !ct_gpu_is_transpose(f)) return -1;
    const ct_staged_grid g = ct_staged_grid_of(job, line->extent, row->extent);
    if (g.x == 0) return -1;
    launch->kernel = kernels[nth].name;
    launch->job = job;
    launch->args.transpose = ct_make_transpose_args(NULL, NULL, line->src / e, row->dst / e,
                                                    line->extent, row->extent, (int32_t)e);
    launch->grid[0] = g.x;
    launch->grid[1] = g.y;
    launch->grid[2] = g.z;
    launch->threads = (uint32_t)job.threads;
    launch->shared_bytes = ct_staged_shared_bytes(job);
    return 0;
}

/* The first kernel that fits, of matrices that have a whole tile. */
static int choose(const ct_plan *plan, const ct_plan_form *f, ct_gpu_launch *launch)
{
    if (!ct_gpu_is_transpose(f) || f->src_bytes > 4 || ct_gpu_alignment(f, launch) < 16 ||
        ct_min(f->mode[0].extent, f->mode[1].extent) < 64)
        return -1;
    for (int i = 0; i < KERNELS; ++i)
        if (make(plan, f, i, launch) == 0) return 0;
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
                                        .table = kernels,
                                        .table_bytes = sizeof kernels,
                                        .args_bytes = sizeof(ct_staged_args),
                                        .bind = bind,
                                        .say = say};
