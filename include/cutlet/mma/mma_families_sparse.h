/**
 * The existing sparse matrix instructions, by families: a list like mma_families.h, whose notes on
 * sets hold here too. k counts the elements of a row of A with its zeros. The list has
 * tcgen05.mma.sp of 128 rows a block, for which CuTe has the metadata's place. 64 rows are an error
 * (ct_mma_is_left_out): the PTX ISA gives their metadata only in figures, and CuTe's tmem_e_frg
 * takes 128 rows. A guess might be wrong without an error.
 *
 * Tests compare A, B and C with the formulas of the PTX ISA, and E with CuTe's layouts if it has
 * one (tests/mma/test_mma.c). ptxas takes the registers of these layouts (tests/mma/mma_ptx.py).
 * CuTe has no E of 8 bits with k = 32, nor of 4 bits with k = 64; they are halves of those with
 * twice the k. On a GPU tests/gpu/test_cuda_mma.c checks mma.sp against these layouts, and
 * test_cuda_wgmma.c wgmma.sp; tcgen05.mma.sp has not run.
 */
#include <cutlet/mma/mma_op.h>

#if !defined(CT_MMA_FAMILY)
#define CT_MMA_FAMILY(kind, arch, blocks, m, n0, n1, step, k, d, a, b, mixed, forms)
#endif

#define CT_T(type) (1u << CT_MMA_##type)
#define CT_BYTES (CT_T(S8) | CT_T(U8))
#define CT_NIBBLES (CT_T(S4) | CT_T(U4))
#define CT_FP8 (CT_T(E4M3) | CT_T(E5M2))
#define CT_FP4TO8 (CT_FP8 | CT_T(E2M1) | CT_T(E2M3) | CT_T(E3M2))
#define CT_F16_F32 (CT_T(F16) | CT_T(F32))
#define CT_SAT (CT_T(PLAIN) | CT_T(SATURATE))
#define CT_SCALES (CT_T(SCALED) | CT_T(SCALED_16))

/* PTX ISA, mma.sp, "Matrix Fragments for sparse mma.m16n8k16" and k32 of .f16 and .bf16, k8 and k16
 * of .tf32. */
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 16, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 32, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 16, CT_T(F32), CT_T(BF16), CT_T(BF16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 32, CT_T(F32), CT_T(BF16), CT_T(BF16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 8, CT_T(F32), CT_T(TF32), CT_T(TF32), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 16, CT_T(F32), CT_T(TF32), CT_T(TF32), 0, CT_T(PLAIN))

/* "... k32" and k64 of .u8 and .s8, k64 of .e4m3 and .e5m2, k64 and k128 of .u4 and .s4. */
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 32, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_SAT)
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 64, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_SAT)
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 64, CT_T(S32), CT_NIBBLES, CT_NIBBLES, 1, CT_SAT)
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 128, CT_T(S32), CT_NIBBLES, CT_NIBBLES, 1, CT_SAT)
CT_MMA_FAMILY(WARP, 89, 1, 16, 8, 8, 8, 64, CT_T(F32), CT_FP8, CT_FP8, 1, CT_T(PLAIN))

/* .kind::f8f6f4, .kind::mxf8f6f4, .kind::mxf4nvf4 */
CT_MMA_FAMILY(WARP, 120, 1, 16, 8, 8, 8, 64, CT_F16_F32, CT_FP4TO8, CT_FP4TO8, 1, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 120, 1, 16, 8, 8, 8, 64, CT_T(F32), CT_FP4TO8, CT_FP4TO8, 1, CT_T(SCALED))
CT_MMA_FAMILY(WARP, 120, 1, 16, 8, 8, 8, 128, CT_T(F32), CT_T(E2M1), CT_T(E2M1), 0, CT_SCALES)

/* PTX ISA, wgmma.mma_async.sp: "Register Fragments for wgmma.mma_async.sp.m64nNk32", k16 and
 * k64. */
CT_MMA_FAMILY(WARPGROUP, 90, 1, 64, 8, 256, 8, 32, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARPGROUP, 90, 1, 64, 8, 256, 8, 32, CT_T(F32), CT_T(BF16), CT_T(BF16), 0,
              CT_T(PLAIN))
CT_MMA_FAMILY(WARPGROUP, 90, 1, 64, 8, 256, 8, 16, CT_T(F32), CT_T(TF32), CT_T(TF32), 0,
              CT_T(PLAIN))
CT_MMA_FAMILY(WARPGROUP, 90, 1, 64, 8, 256, 8, 64, CT_F16_F32, CT_FP8, CT_FP8, 1, CT_T(PLAIN))
CT_MMA_FAMILY(WARPGROUP, 90, 1, 64, 8, 24, 8, 64, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_SAT)
CT_MMA_FAMILY(WARPGROUP, 90, 1, 64, 32, 256, 16, 64, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_SAT)

/* PTX ISA, tcgen05.mma.sp: 128 rows of a block. */
#define CT_MMA_BLOCKS(k, d, a, b, mixed, forms)                                                    \
    CT_MMA_FAMILY(BLOCK, 100, 1, 128, 8, 256, 8, k, d, a, b, mixed, forms)                         \
    CT_MMA_FAMILY(BLOCK, 100, 2, 256, 16, 256, 16, k, d, a, b, mixed, forms)
CT_MMA_BLOCKS(32, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))
CT_MMA_BLOCKS(32, CT_T(F32), CT_T(BF16), CT_T(BF16), 0, CT_T(PLAIN))
CT_MMA_BLOCKS(16, CT_T(F32), CT_T(TF32), CT_T(TF32), 0, CT_T(PLAIN))
CT_MMA_BLOCKS(64, CT_F16_F32, CT_FP4TO8, CT_FP4TO8, 1, CT_T(PLAIN))
CT_MMA_BLOCKS(64, CT_T(F32), CT_FP4TO8, CT_FP4TO8, 1, CT_T(SCALED))
CT_MMA_BLOCKS(128, CT_T(F32), CT_T(E2M1), CT_T(E2M1), 0, CT_SCALES)
CT_MMA_FAMILY(BLOCK, 100, 1, 128, 8, 24, 8, 64, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 1, 128, 32, 256, 16, 64, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 2, 256, 32, 256, 32, 64, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_T(PLAIN))

#undef CT_MMA_BLOCKS
#undef CT_MMA_FAMILY
#undef CT_T
#undef CT_BYTES
#undef CT_NIBBLES
#undef CT_FP8
#undef CT_FP4TO8
#undef CT_F16_F32
#undef CT_SAT
#undef CT_SCALES
