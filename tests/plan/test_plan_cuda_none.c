/* Copy plans where there is no device, or one that refuses: the reason in one line, the CPU where the
 * choice is left to libcutlet, and nothing stays behind. The driver is a fake one (fake_cuda.c).
 * A device stays open once it was opened, so most of these are processes of their own. */
#include "plan_fake.h"

#include <cutlet/host/dlpack.h>

enum { ROWS = 20, COLS = 30, COUNT = ROWS * COLS };

/* ---- why there is no device ------------------------------------------------------------------ */

typedef struct row {
    const char *name, *value; /* a variable */
    const char *fail;         /* or a call that fails with that result */
    int result;
    int version, devices, major;
    const char *expected;
} row;

static const row rows[] = {
    {"CUTLET_NO_GPU", "1", NULL, 0, 13000, 1, 9, "no GPU: CUTLET_NO_GPU is set"},
    {"CUTLET_CUDA_DRIVER", "/nowhere/libcuda.so.1", NULL, 0, 13000, 1, 9,
     "no GPU: no NVIDIA driver: /nowhere/libcuda.so.1: cannot open shared object file: No such file "
     "or directory"},
    {"CUTLET_CUDA_DRIVER", "libc.so.6", NULL, 0, 13000, 1, 9,
     "no GPU: the driver is too old: libc.so.6 has no cuInit"},
    {NULL, NULL, NULL, 0, 13000, 0, 9, "no GPU: the driver finds no device"},
    {NULL, NULL, NULL, 0, 12080, 1, 9,
     "no GPU: the driver is too old: it is for CUDA 12.8, the kernels were compiled by CUDA 13.0"},
    {NULL, NULL, NULL, 0, 13000, 1, 7,
     "no GPU: no kernels for Fake 40, which is sm_70; there are sm_80"},
    {NULL, NULL, "cuInit", 100, 13000, 1, 9, "no GPU: the driver finds no device"},
    {NULL, NULL, "cuInit", 2, 13000, 1, 9,
     "no GPU: cuInit: out of memory (CUDA_ERROR_OUT_OF_MEMORY)"},
    {NULL, NULL, "cuDevicePrimaryCtxRetain", 2, 13000, 1, 9,
     "no GPU: cuDevicePrimaryCtxRetain: out of memory (CUDA_ERROR_OUT_OF_MEMORY)"},
    {NULL, NULL, "cuCtxPushCurrent_v2", 2, 13000, 1, 9,
     "no GPU: cuCtxPushCurrent: out of memory (CUDA_ERROR_OUT_OF_MEMORY)"},
    {NULL, NULL, "cuStreamCreate", 2, 13000, 1, 9,
     "no GPU: cuStreamCreate: out of memory (CUDA_ERROR_OUT_OF_MEMORY)"},
    {NULL, NULL, "cuModuleLoadDataEx", 2, 13000, 1, 9,
     "cuda: cuModuleLoadDataEx(plan_copy for sm_80): line 7: planted: out of memory "
     "(CUDA_ERROR_OUT_OF_MEMORY)"},
    {NULL, NULL, "cuModuleGetFunction", 500, 13000, 1, 9,
     "cuda: libcutlet contains no kernel ct_box_any"},
};

static int wrong(const char *what, const char *expected)
{
    fprintf(stderr, "# %s: %s\n# expected %s\n", what, message, expected);
    return 1;
}

/* A plan of AUTO in memory of the host, by the CPU. 0 where it copies. */
static int cpu_fails(void)
{
    const ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_AUTO);
    static float src[COUNT], dst[COUNT];
    ct_plan *plan = NULL;
    ct_plan_info info;
    int bad = 0;
    for (int i = 0; i < COUNT; ++i) src[i] = (float)i;
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message) || message[0]) return 1;
    ct_plan_info_of(plan, &info);
    bad = info.backend != CT_BACKEND_CPU || ct_plan_run(plan, dst, src, NULL, message);
    for (int i = 0; i < COUNT; ++i) bad |= dst[i % COLS * ROWS + i / COLS] != src[i];
    ct_plan_destroy(plan);
    return bad;
}

