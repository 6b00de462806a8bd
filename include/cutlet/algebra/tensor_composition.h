/**
 * Tensors of tensors: compositions, divides and products by swizzled layouts, and complements.
 *
 * A tensor holds one swizzle. The result is a tensor if the inner swizzle can be moved after the
 * outer layout and merged with the outer swizzle. Otherwise it is an error.
 *
 * Fails:    as the operation on layouts; CT_E_NO_LAYOUT where no single swizzle does it; a failed
 *           operand is the result.
 * Cost:     that of the operation on layouts, and an enumeration of at most CT_MAX_PROOF
 *           coordinates where swizzles are joined.
 */
#ifndef CUTLET_ALGEBRA_TENSOR_COMPOSITION_H
#define CUTLET_ALGEBRA_TENSOR_COMPOSITION_H

#include <cutlet/algebra/complement_shape.h>
#include <cutlet/algebra/product.h>
#include <cutlet/algebra/tensor_inverse.h>
#include <cutlet/algebra/tensor_ops.h>

/**
 * s o T: the offsets of a tensor swizzled once more.
 * Ensures:  R(c) = s(T(c)).   [law_tensor_of_tensor]
 * Fails:    as ct_swizzle_composition; as ct_make_swizzled.
 * Example:  composition(Sw<1,0,3>, Sw<1,1,3> o 5 o (8,4)) == Sw<2,0,3> o 5 o (8,4):(1,8)
 */
CT_FN ct_tensor ct_swizzle_tensor(ct_swizzle s, ct_tensor t)
{
    if (t.layout.err.status) return t;
    t.swizzle = ct_swizzle_composition(s, t.swizzle);
    const ct_error e = ct_tensor_check(&t);
    return e.status ? ct_tensor_fail(e) : t;
}

/** @internal Why R(i) is not s(offset + P(i)) for some i; no error where it is. */
CT_FN ct_error ct_check_sum(const ct_tensor *R, ct_swizzle s, int64_t offset, const ct_tensor *P)
{
    const int64_t size = ct_size(P->layout), limit = ct_min(size, CT_MAX_PROOF);
    ct_error e = CT_ZERO;
    for (int64_t i = 0; i < limit && e.status == CT_OK; ++i) {
        if (ct_tensor_offset(R, i) != ct_swizzle_apply(s, offset + ct_tensor_offset(P, i)))
            e = ct_make_error(CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_SWIZZLE_SUM, 0, i, 0);
    }
    if (e.status == CT_OK && size > CT_MAX_PROOF)
        e = ct_make_error(CT_E_UNDECIDED, CT_OP_COMPOSITION, CT_WHY_PROOF, 0, size, CT_MAX_PROOF);
    return e;
}

/** @internal The tensor s(offset + P(c)). */
CT_FN ct_tensor ct_tensor_outside(ct_swizzle s, ct_tuple offset, ct_tensor P)
{
    if (P.layout.err.status || (s.bits == 0 && ct_offset_is_zero(&offset))) return P;
    ct_tensor R = P;
    R.offset = ct_offset_add(offset, P.offset);
    R.swizzle = ct_swizzle_composition(s, P.swizzle);
    ct_error e = ct_tensor_check(&R);
    if (e.status == CT_OK && P.swizzle.bits > 0 && !ct_offset_is_zero(&offset))
        e = ct_check_sum(&R, s, offset.value[0], &P);
    return e.status ? ct_tensor_fail(e) : R;
}

/**
 * T o U: the offsets of U lead to elements of T.
 *
 * Ensures:  R(c) = T(U(c)) for every coordinate c of U.   [law_tensor_of_tensor]
 * Fails:    as ct_composition_of_tensor and ct_swizzle_composition; CT_E_NO_LAYOUT where the offset
 *           of T carries into a swizzle inside.
 * Cost:     size(U) where U has an offset or a swizzle.
 * Example:  composition(3@(8,8):(8,1), 9@4:8) == 12@4:1
 * Example:  composition(Sw<1,0,1> o 0 o (4,8):(8,1), Sw<1,0,3> o 0 o (8,4))
 *               == error
 * Example:  composition(Sw<2,0,3> o 0 o (8,4), Sw<2,0,3> o 0 o (8,4)) == 0@(8,4)
 */
