/* The kernels of copy plans that are not compiled at run time: the plan is their argument. */
#define CT_OF_PLAN 1
#define CT_AT_LAUNCH 1
#include "box_at_launch.h"
#include "index_copy.h"
#include "misaligned.h"
#include <cutlet/device/kernel/static.h>
#include "window.h"
#include "skewed.h"

CT_KERNEL_RESIDENT(ct_box_any, 512, 2, ct_box, box)
{
    CT_SHARED_DYNAMIC(unsigned char, memory);
    ct_box_move_at_launch(&box, &box.at, memory);
}

CT_KERNEL_THREADS(ct_window_any, 256, ct_window, plan) { ct_window_move(&plan, &plan.at); }

CT_KERNEL_THREADS(ct_index_any, 256, ct_indexed, plan) { ct_index_move(&plan, &plan.at); }

CT_KERNEL_RESIDENT(ct_misaligned_any, 384, 3, ct_misaligned, plan)
{
    CT_SHARED_DYNAMIC(unsigned char, memory);
    ct_misaligned_move(&plan, &plan.at, memory);
}

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
