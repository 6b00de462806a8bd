/* cp.async: copies that a thread has issued, which arrive when it waits for them and no earlier.
 * Until then their destination is marked, and no thread may access it. */
#include "run.h"

#include <string.h>

#include "base/list.h"

static ct_flight *add_flight(ct_thread *t, const ct_operation *op)
{
    ct_flight *const flights =
        ct_grown(t->flights, t->flight_count, &t->flight_capacity, sizeof *flights);
    if (!flights)
        ct_grid_fail_at(t, op, CT_GRID_E_MEMORY, "not enough memory for the copies in flight");
    t->flights = flights;
    return &t->flights[t->flight_count++];
}

void ct_grid_cp_async(ct_grid_site *site, int on, int kind, void *dst, const void *src, int bytes,
                      int src_bytes)
{
    ct_thread *t = self();
    const int cg = kind == CT_ACCESS_LDGSTS_CG;
    const ct_operation to = {
        site, cg ? "cp.async.cg to shared memory" : "cp.async.ca to shared memory", bytes, 1, 1, 0,
        0};
    const ct_operation from = {
        site,      cg ? "cp.async.cg from global memory" : "cp.async.ca from global memory",
        src_bytes, 0,
        0,         bytes,
        0};
    if (bytes != 16 && (cg || (bytes != 4 && bytes != 8)))
        ct_grid_fail_at(t, &to, CT_GRID_E_ATOM, "%d bytes; it copies %s", bytes,
                        cg ? "16" : "4, 8 or 16");
    if (on && (src_bytes < 0 || src_bytes > bytes))
        ct_grid_fail_at(t, &to, CT_GRID_E_ATOM, "%d source bytes; there are 0 to %d", src_bytes,
                        bytes);
    const int reads = on && src_bytes > 0;
    const int64_t read_at = reads ? ct_grid_check(t, &from, src) : CT_LANE_OFF;
    ct_grid_record(t, site, kind, 8 * bytes, 0, read_at);
    ct_grid_record(t, site, CT_ACCESS_STS, 8 * bytes, 1,
                   on ? ct_grid_check(t, &to, dst) : CT_LANE_OFF);
    if (!on) return;
    ct_flight *f = add_flight(t, &to);
    f->dst = dst;
    f->src = src;
    f->shadows = t->grid->arena_shadows + ((unsigned char *)dst - t->grid->arena);
    f->site = site;
    f->bytes = bytes;
    f->src_bytes = src_bytes;
    f->group = t->groups;
    f->from = reads ? &t->grid->memories[(read_at >> MEMORY_SHIFT) - 1] : NULL;
    ct_grid_note_write(t, f->shadows, bytes, 1);
    f->stamp = t->grid->tick;
}

void ct_grid_cp_async_commit(void) { ++self()->groups; }

/* Fails if the source of a copy was written: a copy may read it at any time until the wait. */
static void check_source(ct_thread *t, const ct_flight *f)
{
    const ct_memory *m = f->from;
    if (!m || !m->shadows) return;
    const size_t offset = (size_t)(f->src - m->base);
    for (int i = 0; i < f->src_bytes; ++i) {
        const ct_shadow *s = &m->shadows[offset + (size_t)i];
        if (s->wrote <= f->stamp) continue;
        const ct_operation op = {f->site, "cp.async from global memory", 0, 0, 0, 0, 0};
        if (s->writer == WRITER_REDUCTIONS)
            ct_grid_fail_at(t, &op, CT_GRID_E_RACE,
                            "race: byte %zu of %s was reduced into before the copy was waited for",
                            offset + (size_t)i, m->name);
        const ct_dim3 by = ct_grid_thread_index(t->grid, s->writer);
        ct_grid_fail_at(t, &op, CT_GRID_E_RACE,
                        "race: byte %zu of %s was written by thread "
                        "(%u,%u,%u) before the copy was waited for",
                        offset + (size_t)i, m->name, by.x, by.y, by.z);
    }
    ct_grid_note_read(t, m, offset, f->src_bytes);
}

static void arrive(ct_thread *t, const ct_flight *f)
{
    check_source(t, f);
    if (f->src_bytes > 0) memcpy(f->dst, f->src, (size_t)f->src_bytes);
    memset(f->dst + f->src_bytes, 0, (size_t)(f->bytes - f->src_bytes));
    ct_grid_note_write(t, f->shadows, f->bytes, 0);
}

void ct_grid_cp_async_wait(int groups)
{
    ct_thread *t = self();
    if (groups < 0) { /* wait_all: also closes the open group, and waits for it */
        ++t->groups;
        groups = 0;
    }
    const int64_t first = t->groups - groups; /* the oldest group that is not waited for */
    int kept = 0, arrived = 0;
    while (arrived < t->flight_count && t->flights[arrived].group < first)
        arrive(t, &t->flights[arrived++]);
    while (arrived < t->flight_count) t->flights[kept++] = t->flights[arrived++];
    t->flight_count = kept;
}
