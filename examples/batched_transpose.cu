/* The transpose of a batch of matrices of floats: dst(i,j,b) = src(i,j,b), with src contiguous along j
 * and dst along i. Grid: (tiles of j, tiles of i, matrices); 256 threads, 64 x 64 floats of shared memory. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/algebra/read.h>

typedef struct batched_transpose_args {
    ct_global src, dst;
} batched_transpose_args;

CT_KERNEL_THREADS(batched_transpose, 256, batched_transpose_args, args)
{
    CT_STATIC(ct_copy_atom, widest, ct_copy_atom_auto(32));
    CT_STATIC(ct_tensor, tile,
              ct_make_swizzled(ct_make_swizzle(3, 2, 6), 0, ct_read("(64,64):(1,64)")));
    CT_STATIC(
        ct_partition, in,
        ct_make_partition(ct_make_tiled_copy(widest, ct_read("(16,16):(16,1)"), ct_read("(4,4)")),
                          ct_tuple2(64, 64), ct_in_global(1), ct_in_shared(tile)));
    CT_STATIC(
        ct_partition, out,
        ct_make_partition(ct_make_tiled_copy(widest, ct_read("(16,16):(1,16)"), ct_read("(4,1)")),
                          ct_tuple2(64, 64), ct_in_shared(tile), ct_in_global(0)));
    CT_SHARED(float, memory, 64 * 64);
    const ct_index x = ct_index3(blockIdx.y, blockIdx.x, blockIdx.z);
    ct_copy(ct_view_tile(&args.src, &in, x), ct_view_shared(memory));
    __syncthreads();
    ct_copy(ct_view_shared(memory), ct_view_tile(&args.dst, &out, x));
}
