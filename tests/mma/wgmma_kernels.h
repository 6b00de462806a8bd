/**
 * What the kernels of wgmma_kernels.cu are told, and which there are.
 */
#ifndef CUTLET_TESTS_WGMMA_KERNELS_H
#define CUTLET_TESTS_WGMMA_KERNELS_H

#include <stdint.h>

/* Bytes of the operands of a block in shared memory, and words of a thread. */
enum { WGMMA_A_BYTES = 8192, WGMMA_B_BYTES = 32768, WGMMA_A_WORDS = 4, WGMMA_D_WORDS = 128 };

/* Block b has a[b], b[b] and so on. */
typedef struct wgmma_args {
    const unsigned char *a, *b;  /* of shared memory, A and then B */
    const uint64_t *descriptors; /* of A and of B, where shared memory begins at 0 */
    const uint32_t *a_words;     /* of 128 threads: A of registers */
    const uint32_t *c;           /* what D is before */
    uint32_t *d;
    const int32_t *scale_d;
} wgmma_args;

/* clang-format off */
/* Lists, for a macro T(kind, name, major of A, major of B). */
#define WGMMA_EVERY_N(T, types)                                                                    \
    T(SS, SM90_64x8x##types##_SS, K, K) T(SS, SM90_64x16x##types##_SS, K, K)                       \
    T(SS, SM90_64x24x##types##_SS, K, K) T(SS, SM90_64x32x##types##_SS, K, K)                      \
    T(SS, SM90_64x40x##types##_SS, K, K) T(SS, SM90_64x48x##types##_SS, K, K)                      \
    T(SS, SM90_64x56x##types##_SS, K, K) T(SS, SM90_64x64x##types##_SS, K, K)                      \
    T(SS, SM90_64x72x##types##_SS, K, K) T(SS, SM90_64x80x##types##_SS, K, K)                      \
    T(SS, SM90_64x88x##types##_SS, K, K) T(SS, SM90_64x96x##types##_SS, K, K)                      \
    T(SS, SM90_64x104x##types##_SS, K, K) T(SS, SM90_64x112x##types##_SS, K, K)                    \
    T(SS, SM90_64x120x##types##_SS, K, K) T(SS, SM90_64x128x##types##_SS, K, K)                    \
    T(SS, SM90_64x136x##types##_SS, K, K) T(SS, SM90_64x144x##types##_SS, K, K)                    \
    T(SS, SM90_64x152x##types##_SS, K, K) T(SS, SM90_64x160x##types##_SS, K, K)                    \
    T(SS, SM90_64x168x##types##_SS, K, K) T(SS, SM90_64x176x##types##_SS, K, K)                    \
    T(SS, SM90_64x184x##types##_SS, K, K) T(SS, SM90_64x192x##types##_SS, K, K)                    \
    T(SS, SM90_64x200x##types##_SS, K, K) T(SS, SM90_64x208x##types##_SS, K, K)                    \
    T(SS, SM90_64x216x##types##_SS, K, K) T(SS, SM90_64x224x##types##_SS, K, K)                    \
    T(SS, SM90_64x232x##types##_SS, K, K) T(SS, SM90_64x240x##types##_SS, K, K)                    \
    T(SS, SM90_64x248x##types##_SS, K, K) T(SS, SM90_64x256x##types##_SS, K, K)
#define WGMMA_MAJORS(T, shape_types)                                                               \
    T(SS, SM90_##shape_types##_SS, K, MN) T(SS, SM90_##shape_types##_SS, MN, K)                    \
    T(SS, SM90_##shape_types##_SS, MN, MN) T(RS, SM90_##shape_types##_RS, K, K)                    \
    T(RS, SM90_##shape_types##_RS, K, MN)
#define WGMMA_SHORTS(T, types)                                                                     \
    WGMMA_MAJORS(T, 64x8x16_##types) WGMMA_MAJORS(T, 64x16x16_##types)                             \
    WGMMA_MAJORS(T, 64x64x16_##types) WGMMA_MAJORS(T, 64x96x16_##types)                            \
    WGMMA_MAJORS(T, 64x128x16_##types) WGMMA_MAJORS(T, 64x192x16_##types)                          \
    WGMMA_MAJORS(T, 64x256x16_##types)
#define WGMMA_BOTH(T, shape_types, form)                                                           \
    T(SS, SM90_##shape_types##_SS_TN##form, K, K) T(RS, SM90_##shape_types##_RS_TN##form, K, K)
#define WGMMA_OTHERS(T, k_types, form)                                                             \
    WGMMA_BOTH(T, 64x8x##k_types, form) WGMMA_BOTH(T, 64x16x##k_types, form)                       \
    WGMMA_BOTH(T, 64x24x##k_types, form) WGMMA_BOTH(T, 64x64x##k_types, form)                      \
    WGMMA_BOTH(T, 64x96x##k_types, form) WGMMA_BOTH(T, 64x128x##k_types, form)                     \
    WGMMA_BOTH(T, 64x192x##k_types, form) WGMMA_BOTH(T, 64x256x##k_types, form)
#define WGMMA_FP8(T, types)                                                                        \
    WGMMA_OTHERS(T, 32_F32##types, ) WGMMA_BOTH(T, 64x24x32_F16##types, )                          \
    WGMMA_BOTH(T, 64x256x32_F16##types, )
#define WGMMA_INTEGERS(T, types)                                                                   \
    WGMMA_OTHERS(T, 32_S32##types, ) WGMMA_BOTH(T, 64x24x32_S32##types, _SATURATE)                 \
    WGMMA_BOTH(T, 64x256x32_S32##types, _SATURATE)
#define WGMMA_NAMES(T)                                                                             \
    WGMMA_EVERY_N(T, 16_F32F16F16) WGMMA_EVERY_N(T, 16_F16F16F16)                                  \
    WGMMA_EVERY_N(T, 16_F32BF16BF16)                                                               \
    WGMMA_SHORTS(T, F32F16F16) WGMMA_SHORTS(T, F16F16F16) WGMMA_SHORTS(T, F32BF16BF16)             \
    WGMMA_OTHERS(T, 8_F32TF32TF32, )                                                               \
    WGMMA_FP8(T, E4M3E4M3) WGMMA_FP8(T, E4M3E5M2) WGMMA_FP8(T, E5M2E4M3) WGMMA_FP8(T, E5M2E5M2)    \
    WGMMA_INTEGERS(T, S8S8) WGMMA_INTEGERS(T, S8U8) WGMMA_INTEGERS(T, U8S8) WGMMA_INTEGERS(T, U8U8)

#endif
