/**
 * The laws of the operations: what each header promises, as a function of the operands.
 *
 * A law runs the operation and compares it with the enumeration of oracle.h. It returns NULL where
 * everything promised holds, otherwise a sentence with the first counterexample. A failed result is
 * right only when the promise allows it: where the reason is that no layout exists, the law
 * searches for one. Laws take any operands, also failed ones; they look at the first ORACLE_MAX
 * indices, and decide the existence of a layout only where that is all of them.
 *
 * They are used by the tables, the exhaustive and the random sweeps and the fuzzers. Nothing here
 * needs more than arithmetic: a kernel can call a law (its sentence is then the bare claim).
 */
#ifndef CUTLET_TESTS_LAWS_H
#define CUTLET_TESTS_LAWS_H

#include <stddef.h>
#include <stdio.h>

#include "oracle.h"

/** The sentence for a broken law. */
LAW_FN const char *law_broken(const char *claim, int64_t at, int64_t got, int64_t want)
{
#if defined(__CUDA_ARCH__)
    return claim;
#else
    static __thread char text[256];
    snprintf(text, sizeof text, "not so: %s (at %lld: %lld, expected %lld)", claim, (long long)at,
             (long long)got, (long long)want);
    return text;
#endif
}

/** Whether an error is complete: a status, an operation and a reason that exist. */
LAW_FN const char *law_error(ct_error e)
{
    if (e.status < CT_E_ARGUMENT || e.status > CT_E_UNDECIDED)
        return law_broken("an error has a status", 0, e.status, CT_E_ARGUMENT);
    if (e.op <= CT_OP_NONE) return law_broken("an error names its operation", 0, e.op, 1);
    if (e.why <= CT_WHY_NONE) return law_broken("an error has a reason", 0, e.why, 1);
    return NULL;
}

/** Whether a result is what every result must be: a valid layout, or one that carries an error and
 *  nothing else. */
LAW_FN const char *law_result(ct_layout R)
{
    if (R.err.status) return law_error(R.err);
    if (!ct_is_valid(R)) return law_broken("the result is a valid layout", 0, 0, 1);
    int level = 0;
    for (int k = 0; k < R.profile.leaves; ++k) {
        level += R.profile.open[k] - R.profile.close[k];
        if (level < 0 || (level == 0 && k + 1 < R.profile.leaves))
            return law_broken("the parentheses of the result close", k, level, 0);
        if (R.shape[k] < 1) return law_broken("shapes are at least 1", k, R.shape[k], 1);
    }
    return level == 0 ? NULL : law_broken("the parentheses of the result close", 0, level, 0);
}

/** R(i) = want[i] for 0 <= i < n, and size(R) = n. */
LAW_FN const char *law_is(const char *claim, ct_layout R, const int64_t *want, int64_t n)
{
    if (oracle_size(R) != n) return law_broken("the result has this size", 0, oracle_size(R), n);
    for (int64_t i = 0; i < n; ++i) {
        if (oracle_eval(R, i) != want[i]) return law_broken(claim, i, oracle_eval(R, i), want[i]);
    }
    return NULL;
}

/** A and B are the same layout, or fail in the same way. */
LAW_FN const char *law_same(const char *claim, ct_layout A, ct_layout B)
{
    if (A.err.status || B.err.status)
        return A.err.status == B.err.status ? NULL
                                            : law_broken(claim, -1, A.err.status, B.err.status);
    if (A.profile.leaves != B.profile.leaves)
        return law_broken(claim, -1, A.profile.leaves, B.profile.leaves);
    for (int k = 0; k < A.profile.leaves; ++k) {
        if (A.profile.open[k] != B.profile.open[k] || A.profile.close[k] != B.profile.close[k])
            return law_broken("both nest alike", k, A.profile.open[k], B.profile.open[k]);
        if (A.shape[k] != B.shape[k]) return law_broken(claim, k, A.shape[k], B.shape[k]);
        if (A.stride[k] != B.stride[k] || A.basis[k] != B.basis[k])
            return law_broken(claim, k, A.stride[k], B.stride[k]);
    }
    return NULL;
}

#include "laws_function.h"
#include "laws_inverse.h"
#include "laws_along.h"
#include "laws_tiles.h"
#include "laws_copy.h"
#include "laws_tensor.h"
#include "laws_pairs.h"
#include "laws_linear.h"
#include "laws_mma.h"

#endif
