/* Every atom on a real GPU: the kernels of the grid's tests on the same bytes, compared with what they
 * leave on the CPU grid: accesses of all widths, cp.async with fill and partial sizes, ldmatrix and
 * stmatrix, shuffles, cache hints, prefetches. Skipped, with the reason, where there is no GPU. */
#include "gpu_memory.h"

#include <stdio.h>
#include <string.h>

#include "driver/cuda/gpu.h"
#include <cutlet/host/grid.h>

#include "grid_kernels.cu"
#include "hint_kernels.cu"

/* What nvcc made of them. */
extern const ct_cuda_images ct_test_images;

enum { BYTES = 16384 };

static const struct row {
    const ct_grid_kernel *kernel;
    ct_dim3 grid, block;
    int32_t shared_bytes, n;
} rows[] = {
    {&gk_indices, {2, 3, 2}, {4, 3, 2}, 0, 0},
    {&gk_widths, {1, 1, 1}, {64, 1, 1}, 0, 0},
    {&gk_predicated, {1, 1, 1}, {64, 1, 1}, 0, 20},
    {&gk_async, {1, 1, 1}, {64, 1, 1}, 0, 0},
    {&gk_pipeline, {1, 1, 1}, {96, 1, 1}, 2 * 16 * 96, 10},
    {&gk_warp, {1, 1, 1}, {64, 1, 1}, 0, 0},
    {&gk_syncwarp, {1, 1, 1}, {64, 1, 1}, 0, 0},
    {&gk_ldmatrix, {1, 1, 1}, {32, 1, 1}, 0, 0},
    {&gk_stmatrix, {1, 1, 1}, {32, 1, 1}, 0, 0},
    {&gk_traffic, {1, 1, 1}, {32, 1, 1}, 0, 0},
    {&gk_async_row, {1, 1, 1}, {32, 1, 1}, 0, 0},
    {&gk_realigned, {1, 1, 1}, {32, 1, 1}, 0, 0},
    {&gk_long, {1, 1, 1}, {64, 1, 1}, 0, 100},
    {&hk_hints, {1, 1, 1}, {64, 1, 1}, 0, 20},
    {&hk_more_hints, {1, 1, 1}, {64, 1, 1}, 0, 64},
    {&hk_prefetch, {1, 1, 1}, {64, 1, 1}, 0, 0},
};

static unsigned char src[BYTES], before[BYTES], grid_dst[BYTES], gpu_dst[BYTES];

static void run_on_grid(const struct row *r)
{
    const copy_args args = {src, grid_dst, r->n, 0};
    const ct_grid_buffer buffers[] = {{"src", src, BYTES, 0, 0}, {"dst", grid_dst, BYTES, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .no_records = 1};
    ct_grid_report report;
    const int status = ct_grid_launch(r->kernel, r->grid, r->block, (size_t)r->shared_bytes, &args,
                                      sizeof args, &options, &report);
    if (status) fail_msg("%s", report.message);
    ct_grid_report_free(&report);
}

TEST(same_on_both)
{
    unsigned char *const from = device_take(BYTES), *const to = device_take(BYTES);
    for (int i = 0; i < BYTES; ++i) src[i] = (unsigned char)(((uint32_t)i * 2654435761u) >> 13);
    memset(before, 0xee, BYTES);
    device_put(from, src, BYTES);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const struct row *const r = &rows[i];
        const copy_args args = {from, to, r->n, 0};
        memcpy(grid_dst, before, BYTES);
        run_on_grid(r);
        device_put(to, before, BYTES);
        expect(ct_cuda_launch(gpu, r->kernel->name, r->grid, r->block, (size_t)r->shared_bytes,
                              &args, sizeof args));
        expect(ct_cuda_wait(gpu));
        device_get(gpu_dst, to, BYTES);
        int at = 0, changed = 0;
        while (at < BYTES && gpu_dst[at] == grid_dst[at]) ++at;
        for (int k = 0; k < BYTES; ++k) changed += gpu_dst[k] != before[k];
        if (at < BYTES)
            fail_msg("%s: byte %d is %02x on the GPU and %02x on the grid", r->kernel->name, at,
                     gpu_dst[at], grid_dst[at]);
        if (changed == 0) fail_msg("%s: changes nothing", r->kernel->name);
        print_message("%s: %d bytes, the same\n", r->kernel->name, changed);
    }
    device_give(from);
    device_give(to);
}

GPU_GROUP("atoms on the GPU", &ct_test_images, 0)
