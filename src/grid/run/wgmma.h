/* The functions of wgmma. */
#ifndef CUTLET_SRC_GRID_RUN_WGMMA_H
#define CUTLET_SRC_GRID_RUN_WGMMA_H

#include "grid/engine/wgmma_state.h"
#include "sparse.h"

/* The operands of one thread of an instruction. */
typedef struct ct_wgmma_lane {
    const ct_mma_op *op;
    unsigned char *d;
    const unsigned char *a; /* words, or NULL */
    uint64_t a_descriptor, b_descriptor;
    int scale_d;
    const ct_metadata *metadata; /* of a sparse instruction */
} ct_wgmma_lane;

/* wgmma.c: an instruction. */
void ct_grid_wgmma_lane(ct_grid_site *site, ct_wgmma_lane *own);

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

/* wgmma_registers.c: memory returns p, and ends the launch if p is NULL. */
void *ct_grid_wgmma_memory(ct_thread *t, const ct_operation *op, void *p);
/* Checks of a thread's registers. that_write returns the sums in flight whose D
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

/* wgmma_multiply.c: whether there is an instruction; takes A of registers into rows of k; takes D from the threads' words, and gives
 * it back. */
int ct_grid_wgmma_exists(ct_mma_op op);
void ct_grid_wgmma_take_a(ct_thread *group, double *a);
void ct_grid_wgmma_take_d(ct_thread *group, ct_wgmma_sums *d);
void ct_grid_wgmma_give_d(ct_thread *group, const ct_wgmma_sums *d);
void ct_grid_wgmma_poison(const ct_wgmma_sums *d);
void ct_grid_wgmma_multiply(const ct_mma_op *op, const double *a, const double *b, int scale_d,
                            double *d);

#endif
