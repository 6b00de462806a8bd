/* Each atom and form by the one copy on the CPU grid, and three examples; test_cuda_copy runs the same on a GPU. */
#include "copy_form_cases.h"
#include "example_cases.h"
#include "on_grid.h"

/* clang-format off */
TEST(every_atom) { every_case(on_grid); }
/* clang-format on */

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

/* clang-format off */
TEST(forms) { every_form(on_grid, expect_accesses); }
/* clang-format on */

/* A bulk copy moves whole rows of 16 bytes; anything else stops the launch. */
TEST(bulk_refuses_an_edge)
{
    const tensor src = make_matrix(33, 64, 64, 1), dst = make_matrix(33, 64, 64, 0);
    const atom_case c = {&copy_bulk, 32, 64, 0, 1, 1, RESULT_COPY};
    copy_atoms_args args = {0};
    char what[WHAT_BYTES];
    launch l = atom_launch(&c, &src, &dst, &args);
    assert_int_not_equal(on_grid(&l, what), 0);
    drop(&src);
    drop(&dst);
}

/* A map whose boxes or swizzle are not those of the partition: copy_tma takes tiles (32,64) by lines of 128
 * bytes. */
TEST(maps_that_do_not_fit)
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
    for (int k = 0; k < LENGTH(cases); ++k) {
        const tensor src = make_matrix(32, 64, 64, 1), dst = make_matrix(32, 64, 64, 0);
        const atom_case c = {&copy_tma, 32, 64, 1, 0, 2, RESULT_COPY};
        copy_atoms_args args = {0};
        char what[WHAT_BYTES];
        launch l = atom_launch(&c, &src, &dst, &args);
        l.desc[0] = ct_make_tma_desc(src.layout, ct_tuple2(cases[k].rows, 64), CT_ELEM_F16,
                                     CT_TMA_SWIZZLE_128B, (uintptr_t)begin(&src));
        l.desc[0].swizzle = cases[k].swizzle;
        assert_int_equal(on_grid(&l, what), cases[k].says ? CT_GRID_E_ATOM : CT_GRID_OK);
        if (cases[k].says && !strstr(what, cases[k].says)) fail_msg("%s", what);
        drop(&src);
        drop(&dst);
    }
}

/* clang-format off */
TEST(gemm) { every_gemm(on_grid); }
TEST(int4_weights) { every_int4_gemm(on_grid); }
TEST(batches) { every_batch(on_grid); }
TEST(bias_gelu_rows) { every_bias_gelu(on_grid); }
/* clang-format on */

GROUP("copy atoms", NULL, free_report)
