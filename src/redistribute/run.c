/* A run: all ranks agree, then carry, then say that they have ended. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "plan.h"

/* The record that a rank sends to the others. */
typedef struct record {
    uint64_t description; /* a number that differs where the descriptions do */
    int32_t status, carry;
    int32_t stages; /* whether it stages a transfer */
    char message[400];
} record;

typedef struct run {
    ct_redistribute *plan;
    ct_engine *engine;
    char *dst;
    const char *src;
    void *stream;
    int32_t carry;
    int64_t group; /* rounds that are carried at once */
    char *scratch;
    void **shared; /* every rank's destination, where ranks write each other's memory ... */
    void **staged; /* ... and every rank's scratch */
    record *records;
} run;

/* A chunk of a transfer, by the order in which it is carried. */
typedef struct step {
    int64_t rounds; /* the group of rounds */
    int32_t chunk, transfer;
} step;

static uint64_t mix(uint64_t h, uint64_t v)
{
    h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdu;
    return h ^ h >> 32;
}

static uint64_t mix_side(uint64_t h, const ct_redistribute_side *s)
{
    const ct_sharded *const l = &s->layout;
    h = mix(mix(mix(h, (uint64_t)s->type), (uint64_t)s->elem_bytes), (uint64_t)l->memory);
    for (int d = 0; d < l->modes; ++d) {
        h = mix(h, (uint64_t)l->shape[d]);
        if (l->memory == CT_MEMORY_STRIDES) h = mix(h, (uint64_t)l->stride[d]);
    }
    h = mix(h, (uint64_t)ct_mode(l->layout, 0).profile.leaves);
    for (int i = 0; i < l->layout.profile.leaves; ++i)
        h = mix(mix(mix(h, (uint64_t)l->layout.shape[i]), (uint64_t)l->layout.stride[i]),
                l->layout.basis[i]);
    return h;
}

static uint64_t description(const ct_redistribute_desc *d)
{
    uint64_t h = mix_side(mix_side(1, &d->src), &d->dst), scale = 0;
    if (d->has_scale) memcpy(&scale, &d->scale, sizeof scale);
    h = mix(mix(h, (uint64_t)d->has_scale), scale);
    return mix(mix(h, (uint64_t)d->chunk_bytes), (uint64_t)d->scratch_bytes);
}

/* Whether ranks write each other's memory. */
static int is_shared(const run *r) { return r->carry != CT_CARRY_MESSAGES; }

/* Writes why a rank has failed. Its engine may have named it already. */
static ct_status refuse_rank(char *message, ct_status bad, int32_t rank, const char *line,
                             const char *so_far)
{
    if (strncmp(line, "rank ", 5) == 0) return ct_refuse(message, bad, "%s; %s", line, so_far);
    return ct_refuse(message, bad, "rank %d: %s; %s", rank, line, so_far);
}

/* All ranks learn how each of them is. Fails on all of them where one does. */
static ct_status agree(run *r, ct_status own, const char *so_far, char *message)
{
    record mine = {description(&r->plan->desc), own, r->carry, r->plan->staging_bytes > 0, ""};
    char why[CT_MESSAGE_BYTES];
    if (own) ct_one_line(mine.message, sizeof mine.message, "%s", message);
    const ct_status bad = r->engine->gather(r->engine, &mine, r->records, sizeof mine,
                                            r->plan->desc.limit_seconds, why);
    if (bad && own) return refuse_rank(message, own, r->engine->rank, mine.message, so_far);
    if (bad) return ct_refuse(message, bad, "%s; %s", why, so_far);
    for (int32_t i = 0; i < r->engine->ranks; ++i)
        if (r->records[i].status) {
            r->records[i].message[sizeof mine.message - 1] = 0;
            return refuse_rank(message, r->records[i].status, i, r->records[i].message, so_far);
        }
    for (int32_t i = 1; i < r->engine->ranks; ++i)
        if (r->records[i].description != r->records[0].description ||
            r->records[i].carry != r->records[0].carry)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "ranks 0 and %d have different descriptions; %s", i, so_far);
    return CT_OK;
}

/* Whether the sides surely share a byte: they begin at one address, or one without gaps holds an end of the other.
 * Where both have gaps, the copies decide. bytes: from the first to the last of each side. */
