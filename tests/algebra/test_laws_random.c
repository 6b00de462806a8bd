/* Every operation over random nested layouts: up to 6 leaves, depth 3, sizes to 4096. */
#include "sweep.h"

enum { ROUNDS = 1000 };

static ct_layout any_layout(int leaves, int64_t most)
{
    return dice_any(&sweep_dice, leaves, most);
}

static ct_layout upward(int leaves, int64_t most) { return dice_upward(&sweep_dice, leaves, most); }

static ct_layout tile_of(int64_t size) { return dice_tile(&sweep_dice, size); }

static ct_tuple coordinate_of(ct_layout L) { return dice_coordinate(&sweep_dice, L); }

static ct_tiler tiler_for(ct_layout L) { return dice_tiler(&sweep_dice, L); }

TEST(one_layout)
{
    sweep_seed(2);
    for (int i = 0; i < ROUNDS; ++i) {
        const ct_layout L = any_layout(6, 4096);
        const int64_t n = sweep_int(1, 64);
        LAW(law_eval(L), show(L));
        LAW(law_coalesce(L), show(L));
        LAW(law_coalesce_z(L), show(L));
        LAW(law_coalesce_by(L, dice_shape(&sweep_dice, 3, 8)), show(L));
        LAW(law_filter(L), show(L));
        LAW(law_filter_by(L, dice_shape(&sweep_dice, 3, 8)), show(L));
        LAW(law_right_inverse(L), show(L));
        LAW(law_left_inverse(L), show(L));
        LAW(law_hier_coord(L), show(L));
        LAW(law_nullspace(L), show(L));
        LAW(law_complement(L, n), show(L));
        LAW(law_max_alignment(L), show(L));
        LAW(law_upcast(L, sweep_int(1, 8)), show(L));
        LAW(law_downcast(L, sweep_int(1, 8)), show(L));
        LAW(law_distribute(ct_shape(L), n), show(L));
        LAW(law_order(ct_shape(L), 2), show(L));
        LAW(law_reverse(L), show(L));
        LAW(law_sort(L), show(L));
        LAW(law_squeeze(L), show(L));
        LAW(law_running_product(ct_shape(L), n), show(L));
        const ct_tuple coord = coordinate_of(L);
        LAW(law_slice(ct_make_tensor(L), coord), show(L), show_tuple(coord));
    }
}

TEST(two_layouts)
{
    sweep_seed(3);
    int composed = 0, divided = 0, multiplied = 0, added = 0;
    for (int i = 0; i < ROUNDS; ++i) {
        const ct_layout A = upward(6, 1024),
                        B = i % 4 ? tile_of(oracle_size(A)) : any_layout(4, 256);
        const ct_layout X = upward(4, 64), Y = upward(4, 48);
        LAW(law_composition(A, B), show(A), show(B));
        LAW(law_divide(A, B), show(A), show(B));
        LAW(law_product(X, Y), show(X), show(Y));
        LAW(law_blocked_product(X, Y), show(X), show(Y));
        LAW(law_raked_product(X, Y), show(X), show(Y));
        LAW(law_max_common(A, X), show(A), show(X));
        LAW(law_common_domain(ct_shape(A), ct_shape(X)), show(A), show(X));
        LAW(law_common_refinement(ct_shape(A), ct_shape(X)), show(A), show(X));
        LAW(law_local_partition(ct_make_tensor(A), X), show(A), show(X));
        ct_layout C = any_layout(5, 1024); /* the shape of A, cut otherwise */
        if (i % 2) {
            C = ct_make_ordered_layout(ct_shape(A), ct_stride(any_layout(1, 1)));
            C = ct_make_row_major(ct_shape(ct_coalesce_by(A, ct_tuple1(1))));
        }
        if (oracle_size(C) == oracle_size(A)) LAW(law_layout_add(A, C), show(A), show(C));
        composed += ct_composition(A, B).err.status == CT_OK;
        divided += ct_logical_divide(A, B).err.status == CT_OK;
        multiplied += ct_logical_product(X, Y).err.status == CT_OK;
        added += ct_layout_add(A, C).err.status == CT_OK;
    }
    /* The sweep sees results as well as refusals. */
    assert_in_range(composed, ROUNDS / 4, ROUNDS - ROUNDS / 20);
    assert_in_range(divided, ROUNDS / 10, ROUNDS - ROUNDS / 20);
    assert_in_range(multiplied, ROUNDS / 10, ROUNDS - ROUNDS / 20);
    assert_in_range(added, ROUNDS / 20, ROUNDS - ROUNDS / 20);
}

