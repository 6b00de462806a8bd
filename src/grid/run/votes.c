/* Reductions and comparisons over the lanes of a warp that meet. */
#include "run.h"

typedef struct vote {
    uint64_t value;
    uint32_t result;
    int how, is_signed;
} vote;

static uint32_t combined(const vote *v, uint32_t a, uint32_t b)
{
    const int is_less = v->is_signed ? (int32_t)a < (int32_t)b : a < b;
    switch (v->how) {
        case CT_REDUX_ADD: return a + b;
        case CT_REDUX_MIN: return is_less ? a : b;
        case CT_REDUX_MAX: return is_less ? b : a;
        case CT_REDUX_AND: return a & b;
        case CT_REDUX_OR: return a | b;
        default: return a ^ b;
    }
}

static void act_redux(ct_thread *last, const ct_operation *op, void *data[WARP_LANES])
{
    const vote *first = NULL;
    uint32_t result = 0;
    (void)last, (void)op;
    for (int i = 0; i < WARP_LANES; ++i) {
        const vote *const v = data[i];
        if (!v) continue;
        result = first ? combined(v, result, (uint32_t)v->value) : (uint32_t)v->value;
        first = v;
    }
    for (int i = 0; i < WARP_LANES; ++i)
        if (data[i]) ((vote *)data[i])->result = result;
}

uint32_t ct_grid_redux(ct_grid_site *site, uint32_t mask, int how, int is_signed, uint32_t value)
{
    const ct_operation op = {site, "redux.sync", 0, 0, 0, 0, 0};
    vote own = {value, 0, how, is_signed};
    ct_grid_meet(self(), &op, mask, &own, act_redux);
    return own.result;
}

/* how 1: all lanes, or none */
static void act_match(ct_thread *last, const ct_operation *op, void *data[WARP_LANES])
{
    uint32_t there = 0;
    (void)last, (void)op;
    for (int i = 0; i < WARP_LANES; ++i) there |= data[i] ? 1u << i : 0;
    for (int i = 0; i < WARP_LANES; ++i) {
        vote *const v = data[i];
        for (int k = 0; v && k < WARP_LANES; ++k)
            if (data[k] && ((const vote *)data[k])->value == v->value) v->result |= 1u << k;
        if (v && v->how && v->result != there) v->result = 0;
    }
}

uint32_t ct_grid_match(ct_grid_site *site, uint32_t mask, uint64_t value, int is_all)
{
    const ct_operation op = {site, "match.sync", 0, 0, 0, 0, 0};
    vote own = {value, 0, is_all, 0};
    ct_grid_meet(self(), &op, mask, &own, act_match);
    return own.result;
}

/* Two uses of one barrier overlap: while slow threads read the first result, others come again. All threads
 * of a named barrier take part in each use of it. */
int ct_grid_barrier_votes(ct_grid_site *site, int id, int threads, int predicate, int *all)
{
    ct_thread *const t = self();
    const ct_grid_state *const r = t->grid;
    const int is_block = id == 0 && threads == r->block_threads;
    if (!is_block && (id < 1 || id >= NAMED_BARRIERS || threads < WARP_LANES))
        ct_grid_named_barrier(site, id, threads, 1); /* fails */
    ct_barrier_votes *const v = &t->grid->votes[t->rank * NAMED_BARRIERS + id];
    const uint32_t use = is_block ? r->barrier_tick[t->rank] : v->came++ / (uint32_t)threads;
    if (v->use != use) {
        v->use = use;
        v->last ^= 1;
        v->yes[v->last] = v->all[v->last] = 0;
    }
    const int k = v->last;
    v->yes[k] += predicate;
    ++v->all[k];
    if (is_block) ct_grid_barrier_anywhere(site);
    else ct_grid_named_barrier(site, id, threads, 1);
    *all = v->all[k];
    return v->yes[k];
}
