/* What the checks do for the instructions: where an access falls in time, who is asked when one
 * goes wrong, and the records of what was accessed. */
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

void ct_grid_note_landing(const ct_thread *t, ct_shadow *s, int64_t bytes, int bar);

/* spin.c: an access that has passed all checks. Threads that come to no new place may wait for a
 * store that does not come; the launch ends when they do so for long. */
void ct_grid_note_progress(ct_thread *t, const ct_operation *op, const ct_memory *m, const void *p);
void ct_grid_check_progress(ct_grid_state *r, const ct_thread *waiting);

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

/* clock.c: what a thread knows of the others by way of mbarriers. */
void ct_grid_next_tick(ct_grid_state *r); /* a barrier was passed */
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

/* records.c */
void ct_grid_record(ct_thread *t, ct_grid_site *site, int kind, int bits, int async,
                    int64_t address);
void ct_grid_records_flush(ct_grid_state *r, int warp);
void ct_grid_records_finish(ct_grid_state *r);
void ct_grid_records_free(ct_grid_state *r);

#endif
