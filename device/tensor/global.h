/**
 * Tensors in global memory, in a kernel.
 *
 *     typedef struct { ct_global a; ct_global out; } my_args;          // made on the host
 *
 *     const ct_view tile = ct_view_tile(&args.a, &load, ct_index2(blockIdx.y, k));
 *     const ct_view from = ct_view_of_thread(&load, &load.src, tile, threadIdx.x);
 *
 * A tensor in global memory is a pointer, an element size, and for each axis an extent and a step.
 * These are known at run time. The partition of a tile among threads is known at compile time
 * (copy_partition.h). So a thread computes one address. All others differ by a constant coordinate,
 * which also decides whether they are in bounds.
 *
 * Cost:     O(axes), no allocation, no access to the tensor's memory; host and device.
 * In C:     static _Alignas(32) float data[6 * 8];
 *           const ct_global g = ct_make_global(data, 32, ct_layout2(6, 8, 8, 1)); // bits, (m,n)
 *           assert(g.extent[0] == 6 && g.step[0] == 32 && g.axis == 1 && g.align == 32);
 *           assert(ct_make_global((char *)data + 1, 32, ct_layout1(4, 1)).err.status != CT_OK);
 *           // a view of it by the algebra: every other row
 *           const ct_tensor t = ct_tensor_composition_by(
 *               ct_tensor_of_global(&g), ct_tiler2(ct_layout1(3, 2), ct_layout1(8, 1)));
 *           const ct_global rows = ct_make_global_tensor(g.at, 32, t);
 *           assert(rows.extent[0] == 3 && rows.step[0] == 64 && rows.step[1] == 4);
 *           // what the host checks before a launch
 *           const ct_tiled_copy copy = ct_make_tiled_copy(
 *               ct_copy_atom_universal(128, 32), ct_layout2(3, 2, 2, 1), ct_layout2(1, 4, 4, 1));
 *           const ct_partition P = ct_make_partition(copy, ct_tuple2(3, 8), ct_in_global(1),
 *                                                    ct_in_registers());
 *           assert(ct_check_tensor(&P, &P.src, &g).status == CT_OK);
 *           assert(ct_check_whole(&P, &P.src, &g).status == CT_OK); // two whole tiles
 *           const ct_global column = ct_global_slice(g, ct_index2(CT_ALL, 5));
 *           assert(column.axes == 1 && column.at == (unsigned char *)(data + 5));
 *           assert(ct_check_tensor(&P, &P.src, &column).status == CT_E_ARGUMENT); // one axis
 * In a kernel:
 *           // args.src: in as a matrix (32,32):(32,1)
 *           const ct_global row = ct_global_slice(args.src, ct_index2(threadIdx.x, CT_ALL));
 *           const ct_global known = ct_global_along(row, 0, 32); // the step is a constant
 *           float x = 0;
 *           ct_load_element(&x, &known, ct_index1(3), 32);
 *           assert(x == (float)(32 * threadIdx.x + 3));
 */
#ifndef CUTLET_DEVICE_TENSOR_GLOBAL_H
#define CUTLET_DEVICE_TENSOR_GLOBAL_H

#include <cutlet/copy/copy_partition.h>

#include <cutlet/device/tensor/thread_slice.h>

/** The levels of modes that a tensor in memory keeps: 4 bits for each axis. */
#define CT_GLOBAL_LEVELS 15

/** @internal g with the modes of a profile, of CT_AXES leaves at most. */
CT_FN ct_global ct_global_nested(ct_global g, ct_profile p)
{
    for (int w = 0; w < CT_NESTING_WORDS; ++w) g.open[w] = g.close[w] = 0;
    for (int a = 0; a < p.leaves; ++a) {
        ct_add_parentheses(g.open, a, p.open[a]);
        ct_add_parentheses(g.close, a, p.close[a]);
    }
    return g;
}

/** @internal The error if a tensor of the algebra cannot be a tensor of elem_bits bits at an
 *  address. */
