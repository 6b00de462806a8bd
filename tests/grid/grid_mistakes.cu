/* Kernels that make one mistake each, and none where args.wrong = 0. gcc compiles this file as a
 * part of test_grid_mistakes.c, nvcc for the GPU. */
#include "grid_args.h"

#include <cutlet/device/arch/mbarrier.h>

CT_KERNEL(gk_past_end, copy_args, args)
{
    CT_FRAGMENT(uint32_t, x, 4);
    ct_load_global(x, args.src + 16 * threadIdx.x + (args.wrong ? 16 : 0), 128);
}

/* One element past an array, which must not fall into the next one. */
CT_KERNEL(gk_next_array, copy_args, args)
{
    uint32_t x = 0;
    ct_load_global(&x, args.src + 4 * (args.n + args.wrong), 32);
    ct_store_global(args.dst, &x, 32);
}

CT_KERNEL(gk_before_begin, copy_args, args)
{
    CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
    ct_store_global(args.dst + 16 * threadIdx.x - (args.wrong ? 16 : 0), x, 64);
}

CT_KERNEL(gk_past_shared, copy_args, args)
{
    CT_SHARED(uint32_t, first, 33);
    CT_SHARED(uint32_t, second, 32);
    uint32_t x = 1;
    ct_store_shared(second + threadIdx.x, &x, 32);
    ct_store_shared(first + threadIdx.x + 1 + (args.wrong ? 1 : 0), &x, 32);
}

CT_KERNEL(gk_past_dynamic, copy_args, args)
{
    CT_SHARED_DYNAMIC(uint32_t, tile);
    uint32_t x = 1;
    ct_store_shared(tile + threadIdx.x + args.wrong, &x, 32);
}

CT_KERNEL(gk_wrong_space, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    uint32_t x = 1;
    if (args.wrong) ct_store_shared(args.dst, &x, 32);
    else ct_store_shared(tile + threadIdx.x, &x, 32);
}

CT_KERNEL(gk_misaligned, copy_args, args)
{
    CT_FRAGMENT(uint32_t, x, 4);
    ct_load_global(x, args.src + 8 * threadIdx.x, 64);
    ct_load_global(x, args.src + 16 * (threadIdx.x / 2) + 8 * args.wrong, 128);
}

CT_KERNEL(gk_misaligned_shared, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 66);
    uint32_t x[2] = {0, 0};
    ct_store_shared(tile + 2 * threadIdx.x + args.wrong, x, 64);
}

CT_KERNEL(gk_read_only, copy_args, args)
{
    uint32_t x = 0;
    ct_store_global((args.wrong ? (unsigned char *)args.src : args.dst) + 4 * threadIdx.x, &x, 32);
}

CT_KERNEL(gk_unwritten, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    uint32_t x = 0;
    ct_store_shared_if(!args.wrong || threadIdx.x != 9, tile + threadIdx.x, &x, 32);
    __syncthreads();
    ct_load_shared(&x, tile + threadIdx.x, 32);
}

/* args.wrong: 1 no wait, 2 a wait for one group too few, 3 another thread reads before the wait. */
CT_KERNEL(gk_no_wait, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 64);
    const int t = (int)threadIdx.x;
    uint32_t x = 0;
    ct_cp_async_ca(tile + t, args.src + 4 * t, 4);
    ct_cp_async_commit();
    ct_cp_async_ca(tile + 32 + t, args.src + 4 * t, 4);
    ct_cp_async_commit();
    if (args.wrong == 3) {
        __syncthreads();
        ct_load_shared(&x, tile + (t ^ 1), 32);
    }
    if (args.wrong == 2) ct_cp_async_wait_group(1);
    if (args.wrong == 0) ct_cp_async_wait_group(0);
    ct_load_shared(&x, tile + 32 + t, 32);
}

#if CT_HAS_BULK

/* A warp fills a stage for three that read it, and fills it again when they have arrived.
 * args.wrong: 1 only the first of the three arrives, 2 only the last, 3 a lane arrives for its
 * warp, which it has not waited for. */
