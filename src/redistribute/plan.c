/* The plan of a rank: what it keeps, sends and receives. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "peers.h"

static int32_t bytes_of_type(int32_t type)
{
    ct_plan_side side = ct_plan_side_of(ct_layout1(1, 0), type);
    return side.elem_bytes;
}

static ct_status check_type(const ct_redistribute_side *s, const char *name, int32_t *bytes,
                            char *message)
{
    if (s->type < 0 || s->type >= CT_TYPE_COUNT)
        return ct_refuse(message, CT_E_ARGUMENT, "%s: there is no element type %d", name, s->type);
    *bytes = s->type == CT_TYPE_RAW ? s->elem_bytes : bytes_of_type(s->type);
    if (s->type != CT_TYPE_RAW && s->elem_bytes != 0 && s->elem_bytes != *bytes)
        return ct_refuse(message, CT_E_ARGUMENT, "%s: elements of %d bytes, but its type has %d",
                         name, s->elem_bytes, *bytes);
    if (*bytes < 1 || *bytes > 16)
        return ct_refuse(message, CT_E_ARGUMENT, "%s: elements of %d bytes; they have 1 to 16",
                         name, *bytes);
    return CT_OK;
}

ct_status ct_redistribute_check(ct_redistribute_desc *d, int32_t bytes[2], char *message)
{
    ct_status bad = check_type(&d->src, "source", &bytes[0], message);
    if (!bad) bad = check_type(&d->dst, "destination", &bytes[1], message);
    if (bad) return bad;
    if ((d->src.type == CT_TYPE_RAW) != (d->dst.type == CT_TYPE_RAW) ||
        (d->src.type == CT_TYPE_RAW && (bytes[0] != bytes[1] || d->has_scale)))
        return ct_refuse(
            message, CT_E_ARGUMENT,
            "raw elements are only moved: both sides have the same bytes, and no scale");
    if (d->backend < 0 || d->backend >= CT_BACKEND_COUNT || d->carry < 0 ||
        d->carry >= CT_CARRY_COUNT)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no backend %d, or nothing carries by %d",
                         d->backend, d->carry);
    if (d->backend == CT_BACKEND_GRID)
        return ct_refuse(
            message, CT_E_ARGUMENT,
            "the grid may move memory while a kernel runs, and other ranks write it then: "
            "the backend is cpu or cuda");
    if (d->chunk_bytes == 0)
        d->chunk_bytes = d->scratch_bytes ? ct_min(4 << 20, d->scratch_bytes / 4) : 4 << 20;
    if (d->scratch_bytes == 0)
        d->scratch_bytes = ct_max(64 << 20, ct_min(d->chunk_bytes, INT64_MAX / 4) * 4);
    if (d->limit_seconds == 0) d->limit_seconds = 30;
    if (d->chunk_bytes < 4096 || d->chunk_bytes > INT64_MAX / 4 ||
        d->scratch_bytes / 4 < d->chunk_bytes)
        return ct_refuse(
            message, CT_E_ARGUMENT,
            "chunks of %lld bytes in %lld bytes of scratch; a chunk has 4096 at least, and "
            "scratch room for 4",
            (long long)d->chunk_bytes, (long long)d->scratch_bytes);
    if (!(d->limit_seconds > 0))
        return ct_refuse(message, CT_E_ARGUMENT, "a limit of %g seconds; it is more than 0",
                         d->limit_seconds);
    return CT_OK;
}

/* The sets that the rank shares with each key of a list of peers. */
static ct_status share(ct_redistribute *plan, const ct_peers *peers, char *message)
{
    const ct_sides *const s = &plan->sides;
    int64_t own[CT_SHARDED_MODES];
    if (!ct_sides_keys(s, peers->side, plan->rank, own)) return CT_OK;
    for (int m = 0; m < s->modes; ++m) {
        const int64_t keys = ct_max(s->side[0].axis[m].keys, s->side[1].axis[m].keys);
        const int64_t steps = ct_sets_steps(keys); /* the same on all ranks, as the pieces are */
        ct_shared_sets *const to = &plan->shared[peers->side][m];
        to->sets = calloc((size_t)ct_max(1, peers->keys[m]), sizeof *to->sets);
        if (!to->sets) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
        to->count = peers->keys[m];
        /* The source comes first on both ranks of a transfer: they find the same pieces. */
        ct_set held[2];
        ct_set_held(&s->side[peers->side], m, own[m], peers->side, &held[peers->side]);
        for (int64_t k = 0; k < to->count; ++k) {
            ct_set_held(&s->side[1 - peers->side], m, peers->key[m][k].key, 1 - peers->side,
                        &held[1 - peers->side]);
            const ct_status bad = ct_sets_meet(&held[0], &held[1], s->side[0].axis[m].n, steps,
                                               &to->sets[k], message);
            if (bad) return bad;
        }
    }
    return CT_OK;
}

