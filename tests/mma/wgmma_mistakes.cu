/* Kernels that multiply by wgmma. args.wrong: 0 for the kernel as it should be, otherwise which
 * mistake it makes. */
#include <cutlet/device/arch/bulk.h>
#include <cutlet/device/arch/cp_async.h>
#include <cutlet/device/element/element.h>
#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/arch/wgmma.h>
#include <cutlet/algebra/product.h>

#include "grid_args.h"

#define SS "SM90_64x8x16_F32F16F16_SS"
#define RS "SM90_64x8x16_F32F16F16_RS"
enum { A_BYTES = 64 * 16 * 2, B_BYTES = 8 * 16 * 2, D_WORDS = 4 };

/* This many rows of 16 halves, without a swizzle. */
CT_FN ct_tensor rows_of(int rows)
{
    const ct_layout lines = ct_layout2(8, 8, 8, 1);
    return ct_make_swizzled(ct_swizzle_none(), 0,
                            ct_tile_to_shape(lines, ct_tuple2(rows, 16), ct_tuple2(0, 1)));
}

CT_DEVICE uint64_t descriptor(const int operand, uint32_t address)
{
    CT_STATIC(ct_mma_descriptor, a,
              ct_make_mma_descriptor(rows_of(64), CT_MMA_A, ct_make_mma_atom(SS)));
    CT_STATIC(ct_mma_descriptor, b,
              ct_make_mma_descriptor(rows_of(8), CT_MMA_B, ct_make_mma_atom(SS)));
    return ct_mma_descriptor_step(ct_mma_descriptor_pack(operand == CT_MMA_A ? a : b), address);
}

/* Writes this many bytes of shared memory, but for the last `less`. */
CT_DEVICE void put_ones(unsigned char *to, int bytes, int less)
{
    const uint32_t ones = 0x3c003c00;
    for (int at = 4 * (int)threadIdx.x; at < bytes - less; at += 4 * 128)
        ct_store_shared(to + at, &ones, 32);
}

CT_DEVICE void put_result(unsigned char *to, const uint32_t *d)
{
    for (int i = 0; i < D_WORDS; ++i) ct_store_global(to + 16 * threadIdx.x + 4 * i, d + i, 32);
}

/* One product, what comes before it: 1 no wgmma.fence, 2 no fence after the stores, 3 a part of B
 * is not written, 4 no barrier, 5 a cp.async with no fence after it, 6 one that was not waited
 * for, 7 B begins past shared memory, 8 a descriptor of sm_100, 9 one warp has another, 10 one warp
 * is elsewhere, 11 one ends, 12 B lies in global memory, 13 one warp has another scale of D, 14 it
 * has committed a group. */
CT_KERNEL(wm_before, copy_args, args)
{
    CT_STATIC(ct_mma_op, op, ct_make_mma_atom(SS).op);
    CT_SHARED(unsigned char, a, A_BYTES);
    CT_SHARED(unsigned char, b, B_BYTES);
    CT_FRAGMENT(uint32_t, d, D_WORDS) = {0};
    const int wrong = args.wrong, is_last = threadIdx.x >= 96;
    put_ones(a, A_BYTES, 0);
    put_ones(b, B_BYTES, wrong == 3 ? 4 : 0);
    if (wrong != 2) ct_fence_async_shared();
    if (wrong != 4) __syncthreads();
    if (wrong == 5 || wrong == 6) {
        ct_cp_async_ca(a + 16 * threadIdx.x, args.src, 16);
        ct_cp_async_commit();
        if (wrong == 5) ct_cp_async_wait_group(0);
        __syncthreads();
    }
    uint64_t of_b = descriptor(CT_MMA_B, ct_shared_address(wrong == 12 ? args.src : b));
    if (wrong == 7) of_b = descriptor(CT_MMA_B, 200000);
    if (wrong == 8) of_b |= (uint64_t)1 << 46;
    if (wrong == 9 && is_last) of_b = ct_mma_descriptor_step(of_b, 16);
    if (wrong == 10 && is_last) __syncthreads();
    if (wrong == 11 && is_last) return;
    if (wrong == 14 && is_last) ct_wgmma_commit();
    if (wrong != 1) ct_wgmma_fence();
    ct_wgmma(&op, d, descriptor(CT_MMA_A, ct_shared_address(a)), of_b, wrong == 13 && is_last);
    ct_wgmma_commit();
    ct_wgmma_wait(0);
    ct_wgmma_done(d, D_WORDS);
    put_result(args.dst, d);
}

