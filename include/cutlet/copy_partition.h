/**
 * The partition of a tile by a tiled copy: which thread moves what, as coordinates of the tile.
 *
 * Everything here is known when a kernel is compiled. A thread has a first element; its accesses
 * follow at constant coordinates from there. Either side of the copy goes through the thread's
 * values in accesses of its own: along the axis that is contiguous there, as wide as the side
 * allows. Where the two orders differ, the copy turns the values in registers.
 *
 *     CT_STATIC(ct_partition, load,
 *               ct_make_partition(copy, ct_tuple2(128, 64), ct_in_global(1), ct_in_shared(tile)));
 *
 * A kernel multiplies the coordinates with the strides of a matrix, which it is told when it runs.
 */
#ifndef CUTLET_COPY_PARTITION_H
#define CUTLET_COPY_PARTITION_H

#include "access_leaves.h"
#include "copy_sides.h"
#include "copy_width.h"
#include "tensor_ops.h"
#include "tiled_copy.h"

/** What is known of a side when the kernel is compiled: of global memory which axis of the tile is
 *  contiguous, of shared memory the layout, of registers nothing: they hold the values in order. */
typedef struct ct_memory {
    int32_t space;
    int32_t axis;
    int32_t most; /* elements of an access, where not as many as there can be; 0: as many */
    ct_tensor layout;
} ct_memory;

/** Global memory, contiguous along an axis of the tile. */
CT_FN ct_memory ct_in_global(int32_t axis)
{
    ct_memory m = CT_ZERO;
    m.axis = axis;
    return m;
}

/** Shared memory. The modes of the layout are the axes of the tile; further modes, stages, are
 *  left alone. */
CT_FN ct_memory ct_in_shared(ct_tensor layout)
{
    ct_memory m = CT_ZERO;
    m.space = CT_SHARED;
    m.axis = -1;
    m.layout = layout;
    return m;
}

/** The same without a swizzle. */
CT_FN ct_memory ct_in_shared_plain(ct_layout layout)
{
    return ct_in_shared(ct_make_swizzled(ct_swizzle_none(), 0, layout));
}

/** The thread's registers: its values in the order of the tiled copy, packed. */
CT_FN ct_memory ct_in_registers(void)
{
    ct_memory m = CT_ZERO;
    m.space = CT_REGISTERS;
    m.axis = -1;
    return m;
}

/** The offset at which a shared layout begins. */
CT_FN int64_t ct_memory_first(ct_memory m)
{
    return m.layout.offset.profile.leaves > 0 ? m.layout.offset.value[0] : 0;
}

/** The failed partition that carries e. */
CT_FN ct_partition ct_partition_fail(ct_error e)
{
    ct_partition p = CT_ZERO;
    p.err = e;
    return p;
}

/** p for tiles of which the kernel promises that they are whole, contiguous and aligned as p has
 *  them: nothing is tested. */
CT_FN ct_partition ct_promise_whole(ct_partition p)
{
    p.promised = 1;
    return p;
}

/** p with the loads of so many words of registers in flight at once, as far as blocks allow. */
CT_FN ct_partition ct_with_in_flight(ct_partition p, int32_t words)
{
    p.in_flight = words;
    return p;
}

/** A partition for tensors whose elements may lie at any address. */
CT_FN ct_partition ct_partition_loose(ct_partition p)
{
    p.is_loose = 1;
    return p;
}

/** The widest access that copies make unless they are asked for more. */
#define CT_ACCESS_BITS 128

/* ---- the leaves of a side ---------------------------------------------------------------------- */

/** What a tile's partition is worked out from: the leaves of its threads and of its values. */
typedef struct ct_leaves_of_side {
    ct_access_leaves threads, values;
    ct_swizzle swizzle; /* of elements */
    int64_t first;      /* offset of the layout, in elements */
} ct_leaves_of_side;

/** L, a layout of the tile, by threads and values: ((thread, values), (rest)). */
CT_FN ct_layout ct_tile_by_thread(ct_tiled_copy t, ct_layout tv, ct_layout L)
{
    return ct_composition_by(ct_zipped_divide_by(L, t.tiler), ct_tiler2(tv, ct_tile_any()));
}

