// The tiled copies: what nvcc makes of each kernel for half, and of the short way alone.
// arch sm_90

#define CT_COPY_SIZES(K, ...) K(2, __VA_ARGS__)
#include "kernels/tiled_copy.cu"

// The short way of rows8-async and of rows8: a tile that is whole. 32 elements for each thread.
// gate short_async
// gate short_async, registers <= 32
// gate short_async, instructions <= 70
// gate short_async, count ^cp\.async\.cg\.shared\.global .*, 16;$ == 4
// gate short_async, count ^ld\.shared\.v4 == 4
// gate short_async, count ^st\.global\.v4 == 4
// gate short_async, count ^(ld|st)\.(global|shared) == 8
CT_KERNEL_THREADS(short_async, 128, ct_copy_args, args)
{
    CT_STATIC(ct_tile_plan, plan,
              ct_plan_tiled_copy(ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1),
                                 ct_make_plan_job(CT_PLAN_CP_ASYNC, 2, CT_ROW_MAJOR, 64, 64)));
    CT_SHARED_DYNAMIC(unsigned char, tile);
    const ct_copy_place place = ct_copy_place_of(&plan, &args);
    ct_copy_in_whole(&plan, &args, place, tile);
    ct_cp_async_commit();
    ct_cp_async_wait_all();
    __syncthreads();
    ct_copy_out_whole(&plan, &args, place, tile);
}

// gate short_vector
// gate short_vector, registers <= 32
// gate short_vector, instructions <= 72
// gate short_vector, count ^ld\.global\.v4 == 4
// gate short_vector, count ^st\.shared\.v4 == 4
// gate short_vector, count ^ld\.shared\.v4 == 4
// gate short_vector, count ^st\.global\.v4 == 4
// gate short_vector, count ^(ld|st)\.(global|shared) == 16
CT_KERNEL_THREADS(short_vector, 128, ct_copy_args, args)
{
    CT_STATIC(ct_tile_plan, plan,
              ct_plan_tiled_copy(ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1),
                                 ct_make_plan_job(CT_PLAN_VECTOR, 2, CT_ROW_MAJOR, 64, 64)));
    CT_SHARED_DYNAMIC(unsigned char, tile);
    const ct_copy_place place = ct_copy_place_of(&plan, &args);
    ct_copy_in_whole(&plan, &args, place, tile);
    __syncthreads();
    ct_copy_out_whole(&plan, &args, place, tile);
}

// Each kernel with both ways: nothing on the stack, no division, and the accesses of its short way.
// gate ct_copy_rows4_row_2
// gate ct_copy_rows4_row_2, registers <= 40
// gate ct_copy_rows4_row_2, count ^ld\.global\.u16 == 32
// gate ct_copy_rows4_row_2, count ^st\.global\.u16 == 32
// gate ct_copy_rows4_col_2
// gate ct_copy_rows4_wide_row_2
// gate ct_copy_rows4_wide_row_2, count ^ld\.global\.v2 == 8
// gate ct_copy_rows8_row_2
// gate ct_copy_rows8_row_2, registers <= 40
// gate ct_copy_rows8_row_2, count ^ld\.global\.v4 == 4
// gate ct_copy_rows8_col_2
// gate ct_copy_rows8_async_row_2
// gate ct_copy_rows8_async_row_2, registers <= 32
// gate ct_copy_rows8_async_row_2, count ^cp\.async\.cg\.shared\.global .*, 16;$ == 4
// gate ct_copy_rows8_async_row_2, count ^st\.global\.v4 == 4
// gate ct_copy_rows8_async_col_2
// gate ct_copy_rows8_async_col_2, count ^ld\.global\.u16 == 32
// gate ct_copy_half_line_row_2
// gate ct_copy_half_line_row_2, count ^cp\.async\.cg\.shared\.global .*, 16;$ == 4
// gate ct_copy_printed4_col_2
// gate ct_copy_printed8_async_col_2
// gate ct_copy_printed8_async_col_2, count ^cp\.async\.cg\.shared\.global .*, 16;$ == 4
// gate ct_copy_cols4_col_2
// gate ct_copy_cols8_col_2
// gate ct_copy_cols8_col_2, count ^ld\.global\.v4 == 4
// gate ct_copy_cols8_async_col_2
// gate ct_copy_cols8_async_col_2, count ^cp\.async\.cg\.shared\.global .*, 16;$ == 4
// gate ct_copy_partition_row_2
// gate ct_copy_partition_col_2
// gate ct_copy_partition_col_2, count ^ld\.global\.u16 == 16
