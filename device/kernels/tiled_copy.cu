/* Global -> shared -> global through each variant of the tiled copy. A kernel is a row of
 * variants.h for one order of the data and one size of its elements: ct_copy_rows8_async_row_2 is
 * rows8-async for row-major data of 2 bytes an element.
 *
 * A launch has as many threads as the tiled copy, a block for each tile (x along the contiguous axis,
 * y times z along the other), and dynamic shared memory for one tile, or ct_variant_skew's: 64 KiB for
 * elements of 16 bytes, which a launch on a GPU has to ask for. */
#include "../copy.h"
#include "../copy_skew.h"
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

/* Which tile of the matrix is this block's. */
CT_DEVICE ct_index tile_of(const int axis)
{
    const int64_t x = blockIdx.x, y = (int64_t)blockIdx.z * gridDim.y + blockIdx.y;
    return axis == 0 ? ct_index2(x, y) : ct_index2(y, x);
}

/* The kernel's own tile, anywhere. */
CT_DEVICE void copy_tile(const ct_partition *in, const ct_partition *out, const ct_skew *skew,
                         const ct_variant_args *args, unsigned char *memory)
{
    const ct_index at = tile_of(in->src.axis);
    if (in->src.width > 1 && args->is_skewed) {
        const ct_skew_tile t =
            ct_skew_tile_at(skew, &args->src, &args->dst, at, CT_SKEW_BYTES - 1);
        ct_copy_skew(skew, &t, memory, 1);
        return;
    }
    const ct_view from = ct_view_tile(&args->src, in, at), to = ct_view_tile(&args->dst, out, at);
    const ct_view tile = ct_view_shared(memory);
    ct_copy(in, ct_view_src(in, from, threadIdx.x), ct_view_dst(in, tile, threadIdx.x));
    arrive(in);
    ct_copy(out, ct_view_src(out, tile, threadIdx.x), ct_view_dst(out, to, threadIdx.x));
}

/* A tile of another size, in blocks that the threads cover at once: all in, then all out. */
CT_DEVICE void copy_blocks(const ct_partition *in, const ct_partition *out,
                           const ct_variant_args *args, unsigned char *memory)
{
    const ct_index at = tile_of(in->src.axis);
    const int64_t m = at.at[0] * args->tile_m, n = at.at[1] * args->tile_n;
    const int32_t tall = in->tile[0], wide = in->tile[1], bytes = ct_bytes_of(in, tall * wide);
    unsigned char *block = memory;
    CT_ROLL for (int32_t i = 0; i < args->tile_m; i += tall)
    CT_ROLL for (int32_t j = 0; j < args->tile_n; j += wide, block += bytes) {
        const ct_view from = ct_view_at(&args->src, in, ct_index2(m + i, n + j));
        ct_copy(in, ct_view_src(in, from, threadIdx.x),
                ct_view_dst(in, ct_view_shared(block), threadIdx.x));
    }
    arrive(in);
    block = memory;
    CT_ROLL for (int32_t i = 0; i < args->tile_m; i += tall)
    CT_ROLL for (int32_t j = 0; j < args->tile_n; j += wide, block += bytes) {
        const ct_view to = ct_view_at(&args->dst, out, ct_index2(m + i, n + j));
        ct_copy(out, ct_view_src(out, ct_view_shared(block), threadIdx.x),
                ct_view_dst(out, to, threadIdx.x));
    }
}

/* One kernel; the numbers are those of a row of the list. A macro, because C has no other way to
 * write a function down for a list of constants. */
#define KERNEL(id, order, axis, bytes, tm, tn, dm, dn, vm, vn, how)                               \
    CT_KERNEL_RESIDENT(ct_copy_##id##_##order##_##bytes, tm *tn, RESIDENT(tm *tn, bytes),         \
                       ct_variant_args, args)                                                     \
    {                                                                                             \
        PARTITION(in, bytes, axis, tm, tn, dm, dn, vm, vn, how, ct_variant_tile(), 1);            \
        PARTITION(out, bytes, axis, tm, tn, dm, dn, vm, vn, how, ct_variant_tile(), 0);           \
        PARTITION(block_in, bytes, axis, tm, tn, dm, dn, vm, vn, how, BLOCK(tm, tn, vm, vn), 1);  \
        PARTITION(block_out, bytes, axis, tm, tn, dm, dn, vm, vn, how, BLOCK(tm, tn, vm, vn), 0); \
        CT_STATIC(ct_skew, skew, ct_variant_skew(tm *tn, bytes, axis));                           \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                 \
        if (args.step) copy_whole_tile(&in, &out, &args, memory);                                 \
        else if (args.tile_m == CT_COPY_TILE && args.tile_n == CT_COPY_TILE)                      \
            copy_tile(&in, &out, &skew, &args, memory);                                           \
        else copy_blocks(&block_in, &block_out, &args, memory);                                   \
    }
#define BLOCK(tm, tn, vm, vn) ct_tuple2(tm *vm, tn *vn)
#define PARTITION(name, bytes, axis, tm, tn, dm, dn, vm, vn, how, ...)                            \
    CT_STATIC(ct_partition, name,                                                                 \
              ct_variant_partition(ct_layout2(tm, tn, dm, dn), ct_layout2(vm, vn, 1, vm), how,    \
                                   bytes, axis, __VA_ARGS__))

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