/** The leaves of a side of a tiled copy in a tile. */
CT_FN ct_leaves_of_side ct_leaves_of(ct_tiled_copy t, ct_layout atom_tv, ct_tuple tile, ct_memory m)
{
    ct_leaves_of_side r = CT_ZERO;
    const ct_layout tv = ct_tiled_copy_tv(t, atom_tv);
    const ct_layout coords = ct_tile_by_thread(t, tv, ct_make_identity_layout(tile));
    ct_layout offsets = coords;
    r.swizzle = ct_swizzle_none();
    if (m.space == CT_SHARED) {
        const int axes = ct_rank(tile);
        r.swizzle = m.layout.swizzle;
        r.first = ct_memory_first(m);
        offsets = ct_tile_by_thread(t, tv, ct_layout_take(m.layout.layout, 0, axes));
    } else {
        CT_FOR(i, offsets.profile.leaves) offsets.stride[i] = 0;
    }
    if (coords.err.status || offsets.err.status) {
        r.threads.err = r.values.err = coords.err.status ? coords.err : offsets.err;
        return r;
    }
    const ct_layout in_c = ct_mode(coords, 0), in_o = ct_mode(offsets, 0);
    r.threads = ct_make_access_leaves(ct_mode(in_c, 0), ct_mode(in_o, 0));
    r.values = ct_make_access_leaves(ct_make_layout2(ct_mode(in_c, 1), ct_mode(coords, 1)),
                                     ct_make_layout2(ct_mode(in_o, 1), ct_mode(offsets, 1)));
    return r;
}

/* ---- the accesses of a side -------------------------------------------------------------------- */

/** Whether a leaf steps from one element of the side's memory to the next, `next` elements on. */
CT_FN int ct_leaf_is_next(ct_access_leaf l, ct_memory m, int64_t next)
{
    if (m.space == CT_SHARED) return l.offset == next;
    return m.space == CT_GLOBAL && l.axis == m.axis && l.step == next;
}

/** How many elements lie side by side from the thread's first on, at most `most`, so that every
 *  access of so many begins at a multiple of it. */
CT_FN int64_t ct_side_run(const ct_leaves_of_side *s, ct_memory m, int64_t most)
{
    int64_t run = 1;
    for (int again = 1; again;) {
        again = 0;
        for (int i = 0; i < s->values.count; ++i) {
            const ct_access_leaf l = s->values.leaf[i];
            if (!again && l.shape > 1 && run < most && ct_leaf_is_next(l, m, run)) {
                run *= l.shape;
                again = 1;
            }
        }
    }
    run = ct_power_of_two(run, most);
    /* every other leaf, and every thread, must begin at a multiple of it */
    for (int side = 0; side < 2; ++side) {
        const ct_access_leaves *a = side == 0 ? &s->threads : &s->values;
        for (int i = 0; i < a->count; ++i) {
            const ct_access_leaf l = a->leaf[i];
            if (l.shape == 1) continue;
            int64_t by = 0;
            if (m.space == CT_SHARED) by = l.offset;
            else if (l.axis == m.axis) by = l.step;
            if (by == 0) continue;
            /* a leaf of the run itself, or one that begins behind it */
            if (side == 1 && by < run && run % by == 0 && l.shape * by <= run) continue;
            if (side == 1 && by < run && run % by == 0 && (l.shape * by) % run == 0) continue;
            run = ct_power_of_two(ct_gcd(by, run), run);
        }
    }
    if (m.space == CT_SHARED) {
        run = ct_power_of_two(s->first, run);
        if (s->swizzle.bits > 0) run = ct_min(run, (int64_t)1 << s->swizzle.base);
    }
    return run;
}

/** Which leaves of the values make up one access of `width` elements: a leaf that does in part is
 *  split. A bit for each leaf. */
CT_FN uint64_t ct_side_take_run(ct_leaves_of_side *s, ct_memory m, int64_t width)
{
    uint64_t taken = 0;
    int64_t run = 1;
    for (int again = 1; again && run < width;) {
        again = 0;
        for (int i = 0; i < s->values.count; ++i) {
            const ct_access_leaf l = s->values.leaf[i];
            if (again || l.shape == 1 || !ct_leaf_is_next(l, m, run)) continue;
            const int64_t n = ct_min(l.shape, width / run);
            const int before = s->values.count;
            ct_access_leaves_split(&s->values, i, n);
            if (s->values.count > before) { /* the bits behind the leaf move up */
                const uint64_t low = ((uint64_t)2 << i) - 1;
                taken = (taken & low) | (taken & ~low) << 1;
            }
            taken |= (uint64_t)1 << i;
            run *= n;
            again = 1;
        }
    }
    return taken;
}

