/* Effort measure: plans of one product, timed alternately on their GPU, on operands of its own. */
#include <string.h>

#include "plan.h"

enum {
    WARMUPS = 1,
    RUNS = 7,
    OPERANDS = 8,
    MOST_TIMES = 20,
    FILL = 0x3c /* numbers of any type */
};

typedef struct timed {
    const ct_gemm_plan *plan;
    const ct_gemm_operands *on;
    int times;
    char *message;
} timed;

static ct_status queue(ct_cuda *gpu, void *user, int run)
{
    const timed *const t = user;
    ct_status bad = CT_OK;
    (void)gpu, (void)run;
    for (int i = 0; i < t->times && !bad; ++i) bad = ct_gemm_plan_run(t->plan, t->on, t->message);
    return bad;
}

/* Memory of the GPU for the operands of all plans. */
static ct_status take_memory(const ct_gemm_plan *plans, int count, void *memory[OPERANDS])
{
    const ct_gemm_plan *const p = plans;
    size_t bytes[OPERANDS] = {ct_gemm_bytes(p, 0),
                              ct_gemm_bytes(p, 1),
                              p->desc.beta != 0 ? ct_gemm_bytes(p, 2) : 0,
                              ct_gemm_bytes(p, 3),
                              4 * (size_t)p->n,
                              4 * (size_t)p->m,
                              4 * (size_t)p->n,
                              0};
    ct_status bad = CT_OK;
    for (int i = 0; i < count; ++i)
        bytes[7] = (size_t)ct_max((int64_t)bytes[7], plans[i].workspace_bytes);
    for (int i = 0; i < OPERANDS && !bad; ++i) {
        if (bytes[i] == 0) continue;
        memory[i] = ct_cuda_alloc(p->desc.gpu, bytes[i]);
        bad = memory[i] ? ct_cuda_fill(p->desc.gpu, memory[i], FILL, bytes[i]) : CT_E_MEMORY;
    }
    return bad;
}

ct_status ct_gemm_fastest(const ct_gemm_plan *plans, int count, double ns, int *fastest,
                          char *message)
{
    ct_cuda *const gpu = plans->desc.gpu;
    void *memory[OPERANDS] = {NULL};
    double seconds[CT_GEMM_MEASURED * RUNS], least = 0;
    ct_cuda_work works[CT_GEMM_MEASURED];
    timed all[CT_GEMM_MEASURED];
    char why[CT_MESSAGE_BYTES] = "";
    ct_status bad = take_memory(plans, count, memory);
    const ct_gemm_operands on = {memory[0], memory[1], memory[2], memory[3],
                                 memory[4], memory[5], memory[6], memory[7]};
    const int times = (int)ct_max(1, ct_min(MOST_TIMES, (int64_t)(2e5 / ns)));
    for (int i = 0; i < count; ++i) {
        all[i] = (timed){&plans[i], &on, times, why};
        works[i] = (ct_cuda_work){queue, &all[i]};
    }
    if (!bad) bad = ct_cuda_time(gpu, works, count, WARMUPS, RUNS, seconds);
    if (bad) ct_refuse(message, bad, "%s", why[0] ? why : ct_cuda_error(gpu));
    for (int i = 0; i < count && !bad; ++i) {
        const double median = ct_median(seconds + i * RUNS, RUNS);
        if (i > 0 && median >= least) continue;
        least = median;
        *fastest = i;
    }
    for (int i = 0; i < OPERANDS; ++i) ct_cuda_free(gpu, memory[i]);
    return bad;
}
