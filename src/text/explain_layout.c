/* How coalesce, composition and complement get their results, step by step. */
#include <cutlet/algebra/composition.h>
#include <cutlet/algebra/inverse.h>
#include "explainer.h"

void ct_explain_coalesce(ct_explainer *x, ct_layout L)
{
    const int n = L.profile.leaves;
    int64_t above = 0, size = 1;
    ct_say(
        x,
        "Leaves merge from the last to the first: s:d below s':d' becomes s*s':d where s*d = d'.");
    for (int i = n - 1; i >= 0; --i) {
        int ok = 1;
        const int64_t s = L.shape[i], d = L.stride[i];
        const int64_t reach = ct_step_mul(s, d, L.basis[i], &ok);
        const int sums = ct_is_sum(L.basis[i]) || (i + 1 < n && ct_is_sum(L.basis[i + 1]));
        if (i == n - 1) ct_say(x, "%-10s the last leaf", ct_shown_leaf(x, L, i));
        else if (s == 1) {
            ct_say(x, "%-10s size 1: dropped", ct_shown_leaf(x, L, i));
            continue;
        } else if (size == 1) ct_say(x, "%-10s replaces a leaf of size 1", ct_shown_leaf(x, L, i));
        else if (L.basis[i] == L.basis[i + 1] && ok && reach == above) {
            if (sums)
                ct_say(x, "%-10s runs on into the leaf above: merged", ct_shown_leaf(x, L, i));
            else
                ct_say(x, "%-10s %lld*%lld = %lld, the stride above: merged to %lld:%lld",
                       ct_shown_leaf(x, L, i), (long long)s, (long long)d, (long long)above,
                       (long long)(size * s), (long long)d);
            size *= s;
            above = d;
            continue;
        } else if (sums)
            ct_say(x, "%-10s does not run on into the leaf above: stays", ct_shown_leaf(x, L, i));
        else
            ct_say(x, "%-10s %lld*%lld = %lld, not the stride %lld above: stays",
                   ct_shown_leaf(x, L, i), (long long)s, (long long)d, (long long)reach,
                   (long long)above);
        size = s;
        above = d;
    }
}

/* The mode of A that a basis stride of B addresses; all of A for an integer stride. */
static ct_layout addressed(ct_layout A, uint32_t basis)
{
    for (; basis != CT_INTEGER; basis >>= 8) A = ct_mode(A, (int)(basis & 0xffu) - 1);
    return A;
}

/* The walk of the mode s:d of B through the modes of A. */
static void explain_walk(ct_explainer *x, ct_layout A, int64_t s, int64_t d)
{
    const int last = A.profile.leaves - 1;
    int64_t rest = s, step = d;
    for (int k = 0; k < last && rest > 1; ++k) {
        const int64_t size = A.shape[k];
        if (step % size == 0) {
            ct_say(x, "A's mode %d, %s: stride %lld clears its size %lld; %lld/%lld = %lld is left",
                   k, ct_shown_leaf(x, A, k), (long long)step, (long long)size, (long long)step,
                   (long long)size, (long long)(step / size));
            step /= size;
            continue;
        }
        const int64_t steps = ct_ceil_div_int(size, step), taken = ct_min(steps, rest);
        const int fits = step < size && (size % step == 0 || rest <= steps);
        if (!fits || rest % taken != 0) {
            ct_say(x,
                   "A's mode %d, %s: steps of %lld do not end at its size %lld, so the values "
                   "are enumerated",
                   k, ct_shown_leaf(x, A, k), (long long)step, (long long)size);
            return;
        }
        ct_say(x, "A's mode %d, %s: %lld of the %lld steps of %lld fit: %lld:%lld*%lld; %lld left",
               k, ct_shown_leaf(x, A, k), (long long)taken, (long long)rest, (long long)step,
               (long long)taken, (long long)step, (long long)A.stride[k],
               (long long)(rest / taken));
        rest /= taken;
        step = 1;
    }
    if (rest > 1)
        ct_say(x, "A's mode %d, %s, which has no end: %lld:%lld*%lld", last,
               ct_shown_leaf(x, A, last), (long long)rest, (long long)step,
               (long long)A.stride[last]);
}