static int share_bytes(const run *r, int64_t bytes[2])
{
    const ct_redistribute *const plan = r->plan;
    const ct_sharded *const layout[2] = {&plan->desc.src.layout, &plan->desc.dst.layout};
    const uintptr_t begin[2] = {(uintptr_t)r->src, (uintptr_t)r->dst};
    uintptr_t last[2];
    int is_dense[2];
    for (int side = 0; side < 2; ++side) {
        const int64_t elems = ct_sharded_elems(layout[side], plan->rank),
                      span = ct_sharded_span(layout[side], plan->rank);
        if (elems == 0) return 0;
        is_dense[side] = elems == span;
        bytes[side] = span * plan->bytes[side];
        last[side] = begin[side] + (uintptr_t)(bytes[side] - 1);
    }
    for (int side = 0; side < 2; ++side) {
        const int other = 1 - side;
        if (begin[side] == begin[other]) return 1;
        if (!is_dense[side]) continue;
        if (begin[other] >= begin[side] && begin[other] <= last[side]) return 1;
        if (last[other] >= begin[side] && last[other] <= last[side]) return 1;
    }
    return 0;
}

static ct_status check(const run *r, char *message)
{
    const ct_redistribute *const plan = r->plan;
    int64_t bytes[2];
    if (r->engine->ranks != plan->info.ranks || r->engine->rank != plan->rank)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "a plan of rank %lld of %lld, run by rank %d of %d", (long long)plan->rank,
                         (long long)plan->info.ranks, r->engine->rank, r->engine->ranks);
    if ((!r->src && ct_sharded_elems(&plan->desc.src.layout, plan->rank)) ||
        (!r->dst && ct_sharded_elems(&plan->desc.dst.layout, plan->rank)))
        return ct_refuse(message, CT_E_POINTER, "the %s is a null pointer",
                         r->src ? "destination" : "source");
    if (share_bytes(r, bytes))
        return ct_refuse(message, CT_E_POINTER,
                         "source and destination overlap: %lld bytes from %p, %lld bytes from %p",
                         (long long)bytes[0], (const void *)r->src, (long long)bytes[1],
                         (void *)r->dst);
    if (is_shared(r) && !r->engine->share)
        return ct_refuse(message, CT_E_BACKEND,
                         "the engine %s cannot write into another rank's memory", r->engine->name);
    if (r->carry == CT_CARRY_STAGED && !r->engine->move)
        return ct_refuse(message, CT_E_BACKEND,
                         "the engine %s moves nothing to another rank's scratch", r->engine->name);
    if (r->carry == CT_CARRY_MESSAGES && !r->engine->start)
        return ct_refuse(message, CT_E_BACKEND, "the engine %s sends no messages", r->engine->name);
    return CT_OK;
}

static ct_status prepare(run *r, char *message)
{
    ct_status bad = check(r, message);
    if (!bad)
        bad = ct_redistribute_prepare_slices(r->plan, r->carry,
                                             is_shared(r) ? r->engine->slice_bytes : 0, message);
    if (bad) return bad;
    if (is_shared(r)) {
        r->shared = calloc((size_t)r->engine->ranks * 2, sizeof *r->shared);
        if (!r->shared) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
        r->staged = r->shared + r->engine->ranks;
    }
    const int64_t bytes = is_shared(r) ? r->plan->staging_bytes : r->plan->info.scratch_bytes;
    if (bytes == 0) return CT_OK;
    r->scratch = r->engine->take(r->engine, (size_t)bytes);
    return r->scratch ? CT_OK
                      : ct_refuse(message, CT_E_MEMORY,
                                  "not enough memory for %lld bytes of scratch", (long long)bytes);
}

static ct_status keep(run *r, char *message)
{
    ct_status bad = CT_OK;
    for (int32_t t = 0; t < r->plan->transfers && r->plan->transfer[t].round < 0 && !bad; ++t)
        bad = ct_redistribute_put_by(r->plan, is_shared(r) ? r->engine : NULL, t, r->dst, r->src,
                                     r->stream, message);
    return bad;
}

/* What is staged comes first: receivers still have to unpack it. */
static ct_status write_shared(run *r, char *message)
{
    ct_status bad = ct_send_staged(r->plan, r->engine, r->scratch, r->staged, r->shared, r->src,
                                   r->stream, message);
    if (!bad) bad = keep(r, message);
    for (int32_t t = 0; t < r->plan->transfers && !bad; ++t) {
        const ct_transfer *const transfer = &r->plan->transfer[t];
        if (transfer->round >= 0 && transfer->from == r->plan->rank && !ct_is_staged(r->plan, t))
            bad = ct_redistribute_put_by(r->plan, r->engine, t, r->shared[transfer->to], r->src,
                                         r->stream, message);
    }
    return bad;
}

