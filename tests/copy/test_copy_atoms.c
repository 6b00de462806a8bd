/* Each atom and form by the one copy on the CPU grid, and three examples; test_cuda_copy runs the same on a GPU. */
#include "copy_form_cases.h"
#include "example_cases.h"

static ct_grid_report report;

static void on_grid(const atom_case *c, ct_dim3 grid, size_t shared_bytes, const matrix *src,
                    matrix *dst)
{
    copy_atoms_args args = {.src = ct_make_global(src->at, 16, layout_of(src)),
                            .dst = ct_make_global(dst->at, 16, layout_of(dst))};
    const ct_tma_desc from = desc_of(src, src->at, c->tile_rows, c->tile_cols);
    const ct_tma_desc to = desc_of(dst, dst->at, c->tile_rows, c->tile_cols);
    char text[CT_MESSAGE_BYTES];
    if (c->maps &&
        (ct_grid_tma_map(&from, &args.src_map, text) || ct_grid_tma_map(&to, &args.dst_map, text)))
        fail_msg("%s", text);
    const ct_grid_buffer buffers[] = {{"src", src->at, src->bytes, 0, 0},
                                      {"dst", dst->at, dst->bytes, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    if (ct_grid_launch(c->kernel, grid, (ct_dim3){32, 1, 1}, shared_bytes, &args, sizeof args,
                       &options, &report))
        fail_msg("%s, %lld x %lld: %s", c->kernel->name, (long long)src->rows, (long long)src->cols,
                 report.message);
    ct_grid_report_free(&report);
}

static void every_atom(void **state)
{
    (void)state;
    every_case(on_grid);
}

/* Whole tiles go by the accesses that the atom says. */
static void expect_accesses(const form_case *c)
{
    for (int i = 0; i < report.row_count; ++i) {
        const ct_grid_row *const row = &report.rows[i];
        if (row->lanes == 0 || row->buffer < 0) continue;
        if (row->bits != c->bits || row->kind != (row->buffer == 0 ? c->kind : CT_ACCESS_STG))
            fail_msg("%s: %s of %d bits", c->kernel->name, ct_access_name(row->kind), row->bits);
    }
}

static void form_on_grid(const form_case *c, copy_atoms_args *args, ct_dim3 grid, int whole,
                         tensor *src, tensor *dst)
{
    const ct_grid_buffer buffers[] = {{"src", begin(src), src->bytes, 0, src->shift},
                                      {"dst", begin(dst), dst->bytes, 1, dst->shift}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    if (ct_grid_launch(c->kernel, grid, (ct_dim3){(uint32_t)c->threads, 1, 1}, 0, args,
                       sizeof *args, &options, &report))
        fail_msg("%s: %s", c->kernel->name, report.message);
    if (whole && c->bits) expect_accesses(c);
    ct_grid_report_free(&report);
}

static void forms(void **state)
{
    (void)state;
    every_form(FORMS, sizeof FORMS / sizeof FORMS[0], form_on_grid);
}

/* A bulk copy moves whole rows of 16 bytes; anything else stops the launch. */
static void bulk_refuses_an_edge(void **state)
{
    (void)state;
    matrix src = make_matrix(33, 64, 64, 1), dst = make_matrix(33, 64, 64, 0);
    const copy_atoms_args args = {.src = ct_make_global(src.at, 16, layout_of(&src)),
                                  .dst = ct_make_global(dst.at, 16, layout_of(&dst))};
    const ct_grid_buffer buffers[] = {{"src", src.at, src.bytes, 0, 0},
                                      {"dst", dst.at, dst.bytes, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    assert_int_not_equal(ct_grid_launch(&copy_bulk, (ct_dim3){1, 2, 1}, (ct_dim3){32, 1, 1}, 0,
                                        &args, sizeof args, &options, &report),
                         0);
    ct_grid_report_free(&report);
    free(src.at);
    free(dst.at);
}

static void example_on_grid(const example *e)
{
    const ct_grid_options options = {.buffers = e->buffers, .buffer_count = e->count};
    if (ct_grid_launch(e->kernel, e->grid, e->block, e->shared_bytes, e->args, e->args_bytes,
                       &options, &report))
        fail_msg("%s: %s", e->kernel->name, report.message);
    ct_grid_report_free(&report);
}

/* A map whose boxes or swizzle are not those of the partition: copy_tma takes tiles (32,64) by lines of 128
 * bytes. */
static void maps_that_do_not_fit(void **state)
{
    static const struct {
        int64_t rows;
        int swizzle;
        const char *says;
    } cases[] = {
        {32, CT_TMA_SWIZZLE_128B, NULL},
        {16, CT_TMA_SWIZZLE_128B,
         "dimension 1 of the map's box is 16 elements, and of the partition's tile 32"},
        {32, CT_TMA_SWIZZLE_NONE,
         "the map's swizzle is Sw<0,0,0> of bytes, and that of the partition's tile Sw<3,4,3>"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        matrix src = make_matrix(32, 64, 64, 1), dst = make_matrix(32, 64, 64, 0);
        copy_atoms_args args = {.src = ct_make_global(src.at, 16, layout_of(&src)),
                                .dst = ct_make_global(dst.at, 16, layout_of(&dst))};
        ct_tma_desc from = desc_of(&src, src.at, cases[k].rows, 64);
        const ct_tma_desc to = desc_of(&dst, dst.at, 32, 64);
        char text[CT_MESSAGE_BYTES];
        from.swizzle = cases[k].swizzle;
        assert_int_equal(ct_grid_tma_map(&from, &args.src_map, text) ||
                             ct_grid_tma_map(&to, &args.dst_map, text),
                         0);
        const ct_grid_buffer buffers[] = {{"src", src.at, src.bytes, 0, 0},
                                          {"dst", dst.at, dst.bytes, 1, 0}};
        const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
        const int bad = ct_grid_launch(&copy_tma, (ct_dim3){2, 1, 1}, (ct_dim3){32, 1, 1}, 8192,
                                       &args, sizeof args, &options, &report);
        assert_int_equal(bad, cases[k].says ? CT_GRID_E_ATOM : CT_GRID_OK);
        if (cases[k].says && !strstr(report.message, cases[k].says)) fail_msg("%s", report.message);
        ct_grid_report_free(&report);
        free(src.at);
        free(dst.at);
    }
}

/* clang-format off */
static void gemm(void **state) { (void)state; every_gemm(example_on_grid); }
static void batches(void **state) { (void)state; every_batch(example_on_grid); }
static void bias_gelu_rows(void **state) { (void)state; every_bias_gelu(example_on_grid); }
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_atom),
                                       cmocka_unit_test(forms),
                                       cmocka_unit_test(bulk_refuses_an_edge),
                                       cmocka_unit_test(maps_that_do_not_fit),
                                       cmocka_unit_test(gemm),
                                       cmocka_unit_test(batches),
                                       cmocka_unit_test(bias_gelu_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
