/* The order that strong accesses and fences give. A release keeps what its thread knows at the address, and
 * an acquire that reads there learns it. A fence makes later strong writes of its thread releases of what it
 * knew then, and what its earlier strong reads found it learns (PTX ISA 9.0, 8.8, release and acquire
 * patterns).
 *
 * Both are of a scope: knowledge is kept once for the block, once for the cluster and once for the GPU. An
 * operation keeps it, and looks for it, in all scopes that its own one includes.
 * Blocks run together, or one after another. Of the earlier ones a thread knows all or nothing: all, once it
 * has acquired what one of them released. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "in_flight.h"

enum { SCOPE_STEP = CT_ATOMIC_CLUSTER, EVERYWHERE = -1, FIRST_TABLE = 64 };

/* What is known at an address. */
struct ct_released {
    const void *at; /* NULL: the place is free */
    int32_t domain; /* a block, a cluster, or EVERYWHERE */
    int32_t by;     /* the last thread that released there */
    uint32_t tick;  /* of the last release */
    uint32_t *clock;
};

static int scope_of(int order) { return order / SCOPE_STEP; }

static int is_global(const ct_grid_state *r, const void *at) { return ct_grid_rank_at(r, at) < 0; }

static int domain_of(const ct_thread *t, int scope)
{
    const int cluster = MAX_RESIDENT + t->rank / t->grid->cluster;
    return scope == CT_SCOPE_BLOCK ? t->rank : scope == CT_SCOPE_CLUSTER ? cluster : EVERYWHERE;
}

static size_t clock_bytes(const ct_grid_state *r)
{
    return (size_t)ct_grid_clock_entries(r) * sizeof(uint32_t);
}

/* The memory; the launch ends without it. */
static void *checked(ct_thread *t, void *p)
{
    if (p) return p;
    ct_grid_set_message(t->grid, CT_GRID_E_MEMORY, "kernel %s: not enough memory for the clocks",
                        t->grid->kernel->name);
    for (;;) ct_grid_wait(t, THREAD_READY, NULL);
}
static uint32_t *new_clock(ct_thread *t) { return checked(t, calloc(1, clock_bytes(t->grid))); }

/* The place of an address and a domain, or the free one where it belongs. */
static ct_released *place_of(const ct_grid_state *r, const void *at, int domain)
{
    const uint64_t key =
        ((uint64_t)(uintptr_t)at * 31 + (uint64_t)(domain + 1)) * 0x9e3779b97f4a7c15u;
    uint32_t i = (uint32_t)(key >> 32);
    for (;; ++i) {
        ct_released *const k = &r->released[i & (r->released_capacity - 1)];
        if (!k->at || (k->at == at && k->domain == domain)) return k;
    }
}

static void grow(ct_thread *t)
{
    ct_grid_state *const r = t->grid;
    ct_released *const old = r->released;
    const uint32_t before = r->released_capacity, capacity = before ? 2 * before : FIRST_TABLE;
    r->released = checked(t, calloc(capacity, sizeof *old));
    r->released_capacity = capacity;
    for (uint32_t i = 0; i < before; ++i)
        if (old[i].at) *place_of(r, old[i].at, old[i].domain) = old[i];
    free(old);
}

static ct_released *made(ct_thread *t, const void *at, int domain)
{
    ct_grid_state *const r = t->grid;
    if (2 * r->released_count >= r->released_capacity) grow(t);
    ct_released *const k = place_of(r, at, domain);
    if (k->at) return k;
    k->clock = new_clock(t);
    k->at = at;
    k->domain = domain;
    ++r->released_count;
    return k;
}

/* The clock of a thread, with what its barriers say, up to this action. */
static uint32_t *own_clock(ct_thread *t)
{
    ct_grid_state *const r = t->grid;
    (void)checked(t, ct_grid_clocks_make(r) ? r->clocks : NULL);
    const int first = t->warp * WARP_LANES, block = t->rank * r->block_threads;
    ct_grid_next_tick(r);
    for (int i = block; i < block + r->block_threads; ++i)
        if (t->clock[i] < r->barrier_tick[t->rank]) t->clock[i] = r->barrier_tick[t->rank];
    for (int i = 0; i < WARP_LANES && first + i < r->thread_count; ++i) {
        const uint32_t met = t->met[i] > r->warp_tick[t->warp] ? t->met[i] : r->warp_tick[t->warp];
        if (t->clock[first + i] < met) t->clock[first + i] = met;
    }
    t->clock[t->index] = r->tick;
    return t->clock;
}

