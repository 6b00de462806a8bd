/**
 * Plans of copies within one memory, by one of the backends.
 */
#ifndef CUTLET_SRC_PLAN_COPY_COPY_H
#define CUTLET_SRC_PLAN_COPY_COPY_H

#include "plan/front/plan.h"

/** The backend of a number CT_BACKEND_..., or NULL if there is none. */
const ct_plan_backend *ct_plan_backend_of(int32_t id);

/** ct_plan_create of sides that are not sharded. */
ct_status ct_plan_create_copy(const ct_plan_desc *desc, int32_t effort, ct_plan **plan,
                              char *message);

#endif
