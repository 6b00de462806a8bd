/**
 * Register fragments of a tiled copy or MMA, in the order of another tiled copy of its threads.
 */
#ifndef CUTLET_COPY_RETILE_H
#define CUTLET_COPY_RETILE_H

#include <cutlet/algebra/divide.h>
#include <cutlet/algebra/product.h>
#include <cutlet/algebra/shape_product.h>
#include <cutlet/algebra/tensor.h>
#include <cutlet/copy/tiled_copy.h>

/** @internal L, whose leaves are digits of an index, by runs of n indices: which run. A leaf within
 * one run shrinks to 1; unlike for ct_upcast, the leaves need not fill the run. Fails:
 * CT_E_ARGUMENT for a leaf that ends, or begins, inside a run. */
CT_FN ct_layout ct_by_runs(ct_layout L, int64_t n)
{
    if (L.err.status) return L;
    CT_FOR(i, L.profile.leaves)
    {
        const int64_t d = L.stride[i], s = L.shape[i];
        if (d >= n && d % n == 0) {
            L.stride[i] = d / n;
        } else if (d < n && s * d <= n) {
            L.shape[i] = 1;
            L.stride[i] = 0;
        } else if (d < n && n % d == 0 && s % (n / d) == 0) {
            L.shape[i] = s / (n / d);
            L.stride[i] = 1;
        } else {
            return ct_layout_fail(
                ct_make_error(CT_E_ARGUMENT, CT_OP_RETILE, CT_WHY_UPCAST_STRIDE, i, d, n));
        }
    }
    return L;
}

/**
 * A register fragment, partitioned for another tiled copy of the same threads, as this one takes
 * it: ((values of one atom, atoms), rest ...).
 * Fails:    CT_E_ARGUMENT, CT_E_NO_LAYOUT when the values of the fragment do not fit the atom.
 * Cost:     that of two inverses, a product, two divides and two compositions.
 * Example:  retile(tiled_copy_b(copy_atom(ldmatrix_x4, 16), tiled_mma(SM80_16x8x16_F32F16F16F32_TN,
 *               (2,2,1), <32,32,16>)), ((2,2),4,2)) == ((8,1),2,2):((1,0),8,16)
 * Example:  retile(tiled_copy_c(copy_atom(universal32, 32), tiled_mma(universal_fma, (4,4):(4,1),
 *               <8,4>)), (1,2,3)) == ((1,2),1,3):((1,1),0,2)
 * Source:   CuTe, copy_atom.hpp.
 */
CT_FN ct_layout ct_retile(ct_tiled_copy t, ct_layout fragment)
{
    if (t.atom.err.status) return ct_layout_fail(t.atom.err);
    if (fragment.err.status) return fragment;
    const int rank = ct_layout_rank(fragment);
    const ct_layout values = ct_mode(fragment, 0);
    if (values.err.status) return values;
    const int64_t v = ct_size(values);
    const ct_layout mn =
        ct_composition(ct_right_inverse(t.tv), ct_make_col_major(ct_tiled_copy_shape(t)));
    int ok = 1;
    const int64_t held = ct_mul(ct_tiled_copy_threads(t), v, &ok);
    if (!ok)
        return ct_layout_fail(ct_make_error(CT_E_OVERFLOW, CT_OP_RETILE, CT_WHY_OVERFLOW, 0, 0, 0));
    const ct_layout of_fragment = ct_by_runs(mn, held);
    const ct_layout order = ct_right_inverse(of_fragment);
    const ct_layout frag_v = ct_zipped_divide(ct_logical_product(ct_layout1(v, 1), order),
                                              ct_layout1(ct_atom_values(t.atom), 1));
    const ct_tuple tile = ct_prepend(ct_product_each(ct_shape(of_fragment)), ct_int(v));
    if (tile.err.status) return ct_layout_fail(tile.err);
    ct_tiler whole = ct_tiler0();
    CT_FOR(k, ct_tuple_rank(tile)) whole = ct_tiler_append(whole, ct_layout1(tile.value[k], 1));
    const ct_layout tiled = ct_zipped_divide_by(fragment, whole);
    const ct_layout by_v = ct_composition_by(tiled, ct_tiler2(frag_v, ct_tile_any()));
    if (by_v.err.status) return by_v;
    ct_tuple rest = ct_int(0);
    CT_FOR(k, rank)
    {
        if (k > 0) rest = ct_append(rest, ct_any());
    }
    ct_layout r = ct_layout_slice(by_v, ct_concat(ct_wrap(ct_any()), ct_wrap(rest)));
    if (r.err.status) r.err.op = CT_OP_RETILE;
    return r;
}

/**
 * ct_retile of a fragment that is a tensor.
 * Fails:    as ct_retile; a failed fragment is the result.
 * Cost:     that of ct_retile.
 * Example:  retile(tiled_copy(copy_atom(universal32, 16), (4,8):(8,1), (1,2):(1,1)),
 *               6@((2,1),2,4):((1,0),2,4)) == 6@((2,1),2,4):((1,0),2,4)
 */
CT_FN ct_tensor ct_tensor_retile(ct_tiled_copy t, ct_tensor fragment)
{
    return ct_tensor_with(fragment, ct_retile(t, fragment.layout));
}

#endif
