/* Tuples and coordinates against tree recursion, over every nesting of up to four leaves. */
#include "sweep.h"
#include "tree.h"

enum { MOST = 4000 };
static ct_tuple all[MOST]; /* every nesting of 1 to 4 leaves, depth at most 3, with some values */
static int count;

/* Adds the tuples of n leaves at most `depth` deep, after what `prefix` holds. */
static void add_profiles(int n, int depth, ct_profile p, int at, int level)
{
    if (count >= MOST) return;
    if (at == n) {
        if (level != 0) return;
        ct_tuple t;
        memset(&t, 0, sizeof t);
        t.profile = p;
        t.profile.leaves = n;
        for (int k = 0; k < n; ++k) t.value[k] = sweep_int(1, 6);
        if (ct_profile_rank(p) >= 1) all[count++] = t;
        return;
    }
    for (int open = 0; level + open <= depth; ++open) {
        if (at > 0 && level == 0) break; /* the outermost tuple has ended */
        if (at == 0 && open == 0 && n > 1) continue;
        for (int close = 0; close <= level + open; ++close) {
            p.open[at] = (uint8_t)open;
            p.close[at] = (uint8_t)close;
            p.leaves = n;
            const int left = level + open - close;
            if ((left == 0) == (at + 1 == n)) add_profiles(n, depth, p, at + 1, left);
        }
    }
}

static int setup(void **state)
{
    (void)state;
    sweep_seed(11);
    ct_profile none;
    for (int n = 1; n <= 4; ++n) {
        memset(&none, 0, sizeof none);
        add_profiles(n, 3, none, 0, 0);
    }
    print_message("%d tuples\n", count);
    return count > 200 && count < MOST ? 0 : -1;
}

/* got, as text, is what the tree says. */
static void same(const char *what, ct_tuple got, const tree *want, ct_tuple a, ct_tuple b)
{
    char text[1024];
    tree_write(want, text);
    const char *mine = got.err.status ? "error" : show_tuple(got);
    if (strcmp(mine, text) == 0) return;
    print_error("%s(%s, %s) gives %s, expected %s\n", what, show_tuple(a), show_tuple(b),
                show_tuple(got), text);
    fail();
}

static void number(const char *what, int64_t got, int64_t want, ct_tuple a, ct_tuple b)
{
    if (got == want) return;
    print_error("%s(%s, %s) gives %lld, expected %lld\n", what, show_tuple(a), show_tuple(b),
                (long long)got, (long long)want);
    fail();
}

static const tree *X(ct_tuple t) { return tree_read(show_tuple(t)); }

TEST(of_one)
{
    for (int i = 0; i < count; ++i) {
        const ct_tuple t = all[i], none = ct_tuple0();
        const tree *x = X(t);
        number("rank", ct_rank(t), tree_rank(x), t, none);
        number("depth", ct_depth(t), tree_depth(x), t, none);
        number("size", ct_product(t), tree_product(x), t, none);
        same("flatten", ct_flatten(t), tree_flatten(x), t, none);
        same("reverse", ct_reverse(t), tree_reverse(x), t, none);
        same("product_each", ct_product_each(t), tree_product_each(x), t, none);
        same("wrap", ct_wrap(t), tree_wrap(x), t, none);
        if (!ct_is_integer(t)) same("unflatten", ct_unflatten(ct_flatten(t), t), x, t, none);
        const int rank = tree_rank(x);
        for (int k = -1; k <= rank; ++k) {
            const int in = k >= 0 && k < rank;
            const tree *mode = !in ? tree_fail() : tree_is_leaf(x) ? x : x->mode[k];
            same("get", ct_get(t, k), mode, t, ct_int(k));
            for (int last = -1; last <= rank + 1; ++last) {
                const int range = k >= 0 && k <= last && last <= rank;
                same("take", ct_take(t, k, last), range ? tree_modes(x, k, last) : tree_fail(), t,
                     ct_tuple2(k, last));
                const int some = range && k < last;
                const tree *grouped = some ? tree_join(tree_join(tree_modes(x, 0, k),
                                                                 tree_wrap(tree_modes(x, k, last))),
                                                       tree_modes(x, last, rank))
                                           : tree_fail();
                same("group", ct_group(t, k, last), grouped, t, ct_tuple2(k, last));
            }
        }
    }
}

