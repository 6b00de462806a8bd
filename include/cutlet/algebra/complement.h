/**
 * The complement: the layout that fills the gaps of another one.
 */
#ifndef CUTLET_ALGEBRA_COMPLEMENT_H
#define CUTLET_ALGEBRA_COMPLEMENT_H

#include <cutlet/algebra/coalesce.h>
#include <cutlet/algebra/size.h>
#include <cutlet/algebra/sort.h>

/** How a complement treats a stride of L that is not a multiple of the extent below it.
 *  CT_GAPS_ROUND: the number of copies in the gap is rounded down. CT_GAPS_COUNT: the same, but
 *  fewer than n offsets are an error. CT_GAPS_NONE: such a gap is an error. */
enum { CT_GAPS_NONE, CT_GAPS_COUNT, CT_GAPS_ROUND };

/** The gaps between the modes of a layout, found from the smallest stride up. */
typedef struct ct_gaps {
    int64_t extent; /* the span of the modes and the filled gaps between them */
    int64_t count;  /* the offsets within it that are reached */
    ct_error gap;   /* a gap that no whole number of copies fills */
} ct_gaps;

/** @internal Adds the copies between the modes of the part L to the empty layout r. Where there are
 *  none r gets the error. */
CT_FN ct_gaps ct_fill_gaps(ct_layout *r, ct_part L)
{
    ct_gaps g = CT_ZERO;
    int ok = 1;
    CT_FOR(i, L.s.count)
    {
        if (L.of->basis[L.s.first + i] != CT_INTEGER && r->err.status == CT_OK)
            r->err = ct_make_error(CT_E_ARGUMENT, CT_OP_COMPLEMENT, CT_WHY_NOT_INTEGER, i, 0, 0);
    }
    if (r->err.status) return g;
    ct_layout sorted = CT_ZERO;
    ct_push_coalesced(&sorted, L, CT_NO_ZEROS);
    ct_sort_by_stride(&sorted);
    g.extent = 1;
    g.count = 1;
    CT_FOR(i, sorted.profile.leaves)
    {
        const int64_t d = ct_abs(sorted.stride[i]), extent = g.extent;
        if (d != 0 && ok) {
            if (d < extent) {
                r->err =
                    ct_make_error(CT_E_NO_LAYOUT, CT_OP_COMPLEMENT, CT_WHY_OVERLAP, 0, d, extent);
                return g;
            }
            if (d % extent != 0 && g.gap.status == CT_OK)
                g.gap = ct_make_error(CT_E_NO_LAYOUT, CT_OP_COMPLEMENT, CT_WHY_GAP, 0, d, extent);
            if (d / extent > 1) ct_layout_push_leaf(r, d / extent, extent, CT_INTEGER);
            g.count = ct_mul(g.count, ct_mul(d / extent, sorted.shape[i], &ok), &ok);
            g.extent = ct_mul(d, sorted.shape[i], &ok);
        }
    }
    if (!ok) r->err = ct_make_error(CT_E_OVERFLOW, CT_OP_COMPLEMENT, CT_WHY_OVERFLOW, 0, 0, 0);
    return g;
}

/** @internal Completes the complement r of gaps g, which reaches n offsets with `rest` extents. */
CT_FN void ct_close_complement(ct_layout *r, const ct_gaps *g, int64_t n, int64_t rest, int gaps)
{
    const int short_of_n = g->count < ct_ceil_div_int(n, rest);
    if (g->gap.status && (gaps == CT_GAPS_NONE || (gaps == CT_GAPS_COUNT && short_of_n))) {
        r->err = g->gap;
        return;
    }
    if (rest > 1) ct_layout_push_leaf(r, rest, g->extent, CT_INTEGER);
    ct_close_flat(r);
    r->err = ct_layout_check(r, CT_OP_COMPLEMENT);
}

/** @internal Makes the empty layout r the complement of a part; see ct_complement. */
CT_FN void ct_complement_of(ct_layout *r, ct_part L, int64_t n, int gaps)
{
    const ct_gaps g = ct_fill_gaps(r, L);
    if (r->err.status == CT_OK && n < 1)
        r->err = ct_make_error(CT_E_ARGUMENT, CT_OP_COMPLEMENT, CT_WHY_NOT_POSITIVE, 0, n, 0);
    if (r->err.status) return;
    const int64_t rest = ct_ceil_div_int(n, g.extent);
    ct_close_complement(r, &g, n, rest, gaps);
}

/** @internal The complement of L; see ct_complement. */
CT_FN ct_layout ct_complement_with(ct_layout L, int64_t n, int gaps)
{
    if (L.err.status) return L;
    ct_layout r = CT_ZERO;
    ct_complement_of(&r, ct_whole(&L), n, gaps);
    return r;
}

/**
 * The complement of L up to n: the ordered layout R of the offsets at which L can be repeated
 * without overlap. Where the strides of L divide, the copies fill an interval of at least n without
 * a gap. Modes of L of stride 0 do not count. Negative strides count as their absolute values: the
 * interval then begins below 0.
 *
 * Ensures:  R(j) < R(j + 1); the offsets L(i) + R(j) are distinct, at least n of them, and all
 *           within ceil(n / E) intervals of the extent E of L; they are consecutive where each
 *           stride of L is a multiple of the extent below it.   [law_complement]
 * Fails:    CT_E_NO_LAYOUT when a stride is not a multiple of the extent of the modes below it (the
 *           gap between them has no room for a whole number of copies) and fewer than n offsets
 *           would be reached; when a stride is less than that extent (the modes of L interleave or
 *           overlap). In both cases no set of shifts of L fills an interval. CT_E_ARGUMENT for
 *           n < 1 or basis strides; CT_E_OVERFLOW.
 * Cost:     O(leaves^2).
 * Example:  complement((2,2):(1,6), 24) == (3,2):(2,12)
 * Example:  complement((2,2):(2,6), 24) == error
 * Example:  complement((3,16):(1,8), 66) == 2:3
 * Source:   CUTLASS docs, 02_layout_algebra; that no set other than such a mixed-radix one tiles an
 *           interval: N. G. de Bruijn, On number systems, 1956.
 */
CT_FN ct_layout ct_complement(ct_layout L, int64_t n)
{
    return ct_complement_with(L, n, CT_GAPS_COUNT);
}

#endif
