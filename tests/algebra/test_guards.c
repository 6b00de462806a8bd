/* Branches of inner functions that no operation of the other tests takes: overflows next to the ends,
 * parts without leaves, errors of a second operand, what its callers have refused already. */
#include "same_error.h"
#include "sweep.h"

#include <cutlet/algebra/normalize.h>

static const int64_t FAR = (int64_t)1 << 62;

/* A layout of two leaves whose offsets need not fit. */
static ct_layout unchecked(int64_t s0, int64_t d0, uint32_t b0, int64_t s1, int64_t d1, uint32_t b1)
{
    ct_layout L = CT_ZERO;
    L.profile = ct_profile_flat(2);
    L.shape[0] = s0;
    L.shape[1] = s1;
    L.stride[0] = d0;
    L.stride[1] = d1;
    L.basis[0] = b0;
    L.basis[1] = b1;
    return L;
}

/* A mode that ends past 64 bits does not run on into a mode of stride 0. */
TEST(past_64_bits)
{
    const ct_layout ends = L_("(2,3):(4611686018427387904,0)");
    assert_true(ct_layout_equal(ct_coalesce(ends), ends));
    FAILS(ct_complement(unchecked(2, FAR, 0, 2, -FAR, 0), 8), CT_E_OVERFLOW, CT_OP_COMPLEMENT,
          CT_WHY_OVERFLOW, 0, 0, 0);
    FAILS(ct_left_inverse(unchecked(2, FAR, 0, 2, FAR, 0)), CT_E_NO_LAYOUT, CT_OP_LEFT_INVERSE,
          CT_WHY_OVERLAP, 0, FAR, 0);
    FAILS(ct_at(unchecked(2, INT64_MAX, 1, 2, INT64_MAX, 1), T("(1,1)")), CT_E_OVERFLOW,
          CT_OP_CRD2IDX, CT_WHY_OVERFLOW, 0, 0, 0);
    /* the least common multiple of two primes near 2^32 */
    assert_true(ct_layout_equal(ct_greatest_common_domain(T("(4294967291,2)"), T("(4294967279,2)")),
                                L_("(1):(0)")));
    /* 4 * (2^61 - 1) fits, and 5 times as many does not */
    FAILS(ct_logical_product(L_("(2,2):(1,3)"), ct_layout1(((int64_t)1 << 61) - 1, 1)),
          CT_E_OVERFLOW, CT_OP_PRODUCT, CT_WHY_OVERFLOW, 0, 0, 0);
    const ct_layout A = L_("4:1152921504606846976"), two = L_("2:1");
    assert_int_equal(ct_image_of_bit(&A, 2), 62);
    assert_int_equal(ct_image_of_bit(&A, 40), -1);
    int ok = 1; /* INT64_MIN has no number of the other sign */
    assert_true(ct_add_product(0, -((int64_t)1 << 31), (int64_t)1 << 32, &ok) == 0 && !ok);
    ok = 1;
    assert_true(ct_add_product(1, -((int64_t)1 << 31), (int64_t)1 << 32, &ok) == -INT64_MAX && ok);
    /* the first shape tried for 2 and 3, (2,..):(-2,4), gives the highest offset an index past 64 bits */
    FAILS(ct_left_inverse(L_("(2,2,2):(9223372036854775800,3,2)")), CT_E_OVERFLOW,
          CT_OP_LEFT_INVERSE, CT_WHY_OVERFLOW, 0, 0, 0);
    ct_tensor t = ct_make_tensor(two);
    t.offset = ct_int(8);
    FAILS(ct_composition_of_tensor(A, t), CT_E_OVERFLOW, CT_OP_COMPOSITION, CT_WHY_OVERFLOW, 0, 0,
          0);
    const ct_layout last = L_("2:2305843009213693952");
    const ct_tensor R = ct_make_tensor(L_("4:2305843009213693952")),
                    eight = ct_make_tensor(L_("8:1"));
    same("an image past 64 bits", ct_check_image(&R, &last, &eight),
         ct_make_error(CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_OFFSET, 0, 4, 0));
}

