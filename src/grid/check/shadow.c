/* The state of every byte: its last writer and readers, with their times, and whether a copy to or
 * from it is in flight. Time is counted in ticks, which every barrier of a block or of lanes
 * advances. An access comes before another if both threads passed a barrier between them, or if
 * mbarriers order them (clock.c). */
#include "check.h"
#include "in_flight.h"

#include <string.h>

/* Whether reads by too many threads for a set come before what thread t does now. It assumes so if
 * a barrier is between, or if t has waited for a thread that arrived at an mbarrier since. */
static int are_many_ordered(const ct_grid_state *r, const ct_shadow *s, const ct_thread *t)
{
    if (s->read < r->barrier_tick[t->rank]) return 1;
    for (int i = 0; t->clock && i < r->thread_count; ++i) {
        if (i != t->index && s->read < t->clock[i]) return 1;
    }
    return 0;
}

/* Whether all known readers of a byte are of an earlier block or cluster. */
static inline int is_read_earlier(const ct_grid_state *r, const ct_shadow *s)
{
    return s->read < (s->reader == READERS_SET ? r->reader_block : r->block_tick);
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
    const ct_thread *const who = &t->grid->threads[by];
    const ct_dim3 other = ct_grid_thread_index(t->grid, by), b = ct_grid_block_of(who);
    if (who->rank / t->grid->cluster != t->rank / t->grid->cluster)
        ct_grid_fail_at(
            t, op, CT_GRID_E_RACE,
            "race: byte %zu of %s was %s by thread (%u,%u,%u) of block (%u,%u,%u), and no release "
            "and acquire of the GPU's scope put that before",
            byte, m->name, did, other.x, other.y, other.z, b.x, b.y, b.z);
    ct_grid_fail_at(t, op, CT_GRID_E_RACE,
                    "race: byte %zu of %s was %s by thread (%u,%u,%u) with no barrier since", byte,
                    m->name, did, other.x, other.y, other.z);
}

/* Fails: the write of a byte comes before, and no release and acquire make it visible. */
static _Noreturn void fail_invisible(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                     const ct_shadow *s)
{
    const ct_thread *const writer = &t->grid->threads[s->writer];
    const ct_dim3 i = writer->indices.thread, b = ct_grid_block_of(writer);
    ct_grid_fail_at(
        t, op, CT_GRID_E_RACE,
        "race: byte %zu of %s was written by thread (%u,%u,%u) of block (%u,%u,%u), and "
        "is not visible: the arrival since needs release, and the wait acquire%s",
        (size_t)(s - m->shadows), m->name, i.x, i.y, i.z, b.x, b.y, b.z,
        writer->rank == t->rank ? "" : ", both of cluster scope");
}

/* Fails: an instruction of a warpgroup has read the byte, or is in flight and may read it. */
static _Noreturn void fail_race_of_group(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                         const ct_shadow *s, int group,
                                         const ct_grid_site *in_flight)
{
    const size_t byte = (size_t)(s - m->shadows);
    if (in_flight)
        ct_grid_fail_at(t, op, CT_GRID_E_IN_FLIGHT,
                        "byte %zu of %s is read by the wgmma at %s, which was not waited for", byte,
                        m->name, ct_grid_site_text(in_flight).text);
    const int first = ct_grid_wgmma_thread(t->grid, group);
    const ct_dim3 a = ct_grid_thread_index(t->grid, first);
    const ct_dim3 b = ct_grid_thread_index(t->grid, first + WARPGROUP_THREADS - 1);
    ct_grid_fail_at(t, op, CT_GRID_E_RACE,
                    "race: byte %zu of %s was read by a wgmma of threads (%u,%u,%u) to (%u,%u,%u), "
                    "with no barrier since its wait",
                    byte, m->name, a.x, a.y, a.z, b.x, b.y, b.z);
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
    const ct_grid_state *r = t->grid;
    const ct_dim3 by = ct_grid_thread_index(r, (int)s->flight - 1);
    const ct_grid_site *site = ct_grid_flight_site(r, s);
    ct_grid_fail_at(t, op, CT_GRID_E_IN_FLIGHT,
                    "byte %zu of %s: the cp.async of thread (%u,%u,%u) at %s was not waited for",
                    (size_t)(s - m->shadows), m->name, by.x, by.y, by.z,
                    ct_grid_site_text(site).text);
}

