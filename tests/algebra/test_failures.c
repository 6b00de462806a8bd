/* Every way to fail: the status, the operation, the reason and its numbers; no number that the sentence
 * does not say; what does not fit in 64
 * bits or in CT_MAX_LEAVES leaves. That failures pass on: test_propagation.c. */
#include "error_said.h"
#include "sweep.h"

typedef struct expected {
    int status, op, why, mode;
    int64_t a, b; /* n[0], n[1]; ANY: not looked at */
} expected;

enum { ANY = -99 };

static void check_error(const char *text, ct_error e, expected x)
{
    const int right = e.status == x.status && e.op == x.op && e.why == x.why &&
                      (x.mode == ANY || e.mode == x.mode) && (x.a == ANY || e.n[0] == x.a) &&
                      (x.b == ANY || e.n[1] == x.b);
    const char *const unsaid = error_unsaid(e);
    if (unsaid)
        print_error("%s: %s of the error is not 0, and its sentence does not say it\n", text,
                    unsaid);
    if (right && !unsaid) return;
    print_error(
        "%s\n    status %d op %d why %d mode %d other %d numbers %lld %lld %lld\n    expected "
        "status %d op %d why %d mode %d numbers %lld %lld\n",
        text, e.status, e.op, e.why, e.mode, e.other, (long long)e.n[0], (long long)e.n[1],
        (long long)e.n[2], x.status, x.op, x.why, x.mode, (long long)x.a, (long long)x.b);
    fail();
}

/* FAILS(expression that yields a value, status, op, why, mode, a, b), less the prefixes. */
#define FAILS(value, ...) check_error(#value, ct_err(value), (expected){__VA_ARGS__})

TEST(tuples)
{
    const ct_tuple t = T("(2,(3,4))");
    FAILS(ct_get(t, 2), CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE, 2, 2, ANY);
    FAILS(ct_get(t, -1), CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE, -1, 2, ANY);
    FAILS(ct_get(T("7"), 1), CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE, 1, 1, ANY);
    FAILS(ct_take(t, 1, 3), CT_E_ARGUMENT, CT_OP_TAKE, CT_WHY_RANGE, ANY, 1, 3);
    FAILS(ct_take(t, -1, 1), CT_E_ARGUMENT, CT_OP_TAKE, CT_WHY_RANGE, ANY, -1, 1);
    FAILS(ct_group(t, 1, 1), CT_E_ARGUMENT, CT_OP_GROUP, CT_WHY_RANGE, ANY, 1, 1);
    assert_int_equal(ct_group(t, 0, 3).err.n[2], 2);
    FAILS(ct_replace(t, 2, t), CT_E_ARGUMENT, CT_OP_REPLACE, CT_WHY_MODE, 2, 2, ANY);
    FAILS(ct_select(t, T("(0,5)")), CT_E_ARGUMENT, CT_OP_SELECT, CT_WHY_MODE, 5, 2, ANY);
    FAILS(ct_unflatten(T("(2,3)"), T("(0,(0,0))")), CT_E_ARGUMENT, CT_OP_UNFLATTEN, CT_WHY_COUNT,
          ANY, 2, 3);
    FAILS(ct_slice(t, T("(_,_,1)")), CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_COORD_PROFILE, ANY, ANY,
          ANY);
    FAILS(ct_slice(t, T("((_,1),_)")), CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_COORD_PROFILE, ANY, ANY,
          ANY);
    FAILS(ct_dice(t, T("(1,(1,1,1))")), CT_E_ARGUMENT, CT_OP_DICE, CT_WHY_COORD_PROFILE, ANY, ANY,
          ANY);
    FAILS(ct_ceil_div(T("(4,0)"), T("(2,2)")), CT_E_ARGUMENT, CT_OP_CEIL_DIV, CT_WHY_NOT_POSITIVE,
          1, 0, ANY);
    FAILS(ct_ceil_div(T("4"), T("-2")), CT_E_ARGUMENT, CT_OP_CEIL_DIV, CT_WHY_NOT_POSITIVE, 0, -2,
          ANY);
    FAILS(ct_ceil_div(T("(4,4)"), T("(2,2,2)")), CT_E_ARGUMENT, CT_OP_CEIL_DIV, CT_WHY_PROFILE, ANY,
          ANY, ANY);
    FAILS(ct_shape_div(T("(3,4)"), T("2")), CT_E_ARGUMENT, CT_OP_SHAPE_DIV, CT_WHY_DIVIDE, 0, 3, 2);
    FAILS(ct_shape_div(T("(4,6)"), T("(2,4)")), CT_E_ARGUMENT, CT_OP_SHAPE_DIV, CT_WHY_DIVIDE, 1, 6,
          4);
    FAILS(ct_product_like(t, T("(1,(1,1,1))")), CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_PROFILE, ANY,
          ANY, ANY);
    FAILS(ct_product_each(T("(2,(4611686018427387904,4))")), CT_E_OVERFLOW, CT_OP_TUPLE,
          CT_WHY_OVERFLOW, 1, ANY, ANY);
    FAILS(ct_common_refinement(T("(6,5)"), T("(2,15)")), CT_E_ARGUMENT, CT_OP_REFINE, CT_WHY_SIZES,
          0, 6, 2);
    FAILS(ct_common_refinement(T("((2,3),5)"), T("((3,2),5)")), CT_E_ARGUMENT, CT_OP_REFINE,
          CT_WHY_SIZES, 0, 2, 3);
    FAILS(ct_common_coarsening(T("(6,5)"), T("(2,16)")), CT_E_ARGUMENT, CT_OP_REFINE, CT_WHY_SIZES,
          ANY, 30, 32);
}

