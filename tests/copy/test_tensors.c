/* Tensors in memory: against the algebra on the host, and in kernels on the CPU grid. */
#include "on_grid.h"
#include "tensor_cases.h"

#include <cutlet/algebra/tensor_ops.h>
#include <cutlet/host/text.h>
#include <cutlet/device/register/values.h>
#include <cutlet/device/tensor/in_place.h>

#include "error_said.h"
#include "sweep.h"

/* clang-format off */
TEST(nested) { every_nested(on_grid); }
TEST(slices) { every_slice(&tensor_slices, on_grid); }
TEST(parts) { every_slice(&tensor_parts, on_grid); every_part(on_grid); }
/* clang-format on */

/* ---- tiles that are not there ------------------------------------------------------------------ */

typedef struct wrong_args {
    ct_global src;
    int32_t wrong;
} wrong_args;

enum {
    RIGHT,
    TILE_PAST,
    TILE_BEFORE,
    TILE_OF_A_LAYOUT_OF_ONE,
    TILE_BETWEEN,
    TILE_OF_A_PART,
    TILE_OF_REGISTERS,
    NEXT_OF_REGISTERS,
    NEXT_OF_ANOTHER,
    NEXT_PAST,
    NEXT_PAST_WHOLE,
    BULK_PAST,
    WRONGS
};

/* Tile (1,1) of a layout (16,64) by rows, in tiles (8,32), comes to registers; or one of these mistakes. */
CT_KERNEL_THREADS(wrong_tiles, 32, wrong_args, args)
{
    CT_STATIC(
        ct_tiled_copy, copy,
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1), ct_layout2(1, 4, 4, 1)));
    CT_STATIC(ct_tiled_copy, bulk, ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_BULK_LOAD, 32)));
    CT_STATIC(ct_memory, rows, ct_in_shared_plain(ct_layout2(16, 64, 64, 1)));
    CT_STATIC(ct_memory, one, ct_in_shared_plain(ct_layout2(8, 32, 32, 1)));
    CT_STATIC(ct_partition, P, ct_make_partition(copy, ct_tuple2(8, 32), rows, ct_in_registers()));
    CT_STATIC(ct_partition, Q, ct_make_partition(copy, ct_tuple2(8, 32), one, ct_in_registers()));
    CT_STATIC(ct_partition, half,
              ct_make_partition(copy, ct_tuple2(4, 32), rows, ct_in_registers()));
    CT_STATIC(ct_partition, load, ct_make_partition(bulk, ct_tuple2(8, 32), ct_in_global(1), rows));
    CT_SHARED(float, memory, 16 * 64);
    CT_SHARED(uint64_t, bar, 1);
    CT_FRAGMENT(float, v, 8);
    const ct_view all = ct_view_shared(memory), registers = ct_view_registers(v);
    const ct_index zero = ct_index2(0, 0), last = ct_index2(1, 1);
    const int wrong = args.wrong, i = (int)threadIdx.x;
    if (i == 0) {
        ct_mbarrier_init(bar, 1);
        ct_fence_mbarrier_init();
        ct_mbarrier_arrive_expect(bar, 4 * ct_tile_bytes(&load));
        for (int k = 0; k < 4; ++k) {
            const ct_index x = ct_index2(k / 2 + (wrong == BULK_PAST), k % 2);
            ct_copy(ct_view_tile(&args.src, &load, ct_index2(k / 2, k % 2)),
                    ct_view_arriving(ct_view_inside(&load, all, x), bar, 0));
        }
    }
    __syncthreads();
    ct_mbarrier_wait(bar, 0);
    const ct_view first = ct_view_src(&P, all, threadIdx.x);
    ct_copy(ct_view_inside(&P, all, last), registers);
    for (int k = 0; k < 8; ++k) /* rows 8 + i / 8 and four on, columns 32 + 4 (i % 8) */
        assert_true(v[k] == (float)(64 * (8 + i / 8 + k / 4 * 4) + 32 + i % 8 * 4 + k % 4));
    if (wrong == TILE_PAST) ct_copy(ct_view_inside(&P, all, ct_index2(2, 0)), registers);
    if (wrong == TILE_BEFORE) ct_copy(ct_view_inside(&P, all, ct_index2(0, -1)), registers);
    if (wrong == TILE_OF_A_LAYOUT_OF_ONE)
        ct_copy(ct_view_inside(&Q, all, ct_index2(1, 0)), registers);
    if (wrong == TILE_BETWEEN) ct_copy(&P, ct_view_inside(&half, all, ct_index2(1, 0)), registers);
    if (wrong == TILE_OF_A_PART) ct_copy(ct_view_inside(&half, first, zero), registers);
    if (wrong == TILE_OF_REGISTERS) ct_copy(&P, all, ct_view_inside(&P, registers, last));
    if (wrong == NEXT_OF_REGISTERS) ct_copy(&P, all, ct_view_next(&P, registers, 0, 1));
    if (wrong == NEXT_OF_ANOTHER) ct_copy(&P, ct_view_next(&half, first, 0, 1), registers);
    if (wrong == NEXT_PAST) ct_copy(&P, ct_view_next(&P, first, 1, 2), registers);
    if (wrong == NEXT_PAST_WHOLE) ct_copy(&P, ct_view_next(&P, all, 1, 2), registers);
}

