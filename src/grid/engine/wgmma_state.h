/* The state of wgmma: a warpgroup and its instructions in flight. */
#ifndef CUTLET_SRC_GRID_ENGINE_WGMMA_STATE_H
#define CUTLET_SRC_GRID_ENGINE_WGMMA_STATE_H

#include <cutlet/mma/mma_op.h>

#include "state.h"

/* The largest shapes of one instruction. */
enum { WGMMA_M = 64, WGMMA_N = 256, WGMMA_K = 64 };

enum {
    MAX_GROUPS = MAX_CLUSTER * MAX_THREADS / WARPGROUP_THREADS,
    MAX_SUMS = 16,  /* arrays of D of a group in flight */
    MAX_KNOWN = 16, /* arrays of registers whose words are known */
    WORDS_D = 128,  /* the most words of a thread */
    WORDS_A = 4,
    MAX_WAIT = 7
};
/* The contents of D in flight, plus 16 times its index among those of the group: a NaN, as a float and
 * as two halves. It is odd, and so is the half of a double made from it: no address of an aligned
 * variable, of which a frame is full, has such a lower half. */
enum { WGMMA_POISON = 0x7fedfe09, WGMMA_POISON_STEP = 16 };
_Static_assert(WGMMA_POISON % 2 == 1 && WGMMA_POISON / 8 % 2 == 1 && WGMMA_POISON_STEP % 16 == 0 &&
                   (WGMMA_POISON & 0xffff) + (MAX_SUMS - 1) * WGMMA_POISON_STEP <= 0xffff,
               "odd, and a NaN, for every index");

/* An array of registers of each thread, and its contents at a stamp. */
typedef struct ct_wgmma_words {
    unsigned char *at[WARPGROUP_THREADS];
    int count;
    uint32_t stamp;
    uint32_t held[WARPGROUP_THREADS][WORDS_D];
} ct_wgmma_words;

/* D of one or more instructions in flight, each of which adds to the result of the previous one. */
typedef struct ct_wgmma_sums {
    unsigned char *at[WARPGROUP_THREADS];
    ct_mma_op op;
    int in_flight; /* instructions in flight; 0: not in use */
    uint32_t poison;
    const ct_grid_site *site;
    double value[WGMMA_M * WGMMA_N]; /* rows of n */
} ct_wgmma_sums;

/* An instruction in flight. */
typedef struct ct_wgmma_product {
    const ct_grid_site *site;
    uint32_t stamp;
    int64_t group; /* of those that ct_wgmma_commit closes */
    ct_wgmma_sums *d;
    int has_a; /* whether A is in registers */
    unsigned char *a[WARPGROUP_THREADS];
    uint32_t a_held[WARPGROUP_THREADS][WORDS_A];
} ct_wgmma_product;

/* A wait: all instructions issued before `until` are complete from tick `at` on. */
typedef struct ct_wgmma_completion {
    uint32_t until, at;
} ct_wgmma_completion;

typedef struct ct_wgmma_group {
    int first; /* thread */
    ct_wgmma_product *products;
    int product_count, product_capacity;
    ct_wgmma_completion *completions;
    int completion_count, completion_capacity;
    ct_wgmma_sums *d[MAX_SUMS];
    ct_wgmma_words *known[MAX_KNOWN];
    int next_known;
} ct_wgmma_group;

struct ct_wgmmas {
    ct_wgmma_group groups[MAX_GROUPS];
    double a[WGMMA_M * WGMMA_K], b[WGMMA_K * WGMMA_N]; /* rows of k, rows of n */
};

#endif