TEST(by_mode)
{
    sweep_seed(4);
    for (int i = 0; i < ROUNDS; ++i) {
        const ct_layout L = upward(6, 1024);
        const ct_tiler t = tiler_for(L);
        LAW(law_composition_by(L, t), show(L), show(t.tiles));
        LAW(law_divide_by(L, t), show(L), show(t.tiles));
        LAW(law_tiles(ct_make_tensor(L), t), show(L), show(t.tiles));
        const ct_layout block = upward(3, 64);
        ct_tuple shape = ct_product_each(ct_shape(block)), order = shape;
        for (int k = 0; k < shape.profile.leaves; ++k) {
            shape.value[k] *= sweep_int(1, 4);
            order.value[k] = sweep_int(-2, 2);
        }
        LAW(law_tile_to_shape(block, shape, order), show(block), show_tuple(shape),
            show_tuple(order));
    }
}

/* Basis strides on either side: coordinates composed and coalesced like offsets. */
TEST(basis_strides)
{
    sweep_seed(5);
    int results = 0;
    for (int i = 0; i < ROUNDS; ++i) {
        ct_layout A = ct_make_identity_layout(dice_shape(&sweep_dice, 4, 256));
        ct_layout B = tile_of(oracle_size(A));
        LAW(law_coalesce(A), show(A));
        LAW(law_composition(A, B), show(A), show(B));
        results += ct_composition(A, B).err.status == CT_OK;
        const ct_layout M = upward(4, 256);
        ct_layout E = dice_layout(&sweep_dice, 3, 32, DICE_PADDED);
        for (int k = 0; k < E.profile.leaves; ++k)
            E.basis[k] = (uint32_t)sweep_int(1, ct_layout_rank(M));
        LAW(law_composition_basis(M, E), show(M), show(E));
        results += ct_composition(M, E).err.status == CT_OK;
    }
    assert_in_range(results, ROUNDS / 4, 2 * ROUNDS);
}

/* A layout that takes the bits of an index to bits of an offset, in any order: n modes of size 2. */
static ct_layout twos_of(int n)
{
    ct_layout L = CT_ZERO;
    int bit[CT_MAX_LEAVES];
    for (int k = 0; k < n; ++k) bit[k] = k;
    for (int k = n - 1; k > 0 && sweep_int(0, 3) > 0; --k) {
        const int other = (int)sweep_int(0, k), b = bit[k];
        bit[k] = bit[other];
        bit[other] = b;
    }
    for (int k = 0; k < n; ++k) ct_push_next_leaf(&L, 2, (int64_t)1 << bit[k], CT_INTEGER);
    return L;
}

