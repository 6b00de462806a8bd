/**
 * Each wgmma, of each kind of operand: the elements that the atom's layouts and the descriptors of
 * composed layouts say, in all swizzles. The first problems of an instruction read one row of B
 * each, the others sum.
 */
#ifndef CUTLET_TESTS_WGMMA_CASES_H
#define CUTLET_TESTS_WGMMA_CASES_H

#include "test.h"

#include <cutlet/mma/mma_descriptor_bits.h>
#include <cutlet/algebra/product.h>

#include "mma_numbers.h"
#include "wgmma_kernels.h"

enum { RANDOM = 16, MOST = 32 + RANDOM, ROWS = 64, COLUMNS = 256, DEPTH = 64, THREADS = 128 };

/* The operands of one block, as (m,k), (n,k) and (m,n) with the first mode contiguous. */
typedef struct matrices {
    int64_t a[ROWS * DEPTH], b[COLUMNS * DEPTH], c[ROWS * COLUMNS];
} matrices;

/* A kernel, its atom, and which operands are contiguous along m or n. */
typedef struct wgmma_case {
    const char *kernel, *name;
    int a_mn, b_mn;
} wgmma_case;

enum { MAJOR_K, MAJOR_MN };

static const wgmma_case wgmma_every[] = {
#define ROW(kind, name, A_MAJOR, B_MAJOR)                                                          \
    {"wgmma_" #name "_" #A_MAJOR "_" #B_MAJOR, #name, MAJOR_##A_MAJOR, MAJOR_##B_MAJOR},
    WGMMA_NAMES(ROW)
#undef ROW
};

enum { WGMMA_EVERY = sizeof wgmma_every / sizeof *wgmma_every };

/* All blocks of a launch, as wgmma_args has them. */
typedef struct problems {
    unsigned char a[MOST][WGMMA_A_BYTES], b[MOST][WGMMA_B_BYTES];
    uint64_t descriptors[MOST][2];
    uint32_t a_words[MOST][THREADS][WGMMA_A_WORDS];
    uint32_t c[MOST][THREADS][WGMMA_D_WORDS], d[MOST][THREADS][WGMMA_D_WORDS];
    int32_t scale_d[MOST];
} problems;

static problems host;
static uint32_t right[MOST][THREADS][WGMMA_D_WORDS];

/* ---- operands -------------------------------------------------------------------------------- */

/* The elements of a row of A that are stored. */
static int depth_of_a(const ct_mma_op *op) { return op->sparse ? op->k / 2 : op->k; }

/* A tile in shared memory that holds parts of (mn,k), in lines of a swizzle; where no such line
 * fits the parts, in lines of 16 bytes. */
static ct_tensor tile_of(int mn, int k, int bytes, int mn_major, int mode, int order)
{
    const int elems = (16 << mode) / bytes, log = bytes == 4 ? 2 : bytes - 1;
    if (mn_major && mn % elems != 0 && elems % mn != 0)
        return tile_of(mn, k, bytes, mn_major, 0, order);
    const ct_layout lines =
        mn_major ? ct_layout2(elems, 8, 1, elems) : ct_layout2(8, elems, elems, 1);
    const ct_tuple shape =
        ct_tuple2(mn_major && elems > mn ? elems : mn, !mn_major && elems > k ? elems : k);
    return ct_make_swizzled(ct_make_swizzle(mode, 4 - log, 3), 0,
                            ct_tile_to_shape(lines, shape, ct_tuple2(order, 1 - order)));
}

/* Puts a matrix (mn,k) into the image of shared memory, as part of a tile whose other parts hold
 * something else; the descriptor of that part. */
static uint64_t put_shared(const ct_mma_atom *atom, int operand, int mn_major, int mode, int p,
                           const int64_t *matrix, unsigned char *image)
{
    const int32_t type = ct_mma_operand_type(atom->op, operand);
    const int is_a = operand == CT_MMA_A, mn = is_a ? atom->op.m : atom->op.n,
              k = is_a ? depth_of_a(&atom->op) : atom->op.k, bytes = ct_mma_bits(type) / 8;
    const ct_tensor tile = tile_of(mn, k, bytes, mn_major, mode, p / 3 % 2);
    const ct_mma_descriptor d = ct_mma_descriptor_at(ct_make_mma_descriptor(tile, operand, *atom),
                                                     operand == CT_MMA_A ? 0 : WGMMA_A_BYTES);
    assert_int_equal(d.err.status, CT_OK);
    assert_int_equal(d.major, mn_major ? CT_MMA_MN_MAJOR : CT_MMA_K_MAJOR);
    const int64_t rows = ct_size(ct_mode(tile.layout, 0)), along = rows / mn,
                  part = p % ct_size(d.steps);
    for (int i = 0; i < mn * k; ++i) {
        const int64_t row = part % along * mn + i % mn, column = part / along * k + i / mn;
        const uint64_t x = mma_bits_of(type, matrix[i]);
        memcpy(image + bytes * ct_tensor_offset(&tile, row + rows * column), &x, (size_t)bytes);
    }
    return ct_mma_descriptor_step(ct_mma_descriptor_pack(d), ct_eval(d.steps, part));
}

/* Puts a matrix into the threads' words, this many for each. */
static void put_words(const ct_mma_atom *atom, int operand, int32_t type, const int64_t *matrix,
                      uint32_t *words, int each)
{
    const ct_layout tv = ct_mma_tv(*atom, operand);
    const int bits = ct_mma_bits(type);
    for (int t = 0; t < THREADS; ++t)
        for (int v = 0; v < ct_size(tv) / THREADS; ++v)
            words[each * t + v * bits / 32] |=
                (uint32_t)mma_bits_of(type, matrix[ct_eval2(tv, t, v)]) << v * bits % 32;
}

/* ---- problems -------------------------------------------------------------------------------- */

/* A has a single 1 in each row, in each problem at another k; after those, random integers. */
static void draw(const ct_mma_op *op, int p, matrices *m)
{
    const int depth = depth_of_a(op);
    for (int i = 0; i < op->m * depth; ++i)
        m->a[i] = p < depth ? (i % op->m + p) % depth == i / op->m : mma_any(op->a);
    for (int i = 0; i < op->n * op->k; ++i) m->b[i] = mma_any(op->b);
    for (int i = 0; i < op->m * op->n; ++i) m->c[i] = mma_any(op->c);
}

/* C becomes what D is to be. */
static void multiply(const ct_mma_op *op, int scale_d, matrices *m)
{
    for (int j = 0; j < op->n; ++j)
        for (int i = 0; i < op->m; ++i) {
            int64_t sum = scale_d ? m->c[i + j * op->m] : 0;
            for (int k = 0; k < op->k; ++k) sum += m->a[i + k * op->m] * m->b[j + k * op->n];
            if (op->form == CT_MMA_SATURATE && sum > INT32_MAX) sum = INT32_MAX;
            if (op->form == CT_MMA_SATURATE && sum < INT32_MIN) sum = INT32_MIN;
            m->c[i + j * op->m] = sum;
        }
}

/* Problem p of an atom, in a block: its operands, and what D is to be. */
static void make_problem(const ct_mma_atom *atom, int a_mn, int b_mn, int p, int block)
{
    static matrices m;
    const ct_mma_op *const op = &atom->op;
    host.scale_d[block] = p / 2 % 2;
    draw(op, p, &m);
    if (op->a_from == CT_MMA_SHARED)
        host.descriptors[block][0] =
            put_shared(atom, CT_MMA_A, a_mn, p / 4 % 4, p, m.a, host.a[block]);
    else put_words(atom, CT_MMA_A, op->a, m.a, host.a_words[block][0], WGMMA_A_WORDS);
    host.descriptors[block][1] = put_shared(atom, CT_MMA_B, b_mn, p % 4, p, m.b, host.b[block]);
    put_words(atom, CT_MMA_C, op->c, m.c, host.c[block][0], WGMMA_D_WORDS);
    multiply(op, host.scale_d[block], &m);
    put_words(atom, CT_MMA_C, op->d, m.c, right[block][0], WGMMA_D_WORDS);
}

/* Launches a kernel on this many blocks of `host`, where D comes back. */
typedef void wgmma_launch(const char *kernel, int count);

/* Problems first, first + step and so on, as they came back. */
static void compare(const char *kernel, int first, int step, int count)
{
    for (int b = 0; b < count; ++b)
        for (int t = 0; t < THREADS; ++t)
            for (int i = 0; i < WGMMA_D_WORDS; ++i)
                if (host.d[b][t][i] != right[b][t][i])
                    fail_msg("%s: problem %d, thread %d, word %d of D is %08x, and should be %08x",
                             kernel, first + b * step, t, i, host.d[b][t][i], right[b][t][i]);
}

/* An instruction with its problems first, first + step and so on. */
static inline void check(const wgmma_case *w, int first, int step, wgmma_launch *launch)
{
    const ct_mma_atom atom = ct_make_mma_atom(w->name);
    int count = 0;
    assert_int_equal(atom.err.status, CT_OK);
    memset(&host, 0, sizeof host);
    memset(host.a, 0x31, sizeof host.a); /* a number of every type, where nothing is to be read */
    memset(host.b, 0x31, sizeof host.b);
    memset(right, 0, sizeof right);
    for (int p = first; p < atom.op.k + RANDOM; p += step)
        make_problem(&atom, w->a_mn, w->b_mn, p, count++);
    launch(w->kernel, count);
    compare(w->kernel, first, step, count);
}

#endif
