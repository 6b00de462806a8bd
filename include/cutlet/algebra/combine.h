/**
 * Two layouts or shapes: their sum, their common domain, and the shapes that refine or coarsen
 * both.
 *
 * Cost:     at most the square of the number of leaves, which is at most CT_MAX_LEAVES; no
 *           allocation.
 */
#ifndef CUTLET_ALGEBRA_COMBINE_H
#define CUTLET_ALGEBRA_COMBINE_H

#include <cutlet/algebra/coalesce.h>
#include <cutlet/algebra/coord.h>
#include <cutlet/algebra/make.h>

/**
 * The greatest common domain of two shapes: a layout of indices. Each of its modes is within one
 * leaf of each shape, so that both shapes compose with it.
 *
 * Ensures:  size(R) divides the sizes of a and b; composition of (a : column-major) and of
 *           (b : column-major) with R never fails.   [law_common_domain]
 * Fails:    CT_E_ARGUMENT for a shape below 1.
 * Cost:     O(leaves of a * leaves of b).
 * Example:  greatest_common_domain((5,3,4), (10,6)) == (5,2):(1,30)
 * Example:  greatest_common_domain((5,3), (3,5)) == (1):(0)
 * Source:   PyCuTe, algebra.
 */
CT_FN ct_layout ct_greatest_common_domain(ct_tuple a, ct_tuple b)
{
    const ct_error bad_a = ct_shape_check(a, CT_OP_REFINE), bad_b = ct_shape_check(b, CT_OP_REFINE);
    if (bad_a.status) return ct_layout_fail(bad_a);
    if (bad_b.status) return ct_layout_fail(bad_b);
    const ct_tuple stride_a = ct_index_stride(a), stride_b = ct_index_stride(b);
    ct_layout r = CT_ZERO;
    int64_t start_b[CT_MAX_LEAVES] = CT_ZERO; /* where the unused part of each leaf of b begins */
    CT_FOR(j, b.profile.leaves) start_b[j] = stride_b.value[j];
    CT_FOR(i, a.profile.leaves)
    {
        int64_t start_a = stride_a.value[i];
        const int64_t end_a = start_a * a.value[i];
        CT_FOR(j, b.profile.leaves)
        {
            const int64_t end_b = stride_b.value[j] * b.value[j];
            int ok = 1;
            const int64_t from = /* aligned in both */
                ct_mul(start_a / ct_gcd(start_a, start_b[j]), start_b[j], &ok);
            if (ok && end_a % from == 0 && end_b % from == 0) {
                const int64_t n = ct_gcd(end_a / from, end_b / from);
                if (n > 1) {
                    ct_layout_push_leaf(&r, n, from, CT_INTEGER);
                    start_a = from * n;
                    start_b[j] = from * n;
                }
            }
        }
    }
    if (r.profile.leaves == 0) ct_layout_push_leaf(&r, 1, 0, CT_INTEGER);
    r.profile = ct_profile_flat(r.profile.leaves);
    return r;
}

/**
 * The layout with R(i) = A(i) + B(i).
 *
 * Ensures:  size(R) = size(A) = size(B); coalesced; symmetric in A and B.   [law_layout_add]
 * Fails:    CT_E_ARGUMENT when the sizes differ, or a sum would mix integer and basis strides; as
 *           ct_basis_add where it steps along several modes; CT_E_NO_LAYOUT when the leaves of A and
 *           B do not line up, so that no layout is the sum.
 * Cost:     O(leaves of A * leaves of B).
 * Example:  layout_add((4,3):(1,4), (4,3):(3,1)) == (4,3):(4,5)
 * Example:  layout_add(4:1@0, 4:2@1) == 4:1@0+2@1
 * Example:  layout_add((5,3):(1,7), (3,5):(1,4)) == error
 * Source:   PyCuTe, algebra.
 */
CT_FN ct_layout ct_layout_add(ct_layout A, ct_layout B)
{
    if (A.err.status) return A;
    if (B.err.status) return B;
    const int64_t size = ct_size(A);
    if (size != ct_size(B))
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_LAYOUT_ADD, CT_WHY_SIZES, 0, size, ct_size(B)));
    const ct_layout a = ct_coalesce(A), b = ct_coalesce(B);
    ct_layout r = ct_greatest_common_domain(ct_shape(a), ct_shape(b));
    if (r.err.status) return r;
    if (ct_size(r) != size)
        return ct_layout_fail(ct_make_error(CT_E_NO_LAYOUT, CT_OP_LAYOUT_ADD, CT_WHY_SHAPE_CROSSES,
                                            0, ct_size(r), size));
    int ok = 1;
    ct_error bad = CT_ZERO;
    CT_FOR(k, r.profile.leaves)
    {
        /* Each leaf of r lies in one leaf of a and one of b. */
        int64_t da = 0, db = 0;
        uint32_t basis_a = CT_INTEGER, basis_b = CT_INTEGER;
        int64_t run = 1;
        CT_FOR(i, a.profile.leaves)
        {
            if (r.stride[k] >= run) {
                da = ct_step_mul(r.stride[k] / run, a.stride[i], a.basis[i], &ok);
                basis_a = a.basis[i];
            }
            run *= a.shape[i];
        }
        run = 1;
        CT_FOR(i, b.profile.leaves)
        {
            if (r.stride[k] >= run) {
                db = ct_step_mul(r.stride[k] / run, b.stride[i], b.basis[i], &ok);
                basis_b = b.basis[i];
            }
            run *= b.shape[i];
        }
        if (da != 0 && db != 0 && (basis_a != basis_b || ct_is_sum(basis_a))) {
            ct_sum s = ct_sum_of(da, basis_a);
            const ct_sum more = ct_sum_of(db, basis_b);
            for (int t = 0; t < more.count; ++t) ct_sum_add(&s, more.path[t], more.steps[t], &ok);
            const ct_error e = ct_sum_leaf(s, k, CT_OP_LAYOUT_ADD, &r.stride[k], &r.basis[k]);
            if (bad.status == CT_OK) bad = e;
        } else {
            r.stride[k] = ct_add(da, db, &ok);
            r.basis[k] = da != 0 ? basis_a : basis_b;
        }
    }
    if (bad.status) return ct_layout_fail(bad);
    if (!ok)
        return ct_layout_fail(
            ct_make_error(CT_E_OVERFLOW, CT_OP_LAYOUT_ADD, CT_WHY_OVERFLOW, 0, 0, 0));
    return ct_checked(ct_coalesce(r), CT_OP_LAYOUT_ADD);
}

