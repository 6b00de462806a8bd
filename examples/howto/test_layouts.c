/* A unit test of a kernel's layouts, with cmocka and libcutlet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cutlet/cutlet.h>
#include <cutlet/host/testing.h>

/* What the kernel is written with: 128 threads, eight halves each. */
static ct_tiled_copy copy_of_tile(void)
{
    return ct_make_tiled_copy(ct_copy_atom_universal(128, 16), ct_layout2(16, 8, 8, 1),
                              ct_layout2(1, 8, 1, 1));
}

static void thread_9_begins_in_row_1(void **state)
{
    (void)state;
    const ct_tensor matrix = ct_make_tensor(ct_make_row_major(ct_tuple2(512, 512)));
    const ct_tensor mine = ct_partition_src(copy_of_tile(), matrix, 9);
    assert_int_equal(mine.offset.value[0], 512 + 8);
    ct_assert_layout(mine.layout, "((8,1),32,8):((1,0),8192,64)");
}

static void tile_is_covered_once(void **state)
{
    (void)state;
    ct_assert_expr("size(right_inverse(tv_layout(tiled_copy(copy_atom(universal128, 16), "
                   "(16,8):(8,1), (1,8):(1,1))))) == 1024");
}

static void merged_modes_are_the_same_function(void **state)
{
    (void)state;
    const ct_layout matrix = ct_layout2(16, 64, 1, 16);
    ct_assert_layout(ct_coalesce(matrix), "1024:1");
    ct_assert_same(ct_coalesce(matrix), matrix);
}

static void stride_3_has_no_layout(void **state)
{
    (void)state;
    const ct_layout L = ct_composition(ct_layout2(4, 2, 1, 8), ct_layout1(3, 3));
    ct_assert_why(L.err, CT_WHY_STRIDE_CROSSES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thread_9_begins_in_row_1),
        cmocka_unit_test(tile_is_covered_once),
        cmocka_unit_test(merged_modes_are_the_same_function),
        cmocka_unit_test(stride_3_has_no_layout),
    };
    return cmocka_run_group_tests_name("layouts", tests, NULL, NULL);
}