CT_FN ct_tensor ct_tensor_of_tensor(ct_tensor T, ct_tensor U)
{
    if (T.layout.err.status) return T;
    return ct_tensor_outside(T.swizzle, T.offset, ct_composition_of_tensor(T.layout, U));
}

/**
 * The complement of a tensor up to a shape: that of its layout. The copies of the tensor are
 * swizzled as the tensor is, as those of a product.
 *
 * Ensures:  the offsets s(offset + L(i) + R(j)) are distinct, and at least as many as the shape
 *           has.   [law_tensor_complement]
 * Fails:    as complement.
 * Example:  complement(Sw<1,0,2> o 0 o (2,4):(1,4), (4,8)) == (2,2):(2,16)
 * Source:   CuTe, layout_composed.hpp.
 */
CT_FN ct_layout ct_tensor_complement(ct_tensor t, ct_tuple shape)
{
    return ct_complement_shape(t.layout, shape);
}

/**
 * The complement of a tensor up to the cosize or the coshape of its layout.
 * Fails:    as complement.
 * Example:  complement(Sw<1,0,2> o 0 o (2,4):(1,4)) == 2:2
 */
CT_FN ct_layout ct_tensor_complement_within(ct_tensor t) { return ct_complement_within(t.layout); }

/**
 * A divided by a swizzled layout B: A composed with B, the tile, and with its copies, swizzled as B
 * is: mode 0 is the tile.
 *
 * Ensures:  R = composition(A, s o 0 o (L, complement(L, size(A)))) for B = s o 0 o
 *           L.   [law_tensor_by_tensor]
 * Fails:    as ct_tensor_of_tensor and logical_divide; CT_E_ARGUMENT when B begins at another
 *           offset than 0.
 * Example:  logical_divide(32:1, Sw<1,0,2> o 0 o (2,4):(1,2))
 *               == Sw<1,0,2> o 0 o ((2,4),4):((1,2),8)
 */
CT_FN ct_tensor ct_tensor_divide_by_tensor(ct_tensor A, ct_tensor B)
{
    if (A.layout.err.status) return A;
    const ct_error e = ct_inverse_check(&B, CT_OP_DIVIDE);
    if (e.status) return ct_tensor_fail(e);
    const ct_layout rest = ct_complement_with(B.layout, ct_size(A.layout), CT_GAPS_NONE);
    if (rest.err.status) return ct_tensor_fail(rest.err);
    return ct_tensor_of_tensor(A, ct_tensor_with(B, ct_make_layout2(B.layout, rest)));
}

/**
 * A repeated in the pattern of a swizzled layout B: (block, copies).
 *
 * Ensures:  R(i,j) = A(i) + C(B(j)), C = complement(A, size(A) * cosize(B)), the sum inside of the
 *           swizzle of A.   [law_tensor_by_tensor]
 * Fails:    as ct_tensor_of_tensor; CT_E_NO_LAYOUT where A has bits of the moved swizzle.
 * Example:  logical_product(4:1, Sw<1,0,1> o 0 o (2,2)) == Sw<1,2,1> o 0 o (4,(2,2)):(1,(4,8))
 */