TEST(of_two)
{
    int64_t pairs = 0;
    for (int i = 0; i < count; ++i) {
        for (int j = i % 7; j < count; j += 7) {
            const ct_tuple a = all[i];
            ct_tuple b = all[j];
            if (j % 3 == 0 && a.profile.leaves == b.profile.leaves) b.profile = a.profile;
            if (j % 5 == 0 && ct_weakly_congruent(b, a)) b = ct_product_like(a, b);
            const tree *x = X(a), *y = X(b);
            ++pairs;
            number("congruent", ct_congruent(a, b), tree_congruent(x, y), a, b);
            number("weakly_congruent", ct_weakly_congruent(a, b), tree_weakly_congruent(x, y), a,
                   b);
            number("compatible", ct_compatible(a, b), tree_compatible(x, y), a, b);
            number("elem_less", ct_elem_less(a, b), tree_elem_less(x, y), a, b);
            number("evenly_divides", ct_evenly_divides(a, b), tree_evenly_divides(x, y), a, b);
            same("append", ct_append(a, b), tree_join(x, tree_wrap(y)), a, b);
            same("make_tuple2", ct_make_tuple2(a, b), tree_join(tree_wrap(x), tree_wrap(y)), a, b);
            same("make_tuple3", ct_make_tuple3(a, b, a),
                 tree_join(tree_join(tree_wrap(x), tree_wrap(y)), tree_wrap(x)), a, b);
            same("prepend", ct_prepend(a, b), tree_join(tree_wrap(y), x), a, b);
            same("concat", ct_concat(a, b), tree_join(x, y), a, b);
            same("ceil_div", ct_ceil_div(a, b), tree_divide(x, y, 0), a, b);
            same("shape_div", ct_shape_div(a, b), tree_divide(x, y, 1), a, b);
            same("product_like", ct_product_like(a, b), tree_product_like(x, y), a, b);
            same("prefix_product", ct_prefix_product(a, b), tree_running_product(x, y, 0), a, b);
            same("suffix_product", ct_suffix_product(a, b), tree_running_product(x, y, 1), a, b);
            const int rank = tree_rank(x), k = j % rank;
            const tree *put = tree_is_leaf(x)
                                  ? y
                                  : tree_join(tree_join(tree_modes(x, 0, k), tree_wrap(y)),
                                              tree_modes(x, k + 1, rank));
            same("replace", ct_replace(a, k, b), put, a, b);
        }
    }
    assert_true(pairs > 20000);
}

/* Orders, also of tuples that nest differently: small values, so that many begin or end alike. */
TEST(orders)
{
    int64_t seen[2][4] = {{0}};
    for (int i = 0; i < count; ++i) {
        for (int j = i % 3; j < count; j += 3) {
            ct_tuple a = all[i], b = all[j];
            for (int k = 0; k < a.profile.leaves; ++k) a.value[k] %= 2;
            for (int k = 0; k < b.profile.leaves; ++k) b.value[k] %= 2;
            const tree *x = X(a), *y = X(b);
            const int lex = tree_order(x, y, 0), colex = tree_order(x, y, 1);
            ++seen[0][lex + 1];
            ++seen[1][colex + 1];
            number("lex_less", ct_lex_less(a, b), lex == -1, a, b);
            number("lex_leq", ct_lex_leq(a, b), lex == -1 || lex == 0, a, b);
            number("lex_gtr", ct_lex_gtr(a, b), lex == 1, a, b);
            number("lex_geq", ct_lex_geq(a, b), lex == 0 || lex == 1, a, b);
            number("colex_less", ct_colex_less(a, b), colex == -1, a, b);
            number("colex_leq", ct_colex_leq(a, b), colex == -1 || colex == 0, a, b);
            number("colex_gtr", ct_colex_gtr(a, b), colex == 1, a, b);
            number("colex_geq", ct_colex_geq(a, b), colex == 0 || colex == 1, a, b);
        }
    }
    for (int k = 0; k < 4; ++k) assert_true(seen[0][k] > 50 && seen[1][k] > 50);
}

/* Slices: the leaves of a coordinate are `_` (-1 in the tree) or integers. */
TEST(slices)
{
    for (int i = 0; i < count; ++i) {
        for (int j = i % 5; j < count; j += 5) {
            const ct_tuple t = all[i];
            ct_tuple coord = all[j], plain = all[j];
            if (j % 2 && coord.profile.leaves == t.profile.leaves)
                coord.profile = plain.profile = t.profile;
            for (int k = 0; k < coord.profile.leaves; ++k) {
                const int any = (i >> k) & 1;
                coord.basis[k] = any ? CT_ANY : 0;
                plain.value[k] = any ? -1 : coord.value[k];
            }
            same("slice", ct_slice(t, coord), tree_slice(X(plain), X(t), 1), coord, t);
            same("dice", ct_dice(t, coord), tree_slice(X(plain), X(t), 0), coord, t);
        }
    }
}

TEST(coordinates)
{
    int inside = 0, outside = 0;
    for (int i = 0; i < count; ++i) {
        const ct_tuple shape = all[i];
        const tree *x = X(shape);
        const int64_t size = tree_product(x);
        for (int64_t n = 0; n<size; n += size> 60 ? 7 : 1)
            same("idx2crd", ct_idx2crd(n, shape), tree_coordinate(n, x), ct_int(n), shape);
        assert_int_equal(ct_idx2crd(size, shape).err.status, CT_E_DOMAIN);
        assert_int_equal(ct_idx2crd(-1, shape).err.status, CT_E_DOMAIN);
        for (int j = i % 3; j < count; j += 3) {
            ct_tuple coord = all[j];
            for (int k = 0; k < coord.profile.leaves; ++k) coord.value[k] -= 1 + (j % 11 == 0);
            const int64_t want = tree_index(X(coord), x);
            const ct_tuple got = ct_crd2idx(coord, shape);
            number("crd2idx", got.err.status ? -1 : got.value[0], want, coord, shape);
            inside += want >= 0;
            outside += want < 0;
            if (want < 0) continue;
            const ct_tuple back =
                ct_crd2crd(coord, shape, ct_flatten(shape)); /* a flat coordinate of the same */
            const tree *flat = tree_flatten(x);
            if (ct_rank(shape) != ct_rank(ct_flatten(shape)))
                same("crd2crd", back, tree_coordinate(want, flat), coord, shape);
        }
    }
    assert_true(inside > 300);
    assert_true(outside > 1000);
}

