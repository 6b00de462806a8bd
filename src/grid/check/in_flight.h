/* What the checks ask of the copies and instructions that are in flight: async.c and wgmma.c of
 * run/ answer. */
#ifndef CUTLET_SRC_GRID_CHECK_IN_FLIGHT_H
#define CUTLET_SRC_GRID_CHECK_IN_FLIGHT_H

#include "grid/engine/state.h"

/* The site of the cp.async that is on its way to a byte. */
const ct_grid_site *ct_grid_flight_site(const ct_grid_state *r, const ct_shadow *s);

/* A store of the thread to what one of its own cp.async still reads. */
void ct_grid_check_sources(ct_thread *t, const ct_operation *op, const ct_memory *m, size_t offset);

/* Whether what an instruction of a warpgroup read, issued at a stamp, comes before what
 * thread t does now; and where it is issued while it is in flight, or NULL. */
int ct_grid_wgmma_is_before(const ct_grid_state *r, uint32_t stamp, int group, const ct_thread *t);
const ct_grid_site *ct_grid_wgmma_in_flight(const ct_grid_state *r, uint32_t stamp, int group);
int ct_grid_wgmma_number(const ct_thread *t); /* of its warpgroup, */
int ct_grid_wgmma_thread(const ct_grid_state *r, int group); /* and the first thread of one */

#endif