static ct_status add(ct_redistribute *plan, const ct_peers *peers, int64_t i, int64_t from,
                     int64_t to, char *message)
{
    if (plan->transfers == plan->capacity) {
        const int32_t capacity = plan->capacity ? 2 * plan->capacity : 16;
        ct_transfer *const more = realloc(plan->transfer, (size_t)capacity * sizeof *more);
        if (more) plan->transfer = more;
        ct_transfer_sets *const sets_of =
            realloc(plan->sets_of, (size_t)capacity * sizeof *sets_of);
        if (sets_of) plan->sets_of = sets_of;
        if (!more || !sets_of) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
        plan->capacity = capacity;
    }
    ct_transfer *const t = &plan->transfer[plan->transfers];
    ct_transfer_sets *const p = &plan->sets_of[plan->transfers];
    int64_t index[CT_SHARDED_MODES], pieces = 1, leaves = 0;
    memset(t, 0, sizeof *t);
    memset(p, 0, sizeof *p);
    t->from = (int32_t)from;
    t->to = (int32_t)to;
    t->round = -1;
    t->elems = 1;
    p->receives = peers->side;
    ct_peers_place(&plan->sides, peers, i, index);
    for (int m = 0; m < plan->sides.modes; ++m) {
        const ct_sets *const sets = &plan->shared[peers->side][m].sets[index[m]];
        int32_t most = 0;
        for (int k = 0; k < sets->count; ++k) most = (int32_t)ct_max(most, sets->item[k].digits);
        leaves += most;
        pieces = ct_min(pieces * sets->count, (int64_t)CT_SET_PIECES + 1);
        t->elems *= sets->elems;
        p->index[m] = (int32_t)index[m];
    }
    if (pieces > CT_SET_PIECES || leaves > CT_MAX_LEAVES)
        return ct_refuse(
            message, CT_E_CAPACITY,
            "rank %lld sends rank %lld a set of %lld layouts of up to %lld leaves; up to %d "
            "of %d leaves are possible",
            (long long)from, (long long)to, (long long)pieces, (long long)leaves, CT_SET_PIECES,
            CT_MAX_LEAVES);
    t->pieces = (int32_t)pieces;
    t->bytes = t->elems * plan->wire_bytes;
    plan->transfers++;
    return CT_OK;
}

/* What the rank sends, and what stays on it. */
static ct_status add_sent(ct_redistribute *plan, char *message)
{
    const ct_sides *const s = &plan->sides;
    ct_peers peers;
    int64_t source[CT_SHARDED_MODES], target[CT_SHARDED_MODES], i, giver, to;
    ct_status bad = ct_peers_of(s, 0, plan->rank, &peers, message);
    if (!bad) bad = share(plan, &peers, message);
    ct_givers walk = {s, &peers, 0, 0};
    while (!bad && ct_givers_next(&walk, &i, &giver, &to))
        if (giver == plan->rank) bad = add(plan, &peers, i, giver, to, message);
    int keeps = ct_sides_keys(s, 0, plan->rank, source) && ct_sides_keys(s, 1, plan->rank, target);
    for (int m = 0; m < s->modes && keeps; ++m) keeps = ct_sides_meet(s, m, source[m], target[m]);
    if (!bad && keeps)
        bad = add(plan, &peers, ct_peers_find(s, &peers, plan->rank), plan->rank, plan->rank,
                  message);
    ct_peers_free(&peers);
    return bad;
}

static ct_status add_received(ct_redistribute *plan, char *message)
{
    ct_peers peers;
    ct_status bad = ct_peers_of(&plan->sides, 1, plan->rank, &peers, message);
    if (!bad) bad = share(plan, &peers, message);
    for (int64_t i = 0; i < peers.count && !bad; ++i) {
        const int64_t from = ct_peers_rank(&plan->sides, &peers, i);
        if (from != plan->rank) bad = add(plan, &peers, i, from, plan->rank, message);
    }
    ct_peers_free(&peers);
    return bad;
}

/* A transfer with its sets, to be sorted. */
typedef struct both {
    ct_transfer transfer;
    ct_transfer_sets sets;
} both;

static int by_round(const void *a, const void *b)
{
    const both *const x = a, *const y = b;
    if (x->transfer.round != y->transfer.round)
        return x->transfer.round < y->transfer.round ? -1 : 1;
    return x->sets.receives - y->sets.receives;
}

static ct_status sort(ct_redistribute *plan, char *message)
{
    both *const all = malloc((size_t)plan->transfers * sizeof *all + 1);
    if (!all) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    for (int32_t i = 0; i < plan->transfers; ++i) {
        all[i].transfer = plan->transfer[i];
        all[i].sets = plan->sets_of[i];
    }
    qsort(all, (size_t)plan->transfers, sizeof *all, by_round);
    for (int32_t i = 0; i < plan->transfers; ++i) {
        plan->transfer[i] = all[i].transfer;
        plan->sets_of[i] = all[i].sets;
    }
    free(all);
    return CT_OK;
}

