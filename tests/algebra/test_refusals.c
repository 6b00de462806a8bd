/* Refusals: over whole small domains composition, complement, divide and the inverses are exact, or
 * refuse where there is no layout; where they refuse more than that, the cases are counted.
 *
 * What decides is written here once more, by trying everything:
 *
 * A layout with the flat shape (s0,s1,..) is the function f exactly when its strides are f(1), f(s0),
 * f(s0 s1), .. and the sums of these are f everywhere: at index s0 .. s(k-1) the digit of leaf k alone
 * is not 0, and it is 1. So each shape leaves one choice of strides, and trying every shape is trying
 * every layout. A leaf of size 1 adds nothing to a function, so leaves of 2 and more suffice. */
#include "sweep.h"

enum { LEAVES = 16, INDICES = 64 };

/* ---- every layout of a function --------------------------------------------------------------- */

/* Whether the strides that the sizes leave sum up to f. */
static int shape_fits(const int64_t *f, const int64_t *size, int leaves, int64_t n)
{
    for (int64_t i = 0; i < n; ++i) {
        int64_t rest = i, place = 1, sum = 0;
        for (int k = 0; k < leaves; ++k) {
            sum += rest % size[k] * f[place];
            rest /= size[k];
            place *= size[k];
        }
        if (sum != f[i]) return 0;
    }
    return 1;
}

/* Whether some layout is f, its shape being that of `mode`, each of whose `modes` sizes is cut into any
 * factors: tries all of them, `left` being what is not yet cut of mode k. */
static int try_shapes(const int64_t *f, const int64_t *mode, int modes, int k, int64_t left,
                      int64_t *size, int leaves, int64_t n)
{
    if (left == 1) {
        if (k + 1 == modes) return shape_fits(f, size, leaves, n);
        return try_shapes(f, mode, modes, k + 1, mode[k + 1], size, leaves, n);
    }
    for (int64_t s = 2; s <= left; ++s) {
        if (left % s != 0) continue;
        size[leaves] = s;
        if (try_shapes(f, mode, modes, k, left / s, size, leaves + 1, n)) return 1;
    }
    return 0;
}

static int some_layout_is(const int64_t *f, const int64_t *mode, int modes)
{
    int64_t size[LEAVES], n = 1;
    if (f[0] != 0) return 0;
    for (int k = 0; k < modes; ++k) n *= mode[k];
    return try_shapes(f, mode, modes, 0, mode[0], size, 0, n);
}

/* ---- the domains ------------------------------------------------------------------------------ */

/* Calls visit for each flat layout of 1 to `leaves` leaves in a range. */
static void over_layouts(sweep_range r, int leaves, void (*visit)(ct_layout L))
{
    for (int n = 1; n <= leaves; ++n) {
        const int64_t all = sweep_power(sweep_leaves(r), n);
        for (int64_t i = 0; i < all; ++i) visit(sweep_layout(r, n, i));
    }
}

static int64_t cases, exact, refused, needless;

static void begin(void) { cases = exact = refused = needless = 0; }

static void expect(int64_t all, int64_t exactly, int64_t more)
{
    print_message("# %lld cases, %lld exact, %lld refused, %lld of them needlessly\n",
                  (long long)cases, (long long)exact, (long long)refused, (long long)needless);
    assert_int_equal(cases, exact + refused);
    assert_int_equal(cases, all);
    assert_int_equal(exact, exactly);
    assert_int_equal(needless, more);
}

/* ---- composition and divide ------------------------------------------------------------------- */

static ct_layout left; /* A, for each B */

/* R is f over the shape of B, or there is no such layout. */
static void judge(ct_layout R, ct_layout B, const int64_t *f)
{
    const int64_t n = oracle_size(B);
    ++cases;
    if (R.err.status) {
        ++refused;
        assert_int_equal(R.err.status, CT_E_NO_LAYOUT);
        if (some_layout_is(f, B.shape, B.profile.leaves))
            fail_msg("%s and %s are refused needlessly", show(left), show(B));
        return;
    }
    ++exact;
    assert_int_equal(oracle_size(R), n);
    for (int64_t i = 0; i < n; ++i)
        if (oracle_eval(R, i) != f[i])
            fail_msg("%s and %s: %s is wrong at %lld", show(left), show(B), show(R), (long long)i);
}

static void compose_one(ct_layout B)
{
    int64_t f[INDICES];
    const int64_t n = oracle_size(B);
    for (int64_t i = 0; i < n; ++i) f[i] = oracle_eval(left, oracle_eval(B, i));
    judge(ct_composition(left, B), B, f);
}

static void compose_all(ct_layout A)
{
    left = A;
    over_layouts((sweep_range){4, 0, 6}, 2, compose_one);
}

TEST(composition)
{
    begin();
    over_layouts((sweep_range){4, -1, 6}, 2, compose_all);
    expect(857472, 651840, 0);
}