TEST(coordinates)
{
    const ct_layout L = L_("(4,(2,4)):(8,(4,1))");
    FAILS(ct_at(L, T("32")), CT_E_DOMAIN, CT_OP_CRD2IDX, CT_WHY_INDEX, ANY, 32, 32);
    FAILS(ct_at(L, T("-1")), CT_E_DOMAIN, CT_OP_CRD2IDX, CT_WHY_INDEX, ANY, -1, 32);
    FAILS(ct_at(L, T("(4,0)")), CT_E_DOMAIN, CT_OP_CRD2IDX, CT_WHY_COORD, 0, 4, 4);
    FAILS(ct_at(L, T("(0,8)")), CT_E_DOMAIN, CT_OP_CRD2IDX, CT_WHY_COORD, 1, 8, 8);
    FAILS(ct_at(L, T("(0,(0,4))")), CT_E_DOMAIN, CT_OP_CRD2IDX, CT_WHY_COORD, 2, 4, 4);
    FAILS(ct_at(L, T("(4,1@0)")), CT_E_ARGUMENT, CT_OP_CRD2IDX, CT_WHY_COORD_BASIS, 1, ANY, ANY);
    FAILS(ct_at(L, T("(0,0,0)")), CT_E_ARGUMENT, CT_OP_CRD2IDX, CT_WHY_COORD_PROFILE, ANY, ANY,
          ANY);
    FAILS(ct_at(L, T("((0,0),0)")), CT_E_ARGUMENT, CT_OP_CRD2IDX, CT_WHY_COORD_PROFILE, ANY, ANY,
          ANY);
    FAILS(ct_at(L_("(2,2):(1,1@0)"), T("3")), CT_E_ARGUMENT, CT_OP_CRD2IDX, CT_WHY_BASIS_MIXED, ANY,
          ANY, ANY);
    FAILS(ct_idx2crd(12, T("(3,4)")), CT_E_DOMAIN, CT_OP_IDX2CRD, CT_WHY_INDEX, ANY, 12, 12);
    FAILS(ct_idx2crd(-3, T("(3,4)")), CT_E_DOMAIN, CT_OP_IDX2CRD, CT_WHY_INDEX, ANY, -3, 12);
    FAILS(ct_idx2crd(1, T("(2@1,2)")), CT_E_ARGUMENT, CT_OP_IDX2CRD, CT_WHY_NOT_INTEGER, 0, ANY,
          ANY);
    FAILS(ct_idx2crd(1, T("(2,_)")), CT_E_ARGUMENT, CT_OP_IDX2CRD, CT_WHY_NOT_INTEGER, 1, ANY, ANY);
    FAILS(ct_idx2crd(1, T("(-2,-3)")), CT_E_ARGUMENT, CT_OP_IDX2CRD, CT_WHY_SHAPE, 0, -2, ANY);
    FAILS(ct_idx2crd(0, T("(4294967296,4294967296)")), CT_E_OVERFLOW, CT_OP_IDX2CRD,
          CT_WHY_OVERFLOW, ANY, ANY, ANY);
    FAILS(ct_crd2crd(T("(4,0)"), T("(4,8)"), T("32")), CT_E_DOMAIN, CT_OP_CRD2IDX, CT_WHY_COORD, 0,
          4, 4);
    FAILS(ct_crd2crd(T("31"), T("32"), T("(4,4)")), CT_E_DOMAIN, CT_OP_IDX2CRD, CT_WHY_INDEX, ANY,
          31, 16);
    FAILS(ct_crd2crd(T("(1,1,1)"), T("(4,8)"), T("(8,4)")), CT_E_ARGUMENT, CT_OP_CRD2CRD,
          CT_WHY_PROFILE, ANY, ANY, ANY);
    /* An empty layout is not a mode. */
    assert_true(ct_layout_equal(ct_logical_product(L_("4:1"), L_("():()")), L_("(4):(1)")));
    assert_true(
        ct_layout_equal(ct_make_layout2(L_("(2,2):(1,2)"), L_("():()")), L_("((2,2)):((1,2))")));
    assert_true(ct_layout_equal(ct_make_layout2(L_("():()"), L_("():()")), L_("():()")));
    assert_false(ct_evenly_divides(T("0"), T("60")));
    assert_false(ct_evenly_divides(T("(8,0)"), T("(4,60)")));
    FAILS(ct_hier_coord(L_("(2,2):(1,4)"), 2), CT_E_DOMAIN, CT_OP_IDX2CRD, CT_WHY_NO_OFFSET, 0, 2,
          0);
    assert_int_equal(ct_hier_coord(L_("(2,2):(1,4)"), 2).err.n[2], 5);
}

TEST(making)
{
    FAILS(ct_layout1(0, 1), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_SHAPE, 0, 0, ANY);
    FAILS(ct_layout2(4, -3, 1, 4), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_SHAPE, 1, -3, ANY);
    FAILS(ct_make_layout(T("(2,3)"), T("(1,(2,3))")), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT,
          CT_WHY_PROFILE, ANY, ANY, ANY);
    FAILS(ct_make_layout(T("(2,(3,4))"), T("((1,2),3)")), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT,
          CT_WHY_PROFILE, 0, ANY, ANY);
    FAILS(ct_make_layout(T("(2,_)"), T("(1,2)")), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT,
          CT_WHY_NOT_INTEGER, 1, ANY, ANY);
    FAILS(ct_make_layout(T("(2,3)"), T("(1,_)")), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT,
          CT_WHY_NOT_INTEGER, 1, ANY, ANY);
    FAILS(ct_make_col_major(T("(2,0)")), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_SHAPE, 1, 0, ANY);
    FAILS(ct_make_row_major(T("(-2,3)")), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_SHAPE, 0, -2,
          ANY);
    FAILS(ct_compact_col_major(T("(2,_)")), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_NOT_INTEGER, 1,
          ANY, ANY);
    FAILS(ct_make_ordered_layout(T("(2,0)"), T("(1,0)")), CT_E_ARGUMENT, CT_OP_ORDERED,
          CT_WHY_SHAPE, 1, 0, ANY);
    FAILS(ct_make_ordered_layout(T("(2,3)"), T("(0,1,2)")), CT_E_ARGUMENT, CT_OP_ORDERED,
          CT_WHY_PROFILE, ANY, ANY, ANY);
    FAILS(ct_make_ordered_layout(T("(2,3)"), T("(0,(1,2))")), CT_E_ARGUMENT, CT_OP_ORDERED,
          CT_WHY_PROFILE, ANY, ANY, ANY);
    FAILS(ct_make_layout_like(L_("(2,3):(1@0,1@1)")), CT_E_ARGUMENT, CT_OP_ORDERED,
          CT_WHY_NOT_INTEGER, ANY, ANY, ANY);
    FAILS(ct_make_fragment_like(L_("(2,3):(1@0,1@1)")), CT_E_ARGUMENT, CT_OP_ORDERED,
          CT_WHY_NOT_INTEGER, ANY, ANY, ANY);
    FAILS(ct_make_identity_layout(T("(2,0)")), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_SHAPE, 1, 0,
          ANY);
    FAILS(ct_mode(L_("(2,3):(1,2)"), 2), CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE, 2, 2, ANY);
    FAILS(ct_layout_take(L_("(2,3):(1,2)"), 1, 3), CT_E_ARGUMENT, CT_OP_TAKE, CT_WHY_RANGE, ANY, 1,
          3);
    FAILS(ct_layout_select(L_("(2,3):(1,2)"), T("(2)")), CT_E_ARGUMENT, CT_OP_SELECT, CT_WHY_MODE,
          2, 2, ANY);
    FAILS(ct_coalesce_by(L_("(2,3):(1,2)"), T("(1,1,1)")), CT_E_ARGUMENT, CT_OP_COALESCE,
          CT_WHY_RANK_MORE, ANY, 3, 2);
    assert_false(ct_is_valid(L_("(2,0):(1,2)")));
    assert_true(ct_is_valid(L_("(2,1):(1,2)")));
}

