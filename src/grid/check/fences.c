/* Fences between the accesses of threads and the copies of the async proxy. A fence takes effect in
 * its thread alone, and barriers compose with it (PTX ISA 9.0, 9.7.13.4, membar and fence): it is the
 * writer's, and comes before the copy, or the copying thread's, and comes after the store. */
#include "check.h"

void ct_grid_note_fence(ct_thread *t, int is_global)
{
    ct_fences *const f = &t->fences[is_global];
    ct_grid_next_tick(t->grid);
    f->at[f->count++ % KEPT_FENCES] = t->grid->tick;
    f->barrier = t->grid->barrier_tick[t->rank];
}

/* The stamp of the first fence after a stamp, of those that are kept; 0: none. */
static uint32_t first_after(const ct_fences *f, uint32_t stamp)
{
    const uint32_t kept = f->count < KEPT_FENCES ? f->count : KEPT_FENCES;
    for (uint32_t i = f->count - kept; i != f->count; ++i) {
        if (f->at[i % KEPT_FENCES] > stamp) return f->at[i % KEPT_FENCES];
    }
    return 0;
}

/* Whether thread t has learnt nothing of the writer's actions since the stamp: what it knows to come
 * before has come before then. */
static int has_learnt_nothing(const ct_thread *t, const ct_thread *writer, uint32_t stamp)
{
    if (stamp <= t->waited || stamp <= t->grid->barrier_tick[t->rank]) return 0;
    return writer->warp != t->warp ||
           (stamp > t->grid->warp_tick[t->warp] && stamp > t->met[writer->lane]);
}

int ct_grid_is_fenced(const ct_thread *t, const ct_thread *writer, uint32_t wrote, int is_global)
{
    const ct_fences *const own = &t->fences[is_global];
    const uint32_t first = first_after(&writer->fences[is_global], wrote);
    if (first && ct_grid_is_ordered(t->grid, first, writer->index, t)) return 1;
    if (own->count == 0) return 0;
    const uint32_t last = own->at[(own->count - 1) % KEPT_FENCES];
    return own->barrier > wrote || (last > wrote && has_learnt_nothing(t, writer, last));
}
