/* cutlet gemm: the product by the kernels of wgmma.cu, as their host part plans it, on a GPU of
 * sm_90 or the CPU grid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include <cutlet/host/tma.h>
#include "driver/cuda/images.h"
#include "gemm.h"
#include "gemm_kernels.h"
#include "wgmma_host.h"

enum { A, B, C, D, OPERANDS, WORKSPACE = OPERANDS, VECTOR, PLACES = VECTOR + CT_GEMM_VECTORS };
enum { SHAPE = 0, GRID_PROCESSORS = 4, GRID_MOST = 65535, WARMUPS = 1, RUNS = 5, ALIGNMENT = 1024 };

/* A product on its way: what it touches, and where the grid has that. */
typedef struct work {
    const ct_gemm_job *job;
    char *error;
    void *at[PLACES];
    ct_grid_buffer buffers[PLACES];
    int buffer_count;
    gemm_wgmma_plan plan;
} work;

static const ct_grid_kernel *kernel_of(const ct_gemm_job *j)
{
    switch (j->type->type) {
        case CT_TYPE_HALF: return &gemm_wgmma_128x256_2_half;
        case CT_TYPE_BFLOAT16: return &gemm_wgmma_128x256_2_bfloat16;
        default: return NULL;
    }
}

/* ---- the plan -------------------------------------------------------------------------------- */

static gemm_wgmma_problem problem_of(const ct_gemm_job *j, void *const *at)
{
    const ct_layout d = ct_layout2(j->m, j->n, j->n, 1);
    const ct_layout *const c = j->beta != 0 ? &j->c.layout : &d;
    const ct_layout *const of[] = {&j->a.layout, &j->b.layout, c, &d};
    gemm_wgmma_problem q;
    memset(&q, 0, sizeof q);
    for (int i = 0; i < OPERANDS; ++i) {
        const ct_tuple shape = ct_tuple3(of[i]->shape[0], of[i]->shape[1], 1);
        q.at[i] = at[i];
        q.layout[i] = ct_make_layout(shape, ct_tuple3(of[i]->stride[0], of[i]->stride[1], 0));
    }
    q.is_half = j->type->type == CT_TYPE_HALF;
    q.elem = q.is_half ? CT_ELEM_F16 : CT_ELEM_BF16;
    q.alpha = j->alpha;
    q.beta = j->beta;
    q.own = ct_gemm_epilogue(j, at + VECTOR);
    return q;
}

static gemm_wgmma_plan plan_of(const ct_gemm_job *j, void *const *at, void *workspace)
{
    const gemm_wgmma_problem q = problem_of(j, at);
    const gemm_wgmma_wish wish = {SHAPE + 1, 0};
    const int processors = j->gpu ? ct_cuda_about(j->gpu)->processors : GRID_PROCESSORS;
    return gemm_wgmma_make_plan(&q, workspace, processors, wish);
}

/* Whether tensor maps and grids hold the product, with operands wherever they will lie. */
static int is_within(const ct_gemm_job *j)
{
    void *const somewhere = (void *)(uintptr_t)ALIGNMENT;
    void *const at[PLACES] = {somewhere, somewhere, somewhere, somewhere};
    const gemm_wgmma_plan p = plan_of(j, at, somewhere);
    int is_within = p.rule == CT_TMA_OK && !p.args.c.err.status && !p.args.d.err.status;
    for (int i = 0; i < OPERANDS; ++i)
        if (p.pack_grid[i][1] > GRID_MOST) is_within = 0;
    return is_within;
}

int ct_gemm_takes_wgmma(const ct_gemm_job *j, char *why)
{
    const ct_cuda_device *const gpu = j->gpu ? ct_cuda_about(j->gpu) : NULL;
    if (!kernel_of(j))
        ct_refuse(why, CT_E_BACKEND, "is for float16 and bfloat16; the elements are %s",
                  j->type->name);
    else if (gpu && 10 * gpu->major + gpu->minor != 90)
        ct_refuse(why, CT_E_BACKEND, "is of sm_90a alone, and %s is sm_%d%d", gpu->name, gpu->major,
                  gpu->minor);
    else if (gpu && !ct_cuda_image_for(&gemm_images, "wgmma", gpu->major, gpu->minor))
        ct_refuse(why, CT_E_BACKEND, "needs kernels for sm_90a, and there are none inside");
    else if (!is_within(j))
        ct_refuse(why, CT_E_BACKEND, "does not take a matrix of this many rows");
    else return 1;
    return 0;
}