/* What needs no tree: selections, and coordinates turned mode by mode. */
TEST(by_hand)
{
    static const char *const select[][3] = {
        {"(2,(3,4),5)", "(2,1)", "(5,(3,4))"},
        {"(2,3)", "(0,0,1)", "(2,2,3)"},
        {"(2,3)", "1", "(3)"},
        {"7", "(0)", "(7)"},
    };
    for (int i = 0; i < 4; ++i)
        assert_string_equal(show_tuple(ct_select(T(select[i][0]), T(select[i][1]))), select[i][2]);
    assert_int_equal(ct_select(T("(2,3)"), T("(0,2)")).err.status, CT_E_ARGUMENT);
    assert_int_equal(ct_select(T("(2,3)"), T("(-1)")).err.status, CT_E_ARGUMENT);
    assert_string_equal(show_tuple(ct_crd2crd(T("(3,5)"), T("(4,8)"), T("(4,(2,4))"))),
                        "(3,(1,2))");
    assert_string_equal(show_tuple(ct_crd2crd(T("13"), T("32"), T("(4,8)"))), "(1,3)");
    assert_string_equal(show_tuple(ct_crd2crd(T("(1,3)"), T("(4,8)"), T("32"))), "13");
    assert_string_equal(show_tuple(ct_hier_coord(L_("(4,8):(8,1)"), 13)), "(1,5)");
    assert_string_equal(show_tuple(ct_hier_coord(L_("((2,2),3):((6,3),1)"), 10)), "((1,1),1)");
    assert_int_equal(ct_hier_coord(L_("(2,2):(1,4)"), 2).err.status, CT_E_DOMAIN);
    assert_string_equal(show_tuple(ct_at(L_("(2,3):(1@0,1@1)"), T("5"))), "(1,2)");
    assert_string_equal(show_tuple(ct_at(L_("(2,(3,4)):(1@0,(1@0@1,1@1@1))"), T("(1,(2,3))"))),
                        "(1,(2,3))");
    assert_string_equal(show_tuple(ct_at(L_("(2,3):(1@1,5@1)"), T("(1,2)"))), "(0,11)");
    assert_string_equal(show_tuple(ct_at(L_("(4,8):(8,1)"), T("(_,3)"))), "3");
    assert_string_equal(show(ct_make_identity_layout(T("(4,(2,3))"))),
                        "(4,(2,3)):(1@0,(1@0@1,1@1@1))");
}

/* Numbers from the ends of the range, which no expression can be written with. */
TEST(ends_of_integers)
{
    assert_int_equal(ct_layout1(INT64_MIN, 1).err.why, CT_WHY_SHAPE);
    assert_int_equal(ct_layout2(2, INT64_MIN, 1, INT64_MIN).err.mode, 1);
    assert_int_equal(ct_layout1(2, INT64_MIN).err.status, CT_E_OVERFLOW);
    ct_tensor t = ct_make_tensor(L_("2:1"));
    t.offset.value[0] = INT64_MIN;
    assert_int_equal(ct_tensor_max_alignment(t), 2);
    assert_int_equal(ct_tensor_cosize(t).err.status, CT_E_OVERFLOW);
    const ct_copy_atom atom = ct_copy_atom_universal(32, 32);
    const ct_tiled_copy past = ct_make_tiled_copy_tv(atom, L_("(2,2):(1,2)"),
                                                     ct_tuple2((int64_t)1 << 32, (int64_t)1 << 32));
    assert_int_equal(past.atom.err.status, CT_E_OVERFLOW);
}

/* Tuples that nest deeper than they have leaves. */
TEST(deep_coarsening)
{
    ct_tuple a = T("(2,3)"), b = T("(3,2)"), product = T("(6)");
    for (int i = 2; i < CT_MAX_NESTING; ++i) {
        a = ct_wrap(a);
        b = ct_wrap(b);
        if (i > 2) product = ct_wrap(product);
    }
    assert_true(ct_tuple_equal(ct_common_coarsening(a, b), product));
    assert_string_equal(
        show_tuple(ct_common_coarsening(T("((2,(3)),(5,7))"), T("((3,(2)),(5,7))"))), "(6,(5,7))");
    assert_int_equal(ct_common_coarsening(T("(2,((3)),5)"), T("(2,((3)),6)")).err.why,
                     CT_WHY_SIZES);
}

GROUP("tuples", setup, NULL)