/* A thread learns what a clock says. */
static void learn(ct_thread *t, const uint32_t *from)
{
    t->grid->learnt[t->rank] = 1;
    ct_grid_clock_join(t->grid, t->clock, from);
    if (t->grid->visible_from) ct_grid_clock_join(t->grid, t->clock + t->grid->visible_from, from);
}

static void acquire(ct_thread *t, const void *at, int order)
{
    const ct_grid_state *const r = t->grid;
    for (int scope = 0; scope <= scope_of(order); ++scope) {
        const ct_released *const k = place_of(r, at, domain_of(t, scope));
        if (!k->at) continue;
        uint32_t *const earlier = &k->clock[ct_grid_earlier(r)];
        if (k->tick < r->block_tick && scope == CT_SCOPE_GPU && is_global(r, at))
            *earlier = r->block_tick;
        if (order & CT_ATOMIC_ACQUIRE) {
            learn(t, k->clock);
            continue;
        }
        if (!t->found[scope]) t->found[scope] = new_clock(t);
        ct_grid_clock_join(r, t->found[scope], k->clock);
    }
}

/* What the last fence of this scope or a wider one lets a strong write release, or NULL. */
static const uint32_t *fenced(const ct_thread *t, int scope)
{
    int last = scope;
    for (int s = scope; s < CT_SCOPES; ++s)
        if (t->fenced_at[s] > t->fenced_at[last]) last = s;
    return t->fenced_at[last] >= t->grid->block_tick ? t->fenced[last] : NULL;
}

static void release(ct_thread *t, int kind, const void *at, int order)
{
    ct_grid_state *const r = t->grid;
    const uint32_t *const own = order & CT_ATOMIC_RELEASE ? own_clock(t) : NULL;
    for (int scope = 0; scope < CT_SCOPES; ++scope) {
        const int reaches = scope <= scope_of(order), domain = domain_of(t, scope);
        const uint32_t *const from = !reaches ? NULL : own ? own : fenced(t, scope);
        ct_released *k = r->released ? place_of(r, at, domain) : NULL;
        if (!from && !(k && k->at)) continue;
        if (from) k = made(t, at, domain);
        /* another thread's store ends what was released, an update and the thread's own store pass it on */
        if (kind == CT_ATOMIC_STORE && k->by != t->index) memset(k->clock, 0, clock_bytes(r));
        if (!from) continue;
        ct_grid_clock_join(r, k->clock, from);
        k->by = t->index;
        k->tick = r->tick;
    }
}

void ct_grid_release_access(ct_thread *t, int kind, const void *at, int order)
{
    if (kind != CT_ATOMIC_STORE && t->grid->released) acquire(t, at, order);
    if (kind != CT_ATOMIC_LOAD) release(t, kind, at, order);
}

void ct_grid_fence(int order)
{
    ct_thread *const t = self();
    const int scope = scope_of(order);
    uint32_t *const own = own_clock(t);
    for (int s = 0; s <= scope; ++s)
        if (t->found[s]) learn(t, t->found[s]);
    if (!t->fenced[scope]) t->fenced[scope] = new_clock(t);
    memcpy(t->fenced[scope], own, clock_bytes(t->grid));
    t->fenced_at[scope] = t->grid->tick;
}

int ct_grid_knows_earlier(const ct_thread *t)
{
    return t->clock && t->clock[ct_grid_earlier(t->grid)] >= t->grid->block_tick;
}

void ct_grid_release_reset(ct_thread *t)
{
    for (int s = 0; s < CT_SCOPES; ++s) {
        t->fenced_at[s] = 0;
        if (t->found[s]) memset(t->found[s], 0, clock_bytes(t->grid));
    }
}

void ct_grid_release_free(ct_grid_state *r)
{
    for (int i = 0; r->threads && i < r->thread_count; ++i)
        for (int s = 0; s < CT_SCOPES; ++s) {
            free(r->threads[i].fenced[s]);
            free(r->threads[i].found[s]);
        }
    for (uint32_t i = 0; i < r->released_capacity; ++i) free(r->released[i].clock);
    free(r->released);
}