/** An order of leaves: the first of them runs fastest. */
typedef struct ct_leaf_order {
    int32_t count;
    ct_access_leaf leaf[2 * CT_MAX_LEAVES];
} ct_leaf_order;

CT_FN void ct_leaf_order_push(ct_leaf_order *o, ct_access_leaf l)
{
    if (l.shape == 1) return;
    o->leaf[o->count] = l;
    o->count += 1;
}

/** Behind those from `from` on that begin at a smaller `by`: step or offset. */
CT_FN void ct_leaf_order_insert(ct_leaf_order *o, int from, ct_access_leaf l, int by_offset)
{
    if (l.shape == 1) return;
    int i = o->count;
    for (; i > from; --i) {
        const ct_access_leaf before = o->leaf[i - 1];
        if ((by_offset ? before.offset : before.step) <= (by_offset ? l.offset : l.step)) break;
        o->leaf[i] = before;
    }
    o->leaf[i] = l;
    o->count += 1;
}

/** The leaves of a side: those of one access, then those that only the other side's accesses hold,
 *  then the rest, which both sides take in one order: along the contiguous axis first. */
CT_FN ct_leaf_order ct_order_leaves(const ct_access_leaves *a, ct_memory m, uint64_t own,
                                    uint64_t other, int32_t axis, int natural)
{
    ct_leaf_order o = CT_ZERO;
    for (int i = 0; i < a->count; ++i)
        if (own >> i & 1) ct_leaf_order_insert(&o, 0, a->leaf[i], m.space == CT_SHARED);
    for (int i = 0; i < a->count; ++i)
        if (other >> i & 1 && !(own >> i & 1)) ct_leaf_order_push(&o, a->leaf[i]);
    for (int pass = 0; pass < 2; ++pass) {
        const int from = o.count;
        for (int i = 0; i < a->count; ++i) {
            const int along = natural || a->leaf[i].axis == axis;
            if ((own | other) >> i & 1 || along != (pass == 0)) continue;
            if (natural) ct_leaf_order_push(&o, a->leaf[i]);
            else ct_leaf_order_insert(&o, from, a->leaf[i], 0);
        }
    }
    return o;
}

/** How many elements the leaves of a set have together. */
CT_FN int64_t ct_leaves_size(const ct_access_leaves *a, uint64_t set)
{
    int64_t n = 1;
    for (int i = 0; i < a->count; ++i)
        if (set >> i & 1) n *= a->leaf[i].shape;
    return n;
}

/** The thread digits of a side. */
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

/** The offset of a thread in shared memory before the swizzle, in elements. */
CT_FN int64_t ct_side_thread_offset(const ct_side *side, int64_t thread)
{
    int64_t offset = 0;
    for (int i = 0; i < side->digits; ++i)
        offset += thread / side->digit[i].div % side->digit[i].mod * side->digit[i].offset;
    return offset;
}

/** fold and add of every access, from offsets in elements (in add, as ct_side_accesses leaves
 *  them). The swizzle of a sum is the XOR of the swizzles where the parts share no bit. */
CT_FN void ct_side_fold(ct_side *side, const ct_leaves_of_side *s, int64_t threads, int32_t bits)
{
    const ct_swizzle sw = s->swizzle;
    const int64_t period =
        sw.bits > 0 ? (int64_t)1 << (sw.bits + sw.base + (int)ct_abs(sw.shift)) : 1;
    int64_t taken = 0, moved = 0; /* bits below the period that some thread has: before and after */
    for (int64_t t = 0; sw.bits > 0 && t < threads; ++t) {
        const int64_t at = (s->first + ct_side_thread_offset(side, t)) & (period - 1);
        taken |= at;
        moved |= ct_swizzle_apply(sw, at);
    }
    side->apart = 1;
    for (int i = 0; i < side->accesses; ++i)
        if ((side->add[i] & (period - 1) & taken) != 0) side->apart = 0;
    side->first = (int32_t)(s->first * bits / 8);
    for (int i = 0; i < side->accesses; ++i) {
        const int64_t low = side->add[i] & (period - 1), high = side->add[i] - low;
        const int64_t to = ct_swizzle_apply(sw, low);
        const int plain = (to & moved) == 0; /* no carry: an addition does what the XOR does */
        side->fold[i] = side->apart && !plain ? (int32_t)(to * bits / 8) : 0;
        side->add[i] = !side->apart ? (int32_t)(side->add[i] * bits / 8)
                                    : (int32_t)((plain ? high + to : high) * bits / 8);
    }
}

