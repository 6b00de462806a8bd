/**
 * Tensors in buffers of their own between bytes of poison, and random numbers, for tests of copies.
 */
#ifndef TESTS_COPY_TENSOR_H
#define TESTS_COPY_TENSOR_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/grid.h>
#include <cutlet/host/text.h>
#include <cutlet/algebra/tensor_ops.h>

enum { GUARD = 256, POISON = 0xa5 };

static uint64_t seed = 1;

static unsigned random_bits(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33);
}

static int random_to(int n) { return (int)(random_bits() % (unsigned)(n + 1)); }

/* ---- memory ------------------------------------------------------------------------------------ */

/* A tensor in a buffer of its own, whose first byte lies `shift` bytes past a multiple of 256. */
typedef struct tensor {
    unsigned char *memory;
    size_t all, bytes;
    int64_t first; /* byte of the element at coordinate 0, from the buffer's begin */
    ct_layout layout;
    int bits, shift;
} tensor;

static inline tensor make_tensor(ct_layout layout, int bits, int shift)
{
    tensor t = {.layout = layout, .bits = bits, .shift = shift};
    const int64_t low = ct_lowest(layout), high = low + ct_cosize(layout) - 1;
    t.first = -low * bits / 8;
    t.bytes = (size_t)((high - low + 1) * bits + 7) / 8;
    t.all = (t.bytes + (size_t)shift + 3 * GUARD - 1) / GUARD * GUARD;
    t.memory = aligned_alloc(GUARD, t.all);
    assert_non_null(t.memory);
    memset(t.memory, POISON, t.all);
    return t;
}

static unsigned char *begin(const tensor *t) { return t->memory + GUARD + t->shift; }

/* Bit of element i, from the buffer's begin. */
static int64_t bit_of(const tensor *t, int64_t i)
{
    return 8 * t->first + ct_eval(t->layout, i) * t->bits;
}

#endif