/* Rounds, and the rank's own numbers. A rank must receive and keep exactly the elements that it
 * needs: none is missing, and none comes twice. */
static ct_status order(ct_redistribute *plan, const ct_order *o, char *message)
{
    ct_redistribute_info *const info = &plan->info;
    for (int32_t i = 0; i < plan->transfers; ++i) {
        ct_transfer *const t = &plan->transfer[i];
        if (t->from == t->to) {
            info->elems_kept += t->elems;
            continue;
        }
        t->round = ct_order_round(o, &plan->sides, t->from, t->to);
        if (t->from == plan->rank) {
            info->elems_sent += t->elems;
            info->bytes_sent += t->bytes;
            info->messages_sent++;
        } else {
            info->elems_received += t->elems;
            info->bytes_received += t->bytes;
            info->messages_received++;
        }
    }
    const int64_t needed = ct_sharded_elems(&plan->desc.dst.layout, plan->rank);
    if (info->elems_kept + info->elems_received != needed)
        return ct_refuse(message, CT_E_WRONG,
                         "rank %lld needs %lld elements, and the plan brings %lld",
                         (long long)plan->rank, (long long)needed,
                         (long long)(info->elems_kept + info->elems_received));
    return sort(plan, message);
}

static ct_status make(ct_redistribute *plan, char *message)
{
    ct_order o = {0};
    ct_status bad = ct_sides_of(&plan->desc, &plan->sides, message);
    if (bad) return bad;
    if (plan->rank < 0 || plan->rank >= plan->sides.ranks)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no rank %lld; the meshes have %lld",
                         (long long)plan->rank, (long long)plan->sides.ranks);
    if ((bad = add_sent(plan, message)) || (bad = add_received(plan, message))) return bad;
    bad = ct_order_of(&plan->sides, &o, message);
    if (!bad) bad = ct_order_count(&plan->sides, &o, plan->wire_bytes, &plan->info, message);
    if (!bad) bad = order(plan, &o, message);
    ct_order_free(&o);
    const int64_t group = plan->desc.scratch_bytes / (4 * plan->desc.chunk_bytes);
    plan->info.scratch_bytes = plan->info.all_messages ? 4 * group * plan->desc.chunk_bytes : 0;
    return bad;
}

ct_status ct_redistribute_create(const ct_redistribute_desc *desc, int64_t rank,
                                 ct_redistribute **plan, char message[CT_MESSAGE_BYTES])
{
    *plan = NULL;
    ct_redistribute *const p = calloc(1, sizeof *p);
    if (!p) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    p->desc = *desc;
    p->rank = rank;
    p->carry = -1;
    ct_status bad = ct_redistribute_check(&p->desc, p->bytes, message);
    p->wire_side = p->bytes[1] < p->bytes[0];
    p->wire_bytes = p->bytes[p->wire_side];
    if (!bad) bad = make(p, message);
    if (bad) ct_redistribute_destroy(p);
    else *plan = p;
    return bad;
}

ct_status ct_redistribute_simulate(const ct_redistribute_desc *desc, ct_redistribute_info *info,
                                   char message[CT_MESSAGE_BYTES])
{
    ct_redistribute_desc d = *desc;
    ct_sides sides = {0};
    ct_order o = {0};
    int32_t bytes[2];
    memset(info, 0, sizeof *info);
    ct_status bad = ct_redistribute_check(&d, bytes, message);
    if (bad) return bad;
    bad = ct_sides_of(&d, &sides, message);
    if (!bad) bad = ct_order_of(&sides, &o, message);
    if (!bad) bad = ct_order_count(&sides, &o, (int32_t)ct_min(bytes[0], bytes[1]), info, message);
    if (!bad && o.messages)
        info->scratch_bytes = d.scratch_bytes / (4 * d.chunk_bytes) * 4 * d.chunk_bytes;
    ct_order_free(&o);
    ct_sides_free(&sides);
    return bad;
}

void ct_redistribute_info_of(const ct_redistribute *plan, ct_redistribute_info *info)
{
    *info = plan->info;
}

int32_t ct_redistribute_transfers(const ct_redistribute *plan, const ct_transfer **list)
{
    *list = plan->transfer;
    return plan->transfers;
}

void ct_redistribute_destroy(ct_redistribute *plan)
{
    if (!plan) return;
    ct_redistribute_unprepare(plan);
    for (int side = 0; side < 2; ++side)
        for (int m = 0; m < CT_SHARDED_MODES; ++m) {
            for (int64_t k = 0; k < plan->shared[side][m].count; ++k)
                ct_sets_free(&plan->shared[side][m].sets[k]);
            free(plan->shared[side][m].sets);
        }
    ct_sides_free(&plan->sides);
    free(plan->transfer);
    free(plan->sets_of);
    free(plan);
}