/* Checks an access to a byte that a bulk or tile copy wrote, or will write. */
static void check_landed(ct_thread *t, const ct_operation *op, const ct_memory *m,
                         const ct_shadow *s)
{
    const ct_grid_state *r = t->grid;
    const int number = s->writer - WRITER_MBARRIER;
    if (s->writer == WRITER_OBJECT)
        ct_grid_fail_at(
            t, op, CT_GRID_E_MBARRIER,
            "byte %zu of %s belongs to an mbarrier: before another use of its memory it "
            "needs ct_mbarrier_invalidate",
            (size_t)(s - m->shadows), m->name);
    const ct_mbarrier *bar = &r->mbarriers[number];
    const uint32_t seen = *(op->is_write ? ct_grid_phase_seen : ct_grid_phase_visible)(t, number);
    if (!s->landing && s->wrote < seen) return;
    const ct_dim3 by = ct_grid_thread_index(r, bar->last_thread);
    ct_grid_fail_at(t, op, CT_GRID_E_IN_FLIGHT,
                    "byte %zu of %s: the bulk copy of thread (%u,%u,%u) at %s was not waited for",
                    (size_t)(s - m->shadows), m->name, by.x, by.y, by.z,
                    ct_grid_site_text(bar->last_site).text);
}

/* Fails without a fence after the store of a byte: the async proxy sees threads' stores only after
 * a fence. */
static void check_fence(ct_thread *t, const ct_operation *op, const ct_memory *m,
                        const ct_shadow *s)
{
    const ct_thread *writer = &t->grid->threads[s->writer];
    if (ct_grid_is_fenced(t, writer, s->wrote, !m->is_shared)) return;
    const ct_dim3 i = writer->indices.thread;
    ct_grid_fail_at(t, op, CT_GRID_E_PROXY,
                    "byte %zu of %s was stored by thread (%u,%u,%u), and no %s follows",
                    (size_t)(s - m->shadows), m->name, i.x, i.y, i.z,
                    m->is_shared ? "ct_fence_async_shared" : "ct_fence_async_global");
}

static inline void check_writer(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                const ct_shadow *s)
{
    const ct_grid_state *r = t->grid;
    if (s->wrote == 0) return;
    if (s->writer == WRITER_REDUCTIONS && op->engine >= ENGINE_REDUCTION) return;
    if (s->updated && op->engine == ENGINE_ATOMIC) return;
    if (s->wrote < r->block_tick) {
        if (!m->is_shared && !ct_grid_knows_earlier(t)) fail_race_of_blocks(t, op, m, s, "written");
        return;
    }
    if (s->writer >= WRITER_MBARRIER) {
        check_landed(t, op, m, s);
        return;
    }
    if (ct_grid_comes_before_by(r, s->wrote, s->writer, t, r->visible_from)) {
        if (op->engine && op->engine != ENGINE_ATOMIC && !s->by_copy) check_fence(t, op, m, s);
        return;
    }
    if (ct_grid_comes_before(r, s->wrote, s->writer, t)) fail_invisible(t, op, m, s);
    if (s->writer != WRITER_REDUCTIONS) fail_race(t, op, m, s, "written", s->writer);
    ct_grid_fail_at(t, op, CT_GRID_E_RACE,
                    "race: byte %zu of %s is reduced into by this launch, with no barrier since",
                    (size_t)(s - m->shadows), m->name);
}

static inline void check_readers(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                 const ct_shadow *s)
{
    const ct_grid_state *r = t->grid;
    if (s->read == 0) return;
    const int is_earlier = is_read_earlier(r, s);
    uint32_t stamp = s->read;
    if (!m->is_shared && (s->read_before || is_earlier) && !ct_grid_knows_earlier(t))
        fail_race_of_blocks(t, op, m, s, "read");
    if (is_earlier) return;
    int by = s->reader;
    if (s->reader == READERS_SET)
        by = s->read < r->reader_first ? -1 : ct_grid_readers_beside(t, s->read, &stamp);
    else if (s->reader == READERS_MANY ? are_many_ordered(r, s, t)
                                       : ct_grid_comes_before(r, s->read, by, t))
        by = -1;
    if (by >= READER_COPY && by < READER_GROUP) ct_grid_fail_source(t, op, m, s, by - READER_COPY);
    if (by >= READER_GROUP && s->reader != READERS_MANY)
        fail_race_of_group(t, op, m, s, by - READER_GROUP,
                           ct_grid_wgmma_in_flight(r, stamp, by - READER_GROUP));
    if (by >= 0) fail_race(t, op, m, s, "read", s->reader == READERS_MANY ? -1 : by);
}

/* Whether all reads of a byte come before what thread t does now. Then a thread that comes after t
 * comes after them too. A set is only tested for a barrier of all threads since, which is fast. */
