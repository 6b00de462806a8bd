/**
 * The product of tiles by a tiled MMA: C += A B, where C is a register tensor, and A and B are register tensors or
 * stages of tensors in shared memory. One call is of universal_fma, mma.sync, wgmma or tcgen05.mma.
 *
 *     CT_STATIC(ct_gemm_partition, G, ct_make_gemm(mma, tile, in_a, in_b));
 *     CT_REGISTERS(float, c, ct_fragment_c(mma, tile_c));
 *     const ct_gemm_operand a = ct_gemm_a(&G, ct_view_shared(memory_a), threadIdx.x);       before the loop
 *     const ct_gemm_operand b = ct_gemm_b(&G, ct_view_shared(memory_b), threadIdx.x);
 *     for each stage:
 *         ct_gemm(&G, c, ct_gemm_stage(a, stage), ct_gemm_stage(b, stage), k > 0);   0: C = A B
 *         ct_gemm_wait(&G, 0);
 *     ct_gemm_done(&G, c);                                                   C may be read
 *
 * All threads of the tiled MMA call it. Fence, instructions along k and commit are inside. By wgmma a product runs beside the threads:
 * ct_gemm_wait(&G, n) waits for all but the newest n, a constant, and until then neither C nor an A in registers is
 * touched. ct_gemm_done keeps reads of C after the wait. By other instructions both do nothing.
 *
 * By mma.sync and universal_fma the call loads its operands to registers, those of a step along k while the step
 * before multiplies. It can be split, so that a kernel loads ahead across stages:
 *
 *     CT_REGISTERS(half, ra, ct_fragment_a(mma, tile_a));                    all steps
 *     ct_gemm_load(&G, ra, rb, a, b, step);                                  the fragments of a step
 *     ct_gemm_step(&G, c, ra, rb, step);                                     its instructions
 *
 * The product needs a constant G: of CT_STATIC, or CT_OF a plan.
 *
 * Fails:    A register tensor of another operand, type or tile is refused: when nvcc compiles the call, where it knows
 *           the tensor, and at the kernel's line on the CPU grid; as ct_wgmma, ct_mma and the copies.
 * Cost:     The instructions: own[0] own[1] own[2] of G. By wgmma an addition for each descriptor; by others the
 *           accesses of the copies.
 * In a kernel:
 *           // one warp, C (32,16): atoms of (16,8,8), two along each mode
 *           CT_STATIC(ct_tiled_mma, mma,
 *                     ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x8_F32F16F16F32_TN"),
 *                                       ct_layout1(1, 0), ct_tiler0()));
 *           CT_STATIC(ct_gemm_partition, G, ct_make_gemm(mma, ct_tuple3(32, 16, 8), ct_in_registers(),
 *                                                        ct_in_registers()));
 *           CT_REGISTERS(float, c, ct_fragment_c(mma, ct_tuple2(32, 16)));
 *           CT_REGISTERS(half, a, ct_fragment_a(mma, ct_tuple2(32, 8)));
 *           CT_REGISTERS(half, b, ct_fragment_b(mma, ct_tuple2(16, 8)));
 *           CT_EACH(i, a) ct_put(a, i, (float)(ct_coord(a, i, 1) == 0 ? ct_coord(a, i, 0) : 0));
 *           CT_EACH(i, b) ct_put(b, i, (float)(ct_coord(b, i, 1) == 0 ? ct_coord(b, i, 0) : 0));
 *           ct_gemm(&G, c, a, b, 0);
 *           CT_EACH(i, c) assert(ct_val(c, i) == (float)(ct_coord(c, i, 0) * ct_coord(c, i, 1)));
 * Used by:  examples/tutorial/mma.cu, examples/tutorial/wgmma.cu, tests/mma/gemm_calls.cu
 * Source:   NVIDIA, PTX ISA 9.0, mma and wgmma.mma_async.
 */
#ifndef CUTLET_DEVICE_MMA_GEMM_H
#define CUTLET_DEVICE_MMA_GEMM_H

