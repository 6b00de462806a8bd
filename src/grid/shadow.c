/* What is known of every byte: who wrote and read it last and when, and whether a copy is on its way
 * to it or from it. Time is counted in ticks, which a barrier of the block or of a warp advances; an
 * access comes before another when a barrier that both threads passed lies between, or mbarriers lead
 * from the one to the other (clock.c). */
#include "run.h"

/* Whether what thread `by` did at a stamp comes before what thread t does now. */
static inline int is_ordered(const ct_run *r, uint32_t stamp, int by, const ct_thread *t)
{
    if (by == t->index || stamp < r->cluster_tick) return 1;
    if (by >= r->thread_count) return r->cluster == 1 && stamp < r->barrier_tick[0];
    if (r->threads[by].rank == t->rank && stamp < r->barrier_tick[t->rank]) return 1;
    return (by / WARP_LANES == t->warp && stamp < r->warp_tick[t->warp]) ||
           (t->clock && stamp < t->clock[by]);
}

/* Whether a read by some of several threads comes before what thread t does now, as far as mbarriers
 * tell. Which of them read last is not known, so it is enough that one has arrived since. */
static int is_read_ordered(const ct_run *r, const ct_shadow *s, const ct_thread *t)
{
    const int all = s->reader == READERS_MANY;
    const int first = all ? 0 : (s->reader - READERS_OF_WARP) * WARP_LANES;
    const int end = all ? r->thread_count : (int)ct_min(first + WARP_LANES, r->thread_count);
    for (int i = first; t->clock && i < end; ++i) {
        if (i != t->index && s->read < t->clock[i]) return 1;
    }
    return 0;
}

/* by < 0: several threads. */
static _Noreturn void fail_race(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                const ct_shadow *s, const char *did, int by)
{
    const size_t byte = (size_t)(s - m->shadows);
    if (by < 0)
        ct_grid_fail_at(t, op, CT_GRID_E_RACE,
                        "race: byte %zu of %s was %s by other threads with no barrier since", byte,
                        m->name, did);
    const ct_dim3 other = ct_grid_thread_index(t->run, by);
    ct_grid_fail_at(t, op, CT_GRID_E_RACE,
                    "race: byte %zu of %s was %s by thread (%u,%u,%u) with no barrier since", byte,
                    m->name, did, other.x, other.y, other.z);
}

static _Noreturn void fail_race_of_blocks(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                          const ct_shadow *s, const char *did)
{
    ct_grid_fail_at(t, op, CT_GRID_E_RACE,
                    "race: byte %zu of %s was %s by another block of this launch",
                    (size_t)(s - m->shadows), m->name, did);
}

static _Noreturn void fail_in_flight(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                     const ct_shadow *s)
{
    const ct_run *r = t->run;
    const ct_dim3 by = ct_grid_thread_index(r, (int)s->flight - 1);
    const ct_grid_site *site = ct_grid_flight_site(r, s);
    ct_grid_fail_at(t, op, CT_GRID_E_IN_FLIGHT,
                    "byte %zu of %s: the cp.async of thread (%u,%u,%u) at %s was not waited for",
                    (size_t)(s - m->shadows), m->name, by.x, by.y, by.z,
                    ct_grid_site_text(site).text);
}

/* A byte that a bulk or tile copy wrote, or will. */
static void check_landed(ct_thread *t, const ct_operation *op, const ct_memory *m,
                         const ct_shadow *s)
{
    const ct_run *r = t->run;
    const int number = s->writer - WRITER_MBARRIER;
    const ct_mbarrier *bar = &r->mbarriers[number];
    const uint16_t ahead = (uint16_t)(*ct_grid_phase_seen(t, number) - s->phase);
    if (!s->landing && ahead != 0 && ahead < 0x8000) return;
    const ct_dim3 by = ct_grid_thread_index(r, bar->last_thread);
    ct_grid_fail_at(t, op, CT_GRID_E_IN_FLIGHT,
                    "byte %zu of %s: the bulk copy of thread (%u,%u,%u) at %s was not waited for",
                    (size_t)(s - m->shadows), m->name, by.x, by.y, by.z,
                    ct_grid_site_text(bar->last_site).text);
}

/* The engine works past the threads: what they stored it sees when a fence stands between. */
static void check_fence(ct_thread *t, const ct_operation *op, const ct_memory *m, const ct_shadow *s)
{
    const ct_thread *writer = &t->run->threads[s->writer];
    if (writer->fenced > s->wrote || t->fenced_barrier > s->wrote) return;
    const ct_dim3 i = writer->view.thread;
    ct_grid_fail_at(t, op, CT_GRID_E_PROXY,
                    "byte %zu of %s was stored by thread (%u,%u,%u), and no ct_fence_async follows",
                    (size_t)(s - m->shadows), m->name, i.x, i.y, i.z);
}

static inline void check_writer(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                const ct_shadow *s)
{
    const ct_run *r = t->run;
    if (s->wrote == 0) return;
    if (s->writer == WRITER_REDUCTIONS && op->engine == ENGINE_REDUCTION) return;
    if (s->wrote < r->block_tick) {
        if (!m->is_shared) fail_race_of_blocks(t, op, m, s, "written");
        return;
    }
    if (s->writer >= WRITER_MBARRIER) {
        check_landed(t, op, m, s);
        return;
    }
    if (is_ordered(r, s->wrote, s->writer, t)) {
        if (op->engine && m->is_shared) check_fence(t, op, m, s);
        return;
    }
    if (s->writer != WRITER_REDUCTIONS) fail_race(t, op, m, s, "written", s->writer);
    ct_grid_fail_at(t, op, CT_GRID_E_RACE,
                    "race: byte %zu of %s is reduced into by this launch, with no barrier since",
                    (size_t)(s - m->shadows), m->name);
}