/* Each ends the launch with its reason; none gives the data of another tile. */
TEST(wrong)
{
    static const char *const reasons[WRONGS] = {
        [TILE_PAST] =
            "tensor: tile 2 along axis 0 is not in shared memory, whose layout in the partition has 2 ",
        [TILE_BEFORE] =
            "tensor: tile -1 along axis 1 is not in shared memory, whose layout in the partition has 2 ",
        [TILE_OF_A_LAYOUT_OF_ONE] =
            "tile 1 along axis 0 is not in shared memory, whose layout in the partition has 1 ",
        [TILE_BETWEEN] =
            "a tile in shared memory begins at coordinate 4 of axis 0, not at a multiple of its extent 8",
        [TILE_OF_A_PART] = "a thread's part has no tiles; take the tile of the tile first",
        [TILE_OF_REGISTERS] = "registers hold a thread's part of one tile, and no other tile",
        [NEXT_OF_REGISTERS] = "registers hold a thread's part of one tile, and no other tile",
        [NEXT_OF_ANOTHER] =
            "the next tile of a part in shared memory is of the partition that the part is of",
        [NEXT_PAST] = "tile 2 along axis 1 is not in shared memory",
        [NEXT_PAST_WHOLE] = "tile 2 along axis 1 is not in shared memory",
        [BULK_PAST] = "tile 2 along axis 0 is not in shared memory",
    };
    const tensor data = make_tensor(ct_layout2(16, 64, 64, 1), 32, 0);
    for (int i = 0; i < 16 * 64; ++i) ((float *)at_zero(&data))[i] = (float)i;
    for (int k = 0; k < WRONGS; ++k) {
        char what[WHAT_BYTES] = "";
        wrong_args args = {global_of(&data), k};
        launch l = make_launch(&wrong_tiles, grid_of(1, 1, 1), 32, 0, &args);
        add_buffer(&l, "src", &data, 0, &args.src.at);
        const int status = on_grid(&l, what);
        if (status != (k ? CT_GRID_E_CONSTANT : 0) || (k && !strstr(what, reasons[k])))
            fail_msg("mistake %d: status %d, %s", k, status, what);
        if (k && (!strstr(what, "test_tensors.c:") || !strstr(what, "tile")))
            fail_msg("mistake %d is not told at its line: %s", k, what);
    }
    drop(&data);
}

/* An address that no test reaches: tensors are compared, not read. */
static unsigned char *nowhere(void) { return (unsigned char *)((uintptr_t)1 << 40); }

/* ---- in place ---------------------------------------------------------------------------------- */

typedef struct place_args {
    ct_global src, dst;
} place_args;

