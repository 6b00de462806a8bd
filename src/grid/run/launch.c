/* A launch: its preparation, and the scheduler that runs block after block. The threads of a block
 * are coroutines: each runs until it waits for others, in a fixed order, warp by warp. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

/* A thread of a GPU has up to 512 KiB of local memory. The rest is for the grid's own calls, whose
 * frames are larger with the address sanitizer. Only pages that are accessed take memory. */
#if defined(__SANITIZE_ADDRESS__)
enum { STACK_BYTES = 512 * 1024 + 1024 * 1024 };
#else
enum { STACK_BYTES = 512 * 1024 + 256 * 1024 };
#endif

enum { ARGS_ALIGN = 64 };

static void thread_main(void *data)
{
    ct_thread *t = data;
    ct_context_arrived(&t->grid->scheduler);
    t->grid->kernel->body(t->grid->args);
    ct_grid_engine_end_thread(t);
    ct_grid_wgmma_end_thread(t);
    ct_grid_leave_warp(t);
    for (;;) ct_grid_wait(t, THREAD_DONE, NULL);
}

/* Runs lanes of a warp, each until it waits. In a random order some may not run. */
static void run_lanes(ct_grid_state *r, int first, int count)
{
    ct_turns turns = ct_grid_turns(r, (uint64_t)count);
    const uint64_t left_out =
        r->yields > 1 && ct_grid_random(r, 2) ? ct_grid_random(r, UINT32_MAX) : 0;
    for (int i = 0; i < count && !r->report->status; ++i) {
        ct_thread *t = &r->threads[first + (int)ct_grid_turn(&turns)];
        if (t->state != THREAD_READY || (left_out >> i & 1)) continue;
        ct_grid_self = &t->indices;
        ct_context_switch(&r->scheduler, &t->context);
        if (!r->report->status) ct_grid_check_progress(r, t);
    }
}

/* Runs the lanes of a warp until all of them wait; in a random order, each at most once. */
static void run_warp(ct_grid_state *r, int warp)
{
    const int first = warp * WARP_LANES;
    const int end = r->thread_count < first + WARP_LANES ? r->thread_count : first + WARP_LANES;
    for (int again = 1; again;) {
        int paused = 0;
        run_lanes(r, first, end - first);
        if (r->report->status) return;
        again = 0;
        for (int i = first; i < end; ++i) {
            again |= r->threads[i].state == THREAD_READY;
            paused |= r->threads[i].state == THREAD_PAUSED;
        }
        if (!again && paused) {
            /* all other lanes have paused too, or wait */
            ct_grid_records_flush(r, warp);
            for (int i = first; i < end; ++i) {
                if (r->threads[i].state == THREAD_PAUSED) r->threads[i].state = THREAD_READY;
            }
            again = 1;
        }
        if (r->schedule) return; /* another warp may be next */
    }
}

/* The first thread in a state, or NULL; of one block of the cluster, or of all with rank -1. */
static ct_thread *first_thread(ct_grid_state *r, int rank, int state)
{
    const int first = rank < 0 ? 0 : rank * r->block_threads;
    const int end = rank < 0 ? r->thread_count : first + r->block_threads;
    for (int i = first; i < end; ++i) {
        if (r->threads[i].state == state) return &r->threads[i];
    }
    return NULL;
}

static int have_ended(const ct_grid_state *r, int first, int end)
{
    for (int i = first; i < end; ++i) {
        if (r->threads[i].state != THREAD_DONE) return 0;
    }
    return 1;
}

/* Whether a barrier misses a thread that has exited. A block's barrier does not. A cluster's
 * barrier misses a block that has exited: its shared memory is gone, and others may still access
 * it. */
static int is_missed(const ct_grid_state *r, int rank, const ct_thread *ended)
{
    const int first = ended->rank * r->block_threads;
    return rank < 0 && have_ended(r, first, first + r->block_threads);
}

/* A name of what a thread waits for. */
static const char *awaited(const ct_thread *t)
{
    switch (t->state) {
        case THREAD_BARRIER: return "__syncthreads";
        case THREAD_CLUSTER: return "its cluster";
        case THREAD_MBARRIER:
        case THREAD_TRY: return "an mbarrier";
        case THREAD_WARPGROUP: return "its warpgroup";
        default: return "its warp";
    }
}

