/**
 * Prefetches: they fetch global memory into a cache before it is needed.
 *
 *     ct_prefetch_l1(src)
 *           Fetches the line of global memory at src into L1 and L2.
 *     ct_prefetch_l2(src)
 *           Fetches the line of global memory at src into L2.
 *     ct_cp_async_ca_l2(dst, src, bytes, l2)
 *           ct_cp_async_ca of cp_async.h that also fetches the l2 bytes around src into L2: 64, 128
 *           or 256.
 *     ct_cp_async_cg_l2(dst, src, bytes, l2)
 *           ct_cp_async_cg of cp_async.h that also fetches the l2 bytes around src into L2: 64, 128
 *           or 256.
 *
 * src may be any address of a buffer. A prefetch changes no result. The CPU grid checks the address
 * and counts no traffic.
 *
 * Fails:    The CPU grid ends the launch at an address outside of its buffers, and at another l2; a
 *           cp.async fails as in cp_async.h. On a GPU another l2 traps.
 * Cost:     One instruction, which waits for nothing. It moves the line of src, or up to l2 bytes,
 *           from memory unless the cache has them.
 * In a kernel:
 *           CT_SHARED(float, tile, 128);
 *           const int i = (int)threadIdx.x;
 *           float *const own = tile + 4 * i;
 *           if (i == 0) {
 *               ct_prefetch_l2(in + 512); // for a later part of the kernel
 *               ct_prefetch_l1(in + 544);
 *           }
 *           ct_cp_async_cg_l2(own, in + 4 * i, 16, 128); // and the rest of 128 bytes
 *           ct_cp_async_wait_all();
 *           ct_cp_async_ca_l2(own, in + 512 + i, 4, 64);
 *           ct_cp_async_wait_all();
 *           CT_FRAGMENT(float, v, 4);
 *           ct_load_shared(v, own, 128);
 *           assert(v[0] == (float)(512 + i) && v[3] == (float)(4 * i + 3));
 * Source:   NVIDIA, PTX ISA 9.0, prefetch, and cp.async with .level::prefetch_size.
 */
#ifndef CUTLET_DEVICE_ARCH_PREFETCH_H
#define CUTLET_DEVICE_ARCH_PREFETCH_H

#include <cutlet/device/arch/cp_async.h>

#if defined(__CUDACC__)

CT_DEVICE void ct_prefetch_l1(const void *src)
{
    asm volatile("prefetch.global.L1 [%0];" ::CT_PTX_AT_global(src) : "memory");
}

CT_DEVICE void ct_prefetch_l2(const void *src)
{
    asm volatile("prefetch.global.L2 [%0];" ::CT_PTX_AT_global(src) : "memory");
}

#define CT_PTX_CP_ASYNC_L2(cache, bytes, l2)                                                       \
    asm volatile("cp.async." #cache ".shared.global.L2::" #l2 "B [%0], [%1], " #bytes              \
                 ";" ::CT_PTX_AT_shared(dst),                                                      \
                 CT_PTX_AT_global(src)                                                             \
                 : "memory")

CT_DEVICE void ct_cp_async_ca_l2(void *dst, const void *src, int bytes, int l2)
{
    if (bytes == 4 && l2 == 64) CT_PTX_CP_ASYNC_L2(ca, 4, 64);
    else if (bytes == 4 && l2 == 128) CT_PTX_CP_ASYNC_L2(ca, 4, 128);
    else if (bytes == 4 && l2 == 256) CT_PTX_CP_ASYNC_L2(ca, 4, 256);
    else if (bytes == 8 && l2 == 64) CT_PTX_CP_ASYNC_L2(ca, 8, 64);
    else if (bytes == 8 && l2 == 128) CT_PTX_CP_ASYNC_L2(ca, 8, 128);
    else if (bytes == 8 && l2 == 256) CT_PTX_CP_ASYNC_L2(ca, 8, 256);
    else if (bytes == 16 && l2 == 64) CT_PTX_CP_ASYNC_L2(ca, 16, 64);
    else if (bytes == 16 && l2 == 128) CT_PTX_CP_ASYNC_L2(ca, 16, 128);
    else if (bytes == 16 && l2 == 256) CT_PTX_CP_ASYNC_L2(ca, 16, 256);
    else __trap();
}

CT_DEVICE void ct_cp_async_cg_l2(void *dst, const void *src, int bytes, int l2)
{
    if (bytes == 16 && l2 == 64) CT_PTX_CP_ASYNC_L2(cg, 16, 64);
    else if (bytes == 16 && l2 == 128) CT_PTX_CP_ASYNC_L2(cg, 16, 128);
    else if (bytes == 16 && l2 == 256) CT_PTX_CP_ASYNC_L2(cg, 16, 256);
    else __trap();
}

#else

#define ct_prefetch_l1(src) ct_grid_prefetch(CT_GRID_SITE, "prefetch into L1", src)
#define ct_prefetch_l2(src) ct_grid_prefetch(CT_GRID_SITE, "prefetch into L2", src)
#define ct_cp_async_ca_l2(dst, src, bytes, l2)                                                     \
    (ct_grid_check_l2(CT_GRID_SITE, l2), ct_cp_async_ca(dst, src, bytes))
#define ct_cp_async_cg_l2(dst, src, bytes, l2)                                                     \
    (ct_grid_check_l2(CT_GRID_SITE, l2), ct_cp_async_cg(dst, src, bytes))

#endif

#endif
