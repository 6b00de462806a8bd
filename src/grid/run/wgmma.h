/* What the files of wgmma share: a warpgroup and its instructions in flight. */
#ifndef CUTLET_SRC_GRID_RUN_WGMMA_H
#define CUTLET_SRC_GRID_RUN_WGMMA_H

#include <cutlet/mma/mma_op.h>

#include "run.h"

/* The largest shapes of one instruction. */
enum { WGMMA_M = 64, WGMMA_N = 256, WGMMA_K = 32 };

enum {
    MAX_GROUPS = MAX_CLUSTER * MAX_THREADS / WARPGROUP_THREADS,
    MAX_SUMS = 16,  /* arrays of D of a group in flight */
    MAX_KNOWN = 16, /* arrays of registers whose words are remembered */
    WORDS_D = 128,  /* of a thread, at most */
    WORDS_A = 4,
    MAX_WAIT = 7
};
/* What D in flight holds, plus its place among those of the group: no number, as a float and as two
 * halves. */
static const uint32_t WGMMA_POISON = 0x7fedfee0;

/* An array of registers of each thread, and what they held. */
typedef struct ct_wgmma_words {
    unsigned char *at[WARPGROUP_THREADS];
    int count;
    uint32_t stamp; /* when */
    uint32_t held[WARPGROUP_THREADS][WORDS_D];
} ct_wgmma_words;

/* D of one or more instructions in flight, each of which adds to what the one before left. */
typedef struct ct_wgmma_sums {
    unsigned char *at[WARPGROUP_THREADS];
    ct_mma_op op;
    int in_flight; /* instructions; 0: not in use */
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
    int has_a;     /* in registers */
    unsigned char *a[WARPGROUP_THREADS];
    uint32_t a_held[WARPGROUP_THREADS][WORDS_A];
} ct_wgmma_product;

/* A wait: all that was issued before `until` is complete from tick `at` on. */
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

/* What a thread brings to an instruction. */
typedef struct ct_wgmma_lane {
    const ct_mma_op *op;
    unsigned char *d;
    const unsigned char *a; /* words, or NULL */
    uint64_t a_descriptor, b_descriptor;
    int scale_d;
} ct_wgmma_lane;

/* The number of a thread in its warpgroup. */
static inline int ct_grid_wgmma_place(const ct_thread *t)
{
    return t->index % t->run->block_threads % WARPGROUP_THREADS;
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

/* wgmma.c: p, or a launch that ends where it is NULL. */
void *ct_grid_wgmma_memory(ct_thread *t, const ct_operation *op, void *p);

/* wgmma_registers.c: what a thread may not do to its registers; and the sums in flight that go to
 * some of so many bytes, or NULL. */
const ct_wgmma_sums *ct_grid_wgmma_that_write(const ct_thread *t, const ct_wgmma_group *g,
                                              const unsigned char *at, int bytes);
void ct_grid_wgmma_check_untouched(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g);
void ct_grid_wgmma_check_free(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                              const ct_wgmma_lane *own);
void ct_grid_wgmma_check_fenced(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                                const unsigned char *at, int count, const char *name);
/* Room to remember an array of registers: what is known of the same one, or of the oldest. */
ct_wgmma_words *ct_grid_wgmma_known(ct_thread *t, const ct_operation *op, ct_wgmma_group *g,
                                    unsigned char *const *at, int count);

/* wgmma_read.c: the thread has not read D in flight, as far as that has left something in the
 * frames of its kernel, which begin there on its stack, or in the value of an access. */
void ct_grid_wgmma_check_unread(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                                const void *frames);
void ct_grid_wgmma_check_value(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                               const void *value);
void ct_grid_wgmma_forget(void);

/* Where the caller's frames begin, with the registers that a function saves for it. */
#if defined(__x86_64__)
#define CT_GRID_FRAMES __builtin_frame_address(0)
#else
#define CT_GRID_FRAMES __builtin_dwarf_cfa()
#endif

/* wgmma_operand.c: reads an operand by its packed descriptor, with all checks: element (i,j) of
 * (mn,k) goes to to[i * mn_stride + j * k_stride]. */
void ct_grid_wgmma_read(ct_thread *group, const ct_operation *op, const ct_mma_op *mma, int operand,
                        uint64_t descriptor, double *to, int mn_stride, int k_stride);

/* wgmma_multiply.c: A of registers, in rows of k; D from the threads' words, and to them. */
void ct_grid_wgmma_take_a(ct_thread *group, double *a);
void ct_grid_wgmma_take_d(ct_thread *group, ct_wgmma_sums *d);
void ct_grid_wgmma_give_d(ct_thread *group, const ct_wgmma_sums *d);
void ct_grid_wgmma_poison(const ct_wgmma_sums *d);
void ct_grid_wgmma_multiply(const ct_mma_op *op, const double *a, const double *b, int scale_d,
                            double *d);

#endif
