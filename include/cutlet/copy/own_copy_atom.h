/**
 * A copy atom of one's own: layouts say which thread holds what. It is data for the algebra, and no
 * instruction.
 */
#ifndef CUTLET_COPY_OWN_COPY_ATOM_H
#define CUTLET_COPY_OWN_COPY_ATOM_H

#include <cutlet/copy/tiled_copy.h>

/** @internal What keeps a layout from being (thread, value) -> element of an atom's `size`
 * elements: it meets each, and a side in registers (`once`) meets each once. */
CT_FN ct_error ct_own_tv_check(const ct_layout *tv, int64_t size, int once)
{
    if (tv->err.status) return tv->err;
    const int rank = ct_layout_rank(*tv);
    if (rank != 2) return ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_RANK, 0, 2, rank);
    if (!ct_is_integral(*tv))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_NOT_INTEGER, 0, 0, 0);
    const ct_layout own = once ? *tv : ct_filter(*tv); /* without zero strides */
    const int64_t held = ct_size(own);
    ct_layout inverse = CT_ZERO;
    ct_right_inverse_of(&inverse, &own); /* integer strides have one */
    ct_error e = inverse.err;
    if (ct_size(inverse) != held) e = ct_cover_error(&own);
    else if (held != size)
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM_HOLDS, 0, held, size);
    if (e.status) e.op = CT_OP_COPY_ATOM;
    return e;
}

/**
 * The atom of these layouts (thread, value) -> element of its data, in values: of the source, of
 * the destination, and of the side in registers, which defines the threads. The data have as many
 * elements as that side. A tiled copy takes it as any atom; a kernel does not, because no
 * instruction is known.
 *
 * Fails:    CT_E_ARGUMENT for a layout that is not of two modes, that leaves an element out, or
 *           whose threads or elements are not those of the registers; for registers that hold an
 *           element twice. ct_make_partition refuses the atom.
 * Cost:     three right inverses.
 * Example:  atom_dst(copy_atom((4,2):(2,1), (4,2):(1,4), 16)) == (4,2):(1,4)
 * Example:  copy_atom((4,2):(2,1), (4,3):(1,4), 16) == error
 * Source:   CuTe, copy_traits.hpp: a Copy_Traits of one's own.
 */
CT_FN ct_copy_atom ct_make_copy_atom(ct_layout src, ct_layout dst, ct_layout ref,
                                     int32_t value_bits)
{
    const ct_layout *const side[3] = {&ref, &src, &dst};
    const int64_t threads = ct_size(ct_mode(ref, 0)), size = ct_size(ref);
    ct_copy_atom a = CT_ZERO;
    if (value_bits < 1 || value_bits > 128)
        a.err =
            ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM, CT_ATOM_OWN, 0, value_bits);
    for (int i = 0; i < 3 && a.err.status == CT_OK; ++i) {
        a.err = ct_own_tv_check(side[i], size, i == 0);
        const int64_t own = a.err.status ? threads : ct_size(ct_mode(*side[i], 0));
        if (own != threads)
            a.err =
                ct_make_error(CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM_THREADS, 0, own, threads);
    }
    if (a.err.status) return ct_copy_atom_fail(a.err);
    a.kind = CT_ATOM_OWN;
    a.bits = value_bits;
    a.value_bits = value_bits;
    a.thr_id = ct_layout1(threads, 1);
    a.src_tv = src;
    a.dst_tv = dst;
    a.ref_tv = ref;
    return a;
}

#endif
