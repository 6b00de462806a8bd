/**
 * A tile of a tensor, in a kernel. A thread's part of the tile is in tensor/thread_slice.h.
 *
 * A function that begins at a tensor takes it first, then the partition: ct_view_tile(&g, &P, x).
 * One that goes on from a view takes the partition first: ct_view_inside(&P, v, x).
 *
 * Fails:    Nothing here makes an access. The CPU grid ends the launch at a tile of a tensor that
 *           the partition cannot take, with the error of ct_check_tensor. It ends it at a tile of
 *           a thread's part, and at one that the layout in shared memory does not have.
 * Cost:     No memory traffic. A view is a pointer, and a step, a first coordinate and a remaining
 *           extent for each axis; nvcc keeps what the copy uses in registers.
 * In a kernel:
 *           // args.src: in as a matrix (32,32):(32,1)
 *           CT_STATIC(ct_tiled_copy, rows,
 *                     ct_make_tiled_copy(ct_copy_atom_universal(128, 32), ct_layout2(4, 8, 8, 1),
 *                                        ct_layout2(1, 4, 4, 1)));
 *           CT_STATIC(ct_memory, shared, ct_in_shared_plain(ct_layout2(8, 32, 32, 1)));
 *           CT_STATIC(ct_partition, load,
 *                     ct_make_partition(rows, ct_tuple2(8, 32), ct_in_global(1), shared));
 *           CT_STATIC(ct_partition, part,
 *                     ct_make_partition(rows, ct_tuple2(4, 32), ct_in_global(1),
 *                                       ct_in_registers()));
 *           CT_SHARED(float, memory, 2 * 8 * 32); // two stages
 *           CT_FRAGMENT(float, v, 4);
 *           const int i = (int)threadIdx.x;
 *           float x = 0;
 *           assert(ct_tiles_along(&args.src, &load, 0) == 4);
 *           const ct_view tile = ct_view_tile(&args.src, &load, ct_index2(1, 0)); // rows 8 to 15
 *           ct_copy(tile, ct_view_stage(&load.dst, memory, 1));
 *           ct_copy(ct_view_tile(&args.src, &load, ct_index2(0, 0)), ct_view_shared(memory));
 *           __syncthreads();
 *           ct_load_shared(&x, memory + 256 + i, 32);
 *           assert(x == (float)(8 * 32 + i));
 *           // rows 12 to 15: part (1,0) of the tile
 *           ct_copy(ct_view_inside(&part, tile, ct_index2(1, 0)), ct_view_registers(v));
 *           assert(v[0] == (float)(12 * 32 + 4 * i));
 *           // from row 30 on: rows 32 and 33 read as zero
 *           ct_copy(ct_view_at(&args.src, &part, ct_index2(30, 0)), ct_view_registers(v));
 *           assert(v[3] == (i < 16 ? (float)(30 * 32 + 4 * i + 3) : 0.0f));
 * Used by:  examples/tutorial/tma.cu, for tiles of a tensor map
 */
#ifndef CUTLET_DEVICE_TENSOR_TILE_H
#define CUTLET_DEVICE_TENSOR_TILE_H

#include <cutlet/copy/copy_sides.h>

#include <cutlet/device/tensor/index.h>

/**
 * The largest power of two, up to 32, that divides n: the alignment in bytes of an address or step.
 * 32 for n = 0.
 * In C:     assert(ct_align_of(48) == 16 && ct_align_of(7) == 1 && ct_align_of(0) == 32);
 */
CT_FN int32_t ct_align_of(uint64_t n)
{
    const uint64_t low = n & (0 - n);
    return low == 0 || low > 32 ? 32 : (int32_t)low;
}

/** @internal Words of parentheses, 4 bits for each axis. */
#define CT_NESTING_WORDS ((CT_AXES + 7) / 8)

/** A tensor in global memory, which the host passes to a kernel. */
typedef struct ct_global {
    ct_error err;
    unsigned char *at; /* the element at coordinate 0 */
    int64_t extent[CT_AXES];
    int64_t step[CT_AXES]; /* bytes from one coordinate to the next; bits if elem_bits < 8 */
    int32_t axes;
    uint32_t open[CT_NESTING_WORDS]; /* the profile: parentheses that open before an axis, */
    int32_t elem_bits;
    int32_t axis;  /* the contiguous axis; -1: none */
    int32_t align; /* bytes, up to 32, that divide the address and all other steps */
    uint32_t close[CT_NESTING_WORDS]; /* and that close after it */
} ct_global;

