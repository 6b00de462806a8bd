/* A matrix of floats copied by ct_copy, tile by tile: any extents, any steps, any address. */
#define CT_COPY_BLOCKS CT_UNROLL /* few: their offsets are constants of the code */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>

typedef struct copy_args {
    ct_global src, dst; /* matrices (m,n) of floats: ct_make_global, on the host */
} copy_args;

/* part: kernel */
CT_KERNEL_THREADS(copy, 64, copy_args, args)
{
    CT_STATIC(
        ct_tiled_copy, threads, /* 8 rows of 8 threads, four floats each along the row */
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(8, 8, 8, 1), ct_layout2(1, 4, 1, 1)));
    CT_STATIC(ct_partition, part, /* of a tile of 32 x 32, between two matrices in global memory */
              ct_make_partition(threads, ct_tuple2(32, 32), ct_in_global(1), ct_in_global(1)));
    const ct_index tile = ct_index2(blockIdx.y, blockIdx.x);
    ct_copy(ct_view_tile(&args.src, &part, tile), ct_view_tile(&args.dst, &part, tile));
}
/* end */
