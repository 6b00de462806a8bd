/* What the files of the grid do for each other. */
#ifndef CUTLET_GRID_RUN_H
#define CUTLET_GRID_RUN_H

#include "state.h"

/* The site's number, >= 1, the same in every launch. */
int32_t ct_grid_site_id(ct_grid_site *site);

/* error.c: ends the launch with one line and does not return. */
_Noreturn void ct_grid_fail_at(ct_thread *t, const ct_operation *op, int status, const char *format,
                               ...) __attribute__((format(printf, 4, 5)));
void ct_grid_set_message(ct_grid_state *r, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *ct_grid_file_name(const char *path);

/* seen.c: "kernel.cu:14", and which function of cutlet's made the access. */
typedef struct ct_site_text {
    char text[160];
} ct_site_text;
ct_site_text ct_grid_site_text(const ct_grid_site *site);

ct_dim3 ct_grid_thread_index(const ct_grid_state *r, int index);

/* check_launch.c: 0 and a message where the launch is not one. */
int ct_grid_check_launch(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block,
                         size_t shared_bytes, size_t args_bytes, const ct_grid_options *options,
                         ct_grid_report *report);

/* overflow.c: watches the stacks of a launch's threads; 0 when there is no memory. end may
 * come alone. */
int ct_grid_overflow_begin(ct_grid_state *r);
void ct_grid_overflow_end(ct_grid_state *r);

/* launch.c: gives way to the scheduler, which comes back when the thread is THREAD_READY. */
void ct_grid_wait(ct_thread *t, int state, const ct_grid_site *site);
void ct_grid_next_tick(ct_grid_state *r);

/* memory.c: all that makes an access illegal; the address for the records where nothing does. */
int ct_grid_memory_init(ct_grid_state *r); /* 0 when there is no memory */
void ct_grid_memory_free(ct_grid_state *r);
const ct_memory *ct_grid_place(ct_thread *t, const ct_operation *op, const void *p);
int64_t ct_grid_check(ct_thread *t, const ct_operation *op, const void *p);
/* A thread's own variable: its alignment; and that no wgmma in flight writes it. */
void ct_grid_check_aligned(ct_thread *t, const ct_operation *op, const void *reg);
void ct_grid_check_fragment(ct_thread *t, const ct_operation *op, const void *reg);

/* shadow.c */
void ct_grid_check_order(ct_thread *t, const ct_operation *op, const ct_memory *m, size_t offset);
void ct_grid_note_read(ct_thread *t, const ct_memory *m, size_t offset, int bytes);
void ct_grid_note_write(const ct_thread *t, ct_shadow *s, int bytes, int in_flight);

/* What was found for the byte before, of an instruction that reads many alike. */
typedef struct ct_group_read {
    int32_t has_checked, has_noted;
    ct_shadow checked;             /* of who wrote it */
    uint32_t from_read, to_read;   /* of its readers, */
    uint16_t from_reader, to_reader; /* without and with this one */
} ct_group_read;

/* op->bytes are read by an instruction of a warpgroup, given by its first thread: all 128 must
 * come after those that wrote them. */
void ct_grid_note_group_read(ct_thread *group, const ct_operation *op, const ct_memory *m,
                             size_t offset, ct_group_read *memo);

int ct_grid_is_ordered(const ct_grid_state *r, uint32_t stamp, int by, const ct_thread *t);

/* readers.c */
int ct_grid_readers_init(ct_grid_state *r); /* 0 when there is no memory */
void ct_grid_readers_free(ct_grid_state *r);
void ct_grid_readers_end(ct_grid_state *r); /* a barrier of all threads: the sets so far are no more */
/* What a byte remembers, by its reader and read, and thread t, which reads as `as`: itself or its
 * warpgroup. The set, or 0 without room for it. */
uint32_t ct_grid_readers_add(ct_thread *t, uint32_t from, int reader, int as);
/* A reader of the set that read, at that stamp, with nothing between that and what t does now; -1:
 * none. */
int ct_grid_readers_beside(const ct_thread *t, uint32_t set, uint32_t *stamp);

/* async.c: the site of the cp.async that is on its way to a byte. */
const ct_grid_site *ct_grid_flight_site(const ct_grid_state *r, const ct_shadow *s);

/* A store of the thread to what one of its own cp.async still reads. */
void ct_grid_check_sources(ct_thread *t, const ct_operation *op, const ct_memory *m, size_t offset);

void ct_grid_note_landing(const ct_thread *t, ct_shadow *s, int64_t bytes, int bar);

/* clock.c: what a thread knows of the others by way of mbarriers. */
int ct_grid_clocks_make(ct_grid_state *r); /* 0 when there is no memory */
void ct_grid_clocks_reset(ct_grid_state *r);
void ct_grid_clock_arrive(ct_thread *t, ct_mbarrier *bar);
void ct_grid_clock_wait(ct_thread *t, const ct_mbarrier *bar);
void ct_grid_clock_meet(ct_thread *const *threads, int count);
void ct_grid_clock_meet_blocks(ct_grid_state *r, int first, int end);
static inline uint32_t *ct_grid_phase_seen(const ct_thread *t, int bar)
{
    return &t->clock[t->run->thread_count + bar];
}

/* mbarrier.c */
ct_mbarrier *ct_grid_mbarrier_find(ct_thread *t, const ct_operation *op, void *at);
void ct_grid_mbarrier_came(ct_grid_state *r, ct_mbarrier *bar, int64_t bytes);
void ct_grid_mbarrier_deadlock(ct_grid_state *r, const ct_thread *t);

/* bulk.c: the copies in flight. */
ct_transfer *ct_grid_transfer_new(ct_thread *t, const ct_operation *op, ct_transfers *list);
void ct_grid_transfer_load(ct_thread *t, const ct_operation *op, const ct_transfer *what,
                           ct_mbarrier *bar, int mask);
void ct_grid_transfer_store(ct_thread *t, const ct_operation *op, const ct_transfer *what);
int ct_grid_engine_run(ct_grid_state *r); /* 1 when some thread can go on */
void ct_grid_engine_end_thread(ct_thread *t);
void ct_grid_engine_end_block(ct_grid_state *r);

/* tile.c: a tile between memory and a dense buffer; 0 when there is no memory. */
void ct_grid_tile_check(ct_thread *t, const ct_operation *op, const ct_transfer *what);
int ct_grid_tile_load(const ct_transfer *what);
int ct_grid_tile_store(const ct_transfer *what);

/* reduce.c */
int ct_grid_reduce_known(int reduce, int elem, int is_tile);
void ct_grid_reduce(int reduce, int elem, unsigned char *into, const unsigned char *from, int64_t n);

/* sync.c: meets the lanes of the mask; the last to come runs act, on what all of them brought. Lanes
 * that have ended, or are not there, bring NULL. */
typedef void ct_meeting_act(ct_thread *last, const ct_operation *op, void *data[WARP_LANES]);
void ct_grid_meet(ct_thread *t, const ct_operation *op, uint32_t mask, void *data,
                  ct_meeting_act *act);
/* The same for an instruction of the whole warp, all 32 lanes. */
void ct_grid_meet_all(ct_thread *t, const ct_operation *op, void *data, ct_meeting_act *act);
/* The thread ends: the lanes that wait for it look again. */
void ct_grid_leave_warp(ct_thread *t);

/* warpgroup.c: meets the 128 threads of t's warpgroup, of which the last to come runs act; what
 * each brought is its meeting's data. */
typedef void ct_warpgroup_act(ct_thread *group, const ct_operation *op);
void ct_grid_meet_warpgroup(ct_thread *t, const ct_operation *op, void *data,
                            ct_warpgroup_act *act);
ct_thread *ct_grid_warpgroup_of(const ct_thread *t); /* its first thread */
ct_thread *ct_grid_missing_in_warpgroup(const ct_thread *waiting);

/* wgmma.c: whether what an instruction of a warpgroup read, issued at a stamp, comes before what
 * thread t does now; and where it is issued while it is in flight, or NULL. */
int ct_grid_wgmma_is_before(const ct_grid_state *r, uint32_t stamp, int group, const ct_thread *t);
const ct_grid_site *ct_grid_wgmma_in_flight(const ct_grid_state *r, uint32_t stamp, int group);
int ct_grid_wgmma_number(const ct_thread *t); /* of its warpgroup, */
int ct_grid_wgmma_thread(const ct_grid_state *r, int group); /* and the first thread of one */
int ct_grid_wgmma_is_any(const ct_grid_state *r); /* in flight */
void ct_grid_wgmma_check_variable(ct_thread *t, const ct_operation *op, const void *reg);
void ct_grid_wgmma_end_thread(ct_thread *t);
void ct_grid_wgmma_reset(ct_grid_state *r);
void ct_grid_wgmma_free(ct_grid_state *r);

/* records.c */
void ct_grid_record(ct_thread *t, ct_grid_site *site, int kind, int bits, int async,
                    int64_t address);
void ct_grid_records_flush(ct_grid_state *r, int warp);
void ct_grid_records_finish(ct_grid_state *r);
void ct_grid_records_free(ct_grid_state *r);

#endif
