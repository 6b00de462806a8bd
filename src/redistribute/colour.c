/* Rounds of messages: an edge colouring, one message after another. */
#include "colour.h"

#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"

/* The most entries of a table with one for each rank that has messages and each round. */
enum { ENTRIES_WIDE = 1 << 22 };

/* An entry of a hash table: the other rank of a message, and its round, or -1. */
typedef struct slot {
    int32_t round, other;
} slot;

/* One side of the graph: the messages that each rank sends, or receives.
 *
 * Where that takes little memory, a table has the other rank for each round and rank. Rounds come first:
 * a path of messages uses two of them, which stay in the cache. Otherwise each rank has a hash table of
 * at least twice its messages, in which a search goes on to the next slot.
 *
 * A rank with n messages has a free one of n rounds until all have a round: a bit for each. */
typedef struct ends {
    int64_t active, rounds; /* active: ranks that have messages, which are numbered */
    int32_t *number;        /* of a rank */
    int32_t *rank, *count;  /* by number: the rank, and its messages */
    int64_t *word;          /* its bits */
    uint64_t *free_bits;
    int64_t *begin; /* its hash table; the next one's is beyond */
    slot *slot;
    int32_t *wide; /* the wide table, [round * active + number], -1 for none; or NULL */
} ends;

static void ends_free(ends *e)
{
    free(e->number);
    free(e->rank);
    free(e->count);
    free(e->word);
    free(e->free_bits);
    free(e->begin);
    free(e->slot);
    free(e->wide);
}

static ct_status no_memory(char *message)
{
    return ct_refuse(message, CT_E_MEMORY, "not enough memory");
}

/* Numbers the ranks that have messages, and counts these. */
static ct_status number_ranks(const ct_message *list, int64_t messages, int64_t ranks, int receives,
                              ends *e, char *message)
{
    const size_t most = (size_t)ct_min(ranks, messages);
    e->number = malloc((size_t)ranks * sizeof *e->number);
    e->rank = malloc(most * sizeof *e->rank);
    e->count = calloc(most, sizeof *e->count);
    if (!e->number || !e->rank || !e->count) return no_memory(message);
    memset(e->number, 0xff, (size_t)ranks * sizeof *e->number);
    for (int64_t i = 0; i < messages; ++i) {
        const int32_t rank = receives ? list[i].to : list[i].from;
        if (e->number[rank] < 0) {
            e->rank[e->active] = rank;
            e->number[rank] = (int32_t)e->active++;
        }
        e->count[e->number[rank]]++;
    }
    return CT_OK;
}

/* Room for the messages, of which none has a round. */
static ct_status ends_of(const ct_message *list, int64_t messages, int64_t ranks, int receives,
                         ends *e, char *message)
{
    int64_t slots = 0, words = 0;
    const ct_status bad = number_ranks(list, messages, ranks, receives, e, message);
    if (bad) return bad;
    e->word = malloc((size_t)e->active * sizeof *e->word);
    e->begin = malloc(((size_t)e->active + 1) * sizeof *e->begin);
    if (!e->word || !e->begin) return no_memory(message);
    for (int64_t v = 0; v < e->active; ++v) {
        int64_t capacity = 1;
        while (capacity < 2 * (int64_t)e->count[v]) capacity *= 2;
        e->word[v] = words;
        e->begin[v] = slots;
        words += (e->count[v] + 63) / 64;
        slots += capacity;
    }
    e->begin[e->active] = slots;
    e->free_bits = malloc((size_t)words * sizeof *e->free_bits);
    if (!e->free_bits) return no_memory(message);
    memset(e->free_bits, 0xff, (size_t)words * sizeof *e->free_bits);
    const int is_wide = e->active <= ENTRIES_WIDE / e->rounds;
    const size_t bytes = is_wide ? (size_t)(e->active * e->rounds) * sizeof *e->wide
                                 : (size_t)slots * sizeof *e->slot;
    void *const table = malloc(bytes);
    if (!table) return no_memory(message);
    memset(table, 0xff, bytes);
    if (is_wide) e->wide = table;
    else e->slot = table;
    return CT_OK;
}

static int64_t first_free(const ends *e, int64_t v)
{
    const uint64_t *const bits = e->free_bits + e->word[v];
    int64_t w = 0, round;
    while (bits[w] == 0) ++w;
    for (round = 64 * w; !(bits[w] >> round % 64 & 1);) ++round;
    return round;
}

static void set_free(ends *e, int64_t v, int64_t round, int is_free)
{
    if (round >= e->count[v]) return;
    uint64_t *const word = &e->free_bits[e->word[v] + round / 64];
    const uint64_t bit = (uint64_t)1 << round % 64;
    *word = is_free ? *word | bit : *word & ~bit;
}

/* Where the search for a round begins. */
static int64_t home_of(int64_t round, int64_t mask)
{
    return (int64_t)((uint32_t)round * 2654435769u >> 8) & mask;
}

