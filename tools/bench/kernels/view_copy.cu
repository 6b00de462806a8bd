/* Global -> shared -> global copies between any two matrices of one shape, whose steps are known
 * only at run time: ct_copy_any selects the partitions that fit them. ct_view_copy_2 is the kernel
 * for elements of 2 bytes; ct_view_copy_with_2 does the same by a tiled copy. */
#include "view_copies.h"

/* The tile of this block. */
CT_DEVICE ct_index tile_of_block(const int by_cols)
{
    const int64_t x = blockIdx.x, y = blockIdx.y;
    return by_cols ? ct_index2(x, y) : ct_index2(y, x);
}

/* The resident blocks of a multiprocessor: of 2048 threads, in 227 KiB of shared memory (sm_90). */
#define RESIDENT_VIEWS(bytes)                                                                      \
    ct_min(2048 / CT_VIEW_COPY_THREADS,                                                            \
           227 / (CT_VIEW_COPY_TILE * CT_VIEW_COPY_TILE * bytes / 1024 + 2))

#define VIEW_KERNEL(bytes)                                                                         \
    CT_KERNEL_RESIDENT(ct_view_copy_##bytes, CT_VIEW_COPY_THREADS, RESIDENT_VIEWS(bytes),          \
                       ct_view_copy_args, args)                                                    \
    {                                                                                              \
        CT_STATIC(ct_any_copy, copy, ct_view_copy_of(bytes));                                      \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        ct_copy_any(&copy, &args.src, &args.dst, tile_of_block(args.by_cols), memory);             \
    }
VIEW_KERNEL(1)
VIEW_KERNEL(2)
VIEW_KERNEL(4)
VIEW_KERNEL(8)
VIEW_KERNEL(16)

/* The tiled copies rows8-async and cols8-async of variants.h: each thread has eight halves. */
CT_FN ct_partition view_copy_with(int32_t axis, int to_shared)
{
    const ct_copy_atom atom = to_shared ? ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16)
                                        : ct_copy_atom_universal(128, 16);
    const ct_tiled_copy copy =
        axis == 1 ? ct_make_tiled_copy(atom, ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1))
                  : ct_make_tiled_copy(atom, ct_layout2(8, 16, 1, 8), ct_layout2(8, 1, 1, 8));
    const ct_tuple tile = ct_tuple2(CT_VIEW_COPY_TILE, CT_VIEW_COPY_TILE);
    const ct_memory global = ct_in_global(axis);
    const ct_memory shared =
        ct_in_shared_plain(axis == 1 ? ct_make_row_major(tile) : ct_make_col_major(tile));
    return ct_partition_unaligned(
        ct_make_partition(copy, tile, to_shared ? global : shared, to_shared ? shared : global));
}

CT_DEVICE void copy_with(const ct_partition *in, const ct_partition *out,
                         const ct_view_copy_args *args, unsigned char *memory)
{
    const ct_index x = tile_of_block(args->by_cols);
    const ct_view shared = ct_view_shared(memory);
    ct_copy(in, ct_view_src(in, ct_view_tile(&args->src, in, x), threadIdx.x),
            ct_view_dst(in, shared, threadIdx.x));
    ct_cp_async_wait_all();
    __syncthreads();
    ct_copy(out, ct_view_src(out, shared, threadIdx.x),
            ct_view_dst(out, ct_view_tile(&args->dst, out, x), threadIdx.x));
}

CT_KERNEL_THREADS(ct_view_copy_with_2, CT_VIEW_COPY_THREADS, ct_view_copy_args, args)
{
    CT_STATIC(ct_partition, rows_in, view_copy_with(1, 1));
    CT_STATIC(ct_partition, rows_out, view_copy_with(1, 0));
    CT_STATIC(ct_partition, cols_in, view_copy_with(0, 1));
    CT_STATIC(ct_partition, cols_out, view_copy_with(0, 0));
    CT_SHARED_DYNAMIC(unsigned char, memory);
    if (args.by_cols) copy_with(&cols_in, &cols_out, &args, memory);
    else copy_with(&rows_in, &rows_out, &args, memory);
}