/* dst = src + 1, in tiles (8,32) of floats: the thread that loads an element stores it. */
CT_KERNEL_THREADS(add_one, 32, place_args, args)
{
    CT_STATIC(
        ct_tiled_copy, copy,
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1), ct_layout2(1, 4, 4, 1)));
    CT_STATIC(ct_partition, in,
              ct_make_partition(copy, ct_tuple2(8, 32), ct_in_global(1), ct_in_registers()));
    CT_STATIC(ct_partition, out,
              ct_make_partition(copy, ct_tuple2(8, 32), ct_in_registers(), ct_in_global(1)));
    CT_REGISTERS(float, x, in);
    const ct_index at = ct_index2(blockIdx.x, 0);
    ct_copy(ct_view_tile(&args.src, &in, at), x);
    CT_EACH(i, x) ct_put(x, i, ct_val(x, i) + 1);
    ct_copy(x, ct_view_tile(&args.dst, &out, at));
}

/* One buffer has both matrices (16,32), dst a few bytes after src. Where the check says that they may be, each element
 * is right; where not, the grid finds the race, or an element of src that had been changed. */
TEST(test_in_place)
{
    static const struct {
        int ld, shift, why, races; /* floats */
    } cases[] = {{32, 0, 0, 0},
                 {64, 0, 0, 0},
                 {32, 16 * 32, 0, 0},
                 {32, 1, CT_WHY_IN_PLACE, 1},
                 {32, 32, CT_WHY_IN_PLACE, 1},
                 {32, -4, CT_WHY_IN_PLACE, 1},
                 {33, 0, CT_WHY_IN_PLACE_LOADS, 1},
                 {33, 33 * 16, 0, 0}};
    const ct_partition in = ct_make_partition(
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1), ct_layout2(1, 4, 4, 1)),
        ct_tuple2(8, 32), ct_in_global(1), ct_in_registers());
    for (int k = 0; k < LENGTH(cases); ++k) {
        const ct_layout L = ct_layout2(16, 32, cases[k].ld, 1);
        const tensor memory = make_tensor(ct_layout1(2048, 1), 32, 0);
        float *const src = (float *)at_zero(&memory) + 64, *const dst = src + cases[k].shift;
        float was[2048];
        for (int i = 0; i < 2048; ++i) ((float *)at_zero(&memory))[i] = was[i] = (float)i;
        place_args args = {ct_make_global(src, 32, L), ct_make_global(dst, 32, L)};
        const ct_error e = ct_check_in_place(&in, &args.src, &args.dst);
        if (e.why != cases[k].why) fail_msg("case %d: reason %d", k, (int)e.why);
        launch l = make_launch(&add_one, grid_of(2, 1, 1), 32, 0, &args);
        char what[WHAT_BYTES] = "";
        add_buffer(&l, "memory", &memory, 1, &args.src.at);
        const int status = on_grid(&l, what);
        if ((status == CT_GRID_E_RACE) != cases[k].races || (status && !cases[k].races))
            fail_msg("case %d: status %d, %s", k, status, what);
        for (int i = 0; i < 512 && !cases[k].races; ++i)
            assert_true(dst[i / 32 * cases[k].ld + i % 32] ==
                        was[64 + i / 32 * cases[k].ld + i % 32] + 1);
        drop(&memory);
    }
    const ct_layout L = ct_layout2(16, 32, 33, 1);
    const ct_global g = ct_make_global(nowhere(), 32, L),
                    next = ct_make_global(nowhere() + 4, 32, L),
                    none = ct_make_global(nowhere(), 32, ct_layout2(0, 32, 32, 1));
    const ct_partition halo = ct_make_predicated_partition(
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1), ct_layout2(1, 4, 4, 1)),
        ct_tuple2(8, 32), ct_in_global(1), ct_in_registers());
    assert_int_equal(ct_check_in_place(&halo, &g, &g).status, CT_OK);
    assert_int_equal(ct_check_in_place(&in, &g, &none).status, none.err.status);
    assert_true(error_says(
        ct_check_in_place(&in, &g, &next),
        "tensor: the destination overlaps the source, and begins 4 bytes after it; in place each "
        "element lies where it was"));
    assert_true(error_says(
        ct_check_in_place(&in, &g, &g),
        "tensor: a tensor aligned to 4 bytes is not changed in place by loads of 16, which read "
        "their neighbours' bytes; give the side narrower ones, or a predicated partition"));
}

/* ---- the host ---------------------------------------------------------------------------------- */