static inline void check_readers(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                 const ct_shadow *s)
{
    const ct_run *r = t->run;
    if (s->read == 0) return;
    if (!m->is_shared && (s->phase || s->read < r->block_tick))
        fail_race_of_blocks(t, op, m, s, "read");
    if (s->read < r->block_tick) return;
    if (s->read < r->cluster_tick) return;
    if (s->reader >= READERS_OF_WARP && s->read < r->barrier_tick[t->rank]) return;
    if (s->reader < READERS_OF_WARP) {
        if (!is_ordered(r, s->read, s->reader, t)) fail_race(t, op, m, s, "read", s->reader);
    } else if ((s->reader == READERS_MANY || s->reader - READERS_OF_WARP != t->warp ||
                s->read >= r->warp_tick[t->warp]) && !is_read_ordered(r, s, t)) {
        fail_race(t, op, m, s, "read", -1);
    }
}

/* Whether all that read a byte did so before what thread t does now: then a thread that comes after
 * t comes after them too. */
static inline int are_readers_before(const ct_run *r, const ct_shadow *s, const ct_thread *t)
{
    if (s->read < r->barrier_tick[t->rank]) return 1;
    if (s->reader < READERS_OF_WARP) return is_ordered(r, s->read, s->reader, t);
    return s->reader - READERS_OF_WARP == t->warp && s->read < r->warp_tick[t->warp];
}

/* A byte remembers one reader, or that they are one warp, or that they are many: of those that read
 * it, the ones that no other comes after. */
static inline void note_read(const ct_thread *t, const ct_memory *m, ct_shadow *s)
{
    const ct_run *r = t->run;
    const int of_warp = READERS_OF_WARP + t->warp;
    if (s->read != 0 && s->read < r->block_tick && !m->is_shared) s->phase = 1;
    if (are_readers_before(r, s, t)) {
        s->reader = (uint16_t)t->index;
    } else if (s->reader != t->index && s->reader != of_warp) {
        const int is_mate = s->reader < READERS_OF_WARP && s->reader / WARP_LANES == t->warp;
        s->reader = (uint16_t)(is_mate ? of_warp : READERS_MANY);
    }
    s->read = r->tick;
}

void ct_grid_note_read(const ct_thread *t, const ct_memory *m, size_t offset, int bytes)
{
    for (int i = 0; i < bytes; ++i) note_read(t, m, &m->shadows[offset + (size_t)i]);
}

void ct_grid_note_write(const ct_thread *t, ct_shadow *s, int bytes, int in_flight)
{
    for (int i = 0; i < bytes; ++i) {
        s[i].wrote = t->run->tick;
        s[i].writer = (uint16_t)t->index;
        s[i].flight = in_flight ? ((uint32_t)t->index + 1) & 0x3fff : 0;
        s[i].landing = 0;
        s[i].leaving = 0;
    }
}

void ct_grid_note_landing(const ct_thread *t, ct_shadow *s, int64_t bytes, int bar)
{
    const uint32_t phase = t->run->mbarriers[bar].phase & 0xffff;
    for (int64_t i = 0; i < bytes; ++i) {
        s[i].wrote = t->run->tick;
        s[i].writer = (uint16_t)(WRITER_MBARRIER + bar);
        s[i].flight = 0;
        s[i].landing = 1;
        s[i].leaving = 0;
        s[i].phase = phase;
    }
}

/* What the source of a store that was not waited for is not for. */
static _Noreturn void fail_leaving(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                   const ct_shadow *s)
{
    ct_grid_fail_at(t, op, CT_GRID_E_IN_FLIGHT,
                    "byte %zu of %s is the source of a bulk copy that was not waited for",
                    (size_t)(s - m->shadows), m->name);
}

void ct_grid_check_order(ct_thread *t, const ct_operation *op, const ct_memory *m, size_t offset)
{
    const ct_run *r = t->run;
    ct_shadow *s = m->shadows + offset;
    for (int i = 0; i < op->bytes; ++i) {
        const int is_new = s[i].wrote < r->block_tick; /* in this block nothing was written here */
        if (s[i].flight && !is_new) fail_in_flight(t, op, m, s + i);
        if (s[i].leaving && !is_new && op->is_write) fail_leaving(t, op, m, s + i);
        if (is_new && m->is_shared && !op->is_write)
            ct_grid_fail_at(t, op, CT_GRID_E_UNWRITTEN,
                            "byte %zu of %s is not written: never, or by a thread that no barrier "
                            "puts before this one", offset + (size_t)i, m->name);
        check_writer(t, op, m, s + i);
        if (op->is_write) check_readers(t, op, m, s + i);
        else note_read(t, m, s + i);
    }
    if (!op->is_write) return;
    ct_grid_note_write(t, s, op->bytes, 0);
    for (int i = 0; op->engine == ENGINE_REDUCTION && i < op->bytes; ++i)
        s[i].writer = WRITER_REDUCTIONS;
}
