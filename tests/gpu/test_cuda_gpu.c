/* The kernels on a real GPU: memory, launches, every kernel of the tiled copy against its source.
 * Skipped, with the reason, where there is no GPU. CUTLET_GPU_CASES sets how many matrices each
 * tiled copy gets; with fewer than there are, as under a tool that slows everything down, nothing
 * is timed. */
#include "kernel_cases.h"
#include "on_gpu.h"

#include <cutlet/host/compare.h>
#include "gpu_images.h"

static void *host(size_t bytes)
{
    void *const memory = malloc(bytes);
    assert_non_null(memory);
    return memory;
}

/* Bytes without a period that a wrong copy could hide behind. */
static void scatter(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) bytes[i] = (unsigned char)random_bits();
}

TEST(test_about)
{
    const ct_cuda_device *const d = ct_cuda_about(gpu);
    assert_true(d->name[0] && d->major >= 8 && d->processors > 0 && d->driver >= 11000);
    assert_true(d->memory_bytes > (int64_t)1 << 30 && d->l2_bytes > 0);
    assert_true(d->shared_bytes > 48 * 1024);
}

TEST(test_memory)
{
    enum { BYTES = 1 << 20 };
    unsigned char *const in = host(BYTES), *const out = host(BYTES);
    unsigned char *const a = device_take(BYTES), *const b = device_take(BYTES);
    scatter(in, BYTES);
    expect(ct_cuda_upload(gpu, a, in, BYTES));
    expect(ct_cuda_fill(gpu, b, 0xA5, BYTES));
    expect(ct_cuda_copy(gpu, b + 1000, a, 5000));
    expect(ct_cuda_download(gpu, out, b, BYTES));
    for (size_t i = 0; i < BYTES; ++i)
        if (out[i] != (i >= 1000 && i < 6000 ? in[i - 1000] : 0xA5)) fail_msg("byte %zu", i);
    device_give(a);
    device_give(b);
    free(in);
    free(out);
}

TEST(test_out_of_memory)
{
    assert_null(ct_cuda_alloc(gpu, (size_t)1 << 50));
    assert_string_equal(ct_cuda_error(gpu), "cuMemAlloc(1125899906842624 bytes): out of memory "
                                            "(CUDA_ERROR_OUT_OF_MEMORY)");
}

TEST(test_launch_refused)
{
    const ct_dim3 one = {1, 1, 1}, wide = {2048, 1, 1}, block = {128, 1, 1};
    const ct_plain_copy_args args = {NULL, NULL, 0};
    assert_int_equal(ct_cuda_launch(gpu, "ct_no_such", one, block, 0, &args, sizeof args),
                     CT_E_ARGUMENT);
    assert_string_equal(ct_cuda_error(gpu), "libcutlet contains no kernel ct_no_such");
    assert_int_equal(ct_cuda_launch(gpu, "ct_plain_copy", one, wide, 0, &args, sizeof args),
                     CT_E_FAILED);
    const char *const begin = "cuLaunchKernel(ct_plain_copy, grid 1 x 1 x 1, block 2048";
    assert_memory_equal(ct_cuda_error(gpu), begin, strlen(begin));
    if (ct_cuda_about(gpu)->driver >= 12040) {
        assert_int_equal(ct_cuda_launch(gpu, "ct_plain_copy", one, block, 0, &args, 16),
                         CT_E_ARGUMENT);
        assert_string_equal(ct_cuda_error(gpu),
                            "ct_plain_copy: takes an argument of 24 bytes, not 16");
    }
    expect(ct_cuda_launch(gpu, "ct_plain_copy", one, block, 0, &args, sizeof args));
    expect(ct_cuda_wait(gpu));
}

TEST(test_plain_copy)
{
    static const int64_t sizes[] = {1, 15, 16, 17, 2047, 2048, 2049, 1000003};
    static const ct_grid_kernel kernel = {.name = "ct_plain_copy",
                                          .args_bytes = sizeof(ct_plain_copy_args)};
    const kernel_row row = {.kernel = &kernel, .kind = KERNEL_PLAIN};
    for (int i = 0; i < LENGTH(sizes); ++i)
        check_kernel(&row, &(kernel_case){sizes[i], 1, sizes[i], sizes[i], .elem_bytes = 1}, on_gpu,
                     0);
}

