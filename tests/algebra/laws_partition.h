/**
 * Laws of the partition that a kernel is compiled with: its tables against the algebra, thread by
 * thread and element by element. The oracle is ct_partition_src and ct_partition_dst, which share
 * the (thread, value) layout with it and none of the tables.
 */
#ifndef CUTLET_TESTS_LAWS_PARTITION_H
#define CUTLET_TESTS_LAWS_PARTITION_H

#include <cutlet/copy/copy_partition.h>

#include <cutlet/device/copy/access.h>
#include <cutlet/device/tensor/global.h>

/** What a partition is made of. */
typedef struct partition_case {
    ct_tiled_copy copy;
    ct_tuple tile;
    ct_memory src, dst;
} partition_case;

/** The elements of a tile that the laws enumerate. */
enum { PARTITION_ELEMS = 8192 };

/** The values of a thread on a side, of a tensor of the tile. */
LAW_FN ct_tensor law_values_of(const partition_case *c, int side, ct_tensor of, int64_t thread)
{
    return side ? ct_partition_dst(c->copy, of, thread) : ct_partition_src(c->copy, of, thread);
}

/** The values of a thread as indices of the tile, the first axis fastest. */
LAW_FN ct_tensor law_places_of(const partition_case *c, int side, int64_t thread)
{
    return law_values_of(c, side, ct_make_tensor(ct_make_col_major(c->tile)), thread);
}

/** A thread's coordinate along an axis at access i of a side. */
LAW_FN int64_t law_coordinate(const ct_side *s, int64_t thread, int i, int axis)
{
    int64_t at = s->coord[i][axis];
    for (int d = 0; d < s->digits; ++d)
        if (s->digit[d].axis == axis)
            at += thread / s->digit[d].div % s->digit[d].mod * s->digit[d].step;
    return at;
}

/** The elements of the tile from one coordinate along an axis to the next. */
LAW_FN int64_t law_axis_step(const ct_partition *P, int axis)
{
    int64_t step = 1;
    for (int a = 0; a < axis; ++a) step *= P->tile[a];
    return step;
}

/** Each element of the tile is held as often as every other: once, where the threads and values are
 *  as many as the elements. Each value of a thread is one element of one access. */
LAW_FN const char *law_partition_cover(const partition_case *c, const ct_partition *P)
{
    const int64_t size = ct_product(c->tile);
    for (int side = 0; side < 2; ++side) {
        static int32_t met[PARTITION_ELEMS];
        const ct_side *const s = side ? &P->dst : &P->src;
        const int n = s->accesses * s->width;
        memset(met, 0, sizeof met);
        for (int64_t t = 0; t < P->threads; ++t) {
            const ct_tensor at = law_places_of(c, side, t);
            if (at.layout.err.status)
                return law_broken("the algebra divides the tile", t, at.layout.err.status, 0);
            if (oracle_size(at.layout) != n)
                return law_broken("a thread has all its values", t, n, oracle_size(at.layout));
            for (int j = 0; j < n; ++j) {
                const int v = s->order[j];
                if (v < 0 || v >= n)
                    return law_broken("an access holds values of the thread", j, v, n);
                if (s->inverse[v] != j)
                    return law_broken("inverse is the inverse of order", j, s->inverse[v], j);
                const int64_t e = oracle_tensor(&at, v);
                if (e < 0 || e >= size) return law_broken("a value is in the tile", v, e, size);
                met[e]++;
            }
        }
        for (int64_t e = 0; e < size; ++e)
            if (met[e] < 1 || met[e] * size != (int64_t)P->threads * n)
                return law_broken("every element is held alike", e, met[e],
                                  (int64_t)P->threads * n / size);
    }
    return NULL;
}

/** In memory each access begins at the thread's first coordinate and its own, where the algebra has
 *  its first element; in global memory its elements follow along the contiguous axis. */
