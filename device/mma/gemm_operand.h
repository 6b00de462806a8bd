/**
 * The operands of a product of tiles (gemm.h): A or B in shared memory as a thread's instructions read it, and the
 * test whether a register tensor is A, B or C.
 *
 * An operand is made once, before the loop: by wgmma a descriptor's low word, by other instructions the thread's
 * part. A stage is then one addition, and an atom one more: its steps are constants of the layout.
 *
 * Fails:    ct_gemm_a and ct_gemm_b refuse a failed product on the CPU grid.
 * Cost:     ct_gemm_a and ct_gemm_b: a few instructions for each digit of the warpgroup's number.
 * In a kernel:
 *           // one warp, A and B (16,8) in shared memory: two stages, 256 bytes apart
 *           CT_STATIC(ct_tiled_mma, mma,
 *                     ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x8_F32F16F16F32_TN"),
 *                                       ct_layout1(1, 0), ct_tiler0()));
 *           CT_STATIC(ct_tensor, rows, ct_make_tensor(ct_layout3(16, 8, 2, 8, 1, 128)));
 *           CT_STATIC(ct_gemm_partition, G, ct_make_gemm(mma, ct_tuple3(16, 16, 8), ct_in_shared(rows),
 *                                                        ct_in_shared(rows)));
 *           CT_SHARED(uint16_t, memory, 256);
 *           const ct_gemm_operand a = ct_gemm_a(&G, ct_view_shared(memory), threadIdx.x);
 *           const ct_gemm_operand b = ct_gemm_b(&G, ct_view_shared(memory), threadIdx.x);
 *           assert(ct_gemm_stage(a, 1).part.at == a.part.at + 256 && b.stage == 256);
 * Source:   NVIDIA, PTX ISA 9.0, matrix descriptors of wgmma.
 */
#ifndef CUTLET_DEVICE_MMA_GEMM_OPERAND_H
#define CUTLET_DEVICE_MMA_GEMM_OPERAND_H

#include <cutlet/mma/gemm_partition.h>

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

#define ct_gemm_a(...) CT_CALL(ct_gemm_a, __VA_ARGS__)
#define ct_gemm_b(...) CT_CALL(ct_gemm_b, __VA_ARGS__)

#endif
