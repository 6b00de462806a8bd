/* Rare operands, one row for each branch that the other quick tests leave out: failed operands of inner
 * functions, what does not fit in 64 bits, what is no integer. */
#include "same_error.h"
#include "sweep.h"

#include <cutlet/algebra/read.h>
#include <cutlet/copy/access_leaves.h>

TEST(failed_operands)
{
    const ct_layout f = ct_layout_fail(mark(1)), g = ct_layout_fail(mark(2)), L = L_("(4,2):(1,4)");
    const ct_tuple ft = ct_tuple_fail(mark(1)), gt = ct_tuple_fail(mark(2)), t = T("(2,3)");
    ct_swizzle fs = ct_swizzle_none(), gs = ct_swizzle_none();
    fs.err = mark(1);
    gs.err = mark(2);
    const ct_tensor fX = ct_tensor_fail(mark(1)), gX = ct_tensor_fail(mark(2)),
                    X = ct_make_tensor(L);
    const ct_linear_layout fl = ct_linear_fail(mark(1)), gl = ct_linear_fail(mark(2)),
                           l = ct_make_linear(X);
    KEPT(ct_layout_concat(f, L));
    KEPT(ct_layout_concat(L, f));
    KEPT(ct_layout_concat(f, g));
    KEPT(ct_mode_sizes(&f));
    KEPT(ct_tuple_push(ft, t, 0, 0));
    KEPT(ct_tuple_push(t, ft, 0, 0));
    KEPT(ct_tuple_push(ft, gt, 0, 0));
    KEPT(ct_complement_shape(f, t));
    KEPT(ct_complement_shape(L, ft));
    KEPT(ct_complement_within(f));
    KEPT(ct_coshape(f));
    KEPT(ct_zipped_product_by(f, TL("<2:1>")));
    KEPT(ct_swizzle_composition(fs, gs));
    KEPT(ct_swizzle_composition(ct_swizzle_none(), fs));
    KEPT(ct_swizzle_tensor(ct_swizzle_none(), fX));
    KEPT(ct_swizzle_tensor(fs, X));
    KEPT(ct_tensor_of_tensor(fX, X));
    KEPT(ct_tensor_of_tensor(fX, gX));
    KEPT(ct_tensor_of_tensor(X, fX));
    /* clang-format off */
    KEPT(ct_composition_of_tensor(f, X)); KEPT(ct_composition_of_tensor(L, fX));
    KEPT(ct_tensor_divide_by_tensor(fX, gX)); KEPT(ct_tensor_divide_by_tensor(X, fX));
    KEPT(ct_tensor_product_by_tensor(fX, gX)); KEPT(ct_tensor_product_by_tensor(X, fX));
    KEPT(ct_zip_product_by_tensor(fX, gX, 1)); KEPT(ct_zip_product_by_tensor(X, fX, 1));
    KEPT(ct_linear_composition(fl, gl)); KEPT(ct_linear_composition(l, fl));
    KEPT(ct_linear_inverse(fl)); KEPT(ct_linear_tensor(fl)); KEPT(ct_make_linear(fX));
    KEPT(ct_tensor_cosize(fX)); KEPT(ct_tensor_upcast(fX, 2)); KEPT(ct_tensor_downcast(fX, 2));
    /* clang-format on */
    assert_int_equal(ct_part_size(ct_whole(&f)), CT_INVALID);
    assert_int_equal(ct_tensor_max_alignment(fX), CT_INVALID);
}

