/* A column-major matrix of half through shared memory, a tile of 64 x 64 for each block (x,y), x
 * along m: by the threads and values of a tiled copy. */
#define CT_COPY_BLOCKS CT_UNROLL /* few: their offsets are constants of the code */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>

typedef struct matrix_args {
    ct_global src, dst; /* (m,n):(1,ld), made on the host */
} matrix_args;

/* part: partition */
/* A tile divided among threads thr with eight halves of a column each: in, or out again. */
CT_FN ct_partition load_of(ct_layout thr)
{
    const ct_copy_atom atom = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16);
    const ct_tuple tile = ct_tuple2(64, 64);
    return ct_make_partition(ct_make_tiled_copy(atom, thr, ct_layout2(8, 1, 1, 1)), tile,
                             ct_in_global(0), ct_in_shared_plain(ct_make_col_major(tile)));
}

CT_FN ct_partition store_of(ct_layout thr)
{
    const ct_copy_atom atom = ct_copy_atom_universal(128, 16);
    const ct_tuple tile = ct_tuple2(64, 64);
    return ct_make_partition(ct_make_tiled_copy(atom, thr, ct_layout2(8, 1, 1, 1)), tile,
                             ct_in_shared_plain(ct_make_col_major(tile)), ct_in_global(0));
}
/* part: tile */
CT_DEVICE void copy_tile(const ct_partition *load, const ct_partition *store,
                         const matrix_args *args, uint16_t *smem)
{
    const ct_index x = ct_index2(blockIdx.x, blockIdx.y);
    ct_copy(load, ct_view_tile(&args->src, load, x), ct_view_shared(smem));
    ct_cp_async_wait_all();
    __syncthreads();
    ct_copy(store, ct_view_shared(smem), ct_view_tile(&args->dst, store, x));
}
/* part: kernels */
/* Sizes exchanged, strides not: for column-major data, eight halves a thread by cp.async. */
CT_KERNEL_THREADS(printed, 128, matrix_args, args)
{
    CT_STATIC(ct_partition, load, load_of(ct_layout2(8, 16, 16, 1)));
    CT_STATIC(ct_partition, store, store_of(ct_layout2(8, 16, 16, 1)));
    CT_SHARED(uint16_t, tile, 64 * 64);
    copy_tile(&load, &store, &args, tile);
}

/* The same with the threads numbered down the columns. */
CT_KERNEL_THREADS(transposed, 128, matrix_args, args)
{
    CT_STATIC(ct_partition, load, load_of(ct_layout2(8, 16, 1, 8)));
    CT_STATIC(ct_partition, store, store_of(ct_layout2(8, 16, 1, 8)));
    CT_SHARED(uint16_t, tile, 64 * 64);
    copy_tile(&load, &store, &args, tile);
}
/* end */
