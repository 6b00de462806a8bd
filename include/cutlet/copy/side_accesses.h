/**
 * The accesses of one side of a copy: their width, and the place of each relative to the thread's
 * first element, as the constants of a ct_side.
 */
#ifndef CUTLET_COPY_SIDE_ACCESSES_H
#define CUTLET_COPY_SIDE_ACCESSES_H

#include <cutlet/copy/copy_atom.h>
#include <cutlet/copy/side_leaves.h>

/** @internal The most offsets of tiles after the first that are enumerated for a swizzle. For more
 * tiles, all bits count as taken. */
#define CT_FOLD_MOST 8192

/** The widest access that copies make by default. */
#define CT_ACCESS_BITS 128

/** @internal The width of a side's accesses in elements: the atom's, or the widest possible. */
CT_FN ct_error ct_side_width(ct_side *side, const ct_leaves_of_side *s, ct_memory m,
                             ct_copy_atom atom, int64_t values, int which)
{
    ct_error e = CT_ZERO;
    const int64_t most = m.most > 0 ? m.most : CT_ACCESS_BITS / atom.value_bits;
    if (m.space == CT_SPACE_REGISTERS) {
        side->width = CT_CAST(int32_t, values);
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
    side->width = CT_CAST(int32_t, run);
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
            d->div = CT_CAST(int32_t, div);
            d->mod = CT_CAST(int32_t, l.shape);
            d->axis = l.axis < 0 ? 0 : l.axis;
            d->step = CT_CAST(int32_t, l.step);
            d->offset = CT_CAST(int32_t, l.offset);
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

/** @internal The offset of a tile in shared memory before the swizzle, in elements. tile: its
 * number, the first axis fastest, among the axes that do not step by a multiple of the period. */
CT_FN int64_t ct_side_tile_offset(const ct_side *side, int64_t period, int32_t bits, int64_t *tile)
{
    int64_t offset = 0;
    CT_FOR(a, CT_AXES)
    {
        const int64_t step = CT_CAST(int64_t, side->next[a]) * 8 / bits;
        if (side->tiles[a] < 2 || (step & (period - 1)) == 0) continue;
        offset += *tile % side->tiles[a] * step;
        *tile /= side->tiles[a];
    }
    return offset;
}

/** @internal fold and add of every access, from offsets in elements (in add, as ct_side_accesses
 *  leaves them). The swizzle of a sum is the XOR of the swizzles if the parts share no bit. */
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
    side->separate = period * bits / 8 <= 1 << 16; /* fold has 16 bits */
    for (int i = 0; i < side->accesses; ++i)
        if ((side->add[i] & (period - 1) & taken) != 0) side->separate = 0;
    side->first = CT_CAST(int32_t, s->first * bits / 8);
    for (int i = 0; i < side->accesses; ++i) {
        const int64_t low = side->add[i] & (period - 1), high = side->add[i] - low;
        const int64_t to = ct_swizzle_apply(sw, low);
        const int plain = (to & moved) == 0; /* no carry: an addition equals the XOR */
        side->fold[i] = side->separate && !plain ? CT_CAST(uint16_t, to * bits / 8) : 0;
        side->add[i] = !side->separate ? CT_CAST(int32_t, side->add[i] * bits / 8)
                                       : CT_CAST(int32_t, (plain ? high + to : high) * bits / 8);
    }
}

/** The order of a side: element k of access i is value number[i * width + k] of the thread. */
typedef struct ct_value_order {
    int16_t number[CT_VALUES];
} ct_value_order;

/** @internal The bits of a number from low to high, one more where one is negative; 0: it is always 0. */
CT_FN int32_t ct_bits_between(int64_t low, int64_t high)
{
    int32_t bits = low < 0;
    for (; high > 0 || low < -1; ++bits) {
        high >>= 1;
        low >>= 1;
    }
    return bits;
}

/** @internal Gives each axis the bits of coord that coordinates from low[a] to high[a] need, the last that needs any
 *  the lowest: so a shift, or a mask, leads to one of two axes. */
CT_FN ct_error ct_side_give_bits(ct_side *side, const int64_t *low, const int64_t *high)
{
    const ct_error none = CT_ZERO;
    int32_t taken = 0;
    int last = 0;
    CT_FOR(a, CT_AXES)
    {
        side->is_signed |= low[a] < 0;
        if (low[a] < 0 || high[a] > 0) last = a;
    }
    CT_FOR(a, CT_AXES)
    {
        const int32_t bits =
            ct_bits_between(low[a] < 0 ? low[a] : 0 - side->is_signed * (high[a] > 0), high[a]);
        taken += bits;
        if (taken > 31)
            return ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_COORD_BITS, a, taken,
                                 31);
        if (bits == 0) continue;
        side->left[a] = CT_CAST(uint8_t, a == last ? 32 - bits : taken - bits);
        side->right[a] = CT_CAST(uint8_t, 32 - bits);
    }
    return none;
}

