/* How divides, products, inverses, casts and evaluation get their results, step by step. */
#include <cutlet/algebra/cast.h>
#include <cutlet/algebra/complement_shape.h>
#include <cutlet/algebra/inverse.h>
#include <cutlet/algebra/product.h>
#include <cutlet/algebra/vector.h>
#include "explainer.h"

/* B* by integer strides, then by coordinates. */
static void explain_rest(ct_explainer *x, ct_layout A, ct_layout B, ct_layout rest)
{
    ct_say(x, "A divided by B = composition(A, (B, B*)), B* = complement(B, size(A)).");
    ct_say(x, "B*: complement(%s, %lld):", ct_shown(x, B), (long long)ct_size(A));
    ++x->indent;
    ct_explain_complement(x, B, ct_size(A), rest);
    --x->indent;
}

static void explain_rest_along(ct_explainer *x, ct_layout A, ct_layout B, ct_layout rest)
{
    ct_say(x,
           "A divided by coordinates B = composition(A, (B, B*)), B* = complement(B, shape(A)).");
    const char *of = ct_shown(x, B), *shape = ct_shown_tuple(x, ct_shape(A));
    ct_say(x, "B*: complement(%s, %s), mode by mode: %s", of, shape, ct_shown(x, rest));
}

void ct_explain_divide(ct_explainer *x, ct_layout A, ct_layout B)
{
    const int integral = ct_is_integral(B);
    const ct_layout rest =
        integral ? ct_complement(B, ct_size(A)) : ct_complement_shape(B, ct_shape(A));
    (integral ? explain_rest : explain_rest_along)(x, A, B, rest);
    if (rest.err.status) return;
    const char *tile = ct_shown(x, B);
    ct_say(x, "composition(A, (%s, %s)):", tile, ct_shown(x, rest));
    ++x->indent;
    ct_explain_composition(x, A, ct_make_layout2(B, rest));
    --x->indent;
    const ct_layout both = ct_logical_divide(A, B);
    if (both.err.status) return;
    tile = ct_shown(x, ct_mode(both, 0));
    ct_say(x, "tile %s, rest %s", tile, ct_shown(x, ct_mode(both, 1)));
    const int64_t excess = ct_size(both) - ct_size(A);
    if (excess > 0)
        ct_say(x, "The tile does not divide A: the last one reaches %lld elements past it.",
               (long long)excess);
}

void ct_explain_product(ct_explainer *x, ct_layout A, ct_layout B)
{
    int ok = 1;
    const int64_t cosize = ct_cosize(B);
    if (cosize == CT_INVALID) return;
    const int64_t n = ct_mul(ct_size(A), cosize, &ok);
    if (!ok) return;
    const ct_layout places = ct_complement_with(A, n, CT_GAPS_ROUND);
    ct_say(x, "A times B = (A, composition(A*, B)), A* = complement(A, size(A)*cosize(B)): where "
              "copies of "
              "A fit.");
    ct_say(x, "A*: complement(%s, %lld*%lld = %lld):", ct_shown(x, A), (long long)ct_size(A),
           (long long)cosize, (long long)n);
    ++x->indent;
    ct_explain_complement(x, A, n, places);
    --x->indent;
    if (places.err.status) return;
    ct_say(x, "composition(%s, B):", ct_shown(x, places));
    ++x->indent;
    ct_explain_composition(x, places, B);
    --x->indent;
}

void ct_explain_zip(ct_explainer *x, ct_layout A, ct_layout B, int tile_first)
{
    const int rank = (int)ct_max(ct_layout_rank(A), ct_layout_rank(B));
    ct_layout a = A, b = B;
    ct_pad_rank(&a, rank);
    ct_pad_rank(&b, rank);
    ct_explain_product(x, a, b);
    const ct_layout z = ct_logical_product(a, b);
    if (z.err.status) return;
    ct_say(x, "Mode k of the result is %s.",
           tile_first ? "(mode k of A, mode k of the copies): each copy in one piece"
                      : "(mode k of the copies, mode k of A): the copies interleaved");
    for (int k = 0; k < rank; ++k) {
        const char *tile = ct_shown(x, ct_mode(ct_mode(z, 0), k));
        ct_say(x, "mode %d: A %s, copies %s", k, tile, ct_shown(x, ct_mode(ct_mode(z, 1), k)));
    }
}

