/* Every operation of one layout, over all layouts of up to three leaves with small shapes and
 * strides. */
#include "sweep.h"

static const sweep_range RANGE = {4, -2, 6};

/* Calls `law` for each layout of the range, nested in the ways from `first` to `last`. */
static void over_ways(void (*law)(ct_layout L), sweep_range range, int most_leaves, int first,
                      int last)
{
    for (int n = 1; n <= most_leaves; ++n) {
        const int64_t all = sweep_power(sweep_leaves(range), n);
        for (int64_t i = 0; i < all; ++i) {
            for (int way = first; way <= last; ++way) {
                ct_layout L = sweep_layout(range, n, i);
                if (sweep_nest(&L, way)) law(L);
            }
        }
    }
}

/* All layouts of the range flat; where nesting matters, those of a smaller range nested too. */
static void over_all(void (*law)(ct_layout L), sweep_range range, int most_leaves, int nested)
{
    const sweep_range fewer = {range.most_shape < 3 ? range.most_shape : 3,
                               range.low_stride < 0 ? -1 : 0,
                               range.high_stride < 4 ? range.high_stride : 4};
    sweep_count = 0;
    over_ways(law, range, most_leaves, 0, 0);
    if (nested) over_ways(law, fewer, most_leaves, 1, 3);
    assert_true(sweep_count > 1000);
}

static void eval_(ct_layout L)
{
    LAW(law_eval(L), show(L));
    LAW(law_hier_coord(L), show(L));
}

static void coalesce_(ct_layout L)
{
    LAW(law_coalesce(L), show(L));
    LAW(law_coalesce_z(L), show(L));
    LAW(law_filter(L), show(L));
    for (int modes = 1; modes <= ct_layout_rank(L); ++modes) {
        ct_tuple profile = ct_repeat_any(modes);
        if (modes == 1) profile = ct_wrap(ct_any());
        LAW(law_coalesce_by(L, profile), show(L), show_tuple(profile));
        LAW(law_filter_by(L, profile), show(L), show_tuple(profile));
    }
    LAW(law_coalesce_by(L, ct_int(1)), show(L));
    LAW(law_filter_by(L, ct_int(1)), show(L));
}

static void inverse_(ct_layout L)
{
    LAW(law_right_inverse(L), show(L));
    LAW(law_left_inverse(L), show(L));
    LAW(law_nullspace(L), show(L));
    LAW(law_max_alignment(L), show(L));
}

static void complement_(ct_layout L)
{
    const int64_t targets[] = {1, 12, 31};
    for (int i = 0; i < 3; ++i) {
        char n[32];
        snprintf(n, sizeof n, "%lld", (long long)targets[i]);
        LAW(law_complement(L, targets[i]), show(L), n);
    }
}

static void cast_(ct_layout L)
{
    for (int64_t n = 1; n <= 6; n += n < 4 ? 1 : 2) {
        char by[32];
        snprintf(by, sizeof by, "%lld", (long long)n);
        LAW(law_upcast(L, n), show(L), by);
        LAW(law_downcast(L, n), show(L), by);
    }
}

/* The constructors, for the shapes alone; the strides serve as keys. */
static void make_(ct_layout L)
{
    const ct_layout made[3] = {ct_make_col_major(ct_shape(L)), ct_make_row_major(ct_shape(L)),
                               ct_make_ordered_layout(ct_shape(L), ct_stride(L))};
    for (int k = 0; k < 3; ++k) { /* compact: every number below the size once */
        int64_t at[ORACLE_MAX];
        LAW(law_result(made[k]), show(L));
        const int64_t n = oracle_offsets(made[k], at);
        assert_int_equal(n, oracle_size(L));
        assert_int_equal(oracle_distinct(at, n), n);
        assert_int_equal(at[n - 1], n - 1);
        assert_int_equal(at[0], 0);
        assert_true(ct_congruent(ct_shape(made[k]), ct_shape(L)));
        int64_t last = 0;
        for (int i = 0; i < L.profile.leaves;
             ++i) { /* column- and row-major: which leaf runs fastest */
            const int leaf = k == 0 ? i : L.profile.leaves - 1 - i;
            if (k == 2 || L.shape[leaf] == 1) continue;
            assert_true(made[k].stride[leaf] > last);
            last = made[k].stride[leaf];
        }
        for (int i = 0; k == 2 && i < L.profile.leaves;
             ++i) { /* the order of the keys, ties from the left */
            for (int j = 0; j < L.profile.leaves; ++j) {
                const int before =
                    L.stride[i] < L.stride[j] || (L.stride[i] == L.stride[j] && i < j);
                if (before && L.shape[i] > 1 && L.shape[j] > 1)
                    assert_true(made[k].stride[i] < made[k].stride[j]);
            }
        }
    }
    const ct_layout like = ct_make_layout_like(L), fragment = ct_make_fragment_like(L);
    for (int k = 0; k < 2; ++k) { /* compact where L moves; equal strides stay equal in `like` */
        int64_t at[ORACLE_MAX], moving = 1;
        const ct_layout R = k ? fragment : like;
        int shared = 0;
        LAW(law_result(R), show(L));
        assert_true(ct_congruent(ct_shape(R), ct_shape(L)));
        for (int i = 0; i < L.profile.leaves; ++i) {
            assert_int_equal(R.shape[i], L.shape[i]);
            moving *= R.stride[i] == 0 ? 1 : L.shape[i];
            if (k == 0 && L.stride[i] == 0) assert_int_equal(R.stride[i], 0);
            if (L.stride[i] != 0 && L.shape[i] > 1) assert_true(R.stride[i] > 0);
            for (int j = 0; j < i && k == 0; ++j) {
                const int64_t a = ct_abs(L.stride[i]), b = ct_abs(L.stride[j]);
                if (L.shape[i] == 1 || L.shape[j] == 1 || a == 0 || b == 0) continue;
                shared |= a == b;
                assert_int_equal(a < b, R.stride[i] < R.stride[j]);
                assert_int_equal(a == b, R.stride[i] == R.stride[j]);
            }
        }
        const int64_t n = oracle_offsets(R, at), distinct = oracle_distinct(at, n);
        if (shared) continue;
        assert_int_equal(distinct, moving);
        assert_int_equal(at[distinct - 1], distinct - 1);
    }
    ++sweep_count;
}