/**
 * The smallest shape that refines both: every coordinate of a and of b is one of it.
 * Fails:    CT_E_ARGUMENT when none does.
 * Example:  common_refinement((4,(3,5)), ((2,2),15)) == ((2,2),(3,5))
 * Example:  common_refinement((6,5), (2,15)) == error
 * Source:   PyCuTe, shape.
 */
CT_FN ct_tuple ct_common_refinement(ct_tuple a, ct_tuple b)
{
    if (a.err.status) return a;
    if (b.err.status) return b;
    const ct_pairs p = ct_profile_pairs(a.profile, b.profile);
    if (!p.ok) return ct_tuple_fail_profile(CT_OP_REFINE, p.at);
    ct_tuple r = ct_tuple0();
    CT_FOR(i, p.count)
    {
        const ct_tuple x = ct_tuple_pair_a(a, p, i), y = ct_tuple_pair_b(b, p, i);
        if (ct_product(x) != ct_product(y))
            return ct_tuple_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_REFINE, CT_WHY_SIZES, 0,
                                               ct_product(x), ct_product(y)));
        r = ct_tuple_push(r, ct_is_integer(x) ? y : x, p.open[i], p.close[i]);
    }
    return r;
}

/** @internal t with the innermost tuple that `levels` parentheses open before leaf i as its
 *  product. */
CT_FN ct_tuple ct_collapse(ct_tuple t, int i, int levels)
{
    int beyond = 0;
    ct_span s = CT_ZERO;
    s.first = i;
    s.count = ct_profile_run(t.profile, i, t.profile.open[i] - levels + 1, &beyond);
    ct_tuple r = ct_tuple0();
    const ct_tuple inside = ct_tuple_part(t, s, ct_profile_part(t.profile, s, levels - 1, beyond));
    CT_FOR(k, t.profile.leaves)
    {
        ct_span one = CT_ZERO;
        one.first = k;
        one.count = 1;
        if (k == i) r = ct_tuple_push(r, ct_int(ct_product(inside)), levels - 1, beyond);
        if (k >= i && k < i + s.count) continue;
        r = ct_tuple_push(r, ct_tuple_part(t, one, ct_profile_part(t.profile, one, 0, 0)), 0, 0);
    }
    return r;
}

/**
 * The largest shape that coarsens both: each of its coordinates is one of a and of b.
 * Fails:    CT_E_ARGUMENT when the sizes of a and b differ, or for a shape below 1; CT_E_OVERFLOW.
 * Example:  common_coarsening((4,(3,5)), ((2,2),15)) == (4,15)
 * Example:  common_coarsening((2,(3,5)), ((3,2),5)) == 30
 * Source:   PyCuTe, shape.
 */
CT_FN ct_tuple ct_common_coarsening(ct_tuple a, ct_tuple b)
{
    const ct_error bad_a = ct_shape_check(a, CT_OP_REFINE), bad_b = ct_shape_check(b, CT_OP_REFINE);
    if (bad_a.status) return ct_tuple_fail(bad_a);
    if (bad_b.status) return ct_tuple_fail(bad_b);
    if (ct_product(a) != ct_product(b))
        return ct_tuple_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_REFINE, CT_WHY_SIZES, 0,
                                           ct_product(a), ct_product(b)));
    /* Walk both. At a mismatch, the innermost tuple around it becomes an integer in both, and the
     * walk restarts: at most one round for each parenthesis. */
    for (;;) {
        const ct_pairs p = ct_profile_pairs(a.profile, b.profile);
        int bad = -1;
        ct_tuple r = ct_tuple0();
        for (int i = 0; i < p.count && bad < 0; ++i) {
            const int64_t x = ct_product(ct_tuple_pair_a(a, p, i));
            const int64_t y = ct_product(ct_tuple_pair_b(b, p, i));
            const int parts = i + 1 == p.count && !p.ok;
            if (x != y || parts) bad = i;
            else r = ct_tuple_push(r, ct_int(x), p.open[i], p.close[i]);
        }
        if (bad < 0) return r;
        int first = bad, opens = p.open[bad]; /* of the innermost tuple that is open at `bad` */
        while (opens <= 0 && first > 0) { /* -opens parentheses closed that opened further left */
            --first;
            opens += p.open[first] - p.close[first];
        }
        if (opens <= 0) return ct_tuple_fail_profile(CT_OP_REFINE, 0);
        a = ct_collapse(a, p.a[first], opens);
        b = ct_collapse(b, p.b[first], opens);
    }
}

#endif
