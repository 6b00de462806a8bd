/* Clusters: the accesses of threads to other blocks, and the cluster's barrier, which threads reach
 * by ct_cluster_sync, or by an arrival and a wait later. */
#include "run.h"

#include <string.h>

int ct_grid_rank_in_cluster(ct_thread *t, const ct_operation *op, int block)
{
    if (block < 0 || block >= t->grid->cluster)
        ct_grid_fail_at(t, op, CT_GRID_E_LAUNCH, "block %d of the cluster, which has %d", block,
                        t->grid->cluster);
    return ct_grid_first_rank(t) + block;
}

void ct_grid_peer_access(ct_thread *t, const ct_operation *op, int rank)
{
    const ct_peer_access access = {op->site, op->verb, t->grid->tick};
    if (rank != t->rank) t->peers[rank % t->grid->cluster] = access;
}

/* Whether the end of a block comes after an action of thread t: some thread of the block knows it. */
static int is_before_end(const ct_grid_state *r, int rank, const ct_thread *t, uint32_t stamp)
{
    const ct_thread *const block = &r->threads[rank * r->block_threads];
    if (stamp < r->cluster_tick) return 1;
    for (int i = 0; r->clocks && i < r->block_threads; ++i) {
        if (stamp < block[i].clock[t->index]) return 1;
    }
    return 0;
}

static void report_end(ct_grid_state *r, const ct_thread *t, const ct_peer_access *access, int rank)
{
    const ct_dim3 b = ct_grid_block_of(t), i = t->indices.thread, peer = r->blocks[rank].block;
    ct_grid_set_message(r, CT_GRID_E_RACE,
                        "kernel %s, block (%u,%u,%u), thread (%u,%u,%u): %s at %s: race: block "
                        "(%u,%u,%u), whose shared memory this is, may have ended; it waits for no "
                        "barrier after this",
                        r->kernel->name, b.x, b.y, b.z, i.x, i.y, i.z, access->verb,
                        ct_grid_site_text(access->site).text, peer.x, peer.y, peer.z);
}

void ct_grid_check_peers(ct_grid_state *r)
{
    for (int i = 0; r->cluster > 1 && i < r->thread_count; ++i) {
        const ct_thread *const t = &r->threads[i];
        for (int k = 0; k < r->cluster && !r->report->status; ++k) {
            const ct_peer_access *const access = &t->peers[k];
            const int rank = ct_grid_first_rank(t) + k;
            if (access->site && !is_before_end(r, rank, t, access->stamp))
                report_end(r, t, access, rank);
        }
    }
}

/* ---- the barrier ----------------------------------------------------------------------------- */

static ct_mbarrier *barrier_of(const ct_thread *t)
{
    return &t->grid->mbarriers[CLUSTER_BARRIER + t->rank / t->grid->cluster];
}

static int has_arrived(const ct_thread *t)
{
    return t->arrived_at && t->arrived_phase == barrier_of(t)->phase;
}

static void check_first(ct_thread *t, const ct_operation *op)
{
    if (t->arrived_at)
        ct_grid_fail_at(t, op, CT_GRID_E_DIVERGENCE,
                        "the thread has arrived at %s, and no ct_cluster_wait follows",
                        ct_grid_site_text(t->arrived_at).text);
}

void ct_grid_cluster_barrier(ct_grid_site *site)
{
    ct_thread *const t = self();
    const ct_operation op = {site, "barrier.cluster", 0, 0, 0, 0, 0};
    check_first(t, &op);
    ct_grid_wait(t, THREAD_CLUSTER, site);
}

void ct_grid_cluster_arrive(ct_grid_site *site, int order)
{
    ct_thread *const t = self();
    const ct_operation op = {site, "barrier.cluster.arrive", 0, 0, 0, 0, 0};
    check_first(t, &op);
    if (!ct_grid_clocks_make(t->grid))
        ct_grid_fail_at(t, &op, CT_GRID_E_MEMORY, "not enough memory for the clocks");
    ct_grid_maybe_yield(t, site);
    t->arrived_at = site;
    t->arrived_phase = barrier_of(t)->phase;
    ct_grid_clock_arrive(t, barrier_of(t), order);
}

void ct_grid_cluster_wait(ct_grid_site *site)
{
    ct_thread *const t = self();
    const ct_operation op = {site, "barrier.cluster.wait", 0, 0, 0, 0, 0};
    if (!t->arrived_at)
        ct_grid_fail_at(t, &op, CT_GRID_E_DIVERGENCE, "no ct_cluster_arrive precedes");
    while (has_arrived(t)) ct_grid_wait(t, THREAD_CLUSTER, site);
    t->arrived_at = NULL;
    ct_grid_clock_wait(t, barrier_of(t), CT_ORDER_CLUSTER);
}

/* The threads of the cluster of the blocks from `rank` on. */
static ct_thread *threads_of(ct_grid_state *r, int rank)
{
    return r->threads + (ptrdiff_t)rank * r->block_threads;
}

static int have_some_arrived(ct_grid_state *r, int rank)
{
    for (int i = 0; i < r->cluster * r->block_threads; ++i) {
        if (has_arrived(&threads_of(r, rank)[i])) return 1;
    }
    return 0;
}

/* A thread that has ended is not missing, while its block has others. */
static int is_block_there(const ct_grid_state *r, int rank)
{
    for (int i = 0; i < r->block_threads; ++i) {
        if (r->threads[rank * r->block_threads + i].state != THREAD_DONE) return 1;
    }
    return 0;
}

ct_thread *ct_grid_cluster_missing(ct_grid_state *r, int rank)
{
    if (!have_some_arrived(r, rank)) return NULL;
    for (int i = 0; i < r->cluster * r->block_threads; ++i) {
        ct_thread *const t = &threads_of(r, rank)[i];
        if (has_arrived(t) || t->state == THREAD_CLUSTER) continue;
        if (t->state != THREAD_DONE || !is_block_there(r, t->rank)) return t;
    }
    return NULL;
}

/* The same for the cluster of the blocks from `rank` on. */
static int pass(ct_grid_state *r, int rank)
{
    ct_thread *const threads = threads_of(r, rank);
    ct_mbarrier *const bar = barrier_of(threads);
    if (!have_some_arrived(r, rank) || ct_grid_cluster_missing(r, rank)) return 0;
    for (int i = 0; i < r->cluster * r->block_threads; ++i) {
        ct_thread *const t = &threads[i];
        if (t->state == THREAD_CLUSTER && !t->arrived_at)
            ct_grid_clock_arrive(t, bar, CT_ORDER_CLUSTER);
    }
    ct_grid_clock_end_phase(r, bar);
    for (int i = 0; i < r->cluster * r->block_threads; ++i) {
        ct_thread *const t = &threads[i];
        if (t->state != THREAD_CLUSTER) continue;
        if (!t->arrived_at) ct_grid_clock_wait(t, bar, CT_ORDER_CLUSTER);
        t->state = THREAD_READY;
    }
    ++bar->phase;
    r->tries = 0;
    return 1;
}

int ct_grid_cluster_pass(ct_grid_state *r)
{
    int passed = 0;
    for (int rank = 0; rank < r->resident; rank += r->cluster) passed |= pass(r, rank);
    return passed;
}
