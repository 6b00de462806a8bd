/* The oracle against something plainer still: every factorization tried one after another. */
#include "sweep.h"

/* Whether f on [0, n), with places below `place` settled, is a layout: tries each size for the next
 * leaf. Its stride has no choice: it is f(place). Sets *fewest to the least number of leaves. */
static int factorizations(const int64_t *f, int64_t n, int64_t place, ct_layout L, int *fewest)
{
    if (place == n) {
        for (int64_t i = 0; i < n; ++i) {
            if (oracle_eval(L, i) != f[i]) return 0;
        }
        if (L.profile.leaves < *fewest) *fewest = L.profile.leaves;
        return 1;
    }
    int found = 0;
    for (int64_t s = 2; s <= n / place; ++s) {
        if (n / place % s != 0) continue;
        ct_layout more = L;
        more.shape[more.profile.leaves] = s;
        more.stride[more.profile.leaves] = f[place];
        more.profile.leaves++;
        found |= factorizations(f, n, place * s, more, fewest);
    }
    return found;
}

static void compare(const int64_t *f, int64_t n, int64_t *layouts)
{
    ct_layout none, found;
    memset(&none, 0, sizeof none);
    memset(&found, 0, sizeof found);
    int fewest = 99;
    const int exists = factorizations(f, n, 1, none, &fewest);
    const int leaves = oracle_layout_of(f, n, &found);
    if (fewest == 0) fewest = 1; /* 1:0 for a single index */
    assert_int_equal(leaves != 0, exists);
    if (exists) {
        assert_int_equal(leaves, fewest);
        for (int64_t i = 0; i < n; ++i) assert_int_equal(oracle_eval(found, i), f[i]);
        ++*layouts;
    }
}

/* All functions on [0, n) with values in 0 .. top and f(0) = 0. */
static void all_functions(int64_t n, int64_t top, int64_t at_least)
{
    int64_t f[16] = {0}, layouts = 0;
    for (;;) {
        compare(f, n, &layouts);
        int64_t k = 1;
        while (k < n && ++f[k] > top) f[k++] = 0;
        if (k >= n) break;
    }
    assert_true(layouts >= at_least);
}

TEST(greedy_runs_decide)
{
    all_functions(1, 1, 1);
    all_functions(2, 6, 7);
    all_functions(3, 6, 4);
    all_functions(4, 6, 20);
    all_functions(6, 5, 10);
    all_functions(8, 3, 10);
}

/* Larger sizes: layouts, and layouts with one value changed. */
TEST(greedy_runs_decide_at_random)
{
    sweep_seed(1);
    int64_t layouts = 0;
    for (int i = 0; i < 3000; ++i) {
        int64_t f[ORACLE_MAX];
        const ct_layout L = dice_layout(&sweep_dice, 5, 96, i % DICE_STYLES);
        const int64_t n = oracle_offsets(L, f);
        if (i % 3 == 0 && n > 1) f[sweep_int(1, n - 1)] += sweep_int(-2, 2);
        compare(f, n, &layouts);
    }
    assert_in_range(layouts, 2000, 3000);
}

TEST(enumeration_by_hand)
{
    int64_t f[ORACLE_MAX];
    static const int64_t want[] = {0, 8, 1, 9, 100, 108, 101, 109};
    assert_int_equal(oracle_offsets(L_("((2,2),2):((8,1),100)"), f), 8);
    assert_memory_equal(f, want, sizeof want);
    assert_int_equal(oracle_eval(L_("(2,2):(8,1)"), 5), 2 + 8); /* (1, 2): on along the last leaf */
}

/* {0,1,4,5}: copies at 0 and 2 fill [0, 8). {0,1,3}: the second copy must begin at 2 and meets
 * 3. */
TEST(tilings_by_hand)
{
    int64_t begin[ORACLE_MAX];
    static const int64_t pairs[] = {0, 1, 4, 5}, odd[] = {0, 1, 3};
    assert_int_equal(oracle_tile(pairs, 4, 9, 100, begin), 4);
    assert_int_equal(begin[1], 2);
    assert_int_equal(begin[2], 8);
    assert_int_equal(begin[3], 10);
    assert_int_equal(oracle_tile(odd, 3, 4, 100, begin), 0);
    int64_t v[] = {3, 1, 3, 0, 1};
    assert_int_equal(oracle_distinct(v, 5), 3);
    assert_int_equal(v[2], 3);
}

/* A law must be able to fail: each of these results is wrong on purpose. */
TEST(laws_notice)
{
    int64_t f[ORACLE_MAX];
    const int64_t n = oracle_offsets(L_("(2,3):(1,2)"), f);
    assert_null(law_is("same", L_("6:1"), f, n));
    assert_non_null(law_is("same", L_("(3,2):(2,1)"), f, n));
    assert_non_null(law_is("same", L_("5:1"), f, n));
    assert_non_null(law_fewest(L_("(2,3):(1,2)"), f, n));
    assert_null(law_fewest(L_("6:1"), f, n));
    assert_non_null(law_same("same", L_("(2,3):(1,2)"), L_("((2,3)):((1,2))")));
    assert_non_null(law_same("same", L_("(2,3):(1,2)"), L_("(2,3):(1,3)")));
    assert_non_null(law_result(L_("(2,0):(1,2)")));
    ct_layout broken = L_("(2,3):(1,2)");
    broken.profile.close[1] = 0;
    assert_non_null(law_result(broken));
    assert_non_null(law_error(ct_make_error(0, 1, 1, 0, 0, 0)));
    assert_non_null(law_error(ct_make_error(1, 0, 1, 0, 0, 0)));
    assert_non_null(law_error(ct_make_error(1, 1, 0, 0, 0, 0)));
    int leaves = 0;
    static const int64_t carry[] = {0, 1, 2, 100};
    assert_int_equal(law_refinement_exists(L_("(2,2)"), carry, 4, &leaves), 0);
    static const int64_t even[] = {0, 1, 100, 101};
    assert_int_equal(law_refinement_exists(L_("(2,2)"), even, 4, &leaves), 1);
    assert_int_equal(law_refinement_exists(L_("4"), carry, 4, &leaves), 0);
    assert_int_equal(law_longest_chain(L_("(2,3,10):(1,1,2)")), 20);
    assert_true(law_injective(L_("(2,2):(2,3)")));
    assert_false(law_injective(L_("(2,2):(1,1)")));
    static const int64_t src[] = {0, 1, 2, 3}, dst[] = {4, 5, 6, 7}, off[] = {2, 3, 4, 5};
    assert_true(law_width_is_legal(src, dst, 4, 4));
    assert_false(law_width_is_legal(src, off, 4, 4));
    assert_true(law_width_is_legal(src, off, 4, 2));
}

GROUP("oracle", NULL, NULL)
