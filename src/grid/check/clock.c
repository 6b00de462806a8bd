/* Vector clocks: the order of threads by mbarriers.
 *
 * A clock has an entry for each thread: actions of that thread at lower stamps come before. It also
 * has an entry for each mbarrier: the tick that completed the last phase known to be complete. An
 * arrival joins the thread's clock into the barrier's; a wait joins the barrier's into the thread's.
 * Ticks record barriers of blocks and warps (shadow.c). Clocks record them too, because threads of
 * another block or warp may learn of them by an mbarrier. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

void ct_grid_next_tick(ct_grid_state *r)
{
    if (++r->tick == UINT32_MAX)
        ct_grid_set_message(r, CT_GRID_E_LAUNCH, "kernel %s: more than 2^32 barriers",
                            r->kernel->name);
}

static int32_t entries(const ct_grid_state *r) { return r->thread_count + MAX_MBARRIERS; }

static size_t bytes_of(const ct_grid_state *r)
{
    return sizeof(uint32_t) * (size_t)entries(r) * (size_t)entries(r);
}

int ct_grid_clocks_make(ct_grid_state *r)
{
    if (r->clocks) return 1;
    r->clocks = calloc(1, bytes_of(r));
    if (!r->clocks) return 0;
    for (int i = 0; i < entries(r); ++i) {
        uint32_t *clock = r->clocks + (size_t)i * (size_t)entries(r);
        if (i < r->thread_count) r->threads[i].clock = clock;
        else r->mbarriers[i - r->thread_count].clock = clock;
    }
    return 1;
}

void ct_grid_clocks_reset(ct_grid_state *r)
{
    for (int i = 0; i < MAX_MBARRIERS; ++i) {
        r->mbarriers[i].at = NULL;
        r->mbarriers[i].phase = 0;
    }
    if (r->clocks) memset(r->clocks, 0, bytes_of(r));
}

static void join(const ct_grid_state *r, uint32_t *into, const uint32_t *from)
{
    for (int i = 0; i < entries(r); ++i) {
        if (from[i] > into[i]) into[i] = from[i];
    }
}

void ct_grid_clock_arrive(ct_thread *t, ct_mbarrier *bar)
{
    ct_grid_next_tick(t->grid);
    t->clock[t->index] = t->grid->tick;
    join(t->grid, bar->clock, t->clock);
}

void ct_grid_clock_wait(ct_thread *t, const ct_mbarrier *bar)
{
    uint32_t *seen = ct_grid_phase_seen(t, (int)(bar - t->grid->mbarriers));
    join(t->grid, t->clock, bar->clock);
    if (*seen < bar->completed) *seen = bar->completed;
    t->waited = t->grid->tick;
}

void ct_grid_clock_meet_blocks(ct_grid_state *r, int first, int end)
{
    if (!r->clocks || r->cluster == 1) return; /* in one block, ticks suffice */
    uint32_t *met = r->threads[first].clock;
    for (int i = first; i < end; ++i) {
        r->threads[i].clock[i] = r->tick;
        if (i > first) join(r, met, r->threads[i].clock);
    }
    for (int i = first + 1; i < end; ++i)
        memcpy(r->threads[i].clock, met, sizeof(uint32_t) * (size_t)entries(r));
}

void ct_grid_clock_meet(ct_thread *const *threads, int count)
{
    const ct_grid_state *r = threads[0]->grid;
    if (!r->clocks || count < 2) return;
    for (int i = 0; i < count; ++i) threads[i]->clock[threads[i]->index] = r->tick;
    for (int i = 1; i < count; ++i) join(r, threads[0]->clock, threads[i]->clock);
    for (int i = 1; i < count; ++i)
        memcpy(threads[i]->clock, threads[0]->clock, sizeof(uint32_t) * (size_t)entries(r));
}
