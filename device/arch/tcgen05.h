/**
 * Matrix instructions of one or two blocks, tcgen05, sm_100a: D = A * B + D or D = A * B, with D in
 * tensor memory. This is compiled and its generated code is checked; it has not been run.
 *
 *     CT_STATIC(ct_mma_op, op, ct_make_mma_atom("SM100_128x256x16_F32F16F16_SS").op);
 *     if (WARP == 0) ct_tmem_alloc(&op, &slot, 256);  // a warp; writes the address to slot
 *     __syncthreads();
 *     if (ONE_THREAD) {
 *         ct_tcgen05_mma(&op, slot, a_packed, b_packed, 0);   // 0: D = A * B
 *         ct_tcgen05_commit(&op, &bar);                 // arrives when all MMAs before it are done
 *     }
 *     ct_mbarrier_wait(&bar, 0);
 *     ct_tcgen05_after();
 *     ct_tmem_load(words, slot + lane_of_warp + column, 32);  // a warp: 32 columns of its 32 lanes
 *     ct_tmem_wait_load();
 *     if (WARP == 0) ct_tmem_free(&op, slot, 256);
 *
 * One thread issues an instruction for its block, or one thread of the first block for a pair. A
 * and B are in shared memory, given by packed descriptors of mma_descriptor.h. A of an atom TS is
 * in tensor memory, and a is its address. An address in tensor memory has a lane in the upper 16
 * bits and a 32-bit column in the lower. Warp w of a warpgroup accesses lanes 32 w to 32 w + 31.
 *
 *     ct_tmem_alloc(op, slot, columns)
 *           Allocates `columns` columns of tensor memory, a power of two from 32 to 512, and writes
 *           their address to slot in shared memory. A whole warp calls it.
 *     ct_tmem_free(op, address, columns)
 *           Frees `columns` columns at an address of ct_tmem_alloc, before the kernel exits. A
 *           whole warp calls it.
 *     ct_tmem_relinquish(op)
 *           Promises that this block allocates no more tensor memory. A whole warp calls it.
 *     ct_tcgen05_mma(op, d, a, b, scale_d)
 *           D = A * B + D, or D = A * B if scale_d is 0. d is an address in tensor memory, a and b
 *           are packed descriptors, or a is an address.
 *     ct_tcgen05_commit(op, bar)
 *           Arrives at the mbarrier bar when all earlier tcgen05 instructions of this thread are
 *           done.
 *     ct_tmem_load(words, address, columns)
 *           Loads `columns` columns, a constant multiple of 8, of each lane of the warp into its
 *           words.
 *     ct_tmem_wait_load()
 *           Waits until the words of the thread's loads from tensor memory are there.
 *     ct_tcgen05_before()
 *           Fence before a thread barrier that orders tcgen05 instructions.
 *     ct_tcgen05_after()
 *           Fence after a thread barrier that orders tcgen05 instructions.
 *
 * op is a constant: of its instruction, one or two blocks. CT_HAS_TCGEN05 says whether this is
 * available.
 *
 * Fails:    The CPU grid ends the launch at a call. A GPU checks nothing.
 * Cost:     One instruction each, of one thread or of a warp; ct_tmem_load is one for each eight
 *           columns, 32 bytes per lane. D stays in tensor memory: a sum takes no registers.
 * Used by:  tests/codegen/tcgen05.cu, whose generated code the tests check
 * Source:   NVIDIA, PTX ISA 9.0, tcgen05.
 */
#ifndef CUTLET_DEVICE_ARCH_TCGEN05_H
#define CUTLET_DEVICE_ARCH_TCGEN05_H

#include <cutlet/mma/mma_descriptor_bits.h>
#include <cutlet/mma/mma_instruction.h>

#include <cutlet/device/arch/mbarrier.h>

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM100_ALL)
#define CT_HAS_TCGEN05 1
#else
#define CT_HAS_TCGEN05 0
#endif

#if !defined(__CUDACC__)

#define CT_TCGEN05_LACKS(what) ct_grid_lacks(CT_GRID_SITE, what)
#define ct_tmem_alloc(op, slot, columns)                                                           \
    ((void)(op), (void)(slot), (void)(columns), CT_TCGEN05_LACKS("tcgen05.alloc"))
#define ct_tmem_free(op, address, columns)                                                         \
    ((void)(op), (void)(address), (void)(columns), CT_TCGEN05_LACKS("tcgen05.dealloc"))
#define ct_tmem_relinquish(op) ((void)(op), CT_TCGEN05_LACKS("tcgen05.relinquish_alloc_permit"))
#define ct_tmem_load(words, address, columns)                                                      \
    ((void)(words), (void)(address), (void)(columns), CT_TCGEN05_LACKS("tcgen05.ld"))
#define ct_tmem_wait_load() CT_TCGEN05_LACKS("tcgen05.wait")
#define ct_tcgen05_mma(op, d, a, b, scale_d)                                                       \
    ((void)(op), (void)(d), (void)(a), (void)(b), (void)(scale_d), CT_TCGEN05_LACKS("tcgen05.mma"))