/* The byte of element i of a tensor in memory, the first axis fastest. */
static const unsigned char *byte_of(const ct_global *g, int64_t i)
{
    int64_t at = 0;
    for (int a = 0; a < g->axes; ++a) {
        at += i % g->extent[a] * g->step[a];
        i /= g->extent[a];
    }
    return g->at + (g->elem_bits < 8 ? at / 8 : at);
}

/* g lies at base as t has it. */
static void lies_as(const ct_global *g, const unsigned char *base, ct_tensor t, const char *what)
{
    if (g->err.status) fail_msg("%s: %s, reason %d", what, show(t.layout), (int)g->err.why);
    for (int64_t i = 0; i < ct_size(t.layout); ++i) {
        const int64_t at = oracle_tensor(&t, i) * g->elem_bits / 8;
        if (byte_of(g, i) != base + at)
            fail_msg("%s: element %lld of %s", what, (long long)i, show(t.layout));
    }
}

/* There and back: the same layout and the same function. */
TEST(test_global_tensor)
{
    sweep_seed(5);
    for (int round = 0; round < 3000; ++round) {
        ct_layout L = dice_layout(&sweep_dice, 3, 200, 0);
        if (L.profile.leaves > CT_AXES) continue;
        const int64_t low = ct_lowest(L);
        ct_tensor t = ct_make_tensor(L);
        t.offset = ct_int(sweep_int(0, 9) - low);
        const int32_t bits = 8 << sweep_int(0, 4);
        const ct_global g = ct_make_global_tensor(nowhere(), bits, t);
        lies_as(&g, nowhere(), t, "a tensor in memory");
        const ct_tensor back = ct_tensor_of_global(&g);
        assert_true(ct_layout_equal(back.layout, L));
        for (int64_t i = 0; i < ct_size(L); ++i)
            assert_int_equal(oracle_eval(back.layout, i), oracle_eval(L, i));
    }
}

/* A random tuple of some leaves, nested up to this many levels. */
static ct_tuple any_nesting(int leaves, int levels)
{
    ct_tuple t = ct_tuple0();
    while (leaves > 0) {
        const int some = (int)sweep_int(1, leaves);
        const int alone = levels <= 1 || (some == 1 && sweep_int(0, 2) > 0);
        t = ct_append(t, alone ? ct_int(sweep_int(1, 4)) : any_nesting(some, levels - 1));
        leaves -= alone ? 1 : some;
    }
    return t;
}

/* There and back: the same layout, however it nests. */
TEST(test_nesting)
{
    int deep = 0, full = 0;
    sweep_seed(7);
    for (int round = 0; round < 3000; ++round) {
        const int leaves = (int)sweep_int(1, CT_AXES);
        ct_layout L = ct_make_col_major(any_nesting(leaves, (int)sweep_int(1, 15)));
        assert_int_equal(L.profile.leaves, leaves);
        for (int k = 0; k < leaves; ++k) L.stride[k] = sweep_int(-40, 40);
        const ct_global g = ct_make_global(nowhere(), 8 << sweep_int(0, 4), L);
        const ct_layout back = ct_tensor_of_global(&g).layout;
        if (!ct_layout_equal(back, L)) fail_msg("%s came back as %s", show(L), show(back));
        deep += ct_profile_depth(L.profile) > 2;
        full += leaves == CT_AXES;
    }
    assert_in_range(deep, 1000, 2999);
    assert_in_range(full, 100, 2999);
}

/* A number is no tuple, 15 levels are kept, and 16 are refused at the axis that they begin at. */
TEST(test_levels)
{
    static const char *const rows[] = {"4:1",
                                       "(4):(1)",
                                       "((4,(2,2)),64):((1,(4,8)),16)",
                                       "(((((((2,2),2),2),2),2),2),2)",
                                       "(2,((((((((((((((3)))))))))))))))",
                                       "(((((((((((((((2)))))))))))))))"};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        const ct_global g = ct_make_global(nowhere(), 16, L_(rows[k]));
        const ct_layout back = ct_tensor_of_global(&g).layout;
        if (!ct_layout_equal(back, L_(rows[k])))
            fail_msg("%s came back as %s", rows[k], show(back));
    }
    ct_tuple deep = ct_int(2);
    for (int level = 0; level < 15; ++level) deep = ct_wrap(deep);
    const ct_global g =
        ct_make_global(nowhere(), 16, ct_make_col_major(ct_append(ct_tuple1(3), deep)));
    assert_int_equal(g.err.status, CT_E_CAPACITY);
    assert_int_equal(g.err.why, CT_WHY_DEPTH);
    assert_int_equal(g.extent[0], 0);
    char message[CT_MESSAGE_BYTES];
    ct_error_message(g.err, message, sizeof message);
    assert_string_equal(
        message, "tensor: axis 1 is nested 16 levels deep; a tensor in memory keeps at most 15");
}