#include "gemm_operand.h"
#include "gemm_steps.h"

#include <cutlet/device/arch/wgmma.h>

/** For each atom (i,j,k) of a thread's product, k slowest. */
#define CT_GEMM_EACH(g)                                                                            \
    CT_UNROLL for (int k = 0; k < (g)->own[2]; ++k)                                                \
        CT_UNROLL for (int j = 0; j < (g)->own[1]; ++j)                                            \
            CT_UNROLL for (int i = 0; i < (g)->own[0]; ++i)

#if defined(__CUDACC__)

template <const ct_gemm_partition &value, int number>
struct ct_static_type<ct_gemm_partition, value, number> {
    typedef ct_fixed<ct_gemm_partition, value, number> type;
};

#if CT_KNOWS
template <class G, int operand, int64_t held> struct ct_gemm_holds_in {
    static constexpr ct_error none = {};
    static constexpr ct_error e =
        held == CT_UNKNOWN
            ? none
            : ct_gemm_refusal(G::is(), operand, (int32_t)(held & 255), (int32_t)(held >> 24 & 511),
                              (uint32_t)(held >> 33) << 2);
    static constexpr bool yes = CT_FAILED_BY(e);
};
#endif
/** @internal Fails to compile if a register tensor is not an operand of a product. */
template <class G, int operand, class X> CT_DEVICE void ct_gemm_is_known(const X &)
{
#if CT_KNOWS
    static_assert(ct_gemm_holds_in<G, operand, ct_held_by((const X *)0)>::yes, "");
#endif
}

/** @internal A of an atom: its descriptor, or its words. */
CT_DEVICE uint64_t ct_gemm_atom_of(const ct_gemm_partition *g, const ct_gemm_operand a, const int i,
                                   const int k)
{
    return ct_gemm_descriptor(&g->a, a, k * g->own[0] + i);
}
CT_DEVICE const void *ct_gemm_atom_of(const ct_gemm_partition *g, const ct_registers a, const int i,
                                      const int k)
{
    return a.words + ct_gemm_word(g, CT_MMA_A, 0, 2, i, k);
}

/** @internal The product's instruction on descriptors, or on words of A. */
template <class G, class A>
CT_DEVICE void ct_gemm_by_groups(const G *g, uint32_t *c, const A &a, const ct_gemm_operand b,
                                 int add)
{
#if CT_HAS_WGMMA
    constexpr const ct_gemm_partition *is = G::is();
    typedef CT_WGMMA_OF(&is->op) op;
    ct_wgmma_fence();
    CT_GEMM_EACH(g)
    {
        uint32_t *const sum = c + ct_gemm_word(g, CT_MMA_C, 0, 1, i, j);
        const uint64_t of_b = ct_gemm_descriptor(&g->b, b, k * g->own[1] + j);
        ct_wgmma_by<op::words>::template call<op>(sum, ct_gemm_atom_of(g, a, i, k), of_b,
                                                  k > 0 ? 1 : add);
    }
    ct_wgmma_commit();
#endif
}
/** C += A B, or C = A B if `add` is 0. */
template <class G, class C>
CT_DEVICE void ct_gemm(const G *g, const C &c, const ct_gemm_operand a, const ct_gemm_operand b,
                       int add)
{
    ct_gemm_is_known<G, CT_MMA_C>(c);
    if constexpr (G::is()->op.kind == CT_MMA_WARPGROUP) ct_gemm_by_groups(g, c.words, a, b, add);
    else ct_gemm_by_loads(g, c, a, b, add);
}
template <class G, class C, class A> /* A in registers */
CT_DEVICE void ct_gemm(const G *g, const C &c, const A &a, const ct_gemm_operand b, int add)
{
    ct_gemm_is_known<G, CT_MMA_C>(c);
    ct_gemm_is_known<G, CT_MMA_A>(a);
    const ct_registers of_a = a;
    ct_gemm_by_groups(g, c.words, of_a, b, add);
}
template <class G, class C, class A, class B> /* both in registers */
CT_DEVICE void ct_gemm(const G *g, const C &c, const A &a, const B &b, int add)
{
    ct_gemm_is_known<G, CT_MMA_C>(c);
    ct_gemm_is_known<G, CT_MMA_A>(a);
    ct_gemm_is_known<G, CT_MMA_B>(b);
    ct_gemm_of_registers(g, c, a, b, add);
}

