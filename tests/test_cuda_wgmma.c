/* wgmma on a GPU of sm_90: of each kind of operand the elements that the atom's layouts and the
 * descriptors of composed layouts say, in all swizzles. Skipped, with the reason, where there is no
 * such GPU. */
#include "gpu_memory.h"

#include <stdio.h>
#include <string.h>

#include <cutlet/mma_descriptor.h>
#include <cutlet/product.h>

#include "mma_numbers.h"
#include "wgmma_kernels.h"

extern const ct_cuda_images ct_test_images;

enum { RANDOM = 16, MOST = 32 + RANDOM, ROWS = 64, COLUMNS = 256, DEPTH = 32, THREADS = 128 };

/* The operands of one block, as (m,k), (n,k) and (m,n) with the first mode contiguous. */
typedef struct matrices {
    int64_t a[ROWS * DEPTH], b[COLUMNS * DEPTH], c[ROWS * COLUMNS];
} matrices;

/* All blocks of a launch, as wgmma_args has them. */
typedef struct problems {
    unsigned char a[MOST][WGMMA_A_BYTES], b[MOST][WGMMA_B_BYTES];
    uint64_t descriptors[MOST][2];
    uint32_t a_words[MOST][THREADS][WGMMA_A_WORDS];
    uint32_t c[MOST][THREADS][WGMMA_D_WORDS], d[MOST][THREADS][WGMMA_D_WORDS];
    int32_t scale_d[MOST];
} problems;

static problems host;
static problems *device;
static uint32_t right[MOST][THREADS][WGMMA_D_WORDS];

/* ---- operands -------------------------------------------------------------------------------- */

/* A tile in shared memory that holds parts of (mn,k), in lines of a swizzle; where no such line fits
 * the parts, in lines of 16 bytes. */
static ct_tensor tile_of(int mn, int k, int bytes, int mn_major, int mode, int order)
{
    const int elems = (16 << mode) / bytes, log = bytes == 4 ? 2 : bytes - 1;
    if (mn_major && mn % elems != 0 && elems % mn != 0) return tile_of(mn, k, bytes, mn_major, 0, order);
    const ct_layout lines = mn_major ? ct_layout2(elems, 8, 1, elems) : ct_layout2(8, elems, elems, 1);
    const ct_tuple shape = ct_tuple2(mn_major && elems > mn ? elems : mn, !mn_major && elems > k ? elems : k);
    return ct_make_swizzled(ct_make_swizzle(mode, 4 - log, 3), 0,
                            ct_tile_to_shape(lines, shape, ct_tuple2(order, 1 - order)));
}

/* Puts a matrix (mn,k) into the image of shared memory, as part of a tile whose other parts hold
 * something else; the descriptor of that part. */
static uint64_t put_shared(const ct_mma_atom *atom, int operand, int mn_major, int mode, int p, const int64_t *matrix,
                           unsigned char *image)
{
    const int32_t type = ct_mma_operand_type(atom->op, operand);
    const int mn = operand == CT_MMA_A ? atom->op.m : atom->op.n, k = atom->op.k, bytes = ct_mma_bits(type) / 8;
    const ct_tensor tile = tile_of(mn, k, bytes, mn_major, mode, p / 3 % 2);
    const ct_mma_descriptor d = ct_mma_descriptor_at(ct_make_mma_descriptor(tile, operand, *atom),
                                                     operand == CT_MMA_A ? 0 : WGMMA_A_BYTES);
    assert_int_equal(d.err.status, CT_OK);
    assert_int_equal(d.major, mn_major ? CT_MMA_MN_MAJOR : CT_MMA_K_MAJOR);
    const int64_t rows = ct_size(ct_mode(tile.layout, 0)), along = rows / mn, part = p % ct_size(d.steps);
    for (int i = 0; i < mn * k; ++i) {
        const int64_t row = part % along * mn + i % mn, column = part / along * k + i / mn;
        const uint64_t x = mma_bits_of(type, matrix[i]);
        memcpy(image + bytes * ct_tensor_offset(&tile, row + rows * column), &x, (size_t)bytes);
    }
    return ct_mma_descriptor_step(ct_mma_descriptor_pack(d), ct_eval(d.steps, part));
}