/** Fills the accesses of a side from its leaves in order. */
CT_FN ct_error ct_side_accesses(ct_side *side, const ct_leaf_order *o, int64_t values)
{
    ct_error e = CT_ZERO;
    const int64_t accesses = values / side->width;
    if (accesses > CT_ACCESSES || values > CT_VALUES)
        return ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_VALUES, 0,
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
            if (v % side->width == 0 && l.axis >= 0) side->coord[i][l.axis] += (int32_t)(at * l.step);
        }
        if (v % side->width == 0) side->add[i] = (int32_t)offset;
        side->order[v] = (int16_t)number;
        side->place[number] = (int16_t)v;
    }
    return e;
}

/* ---- the partition ----------------------------------------------------------------------------- */

/** The width of a side's accesses in elements: what the atom asks for, or the widest there is. */
CT_FN ct_error ct_side_width(ct_side *side, const ct_leaves_of_side *s, ct_memory m,
                             ct_copy_atom atom, int64_t values, int which)
{
    ct_error e = CT_ZERO;
    const int64_t most = m.most > 0 ? m.most : CT_ACCESS_BITS / atom.value_bits;
    if (m.space == CT_REGISTERS) {
        side->width = (int32_t)values;
        return e;
    }
    const int any = atom.kind == CT_ATOM_AUTO;
    const int64_t want = any ? ct_max(most, 1) : ct_atom_vector(atom);
    const int64_t run = ct_side_run(s, m, want);
    if (m.space == CT_SHARED && want * atom.value_bits > 128) /* only global memory has wider ones */
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_ATOM, which, want * atom.value_bits,
                             atom.value_bits);
    if (!any && run < want)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_CONTIGUOUS, which, want,
                             run);
    side->width = (int32_t)run;
    return e;
}

/** Whether the block of a tiled copy divides the tile. */
CT_FN ct_error ct_partition_check(ct_tiled_copy t, ct_tuple tile)
{
    ct_error e = t.atom.err.status ? t.atom.err : tile.err;
    if (e.status) return e;
    const int axes = ct_rank(tile), modes = ct_tiler_count(t.tiler);
    if (tile.profile.leaves != axes || axes > CT_AXES)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_RANK, 0, CT_AXES,
                             tile.profile.leaves);
    if (modes > axes)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_RANK_MORE, 0, modes, axes);
    for (int k = 0; k < modes; ++k) {
        const int64_t block = ct_size(ct_tile(t.tiler, k)), extent = tile.value[k];
        if (extent < 1 || extent % block != 0)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_SIZE_DIVIDES, k, extent,
                                 block);
    }
    return e;
}

/** Whether elements of less than a byte are moved by whole bytes, in one order. */
CT_FN ct_error ct_partition_check_bytes(const ct_partition *p)
{
    ct_error e = CT_ZERO;
    const int32_t least = (int32_t)ct_min(p->src.width, p->dst.width) * p->elem_bits;
    if (p->elem_bits < 8 && (least < 8 || p->turned))
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_CONTIGUOUS,
                          p->src.width <= p->dst.width ? 0 : 1, 8 / p->elem_bits,
                          p->turned ? 1 : ct_min(p->src.width, p->dst.width));
    return e;
}

/** The words of registers that an access takes. */
CT_FN int32_t ct_side_words(const ct_side *side, int32_t elem_bits)
{
    const int32_t bits = side->width * elem_bits;
    return bits < 32 ? 1 : bits / 32;
}

/** A swizzle of elements as one of bytes. */
CT_FN ct_swizzle ct_swizzle_of_bytes(ct_swizzle sw, int32_t elem_bits)
{
    if (sw.bits == 0) return ct_swizzle_none();
    return elem_bits < 8 ? ct_swizzle_upcast(sw, 8 / elem_bits)
                         : ct_swizzle_downcast(sw, elem_bits / 8);
}

