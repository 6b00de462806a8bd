/* Atomic operations, and accesses that are as strong. They do not race with each other. */
#include "run.h"

#include <string.h>

static const char *verb_of(int kind)
{
    return kind == CT_ATOMIC_LOAD    ? "strong load"
           : kind == CT_ATOMIC_STORE ? "strong store"
                                     : "atomic operation";
}

/* A thread that loads what it has loaded before may wait for another: those run first. */
static void poll(ct_thread *t, ct_grid_site *site, const void *p, int bytes)
{
    uint64_t now = 0;
    memcpy(&now, p, bytes < 8 ? (size_t)bytes : 8);
    for (int i = 0; i < LAST_ACCESSES; ++i)
        if (t->last.at[i] == p && t->last.found[i] == now) {
            ct_grid_wait(t, THREAD_POLL, site);
            return;
        }
}

void ct_grid_atomic(ct_grid_site *site, int kind, void *p, int bytes, int is_shared, int order)
{
    ct_thread *const t = self();
    const ct_operation op = {site, verb_of(kind), bytes, is_shared, kind != CT_ATOMIC_LOAD,
                             0,    ENGINE_ATOMIC};
    ct_operation read = op;
    read.is_write &=
        kind == CT_ATOMIC_STORE; /* an update may find what it found before, and wait */
    ct_grid_maybe_yield(t, site);
    const ct_memory *const m = ct_grid_find_memory(t, &op, p);
    if (kind != CT_ATOMIC_STORE) poll(t, site, p, bytes);
    if (op.is_write && !m->writable)
        ct_grid_fail_at(t, &op, CT_GRID_E_READ_ONLY, "%s is not writable", m->name);
    ct_grid_release_access(t, kind, p, order);
    if (m->shadows) ct_grid_check_atomic(t, &op, m, (size_t)((unsigned char *)p - m->base));
    ct_grid_note_progress(t, &read, m, p);
}
