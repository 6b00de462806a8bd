/* Strides that are sums of basis elements: the numbers in a leaf, text, evaluation, and every operation
 * that takes them, against steps along each mode that are held apart here. */
#include <cutlet/host/text.h>

#include "all_cases.h"
#include "error_said.h"
#include "sweep.h"

enum { LEAVES = 3, PATHS = 3, INDICES = 256 };

/* A layout whose leaf k steps step[k][p] along the mode at path p of a family. */
typedef struct terms {
    int leaves;
    int64_t shape[LEAVES], step[LEAVES][PATHS];
} terms;

static const uint32_t FLAT[PATHS] = {1, 2, 3}, INNER[PATHS] = {0x0101, 0x0201, 2};
static const uint32_t *path = FLAT; /* the family */

static int64_t size_of(const terms *a)
{
    int64_t n = 1;
    for (int k = 0; k < a->leaves; ++k) n *= a->shape[k];
    return n;
}

/* The steps along path p at index i. */
static int64_t along(const terms *a, int p, int64_t i)
{
    int64_t sum = 0;
    for (int k = 0; k < a->leaves; ++k) {
        const int64_t digit = k + 1 < a->leaves ? i % a->shape[k] : i;
        if (k + 1 < a->leaves) i /= a->shape[k];
        sum += digit * a->step[k][p];
    }
    return sum;
}

static ct_tuple term(int64_t steps, uint32_t basis)
{
    ct_tuple t = ct_int(steps);
    t.basis[0] = basis;
    return t;
}

static ct_layout layout_of(const terms *a)
{
    ct_layout L = CT_ZERO;
    L.profile = ct_profile_flat(a->leaves);
    for (int k = 0; k < a->leaves; ++k) {
        ct_tuple sum = ct_int(0);
        for (int p = PATHS - 1; p >= 0; --p) {
            const ct_tuple more = term(a->step[k][p], path[p]);
            if (a->step[k][p] != 0) sum = sum.basis[0] ? ct_basis_add(sum, more) : more;
        }
        assert_int_equal(sum.err.status, CT_OK);
        L.shape[k] = a->shape[k];
        L.stride[k] = sum.value[0];
        L.basis[k] = sum.basis[0];
    }
    assert_int_equal(ct_layout_check(&L, CT_OP_NONE).status, CT_OK);
    return L;
}

/* The number at a path of a coordinate; modes that it lacks are 0, and so is the integer 0. */
static int64_t at_path(ct_tuple c, uint32_t basis)
{
    for (; basis != 0; basis >>= 8) {
        const int mode = (int)(basis & 255u) - 1;
        if (ct_is_integer(c) || mode >= ct_rank(c)) {
            if (ct_is_integer(c)) assert_int_equal(c.value[0], 0);
            return 0;
        }
        c = ct_get(c, mode);
    }
    assert_true(ct_is_integer(c));
    return c.value[0];
}

static int64_t reached(ct_layout R, int p, int64_t i)
{
    const ct_tuple c = ct_at(R, ct_int(i));
    assert_int_equal(c.err.status, CT_OK);
    return at_path(c, path[p]);
}

/* R is f along each path, n indices long. */
static void expect_is(const char *what, ct_layout R, int64_t f[PATHS][INDICES], int64_t n,
                      const char *a, const char *b)
{
    ++sweep_count;
    assert_int_equal(oracle_size(R), n);
    for (int64_t i = 0; i < n; ++i)
        for (int p = 0; p < PATHS; ++p)
            if (reached(R, p, i) != f[p][i])
                fail_msg("%s of %s and %s: %s is wrong at %lld", what, a, b, show(R), (long long)i);
}

static int shape_fits(int64_t f[PATHS][INDICES], const int64_t *size, int leaves, int64_t n)
{
    for (int p = 0; p < PATHS; ++p) {
        for (int64_t i = 0; i < n; ++i) {
            int64_t rest = i, place = 1, sum = 0;
            for (int k = 0; k < leaves; ++k) {
                sum += rest % size[k] * f[p][place];
                rest /= size[k];
                place *= size[k];
            }
            if (sum != f[p][i]) return 0;
        }
    }
    return 1;
}

/* Whether some layout is f, its shape being that of `mode`, each cut into any factors; see
 * test_refusals.c. */
