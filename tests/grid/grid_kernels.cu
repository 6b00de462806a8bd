/* Kernels for the tests of the grid: every atom at work, and traffic that is known. gcc compiles
 * this file as a part of test_grid.c, nvcc for the GPU. */
#include "grid_args.h"

/* Each thread of a 3-D launch writes where it is. */
CT_KERNEL(gk_indices, copy_args, args)
{
    const uint32_t block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const uint32_t thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    CT_FRAGMENT(uint16_t, x, 8) = {
        (uint16_t)blockIdx.x,  (uint16_t)blockIdx.y,  (uint16_t)blockIdx.z,  (uint16_t)gridDim.z,
        (uint16_t)threadIdx.x, (uint16_t)threadIdx.y, (uint16_t)threadIdx.z, (uint16_t)blockDim.z};
    ct_store_global(args.dst + 16 * (block * threads + thread), x, 128);
}

/* Global -> shared -> the neighbour's registers -> global in every width: 31 bytes per thread. */
CT_KERNEL(gk_widths, copy_args, args)
{
    CT_SHARED(unsigned char, tile, 31 * 64);
    const int t = (int)threadIdx.x, other = t ^ 33;
    CT_FRAGMENT(unsigned char, x, 16);
    ct_load_global(x, args.src + t, 8);
    ct_store_shared(tile + 30 * 64 + t, x, 8);
    ct_load_global(x, args.src + 64 + 2 * t, 16);
    ct_store_shared(tile + 28 * 64 + 2 * t, x, 16);
    ct_load_global(x, args.src + 192 + 4 * t, 32);
    ct_store_shared(tile + 24 * 64 + 4 * t, x, 32);
    ct_load_global(x, args.src + 448 + 8 * t, 64);
    ct_store_shared(tile + 16 * 64 + 8 * t, x, 64);
    ct_load_global(x, args.src + 960 + 16 * t, 128);
    ct_store_shared(tile + 16 * t, x, 128);
    __syncthreads();
    ct_load_shared(x, tile + 30 * 64 + other, 8);
    ct_store_global(args.dst + other, x, 8);
    ct_load_shared(x, tile + 28 * 64 + 2 * other, 16);
    ct_store_global(args.dst + 64 + 2 * other, x, 16);
    ct_load_shared(x, tile + 24 * 64 + 4 * other, 32);
    ct_store_global(args.dst + 192 + 4 * other, x, 32);
    ct_load_shared(x, tile + 16 * 64 + 8 * other, 64);
    ct_store_global(args.dst + 448 + 8 * other, x, 64);
    ct_load_shared(x, tile + 16 * other, 128);
    ct_store_global(args.dst + 960 + 16 * other, x, 128);
}

/* Lanes past n are off: a register keeps its value, memory is not touched. */
CT_KERNEL(gk_predicated, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 64);
    const int t = (int)threadIdx.x, on = t < args.n;
    uint32_t x = 7, y = 9;
    ct_load_global_if(on, &x, args.src + 4 * t, 32);
    ct_store_shared_if(on, tile + t, &x, 32);
    __syncthreads();
    ct_load_shared_if(on, &y, tile + t, 32);
    x += y;
    ct_store_global_if(t < 2 * args.n, args.dst + 4 * t, &x, 32);
}

/* Every cp.async: whole, filling, off; 64 threads. The slots are zero before. */
CT_KERNEL(gk_async, copy_args, args)
{
    CT_SHARED(unsigned char, tile, 64 * 64);
    const int t = (int)threadIdx.x;
    unsigned char *own = tile + 64 * t;
    CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
    for (int i = 0; i < 4; ++i) ct_store_shared(own + 16 * i, x, 128);
    __syncthreads();
    const unsigned char *src = args.src + 64 * t;
    ct_cp_async_ca(own, src, 16);
    ct_cp_async_commit();
    ct_cp_async_ca_fill(own + 16, src + 16, 8, t % 9);
    ct_cp_async_ca(own + 24, src + 24, 4);
    ct_cp_async_ca_if(t % 2, own + 28, src + 28, 4);
    ct_cp_async_cg(own + 32, src + 32, 16);
    ct_cp_async_commit();
    ct_cp_async_cg_fill(own + 48, t % 17 ? src + 48 : src, 16, t % 17);
    ct_cp_async_cg_if(0, own + 48, src + 48, 16);
    ct_cp_async_wait_group(1);
    ct_load_shared(x, own, 128);
    ct_store_global(args.dst + 64 * t, x, 128);
    ct_cp_async_wait_group(0);
    ct_load_shared(x, own + 32, 128);
    ct_store_global(args.dst + 64 * t + 32, x, 128);
    ct_cp_async_wait_all();
    __syncthreads();
    const int other = t ^ 63; /* arrived for everybody */
    ct_load_shared(x, tile + 64 * other + 16, 128);
    ct_store_global(args.dst + 64 * other + 16, x, 128);
    ct_load_shared(x, tile + 64 * other + 48, 128);
    ct_store_global(args.dst + 64 * other + 48, x, 128);
}