/* A failed layout that is added to stays as it is; parts that do not exist are said so. */
TEST(parts)
{
    const ct_layout L = L_("((4,2),3):((1,4),8)"), f = ct_layout_fail(mark(1)), one = L_("5:7");
    ct_layout r = ct_layout_fail(mark(1));
    ct_push_coalesced(&r, ct_whole(&L), 0);
    KEPT(r);
    ct_pad_rank(&r, 3);
    KEPT(r);
    ct_push_mode(&r, ct_whole(&L), 0, 0, 0);
    KEPT(r);
    ct_push_coalesced_by(&r, &L, T("(1,1)").profile, 0, CT_OP_COALESCE);
    KEPT(r);
    r = (ct_layout){0};
    ct_push_mode(&r, ct_whole(&f), 0, 0, 0);
    KEPT(r);
    r = (ct_layout){0};
    ct_push_mode(&r, ct_whole(&L), 2, 0, 0);
    FAILS(r, CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE, 2, 2, 0);
    r = (ct_layout){0};
    ct_push_mode(&r, ct_whole(&L), -1, 0, 0);
    FAILS(r, CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE, -1, 2, 0);
    assert_int_equal(ct_part_size(ct_part_mode(ct_whole(&L), 0)), 8);
    assert_int_equal(ct_part_size(ct_part_mode(ct_whole(&L), 1)), 3);
    assert_int_equal(ct_part_size(ct_part_mode(ct_whole(&L), 2)), CT_INVALID);
    assert_int_equal(ct_part_size(ct_part_mode(ct_whole(&one), 0)), 5);
    assert_int_equal(ct_part_size(ct_part_mode(ct_whole(&one), 1)), CT_INVALID);
    assert_true(ct_tuple_equal(ct_mode_sizes(&L), T("(8,3)")));
    ct_tuple sum = ct_tuple_fail(mark(1));
    const ct_tuple x = T("(2,3)"), bad = ct_tuple_fail(mark(2));
    ct_tuple_push_next(&sum, &x);
    ct_tuple_push_next(&sum, &bad);
    KEPT(sum);
}

