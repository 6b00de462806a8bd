/* A tile of 128 x 256 floats, column-major, copied by 256 threads in three ways. */
#include <cutlet/cutlet.h>

#include "atoms.h"
#include "static.h"

typedef struct tile_args {
    const float *src;
    float *dst;
} tile_args;

/* part: one */
/* local_partition with threads (8,32): 128 elements a thread, one at a time. */
CT_KERNEL_THREADS(one_by_one, 256, tile_args, args)
{
    CT_STATIC(ct_layout, tile, ct_make_col_major(ct_tuple2(128, 256)));
    CT_STATIC(ct_layout, cut, ct_zipped_divide_by(tile, ct_tiler_of_shape(ct_tuple2(8, 32))));
    CT_STATIC(ct_layout, first, ct_mode(cut, 0)); /* thread -> its first element */
    CT_STATIC(ct_layout, next, ct_mode(cut, 1));  /* i -> how much further its element i lies */
    const int64_t at = ct_offset(&first, threadIdx.x);
    CT_UNROLL for (int i = 0; i < 128; ++i) {
        float x = 0;
        ct_load_global(&x, args.src + at + ct_offset(&next, i), 32);
        ct_store_global(args.dst + at + ct_offset(&next, i), &x, 32);
    }
}
/* part: column */
/* local_partition with threads (1,256): a thread has a column, four elements at a time. */
CT_KERNEL_THREADS(a_column_each, 256, tile_args, args)
{
    const int64_t at = 128 * (int64_t)threadIdx.x;
    CT_UNROLL for (int i = 0; i < 128; i += 4) {
        CT_FRAGMENT(float, x, 4);
        ct_load_global(x, args.src + at + i, 128);
        ct_store_global(args.dst + at + i, x, 128);
    }
}
/* part: values */
/* The tiled copy (8,32) x (4,1): four neighbours a thread, in one access. */
CT_KERNEL_THREADS(four_neighbours, 256, tile_args, args)
{
    CT_STATIC(ct_layout, tile, ct_make_col_major(ct_tuple2(128, 256)));
    CT_STATIC(ct_tiled_copy, copy,
              ct_make_tiled_copy(ct_copy_atom_universal(128, 32), ct_layout2(8, 32, 1, 8),
                                 ct_layout2(4, 1, 1, 4)));
    CT_STATIC(ct_layout, cut, ct_zipped_divide_by(tile, copy.tiler));
    CT_STATIC(ct_layout, tv, ct_composition(ct_mode(cut, 0), copy.tv)); /* (thread, value) */
    CT_STATIC(ct_layout, first, ct_mode(tv, 0));
    CT_STATIC(ct_layout, next, ct_mode(cut, 1));
    const int64_t at = ct_offset(&first, threadIdx.x);
    CT_UNROLL for (int i = 0; i < 32; ++i) {
        CT_FRAGMENT(float, x, 4);
        ct_load_global(x, args.src + at + ct_offset(&next, i), 128);
        ct_store_global(args.dst + at + ct_offset(&next, i), x, 128);
    }
}
/* end */
