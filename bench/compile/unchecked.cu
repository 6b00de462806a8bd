// A matrix of a batch, a tile of it at blockIdx, its partition at threadIdx and two copies, of whole tiles: one
// kernel. bench/peers/cute_slice.cu is the same with CuTe.
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/algebra/read.h>

/* rows8-async of the variants between two batches of matrices. */
typedef struct unchecked_args {
    ct_global src, dst;
} unchecked_args;
CT_KERNEL_THREADS(unchecked, 128, unchecked_args, args)
{
    CT_STATIC(ct_tensor, tile, ct_make_tensor(ct_read("(64,64):(64,1)")));
    CT_STATIC(ct_partition, in,
              ct_partition_unchecked(ct_make_partition(
                  ct_make_tiled_copy(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16),
                                     ct_read("(16,8):(8,1)"), ct_read("(1,8)")),
                  ct_tuple2(64, 64), ct_in_global(1), ct_in_shared(tile))));
    CT_STATIC(ct_partition, out,
              ct_partition_unchecked(
                  ct_make_partition(ct_make_tiled_copy(ct_copy_atom_universal(128, 16),
                                                       ct_read("(16,8):(8,1)"), ct_read("(1,8)")),
                                    ct_tuple2(64, 64), ct_in_shared(tile), ct_in_global(1))));
    CT_SHARED(unsigned char, memory, 8192);
    const ct_index matrix = ct_index3(CT_ALL, CT_ALL, blockIdx.z),
                   x = ct_index2(blockIdx.y, blockIdx.x);
    const ct_global src = ct_unchecked_slice(args.src, matrix),
                    dst = ct_unchecked_slice(args.dst, matrix);
    ct_copy(&in, ct_view_tile(&src, &in, x), ct_view_shared(memory));
    ct_cp_async_commit();
    ct_cp_async_wait_all();
    __syncthreads();
    ct_copy(&out, ct_view_shared(memory), ct_view_tile(&dst, &out, x));
}
