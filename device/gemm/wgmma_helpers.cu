/* Kernels before and after the GEMM by wgmma: copies of operands to rows aligned to 16 bytes, which TMA
 * requires, and the sum over parts of k. */
#include <cutlet/device/staged/staged_copy.h>
#include <cutlet/device/staged/copy_any.h>
#include <cutlet/device/element/element.h>

#include "epilogue_element.h"
#include "wgmma_args.h"
#include "wgmma_helpers.h"

/* The operand of the block's batch index. */
CT_DEVICE ct_global of_batch(ct_global g)
{
    g.at += blockIdx.z * g.step[2];
    return g;
}

#define REPACK(name, bits)                                                                         \
    CT_KERNEL_THREADS(name, GEMM_REPACK_THREADS, ct_staged_args, args)                             \
    {                                                                                              \
        CT_STATIC(ct_any_copy, copy,                                                               \
                  ct_make_any_copy(bits, GEMM_REPACK_TILE, GEMM_REPACK_THREADS));                  \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        const ct_global from = of_batch(args.src), to = of_batch(args.dst);                        \
        ct_copy_any(&copy, &from, &to, ct_index2(blockIdx.y, blockIdx.x), memory);                 \
    }
REPACK(gemm_repack_8, 8)
REPACK(gemm_repack_16, 16)

/* Copies rows that are contiguous on both sides, at any addresses. */
CT_KERNEL_THREADS(gemm_repack_rows, GEMM_REPACK_THREADS, ct_staged_args, args)
{
    CT_STATIC(ct_staged_copy, plan,
              ct_make_staged_copy(ct_make_line_job(CT_STAGED_async, GEMM_REPACK_THREADS, 1)));
    CT_SHARED_DYNAMIC(unsigned char, memory);
    const ct_staged_args sides = {of_batch(args.src), of_batch(args.dst)};
    for (int64_t row = blockIdx.y; row < sides.src.extent[1]; row += gridDim.y) {
        ct_copy_staged_tile(&plan, &sides, ct_index2(blockIdx.x, row), memory);
        __syncthreads();
    }
}

/* D = alpha times the sums over all parts of k, plus beta C, and the rest of the epilogue: one element for each thread.
 * The grid is (columns / GEMM_SUM_THREADS, rows, batch). */
CT_KERNEL_THREADS(gemm_sum_splits, GEMM_SUM_THREADS, gemm_wgmma_args, args)
{
    const int64_t column = (int64_t)blockIdx.x * GEMM_SUM_THREADS + threadIdx.x;
    const ct_index x = ct_index3(blockIdx.y, column, blockIdx.z);
    float sum = 0, part = 0;
    uint32_t c = 0;
    for (int i = 0; i < args.splits; ++i) { /* the sums have whole tiles: all are in bounds */
        ct_load_element(&part, &args.sums, ct_index3(x.at[0], column, x.at[2] * args.splits + i),
                        32);
        sum += part;
    }
    if (args.own.is_on) sum = scale_sum(&args.own, sum, x.at[0], column);
    sum *= args.alpha;
    if (args.beta != 0) {
        ct_load_element(&c, &args.c, x, 16);
        sum += args.beta * (args.is_half ? ct_float_of_half(c) : ct_float_of_bfloat16(c));
    }
    if (args.own.is_on) sum = activate_sum(&args.own, sum, column);
    const uint32_t d = args.is_half ? ct_half_of_float(sum) : ct_bfloat16_of_float(sum);
    ct_store_element(&args.d, x, &d, 16);
}
