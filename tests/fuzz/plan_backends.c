/* What stands for the backends of the grid and of a GPU where plans are fuzzed: none of them is there.
 * So a fuzzer needs neither of them, and plans run on the CPU. */
#include "plan/front/plan.h"

static int absent(ct_plan *plan, char *message)
{
    (void)plan;
    return ct_refuse(message, CT_E_BACKEND, "there is no such backend here");
}

static int not_run(const ct_plan *plan, void *dst, const void *src, void *stream, char *message)
{
    (void)plan;
    (void)dst;
    (void)src;
    (void)stream;
    return ct_refuse(message, CT_E_BACKEND, "there is no such backend here");
}

const ct_plan_backend ct_plan_grid = {.name = "grid", .prepare = absent, .run = not_run};
const ct_plan_backend ct_plan_cuda = {.name = "cuda", .prepare = absent, .run = not_run};