/** The tiled copy of an atom by which one thread moves a whole tile of a rank. */
CT_FN ct_tiled_copy ct_make_tile_copy(ct_copy_atom atom)
{
    return ct_make_tiled_copy(atom, ct_layout1(1, 0), ct_layout1(1, 0));
}

/** The tiled copy of an atom by a layout (thread, value) -> index in a tile of a shape: what a tiled
 *  MMA needs of its operands, of which several threads may hold the same element.
 *  Fails:    CT_E_ARGUMENT when there are too few threads or values for the atom; CT_E_DOMAIN when tv
 *            reaches past the tile. */
CT_FN ct_tiled_copy ct_make_tiled_copy_tv(ct_copy_atom atom, ct_layout tv, ct_tuple tile)
{
    if (atom.err.status) return ct_tiled_copy_fail(atom.err);
    if (tv.err.status) return ct_tiled_copy_fail(tv.err);
    ct_tiled_copy t = CT_ZERO;
    t.atom = atom;
    t.tv = tv;
    t.tiler = ct_tiler_of_shape(tile);
    if (t.tiler.tiles.err.status) return ct_tiled_copy_fail(t.tiler.tiles.err);
    int64_t size = 1;
    CT_FOR(i, tile.profile.leaves) size *= tile.value[i];
    const ct_error fits = ct_atom_fits(atom, ct_size(ct_mode(tv, 0)), ct_size(ct_mode(tv, 1)));
    if (fits.status) return ct_tiled_copy_fail(fits);
    if (ct_lowest(tv) < 0 || ct_cosize(tv) > size)
        return ct_tiled_copy_fail(ct_make_error(CT_E_DOMAIN, CT_OP_TILED_COPY, CT_WHY_INDEX, 0,
                                                ct_cosize(tv) - 1, size));
    return t;
}

/** The bytes of shared memory from one stage of a layout to the next: the step of its mode behind the
 *  axes, or all of it, in whole lines of 128 bytes. */
CT_FN int32_t ct_stage_bytes(ct_memory m, int axes, int32_t elem_bits)
{
    if (m.space != CT_SHARED) return 0;
    const ct_layout L = m.layout.layout;
    if (ct_layout_rank(L) > axes)
        return (int32_t)(ct_mode(L, axes).stride[0] * elem_bits / 8);
    const ct_swizzle sw = m.layout.swizzle;
    const int64_t period = sw.bits > 0 ? (int64_t)1 << (sw.bits + sw.base + (int)ct_abs(sw.shift)) : 1;
    const int64_t elems = ct_ceil_div_int(ct_memory_first(m) + ct_cosize(L), period) * period;
    return (int32_t)(ct_ceil_div_int(elems * elem_bits, 8 * 128) * 128);
}

/** The partition of a tile that one thread moves: its rows, along the contiguous axis, are the
 *  accesses of bulk copies; a tile copy is one access. */
