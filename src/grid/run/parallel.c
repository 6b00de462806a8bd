/* Blocks that run at once. The blocks of a launch are divided into parts, each in order and with checks and records
 * of its own. If no part made a mistake, and none wrote a byte that another one touched, all blocks found the
 * memory as if they had run one after another; then the records are put together in order. Otherwise the launch
 * begins again with the memory as it was, one block after another, which tells what is wrong. */
#include "run.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

enum { MOST_PARTS = 8, LEAST_BLOCKS = 2 /* of a part */, LEAST_THREADS = 2048 /* of a launch */ };

typedef struct part {
    uint64_t first, end; /* blocks, or clusters */
    ct_grid_state *run;  /* NULL: it has not begun */
    ct_grid_report report;
} part;

typedef struct parts {
    const ct_launch *what;
    const ct_grid_options *options;
    int32_t count, has_failed;
    part list[MOST_PARTS];
} parts;

size_t ct_grid_writable_bytes(const ct_grid_options *options)
{
    size_t bytes = 0;
    for (int i = 0; i < options->buffer_count; ++i)
        if (options->buffers[i].writable) bytes += options->buffers[i].bytes;
    return bytes;
}

/* Copies the writable buffers to `at`, or back. */
void ct_grid_copy_buffers(const ct_grid_options *options, unsigned char *at, int back)
{
    for (int i = 0; i < options->buffer_count; ++i) {
        const ct_grid_buffer *const b = &options->buffers[i];
        if (!b->writable || b->bytes == 0) continue;
        memcpy(back ? b->base : at, back ? at : b->base, b->bytes);
        at += b->bytes;
    }
}

/* The clusters of a launch, if it may run in parts; otherwise 0. */
static uint64_t clusters_of(const ct_launch *what, const ct_grid_options *options)
{
    const uint64_t blocks = (uint64_t)what->grid.x * what->grid.y * what->grid.z;
    const uint64_t threads = (uint64_t)what->block.x * what->block.y * what->block.z;
    const int cluster = what->kernel->cluster > 1 ? what->kernel->cluster : 1;
    if (what->kernel->together >= 0 || options->on_request || options->no_global_races ||
        blocks * threads < LEAST_THREADS)
        return 0;
    for (int i = 0; i < options->buffer_count; ++i)
        if (ct_grid_is_moved(options, i)) return 0;
    return blocks / (uint64_t)cluster;
}

/* The threads of the pool block all signals; that of a stack's end is for the grid. */
static void run_part(void *user, int64_t number)
{
    parts *const all = user;
    part *const p = &all->list[number];
    sigset_t faults, before;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &faults, &before);
    p->run = ct_grid_run_begin(all->what, all->options, 0, &p->report);
    if (p->run) p->run->stop = &all->has_failed;
    if (p->run && ct_grid_touched_begin(p->run)) ct_grid_run_blocks(p->run, p->first, p->end);
    else p->report.status = CT_GRID_E_MEMORY;
    if (p->report.status) __atomic_store_n(&all->has_failed, 1, __ATOMIC_RELAXED);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Whether one of two parts has written a byte of the other one's. */
static int is_shared(const ct_shadow *a, const ct_shadow *b)
{
    const int a_touched = a->wrote || a->read || a->read_before;
    return (a_touched && b->wrote) || (a->wrote && (b->read || b->read_before));
}
static int have_met(const ct_memory *a, const ct_memory *b)
{
    for (size_t i = 0; a->touched && i * TOUCHED_BYTES < a->bytes; ++i) {
        const size_t end =
            a->bytes - i * TOUCHED_BYTES < TOUCHED_BYTES ? a->bytes : (i + 1) * TOUCHED_BYTES;
        if (!a->touched[i] || !b->touched[i]) continue;
        for (size_t byte = i * TOUCHED_BYTES; byte < end; ++byte)
            if (is_shared(&a->shadows[byte], &b->shadows[byte])) return 1;
    }
    return 0;
}

/* Whether a part has written a variable in global memory, of which each part has its own. */
static int has_written(const ct_grid_state *r)
{
    for (int i = r->options->buffer_count; i < r->memory_count; ++i) {
        const ct_memory *const m = &r->memories[i];
        for (size_t byte = 0; !m->is_shared && m->shadows && byte < m->bytes; ++byte)
            if (m->shadows[byte].wrote) return 1;
    }
    return 0;
}

/* Puts the parts together in the first one. Returns 0 if they are not as one after another. */
static int join(parts *all)
{
    if (all->has_failed) return 0;
    for (int k = 0; k < all->count; ++k)
        if (has_written(all->list[k].run)) return 0;
    for (int k = 0; k < all->count; ++k)
        for (int other = k + 1; other < all->count; ++other)
            for (int i = 0; i < all->options->buffer_count; ++i)
                if (have_met(&all->list[k].run->memories[i], &all->list[other].run->memories[i]))
                    return 0;
    for (int k = 1; k < all->count; ++k)
        if (!ct_grid_records_join(all->list[0].run, all->list[k].run)) return 0;
    ct_grid_records_finish(all->list[0].run);
    return 1;
}

int ct_grid_run_parallel(const ct_launch *what, const ct_grid_options *options,
                         ct_grid_report *report)
{
    const uint64_t clusters = clusters_of(what, options), most = clusters / LEAST_BLOCKS;
    const int32_t threads = most > 1 ? ct_pool_threads() : 1;
    parts all = {.what = what, .options = options};
    all.count = (int32_t)ct_min(ct_min(threads, MOST_PARTS), (int64_t)most);
    unsigned char *const saved = all.count > 1 ? malloc(ct_grid_writable_bytes(options) + 1) : NULL;
    if (!saved) return 0;
    ct_grid_copy_buffers(options, saved, 0);
    for (int k = 0; k < all.count; ++k) {
        all.list[k].first = clusters * (uint64_t)k / (uint64_t)all.count;
        all.list[k].end = clusters * (uint64_t)(k + 1) / (uint64_t)all.count;
    }
    ct_pool_run(all.count, all.count, run_part, &all);
    const int is_done = join(&all);
    for (int k = 0; k < all.count; ++k)
        if (all.list[k].run) ct_grid_run_end(all.list[k].run);
    if (is_done) {
        report->rows = all.list[0].report.rows;
        report->row_count = all.list[0].report.row_count;
        report->global = all.list[0].report.global;
        report->shared = all.list[0].report.shared;
        for (int k = 0; k < all.count; ++k) report->instructions += all.list[k].report.instructions;
    } else ct_grid_copy_buffers(options, saved, 1);
    for (int k = is_done; k < all.count; ++k) free(all.list[k].report.rows);
    free(saved);
    return is_done;
}
