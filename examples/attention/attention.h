/* What the attention kernels are told. */
#ifndef CUTLET_EXAMPLES_ATTENTION_ATTENTION_H
#define CUTLET_EXAMPLES_ATTENTION_ATTENTION_H

#include <cutlet/device/tensor/global.h>
#include <cutlet/copy/tma.h>

/* O = softmax(scale Q K^T) V for each head of a batch: Q and O are (m, d, heads), K and V (n, d, heads), of
 * bfloat16, contiguous along d, 64 or 128. The maps have boxes of ATTENTION_ROWS rows (of Q) or
 * ATTENTION_KEYS rows (of K and V), 64 along d and one head, and the swizzle of 128 bytes. */
typedef struct attention_args {
    ct_tma_map q, k, v;
    ct_global o;
    int32_t n;   /* rows of K and V */
    float scale; /* positive: 1 / sqrt(d), commonly */
} attention_args;

/* The rows of Q that a block takes, 64 by a warpgroup; those of K and V that it goes through at a time; and
 * how many such tiles of each are on their way. */
#ifndef ATTENTION_KEYS
#define ATTENTION_KEYS 176
#endif
enum { ATTENTION_ROWS = 128, ATTENTION_STAGES = 2, ATTENTION_THREADS = 128 + 2 * ATTENTION_ROWS };

/* The shared memory of a block, for heads of d: Q, and stages of K and of V. The grid is (tiles of m, heads). */
CT_FN int32_t attention_shared_bytes(int32_t d)
{
    return (ATTENTION_ROWS + 2 * ATTENTION_STAGES * ATTENTION_KEYS) * d * 2;
}

#endif