static int some_layout_is(int64_t f[PATHS][INDICES], const int64_t *mode, int modes, int k,
                          int64_t left, int64_t *size, int leaves, int64_t n)
{
    if (left == 1) {
        if (k + 1 == modes) return shape_fits(f, size, leaves, n);
        return some_layout_is(f, mode, modes, k + 1, mode[k + 1], size, leaves, n);
    }
    for (int64_t s = 2; s <= left; ++s) {
        if (left % s != 0) continue;
        size[leaves] = s;
        if (some_layout_is(f, mode, modes, k, left / s, size, leaves + 1, n)) return 1;
    }
    return 0;
}

/* R is f over the shape of B, or refused where no layout is. */
static void judge(const char *what, ct_layout R, ct_layout B, int64_t f[PATHS][INDICES],
                  const char *a)
{
    int64_t size[16];
    const int64_t n = oracle_size(B);
    if (R.err.status == CT_OK) {
        expect_is(what, R, f, n, a, show(B));
        return;
    }
    assert_int_equal(R.err.status, CT_E_NO_LAYOUT);
    if (some_layout_is(f, B.shape, B.profile.leaves, 0, B.shape[0], size, 0, n))
        fail_msg("%s of %s and %s is refused needlessly", what, a, show(B));
}

/* ---- the leaf --------------------------------------------------------------------------------- */

TEST(numbers)
{
    for (int terms = 2; terms <= 3; ++terms) {
        const int64_t most = ct_sum_most(terms);
        assert_int_equal(most, terms == 2 ? INT32_MAX : 1048575);
        const int64_t some[] = {-most, 1 - most, -3, -1, 1, 2, most - 1, most};
        for (int i = 0; i < 8 * 8 * 8; ++i) {
            ct_sum s = {.count = terms, .path = {1, 2, 3}};
            s.steps[0] = some[i % 8];
            s.steps[1] = some[i / 8 % 8];
            s.steps[2] = terms == 3 ? some[i / 64] : 0;
            int ok = 1;
            const int64_t value = ct_sum_value(&s, &ok);
            const uint32_t code = ct_sum_code(&s);
            assert_true(ok && ct_is_sum(code));
            const ct_sum back = ct_sum_of(value, code);
            assert_int_equal(back.count, terms);
            for (int k = 0; k < terms; ++k) {
                assert_int_equal(back.steps[k], s.steps[k]);
                assert_int_equal(back.path[k], s.path[k]);
                assert_int_equal(ct_steps_along(value, code, s.path[k]), s.steps[k]);
            }
            assert_int_equal(ct_steps_along(value, code, 9), 0);
            for (int64_t by = -2; by <= 3; ++by) { /* multiplied and added, or refused */
                int fits = 1, want = 1;
                const int64_t product = ct_step_mul(by, value, code, &fits);
                for (int k = 0; k < terms; ++k) want &= ct_abs(by * s.steps[k]) <= most;
                assert_int_equal(fits, want);
                if (!fits || by == 0 || by == -1) continue;
                const ct_tuple sum = ct_basis_add(term(product, code), term(value, code));
                const ct_sum p = ct_sum_of(product, code), q = ct_sum_of(sum.value[0], code);
                for (int k = 0; k < terms; ++k) {
                    want &= ct_abs((by + 1) * s.steps[k]) <= most;
                    assert_int_equal(p.steps[k], by * s.steps[k]);
                }
                assert_int_equal(sum.err.status, want ? CT_OK : CT_E_OVERFLOW);
                for (int k = 0; k < terms && want; ++k)
                    assert_int_equal(q.steps[k], (by + 1) * s.steps[k]);
            }
        }
    }
}

/* The order of the terms does not matter, nor do terms that cancel. */
TEST(additions)
{
    const ct_tuple a = term(2, 1), b = term(-3, 2), c = term(1, 0x0203);
    const ct_tuple abc = ct_basis_add(ct_basis_add(a, b), c);
    assert_true(ct_tuple_equal(abc, ct_basis_add(c, ct_basis_add(b, a))));
    assert_true(ct_tuple_equal(abc, ct_basis_add(ct_basis_add(a, c), b)));
    assert_true(ct_tuple_equal(ct_basis_add(abc, term(3, 2)), ct_basis_add(a, c)));
    assert_true(ct_tuple_equal(ct_basis_add(ct_basis_add(a, b), term(3, 2)), a));
    assert_true(ct_tuple_equal(ct_basis_add(a, term(-2, 1)), term(0, 1)));
    assert_true(ct_tuple_equal(ct_basis_add(a, a), term(4, 1)));
}

/* ---- the domain ------------------------------------------------------------------------------- */

