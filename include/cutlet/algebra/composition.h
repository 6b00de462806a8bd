/**
 * Composition: a layout of a layout's offsets.
 *
 * A is coalesced and read as a mixed-radix number: its modes are the digits of an index. A mode s:d
 * of B walks through these digits from the lowest up. It skips each digit whose size divides d and
 * starts in the first digit that d does not clear. It continues in the next digit when its steps
 * fill a digit exactly. Otherwise a step crosses from one digit into the next in the middle of a
 * mode. Then a layout may not exist, and composition_trial.h decides.
 */
#ifndef CUTLET_ALGEBRA_COMPOSITION_H
#define CUTLET_ALGEBRA_COMPOSITION_H

#include <cutlet/algebra/coalesce.h>
#include <cutlet/algebra/combine.h>
#include <cutlet/algebra/composition_trial.h>
#include <cutlet/algebra/coord.h>
#include <cutlet/algebra/tiler.h>

/** The extent to which the modes of B fill the digits of A. */
typedef struct ct_reach {
    int64_t top[CT_MAX_LEAVES];     /* the highest value of digit k over all coordinates so far */
    int8_t mode[CT_MAX_LEAVES];     /* the mode of B that raised it last */
    int8_t open_end[CT_MAX_LEAVES]; /* whether digit k is the last of its number and has no end */
} ct_reach;

/** @internal Adds a mode's reach in digit k; it saturates past 63 bits. */
CT_FN void ct_reach_add(ct_reach *reach, int k, int64_t more, int mode)
{
    reach->top[k] = ct_min(reach->top[k], INT64_MAX - more) + more;
    reach->mode[k] = CT_CAST(int8_t, mode);
}

/** @internal Adds the paths of the strides of a part, an integer's too, to the terms t; strides 0 add
 *  nothing. */
CT_FN ct_terms ct_paths_of(ct_terms t, ct_part p)
{
    int ok = 1;
    CT_FOR(i, p.s.count)
    {
        const int leaf = p.s.first + i;
        if (p.of->stride[leaf] != 0) t = ct_terms_add_steps(t, p.of->basis[leaf], 0, 0, &ok);
    }
    return t;
}

/** @internal The error of digits that step along more modes than a coordinate has. */
CT_FN ct_error ct_paths_error(ct_terms paths)
{
    return ct_make_error(CT_E_CAPACITY, CT_OP_COMPOSITION, CT_WHY_LEAVES, 0,
                         paths.count + paths.more, CT_MAX_LEAVES);
}

/** @internal As ct_find_steps, for digits that step along several modes: the sum of the results
 * along each. Where no stride is that sum, 0, and R has the error of the sum for a mode of B. */
CT_FN int ct_find_steps_along(ct_layout *R, ct_steps f, int64_t size, int mode)
{
    ct_part digits = ct_whole(f.A);
    digits.s = f.digits;
    const ct_terms none = CT_ZERO, paths = ct_paths_of(none, digits);
    ct_layout_push_leaf(R, size, 0, CT_INTEGER);
    for (int p = 0; p < paths.count; ++p) {
        ct_layout one = CT_ZERO;
        f.basis = paths.path[p];
        const int known = ct_find_steps(&one, &f, size);
        if (known != 1) return known;
        ct_layout_close_mode(&one, 0, 0, 0);
        *R = ct_layout_add(*R, one);
    }
    R->err.op = CT_OP_COMPOSITION;
    R->err.mode = mode;
    if (paths.more) R->err = ct_paths_error(paths);
    CT_FOR(k, R->profile.leaves)
    {
        if (R->stride[k] == 0) R->basis[k] = CT_INTEGER;
    }
    return R->err.status == CT_OK;
}

/**
 * @internal Adds to R, by enumeration, the leaves of the flat layout of size s with R(i) = A(i *
 * d), with the fewest leaves. A is its digits `span`. Where no layout is that function R gets the
 * error `why`.
 */
