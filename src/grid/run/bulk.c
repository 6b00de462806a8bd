/* Bulk and tile copies that have been issued. A load arrives as late as possible: when no thread
 * can continue and one waits for its mbarrier. A store is executed when its group is waited for, if
 * only until its source is read. Until then its bytes in shared memory are marked: no thread may
 * access a load's, or write a store's; and until the whole wait those in global memory (copies.c). */
#include "run.h"

#include <string.h>

enum { BULK_ALIGN = 16 };

static void note_stored(ct_thread *t, const ct_transfer *store, unsigned char *at, int64_t bytes)
{
    const ct_memory *const m = ct_grid_global_at(t->grid, at);
    (void)store;
    if (m && m->shadows) ct_grid_note_stored(t->grid, m->shadows + (at - m->base), bytes);
}

static void check_multiple(ct_thread *t, const ct_operation *op, int bytes)
{
    if (bytes < 0 || bytes % BULK_ALIGN != 0)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM, "%d bytes are not a multiple of %d", bytes,
                        BULK_ALIGN);
}

void ct_grid_bulk_load(ct_grid_site *site, void *dst, const void *src, int bytes, void *at,
                       int mask)
{
    ct_thread *t = self();
    const ct_operation from = {site,       "bulk copy from global memory", bytes, 0, 0, BULK_ALIGN,
                               ENGINE_COPY};
    const ct_operation to = {site,       "bulk copy to shared memory", bytes, 1, 1, BULK_ALIGN,
                             ENGINE_COPY};
    const ct_transfer what = {
        .shared = dst, .global = (unsigned char *)(uintptr_t)src, .bytes = bytes};
    check_multiple(t, &to, bytes);
    ct_mbarrier *bar = ct_grid_mbarrier_find(t, &to, at);
    if (bytes == 0) return;
    ct_grid_check(t, &from, src);
    ct_grid_transfer_load(t, &to, &what, bar, mask);
}

void ct_grid_bulk_store(ct_grid_site *site, void *dst, const void *src, int bytes, int reduce,
                        int elem)
{
    ct_thread *t = self();
    const ct_operation from = {site,       "bulk copy from shared memory", bytes, 1, 0, BULK_ALIGN,
                               ENGINE_COPY};
    const ct_operation to = {site,       "bulk copy to global memory",           bytes, 0, 1,
                             BULK_ALIGN, reduce ? ENGINE_REDUCTION : ENGINE_COPY};
    const ct_transfer what = {.shared = (unsigned char *)(uintptr_t)src,
                              .global = dst,
                              .bytes = bytes,
                              .reduce = reduce,
                              .elem = elem};
    check_multiple(t, &to, bytes);
    if (reduce && !ct_grid_reduce_known(reduce, elem, 0))
        ct_grid_fail_at(t, &to, CT_GRID_E_ATOM, "no such reduction for elements of type %d", elem);
    if (bytes == 0) return;
    ct_grid_check(t, &to, dst);
    ct_grid_transfer_store(t, &from, &what);
}

void ct_grid_bulk_prefetch(ct_grid_site *site, const void *src, int bytes)
{
    ct_thread *t = self();
    const ct_operation op = {site, "bulk prefetch", bytes, 0, 0, BULK_ALIGN, ENGINE_COPY};
    check_multiple(t, &op, bytes);
    if (bytes > 0) ct_grid_find_memory(t, &op, src);
}

/* ---- execution ------------------------------------------------------------------------------- */

static int land(ct_grid_state *r, const ct_transfer *load)
{
    int ok = 1;
    if (load->is_tile) ok = ct_grid_tile_load(load);
    else memcpy(load->shared, load->global, (size_t)load->bytes);
    for (int64_t i = 0; i < load->bytes; ++i) load->shadows[i].landing = 0;
    ct_grid_mbarrier_came(r, &r->mbarriers[load->bar],
                          load->is_tile ? ct_tma_bytes(&load->desc) : load->bytes);
    return ok;
}

static int leave(const ct_transfer *store)
{
    int ok = 1;
    if (store->is_tile) ok = ct_grid_tile_store(store);
    else if (store->reduce)
        ct_grid_reduce(store->reduce, store->elem, store->global, store->shared,
                       store->bytes / ct_elem_bytes(store->elem));
    else memcpy(store->global, store->shared, (size_t)store->bytes);
    ct_grid_mark_leaving(store, 0);
    return ok;
}

static int is_waited_for(const ct_grid_state *r, int bar)
{
    for (int i = 0; i < r->thread_count; ++i) {
        const ct_thread *t = &r->threads[i];
        if ((t->state == THREAD_MBARRIER || t->state == THREAD_TRY) &&
            t->waits_for == &r->mbarriers[bar])
            return 1;
    }
    return 0;
}

