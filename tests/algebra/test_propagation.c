/* A failed operand passes through every operation as it is; of two the first. */
#include "sweep.h"

static ct_error mark(int n)
{
    ct_error e = ct_make_error(CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, n, 11 * n, 22 * n);
    e.other = 5;
    e.n[2] = 33 * n;
    return e;
}

static void kept(const char *what, ct_error got, int n)
{
    const ct_error want = mark(n);
    if (got.status == want.status && got.op == want.op && got.why == want.why &&
        got.mode == want.mode && got.n[0] == want.n[0] && got.n[1] == want.n[1] &&
        got.n[2] == want.n[2])
        return;
    print_error("%s: status %d op %d why %d mode %d numbers %lld %lld, not the operand's error\n",
                what, got.status, got.op, got.why, got.mode, (long long)got.n[0],
                (long long)got.n[1]);
    fail();
}

#define KEPT(value) kept(#value, (value).err, 1)
#define TENSOR_KEPT(value) kept(#value, (value).layout.err, 1)
#define COPY_KEPT(value) kept(#value, (value).atom.err, 1)

TEST(tuples)
{
    const ct_tuple f = ct_tuple_fail(mark(1)), g = ct_tuple_fail(mark(2)), t = T("(2,3)");
    /* clang-format off */
    KEPT(ct_concat(f, t)); KEPT(ct_concat(t, f)); KEPT(ct_concat(f, g));
    KEPT(ct_append(f, t)); KEPT(ct_append(t, f)); KEPT(ct_append(f, g));
    KEPT(ct_prepend(f, t)); KEPT(ct_prepend(t, f)); KEPT(ct_prepend(f, g));
    KEPT(ct_get(f, 0)); KEPT(ct_take(f, 0, 1)); KEPT(ct_wrap(f));
    KEPT(ct_flatten(f)); KEPT(ct_group(f, 0, 1)); KEPT(ct_reverse(f));
    KEPT(ct_prefix_product(f, t)); KEPT(ct_prefix_product(t, f)); KEPT(ct_prefix_product(f, g));
    KEPT(ct_suffix_product(f, t)); KEPT(ct_suffix_product(t, f)); KEPT(ct_suffix_product(f, g));
    KEPT(ct_unflatten(f, t)); KEPT(ct_unflatten(t, f)); KEPT(ct_unflatten(f, g));
    KEPT(ct_replace(f, 0, t)); KEPT(ct_replace(t, 0, f)); KEPT(ct_replace(f, 0, g));
    KEPT(ct_select(f, t)); KEPT(ct_select(t, f)); KEPT(ct_select(f, g));
    KEPT(ct_slice(f, t)); KEPT(ct_slice(t, f)); KEPT(ct_slice(f, g));
    KEPT(ct_dice(f, t)); KEPT(ct_dice(t, f)); KEPT(ct_dice(f, g));
    KEPT(ct_ceil_div(f, t)); KEPT(ct_ceil_div(t, f)); KEPT(ct_ceil_div(f, g));
    KEPT(ct_shape_div(f, t)); KEPT(ct_shape_div(t, f)); KEPT(ct_shape_div(f, g));
    /* clang-format on */
    KEPT(ct_product_each(f));
    KEPT(ct_product_like(f, t));
    KEPT(ct_product_like(t, f));
    KEPT(ct_product_like(f, g));
    KEPT(ct_crd2idx(f, t));
    KEPT(ct_crd2idx(t, f));
    KEPT(ct_idx2crd(0, f));
    KEPT(ct_crd2crd(f, t, t));
    KEPT(ct_crd2crd(t, f, t));
    KEPT(ct_crd2crd(T("(1,1)"), t, f));
    KEPT(ct_crd2crd(f, g, t));
    KEPT(ct_compact_col_major(f));
    KEPT(ct_compact_row_major(f));
    KEPT(ct_compact_order(f, t));
    KEPT(ct_compact_order(t, f));
    KEPT(ct_compact_order(f, g));
    KEPT(ct_common_refinement(f, t));
    KEPT(ct_common_refinement(t, f));
    KEPT(ct_common_refinement(f, g));
    KEPT(ct_common_coarsening(f, t));
    KEPT(ct_common_coarsening(t, f));
    KEPT(ct_common_coarsening(f, g));
    KEPT(ct_make_layout(f, t));
    KEPT(ct_make_layout(t, f));
    KEPT(ct_make_layout(f, g));
    KEPT(ct_make_col_major(f));
    KEPT(ct_make_row_major(f));
    KEPT(ct_make_identity_layout(f));
    KEPT(ct_make_ordered_layout(f, t));
    KEPT(ct_make_ordered_layout(t, f));
    KEPT(ct_greatest_common_domain(f, t));
    KEPT(ct_greatest_common_domain(t, f));
    KEPT(ct_greatest_common_domain(f, g));
    KEPT(ct_domain_distribute(f, 2));
    KEPT(ct_tiler_of_shape(f).tiles);
    KEPT(ct_offset_add(f, t));
    KEPT(ct_offset_add(t, f));
    KEPT(ct_offset_add(ct_int(0), f));
    KEPT(ct_offset_add(f, ct_int(0)));
    assert_int_equal(ct_product(f), CT_INVALID);
    assert_false(ct_tuple_equal(f, f));
    assert_false(ct_compatible(f, t) || ct_compatible(t, f) || ct_elem_less(f, t) ||
                 ct_elem_less(t, f) || ct_evenly_divides(f, t) || ct_evenly_divides(t, f));
    assert_false(ct_elem_leq(f, f) || ct_elem_geq(f, f) || ct_lex_leq(f, f) || ct_lex_geq(f, f) ||
                 ct_colex_leq(f, f) || ct_colex_geq(f, f) || ct_lex_less(f, t) ||
                 ct_colex_gtr(t, f));
}

