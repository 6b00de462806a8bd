/**
 * The examples that show the copy, and the element-wise one, against their definitions, for whoever runs
 * kernels.
 */
#ifndef TESTS_EXAMPLE_CASES_H
#define TESTS_EXAMPLE_CASES_H

#include "copy_atom_cases.h"

#include "../../examples/batched_transpose.cu"
#include "../../examples/bias_gelu.cu"
#include "../../examples/gemm_tiles.cu"
#include "../../examples/int4_gemm.cu"

/* ---- gemm_tiles ------------------------------------------------------------------------------- */

/* An element of a matrix of halves; 0 outside. */
static double half_at(const tensor *m, int64_t i, int64_t j)
{
    if (i >= m->layout.shape[0] || j >= m->layout.shape[1]) return 0;
    return ct_float_of_half(((const uint16_t *)at_zero(m))[i * m->layout.stride[0] + j]);
}

/* D = relu(A B + bias), rounded to halves: within the error of sums of floats. */
static void check_gemm(int64_t m, int64_t n, int64_t k, run_launch *run)
{
    const int64_t ld = (k + 7) / 8 * 8, tall = ct_ceil_div_int(m, 128),
                  wide = ct_ceil_div_int(n, 128);
    const tensor a = make_matrix(m, k, ld, 1), b = make_matrix(n, k, ld, 1);
    const tensor bias = make_tensor(ct_layout2(1, n, n, 1), 32, 0);
    const tensor d = make_tensor(ct_layout2(m, n, n, 1), 16, 0);
    float *const of_column = at_zero(&bias);
    for (int64_t j = 0; j < n; ++j) of_column[j] = (float)(j % 7) - 3;
    gemm_tiles_args args = {global_of(&a), global_of(&b), global_of(&bias), global_of(&d)};
    launch l = make_launch(&gemm_tiles, grid_of(wide, tall, 1), 128, 6 * 128 * 64 * 2, &args);
    add_buffer(&l, "a", &a, 0, &args.a.at);
    add_buffer(&l, "b", &b, 0, &args.b.at);
    add_buffer(&l, "bias", &bias, 0, &args.bias.at);
    add_buffer(&l, "d", &d, 1, &args.d.at);
    run_well(&l, run);
    for (int64_t i = 0; i < m * n; ++i) {
        double sum = of_column[i % n], most = fabs(sum);
        for (int64_t x = 0; x < k; ++x) {
            const double product = half_at(&a, i / n, x) * half_at(&b, i % n, x);
            sum += product;
            most += fabs(product);
        }
        const double right = sum > 0 ? sum : 0, got = half_at(&d, i / n, i % n);
        if (!(fabs(got - right) <= 1e-3 * fabs(right) + 1e-5 * most))
            fail_msg("%lld x %lld x %lld, (%lld,%lld): %g, not %g", (long long)m, (long long)n,
                     (long long)k, (long long)(i / n), (long long)(i % n), got, right);
    }
    drop(&a);
    drop(&b);
    drop(&bias);
    drop(&d);
}

static void every_gemm(run_launch *run)
{
    const int64_t sizes[][3] = {
        {128, 128, 64}, {256, 128, 192}, {200, 130, 100}, {1, 1, 1}, {128, 256, 320}};
    for (int s = 0; s < LENGTH(sizes); ++s) check_gemm(sizes[s][0], sizes[s][1], sizes[s][2], run);
}

/* ---- int4_gemm -------------------------------------------------------------------------------- */

/* y += x w^T: scales are powers of two and all numbers are small, so that each sum of floats is exact. */
static void check_int4_gemm(int64_t n, int64_t k, run_launch *run)
{
    const int64_t groups = k / 128;
    const tensor w = random_tensor(ct_layout2(n, k, k, 1), 4, 0);
    const tensor scale = make_tensor(ct_layout2(n, groups, 1, n), 16, 0);
    const tensor x = make_tensor(ct_layout2(16, k, k, 1), 16, 0),
                 y = make_tensor(ct_layout2(16, n, n, 1), 32, 0);
    uint16_t *const of_scale = at_zero(&scale), *const of_x = at_zero(&x);
    for (int64_t i = 0; i < n * groups; ++i)
        of_scale[i] = (uint16_t)ct_half_of_float((float)(1 << random_to(3)) / 256);
    for (int64_t i = 0; i < 16 * k; ++i)
        of_x[i] = (uint16_t)ct_half_of_float((float)(random_to(16) - 8));
    for (int64_t i = 0; i < 16 * n; ++i) ((float *)at_zero(&y))[i] = (float)(i % 64);
    unsigned char *const right = memory_like(&y);
    for (int64_t i = 0; i < 16 * n; ++i) {
        const int64_t row = i % n;
        double sum = (double)(i % 64);
        for (int64_t j = 0; j < k; ++j) {
            const int nibble = begin(&w)[(row * k + j) / 2] >> 4 * (j % 2) & 15;
            sum += (nibble < 8 ? nibble : nibble - 16) *
                   (double)ct_float_of_half(of_x[i / n * k + j]) *
                   (double)ct_float_of_half(of_scale[j / 128 * n + row]);
        }
        ((float *)(void *)(right + GUARD))[i] = (float)sum;
    }
    int4_gemm_args args = {global_of(&w), global_of(&scale), global_of(&x), global_of(&y)};
    launch l = make_launch(&int4_gemm, grid_of(k / 512, n / 64, 1), 128, 0, &args);
    add_buffer(&l, "w", &w, 0, &args.w.at);
    add_buffer(&l, "scale", &scale, 0, &args.scale.at);
    add_buffer(&l, "x", &x, 0, &args.x.at);
    add_buffer(&l, "y", &y, 1, &args.y.at);
    run_well(&l, run);
    if (wrong_byte(&y, right) != ALL_RIGHT)
        fail_msg("int4_gemm of %d x %d: byte %lld", (int)n, (int)k,
                 (long long)wrong_byte(&y, right));
    free(right);
    drop(&w);
    drop(&scale);
    drop(&x);
    drop(&y);
}

