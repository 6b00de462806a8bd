/**
 * @internal Why a copy is refused: its views are of other memory than the partition's sides, a tile
 * begins before its tensor, or the block has other threads than the tiled copy. The CPU grid asks.
 */
#ifndef CUTLET_DEVICE_COPY_REFUSAL_H
#define CUTLET_DEVICE_COPY_REFUSAL_H

#include <cutlet/device/tensor/registers.h>
#include <cutlet/device/tensor/thread_slice.h>

/** The memory of a side, as a view of it has it: CT_MAP for that of a copy by TMA. */
CT_FN int32_t ct_view_space(int32_t atom, int32_t space)
{
    return space == CT_SPACE_GLOBAL && ct_atom_is_tile(atom) && !ct_atom_is_bulk(atom) ? CT_MAP
                                                                                       : space;
}

/** The error if a view is not of the memory of its side. */
CT_FN ct_error ct_space_refusal(int32_t side, int32_t view, int32_t space)
{
    const ct_error none = CT_ZERO;
    if (view == space) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_SPACE, side, view, space);
}

/** Whether a thread's part is the same on both sides of a partition. */
CT_FN int ct_parts_agree(const ct_partition *P)
{
    int same = P->src.digits == P->dst.digits;
    for (int d = 0; d < CT_DIGITS; ++d) {
        const ct_digit a = P->src.digit[d], b = P->dst.digit[d];
        const int equal = a.div == b.div && a.mod == b.mod && a.axis == b.axis && a.step == b.step;
        same = same && (d >= P->src.digits || equal);
    }
    return same;
}

/** The error if a register tensor, `count` values of a type, has elements of other bits than a partition, or other
 *  values: where their hashes differ. */
CT_FN ct_error ct_registers_refusal(int32_t type, int32_t count, int32_t bits, int32_t values,
                                    int same)
{
    const ct_error none = CT_ZERO;
    if (type == 0) return none;
    if (ct_type_bits(type) != bits)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ELEM_BITS, 0, ct_type_bits(type),
                             bits);
    if (same) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_FRAGMENT, 0, count, values);
}

/** The error if a view is no tile, or no thread's part, of a side. */
CT_FN ct_error ct_side_refusal(const ct_partition *P, const ct_side *side, const ct_view *v)
{
    const int second = side == &P->dst;
    ct_error e = ct_space_refusal(second, v->space, ct_view_space(P->atom, side->space));
    if (e.status || v->space == CT_MAP) return e;
    if (v->space == CT_SPACE_REGISTERS)
        return ct_registers_refusal(v->type, v->count, P->elem_bits, P->values, v->hash == P->hash);
    if (v->of_thread > 2)
        return ct_make_error(CT_E_DOMAIN, CT_OP_PARTITION_COPY, CT_WHY_THREAD, 0, v->of_thread - 3,
                             P->threads);
    if (v->by == P && v->of_thread == 2 - second && !ct_parts_agree(P))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_TWO_PARTITIONS, 2 + second, 0, 0);
    if (v->space == CT_SPACE_SHARED) return e; /* ct_shared_refusal knows its tiles */
    if (!P->predicated) e = ct_index_refusal(v->first, P->axes, 0);
    if (!second && e.status == CT_OK) e = ct_repeats_refusal(P, v->step);
    for (int a = P->axes; a < CT_AXES && e.status == CT_OK; ++a)
        if (v->first[a] < 0 || (v->first[a] > 0 && v->left[a] <= 0))
            e = ct_make_error(CT_E_DOMAIN, CT_OP_TENSOR, CT_WHY_INDEX, a, v->first[a],
                              v->first[a] + v->left[a]);
    return e;
}

/** The error of the first view that is refused. */
CT_FN ct_error ct_sides_refusal(const ct_partition *P, const ct_view *src, const ct_view *dst)
{
    const ct_error e = ct_side_refusal(P, &P->src, src);
    return e.status ? e : ct_side_refusal(P, &P->dst, dst);
}

/** ct_block_refusal for a copy that takes a thread's part of one of its views itself. */
CT_DEVICE ct_error ct_copy_refusal(const ct_partition *P, const ct_view *src, const ct_view *dst)
{
    return ct_block_refusal(src->of_thread && dst->of_thread ? 1 : P->threads);
}

#endif
