/* A GEMM with a bias and an activation of one's own: D = relu(A B + bias). A is (m,k), B (n,k) and D (m,n), of halves,
 * contiguous along k and n; the bias is (1,n), of floats. cp.async copies tiles of A and B to three stages of swizzled
 * shared memory; four warps multiply them by mma.sync, and finish their sums in registers. */
#include <cutlet/algebra/read.h>
#include <cutlet/device/mma/gemm.h>
#include <cutlet/device/pipeline/pipeline_cp_async.h>
#include <cutlet/device/register/reductions.h>

typedef struct gemm_tiles_args {
    ct_global a, b, bias, d;
} gemm_tiles_args;

enum { STAGES = 3 };

CT_DEVICE float activation(float x) { return x > 0 ? x : 0; }

CT_KERNEL_RESIDENT(gemm_tiles, 128, 2, gemm_tiles_args, args)
{
    CT_STATIC(ct_tensor, rows, /* (128,64,STAGES) */
              ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_read("(128,64,3):(64,1,8192)")));
    CT_STATIC(ct_tiled_mma, mma,
              ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"), ct_read("(2,2)"),
                                ct_tiler2(ct_read("32"), ct_read("(8,2,2):(1,16,8)"))));
    CT_STATIC(ct_tiled_copy, pieces, /* of 16 bytes: eight threads to a row */
              ct_make_tiled_copy(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16),
                                 ct_read("(16,8):(8,1)"), ct_read("(1,8)")));
    CT_STATIC(ct_partition, load,
              ct_make_partition(pieces, ct_tuple2(128, 64), ct_in_global(1), ct_in_shared(rows)));
    CT_STATIC(ct_partition, store,
              ct_make_partition(ct_make_tiled_copy_c(ct_copy_atom_auto(16), mma),
                                ct_tuple2(128, 128), ct_in_registers(), ct_in_global(1)));
    CT_STATIC(ct_gemm_partition, product,
              ct_make_gemm(mma, ct_tuple3(128, 128, 64), ct_in_shared(rows), ct_in_shared(rows)));
    CT_SHARED_DYNAMIC(uint16_t, memory);
    CT_REGISTERS(float, c, ct_fragment_c(mma, ct_tuple2(128, 128)));
    CT_REGISTERS(float, bias, ct_fragment_reduced(c_as, 0)); /* once for each column of a thread */
    CT_REGISTERS(half, d, c_as);
    const ct_view to_a = ct_view_shared(memory), to_b = ct_view_shared(memory + STAGES * 128 * 64);
    const ct_gemm_operand a = ct_gemm_a(&product, to_a, threadIdx.x);
    const ct_gemm_operand b = ct_gemm_b(&product, to_b, threadIdx.x);
    const int tiles = (int)ct_tiles_along(&args.a, &load, 1);
    ct_stages s = ct_stages_begin(STAGES);
    ct_clear(c);
    for (int k = 1 - STAGES; k < tiles; ++k) { /* the first iterations only fetch */
        if (k >= 0) ct_cp_async_stage_wait(STAGES);
        if (k + STAGES - 1 < tiles) {
            const int stage = ct_stages_write(&s), next = k + STAGES - 1;
            ct_copy(ct_view_tile(&args.a, &load, ct_index2(blockIdx.y, next)),
                    ct_view_stage(&load.dst, memory, stage));
            ct_copy(ct_view_tile(&args.b, &load, ct_index2(blockIdx.x, next)),
                    ct_view_stage(&load.dst, memory, STAGES + stage));
        }
        ct_cp_async_commit();
        if (k < 0) continue;
        const int stage = ct_stages_read(&s);
        ct_gemm(&product, c, ct_gemm_stage(a, stage), ct_gemm_stage(b, stage), 1);
    }
    ct_load_values(bias, &args.bias, ct_index2(0, 128 * blockIdx.x));
    CT_EACH(i, c) ct_put(c, i, activation(ct_val(c, i) + ct_val_row(bias, c, i)));
    ct_convert_registers(d, c);
    ct_copy(d, ct_view_tile(&args.d, &store, ct_index2(blockIdx.y, blockIdx.x)));
}