LAW_FN const char *law_partition_coordinates(const partition_case *c, const ct_partition *P)
{
    for (int side = 0; side < 2; ++side) {
        const ct_side *const s = side ? &P->dst : &P->src;
        if (s->space == CT_SPACE_REGISTERS) continue;
        for (int64_t t = 0; t < P->threads; ++t) {
            const ct_tensor places = law_places_of(c, side, t);
            for (int i = 0; i < s->accesses; ++i) {
                int64_t at = 0;
                for (int a = 0; a < P->axes; ++a) {
                    const int64_t x = law_coordinate(s, t, i, a);
                    const int64_t end = x + (a == s->axis ? s->width : 1);
                    if (x < 0 || end > P->tile[a])
                        return law_broken("an access is in the tile", i, x, P->tile[a]);
                    at += x * law_axis_step(P, a);
                }
                for (int k = 0; k < (s->axis >= 0 ? s->width : 1); ++k) {
                    const int64_t want = oracle_tensor(&places, s->order[i * s->width + k]);
                    const int64_t got = at + (s->axis >= 0 ? k * law_axis_step(P, s->axis) : 0);
                    if (got != want)
                        return law_broken("the coordinate is the algebra's", t, got, want);
                }
            }
        }
    }
    return NULL;
}

/** The byte of shared memory of access i of a thread, by the constants that a kernel has. */
LAW_FN int64_t law_shared_byte(const ct_partition *P, int side, int64_t thread, int i)
{
    const ct_side *const s = side ? &P->dst : &P->src;
    const ct_swizzle sw = side ? P->dst_swizzle : P->src_swizzle;
    int64_t own = 0;
    for (int d = 0; d < s->digits; ++d)
        own += thread / s->digit[d].div % s->digit[d].mod * s->digit[d].offset;
    own = s->first + own * P->elem_bits / 8;
    if (!s->separate) return oracle_swizzle(sw, own + s->add[i]);
    return (oracle_swizzle(sw, own) ^ s->fold[i]) + s->add[i];
}

/** Tile `tile` of a side's shared memory, counted with the first axis fastest, and its numbers along the axes. */
LAW_FN ct_tensor law_shared_tile(const partition_case *c, const ct_side *s, ct_memory m,
                                 int64_t tile, ct_index *x)
{
    const int axes = ct_rank(c->tile);
    ct_tensor held = m.layout;
    ct_tuple coord = ct_tuple0(), sizes = ct_tuple0();
    held.layout = ct_layout_take(held.layout, 0, axes);
    for (int k = 0, a = 0; k < axes; a += ct_get(c->tile, k).profile.leaves, ++k) {
        const int64_t n = ct_max(s->tiles[a], 1);
        x->at[a] = tile % n;
        tile /= n;
        coord = ct_append(coord, ct_int(x->at[a]));
        sizes = ct_append(sizes, ct_int(ct_product(ct_get(c->tile, k))));
    }
    if (ct_size(held.layout) == ct_product(c->tile)) return held;
    return ct_local_tile(held, ct_tiler_of_shape(sizes), coord);
}

/** In shared memory fold and add lead every thread to the swizzle of the whole offset, as the
 *  algebra has it for the access's first element; the others lie behind it, and the access is
 *  aligned. */
LAW_FN const char *law_partition_swizzle(const partition_case *c, const ct_partition *P)
{
    for (int side = 0; side < 2; ++side) {
        const ct_side *const s = side ? &P->dst : &P->src;
        if (s->space != CT_SPACE_SHARED) continue;
        ct_index first = CT_ZERO;
        const ct_tensor held = law_shared_tile(c, s, side ? c->dst : c->src, 0, &first);
        for (int64_t t = 0; t < P->threads; ++t) {
            const ct_tensor mine = law_values_of(c, side, held, t);
            if (mine.layout.err.status)
                return law_broken("the algebra divides the layout", t, mine.layout.err.status, 0);
            for (int i = 0; i < s->accesses; ++i) {
                const int64_t first = oracle_tensor(&mine, s->order[i * s->width]);
                const int64_t byte = law_shared_byte(P, side, t, i);
                if (8 * byte != first * P->elem_bits)
                    return law_broken("the swizzle of the whole offset", t, 8 * byte,
                                      first * P->elem_bits);
                if (first % s->width != 0)
                    return law_broken("an access is aligned", i, first, s->width);
                for (int k = 1; k < s->width; ++k) {
                    const int64_t at = oracle_tensor(&mine, s->order[i * s->width + k]);
                    if (at != first + k)
                        return law_broken("an access is contiguous", i, at, first + k);
                }
            }
        }
    }
    return NULL;
}

