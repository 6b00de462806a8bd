/* Products by the kernels of wgmma.cu, in the form that their model chooses, on a GPU of sm_90 or the CPU grid. */
#include <cutlet/host/tma.h>
#include <stdio.h>
#include <string.h>

#include "driver/cuda/images.h"
#include "gemm/gemm_kernels.h"
#include "gemm/wgmma_host.h"
#include "kernels.h"
#include "plan.h"

enum { A, B, C, D, OPERANDS, GRID_PROCESSORS = 4, GRID_MOST = 65535, ALIGNMENT = 1024 };

static const ct_grid_kernel *kernel_of(const ct_gemm_plan *p)
{
    switch (p->desc.type) {
        case CT_TYPE_HALF: return gemm_wgmma_kernels[p->form][0];
        case CT_TYPE_BFLOAT16: return gemm_wgmma_kernels[p->form][1];
        case CT_TYPE_E4M3: return gemm_wgmma_kernels[p->form][2];
        default: return NULL;
    }
}

static gemm_wgmma_problem problem_of(const ct_gemm_plan *p, const ct_gemm_operands *o)
{
    const ct_gemm_desc *const d = &p->desc;
    const void *const at[] = {o->a, o->b, d->beta != 0 ? o->c : o->d, o->d};
    gemm_wgmma_problem q;
    memset(&q, 0, sizeof q);
    for (int i = 0; i < OPERANDS; ++i) {
        const int of = i == C && d->beta == 0 ? D : i;
        const ct_layout *const L = ct_gemm_layout(p, of);
        q.at[i] = at[i];
        q.layout[i] = ct_make_layout(ct_tuple3(L->shape[0], L->shape[1], p->batch),
                                     ct_tuple3(L->stride[0], L->stride[1], p->step[of]));
    }
    q.is_half = d->type == CT_TYPE_HALF;
    q.elem = q.is_half ? CT_ELEM_F16 : d->type == CT_TYPE_E4M3 ? CT_ELEM_U8 : CT_ELEM_BF16;
    q.alpha = d->alpha;
    q.beta = d->beta;
    q.own = ct_gemm_epilogue(p, o);
    return q;
}

/* Operands wherever they will lie. */
static gemm_wgmma_problem problem_anywhere(const ct_gemm_plan *p)
{
    const int32_t align = ct_gemm_alignment(p);
    void *const in = (void *)(uintptr_t)(ALIGNMENT + align),
                *const out = (void *)(uintptr_t)(ALIGNMENT + ct_max(align, p->type->result_bytes));
    const ct_gemm_operands o = {in, in, out, out, NULL, NULL, NULL, NULL};
    return problem_of(p, &o);
}

static int processors_of(const ct_gemm_plan *p)
{
    return p->desc.gpu ? ct_cuda_about(p->desc.gpu)->processors : GRID_PROCESSORS;
}

/* The plan of a problem by the form and the parts of k that were chosen. */
static gemm_wgmma_plan plan_of(const ct_gemm_plan *p, const gemm_wgmma_problem *q, void *workspace)
{
    const gemm_wgmma_wish wish = {p->form + 1, p->splits};
    return gemm_wgmma_make_plan(q, workspace, processors_of(p), wish);
}

static gemm_wgmma_plan plan_anywhere(const ct_gemm_plan *p)
{
    const gemm_wgmma_problem q = problem_anywhere(p);
    return plan_of(p, &q, (void *)(uintptr_t)ALIGNMENT);
}

/* Whether tensor maps and grids hold the product. */
static int is_within(const ct_gemm_plan *p)
{
    ct_gemm_plan first = *p;
    first.splits = 1;
    const gemm_wgmma_plan w = plan_anywhere(&first);
    int is_within = w.rule == CT_TMA_OK && !w.args.c.err.status && !w.args.d.err.status &&
                    p->batch <= GRID_MOST;
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
    else if (gpu && !ct_cuda_has(p->desc.gpu, "wgmma_128x256_2"))
        ct_refuse(why, CT_E_BACKEND, "needs kernels for sm_90a, and there are none inside");
    else if (!is_within(p))
        ct_refuse(why, CT_E_BACKEND, "does not take so many rows, or so large a batch");
    else return 1;
    return 0;
}