/* A two-stage pipeline: tile i is stored while tile i + 1 arrives. */
CT_KERNEL(gk_pipeline, copy_args, args)
{
    CT_SHARED_DYNAMIC(unsigned char, stage);
    const int t = (int)threadIdx.x, size = 16 * (int)blockDim.x;
    CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
    ct_cp_async_cg(stage + 16 * t, args.src + 16 * t, 16);
    ct_cp_async_commit();
    for (int i = 0; i < args.n; ++i) {
        if (i + 1 < args.n)
            ct_cp_async_cg(stage + (i + 1) % 2 * size + 16 * t, args.src + (i + 1) * size + 16 * t,
                           16);
        ct_cp_async_commit();
        ct_cp_async_wait_group(1);
        __syncthreads();
        const int other = (int)blockDim.x - 1 - t;
        ct_load_shared(x, stage + i % 2 * size + 16 * other, 128);
        ct_store_global(args.dst + i * size + 16 * other, x, 128);
        if (!args.wrong) __syncthreads(); /* before the stage is filled again */
    }
}

/* The shuffles and votes, one result word each. */
CT_KERNEL(gk_warp, copy_args, args)
{
    const int t = (int)threadIdx.x, lane = t % 32;
    uint32_t out[12];
    out[0] = __shfl_sync(ALL_LANES, (uint32_t)t * 3, 5);
    out[1] = __shfl_sync(ALL_LANES, (uint32_t)t, lane + 1, 8);
    out[2] = __shfl_up_sync(ALL_LANES, (uint32_t)t, 3);
    out[3] = __shfl_up_sync(ALL_LANES, (uint32_t)t, 2, 4);
    out[4] = __shfl_down_sync(ALL_LANES, (uint32_t)t, 5);
    out[5] = __shfl_down_sync(ALL_LANES, (uint32_t)t, 1, 16);
    out[6] = __shfl_xor_sync(ALL_LANES, (uint32_t)t, 12);
    out[7] = __shfl_xor_sync(ALL_LANES, (uint32_t)t, 8, 8);
    out[8] = __ballot_sync(ALL_LANES, lane % 3 == 0);
    out[9] = (uint32_t)(__any_sync(ALL_LANES, t == 40) ? 1 : 0);
    out[10] = (uint32_t)(__all_sync(ALL_LANES, t < 32) ? 1 : 0);
    double d = t * 0.5;
    if (lane < 16) d = __shfl_xor_sync(0xffffu, d, 1);
    out[11] = (uint32_t)(d * 4);
    for (int i = 0; i < 12; ++i) ct_store_global(args.dst + 4 * (12 * t + i), out + i, 32);
}

/* A sum over the warp through shared memory, with __syncwarp where the block has no barrier. */
CT_KERNEL(gk_syncwarp, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 64);
    const int t = (int)threadIdx.x;
    uint32_t x = (uint32_t)t, y = 0;
    for (int step = 1; step < 32; step *= 2) {
        ct_store_shared(tile + t, &x, 32);
        __syncwarp();
        ct_load_shared(&y, tile + (t ^ step), 32);
        if (!args.wrong) __syncwarp(ALL_LANES);
        x += y;
    }
    ct_store_global(args.dst + 4 * t, &x, 32);
}

/* ldmatrix in all forms: a 32 x 8 tile of 16-bit elements, four 8 x 8 matrices. */
CT_KERNEL(gk_ldmatrix, copy_args, args)
{
    CT_SHARED(uint16_t, tile, 32 * 8);
    const int t = (int)threadIdx.x;
    CT_FRAGMENT(uint32_t, x, 4);
    uint32_t out[14];
    ct_load_global(x, args.src + 16 * t, 128);
    ct_store_shared(tile + 8 * t, x, 128);
    __syncthreads();
    ct_ldmatrix_x1(out, tile + 8 * t);
    ct_ldmatrix_x2(out + 1, tile + 8 * t);
    ct_ldmatrix_x4(out + 3, tile + 8 * t);
    ct_ldmatrix_x1_trans(out + 7, tile + 8 * t);
    ct_ldmatrix_x2_trans(out + 8, tile + 8 * t);
    ct_ldmatrix_x4_trans(out + 10, tile + 8 * t);
    for (int i = 0; i < 14; ++i) ct_store_global(args.dst + 4 * (14 * t + i), out + i, 32);
}