/** A thread's part of each tile that shared memory has lies where the algebra has it: taken from the tile, and
 *  from the part of tile 0 on. Tile x along an axis is there if and only if it is within the layout. */
LAW_FN const char *law_partition_tiles(const partition_case *c, const ct_partition *P)
{
    const unsigned char *const base = (const unsigned char *)((uintptr_t)1 << 40);
    for (int side = 0; side < 2; ++side) {
        const ct_side *const s = side ? &P->dst : &P->src;
        if (s->space != CT_SPACE_SHARED) continue;
        int64_t tiles = 1;
        for (int a = 0; a < P->axes; ++a) tiles *= s->tiles[a];
        for (int64_t tile = 0; tile < tiles; ++tile) {
            ct_index x = CT_ZERO;
            const ct_tensor held = law_shared_tile(c, s, side ? c->dst : c->src, tile, &x);
            if (held.layout.err.status)
                return law_broken("the algebra has the tile", tile, held.layout.err.status, 0);
            for (int64_t t = 0; t < P->threads; t += 1 + P->threads / 32) {
                const ct_view all = ct_view_shared(base);
                const ct_view from =
                    ct_view_of_thread(P, s, ct_view_inside(P, all, x), (uint32_t)t);
                ct_view next = ct_view_of_thread(P, s, all, (uint32_t)t);
                for (int a = 0; a < P->axes; ++a) next = ct_view_next(P, next, a, x.at[a]);
                const ct_tensor mine = law_values_of(c, side, held, t);
                for (int i = 0; i < s->accesses; ++i) {
                    const int64_t want =
                        oracle_tensor(&mine, s->order[i * s->width]) * P->elem_bits / 8;
                    const int64_t got = ct_access_in_shared(P, s, &from, i) - base;
                    const int64_t after = ct_access_in_shared(P, s, &next, i) - base;
                    if (got != want) return law_broken("a tile of shared memory", tile, got, want);
                    if (after != want) return law_broken("the next tile", tile, after, want);
                    if (want * 8 / P->elem_bits % s->width != 0)
                        return law_broken("an access of a tile is aligned", i, want, s->width);
                }
            }
        }
    }
    return NULL;
}

/** The element of a thread's registers that value v is. */
LAW_FN int64_t law_register(ct_memory registers, int64_t v)
{
    const ct_layout *const L = &registers.layout.layout;
    return L->profile.leaves > 0 ? oracle_eval(*L, v) : v;
}

/** Both sides number the values of a thread alike, hold block b of them in the same order as block
 *  0, and P says whether their orders differ. Matrix instructions number registers by themselves.
 */
LAW_FN const char *law_partition_order(const partition_case *c, const ct_partition *P)
{
    if (ct_atom_is_matrix(P->atom)) return NULL;
    const int n = P->values / P->blocks;
    int permuted = 0;
    if (P->src_block * P->src.width != n || P->dst_block * P->dst.width != n)
        return law_broken("a block is whole accesses of both sides", 0, P->src_block * P->src.width,
                          n);
    for (int j = 0; j < P->values; ++j) {
        const int v = P->dst.order[j], b = j / n;
        const int from = P->src.inverse[v], in_first = P->src.inverse[P->dst.order[j % n]];
        permuted |= P->src.order[j] != v;
        if (from - b * n != in_first)
            return law_broken("a block has the order of block 0", j, from - b * n, in_first);
        if (P->src.space == CT_SPACE_REGISTERS && law_register(c->src, P->src.order[j]) != j)
            return law_broken("registers hold values in their order", j, P->src.order[j], j);
        if (P->dst.space == CT_SPACE_REGISTERS && law_register(c->dst, v) != j)
            return law_broken("registers hold values in their order", j, v, j);
    }
    if (permuted != P->permuted)
        return law_broken("the orders differ where P says so", 0, P->permuted, permuted);
    for (int64_t t = 0; t < P->threads; ++t) {
        const ct_tensor from = law_places_of(c, 0, t), to = law_places_of(c, 1, t);
        for (int v = 0; v < P->values; ++v)
            if (oracle_tensor(&from, v) != oracle_tensor(&to, v))
                return law_broken("a value is one element", v, oracle_tensor(&from, v),
                                  oracle_tensor(&to, v));
    }
    return NULL;
}