/* ---- on a GPU or the grid -------------------------------------------------------------------- */

static int64_t file_bytes(const ct_npy *file)
{
    return file->shape[0] * file->shape[1] * file->elem_bytes;
}

/* Memory of the GPU for bytes that lie at `from`, or for a result. */
static ct_status send(work *w, int place, const void *from, int64_t bytes)
{
    ct_cuda *const gpu = w->job->gpu;
    w->at[place] = ct_cuda_alloc(gpu, (size_t)bytes);
    ct_status bad = w->at[place] ? CT_OK : CT_E_MEMORY;
    if (!bad && from) bad = ct_cuda_upload(gpu, w->at[place], from, (size_t)bytes);
    return bad ? ct_refuse(w->error, bad, "%s", ct_cuda_error(gpu)) : CT_OK;
}

static ct_status place(work *w, int place, void *memory, int64_t bytes)
{
    static const char *const names[] = {"A",         "B",    "C",          "D",
                                        "workspace", "bias", "scale_rows", "scale_cols"};
    if (w->job->gpu) return send(w, place, place == D || place == WORKSPACE ? NULL : memory, bytes);
    w->at[place] = memory;
    w->buffers[w->buffer_count++] =
        (ct_grid_buffer){names[place], memory, (size_t)bytes, place == D || place == WORKSPACE, 0};
    return 0;
}

static ct_status place_all(work *w)
{
    const ct_gemm_job *const j = w->job;
    const int64_t bytes = j->m * j->n * j->type->result_bytes;
    ct_status bad = place(w, A, j->a.file.data, file_bytes(&j->a.file));
    if (!bad) bad = place(w, B, j->b.file.data, file_bytes(&j->b.file));
    if (!bad && j->beta != 0) bad = place(w, C, j->c.file.data, file_bytes(&j->c.file));
    if (!bad) bad = place(w, D, j->d, bytes);
    for (int i = 0; i < CT_GEMM_VECTORS && !bad; ++i)
        if (j->vector[i].data)
            bad = place(w, VECTOR + i, j->vector[i].data, 4 * j->vector[i].shape[0]);
    return bad;
}

/* The workspace, which is this function's caller's to free where it is the host's. */
static ct_status place_workspace(work *w, int64_t bytes)
{
    const int64_t whole = ct_ceil_div_int(bytes, ALIGNMENT) * ALIGNMENT;
    void *memory = NULL;
    if (whole == 0) return 0;
    if (!w->job->gpu) {
        memory = aligned_alloc(ALIGNMENT, (size_t)whole);
        if (!memory)
            return ct_refuse(w->error, CT_E_MEMORY,
                             "not enough memory for a workspace of %lld bytes", (long long)whole);
    }
    return place(w, WORKSPACE, memory, whole);
}

static ct_status map_of(work *w, const ct_tma_desc *d, ct_tma_map *map)
{
    char text[CT_MESSAGE_BYTES];
    ct_cuda *const gpu = w->job->gpu;
    const ct_status bad = gpu ? ct_cuda_tma_map(gpu, d, map) : ct_grid_tma_map(d, map, text);
    if (!bad) return CT_OK;
    return gpu ? ct_refuse(w->error, bad, "%s", ct_cuda_error(gpu))
               : ct_refuse(w->error, bad, "tensor map: %s", text);
}

/* The plan for operands that have their places. */
static ct_status prepare(work *w)
{
    gemm_wgmma_plan *const p = &w->plan;
    *p = plan_of(w->job, w->at, NULL);
    ct_status bad = place_workspace(w, p->workspace_bytes);
    if (bad) return bad;
    *p = plan_of(w->job, w->at, w->at[WORKSPACE]);
    ct_tma_map *const maps[OPERANDS] = {&p->args.a, &p->args.b, &p->args.from, &p->args.to};
    for (int i = 0; i < OPERANDS && !bad; ++i)
        if (p->side[i].rank > 0) bad = map_of(w, &p->side[i], maps[i]);
    return bad;
}

