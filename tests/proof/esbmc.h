/* What prove.c asks of CBMC, for ESBMC. It has no uninterpreted functions: the products of a proof are
 * kept, so that the same two numbers have the same product. Past CT_SLOTS of them a product may be any. */
#ifndef CUTLET_TESTS_PROOF_ESBMC_H
#define CUTLET_TESTS_PROOF_ESBMC_H

#include <stdint.h>

void __ESBMC_assume(_Bool yes);
void __ESBMC_assert(_Bool yes, const char *what);
#define __CPROVER_assume(yes) __ESBMC_assume(yes)
#define __CPROVER_assert(yes, what) __ESBMC_assert(yes, what)

int64_t nondet_number(void);
int64_t nondet_product(void);
int nondet_fits(void);

/* In scalars: arrays take the solver longer. */
#define CT_SLOTS(X)                                                                                \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define CT_SLOT(i)                                                                                 \
    static int64_t ct_a##i, ct_b##i, ct_product##i;                                                \
    static int ct_fits##i;
CT_SLOTS(CT_SLOT)
static int ct_slots, ct_last_fits;

#define CT_FIND(i)                                                                                 \
    if (i < ct_slots && ct_a##i == a && ct_b##i == b) {                                            \
        ct_last_fits = ct_fits##i;                                                                 \
        return ct_product##i;                                                                      \
    }
#define CT_KEEP(i)                                                                                 \
    if (ct_slots == i) {                                                                           \
        ct_a##i = a;                                                                               \
        ct_b##i = b;                                                                               \
        ct_product##i = r;                                                                         \
        ct_fits##i = fits;                                                                         \
    }

static int64_t __CPROVER_uninterpreted_product(int64_t a, int64_t b)
{
    CT_SLOTS(CT_FIND)
    const int64_t r = nondet_product();
    const int fits = nondet_fits() != 0;
    CT_SLOTS(CT_KEEP)
    ++ct_slots;
    ct_last_fits = fits;
    return r;
}

/* Of the product that was asked for last. */
static int __CPROVER_uninterpreted_fits(int64_t a, int64_t b)
{
    (void)a, (void)b;
    return ct_last_fits;
}

#endif
