/**
 * Kernels in one file for both compilers: nvcc compiles it for a GPU, a C compiler as C11 for the
 * CPU grid.
 *
 *     #include <cutlet/device/kernel/kernel.h>
 *     #include <cutlet/device/arch/atoms.h>
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
 *   - a kernel accesses memory that threads share only by the atoms of atoms.h, never by `*p`: the
 *     CPU grid sees nothing else, and an atom is exactly one instruction on a GPU;
 *   - an inactive lane calls the `_if` function with 0 instead of branching around the access: so
 *     the CPU grid records one access for all lanes of its warp;
 *   - sizeof is not used of a shared array: it is an array on a GPU, a pointer on the CPU grid.
 *
 * Fails:    The CPU grid refuses a launch with more threads than the kernel's, or an argument of
 *           another size. It also refuses blocks that the kernel's clusters do not divide.
 * In a kernel:
 *           CT_SHARED(float, tile, 32);      // of the block, aligned to 128 bytes
 *           CT_FRAGMENT(float, own, 4);      // of the thread, aligned to 16 bytes
 *           float sum = 0;
 *           ct_load_global(own, in + 4 * threadIdx.x, 128);
 *           CT_UNROLL for (int i = 0; i < 4; ++i) sum += own[i]; // own stays in registers
 *           ct_store_shared(tile + threadIdx.x, &sum, 32);
 *           __syncthreads();
 *           float all = 0;
 *           CT_UNROLL_BY(4) for (int i = 0; i < (int)blockDim.x; ++i) {
 *               ct_load_shared(&sum, tile + i, 32);
 *               all += sum;
 *           }
 *           assert(all == 127 * 128 / 2);
 * Used by:  examples/quickstart.cu, and for the forms of a kernel examples/vector/sum.cu and
 *           tests/copy/tma_forms.cu
 */
#ifndef CUTLET_DEVICE_KERNEL_KERNEL_H
#define CUTLET_DEVICE_KERNEL_KERNEL_H

#include <stdint.h>

/** @internal Whether the kernels of a file are those of copy plans: without swizzles, and without
 *  tensors in registers. So the compiler sees no code that they do not need. */
#ifndef CT_OF_PLAN
#define CT_OF_PLAN 0
#endif

#if defined(__CUDACC__)

/* nvcc knows the most threads of a kernel where it compiles a call in the kernel's body: __func__ is
 * the kernel's name, and a function of this name's hash (FNV-1a) returns them. In other functions,
 * and under NVRTC, which does not know what is constant, they are 0. */
