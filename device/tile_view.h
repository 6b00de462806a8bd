/**
 * Views of a tensor in a kernel: the tile of a block, and the partition of a thread.
 */
#ifndef CUTLET_DEVICE_TILE_VIEW_H
#define CUTLET_DEVICE_TILE_VIEW_H

#include <cutlet/copy_sides.h>

#include "kernel.h"

/** The power of two, up to 32, that divides n. */
CT_FN int32_t ct_align_of(uint64_t n)
{
    const uint64_t low = n & (0 - n);
    return low == 0 || low > 32 ? 32 : (int32_t)low;
}

/** A tensor in global memory: what the host gives a kernel. */
typedef struct ct_global {
    ct_error err;
    unsigned char *at;       /* the element at coordinate 0 */
    int64_t extent[CT_AXES];
    int64_t step[CT_AXES];   /* bytes from one coordinate to the next; bits of elements below 8 */
    int32_t axes;
    int32_t inner;           /* axes, a bit each, that go on in the mode of the axis before */
    int32_t elem_bits;
    int32_t axis;            /* whose elements lie side by side; -1: on no axis */
    int32_t align;           /* bytes, up to 32, that divide the address and all other steps */
} ct_global;

/** A tensor, or a tile of one, where a kernel or a thread of it stands. */
typedef struct ct_view {
    unsigned char *at;      /* the tensor's, or the thread's, first element; elsewhere the base */
    int64_t step[CT_AXES];  /* of global memory, as in ct_global */
    int64_t first[CT_AXES]; /* the tile's first coordinate in the tensor */
    int64_t left[CT_AXES];  /* coordinates from the tile's first on that are in the tensor */
    int64_t before;         /* coordinates along the contiguous axis that lie before at, besides those */
    int32_t mine[CT_AXES];  /* the thread's first coordinate in the tile */
    int32_t own;            /* shared: byte at which the thread begins */
    int32_t axis, align, whole, space;
    int32_t of_thread;      /* whether this is a thread's part of the tile */
    int32_t is_taken;       /* whether a partition took it, */
    const ct_partition *by; /* and which; nvcc does not fold whether a pointer to a constant is NULL */
    uint64_t *bar; /* of a tile in shared memory: the mbarrier at which its copy arrives, */
    int32_t mask;  /* and the blocks of the cluster that get it too; 0: this one alone */
} ct_view;

/** Which tile: its number along each axis. */
typedef struct ct_index {
    int64_t at[CT_AXES];
} ct_index;

/** In an index of ct_global_slice: the whole axis, `_` in CuTe. */
#define CT_ALL INT64_MIN

#if CT_AXES >= 4 /* a kernel that has fewer says how many it has */
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
#endif

/** a * b in 64 bits, by one instruction. */
CT_DEVICE int64_t ct_wide(int32_t a, int32_t b)
{
#if defined(__CUDACC__)
    int64_t r;
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b));
    return r;
#else
    return (int64_t)a * b;
#endif
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
    CT_UNROLL for (int a = 0; a < P->axes; ++a) whole = whole && v->left[a] >= P->tile[a];
    return whole;
}

/** Why a partition cannot take tiles of a tensor; CT_OK if it can. */
CT_FN ct_error ct_view_refusal(const ct_global *g, const ct_partition *P)
{
    const ct_error e = g->err.status ? g->err : P->err;
    if (e.status) return e;
    if (g->elem_bits != P->elem_bits)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ELEM_BITS, 0, g->elem_bits, P->elem_bits);
    if (g->axes < P->axes)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_RANK, 0, P->axes, g->axes);
    for (int a = 1; a <= P->axes; ++a)
        if (((g->inner ^ P->inner) >> a & 1) != 0)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_PROFILE, a, 0, 0);
    return e;
}

/** v, taken by a partition: a copy of it needs no other word for it. */
CT_DEVICE ct_view ct_view_by(const ct_partition *P, ct_view v)
{
    v.is_taken = 1;
    v.by = P;
    return v;
}

