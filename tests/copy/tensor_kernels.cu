/* Tensors in memory as kernels take them: nested modes, slices, tiles of tiles, registers in an order of
 * their own, and the copy that knows its partition. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/arch/warp.h>
#include <cutlet/algebra/read.h>

#include "tensor_kernels.h"

/* part: nested */
/* Tiles ((4,2),64) of tensors whose rows are nested, by way of registers that hold the two halves of a
 * thread's eight values one from each in turn. */
CT_KERNEL_THREADS(tensor_nested, 64, tensor_args, args)
{
    CT_STATIC(ct_tuple, tile, ct_shape(ct_read("((4,2),64)")));
    CT_STATIC(ct_tiled_copy, copy,
              ct_make_tiled_copy(ct_copy_atom_auto(16), ct_read("(8,8):(8,1)"), ct_read("(1,8)")));
    CT_STATIC(ct_memory, held, ct_in_registers_by(ct_read("(4,2):(2,1)")));
    CT_STATIC(ct_partition, in, ct_make_partition(copy, tile, ct_in_global(2), held));
    CT_STATIC(ct_partition, out, ct_make_partition(copy, tile, held, ct_in_global(2)));
    CT_FRAGMENT(uint32_t, words, 4);
    const ct_index x = ct_index3(blockIdx.x, blockIdx.y, blockIdx.z);
    ct_copy(ct_view_tile(&args.src, &in, x), ct_view_registers(words));
    ct_copy(ct_view_registers(words), ct_view_tile(&args.dst, &out, x));
}

/* part: slices */
/* Matrix blockIdx.z of a batch, tiles (64,64) of it by a block, of which each warp has (16,64), by way of
 * a part of shared memory that is its own. */
CT_KERNEL_THREADS(tensor_slices, 128, tensor_args, args)
{
    CT_STATIC(
        ct_tiled_copy, copy,
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_read("(2,16):(16,1)"), ct_read("(1,4)")));
    CT_STATIC(ct_tensor, rows,
              ct_make_swizzled(ct_make_swizzle(3, 2, 3), 0, ct_read("(16,64):(64,1)")));
    CT_STATIC(ct_partition, block,
              ct_make_partition(copy, ct_tuple2(64, 64), ct_in_global(1), ct_in_global(1)));
    CT_STATIC(ct_partition, in,
              ct_make_partition(copy, ct_tuple2(16, 64), ct_in_global(1), ct_in_shared(rows)));
    CT_STATIC(ct_partition, out,
              ct_make_partition(copy, ct_tuple2(16, 64), ct_in_shared(rows), ct_in_global(1)));
    CT_SHARED(float, memory, 64 * 64);
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const ct_index matrix = ct_index3(CT_ALL, CT_ALL, blockIdx.z), part = ct_index2(warp, 0);
    const ct_global src = ct_global_slice(args.src, matrix),
                    dst = ct_global_slice(args.dst, matrix);
    const ct_index x = ct_index2(blockIdx.y, blockIdx.x);
    const ct_view own = ct_view_stage(&in.dst, memory, (int)warp);
    const ct_view from = ct_view_inside(&in, ct_view_tile(&src, &block, x), part);
    const ct_view to = ct_view_inside(&out, ct_view_tile(&dst, &block, x), part);
    ct_copy(ct_view_src(&in, from, lane), ct_view_dst(&in, own, lane));
    __syncwarp();
    ct_copy(ct_view_src(&out, own, lane), ct_view_dst(&out, to, lane));
}
/* end */

/* part: parts */
/* Tiles (64,64) by a block, by way of shared memory: all threads fill it, and each warp copies its part
 * (16,64) of it out. */
CT_KERNEL_THREADS(tensor_parts, 128, tensor_args, args)
{
    CT_STATIC(ct_copy_atom, any, ct_copy_atom_auto(32));
    CT_STATIC(ct_tensor, rows,
              ct_make_swizzled(ct_make_swizzle(3, 2, 3), 0, ct_read("(64,64):(64,1)")));
    CT_STATIC(ct_tiled_copy, by_all,
              ct_make_tiled_copy(any, ct_read("(8,16):(16,1)"), ct_read("(1,4)")));
    CT_STATIC(ct_tiled_copy, by_warp,
              ct_make_tiled_copy(any, ct_read("(2,16):(16,1)"), ct_read("(1,4)")));
    CT_STATIC(ct_partition, in,
              ct_make_partition(by_all, ct_tuple2(64, 64), ct_in_global(1), ct_in_shared(rows)));
    CT_STATIC(ct_partition, out,
              ct_make_partition(by_warp, ct_tuple2(16, 64), ct_in_shared(rows), ct_in_global(1)));
    CT_SHARED(float, memory, 64 * 64);
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const ct_index matrix = ct_index3(CT_ALL, CT_ALL, blockIdx.z), part = ct_index2(warp, 0);
    const ct_global src = ct_global_slice(args.src, matrix),
                    dst = ct_global_slice(args.dst, matrix);
    const ct_index x = ct_index2(blockIdx.y, blockIdx.x);
    ct_copy(ct_view_tile(&src, &in, x), ct_view_shared(memory));
    __syncthreads();
    const ct_view from = ct_view_inside(&out, ct_view_shared(memory), part);
    const ct_view to = ct_view_inside(&out, ct_view_tile(&dst, &in, x), part);
    ct_copy(ct_view_src(&out, from, lane), ct_view_dst(&out, to, lane));
}
/* end */