static inline int are_readers_before(const ct_grid_state *r, const ct_shadow *s, const ct_thread *t)
{
    if (s->read == 0) return 1;
    if (s->reader == READERS_SET) return s->read < r->reader_first;
    if (s->reader == READERS_MANY) return s->read < r->cluster_tick;
    return ct_grid_comes_before(r, s->read, s->reader, t);
}

/* Notes a read. A byte keeps one reader or a set: the readers after which no other reader comes. */
static inline void note_read(ct_thread *t, const ct_memory *m, ct_shadow *s)
{
    const ct_grid_state *r = t->grid;
    if (s->read != 0 && !m->is_shared && is_read_earlier(r, s)) s->read_before = 1;
    if (are_readers_before(r, s, t)) {
        s->reader = (uint16_t)t->index;
    } else if (s->reader != READERS_MANY) {
        const uint32_t set = ct_grid_readers_add(t, s->read, s->reader, t->index);
        s->reader = set ? READERS_SET : READERS_MANY;
        s->read = set;
    }
    if (s->reader != READERS_SET) s->read = r->tick;
}

void ct_grid_note_read(ct_thread *t, const ct_memory *m, size_t offset, int bytes)
{
    for (int i = 0; i < bytes; ++i) note_read(t, m, &m->shadows[offset + (size_t)i]);
}

/* Whether a barrier of all threads follows all reads of a byte, and none of them was by a copy or a
 * warpgroup. */
static int is_read_before_all(const ct_grid_state *r, const ct_shadow *s)
{
    if (s->read == 0 || is_read_earlier(r, s)) return 1;
    if (s->reader == READERS_SET) return s->read < r->reader_first;
    return s->reader < READER_COPY &&
           s->read < (r->resident == 1 ? r->barrier_tick[0] : r->cluster_tick);
}

static void note_engine_read(ct_thread *t, ct_shadow *s, uint16_t as)
{
    if (is_read_before_all(t->grid, s) || s->reader == as) {
        s->reader = as;
    } else if (s->reader != READERS_MANY) {
        const uint32_t set = ct_grid_readers_add(t, s->read, s->reader, as);
        s->reader = set ? READERS_SET : READERS_MANY;
        s->read = set;
    }
    if (s->reader != READERS_SET) s->read = t->grid->tick;
}

void ct_grid_note_copy_read(ct_thread *t, const ct_memory *m, size_t offset, int64_t bytes, int bar)
{
    for (int64_t i = 0; i < bytes; ++i) {
        ct_shadow *const s = &m->shadows[offset + (size_t)i];
        if (s->read != 0 && !m->is_shared && is_read_earlier(t->grid, s)) s->read_before = 1;
        note_engine_read(t, s, (uint16_t)(READER_COPY + bar));
    }
}

/* Whether two bytes have the same writer and time. */
static int are_written_alike(const ct_shadow *a, const ct_shadow *b)
{
    return a->wrote == b->wrote && a->writer == b->writer && a->flight == b->flight &&
           a->landing == b->landing;
}

static _Noreturn void fail_unwritten(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                     const ct_shadow *s)
{
    ct_grid_fail_at(t, op, CT_GRID_E_UNWRITTEN,
                    "byte %zu of %s is not written: never, or by a thread that no barrier puts "
                    "before this one",
                    (size_t)(s - m->shadows), m->name);
}

static void check_group_read(ct_thread *group, const ct_operation *op, const ct_memory *m,
                             const ct_shadow *s)
{
    const ct_grid_state *const r = group->grid;
    if (s->wrote < r->block_tick) fail_unwritten(group, op, m, s);
    if (s->flight) fail_in_flight(group, op, m, s);
    for (int i = 0; i < WARPGROUP_THREADS; ++i) check_writer(&group[i], op, m, s);
}

void ct_grid_note_group_read(ct_thread *group, const ct_operation *op, const ct_memory *m,
                             size_t offset, ct_group_read *memo)
{
    const uint16_t reader = (uint16_t)(READER_GROUP + ct_grid_wgmma_number(group));
    for (int i = 0; i < op->bytes; ++i) {
        ct_shadow *const s = &m->shadows[offset + (size_t)i];
        if (!memo->has_checked || !are_written_alike(s, &memo->checked))
            check_group_read(group, op, m, s);
        memo->checked = *s;
        memo->has_checked = 1;
        if (!memo->has_noted || s->read != memo->from_read || s->reader != memo->from_reader) {
            memo->from_read = s->read;
            memo->from_reader = s->reader;
            note_engine_read(group, s, reader);
            memo->to_read = s->read;
            memo->to_reader = s->reader;
            memo->has_noted = 1;
        }
        s->read = memo->to_read;
        s->reader = memo->to_reader;
    }
}