CT_KERNEL(gk_stage_readers, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    CT_SHARED(uint64_t, bars, 2);
    uint64_t *const full = bars, *const empty = bars + 1;
    const int t = (int)threadIdx.x, warp = t / 32, lane = t % 32;
    const int some = args.wrong == 1 || args.wrong == 2;
    const int arrives = !some || warp == (args.wrong == 1 ? 1 : 3);
    uint32_t x = 0;
    if (t == 0) {
        ct_mbarrier_init(full, 32);
        ct_mbarrier_init(empty, some ? 1 : 3);
    }
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
        if (warp == 0) {
            if (i > 0) ct_mbarrier_wait(empty, (i - 1) & 1);
            ct_store_shared(tile + lane, &x, 32);
            ct_mbarrier_arrive(full);
        } else {
            ct_mbarrier_wait(full, i & 1);
            ct_load_shared(&x, tile + (lane + warp) % 32, 32);
            if (args.wrong != 3) __syncwarp();
            if (lane == 0 && arrives) ct_mbarrier_arrive(empty);
        }
    }
}

#endif

/* The source of a copy is written before the wait. args.wrong: 1 by the thread itself, 2 by another
 * thread after a barrier, 3 by one that no barrier puts after the wait, 4 by an atomic operation. */
CT_KERNEL(gk_source_written, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    const int t = (int)threadIdx.x;
    uint32_t x = (uint32_t)t;
    ct_store_global(args.dst + 4 * t, &x, 32);
    ct_cp_async_ca(tile + t, args.dst + 4 * t, 4);
    if (args.wrong == 1) ct_store_global(args.dst + 4 * t, &x, 32);
    if (args.wrong < 2) ct_cp_async_wait_all();
    __syncthreads();
    if (args.wrong == 3) ct_cp_async_wait_all();
#if !defined(__CUDACC__)
    if (args.wrong == 4)
        ct_grid_atomic(CT_GRID_SITE, CT_ATOMIC_UPDATE, args.dst + 4 * ((t + 31) % 32), 4, 0, 0);
#endif
    ct_store_global_if(args.wrong != 4, args.dst + 4 * ((t + 31) % 32), &x, 32);
    __syncthreads();
    ct_cp_async_wait_all();
}

/* The copying thread has waited, but its neighbour reads without a barrier. */
CT_KERNEL(gk_wait_no_barrier, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    const int t = (int)threadIdx.x;
    uint32_t x = 0;
    ct_cp_async_ca(tile + t, args.src + 4 * t, 4);
    ct_cp_async_wait_all();
    if (!args.wrong) __syncthreads();
    ct_load_shared(&x, tile + (t > 0 ? t - 1 : 0), 32);
}

CT_KERNEL(gk_read_after_write, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 64);
    const int t = (int)threadIdx.x;
    uint32_t x = 0;
    ct_store_shared(tile + t, &x, 32);
    if (args.wrong) __syncwarp(); /* orders one warp only */
    else __syncthreads();
    ct_load_shared(&x, tile + t % 32, 32);
}

/* Half of a warp meets; then the lane reads what one of its half wrote, or, by way of lane 15, which
 * meets both halves, of the other. args.wrong: 1 of the other half at once, 2 it writes there. */
CT_KERNEL(gk_half_warps, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    const int t = (int)threadIdx.x;
    uint32_t x = (uint32_t)t;
    ct_store_shared(tile + t, &x, 32);
    __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
    ct_load_shared(&x, tile + (args.wrong == 1 && t == 20 ? 3 : t ^ 8), 32);
    __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
    ct_store_shared(tile + (args.wrong == 2 && t == 20 ? 3 : t), &x, 32);
    __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
    if (t >= 15) __syncwarp(0xffff8000u);
    ct_load_shared_if(t == 15 || t == 31, &x, tile + (t == 15 ? 20 : t == 31 ? 3 : 0), 32);
    __syncwarp();
    ct_store_shared(tile + (t + 16) % 32, &x, 32);
}

CT_KERNEL(gk_write_after_read, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    const int t = (int)threadIdx.x;
    uint32_t x = 0;
    ct_store_shared(tile + t, &x, 32);
    __syncthreads();
    ct_load_shared(&x, tile + (t + 1) % 32, 32);
    if (!args.wrong) __syncthreads();
    ct_store_shared(tile + t, &x, 32);
}

/* The scan of a warp: a word is read by the next lane, then by its own, which writes it. args.wrong: 1
 * without the barrier between the neighbour's read and the own write. */