/** A tile of a tensor, or a thread's part of one. */
typedef struct ct_view {
    unsigned char *at;      /* global: the tensor's or thread's first element; otherwise the base */
    int64_t step[CT_AXES];  /* of global memory, as in ct_global */
    int64_t first[CT_AXES]; /* the tile's first coordinate in the tensor, or in shared memory */
    int64_t left[CT_AXES];  /* coordinates from the tile's first on that are in the tensor */
    int64_t before;         /* coordinates of a row before `at` (vectors.h), in addition to first */
    int32_t mine[CT_AXES];  /* the thread's first coordinate in the tile */
    int32_t own;            /* shared: offset of the thread's first byte */
    int32_t axis, align, whole, space;
    int32_t of_thread;      /* whether this is a thread's part of the tile; 2: on the second side;
                             * on the CPU grid, 3 + the number of a thread that has none */
    int32_t is_taken;       /* whether a partition took it, */
    const ct_partition *by; /* and which; nvcc does not fold a test of this pointer for NULL */
    int32_t type,
        count;     /* of a register tensor: its element type, 0 for untyped words, its values */
    uint32_t hash; /* of a thread, and the hash of its fragment */
    uint64_t *bar; /* of a tile in shared memory: the mbarrier at which its copy arrives, */
    int32_t mask;  /* and the blocks of the cluster that receive it; 0: only this block */
    const int32_t
        *index, /* the coordinates of the tensor that an axis of the tile has, in order, */
        *entry; /* those of a thread's accesses, -1 for none, */
    int32_t indexed, rows; /* 1 + that axis, and the tensor's extent along it; 0: no axis */
    int (*when)(const void *with, ct_index x); /* of ct_copy_if, and its argument */
    const void *with;
    const int64_t *offset;   /* of a plan, in global memory: bytes to the thread's accesses, */
    const int32_t *capacity; /* and coordinates from the thread's first on that are in the tensor */
} ct_view;

/** @internal The space of a view of a tensor map, beside CT_SPACE_GLOBAL, CT_SPACE_SHARED and CT_SPACE_REGISTERS. */
enum { CT_MAP = 3 };

/** @internal a * b in 64 bits, by one instruction. */
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

/** @internal n clamped to 0 .. 2^30 - 1; coordinates of a tile are far smaller. */
CT_DEVICE int32_t ct_clamp32(int64_t n)
{
    return n < 0 ? 0 : n > 0x3fffffff ? 0x3fffffff : (int32_t)n;
}

/** @internal Whether all of a tile is in the tensor. */
CT_DEVICE int ct_view_is_whole(const ct_partition *P, const ct_view *v)
{
    int whole = 1;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) whole =
        whole && v->left[a] >= P->tile[a] && (!P->predicated || v->first[a] >= 0);
    return whole;
}

/** @internal The parentheses at axis a, of words of them. */
CT_FN uint32_t ct_parentheses(const uint32_t *words, int a)
{
    return words[a / 8] >> a % 8 * 4 & 15;
}

/** @internal n parentheses more at axis a. */
CT_FN void ct_add_parentheses(uint32_t *words, int a, uint32_t n)
{
    words[a / 8] += n << a % 8 * 4;
}

/** @internal The axes, a bit each, that are in the same mode as the axis before them, as
 *  ct_profile_inner has them. */
CT_FN int32_t ct_global_inner(const ct_global *g)
{
    int32_t inner = 0, level = 0;
    for (int a = 0; a < CT_AXES; ++a) {
        if (a > 0 && level > 1) inner |= (int32_t)1 << a;
        level += (int32_t)ct_parentheses(g->open, a) - (int32_t)ct_parentheses(g->close, a);
    }
    return inner;
}

/** @internal Why a partition cannot take tiles of a tensor; CT_OK if it can. */
CT_FN ct_error ct_view_refusal(const ct_global *g, const ct_partition *P)
{
    const int32_t inner = ct_global_inner(g);
    const ct_error e = g->err.status ? g->err : P->err;
    if (e.status) return e;
    if (g->elem_bits != P->elem_bits)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_ELEM_BITS, 0, g->elem_bits,
                             P->elem_bits);
    if (g->axes < P->axes)
        return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_RANK, 0, P->axes, g->axes);
    for (int a = 1; a <= P->axes; ++a)
        if (((inner ^ P->inner) >> a & 1) != 0)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_PROFILE, a, 0, 0);
    return e;
}

