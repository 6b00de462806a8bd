/**
 * Plans of sharded sides.
 */
#ifndef CUTLET_SRC_REDISTRIBUTE_EXCHANGE_H
#define CUTLET_SRC_REDISTRIBUTE_EXCHANGE_H

#include <cutlet/host/redistribute.h>
#include "plan/front/plan.h"

/** ct_plan_create of sharded sides: the redistribution, for one of its ranks. */
ct_status ct_plan_create_exchange(const ct_plan_desc *desc, int32_t effort, ct_plan **plan,
                                  char *message);

#endif
