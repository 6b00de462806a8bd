/**
 * MMA atoms as data: the product of one matrix instruction, and the thread that holds each element
 * of its operands.
 */
#ifndef CUTLET_MMA_MMA_ATOM_H
#define CUTLET_MMA_MMA_ATOM_H

#include <cutlet/mma/mma_exists.h>
#include <cutlet/mma/mma_layouts.h>
#include <cutlet/mma/mma_name.h>
#include <cutlet/mma/mma_sparse.h>
#include <cutlet/mma/mma_values.h>

/** @internal The failed atom that carries e. */
CT_FN ct_mma_atom ct_mma_atom_fail(ct_error e)
{
    ct_mma_atom a = CT_ZERO;
    a.err = e;
    return a;
}

/**
 * The atom of an instruction.
 *
 * Ensures:  A, B and C of the atom meet each element of their tiles ct_mma_copies times.
 *           [law_mma_atom]
 * Fails:    CT_E_ARGUMENT where there is no such instruction, with its shape where none has that,
 *           or else with its types; for tcgen05.mma.sp of 64 rows a block (ct_mma_is_left_out).
 * Cost:     that of ct_mma_exists.
 * In C:     ct_mma_op op = ct_mma_op_named("SM80_16x8x16_F32F16F16F32_TN");
 *           assert(ct_size(ct_mma_atom_of(op).a_tv) == 16 * 16);
 *           op.a = CT_MMA_S8;
 *           assert(ct_mma_atom_of(op).err.why == CT_WHY_MMA_TYPES);
 * Source:   PTX ISA; see mma_families.h.
 */
CT_FN ct_mma_atom ct_mma_atom_of(ct_mma_op op)
{
    const int exists = ct_mma_exists(op);
    if (exists < 2) {
        const int32_t none = exists == 0 ? CT_WHY_MMA_SHAPE : CT_WHY_MMA_TYPES;
        const int32_t why = ct_mma_is_left_out(op) ? CT_WHY_MMA_METADATA : none;
        ct_error e = ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_ATOM, why, 0, op.m, op.n);
        e.n[2] = op.k;
        e.other = op.arch;
        return ct_mma_atom_fail(e);
    }
    ct_mma_atom a = CT_ZERO;
    a.op = op;
    a.thr_id = ct_mma_thr_id(op);
    a.a_tv = ct_mma_layout_a(op);
    a.b_tv = ct_mma_layout_b(op);
    a.c_tv = ct_mma_layout_c(op);
    return a;
}

/**
 * The atom with one of CuTe's names; see mma_name.h.
 *
 * Fails:    CT_E_ARGUMENT for a name that is not written as these are; as ct_mma_atom_of.
 * Cost:     that of ct_mma_op_named and ct_mma_atom_of.
 * Example:  tv_layout_a(mma_atom(SM80_16x8x16_F32F16F16F32_TN))
 *               == ((4,8),(2,2,2)):((32,1),(16,8,128))
 * Example:  tv_layout_b(mma_atom(SM120_16x8x32_F32E5M2E2M1F32_TN))
 *               == ((4,8),(4,2)):((32,1),(8,128))
 * Example:  tv_layout_c(mma_atom(SM90_64x16x16_F32F16F16_SS))
 *               == ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))
 * Example:  tv_layout_b(mma_atom(SM100_256x64x16_F32F16F16_2x1SM_SS)) == (2,(32,16)):(32,(1,64))
 */
CT_FN ct_mma_atom ct_make_mma_atom(const char *name)
{
    const ct_mma_op op = ct_mma_op_named(name);
    if (op.kind == CT_MMA_NO_KIND)
        return ct_mma_atom_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_ATOM, CT_WHY_MMA_NAME, 0, 0, 0));
    return ct_mma_atom_of(op);
}

/** The operands, as the functions below number them. E is the metadata of a sparse instruction. */
enum { CT_MMA_A, CT_MMA_B, CT_MMA_C, CT_MMA_E };

/**
 * The shape (m,n,k) of an atom.
 * Fails:    a failed atom gives a failed tuple with its error.
 * Cost:     O(1).
 * Example:  shape(mma_atom(SM61_DP4A)) == (1,1,4)
 */
CT_FN ct_tuple ct_mma_shape(ct_mma_atom a)
{
    return a.err.status ? ct_tuple_fail(a.err) : ct_tuple3(a.op.m, a.op.n, a.op.k);
}

/**
 * The thread-value layout of an operand, CT_MMA_A ..: (thread of the atom, value) -> element of its
 * tile, the first mode fastest.
 * Fails:    CT_E_ARGUMENT for E of an instruction that is not sparse; a failed atom gives a failed
 *           layout.
 * Cost:     O(1).
 * Example:  tv_layout_a(mma_atom(SM80_SPARSE_16x8x32_F32F16F16F32_TN))
 *               == ((4,8),(2,2,2)):((32,1),(16,8,128))
 * Example:  tv_layout_e(mma_atom(SM80_SPARSE_16x8x32_F32F16F16F32_TN))
 *               == ((2,2,8),(16,2)):((256,0,1),(16,8))
 * Example:  tv_layout_e(mma_atom(SM90_SPARSE_64x8x64_S32S8S8_SS_TN))
 *               == ((2,2,8,4),32):((8,2048,1,16),64)
 */
CT_FN ct_layout ct_mma_tv(ct_mma_atom a, int operand)
{
    if (a.err.status) return ct_layout_fail(a.err);
    if (operand == CT_MMA_E && !a.op.sparse)
        return ct_layout_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_MMA_ATOM, CT_WHY_MMA_DENSE, 0, 0, 0));
    if (operand == CT_MMA_E) return ct_mma_layout_e(a.op);
    return operand == CT_MMA_A ? a.a_tv : operand == CT_MMA_B ? a.b_tv : a.c_tv;
}

/** @internal Where an operand comes from: CT_MMA_REGISTERS, CT_MMA_SHARED or
 *  CT_MMA_TENSOR_MEMORY. */
CT_FN int32_t ct_mma_from(ct_mma_op op, int operand)
{
    if (operand == CT_MMA_E && op.kind == CT_MMA_BLOCK) return CT_MMA_TENSOR_MEMORY;
    if (operand == CT_MMA_E) return CT_MMA_REGISTERS;
    return operand == CT_MMA_A ? op.a_from : operand == CT_MMA_B ? op.b_from : op.c_from;
}

/** @internal The number of the atom's threads that hold each element of an operand. All threads
 * name an operand of wgmma in shared memory. For each value of the selector another thread holds E.
 * Exactly one thread holds anything else. */
CT_FN int32_t ct_mma_copies(ct_mma_op op, int operand)
{
    if (operand == CT_MMA_E) return ct_mma_selectors(op);
    return op.kind == CT_MMA_WARPGROUP && ct_mma_from(op, operand) == CT_MMA_SHARED ? 128 : 1;
}

#endif
