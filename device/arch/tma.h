/**
 * Tile copies by the tensor memory accelerator, sm_90: one thread copies a tile of a tensor of 1 to
 * 5 dimensions, described by a ct_tma_map. N is the number of dimensions. c.. are the N coordinates
 * of the tile's first element, the contiguous dimension first; it may be out of bounds.
 *
 *     ct_tma_load_Nd(dst, map, bar, c..)
 *           Copies the tile at coordinates c.. of a tensor to shared memory at dst, and then
 *           arrives with its bytes at the mbarrier bar.
 *     ct_tma_load_multicast_Nd(dst, map, bar, mask, c..)
 *           ct_tma_load_Nd to dst in each block of the cluster whose bit of mask is set, and to its
 *           bar.
 *     ct_tma_load_policy_Nd(dst, map, bar, policy, c..)
 *           ct_tma_load_Nd with a policy of L2 (cache_hints.h).
 *     ct_tma_store_Nd(map, src, c..)
 *           Copies the tile in shared memory at src to coordinates c.. of a tensor.
 *     ct_tma_store_policy_Nd(map, src, policy, c..)
 *           ct_tma_store_Nd with a policy of L2 (cache_hints.h).
 *     ct_tma_add_Nd(map, src, c..)
 *           Adds the elements of the tile in shared memory at src to those of a tensor at
 *           coordinates c.., each atomically.
 *     ct_tma_min_Nd(map, src, c..)
 *           Replaces each element of a tensor's tile at coordinates c.. by the lesser of it and
 *           that in shared memory at src, atomically.
 *     ct_tma_max_Nd(map, src, c..)
 *           Replaces each element of a tensor's tile at coordinates c.. by the greater of it and
 *           that in shared memory at src, atomically.
 *     ct_tma_prefetch_Nd(map, c..)
 *           Fetches the tile at coordinates c.. of a tensor into L2.
 *     ct_tma_prefetch_map(map)
 *           Fetches the tensor map itself into the cache from which copies read it.
 *
 * map points into the kernel's argument (&args.map). dst and src point to shared memory, aligned to
 * ct_tma_alignment of the swizzle; ct_tma_shared gives the offset of each element. A load writes
 * the whole tile, with the descriptor's fill for elements out of bounds. It counts ct_tma_bytes at
 * bar, also when a swizzle's span is longer than the rows and separates them. A store omits
 * elements out of bounds. add takes elements U32 S32 U64 F16 BF16 F32; min and max take U32 S32 U64
 * S64 F16 BF16. Stores and reductions are committed and waited for as in bulk.h.
 *
 * More rules of the hardware, as seen on an H200:
 *   - The first coordinate times the bytes of an element is a multiple of 16, negative or not; the
 *     coordinates of a store or reduction are 0 or more. Otherwise the kernel stops with an illegal
 *     instruction.
 *   - A store or reduction writes units of 16 bytes. If the bytes of a row are not a multiple of
 *     16, a tile at its end changes the bytes after it; tools/bench/kernels/pipelines.cu shows a remedy.
 *   - A fill with NaN is 0x7ff7 in every 16 bits, whatever the type. A load rounds TF32 and
 *     TF32_FTZ to the nearest, ties to even; it changes no other type.
 * The swizzles 128B_ATOM need sm_100, and have run only on the CPU grid; 128B_ATOM_32B_FLIP_8B is
 * for loads only. The CPU grid does all of this and reports mistakes; a GPU checks nothing.
 *
 * Fails:    The CPU grid ends the launch at a broken rule, also at a map of another number of
 *           dimensions. Of the rules, ct_make_tma_desc refuses those of the map.
 * Cost:     One instruction of one thread for a tile of any size, without registers for the data
 *           and without address arithmetic. A load reads the tile's sectors of 32 bytes once
 *           through L2, for all blocks of a multicast. Reductions are executed in L2.
 * In a kernel:
 *           // args.in_map and args.out_map: in and out as (32,32):(32,1), in boxes of (4,32)
 *           CT_SHARED(float, tile, 4 * 32);
 *           CT_SHARED(uint64_t, bar, 1);
 *           const int i = (int)threadIdx.x;
 *           float x = 0;
 *           if (i == 0) {
 *               ct_tma_prefetch_map(&args.in_map);
 *               ct_mbarrier_init(bar, 1);
 *               ct_fence_mbarrier_init();
 *               ct_mbarrier_arrive_expect(bar, 4 * 32 * 4);
 *               ct_tma_load_2d(tile, &args.in_map, bar, 0, 8); // from column 0, row 8 on
 *           }
 *           __syncthreads();
 *           ct_mbarrier_wait(bar, 0);
 *           ct_load_shared(&x, tile + 32 + i, 32);
 *           assert(x == (float)(9 * 32 + i));
 *           if (i == 0) {
 *               ct_tma_store_2d(&args.out_map, tile, 0, 30); // rows 32 and 33 do not exist
 *               ct_bulk_commit();
 *               ct_bulk_wait_group(0);
 *               ct_tma_add_2d(&args.out_map, tile, 0, 30);
 *               ct_bulk_commit();
 *               ct_bulk_wait_group(0);
 *           }
 *           __syncthreads();
 *           ct_load_global(&x, out + 31 * 32 + i, 32);
 *           assert(x == (float)(2 * (9 * 32 + i)));
 * Used by:  tests/copy/tma_forms.cu, each for N from 1 to 5
 * Source:   NVIDIA, PTX ISA 9.0, cp.async.bulk.tensor, cp.reduce.async.bulk.tensor, swizzling
 *           modes.
 */
