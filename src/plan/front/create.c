/* Creating, running and releasing plans. */
#include <stdlib.h>
#include <string.h>

#include "plan.h"

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
    const ct_status bad = ct_plan_create(&desc, effort, &p->device, message);
    if (bad != CT_E_BACKEND) return bad;
    if (message) message[0] = 0;
    return CT_OK;
}

/* A copy within one memory. */
static ct_status create_copy(ct_plan *p, int32_t effort, char *message)
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

ct_status ct_plan_create(const ct_plan_desc *desc, int32_t effort, ct_plan **plan,
                         char message[CT_MESSAGE_BYTES])
{
    if (message) message[0] = 0;
    if (!plan) return ct_refuse(message, CT_E_ARGUMENT, "the pointer to the plan is NULL");
    *plan = NULL;
    if (!desc) return ct_refuse(message, CT_E_ARGUMENT, "there is no description of a copy");
    ct_plan *p = calloc(1, sizeof *p);
    if (!p) return ct_refuse(message, CT_E_MEMORY, "not enough memory for a plan");
    p->desc = *desc;
    const ct_status bad = desc->src.sharded || desc->dst.sharded ? ct_plan_create_exchange(p, effort, message)
                                                                 : create_copy(p, effort, message);
    if (bad) ct_plan_destroy(p);
    else *plan = p;
    return bad;
}

void ct_plan_destroy(ct_plan *plan)
{
    if (!plan) return;
    ct_plan_destroy(plan->device);
    ct_redistribute_destroy(plan->exchange);
    if (plan->backend && plan->backend->drop) plan->backend->drop(plan);
    free(plan);
}

static ct_status check_pointer(const void *at, const ct_plan_side *s, const char *name,
                               char *message)
{
    const int64_t past = (int64_t)((uintptr_t)at & (uintptr_t)(s->align_bytes - 1));
    if (!at) return ct_refuse(message, CT_E_POINTER, "%s: the pointer is null", name);
    if (past == 0) return CT_OK;
    return ct_refuse(message, CT_E_POINTER,
                     "%s: the pointer is %lld past a multiple of %lld bytes, its alignment", name,
                     (long long)past, (long long)s->align_bytes);
}

/* Checks that the sides do not overlap. Disjoint spans pass at once; others may interleave, as
 * columns of a matrix do. */
static ct_status check_overlap(const ct_plan *p, uintptr_t dst, uintptr_t src, char *message)
{
    const ct_plan_span from = p->src_span, to = p->dst_span;
    const uintptr_t dst_low = dst + (uintptr_t)to.low, dst_high = dst + (uintptr_t)to.high;
    const uintptr_t src_low = src + (uintptr_t)from.low, src_high = src + (uintptr_t)from.high;
    if (dst_high <= src_low || src_high <= dst_low) return CT_OK;
    const int meet = ct_plan_meet(p, dst, src);
    if (meet == 0) return CT_OK;
    char may[64] = "overlap";
    if (meet < 0)
        snprintf(may, sizeof may, "may overlap, %d steps did not decide it", CT_MAX_PROOF);
    return ct_refuse(message, CT_E_POINTER,
                     "source and destination %s: %lld bytes from 0x%llx, %lld bytes from 0x%llx",
                     may, (long long)(from.high - from.low), (unsigned long long)src_low,
                     (long long)(to.high - to.low), (unsigned long long)dst_low);
}

ct_status ct_plan_run(const ct_plan *plan, void *dst, const void *src, void *stream,
                      char message[CT_MESSAGE_BYTES])
{
    if (message) message[0] = 0;
    if (!plan) return ct_refuse(message, CT_E_ARGUMENT, "there is no plan");
    if (plan->exchange) return ct_plan_run_exchange(plan, dst, src, stream, message);
    if (plan->size == 0) return CT_OK;
    ct_status bad = check_pointer(src, &plan->desc.src, "source", message);
    if (!bad) bad = check_pointer(dst, &plan->desc.dst, "destination", message);
    if (!bad) bad = check_overlap(plan, (uintptr_t)dst, (uintptr_t)src, message);
    if (bad) return bad;
    if (plan->device && ct_cuda_reaches(plan->device, dst, src))
        return plan->device->backend->run(plan->device, dst, src, stream, message);
    return plan->backend->run(plan, dst, src, stream, message);
}
