/**
 * Sparse matrix instructions, mma.sp, wgmma.mma_async.sp and tcgen05.mma.sp: A is stored without
 * half of its zeros, and the metadata E says where its elements belong.
 *
 * A row of A is split into chunks, and half the elements of each chunk are stored: 1 of 2 of 32
 * bits, 2 of 4 of 16 or 8 bits, and of 4 bits 4 of 8, in pairs. Four bits of E are a chunk's: two
 * numbers of 2 bits, low bits first, of its stored elements or pairs. Of one element of 32 bits
 * they are 4 (the first) or 14 (the second).
 *
 * E is a matrix of bits, (m, bits of a row), its first mode contiguous. A thread gives 32 of them
 * in one register. An instruction that needs fewer takes the bits of only some threads; its
 * selector, an immediate, names them. The layout holds E for every selector: the thread mode of
 * stride 0 is the selector's. tcgen05.mma.sp has E in tensor memory; see mma_tensor_memory.h.
 *
 * mma.sp::ordered_metadata has the same layouts, and requires that a chunk's two numbers are
 * ascending. It is the one form of sm_120.
 *
 * Source:  PTX ISA, "Matrix multiply-accumulate operation using mma.sp instruction with sparse
 *          matrix A" and the same of wgmma.mma_async.sp; CuTe's ELayout of sm_90 and of sm_120, in
 *          elements of A where this one has bits.
 */
#ifndef CUTLET_MMA_MMA_SPARSE_H
#define CUTLET_MMA_MMA_SPARSE_H

#include <cutlet/mma/mma_layouts.h>

/** @internal The elements of A that four bits of the metadata describe. */
CT_FN int32_t ct_mma_chunk(ct_mma_op op)
{
    const int32_t bits = ct_mma_bits_held(op, op.a);
    return bits == 32 ? 2 : bits == 4 ? 8 : 4;
}

/** @internal The bits of the metadata of one row of A: 16, 32 or 64. */
CT_FN int32_t ct_mma_row_bits(ct_mma_op op) { return 4 * op.k / ct_mma_chunk(op); }

/** @internal The values of the sparsity selector: each names other threads, which give the
 *  metadata. */
CT_FN int32_t ct_mma_selectors(ct_mma_op op)
{
    return op.sparse && op.kind != CT_MMA_BLOCK ? 64 / ct_mma_row_bits(op) : 1;
}

/** @internal Whether the instruction takes the metadata of that thread by that selector. */
CT_FN int ct_mma_reads_e(ct_mma_op op, int32_t thread, int32_t selector)
{
    const int32_t selectors = ct_mma_selectors(op);
    return thread % 4 / (4 / selectors) == selector || selectors == 1;
}

/** @internal (thread, bit of its register) -> (m, bit of the row) of E. For elements of 16 and 32
 * bits a thread has 16 bits of each of rows t / 4 and t / 4 + 8; for smaller ones 32 bits of one
 * row. A block names those of its rows. */
CT_FN ct_layout ct_mma_layout_e(ct_mma_op op)
{
    if (op.kind == CT_MMA_BLOCK)
        return ct_mma_in_memory(op.blocks, op.m, ct_mma_row_bits(op), op.blocks);
    ct_layout L = CT_ZERO;
    const int32_t bits = ct_mma_row_bits(op), selectors = ct_mma_selectors(op);
    const int both_rows = ct_mma_bits_held(op, op.a) >= 16;
    const int64_t m = op.m;
    if (!both_rows) ct_layout_push_leaf(&L, 2, 8, CT_INTEGER);
    else if (bits == 32) ct_layout_push_leaf(&L, 2, 16 * m, CT_INTEGER);
    if (selectors > 1) ct_layout_push_leaf(&L, selectors, 0, CT_INTEGER);
    else ct_layout_push_leaf(&L, 2, 32 * m, CT_INTEGER);
    ct_layout_push_leaf(&L, 8, 1, CT_INTEGER);
    if (op.kind == CT_MMA_WARPGROUP) ct_layout_push_leaf(&L, 4, 16, CT_INTEGER);
    ct_layout_close_mode(&L, 0, 0, 0);
    const int first = L.profile.leaves;
    ct_layout_push_leaf(&L, both_rows ? 16 : 32, m, CT_INTEGER);
    if (both_rows) ct_layout_push_leaf(&L, 2, 8, CT_INTEGER);
    ct_mma_close_values(&L, first, 0);
    return L;
}

#endif
