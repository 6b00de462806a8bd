/* What the kernels of mma_kernels.cu are told. */
#ifndef CUTLET_TESTS_MMA_KERNELS_H
#define CUTLET_TESTS_MMA_KERNELS_H

#include <stdint.h>

/* Words of 32 bits that a thread has at most of an operand. */
enum { MMA_WORDS = 16 };

/* The words of block b's thread t are at 32 b + t, MMA_WORDS for each. */
typedef struct mma_args {
    const uint32_t *a, *b, *c;
    uint32_t *d;
} mma_args;

#endif