CT_FN void ct_compose_by_trial(ct_layout *R, const ct_layout *A, ct_span span, int64_t s, int64_t d,
                               ct_error why)
{
    ct_layout mode = CT_ZERO, found = CT_ZERO;
    ct_layout_push_leaf(&mode, s, d, CT_INTEGER);
    const ct_steps f = {A, &mode, span, A->basis[span.first], 0};
    int one_basis = !ct_is_sum(f.basis);
    CT_FOR(k, span.first + span.count)
    {
        if (k >= span.first && A->basis[k] != f.basis) one_basis = 0;
    }
    const int known =
        one_basis ? ct_find_steps(&found, &f, s) : ct_find_steps_along(&found, f, s, why.mode);
    if (known < 0)
        why = ct_make_error(CT_E_UNDECIDED, CT_OP_COMPOSITION, CT_WHY_PROOF, 0, s, CT_MAX_PROOF);
    if (found.err.status == CT_E_CAPACITY || found.err.status == CT_E_OVERFLOW) why = found.err;
    if (known != 1) R->err = why;
    CT_FOR(k, found.profile.leaves) /* without parentheses */
    if (known == 1) ct_layout_push_leaf(R, found.shape[k], found.stride[k], found.basis[k]);
}

/** @internal The failure of a mode of B that does not fit the digits of A. */
CT_FN ct_error ct_compose_error(int32_t why, int mode, int digit, int64_t a, int64_t b, int64_t c)
{
    ct_error e = ct_make_error(CT_E_NO_LAYOUT, CT_OP_COMPOSITION, why, mode, a, b);
    e.other = digit;
    e.n[2] = c;
    return e;
}

/**
 * @internal Adds to R the leaves of A composed with the mode s:d of B: the flat layout with R(i) =
 * A(i * d). A is its digits `span`. Records in `reach` how far the mode fills each digit.
 */
CT_FN void ct_compose_leaf(ct_layout *R, const ct_layout *A, ct_span span, int64_t s, int64_t d,
                           int mode, ct_reach *reach)
{
    int ok = 1;
    if (d == 0) {
        ct_layout_push_leaf(R, s, 0, CT_INTEGER);
        return;
    }
    const int last = span.first + span.count - 1, first_leaf = R->profile.leaves;
    reach->open_end[last] = 1;
    if (span.count > 1 && d < 0 && s > 1) {
        R->err = ct_make_error(CT_E_DOMAIN, CT_OP_COMPOSITION, CT_WHY_NEGATIVE, mode,
                               ct_mul(s - 1, d, &ok), 0);
        return;
    }
    int64_t rest = s, step = d;
    for (int k = span.first; k < last; ++k) {
        const int64_t size = A->shape[k];
        if (rest == 1 || step % size == 0) { /* this digit stays 0 */
            step = ct_ceil_div_int(ct_abs(step), size) * ct_signum(step);
            continue;
        }
        const int64_t steps = ct_ceil_div_int(size, step); /* that stay within this digit */
        const int fits = step < size && (size % step == 0 || rest <= steps);
        if (!fits || (rest > steps && rest % steps != 0)) {
            ct_error why = ct_compose_error(CT_WHY_STRIDE_CROSSES, mode, k, d, size, step);
            if (fits) why = ct_compose_error(CT_WHY_SHAPE_CROSSES, mode, k, rest, steps, s);
            R->profile.leaves = first_leaf;
            ct_compose_by_trial(R, A, span, s, d, why);
            for (int m = span.first; m < last; ++m) /* its extent in the digits is unknown */
                ct_reach_add(reach, m, A->shape[m] - 1, mode);
            return;
        }
        const int64_t taken = ct_min(steps, rest);
        ct_layout_push_leaf(R, taken, ct_step_mul(step, A->stride[k], A->basis[k], &ok),
                            A->basis[k]);
        ct_reach_add(reach, k, (taken - 1) * step, mode);
        rest /= taken;
        step = 1;
    }
    if (R->profile.leaves == first_leaf || rest > 1)
        ct_layout_push_leaf(R, rest, ct_step_mul(step, A->stride[last], A->basis[last], &ok),
                            A->basis[last]);
    if (!ok && R->err.status == CT_OK)
        R->err = ct_make_error(CT_E_OVERFLOW, CT_OP_COMPOSITION, CT_WHY_OVERFLOW, mode, 0, 0);
}

