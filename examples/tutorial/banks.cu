/* A warp transposes 32 x 32 floats through shared memory, which lie there in three ways. */
#define CT_COPY_BLOCKS CT_UNROLL /* few: their offsets are constants of the code */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>

typedef struct banks_args {
    ct_global src, dst; /* (32,32):(32,1) and (32,32):(1,32), made on the host */
} banks_args;

/* part: transpose */
/* A warp along a row, row after row, into the tile; and along a column, column after column. */
CT_FN ct_partition rows_into(ct_memory tile)
{
    const ct_layout warp = ct_layout2(1, 32, 32, 1);
    const ct_tiled_copy rows =
        ct_make_tiled_copy(ct_copy_atom_universal(32, 32), warp, ct_layout2(1, 1, 1, 1));
    return ct_make_partition(rows, ct_tuple2(32, 32), ct_in_global(1), tile);
}

CT_FN ct_partition columns_of(ct_memory tile)
{
    const ct_layout warp = ct_layout2(32, 1, 1, 32);
    const ct_tiled_copy columns =
        ct_make_tiled_copy(ct_copy_atom_universal(32, 32), warp, ct_layout2(1, 1, 1, 1));
    return ct_make_partition(columns, ct_tuple2(32, 32), tile, ct_in_global(0));
}

CT_DEVICE void transpose(const ct_partition *in, const ct_partition *out, const banks_args *args,
                         float *memory)
{
    const ct_index first = ct_index2(0, 0);
    ct_copy(in, ct_view_tile(&args->src, in, first), ct_view_shared(memory));
    __syncthreads();
    ct_copy(out, ct_view_shared(memory), ct_view_tile(&args->dst, out, first));
}
/* end */

CT_KERNEL_THREADS(plain, 32, banks_args, args)
{
    CT_STATIC(ct_memory, shared, ct_in_shared_plain(ct_layout2(32, 32, 32, 1)));
    CT_STATIC(ct_partition, in, rows_into(shared));
    CT_STATIC(ct_partition, out, columns_of(shared));
    CT_SHARED(float, tile, 32 * 32);
    transpose(&in, &out, &args, tile);
}

CT_KERNEL_THREADS(padded, 32, banks_args, args)
{
    CT_STATIC(ct_memory, shared, ct_in_shared_plain(ct_layout2(32, 32, 33, 1)));
    CT_STATIC(ct_partition, in, rows_into(shared));
    CT_STATIC(ct_partition, out, columns_of(shared));
    CT_SHARED(float, tile, 32 * 33);
    transpose(&in, &out, &args, tile);
}

/* part: swizzled */
CT_KERNEL_THREADS(swizzled, 32, banks_args, args)
{
    CT_STATIC(ct_tensor, rows,
              ct_make_swizzled(ct_make_swizzle(5, 0, 5), 0, ct_layout2(32, 32, 32, 1)));
    CT_STATIC(ct_memory, shared, ct_in_shared(rows));
    CT_STATIC(ct_partition, in, rows_into(shared));
    CT_STATIC(ct_partition, out, columns_of(shared));
    CT_SHARED(float, tile, 32 * 32);
    transpose(&in, &out, &args, tile);
}
/* end */
