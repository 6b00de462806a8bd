// The tiled copies: what nvcc makes of each kernel for half, and of the short way alone.
// arch sm_90

#define CT_COPY_SIZES(K, ...) K(2, __VA_ARGS__)
#include "kernels/tiled_copy.cu"

// What a block executes when every tile is whole, alone: a budget for each variant, all instructions
// of the PTX, which repeats products that ptxas merges. (bench/compile/sass_count.py counts those of the
// machine, beside CuTe's.) partition and
// printed4 go back in strips, unrolled, each at an address of its own.
#define WHOLE_BOTH(id, name, tm, tn, dm, dn, vm, vn, how, orders, about)                           \
    WHOLE(id, row, 1, tm, tn, dm, dn, vm, vn, how)                                                 \
    WHOLE(id, col, 0, tm, tn, dm, dn, vm, vn, how)
#define WHOLE(id, order, axis, tm, tn, dm, dn, vm, vn, how)                                        \
    CT_KERNEL_THREADS(whole_##id##_##order, tm *tn, ct_variant_args, args)                         \
    {                                                                                              \
        PARTITION(in, TILE, 2, axis, tm, tn, dm, dn, vm, vn, how);                                 \
        PARTITION(out, STRIP, 2, axis, tm, tn, dm, dn, vm, vn, how);                               \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        CT_STATIC_AT(ct_partition, whole_in, ct_partition_unchecked(*in));                         \
        CT_STATIC_AT(ct_partition, whole_out, ct_partition_unchecked(*out));                       \
        ct_variant_tile_by(whole_in, whole_out, &args, memory);                                    \
    }
CT_COPY_VARIANTS(WHOLE_BOTH)

// gate whole_rows4_row, instructions <= 260
// gate whole_rows4_wide_row, instructions <= 92
// gate whole_rows8_row, instructions <= 62
// gate whole_rows8_async_row, instructions <= 59
// gate whole_half_line_row, instructions <= 57
// gate whole_rows4_col, instructions <= 270
// gate whole_printed4_col, instructions <= 272
// gate whole_printed8_async_col, instructions <= 61
// gate whole_cols4_col, instructions <= 260
// gate whole_cols8_col, instructions <= 62
// gate whole_cols8_async_col, instructions <= 59
// gate whole_partition_row, instructions <= 180
// gate whole_partition_col, instructions <= 172
// gate whole_rows8_async_row
// gate whole_rows8_async_row, registers <= 32
// gate whole_rows8_async_row, count ^cp\.async\.cg\.shared\.global\.L2::128B .*, 16;$ == 4
// gate whole_rows8_async_row, count ^ld\.shared\.v4 == 4
// gate whole_rows8_async_row, count ^st\.global\.v4 == 4
// gate whole_rows8_async_row, count ^(ld|st)\.(global|shared) == 8
// gate whole_rows8_row
// gate whole_rows8_row, registers <= 32
// gate whole_rows8_row, count ^ld\.global\.v4 == 4
// gate whole_rows8_row, count ^st\.shared\.v4 == 4
// gate whole_rows8_row, count ^ld\.shared\.v4 == 4
// gate whole_rows8_row, count ^st\.global\.v4 == 4
// gate whole_rows8_row, count ^(ld|st)\.(global|shared) == 16

// Each kernel with all its ways: nothing on the stack, no division, and the accesses of a whole tile
// three times: for launches that have only such, for others, and for the blocks of other tiles. Tiles
// that begin anywhere are sector-aligned, where accesses are wider than an element: chunks by cp.async.
// gate ct_copy_rows4_row_2
// gate ct_copy_rows4_row_2, registers <= 32
// gate ct_copy_rows4_row_2, count ^ld\.global\.u16 == 68
// gate ct_copy_rows4_row_2, count ^st\.global\.u16 == 68
// gate ct_copy_rows4_col_2
// gate ct_copy_rows4_col_2, registers <= 32
// gate ct_copy_rows4_wide_row_2
// gate ct_copy_rows4_wide_row_2, registers <= 32
// gate ct_copy_rows4_wide_row_2, count ^ld\.global\.v2 == 17
// gate ct_copy_rows8_row_2
// gate ct_copy_rows8_row_2, registers <= 32
// gate ct_copy_rows8_row_2, count ^ld\.global\.v4 == 9
// gate ct_copy_rows8_row_2, count ^cp\.async\.cg\.shared\.global\.L2::128B .*, 16;$ == 5
// gate ct_copy_rows8_col_2
// gate ct_copy_rows8_col_2, registers <= 32
// gate ct_copy_rows8_async_row_2
// gate ct_copy_rows8_async_row_2, registers <= 32
// gate ct_copy_rows8_async_row_2, count ^cp\.async\.cg\.shared\.global\.L2::128B .*, 16;$ == 14
// gate ct_copy_rows8_async_row_2, count ^ld\.global\.v4 == 0
// gate ct_copy_rows8_async_row_2, count ^st\.global\.v4 == 9
// gate ct_copy_rows8_async_col_2
// gate ct_copy_rows8_async_col_2, registers <= 32
// gate ct_copy_rows8_async_col_2, count ^ld\.global\.u16 == 72
// gate ct_copy_half_line_row_2
// gate ct_copy_half_line_row_2, registers <= 32
// gate ct_copy_half_line_row_2, count ^cp\.async\.cg\.shared\.global\.L2::128B .*, 16;$ == 14
// gate ct_copy_printed4_col_2
// gate ct_copy_printed4_col_2, registers <= 32
// gate ct_copy_printed8_async_col_2
// gate ct_copy_printed8_async_col_2, registers <= 32
// gate ct_copy_printed8_async_col_2, count ^cp\.async\.cg\.shared\.global\.L2::128B .*, 16;$ == 14
// gate ct_copy_cols4_col_2
// gate ct_copy_cols4_col_2, registers <= 32
// gate ct_copy_cols8_col_2
// gate ct_copy_cols8_col_2, registers <= 32
// gate ct_copy_cols8_col_2, count ^ld\.global\.v4 == 9
// gate ct_copy_cols8_async_col_2
// gate ct_copy_cols8_async_col_2, registers <= 32
// gate ct_copy_cols8_async_col_2, count ^cp\.async\.cg\.shared\.global\.L2::128B .*, 16;$ == 14
// gate ct_copy_partition_row_2
// gate ct_copy_partition_row_2, registers <= 32
// gate ct_copy_partition_col_2
// gate ct_copy_partition_col_2, registers <= 32
// gate ct_copy_partition_col_2, count ^ld\.global\.u16 == 33
