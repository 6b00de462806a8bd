/* What is prepared, run: chunks packed and unpacked, copies that write straight into the other memory. */
#include "base/refuse.h"
#include "plan.h"

int64_t ct_redistribute_chunk(const ct_redistribute *plan, int32_t t, int32_t c, int64_t *src_bytes,
                              int64_t *dst_bytes)
{
    const ct_prepared *const p = &plan->prepared[t];
    const ct_segment *const s = &p->segment[p->chunk[c]];
    const int32_t count = p->chunk[c + 1] - p->chunk[c];
    const int same = plan->desc.src.type == plan->desc.dst.type;
    const int plain[2] = {plan->wire_side == 0,
                          plan->wire_side == 1 || (same && !plan->desc.has_scale)};
    int64_t elems = 0, at[2];
    for (int32_t i = 0; i < count; ++i) elems += s[i].elems;
    for (int side = 0; side < 2; ++side)
        at[side] =
            plain[side] && count == 1 && s->is_run[side] ? s->at[side] * plan->wire_bytes : -1;
    if (src_bytes) *src_bytes = at[0];
    if (dst_bytes) *dst_bytes = at[1];
    return elems * plan->wire_bytes;
}

static const char *after(const void *memory, int64_t elems, int32_t bytes)
{
    return (const char *)memory + elems * bytes;
}

static ct_status check_chunk(const ct_redistribute *plan, int32_t t, int32_t c, int sends,
                             char *message)
{
    if (!plan->prepared || t < 0 || t >= plan->transfers || c < 0 ||
        c >= plan->prepared[t].chunks || (plan->transfer[t].from == plan->rank) != sends)
        return ct_refuse(message, CT_E_ARGUMENT, "rank %lld has no chunk %d of transfer %d to %s",
                         (long long)plan->rank, c, t, sends ? "pack" : "unpack");
    return CT_OK;
}

ct_status ct_redistribute_pack(const ct_redistribute *plan, int32_t t, int32_t c, void *buffer,
                               const void *src, void *stream, char message[CT_MESSAGE_BYTES])
{
    ct_status bad = check_chunk(plan, t, c, 1, message);
    if (bad) return bad;
    const ct_prepared *const p = &plan->prepared[t];
    char *to = buffer;
    for (int32_t i = p->chunk[c]; i < p->chunk[c + 1] && !bad; ++i) {
        const ct_segment *const s = &p->segment[i];
        bad = ct_plan_run(plan->copy[s->plan].plan, to, after(src, s->at[0], plan->bytes[0]),
                          stream, message);
        to += s->elems * plan->wire_bytes;
    }
    return bad;
}

ct_status ct_redistribute_unpack(const ct_redistribute *plan, int32_t t, int32_t c, void *dst,
                                 const void *buffer, void *stream, char message[CT_MESSAGE_BYTES])
{
    ct_status bad = check_chunk(plan, t, c, 0, message);
    if (bad) return bad;
    const ct_prepared *const p = &plan->prepared[t];
    const char *from = buffer;
    for (int32_t i = p->chunk[c]; i < p->chunk[c + 1] && !bad; ++i) {
        const ct_segment *const s = &p->segment[i];
        bad = ct_plan_run(plan->copy[s->plan].plan, (char *)dst + s->at[1] * plan->bytes[1], from,
                          stream, message);
        from += s->elems * plan->wire_bytes;
    }
    return bad;
}

ct_status ct_redistribute_put(const ct_redistribute *plan, int32_t t, void *dst, const void *src,
                              void *stream, char message[CT_MESSAGE_BYTES])
{
    return ct_redistribute_put_by(plan, NULL, t, dst, src, stream, message);
}

ct_status ct_redistribute_put_by(const ct_redistribute *plan, ct_engine *engine, int32_t t,
                                 void *dst, const void *src, void *stream, char *message)
{
    const ct_prepared *const p =
        t >= 0 && t < plan->transfers && plan->prepared ? &plan->prepared[t] : NULL;
    if (!p || !p->segment || p->chunk)
        return ct_refuse(message, CT_E_ARGUMENT, "rank %lld does not write transfer %d itself",
                         (long long)plan->rank, t);
    ct_status bad = CT_OK;
    for (int32_t i = 0; i < p->segments && !bad; ++i) {
        const ct_segment *const s = &p->segment[i];
        const ct_plan *const copy = plan->copy[s->plan].plan;
        void *const to = (char *)dst + s->at[1] * plan->bytes[1];
        const void *const from = after(src, s->at[0], plan->bytes[0]);
        if (engine && engine->copy)
            bad = engine->copy(engine, plan->transfer[t].to, copy, to, from, stream, message);
        else bad = ct_plan_run(copy, to, from, stream, message);
    }
    return bad;
}
