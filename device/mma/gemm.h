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

#include <cutlet/mma/gemm_partition.h>

#include <cutlet/device/arch/mma_sync.h>
#include <cutlet/device/arch/warp.h>
#include <cutlet/device/arch/wgmma.h>
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/register/values.h>

/** A or B of a product in shared memory, as a thread's instructions read it. */
typedef struct ct_gemm_operand {
    uint32_t low;  /* of the descriptor of the thread's first atom */
    int32_t stage; /* to the next stage: in 16 bytes; without descriptors in bytes */
    ct_view part;  /* without descriptors: what the thread loads */
} ct_gemm_operand;

/** @internal From the atoms of the first warpgroup to those of a thread's, in 16 bytes. The last digit needs no mask. */
CT_DEVICE uint32_t ct_gemm_group(const ct_gemm_partition *g, const ct_gemm_side *s, uint32_t thread)
{
    uint32_t from = 0;
    CT_UNROLL for (int b = 0; b < 3; ++b)
    {
        const uint32_t group = thread >> (7 + b), digit = g->threads > 256 << b ? group & 1 : group;
        if (g->threads > 128 << b) from += digit * (uint32_t)s->group[b];
    }
    return from;
}

/** @internal The operand of a side. thread: the number of the thread in the tiled MMA. */
CT_DEVICE ct_gemm_operand ct_gemm_operand_of(const ct_gemm_partition *g, const ct_gemm_side *s,
                                             const ct_partition *load, const ct_view v,
                                             uint32_t thread)
{
    ct_gemm_operand r = {0, s->stage, v};
    CT_REFUSE("product", g->err);
    if (g->op.kind >= CT_MMA_WARPGROUP) {
        r.low = (uint32_t)ct_uniform((ct_shared_address(v.at) >> 4) + s->low +
                                     ct_gemm_group(g, s, thread));
    } else {
        r.stage = load->src.bytes;
        r.part = ct_view_src(load, v, thread);
    }
    return r;
}

/** A and B in shared memory, with all stages, for thread `thread` of the tiled MMA. Whole warps call it. */
CT_DEVICE ct_gemm_operand ct_gemm_a(const ct_gemm_partition *g, const ct_view v, uint32_t thread)
{
    return ct_gemm_operand_of(g, &g->a, &g->load_a, v, thread);
}
CT_DEVICE ct_gemm_operand ct_gemm_b(const ct_gemm_partition *g, const ct_view v, uint32_t thread)
{
    return ct_gemm_operand_of(g, &g->b, &g->load_b, v, thread);
}

/** Stage i of an operand. */
CT_DEVICE ct_gemm_operand ct_gemm_stage(ct_gemm_operand x, const int i)
{
    x.low += (uint32_t)(i * x.stage);
    x.part.at += i * x.stage;
    return x;
}

/** @internal The descriptor of an atom: a constant high word, and one addition. */
CT_DEVICE uint64_t ct_gemm_descriptor(const ct_gemm_side *s, const ct_gemm_operand x, const int i)
{
    return (uint64_t)s->high << 32 | (x.low + (uint32_t)s->step[i]);
}

/** @internal The element type of registers that hold an operand, CT_TYPE_...; 0: only its bits are fixed. */
CT_FN int32_t ct_gemm_type(int32_t type)
{
    return type == CT_MMA_F32    ? CT_TYPE_FLOAT
           : type == CT_MMA_TF32 ? CT_TYPE_FLOAT
           : type == CT_MMA_F16  ? CT_TYPE_HALF
           : type == CT_MMA_BF16 ? CT_TYPE_BFLOAT16
           : type == CT_MMA_E4M3 ? CT_TYPE_E4M3
           : type == CT_MMA_E5M2 ? CT_TYPE_E5M2
           : type == CT_MMA_S32  ? CT_TYPE_INT32
           : type == CT_MMA_S8   ? CT_TYPE_INT8
           : type == CT_MMA_U8   ? CT_TYPE_UINT8
           : type == CT_MMA_S4   ? CT_TYPE_INT4
           : type == CT_MMA_U4   ? CT_TYPE_UINT4
           : type == CT_MMA_F64  ? CT_TYPE_DOUBLE
                                 : 0;
}

/** @internal Why a register tensor is not operand CT_MMA_A, _B or _C of a product; CT_OK if it is. */
CT_FN ct_error ct_gemm_refusal(const ct_gemm_partition *g, int operand, int32_t type, int32_t count,
                               uint32_t hash)
{
    const ct_error none = CT_ZERO;
    const int32_t of = operand == CT_MMA_A ? g->op.a : operand == CT_MMA_B ? g->op.b : g->op.d;
    if (g->err.status) return g->err;
    if (g->count[operand] == 0)
        return ct_gemm_error(CT_WHY_MMA_OPERANDS, operand, CT_SPACE_REGISTERS, CT_SPACE_REGISTERS);
    if (ct_gemm_type(of) != type)
        return ct_gemm_error(CT_WHY_MMA_TYPE, operand, type, ct_gemm_type(of));
    if (g->count[operand] == count && g->hash[operand] >> 2 == hash >> 2) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_FRAGMENT, 0, count,
                         g->count[operand]);
}
#define CT_GEMM_REFUSE(g, operand, x)                                                              \
    CT_REFUSE("product", ct_gemm_refusal(g, operand, (x).type, (x).as->count, (x).as->hash))

/** @internal Where atom (i,j) of an operand begins in its words; a and b: the modes of i and j. */
CT_FN int32_t ct_gemm_word(const ct_gemm_partition *g, int operand, int a, int b, int i, int j)
{
    return ct_gemm_atom(i, j, g->in[a], g->in[b], g->own[a] / g->in[a]) * g->words[operand];
}

