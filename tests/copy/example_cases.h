/**
 * The examples that show the copy, and the element-wise one, against their definitions, for whoever runs
 * kernels.
 */
#ifndef TESTS_EXAMPLE_CASES_H
#define TESTS_EXAMPLE_CASES_H

#include "copy_atom_cases.h"
#include "example_launch.h"

#include "../../examples/batched_transpose.cu"
#include "../../examples/bias_gelu.cu"
#include "../../examples/gemm_tiles.cu"

/* ---- gemm_tiles ------------------------------------------------------------------------------- */

/* What thread t of block (y,x) adds up: the elements that meet in it. Every other value counts; A's
 * fragments along m meet B's along n in the order of the registers. */
static double gemm_sum(const matrix *a, const matrix *b, int64_t y, int64_t x, int64_t t)
{
    /* (lane, warp along m, along n) and the values of a fragment -> index in (32,16) */
    const ct_layout tv_a = ct_read("((4,8,2,2),(2,2,2)):((64,1,16,0),(32,8,256))");
    const ct_layout tv_b = ct_read("((4,8,2,2),(2,2,2)):((64,1,0,8),(32,256,16))");
    double sum = 0;
    for (int64_t tile = 0; tile < ct_ceil_div_int(a->cols, 64); ++tile)
        for (int64_t v = 0; v < 128; v += 2) {
            const int64_t ia = ct_eval2(tv_a, t, v % 8), ib = ct_eval2(tv_b, t, v % 8);
            const int64_t part = v / 8 % 4 * 32, step = tile * 64 + v / 32 * 16;
            const int64_t i = y * 128 + part + ia % 32, ka = step + ia / 32;
            const int64_t j = x * 128 + part + ib % 32, kb = step + ib / 32;
            const double p =
                i < a->rows && ka < a->cols ? ct_float_of_half(a->at[i * a->ld + ka]) : 0;
            const double q =
                j < b->rows && kb < b->cols ? ct_float_of_half(b->at[j * b->ld + kb]) : 0;
            sum += p * q;
        }
    return sum;
}

static void check_gemm(int64_t m, int64_t n, int64_t k, example_run *run)
{
    const int64_t ld = (k + 7) / 8 * 8, tall = ct_ceil_div_int(m, 128),
                  wide = ct_ceil_div_int(n, 128);
    matrix a = make_matrix(m, k, ld, 1), b = make_matrix(n, k, ld, 1);
    const size_t bytes = (size_t)(128 * tall * wide) * 4;
    float *const sums = (float *)(void *)take_bytes(bytes, 0);
    gemm_tiles_args args = {
        .a = ct_make_global(a.at, 16, layout_of(&a)),
        .b = ct_make_global(b.at, 16, layout_of(&b)),
        .sums = ct_make_global(sums, 32, ct_make_col_major(ct_tuple3(128, tall, wide)))};
    run(&(example){.kernel = &gemm_tiles,
                   .grid = {(uint32_t)wide, (uint32_t)tall, 1},
                   .block = {128, 1, 1},
                   .shared_bytes = 6 * 128 * 64 * 2,
                   .args = &args,
                   .args_bytes = sizeof args,
                   .count = 3,
                   .buffers = {buffer_of("a", a.at, a.bytes, 0), buffer_of("b", b.at, b.bytes, 0),
                               buffer_of("sums", sums, bytes, 1)},
                   .at = {&args.a.at, &args.b.at, &args.sums.at}});
    for (int64_t i = 0; i < 128 * tall * wide; ++i) {
        const int64_t t = i % 128, y = i / 128 % tall, x = i / 128 / tall;
        const double right = gemm_sum(&a, &b, y, x, t);
        if (!(fabs(sums[i] - right) <= 1e-3 * (1 + fabs(right))))
            fail_msg("%lld x %lld x %lld, thread %lld of block (%lld,%lld): %g, not %g",
                     (long long)m, (long long)n, (long long)k, (long long)t, (long long)x,
                     (long long)y, (double)sums[i], right);
    }
    free(a.at);
    free(b.at);
    give_bytes((unsigned char *)sums);
}

static void every_gemm(example_run *run)
{
    const int64_t sizes[][3] = {
        {128, 128, 64}, {256, 128, 192}, {200, 130, 100}, {1, 1, 1}, {128, 256, 320}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s)
        check_gemm(sizes[s][0], sizes[s][1], sizes[s][2], run);
}

/* ---- batched_transpose ------------------------------------------------------------------------ */

typedef struct batch_case {
    int64_t m, n, b, src[3], dst[3]; /* extents, steps */
} batch_case;

