/**
 * Tensors in memory, as a kernel holds them.
 *
 *     typedef struct { ct_global a; ct_global out; } my_args;          // made on the host
 *
 *     const ct_view tile = ct_view_tile(&args.a, &load, ct_index2(blockIdx.y, k));
 *     const ct_view from = ct_view_of_thread(&load, &load.src, tile, threadIdx.x);
 *
 * A tensor in global memory is a pointer, an element size, and for each axis an extent and a step,
 * which are known when the kernel runs. How a tile of it is divided among threads is known when
 * the kernel is compiled (cutlet/copy_partition.h). So a thread works out one address; every other
 * one is a constant coordinate away, in bounds or not by the same coordinate.
 */
#ifndef CUTLET_DEVICE_TENSOR_H
#define CUTLET_DEVICE_TENSOR_H

#include <cutlet/copy_partition.h>

#include "kernel.h"

/** A tensor in global memory: what the host gives a kernel. */
typedef struct ct_global {
    ct_error err;
    unsigned char *at;       /* the element at coordinate 0 */
    int64_t extent[CT_AXES];
    int64_t step[CT_AXES];   /* bytes from one coordinate to the next; bits of elements below 8 */
    int32_t axes;
    int32_t elem_bits;
    int32_t axis;            /* whose elements lie side by side; -1: none */
    int32_t align;           /* bytes, up to 32, that divide the address and all other steps */
} ct_global;

/** The power of two, up to 32, that divides n. */
CT_FN int32_t ct_align_of(uint64_t n) { return (int32_t)ct_power_of_two((int64_t)(n & 31), 32); }

/**
 * The tensor of a layout at an address. Each leaf of the layout is an axis, of any sign; stride 0
 * repeats an element, which only a source may.
 *
 * Fails:    .err: CT_E_ARGUMENT for a failed or coordinate layout, more than CT_AXES leaves,
 *           elements of other than 1, 2, 4, 8, 16, 32, 64 or 128 bits, and an address that is no
 *           multiple of the element, and steps between elements of less than a byte that are no
 *           whole bytes but along one axis; CT_E_OVERFLOW when a step in bytes does not fit in 64 bits.
 */
CT_FN ct_global ct_make_global(const void *at, int32_t elem_bits, ct_layout layout)
{
    ct_global g = CT_ZERO;
    const int n = layout.profile.leaves, bytes = elem_bits < 8 ? 1 : elem_bits / 8;
    g.err = layout.err;
    if (g.err.status) return g;
    if (!ct_is_integral(layout))
        g.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_NOT_INTEGER, 0, 0, 0);
    else if (n > CT_AXES)
        g.err = ct_make_error(CT_E_CAPACITY, CT_OP_TENSOR, CT_WHY_LEAVES, 0, n, CT_AXES);
    else if (elem_bits < 1 || elem_bits > 128 || (elem_bits & (elem_bits - 1)) != 0)
        g.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ATOM, 0, elem_bits, elem_bits);
    else if (((uintptr_t)at & (uintptr_t)(bytes - 1)) != 0)
        g.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ADDRESS, 0,
                              (int64_t)((uintptr_t)at & (uintptr_t)(bytes - 1)), bytes);
    if (g.err.status) return g;
    g.at = (unsigned char *)(uintptr_t)at;
    g.axes = n;
    g.elem_bits = elem_bits;
    g.axis = -1;
    uint64_t bits = (uint64_t)(uintptr_t)at;
    int ok = 1;
    for (int a = 0; a < n; ++a) {
        g.extent[a] = layout.shape[a];
        g.step[a] = ct_mul(layout.stride[a], elem_bits < 8 ? elem_bits : bytes, &ok);
        if (layout.stride[a] == 1 && (g.axis < 0 || layout.shape[a] > 1)) g.axis = a;
    }
    for (int a = 0; a < n; ++a) {
        if (a == g.axis || g.extent[a] == 1) continue;
        if (elem_bits < 8 && g.step[a] % 8 != 0 && g.err.status == CT_OK)
            g.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ALIGNMENT, a, layout.stride[a],
                                  8 / elem_bits);
        bits |= (uint64_t)(elem_bits < 8 ? g.step[a] / 8 : g.step[a]);
    }
    g.align = ct_align_of(bits);
    if (!ok) g.err = ct_make_error(CT_E_OVERFLOW, CT_OP_TENSOR, CT_WHY_OVERFLOW, 0, 0, 0);
    return g;
}

