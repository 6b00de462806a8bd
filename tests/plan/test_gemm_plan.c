/* Plans of products on the CPU and the CPU grid: right results of every type, what is described, and what is refused. */
#include "test.h"

#include <cutlet/device/element/element.h>
#include <cutlet/host/gemm.h>

enum { M = 20, N = 12, K = 40, CAPACITY = 64 * 64 };

static _Alignas(1024) unsigned char a[4 * CAPACITY], b[4 * CAPACITY], c[4 * CAPACITY],
    d[4 * CAPACITY];
static float bias[N], rows[M], cols[N];
static int32_t bias_s32[N];

static int number(int64_t i, int64_t j) { return (int)((i * 7 + j * 3) % 5) - 2; }

static void put(void *at, int64_t i, int32_t type, float x)
{
    static const uint8_t e4m3[] = {0xc0, 0xb8, 0, 0x38, 0x40};
    if (type == CT_TYPE_HALF) ((uint16_t *)at)[i] = (uint16_t)ct_half_of_float(x);
    else if (type == CT_TYPE_BFLOAT16) ((uint16_t *)at)[i] = (uint16_t)ct_bfloat16_of_float(x);
    else if (type == CT_TYPE_FLOAT) ((float *)at)[i] = x;
    else if (type == CT_TYPE_INT32) ((int32_t *)at)[i] = (int32_t)x;
    else ((int8_t *)at)[i] = type == CT_TYPE_INT8 ? (int8_t)x : (int8_t)e4m3[(int)x + 2];
}

static int32_t result_of(int32_t type)
{
    return type == CT_TYPE_INT8 ? CT_TYPE_INT32 : type == CT_TYPE_E4M3 ? CT_TYPE_BFLOAT16 : type;
}

/* B is contiguous along n, D along m. */
static ct_gemm_desc desc_of(int32_t type, int32_t backend)
{
    ct_gemm_desc e = {.type = type, .backend = backend, .alpha = 2, .beta = -1, .has_bias = 1};
    e.a = ct_layout2(M, K, K + 3, 1);
    e.b = ct_layout2(N, K, 1, N + 1);
    e.c = ct_layout2(M, N, N, 1);
    e.d = ct_layout2(M, N, 1, M);
    e.activation = CT_ACTIVATION_RELU;
    e.has_scale_rows = e.has_scale_cols = type != CT_TYPE_INT8;
    return e;
}

static void fill(const ct_gemm_desc *e)
{
    for (int64_t k = 0; k < K; ++k) {
        for (int64_t i = 0; i < M; ++i) put(a, i * (K + 3) + k, e->type, (float)number(i, k));
        for (int64_t j = 0; j < N; ++j) put(b, j + k * (N + 1), e->type, (float)number(j, k + 1));
    }
    for (int64_t i = 0; i < M * N; ++i) put(c, i, result_of(e->type), (float)number(i, i / N));
    for (int i = 0; i < M; ++i) rows[i] = (float)(i % 3 - 1);
    for (int j = 0; j < N; ++j) {
        cols[j] = (float)(j % 2 + 1);
        bias_s32[j] = j - 5;
        bias[j] = (float)(j - 5);
    }
    memset(d, 0x7f, sizeof d);
}

/* Runs a plan, and checks each element and the memory after them. */
static void check(const ct_gemm_desc *e, const char *says)
{
    char message[CT_MESSAGE_BYTES], text[256];
    ct_gemm_plan *plan = NULL;
    fill(e);
    if (ct_gemm_plan_create(e, &plan, message)) fail_msg("%s", message);
    void *const workspace = aligned_alloc(1024, (size_t)ct_gemm_plan_workspace(plan) + 1024);
    const void *const own = e->type == CT_TYPE_INT8 ? (const void *)bias_s32 : bias;
    const ct_gemm_operands on = {a, b, c, d, own, rows, cols, workspace};
    const int length = ct_gemm_plan_describe(plan, text, sizeof text);
    assert_string_equal(text, says);
    assert_int_equal(length, strlen(text));
    if (ct_gemm_plan_run(plan, &on, message)) fail_msg("%s: %s", text, message);
    ct_gemm_plan_destroy(plan);
    free(workspace);
    for (int64_t i = 0; i < M; ++i)
        for (int64_t j = 0; j < N; ++j) {
            float sum = 0, right;
            unsigned char expected[4];
            const int32_t type = result_of(e->type),
                          bytes = type == CT_TYPE_FLOAT || type == CT_TYPE_INT32 ? 4 : 2;
            for (int64_t k = 0; k < K; ++k) sum += (float)(number(i, k) * number(j, k + 1));
            if (e->has_scale_rows) sum *= rows[i] * cols[j];
            right = 2 * sum - (float)number(i * N + j, i) + bias[j];
            put(expected, 0, type, right < 0 ? 0 : right);
            assert_memory_equal(expected, d + (i + j * M) * bytes, (size_t)bytes);
        }
    for (size_t i = 4 * M * N; i < sizeof d; ++i) assert_int_equal(d[i], 0x7f);
}

