/* Synchronisation: barriers of a block, and meetings of the lanes of a warp. */
#include "run.h"

#include <string.h>

void ct_grid_barrier(ct_grid_site *site)
{
    ct_thread *t = self();
    t->is_anywhere = 0;
    ct_grid_wait(t, THREAD_BARRIER, site);
}

void ct_grid_barrier_anywhere(ct_grid_site *site)
{
    ct_thread *t = self();
    t->is_anywhere = 1;
    ct_grid_wait(t, THREAD_BARRIER, site);
}

static _Noreturn void fail_site(ct_thread *t, const ct_operation *op, const ct_thread *other)
{
    const ct_dim3 i = other->indices.thread;
    if (other->meeting.site == op->site)
        ct_grid_fail_at(t, op, CT_GRID_E_DIVERGENCE,
                        "divergence: the mask is 0x%08x, but 0x%08x for thread (%u,%u,%u)",
                        (unsigned)t->meeting.mask, (unsigned)other->meeting.mask, i.x, i.y, i.z);
    ct_grid_fail_at(t, op, CT_GRID_E_DIVERGENCE,
                    "divergence: thread (%u,%u,%u) of the same warp waits at %s instead", i.x, i.y,
                    i.z, ct_grid_site_text(other->meeting.site).text);
}

/* Whether a lane of t's meeting lacks, and the first of those that wait there is at the same one: then all of
 * them are, and t waits too. */
static int is_early(const ct_thread *t)
{
    const ct_grid_state *const r = t->grid;
    const ct_meeting *const own = &t->meeting;
    const uint32_t others = own->mask & ~(1u << t->lane), here = others & r->met[t->warp];
    if (!(others & ~here & ~r->gone[t->warp])) return 0;
    if (!here) return 1;
    const ct_meeting *const first = &r->threads[t->warp * WARP_LANES + __builtin_ctz(here)].meeting;
    return first->site == own->site && first->mask == own->mask;
}

/* Collects the data of the lanes of t's meeting. Returns 0 if a lane has not arrived. */
static int collect(ct_thread *t, const ct_operation *op, void *all[WARP_LANES])
{
    const ct_grid_state *r = t->grid;
    ct_thread *lanes = &r->threads[t->warp * WARP_LANES];
    const int there = r->thread_count - t->warp * WARP_LANES;
    const ct_meeting *own = &t->meeting;
    int complete = 1;
    for (int i = 0; i < WARP_LANES; ++i) {
        all[i] = NULL;
        if (i == t->lane) all[i] = own->data;
        if (i == t->lane || !(own->mask >> i & 1)) continue;
        if (i >= there || lanes[i].state == THREAD_DONE) {
            complete &= !own->takes_all;
        } else if (lanes[i].state != THREAD_WARP || !(lanes[i].meeting.mask >> t->lane & 1)) {
            complete = 0;
        } else {
            if (lanes[i].meeting.site != own->site || lanes[i].meeting.mask != own->mask)
                fail_site(t, op, &lanes[i]);
            all[i] = lanes[i].meeting.data;
        }
    }
    return complete;
}

static void meet(ct_thread *t, const ct_operation *op, const ct_meeting *meeting,
                 ct_meeting_act *act)
{
    ct_thread *lanes = &t->grid->threads[t->warp * WARP_LANES];
    void *all[WARP_LANES];
    t->meeting = *meeting;
    while (is_early(t) || !collect(t, op, all)) {
        t->grid->met[t->warp] |= 1u << t->lane;
        ct_grid_wait(t, THREAD_WARP, op->site);
        if (t->meeting.has_met) return; /* otherwise a lane of the mask has exited */
    }
    act(t, op, all);
    for (int i = 0; i < WARP_LANES; ++i) {
        if (!all[i] || i == t->lane) continue;
        lanes[i].meeting.has_met = 1;
        lanes[i].state = THREAD_READY;
        t->grid->met[t->warp] &= ~(1u << i);
    }
}

void ct_grid_meet(ct_thread *t, const ct_operation *op, uint32_t mask, void *data,
                  ct_meeting_act *act)
{
    const ct_meeting meeting = {op->site, mask, 0, 0, data};
    if (!(mask >> t->lane & 1))
        ct_grid_fail_at(t, op, CT_GRID_E_DIVERGENCE,
                        "divergence: the mask 0x%08x leaves out lane %d, which executes it",
                        (unsigned)mask, t->lane);
    meet(t, op, &meeting, act);
}

void ct_grid_meet_all(ct_thread *t, const ct_operation *op, void *data, ct_meeting_act *act)
{
    const ct_meeting meeting = {op->site, UINT32_MAX, 1, 0, data};
    meet(t, op, &meeting, act);
}

void ct_grid_leave_warp(ct_thread *t)
{
    ct_grid_state *r = t->grid;
    const int first = t->warp * WARP_LANES;
    t->state = THREAD_DONE;
    r->gone[t->warp] |= 1u << t->lane;
    for (int i = first; i < first + WARP_LANES && i < r->thread_count; ++i) {
        ct_thread *other = &r->threads[i];
        if (other->state != THREAD_WARP || !(other->meeting.mask >> t->lane & 1)) continue;
        other->state = THREAD_READY;
        r->met[t->warp] &= ~(1u << other->lane);
    }
}

/* After a barrier of lanes, each knows the actions of the others, and those known to them. */
static void share_knowledge(ct_thread *const *lanes, int count, uint32_t tick)
{
    uint32_t *const all = lanes[0]->met;
    for (int k = 1; k < count; ++k) {
        for (int i = 0; i < WARP_LANES; ++i) {
            if (lanes[k]->met[i] > all[i]) all[i] = lanes[k]->met[i];
        }
    }
    for (int k = 0; k < count; ++k) all[lanes[k]->lane] = tick;
    for (int k = 1; k < count; ++k) memcpy(lanes[k]->met, all, sizeof lanes[k]->met);
}