#ifndef CUTLET_DEVICE_ARCH_TMA_H
#define CUTLET_DEVICE_ARCH_TMA_H

#include <cutlet/copy/tma.h>

#include <cutlet/device/arch/bulk.h>

#if !defined(__CUDACC__)

#define CT_GRID_TMA_LOAD(dst, map, bar, mask, n, ...)                                              \
    ct_grid_tma_load(CT_GRID_SITE, dst, map, bar, mask, n, (const int32_t[5]){__VA_ARGS__})
#define CT_GRID_TMA_STORE(map, src, reduce, n, ...)                                                \
    ct_grid_tma_store(CT_GRID_SITE, map, src, reduce, n, (const int32_t[5]){__VA_ARGS__})
#define CT_GRID_TMA_PREFETCH(map, n, ...)                                                          \
    ct_grid_tma_prefetch(CT_GRID_SITE, map, n, (const int32_t[5]){__VA_ARGS__})

#define ct_tma_load_1d(dst, map, bar, ...) CT_GRID_TMA_LOAD(dst, map, bar, 0, 1, __VA_ARGS__)
#define ct_tma_load_2d(dst, map, bar, ...) CT_GRID_TMA_LOAD(dst, map, bar, 0, 2, __VA_ARGS__)
#define ct_tma_load_3d(dst, map, bar, ...) CT_GRID_TMA_LOAD(dst, map, bar, 0, 3, __VA_ARGS__)
#define ct_tma_load_4d(dst, map, bar, ...) CT_GRID_TMA_LOAD(dst, map, bar, 0, 4, __VA_ARGS__)
#define ct_tma_load_5d(dst, map, bar, ...) CT_GRID_TMA_LOAD(dst, map, bar, 0, 5, __VA_ARGS__)
#define ct_tma_load_multicast_1d(dst, map, bar, mask, ...)                                         \
    CT_GRID_TMA_LOAD(dst, map, bar, mask, 1, __VA_ARGS__)
#define ct_tma_load_multicast_2d(dst, map, bar, mask, ...)                                         \
    CT_GRID_TMA_LOAD(dst, map, bar, mask, 2, __VA_ARGS__)
#define ct_tma_load_multicast_3d(dst, map, bar, mask, ...)                                         \
    CT_GRID_TMA_LOAD(dst, map, bar, mask, 3, __VA_ARGS__)
#define ct_tma_load_multicast_4d(dst, map, bar, mask, ...)                                         \
    CT_GRID_TMA_LOAD(dst, map, bar, mask, 4, __VA_ARGS__)
#define ct_tma_load_multicast_5d(dst, map, bar, mask, ...)                                         \
    CT_GRID_TMA_LOAD(dst, map, bar, mask, 5, __VA_ARGS__)
#define ct_tma_load_policy_1d(dst, map, bar, policy, ...)                                          \
    ((void)(policy), CT_GRID_TMA_LOAD(dst, map, bar, 0, 1, __VA_ARGS__))
#define ct_tma_load_policy_2d(dst, map, bar, policy, ...)                                          \
    ((void)(policy), CT_GRID_TMA_LOAD(dst, map, bar, 0, 2, __VA_ARGS__))
#define ct_tma_load_policy_3d(dst, map, bar, policy, ...)                                          \
    ((void)(policy), CT_GRID_TMA_LOAD(dst, map, bar, 0, 3, __VA_ARGS__))
#define ct_tma_load_policy_4d(dst, map, bar, policy, ...)                                          \
    ((void)(policy), CT_GRID_TMA_LOAD(dst, map, bar, 0, 4, __VA_ARGS__))
#define ct_tma_load_policy_5d(dst, map, bar, policy, ...)                                          \
    ((void)(policy), CT_GRID_TMA_LOAD(dst, map, bar, 0, 5, __VA_ARGS__))
