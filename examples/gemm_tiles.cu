/* The copies of a GEMM's main loop. cp.async copies tiles of A and B to three stages of swizzled shared memory;
 * ldmatrix loads each warp's fragments, for a tiled MMA of four warps. Instead of the product, each thread sums
 * the products of its fragments' elements. A is (m,k) and B (n,k), of halves, contiguous along k. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/register/values.h>
#include <cutlet/device/pipeline/pipeline_cp_async.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/mma/mma_partition.h>
#include <cutlet/algebra/read.h>

typedef struct gemm_tiles_args {
    ct_global a, b, sums; /* sums: (threads, tiles of m, tiles of n) floats */
} gemm_tiles_args;

enum { STAGES = 3, STEPS = 4, EACH = 32 }; /* EACH: values of a step */

/* Starts the copies of tile k of A and of B to a stage. The stages of B follow those of A. */
CT_DEVICE void fetch(const ct_partition *P, const gemm_tiles_args *args, void *memory, int stage,
                     int64_t k)
{
    const ct_view a = ct_view_tile(&args->a, P, ct_index2(blockIdx.y, k));
    const ct_view b = ct_view_tile(&args->b, P, ct_index2(blockIdx.x, k));
    ct_copy(P, a, ct_view_stage(&P->dst, memory, stage));
    ct_copy(P, b, ct_view_stage(&P->dst, memory, STAGES + stage));
}

CT_KERNEL_RESIDENT(gemm_tiles, 128, 2, gemm_tiles_args, args)
{
    CT_STATIC(ct_tensor, tile,
              ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_read("(128,64):(64,1)")));
    CT_STATIC(ct_copy_atom, async, ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16));
    CT_STATIC(ct_copy_atom, matrices, ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16));
    CT_STATIC(
        ct_partition, load,
        ct_make_partition(ct_make_tiled_copy(async, ct_read("(16,8):(8,1)"), ct_read("(1,8)")),
                          ct_tuple2(128, 64), ct_in_global(1), ct_in_shared(tile)));
    CT_STATIC(ct_tiled_mma, mma,
              ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"),
                                ct_make_col_major(ct_tuple3(2, 2, 1)),
                                ct_tiler_of_shape(ct_tuple3(32, 32, 16))));
    CT_STATIC(ct_partition, rows_a,
              ct_make_partition(ct_make_tiled_copy_a(matrices, mma), ct_tuple2(128, 64),
                                ct_in_shared(tile), ct_in_registers()));
    CT_STATIC(ct_partition, rows_b,
              ct_make_partition(ct_make_tiled_copy_b(matrices, mma), ct_tuple2(128, 64),
                                ct_in_shared(tile), ct_in_registers()));
    CT_SHARED_DYNAMIC(unsigned char, memory);
    const int tiles = (int)ct_tiles_along(&args.a, &load, 1);
    ct_stages s = ct_stages_begin(STAGES);
    float sum = 0;
    for (int k = 1 - STAGES; k < tiles; ++k) { /* the first iterations only fetch */
        if (k >= 0) ct_cp_async_stage_wait(STAGES);
        if (k + STAGES - 1 < tiles)
            fetch(&load, &args, memory, ct_stages_write(&s), k + STAGES - 1);
        ct_cp_async_commit();
        if (k < 0) continue;
        const int stage = ct_stages_read(&s);
        CT_REGISTERS(half, a, rows_a);
        CT_REGISTERS(half, b, rows_b);
        CT_UNROLL for (int step = 0; step < STEPS; ++step)
        {
            ct_copy_part(&rows_a, ct_view_stage(&rows_a.src, memory, stage), a, step, STEPS);
            ct_copy_part(&rows_b, ct_view_stage(&rows_b.src, memory, STAGES + stage), b, step,
                         STEPS);
            CT_UNROLL for (int i = step * EACH; i < (step + 1) * EACH; i += 2) sum +=
                ct_val(a, i) * ct_val(b, i);
        }
    }
    ct_store_element(&args.sums, ct_index3(threadIdx.x, blockIdx.y, blockIdx.x), &sum, 32);
}
