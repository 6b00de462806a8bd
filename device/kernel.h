/**
 * How to write a kernel in one file for both: nvcc compiles it for the GPU, and a C compiler
 * compiles it as C11 for the CPU grid.
 *
 *     #include <cutlet/device/kernel.h>
 *     #include <cutlet/device/atoms.h>
 *
 *     typedef struct scale_args { const float *src; float *dst; int32_t n; } scale_args;
 *
 *     CT_KERNEL(scale, scale_args, args)
 *     {
 *         CT_SHARED(float, tile, 128);
 *         const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
 *         const int on = i < args.n;
 *         float x = 0;
 *         ct_load_global_if(on, &x, args.src + i, 32);
 *         ct_store_shared(tile + threadIdx.x, &x, 32);
 *         __syncthreads();
 *         ...
 *     }
 *
 * Rules of the dialect, beyond those of CT_FN in cutlet/algebra/base.h:
 *   - a kernel takes one structure, by value;
 *   - memory that threads share is reached through the atoms of atoms.h only, never by `*p`: the
 *     grid sees nothing else, and an atom is exactly one instruction on the GPU;
 *   - a lane that has nothing to do calls the `_if` function with 0 and does not branch around the
 *     access; so the grid records one access for all lanes of its warp;
 *   - a shared array is an array on the GPU and a pointer on the grid: no sizeof of it.
 */
#ifndef CUTLET_DEVICE_KERNEL_H
#define CUTLET_DEVICE_KERNEL_H

#include <stdint.h>

#if defined(__CUDACC__)

/** Begins a kernel that takes one argument; the body follows in braces. */
#define CT_KERNEL(name, type, arg) extern "C" __global__ void name(const __grid_constant__ type arg)

/** The same, for blocks of at most max_threads threads. */
#define CT_KERNEL_THREADS(name, max_threads, type, arg) \
    extern "C" __global__ void __launch_bounds__(max_threads) name(const __grid_constant__ type arg)

/** The same, in so few registers that a multiprocessor can hold so many blocks at once. */
#define CT_KERNEL_RESIDENT(name, max_threads, blocks, type, arg)            \
    extern "C" __global__ void __launch_bounds__(max_threads, blocks)       \
        name(const __grid_constant__ type arg)

/** The same, for clusters of so many blocks along x, which run together (sm_90). */
#define CT_KERNEL_CLUSTER(name, blocks, max_threads, type, arg)                                   \
    extern "C" __global__ void __cluster_dims__(blocks, 1, 1) __launch_bounds__(max_threads)     \
        name(const __grid_constant__ type arg)

/** Declares a kernel that another file defines. */
#define CT_KERNEL_DECLARE(name, type) extern "C" __global__ void name(const __grid_constant__ type)

/** Marks a function that kernels call. */
#define CT_DEVICE static __device__ __forceinline__

/** A call of `name`, a function of a device header that makes accesses. At the end of its header
 *  stands `#define name(...) CT_CALL(name, __VA_ARGS__)`, for every one that kernels call: then the
 *  CPU grid tells the accesses of the kernel's line, not of the header's. */
#define CT_CALL(name, ...) name(__VA_ARGS__)

/** On the CPU grid, ends the launch where an operand carries an error: `what` it was for, and the
 *  error. Nothing on a GPU, where the host asks before the launch. */
#define CT_REFUSE(what, error) ((void)0)

/** Before a loop of a constant number of rounds: it is spread out by nvcc, or kept. */
#define CT_UNROLL _Pragma("unroll")
#define CT_ROLL _Pragma("unroll 1")

/** An array of the thread's own, aligned for every access. */
#define CT_FRAGMENT(type, name, count) __align__(16) type name[count]

/** A static shared array of the block, 128-byte aligned so that it begins at bank 0. */
#define CT_SHARED(type, name, count) __shared__ __align__(128) type name[count]

/** The dynamic shared memory of the launch, 1024-byte aligned, as an array of type. */
#define CT_SHARED_DYNAMIC(type, name)                             \
    extern __shared__ __align__(1024) unsigned char ct_dynamic[]; \
    type *const name = (type *)ct_dynamic

#else

#include "on_grid.h"

#define CT_KERNEL(name, type, arg) CT_KERNEL_THREADS(name, 1024, type, arg)
#define CT_KERNEL_THREADS(name, max_threads, type, arg) \
    CT_KERNEL_CLUSTER(name, 1, max_threads, type, arg)
#define CT_KERNEL_RESIDENT(name, max_threads, blocks, type, arg) \
    CT_KERNEL_THREADS(name, max_threads, type, arg)
#define CT_KERNEL_CLUSTER(name, blocks, max_threads, type, arg)          \
    static void name##_on_grid(const type arg);                          \
    static void name##_enter(const void *ct_args)                        \
    {                                                                    \
        name##_on_grid(*(const type *)ct_args);                          \
    }                                                                    \
    const ct_grid_kernel name = {#name, name##_enter, sizeof(type), max_threads, blocks}; \
    static void name##_on_grid(const type arg)
#define CT_KERNEL_DECLARE(name, type) extern const ct_grid_kernel name
#define CT_DEVICE static inline
#define CT_CALL(name, ...) CT_GRID_CALL(name, __VA_ARGS__)
#define CT_REFUSE(what, error)                                              \
    do {                                                                    \
        const ct_error ct_why = (error);                                    \
        if (ct_why.status) ct_grid_refuse(CT_GRID_SITE, what, &ct_why);     \
    } while (0)
#define CT_UNROLL
#define CT_ROLL
#define CT_FRAGMENT(type, name, count) _Alignas(16) type name[count]
#define CT_SHARED(type, name, count)                                                     \
    type *const name = (type *)ct_grid_shared(CT_GRID_HERE, #name, sizeof(type) * (count))
#define CT_SHARED_DYNAMIC(type, name) \
    type *const name = (type *)ct_grid_shared_dynamic(CT_GRID_SITE, #name)

#define threadIdx (ct_grid_self->thread)
#define blockIdx (ct_grid_self->launch->block)
#define blockDim (ct_grid_self->launch->block_dim)
#define gridDim (ct_grid_self->launch->grid_dim)
#define __syncthreads() ct_grid_barrier(CT_GRID_SITE)

#endif

#endif
