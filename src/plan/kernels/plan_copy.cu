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
    CT_KERNEL_RESIDENT(CT_SECTOR_NAME(bytes, along, across, threads, blocks), threads, blocks,     \
                       ct_sectors, plan)                                                           \
    {                                                                                              \
        CT_STATIC(ct_sector_copy, tile, ct_sectors_tile(bytes, along, across, threads));           \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        ct_sectors_move(&tile, &plan, memory);                                                     \
    }
CT_SECTOR_TILES(KERNEL)
#undef KERNEL
