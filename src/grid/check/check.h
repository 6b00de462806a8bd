/* The checks of the CPU grid: the order of accesses in time, messages of errors, and the records of
 * accesses. */
#ifndef CUTLET_SRC_GRID_CHECK_CHECK_H
#define CUTLET_SRC_GRID_CHECK_CHECK_H

#include "grid/engine/state.h"

/* The site's number, >= 1, the same in every launch. */
int32_t ct_grid_site_id(ct_grid_site *site);

/* error.c: ends the launch with one line and does not return. */
_Noreturn void ct_grid_fail_at(ct_thread *t, const ct_operation *op, int status, const char *format,
                               ...) __attribute__((format(printf, 4, 5)));
void ct_grid_set_message(ct_grid_state *r, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *ct_grid_file_name(const char *path);

/* seen.c: "kernel.cu:14", and the function of cutlet that made the access. */
typedef struct ct_site_text {
    char text[160];
} ct_site_text;
ct_site_text ct_grid_site_text(const ct_grid_site *site);

ct_dim3 ct_grid_thread_index(const ct_grid_state *r, int index);

/* check_launch.c: returns 0, with a message, if the launch is illegal. */
int ct_grid_check_launch(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block,
                         size_t shared_bytes, size_t args_bytes, const ct_grid_options *options,
                         ct_grid_report *report);

/* overflow.c: watches the stacks of a launch's threads. Returns 0 without memory. end may be called
 * without begin. */
int ct_grid_overflow_begin(ct_grid_state *r);
void ct_grid_overflow_end(ct_grid_state *r);

/* shadow.c */
void ct_grid_check_order(ct_thread *t, const ct_operation *op, const ct_memory *m, size_t offset);
/* The same for an atomic operation, which does not race with others. */
void ct_grid_check_atomic(ct_thread *t, const ct_operation *op, const ct_memory *m, size_t offset);
void ct_grid_note_read(ct_thread *t, const ct_memory *m, size_t offset, int bytes);
void ct_grid_note_write(const ct_thread *t, ct_shadow *s, int bytes, int in_flight);

/* The result for the previous byte, reused for following bytes with the same state. */
typedef struct ct_group_read {
    int32_t has_checked, has_noted;
    ct_shadow checked;               /* the state whose writer was checked */
    uint32_t from_read, to_read;     /* its readers, */
    uint16_t from_reader, to_reader; /* before and after this read was added */
} ct_group_read;

/* Checks and notes a read of op->bytes bytes by an instruction of the warpgroup that begins with
 * thread `group`: the writes of all bytes must come before all 128 threads. */
void ct_grid_note_group_read(ct_thread *group, const ct_operation *op, const ct_memory *m,
                             size_t offset, ct_group_read *memo);

/* parts.c: the parts of a copy in global memory. each calls act for each; a row of a tile has its
 * elements lo to hi - 1 in the tensor, element lo at address. */
typedef void ct_transfer_act(ct_thread *t, const ct_transfer *what, unsigned char *at,
                             int64_t bytes);
typedef struct ct_tile_row {
    unsigned char *address;
    int64_t lo, hi;
} ct_tile_row;
int64_t ct_grid_tile_rows(const ct_tma_desc *d);
ct_tile_row ct_grid_tile_row(const ct_transfer *what, int64_t number);
void ct_grid_transfer_each(ct_thread *t, const ct_transfer *what, ct_transfer_act *act);

/* copies.c: bulk and tile copies in global memory. note_leaving notes what a store or reduction will
 * write, note_stored that the thread has waited for it; note_copy_read (shadow.c) notes a source.
 * The others fail: a write to the source of a copy that arrives at an mbarrier, and an access to a
 * byte that a copy will write. */
void ct_grid_note_leaving(const ct_thread *t, const ct_operation *op, ct_shadow *s);
void ct_grid_note_stored(const ct_grid_state *r, ct_shadow *s, int64_t bytes);
void ct_grid_note_copy_read(ct_thread *t, const ct_memory *m, size_t offset, int64_t bytes,
                            int bar);
_Noreturn void ct_grid_fail_source(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                   const ct_shadow *s, int bar);
_Noreturn void ct_grid_fail_stored(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                   const ct_shadow *s);

/* fences.c: notes a fence between accesses and copies; whether one comes between a writer's store and
 * what t does now, which comes after the store. */
void ct_grid_note_fence(ct_thread *t, int is_global);
int ct_grid_is_fenced(const ct_thread *t, const ct_thread *writer, uint32_t wrote, int is_global);

/* waits.c: the waits for an mbarrier. note: t has waited. cover: it arrives. load: it issues a load
 * that arrives at bar. end: the phase is complete. drop: the mbarrier ends. knows_phase: whether the
 * last phase is complete for t in any order of the threads. */
void ct_grid_waits_reset(ct_grid_state *r);
void ct_grid_waits_note(ct_thread *t, const ct_operation *op, ct_mbarrier *bar);
void ct_grid_waits_cover(const ct_thread *t, ct_mbarrier *bar);
void ct_grid_waits_load(const ct_thread *t, ct_mbarrier *bar);
void ct_grid_waits_end(ct_grid_state *r, const ct_mbarrier *bar);
void ct_grid_waits_drop(ct_grid_state *r, ct_mbarrier *bar);
int ct_grid_knows_phase(const ct_thread *t, const ct_mbarrier *bar);

/* Whether an action comes before what t does now; and whether its writes are visible to t. */
int ct_grid_is_ordered(const ct_grid_state *r, uint32_t stamp, int by, const ct_thread *t);
int ct_grid_is_visible(const ct_grid_state *r, uint32_t stamp, int by, const ct_thread *t);

void ct_grid_note_landing(const ct_thread *t, ct_shadow *s, int64_t bytes, int bar);

/* spin.c: notes an access that has passed all checks. Threads that access no new address may wait
 * for a store that never happens: the launch ends if they do so for long. */
void ct_grid_note_progress(ct_thread *t, const ct_operation *op, const ct_memory *m, const void *p);
void ct_grid_check_progress(ct_grid_state *r, const ct_thread *waiting);

/* readers.c */
int ct_grid_readers_init(ct_grid_state *r); /* returns 0 without memory */
void ct_grid_readers_free(ct_grid_state *r);
void ct_grid_readers_end(ct_grid_state *r); /* a barrier of all threads: all sets so far end */
/* Adds thread t, which reads as `as` (itself or its warpgroup), to the readers of a byte, given by
 * its read and reader. Returns the set, or 0 without room for it. */
uint32_t ct_grid_readers_add(ct_thread *t, uint32_t from, int reader, int as);
/* A reader of the set whose read, at *stamp, no order puts before what t does now; -1 if all reads
 * come before. */
int ct_grid_readers_beside(const ct_thread *t, uint32_t set, uint32_t *stamp);

/* clock.c: the order of threads by mbarriers. */
void ct_grid_next_tick(ct_grid_state *r);  /* a barrier was passed */
int ct_grid_clocks_make(ct_grid_state *r); /* returns 0 without memory */
void ct_grid_clocks_reset(ct_grid_state *r);
void ct_grid_clocks_split(ct_grid_state *r); /* what comes before is not all visible, from now on */
void ct_grid_clock_arrive(ct_thread *t, ct_mbarrier *bar, int order); /* CT_ORDER_... */
void ct_grid_clock_wait(ct_thread *t, const ct_mbarrier *bar, int order);
void ct_grid_clock_end_phase(const ct_grid_state *r, ct_mbarrier *bar);
void ct_grid_clock_meet(ct_thread *const *threads, int count);
void ct_grid_clock_meet_blocks(ct_grid_state *r, int first, int end);
void ct_grid_clock_join(const ct_grid_state *r, uint32_t *restrict into,
                        const uint32_t *restrict from);
int32_t ct_grid_clock_entries(const ct_grid_state *r);
/* The mbarriers, and one barrier for each cluster that runs. */
static inline int32_t ct_grid_mbarriers(const ct_grid_state *r)
{
    return MAX_MBARRIERS + r->resident / r->cluster;
}
/* The last entry: what blocks did at lower stamps, that ran before those that run now. */
static inline int32_t ct_grid_earlier(const ct_grid_state *r)
{
    return r->thread_count + ct_grid_mbarriers(r);
}

/* release.c: the order by strong accesses and fences. access: before one is made, of the kind and order
 * CT_ATOMIC_...; reset: of a thread, when its block begins. */
void ct_grid_release_access(ct_thread *t, int kind, const void *at, int order);
int ct_grid_knows_earlier(const ct_thread *t); /* what blocks did that ran before */
void ct_grid_release_reset(ct_thread *t);
void ct_grid_release_free(ct_grid_state *r);
static inline uint32_t *ct_grid_phase_seen(const ct_thread *t, int bar)
{
    return &t->clock[t->grid->thread_count + bar];
}
/* The same for the phases whose copies are visible to t. */
static inline uint32_t *ct_grid_phase_visible(const ct_thread *t, int bar)
{
    return ct_grid_phase_seen(t, bar) + t->grid->visible_from;
}

/* records.c */
void ct_grid_record(ct_thread *t, ct_grid_site *site, int kind, int bits, int async,
                    int64_t address);
void ct_grid_records_flush(ct_grid_state *r, int warp);
void ct_grid_records_finish(ct_grid_state *r);
/* Adds the records of blocks that come behind those of r; returns 0 without memory. */
int ct_grid_records_join(ct_grid_state *r, const ct_grid_state *more);
void ct_grid_records_free(ct_grid_state *r);

#endif
