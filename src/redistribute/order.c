/* Rounds, and the numbers of all ranks. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "peers.h"

/* The most messages of an exchange that are processed one by one, for rounds and for the bytes that
 * holders of the same elements send. */
enum { MESSAGES_LISTED = 1 << 19 };

void ct_order_free(ct_order *o)
{
    free(o->begin);
    free(o->sent);
    o->begin = NULL;
    o->sent = NULL;
}

/* For each mode and key of both sides, the number of keys that it meets. For a source's key also
 * the keys, as far as they are listed: lists are found once, and each rank with the key uses
 * them. */
typedef struct degrees {
    int64_t *count[2][CT_SHARDED_MODES];
    ct_met **met[CT_SHARDED_MODES];
    int64_t keys[CT_SHARDED_MODES];
    int elems; /* whether the lists have elements */
} degrees;

static void degrees_free(degrees *d)
{
    for (int m = 0; m < CT_SHARDED_MODES; ++m) {
        free(d->count[0][m]);
        free(d->count[1][m]);
        for (int64_t key = 0; d->met[m] && key < d->keys[m]; ++key) free(d->met[m][key]);
        free(d->met[m]);
    }
}

/* Without a chain, a key of the source is in the counts of those that it meets. */
static ct_status degrees_by_lists(const ct_sides *s, int m, degrees *d, char *message)
{
    int64_t listed = 0;
    for (int64_t key = 0; key < d->keys[m]; ++key) {
        ct_met *list;
        int64_t *const count = &d->count[0][m][key];
        const ct_status bad = ct_sides_met(s, m, 0, key, d->elems, &list, count, message);
        if (bad) return bad;
        for (int64_t i = 0; i < *count; ++i) d->count[1][m][list[i].key]++;
        listed += *count;
        if (listed <= MESSAGES_LISTED) d->met[m][key] = list;
        else free(list);
    }
    return CT_OK;
}

static ct_status degrees_of(const ct_sides *s, degrees *d, char *message)
{
    ct_status bad = CT_OK;
    memset(d, 0, sizeof *d);
    d->elems = s->side[0].holders > 1;
    for (int m = 0; m < s->modes && !bad; ++m) {
        d->keys[m] = s->side[0].axis[m].keys;
        d->met[m] = calloc((size_t)d->keys[m], sizeof *d->met[m]);
        for (int side = 0; side < 2; ++side)
            d->count[side][m] = calloc((size_t)s->side[side].axis[m].keys, sizeof(int64_t));
        if (!d->met[m] || !d->count[0][m] || !d->count[1][m])
            return ct_refuse(message, CT_E_MEMORY, "not enough memory");
        if (!s->axis[m].is_chain) bad = degrees_by_lists(s, m, d, message);
        for (int side = 0; side < 2 && s->axis[m].is_chain && !bad; ++side)
            bad = ct_sides_degrees(s, m, side, d->count[side][m], message);
    }
    return bad;
}