CT_FN ct_tensor ct_tensor_product_by_tensor(ct_tensor A, ct_tensor B)
{
    if (A.layout.err.status) return A;
    const ct_tuple cosize = ct_tensor_cosize(B);
    const ct_error e = cosize.err.status ? cosize.err : ct_inverse_check(&B, CT_OP_PRODUCT);
    if (e.status) return ct_tensor_fail(e);
    const ct_layout spread =
        ct_logical_product(A.layout, ct_layout1(cosize.value[0], 1)); /* (block, places) */
    if (spread.err.status) return ct_tensor_fail(spread.err);
    const ct_tensor copies = ct_composition_of_tensor(ct_mode(spread, 1), B);
    ct_tensor P = ct_tensor_with(copies, ct_make_layout2(A.layout, copies.layout));
    if (P.layout.err.status) return P;
    const int64_t block = ct_size(A.layout), size = ct_size(P.layout);
    if (size > CT_MAX_PROOF && P.swizzle.bits > 0)
        return ct_tensor_fail(
            ct_make_error(CT_E_UNDECIDED, CT_OP_PRODUCT, CT_WHY_PROOF, 0, size, CT_MAX_PROOF));
    for (int64_t i = 0; i < size && P.swizzle.bits > 0; ++i) {
        const int64_t want = ct_eval(A.layout, i % block) + ct_tensor_offset(&copies, i / block);
        if (ct_tensor_offset(&P, i) != want)
            return ct_tensor_fail(
                ct_make_error(CT_E_NO_LAYOUT, CT_OP_PRODUCT, CT_WHY_SWIZZLE_SUM, 0, i, 0));
    }
    return ct_tensor_outside(A.swizzle, A.offset, P);
}

/** @internal The product of A and a swizzled B with mode k of the one zipped with mode k of the
 *  other. */
CT_FN ct_tensor ct_zip_product_by_tensor(ct_tensor A, ct_tensor B, int tile_first)
{
    if (A.layout.err.status) return A;
    if (B.layout.err.status) return B;
    const int rank = CT_CAST(int, ct_max(ct_layout_rank(A.layout), ct_layout_rank(B.layout)));
    ct_layout zipped = CT_ZERO;
    ct_pad_rank(&A.layout, rank);
    ct_pad_rank(&B.layout, rank);
    const ct_tensor P = ct_tensor_product_by_tensor(A, B); /* (block, copies) */
    if (P.layout.err.status) return P;                     /* as of operands without a mode */
    const ct_part block = ct_part_mode(ct_whole(&P.layout), 0);
    const ct_part copies = ct_part_mode(ct_whole(&P.layout), 1);
    CT_FOR(k, rank)
    {
        const ct_part first = ct_part_mode(tile_first ? block : copies, k);
        const ct_part second = ct_part_mode(tile_first ? copies : block, k);
        ct_push_part(&zipped, first, k == 0 ? 2 : 1, 0);
        ct_push_part(&zipped, second, 0, k + 1 == rank ? 2 : 1);
    }
    return ct_tensor_with(P, zipped);
}

/**
 * The product by rank in the pattern of a swizzled layout B, each copy of the block in one piece.
 *
 * Ensures:  the elements of logical_product(A, B): mode (k,0) of R is mode k of A, mode (k,1) the
 *           copies along mode k of B.   [law_zipped_by_tensor]
 * Fails:    as logical_product.
 * Example:  blocked_product((2,2):(1,2), Sw<1,0,1> o 0 o (2,2):(1,2))
 *               == Sw<1,2,1> o 0 o ((2,2),(2,2)):((1,4),(2,8))
 */
CT_FN ct_tensor ct_tensor_blocked_product_by_tensor(ct_tensor A, ct_tensor B)
{
    return ct_zip_product_by_tensor(A, B, 1);
}

/**
 * The product by rank in the pattern of a swizzled layout B, the copies interleaved.
 * Ensures:  mode (k,1) of R is mode k of A.   [law_zipped_by_tensor]
 * Example:  raked_product((2,2):(1,2), Sw<1,0,1> o 0 o (2,2):(1,2))
 *               == Sw<1,2,1> o 0 o ((2,2),(2,2)):((4,1),(8,2))
 */
CT_FN ct_tensor ct_tensor_raked_product_by_tensor(ct_tensor A, ct_tensor B)
{
    return ct_zip_product_by_tensor(A, B, 0);
}

#endif
