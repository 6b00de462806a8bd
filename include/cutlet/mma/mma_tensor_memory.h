/**
 * The places of D, scale factors and metadata of tcgen05.mma in tensor memory, and of mma.sync's
 * scale factors in registers.
 *
 * Tensor memory of a block has 128 lanes and 512 columns of 32 bits. A layout here has a coordinate
 * as its result: 1@0 is a lane, 1@1 a column.
 *
 *     of D           (m,n) -> (lane, column), and of two blocks (lane, column, block)
 *     of metadata    (m, bit of the row) -> (lane, column, bit), of two blocks (lane, column, bit,
 *                    block)
 *     of a factor    (m or n, factor along k) -> (lane, column, byte), and of A of two blocks
 *                    (lane, column, byte, block)
 *
 * An element of D has a column, also one of 16 bits. Scale factors are bytes; lanes 32, 64 and 96
 * and the lanes after each repeat the same factors. Rows of B are rounded up to 32.
 *
 * Cost:    O(1), no allocation.
 * Source:  PTX ISA, "Data Path Layout Organization" and "Scale Factor A ID and Layout" of tcgen05,
 *          "Block Scaling" of mma; CuTe's tmem_frg, tmem_frg_ws, tmem_e_frg, tmem_sf_frg,
 *          SFALayout, SFBLayout.
 */
#ifndef CUTLET_MMA_MMA_TENSOR_MEMORY_H
#define CUTLET_MMA_MMA_TENSOR_MEMORY_H

#include <cutlet/mma/mma_atom.h>

/** @internal Adds a leaf of n, a step of which is s@axis. */
CT_FN void ct_mma_push_step(ct_layout *L, int64_t n, int64_t s, int axis)
{
    if (n > 1) ct_layout_push_leaf(L, n, s, (uint32_t)axis + 1);
}

/** @internal Ends the first mode. */
CT_FN void ct_mma_close_first(ct_layout *L)
{
    if (L->profile.leaves == 0) ct_layout_push_leaf(L, 1, 0, CT_INTEGER);
    ct_layout_close_mode(L, 0, 0, 0);
}

/** @internal The number of parts into which the columns of D are split, side by side in the lanes:
 * 32 or 64 rows of a block leave room for four and two, but for 64 that one block has alone: 16 of
 * each 32 lanes. */
CT_FN int32_t ct_mma_column_parts(ct_mma_op op)
{
    const int32_t rows = op.blocks == 2 ? op.m / 2 : op.m;
    return rows == 32 ? 4 : rows == 64 && (op.blocks == 2 || op.form == CT_MMA_WS) ? 2 : 1;
}

/** @internal The failed layout of an instruction that has nothing in tensor memory, or takes no
 *  factors. */
CT_FN ct_layout ct_mma_no_layout(ct_mma_atom a, int32_t why)
{
    if (a.err.status) return ct_layout_fail(a.err);
    return ct_layout_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_ATOM, why, 0, 0, 0));
}

/**
 * (m,n) of C and D -> (lane, column) of tensor memory, or (lane, column, block).
 *
 * Ensures:  no two elements lie at one place, and all lie within 128 lanes and n columns.
 *           [law_mma_tensor_memory]
 * Fails:    CT_E_ARGUMENT for an instruction other than tcgen05.mma.
 * Example:  tmem_layout_c(mma_atom(SM100_128x64x16_F32F16F16_SS)) == (128,64):(1@0,1@1)
 * Example:  tmem_layout_c(mma_atom(SM100_64x64x16_F32F16F16_SS)) == ((16,4),64):((1@0,32@0),1@1)
 * Example:  tmem_layout_c(mma_atom(SM100_64x64x16_F32F16F16_SS_WS))
 *               == (64,(32,2)):(1@0,(1@1,64@0))
 * Example:  tmem_layout_c(mma_atom(SM100_128x64x16_F32F16F16_2x1SM_SS))
 *               == ((64,2),(32,2)):((1@0,1@2),(1@1,64@0))
 */
CT_FN ct_layout ct_mma_tmem_c(ct_mma_atom a)
{
    if (a.err.status || a.op.kind != CT_MMA_BLOCK) return ct_mma_no_layout(a, CT_WHY_MMA_NO_TMEM);
    ct_layout L = CT_ZERO;
    const int32_t rows = a.op.m / a.op.blocks, parts = ct_mma_column_parts(a.op);
    const int spread = rows == 64 && parts == 1;
    ct_mma_push_step(&L, spread ? 16 : rows, 1, 0);
    if (spread) ct_mma_push_step(&L, 4, 32, 0);
    ct_mma_push_step(&L, a.op.blocks, 1, 2);
    ct_mma_close_first(&L);
    const int first = L.profile.leaves;
    ct_mma_push_step(&L, a.op.n / parts, 1, 1);
    ct_mma_push_step(&L, parts, rows, 0);
    ct_mma_close_values(&L, first, 0);
    return L;
}

/**
 * (m, bit of the row) of the metadata E -> (lane, column, bit) of tensor memory, or (lane, column,
 * bit, block). For elements of 16 and 32 bits a lane has 16 bits of two rows, like a thread of
 * mma.sp; for smaller ones it has two columns of one row.
 *
 * Ensures:  no two bits lie at one place.   [law_mma_tensor_memory]
 * Fails:    CT_E_ARGUMENT for an instruction other than tcgen05.mma.sp.
 * Example:  tmem_layout_e(mma_atom(SM100_SPARSE_128x64x32_F32F16F16_SS))
 *               == ((8,2,8),(16,2)):((1@0,16@2,16@0),(1@2,8@0))
 * Example:  tmem_layout_e(mma_atom(SM100_SPARSE_256x64x64_S32S8S8_2x1SM_SS))
 *               == ((128,2),(32,2)):((1@0,1@3),(1@2,1@1))
 */
