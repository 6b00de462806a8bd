/**
 * Functions for specialised warps: barriers of some warps, registers that move from one warpgroup
 * to another, and the election of one lane. Four warps are a warpgroup.
 *
 *     ct_named_barrier_sync(id, threads)
 *           Waits until `threads` threads of the block have arrived at barrier id, this one
 *           included.
 *     ct_named_barrier_arrive(id, threads)
 *           Arrives at barrier id of `threads` threads, and does not wait.
 *     ct_setmaxnreg_inc(registers)
 *           Waits until each thread of the warpgroup has `registers` registers.
 *     ct_setmaxnreg_dec(registers)
 *           Releases the registers of the warpgroup above `registers` per thread.
 *     ct_elect_one()
 *           1 for one lane of a converged warp, 0 for the others.
 *
 * id is 1 to 15; __syncthreads is barrier 0. threads is a multiple of 32, the same for all threads
 * of a barrier. A thread arrives after the barrier's last use, which it passed, or of which it knows
 * by another barrier: two groups of threads take two ids. registers is a constant, a multiple of 8
 * from 24 to 256; all threads of the warpgroup make the call. Without sm_90a, and on the CPU grid, the
 * registers do not change.
 *
 * Fails:    The CPU grid ends the launch at an id, a number of threads or of registers out of
 *           range. It does so at a barrier whose threads give two numbers, of which too few come,
 *           or that two groups use, and when a warpgroup is not whole. A GPU hangs.
 * Cost:     One instruction each. A barrier stalls until the last warp arrives; an arrival does not
 *           stall. setmaxnreg_inc stalls until other warps have released the registers.
 * In a kernel:
 *           CT_SHARED(float, tile, 32);
 *           float x = 0;
 *           const uint32_t elected = __ballot_sync(0xffffffffu, ct_elect_one());
 *           assert(elected != 0 && (elected & (elected - 1)) == 0); // one lane
 *           ct_load_global(&x, in + threadIdx.x, 32);
 *           ct_store_shared(tile + threadIdx.x, &x, 32);
 *           ct_named_barrier_sync(1, 32); // of the threads that use the tile: here one warp
 *           ct_load_shared(&x, tile + 31 - threadIdx.x, 32);
 *           assert(x == (float)(31 - threadIdx.x));
 * Used by:  tests/grid/named_barriers.cu, and for setmaxnreg examples/attention/attention.cu
 * Source:   NVIDIA, PTX ISA 9.0, barrier.sync, setmaxnreg, elect.sync.
 */
#ifndef CUTLET_DEVICE_ARCH_WARPGROUP_H
#define CUTLET_DEVICE_ARCH_WARPGROUP_H

#include <cutlet/device/arch/mbarrier.h>

#if !defined(__CUDACC__)

#define ct_named_barrier_sync(id, threads) ct_grid_named_barrier(CT_GRID_SITE, id, threads, 1)
#define ct_named_barrier_arrive(id, threads) ct_grid_named_barrier(CT_GRID_SITE, id, threads, 0)
#define ct_setmaxnreg_inc(registers) ct_grid_setmaxnreg(CT_GRID_SITE, registers)
#define ct_setmaxnreg_dec(registers) ct_grid_setmaxnreg(CT_GRID_SITE, registers)
#define ct_elect_one() (threadIdx.x % 32 == 0)

#else

CT_DEVICE void ct_named_barrier_sync(int id, int threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

CT_DEVICE void ct_named_barrier_arrive(int id, int threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define ct_setmaxnreg_inc(registers)                                                               \
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers))
#define ct_setmaxnreg_dec(registers)                                                               \
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers))
#else
#define ct_setmaxnreg_inc(registers) ((void)(registers))
#define ct_setmaxnreg_dec(registers) ((void)(registers))
#endif

#if CT_HAS_BULK
CT_DEVICE int ct_elect_one(void)
{
    int one;
    asm volatile("{\n .reg .pred p;\n elect.sync _|p, 0xffffffff;\n selp.b32 %0, 1, 0, p;\n }"
                 : "=r"(one));
    return one;
}
#endif

#endif

#endif
