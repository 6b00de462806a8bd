/**
 * Tensors in shared memory, as copy/shared_space.h lays them out: views of them and of their stages, for a block's
 * memory. A tile of a stage is ct_view_inside of its view.
 *
 * Fails:    The CPU grid ends the launch at a stage that the tensor does not have.
 * Cost:     a constant offset; of a stage that is not constant a multiplication.
 * In a kernel:
 *           // args.src: in as a matrix (32,32):(32,1), by two stages of 16 rows
 *           CT_STATIC(ct_layout, two, ct_layout3(16, 32, 2, 32, 1, 16 * 32));
 *           ct_shared_space space = CT_ZERO;
 *           const ct_shared_tensor s = ct_shared_next(&space, 32, ct_make_tensor(two));
 *           CT_STATIC(ct_tiled_copy, rows,
 *                     ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(4, 8, 8, 1),
 *                                        ct_layout2(1, 4, 4, 1)));
 *           CT_STATIC(ct_partition, load, ct_make_partition(rows, ct_tuple2(16, 32), ct_in_global(1),
 *                                                           ct_in_shared_plain(two)));
 *           CT_SHARED(unsigned char, memory, 2 * 16 * 32 * 4);
 *           for (int k = 0; k < 2; ++k)
 *               ct_copy(ct_view_tile(&args.src, &load, ct_index2(k, 0)), ct_stage_of(&s, memory, k));
 *           __syncthreads();
 *           float x = 0;
 *           ct_load_shared(&x, ct_shared_bytes(&s, memory) + 4 * (16 * 32 + threadIdx.x), 32);
 *           assert(x == (float)(16 * 32 + threadIdx.x));
 */
#ifndef CUTLET_DEVICE_TENSOR_SHARED_H
#define CUTLET_DEVICE_TENSOR_SHARED_H

#include <cutlet/copy/shared_space.h>

#include <cutlet/device/tensor/tile.h>

/** The first byte of a tensor in a block's memory. */
CT_DEVICE unsigned char *ct_shared_bytes(const ct_shared_tensor *t, const void *memory)
{
    return (unsigned char *)(uintptr_t)memory + t->offset;
}

/** @internal Why a tensor has no such stage; CT_OK if it has. */
CT_FN ct_error ct_stage_refusal(const ct_shared_tensor *t, int64_t stage)
{
    const ct_error none = CT_ZERO;
    if (t->err.status) return t->err;
    if (stage >= 0 && stage < t->stages) return none;
    return ct_make_error(CT_E_DOMAIN, CT_OP_MODE, CT_WHY_INDEX, 2, stage, t->stages);
}

/** Stage `stage` of a tensor in a block's memory; 0 for all of a tensor without stages. */
CT_DEVICE ct_view ct_stage_of(const ct_shared_tensor *t, const void *memory, const int stage)
{
    CT_REFUSE("stage in shared memory", ct_stage_refusal(t, stage));
    return ct_view_shared(ct_shared_bytes(t, memory) + stage * t->stage_bytes);
}

#define ct_stage_of(...) CT_CALL(ct_stage_of, __VA_ARGS__)

#endif