TEST(layouts)
{
    const ct_layout f = ct_layout_fail(mark(1)), g = ct_layout_fail(mark(2)), L = L_("(4,2):(1,4)");
    const ct_tuple t = T("(0,0)"), ft = ct_tuple_fail(mark(1));
    const ct_tiler T2 = TL("<2:1,2:1>"), fT = ct_tiler_of_shape(ft);
    KEPT(ct_shape(f));
    KEPT(ct_stride(f));
    KEPT(ct_mode(f, 0));
    KEPT(ct_checked(f, CT_OP_COMPOSITION));
    KEPT(ct_make_layout2(f, L));
    KEPT(ct_make_layout2(L, f));
    KEPT(ct_make_layout2(f, g));
    KEPT(ct_layout_wrap(f));
    KEPT(ct_at(f, t));
    KEPT(ct_at(L, ft));
    KEPT(ct_hier_coord(f, 0));
    KEPT(ct_coalesce(f));
    KEPT(ct_coalesce_z(f));
    KEPT(ct_coalesce_by(f, t));
    KEPT(ct_coalesce_by(L, ft));
    KEPT(ct_filter(f));
    KEPT(ct_filter_by(f, t));
    KEPT(ct_filter_by(L, ft));
    KEPT(ct_filter_zeros(f));
    KEPT(ct_sort(f));
    KEPT(ct_squeeze(f));
    KEPT(ct_make_layout_like(f));
    KEPT(ct_make_fragment_like(f));
    KEPT(ct_composition(f, L));
    KEPT(ct_composition(L, f));
    KEPT(ct_composition(f, g));
    KEPT(ct_composition_by(f, T2));
    KEPT(ct_composition_by(L, fT));
    KEPT(ct_complement(f, 8));
    KEPT(ct_right_inverse(f));
    KEPT(ct_left_inverse(f));
    KEPT(ct_nullspace(f));
    KEPT(ct_logical_divide(f, L));
    KEPT(ct_logical_divide(L, f));
    KEPT(ct_logical_divide(f, g));
    KEPT(ct_zipped_divide(f, L));
    KEPT(ct_tiled_divide(L, f));
    KEPT(ct_flat_divide(f, L));
    KEPT(ct_logical_divide_by(f, T2));
    KEPT(ct_logical_divide_by(L, fT));
    KEPT(ct_zipped_divide_by(f, T2));
    KEPT(ct_zipped_divide_by(L, fT));
    KEPT(ct_tiled_divide_by(f, T2));
    KEPT(ct_flat_divide_by(L, fT));
    /* clang-format off */
    KEPT(ct_logical_product(f, L)); KEPT(ct_logical_product(L, f)); KEPT(ct_logical_product(f, g));
    KEPT(ct_zipped_product(f, L)); KEPT(ct_tiled_product(L, f)); KEPT(ct_flat_product(f, L));
    KEPT(ct_logical_product_by(f, T2)); KEPT(ct_logical_product_by(L, fT));
    KEPT(ct_blocked_product(f, L)); KEPT(ct_blocked_product(L, f)); KEPT(ct_blocked_product(f, g));
    KEPT(ct_raked_product(f, L)); KEPT(ct_raked_product(L, f));
    /* clang-format on */
    KEPT(ct_tile_to_shape(f, T("(4,4)"), t));
    KEPT(ct_tile_to_shape(L, ft, t));
    KEPT(ct_tile_to_shape(L, T("(4,4)"), ft));
    KEPT(ct_layout_flatten(f));
    KEPT(ct_layout_unflatten(f, t));
    KEPT(ct_layout_group(f, 0, 1));
    KEPT(ct_layout_append(f, L));
    KEPT(ct_layout_append(L, f));
    KEPT(ct_layout_prepend(f, L));
    KEPT(ct_layout_prepend(L, f));
    KEPT(ct_layout_replace(f, 0, L));
    KEPT(ct_layout_replace(L, 0, f));
    KEPT(ct_layout_select(f, t));
    KEPT(ct_layout_take(f, 0, 1));
    KEPT(ct_layout_reverse(f));
    KEPT(ct_layout_slice(f, t));
    KEPT(ct_layout_dice(f, t));
    KEPT(ct_layout_slice(L, ft));
    KEPT(ct_max_common_layout(f, L));
    KEPT(ct_max_common_layout(L, f));
    KEPT(ct_max_common_layout(f, g));
    KEPT(ct_upcast(f, 2));
    KEPT(ct_downcast(f, 2));
    KEPT(ct_recast(f, 16, 32));
    KEPT(ct_recast(f, 32, 16));
    KEPT(ct_layout_add(f, L));
    KEPT(ct_layout_add(L, f));
    KEPT(ct_layout_add(f, g));
    TENSOR_KEPT(ct_make_tensor(f));
    TENSOR_KEPT(ct_tensor_slice(ct_make_tensor(f), t));
    TENSOR_KEPT(ct_tensor_slice(ct_make_tensor(L), ft));
    const ct_tensor ff = ct_make_tensor(f), X = ct_make_tensor(L);
    TENSOR_KEPT(ct_tensor_with(ff, L));
    TENSOR_KEPT(ct_tensor_with(X, f));
    TENSOR_KEPT(ct_tensor_coalesce(ff));
    TENSOR_KEPT(ct_tensor_coalesce_by(ff, t));
    TENSOR_KEPT(ct_tensor_coalesce_by(X, ft));
    TENSOR_KEPT(ct_tensor_logical_divide(ff, L));
    TENSOR_KEPT(ct_tensor_logical_divide(X, f));
    TENSOR_KEPT(ct_tensor_logical_divide_by(ff, T2));
    TENSOR_KEPT(ct_tensor_logical_divide_by(X, fT));
    TENSOR_KEPT(ct_tensor_zipped_divide(ff, L));
    TENSOR_KEPT(ct_tensor_zipped_divide_by(X, fT));
    TENSOR_KEPT(ct_tensor_tiled_divide(X, f));
    TENSOR_KEPT(ct_tensor_tiled_divide_by(ff, T2));
    TENSOR_KEPT(ct_tensor_flat_divide(ff, L));
    TENSOR_KEPT(ct_tensor_flat_divide_by(X, fT));
    TENSOR_KEPT(ct_tensor_recast(ff, 16, 32));
    TENSOR_KEPT(ct_tensor_recast(ff, 32, 16));
    KEPT(ct_tensor_max_common_layout(ff, X));
    KEPT(ct_tensor_max_common_layout(X, ff));
    TENSOR_KEPT(ct_local_tile(ct_make_tensor(f), T2, t));
    TENSOR_KEPT(ct_local_tile(ct_make_tensor(L), fT, t));
    TENSOR_KEPT(ct_local_tile(ct_make_tensor(L), T2, ft));
    TENSOR_KEPT(ct_inner_partition(ct_make_tensor(f), T2, t));
    TENSOR_KEPT(ct_outer_partition(ct_make_tensor(L), fT, t));
    TENSOR_KEPT(ct_local_partition(ct_make_tensor(f), L, 0));
    TENSOR_KEPT(ct_local_partition(ct_make_tensor(L), f, 0));
    TENSOR_KEPT(ct_local_partition(ct_make_tensor(f), g, 0));
    const int64_t none[] = {ct_size(f),
                            ct_tensor_size(ff),
                            ct_tensor_max_alignment(ff),
                            ct_tensor_max_common_vector(ff, X),
                            ct_cosize(f),
                            ct_max_common_vector(f, L),
                            ct_max_common_vector(L, f),
                            ct_max_alignment(f),
                            ct_divide_excess(f, L),
                            ct_divide_excess(L, f),
                            ct_divide_excess_by(f, T2),
                            ct_divide_excess_by(L, fT)};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i) assert_int_equal(none[i], CT_INVALID);
    assert_false(ct_layout_equal(f, f));
    assert_false(ct_is_valid(f));
}