CT_KERNEL(gk_warp_scan, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    const int lane = (int)threadIdx.x;
    uint32_t own = 1, other = 0;
    ct_store_shared(tile + lane, &own, 32);
    __syncwarp();
    for (int by = 1; by < 32; by *= 2) {
        ct_load_shared_if(lane >= by, &other, tile + (lane >= by ? lane - by : 0), 32);
        if (!args.wrong) __syncwarp();
        ct_load_shared(&own, tile + lane, 32);
        own += lane >= by ? other : 0;
        ct_store_shared(tile + lane, &own, 32);
        __syncwarp();
    }
    ct_store_global(args.dst + 4 * lane, &own, 32);
}

/* Everybody reads one word, then one thread of another warp writes it. */
CT_KERNEL(gk_write_after_reads, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 1);
    const int t = (int)threadIdx.x;
    uint32_t x = 0;
    ct_store_shared_if(t == 0, tile, &x, 32);
    __syncthreads();
    ct_load_shared_if(t < 32, &x, tile, 32);
    if (!args.wrong) __syncthreads();
    ct_store_shared_if(t == 40, tile, &x, 32);
}

CT_KERNEL(gk_write_write, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    uint32_t x = 0;
    ct_store_shared(tile + (args.wrong ? threadIdx.x / 2 : threadIdx.x), &x, 32);
}

CT_KERNEL(gk_global_race, copy_args, args)
{
    const int t = (int)threadIdx.x;
    uint32_t x = 0;
    ct_store_global(args.dst + 4 * t, &x, 32);
    if (!args.wrong) __syncthreads();
    ct_load_global(&x, args.dst + 4 * (t ^ 1), 32);
}

/* args.wrong: 1 both blocks write one place, 2 the second reads what the first wrote, 3 writes what
 * the first read. */
CT_KERNEL(gk_block_race, copy_args, args)
{
    const int t = (int)threadIdx.x, b = (int)blockIdx.x;
    unsigned char *own = args.dst + 4 * (32 * (args.wrong == 1 ? 0 : b) + t);
    uint32_t x = 0;
    if (args.wrong == 2 && b == 1) ct_load_global(&x, args.dst + 4 * t, 32);
    if (args.wrong == 3 && b == 0) ct_load_global(&x, args.dst + 4 * (32 + t), 32);
    if (args.wrong == 3 && b == 0) return;
    ct_store_global(own, &x, 32);
}

/* x[i] += x[i + 1], or, as it should be, of another array. The own read of x[i] in the second block
 * comes after that of the first block, and hides nothing. */
CT_KERNEL(gk_neighbour_block, copy_args, args)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    uint32_t x = 0, next = 0;
    ct_load_global(&next, args.wrong ? args.dst + 4 * (i + 1) : args.src + 4 * (i + 1), 32);
    __syncthreads();
    ct_load_global(&x, args.dst + 4 * i, 32);
    x += next;
    ct_store_global(args.dst + 4 * i, &x, 32);
}

/* Block 0 waits for a flag. args.wrong: 1 of global memory, which block 1 sets, 2 of shared
 * memory, 3 for either of two. */
CT_KERNEL(gk_spin, copy_args, args)
{
    CT_SHARED(uint32_t, flag, 2);
    uint32_t x = 0, y = 0;
    const int waits = blockIdx.x == 0 && threadIdx.x == 0;
    ct_store_shared_if(waits, flag, &x, 32);
    if (!args.wrong || !waits) x = 1;
    while (x == 0) {
        if (args.wrong == 2) ct_load_shared(&x, flag, 32);
        else ct_load_global(&x, args.dst, 32);
        if (args.wrong == 3) ct_load_global(&y, args.dst + 8, 32);
        x |= y;
    }
    ct_store_global_if(blockIdx.x == 1 && threadIdx.x == 0, args.dst, &x, 32);
}

/* Block 0 waits for a flag of block 1 and counts how often. args.wrong: 1 in global memory, 2 in
 * shared memory, with its whole warp at a barrier, 3 it waits for the count, which ends, 4 for
 * nothing that it loads. */