/* ---- mma.sync and universal_fma -------------------------------------------------------------- */

/** @internal The steps along k of a product, each a tile of the tiled MMA. */
CT_FN int32_t ct_gemm_steps_of(const ct_gemm_partition *g) { return g->own[2] / g->in[2]; }

/** @internal Loads the fragments of a step to words. */
CT_DEVICE void ct_gemm_load_words(const ct_gemm_partition *g, uint32_t *to_a, uint32_t *to_b,
                                  const ct_gemm_operand a, const ct_gemm_operand b, const int step)
{
    const int steps = ct_gemm_steps_of(g);
    (ct_copy_part)(&g->load_a, a.part, (ct_view_registers)(to_a), step, steps);
    (ct_copy_part)(&g->load_b, b.part, (ct_view_registers)(to_b), step, steps);
}

/** @internal One atom: sum += A B. */
CT_DEVICE void ct_gemm_one(const ct_gemm_partition *g, uint32_t *sum, const uint32_t *a,
                           const uint32_t *b)
{
    if (!ct_mma_floats(&g->op, sum, a, b, sum)) ct_mma(&g->op, sum, a, b, sum);
}

/** @internal The instructions of a step, of words. */
CT_DEVICE void ct_gemm_step_words(const ct_gemm_partition *g, uint32_t *c, const uint32_t *a,
                                  const uint32_t *b, const int step)
{
    const int tiles_m = g->own[0] / g->in[0], tiles_n = g->own[1] / g->in[1];
    CT_UNROLL for (int n = 0; n < tiles_n; ++n) CT_UNROLL for (int x = 0; x < tiles_m; ++x)
    {
        const int m = n % 2 ? tiles_m - 1 - x : x;
        CT_UNROLL for (int k = 0; k < g->in[2]; ++k) CT_UNROLL for (int j = 0; j < g->in[1]; ++j)
            CT_UNROLL for (int i = 0; i < g->in[0]; ++i)
        {
            const int at_m = m * g->in[0] + i, at_n = n * g->in[1] + j, at_k = step * g->in[2] + k;
            ct_gemm_one(g, c + ct_gemm_word(g, CT_MMA_C, 0, 1, at_m, at_n),
                        a + ct_gemm_word(g, CT_MMA_A, 0, 2, at_m, at_k),
                        b + ct_gemm_word(g, CT_MMA_B, 1, 2, at_n, at_k));
        }
    }
}

/** Loads the fragments of a step along k, one tile of the tiled MMA, to where they are in all of A's and B's. */
CT_DEVICE void ct_gemm_load(const ct_gemm_partition *g, const ct_registers to_a,
                            const ct_registers to_b, const ct_gemm_operand a,
                            const ct_gemm_operand b, const int step)
{
    CT_GEMM_REFUSE(g, CT_MMA_A, to_a);
    CT_GEMM_REFUSE(g, CT_MMA_B, to_b);
    ct_gemm_load_words(g, to_a.words, to_b.words, a, b, step);
}

/** The instructions of a step along k, for all tiles of C. Each step along n reverses the direction along m, so that
 *  consecutive instructions share a fragment. */
CT_DEVICE void ct_gemm_step(const ct_gemm_partition *g, const ct_registers c, const ct_registers a,
                            const ct_registers b, const int step)
{
    CT_GEMM_REFUSE(g, CT_MMA_C, c);
    CT_GEMM_REFUSE(g, CT_MMA_A, a);
    CT_GEMM_REFUSE(g, CT_MMA_B, b);
    ct_gemm_step_words(g, c.words, a.words, b.words, step);
}

/** @internal A product of operands in registers. */
CT_DEVICE void ct_gemm_of_registers(const ct_gemm_partition *g, const ct_registers c,
                                    const ct_registers a, const ct_registers b, int add)
{
    if (!add) ct_clear(c);
    CT_UNROLL for (int k = 0; k < ct_gemm_steps_of(g); ++k)
        ct_gemm_step_words(g, c.words, a.words, b.words, k);
}

/** @internal A product of operands in shared memory. The arrays have the words of any product: nvcc drops what is not
 *  used. */
CT_DEVICE void ct_gemm_by_loads(const ct_gemm_partition *g, const ct_registers c,
                                const ct_gemm_operand a, const ct_gemm_operand b, int add)
{
    const int steps = ct_gemm_steps_of(g);
    CT_FRAGMENT(uint32_t, words_a, CT_VALUES);
    CT_FRAGMENT(uint32_t, words_b, CT_VALUES);
    if (!add) ct_clear(c);
    ct_gemm_load_words(g, words_a, words_b, a, b, 0);
    CT_UNROLL for (int k = 0; k < steps; ++k)
    {
        if (k + 1 < steps) ct_gemm_load_words(g, words_a, words_b, a, b, k + 1);
        ct_gemm_step_words(g, c.words, words_a, words_b, k);
    }
}

/* ---- wgmma ----------------------------------------------------------------------------------- */

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

#define ct_gemm_a(...) CT_CALL(ct_gemm_a, __VA_ARGS__)
#define ct_gemm_b(...) CT_CALL(ct_gemm_b, __VA_ARGS__)
#define ct_gemm_load(...) CT_CALL(ct_gemm_load, __VA_ARGS__)
#define ct_gemm_step(...) CT_CALL(ct_gemm_step, __VA_ARGS__)
#define ct_gemm_done(...) CT_CALL(ct_gemm_done, __VA_ARGS__)

#endif
