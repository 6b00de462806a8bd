/* mbarriers. A phase completes when it has its arrivals and the bytes that it expects. The bytes of
 * copies arrive when no thread can continue (bulk.c). */
#include "run.h"

enum { MBARRIER_BYTES = 8, MOST = (1 << 20) - 1 };

static size_t offset_in(const ct_memory *m, const void *at)
{
    return (size_t)((const unsigned char *)at - m->base);
}

static ct_mbarrier *known(ct_grid_state *r, const void *at)
{
    for (int i = 0; i < MAX_MBARRIERS; ++i) {
        if (r->mbarriers[i].at == at) return &r->mbarriers[i];
    }
    return NULL;
}

ct_mbarrier *ct_grid_mbarrier_find(ct_thread *t, const ct_operation *op, void *at)
{
    const ct_operation own = {op->site, op->verb, MBARRIER_BYTES, 1, 0, 0, ENGINE_COPY};
    ct_grid_maybe_yield(t, op->site);
    const ct_memory *m = ct_grid_find_memory(t, &own, at);
    ct_mbarrier *bar = known(t->grid, at);
    if (!bar)
        ct_grid_fail_at(t, &own, CT_GRID_E_MBARRIER, "no mbarrier is initialised at byte %zu of %s",
                        offset_in(m, at), m->name);
    if (!ct_grid_is_visible(t->grid, bar->made, bar->maker, t))
        ct_grid_fail_at(
            t, &own, CT_GRID_E_RACE,
            "race: the mbarrier at byte %zu of %s is initialised by another thread with "
            "no barrier since",
            offset_in(m, at), m->name);
    return bar;
}

/* Notes who wrote the bytes of an mbarrier. */
static void mark(const ct_thread *t, const void *at, int writer)
{
    ct_shadow *const s = t->grid->arena_shadows + ((const unsigned char *)at - t->grid->arena);
    ct_grid_note_write(t, s, MBARRIER_BYTES, 0);
    for (int i = 0; i < MBARRIER_BYTES; ++i) s[i].writer = (uint16_t)writer;
}

void ct_grid_mbarrier_init(ct_grid_site *site, void *at, int count)
{
    ct_thread *t = self();
    ct_grid_state *r = t->grid;
    const ct_operation op = {site, "mbarrier.init", MBARRIER_BYTES, 1, 1, 0, 0};
    const ct_operation said = {site, "mbarrier.init", 0, 1, 1, 0, 0};
    if (count < 1 || count > MOST)
        ct_grid_fail_at(t, &said, CT_GRID_E_MBARRIER, "%d arrivals; a phase has 1 to %d", count,
                        MOST);
    if (known(r, at))
        ct_grid_fail_at(t, &said, CT_GRID_E_MBARRIER,
                        "it is initialised already, and not invalidated");
    ct_grid_check(t, &op, at);
    mark(t, at, WRITER_OBJECT);
    if (!ct_grid_clocks_make(r))
        ct_grid_fail_at(t, &said, CT_GRID_E_MEMORY, "not enough memory for the clocks");
    ct_mbarrier *bar = known(r, NULL);
    if (!bar)
        ct_grid_fail_at(t, &said, CT_GRID_E_MBARRIER, "more than %d mbarriers in a cluster",
                        MAX_MBARRIERS);
    const uint32_t first = (bar->phase + 1) & ~1u;
    /* clang-format off */
    *bar = (ct_mbarrier){.at = at, .count = count, .pending = count, .phase = first, .first = first,
                         .completed = bar->completed, .copied = first - 1, .made = r->tick,
                         .maker = t->index, .waiters = bar->waiters,
                         .waiter_capacity = bar->waiter_capacity, .clock = bar->clock};
    /* clang-format on */
    t->tried[(bar - r->mbarriers) / 64] &= ~(UINT64_C(1) << (bar - r->mbarriers) % 64);
}

void ct_grid_mbarrier_invalidate(ct_grid_site *site, void *at)
{
    ct_thread *t = self();
    const ct_operation op = {site, "mbarrier.inval", 0, 1, 0, 0, 0};
    ct_mbarrier *bar = ct_grid_mbarrier_find(t, &op, at);
    ct_grid_waits_drop(t->grid, bar);
    mark(t, at, t->index);
    bar->at = NULL;
}

/* Completes the phase if it has all arrivals and bytes, and makes the threads that wait for it
 * ready. */
static void complete(ct_grid_state *r, ct_mbarrier *bar)
{
    r->tries = 0;
    if (bar->pending != 0 || bar->bytes != 0) return;
    ct_grid_waits_end(r, bar);
    ct_grid_next_tick(r);
    ++bar->phase;
    ct_grid_clock_end_phase(r, bar);
    bar->completed = r->tick;
    bar->pending = bar->count;
    for (int i = 0; i < r->thread_count; ++i) {
        ct_thread *t = &r->threads[i];
        if ((t->state == THREAD_MBARRIER || t->state == THREAD_TRY) && t->waits_for == bar)
            t->state = THREAD_READY;
    }
}

