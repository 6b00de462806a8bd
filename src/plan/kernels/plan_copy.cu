/* The kernels of copy plans that are not compiled at run time: the plan is their argument. */
#include "engines.h"
#include <cutlet/device/kernel/static.h>

#define KERNEL(engine, args, move, threads, blocks)                                                \
    CT_KERNEL_RESIDENT(ct_##engine##_any, threads, blocks, args, plan)                             \
    {                                                                                              \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        move(&plan, &plan.at, memory);                                                             \
    }
CT_PLAN_ENGINES(KERNEL)
#undef KERNEL

#define KERNEL(bytes, along, across, threads, blocks)                                              \
    CT_KERNEL_RESIDENT(CT_SKEWED_NAME(bytes, along, across, threads, blocks), threads, blocks,     \
                       ct_skewed, plan)                                                            \
    {                                                                                              \
        CT_STATIC(ct_skew, tile, ct_skewed_tile(bytes, along, across, threads));                   \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        ct_skewed_move(&tile, &plan, memory);                                                      \
    }
CT_SKEWED_TILES(KERNEL)
#undef KERNEL
