/**
 * Copy atoms as data: the bits that one instruction moves, and the thread that holds each bit.
 *
 * Cost:     O(leaves), no allocation, host and device.
 */
#ifndef CUTLET_COPY_COPY_ATOM_H
#define CUTLET_COPY_COPY_ATOM_H

#include <cutlet/algebra/cast.h>
#include <cutlet/algebra/composition.h>
#include <cutlet/copy/copy_sides.h>
#include <cutlet/algebra/inverse.h>
#include <cutlet/copy/tma_modes.h>

/**
 * A copy atom. The three layouts map (thread of the atom, value of the thread) to an element of the
 * atom's data. They are for the source, the destination, and the side that defines the threads (the
 * registers). They are given in values; made from bits.
 */
typedef struct ct_copy_atom {
    ct_error err;
    int32_t kind;       /* CT_ATOM_... */
    int32_t bits;       /* of one thread's access to memory */
    int32_t matrices;   /* of ldmatrix and stmatrix: 1, 2 or 4; 0 otherwise */
    int32_t value_bits; /* of one value */
    int32_t elem;       /* of a bulk reduction: CT_ELEM_...; 0 otherwise */
    ct_layout thr_id;   /* index within the atom -> thread */
    ct_layout src_tv, dst_tv, ref_tv;
} ct_copy_atom;

/** @internal The failed atom that carries e. */
CT_FN ct_copy_atom ct_copy_atom_fail(ct_error e)
{
    ct_copy_atom a = CT_ZERO;
    a.err = e;
    return a;
}

/** @internal The mode of the error of a kind of atoms: 0 where the function makes no such atoms. */
CT_FN int ct_kind_or_none(int known, int32_t kind) { return known ? kind : 0; }

/** @internal The atom of these bit layouts, in values of value_bits. */
CT_FN ct_copy_atom ct_copy_atom_of_bits(ct_copy_atom a, ct_layout src, ct_layout dst,
                                        int ref_is_dst)
{
    if (a.value_bits < 1 || a.bits % a.value_bits != 0)
        return ct_copy_atom_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM_BITS, 0,
                                               a.bits, a.value_bits));
    a.src_tv = ct_recast(src, 1, a.value_bits);
    a.dst_tv = ct_recast(dst, 1, a.value_bits);
    a.ref_tv = ref_is_dst ? a.dst_tv : a.src_tv;
    a.err = a.src_tv.err.status ? a.src_tv.err : a.dst_tv.err;
    if (a.err.status)
        a.err = ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM_BITS, 0, a.bits,
                              a.value_bits);
    return a;
}

/** @internal An atom of one thread that moves `bits` bits. */
CT_FN ct_copy_atom ct_copy_atom_single(int32_t kind, int32_t bits, int32_t value_bits)
{
    ct_copy_atom a = CT_ZERO;
    a.kind = kind;
    a.bits = bits;
    a.value_bits = value_bits;
    a.thr_id = ct_layout1(1, 0);
    const ct_layout one = ct_layout2(1, bits, 0, 1);
    return ct_copy_atom_of_bits(a, one, one, 1);
}

/**
 * One load and one store of 8, 16, 32, 64, 128 or 256 bits for each thread. 256 bits are for global
 * memory only. ct_copy uses one instruction on sm_100 and later, and two of 128 bits on earlier
 * architectures.
 * Fails:   CT_E_ARGUMENT for other widths, or values that do not fill the access.
 * Example: atom_src(copy_atom(universal128, 16)) == (1,8):(0,1)
 */
CT_FN ct_copy_atom ct_copy_atom_universal(int32_t bits, int32_t value_bits)
{
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128 && bits != 256)
        return ct_copy_atom_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM,
                                               CT_ATOM_UNIVERSAL, bits, value_bits));
    return ct_copy_atom_single(CT_ATOM_UNIVERSAL, bits, value_bits);
}

/**
 * The widest accesses that each side of a copy allows, up to 128 bits, on sm_100 too: CuTe's
 * AutoVectorizingCopy. Elements of less than a byte keep their order, by narrower accesses where
 * wider ones would change it. As data it moves one value for each thread.
 * Fails:   CT_E_ARGUMENT for values that are not a power of two from 1 to 128 bits.
 * In C:    const ct_copy_atom atom = ct_copy_atom_auto(16);
 *          assert(atom.kind == CT_ATOM_AUTO && ct_atom_values(atom) == 1);
 *          assert(ct_copy_atom_auto(24).err.status == CT_E_ARGUMENT);
 */