/* A step whose double does not fit is not the step of a longer leaf. */
TEST(steps)
{
    const ct_layout A = L_("(2,2):(4611686018427387904,0)"), V = L_("4:1");
    const ct_steps f = ct_steps_from(&A, 0, &V);
    ct_layout R = CT_ZERO;
    assert_int_equal(ct_find_steps(&R, &f, 4), 1);
    ct_close_flat(&R);
    assert_true(ct_layout_equal(R, A));
    /* 17 leaves: sixteen of A, and 3 * 2^16 steps at the end of V */
    ct_layout D = CT_ZERO, W = CT_ZERO, S = CT_ZERO;
    int64_t step = 1;
    for (int i = 0; i < CT_MAX_LEAVES; ++i, step *= 3) ct_push_next_leaf(&D, 2, step, CT_INTEGER);
    ct_push_next_leaf(&W, (int64_t)1 << CT_MAX_LEAVES, 1, CT_INTEGER);
    ct_push_next_leaf(&W, 2, (int64_t)3 << CT_MAX_LEAVES, CT_INTEGER);
    ct_push_next_leaf(&W, 2, (int64_t)11 << CT_MAX_LEAVES,
                      CT_INTEGER); /* one more after the one too many */
    const ct_steps many = ct_steps_from(&D, 0, &W);
    assert_int_equal(ct_find_steps(&S, &many, (int64_t)4 << CT_MAX_LEAVES), -1);
    assert_int_equal(S.err.status, CT_E_CAPACITY);
}

