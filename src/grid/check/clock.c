/* Vector clocks: the order of threads by mbarriers.
 *
 * A clock has an entry for each thread: actions of that thread at lower stamps come before. It also
 * has an entry for each mbarrier: the tick that completed the last phase known to be complete. An
 * arrival joins the thread's clock into the barrier's. A wait joins the barrier's clock as it was at
 * the end of its last phase into the thread's: a thread that waits late knows no more.
 * Ticks record barriers of blocks and warps (shadow.c). Clocks record them too, because threads of
 * another block or warp may learn of them by an mbarrier.
 *
 * Not all that comes before is visible: an arrival without release passes on no writes, nor does a
 * wait without acquire. If the two threads are of different blocks, both need cluster scope. So each
 * clock has a second one, of what is visible, from the first operation on that makes a difference.
 * An mbarrier has two: for waits of block scope, and for those of cluster scope (far). */
#include "check.h"

#include <stdlib.h>
#include <string.h>

void ct_grid_next_tick(ct_grid_state *r)
{
    if (++r->tick == UINT32_MAX)
        ct_grid_set_message(r, CT_GRID_E_LAUNCH, "kernel %s: more than 2^32 barriers",
                            r->kernel->name);
}

enum { STEP = 8 }; /* entries that are joined at once */

static int32_t entries(const ct_grid_state *r)
{
    return (ct_grid_earlier(r) + 1 + STEP - 1) / STEP * STEP;
}

int32_t ct_grid_clock_entries(const ct_grid_state *r) { return entries(r); }

/* From the clock of an mbarrier's open phase to that of its last complete one. */
static size_t last_from(const ct_grid_state *r)
{
    return (size_t)ct_grid_mbarriers(r) * (size_t)entries(r);
}

static size_t words_of_mbarriers(const ct_grid_state *r) { return 2 * last_from(r); }

static size_t words_of(const ct_grid_state *r)
{
    return (size_t)r->thread_count * (size_t)entries(r) + words_of_mbarriers(r);
}

int ct_grid_clocks_make(ct_grid_state *r)
{
    if (r->clocks) return 1;
    r->clocks = calloc(2 * words_of(r) + words_of_mbarriers(r), sizeof *r->clocks);
    if (!r->clocks) return 0;
    for (int i = 0; i < r->thread_count + ct_grid_mbarriers(r); ++i) {
        uint32_t *clock = r->clocks + (size_t)i * (size_t)entries(r);
        if (i < r->thread_count) r->threads[i].clock = clock;
        else r->mbarriers[i - r->thread_count].clock = clock;
    }
    return 1;
}

void ct_grid_clocks_reset(ct_grid_state *r)
{
    for (int i = 0; i < ALL_MBARRIERS; ++i) {
        r->mbarriers[i].at = NULL;
        r->mbarriers[i].phase = 0;
    }
    r->visible_from = r->far_from = 0;
    if (r->clocks) memset(r->clocks, 0, words_of(r) * sizeof *r->clocks);
}

void ct_grid_clocks_split(ct_grid_state *r)
{
    const size_t all = words_of(r), of_mbarriers = words_of_mbarriers(r);
    if (r->visible_from) return;
    memcpy(r->clocks + all, r->clocks, all * sizeof *r->clocks);
    memcpy(r->clocks + 2 * all, r->clocks + all - of_mbarriers, of_mbarriers * sizeof *r->clocks);
    r->visible_from = all;
    r->far_from = all + of_mbarriers;
}

void ct_grid_clock_join(const ct_grid_state *r, uint32_t *restrict into,
                        const uint32_t *restrict from)
{
    const int32_t n = entries(r);
    for (int i = 0; i < n; i += STEP) {
        for (int k = i; k < i + STEP; ++k) into[k] = into[k] > from[k] ? into[k] : from[k];
    }
}

/* For threads: both clocks. */
static void join(const ct_grid_state *r, uint32_t *into, const uint32_t *from)
{
    const size_t visible = r->visible_from;
    ct_grid_clock_join(r, into, from);
    if (visible) ct_grid_clock_join(r, into + visible, from + visible);
}

