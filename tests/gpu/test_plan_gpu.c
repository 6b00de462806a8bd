/* Copy plans on a real GPU: random copies against an enumeration, conversions against the CPU, with
 * kernels that are compiled for the plan and, in a process of its own without the compiler, with those
 * that libcutlet has inside. Skipped, with the reason, where there is no GPU. CUTLET_GPU_CASES sets how
 * large the run is, as for the other tests on a GPU; under a tool that slows everything down it is 1. */
#include "plan_device.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache_dir.h"
#include "driver/nvrtc/compile.h"

static int is_again; /* begun by this program itself */

static int is_whole(void) { return number_of("CUTLET_GPU_CASES", 0) == 0; }

static uint64_t seed(void) { return number_of("CUTLET_SEED", 47); }

/* Whether this is the process without the compiler. */
static int is_inside(void)
{
    const char *const nvrtc = getenv("CUTLET_NVRTC");
    return nvrtc && strcmp(nvrtc, "0") == 0;
}

static ct_plan *plan_of(const ct_plan_desc *desc, int effort)
{
    ct_plan *plan = NULL;
    if (ct_plan_create(desc, effort, &plan, message)) fail_msg("%s", message);
    assert_string_equal(message, "");
    return plan;
}

/* ---- right copies ---------------------------------------------------------------------------- */

static void test_small(void **state)
{
    (void)state;
    const uint64_t cases = is_inside() ? 50 : is_whole() ? 2000 : 40;
    print_message("# seed %llu\n", (unsigned long long)seed());
    memset(launches_of, 0, sizeof launches_of);
    for (uint64_t number = 0; number < cases; ++number) check_small(seed(), number);
    if (cases < 2000) return;
    assert_true(launches_of[CT_GPU_BOXES] > 500 && launches_of[CT_GPU_INDICES] > 200 &&
                launches_of[CT_GPU_RUN] > 20);
}

static void test_large(void **state)
{
    (void)state;
    const uint64_t cases = is_whole() ? 80 : 4;
    for (uint64_t number = 0; number < cases; ++number) check_large(seed(), number);
}

/* Rows and lines at any address, as windows of runs and of lines. */
static void test_misaligned(void **state)
{
    (void)state;
    const uint64_t cases = is_whole() ? 150 : 6;
    for (uint64_t number = 0; number < cases; ++number) check_misaligned(seed(), number);
}

static void test_conversions(void **state)
{
    (void)state;
    check_conversions(is_whole() && !is_inside());
}

/* Two modes turned, of every size of elements: whole tiles and ragged ones, the kernels for matrices
 * and, with rows that lie apart by any number of elements, at any address. */
static void test_transposes(void **state)
{
    (void)state;
    static const int64_t extents[][3] = {{512, 256, 0}, {259, 515, 1}, {64, 64, 0},
                                         {1000, 33, 3}, {15, 3000, 0}, {3000, 17, 16}};
    const int count = is_whole() ? 6 : 2;
    for (int bytes = 1; bytes <= 16; bytes *= 2) {
        for (int i = 0; i < count; ++i) {
            const int64_t *const e = extents[i];
            dice d = dice_of_case(seed(), (uint64_t)(100 * bytes + i));
            ct_plan_desc desc = {.backend = CT_BACKEND_CUDA};
            desc.src = ct_plan_side_raw(ct_layout2(e[0], e[1], e[1] + e[2], 1), bytes);
            desc.dst = ct_plan_side_raw(ct_layout2(e[0], e[1], 1, e[0] + e[2]), bytes);
            ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
            check_run(&d, plan, &desc, (uint64_t)i, 0, 0);
            check_run(&d, plan, &desc, (uint64_t)i, bytes, 3 * bytes);
            ct_plan_destroy(plan);
        }
    }
}

/* Rows that begin anywhere. */
static void test_rows(void **state)
{
    (void)state;
    static const int64_t rows[][3] = {
        {57, 58, 57}, {1031, 1033, 1031}, {100, 103, 101}, {1024, 1040, 1056}, {3, 5, 4}};
    for (int i = 0; i < 5; ++i) {
        dice d = dice_of_case(seed(), (uint64_t)i);
        ct_plan_desc desc = {.backend = CT_BACKEND_CUDA};
        desc.src = ct_plan_side_raw(ct_layout2(rows[i][0], 170, 1, rows[i][1]), 1 + i % 2);
        desc.dst = ct_plan_side_raw(ct_layout2(rows[i][0], 170, 1, rows[i][2]), 1 + i % 2);
        ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
        for (int shift = 0; shift < 4; ++shift)
            check_run(&d, plan, &desc, (uint64_t)i, 2 * shift, 6 * shift);
        ct_plan_destroy(plan);
    }
}

