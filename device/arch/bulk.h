/**
 * Bulk copies (cp.async.bulk), sm_90: one thread moves many contiguous bytes.
 *
 *     ct_bulk_load(dst, src, bytes, bar)
 *           Copies `bytes` bytes from global memory at src to shared memory at dst, and then
 *           arrives with them at the mbarrier bar.
 *     ct_bulk_load_multicast(dst, src, bytes, bar, mask)
 *           ct_bulk_load to dst in each block of the cluster whose bit of mask is set, and to its
 *           bar.
 *     ct_bulk_store(dst, src, bytes)
 *           Copies `bytes` bytes from shared memory at src to global memory at dst.
 *     ct_bulk_add(dst, src, bytes, elem)
 *           Adds the elements in shared memory at src to those in global memory at dst, each
 *           atomically. elem is CT_ELEM_...
 *     ct_bulk_min(dst, src, bytes, elem)
 *           Replaces each element in global memory at dst by the lesser of it and that in shared
 *           memory at src, atomically.
 *     ct_bulk_max(dst, src, bytes, elem)
 *           Replaces each element in global memory at dst by the greater of it and that in shared
 *           memory at src, atomically.
 *     ct_bulk_prefetch_l2(src, bytes)
 *           Fetches `bytes` bytes of global memory at src into L2.
 *     ct_bulk_commit()
 *           Closes the thread's group of stores and reductions.
 *     ct_bulk_wait_group_read(n)
 *           Waits until all but the thread's newest n groups have read shared memory.
 *     ct_bulk_wait_group(n)
 *           Waits until all but the thread's newest n groups have written global memory.
 *
 * bytes and both addresses are multiples of 16; elem and n are constants. A load belongs to the
 * current phase of bar, which must expect its bytes. What it reads is not written before the writer
 * has seen the phase complete. What a store or reduction writes is not accessed before its thread has
 * waited with ct_bulk_wait_group, except that reductions may be in flight together. A thread waits
 * until its stores have read shared memory before it exits. add takes elements U32 S32 U64 F16 BF16
 * F32 F64; min and max take U32 S32 U64 S64 F16 BF16. Subnormal numbers are kept. On an H200, a NaN
 * sum of F32 is 0x7fffffff; a NaN sum of F64 has all bits of the NaN of src, or else of that of dst.
 *
 * Fails:    The CPU grid ends the launch at bytes or addresses that are not multiples of 16, and at
 *           an element that a reduction lacks: this traps on a GPU too. It also ends it at a mask
 *           with blocks that the cluster lacks, at an access to memory of a copy in flight, and
 *           where a ct_fence_mbarrier_init, ct_fence_async_shared or ct_fence_async_global is missing.
 * Cost:     One instruction of one thread, for any number of bytes; no registers hold the data.
 *           Each byte moves once between memory, L2 and shared memory. A multicast reads L2 once
 *           for all blocks. A reduction is executed in L2.
 * In a kernel:
 *           CT_SHARED(float, tile, 64);
 *           CT_SHARED(uint64_t, bar, 1);
 *           const int i = (int)threadIdx.x;
 *           float x = 0, y = 0;
 *           if (i == 0) {
 *               ct_mbarrier_init(bar, 1);
 *               ct_fence_mbarrier_init();
 *               ct_bulk_prefetch_l2(in + 512, 2048); // for later
 *               ct_mbarrier_arrive_expect(bar, 256);
 *               ct_bulk_load(tile, in, 128, bar);
 *               ct_bulk_load_multicast(tile + 32, in + 32, 128, bar, 1); // mask 1: block 0
 *           }
 *           __syncthreads();
 *           ct_mbarrier_wait(bar, 0);
 *           ct_load_shared(&x, tile + 32 + i, 32);
 *           assert(x == (float)(32 + i));
 *           x = 3;
 *           ct_store_shared(tile + i, &x, 32);
 *           ct_fence_async_shared(); // the copies below read what lanes stored
 *           __syncthreads();
 *           if (i == 0) {
 *               ct_bulk_store(out, tile, 128);
 *               ct_bulk_max(out + 32, tile, 128, CT_ELEM_U32); // floats from 0 on are ordered
 *               ct_bulk_commit();                              // as their bits
 *               ct_bulk_wait_group(0); // both are written
 *               ct_bulk_add(out, tile + 32, 128, CT_ELEM_F32);
 *               ct_bulk_min(out + 32, tile + 32, 128, CT_ELEM_U32);
 *               ct_bulk_commit();
 *               ct_bulk_wait_group_read(0); // the tile may be written again
 *               ct_bulk_wait_group(0);
 *           }
 *           __syncthreads();
 *           ct_load_global(&x, out + i, 32), ct_load_global(&y, out + 32 + i, 32);
 *           assert(x == (float)(3 + 32 + i) && y == 3);
 * Source:   NVIDIA, PTX ISA 9.0, asynchronous copies (9.7.9.25), cp.async.bulk and
 *           cp.reduce.async.bulk.
 */
#ifndef CUTLET_DEVICE_ARCH_BULK_H
#define CUTLET_DEVICE_ARCH_BULK_H

#include <cutlet/copy/tma_modes.h>

