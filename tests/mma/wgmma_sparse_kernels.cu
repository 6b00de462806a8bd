/* Sparse wgmma once for each block, a warpgroup with operands and metadata of its own. */
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/arch/wgmma.h>

#include "wgmma_memory.h"
#include "wgmma_sparse_kernels.h"

/* The numbers of the operands after this many words of D: scale of D, B, E, and A. */
#define BEHIND_2 2, 3, 4, 5, 6, 7, 8
#define BEHIND_4 4, 5, 6, 7, 8, 9, 10
#define BEHIND_16 16, 17, 18, 19, 20, 21, 22
#define BEHIND_32 32, 33, 34, 35, 36, 37, 38
#define BEHIND_64 64, 65, 66, 67, 68, 69, 70
#define BEHIND_128 128, 129, 130, 131, 132, 133, 134

#define TEXT_SS(A0, A1, A2, A3) "%" #A0
#define TEXT_RS(A0, A1, A2, A3) "{%" #A0 ", %" #A1 ", %" #A2 ", %" #A3 "}"
#define A_SS "l"(ct_mma_descriptor_step(pair[0], base))
#define A_RS "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])

/* The instruction with one selector, an immediate. */
#define NUMBERED(kind, words, types, tail, selector, SCALE, B, E, A0, A1, A2, A3)                  \
    asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %" #SCALE ", 0;\n"                            \
                 " wgmma.mma_async.sp.sync.aligned." types                                         \
                 " {%0" CT_WGMMA_D##words(CT_WGMMA_TEXT) "}, " TEXT_##kind(                        \
                     A0, A1, A2, A3) ", %" #B ", %" #E ", " #selector ", p" tail ";\n }"           \
                 : "+r"(d[0])CT_WGMMA_D##words(CT_WGMMA_WORD)                                      \
                 : "r"(scale_d), "l"(ct_mma_descriptor_step(pair[1], base)), "r"(e), A_##kind)
#define WITH_NUMBERS(kind, words, types, tail, selector, ...)                                      \
    NUMBERED(kind, words, types, tail, selector, __VA_ARGS__)
#define INSTRUCTION(kind, words, types, tail, selector)                                            \
    WITH_NUMBERS(kind, words, types, tail, selector, BEHIND_##words)

/* It, and the wait for it. */
#define DONE(kind, words, types, tail, selector)                                                   \
    do {                                                                                           \
        ct_wgmma_fence();                                                                          \
        INSTRUCTION(kind, words, types, tail, selector);                                           \
        ct_wgmma_commit();                                                                         \
        ct_wgmma_wait(0);                                                                          \
        ct_wgmma_done(d, words);                                                                   \
    } while (0)
#define SELECTORS_1(kind, words, types, tail) DONE(kind, words, types, tail, 0);
#define SELECTORS_2(kind, words, types, tail)                                                      \
    if (args.selector == 0) DONE(kind, words, types, tail, 0);                                     \
    else DONE(kind, words, types, tail, 1);

#define KERNEL(kind, name, words, selectors, types, tail, A_MAJOR, B_MAJOR)                        \
    CT_KERNEL_THREADS(wgmma_##name##_##A_MAJOR##_##B_MAJOR, 128, wgmma_sparse_args, args)          \
    {                                                                                              \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        CT_FRAGMENT(uint32_t, d, words);                                                           \
        CT_FRAGMENT(uint32_t, a, WGMMA_A_WORDS);                                                   \
        CT_FRAGMENT(uint64_t, pair, 2);                                                            \
        const size_t block = blockIdx.x, thread = 128 * block + threadIdx.x;                       \
        const uint32_t base = ct_shared_address(memory);                                           \
        int32_t scale_d = 0;                                                                       \
        uint32_t e = 0;                                                                            \
        fill(memory, args.of.a + block * WGMMA_A_BYTES, WGMMA_A_BYTES);                            \
        fill(memory + WGMMA_A_BYTES, args.of.b + block * WGMMA_B_BYTES, WGMMA_B_BYTES);            \
        ct_fence_async_shared();                                                                   \
        __syncthreads();                                                                           \
        ct_load_global(pair, args.of.descriptors + 2 * block, 128);                                \
        ct_load_global(&scale_d, args.of.scale_d + block, 32);                                     \
        ct_load_global(&e, args.e + thread, 32);                                                   \
        take(a, args.of.a_words + thread * WGMMA_A_WORDS, WGMMA_A_WORDS);                          \
        take(d, args.of.c + thread * WGMMA_D_WORDS, words);                                        \
        SELECTORS_##selectors(kind, words, types, tail)                                            \
            put(args.of.d + thread * WGMMA_D_WORDS, d, words);                                     \
    }
WGMMA_SP_NAMES(KERNEL)