CT_FN ct_partition ct_make_whole_partition(ct_copy_atom atom, ct_tuple tile, ct_memory src, ct_memory dst)
{
    ct_partition p = CT_ZERO;
    const ct_memory global = src.space == CT_GLOBAL ? src : dst;
    const ct_memory shared = src.space == CT_GLOBAL ? dst : src;
    const int bulk = atom.kind == CT_ATOM_BULK_LOAD || atom.kind == CT_ATOM_BULK_STORE;
    const int load = atom.kind == CT_ATOM_BULK_LOAD || atom.kind == CT_ATOM_TMA_LOAD;
    p.atom = atom.kind;
    p.elem_bits = atom.value_bits;
    p.threads = p.values = p.blocks = p.src_block = p.dst_block = 1;
    p.axes = ct_rank(tile);
    p.src_swizzle = p.dst_swizzle = ct_swizzle_none();
    for (int k = 0; k < p.axes; ++k) p.tile[k] = (int32_t)tile.value[k];
    if (src.space != (load ? CT_GLOBAL : CT_SHARED) || dst.space != (load ? CT_SHARED : CT_GLOBAL) ||
        global.axis < 0 || global.axis >= p.axes)
        return ct_partition_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_ATOM,
                                               atom.kind, atom.bits, atom.value_bits));
    ct_side *const g = load ? &p.src : &p.dst, *const s = load ? &p.dst : &p.src;
    g->space = CT_GLOBAL;
    s->space = CT_SHARED;
    g->axis = global.axis;
    s->axis = -1;
    g->accesses = s->accesses = 1;
    g->width = s->width = p.tile[global.axis];
    s->bytes = ct_stage_bytes(shared, p.axes, p.elem_bits);
    s->apart = 1;
    if (!bulk) return p;
    const ct_layout L = ct_layout_take(shared.layout.layout, 0, p.axes);
    const ct_layout row = ct_coalesce(ct_mode(L, global.axis));
    if (L.err.status) return ct_partition_fail(L.err);
    const int64_t bytes = (int64_t)g->width * p.elem_bits / 8;
    if (shared.layout.swizzle.bits != 0 || row.profile.leaves != 1 || row.stride[0] != 1 || bytes % 16 != 0)
        return ct_partition_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_CONTIGUOUS,
                                               load ? 1 : 0, 16 * 8 / p.elem_bits,
                                               row.stride[0] == 1 ? g->width : 1));
    int64_t rows = 1;
    for (int k = 0; k < p.axes; ++k) rows *= k == global.axis ? 1 : p.tile[k];
    if (rows > CT_ACCESSES)
        return ct_partition_fail(ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_VALUES, 0,
                                               rows, CT_ACCESSES));
    g->accesses = s->accesses = (int32_t)rows;
    for (int64_t i = 0; i < rows; ++i) {
        int64_t rest = i, offset = ct_memory_first(shared);
        for (int k = 0; k < p.axes; ++k) {
            if (k == global.axis) continue;
            g->coord[i][k] = s->coord[i][k] = (int32_t)(rest % p.tile[k]);
            offset += ct_eval(ct_mode(L, k), rest % p.tile[k]);
            rest /= p.tile[k];
        }
        s->add[i] = (int32_t)(offset * p.elem_bits / 8);
        if (s->add[i] % 16 != 0)
            return ct_partition_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY,
                                                   CT_WHY_ALIGNMENT, load ? 1 : 0, offset,
                                                   16 * 8 / p.elem_bits));
    }
    return p;
}

/**
 * The partition of a tile by a tiled copy. tile: the extents, one integer an axis.
 *
 * Ensures:  over all threads and accesses of a side, each element of the tile is met exactly
 *           once where the tiled copy meets each once (tests/test_copy.c).
 * Fails:    CT_E_ARGUMENT when the block of the tiled copy does not divide the tile, or when the
 *           elements of an access do not lie side by side on a side whose width the atom gives;
 *           CT_E_CAPACITY for more than CT_ACCESSES accesses or CT_VALUES values; as composition.
 * Cost:     for the compiler: O(values * leaves + threads).
 */
