/* Rounds, and the numbers of all ranks. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "peers.h"

/* The most messages, and entries of the tables, of an exchange whose rounds are coloured; and the most
 * messages of which each is looked at for the bytes that holders of the same elements send. */
enum { MESSAGES_COLOURED = 1 << 19, ENTRIES_COLOURED = 1 << 22, MESSAGES_COUNTED = 1 << 14 };

void ct_order_free(ct_order *o)
{
    free(o->receiver);
    o->receiver = NULL;
}

/* For each mode and key of both sides, the keys that it meets. */
typedef struct degrees {
    int64_t *count[2][CT_SHARDED_MODES];
} degrees;

static void degrees_free(degrees *d)
{
    for (int m = 0; m < CT_SHARDED_MODES; ++m) free(d->count[0][m]), free(d->count[1][m]);
}

static ct_status degrees_of(const ct_sides *s, degrees *out, char *message)
{
    ct_status bad = CT_OK;
    memset(out, 0, sizeof *out);
    for (int side = 0; side < 2 && !bad; ++side)
        for (int m = 0; m < s->modes && !bad; ++m) {
            out->count[side][m] = calloc((size_t)s->side[side].axis[m].keys, sizeof(int64_t));
            bad = out->count[side][m] ? ct_sides_degrees(s, m, side, out->count[side][m], message)
                                      : ct_refuse(message, CT_E_MEMORY, "not enough memory");
        }
    return bad;
}

static int64_t degree(const ct_sides *s, const degrees *d, int side, const int64_t *keys)
{
    int64_t product = 1;
    for (int m = 0; m < s->modes; ++m) product *= d->count[side][m][keys[m]];
    return product;
}

/* The number of the group of ranks that hold the same of the source. */
static int64_t group_of(const ct_sides *s, const int64_t *keys)
{
    int64_t group = 0;
    for (int m = 0; m < s->modes; ++m) group = group * s->side[0].axis[m].keys + keys[m];
    return group;
}

/* Messages in all, the most of a rank, and the most places in a list of peers. */
static ct_status count_messages(const ct_sides *s, ct_order *out, int64_t *longest, char *message)
{
    const int64_t holders = s->side[0].holders, groups = s->side[0].ranks / holders;
    degrees d;
    int64_t *const own = calloc((size_t)groups, sizeof *own); /* holders that keep something */
    ct_status bad = own ? degrees_of(s, &d, message)
                        : ct_refuse(message, CT_E_MEMORY, "not enough memory");
    int64_t source[CT_SHARDED_MODES], target[CT_SHARDED_MODES];
    *longest = 0;
    for (int64_t r = 0; r < s->side[1].ranks && !bad; ++r) {
        ct_sides_keys(s, 1, r, target);
        int64_t count = degree(s, &d, 1, target);
        *longest = ct_max(*longest, count);
        if (ct_sides_keys(s, 0, r, source)) {
            int keeps = 1;
            for (int m = 0; m < s->modes; ++m) keeps &= ct_sides_meet(s, m, source[m], target[m]);
            count -= keeps;
            own[group_of(s, source)] += keeps;
        }
        out->messages += count;
        out->least_rounds = ct_max(out->least_rounds, count);
    }
    for (int64_t r = 0; r < s->side[0].ranks && !bad; ++r) {
        if (ct_axes_copy(&s->side[0], r) > 0) continue;
        ct_sides_keys(s, 0, r, source);
        const int64_t all = degree(s, &d, 0, source) * s->side[1].holders;
        *longest = ct_max(*longest, all);
        out->least_rounds = ct_max(out->least_rounds,
                                   ct_ceil_div_int(all - own[group_of(s, source)], holders));
    }
    if (own) degrees_free(&d);
    free(own);
    return bad;
}

/* The tables of a colouring: who a rank sends to, and receives from, in each round. */
typedef struct colouring {
    int32_t *to, *from;
    int64_t rounds;
} colouring;

static int64_t first_free(const int32_t *row, int64_t rounds)
{
    int64_t c = 0;
    while (c < rounds - 1 && row[c] >= 0) ++c;
    return c;
}

/* Frees round a of receiver s, in which round b is free: rounds a and b change places along the path
 * of messages that begins there. */