/* ---- how it goes ----------------------------------------------------------------------------- */

/* Three modes turned round, of floats: large enough to be compiled for. */
static ct_plan_desc transposed_desc(int backend)
{
    ct_plan_desc desc = {.backend = backend};
    desc.src =
        ct_plan_side_raw(ct_make_layout2(ct_layout2(50, 60, 1, 50), ct_layout1(30, 3000)), 4);
    desc.dst =
        ct_plan_side_raw(ct_make_layout2(ct_layout2(50, 60, 1800, 30), ct_layout1(30, 1)), 4);
    return desc;
}

static void test_describe(void **state)
{
    (void)state;
    char text[1000];
    const ct_plan_desc desc = transposed_desc(CT_BACKEND_CUDA);
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    ct_plan_describe(plan, text, sizeof text);
    ct_plan_destroy(plan);
    const int own = strstr(text, ", a kernel compiled for it\n") != NULL;
    if (own != (ct_nvrtc_version() != 0)) fail_msg("%s", text);
    if (!own) assert_non_null(strstr(text, ", a kernel built into libcutlet\n"));
}

/* Times that can be: not below what the fastest memory of any device takes, and not a second. */
static void test_measure(void **state)
{
    (void)state;
    dice d = dice_of(9);
    if (!is_whole())
        skip(); /* it reads memory that nobody has written, which a tool would report */
    for (int backend = CT_BACKEND_AUTO; backend <= CT_BACKEND_CUDA; backend += CT_BACKEND_CUDA) {
        const ct_plan_desc desc = transposed_desc(backend);
        ct_plan *const plan = plan_of(&desc, CT_EFFORT_MEASURE);
        ct_plan_info info;
        ct_plan_info_of(plan, &info);
        assert_int_equal(info.backend, CT_BACKEND_CUDA);
        assert_true(info.seconds > 720000 / 1e14 && info.seconds < 1);
        assert_true(info.bound_seconds > 720000 / 1e14 && info.bound_seconds < 1);
        check_run(&d, plan, &desc, 0, 0, 0);
        check_run(&d, plan, &desc, 0, 4, 8);
        ct_plan_destroy(plan);
    }
}

/* More memory than there is. */
static void test_out_of_memory(void **state)
{
    (void)state;
    const int64_t n = (int64_t)1 << 25;
    ct_plan_desc desc = {.backend = CT_BACKEND_CUDA};
    ct_plan *plan = NULL;
    desc.src = ct_plan_side_raw(ct_layout2(n, 2, 1, n << 20), 4);
    desc.dst = ct_plan_side_raw(ct_layout2(n, 2, 2, 1), 4);
    assert_int_equal(ct_plan_create(&desc, CT_EFFORT_MEASURE, &plan, message), CT_E_MEMORY);
    assert_non_null(strstr(message, "not enough memory to measure in on the device: "));
    ct_plan_destroy(plan_of(&desc, CT_EFFORT_ESTIMATE));
}

static void test_host_memory(void **state)
{
    (void)state;
    enum { BYTES = 4 * 90000 };
    unsigned char *const host = malloc(2 * BYTES), *const device = device_take(BYTES);
    memset(host, 0x5a, 2 * BYTES);
    for (int i = 0; i < 5; ++i) {
        const int is_auto = i >= 3;
        const ct_plan_desc desc = transposed_desc(is_auto ? CT_BACKEND_AUTO : CT_BACKEND_CUDA);
        ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
        const void *const src = i == 1 || i == 4 ? device : host;
        void *const dst = i == 2 || i == 3 ? (void *)device : host + BYTES;
        assert_int_equal(ct_plan_run(plan, dst, src, NULL, message), CT_E_POINTER);
        assert_non_null(strstr(message, i == 1 || i == 4 ? "destination: the pointer is to memory"
                                                         : "source: the pointer is to memory"));
        ct_plan_destroy(plan);
    }
    for (int i = 0; i < 2 * BYTES; ++i) assert_int_equal(host[i], 0x5a);
    const ct_plan_desc desc = transposed_desc(CT_BACKEND_AUTO);
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    assert_int_equal(ct_plan_run(plan, host + BYTES, host, NULL, message), CT_OK);
    ct_plan_destroy(plan);
    device_give(device);
    free(host);
}

/* ---- threads and processes ------------------------------------------------------------------- */

enum { THREADS = 4, WORDS = 90000 };

static struct job {
    const ct_plan *plan;
    uint32_t *dst;
    const uint32_t *src;
    int status;
} jobs[THREADS];