/* The number of things that are wrong. */
static int run_row(const row *r)
{
    const ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_CUDA);
    ct_plan *plan = (ct_plan *)1;
    int bad = 0;
    if (r->name) setenv(r->name, r->value, 1);
    fake->version = r->version;
    fake->devices = r->devices;
    fake->major = r->major;
    fake->fail = r->fail;
    fake->result = r->result;
    for (int effort = CT_EFFORT_ESTIMATE; effort <= CT_EFFORT_MEASURE; ++effort) {
        const int status = ct_plan_create(&desc, effort, &plan, message);
        if (status != CT_E_BACKEND || plan || strcmp(message, r->expected) != 0)
            bad += wrong("CUDA", r->expected);
        bad += ct_plan_create(&desc, effort, &plan, NULL) != CT_E_BACKEND;
    }
    if (cpu_fails()) bad += wrong("AUTO", "the CPU");
    if (strncmp(r->expected, "no GPU", 6) == 0 && (fake->contexts || fake->streams || fake->pushed))
        bad += wrong("left", "nothing");
    /* when it has gone, the device is there */
    if (r->name && strcmp(r->name, "CUTLET_NO_GPU") == 0) unsetenv(r->name);
    if (r->name && strcmp(r->name, "CUTLET_CUDA_DRIVER") == 0)
        setenv(r->name, getenv("FAKE_CUDA"), 1);
    reset_fake(NULL);
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message)) bad += wrong("later", "a plan");
    ct_plan_destroy(plan);
    return bad;
}

/* Runs a part of a test in a process of its own; whether something is wrong. */
static int separate(int (*part)(const void *), const void *data)
{
    int status = 0;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        const int bad = part(data);
        fflush(NULL);
        _exit(bad != 0);
    }
    return pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
}

static int run_row_of(const void *data) { return run_row(data); }

TEST(test_no_device)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (separate(run_row_of, &rows[i])) fail_msg("row %zu: %s", i, rows[i].expected);
}

/* ---- which device ---------------------------------------------------------------------------- */

/* A plan for a device by its number, and a copy of tensors on that device, whatever context is current. */
static int by_number(ct_plan_desc desc, void *dst, void *src)
{
    static const struct {
        int32_t device;
        const char *why;
    } refused[] = {{4, "no GPU: no device 3; the driver finds 3"},
                   {65, "no GPU: no device 64; 0 to 63 have numbers"},
                   {-1, "no GPU: no device -2; 0 to 63 have numbers"}};
    const int64_t shape = COUNT;
    ct_plan *plan = NULL;
    int bad = 0;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; ++k) {
        desc.device = refused[k].device;
        if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message) != CT_E_BACKEND ||
            strcmp(message, refused[k].why) != 0)
            bad += wrong("a number", refused[k].why);
    }
    desc.device = 3;
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message)) return wrong("third", "a plan");
    if (ct_plan_run(plan, dst, src, NULL, message)) bad += wrong("run", "OK");
    bad += (uintptr_t)fake->context != (uintptr_t)FAKE_CONTEXT + FAKE_DEVICE + 2;
    ct_plan_destroy(plan);
    ct_dl_tensor from = {.data = src,
                         .device_type = CT_DL_CUDA,
                         .ndim = 1,
                         .code = CT_DL_FLOAT,
                         .bits = 32,
                         .lanes = 1,
                         .shape = (int64_t *)(uintptr_t)&shape};
    for (int device = 2; device >= 0; --device) {
        ct_dl_tensor to = from;
        to.data = dst;
        from.device_id = to.device_id = device;
        if (ct_plan_copy_dlpack(&to, &from, message)) bad += wrong("tensors", "OK");
        bad +=
            (uintptr_t)fake->context != (uintptr_t)FAKE_CONTEXT + FAKE_DEVICE + (uintptr_t)device;
    }
    return bad;
}

/* The plan's device is that of the context that is current when it is made: another thread may have
 * any other, or none. */
static int on_second_device(const void *data)
{
    (void)data;
    const ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_CUDA);
    ct_plan *first = NULL, *second = NULL;
    char reason[CT_MESSAGE_BYTES];
    int bad = 0;
    fake->devices = 3;
    gpu = ct_cuda_open(1, reason);
    if (!gpu) return 1;
    void *const src = ct_cuda_alloc(gpu, 4 * COUNT), *const dst = ct_cuda_alloc(gpu, 4 * COUNT);
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &first, message)) return wrong("first", "a plan");
    ct_cuda_enter(gpu);
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &second, message))
        return wrong("second", "a plan");
    for (int i = 0; i < 4; ++i) {
        if (i == 2) ct_cuda_leave(gpu, 0); /* it does not matter when it runs */
        if (ct_plan_run(i % 2 ? second : first, dst, src, NULL, message)) bad += wrong("run", "OK");
        bad += (uintptr_t)fake->context != (uintptr_t)FAKE_CONTEXT + FAKE_DEVICE + i % 2;
        bad += fake->pushed != (i < 2);
    }
    bad += by_number(desc, dst, src);
    ct_plan_destroy(first);
    ct_plan_destroy(second);
    ct_cuda_close(gpu);
    return bad;
}

TEST(test_second_device)
{
    if (separate(on_second_device, NULL)) fail_msg("the plan is not on the device of its context");
}

/* ---- a device that refuses ------------------------------------------------------------------- */

static unsigned char *device_src, *device_dst;

