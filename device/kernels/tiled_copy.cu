/* Global -> shared -> global copies by each variant of the tiled copy. A kernel is a row of
 * variants.h for one order of the data and one element size: ct_copy_rows8_async_row_2 is
 * rows8-async for row-major data of 2-byte elements.
 *
 * A launch has the threads of the tiled copy, and a block for each tile: x along the contiguous
 * axis, y times z along the other. Dynamic shared memory holds one tile, or ct_variant_sectors's. This
 * is 64 KiB for 16-byte elements, which a launch on a GPU must request. */
#include <cutlet/device/kernel/static.h>
#include "copy_variant.h"

/* The resident blocks of a multiprocessor, for which the compiler limits registers: those that fit
 * in 2048 threads, or one less than fit in shared memory if that is fewer. sm_90 has 227 KiB, of
 * which each block takes 1 KiB more than it uses. */
#define RESIDENT(threads, bytes)                                                                   \
    ct_min(2048 / (threads), 227 * 1024 / (CT_COPY_TILE * CT_COPY_TILE * (bytes) + 1024) - 1)

/* The kernel of a row of the list. A macro: C has no other way to define a function for each row of
 * constants. */
#define KERNEL(id, order, axis, bytes, tm, tn, dm, dn, vm, vn, how)                                \
    CT_KERNEL_RESIDENT(ct_copy_##id##_##order##_##bytes, tm *tn, RESIDENT(tm *tn, bytes),          \
                       ct_variant_args, args)                                                      \
    {                                                                                              \
        PARTITION(in, TILE, bytes, axis, tm, tn, dm, dn, vm, vn, how);                             \
        PARTITION(out, STRIP, bytes, axis, tm, tn, dm, dn, vm, vn, how);                           \
        PARTITION(block_in, BLOCK_IN, bytes, axis, tm, tn, dm, dn, vm, vn, how);                   \
        PARTITION(block_out, BLOCK_OUT, bytes, axis, tm, tn, dm, dn, vm, vn, how);                 \
        CT_STATIC(ct_sector_copy, sector, ct_variant_sectors(tm *tn, bytes, axis));                \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        if (args.is_whole) {                                                                       \
            CT_STATIC_AT(ct_partition, whole_in, ct_partition_unchecked(*in));                     \
            CT_STATIC_AT(ct_partition, whole_out, ct_partition_unchecked(*out));                   \
            ct_variant_tile_by(whole_in, whole_out, &args, memory);                                \
        } else if (in->src.width > 1 && args.by_sectors)                                           \
            ct_variant_by_sectors(&sector, &args, memory);                                         \
        else if (args.tile_m == CT_COPY_TILE && args.tile_n == CT_COPY_TILE)                       \
            ct_variant_tile_by(in, out, &args, memory);                                            \
        else ct_variant_blocks(block_in, block_out, &args, memory);                                \
    }

#define PARTITION(name, part, ...)                                                                 \
    CT_STATIC_AT(ct_partition, name, ct_variant_constant(CT_VARIANT_##part, __VA_ARGS__))

/* The element sizes; a test of the generated code may define fewer. */
#ifndef CT_COPY_SIZES
#define CT_COPY_SIZES(K, ...)                                                                      \
    K(1, __VA_ARGS__) K(2, __VA_ARGS__) K(4, __VA_ARGS__) K(8, __VA_ARGS__) K(16, __VA_ARGS__)
#endif

#define BOTH_ORDERS(bytes, id, name, tm, tn, dm, dn, vm, vn, how, orders, about)                   \
    KERNEL(id, row, 1, bytes, tm, tn, dm, dn, vm, vn, how)                                         \
    KERNEL(id, col, 0, bytes, tm, tn, dm, dn, vm, vn, how)
#define ALL_SIZES(...) CT_COPY_SIZES(BOTH_ORDERS, __VA_ARGS__)

CT_COPY_VARIANTS(ALL_SIZES)