/** @internal The leaves of A that a stride of the given basis addresses: all of A for an
 *  integer. */
CT_FN ct_span ct_basis_span(const ct_layout *A, uint32_t basis)
{
    ct_span s = CT_ZERO;
    s.count = A->profile.leaves;
    if (basis == CT_INTEGER) return s;
    ct_profile p = A->profile;
    for (; basis != 0 && s.count >= 0; basis >>= 8) {
        const ct_span in = ct_profile_mode_span(p, CT_CAST(int, basis & 0xffu) - 1);
        if (in.count >= 0) p = ct_profile_cut(p, in);
        s.first += in.first;
        s.count = in.count;
    }
    return s;
}

/** @internal Coalesces A for a composition with the leaves of B, some of which have basis strides:
 *  each mode that these address by itself. */
CT_FN ct_layout ct_coalesce_addressed(ct_part A, ct_part B)
{
    const ct_layout whole = ct_part_layout(A);
    ct_terms terms = CT_ZERO;
    int ok = 1;
    int lacks = -1; /* a leaf of B whose mode A lacks; an integer has none to address */
    CT_FOR(i, B.s.count)
    {
        const uint32_t basis = B.of->basis[B.s.first + i];
        const ct_sum s = ct_sum_of(0, basis);
        if (basis == CT_INTEGER) continue;
        for (int t = 0; t < s.count; ++t) {
            const uint32_t path = s.path[t];
            const int none = ct_part_is_integer(A) || path == CT_INTEGER;
            terms = ct_terms_add(terms, path, 0, &ok);
            if (lacks < 0 && (none || ct_basis_span(&whole, path).count < 0)) lacks = i;
        }
    }
    if (lacks >= 0)
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_COMPOSITION, CT_WHY_BASIS, lacks, 0, 0));
    const ct_tuple profile = ct_terms_coordinate(terms);
    if (profile.err.status) return ct_layout_fail(profile.err);
    ct_layout r = CT_ZERO;
    ct_push_coalesced_by(&r, &whole, profile.profile, CT_KEEP_LAST, CT_OP_COMPOSITION);
    return r;
}

/** @internal Whether R(i) = A(B(i)) for each i, by enumeration; -1 where there are too many. */
CT_FN int ct_composition_holds(const ct_layout *A, ct_part B, const ct_layout *R)
{
    const ct_span all_r = {0, R->profile.leaves};
    const ct_terms none = CT_ZERO;
    const ct_terms of_b = ct_paths_of(none, B);
    const ct_terms of_a = ct_paths_of(ct_paths_of(none, ct_whole(A)), ct_whole(R));
    const int64_t size = ct_part_size(B), limit = ct_min(size, CT_MAX_PROOF);
    for (int64_t i = 0; i < limit; ++i) {
        int ok = 1;
        CT_FOR(a, of_a.count)
        { /* each basis of A's strides on its own */
            int64_t want = 0;
            CT_FOR(b, of_b.count)
            { /* each group of B's strides addresses its own digits */
                const int64_t index = ct_digits_eval(B.of, B.s, i, of_b.path[b], &ok);
                const ct_span digits = ct_basis_span(A, of_b.path[b]);
                want = ct_add(want, ct_digits_eval(A, digits, index, of_a.path[a], &ok), &ok);
            }
            if (want != ct_digits_eval(R, all_r, i, of_a.path[a], &ok)) ok = 0;
        }
        if (!ok) return 0;
    }
    return size <= CT_MAX_PROOF && of_a.more + of_b.more == 0 ? 1 : -1;
}

