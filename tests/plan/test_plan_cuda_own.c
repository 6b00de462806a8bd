/* Kernels of a plan's own on fake drivers and compilers (fake_cuda.c, fake_nvrtc.c): what
 * is compiled and what is not, once in a process and once on a disk; what the kernels inside serve for.
 * As the process that is started again, with `child`, it makes and runs one plan. */
#include "plan_fake.h"

#include <pthread.h>

#include "cache_dir.h"

/* ---- a process ------------------------------------------------------------------------------- */

/* What a process says: 10 for a launch of its own kernel, and 1 for each kernel that was compiled. */
enum { OWN = 10, WRONG = 99 };

/* Whether a kernel from inside has copied: those of their own do nothing here. */
static int is_right(const float *src, const float *dst)
{
    for (int a = 0; a < 50; ++a)
        for (int b = 0; b < 60; ++b)
            for (int c = 0; c < 30; ++c)
                if (dst[a * 1800 + b * 30 + c] != src[a + b * 50 + c * 3000]) return 0;
    return 1;
}

static int child(void)
{
    enum { COUNT = 50 * 60 * 30 };
    static float in[COUNT], out[COUNT];
    const ct_plan_desc desc = transposed_desc(CT_TYPE_FLOAT);
    char reason[CT_MESSAGE_BYTES];
    ct_plan *plan = NULL;
    fake->own = !getenv("TEST_REFUSES_ALL");
    fake->own_refused = (int)number_of("TEST_REFUSES", 0);
    fake->version = (int)number_of("TEST_DRIVER", 13000);
    fake->minor = (int)number_of("TEST_MINOR", 0);
    gpu = ct_cuda_open(0, reason);
    if (!gpu || ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message)) return WRONG;
    float *const src = ct_cuda_alloc(gpu, sizeof in), *const dst = ct_cuda_alloc(gpu, sizeof out);
    for (int i = 0; i < COUNT; ++i) in[i] = (float)i;
    if (ct_cuda_upload(gpu, src, in, sizeof in) || ct_plan_run(plan, dst, src, NULL, message) ||
        ct_cuda_download(gpu, out, dst, sizeof out))
        return WRONG;
    ct_plan_destroy(plan);
    ct_cuda_close(gpu);
    if (!fake->own_launches && !is_right(in, out)) return WRONG;
    return OWN * fake->own_launches + *compiled;
}

static pid_t start(const char *name, const char *value)
{
    const pid_t pid = fork();
    if (pid != 0) return pid;
    char *const arguments[] = {(char *)"test_plan_cuda_own", (char *)"child", NULL};
    setenv(name, value, 1);
    execv("/proc/self/exe", arguments);
    _exit(WRONG);
}

static int end(pid_t pid)
{
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) return WRONG;
    return WEXITSTATUS(status);
}

/* What a process says in whose environment that stands too. */
static int process_with(const char *name, const char *value) { return end(start(name, value)); }

static int process(void) { return process_with("TEST_NOTHING", "1"); }

/* ---- on disk --------------------------------------------------------------------------------- */

TEST_WITH(test_second_process, new_cache, drop_cache)
{
    assert_int_equal(process(), OWN + 1);
    assert_int_equal(files_in(cache_dir, NULL), 1);
    assert_int_equal(process(), OWN);
    assert_int_equal(process(), OWN);
    assert_int_equal(files_in(cache_dir, NULL), 1);
}

/* Changes the one entry: a byte `from` its end is another one, or everything from there is cut off. */
static void damage(long from, int cut)
{
    char name[256];
    assert_int_equal(files_in(cache_dir, name), 1);
    FILE *const file = fopen(in_cache(name), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -from, SEEK_END), 0);
    const long at = ftell(file);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_true(fputc(byte ^ 1, file) != EOF);
    assert_int_equal(fflush(file), 0);
    if (cut) assert_int_equal(ftruncate(fileno(file), at), 0);
    fclose(file);
}