static void *run_job(void *data)
{
    struct job *const j = data;
    for (int i = 0; i < 10; ++i) j->status |= ct_plan_run(j->plan, j->dst, j->src, NULL, NULL);
    return NULL;
}

/* Threads that share a plan, all with addresses for which it has no kernel yet. */
static void test_threads(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    const ct_plan_desc desc = transposed_desc(CT_BACKEND_CUDA);
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    uint32_t *const src = device_take(4 * WORDS), *const in = malloc(4 * WORDS);
    uint32_t *const out = malloc(4 * WORDS);
    for (uint32_t i = 0; i < WORDS; ++i) in[i] = i * 2654435761u;
    device_put(src, in, 4 * WORDS);
    for (int t = 0; t < THREADS; ++t) {
        uint32_t *const dst = device_take(4 * WORDS + 16);
        jobs[t] = (struct job){plan, dst + 1, src, 0};
        assert_int_equal(pthread_create(&thread[t], NULL, run_job, &jobs[t]), 0);
    }
    for (int t = 0; t < THREADS; ++t) pthread_join(thread[t], NULL);
    expect(ct_cuda_enter(gpu));
    expect(ct_cuda_check(gpu, gpu->driver.stream_wait(NULL), "a wait"));
    expect(ct_cuda_leave(gpu, 0));
    for (int t = 0; t < THREADS; ++t) {
        assert_int_equal(jobs[t].status, CT_OK);
        device_get(out, jobs[t].dst, 4 * WORDS);
        for (int i = 0; i < WORDS; ++i) /* (a,b,c) */
            if (out[i % 50 * 1800 + i / 50 % 60 * 30 + i / 3000] != in[i]) fail_msg("word %d", i);
        device_give(jobs[t].dst - 1);
    }
    device_give(src);
    free(in);
    free(out);
    ct_plan_destroy(plan);
}

/* Runs this program again, and whether it fails. */
static int again(const char *name, const char *value)
{
    int status = 0;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        char *const arguments[] = {(char *)"test_plan_gpu", (char *)"again", NULL};
        setenv(name, value, 1);
        if (strcmp(name, "CUTLET_NVRTC") == 0)
            setenv("CUTLET_CACHE", "", 1);  /* nothing of its own */
        dup2(STDERR_FILENO, STDOUT_FILENO); /* one group of tests in one output */
        execv("/proc/self/exe", arguments);
        _exit(1);
    }
    return pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
}

static void test_inside(void **state)
{
    (void)state;
    if (is_again) skip();
    if (again("CUTLET_NVRTC", "0")) fail_msg("the kernels inside libcutlet fail");
}

/* What was compiled stands on disk; a process that finds it there, or finds it damaged, is right. */
static void test_disk(void **state)
{
    (void)state;
    if (is_again || ct_nvrtc_version() == 0) skip();
    char name[256];
    const int files = files_in(cache_dir, name);
    assert_true(files > 0);
    if (again("TEST_FROM_DISK", "1")) fail_msg("a second process fails");
    assert_int_equal(files_in(cache_dir, name), files);
    FILE *const file = fopen(in_cache(name), "r+b");
    assert_non_null(file);
    assert_true(fputc(1, file) == 1);
    fclose(file);
    if (again("TEST_FROM_DISK", "1")) fail_msg("a process with a damaged entry fails");
    assert_int_equal(files_in(cache_dir, NULL), files);
}

/* The second process of test_disk: what the first one compiled for. */
static const struct CMUnitTest from_disk[] = {cmocka_unit_test(test_describe),
                                              cmocka_unit_test(test_large)};

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_small),         cmocka_unit_test(test_large),
    cmocka_unit_test(test_misaligned),    cmocka_unit_test(test_conversions),
    cmocka_unit_test(test_transposes),    cmocka_unit_test(test_rows),
    cmocka_unit_test(test_describe),      cmocka_unit_test(test_measure),
    cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_host_memory),
    cmocka_unit_test(test_threads),       cmocka_unit_test(test_disk),
    cmocka_unit_test(test_inside),
};

int main(int argc, char **argv)
{
    char reason[CT_MESSAGE_BYTES];
    int failed;
    is_again = argc > 1 && strcmp(argv[1], "again") == 0;
    gpu = ct_cuda_open(0, reason);
    if (!gpu) {
        printf("%s\n", reason);
        return 77;
    }
    if (!is_again && new_cache(NULL)) return 2;
    if (is_again && getenv("TEST_FROM_DISK"))
        failed = cmocka_run_group_tests_name("plan_gpu, from disk", from_disk, NULL, NULL);
    else failed = cmocka_run_group_tests_name("plan_gpu", tests, NULL, NULL);
    if (!is_again) drop_cache(NULL);
    ct_cuda_close(gpu);
    return failed;
}