TEST(functions)
{
    const ct_layout A = L_("(4,2):(1,8)");
    FAILS(ct_composition(A, L_("3:3")), CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_STRIDE_CROSSES, 0,
          3, 4);
    FAILS(ct_composition(A, L_("(2,3):(0,3)")), CT_E_NO_LAYOUT, CT_OP_COMPOSITION,
          CT_WHY_STRIDE_CROSSES, 1, 3, 4);
    FAILS(ct_composition(A, L_("6:1")), CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_SHAPE_CROSSES, 0,
          6, 4);
    FAILS(ct_composition(A, L_("(3,3):(1,1)")), CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_CARRY, 1,
          4, 4);
    FAILS(ct_composition(A, L_("4:-1")), CT_E_DOMAIN, CT_OP_COMPOSITION, CT_WHY_NEGATIVE, 0, -3,
          ANY);
    FAILS(ct_composition(A, L_("4:1@2")), CT_E_ARGUMENT, CT_OP_COMPOSITION, CT_WHY_BASIS, 0, ANY,
          ANY);
    FAILS(ct_composition(A, L_("(131072,131072):(1,1)")), CT_E_UNDECIDED, CT_OP_COMPOSITION,
          CT_WHY_PROOF, ANY, ANY, CT_MAX_PROOF);
    FAILS(ct_composition_by(A, TL("<2:1,2:1,2:1>")), CT_E_ARGUMENT, CT_OP_COMPOSITION,
          CT_WHY_RANK_MORE, ANY, 3, 2);
    FAILS(ct_filter_by(L_("(2,2):(1,2)"), T("(1,1,1)")), CT_E_ARGUMENT, CT_OP_FILTER,
          CT_WHY_RANK_MORE, ANY, 3, 2);
    FAILS(ct_sort(L_("(2,2):(1,1@0)")), CT_E_ARGUMENT, CT_OP_SORT, CT_WHY_NOT_INTEGER, 1, ANY, ANY);
    FAILS(ct_complement(L_("(2,2):(2,6)"), 24), CT_E_NO_LAYOUT, CT_OP_COMPLEMENT, CT_WHY_GAP, ANY,
          6, 4);
    FAILS(ct_complement(L_("(4,2):(1,2)"), 24), CT_E_NO_LAYOUT, CT_OP_COMPLEMENT, CT_WHY_OVERLAP,
          ANY, 2, 4);
    FAILS(ct_complement(A, 0), CT_E_ARGUMENT, CT_OP_COMPLEMENT, CT_WHY_NOT_POSITIVE, ANY, 0, ANY);
    FAILS(ct_complement(L_("(2,2):(1@0,1@1)"), 8), CT_E_ARGUMENT, CT_OP_COMPLEMENT,
          CT_WHY_NOT_INTEGER, ANY, ANY, ANY);
    FAILS(ct_right_inverse(L_("(2,2):(1@0,1)")), CT_E_ARGUMENT, CT_OP_RIGHT_INVERSE,
          CT_WHY_BASIS_MIXED, ANY, ANY, ANY);
    FAILS(ct_left_inverse(L_("(2,2):(1@0,1)")), CT_E_ARGUMENT, CT_OP_LEFT_INVERSE,
          CT_WHY_BASIS_MIXED, ANY, ANY, ANY);
    FAILS(ct_max_common_layout(L_("(2,2)"), L_("(2,2):(1@0,1@1)")), CT_E_ARGUMENT, CT_OP_MAX_COMMON,
          CT_WHY_NOT_INTEGER, 0, ANY, ANY);
    FAILS(ct_left_inverse(L_("(2,2):(1,-2)")), CT_E_ARGUMENT, CT_OP_LEFT_INVERSE,
          CT_WHY_NEGATIVE_STRIDE, ANY, -2, ANY);
    FAILS(ct_left_inverse(L_("(3,2):(3,3)")), CT_E_NO_LAYOUT, CT_OP_LEFT_INVERSE, CT_WHY_OVERLAP,
          ANY, 3, 9);
    FAILS(ct_left_inverse(L_("(3,3):(3,5)")), CT_E_NO_LAYOUT, CT_OP_LEFT_INVERSE, CT_WHY_OVERLAP,
          ANY, 5, 9);
    FAILS(ct_left_inverse(L_("(2,2,2):(2,5,6)")), CT_E_NO_LAYOUT, CT_OP_LEFT_INVERSE, CT_WHY_GAP,
          ANY, 5, 2);
    FAILS(ct_left_inverse(L_("(100,100):(2,301)")), CT_E_UNDECIDED, CT_OP_LEFT_INVERSE,
          CT_WHY_PROOF, ANY, 10000, CT_MAX_PROOF);
    FAILS(ct_left_inverse(L_("(4,2):(1,2)")), CT_E_NO_LAYOUT, CT_OP_LEFT_INVERSE, CT_WHY_OVERLAP,
          ANY, 2, 4);
    FAILS(ct_layout_add(L_("4:1"), L_("5:1")), CT_E_ARGUMENT, CT_OP_LAYOUT_ADD, CT_WHY_SIZES, ANY,
          4, 5);
    FAILS(ct_layout_add(L_("(5,3):(1,7)"), L_("(3,5):(1,4)")), CT_E_NO_LAYOUT, CT_OP_LAYOUT_ADD,
          CT_WHY_SHAPE_CROSSES, ANY, 1, 15);
    FAILS(ct_layout_add(L_("4:1@0"), L_("4:1")), CT_E_ARGUMENT, CT_OP_LAYOUT_ADD,
          CT_WHY_BASIS_MIXED, ANY, ANY, ANY);
    FAILS(ct_max_common_layout(L_("4:1@0"), L_("4:1")), CT_E_ARGUMENT, CT_OP_MAX_COMMON,
          CT_WHY_NOT_INTEGER, ANY, ANY, ANY);
    FAILS(ct_domain_distribute(T("(4,4)"), 0), CT_E_ARGUMENT, CT_OP_DISTRIBUTE, CT_WHY_NOT_POSITIVE,
          ANY, 0, ANY);
    FAILS(ct_domain_distribute(T("(4,0)"), 2), CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_SHAPE, 1, 0,
          ANY);
    assert_int_equal(ct_cosize(L_("4:1@0")), CT_INVALID);
    assert_int_equal(ct_max_alignment(L_("4:1@0")), CT_INVALID);
}