CT_KERNEL(gk_busy_spin, copy_args, args)
{
    CT_SHARED(uint32_t, counts, 33);
    uint32_t x = 0, n = 0;
    ct_store_shared(counts + threadIdx.x, &n, 32);
    if (blockIdx.x != 0 || !args.wrong) x = 1;
    if (args.wrong == 1 && threadIdx.x) x = 1;
    while (x == 0) {
        if (args.wrong != 4) ct_load_shared(&n, counts + threadIdx.x, 32);
        ++n;
        if (args.wrong != 4) ct_store_shared(counts + threadIdx.x, &n, 32);
        if (args.wrong >= 2) __syncthreads();
        if (args.wrong <= 2) ct_load_global(&x, args.dst, 32);
        if (args.wrong == 3) x = n == (uint32_t)args.n;
    }
    __syncthreads();
    ct_store_global_if(blockIdx.x == 1 && threadIdx.x == 0, args.dst, &x, 32);
}

/* Threads that have ended are not waited for: a barrier takes those that are left, and so do a
 * shuffle and a vote of the full mask, in a short last warp too. args.wrong: 1 a lane reads from one
 * that has ended, 2 from one that is not there, 3 the barrier is in two places. */
CT_KERNEL(gk_early_exit, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 64);
    const int t = (int)threadIdx.x, lane = t % 32;
    const int by = lane != 5 ? 2 : args.wrong == 1 ? 2 : 0;
    uint32_t x = (uint32_t)t;
    if (t == 3 || t == (int)blockDim.x - 1) return;
    ct_store_shared(tile + t, &x, 32);
    if (args.wrong == 3 && t == 5) __syncthreads();
    else __syncthreads();
    ct_load_shared(&x, tile + (t == 4 ? 38 : t), 32);
    __syncwarp();
    x = __shfl_up_sync(ALL_LANES, x, by);
    if (args.wrong == 2) x = __shfl_down_sync(ALL_LANES, x, 8);
    if (__any_sync(ALL_LANES, x > 77)) return;
    __syncthreads();
}

/* Some lanes wait at their meeting when the others end. */
CT_KERNEL(gk_late_exit, copy_args, args)
{
    const int t = (int)threadIdx.x;
    uint32_t x = 1;
    if (t >= 20) {
        ct_store_global(args.dst + 4 * t, &x, 32);
        return;
    }
    __syncwarp();
    x = __ballot_sync(ALL_LANES, t != 1);
    ct_store_global(args.dst + 4 * t, &x, 32);
}

/* An instruction of the whole warp: in a short one, or where a lane has ended, it never comes off. */
CT_KERNEL(gk_matrix_exit, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    uint32_t x = 0;
    ct_store_shared_if(threadIdx.x < 32, tile + threadIdx.x % 32, &x, 32);
    __syncthreads();
    if (args.wrong == 1 && threadIdx.x == 7) return;
    ct_ldmatrix_x1(&x, tile + 4 * (threadIdx.x % 8));
}

CT_KERNEL(gk_two_barriers, copy_args, args)
{
    if (args.wrong && threadIdx.x >= 32) {
        __syncthreads();
    } else {
        __syncthreads();
    }
}

/* args.wrong: 1 a lane has ended, 2 the mask leaves out a lane, 3 a lane reads from one outside. */
CT_KERNEL(gk_bad_shuffle, copy_args, args)
{
    const int lane = (int)threadIdx.x % 32;
    uint32_t x = (uint32_t)lane;
    if (args.wrong == 1 && lane == 31) return;
    if (args.wrong == 3 && lane >= 16) return;
    x = __shfl_xor_sync(args.wrong > 1 ? 0xffffu : ALL_LANES, x, args.wrong == 3 ? 16 : 1);
    ct_store_global(args.dst + 4 * threadIdx.x, &x, 32);
}

/* args.wrong: 1 half of the warp shuffles at another place, 2 with another mask. */
CT_KERNEL(gk_shuffles_diverged, copy_args, args)
{
    const int lane = (int)threadIdx.x % 32;
    uint32_t x = (uint32_t)lane;
    if (args.wrong == 1 && lane >= 16) x = __shfl_xor_sync(ALL_LANES, x, 2);
    else x = __shfl_xor_sync(args.wrong == 2 && lane == 5 ? 0x3fu : ALL_LANES, x, 1);
    ct_store_global(args.dst + 4 * threadIdx.x, &x, 32);
}

