/**
 * Each sparse wgmma of a few widths: the elements of A that the metadata stores, and of B that it chooses. In
 * the first problems one stored element of each row of A is 1, each in its turn; the others are random. The
 * metadata is random in all.
 */
#ifndef CUTLET_TESTS_WGMMA_SPARSE_CASES_H
#define CUTLET_TESTS_WGMMA_SPARSE_CASES_H

#include "mma_chunks.h"
#include "wgmma_cases.h"
#include "wgmma_sparse_kernels.h"

typedef struct wgmma_sparse_case {
    wgmma_case of;
    int selectors;
} wgmma_sparse_case;

static const wgmma_sparse_case wgmma_sparse_every[] = {
#define ROW(kind, name, words, selectors, types, after, A_MAJOR, B_MAJOR)                          \
    {{"wgmma_" #name "_" #A_MAJOR "_" #B_MAJOR, #name, MAJOR_##A_MAJOR, MAJOR_##B_MAJOR},          \
     selectors},
    WGMMA_SP_NAMES(ROW)
#undef ROW
};

enum { WGMMA_SPARSE_EVERY = sizeof wgmma_sparse_every / sizeof *wgmma_sparse_every };

/* The metadata of all blocks of a launch. */
static uint32_t sparse_words[MOST][THREADS];

/* C becomes what D is to be. */
static void sparse_multiply(const ct_mma_op *op, int scale_d, const int *column, matrices *m)
{
    for (int j = 0; j < op->n; ++j)
        for (int i = 0; i < op->m; ++i) {
            int64_t sum = scale_d ? m->c[i + j * op->m] : 0;
            for (int k = 0; k < op->k / 2; ++k)
                sum += m->a[i + k * op->m] * m->b[j + column[i + k * op->m] * op->n];
            if (op->form == CT_MMA_SATURATE && sum > INT32_MAX) sum = INT32_MAX;
            if (op->form == CT_MMA_SATURATE && sum < INT32_MIN) sum = INT32_MIN;
            m->c[i + j * op->m] = sum;
        }
}

/* Problem p of an atom, in the block of that number. */
static void make_sparse_problem(const ct_mma_atom *atom, const wgmma_case *w, int selector, int p)
{
    static matrices m;
    static int column[ROWS * DEPTH];
    static unsigned char bits[ROWS * 2 * DEPTH];
    const ct_mma_op *const op = &atom->op;
    const int mode = !w->b_mn && p % 4 == 1 ? 3 : p % 4; /* 64 bytes along k lie in one line */
    host.scale_d[p] = p / 2 % 2;
    draw(op, p, &m);
    mma_put_chunks(op, column, bits);
    mma_put_metadata(atom, bits, selector, THREADS, sparse_words[p]);
    if (op->a_from == CT_MMA_SHARED)
        host.descriptors[p][0] = put_shared(atom, CT_MMA_A, w->a_mn, p / 4 % 4, p, m.a, host.a[p]);
    else put_words(atom, CT_MMA_A, op->a, m.a, host.a_words[p][0], WGMMA_A_WORDS);
    host.descriptors[p][1] = put_shared(atom, CT_MMA_B, w->b_mn, mode, p, m.b, host.b[p]);
    put_words(atom, CT_MMA_C, op->c, m.c, host.c[p][0], WGMMA_D_WORDS);
    sparse_multiply(op, host.scale_d[p], column, &m);
    put_words(atom, CT_MMA_C, op->d, m.c, right[p][0], WGMMA_D_WORDS);
}

/* Launches a kernel with a selector on this many blocks of `host`, where D comes back. */
typedef void wgmma_sparse_launch(const char *kernel, int selector, int count);

static void check_sparse(const wgmma_sparse_case *w, int selector, wgmma_sparse_launch *launch)
{
    const ct_mma_atom atom = ct_make_mma_atom(w->of.name);
    assert_int_equal(atom.err.status, CT_OK);
    assert_int_equal(ct_mma_selectors(atom.op), w->selectors);
    const int count = atom.op.k / 2 + RANDOM;
    memset(&host, 0, sizeof host);
    memset(host.a, 0x31, sizeof host.a); /* a number of every type, where nothing is to be read */
    memset(host.b, 0x31, sizeof host.b);
    memset(right, 0, sizeof right);
    for (int p = 0; p < count; ++p) make_sparse_problem(&atom, &w->of, selector, p);
    launch(w->of.kernel, selector, count);
    compare(w->of.kernel, 0, 1, count);
}

#endif
