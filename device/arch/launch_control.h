/**
 * Cluster launch control, sm_100: a block that is done cancels a block that has not started, and
 * takes over its work. So blocks are persistent although not all of them need to be resident. This
 * is compiled and its generated code is checked; it has not been run.
 *
 *     CT_SHARED(uint32_t, answer, 4);                      // 16 bytes
 *     if (threadIdx.x == 0) {
 *         ct_mbarrier_arrive_expect(&bar, 16);
 *         ct_launch_take(answer, &bar);              // the answer arrives like a bulk copy
 *     }
 *     ct_mbarrier_wait(&bar, parity);
 *     if (!ct_launch_taken(answer, index)) break;
 *     // index: blockIdx of the cancelled block, or of the first block of the cancelled cluster
 *
 *     ct_launch_take(answer, bar)
 *           Asks for the work of a block that has not started. The answer, 16 bytes of shared
 *           memory, arrives at the mbarrier bar. One thread calls it.
 *     ct_launch_taken(answer, index)
 *           Whether the answer is a cancelled block; index[0..2] become its blockIdx, or 0.
 *
 * CT_HAS_LAUNCH_CONTROL says whether this is available.
 *
 * Fails:    The CPU grid ends the launch at a call.
 * Cost:     ct_launch_take is one instruction, which writes 16 bytes to shared memory later.
 *           ct_launch_taken is a load of 16 bytes of shared memory and two instructions.
 * Used by:  tests/codegen/tcgen05.cu, whose generated code the tests check
 * Source:   NVIDIA, PTX ISA 9.0, clusterlaunchcontrol.
 */
#ifndef CUTLET_DEVICE_ARCH_LAUNCH_CONTROL_H
#define CUTLET_DEVICE_ARCH_LAUNCH_CONTROL_H

#include <cutlet/device/arch/mbarrier.h>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1000
#define CT_HAS_LAUNCH_CONTROL 1
#else
#define CT_HAS_LAUNCH_CONTROL 0
#endif

#if !defined(__CUDACC__)

#define ct_launch_take(answer, bar)                                                                \
    ((void)(answer), (void)(bar), ct_grid_lacks(CT_GRID_SITE, "clusterlaunchcontrol.try_cancel"))
#define ct_launch_taken(answer, index)                                                             \
    ((void)(answer), (void)(index),                                                                \
     ct_grid_lacks(CT_GRID_SITE, "clusterlaunchcontrol.query_cancel"), 0)

#elif CT_HAS_LAUNCH_CONTROL

CT_DEVICE void ct_launch_take(uint32_t *answer, uint64_t *bar)
{
    asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes."
                 "b128 [%0], [%1];" ::"r"((uint32_t)__cvta_generic_to_shared(answer)),
                 "r"((uint32_t)__cvta_generic_to_shared(bar))
                 : "memory");
}

CT_DEVICE int ct_launch_taken(const uint32_t *answer, uint32_t *index)
{
    uint32_t is_one;
    asm volatile(
        "{\n .reg .b128 a;\n .reg .pred p;\n ld.shared.b128 a, [%4];\n"
        " clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, a;\n selp.u32 %0, 1, 0, p;\n"
        " mov.u32 %1, 0;\n mov.u32 %2, 0;\n mov.u32 %3, 0;\n"
        " @p clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%1, %2, %3, _}, a;\n }"
        : "=r"(is_one), "=&r"(index[0]), "=&r"(index[1]), "=&r"(index[2])
        : "r"((uint32_t)__cvta_generic_to_shared(answer))
        : "memory");
    return (int)is_one;
}

#endif

#endif
