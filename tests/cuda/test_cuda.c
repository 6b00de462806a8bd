/* The CUDA loader against a fake driver (fake_cuda.c): every reason why a GPU is not used,
 * every call that may fail, and that nothing stays behind. */
#include "test.h"

#include "driver/cuda/gpu.h"
#include <cutlet/host/cuda.h>
#include "fake_cuda_find.h"
#include "tools/bench/kernels/plain_copy.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static fake_cuda_state *fake;

/* Two sources; what a kernel of theirs does is in fake_cuda.h. */
static const ct_cuda_image some_images[] = {
    {"first", 80, 0, "one two", 0},     {"first", 90, 0, "one two hopper", 0},
    {"first", 100, 1, "one two", 0},    {"second", 80, 0, "three", 0},
    {"second", 90, 0, "three four", 0}, {"second", 100, 1, "three", 0},
};
static const ct_cuda_images images = {13000, LENGTH(some_images), some_images};

/* An H200 with a driver for 13.0. */
static int set_up(void **state)
{
    (void)state;
    memset(fake, 0, sizeof *fake);
    fake->version = 13000;
    fake->devices = 1;
    fake->major = 9;
    fake->args_bytes = sizeof(ct_plain_copy_args);
    setenv("CUTLET_CUDA_DRIVER", getenv("FAKE_CUDA"), 1);
    unsetenv("CUTLET_NO_GPU");
    return 0;
}

static void assert_nothing_left(void)
{
    assert_int_equal(fake->contexts, 0);
    assert_int_equal(fake->pushed, 0);
    assert_int_equal(fake->modules, 0);
    assert_int_equal(fake->streams, 0);
    assert_int_equal(fake->events, 0);
    assert_int_equal(fake->memories, 0);
}

static ct_cuda *open_fake(void)
{
    char reason[CT_MESSAGE_BYTES];
    ct_cuda *const gpu = ct_cuda_open_with(0, &images, reason);
    if (!gpu) fail_msg("%s", reason);
    assert_string_equal(reason, "");
    assert_string_equal(ct_cuda_error(gpu), "");
    return gpu;
}

static void close_fake(ct_cuda *gpu)
{
    ct_cuda_close(gpu);
    assert_nothing_left();
}

/* ---- why there is no GPU --------------------------------------------------------------------- */

static void expect_reason(int device, const ct_cuda_images *inside, const char *expected)
{
    char reason[CT_MESSAGE_BYTES] = "untouched";
    ct_cuda *const gpu = ct_cuda_open_with(device, inside, reason);
    assert_null(gpu);
    assert_string_equal(reason, expected);
    assert_nothing_left();
}

TEST(test_disabled)
{
    setenv("CUTLET_NO_GPU", "1", 1);
    expect_reason(0, &images, "no GPU: CUTLET_NO_GPU is set");
    setenv("CUTLET_NO_GPU", "0", 1);
    close_fake(open_fake());
    setenv("CUTLET_NO_GPU", "", 1);
    close_fake(open_fake());
}

TEST(test_built_without_kernels)
{
    const ct_cuda_images none = {0, 0, NULL};
    expect_reason(0, &none, "no GPU: built without nvcc, so it contains no kernels");
}