/** @internal The failure of a composition whose modes of B together reach past digit `over` of A.
 * The sum of their offsets is then not, in general, the offset of their sum. */
CT_FN ct_error ct_carry_error(const ct_layout *digits, ct_part B, const ct_layout *R,
                              const ct_reach *reach, int over)
{
    ct_error e = CT_ZERO;
    const ct_terms none = CT_ZERO;
    const int holds = ct_composition_holds(digits, B, R);
    if (holds == 0)
        e = ct_compose_error(CT_WHY_CARRY, reach->mode[over], over, reach->top[over],
                             digits->shape[over], 0);
    if (holds < 0 && ct_part_size(B) > CT_MAX_PROOF)
        e = ct_make_error(CT_E_UNDECIDED, CT_OP_COMPOSITION, CT_WHY_PROOF, 0, ct_part_size(B),
                          CT_MAX_PROOF);
    else if (holds < 0) e = ct_paths_error(ct_paths_of(none, ct_whole(digits)));
    return e;
}

/** @internal Adds to R the leaves of A, its modes coalesced, composed with leaf i of B, whose
 * stride is a sum. The result is the sum over the terms. */
CT_FN void ct_compose_sum(ct_layout *R, const ct_layout *digits, ct_part B, int i, ct_reach *reach)
{
    const int leaf = B.s.first + i;
    const ct_sum s = ct_sum_of(B.of->stride[leaf], B.of->basis[leaf]);
    ct_layout sum = CT_ZERO;
    for (int t = 0; t < s.count; ++t) {
        ct_layout one = CT_ZERO;
        ct_compose_leaf(&one, digits, ct_basis_span(digits, s.path[t]), B.of->shape[leaf],
                        s.steps[t], i, reach);
        ct_layout_close_mode(&one, 0, 0, 0);
        sum = t == 0 ? one : ct_layout_add(sum, one);
    }
    ct_push_coalesced(R, ct_whole(&sum), 0);
    if (R->err.status == CT_OK || R->err.op != CT_OP_LAYOUT_ADD) return;
    if (R->err.status == CT_E_NO_LAYOUT)
        R->err = ct_make_error(CT_E_NO_LAYOUT, CT_OP_COMPOSITION, CT_WHY_TERMS_SEPARATE, i, 0, 0);
    R->err.op = CT_OP_COMPOSITION;
    R->err.mode = i;
}

/** @internal Makes the empty layout R the composition of two parts; see ct_composition. */
CT_FN void ct_compose(ct_layout *R, ct_part A, ct_part B)
{
    int bases = 0;
    CT_FOR(i, B.s.count) bases |= B.of->basis[B.s.first + i] != CT_INTEGER;
    ct_layout digits = CT_ZERO;
    if (bases) digits = ct_coalesce_addressed(A, B);
    else ct_push_coalesced(&digits, A, CT_KEEP_LAST);
    R->err = digits.err;
    if (R->err.status) return;
    ct_reach reach = CT_ZERO;
    CT_FOR(i, B.s.count)
    {
        const int leaf = B.s.first + i, first = R->profile.leaves;
        const uint32_t basis = B.of->basis[leaf];
        if (R->err.status) return;
        if (ct_is_sum(basis)) ct_compose_sum(R, &digits, B, i, &reach);
        else
            ct_compose_leaf(R, &digits, ct_basis_span(&digits, basis), B.of->shape[leaf],
                            B.of->stride[leaf], i, &reach);
        ct_layout_close_mode(R, first, B.of->profile.open[leaf] - (i == 0 ? B.opens : 0),
                             B.of->profile.close[leaf] - (i + 1 == B.s.count ? B.closes : 0));
    }
    R->err = ct_layout_check(R, CT_OP_COMPOSITION);
    if (R->err.status) return;
    int over = -1;
    CT_FOR(k, digits.profile.leaves)
    {
        if (!reach.open_end[k] && over < 0 && reach.top[k] >= digits.shape[k]) over = k;
    }
    if (over >= 0) R->err = ct_carry_error(&digits, B, R, &reach, over);
}

