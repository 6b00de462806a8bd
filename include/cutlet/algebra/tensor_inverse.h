/**
 * Layouts of the offsets of a tensor, and inverses of swizzled tensors.
 *
 * A layout A that maps the bits of a swizzle to single bits of its offsets, moves the swizzle:
 * A(s(x)) = s'(A(x)), where s' XORs the images of the bits. So the swizzle can be applied after A,
 * and the result is a tensor again.
 *
 * Cost:     that of the inverse of its layout, and an enumeration of at most CT_MAX_PROOF
 *           coordinates where a swizzle is moved.
 */
#ifndef CUTLET_ALGEBRA_TENSOR_INVERSE_H
#define CUTLET_ALGEBRA_TENSOR_INVERSE_H

#include <cutlet/algebra/composition.h>
#include <cutlet/algebra/inverse.h>
#include <cutlet/algebra/tensor.h>

/** @internal log2 of the offset to which A takes bit `bit` of an index; -1 where that is not a single
 *  bit. */
CT_FN int ct_image_of_bit(const ct_layout *A, int bit)
{
    const ct_span all = {0, A->profile.leaves};
    int ok = 1;
    const int64_t at = ct_digits_eval(A, all, CT_CAST(int64_t, 1) << bit, CT_INTEGER, &ok);
    return ok ? ct_log2(at) : -1;
}

/** @internal The only swizzle s' that can have A(s(x)) = s'(A(x)): each bit of either field goes
 *  where A takes it. Fails: CT_E_NO_LAYOUT where these are not fields of a swizzle. */
CT_FN ct_swizzle ct_swizzle_image(const ct_layout *A, ct_swizzle s)
{
    if (s.bits == 0) return s;
    const int from = s.base + (s.shift > 0 ? s.shift : 0);
    const int to = s.base - (s.shift < 0 ? s.shift : 0);
    const int source = ct_image_of_bit(A, from), target = ct_image_of_bit(A, to);
    int ok = source >= 0 && target >= 0;
    for (int i = 1; i < s.bits && ok; ++i)
        ok = ct_image_of_bit(A, from + i) == source + i && ct_image_of_bit(A, to + i) == target + i;
    ct_swizzle r = ct_swizzle_none();
    if (ok) r = ct_make_swizzle(s.bits, CT_CAST(int, ct_min(source, target)), source - target);
    if (!ok || r.err.status) {
        r.err = ct_make_error(CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_SWIZZLE_BITS, 0, s.bits,
                              s.base);
        r.err.n[2] = s.shift;
    }
    return r;
}

/** @internal Whether R(i) = A(T(i)) for each i, by enumeration; an error if not, or if they are too
 *  many. */
CT_FN ct_error ct_check_image(const ct_tensor *R, const ct_layout *A, const ct_tensor *T)
{
    const ct_span all = {0, A->profile.leaves};
    const int64_t size = ct_size(T->layout), limit = ct_min(size, CT_MAX_PROOF);
    ct_error e = CT_ZERO;
    for (int64_t i = 0; i < limit; ++i) {
        int ok = 1;
        const int64_t want = ct_digits_eval(A, all, ct_tensor_offset(T, i), CT_INTEGER, &ok);
        if (ok && want == ct_tensor_offset(R, i)) continue;
        if (T->swizzle.bits == 0)
            return ct_make_error(CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_OFFSET, 0, i, 0);
        e = ct_make_error(CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_SWIZZLE_BITS, 0,
                          T->swizzle.bits, T->swizzle.base);
        e.n[2] = T->swizzle.shift;
        return e;
    }
    if (size > CT_MAX_PROOF)
        e = ct_make_error(CT_E_UNDECIDED, CT_OP_COMPOSITION, CT_WHY_PROOF, 0, size, CT_MAX_PROOF);
    return e;
}

/**
 * A o T: a layout A of the offsets of a tensor.
 *
 * Ensures:  R(c) = A(T(c)) for every coordinate c of T.   [law_composition_of_tensor]
 * Fails:    CT_E_NO_LAYOUT when A takes the bits of the swizzle apart, or carries between them and
 *           the offset; CT_E_UNDECIDED when T has more than CT_MAX_PROOF coordinates and an offset
 *           or a swizzle; CT_E_ARGUMENT for basis strides or a coordinate as offset; as
 *           composition.
 * Cost:     size(T) where T has an offset or a swizzle.
 * Example:  composition((4,8):(8,1), Sw<2,0,3> o 0 o (8,4):(1,8))
 *               == Sw<2,1,-2> o 0 o ((4,2),4):((8,1),2)
 * Example:  composition((8,8):(8,1), 9@4:8) == 9@4:1
 * Example:  composition((3,8):(8,1), Sw<1,0,1> o 0 o 4:1) == error
 */