static void copy(const ct_grid_state *r, uint32_t *into, const uint32_t *from)
{
    const size_t visible = r->visible_from, bytes = sizeof(uint32_t) * (size_t)entries(r);
    memcpy(into, from, bytes);
    if (visible) memcpy(into + visible, from + visible, bytes);
}

static void set_own(const ct_thread *t)
{
    t->clock[t->index] = t->clock[t->grid->visible_from + (size_t)t->index] = t->grid->tick;
}

/* Whether an mbarrier is of another block than the thread. */
static int is_of_peer(const ct_thread *t, const ct_mbarrier *bar)
{
    const int rank = ct_grid_rank_at(t->grid, bar->at);
    return rank >= 0 && rank != t->rank;
}

void ct_grid_clock_arrive(ct_thread *t, ct_mbarrier *bar, int order)
{
    const ct_grid_state *r = t->grid;
    const int is_peer = is_of_peer(t, bar);
    ct_grid_next_tick(t->grid);
    if (is_peer || order == CT_ORDER_RELAXED) ct_grid_clocks_split(t->grid);
    set_own(t);
    ct_grid_clock_join(r, bar->clock, t->clock);
    if (!r->visible_from || order == CT_ORDER_RELAXED) return;
    if (!is_peer) ct_grid_clock_join(r, bar->clock + r->visible_from, t->clock + r->visible_from);
    ct_grid_clock_join(r, bar->clock + r->far_from, t->clock + r->visible_from);
}

void ct_grid_clock_wait(ct_thread *t, const ct_mbarrier *bar, int order)
{
    const ct_grid_state *r = t->grid;
    const uint32_t *const last = bar->clock + last_from(r);
    const int number = (int)(bar - r->mbarriers);
    if (order == CT_ORDER_RELAXED) ct_grid_clocks_split(t->grid);
    ct_grid_clock_join(r, t->clock, last);
    uint32_t *seen = ct_grid_phase_seen(t, number);
    if (*seen < bar->completed) *seen = bar->completed;
    t->waited = r->tick;
    t->grid->learnt[t->rank] = 1;
    if (!r->visible_from || order == CT_ORDER_RELAXED) return;
    ct_grid_clock_join(r, t->clock + r->visible_from,
                       last + (order == CT_ORDER_CLUSTER ? r->far_from : r->visible_from));
    seen = ct_grid_phase_visible(t, number);
    if (*seen < bar->completed) *seen = bar->completed;
}

void ct_grid_clock_end_phase(const ct_grid_state *r, ct_mbarrier *bar)
{
    uint32_t *const last = bar->clock + last_from(r);
    const size_t bytes = sizeof(uint32_t) * (size_t)entries(r);
    copy(r, last, bar->clock);
    if (r->far_from) memcpy(last + r->far_from, bar->clock + r->far_from, bytes);
}

void ct_grid_clock_meet_blocks(ct_grid_state *r, int first, int end)
{
    unsigned char *const learnt = &r->learnt[r->threads[first].rank];
    if (!r->clocks || r->resident == 1) return; /* in one block, ticks suffice */
    if (r->cluster == 1 && !*learnt) return;    /* and for blocks of no cluster, mostly */
    *learnt = 0;
    uint32_t *met = r->threads[first].clock;
    for (int i = first; i < end; ++i) {
        set_own(&r->threads[i]);
        if (i > first) join(r, met, r->threads[i].clock);
    }
    for (int i = first + 1; i < end; ++i) copy(r, r->threads[i].clock, met);
}

void ct_grid_clock_meet(ct_thread *const *threads, int count)
{
    const ct_grid_state *r = threads[0]->grid;
    if (!r->clocks || count < 2) return;
    for (int i = 0; i < count; ++i) set_own(threads[i]);
    for (int i = 1; i < count; ++i) join(r, threads[0]->clock, threads[i]->clock);
    for (int i = 1; i < count; ++i) copy(r, threads[i]->clock, threads[0]->clock);
}