/**
 * Composition R = A o B: the layout with R(c) = A(B(c)) for every coordinate c of B. A continues
 * past its size along its last leaf, as in evaluation. Strides of B that are basis elements address
 * the modes of A, sums of them several at once: a diagonal.
 *
 * Ensures:  shape of R refines shape of B; R(i) = A(B(i)) for 0 <= i < size(B).   [law_composition]
 * Fails:    CT_E_NO_LAYOUT when no layout is that function; CT_E_DOMAIN when B reaches a negative
 *           index; CT_E_UNDECIDED when that could be decided only by more than CT_MAX_PROOF
 *           comparisons; CT_E_CAPACITY, also as ct_basis_add where it steps along several modes;
 *           CT_E_OVERFLOW.
 * Cost:     O(leaves of A * leaves of B) if the modes of B fit the digits of A.
 * Example:  composition((6,2):(8,2), (4,3):(3,1)) == ((2,2),3):((24,2),8)
 * Example:  composition((4,2):(1,8), 3:3) == error
 * Example:  composition((8,8):(8,1), 8:1@0+1@1) == 8:9
 * Example:  composition((8,8):(1@0,1@1), 8:9) == 8:1@0+1@1
 * Source:   CUTLASS docs, 02_layout_algebra; Cecka, arXiv:2603.02298.
 */
CT_FN ct_layout ct_composition(ct_layout A, ct_layout B)
{
    if (A.err.status) return A;
    if (B.err.status) return B;
    ct_layout R = CT_ZERO;
    ct_compose(&R, ct_whole(&A), ct_whole(&B));
    return R;
}

/** @internal Makes the empty layout r the composition of A with each tile of T. */
CT_FN void ct_compose_by(ct_layout *r, const ct_layout *A, const ct_tiler *T)
{
    r->err = A->err.status ? A->err : T->tiles.err;
    if (r->err.status) return;
    const ct_by_mode m = ct_match_modes(A->profile, T->nesting, CT_OP_COMPOSITION);
    r->err = m.err;
    if (r->err.status) return;
    ct_layout done = CT_ZERO;
    CT_FOR(i, m.count)
    {
        const int g = m.guide[i];
        if (g >= 0) {
            const ct_part part = ct_by_mode_part(A, &m, i), tile = ct_tile_part(T, g);
            ct_part piece = part;
            if (!ct_tile_part_is_any(tile)) {
                ct_layout_clear(&done);
                ct_compose(&done, part, tile);
                piece = ct_whole(&done);
            }
            ct_push_part(r, piece, T->nesting.open[g], T->nesting.close[g]);
        }
    }
    r->err = ct_layout_check(r, CT_OP_COMPOSITION);
}

/**
 * Composition mode by mode: each tile composed with the mode of A that it meets; `_` takes the mode
 * as it is, and modes that the tiler does not reach are dropped.
 *
 * Fails:    CT_E_ARGUMENT when the tiler has modes that A lacks; as ct_composition.
 * Cost:     that of the composition of each mode.
 * Example:  composition((8,8):(8,1), <4:2,2:1>) == (4,2):(16,1)
 * Example:  composition((8,8,3):(8,1,64), <4:2,_>) == (4,8):(16,1)
 * Example:  composition((8,8):(8,1), (1,4)) == (1,4):(8,1)
 */
CT_FN ct_layout ct_composition_by(ct_layout A, ct_tiler T)
{
    ct_layout r = CT_ZERO;
    ct_compose_by(&r, &A, &T);
    return r;
}

#endif
