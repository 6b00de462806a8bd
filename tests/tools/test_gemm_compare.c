/* What `cutlet gemm` says of a result: that of a right one nothing is wrong, and of one changed
 * element which. */
#include "test.h"

#include <math.h>

#include "gemm/plan.h"
#include "tools/cutlet/gemm/gemm.h"
#include <cutlet/device/element/element.h>

static const int32_t types[] = {CT_TYPE_HALF, CT_TYPE_BFLOAT16, CT_TYPE_FLOAT, CT_TYPE_INT8};
enum { HALF, BFLOAT16, FLOAT, INT8, TYPES };

static void put(void *at, int64_t i, int type, float x)
{
    if (type == HALF) ((uint16_t *)at)[i] = (uint16_t)ct_half_of_float(x);
    else if (type == BFLOAT16) ((uint16_t *)at)[i] = (uint16_t)ct_bfloat16_of_float(x);
    else if (type == FLOAT) ((float *)at)[i] = x;
    else ((int8_t *)at)[i] = (int8_t)x;
}

static void put_result(void *at, int64_t i, int type, float x)
{
    if (type == INT8) ((int32_t *)at)[i] = (int32_t)x;
    else put(at, i, type, x);
}

/* Elements from -2 to 2, of a sum that every type holds. */
static float element(int64_t i, int64_t j) { return (float)((i * 7 + j * 3) % 5 - 2); }

static void *matrix(int type, int64_t rows, int64_t columns)
{
    void *const m = malloc((size_t)(4 * rows * columns));
    for (int64_t i = 0; i < rows * columns; ++i) put(m, i, type, element(i / columns, i % columns));
    return m;
}

/* A plan with its operands: twice A B, right. */
typedef struct job {
    ct_gemm_plan *plan;
    ct_gemm_operands on;
    void *a, *b, *d;
} job;

static job job_of(int type, int64_t m, int64_t n, int64_t k, int tf32, float alpha)
{
    ct_gemm_desc desc = {.type = types[type], .tf32 = tf32, .alpha = alpha};
    char message[CT_MESSAGE_BYTES];
    job j = {NULL, {0}, matrix(type, m, k), matrix(type, n, k), malloc((size_t)(4 * m * n))};
    desc.a = ct_layout2(m, k, k, 1);
    desc.b = ct_layout2(n, k, k, 1);
    desc.d = ct_layout2(m, n, n, 1);
    desc.backend = tf32 ? CT_BACKEND_GRID : CT_BACKEND_CPU;
    if (ct_gemm_plan_create(&desc, &j.plan, message)) fail_msg("%s", message);
    j.on = (ct_gemm_operands){.a = j.a, .b = j.b, .d = j.d};
    for (int64_t i = 0; i < m * n; ++i) {
        float sum = 0;
        for (int64_t x = 0; x < k; ++x) sum += element(i / n, x) * element(i % n, x);
        put_result(j.d, i, type, 2 * sum);
    }
    return j;
}

static void drop(job *j)
{
    ct_gemm_plan_destroy(j->plan);
    free(j->a);
    free(j->b);
    free(j->d);
}

TEST(test_each_element)
{
    enum { M = 13, N = 9, K = 30 };
    for (int type = 0; type < TYPES; ++type) {
        job j = job_of(type, M, N, K, 0, 2);
        ct_gemm_check check;
        ct_gemm_compare(j.plan, &j.on, &check);
        assert_int_equal(check.wrong, 0);
        assert_int_equal(check.checked, M * N);
        assert_true(check.largest == 0);
        for (int64_t i = 0; i < M * N; ++i) {
            unsigned char was[4];
            unsigned char *const at = (unsigned char *)j.d + i * j.plan->type->result_bytes;
            memcpy(was, at, (size_t)j.plan->type->result_bytes);
            const double right = ct_gemm_value(j.d, i, j.plan->type->result);
            put_result(j.d, i, type, (float)right + 1);
            ct_gemm_compare(j.plan, &j.on, &check);
            assert_int_equal(check.wrong, 1);
            assert_int_equal(check.at[0], i / N);
            assert_int_equal(check.at[1], i % N);
            assert_true(check.right == right && check.found == right + 1 && check.largest == 1);
            memcpy(at, was, (size_t)j.plan->type->result_bytes);
        }
        drop(&j);
    }
}

/* Of several the first is named, whichever thread finds it. */
TEST(test_first)
{
    enum { M = 40, N = 50 };
    job j = job_of(FLOAT, M, N, 3, 0, 2);
    ct_gemm_check check;
    for (int i = 777; i < M * N; i += 7) ((float *)j.d)[i] += 1000;
    ct_gemm_compare(j.plan, &j.on, &check);
    assert_int_equal(check.wrong, (M * N - 777 + 6) / 7);
    assert_int_equal(check.at[0], 777 / N);
    assert_int_equal(check.at[1], 777 % N);
    assert_true(check.found == check.right + 1000);
    drop(&j);
}

