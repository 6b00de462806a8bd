/**
 * Products of tiles by mma.sync and universal_fma, a step along k at a time (gemm.h calls them). A step is one tile of
 * the tiled MMA along k: ct_gemm_load has its fragments, ct_gemm_step its instructions.
 *
 *     CT_REGISTERS(half, ra, ct_fragment_a(mma, tile_a));                    all steps
 *     ct_gemm_load(&G, ra, rb, a, b, step);
 *     ct_gemm_step(&G, c, ra, rb, step);
 *
 * Fails:    A register tensor of another operand, type or tile is refused at the kernel's line on the CPU grid; as
 *           ct_mma and the copies.
 * Cost:     The accesses of the copies, the instructions of ct_make_gemm.
 * In a kernel:
 *           // one warp, C (16,8) of A (16,16) and B (8,16): two steps along k
 *           CT_STATIC(ct_tiled_mma, mma,
 *                     ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x8_F32F16F16F32_TN"),
 *                                       ct_layout1(1, 0), ct_tiler0()));
 *           CT_STATIC(ct_gemm_partition, G, ct_make_gemm(mma, ct_tuple3(16, 8, 16), ct_in_registers(),
 *                                                        ct_in_registers()));
 *           CT_REGISTERS(float, c, ct_fragment_c(mma, ct_tuple2(16, 8)));
 *           CT_REGISTERS(half, a, ct_fragment_a(mma, ct_tuple2(16, 16)));
 *           CT_REGISTERS(half, b, ct_fragment_b(mma, ct_tuple2(8, 16)));
 *           ct_clear(c);
 *           CT_EACH(i, a) ct_put(a, i, (float)ct_coord(a, i, 1)); // the column
 *           CT_EACH(i, b) ct_put(b, i, 1);
 *           ct_gemm_step(&G, c, a, b, 1);                         // columns 8 to 15 of A
 *           CT_EACH(i, c) assert(ct_val(c, i) == 92);
 * Used by:  device/gemm/mma_sync.cu, tests/mma/gemm_calls.cu
 * Source:   NVIDIA, PTX ISA 9.0, mma.
 */
#ifndef CUTLET_DEVICE_MMA_GEMM_STEPS_H
#define CUTLET_DEVICE_MMA_GEMM_STEPS_H

#include "gemm_operand.h"

#include <cutlet/device/arch/mma_sync.h>

/** @internal The steps along k of a product, each a tile of the tiled MMA. */
CT_FN int32_t ct_gemm_steps_of(const ct_gemm_partition *g) { return g->own[2] / g->in[2]; }

/** @internal The register that receives word w of the loads of an operand. */
CT_FN int32_t ct_copy_word(const ct_partition *P, int32_t w)
{
    const int32_t words = P->elem_bits / 32; /* of an element; shorter elements keep their order */
    return P->permuted ? P->back[w / words] * words + w % words : w;
}

/** @internal Executes the accesses [first, end) of a thread from shared memory to registers. Those of less than a word
 *  are packed; a word is then of one part. */
CT_DEVICE void ct_copy_loads(const ct_partition *P, const ct_view *from, const ct_view *to,
                             const int first, const int end)
{
    const int words = ct_access_words(P, &P->src), bytes = ct_access_bytes(P, &P->src);
    uint32_t *const out = (uint32_t *)to->at;
    CT_UNROLL for (int i = first; i < end; ++i)
    {
        CT_FRAGMENT(uint32_t, in, 8);
        const int shift = i * bytes % 4 * 8, word = i * bytes / 4;
        if (bytes < 4) in[0] = 0;
        ct_load(CT_SPACE_SHARED, in, ct_access_in_shared(P, &P->src, from, i), bytes);
        if (bytes < 4) out[word] = (shift > 0 ? out[word] : 0) | in[0] << shift;
        else CT_UNROLL for (int w = 0; w < words; ++w) out[ct_copy_word(P, i * words + w)] = in[w];
    }
}

/** @internal Loads the fragments of step `step` of `steps` to where they are in all of the operand's words. The
 *  accesses of a thread are in order, the last axis of the tile slowest; ct_make_gemm takes only copies of which a
 *  step has consecutive ones. */
CT_DEVICE void ct_gemm_load_words(const ct_partition *P, uint32_t *words, const ct_view src,
                                  const int step, const int steps)
{
    const ct_view dst = (ct_view_registers)(words);
    CT_REFUSE("product", ct_copy_refusal(P, &src, &dst));
    CT_REFUSE("product", ct_sides_refusal(P, &src, &dst));
    const ct_view from = ct_view_src(P, src, threadIdx.x), to = ct_view_dst(P, dst, threadIdx.x);
    const int n = P->src.accesses / steps;
    if (ct_atom_is_matrix(P->atom)) ct_copy_matrices(P, &from, &to, step * n, step * n + n);
    else ct_copy_loads(P, &from, &to, step * n, step * n + n);
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
    ct_gemm_load_words(&g->load_a, to_a.words, a.part, step, ct_gemm_steps_of(g));
    ct_gemm_load_words(&g->load_b, to_b.words, b.part, step, ct_gemm_steps_of(g));
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
    CT_UNROLL for (int k = 0; k <= steps; ++k)
    {
        if (k < steps) ct_gemm_load_words(&g->load_a, words_a, a.part, k, steps);
        if (k < steps) ct_gemm_load_words(&g->load_b, words_b, b.part, k, steps);
        if (k > 0) ct_gemm_step_words(g, c.words, words_a, words_b, k - 1);
    }
}

#define ct_gemm_load(...) CT_CALL(ct_gemm_load, __VA_ARGS__)
#define ct_gemm_step(...) CT_CALL(ct_gemm_step, __VA_ARGS__)

#endif