CT_FN ct_error ct_global_refusal(const void *at, int32_t elem_bits, const ct_tensor *t)
{
    const ct_layout *const L = &t->layout;
    const int bytes = elem_bits < 8 ? 1 : elem_bits / 8;
    if (L->err.status) return L->err;
    if (t->offset.err.status) return t->offset.err;
    if (!ct_is_integral(*L) || !ct_offset_is_integer(&t->offset))
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_NOT_INTEGER, 0, 0, 0);
    if (L->profile.leaves > CT_AXES)
        return ct_make_error(CT_E_CAPACITY, CT_OP_TENSOR, CT_WHY_LEAVES, 0, L->profile.leaves,
                             CT_AXES);
    for (int a = 0, level = 0; a < L->profile.leaves; ++a) {
        level += L->profile.open[a];
        if (level > CT_GLOBAL_LEVELS)
            return ct_make_error(CT_E_CAPACITY, CT_OP_TENSOR, CT_WHY_DEPTH, a, level,
                                 CT_GLOBAL_LEVELS);
        level -= L->profile.close[a];
    }
    if (t->swizzle.bits > 0) {
        ct_error e = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_SWIZZLE, 0, t->swizzle.bits,
                                   t->swizzle.base);
        e.n[2] = t->swizzle.shift;
        return e;
    }
    if (elem_bits < 1 || elem_bits > 128 || (elem_bits & (elem_bits - 1)) != 0)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ATOM, 0, elem_bits, elem_bits);
    const int64_t past = (int64_t)((uintptr_t)at & (uintptr_t)(bytes - 1));
    if (past != 0)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ADDRESS, 0, past, bytes);
    return L->err;
}

/** @internal The bytes from an address to the offset of a tensor. Sets *e if they overflow or are
 *  not whole bytes. */
CT_FN int64_t ct_global_begin(const ct_tensor *t, int32_t elem_bits, ct_error *e)
{
    const int64_t offset = t->offset.profile.leaves > 0 ? t->offset.value[0] : 0;
    int ok = 1;
    const int64_t bits = ct_mul(offset, elem_bits, &ok);
    if (!ok) *e = ct_make_error(CT_E_OVERFLOW, CT_OP_TENSOR, CT_WHY_OVERFLOW, 0, 0, 0);
    else if (bits % 8 != 0)
        *e = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ALIGNMENT, 0, offset, 8 / elem_bits);
    return bits / 8;
}

/**
 * The tensor in memory of a tensor of the algebra, such as a slice, a tile or a division. at: the
 * address of offset 0. Each leaf of the layout is an axis, of any sign. The profile stays: a
 * partition's tile must have as many leaves in each mode. Stride 0 repeats an element; only a
 * source may have it.
 *
 * Ensures:  the element at coordinates c is at `at` + t(c) elements   [test_global_tensor]
 * Fails:    .err, and all extents 0: CT_E_ARGUMENT for a failed, coordinate or swizzled tensor, for
 *           elements of other than 1, 2, 4, 8, 16, 32, 64 or 128 bits, for an address that is not a
 *           multiple of the element, and for elements of less than a byte whose offset, or a step
 *           except along the contiguous axis, is not in whole bytes; CT_E_CAPACITY for more than
 *           CT_AXES leaves or CT_GLOBAL_LEVELS levels of modes; CT_E_OVERFLOW when a step in bytes
 *           does not fit in 64 bits.
 */
CT_FN ct_global ct_make_global_tensor(const void *at, int32_t elem_bits, ct_tensor t)
{
    const ct_layout *const L = &t.layout;
    const int bytes = elem_bits < 8 ? 1 : elem_bits / 8;
    ct_global g = CT_ZERO;
    g.err = ct_global_refusal(at, elem_bits, &t);
    if (g.err.status) return g;
    g.at = (unsigned char *)(uintptr_t)at + ct_global_begin(&t, elem_bits, &g.err);
    g.axes = L->profile.leaves;
    g = ct_global_nested(g, L->profile);
    g.elem_bits = elem_bits;
    g.axis = -1;
    uint64_t bits = (uint64_t)(uintptr_t)g.at;
    int ok = 1;
    for (int a = 0; a < g.axes; ++a) {
        g.extent[a] = L->shape[a];
        g.step[a] = ct_mul(L->stride[a], elem_bits < 8 ? elem_bits : bytes, &ok);
        if (L->stride[a] == 1 && (g.axis < 0 || L->shape[a] > 1)) g.axis = a;
    }
    for (int a = 0; a < g.axes; ++a) {
        if (a == g.axis || g.extent[a] == 1) continue;
        if (elem_bits < 8 && g.step[a] % 8 != 0 && g.err.status == CT_OK)
            g.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ALIGNMENT, a,
                                  g.step[a] / elem_bits, 8 / elem_bits);
        bits |= (uint64_t)(elem_bits < 8 ? g.step[a] / 8 : g.step[a]);
    }
    g.align = ct_align_of(bits);
    if (!ok) g.err = ct_make_error(CT_E_OVERFLOW, CT_OP_TENSOR, CT_WHY_OVERFLOW, 0, 0, 0);
    for (int a = 0; a < g.axes && g.err.status; ++a) g.extent[a] = 0;
    return g;
}