/* Refused with that line, and after that it runs. The calling thread has the context that it had. */
static void check_refused(const ct_plan *plan, const char *call, int result, const char *line)
{
    void *context = NULL;
    for (int with_context = 0; with_context < 2; ++with_context) {
        void *const mine = (void *)(uintptr_t)(FAKE_CONTEXT + 99);
        if (with_context) gpu->driver.context_push(mine);
        fake->fail = call;
        fake->calls_before = 0;
        fake->result = result;
        assert_int_equal(ct_plan_run(plan, device_dst, device_src, NULL, message), CT_E_FAILED);
        assert_string_equal(message, line);
        assert_int_equal(ct_plan_run(plan, device_dst, device_src, NULL, NULL), CT_E_FAILED);
        fake->fail = NULL;
        gpu->driver.context_current(&context);
        assert_ptr_equal(context, with_context ? mine : NULL);
        assert_int_equal(ct_plan_run(plan, device_dst, device_src, NULL, message), CT_OK);
        if (with_context) gpu->driver.context_pop(&context);
    }
}

/* From here on this process has a device. */
static int with_device(void **state)
{
    if (!gpu) open_fake_gpu();
    return reset_fake(state);
}

TEST_WITH(test_failed_run, with_device, nothing_left)
{
    static const char line[] = "cuda: the launch failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY)";
    ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_CUDA);
    device_src = device_take(4 * COUNT);
    device_dst = device_take(4 * COUNT);
    ct_plan *plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    check_refused(plan, "cuLaunchKernel", 2, line);
    check_refused(plan, "cuLaunchKernel", 12345,
                  "cuda: the launch failed: error 12345, which the driver does not know");
    check_refused(plan, "cuCtxPushCurrent_v2", 2, line);
    ct_plan_destroy(plan);
    desc.dst = desc.src;
    plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    check_refused(plan, "cuMemcpyDtoDAsync_v2", 2, line);
    ct_plan_destroy(plan);
    device_give(device_src);
    device_give(device_dst);
}

/* The kernel for pointers that 16 bytes do not divide cannot be had: there is no plan, unless
 * such pointers are excluded. Afterwards there is one, which runs without looking for kernels. */
TEST_WITH(test_failed_second_kernel, with_device, nothing_left)
{
    ct_plan *plan = NULL;
    ct_plan_desc desc = transpose_desc(256, 512, CT_BACKEND_CUDA), aligned = desc;
    unsigned char *const src = device_take(4 * 131072 + 16);
    unsigned char *const dst = device_take(4 * 131072 + 16);
    promise_aligned(&aligned);
    ct_plan_destroy(plan_of(&aligned, CT_EFFORT_ESTIMATE)); /* the first kernel is known */
    fake->fail = "cuModuleGetFunction";
    fake->result = 500;
    assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), CT_E_BACKEND);
    assert_non_null(strstr(message, "cuda: libcutlet contains no kernel ct_sectors_4_"));
    ct_plan_destroy(plan_of(&aligned, CT_EFFORT_ESTIMATE));
    fake->fail = NULL;
    plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    fake->fail = "cuModuleGetFunction";
    assert_int_equal(ct_plan_run(plan, dst, src, NULL, message), CT_OK);
    assert_int_equal(ct_plan_run(plan, dst + 4, src, NULL, message), CT_OK);
    fake->fail = NULL;
    ct_plan_destroy(plan);
    device_give(src);
    device_give(dst);
}

/* A driver that cannot tell contexts and memory: the plan believes whom asks for the device, and AUTO
 * takes memory for the host's. */
TEST_WITH(test_old_driver, with_device, nothing_left)
{
    ct_plan_device *const device = ct_plan_device_open(message);
    assert_non_null(device);
    const ct_driver whole = device->gpu->driver;
    device->gpu->driver.context_current = NULL;
    device->gpu->driver.context_device = NULL;
    device->gpu->driver.pointer_attribute = NULL;
    dice d = dice_of(6);
    ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_CUDA);
    desc.src.type = desc.dst.type = CT_TYPE_RAW;
    desc.src.elem_bytes = desc.dst.elem_bytes = 4;
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    for (int i = 0; i < 6; ++i) check_run(&d, plan, &desc, (uint64_t)i, 4 * (i % 3), 4 * (i % 2));
    assert_int_equal(fake->launches, 6);
    ct_plan_destroy(plan);
    desc.backend = CT_BACKEND_AUTO;
    ct_plan *const either = plan_of(&desc, CT_EFFORT_ESTIMATE);
    static float src[COUNT], dst[COUNT];
    src[1] = 7;
    assert_int_equal(ct_plan_run(either, dst, src, NULL, message), CT_OK);
    assert_true(dst[ROWS] == 7);
    assert_int_equal(fake->launches, 6);
    ct_plan_destroy(either);
    device->gpu->driver = whole;
}

int main(void)
{
    if (use_fakes()) return 2;
    const int failed = run_each("plan_cuda_none", reset_fake, nothing_left);
    ct_cuda_close(gpu);
    return failed;
}