/* A failed rank takes part in collective calls, so that the others do not wait for it. It does not
 * return either, because others may write its memory. */
static ct_status carry_shared(run *r, char *message)
{
    ct_engine *const e = r->engine;
    const double limit = r->plan->desc.limit_seconds;
    const size_t bytes =
        (size_t)(ct_sharded_span(&r->plan->desc.dst.layout, r->plan->rank) * r->plan->bytes[1]);
    char unread[CT_MESSAGE_BYTES];
    int stages = 0;
    for (int32_t i = 0; i < e->ranks; ++i) stages |= r->records[i].stages;
    ct_status bad = e->share(e, r->dst, bytes, r->shared, r->stream, limit, message);
    if (stages) {
        const ct_status own = e->share(e, r->scratch, (size_t)r->plan->staging_bytes, r->staged,
                                       r->stream, limit, bad ? unread : message);
        if (!bad) bad = own;
    }
    if (!bad) bad = write_shared(r, message);
    if (stages) {
        const ct_status met = e->meet(e, limit, bad ? unread : message);
        if (!bad) bad = met;
        if (!bad) bad = ct_receive_staged(r->plan, e, r->scratch, r->dst, r->stream, message);
    }
    return bad;
}

static int by_step(const void *a, const void *b)
{
    const step *const x = a, *const y = b;
    if (x->chunk != y->chunk) return x->chunk < y->chunk ? -1 : 1;
    if (x->rounds != y->rounds) return x->rounds < y->rounds ? -1 : 1;
    return x->transfer - y->transfer;
}

/* Every chunk of every transfer, in the order that all ranks have. */
static step *steps_of(const run *r, int64_t *count)
{
    *count = 0;
    for (int32_t t = 0; t < r->plan->transfers; ++t)
        if (r->plan->transfer[t].round >= 0) *count += r->plan->transfer[t].chunks;
    step *const all = malloc((size_t)*count * sizeof *all + 1);
    int64_t next = 0;
    for (int32_t t = 0; all && t < r->plan->transfers; ++t)
        for (int32_t c = 0; r->plan->transfer[t].round >= 0 && c < r->plan->transfer[t].chunks; ++c)
            all[next++] = (step){r->plan->transfer[t].round / r->group, c, t};
    if (all) qsort(all, (size_t)*count, sizeof *all, by_step);
    return all;
}

/* The steps from `begin` on that are carried at once. */
static int64_t end_of(const step *all, int64_t count, int64_t begin)
{
    int64_t end = begin;
    while (end < count && all[end].chunk == all[begin].chunk &&
           all[end].rounds == all[begin].rounds)
        ++end;
    return end;
}

/* The memory of the message of a step: the caller's where it is contiguous there, else scratch. */
static char *memory_of(const run *r, const step *s, int slot, int64_t *bytes, int *is_scratch)
{
    const ct_transfer *const t = &r->plan->transfer[s->transfer];
    const int sends = t->from == r->plan->rank;
    int64_t src, dst;
    *bytes = ct_redistribute_chunk(r->plan, s->transfer, s->chunk, &src, &dst);
    *is_scratch = (sends ? src : dst) < 0;
    if (!*is_scratch) return sends ? (char *)r->src + src : r->dst + dst;
    const int64_t place = (slot * 2 + sends) * r->group + t->round % r->group;
    return r->scratch + place * r->plan->desc.chunk_bytes;
}

/* Packs the messages and begins them. */
static ct_status begin_steps(run *r, const step *all, int64_t begin, int64_t end, int slot,
                             ct_engine_message *messages, char *message)
{
    int32_t count = 0;
    for (int64_t i = begin; i < end; ++i) {
        const ct_transfer *const t = &r->plan->transfer[all[i].transfer];
        ct_engine_message *const m = &messages[count++];
        int is_scratch;
        m->sends = t->from == r->plan->rank;
        m->peer = m->sends ? t->to : t->from;
        m->data = memory_of(r, &all[i], slot, &m->bytes, &is_scratch);
        if (!m->sends || !is_scratch) continue;
        const ct_status bad = ct_redistribute_pack(r->plan, all[i].transfer, all[i].chunk, m->data,
                                                   r->src, r->stream, message);
        if (bad) return bad;
    }
    return r->engine->start(r->engine, slot, messages, count, r->stream,
                            r->plan->desc.limit_seconds, message);
}

