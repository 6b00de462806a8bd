/**
 * The existing matrix instructions, by families; see mma_exists.h.
 *
 * A list to include, any number of times, after CT_MMA_FAMILY is defined; it undefines it:
 *
 *     CT_MMA_FAMILY(kind, arch, blocks, m, first n, last n, step of n, k, D, A, B, mixed, forms)
 *
 * D, A, B and the forms are sets. A and B have the same type unless `mixed` is 1. The kind
 * determines the memory of operands and their contiguous modes.
 *
 * The layouts of every QUAD_PAIR, WARP and WARPGROUP family are tested against the formulas of the
 * PTX ISA (tests/mma/test_mma.c). These are tested against CuTe's results
 * (tests/conformance/mma.check): fma, sm_70 with C of F32, sm_75 with F16, sm_80 and sm_90.
 * Exceptions are 8 x 8 x 16, TF32 with k = 4, F64 with k = 16, U1 and C64. ptxas takes every
 * mma.sync and wgmma with the registers of these layouts (tests/mma/mma_ptx.py). Every mma.sync of
 * sm_70 to sm_90 except complex ones has run on an H200, with each element of its operands alone
 * among zeros (tests/gpu/test_cuda_mma.c). So has wgmma of every type (test_cuda_wgmma.c), but no
 * tcgen05.
 */
#include <cutlet/mma/mma_op.h>

#if !defined(CT_MMA_FAMILY)
#define CT_MMA_FAMILY(kind, arch, blocks, m, n0, n1, step, k, d, a, b, mixed, forms)
#endif

#define CT_T(type) (1u << CT_MMA_##type)
#define CT_BYTES (CT_T(S8) | CT_T(U8))
#define CT_NIBBLES (CT_T(S4) | CT_T(U4))
#define CT_BF16 CT_T(BF16)
#define CT_C64_GC64 (CT_T(C64) | CT_T(GC64))
#define CT_FP8 (CT_T(E4M3) | CT_T(E5M2))
#define CT_FP4TO8 (CT_FP8 | CT_T(E2M1) | CT_T(E2M3) | CT_T(E3M2))
#define CT_F16_F32 (CT_T(F16) | CT_T(F32))
#define CT_SAT (CT_T(PLAIN) | CT_T(SATURATE))
#define CT_POPC (CT_T(XORPOPC) | CT_T(ANDPOPC))
#define CT_SCALES (CT_T(SCALED) | CT_T(SCALED_16))

/* One thread: fma; PTX ISA, dp2a and dp4a. */
CT_MMA_FAMILY(THREAD, 0, 1, 1, 1, 1, 1, 1, CT_T(F32), CT_T(F32), CT_T(F32), 0, CT_T(PLAIN))
CT_MMA_FAMILY(THREAD, 61, 1, 1, 1, 1, 1, 2, CT_T(S32), CT_T(S16), CT_T(S8), 1, CT_T(PLAIN))
CT_MMA_FAMILY(THREAD, 61, 1, 1, 1, 1, 1, 4, CT_T(S32), CT_T(S8), CT_T(S8), 0, CT_T(PLAIN))

/* PTX ISA, mma.sync, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type". */
CT_MMA_FAMILY(QUAD_PAIR, 70, 1, 8, 8, 8, 8, 4, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))

/* PTX ISA, mma.sync, "Matrix Fragments for mma.m16n8k8", "... mma.m16n8k16 with floating point
 * type", "... mma.m16n8k4". */
CT_MMA_FAMILY(WARP, 75, 1, 16, 8, 8, 8, 8, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 8, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 16, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 8, CT_T(F32), CT_BF16, CT_BF16, 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 16, CT_T(F32), CT_BF16, CT_BF16, 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 4, CT_T(F32), CT_T(TF32), CT_T(TF32), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 8, CT_T(F32), CT_T(TF32), CT_T(TF32), 0, CT_T(PLAIN))

/* PTX ISA, mma.sync, "Matrix Fragments for mma.m8n8k16", "... mma.m16n8k16 with integer type",
 * "... mma.m16n8k32". */
CT_MMA_FAMILY(WARP, 75, 1, 8, 8, 8, 8, 16, CT_T(S32), CT_T(S8), CT_T(S8), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 8, 8, 8, 8, 16, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_SAT)
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 16, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_SAT)
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 32, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_SAT)

/* PTX ISA, mma.sync, "Matrix Fragments for mma.m8n8k32", "... mma.m16n8k32", "... mma.m16n8k64". */
CT_MMA_FAMILY(WARP, 80, 1, 8, 8, 8, 8, 32, CT_T(S32), CT_NIBBLES, CT_NIBBLES, 1, CT_SAT)
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 32, CT_T(S32), CT_NIBBLES, CT_NIBBLES, 1, CT_SAT)
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 64, CT_T(S32), CT_NIBBLES, CT_NIBBLES, 1, CT_SAT)

