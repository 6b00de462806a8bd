/**
 * Laws of the partition that a kernel is compiled with: its tables against the algebra, thread by
 * thread and element by element. The oracle is ct_partition_src and ct_partition_dst, which share
 * the (thread, value) layout with it and none of the tables.
 */
#ifndef CUTLET_TESTS_LAWS_PARTITION_H
#define CUTLET_TESTS_LAWS_PARTITION_H

#include <cutlet/copy/fragment.h>

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

/** The values of a thread on a side: their places in the tile, as indices of it, and their elements of shared
 *  memory, where the side lies there. */
typedef struct law_values {
    const char *bad;
    int64_t n, place[CT_VALUES], offset[CT_VALUES];
} law_values;

/** A thread's coordinate along an axis at access i of a side. */
LAW_FN int64_t law_coordinate(const ct_side *s, int64_t thread, int i, int axis)
{
    int64_t at = ct_access_coord(s, i, axis);
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

/** The values of a thread, of a side with n of them. held: the side's first tile in shared memory. */
LAW_FN law_values law_values_at(const partition_case *c, const ct_partition *P, int side,
                                ct_tensor held, int64_t t)
{
    const ct_side *const s = side ? &P->dst : &P->src;
    const ct_tensor at = law_places_of(c, side, t);
    law_values r = CT_ZERO;
    r.n = s->accesses * s->width;
    if (at.layout.err.status)
        r.bad = law_broken("the algebra divides the tile", t, at.layout.err.status, 0);
    else if (oracle_size(at.layout) != r.n)
        r.bad = law_broken("a thread has all its values", t, r.n, oracle_size(at.layout));
    if (r.bad) return r;
    for (int v = 0; v < r.n; ++v) r.place[v] = oracle_tensor(&at, v);
    if (s->space != CT_SPACE_SHARED) return r;
    const ct_tensor mine = law_values_of(c, side, held, t);
    if (mine.layout.err.status)
        r.bad = law_broken("the algebra divides the layout", t, mine.layout.err.status, 0);
    for (int v = 0; v < r.n && !r.bad; ++v) r.offset[v] = oracle_tensor(&mine, v);
    return r;
}

/** The value that has a number among `count` of them; -1: none. */
LAW_FN int law_value_of(const int64_t *numbers, int64_t count, int64_t number)
{
    for (int v = 0; v < count; ++v)
        if (numbers[v] == number) return v;
    return -1;
}

/** Each element of the tile is held as often as every other: once, where the threads and values are
 *  as many as the elements. turn and back say each element of either side once. */
LAW_FN const char *law_partition_cover(const partition_case *c, const ct_partition *P)
{
    const int64_t size = ct_product(c->tile);
    for (int j = 0; j < P->values && !ct_atom_is_matrix(P->atom); ++j)
        if (P->back[P->turn[j]] != j || P->turn[j] >= P->values)
            return law_broken("back is the inverse of turn", j, P->back[P->turn[j]], j);
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
            for (int v = 0; v < n; ++v) {
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
 *  a value of the thread; in global memory its elements follow along the contiguous axis. */
LAW_FN const char *law_partition_coordinates(const partition_case *c, const ct_partition *P)
{
    for (int side = 0; side < 2; ++side) {
        const ct_side *const s = side ? &P->dst : &P->src;
        if (s->space == CT_SPACE_REGISTERS) continue;
        for (int64_t t = 0; t < P->threads; ++t) {
            const ct_tensor places = law_places_of(c, side, t);
            int64_t place[CT_VALUES];
            const int n = s->accesses * s->width;
            for (int v = 0; v < n; ++v) place[v] = oracle_tensor(&places, v);
            for (int i = 0; i < s->accesses; ++i) {
                int64_t at = 0;
                for (int a = 0; a < P->axes; ++a) {
                    const int64_t x = law_coordinate(s, t, i, a);
                    const int64_t end = x + (a == s->axis ? s->width : 1);
                    if (x < 0 || end > P->tile[a])
                        return law_broken("an access is in the tile", i, x, P->tile[a]);
                    at += x * law_axis_step(P, a);
                }
                for (int k = 0; k < (s->axis >= 0 ? s->width : 1); ++k)
                    if (law_value_of(place, n,
                                     at + (s->axis >= 0 ? k * law_axis_step(P, s->axis) : 0)) < 0)
                        return law_broken("the coordinate is the algebra's", t, at, k);
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

/** The place in the tile at which access i of a thread begins. */
LAW_FN int64_t law_access_place(const ct_partition *P, const ct_side *s, int64_t t, int i)
{
    int64_t at = 0;
    for (int a = 0; a < P->axes; ++a) at += law_coordinate(s, t, i, a) * law_axis_step(P, a);
    return at;
}

/** In shared memory fold and add lead every thread to the swizzle of the whole offset, as the
 *  algebra has it for the access's first element; others of its values lie after it, and the access is
 *  aligned. */
LAW_FN const char *law_partition_swizzle(const partition_case *c, const ct_partition *P)
{
    for (int side = 0; side < 2; ++side) {
        const ct_side *const s = side ? &P->dst : &P->src;
        if (s->space != CT_SPACE_SHARED) continue;
        ct_index none = CT_ZERO;
        const ct_tensor held = law_shared_tile(c, s, side ? c->dst : c->src, 0, &none);
        for (int64_t t = 0; t < P->threads; ++t) {
            const law_values v = law_values_at(c, P, side, held, t);
            if (v.bad) return v.bad;
            for (int i = 0; i < s->accesses; ++i) {
                const int of = law_value_of(v.place, v.n, law_access_place(P, s, t, i));
                const int64_t first = of < 0 ? -1 : v.offset[of];
                const int64_t byte = law_shared_byte(P, side, t, i);
                if (8 * byte != first * P->elem_bits)
                    return law_broken("the swizzle of the whole offset", t, 8 * byte,
                                      first * P->elem_bits);
                if (first % s->width != 0)
                    return law_broken("an access is aligned", i, first, s->width);
                for (int k = 1; k < s->width; ++k)
                    if (law_value_of(v.offset, v.n, first + k) < 0)
                        return law_broken("an access is contiguous", i, first + k, k);
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
                const law_values v = law_values_at(c, P, side, held, t);
                if (v.bad) return v.bad;
                for (int i = 0; i < s->accesses; ++i) {
                    const int of = law_value_of(v.place, v.n, law_access_place(P, s, t, i));
                    const int64_t want = of < 0 ? -1 : v.offset[of] * P->elem_bits / 8;
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

/** The value that element j of a side is, of a thread whose values are v; -1: none. */
LAW_FN int law_element(const partition_case *c, const ct_partition *P, int side,
                       const law_values *v, int64_t t, int j)
{
    const ct_side *const s = side ? &P->dst : &P->src;
    const int i = j / s->width, k = j % s->width;
    if (s->space == CT_SPACE_SHARED)
        return law_value_of(v->offset, v->n, law_shared_byte(P, side, t, i) * 8 / P->elem_bits + k);
    if (s->space == CT_SPACE_GLOBAL)
        return law_value_of(v->place, v->n,
                            law_access_place(P, s, t, i) +
                                (s->axis < 0 ? 0 : k * law_axis_step(P, s->axis)));
    for (int n = 0; n < v->n; ++n)
        if (law_register(side ? c->dst : c->src, n) == j) return n;
    return -1;
}

/** The first coordinate of a thread along an axis, by a fragment. */
LAW_FN int64_t law_fragment_first(const ct_fragment *f, int64_t t, int axis)
{
    return ct_digits_coord(&f->thread, (int32_t)t, axis);
}

/** The place in the tile of element j of a thread's registers, by a fragment. */
LAW_FN int64_t law_register_place(const ct_partition *P, const ct_fragment *f, int64_t t, int j)
{
    int64_t at = 0;
    for (int a = 0; a < f->axes; ++a)
        at += (law_fragment_first(f, t, a) + f->coord[a][j]) * law_axis_step(P, a);
    return at;
}

/** Element j of the destination is the element of the tile that element turn[j] of the source is; block b has the
 *  order of block 0, and P says whether the orders differ. Registers have the values in their order, where the
 *  digits lead. Matrix instructions number registers by themselves. */
LAW_FN const char *law_partition_order(const partition_case *c, const ct_partition *P)
{
    const int matrix = ct_atom_is_matrix(P->atom), n = P->values / P->blocks;
    const ct_fragment f = ct_fragment_of_partition(*P); /* of registers; not of all */
    int permuted = 0;
    ct_tensor held[2];
    for (int side = 0; side < 2; ++side) {
        ct_index none = CT_ZERO;
        const ct_memory m = side ? c->dst : c->src;
        if (m.space == CT_SPACE_SHARED)
            held[side] = law_shared_tile(c, side ? &P->dst : &P->src, m, 0, &none);
    }
    if (!matrix && (P->src_block * P->src.width != n || P->dst_block * P->dst.width != n))
        return law_broken("a block is whole accesses of both sides", 0, P->src_block * P->src.width,
                          n);
    for (int j = 0; j < P->values && !matrix; ++j) {
        permuted |= P->turn[j] != j;
        if (P->turn[j] - j / n * n != P->turn[j % n])
            return law_broken("a block has the order of block 0", j, P->turn[j], P->turn[j % n]);
    }
    if (permuted != P->permuted)
        return law_broken("the orders differ where P says so", 0, P->permuted, permuted);
    for (int64_t t = 0; t < P->threads; ++t) {
        const law_values from = law_values_at(c, P, 0, held[0], t),
                         to = law_values_at(c, P, 1, held[1], t);
        if (from.bad || to.bad) return from.bad ? from.bad : to.bad;
        for (int j = 0; j < P->values; ++j) {
            const int a = matrix ? j : law_element(c, P, 0, &from, t, P->turn[j]);
            const int b = matrix ? j : law_element(c, P, 1, &to, t, j);
            if (!matrix && (a < 0 || b < 0 || from.place[a] != to.place[b]))
                return law_broken("an element of both sides is one of the tile", j, a, b);
            const int in_dst = c->dst.space == CT_SPACE_REGISTERS,
                      at = matrix || in_dst ? j : P->turn[j];
            const int64_t place = in_dst ? to.place[b] : from.place[a];
            if (f.err.status == CT_OK && law_register_place(P, &f, t, at) != place)
                return law_broken("the digits of registers lead to a value", at,
                                  law_register_place(P, &f, t, at), place);
        }
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

/** Thread t with its digits of a lost axis those of number n. */
LAW_FN int64_t law_other_holder(const ct_fragment *r, int64_t t, int64_t n)
{
    for (int k = 0; k < r->thread.count; ++k) {
        const ct_value_digit g = r->thread.digit[k];
        if (g.axis != CT_AXIS_LOST) continue;
        t += (n % g.mod - t / g.div % g.mod) * g.div;
        n /= g.mod;
    }
    return t;
}

/** A reduction over an axis has the coordinates of each row, and the threads that differ in what it has lost have each
 *  element of a row once. */
LAW_FN const char *law_fragment_rows(const ct_fragment *f, int axis)
{
    const ct_fragment r = ct_fragment_reduced(*f, axis);
    int64_t holders = 1;
    if (r.err.status) return NULL;
    if (r.hash != f->rows[axis])
        return law_broken("a reduction has the hash of the rows", axis, r.hash, f->rows[axis]);
    for (int k = 0; k < r.thread.count; ++k)
        if (r.thread.digit[k].axis == CT_AXIS_LOST) holders *= r.thread.digit[k].mod;
    for (int64_t t = 0; t < f->threads; t += 1 + f->threads / 16)
        for (int row = 0; row < r.count; ++row) {
            static uint8_t met[PARTITION_ELEMS];
            memset(met, 0, sizeof met);
            for (int64_t n = 0; n < holders; ++n)
                for (int i = 0; i < f->count; ++i) {
                    const int64_t u = law_other_holder(&r, t, n);
                    if (f->row[axis][i] != row) continue;
                    ++met[law_fragment_first(f, u, axis) + f->coord[axis][i]];
                    for (int a = 0; a < f->axes; ++a) {
                        const int64_t x = law_fragment_first(f, u, a) + f->coord[a][i];
                        if (a != axis && x != law_fragment_first(&r, t, a) + r.coord[a][row])
                            return law_broken("a row has one coordinate", i, x, r.coord[a][row]);
                    }
                }
            for (int x = 0; x < f->tile[axis]; ++x)
                if (met[x] != 1) return law_broken("a row has each element once", x, met[x], 1);
        }
    return NULL;
}

/** Element i of part x is element i + x . unit of the whole, x . tile further on. */
LAW_FN const char *law_fragment_parts(const ct_fragment *f, int axis, int parts)
{
    ct_tuple tile = ct_tuple0();
    for (int a = 0; a < f->axes; ++a)
        tile = ct_append(tile, ct_int(f->tile[a] / (a == axis ? parts : 1)));
    const ct_fragment part = ct_fragment_part(*f, tile);
    if (part.err.status) return NULL;
    if (part.count * parts != f->count)
        return law_broken("parts are all of it", parts, part.count, f->count);
    for (int x = 0; x < parts; ++x)
        for (int i = 0; i < part.count; ++i)
            for (int a = 0; a < f->axes; ++a) {
                const int64_t want = f->coord[a][i + x * part.unit[axis]];
                const int64_t got = part.coord[a][i] + (a == axis ? x * part.tile[a] : 0);
                if (got != want) return law_broken("an element of a part", i, got, want);
            }
    return NULL;
}

/** The laws of a fragment alone: rows and parts. */
LAW_FN const char *law_fragment(const ct_fragment *f)
{
    const char *bad = NULL;
    for (int a = 0; a < f->axes && !bad; ++a) bad = law_fragment_rows(f, a);
    for (int a = 0; a < f->axes && !bad; ++a)
        for (int parts = 2; parts <= 4 && !bad; ++parts)
            if (f->tile[a] % parts == 0) bad = law_fragment_parts(f, a, parts);
    return bad;
}

/** The laws of the fragment of a partition's registers, where it has one; law_partition_order has its places. */
LAW_FN const char *law_partition_fragment(const ct_partition *P)
{
    const ct_fragment f = ct_fragment_of_partition(*P);
    if (f.err.status) return NULL;
    if (f.hash != P->hash || f.count != P->values || f.threads != P->threads)
        return law_broken("a fragment is that of its partition", 0, f.count, P->values);
    return law_fragment(&f);
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
    if (!bad) bad = law_partition_fragment(P);
    return bad;
}

#endif