/**
 * The tensor of a layout at an address: the host makes it, and passes it to the kernel.
 * Fails:    as ct_make_global_tensor.
 */
CT_FN ct_global ct_make_global(const void *at, int32_t elem_bits, ct_layout layout)
{
    return ct_make_global_tensor(at, elem_bits, ct_make_tensor(layout));
}

/**
 * A tensor in memory as a tensor of the algebra with offset 0: the layout that it was made of. So
 * every operation applies to tensors in memory: divide, compose, tile, slice or recast it on the
 * host, then convert it back.
 *
 *     ct_make_global_tensor(g.at, g.elem_bits,
 *                           ct_tensor_logical_divide_by(ct_tensor_of_global(&g), tiler))
 *
 * Ensures:  the same shape, strides and profile as those of the tensor   [test_nesting]
 * Fails:    the error of g.
 */
CT_FN ct_tensor ct_tensor_of_global(const ct_global *g)
{
    ct_layout L = CT_ZERO;
    if (g->err.status) return ct_tensor_fail(g->err);
    L.profile.leaves = g->axes;
    for (int a = 0; a < g->axes; ++a) {
        L.shape[a] = g->extent[a];
        L.stride[a] = g->step[a] / (g->elem_bits < 8 ? g->elem_bits : g->elem_bits / 8);
        L.profile.open[a] = (uint8_t)ct_parentheses(g->open, a);
        L.profile.close[a] = (uint8_t)ct_parentheses(g->close, a);
    }
    return ct_make_tensor(L);
}

/** @internal Gives r the modes of g, of the axes that x keeps. */
CT_FN void ct_keep_modes(ct_global *r, const ct_global *g, const ct_index *x)
{
    uint32_t open = 0; /* parentheses that open before the next axis that stays */
    int kept = 0;
    CT_UNROLL for (int w = 0; w < CT_NESTING_WORDS; ++w) r->open[w] = r->close[w] = 0;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a)
    {
        uint32_t close = ct_parentheses(g->close, a);
        open += ct_parentheses(g->open, a);
        if (x->at[a] == CT_ALL) {
            ct_add_parentheses(r->open, kept++, open);
            open = 0;
        } else { /* pairs without an axis are left out */
            const uint32_t empty = open < close ? open : close;
            open -= empty;
            close -= empty;
        }
        if (kept > 0) ct_add_parentheses(r->close, kept - 1, close);
    }
}

/** @internal The slice of a tensor at some coordinates. checked: whether a refusal becomes its
 *  error; if not, the coordinates are in bounds. */
CT_FN ct_global ct_global_sliced(ct_global g, const ct_index x, const int checked)
{
    ct_global r = g;
    int64_t at = 0, by = 0; /* by: along the contiguous axis, whose step align does not cover */
    int kept = 0;
    r.axis = -1;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a)
    {
        const int all = x.at[a] == CT_ALL;
        if (checked && a >= g.axes && x.at[a] != 0 && r.err.status == CT_OK)
            r.err = ct_make_error(CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_RANK, 0, a + 1, g.axes);
        const int out = a < g.axes && !all && (x.at[a] < 0 || x.at[a] >= g.extent[a]);
        if (checked && out && r.err.status == CT_OK)
            r.err = ct_make_error(CT_E_DOMAIN, CT_OP_SLICE, CT_WHY_COORD, a, x.at[a], g.extent[a]);
        if (all) {
            r.extent[kept] = g.extent[a];
            r.step[kept] = g.step[a];
            if (g.axis == a) r.axis = kept;
            kept += 1;
        } else {
            at += x.at[a] * g.step[a];
            if (g.axis == a) by = x.at[a] * g.step[a];
        }
    }
    if (checked && g.elem_bits < 8 && at % 8 != 0 && r.err.status == CT_OK)
        r.err = ct_make_error(CT_E_ARGUMENT, CT_OP_SLICE, CT_WHY_ALIGNMENT, g.axis,
                              at / g.elem_bits, 8 / g.elem_bits);
    r.align = (int32_t)ct_min(g.align, ct_align_of((uint64_t)(g.elem_bits < 8 ? by >> 3 : by)));
    r.axes = kept;
    ct_keep_modes(&r, &g, &x);
    r.at += g.elem_bits < 8 ? at >> 3 : at;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a) if (a >= kept || (checked && r.err.status))
        r.extent[a] = r.step[a] = 0;
    return r;
}

