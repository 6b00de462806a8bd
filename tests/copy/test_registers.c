/* Register tensors in kernels on the CPU grid. What is refused of them is in test_grid_lines.c. */
#include "on_grid.h"
#include "register_cases.h"

#include <cutlet/copy/fragment_copy.h>

TEST(registers) { every_register(on_grid); }

/* What was never written is a NaN. */
TEST(poison) { check_registers(&unwritten_registers, on_grid); }

typedef struct once_args {
    ct_global src; /* (64,(8,4)):(1,(0,64)), a scale for each row and group of eight columns */
    ct_global wrong;
} once_args;

/* A warp's C (64,16) takes the scale of its rows and of a group: by a copy of the reduction's fragment. */
CT_KERNEL_THREADS(scaled_once, 32, once_args, args)
{
    CT_STATIC(ct_tiled_mma, mma,
              ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"), ct_layout1(1, 0),
                                ct_tiler0()));
    CT_REGISTERS(float, c, ct_fragment_c(mma, ct_tuple2(64, 16)));
    CT_REGISTERS(float, scale, ct_fragment_reduced(c_as, 1));
    CT_STATIC(ct_partition, in,
              ct_make_partition(ct_make_tiled_copy_of(ct_copy_atom_auto(32), scale_as),
                                ct_tuple2(64, 1), ct_in_global(0), ct_in_registers()));
    const ct_global group = ct_global_slice(args.src, ct_index3(CT_ALL, CT_ALL, 2));
    int32_t wrong = 0;
    for (int column = 0; column < 8; column += 7) {
        ct_clear(scale);
        ct_copy(ct_view_at(&group, &in, ct_index2(0, column)), scale);
        CT_EACH(i, c) wrong += ct_val_row(scale, c, i) != (float)(64 * 2 + ct_coord(c, i, 0));
    }
    ct_store_element(&args.wrong, ct_index1(threadIdx.x), &wrong, 32);
}

/* A lane has 32 elements in 8 rows: it makes 8 loads. */
TEST(test_once)
{
    const tensor src = make_tensor(ct_make_layout(ct_append(ct_int(64), ct_tuple2(8, 4)),
                                                  ct_append(ct_int(1), ct_tuple2(0, 64))),
                                   32, 0);
    const tensor wrong = make_tensor(ct_layout1(32, 1), 32, 0);
    for (int i = 0; i < 256; ++i) ((float *)at_zero(&src))[i] = (float)i;
    once_args args = {global_of(&src), global_of(&wrong)};
    launch l = make_launch(&scaled_once, grid_of(1, 1, 1), 32, 0, &args);
    int64_t loads = 0;
    add_sides(&l, &src, &args.src, &wrong, &args.wrong);
    run_well(&l, on_grid);
    for (int i = 0; i < 32; ++i) assert_int_equal(((int32_t *)at_zero(&wrong))[i], 0);
    for (int i = 0; i < report.row_count; ++i) {
        if (report.rows[i].kind != CT_ACCESS_LDG) continue;
        loads += report.rows[i].instructions;
    }
    assert_int_equal(loads, 2 * 8);
    drop(&src);
    drop(&wrong);
}

GROUP("register tensors", NULL, free_report)