TEST(tiles)
{
    const ct_layout A = L_("(8,6):(1,8)");
    FAILS(ct_logical_divide(A, L_("(2,2):(2,6)")), CT_E_NO_LAYOUT, CT_OP_COMPLEMENT, CT_WHY_GAP,
          ANY, 6, 4);
    FAILS(ct_logical_divide(L_("(4,6):(1,100)"), L_("3:1")), CT_E_NO_LAYOUT, CT_OP_COMPOSITION,
          CT_WHY_STRIDE_CROSSES, ANY, 3, 4);
    FAILS(ct_logical_divide_by(A, TL("<2:1,2:1,2:1>")), CT_E_ARGUMENT, CT_OP_DIVIDE,
          CT_WHY_RANK_MORE, ANY, 3, 2);
    FAILS(ct_logical_divide_by(A, TL("(2,0)")), CT_E_ARGUMENT, CT_OP_TILER, CT_WHY_SHAPE, 1, 0,
          ANY);
    assert_int_equal(ct_divide_excess(A, L_("(2,2):(2,6)")), CT_INVALID);
    assert_int_equal(ct_divide_excess_by(A, TL("<2:1,2:1,2:1>")), CT_INVALID);
    FAILS(ct_logical_product(L_("(4,2):(1,2)"), L_("2:1")), CT_E_NO_LAYOUT, CT_OP_COMPLEMENT,
          CT_WHY_OVERLAP, ANY, 2, 4);
    FAILS(ct_logical_product_by(A, TL("<2:1,2:1,2:1>")), CT_E_ARGUMENT, CT_OP_PRODUCT,
          CT_WHY_RANK_MORE, ANY, 3, 2);
    FAILS(ct_blocked_product(L_("(4,2):(1,2)"), L_("2:1")), CT_E_NO_LAYOUT, CT_OP_COMPLEMENT,
          CT_WHY_OVERLAP, ANY, 2, 4);
    FAILS(ct_tile_to_shape(L_("(2,2):(1,2)"), T("(4,5)"), T("(0,1)")), CT_E_ARGUMENT,
          CT_OP_TILE_TO_SHAPE, CT_WHY_TILE_DIVIDES, 1, 2, 5);
    FAILS(ct_tile_to_shape(L_("(2,2,2):(1,2,4)"), T("(4,4)"), T("(0,1)")), CT_E_ARGUMENT,
          CT_OP_TILE_TO_SHAPE, CT_WHY_RANK_MORE, ANY, 3, 2);
    FAILS(ct_local_tile(ct_make_tensor(A), TL("(4,3)"), T("(2,0)")), CT_E_DOMAIN, CT_OP_LOCAL_TILE,
          CT_WHY_COORD, ANY, 2, 2);
    FAILS(ct_inner_partition(ct_make_tensor(A), TL("(4,3)"), T("(0,2)")), CT_E_DOMAIN,
          CT_OP_PARTITION, CT_WHY_COORD, ANY, 2, 2);
    FAILS(ct_outer_partition(ct_make_tensor(A), TL("(4,3)"), T("(4,0)")), CT_E_DOMAIN,
          CT_OP_OUTER_PARTITION, CT_WHY_COORD, ANY, 4, 4);
    FAILS(ct_local_partition(ct_make_tensor(A), L_("(4,3):(3,1)"), 12), CT_E_DOMAIN,
          CT_OP_LOCAL_PARTITION, CT_WHY_THREAD, ANY, 12, 12);
    FAILS(ct_local_partition(ct_make_tensor(A), L_("(4,3):(3,1)"), -1), CT_E_DOMAIN,
          CT_OP_LOCAL_PARTITION, CT_WHY_THREAD, ANY, -1, 12);
    FAILS(ct_local_partition(ct_make_tensor(A), L_("(4,2):(1,16)"), 5), CT_E_DOMAIN,
          CT_OP_LOCAL_PARTITION, CT_WHY_THREAD_GAP, 0, 5, 0);
    FAILS(ct_local_partition(ct_make_tensor(A), L_("(4,2):(1,16)"), 20), CT_E_DOMAIN,
          CT_OP_LOCAL_PARTITION, CT_WHY_THREAD_PAST, 0, 20, 0);
    FAILS(ct_local_partition(ct_make_tensor(A), L_("(4,3):(1,0)"), 4), CT_E_DOMAIN,
          CT_OP_LOCAL_PARTITION, CT_WHY_THREAD, ANY, 4, 4);
    FAILS(ct_local_partition(ct_make_tensor(A), L_("(4,3):(1,2)"), 3), CT_E_DOMAIN,
          CT_OP_LOCAL_PARTITION, CT_WHY_COVER_TWICE, 0, 3, 0);
    assert_int_equal(ct_local_partition(ct_make_tensor(A), L_("(4,3):(1,2)"), 7).layout.err.status,
                     CT_OK);
    FAILS(ct_local_partition(ct_make_tensor(A), L_("(4,3):(1@0,1@1)"), 4), CT_E_ARGUMENT,
          CT_OP_LOCAL_PARTITION, CT_WHY_NOT_INTEGER, 0, ANY, ANY);
    FAILS(ct_tensor_slice(ct_make_tensor(A), T("(8,_)")), CT_E_DOMAIN, CT_OP_CRD2IDX, CT_WHY_COORD,
          0, 8, 8);
    FAILS(ct_upcast(L_("8:3"), 4), CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_UPCAST_STRIDE, 0, 3, 4);
    FAILS(ct_upcast(L_("(2,6):(8,1)"), 4), CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_UPCAST_SHAPE, 1, 6,
          4);
    FAILS(ct_upcast(L_("4:-1"), 4), CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_UPCAST_STRIDE, 0, -1, 4);
    FAILS(ct_upcast(A, 0), CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_NOT_POSITIVE, ANY, 0, ANY);
    FAILS(ct_downcast(L_("(4,2):(2,8)"), 2), CT_E_ARGUMENT, CT_OP_DOWNCAST, CT_WHY_NO_UNIT, 0, 0,
          ANY);
    FAILS(ct_downcast(A, -1), CT_E_ARGUMENT, CT_OP_DOWNCAST, CT_WHY_NOT_POSITIVE, ANY, -1, ANY);
    FAILS(ct_recast(A, 16, 0), CT_E_ARGUMENT, CT_OP_RECAST, CT_WHY_NOT_POSITIVE, ANY, 0, ANY);
    FAILS(ct_make_swizzle(-1, 0, 3), CT_E_ARGUMENT, CT_OP_SWIZZLE, CT_WHY_SWIZZLE, ANY, -1, 0);
    FAILS(ct_make_swizzle(3, 4, 2), CT_E_ARGUMENT, CT_OP_SWIZZLE, CT_WHY_SWIZZLE, ANY, 3, 4);
    FAILS(ct_make_swizzle(3, 4, -2), CT_E_ARGUMENT, CT_OP_SWIZZLE, CT_WHY_SWIZZLE, ANY, 3, 4);
    FAILS(ct_make_swizzle(3, 57, 3), CT_E_ARGUMENT, CT_OP_SWIZZLE, CT_WHY_SWIZZLE, ANY, 3, 57);
    FAILS(ct_swizzle_upcast(ct_make_swizzle(3, 2, 3), 8), CT_E_ARGUMENT, CT_OP_UPCAST,
          CT_WHY_SWIZZLE, 0, 3, -1);
    FAILS(ct_swizzle_upcast(ct_make_swizzle(3, 4, 3), 6), CT_E_ARGUMENT, CT_OP_UPCAST,
          CT_WHY_NOT_POWER, 0, 6, 0);
    FAILS(ct_swizzle_upcast(ct_make_swizzle(3, 4, 3), 0), CT_E_ARGUMENT, CT_OP_UPCAST,
          CT_WHY_NOT_POWER, 0, 0, 0);
    FAILS(ct_swizzle_downcast(ct_make_swizzle(3, 4, 3), 3), CT_E_ARGUMENT, CT_OP_DOWNCAST,
          CT_WHY_NOT_POWER, 0, 3, 0);
    const ct_swizzle s = ct_make_swizzle(1, 0, 1);
    FAILS(ct_make_swizzled(s, 0, L_("4:-1")), CT_E_ARGUMENT, CT_OP_COMPOSED, CT_WHY_NEGATIVE, ANY,
          -3, ANY);
    FAILS(ct_make_swizzled(s, -1, L_("4:1")), CT_E_ARGUMENT, CT_OP_COMPOSED, CT_WHY_NEGATIVE, ANY,
          -1, ANY);
    FAILS(ct_make_swizzled(s, 0, L_("4:1@0")), CT_E_ARGUMENT, CT_OP_COMPOSED, CT_WHY_NOT_INTEGER,
          ANY, ANY, ANY);
    FAILS(ct_make_swizzled(ct_make_swizzle(2, 0, 1), 0, L_("4:1")), CT_E_ARGUMENT, CT_OP_SWIZZLE,
          CT_WHY_SWIZZLE, ANY, 2, 0);
    FAILS(ct_tensor_at(ct_make_swizzled(s, 0, L_("4:1")), T("4")), CT_E_DOMAIN, CT_OP_CRD2IDX,
          CT_WHY_INDEX, ANY, 4, 4);
    FAILS(ct_tensor_cosize(ct_make_swizzled(s, 0, L_("131072:3"))), CT_E_UNDECIDED, CT_OP_COSIZE,
          CT_WHY_PROOF, ANY, 131072, CT_MAX_PROOF);
    FAILS(ct_tensor_upcast(ct_make_swizzled(ct_make_swizzle(1, 3, 1), 2, L_("(4,8):(8,1)")), 4),
          CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_ALIGNMENT, ANY, 2, 4);
}