TEST_WITH(test_damaged, new_cache, drop_cache)
{
    static const struct {
        long from;
        int cut;
    } rows[] = {{1, 0}, {60, 0}, {300, 0}, {1, 1}, {90, 1}};
    assert_int_equal(process(), OWN + 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        damage(rows[i].from, rows[i].cut);
        assert_int_equal(process(), OWN + 1);
        assert_int_equal(files_in(cache_dir, NULL), 1);
        assert_int_equal(process(), OWN);
    }
}

/* Another driver or device: another entry. The old one stays. */
TEST_WITH(test_key, new_cache, drop_cache)
{
    static const char *const rows[][2] = {
        {"TEST_DRIVER", "13010"}, {"TEST_MINOR", "3"}, {"TEST_MINOR", "7"}};
    assert_int_equal(process(), OWN + 1);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(process_with(rows[i][0], rows[i][1]), OWN + 1);
        assert_int_equal(process_with(rows[i][0], rows[i][1]), OWN);
        assert_int_equal(files_in(cache_dir, NULL), i + 2);
        assert_int_equal(process(), OWN);
    }
}

/* An entry that the driver does not take is made anew; where it takes none, the kernels inside serve
 * and nothing is kept. */
TEST_WITH(test_refused_image, new_cache, drop_cache)
{
    assert_int_equal(process_with("TEST_REFUSES_ALL", "1"), 1);
    assert_int_equal(files_in(cache_dir, NULL), -1);
    assert_int_equal(process(), OWN + 1);
    assert_int_equal(process_with("TEST_REFUSES", "1"), OWN + 1);
    assert_int_equal(process_with("TEST_REFUSES", "2"), 1);
    assert_int_equal(process(), OWN);
}

/* Processes that begin at the same time. */
TEST_WITH(test_race, new_cache, drop_cache)
{
    enum { PROCESSES = 5 };
    pid_t pids[PROCESSES];
    for (int i = 0; i < PROCESSES; ++i) pids[i] = start("TEST_NOTHING", "1");
    for (int i = 0; i < PROCESSES; ++i) {
        const int said = end(pids[i]);
        if (said != OWN && said != OWN + 1) fail_msg("process %d says %d", i, said);
    }
    assert_int_equal(files_in(cache_dir, NULL), 1);
    assert_int_equal(process(), OWN);
}

/* No folder to keep anything in: it works, and compiles each time. */
TEST_WITH(test_no_cache, new_cache, drop_cache)
{
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(process_with("CUTLET_CACHE", ""), OWN + 1);
        assert_int_equal(process_with("CUTLET_CACHE", "/proc/nowhere"), OWN + 1);
        assert_int_equal(process_with("CUTLET_CACHE_BYTES", "100"), OWN + 1);
    }
}

/* No compiler, or one that fails: the kernels inside, which copy. */
TEST_WITH(test_no_compiler, new_cache, drop_cache)
{
    assert_int_equal(process_with("CUTLET_NVRTC", "0"), 0);
    assert_int_equal(process_with("CUTLET_NVRTC", "/nowhere/nvrtc.so"), 0);
    assert_int_equal(process_with("FAKE_NVRTC", "create"), 0);
    assert_int_equal(process_with("FAKE_NVRTC", "compile"), 0);
    assert_int_equal(process_with("FAKE_NVRTC", "cubin"), 1);
    assert_int_equal(files_in(cache_dir, NULL), -1);
}

/* ---- in one process -------------------------------------------------------------------------- */

/* How many kernels a plan compiles. */
static int compiles(const ct_plan_desc *desc)
{
    const int before = *compiled;
    ct_plan_destroy(plan_of(desc, CT_EFFORT_ESTIMATE));
    return *compiled - before;
}