CT_FN ct_tensor ct_composition_of_tensor(ct_layout A, ct_tensor T)
{
    ct_error e = ct_integral_check(&A, CT_OP_COMPOSITION);
    if (e.status == CT_OK) e = ct_integral_check(&T.layout, CT_OP_COMPOSITION);
    if (e.status == CT_OK && !ct_offset_is_integer(&T.offset))
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_COMPOSITION, CT_WHY_NOT_INTEGER, 0, 0, 0);
    if (e.status) return ct_tensor_fail(e);
    const ct_layout L = ct_composition(A, T.layout);
    if (L.err.status) return ct_tensor_fail(L.err);
    ct_tensor R = ct_make_tensor(L);
    if (T.swizzle.bits == 0 && T.offset.value[0] == 0) return R;
    const ct_layout digits = ct_coalesce_z(A);
    const ct_span all = {0, digits.profile.leaves};
    int ok = 1;
    R.swizzle = ct_swizzle_image(&digits, T.swizzle);
    if (T.offset.value[0] >= 0 || digits.profile.leaves == 1)
        R.offset.value[0] = ct_digits_eval(&digits, all, T.offset.value[0], CT_INTEGER, &ok);
    else
        R.offset.err =
            ct_make_error(CT_E_DOMAIN, CT_OP_COMPOSITION, CT_WHY_NEGATIVE, 0, T.offset.value[0], 0);
    if (!ok)
        R.offset.err = ct_make_error(CT_E_OVERFLOW, CT_OP_COMPOSITION, CT_WHY_OVERFLOW, 0, 0, 0);
    e = ct_tensor_check(&R);
    if (e.status == CT_OK) e = ct_check_image(&R, &digits, &T);
    return e.status ? ct_tensor_fail(e) : R;
}

/** @internal Why a tensor has no inverse of this kind: it begins at another offset than 0. */
CT_FN ct_error ct_inverse_check(const ct_tensor *t, int32_t op)
{
    ct_error e = t->layout.err;
    if (e.status) return e;
    if (!ct_offset_is_integer(&t->offset))
        e = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_NOT_INTEGER, 0, 0, 0);
    else if (t->offset.value[0] != 0)
        e = ct_make_error(CT_E_ARGUMENT, op, CT_WHY_OFFSET, 0, t->offset.value[0], 0);
    return e;
}

/** @internal The inverse of a tensor by that of its layout, for the offsets below `reach`: the
 *  swizzle, its own inverse, comes first. */
CT_FN ct_tensor ct_invert_tensor(const ct_tensor *t, ct_layout inverse, int64_t reach, int32_t op)
{
    const ct_error e = ct_inverse_check(t, op);
    if (e.status) return ct_tensor_fail(e);
    if (inverse.err.status || t->swizzle.bits == 0) return ct_make_tensor(inverse);
    return ct_composition_of_tensor(inverse, ct_make_swizzled(t->swizzle, 0, ct_layout1(reach, 1)));
}

/**
 * The right inverse of a tensor: R with T(R(i)) = i. Under a swizzle it has the size of that of the
 * layout.
 *
 * Ensures:  T(R(i)) = i for 0 <= i < size(R).   [law_tensor_inverses]
 * Fails:    CT_E_NO_LAYOUT where the swizzle moves an offset that the layout's right inverse has
 *           past its end, or as ct_composition_of_tensor; CT_E_ARGUMENT when T begins at another
 *           offset than 0.
 * Example:  right_inverse(Sw<1,0,2> o 0 o (2,4):(4,1)) == Sw<1,0,-1> o 0 o (4,2):(2,1)
 */
CT_FN ct_tensor ct_tensor_right_inverse(ct_tensor t)
{
    const ct_layout inverse = ct_right_inverse(t.layout);
    const int64_t size = ct_size(inverse);
    const ct_tensor R = ct_invert_tensor(&t, inverse, size, CT_OP_RIGHT_INVERSE);
    if (R.layout.err.status || t.swizzle.bits == 0) return R;
    for (int64_t i = 0; i < size; ++i) {
        const int64_t at = ct_swizzle_apply(t.swizzle, i);
        if (at >= size)
            return ct_tensor_fail(ct_make_error(CT_E_NO_LAYOUT, CT_OP_RIGHT_INVERSE,
                                                CT_WHY_SWIZZLE_PAST, 0, at, size));
    }
    return R;
}

/**
 * The left inverse of a tensor: R with R(T(i)) = i.
 *
 * Ensures:  R(T(i)) = i for 0 <= i < size(T) where T has no mode of stride 0; T(R(T(i))) = T(i)
 *           always.   [law_tensor_inverses]
 * Fails:    as left_inverse and ct_composition_of_tensor; CT_E_NO_LAYOUT where the swizzle moves an
 *           offset past the size of the layout's left inverse; CT_E_ARGUMENT when T begins at
 *           another offset than 0.
 * Example:  left_inverse(Sw<1,0,2> o 0 o (2,4):(4,1)) == Sw<1,0,-1> o 0 o (4,2):(2,1)
 */
CT_FN ct_tensor ct_tensor_left_inverse(ct_tensor t)
{
    const ct_layout inverse = ct_left_inverse(t.layout);
    const int64_t size = ct_size(inverse), period = ct_swizzle_period(t.swizzle);
    int ok = 1;
    const int64_t reach = size % period == 0 ? size : ct_mul(size / period + 1, period, &ok);
    if (!ok)
        return ct_tensor_fail(
            ct_make_error(CT_E_OVERFLOW, CT_OP_LEFT_INVERSE, CT_WHY_OVERFLOW, 0, 0, 0));
    return ct_invert_tensor(&t, inverse, reach, CT_OP_LEFT_INVERSE);
}

#endif