/* Where not all are compared, some of every tile are: a tile that was left out is found. */
TEST(test_each_tile)
{
    enum { M = 300, N = 400, K = 1024 };
    ct_gemm_check check;
    job j = job_of(FLOAT, M, N, K, 0, 2);
    float *const d = j.d;
    ct_gemm_compare(j.plan, &j.on, &check);
    assert_int_equal(check.wrong, 0);
    assert_in_range(check.checked, 3 * 4, M * N - 1);
    for (int tile = 0; tile < 3 * 4; ++tile) {
        for (int i = tile / 4 * 128; i < M && i < tile / 4 * 128 + 128; ++i)
            for (int k = tile % 4 * 128; k < N && k < tile % 4 * 128 + 128; ++k)
                d[i * N + k] += 1000;
        ct_gemm_compare(j.plan, &j.on, &check);
        assert_true(check.wrong > 0);
        assert_int_equal(check.at[0] / 128, tile / 4);
        assert_int_equal(check.at[1] / 128, tile % 4);
        for (int i = tile / 4 * 128; i < M && i < tile / 4 * 128 + 128; ++i)
            for (int k = tile % 4 * 128; k < N && k < tile % 4 * 128 + 128; ++k)
                d[i * N + k] -= 1000;
    }
    drop(&j);
}

/* One row by one column of floats: what the result may be. */
static int64_t wrong_of(int type, const float *a, const float *b, int64_t k, int tf32, float found)
{
    job j = job_of(type, 1, 1, k, tf32, 1);
    ct_gemm_check check;
    for (int64_t i = 0; i < k; ++i) {
        put(j.a, i, type, a[i]);
        put(j.b, i, type, b[i]);
    }
    put(j.d, 0, type, found);
    ct_gemm_compare(j.plan, &j.on, &check);
    drop(&j);
    return check.wrong;
}

TEST(test_rounding)
{
    const float third[] = {1.0f / 3, 1}, one[] = {1, 1}, opposite[] = {1, -1}, none[] = {NAN, 1};
    const float ends[] = {INFINITY, 1}, minus[] = {-INFINITY, 1}, large[] = {3e38f, 3e38f};
    const float huge[] = {60000, 60000}, near[] = {60000, 5488};
    const float below[] = {3.3895e38f, 0}, half[] = {1.6e38f, 0};
    assert_int_equal(wrong_of(FLOAT, third, one, 2, 0, 1.0f / 3 + 1), 0);
    assert_int_equal(wrong_of(FLOAT, third, one, 2, 0, 1.33334f), 1);
    assert_int_equal(wrong_of(FLOAT, third, one, 2, 0, 1.333f), 1);
    assert_int_equal(wrong_of(FLOAT, third, one, 2, 1, 1.333f), 0); /* 10 bits of each factor */
    assert_int_equal(wrong_of(FLOAT, third, one, 2, 1, 1.32f), 1);
    assert_int_equal(wrong_of(HALF, third, one, 2, 0, 1.333f), 0);
    assert_int_equal(wrong_of(HALF, third, one, 2, 0, 1.331f), 1);
    assert_int_equal(wrong_of(HALF, huge, one, 2, 0, INFINITY), 0);      /* 120000 */
    assert_int_equal(wrong_of(HALF, huge, opposite, 2, 0, INFINITY), 1); /* 0 */
    assert_int_equal(wrong_of(HALF, huge, one, 2, 0, -INFINITY), 1);
    assert_int_equal(wrong_of(HALF, huge, one, 2, 0, 65504), 1);
    assert_int_equal(wrong_of(HALF, near, one, 2, 0, INFINITY), 0); /* 65488 */
    assert_int_equal(wrong_of(HALF, near, one, 2, 0, 0), 1);
    assert_int_equal(wrong_of(BFLOAT16, third, one, 2, 0, 1.3333f), 0); /* 1.3359375 */
    assert_int_equal(wrong_of(BFLOAT16, third, one, 2, 0, 1.328125f), 1);
    assert_int_equal(wrong_of(BFLOAT16, below, one, 2, 0, INFINITY), 0); /* 3.395e38 */
    assert_int_equal(wrong_of(BFLOAT16, half, one, 2, 0, INFINITY), 1);
    assert_int_equal(wrong_of(FLOAT, large, opposite, 2, 0, NAN), 0); /* infinite on the way */
    assert_int_equal(wrong_of(FLOAT, third, one, 2, 0, NAN), 1);
    assert_int_equal(wrong_of(FLOAT, third, one, 2, 0, INFINITY), 1);
    assert_int_equal(wrong_of(FLOAT, ends, one, 2, 0, INFINITY), 0);
    assert_int_equal(wrong_of(FLOAT, ends, one, 2, 0, 1), 1);
    assert_int_equal(wrong_of(FLOAT, minus, one, 2, 0, INFINITY), 1);
    assert_int_equal(wrong_of(FLOAT, none, one, 2, 0, NAN), 0);
    assert_int_equal(wrong_of(FLOAT, none, one, 2, 0, 1), 1);
}

GROUP("what cutlet gemm says of a result", NULL, NULL)