/* The barrier of the lanes in data: orders their accesses before it and after it. The records are
 * flushed if the mask is that of the whole warp. */
static void act_barrier(ct_thread *last, const ct_operation *op, void *data[WARP_LANES])
{
    ct_grid_state *r = last->grid;
    (void)op;
    ct_thread *lanes[WARP_LANES];
    int count = 0, is_whole = 1;
    for (int i = 0; i < WARP_LANES; ++i) {
        const int index = last->warp * WARP_LANES + i;
        if (data[i]) lanes[count++] = &r->threads[index];
        else is_whole &= index >= r->thread_count || r->threads[index].state == THREAD_DONE;
    }
    if (last->meeting.mask == UINT32_MAX) ct_grid_records_flush(r, last->warp);
    ct_grid_next_tick(r);
    if (is_whole) r->warp_tick[last->warp] = r->tick;
    else share_knowledge(lanes, count, r->tick);
    ct_grid_clock_meet(lanes, count);
}

void ct_grid_warp_barrier(ct_grid_site *site, uint32_t mask)
{
    const ct_operation op = {site, "__syncwarp", 0, 0, 0, 0, 0};
    char here = 0;
    ct_grid_meet(self(), &op, mask, &here, act_barrier);
}

typedef struct shuffle {
    uint64_t value;
    int bytes, mode, lane, width, is_inside;
} shuffle;

/* The lane from which `lane` reads; itself if the distance leaves its segment. As on a GPU, the
 * distance is modulo 32, and xor may read from an earlier segment. */
static int source_lane(const shuffle *s, int lane, int *is_inside)
{
    const int first = lane & ~(s->width - 1), last = first + s->width - 1, by = s->lane & 31;
    const int from[] = {[CT_SHUFFLE_INDEX] = first + (by & (s->width - 1)),
                        [CT_SHUFFLE_UP] = lane - by,
                        [CT_SHUFFLE_DOWN] = lane + by,
                        [CT_SHUFFLE_XOR] = lane ^ by};
    *is_inside = s->mode == CT_SHUFFLE_UP ? from[s->mode] >= first : from[s->mode] <= last;
    return *is_inside ? from[s->mode] : lane;
}

static _Noreturn void fail_source(ct_thread *t, const ct_operation *op, int lane, int from)
{
    const int there = t->grid->thread_count - t->warp * WARP_LANES;
    const uint32_t mask = t->meeting.mask;
    if (!(mask >> from & 1))
        ct_grid_fail_at(t, op, CT_GRID_E_DIVERGENCE,
                        "lane %d reads from lane %d, which the mask 0x%08x leaves out", lane, from,
                        (unsigned)mask);
    if (from < there)
        ct_grid_fail_at(t, op, CT_GRID_E_DIVERGENCE, "lane %d reads from lane %d, which has ended",
                        lane, from);
    ct_grid_fail_at(t, op, CT_GRID_E_DIVERGENCE,
                    "lane %d reads from lane %d of a warp of which the block has only %d lanes",
                    lane, from, there);
}

static void act_shuffle(ct_thread *last, const ct_operation *op, void *data[WARP_LANES])
{
    uint64_t result[WARP_LANES] = {0};
    for (int i = 0; i < WARP_LANES; ++i) {
        shuffle *s = data[i];
        if (!s) continue;
        const int from = source_lane(s, i, &s->is_inside);
        if (!data[from]) fail_source(last, op, i, from);
        result[i] = ((const shuffle *)data[from])->value;
    }
    for (int i = 0; i < WARP_LANES; ++i) {
        if (data[i]) ((shuffle *)data[i])->value = result[i];
    }
}

int ct_grid_shuffle(ct_grid_site *site, uint32_t mask, int mode, void *value, int bytes, int lane,
                    int width)
{
    ct_thread *t = self();
    const ct_operation op = {site, "warp shuffle", 0, 0, 0, 0, 0};
    shuffle s = {0, bytes, mode, lane, width, 0};
    if (bytes > 8)
        ct_grid_fail_at(t, &op, CT_GRID_E_ATOM, "%d bytes; a shuffle moves at most 8", bytes);
    if (width < 1 || width > WARP_LANES || (width & (width - 1)))
        ct_grid_fail_at(t, &op, CT_GRID_E_ATOM, "width %d; a width is 1, 2, 4, 8, 16 or 32", width);
    memcpy(&s.value, value, (size_t)bytes);
    ct_grid_meet(t, &op, mask, &s, act_shuffle);
    memcpy(value, &s.value, (size_t)bytes);
    return s.is_inside;
}

static void act_ballot(ct_thread *last, const ct_operation *op, void *data[WARP_LANES])
{
    uint32_t votes = 0;
    (void)last;
    (void)op;
    for (int i = 0; i < WARP_LANES; ++i) {
        if (data[i] && *(const uint32_t *)data[i]) votes |= 1u << i;
    }
    for (int i = 0; i < WARP_LANES; ++i) {
        if (data[i]) *(uint32_t *)data[i] = votes;
    }
}

uint32_t ct_grid_ballot(ct_grid_site *site, uint32_t mask, int predicate)
{
    const ct_operation op = {site, "warp vote", 0, 0, 0, 0, 0};
    uint32_t vote = predicate != 0;
    ct_grid_meet(self(), &op, mask, &vote, act_ballot);
    return vote;
}