/* Calls visit for each layout of up to two leaves: shapes to `most`, steps low to high. */
static void over_layouts(int64_t most, int64_t low, int64_t high, void (*visit)(const terms *a))
{
    const int64_t steps = high - low + 1, one = most * steps * steps * steps;
    for (int leaves = 1; leaves <= 2; ++leaves) {
        for (int64_t i = 0; i < sweep_power(one, leaves); ++i) {
            terms a = {.leaves = leaves};
            int64_t rest = i;
            for (int k = 0; k < leaves; ++k) {
                a.shape[k] = 1 + rest % most;
                rest /= most;
                for (int p = 0; p < PATHS; ++p, rest /= steps) a.step[k][p] = low + rest % steps;
            }
            visit(&a);
        }
    }
}

static void over_families(int64_t most, int64_t low, int64_t high, void (*visit)(const terms *a))
{
    sweep_count = 0;
    path = FLAT;
    over_layouts(most, low, high, visit);
    path = INNER;
    over_layouts(most, low, high, visit);
    path = FLAT;
}

static void table(const terms *a, int64_t f[PATHS][INDICES])
{
    for (int p = 0; p < PATHS; ++p)
        for (int64_t i = 0; i < size_of(a); ++i) f[p][i] = along(a, p, i);
}

/* ---- text, evaluation, what keeps the function ------------------------------------------------- */

static void one_layout(const terms *a)
{
    int64_t f[PATHS][INDICES];
    char text[CT_TEXT_BYTES];
    ct_layout back;
    const ct_layout L = layout_of(a);
    table(a, f);
    expect_is("the layout", L, f, size_of(a), show(L), "");
    ct_format_layout(text, sizeof text, L);
    assert_int_equal(ct_parse_layout(text, &back, NULL), CT_OK);
    if (!ct_layout_equal(back, L)) fail_msg("%s is read as another layout", text);
    const ct_layout C = ct_coalesce(L);
    expect_is("coalesce", C, f, size_of(a), text, "");
    for (int k = 0; k + 1 < C.profile.leaves; ++k) { /* no two leaves are one */
        int runs_on = 1;
        int64_t place = 1;
        for (int j = 0; j < k; ++j) place *= C.shape[j];
        for (int p = 0; p < PATHS; ++p)
            runs_on &= f[p][place * C.shape[k]] == C.shape[k] * f[p][place];
        if (runs_on) fail_msg("coalesce(%s) has two leaves that are one", text);
    }
    const ct_tuple extent = ct_coshape(L);
    for (int p = 0; p < PATHS; ++p) {
        int64_t reach = 0;
        for (int k = 0; k < a->leaves; ++k) reach += (a->shape[k] - 1) * ct_abs(a->step[k][p]);
        if (reach > 0) assert_int_equal(at_path(extent, path[p]), reach + 1);
    }
}

TEST(layouts)
{
    over_families(3, 0, 2, one_layout);
    over_families(2, -2, 1, one_layout);
    assert_true(sweep_count > 10000);
}

/* ---- composition ------------------------------------------------------------------------------ */

static const char *const OF[] = {"6",           "4:2",         "3:3",         "(2,3):(3,1)",
                                 "(2,2):(1,2)", "(3,2):(2,0)", "(2,2):(1,4)", "(2,2):(2,3)"};

/* Of a layout with sums and one of integers: a sequence of its offsets. Every third layout is enough. */
static void compose_one(const terms *a)
{
    static int number;
    if (number++ % 3 && !all_cases()) return;
    int64_t f[PATHS][INDICES];
    const ct_layout A = layout_of(a);
    char text[CT_TEXT_BYTES];
    ct_format_layout(text, sizeof text, A);
    for (size_t b = 0; b < sizeof OF / sizeof *OF; ++b) {
        const ct_layout B = L_(OF[b]);
        for (int64_t i = 0; i < oracle_size(B); ++i)
            for (int p = 0; p < PATHS; ++p) f[p][i] = along(a, p, oracle_eval(B, i));
        judge("composition", ct_composition(A, B), B, f, text);
        const ct_layout D = ct_logical_divide(A, B);
        const ct_layout rest = ct_complement(B, oracle_size(A));
        if (D.err.status || rest.err.status) continue;
        const ct_layout whole = ct_make_layout2(B, rest);
        for (int64_t i = 0; i < oracle_size(whole); ++i)
            for (int p = 0; p < PATHS; ++p) f[p][i] = along(a, p, oracle_eval(whole, i));
        expect_is("logical_divide", D, f, oracle_size(whole), text, OF[b]);
    }
}