TEST(test_once)
{
    ct_plan_desc desc = transposed_desc(CT_TYPE_FLOAT);
    assert_int_equal(compiles(&desc), 1);
    assert_int_equal(compiles(&desc), 0);
    desc.dst = transposed_desc(CT_TYPE_HALF).dst;
    assert_int_equal(compiles(&desc), 1);
    desc.has_scale = 1;
    desc.scale = 2;
    assert_int_equal(compiles(&desc), 1);
    desc.scale = 3; /* told at the launch */
    assert_int_equal(compiles(&desc), 0);
    desc.backend = CT_BACKEND_AUTO;
    assert_int_equal(compiles(&desc), 0);
    desc.backend = CT_BACKEND_GRID;
    desc.dst.memory.swizzle = ct_make_swizzle(2, 0, 3);
    assert_int_equal(compiles(&desc), 0);
    desc.backend = CT_BACKEND_CUDA;
    assert_int_equal(compiles(&desc), 1);
}

/* From 256 KiB on, read and written together. */
TEST(test_small)
{
    for (int over = 0; over < 2; ++over) {
        static const int bytes[] = {1, 2, 8, 3, 12, 16};
        for (int i = 0; i < 6; ++i) {
            const int64_t n = ct_ceil_div_int(CT_CUDA_SMALL_BYTES, 2 * bytes[i]) - !over;
            for (int indexed = 0; indexed < 2; ++indexed) {
                ct_plan_desc desc = {.backend = CT_BACKEND_CUDA};
                desc.src = ct_plan_side_raw(ct_layout1(n, 3), bytes[i]);
                desc.dst = ct_plan_side_raw(ct_layout1(n, 2), bytes[i]);
                if (indexed) desc.dst.memory.swizzle = ct_make_swizzle(2, 0, 3);
                promise_aligned(&desc);
                if (compiles(&desc) != over)
                    fail_msg("%lld elements of %d bytes, indexed %d", (long long)n, bytes[i],
                             indexed);
            }
        }
    }
}

/* The second kernel of a plan, for addresses that 16 bytes do not divide, is made with it, and
 * no run makes any, whatever number of threads come; and the plan says what it runs. */
static void *run_misaligned(void *data)
{
    void **const what = data;
    const int bad = ct_plan_run(what[0], (char *)what[1] + 4, (char *)what[2] + 8, NULL, NULL);
    return (void *)(intptr_t)bad;
}

TEST(test_second_kernel)
{
    enum { THREADS = 8 };
    ct_plan_desc desc = {.backend =
                             CT_BACKEND_CUDA}; /* rows, of which units of 16 bytes are moved */
    desc.src = ct_plan_side_of(ct_layout2(1024, 80, 1, 1040), CT_TYPE_FLOAT);
    desc.dst = ct_plan_side_of(ct_layout2(1024, 80, 1, 1056), CT_TYPE_FLOAT);
    char text[1000];
    const int before = *compiled;
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    void *what[3] = {plan, device_take(4 * 1056 * 80), device_take(4 * 1040 * 80)};
    pthread_t thread[THREADS];
    assert_int_equal(*compiled, before + 2);
    fake->captures = 1; /* a run loads nothing */
    ct_plan_describe(plan, text, sizeof text);
    assert_non_null(strstr(text, ", a kernel compiled for it\n"));
    assert_int_equal(ct_plan_run(plan, what[1], what[2], NULL, message), CT_OK);
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&thread[i], NULL, run_misaligned, what), 0);
    for (int i = 0; i < THREADS; ++i) {
        void *bad;
        pthread_join(thread[i], &bad);
        assert_null(bad);
    }
    assert_int_equal(fake->own_launches, 1 + THREADS);
    assert_int_equal(*compiled, before + 2);
    ct_plan_destroy(plan);
    device_give(what[1]);
    device_give(what[2]);
}

/* Copies whose kernel is compiled: rows with gaps, modes turned round, bytes that begin anywhere,
 * another type, and indices through a swizzle; `more` makes each of them one that was not compiled
 * before. */
enum { COPIES = 5 };