static ct_status launch(work *w, const ct_grid_kernel *kernel, const uint32_t *grid, int threads,
                        int shared_bytes, const void *args, size_t args_bytes)
{
    const ct_dim3 blocks = {grid[0], grid[1], grid[2]}, block = {(uint32_t)threads, 1, 1};
    const ct_grid_options options = {
        .buffers = w->buffers, .buffer_count = w->buffer_count, .no_records = 1};
    ct_grid_report report;
    if (w->job->gpu)
        return ct_cuda_launch(w->job->gpu, kernel->name, blocks, block, (size_t)shared_bytes, args,
                              args_bytes);
    int bad = ct_grid_launch(kernel, blocks, block, (size_t)shared_bytes, args, args_bytes,
                             &options, &report);
    if (bad) bad = ct_refuse(w->error, CT_E_FAILED, "%s", report.message);
    ct_grid_report_free(&report);
    return bad;
}

/* An operand that TMA cannot take as it lies, copied to rows that it can; D back from them. */
static ct_status repack(work *w, int operand)
{
    const gemm_wgmma_plan *const p = &w->plan;
    const int how = p->repack[operand];
    if (how == GEMM_DIRECT) return 0;
    return launch(w, how == GEMM_BY_ROWS ? &gemm_repack_rows : &gemm_repack_16,
                  p->pack_grid[operand], GEMM_REPACK_THREADS, GEMM_REPACK_SHARED_BYTES,
                  &p->pack[operand], sizeof p->pack[operand]);
}

static ct_status multiply(work *w)
{
    const gemm_wgmma_plan *const p = &w->plan;
    const uint32_t grid[] = {p->blocks, 1, 1};
    ct_status bad = CT_OK;
    for (int i = A; i <= C && !bad; ++i) bad = repack(w, i);
    if (!bad)
        bad = launch(w, kernel_of(w->job), grid, GEMM_WGMMA_THREADS,
                     gemm_wgmma_shared_bytes(gemm_wgmma_shapes[SHAPE]), &p->args, sizeof p->args);
    if (bad) return bad;
    if (p->args.splits == 1) return repack(w, D);
    return launch(w, &gemm_sum_splits, p->sum_grid, GEMM_SUM_THREADS, 0, &p->args, sizeof p->args);
}

static ct_status queue(ct_cuda *gpu, void *user, int number)
{
    (void)gpu;
    (void)number;
    return multiply(user);
}

static ct_status on_grid(work *w, double *seconds)
{
    const double begin = ct_now();
    const ct_status bad = multiply(w);
    *seconds = ct_now() - begin;
    return bad;
}

static ct_status on_gpu(work *w, double *seconds)
{
    ct_cuda *const gpu = w->job->gpu;
    const ct_cuda_work timed = {queue, w};
    const size_t bytes = (size_t)(w->job->m * w->job->n * w->job->type->result_bytes);
    double each[RUNS];
    ct_status bad = ct_cuda_time(gpu, &timed, 1, WARMUPS, RUNS, each);
    if (!bad) bad = ct_cuda_download(gpu, w->job->d, w->at[D], bytes);
    if (bad) return ct_refuse(w->error, bad, "%s", ct_cuda_error(gpu));
    *seconds = ct_median(each, RUNS);
    return 0;
}

ct_status ct_gemm_on_wgmma(ct_gemm_job *j, ct_gemm_result *run, char *error)
{
    work w = {.job = j, .error = error};
    ct_status bad = place_all(&w);
    if (!bad) bad = prepare(&w);
    if (!bad) bad = (j->gpu ? on_gpu : on_grid)(&w, &run->seconds);
    if (!j->gpu) free(w.at[WORKSPACE]);
    const int splits = w.plan.args.splits;
    char parts[32] = "";
    if (splits > 1) snprintf(parts, sizeof parts, ", k in %d parts,", splits);
    snprintf(run->where, sizeof run->where, "%s%s on %s", kernel_of(j)->name, parts,
             j->gpu ? ct_cuda_about(j->gpu)->name : "the CPU grid");
    return bad; /* the GPU's memory is given back when it is closed */
}
