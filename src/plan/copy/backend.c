/* The table of backends, above all of them. */
#include "copy.h"

const ct_plan_backend *ct_plan_backend_of(int32_t id)
{
    switch (id) {
        case CT_BACKEND_CPU: return &ct_plan_cpu;
        case CT_BACKEND_GRID: return &ct_plan_grid;
        case CT_BACKEND_CUDA: return &ct_plan_cuda;
        default: return NULL;
    }
}
