/* A tile of 128 x 256 floats, column-major, copied by 256 threads in three ways. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>

typedef struct tile_args {
    ct_global src, dst; /* (128,256):(1,128), made on the host */
} tile_args;

/* part: copy */
/* Each thread copies what it has of the tile, part after part of the columns. */
CT_DEVICE void copy_parts(const ct_partition *P, const tile_args *args)
{
    const ct_index first = ct_index2(0, 0);
    ct_view from = ct_view_src(P, ct_view_tile(&args->src, P, first), threadIdx.x);
    ct_view to = ct_view_dst(P, ct_view_tile(&args->dst, P, first), threadIdx.x);
    for (int column = 0; column < 256; column += P->tile[1]) {
        ct_copy(P, from, to);
        from = ct_view_next(P, from, 1, 1);
        to = ct_view_next(P, to, 1, 1);
    }
}
/* part: one */
/* local_partition with threads (8,32): 128 elements a thread, one at a time. */
CT_KERNEL_THREADS(one_by_one, 256, tile_args, args)
{
    CT_STATIC(ct_tiled_copy, threads,
              ct_make_tiled_copy(ct_copy_atom_universal(32, 32), ct_layout2(8, 32, 1, 8),
                                 ct_layout2(1, 1, 1, 1)));
    CT_STATIC(ct_partition, P, /* 64 elements: half of the columns */
              ct_make_partition(threads, ct_tuple2(128, 128), ct_in_global(0), ct_in_global(0)));
    copy_parts(&P, &args);
}
/* part: column */
/* local_partition with threads (1,256): a thread has a column, four elements at a time. */
CT_KERNEL_THREADS(a_column_each, 256, tile_args, args)
{
    CT_STATIC(ct_tiled_copy, threads,
              ct_make_tiled_copy(ct_copy_atom_universal(128, 32), ct_layout2(1, 256, 256, 1),
                                 ct_layout2(4, 1, 1, 4)));
    CT_STATIC(ct_partition, P,
              ct_make_partition(threads, ct_tuple2(128, 256), ct_in_global(0), ct_in_global(0)));
    copy_parts(&P, &args);
}
/* part: values */
/* The tiled copy (8,32) x (4,1): four neighbours a thread, in one access. */
CT_KERNEL_THREADS(four_neighbours, 256, tile_args, args)
{
    CT_STATIC(ct_tiled_copy, copy,
              ct_make_tiled_copy(ct_copy_atom_universal(128, 32), ct_layout2(8, 32, 1, 8),
                                 ct_layout2(4, 1, 1, 4)));
    CT_STATIC(ct_partition, P,
              ct_make_partition(copy, ct_tuple2(128, 256), ct_in_global(0), ct_in_global(0)));
    copy_parts(&P, &args);
}
/* end */
