/**
 * Matrix instructions by their fields: the kind of instruction, the shape, the element types, and
 * where the operands come from. D = A * B + C, with A (m,k), B (n,k), and C and D (m,n).
 */
#ifndef CUTLET_MMA_MMA_OP_H
#define CUTLET_MMA_MMA_OP_H

#include <cutlet/algebra/base.h>

/** The element types of an MMA, as CuTe's names write them. */
enum {
    CT_MMA_NO_TYPE,
    CT_MMA_F16,
    CT_MMA_BF16,
    CT_MMA_TF32,
    CT_MMA_F32,
    CT_MMA_F64,
    CT_MMA_C64,
    CT_MMA_GC64,
    CT_MMA_U1,
    CT_MMA_S4,
    CT_MMA_U4,
    CT_MMA_S8,
    CT_MMA_U8,
    CT_MMA_S16,
    CT_MMA_S32,
    CT_MMA_E2M1,
    CT_MMA_E2M3,
    CT_MMA_E3M2,
    CT_MMA_E4M3,
    CT_MMA_E5M2,
    CT_MMA_TYPE_COUNT
};

/** The kinds of instruction: the threads that carry one out, and the order of its operands. */
enum {
    CT_MMA_NO_KIND,
    CT_MMA_THREAD,    /* fma, dp2a, dp4a: one thread */
    CT_MMA_QUAD_PAIR, /* mma.sync.m8n8k4 of sm_70: eight threads of a warp */
    CT_MMA_WARP,      /* mma.sync: a warp */
    CT_MMA_WARPGROUP, /* wgmma: four warps */
    CT_MMA_BLOCK      /* tcgen05.mma: one thread for one block, or for two of a cluster */
};

/** The memory of an operand of the instruction. */
enum { CT_MMA_REGISTERS, CT_MMA_SHARED, CT_MMA_TENSOR_MEMORY };

/** Which modes of A and B are contiguous: T, the mode k of A, the mode n of B; N, m of A and k
 *  of B. */
enum { CT_MMA_TN, CT_MMA_NT, CT_MMA_NN, CT_MMA_TT };

/** The forms of an instruction. All of one shape have the same layouts of A and B. */
enum {
    CT_MMA_PLAIN,
    CT_MMA_SATURATE,
    CT_MMA_XORPOPC,
    CT_MMA_ANDPOPC,
    CT_MMA_SCALED,    /* a scale factor (ue8m0) for each 32 stored elements along k */
    CT_MMA_SCALED_16, /* one (ue4m3) for each 16 */
    CT_MMA_WS         /* tcgen05.mma.ws, which keeps B and reads A again */
};

/** An instruction. C has the type of D. */
typedef struct ct_mma_op {
    int32_t kind; /* CT_MMA_THREAD ... */
    int32_t arch; /* the architecture that introduced it: 80 is sm_80; 0 for fma */
    int32_t m, n, k;
    int32_t d, a, b, c;             /* the element types */
    int32_t blocks;                 /* that carry it out together: 1 or 2 */
    int32_t a_from, b_from, c_from; /* CT_MMA_REGISTERS ... */
    int32_t major;                  /* CT_MMA_TN ... */
    int32_t form;                   /* CT_MMA_PLAIN ... */
    int32_t sparse; /* 1: half the elements of each row of A are stored; see mma_sparse.h */
} ct_mma_op;

/**
 * The bits of an element; 0 for an unknown type.
 * Cost:     O(1).
 * In C:     assert(ct_mma_bits(CT_MMA_BF16) == 16 && ct_mma_bits(CT_MMA_E3M2) == 6);
 *           assert(ct_mma_bits(CT_MMA_NO_TYPE) == 0);
 */
CT_FN int32_t ct_mma_bits(int32_t type)
{
    switch (type) {
        case CT_MMA_U1: return 1;
        case CT_MMA_S4:
        case CT_MMA_U4:
        case CT_MMA_E2M1: return 4;
        case CT_MMA_E2M3:
        case CT_MMA_E3M2: return 6;
        case CT_MMA_S8:
        case CT_MMA_U8:
        case CT_MMA_E4M3:
        case CT_MMA_E5M2: return 8;
        case CT_MMA_F16:
        case CT_MMA_BF16:
        case CT_MMA_S16: return 16;
        case CT_MMA_TF32:
        case CT_MMA_F32:
        case CT_MMA_S32: return 32;
        case CT_MMA_F64: return 64;
        case CT_MMA_C64: return 128;
        case CT_MMA_GC64: return 192; /* the three real products of a complex one */
        default: return 0;
    }
}

/** @internal The stored elements of a row of A: all k, or the half that a sparse instruction
 *  takes. */
CT_FN int32_t ct_mma_a_columns(ct_mma_op op) { return op.sparse ? op.k / 2 : op.k; }

/** @internal The bits of an element of A or B in the memory that the instruction reads. Elements of
 * 4 and 6 bits take a byte, unless the instruction reads 64 stored elements of 4 bits. */
CT_FN int32_t ct_mma_bits_held(ct_mma_op op, int32_t type)
{
    const int32_t bits = ct_mma_bits(type);
    const int small_float = type == CT_MMA_E2M1 || type == CT_MMA_E2M3 || type == CT_MMA_E3M2;
    return small_float && ct_mma_a_columns(op) < 64 ? 8 : bits;
}

/**
 * Whether both are the same instruction: in all fields.
 * Cost:     O(1).
 * In C:     const ct_mma_op x = ct_mma_op_named("SM80_16x8x16_F32F16F16F32_TN");
 *           ct_mma_op y = x;
 *           assert(ct_mma_same_op(x, y));
 *           y.a = y.b = CT_MMA_BF16;
 *           assert(!ct_mma_same_op(x, y));
 */
CT_FN int ct_mma_same_op(ct_mma_op x, ct_mma_op y)
{
    return x.kind == y.kind && x.arch == y.arch && x.m == y.m && x.n == y.n && x.k == y.k &&
           x.d == y.d && x.a == y.a && x.b == y.b && x.c == y.c && x.blocks == y.blocks &&
           x.a_from == y.a_from && x.b_from == y.b_from && x.c_from == y.c_from &&
           x.major == y.major && x.form == y.form && x.sparse == y.sparse;
}

#endif
