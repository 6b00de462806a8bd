/* Reads of D before the wait, which are not accesses that the grid sees: found by their traces. D in
 * flight holds a special NaN. Copies have the same bits, and arithmetic of floats keeps them. So
 * they are found in the kernel's frames on the thread's stack, and in values that it stores.
 * Results of comparisons or of integer operations are not found. */
#include "wgmma.h"

#include <string.h>

#include <cutlet/device/element/element.h>

#if defined(__clang__) || defined(__GNUC__)
#define PLAIN __attribute__((noinline, no_sanitize_address)) /* it also reads other variables */
#else
#define PLAIN
#endif

enum { LEFT_BYTES = 4096 }; /* more than the frames of the functions that look at D */

/* A half as a float, without its sign. */
static inline uint32_t bits_of_half(uint32_t half)
{
    return ct_bits_of_float(ct_float_of_half(half)) & 0x7fffffff;
}

/* Whether a word, with either sign, is a trace of D in flight: the poison itself, a float made from
 * one of its halves, or the upper half of a double made from it. */
static inline int is_left(uint32_t poison, uint32_t word)
{
    const uint32_t size = word & 0x7fffffff;
    return size == poison || size == bits_of_half(poison >> 16) ||
           size == bits_of_half(poison & 0xffff) || size == (0x7ff00000 | (poison & 0x7fffff) >> 3);
}

/* Whether an address is in an array of D in flight, where the poison belongs. */
static int is_in_d(const ct_wgmma_group *g, int thread, const unsigned char *at)
{
    for (int k = 0; k < MAX_SUMS && g->d[k]; ++k) {
        const ct_wgmma_sums *const d = g->d[k];
        if (d->in_flight &&
            ct_grid_wgmma_overlap(at, 1, d->at[thread], ct_grid_wgmma_words(&d->op)))
            return 1;
    }
    return 0;
}

/* The D in flight that has left a trace in the words from `at` to `end`, or NULL. */
static PLAIN const ct_wgmma_sums *that_left(const ct_wgmma_group *g, int thread,
                                            const unsigned char *at, const unsigned char *end)
{
    for (; at + 4 <= end; at += 4) {
        uint32_t word;
        memcpy(&word, at, sizeof word);
        if ((word & 0x7f800000) != 0x7f800000) continue; /* most words are not NaNs */
        for (int k = 0; k < MAX_SUMS && g->d[k]; ++k)
            if (g->d[k]->in_flight && is_left(g->d[k]->poison, word) && !is_in_d(g, thread, at))
                return g->d[k];
    }
    return NULL;
}

static void check(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                  const unsigned char *at, const unsigned char *end)
{
    const ct_wgmma_sums *const d = that_left(g, ct_grid_wgmma_rank(t), at, end);
    if (d)
        ct_grid_fail_at(t, op, CT_GRID_E_IN_FLIGHT,
                        "D of the wgmma at %s was read before the instruction was waited for",
                        ct_grid_site_text(d->site).text);
}

void ct_grid_wgmma_check_unread(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                                const void *frames)
{
    const unsigned char *const stack = t->context.stack, *const at = frames;
    const unsigned char *const end = stack + t->context.stack_bytes;
    if (g->product_count > 0 && at > stack && at < end) check(t, op, g, at, end);
}

void ct_grid_wgmma_check_value(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                               const void *value)
{
    const unsigned char *const at = value;
    if (g->product_count > 0) check(t, op, g, at, at + op->bytes);
}

/* Clears the stack below: a later frame of the kernel may be where the grid had words of D. */
PLAIN void ct_grid_wgmma_forget(void)
{
    unsigned char below[LEFT_BYTES];
    memset(below, 0, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory"); /* keeps the memset */
}
