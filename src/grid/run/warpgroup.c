/* Warpgroups: instructions of four warps, 128 threads. Each thread checks its own part, then the
 * threads meet, and the last to arrive acts for all. A meeting orders no accesses to memory. */
#include "run.h"

ct_thread *ct_grid_warpgroup_of(const ct_thread *t)
{
    const int in_block = t->index % t->grid->block_threads;
    return &t->grid->threads[t->index - in_block % WARPGROUP_THREADS];
}

/* The number of threads of the block from this one on; a whole group has 128. */
static int threads_from(const ct_thread *group)
{
    return group->grid->block_threads - group->index % group->grid->block_threads;
}

static _Noreturn void fail_diverged(ct_thread *t, const ct_operation *op, const ct_thread *other)
{
    const ct_dim3 i = other->indices.thread;
    ct_grid_fail_at(t, op, CT_GRID_E_DIVERGENCE,
                    "divergence: thread (%u,%u,%u) of the same warpgroup waits at %s instead", i.x,
                    i.y, i.z, ct_grid_site_text(other->meeting.site).text);
}

/* Whether all other threads of the group wait. The last to arrive are tested first. */
static int are_all_there(const ct_thread *t, const ct_thread *group)
{
    for (int i = WARPGROUP_THREADS - 1; i >= 0; --i)
        if (&group[i] != t && group[i].state != THREAD_WARPGROUP) return 0;
    return 1;
}

void ct_grid_meet_warpgroup(ct_thread *t, const ct_operation *op, void *data, ct_warpgroup_act *act)
{
    ct_thread *const group = ct_grid_warpgroup_of(t);
    if (threads_from(group) < WARPGROUP_THREADS)
        ct_grid_fail_at(t, op, CT_GRID_E_DIVERGENCE,
                        "a warpgroup has 128 threads, and the block has only %d of this one",
                        threads_from(group));
    t->meeting = (ct_meeting){op->site, UINT32_MAX, 1, 0, data};
    if (!are_all_there(t, group)) {
        ct_grid_wait(t, THREAD_WARPGROUP, op->site);
        return;
    }
    for (int i = 0; i < WARPGROUP_THREADS; ++i)
        if (group[i].meeting.site != op->site) fail_diverged(t, op, &group[i]);
    act(group, op);
    for (int i = 0; i < WARPGROUP_THREADS; ++i) group[i].state = THREAD_READY;
}

ct_thread *ct_grid_missing_in_warpgroup(const ct_thread *waiting)
{
    ct_thread *const group = ct_grid_warpgroup_of(waiting);
    int i = 0;
    while (group[i].state == THREAD_WARPGROUP) ++i;
    return &group[i];
}

/* ---- registers ------------------------------------------------------------------------------- */

static void act_registers(ct_thread *group, const ct_operation *op)
{
    const int *const first = group[0].meeting.data;
    for (int i = 1; i < WARPGROUP_THREADS; ++i) {
        const int *const here = group[i].meeting.data;
        if (*here != *first)
            ct_grid_fail_at(&group[i], op, CT_GRID_E_DIVERGENCE,
                            "%d registers, but %d for the first thread of the warpgroup", *here,
                            *first);
    }
}

void ct_grid_setmaxnreg(ct_grid_site *site, int registers)
{
    ct_thread *const t = self();
    const ct_operation op = {site, "setmaxnreg", 0, 0, 0, 0, 0};
    if (registers < 24 || registers > 256 || registers % 8 != 0)
        ct_grid_fail_at(t, &op, CT_GRID_E_ATOM,
                        "%d registers; 24 to 256 are allowed, a multiple of 8", registers);
    ct_grid_meet_warpgroup(t, &op, &registers, act_registers);
}