/* Waits for the messages and unpacks them. */
static ct_status end_steps(run *r, const step *all, int64_t begin, int64_t end, int slot,
                           char *message)
{
    ct_status bad =
        r->engine->finish(r->engine, slot, r->stream, r->plan->desc.limit_seconds, message);
    for (int64_t i = begin; i < end && !bad; ++i) {
        int64_t bytes;
        int is_scratch;
        if (r->plan->transfer[all[i].transfer].from == r->plan->rank) continue;
        const char *const data = memory_of(r, &all[i], slot, &bytes, &is_scratch);
        if (is_scratch)
            bad = ct_redistribute_unpack(r->plan, all[i].transfer, all[i].chunk, r->dst, data,
                                         r->stream, message);
    }
    return bad;
}

/* While the messages of one group of rounds are carried, the next one is packed and the one before is
 * unpacked. */
static ct_status send_messages(run *r, char *message)
{
    int64_t count;
    step *const all = steps_of(r, &count);
    ct_engine_message *const messages = malloc((size_t)(2 * r->group) * sizeof *messages);
    ct_status bad = all && messages ? CT_OK : ct_refuse(message, CT_E_MEMORY, "not enough memory");
    int64_t before = 0, begin = 0;
    int slot = 0;
    while (begin < count && !bad) {
        const int64_t end = end_of(all, count, begin);
        bad = begin_steps(r, all, begin, end, slot, messages, message);
        if (!bad && begin == 0) bad = keep(r, message); /* meanwhile */
        if (!bad && begin > before) bad = end_steps(r, all, before, begin, 1 - slot, message);
        before = begin;
        begin = end;
        slot = 1 - slot;
    }
    if (!bad && count == 0) bad = keep(r, message);
    if (!bad && count > 0) bad = end_steps(r, all, before, begin, 1 - slot, message);
    free(all);
    free(messages);
    return bad;
}

static ct_status carry(run *r, char *message)
{
    static const char untouched[] = "nothing was written";
    static const char partly[] = "destinations may be partly written";
    ct_engine *const e = r->engine;
    const double limit = r->plan->desc.limit_seconds;
    ct_status bad = agree(r, prepare(r, message), untouched, message);
    if (bad) return bad;
    char why[CT_MESSAGE_BYTES];
    bad = is_shared(r) ? carry_shared(r, message) : send_messages(r, message);
    /* A failed rank also waits for its queued writes to other ranks. */
    if (e->complete && (!bad || is_shared(r))) {
        const ct_status waited = e->complete(e, r->stream, limit, bad ? why : message);
        if (!bad) bad = waited;
    }
    /* Nobody waits for a rank's writes before the end: there all learn of a failure, when none writes
     * any more. A message that does not come is waited for. */
    if (bad && !is_shared(r)) {
        e->fail(e, message);
        return ct_refuse(message, bad, "%s; %s", message, partly);
    }
    return agree(r, bad, partly, message);
}

ct_status ct_redistribute_run(ct_redistribute *plan, ct_engine *engine, void *dst, const void *src,
                              void *stream, char message[CT_MESSAGE_BYTES])
{
    char line[CT_MESSAGE_BYTES] = "";
    run r = {plan, engine, dst, src, stream, plan->desc.carry, 1, NULL, NULL, NULL, NULL};
    if (r.carry == CT_CARRY_AUTO && !engine->share) r.carry = CT_CARRY_MESSAGES;
    else if (r.carry == CT_CARRY_AUTO && !(engine->move && engine->stages))
        r.carry = CT_CARRY_DIRECT;
    r.group = plan->desc.scratch_bytes / (4 * plan->desc.chunk_bytes);
    r.records = calloc((size_t)engine->ranks, sizeof *r.records);
    ct_status bad;
    if (r.records) bad = carry(&r, line);
    else {
        bad = ct_refuse(line, CT_E_MEMORY, "rank %d: not enough memory; nothing was written",
                        engine->rank);
        engine->fail(engine, line);
    }
    if (r.scratch) engine->give(engine, r.scratch);
    free(r.shared);
    free(r.records);
    return bad ? ct_refuse(message, bad, "%s", line) : CT_OK;
}
