/* wgmma on the grid. The four warps meet, each thread with its words of D; the last to arrive
 * checks and reads the operands, and multiplies. The group keeps the sums until it waits. Until
 * then the threads' words of D are WGMMA_POISON, and the operands in shared memory count as being
 * read. The wait writes the sums to the threads' words. It fails if words of D, or of A in
 * registers, have changed since the instruction.
 *
 * The shadow of shared memory notes the group of such a read and its stamp. The read comes before
 * an action of a thread if the wait of one of the group's threads comes before that action. */
#include "wgmma.h"

#include <stdlib.h>
#include <string.h>

#include <cutlet/mma/mma_atom.h>

#include "base/list.h"

/* ---- memory ---------------------------------------------------------------------------------- */

static ct_wgmma_group *group_of(ct_thread *t, const ct_operation *op)
{
    ct_grid_state *const r = t->grid;
    if (!r->wgmmas) r->wgmmas = ct_grid_wgmma_memory(t, op, calloc(1, sizeof *r->wgmmas));
    ct_wgmma_group *const g = &r->wgmmas->groups[ct_grid_wgmma_number(t)];
    g->first = ct_grid_warpgroup_of(t)->index;
    return g;
}

/* The list, with room for one more item. */
static void *grown(ct_thread *t, const ct_operation *op, void *list, int count, int *capacity,
                   size_t bytes)
{
    return ct_grid_wgmma_memory(t, op, ct_grown(list, count, capacity, bytes));
}

void ct_grid_wgmma_free(ct_grid_state *r)
{
    for (int i = 0; r->wgmmas && i < MAX_GROUPS; ++i) {
        ct_wgmma_group *const g = &r->wgmmas->groups[i];
        free(g->products);
        free(g->completions);
        for (int k = 0; k < MAX_SUMS; ++k) free(g->d[k]);
        for (int k = 0; k < MAX_KNOWN; ++k) free(g->known[k]);
    }
    free(r->wgmmas);
}

void ct_grid_wgmma_reset(ct_grid_state *r)
{
    for (int i = 0; r->wgmmas && i < MAX_GROUPS; ++i) {
        ct_wgmma_group *const g = &r->wgmmas->groups[i];
        g->product_count = g->completion_count = 0;
        for (int k = 0; k < MAX_SUMS; ++k)
            if (g->d[k]) g->d[k]->in_flight = 0;
        for (int k = 0; k < MAX_KNOWN; ++k)
            if (g->known[k]) g->known[k]->count = 0;
    }
}

int ct_grid_wgmma_is_any(const ct_grid_state *r)
{
    for (int i = 0; r->wgmmas && i < MAX_GROUPS; ++i)
        if (r->wgmmas->groups[i].product_count > 0) return 1;
    return 0;
}

/* ---- an instruction -------------------------------------------------------------------------- */

/* Fails if the threads of the group execute different instructions. */
static void check_same(ct_thread *group, const ct_operation *op)
{
    const ct_wgmma_lane *const first = group[0].meeting.data;
    for (int i = 1; i < WARPGROUP_THREADS; ++i) {
        const ct_wgmma_lane *const here = group[i].meeting.data;
        const char *what = NULL;
        if (!ct_mma_same_op(*here->op, *first->op)) what = "instruction";
        else if (here->a_descriptor != first->a_descriptor) what = "descriptor of A";
        else if (here->b_descriptor != first->b_descriptor) what = "descriptor of B";
        else if (here->scale_d != first->scale_d) what = "scale of D";
        else if (group[i].wgmma_groups != group[0].wgmma_groups)
            what = "number of groups committed";
        if (what)
            ct_grid_fail_at(&group[i], op, CT_GRID_E_DIVERGENCE,
                            "the %s differs from that of the first thread of the warpgroup", what);
    }
}

/* The sums in flight whose D is the array of a thread, or NULL. */
static ct_wgmma_sums *in_flight_of(const ct_wgmma_group *g, const ct_thread *t)
{
    const ct_wgmma_lane *const own = t->meeting.data;
    for (int k = 0; k < MAX_SUMS && g->d[k]; ++k)
        if (g->d[k]->in_flight && g->d[k]->at[ct_grid_wgmma_rank(t)] == own->d) return g->d[k];
    return NULL;
}

