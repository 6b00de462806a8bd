/**
 * Every mma.sync against sums of integers: each element of A and of B alone among zeros, each of C,
 * and random ones. Where an element lies in the threads' words is what the atom's layouts say.
 */
#ifndef CUTLET_TESTS_MMA_CASES_H
#define CUTLET_TESTS_MMA_CASES_H

#include "test.h"

#include <cutlet/mma/mma_atom.h>

#include "mma_kernels.h"
#include "mma_numbers.h"

enum { MMA_ELEMENTS = 16 * 256, MMA_RANDOM = 32 };

/* Takes a step of the warps' words on the way: all four arrays have `warps` times 32 threads. */
typedef void mma_launch(const char *name, int warps, const mma_args *args);

/* The operands of one warp, as (m,k), (n,k) and (m,n) with the first mode contiguous. */
typedef struct mma_matrices {
    int64_t a[MMA_ELEMENTS], b[MMA_ELEMENTS], c[MMA_ELEMENTS];
} mma_matrices;

/* Writes a matrix into the words of a warp's threads. Quad pairs of a warp all get the same. */
static void mma_pack(const ct_mma_atom *atom, int operand, int32_t type, const int64_t *matrix,
                     uint32_t *words)
{
    const ct_layout tv = ct_mma_tv(*atom, operand);
    const int threads = (int)ct_size(atom->thr_id), values = (int)(ct_size(tv) / threads);
    const int bits = ct_mma_bits(type), sets = threads == 8 ? 4 : 1;
    for (int set = 0; set < sets; ++set)
        for (int t = 0; t < threads; ++t) {
            uint32_t *const own = words + MMA_WORDS * (ct_eval(atom->thr_id, t) + 4 * set);
            for (int v = 0; v < values; ++v) {
                const uint64_t x = mma_bits_of(type, matrix[ct_eval2(tv, t, v)]);
                const int at = v * bits;
                own[at / 32] |= (uint32_t)x << at % 32;
                if (bits == 64) own[at / 32 + 1] = (uint32_t)(x >> 32);
            }
        }
}

/* C becomes what the instruction is to make of it. */
static void mma_multiply(const ct_mma_op *op, mma_matrices *m)
{
    for (int j = 0; j < op->n; ++j)
        for (int i = 0; i < op->m; ++i) {
            int64_t sum = m->c[i + j * op->m];
            for (int k = 0; k < op->k; ++k) {
                const int64_t x = m->a[i + k * op->m], y = m->b[j + k * op->n];
                sum += op->form == CT_MMA_XORPOPC ? x ^ y : x * y;
            }
            if (op->form == CT_MMA_SATURATE && sum > INT32_MAX) sum = INT32_MAX;
            if (op->form == CT_MMA_SATURATE && sum < INT32_MIN) sum = INT32_MIN;
            m->c[i + j * op->m] = sum;
        }
}

/* The matrices of warp w: one element alone of A, of B, of C, then random ones. */
static void mma_fill(const ct_mma_op *op, int w, mma_matrices *m)
{
    const int as = op->m * ct_mma_a_columns(*op), bs = op->n * op->k, cs = op->m * op->n;
    memset(m, 0, sizeof *m);
    if (w >= as && w < as + bs) m->b[w - as] = 1;
    else if (w < as) m->a[w] = 1;
    else if (w < as + bs + cs) m->c[w - as - bs] = 1;
    for (int i = 0; i < as && w >= as && (w < as + bs || w >= as + bs + cs); ++i)
        m->a[i] = mma_any(op->a);
    for (int i = 0; i < bs && (w < as || w >= as + bs + cs); ++i) m->b[i] = mma_any(op->b);
    for (int i = 0; i < cs && w >= as + bs + cs; ++i) m->c[i] = mma_any(op->c);
}

/* Runs every `step`th warp of an instruction's, and compares all words of D. */
static inline void mma_check(const char *name, int step, mma_launch *launch)
{
    const ct_mma_atom atom = ct_make_mma_atom(name);
    const ct_mma_op *const op = &atom.op;
    assert_int_equal(atom.err.status, CT_OK);
    const int all = op->m * op->k + op->n * op->k + op->m * op->n + MMA_RANDOM;
    const int warps = (all + step - 1) / step, each = 32 * MMA_WORDS;
    const size_t words = (size_t)warps * each;
    uint32_t *const memory = calloc(5 * words, sizeof *memory);
    mma_matrices *const m = malloc(sizeof *m);
    assert_non_null(memory);
    assert_non_null(m);
    uint32_t *const a = memory, *const b = a + words, *const c = b + words, *const d = c + words;
    uint32_t *const right = d + words;
    for (int w = 0; w < warps; ++w) {
        mma_fill(op, all - 1 - w * step, m);
        mma_pack(&atom, CT_MMA_A, op->a, m->a, a + (size_t)w * each);
        mma_pack(&atom, CT_MMA_B, op->b, m->b, b + (size_t)w * each);
        mma_pack(&atom, CT_MMA_C, op->c, m->c, c + (size_t)w * each);
        mma_multiply(op, m);
        mma_pack(&atom, CT_MMA_C, op->d, m->c, right + (size_t)w * each);
    }
    const mma_args args = {a, b, c, d};
    launch(name, warps, &args);
    for (size_t i = 0; i < words; ++i)
        if (d[i] != right[i])
            fail_msg("%s: warp %d, thread %d, word %d of D is %08x, and should be %08x", name,
                     (int)(i / (size_t)each), (int)(i / MMA_WORDS % 32), (int)(i % MMA_WORDS), d[i],
                     right[i]);
    free(memory);
    free(m);
}

#endif
