/* Plans of products on a fake device, whose kernels multiply: what each choice launches, effort measure by the test's
 * clock, and what fails. */
#include "test.h"

#include <cutlet/device/element/element.h>
#include <cutlet/host/gemm.h>

#include "fake_cuda_find.h"

#include "../../device/gemm/wgmma_args.h"

enum { M = 5, N = 24, K = 1100, MOST = 64 };

/* The kernels, as the fake driver takes them. */
#define NAMES(rows, columns, cluster) " gemm_wgmma_" #rows "x" #columns "_" #cluster "_half"
static const ct_cuda_image images[] = {
    {"wgmma_128x256_2", 90, 0, "forms" GEMM_WGMMA_FORMS(NAMES), 1},
    {"wgmma_helpers", 90, 0, "gemm_repack_16 gemm_repack_8 gemm_repack_rows gemm_sum_splits", 1},
    {"mma_sync", 80, 1, "gemm_half gemm_bfloat16 gemm_float gemm_int8", 0}};
static const ct_cuda_images table = {13000, 3, images}, others = {13000, 1, images + 2};

static fake_cuda_state *fake;
static ct_cuda *gpu;
static uint16_t a[M * K], b[N * K], d[M * N];
static unsigned char workspace[1 << 21] __attribute__((aligned(1024)));
static char message[CT_MESSAGE_BYTES], text[256];

static ct_cuda *open_with(const ct_cuda_images *of)
{
    ct_cuda *const opened = ct_cuda_open_with(0, of, message);
    if (!opened) fail_msg("%s", message);
    return opened;
}

static ct_gemm_desc desc_of(int choice, int effort)
{
    const ct_gemm_desc e = {.a = ct_layout2(M, K, K, 1),
                            .b = ct_layout2(N, K, K, 1),
                            .d = ct_layout2(M, N, N, 1),
                            .type = CT_TYPE_HALF,
                            .gpu = gpu,
                            .alpha = 1,
                            .choice = choice,
                            .effort = effort};
    return e;
}

/* The plan of a choice, and its text; NULL where there is no such choice. */
static ct_gemm_plan *plan_of(int choice, int effort)
{
    const ct_gemm_desc e = desc_of(choice, effort);
    ct_gemm_plan *plan = NULL;
    if (!ct_gemm_plan_create(&e, &plan, message)) ct_gemm_plan_describe(plan, text, sizeof text);
    return plan;
}

static void fails(const ct_gemm_desc *e, int status, const char *says)
{
    ct_gemm_plan *plan = NULL;
    assert_int_equal(ct_gemm_plan_create(e, &plan, message), status);
    assert_null(plan);
    if (!strstr(message, says)) fail_msg("%s", message);
}

/* Each choice multiplies; forms of which two blocks are resident have the largest carveout. */
TEST(test_choices)
{
    int choice = 0, splits = 0;
    for (;; ++choice) {
        fake->carveout = 0;
        ct_gemm_plan *const plan = plan_of(choice, CT_EFFORT_ESTIMATE);
        if (!plan) break;
        const ct_gemm_operands on = {.a = a, .b = b, .d = d, .workspace = workspace};
        assert_in_range(ct_gemm_plan_workspace(plan), 0, sizeof workspace);
        const int is_resident = strstr(text, "gemm_wgmma_64x") && strstr(text, "_1_half");
        assert_int_equal(fake->carveout, is_resident ? 100 : 0);
        memset(d, 0, sizeof d);
        if (ct_gemm_plan_run(plan, &on, message)) fail_msg("%s: %s", text, message);
        splits += strstr(text, "k in ") != NULL;
        assert_string_equal(strrchr(text, ',') + 1, " on Fake 40");
        ct_gemm_plan_destroy(plan);
        for (int i = 0; i < M; ++i)
            for (int j = 0; j < N; ++j) {
                float sum = 0;
                for (int k = 0; k < K; ++k)
                    sum += ct_float_of_half(a[i * K + k]) * ct_float_of_half(b[j * K + k]);
                if (d[i * N + j] != ct_half_of_float(sum)) fail_msg("%s: (%d,%d)", text, i, j);
            }
    }
    assert_string_equal(strchr(message, ';'), "; this product has 30, from 0 on");
    assert_true(splits > 0 && choice == 30);
}