/* The sums of the instruction: those in flight for its D, or new ones from the threads' words. */
static ct_wgmma_sums *sums_of(ct_thread *group, const ct_operation *op, ct_wgmma_group *g)
{
    const ct_wgmma_lane *const first = group[0].meeting.data;
    ct_wgmma_sums *const same = in_flight_of(g, group);
    int k = 0;
    for (int i = 1; i < WARPGROUP_THREADS; ++i)
        if (in_flight_of(g, &group[i]) != same)
            ct_grid_fail_at(&group[i], op, CT_GRID_E_DIVERGENCE,
                            "D is a different array from that of the first thread of the "
                            "warpgroup");
    if (same) return same;
    while (k < MAX_SUMS && g->d[k] && g->d[k]->in_flight) ++k;
    if (k == MAX_SUMS)
        ct_grid_fail_at(group, op, CT_GRID_E_ATOM, "more than %d arrays of D in flight", MAX_SUMS);
    if (!g->d[k]) g->d[k] = ct_grid_wgmma_memory(group, op, calloc(1, sizeof *g->d[k]));
    ct_wgmma_sums *const d = g->d[k];
    for (int i = 0; i < WARPGROUP_THREADS; ++i)
        d->at[i] = ((const ct_wgmma_lane *)group[i].meeting.data)->d;
    d->op = *first->op;
    d->poison = WGMMA_POISON + WGMMA_POISON_STEP * (uint32_t)k;
    if (first->scale_d) ct_grid_wgmma_take_d(group, d);
    ct_grid_wgmma_poison(d);
    return d;
}

static void keep_a(ct_thread *group, ct_wgmma_product *p)
{
    for (int i = 0; i < WARPGROUP_THREADS; ++i) {
        const ct_wgmma_lane *const own = group[i].meeting.data;
        p->has_a = own->a != NULL;
        if (!p->has_a) return;
        p->a[i] = (unsigned char *)(uintptr_t)own->a;
        memcpy(p->a_held[i], own->a, sizeof p->a_held[i]);
    }
}

static void spread(ct_thread *group, const ct_operation *op, const ct_wgmma_lane *own, double *a)
{
    uint32_t words[WARPGROUP_THREADS];
    for (int i = 0; i < WARPGROUP_THREADS; ++i)
        words[i] = ((const ct_wgmma_lane *)group[i].meeting.data)->metadata->word;
    ct_grid_spread(group, op, own->op, own->metadata, words, a, own->op->k, 1);
}

static void act_wgmma(ct_thread *group, const ct_operation *op)
{
    ct_grid_state *const r = group->grid;
    ct_wgmma_group *const g = group_of(group, op);
    const ct_wgmma_lane *const own = group[0].meeting.data;
    const ct_operation of_a = {op->site, "A of wgmma from shared memory", 16, 1, 0, 0, ENGINE_COPY};
    const ct_operation of_b = {op->site, "B of wgmma from shared memory", 16, 1, 0, 0, ENGINE_COPY};
    double *const a = r->wgmmas->a, *const b = r->wgmmas->b;
    check_same(group, op);
    ct_grid_next_tick(r);
    if (own->a) ct_grid_wgmma_take_a(group, a);
    else ct_grid_wgmma_read(group, &of_a, own->op, CT_MMA_A, own->a_descriptor, a, own->op->k, 1);
    if (own->op->sparse) spread(group, op, own, a);
    ct_grid_wgmma_read(group, &of_b, own->op, CT_MMA_B, own->b_descriptor, b, 1, own->op->n);
    g->products =
        grown(group, op, g->products, g->product_count, &g->product_capacity, sizeof *g->products);
    ct_wgmma_product *const p = &g->products[g->product_count];
    p->site = op->site;
    p->stamp = r->tick;
    p->group = group->wgmma_groups;
    keep_a(group, p);
    p->d = sums_of(group, op, g);
    p->d->site = op->site;
    ++p->d->in_flight;
    ++g->product_count;
    ct_grid_wgmma_multiply(own->op, a, b, own->scale_d, p->d->value);
}