/** @internal The error if a source has a step other than 0 along an axis that its partition says it repeats along. */
CT_FN ct_error ct_repeats_refusal(const ct_partition *P, const int64_t *step)
{
    const ct_error none = CT_ZERO;
    for (int a = 0; a < P->axes; ++a)
        if ((P->repeats >> a & 1) != 0 && step[a] != 0)
            return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_REPEATED, a, step[a], 0);
    return none;
}

/** @internal The error if one of n coordinates of a tile is negative, those from axis `first` on. */
CT_FN ct_error ct_index_refusal(const int64_t *x, int32_t n, int32_t first)
{
    const ct_error none = CT_ZERO;
    for (int a = 0; a < n; ++a)
        if (x[a] < 0)
            return ct_make_error(CT_E_DOMAIN, CT_OP_TENSOR, CT_WHY_NEGATIVE, first + a, x[a], 0);
    return none;
}

/** @internal The error of a copy by `threads` threads in blocks of `block`. */
CT_FN ct_error ct_threads_refusal(int64_t threads, int64_t block)
{
    return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, CT_WHY_THREADS, 0, threads, block);
}

/** @internal The error if a copy by the block's first `threads` threads is called by another one, or
 *  if the block has fewer. (A copy of one thread may be any thread's own.) */
CT_DEVICE ct_error ct_block_refusal(int32_t threads)
{
    const ct_error none = CT_ZERO;
    const int64_t block = (int64_t)blockDim.x;
    const int fits = block >= threads && (int64_t)threadIdx.x < threads;
    return fits || threads == 1 ? none : ct_threads_refusal(threads, block);
}

/** @internal v with the partition that took it: a copy needs no further argument. */
CT_DEVICE ct_view ct_view_by(const ct_partition *P, ct_view v)
{
    v.is_taken = 1;
    v.by = P;
    return v;
}

/** @internal ct_view_at of a coordinate that is a multiple of an access along the contiguous axis. */
CT_DEVICE ct_view ct_view_begin(const ct_global *g, const ct_partition *P, const ct_index x)
{
    ct_view v = CT_ZERO;
    int64_t beyond = 0;
    CT_REFUSE("tile of a tensor", ct_view_refusal(g, P));
    CT_UNROLL for (int a = 0; a < CT_AXES; ++a) if (a >= P->axes && x.at[a] != 0)
    {
        beyond += x.at[a] * g->step[a];
#if !defined(__CUDACC__)
        v.first[a] = x.at[a]; /* for ct_side_refusal */
        v.left[a] = a < g->axes ? g->extent[a] - x.at[a] : 1;
#endif
    }
    CT_UNROLL for (int a = 0; a < P->axes; ++a)
    {
        v.first[a] = x.at[a];
        /* promised: steps are less than 2 GiB, coordinates less than 2^31 */
        v.step[a] = P->unchecked ? (int32_t)g->step[a] : g->step[a];
        v.left[a] = g->extent[a] - v.first[a];
    }
    v.at = g->at + (P->elem_bits < 8 ? beyond >> 3 : beyond);
    v.axis = g->axis;
    v.align = g->align;
    v.whole = ct_view_is_whole(P, &v);
    v.space = CT_SPACE_GLOBAL;
    return ct_view_by(P, v);
}

/** The tile of a partition that begins at coordinate x of a tensor, in elements. It may reach past
 *  the tensor's end: then the copy checks its accesses. They are misaligned at a coordinate that is
 *  no multiple of one; an unchecked partition takes multiples only. Axes after those of the tile are
 *  sliced at their coordinates. A coordinate is negative only where the partition is predicated: the
 *  CPU grid refuses a copy of such a tile by another one, and on a GPU nothing tests it. */
CT_DEVICE ct_view ct_view_at(const ct_global *g, const ct_partition *P, const ct_index x)
{
    ct_view v = ct_view_begin(g, P, x);
    uint32_t by = 0; /* align divides all steps but the contiguous axis's */
    if (P->unchecked || P->predicated) return v; /* the copy by a predicate looks at coordinates */
    CT_UNROLL for (int a = 0; a < P->axes; ++a) by |= (uint32_t)x.at[a] * (uint32_t)g->step[a];
    v.align = (int32_t)ct_min(v.align, ct_align_of(P->elem_bits < 8 ? by >> 3 : by));
    return v;
}

