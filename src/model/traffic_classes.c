/* The accesses of a thread-value layout, each class of congruent ones counted once: accesses whose addresses differ
 * by a multiple of the period, after which lines, banks and the swizzle repeat, cost the same. */
#include <stdlib.h>
#include <string.h>

#include <cutlet/algebra/composition.h>
#include <cutlet/algebra/make.h>
#include "base/refuse.h"
#include "traffic_walk.h"

enum { PERIOD_MOST = 1 << 20, LINE = 128 /* bytes: the line and the banks */ };

/* The accesses whose offset has a residue: how many, and the first in order; of none a count of 0. */
typedef struct residue {
    int64_t count, first;
} residue;

typedef struct classes {
    ct_layout steps; /* of an access and of a warp: index -> offset, accesses fastest */
    int64_t period;
    residue *now, *next;
} classes;

/* The offsets of the accesses; 0 where no layout is that function. */
static int find_steps(const traffic_walk *w, ct_layout memory, ct_layout *steps)
{
    const ct_layout all = ct_composition(memory, w->tv);
    if (all.err.status || (w->threads > TRAFFIC_LANES && w->threads % TRAFFIC_LANES)) return 0;
    const int64_t lanes = ct_min(w->threads, TRAFFIC_LANES);
    const ct_layout threads =
        ct_composition(ct_mode(all, 0), ct_layout2(lanes, w->threads / lanes, 1, lanes));
    const ct_layout values =
        ct_composition(ct_mode(all, 1), ct_layout2(w->width, w->accesses, 1, w->width));
    if (threads.err.status || values.err.status) return 0;
    *steps = ct_make_layout2(ct_mode(values, 1), ct_mode(threads, 1));
    return steps->err.status == CT_OK;
}

int64_t ct_traffic_period(const traffic_job *j, int side)
{
    const ct_access_rules *const r = j->rules ? j->rules : ct_access_rules_all(&(int){0});
    const ct_swizzle s = j->memory[side].side->memory.swizzle;
    const int reach = s.bits > 0 ? s.bits + s.base + (int)ct_abs(s.shift) : 0;
    if (LINE % r->sector_bytes || LINE % r->line_bytes || LINE % (r->banks * r->bank_bytes))
        return 0;
    return ct_max((int64_t)1 << reach, ct_max(1, LINE * 8 / j->walk.elem_bits));
}

/* One ring of residues that steps of `by` reach: those of `shape` steps from each. */
static void step_ring(const classes *c, int64_t at, int64_t by, int64_t ring, int64_t shape,
                      int64_t weight)
{
    const int64_t mask = c->period - 1, rest = shape % ring;
    int64_t whole = 0, window = 0, last = -1; /* last: how many steps ago one had accesses */
    for (int64_t i = 0; i < ring; ++i) whole += c->now[(at + i * by) & mask].count;
    for (int64_t i = 0; i < rest; ++i) window += c->now[(at - (i + 1) * by) & mask].count;
    for (int64_t i = 1; i <= ring && last < 0; ++i)
        if (c->now[(at - i * by) & mask].count) last = i;
    if (last < 0) return;
    for (int64_t i = 0; i < ring; ++i) {
        const int64_t here = (at + i * by) & mask;
        if (c->now[here].count) last = 0;
        if (rest) window += c->now[here].count - c->now[(here - rest * by) & mask].count;
        c->next[here].count = shape / ring * whole + window;
        if (last < shape)
            c->next[here].first = c->now[(here - last * by) & mask].first + last * weight;
        ++last;
    }
}

/* The residues of all accesses, one leaf after the other. */
static ct_status fill(const traffic_walk *w, classes *c)
{
    int64_t weight = 1; /* of a step along the leaf, in the order of accesses */
    c->now = calloc((size_t)c->period, sizeof *c->now);
    c->next = calloc((size_t)c->period, sizeof *c->next);
    if (!c->now || !c->next) return ct_refuse(w->message, CT_E_MEMORY, "out of memory");
    c->now[0].count = 1;
    for (int i = 0; i < c->steps.profile.leaves; ++i) {
        const int64_t shape = c->steps.shape[i], by = c->steps.stride[i] & (c->period - 1);
        const int64_t gap = by ? by & -by : c->period;
        for (int64_t at = 0; at < gap; ++at) step_ring(c, at, by, c->period / gap, shape, weight);
        residue *const done = c->now;
        c->now = c->next;
        c->next = done;
        memset(done, 0, (size_t)c->period * sizeof *done);
        weight *= shape;
    }
    return CT_OK;
}