/* A tuple that is full, or nested to its end, takes no more. */
TEST(full)
{
    ct_tuple t = ct_repeat_any(CT_MAX_LEAVES);
    FAILS(ct_tuple_push(t, ct_int(1), 0, 0), CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_LEAVES, 0,
          CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
    FAILS(ct_repeat_any(CT_MAX_LEAVES + 1), CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_LEAVES, 0,
          CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
    FAILS(ct_repeat_any(-1), CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_LEAVES, 0, -1, CT_MAX_LEAVES);
    assert_true(ct_tuple_equal(ct_repeat_any(1), ct_any()));
    ct_tuple last = ct_repeat_any(CT_MAX_LEAVES - 1);
    const ct_tuple seven = ct_int(7);
    ct_tuple_push_next(&last, &seven);
    assert_int_equal(last.err.status, CT_OK);
    assert_int_equal(last.profile.leaves, CT_MAX_LEAVES);
    ct_tuple_push_next(&last, &seven);
    FAILS(last, CT_E_CAPACITY, CT_OP_APPEND, CT_WHY_LEAVES, 0, CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
    const ct_tuple one = ct_int(4);
    ct_tuple_push_next(&t, &one);
    FAILS(t, CT_E_CAPACITY, CT_OP_APPEND, CT_WHY_LEAVES, 0, CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
    const ct_layout wide = ct_make_col_major(T("(1,1,1,1,1,1,1,1,1)"));
    FAILS(ct_layout_concat(wide, wide), CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0, 18,
          CT_MAX_LEAVES);
    assert_true(ct_tuple_equal(ct_tuple_push(T("(2,3)"), ct_tuple0(), 0, 0), T("(2,3)")));
}

/* `_`, basis elements and coordinates where integers are needed. */
TEST(no_integers)
{
    const ct_tensor X = ct_make_tensor(L_("(4,2):(1,4)")),
                    B = ct_make_tensor(L_("(4,2):(1@0,1@1)"));
    ct_tensor at = B;
    at.offset = T("(1,1)");
    const ct_tuple a = T("(1,_)"), b = T("(1,2)"), c = T("(1,2@0)");
    FAILS(ct_composition_of_tensor(L_("4:1"), B), CT_E_ARGUMENT, CT_OP_COMPOSITION,
          CT_WHY_NOT_INTEGER, 0, 0, 0);
    FAILS(ct_composition_of_tensor(L_("(4,2):(1@0,1@1)"), X), CT_E_ARGUMENT, CT_OP_COMPOSITION,
          CT_WHY_NOT_INTEGER, 0, 0, 0);
    FAILS(ct_composition_of_tensor(L_("4:1"), at), CT_E_ARGUMENT, CT_OP_COMPOSITION,
          CT_WHY_NOT_INTEGER, 0, 0, 0);
    FAILS(ct_tensor_cosize(B), CT_E_ARGUMENT, CT_OP_COSIZE, CT_WHY_NOT_INTEGER, 0, 0, 0);
    FAILS(ct_tensor_cosize(at), CT_E_ARGUMENT, CT_OP_COSIZE, CT_WHY_NOT_INTEGER, 0, 0, 0);
    FAILS(ct_make_linear(at), CT_E_ARGUMENT, CT_OP_LINEAR, CT_WHY_NOT_INTEGER, 0, 0, 0);
    FAILS(ct_tensor_max_common_layout(at, at), CT_E_ARGUMENT, CT_OP_MAX_COMMON, CT_WHY_NOT_INTEGER,
          0, 0, 0);
    FAILS(ct_complement(L_("4:1@0"), 8), CT_E_ARGUMENT, CT_OP_COMPLEMENT, CT_WHY_NOT_INTEGER, 0, 0,
          0);
    assert_int_equal(ct_tensor_max_alignment(at), CT_INVALID);
    assert_int_equal(ct_compare_leaves(&a, 1, &b, 1), 0);
    assert_int_equal(ct_compare_leaves(&b, 1, &a, 1), 0);
    assert_int_equal(ct_compare_leaves(&a, 0, &b, 1), CT_LESS);
    assert_int_equal(ct_compare_leaves(&b, 1, &a, 0), CT_GREATER);
    assert_int_equal(ct_compare_leaves(&b, 0, &a, 0), CT_EQUAL);
    assert_false(ct_tuple_equal(c, b));
    assert_false(ct_tuple_equal(a, b));
    assert_false(ct_tuple_equal(T("(1,3)"), b));
    assert_false(ct_layout_equal(L_("(4,2):(1,4)"), L_("(4,2):(2,4)")));
}

/* Numbers past 64 bits, and those at the ends. */
TEST(numbers)
{
    int ok = 1;
    assert_int_equal(ct_add(INT64_MIN + 1, -1, &ok), INT64_MIN);
    assert_int_equal(ct_add(INT64_MIN, 1, &ok), INT64_MIN + 1);
    assert_int_equal(ct_add(-1, -1, &ok), -2);
    assert_true(ok);
    assert_int_equal(ct_add(INT64_MIN, -1, &ok), 0);
    assert_false(ok);
    const ct_tensor far = ct_tensor_with(ct_make_tensor(L_("2:1")), L_("2:1"));
    ct_tensor farther = far;
    farther.offset = ct_int(INT64_MAX / 2);
    FAILS(ct_tensor_downcast(farther, 4), CT_E_OVERFLOW, CT_OP_DOWNCAST, CT_WHY_OVERFLOW, 0, 0, 0);
    FAILS(ct_offset_add(ct_int(INT64_MAX), ct_int(1)), CT_E_OVERFLOW, CT_OP_SLICE, CT_WHY_OVERFLOW,
          0, 0, 0);
    FAILS(ct_swizzle_range_check(0, INT64_MAX / 2).status
              ? ct_tuple_fail(ct_swizzle_range_check(0, INT64_MAX / 2))
              : ct_int(0),
          CT_E_OVERFLOW, CT_OP_COMPOSED, CT_WHY_OVERFLOW, 0, 0, 0);
    FAILS(ct_tensor_recast(far, 0, 8), CT_E_ARGUMENT, CT_OP_RECAST, CT_WHY_NOT_POSITIVE, 0, 0, 0);
    FAILS(ct_tensor_recast(far, 8, -2), CT_E_ARGUMENT, CT_OP_RECAST, CT_WHY_NOT_POSITIVE, 0, -2, 0);
    FAILS(ct_recast(L_("2:1"), 0, 8), CT_E_ARGUMENT, CT_OP_RECAST, CT_WHY_NOT_POSITIVE, 0, 0, 0);
    FAILS(ct_recast(L_("2:1"), 8, -1), CT_E_ARGUMENT, CT_OP_RECAST, CT_WHY_NOT_POSITIVE, 0, -1, 0);
    FAILS(ct_make_swizzle(-1, 0, 0), CT_E_ARGUMENT, CT_OP_SWIZZLE, CT_WHY_SWIZZLE, 0, -1, 0);
    FAILS(ct_make_swizzle(1, -1, 1), CT_E_ARGUMENT, CT_OP_SWIZZLE, CT_WHY_SWIZZLE, 0, 1, -1);
    FAILS(ct_make_swizzle(2, 0, 1), CT_E_ARGUMENT, CT_OP_SWIZZLE, CT_WHY_SWIZZLE, 0, 2, 0);
    FAILS(ct_make_swizzle(1, 61, 1), CT_E_ARGUMENT, CT_OP_SWIZZLE, CT_WHY_SWIZZLE, 0, 1, 61);
    FAILS(ct_make_swizzle(30, 3, 30), CT_E_ARGUMENT, CT_OP_SWIZZLE, CT_WHY_SWIZZLE, 0, 30, 3);
    assert_int_equal(ct_make_swizzle(30, 2, 30).err.status, CT_OK);
    assert_int_equal(ct_path_mode(0x01020304u, 3), 0);
    assert_int_equal(ct_path_mode(0x01020304u, 4), -1);
    assert_int_equal(ct_log2(0), -1);
    assert_int_equal(ct_log2(6), -1);
    assert_int_equal(ct_log2(8), 3);
    FAILS(ct_coshape(L_("(2,2):(9223372036854775807@0,9223372036854775807@0)")), CT_E_OVERFLOW,
          CT_OP_COSHAPE, CT_WHY_OVERFLOW, 0, 0, 0);
}

/* What is empty or full where it is added to. */
TEST(inner)
{
    const ct_layout empty = L_("():()"), two = L_("(2,3):(1,2)");
    ct_layout r = L_("(2):(1)");
    ct_push_next(&r, ct_whole(&empty));
    assert_true(ct_layout_equal(r, L_("(2):(1)")));
    ct_push_next(&r, ct_whole(&two));
    assert_true(ct_layout_equal(r, L_("(2,(2,3)):(1,(1,2))")));
    r = (ct_layout){0};
    ct_push_next_leaf(&r, 3, 2, CT_INTEGER);
    assert_true(ct_layout_equal(r, L_("(3):(2)")));
    ct_push_next_leaf(&r, 4, 5, CT_INTEGER);
    assert_true(ct_layout_equal(r, L_("(3,4):(2,5)")));
    r = (ct_layout){0};
    ct_layout_close_mode(&r, 0, 1, 1);
    assert_true(ct_layout_equal(r, empty));
    ct_close_flat(&r);
    assert_true(ct_layout_equal(r, L_("1:0")));
    r = ct_layout_fail(mark(1));
    ct_layout_close_mode(&r, 0, 1, 1);
    KEPT(r);
    ct_push_next_leaf(&r, 3, 2, CT_INTEGER);
    KEPT(r);
    KEPT(ct_coalesce(r));
    assert_true(ct_layout_equal(ct_coalesce(empty), L_("1:0")));
    r = ct_make_row_major(T("(2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2)"));
    const ct_layout row = ct_make_row_major(T("(2,3)"));
    ct_push_coalesced(&r, ct_whole(&row), 0);
    FAILS(r, CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0, CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
    assert_int_equal(ct_eval(L_("(2,2):(1,1@0)"), 3), 1);
    assert_true(ct_tuple_equal(ct_pad_any(ct_int(3), 2), ct_int(3)));
    assert_true(ct_tile_is_any(ct_tile_any()));
    assert_false(ct_tile_is_any(L_("2:1")));
    assert_false(ct_tile_is_any(two));
    ct_tiler t = TL("<2:1>");
    ct_tiler_push(&t, &r);
    assert_int_equal(t.tiles.err.why, CT_WHY_LEAVES);
    ct_tiler_push(&t, &empty);
    assert_int_equal(t.tiles.err.why, CT_WHY_LEAVES);
    t = TL("<2:1>");
    ct_tiler_push(&t, &empty);
    same("tiler", t.tiles.err,
         ct_make_error(CT_E_ARGUMENT, CT_OP_TILER, CT_WHY_EMPTY_TILE, 0, 0, 0));
}

/* Tensors of parts that do not go together, and sums of offsets. */
TEST(tensors)
{
    const ct_tensor X = ct_make_tensor(L_("(4,2):(1,4)")),
                    B = ct_make_tensor(L_("(4,2):(1@0,1@1)"));
    const ct_error bad_integer =
        ct_make_error(CT_E_ARGUMENT, CT_OP_COMPOSED, CT_WHY_NOT_INTEGER, 0, 0, 0);
    const ct_error mixed = ct_make_error(CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_BASIS_MIXED, 0, 0, 0);
    ct_tensor t = B;
    t.swizzle = ct_make_swizzle(1, 0, 1);
    same("swizzled bases", ct_tensor_check(&t), bad_integer);
    t = X;
    t.swizzle = ct_make_swizzle(1, 0, 1);
    same("swizzled", ct_tensor_check(&t), (ct_error){0});
    t.offset = T("(1,2)");
    same("swizzled coordinate", ct_tensor_check(&t), bad_integer);
    t = B;
    t.offset = ct_int(3);
    same("integer and bases", ct_tensor_check(&t), mixed);
    t = X;
    t.offset = T("(1,2)");
    same("coordinate and integers", ct_tensor_check(&t), mixed);
    t.layout = L_("(1,2):(4,0)");
    same("coordinate, nothing moves", ct_tensor_check(&t), (ct_error){0});
    t = X;
    t.offset = ct_tuple0();
    same("empty offset", ct_tensor_check(&t), (ct_error){0});
    assert_true(ct_offset_is_integer(&t.offset) && ct_offset_is_zero(&t.offset));
    t.offset = ct_any();
    assert_false(ct_offset_is_integer(&t.offset) || ct_offset_is_zero(&t.offset));
    t.offset = ct_int(INT64_MAX - 6);
    same("past 64 bits", ct_tensor_check(&t),
         ct_make_error(CT_E_OVERFLOW, CT_OP_SLICE, CT_WHY_OVERFLOW, 0, 0, 0));
    t.offset = ct_int(INT64_MAX - 7);
    same("just within", ct_tensor_check(&t), (ct_error){0});
    t.offset = ct_int(INT64_MAX - 6);
    t.swizzle = ct_make_swizzle(1, 0, 1);
    same("past 64 bits, swizzled", ct_tensor_check(&t),
         ct_make_error(CT_E_OVERFLOW, CT_OP_COMPOSED, CT_WHY_OVERFLOW, 0, 0, 0));
    const ct_tuple nine = T("(1,1,1,1,1,1,1,1,1)"), nested = T("((1,1),1,1,1,1,1,1,1)");
    FAILS(ct_offset_add(nine, nested), CT_E_CAPACITY, CT_OP_SLICE, CT_WHY_LEAVES, 0, 18,
          CT_MAX_LEAVES);
    assert_true(ct_tuple_equal(ct_offset_add(nine, nine), T("(2,2,2,2,2,2,2,2,2)")));
    FAILS(ct_offset_add(T("(1,_)"), T("(1,2)")), CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_BASIS_MIXED, 0,
          0, 0);
    FAILS(ct_offset_add(T("(1,2)"), T("(1,2@0)")), CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_BASIS_MIXED,
          0, 0, 0);
    FAILS(ct_offset_add(ct_any(), T("(1,2)")), CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_BASIS_MIXED, 0, 0,
          0);
    FAILS(ct_offset_add(ct_int(1), T("(1,2)")), CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_BASIS_MIXED, 0,
          0, 0);
    assert_true(ct_tuple_equal(ct_offset_add(ct_int(0), T("(1,2)")), T("(1,2)")));
    assert_true(ct_tuple_equal(ct_offset_add(T("(1,2)"), ct_tuple0()), T("(1,2)")));
    assert_true(ct_tuple_equal(ct_offset_add(T("3@0"), T("(1,2)")), T("(4,2)")));
    FAILS(ct_offset_add(T("(9223372036854775807,2)"), T("(1,2)")), CT_E_OVERFLOW, CT_OP_SLICE,
          CT_WHY_OVERFLOW, 0, 0, 0);
    t = B;
    t.swizzle = ct_make_swizzle(1, 0, 1);
    FAILS(ct_tensor_at(t, T("(1,1)")), CT_E_ARGUMENT, CT_OP_COMPOSED, CT_WHY_NOT_INTEGER, 0, 0, 0);
    KEPT(ct_tensor_slice(X, ct_tuple_fail(mark(1))));
    ct_tensor f = X;
    f.offset = ct_tuple_fail(mark(1));
    same("failed offset", ct_tensor_check(&f), mark(1));
    f = X;
    f.swizzle.err = mark(1);
    same("failed swizzle", ct_tensor_check(&f), mark(1));
    KEPT(ct_tensor_with(f, L_("2:1")));
    KEPT(ct_tensor_slice(f, T("(_,1)")));
    FAILS(ct_tensor_cosize(f), CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11, 22);
}

/* Layouts as constants of kernels write them, and texts that are none: at which byte. */
TEST(texts)
{
    static const char *const good[] = {
        "4:1",
        "0004:-1",
        "(4,8):(8,1)",
        "((2,4),8):((1,16),2)",
        "(((7))):(((3)))",
        "(2,(3,(4,5)),6):(1,(2,(6,24)),120)",
        "(10,29):(90,9)",
        "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2):(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1)"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i)
        assert_true(ct_layout_equal(ct_read(good[i]), L_(good[i])));
    assert_true(ct_layout_equal(ct_read(" ( 4 , 8 ) : ( 8 , 1 ) "), L_("(4,8):(8,1)")));
    assert_true(ct_layout_equal(ct_read("(4,(2,3)) "), L_("(4,(2,3)):(1,(4,8))")));
    FAILS(ct_read("2:9223372036854775807"), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT, CT_WHY_OVERFLOW, 0, 0,
          0);
    assert_true(ct_layout_equal(ct_read("1:9223372036854775807"), L_("1:9223372036854775807")));
    static const struct {
        const char *text;
        int at;
        /* clang-format off */
    } bad[] = {{"", 0},          {"4:", 2},          {"4;1", 1},         {"4:1;", 3},       {"(4", 2},
               {"(4,8", 4},      {"(4 8)", 3},       {"(,4)", 1},        {"()", 1},         {"(4,)", 3},
               {"4)", 1},        {"x", 0},           {"-:1", 1},         {"4:-", 3},        {"4:-x", 3},
               {"(4,8):(8,1", 10}, {"(4,8))", 5},    {"4:(1", 4},        {"4 4", 2},        {"4:/", 2},
               {"4::", 2},       {"9223372036854775808", 19},
               {"(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)", 34}, {"4,", 1}};
    /* clang-format on */
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        same(bad[i].text, ct_read(bad[i].text).err,
             ct_make_error(CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_COORD_PROFILE, bad[i].at, 0, 0));
    assert_true(
        error_says(ct_read("(4 8)").err, "tuple: the text is not a layout of integers at byte 3"));
    FAILS(ct_read("(4,0)"), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_SHAPE, 1, 0, 0);
    FAILS(ct_read("-4"), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_SHAPE, 0, -4, 0);
    FAILS(ct_read("(4,2):(1,(2))"), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_PROFILE, 1, 0, 0);
}

/* Nine modes of B that each cross A's mode of 2^60 elements: how far they fill it is past 63 bits. */
TEST(crossings)
{
    const ct_layout A = ct_layout3(3, (int64_t)1 << 60, 2, 5, 1, 7);
    ct_layout B = CT_ZERO;
    for (int i = 0; i < 9; ++i) ct_push_next_leaf(&B, 2, 4, CT_INTEGER);
    ct_error want = ct_make_error(CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_CARRY, 8, 18, 3);
    same("composition", ct_composition(A, B).err, want);
    assert_int_equal(ct_lowest(ct_layout1(INT64_MIN, -1)), CT_INVALID);
}

/* A tile after the tiler of an integer. */
TEST(tiler_of_integer)
{
    const ct_tiler t = ct_tiler_append(ct_tiler_of_shape(ct_int(4)), L_("2:1"));
    assert_true(ct_layout_equal(ct_composition_by(L_("(8,8):(8,1)"), t), L_("(4,2):(8,1)")));
}

/* (A) of an empty second mode stays as it is. */
TEST(empty_second)
{
    const ct_layout empty = CT_ZERO;
    ct_layout A = L_("4:1");
    ct_push_second(&A, ct_whole(&empty));
    assert_true(ct_layout_equal(A, L_("4:1")));
}

/* A part without leaves adds no mode, and takes no parenthesis. */
TEST(empty_next)
{
    const ct_layout empty = CT_ZERO;
    ct_layout A = L_("(4,2):(1,4)");
    ct_push_next(&A, ct_whole(&empty));
    assert_true(ct_layout_equal(A, L_("(4,2):(1,4)")));
}

/* What has three or four leaves, and one of three whose first is no shape. */
TEST(several)
{
    assert_true(ct_tuple_equal(ct_tuple4(2, 3, 4, 5), T("(2,3,4,5)")));
    FAILS(ct_layout3(0, 2, 2, 1, 1, 2), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_SHAPE, 0, 0, 0);
    FAILS(ct_layout3(2, 2, INT64_MAX, 1, 1, 2), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT, CT_WHY_OVERFLOW,
          2, 0, 0);
    const ct_tuple none = ct_tuple0();
    assert_int_equal(ct_rank(none), 0);
    assert_int_equal(ct_profile_rank(none.profile), 0);
    assert_int_equal(ct_depth(none), 1);
}

/* `_` of a shape is the tile that leaves a mode alone; what is no shape is named, the first of them. */
TEST(tiler_of_any)
{
    const ct_tiler t = ct_tiler_of_shape(T("(_,2)"));
    assert_int_equal(t.tiles.stride[0], ct_tile_any().stride[0]);
    FAILS(ct_tiler_of_shape(T("(2,0,-1)")), CT_E_ARGUMENT, CT_OP_TILER, CT_WHY_SHAPE, 1, 0, 0);
    FAILS(ct_tiler_of_shape(T("(2,1@0,0)")), CT_E_ARGUMENT, CT_OP_TILER, CT_WHY_NOT_INTEGER, 1, 0,
          0);
}

/* The leaves of one side of a copy are twice those of a layout, and no more. */
TEST(full_access_leaves)
{
    ct_access_leaves a = CT_ZERO;
    const ct_access_leaf leaf = {2, 1, 0, 1, 0};
    for (int i = 0; i < 2 * CT_MAX_LEAVES; ++i) ct_access_leaves_push(&a, leaf);
    assert_int_equal(a.err.status, CT_OK);
    assert_int_equal(a.count, 2 * CT_MAX_LEAVES);
    for (int i = 0; i < 2; ++i) {
        ct_access_leaves_push(&a, leaf);
        same("a leaf too many", a.err,
             ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_LEAVES, 0,
                           2 * CT_MAX_LEAVES + 1, 2 * CT_MAX_LEAVES));
        assert_int_equal(a.count, 2 * CT_MAX_LEAVES);
    }
}

GROUP("rare operands", NULL, NULL)