TEST(copies)
{
    const ct_copy_atom u128 = ct_copy_atom_universal(128, 16),
                       m4 = ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16);
    FAILS(ct_copy_atom_universal(24, 8), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM, ANY, ANY,
          ANY);
    FAILS(ct_copy_atom_universal(64, 24), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM_BITS, ANY, 64,
          24);
    FAILS(ct_copy_atom_universal(64, 0), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM_BITS, ANY, 64,
          0);
    FAILS(ct_copy_atom_universal(16, 32), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM_BITS, ANY, 16,
          32);
    FAILS(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, 16, 16), CT_E_ARGUMENT, CT_OP_COPY_ATOM,
          CT_WHY_ATOM, ANY, ANY, ANY);
    FAILS(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 64, 16), CT_E_ARGUMENT, CT_OP_COPY_ATOM,
          CT_WHY_ATOM, ANY, ANY, ANY);
    FAILS(ct_copy_atom_cp_async(CT_ATOM_LDMATRIX, 128, 16), CT_E_ARGUMENT, CT_OP_COPY_ATOM,
          CT_WHY_ATOM, ANY, ANY, ANY);
    FAILS(ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 3, 16), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM,
          ANY, ANY, ANY);
    FAILS(ct_copy_atom_matrix(CT_ATOM_LDMATRIX_TRANS, 4, 8), CT_E_ARGUMENT, CT_OP_COPY_ATOM,
          CT_WHY_ATOM, ANY, ANY, ANY);
    FAILS(ct_copy_atom_matrix(CT_ATOM_STMATRIX, 4, 64), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM,
          ANY, ANY, ANY);
    FAILS(ct_copy_atom_matrix(CT_ATOM_UNIVERSAL, 4, 16), CT_E_ARGUMENT, CT_OP_COPY_ATOM,
          CT_WHY_ATOM, ANY, ANY, ANY);
    FAILS(ct_make_tiled_copy(u128, L_("(16,8):(8,1)"), L_("(1,4):(1,1)")), CT_E_ARGUMENT,
          CT_OP_TILED_COPY, CT_WHY_VALUES, ANY, 4, 8);
    FAILS(ct_make_tiled_copy(m4, L_("(4,4):(1,4)"), L_("(8,8):(8,1)")), CT_E_ARGUMENT,
          CT_OP_TILED_COPY, CT_WHY_THREADS, ANY, 16, 32);
    FAILS(ct_make_tiled_copy(u128, L_("(16,8):(8,2)"), L_("(1,8):(1,1)")), CT_E_ARGUMENT,
          CT_OP_TILED_COPY, CT_WHY_COVER_MISSING, 0, 1, ANY);
    FAILS(ct_make_tiled_copy(u128, L_("(16,8):(16,1)"), L_("(1,8):(1,1)")), CT_E_ARGUMENT,
          CT_OP_TILED_COPY, CT_WHY_COVER_MISSING, 0, 8, ANY);
    FAILS(ct_make_tiled_copy(u128, L_("(16,8):(8,1)"), L_("(1,8):(1,2)")), CT_E_ARGUMENT,
          CT_OP_TILED_COPY, CT_WHY_COVER_MISSING, 1, 1, ANY);
    FAILS(ct_make_tiled_copy(u128, L_("(16,8):(8,1)"), L_("(2,8):(0,1)")), CT_E_ARGUMENT,
          CT_OP_TILED_COPY, CT_WHY_COVER_TWICE, 1, 0, ANY);
    const ct_tiled_copy tc = ct_make_tiled_copy(u128, L_("(16,8):(8,1)"), L_("(1,8):(1,1)"));
    assert_int_equal(tc.atom.err.status, CT_OK);
    FAILS(ct_partition_src(tc, ct_make_tensor(L_("(16,64):(64,1)")), 128), CT_E_DOMAIN,
          CT_OP_PARTITION_COPY, CT_WHY_THREAD, ANY, 128, 128);
    FAILS(ct_partition_dst(tc, ct_make_tensor(L_("(16,64):(64,1)")), -1), CT_E_DOMAIN,
          CT_OP_PARTITION_COPY, CT_WHY_THREAD, ANY, -1, 128);
    const ct_layout row = L_("(16,64):(64,1)"), col = L_("(16,64):(1,16)"),
                    odd = L_("(16,64):(68,1)");
    check_error("strided source", ct_tiled_copy_check(tc, col, row),
                (expected){CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_CONTIGUOUS, 0, 8, 1});
    check_error("strided destination", ct_tiled_copy_check(tc, row, col),
                (expected){CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_CONTIGUOUS, 1, 8, 1});
    check_error("rows off the alignment", ct_tiled_copy_check(tc, odd, row),
                (expected){CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_ALIGNMENT, 0, 68, 8});
    assert_int_equal(ct_tiled_copy_check(tc, row, row).status, CT_OK);
    FAILS(ct_make_cotiled_copy(u128, L_("(16,16):(16,1)"), L_("(16,8):(16,1)")), CT_E_NO_LAYOUT,
          CT_OP_COTILED_COPY, CT_WHY_COVER_MISSING, ANY, ANY, ANY);
    FAILS(ct_copy_width(row, L_("(16,32):(32,1)"), 2, 16, 0, 0), CT_E_ARGUMENT, CT_OP_COPY_WIDTH,
          CT_WHY_SIZES, ANY, 1024, 512);
    FAILS(ct_copy_width(row, row, 0, 16, 0, 0), CT_E_ARGUMENT, CT_OP_COPY_WIDTH,
          CT_WHY_NOT_POSITIVE, ANY, 0, ANY);
    FAILS(ct_copy_width(row, row, 2, 12, 0, 0), CT_E_ARGUMENT, CT_OP_COPY_WIDTH, CT_WHY_NOT_POWER,
          ANY, ANY, ANY);
}

