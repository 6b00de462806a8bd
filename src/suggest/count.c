/* Lanes, one by one: the indices that the instructions of a copy or a read touch, and their cost. */
#include <stdlib.h>
#include <string.h>

#include "suggest.h"

enum { RECENT = 8 };

/* Instructions that were counted. */
typedef struct memory {
    ct_access access[RECENT];
    suggest_tally cost[RECENT];
    int32_t count, next;
} memory;

/* Whether lanes at b have the cost of lanes at a: each is moved by, or XORed with, the same
 * integral number of units. Both only rename the sectors, the lines or the banks. */
static int same_cost(const int64_t *a, const int64_t *b, int64_t unit)
{
    if ((a[0] == CT_LANE_OFF) != (b[0] == CT_LANE_OFF)) return 0;
    const int64_t added = b[0] - a[0], flipped = b[0] ^ a[0];
    int adds = added % unit == 0, flips = flipped % unit == 0;
    for (int t = 0; t < SUGGEST_LANES && (adds || flips); ++t) {
        if (a[t] == CT_LANE_OFF || b[t] == CT_LANE_OFF) {
            if (a[t] != b[t]) return 0;
            continue;
        }
        adds &= b[t] - a[t] == added;
        flips &= (b[t] ^ a[t]) == flipped;
    }
    return adds || flips;
}

/* The units of either side of an instruction: banks, sectors, or lines if those count. */
static void find_units(const ct_access_rules *rules, const ct_access *access, int64_t *unit,
                       int64_t *shared_unit)
{
    const int bytes = access->bits / 8;
    const int64_t bank = bytes > rules->bank_bytes ? bytes : rules->bank_bytes;
    const int past_l1 = access->kind == CT_ACCESS_LDGSTS_CG;
    *shared_unit = past_l1 ? rules->line_bytes : bank;
    if (access->kind == CT_ACCESS_LDGSTS) *unit = rules->sector_bytes;
    else *unit = ct_access_is_global(access->kind) ? rules->line_bytes : bank;
}

/* The cost of one instruction, remembered. */
static suggest_tally cost_of(memory *m, const ct_access_rules *rules, const ct_access *access)
{
    const int both = access->kind == CT_ACCESS_LDGSTS || access->kind == CT_ACCESS_LDGSTS_CG;
    int64_t unit, shared_unit;
    find_units(rules, access, &unit, &shared_unit);
    for (int i = 0; i < m->count; ++i) {
        if (same_cost(m->access[i].offset, access->offset, unit) &&
            (!both || same_cost(m->access[i].shared, access->shared, shared_unit)))
            return m->cost[i];
    }
    const ct_access_count count = ct_count_access_by(rules, access, NULL);
    const suggest_tally cost = {count.sectors, count.lines, count.wavefronts,
                                both && count.at_least};
    m->access[m->next] = *access;
    m->cost[m->next] = cost;
    m->next = (m->next + 1) % RECENT;
    if (m->count < RECENT) ++m->count;
    return cost;
}

/* The lanes of an instruction: where each begins, and, with a shared side, where it goes. */
static void place_lanes(ct_access *access, const suggest_walk *walk, int first, int32_t step,
                        const int64_t *at, int64_t shift, const int64_t *shared)
{
    for (int t = 0; t < SUGGEST_LANES; ++t) {
        const int32_t index = first + t < walk->lanes ? walk->lane[first + t] + step : -1;
        access->offset[t] = index < 0 ? CT_LANE_OFF : at[index] + shift;
        if (shared) access->shared[t] = index < 0 ? CT_LANE_OFF : shared[index];
    }
}

suggest_tally ct_suggest_count(const ct_suggest_query *query, int kind, const suggest_walk *walk,
                               const int64_t *at, int64_t shift, const int64_t *shared,
                               int64_t most)
{
    const int global = ct_access_is_global(kind);
    int64_t left = suggest_instructions(walk); /* each costs at least 1 */
    suggest_tally sum = {0};
    memory m;
    ct_access access;
    m.count = m.next = 0;
    access.kind = kind;
    access.bits = query->elem_bits << walk->level;
    for (int first = 0; first < walk->lanes; first += SUGGEST_LANES) {
        for (int i = 0; i < walk->steps; ++i, --left) {
            if ((global && !shared ? sum.sectors : sum.wavefronts) + left > most) {
                sum.wavefronts = sum.sectors = most + 1;
                return sum;
            }
            place_lanes(&access, walk, first, walk->step[i], at, shift, shared);
            const suggest_tally one = cost_of(&m, ct_suggest_rules(query), &access);
            sum.sectors += one.sectors;
            sum.lines += one.lines;
            sum.wavefronts += one.wavefronts;
            sum.at_least |= one.at_least;
        }
    }
    return sum;
}

/* The index that piece u of a read begins at. */
static int64_t piece(const ct_suggest_query *q, int64_t u, int64_t run)
{
    const int64_t m = q->tile_m, n = q->tile_n;
    switch (q->read) {
        case CT_READ_ROWS: return u / (n / run) + u % (n / run) * run * m;
        case CT_READ_COLS: return u % (m / run) * run + u / (m / run) * m;
        case CT_READ_LDMATRIX: return u % m + u / m * run * m;
        default: return u / n * run + u % n * m;
    }
}

ct_status ct_suggest_read_walk(suggest_walk *walk, const ct_suggest_query *query, int level)
{
    const int64_t run = (int64_t)1 << level;
    walk->level = level;
    walk->lanes = (int32_t)(suggest_size(query) / run);
    walk->steps = 1;
    walk->lane = malloc((size_t)walk->lanes * sizeof *walk->lane);
    walk->step = calloc(1, sizeof *walk->step);
    if (!walk->lane || !walk->step) return CT_E_MEMORY;
    for (int32_t u = 0; u < walk->lanes; ++u) walk->lane[u] = (int32_t)piece(query, u, run);
    return 0;
}

void ct_suggest_walk_free(suggest_walk *walk)
{
    free(walk->lane);
    free(walk->step);
    walk->lane = walk->step = NULL;
}
