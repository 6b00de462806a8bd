/* C = A B of one tile by four warps: A (64,32) and B (64,32) of halves, contiguous along k, and C
 * (64,64) of floats. cp.async brings A and B to shared memory, ldmatrix takes the fragments. */
#define CT_COPY_BLOCKS CT_UNROLL /* few: their offsets are constants of the code */
#include <cutlet/copy/shared_space.h>
#include <cutlet/device/mma/gemm.h>
#include <cutlet/device/tensor/shared.h>

typedef struct mma_args {
    ct_global a, b, c; /* (m,k), (n,k) and (m,n), made on the host */
} mma_args;

/* part: plan */
/* All that is known when the kernel is compiled. */
typedef struct mma_plan {
    ct_shared_tensor a, b;
    ct_gemm_partition mma;
    ct_fragment c; /* what a thread holds of C */
    ct_partition load, out;
} mma_plan;
CT_PLAN(mma_plan);

/* The plan for tiles that lie in shared memory as `rows` says. */
CT_FN mma_plan plan_of(ct_tensor rows)
{
    const ct_tuple tile = ct_tuple2(64, 32), result = ct_tuple2(64, 64);
    const ct_memory global = ct_in_global(1), shared = ct_in_shared(rows);
    const ct_copy_atom async = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16);
    const ct_tiled_copy pieces = /* of 16 bytes: four threads to a row */
        ct_make_tiled_copy(async, ct_layout2(32, 4, 4, 1), ct_layout2(1, 8, 1, 1));
    const ct_tiled_mma mma = /* four warps, (2,2) */
        ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"), ct_layout2(2, 2, 1, 2),
                          ct_tiler_of_shape(ct_tuple3(32, 32, 16)));
    const ct_tiled_copy sums = ct_make_tiled_copy_c(ct_copy_atom_auto(32), mma);
    ct_shared_space space = CT_ZERO;
    mma_plan p = CT_ZERO;
    p.a = ct_shared_next(&space, 16, rows);
    p.b = ct_shared_next(&space, 16, rows);
    p.mma = ct_make_gemm(mma, ct_tuple3(64, 64, 32), shared, shared);
    p.c = ct_fragment_c(mma, result);
    p.load = ct_make_partition(pieces, tile, global, shared);
    p.out = ct_make_partition(sums, result, ct_in_registers(), global);
    return p;
}
/* part: multiply */
CT_DEVICE_OF(mma_plan) void multiply(const mma_plan *p, const mma_args *args, void *memory)
{
    const ct_index first = ct_index2(0, 0);
    const ct_view a = ct_stage_of(&p->a, memory, 0), b = ct_stage_of(&p->b, memory, 0);
    CT_REGISTERS_OF(float, c, p, c); /* 32 floats */
    ct_copy(CT_OF(p, load), ct_view_tile(&args->a, &p->load, first), a);
    ct_copy(CT_OF(p, load), ct_view_tile(&args->b, &p->load, first), b);
    ct_cp_async_wait_all();
    __syncthreads();
    ct_gemm(CT_OF(p, mma), c, ct_gemm_a(&p->mma, a, threadIdx.x),
            ct_gemm_b(&p->mma, b, threadIdx.x), 0);
    ct_copy(CT_OF(p, out), c, ct_view_tile(&args->c, &p->out, first));
}
/* end */

CT_KERNEL_THREADS(plain, 128, mma_args, args)
{
    CT_STATIC_PLAN(mma_plan, p, plan_of(ct_make_tensor(ct_layout2(64, 32, 32, 1))));
    CT_SHARED(uint16_t, tile, 2 * 64 * 32);
    multiply(&p, &args, tile);
}
/* part: swizzled */
CT_KERNEL_THREADS(swizzled, 128, mma_args, args)
{
    CT_STATIC(ct_tensor, rows,
              ct_make_swizzled(ct_make_swizzle(2, 3, 3), 0, ct_layout2(64, 32, 32, 1)));
    CT_STATIC_PLAN(mma_plan, p, plan_of(rows));
    CT_SHARED(uint16_t, tile, 2 * 64 * 32);
    multiply(&p, &args, tile);
}
/* end */