/* 64 bits: what does not fit is an error, what just fits is a result. */
TEST(overflow)
{
    const int64_t big = INT64_C(1) << 62;
    FAILS(ct_layout2(big, 2, 1, 0), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT, CT_WHY_OVERFLOW, 1, ANY, ANY);
    FAILS(ct_layout1(4, big), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT, CT_WHY_OVERFLOW, 0, ANY, ANY);
    FAILS(ct_layout2(2, 2, big, big), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT, CT_WHY_OVERFLOW, 1, ANY,
          ANY);
    FAILS(ct_layout1(1, INT64_MIN), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT, CT_WHY_OVERFLOW, 0, ANY, ANY);
    FAILS(ct_layout1(2, INT64_MAX), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT, CT_WHY_OVERFLOW, 0, ANY, ANY);
    assert_int_equal(ct_cosize(ct_layout1(2, INT64_MAX - 1)), INT64_MAX);
    assert_int_equal(ct_layout2(2, 2, -big, -big + 2).err.status, CT_OK);
    FAILS(ct_layout2(2, 2, -big, -big), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT, CT_WHY_OVERFLOW, 1, ANY,
          ANY);
    FAILS(ct_make_layout2(ct_layout1(big, 1), ct_layout1(4, 1)), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT,
          CT_WHY_OVERFLOW, 1, ANY, ANY);
    FAILS(ct_make_col_major(T("(4611686018427387904,4)")), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT,
          CT_WHY_OVERFLOW, ANY, ANY, ANY);
    FAILS(ct_make_row_major(T("(4,4611686018427387904)")), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT,
          CT_WHY_OVERFLOW, ANY, ANY, ANY);
    FAILS(ct_composition(L_("8:1152921504606846976"), L_("2:8")), CT_E_OVERFLOW, CT_OP_COMPOSITION,
          CT_WHY_OVERFLOW, 0, ANY, ANY);
    FAILS(ct_composition(L_("(4,8):(1,1152921504606846975)"), L_("3:4611686018427387900")),
          CT_E_OVERFLOW, CT_OP_COMPOSITION, CT_WHY_OVERFLOW, 0, ANY, ANY);
    FAILS(ct_logical_product(L_("4611686018427387904:1"), L_("4:1")), CT_E_OVERFLOW, CT_OP_PRODUCT,
          CT_WHY_OVERFLOW, ANY, ANY, ANY);
    FAILS(ct_downcast(L_("(4,2):(1,4611686018427387904)"), 4), CT_E_OVERFLOW, CT_OP_DOWNCAST,
          CT_WHY_OVERFLOW, ANY, ANY, ANY);
    FAILS(ct_layout_add(L_("2:9223372036854775806"), L_("2:2")), CT_E_OVERFLOW, CT_OP_LAYOUT_ADD,
          CT_WHY_OVERFLOW, ANY, ANY, ANY);
    FAILS(ct_complement(L_("4:2305843009213693952"), 8), CT_E_OVERFLOW, CT_OP_COMPLEMENT,
          CT_WHY_OVERFLOW, ANY, ANY, ANY);
    FAILS(ct_prefix_product(T("(4294967296,2147483648,1)"), T("1")), CT_E_OVERFLOW,
          CT_OP_PREFIX_PRODUCT, CT_WHY_OVERFLOW, 2, ANY, ANY);
    FAILS(ct_suffix_product(T("(1,4294967296,2147483648)"), T("1")), CT_E_OVERFLOW,
          CT_OP_SUFFIX_PRODUCT, CT_WHY_OVERFLOW, 0, ANY, ANY);
    FAILS(ct_prefix_product(T("(2,3)"), T("(1,1,1)")), CT_E_ARGUMENT, CT_OP_PREFIX_PRODUCT,
          CT_WHY_PROFILE, ANY, ANY, ANY);
    FAILS(ct_suffix_product(T("(2,1@0)"), T("1")), CT_E_ARGUMENT, CT_OP_SUFFIX_PRODUCT,
          CT_WHY_NOT_INTEGER, 1, ANY, ANY);
    FAILS(ct_crd2idx(T("0"), T("(4611686018427387904,4)")), CT_E_OVERFLOW, CT_OP_CRD2IDX,
          CT_WHY_OVERFLOW, ANY, ANY, ANY);
    FAILS(ct_greatest_common_domain(T("(4611686018427387904,4)"), T("4")), CT_E_OVERFLOW,
          CT_OP_REFINE, CT_WHY_OVERFLOW, ANY, ANY, ANY);
    assert_int_equal(ct_product(T("(4611686018427387904,2)")), CT_INVALID);
    assert_int_equal(ct_cosize(L_("(2,2):(9223372036854775806,2)")), CT_INVALID);
    FAILS(ct_make_swizzled(ct_make_swizzle(1, 0, 1), INT64_MAX, L_("4:1")), CT_E_OVERFLOW,
          CT_OP_COMPOSED, CT_WHY_OVERFLOW, ANY, ANY, ANY);
}

