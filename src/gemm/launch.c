/* A launch of a product's kernels, and their epilogue. */
#include "kernels.h"

enum { OPERANDS = 8 };

size_t ct_gemm_bytes(const ct_gemm_plan *p, int operand)
{
    /* wgmma takes a batch at once */
    const int64_t more = p->by == CT_GEMM_BY_WGMMA ? (p->batch - 1) * p->step[operand] : 0;
    return (size_t)((ct_cosize(*ct_gemm_layout(p, operand)) + more) *
                    (operand < 2 ? p->type->bytes : p->type->result_bytes));
}

ct_status ct_gemm_launch(const ct_gemm_plan *p, const ct_gemm_operands *o,
                         const ct_grid_kernel *kernel, ct_dim3 grid, uint32_t threads,
                         size_t shared_bytes, const void *args, size_t args_bytes, char *message)
{
    const ct_gemm_desc *const d = &p->desc;
    const ct_dim3 block = {threads, 1, 1};
    const ct_grid_buffer all[OPERANDS] = {
        {"A", (void *)(uintptr_t)o->a, ct_gemm_bytes(p, 0), 0, 0},
        {"B", (void *)(uintptr_t)o->b, ct_gemm_bytes(p, 1), 0, 0},
        {"C", d->beta != 0 ? (void *)(uintptr_t)o->c : NULL, d->beta != 0 ? ct_gemm_bytes(p, 2) : 0,
         0, 0},
        {"D", o->d, ct_gemm_bytes(p, 3), 1, 0},
        {"bias", d->has_bias ? (void *)(uintptr_t)o->bias : NULL, (size_t)(4 * p->n), 0, 0},
        {"scale_rows", d->has_scale_rows ? (void *)(uintptr_t)o->scale_rows : NULL,
         (size_t)(4 * p->m), 0, 0},
        {"scale_cols", d->has_scale_cols ? (void *)(uintptr_t)o->scale_cols : NULL,
         (size_t)(4 * p->n), 0, 0},
        {"workspace", p->workspace_bytes ? o->workspace : NULL, (size_t)p->workspace_bytes, 1, 0}};
    ct_grid_buffer buffers[OPERANDS];
    ct_grid_options options = {.buffers = buffers, .no_records = 1};
    ct_grid_report report;
    if (p->backend == CT_BACKEND_CUDA) {
        const ct_status bad =
            ct_cuda_launch(d->gpu, kernel->name, grid, block, shared_bytes, args, args_bytes);
        return bad ? ct_refuse(message, bad, "%s", ct_cuda_error(d->gpu)) : CT_OK;
    }
    for (int i = 0; i < OPERANDS; ++i)
        if (all[i].base) buffers[options.buffer_count++] = all[i];
    int bad =
        ct_grid_launch(kernel, grid, block, shared_bytes, args, args_bytes, &options, &report);
    if (bad) bad = ct_refuse(message, CT_E_FAILED, "%s", report.message);
    ct_grid_report_free(&report);
    return bad;
}

gemm_epilogue ct_gemm_epilogue(const ct_gemm_plan *p, const ct_gemm_operands *o)
{
    const ct_gemm_desc *const d = &p->desc;
    const gemm_epilogue e = {d->has_bias || d->has_scale_rows || d->has_scale_cols ||
                                 d->activation != CT_ACTIVATION_NONE,
                             d->activation,
                             p->m,
                             p->n,
                             d->has_bias ? o->bias : NULL,
                             d->has_scale_rows ? o->scale_rows : NULL,
                             d->has_scale_cols ? o->scale_cols : NULL};
    return e;
}
