/**
 * Asynchronous copies from global to shared memory (cp.async), 4, 8 or 16 bytes per lane.
 *
 *     ct_cp_async_ca(dst, src, bytes)
 *           Copies 4, 8 or 16 bytes from global memory at src to shared memory at dst,
 *           asynchronously, through L1.
 *     ct_cp_async_cg(dst, src, bytes)
 *           Copies 16 bytes from global memory at src to shared memory at dst, asynchronously, past
 *           L1.
 *     ct_cp_async_ca_fill(dst, src, bytes, n)
 *           ct_cp_async_ca of the first n bytes, 0 to `bytes`; zeros follow up to `bytes`. With n =
 *           0 it reads nothing: src may be any address.
 *     ct_cp_async_cg_fill(dst, src, bytes, n)
 *           ct_cp_async_cg of the first n bytes, 0 to 16; zeros follow up to 16. With n = 0 it
 *           reads nothing: src may be any address.
 *     ct_cp_async_ca_if(on, dst, src, bytes)
 *           ct_cp_async_ca in lanes whose `on` is not 0; other lanes neither read nor write.
 *     ct_cp_async_cg_if(on, dst, src, bytes)
 *           ct_cp_async_cg in lanes whose `on` is not 0; other lanes neither read nor write.
 *     ct_cp_async_commit()
 *           Closes the thread's group: its copies since the last commit, or none.
 *     ct_cp_async_wait_group(n)
 *           Waits until all but the newest n groups of the thread have arrived.
 *     ct_cp_async_wait_all()
 *           Waits until all copies of the thread have arrived, in a group or not.
 *
 * bytes and the n of wait_group are constants. A thread waits for its own copies; other threads see
 * the data after a __syncthreads that follows the wait.
 *
 * Fails:    The CPU grid ends the launch at another number of bytes: this traps on a GPU too. It
 *           also ends it at addresses that are misaligned or out of bounds, and at a read of the
 *           data before a wait.
 * Cost:     One instruction of the warp and no registers for the data. It moves the sectors of 32
 *           bytes that the lanes read, and stores 128 bytes to shared memory in each wavefront. A
 *           commit or a wait is one instruction; a wait stalls the warp until the data is there.
 * In a kernel:
 *           CT_SHARED(float, tile, 256);
 *           const int i = (int)threadIdx.x, on = i < 8;
 *           float *const own = tile + 8 * i; // 32 bytes
 *           CT_FRAGMENT(float, v, 8) = {0};
 *           ct_cp_async_ca(own, in + i, 4);              // one float
 *           ct_cp_async_cg(own + 4, in + 4 * i, 16);     // four
 *           ct_cp_async_commit();
 *           ct_cp_async_wait_group(0);
 *           ct_load_shared(v, own, 32), ct_load_shared(v + 4, own + 4, 128);
 *           assert(v[0] == (float)i && v[7] == (float)(4 * i + 3));
 *           ct_cp_async_ca_fill(own, in + 2 * i, 8, 4);  // one float and a zero
 *           ct_cp_async_cg_fill(own + 4, in, 16, 0);     // four zeros
 *           ct_cp_async_wait_all();
 *           ct_load_shared(v, own, 64), ct_load_shared(v + 4, own + 4, 128);
 *           assert(v[0] == (float)(2 * i) && v[1] == 0 && v[7] == 0);
 *           ct_cp_async_ca_if(on, own, in + i, 4);
 *           ct_cp_async_cg_if(on, own + 4, in + 4 * i, 16);
 *           ct_cp_async_wait_all();
 *           ct_load_shared(v, own, 64), ct_load_shared(v + 4, own + 4, 128);
 *           assert(v[0] == (float)(on ? i : 2 * i) && v[7] == (on ? (float)(4 * i + 3) : 0.0f));
 * Source:   NVIDIA, PTX ISA 9.0, cp.async, cp.async.commit_group and cp.async.wait_group.
 */
#ifndef CUTLET_DEVICE_ARCH_CP_ASYNC_H
#define CUTLET_DEVICE_ARCH_CP_ASYNC_H

#include <cutlet/device/arch/load_store.h>

#if defined(__CUDACC__)

