/* What stands around the GEMM by wgmma, on the CPU grid: operands repacked, sums of parts of k, and what the
 * host chooses. The GEMM itself, and what becomes of its sums: test_gemm_wgmma.c. */
#include "test.h"

#include <cutlet/host/grid.h>

#include "../../device/gemm/wgmma_helpers.cu"
#include "../../device/gemm/wgmma_host.h"

static gemm_wgmma_problem problem_of(void *const *at, int64_t m, int64_t n, int64_t k,
                                     int64_t batch, int64_t more)
{
    gemm_wgmma_problem q;
    memset(&q, 0, sizeof q);
    const int64_t rows[] = {m, n, m, m}, columns[] = {k, k, n, n};
    for (int i = 0; i < 4; ++i) {
        const int64_t step = columns[i] + more;
        q.at[i] = at[i];
        q.layout[i] = ct_make_layout(ct_tuple3(rows[i], columns[i], batch),
                                     ct_tuple3(step, 1, rows[i] * step));
    }
    q.elem = CT_ELEM_BF16;
    q.alpha = 1;
    return q;
}

static void run(const ct_grid_kernel *kernel, const uint32_t *grid, uint32_t threads,
                size_t shared_bytes, const void *args, size_t bytes, const ct_grid_buffer *buffers,
                int count)
{
    const ct_grid_options options = {.buffers = buffers, .buffer_count = count, .no_records = 1};
    ct_grid_report report;
    if (ct_grid_launch(kernel, (ct_dim3){grid[0], grid[1], grid[2]}, (ct_dim3){threads, 1, 1},
                       shared_bytes, args, bytes, &options, &report))
        fail_msg("%s: %s", kernel->name, report.message);
    ct_grid_report_free(&report);
}

/* Two matrices of odd rows, one of which begins at an odd element. */
TEST(test_repack)
{
    enum { ROWS = 70, K = 131, BATCH = 2, STEP = 192 };
    const size_t bytes = sizeof(uint16_t) * (1 + ROWS * K * BATCH);
    uint16_t *const from = aligned_alloc(64, (bytes + 63) / 64 * 64);
    for (int i = 0; i < ROWS * K * BATCH; ++i) from[1 + i] = (uint16_t)(i * 7 + 1);
    void *const at[] = {from + 1, (void *)4096, (void *)4096, (void *)4096};
    const gemm_wgmma_problem q = problem_of(at, ROWS, 64, K, BATCH, 0);
    const gemm_wgmma_wish wish = {1, 1};
    gemm_wgmma_plan p = gemm_wgmma_make_plan(&q, NULL, 132, wish);
    assert_true(p.repack[0] && p.repack[1]);
    assert_true(p.workspace_bytes >= 2 * STEP * BATCH * (ROWS + 64));
    unsigned char *const to = aligned_alloc(1024, (size_t)(p.workspace_bytes + 1023) / 1024 * 1024);
    p = gemm_wgmma_make_plan(&q, to, 132, wish);
    assert_int_equal(p.rule, CT_TMA_OK);
    const ct_grid_buffer buffers[] = {{"A", from, bytes, 0, 0},
                                      {"workspace", to, (size_t)p.workspace_bytes, 1, 0}};
    assert_int_equal(p.repack[0], GEMM_BY_ROWS);
    run(&gemm_repack_rows, p.pack_grid[0], GEMM_REPACK_THREADS, GEMM_REPACK_SHARED_BYTES,
        &p.pack[0], sizeof p.pack[0], buffers, 2);
    for (int b = 0; b < BATCH; ++b)
        for (int i = 0; i < ROWS; ++i)
            for (int j = 0; j < K; ++j)
                assert_int_equal(((uint16_t *)to)[(b * ROWS + i) * STEP + j],
                                 from[1 + (b * ROWS + i) * K + j]);
    free(from);
    free(to);
}