/* Two products, what comes after the first: 1 D is written before the wait, 2 read, 3 no commit, 4
 * no wait, 5 a wait for one group less, 6 an operand is written before the wait, 7 after a barrier
 * before it, 8 D is written after the wait, and no fence follows, 9 another instruction with the
 * same D, 10 A of registers is a D in flight, 11 the threads wait for different groups, 12 they
 * wait at different places, 13 D of one thread is written before the next product, 14 the next
 * product of one warp has another D, 15 D is stored before the wait, 16 D is read in C before the
 * wait: a copy, 17 a float, 18 a half, 19 by one thread, before the next product, 20 a copy is
 * stored. */
CT_KERNEL(wm_behind, copy_args, args)
{
    CT_STATIC(ct_mma_op, op, ct_make_mma_atom(SS).op);
    CT_STATIC(ct_mma_op, wide, ct_make_mma_atom("SM90_64x16x16_F32F16F16_SS").op);
    CT_STATIC(ct_mma_op, in_registers, ct_make_mma_atom(RS).op);
    CT_SHARED(unsigned char, a, A_BYTES);
    CT_SHARED(unsigned char, b, B_BYTES);
    CT_FRAGMENT(uint32_t, d, 2 * D_WORDS) = {0};
    CT_FRAGMENT(uint32_t, other, D_WORDS) = {0};
    const int wrong = args.wrong, is_last = threadIdx.x >= 96;
    float read = 0;
    put_ones(a, A_BYTES, 0);
    put_ones(b, B_BYTES, 0);
    ct_fence_async_shared();
    __syncthreads();
    const uint64_t of_a = descriptor(CT_MMA_A, ct_shared_address(a)),
                   of_b = descriptor(CT_MMA_B, ct_shared_address(b));
    ct_wgmma_fence();
    ct_wgmma(&op, d, of_a, of_b, 0);
    if (wrong == 1) d[2] = 7;
    if (wrong == 9) ct_wgmma(&wide, d, of_a, of_b, 0);
    if (wrong == 10) ct_wgmma(&in_registers, other, (const uint32_t *)d, of_b, 0);
    if (wrong == 13 && threadIdx.x == 127) d[3] = 1;
    if (wrong == 19 && threadIdx.x == 127) other[3] = d[3];
    ct_wgmma(&op, wrong == 14 && is_last ? other : d, of_a, of_b, 1);
    if (wrong != 3) ct_wgmma_commit();
    if (wrong == 7) __syncthreads();
    if ((wrong == 6 || wrong == 7) && threadIdx.x == 0) ct_store_shared(b, other, 32);
    if (wrong == 2) ct_wgmma_done(d, D_WORDS);
    if (wrong == 15) put_result(args.dst, d);
    if (wrong == 16 || wrong == 20) other[0] = d[1];
    if (wrong == 17) read = 2 * ct_get_float(d, 3) - 1;
    if (wrong == 18) read = -ct_get_half(d, 1);
    if (wrong == 20) put_result(args.dst, other);
    if (wrong == 4) return;
    if (wrong == 5) ct_wgmma_wait(1);
    else if (wrong == 11 && is_last) ct_wgmma_commit();
    if (wrong == 12 && is_last) ct_wgmma_wait(0);
    if (wrong != 5) ct_wgmma_wait(0);
    ct_wgmma_done(d, D_WORDS);
    if (wrong == 8) d[1] = 0;
    put_result(args.dst, d);
    ct_put_float(other, 1, read);
    if (wrong > 15) put_result(args.dst, other);
    ct_wgmma(&op, d, of_a, of_b, 1);
    ct_wgmma_commit();
    ct_wgmma_wait(0);
    ct_wgmma_done(d, D_WORDS);
    put_result(args.dst, d);
}

