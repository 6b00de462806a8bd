/**
 * Composition by trial: the layout of a sequence of offsets, found by comparing them.
 *
 * The offsets are f(i) = A(from + V(i)) - A(from), 0 <= i < size. If a flat layout has them, its
 * leaves can be read off f one after the other. Let `run` be the size of the leaves that are found.
 * The next leaf has the stride f(run) and the largest size n with f(k * run) = k * f(run), k < n. A
 * larger size would give a wrong offset. After a smaller one, the next leaf would only continue
 * this one. The result is therefore the coalesced layout, which has the fewest leaves. The search
 * looks at multiples of `run` only. A final comparison of all offsets proves the layout.
 */
#ifndef CUTLET_ALGEBRA_COMPOSITION_TRIAL_H
#define CUTLET_ALGEBRA_COMPOSITION_TRIAL_H

#include <cutlet/algebra/build.h>

/** @internal The offset of index i in the leaves s of A, from the strides of the given basis and
 * that term of sums; *ok becomes 0 on overflow. */
CT_FN int64_t ct_digits_eval(const ct_layout *A, ct_span s, int64_t i, uint32_t basis, int *ok)
{
    int64_t sum = 0;
    const int end = s.first + s.count;
    CT_FOR(k, end)
    {
        if (k >= s.first) {
            int64_t digit = i;
            if (k + 1 < end) {
                digit = i % A->shape[k];
                i /= A->shape[k];
            }
            if (A->basis[k] == basis || ct_is_sum(A->basis[k])) {
                const int64_t d = ct_steps_along(A->stride[k], A->basis[k], basis);
                sum = ct_add(sum, ct_mul(digit, d, ok), ok);
            }
        }
    }
    return sum;
}

/** The offsets f(i) = A(from + V(i)) - A(from). A is its leaves `digits`; only strides of one
 * basis, or that term of sums, count. The layouts stay where they are. */
typedef struct ct_steps {
    const ct_layout *A, *V;
    ct_span digits;
    uint32_t basis;
    int64_t from;
} ct_steps;

/** @internal The offset of index i in all leaves of A, whose strides are integers. */
CT_FN ct_steps ct_steps_from(const ct_layout *A, int64_t from, const ct_layout *V)
{
    const ct_steps f = {A, V, {0, A->profile.leaves}, CT_INTEGER, from};
    return f;
}

/** @internal Offset i; *ok becomes 0 on overflow. */
CT_FN int64_t ct_step_at(const ct_steps *f, int64_t i, int *ok)
{
    const ct_span all = {0, f->V->profile.leaves};
    const int64_t to = ct_add(f->from, ct_digits_eval(f->V, all, i, CT_INTEGER, ok), ok);
    const int64_t last = ct_digits_eval(f->A, f->digits, to, f->basis, ok);
    if (f->from == 0) return last; /* A(0) = 0 */
    const int64_t first = ct_digits_eval(f->A, f->digits, f->from, f->basis, ok);
    return ct_add(last, ct_mul(-1, first, ok), ok);
}

/** @internal Whether R(i) = f(i) for 0 <= i < size; not so where an offset overflows. */
CT_FN int ct_steps_are(const ct_steps *f, const ct_layout *R, int64_t size)
{
    const ct_span all = {0, R->profile.leaves};
    int ok = 1;
    for (int64_t i = 0; i < size && ok; ++i) {
        const int64_t want = ct_step_at(f, i, &ok);
        if (want != ct_digits_eval(R, all, i, f->basis, &ok)) ok = 0;
    }
    return ok;
}

/** @internal The largest n with f(k * run) = k * step for all k < n, at most size / run and
 *  CT_MAX_PROOF + 1; *ok becomes 0 on overflow. */
CT_FN int64_t ct_longest_leaf(const ct_steps *f, int64_t run, int64_t step, int64_t size, int *ok)
{
    const int64_t most = ct_min(size / run, CT_MAX_PROOF + 1);
    int64_t n = 2;
    int fits = 1; /* n * step; where it does not, the steps are not equal */
    while (*ok && n < most && ct_step_at(f, n * run, ok) == ct_mul(n, step, &fits) && fits) ++n;
    return n;
}

/** @internal Adds to the empty layout R the fewest leaves of a flat layout with R(i) = f(i) for 0
 * <= i < size, without parentheses. 1 when that is done; 0 when no layout of CT_MAX_LEAVES leaves
 * has these offsets; -1 when only more than CT_MAX_PROOF comparisons would decide it. */
CT_FN int ct_find_steps(ct_layout *R, const ct_steps *f, int64_t size)
{
    int64_t run = 1;
    int ok = 1;
    while (run < size && R->err.status == CT_OK) {
        const int64_t step = ct_step_at(f, run, &ok);
        const int64_t n = ct_longest_leaf(f, run, step, size, &ok);
        if (n > CT_MAX_PROOF) return -1;
        run *= n;
        if (!ok || size % run != 0) return 0;
        ct_layout_push_leaf(R, n, step, f->basis);
    }
    if (size > CT_MAX_PROOF) return -1;
    return R->err.status == CT_OK && ct_steps_are(f, R, size);
}

#endif