/* Puts a matrix into the threads' words, so many for each. */
static void put_words(const ct_mma_atom *atom, int operand, int32_t type, const int64_t *matrix, uint32_t *words,
                      int each)
{
    const ct_layout tv = ct_mma_tv(*atom, operand);
    const int bits = ct_mma_bits(type);
    for (int t = 0; t < THREADS; ++t)
        for (int v = 0; v < ct_size(tv) / THREADS; ++v)
            words[each * t + v * bits / 32] |= (uint32_t)mma_bits_of(type, matrix[ct_eval2(tv, t, v)]) << v * bits % 32;
}

/* ---- problems -------------------------------------------------------------------------------- */

/* A has a single 1 in each row, in each problem at another k; behind those, random integers. */
static void draw(const ct_mma_op *op, int p, matrices *m)
{
    for (int i = 0; i < op->m * op->k; ++i)
        m->a[i] = p < op->k ? (i % op->m + p) % op->k == i / op->m : mma_any(op->a);
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

/* Problem p of an atom: its operands, and what D is to be. */
static void make_problem(const ct_mma_atom *atom, int a_mn, int b_mn, int p)
{
    static matrices m;
    const ct_mma_op *const op = &atom->op;
    host.scale_d[p] = p / 2 % 2;
    draw(op, p, &m);
    if (op->a_from == CT_MMA_SHARED)
        host.descriptors[p][0] = put_shared(atom, CT_MMA_A, a_mn, p / 4 % 4, p, m.a, host.a[p]);
    else
        put_words(atom, CT_MMA_A, op->a, m.a, host.a_words[p][0], WGMMA_A_WORDS);
    host.descriptors[p][1] = put_shared(atom, CT_MMA_B, b_mn, p % 4, p, m.b, host.b[p]);
    put_words(atom, CT_MMA_C, op->c, m.c, host.c[p][0], WGMMA_D_WORDS);
    multiply(op, host.scale_d[p], &m);
    put_words(atom, CT_MMA_C, op->d, m.c, right[p][0], WGMMA_D_WORDS);
}

static void launch(const char *kernel, int count)
{
    const wgmma_args args = {device->a[0], device->b[0], device->descriptors[0], device->a_words[0][0],
                             device->c[0][0], device->d[0][0], device->scale_d};
    device_put(device, &host, sizeof host);
    if (ct_cuda_launch(gpu, kernel, (ct_dim3){(uint32_t)count, 1, 1}, (ct_dim3){THREADS, 1, 1},
                       WGMMA_A_BYTES + WGMMA_B_BYTES, &args, sizeof args) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", kernel, ct_cuda_error(gpu));
    device_get(host.d, device->d, sizeof host.d);
}

static void check(const char *kernel, const char *name, int a_mn, int b_mn)
{
    const ct_mma_atom atom = ct_make_mma_atom(name);
    assert_int_equal(atom.err.status, CT_OK);
    const int count = atom.op.k + RANDOM;
    memset(&host, 0, sizeof host);
    memset(host.a, 0x31, sizeof host.a); /* a number of every type, where nothing is to be read */
    memset(host.b, 0x31, sizeof host.b);
    memset(right, 0, sizeof right);
    for (int p = 0; p < count; ++p) make_problem(&atom, a_mn, b_mn, p);
    launch(kernel, count);
    for (int p = 0; p < count; ++p)
        for (int t = 0; t < THREADS; ++t)
            for (int i = 0; i < WGMMA_D_WORDS; ++i)
                if (host.d[p][t][i] != right[p][t][i])
                    fail_msg("%s: problem %d, thread %d, word %d of D is %08x, and should be %08x", kernel, p, t, i,
                             host.d[p][t][i], right[p][t][i]);
}

/* ---- the program ----------------------------------------------------------------------------- */

enum { MAJOR_K, MAJOR_MN };

static const struct {
    const char *kernel, *name;
    int a_mn, b_mn;
} kernels[] = {
#define ROW(kind, name, A_MAJOR, B_MAJOR) \
    {"wgmma_" #name "_" #A_MAJOR "_" #B_MAJOR, #name, MAJOR_##A_MAJOR, MAJOR_##B_MAJOR},
    WGMMA_NAMES(ROW)
};

static void test_every(void **state)
{
    (void)state;
    const size_t count = sizeof kernels / sizeof *kernels;
    device = device_take(sizeof *device);
    for (size_t i = 0; i < count; ++i) check(kernels[i].kernel, kernels[i].name, kernels[i].a_mn, kernels[i].b_mn);
    print_message("%d instructions\n", (int)count);
    device_give(device);
}

int main(void)
{
    if (!open_gpu(&ct_test_images, 9)) return 77;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every)};
    const int failed = cmocka_run_group_tests_name("wgmma on the GPU", tests, NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