/* Reports a thread that waits for a thread that will not arrive, with the sites of both. */
static void report_divergence(ct_grid_state *r, const ct_thread *waiting, const ct_thread *missing)
{
    const ct_dim3 b = ct_grid_block_of(waiting), w = waiting->indices.thread,
                  m = missing->indices.thread;
    const char *what = awaited(waiting);
    char where[256] = "which has ended", of_block[64] = "";
    const ct_dim3 c = ct_grid_block_of(missing);
    if (missing->rank != waiting->rank)
        snprintf(of_block, sizeof of_block, " of block (%u,%u,%u)", c.x, c.y, c.z);
    if (missing->state != THREAD_DONE)
        snprintf(where, sizeof where, "which waits for %s at %s", awaited(missing),
                 ct_grid_site_text(missing->waits_at).text);
    ct_grid_set_message(
        r, CT_GRID_E_DIVERGENCE,
        "kernel %s, block (%u,%u,%u), thread (%u,%u,%u): divergence: waits for %s at "
        "%s, but not so thread (%u,%u,%u)%s, %s",
        r->kernel->name, b.x, b.y, b.z, w.x, w.y, w.z, what,
        ct_grid_site_text(waiting->waits_at).text, m.x, m.y, m.z, of_block, where);
}

/* The lane for which a thread at a meeting of its warp waits; NULL if all lanes of the block are
 * there. */
static ct_thread *missing_lane(ct_grid_state *r, const ct_thread *waiting)
{
    for (int lane = 0; lane < WARP_LANES; ++lane) {
        const int i = waiting->warp * WARP_LANES + lane;
        if (!(waiting->meeting.mask >> lane & 1) || lane == waiting->lane) continue;
        if (i >= r->thread_count) continue;
        ct_thread *t = &r->threads[i];
        if (t->state == THREAD_DONE && !waiting->meeting.takes_all) continue;
        if (t->state != THREAD_WARP || t->waits_at != waiting->waits_at ||
            t->meeting.mask != waiting->meeting.mask)
            return t;
    }
    return NULL;
}

/* After a barrier of these threads, each knows all phases that any of them has waited for. */
static void pass_phases_on(ct_grid_state *r, int first, int end)
{
    r->tries = 0;
    for (int bar = 0; r->clocks && bar < MAX_MBARRIERS; ++bar) {
        uint32_t most = 0, visible = 0;
        if (!r->mbarriers[bar].at) continue;
        for (int i = first; i < end; ++i) {
            const uint32_t seen = *ct_grid_phase_seen(&r->threads[i], bar);
            const uint32_t sees = *ct_grid_phase_visible(&r->threads[i], bar);
            if (seen > most) most = seen;
            if (sees > visible) visible = sees;
        }
        for (int i = first; i < end; ++i) *ct_grid_phase_seen(&r->threads[i], bar) = most;
        for (int i = first; r->visible_from && i < end; ++i)
            *ct_grid_phase_visible(&r->threads[i], bar) = visible;
    }
}

/* Reports a thread that waits for lanes of its warp that will not arrive. */
static void report_meeting(ct_grid_state *r, ct_thread *at_meeting)
{
    ct_thread *missing = missing_lane(r, at_meeting);
    if (missing) {
        report_divergence(r, at_meeting, missing);
        return;
    }
    const ct_dim3 b = ct_grid_block_of(at_meeting), i = at_meeting->indices.thread;
    ct_grid_set_message(r, CT_GRID_E_DIVERGENCE,
                        "kernel %s, block (%u,%u,%u), thread (%u,%u,%u): divergence: waits at "
                        "%s for all 32 lanes of a warp of which the block has only %d",
                        r->kernel->name, b.x, b.y, b.z, i.x, i.y, i.z,
                        ct_grid_site_text(at_meeting->waits_at).text,
                        r->thread_count - at_meeting->warp * WARP_LANES);
}

/* Whether two threads wait at one barrier: at one site, or for one that warps reach at any site. */
static int is_same_barrier(const ct_thread *a, const ct_thread *b)
{
    if (a->state != b->state) return 0;
    return a->waits_at == b->waits_at ||
           (a->state == THREAD_BARRIER && a->is_anywhere && b->is_anywhere && a->warp != b->warp);
}