#define ct_tma_store_1d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_NONE, 1, __VA_ARGS__)
#define ct_tma_store_2d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_NONE, 2, __VA_ARGS__)
#define ct_tma_store_3d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_NONE, 3, __VA_ARGS__)
#define ct_tma_store_4d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_NONE, 4, __VA_ARGS__)
#define ct_tma_store_5d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_NONE, 5, __VA_ARGS__)
#define ct_tma_add_1d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_ADD, 1, __VA_ARGS__)
#define ct_tma_add_2d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_ADD, 2, __VA_ARGS__)
#define ct_tma_add_3d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_ADD, 3, __VA_ARGS__)
#define ct_tma_add_4d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_ADD, 4, __VA_ARGS__)
#define ct_tma_add_5d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_ADD, 5, __VA_ARGS__)
#define ct_tma_min_1d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_MIN, 1, __VA_ARGS__)
#define ct_tma_min_2d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_MIN, 2, __VA_ARGS__)
#define ct_tma_min_3d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_MIN, 3, __VA_ARGS__)
#define ct_tma_min_4d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_MIN, 4, __VA_ARGS__)
#define ct_tma_min_5d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_MIN, 5, __VA_ARGS__)
#define ct_tma_max_1d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_MAX, 1, __VA_ARGS__)
#define ct_tma_max_2d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_MAX, 2, __VA_ARGS__)
#define ct_tma_max_3d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_MAX, 3, __VA_ARGS__)
#define ct_tma_max_4d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_MAX, 4, __VA_ARGS__)
#define ct_tma_max_5d(map, src, ...) CT_GRID_TMA_STORE(map, src, CT_REDUCE_MAX, 5, __VA_ARGS__)
#define ct_tma_store_policy_1d(map, src, policy, ...)                                              \
    ((void)(policy), CT_GRID_TMA_STORE(map, src, CT_REDUCE_NONE, 1, __VA_ARGS__))
#define ct_tma_store_policy_2d(map, src, policy, ...)                                              \
    ((void)(policy), CT_GRID_TMA_STORE(map, src, CT_REDUCE_NONE, 2, __VA_ARGS__))
#define ct_tma_store_policy_3d(map, src, policy, ...)                                              \
    ((void)(policy), CT_GRID_TMA_STORE(map, src, CT_REDUCE_NONE, 3, __VA_ARGS__))
#define ct_tma_store_policy_4d(map, src, policy, ...)                                              \
    ((void)(policy), CT_GRID_TMA_STORE(map, src, CT_REDUCE_NONE, 4, __VA_ARGS__))
#define ct_tma_store_policy_5d(map, src, policy, ...)                                              \
    ((void)(policy), CT_GRID_TMA_STORE(map, src, CT_REDUCE_NONE, 5, __VA_ARGS__))
#define ct_tma_prefetch_1d(map, ...) CT_GRID_TMA_PREFETCH(map, 1, __VA_ARGS__)
#define ct_tma_prefetch_2d(map, ...) CT_GRID_TMA_PREFETCH(map, 2, __VA_ARGS__)
#define ct_tma_prefetch_3d(map, ...) CT_GRID_TMA_PREFETCH(map, 3, __VA_ARGS__)
#define ct_tma_prefetch_4d(map, ...) CT_GRID_TMA_PREFETCH(map, 4, __VA_ARGS__)
#define ct_tma_prefetch_5d(map, ...) CT_GRID_TMA_PREFETCH(map, 5, __VA_ARGS__)
#define ct_tma_prefetch_map(map) ct_grid_tma_prefetch_map(CT_GRID_SITE, map)

#elif CT_HAS_BULK

/* The address of a descriptor: generic, because it is in the kernel's parameters. */
#define CT_PTX_MAP(map) "l"((uint64_t)(map))

#define CT_PTX_COORDS1 int32_t c0
#define CT_PTX_COORDS2 int32_t c0, int32_t c1
#define CT_PTX_COORDS3 int32_t c0, int32_t c1, int32_t c2
#define CT_PTX_COORDS4 int32_t c0, int32_t c1, int32_t c2, int32_t c3
#define CT_PTX_COORDS5 int32_t c0, int32_t c1, int32_t c2, int32_t c3, int32_t c4
#define CT_PTX_AT1 "{%0}"
#define CT_PTX_AT2 "{%0, %1}"
#define CT_PTX_AT3 "{%0, %1, %2}"
#define CT_PTX_AT4 "{%0, %1, %2, %3}"
#define CT_PTX_AT5 "{%0, %1, %2, %3, %4}"
#define CT_PTX_GIVE1 "r"(c0)
#define CT_PTX_GIVE2 "r"(c0), "r"(c1)
#define CT_PTX_GIVE3 "r"(c0), "r"(c1), "r"(c2)
#define CT_PTX_GIVE4 "r"(c0), "r"(c1), "r"(c2), "r"(c3)
#define CT_PTX_GIVE5 "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4)