TEST(test_no_driver)
{
    setenv("CUTLET_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
    expect_reason(0, &images,
                  "no GPU: no NVIDIA driver: /nowhere/libcuda.so.1: cannot open shared "
                  "object file: No such file or directory");
}

TEST(test_driver_without_functions)
{
    setenv("CUTLET_CUDA_DRIVER", "libc.so.6", 1);
    expect_reason(0, &images, "no GPU: the driver is too old: libc.so.6 has no cuInit");
}

TEST(test_driver_too_old)
{
    fake->version = 12090;
    expect_reason(0, &images,
                  "no GPU: the driver is too old: it is for CUDA 12.9, the kernels "
                  "were compiled by CUDA 13.0");
    fake->version = 13020;
    close_fake(open_fake());
    fake->version = 14000;
    close_fake(open_fake());
}

TEST(test_no_device)
{
    fake->fail = "cuInit";
    fake->result = 100;
    expect_reason(0, &images, "no GPU: the driver finds no device");
    fake->fail = NULL;
    fake->devices = 0;
    expect_reason(0, &images, "no GPU: the driver finds no device");
    fake->devices = 2;
    expect_reason(2, &images, "no GPU: no device 2; the driver finds 2");
    expect_reason(-1, &images, "no GPU: no device -1; the driver finds 2");
}

TEST(test_no_image)
{
    fake->major = 7;
    fake->minor = 5;
    expect_reason(0, &images,
                  "no GPU: no kernels for Fake 40, which is sm_75; there are sm_80, "
                  "sm_90, sm_100");
}

/* Every call of opening, failing at its first and at its second time. */
TEST(test_calls_of_opening)
{
    static const char *const calls[][2] = {
        {"cuInit", "cuInit"},
        {"cuDriverGetVersion", "cuDriverGetVersion"},
        {"cuDeviceGetCount", "cuDeviceGetCount"},
        {"cuDeviceGet", "cuDeviceGet(0)"},
        {"cuDeviceGetName", "cuDeviceGetName"},
        {"cuDeviceTotalMem_v2", "cuDeviceTotalMem"},
        {"cuDeviceGetAttribute", "cuDeviceGetAttribute(75)"},
        {"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRetain"},
        {"cuCtxPushCurrent_v2", "cuCtxPushCurrent"},
        {"cuStreamCreate", "cuStreamCreate"},
    };
    for (size_t i = 0; i < LENGTH(calls); ++i) {
        char expected[CT_MESSAGE_BYTES];
        fake->fail = calls[i][0];
        fake->calls_before = 0;
        fake->result = 2;
        snprintf(expected, sizeof expected, "no GPU: %s: out of memory (CUDA_ERROR_OUT_OF_MEMORY)",
                 calls[i][1]);
        expect_reason(0, &images, expected);
    }
    fake->fail = "cuDeviceGetAttribute";
    fake->calls_before = 4;
    fake->result = 12345;
    expect_reason(0, &images,
                  "no GPU: cuDeviceGetAttribute(97): error 12345, which the driver "
                  "does not know");
}

/* ---- an open device -------------------------------------------------------------------------- */

TEST(test_about)
{
    ct_cuda *const gpu = open_fake();
    const ct_cuda_device *const d = ct_cuda_about(gpu);
    assert_string_equal(d->name, "Fake 40");
    assert_int_equal(d->major, 9);
    assert_int_equal(d->minor, 0);
    assert_int_equal(d->processors, 132);
    assert_int_equal(d->driver, 13000);
    assert_int_equal(d->memory_bytes, (int64_t)40 << 30);
    assert_int_equal(d->l2_bytes, 50 << 20);
    assert_int_equal(d->shared_bytes, 227 * 1024);
    close_fake(gpu);
    ct_cuda_close(NULL);
}

TEST(test_memory)
{
    ct_cuda *const gpu = open_fake();
    char in[300], out[300] = "", *memory[40];
    for (size_t i = 0; i < sizeof in; ++i) in[i] = (char)(i * 7);
    for (size_t i = 0; i < LENGTH(memory); ++i)
        assert_non_null(memory[i] = ct_cuda_alloc(gpu, 300));
    assert_int_equal(fake->memories, 40);
    assert_int_equal(ct_cuda_upload(gpu, memory[0], in, sizeof in), 0);
    assert_int_equal(ct_cuda_fill(gpu, memory[1], 0xA5, sizeof in), 0);
    assert_int_equal(ct_cuda_copy(gpu, memory[1] + 100, memory[0], 150), 0);
    assert_int_equal(ct_cuda_download(gpu, out, memory[1], sizeof out), 0);
    for (size_t i = 0; i < sizeof out; ++i)
        assert_int_equal(out[i], i >= 100 && i < 250 ? in[i - 100] : (char)0xA5);
    assert_int_equal(ct_cuda_free(gpu, memory[7]), 0);
    assert_int_equal(fake->memories, 39);
    assert_int_equal(ct_cuda_free(gpu, NULL), 0);
    assert_int_equal(ct_cuda_free(gpu, memory[7]), CT_E_POINTER);
    assert_string_equal(ct_cuda_error(gpu), "ct_cuda_free: not an address of ours");
    /* Nothing to move is nothing to fail. */
    assert_int_equal(ct_cuda_upload(gpu, NULL, NULL, 0), 0);
    assert_int_equal(ct_cuda_download(gpu, NULL, NULL, 0), 0);
    assert_int_equal(ct_cuda_fill(gpu, NULL, 1, 0), 0);
    assert_int_equal(ct_cuda_copy(gpu, NULL, NULL, 0), 0);
    close_fake(gpu);
}

/* Launches a kernel on two small buffers. */
static ct_status launch(ct_cuda *gpu, const char *kernel, size_t shared_bytes, size_t args_bytes)
{
    static char from[64] = "what is copied", to[64];
    const ct_dim3 grid = {5, 6, 7}, block = {32, 2, 3};
    const ct_plain_copy_args args = {from, to, sizeof from};
    memset(to, 0, sizeof to);
    const ct_status status =
        ct_cuda_launch(gpu, kernel, grid, block, shared_bytes, &args, args_bytes);
    assert_string_equal(to, status ? "" : from);
    return status;
}

TEST(test_launch)
{
    ct_cuda *const gpu = open_fake();
    assert_string_equal(fake->loaded, "");
    assert_int_equal(launch(gpu, "hopper", 100, sizeof(ct_plain_copy_args)), 0);
    assert_string_equal(fake->loaded, "one two hopper");
    assert_string_equal(fake->launched, "hopper");
    assert_int_equal(fake->grid[0] * 100 + fake->grid[1] * 10 + fake->grid[2], 567);
    assert_int_equal(fake->block[0] * 100 + fake->block[1] * 10 + fake->block[2], 3223);
    assert_int_equal(fake->shared_bytes, 100);
    assert_int_equal(fake->dynamic_bytes, 0);
    assert_int_equal(launch(gpu, "four", 0, sizeof(ct_plain_copy_args)), 0);
    assert_string_equal(fake->loaded, "one two hopper; three four");
    assert_string_equal(fake->launched, "four");
    assert_int_equal(launch(gpu, "hopper", 0, sizeof(ct_plain_copy_args)), 0);
    assert_int_equal(fake->modules, 2);
    assert_int_equal(ct_cuda_wait(gpu), 0);
    close_fake(gpu);
}

TEST(test_shared_memory)
{
    ct_cuda *const gpu = open_fake();
    const size_t bytes = sizeof(ct_plain_copy_args);
    assert_int_equal(launch(gpu, "one", 48 * 1024 - 17, bytes), 0); /* it has 17 static bytes */
    assert_int_equal(fake->dynamic_bytes, 0);
    assert_int_equal(launch(gpu, "one", 48 * 1024 - 16, bytes), 0);
    assert_int_equal(fake->dynamic_bytes, 48 * 1024 - 16);
    assert_int_equal(launch(gpu, "one", 100000, bytes), 0);
    assert_int_equal(fake->dynamic_bytes, 100000);
    assert_int_equal(launch(gpu, "one", 60000, bytes), 0);
    assert_int_equal(fake->dynamic_bytes, 100000);
    assert_int_equal(launch(gpu, "one", 227 * 1024, bytes), 0);
    assert_int_equal(launch(gpu, "one", 227 * 1024 + 1, bytes), CT_E_ARGUMENT);
    assert_string_equal(ct_cuda_error(gpu), "one: 232449 bytes of shared memory; a block on Fake "
                                            "40 has at most 232448");
    close_fake(gpu);
}

TEST(test_launch_refused)
{
    ct_cuda *const gpu = open_fake();
    assert_int_equal(launch(gpu, "five", 0, sizeof(ct_plain_copy_args)), CT_E_ARGUMENT);
    assert_string_equal(ct_cuda_error(gpu), "libcutlet contains no kernel five");
    assert_int_equal(launch(gpu, "one", 0, 16), CT_E_ARGUMENT);
    assert_string_equal(ct_cuda_error(gpu), "one: takes an argument of 24 bytes, not 16");
    assert_int_equal(fake->launches, 0);
    /* A driver that does not tell. */
    fake->fail = "cuFuncGetParamInfo";
    fake->result = 801;
    assert_int_equal(launch(gpu, "two", 0, 16), 0);
    close_fake(gpu);
}

TEST(test_load)
{
    ct_cuda *const gpu = open_fake();
    const size_t bytes = sizeof(ct_plain_copy_args);
    char image[] = "own one";
    assert_int_equal(launch(gpu, "own", 0, bytes), CT_E_ARGUMENT);
    assert_int_equal(fake->modules, 2);
    assert_int_equal(ct_cuda_load(gpu, image, 4), 0); /* "own " */
    memset(image, 'x', sizeof image);
    assert_int_equal(launch(gpu, "own", 0, bytes), 0);
    assert_string_equal(fake->launched, "own");
    assert_string_equal(fake->loaded, "one two hopper; three four; own ");
    for (int i = 0; i < 3; ++i) assert_int_equal(ct_cuda_load(gpu, "more of it", 10), 0);
    assert_int_equal(launch(gpu, "it", 0, bytes), 0);
    assert_int_equal(fake->modules, 6);
    assert_int_equal(ct_cuda_load(gpu, "none", 0), CT_E_ARGUMENT);
    assert_string_equal(ct_cuda_error(gpu), "ct_cuda_load: an image of 0 bytes");
    fake->fail = "cuModuleLoadDataEx";
    fake->result = 1;
    assert_int_equal(ct_cuda_load(gpu, "again", 5), CT_E_FAILED);
    assert_string_equal(ct_cuda_error(gpu), "cuModuleLoadDataEx(an image): line 7: planted: a "
                                            "planted fault (CUDA_ERROR_FAKE)");
    fake->fail = NULL;
    assert_int_equal(launch(gpu, "again", 0, bytes), CT_E_ARGUMENT);
    assert_int_equal(fake->modules, 6);
    close_fake(gpu);
}

TEST(test_kernel_about)
{
    ct_cuda *const gpu = open_fake();
    ct_cuda_kernel about;
    assert_int_equal(ct_cuda_kernel_about(gpu, "one", 256, 0, &about), 0);
    assert_int_equal(about.max_threads, 7);
    assert_int_equal(about.shared_bytes, 17);
    assert_int_equal(about.local_bytes, 37);
    assert_int_equal(about.registers, 47);
    assert_int_equal(about.resident, 8);
    assert_int_equal(about.args_bytes, sizeof(ct_plain_copy_args));
    assert_int_equal(ct_cuda_kernel_about(gpu, "one", 256, 70000, &about), 0);
    assert_int_equal(about.resident, 3);
    assert_int_equal(fake->dynamic_bytes, 70000);
    assert_int_equal(ct_cuda_kernel_about(gpu, "none", 256, 0, &about), CT_E_ARGUMENT);
    close_fake(gpu);
}

/* ---- time ------------------------------------------------------------------------------------ */

static ct_status queue_kernel(ct_cuda *gpu, void *user, int run)
{
    assert_int_equal(run, (*(int *)user)++);
    return launch(gpu, "one", 0, sizeof(ct_plain_copy_args));
}

static ct_status queue_copies(ct_cuda *gpu, void *user, int run)
{
    static char from[8], to[8];
    (void)user;
    /* The fifth round, the third that counts, copies twice. */
    const ct_status bad = ct_cuda_copy(gpu, to, from, 8);
    return !bad && run == 4 ? ct_cuda_copy(gpu, to, from, 8) : bad;
}

TEST(test_time)
{
    ct_cuda *const gpu = open_fake();
    int runs = 0;
    const ct_cuda_work works[] = {{queue_kernel, &runs}, {queue_copies, NULL}};
    double seconds[8];
    assert_int_equal(ct_cuda_time(gpu, works, 2, 2, 4, seconds), 0);
    assert_int_equal(runs, 6);
    for (int r = 0; r < 4; ++r) {
        assert_true(seconds[r] > 1.999e-3 && seconds[r] < 2.001e-3);
        const double wanted = r == 2 ? 6e-3 : 3e-3;
        assert_true(seconds[4 + r] > 0.999 * wanted && seconds[4 + r] < 1.001 * wanted);
    }
    assert_int_equal(fake->events, 0);
    assert_int_equal(ct_cuda_time(gpu, works, 2, 0, 0, seconds), CT_E_ARGUMENT);
    assert_string_equal(ct_cuda_error(gpu), "ct_cuda_time: 2 works, 0 warm-ups, 0 runs");
    close_fake(gpu);
}

TEST(test_median)
{
    double odd[] = {5, 1, 9}, even[] = {4, 1, 3, 100}, one[] = {2.5};
    assert_true(ct_median(odd, 3) == 5);
    assert_true(ct_median(even, 4) == 3.5);
    assert_true(ct_median(one, 1) == 2.5);
    assert_true(ct_median(NULL, 0) == 0);
}

/* ---- calls that fail ------------------------------------------------------------------------- */

/* Uses everything; stops at the first call that fails. */
static int use_everything(ct_cuda *gpu)
{
    char host[16] = "";
    int runs = 0;
    const ct_cuda_work work = {queue_kernel, &runs};
    double seconds[1];
    ct_cuda_kernel about;
    char *const memory = ct_cuda_alloc(gpu, 16);
    return !memory || ct_cuda_upload(gpu, memory, host, 16) || ct_cuda_fill(gpu, memory, 1, 16) ||
           ct_cuda_copy(gpu, memory, memory, 8) ||
           ct_cuda_kernel_about(gpu, "one", 32, 99999, &about) ||
           ct_cuda_time(gpu, &work, 1, 0, 1, seconds) || ct_cuda_download(gpu, host, memory, 16) ||
           ct_cuda_wait(gpu) || ct_cuda_free(gpu, memory);
}

TEST(test_calls_that_fail)
{
    static const struct {
        const char *function, *line;
        int calls_before;
    } rows[] = {
        {"cuCtxPushCurrent_v2", "cuCtxPushCurrent", 0},
        {"cuMemAlloc_v2", "cuMemAlloc(16 bytes)", 0},
        {"cuMemcpyHtoDAsync_v2", "cuMemcpyHtoDAsync(16 bytes)", 0},
        {"cuMemsetD8Async", "cuMemsetD8Async(16 bytes)", 0},
        {"cuMemcpyDtoDAsync_v2", "cuMemcpyDtoDAsync(8 bytes)", 0},
        {"cuModuleLoadDataEx", "cuModuleLoadDataEx(first for sm_90): line 7: planted", 0},
        {"cuModuleGetFunction", "cuModuleGetFunction(one)", 0},
        {"cuFuncSetAttribute", "cuFuncSetAttribute(one, 99999 bytes of shared memory)", 0},
        {"cuFuncGetAttribute", "cuFuncGetAttribute(one, 1)", 0},
        {"cuFuncGetAttribute", "cuFuncGetAttribute(one, 4)", 1},
        {"cuOccupancyMaxActiveBlocksPerMultiprocessor",
         "cuOccupancyMaxActiveBlocksPerMultiprocessor(one)", 0},
        {"cuEventCreate", "cuEventCreate", 0},
        {"cuEventRecord", "cuEventRecord", 0},
        {"cuLaunchKernel",
         "cuLaunchKernel(one, grid 5 x 6 x 7, block 32 x 2 x 3, 0 bytes of "
         "shared memory)",
         0},
        {"cuStreamSynchronize", "cuStreamSynchronize", 0},
        {"cuEventElapsedTime", "cuEventElapsedTime", 0},
        {"cuMemcpyDtoHAsync_v2", "cuMemcpyDtoHAsync(16 bytes)", 0},
        {"cuMemFree_v2", "cuMemFree", 0},
    };
    for (size_t i = 0; i < LENGTH(rows); ++i) {
        char expected[CT_MESSAGE_BYTES];
        ct_cuda *const gpu = open_fake();
        fake->fail = rows[i].function;
        fake->result = 1;
        fake->calls_before = rows[i].calls_before;
        snprintf(expected, sizeof expected, "%s: a planted fault (CUDA_ERROR_FAKE)", rows[i].line);
        assert_int_equal(use_everything(gpu), 1);
        assert_string_equal(ct_cuda_error(gpu), expected);
        assert_int_equal(fake->pushed, 0);
        assert_int_equal(fake->events, 0);
        fake->fail = NULL;
        close_fake(gpu);
    }
    ct_cuda *const gpu = open_fake();
    assert_int_equal(use_everything(gpu), 0);
    close_fake(gpu);
}

TEST(test_out_of_memory)
{
    ct_cuda *const gpu = open_fake();
    fake->fail = "cuMemAlloc_v2";
    fake->result = 2;
    assert_null(ct_cuda_alloc(gpu, 1000000000000));
    assert_string_equal(ct_cuda_error(gpu), "cuMemAlloc(1000000000000 bytes): out of memory "
                                            "(CUDA_ERROR_OUT_OF_MEMORY)");
    close_fake(gpu);
}

/* A fault while kernels run is reported later, with the kernel that was launched last. */
TEST(test_fault_names_kernel)
{
    ct_cuda *const gpu = open_fake();
    assert_int_equal(launch(gpu, "two", 0, sizeof(ct_plain_copy_args)), 0);
    fake->fail = "cuStreamSynchronize";
    fake->result = 700;
    assert_int_equal(ct_cuda_wait(gpu), CT_E_FAILED);
    assert_string_equal(ct_cuda_error(gpu), "cuStreamSynchronize: a planted fault "
                                            "(CUDA_ERROR_FAKE); the last kernel was two");
    close_fake(gpu);
}

/* The driver's loader finds no image that runs here. */
TEST(test_image_refused)
{
    ct_cuda *const gpu = open_fake();
    fake->fail = "cuModuleLoadDataEx";
    fake->result = 209;
    assert_int_equal(launch(gpu, "one", 0, sizeof(ct_plain_copy_args)), CT_E_BACKEND);
    assert_string_equal(ct_cuda_error(gpu), "no kernels of first for Fake 40, which is sm_90");
    close_fake(gpu);
}

/* Of a source for sm_90 alone: there on an H200, left out on an older and on a newer device. */
TEST(test_image_alone)
{
    static const ct_cuda_image some[] = {{"any", 80, 0, "one", 0},
                                         {"any", 90, 0, "one", 0},
                                         {"any", 100, 1, "one", 0},
                                         {"hopper", 90, 0, "warpgroup", 1}};
    const ct_cuda_images with = {13000, LENGTH(some), some};
    for (int major = 8; major <= 10; ++major) {
        char reason[CT_MESSAGE_BYTES];
        fake->major = major;
        ct_cuda *const gpu = ct_cuda_open_with(0, &with, reason);
        if (!gpu) fail_msg("sm_%d0: %s", major, reason);
        assert_int_equal(launch(gpu, "one", 0, sizeof(ct_plain_copy_args)), 0);
        assert_int_equal(launch(gpu, "warpgroup", 0, sizeof(ct_plain_copy_args)),
                         major == 9 ? CT_OK : CT_E_ARGUMENT);
        if (major != 9)
            assert_string_equal(ct_cuda_error(gpu), "libcutlet contains no kernel warpgroup");
        close_fake(gpu);
    }
}

int main(void)
{
    fake = fake_cuda_find();
    if (!fake) return 2;
    return run_each("cuda", set_up, NULL);
}
