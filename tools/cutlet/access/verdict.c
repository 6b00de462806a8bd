/* What an access costs, in a sentence: the conflict, the lanes that share a bank, and the swizzle that
 * has none; or how many bytes of the sectors are used. */
#include "verdict.h"

#include <stdio.h>
#include <string.h>

#include <cutlet/algebra/composition.h>
#include <cutlet/algebra/make.h>
#include <cutlet/algebra/swizzle.h>

enum { LANES = 32, BITS_MOST = 5, CHUNK_BITS = 128, SHOWN = 2, BITS_REACHED = 20 };

void ct_access_keep_worst(void *user, const ct_traffic_step *step)
{
    ct_access_worst *const w = user;
    const int side = step->side;
    const int global = ct_access_is_global(step->access.kind);
    const int64_t cost = global ? step->count.sectors : step->count.conflicts;
    if (w->has[side] && cost <= w->cost[side]) return;
    w->has[side] = 1;
    w->cost[side] = cost;
    w->step[side] = *step;
}

/* Whether two lanes of a pass ask one bank for different words. */
static int collide(const ct_access_rules *r, const ct_access *a, const ct_access_detail *d, int x,
                   int y)
{
    const int64_t bank = r->bank_bytes, ring = bank * r->banks;
    if (a->offset[x] == CT_LANE_OFF || a->offset[y] == CT_LANE_OFF || d->group[x] != d->group[y] ||
        a->offset[x] / bank == a->offset[y] / bank)
        return 0;
    const int64_t distance = (a->offset[x] / bank - a->offset[y] / bank) * bank % ring;
    const int64_t reach = ct_max(bank, a->bits / 8);
    return ct_abs(distance) < reach || ct_abs(distance) > ring - reach;
}

/* `lanes 0, 4, ..`: the first lane that shares a bank, and those that it shares it with. */
static void name_lanes(const ct_access_rules *rules, const ct_access *a, char *text, size_t size)
{
    ct_access_detail d;
    ct_access one = *a;
    size_t n = 0;
    for (int t = 0; t < LANES; ++t) one.shared[t] = CT_LANE_OFF;
    ct_count_access_by(rules, &one, &d);
    text[0] = 0;
    for (int x = 0; x < LANES && n == 0; ++x) {
        int found = 0;
        for (int y = x + 1; y < LANES && found <= SHOWN; ++y) {
            if (!collide(rules, a, &d, x, y)) continue;
            if (found++ == 0) n = (size_t)snprintf(text, size, "lanes %d", x);
            if (found <= SHOWN - 1) n += (size_t)snprintf(text + n, size - n, ", %d", y);
            else if (found == SHOWN) n += (size_t)snprintf(text + n, size - n, ", ..");
        }
    }
}

/* Whether the accesses have no conflict by that swizzle. */
static int is_free(const ct_traffic_side *side, ct_layout tv, int bits,
                   const ct_access_rules *rules, ct_swizzle swizzle)
{
    ct_traffic_side other = *side;
    ct_traffic sum;
    other.memory.swizzle = swizzle;
    const int64_t lanes = ct_min(LANES, ct_size(ct_mode(tv, 0)));
    const ct_layout first =
        ct_make_layout2(ct_composition(ct_mode(tv, 0), ct_layout1(lanes, 1)),
                        ct_composition(ct_mode(tv, 1), ct_layout1(bits / side->elem_bits, 1)));
    if (first.err.status == CT_OK && /* which shows most conflicts */
        (ct_traffic_of_tv(first, &other, bits, rules, NULL, NULL, &sum, NULL) || sum.conflicts))
        return 0;
    return ct_traffic_of_tv(tv, &other, bits, rules, NULL, NULL, &sum, NULL) == CT_OK &&
           sum.conflicts == 0;
}

/* The swizzle of the fewest bits without a conflict; one that keeps 16 bytes together before others. */
static int find_swizzle(const ct_traffic_side *side, ct_layout tv, int bits,
                        const ct_access_rules *rules, ct_swizzle *found)
{
    int whole = 0, top = 0;
    while (side->elem_bits << whole < CHUNK_BITS) ++whole;
    while (top < BITS_REACHED && (int64_t)1 << top < ct_cosize(side->memory.layout)) ++top;
    for (int base = whole; base >= 0; --base)
        for (int b = 1; b <= BITS_MOST; ++b)
            for (int shift = b; base + shift + b <= top; ++shift) {
                *found = ct_make_swizzle(b, base, shift);
                if (is_free(side, tv, bits, rules, *found)) return 1;
            }
    return 0;
}

static double ways(const ct_access_count *c)
{
    return c->wavefronts > c->conflicts ? (double)c->wavefronts / (c->wavefronts - c->conflicts)
                                        : 1;
}

void ct_access_verdict(const ct_access_row *row, const ct_traffic_step *worst,
                       const ct_access_rules *rules, char *text, size_t size)
{
    const ct_traffic *const s = &row->sum;
    char lanes[64];
    if (ct_access_is_global(row->kind)) {
        snprintf(text, size,
                 s->bytes_used == s->bytes_moved
                     ? "coalesced: every byte of the %lld sectors is used"
                     : "%lld sectors of 32 bytes, of which %.0f %% are used",
                 (long long)s->sectors, 100 * ct_traffic_efficiency(s, 1));
        return;
    }
    if (s->conflicts == 0) {
        snprintf(text, size, "no bank conflict: %lld wavefronts, %s", (long long)s->wavefronts,
                 s->wavefronts <= s->ideal ? "the fewest" : "more than the fewest for its bytes");
        return;
    }
    name_lanes(rules, &worst->access, lanes, sizeof lanes);
    snprintf(text, size, "%.3g-way conflict%s%s%s", ways(&worst->count), lanes[0] ? ": " : "",
             lanes, lanes[0] ? " share a bank" : "");
}

void ct_access_propose(const ct_traffic_side *side, ct_layout tv, int bits,
                       const ct_access_rules *rules, char *text, size_t size)
{
    ct_swizzle s;
    if (find_swizzle(side, tv, bits, rules, &s))
        snprintf(text, size, "; Sw<%d,%d,%d> has none", (int)s.bits, (int)s.base, (int)s.shift);
    else snprintf(text, size, "; no swizzle has none");
}
