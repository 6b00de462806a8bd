/* y = softmax of x along the rows or along the columns: (m,n) floats, contiguous along n. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/element/fast_math.h>
#include <cutlet/device/register/reductions.h>
#include <cutlet/algebra/read.h>

typedef struct softmax_args {
    ct_global x, y;
} softmax_args;

/* part: rows */
/* Along rows of up to 1024: a block has eight rows, each warp one of them. */
CT_KERNEL_THREADS(softmax_rows, 256, softmax_args, args)
{
    CT_STATIC(
        ct_tiled_copy, by,
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_read("(8,32):(32,1)"), ct_read("(1,4)")));
    CT_STATIC(ct_partition, in,
              ct_make_partition(by, ct_tuple2(8, 1024), ct_in_global(1), ct_in_registers()));
    CT_STATIC(ct_partition, out,
              ct_make_partition(by, ct_tuple2(8, 1024), ct_in_registers(), ct_in_global(1)));
    CT_REGISTERS(float, x, in);
    CT_REGISTERS(float, max, ct_fragment_reduced(x_as, 1));
    CT_REGISTERS(float, sum, max_as);
    const ct_view tile = ct_view_tile(&args.x, &in, ct_index2(blockIdx.x, 0));
    ct_copy(tile, x);
    ct_fill_outside(x, tile, -INFINITY);
    ct_reduce(x, ct_op_max, max);
    CT_EACH(i, x) ct_put(x, i, ct_exp(ct_val(x, i) - ct_val_row(max, x, i)));
    ct_reduce(x, ct_op_sum, sum);
    CT_EACH(i, x) ct_put(x, i, ct_divide(ct_val(x, i), ct_val_row(sum, x, i)));
    ct_copy(x, ct_view_tile(&args.y, &out, ct_index2(blockIdx.x, 0)));
}
/* part: columns */
/* Along columns of up to 1024: a block has 32 columns, each warp a part of all of them. */
CT_KERNEL_THREADS(softmax_columns, 256, softmax_args, args)
{
    CT_STATIC(ct_tiled_copy, by,
              ct_make_tiled_copy(ct_copy_atom_auto(32), ct_read("(32,8):(8,1)"), ct_read("(1,4)")));
    CT_STATIC(ct_partition, in,
              ct_make_partition(by, ct_tuple2(1024, 32), ct_in_global(1), ct_in_registers()));
    CT_STATIC(ct_partition, out,
              ct_make_partition(by, ct_tuple2(1024, 32), ct_in_registers(), ct_in_global(1)));
    CT_REGISTERS(float, x, in);
    CT_REGISTERS(float, max, ct_fragment_reduced(x_as, 0));
    CT_REGISTERS(float, sum, max_as);
    CT_SHARED(float, memory, 2 * ct_reduce_elems(&max_as));
    const ct_view tile = ct_view_tile(&args.x, &in, ct_index2(0, blockIdx.x));
    ct_copy(tile, x);
    ct_fill_outside(x, tile, -INFINITY);
    ct_reduce(x, ct_op_max, max, memory);
    CT_EACH(i, x) ct_put(x, i, ct_exp(ct_val(x, i) - ct_val_row(max, x, i)));
    ct_reduce(x, ct_op_sum, sum, memory + ct_reduce_elems(&max_as));
    CT_EACH(i, x) ct_put(x, i, ct_divide(ct_val(x, i), ct_val_row(sum, x, i)));
    ct_copy(x, ct_view_tile(&args.y, &out, ct_index2(0, blockIdx.x)));
}
/* end */