/* A composition that overflows where it has too many leaves as well: the leaves are said. */
TEST(leaves_and_overflow)
{
    ct_layout B = CT_ZERO;
    for (int i = 0; i < CT_MAX_LEAVES / 2; ++i) ct_push_next_leaf(&B, 4, 1, CT_INTEGER);
    ct_push_next_leaf(&B, 2, 32, CT_INTEGER);
    FAILS(ct_composition(L_("(2,4):(1,1152921504606846976)"), B), CT_E_CAPACITY, CT_OP_MAKE_LAYOUT,
          CT_WHY_LEAVES, 0, CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
}

/* Strides along a mode and along a mode inside of it; coordinates with too many modes, or with none. */
TEST(bases)
{
    FAILS(ct_composition(L_("((4,4),4):((1,4),16)"), L_("(2,2):(1@0,1@0@0)")), CT_E_ARGUMENT,
          CT_OP_CRD2IDX, CT_WHY_BASIS_MIXED, 1, 0, 0);
    FAILS(ct_at(L_("4:1@20"), ct_int(1)), CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_LEAVES, 0,
          CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
    assert_true(ct_path_key(0x04830201u) == 0x01028304u && ct_path_key(0x01u) == 0x01000000u);
    const ct_terms none = CT_ZERO;
    assert_true(ct_tuple_equal(ct_terms_coordinate(none), ct_tuple0()));
    FAILS(ct_hier_coord(L_("(2,2):(1,1@0)"), 1), CT_E_ARGUMENT, CT_OP_HIER_COORD,
          CT_WHY_NOT_INTEGER, 1, 0, 0);
    FAILS(ct_complement_shape(L_("4:0@0"), ct_int(8)), CT_E_ARGUMENT, CT_OP_COMPLEMENT,
          CT_WHY_BASIS_SHAPE, 0, 0, 0);
    /* both are wrong: the first leaf without a mode is said */
    FAILS(ct_complement_shape(L_("(2,2,2):(1@5,1@0,1@0@0)"), T("((2,3),4)")), CT_E_ARGUMENT,
          CT_OP_COMPLEMENT, CT_WHY_BASIS_SHAPE, 0, 0, 0);
    FAILS(ct_complement_shape(L_("2:1@0"), T("(((((2,2),2),2),2),2)")), CT_E_CAPACITY, CT_OP_TUPLE,
          CT_WHY_DEPTH, 0, 5, CT_MAX_DEPTH);
    assert_int_equal(ct_eval2(L_("(2,3,4):(1,2,6)"), 1, 2), 5);
    assert_int_equal(ct_eval2(L_("(2,3):(1,1@0)"), 1, 2), 1);
}

/* Codes and numbers that no sum has. */
TEST(sums)
{
    const ct_tuple ft = ct_tuple_fail(mark(1)), gt = ct_tuple_fail(mark(2)), a = T("1@0");
    KEPT(ct_basis_add(ft, a));
    KEPT(ct_basis_add(a, ft));
    KEPT(ct_basis_add(ft, gt));
    assert_false(ct_is_sum(CT_ANY));
    ct_tuple no_modes = a, far = ct_basis_add(a, T("1@1"));
    no_modes.basis[0] = 0xffu; /* of two terms without modes */
    far.value[0] = INT64_MAX;  /* which leaves 2^31 for the second number */
    FAILS(ct_make_layout(ct_int(2), no_modes), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT, CT_WHY_OVERFLOW, 0,
          0, 0);
    FAILS(ct_make_layout(ct_int(2), far), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT, CT_WHY_TERM, 0,
          -(int64_t)INT32_MAX - 1, INT32_MAX);
    FAILS(ct_composition(L_("(4,4)"), unchecked(2, 0, 0xffu, 2, 0, 0)), CT_E_ARGUMENT,
          CT_OP_COMPOSITION, CT_WHY_BASIS, 0, 0, 0);
}

/* What has no leaves, one coordinate, or nothing to be added. */
TEST(empty)
{
    const ct_tuple t = T("(2,3)"), none = ct_tuple0();
    ct_tuple grown = t;
    ct_tuple_push_next(&grown, &none);
    assert_true(ct_tuple_equal(grown, t));
    assert_true(ct_tuple_equal(ct_pad_ones(none, none), none));
    const ct_layout L = L_("(4,2):(1,4)"), empty_layout = CT_ZERO;
    assert_true(ct_layout_equal(ct_tiled_divide(L, empty_layout), L_("(8):(1)")));
    assert_true(ct_layout_equal(ct_flat_divide(L, empty_layout), L_("(8):(1)")));
    const ct_tensor no_mode = ct_make_tensor(empty_layout);
    FAILS(ct_zip_product_by_tensor(no_mode, no_mode, 1), CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE, 1,
          1, 0);
    const ct_span nothing = CT_ZERO;
    assert_int_equal(ct_profile_part(t.profile, nothing, 0, 0).leaves, 0);
    int beyond = 7;
    assert_int_equal(ct_profile_run(t.profile, 2, 1, &beyond), 0);
    assert_int_equal(beyond, -1);
    ct_layout one = L_("5:7");
    ct_pad_rank(&one, 0);
    assert_true(ct_layout_equal(one, L_("5:7")));
    ct_normal_form f = CT_ZERO;
    ct_normal_mode m = CT_ZERO;
    f.sides = 1;
    m.extent = 1;
    m.step[0] = 4;
    ct_normal_insert(&f, m);
    assert_int_equal(f.modes, 0);
    f.err = mark(1);
    m.extent = 3;
    ct_normal_insert(&f, m);
    assert_int_equal(f.modes, 0);
    KEPT(f);
}

/* The errors of second operands, of modes and nestings that there are not, and which of two is said. */
TEST(refused)
{
    const ct_layout f = ct_layout_fail(mark(1)), L = L_("(4,2):(1,4)");
    const ct_tuple ft = ct_tuple_fail(mark(1)), t = T("(2,3)");
    const ct_tensor X = ct_make_tensor(L);
    KEPT(ct_thread_coord(f, 0));
    ct_tensor r = CT_ZERO;
    ct_slice_tensor(&r, &X, &f, &t);
    KEPT(r);
    r = (ct_tensor){0};
    ct_slice_tensor(&r, &X, &L, &ft);
    KEPT(r);
    assert_false(ct_tuple_equal(t, ft));
    assert_false(ct_tuple_equal(ft, t));
    FAILS(ct_crd2crd(T("(1,2)"), ct_int(8), T("(2,4)")), CT_E_ARGUMENT, CT_OP_CRD2IDX,
          CT_WHY_COORD_PROFILE, 1, 0, 0);
    FAILS(ct_layout_slice(L, T("((_,1),_)")), CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_COORD_PROFILE, 1,
          0, 0);
    FAILS(ct_replace(t, -1, t), CT_E_ARGUMENT, CT_OP_REPLACE, CT_WHY_MODE, -1, 2, 0);
    FAILS(ct_tuple_push(t, ct_int(1), CT_MAX_NESTING + 1, 0), CT_E_CAPACITY, CT_OP_TUPLE,
          CT_WHY_DEPTH, 0, CT_MAX_NESTING + 1, CT_MAX_NESTING);
    ct_tuple deep = ct_int(5), grown = ct_tuple0();
    deep.profile.open[0] = deep.profile.close[0] = CT_MAX_NESTING - 1;
    ct_tuple_push_next(&grown, &deep);
    assert_true(grown.err.status == CT_OK && grown.profile.open[0] == CT_MAX_NESTING);
    deep.profile.open[0] = deep.profile.close[0] = CT_MAX_NESTING;
    ct_tuple_push_next(&grown, &deep);
    FAILS(grown, CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_DEPTH, 0, CT_MAX_NESTING + 1, CT_MAX_NESTING);
    FAILS(ct_product_each(T("((2,_,_))")), CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_NOT_INTEGER, 1, 0, 0);
    const ct_layout wide =
        ct_layout_wrap(ct_make_col_major(T("(2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2)")));
    FAILS(ct_blocked_product(wide, L), CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0,
          CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
    FAILS(ct_blocked_product(L, wide), CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0,
          CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
}

/* A tensor of one element that begins at a coordinate: where an integer is needed. */
TEST(coordinates)
{
    ct_tensor at = ct_make_tensor(L_("(1,2):(4,0)"));
    const ct_tensor X = ct_make_tensor(L_("(1,2):(4,1)"));
    at.layout = L_("(1,2):(4,1)");
    at.offset = T("0@0");
    same("no step along a mode, and elements that move", ct_tensor_check(&at), (ct_error){0});
    at = ct_make_tensor(L_("(1,2):(4,0)"));
    at.offset = T("(1,2)");
    FAILS(ct_composition_of_tensor(L_("4:1"), at), CT_E_ARGUMENT, CT_OP_COMPOSITION,
          CT_WHY_NOT_INTEGER, 0, 0, 0);
    FAILS(ct_tensor_cosize(at), CT_E_ARGUMENT, CT_OP_COSIZE, CT_WHY_NOT_INTEGER, 0, 0, 0);
    FAILS(ct_tensor_max_common_layout(at, X), CT_E_ARGUMENT, CT_OP_MAX_COMMON, CT_WHY_NOT_INTEGER,
          0, 0, 0);
    FAILS(ct_tensor_max_common_layout(X, at), CT_E_ARGUMENT, CT_OP_MAX_COMMON, CT_WHY_NOT_INTEGER,
          0, 0, 0);
    assert_int_equal(ct_tensor_max_alignment(at), CT_INVALID);
    ct_tensor fine = ct_make_tensor(L_("(4,2):(1,4)"));
    fine.offset = ct_int(5);
    const ct_tensor halves = ct_tensor_recast(fine, 16, 8);
    assert_true(ct_layout_equal(halves.layout, L_("(8,2):(1,8)")) && halves.offset.value[0] == 10);
}

/* Swizzled tensors that are too large to be compared, and one whose bits the other operand has. */
TEST(swizzles)
{
    const ct_swizzle s = ct_make_swizzle(1, 0, 1);
    const int64_t many = 2 * (int64_t)CT_MAX_PROOF;
    const ct_tensor P = ct_make_swizzled(s, 0, ct_layout1(many, 1)),
                    B = ct_make_swizzled(s, 0, L_("(2,2):(1,2)"));
    same("a sum of too many", ct_check_sum(&P, ct_swizzle_none(), 0, &P),
         ct_make_error(CT_E_UNDECIDED, CT_OP_COMPOSITION, CT_WHY_PROOF, 0, many, CT_MAX_PROOF));
    const ct_tensor A = ct_make_tensor(ct_layout1(many, 1));
    FAILS(ct_tensor_product_by_tensor(A, B), CT_E_UNDECIDED, CT_OP_PRODUCT, CT_WHY_PROOF, 0,
          4 * many, CT_MAX_PROOF);
    const ct_tensor plain = ct_tensor_product_by_tensor(A, ct_make_tensor(L_("(2,2):(1,2)")));
    assert_int_equal(plain.layout.err.status, CT_OK);
    assert_int_equal(ct_tensor_eval(plain, 3 * many + 5), 3 * many + 5);
    /* 5 has bit 0, into which the swizzle of the copies moves bit 1 */
    FAILS(ct_tensor_product_by_tensor(ct_make_tensor(L_("2:5")), ct_make_swizzled(s, 0, L_("4:1"))),
          CT_E_NO_LAYOUT, CT_OP_PRODUCT, CT_WHY_SWIZZLE_SUM, 0, 3, 0);
    ct_linear_layout f = CT_ZERO; /* 18 bits in reverse order: a leaf for each */
    f.profile = ct_int(0).profile;
    f.log[0] = f.bits = CT_MAX_LEAVES + 2;
    for (int k = 0; k < f.bits; ++k) f.image[k] = (int64_t)1 << (f.bits - 1 - k);
    FAILS(ct_linear_tensor(f), CT_E_CAPACITY, CT_OP_MAKE_LAYOUT, CT_WHY_LEAVES, 0,
          CT_MAX_LEAVES + 1, CT_MAX_LEAVES);
}

/* What is common is counted up to the largest proof, and all of it where that is less. */
TEST(common)
{
    assert_int_equal(ct_common_by_trial(L_("4:1"), L_("4:1")), 4);
    const ct_layout a = L_("(196608,2):(1,1073741824)"), b = L_("262144:1");
    assert_true(ct_layout_equal(ct_max_common_layout(a, b), ct_layout1(CT_MAX_PROOF, 1)));
}

GROUP("guards", NULL, NULL)