/* An operation of the algebra on a tensor in memory is the operation on its layout. */
TEST(test_operations)
{
    const ct_layout L = L_("((4,8),48):((2,100),1000)");
    const ct_global g = ct_make_global(nowhere(), 16, L);
    const ct_tensor t = ct_tensor_of_global(&g);
    const ct_tiler tiler = ct_tiler_of_shape(ct_tuple2(8, 16));
    const struct {
        const char *name;
        ct_tensor result;
    } rows[] = {
        {"logical_divide", ct_tensor_logical_divide_by(t, tiler)},
        {"zipped_divide", ct_tensor_zipped_divide_by(t, tiler)},
        {"composition", ct_tensor_composition_by(t, tiler)},
        {"coalesce", ct_tensor_coalesce(t)},
        {"local_tile", ct_local_tile(t, tiler, ct_tuple2(3, 2))},
        {"local_partition", ct_local_partition(t, ct_layout2(4, 8, 8, 1), 13)},
        {"slice", ct_tensor_slice(t, ct_append(ct_tuple1(5), ct_any()))},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        const ct_global r = ct_make_global_tensor(g.at, 16, rows[k].result);
        lies_as(&r, nowhere(), rows[k].result, rows[k].name);
    }
    const ct_global row = ct_make_global(nowhere(), 16, L_("(8,64):(64,1)"));
    const ct_tensor wide = ct_tensor_recast(ct_tensor_of_global(&row), 16, 64);
    const ct_global r = ct_make_global_tensor(row.at, 64, wide);
    lies_as(&r, nowhere(), wide, "recast");
    assert_int_equal(r.extent[1], 16);
}

/* A slice with run-time coordinates is the algebra's. */
TEST(test_global_slice)
{
    int made = 0, lost = 0;
    sweep_seed(6);
    for (int round = 0; round < 3000; ++round) {
        const ct_layout L = ct_layout_flatten(dice_layout(&sweep_dice, 4, 200, 0));
        const int n = L.profile.leaves;
        if (n < 2 || n > CT_AXES || ct_lowest(L) < 0) continue;
        const ct_global g = ct_make_global(nowhere(), 16, L);
        ct_index x = CT_ZERO;
        ct_tuple coord = ct_tuple0();
        int kept = 0;
        for (int a = 0; a < n; ++a) {
            const int all = (int)sweep_int(0, 1);
            x.at[a] = all ? CT_ALL : sweep_int(0, L.shape[a] - 1);
            coord = ct_append(coord, all ? ct_any() : ct_int(x.at[a]));
            kept += all;
        }
        const ct_global s = ct_global_slice(g, x), unchecked = ct_unchecked_slice(g, x);
        assert_memory_equal(&unchecked, &s, sizeof s);
        const ct_tensor t = ct_tensor_slice(ct_make_tensor(L), coord);
        assert_int_equal(s.err.status, CT_OK);
        assert_int_equal(s.axes, kept);
        lies_as(&s, nowhere(), t, "a slice");
        for (int a = 0; a < s.axes;
             ++a) /* an alignment that holds for every element but along the axis */
            assert_true(a == s.axis || s.extent[a] == 1 || s.step[a] % s.align == 0);
        assert_true((uintptr_t)s.at % (uintptr_t)s.align == 0);
        made += kept > 0;
        lost += g.axis >= 0 && s.axis < 0;
    }
    assert_in_range(made, 500, 3000);
    assert_in_range(lost, 100, 3000);
}