void ct_grid_mbarrier_came(ct_grid_state *r, ct_mbarrier *bar, int64_t bytes)
{
    bar->bytes -= bytes;
    bar->copied = bar->phase;
    complete(r, bar);
}

int ct_grid_mbarrier_arrive(ct_grid_site *site, void *at, int arrivals, int bytes, int order)
{
    ct_thread *t = self();
    const ct_operation op = {site, arrivals ? "mbarrier.arrive" : "mbarrier.expect_tx", 0, 1, 0, 0,
                             0};
    ct_mbarrier *bar = ct_grid_mbarrier_find(t, &op, at);
    ct_grid_peer_access(t, &op, ct_grid_rank_at(t->grid, at));
    if (bytes < 0 || bar->bytes + bytes > MOST)
        ct_grid_fail_at(t, &op, CT_GRID_E_MBARRIER, "%lld bytes; a phase expects 0 to %d",
                        (long long)(bytes < 0 ? bytes : bar->bytes + bytes), MOST);
    if (arrivals > bar->pending)
        ct_grid_fail_at(t, &op, CT_GRID_E_MBARRIER,
                        "more arrivals than the %d of a phase, while it lacks %lld bytes",
                        bar->count, (long long)bar->bytes);
    const int phase = (int)(bar->phase & 1);
    bar->bytes += bytes;
    bar->pending -= arrivals;
    if (arrivals) ct_grid_clock_arrive(t, bar, order);
    if (arrivals) ct_grid_waits_cover(t, bar);
    complete(t->grid, bar);
    if (t->grid->report->status) ct_grid_wait(t, THREAD_READY, site);
    return phase;
}

void ct_grid_mbarrier_remote(ct_grid_site *site, void *at, int rank, int order)
{
    ct_thread *t = self();
    const ct_operation op = {site, "mbarrier.arrive", 0, 1, 0, 0, 0};
    const int of = ct_grid_rank_in_cluster(t, &op, rank);
    ct_grid_mbarrier_arrive(site, ct_grid_in_rank(t->grid, at, t->rank, of), 1, 0, order);
}

int ct_grid_mbarrier_wait(ct_grid_site *site, void *at, int parity, int may_fail, int order)
{
    ct_thread *t = self();
    const ct_operation op = {site, "wait for an mbarrier", 0, 1, 0, 0, 0};
    ct_mbarrier *bar = ct_grid_mbarrier_find(t, &op, at);
    if (parity != 0 && parity != 1)
        ct_grid_fail_at(t, &op, CT_GRID_E_MBARRIER, "parity %d; it is 0 or 1", parity);
    uint64_t *const tried = &t->tried[(bar - t->grid->mbarriers) / 64];
    const uint64_t bit = UINT64_C(1) << (bar - t->grid->mbarriers) % 64;
    t->gave_up = 0;
    const int is_complete = (int)(bar->phase & 1) != parity;
    const int may_succeed = (is_complete && ct_grid_knows_phase(t, bar)) ||
                            (t->grid->schedule && ct_grid_random(t->grid, 4));
    if (may_fail && !(*tried & bit) && !may_succeed) {
        *tried |= bit; /* on a GPU too the first try may come too early */
        return 0;
    }
    while ((int)(bar->phase & 1) == parity) { /* the phase of this parity is not complete */
        if (may_fail && t->grid->schedule && ct_grid_random(t->grid, 4)) return 0;
        t->waits_for = bar;
        t->parity = parity;
        ct_grid_wait(t, may_fail ? THREAD_TRY : THREAD_MBARRIER, site);
        if (t->gave_up) return 0;
    }
    *tried &= ~bit;
    ct_grid_clock_wait(t, bar, order);
    ct_grid_waits_note(t, &op, bar);
    return 1;
}