#define ct_tcgen05_commit(op, bar) ((void)(op), (void)(bar), CT_TCGEN05_LACKS("tcgen05.commit"))
#define ct_tcgen05_before() CT_TCGEN05_LACKS("tcgen05.fence")
#define ct_tcgen05_after() CT_TCGEN05_LACKS("tcgen05.fence")

#elif CT_HAS_TCGEN05

/* One instruction for a block, another for a pair of blocks. A kernel uses only one of them. */
#define CT_TCGEN05_BY_BLOCKS(before, behind, ...)                                                  \
    do {                                                                                           \
        if (op->blocks == 1) asm volatile(before "cta_group::1" behind __VA_ARGS__);               \
        else asm volatile(before "cta_group::2" behind __VA_ARGS__);                               \
    } while (0)

CT_DEVICE void ct_tmem_alloc(const ct_mma_op *op, uint32_t *slot, uint32_t columns)
{
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(slot);
    CT_TCGEN05_BY_BLOCKS("tcgen05.alloc.", ".sync.aligned.shared::cta.b32 [%0], %1;", ::"r"(at),
                         "r"(columns)
                         : "memory");
}

CT_DEVICE void ct_tmem_free(const ct_mma_op *op, uint32_t address, uint32_t columns)
{
    CT_TCGEN05_BY_BLOCKS("tcgen05.dealloc.", ".sync.aligned.b32 %0, %1;", ::"r"(address),
                         "r"(columns));
}

CT_DEVICE void ct_tmem_relinquish(const ct_mma_op *op)
{
    CT_TCGEN05_BY_BLOCKS("tcgen05.relinquish_alloc_permit.", ".sync.aligned;", ::);
}

CT_DEVICE void ct_tcgen05_before(void)
{
    asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}
CT_DEVICE void ct_tcgen05_after(void)
{
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}
CT_DEVICE void ct_tmem_wait_load(void)
{
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}

/** @internal Loads eight columns. A longer load is several of these, which the hardware executes in
 *  turn. */
CT_DEVICE void ct_tmem_load_8(uint32_t *w, uint32_t address)
{
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]), "=r"(w[4]), "=r"(w[5]),
                   "=r"(w[6]), "=r"(w[7])
                 : "r"(address));
}

CT_DEVICE void ct_tmem_load(uint32_t *words, uint32_t address, const int columns)
{
    CT_UNROLL for (int i = 0; i < columns; i += 8) ct_tmem_load_8(words + i, address + (uint32_t)i);
}

/* The instruction of a kind, for one block or two: kind::f16, tf32, f8f6f4, i8. */
#define CT_TCGEN05_ISSUE(group, kind, A, ...)                                                      \
    asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %4, 0;\n"                                     \
                 " tcgen05.mma.cta_group::" group ".kind::" kind " [%0], " A                       \
                 ", %2, %3, p;\n }" ::"r"(d),                                                      \
                 __VA_ARGS__, "l"(b), "r"(bits), "r"(scale_d)                                      \
                 : "memory")
#define CT_TCGEN05_BY_KIND(group, ...)                                                             \
    do {                                                                                           \
        if (type == CT_MMA_TF32) CT_TCGEN05_ISSUE(group, "tf32", __VA_ARGS__);                     \
        else if (type == CT_MMA_F16 || type == CT_MMA_BF16)                                        \
            CT_TCGEN05_ISSUE(group, "f16", __VA_ARGS__);                                           \
        else if (type == CT_MMA_S8 || type == CT_MMA_U8)                                           \
            CT_TCGEN05_ISSUE(group, "i8", __VA_ARGS__);                                            \
        else CT_TCGEN05_ISSUE(group, "f8f6f4", __VA_ARGS__);                                       \
    } while (0)

CT_DEVICE void ct_tcgen05_mma(const ct_mma_op *op, uint32_t d, uint64_t a, uint64_t b, int scale_d)
{
    const uint32_t bits = ct_make_mma_instruction(*op).bits;
    const int type = op->a, in_shared = op->a_from == CT_MMA_SHARED;
    if (in_shared && op->blocks == 1) CT_TCGEN05_BY_KIND("1", "%1", "l"(a));
    else if (in_shared) CT_TCGEN05_BY_KIND("2", "%1", "l"(a));
    else if (op->blocks == 1) CT_TCGEN05_BY_KIND("1", "[%1]", "r"((uint32_t)a));
    else CT_TCGEN05_BY_KIND("2", "[%1]", "r"((uint32_t)a));
}

CT_DEVICE void ct_tcgen05_commit(const ct_mma_op *op, uint64_t *bar)
{
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(bar);
    CT_TCGEN05_BY_BLOCKS("tcgen05.commit.", ".mbarrier::arrive::one.shared::cluster.b64 [%0];",
                         ::"r"(at)
                         : "memory");
}

#endif

#endif