#include <cutlet/device/arch/mbarrier.h>

#if !defined(__CUDACC__)

#define ct_bulk_load(dst, src, bytes, bar) ct_grid_bulk_load(CT_GRID_SITE, dst, src, bytes, bar, 0)
#define ct_bulk_load_multicast(dst, src, bytes, bar, mask)                                         \
    ct_grid_bulk_load(CT_GRID_SITE, dst, src, bytes, bar, mask)
#define ct_bulk_store(dst, src, bytes)                                                             \
    ct_grid_bulk_store(CT_GRID_SITE, dst, src, bytes, CT_REDUCE_NONE, 0)
#define ct_bulk_add(dst, src, bytes, elem)                                                         \
    ct_grid_bulk_store(CT_GRID_SITE, dst, src, bytes, CT_REDUCE_ADD, elem)
#define ct_bulk_min(dst, src, bytes, elem)                                                         \
    ct_grid_bulk_store(CT_GRID_SITE, dst, src, bytes, CT_REDUCE_MIN, elem)
#define ct_bulk_max(dst, src, bytes, elem)                                                         \
    ct_grid_bulk_store(CT_GRID_SITE, dst, src, bytes, CT_REDUCE_MAX, elem)
#define ct_bulk_prefetch_l2(src, bytes) ct_grid_bulk_prefetch(CT_GRID_SITE, src, bytes)
#define ct_bulk_commit() ct_grid_bulk_commit()
#define ct_bulk_wait_group(n) ct_grid_bulk_wait(n)
#define ct_bulk_wait_group_read(n) ct_grid_bulk_wait_read(n)

#elif CT_HAS_BULK

CT_DEVICE void ct_bulk_load(void *dst, const void *src, int bytes, uint64_t *bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1], %2, [%3];" ::CT_PTX_AT_shared(dst),
                 CT_PTX_AT_global(src), "r"(bytes), CT_PTX_AT_shared(bar)
                 : "memory");
}

CT_DEVICE void ct_bulk_load_multicast(void *dst, const void *src, int bytes, uint64_t *bar,
                                      int mask)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::CT_PTX_AT_shared(dst),
                 CT_PTX_AT_global(src), "r"(bytes), CT_PTX_AT_shared(bar), "h"((uint16_t)mask)
                 : "memory");
}

CT_DEVICE void ct_bulk_store(void *dst, const void *src, int bytes)
{
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::CT_PTX_AT_global(dst),
        CT_PTX_AT_shared(src), "r"(bytes)
        : "memory");
}

#define CT_PTX_BULK_REDUCE(op)                                                                     \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." op                          \
                 " [%0], [%1], %2;" ::CT_PTX_AT_global(dst),                                       \
                 CT_PTX_AT_shared(src), "r"(bytes)                                                 \
                 : "memory")

CT_DEVICE void ct_bulk_add(void *dst, const void *src, int bytes, int elem)
{
    switch (elem) {
        case CT_ELEM_U32: CT_PTX_BULK_REDUCE("add.u32"); break;
        case CT_ELEM_S32: CT_PTX_BULK_REDUCE("add.s32"); break;
        case CT_ELEM_U64: CT_PTX_BULK_REDUCE("add.u64"); break;
        case CT_ELEM_F16: CT_PTX_BULK_REDUCE("add.noftz.f16"); break;
        case CT_ELEM_BF16: CT_PTX_BULK_REDUCE("add.noftz.bf16"); break;
        case CT_ELEM_F32: CT_PTX_BULK_REDUCE("add.f32"); break;
        case CT_ELEM_F64: CT_PTX_BULK_REDUCE("add.f64"); break;
        default: __trap();
    }
}

#define CT_PTX_BULK_COMPARE(name, op)                                                              \
    CT_DEVICE void name(void *dst, const void *src, int bytes, int elem)                           \
    {                                                                                              \
        switch (elem) {                                                                            \
            case CT_ELEM_U32: CT_PTX_BULK_REDUCE(op ".u32"); break;                                \
            case CT_ELEM_S32: CT_PTX_BULK_REDUCE(op ".s32"); break;                                \
            case CT_ELEM_U64: CT_PTX_BULK_REDUCE(op ".u64"); break;                                \
            case CT_ELEM_S64: CT_PTX_BULK_REDUCE(op ".s64"); break;                                \
            case CT_ELEM_F16: CT_PTX_BULK_REDUCE(op ".f16"); break;                                \
            case CT_ELEM_BF16: CT_PTX_BULK_REDUCE(op ".bf16"); break;                              \
            default: __trap();                                                                     \
        }                                                                                          \
    }
CT_PTX_BULK_COMPARE(ct_bulk_min, "min")
CT_PTX_BULK_COMPARE(ct_bulk_max, "max")

CT_DEVICE void ct_bulk_prefetch_l2(const void *src, int bytes)
{
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::CT_PTX_AT_global(src), "r"(bytes)
                 : "memory");
}

#define ct_bulk_commit() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define ct_bulk_wait_group(n) asm volatile("cp.async.bulk.wait_group %0;" ::"n"(n) : "memory")
#define ct_bulk_wait_group_read(n)                                                                 \
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory")

#endif

#endif