static void check_batch(const batch_case *c, example_run *run)
{
    const ct_tuple shape = ct_tuple3(c->m, c->n, c->b);
    const ct_layout from = ct_make_layout(shape, ct_tuple3(c->src[0], c->src[1], c->src[2]));
    const ct_layout to = ct_make_layout(shape, ct_tuple3(c->dst[0], c->dst[1], c->dst[2]));
    const size_t src_bytes = (size_t)(ct_cosize(from) - ct_lowest(from)) * 4,
                 dst_bytes = (size_t)ct_cosize(to) * 4;
    float *const src = (float *)(void *)take_bytes(src_bytes, 0);
    float *const dst = (float *)(void *)take_bytes(dst_bytes, 0);
    float *const right = (float *)(void *)take_bytes(dst_bytes, 0);
    float *const src0 = src - ct_lowest(from), *const dst0 = dst - ct_lowest(to);
    for (size_t i = 0; i < src_bytes / 4; ++i) src[i] = (float)i;
    for (int64_t i = 0; i < ct_size(from); ++i)
        right[ct_eval(to, i) - ct_lowest(to)] = src0[ct_eval(from, i)];
    batched_transpose_args args = {ct_make_global(src0, 32, from), ct_make_global(dst0, 32, to)};
    const ct_dim3 grid = {(uint32_t)ct_ceil_div_int(c->n, 64), (uint32_t)ct_ceil_div_int(c->m, 64),
                          (uint32_t)c->b};
    run(&(example){
        .kernel = &batched_transpose,
        .grid = grid,
        .block = {256, 1, 1},
        .args = &args,
        .args_bytes = sizeof args,
        .count = 2,
        .buffers = {buffer_of("src", src, src_bytes, 0), buffer_of("dst", dst, dst_bytes, 1)},
        .at = {&args.src.at, &args.dst.at}});
    if (memcmp(dst, right, dst_bytes) != 0)
        fail_msg("%lld matrices of %lld x %lld: wrong result", (long long)c->b, (long long)c->m,
                 (long long)c->n);
    give_bytes((unsigned char *)src);
    give_bytes((unsigned char *)dst);
    give_bytes((unsigned char *)right);
}

/* Batches of floats, whose layouts have gaps, run backwards or repeat a matrix of the source. */
static void every_batch(example_run *run)
{
    const batch_case cases[] = {
        {64, 64, 1, {64, 1, 0}, {1, 64, 4096}},    {64, 128, 3, {128, 1, 8192}, {1, 64, 8192}},
        {70, 65, 2, {65, 1, 4550}, {1, 70, 4550}}, {5, 3, 4, {3, 1, 15}, {1, 5, 16}},
        {66, 100, 2, {104, 1, 0}, {1, 68, 6800}},  {64, 64, 2, {-64, 1, 4096}, {1, 64, -4096}},
        {33, 70, 2, {1, 40, 2800}, {70, 1, 2310}}, {40, 40, 2, {2, 80, 3200}, {1, 40, 1600}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) check_batch(&cases[k], run);
}

/* ---- bias_gelu -------------------------------------------------------------------------------- */

/* Numbers of a sequence, from low to high. */
static int64_t drawn(uint32_t *seed, int64_t low, int64_t high)
{
    *seed = *seed * 1664525u + 1013904223u;
    return low + (int64_t)(*seed >> 8) % (high - low + 1);
}

/* A matrix of random halves with gaps of poison, whose first one may lie at any address. */
static matrix random_matrix(int64_t rows, int64_t cols, int64_t ld, uint32_t *seed)
{
    matrix m = {
        .rows = rows, .cols = cols, .ld = ld, .bytes = (size_t)(2 * ((rows - 1) * ld + cols))};
    m.at = (uint16_t *)(void *)take_bytes(m.bytes,
                                          2 * (size_t)(drawn(seed, 0, 2) ? drawn(seed, 0, 32) : 0));
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < cols; ++j)
            m.at[i * ld + j] = (uint16_t)ct_half_of_float((float)drawn(seed, -64, 64) / 16);
    return m;
}

static void expect_bias_gelu(const matrix *x, const matrix *bias, const matrix *y)
{
    for (int64_t i = 0; i < y->rows; ++i) {
        for (int64_t j = 0; j < y->cols; ++j) {
            const double sum =
                ct_float_of_half(x->at[i * x->ld + j]) + ct_float_of_half(bias->at[j]);
            const double right =
                sum / (1 + exp(-2 * 0.7978845608028654 * (sum + 0.044715 * sum * sum * sum)));
            const double found = ct_float_of_half(y->at[i * y->ld + j]);
            if (!(fabs(found - right) <= 0x1p-10 * fabs(right) + 0x1p-24))
                fail_msg("bias_gelu, %lld x %lld, (%lld,%lld): %g, not %g", (long long)y->rows,
                         (long long)y->cols, (long long)i, (long long)j, found, right);
        }
        for (int64_t j = y->cols; j < y->ld && i + 1 < y->rows; ++j) /* the gap */
            assert_int_equal(y->at[i * y->ld + j], ATOM_POISON << 8 | ATOM_POISON);
    }
}

/* Matrices with gaps between rows, at any address. */
static void every_bias_gelu(example_run *run)
{
    uint32_t seed = 13;
    for (int round = 0; round < 60; ++round) {
        const int64_t rows = drawn(&seed, 1, 9), cols = drawn(&seed, 1, round % 3 ? 90 : 2600);
        const int64_t ld = cols + drawn(&seed, 0, 1) * drawn(&seed, 0, 20);
        matrix x = random_matrix(rows, cols, ld, &seed), bias = random_matrix(1, cols, cols, &seed);
        matrix y = random_matrix(rows, cols, ld, &seed);
        ct_elementwise_args args = bias_gelu_args(y.at, x.at, bias.at, rows, cols, ld);
        assert_int_equal(args.err.status, CT_OK);
        run(&(example){.kernel = &bias_gelu,
                       .grid = {(uint32_t)args.blocks, 1, 1},
                       .block = {CT_ELEMENTWISE_THREADS, 1, 1},
                       .args = &args,
                       .args_bytes = sizeof args,
                       .count = 3,
                       .buffers = {buffer_of("y", y.at, y.bytes, 1),
                                   buffer_of("x", x.at, x.bytes, 0),
                                   buffer_of("bias", bias.at, bias.bytes, 0)},
                       .at = {&args.side[0].at, &args.side[1].at, &args.side[2].at}});
        expect_bias_gelu(&x, &bias, &y);
        give_bytes((unsigned char *)x.at);
        give_bytes((unsigned char *)bias.at);
        give_bytes((unsigned char *)y.at);
    }
}

#endif