static void explain_leaf(ct_explainer *x, ct_layout A, ct_layout B, int i)
{
    if (ct_is_sum(B.basis[i])) {
        const ct_sum s = ct_sum_of(B.stride[i], B.basis[i]);
        ct_say(x, "its %d terms address %d modes of A; their layouts add up", s.count, s.count);
        return;
    }
    const ct_layout part = addressed(A, B.basis[i]), digits = ct_coalesce_z(part);
    if (digits.err.status) return;
    if (B.basis[i] != CT_INTEGER) ct_say(x, "its basis addresses %s of A", ct_shown(x, part));
    if (B.stride[i] == 0) ct_say(x, "stride 0: the offset stays");
    else if (B.shape[i] == 1) ct_say(x, "size 1: only index 0 counts");
    else if (B.stride[i] > 0) explain_walk(x, digits, B.shape[i], B.stride[i]);
    else ct_say(x, "negative stride %lld", (long long)B.stride[i]);
    const ct_layout leaf = ct_composition(part, ct_layout1(B.shape[i], B.stride[i]));
    if (leaf.err.status) ct_say(x, "no layout does that");
    else ct_say(x, "gives %s", ct_shown(x, leaf));
}

void ct_explain_composition(ct_explainer *x, ct_layout A, ct_layout B)
{
    ct_say(x, "R(c) = A(B(c)). Each mode s:d of B walks through the modes of A, lowest first.");
    if (A.err.status || B.err.status) return;
    ct_say(x, "A coalesced: %s", ct_shown(x, ct_coalesce_z(A)));
    for (int i = 0; i < B.profile.leaves; ++i) {
        ct_say(x, "B's mode %d, %s:", i, ct_shown_leaf(x, B, i));
        ++x->indent;
        explain_leaf(x, A, B, i);
        --x->indent;
    }
}

void ct_explain_by_mode(ct_explainer *x, ct_layout A, ct_tiler T,
                        void (*each)(ct_explainer *, ct_layout, ct_layout))
{
    const ct_by_mode m = ct_match_modes(A.profile, T.nesting, CT_OP_COMPOSITION);
    ct_say(x, "Mode by mode: tile k meets mode k of A.");
    if (m.err.status) return;
    for (int i = 0; i < m.count; ++i) {
        const ct_layout part = ct_part_layout(ct_by_mode_part(&A, &m, i));
        if (m.guide[i] < 0) {
            ct_say(x, "%s: beyond the tiler", ct_shown(x, part));
            continue;
        }
        const ct_layout tile = ct_tile(T, m.guide[i]);
        if (ct_tile_is_any(tile)) {
            ct_say(x, "%s and `_`: left alone", ct_shown(x, part));
            continue;
        }
        const char *shown = ct_shown(x, part);
        ct_say(x, "mode %s and tile %s:", shown, ct_shown(x, tile));
        ++x->indent;
        each(x, part, tile);
        --x->indent;
    }
}

void ct_explain_complement(ct_explainer *x, ct_layout L, int64_t n, ct_layout result)
{
    const ct_layout filtered = ct_filter(L);
    if (filtered.err.status || !ct_is_integral(filtered) || n < 1) return;
    const ct_layout sorted = ct_sort_leaves(&filtered).leaves;
    int64_t extent = 1;
    ct_say(
        x,
        "The modes by stride, without stride 0: %s. Each gap below a stride is filled, then what "
        "is left up to %lld.",
        ct_shown(x, sorted), (long long)n);
    for (int i = 0; i < sorted.profile.leaves; ++i) {
        const int64_t d = ct_abs(sorted.stride[i]);
        int ok = 1;
        if (d == 0) continue;
        const char *leaf = ct_shown_leaf(x, sorted, i);
        if (d < extent) {
            ct_say(x, "%s: stride %lld is less than the extent %lld below it", leaf, (long long)d,
                   (long long)extent);
            return;
        }
        if (d % extent != 0)
            ct_say(x, "%s: stride %lld is not a multiple of the extent %lld below it; a gap stays",
                   leaf, (long long)d, (long long)extent);
        const int64_t above = ct_mul(d, sorted.shape[i], &ok);
        if (!ok) return;
        ct_say(x, "%s: %lld/%lld = %lld copies fit below: %lld:%lld; extent %lld*%lld = %lld", leaf,
               (long long)d, (long long)extent, (long long)(d / extent), (long long)(d / extent),
               (long long)extent, (long long)d, (long long)sorted.shape[i], (long long)above);
        extent = above;
    }
    if (result.err.status) return;
    const int64_t rest = ct_ceil_div_int(n, extent);
    ct_say(x, "above: %lld/%lld rounded up = %lld: %lld:%lld", (long long)n, (long long)extent,
           (long long)rest, (long long)rest, (long long)extent);
    ct_say(x, "coalesced: %s", ct_shown(x, result));
}