static ct_plan_desc copy_of_kind(int kind, int64_t more)
{
    ct_plan_desc desc = {.backend = CT_BACKEND_CUDA};
    const int64_t n = 1024 + 4 * more, stride = n + 16;
    const int type = kind == 0 ? CT_TYPE_HALF : kind == 2 ? CT_TYPE_INT8 : CT_TYPE_FLOAT;
    desc.src = ct_plan_side_of(ct_layout2(n, 300, 1, stride), type);
    desc.dst = ct_plan_side_of(ct_layout2(n, 300, 1, stride + 16), kind == 3 ? CT_TYPE_HALF : type);
    if (kind == 1) {
        desc.src.memory.layout = ct_layout3(40 + more, 60, 30, 1, 40 + more, 60 * (40 + more));
        desc.dst.memory.layout = ct_layout3(40 + more, 60, 30, 1800, 30, 1);
    }
    if (kind == 2) desc.src.memory.layout = ct_layout2(n, 300, 1, n + 17);
    if (kind == 4) desc.dst.memory.swizzle = ct_make_swizzle(2, 0, 3);
    return desc;
}

/* The first run of a plan is at addresses that 16 bytes do not divide: it compiles and loads
 * nothing, also where the stream is being captured. */
TEST(test_first_run_misaligned)
{
    enum { MEMORY = 8 << 20 };
    static const int past[][2] = {{1, 1}, {1, 0}, {0, 1}}; /* elements: of dst, of src */
    char *const dst = device_take(MEMORY), *const src = device_take(MEMORY);
    for (int i = 0; i < 2 * 3 * COPIES; ++i) {
        const int kind = i / 6;
        const ct_plan_desc desc = copy_of_kind(kind, 4 * (i % 6));
        const int made = *compiled, launches = fake->own_launches;
        ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
        const int before = *compiled, modules = fake->modules;
        if (before == made) fail_msg("copy %d: nothing was compiled for the plan", i);
        fake->captures = i % 2;
        const int bad = ct_plan_run(plan, dst + past[i / 2 % 3][0] * desc.dst.elem_bytes,
                                    src + past[i / 2 % 3][1] * desc.src.elem_bytes, NULL, message);
        fake->captures = 0;
        if (bad) fail_msg("copy %d: status %d: %s", i, bad, message);
        if (*compiled != before || fake->modules != modules)
            fail_msg("copy %d: the run compiled or loaded", i);
        if (fake->own_launches != launches + 1) fail_msg("copy %d: not by a kernel of its own", i);
        ct_plan_destroy(plan);
    }
    device_give(dst);
    device_give(src);
}

/* Two kernels of a transpose are inside: nothing is compiled for it. */
TEST(test_transpose)
{
    const ct_plan_desc desc = transpose_desc(512, 300, CT_BACKEND_CUDA);
    assert_int_equal(compiles(&desc), 0);
}

/* An image without the kernel is given back to the driver, and the kernel inside serves. */
TEST(test_no_such_kernel)
{
    char text[1000];
    ct_plan_desc desc = transposed_desc(CT_TYPE_INT8);
    ct_plan_destroy(plan_of(&desc, CT_EFFORT_ESTIMATE)); /* the kernel inside is known now */
    desc = transposed_desc(CT_TYPE_DOUBLE);
    const int modules = fake->modules, before = *compiled;
    fake->fail = "cuModuleGetFunction";
    fake->result = 500;
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    fake->fail = NULL;
    assert_int_equal(*compiled, before + 1);
    assert_int_equal(fake->modules, modules);
    ct_plan_describe(plan, text, sizeof text);
    assert_non_null(strstr(text, ", a kernel built into libcutlet\n"));
    ct_plan_destroy(plan);
}

static int with_own(void **state)
{
    reset_fake(state);
    fake->own = 1;
    return 0;
}

int main(int argc, char **argv)
{
    if (use_fakes()) return 2;
    if (argc > 1 && strcmp(argv[1], "child") == 0) return child();
    setenv("CUTLET_CACHE", "", 1);
    open_fake_gpu();
    const int failed = run_each("plan_cuda_own", with_own, nothing_left);
    ct_cuda_close(gpu);
    return failed;
}