/* Sums of three parts of k, and C twice. */
TEST(test_sums)
{
    enum { M = 5, N = 300, SPLITS = 3 };
    uint16_t c[M * N], d[M * N];
    void *const at[] = {(void *)4096, (void *)4096, c, d};
    gemm_wgmma_problem q = problem_of(at, M, N, 4096, 1, 0);
    const gemm_wgmma_wish wish = {1, SPLITS};
    q.beta = 2;
    const size_t bytes = (size_t)gemm_wgmma_make_plan(&q, NULL, 132, wish).workspace_bytes;
    float *const sums = calloc(1, bytes);
    const gemm_wgmma_plan p = gemm_wgmma_make_plan(&q, sums, 132, wish);
    assert_int_equal(p.args.splits, SPLITS);
    for (int i = 0; i < M * N; ++i) {
        c[i] = (uint16_t)ct_bfloat16_of_float((float)(i % 5));
        for (int s = 0; s < SPLITS; ++s) sums[(s * 256 + i / N) * 512 + i % N] = (float)(i % 7 + s);
    }
    const ct_grid_buffer buffers[] = {
        {"sums", sums, bytes, 0, 0}, {"C", c, sizeof c, 0, 0}, {"D", d, sizeof d, 1, 0}};
    run(&gemm_sum_splits, p.sum_grid, GEMM_SUM_THREADS, 0, &p.args, sizeof p.args, buffers, 3);
    for (int i = 0; i < M * N; ++i)
        assert_int_equal(d[i], ct_bfloat16_of_float((float)(3 * (i % 7) + 3 + 2 * (i % 5))));
    free(sums);
}

/* Which operands are copied, and that a small product is cut into more tiles. */
TEST(test_choice)
{
    void *const at[] = {(void *)4096, (void *)4096, (void *)4096, (void *)4096};
    const gemm_wgmma_wish none = {0, 0};
    gemm_wgmma_problem q = problem_of(at, 8192, 8192, 8192, 1, 0);
    gemm_wgmma_plan p = gemm_wgmma_make_plan(&q, NULL, 132, none);
    assert_true(!p.repack[0] && !p.repack[1] && !p.repack[3] && p.workspace_bytes == 0);
    assert_int_equal(gemm_wgmma_shapes[p.shape].columns, 256);
    assert_int_equal(p.blocks, 132);
    q = problem_of(at, 256, 256, 8192, 1, 0);
    p = gemm_wgmma_make_plan(&q, NULL, 132, none);
    assert_true(gemm_wgmma_shapes[p.shape].rows == 64 && gemm_wgmma_shapes[p.shape].cluster == 4);
    assert_true(p.args.splits == 1 && p.blocks % 4 == 0 && p.workspace_bytes == 0);
    q = problem_of(at, 512, 512, 512, 1,
                   0); /* with clusters there would be more blocks than processors */
    p = gemm_wgmma_make_plan(&q, NULL, 132, none);
    assert_true(gemm_wgmma_shapes[p.shape].rows == 64 && p.blocks == 64);
    p = gemm_wgmma_make_plan(
        &q, NULL, 132, (gemm_wgmma_wish){0, 2}); /* by a second kernel, in tiles of 128 rows */
    assert_true(gemm_wgmma_shapes[p.shape].rows == 128 && p.args.splits == 2 &&
                p.workspace_bytes > 0);
    q = problem_of(at, 256, 257, 256, 1,
                   7); /* D's rows begin at multiples of 16 bytes, and end elsewhere */
    p = gemm_wgmma_make_plan(&q, NULL, 132, (gemm_wgmma_wish){1, 1});
    assert_true(p.repack[3] && p.workspace_bytes >= 256 * 264 * 2);
    p = gemm_wgmma_make_plan(&q, NULL, 132, (gemm_wgmma_wish){0, 2});
    assert_false(p.repack[3]);
    q = problem_of(at, 65536, 8, 8192, 1, 0); /* more rows than the grid of gemm_sum_splits has */
    assert_int_equal(gemm_wgmma_make_plan(&q, NULL, 132, (gemm_wgmma_wish){0, 2}).args.splits, 1);
    q = problem_of(at, 65535, 8, 8192, 1, 0);
    assert_int_equal(gemm_wgmma_make_plan(&q, NULL, 132, (gemm_wgmma_wish){0, 2}).args.splits, 2);
}

GROUP("around the GEMM by wgmma", NULL, NULL)
