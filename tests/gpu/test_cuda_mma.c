/* mma.sync and mma.sp on a real GPU: every instruction, each element of its operands where the atom's
 * layouts say, and of a sparse one where its metadata says.
 * Skipped, with the reason, where there is no GPU. */
#include "mma_cases.h"

#include <stdio.h>

#include "gpu_memory.h"
#include "mma_chunks.h"
#include "mma_names.h"
#include "mma_sparse_kernels.h"
#include "mma_sparse_names.h"

extern const ct_cuda_images ct_test_images;

static void on_gpu(const char *name, int warps, const mma_args *args)
{
    const size_t bytes = (size_t)warps * 32 * MMA_WORDS * 4;
    uint32_t *const a = device_take(bytes), *const b = device_take(bytes),
                    *const c = device_take(bytes);
    uint32_t *const d = device_take(bytes);
    const mma_args there = {a, b, c, d};
    char kernel[80];
    device_put(a, args->a, bytes);
    device_put(b, args->b, bytes);
    device_put(c, args->c, bytes);
    device_put(d, args->d, bytes);
    snprintf(kernel, sizeof kernel, "mma_%s", name);
    if (ct_cuda_launch(gpu, kernel, (ct_dim3){(uint32_t)warps, 1, 1}, (ct_dim3){32, 1, 1}, 0,
                       &there, sizeof there) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", name, ct_cuda_error(gpu));
    device_get(args->d, d, bytes);
    device_give(a);
    device_give(b);
    device_give(c);
    device_give(d);
}

TEST(test_every)
{
#define CHECK(name) mma_check(#name, 1, on_gpu);
    MMA_NAMES(CHECK)
}

/* ---- sparse ones ------------------------------------------------------------------------------- */

/* The operands of one warp: A as it is stored, with the column of each element in a row of k. */
typedef struct sparse_matrices {
    mma_matrices m;
    int column[MMA_ELEMENTS];
    unsigned char bits[MMA_ELEMENTS]; /* E: (m, bit of the row) */
} sparse_matrices;

/* C becomes what the instruction is to make of it. */
static void sparse_multiply(const ct_mma_op *op, sparse_matrices *s)
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

static uint32_t *copied(const uint32_t *from, size_t bytes)
{
    uint32_t *const there = device_take(bytes);
    device_put(there, from, bytes);
    return there;
}

static void sparse_launch(const char *name, int warps, const mma_sparse_args *args)
{
    const size_t bytes = (size_t)warps * 32 * MMA_WORDS * 4;
    const mma_sparse_args there = {copied(args->a, bytes), copied(args->b, bytes),
                                   copied(args->c, bytes), copied(args->e, (size_t)warps * 32 * 4),
                                   copied(args->d, bytes), args->selector};
    char kernel[80];
    snprintf(kernel, sizeof kernel, "mma_%s", name);
    if (ct_cuda_launch(gpu, kernel, (ct_dim3){(uint32_t)warps, 1, 1}, (ct_dim3){32, 1, 1}, 0,
                       &there, sizeof there) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", name, ct_cuda_error(gpu));
    device_get(args->d, there.d, bytes);
    const uint32_t *const all[] = {there.a, there.b, there.c, there.e, there.d};
    for (int i = 0; i < 5; ++i) device_give((void *)(uintptr_t)all[i]);
}

/* An instruction with one selector: each stored element of A alone among zeros, each of B, each of C, and
 * random ones; the metadata is random in all. */
static void sparse_check(const char *name, int selector)
{
    const ct_mma_atom atom = ct_make_mma_atom(name);
    const ct_mma_op *const op = &atom.op;
    assert_int_equal(atom.err.status, CT_OK);
    const int all = op->m * op->k / 2 + op->n * op->k + op->m * op->n + MMA_RANDOM;
    const size_t each = 32 * MMA_WORDS, words = (size_t)all * each;
    uint32_t *const memory = calloc(5 * words + (size_t)all * 32, sizeof *memory);
    sparse_matrices *const s = malloc(sizeof *s);
    assert_non_null(memory);
    assert_non_null(s);
    uint32_t *const a = memory, *const b = a + words, *const c = b + words, *const d = c + words;
    uint32_t *const right = d + words, *const e = right + words;
    for (int w = 0; w < all; ++w) {
        mma_fill(op, w, &s->m);
        mma_put_chunks(op, s->column, s->bits);
        mma_pack(&atom, CT_MMA_A, op->a, s->m.a, a + (size_t)w * each);
        mma_pack(&atom, CT_MMA_B, op->b, s->m.b, b + (size_t)w * each);
        mma_pack(&atom, CT_MMA_C, op->c, s->m.c, c + (size_t)w * each);
        mma_put_metadata(&atom, s->bits, selector, 32, e + 32 * w);
        sparse_multiply(op, s);
        mma_pack(&atom, CT_MMA_C, op->d, s->m.c, right + (size_t)w * each);
    }
    const mma_sparse_args args = {a, b, c, e, d, selector};
    sparse_launch(name, all, &args);
    for (size_t i = 0; i < words; ++i)
        if (d[i] != right[i])
            fail_msg(
                "%s, selector %d: warp %d, thread %d, word %d of D is %08x, and should be %08x",
                name, selector, (int)(i / each), (int)(i / MMA_WORDS % 32), (int)(i % MMA_WORDS),
                d[i], right[i]);
    free(memory);
    free(s);
}

TEST(test_sparse)
{
#define CHECK_SPARSE(name, words, cs, selectors, types)                                            \
    assert_int_equal(ct_mma_selectors(ct_make_mma_atom(#name).op), selectors);                     \
    for (int s = 0; s < selectors; ++s) sparse_check(#name, s);
    MMA_SPARSE_NAMES(CHECK_SPARSE)
}

GPU_GROUP("mma.sync on the GPU", &ct_test_images, 0)