TEST(tensors)
{
    sweep_seed(6);
    int64_t longest = 1;
    int upcasts = 0, tiled = 0, inverses = 0, taken = 0;
    for (int i = 0; i < ROUNDS; ++i) {
        const int bits = (int)sweep_int(0, 3), shift = bits + (int)sweep_int(0, 2);
        const ct_swizzle s =
            ct_make_swizzle(bits, (int)sweep_int(0, 4), sweep_int(0, 1) ? shift : -shift);
        const ct_layout L = upward(5, 1024);
        const int64_t offset = sweep_int(0, 40) << (i % 4);
        ct_tensor t = ct_make_swizzled(s, offset, L);
        if (i % 7 == 0) { /* without a swizzle anywhere, also below the base */
            t = ct_make_tensor(any_layout(5, 1024));
            t.offset = ct_int(offset - 20);
        }
        const ct_tuple coord = coordinate_of(t.layout), profile = dice_shape(&sweep_dice, 3, 8);
        const ct_tiler tiler = tiler_for(t.layout);
        const ct_layout tile = tile_of(oracle_size(t.layout)), thr = upward(3, 24);
        const ct_tensor other = i % 2 ? ct_make_tensor(L) : ct_make_swizzled(s, 8, upward(4, 64));
        LAW(law_tensor(t), show_tensor(t));
        LAW(law_slice(t, coord), show_tensor(t), show_tuple(coord));
        LAW(law_tensor_coalesce(t, profile), show_tensor(t), show_tuple(profile));
        LAW(law_tensor_composition(t, tile, tiler), show_tensor(t), show(tile), show(tiler.tiles));
        LAW(law_tensor_divide(t, tile, tiler), show_tensor(t), show(tile), show(tiler.tiles));
        LAW(law_tensor_product(t, thr, tiler, ct_tuple2(64, 24), ct_tuple2(1, 0)), show_tensor(t),
            show(thr), show(tiler.tiles));
        LAW(law_tensor_modes(t), show_tensor(t));
        LAW(law_composition_of_tensor(L, t), show(L), show_tensor(t));
        LAW(law_composition_of_tensor(twos_of(10), t), show_tensor(t));
        LAW(law_tensor_inverses(t), show_tensor(t));
        const ct_tensor from_zero = ct_make_swizzled(s, 0, i % 2 ? L : twos_of(10));
        LAW(law_tensor_inverses(from_zero), show_tensor(from_zero));
        inverses += s.bits > 0 && ct_tensor_right_inverse(from_zero).layout.err.status == CT_OK &&
                    ct_tensor_left_inverse(from_zero).layout.err.status == CT_OK;
        taken += s.bits > 0 && ct_composition_of_tensor(twos_of(10), t).layout.err.status == CT_OK;
        LAW(law_tensor_upcast(t, (int64_t)1 << sweep_int(0, 4)), show_tensor(t));
        LAW(law_tensor_upcast(t, sweep_int(1, 6)), show_tensor(t));
        LAW(law_tensor_downcast(t, sweep_int(1, 8)), show_tensor(t));
        LAW(law_tensor_alignment(t), show_tensor(t));
        LAW(law_tensor_max_common(t, t), show_tensor(t));
        LAW(law_tensor_max_common(t, other), show_tensor(t), show_tensor(other));
        LAW(law_tensor_max_common(other, t), show_tensor(t), show_tensor(other));
        LAW(law_tiles(t, tiler), show_tensor(t), show(tiler.tiles));
        LAW(law_local_partition(t, thr), show_tensor(t), show(thr));
        LAW(law_tile_partition(t, tiler, thr), show_tensor(t), show(tiler.tiles), show(thr));
        longest = ct_max(longest, s.bits > 0 ? ct_tensor_max_common_vector(t, t) : 1);
        upcasts += ct_tensor_upcast(t, 4).layout.err.status == CT_OK;
        tiled += ct_tensor_zipped_divide_by(t, tiler).layout.err.status == CT_OK;
    }
    /* The sweep sees results as well as refusals. */
    assert_true(longest >= 8);
    assert_in_range(upcasts, ROUNDS / 40, ROUNDS - ROUNDS / 20);
    assert_in_range(tiled, ROUNDS / 4, ROUNDS);
    print_message("%d inverses of swizzled tensors, %d layouts of swizzled offsets\n", inverses,
                  taken);
    assert_true(inverses > ROUNDS / 10);
    assert_true(taken > ROUNDS / 20);
}

TEST(widths)
{
    sweep_seed(7);
    for (int i = 0; i < ROUNDS / 2; ++i) {
        const ct_layout src = upward(3, 64);
        ct_layout dst = src;
        if (i % 3 == 0) dst = ct_make_layout_like(src);
        if (i % 3 == 1) dst = ct_make_col_major(ct_shape(src));
        const int64_t elem = (int64_t)1 << sweep_int(0, 3);
        LAW(law_copy_width(src, dst, elem, (int64_t)1 << sweep_int(0, 5),
                           (uint64_t)sweep_int(0, 3) * 8, (uint64_t)sweep_int(0, 3) * 16),
            show(src), show(dst));
    }
}

GROUP("laws: random operands", NULL, NULL)
