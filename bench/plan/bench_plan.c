/* Copy plans for the script beside it, which measures them and others in one process: layouts as
 * text. */
#include <string.h>

#include "cutlet/host/text.h"
#include "cutlet/plan.h"

void *bench_plan_make(const char *src, const char *dst, int elem_bytes, int effort, char *message);
int bench_plan_run(const void *plan, void *dst, const void *src, int times, char *message);
int bench_plan_describe(const void *plan, char *text, size_t size);
void bench_plan_drop(void *plan);
void bench_memcpy(void *dst, const void *src, size_t bytes);

/** The plan; NULL and one line of CT_PLAN_MESSAGE_BYTES. */
void *bench_plan_make(const char *src, const char *dst, int elem_bytes, int effort, char *message)
{
    ct_plan_desc desc = {0};
    ct_plan *plan = NULL;
    ct_layout from, to;
    ct_diag diag;
    if (ct_parse_layout(src, &from, &diag) || ct_parse_layout(dst, &to, &diag)) {
        memcpy(message, diag.message, CT_PLAN_MESSAGE_BYTES);
        return NULL;
    }
    desc.src = ct_plan_side_raw(from, elem_bytes);
    desc.dst = ct_plan_side_raw(to, elem_bytes);
    ct_plan_create(&desc, effort, &plan, message);
    return plan;
}

int bench_plan_run(const void *plan, void *dst, const void *src, int times, char *message)
{
    int bad = 0;
    for (int i = 0; i < times && !bad; ++i) bad = ct_plan_run(plan, dst, src, NULL, message);
    return bad;
}

int bench_plan_describe(const void *plan, char *text, size_t size)
{
    return ct_plan_describe(plan, text, size);
}

void bench_plan_drop(void *plan) { ct_plan_destroy(plan); }

void bench_memcpy(void *dst, const void *src, size_t bytes) { memcpy(dst, src, bytes); }