CT_FN ct_partition ct_make_partition(ct_tiled_copy t, ct_tuple tile, ct_memory src, ct_memory dst)
{
    const ct_error bad = ct_partition_check(t, tile);
    if (bad.status) return ct_partition_fail(bad);
    if (ct_atom_is_tile(t.atom.kind)) return ct_make_whole_partition(t.atom, tile, src, dst);
    ct_leaves_of_side a = ct_leaves_of(t, t.atom.src_tv, tile, src);
    ct_leaves_of_side b = ct_leaves_of(t, t.atom.dst_tv, tile, dst);
    if (a.values.err.status) return ct_partition_fail(a.values.err);
    if (b.values.err.status) return ct_partition_fail(b.values.err);
    ct_partition p = CT_ZERO;
    const int matrix = ct_atom_is_matrix(t.atom.kind);
    p.atom = t.atom.kind;
    p.matrices = t.atom.matrices;
    p.elem_bits = t.atom.value_bits;
    p.threads = (int32_t)ct_tiled_copy_threads(t);
    p.axes = ct_rank(tile);
    p.in_flight = 16;
    for (int k = 0; k < p.axes; ++k) p.tile[k] = (int32_t)tile.value[k];
    p.src.space = src.space;
    p.dst.space = dst.space;
    p.src.bytes = ct_stage_bytes(src, p.axes, p.elem_bits);
    p.dst.bytes = ct_stage_bytes(dst, p.axes, p.elem_bits);
    p.src.axis = src.axis;
    p.dst.axis = dst.axis;
    const int64_t n_src = ct_leaves_size(&a.values, ~(uint64_t)0);
    const int64_t n_dst = ct_leaves_size(&b.values, ~(uint64_t)0);
    ct_error e = ct_side_width(&p.src, &a, src, t.atom, n_src, 0);
    if (e.status == CT_OK) e = ct_side_width(&p.dst, &b, dst, t.atom, n_dst, 1);
    if (e.status) return ct_partition_fail(e);
    /* Both sides split the values at the ends of either's accesses. */
    uint64_t in_src = 0, in_dst = 0;
    for (int again = 0; again < 2; ++again) {
        in_src = ct_side_take_run(&a, src, src.space == CT_REGISTERS ? 1 : p.src.width);
        if (!matrix) ct_access_leaves_match(&a.values, &b.values);
        in_dst = ct_side_take_run(&b, dst, dst.space == CT_REGISTERS ? 1 : p.dst.width);
        if (!matrix) ct_access_leaves_match(&a.values, &b.values);
    }
    if (a.values.err.status) return ct_partition_fail(a.values.err);
    const int32_t axis = src.space == CT_GLOBAL ? src.axis : dst.axis;
    const uint64_t none = 0;
    const ct_leaf_order os =
        ct_order_leaves(&a.values, src, in_src, matrix ? none : in_dst, axis,
                        matrix || src.space == CT_REGISTERS || dst.space == CT_REGISTERS);
    const ct_leaf_order od =
        ct_order_leaves(&b.values, dst, in_dst, matrix ? none : in_src, axis,
                        matrix || src.space == CT_REGISTERS || dst.space == CT_REGISTERS);
    p.values = (int32_t)(dst.space == CT_REGISTERS ? n_dst : n_src);
    e = ct_side_accesses(&p.src, &os, n_src);
    if (e.status == CT_OK) e = ct_side_accesses(&p.dst, &od, n_dst);
    if (e.status == CT_OK) e = ct_side_digits(&p.src, &a.threads);
    if (e.status == CT_OK) e = ct_side_digits(&p.dst, &b.threads);
    if (e.status) return ct_partition_fail(e);
    ct_side_fold(&p.src, &a, p.threads, p.elem_bits);
    ct_side_fold(&p.dst, &b, p.threads, p.elem_bits);
    p.src_swizzle = ct_swizzle_of_bytes(a.swizzle, p.elem_bits);
    p.dst_swizzle = ct_swizzle_of_bytes(b.swizzle, p.elem_bits);
    for (int side = 0; side < 2; ++side) { /* registers hold the values in order */
        ct_side *s = side == 0 ? &p.src : &p.dst;
        for (int v = 0; s->space == CT_REGISTERS && v < p.values; ++v) s->order[v] = s->place[v] = (int16_t)v;
    }
    if (matrix) {
        p.blocks = p.src.accesses;
        p.src_block = p.dst_block = 1;
        return p;
    }
    for (int v = 0; v < p.values; ++v)
        if (p.src.order[v] != p.dst.order[v]) p.turned = 1;
    e = ct_partition_check_bytes(&p);
    if (e.status) return ct_partition_fail(e);
    const int async = p.atom == CT_ATOM_CP_ASYNC_CA || p.atom == CT_ATOM_CP_ASYNC_CG;
    if (async && p.turned)
        return ct_partition_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_CONTIGUOUS,
                                               1, p.dst.width, 1));
    const int whole = src.space == CT_REGISTERS || dst.space == CT_REGISTERS;
    const int64_t block = whole ? p.values : ct_leaves_size(&a.values, in_src | in_dst);
    p.blocks = (int32_t)(p.values / block);
    p.src_block = p.src.accesses / p.blocks;
    p.dst_block = p.dst.accesses / p.blocks;
    const int64_t words = ct_max((int64_t)p.src_block * ct_side_words(&p.src, p.elem_bits),
                                 (int64_t)p.dst_block * ct_side_words(&p.dst, p.elem_bits));
    if (words > CT_COPY_WORDS)
        return ct_partition_fail(ct_make_error(CT_E_CAPACITY, CT_OP_PARTITION_COPY, CT_WHY_VALUES, 0,
                                               words, CT_COPY_WORDS));
    return p;
}

#endif
