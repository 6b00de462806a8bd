/* The squares of n floats: through a tile in shared memory, as document 004 does it, with two ways
 * to fill the tile; and without one. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/register/values.h>
#include <cutlet/device/kernel/static.h>

enum { TILE = 128 };

typedef struct square_args {
    ct_global src, dst; /* n:1, made on the host */
} square_args;

/* part: divide */
/* A tile of 128 floats, TILE / threads of them a thread, by the widest accesses of either side. */
CT_FN ct_partition divide(int threads, ct_memory src, ct_memory dst)
{
    const ct_layout thr = ct_layout1(threads, 1), val = ct_layout1(TILE / threads, 1);
    const ct_tiled_copy copy = ct_make_tiled_copy(ct_copy_atom_auto(32), thr, val);
    return ct_make_partition(copy, ct_tuple1(TILE), src, dst);
}

/* The tile in shared memory, by accesses of this many floats at most. */
CT_FN ct_memory tile_by(int floats)
{
    return ct_with_most(ct_in_shared_plain(ct_layout1(TILE, 1)), floats);
}
/* part: tile */
/* A quarter of the threads bring the tile in; then each thread has one float of it. */
CT_DEVICE void square_by_tile(const ct_partition *in, const square_args *args, float *tile)
{
    CT_STATIC(ct_partition, own, divide(TILE, tile_by(1), ct_in_registers()));
    CT_STATIC(ct_partition, out, divide(TILE, ct_in_registers(), ct_in_global(0)));
    const ct_index x = ct_index1(blockIdx.x);
    CT_REGISTERS(float, mine, own);
    if ((int)threadIdx.x < in->threads)
        ct_copy(in, ct_view_tile(&args->src, in, x), ct_view_shared(tile));
    __syncthreads();
    ct_copy(&own, ct_view_shared(tile), mine);
    ct_put(mine, 0, ct_val(mine, 0) * ct_val(mine, 0));
    ct_copy(mine, ct_view_tile(&args->dst, &out, x));
}

CT_KERNEL_THREADS(four_stores, TILE, square_args, args)
{
    CT_STATIC(ct_partition, in, divide(TILE / 4, ct_in_global(0), tile_by(1)));
    CT_SHARED(float, tile, TILE);
    square_by_tile(&in, &args, tile);
}

CT_KERNEL_THREADS(one_store, TILE, square_args, args)
{
    CT_STATIC(ct_partition, in, divide(TILE / 4, ct_in_global(0), tile_by(4)));
    CT_SHARED(float, tile, TILE);
    square_by_tile(&in, &args, tile);
}
/* part: none */
CT_KERNEL_THREADS(no_tile, TILE / 4, square_args, args)
{
    CT_STATIC(ct_partition, in, divide(TILE / 4, ct_in_global(0), ct_in_registers()));
    CT_STATIC(ct_partition, out, divide(TILE / 4, ct_in_registers(), ct_in_global(0)));
    const ct_index x = ct_index1(blockIdx.x);
    CT_REGISTERS(float, mine, in);
    ct_copy(ct_view_tile(&args.src, &in, x), mine);
    CT_EACH(i, mine) ct_put(mine, i, ct_val(mine, i) * ct_val(mine, i));
    ct_copy(mine, ct_view_tile(&args.dst, &out, x));
}
/* end */
