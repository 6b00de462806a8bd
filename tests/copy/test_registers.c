/* Register tensors in kernels on the CPU grid. What is refused of them is in test_grid_lines.c. */
#include "on_grid.h"
#include "register_cases.h"

#include <cutlet/copy/fragment_copy.h>

#include "error_said.h"
#include "read.h"

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

/* ---- sources that repeat --------------------------------------------------------------------- */

static ct_partition repeated_by; /* of the next launch */

typedef struct repeated_args {
    ct_global src, out; /* out: 64 words of each thread */
    int32_t at[2], is_shared;
} repeated_args;

CT_KERNEL_THREADS(repeated, 32, repeated_args, args)
{
    CT_SHARED(float, memory, 64);
    CT_FRAGMENT(uint32_t, words, 64) = {0};
    const ct_partition *const P = &repeated_by;
    float x = (float)threadIdx.x;
    ct_store_shared(memory + threadIdx.x, &x, 32);
    x += 32;
    ct_store_shared(memory + 32 + threadIdx.x, &x, 32);
    __syncthreads();
    if (args.is_shared) ct_copy(P, ct_view_shared(memory), ct_view_registers(words));
    else
        ct_copy(P, ct_view_at(&args.src, P, ct_index2(args.at[0], args.at[1])),
                ct_view_registers(words));
    for (int i = 0; i < P->values; ++i)
        ct_store_element(&args.out, ct_index2(threadIdx.x, i), words + i, 32);
}

/* The loads of a warp by repeated_by, and all that its threads get. */
static int64_t loads_of(repeated_args args, int kind, const tensor *src, const tensor *out)
{
    launch l = make_launch(&repeated, grid_of(1, 1, 1), 32, 0, &args);
    int64_t loads = 0;
    args.src = global_of(src);
    args.out = global_of(out);
    memset(at_zero(out), 0, 4 * 32 * 64);
    add_sides(&l, src, &args.src, out, &args.out);
    run_well(&l, on_grid);
    for (int i = 0; i < report.row_count; ++i)
        loads += report.rows[i].kind == kind ? report.rows[i].instructions : 0;
    return loads;
}

/* Tiles (8,64) of 32 threads, 16 on a row of four columns each or 32 with a row or two of a column: by a partition that
 * knows the repeating axis, and by one that does not. All values are the same; the loads are those of
 * each. Where a tile begins before its tensor, accesses that repeat one outside of it are loaded. */