/**
 * The slice of a tensor at some coordinates: the axes for which x has CT_ALL, in their order. They
 * keep their modes; a mode of which no axis stays is left out. A kernel may call it: the axes that
 * stay are constants.
 *
 * Ensures:  the same as ct_tensor_slice of the tensor, leaf by leaf   [test_global_slice]
 * Ensures:  of each mode, at every level, the axes that stay   [test_nesting_of_slices]
 * Fails:    .err, and all extents 0: CT_E_DOMAIN if a coordinate is out of bounds; CT_E_ARGUMENT if
 *           x has more axes than the tensor, or if the slice would begin inside a byte.
 * Cost:     a multiplication and two comparisons for each sliced axis; no memory traffic.
 */
CT_FN ct_global ct_global_slice(ct_global g, const ct_index x) { return ct_global_sliced(g, x, 1); }

/**
 * ct_global_slice for coordinates that are in bounds, as blockIdx is where the launch has a block for
 * each of them: a GPU's kernel tests nothing, a C compiler's as ct_global_slice.
 *
 * Requires: what ct_global_slice refuses does not occur.
 * Cost:     a multiplication for each sliced axis; no memory traffic.
 * In C:     static float data[2 * 3];
 *           const ct_global g = ct_make_global(data, 32, ct_layout2(2, 3, 3, 1)); // bits, (m,n)
 *           const ct_global row = ct_unchecked_slice(g, ct_index2(1, CT_ALL));
 *           assert(row.axes == 1 && row.at == (unsigned char *)(data + 3) && row.extent[0] == 3);
 */
CT_FN ct_global ct_unchecked_slice(ct_global g, const ct_index x)
{
#if defined(__CUDACC__)
    return ct_global_sliced(g, x, 0);
#else
    return ct_global_sliced(g, x, 1);
#endif
}

/**
 * Whether a partition can take tiles of a tensor. Both are valid, and their elements have the same
 * bits. The tensor has an axis for each axis of the tile, and a destination repeats no element. The
 * host calls it before the launch. The CPU grid checks all but the last when a tile is taken.
 *
 * Fails:    the error, with its numbers.
 */
CT_FN ct_error ct_check_tensor(const ct_partition *P, const ct_side *side, const ct_global *g)
{
    ct_error e = ct_view_refusal(g, P);
    if (e.status == CT_OK && side == &P->src) e = ct_repeats_refusal(P, g->step);
    if (e.status || side != &P->dst) return e;
    for (int a = 0; a < g->axes; ++a)
        if (g->step[a] == 0 && g->extent[a] > 1)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_REPEATS, a, g->extent[a], 0);
    return e;
}

/**
 * Whether a tensor has what an unchecked partition takes for granted of a side's tiles: extents are multiples of
 * the tile's, the side's axis is contiguous, accesses are aligned, steps are less than 2 GiB and
 * coordinates less than 2^31. The host calls it before the launch.
 *
 * Fails:    the error, with its axis and numbers.
 */
CT_FN ct_error ct_check_whole(const ct_partition *P, const ct_side *side, const ct_global *g)
{
    const ct_error e = ct_check_tensor(P, side, g);
    const int32_t bytes = ct_atom_is_tile(P->atom) ? 16 : side->width * P->elem_bits / 8;
    if (e.status) return e;
    for (int a = 0; a < P->axes; ++a) {
        if (g->extent[a] % P->tile[a] != 0)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_SIZE_DIVIDES, a, g->extent[a],
                                 P->tile[a]);
        if (g->step[a] > INT32_MAX || g->step[a] < -INT32_MAX || g->extent[a] > INT32_MAX)
            return ct_make_error(CT_E_OVERFLOW, CT_OP_TENSOR, CT_WHY_OVERFLOW, a, 0, 0);
    }
    if (side->axis >= 0 && g->axis != side->axis)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_CONTIGUOUS, side->axis,
                             side->width, 1);
    if (g->align < bytes)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ALIGNMENT, side->axis, g->align,
                             bytes);
    return e;
}

/** @internal The tensor at another address, aligned or not. */
CT_FN ct_global ct_global_at(ct_global g, const void *at)
{
    g.at = (unsigned char *)(uintptr_t)at;
    g.align = (int32_t)ct_min(g.align, ct_align_of((uint64_t)(uintptr_t)at));
    return g;
}

/**
 * The tensor with a contiguous axis that is known at compile time: the step is a constant of the
 * kernel. g must be contiguous along the axis, or have one element there.
 * Cost:     none: addresses lose a multiplication.
 */
CT_DEVICE ct_global ct_global_along(ct_global g, const int axis, const int elem_bits)
{
    g.step[axis] = elem_bits < 8 ? elem_bits : elem_bits / 8;
    g.axis = axis;
    return g;
}

#endif
