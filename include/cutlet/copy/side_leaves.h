/**
 * The leaves of one side of a copy: the modes of its threads and values, the leaves of one access,
 * and the order of the accesses.
 */
#ifndef CUTLET_COPY_SIDE_LEAVES_H
#define CUTLET_COPY_SIDE_LEAVES_H

#include <cutlet/copy/access_leaves.h>
#include <cutlet/copy/shared_tiles.h>
#include <cutlet/copy/thread_values.h>

/** The input of a tile's partition: the leaves of its threads and of its values. */
typedef struct ct_leaves_of_side {
    ct_access_leaves threads, values;
    ct_swizzle swizzle; /* of elements */
    int64_t first;      /* offset of the layout, in elements */
} ct_leaves_of_side;

/** @internal L, a layout of the tile, by threads and values: ((thread, values), (rest)). */
CT_FN ct_layout ct_tile_by_thread(ct_tiled_copy t, ct_layout tv, ct_layout L)
{
    return ct_composition_by(ct_zipped_divide_by(L, t.tiler), ct_tiler2(tv, ct_tile_any()));
}

/** @internal The coordinates of a tile by its leaves: leaf a of the shape steps along axis a. */
CT_FN ct_layout ct_axes_of_tile(ct_tuple tile)
{
    ct_tuple steps = tile;
    CT_FOR(a, tile.profile.leaves)
    {
        steps.value[a] = 1;
        steps.basis[a] = CT_CAST(uint32_t, a + 1);
    }
    return ct_make_layout(tile, steps);
}

/** @internal The leaves of a side of a tiled copy in a tile. */
CT_FN ct_leaves_of_side ct_leaves_of(ct_tiled_copy t, ct_layout atom_tv, ct_tuple tile, ct_memory m)
{
    ct_leaves_of_side r = CT_ZERO;
    const ct_layout tv = ct_tiled_copy_tv(t, atom_tv);
    const ct_layout coords = ct_tile_by_thread(t, tv, ct_axes_of_tile(tile));
    ct_layout offsets = coords;
    r.swizzle = ct_swizzle_none();
    if (m.space == CT_SPACE_SHARED) {
        r.swizzle = m.layout.swizzle;
        r.first = ct_memory_first(m);
        offsets = ct_tile_by_thread(t, tv, ct_first_tile(m, tile));
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

/** @internal Whether a leaf steps from one element of the side's memory to the next, `next`
 *  elements on. */
CT_FN int ct_leaf_is_next(ct_access_leaf l, ct_memory m, int64_t next)
{
    if (m.space == CT_SPACE_SHARED) return l.offset == next;
    return m.space == CT_SPACE_GLOBAL && l.axis == m.axis && l.step == next;
}

/** @internal The number of contiguous elements from the thread's first on, at most `most`, such
 * that every access of this width begins at a multiple of it. */
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
    /* every other leaf and every thread must begin at a multiple of it */
    for (int side = 0; side < 2; ++side) {
        const ct_access_leaves *a = side == 0 ? &s->threads : &s->values;
        for (int i = 0; i < a->count; ++i) {
            const ct_access_leaf l = a->leaf[i];
            if (l.shape == 1) continue;
            int64_t by = 0;
            if (m.space == CT_SPACE_SHARED) by = l.offset;
            else if (l.axis == m.axis) by = l.step;
            if (by == 0) continue;
            /* a leaf of the run, or one that begins after it */
            if (side == 1 && by < run && run % by == 0 && l.shape * by <= run) continue;
            if (side == 1 && by < run && run % by == 0 && (l.shape * by) % run == 0) continue;
            run = ct_power_of_two(ct_gcd(by, run), run);
        }
    }
    if (m.space == CT_SPACE_SHARED) {
        run = ct_power_of_two(s->first, run);
        if (s->swizzle.bits > 0) run = ct_min(run, CT_CAST(int64_t, 1) << s->swizzle.base);
    }
    return run;
}

/** @internal Which leaves of the values make up one access of `width` elements: a leaf that does in
 *  part is split. A bit for each leaf. */
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
            if (s->values.count > before) { /* the bits after the leaf move up */
                const uint64_t low = (CT_CAST(uint64_t, 2) << i) - 1;
                taken = (taken & low) | (taken & ~low) << 1;
            }
            taken |= CT_CAST(uint64_t, 1) << i;
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

/** @internal Adds a leaf after all others. */
CT_FN void ct_leaf_order_push(ct_leaf_order *o, ct_access_leaf l)
{
    if (l.shape == 1) return;
    o->leaf[o->count] = l;
    o->count += 1;
}

/** @internal Inserts after those from `from` on that have a smaller `by`: step or offset. */
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

/** @internal The leaves of a side: those of one access, then those that only the other side's
 * accesses hold, then the rest. Both sides take the rest in one order, along the contiguous axis
 * first. */
CT_FN ct_leaf_order ct_order_leaves(const ct_access_leaves *a, ct_memory m, uint64_t own,
                                    uint64_t other, int32_t axis, int natural)
{
    ct_leaf_order o = CT_ZERO;
    for (int i = 0; i < a->count; ++i)
        if (own >> i & 1) ct_leaf_order_insert(&o, 0, a->leaf[i], m.space == CT_SPACE_SHARED);
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

/** The set of all leaves; a leaf is a bit. */
#define CT_ALL_LEAVES UINT64_MAX

/** @internal The number of elements of the leaves of a set. */
CT_FN int64_t ct_leaves_size(const ct_access_leaves *a, uint64_t set)
{
    int64_t n = 1;
    for (int i = 0; i < a->count; ++i)
        if (set >> i & 1) n *= a->leaf[i].shape;
    return n;
}

#endif