/* Passes the barrier at which `waiting` waits, of one block, or of its cluster with rank -1: makes
 * its threads ready, or reports a missing thread. */
static void pass_barrier(ct_grid_state *r, int rank, ct_thread *waiting)
{
    const int from = rank < 0 ? ct_grid_first_rank(waiting) : rank;
    const int blocks = rank < 0 ? r->cluster : 1, is_all = blocks == r->resident;
    const int first = from * r->block_threads, end = first + blocks * r->block_threads;
    for (int i = first; i < end; ++i) {
        const ct_thread *t = &r->threads[i];
        if (t->state == THREAD_DONE && !is_missed(r, rank, t)) continue;
        if (is_same_barrier(t, waiting)) continue;
        report_divergence(r, waiting, t);
        return;
    }
    for (int w = first / WARP_LANES; w * WARP_LANES < end; ++w) ct_grid_records_flush(r, w);
    ct_grid_next_tick(r);
    for (int k = from; k < from + blocks; ++k) r->barrier_tick[k] = r->tick;
    if (rank < 0 && is_all) r->cluster_tick = r->tick;
    if (is_all && !ct_grid_wgmma_is_any(r) && !(r->readers_have_copy && r->loads.count > 0))
        ct_grid_readers_end(r);
    ct_grid_clock_meet_blocks(r, first, end);
    pass_phases_on(r, first, end);
    for (int i = first; i < end; ++i) {
        if (r->threads[i].state != THREAD_DONE) r->threads[i].state = THREAD_READY;
    }
}

/* Called when all threads wait or have exited: makes threads ready, or reports why none can
 * continue. */
static void go_on(ct_grid_state *r)
{
    ct_thread *waiting = NULL;
    int passed = 0;
    if (ct_grid_engine_run(r) || r->report->status) return;
    for (int rank = 0; rank < r->resident && !r->report->status; ++rank) {
        if (first_thread(r, rank, THREAD_MBARRIER) || first_thread(r, rank, THREAD_TRY) ||
            first_thread(r, rank, THREAD_POLL))
            continue;
        waiting = first_thread(r, rank, THREAD_WARP);
        if (waiting) report_meeting(r, waiting);
        if (waiting) return;
        waiting = first_thread(r, rank, THREAD_WARPGROUP);
        if (waiting) report_divergence(r, waiting, ct_grid_missing_in_warpgroup(waiting));
        if (waiting) return;
        waiting = first_thread(r, rank, THREAD_BARRIER);
        if (waiting) pass_barrier(r, rank, waiting);
        passed |= waiting != NULL;
    }
    if (passed || r->report->status || ct_grid_cluster_pass(r) || first_thread(r, -1, THREAD_POLL))
        return;
    waiting = first_thread(r, -1, THREAD_MBARRIER);
    if (!waiting) waiting = first_thread(r, -1, THREAD_TRY);
    if (waiting) {
        ct_grid_mbarrier_deadlock(r, waiting);
        return;
    }
    waiting = first_thread(r, -1, THREAD_CLUSTER);
    ct_thread *const missing =
        waiting ? ct_grid_cluster_missing(r, ct_grid_first_rank(waiting)) : NULL;
    if (missing) report_divergence(r, waiting, missing);
    else if (waiting) pass_barrier(r, -1, waiting);
}