/** The tile of a partition that begins at coordinate x of a tensor. Of axes behind those of the tile
 *  the coordinate itself is taken. */
CT_DEVICE ct_view ct_view_at(const ct_global *g, const ct_partition *P, const ct_index x)
{
    ct_view v = CT_ZERO;
    int64_t beyond = 0;
    CT_REFUSE("tile of a tensor", ct_view_refusal(g, P));
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a)
        if (a >= P->axes && x.at[a] != 0) beyond += x.at[a] * g->step[a];
    CT_UNROLL for (int a = 0; a < P->axes; ++a) {
        v.first[a] = x.at[a];
        /* a promise: steps are less than 2 GiB, coordinates than 2^31 */
        v.step[a] = P->promised ? (int32_t)g->step[a] : g->step[a];
        v.left[a] = g->extent[a] - v.first[a];
    }
    v.at = g->at + (P->elem_bits < 8 ? beyond >> 3 : beyond);
    v.axis = g->axis;
    v.align = g->align;
    v.whole = ct_view_is_whole(P, &v);
    v.space = CT_GLOBAL;
    return ct_view_by(P, v);
}

/** Tile x of a tensor cut into tiles of a partition: ct_local_tile of a tensor in memory. */
CT_DEVICE ct_view ct_view_tile(const ct_global *g, const ct_partition *P, ct_index x)
{
    CT_UNROLL for (int a = 0; a < P->axes; ++a) x.at[a] *= P->tile[a];
    return ct_view_at(g, P, x);
}

/** Tile x of the tiles of a partition in a tile of another one, which they divide: a warp's of a block's. */
CT_DEVICE ct_view ct_view_inside(const ct_partition *P, ct_view v, const ct_index x)
{
    CT_UNROLL for (int a = 0; a < P->axes; ++a) {
        v.first[a] += x.at[a] * P->tile[a];
        v.left[a] -= x.at[a] * P->tile[a];
    }
    v.whole = ct_view_is_whole(P, &v);
    return ct_view_by(P, v);
}

/** Shared memory that holds a tile; the partition knows its layout. */
CT_DEVICE ct_view ct_view_shared(const void *base)
{
    ct_view v = CT_ZERO;
    v.at = (unsigned char *)base;
    v.space = CT_SHARED;
    return v;
}

/** Stage `stage` of a side in shared memory that begins at base. */
CT_DEVICE ct_view ct_view_stage(const ct_side *side, const void *base, const int stage)
{
    return ct_view_shared((const unsigned char *)base + stage * side->bytes);
}

/** The same for a copy that arrives at an mbarrier, in the blocks of a mask; 0: in this one. */
CT_DEVICE ct_view ct_view_arriving(ct_view v, uint64_t *bar, const int mask)
{
    v.bar = bar;
    v.mask = mask;
    return v;
}

/** Tile x of the tensor that a map describes: &args.map, the kernel's argument. The tile has as many axes
 *  as the map, of extent 1 where it is one of several matrices. */
CT_DEVICE ct_view ct_view_map(const void *map, const ct_partition *P, const ct_index x)
{
    ct_view v = CT_ZERO;
    v.at = (unsigned char *)(uintptr_t)map;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) v.mine[a] = (int32_t)(x.at[a] * P->tile[a]);
    return ct_view_by(P, v);
}

/** A thread's registers: an array of words. */
CT_DEVICE ct_view ct_view_registers(void *words)
{
    ct_view v = CT_ZERO;
    v.at = (unsigned char *)words;
    v.space = CT_REGISTERS;
    v.of_thread = 1;
    return v;
}

/** The tiles of a tensor along an axis. */
CT_DEVICE int64_t ct_tiles_along(const ct_global *g, const ct_partition *P, const int axis)
{
    return (g->extent[axis] + P->tile[axis] - 1) / P->tile[axis];
}