/* ---- complement ------------------------------------------------------------------------------- */

/* Copies of the offsets of L, laid one after the other where the first number is not reached, fill an
 * interval of n or more: their number; 0 where two must meet. There is no other way to fill one from
 * its first number on, and in these domains one of both is found within the room. */
static int64_t tiles(ct_layout L, int64_t n, int64_t *at)
{
    static unsigned char taken[4096];
    int64_t copies = 0, front = 0, top = 0, low = 0;
    memset(taken, 0, sizeof taken);
    const int64_t size = oracle_size(L);
    for (int64_t i = 0; i < size; ++i) low = ct_min(low, oracle_eval(L, i));
    for (;;) {
        for (int64_t i = 0; i < size; ++i) {
            const int64_t x = front + oracle_eval(L, i) - low;
            assert_true(x < (int64_t)sizeof taken);
            if (taken[x]) return 0;
            taken[x] = 1;
            top = ct_max(top, x + 1);
        }
        at[copies++] = front;
        while (taken[front]) ++front;
        if (front == top && top >= n) return copies;
    }
}

static int64_t
    unaligned; /* complements of layouts that fill no interval: copies that do not meet */

static void complement_one(ct_layout L)
{
    static int64_t at[4096];
    ct_layout moving = L;
    for (int k = 0; k < L.profile.leaves; ++k)
        if (L.stride[k] == 0) moving.shape[k] = 1;
    for (int64_t n = 1; n <= 24; ++n) {
        const ct_layout R = ct_complement(L, n);
        const int64_t copies = tiles(moving, n, at);
        ++cases;
        if (R.err.status) {
            ++refused;
            assert_int_equal(R.err.status, CT_E_NO_LAYOUT);
            if (copies)
                fail_msg("complement(%s, %lld) is refused needlessly", show(L), (long long)n);
            continue;
        }
        ++exact;
        if (copies == 0) {
            ++unaligned;
            LAW(law_copies_do_not_meet(moving, R, n), show(L));
            continue;
        }
        assert_int_equal(oracle_size(R), copies);
        for (int64_t j = 0; j < copies; ++j) assert_int_equal(oracle_eval(R, j), at[j]);
    }
}

TEST(complement)
{
    begin();
    unaligned = 0;
    over_layouts((sweep_range){4, -6, 6}, 2, complement_one);
    over_layouts((sweep_range){3, 0, 6}, 3, complement_one);
    assert_int_equal(unaligned, 13146);
    expect(299496, 170850, 0);
}

/* ---- divide ----------------------------------------------------------------------------------- */

/* A divided by B is A of (B, where the copies of B begin), for copies that fill an interval. */
static void divide_one(ct_layout B)
{
    static int64_t at[4096], f[4096];
    ct_layout moving = B;
    int64_t mode[4];
    for (int k = 0; k < B.profile.leaves; ++k)
        if (B.stride[k] == 0) moving.shape[k] = 1;
    const int64_t n = oracle_size(left), b = oracle_size(B), copies = tiles(moving, n, at);
    const ct_layout R = ct_logical_divide(left, B);
    ++cases;
    exact += R.err.status == CT_OK;
    refused += R.err.status != CT_OK;
    for (int64_t j = 0; j < copies; ++j)
        for (int64_t i = 0; i < b; ++i) f[j * b + i] = oracle_eval(left, at[j] + oracle_eval(B, i));
    for (int k = 0; k < B.profile.leaves; ++k) mode[k] = B.shape[k];
    mode[B.profile.leaves] = copies;
    if (R.err.status) {
        assert_int_equal(R.err.status, CT_E_NO_LAYOUT);
        if (copies && some_layout_is(f, mode, B.profile.leaves + 1)) ++needless;
        return;
    }
    assert_true(copies > 0);
    assert_int_equal(oracle_size(R), b * copies);
    for (int64_t i = 0; i < b * copies; ++i) assert_int_equal(oracle_eval(R, i), f[i]);
}

static void divide_all(ct_layout A)
{
    left = A;
    over_layouts((sweep_range){4, 0, 4}, 2, divide_one);
}

TEST(divide)
{
    begin();
    over_layouts((sweep_range){4, 0, 6}, 2, divide_all);
    expect(341040, 188228, 0);
}

/* ---- inverses --------------------------------------------------------------------------------- */

/* Whether the equations row[e] . d = right[e] have an answer in integers. Steps between columns, which
 * change nothing about that, leave one column for each row that needs one. */