/** @internal Gives each axis the bits that the coordinates of a side's accesses need. */
CT_FN ct_error ct_side_bits_of_axes(ct_side *side, const ct_leaf_order *o)
{
    int64_t low[CT_AXES] = CT_ZERO, high[CT_AXES] = CT_ZERO, number = 1;
    for (int k = 0; k < o->count; ++k) {
        const int64_t reach = number < side->width ? 0 : (o->leaf[k].shape - 1) * o->leaf[k].step;
        const int axis = o->leaf[k].axis;
        number *= o->leaf[k].shape;
        if (axis < 0) continue;
        low[axis] += reach < 0 ? reach : 0;
        high[axis] += reach > 0 ? reach : 0;
    }
    return ct_side_give_bits(side, low, high);
}

/** @internal The coordinates along each axis from an access's first to its last; 255 for more. */
CT_FN void ct_access_reach(uint8_t *reach, const ct_leaf_order *o, int64_t width)
{
    int64_t number = 1;
    for (int k = 0; k < o->count && number < width; ++k) {
        const ct_access_leaf l = o->leaf[k];
        const int64_t more = (l.shape - 1) * (l.step < 0 ? -l.step : l.step);
        if (l.axis >= 0) reach[l.axis] = CT_CAST(uint8_t, ct_min(reach[l.axis] + more, 255));
        number *= l.shape;
    }
}

/** @internal The bits of coord that hold a coordinate along an axis. */
CT_FN uint32_t ct_access_coord_bits(const ct_side *side, int axis, int64_t at)
{
    return CT_CAST(uint32_t, at) << side->right[axis] >> side->left[axis];
}

/** @internal Fills the accesses of a side from its leaves in order. */
CT_FN ct_error ct_side_accesses(ct_side *side, const ct_leaf_order *o, int64_t values,
                                ct_value_order *order)
{
    const int64_t accesses = values / side->width;
    if (accesses > CT_ACCESSES || values > CT_VALUES)
        return ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_ACCESSES, 0,
                             accesses > CT_ACCESSES ? accesses : values,
                             accesses > CT_ACCESSES ? CT_ACCESSES : CT_VALUES);
    side->accesses = CT_CAST(int32_t, accesses);
    const ct_error e = ct_side_bits_of_axes(side, o);
    for (int64_t v = 0; v < values; ++v) {
        int64_t rest = v, number = 0, offset = 0, coord[CT_AXES] = CT_ZERO;
        const int64_t i = v / side->width;
        for (int k = 0; k < o->count; ++k) {
            const ct_access_leaf l = o->leaf[k];
            const int64_t at = rest % l.shape;
            rest /= l.shape;
            number += at * l.number;
            offset += at * l.offset;
            if (l.axis >= 0) coord[l.axis] += at * l.step;
        }
        order->number[v] = CT_CAST(int16_t, number);
        if (v % side->width != 0 || e.status) continue;
        side->add[i] = CT_CAST(int32_t, offset);
        CT_FOR(a, CT_AXES) side->coord[i] |= ct_access_coord_bits(side, a, coord[a]);
    }
    return e;
}

/** @internal The words of registers that an access takes. */
CT_FN int32_t ct_side_words(const ct_side *side, int32_t elem_bits)
{
    const int32_t bits = side->width * elem_bits;
    return (bits + 31) / 32;
}

#endif