static void check_exists(ct_thread *t, const ct_operation *op, const ct_mma_op *mma,
                         int in_registers)
{
    ct_mma_op plain = *mma;
    const int transposed_a = mma->major == CT_MMA_NN || mma->major == CT_MMA_NT;
    plain.major = CT_MMA_TN;
    if (mma->kind != CT_MMA_WARPGROUP)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM, "the instruction is not one of a warpgroup");
    if (!ct_grid_wgmma_exists(plain))
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM,
                        "there is no such instruction: see ct_make_mma_atom");
    if (mma->major != CT_MMA_TN && (ct_mma_bits(mma->a) != 16 || (in_registers && transposed_a)))
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM,
                        "only operands of 16 bits in shared memory are contiguous along m or n");
    if ((mma->a_from == CT_MMA_REGISTERS) != in_registers)
        ct_grid_fail_at(t, op, CT_GRID_E_ATOM,
                        in_registers ? "A of an atom SS is a descriptor"
                                     : "A of an atom RS is the thread's words");
}

static void wgmma(ct_grid_site *site, ct_wgmma_lane *own, const void *frames)
{
    ct_thread *const t = self();
    const ct_operation op = {site, "wgmma", 0, 0, 0, 0, 0}, words = {site, "wgmma", 4, 0, 0, 0, 0};
    const ct_wgmma_group *const g = group_of(t, &op);
    check_exists(t, &op, own->op, own->a != NULL);
    ct_grid_check_metadata(t, &op, own->op, own->metadata);
    ct_grid_check_aligned(t, &words, own->d);
    ct_grid_check_aligned(t, &words, own->a);
    ct_grid_wgmma_check_untouched(t, &op, g);
    ct_grid_wgmma_check_unread(t, &op, g, frames);
    ct_grid_wgmma_check_free(t, &op, g, own);
    ct_grid_wgmma_check_fenced(t, &op, g, own->d, ct_grid_wgmma_words(own->op), "D");
    if (own->a) ct_grid_wgmma_check_fenced(t, &op, g, own->a, WORDS_A, "A");
    ct_grid_meet_warpgroup(t, &op, own, act_wgmma);
}

void ct_grid_wgmma_ss(ct_grid_site *site, const ct_mma_op *op, void *d, uint64_t a, uint64_t b,
                      int scale_d)
{
    ct_wgmma_lane own = {op, d, NULL, a, b, scale_d != 0, NULL};
    wgmma(site, &own, CT_GRID_FRAMES);
    ct_grid_wgmma_forget();
}

void ct_grid_wgmma_rs(ct_grid_site *site, const ct_mma_op *op, void *d, const void *a, uint64_t b,
                      int scale_d)
{
    ct_wgmma_lane own = {op, d, a, 0, b, scale_d != 0, NULL};
    wgmma(site, &own, CT_GRID_FRAMES);
    ct_grid_wgmma_forget();
}

void ct_grid_wgmma_lane(ct_grid_site *site, ct_wgmma_lane *own)
{
    wgmma(site, own, CT_GRID_FRAMES);
    ct_grid_wgmma_forget();
}

/* ---- groups of instructions ------------------------------------------------------------------ */

void ct_grid_wgmma_fence(void)
{
    ct_thread *const t = self();
    ct_grid_next_tick(t->grid);
    t->wgmma_fenced = t->grid->tick;
}

void ct_grid_wgmma_commit(void) { ++self()->wgmma_groups; }

/* Writes the sums to the threads' words. */
static void hand_over(ct_thread *group, const ct_operation *op, ct_wgmma_group *g, ct_wgmma_sums *d)
{
    const int count = ct_grid_wgmma_words(&d->op);
    ct_grid_wgmma_give_d(group, d);
    ct_wgmma_words *const known = ct_grid_wgmma_known(group, op, g, d->at, count);
    for (int i = 0; i < WARPGROUP_THREADS; ++i) memcpy(known->held[i], d->at[i], 4 * (size_t)count);
}

static void complete(ct_thread *group, const ct_operation *op, ct_wgmma_group *g,
                     const ct_wgmma_product *p)
{
    if (p->has_a) {
        ct_wgmma_words *const known = ct_grid_wgmma_known(group, op, g, p->a, WORDS_A);
        for (int i = 0; i < WARPGROUP_THREADS; ++i)
            memcpy(known->held[i], p->a_held[i], sizeof p->a_held[i]);
    }
    if (--p->d->in_flight == 0) hand_over(group, op, g, p->d);
}