static void fail_load(ct_grid_state *r, const ct_transfer *load, int status, const char *what)
{
    const ct_dim3 b = ct_grid_block_of(&r->threads[load->thread]);
    const ct_dim3 i = ct_grid_thread_index(r, load->thread);
    ct_grid_set_message(
        r, status,
        "kernel %s, block (%u,%u,%u), thread (%u,%u,%u): bulk copy to shared memory "
        "at %s: %s",
        r->kernel->name, b.x, b.y, b.z, i.x, i.y, i.z, ct_grid_site_text(load->site).text, what);
}

/* Executes all loads of one barrier. Fails if its phase is complete before the last: on a GPU any of
 * them may be the last. */
static void land_phase(ct_grid_state *r, int bar)
{
    ct_transfers *loads = &r->loads;
    const uint32_t phase = r->mbarriers[bar].phase;
    int kept = 0, ok = 1;
    for (int i = 0; i < loads->count; ++i) {
        const ct_transfer *const load = &loads->list[i];
        if (load->bar == bar && r->mbarriers[bar].phase != phase) {
            fail_load(
                r, load, CT_GRID_E_MBARRIER,
                "its mbarrier expects fewer bytes, and completes the phase before they arrive");
            return;
        }
        if (load->bar == bar) ok &= land(r, load);
        else loads->list[kept++] = *load;
    }
    loads->count = kept;
    if (!ok)
        ct_grid_set_message(r, CT_GRID_E_MEMORY, "kernel %s: not enough memory for a tile",
                            r->kernel->name);
}

static int wake_tries(ct_grid_state *r)
{
    int woken = 0;
    if (r->tries >= MAX_TRIES) return 0;
    for (int i = 0; i < r->thread_count; ++i) {
        ct_thread *t = &r->threads[i];
        if (t->state != THREAD_TRY) continue;
        t->state = THREAD_READY;
        t->gave_up = 1;
        woken = 1;
    }
    r->tries += woken;
    return woken;
}

int ct_grid_engine_run(ct_grid_state *r)
{
    for (int bar = 0; bar < MAX_MBARRIERS; ++bar) {
        if (r->mbarriers[bar].at && is_waited_for(r, bar)) land_phase(r, bar);
    }
    for (int i = 0; i < r->thread_count; ++i) {
        if (r->threads[i].state == THREAD_READY) return 1;
    }
    return wake_tries(r);
}

void ct_grid_engine_run_some(ct_grid_state *r)
{
    if (r->loads.count == 0 || ct_grid_random(r, 4) != 0) return;
    land_phase(r, r->loads.list[ct_grid_random(r, (uint64_t)r->loads.count)].bar);
}

void ct_grid_bulk_commit(void) { ++self()->store_groups; }

/* Executes the stores of all groups but the newest, which have then read shared memory; returns how
 * many groups that are. */
static int64_t wait_until_read(ct_thread *t, int groups)
{
    ct_transfers *stores = &t->stores;
    const int64_t first = t->store_groups - groups; /* the oldest group that is not waited for */
    int ok = 1;
    if (stores->count > 0) ct_grid_maybe_yield(t, stores->list[0].site);
    while (stores->read < stores->count && stores->list[stores->read].group < first)
        ok &= leave(&stores->list[stores->read++]);
    if (!ok) {
        static ct_grid_site here = {__FILE__, __LINE__, 0, 0, ct_grid_home, 0, 0};
        const ct_operation op = {&here, "bulk wait", 0, 1, 0, 0, 0};
        ct_grid_fail_at(t, &op, CT_GRID_E_MEMORY, "not enough memory for a tile");
    }
    return first;
}

void ct_grid_bulk_wait_read(int groups) { wait_until_read(self(), groups); }

void ct_grid_bulk_wait(int groups)
{
    ct_thread *t = self();
    ct_transfers *stores = &t->stores;
    const int64_t first = wait_until_read(t, groups);
    int done = 0;
    while (done < stores->count && stores->list[done].group < first)
        ct_grid_transfer_each(t, &stores->list[done++], note_stored);
    if (done == 0) return;
    stores->count -= done;
    stores->read -= done;
    memmove(stores->list, stores->list + done, (size_t)stores->count * sizeof *stores->list);
}

void ct_grid_engine_end_thread(ct_thread *t)
{
    if (t->stores.read == t->stores.count) return;
    const ct_operation op = {
        t->stores.list[t->stores.read].site, "bulk copy from shared memory", 0, 1, 0, 0, 0};
    ct_grid_fail_at(
        t, &op, CT_GRID_E_IN_FLIGHT,
        "the thread has ended and not waited for it: shared memory ends with the block");
}

void ct_grid_engine_end_block(ct_grid_state *r)
{
    if (r->report->status || r->loads.count == 0) return;
    fail_load(r, &r->loads.list[0], CT_GRID_E_IN_FLIGHT,
              "the block has ended and nobody waited for it");
}