/* ---- the tiled copies ------------------------------------------------------------------------ */

/* A matrix of the given extents that begins `shift` elements after a 256-byte boundary, its rows
 * or columns `gap` elements longer than they need be. */
typedef struct matrix_case {
    int64_t rows, cols, gap, shift;
    int32_t tile_m, tile_n;
} matrix_case;

static const matrix_case matrices[] = {
    {256, 320, 0, 0, 0, 0},  /* whole tiles */
    {256, 320, 16, 0, 0, 0}, /* a leading dimension of its own */
    {200, 312, 0, 0, 0, 0},  /* ragged by whole accesses */
    {131, 127, 0, 0, 0, 0},  /* ragged, odd */
    {131, 127, 3, 1, 0, 0},  /* and misaligned */
    {1, 1, 0, 0, 0, 0},         {1, 777, 0, 0, 0, 0}, {777, 1, 5, 3, 0, 0},
    {300, 520, 0, 0, 128, 128}, /* tiles that the kernel was not made for */
};

static void check_tiled(int variant, const matrix_case *s, int row_major, int elem_bytes)
{
    const kernel_row row = {.kernel = ct_copy_kernel(variant, row_major, elem_bytes),
                            .kind = KERNEL_TILED,
                            .variant = variant,
                            .row_major = row_major};
    const int64_t inner = row_major ? s->cols : s->rows, outer = row_major ? s->rows : s->cols,
                  shift = s->shift * elem_bytes;
    const kernel_case c = {inner, outer,      inner + s->gap, inner + s->gap, shift,
                           shift, elem_bytes, s->tile_m,      s->tile_n,      0};
    if (s->tile_m * s->tile_n * elem_bytes <= ct_cuda_about(gpu)->shared_bytes)
        check_kernel(&row, &c, on_gpu, 0);
}

/* How many of the matrices each kernel gets. */
static uint64_t matrix_count(void)
{
    return (uint64_t)ct_min((int64_t)number_of("CUTLET_GPU_CASES", LENGTH(matrices)),
                            LENGTH(matrices));
}

/* Each kernel begins at another matrix, so that a few for each still are all. */
TEST(test_tiled_copies)
{
    size_t kernel = 0;
    int count = 0;
    ct_copy_variants(&count);
    assert_true(count > 0);
    for (int v = 0; v < count; ++v)
        for (int row_major = 0; row_major < 2; ++row_major)
            for (int elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2, ++kernel)
                for (size_t s = 0; s < matrix_count(); ++s)
                    check_tiled(v, &matrices[(kernel + s) % LENGTH(matrices)], row_major,
                                elem_bytes);
}

/* ---- time ------------------------------------------------------------------------------------ */

typedef struct copy_job {
    void *dst, *src;
    size_t bytes;
} copy_job;

static int queue_copy(ct_cuda *device, void *user, int run)
{
    const copy_job *const job = user;
    (void)run;
    return ct_cuda_copy(device, job->dst, job->src, job->bytes);
}

TEST(test_time)
{
    enum { BYTES = 1 << 28, RUNS = 5 };
    if (matrix_count() < LENGTH(matrices)) skip();
    copy_job small = {device_take(BYTES), device_take(BYTES), BYTES / 16};
    copy_job large = {small.dst, small.src, BYTES};
    const ct_cuda_work works[] = {{queue_copy, &small}, {queue_copy, &large}};
    double seconds[2 * RUNS];
    expect(ct_cuda_fill(gpu, small.src, POISON, BYTES)); /* a copy reads its source */
    expect(ct_cuda_time(gpu, works, 2, 2, RUNS, seconds));
    const double one = ct_median(seconds, RUNS), sixteen = ct_median(seconds + RUNS, RUNS);
    assert_true(one > 0 && sixteen > 2 * one && sixteen < 1);
    device_give(small.dst);
    device_give(small.src);
}

int main(void)
{
    char reason[CT_MESSAGE_BYTES];
    gpu = open_all_images(NULL, reason);
    if (!gpu) {
        printf("%s\n", reason);
        return 77;
    }
    const int failed = run_registered("cuda_gpu", NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
