/* Creating plans of copies within one memory. */
#include "copy.h"

/* Checks that do not depend on strides. */
static ct_status check_desc(ct_plan *p, int32_t effort, char *message)
{
    ct_plan_desc *const d = &p->desc;
    int64_t src = 0, dst = 0;
    ct_status bad = ct_plan_check_side(&d->src, "source", &src, message);
    if (!bad) bad = ct_plan_check_side(&d->dst, "destination", &dst, message);
    if (bad) return bad;
    if (effort != CT_EFFORT_ESTIMATE && effort != CT_EFFORT_MEASURE)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no effort %d", effort);
    if (src != dst)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "the source has %lld elements, the destination %lld", (long long)src,
                         (long long)dst);
    const int raw = (d->src.type == CT_TYPE_RAW) + (d->dst.type == CT_TYPE_RAW);
    if (raw == 1 || (raw == 2 && d->has_scale))
        return ct_refuse(message, CT_E_ARGUMENT,
                         raw == 1 ? "raw elements on one side only: they cannot be converted"
                                  : "raw elements cannot be scaled");
    if (d->src.elem_bytes != d->dst.elem_bytes && raw)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "the source has elements of %d bytes, the destination of %d",
                         d->src.elem_bytes, d->dst.elem_bytes);
    if (src > INT64_MAX / (d->src.elem_bytes + d->dst.elem_bytes))
        return ct_refuse(message, CT_E_ARGUMENT,
                         "%lld elements: 63 bits do not count the bytes to read and write",
                         (long long)src);
    p->size = src;
    p->converts = d->src.type != d->dst.type || d->has_scale;
    return CT_OK;
}

static ct_status check_layouts(ct_plan *p, char *message)
{
    if (p->size == 0) return CT_OK;
    ct_status bad = ct_plan_span_of(&p->desc.src, "source", &p->src_span, message);
    if (!bad) bad = ct_plan_span_of(&p->desc.dst, "destination", &p->dst_span, message);
    /* a swizzle is a permutation: only the layout matters */
    return bad ? bad : ct_plan_injective(p->desc.dst.memory.layout, message);
}

static ct_status choose_backend(ct_plan *p, char *message)
{
    p->backend_id = p->desc.backend == CT_BACKEND_AUTO ? CT_BACKEND_CPU : p->desc.backend;
    p->backend = ct_plan_backend_of(p->backend_id);
    if (p->backend) return CT_OK;
    return ct_refuse(message, CT_E_ARGUMENT, "there is no backend %d", p->backend_id);
}

/* Adds the plan for device memory if the backend is AUTO and a device is available. */
static ct_status add_device(ct_plan *p, int32_t effort, char *message)
{
    ct_plan_desc desc = p->desc;
    desc.backend = CT_BACKEND_CUDA;
    const ct_status bad = ct_plan_create_copy(&desc, effort, &p->device, message);
    if (bad != CT_E_BACKEND) return bad;
    if (message) message[0] = 0;
    return CT_OK;
}

static ct_status make(ct_plan *p, int32_t effort, char *message)
{
    ct_status bad = check_desc(p, effort, message);
    if (!bad) bad = check_layouts(p, message);
    if (!bad) bad = choose_backend(p, message);
    if (!bad) {
        ct_plan_normalize(p);
        if (p->size > 0) bad = p->backend->prepare(p, message);
    }
    if (!bad && p->size > 0 && p->desc.backend == CT_BACKEND_AUTO)
        bad = add_device(p, effort, message);
    if (!bad && p->size > 0 && effort == CT_EFFORT_MEASURE && !p->device)
        bad = p->backend->measure ? p->backend->measure(p, message) : ct_plan_measure(p, message);
    return bad;
}

ct_status ct_plan_create_copy(const ct_plan_desc *desc, int32_t effort, ct_plan **plan,
                              char *message)
{
    return ct_plan_make(desc, effort, make, plan, message);
}