TEST(test_repeated)
{
    static const struct {
        const char *name, *src, *thr, *val;
        int at[2], axis, predicated, once, each;
    } rows[] = {{"a row for all", "(8,64):(0,1)", "(2,16):(16,1)", "(1,4)", {0, 0}, 0, 0, 1, 4},
                {"its edge", "(5,64):(0,1)", "(2,16):(16,1)", "(1,4)", {0, 0}, 0, 0, 1, 4},
                {"misaligned", "(8,64):(0,1)", "(2,16):(16,1)", "(1,4)", {0, 0}, 0, 0, -1, -1},
                {"a column for all", "(8,64):(1,0)", "(8,4):(1,8)", "(1,16)", {0, 0}, 1, 0, 1, 16},
                {"its edge", "(7,50):(1,0)", "(8,4):(1,8)", "(1,16)", {0, 0}, 1, 0, 1, 16},
                {"both", "(8,64):(0,0)", "(8,4):(1,8)", "(1,16)", {0, 0}, 2, 0, 1, 16},
                {"predicated", "(8,64):(0,1)", "(2,16):(16,1)", "(1,4)", {0, 0}, 0, 1, 1, 4},
                {"before it", "(8,64):(0,1)", "(2,16):(16,1)", "(1,4)", {-1, 0}, 0, 1, 4, 4},
                {"before both", "(8,64):(0,1)", "(2,16):(16,1)", "(1,4)", {-5, -2}, 0, 1, -1, -1},
                {"past it", "(8,64):(1,0)", "(8,4):(1,8)", "(1,16)", {4, 50}, 1, 1, 3, 16},
                {"shared", "(8,64):(0,1)", "(2,16):(16,1)", "(1,4)", {0, 0}, -1, 0, 1, 4}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        const ct_layout L = L_(rows[k].src);
        const int is_shared = rows[k].axis < 0, axis = rows[k].axis;
        const tensor src = make_tensor(L, 32, strcmp(rows[k].name, "misaligned") == 0 ? 4 : 0),
                     out = make_tensor(ct_layout2(32, 64, 64, 1), 32, 0);
        const ct_tiled_copy t =
            ct_make_tiled_copy(ct_copy_atom_auto(32), L_(rows[k].thr), L_(rows[k].val));
        const ct_memory from =
            is_shared ? ct_in_shared_plain(L) : ct_in_global(axis == 2 ? -1 : 1 - axis);
        const ct_partition P =
            rows[k].predicated
                ? ct_make_predicated_partition(t, ct_tuple2(8, 64), from, ct_in_registers())
                : ct_make_partition(t, ct_tuple2(8, 64), from, ct_in_registers());
        const repeated_args args = {.at = {rows[k].at[0], rows[k].at[1]}, .is_shared = is_shared};
        const int kind = is_shared ? CT_ACCESS_LDS : CT_ACCESS_LDG;
        uint32_t known[32 * 64];
        for (int i = 0; i < 64; ++i)
            ((float *)at_zero(&src))[ct_eval(L, i) % 64] = (float)(ct_eval(L, i) % 64);
        repeated_by = ct_partition_repeated(P, axis == 2 ? 3u : 1u << (is_shared ? 0 : axis));
        const int64_t once = loads_of(args, kind, &src, &out);
        memcpy(known, at_zero(&out), sizeof known);
        repeated_by = P;
        repeated_by.repeats = 0;
        const int64_t each = loads_of(args, kind, &src, &out);
        if (rows[k].once < 0 ? once >= each : once != rows[k].once || each != rows[k].each)
            fail_msg("%s: %d loads, without it %d", rows[k].name, (int)once, (int)each);
        if (memcmp(known, at_zero(&out), sizeof known) != 0)
            fail_msg("%s: other values", rows[k].name);
        drop(&src);
        drop(&out);
    }
}

/* What cannot repeat, and a tensor that does not. */
TEST(test_not_repeated)
{
    const ct_tiled_copy t =
        ct_make_tiled_copy(ct_copy_atom_auto(32), L_("(2,16):(16,1)"), L_("(1,4)"));
    const ct_memory rows = ct_in_global(1), held = ct_in_registers();
    const ct_partition P = ct_make_partition(t, ct_tuple2(8, 64), rows, held),
                       Q = ct_make_partition(t, ct_tuple2(8, 64), held, rows);
    assert_true(error_says(
        ct_partition_repeated(P, 2).err,
        "partition_src: axis 1 of the source has a step of 4 bytes, and ct_partition_repeated says 0"));
    assert_true(error_says(ct_partition_repeated(P, 4).err,
                           "partition_src: rank 3 is needed, and the operand has rank 2"));
    assert_int_equal(ct_partition_repeated(Q, 1).repeats, 0); /* registers: nothing is loaded */
    assert_int_equal(ct_partition_repeated(ct_partition_repeated(P, 2), 1).err.why,
                     CT_WHY_REPEATED);
    const tensor src = make_tensor(ct_layout2(8, 64, 64, 1), 32, 0),
                 out = make_tensor(ct_layout2(32, 64, 64, 1), 32, 0);
    repeated_args args = {.src = global_of(&src), .out = global_of(&out)};
    repeated_by = ct_partition_repeated(P, 1);
    const char said[] =
        "tensor: axis 0 of the source has a step of 256 bytes, and ct_partition_repeated says 0";
    assert_true(error_says(ct_check_tensor(&repeated_by, &repeated_by.src, &args.src), said));
    launch l = make_launch(&repeated, grid_of(1, 1, 1), 32, 0, &args);
    add_sides(&l, &src, &args.src, &out, &args.out);
    char what[WHAT_BYTES];
    assert_int_equal(on_grid(&l, what), CT_GRID_E_CONSTANT);
    assert_non_null(strstr(report.message, said));
    drop(&src);
    drop(&out);
}

GROUP("register tensors", NULL, free_report)
