/**
 * Every sparse mma.sync against sums of integers, as mma_cases.h for the others.
 */
#ifndef CUTLET_TESTS_MMA_SPARSE_CASES_H
#define CUTLET_TESTS_MMA_SPARSE_CASES_H

#include "mma_cases.h"
#include "mma_chunks.h"
#include "mma_sparse_kernels.h"

/* As mma_launch, with the metadata of each thread. */
typedef void mma_sparse_launch(const char *name, int warps, const mma_sparse_args *args);

/* The operands of one warp: A as it is stored, with the column of each element in a row of k. */
typedef struct sparse_matrices {
    mma_matrices m;
    int column[MMA_ELEMENTS];
    unsigned char bits[MMA_ELEMENTS]; /* E: (m, bit of the row) */
} sparse_matrices;

/* C becomes what the instruction is to make of it. */
static void mma_sparse_multiply(const ct_mma_op *op, sparse_matrices *s)
{
    for (int j = 0; j < op->n; ++j)
        for (int i = 0; i < op->m; ++i) {
            int64_t sum = s->m.c[i + j * op->m];
            for (int k = 0; k < op->k / 2; ++k)
                sum += s->m.a[i + k * op->m] * s->m.b[j + s->column[i + k * op->m] * op->n];
            if (op->form == CT_MMA_SATURATE && sum > INT32_MAX) sum = INT32_MAX;
            if (op->form == CT_MMA_SATURATE && sum < INT32_MIN) sum = INT32_MIN;
            s->m.c[i + j * op->m] = sum;
        }
}

/* An instruction with one selector: each stored element of A alone among zeros, each of B, each of C, and
 * random ones; of them every `step`th. The metadata is random in all. */
static void mma_sparse_check(const char *name, int selector, int step, mma_sparse_launch *launch)
{
    const ct_mma_atom atom = ct_make_mma_atom(name);
    const ct_mma_op *const op = &atom.op;
    assert_int_equal(atom.err.status, CT_OK);
    const int all = op->m * op->k / 2 + op->n * op->k + op->m * op->n + MMA_RANDOM;
    const int warps = (all + step - 1) / step;
    const size_t each = 32 * MMA_WORDS, words = (size_t)warps * each;
    uint32_t *const memory = calloc(5 * words + (size_t)warps * 32, sizeof *memory);
    sparse_matrices *const s = malloc(sizeof *s);
    assert_non_null(memory);
    assert_non_null(s);
    uint32_t *const a = memory, *const b = a + words, *const c = b + words, *const d = c + words;
    uint32_t *const right = d + words, *const e = right + words;
    for (int w = 0; w < warps; ++w) {
        mma_fill(op, all - 1 - w * step, &s->m);
        mma_put_chunks(op, s->column, s->bits);
        mma_pack(&atom, CT_MMA_A, op->a, s->m.a, a + (size_t)w * each);
        mma_pack(&atom, CT_MMA_B, op->b, s->m.b, b + (size_t)w * each);
        mma_pack(&atom, CT_MMA_C, op->c, s->m.c, c + (size_t)w * each);
        mma_put_metadata(&atom, s->bits, selector, 32, e + 32 * w);
        mma_sparse_multiply(op, s);
        mma_pack(&atom, CT_MMA_C, op->d, s->m.c, right + (size_t)w * each);
    }
    const mma_sparse_args args = {a, b, c, e, d, selector};
    launch(name, warps, &args);
    for (size_t i = 0; i < words; ++i)
        if (d[i] != right[i])
            fail_msg(
                "%s, selector %d: warp %d, thread %d, word %d of D is %08x, and should be %08x",
                name, selector, (int)(i / each), (int)(i / MMA_WORDS % 32), (int)(i % MMA_WORDS),
                d[i], right[i]);
    free(memory);
    free(s);
}

#endif