static int by_first(const void *a, const void *b)
{
    const residue *const x = a, *const y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Walks the first access of each class in their order, and adds what all of them cost. */
static ct_status sum_classes(const traffic_job *all, classes *c)
{
    static const int64_t origin[CT_MAX_LEAVES];
    size_t n = 0;
    for (int64_t i = 0; i < c->period; ++i)
        if (c->now[i].count) c->now[n++] = c->now[i];
    qsort(c->now, n, sizeof *c->now, by_first);
    for (size_t i = 0; i < n; ++i) {
        ct_traffic one = {0};
        traffic_job j = *all;
        const int64_t first = c->now[i].first;
        j.sum[0] = &one;
        const ct_status bad = ct_traffic_walk_access(&j, origin, 0, first / all->walk.accesses,
                                                     first % all->walk.accesses);
        if (bad) return bad;
        ct_traffic_add_times(all->sum[0], &one, c->now[i].count);
    }
    return CT_OK;
}

/* The sum over memory by index, 1, and *bad what kept it from that; 0 where accesses cannot be put into classes. */
static int sum_all(const traffic_job *j, ct_status *bad)
{
    classes c = {.period = ct_traffic_period(j, 0)};
    int ok = 1;
    const traffic_walk *const w = &j->walk;
    const int64_t warps = ct_ceil_div_int(w->threads, TRAFFIC_LANES);
    const int64_t n = ct_mul(warps, w->accesses, &ok);
    if (!ok || n > (int64_t)1 << 48 || c.period == 0 || c.period > PERIOD_MOST ||
        n < c.period / 8 || !find_steps(w, j->memory[0].mode[0], &c.steps))
        return 0;
    *bad = fill(w, &c);
    if (!*bad) *bad = sum_classes(j, &c);
    free(c.now);
    free(c.next);
    return 1;
}

static int is_matrix(int kind) { return kind == CT_ACCESS_LDSM || kind == CT_ACCESS_STSM; }

/* Every access, or, by_class, one of each class. */
static ct_status walk_tv(traffic_job *j, ct_layout tv, const ct_traffic_side *side, int32_t bits,
                         ct_traffic *sum, char *message)
{
    static const int64_t origin[CT_MAX_LEAVES];
    const ct_traffic none = {0};
    const int64_t size = ct_size(side->memory.layout);
    traffic_walk *const w = &j->walk;
    *sum = none;
    j->sum[0] = sum;
    j->given[0] = 1;
    w->message = message;
    w->bits = bits;
    w->elem_bits = side->elem_bits;
    w->lanes = TRAFFIC_LANES;
    w->is_matrix = is_matrix(side->kind);
    w->rank = 1;
    ct_status bad = ct_traffic_check_widths(w, side->kind);
    if (!bad) bad = ct_traffic_memory_make(w, &j->memory[0], side, "", 1);
    if (!bad) bad = ct_traffic_set_tv(w, tv, size);
    if (bad) return bad;
    w->tile[0] = w->shape[0] = size;
    const int64_t rows = w->threads % TRAFFIC_LANES;
    if (w->is_matrix && rows != 0 && rows != 8 && rows != 16)
        return ct_refuse(w->message, CT_E_ARGUMENT,
                         "%lld threads give the addresses of rows; a warp gives 8, 16 or 32",
                         (long long)w->threads);
    if (!w->by_class || !sum_all(j, &bad)) {
        bad = ct_traffic_check_count(w);
        if (!bad) bad = ct_traffic_walk_tile(j, origin, 0);
    }
    if (bad) *sum = none;
    return bad;
}

ct_status ct_traffic_of_classes(ct_layout tv, const ct_traffic_side *side, int32_t bits,
                                const ct_access_rules *rules, ct_traffic_visit *visit, void *user,
                                ct_traffic *sum, char message[CT_MESSAGE_BYTES])
{
    traffic_job j = {.walk.by_class = 1, .rules = rules, .visit = visit, .user = user};
    return walk_tv(&j, tv, side, bits, sum, message);
}

ct_status ct_traffic_of_tv(ct_layout tv, const ct_traffic_side *side, int32_t bits,
                           const ct_access_rules *rules, ct_traffic_visit *visit, void *user,
                           ct_traffic *sum, char message[CT_MESSAGE_BYTES])
{
    traffic_job j = {.walk.by_class = !visit, .rules = rules, .visit = visit, .user = user};
    return walk_tv(&j, tv, side, bits, sum, message);
}
