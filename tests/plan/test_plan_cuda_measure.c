/* Effort MEASURE on a fake device (fake_cuda.c), by the test's clock: the way that takes least
 * is kept, whichever it is; and whatever fails on the way. */
#include "plan_fake.h"

#include "cache_dir.h"

enum { ROWS = 96, COLS = 130 };

/* ---- the clock ------------------------------------------------------------------------------- */

static ct_gpu_launch quick; /* what takes least */
static double quick_ms, other_ms;
static int timed;

/* Whether the launch that is written down is that one, as far as can be seen. */
static int is_quick(void)
{
    return strcmp(fake->launched, quick.kernel) == 0 && fake->block[0] == quick.threads &&
           memcmp(fake->grid, quick.grid, sizeof quick.grid) == 0 &&
           fake->shared_bytes == (unsigned)quick.shared_bytes;
}

static double takes(void)
{
    ++timed;
    return is_quick() ? quick_ms : other_ms;
}

static int same_launch(const ct_gpu_launch *a, const ct_gpu_launch *b)
{
    return a->kind == b->kind && a->threads == b->threads && a->shared_bytes == b->shared_bytes &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           (a->kind != CT_GPU_TRANSPOSE || strcmp(a->kernel, b->kernel) == 0);
}

/* A launch of a plan by a way. 0 where it has that way. */
static int launch_of(const ct_plan_desc *desc, int way, ct_gpu_launch *launch)
{
    ct_plan *const plan = plan_of(desc, CT_EFFORT_ESTIMATE);
    const int bad = ct_gpu_launch_of(plan, 16, 16, way, launch, NULL);
    ct_plan_destroy(plan);
    return bad;
}

/* Each way in turn takes least: a plan has to find it, to say how long it takes, and to go it. */
static void check_choice(const ct_plan_desc *desc, double least, double others)
{
    dice d = dice_of(5);
    int ways = 0, known = 0;
    ct_gpu_launch seen[64];
    quick_ms = least;
    other_ms = others;
    for (int way = 0; way < ct_gpu_variants(); ++way) {
        if (launch_of(desc, way, &quick)) continue;
        int again = 0;
        for (int i = 0; i < ways; ++i) again |= same_launch(&seen[i], &quick);
        seen[ways++] = quick;
        if (again) continue; /* of ways that look alike the first is found */
        fake->takes = takes;
        timed = 0;
        ct_plan *const plan = plan_of(desc, CT_EFFORT_MEASURE);
        const int trials = timed;
        ct_plan_info info;
        ct_plan_info_of(plan, &info);
        assert_true(info.seconds > 0.999e-3 * least && info.seconds < 1.001e-3 * least);
        assert_true(info.bound_seconds > 0);
        if (plan->choice.variant != way) fail_msg("way %d and not %d", plan->choice.variant, way);
        check_run(&d, plan, desc, 0, 0, 0);
        assert_true(is_quick());
        check_run(&d, plan, desc, 0, 4, 8); /* by that way too, or another if it has it not */
        assert_true(trials > 4 * known);
        fake->takes = NULL;
        ct_plan_destroy(plan);
        ++known;
    }
    assert_true(known > 5);
}

TEST(test_least)
{
    ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_CUDA);
    desc.src.type = desc.dst.type = CT_TYPE_RAW;
    desc.src.elem_bytes = desc.dst.elem_bytes = 4;
    check_choice(&desc, 1, 1.5);
}

/* Runs that are so short that many make one time. */
TEST(test_short)
{
    ct_plan_desc desc = {.backend = CT_BACKEND_CUDA};
    desc.src = ct_plan_side_raw(ct_layout2(60, 90, 1, 62), 4);
    desc.dst = ct_plan_side_raw(ct_layout2(60, 90, 1, 60), 4);
    check_choice(&desc, 0.01, 0.012);
}

/* Small plans are timed with the kernels that they run with, others with kernels of their own; those
 * of the ways that were not taken are there at once the next time. */
TEST(test_own)
{
    ct_plan_desc desc = transposed_desc(CT_TYPE_INT8);
    fake->own = 1;
    ct_plan_destroy(plan_of(&desc, CT_EFFORT_MEASURE));
    assert_int_equal(*compiled, 0);
    desc = transposed_desc(CT_TYPE_FLOAT);
    ct_plan_destroy(plan_of(&desc, CT_EFFORT_MEASURE));
    const int all = *compiled;
    assert_true(all > 3 && fake->own_launches >= 4 * all);
    ct_plan_destroy(plan_of(&desc, CT_EFFORT_MEASURE));
    assert_int_equal(*compiled, all);
}

/* AUTO measures for the device. */
TEST(test_auto)
{
    char text[1000];
    const ct_plan_desc desc = transpose_desc(20, 30, CT_BACKEND_AUTO);
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_MEASURE);
    ct_plan_info info;
    ct_plan_info_of(plan, &info);
    assert_true(info.seconds > 0);
    assert_true(ct_plan_describe(plan->device, text, sizeof text) < (int)sizeof text);
    assert_non_null(strstr(text, "measured 2 ms; "));
    ct_plan_destroy(plan);
}

/* ---- what fails ------------------------------------------------------------------------------ */