TEST(copies)
{
    const ct_layout f = ct_layout_fail(mark(1)), L = L_("(16,64):(64,1)"), thr = L_("(16,8):(8,1)"),
                    val = L_("(1,8):(1,1)");
    const ct_copy_atom atom = ct_copy_atom_universal(128, 16), fa = ct_copy_atom_fail(mark(1));
    const ct_tiled_copy tc = ct_make_tiled_copy(atom, thr, val), ft = ct_tiled_copy_fail(mark(1));
    COPY_KEPT(ct_make_tiled_copy(fa, thr, val));
    COPY_KEPT(ct_make_tiled_copy(atom, f, val));
    COPY_KEPT(ct_make_tiled_copy(atom, thr, f));
    COPY_KEPT(ct_make_cotiled_copy(fa, thr, val));
    COPY_KEPT(ct_make_cotiled_copy(atom, f, L));
    COPY_KEPT(ct_make_cotiled_copy(atom, thr, f));
    KEPT(ct_tiled_copy_shape(ft));
    KEPT(ct_tiled_copy_tv(ft, atom.src_tv));
    KEPT(ct_tiled_copy_tv(tc, f));
    TENSOR_KEPT(ct_partition_src(ft, ct_make_tensor(L), 0));
    TENSOR_KEPT(ct_partition_src(tc, ct_make_tensor(f), 0));
    TENSOR_KEPT(ct_partition_dst(ft, ct_make_tensor(L), 0));
    TENSOR_KEPT(ct_partition_dst(tc, ct_make_tensor(f), 0));
    KEPT(ct_retile(ft, L));
    KEPT(ct_retile(tc, f));
    TENSOR_KEPT(ct_tensor_retile(ft, ct_make_tensor(L)));
    TENSOR_KEPT(ct_tensor_retile(tc, ct_make_tensor(f)));
    kept("check_copy of a failed copy", ct_tiled_copy_check(ft, L, L), 1);
    kept("check_copy of a failed source", ct_tiled_copy_check(tc, f, L), 1);
    kept("check_copy of a failed destination", ct_tiled_copy_check(tc, L, f), 1);
    KEPT(ct_copy_width(f, L, 2, 16, 0, 0));
    KEPT(ct_copy_width(L, f, 2, 16, 0, 0));
    const ct_swizzle s = ct_make_swizzle(1, 0, 1);
    ct_swizzle fs = s;
    fs.err = mark(1);
    const ct_tensor c = ct_make_swizzled(s, 0, L), fc = ct_make_swizzled(s, 0, f);
    TENSOR_KEPT(fc);
    TENSOR_KEPT(ct_make_swizzled(fs, 0, L));
    TENSOR_KEPT(ct_tensor_slice(fc, T("(0,_)")));
    TENSOR_KEPT(ct_tensor_slice(c, ct_tuple_fail(mark(1))));
    TENSOR_KEPT(ct_tensor_composition(fc, val));
    TENSOR_KEPT(ct_tensor_composition(c, f));
    TENSOR_KEPT(ct_tensor_composition_by(fc, TL("(2,2)")));
    TENSOR_KEPT(ct_tensor_zipped_divide_by(fc, TL("(2,2)")));
    TENSOR_KEPT(ct_tensor_upcast(fc, 2));
    TENSOR_KEPT(ct_tensor_downcast(fc, 2));
    KEPT(ct_tensor_at(fc, T("0")));
    KEPT(ct_tensor_cosize(fc));
    KEPT(ct_swizzle_upcast(fs, 2));
    KEPT(ct_swizzle_downcast(fs, 2));
}

TEST(descriptors)
{
    const ct_mma_atom atom = ct_make_mma_atom("SM90_64x128x16_F32F16F16_SS");
    const ct_mma_atom fa = ct_mma_atom_fail(mark(1));
    const ct_tensor t = ct_make_tensor(L_("(64,64):(64,1)")), ft = ct_tensor_fail(mark(1));
    const ct_mma_descriptor fd = ct_mma_descriptor_fail(mark(1));
    KEPT(ct_make_mma_descriptor(t, CT_MMA_A, fa));
    KEPT(ct_make_mma_descriptor(ft, CT_MMA_A, atom));
    KEPT(ct_mma_descriptor_at(fd, 0));
    TENSOR_KEPT(ct_mma_descriptor_nearest(t, CT_MMA_A, fa));
    TENSOR_KEPT(ct_mma_descriptor_nearest(ft, CT_MMA_A, atom));
    assert_int_equal(ct_mma_descriptor_pack(fd), 0);
}

GROUP("propagation", NULL, NULL)