/* n products after a wait, and no second fence, for D and A are not written: 1 D is, before them, 2
 * between them, 3 A is, before them. */
CT_KERNEL(wm_again, copy_args, args)
{
    CT_STATIC(ct_mma_op, op, ct_make_mma_atom(SS).op);
    CT_STATIC(ct_mma_op, in_registers, ct_make_mma_atom(RS).op);
    CT_SHARED(unsigned char, a, A_BYTES);
    CT_SHARED(unsigned char, b, B_BYTES);
    CT_FRAGMENT(uint32_t, d, D_WORDS);
    CT_FRAGMENT(uint32_t, words, 4) = {0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00};
    const int wrong = args.wrong;
    put_ones(a, A_BYTES, 0);
    put_ones(b, B_BYTES, 0);
    ct_fence_async_shared();
    __syncthreads();
    const uint64_t of_a = descriptor(CT_MMA_A, ct_shared_address(a)),
                   of_b = descriptor(CT_MMA_B, ct_shared_address(b));
    ct_wgmma_fence();
    ct_wgmma(&in_registers, d, words, of_b, 0);
    ct_wgmma_commit();
    ct_wgmma_wait(0);
    if (wrong == 1 && threadIdx.x == 77) d[3] = 0;
    if (wrong == 3 && threadIdx.x == 77) words[3] = 0;
    for (int i = 0; i < args.n; ++i) {
        if (i % 2) ct_wgmma(&op, d, of_a, of_b, 1);
        else ct_wgmma(&in_registers, d, words, of_b, 1);
        if (wrong == 2 && threadIdx.x == 77) d[3] = 0;
    }
    ct_wgmma_commit();
    ct_wgmma_wait(0);
    ct_wgmma_done(d, D_WORDS);
    put_result(args.dst, d);
}

/* A of registers: 1 written before the wait, 2 after it, and no fence follows, 3 D of the next
 * product. */
CT_KERNEL(wm_registers, copy_args, args)
{
    CT_STATIC(ct_mma_op, op, ct_make_mma_atom(RS).op);
    CT_SHARED(unsigned char, b, B_BYTES);
    CT_FRAGMENT(uint32_t, a, 4) = {0, 0, 0, 0};
    CT_FRAGMENT(uint32_t, d, D_WORDS);
    CT_FRAGMENT(uint32_t, other, D_WORDS);
    const int wrong = args.wrong;
    put_ones(b, B_BYTES, 0);
    ct_fence_async_shared();
    __syncthreads();
    const uint64_t of_b = descriptor(CT_MMA_B, ct_shared_address(b));
    ct_wgmma_fence();
    ct_wgmma(&op, d, a, of_b, 0);
    ct_wgmma_commit();
    if (wrong == 1) a[3] = 0x3c003c00;
    if (wrong == 3) ct_wgmma(&op, a, other, of_b, 0);
    ct_wgmma_wait(0);
    a[0] = 0x3c003c00;
    if (wrong != 2) ct_wgmma_fence();
    ct_wgmma(&op, d, a, of_b, 1);
    ct_wgmma_commit();
    ct_wgmma_wait(0);
    ct_wgmma_done(d, D_WORDS);
    put_result(args.dst, d);
}

/* A warp brings B to two warpgroups, by bulk copies into two stages, n of them. Each product is in
 * flight while the one before is released, by a lane of each warp. 1: a stage is released before
 * its product is waited for, 2 one of the groups does not release, 3 nobody waits for a copy, 4 one
 * lane of each warp does, 5 a single lane releases for its group. */
