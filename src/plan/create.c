/* Creating a plan: a copy within one memory, or between ranks where the build has that. */
#include "copy/copy.h"

#ifndef CT_WITHOUT_REDISTRIBUTE
#include "redistribute/exchange.h"
#else
static ct_status without_ranks(ct_plan *plan, int32_t effort, char *message)
{
    (void)plan;
    (void)effort;
    return ct_refuse(message, CT_E_BACKEND,
                     "sharded sides: this libcutlet was built without redistribution");
}

static ct_status ct_plan_create_exchange(const ct_plan_desc *desc, int32_t effort, ct_plan **plan,
                                         char *message)
{
    return ct_plan_make(desc, effort, without_ranks, plan, message);
}
#endif

ct_status ct_plan_create(const ct_plan_desc *desc, int32_t effort, ct_plan **plan,
                         char message[CT_MESSAGE_BYTES])
{
    const int is_sharded = desc && (desc->src.sharded || desc->dst.sharded);
    return (is_sharded ? ct_plan_create_exchange : ct_plan_create_copy)(desc, effort, plan,
                                                                        message);
}