TEST(test_types)
{
    static const int32_t types[] = {CT_TYPE_HALF, CT_TYPE_BFLOAT16, CT_TYPE_FLOAT, CT_TYPE_INT8,
                                    CT_TYPE_E4M3};
    static const char *const kernels[] = {
        "gemm_half", "gemm_bfloat16", "gemm_simt", "gemm_int8",
        "gemm_wgmma_64x32_1_e4m3: tiles of 64 x 32, A and B exchanged, "
        "2 warpgroups share k, A repacked, B repacked, a workspace "
        "of 5120 bytes,"};
    for (int i = 0; i < 5; ++i) {
        char says[256];
        const ct_gemm_desc on_cpu = desc_of(types[i], CT_BACKEND_CPU),
                           on_grid = desc_of(types[i], CT_BACKEND_GRID);
        check(&on_cpu, "in floats on the CPU");
        snprintf(says, sizeof says, "%s on the CPU grid", kernels[i]);
        check(&on_grid, says);
    }
    ct_gemm_desc half = desc_of(CT_TYPE_HALF, CT_BACKEND_GRID);
    half.by = CT_GEMM_BY_WGMMA;
    check(&half, "gemm_wgmma_64x32_1_half: tiles of 64 x 32, A and B exchanged, 2 warpgroups share "
                 "k, A repacked, B repacked, a workspace of 5120 bytes, on the CPU grid");
}

static void run(const ct_gemm_desc *e, const ct_gemm_operands *on)
{
    char message[CT_MESSAGE_BYTES];
    ct_gemm_plan *plan = NULL;
    if (ct_gemm_plan_create(e, &plan, message) || ct_gemm_plan_run(plan, on, message))
        fail_msg("%s", message);
    ct_gemm_plan_destroy(plan);
}

/* A batch of two is what each of its products is; both have the same B. */
TEST(test_batch)
{
    static _Alignas(1024) unsigned char right[4 * CAPACITY], workspace[16 * CAPACITY];
    static const struct {
        int32_t type, backend, by;
    } rows_of[] = {
        {CT_TYPE_FLOAT, CT_BACKEND_CPU, 0}, {CT_TYPE_INT8, CT_BACKEND_CPU, 0},
        {CT_TYPE_HALF, CT_BACKEND_GRID, 0}, {CT_TYPE_FLOAT, CT_BACKEND_GRID, 0},
        {CT_TYPE_E4M3, CT_BACKEND_GRID, 0}, {CT_TYPE_BFLOAT16, CT_BACKEND_GRID, CT_GEMM_BY_WGMMA}};
    for (size_t r = 0; r < sizeof rows_of / sizeof *rows_of; ++r) {
        ct_gemm_desc e = desc_of(rows_of[r].type, rows_of[r].backend), all;
        const int32_t result = result_of(e.type), is_int = e.type == CT_TYPE_INT8,
                      wide = result == CT_TYPE_FLOAT || result == CT_TYPE_INT32 ? 4 : 2,
                      bytes = e.type == CT_TYPE_FLOAT            ? 4
                              : is_int || e.type == CT_TYPE_E4M3 ? 1
                                                                 : 2;
        e.by = rows_of[r].by;
        e.align_bytes = bytes;
        all = e;
        fill(&e);
        for (int64_t i = 0; i < M * (K + 3); ++i)
            put(a, M * (K + 3) + i, e.type, (float)number(i, i / K));
        for (int64_t i = 0; i < M * N; ++i) put(c, M * N + i, result, (float)number(i, 1));
        all.a = ct_make_layout(ct_tuple3(M, K, 2), ct_tuple3(K + 3, 1, M * (K + 3)));
        all.b = ct_make_layout(ct_tuple3(N, K, 2), ct_tuple3(1, N + 1, 0));
        all.c = ct_make_layout(ct_tuple3(M, N, 2), ct_tuple3(N, 1, M * N));
        all.d = ct_make_layout(ct_tuple3(M, N, 2), ct_tuple3(1, M, M * N));
        const void *const own = is_int ? (const void *)bias_s32 : bias;
        for (int i = 0; i < 2; ++i) {
            const ct_gemm_operands on = {a + i * M * (K + 3) * bytes,
                                         b,
                                         c + i * M * N * wide,
                                         right + i * M * N * wide,
                                         own,
                                         rows,
                                         cols,
                                         workspace};
            run(&e, &on);
        }
        const ct_gemm_operands on = {a, b, c, d, own, rows, cols, workspace};
        run(&all, &on);
        assert_memory_equal(right, d, 2 * M * N * (size_t)wide);
        assert_memory_not_equal(d, d + M * N * wide, M * N * (size_t)wide);
        assert_int_equal(d[2 * M * N * wide], 0x7f);
    }
}

