/**
 * Which matrix instructions there are.
 */
#ifndef CUTLET_MMA_MMA_EXISTS_H
#define CUTLET_MMA_MMA_EXISTS_H

#include <cutlet/mma/mma_op.h>

/** A family of instructions; the types and forms are sets, a bit each. */
typedef struct ct_mma_family {
    int32_t kind, arch, blocks, m, first_n, last_n, step_n, k;
    uint32_t d, a, b;
    int32_t mixed; /* whether A and B may differ in type */
    uint32_t forms;
    int32_t sparse;
} ct_mma_family;

/** @internal The family of these fields. */
CT_FN ct_mma_family ct_mma_family_of(int32_t kind, int32_t arch, int32_t blocks, int32_t m,
                                     int32_t first_n, int32_t last_n, int32_t step_n, int32_t k,
                                     int32_t sparse)
{
    ct_mma_family f = CT_ZERO;
    f.kind = kind;
    f.arch = arch;
    f.blocks = blocks;
    f.m = m;
    f.first_n = first_n;
    f.last_n = last_n;
    f.step_n = step_n;
    f.k = k;
    f.sparse = sparse;
    return f;
}

/** @internal Whether the types and the form of an instruction are those of a family. */
CT_FN int ct_mma_types_fit(ct_mma_op op, uint32_t d, uint32_t a, uint32_t b, int mixed,
                           uint32_t forms)
{
    return (d >> op.d & 1u) && (a >> op.a & 1u) && (b >> op.b & 1u) && (forms >> op.form & 1u) &&
           (mixed || op.a == op.b) && op.c == op.d;
}

/** @internal Whether the shape of an instruction is that of a family. */
CT_FN int ct_mma_shape_fits(ct_mma_op op, ct_mma_family f)
{
    return op.kind == f.kind && op.arch == f.arch && op.blocks == f.blocks && op.m == f.m &&
           op.k == f.k && op.sparse == f.sparse && op.n >= f.first_n && op.n <= f.last_n &&
           (op.n - f.first_n) % f.step_n == 0;
}

/** @internal Whether a kind of instruction takes its operands from these memories, contiguous in
 * these modes. */
CT_FN int ct_mma_operands_fit(ct_mma_op op)
{
    const int block = op.kind == CT_MMA_BLOCK, group = op.kind == CT_MMA_WARPGROUP;
    const int32_t memory = block || group ? CT_MMA_SHARED : CT_MMA_REGISTERS;
    const int32_t other = block ? CT_MMA_TENSOR_MEMORY : CT_MMA_REGISTERS;
    if (op.b_from != memory || op.c_from != other) return 0;
    if (op.a_from != memory && op.a_from != other) return 0;
    const int32_t last = op.kind == CT_MMA_QUAD_PAIR ? CT_MMA_TT : CT_MMA_TN;
    return op.major >= CT_MMA_TN && op.major <= last;
}

/**
 * How well an instruction fits the existing ones: 2 when it exists, 1 when one with its shape
 * exists, 0 otherwise. Where a descriptor says which modes are contiguous, the field `major` is
 * CT_MMA_TN.
 * Cost:     O(families), about a hundred.
 * In C:     assert(ct_mma_exists(ct_mma_op_named("SM80_16x8x16_F32F16F16F32_TN")) == 2);
 *           assert(ct_mma_exists(ct_mma_op_named("SM80_16x8x16_F32F16S8F32_TN")) == 1); // types
 *           assert(ct_mma_exists(ct_mma_op_named("SM80_16x8x24_F32F16F16F32_TN")) == 0); // k
 * Source:   PTX ISA; see mma_families.h.
 */
CT_FN int ct_mma_exists(ct_mma_op op)
{
    int best = 0;
#define CT_MMA_FITS(sparse, kind, arch, blocks, m, n0, n1, step, k, d, a, b, mixed, forms)         \
    if (best < 2 && ct_mma_shape_fits(op, ct_mma_family_of(CT_MMA_##kind, arch, blocks, m, n0, n1, \
                                                           step, k, sparse)))                      \
        best = ct_mma_types_fit(op, d, a, b, mixed, forms) && ct_mma_operands_fit(op) ? 2 : 1;
#define CT_MMA_FAMILY(...) CT_MMA_FITS(0, __VA_ARGS__)
#include <cutlet/mma/mma_families.h>
#define CT_MMA_FAMILY(...) CT_MMA_FITS(1, __VA_ARGS__)
#include <cutlet/mma/mma_families_sparse.h>
#undef CT_MMA_FITS
    return best;
}

/**
 * Whether this is tcgen05.mma.sp of 64 rows a block, which the lists omit. The PTX ISA gives the
 * place of its metadata only in figures, and CuTe not at all (tmem_e_frg takes 128 rows).
 * Cost:     that of ct_mma_exists.
 * In C:     assert(ct_mma_is_left_out(ct_mma_op_named("SM100_SPARSE_64x64x32_F32F16F16_SS")));
 *           assert(!ct_mma_is_left_out(ct_mma_op_named("SM100_SPARSE_128x64x32_F32F16F16_SS")));
 */
CT_FN int ct_mma_is_left_out(ct_mma_op op)
{
    const int is_64 = op.kind == CT_MMA_BLOCK && op.sparse && op.m == 64 * op.blocks;
    if (!is_64 || op.form != CT_MMA_PLAIN) return 0;
    op.m *= 2;
    return ct_mma_exists(op) == 2;
}

#endif
