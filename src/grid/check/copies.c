/* Bulk and tile copies in global memory. Nothing may write the source of a load before a thread has
 * seen the phase of its mbarrier complete, and nothing may access what a store writes before its
 * thread has waited for the group. ct_bulk_wait_group_read waits only until the source is read. */
#include "check.h"
#include "in_flight.h"

void ct_grid_note_leaving(const ct_thread *t, const ct_operation *op, ct_shadow *s)
{
    const ct_grid_state *r = t->grid;
    const int reduces = op->engine == ENGINE_REDUCTION;
    for (int i = 0; i < op->bytes; ++i) {
        const int others =
            reduces && s[i].wrote >= r->block_tick && s[i].writer == WRITER_REDUCTIONS;
        const uint32_t flight = others ? s[i].flight : 0;
        ct_grid_note_write(t, s + i, 1, 0);
        s[i].writer = reduces ? WRITER_REDUCTIONS : (uint16_t)t->index;
        s[i].flight = (flight + 1) & 0x3fff;
        s[i].by_copy = 1;
    }
}

void ct_grid_note_stored(const ct_grid_state *r, ct_shadow *s, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; ++i) {
        s[i].wrote = r->tick;
        if (s[i].flight) --s[i].flight;
    }
}

_Noreturn void ct_grid_fail_source(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                   const ct_shadow *s, int bar)
{
    const ct_mbarrier *const there = &t->grid->mbarriers[bar];
    const ct_dim3 by = ct_grid_thread_index(t->grid, there->last_thread);
    ct_grid_fail_at(
        t, op, CT_GRID_E_IN_FLIGHT,
        "byte %zu of %s is the source of the bulk copy of thread (%u,%u,%u) at %s, which "
        "was not waited for",
        (size_t)(s - m->shadows), m->name, by.x, by.y, by.z,
        ct_grid_site_text(there->last_site).text);
}

_Noreturn void ct_grid_fail_stored(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                   const ct_shadow *s)
{
    const size_t byte = (size_t)(s - m->shadows);
    int has_read = 0;
    const ct_transfer *const store = ct_grid_store_to(t->grid, m->base + byte, &has_read);
    const ct_dim3 by = ct_grid_thread_index(t->grid, store ? store->thread : t->index);
    ct_grid_fail_at(
        t, op, CT_GRID_E_IN_FLIGHT,
        "byte %zu of %s: the bulk copy of thread (%u,%u,%u) at %s was not waited for%s", byte,
        m->name, by.x, by.y, by.z, ct_grid_site_text(store ? store->site : op->site).text,
        has_read ? "; ct_bulk_wait_group_read waits only until it has read its source" : "");
}
