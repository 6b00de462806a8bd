/* ct_gemm by every form of instruction and operand, on the CPU grid, exactly: sums of small integers. A pipeline that
 * threads fill, a copy from another block, and parts of register tensors. */
#include "test.h"

#include <cutlet/host/grid.h>

#include "gemm_calls.cu"

enum { MOST = 64 * 1024 };
static float out[MOST], in[8 * 16 * 32];

static void run(const ct_grid_kernel *kernel, uint32_t blocks, size_t shared_bytes)
{
    const gemm_call_args args = {out, ct_make_global(in, 32, ct_layout2(8 * 16, 32, 32, 1))};
    const ct_grid_buffer buffers[] = {{"out", out, sizeof out, 1, 0}, {"in", in, sizeof in, 0, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .no_records = 1};
    ct_grid_report report;
    memset(out, 0xff, sizeof out);
    if (ct_grid_launch(kernel, (ct_dim3){blocks, 1, 1},
                       (ct_dim3){(uint32_t)kernel->max_threads, 1, 1}, shared_bytes, &args,
                       sizeof args, &options, &report))
        fail_msg("%s: %s", kernel->name, report.message);
    ct_grid_report_free(&report);
}

/* A product by hand: k of both stages in order; parts of k are added. */
static void check_product(const ct_grid_kernel *kernel, int m, int n, int k, int parts, int bytes)
{
    run(kernel, 1, (size_t)(GEMM_CALL_STAGES * (m + n) * k * bytes));
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            float want = 0, got = 0;
            for (int x = 0; x < GEMM_CALL_STAGES * k; ++x)
                want += gemm_call_a(i, x) * gemm_call_b(j, x);
            for (int p = 0; p < parts; ++p) got += out[(p * m + i) * n + j];
            if (got != want)
                fail_msg("%s (%d,%d): %g, not %g", kernel->name, i, j, (double)got, (double)want);
        }
}

TEST(test_wgmma)
{
    check_product(&gc_tall, 128, 64, 64, 1, 2);
    check_product(&gc_transposed, 64, 64, 32, 1, 2);
    check_product(&gc_parts, 64, 32, 64, 2, 2);
    check_product(&gc_groups, 128, 128, 32, 1, 2);
    check_product(&gc_held, 128, 64, 32, 1, 2);
    check_product(&gc_tf32, 64, 32, 32, 1, 4);
    check_product(&gc_e4m3, 128, 32, 64, 1, 1);
}

TEST(test_mma_sync)
{
    check_product(&gc_warps, 64, 64, 32, 1, 2);
    check_product(&gc_warps_transposed, 64, 32, 32, 1, 2);
    check_product(&gc_warps_held, 64, 16, 32, 1, 2);
    check_product(&gc_steps, 32, 32, 64, 1, 2);
    check_product(&gc_bytes, 16, 16, 64, 1, 1);
    check_product(&gc_bytes_transposed, 16, 16, 64, 1, 1);
}

TEST(test_fma)
{
    check_product(&gc_fma, 32, 32, 8, 1, 4);
    check_product(&gc_fma_held, 16, 24, 8, 1, 4);
}

TEST(test_pipe_of_threads)
{
    for (int i = 0; i < 8 * 16 * 32; ++i) in[i] = (float)i;
    run(&gc_pipe, 1, 0);
    assert_memory_equal(out, in, sizeof in);
}

TEST(test_copy_from_block)
{
    run(&gc_peer, 2, 0);
    for (int i = 0; i < 16 * 32; ++i) assert_true(out[i] == gemm_call_a((i / 32 + 8) % 16, i % 32));
}

TEST(test_parts_and_types)
{
    run(&gc_registers, 4, 0);
    for (int i = 0; i < 4 * 256; ++i) {
        const int block = i / 256, row = i / 64 % 4, column = i % 64;
        const int is_put = column / 16 == (block + 1) % 4;
        const float from = gemm_call_a(row, is_put ? 16 * block + column % 16 : column);
        assert_true(out[i] == (is_put ? 2 * from : from));
    }
}

GROUP("calls of ct_gemm", NULL, NULL)
