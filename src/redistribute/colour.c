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
 * Of as many rounds as a rank has messages, one is free until all have a round: a bit for each says which. */
typedef struct ends {
    int64_t ranks, rounds, active; /* active: ranks that have messages */
    int32_t *count;      /* by rank: its messages */
    int64_t *word;       /* its bits */
    uint64_t *free_bits;
    int64_t *begin;      /* its hash table, and that of the next rank; of the wide table its number */
    int32_t *wide;       /* [round * active + number], -1 for none; or NULL */
    slot *slot;
} ends;

static void ends_free(ends *e)
{
    free(e->count);
    free(e->word);
    free(e->free_bits);
    free(e->begin);
    free(e->wide);
    free(e->slot);
}

static ct_status no_memory(char *message)
{
    return ct_refuse(message, CT_E_MEMORY, "not enough memory");
}

/* Room for the messages, of which none has a round. */
static ct_status ends_of(const ct_message *list, int64_t messages, int receives, ends *e, char *message)
{
    int64_t slots = 0, words = 0, number = 0;
    e->count = calloc((size_t)e->ranks, sizeof *e->count);
    e->word = malloc((size_t)e->ranks * sizeof *e->word);
    e->begin = malloc(((size_t)e->ranks + 1) * sizeof *e->begin);
    if (!e->count || !e->word || !e->begin) return no_memory(message);
    for (int64_t i = 0; i < messages; ++i)
        e->active += e->count[receives ? list[i].to : list[i].from]++ == 0;
    const int is_wide = e->active <= ENTRIES_WIDE / e->rounds;
    for (int64_t r = 0; r < e->ranks; ++r) {
        int64_t room = e->count[r] > 0;
        while (room < 2 * (int64_t)e->count[r]) room *= 2;
        e->word[r] = words;
        e->begin[r] = is_wide ? number : slots;
        words += (e->count[r] + 63) / 64;
        slots += room;
        number += e->count[r] > 0;
    }
    e->begin[e->ranks] = slots;
    e->free_bits = malloc((size_t)words * sizeof *e->free_bits);
    if (!e->free_bits) return no_memory(message);
    memset(e->free_bits, 0xff, (size_t)words * sizeof *e->free_bits);
    const size_t bytes = is_wide ? (size_t)(e->active * e->rounds) * sizeof *e->wide
                                 : (size_t)slots * sizeof *e->slot;
    void *const table = malloc(bytes);
    if (!table) return no_memory(message);
    memset(table, 0xff, bytes);
    if (is_wide) e->wide = table;
    else e->slot = table;
    return CT_OK;
}

static int64_t first_free(const ends *e, int64_t rank)
{
    const uint64_t *const bits = e->free_bits + e->word[rank];
    int64_t w = 0, round;
    while (bits[w] == 0) ++w;
    for (round = 64 * w; !(bits[w] >> round % 64 & 1);) ++round;
    return round;
}

static void set_free(ends *e, int64_t rank, int64_t round, int is_free)
{
    if (round >= e->count[rank]) return;
    uint64_t *const word = &e->free_bits[e->word[rank] + round / 64];
    const uint64_t bit = (uint64_t)1 << round % 64;
    *word = is_free ? *word | bit : *word & ~bit;
}

/* Where the search for a round begins. */
static int64_t home_of(int64_t round, int64_t mask)
{
    return (int64_t)((uint32_t)round * 2654435769u >> 8) & mask;
}

/* The slot of a round in a rank's hash table, or the empty one that would be its. */
static slot *slot_of(const ends *e, int64_t rank, int64_t round)
{
    slot *const all = e->slot + e->begin[rank];
    const int64_t mask = e->begin[rank + 1] - e->begin[rank] - 1;
    int64_t i = home_of(round, mask);
    while (all[i].round >= 0 && all[i].round != round) i = (i + 1) & mask;
    return &all[i];
}

/* The other rank of a rank's message in a round, -1 without one. */
static int64_t other_of(const ends *e, int64_t rank, int64_t round)
{
    return e->wide ? e->wide[round * e->active + e->begin[rank]] : slot_of(e, rank, round)->other;
}

static void put(ends *e, int64_t rank, int64_t round, int64_t other)
{
    if (e->wide) e->wide[round * e->active + e->begin[rank]] = (int32_t)other;
    else *slot_of(e, rank, round) = (slot){(int32_t)round, (int32_t)other};
}

