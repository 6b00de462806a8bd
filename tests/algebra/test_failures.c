/* Ways to fail that the notation cannot write: the status, the operation, the reason and its numbers; no
 * number that the sentence does not say; what does not fit in 64 bits or in CT_MAX_LEAVES leaves. The others
 * are in tests/text/messages.txt. That failures pass on: test_propagation.c. */
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
    assert_int_equal(ct_group(t, 0, 3).err.n[2], 2);
    FAILS(ct_slice(t, T("(_,_,1)")), CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_COORD_PROFILE, ANY, ANY,
          ANY);
    FAILS(ct_slice(t, T("((_,1),_)")), CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_COORD_PROFILE, ANY, ANY,
          ANY);
}

TEST(coordinates)
{
    const ct_layout L = L_("(4,(2,4)):(8,(4,1))");
    FAILS(ct_at(L, T("32")), CT_E_DOMAIN, CT_OP_CRD2IDX, CT_WHY_INDEX, ANY, 32, 32);
    /* An empty layout is not a mode. */
    assert_true(ct_layout_equal(ct_logical_product(L_("4:1"), L_("():()")), L_("(4):(1)")));
    assert_true(
        ct_layout_equal(ct_make_layout2(L_("(2,2):(1,2)"), L_("():()")), L_("((2,2)):((1,2))")));
    assert_true(ct_layout_equal(ct_make_layout2(L_("():()"), L_("():()")), L_("():()")));
    assert_false(ct_evenly_divides(T("0"), T("60")));
    assert_false(ct_evenly_divides(T("(8,0)"), T("(4,60)")));
    assert_int_equal(ct_hier_coord(L_("(2,2):(1,4)"), 2).err.n[2], 5);
}

TEST(making)
{
    assert_false(ct_is_valid(L_("(2,0):(1,2)")));
    assert_true(ct_is_valid(L_("(2,1):(1,2)")));
}

TEST(functions)
{
    assert_int_equal(ct_cosize(L_("4:1@0")), CT_INVALID);
    assert_int_equal(ct_max_alignment(L_("4:1@0")), CT_INVALID);
}

TEST(tiles)
{
    const ct_layout A = L_("(8,6):(1,8)");
    assert_int_equal(ct_divide_excess(A, L_("(2,2):(2,6)")), CT_INVALID);
    assert_int_equal(ct_divide_excess_by(A, TL("<2:1,2:1,2:1>")), CT_INVALID);
    assert_int_equal(ct_local_partition(ct_make_tensor(A), L_("(4,3):(1,2)"), 7).layout.err.status,
                     CT_OK);
    FAILS(ct_tensor_slice(ct_make_tensor(A), T("(8,_)")), CT_E_DOMAIN, CT_OP_CRD2IDX, CT_WHY_COORD,
          0, 8, 8);
    FAILS(ct_swizzle_upcast(ct_make_swizzle(3, 2, 3), 8), CT_E_ARGUMENT, CT_OP_UPCAST,
          CT_WHY_SWIZZLE_BASE, 3, 3, 2);
    FAILS(ct_swizzle_upcast(ct_make_swizzle(3, 4, 3), 6), CT_E_ARGUMENT, CT_OP_UPCAST,
          CT_WHY_NOT_POWER, 0, 6, 0);
    FAILS(ct_swizzle_upcast(ct_make_swizzle(3, 4, 3), 0), CT_E_ARGUMENT, CT_OP_UPCAST,
          CT_WHY_NOT_POWER, 0, 0, 0);
    FAILS(ct_swizzle_downcast(ct_make_swizzle(3, 4, 3), 3), CT_E_ARGUMENT, CT_OP_DOWNCAST,
          CT_WHY_NOT_POWER, 0, 3, 0);
    const ct_swizzle s = ct_make_swizzle(1, 0, 1);
    FAILS(ct_tensor_at(ct_make_swizzled(s, 0, L_("4:1")), T("4")), CT_E_DOMAIN, CT_OP_CRD2IDX,
          CT_WHY_INDEX, ANY, 4, 4);
}

TEST(copies)
{
    const ct_copy_atom u128 = ct_copy_atom_universal(128, 16);
    FAILS(ct_copy_atom_universal(24, 8), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM, ANY, ANY,
          ANY);
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
    const ct_tiled_copy tc = ct_make_tiled_copy(u128, L_("(16,8):(8,1)"), L_("(1,8):(1,1)"));
    assert_int_equal(tc.atom.err.status, CT_OK);
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
}

/* 64 bits: what does not fit is an error, what just fits is a result. */
TEST(overflow)
{
    const int64_t big = INT64_C(1) << 62;
    FAILS(ct_layout1(1, INT64_MIN), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT, CT_WHY_OVERFLOW, 0, ANY, ANY);
    assert_int_equal(ct_cosize(ct_layout1(2, INT64_MAX - 1)), INT64_MAX);
    assert_int_equal(ct_layout2(2, 2, -big, -big + 2).err.status, CT_OK);
    FAILS(ct_make_layout2(ct_layout1(big, 1), ct_layout1(4, 1)), CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT,
          CT_WHY_OVERFLOW, 1, ANY, ANY);
    assert_int_equal(ct_product(T("(4611686018427387904,2)")), CT_INVALID);
    assert_int_equal(ct_cosize(L_("(2,2):(9223372036854775806,2)")), CT_INVALID);
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
    FAILS(ct_hier_coord(L_("4:-1"), INT64_MIN), CT_E_DOMAIN, CT_OP_HIER_COORD, CT_WHY_NO_OFFSET, 0,
          INT64_MIN, -3);
    FAILS(ct_hier_coord(L_("4:1"), INT64_MIN), CT_E_DOMAIN, CT_OP_HIER_COORD, CT_WHY_NO_OFFSET, 0,
          INT64_MIN, 0);
    FAILS(ct_hier_coord(L_("(3,2):(-2,5)"), INT64_MIN), CT_E_DOMAIN, CT_OP_HIER_COORD,
          CT_WHY_NO_OFFSET, 0, INT64_MIN, -4);
    const ct_copy_width_result w =
        ct_copy_width(L_("4096:1"), L_("4096:1"), 1, (int64_t)1 << 40, 0, 0);
    assert_int_equal(w.bytes, 4096);
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
