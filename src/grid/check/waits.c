/* Waits for mbarriers, which must be right in every order of the threads. A thread waits for a parity:
 * if the next phase may be complete before it has waited, it may wait for ever, or for too little. So
 * an arrival of the next phase, or a copy that arrives in it, comes after every wait for this one. */
#include "check.h"
#include "in_flight.h"

#include "base/list.h"

static uint64_t *word_of(uint64_t *bits, int bar) { return &bits[bar / 64]; }

static int number_of(const ct_grid_state *r, const ct_mbarrier *bar)
{
    return (int)(bar - r->mbarriers);
}

void ct_grid_waits_reset(ct_grid_state *r)
{
    for (int i = 0; i < MAX_MBARRIERS; ++i) r->mbarriers[i].waiter_count = 0;
}

void ct_grid_waits_note(ct_thread *t, const ct_operation *op, ct_mbarrier *bar)
{
    const int number = number_of(t->grid, bar);
    const uint64_t bit = UINT64_C(1) << number % 64;
    if (*word_of(t->waits, number) & bit) return;
    ct_waiter *const list =
        ct_grown(bar->waiters, bar->waiter_count, &bar->waiter_capacity, sizeof *list);
    if (!list) ct_grid_fail_at(t, op, CT_GRID_E_MEMORY, "not enough memory for the waits");
    bar->waiters = list;
    *word_of(t->waits, number) |= bit;
    bar->waiters[bar->waiter_count++] = (ct_waiter){op->site, t->grid->tick, t->index, 0, 0};
}

/* A wgmma is one instruction of four warps: its end comes after what each of them did before it. The
 * arrival of a load comes after what its thread did before it. */
static int is_before(const ct_waiter *w, const ct_thread *t)
{
    if (w->load_stamp && w->load_stamp < *ct_grid_phase_seen(t, w->load_bar)) return 1;
    return ct_grid_is_ordered(t->grid, w->stamp, w->thread, t) ||
           ct_grid_wgmma_has_met(t->grid, w->stamp, w->thread, t);
}

/* Forgets the wait at a place of the list. */
static void forget(const ct_grid_state *r, ct_mbarrier *bar, int i)
{
    const int number = number_of(r, bar);
    *word_of(r->threads[bar->waiters[i].thread].waits, number) &= ~(UINT64_C(1) << number % 64);
    bar->waiters[i] = bar->waiters[--bar->waiter_count];
}

void ct_grid_waits_drop(ct_grid_state *r, ct_mbarrier *bar)
{
    while (bar->waiter_count > 0) forget(r, bar, bar->waiter_count - 1);
}

void ct_grid_waits_cover(const ct_thread *t, ct_mbarrier *bar)
{
    for (int i = bar->waiter_count - 1; i >= 0; --i)
        if (is_before(&bar->waiters[i], t)) forget(t->grid, bar, i);
}

void ct_grid_waits_load(const ct_thread *t, ct_mbarrier *bar)
{
    const ct_grid_state *r = t->grid;
    ct_grid_waits_cover(t, bar);
    for (int i = 0; i < MAX_MBARRIERS; ++i) {
        const ct_mbarrier *const other = &r->mbarriers[i];
        for (int k = 0; k < other->waiter_count; ++k) {
            ct_waiter *const w = &other->waiters[k];
            const int is_near = w->thread / WARP_LANES == t->warp; /* others would take long */
            if (w->load_stamp || !is_near || !is_before(w, t)) continue;
            w->load_stamp = r->tick;
            w->load_bar = number_of(r, bar);
        }
    }
}

void ct_grid_waits_end(ct_grid_state *r, const ct_mbarrier *bar)
{
    if (bar->waiter_count == 0 || r->report->status) return;
    const ct_waiter *const w = &bar->waiters[0];
    const ct_thread *const t = &r->threads[w->thread];
    const ct_dim3 b = ct_grid_block_of(t), i = t->indices.thread;
    ct_grid_set_message(
        r, CT_GRID_E_MBARRIER,
        "kernel %s, block (%u,%u,%u), thread (%u,%u,%u): wait for an mbarrier at %s: "
        "nothing puts it before the end of the next phase; after that it waits for "
        "another",
        r->kernel->name, b.x, b.y, b.z, i.x, i.y, i.z, ct_grid_site_text(w->site).text);
}

int ct_grid_knows_phase(const ct_thread *t, const ct_mbarrier *bar)
{
    const ct_grid_state *r = t->grid;
    if (bar->phase == bar->first) return 1;
    if (*ct_grid_phase_seen(t, number_of(r, bar)) >= bar->completed) return 1;
    if (bar->copied == bar->phase - 1) return 0;
    for (int i = 0; i < r->thread_count; ++i) {
        if (bar->clock[i] && !ct_grid_is_ordered(r, bar->clock[i] - 1, i, t)) return 0;
    }
    return 1;
}
