/* Copies on a GPU against a fake driver (fake_cuda.c): right ones get figures, wrong ones
 * are named, and whatever the device refuses is told. */
#include "test.h"

#include "compare/on_gpu.h"
#include "driver/cuda/gpu.h"
#include "fake_cuda_find.h"

enum { ROWS = 70, COLS = 45, ELEMENTS = ROWS * COLS };

static fake_cuda_state *fake;
static unsigned char data[16 * ELEMENTS];

static const ct_cuda_image some_images[] = {
    {"tiled_copy", 90, 0,
     "ct_copy_rows8_row_1 ct_copy_rows8_row_2 ct_copy_rows8_row_4 "
     "ct_copy_rows8_row_16 ct_copy_rows8_col_1 ct_copy_rows8_col_2",
     0},
    {"best_copy", 90, 0, "ct_best_copy_128x1_async", 0},
};
static const ct_cuda_images images = {13000, 2, some_images};

static int set_up(void **state)
{
    (void)state;
    memset(fake, 0, sizeof *fake);
    fake->version = 13000;
    fake->devices = 1;
    fake->major = 9;
    fake->tiled = 1;
    setenv("CUTLET_CUDA_DRIVER", getenv("FAKE_CUDA"), 1);
    unsetenv("CUTLET_NO_GPU");
    for (size_t i = 0; i < sizeof data; ++i) data[i] = (unsigned char)(i * 7 + i / 251);
    return 0;
}

static ct_cuda *open_fake(void)
{
    char reason[CT_MESSAGE_BYTES];
    ct_cuda *const gpu = ct_cuda_open_with(0, &images, reason);
    if (!gpu) fail_msg("%s", reason);
    return gpu;
}

static ct_matrix matrix_of(int row_major, int elem_bytes)
{
    const ct_matrix m = {data, ROWS, COLS, row_major ? COLS : ROWS, row_major, elem_bytes};
    return m;
}

/* Runs a copy of the matrix on a device of its own; what was allocated is given back. */
static ct_gpu_copy run(const char *variant, int row_major, int elem_bytes, int64_t tile)
{
    ct_cuda *const gpu = open_fake();
    const ct_matrix host = matrix_of(row_major, elem_bytes);
    ct_gpu_matrix m;
    ct_gpu_copy copy;
    if (ct_gpu_matrix_put(&m, gpu, &host)) fail_msg("%s", ct_cuda_error(gpu));
    const int status = ct_gpu_copy_run(&m, ct_copy_variant_named(variant), tile, tile, &copy);
    assert_int_equal(status, copy.status);
    ct_gpu_matrix_drop(&m);
    assert_int_equal(fake->memories, 0);
    ct_cuda_close(gpu);
    assert_int_equal(fake->contexts, 0);
    assert_int_equal(fake->events, 0);
    return copy;
}

static void is_near(double got, double wanted)
{
    assert_true(got > 0.999 * wanted && got < 1.001 * wanted);
}

/* A launch of the fake takes 2 ms, its memcpy 3. */
TEST(test_figures)
{
    static const char *const names[] = {"rows8", "best"};
    for (int i = 0; i < 4; ++i) {
        fake->launches = 0;
        const ct_gpu_copy copy = run(names[i % 2], i / 2, 2, 0);
        assert_string_equal(copy.message, "");
        assert_int_equal(copy.status, CT_OK);
        assert_int_equal(copy.bytes, 2 * ELEMENTS * 2);
        is_near(copy.seconds, 2e-3);
        is_near(copy.memcpy_seconds, 3e-3);
        /* one that is verified, and two in each round */
        assert_int_equal(fake->launches, 1 + 2 * (CT_GPU_WARMUPS + CT_GPU_RUNS));
    }
}

/* The launch is that of the variant, for the device's own addresses. */
TEST(test_launch)
{
    run("rows8", 1, 4, 0);
    assert_string_equal(fake->launched, "ct_copy_rows8_row_4");
    assert_int_equal(fake->grid[0], 1);
    assert_int_equal(fake->grid[1],
                     ct_ceil_div_int(ROWS, 32)); /* misaligned: sector-aligned tiles */
    assert_int_equal(fake->block[0], 128);
    assert_int_equal(fake->shared_bytes, 32 * (128 * 4 + 16));
    assert_int_equal(fake->dynamic_bytes, 0);
    run("best", 0, 1, 0);
    assert_string_equal(fake->launched, "ct_best_copy_128x1_async");
    assert_int_equal(fake->grid[0], (ELEMENTS + 2047) / 2048);
    assert_int_equal(fake->shared_bytes, 2048 + 16);
}

/* More than 48 KiB of shared memory is asked for, and no more than there is. */
TEST(test_shared_memory)
{
    assert_int_equal(run("rows8", 1, 16, 0).status, CT_OK);
    assert_int_equal(fake->dynamic_bytes, 64 * 1024);
    assert_int_equal(run("rows8", 1, 2, 192).status, CT_OK);
    assert_int_equal(fake->dynamic_bytes, 192 * 192 * 2);
    assert_int_equal(run("rows8", 1, 16, 128).status, CT_E_ARGUMENT);
}

static void expect_wrong(ct_gpu_copy copy, const char *message)
{
    assert_int_equal(copy.status, CT_E_WRONG);
    assert_string_equal(copy.message, message);
    assert_true(copy.seconds == 0 && copy.memcpy_seconds == 0);
}