static void swap_path(colouring *t, int64_t s, int64_t a, int64_t b)
{
    int32_t *const to = t->to, *const from = t->from;
    const int64_t n = t->rounds;
    int64_t sender = from[s * n + a], receiver = s;
    from[s * n + a] = -1;
    for (;;) {
        const int64_t next = to[sender * n + b];
        to[sender * n + b] = (int32_t)receiver;
        from[receiver * n + b] = (int32_t)sender;
        to[sender * n + a] = (int32_t)next;
        if (next < 0) return;
        const int64_t other = from[next * n + a];
        from[next * n + a] = (int32_t)sender;
        from[next * n + b] = -1;
        if (other < 0) return;
        sender = other;
        receiver = next;
    }
}

static void colour(colouring *t, int64_t sender, int64_t receiver)
{
    int32_t *const to = t->to + sender * t->rounds, *const from = t->from + receiver * t->rounds;
    int64_t a = first_free(to, t->rounds);
    const int64_t b = first_free(from, t->rounds);
    if (from[a] >= 0 && to[b] < 0) a = b;
    if (from[a] >= 0) swap_path(t, receiver, a, b);
    to[a] = (int32_t)receiver;
    from[a] = (int32_t)sender;
}

static ct_status colour_all(const ct_sides *s, ct_order *out, char *message)
{
    colouring t = {NULL, NULL, out->least_rounds};
    const size_t entries = (size_t)(s->ranks * t.rounds);
    t.to = malloc(entries * sizeof *t.to);
    t.from = malloc(entries * sizeof *t.from);
    ct_status bad = t.to && t.from ? CT_OK : ct_refuse(message, CT_E_MEMORY, "not enough memory");
    if (!bad) {
        memset(t.to, 0xff, entries * sizeof *t.to);
        memset(t.from, 0xff, entries * sizeof *t.from);
    }
    for (int64_t r = 0; r < s->side[0].ranks && !bad; ++r) {
        if (ct_axes_copy(&s->side[0], r) > 0) continue;
        ct_peers peers;
        bad = ct_peers_of(s, 0, r, &peers, message);
        ct_givers walk = {s, &peers, 0, 0};
        for (int64_t i, giver, to; !bad && ct_givers_next(&walk, &i, &giver, &to);)
            colour(&t, giver, to);
        ct_peers_free(&peers);
    }
    out->receiver = bad ? NULL : t.to;
    if (bad) free(t.to);
    free(t.from);
    return bad;
}

ct_status ct_order_of(const ct_sides *s, ct_order *out, char *message)
{
    memset(out, 0, sizeof *out);
    int64_t longest;
    const ct_status bad = count_messages(s, out, &longest, message);
    if (bad) return bad;
    int whole = s->side[0].holders == 1;
    for (int m = 0; m < s->modes; ++m) whole &= s->axis[m].is_chain && s->axis[m].is_whole;
    out->kind = CT_ORDER_ROTATION;
    out->rounds = out->messages ? s->ranks - 1 : 0;
    if (out->rounds == out->least_rounds) return CT_OK;
    if (out->messages <= MESSAGES_COLOURED && s->ranks <= ENTRIES_COLOURED / out->least_rounds) {
        out->kind = CT_ORDER_COLOURED;
        out->rounds = out->least_rounds;
        return colour_all(s, out, message);
    }
    if (whole && longest < out->rounds) {
        out->kind = CT_ORDER_POSITIONS;
        out->rounds = longest;
    }
    return CT_OK;
}

int64_t ct_order_round(const ct_order *o, const ct_sides *s, int64_t from, int64_t to)
{
    if (o->kind == CT_ORDER_COLOURED) {
        const int32_t *const row = o->receiver + from * o->rounds;
        int64_t c = 0;
        while (row[c] != to) ++c;
        return c;
    }
    if (o->kind == CT_ORDER_ROTATION) return (to - from - 1 + s->ranks) % s->ranks;
    return (ct_sides_position(s, 0, from, to) + ct_sides_position(s, 1, to, from)) % o->rounds;
}