/** The tensor at another address: any, also where its elements are not aligned. */
CT_FN ct_global ct_global_at(ct_global g, const void *at)
{
    g.at = (unsigned char *)(uintptr_t)at;
    g.align = (int32_t)ct_min(g.align, ct_align_of((uint64_t)(uintptr_t)at));
    return g;
}

/** A tensor, or a tile of one, where a kernel or a thread of it stands. */
typedef struct ct_view {
    unsigned char *at;     /* global: the thread's first element; elsewhere the base */
    int64_t step[CT_AXES]; /* of global memory, as in ct_global */
    int64_t left[CT_AXES]; /* coordinates from the tile's first on that are in the tensor */
    int32_t mine[CT_AXES]; /* the thread's first coordinate in the tile */
    int32_t before;        /* coordinates of the tensor before the tile, along the contiguous axis */
    int32_t own;           /* shared: byte at which the thread begins */
    int32_t axis, align, whole, space;
} ct_view;

/** Which tile: its number along each axis. */
typedef struct ct_index {
    int64_t at[CT_AXES];
} ct_index;

CT_DEVICE ct_index ct_index1(int64_t i)
{
    ct_index x = {{i}};
    return x;
}
CT_DEVICE ct_index ct_index2(int64_t i, int64_t j)
{
    ct_index x = {{i, j}};
    return x;
}
CT_DEVICE ct_index ct_index3(int64_t i, int64_t j, int64_t k)
{
    ct_index x = {{i, j, k}};
    return x;
}
CT_DEVICE ct_index ct_index4(int64_t i, int64_t j, int64_t k, int64_t l)
{
    ct_index x = {{i, j, k, l}};
    return x;
}

/** n in 32 bits, as far as they hold it; coordinates of a tile are far smaller. */
CT_DEVICE int32_t ct_clamp32(int64_t n)
{
    return n < 0 ? 0 : n > 0x3fffffff ? 0x3fffffff : (int32_t)n;
}

/** Whether all of a tile is in the tensor. */
CT_DEVICE int ct_view_is_whole(const ct_partition *P, const ct_view *v)
{
    int whole = 1;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a)
        if (a < P->axes) whole = whole && v->left[a] >= P->tile[a];
    return whole;
}

/** The tile of a partition that begins at coordinate x of a tensor. Of axes behind those of the tile
 *  the coordinate itself is taken. */
CT_DEVICE ct_view ct_view_at(const ct_global *g, const ct_partition *P, const ct_index x)
{
    ct_view v = CT_ZERO;
    int64_t offset = 0;
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a) {
        const int64_t first = x.at[a];
        if (a >= P->axes && first == 0) continue;
        offset += first * g->step[a];
        if (a < P->axes) {
            v.step[a] = g->step[a];
            v.left[a] = g->extent[a] - first;
            if (a == g->axis) v.before = ct_clamp32(first);
        }
    }
    v.at = g->at + (P->elem_bits < 8 ? offset >> 3 : offset);
    v.axis = g->axis;
    v.align = g->align;
    v.whole = ct_view_is_whole(P, &v);
    v.space = CT_GLOBAL;
    return v;
}

/** Tile x of a tensor cut into tiles of a partition: ct_local_tile of a tensor in memory. */
CT_DEVICE ct_view ct_view_tile(const ct_global *g, const ct_partition *P, ct_index x)
{
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a)
        if (a < P->axes) x.at[a] *= P->tile[a];
    return ct_view_at(g, P, x);
}

