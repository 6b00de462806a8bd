/**
 * Any argument of an operation: all that its type allows, a failed one among them. CBMC, where
 * CT_PROOF is defined, takes every value at once; a sweep takes random ones, extremes mostly. CBMC
 * does not see the products: to it every layout counts whose profile is one and whose shapes are
 * positive, also one whose size overflows.
 */
#ifndef CUTLET_TESTS_PROOF_ANY_H
#define CUTLET_TESTS_PROOF_ANY_H

#include <cutlet/algebra/base.h>

#ifdef CT_PROOF
/* The headers refuse less than 4 leaves, as some of them write 4; proofs are of 2 where none does. */
#undef CT_MAX_LEAVES
#define CT_MAX_LEAVES CT_PROOF
#include "assumed.h"
#endif

#include <cutlet/algebra/combine.h>
#include <cutlet/algebra/distribute.h>
#include <cutlet/algebra/linear_layout.h>
#include <cutlet/algebra/partition.h>
#include <cutlet/algebra/tensor_composition.h>
#include <cutlet/algebra/tensor_product.h>
#include <cutlet/algebra/tuple_order.h>
#include <cutlet/algebra/vector.h>

int64_t nondet_number(void);
uint32_t nondet_basis(void);
ct_profile nondet_profile_bytes(void);
ct_layout nondet_layout_bytes(void);
ct_tuple nondet_tuple_bytes(void);
ct_swizzle nondet_swizzle_bytes(void);
ct_tiler nondet_tiler_bytes(void);
ct_terms nondet_terms_bytes(void);
ct_linear_layout nondet_linear_bytes(void);

#ifdef CT_PROOF
#define CT_ASSUME(x) __CPROVER_assume(x)
#else
_Noreturn void ct_not_assumed(void);
#define CT_ASSUME(x) ((x) ? (void)0 : ct_not_assumed())
#endif

/** Whether p is a profile: parentheses that match, around all leaves where there are several. An
 *  operation that pairs or splits leaves nests once more for each without counting. */
static inline int ct_is_profile(const ct_profile *p)
{
    int level = 0, yes = p->leaves >= 0 && p->leaves <= CT_MAX_LEAVES;
    for (int i = 0; i < CT_MAX_LEAVES; ++i) {
        if (!yes || i >= p->leaves) break;
        level += p->open[i];
        level -= p->close[i];
        yes = level >= 0 && p->open[i] < CT_MAX_NESTING + p->leaves &&
              p->close[i] < CT_MAX_NESTING + p->leaves;
        if (i + 1 < p->leaves && level == 0) yes = 0;
    }
    return yes && level == 0;
}

/** Whether this many leaves can be held: all that a failed value promises. */
static inline int ct_holds(const ct_profile *p)
{
    return p->leaves >= 0 && p->leaves <= CT_MAX_LEAVES;
}

static inline int ct_is_tuple(const ct_tuple *t)
{
    return t->err.status ? ct_holds(&t->profile) : ct_is_profile(&t->profile);
}

/** Whether shapes are positive and the size fits; for a sweep, the offsets too. */
static inline int ct_sizes_fit(const ct_layout *L)
{
#ifdef CT_PROOF
    int yes = 1;
    int64_t size = 1;
    for (int i = 0; i < L->profile.leaves; ++i) {
        yes = yes && L->shape[i] >= 1 && L->stride[i] != INT64_MIN;
        size = ct_mul(size, yes ? L->shape[i] : 1, &yes);
    }
    return yes;
#else
    return ct_layout_check(L, CT_OP_NONE).status == CT_OK;
#endif
}

static inline int ct_is_layout(const ct_layout *L)
{
    if (L->err.status) return ct_holds(&L->profile);
    if (!ct_is_profile(&L->profile)) return 0;
    for (int i = 0; i < L->profile.leaves; ++i)
        if (L->basis[i] == CT_ANY) return 0;
    return ct_sizes_fit(L);
}

static inline int ct_is_swizzle(const ct_swizzle *s)
{
    return s->err.status || ct_make_swizzle(s->bits, s->base, s->shift).err.status == CT_OK;
}

