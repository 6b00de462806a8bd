/* Making, running and releasing plans of any backend. */
#include <stdlib.h>

#include "plan.h"

ct_status ct_plan_make(const ct_plan_desc *desc, int32_t effort, ct_plan_maker *make,
                       ct_plan **plan, char *message)
{
    if (message) message[0] = 0;
    if (!plan) return ct_refuse(message, CT_E_ARGUMENT, "the pointer to the plan is NULL");
    *plan = NULL;
    if (!desc) return ct_refuse(message, CT_E_ARGUMENT, "there is no description of a copy");
    ct_plan *p = calloc(1, sizeof *p);
    if (!p) return ct_refuse(message, CT_E_MEMORY, "not enough memory for a plan");
    p->desc = *desc;
    const ct_status bad = make(p, effort, message);
    if (bad) ct_plan_destroy(p);
    else *plan = p;
    return bad;
}

void ct_plan_destroy(ct_plan *plan)
{
    if (!plan) return;
    ct_plan_destroy(plan->device);
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
    if (plan->backend->sharded) return plan->backend->run(plan, dst, src, stream, message);
    if (plan->size == 0) return CT_OK;
    ct_status bad = check_pointer(src, &plan->desc.src, "source", message);
    if (!bad) bad = check_pointer(dst, &plan->desc.dst, "destination", message);
    if (!bad) bad = check_overlap(plan, (uintptr_t)dst, (uintptr_t)src, message);
    if (bad) return bad;
    if (plan->device && plan->device->backend->reaches(plan->device, dst, src))
        return plan->device->backend->run(plan->device, dst, src, stream, message);
    return plan->backend->run(plan, dst, src, stream, message);
}
