/* Every operation of two layouts, over all pairs of small ones. */
#include "sweep.h"

/* Calls `law` for each pair of layouts of up to `leaves` leaves; every `step`-th pair. */
static void over_pairs(void (*law)(ct_layout A, ct_layout B), sweep_range a, int leaves_a,
                       sweep_range b, int leaves_b, int64_t step)
{
    sweep_count = 0;
    int64_t skip = 0;
    for (int m = 1; m <= leaves_a; ++m) {
        const int64_t all_a = sweep_power(sweep_leaves(a), m);
        for (int n = 1; n <= leaves_b; ++n) {
            const int64_t all_b = sweep_power(sweep_leaves(b), n);
            for (int64_t i = 0; i < all_a; ++i) {
                for (int64_t j = 0; j < all_b; ++j) {
                    if (++skip % step == 0) law(sweep_layout(a, m, i), sweep_layout(b, n, j));
                }
            }
        }
    }
    assert_true(sweep_count > 1000);
}

static void composition_(ct_layout A, ct_layout B) { LAW(law_composition(A, B), show(A), show(B)); }
static void add_(ct_layout A, ct_layout B)
{
    if (oracle_size(A) == oracle_size(B)) LAW(law_layout_add(A, B), show(A), show(B));
}
static void divide_(ct_layout A, ct_layout B) { LAW(law_divide(A, B), show(A), show(B)); }
static void product_(ct_layout A, ct_layout B) { LAW(law_product(A, B), show(A), show(B)); }
static void zip_product_(ct_layout A, ct_layout B)
{
    LAW(law_blocked_product(A, B), show(A), show(B));
    LAW(law_raked_product(A, B), show(A), show(B));
}
static void common_(ct_layout A, ct_layout B)
{
    LAW(law_max_common(A, B), show(A), show(B));
    LAW(law_common_domain(ct_shape(A), ct_shape(B)), show(A), show(B));
    LAW(law_common_refinement(ct_shape(A), ct_shape(B)), show(A), show(B));
}
static void partition_(ct_layout A, ct_layout B)
{
    LAW(law_local_partition(ct_make_tensor(A), B), show(A), show(B));
}
static void by_mode_(ct_layout A, ct_layout B)
{
    ct_tiler tiler = ct_tiler0();
    for (int k = 0; k < ct_layout_rank(B); ++k) tiler = ct_tiler_append(tiler, ct_mode(B, k));
    LAW(law_divide_by(A, tiler), show(A), show(B));
    LAW(law_composition_by(A, tiler), show(A), show(B));
    LAW(law_tiles(ct_make_tensor(A), tiler), show(A), show(B));
}
static void width_(ct_layout A, ct_layout B)
{
    if (oracle_size(A) == oracle_size(B)) LAW(law_copy_width(A, B, 2, 16, 0, 0), show(A), show(B));
}

static const sweep_range SMALL = {3, 0, 4}, PLAIN = {4, 0, 6}, LEFT = {4, -1, 3},
                         RIGHT = {4, -1, 5}, LONG = {12, -1, 20}, SHAPES = {12, 0, 0},
                         SHORT = {4, 0, 4}, WIDE = {8, 0, 8};

/* All pairs of small ranges, then every so-manieth of larger ones. */
TEST(composition)
{
    over_pairs(composition_, PLAIN, 2, PLAIN, 2, 1);
    over_pairs(composition_, LEFT, 3, LONG, 1, 13);
    over_pairs(composition_, LEFT, 2, RIGHT, 3, 47);
    over_pairs(composition_, (sweep_range){4, 0, 20}, 2, (sweep_range){6, 0, 12}, 2, 199);
}
TEST(sums)
{
    over_pairs(add_, SMALL, 2, (sweep_range){4, 0, 4}, 2, 1);
    over_pairs(add_, (sweep_range){6, -2, 6}, 2, (sweep_range){6, -2, 6}, 2, 13);
    over_pairs(add_, (sweep_range){3, -1, 3}, 3, (sweep_range){6, -1, 3}, 2, 29);
}
TEST(divides)
{
    over_pairs(divide_, SMALL, 2, SMALL, 2, 1);
    over_pairs(divide_, PLAIN, 2, PLAIN, 2, 41);
    over_pairs(divide_, SHORT, 3, SHORT, 1, 7);
    over_pairs(divide_, WIDE, 2, (sweep_range){6, -1, 8}, 1, 11);
}
TEST(products)
{
    over_pairs(product_, SMALL, 2, SMALL, 2, 1);
    over_pairs(product_, PLAIN, 2, PLAIN, 2, 41);
    over_pairs(zip_product_, SMALL, 2, SMALL, 2, 3);
    over_pairs(zip_product_, PLAIN, 2, PLAIN, 2, 101);
    over_pairs(zip_product_, SHORT, 1, SHORT, 3, 7);
}
TEST(commons)
{
    over_pairs(common_, SMALL, 2, SMALL, 2, 1);
    over_pairs(common_, PLAIN, 2, PLAIN, 2, 41);
    over_pairs(common_, (sweep_range){3, 0, 4}, 3, (sweep_range){3, 0, 4}, 2, 23);
    over_pairs(common_, SHAPES, 3, SHAPES, 2, 11);
}
TEST(partitions)
{
    over_pairs(partition_, SMALL, 2, SMALL, 2, 3);
    over_pairs(partition_, PLAIN, 2, SHORT, 2, 41);
    over_pairs(by_mode_, SMALL, 2, SMALL, 2, 11);
    over_pairs(by_mode_, PLAIN, 2, SHORT, 2, 101);
}
TEST(widths) { over_pairs(width_, (sweep_range){4, 0, 8}, 2, (sweep_range){4, 0, 8}, 2, 13); }

GROUP("laws: two operands", NULL, NULL)