/* The modes of L whose leaves have a bit in kept, without those that have none. leaf: the next leaf. */
static ct_layout kept_modes(ct_layout L, int kept, int *leaf)
{
    ct_layout r = ct_make_layout(ct_tuple0(), ct_tuple0());
    for (int k = 0; k < ct_layout_rank(L); ++k) {
        const ct_layout mode = ct_mode(L, k);
        const int number = ct_profile_is_integer(mode.profile);
        const ct_layout rest = number ? mode : kept_modes(mode, kept, leaf);
        const int stays = number ? kept >> (*leaf)++ & 1 : rest.profile.leaves > 0;
        if (stays)
            r = ct_make_layout(ct_append(ct_shape(r), ct_shape(rest)),
                               ct_append(ct_stride(r), ct_stride(rest)));
    }
    return r;
}

/* A slice keeps the modes of what it keeps, at every level. */
TEST(test_nesting_of_slices)
{
    int deep = 0;
    sweep_seed(8);
    for (int round = 0; round < 3000; ++round) {
        const int leaves = (int)sweep_int(1, CT_AXES), kept = (int)sweep_int(0, (1 << leaves) - 1);
        const ct_layout L = ct_make_col_major(any_nesting(leaves, (int)sweep_int(1, 5)));
        const ct_global g = ct_make_global(nowhere(), 16, L);
        ct_index x = CT_ZERO;
        for (int a = 0; a < leaves; ++a) x.at[a] = (kept >> a & 1) ? CT_ALL : 0;
        const ct_global s = ct_global_slice(g, x), unchecked = ct_unchecked_slice(g, x);
        int leaf = 0;
        const ct_layout right = kept_modes(L, kept, &leaf), got = ct_tensor_of_global(&s).layout;
        assert_int_equal(leaf, leaves);
        assert_memory_equal(&unchecked, &s, sizeof s);
        if (!ct_layout_equal(got, right))
            fail_msg("of %s, leaves %d: %s", show(L), kept, show(got));
        deep += kept + 1 < 1 << leaves && ct_profile_depth(right.profile) > 2;
    }
    assert_in_range(deep, 300, 2999);
}

/* An index for each number of axes: the slice at it is the algebra's. */
TEST(test_indices)
{
    static const char *const layouts[] = {
        "(5):(3)",
        "(5,6):(3,40)",
        "(5,6,7):(3,40,500)",
        "(5,6,7,8):(3,40,500,6000)",
        "(5,6,7,8,9):(3,40,500,6000,70000)",
        "(5,6,7,8,9,10):(3,40,500,6000,70000,800000)",
        "(5,6,7,8,9,10,11):(3,40,500,6000,70000,800000,9000000)",
        "(5,6,7,8,9,10,11,12):(3,40,500,6000,70000,800000,9000000,10000000)"};
    const ct_index at[] = {ct_index1(1),
                           ct_index2(1, 2),
                           ct_index3(1, 2, 3),
                           ct_index4(1, 2, 3, 4),
                           ct_index5(1, 2, 3, 4, 5),
                           ct_index6(1, 2, 3, 4, 5, 6),
                           ct_index7(1, 2, 3, 4, 5, 6, 7),
                           ct_index8(1, 2, 3, 4, 5, 6, 7, 8)};
    assert_int_equal(sizeof at / sizeof *at, CT_AXES);
    for (int n = 1; n <= CT_AXES; ++n) {
        const ct_layout L = L_(layouts[n - 1]);
        const ct_global g = ct_make_global(nowhere(), 8, L);
        ct_tuple coord = ct_tuple0();
        for (int a = 0; a < n; ++a) coord = ct_append(coord, ct_int(a + 1));
        assert_int_equal(ct_global_slice(g, at[n - 1]).at - g.at, ct_at(L, coord).value[0]);
        for (int a = n; a < CT_AXES; ++a) assert_int_equal(at[n - 1].at[a], 0);
    }
}

