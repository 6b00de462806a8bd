/* Checks of a thread's registers of D and A: writes while an instruction is in flight, and writes
 * without a fence. Registers are variables of the kernel: the grid sees their contents at an
 * instruction or a wait, but no accesses. */
#include "wgmma.h"

#include <stdlib.h>
#include <string.h>

void *ct_grid_wgmma_memory(ct_thread *t, const ct_operation *op, void *p)
{
    if (!p)
        ct_grid_fail_at(t, op, CT_GRID_E_MEMORY,
                        "not enough memory for the instructions in "
                        "flight");
    return p;
}

const ct_wgmma_sums *ct_grid_wgmma_that_write(const ct_thread *t, const ct_wgmma_group *g,
                                              const unsigned char *at, int bytes)
{
    const int i = ct_grid_wgmma_rank(t);
    for (int k = 0; k < MAX_SUMS && g->d[k]; ++k) {
        const ct_wgmma_sums *const d = g->d[k];
        if (d->in_flight &&
            ct_grid_wgmma_overlap(at, (bytes + 3) / 4, d->at[i], ct_grid_wgmma_words(&d->op)))
            return d;
    }
    return NULL;
}

/* Fails if the thread's words have changed since the instructions in flight. */
void ct_grid_wgmma_check_untouched(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g)
{
    const int i = ct_grid_wgmma_rank(t);
    for (int k = 0; k < g->product_count; ++k) {
        const ct_wgmma_product *const p = &g->products[k];
        if (p->has_a && memcmp(p->a[i], p->a_held[i], sizeof p->a_held[i]) != 0)
            ct_grid_fail_at(t, op, CT_GRID_E_IN_FLIGHT,
                            "A of the wgmma at %s, in registers, was written before the "
                            "instruction was waited for",
                            ct_grid_site_text(p->site).text);
    }
    for (int k = 0; k < MAX_SUMS && g->d[k]; ++k) {
        const ct_wgmma_sums *const d = g->d[k];
        for (int w = 0; d->in_flight && w < ct_grid_wgmma_words(&d->op); ++w)
            if (memcmp(d->at[i] + 4 * w, &d->poison, 4) != 0)
                ct_grid_fail_at(t, op, CT_GRID_E_IN_FLIGHT,
                                "word %d of D of the wgmma at %s was written before the "
                                "instruction was waited for",
                                w, ct_grid_site_text(d->site).text);
    }
}

/* Fails if registers overlap those of an instruction in flight. Only D may be the same, for the
 * same shape. */
void ct_grid_wgmma_check_free(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                              const ct_wgmma_lane *own)
{
    const int i = ct_grid_wgmma_rank(t);
    for (int k = 0; k < MAX_SUMS && g->d[k]; ++k) {
        const ct_wgmma_sums *const d = g->d[k];
        const int is_same = d->at[i] == own->d && d->op.n == own->op->n && d->op.k == own->op->k &&
                            d->op.d == own->op->d;
        if (!d->in_flight) continue;
        if (!is_same && ct_grid_wgmma_overlap(own->d, ct_grid_wgmma_words(own->op), d->at[i],
                                              ct_grid_wgmma_words(&d->op)))
            ct_grid_fail_at(
                t, op, CT_GRID_E_IN_FLIGHT,
                "its D is that of the wgmma of another shape at %s, which was not waited for",
                ct_grid_site_text(d->site).text);
        if (own->a && ct_grid_wgmma_overlap(own->a, WORDS_A, d->at[i], ct_grid_wgmma_words(&d->op)))
            ct_grid_fail_at(t, op, CT_GRID_E_IN_FLIGHT,
                            "its A is D of the wgmma at %s, which was not waited for",
                            ct_grid_site_text(d->site).text);
    }
    for (int k = 0; k < g->product_count; ++k)
        if (g->products[k].has_a && ct_grid_wgmma_overlap(own->d, ct_grid_wgmma_words(own->op),
                                                          g->products[k].a[i], WORDS_A))
            ct_grid_fail_at(t, op, CT_GRID_E_IN_FLIGHT,
                            "its D is A of the wgmma at %s, which was not waited for",
                            ct_grid_site_text(g->products[k].site).text);
}

/* Fails if the thread has written words of an earlier instruction, and no fence follows. Words of D
 * in flight are not looked at: ct_grid_wgmma_check_untouched has done that. */
void ct_grid_wgmma_check_fenced(ct_thread *t, const ct_operation *op, const ct_wgmma_group *g,
                                const unsigned char *at, int count, const char *name)
{
    const int i = ct_grid_wgmma_rank(t);
    if (!t->wgmma_fenced)
        ct_grid_fail_at(t, op, CT_GRID_E_PROXY, "no ct_wgmma_fence comes before the first wgmma");
    if (ct_grid_wgmma_that_write(t, g, at, 4 * count)) return;
    for (int k = 0; k < MAX_KNOWN && g->known[k]; ++k) {
        const ct_wgmma_words *const w = g->known[k];
        if (w->at[i] != at || t->wgmma_fenced > w->stamp) continue;
        for (int j = 0; j < w->count && j < count; ++j)
            if (memcmp(at + 4 * j, &w->held[i][j], 4) != 0)
                ct_grid_fail_at(t, op, CT_GRID_E_PROXY,
                                "word %d of %s was written, and no ct_wgmma_fence follows", j,
                                name);
    }
}

ct_wgmma_words *ct_grid_wgmma_known(ct_thread *t, const ct_operation *op, ct_wgmma_group *g,
                                    unsigned char *const *at, int count)
{
    int k = 0;
    while (k < MAX_KNOWN && g->known[k] && memcmp(g->known[k]->at, at, sizeof g->known[k]->at) != 0)
        ++k;
    if (k == MAX_KNOWN) k = g->next_known++ % MAX_KNOWN;
    if (!g->known[k]) g->known[k] = ct_grid_wgmma_memory(t, op, calloc(1, sizeof *g->known[k]));
    memcpy(g->known[k]->at, at, sizeof g->known[k]->at);
    g->known[k]->count = count;
    g->known[k]->stamp = t->grid->tick;
    return g->known[k];
}
