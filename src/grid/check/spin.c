/* Threads that spin. Blocks run one after another, and a warp runs until all its lanes wait: so a
 * loop may wait for a store that never happens. A thread makes progress when it accesses an address
 * that is not among its last few. A thread that polls a flag and counts makes none. */
#include "check.h"

#include <string.h>

static int find(const ct_last_accesses *last, const void *p)
{
    int k = 0;
    while (k < LAST_ACCESSES && last->at[k] != p) ++k;
    return k < LAST_ACCESSES ? k : -1;
}

static size_t offset_of(const ct_memory *m, const void *p)
{
    return (size_t)((const unsigned char *)p - m->base);
}

/* How blocks run. */
static const char *blocks(const ct_grid_state *r)
{
    static __thread char text[48];
    if (r->resident == r->cluster) return "the blocks one after another";
    snprintf(text, sizeof text, "%d blocks together", r->resident);
    return text;
}

static _Noreturn void fail_polls(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                 const void *p)
{
    char others[48] = " was";
    const int more = __builtin_popcount(t->last.loaded) - 1;
    if (more > 0)
        snprintf(others, sizeof others, ", with %d other address%s, was", more,
                 more > 1 ? "es" : "");
    ct_grid_fail_at(t, op, CT_GRID_E_DEADLOCK,
                    "deadlock: byte %zu of %s%s loaded %d times with nothing between; the grid "
                    "runs one warp until it waits, and %s",
                    offset_of(m, p), m->name, others, MAX_POLLS, blocks(t->grid));
}

static int64_t most_idle(const ct_grid_state *r)
{
    return r->options->spin_accesses > 0 ? r->options->spin_accesses : MAX_IDLE;
}

static _Noreturn void fail_idle(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                const void *p)
{
    ct_grid_fail_at(
        t, op, CT_GRID_E_DEADLOCK,
        "deadlock: no thread accessed a new address in %lld accesses, and byte %zu of %s "
        "stays the same; the grid runs one warp until it waits, and %s; if the loop ends, raise "
        "spin_accesses",
        (long long)most_idle(t->grid), offset_of(m, p), m->name, blocks(t->grid));
}

void ct_grid_check_progress(ct_grid_state *r, const ct_thread *waiting)
{
    const int64_t most = most_idle(r);
    if (r->idle < 2 * most || !waiting->waits_at) return; /* the message of a load says more */
    const ct_dim3 b = ct_grid_block_of(waiting), i = waiting->indices.thread;
    ct_grid_set_message(
        r, CT_GRID_E_DEADLOCK,
        "kernel %s, block (%u,%u,%u), thread (%u,%u,%u): deadlock: waits again and "
        "again at %s, and no thread accessed a new address in %lld accesses and waits; "
        "if the loop ends, raise spin_accesses",
        r->kernel->name, b.x, b.y, b.z, i.x, i.y, i.z, ct_grid_site_text(waiting->waits_at).text,
        (long long)(2 * most));
}

void ct_grid_note_progress(ct_thread *t, const ct_operation *op, const ct_memory *m, const void *p)
{
    ct_last_accesses *const last = &t->last;
    uint64_t found = 0;
    const int k = find(last, p);
    if (!op->is_write) memcpy(&found, p, op->bytes < 8 ? (size_t)op->bytes : 8);
    if (k < 0) {
        t->grid->idle = 0;
        last->at[last->next] = p;
        last->found[last->next] = found;
        last->next = (last->next + 1) % LAST_ACCESSES;
    } else {
        ++t->grid->idle;
    }
    if (k < 0 || op->is_write || last->found[k] != found) {
        if (k >= 0 && !op->is_write) last->found[k] = found;
        last->loads = 0;
        last->loaded = 0;
        return;
    }
    last->loaded |= 1u << k;
    if (++last->loads >= MAX_POLLS) fail_polls(t, op, m, p);
    if (t->grid->idle >= most_idle(t->grid)) fail_idle(t, op, m, p);
}
