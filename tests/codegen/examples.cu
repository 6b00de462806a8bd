// The examples that show the one copy, and a copy of promised tiles: all offsets folded, no stack frame,
// and as many accesses as the partitions say.
// arch sm_90

#include "../../examples/batched_transpose.cu"
#include "../../examples/gemm_tiles.cu"

/* rows8-async of the variants between two tensors: as few instructions as CuTe's, which has one
 * leading dimension for both. */
typedef struct promised_args {
    ct_global src, dst;
} promised_args;
CT_KERNEL_THREADS(promised, 128, promised_args, args)
{
    CT_STATIC(ct_tensor, tile, ct_make_tensor(ct_read("(64,64):(64,1)")));
    CT_STATIC(ct_partition, in, ct_promise_whole(ct_make_partition(
        ct_make_tiled_copy(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16), ct_read("(16,8):(8,1)"), ct_read("(1,8)")),
        ct_tuple2(64, 64), ct_in_global(1), ct_in_shared(tile))));
    CT_STATIC(ct_partition, out, ct_promise_whole(ct_make_partition(
        ct_make_tiled_copy(ct_copy_atom_universal(128, 16), ct_read("(16,8):(8,1)"), ct_read("(1,8)")),
        ct_tuple2(64, 64), ct_in_shared(tile), ct_in_global(1))));
    CT_SHARED(unsigned char, memory, 8192);
    const ct_index x = ct_index2(blockIdx.y, blockIdx.x);
    ct_copy(&in, ct_view_tile(&args.src, &in, x), ct_view_shared(memory));
    ct_cp_async_commit();
    ct_cp_async_wait_all();
    __syncthreads();
    ct_copy(&out, ct_view_shared(memory), ct_view_tile(&args.dst, &out, x));
}

// gate promised
// gate promised, registers <= 32
// gate promised, count ^cp\.async\.cg\.shared\.global\.L2::128B .*, 16;$ == 4
// gate promised, count ^ld\.shared\.v4 == 4
// gate promised, count ^st\.global\.v4 == 4
// gate promised, count ^(@|[a-z]) <= 90
// gate gemm_tiles
// gate gemm_tiles, registers <= 64
// gate gemm_tiles, count ^ldmatrix\.sync\.aligned\.m8n8\.x4 == 32
// gate gemm_tiles, count ^cp\.async\.cg\.shared\.global == 32
// gate batched_transpose
// gate batched_transpose, registers <= 40
// gate batched_transpose, count ^ld\.global\.v4 >= 4
// gate batched_transpose, count ^st\.shared\.v4 >= 4
