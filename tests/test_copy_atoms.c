/* Each atom by the one copy on the CPU grid, and the examples that show the copy. */
#include "copy_atom_cases.h"

#include "../examples/batched_transpose.cu"
#include "../examples/gemm_tiles.cu"

static ct_grid_report report;

static void on_grid(const atom_case *c, ct_dim3 grid, size_t shared_bytes, const matrix *src, matrix *dst)
{
    copy_atoms_args args = {.src = ct_make_global(src->at, 16, layout_of(src)),
                            .dst = ct_make_global(dst->at, 16, layout_of(dst))};
    const ct_tma_desc from = desc_of(src, src->at, c->tile_rows, c->tile_cols);
    const ct_tma_desc to = desc_of(dst, dst->at, c->tile_rows, c->tile_cols);
    char text[CT_TMA_TEXT];
    if (c->maps && (ct_grid_tma_map(&from, &args.src_map, text) || ct_grid_tma_map(&to, &args.dst_map, text)))
        fail_msg("%s", text);
    const ct_grid_buffer buffers[] = {{"src", src->at, src->bytes, 0, 0}, {"dst", dst->at, dst->bytes, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    if (ct_grid_launch(c->kernel, grid, (ct_dim3){32, 1, 1}, shared_bytes, &args, sizeof args, &options, &report))
        fail_msg("%s, %lld x %lld: %s", c->kernel->name, (long long)src->rows, (long long)src->cols, report.message);
    ct_grid_report_free(&report);
}

static void every_atom(void **state) { (void)state; every_case(on_grid); }

/* A bulk copy moves whole rows of 16 bytes; anything else stops the launch. */
static void bulk_refuses_an_edge(void **state)
{
    (void)state;
    matrix src = make_matrix(33, 64, 64, 1), dst = make_matrix(33, 64, 64, 0);
    const copy_atoms_args args = {.src = ct_make_global(src.at, 16, layout_of(&src)),
                                  .dst = ct_make_global(dst.at, 16, layout_of(&dst))};
    const ct_grid_buffer buffers[] = {{"src", src.at, src.bytes, 0, 0}, {"dst", dst.at, dst.bytes, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    assert_int_not_equal(ct_grid_launch(&copy_bulk, (ct_dim3){1, 2, 1}, (ct_dim3){32, 1, 1}, 0, &args,
                                        sizeof args, &options, &report), 0);
    ct_grid_report_free(&report);
    free(src.at);
    free(dst.at);
}

/* The sum over its threads of what each has of a block's fragments is the sum over the elements that
 * meet in a thread: A's fragments along m meet B's along n in the order of the registers. */
static void gemm(void **state)
{
    (void)state;
    const int64_t sizes[][3] = {{128, 128, 64}, {256, 128, 192}, {200, 130, 100}, {1, 1, 1}, {128, 256, 320}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s) {
        const int64_t m = sizes[s][0], n = sizes[s][1], k = sizes[s][2], ld = (k + 7) / 8 * 8;
        matrix a = make_matrix(m, k, ld, 1), b = make_matrix(n, k, ld, 1);
        const int64_t tall = ct_ceil_div_int(m, 128), wide = ct_ceil_div_int(n, 128);
        const size_t bytes = (size_t)(128 * tall * wide) * 4;
        float *const sums = calloc(1, bytes);
        assert_non_null(sums);
        const ct_layout L = ct_make_col_major(ct_tuple3(128, tall, wide));
        const gemm_tiles_args args = {.a = ct_make_global(a.at, 16, layout_of(&a)),
                                      .b = ct_make_global(b.at, 16, layout_of(&b)),
                                      .sums = ct_make_global(sums, 32, L)};
        const ct_grid_buffer buffers[] = {{"a", a.at, a.bytes, 0, 0}, {"b", b.at, b.bytes, 0, 0},
                                          {"sums", sums, bytes, 1, 0}};
        const ct_grid_options options = {.buffers = buffers, .buffer_count = 3};
        const ct_dim3 grid = {(uint32_t)wide, (uint32_t)tall, 1};
        if (ct_grid_launch(&gemm_tiles, grid, (ct_dim3){128, 1, 1}, 6 * 128 * 64 * 2, &args, sizeof args,
                           &options, &report))
            fail_msg("gemm_tiles: %s", report.message);
        ct_grid_report_free(&report);
        const ct_layout tv_a = ct_read("((4,8,2,2),(2,2,2)):((64,1,16,0),(32,8,256))");
        const ct_layout tv_b = ct_read("((4,8,2,2),(2,2,2)):((64,1,0,16),(32,256,8))");
        for (int64_t y = 0; y < tall; ++y)
            for (int64_t x = 0; x < wide; ++x)
                for (int64_t t = 0; t < 128; ++t) {
                    double sum = 0;
                    for (int64_t tile = 0; tile < ct_ceil_div_int(k, 64); ++tile)
                        for (int64_t v = 0; v < 128; v += 2) { /* every other value; its block along m or n, step along k */
                            const int64_t ia = ct_eval2(tv_a, t, v % 8), ib = ct_eval2(tv_b, t, v % 8);
                            const int64_t ka = tile * 64 + v / 32 * 16 + ia / 32, kb = tile * 64 + v / 32 * 16 + ib / 32;
                            const int64_t i = y * 128 + v / 8 % 4 * 32 + ia % 32, j = x * 128 + v / 8 % 4 * 32 + ib % 32;
                            const double p = i < m && ka < k ? ct_float_of_half(a.at[i * ld + ka]) : 0;
                            const double q = j < n && kb < k ? ct_float_of_half(b.at[j * ld + kb]) : 0;
                            sum += p * q;
                        }
                    const double got = sums[t + 128 * (y + tall * x)];
                    if (fabs(got - sum) > 1e-3 * (1 + fabs(sum)))
                        fail_msg("thread %lld of block (%lld,%lld): %g, not %g", (long long)t, (long long)x,
                                 (long long)y, got, sum);
                }
        free(a.at);
        free(b.at);
        free(sums);
    }
}

/* Batches of floats, whose layouts have gaps, run backwards or repeat a matrix of the source. */
static void batches(void **state)
{
    (void)state;
    const struct {
        int64_t m, n, b, src[3], dst[3];
    } cases[] = {{64, 64, 1, {64, 1, 0}, {1, 64, 4096}},       {64, 128, 3, {128, 1, 8192}, {1, 64, 8192}},
                 {70, 65, 2, {65, 1, 4550}, {1, 70, 4550}},    {5, 3, 4, {3, 1, 15}, {1, 5, 16}},
                 {66, 100, 2, {104, 1, 0}, {1, 68, 6800}},     {64, 64, 2, {-64, 1, 4096}, {1, 64, -4096}},
                 {33, 70, 2, {1, 40, 2800}, {70, 1, 2310}},    {40, 40, 2, {2, 80, 3200}, {1, 40, 1600}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        const ct_tuple shape = ct_tuple3(cases[k].m, cases[k].n, cases[k].b);
        const int64_t *const s = cases[k].src, *const d = cases[k].dst;
        const ct_layout from = ct_make_layout(shape, ct_tuple3(s[0], s[1], s[2]));
        const ct_layout to = ct_make_layout(shape, ct_tuple3(d[0], d[1], d[2]));
        const size_t src_bytes = (size_t)(ct_cosize(from) - ct_lowest(from)) * 4, dst_bytes = (size_t)ct_cosize(to) * 4;
        float *const src = malloc(src_bytes), *const dst = malloc(dst_bytes), *const right = malloc(dst_bytes);
        assert_true(src && dst && right);
        float *const src0 = src - ct_lowest(from), *const dst0 = dst - ct_lowest(to);
        for (size_t i = 0; i < src_bytes / 4; ++i) src[i] = (float)i;
        for (size_t i = 0; i < dst_bytes / 4; ++i) dst[i] = right[i] = -1;
        for (int64_t i = 0; i < ct_size(from); ++i) right[ct_eval(to, i) - ct_lowest(to)] = src0[ct_eval(from, i)];
        const batched_transpose_args args = {ct_make_global(src0, 32, from), ct_make_global(dst0, 32, to)};
        const ct_grid_buffer buffers[] = {{"src", src, src_bytes, 0, 0}, {"dst", dst, dst_bytes, 1, 0}};
        const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
        const ct_dim3 grid = {(uint32_t)ct_ceil_div_int(cases[k].n, 64), (uint32_t)ct_ceil_div_int(cases[k].m, 64),
                              (uint32_t)cases[k].b};
        if (ct_grid_launch(&batched_transpose, grid, (ct_dim3){256, 1, 1}, 0, &args, sizeof args, &options, &report))
            fail_msg("case %zu: %s", k, report.message);
        ct_grid_report_free(&report);
        if (memcmp(dst, right, dst_bytes) != 0) fail_msg("case %zu: wrong result", k);
        free(src);
        free(dst);
        free(right);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_atom), cmocka_unit_test(bulk_refuses_an_edge),
                                       cmocka_unit_test(gemm), cmocka_unit_test(batches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