/* Runs the blocks of a cluster together, most often one; or blocks that wait for each other. */
static void run_cluster(ct_grid_state *r)
{
    ct_grid_next_tick(r);
    r->block_tick = r->cluster_tick = r->tick;
    for (int k = 0; k < r->resident; ++k) r->barrier_tick[k] = r->tick;
    ct_grid_readers_end(r);
    r->reader_block = r->reader_first;
    memset(r->warp_tick, 0, sizeof r->warp_tick);
    memset(r->votes, 0, sizeof r->votes);
    memset(r->met, 0, sizeof r->met);
    for (int w = 0; w < r->warp_count; ++w) {
        const int lanes = r->present * r->block_threads - w * WARP_LANES;
        r->gone[w] = lanes >= WARP_LANES ? 0 : lanes > 0 ? UINT32_MAX << lanes : UINT32_MAX;
    }
    ct_grid_clocks_reset(r);
    ct_grid_wgmma_reset(r);
    ct_grid_paces_begin(r);
    ct_grid_waits_reset(r);
    r->loads.count = 0;
    r->tries = 0;
    r->idle = 0;
    for (int i = 0; i < r->thread_count; ++i) {
        ct_thread *t = &r->threads[i];
        t->state = t->rank < r->present ? THREAD_READY : THREAD_DONE;
        t->call = NULL;
        memset(&t->last, 0, sizeof t->last);
        t->flight_count = 0;
        t->groups = 0;
        memset(t->fences, 0, sizeof t->fences);
        t->waited = t->fenced_init = 0;
        memset(t->tried, 0, sizeof t->tried);
        memset(t->waits, 0, sizeof t->waits);
        t->stores.count = t->stores.read = 0;
        t->store_groups = 0;
        t->wgmma_groups = 0;
        t->wgmma_fenced = 0;
        t->arrived_at = NULL;
        memset(t->peers, 0, sizeof t->peers);
        ct_grid_release_reset(t);
        ct_context_start(&t->context, thread_main, t);
    }
    while (!have_ended(r, 0, r->thread_count)) {
        ct_turns turns = ct_grid_turns(r, (uint64_t)r->warp_count);
        for (int i = 0; i < r->warp_count && !r->report->status; ++i) {
            const int w = (int)ct_grid_turn(&turns);
            if (!ct_grid_is_slow(r, w)) run_warp(r, w);
        }
        if (r->report->status) return;
        if (r->schedule) ct_grid_engine_run_some(r);
        if (!first_thread(r, -1, THREAD_READY)) go_on(r); /* otherwise a later warp made it ready */
        for (int i = 0; i < r->thread_count; ++i) {
            if (r->threads[i].state == THREAD_POLL) r->threads[i].state = THREAD_READY;
        }
        if (r->report->status) return;
    }
    for (int w = 0; w < r->warp_count; ++w) ct_grid_records_flush(r, w);
    ct_grid_engine_end_block(r);
    ct_grid_check_peers(r);
}

static void run_grid(ct_grid_state *r, uint64_t first, uint64_t end)
{
    const ct_dim3 n = r->blocks[0].grid_dim;
    const uint64_t along_x = n.x / (uint32_t)r->cluster, along_y = n.y;
    ct_turns turns = ct_grid_turns(r, along_x * along_y * n.z);
    turns.next = first;
    for (uint64_t i = first; i < end && !r->report->status;) {
        if (r->stop && __atomic_load_n(r->stop, __ATOMIC_RELAXED)) return;
        for (r->present = 0; r->present < r->resident && i < end; ++i) {
            const uint64_t at = ct_grid_turn(&turns), x = at % along_x * (uint32_t)r->cluster;
            for (int k = 0; k < r->cluster; ++k)
                r->blocks[r->present++].block =
                    (ct_dim3){(uint32_t)x + (uint32_t)k, (uint32_t)(at / along_x % along_y),
                              (uint32_t)(at / along_x / along_y)};
        }
        run_cluster(r);
    }
}

/* Returns 0 without memory. */
static int make_threads(ct_grid_state *r, size_t stack_bytes)
{
    r->threads = calloc((size_t)r->thread_count, sizeof *r->threads);
    r->stacks = ct_context_stacks_new(r->thread_count, stack_bytes);
    if (!r->threads || !r->stacks.base || !ct_context_init(&r->scheduler, NULL, 0)) return 0;
    for (int i = 0; i < r->thread_count; ++i) {
        ct_thread *t = &r->threads[i];
        t->grid = r;
        t->index = i;
        t->warp = i / WARP_LANES;
        t->lane = i % WARP_LANES;
        t->indices.thread = ct_grid_thread_index(r, i);
        t->rank = i / r->block_threads;
        t->indices.launch = &r->blocks[t->rank];
        char *const top = (char *)r->stacks.base + r->stacks.stride * (size_t)(i + 1) -
                          (size_t)i * CT_STACK_SHIFT % CT_STACK_SHIFTS;
        if (!ct_context_init(&t->context, top - stack_bytes, stack_bytes)) return 0;
    }
    return 1;
}