/** Bytes from the tensor's first element to coordinate first + mine of it. */
CT_DEVICE int64_t ct_view_offset(const ct_partition *P, const ct_side *side, const ct_view *v)
{
    int64_t at = 0;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) {
        const int64_t c = v->first[a] + v->mine[a];
        if (!P->promised) at += c * v->step[a];
        else if (a == side->axis) at += (int64_t)(int32_t)c * (P->elem_bits < 8 ? P->elem_bits : P->elem_bits / 8);
        else at += ct_wide((int32_t)c, (int32_t)v->step[a]);
    }
    return P->elem_bits < 8 ? at >> 3 : at;
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

/** The part of a tile that a thread copies, on one side of a partition; a part of a thread stays what
 *  it is. (Selections instead of a branch: a branch between two views keeps them in memory.) */
CT_DEVICE ct_view ct_view_of_thread(const ct_partition *P, const ct_side *side, ct_view v,
                                    const uint32_t thread)
{
    const int done = v.of_thread;
    int32_t offset = 0;
    CT_UNROLL for (int d = 0; d < side->digits; ++d) {
        const ct_digit *const g = &side->digit[d];
        const int32_t mod = side->space == CT_SHARED ? ct_digit_run(side, d) : g->mod;
        if (mod == 0) continue;
        uint32_t n = g->div == 1 ? thread : thread / (uint32_t)g->div;
        if (g->div * mod < P->threads) n %= (uint32_t)mod;
        v.mine[g->axis] += done ? 0 : (int32_t)n * g->step;
        offset += (int32_t)n * g->offset;
    }
    if (side->space == CT_GLOBAL) {
        v.at += done ? 0 : ct_view_offset(P, side, &v);
    } else if (side->space == CT_SHARED) {
        const ct_swizzle sw = side == &P->src ? P->src_swizzle : P->dst_swizzle;
        offset = side->first + (P->elem_bits < 8 ? offset * P->elem_bits / 8 : offset * (P->elem_bits / 8));
        const int32_t own = side->apart && sw.bits > 0 ? (int32_t)ct_swizzle_apply(sw, offset) : offset;
        v.own = done ? v.own : own;
    }
    v.of_thread = 1;
    return ct_view_by(P, v);
}

/** What thread `thread` reads of a tile, and what it writes: the sides of a partition. A copy of a
 *  whole tile does this by itself, for threadIdx.x. */
CT_DEVICE ct_view ct_view_src(const ct_partition *P, const ct_view v, uint32_t thread)
{
    return ct_view_of_thread(P, &P->src, v, thread);
}
CT_DEVICE ct_view ct_view_dst(const ct_partition *P, const ct_view v, uint32_t thread)
{
    return ct_view_of_thread(P, &P->dst, v, thread);
}

/** Where a thread begins in a tile, on a side of a partition in global memory: its coordinates, for
 *  predicates of a kernel's own. */
CT_DEVICE ct_index ct_thread_first(const ct_partition *P, const ct_side *side, uint32_t thread)
{
    ct_view none = CT_ZERO;
    ct_index x = CT_ZERO;
    none = ct_view_of_thread(P, side, none, thread);
    CT_UNROLL for (int a = 0; a < P->axes; ++a) x.at[a] = none.mine[a];
    return x;
}

/** How far value v of a thread lies from there along an axis. */
CT_FN int32_t ct_value_step(const ct_side *side, int v, int axis)
{
    const int at = side->place[v];
    return side->coord[at / side->width][axis] + (axis == side->axis ? at % side->width : 0);
}

/** The same part of the tile that lies `tiles` tiles further along an axis. */
CT_DEVICE ct_view ct_view_next(const ct_partition *P, ct_view v, const int axis, int64_t tiles)
{
    const int64_t steps = tiles * P->tile[axis], offset = steps * v.step[axis];
    const int64_t by = P->elem_bits < 8 ? offset >> 3 : offset;
    v.at += v.of_thread ? by : 0; /* of a tile, at is that of the tensor */
    v.first[axis] += steps;
    v.left[axis] -= steps;
    v.whole = ct_view_is_whole(P, &v);
    return v;
}

#define ct_view_at(...) CT_CALL(ct_view_at, __VA_ARGS__)

#define ct_view_tile(...) CT_CALL(ct_view_tile, __VA_ARGS__)

#endif
