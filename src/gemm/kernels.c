/* Products by kernels: of mma.sync and of single threads; those by wgmma are in wgmma.c. */
#include <cutlet/device/tensor/global.h>
#include <stdio.h>
#include <string.h>

#include "gemm/gemm_kernels.h"
#include "kernels.h"

static const ct_grid_kernel *kernel_of(const ct_gemm_plan *p)
{
    switch (p->desc.type) {
        case CT_TYPE_HALF: return &gemm_half;
        case CT_TYPE_BFLOAT16: return &gemm_bfloat16;
        case CT_TYPE_INT8: return &gemm_int8;
        case CT_TYPE_FLOAT: return p->desc.tf32 ? &gemm_float : &gemm_simt;
        default: return NULL;
    }
}

static ct_status plan(ct_gemm_plan *p, char *message)
{
    const ct_gemm_desc *const d = &p->desc;
    const int64_t tiles = ct_ceil_div_int(p->m, GEMM_TILE) * ct_ceil_div_int(p->n, GEMM_TILE);
    char why[CT_MESSAGE_BYTES];
    const int wants = d->by == CT_GEMM_BY_WGMMA || !kernel_of(p) ||
                      (d->by == CT_GEMM_BY_ANY && p->backend == CT_BACKEND_CUDA);
    const int by_wgmma = wants && ct_gemm_takes_wgmma(p, why);
    if (d->by == CT_GEMM_BY_MMA_SYNC && d->type == CT_TYPE_FLOAT && !d->tf32)
        return ct_refuse(message, CT_E_BACKEND, "mma_sync multiplies float32 with tf32 only");
    if (d->by == CT_GEMM_BY_MMA_SYNC && !kernel_of(p))
        return ct_refuse(message, CT_E_BACKEND, "e4m3 is multiplied by wgmma");
    if (!by_wgmma && (d->by == CT_GEMM_BY_WGMMA || !kernel_of(p)))
        return ct_refuse(message, CT_E_BACKEND, "wgmma %s", why);
    if (!by_wgmma && d->choice)
        return ct_refuse(message, CT_E_ARGUMENT, "choice %d; this product has 1, from 0 on",
                         d->choice);
    if (tiles > INT32_MAX)
        return ct_refuse(message, CT_E_ARGUMENT, "%lld tiles of the result; a grid has at most %d",
                         (long long)tiles, INT32_MAX);
    p->by = by_wgmma ? CT_GEMM_BY_WGMMA : CT_GEMM_BY_MMA_SYNC;
    if (by_wgmma) return ct_gemm_plan_wgmma(p, message);
    snprintf(p->text, sizeof p->text, "%s", kernel_of(p)->name);
    return CT_OK;
}

static ct_status run(const ct_gemm_plan *p, const ct_gemm_operands *o, char *message)
{
    if (p->by == CT_GEMM_BY_WGMMA) return ct_gemm_run_wgmma(p, o, message);
    const ct_gemm_desc *const d = &p->desc;
    const int simt = kernel_of(p) == &gemm_simt, tile = simt ? GEMM_SIMT_TILE : GEMM_TILE;
    const int64_t blocks = ct_ceil_div_int(p->m, tile) * ct_ceil_div_int(p->n, tile);
    const int32_t bits = 8 * p->type->bytes, result = 8 * p->type->result_bytes;
    const ct_global none = CT_ZERO;
    const gemm_args args = {ct_make_global(o->a, bits, d->a),
                            ct_make_global(o->b, bits, d->b),
                            d->beta != 0 ? ct_make_global(o->c, result, d->c) : none,
                            ct_make_global(o->d, result, d->d),
                            d->alpha,
                            d->beta,
                            ct_gemm_epilogue(p, o)};
    return ct_gemm_launch(p, o, kernel_of(p), (ct_dim3){(uint32_t)blocks, 1, 1},
                          simt ? GEMM_SIMT_THREADS : GEMM_THREADS,
                          simt ? GEMM_SIMT_SHARED_BYTES : GEMM_SHARED_BYTES, &args, sizeof args,
                          message);
}

const ct_gemm_kernels ct_gemm_with_kernels = {&ct_gemm_images, plan, run};
