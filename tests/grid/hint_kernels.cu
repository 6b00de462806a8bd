/* Kernels with every cache hint, with prefetches and with 256-bit accesses. gcc compiles this file as
 * a part of test_hints.c, nvcc for the generated code. */
#include "grid_args.h"

#include <cutlet/device/arch/cache_hints.h>
#include <cutlet/device/arch/prefetch.h>
#include <cutlet/device/arch/load_store_256.h>

/* One round of a load and a store in each width: 31 bytes a thread, and one access that is off. */
#define ROUND(load, store, number)                                                                 \
    do {                                                                                           \
        const unsigned char *from = args.src + (number)*2048;                                      \
        unsigned char *to = args.dst + (number)*2048;                                              \
        load(x, from + 16 * t, 128);                                                               \
        store(to + 16 * t, x, 128);                                                                \
        load##_if(1, x, from + 1024 + 8 * t, 64);                                                  \
        store##_if(1, to + 1024 + 8 * t, x, 64);                                                   \
        load(x, from + 1536 + 4 * t, 32);                                                          \
        store(to + 1536 + 4 * t, x, 32);                                                           \
        load(x, from + 1792 + 2 * t, 16);                                                          \
        store(to + 1792 + 2 * t, x, 16);                                                           \
        load##_if(t < args.n, x, from + 1920 + t, 8);                                              \
        store##_if(t < args.n, to + 1920 + t, x, 8);                                               \
    } while (0)

CT_KERNEL(hk_hints, copy_args, args)
{
    const int t = (int)threadIdx.x;
    CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
    ROUND(ct_load_global_cg, ct_store_global_cg, 0);
    ROUND(ct_load_global_cs, ct_store_global_cs, 1);
    ROUND(ct_load_global_lu, ct_store_global_wt, 2);
    ROUND(ct_load_global_cv, ct_store_global_no_allocate, 3);
    ROUND(ct_load_global_nc, ct_store_global_evict_first, 4);
    ROUND(ct_load_global_no_allocate, ct_store_global_evict_last, 5);
    ROUND(ct_load_global_nc_no_allocate, ct_store_global_cs, 6);
    ROUND(ct_load_global_evict_first, ct_store_global_cs, 7);
}

CT_KERNEL(hk_more_hints, copy_args, args)
{
    const int t = (int)threadIdx.x;
    const uint64_t first = ct_policy_evict_first(), last = ct_policy_evict_last();
    const uint64_t normal = ct_policy_evict_normal();
    CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
    ROUND(ct_load_global_evict_last, ct_store_global_cs, 0);
    ROUND(ct_load_global_l2_64, ct_store_global_cs, 1);
    ROUND(ct_load_global_l2_128, ct_store_global_cs, 2);
    ROUND(ct_load_global_l2_256, ct_store_global_cs, 3);
    ct_load_global_policy(x, args.src + 8192 + 16 * t, 128, first);
    ct_store_global_policy(args.dst + 8192 + 16 * t, x, 128, last);
    ct_load_global_policy_if(1, x, args.src + 9216 + 8 * t, 64, normal);
    ct_store_global_policy_if(1, args.dst + 9216 + 8 * t, x, 64, first);
}

/* wrong: 1 a prefetch of nothing, 2 a size that L2 does not fetch. */
CT_KERNEL(hk_prefetch, copy_args, args)
{
    CT_SHARED(unsigned char, tile, 28 * 64);
    const int t = (int)threadIdx.x;
    CT_FRAGMENT(uint32_t, x, 4);
    ct_prefetch_l1(args.src + 3 * t);
    ct_prefetch_l2(args.src + 4096 + (args.wrong == 1 ? 65536 : 0));
    ct_cp_async_ca_l2(tile + 4 * t, args.src + 4 * t, 4, 64);
    ct_cp_async_ca_l2(tile + 256 + 8 * t, args.src + 256 + 8 * t, 8, 256);
#if !defined(__CUDACC__)
    if (args.wrong == 2) ct_cp_async_cg_l2(tile + 768 + 16 * t, args.src + 768 + 16 * t, 16, 32);
#endif
    ct_cp_async_cg_l2(tile + 768 + 16 * t, args.src + 768 + 16 * t, 16, 128);
    ct_cp_async_wait_all();
    __syncthreads();
    for (int i = 0; i < 7; ++i) {
        ct_load_shared(x, tile + 256 * i + 4 * t, 32);
        ct_store_global(args.dst + 256 * i + 4 * t, x, 32);
    }
}

#if CT_HAS_256
/* wrong: 1 an address that is a multiple of 16 only. */
CT_KERNEL(hk_wide, copy_args, args)
{
    const int t = (int)threadIdx.x;
    CT_FRAGMENT(uint32_t, x, 8) = {1, 2, 3, 4, 5, 6, 7, 8};
    ct_load_global_256(x, args.src + 32 * t + 16 * args.wrong);
    ct_store_global_256(args.dst + 32 * t, x);
    ct_load_global_256_if(t < args.n, x, args.src + 2048 + 32 * t);
    ct_store_global_256_if(t < 2 * args.n, args.dst + 2048 + 32 * t, x);
}
#endif