/* The layout 2^n: n leaves of size 2, strides from `first`, each `factor` times the one before. */
static ct_layout twos(int n, int64_t first, int64_t factor, int backwards)
{
    ct_layout L;
    memset(&L, 0, sizeof L);
    L.profile = ct_profile_flat(n);
    for (int k = 0; k < n; ++k, first *= factor) {
        const int at = backwards ? n - 1 - k : k;
        L.shape[at] = 2;
        L.stride[at] = first;
    }
    return L;
}

/* CT_MAX_LEAVES leaves fit; one more is an error that says how many are needed. */
/* Arguments past what a mode, a path or a nesting can hold: never wrapped into another one. */
TEST(out_of_range)
{
    FAILS(ct_basis(1, -1), CT_E_DOMAIN, CT_OP_TUPLE, CT_WHY_INDEX, ANY, -1, CT_MAX_BASIS);
    FAILS(ct_basis(1, 255), CT_E_DOMAIN, CT_OP_TUPLE, CT_WHY_INDEX, ANY, 255, CT_MAX_BASIS);
    assert_int_equal(ct_basis(1, CT_MAX_BASIS - 1).err.status, CT_OK);
    ct_tuple t = ct_int(3);
    ct_layout L = ct_layout1(3, 1), deeper = L;
    for (int i = 0; i < 300; ++i) {
        const int fits = i < CT_MAX_NESTING;
        t = ct_wrap(t);
        L = ct_layout_wrap(L);
        assert_int_equal(t.err.status, fits ? CT_OK : CT_E_CAPACITY);
        assert_int_equal(L.err.status, fits ? CT_OK : CT_E_CAPACITY);
        if (!fits) assert_int_equal(L.err.why, CT_WHY_DEPTH);
        else assert_int_equal(ct_depth(t), i + 1);
        ct_layout next = CT_ZERO;
        ct_push_next(&next, ct_whole(&deeper));
        deeper = next;
        assert_int_equal(deeper.err.status, fits ? CT_OK : CT_E_CAPACITY);
    }
    FAILS(ct_repeat_any(CT_MAX_LEAVES + 1), CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_LEAVES, ANY,
          CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
    assert_int_equal(ct_rank(ct_repeat_any(CT_MAX_LEAVES)), CT_MAX_LEAVES);
    assert_true(ct_atom_vector(ct_copy_atom_universal(24, 16)) == CT_INVALID);
    FAILS(ct_hier_coord(L_("4:-1"), INT64_MIN), CT_E_DOMAIN, CT_OP_IDX2CRD, CT_WHY_NO_OFFSET, 0,
          INT64_MIN, -3);
    FAILS(ct_hier_coord(L_("4:1"), INT64_MIN), CT_E_DOMAIN, CT_OP_IDX2CRD, CT_WHY_NO_OFFSET, 0,
          INT64_MIN, 0);
    FAILS(ct_hier_coord(L_("(3,2):(-2,5)"), INT64_MIN), CT_E_DOMAIN, CT_OP_IDX2CRD,
          CT_WHY_NO_OFFSET, 0, INT64_MIN, -4);
    FAILS(ct_hier_coord(L_("(100000,100000):(6,4)"), 399999), CT_E_UNDECIDED, CT_OP_IDX2CRD,
          CT_WHY_PROOF, 0, 10000000000, CT_MAX_PROOF);
    FAILS(ct_select(T("(4,8)"), T("(4294967296)")), CT_E_ARGUMENT, CT_OP_SELECT, CT_WHY_INDEX, ANY,
          4294967296, 2);
    FAILS(ct_select(T("(4,8)"), T("(_,1)")), CT_E_ARGUMENT, CT_OP_SELECT, CT_WHY_NOT_INTEGER, 0,
          ANY, ANY);
    const ct_copy_width_result w =
        ct_copy_width(L_("4096:1"), L_("4096:1"), 1, (int64_t)1 << 40, 0, 0);
    assert_int_equal(w.bytes, 4096);
    FAILS(
        ct_local_tile(ct_make_tensor(L_("(8,8):(8,1)")), ct_tiler_of_shape(T("(4,4)")), T("(5,0)")),
        CT_E_DOMAIN, CT_OP_LOCAL_TILE, CT_WHY_COORD, 0, 5, 2);
    FAILS(
        ct_local_tile(ct_make_tensor(L_("(8,8):(8,1)")), ct_tiler_of_shape(T("(4,4)")), T("(0,2)")),
        CT_E_DOMAIN, CT_OP_LOCAL_TILE, CT_WHY_COORD, 1, 2, 2);
}

TEST(capacity)
{
    const int max = CT_MAX_LEAVES;
    const ct_layout full = twos(max, 1, 2, 1), gaps = twos(max, 1, 3, 0);
    const ct_tuple shape = ct_shape(full);
    FAILS(ct_append(shape, ct_int(1)), CT_E_CAPACITY, CT_OP_APPEND, CT_WHY_LEAVES, ANY, max + 1,
          max);
    FAILS(ct_prepend(shape, ct_int(1)), CT_E_CAPACITY, CT_OP_APPEND, CT_WHY_LEAVES, ANY, max + 1,
          max);
    FAILS(ct_concat(shape, shape), CT_E_CAPACITY, CT_OP_APPEND, CT_WHY_LEAVES, ANY, 2 * max, max);
    FAILS(ct_replace(shape, 0, T("(2,2)")), CT_E_CAPACITY, CT_OP_APPEND, CT_WHY_LEAVES, ANY,
          max + 1, max);
    FAILS(ct_make_layout2(full, L_("2:1")), CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, ANY,
          max + 1, max);
    FAILS(ct_layout_append(full, L_("2:1")), CT_E_CAPACITY, CT_OP_APPEND, CT_WHY_LEAVES, ANY,
          max + 1, max);
    FAILS(ct_composition(full, ct_layout2(INT64_C(1) << max, 2, 1, 0)), CT_E_CAPACITY,
          CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, ANY, ANY, max);
    FAILS(ct_make_identity_layout(T("(2,(2,(2,(2,(2,2)))))")), CT_E_CAPACITY, CT_OP_TUPLE,
          CT_WHY_DEPTH, ANY, 5, 4);
    FAILS(ct_downcast(ct_layout_append(twos(max - 1, 2, 2, 0), L_("2:-1")), 2), CT_E_CAPACITY,
          CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, ANY, max + 1, max);
    /* What fits. */
    assert_int_equal(ct_composition(full, ct_layout1(INT64_C(1) << max, 1)).profile.leaves, max);
    assert_int_equal(ct_coalesce(gaps).profile.leaves, max);
    assert_int_equal(ct_coalesce(twos(max, 1, 2, 0)).profile.leaves, 1);
    assert_int_equal(ct_right_inverse(full).profile.leaves, max);
    assert_int_equal(ct_size(ct_right_inverse(full)), INT64_C(1) << max);
    assert_int_equal(ct_left_inverse(full).err.status, CT_OK);
    assert_int_equal(ct_left_inverse(full).profile.leaves, max);
    assert_int_equal(ct_complement(full, INT64_C(1) << max).err.status, CT_OK);
    assert_int_equal(ct_size(ct_complement(full, INT64_C(1) << max)), 1);
    assert_int_equal(ct_complement(full, INT64_C(3) << max).shape[0], 3);
    assert_int_equal(ct_nullspace(twos(max, 0, 1, 0)).profile.leaves, max);
    assert_int_equal(ct_make_identity_layout(shape).err.status, CT_OK);
    assert_int_equal(ct_layout_add(gaps, gaps).profile.leaves, max);
    assert_int_equal(ct_filter(gaps).profile.leaves, max);
    assert_int_equal(ct_downcast(twos(max, 1, 3, 0), 4).profile.leaves, max);
    assert_int_equal(ct_upcast(twos(max, 4, 3, 0), 4).profile.leaves, max);
}

/* Whether two errors are the same; the bytes between their parts may differ. */
static int same_error(ct_error a, ct_error b)
{
    return a.status == b.status && a.op == b.op && a.why == b.why && a.mode == b.mode &&
           a.other == b.other && memcmp(a.n, b.n, sizeof a.n) == 0;
}

/* One name for the error of every type, wherever the type keeps it. */
TEST(one_name)
{
    const ct_error e = ct_make_error(CT_E_DOMAIN, CT_OP_TUPLE, CT_WHY_INDEX, 3, 7, 5);
    const ct_layout bad = ct_layout_fail(e), good = ct_layout1(4, 1);
    ct_swizzle swizzle = ct_swizzle_none();
    ct_tensor offset = ct_make_tensor(good), swizzled = offset;
    ct_tiled_copy tv = CT_ZERO, tiles = CT_ZERO;
    ct_tiled_mma thr = CT_ZERO;
    ct_copy_width_result width = CT_ZERO;
    ct_mma_instruction instruction = CT_ZERO;
    ct_tiler tiler = CT_ZERO;
    swizzle.err = width.err = instruction.err = e;
    offset.offset = ct_tuple_fail(e);
    swizzled.swizzle = swizzle;
    tv.tv = tiles.tiler.tiles = thr.thr = tiler.tiles = bad;
    /* clang-format off */
    const ct_error found[] = {
        ct_err(ct_tuple_fail(e)), ct_err(bad), ct_err(swizzle), ct_err(ct_linear_fail(e)),
        ct_err(ct_normal_fail(e)), ct_err(ct_copy_atom_fail(e)), ct_err(ct_partition_fail(e)),
        ct_err(width), ct_err(ct_mma_atom_fail(e)), ct_err(ct_mma_descriptor_fail(e)),
        ct_err(instruction), ct_err(tiler), ct_err(ct_tensor_fail(e)), ct_err(offset),
        ct_err(swizzled), ct_err(ct_tiled_copy_fail(e)), ct_err(tv), ct_err(tiles),
        ct_err(ct_tiled_mma_fail(e)), ct_err(thr)};
    /* clang-format on */
    for (size_t i = 0; i < sizeof found / sizeof *found; ++i)
        if (!same_error(found[i], e)) fail_msg("value %d has another error", (int)i);
    assert_int_equal(ct_err(good).status, CT_OK);
    assert_int_equal(ct_err(ct_make_tensor(good)).status, CT_OK);
    assert_int_equal(ct_err(ct_int(3)).status, CT_OK);
}

GROUP("failures", NULL, NULL)