/** In a tensor of these extents and steps, in elements, the tile that begins at x: an access has
 *  the elements whose coordinates are in bounds, and lies where its coordinates lead, from the
 *  access before it as well. */
LAW_FN const char *law_partition_bounds(const partition_case *c, const ct_partition *P,
                                        const int64_t *extent, const int64_t *step,
                                        const int64_t *x)
{
    for (int side = 0; side < 2; ++side) {
        const ct_side *const s = side ? &P->dst : &P->src;
        if (s->space != CT_SPACE_GLOBAL || P->elem_bits < 8) continue;
        const int bytes = P->elem_bits / 8;
        ct_global g = CT_ZERO;
        ct_index first = CT_ZERO;
        g.at = (unsigned char *)((uintptr_t)1 << 40);
        g.axes = P->axes;
        g = ct_global_nested(g, c->tile.profile);
        g.elem_bits = P->elem_bits;
        g.axis = s->axis;
        g.align = 32;
        for (int a = 0; a < P->axes; ++a) {
            g.extent[a] = extent[a];
            g.step[a] = (a == s->axis ? 1 : step[a]) * bytes;
            first.at[a] = x[a];
        }
        for (int64_t t = 0; t < P->threads; ++t) {
            const ct_view v = ct_view_of_thread(P, s, ct_view_at(&g, P, first), (uint32_t)t);
            const unsigned char *along = v.at;
            for (int i = 0; i < s->accesses; ++i) {
                int64_t has = s->width, at = 0;
                for (int a = 0; a < P->axes; ++a) {
                    const int64_t y = x[a] + law_coordinate(s, t, i, a), left = extent[a] - y;
                    at += y * g.step[a];
                    if (a == s->axis ? left < has : left <= 0) has = a == s->axis ? left : 0;
                }
                const int64_t got = ct_access_has(P, s, &v, i);
                if ((has > 0 ? has : 0) != (got > 0 ? got : 0))
                    return law_broken("an access has what is in bounds", i, got, has);
                if (ct_access_at(P, s, &v, i) != g.at + at)
                    return law_broken("an access lies at its coordinates", i,
                                      ct_access_at(P, s, &v, i) - g.at, at);
                along += ct_step_to_access(P, s, &v, i);
                if (along + ct_along_access(P, s, i) != g.at + at)
                    return law_broken("a step leads to the next access", i,
                                      along + ct_along_access(P, s, i) - g.at, at);
            }
        }
    }
    return NULL;
}

/** All of them, in a tensor of these extents and steps. */
LAW_FN const char *law_partition_of(const partition_case *c, const ct_partition *P,
                                    const int64_t *extent, const int64_t *step, const int64_t *x)
{
    if (P->err.status) return law_error(P->err);
    if (ct_product(c->tile) > PARTITION_ELEMS || ct_atom_is_tile(P->atom)) return NULL;
    const char *bad = law_partition_cover(c, P);
    if (!bad) bad = law_partition_coordinates(c, P);
    if (!bad) bad = law_partition_swizzle(c, P);
    if (!bad) bad = law_partition_tiles(c, P);
    if (!bad) bad = law_partition_order(c, P);
    if (!bad) bad = law_partition_bounds(c, P, extent, step, x);
    return bad;
}

#endif
