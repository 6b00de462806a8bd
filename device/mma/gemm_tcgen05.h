/**
 * The product of tiles by tcgen05.mma, sm_100a: C += A B, where C is in tensor memory, and A and B are stages of tensors in
 * shared memory. This is compiled and its generated code is checked; it has not been run.
 *
 *     CT_STATIC(ct_gemm_partition, G, ct_make_gemm(mma, tile, in_a, in_b));   one instruction along m and n
 *     const ct_tensor_memory c = ct_make_tensor_memory(slot[0]);              of ct_tmem_alloc
 *     const ct_gemm_operand a = ct_gemm_a(&G, ct_view_shared(memory_a), 0);   whole warps
 *     if (ONE_THREAD) {
 *         ct_gemm(&G, c, ct_gemm_stage(a, stage), ct_gemm_stage(b, stage), k > 0);
 *         ct_gemm_arrive(&G, bar);              bar: when all products before it are done
 *     }
 *
 * One thread issues the product; its instructions along k are executed in order. The stage is free, and C may be loaded
 * (ct_tmem_load), after the arrival at the mbarrier.
 *
 * Fails:    The CPU grid ends the launch at a call: it has no tensor memory. A GPU checks nothing.
 * Cost:     own[2] instructions of one thread; sums take no registers.
 * Used by:  tests/codegen/tcgen05_gemm.cu
 * Source:   NVIDIA, PTX ISA 9.0, tcgen05.mma and tcgen05.commit.
 */
#ifndef CUTLET_DEVICE_MMA_GEMM_TCGEN05_H
#define CUTLET_DEVICE_MMA_GEMM_TCGEN05_H

#include <cutlet/device/arch/tcgen05.h>
#include <cutlet/device/mma/gemm.h>

/** A matrix of sums in tensor memory, from this address on. */
typedef struct ct_tensor_memory {
    uint32_t address;
} ct_tensor_memory;

/** The matrix at an address of ct_tmem_alloc. */
CT_DEVICE ct_tensor_memory ct_make_tensor_memory(uint32_t address)
{
    const ct_tensor_memory c = {address};
    return c;
}

#if defined(__CUDACC__)

#if CT_HAS_TCGEN05
/** C += A B, or C = A B if `add` is 0, by one thread. */
template <class G>
CT_DEVICE void ct_gemm(const G *g, const ct_tensor_memory &c, const ct_gemm_operand a,
                       const ct_gemm_operand b, int add)
{
    static_assert(G::is()->op.kind == CT_MMA_BLOCK, "sums in tensor memory are of tcgen05.mma");
    CT_UNROLL for (int k = 0; k < g->own[2]; ++k)
        ct_tcgen05_mma(&g->op, c.address, ct_gemm_descriptor(&g->a, a, k),
                       ct_gemm_descriptor(&g->b, b, k), k > 0 ? 1 : add);
}

/** Arrives at an mbarrier when all products that this thread issued before are done. */
CT_DEVICE void ct_gemm_arrive(const ct_gemm_partition *g, uint64_t *bar)
{
    ct_tcgen05_commit(&g->op, bar);
}
#endif

#else

/** @internal C of a product: a register tensor, or in tensor memory, which the CPU grid lacks. */
static inline ct_registers ct_gemm_sums_held(const ct_registers c) { return c; }
static inline ct_registers ct_gemm_sums_far(const ct_tensor_memory c)
{
    const ct_registers none = CT_ZERO;
    (void)c;
    CT_TCGEN05_LACKS("tcgen05.mma");
    return none;
}
#undef ct_gemm
#define ct_gemm(g, c, a, b, add)                                                                   \
    CT_CALL(ct_gemm, g,                                                                            \
            _Generic((c), ct_registers                                                             \
                     : ct_gemm_sums_held, ct_tensor_memory                                         \
                     : ct_gemm_sums_far)(c),                                                       \
            ct_gemm_input_of(a), ct_gemm_input_of(b), add)
#define ct_gemm_arrive(g, bar) ct_tcgen05_commit(&(g)->op, bar)

#endif

#endif
