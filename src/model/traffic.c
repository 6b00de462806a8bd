/* The traffic of layouts: see cutlet/host/traffic.h. The lanes of each instruction come from
 * traffic_walk.c, their cost from the access model. */
#include <cutlet/host/traffic.h>

#include <stdio.h>
#include <string.h>

#include <cutlet/host/text.h>
#include "base/refuse.h"
#include "traffic_walk.h"

static void add(ct_traffic *sum, const ct_access_count *c)
{
    const ct_traffic one = {
        1,        c->lanes,     c->requests,  c->sectors,    c->lines,       c->wavefronts,
        c->ideal, c->conflicts, c->broadcast, c->bytes_used, c->bytes_moved, c->at_least};
    ct_traffic_add(sum, &one);
}

static int is_async(int kind) { return kind == CT_ACCESS_LDGSTS || kind == CT_ACCESS_LDGSTS_CG; }

/* ---- one instruction ------------------------------------------------------------------------- */

/* Counts an instruction with an active lane, and passes it to the visitor. */
static void count(const traffic_job *j, ct_traffic_step *step)
{
    int any = 0;
    for (int t = 0; t < TRAFFIC_LANES; ++t) any |= step->access.offset[t] != CT_LANE_OFF;
    if (!any) return;
    ct_access one_side = step->access; /* each side of a cp.async is counted by itself */
    for (int t = 0; t < TRAFFIC_LANES; ++t) one_side.shared[t] = CT_LANE_OFF;
    step->count = ct_count_access_by(j->rules, &one_side, NULL);
    add(j->sum[step->side], &step->count);
    if (j->visit) j->visit(j->user, step);
}

/* Whether a lane takes part in the instruction, and not in its pieces. */
static int takes_part(const traffic_job *j, const traffic_lanes *own, int t)
{
    return ct_traffic_is_access(&j->walk, own->inside[t], own->whole);
}

/* The instruction of the lanes whose access is all inside, or filled with zeros. other: the shared side of a cp.async. */
static void count_whole(const traffic_job *j, ct_traffic_step *step, const traffic_lanes *own,
                        const traffic_lanes *other)
{
    const ct_traffic_side *side = j->memory[step->side].side;
    step->piece = -1;
    step->access.kind = side->kind;
    step->access.bits = j->walk.bits;
    for (int t = 0; t < TRAFFIC_LANES; ++t) {
        const int on = takes_part(j, own, t);
        step->access.offset[t] = on ? own->value[t][0] : CT_LANE_OFF;
        if (is_async(side->kind))
            step->access.shared[t] = on && other ? other->value[t][0] : CT_LANE_OFF;
    }
    count(j, step);
}

/* The instructions of the lanes that are inside in part: one for each value. */
static void count_pieces(const traffic_job *j, ct_traffic_step *step, const traffic_lanes *own)
{
    const int kind = j->memory[step->side].side->kind;
    int any = 0;
    for (int t = 0; t < TRAFFIC_LANES; ++t) any |= own->inside[t] && !takes_part(j, own, t);
    step->access.kind = is_async(kind) ? CT_ACCESS_LDG : kind;
    step->access.bits = j->walk.elem_bits;
    memset(step->access.shared, 0, sizeof step->access.shared);
    for (int v = 0; any && v < j->walk.width; ++v) {
        step->piece = v;
        for (int t = 0; t < TRAFFIC_LANES; ++t) {
            const int on = !takes_part(j, own, t) && (own->inside[t] >> v & 1);
            step->access.offset[t] = on ? own->value[t][v] : CT_LANE_OFF;
        }
        count(j, step);
    }
}

/* A cp.async: its requests and sectors to the source, its wavefronts to the destination. */
static ct_status walk_async(const traffic_job *j, const traffic_lanes lanes[2])
{
    ct_traffic_step step[2] = {{.side = 0}, {.side = 1}};
    ct_access both = {j->memory[0].side->kind, j->walk.bits, {0}, {0}}, to;
    int any = 0;
    for (int t = 0; t < TRAFFIC_LANES; ++t) {
        const int on = takes_part(j, &lanes[0], t);
        both.offset[t] = on ? lanes[0].value[t][0] : CT_LANE_OFF;
        both.shared[t] = on ? lanes[1].value[t][0] : CT_LANE_OFF;
        any |= on;
    }
    if (any) {
        to = both;
        to.kind = CT_ACCESS_STS;
        memcpy(to.offset, both.shared, sizeof to.offset);
        ct_access_count from = ct_count_access_by(j->rules, &both, NULL);
        ct_access_count into = ct_count_access_by(j->rules, &to, NULL);
        into.bytes_moved =
            into.wavefronts ? into.bytes_moved / into.wavefronts * from.wavefronts : 0;
        into.wavefronts = from.wavefronts;
        into.ideal = from.ideal;
        into.conflicts = from.conflicts;
        into.at_least = from.at_least;
        from.wavefronts = from.ideal = from.conflicts = 0;
        if (both.kind == CT_ACCESS_LDGSTS) from.at_least = 0; /* its sectors are exact */
        add(j->sum[0], &from);
        add(j->sum[1], &into);
    }
    for (int side = 0; side < 2; ++side) count_pieces(j, &step[side], &lanes[side]);
    return 0;
}