/* The slot of a round in a hash table, or the empty one that would be its. */
static slot *slot_of(const ends *e, int64_t v, int64_t round)
{
    slot *const all = e->slot + e->begin[v];
    const int64_t mask = e->begin[v + 1] - e->begin[v] - 1;
    int64_t i = home_of(round, mask);
    while (all[i].round >= 0 && all[i].round != round) i = (i + 1) & mask;
    return &all[i];
}

/* The other end of a message in a round, -1 without one. */
static int64_t other_of(const ends *e, int64_t v, int64_t round)
{
    return e->wide ? e->wide[round * e->active + v] : slot_of(e, v, round)->other;
}

static void put(ends *e, int64_t v, int64_t round, int64_t other)
{
    if (e->wide) e->wide[round * e->active + v] = (int32_t)other;
    else *slot_of(e, v, round) = (slot){(int32_t)round, (int32_t)other};
}

/* In a hash table later entries move up, unless the search for them begins after the gap. */
static void take(ends *e, int64_t v, int64_t round)
{
    if (e->wide) {
        e->wide[round * e->active + v] = -1;
        return;
    }
    slot *const all = e->slot + e->begin[v];
    const int64_t mask = e->begin[v + 1] - e->begin[v] - 1;
    int64_t gap = slot_of(e, v, round) - all;
    for (int64_t i = (gap + 1) & mask; all[i].round >= 0; i = (i + 1) & mask) {
        if (((i - home_of(all[i].round, mask)) & mask) < ((i - gap) & mask)) continue;
        all[gap] = all[i];
        gap = i;
    }
    all[gap] = (slot){-1, -1};
}

/* The end of a path: a message gets round `now` instead of `before`. */
static void end_path(ends *e, int64_t v, int64_t before, int64_t now)
{
    take(e, v, before);
    set_free(e, v, before, 1);
    set_free(e, v, now, 0);
}

/* Frees round a of receiver s, in which round b is free: rounds a and b are exchanged along the
 * path of messages that begins there. The ranks on its way have messages in both. */
static void swap_path(ends *to, ends *from, int64_t s, int64_t a, int64_t b)
{
    int64_t sender = other_of(from, s, a), receiver = s;
    end_path(from, s, a, b);
    for (;;) {
        const int64_t next = other_of(to, sender, b);
        put(from, receiver, b, sender);
        if (next < 0) end_path(to, sender, a, b);
        put(to, sender, b, receiver);
        if (next < 0) return;
        put(to, sender, a, next);
        const int64_t other = other_of(from, next, a);
        if (other < 0) end_path(from, next, b, a);
        put(from, next, a, sender);
        if (other < 0) return;
        sender = other;
        receiver = next;
    }
}

static void colour(ends *to, ends *from, int64_t sender, int64_t receiver)
{
    int64_t a = first_free(to, sender);
    const int64_t b = first_free(from, receiver);
    int is_taken = other_of(from, receiver, a) >= 0;
    if (is_taken && other_of(to, sender, b) < 0) {
        a = b;
        is_taken = 0;
    }
    if (is_taken) swap_path(to, from, receiver, a, b);
    put(to, sender, a, receiver);
    put(from, receiver, a, sender);
    set_free(to, sender, a, 0);
    set_free(from, receiver, a, 0);
}

/* Lists what each rank sends. */
static void list_sent(const ends *to, const ends *from, const int64_t *begin, ct_sent *sent)
{
    for (int64_t v = 0; v < to->active; ++v) {
        ct_sent *next = sent + begin[to->rank[v]];
        for (int64_t round = 0; to->wide && round < to->rounds; ++round) {
            const int64_t other = other_of(to, v, round);
            if (other >= 0) *next++ = (ct_sent){(int32_t)round, from->rank[other]};
        }
        for (int64_t i = to->begin[v]; !to->wide && i < to->begin[v + 1]; ++i)
            if (to->slot[i].round >= 0)
                *next++ = (ct_sent){to->slot[i].round, from->rank[to->slot[i].other]};
    }
}

ct_status ct_colour(const ct_message *list, int64_t messages, int64_t ranks, int64_t rounds,
                    int64_t **begin, ct_sent **sent, char *message)
{
    ends to = {0}, from = {0};
    to.rounds = from.rounds = rounds;
    *begin = calloc((size_t)ranks + 1, sizeof **begin);
    *sent = malloc((size_t)messages * sizeof **sent);
    ct_status bad = *begin && *sent ? CT_OK : no_memory(message);
    if (!bad) bad = ends_of(list, messages, ranks, 0, &to, message);
    if (!bad) bad = ends_of(list, messages, ranks, 1, &from, message);
    for (int64_t i = 0; i < messages && !bad; ++i)
        colour(&to, &from, to.number[list[i].from], from.number[list[i].to]);
    if (!bad) {
        for (int64_t r = 0; r < ranks; ++r)
            (*begin)[r + 1] = (*begin)[r] + (to.number[r] < 0 ? 0 : to.count[to.number[r]]);
        list_sent(&to, &from, *begin, *sent);
    } else {
        free(*begin);
        free(*sent);
        *begin = NULL;
        *sent = NULL;
    }
    ends_free(&to);
    ends_free(&from);
    return bad;
}