CT_KERNEL(wm_stages, copy_args, args)
{
    CT_STATIC(ct_mma_op, op, ct_make_mma_atom(SS).op);
    CT_SHARED(unsigned char, a, A_BYTES);
    CT_SHARED(unsigned char, b, 2 * B_BYTES);
    CT_SHARED(uint64_t, bars, 4);
    CT_FRAGMENT(uint32_t, d, D_WORDS) = {0};
    uint64_t *const full = bars, *const empty = bars + 2;
    const int wrong = args.wrong, warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int releases = lane == 0 && (wrong != 2 || warp < 4) && (wrong != 5 || warp % 4 == 2);
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; ++i) {
            ct_mbarrier_init(full + i, 1);
            ct_mbarrier_init(empty + i, wrong == 2 ? 4 : wrong == 5 ? 2 : 8);
        }
        ct_fence_mbarrier_init();
    }
    if (threadIdx.x < 128) put_ones(a, A_BYTES, 0);
    ct_fence_async_shared();
    __syncthreads();
    if (warp == 8) {
        for (int i = 0; lane == 0 && i < args.n; ++i) {
            if (i >= 2) ct_mbarrier_wait(empty + i % 2, (i / 2 - 1) & 1);
            ct_mbarrier_arrive_expect(full + i % 2, B_BYTES);
            ct_bulk_load(b + i % 2 * B_BYTES, args.src, B_BYTES, full + i % 2);
        }
        return;
    }
    const uint64_t of_a = descriptor(CT_MMA_A, ct_shared_address(a)),
                   of_b = descriptor(CT_MMA_B, ct_shared_address(b));
    for (int i = 0; i < args.n; ++i) {
        if (wrong != 3 && (wrong != 4 || lane == 0)) ct_mbarrier_wait(full + i % 2, i / 2 & 1);
        ct_wgmma_fence();
        ct_wgmma(&op, d, of_a, ct_mma_descriptor_step(of_b, i % 2 * B_BYTES), 1);
        ct_wgmma_commit();
        if (wrong == 1 && releases) ct_mbarrier_arrive(empty + i % 2);
        ct_wgmma_wait(1);
        if (wrong != 1 && i > 0 && releases) ct_mbarrier_arrive(empty + (i - 1) % 2);
    }
    ct_wgmma_wait(0);
    ct_wgmma_done(d, D_WORDS);
    if (warp < 4) put_result(args.dst, d);
}

/* A warp brings A to the registers of a warpgroup, by bulk copies into two stages; a lane of each
 * warp releases a stage for its warp. 1: only the first warp releases, 2 only the last, 3 the lanes
 * have not met, nor waited for the product, 4 one lane waits for its warp. */
CT_KERNEL(wm_register_stages, copy_args, args)
{
    CT_STATIC(ct_mma_op, op, ct_make_mma_atom(RS).op);
    CT_SHARED(unsigned char, b, B_BYTES);
    CT_SHARED(unsigned char, stages, 2 * A_BYTES);
    CT_SHARED(uint64_t, bars, 4);
    CT_FRAGMENT(uint32_t, d, D_WORDS) = {0};
    CT_FRAGMENT(uint32_t, a, 4);
    uint64_t *const full = bars, *const empty = bars + 2;
    const int wrong = args.wrong, warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int one = wrong == 1 || wrong == 2, releases = !one || warp == (wrong == 1 ? 0 : 3);
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; ++i) {
            ct_mbarrier_init(full + i, 1);
            ct_mbarrier_init(empty + i, one ? 1 : 4);
        }
        ct_fence_mbarrier_init();
    }
    if (threadIdx.x < 128) put_ones(b, B_BYTES, 0);
    ct_fence_async_shared();
    __syncthreads();
    if (warp == 4) {
        for (int i = 0; lane == 0 && i < args.n; ++i) {
            if (i >= 2) ct_mbarrier_wait(empty + i % 2, (i / 2 - 1) & 1);
            ct_mbarrier_arrive_expect(full + i % 2, A_BYTES);
            ct_bulk_load(stages + i % 2 * A_BYTES, args.src, A_BYTES, full + i % 2);
        }
        return;
    }
    const uint64_t of_b = descriptor(CT_MMA_B, ct_shared_address(b));
    for (int i = 0; i < args.n; ++i) {
        const unsigned char *const own = stages + i % 2 * A_BYTES + 16 * (int)threadIdx.x;
        if (wrong != 4 || lane == 0) ct_mbarrier_wait(full + i % 2, i / 2 & 1);
        ct_load_shared(a, own, 128);
        if (wrong != 3) __syncwarp();
        if (lane == 0 && releases) ct_mbarrier_arrive(empty + i % 2);
        ct_wgmma_fence();
        ct_wgmma(&op, d, (const uint32_t *)a, of_b, 1);
        ct_wgmma_commit();
        ct_wgmma_wait(0);
    }
    ct_wgmma_done(d, D_WORDS);
    put_result(args.dst, d);
}

