/* cutlet gemm: the product by a kernel, on a GPU or the CPU grid. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "gemm.h"
#include "gemm_kernels.h"
#include <cutlet/device/tensor/global.h>

#define WRONG(...) ct_refuse(error, CT_E_ARGUMENT, __VA_ARGS__)

enum { WARMUPS = 1, RUNS = 5, ROW_BYTES = 16 };
enum { A, B, C, D, OPERANDS, VECTOR = OPERANDS, PLACES = VECTOR + CT_GEMM_VECTORS };

/* A kernel with its launch. */
typedef struct launch {
    const ct_grid_kernel *kernel;
    ct_dim3 grid, block;
    size_t shared_bytes;
    gemm_args args;
} launch;

static const ct_grid_kernel *kernel_of(const ct_gemm_job *j)
{
    switch (j->type->type) {
        case CT_TYPE_HALF: return &gemm_half;
        case CT_TYPE_BFLOAT16: return &gemm_bfloat16;
        case CT_TYPE_INT8: return &gemm_int8;
        default: return j->tf32 ? &gemm_float : &gemm_simt;
    }
}

/* The tensors of args lie at these addresses; C, where it is not read, nowhere. */
static void place(const ct_gemm_job *j, const ct_gemm_rows *o, void *const *at, gemm_args *args)
{
    const int64_t rows[] = {j->m, j->n, j->m, j->m}, columns[] = {j->k, j->k, j->n, j->n};
    ct_global *const tensor[] = {&args->a, &args->b, &args->c, &args->d};
    for (int i = 0; i < OPERANDS; ++i) {
        const int bits = 8 * (i < C ? j->type->bytes : j->type->result_bytes);
        const ct_layout L = ct_layout2(rows[i], columns[i], o[i].step, 1);
        *tensor[i] = ct_make_global(at[i], bits, L);
    }
    args->own = ct_gemm_epilogue(j, at + VECTOR);
}

static ct_status make_launch(const ct_gemm_job *j, launch *l, char *error)
{
    const int simt = kernel_of(j) == &gemm_simt, tile = simt ? GEMM_SIMT_TILE : GEMM_TILE;
    const int64_t blocks = ct_ceil_div_int(j->m, tile) * ct_ceil_div_int(j->n, tile);
    l->kernel = kernel_of(j);
    l->grid = (ct_dim3){(uint32_t)blocks, 1, 1};
    l->block = (ct_dim3){simt ? GEMM_SIMT_THREADS : GEMM_THREADS, 1, 1};
    l->shared_bytes = simt ? GEMM_SIMT_SHARED_BYTES : GEMM_SHARED_BYTES;
    l->args.alpha = j->alpha;
    l->args.beta = j->beta;
    if (blocks <= INT32_MAX) return 0;
    return WRONG("%lld tiles of the result; a grid has at most %d", (long long)blocks, INT32_MAX);
}

/* ---- on the CPU grid ------------------------------------------------------------------------- */

static ct_status on_grid(const ct_gemm_job *j, const ct_gemm_rows *o, launch *l,
                         ct_gemm_result *run, char *error)
{
    static const char *const names[] = {"A", "B", "C", "D", "bias", "scale_rows", "scale_cols"};
    ct_grid_buffer buffers[PLACES];
    ct_grid_options options = {.buffers = buffers, .no_records = 1};
    ct_grid_report report;
    void *at[PLACES];
    for (int i = 0; i < PLACES; ++i) {
        at[i] = o[i].at;
        if (at[i])
            buffers[options.buffer_count++] =
                (ct_grid_buffer){names[i], at[i], (size_t)o[i].bytes, i == D, 0};
    }
    place(j, o, at, &l->args);
    const double begin = ct_now();
    int bad = ct_grid_launch(l->kernel, l->grid, l->block, l->shared_bytes, &l->args,
                             sizeof l->args, &options, &report);
    run->seconds = ct_now() - begin;
    if (bad) bad = ct_refuse(error, CT_E_FAILED, "%s", report.message);
    ct_grid_report_free(&report);
    snprintf(run->where, sizeof run->where, "%s on the CPU grid", l->kernel->name);
    return bad;
}

/* ---- on a GPU -------------------------------------------------------------------------------- */

static ct_status queue(ct_cuda *gpu, void *user, int number)
{
    const launch *const l = user;
    (void)number;
    return ct_cuda_launch(gpu, l->kernel->name, l->grid, l->block, l->shared_bytes, &l->args,
                          sizeof l->args);
}

/* Memory of the device for each operand, and what the product needs in it. */
static ct_status send(ct_cuda *gpu, const ct_gemm_rows *o, void **at)
{
    for (int i = 0; i < PLACES; ++i) {
        if (!o[i].at) continue;
        at[i] = ct_cuda_alloc(gpu, (size_t)o[i].bytes);
        if (!at[i]) return CT_E_MEMORY;
        const ct_status bad =
            i == D ? CT_OK : ct_cuda_upload(gpu, at[i], o[i].at, (size_t)o[i].bytes);
        if (bad) return bad;
    }
    return 0;
}

static ct_status on_gpu(const ct_gemm_job *j, const ct_gemm_rows *o, launch *l, ct_gemm_result *run,
                        char *error)
{
    const ct_cuda_work work = {queue, l};
    void *at[PLACES] = {NULL};
    double seconds[RUNS];
    ct_status bad = send(j->gpu, o, at);
    if (!bad) place(j, o, at, &l->args);
    if (!bad) bad = ct_cuda_time(j->gpu, &work, 1, WARMUPS, RUNS, seconds);
    if (!bad) bad = ct_cuda_download(j->gpu, o[D].at, at[D], (size_t)o[D].bytes);
    if (bad) return ct_refuse(error, bad, "%s", ct_cuda_error(j->gpu));
    run->seconds = ct_median(seconds, RUNS);
    snprintf(run->where, sizeof run->where, "%s on %s", l->kernel->name,
             ct_cuda_about(j->gpu)->name);
    return 0; /* the device's memory is given back when it is closed */
}

/* Operands whose rows are contiguous and begin where wide accesses may; D as it is written. */
static ct_status arrange(const ct_gemm_job *j, ct_gemm_rows *o, char *error)
{
    ct_status bad = ct_gemm_arrange(&j->a, CT_TYPE_RAW, ROW_BYTES, &o[A], error);
    if (!bad) bad = ct_gemm_arrange(&j->b, CT_TYPE_RAW, ROW_BYTES, &o[B], error);
    if (!bad && j->beta != 0) bad = ct_gemm_arrange(&j->c, CT_TYPE_RAW, ROW_BYTES, &o[C], error);
    if (bad) return bad;
    o[D] = (ct_gemm_rows){j->d, j->n, j->m * j->n * j->type->result_bytes};
    for (int i = 0; i < CT_GEMM_VECTORS; ++i)
        if (j->vector[i].data)
            o[VECTOR + i] = (ct_gemm_rows){j->vector[i].data, 0, 4 * j->vector[i].shape[0]};
    return 0;
}

ct_status ct_gemm_on_kernels(ct_gemm_job *j, ct_gemm_result *run, char *error)
{
    ct_gemm_rows o[PLACES] = {{NULL, 0, 0}};
    launch l;
    ct_status bad = make_launch(j, &l, error);
    if (!bad) bad = arrange(j, o, error);
    if (!bad) bad = (j->on == CT_GEMM_GPU ? on_gpu : on_grid)(j, o, &l, run, error);
    for (int i = 0; i < D; ++i) free(o[i].at);
    return bad;
}
