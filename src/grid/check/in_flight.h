/* The queries of the checks about copies and instructions in flight, and about order. */
#ifndef CUTLET_SRC_GRID_CHECK_IN_FLIGHT_H
#define CUTLET_SRC_GRID_CHECK_IN_FLIGHT_H

#include "check.h"

/* The site of the cp.async in flight to a byte. */
const ct_grid_site *ct_grid_flight_site(const ct_grid_state *r, const ct_shadow *s);

/* The bulk or tile store in flight to an address of global memory, or NULL; and whether its thread has
 * waited until it has read its source. */
const ct_transfer *ct_grid_store_to(const ct_grid_state *r, const unsigned char *at, int *has_read);

/* Fails if a thread stores to bytes that its own cp.async in flight reads. */
void ct_grid_check_sources(ct_thread *t, const ct_operation *op, const ct_memory *m, size_t offset);

/* Whether the reads of a warpgroup's instruction, issued at `stamp`, come before what thread t does
 * now; and the site of the instruction while it is in flight, otherwise NULL. */
int ct_grid_wgmma_is_before(const ct_grid_state *r, uint32_t stamp, int group, const ct_thread *t);
/* Whether thread `by` and its warpgroup have waited for an instruction since the stamp, and one of
 * them before what t does now. */
int ct_grid_wgmma_has_met(const ct_grid_state *r, uint32_t stamp, int by, const ct_thread *t);
const ct_grid_site *ct_grid_wgmma_in_flight(const ct_grid_state *r, uint32_t stamp, int group);
int ct_grid_wgmma_number(const ct_thread *t);                /* the number of its warpgroup */
int ct_grid_wgmma_thread(const ct_grid_state *r, int group); /* the first thread of a group */

/* The same for a copy, after a phase of its mbarrier that was completed since, or an instruction of a
 * warpgroup. */
static inline int ct_grid_engine_is_before(const ct_grid_state *r, uint32_t stamp, int by,
                                           const ct_thread *t)
{
    if (by >= READER_GROUP) return ct_grid_wgmma_is_before(r, stamp, by - READER_GROUP, t);
    return t->clock && stamp < *ct_grid_phase_seen(t, by - READER_COPY);
}

/* Whether the action of reader `by` (a thread, a copy, or an instruction of a warpgroup) at a stamp
 * comes before what thread t does now, by the clock at `from` of the thread's clocks. */
static inline int ct_grid_comes_before_by(const ct_grid_state *r, uint32_t stamp, int by,
                                          const ct_thread *t, size_t from)
{
    if (by >= READER_COPY) return ct_grid_engine_is_before(r, stamp, by, t);
    if (by == t->index || stamp < r->cluster_tick) return 1;
    if (by >= r->thread_count) return r->resident == 1 && stamp < r->barrier_tick[0];
    if (r->threads[by].rank == t->rank && stamp < r->barrier_tick[t->rank]) return 1;
    if (by / WARP_LANES == t->warp &&
        (stamp < r->warp_tick[t->warp] || stamp < t->met[by % WARP_LANES]))
        return 1;
    return t->clock && stamp < t->clock[from + (size_t)by];
}

static inline int ct_grid_comes_before(const ct_grid_state *r, uint32_t stamp, int by,
                                       const ct_thread *t)
{
    return ct_grid_comes_before_by(r, stamp, by, t, 0);
}

#endif
