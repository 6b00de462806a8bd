/* The kernels that plans share, on fake drivers and compilers: how many stay loaded, that
 * threads compile at the same time, and that nothing is loaded while a stream is captured. */
#include "plan_fake.h"

#include <pthread.h>

static int *together; /* the most that the fake compiler compiled at once */

/* Copies that differ in the kernel which they get: rows of this many floats. */
static ct_plan_desc rows_desc(int64_t row)
{
    ct_plan_desc desc = {.backend = CT_BACKEND_CUDA};
    desc.src = ct_plan_side_of(ct_layout2(row, 100, 1, 2 * row), CT_TYPE_FLOAT);
    desc.dst = ct_plan_side_of(ct_layout2(row, 100, 1, 3 * row), CT_TYPE_FLOAT);
    promise_aligned(&desc);
    return desc;
}

/* ---- how many stay --------------------------------------------------------------------------- */

enum { MANY = 300, STAY_MOST = 64 + 32 + 2 }; /* remembered, unused, and one that is being made */

TEST(test_bound)
{
    const int before = fake->modules, made = *compiled;
    for (int i = 0; i < MANY; ++i) {
        const ct_plan_desc desc = rows_desc(1024 + 4 * i);
        ct_plan_destroy(plan_of(&desc, CT_EFFORT_ESTIMATE));
        assert_true(fake->modules - before <= STAY_MOST);
    }
    assert_int_equal(*compiled - made, MANY);
    assert_true(fake->context_waits > 0); /* what they were launched for has ended */
}

/* Whatever its age, a plan keeps its kernel; the last of its plans lets it go. */
TEST(test_in_use)
{
    static ct_plan *plans[MANY];
    const int before = fake->modules, made = *compiled;
    for (int i = 0; i < MANY; ++i) {
        const ct_plan_desc desc = rows_desc(6000 + 4 * i);
        plans[i] = plan_of(&desc, CT_EFFORT_ESTIMATE);
    }
    assert_true(fake->modules - before >= MANY - STAY_MOST);
    assert_int_equal(*compiled - made, MANY);
    const ct_plan_desc first = rows_desc(6000);
    ct_plan *const again = plan_of(&first, CT_EFFORT_ESTIMATE); /* forgotten, but in use */
    assert_int_equal(*compiled - made, MANY);
    ct_plan_destroy(plans[0]);
    plans[0] = again;
    for (int i = 0; i < MANY; ++i) ct_plan_destroy(plans[i]);
    const ct_plan_desc next = rows_desc(9000);
    ct_plan_destroy(plan_of(&next, CT_EFFORT_ESTIMATE));
    assert_true(fake->modules - before <= STAY_MOST);
}

/* A device that does not get done keeps them; nothing is lost. */
TEST(test_wait_fails)
{
    const int before = fake->modules;
    fake->fail = "cuCtxSynchronize";
    fake->result = 2;
    for (int i = 0; i < MANY; ++i) {
        const ct_plan_desc desc = rows_desc(10000 + 4 * i);
        ct_plan_destroy(plan_of(&desc, CT_EFFORT_ESTIMATE));
    }
    assert_int_equal(fake->modules - before, MANY);
    fake->fail = NULL;
    const ct_plan_desc next = rows_desc(9900);
    ct_plan_destroy(plan_of(&next, CT_EFFORT_ESTIMATE));
    assert_true(fake->modules <= STAY_MOST);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREADS = 8 };

static void *make_plan(void *data)
{
    ct_plan *plan = NULL;
    if (ct_plan_create(data, CT_EFFORT_ESTIMATE, &plan, NULL)) return data;
    ct_plan_destroy(plan);
    return NULL;
}

static void make_at_once(ct_plan_desc *descs, int count)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < count; ++i)
        assert_int_equal(pthread_create(&thread[i], NULL, make_plan, &descs[i]), 0);
    for (int i = 0; i < count; ++i) {
        void *bad;
        pthread_join(thread[i], &bad);
        assert_null(bad);
    }
}

TEST(test_at_the_same_time)
{
    ct_plan_desc descs[] = {rows_desc(2400), rows_desc(2500)};
    *together = 0;
    setenv("FAKE_NVRTC_MEET", "1", 1);
    make_at_once(descs, 2);
    unsetenv("FAKE_NVRTC_MEET");
    assert_int_equal(*together, 2);
}

TEST(test_same_once)
{
    const int before = *compiled;
    ct_plan_desc descs[THREADS];
    for (int i = 0; i < THREADS; ++i) descs[i] = rows_desc(2600);
    make_at_once(descs, THREADS);
    assert_int_equal(*compiled, before + 1);
}

/* They all fail, none hangs, and the kernels inside serve. */
TEST(test_same_fails)
{
    const int before = *compiled, modules = fake->modules;
    ct_plan_desc descs[THREADS];
    for (int i = 0; i < THREADS; ++i) descs[i] = rows_desc(2700);
    setenv("FAKE_NVRTC", "compile", 1);
    make_at_once(descs, THREADS);
    unsetenv("FAKE_NVRTC");
    assert_int_equal(*compiled, before);
    assert_true(fake->modules <= modules + 1); /* what is inside */
}

/* ---- captures -------------------------------------------------------------------------------- */

static void check_captured(const ct_plan_desc *desc, int effort)
{
    ct_plan *plan = NULL;
    assert_int_equal(ct_plan_create(desc, effort, &plan, message), CT_E_FAILED);
    assert_null(plan);
    assert_string_equal(message, "cuda: a stream is being captured: no kernel is loaded meanwhile, "
                                 "make plans before");
}

/* Nothing is compiled or loaded; what is known needs neither. */
TEST(test_captured)
{
    ct_plan_desc desc = rows_desc(2800), known = rows_desc(2804);
    ct_plan_destroy(plan_of(&known, CT_EFFORT_ESTIMATE));
    const int before = *compiled, modules = fake->modules;
    fake->captures = 1;
    check_captured(&desc, CT_EFFORT_ESTIMATE);
    check_captured(&known, CT_EFFORT_MEASURE);
    desc.backend = CT_BACKEND_AUTO;
    check_captured(&desc, CT_EFFORT_ESTIMATE);
    ct_plan_destroy(plan_of(&known, CT_EFFORT_ESTIMATE));
    assert_int_equal(*compiled, before);
    assert_int_equal(fake->modules, modules);
    fake->captures = 0;
    ct_plan_destroy(plan_of(&desc, CT_EFFORT_ESTIMATE));
    assert_int_equal(*compiled, before + 1);
}

/* A stream of which the driver tells only when it refuses to load. */
TEST(test_captured_separately)
{
    const ct_plan_desc desc = rows_desc(2900);
    const int modules = fake->modules;
    fake->captures_separately = 1;
    check_captured(&desc, CT_EFFORT_ESTIMATE);
    assert_int_equal(fake->modules, modules); /* none was unloaded either */
    fake->captures_separately = 0;
    char text[1000];
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    ct_plan_describe(plan, text, sizeof text);
    assert_non_null(strstr(text, ", a kernel compiled for it\n"));
    ct_plan_destroy(plan);
}

static int with_own(void **state)
{
    reset_fake(state);
    fake->own = 1;
    return 0;
}

int main(void)
{
    if (use_fakes()) return 2;
    void *const library = dlopen(getenv("FAKE_NVRTC_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
    together = (int *)dlsym(library, "fake_nvrtc_together");
    setenv("CUTLET_CACHE", "", 1);
    open_fake_gpu();
    const int failed = run_each("plan_cuda_shared", with_own, nothing_left);
    ct_cuda_close(gpu);
    return failed;
}