/* How many elements a rank keeps. */
static ct_status count_kept(const ct_sides *s, int64_t rank, int64_t *kept, char *message)
{
    int64_t p[CT_SHARDED_MODES], q[CT_SHARDED_MODES];
    *kept = 0;
    if (!ct_sides_keys(s, 0, rank, p) || !ct_sides_keys(s, 1, rank, q)) return CT_OK;
    int64_t product = 1;
    for (int m = 0; m < s->modes && product; ++m) {
        int64_t elems;
        const ct_status bad = ct_sides_shared(s, m, p[m], q[m], &elems, message);
        if (bad) return bad;
        product *= elems;
    }
    *kept = product;
    return CT_OK;
}

static int64_t held(const ct_sides *s, int side, const int64_t *keys)
{
    int64_t elems = 1;
    for (int m = 0; m < s->modes; ++m) elems *= ct_axis_count(&s->side[side].axis[m], keys[m]);
    return elems;
}

/* The most that one of several holders sends: by looking at each message. */
static ct_status count_shares(const ct_sides *s, int64_t *most, char *message)
{
    int64_t *const sent = calloc((size_t)s->ranks, sizeof *sent);
    ct_status bad = sent ? CT_OK : ct_refuse(message, CT_E_MEMORY, "not enough memory");
    for (int64_t r = 0; r < s->side[0].ranks && !bad; ++r) {
        if (ct_axes_copy(&s->side[0], r) > 0) continue;
        ct_peers peers;
        int64_t q[CT_SHARDED_MODES], p[CT_SHARDED_MODES];
        bad = ct_peers_of(s, 0, r, &peers, message);
        ct_sides_keys(s, 0, r, p);
        ct_givers walk = {s, &peers, 0, 0};
        for (int64_t i, giver, to; !bad && ct_givers_next(&walk, &i, &giver, &to);) {
            int64_t product = 1, elems = 0;
            ct_sides_keys(s, 1, to, q);
            for (int m = 0; m < s->modes && !bad; ++m) {
                bad = ct_sides_shared(s, m, p[m], q[m], &elems, message);
                product *= elems;
            }
            *most = ct_max(*most, sent[giver] += product);
        }
        ct_peers_free(&peers);
    }
    free(sent);
    return bad;
}

ct_status ct_order_count(const ct_sides *s, const ct_order *o, int32_t wire_bytes,
                         ct_redistribute_info *info, char *message)
{
    const int64_t holders = s->side[0].holders, groups = s->side[0].ranks / holders;
    int64_t keys[CT_SHARDED_MODES], most_sent = 0, most_received = 0, all = 0;
    int64_t *const sent_by = calloc((size_t)groups, sizeof *sent_by);
    if (!sent_by) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    ct_status bad = CT_OK;
    int ok = 1;
    for (int64_t r = 0; r < s->ranks && !bad; ++r) {
        int64_t kept = 0;
        bad = count_kept(s, r, &kept, message);
        if (ct_sides_keys(s, 1, r, keys)) {
            const int64_t received = held(s, 1, keys) - kept;
            all = ct_add(all, received, &ok);
            most_received = ct_max(most_received, received);
        }
        if (!ct_sides_keys(s, 0, r, keys)) continue;
        int64_t *const sent = &sent_by[group_of(s, keys)];
        if (ct_axes_copy(&s->side[0], r) == 0)
            *sent = ct_add(*sent, ct_mul(held(s, 0, keys), s->side[1].holders, &ok), &ok);
        *sent -= kept;
    }
    all = ct_mul(all, wire_bytes, &ok);
    if (!bad && !ok)
        bad = ct_refuse(message, CT_E_OVERFLOW,
                        "%lld ranks send more bytes in all than fit in 64 bits", (long long)s->ranks);
    for (int64_t g = 0; g < groups; ++g) /* even shares */
        most_sent = ct_max(most_sent, ct_ceil_div_int(sent_by[g], holders));
    free(sent_by);
    if (!bad && holders > 1 && o->messages <= MESSAGES_COUNTED)
        bad = count_shares(s, &most_sent, message);
    if (bad) return bad;
    info->ranks = s->ranks;
    info->all_bytes = info->least_bytes = all;
    info->all_messages = o->messages;
    info->most_sent = most_sent * wire_bytes;
    info->most_received = most_received * wire_bytes;
    info->rounds = o->rounds;
    info->least_rounds = o->least_rounds;
    return CT_OK;
}