#else

/** @internal A or B of a product: a register tensor, or in shared memory. */
typedef struct ct_gemm_input {
    ct_registers held; /* .as is NULL in shared memory */
    ct_gemm_operand at;
} ct_gemm_input;
/** @internal An operand in registers. */
static inline ct_gemm_input ct_gemm_input_held(const ct_registers x)
{
    const ct_gemm_input r = {x, CT_ZERO};
    return r;
}
/** @internal An operand in shared memory. */
static inline ct_gemm_input ct_gemm_input_at(const ct_gemm_operand x)
{
    const ct_gemm_input r = {CT_ZERO, x};
    return r;
}
#define ct_gemm_input_of(x)                                                                        \
    _Generic((x), ct_registers : ct_gemm_input_held, ct_gemm_operand : ct_gemm_input_at)(x)

/** @internal By wgmma: A is described, or in words. */
static inline void ct_gemm_by_groups(const ct_gemm_partition *g, uint32_t *c,
                                     const ct_gemm_input *a, const ct_gemm_operand b, int add)
{
    ct_wgmma_fence();
    CT_GEMM_EACH(g)
    {
        uint32_t *const sum = c + ct_gemm_word(g, CT_MMA_C, 0, 1, i, j);
        const uint64_t of_b = ct_gemm_descriptor(&g->b, b, k * g->own[1] + j);
        const uint64_t of_a = ct_gemm_descriptor(&g->a, a->at, k * g->own[0] + i);
        const uint32_t *const words = a->held.words + ct_gemm_word(g, CT_MMA_A, 0, 2, i, k);
        if (a->held.as) ct_wgmma(&g->op, sum, words, of_b, k > 0 || add);
        else ct_wgmma(&g->op, sum, of_a, of_b, k > 0 || add);
    }
    ct_wgmma_commit();
}

/** C += A B, or C = A B if `add` is 0. */
static inline void ct_gemm(const ct_gemm_partition *g, const ct_registers c, const ct_gemm_input a,
                           const ct_gemm_input b, int add)
{
    CT_GEMM_REFUSE(g, CT_MMA_C, c);
    if (a.held.as) CT_GEMM_REFUSE(g, CT_MMA_A, a.held);
    if (b.held.as) CT_GEMM_REFUSE(g, CT_MMA_B, b.held);
    if (g->op.kind == CT_MMA_WARPGROUP) ct_gemm_by_groups(g, c.words, &a, b.at, add);
    else if (a.held.as && b.held.as) ct_gemm_of_registers(g, c, a.held, b.held, add);
    else ct_gemm_by_loads(g, c, a.at, b.at, add);
}
#define ct_gemm(g, c, a, b, add)                                                                   \
    CT_CALL(ct_gemm, g, c, ct_gemm_input_of(a), ct_gemm_input_of(b), add)

#endif

/** Waits for all but the newest n products, a constant. */
#if !CT_HAS_WGMMA
#define ct_gemm_wait(g, n) ((void)(g))
#else
#define ct_gemm_wait(g, n)                                                                         \
    do {                                                                                           \
        if ((g)->op.kind == CT_MMA_WARPGROUP) ct_wgmma_wait(n);                                    \
    } while (0)
#endif

/** After the wait: the words of C may be read. */
CT_DEVICE void ct_gemm_done(const ct_gemm_partition *g, const ct_registers c)
{
#if CT_HAS_WGMMA
    const int words = ct_type_words(c.type, c.as->count);
    if (g->op.kind == CT_MMA_WARPGROUP) ct_wgmma_done(c.words, words);
#endif
}

#define ct_gemm_done(...) CT_CALL(ct_gemm_done, __VA_ARGS__)

#endif
