/* cutlet gemm: the plan runs where it was planned; operands go to a GPU and back. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/pool.h"
#include "base/refuse.h"
#include "gemm.h"

enum { WARMUPS = 1, RUNS = 5, ROW_BYTES = 16, ALIGNMENT = 1024 };

/* A plan on its way: of operands where it runs. */
typedef struct work {
    const ct_gemm_job *job;
    char *error;
    ct_gemm_desc desc;
    ct_gemm_plan *plan;
    ct_gemm_operands on;
    void *rows[3]; /* copies of A, B and C */
} work;

/* Copies A, B or C to rows that begin where wide accesses may. */
static ct_status arrange(work *w, int operand, const void **at, ct_layout *L, int32_t bytes)
{
    const int64_t across = ct_max(ROW_BYTES / bytes, 1);
    const int64_t step = ct_ceil_div_int(L->shape[1], across) * across;
    const ct_layout to = ct_layout2(L->shape[0], L->shape[1], step, 1);
    ct_plan_desc desc = {.backend = CT_BACKEND_CPU};
    ct_plan *plan = NULL;
    w->rows[operand] = calloc((size_t)(L->shape[0] * step), (size_t)bytes);
    if (!w->rows[operand])
        return ct_refuse(w->error, CT_E_MEMORY, "not enough memory for a matrix of (%lld,%lld)",
                         (long long)L->shape[0], (long long)L->shape[1]);
    desc.src = ct_plan_side_raw(*L, bytes);
    desc.dst = ct_plan_side_raw(to, bytes);
    ct_status bad = ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, w->error);
    if (!bad) bad = ct_plan_run(plan, w->rows[operand], *at, NULL, w->error);
    ct_plan_destroy(plan);
    *at = w->rows[operand];
    *L = to;
    return bad;
}

/* Kernels other than those by wgmma, which repack themselves, are given rows. */
static ct_status plan_rows(work *w)
{
    const int32_t bytes = w->job->type->bytes;
    ct_status bad = CT_OK;
    if (ct_gemm_plan_by(w->job->plan) == CT_GEMM_BY_MMA_SYNC) {
        bad = arrange(w, 0, &w->on.a, &w->desc.a, bytes);
        if (!bad) bad = arrange(w, 1, &w->on.b, &w->desc.b, bytes);
        if (!bad && w->on.c) bad = arrange(w, 2, &w->on.c, &w->desc.c, w->job->type->result_bytes);
    }
    return bad ? bad : ct_gemm_plan_create(&w->desc, &w->plan, w->error);
}

/* Memory of the GPU for `bytes` bytes that are at *at, which it replaces; nothing of NULL. */
static ct_status send(ct_cuda *gpu, const void **at, int64_t bytes)
{
    void *const there = *at ? ct_cuda_alloc(gpu, (size_t)bytes) : NULL;
    if (!*at) return CT_OK;
    const ct_status bad = there ? ct_cuda_upload(gpu, there, *at, (size_t)bytes) : CT_E_MEMORY;
    *at = there;
    return bad;
}

static ct_status send_all(work *w)
{
    const ct_gemm_job *const j = w->job;
    const int64_t bytes = j->type->bytes, result = j->type->result_bytes,
                  more = ct_gemm_plan_workspace(w->plan);
    ct_status bad = send(j->gpu, &w->on.a, ct_cosize(w->desc.a) * bytes);
    if (!bad) bad = send(j->gpu, &w->on.b, ct_cosize(w->desc.b) * bytes);
    if (!bad && w->on.c) bad = send(j->gpu, &w->on.c, ct_cosize(w->desc.c) * result);
    if (!bad) bad = send(j->gpu, &w->on.bias, 4 * j->n);
    if (!bad) bad = send(j->gpu, &w->on.scale_rows, 4 * j->m);
    if (!bad) bad = send(j->gpu, &w->on.scale_cols, 4 * j->n);
    if (!bad) w->on.d = ct_cuda_alloc(j->gpu, (size_t)(j->m * j->n * result));
    if (!bad && more > 0) w->on.workspace = ct_cuda_alloc(j->gpu, (size_t)more);
    if (!bad && (!w->on.d || (more > 0 && !w->on.workspace))) bad = CT_E_MEMORY;
    return bad ? ct_refuse(w->error, bad, "%s", ct_cuda_error(j->gpu)) : CT_OK;
}

static ct_status queue(ct_cuda *gpu, void *user, int number)
{
    const work *const w = user;
    (void)gpu, (void)number;
    return ct_gemm_plan_run(w->plan, &w->on, w->error);
}

static ct_status on_gpu(work *w, double *seconds)
{
    const ct_gemm_job *const j = w->job;
    const ct_cuda_work timed = {queue, w};
    double each[RUNS];
    ct_status bad = send_all(w);
    if (bad) return bad;
    bad = ct_cuda_time(j->gpu, &timed, 1, WARMUPS, RUNS, each);
    if (!bad)
        bad = ct_cuda_download(j->gpu, j->on.d, w->on.d,
                               (size_t)(j->m * j->n * j->type->result_bytes));
    if (bad) return ct_refuse(w->error, bad, "%s", ct_cuda_error(j->gpu));
    *seconds = ct_median(each, RUNS);
    return CT_OK; /* the GPU's memory is given back when it is closed */
}

static ct_status on_host(work *w, double *seconds)
{
    const int64_t bytes = ct_gemm_plan_workspace(w->plan);
    if (bytes > 0) w->on.workspace = aligned_alloc(ALIGNMENT, (size_t)bytes);
    if (bytes > 0 && !w->on.workspace)
        return ct_refuse(w->error, CT_E_MEMORY, "not enough memory for a workspace of %lld bytes",
                         (long long)bytes);
    const double begin = ct_now();
    const ct_status bad = ct_gemm_plan_run(w->plan, &w->on, w->error);
    *seconds = ct_now() - begin;
    free(w->on.workspace);
    return bad;
}

ct_status ct_gemm_compute(ct_gemm_job *j, ct_gemm_result *run, char *error)
{
    work w = {.job = j, .error = error, .desc = j->desc, .on = j->on};
    const int threads = ct_pool_threads();
    w.desc.effort = j->effort;
    ct_status bad = plan_rows(&w);
    if (!bad) bad = (j->gpu ? on_gpu : on_host)(&w, &run->seconds);
    if (!bad) ct_gemm_plan_describe(w.plan, run->where, sizeof run->where);
    if (!bad && j->where == CT_GEMM_CPU)
        ct_one_line(run->where, sizeof run->where, "on the CPU, %d thread%s", threads,
                    threads == 1 ? "" : "s");
    for (int i = 0; i < 3; ++i) free(w.rows[i]);
    ct_gemm_plan_destroy(w.plan);
    return bad;
}