void ct_grid_run_end(ct_grid_state *r)
{
    for (int i = 0; r->threads && i < r->thread_count; ++i) {
        ct_context_free(&r->threads[i].context);
        free(r->threads[i].flights);
        free(r->threads[i].stores.list);
        ct_arena_free(r->threads[i].owned);
    }
    for (int i = 0; i < MAX_MBARRIERS; ++i) free(r->mbarriers[i].waiters);
    ct_grid_release_free(r);
    ct_context_free(&r->scheduler);
    ct_context_stacks_free(r->stacks, r->report->status == CT_GRID_OK); /* may hold D in flight */
    ct_grid_records_free(r);
    ct_grid_memory_free(r);
    free(r->threads);
    free(r->clocks);
    free(r->products);
    ct_grid_wgmma_free(r);
    free(r->loads.list);
    free(r->args);
    free(r);
}

/* The blocks that run together. */
static int resident_of(const ct_launch *what, int cluster, int threads)
{
    const uint64_t blocks = (uint64_t)what->grid.x * what->grid.y * what->grid.z;
    const int all =
        RESIDENT_THREADS / threads < MAX_RESIDENT ? RESIDENT_THREADS / threads : MAX_RESIDENT;
    const int most = all - all % cluster;
    if (what->kernel->together < 1 || most < cluster || threads % WARP_LANES != 0) return cluster;
    return blocks < (uint64_t)most ? (int)blocks : most;
}

/* The state of a launch, but for its memory and threads; NULL without memory. */
static ct_grid_state *new_run(const ct_launch *what, const ct_grid_options *options,
                              uint64_t schedule, ct_grid_report *report)
{
    ct_grid_state *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->kernel = what->kernel;
    r->options = options;
    r->report = report;
    r->schedule = r->random = schedule;
    r->cluster = what->kernel->cluster > 1 ? what->kernel->cluster : 1;
    r->block_threads = (int32_t)(what->block.x * what->block.y * what->block.z);
    r->resident = resident_of(what, r->cluster, r->block_threads);
    for (int k = 0; k < r->resident; ++k) {
        r->blocks[k].block_dim = what->block;
        r->blocks[k].grid_dim = what->grid;
        r->blocks[k].rank = k % r->cluster;
    }
    r->dynamic_bytes = what->shared_bytes;
    r->thread_count = r->block_threads * r->resident;
    r->warp_count = (r->thread_count + WARP_LANES - 1) / WARP_LANES;
    /* a tensor map in the argument is aligned to 64 bytes */
    r->args = aligned_alloc(ARGS_ALIGN, (what->args_bytes / ARGS_ALIGN + 1) * ARGS_ALIGN);
    if (r->args) memcpy(r->args, what->args, what->args_bytes);
    return r;
}

ct_grid_state *ct_grid_run_begin(const ct_launch *what, const ct_grid_options *options,
                                 uint64_t schedule, ct_grid_report *report)
{
    ct_grid_state *const r = new_run(what, options, schedule, report);
    if (r && r->args && ct_grid_memory_init(r) &&
        make_threads(r, options->stack_bytes ? options->stack_bytes : STACK_BYTES) &&
        (r->resident == r->cluster || ct_grid_clocks_make(r)))
        return r;
    report->status = CT_GRID_E_MEMORY;
    snprintf(report->message, sizeof report->message, "kernel %s: not enough memory for the grid",
             what->kernel->name);
    if (r) ct_grid_run_end(r);
    return NULL;
}

void ct_grid_run_blocks(ct_grid_state *r, uint64_t first, uint64_t end)
{
    if (ct_grid_overflow_begin(r)) run_grid(r, first, end);
    else
        ct_grid_set_message(r, CT_GRID_E_MEMORY, "kernel %s: not enough memory for the grid",
                            r->kernel->name);
    ct_grid_overflow_end(r);
    ct_grid_self = NULL;
}

void ct_grid_run(const ct_launch *what, const ct_grid_options *options, uint64_t schedule,
                 ct_grid_report *report)
{
    const ct_dim3 n = what->grid;
    ct_grid_state *const r = ct_grid_run_begin(what, options, schedule, report);
    if (!r) return;
    ct_grid_run_blocks(r, 0, (uint64_t)n.x * n.y * n.z / (uint64_t)r->cluster);
    ct_grid_records_finish(r);
    ct_grid_run_end(r);
}
