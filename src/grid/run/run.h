/* The functions that the files of the grid share. */
#ifndef CUTLET_SRC_GRID_RUN_RUN_H
#define CUTLET_SRC_GRID_RUN_RUN_H

#include "grid/check/check.h"
#include "grid/check/in_flight.h"

/* launch.c: runs one schedule of a launch, adding to an empty report: all of it, or in steps. begin returns
 * NULL without memory, as the report says then; blocks runs some, clusters counted as one, in the order of that
 * schedule; end frees the state. */
void ct_grid_run(const ct_launch *what, const ct_grid_options *options, uint64_t schedule,
                 ct_grid_report *report);
ct_grid_state *ct_grid_run_begin(const ct_launch *what, const ct_grid_options *options,
                                 uint64_t schedule, ct_grid_report *report);
void ct_grid_run_blocks(ct_grid_state *r, uint64_t first, uint64_t end);
void ct_grid_run_end(ct_grid_state *r);

/* parallel.c: runs the blocks of a launch in parts at once, in order. Returns 0, with memory and report as they
 * were, if it makes a mistake, if its blocks touch each other's bytes, or if it is too small. */
int ct_grid_run_parallel(const ct_launch *what, const ct_grid_options *options,
                         ct_grid_report *report);
/* Copies the writable buffers to `at`, or back; their bytes. */
void ct_grid_copy_buffers(const ct_grid_options *options, unsigned char *at, int back);
size_t ct_grid_writable_bytes(const ct_grid_options *options);

/* memory.c: the checks of accesses; ct_grid_check returns the address for the records. */
int ct_grid_memory_init(ct_grid_state *r); /* returns 0 without memory */
int ct_grid_touched_begin(
    ct_grid_state *r); /* what is touched is noted from now on; 0 without memory */
void ct_grid_memory_free(ct_grid_state *r);
const ct_memory *ct_grid_find_memory(ct_thread *t, const ct_operation *op, const void *p);
const ct_memory *ct_grid_global_at(const ct_grid_state *r, const unsigned char *p); /* or NULL */
int ct_grid_is_constant(const ct_grid_state *r,
                        const unsigned char *p); /* of a kernel's constants */
int64_t ct_grid_check(ct_thread *t, const ct_operation *op, const void *p);
/* Check a thread's own variable: its alignment, and also that no wgmma in flight writes it. */
void ct_grid_check_aligned(ct_thread *t, const ct_operation *op, const void *reg);
void ct_grid_check_fragment(ct_thread *t, const ct_operation *op, const void *reg);

/* moved_buffers.c: begin moves adjacent buffers apart (0 without memory), end moves them back. from returns
 * the moved buffer that had address p, or NULL. */
int ct_grid_guards_begin(ct_grid_state *r);
int ct_grid_is_moved(const ct_grid_options *options, int i); /* whether begin moves buffer i */
void ct_grid_guards_end(ct_grid_state *r);
const ct_grid_buffer *ct_grid_guards_from(const ct_grid_state *r, uintptr_t p);

/* mbarrier.c */
ct_mbarrier *ct_grid_mbarrier_find(ct_thread *t, const ct_operation *op, void *at);
void ct_grid_mbarrier_came(ct_grid_state *r, ct_mbarrier *bar, int64_t bytes);
void ct_grid_mbarrier_deadlock(ct_grid_state *r, const ct_thread *t);

/* cluster.c: the accesses to other blocks, and the cluster's barrier by arrivals and waits. If some
 * thread has arrived so: missing is the first that has not, pass returns 1 if there is none. */
int ct_grid_rank_in_cluster(ct_thread *t, const ct_operation *op, int block); /* checked */
void ct_grid_peer_access(ct_thread *t, const ct_operation *op, int rank);
void ct_grid_check_peers(ct_grid_state *r); /* the cluster has ended */
int ct_grid_cluster_pass(ct_grid_state *r);
ct_thread *ct_grid_cluster_missing(ct_grid_state *r, int rank); /* of block 0 of the cluster */

/* special.c: the number of a register that a thread only reads, by its name in PTX, or -1; its value. */
int ct_grid_special(const char *text, size_t length);
uint64_t ct_grid_special_value(const ct_thread *t, int special);

/* transfer.c: copies are issued. */
ct_transfer *ct_grid_transfer_new(ct_thread *t, const ct_operation *op, ct_transfers *list);
void ct_grid_transfer_load(ct_thread *t, const ct_operation *op, const ct_transfer *what,
                           ct_mbarrier *bar, int mask);
void ct_grid_transfer_store(ct_thread *t, const ct_operation *op, const ct_transfer *what);
void ct_grid_mark_leaving(const ct_transfer *store, int leaving);

/* bulk.c: the copies in flight. */
int ct_grid_engine_run(ct_grid_state *r);       /* returns 1 if some thread can continue */
void ct_grid_engine_run_some(ct_grid_state *r); /* lands loads of an mbarrier early, or none */
void ct_grid_engine_end_thread(ct_thread *t);
void ct_grid_engine_end_block(ct_grid_state *r);

/* tile.c: tile copies; load and store return 0 without memory. */
void ct_grid_tile_check(ct_thread *t, const ct_operation *op, const ct_transfer *what);
int ct_grid_tile_load(const ct_transfer *what);
int ct_grid_tile_store(const ct_transfer *what);

/* reduce.c */
int ct_grid_reduce_known(int reduce, int elem, int is_tile);
void ct_grid_reduce(int reduce, int elem, unsigned char *into, const unsigned char *from,
                    int64_t n);

/* sync.c: waits for the lanes of the mask; the last to arrive calls act with the data of all lanes.
 * Lanes that have exited or do not exist have NULL. */
typedef void ct_meeting_act(ct_thread *last, const ct_operation *op, void *data[WARP_LANES]);
void ct_grid_meet(ct_thread *t, const ct_operation *op, uint32_t mask, void *data,
                  ct_meeting_act *act);
/* The same for an instruction of the whole warp, all 32 lanes. */
void ct_grid_meet_all(ct_thread *t, const ct_operation *op, void *data, ct_meeting_act *act);
/* The thread exits: lanes that wait for it test again. */
void ct_grid_leave_warp(ct_thread *t);

/* warpgroup.c: waits for the 128 threads of t's warpgroup; the last to arrive calls act. The data
 * of each thread is its meeting.data. */
typedef void ct_warpgroup_act(ct_thread *group, const ct_operation *op);
void ct_grid_meet_warpgroup(ct_thread *t, const ct_operation *op, void *data,
                            ct_warpgroup_act *act);
ct_thread *ct_grid_warpgroup_of(const ct_thread *t); /* its first thread */
ct_thread *ct_grid_missing_in_warpgroup(const ct_thread *waiting);

/* wgmma.c */
int ct_grid_wgmma_is_any(const ct_grid_state *r); /* in flight */
void ct_grid_wgmma_check_variable(ct_thread *t, const ct_operation *op, const void *reg);
void ct_grid_wgmma_end_thread(ct_thread *t);
void ct_grid_wgmma_reset(ct_grid_state *r);
void ct_grid_wgmma_free(ct_grid_state *r);

#endif
