/* Every sparse mma.sync of sm_80 and sm_89, which sm_90 has. A list, for a macro
 * T(name, words of A and of B, words of C, values of the selector, types and what stands before). */
#ifndef CUTLET_TESTS_MMA_SPARSE_NAMES_H
#define CUTLET_TESTS_MMA_SPARSE_NAMES_H

#define MMA_SPARSE_SIGNS(T, k, words, selectors, bits, A, B, types)                                \
    T(SM80_SPARSE_16x8x##k##_S32##A##bits##B##bits##S32_TN, words, 4, selectors,                   \
      "m16n8k" #k ".row.col.s32." types ".s32")                                                    \
    T(SM80_SPARSE_16x8x##k##_S32##A##bits##B##bits##S32_TN_SATURATE, words, 4, selectors,          \
      "m16n8k" #k ".row.col.satfinite.s32." types ".s32")
#define MMA_SPARSE_INTEGERS(T, k, words, selectors, bits)                                          \
    MMA_SPARSE_SIGNS(T, k, words, selectors, bits, S, S, "s" #bits ".s" #bits)                     \
    MMA_SPARSE_SIGNS(T, k, words, selectors, bits, U, S, "u" #bits ".s" #bits)                     \
    MMA_SPARSE_SIGNS(T, k, words, selectors, bits, S, U, "s" #bits ".u" #bits)                     \
    MMA_SPARSE_SIGNS(T, k, words, selectors, bits, U, U, "u" #bits ".u" #bits)

#define MMA_SPARSE_NAMES(T)                                                                        \
    T(SM80_SPARSE_16x8x16_F16F16F16F16_TN, 2, 2, 4, "m16n8k16.row.col.f16.f16.f16.f16")            \
    T(SM80_SPARSE_16x8x16_F32F16F16F32_TN, 2, 4, 4, "m16n8k16.row.col.f32.f16.f16.f32")            \
    T(SM80_SPARSE_16x8x32_F16F16F16F16_TN, 4, 2, 2, "m16n8k32.row.col.f16.f16.f16.f16")            \
    T(SM80_SPARSE_16x8x32_F32F16F16F32_TN, 4, 4, 2, "m16n8k32.row.col.f32.f16.f16.f32")            \
    T(SM80_SPARSE_16x8x16_F32BF16BF16F32_TN, 2, 4, 4, "m16n8k16.row.col.f32.bf16.bf16.f32")        \
    T(SM80_SPARSE_16x8x32_F32BF16BF16F32_TN, 4, 4, 2, "m16n8k32.row.col.f32.bf16.bf16.f32")        \
    T(SM80_SPARSE_16x8x8_F32TF32TF32F32_TN, 2, 4, 4, "m16n8k8.row.col.f32.tf32.tf32.f32")          \
    T(SM80_SPARSE_16x8x16_F32TF32TF32F32_TN, 4, 4, 2, "m16n8k16.row.col.f32.tf32.tf32.f32")        \
    MMA_SPARSE_INTEGERS(T, 32, 2, 2, 8)                                                            \
    MMA_SPARSE_INTEGERS(T, 64, 4, 1, 8)                                                            \
    MMA_SPARSE_INTEGERS(T, 64, 2, 2, 4)                                                            \
    MMA_SPARSE_INTEGERS(T, 128, 4, 1, 4)                                                           \
    T(SM89_SPARSE_16x8x64_F32E4M3E4M3F32_TN, 4, 4, 1, "m16n8k64.row.col.f32.e4m3.e4m3.f32")        \
    T(SM89_SPARSE_16x8x64_F32E4M3E5M2F32_TN, 4, 4, 1, "m16n8k64.row.col.f32.e4m3.e5m2.f32")        \
    T(SM89_SPARSE_16x8x64_F32E5M2E4M3F32_TN, 4, 4, 1, "m16n8k64.row.col.f32.e5m2.e4m3.f32")        \
    T(SM89_SPARSE_16x8x64_F32E5M2E5M2F32_TN, 4, 4, 1, "m16n8k64.row.col.f32.e5m2.e5m2.f32")

#endif