void ct_explain_right_inverse(ct_explainer *x, ct_layout L)
{
    const ct_layout flat = ct_coalesce(L);
    const ct_sorted s = ct_sort_leaves(&L);
    int64_t next = 1;
    ct_say(x,
           "L(R(i)) = i. The coalesced modes of L by stride, as long as each begins where the last "
           "ended; R steps by their indices.");
    ct_say(x, "L coalesced: %s", ct_shown(x, flat));
    if (!ct_is_integral(L)) return;
    for (int i = 0; i < s.leaves.profile.leaves; ++i) {
        const int64_t size = s.leaves.shape[i], d = s.leaves.stride[i];
        const char *leaf = ct_shown_leaf(x, s.leaves, i);
        if (d == next && size > 1) {
            ct_say(x, "%s: stride %lld is next; its index step is %lld: %lld:%lld", leaf,
                   (long long)d, (long long)s.unit[i], (long long)size, (long long)s.unit[i]);
            next *= size;
        } else {
            ct_say(x, "%s: stride %lld, but %lld is next: left out", leaf, (long long)d,
                   (long long)next);
        }
    }
}

void ct_explain_left_inverse(ct_explainer *x, ct_layout L)
{
    const ct_sorted s = ct_sort_leaves(&L);
    int64_t below = 1, unit = 0, shape = 1, extent = 1;
    ct_say(
        x,
        "R(L(i)) = i. The coalesced modes of L by stride; the offsets between two strides repeat "
        "what is below.");
    ct_say(x, "L coalesced: %s", ct_shown(x, ct_coalesce(L)));
    if (!ct_is_integral(L)) return;
    for (int i = 0; i < s.leaves.profile.leaves; ++i) {
        const int64_t d = s.leaves.stride[i];
        if (d == 0 || s.leaves.shape[i] == 1) continue;
        if (d < extent || d % below != 0) {
            ct_say(x, "%s: stride %lld does not nest with stride %lld, whose extent is %lld",
                   ct_shown_leaf(x, s.leaves, i), (long long)d, (long long)below,
                   (long long)extent);
            ct_say(
                x,
                "Shapes are tried, the shortest first: each index is one equation in R's strides.");
            return;
        }
        ct_say(x, "%s: up to stride %lld come %lld/%lld = %lld steps of index %lld: %lld:%lld",
               ct_shown_leaf(x, s.leaves, i), (long long)d, (long long)d, (long long)below,
               (long long)(d / below), (long long)unit, (long long)(d / below), (long long)unit);
        below = d;
        unit = s.unit[i];
        shape = s.leaves.shape[i];
        int ok = 1;
        extent = ct_mul(d, shape, &ok);
        if (!ok) extent = INT64_MAX;
    }
    ct_say(x, "the last mode itself: %lld:%lld", (long long)shape, (long long)unit);
}

void ct_explain_nullspace(ct_explainer *x, ct_layout L)
{
    int64_t run = 1;
    ct_say(x, "The modes of stride 0, each with the step that its index takes in L.");
    for (int i = 0; i < L.profile.leaves; ++i) {
        if (L.stride[i] == 0)
            ct_say(x, "leaf %d, %s: its index steps by %lld", i, ct_shown_leaf(x, L, i),
                   (long long)run);
        run *= L.shape[i];
    }
}

void ct_explain_common(ct_explainer *x, ct_layout a, ct_layout b)
{
    const ct_layout inverse = ct_right_inverse(b);
    ct_say(x, "Elements that are contiguous in b and, seen through b's order, contiguous in a.");
    ct_say(x, "right_inverse(b): %s, the indices of b in the order of its offsets",
           ct_shown(x, inverse));
    if (inverse.err.status) return;
    const ct_layout common = ct_coalesce(ct_composition(a, inverse));
    ct_say(x, "a in that order: %s", ct_shown(x, common));
    if (common.err.status) return;
    if (common.stride[0] == 1)
        ct_say(x, "its first mode has stride 1: %lld contiguous elements",
               (long long)common.shape[0]);
    else
        ct_say(x,
               "its first mode has stride %lld, not 1: only single elements are contiguous in both",
               (long long)common.stride[0]);
}