#if !defined(__CUDACC_RTC__) && !CT_OF_PLAN
template <uint64_t hash> struct ct_kernel_named {
};
/** @internal The hash of a name. */
static constexpr __host__ __device__ uint64_t ct_hash_of_name(const char *name)
{
    uint64_t hash = 14695981039346656037ull;
    for (; *name; ++name) hash = (hash ^ (unsigned char)*name) * 1099511628211ull;
    return hash;
}
/** @internal The most threads of the kernel of a name; 0 where it is not known. */
template <uint64_t hash>
static constexpr __host__ __device__ int ct_threads_of(ct_kernel_named<hash>, int)
{
    return 0;
}
#define CT_KERNEL_HAS(name, max_threads)                                                           \
    constexpr __host__ __device__ int ct_threads_of(ct_kernel_named<ct_hash_of_name(#name)>, int)  \
    {                                                                                              \
        return max_threads;                                                                        \
    }
#define CT_MAX_THREADS ct_threads_of(ct_kernel_named<ct_hash_of_name(__func__)>(), 0)
#else
#define CT_KERNEL_HAS(name, max_threads)
#endif

/** Begins a kernel that takes one argument; the body follows in braces. */
#define CT_KERNEL(name, type, arg) extern "C" __global__ void name(const __grid_constant__ type arg)

/** CT_KERNEL for blocks of at most max_threads threads. */
#define CT_KERNEL_THREADS(name, max_threads, type, arg)                                            \
    CT_KERNEL_HAS(name, max_threads)                                                               \
    extern "C" __global__ void __launch_bounds__(max_threads) name(const __grid_constant__ type arg)

/** The same, with few enough registers for `blocks` resident blocks on a multiprocessor. */
#define CT_KERNEL_RESIDENT(name, max_threads, blocks, type, arg)                                   \
    CT_KERNEL_HAS(name, max_threads)                                                               \
    extern "C" __global__ void __launch_bounds__(max_threads, blocks)                              \
        name(const __grid_constant__ type arg)

/** CT_KERNEL_THREADS for clusters of `blocks` blocks along x, which run together (sm_90). */
#define CT_KERNEL_CLUSTER(name, blocks, max_threads, type, arg)                                    \
    CT_KERNEL_HAS(name, max_threads)                                                               \
    extern "C" __global__ void __cluster_dims__(blocks, 1, 1) __launch_bounds__(max_threads)       \
        name(const __grid_constant__ type arg)

/** The same, with few enough registers for `resident` resident blocks on a multiprocessor. */
#define CT_KERNEL_CLUSTER_RESIDENT(name, blocks, max_threads, resident, type, arg)                 \
    CT_KERNEL_HAS(name, max_threads)                                                               \
    extern "C" __global__ void __cluster_dims__(blocks, 1, 1)                                      \
        __launch_bounds__(max_threads, resident) name(const __grid_constant__ type arg)

/** Declares a kernel that another file defines. */
#define CT_KERNEL_DECLARE(name, type) extern "C" __global__ void name(const __grid_constant__ type)

/** Marks a function that kernels call. */
#define CT_DEVICE static __device__ __forceinline__

/** A call of `name`, a function of a device header that makes accesses. Each such function that
 *  kernels call has a `#define name(...) CT_CALL(name, __VA_ARGS__)` at the end of its header. So
 *  the CPU grid reports its accesses at the kernel's line, not at the header's. */
#define CT_CALL(name, ...) name(__VA_ARGS__)

/** On the CPU grid, ends the launch if an operand carries an error; `what` names the operation. On
 *  a GPU it does nothing: the host checks before the launch. */
#define CT_REFUSE(what, error) ((void)0)

/** Before a loop with a constant number of iterations: nvcc unrolls it, or does not. Before any
 *  loop: nvcc takes n iterations, a number, at once. */
#define CT_UNROLL _Pragma("unroll")
#define CT_ROLL _Pragma("unroll 1")
#define CT_UNROLL_BY(n) CT_PRAGMA(unroll n)
#define CT_PRAGMA(text) _Pragma(#text)

/** if, of a constant: nvcc compiles only the branch that it takes. */
#define CT_IF(constant) if constexpr (constant)

/** An array of the thread's own, aligned for every access. */
#define CT_FRAGMENT(type, name, count) __align__(16) type name[count]

/** A static shared array of the block, aligned to 128 bytes, so that it begins at bank 0. */
#define CT_SHARED(type, name, count) __shared__ __align__(128) type name[count]

/** The dynamic shared memory of the launch as an array of type, aligned to 1024 bytes. */
#define CT_SHARED_DYNAMIC(type, name)                                                              \
    extern __shared__ __align__(1024) unsigned char ct_dynamic[];                                  \
    type *const name = (type *)ct_dynamic

#else

#include <cutlet/device/kernel/on_grid.h>

#define CT_KERNEL(name, type, arg) CT_KERNEL_THREADS(name, 1024, type, arg)
#define CT_KERNEL_THREADS(name, max_threads, type, arg)                                            \
    CT_KERNEL_CLUSTER(name, 1, max_threads, type, arg)
#define CT_KERNEL_RESIDENT(name, max_threads, blocks, type, arg)                                   \
    CT_KERNEL_THREADS(name, max_threads, type, arg)
#define CT_KERNEL_CLUSTER_RESIDENT(name, blocks, max_threads, resident, type, arg)                 \
    CT_KERNEL_CLUSTER(name, blocks, max_threads, type, arg)
#define CT_KERNEL_CLUSTER(name, blocks, max_threads, type, arg)                                    \
    static void name##_on_grid(const type arg);                                                    \
    static void name##_enter(const void *ct_args) { name##_on_grid(*(const type *)ct_args); }      \
    const ct_grid_kernel name = {#name, name##_enter, sizeof(type), max_threads, blocks, 0};       \
    static void name##_on_grid(const type arg)
#define CT_KERNEL_DECLARE(name, type) extern const ct_grid_kernel name
#define CT_DEVICE static inline
#define CT_CALL(name, ...) CT_GRID_CALL(name, __VA_ARGS__)
#define CT_REFUSE(what, error)                                                                     \
    do {                                                                                           \
        const ct_error ct_why = (error);                                                           \
        if (ct_why.status) ct_grid_refuse(CT_GRID_SITE, what, &ct_why);                            \
    } while (0)
#define CT_UNROLL
#define CT_ROLL
#define CT_UNROLL_BY(n)
#define CT_IF(constant) if (constant)
#define CT_FRAGMENT(type, name, count) _Alignas(16) type name[count]
#define CT_SHARED(type, name, count)                                                               \
    type *const name = (type *)ct_grid_shared(CT_GRID_HERE, #name, sizeof(type) * (count))
#define CT_SHARED_DYNAMIC(type, name)                                                              \
    type *const name = (type *)ct_grid_shared_dynamic(CT_GRID_SITE, #name)

#define threadIdx (ct_grid_self->thread)
#define blockIdx (ct_grid_self->launch->block)
#define blockDim (ct_grid_self->launch->block_dim)
#define gridDim (ct_grid_self->launch->grid_dim)
#define __syncthreads() ct_grid_barrier(CT_GRID_SITE)

#endif

#endif
