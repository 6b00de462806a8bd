/* Sets of readers, for bytes that several unordered threads have read. A byte has the number of its
 * set, and bytes share sets: a table finds the set that results from adding a reader. A barrier of
 * all threads ends every set. */
#include "check.h"

#include <sys/mman.h>

enum { MAX_READERS = 1 << 20, TABLE = 1 << 14 };

/* Lanes of one warp that read at one stamp, and the rest of the set. Copies and warpgroups are
 * numbered as lanes of warps that do not exist, from READER_COPY and READER_GROUP on. */
struct ct_readers {
    uint32_t stamp, lanes, rest; /* rest: the number of a set, or 0 */
    int32_t warp;
};

/* A table entry: reader `as`, added at `tick` to the readers (from, reader), makes the set `to`. */
struct ct_reader_step {
    uint32_t from, tick, to;
    uint16_t reader, as;
};

static void *map_zeroed(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

int ct_grid_readers_init(ct_grid_state *r)
{
    r->reader_first = r->reader_block = 1;
    r->readers = map_zeroed(MAX_READERS * sizeof *r->readers);
    r->reader_steps = map_zeroed(TABLE * sizeof *r->reader_steps);
    return r->readers && r->reader_steps;
}

void ct_grid_readers_free(ct_grid_state *r)
{
    if (r->readers) munmap(r->readers, MAX_READERS * sizeof *r->readers);
    if (r->reader_steps) munmap(r->reader_steps, TABLE * sizeof *r->reader_steps);
}

void ct_grid_readers_end(ct_grid_state *r)
{
    r->reader_first += r->reader_count;
    r->reader_count = 0;
    r->readers_have_copy = 0;
}

static const ct_readers *at(const ct_grid_state *r, uint32_t set)
{
    return &r->readers[set - r->reader_first];
}

/* The set of these lanes and the rest; 0 without room. */
static uint32_t new_set(ct_grid_state *r, uint32_t stamp, int warp, uint32_t lanes, uint32_t rest)
{
    if (r->reader_count == MAX_READERS || r->reader_first > UINT32_MAX - MAX_READERS) return 0;
    r->readers[r->reader_count] = (ct_readers){stamp, lanes, rest, warp};
    return r->reader_first + r->reader_count++;
}

/* The lanes whose reads no order puts before what t does now. */
static uint32_t lanes_beside(const ct_readers *some, const ct_thread *t)
{
    const ct_grid_state *const r = t->grid;
    uint32_t left = 0;
    if (r->resident == 1 && !t->clock && some->warp < READER_COPY / WARP_LANES) {
        if (some->stamp < r->barrier_tick[0]) return 0;
        if (some->warp != t->warp) return some->lanes;
        if (some->stamp < r->warp_tick[t->warp]) return 0;
    }
    for (uint32_t lanes = some->lanes; lanes; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        if (!ct_grid_is_ordered(t->grid, some->stamp, some->warp * WARP_LANES + lane, t))
            left |= 1u << lane;
    }
    return left;
}

/* The lanes that stay in the set when reader `as` is added. A thread removes the reads that come
 * before it. A copy or a warpgroup only removes its own: an action after the copy or the group's
 * instruction need not come after everything that one of its threads had seen. */
static uint32_t lanes_left(const ct_readers *some, const ct_thread *t, int as)
{
    if (as < READER_COPY) return lanes_beside(some, t);
    return some->warp == as / WARP_LANES ? some->lanes & ~(1u << as % WARP_LANES) : some->lanes;
}

/* The set with the reader, and without the reads that come before it; 0 without room. */
static uint32_t with_reader(ct_thread *t, uint32_t set, int as)
{
    ct_grid_state *r = t->grid;
    const int warp = as / WARP_LANES;
    uint32_t own = 1u << as % WARP_LANES, rest = 0;
    for (uint32_t k = set; k; k = at(r, k)->rest) {
        const ct_readers *some = at(r, k);
        if (some->stamp == r->tick && some->warp == warp && (some->lanes & own)) return set;
    }
    for (; set; set = at(r, set)->rest) {
        const ct_readers some = *at(r, set);
        const uint32_t lanes = lanes_left(&some, t, as);
        if (some.warp == warp && some.stamp == r->tick) own |= lanes;
        else if (lanes && !(rest = new_set(r, some.stamp, some.warp, lanes, rest))) return 0;
    }
    return new_set(r, r->tick, warp, own, rest);
}

uint32_t ct_grid_readers_add(ct_thread *t, uint32_t from, int reader, int as)
{
    ct_grid_state *r = t->grid;
    r->readers_have_copy |= as >= READER_COPY || (reader >= READER_COPY && reader != READERS_SET);
    const uint32_t key = (from * 31 + (uint32_t)as) * 31 + r->tick * 7 + (uint32_t)reader;
    ct_reader_step *step = &r->reader_steps[key * 2654435761u >> 18];
    if (step->to >= r->reader_first && step->from == from && step->tick == r->tick &&
        step->reader == reader && step->as == as)
        return step->to;
    uint32_t set = from;
    if (reader != READERS_SET)
        set = new_set(r, from, reader / WARP_LANES, 1u << reader % WARP_LANES, 0);
    set = set ? with_reader(t, set, as) : 0;
    *step = (ct_reader_step){from, r->tick, set, (uint16_t)reader, (uint16_t)as};
    return set;
}

int ct_grid_readers_beside(const ct_thread *t, uint32_t set, uint32_t *stamp)
{
    for (; set; set = at(t->grid, set)->rest) {
        const ct_readers *some = at(t->grid, set);
        const uint32_t lanes = lanes_beside(some, t);
        *stamp = some->stamp;
        if (lanes) return some->warp * WARP_LANES + __builtin_ctz(lanes);
    }
    return -1;
}