static void every_int4_gemm(run_launch *run)
{
    check_int4_gemm(128, 512, run);
    check_int4_gemm(64, 1536, run);
}

/* ---- batched_transpose ------------------------------------------------------------------------ */

typedef struct batch_case {
    int64_t m, n, b, src[3], dst[3]; /* extents, steps */
} batch_case;

static void check_batch(const batch_case *c, run_launch *run)
{
    const ct_tuple shape = ct_tuple3(c->m, c->n, c->b);
    const ct_layout from = ct_make_layout(shape, ct_tuple3(c->src[0], c->src[1], c->src[2]));
    const ct_layout to = ct_make_layout(shape, ct_tuple3(c->dst[0], c->dst[1], c->dst[2]));
    const tensor src = random_tensor(from, 32, 0), dst = make_tensor(to, 32, 0);
    batched_transpose_args args = {global_of(&src), global_of(&dst)};
    launch l = make_launch(&batched_transpose,
                           grid_of(ct_ceil_div_int(c->n, 64), ct_ceil_div_int(c->m, 64), c->b), 256,
                           0, &args);
    add_sides(&l, &src, &args.src, &dst, &args.dst);
    check_copy(&l, run, src, dst);
}

/* Batches of floats, whose layouts have gaps, run backwards or repeat a matrix of the source. */
static void every_batch(run_launch *run)
{
    const batch_case cases[] = {
        {64, 64, 1, {64, 1, 0}, {1, 64, 4096}},    {64, 128, 3, {128, 1, 8192}, {1, 64, 8192}},
        {70, 65, 2, {65, 1, 4550}, {1, 70, 4550}}, {5, 3, 4, {3, 1, 15}, {1, 5, 16}},
        {66, 100, 2, {104, 1, 0}, {1, 68, 6800}},  {64, 64, 2, {-64, 1, 4096}, {1, 64, -4096}},
        {33, 70, 2, {1, 40, 2800}, {70, 1, 2310}}, {40, 40, 2, {2, 80, 3200}, {1, 40, 1600}}};
    for (int k = 0; k < LENGTH(cases); ++k) check_batch(&cases[k], run);
}

/* ---- bias_gelu -------------------------------------------------------------------------------- */

/* A matrix of random halves with gaps of poison, whose first one may lie at any address. */
static tensor random_matrix(int64_t rows, int64_t cols, int64_t ld)
{
    const tensor m =
        make_tensor(ct_layout2(rows, cols, ld, 1), 16, 2 * (random_to(2) ? random_to(32) : 0));
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < cols; ++j)
            ((uint16_t *)at_zero(&m))[i * ld + j] =
                (uint16_t)ct_half_of_float((float)(random_to(128) - 64) / 16);
    return m;
}

/* was: the memory of y before. */
static void expect_bias_gelu(const tensor *x, const tensor *bias, const tensor *y,
                             unsigned char *was)
{
    const int64_t rows = y->layout.shape[0], cols = y->layout.shape[1], ld = y->layout.stride[0];
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < cols; ++j) {
            const double sum = half_at(x, i, j) + half_at(bias, 0, j), found = half_at(y, i, j);
            const double right =
                sum / (1 + exp(-2 * 0.7978845608028654 * (sum + 0.044715 * sum * sum * sum)));
            if (!(fabs(found - right) <= 0x1p-10 * fabs(right) + 0x1p-24))
                fail_msg("bias_gelu, %lld x %lld, (%lld,%lld): %g, not %g", (long long)rows,
                         (long long)cols, (long long)i, (long long)j, found, right);
        }
        memset((uint16_t *)at_zero(y) + i * ld, POISON, (size_t)cols * 2);
        memset((uint16_t *)(void *)(was + GUARD + y->shift) + i * ld, POISON, (size_t)cols * 2);
    }
    assert_int_equal(wrong_byte(y, was), ALL_RIGHT); /* the gaps, and around it */
}

/* Matrices with gaps between rows, at any address. */
static void every_bias_gelu(run_launch *run)
{
    for (int round = 0; round < 60; ++round) {
        const int64_t rows = 1 + random_to(8), cols = 1 + random_to(round % 3 ? 89 : 2599);
        const int64_t ld = cols + random_to(1) * random_to(20);
        const tensor x = random_matrix(rows, cols, ld), bias = random_matrix(1, cols, cols),
                     y = random_matrix(rows, cols, ld);
        unsigned char *const was = memory_like(&y);
        ct_elementwise_args args =
            bias_gelu_args(at_zero(&y), at_zero(&x), at_zero(&bias), rows, cols, ld);
        assert_int_equal(args.err.status, CT_OK);
        launch l =
            make_launch(&bias_gelu, grid_of(args.blocks, 1, 1), CT_ELEMENTWISE_THREADS, 0, &args);
        add_buffer(&l, "y", &y, 1, &args.side[0].at);
        add_buffer(&l, "x", &x, 0, &args.side[1].at);
        add_buffer(&l, "bias", &bias, 0, &args.side[2].at);
        run_well(&l, run);
        expect_bias_gelu(&x, &bias, &y, was);
        drop(&x);
        drop(&bias);
        drop(&y);
        free(was);
    }
}

#endif