/* What there is to say of a variant: its form, who shares what, what is copied, and its workspace. */
static void describe(ct_gemm_plan *p, const gemm_wgmma_plan *w)
{
    const gemm_wgmma_shape s = gemm_wgmma_shapes[p->form];
    size_t n = 0;
#define SAY(...)                                                                                   \
    n += (size_t)snprintf(p->text + n, n < sizeof p->text ? sizeof p->text - n : 0, __VA_ARGS__)
    SAY("%s: tiles of %d x %d", kernel_of(p)->name, s.rows, s.columns);
    if (gemm_wgmma_exchanges(s.columns)) SAY(", A and B exchanged");
    if (s.rows == 64) SAY(", %d warpgroups share k", 2 * s.cluster);
    else if (s.cluster > 1) SAY(", %d blocks share B", s.cluster);
    if (p->splits > 1) SAY(", k in %d parts", p->splits);
    for (int i = 0; i < OPERANDS; ++i) {
        const int of = i < C && gemm_wgmma_exchanges(s.columns) ? 1 - i : i;
        if (w->repack[of]) SAY(", %c repacked", "ABCD"[i]);
    }
    if (p->workspace_bytes) SAY(", a workspace of %lld bytes", (long long)p->workspace_bytes);
    SAY(",");
#undef SAY
}

/* Takes a variant: its workspace and its text. On a GPU its kernel is loaded, for as many resident blocks as it is for. */
static ct_status take(ct_gemm_plan *p, const gemm_wgmma_variant *v, char *message)
{
    p->form = v->shape;
    p->splits = v->splits;
    const gemm_wgmma_plan w = plan_anywhere(p);
    const gemm_wgmma_shape s = gemm_wgmma_shapes[p->form];
    const int resident = GEMM_WGMMA_RESIDENT(s.rows, s.cluster);
    p->workspace_bytes = ct_ceil_div_int(w.workspace_bytes, ALIGNMENT) * ALIGNMENT;
    describe(p, &w);
    if (p->backend != CT_BACKEND_CUDA || resident == 1) return CT_OK;
    const ct_status bad = ct_cuda_prefer_shared(p->desc.gpu, kernel_of(p)->name);
    return bad ? ct_refuse(message, bad, "%s", ct_cuda_error(p->desc.gpu)) : CT_OK;
}

/* Takes the fastest of these variants. */
static ct_status measure(ct_gemm_plan *p, const gemm_wgmma_variant *v, int count, char *message)
{
    ct_gemm_plan plans[CT_GEMM_MEASURED];
    int fastest = 0;
    ct_status bad = CT_OK;
    for (int i = 0; i < count && !bad; ++i) {
        plans[i] = *p;
        bad = take(&plans[i], &v[i], message);
    }
    if (!bad) bad = ct_gemm_fastest(plans, count, v->ns, &fastest, message);
    if (bad) return bad;
    *p = plans[fastest];
    const size_t n = strlen(p->text);
    snprintf(p->text + n, sizeof p->text - n, " the fastest of %d timed,", count);
    return CT_OK;
}

ct_status ct_gemm_plan_wgmma(ct_gemm_plan *p, char *message)
{
    const gemm_wgmma_problem q = problem_anywhere(p);
    const gemm_wgmma_wish any = {0, 0};
    gemm_wgmma_variant order[GEMM_WGMMA_VARIANTS];
    const int count = gemm_wgmma_order(&q, processors_of(p), any, order), choice = p->desc.choice;
    if (choice < 0 || choice >= count)
        return ct_refuse(message, CT_E_ARGUMENT, "choice %d; this product has %d, from 0 on",
                         choice, count);
    if (p->desc.effort == CT_EFFORT_MEASURE)
        return measure(p, order + choice, (int)ct_min(count - choice, CT_GEMM_MEASURED), message);
    return take(p, &order[choice], message);
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
    const gemm_wgmma_problem q = problem_of(p, o);
    gemm_wgmma_plan w = plan_of(p, &q, o->workspace);
    ct_tma_map *const maps[OPERANDS] = {&w.args.a, &w.args.b, &w.args.from, &w.args.to};
    ct_status bad = CT_OK;
    for (int i = 0; i < OPERANDS && !bad; ++i)
        if (w.side[i].rank > 0) bad = map_of(p, &w.side[i], maps[i], message);
    for (int i = A; i <= C && !bad; ++i) bad = repack(p, o, &w, i, message);
    if (!bad)
        bad = ct_gemm_launch(p, o, kernel_of(p), (ct_dim3){w.blocks, 1, 1}, GEMM_WGMMA_THREADS,
                             (size_t)gemm_wgmma_shared_bytes(gemm_wgmma_shapes[p->form]), &w.args,
                             sizeof w.args, message);
    if (bad) return bad;
    if (w.args.splits == 1) return repack(p, o, &w, D, message);
    return ct_gemm_launch(p, o, &gemm_sum_splits, dim_of(w.sum_grid), GEMM_SUM_THREADS, 0, &w.args,
                          sizeof w.args, message);
}