/* The peers of a source's rank, whose lists belong to d. */
static ct_status peers_of(const ct_sides *s, degrees *d, int64_t rank, ct_peers *out, char *message)
{
    int64_t own[CT_SHARDED_MODES], count;
    memset(out, 0, sizeof *out);
    out->rank = rank;
    out->count = s->side[1].holders;
    ct_sides_keys(s, 0, rank, own);
    for (int m = 0; m < s->modes; ++m) {
        ct_met **const list = &d->met[m][own[m]];
        if (!*list) {
            const ct_status bad = ct_sides_met(s, m, 0, own[m], d->elems, list, &count, message);
            if (bad) return bad;
        }
        out->key[m] = *list;
        out->keys[m] = d->count[0][m][own[m]];
        out->count *= out->keys[m];
    }
    return CT_OK;
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
static ct_status count_messages(const ct_sides *s, const degrees *d, ct_order *out,
                                int64_t *longest, char *message)
{
    const int64_t holders = s->side[0].holders, groups = s->side[0].ranks / holders;
    int64_t *const own = calloc((size_t)groups, sizeof *own); /* holders that keep something */
    if (!own) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    int64_t source[CT_SHARDED_MODES], target[CT_SHARDED_MODES];
    *longest = 0;
    for (int64_t r = 0; r < s->side[1].ranks; ++r) {
        ct_sides_keys(s, 1, r, target);
        int64_t count = degree(s, d, 1, target);
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
    for (int64_t r = 0; r < s->side[0].ranks; ++r) {
        if (ct_axes_copy(&s->side[0], r) > 0) continue;
        ct_sides_keys(s, 0, r, source);
        const int64_t all = degree(s, d, 0, source) * s->side[1].holders;
        *longest = ct_max(*longest, all);
        out->least_rounds =
            ct_max(out->least_rounds, ct_ceil_div_int(all - own[group_of(s, source)], holders));
    }
    free(own);
    return CT_OK;
}

static int64_t elems_of(const ct_sides *s, const ct_peers *p, int64_t i)
{
    int64_t place[CT_SHARDED_MODES], elems = 1;
    ct_peers_place(s, p, i, place);
    for (int m = 0; m < s->modes; ++m) elems *= p->key[m][place[m]].elems;
    return elems;
}

/* Lists the messages, and counts what each of several holders sends. */
static ct_status list_messages(const ct_sides *s, degrees *d, ct_order *out, ct_message *list,
                               char *message)
{
    int64_t *const sent = calloc((size_t)s->ranks, sizeof *sent);
    int64_t count = 0;
    ct_status bad = sent ? CT_OK : ct_refuse(message, CT_E_MEMORY, "not enough memory");
    for (int64_t r = 0; r < s->side[0].ranks && !bad; ++r) {
        if (ct_axes_copy(&s->side[0], r) > 0) continue;
        ct_peers peers;
        bad = peers_of(s, d, r, &peers, message);
        ct_givers walk = {s, &peers, 0, 0};
        for (int64_t i, giver, to; !bad && ct_givers_next(&walk, &i, &giver, &to);) {
            list[count++] = (ct_message){(int32_t)giver, (int32_t)to};
            if (!d->elems) continue;
            sent[giver] += elems_of(s, &peers, i);
            out->most_given = ct_max(out->most_given, sent[giver]);
        }
    }
    free(sent);
    return bad;
}

/* Rounds of up to this number of messages: a rotation if that has the fewest rounds, else
 * coloured. */
static ct_status order_listed(const ct_sides *s, degrees *d, ct_order *out, char *message)
{
    const int is_coloured = out->rounds != out->least_rounds;
    if (!is_coloured && !d->elems) return CT_OK;
    ct_message *const list = malloc((size_t)out->messages * sizeof *list + 1);
    if (!list) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    if (d->elems) out->most_given = 0;
    ct_status bad = list_messages(s, d, out, list, message);
    if (!bad && is_coloured) {
        out->kind = CT_ORDER_COLOURED;
        out->rounds = out->least_rounds;
        bad =
            ct_colour(list, out->messages, s->ranks, out->rounds, &out->begin, &out->sent, message);
    }
    free(list);
    return bad;
}

ct_status ct_order_of(const ct_sides *s, ct_order *out, char *message)
{
    memset(out, 0, sizeof *out);
    out->most_given = -1;
    int64_t longest = 0;
    degrees d;
    ct_status bad = degrees_of(s, &d, message);
    if (!bad) bad = count_messages(s, &d, out, &longest, message);
    out->kind = CT_ORDER_ROTATION;
    out->rounds = out->messages ? s->ranks - 1 : 0;
    if (!bad && out->messages <= MESSAGES_LISTED) bad = order_listed(s, &d, out, message);
    degrees_free(&d);
    if (bad || out->messages <= MESSAGES_LISTED || out->rounds == out->least_rounds) return bad;
    int whole = s->side[0].holders == 1;
    for (int m = 0; m < s->modes; ++m) whole &= s->axis[m].is_chain && s->axis[m].is_whole;
    if (whole && longest < out->rounds) {
        out->kind = CT_ORDER_POSITIONS;
        out->rounds = longest;
    }
    return CT_OK;
}

int64_t ct_order_round(const ct_order *o, const ct_sides *s, int64_t from, int64_t to)
{
    if (o->kind == CT_ORDER_COLOURED) {
        const ct_sent *sent = o->sent + o->begin[from];
        while (sent->to != to) ++sent;
        return sent->round;
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
        bad =
            ct_refuse(message, CT_E_OVERFLOW,
                      "%lld ranks send more bytes in all than fit in 64 bits", (long long)s->ranks);
    for (int64_t g = 0; g < groups; ++g) /* even shares */
        most_sent = ct_max(most_sent, ct_ceil_div_int(sent_by[g], holders));
    free(sent_by);
    if (bad) return bad;
    if (o->most_given >= 0) most_sent = o->most_given;
    info->ranks = s->ranks;
    info->all_bytes = info->least_bytes = all;
    info->all_messages = o->messages;
    info->most_sent = most_sent * wire_bytes;
    info->most_received = most_received * wire_bytes;
    info->rounds = o->rounds;
    info->least_rounds = o->least_rounds;
    return CT_OK;
}