/* Tiles (32,64) by way of shared memory with a layout and swizzle, and parts (m,n) of them: filled as a whole
 * and copied out part by part, or filled so. Block z says how the parts follow each other. */
#define PARTS(name, swizzle, layout, m, n)                                                         \
    CT_KERNEL_THREADS(name, 32, tensor_args, args)                                                 \
    {                                                                                              \
        CT_STATIC(                                                                                 \
            ct_tiled_copy, copy,                                                                   \
            ct_make_tiled_copy(ct_copy_atom_auto(32), ct_read("(4,8):(8,1)"), ct_read("(1,4)")));  \
        CT_STATIC(ct_memory, held, ct_in_shared(ct_make_swizzled(swizzle, 0, ct_read(layout))));   \
        CT_STATIC(ct_partition, in,                                                                \
                  ct_make_partition(copy, ct_tuple2(32, 64), ct_in_global(1), held));              \
        CT_STATIC(ct_partition, out,                                                               \
                  ct_make_partition(copy, ct_tuple2(32, 64), held, ct_in_global(1)));              \
        CT_STATIC(ct_partition, put,                                                               \
                  ct_make_partition(copy, ct_tuple2(m, n), ct_in_global(1), held));                \
        CT_STATIC(ct_partition, get,                                                               \
                  ct_make_partition(copy, ct_tuple2(m, n), held, ct_in_global(1)));                \
        CT_SHARED(float, memory, 4096);                                                            \
        const ct_index matrix = ct_index3(CT_ALL, CT_ALL, blockIdx.z),                             \
                       x = ct_index2(blockIdx.y, blockIdx.x);                                      \
        const ct_global src = ct_global_slice(args.src, matrix),                                   \
                        dst = ct_global_slice(args.dst, matrix);                                   \
        const ct_view all = ct_view_shared(memory), zero = ct_view_tile(&dst, &out, x);            \
        ct_view from = blockIdx.z == 1 ? all : ct_view_src(&get, all, threadIdx.x);                \
        ct_view to = ct_view_inside(&get, zero, ct_index2(0, 0));                                  \
        if (blockIdx.z != 3) ct_copy(ct_view_tile(&src, &in, x), all);                             \
        for (int i = 0; i < 32 / m && blockIdx.z == 3; ++i)                                        \
            for (int j = 0; j < 64 / n; ++j)                                                       \
                ct_copy(ct_view_inside(&put, ct_view_tile(&src, &in, x), ct_index2(i, j)),         \
                        ct_view_inside(&put, all, ct_index2(i, j)));                               \
        __syncthreads();                                                                           \
        CT_UNROLL for (int i = 0; i < 32 / m && blockIdx.z == 0; ++i)                              \
            CT_UNROLL for (int j = 0; j < 64 / n; ++j)                                             \
                ct_copy(ct_view_inside(&get, all, ct_index2(i, j)),                                \
                        ct_view_inside(&get, zero, ct_index2(i, j)));                              \
        for (int i = 0; i < 32 / m && (blockIdx.z == 1 || blockIdx.z == 2); ++i) {                 \
            for (int j = 0; j < 64 / n; ++j) {                                                     \
                ct_copy(&get, from, to);                                                           \
                from = ct_view_next(&get, from, 1, 1);                                             \
                to = ct_view_next(&get, to, 1, 1);                                                 \
            }                                                                                      \
            from = ct_view_next(&get, ct_view_next(&get, from, 1, -(64 / n)), 0, 1);               \
            to = ct_view_next(&get, ct_view_next(&get, to, 1, -(64 / n)), 0, 1);                   \
        }                                                                                          \
        if (blockIdx.z == 3) ct_copy(all, zero);                                                   \
    }
PARTS(parts_of_rows, ct_swizzle_none(), "(32,64):(64,1)", 8, 64)
PARTS(parts_padded, ct_swizzle_none(), "(32,64):(68,1)", 4, 32)
PARTS(parts_of_columns, ct_swizzle_none(), "(32,64):(1,33)", 16, 32)
PARTS(parts_swizzled, ct_make_swizzle(3, 2, 3), "(32,64):(64,1)", 4, 64)
PARTS(parts_inside_a_period, ct_make_swizzle(3, 2, 4), "(32,64):(64,1)", 4, 32)
PARTS(parts_not_folded, ct_make_swizzle(2, 0, 5), "(32,64):(65,1)", 4, 32)
PARTS(parts_in_blocks, ct_make_swizzle(3, 2, 3), "(32,(32,2)):(32,(1,1024))", 8, 32)