/* A byte that stays as it was, one that is written beside the copy. */
TEST(test_wrong)
{
    char message[256];
    const int last = ELEMENTS * 2 - 1;
    fake->wrong = "rows8";
    snprintf(message, sizeof message,
             "rows8: on the GPU byte %d of the row-major copy is %02x, expected %02x", COLS * 2 - 1,
             (unsigned char)~data[COLS * 2 - 1], data[COLS * 2 - 1]);
    expect_wrong(run("rows8", 1, 2, 0), message);
    assert_int_equal(fake->launches, 1); /* a wrong copy is not timed */
    assert_int_equal(run("best", 1, 2, 0).status, CT_OK);
    fake->wrong = "best";
    snprintf(message, sizeof message,
             "best: on the GPU byte %d of the column-major copy is %02x, expected %02x", last,
             (unsigned char)~data[last], data[last]);
    expect_wrong(run("best", 0, 2, 0), message);
    fake->beside = 1;
    snprintf(message, sizeof message,
             "best: on the GPU byte %d beside the row-major copy is a4, expected a5", last + 1);
    expect_wrong(run("best", 1, 2, 0), message);
}

/* What the last copy left does not pass for the next one. */
TEST(test_wrong_after_right)
{
    ct_cuda *const gpu = open_fake();
    const ct_matrix host = matrix_of(1, 2);
    ct_gpu_matrix m;
    ct_gpu_copy copy;
    assert_int_equal(ct_gpu_matrix_put(&m, gpu, &host), 0);
    assert_int_equal(ct_gpu_copy_run(&m, ct_copy_variant_named("best"), 0, 0, &copy), 0);
    fake->wrong = "rows8";
    assert_int_equal(ct_gpu_copy_run(&m, ct_copy_variant_named("rows8"), 0, 0, &copy), CT_E_WRONG);
    assert_int_equal(ct_gpu_copy_run(&m, ct_copy_variant_named("best"), 0, 0, &copy), 0);
    ct_gpu_matrix_drop(&m);
    ct_cuda_close(gpu);
}

/* A matrix of several parts, and of one byte. */
TEST(test_sizes)
{
    const size_t bytes = (size_t)9 << 20;
    unsigned char *const large = malloc(bytes);
    ct_cuda *const gpu = open_fake();
    ct_gpu_matrix m;
    ct_gpu_copy copy;
    assert_non_null(large);
    for (size_t i = 0; i < bytes; ++i) large[i] = (unsigned char)(i * 7 + i / 4099);
    const ct_matrix tall = {large, 9 << 10, 1 << 10, 1 << 10, 1, 1}, one = {large, 1, 1, 1, 1, 1};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(ct_gpu_matrix_put(&m, gpu, i ? &one : &tall), 0);
        assert_int_equal(ct_gpu_copy_run(&m, ct_copy_variant_named("best"), 0, 0, &copy), 0);
        assert_int_equal(copy.bytes, i ? 2 : 2 * (int64_t)bytes);
        fake->wrong = "best";
        assert_int_equal(ct_gpu_copy_run(&m, ct_copy_variant_named("best"), 0, 0, &copy),
                         CT_E_WRONG);
        fake->wrong = NULL;
        ct_gpu_matrix_drop(&m);
    }
    ct_cuda_close(gpu);
    free(large);
}

/* Each call that may fail, at its first time. */
TEST(test_refused)
{
    static const struct {
        const char *function, *message;
    } rows[] = {
        {"cuMemAlloc_v2", "cuMemAlloc(6300 bytes)"},
        {"cuMemcpyHtoDAsync_v2", "cuMemcpyHtoDAsync(6300 bytes)"},
        {"cuMemcpyDtoDAsync_v2", "rows8: cuMemcpyDtoDAsync(6812 bytes)"},
        {"cuModuleLoadDataEx", "rows8: cuModuleLoadDataEx(tiled_copy for sm_90): line 7: planted"},
        {"cuLaunchKernel", "rows8: cuLaunchKernel(ct_copy_rows8_row_2, grid 1 x 3 x 1, block 128 x "
                           "1 x 1, 8704 bytes of shared memory)"},
        {"cuMemcpyDtoHAsync_v2", "rows8: cuMemcpyDtoHAsync(6812 bytes)"},
        {"cuEventCreate", "rows8: cuEventCreate"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_cuda *const gpu = open_fake();
        const ct_matrix host = matrix_of(1, 2);
        char wanted[512];
        const char *got = ct_cuda_error(gpu);
        ct_gpu_matrix m;
        ct_gpu_copy copy;
        fake->fail = rows[i].function;
        fake->calls_before = 0;
        fake->result = 2;
        ct_status bad = ct_gpu_matrix_put(&m, gpu, &host);
        if (!bad) {
            bad = ct_gpu_copy_run(&m, ct_copy_variant_named("rows8"), 0, 0, &copy);
            got = copy.message;
        }
        assert_int_equal(bad, CT_E_MEMORY);
        snprintf(wanted, sizeof wanted, "%s: out of memory (CUDA_ERROR_OUT_OF_MEMORY)",
                 rows[i].message);
        assert_string_equal(got, wanted);
        ct_gpu_matrix_drop(&m);
        assert_int_equal(fake->memories, 0);
        ct_cuda_close(gpu);
    }
}

int main(void)
{
    fake = fake_cuda_find();
    if (!fake) return 2;
    return run_each("on GPU", set_up, NULL);
}
