/* Plans of sharded sides: each is a redistribution, for one of its ranks. */
#include "exchange.h"

#include <string.h>

ct_plan_side ct_plan_side_sharded(const ct_sharded *layout, int32_t type)
{
    ct_plan_side side;
    memset(&side, 0, sizeof side);
    side.sharded = layout;
    side.type = type;
    side.elem_bytes = ct_type_bytes(type);
    return side;
}

/* A side as ct_redistribute_create takes it: only raw elements say how many bytes they have. */
static ct_status side_of(const ct_plan_side *s, const char *name, ct_redistribute_side *out,
                         char *message)
{
    const int32_t known = ct_type_bytes(s->type);
    if (s->align_bytes)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%s: it is sharded: align_bytes of %lld has no meaning; leave it 0", name,
                         (long long)s->align_bytes);
    if (known && s->elem_bytes && s->elem_bytes != known)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%s: elements of %d bytes; those of its type have %d", name, s->elem_bytes,
                         known);
    out->layout = *s->sharded;
    out->type = s->type;
    out->elem_bytes = known ? 0 : s->elem_bytes;
    return CT_OK;
}

static ct_status run(const ct_plan *p, void *dst, const void *src, void *stream, char *message)
{
    const ct_transfer *list;
    ct_redistribute_info i;
    ct_redistribute_info_of(p->state, &i);
    if (i.all_messages)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "rank %lld of %lld sends %lld messages and receives %lld: "
                         "ct_plan_run_with takes an engine that carries them",
                         (long long)p->desc.rank, (long long)i.ranks, (long long)i.messages_sent,
                         (long long)i.messages_received);
    if (ct_redistribute_transfers(p->state, &list) == 0) return CT_OK;
    if (!src || !dst)
        return ct_refuse(message, CT_E_POINTER, "%s: the pointer is null",
                         src ? "destination" : "source");
    return ct_redistribute_put(p->state, 0, dst, src, stream, message);
}

static void info_of(const ct_plan *p, ct_plan_info *info)
{
    ct_redistribute_info i;
    ct_redistribute_info_of(p->state, &i);
    memset(info, 0, sizeof *info);
    info->form = CT_FORM_EXCHANGE;
    info->backend = p->desc.backend;
    info->elements = i.elems_kept + i.elems_received;
    info->bytes_read = (i.elems_kept + i.elems_sent) * p->desc.src.elem_bytes;
    info->bytes_written = info->elements * p->desc.dst.elem_bytes;
}

static void drop(ct_plan *p) { ct_redistribute_destroy(p->state); }

static int say(const ct_plan *p, char *buf, size_t size)
{
    return ct_redistribute_describe(p->state, 0, buf, size);
}

static const ct_plan_backend sharded = {
    .name = "exchange",
    .sharded = 1,
    .run = run,
    .info = info_of,
    .drop = drop,
    .say = say,
};

static ct_status make(ct_plan *p, int32_t effort, char *message)
{
    ct_plan_desc *const d = &p->desc;
    ct_redistribute_desc desc;
    ct_redistribute_info info;
    memset(&desc, 0, sizeof desc);
    if (!d->src.sharded || !d->dst.sharded)
        return ct_refuse(
            message, CT_E_ARGUMENT, "the %s is sharded over ranks, the %s is not: both have to be",
            d->src.sharded ? "source" : "destination", d->src.sharded ? "destination" : "source");
    if (effort != CT_EFFORT_ESTIMATE)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "sharded sides are planned by CT_EFFORT_ESTIMATE, not by effort %d",
                         effort);
    if (d->device)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "sharded sides run on the device of the calling thread, not on device "
                         "%d; leave it 0",
                         d->device - 1);
    ct_status bad = side_of(&d->src, "source", &desc.src, message);
    if (!bad) bad = side_of(&d->dst, "destination", &desc.dst, message);
    if (bad) return bad;
    desc.has_scale = d->has_scale;
    desc.scale = d->scale;
    desc.backend = d->backend;
    ct_redistribute *exchange = NULL;
    bad = ct_redistribute_create(&desc, d->rank, &exchange, message);
    if (bad) return bad;
    p->backend = &sharded;
    p->state = exchange;
    d->src.sharded = d->dst.sharded = NULL; /* the caller's, until now */
    ct_redistribute_info_of(exchange, &info);
    return info.all_messages ? CT_OK : ct_redistribute_prepare(exchange, CT_CARRY_DIRECT, message);
}

ct_status ct_plan_create_exchange(const ct_plan_desc *desc, int32_t effort, ct_plan **plan,
                                  char *message)
{
    return ct_plan_make(desc, effort, make, plan, message);
}

ct_status ct_plan_run_with(const ct_plan *plan, ct_engine *engine, void *dst, const void *src,
                           void *stream, char message[CT_MESSAGE_BYTES])
{
    if (!plan || plan->backend != &sharded) return ct_plan_run(plan, dst, src, stream, message);
    if (!engine) return ct_refuse(message, CT_E_ARGUMENT, "there is no engine");
    return ct_redistribute_run(plan->state, engine, dst, src, stream, message);
}

const ct_redistribute *ct_plan_redistribution(const ct_plan *plan)
{
    return plan && plan->backend == &sharded ? plan->state : NULL;
}
