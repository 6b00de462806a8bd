/**
 * A copy from the shared memory of another block of a cluster, to registers.
 *
 *     ct_copy_from_block(&P, x, ct_view_src(&P, ct_view_shared(memory), thread), rank);
 *
 * Fails:    The CPU grid ends the launch at a register tensor of another partition, at accesses that do not have 16
 *           bytes, and as ct_load_cluster.
 * Cost:     a load of 16 bytes for each access of the source.
 * In a kernel:
 *           CT_STATIC(ct_tiled_copy, rows,
 *                     ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1),
 *                                        ct_layout2(1, 4, 4, 1)));
 *           CT_STATIC(ct_partition, P, ct_make_partition(rows, ct_tuple2(4, 32), ct_in_shared_plain(
 *                                                        ct_layout2(4, 32, 32, 1)), ct_in_registers()));
 *           CT_SHARED(float, memory, 4 * 32);
 *           CT_REGISTERS(float, x, P);
 *           for (int i = (int)threadIdx.x; i < 4 * 32; i += 32) {
 *               const float v = (float)i;
 *               ct_store_shared(memory + i, &v, 32);
 *           }
 *           __syncthreads();
 *           ct_copy_from_block(&P, x, ct_view_src(&P, ct_view_shared(memory), threadIdx.x), 0); // of its own block
 *           CT_EACH(i, x) assert(ct_val(x, i) == (float)(32 * ct_coord(x, i, 0) + ct_coord(x, i, 1)));
 * Used by:  device/gemm/wgmma.cu
 * Source:   NVIDIA, PTX ISA 9.0, ld.shared::cluster.
 */
#ifndef CUTLET_DEVICE_COPY_PEER_H
#define CUTLET_DEVICE_COPY_PEER_H

#include <cutlet/device/arch/cluster.h>
#include <cutlet/device/copy/copy.h>

/** @internal Why a copy cannot read another block's shared memory; CT_OK if it can. */
CT_FN ct_error ct_peer_refusal(const ct_partition *P, const ct_registers *x)
{
    ct_error e = P->err;
    if (e.status == CT_OK) e = ct_space_refusal(0, CT_SPACE_SHARED, P->src.space);
    if (e.status == CT_OK)
        e = ct_registers_refusal(x->type, x->as->count, P->elem_bits, P->values,
                                 x->as->hash >> 2 == P->hash >> 2);
    if (e.status == CT_OK && P->src.width * P->elem_bits != 128)
        e = ct_make_error(CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_ATOM_BITS, 0, 128,
                          P->src.width * P->elem_bits);
    return e;
}

#if CT_HAS_BULK
/** Copies a thread's part of a tile in the shared memory of block `rank` of the cluster. src: of this block's memory,
 *  at the same place. */
CT_DEVICE void ct_copy_from_block(const ct_partition *P, const ct_registers x, const ct_view src,
                                  int rank)
{
    CT_REFUSE("copy from a block", ct_peer_refusal(P, &x));
    CT_UNROLL for (int i = 0; i < P->src.accesses; ++i)
        ct_load_cluster(x.words + 4 * i, ct_access_in_shared(P, &P->src, &src, i), rank);
}

#define ct_copy_from_block(...) CT_CALL(ct_copy_from_block, __VA_ARGS__)

#endif

#endif
