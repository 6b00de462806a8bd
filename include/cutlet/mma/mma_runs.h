/**
 * One mode of an operand in shared memory in the hardware's order: pieces of 16 bytes in runs, and
 * the runs at one stride. The canonical forms of mma_descriptor.h consist of these.
 */
#ifndef CUTLET_MMA_MMA_RUNS_H
#define CUTLET_MMA_MMA_RUNS_H

#include <cutlet/algebra/cast.h>
#include <cutlet/algebra/composition.h>

/** @internal A failure to describe an operand. */
CT_FN ct_error ct_mma_descriptor_error(int32_t why, int32_t mode, int64_t other, int64_t a,
                                       int64_t b, int64_t c)
{
    ct_error e = ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_DESCRIPTOR, why, mode, a, b);
    e.other = CT_CAST(int32_t, other);
    e.n[2] = c;
    return e;
}

/** @internal a * b for a message: as large as 64 bits are where it overflows. */
CT_FN int64_t ct_mma_times(int64_t a, int64_t b)
{
    int ok = 1;
    const int64_t product = ct_mul(a, b, &ok);
    return ok ? product : (a > 0) == (b > 0) ? INT64_MAX : INT64_MIN;
}

/** @internal Whether the first n elements of a mode are contiguous. */
CT_FN int ct_mma_is_run(ct_layout mode, int64_t n)
{
    if (ct_size(mode) % n != 0) return 0;
    const ct_layout first = ct_coalesce(ct_composition(mode, ct_layout1(n, 1)));
    return ct_layout_equal(first, ct_layout1(n, 1));
}

/** @internal Mode m in pieces of 16 bytes, of n elements each. Along the major mode n elements
 * become one; across it the strides count pieces. Fails with the first step that is not a multiple
 * of one. */
CT_FN ct_layout ct_mma_pieces(ct_layout mode, int32_t m, int64_t n, int is_major)
{
    const ct_layout X = ct_coalesce(mode);
    int64_t before = 1, bad = 0;
    int at = -1;
    CT_FOR(i, X.profile.leaves)
    {
        const int run = is_major && i == 0 && X.stride[i] == 1 && X.shape[i] % n == 0;
        if (at < 0 && X.shape[i] > 1 && X.stride[i] % n != 0 && !run) {
            at = i;
            bad = before;
        }
        before *= X.shape[i];
    }
    if (at < 0) return ct_upcast(X, n);
    return ct_layout_fail(ct_mma_descriptor_error(CT_WHY_DESC_PIECES, m, bad,
                                                  ct_mma_times(X.stride[at], 16) / n, 0, 0));
}

/** A mode as runs of `run` at a step each, and the runs at one stride. */
typedef struct ct_mma_runs {
    int64_t run, step, stride;
    int fits; /* whether the mode is so */
} ct_mma_runs;

/** @internal The runs that X must have, by its own stride, and whether X is that function. */
CT_FN ct_mma_runs ct_mma_runs_of(ct_layout X, int64_t run, int64_t step)
{
    ct_mma_runs r = CT_ZERO;
    const int64_t n = ct_size(X);
    r.run = run;
    r.step = step;
    r.stride = n > run ? ct_eval(X, run) : 0;
    const ct_layout form = ct_layout2(run, ct_ceil_div_int(n, run), step, r.stride);
    const ct_layout cut = ct_coalesce(ct_composition(form, ct_layout1(n, 1)));
    r.fits = cut.err.status == CT_OK && ct_layout_equal(ct_coalesce(X), cut);
    return r;
}

/** @internal The offset of place i of such a mode. */
CT_FN int64_t ct_mma_runs_at(ct_mma_runs r, int64_t i)
{
    int ok = 1;
    const int64_t at = ct_add(i % r.run * r.step, ct_mma_times(i / r.run, r.stride), &ok);
    return ok ? at : INT64_MAX;
}

/** @internal The first place where X is not as its runs say: `why` within the first run, and after
 * it the stride of the groups. Each place is `elems` elements. */
CT_FN ct_error ct_mma_runs_error(ct_layout X, ct_mma_runs r, int32_t m, int32_t why, int64_t elems,
                                 int64_t line_bytes)
{
    const int64_t n = ct_size(X);
    int64_t i = 0;
    while (i + 1 < n && ct_eval(X, i) == ct_mma_runs_at(r, i)) ++i;
    const int64_t is = ct_mma_times(ct_eval(X, i), 16);
    const int64_t should = ct_mma_times(ct_mma_runs_at(r, i), 16);
    if (i < r.run) return ct_mma_descriptor_error(why, m, i * elems, is, should, line_bytes);
    return ct_mma_descriptor_error(CT_WHY_DESC_GROUPS, m, i * elems, is, should, r.run * elems);
}

#endif
