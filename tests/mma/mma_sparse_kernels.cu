/* Each sparse mma.sync once for each block: a block is a warp, with fragments and metadata of its own. */
#include <stdint.h>

#include "mma_sparse_kernels.h"
#include "mma_sparse_names.h"

/* The operands of this many words. */
#define OUT_4 "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
#define OUT_2 "=r"(d[0]), "=r"(d[1])
#define IN_4(p) "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3])
#define IN_2(p) "r"(p[0]), "r"(p[1])
#define OPERANDS_4_4 " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, %16, %17;"
#define OPERANDS_2_4 " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11}, %12, %13;"
#define OPERANDS_4_2 " {%0,%1}, {%2,%3,%4,%5}, {%6,%7,%8,%9}, {%10,%11}, %12, %13;"
#define OPERANDS_2_2 " {%0,%1}, {%2,%3}, {%4,%5}, {%6,%7}, %8, %9;"

/* The instruction with one selector, an immediate. */
#define INSTRUCTION(words, cs, types, s)                                                           \
    asm volatile("mma.sp::ordered_metadata.sync.aligned." types OPERANDS_##words##_##cs            \
                 : OUT_##cs                                                                        \
                 : IN_##words(a), IN_##words(b), IN_##cs(c), "r"(e), "n"(s))
#define SELECTED(words, cs, selectors, types, s)                                                   \
    if (s < selectors && args.selector == s) INSTRUCTION(words, cs, types, s);
#define KERNEL(name, words, cs, selectors, types)                                                  \
    extern "C" __global__ void mma_##name(const mma_sparse_args args)                              \
    {                                                                                              \
        const size_t thread = 32 * blockIdx.x + threadIdx.x;                                       \
        const uint32_t *const a = args.a + thread * MMA_WORDS, *const b =                          \
                                                                   args.b + thread * MMA_WORDS;    \
        const uint32_t *const c = args.c + thread * MMA_WORDS, e = args.e[thread];                 \
        uint32_t d[4] = {0, 0, 0, 0};                                                              \
        SELECTED(words, cs, selectors, types, 0)                                                   \
        SELECTED(words, cs, selectors, types, 1)                                                   \
        SELECTED(words, cs, selectors, types, 2)                                                   \
        SELECTED(words, cs, selectors, types, 3)                                                   \
        for (int i = 0; i < cs; ++i) args.d[thread * MMA_WORDS + i] = d[i];                        \
    }
MMA_SPARSE_NAMES(KERNEL)