/* Access number `access` of a warp, both sides. */
ct_status ct_traffic_walk_access(const traffic_job *j, const int64_t *origin, int64_t tile,
                                 int64_t warp, int64_t access)
{
    traffic_lanes lanes[2];
    for (int side = 0; side < 2; ++side) {
        if (!j->given[side]) continue;
        const ct_status bad =
            ct_traffic_gather(&j->walk, &j->memory[side], origin, warp, access, &lanes[side]);
        if (bad) return bad;
    }
    if (j->together) return walk_async(j, lanes);
    for (int side = 0; side < 2; ++side) {
        ct_traffic_step step = {side, (int32_t)tile, (int32_t)warp, (int32_t)access, -1, {0}, {0}};
        if (!j->given[side]) continue;
        count_whole(j, &step, &lanes[side], side == 0 && j->given[1] ? &lanes[1] : NULL);
        count_pieces(j, &step, &lanes[side]);
    }
    return 0;
}

ct_status ct_traffic_walk_tile(const traffic_job *j, const int64_t *origin, int64_t tile)
{
    for (int64_t warp = 0; warp * TRAFFIC_LANES < j->walk.threads; ++warp) {
        for (int64_t access = 0; access < j->walk.accesses; ++access) {
            const ct_status bad = ct_traffic_walk_access(j, origin, tile, warp, access);
            if (bad) return bad;
        }
    }
    return 0;
}

/* ---- widths ---------------------------------------------------------------------------------- */

ct_status ct_traffic_check_widths(const traffic_walk *w, int kind)
{
    if (kind < 0 || kind >= CT_ACCESS_KINDS)
        return ct_refuse(w->message, CT_E_ARGUMENT, "there is no kind of access %d", kind);
    if (!ct_access_has_width(kind, w->bits))
        return ct_refuse(w->message, CT_E_ARGUMENT, "there is no %s of %d bits",
                         ct_access_name(kind), w->bits);
    const int e = w->elem_bits;
    if (e != 8 && e != 16 && e != 32 && e != 64 && e != 128)
        return ct_refuse(w->message, CT_E_ARGUMENT,
                         "elements of %d bits; they have 8, 16, 32, 64 or 128", e);
    if (w->bits % e != 0)
        return ct_refuse(w->message, CT_E_ARGUMENT,
                         "an access of %d bits is not a whole number of elements of %d", w->bits,
                         e);
    return 0;
}

ct_status ct_traffic_check_count(const traffic_walk *w)
{
    if (w->threads <= INT32_MAX && w->accesses <= INT32_MAX) return CT_OK;
    return ct_refuse(w->message, CT_E_CAPACITY, "%lld threads with %lld accesses each are too many",
                     (long long)w->threads, (long long)w->accesses);
}

ct_status ct_traffic_set_tv(traffic_walk *w, ct_layout tv, int64_t n)
{
    if (tv.err.status) return ct_refuse_error(w->message, tv.err);
    if (ct_layout_rank(tv) != 2 || !ct_is_integral(tv))
        return ct_refuse(w->message, CT_E_ARGUMENT,
                         "a thread-value layout has two modes with integer strides; this one has "
                         "rank %d",
                         ct_layout_rank(tv));
    const int64_t low = ct_lowest(tv), high = low + ct_cosize(tv) - 1;
    if (low < 0 || high >= n)
        return ct_refuse(w->message, CT_E_DOMAIN,
                         "the thread-value layout reaches index %lld; there are %lld",
                         (long long)(low < 0 ? low : high), (long long)n);
    const int64_t values = ct_size(ct_mode(tv, 1));
    w->tv = tv;
    w->threads = ct_size(ct_mode(tv, 0));
    w->width = w->bits / w->elem_bits;
    w->accesses = values / w->width;
    if (values % w->width != 0)
        return ct_refuse(w->message, CT_E_ARGUMENT,
                         "a thread has %lld values of %d bits, not a multiple of the %d that an "
                         "access of %d bits takes",
                         (long long)values, w->elem_bits, w->width, w->bits);
    return w->by_class ? CT_OK : ct_traffic_check_count(w);
}

void ct_traffic_add_times(ct_traffic *sum, const ct_traffic *more, int64_t times)
{
    sum->instructions += times * more->instructions;
    sum->lanes += times * more->lanes;
    sum->requests += times * more->requests;
    sum->sectors += times * more->sectors;
    sum->lines += times * more->lines;
    sum->wavefronts += times * more->wavefronts;
    sum->ideal += times * more->ideal;
    sum->conflicts += times * more->conflicts;
    sum->broadcast += times * more->broadcast;
    sum->bytes_used += times * more->bytes_used;
    sum->bytes_moved += times * more->bytes_moved;
    sum->at_least += times * more->at_least;
}

void ct_traffic_add(ct_traffic *sum, const ct_traffic *more) { ct_traffic_add_times(sum, more, 1); }

double ct_traffic_efficiency(const ct_traffic *sum, int global)
{
    const int64_t of = global ? sum->bytes_moved : sum->wavefronts;
    return of == 0 ? 1 : (double)(global ? sum->bytes_used : sum->ideal) / (double)of;
}
