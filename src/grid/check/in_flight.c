/* Copies and instructions in flight, and the order of actions of threads and of warpgroups. */
#include "in_flight.h"

#include "grid/engine/wgmma_state.h"

const ct_grid_site *ct_grid_flight_site(const ct_grid_state *r, const ct_shadow *s)
{
    const ct_thread *t = &r->threads[s->flight - 1];
    for (int i = 0; i < t->flight_count; ++i) {
        const ct_flight *f = &t->flights[i];
        if (s >= f->shadows && s < f->shadows + f->bytes) return f->site;
    }
    return t->flights[0].site;
}

void ct_grid_check_sources(ct_thread *t, const ct_operation *op, const ct_memory *m, size_t offset)
{
    for (int i = 0; i < t->flight_count; ++i) {
        const ct_flight *f = &t->flights[i];
        const unsigned char *at = m->base + offset;
        if (f->from != m || at >= f->src + f->src_bytes || f->src >= at + op->bytes) continue;
        ct_grid_fail_at(
            t, op, CT_GRID_E_IN_FLIGHT,
            "byte %zu of %s is the source of this thread's cp.async at %s, which was not "
            "waited for",
            (size_t)((at > f->src ? at : f->src) - m->base), m->name,
            ct_grid_site_text(f->site).text);
    }
}

int ct_grid_is_ordered(const ct_grid_state *r, uint32_t stamp, int by, const ct_thread *t)
{
    return ct_grid_comes_before(r, stamp, by, t);
}

int ct_grid_is_visible(const ct_grid_state *r, uint32_t stamp, int by, const ct_thread *t)
{
    return ct_grid_comes_before_by(r, stamp, by, t, r->visible_from);
}

/* ---- wgmma ----------------------------------------------------------------------------------- */

/* Groups are counted for each block: the last group of a block may have fewer threads. */
int ct_grid_wgmma_number(const ct_thread *t)
{
    const int each = (t->grid->block_threads + WARPGROUP_THREADS - 1) / WARPGROUP_THREADS;
    return t->rank * each + t->index % t->grid->block_threads / WARPGROUP_THREADS;
}

int ct_grid_wgmma_thread(const ct_grid_state *r, int group)
{
    return r->wgmmas->groups[group].first;
}

const ct_grid_site *ct_grid_wgmma_in_flight(const ct_grid_state *r, uint32_t stamp, int group)
{
    const ct_wgmma_group *const g = &r->wgmmas->groups[group];
    for (int i = 0; i < g->product_count; ++i)
        if (g->products[i].stamp == stamp) return g->products[i].site;
    return NULL;
}

/* The first wait of the group after which an instruction issued at the stamp is complete; NULL if
 * it is in flight. */
static const ct_wgmma_completion *completion_of(const ct_wgmma_group *g, uint32_t stamp)
{
    int first = 0, end = g->completion_count;
    while (first < end) {
        const int middle = (first + end) / 2;
        if (g->completions[middle].until > stamp) end = middle;
        else first = middle + 1;
    }
    return first < g->completion_count ? &g->completions[first] : NULL;
}

/* Whether the wait of some thread of these, at the stamp, comes before what t does now. */
static int has_one_waited(const ct_grid_state *r, uint32_t stamp, int first, int count,
                          const ct_thread *t)
{
    for (int i = first; i < first + count; ++i)
        if (ct_grid_is_ordered(r, stamp, i, t)) return 1;
    return 0;
}

/* A wait is that of the warp's own part (PTX ISA 9.0, wgmma.wait_group): a thread of the group knows of the
 * other warps what barriers tell it. Others may learn it of one thread for all, which is how CUTLASS releases
 * a stage. */
int ct_grid_wgmma_is_before(const ct_grid_state *r, uint32_t stamp, int group, const ct_thread *t)
{
    if (stamp < r->block_tick) return 1;
    const ct_wgmma_group *const g = &r->wgmmas->groups[group];
    const ct_wgmma_completion *const wait = completion_of(g, stamp);
    if (!wait) return 0;
    if (t->index < g->first || t->index >= g->first + WARPGROUP_THREADS)
        return has_one_waited(r, wait->at, g->first, WARPGROUP_THREADS, t);
    for (int i = g->first; i < g->first + WARPGROUP_THREADS; i += WARP_LANES)
        if (!has_one_waited(r, wait->at, i, WARP_LANES, t)) return 0;
    return 1;
}

int ct_grid_wgmma_has_met(const ct_grid_state *r, uint32_t stamp, int by, const ct_thread *t)
{
    if (!r->wgmmas) return 0;
    const ct_wgmma_group *const g = &r->wgmmas->groups[ct_grid_wgmma_number(&r->threads[by])];
    int k = g->completion_count;
    while (k > 0 && g->completions[k - 1].at >= stamp) --k; /* the first wait since the stamp */
    if (k == g->completion_count) return 0;
    for (int i = 0; i < WARPGROUP_THREADS; ++i)
        if (ct_grid_is_ordered(r, g->completions[k].at, g->first + i, t)) return 1;
    return 0;
}
