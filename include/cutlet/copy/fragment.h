/**
 * A fragment: what each thread holds of a tile in registers, as a constant. It knows how many values, where each
 * lies in the tile, and which threads hold the rest of a row. Register tensors are declared by one, by a partition,
 * or by an operand of a tiled MMA (mma/mma_fragment.h): device/tensor/registers.h.
 *
 * Cost:     O(values * digits), for the compiler.
 * In C:     const ct_tiled_copy rows = ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1),
 *                                                         ct_layout2(1, 4, 4, 1));
 *           const ct_partition in =
 *               ct_make_partition(rows, ct_tuple2(8, 64), ct_in_global(1), ct_in_registers());
 *           const ct_fragment f = ct_fragment_of_partition(in); // 16 values: 2 rows, 2 blocks of 4 columns
 *           assert(f.count == 16 && f.coord[0][4] == 4 && f.coord[1][4] == 0 && f.coord[1][8] == 32);
 *           const ct_fragment r = ct_fragment_reduced(f, 1); // a value for each row, in all threads that have it
 *           assert(r.count == 2 && r.coord[0][1] == 4 && ct_reduce_elems(&r) == 0); // in lanes of one warp
 *           const ct_fragment half = ct_fragment_part(f, ct_tuple2(8, 32)); // of 2: 32 columns
 *           assert(half.count == 8 && half.unit[1] == 8);
 *           assert(ct_fragment_reduced(f, 2).err.status == CT_E_ARGUMENT);
 */
#ifndef CUTLET_COPY_FRAGMENT_H
#define CUTLET_COPY_FRAGMENT_H

#include <cutlet/copy/copy_partition.h>

/** The axes of a fragment, at most. */
enum { CT_FRAGMENT_AXES = 4 };

typedef struct ct_fragment {
    ct_error err;
    int32_t threads, count, axes;   /* count: the values of a thread */
    int32_t tile[CT_FRAGMENT_AXES]; /* extents */
    ct_digits thread, value;
    int32_t axis;                    /* of a reduction: the axis that it has lost; -1 otherwise */
    uint32_t hash;                   /* of what each thread holds, */
    uint32_t rows[CT_FRAGMENT_AXES]; /* and of the reduction over an axis */
    uint32_t whole;                  /* of a part: the hash of what it is a part of, */
    int32_t unit[CT_FRAGMENT_AXES]; /* and along each axis the elements from one part to the next */
    int32_t coord[CT_FRAGMENT_AXES][CT_VALUES]; /* of element i, from the thread's first */
    uint8_t row[CT_FRAGMENT_AXES][CT_VALUES];   /* element i in the reduction over an axis */
} ct_fragment;

/** @internal The failed fragment that carries e. */
CT_FN ct_fragment ct_fragment_fail(ct_error e)
{
    ct_fragment f = CT_ZERO;
    f.err = e;
    return f;
}

/** @internal The digits of a reduction's values over an axis, and for each digit of f's its step in their numbers. */
CT_FN ct_digits ct_fragment_rows(const ct_fragment *f, int axis)
{
    ct_digits kept = CT_ZERO, r = CT_ZERO;
    int32_t size = 1;
    for (int k = 0; k < f->value.count; ++k)
        if (f->value.digit[k].axis != axis) ct_digits_push(&kept, f->value.digit[k]);
    kept = ct_digits_sorted(&kept, 0);
    for (int k = 0; k < kept.count; ++k) {
        ct_value_digit g = kept.digit[k];
        g.div = size;
        size *= g.mod;
        ct_digits_push(&r, g);
    }
    return r;
}

/** @internal The number of the row that has a coordinate of f's element i, among those of a reduction. */
CT_FN int32_t ct_fragment_row(const ct_fragment *f, const ct_digits *rows, int i)
{
    int32_t row = 0;
    for (int k = 0; k < rows->count; ++k) {
        const ct_value_digit g = rows->digit[k];
        int32_t at = 0; /* what the digits of f that are part of this one say */
        for (int j = 0; j < f->value.count; ++j) {
            const ct_value_digit v = f->value.digit[j];
            const int inside = v.axis == g.axis && v.step >= g.step && v.step < g.step * g.mod;
            if (g.step > 0 && inside) at += i / v.div % v.mod * (v.step / g.step);
        }
        row += at * g.div;
    }
    return row;
}