static inline int ct_is_tensor(const ct_tensor *t)
{
    if (t->layout.err.status)
        return ct_holds(&t->layout.profile) && ct_holds(&t->offset.profile) &&
               t->swizzle.err.status == CT_OK && ct_is_swizzle(&t->swizzle);
    return ct_is_layout(&t->layout) && t->offset.err.status == CT_OK && ct_is_tuple(&t->offset) &&
           t->swizzle.err.status == CT_OK && ct_is_swizzle(&t->swizzle) &&
           (t->offset.profile.leaves > 0 || t->offset.value[0] == 0);
}

/** Whether the bits of the index are those of the leaves, and no offset has more than 62. */
static inline int ct_is_linear(const ct_linear_layout *f)
{
    int bits = 0, yes = f->origin >= 0 && f->origin < (int64_t)1 << CT_LINEAR_BITS;
    if (f->err.status) return ct_holds(&f->profile);
    if (!ct_is_profile(&f->profile)) return 0;
    for (int k = 0; k < f->profile.leaves; ++k) {
        yes = yes && f->log[k] >= 0 && f->log[k] <= CT_LINEAR_BITS;
        bits += yes ? f->log[k] : 0;
    }
    for (int k = 0; k < CT_LINEAR_BITS; ++k)
        yes =
            yes && (k >= f->bits || f->image[k] >= 0) && f->image[k] < (int64_t)1 << CT_LINEAR_BITS;
    return yes && f->bits == bits && bits <= CT_LINEAR_BITS;
}

/** Whether p is part of a layout: a mode of it at any depth, or all of it. */
static inline int ct_is_part(const ct_part *p)
{
    const int leaves = p->of->profile.leaves;
    if (!ct_holds(&p->of->profile) || p->s.first < 0 || p->s.first > leaves || p->s.count < 0 ||
        p->s.count > leaves - p->s.first || p->opens < 0 || p->closes < 0)
        return 0;
    if (p->of->err.status) return 1;
    if (p->s.count == 0) return leaves == 0 && p->opens == 0 && p->closes == 0;
    if (p->opens > p->of->profile.open[p->s.first] ||
        p->closes > p->of->profile.close[p->s.first + p->s.count - 1])
        return 0;
    const ct_layout L = ct_part_layout(*p);
    return ct_is_layout(&L);
}

/** Whether t has one tile, a layout or `_`, for each leaf of its nesting. */
static inline int ct_is_tiler(const ct_tiler *t)
{
    int yes = ct_holds(&t->tiles.profile) && ct_is_profile(&t->nesting);
    if (!yes || t->tiles.err.status) return yes;
    if (!ct_is_profile(&t->tiles.profile)) return 0;
    if (t->nesting.leaves == 0) return t->tiles.profile.leaves == 0;
    if (ct_profile_is_integer(t->tiles.profile)) return 0;
    for (int k = 0; k < t->nesting.leaves; ++k) {
        const ct_part tile = ct_tile_part(t, k);
        yes = yes && tile.s.count > 0 && (ct_tile_part_is_any(tile) || ct_is_part(&tile));
    }
    return yes && ct_profile_rank(t->tiles.profile) == t->nesting.leaves;
}

/** Whether a part has basis strides. */
static inline int ct_has_bases(ct_part p)
{
    int yes = 0;
    for (int i = 0; i < p.s.count; ++i) yes |= p.of->basis[p.s.first + i] != CT_INTEGER;
    return yes;
}

/** Whether paths names each leaf of t, where it is a tuple. */
static inline int ct_are_paths(const ct_tuple *paths, const ct_tuple *t)
{
    int yes = paths->profile.leaves == t->profile.leaves && t->err.status == CT_OK;
    if (paths->err.status) return 1;
    for (int i = 0; i < t->profile.leaves; ++i)
        yes = yes && (paths->basis[i] != CT_INTEGER || ct_is_integer(*t)) &&
              paths->basis[i] != CT_ANY;
    return yes;
}

/** Whether t is a sum of basis elements. */
static inline int ct_is_terms(const ct_terms *t)
{
    int yes = t->count >= 0 && t->count <= CT_MAX_LEAVES;
    for (int i = 0; i < CT_MAX_LEAVES; ++i) yes = yes && (i >= t->count || t->path[i] != 0);
    return yes;
}