/* All copies of n dimensions. Their coordinates are the operands from %0 on; a b c e are the
 * operands after them. */
#define CT_PTX_TMA_LOAD(n, name, more, qualifier, operand, a, b, c, ...)                           \
    CT_DEVICE void name(void *dst, const ct_tma_map *map, uint64_t *bar more, CT_PTX_COORDS##n)    \
    {                                                                                              \
        asm volatile("cp.async.bulk.tensor." #n "d.shared::cluster.global.tile"                    \
                     ".mbarrier::complete_tx::bytes" qualifier " [" a "], [" b ", " CT_PTX_AT##n   \
                     "], [" c "]" operand ";" ::CT_PTX_GIVE##n,                                    \
                     CT_PTX_AT_shared(dst), CT_PTX_MAP(map), CT_PTX_AT_shared(bar) __VA_ARGS__     \
                     : "memory");                                                                  \
    }
#define CT_PTX_TMA_STORE(n, name, instruction, more, operand, a, b, ...)                           \
    CT_DEVICE void name(const ct_tma_map *map, const void *src more, CT_PTX_COORDS##n)             \
    {                                                                                              \
        asm volatile(instruction " [" b ", " CT_PTX_AT##n "], [" a "]" operand                     \
                                                          ";" ::CT_PTX_GIVE##n,                    \
                     CT_PTX_AT_shared(src), CT_PTX_MAP(map) __VA_ARGS__                            \
                     : "memory");                                                                  \
    }
#define CT_PTX_TMA_REDUCE(n, op, a, b)                                                             \
    CT_PTX_TMA_STORE(n, ct_tma_##op##_##n##d,                                                      \
                     "cp.reduce.async.bulk.tensor." #n "d.global.shared::cta." #op                 \
                     ".tile.bulk_group",                                                           \
                     , "", a, b, )
#define CT_PTX_COMMA ,
#define CT_PTX_TMA(n, a, b, c, e)                                                                  \
    CT_PTX_TMA_LOAD(n, ct_tma_load_##n##d, , "", "", a, b, c, )                                    \
    CT_PTX_TMA_LOAD(n, ct_tma_load_multicast_##n##d, CT_PTX_COMMA int mask, ".multicast::cluster", \
                    ", " e, a, b, c, , "h"((uint16_t)mask))                                        \
    CT_PTX_TMA_LOAD(n, ct_tma_load_policy_##n##d, CT_PTX_COMMA uint64_t policy, ".L2::cache_hint", \
                    ", " e, a, b, c, , "l"(policy))                                                \
    CT_PTX_TMA_STORE(n, ct_tma_store_##n##d,                                                       \
                     "cp.async.bulk.tensor." #n "d.global.shared::cta.tile.bulk_group", , "", a,   \
                     b, )                                                                          \
    CT_PTX_TMA_STORE(n, ct_tma_store_policy_##n##d,                                                \
                     "cp.async.bulk.tensor." #n "d.global.shared::cta.tile.bulk_group"             \
                     ".L2::cache_hint",                                                            \
                     CT_PTX_COMMA uint64_t policy, ", " c, a, b, , "l"(policy))                    \
    CT_PTX_TMA_REDUCE(n, add, a, b)                                                                \
    CT_PTX_TMA_REDUCE(n, min, a, b)                                                                \
    CT_PTX_TMA_REDUCE(n, max, a, b)                                                                \
    CT_DEVICE void ct_tma_prefetch_##n##d(const ct_tma_map *map, CT_PTX_COORDS##n)                 \
    {                                                                                              \
        asm volatile("cp.async.bulk.prefetch.tensor." #n "d.L2.global.tile [" a ", " CT_PTX_AT##n  \
                     "];" ::CT_PTX_GIVE##n,                                                        \
                     CT_PTX_MAP(map)                                                               \
                     : "memory");                                                                  \
    }
CT_PTX_TMA(1, "%1", "%2", "%3", "%4")
CT_PTX_TMA(2, "%2", "%3", "%4", "%5")
CT_PTX_TMA(3, "%3", "%4", "%5", "%6")
CT_PTX_TMA(4, "%4", "%5", "%6", "%7")
CT_PTX_TMA(5, "%5", "%6", "%7", "%8")

CT_DEVICE void ct_tma_prefetch_map(const ct_tma_map *map)
{
    asm volatile("prefetch.tensormap [%0];" ::CT_PTX_MAP(map) : "memory");
}

#endif

#endif