static void act_wait(ct_thread *group, const ct_operation *op)
{
    ct_grid_state *const r = group->grid;
    ct_wgmma_group *const g = group_of(group, op);
    const int groups = *(const int *)group[0].meeting.data;
    const int64_t first = group->wgmma_groups - groups; /* the oldest group not waited for */
    int done = 0;
    for (int i = 1; i < WARPGROUP_THREADS; ++i)
        if (*(const int *)group[i].meeting.data != groups ||
            group[i].wgmma_groups != group->wgmma_groups)
            ct_grid_fail_at(
                &group[i], op, CT_GRID_E_DIVERGENCE,
                "the number of groups differs from that of the first thread of the warpgroup");
    while (done < g->product_count && g->products[done].group < first)
        complete(group, op, g, &g->products[done++]);
    if (done == 0) return;
    memmove(g->products, g->products + done,
            (size_t)(g->product_count - done) * sizeof *g->products);
    g->product_count -= done;
    g->completions = grown(group, op, g->completions, g->completion_count, &g->completion_capacity,
                           sizeof *g->completions);
    const uint32_t until = g->product_count > 0 ? g->products[0].stamp : r->tick + 1;
    g->completions[g->completion_count++] = (ct_wgmma_completion){until, r->tick};
}

void ct_grid_wgmma_wait(ct_grid_site *site, int groups)
{
    ct_thread *const t = self();
    const ct_operation op = {site, "wait for wgmma", 0, 0, 0, 0, 0};
    if (groups < 0 || groups > MAX_WAIT)
        ct_grid_fail_at(t, &op, CT_GRID_E_ATOM, "all but %d groups; 0 to %d are allowed", groups,
                        MAX_WAIT);
    const ct_wgmma_group *const g = group_of(t, &op);
    ct_grid_wgmma_check_untouched(t, &op, g);
    ct_grid_wgmma_check_unread(t, &op, g, CT_GRID_FRAMES);
    ct_grid_meet_warpgroup(t, &op, &groups, act_wait);
    ct_grid_wgmma_forget();
}

void ct_grid_wgmma_check_variable(ct_thread *t, const ct_operation *op, const void *reg)
{
    const ct_wgmma_group *const g = group_of(t, op);
    const ct_wgmma_sums *const d = ct_grid_wgmma_that_write(t, g, reg, op->bytes);
    if (d)
        ct_grid_fail_at(
            t, op, CT_GRID_E_IN_FLIGHT,
            "the thread's own variable is D of the wgmma at %s, which was not waited for",
            ct_grid_site_text(d->site).text);
    if (op->is_write) ct_grid_wgmma_check_value(t, op, g, reg);
}

void ct_grid_wgmma_done(ct_grid_site *site, const void *to, int count)
{
    ct_thread *const t = self();
    const ct_operation op = {site, "ct_wgmma_done", 0, 0, 0, 0, 0};
    const ct_wgmma_sums *const d = ct_grid_wgmma_that_write(t, group_of(t, &op), to, 4 * count);
    if (d)
        ct_grid_fail_at(t, &op, CT_GRID_E_IN_FLIGHT, "D of the wgmma at %s was not waited for",
                        ct_grid_site_text(d->site).text);
}

void ct_grid_wgmma_end_thread(ct_thread *t)
{
    if (!t->grid->wgmmas) return;
    const ct_wgmma_group *const g = &t->grid->wgmmas->groups[ct_grid_wgmma_number(t)];
    if (g->product_count == 0) return;
    const ct_operation op = {g->products[0].site, "wgmma", 0, 0, 0, 0, 0};
    ct_grid_fail_at(t, &op, CT_GRID_E_IN_FLIGHT, "the thread has ended and not waited for it");
}

uint32_t ct_grid_shared_address(ct_grid_site *site, const void *memory)
{
    ct_thread *const t = self();
    const ct_operation op = {site, "address in shared memory", 1, 1, 0, 0, ENGINE_COPY};
    ct_grid_find_memory(t, &op, memory);
    return (uint32_t)((const unsigned char *)memory -
                      ct_grid_in_rank(t->grid, t->grid->arena, 0, t->rank));
}