/* One instruction in its three forms: plain, filling, guarded. */
#define CT_PTX_CP_ASYNC(cache, bytes)                                                              \
    CT_DEVICE void ct_cp_async_##cache##_##bytes(void *dst, const void *src)                       \
    {                                                                                              \
        asm volatile("cp.async." #cache ".shared.global [%0], [%1], " #bytes                       \
                     ";" ::CT_PTX_AT_shared(dst),                                                  \
                     CT_PTX_AT_global(src)                                                         \
                     : "memory");                                                                  \
    }                                                                                              \
    CT_DEVICE void ct_cp_async_##cache##_##bytes##_fill(void *dst, const void *src, int n)         \
    {                                                                                              \
        asm volatile("cp.async." #cache ".shared.global [%0], [%1], " #bytes                       \
                     ", %2;" ::CT_PTX_AT_shared(dst),                                              \
                     CT_PTX_AT_global(src), "r"(n)                                                 \
                     : "memory");                                                                  \
    }                                                                                              \
    CT_DEVICE void ct_cp_async_##cache##_##bytes##_if(int on, void *dst, const void *src)          \
    {                                                                                              \
        asm volatile(CT_PTX_IF("%2", "cp.async." #cache                                            \
                                     ".shared.global [%0], [%1], " #bytes)::CT_PTX_AT_shared(dst), \
                     CT_PTX_AT_global(src), "r"(on)                                                \
                     : "memory");                                                                  \
    }
CT_PTX_CP_ASYNC(ca, 4)
CT_PTX_CP_ASYNC(ca, 8)
CT_PTX_CP_ASYNC(ca, 16)
CT_PTX_CP_ASYNC(cg, 16)

CT_DEVICE void ct_cp_async_ca(void *dst, const void *src, int bytes)
{
    if (bytes == 4) ct_cp_async_ca_4(dst, src);
    else if (bytes == 8) ct_cp_async_ca_8(dst, src);
    else if (bytes == 16) ct_cp_async_ca_16(dst, src);
    else __trap();
}

CT_DEVICE void ct_cp_async_ca_fill(void *dst, const void *src, int bytes, int n)
{
    if (bytes == 4) ct_cp_async_ca_4_fill(dst, src, n);
    else if (bytes == 8) ct_cp_async_ca_8_fill(dst, src, n);
    else if (bytes == 16) ct_cp_async_ca_16_fill(dst, src, n);
    else __trap();
}

CT_DEVICE void ct_cp_async_ca_if(int on, void *dst, const void *src, int bytes)
{
    if (bytes == 4) ct_cp_async_ca_4_if(on, dst, src);
    else if (bytes == 8) ct_cp_async_ca_8_if(on, dst, src);
    else if (bytes == 16) ct_cp_async_ca_16_if(on, dst, src);
    else __trap();
}

CT_DEVICE void ct_cp_async_cg(void *dst, const void *src, int bytes)
{
    if (bytes == 16) ct_cp_async_cg_16(dst, src);
    else __trap();
}

CT_DEVICE void ct_cp_async_cg_fill(void *dst, const void *src, int bytes, int n)
{
    if (bytes == 16) ct_cp_async_cg_16_fill(dst, src, n);
    else __trap();
}

CT_DEVICE void ct_cp_async_cg_if(int on, void *dst, const void *src, int bytes)
{
    if (bytes == 16) ct_cp_async_cg_16_if(on, dst, src);
    else __trap();
}

#define ct_cp_async_commit() asm volatile("cp.async.commit_group;" ::: "memory")
#define ct_cp_async_wait_group(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define ct_cp_async_wait_all() asm volatile("cp.async.wait_all;" ::: "memory")

#else

#define ct_cp_async_ca(dst, src, bytes) ct_cp_async_ca_fill(dst, src, bytes, bytes)
#define ct_cp_async_cg(dst, src, bytes) ct_cp_async_cg_fill(dst, src, bytes, bytes)
#define ct_cp_async_ca_fill(dst, src, bytes, n)                                                    \
    ct_grid_cp_async(CT_GRID_SITE, 1, CT_ACCESS_LDGSTS, dst, src, bytes, n)
#define ct_cp_async_cg_fill(dst, src, bytes, n)                                                    \
    ct_grid_cp_async(CT_GRID_SITE, 1, CT_ACCESS_LDGSTS_CG, dst, src, bytes, n)
#define ct_cp_async_ca_if(on, dst, src, bytes)                                                     \
    ct_grid_cp_async(CT_GRID_SITE, on, CT_ACCESS_LDGSTS, dst, src, bytes, bytes)
#define ct_cp_async_cg_if(on, dst, src, bytes)                                                     \
    ct_grid_cp_async(CT_GRID_SITE, on, CT_ACCESS_LDGSTS_CG, dst, src, bytes, bytes)
#define ct_cp_async_commit() ct_grid_cp_async_commit()
#define ct_cp_async_wait_group(n) ct_grid_cp_async_wait(n)
#define ct_cp_async_wait_all() ct_grid_cp_async_wait(-1)

#endif

#endif