CT_FN ct_layout ct_mma_tmem_e(ct_mma_atom a)
{
    if (a.err.status || a.op.kind != CT_MMA_BLOCK || !a.op.sparse)
        return ct_mma_no_layout(a, a.op.sparse ? CT_WHY_MMA_NO_TMEM : CT_WHY_MMA_DENSE);
    ct_layout L = CT_ZERO;
    const int two_rows = ct_mma_bits_held(a.op, a.op.a) >= 16;
    ct_mma_push_step(&L, two_rows ? 8 : 128, 1, 0);
    if (two_rows) ct_mma_push_step(&L, 2, 16, 2);
    if (two_rows) ct_mma_push_step(&L, 8, 16, 0);
    ct_mma_push_step(&L, a.op.blocks, 1, 3);
    ct_mma_close_first(&L);
    const int first = L.profile.leaves;
    ct_mma_push_step(&L, two_rows ? 16 : 32, 1, 2);
    ct_mma_push_step(&L, 2, two_rows ? 8 : 1, two_rows ? 0 : 1);
    ct_mma_close_values(&L, first, 0);
    return L;
}

/** @internal The scale factors of a row of A or of B: those of all k. */
CT_FN int32_t ct_mma_scale_factors(ct_mma_op op)
{
    const int32_t vector = op.form == CT_MMA_SCALED ? 32 : op.form == CT_MMA_SCALED_16 ? 16 : 0;
    return vector ? ct_mma_a_columns(op) / vector : 0;
}

/**
 * (m, factor) of A or (n, factor) of B -> (lane, column, byte) of tensor memory, and of A of two
 * blocks (lane, column, byte, block). Each of two blocks has all factors of B.
 *
 * Ensures:  no two factors lie at one place.   [law_mma_tensor_memory]
 * Fails:    CT_E_ARGUMENT for an instruction other than tcgen05.mma with scale factors, and for C.
 * Example:  tmem_scale_a(mma_atom(SM100_128x64x64_F32E2M1E2M1_SS_VS16))
 *               == ((32,4),4):((1@0,1@1),1@2)
 * Example:  tmem_scale_b(mma_atom(SM100_256x96x32_F32E4M3E4M3_2x1SM_SS_VS))
 *               == ((32,3),1):((1@0,1@1),0)
 */
CT_FN ct_layout ct_mma_tmem_scale(ct_mma_atom a, int operand)
{
    const int32_t factors = a.err.status ? 0 : ct_mma_scale_factors(a.op);
    if (factors == 0 || a.op.kind != CT_MMA_BLOCK || operand > CT_MMA_B)
        return ct_mma_no_layout(a, CT_WHY_MMA_NO_SCALE);
    ct_layout L = CT_ZERO;
    const int32_t blocks = operand == CT_MMA_A ? a.op.blocks : 1;
    const int32_t rows = (operand == CT_MMA_A ? a.op.m : a.op.n) / blocks;
    ct_mma_push_step(&L, 32, 1, 0);
    ct_mma_push_step(&L, (rows + 31) / 32, 1, 1);
    ct_mma_push_step(&L, blocks, 1, 3);
    ct_mma_close_first(&L);
    const int first = L.profile.leaves;
    ct_mma_push_step(&L, factors, 1, 2);
    ct_mma_close_values(&L, first, 0);
    return L;
}

/**
 * (thread, factor) -> (m, factor along k) of A, or (n, factor) of B: the scale factors of each
 * thread of mma.sync, as bytes of one register. The thread mode of stride 0 is the thread id of the
 * instruction, which takes one of two threads for A, and one of four for B.
 *
 * Fails:    CT_E_ARGUMENT for an instruction other than mma.sync with scale factors, and for C.
 * Example:  scale_layout_a(mma_atom(SM120_16x8x64_F32E2M1E2M1F32_TN_VS16))
 *               == ((2,2,8),4):((8,0,1),16)
 * Example:  scale_layout_b(mma_atom(SM120_16x8x64_F32E2M1E2M1F32_TN_VS16)) == ((4,8),4):((0,1),8)
 */
CT_FN ct_layout ct_mma_scale_tv(ct_mma_atom a, int operand)
{
    const int32_t factors = a.err.status ? 0 : ct_mma_scale_factors(a.op);
    if (factors == 0 || a.op.kind != CT_MMA_WARP || operand > CT_MMA_B)
        return ct_mma_no_layout(a, CT_WHY_MMA_NO_SCALE);
    ct_layout L = CT_ZERO;
    if (operand == CT_MMA_A) ct_layout_push_leaf(&L, 2, 8, CT_INTEGER);
    ct_layout_push_leaf(&L, operand == CT_MMA_A ? 2 : 4, 0, CT_INTEGER);
    ct_layout_push_leaf(&L, 8, 1, CT_INTEGER);
    ct_layout_close_mode(&L, 0, 0, 0);
    const int first = L.profile.leaves;
    ct_mma_push_values(&L, factors, operand == CT_MMA_A ? 16 : 8);
    ct_mma_close_values(&L, first, 0);
    return L;
}

#endif