/* The mbarrier of a named barrier: it has its own address, and counts `threads` arrivals. */
static ct_mbarrier *named(ct_thread *t, const ct_operation *op, int id, int threads)
{
    ct_grid_state *r = t->grid;
    unsigned char *const at = &r->named[t->rank * NAMED_BARRIERS + id];
    if (!ct_grid_clocks_make(r))
        ct_grid_fail_at(t, op, CT_GRID_E_MEMORY,
                        "not enough memory for "
                        "the clocks");
    ct_mbarrier *bar = known(r, at);
    if (!bar) {
        bar = known(r, NULL);
        if (!bar)
            ct_grid_fail_at(t, op, CT_GRID_E_MBARRIER,
                            "more than %d mbarriers and named barriers in a cluster",
                            MAX_MBARRIERS);
        *bar = (ct_mbarrier){.at = at,
                             .phase = bar->phase,
                             .first = bar->phase,
                             .completed = bar->completed,
                             .waiters = bar->waiters,
                             .waiter_capacity = bar->waiter_capacity,
                             .clock = bar->clock};
    }
    if (bar->phase != bar->first &&
        *ct_grid_phase_seen(t, (int)(bar - r->mbarriers)) < bar->completed)
        ct_grid_fail_at(
            t, op, CT_GRID_E_MBARRIER,
            "barrier %d: no order puts this arrival after others have passed the barrier; "
            "another group of threads needs another number",
            id);
    if (bar->pending == bar->count) bar->pending = bar->count = threads; /* the first to arrive */
    if (bar->count != threads)
        ct_grid_fail_at(t, op, CT_GRID_E_MBARRIER,
                        "barrier %d of %d threads, to which others came as one of %d", id, threads,
                        bar->count);
    return bar;
}

void ct_grid_named_barrier(ct_grid_site *site, int id, int threads, int waits)
{
    ct_thread *t = self();
    const ct_operation op = {site, waits ? "barrier.sync" : "barrier.arrive", 0, 0, 0, 0, 0};
    if (id < 1 || id >= NAMED_BARRIERS)
        ct_grid_fail_at(t, &op, CT_GRID_E_MBARRIER,
                        "barrier %d; they are 1 to %d, and 0 is that of __syncthreads", id,
                        NAMED_BARRIERS - 1);
    if (threads < WARP_LANES || threads % WARP_LANES != 0 || threads > t->grid->block_threads)
        ct_grid_fail_at(t, &op, CT_GRID_E_MBARRIER,
                        "%d threads; they are a multiple of 32, of the %d of the block", threads,
                        t->grid->block_threads);
    ct_grid_maybe_yield(t, site);
    ct_mbarrier *bar = named(t, &op, id, threads);
    const uint32_t phase = bar->phase;
    --bar->pending;
    ct_grid_clock_arrive(t, bar, CT_ORDER_CTA);
    complete(t->grid, bar);
    while (waits && bar->phase == phase) {
        t->waits_for = bar;
        ct_grid_wait(t, THREAD_MBARRIER, site);
    }
    if (waits) ct_grid_clock_wait(t, bar, CT_ORDER_CTA);
}

/* The number of the named barrier that an mbarrier implements, or -1. */
static int name_of(const ct_grid_state *r, const ct_mbarrier *bar)
{
    const unsigned char *const first = r->named, *const end = first + sizeof r->named;
    return bar->at >= first && bar->at < end ? (int)(bar->at - first) % NAMED_BARRIERS : -1;
}

void ct_grid_mbarrier_deadlock(ct_grid_state *r, const ct_thread *t)
{
    const ct_mbarrier *bar = t->waits_for;
    const ct_dim3 b = ct_grid_block_of(t), i = t->indices.thread;
    if (name_of(r, bar) >= 0) {
        ct_grid_set_message(
            r, CT_GRID_E_DEADLOCK,
            "kernel %s, block (%u,%u,%u), thread (%u,%u,%u): deadlock: waits at %s for barrier %d, to which %d of %d "
            "threads have come",
            r->kernel->name, b.x, b.y, b.z, i.x, i.y, i.z, ct_grid_site_text(t->waits_at).text,
            name_of(r, bar), bar->count - bar->pending, bar->count);
        return;
    }
    const char *name = "shared memory";
    size_t offset = 0;
    const unsigned char *at = ct_grid_in_rank(r, bar->at, t->rank, 0);
    for (int k = 0; k < r->memory_count; ++k) {
        const ct_memory *m = &r->memories[k];
        if (!m->is_shared || at < m->base || at >= m->base + m->bytes) continue;
        name = m->name;
        offset = offset_in(m, at);
    }
    ct_grid_set_message(
        r, CT_GRID_E_DEADLOCK,
        "kernel %s, block (%u,%u,%u), thread (%u,%u,%u): deadlock: waits at %s for parity %d of "
        "the mbarrier at byte %zu of %s, which has completed %u phases; the next lacks %d of %d "
        "arrivals and %lld bytes",
        r->kernel->name, b.x, b.y, b.z, i.x, i.y, i.z, ct_grid_site_text(t->waits_at).text,
        t->parity, offset, name, (unsigned)(bar->phase - bar->first), bar->pending, bar->count,
        (long long)bar->bytes);
}

void ct_grid_fence_mbarrier_init(void)
{
    ct_thread *t = self();
    ct_grid_next_tick(t->grid);
    t->fenced_init = t->grid->tick;
}

void ct_grid_fence_async(void)
{
    ct_thread *t = self();
    ct_grid_note_fence(t, 0);
    t->fenced_init = t->grid->tick;
}

void ct_grid_fence_async_global(void) { ct_grid_note_fence(self(), 1); }