CT_FN ct_copy_atom ct_copy_atom_auto(int32_t value_bits)
{
    if (value_bits < 1 || value_bits > 128 || (value_bits & (value_bits - 1)) != 0)
        return ct_copy_atom_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM,
                                               CT_ATOM_AUTO, value_bits, value_bits));
    return ct_copy_atom_single(CT_ATOM_AUTO, value_bits, value_bits);
}

/**
 * cp.async of 32, 64 or 128 bits (CT_ATOM_CP_ASYNC_CA), or of 128 bits past L1
 * (CT_ATOM_CP_ASYNC_CG).
 * Fails:   CT_E_ARGUMENT for other kinds and widths, and values that do not fill the access.
 * Example: atom_src(copy_atom(cp_async_ca32, 16)) == (1,2):(0,1)
 * Source:  PTX ISA, cp.async.
 */
CT_FN ct_copy_atom ct_copy_atom_cp_async(int32_t kind, int32_t bits, int32_t value_bits)
{
    const int ca = kind == CT_ATOM_CP_ASYNC_CA && (bits == 32 || bits == 64 || bits == 128);
    const int cg = kind == CT_ATOM_CP_ASYNC_CG && bits == 128;
    const int known = ct_atom_is_async(kind);
    if (!ca && !cg)
        return ct_copy_atom_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM,
                                               ct_kind_or_none(known, kind), bits, value_bits));
    return ct_copy_atom_single(kind, bits, value_bits);
}

/** @internal The shared-memory side of ldmatrix and stmatrix, in bits: thread t gives row t mod
 *  8n. */
CT_FN ct_layout ct_matrix_rows(int32_t matrices)
{
    if (matrices == 4) return ct_layout2(32, 128, 128, 1);
    const ct_layout thr = matrices == 2 ? ct_layout2(16, 2, 128, 0) : ct_layout2(8, 4, 128, 0);
    return ct_make_layout2(thr, ct_layout1(128, 1));
}

/** @internal The register side, in bits: 32 bits of each matrix for each thread. */
CT_FN ct_layout ct_matrix_registers(int32_t matrices, int trans)
{
    if (!trans) {
        if (matrices == 1) return ct_layout2(32, 32, 32, 1);
        return ct_make_layout2(ct_layout1(32, 32), ct_layout2(32, matrices, 1, 1024));
    }
    const ct_layout thr = ct_layout2(4, 8, 256, 16), pair = ct_layout2(16, 2, 1, 128);
    if (matrices == 1) return ct_make_layout2(thr, pair);
    return ct_make_layout2(thr,
                           ct_make_layout(ct_tuple3(16, 2, matrices), ct_tuple3(1, 128, 1024)));
}

/**
 * ldmatrix or stmatrix of 1, 2 or 4 matrices, transposed or not, by the 32 threads of a warp.
 * Values are of 16 bits, or, not transposed, of 8 to 32.
 * Fails:   CT_E_ARGUMENT for other numbers of matrices or values that do not fit.
 * Example: atom_dst(copy_atom(ldmatrix_x4, 16)) == (32,(2,4)):(2,(1,64))
 * Source:  PTX ISA, ldmatrix and stmatrix.
 */
CT_FN ct_copy_atom ct_copy_atom_matrix(int32_t kind, int32_t matrices, int32_t value_bits)
{
    const int trans = kind == CT_ATOM_LDMATRIX_TRANS || kind == CT_ATOM_STMATRIX_TRANS;
    const int load = kind == CT_ATOM_LDMATRIX || kind == CT_ATOM_LDMATRIX_TRANS;
    const int known = load || kind == CT_ATOM_STMATRIX || kind == CT_ATOM_STMATRIX_TRANS;
    if (!known || (matrices != 1 && matrices != 2 && matrices != 4) ||
        (trans && value_bits != 16) || value_bits > 32)
        return ct_copy_atom_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM,
                                               ct_kind_or_none(known, kind), matrices, value_bits));
    ct_copy_atom a = CT_ZERO;
    a.kind = kind;
    a.bits = 128;
    a.matrices = matrices;
    a.value_bits = value_bits;
    a.thr_id = ct_layout1(32, 1);
    const ct_layout rows = ct_matrix_rows(matrices), regs = ct_matrix_registers(matrices, trans);
    return load ? ct_copy_atom_of_bits(a, rows, regs, 1) : ct_copy_atom_of_bits(a, regs, rows, 0);
}

/** @internal Whether the bulk reduction of a kind takes elements of a type. */
CT_FN int ct_elem_is_reduced(int32_t kind, int32_t elem)
{
    switch (elem) {
        case CT_ELEM_U32:
        case CT_ELEM_S32:
        case CT_ELEM_U64:
        case CT_ELEM_F16:
        case CT_ELEM_BF16: return 1;
        case CT_ELEM_F32:
        case CT_ELEM_F64: return kind == CT_ATOM_BULK_ADD;
        case CT_ELEM_S64: return kind != CT_ATOM_BULK_ADD;
        default: return 0;
    }
}