/* In a hash table those that follow move up, unless the search for them begins behind the gap. */
static void take(ends *e, int64_t rank, int64_t round)
{
    if (e->wide) {
        e->wide[round * e->active + e->begin[rank]] = -1;
        return;
    }
    slot *const all = e->slot + e->begin[rank];
    const int64_t mask = e->begin[rank + 1] - e->begin[rank] - 1;
    int64_t gap = slot_of(e, rank, round) - all;
    for (int64_t i = (gap + 1) & mask; all[i].round >= 0; i = (i + 1) & mask) {
        if (((i - home_of(all[i].round, mask)) & mask) < ((i - gap) & mask)) continue;
        all[gap] = all[i];
        gap = i;
    }
    all[gap] = (slot){-1, -1};
}

/* The end of a path: a message has round `now` instead of `before`. */
static void end_path(ends *e, int64_t rank, int64_t before, int64_t now)
{
    take(e, rank, before);
    set_free(e, rank, before, 1);
    set_free(e, rank, now, 0);
}

/* Frees round a of receiver s, in which round b is free: rounds a and b change places along the path
 * of messages that begins there. The ranks on its way have messages in both. */
static void swap_path(ends *to, ends *from, int64_t s, int64_t a, int64_t b)
{
    int64_t sender = other_of(from, s, a), receiver = s;
    end_path(from, s, a, b);
    for (;;) {
        const int64_t next = other_of(to, sender, b);
        put(from, receiver, b, sender);
        put(to, sender, b, receiver);
        if (next < 0) {
            end_path(to, sender, a, b);
            return;
        }
        put(to, sender, a, next);
        const int64_t other = other_of(from, next, a);
        put(from, next, a, sender);
        if (other < 0) {
            end_path(from, next, b, a);
            return;
        }
        sender = other;
        receiver = next;
    }
}

static void colour(ends *to, ends *from, ct_message p)
{
    int64_t a = first_free(to, p.from);
    const int64_t b = first_free(from, p.to);
    int is_taken = other_of(from, p.to, a) >= 0;
    if (is_taken && other_of(to, p.from, b) < 0) {
        a = b;
        is_taken = 0;
    }
    if (is_taken) swap_path(to, from, p.to, a, b);
    put(to, p.from, a, p.to);
    put(from, p.to, a, p.from);
    set_free(to, p.from, a, 0);
    set_free(from, p.to, a, 0);
}

/* Lists what each rank sends. */
static void list_sent(const ends *e, const int64_t *begin, ct_sent *sent)
{
    for (int64_t r = 0; r < e->ranks; ++r) {
        ct_sent *next = sent + begin[r];
        if (e->count[r] == 0) continue;
        if (e->wide) {
            for (int64_t round = 0; round < e->rounds; ++round)
                if (other_of(e, r, round) >= 0)
                    *next++ = (ct_sent){(int32_t)round, (int32_t)other_of(e, r, round)};
            continue;
        }
        for (int64_t i = e->begin[r]; i < e->begin[r + 1]; ++i)
            if (e->slot[i].round >= 0) *next++ = (ct_sent){e->slot[i].round, e->slot[i].other};
    }
}

ct_status ct_colour(const ct_message *list, int64_t messages, int64_t ranks, int64_t rounds,
                    int64_t **begin, ct_sent **sent, char *message)
{
    ends to = {ranks, rounds, 0, NULL, NULL, NULL, NULL, NULL, NULL}, from = to;
    *begin = malloc(((size_t)ranks + 1) * sizeof **begin);
    *sent = malloc((size_t)messages * sizeof **sent);
    ct_status bad = *begin && *sent ? CT_OK : no_memory(message);
    if (!bad) bad = ends_of(list, messages, 0, &to, message);
    if (!bad) bad = ends_of(list, messages, 1, &from, message);
    for (int64_t i = 0; i < messages && !bad; ++i) colour(&to, &from, list[i]);
    if (!bad) {
        (*begin)[0] = 0;
        for (int64_t r = 0; r < ranks; ++r) (*begin)[r + 1] = (*begin)[r] + to.count[r];
        list_sent(&to, *begin, *sent);
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