static void modes_(ct_layout L)
{
    LAW(law_reverse(L), show(L));
    LAW(law_sort(L), show(L));
    LAW(law_squeeze(L), show(L));
}

static void order_(ct_layout L)
{
    LAW(law_order(ct_shape(L), 5), show_tuple(ct_shape(L)));
    LAW(law_running_product(ct_shape(L), 1), show_tuple(ct_shape(L)));
    LAW(law_running_product(ct_shape(L), -3), show_tuple(ct_shape(L)));
}

static void distribute_(ct_layout L)
{
    for (int64_t n = 1; n <= 24; ++n) LAW(law_distribute(ct_shape(L), n), show_tuple(ct_shape(L)));
}

/* Slices at every coordinate made of `_`, 0 and the last index. */
static void slice_(ct_layout L)
{
    const int rank = ct_layout_rank(L);
    if (ct_profile_is_integer(L.profile)) return;
    for (int64_t way = 0; way < sweep_power(3, rank); ++way) {
        ct_tuple coord = ct_repeat_any(rank);
        if (rank == 1) coord = ct_wrap(coord);
        int64_t rest = way;
        for (int k = 0; k < rank; ++k, rest /= 3) {
            if (rest % 3 == 0) continue;
            coord.basis[k] = 0;
            coord.value[k] = rest % 3 == 1 ? 0 : oracle_size(ct_mode(L, k)) - 1;
        }
        ct_tensor t = ct_make_tensor(L);
        t.offset = ct_int(7);
        LAW(law_slice(t, coord), show(L), show_tuple(coord));
    }
}

static void tensors_(ct_layout L)
{
    static const int swizzles[][3] = {{0, 0, 0}, {1, 0, 1},  {2, 0, 2},
                                      {1, 1, 2}, {1, 0, -1}, {2, 1, -2}};
    for (int k = 0; k < 6; ++k) {
        const ct_swizzle s = ct_make_swizzle(swizzles[k][0], swizzles[k][1], swizzles[k][2]);
        for (int64_t offset = 0; offset < 9; offset += 4) {
            const ct_tensor t = ct_make_swizzled(s, offset, L);
            if (offset + ct_lowest(L) < 0) {
                assert_int_equal(t.layout.err.why, CT_WHY_NEGATIVE);
                continue;
            }
            LAW(law_tensor(t), show_tensor(t));
            LAW(law_tensor_alignment(t), show_tensor(t));
            LAW(law_tensor_max_common(t, t), show_tensor(t));
            LAW(law_tensor_max_common(t, ct_make_tensor(L)), show_tensor(t));
            LAW(law_tensor_max_common(ct_make_tensor(L), t), show_tensor(t));
            LAW(law_tensor_coalesce(t, ct_tuple1(1)), show_tensor(t));
            LAW(law_tensor_downcast(t, 2), show_tensor(t));
            if (!ct_profile_is_integer(L.profile)) {
                ct_tuple coord = ct_repeat_any(ct_layout_rank(L));
                if (ct_layout_rank(L) == 1) coord = ct_wrap(coord);
                coord.basis[0] = 0;
                coord.value[0] = oracle_size(ct_mode(L, 0)) - 1;
                LAW(law_slice(t, coord), show(L), show_tensor(t));
            }
            LAW(law_tensor_upcast(t, 2), show_tensor(t));
        }
    }
}

static const sweep_range SMALL = {4, 0, 6}, TINY = {4, -1, 4};

/* clang-format off */
TEST(evaluation) { over_all(eval_, RANGE, 3, 1); }
TEST(coalesce) { over_all(coalesce_, RANGE, 3, 1); }
TEST(inverses) { over_all(inverse_, RANGE, 3, 0); }
TEST(complements) { over_all(complement_, RANGE, 3, 0); }
TEST(casts) { over_all(cast_, RANGE, 3, 0); }
TEST(constructors) { over_all(make_, SMALL, 3, 1); }
TEST(distribute) { over_all(distribute_, (sweep_range){12, 0, 0}, 3, 1); }
TEST(modes) { over_all(modes_, TINY, 3, 1); }
TEST(orders) { over_all(order_, (sweep_range){10, 0, 0}, 3, 1); }
TEST(slices) { over_all(slice_, TINY, 3, 1); }
TEST(tensors) { over_all(tensors_, (sweep_range){4, -1, 4}, 2, 0); }
/* clang-format on */

GROUP("laws: one operand", NULL, NULL)
