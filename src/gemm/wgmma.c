/* Products by the kernels of wgmma.cu, as their host part plans them, on a GPU of sm_90 or the CPU grid. */
#include <cutlet/host/tma.h>
#include <stdio.h>
#include <string.h>

#include "driver/cuda/images.h"
#include "gemm/gemm_kernels.h"
#include "gemm/wgmma_host.h"
#include "kernels.h"
#include "plan.h"

enum { A, B, C, D, OPERANDS, SHAPE = 0, GRID_PROCESSORS = 4, GRID_MOST = 65535, ALIGNMENT = 1024 };

static const ct_grid_kernel *kernel_of(const ct_gemm_plan *p)
{
    switch (p->desc.type) {
        case CT_TYPE_HALF: return &gemm_wgmma_128x256_2_half;
        case CT_TYPE_BFLOAT16: return &gemm_wgmma_128x256_2_bfloat16;
        case CT_TYPE_E4M3: return &gemm_wgmma_128x256_2_e4m3;
        default: return NULL;
    }
}

static gemm_wgmma_plan plan_of(const ct_gemm_plan *p, const ct_gemm_operands *o)
{
    const ct_gemm_desc *const d = &p->desc;
    const void *const at[] = {o->a, o->b, d->beta != 0 ? o->c : o->d, o->d};
    const gemm_wgmma_wish wish = {SHAPE + 1, 0};
    gemm_wgmma_problem q;
    memset(&q, 0, sizeof q);
    for (int i = 0; i < OPERANDS; ++i) {
        const ct_layout *const L = ct_gemm_layout(p, i == C && d->beta == 0 ? D : i);
        q.at[i] = at[i];
        q.layout[i] = ct_make_layout(ct_tuple3(L->shape[0], L->shape[1], 1),
                                     ct_tuple3(L->stride[0], L->stride[1], 0));
    }
    q.is_half = d->type == CT_TYPE_HALF;
    q.elem = q.is_half ? CT_ELEM_F16 : d->type == CT_TYPE_E4M3 ? CT_ELEM_U8 : CT_ELEM_BF16;
    q.alpha = d->alpha;
    q.beta = d->beta;
    q.own = ct_gemm_epilogue(p, o);
    return gemm_wgmma_make_plan(&q, o->workspace,
                                d->gpu ? ct_cuda_about(d->gpu)->processors : GRID_PROCESSORS, wish);
}

/* The plan for operands wherever they will lie. */
static gemm_wgmma_plan plan_anywhere(const ct_gemm_plan *p)
{
    void *const somewhere = (void *)(uintptr_t)ALIGNMENT;
    const ct_gemm_operands o = {somewhere, somewhere, somewhere, somewhere,
                                NULL,      NULL,      NULL,      somewhere};
    return plan_of(p, &o);
}

/* Whether tensor maps and grids hold the product. */
static int is_within(const ct_gemm_plan *p)
{
    const gemm_wgmma_plan w = plan_anywhere(p);
    int is_within = w.rule == CT_TMA_OK && !w.args.c.err.status && !w.args.d.err.status;
    for (int i = 0; i < OPERANDS; ++i)
        if (w.pack_grid[i][1] > GRID_MOST) is_within = 0;
    return is_within;
}

int ct_gemm_takes_wgmma(const ct_gemm_plan *p, char *why)
{
    const ct_cuda_device *const gpu =
        p->backend == CT_BACKEND_CUDA ? ct_cuda_about(p->desc.gpu) : NULL;
    if (!kernel_of(p))
        ct_refuse(why, CT_E_BACKEND, "is for float16, bfloat16 and e4m3; the elements are %s",
                  p->type->name);
    else if (gpu && 10 * gpu->major + gpu->minor != 90)
        ct_refuse(why, CT_E_BACKEND, "is of sm_90a alone, and %s is sm_%d%d", gpu->name, gpu->major,
                  gpu->minor);
    else if (gpu && !ct_cuda_image_for(&ct_gemm_images, "wgmma", gpu->major, gpu->minor))
        ct_refuse(why, CT_E_BACKEND, "needs kernels for sm_90a, and there are none inside");
    else if (!is_within(p))
        ct_refuse(why, CT_E_BACKEND, "does not take a matrix of this many rows");
    else return 1;
    return 0;
}

void ct_gemm_plan_wgmma(ct_gemm_plan *p)
{
    const gemm_wgmma_plan w = plan_anywhere(p);
    char parts[32] = "";
    p->workspace_bytes = ct_ceil_div_int(w.workspace_bytes, ALIGNMENT) * ALIGNMENT;
    if (w.args.splits > 1) snprintf(parts, sizeof parts, ", k in %d parts,", w.args.splits);
    snprintf(p->text, sizeof p->text, "%s%s", kernel_of(p)->name, parts);
}

static ct_status map_of(const ct_gemm_plan *p, const ct_tma_desc *d, ct_tma_map *map, char *message)
{
    char text[CT_MESSAGE_BYTES];
    const int on_gpu = p->backend == CT_BACKEND_CUDA;
    const ct_status bad =
        on_gpu ? ct_cuda_tma_map(p->desc.gpu, d, map) : ct_grid_tma_map(d, map, text);
    if (!bad) return CT_OK;
    return on_gpu ? ct_refuse(message, bad, "%s", ct_cuda_error(p->desc.gpu))
                  : ct_refuse(message, bad, "tensor map: %s", text);
}

static ct_dim3 dim_of(const uint32_t *grid) { return (ct_dim3){grid[0], grid[1], grid[2]}; }

/* An operand that TMA cannot take as it lies, copied to rows that it can; D back from them. */
static ct_status repack(const ct_gemm_plan *p, const ct_gemm_operands *o, const gemm_wgmma_plan *w,
                        int operand, char *message)
{
    const int how = w->repack[operand], bytes = operand < C ? p->type->bytes : 2;
    if (how == GEMM_DIRECT) return CT_OK;
    return ct_gemm_launch(p, o,
                          how == GEMM_BY_ROWS ? &gemm_repack_rows
                          : bytes == 1        ? &gemm_repack_8
                                              : &gemm_repack_16,
                          dim_of(w->pack_grid[operand]), GEMM_REPACK_THREADS,
                          GEMM_REPACK_SHARED_BYTES, &w->pack[operand], sizeof w->pack[operand],
                          message);
}

ct_status ct_gemm_run_wgmma(const ct_gemm_plan *p, const ct_gemm_operands *o, char *message)
{
    gemm_wgmma_plan w = plan_of(p, o);
    ct_tma_map *const maps[OPERANDS] = {&w.args.a, &w.args.b, &w.args.from, &w.args.to};
    ct_status bad = CT_OK;
    for (int i = 0; i < OPERANDS && !bad; ++i)
        if (w.side[i].rank > 0) bad = map_of(p, &w.side[i], maps[i], message);
    for (int i = A; i <= C && !bad; ++i) bad = repack(p, o, &w, i, message);
    if (!bad)
        bad = ct_gemm_launch(p, o, kernel_of(p), (ct_dim3){w.blocks, 1, 1}, GEMM_WGMMA_THREADS,
                             (size_t)gemm_wgmma_shared_bytes(gemm_wgmma_shapes[SHAPE]), &w.args,
                             sizeof w.args, message);
    if (bad) return bad;
    if (w.args.splits == 1) return repack(p, o, &w, D, message);
    return ct_gemm_launch(p, o, &gemm_sum_splits, dim_of(w.sum_grid), GEMM_SUM_THREADS, 0, &w.args,
                          sizeof w.args, message);
}