/** @internal The tables and hashes of f, from its digits. */
CT_FN void ct_fragment_finish(ct_fragment *f)
{
    ct_digits rows[CT_FRAGMENT_AXES] = CT_ZERO;
    f->value = ct_digits_sorted(&f->value, 1);
    f->count = 1;
    for (int k = 0; k < f->value.count; ++k) f->count *= f->value.digit[k].mod;
    if (f->count > CT_VALUES)
        f->err =
            ct_make_error(CT_E_CAPACITY, CT_OP_FRAGMENT, CT_WHY_ACCESSES, 0, f->count, CT_VALUES);
    if (f->err.status) return;
    f->hash = ct_digits_hash(f->threads, &f->thread, &f->value);
    for (int a = 0; a < f->axes; ++a) {
        ct_digits others = CT_ZERO;
        rows[a] = ct_fragment_rows(f, a);
        for (int k = 0; k < f->thread.count; ++k)
            if (f->thread.digit[k].axis != a) ct_digits_push(&others, f->thread.digit[k]);
        f->rows[a] = ct_digits_hash(f->threads, &others, &rows[a]);
    }
    for (int a = 0; a < f->axes; ++a)
        for (int i = 0; i < f->count; ++i) {
            f->coord[a][i] = ct_digits_coord(&f->value, i, a);
            f->row[a][i] = (uint8_t)ct_fragment_row(f, &rows[a], i);
        }
}

/** @internal The fragment of a tile of these digits of threads and values. */
CT_FN ct_fragment ct_make_fragment_of(int32_t threads, const ct_digits *thread,
                                      const ct_digits *value, const int32_t *tile, int axes)
{
    ct_fragment f = CT_ZERO;
    if (axes > CT_FRAGMENT_AXES)
        return ct_fragment_fail(ct_make_error(CT_E_CAPACITY, CT_OP_FRAGMENT, CT_WHY_RANK_MORE, 0,
                                              axes, CT_FRAGMENT_AXES));
    f.axis = -1;
    f.threads = threads;
    f.axes = axes;
    for (int a = 0; a < axes; ++a) f.tile[a] = tile[a];
    f.thread = *thread;
    f.value = *value;
    ct_fragment_finish(&f);
    return f;
}

/**
 * The fragment of a partition's side in registers; of its destination, if both are.
 *
 * Ensures:  element i of thread t lies where the algebra has it.   [law_fragment]
 * Fails:    CT_E_ARGUMENT if neither side is in registers, or if their layout and the values of the tiled copy have no
 *           common modes; CT_E_CAPACITY for more than 4 axes; as ct_make_partition.
 */
CT_FN ct_fragment ct_fragment_of_partition(ct_partition p)
{
    const ct_side *const s = p.dst.space == CT_SPACE_REGISTERS ? &p.dst : &p.src;
    ct_digits thread = CT_ZERO;
    if (p.err.status) return ct_fragment_fail(p.err);
    if (s->space != CT_SPACE_REGISTERS)
        return ct_fragment_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_SPACE, 0,
                                              s->space, CT_SPACE_REGISTERS));
    if (p.hash == 0)
        return ct_fragment_fail(
            ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_REGISTERS, 0, 0, p.values));
    ct_digits_of_threads(&thread, s->digit, s->digits, p.threads);
    return ct_make_fragment_of(p.threads, &thread, &p.value, p.tile, p.axes);
}

/** @internal The fragment itself; ct_fragment_of of device/tensor/registers.h takes either. */
CT_FN ct_fragment ct_fragment_itself(ct_fragment f) { return f; }

/** @internal Why a reduction over an axis is refused: an element is held by two digits, or the threads that have parts
 *  of a row are no power of two. */
CT_FN ct_error ct_fragment_reduced_refusal(const ct_fragment *f, int axis)
{
    const ct_error none = CT_ZERO;
    int64_t along = 1;
    if (axis < 0 || axis >= f->axes)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_MODE, axis, f->axes, 0);
    for (int k = 0; k < f->value.count; ++k) {
        const ct_value_digit g = f->value.digit[k];
        if (g.axis == axis || g.axis < 0) along *= g.mod;
    }
    for (int k = 0; k < f->thread.count; ++k) {
        const ct_value_digit g = f->thread.digit[k];
        if (g.axis != axis) continue;
        along *= g.mod;
        if ((g.mod & (g.mod - 1)) != 0 || (g.div & (g.div - 1)) != 0)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_ROW_THREADS, axis, g.mod,
                                 g.div);
    }
    if (along == f->tile[axis]) return none;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_HELD_TWICE, axis, along,
                         f->tile[axis]);
}

/**
 * The reduction of a fragment over an axis: for each row along it one value, in every thread that has a part of the
 * row. Its tile has extent 1 there.
 *
 * Ensures:  row[axis][i] of f is the element of the result that has the other coordinates of element i.  [law_fragment]
 * Fails:    CT_E_ARGUMENT if there is no such axis, if an element of a row is held twice, or if the threads that
 *           have parts of a row are no power of two, or not a power of two apart.
 */
