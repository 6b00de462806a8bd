/* The types and functions of wgmma: a warpgroup and its instructions in flight. */
#ifndef CUTLET_SRC_GRID_RUN_WGMMA_H
#define CUTLET_SRC_GRID_RUN_WGMMA_H

#include <cutlet/mma/mma_op.h>

#include "run.h"

/* The largest shapes of one instruction. */
enum { WGMMA_M = 64, WGMMA_N = 256, WGMMA_K = 32 };

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
    int has_a;     /* whether A is in registers */
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
    int product_count, product_room;
    ct_wgmma_completion *completions;
    int completion_count, completion_room;
    ct_wgmma_sums *d[MAX_SUMS];
    ct_wgmma_words *known[MAX_KNOWN];
    int next_known;
} ct_wgmma_group;

struct ct_wgmmas {
    ct_wgmma_group groups[MAX_GROUPS];
    double a[WGMMA_M * WGMMA_K], b[WGMMA_K * WGMMA_N]; /* rows of k, rows of n */
};

/* The operands of one thread of an instruction. */
typedef struct ct_wgmma_lane {
    const ct_mma_op *op;
    unsigned char *d;
    const unsigned char *a; /* words, or NULL */
    uint64_t a_descriptor, b_descriptor;
    int scale_d;
} ct_wgmma_lane;

/* The number of a thread in its warpgroup. */
static inline int ct_grid_wgmma_rank(const ct_thread *t)
{
    return t->index % t->grid->block_threads % WARPGROUP_THREADS;
}

/* The words of a thread's D. */
static inline int ct_grid_wgmma_words(const ct_mma_op *op)
{
    return op->n * ct_mma_bits(op->d) / 64;
}

static inline int ct_grid_wgmma_overlap(const unsigned char *p, int p_words, const unsigned char *q,
                                        int q_words)
{
    return p < q + 4 * q_words && q < p + 4 * p_words;
}

/* wgmma.c: returns p; ends the launch if p is NULL. */
void *ct_grid_wgmma_memory(ct_thread *t, const ct_operation *op, void *p);

/* wgmma_registers.c: checks of a thread's registers. that_write returns the sums in flight whose D
 * overlaps `bytes` bytes, or NULL. */
const ct_wgmma_sums *ct_grid_wgmma_that_write(const ct_thread *t, const ct_wgmma_group *g,
                                              const unsigned char *at, int bytes);
void ct_grid_wgmma_check_untouched(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g);
void ct_grid_wgmma_check_free(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                              const ct_wgmma_lane *own);
void ct_grid_wgmma_check_fenced(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                                const unsigned char *at, int count, const char *name);
/* The entry for an array of registers: the one that exists, a free one, or the oldest. */
ct_wgmma_words *ct_grid_wgmma_known(ct_thread *t, const ct_operation *op, ct_wgmma_group *g,
                                    unsigned char *const *at, int count);

/* wgmma_read.c: fail if a thread has read D in flight, and left a copy in the frames of its kernel
 * or in the value of an access. The frames begin at `frames` on its stack. */
void ct_grid_wgmma_check_unread(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                                const void *frames);
void ct_grid_wgmma_check_value(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                               const void *value);
void ct_grid_wgmma_forget(void);

/* The start of the caller's frames, with the registers that a function saves for it. */
#if defined(__x86_64__)
#define CT_GRID_FRAMES __builtin_frame_address(0)
#else
#define CT_GRID_FRAMES __builtin_dwarf_cfa()
#endif

/* wgmma_operand.c: reads an operand by its packed descriptor, with all checks. Element (i,j) of
 * (mn,k) is copied to to[i * mn_stride + j * k_stride]. */
void ct_grid_wgmma_read(ct_thread *group, const ct_operation *op, const ct_mma_op *mma, int operand,
                        uint64_t descriptor, double *to, int mn_stride, int k_stride);

/* wgmma_multiply.c: takes A of registers into rows of k; takes D from the threads' words, and gives
 * it back. */
void ct_grid_wgmma_take_a(ct_thread *group, double *a);
void ct_grid_wgmma_take_d(ct_thread *group, ct_wgmma_sums *d);
void ct_grid_wgmma_give_d(ct_thread *group, const ct_wgmma_sums *d);
void ct_grid_wgmma_poison(const ct_wgmma_sums *d);
void ct_grid_wgmma_multiply(const ct_mma_op *op, const double *a, const double *b, int scale_d,
                            double *d);

#endif
