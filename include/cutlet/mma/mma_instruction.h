/**
 * The instruction descriptor of tcgen05.mma: the 32-bit number with its types, the contiguous modes
 * of A and B, and its shape. The operands have matrix descriptors (mma_descriptor.h).
 */
#ifndef CUTLET_MMA_MMA_INSTRUCTION_H
#define CUTLET_MMA_MMA_INSTRUCTION_H

#include <cutlet/mma/mma_op.h>

/** @internal The number of a type in a descriptor, which depends on the kind of instruction. -1: no
 * kind has it. */
CT_FN int32_t ct_mma_type_number(int32_t type)
{
    switch (type) {
        case CT_MMA_F16:
        case CT_MMA_E4M3:
        case CT_MMA_U8: return 0;
        case CT_MMA_BF16:
        case CT_MMA_E5M2:
        case CT_MMA_S8: return 1;
        case CT_MMA_TF32: return 2;
        case CT_MMA_E2M3: return 3;
        case CT_MMA_E3M2: return 4;
        case CT_MMA_E2M1: return 5;
        default: return -1;
    }
}

/** An instruction descriptor. */
typedef struct ct_mma_instruction {
    ct_error err;
    uint32_t bits;
} ct_mma_instruction;

/**
 * The instruction descriptor of an instruction of tcgen05.mma.
 *
 * Fails:    CT_E_ARGUMENT for other instructions, for sparse ones, and for those whose A and B are
 *           scaled.
 * Cost:     O(1).
 * In C:     const ct_mma_op op = ct_mma_op_named("SM100_128x256x16_F32F16F16_SS");
 *           const ct_mma_instruction d = ct_make_mma_instruction(op);
 *           assert(d.bits == (1u << 4 | (256u >> 3) << 17 | (128u >> 4) << 24)); // D, n, m
 *           const ct_mma_op other = ct_mma_op_named("SM90_64x128x16_F32F16F16_SS");
 *           assert(ct_make_mma_instruction(other).err.status == CT_E_ARGUMENT);
 * Source:   PTX ISA 9.0, tcgen05, "Instruction descriptor".
 */
CT_FN ct_mma_instruction ct_make_mma_instruction(ct_mma_op op)
{
    ct_mma_instruction r = CT_ZERO;
    const int32_t a = ct_mma_type_number(op.a), b = ct_mma_type_number(op.b);
    const int32_t d = op.d == CT_MMA_F16 ? 0 : op.d == CT_MMA_F32 ? 1 : op.d == CT_MMA_S32 ? 2 : -1;
    const int scaled = op.form == CT_MMA_SCALED || op.form == CT_MMA_SCALED_16;
    if (op.kind != CT_MMA_BLOCK || op.sparse || scaled || a < 0 || b < 0 || d < 0) {
        r.err = ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_ATOM, CT_WHY_MMA_INSTRUCTION, 0, 0, 0);
        r.err.other = op.arch;
        return r;
    }
    const uint32_t a_transposed = op.major == CT_MMA_NT || op.major == CT_MMA_NN;
    const uint32_t b_transposed = op.major == CT_MMA_NT || op.major == CT_MMA_TT;
    r.bits = CT_CAST(uint32_t, op.form == CT_MMA_SATURATE) << 3 | CT_CAST(uint32_t, d) << 4 |
             CT_CAST(uint32_t, a) << 7 | CT_CAST(uint32_t, b) << 10 | a_transposed << 15 |
             b_transposed << 16 | CT_CAST(uint32_t, op.n >> 3) << 17 |
             CT_CAST(uint32_t, op.m >> 4) << 24;
    return r;
}

#endif