void ct_grid_note_write(const ct_thread *t, ct_shadow *s, int bytes, int in_flight)
{
    for (int i = 0; i < bytes; ++i) {
        s[i].wrote = t->grid->tick;
        s[i].writer = (uint16_t)t->index;
        s[i].flight = in_flight ? ((uint32_t)t->index + 1) & 0x3fff : 0;
        s[i].landing = 0;
        s[i].leaving = 0;
        s[i].by_copy = 0;
        s[i].updated = 0;
    }
}

void ct_grid_note_landing(const ct_thread *t, ct_shadow *s, int64_t bytes, int bar)
{
    for (int64_t i = 0; i < bytes; ++i) {
        s[i].wrote = t->grid->tick;
        s[i].writer = (uint16_t)(WRITER_MBARRIER + bar);
        s[i].flight = 0;
        s[i].landing = 1;
        s[i].leaving = 0;
    }
}

/* Checks an access to a byte to which copies are in flight. Reductions may be together. */
static void check_in_flight(ct_thread *t, const ct_operation *op, const ct_memory *m,
                            const ct_shadow *s)
{
    if (m->is_shared) fail_in_flight(t, op, m, s);
    if (s->writer != WRITER_REDUCTIONS || op->engine < ENGINE_REDUCTION)
        ct_grid_fail_stored(t, op, m, s);
}

/* Fails: a write to the source of a bulk store that was not waited for. */
static _Noreturn void fail_leaving(ct_thread *t, const ct_operation *op, const ct_memory *m,
                                   const ct_shadow *s)
{
    ct_grid_fail_at(t, op, CT_GRID_E_IN_FLIGHT,
                    "byte %zu of %s is the source of a bulk copy that was not waited for",
                    (size_t)(s - m->shadows), m->name);
}

void ct_grid_check_order(ct_thread *t, const ct_operation *op, const ct_memory *m, size_t offset)
{
    const ct_grid_state *r = t->grid;
    ct_shadow *s = m->shadows + offset;
    uint32_t read = 0, reader = 0; /* of the previous byte */
    const ct_shadow first = s[0];  /* most often the others are the same */
    const int is_copy = op->engine && !m->is_shared;
    const int is_source = is_copy && !op->is_write; /* ct_grid_note_copy_read follows */
    if (op->is_write && !m->is_shared && t->flight_count > 0)
        ct_grid_check_sources(t, op, m, offset);
    for (int i = 0; i < op->bytes; ++i) {
        if (i > 0 && memcmp(&s[i], &first, sizeof first) == 0) {
            if (op->is_write) s[i].read = 0;
            else s[i] = s[0];
            continue;
        }
        const int is_new = s[i].wrote < r->block_tick; /* this block has not written it */
        if (s[i].flight && !is_new) check_in_flight(t, op, m, s + i);
        if (s[i].leaving && !is_new && op->is_write) fail_leaving(t, op, m, s + i);
        if (is_new && m->is_shared && !op->is_write) fail_unwritten(t, op, m, s + i);
        check_writer(t, op, m, s + i);
        if (!op->is_write) {
            if (!is_source) note_read(t, m, s + i);
            continue;
        }
        const int is_checked = i > 0 && s[i].reader == reader && s[i].read == read && m->is_shared;
        reader = s[i].reader;
        read = s[i].read;
        if (!is_checked) check_readers(t, op, m, s + i);
        s[i].read = 0; /* an access after this write comes after the reads */
    }
    if (!op->is_write) return;
    if (is_copy) ct_grid_note_leaving(t, op, s);
    else ct_grid_note_write(t, s, op->bytes, 0);
}

void ct_grid_check_atomic(ct_thread *t, const ct_operation *op, const ct_memory *m, size_t offset)
{
    const ct_grid_state *r = t->grid;
    for (int i = 0; i < op->bytes; ++i) {
        ct_shadow *const s = &m->shadows[offset + (size_t)i];
        const int is_new = s->wrote < r->block_tick;
        if (s->flight && !is_new) check_in_flight(t, op, m, s);
        if (s->leaving && !is_new && op->is_write) fail_leaving(t, op, m, s);
        if (is_new && m->is_shared) fail_unwritten(t, op, m, s);
        check_writer(t, op, m, s);
        if (!op->is_write) continue;
        check_readers(t, op, m, s);
        s->read = 0;
        s->wrote = r->tick;
        s->updated = r->resident > r->cluster;
        s->writer = s->updated ? (uint16_t)t->index : WRITER_REDUCTIONS;
        s->by_copy = 0;
    }
}
