/* Global -> shared -> global through each variant of the tiled copy. A kernel is a row of
 * variants.h for one order of the data and one size of its elements: ct_copy_rows8_async_row_2 is
 * rows8-async for row-major data of 2 bytes an element.
 *
 * A launch has as many threads as the tiled copy, a block for each tile (x along the contiguous axis,
 * y times z along the other), and dynamic shared memory for its parts of 64 x 64: 64 KiB for each
 * where elements have 16 bytes, which a launch on a GPU has to ask for. */
#include "../copy.h"
#include "../static.h"
#include "../whole_tiles.h"
#include "variants.h"

/* How many blocks a multiprocessor has to hold: those that its 2048 threads and its shared memory
 * allow, 227 KiB on sm_90 with 1 KiB for each block, but for one where memory decides. The compiler
 * then keeps registers as few. */
#define RESIDENT(threads, bytes) \
    ct_min(2048 / (threads), 227 * 1024 / (CT_COPY_TILE * CT_COPY_TILE * (bytes) + 1024) - 1)

/* Makes what was copied visible to the block. */
CT_DEVICE void arrive(const ct_partition *in)
{
    if (in->atom != CT_ATOM_UNIVERSAL) ct_cp_async_wait_all();
    __syncthreads();
}

/* The tile of this block, of a launch that has only whole ones. */
CT_DEVICE void copy_whole_tile(const ct_partition *in, const ct_partition *out,
                               const ct_variant_args *args, unsigned char *memory)
{
    const int32_t x = (int32_t)blockIdx.x, y = (int32_t)blockIdx.y;
    const ct_view tile = ct_view_shared(memory);
    ct_copy(in, ct_view_whole(in, &in->src, &args->src, args->step, x, y, threadIdx.x),
            ct_view_dst(in, tile, threadIdx.x));
    arrive(in);
    ct_copy(out, ct_view_src(out, tile, threadIdx.x),
            ct_view_whole(out, &out->dst, &args->dst, args->step, x, y, threadIdx.x));
}

/* A part of the block's tile: what the kernel copies at once, at (m,n) of the tile. */
CT_DEVICE ct_view part_of(const ct_partition *P, const ct_global *g, const ct_variant_args *args,
                          const int axis, int32_t m, int32_t n)
{
    const int64_t x = blockIdx.x, y = (int64_t)blockIdx.z * gridDim.y + blockIdx.y;
    const int64_t first_m = (axis == 0 ? x : y) * args->tile_m + m;
    const int64_t first_n = (axis == 0 ? y : x) * args->tile_n + n;
    const ct_view part = ct_view_at(g, P, ct_index2(first_m, first_n));
    return ct_view_first(P, ct_view_first(P, part, 0, args->tile_m - m), 1, args->tile_n - n);
}

/* The tile of this block, of any size, anywhere: all of its parts in, then all of them out. */
CT_DEVICE void copy_tile(const ct_partition *in, const ct_partition *out, const ct_variant_args *args,
                         unsigned char *memory)
{
    const int32_t side = CT_COPY_TILE, bytes = side * side * in->elem_bits / 8;
    unsigned char *at = memory;
    CT_ROLL for (int32_t m = 0; m < args->tile_m; m += side)
    CT_ROLL for (int32_t n = 0; n < args->tile_n; n += side, at += bytes) {
        const ct_view from = part_of(in, &args->src, args, in->src.axis, m, n);
        ct_copy(in, ct_view_src(in, from, threadIdx.x),
                ct_view_dst(in, ct_view_shared(at), threadIdx.x));
    }
    arrive(in);
    at = memory;
    CT_ROLL for (int32_t m = 0; m < args->tile_m; m += side)
    CT_ROLL for (int32_t n = 0; n < args->tile_n; n += side, at += bytes) {
        const ct_view to = part_of(out, &args->dst, args, in->src.axis, m, n);
        ct_copy(out, ct_view_src(out, ct_view_shared(at), threadIdx.x),
                ct_view_dst(out, to, threadIdx.x));
    }
}

/* One kernel; the numbers are those of a row of the list. A macro, because C has no other way to
 * write a function down for a list of constants. */
#define KERNEL(id, order, axis, bytes, tm, tn, dm, dn, vm, vn, how)                               \
    CT_KERNEL_RESIDENT(ct_copy_##id##_##order##_##bytes, tm *tn, RESIDENT(tm *tn, bytes),         \
                       ct_variant_args, args)                                                     \
    {                                                                                             \
        CT_STATIC(ct_partition, in,                                                               \
                  ct_variant_partition(ct_layout2(tm, tn, dm, dn), ct_layout2(vm, vn, 1, vm), how, \
                                       bytes, axis, 1));                                          \
        CT_STATIC(ct_partition, out,                                                              \
                  ct_variant_partition(ct_layout2(tm, tn, dm, dn), ct_layout2(vm, vn, 1, vm), how, \
                                       bytes, axis, 0));                                          \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                 \
        if (args.step) copy_whole_tile(&in, &out, &args, memory);                                 \
        else copy_tile(&in, &out, &args, memory);                                                 \
    }

/* The sizes of elements; a test of the generated code may ask for fewer. */
#ifndef CT_COPY_SIZES
#define CT_COPY_SIZES(K, ...) \
    K(1, __VA_ARGS__) K(2, __VA_ARGS__) K(4, __VA_ARGS__) K(8, __VA_ARGS__) K(16, __VA_ARGS__)
#endif

#define BOTH_ORDERS(bytes, id, name, tm, tn, dm, dn, vm, vn, how, orders, about) \
    KERNEL(id, row, 1, bytes, tm, tn, dm, dn, vm, vn, how)                       \
    KERNEL(id, col, 0, bytes, tm, tn, dm, dn, vm, vn, how)
#define ALL_SIZES(...) CT_COPY_SIZES(BOTH_ORDERS, __VA_ARGS__)

CT_COPY_VARIANTS(ALL_SIZES)