/** @internal The failed atom of a bulk reduction that does not take elements of a type. */
CT_FN ct_copy_atom ct_copy_atom_no_elem(int32_t kind, int32_t elem)
{
    return ct_copy_atom_fail(
        ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM_ELEM, 0, kind, elem));
}

/**
 * A bulk copy or a tile copy: one thread moves a tile. As data it moves one value. A bulk
 * reduction is made by ct_copy_atom_reduction, because it needs the type of its elements.
 * Fails:   CT_E_ARGUMENT for other kinds, bulk reductions among them, and values that are not a
 *          power of two from 8 to 64 bits.
 * In C:    const ct_copy_atom load = ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 16);
 *          assert(load.err.status == CT_OK && ct_atom_threads(load) == 1);
 *          assert(ct_copy_atom_tile(CT_ATOM_UNIVERSAL, 16).err.status == CT_E_ARGUMENT);
 * Source:  PTX ISA, cp.async.bulk, cp.async.bulk.tensor, cp.reduce.async.bulk.tensor.
 */
CT_FN ct_copy_atom ct_copy_atom_tile(int32_t kind, int32_t value_bits)
{
    if (ct_atom_is_reduction(kind)) return ct_copy_atom_no_elem(kind, -1);
    if (!ct_atom_is_tile(kind) || value_bits < 8 || value_bits > 64 ||
        (value_bits & (value_bits - 1)) != 0)
        return ct_copy_atom_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM,
                                               ct_kind_or_none(ct_atom_is_tile(kind), kind),
                                               value_bits, value_bits));
    return ct_copy_atom_single(kind, value_bits, value_bits);
}

/**
 * A bulk reduction of elements of a type. One thread adds a tile in shared memory to one in global
 * memory (CT_ATOM_BULK_ADD), or stores the minimum (CT_ATOM_BULK_MIN) or maximum (CT_ATOM_BULK_MAX)
 * of each two elements there. ADD takes elements U32 S32 U64 F16 BF16 F32 F64; MIN and MAX take U32
 * S32 U64 S64 F16 BF16. The map says the type of a tile reduction (CT_ATOM_TMA_ADD).
 * Fails:   CT_E_ARGUMENT for other kinds, and types that the reduction does not take.
 * In C:    const ct_copy_atom add = ct_copy_atom_reduction(CT_ATOM_BULK_ADD, CT_ELEM_F32);
 *          assert(add.err.status == CT_OK && add.value_bits == 32 && ct_atom_values(add) == 1);
 *          const ct_copy_atom none = ct_copy_atom_reduction(CT_ATOM_BULK_MIN, CT_ELEM_F32);
 *          assert(none.err.status == CT_E_ARGUMENT); // minima are of integers and halves
 * Source:  PTX ISA, cp.reduce.async.bulk.
 */
CT_FN ct_copy_atom ct_copy_atom_reduction(int32_t kind, int32_t elem)
{
    const int32_t bits = 8 * ct_elem_bytes(elem);
    if (!ct_atom_is_reduction(kind))
        return ct_copy_atom_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM, 0, bits, bits));
    if (!ct_elem_is_reduced(kind, elem)) return ct_copy_atom_no_elem(kind, elem);
    ct_copy_atom a = ct_copy_atom_single(kind, bits, bits);
    a.elem = elem;
    return a;
}

/**
 * The number of threads that carry out the atom together.
 * In C:    const ct_copy_atom atom = ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16);
 *          assert(ct_atom_threads(atom) == 32 && ct_atom_values(atom) == 8);
 */
CT_FN int64_t ct_atom_threads(ct_copy_atom a)
{
    return ct_part_size(ct_part_mode(ct_whole(&a.ref_tv), 0));
}

/**
 * The number of values that each thread of the atom holds.
 * In C:    const ct_copy_atom atom = ct_copy_atom_universal(128, 16);
 *          assert(ct_atom_threads(atom) == 1 && ct_atom_values(atom) == 8);
 */
CT_FN int64_t ct_atom_values(ct_copy_atom a)
{
    return ct_part_size(ct_part_mode(ct_whole(&a.ref_tv), 1));
}

/** @internal The number of values that are contiguous in memory in one access of one thread. */
CT_FN int64_t ct_atom_vector(ct_copy_atom a)
{
    return a.err.status ? CT_INVALID : a.bits / a.value_bits;
}

#endif