/* One of two groups stores to what both have read; they meet at the block's barrier or, where n is
 * 1, at an mbarrier. 1: they have not waited for the products, 2 they do not meet, so that the
 * other warps of the thread's own group may still read, 3 the threads arrive before they wait, 4 those of the other
 * group do. */
CT_KERNEL(wm_two_groups, copy_args, args)
{
    CT_STATIC(ct_mma_op, op, ct_make_mma_atom(SS).op);
    CT_SHARED(unsigned char, a, A_BYTES);
    CT_SHARED(unsigned char, b, B_BYTES);
    CT_SHARED(uint64_t, read, 1);
    CT_FRAGMENT(uint32_t, d, D_WORDS);
    const int wrong = args.wrong, is_first = threadIdx.x < 128;
    const int is_early = wrong == 3 || (wrong == 4 && is_first);
    if (is_first) put_ones(a, A_BYTES, 0);
    if (is_first) put_ones(b, B_BYTES, 0);
    if (threadIdx.x == 0) ct_mbarrier_init(read, 256);
    ct_fence_async_shared();
    __syncthreads();
    ct_wgmma_fence();
    ct_wgmma(&op, d, descriptor(CT_MMA_A, ct_shared_address(a)),
             descriptor(CT_MMA_B, ct_shared_address(b)), 0);
    ct_wgmma_commit();
    if (is_early) ct_mbarrier_arrive(read);
    if (wrong != 1) ct_wgmma_wait(0);
    if (!is_early) ct_mbarrier_arrive(read);
    if (args.n == 1 && !is_first) ct_mbarrier_wait(read, 0);
    if (args.n == 0 && wrong != 2) __syncthreads();
    if (threadIdx.x == 130) ct_store_shared(b, (const uint32_t *)(const void *)&args.n, 32);
    if (wrong == 1) ct_wgmma_wait(0);
}

/* Registers: 1 too few, 2 for one warp alone, 3 one warp asks for others. */
CT_KERNEL(wm_setmaxnreg, copy_args, args)
{
    if (args.wrong == 0) ct_setmaxnreg_inc(232);
    if (args.wrong == 2 && threadIdx.x < 32) ct_setmaxnreg_dec(24);
#if !defined(__CUDACC__)
    if (args.wrong == 1) ct_setmaxnreg_dec(20);
    if (args.wrong == 3) ct_setmaxnreg_inc(threadIdx.x < 32 ? 232 : 240);
#endif
}

#if !defined(__CUDACC__)

/* What a GPU's compiler refuses: instructions that there are not, a wait for too many groups. */
CT_KERNEL(wm_unknown, copy_args, args)
{
    CT_FRAGMENT(uint32_t, d, D_WORDS) = {0};
    const uint64_t none = 0;
    ct_mma_op op = ct_make_mma_atom(args.wrong == 4 ? RS : SS).op;
    if (args.wrong == 1) op.n = 12;
    if (args.wrong == 2) op = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN").op;
    if (args.wrong == 3)
        op = ct_wgmma_op(ct_make_mma_atom("SM90_64x8x32_S32S8S8_SS_TN"), CT_MMA_K_MAJOR,
                         CT_MMA_MN_MAJOR);
    op.sparse = args.wrong == 7;
    if (args.wrong == 7) op.k *= 2;
    if ((args.wrong >= 1 && args.wrong <= 4) || args.wrong == 7) ct_wgmma(&op, d, none, none, 0);
    if (args.wrong == 5) ct_wgmma(&op, d, (const uint32_t *)d, none, 0);
    if (args.wrong == 6) ct_wgmma_wait(8);
}

#endif
