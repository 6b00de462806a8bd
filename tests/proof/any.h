/**
 * Any argument of an operation: all that its type allows, a failed one among them. CBMC, where
 * CT_PROOF is defined, takes every value at once; a sweep takes random ones, extremes mostly. CBMC
 * does not see the products: to it every layout counts whose profile is one and whose shapes are
 * positive, also one whose size overflows.
 */
#ifndef CUTLET_TESTS_PROOF_ANY_H
#define CUTLET_TESTS_PROOF_ANY_H

#include "cutlet/algebra/base.h"

#ifdef CT_PROOF
/* The headers refuse less than 4 leaves, as some of them write 4; proofs are of 2 where none does. */
#undef CT_MAX_LEAVES
#define CT_MAX_LEAVES CT_PROOF
#include "promised.h"
#endif

#include "cutlet/algebra/combine.h"
#include "cutlet/algebra/distribute.h"
#include "cutlet/algebra/linear_layout.h"
#include "cutlet/algebra/partition.h"
#include "cutlet/algebra/tensor_composition.h"
#include "cutlet/algebra/tensor_product.h"
#include "cutlet/algebra/tuple_order.h"
#include "cutlet/algebra/vector.h"

int64_t nondet_number(void);
uint32_t nondet_basis(void);
ct_profile nondet_profile_bytes(void);
ct_layout nondet_layout_bytes(void);
ct_tuple nondet_tuple_bytes(void);
ct_swizzle nondet_swizzle_bytes(void);
ct_tiler nondet_tiler_bytes(void);

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

/** Whether so many leaves can be held: all that a failed value promises. */
static inline int ct_holds(const ct_profile *p)
{
    return p->leaves >= 0 && p->leaves <= CT_MAX_LEAVES;
}

static inline int ct_is_tuple(const ct_tuple *t)
{
    return t->err.status ? ct_holds(&t->profile) : ct_is_profile(&t->profile);
}

/** Whether shapes are positive and, for a sweep, nothing overflows. */
static inline int ct_sizes_fit(const ct_layout *L)
{
#ifdef CT_PROOF
    int yes = 1;
    for (int i = 0; i < L->profile.leaves; ++i) 
        yes = yes && L->shape[i] >= 1 && L->stride[i] != INT64_MIN;
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
    if (t.layout.err.status) return t;
    t.offset = ct_any_tuple();
    t.swizzle = ct_any_swizzle();
    CT_ASSUME(t.offset.profile.leaves > 0 || t.offset.value[0] == 0);
#ifndef CT_PROOF
    CT_ASSUME(ct_tensor_check(&t).status == CT_OK);
#else
    CT_ASSUME(t.offset.err.status == CT_OK && t.swizzle.err.status == CT_OK);
#endif
    return t;
}

/** One leaf of the tiles, or a mode, for each leaf of the nesting. */
static inline ct_tiler ct_any_tiler(void)
{
    ct_tiler t = nondet_tiler_bytes();
    CT_ASSUME(t.tiles.err.status || ct_is_profile(&t.tiles.profile));
    CT_ASSUME(ct_holds(&t.tiles.profile));
    CT_ASSUME(t.tiles.err.status || ct_sizes_fit(&t.tiles));
    CT_ASSUME(ct_is_profile(&t.nesting));
    CT_ASSUME(t.tiles.err.status || t.nesting.leaves == 0 ||
              (!ct_profile_is_integer(t.tiles.profile) &&
               ct_profile_rank(t.tiles.profile) == t.nesting.leaves));
    CT_ASSUME(t.tiles.err.status || t.nesting.leaves > 0 || t.tiles.profile.leaves == 0);
    return t;
}

static inline ct_linear_layout ct_any_linear_layout(void)
{
    return ct_make_linear(ct_any_tensor());
}

#endif