/** Whether s has a layout's leaves, and an index of each. */
static inline int ct_is_sorted(const ct_sorted *s)
{
    int yes = s->leaves.err.status == CT_OK && ct_is_layout(&s->leaves);
    for (int i = 0; i < CT_MAX_LEAVES; ++i)
        yes = yes && (s->leaves.err.status || i >= s->leaves.profile.leaves || s->unit[i] >= 1);
    return yes;
}

static inline ct_profile ct_any_profile(void)
{
    ct_profile p = nondet_profile_bytes();
    CT_ASSUME(ct_is_profile(&p));
    return p;
}

static inline ct_tuple ct_any_tuple(void)
{
    ct_tuple t = nondet_tuple_bytes();
    CT_ASSUME(ct_is_tuple(&t));
    return t;
}

static inline ct_layout ct_any_layout(void)
{
    ct_layout L = nondet_layout_bytes();
    CT_ASSUME(ct_is_layout(&L));
    return L;
}

static inline ct_swizzle ct_any_swizzle(void)
{
    ct_swizzle s = nondet_swizzle_bytes();
    CT_ASSUME(ct_is_swizzle(&s));
    return s;
}

/** Whether (i,j,k) is a coordinate of a layout of three modes, or two where k is 0. */
static inline int ct_in_modes(ct_layout L, int64_t i, int64_t j, int64_t k)
{
    const ct_tuple sizes = ct_mode_sizes(&L);
    if (L.err.status || sizes.profile.leaves < 2 || sizes.profile.leaves > 3) return 0;
    return i >= 0 && i < sizes.value[0] && j >= 0 && j < sizes.value[1] && k >= 0 &&
           k < (sizes.profile.leaves == 3 ? sizes.value[2] : 1);
}

/** A tensor that has been checked, as every operation leaves one, or a failed one. */
static inline ct_tensor ct_any_tensor(void)
{
    ct_tensor t = CT_ZERO;
    t.layout = ct_any_layout();
    t.offset = ct_any_tuple();
    t.swizzle = nondet_swizzle_bytes();
    CT_ASSUME(ct_is_tensor(&t));
#ifndef CT_PROOF
    CT_ASSUME(t.layout.err.status || ct_tensor_check(&t).status == CT_OK);
#endif
    return t;
}

/** One leaf of the tiles, or a mode, for each leaf of the nesting. */
static inline ct_tiler ct_any_tiler(void)
{
    ct_tiler t = nondet_tiler_bytes();
    CT_ASSUME(ct_is_tiler(&t));
    return t;
}

static inline ct_linear_layout ct_any_linear_layout(void)
{
#ifdef CT_PROOF
    ct_linear_layout f = nondet_linear_bytes();
    CT_ASSUME(ct_is_linear(&f));
    return f;
#else
    return ct_make_linear(ct_any_tensor());
#endif
}

/** A layout with a part that is one, whatever the rest of it is. */
static inline ct_layout ct_any_of(void)
{
#ifdef CT_PROOF
    const ct_layout L = nondet_layout_bytes();
    CT_ASSUME(ct_holds(&L.profile));
    return L;
#else
    return ct_any_layout();
#endif
}

static inline ct_part ct_any_part(const ct_layout *of)
{
    ct_part p = ct_whole(of);
#ifdef CT_PROOF
    p.s.first = (int)nondet_number();
    p.s.count = (int)nondet_number();
    p.opens = (int)nondet_number();
    p.closes = (int)nondet_number();
#else
    if (nondet_number() & 1) p = ct_part_mode(p, (int)nondet_number());
#endif
    CT_ASSUME(ct_is_part(&p));
    return p;
}

static inline ct_terms ct_any_terms(void)
{
    ct_terms t = nondet_terms_bytes();
    CT_ASSUME(ct_is_terms(&t));
    return t;
}

/** A layout without leaves, to be filled. */
static inline ct_layout ct_any_empty(void)
{
    ct_layout L = nondet_layout_bytes();
    ct_layout_clear(&L);
    return L;
}

#endif
