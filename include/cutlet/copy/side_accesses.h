/**
 * The accesses of one side of a copy: how wide they are, and where each lies from the thread's first
 * element on, as the constants of a ct_side.
 */
#ifndef CUTLET_COPY_SIDE_ACCESSES_H
#define CUTLET_COPY_SIDE_ACCESSES_H

#include <cutlet/copy/copy_atom.h>
#include <cutlet/copy/side_leaves.h>

/** @internal The offsets of tiles behind the first that are enumerated for a swizzle. Of more, all bits count as
 *  taken. */
#define CT_FOLD_MOST 8192

/** The widest access that copies make unless they are asked for more. */
#define CT_ACCESS_BITS 128

/** @internal The width of a side's accesses in elements: what the atom asks for, or the widest
 *  there is. */
CT_FN ct_error ct_side_width(ct_side *side, const ct_leaves_of_side *s, ct_memory m,
                             ct_copy_atom atom, int64_t values, int which)
{
    ct_error e = CT_ZERO;
    const int64_t most = m.most > 0 ? m.most : CT_ACCESS_BITS / atom.value_bits;
    if (m.space == CT_SPACE_REGISTERS) {
        side->width = (int32_t)values;
        return e;
    }
    const int any = atom.kind == CT_ATOM_AUTO;
    const int64_t want = any ? ct_max(most, 1) : ct_atom_vector(atom);
    const int64_t run = ct_side_run(s, m, want);
    if (m.space == CT_SPACE_SHARED &&
        want * atom.value_bits > 128) /* only global memory has wider ones */
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_ATOM, which,
                             want * atom.value_bits, atom.value_bits);
    if (!any && run < want)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_CONTIGUOUS, which, want,
                             run);
    side->width = (int32_t)run;
    return e;
}

/** @internal The thread digits of a side. */
CT_FN ct_error ct_side_digits(ct_side *side, const ct_access_leaves *threads)
{
    ct_error e = CT_ZERO;
    int64_t div = 1;
    for (int i = 0; i < threads->count; ++i) {
        const ct_access_leaf l = threads->leaf[i];
        if (l.shape > 1 && (l.step != 0 || l.offset != 0)) {
            if (side->digits >= CT_DIGITS)
                return ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_LEAVES, 0,
                                     side->digits + 1, CT_DIGITS);
            ct_digit *d = &side->digit[side->digits];
            d->div = (int32_t)div;
            d->mod = (int32_t)l.shape;
            d->axis = l.axis < 0 ? 0 : l.axis;
            d->step = (int32_t)l.step;
            d->offset = (int32_t)l.offset;
            side->digits += 1;
        }
        div *= l.shape;
    }
    return e;
}

/** @internal The offset of a thread in shared memory before the swizzle, in elements. */
CT_FN int64_t ct_side_thread_offset(const ct_side *side, int64_t thread)
{
    int64_t offset = 0;
    for (int i = 0; i < side->digits; ++i)
        offset += thread / side->digit[i].div % side->digit[i].mod * side->digit[i].offset;
    return offset;
}

/** @internal The offset of a tile in shared memory before the swizzle, in elements. tile: its number, the
 *  first axis fastest, among those of the axes that do not step by whole periods. */
CT_FN int64_t ct_side_tile_offset(const ct_side *side, int64_t period, int32_t bits, int64_t *tile)
{
    int64_t offset = 0;
    CT_FOR(a, CT_AXES)
    {
        const int64_t step = (int64_t)side->next[a] * 8 / bits;
        if (side->tiles[a] < 2 || (step & (period - 1)) == 0) continue;
        offset += *tile % side->tiles[a] * step;
        *tile /= side->tiles[a];
    }
    return offset;
}

/** @internal fold and add of every access, from offsets in elements (in add, as ct_side_accesses
 *  leaves them). The swizzle of a sum is the XOR of the swizzles where the parts share no bit. */
CT_FN void ct_side_fold(ct_side *side, const ct_leaves_of_side *s, int64_t threads, int32_t bits)
{
    const ct_swizzle sw = s->swizzle;
    const int64_t period = sw.bits > 0 ? ct_swizzle_period(sw) : 1;
    int64_t taken = 0, moved = 0; /* bits below the period that some thread has: before and after */
    for (int64_t tile = 0, over = 0; sw.bits > 0 && over == 0; ++tile) {
        over = tile;
        if (tile * threads > CT_FOLD_MOST) {
            taken = moved = period - 1;
            break;
        }
        const int64_t begin = s->first + ct_side_tile_offset(side, period, bits, &over);
        for (int64_t t = 0; over == 0 && t < threads; ++t) {
            const int64_t at = (begin + ct_side_thread_offset(side, t)) & (period - 1);
            taken |= at;
            moved |= ct_swizzle_apply(sw, at);
        }
    }
    side->separate = 1;
    for (int i = 0; i < side->accesses; ++i)
        if ((side->add[i] & (period - 1) & taken) != 0) side->separate = 0;
    side->first = (int32_t)(s->first * bits / 8);
    for (int i = 0; i < side->accesses; ++i) {
        const int64_t low = side->add[i] & (period - 1), high = side->add[i] - low;
        const int64_t to = ct_swizzle_apply(sw, low);
        const int plain = (to & moved) == 0; /* no carry: an addition does what the XOR does */
        side->fold[i] = side->separate && !plain ? (int32_t)(to * bits / 8) : 0;
        side->add[i] = !side->separate ? (int32_t)(side->add[i] * bits / 8)
                                       : (int32_t)((plain ? high + to : high) * bits / 8);
    }
}

/** @internal Fills the accesses of a side from its leaves in order. */
CT_FN ct_error ct_side_accesses(ct_side *side, const ct_leaf_order *o, int64_t values)
{
    ct_error e = CT_ZERO;
    const int64_t accesses = values / side->width;
    if (accesses > CT_ACCESSES || values > CT_VALUES)
        return ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_ACCESSES, 0,
                             accesses > CT_ACCESSES ? accesses : values,
                             accesses > CT_ACCESSES ? CT_ACCESSES : CT_VALUES);
    side->accesses = (int32_t)accesses;
    for (int64_t v = 0; v < values; ++v) {
        int64_t rest = v, number = 0, offset = 0;
        const int64_t i = v / side->width;
        for (int k = 0; k < o->count; ++k) {
            const ct_access_leaf l = o->leaf[k];
            const int64_t at = rest % l.shape;
            rest /= l.shape;
            number += at * l.number;
            offset += at * l.offset;
            if (v % side->width == 0 && l.axis >= 0)
                side->coord[i][l.axis] += (int32_t)(at * l.step);
        }
        if (v % side->width == 0) side->add[i] = (int32_t)offset;
        side->order[v] = (int16_t)number;
        side->inverse[number] = (int16_t)v;
    }
    return e;
}

/** @internal The words of registers that an access takes. */
CT_FN int32_t ct_side_words(const ct_side *side, int32_t elem_bits)
{
    const int32_t bits = side->width * elem_bits;
    return bits < 32 ? 1 : bits / 32;
}

#endif
