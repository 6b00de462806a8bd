/* A transposing cast to fp8 with a scale for each row: dst(j,i) = e4m3(scale(i) * src(i,j)), rounded once and clamped.
 * src has bfloat16s contiguous along j, dst e4m3s contiguous along i; any extents. A launch has a block (x,y) for each
 * tile of 128 x 64, x along j. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/register/reductions.h>
#include <cutlet/device/register/values.h>
#include <cutlet/algebra/read.h>

typedef struct cast_transpose_args {
    ct_global src, dst; /* both (m,n) */
    ct_global scale;    /* m floats */
} cast_transpose_args;

CT_KERNEL_THREADS(cast_transpose, 256, cast_transpose_args, args)
{
    CT_STATIC(ct_tuple, tile, ct_tuple2(128, 64));
    CT_STATIC(ct_tensor, columns,
              ct_make_swizzled(ct_make_swizzle(3, 4, 6), 0, ct_read("(128,64):(1,128)")));
    CT_STATIC(ct_layout, thr, ct_read("(32,8):(8,1)"));
    CT_STATIC(ct_layout, val, ct_read("(4,8):(8,1)")); /* a thread: four rows of eight columns */
    CT_STATIC(ct_partition, in,
              ct_make_predicated_partition(ct_make_tiled_copy(ct_copy_atom_auto(16), thr, val),
                                           tile, ct_in_global(1), ct_in_registers()));
    CT_STATIC(
        ct_partition, turn,
        ct_partition_unchecked(ct_make_partition(ct_make_tiled_copy(ct_copy_atom_auto(8), thr, val),
                                                 tile, ct_in_registers(), ct_in_shared(columns))));
    CT_STATIC(ct_partition, out,
              ct_make_predicated_partition(ct_make_tiled_copy(ct_copy_atom_auto(8),
                                                              ct_read("(8,32):(1,8)"),
                                                              ct_read("(16,1):(1,1)")),
                                           tile, ct_in_shared(columns), ct_in_global(0)));
    CT_SHARED(uint8_t, memory, 128 * 64);
    CT_REGISTERS(bfloat16, x, in);
    CT_REGISTERS(e4m3, y, turn);
    CT_REGISTERS(float, scale, ct_fragment_reduced(ct_fragment_of(in), 1));
    const ct_index at = ct_index2(blockIdx.y, blockIdx.x);
    ct_copy(ct_view_tile(&args.src, &in, at), x);
    ct_load_values(scale, &args.scale, ct_index1(128 * blockIdx.y));
    CT_EACH(i, x) ct_put(y, i, ct_val(x, i) * ct_val_row(scale, x, i));
    ct_copy(&turn, y, ct_view_shared(memory));
    __syncthreads();
    ct_copy(ct_view_shared(memory), ct_view_tile(&args.dst, &out, at));
}