void ct_explain_alignment(ct_explainer *x, ct_layout L)
{
    const ct_sorted s = ct_sort_leaves(&L);
    int64_t next = 1, gcd = 0;
    ct_say(x, "The gcd of the contiguous size and of every stride beyond it.");
    if (!ct_is_integral(L)) return;
    for (int i = 0; i < s.leaves.profile.leaves; ++i) {
        if (s.leaves.shape[i] == 1) continue;
        const char *leaf = ct_shown_leaf(x, s.leaves, i);
        if (s.leaves.stride[i] == next) {
            next *= s.leaves.shape[i];
            ct_say(x, "%s: goes on where the last ended: %lld contiguous", leaf, (long long)next);
        } else {
            gcd = ct_gcd(gcd, s.leaves.stride[i]);
            ct_say(x, "%s: a stride beyond; gcd of these strides %lld", leaf, (long long)gcd);
        }
    }
    ct_say(x, "gcd(%lld, %lld) = %lld", (long long)next, (long long)gcd,
           (long long)ct_gcd(next, gcd));
}

void ct_explain_upcast(ct_explainer *x, ct_layout L, int64_t n)
{
    ct_say(x,
           "A stride d below n = %lld: n/d elements merge into a new one; a stride of n or more is "
           "divided by n.",
           (long long)n);
    if (n < 1) return;
    for (int i = 0; i < L.profile.leaves; ++i) {
        const int64_t d = ct_abs(L.stride[i]), s = L.shape[i];
        const char *leaf = ct_shown_leaf(x, L, i);
        if (d == 0) ct_say(x, "%s: stride 0 stays", leaf);
        else if (d % n == 0)
            ct_say(x, "%s: stride %lld/%lld = %lld", leaf, (long long)d, (long long)n,
                   (long long)(d / n));
        else if (n % d == 0)
            ct_say(x, "%s: %lld/%lld = %lld elements make a new one: shape %lld/%lld", leaf,
                   (long long)n, (long long)d, (long long)(n / d), (long long)s,
                   (long long)(n / d));
        else
            ct_say(x, "%s: neither of %lld and %lld divides the other", leaf, (long long)d,
                   (long long)n);
    }
}

void ct_explain_downcast(ct_explainer *x, ct_layout L, int64_t n)
{
    ct_say(x,
           "The leaf of stride 1 gets n = %lld times as long; other strides are multiplied by n.",
           (long long)n);
    for (int i = 0; i < L.profile.leaves; ++i) {
        int ok = 1;
        const int unit = L.stride[i] == 1;
        const int64_t more = ct_mul(unit ? L.shape[i] : L.stride[i], n, &ok);
        if (ok)
            ct_say(x, "%s: %s %lld", ct_shown_leaf(x, L, i), unit ? "shape" : "stride",
                   (long long)more);
    }
}

void ct_explain_at(ct_explainer *x, ct_layout L, ct_tuple coord)
{
    ct_say(x, "The sum of coordinate times stride over the leaves; an index runs through them from "
              "the first.");
    const ct_pairs p = ct_profile_pairs(coord.profile, L.profile);
    if (!p.ok || p.count != coord.profile.leaves) return;
    for (int i = 0; i < p.count; ++i) {
        if (coord.basis[i] == CT_ANY) continue;
        int64_t rest = coord.value[i];
        if (rest < 0) return;
        for (int k = p.b[i]; k < p.b[i + 1]; ++k) {
            const int last = k + 1 == p.b[i + 1];
            const int64_t digit = last ? rest : rest % L.shape[k];
            int ok = 1;
            const int64_t part = ct_step_mul(digit, L.stride[k], L.basis[k], &ok);
            const ct_tuple stride = ct_stride(L);
            ct_tuple leaf = ct_int(stride.value[k]);
            leaf.basis[0] = stride.basis[k];
            if (!ok) return;
            if (ct_is_sum(L.basis[k])) {
                ct_say(x, "leaf %d: %lld times stride %s", k, (long long)digit,
                       ct_shown_tuple(x, leaf));
                rest /= L.shape[k];
                continue;
            }
            if (p.b[i + 1] - p.b[i] > 1 && !last)
                ct_say(x,
                       "leaf %d: %lld mod %lld = %lld, times stride %s: %lld; %lld/%lld = %lld "
                       "goes on",
                       k, (long long)rest, (long long)L.shape[k], (long long)digit,
                       ct_shown_tuple(x, leaf), (long long)part, (long long)rest,
                       (long long)L.shape[k], (long long)(rest / L.shape[k]));
            else
                ct_say(x, "leaf %d: %lld times stride %s: %lld", k, (long long)digit,
                       ct_shown_tuple(x, leaf), (long long)part);
            rest /= L.shape[k];
        }
    }
}
