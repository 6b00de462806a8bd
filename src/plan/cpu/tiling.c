/* The modes of tiles. If the contiguous mode of a side is short, the side also takes the mode that
 * continues it in memory: so rows of tiles are whole lines, independently of the other side. */
#include <stdlib.h>
#include <string.h>

#include "cpu.h"

/* The bytes of a row that is long enough. */
enum { ROW_BYTES = 192 };

/* Moves mode k to position `to` before it. */
static void move_mode(ct_plan_form *f, int k, int to)
{
    const ct_plan_mode m = f->mode[k];
    memmove(f->mode + to + 1, f->mode + to, sizeof m * (size_t)(k - to));
    f->mode[to] = m;
}

/* The outer mode that continues the source's rows, or 0. */
static int continues_src(const ct_cpu_tiling *t)
{
    for (int k = t->form.first; k < t->form.modes; ++k)
        if (t->form.mode[k].src == t->n_along * t->form.src_bytes) return k;
    return 0;
}

static int continues_dst(const ct_cpu_tiling *t)
{
    for (int k = t->form.first; k < t->form.modes; ++k)
        if (t->form.mode[k].dst == t->n_across * t->form.dst_bytes) return k;
    return 0;
}

/* Adds modes to the side with the shorter rows first, because the same mode may continue both. */
static void join(ct_cpu_tiling *t)
{
    ct_plan_form *const f = &t->form;
    for (;;) {
        const int64_t along = t->n_along * f->src_bytes, across = t->n_across * f->dst_bytes;
        const int src = along < ROW_BYTES ? continues_src(t) : 0;
        const int dst = across < ROW_BYTES ? continues_dst(t) : 0;
        if (!src && !dst) return;
        if (src && (!dst || along <= across)) {
            t->n_along *= f->mode[src].extent;
            move_mode(f, src, t->along++);
        } else {
            t->n_across *= f->mode[dst].extent;
            move_mode(f, dst, t->along + t->across++);
        }
        ++f->first;
    }
}

/* Counts mixed-radix numbers, the digit of the shortest step fastest. */
void ct_cpu_order(const ct_cpu_tiling *t, int64_t n, int16_t order[CT_CPU_TILE_ROWS])
{
    int64_t weight[CT_PLAN_MODES], at[CT_PLAN_MODES] = {0}, unit = 0, run = 1;
    ct_plan_mode m[CT_PLAN_MODES];
    for (int k = 0; k < t->along; ++k) {
        int i = k;
        for (; i > 0 && m[i - 1].dst > t->form.mode[k].dst; --i) {
            m[i] = m[i - 1];
            weight[i] = weight[i - 1];
        }
        m[i] = t->form.mode[k];
        if (k == t->along - 1) m[i].extent = n / t->group;
        weight[i] = run;
        run *= m[i].extent;
    }
    for (int64_t i = 0; i < n; ++i) {
        order[i] = (int16_t)unit;
        for (int k = 0; k < t->along; ++k) {
            unit += weight[k];
            if (++at[k] < m[k].extent) break;
            at[k] = 0;
            unit -= weight[k] * m[k].extent;
        }
    }
}

int ct_cpu_by_vectors(const ct_plan_form *f)
{
    return f->mode[0].src == f->src_bytes && f->mode[1].dst == f->dst_bytes;
}

ct_cpu_tilings *ct_cpu_tilings_of(const ct_plan *plan)
{
    const ct_plan_form *const f = &plan->form;
    ct_cpu_tilings *const both = calloc(1, sizeof *both);
    if (!both) return NULL;
    both->plain = (ct_cpu_tiling){*f, 1, 1, f->mode[0].extent, f->mode[1].extent, 1};
    both->merged = both->plain;
    if (ct_cpu_by_vectors(f)) join(&both->merged);
    both->merged.group =
        both->merged.n_along / both->merged.form.mode[both->merged.along - 1].extent;
    return both;
}

const ct_cpu_tiling *ct_cpu_tiling_chosen(const ct_plan *plan, const ct_plan_choice *choice)
{
    const ct_cpu_tilings *const both = plan->state;
    return choice->direct ? &both->plain : &both->merged;
}
