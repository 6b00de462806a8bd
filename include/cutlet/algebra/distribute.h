/**
 * Distributing a number of workers over a shape.
 * Cost:     O(leaves) steps of Euclid's algorithm, no allocation.
 */
#ifndef CUTLET_ALGEBRA_DISTRIBUTE_H
#define CUTLET_ALGEBRA_DISTRIBUTE_H

#include <cutlet/algebra/coalesce.h>
#include <cutlet/algebra/make.h>

/**
 * The layout of up to n indices, in order, that tile a shape evenly. Each leaf takes the greatest
 * common divisor with the remaining factor of n. Its size divides n, and is less than n where the
 * shape has too few factors of n: compare ct_size with n.
 *
 * Ensures:  size(R) divides n; R(i) < R(i + 1); the shape divides evenly by R.   [law_distribute]
 * Fails:    CT_E_ARGUMENT for n < 1 or a bad shape.
 * Example:  domain_distribute((15,14), 6) == (3,2):(1,15)
 * Source:   CuTe, layout.hpp.
 */
CT_FN ct_layout ct_domain_distribute(ct_tuple shape, int64_t n)
{
    if (n < 1)
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_DISTRIBUTE, CT_WHY_NOT_POSITIVE, 0, n, 0));
    ct_layout L = ct_make_col_major(shape);
    if (L.err.status) return L;
    CT_FOR(i, L.profile.leaves)
    {
        const int64_t taken = ct_gcd(L.shape[i], n);
        L.shape[i] = taken;
        n /= taken;
    }
    return ct_coalesce(L);
}

#endif
