/* Lanes, one by one: the places that the instructions of a copy or a read touch, and their cost. */
#include <stdlib.h>
#include <string.h>

#include "suggest.h"

enum { RECENT = 8 };

/* Patterns of lanes that were counted. */
typedef struct memory {
    int64_t offset[RECENT][SUGGEST_LANES];
    int32_t cost[RECENT];
    int32_t count, next;
} memory;

/* Whether b costs what a does: every lane moved by, or XORed with, one and the same whole number of
 * units. Both only rename the sectors or the banks. */
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

/* The cost of one instruction, remembered. */
static int64_t cost_of(memory *m, const ct_access_rules *rules, const ct_access *access)
{
    const int global = ct_access_is_global(access->kind);
    const int bytes = access->bits / 8;
    const int64_t unit = global                      ? rules->sector_bytes
                         : bytes > rules->bank_bytes ? bytes
                                                     : rules->bank_bytes;
    for (int i = 0; i < m->count; ++i) {
        if (same_cost(m->offset[i], access->offset, unit)) return m->cost[i];
    }
    const ct_access_count count = ct_count_access_by(rules, access, NULL);
    memcpy(m->offset[m->next], access->offset, sizeof access->offset);
    m->cost[m->next] = global ? count.sectors : count.wavefronts;
    const int64_t cost = m->cost[m->next];
    m->next = (m->next + 1) % RECENT;
    if (m->count < RECENT) ++m->count;
    return cost;
}

int64_t ct_suggest_count(const ct_suggest_query *query, int kind, const suggest_walk *walk,
                         const int64_t *at, int64_t shift, int64_t most)
{
    memory m;
    m.count = m.next = 0;
    int64_t sum = 0, left = suggest_instructions(walk); /* each costs at least 1 */
    ct_access access;
    access.kind = kind;
    access.bits = query->elem_bits << walk->level;
    for (int first = 0; first < walk->lanes; first += SUGGEST_LANES) {
        for (int i = 0; i < walk->steps; ++i) {
            if (sum + left > most) return sum + left;
            for (int t = 0; t < SUGGEST_LANES; ++t)
                access.offset[t] = first + t < walk->lanes
                                       ? at[walk->lane[first + t] + walk->step[i]] + shift
                                       : CT_LANE_OFF;
            sum += cost_of(&m, ct_suggest_rules(query), &access);
            --left;
        }
    }
    return sum;
}

/* The place that piece u of a read begins at. */
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

int ct_suggest_read_walk(suggest_walk *walk, const ct_suggest_query *query, int level)
{
    const int64_t run = (int64_t)1 << level;
    walk->level = level;
    walk->lanes = (int32_t)(suggest_places(query) / run);
    walk->steps = 1;
    walk->lane = malloc((size_t)walk->lanes * sizeof *walk->lane);
    walk->step = calloc(1, sizeof *walk->step);
    if (!walk->lane || !walk->step) return -1;
    for (int32_t u = 0; u < walk->lanes; ++u) walk->lane[u] = (int32_t)piece(query, u, run);
    return 0;
}

void ct_suggest_walk_free(suggest_walk *walk)
{
    free(walk->lane);
    free(walk->step);
    walk->lane = walk->step = NULL;
}
