/* C = A B of one tile by four warps: A (64,32) and B (64,32) of halves, contiguous along k, and C
 * (64,64) of floats. cp.async brings A and B to shared memory, ldmatrix takes the fragments. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/mma/mma_loop.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/mma/mma_partition.h>

typedef struct mma_args {
    ct_global a, b, c; /* (m,k), (n,k) and (m,n), made on the host */
} mma_args;

/* part: plan */
/* All that is known when the kernel is compiled. */
typedef struct mma_plan {
    ct_error err;
    ct_partition load, part_a, part_b, out;
    ct_mma_loop loop;
} mma_plan;

/* The plan for tiles that lie in shared memory as `rows` says. */
CT_FN mma_plan plan_of(ct_tensor rows)
{
    const ct_tuple tile = ct_tuple2(64, 32), result = ct_tuple2(64, 64);
    const ct_memory global = ct_in_global(1), shared = ct_in_shared(rows), own = ct_in_registers();
    const ct_copy_atom async = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16);
    const ct_copy_atom matrices = ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16);
    const ct_tiled_copy pieces = /* of 16 bytes: four threads to a row */
        ct_make_tiled_copy(async, ct_layout2(32, 4, 4, 1), ct_layout2(1, 8, 1, 1));
    const ct_tiled_mma mma = /* four warps, (2,2) */
        ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"), ct_layout2(2, 2, 1, 2),
                          ct_tiler_of_shape(ct_tuple3(32, 32, 16)));
    const ct_tiled_copy sums = ct_make_tiled_copy_c(ct_copy_atom_auto(32), mma);
    mma_plan p = CT_ZERO;
    p.load = ct_make_partition(pieces, tile, global, shared);
    p.part_a = ct_make_partition(ct_make_tiled_copy_a(matrices, mma), tile, shared, own);
    p.part_b = ct_make_partition(ct_make_tiled_copy_b(matrices, mma), tile, shared, own);
    p.out = ct_make_partition(sums, result, own, global);
    p.loop = ct_make_mma_loop(mma, result);
    const ct_error all[] = {p.load.err, p.part_a.err, p.part_b.err, p.out.err, p.loop.err};
    for (int i = 0; i < 5; ++i) p.err = p.err.status ? p.err : all[i];
    return p;
}
/* part: multiply */
CT_DEVICE void multiply(const mma_plan *p, const mma_args *args, uint16_t *tiles)
{
    const ct_index first = ct_index2(0, 0);
    const ct_view rows_a = ct_view_stage(&p->load.dst, tiles, 0);
    const ct_view rows_b = ct_view_stage(&p->load.dst, tiles, 1);
    CT_FRAGMENT(uint32_t, a, 16); /* 32 halves: two steps along k, 8 words each */
    CT_FRAGMENT(uint32_t, b, 16);
    CT_FRAGMENT(uint32_t, c, 32); /* 32 floats */
    ct_copy(&p->load, ct_view_tile(&args->a, &p->load, first), rows_a);
    ct_copy(&p->load, ct_view_tile(&args->b, &p->load, first), rows_b);
    ct_cp_async_wait_all();
    __syncthreads();
    ct_copy(&p->part_a, rows_a, ct_view_registers(a));
    ct_copy(&p->part_b, rows_b, ct_view_registers(b));
    CT_UNROLL for (int i = 0; i < 32; ++i) c[i] = 0; /* the bits of 0.0f */
    CT_UNROLL for (int step = 0; step < 2; ++step)
        ct_mma_step(&p->loop, c, a + 8 * step, b + 8 * step);
    ct_copy(&p->out, ct_view_registers(c), ct_view_tile(&args->c, &p->out, first));
}
/* end */

CT_KERNEL_THREADS(plain, 128, mma_args, args)
{
    CT_STATIC(mma_plan, p, plan_of(ct_make_tensor(ct_layout2(64, 32, 32, 1))));
    CT_SHARED(uint16_t, tile, 2 * 64 * 32);
    multiply(&p, &args, tile);
}
/* part: swizzled */
CT_KERNEL_THREADS(swizzled, 128, mma_args, args)
{
    CT_STATIC(ct_tensor, rows,
              ct_make_swizzled(ct_make_swizzle(2, 3, 3), 0, ct_layout2(64, 32, 32, 1)));
    CT_STATIC(mma_plan, p, plan_of(rows));
    CT_SHARED(uint16_t, tile, 2 * 64 * 32);
    multiply(&p, &args, tile);
}
/* end */