/* What a slice of a nested tensor keeps together; coordinates outside; nibbles that begin inside a byte. */
TEST(test_slices_of_nested)
{
    const ct_global g = ct_make_global(nowhere(), 16, L_("((4,2,3),(5,6)):((1,4,8),(24,120))"));
    const ct_index x = {{CT_ALL, 1, CT_ALL, 2, CT_ALL}};
    const ct_global s = ct_global_slice(g, x);
    assert_int_equal(s.axes, 3);
    assert_string_equal(show(ct_tensor_of_global(&s).layout), "((4,3),(6)):((1,8),(120))");
    assert_int_equal(s.at - g.at, 2 * (4 + 2 * 24));
    const ct_index outside = {{CT_ALL, 2}}, more = {{CT_ALL, 0, 0, 0, 0, 1}};
    assert_int_equal(ct_global_slice(g, outside).err.why, CT_WHY_COORD);
    assert_int_equal(ct_global_slice(g, outside).err.mode, 1);
    assert_int_equal(ct_global_slice(g, outside).extent[0], 0);
    assert_int_equal(ct_global_slice(g, more).err.why, CT_WHY_RANK);
    const ct_global nibbles = ct_make_global(nowhere(), 4, L_("(8,64):(64,1)"));
    assert_int_equal(ct_global_slice(nibbles, ct_index2(CT_ALL, 4)).err.status, CT_OK);
    assert_int_equal(ct_global_slice(nibbles, ct_index2(CT_ALL, 3)).err.why, CT_WHY_ALIGNMENT);
}

/* Each failure names its reason, and the tensor has no extent. */
TEST(test_failures)
{
    const ct_layout L = L_("(8,64):(64,1)");
    const ct_tensor swizzled = ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, L);
    ct_tensor odd = ct_make_tensor(L);
    odd.offset = ct_int(3);
    const struct {
        ct_global g;
        int32_t why;
    } rows[] = {
        {ct_make_global_tensor(nowhere(), 16, swizzled), CT_WHY_SWIZZLE},
        {ct_make_global_tensor(nowhere(), 4, odd), CT_WHY_ALIGNMENT},
        {ct_make_global_tensor(nowhere() + 1, 16, odd), CT_WHY_ADDRESS},
        {ct_make_global(nowhere(), 12, L), CT_WHY_ATOM},
        {ct_make_global(nowhere(), 16, ct_make_identity_layout(ct_tuple2(8, 64))),
         CT_WHY_NOT_INTEGER},
        {ct_make_global(nowhere(), 16, L_("(2,2,2,2,2,2,2,2,2)")), CT_WHY_LEAVES},
        {ct_make_global(nowhere(), 64, L_("(2):(4611686018427387904)")), CT_WHY_OVERFLOW},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        assert_int_equal(rows[k].g.err.why, rows[k].why);
        assert_int_equal(rows[k].g.extent[0], 0);
    }
}