/* PTX ISA, mma.sync, "Matrix Fragments for mma.m8n8k128", "... mma.m16n8k128", "...
 * mma.m16n8k256". */
CT_MMA_FAMILY(WARP, 80, 1, 8, 8, 8, 8, 128, CT_T(S32), CT_T(U1), CT_T(U1), 0, CT_POPC)
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 128, CT_T(S32), CT_T(U1), CT_T(U1), 0, CT_POPC)
CT_MMA_FAMILY(WARP, 80, 1, 16, 8, 8, 8, 256, CT_T(S32), CT_T(U1), CT_T(U1), 0, CT_POPC)

/* PTX ISA, mma.sync, "Matrix Fragments for mma.m8n8k4 with .f64 floating point type" and those of
 * mma.m16n8k4, k8 and k16 of .f64. A complex product is several real ones of the same layout. */
CT_MMA_FAMILY(WARP, 80, 1, 8, 8, 8, 8, 4, CT_T(F64), CT_T(F64), CT_T(F64), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 80, 1, 8, 8, 8, 8, 4, CT_C64_GC64, CT_T(C64), CT_T(C64), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 90, 1, 16, 8, 8, 8, 4, CT_T(F64), CT_T(F64), CT_T(F64), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 90, 1, 16, 8, 8, 8, 8, CT_T(F64), CT_T(F64), CT_T(F64), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 90, 1, 16, 8, 8, 8, 16, CT_T(F64), CT_T(F64), CT_T(F64), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 90, 1, 16, 8, 8, 8, 4, CT_T(C64), CT_T(C64), CT_T(C64), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 90, 1, 16, 8, 8, 8, 8, CT_T(C64), CT_T(C64), CT_T(C64), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 90, 1, 16, 8, 8, 8, 16, CT_T(C64), CT_T(C64), CT_T(C64), 0, CT_T(PLAIN))

/* PTX ISA, mma.sync, "Matrix Fragments for mma.m16n8k32": .e4m3 and .e5m2, and .kind::f8f6f4; and
 * for mma.m16n8k64 of .kind::mxf4 and .kind::mxf4nvf4. */
CT_MMA_FAMILY(WARP, 89, 1, 16, 8, 8, 8, 32, CT_F16_F32, CT_FP8, CT_FP8, 1, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 120, 1, 16, 8, 8, 8, 32, CT_F16_F32, CT_FP4TO8, CT_FP4TO8, 1, CT_T(PLAIN))
CT_MMA_FAMILY(WARP, 120, 1, 16, 8, 8, 8, 32, CT_T(F32), CT_FP4TO8, CT_FP4TO8, 1, CT_T(SCALED))
CT_MMA_FAMILY(WARP, 120, 1, 16, 8, 8, 8, 64, CT_T(F32), CT_T(E2M1), CT_T(E2M1), 0, CT_SCALES)

/* PTX ISA, wgmma.mma_async: "Register Fragments for wgmma.mma_async.m64nNk16", k8 and k32. */
CT_MMA_FAMILY(WARPGROUP, 90, 1, 64, 8, 256, 8, 16, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARPGROUP, 90, 1, 64, 8, 256, 8, 16, CT_T(F32), CT_BF16, CT_BF16, 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARPGROUP, 90, 1, 64, 8, 256, 8, 8, CT_T(F32), CT_T(TF32), CT_T(TF32), 0, CT_T(PLAIN))
CT_MMA_FAMILY(WARPGROUP, 90, 1, 64, 8, 256, 8, 32, CT_F16_F32, CT_FP8, CT_FP8, 1, CT_T(PLAIN))
CT_MMA_FAMILY(WARPGROUP, 90, 1, 64, 8, 24, 8, 32, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_SAT)
CT_MMA_FAMILY(WARPGROUP, 90, 1, 64, 32, 256, 16, 32, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_SAT)

/* PTX ISA, tcgen05.mma, "Various combinations of .kind and shapes": .kind::f16, tf32, f8f6f4,
 * i8. */