/** Tile x of a tensor divided into tiles of a partition: ct_local_tile of a tensor in memory. */
CT_DEVICE ct_view ct_view_tile(const ct_global *g, const ct_partition *P, ct_index x)
{
    CT_UNROLL for (int a = 0; a < P->axes; ++a) x.at[a] *= P->tile[a];
    return ct_view_begin(g, P, x);
}

/** @internal Why a view has no tiles; CT_OK if it has. */
CT_FN ct_error ct_view_inside_refusal(const ct_view *v)
{
    const ct_error none = CT_ZERO;
    if (!v->of_thread) return none;
    const int32_t why = v->space == CT_SPACE_REGISTERS ? CT_WHY_REGISTERS : CT_WHY_THREAD;
    return ct_make_error(CT_E_ARGUMENT, CT_OP_TENSOR, why, 0, 0, 0);
}

/** Tile x of a tile divided into tiles of another partition, such as a warp's tile of a block's: in
 *  global memory, of the tensor of a map, or of shared memory whose layout in P has several. */
CT_DEVICE ct_view ct_view_inside(const ct_partition *P, ct_view v, const ct_index x)
{
    CT_REFUSE("tile of a tile", ct_view_inside_refusal(&v));
    CT_UNROLL for (int a = 0; a < P->axes; ++a)
    {
        v.first[a] += x.at[a] * P->tile[a];
        v.left[a] -= x.at[a] * P->tile[a];
    }
    v.whole = ct_view_is_whole(P, &v);
    return ct_view_by(P, v);
}

/** Shared memory that holds a tile, at `base`; the partition knows its layout. */
CT_DEVICE ct_view ct_view_shared(const void *base)
{
    ct_view v = CT_ZERO;
    v.at = (unsigned char *)base;
    v.space = CT_SPACE_SHARED;
    return v;
}

/** Stage `stage` of a side in shared memory; stage 0 is at base, and each has side->bytes bytes. */
CT_DEVICE ct_view ct_view_stage(const ct_side *side, const void *base, const int stage)
{
    return ct_view_shared((const unsigned char *)base + stage * side->bytes);
}

/** The view for a copy that arrives at an mbarrier, in the blocks of a mask; 0: in this block. */
CT_DEVICE ct_view ct_view_arriving(ct_view v, uint64_t *bar, const int mask)
{
    v.bar = bar;
    v.mask = mask;
    return v;
}

/**
 * The tile of a map's tensor that begins at coordinate x, in elements; &args.map is in the kernel's
 * argument. The tile has as many axes as the map, with extent 1 along those that count matrices. A
 * coordinate of a load may be negative: it gives zeros for what is not in the tensor. Along a row
 * coordinates are multiples of 16 bytes.
 * Used by:  tests/copy/test_halos.c
 */
CT_DEVICE ct_view ct_view_map_at(const void *map, const ct_partition *P, const ct_index x)
{
    ct_view v = CT_ZERO;
    v.at = (unsigned char *)(uintptr_t)map;
    v.space = CT_MAP;
    CT_UNROLL for (int a = 0; a < P->axes; ++a) v.mine[a] = (int32_t)x.at[a];
    return ct_view_by(P, v);
}

/** Tile x of the tensor of a map, divided into tiles of a partition. */
CT_DEVICE ct_view ct_view_map(const void *map, const ct_partition *P, ct_index x)
{
    CT_UNROLL for (int a = 0; a < P->axes; ++a) x.at[a] *= P->tile[a];
    return ct_view_map_at(map, P, x);
}

/** A thread's registers: an array of words, as many as its values take, in their order. */
CT_DEVICE ct_view ct_view_registers(void *words)
{
    ct_view v = CT_ZERO;
    v.at = (unsigned char *)words;
    v.space = CT_SPACE_REGISTERS;
    v.of_thread = 1;
    return v;
}

/** The number of tiles of a tensor along an axis, the last one whole or not. */
CT_DEVICE int64_t ct_tiles_along(const ct_global *g, const ct_partition *P, const int axis)
{
    return (g->extent[axis] + P->tile[axis] - 1) / P->tile[axis];
}

#define ct_view_at(...) CT_CALL(ct_view_at, __VA_ARGS__)

#define ct_view_inside(...) CT_CALL(ct_view_inside, __VA_ARGS__)

#define ct_view_tile(...) CT_CALL(ct_view_tile, __VA_ARGS__)

#endif