#if CT_HAS_STMATRIX
/* stmatrix in all forms: each form into its own part of a zeroed tile. */
CT_KERNEL(gk_stmatrix, copy_args, args)
{
    CT_SHARED(uint16_t, tile, 6 * 32 * 8);
    const int t = (int)threadIdx.x;
    CT_FRAGMENT(uint32_t, x, 4) = {0, 0, 0, 0};
    for (int i = 0; i < 6; ++i) ct_store_shared(tile + 256 * i + 8 * t, x, 128);
    __syncthreads();
    ct_load_global(x, args.src + 16 * t, 128);
    ct_stmatrix_x1(tile + 8 * t, x);
    ct_stmatrix_x2(tile + 256 + 8 * t, x);
    ct_stmatrix_x4(tile + 512 + 8 * t, x);
    ct_stmatrix_x1_trans(tile + 768 + 8 * t, x);
    ct_stmatrix_x2_trans(tile + 1024 + 8 * t, x);
    ct_stmatrix_x4_trans(tile + 1280 + 8 * t, x);
    __syncthreads();
    for (int i = 0; i < 6; ++i) {
        ct_load_shared(x, tile + 256 * i + 8 * t, 128);
        ct_store_global(args.dst + 512 * i + 16 * t, x, 128);
    }
}
#endif

/* ---- kernels whose traffic is known ---------------------------------------------------------- */

/* One warp: 8 rows of 64 bytes, 512 bytes apart, in 16-byte loads. They lie side by side in shared
 * memory, of which a column of words is read, 4 rows of 128 bytes deep. */
CT_KERNEL(gk_traffic, copy_args, args)
{
    CT_SHARED(unsigned char, tile, 512);
    const int t = (int)threadIdx.x;
    CT_FRAGMENT(uint32_t, x, 4);
    ct_load_global(x, args.src + t / 4 * 512 + t % 4 * 16, 128);
    ct_store_shared(tile + 16 * t, x, 128);
    __syncthreads();
    uint32_t y = 0;
    ct_load_shared(&y, tile + t % 4 * 128 + t / 4 * 4, 32);
    y = __shfl_xor_sync(ALL_LANES, y, 1); /* every lane's load is needed */
    ct_store_global_if(t % 2, args.dst + 2 * t, &y, 16);
}

CT_KERNEL(gk_async_row, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    uint32_t x = 0;
    ct_cp_async_ca(tile + threadIdx.x, args.src + 4 * threadIdx.x, 4);
    ct_cp_async_wait_all();
    ct_load_shared(&x, tile + threadIdx.x, 32);
    ct_store_global(args.dst + 4 * threadIdx.x, &x, 32);
}

/* Half of a warp executes the load once more before the barrier; after it all do. */
CT_KERNEL(gk_realigned, copy_args, args)
{
    uint32_t x = 0, sum = 0;
    for (int i = 0; i < 2; ++i) {
        if (i == 1 || threadIdx.x < 16) ct_load_global(&x, args.src + 4 * threadIdx.x, 32);
        sum += x;
        __syncthreads();
    }
    ct_store_global(args.dst + 4 * threadIdx.x, &sum, 32);
}

/* More executions between two barriers than the grid keeps at a time. */
CT_KERNEL(gk_long, copy_args, args)
{
    uint32_t x = 0, sum = 0;
    for (int i = 0; i < args.n; ++i) {
        ct_load_global(&x, args.src + 4 * (i % 8 * 32 + threadIdx.x), 32);
        sum += x;
    }
    ct_store_global(args.dst + 4 * threadIdx.x, &sum, 32);
}

/* As many copies to shared memory. Their sides take turns to be a row and a column of banks, so that each
 * copy alone is a conflict of 32, and one side with that of the next copy none. */
CT_KERNEL(gk_long_async, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32 * 32);
    const int t = (int)threadIdx.x;
    for (int i = 0; i < args.n; ++i) {
        ct_cp_async_ca(tile + (i % 2 ? 32 * t : t), args.src + (i % 2 ? 4 * t : 128 * t), 4);
        ct_cp_async_wait_all();
    }
}

#if !defined(__CUDACC__)
/* What nobody may do, to see what the grid does: looks at shared memory behind its back. */
CT_KERNEL(gk_peek, copy_args, args)
{
    CT_SHARED(uint32_t, tile, 32);
    const int t = (int)threadIdx.x;
    uint32_t x = 0x11111111u;
    ct_store_shared(tile + t, &x, 32);
    ct_cp_async_ca(tile + t, args.src + 4 * t, 4);
    ct_cp_async_commit();
    ct_cp_async_wait_group(1);
    x = *(volatile uint32_t *)(tile + t);
    ct_store_global(args.dst + 8 * t, &x, 32);
    ct_cp_async_wait_group(0);
    x = *(volatile uint32_t *)(tile + t);
    ct_store_global(args.dst + 8 * t + 4, &x, 32);
}
#endif