/** Shared memory that holds a tile; the partition knows its layout. */
CT_DEVICE ct_view ct_view_shared(const void *base)
{
    ct_view v = CT_ZERO;
    v.at = (unsigned char *)base;
    v.space = CT_SHARED;
    return v;
}

/** A thread's registers: an array of words. */
CT_DEVICE ct_view ct_view_registers(void *words)
{
    ct_view v = CT_ZERO;
    v.at = (unsigned char *)words;
    v.space = CT_REGISTERS;
    return v;
}

/** How many threads digit d of a side counts together with those behind it, as far as they go on in
 *  shared memory where it ends; 0 where it goes on itself where the digit before it ends. */
CT_FN int32_t ct_digit_run(const ct_side *side, int d)
{
    int32_t run = 1;
    for (int k = 0; k < CT_DIGITS; ++k) {
        if (k < d || k >= side->digits) continue;
        const ct_digit *const g = &side->digit[k];
        const ct_digit *const b = &side->digit[k > 0 ? k - 1 : 0];
        const int goes_on = k > 0 && b->div * b->mod == g->div && b->mod * b->offset == g->offset;
        if (k == d && goes_on) return 0;
        if (k > d && !goes_on) return run;
        run *= g->mod;
    }
    return run;
}

/** The part of a tile that a thread copies, on one side of a partition. */
CT_DEVICE ct_view ct_view_of_thread(const ct_partition *P, const ct_side *side, ct_view v,
                                    const uint32_t thread)
{
    int32_t offset = 0;
    CT_UNROLL for (int d = 0; d < CT_DIGITS; ++d) if (d < side->digits) {
        const ct_digit *const g = &side->digit[d];
        const int32_t mod = side->space == CT_SHARED ? ct_digit_run(side, d) : g->mod;
        if (mod == 0) continue;
        uint32_t n = g->div == 1 ? thread : thread / (uint32_t)g->div;
        if (g->div * mod < P->threads) n %= (uint32_t)mod;
        CT_UNROLL for (int a = 0; a < CT_AXES; ++a)
            if (a == g->axis) v.mine[a] += (int32_t)n * g->step;
        offset += (int32_t)n * g->offset;
    }
    if (side->space == CT_GLOBAL) {
        int64_t at = 0;
        CT_UNROLL for (int a = 0; a < CT_AXES; ++a) if (a < P->axes) {
            at += v.mine[a] * v.step[a];
        }
        v.at += P->elem_bits < 8 ? at >> 3 : at;
    } else if (side->space == CT_SHARED) {
        const ct_swizzle sw = side == &P->src ? P->src_swizzle : P->dst_swizzle;
        offset = side->first + (P->elem_bits < 8 ? offset * P->elem_bits / 8 : offset * (P->elem_bits / 8));
        v.own = side->apart && sw.bits > 0 ? (int32_t)ct_swizzle_apply(sw, offset) : offset;
    }
    return v;
}

/** What thread `thread` reads of a tile, and what it writes: the sides of a partition. */
CT_DEVICE ct_view ct_view_src(const ct_partition *P, const ct_view v, uint32_t thread)
{
    return ct_view_of_thread(P, &P->src, v, thread);
}
CT_DEVICE ct_view ct_view_dst(const ct_partition *P, const ct_view v, uint32_t thread)
{
    return ct_view_of_thread(P, &P->dst, v, thread);
}

/** The same part of the tile that lies `tiles` tiles further along an axis. */
CT_DEVICE ct_view ct_view_next(const ct_partition *P, ct_view v, const int axis, int64_t tiles)
{
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a) if (a == axis) {
        const int64_t steps = tiles * P->tile[a];
        const int64_t offset = steps * v.step[a];
        v.at += P->elem_bits < 8 ? offset >> 3 : offset;
        v.left[a] -= steps;
        if (a == v.axis) v.before = ct_clamp32(v.before + steps);
    }
    v.whole = ct_view_is_whole(P, &v);
    return v;
}

#endif
