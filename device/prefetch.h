/**
 * Prefetches: they fetch global memory into a cache before it is needed.
 *
 *     ct_prefetch_l1(src)                      the line of src into L1 and L2
 *     ct_prefetch_l2(src)                      into L2
 *     ct_cp_async_ca_l2(dst, src, bytes, l2)   cp.async as in cp_async.h; also the l2 bytes around
 *     ct_cp_async_cg_l2(dst, src, bytes, l2)   src into L2; l2 is 64, 128 or 256
 *
 * src may be any address of a buffer. A prefetch changes no result. The CPU grid checks the address
 * and counts no traffic.
 */
#ifndef CUTLET_DEVICE_PREFETCH_H
#define CUTLET_DEVICE_PREFETCH_H

#include "cp_async.h"

#if defined(__CUDACC__)

CT_DEVICE void ct_prefetch_l1(const void *src)
{
    asm volatile("prefetch.global.L1 [%0];" ::CT_PTX_AT_global(src) : "memory");
}

CT_DEVICE void ct_prefetch_l2(const void *src)
{
    asm volatile("prefetch.global.L2 [%0];" ::CT_PTX_AT_global(src) : "memory");
}

#define CT_PTX_CP_ASYNC_L2(cache, bytes, l2)                                                     \
    asm volatile("cp.async." #cache ".shared.global.L2::" #l2 "B [%0], [%1], " #bytes ";"        \
                 :: CT_PTX_AT_shared(dst), CT_PTX_AT_global(src) : "memory")

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
#define ct_cp_async_ca_l2(dst, src, bytes, l2) \
    (ct_grid_check_l2(CT_GRID_SITE, l2), ct_cp_async_ca(dst, src, bytes))
#define ct_cp_async_cg_l2(dst, src, bytes, l2) \
    (ct_grid_check_l2(CT_GRID_SITE, l2), ct_cp_async_cg(dst, src, bytes))

#endif

#endif