static int solvable(int64_t row[INDICES][LEAVES], const int64_t *right, int equations, int columns)
{
    int64_t y[LEAVES];
    int used = 0;
    for (int e = 0; e < equations; ++e) {
        int64_t sum = 0;
        for (int c = used + 1; c < columns; ++c) {
            while (row[e][c] != 0) { /* Euclid, between columns `used` and c */
                const int64_t q = row[e][used] / row[e][c];
                for (int k = 0; k < equations; ++k) {
                    const int64_t x = row[k][used] - q * row[k][c];
                    row[k][used] = row[k][c];
                    row[k][c] = x;
                }
            }
        }
        for (int c = 0; c < used; ++c) sum += row[e][c] * y[c];
        if (used == columns || row[e][used] == 0) {
            if (sum != right[e]) return 0;
            continue;
        }
        if ((right[e] - sum) % row[e][used] != 0) return 0;
        y[used] = (right[e] - sum) / row[e][used];
        ++used;
    }
    return 1;
}

/* Whether a layout with these sizes, and a last leaf that has no end, takes offset[i] to index[i]: its
 * strides are what is asked for. */
static int sizes_invert(const int64_t *size, int sizes, const int64_t *offset, const int64_t *index,
                        int n)
{
    static int64_t row[INDICES][LEAVES];
    for (int i = 0; i < n; ++i) {
        int64_t rest = offset[i];
        for (int k = 0; k < sizes; ++k) {
            row[i][k] = rest % size[k];
            rest /= size[k];
        }
        row[i][sizes] = rest;
    }
    return solvable(row, index, n, sizes + 1);
}

/* The same for any sizes whose product is at most `most`: after the highest offset a digit is 0. */
static int some_layout_inverts(int64_t *size, int sizes, int64_t most, const int64_t *offset,
                               const int64_t *index, int n)
{
    if (sizes_invert(size, sizes, offset, index, n)) return 1;
    for (int64_t s = 2; s <= most; ++s) {
        size[sizes] = s;
        if (some_layout_inverts(size, sizes + 1, most / s, offset, index, n)) return 1;
    }
    return 0;
}

/* The offsets of L and the first index of each; 0 where two indices share one otherwise than by a
 * stride of 0. */
static int inverse_points(ct_layout L, int64_t *offset, int64_t *index, int64_t *most)
{
    int n = 0;
    *most = 0;
    for (int64_t i = 0; i < oracle_size(L); ++i) {
        int64_t rest = i, is_first = 1;
        for (int k = 0; k < L.profile.leaves; ++k) {
            if (L.stride[k] == 0 && rest % L.shape[k] != 0) is_first = 0;
            rest /= L.shape[k];
        }
        if (!is_first) continue;
        offset[n] = oracle_eval(L, i);
        index[n] = i;
        *most = ct_max(*most, offset[n]);
        for (int k = 0; k < n; ++k)
            if (offset[k] == offset[n]) return 0;
        ++n;
    }
    return n;
}

static void left_one(ct_layout L)
{
    int64_t offset[INDICES], index[INDICES], size[LEAVES], most;
    const ct_layout R = ct_left_inverse(L);
    const int n = inverse_points(L, offset, index, &most);
    ++cases;
    if (R.err.status) {
        ++refused;
        assert_int_equal(R.err.status, CT_E_NO_LAYOUT);
        needless += n > 0 && some_layout_inverts(size, 0, most, offset, index, n);
        return;
    }
    ++exact;
    if (n == 0) fail_msg("left_inverse(%s) is no function", show(L));
    assert_true(some_layout_inverts(size, 0, most, offset, index, n));
    for (int i = 0; i < n; ++i) assert_int_equal(oracle_eval(R, offset[i]), index[i]);
}

TEST(left_inverse)
{
    begin();
    over_layouts((sweep_range){4, 0, 12}, 2, left_one);
    over_layouts((sweep_range){3, 0, 6}, 3, left_one);
    expect(12479, 9448, 0);
}

static int64_t longer; /* right inverses that are not the longest */

/* No layout that takes each offset below some n to its only index is longer than the right inverse. */
static void right_one(ct_layout L)
{
    int64_t offset[INDICES], index[INDICES], f[INDICES], most;
    const ct_layout R = ct_right_inverse(L);
    const int n = inverse_points(L, offset, index, &most);
    ++cases;
    assert_int_equal(R.err.status, CT_OK);
    const int64_t size = oracle_size(R);
    for (int64_t i = 0; i < size; ++i) assert_int_equal(oracle_eval(L, oracle_eval(R, i)), i);
    ++exact;
    for (int64_t reach = 0; n > 0; ++reach) {
        int k = 0;
        while (k < n && offset[k] != reach) ++k;
        if (k == n) break;
        f[reach] = index[k];
        const int64_t all = reach + 1;
        longer += all > size && some_layout_is(f, &all, 1);
    }
}

TEST(right_inverse)
{
    begin();
    longer = 0;
    over_layouts((sweep_range){4, 0, 12}, 2, right_one);
    over_layouts((sweep_range){3, 0, 6}, 3, right_one);
    assert_int_equal(longer, 0);
    expect(12479, 12479, 0);
}

GROUP("refusals", NULL, NULL)