/* A tile and a tensor that nest differently; registers whose layout is no order; sides of two partitions. */
TEST(test_refusals)
{
    const ct_tiled_copy copy =
        ct_make_tiled_copy(ct_copy_atom_auto(16), L_("(8,8):(8,1)"), L_("(1,8):(1,1)"));
    const ct_tuple flat = ct_tuple2(8, 64), tile = ct_shape(L_("((4,2),64)"));
    const ct_memory rows = ct_in_global(1), nested_rows = ct_in_global(2);
    const ct_partition P = ct_make_partition(copy, flat, rows, rows);
    const ct_partition N = ct_make_partition(copy, tile, nested_rows, nested_rows);
    const ct_global g = ct_make_global(nowhere(), 16, L_("((4,2),64):((64,512),1)"));
    const ct_global three = ct_make_global(nowhere(), 16, L_("(4,2,64):(64,512,1)"));
    assert_int_equal(ct_check_tensor(&N, &N.src, &g).status, CT_OK);
    assert_int_equal(ct_check_tensor(&P, &P.src, &g).why, CT_WHY_PROFILE);
    assert_int_equal(ct_check_tensor(&P, &P.src, &g).mode, 1);
    assert_int_equal(ct_check_tensor(&N, &N.src, &three).why, CT_WHY_PROFILE);
    assert_int_equal(ct_check_tensor(&P, &P.src, &three).status,
                     CT_OK); /* a batch of its last axis */
    static const struct {
        const char *layout;
        int32_t why;
    } orders[] = {{"(4):(1)", CT_WHY_SIZES},
                  {"(4,2):(1,2)", CT_WHY_REGISTERS},
                  {"(8):(2)", CT_WHY_REGISTERS},
                  {"(4,2):(1@0,1@1)", CT_WHY_NOT_INTEGER}};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; ++k)
        assert_int_equal(
            ct_make_partition(copy, flat, rows, ct_in_registers_by(L_(orders[k].layout))).err.why,
            orders[k].why);
    const ct_partition Q = P;
    const ct_view of_p = {.is_taken = 1, .by = &P}, of_q = {.is_taken = 1, .by = &Q}, alone = {0};
    assert_int_equal(ct_views_refusal(&of_p, &of_p).status, CT_OK);
    assert_int_equal(ct_views_refusal(&of_p, &alone).status, CT_OK);
    assert_int_equal(ct_views_refusal(&alone, &of_p).status, CT_OK);
    assert_int_equal(ct_views_refusal(&alone, &alone).why, CT_WHY_TWO_PARTITIONS);
    const ct_memory shared = ct_in_shared_plain(ct_layout2(8, 64, 64, 1));
    const ct_partition S = ct_make_partition(copy, flat, rows, shared);
    const ct_global repeats = ct_make_global(nowhere(), 16, L_("(8,64):(0,1)")),
                    swizzled = ct_make_global_tensor(
                        nowhere(), 16, ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, L_("64:1")));
    const ct_view of_thread = {.of_thread = 1, .space = CT_SPACE_SHARED},
                  second = {.space = CT_SPACE_SHARED, .first = {8, 0}};
    const struct {
        ct_error e;
        const char *sentence;
    } said[] = {
        {ct_views_refusal(&of_p, &of_q),
         "tensor: the sides of the copy have different partitions, or none; name one: "
         "ct_copy(&P, src, dst)"},
        {ct_check_tensor(&P, &P.dst, &repeats),
         "tensor: axis 0 repeats each element 8 times, which a destination must not"},
        {swizzled.err, "tensor: global memory takes no swizzle, and the tensor has Sw<3,3,3>"},
        {ct_view_inside_refusal(&of_thread),
         "tensor: a thread's part has no tiles; take the tile of the tile first, then the "
         "thread's part of it"},
        {ct_shared_refusal(&S, &S.dst, &second),
         "tensor: tile 1 along axis 0 is not in shared memory, whose layout in the partition "
         "has 1 there at one step of whole accesses"},
    };
    int wrong = 0;
    for (size_t k = 0; k < sizeof said / sizeof *said; ++k)
        wrong += !error_says(said[k].e, said[k].sentence);
    assert_int_equal(wrong, 0);
}

/* A promise asks for what an access needs: its bytes, or 16 of a bulk copy, however long its rows are. */
TEST(test_promises)
{
    const ct_tiled_copy copy =
        ct_make_tiled_copy(ct_copy_atom_auto(16), L_("(8,8):(8,1)"), L_("(1,8):(1,1)"));
    const ct_tiled_copy bulk = ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_BULK_LOAD, 16));
    const ct_memory rows = ct_in_global(1), shared = ct_in_shared_plain(L_("(8,64):(64,1)"));
    const ct_partition P = ct_make_partition(copy, ct_tuple2(8, 64), rows, shared);
    const ct_partition B = ct_make_partition(bulk, ct_tuple2(8, 64), rows, shared);
    const ct_global whole = ct_make_global(nowhere(), 16, L_("(16,128):(136,1)"));
    const ct_global off = ct_make_global(nowhere() + 8, 16, L_("(16,128):(136,1)"));
    const ct_global cut = ct_make_global(nowhere(), 16, L_("(15,128):(136,1)"));
    const ct_global transposed = ct_make_global(nowhere(), 16, L_("(16,128):(1,16)"));
    assert_int_equal(ct_check_whole(&P, &P.src, &whole).status, CT_OK);
    assert_int_equal(ct_check_whole(&B, &B.src, &whole).status, CT_OK);
    assert_int_equal(ct_check_whole(&P, &P.src, &off).why, CT_WHY_ALIGNMENT);
    assert_int_equal(ct_check_whole(&B, &B.src, &off).why, CT_WHY_ALIGNMENT);
    assert_int_equal(ct_check_whole(&B, &B.src, &cut).why, CT_WHY_SIZE_DIVIDES);
    assert_int_equal(ct_check_whole(&P, &P.src, &transposed).why, CT_WHY_CONTIGUOUS);
}

GROUP("tensors", NULL, free_report)