CT_MMA_FAMILY(BLOCK, 100, 1, 64, 8, 256, 8, 16, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 1, 128, 8, 256, 8, 16, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 2, 128, 16, 256, 16, 16, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 2, 256, 16, 256, 16, 16, CT_F16_F32, CT_T(F16), CT_T(F16), 0, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 1, 64, 8, 256, 8, 16, CT_T(F32), CT_BF16, CT_BF16, 0, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 1, 128, 8, 256, 8, 16, CT_T(F32), CT_BF16, CT_BF16, 0, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 2, 128, 16, 256, 16, 16, CT_T(F32), CT_BF16, CT_BF16, 0, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 2, 256, 16, 256, 16, 16, CT_T(F32), CT_BF16, CT_BF16, 0, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 1, 64, 8, 256, 8, 8, CT_T(F32), CT_T(TF32), CT_T(TF32), 0, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 1, 128, 8, 256, 8, 8, CT_T(F32), CT_T(TF32), CT_T(TF32), 0, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 2, 128, 16, 256, 16, 8, CT_T(F32), CT_T(TF32), CT_T(TF32), 0, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 2, 256, 16, 256, 16, 8, CT_T(F32), CT_T(TF32), CT_T(TF32), 0, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 1, 64, 8, 256, 8, 32, CT_F16_F32, CT_FP4TO8, CT_FP4TO8, 1, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 1, 128, 8, 256, 8, 32, CT_F16_F32, CT_FP4TO8, CT_FP4TO8, 1, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 2, 128, 16, 256, 16, 32, CT_F16_F32, CT_FP4TO8, CT_FP4TO8, 1, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 2, 256, 16, 256, 16, 32, CT_F16_F32, CT_FP4TO8, CT_FP4TO8, 1, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 1, 64, 8, 24, 8, 32, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 1, 64, 32, 256, 16, 32, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 1, 128, 8, 24, 8, 32, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 1, 128, 32, 256, 16, 32, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 2, 128, 32, 256, 32, 32, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_T(PLAIN))
CT_MMA_FAMILY(BLOCK, 100, 2, 256, 32, 256, 32, 32, CT_T(S32), CT_BYTES, CT_BYTES, 1, CT_T(PLAIN))

/* tcgen05.mma with scale factors: .kind::mxf8f6f4, and .kind::mxf4 and .kind::mxf4nvf4. */
CT_MMA_FAMILY(BLOCK, 100, 1, 128, 8, 256, 8, 32, CT_T(F32), CT_FP4TO8, CT_FP4TO8, 1, CT_T(SCALED))
CT_MMA_FAMILY(BLOCK, 100, 2, 256, 16, 256, 16, 32, CT_T(F32), CT_FP4TO8, CT_FP4TO8, 1, CT_T(SCALED))
CT_MMA_FAMILY(BLOCK, 100, 1, 128, 8, 256, 8, 64, CT_T(F32), CT_T(E2M1), CT_T(E2M1), 0, CT_SCALES)
CT_MMA_FAMILY(BLOCK, 100, 2, 256, 16, 256, 16, 64, CT_T(F32), CT_T(E2M1), CT_T(E2M1), 0, CT_SCALES)

/* tcgen05.mma.ws: 32, 64 and 128 x 64, 128 and 256, of one block. */
#define CT_MMA_WS_ROWS(m, k, d, a, b, mixed)                                                       \
    CT_MMA_FAMILY(BLOCK, 100, 1, m, 64, 128, 64, k, d, a, b, mixed, CT_T(WS))                      \
    CT_MMA_FAMILY(BLOCK, 100, 1, m, 256, 256, 8, k, d, a, b, mixed, CT_T(WS))
#define CT_MMA_WS_FAMILY(k, d, a, b, mixed)                                                        \
    CT_MMA_WS_ROWS(32, k, d, a, b, mixed)                                                          \
    CT_MMA_WS_ROWS(64, k, d, a, b, mixed)                                                          \
    CT_MMA_WS_ROWS(128, k, d, a, b, mixed)
CT_MMA_WS_FAMILY(16, CT_F16_F32, CT_T(F16), CT_T(F16), 0)
CT_MMA_WS_FAMILY(16, CT_T(F32), CT_BF16, CT_BF16, 0)
CT_MMA_WS_FAMILY(8, CT_T(F32), CT_T(TF32), CT_T(TF32), 0)
CT_MMA_WS_FAMILY(32, CT_F16_F32, CT_FP4TO8, CT_FP4TO8, 1)
CT_MMA_WS_FAMILY(32, CT_T(S32), CT_BYTES, CT_BYTES, 1)

#undef CT_MMA_FAMILY
#undef CT_T
#undef CT_BYTES
#undef CT_NIBBLES
#undef CT_BF16
#undef CT_C64_GC64
#undef CT_FP8
#undef CT_FP4TO8
#undef CT_F16_F32
#undef CT_SAT
#undef CT_POPC
#undef CT_SCALES
#undef CT_MMA_WS_ROWS
#undef CT_MMA_WS_FAMILY