TEST(compositions)
{
    over_families(3, 0, 2, compose_one);
    path = FLAT;
    over_layouts(2, -1, 1, compose_one);
    assert_true(sweep_count > 10000);
}

/* Coordinates that count along their modes, to 6 each, in the order of the family. */
static ct_layout grid(const char *strides)
{
    char text[64];
    snprintf(text, sizeof text, "%s:%s", path == FLAT ? "(6,5,7)" : "((6,5),7)", strides);
    return L_(text);
}

/* Of a layout of integers, or of the coordinates themselves, and one with sums: diagonals. The oracle of
 * a refusal is a shape that would do: B's, as both sides are linear in each of its leaves. */
static void address_one(const terms *b)
{
    int64_t f[PATHS][INDICES] = {{0}};
    const ct_layout B = layout_of(b);
    const char *const weights[] = {path == FLAT ? "(1,6,30)" : "((1,6),30)",
                                   path == FLAT ? "(5,-2,9)" : "((5,-2),9)"};
    const int64_t weight[2][PATHS] = {{1, 6, 30}, {5, -2, 9}};
    for (int w = 0; w < 2; ++w) {
        const ct_layout R = ct_composition(grid(weights[w]), B);
        if (R.err.status)
            fail_msg("composition(%s, %s) is refused", show(grid(weights[w])), show(B));
        ++sweep_count;
        assert_int_equal(oracle_size(R), size_of(b));
        for (int64_t i = 0; i < size_of(b); ++i) {
            int64_t want = 0;
            for (int p = 0; p < PATHS; ++p) want += weight[w][p] * along(b, p, i);
            if (ct_eval(R, i) != want)
                fail_msg("composition(%s, %s): %s is wrong at %lld", show(grid(weights[w])),
                         show(B), show(R), (long long)i);
        }
    }
    const ct_layout I = grid(path == FLAT ? "(1@0,1@1,1@2)" : "((1@0@0,1@1@0),1@1)");
    table(b, f);
    expect_is("composition", ct_composition(I, B), f, size_of(b), show(I), show(B));
}

/* Modes of A of several leaves, which the terms of a sum cross. */
static void address_nested(const terms *b)
{
    static const int64_t low[4] = {0, 1, 8, 9}; /* (2,2):(1,8) */
    int64_t f[PATHS][INDICES] = {{0}};
    const ct_layout A = L_("((2,2),6,3):((1,8),20,300)"), B = layout_of(b);
    for (int64_t i = 0; i < size_of(b); ++i) {
        const int64_t x = along(b, 0, i);
        if (x > 3) return; /* past the end of mode 0 */
        f[0][i] = low[x] + 20 * along(b, 1, i) + 300 * along(b, 2, i);
    }
    const ct_layout R = ct_composition(A, B);
    if (R.err.status == CT_OK) {
        ++sweep_count;
        for (int64_t i = 0; i < size_of(b); ++i)
            if (ct_eval(R, i) != f[0][i])
                fail_msg("composition(%s, %s): %s is wrong at %lld", show(A), show(B), show(R),
                         (long long)i);
        return;
    }
    int64_t size[16];
    assert_int_equal(R.err.status, CT_E_NO_LAYOUT);
    if (some_layout_is(f, B.shape, B.profile.leaves, 0, B.shape[0], size, 0, size_of(b)))
        fail_msg("composition(%s, %s) is refused needlessly", show(A), show(B));
}

TEST(diagonals)
{
    over_families(3, 0, 2, address_one);
    path = FLAT;
    over_layouts(4, 0, 1, address_nested);
    over_layouts(3, 0, 2, address_nested);
    assert_true(sweep_count > 10000);
}