static void refused(ct_gemm_desc e, int status, const char *says)
{
    char message[CT_MESSAGE_BYTES];
    ct_gemm_plan *plan = NULL;
    assert_int_equal(ct_gemm_plan_create(&e, &plan, message), status);
    assert_string_equal(message, says);
    assert_null(plan);
}

TEST(test_refused)
{
    const ct_gemm_desc good = desc_of(CT_TYPE_HALF, CT_BACKEND_CPU);
    ct_gemm_desc e = good;
    e.type = CT_TYPE_DOUBLE;
    refused(e, CT_E_ARGUMENT, "type 4; half, bfloat16, float, int8 and e4m3 are multiplied");
    e = good;
    e.activation = 9;
    refused(e, CT_E_ARGUMENT, "activation 9; 0 to 3 have names");
    e = good;
    e.b = ct_layout2(N, K + 1, K + 1, 1);
    refused(e, CT_E_ARGUMENT, "B is (12,41), where the product has (12,40)");
    e.b = ct_layout1(N, 1);
    refused(e, CT_E_ARGUMENT,
            "B: a layout of matrices has two modes of integers, or three with a batch");
    e.b = ct_make_layout(ct_tuple3(N, K, 2), ct_tuple3(K, 1, N * K));
    refused(e, CT_E_ARGUMENT, "B has a batch of 2, A of 1");
    e = good;
    e.effort = CT_EFFORT_MEASURE;
    refused(e, CT_E_BACKEND, "there is nothing to measure on the CPU: products are timed on a GPU");
    e.backend = CT_BACKEND_GRID;
    refused(e, CT_E_BACKEND,
            "there is nothing to measure on the CPU grid: products are timed on a GPU");
    e.effort = 2;
    refused(e, CT_E_ARGUMENT, "effort 2; CT_EFFORT_ESTIMATE is 0, CT_EFFORT_MEASURE 1");
    e = good;
    e.align_bytes = 12;
    refused(e, CT_E_ARGUMENT, "an alignment of 12 bytes; it is a power of two, or 0");
    e = good;
    e.choice = 1;
    refused(e, CT_E_ARGUMENT, "a choice is of the kernels, on a GPU or the grid, not on the CPU");
    e.backend = CT_BACKEND_GRID;
    refused(e, CT_E_ARGUMENT, "choice 1; this product has 1, from 0 on");
    e.by = CT_GEMM_BY_WGMMA;
    e.choice = 1000;
    refused(e, CT_E_ARGUMENT, "choice 1000; this product has 10, from 0 on");
    e = good;
    e.backend = CT_BACKEND_CUDA;
    refused(e, CT_E_BACKEND, "a product on a GPU has one of ct_gemm_open");
    e = good;
    e.by = CT_GEMM_BY_WGMMA;
    refused(e, CT_E_ARGUMENT,
            "an instruction is of the kernels, on a GPU or the grid, not on the CPU");
    e = desc_of(CT_TYPE_E4M3, CT_BACKEND_GRID);
    e.by = CT_GEMM_BY_MMA_SYNC;
    refused(e, CT_E_BACKEND, "e4m3 is multiplied by wgmma");
    e = desc_of(CT_TYPE_INT8, CT_BACKEND_CPU);
    e.alpha = 0.5f;
    refused(e, CT_E_ARGUMENT, "alpha: 0.5; for int8 it is an integer of at most 16777216");
    e.alpha = 1;
    e.has_scale_cols = 1;
    refused(e, CT_E_ARGUMENT, "scales of columns multiply floats; the result of int8 is int32");
}

TEST(test_pointers)
{
    char message[CT_MESSAGE_BYTES];
    ct_gemm_desc e = desc_of(CT_TYPE_HALF, CT_BACKEND_GRID);
    ct_gemm_plan *plan = NULL;
    e.by = CT_GEMM_BY_WGMMA;
    assert_int_equal(ct_gemm_plan_create(&e, &plan, message), CT_OK);
    assert_int_equal(ct_gemm_plan_by(plan), CT_GEMM_BY_WGMMA);
    ct_gemm_operands on = {a, b, c, d, bias, rows, cols, NULL};
    assert_int_equal(ct_gemm_plan_run(plan, &on, message), CT_E_POINTER);
    assert_string_equal(message, "the workspace is NULL");
    on.a = a + 2;
    assert_int_equal(ct_gemm_plan_run(plan, &on, message), CT_E_POINTER);
    assert_non_null(strstr(message, ", which 16 bytes do not divide"));
    ct_gemm_plan_destroy(plan);
    ct_gemm_plan_destroy(NULL);
}

GROUP("plans of matrix products", NULL, NULL)