CT_FN ct_fragment ct_fragment_reduced(ct_fragment f, int axis)
{
    ct_fragment r = CT_ZERO;
    r.err = f.err.status ? f.err : ct_fragment_reduced_refusal(&f, axis);
    if (r.err.status) return r;
    r.axis = axis;
    r.threads = f.threads;
    r.axes = f.axes;
    for (int a = 0; a < f.axes; ++a) r.tile[a] = a == axis ? 1 : f.tile[a];
    r.value = ct_fragment_rows(&f, axis);
    for (int k = 0; k < f.thread.count; ++k) {
        ct_value_digit g = f.thread.digit[k];
        g.axis = g.axis == axis ? CT_AXIS_LOST : g.axis < 0 ? CT_AXIS_NONE : g.axis;
        ct_digits_push(&r.thread, g);
    }
    ct_fragment_finish(&r);
    return r;
}

/**
 * The floats of shared memory by which a block's threads reduce to a fragment of ct_fragment_reduced; 0 if lanes of
 * one warp hold each row. Each warp that has a part of the rows has its own.
 */
CT_FN int32_t ct_reduce_elems(const ct_fragment *r)
{
    int32_t parts = 1, rows = 1;
    for (int a = 0; a < r->axes; ++a) rows *= r->tile[a];
    for (int k = 0; k < r->thread.count; ++k)
        for (int b = 1; r->thread.digit[k].axis == CT_AXIS_LOST && b < r->thread.digit[k].mod;
             b *= 2)
            if (b * r->thread.digit[k].div >= 32) parts *= 2;
    return parts > 1 ? parts * rows : 0;
}

/** @internal Cuts a digit of f's values at the end of a part: what lies inside goes to r, and what counts parts to its
 *  unit. at: the elements of r so far. Returns 0 if the part is no piece of the registers. */
CT_FN int ct_fragment_cut(ct_fragment *r, ct_value_digit g, int32_t *at)
{
    const int32_t extent = g.axis < 0 ? 0 : r->tile[g.axis];
    int32_t inside = g.mod; /* steps within a part */
    if (g.axis >= 0 && g.step >= extent) inside = 1;
    else if (g.axis >= 0 && g.step * g.mod > extent) inside = extent / g.step;
    if (inside < 1 || g.mod % inside != 0) return 0;
    if (inside > 1 && *at != g.div) return 0;
    if (inside < g.mod && (r->unit[g.axis] != 0 || g.step * inside != extent)) return 0;
    if (inside < g.mod) r->unit[g.axis] = g.div * inside;
    g.mod = inside;
    *at *= inside;
    return ct_digits_push(&r->value, g);
}

/**
 * The fragment of a part of f's tile that all its threads hold together: consecutive elements of their registers, as a
 * step along k or a block of columns. tile: the extents of the part.
 *
 * Ensures:  element i of part x is element i + x . unit of f, at the coordinates x . tile from there.   [law_fragment]
 * Fails:    CT_E_ARGUMENT if the parts are no pieces of the registers, one step apart along each axis.
 */
CT_FN ct_fragment ct_fragment_part(ct_fragment f, ct_tuple tile)
{
    ct_fragment r = CT_ZERO;
    int32_t at = 1;
    int ok = tile.profile.leaves == f.axes, axis = 0;
    r.err = f.err.status ? f.err : tile.err;
    if (r.err.status) return r;
    r.axis = f.axis;
    r.threads = f.threads;
    r.axes = f.axes;
    r.whole = f.hash;
    r.thread = f.thread;
    for (int a = 0; a < f.axes && ok; ++a) {
        r.tile[a] = (int32_t)tile.value[a];
        ok = tile.value[a] > 0 && f.tile[a] % tile.value[a] == 0;
        if (!ok) axis = a;
    }
    for (int k = 0; k < f.thread.count && ok; ++k) {
        const ct_value_digit g = f.thread.digit[k];
        ok = g.axis < 0 || g.step * g.mod <= r.tile[g.axis];
        if (!ok) axis = g.axis;
    }
    for (int k = 0; k < f.value.count && ok; ++k) {
        ok = ct_fragment_cut(&r, f.value.digit[k], &at);
        if (!ok) axis = f.value.digit[k].axis;
    }
    if (!ok)
        return ct_fragment_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_FRAGMENT, CT_WHY_PART, axis,
                                              axis < tile.profile.leaves ? tile.value[axis] : 0,
                                              0));
    ct_fragment_finish(&r);
    return r;
}

#endif
