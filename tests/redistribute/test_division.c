/* Sets of coordinates as the fewest layouts, against every division of them. */
#include "test.h"

#include "dice.h"
#include "division_oracle.h"
#include "redistribute/points.h"

static uint64_t seed_asked(void)
{
    const char *const asked = getenv("CUTLET_SEED");
    const uint64_t seed = asked ? strtoull(asked, NULL, 10) : 1;
    print_message("# seed %llu\n", (unsigned long long)seed);
    return seed;
}

static int by_first(const void *a, const void *b)
{
    const ct_point *const x = a, *const y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* The values of a set, ascending. Returns how many. */
static int values_of(const ct_set *s, ct_point *p)
{
    int count = 1;
    p[0] = (ct_point){s->first, {s->at[0], s->at[1]}};
    for (int k = 0; k < s->digits; ++k) {
        const ct_set_digit *const d = &s->digit[k];
        for (int i = count; i < count * d->count; ++i) {
            p[i] = p[i - count];
            p[i].first += d->step;
            for (int side = 0; side < 2; ++side) p[i].at[side] += d->at[side];
        }
        count *= (int)d->count;
    }
    qsort(p, (size_t)count, sizeof *p, by_first);
    return count;
}

/* Fails unless sets together are the points, each in one. */
static void check_values(const ct_set *set, int sets, const ct_point *p, int count)
{
    static ct_point all[4096];
    int values = 0;
    for (int i = 0; i < sets; ++i) values += values_of(&set[i], all + values);
    qsort(all, (size_t)values, sizeof *all, by_first);
    assert_int_equal(values, count);
    assert_memory_equal(all, p, (size_t)count * sizeof *p);
}

/* Points whose every subset is tried. */
static void random_points(dice *d, int kind, ct_point p[DIVIDED])
{
    int64_t first = 0;
    for (int i = 0; i < DIVIDED; ++i, first += kind == 0 ? 1 : dice_int(d, 1, kind == 3 ? 9 : 3)) {
        p[i] = (ct_point){first, {first, 3 * first}};
        if (kind == 2) p[i].at[0] = first % 2 * 50 + first / 2; /* two digits in the other order */
        if (kind == 4) p[i].at[1] = dice_int(d, 0, 3) ? first : 100 + i; /* some out of line */
    }
}

/* All subsets of points. */
TEST(test_subsets)
{
    static divisions all;
    static ct_set out[DIVIDED];
    const uint64_t seed = seed_asked();
    int64_t several = 0;
    for (int kind = 0; kind < 5; ++kind) {
        dice d = dice_of_case(seed ^ 78, (uint64_t)kind);
        ct_point p[DIVIDED];
        placed same[DIVIDED];
        random_points(&d, kind, p);
        for (int i = 0; i < DIVIDED; ++i) same[i] = (placed){{p[i].first, p[i].at[0], p[i].at[1]}};
        all_divisions(same, DIVIDED, &all);
        for (int some = 1; some < 1 << DIVIDED; ++some) {
            ct_point part[DIVIDED];
            int count = 0, found = 0;
            for (int i = 0; i < DIVIDED; ++i)
                if (some >> i & 1) part[count++] = p[i];
            const int least = all.fewest[some];
            if (ct_points_layout(part, count, CT_MAX_LEAVES, out) != (least == 1))
                fail_msg("kind %d, points %x: the fewest layouts are %d", kind, some, least);
            if (least == 1) {
                check_values(out, 1, part, count);
                continue;
            }
            const ct_division many =
                ct_points_divide(part, count, CT_MAX_LEAVES, count + 1, 0, out, &found);
            if (many != CT_DIVISION_FOUND || found != least)
                fail_msg("kind %d, points %x: %d layouts, and the fewest are %d", kind, some, found,
                         least);
            check_values(out, found, part, count);
            const ct_division fewer =
                ct_points_divide(part, count, CT_MAX_LEAVES, least, 0, out, &found);
            if (fewer != CT_DIVISION_NONE)
                fail_msg("kind %d, points %x: fewer layouts than %d", kind, some, least);
            several += least > 2;
        }
    }
    print_message("# %lld of the subsets are 3 layouts or more\n", (long long)several);
    assert_true(several > 5000);
}

/* This many random points among the first `span` coordinates, from 0 on. */
static void random_subset(dice *d, int count, int span, ct_point *p)
{
    int left = count - 1;
    p[0] = (ct_point){0, {0, 0}};
    for (int64_t first = 1; first < span; ++first)
        if (dice_int(d, 1, span - first) <= left)
            p[count - left--] = (ct_point){first, {first, first}};
}

/* The search ends for 12 points without a limit, and for up to 16 in the most steps of a set. */
TEST(test_steps)
{
    /* Of the subsets of 19 coordinates, those of 12 that take the most steps: bit i for coordinate i. */
    static const int worst[] = {0x669af, 0x4dff, 0x12bc3b};
    const uint64_t seed = seed_asked();
    ct_point p[16];
    ct_set out[16];
    int found;
    for (size_t i = 0; i < sizeof worst / sizeof *worst; ++i) {
        int count = 0;
        for (int64_t k = 0; k < 31; ++k)
            if (worst[i] >> k & 1) p[count++] = (ct_point){k, {k, k}};
        assert_int_equal(count, CT_POINTS_ALWAYS);
        assert_int_equal(ct_points_divide(p, count, CT_MAX_LEAVES, count + 1, 0, out, &found),
                         CT_DIVISION_FOUND);
    }
    for (int number = 0; number < 10000; ++number) {
        dice d = dice_of_case(seed ^ 81, (uint64_t)number);
        const int is_small = number % 2,
                  count = is_small ? CT_POINTS_ALWAYS : (int)dice_int(&d, 13, 16);
        const int span = (int)dice_int(&d, count + 1, is_small ? 40 : 100);
        random_subset(&d, count, span, p);
        if (ct_points_layout(p, count, CT_MAX_LEAVES, out)) continue;
        const int64_t steps = is_small ? 0 : CT_SETS_STEPS_MOST;
        if (ct_points_divide(p, count, CT_MAX_LEAVES, count + 1, steps, out, &found) !=
            CT_DIVISION_FOUND)
            fail_msg("case %d: %d points of %d need more steps", number, count, span);
        check_values(out, found, p, count);
    }
}

/* A random layout with up to `most` coordinates below n, whose places are linear. */
static ct_set random_layout(dice *d, int64_t n, int most)
{
    ct_set s = {dice_int(d, 0, n - 1), {0, 0}, 0, {{0}}};
    int64_t size = 1, capacity = n - 1 - s.first;
    while (s.digits < 4 && capacity > 0 && dice_int(d, 0, 3)) {
        const int64_t step = dice_int(d, 1, capacity),
                      count = dice_int(d, 2, 1 + ct_min(capacity / step, 7));
        if (size * count > most) break;
        s.digit[s.digits++] = (ct_set_digit){count, step, {step, 2 * step}};
        size *= count;
        capacity -= (count - 1) * step;
    }
    s.at[0] = s.first;
    s.at[1] = 2 * s.first;
    return s;
}

/* Up to 64 points made of a few layouts: no more are found, if the search ends. */
TEST(test_made_of_layouts)
{
    const uint64_t seed = seed_asked();
    int ended = 0, divided = 0, large = 0;
    for (int number = 0; number < 2000; ++number) {
        dice d = dice_of_case(seed ^ 79, (uint64_t)number);
        ct_point p[CT_POINTS_DIVIDED];
        ct_set one, out[CT_POINTS_DIVIDED];
        char used[400] = {0};
        int count = 0, layouts = 0, found = 0;
        const int wanted = (int)dice_int(&d, 2, 4);
        for (int tries = 0; tries < 20 && layouts < wanted; ++tries) {
            const ct_set s = random_layout(&d, 400, CT_POINTS_DIVIDED - count);
            int overlaps = 0;
            const int values = values_of(&s, p + count);
            for (int i = 0; i < values; ++i) overlaps |= used[p[count + i].first];
            for (int i = 1; i < values; ++i)
                overlaps |= p[count + i].first == p[count + i - 1].first;
            if (overlaps) continue;
            for (int i = 0; i < values; ++i) used[p[count + i].first] = 1;
            count += values;
            if (++layouts, count == CT_POINTS_DIVIDED) break;
        }
        qsort(p, (size_t)count, sizeof *p, by_first);
        if (ct_points_layout(p, count, CT_MAX_LEAVES, &one)) continue;
        const ct_division result =
            ct_points_divide(p, count, CT_MAX_LEAVES, count + 1, CT_SETS_STEPS_MOST, out, &found);
        assert_int_not_equal(result, CT_DIVISION_NONE);
        divided++;
        ended += result == CT_DIVISION_FOUND;
        if (result != CT_DIVISION_FOUND) continue;
        if (found > layouts) fail_msg("case %d: %d layouts, made of %d", number, found, layouts);
        check_values(out, found, p, count);
        large += count > 20;
    }
    print_message("# the search ended for %d of %d sets, %d of them of more than 20 points\n",
                  ended, divided, large);
    assert_true(5 * ended > 4 * divided && large > 300);
}

/* Digits of a coordinate, some of which a key holds: those of side 0 or 1. */
static ct_set random_held(dice *d, int side)
{
    ct_set s = {0, {0, 0}, 0, {{0}}};
    ct_set_digit up[4];
    int64_t step = 1, place = 1;
    int digits = 0;
    for (int i = 0; i < ct_min(4, CT_MAX_LEAVES - 1); ++i) { /* one leaf is for blocks */
        const int64_t extent = dice_int(d, 2, 5);
        if (dice_int(d, 0, 2)) {
            up[digits] = (ct_set_digit){extent, step, {0, 0}};
            up[digits++].at[side] = place;
            place *= extent;
        } else s.first += dice_int(d, 0, extent - 1) * step;
        step *= extent;
    }
    for (int i = digits - 1; i >= 0; --i) s.digit[s.digits++] = up[i];
    ct_set_coalesce(&s);
    return s;
}

/* The same set of blocks of this many coordinates. */
static ct_set of_blocks(const ct_set *s, int64_t block, int side)
{
    ct_set b = *s;
    b.first *= block;
    for (int i = 0; i < b.digits; ++i) {
        b.digit[i].step *= block;
        b.digit[i].at[side] *= block;
    }
    b.digit[b.digits] = (ct_set_digit){block, 1, {0, 0}};
    b.digit[b.digits++].at[side] = 1;
    ct_set_coalesce(&b);
    return b;
}

/* How many layouts an intersection has; fails unless together they are these points. */
static int layouts_met(const ct_set *a, const ct_set *b, int64_t n, const ct_point *p, int count)
{
    char message[CT_MESSAGE_BYTES];
    ct_sets sets;
    assert_int_equal(ct_sets_meet(a, b, n, CT_SETS_STEPS_LEAST, &sets, message), CT_OK);
    check_values(sets.item, sets.count, p, count);
    assert_int_equal(sets.elems, count);
    if (count <= DIVIDED) assert_true(sets.is_fewest);
    const int layouts = sets.count;
    ct_sets_free(&sets);
    return layouts;
}

/* Intersections of few points, and of few blocks: the fewest layouts, blocks whole. */
TEST(test_intersections)
{
    enum { BLOCK = 50 };
    static divisions all;
    static ct_point whole[DIVIDED * BLOCK];
    const uint64_t seed = seed_asked();
    int all_sets = 0, several = 0;
    for (int number = 0; number < 40000; ++number) {
        dice d = dice_of_case(seed ^ 80, (uint64_t)number);
        const ct_set a = random_held(&d, 0), b = random_held(&d, 1);
        ct_point in_a[1024], in_b[1024], p[DIVIDED];
        placed same[DIVIDED];
        const int64_t n = dice_int(&d, 20, 200);
        const int as = values_of(&a, in_a), bs = values_of(&b, in_b);
        int count = 0;
        for (int i = 0, k = 0; i < as; ++i) {
            while (k < bs && in_b[k].first < in_a[i].first) ++k;
            if (k == bs || in_b[k].first != in_a[i].first || in_a[i].first >= n) continue;
            if (count < DIVIDED)
                p[count] = (ct_point){in_a[i].first, {in_a[i].at[0], in_b[k].at[1]}};
            ++count;
        }
        if (count < 3 || count > DIVIDED) continue;
        const ct_set blocks[2] = {of_blocks(&a, BLOCK, 0), of_blocks(&b, BLOCK, 1)};
        for (int i = 0; i < count * BLOCK; ++i) {
            const ct_point *const at = &p[i / BLOCK];
            whole[i] = (ct_point){at->first * BLOCK + i % BLOCK,
                                  {at->at[0] * BLOCK + i % BLOCK, at->at[1] * BLOCK + i % BLOCK}};
        }
        const int layouts = layouts_met(&a, &b, n, p, count);
        const int of_whole = layouts_met(&blocks[0], &blocks[1], n * BLOCK, whole, count * BLOCK);
        if (of_whole != layouts)
            fail_msg("case %d: %d layouts, %d of blocks", number, layouts, of_whole);
        if (layouts == 1) continue;
        for (int i = 0; i < count; ++i) same[i] = (placed){{p[i].first, p[i].at[0], p[i].at[1]}};
        all_divisions(same, count, &all);
        const int least = all.fewest[(1 << count) - 1];
        if (layouts != least)
            fail_msg("case %d: %d layouts, and the fewest are %d", number, layouts, least);
        all_sets++;
        several += least > 2;
    }
    print_message("# of %d sets %d are 3 layouts or more\n", all_sets, several);
    assert_true(all_sets > 500 && several > 50);
}

GROUP("division", NULL, NULL)
