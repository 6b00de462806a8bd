/* Schedules: the order in which blocks, warps and lanes take turns. It is fixed, or random numbers
 * choose it: where a thread could be overtaken, and how fast each warp is. */
#include "state.h"

/* A warp's pace changes once in PACE_ROUNDS rounds. */
enum { PACES = 6, PACE_ROUNDS = 16, YIELDS = 3, SCRAMBLES = 4 };

/* The numbers of SplitMix64.
 * Source: Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, 2014. */
uint64_t ct_grid_random(ct_grid_state *r, uint64_t below)
{
    uint64_t z = r->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % below;
}

ct_turns ct_grid_turns(ct_grid_state *r, uint64_t count)
{
    ct_turns turns = {0, count, 0, 0};
    if (!r->schedule || count == 1) return turns;
    turns.key = ct_grid_random(r, UINT64_MAX);
    turns.bits = 64 - __builtin_clzll(count - 1);
    return turns;
}

/* Steps that map the numbers of this many bits one to one. */
static uint64_t scramble(const ct_turns *turns, uint64_t x)
{
    const uint64_t most = UINT64_MAX >> (64 - turns->bits);
    uint64_t key = turns->key;
    for (int round = 0; round < SCRAMBLES; ++round) {
        x = (x * (key | 1) + (key >> 32)) & most;
        x ^= x >> (turns->bits + 1) / 2;
        key = key << 17 | key >> 47;
    }
    return x;
}

uint64_t ct_grid_random_turn(ct_turns *turns)
{
    uint64_t turn = scramble(turns, turns->next++);
    while (turn >= turns->count) turn = scramble(turns, turns->next++);
    return turn;
}

void ct_grid_paces_begin(ct_grid_state *r)
{
    if (r->schedule) r->yields = (unsigned char)ct_grid_random(r, YIELDS);
    for (int w = 0; r->schedule && w < r->warp_count; ++w)
        r->pace[w] = (unsigned char)ct_grid_random(r, PACES);
}

int ct_grid_is_slow(ct_grid_state *r, int warp)
{
    if (!r->schedule) return 0;
    if (ct_grid_random(r, PACE_ROUNDS) == 0)
        r->pace[warp] = (unsigned char)ct_grid_random(r, PACES);
    return ct_grid_random(r, (uint64_t)1 << r->pace[warp]) != 0;
}

void ct_grid_maybe_yield(ct_thread *t, const ct_grid_site *site)
{
    ct_grid_state *const r = t->grid;
    if (r->yields && ct_grid_random(r, YIELDS) < r->yields) ct_grid_wait(t, THREAD_READY, site);
}
