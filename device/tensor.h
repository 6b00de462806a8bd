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

#include "tile_view.h"

/**
 * The tensor of a layout at an address. Each mode of the layout is an axis, of any sign; stride 0
 * repeats an element, which only a source may. A nested mode has to be one step after all, as
 * (8,4):(32,256) is; give the leaves of any other as modes of their own (ct_layout_flatten).
 *
 * Fails:    .err, and no extent: CT_E_ARGUMENT for a failed or coordinate layout, a nested mode that is
 *           not one step, elements of other than 1, 2, 4, 8, 16, 32, 64 or 128 bits, an address that is
 *           no multiple of the element, and steps between elements of less than a byte that are no
 *           whole bytes but along one axis; CT_E_CAPACITY for more than CT_AXES modes; CT_E_OVERFLOW
 *           when a step in bytes does not fit in 64 bits.
 */
CT_FN ct_global ct_make_global(const void *at, int32_t elem_bits, ct_layout layout)
{
    ct_global g = CT_ZERO;
    const int n = ct_profile_rank(layout.profile), bytes = elem_bits < 8 ? 1 : elem_bits / 8;
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
        const ct_layout mode = ct_mode(layout, a);
        const ct_layout one = mode.profile.leaves == 1 ? mode : ct_coalesce(mode);
        if (one.profile.leaves > 1)
            g.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_STEPS, a, one.profile.leaves, 0);
        g.extent[a] = one.shape[0];
        g.step[a] = ct_mul(one.stride[0], elem_bits < 8 ? elem_bits : bytes, &ok);
        if (one.stride[0] == 1 && (g.axis < 0 || one.shape[0] > 1)) g.axis = a;
    }
    for (int a = 0; a < n; ++a) {
        if (a == g.axis || g.extent[a] == 1) continue;
        if (elem_bits < 8 && g.step[a] % 8 != 0 && g.err.status == CT_OK)
            g.err = ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ALIGNMENT, a,
                                  g.step[a] / elem_bits, 8 / elem_bits);
        bits |= (uint64_t)(elem_bits < 8 ? g.step[a] / 8 : g.step[a]);
    }
    g.align = ct_align_of(bits);
    if (!ok) g.err = ct_make_error(CT_E_OVERFLOW, CT_OP_TENSOR, CT_WHY_OVERFLOW, 0, 0, 0);
    for (int a = 0; a < n && g.err.status; ++a) g.extent[a] = 0;
    return g;
}

/**
 * Whether a partition can take tiles of a tensor: neither has failed, their elements have the same bits,
 * and the tensor has an axis for each of the tile; a destination repeats no element. For the host, before
 * the launch; the CPU grid asks the same, but for the last, wherever a tile is taken.
 *
 * Fails:    the error that names the numbers.
 */
CT_FN ct_error ct_check_tensor(const ct_partition *P, const ct_side *side, const ct_global *g)
{
    const ct_error e = ct_view_refusal(g, P);
    if (e.status || side != &P->dst) return e;
    for (int a = 0; a < g->axes; ++a)
        if (g->step[a] == 0 && g->extent[a] > 1)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_REPEATS, a, g->extent[a], 0);
    return e;
}

/**
 * Whether a tensor keeps what ct_promise_whole promises of a side's tiles: extents are multiples of the
 * tile's, the side's axis is contiguous, accesses are aligned, steps less than 2 GiB and coordinates less
 * than 2^31. For the host, before the launch.
 *
 * Fails:    the error that names the axis and its numbers.
 */
CT_FN ct_error ct_check_promise(const ct_partition *P, const ct_side *side, const ct_global *g)
{
    const ct_error e = ct_check_tensor(P, side, g);
    const int32_t bytes = side->width * P->elem_bits / 8;
    if (e.status) return e;
    for (int a = 0; a < P->axes; ++a) {
        if (g->extent[a] % P->tile[a] != 0)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_SIZE_DIVIDES, a, g->extent[a], P->tile[a]);
        if (g->step[a] > INT32_MAX || g->step[a] < -INT32_MAX || g->extent[a] > INT32_MAX)
            return ct_make_error(CT_E_OVERFLOW, CT_OP_TENSOR, CT_WHY_OVERFLOW, a, 0, 0);
    }
    if (side->axis >= 0 && g->axis != side->axis)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_CONTIGUOUS, side->axis, side->width, 1);
    if (g->align < bytes)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ALIGNMENT, side->axis, g->align, bytes);
    return e;
}

/** The tensor at another address: any, also where its elements are not aligned. */
CT_FN ct_global ct_global_at(ct_global g, const void *at)
{
    g.at = (unsigned char *)(uintptr_t)at;
    g.align = (int32_t)ct_min(g.align, ct_align_of((uint64_t)(uintptr_t)at));
    return g;
}

/** The tensor, known to be contiguous along an axis when the kernel is compiled. */
CT_DEVICE ct_global ct_global_along(ct_global g, const int axis, const int elem_bits)
{
    g.step[axis] = elem_bits < 8 ? elem_bits : elem_bits / 8;
    g.axis = axis;
    return g;
}

#endif