static char quick[64];
static double takes(void) { return strcmp(fake->launched, quick) == 0 ? 1 : 9; }

/* Whichever of the first five takes least is kept. */
TEST(test_measure)
{
    for (int choice = 0; choice < 6; ++choice) {
        ct_gemm_plan *plan = plan_of(choice, CT_EFFORT_ESTIMATE);
        snprintf(quick, sizeof quick, "%.*s", (int)strcspn(text, ":"), text);
        ct_gemm_plan_destroy(plan);
        fake->takes = takes;
        plan = plan_of(0, CT_EFFORT_MEASURE);
        fake->takes = NULL;
        if (!plan) fail_msg("%s", message);
        ct_gemm_plan_destroy(plan);
        if (choice < 5) assert_memory_equal(text, quick, strlen(quick));
        else assert_memory_not_equal(text, quick, strlen(quick));
        assert_non_null(strstr(text, ", the fastest of 5 timed, on Fake 40"));
        assert_int_equal(fake->memories + fake->events, 0);
    }
}

TEST(test_fails)
{
    static const struct {
        const char *function, *says;
        int before;
    } rows[] = {{"cuFuncSetAttribute", "_half, a carveout of 100 per cent): ", 0},
                {"cuModuleLoadDataEx", "cuModuleLoadDataEx(wgmma_128x256_2 for sm_90)", 0},
                {"cuMemAlloc_v2", "cuMemAlloc(", 2},
                {"cuMemsetD8Async", "cuMemsetD8Async", 1},
                {"cuLaunchKernel", "cuLaunchKernel(gemm_", 3},
                {"cuEventCreate", "cuEventCreate", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_cuda *const before = gpu;
        gpu = open_with(&table);
        const ct_gemm_desc e = desc_of(0, CT_EFFORT_MEASURE);
        fake->fail = rows[i].function;
        fake->result = 2;
        fake->calls_before = rows[i].before;
        fails(&e, CT_E_MEMORY, rows[i].says);
        fake->fail = NULL;
        assert_int_equal(fake->memories + fake->events, 0);
        ct_cuda_close(gpu);
        gpu = before;
    }
}

/* What is refused on this device, or without kernels for it. */
TEST(test_refused)
{
    ct_gemm_desc e = desc_of(0, CT_EFFORT_ESTIMATE);
    e.by = CT_GEMM_BY_WGMMA;
    e.gpu = open_with(&others);
    fails(&e, CT_E_BACKEND, "wgmma needs kernels for sm_90a, and there are none inside");
    ct_cuda_close(e.gpu);
    fake->major = 8;
    e.gpu = open_with(&table);
    fails(&e, CT_E_BACKEND, "wgmma is of sm_90a alone, and Fake 40 is sm_80");
    e.by = CT_GEMM_BY_ANY;
    e.effort = CT_EFFORT_MEASURE; /* of the other kernels there is one */
    ct_gemm_plan *plan = NULL;
    assert_int_equal(ct_gemm_plan_create(&e, &plan, message), CT_OK);
    assert_int_equal(ct_gemm_plan_by(plan), CT_GEMM_BY_MMA_SYNC);
    ct_gemm_plan_destroy(plan);
    ct_cuda_close(e.gpu);
    fake->major = 9;
}

int main(void)
{
    fake = fake_cuda_find();
    if (!fake) return 1;
    setenv("CUTLET_CUDA_DRIVER", getenv("FAKE_CUDA"), 1);
    unsetenv("CUTLET_NO_GPU");
    for (int i = 0; i < M * K; ++i) a[i] = (uint16_t)ct_half_of_float((float)(i * 7 % 5 - 2));
    for (int i = 0; i < N * K; ++i) b[i] = (uint16_t)ct_half_of_float((float)(i * 3 % 5 - 2));
    gpu = ct_cuda_open_with(0, &table, message);
    if (!gpu) return 1;
    const int failed = run_registered("plans of matrix products on a fake device", NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
