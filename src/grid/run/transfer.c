/* Issuing bulk and tile copies: their bytes in shared memory are marked until they arrive or have left. */
#include "run.h"

#include "base/list.h"

ct_transfer *ct_grid_transfer_new(ct_thread *t, const ct_operation *op, ct_transfers *transfers)
{
    ct_transfer *const list =
        ct_grown(transfers->list, transfers->count, &transfers->capacity, sizeof *list);
    if (!list)
        ct_grid_fail_at(t, op, CT_GRID_E_MEMORY, "not enough memory for the copies in flight");
    transfers->list = list;
    return &transfers->list[transfers->count++];
}

/* The shadows of shared memory that passed ct_grid_find_memory. */
static ct_shadow *shadows_of(const ct_grid_state *r, const unsigned char *shared)
{
    return r->arena_shadows + (shared - r->arena);
}

static void note_source(ct_thread *t, const ct_transfer *load, unsigned char *at, int64_t bytes)
{
    const ct_memory *const m = ct_grid_global_at(t->grid, at);
    if (m && m->shadows) ct_grid_note_copy_read(t, m, (size_t)(at - m->base), bytes, load->bar);
}

/* Issues the load to one block of the cluster. */
static void load_one(ct_thread *t, const ct_operation *op, const ct_transfer *what,
                     ct_mbarrier *bar)
{
    ct_grid_state *r = t->grid;
    const ct_thread *maker = &r->threads[bar->maker];
    if (!r->options->no_init_fence && maker->fenced_init <= bar->made &&
        t->fenced_init <= bar->made)
        ct_grid_fail_at(t, op, CT_GRID_E_PROXY,
                        "its mbarrier was initialised, and no ct_fence_mbarrier_init follows");
    ct_grid_check(t, op, what->shared);
    ct_transfer *load = ct_grid_transfer_new(t, op, &r->loads);
    *load = *what;
    load->site = op->site;
    load->thread = t->index;
    load->bar = (int32_t)(bar - r->mbarriers);
    load->shadows = shadows_of(r, what->shared);
    bar->last_site = op->site;
    bar->last_thread = t->index;
    ct_grid_note_landing(t, load->shadows, load->bytes, load->bar);
    ct_grid_waits_load(t, bar);
    ct_grid_transfer_each(t, load, note_source);
}

void ct_grid_transfer_load(ct_thread *t, const ct_operation *op, const ct_transfer *what,
                           ct_mbarrier *bar, int mask)
{
    const ct_grid_state *r = t->grid;
    const int first = ct_grid_first_rank(t);
    if (mask >> r->cluster)
        ct_grid_fail_at(t, op, CT_GRID_E_LAUNCH,
                        "multicast mask 0x%04x names blocks outside the cluster, which has %d",
                        (unsigned)mask, r->cluster);
    if (mask == 0) load_one(t, op, what, bar);
    for (int rank = 0; rank < r->cluster; ++rank) {
        ct_transfer there = *what;
        if (!(mask >> rank & 1)) continue;
        there.shared = ct_grid_in_rank(r, what->shared, t->rank, first + rank);
        load_one(t, op, &there,
                 ct_grid_mbarrier_find(t, op, ct_grid_in_rank(r, bar->at, t->rank, first + rank)));
    }
}

void ct_grid_mark_leaving(const ct_transfer *store, int leaving)
{
    for (int64_t i = 0; i < store->bytes; ++i) store->shadows[i].leaving = leaving != 0;
}

void ct_grid_transfer_store(ct_thread *t, const ct_operation *op, const ct_transfer *what)
{
    ct_grid_check(t, op, what->shared);
    ct_transfer *store = ct_grid_transfer_new(t, op, &t->stores);
    *store = *what;
    store->site = op->site;
    store->thread = t->index;
    store->group = t->store_groups;
    store->shadows = shadows_of(t->grid, what->shared);
    ct_grid_mark_leaving(store, 1);
}