/* A run across two modes of coordinates is one stride, where there is one. */
TEST(crossings)
{
    sweep_count = 0;
    const terms grid_of = {3, {4, 3, 5}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const ct_layout A = layout_of(&grid_of);
    for (int64_t s = 1; s <= 8; ++s) {
        for (int64_t d = 0; d <= 20; ++d) {
            int64_t f[PATHS][INDICES];
            const ct_layout B = ct_layout1(s, d);
            for (int64_t i = 0; i < s; ++i)
                for (int p = 0; p < PATHS; ++p) f[p][i] = along(&grid_of, p, i * d);
            judge("composition", ct_composition(A, B), B, f, "coordinates");
        }
    }
    assert_true(sweep_count > 50);
}

/* Coordinates of four modes: more than one sum names. Modes 2 and 3 are held in one number. */
TEST(crossings_of_four)
{
    static const int64_t grids[][4] = {{2, 2, 5, 3}, {2, 2, 2, 2}, {2, 3, 2, 4}, {4, 2, 3, 2}};
    int exact = 0, full = 0, none = 0;
    for (int g = 0; g < 4; ++g) {
        const int64_t *const n = grids[g];
        const ct_layout A = ct_make_identity_layout(ct_shape(ct_make_col_major(
            ct_append(ct_append(ct_tuple2(n[0], n[1]), ct_int(n[2])), ct_int(n[3])))));
        for (int64_t s = 2; s <= 12; ++s) {
            for (int64_t d = 1; d <= 40; ++d) {
                int64_t f[PATHS][INDICES], size[16];
                for (int64_t i = 0; i < s; ++i) {
                    const int64_t x = i * d, rest = x / n[0] / n[1];
                    f[0][i] = x % n[0];
                    f[1][i] = x / n[0] % n[1];
                    f[2][i] = rest % n[2] + 1000 * (rest / n[2]);
                }
                const ct_layout B = ct_layout1(s, d), R = ct_composition(A, B);
                const int some = some_layout_is(f, B.shape, 1, 0, s, size, 0, s);
                none += !some;
                exact += R.err.status == CT_OK;
                full += R.err.status == CT_E_CAPACITY;
                if (R.err.status == CT_E_CAPACITY) { /* a step along all four, so no stride is it */
                    assert_true(some && f[0][1] && f[1][1] && f[2][1] % 1000 && f[2][1] / 1000);
                    continue;
                }
                if (some != (R.err.status == CT_OK))
                    fail_msg("composition(%s, %s)", show(A), show(B));
                for (int64_t i = 0; i < s && some; ++i) {
                    const ct_tuple c = ct_at(R, ct_int(i));
                    if (at_path(c, 1) != f[0][i] || at_path(c, 2) != f[1][i] ||
                        at_path(c, 3) + 1000 * at_path(c, 4) != f[2][i])
                        fail_msg("composition(%s, %s): %s is wrong at %lld", show(A), show(B),
                                 show(R), (long long)i);
                }
            }
        }
    }
    assert_true(exact > 400 && none > 1000 && full > 10);
}

/* ---- sums, tiles, random layouts ---------------------------------------------------------------- */

static terms random_layout(int64_t low, int64_t high)
{
    terms a = {.leaves = (int)sweep_int(1, LEAVES)};
    for (int k = 0; k < a.leaves; ++k) {
        a.shape[k] = sweep_int(1, 4);
        for (int p = 0; p < PATHS; ++p) a.step[k][p] = sweep_int(0, 1) ? sweep_int(low, high) : 0;
    }
    return a;
}

TEST(random_cases)
{
    int64_t f[PATHS][INDICES];
    sweep_seed(11);
    sweep_count = 0;
    for (int round = 0; round < (all_cases() ? 20000 : 4000); ++round) {
        path = round % 2 ? FLAT : INNER;
        const terms a = random_layout(-40, 40);
        terms b = random_layout(-40, 40);
        one_layout(&a);
        compose_one(&a);
        b.leaves = a.leaves; /* a sum with a layout of one shape has that shape */
        for (int k = 0; k < a.leaves; ++k) b.shape[k] = a.shape[k];
        const ct_layout A = layout_of(&a), B = layout_of(&b), S = ct_layout_add(A, B);
        char text[CT_TEXT_BYTES];
        ct_format_layout(text, sizeof text, A);
        for (int p = 0; p < PATHS; ++p)
            for (int64_t i = 0; i < size_of(&a); ++i) f[p][i] = along(&a, p, i) + along(&b, p, i);
        assert_int_equal(S.err.status, CT_OK);
        expect_is("layout_add", S, f, size_of(&a), text, show(B));
        const int64_t t = sweep_int(1, 4); /* tiles of mode 0, each element once */
        if (a.leaves < 2 || a.shape[0] % t != 0) continue;
        const ct_layout tiles =
            ct_zipped_divide_by(A, ct_tiler_append(ct_tiler0(), ct_layout1(t, 1)));
        assert_int_equal(tiles.err.status, CT_OK);
        for (int p = 0; p < PATHS; ++p)
            for (int64_t i = 0; i < size_of(&a); ++i) {
                const int64_t in = i % t, beyond = i / t;
                f[p][i] = along(&a, p, in + t * beyond);
            }
        expect_is("zipped_divide", tiles, f, size_of(&a), text, "<t>");
        if (a.leaves != 2 || path == INNER) continue; /* coordinates of two depths do not add up */
        const ct_tuple column = ct_append(ct_wrap(ct_any()), ct_int(a.shape[1] - 1));
        const ct_tensor part = ct_tensor_slice(ct_make_tensor(A), column);
        assert_int_equal(part.layout.err.status, CT_OK);
        for (int64_t i = 0; i < a.shape[0]; ++i)
            for (int p = 0; p < PATHS; ++p) {
                const ct_tuple c = ct_tensor_at(part, ct_int(i));
                if (at_path(c, path[p]) != along(&a, p, i + a.shape[0] * (a.shape[1] - 1)))
                    fail_msg("the last column of %s is wrong at %lld: %s", text, (long long)i,
                             show_tuple(c));
            }
    }
    path = FLAT;
    assert_true(sweep_count > (all_cases() ? 100000 : 20000));
}

/* ---- what is refused --------------------------------------------------------------------------- */

typedef struct expected {
    int status, op, why, mode;
    int64_t a, b;
} expected;

static void refuses(const char *text, ct_error e, expected x)
{
    const char *const unsaid = error_unsaid(e);
    if (e.status == x.status && e.op == x.op && e.why == x.why && e.mode == x.mode &&
        e.n[0] == x.a && e.n[1] == x.b && !unsaid)
        return;
    fail_msg("%s: status %d op %d why %d mode %d numbers %lld %lld%s", text, e.status, e.op, e.why,
             e.mode, (long long)e.n[0], (long long)e.n[1], unsaid ? ", not all said" : "");
}

#define REFUSES(value, ...) refuses(#value, (value).err, (expected){__VA_ARGS__})

static ct_layout read(const char *text)
{
    ct_layout L;
    assert_int_equal(ct_parse_layout(text, &L, NULL), CT_OK);
    return L;
}

TEST(failures)
{
    const ct_layout D = read("(2,8):(1@0,1@0+2@1)"), three = read("8:1@0+1@1+1@2");
    const ct_tuple a = term(1, 1), b = term(1, 2), c = term(1, 3), d = term(1, 4);
    const ct_tuple abc = ct_basis_add(ct_basis_add(a, b), c), ab = ct_basis_add(a, b);
    REFUSES(ct_basis_add(abc, d), CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_TERMS, 0, 4, 3);
    REFUSES(ct_basis_add(abc, ct_basis_add(d, term(1, 5))), CT_E_CAPACITY, CT_OP_TUPLE,
            CT_WHY_TERMS, 0, 5, 3);
    REFUSES(ct_basis_add(a, term(1, 16)), CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_TERM_MODE, 0, 14, 2);
    assert_int_equal(ct_basis_add(a, term(1, 15)).err.status, CT_OK);
    REFUSES(ct_basis_add(a, term(1, 0x010102)), CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_TERM_MODE, 0, 14,
            2);
    REFUSES(ct_basis_add(a, term(1, 0x1002)), CT_E_CAPACITY, CT_OP_TUPLE, CT_WHY_TERM_MODE, 0, 14,
            2);
    REFUSES(ct_basis_add(a, ct_int(1)), CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_BASIS_MIXED, 0, 0, 0);
    REFUSES(ct_basis_add(a, ct_any()), CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_BASIS_MIXED, 0, 0, 0);
    REFUSES(ct_basis_add(ct_tuple1(1), a), CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_BASIS_MIXED, 0, 0, 0);
    REFUSES(ct_basis_add(a, term(1, 0x0201)), CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_BASIS_MIXED, 0, 0,
            0);
    REFUSES(ct_basis_add(ct_int(1), a), CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_BASIS_MIXED, 0, 0, 0);
    REFUSES(ct_basis_add(ct_any(), a), CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_BASIS_MIXED, 0, 0, 0);
    REFUSES(ct_basis_add(a, ct_tuple1(1)), CT_E_ARGUMENT, CT_OP_TUPLE, CT_WHY_BASIS_MIXED, 0, 0, 0);
    REFUSES(ct_basis_add(ct_basis_add(term(-INT32_MAX, 1), b), term(-1, 1)), CT_E_OVERFLOW,
            CT_OP_TUPLE, CT_WHY_TERM, 0, -(int64_t)INT32_MAX - 1, INT32_MAX);
    REFUSES(ct_basis_add(ab, term(INT32_MAX, 1)), CT_E_OVERFLOW, CT_OP_TUPLE, CT_WHY_TERM, 0,
            (int64_t)INT32_MAX + 1, INT32_MAX);
    REFUSES(ct_basis_add(ab, term(1048576, 3)), CT_E_OVERFLOW, CT_OP_TUPLE, CT_WHY_TERM, 0, 1048576,
            1048575);
    REFUSES(ct_basis_add(term(INT64_MAX, 1), term(1, 1)), CT_E_OVERFLOW, CT_OP_TUPLE,
            CT_WHY_OVERFLOW, 0, 0, 0);
    REFUSES(ct_make_layout(ct_int((int64_t)1 << 31), ct_basis_add(term(2, 1), b)), CT_E_OVERFLOW,
            CT_OP_MAKE_LAYOUT, CT_WHY_TERM, 0, ((int64_t)1 << 32) - 2, INT32_MAX);
    assert_int_equal(ct_make_layout(ct_int((int64_t)1 << 31), ab).err.status, CT_OK);
    REFUSES(ct_make_layout(ct_int((int64_t)1 << 31), ct_basis_add(term(-2, 1), b)), CT_E_OVERFLOW,
            CT_OP_MAKE_LAYOUT, CT_WHY_TERM, 0, 2 - ((int64_t)1 << 32), INT32_MAX);
    REFUSES(ct_make_layout(ct_int((int64_t)1 << 62), ct_basis_add(term(3, 1), term(3, 2))),
            CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT, CT_WHY_OVERFLOW, 0, 0, 0);
    REFUSES(ct_right_inverse(read("(2,3):(1@0+1@1,1@0+1@1+1@2)")), CT_E_ARGUMENT,
            CT_OP_RIGHT_INVERSE, CT_WHY_SUM, 0, 2, 0);
    REFUSES(ct_right_inverse(D), CT_E_ARGUMENT, CT_OP_RIGHT_INVERSE, CT_WHY_SUM, 1, 2, 0);
    REFUSES(ct_left_inverse(three), CT_E_ARGUMENT, CT_OP_LEFT_INVERSE, CT_WHY_SUM, 0, 3, 0);
    REFUSES(ct_complement_shape(D, ct_tuple2(16, 16)), CT_E_ARGUMENT, CT_OP_COMPLEMENT, CT_WHY_SUM,
            1, 2, 0);
    REFUSES(ct_complement(D, 16), CT_E_ARGUMENT, CT_OP_COMPLEMENT, CT_WHY_NOT_INTEGER, 0, 0, 0);
    REFUSES(ct_logical_divide(L_("(8,8)"), D), CT_E_ARGUMENT, CT_OP_COMPLEMENT, CT_WHY_SUM, 1, 2,
            0);
    REFUSES(ct_logical_product(L_("4:1"), D), CT_E_ARGUMENT, CT_OP_PRODUCT, CT_WHY_NOT_INTEGER, 0,
            0, 0);
    REFUSES(ct_upcast(D, 2), CT_E_ARGUMENT, CT_OP_UPCAST, CT_WHY_SUM, 1, 2, 0);
    REFUSES(ct_downcast(D, 2), CT_E_ARGUMENT, CT_OP_DOWNCAST, CT_WHY_SUM, 1, 2, 0);
    REFUSES(ct_sort(D), CT_E_ARGUMENT, CT_OP_SORT, CT_WHY_NOT_INTEGER, 0, 0, 0);
    REFUSES(ct_make_layout_like(D), CT_E_ARGUMENT, CT_OP_ORDERED, CT_WHY_NOT_INTEGER, 0, 0, 0);
    assert_int_equal(ct_cosize(D), CT_INVALID);
    assert_int_equal(ct_max_alignment(D), CT_INVALID);
    REFUSES(ct_composition(L_("8:1"), D), CT_E_ARGUMENT, CT_OP_COMPOSITION, CT_WHY_BASIS, 0, 0, 0);
    REFUSES(ct_composition(L_("(8,8)"), three), CT_E_ARGUMENT, CT_OP_COMPOSITION, CT_WHY_BASIS, 0,
            0, 0);
    REFUSES(ct_composition(L_("((2,2),(3,2)):((1,8),(20,7))"), read("6:1@0+1@1")), CT_E_NO_LAYOUT,
            CT_OP_COMPOSITION, CT_WHY_TERMS_SEPARATE, 0, 0, 0);
    REFUSES(ct_layout_add(read("4:1@0"), L_("4:1")), CT_E_ARGUMENT, CT_OP_LAYOUT_ADD,
            CT_WHY_BASIS_MIXED, 0, 0, 0);
    /* as many numbers as their sentences say */
    REFUSES(ct_composition(read("(8,8):(1@0+1@1,1@2+1@3)"), read("8:1@0+1@1")), CT_E_CAPACITY,
            CT_OP_COMPOSITION, CT_WHY_TERMS, 0, 4, 3);
    REFUSES(ct_composition(read("(8,8):(2147483647@0,1@1)"), read("(2,2):(1@0,2@0+2@1)")),
            CT_E_OVERFLOW, CT_OP_COMPOSITION, CT_WHY_TERM, 1, (int64_t)UINT32_MAX - 1, INT32_MAX);
    REFUSES(ct_composition(read("(2,2,2,2,2):(1@0,1@1,1@2,1@3,1@4)"), read("(1,2):(0,31)")),
            CT_E_CAPACITY, CT_OP_COMPOSITION, CT_WHY_TERMS, 1, 4, 3);
    REFUSES(ct_composition(read("(4,3):(2147483648@0,1@1)"), read("2:6")), CT_E_OVERFLOW,
            CT_OP_COMPOSITION, CT_WHY_TERM, 0, (int64_t)1 << 32, INT32_MAX);
    /* a step to 1 and 1@0 at once, which no stride is; each alone is one */
    REFUSES(ct_composition(read("(2,2,2):(1@0,1@1,5)"), read("2:7")), CT_E_NO_LAYOUT,
            CT_OP_COMPOSITION, CT_WHY_STRIDE_CROSSES, 0, 7, 2);
    assert_true(ct_layout_equal(ct_composition(read("(2,2,2):(1@0,1@1,5)"), read("2:3")),
                                read("2:1@0+1@1")));
    /* modes that a step does not reach may hold what no sum does */
    assert_true(ct_layout_equal(ct_composition(read("(2,2,2):(1@0,1@1,2147483648@2)"), read("2:3")),
                                read("2:1@0+1@1")));
    assert_true(
        ct_layout_equal(ct_composition(read("(2,2,2):(1@0,-1@0,1@1)"), read("2:3")), read("2:0")));
    /* digits of a mode other than the first */
    assert_true(ct_layout_equal(ct_composition(read("(5,(4,3)):(1@0,(1@1,1@2))"), read("2:6@1")),
                                read("2:2@1+1@2")));
    REFUSES(ct_layout_add(read("(2,3):(1@0+1@1+1@2,1@0)"), read("(2,3):(1@3,5)")), CT_E_CAPACITY,
            CT_OP_LAYOUT_ADD, CT_WHY_TERMS, 0, 4, 3); /* the first of two errors */
    REFUSES(ct_layout_add(three, read("8:1@3")), CT_E_CAPACITY, CT_OP_LAYOUT_ADD, CT_WHY_TERMS, 0,
            4, 3);
}

/* A mode of steps along one mode of coordinates, and one along three times six: more than coordinates have. */
TEST(many_modes)
{
    const char *const sums =
        "1@1+1@2+1@3,1@4+1@5+1@6,1@7+1@8+1@9,1@10+1@11+1@12,1@0@13+1@1@13+1@2@13,"
        "1@0@14+1@1@14+1@2@14";
    char flat[256], tree[256];
    snprintf(flat, sizeof flat, "(2,2,2,2,2,2):(%s)", sums);
    snprintf(tree, sizeof tree, "((2,2,2,2),(2,2,2,2,2,2)):((1@0,5@0,25@0,125@0),(%s))", sums);
    const ct_layout A = read(flat), B = read(tree);
    REFUSES(ct_at(A, ct_int(0)), CT_E_CAPACITY, CT_OP_CRD2IDX, CT_WHY_LEAVES, 0, 18, CT_MAX_LEAVES);
    REFUSES(ct_composition(A, read("2:3")), CT_E_CAPACITY, CT_OP_COMPOSITION, CT_WHY_LEAVES, 0, 18,
            CT_MAX_LEAVES);
    /* the second mode fills a digit that the first, which crosses digits, may have filled */
    REFUSES(ct_composition(B, read("(2,2):(3@0,4@0)")), CT_E_CAPACITY, CT_OP_COMPOSITION,
            CT_WHY_LEAVES, 0, 19, CT_MAX_LEAVES);
    const ct_layout fewer = ct_mode(B, 0), R = ct_composition(fewer, read("(2,2):(3,4)"));
    assert_true(ct_layout_equal(R, read("(2,2):(6@0,25@0)")));
}

GROUP("basis sums", NULL, NULL)