CT_KERNEL(gk_lanes_diverged, copy_args, args)
{
    if (args.wrong && threadIdx.x == 0) __syncthreads();
    __syncwarp();
    if (!args.wrong || threadIdx.x != 0) __syncthreads();
}

/* args.wrong: 1 an invalid width, 2 a cp.async of 12 bytes, 3 one with too many source bytes,
 * 4 a shuffle over 3 lanes, 5 one of 16 bytes, 6 an instruction that the grid lacks. */
CT_KERNEL(gk_no_such_atom, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 4 * 32);
    CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
    if (args.wrong == 1) ct_load_global(x, args.src, 24);
    if (args.wrong == 2) ct_cp_async_ca(tile, args.src, 12);
    if (args.wrong == 3) ct_cp_async_ca_fill(tile, args.src, 8, 9 + args.n);
    if (args.wrong == 4) x[0] = __shfl_sync(ALL_LANES, x[0], 0, 3);
#if !defined(__CUDACC__) /* nvcc has none */
    if (args.wrong == 5) ct_grid_shuffle(CT_GRID_SITE, ALL_LANES, 0, x, 16, 0, 32);
    if (args.wrong == 6) ct_grid_lacks(CT_GRID_SITE, "tcgen05.mma");
#endif
    ct_load_global(x, args.src, 32);
}

CT_KERNEL(gk_own_misaligned, copy_args, args)
{
    CT_FRAGMENT(unsigned char, x, 32);
    ct_load_global(x + args.wrong, args.src, 64);
}

CT_KERNEL(gk_much_static, copy_args, args)
{
    CT_SHARED(uint32_t, some, 12 * 1024);
    uint32_t x = 0;
    ct_store_shared(some + threadIdx.x, &x, 32);
#if !defined(__CUDACC__) /* nvcc refuses it when it compiles */
    if (args.wrong) {
        CT_SHARED(uint32_t, more, 1);
        ct_store_shared(more, &x, 32);
    }
#else
    (void)args;
#endif
}

CT_KERNEL_THREADS(gk_bounded, 64, copy_args, args)
{
    uint32_t x = 0;
    ct_store_global(args.dst + 4 * threadIdx.x, &x, 32);
}

/* A place of no array, which no function of cutlet's is asked for. */
CT_KERNEL(gk_null, copy_args, args)
{
    volatile uint32_t *const nowhere = (volatile uint32_t *)(uintptr_t)(args.n + 16);
    if (args.wrong) *nowhere = 1;
}

#if !defined(__CUDACC__) /* nvcc refuses such arrays when it compiles */

/* Calls itself so often, 1 KiB each time. */
static uint32_t call_deep(int n)
{
    volatile uint32_t x[256];
    x[n % 256] = (uint32_t)n;
    return n > 0 ? call_deep(n - 1) + x[n % 256] : 0;
}

/* Writes 4 MiB, from the first word on, which is far below the stack, or from the last. */
static __attribute__((noinline)) uint32_t fill_much(int upwards)
{
    enum { WORDS = 1024 * 1024 };
    volatile uint32_t x[WORDS];
    for (int i = 0; i < WORDS; ++i) x[upwards ? i : WORDS - 1 - i] = (uint32_t)i;
    return x[WORDS / 2];
}

/* args.wrong: 1 and 2 a local array that is too large, 3 calls that are too deep. */
CT_KERNEL(gk_much_local, copy_args, args)
{
    uint32_t sum = call_deep(args.wrong == 3 ? 4096 : 16);
    if (args.wrong == 1 || args.wrong == 2) sum += fill_much(args.wrong == 1);
    ct_store_global(args.dst + 4 * threadIdx.x, &sum, 32);
}

#endif

/* As much local memory as a thread of a GPU has, but for a few variables. */
CT_KERNEL(gk_local_array, copy_args, args)
{
    enum { WORDS = 510 * 256 };
    CT_FRAGMENT(uint32_t, x, WORDS);
    uint32_t sum = 0;
    for (int i = 0; i < WORDS; ++i) x[i] = (uint32_t)(i ^ args.n);
    __syncthreads();
    for (int i = 0; i < WORDS; ++i) sum += x[i];
    ct_store_global(args.dst + 4 * threadIdx.x, &sum, 32);
}
