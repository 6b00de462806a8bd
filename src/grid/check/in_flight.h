/* The queries of the checks about copies and instructions in flight, implemented by async.c and
 * wgmma.c of run/. */
#ifndef CUTLET_SRC_GRID_CHECK_IN_FLIGHT_H
#define CUTLET_SRC_GRID_CHECK_IN_FLIGHT_H

#include "grid/engine/state.h"

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
int ct_grid_wgmma_number(const ct_thread *t); /* the number of its warpgroup */
int ct_grid_wgmma_thread(const ct_grid_state *r, int group); /* the first thread of a group */

#endif
