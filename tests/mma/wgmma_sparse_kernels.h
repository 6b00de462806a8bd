/**
 * What the kernels of wgmma_sparse_kernels.cu are told, and which there are.
 */
#ifndef CUTLET_TESTS_WGMMA_SPARSE_KERNELS_H
#define CUTLET_TESTS_WGMMA_SPARSE_KERNELS_H

#include "wgmma_kernels.h"

/* As wgmma_args, and a word of metadata of each thread. */
typedef struct wgmma_sparse_args {
    wgmma_args of;
    const uint32_t *e;
    int32_t selector;
} wgmma_sparse_args;

/* clang-format off */
/* Lists, for a macro T(kind, name, words of D, values of the selector, types, what stands behind, major of A,
 * major of B). */
#define WGMMA_SP_MAJORS(T, name, words, types)                                     \
    T(SS, SM90_SPARSE_##name##_SS, words, 2, types, ", 1, 1, 0, 0", K, K)          \
    T(SS, SM90_SPARSE_##name##_SS, words, 2, types, ", 1, 1, 0, 1", K, MN)         \
    T(SS, SM90_SPARSE_##name##_SS, words, 2, types, ", 1, 1, 1, 0", MN, K)         \
    T(SS, SM90_SPARSE_##name##_SS, words, 2, types, ", 1, 1, 1, 1", MN, MN)        \
    T(RS, SM90_SPARSE_##name##_RS, words, 2, types, ", 1, 1, 0", K, K)             \
    T(RS, SM90_SPARSE_##name##_RS, words, 2, types, ", 1, 1, 1", K, MN)
#define WGMMA_SP_BOTH(T, name, form, words, selectors, types, behind)              \
    T(SS, SM90_SPARSE_##name##_SS_TN##form, words, selectors, types, behind, K, K) \
    T(RS, SM90_SPARSE_##name##_RS_TN##form, words, selectors, types, behind, K, K)

/* Of one word of D for each of this many columns: 8, 64 and 256. */
#define WGMMA_SP_FLOATS(T, TYPES, types)                                           \
    WGMMA_SP_MAJORS(T, 64x8x32_F32##TYPES, 4, "m64n8k32.f32." types)               \
    WGMMA_SP_MAJORS(T, 64x64x32_F32##TYPES, 32, "m64n64k32.f32." types)            \
    WGMMA_SP_MAJORS(T, 64x256x32_F32##TYPES, 128, "m64n256k32.f32." types)
#define WGMMA_SP_HALVES(T, TYPES, types)                                           \
    WGMMA_SP_MAJORS(T, 64x8x32_F16##TYPES, 2, "m64n8k32.f16." types)               \
    WGMMA_SP_MAJORS(T, 64x64x32_F16##TYPES, 16, "m64n64k32.f16." types)            \
    WGMMA_SP_MAJORS(T, 64x256x32_F16##TYPES, 64, "m64n256k32.f16." types)
#define WGMMA_SP_FP8(T, TYPES, types)                                                      \
    WGMMA_SP_BOTH(T, 64x8x64_F32##TYPES, , 4, 1, "m64n8k64.f32." types, ", 1, 1")          \
    WGMMA_SP_BOTH(T, 64x64x64_F32##TYPES, , 32, 1, "m64n64k64.f32." types, ", 1, 1")       \
    WGMMA_SP_BOTH(T, 64x256x64_F32##TYPES, , 128, 1, "m64n256k64.f32." types, ", 1, 1")    \
    WGMMA_SP_BOTH(T, 64x64x64_F16##TYPES, , 16, 1, "m64n64k64.f16." types, ", 1, 1")
#define WGMMA_SP_INTEGERS(T, TYPES, types)                                                 \
    WGMMA_SP_BOTH(T, 64x8x64_S32##TYPES, , 4, 1, "m64n8k64.s32." types, "")                \
    WGMMA_SP_BOTH(T, 64x64x64_S32##TYPES, , 32, 1, "m64n64k64.s32." types, "")             \
    WGMMA_SP_BOTH(T, 64x256x64_S32##TYPES, , 128, 1, "m64n256k64.s32." types, "")          \
    WGMMA_SP_BOTH(T, 64x64x64_S32##TYPES, _SATURATE, 32, 1, "m64n64k64.s32." types ".satfinite", "")
#define WGMMA_SP_NAMES(T)                                                                  \
    WGMMA_SP_FLOATS(T, F16F16, "f16.f16") WGMMA_SP_HALVES(T, F16F16, "f16.f16")            \
    WGMMA_SP_FLOATS(T, BF16BF16, "bf16.bf16")                                              \
    WGMMA_SP_BOTH(T, 64x8x16_F32TF32TF32, , 4, 2, "m64n8k16.f32.tf32.tf32", ", 1, 1")      \
    WGMMA_SP_BOTH(T, 64x64x16_F32TF32TF32, , 32, 2, "m64n64k16.f32.tf32.tf32", ", 1, 1")   \
    WGMMA_SP_BOTH(T, 64x256x16_F32TF32TF32, , 128, 2, "m64n256k16.f32.tf32.tf32", ", 1, 1") \
    WGMMA_SP_FP8(T, E4M3E4M3, "e4m3.e4m3") WGMMA_SP_FP8(T, E5M2E4M3, "e5m2.e4m3")          \
    WGMMA_SP_FP8(T, E4M3E5M2, "e4m3.e5m2") WGMMA_SP_FP8(T, E5M2E5M2, "e5m2.e5m2")          \
    WGMMA_SP_INTEGERS(T, S8S8, "s8.s8") WGMMA_SP_INTEGERS(T, S8U8, "s8.u8")                \
    WGMMA_SP_INTEGERS(T, U8S8, "u8.s8") WGMMA_SP_INTEGERS(T, U8U8, "u8.u8")

#endif