/* Each call that may fail, after this many that succeed: a line, no plan, and nothing stays behind. */
TEST(test_refused)
{
    static const struct {
        const char *function;
        int calls, status;
        const char *line;
    } rows[] = {
        {"cuMemAlloc_v2", 0, CT_E_MEMORY,
         "not enough memory to measure in on the device: 49920 and 49920 bytes; effort estimate "
         "needs none"},
        {"cuMemAlloc_v2", 1, CT_E_MEMORY,
         "not enough memory to measure in on the device: 49920 and 49920 bytes; effort estimate "
         "needs none"},
        {"cuEventCreate", 0, CT_E_FAILED, "cuda: no events"},
        {"cuEventCreate", 1, CT_E_FAILED, "cuda: no events"},
        {"cuEventRecord", 0, CT_E_FAILED,
         "cuda: a run to be timed failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY)"},
        {"cuLaunchKernel", 0, CT_E_FAILED,
         "cuda: a run to be timed failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY)"},
        {"cuLaunchKernel", 7, CT_E_FAILED,
         "cuda: a run to be timed failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY)"},
        {"cuStreamSynchronize", 2, CT_E_FAILED,
         "cuda: a run to be timed failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY)"},
        {"cuEventElapsedTime", 3, CT_E_FAILED,
         "cuda: a run to be timed failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY)"},
    };
    const ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_CUDA);
    ct_plan_destroy(plan_of(&desc, CT_EFFORT_ESTIMATE)); /* its kernel is known */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_plan *plan = (ct_plan *)1;
        fake->fail = rows[i].function;
        fake->calls_before = rows[i].calls;
        fake->result = 2;
        const int status = ct_plan_create(&desc, CT_EFFORT_MEASURE, &plan, message);
        fake->fail = NULL;
        assert_string_equal(message, rows[i].line);
        assert_int_equal(status, rows[i].status);
        assert_null(plan);
        nothing_left(NULL);
        fake->fail = rows[i].function;
        fake->calls_before = rows[i].calls;
        assert_int_equal(ct_plan_create(&desc, CT_EFFORT_MEASURE, &plan, NULL), rows[i].status);
        fake->fail = NULL;
    }
}

/* The driver's copy alone fails, which only the measured bound is made of: the one that the device's
 * own figures give is left. */
TEST(test_no_bound)
{
    const ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_CUDA);
    ct_plan_info info;
    fake->fail = "cuMemcpyDtoDAsync_v2";
    fake->result = 2;
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_MEASURE);
    fake->fail = NULL;
    ct_plan_info_of(plan, &info);
    assert_true(info.seconds > 0);
    assert_true(plan->bound_seconds == 0);
    assert_true(info.bound_seconds > 0 && info.bound_seconds < info.seconds);
    ct_plan_destroy(plan);
}

/* ---- on disk --------------------------------------------------------------------------------- */

/* The last way whose launch no earlier one has; it becomes the quick one. */
static int distinct_way(const ct_plan_desc *desc)
{
    ct_gpu_launch seen[64];
    int ways = 0, found = 0;
    for (int way = 0; way < ct_gpu_variants(); ++way) {
        int again = launch_of(desc, way, &seen[ways]) != 0;
        for (int i = 0; i < ways && !again; ++i) again = same_launch(&seen[i], &seen[ways]);
        if (again) continue;
        quick = seen[ways++];
        found = way;
    }
    assert_true(found > 0);
    return found;
}

/* How many launches a plan is measured with. */
static int launches_for(const ct_plan_desc *desc, int32_t way)
{
    const int before = fake->launches;
    ct_plan *const plan = plan_of(desc, CT_EFFORT_MEASURE);
    assert_int_equal(plan->choice.variant, way);
    assert_true(plan->seconds > 0.99e-3 && plan->seconds < 1.01e-3 && plan->bound_seconds > 0);
    ct_plan_destroy(plan);
    return fake->launches - before;
}

static int with_cache(void **state) { return new_cache(state) || reset_fake(state); }

static int without_cache(void **state)
{
    setenv("CUTLET_CACHE", "", 1);
    return drop_cache(state) || nothing_left(state);
}

/* The winner is remembered: for this copy, whatever its scale; not where the entry is damaged. */
TEST_WITH(test_remembered, with_cache, without_cache)
{
    char name[256];
    ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_CUDA);
    desc.has_scale = 1;
    desc.scale = 3;
    quick_ms = 1;
    other_ms = 2;
    int way = distinct_way(&desc);
    fake->takes = takes;
    const int all = launches_for(&desc, way);
    assert_true(all > 8);
    desc.scale = 4;
    assert_int_equal(launches_for(&desc, way), 0);
    assert_int_equal(files_in(cache_dir, name), 1);
    FILE *const file = fopen(in_cache(name), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -3, SEEK_END), 0);
    assert_true(fputc(0x77, file) != EOF);
    fclose(file);
    assert_int_equal(launches_for(&desc, way), all);
    assert_int_equal(launches_for(&desc, way), 0);
    desc.src = transpose_desc(ROWS + 1, COLS, 0).src;
    desc.dst = transpose_desc(ROWS + 1, COLS, 0).dst;
    way = distinct_way(&desc);
    assert_true(launches_for(&desc, way) > 8);
    assert_int_equal(files_in(cache_dir, NULL), 2);
    fake->takes = NULL;
}

int main(void)
{
    if (use_fakes()) return 2;
    open_fake_gpu();
    const int failed = run_each("plan_cuda_measure", reset_fake, nothing_left);
    ct_cuda_close(gpu);
    return failed;
}
