/* Kernels that only the benchmark has: the experiment of tutorial 000, and tiled copies whose
 * leading dimension is a constant. */
#include "documents.h"
#include "kernels/copy_variant.h"
#include <cutlet/device/kernel/static.h>

/* ---- tutorial 000 ---------------------------------------------------------------------------- */

/* The tile of 128 x 256 floats, column-major, from global to shared memory; and back where there is
 * a destination, which only the verification gives. A partition may cover a part of the columns. */
CT_DEVICE void tutorial(const ct_partition *in, const ct_partition *out,
                        const ct_variant_args *args, unsigned char *memory)
{
    const int parts = TUTORIAL_N / in->tile[1], bytes = TUTORIAL_M * in->tile[1] * 4;
    const int64_t x = blockIdx.x, y = (int64_t)blockIdx.y * parts;
    CT_UNROLL for (int part = 0; part < parts; ++part)
    {
        const ct_view tile = ct_view_shared(memory + part * bytes);
        ct_copy(in, ct_view_tile(&args->src, in, ct_index2(x, y + part)), tile);
    }
    if (ct_atom_is_async(in->atom)) ct_cp_async_wait_all();
    __syncthreads();
    if (!args->dst.at) return;
    CT_UNROLL for (int part = 0; part < parts; ++part)
    {
        const ct_view tile = ct_view_shared(memory + part * bytes);
        ct_copy(out, tile, ct_view_tile(&args->dst, out, ct_index2(x, y + part)));
    }
}

#define TUTORIAL(id, name, tm, tn, dm, dn, values, how, columns, about)                            \
    CT_KERNEL_THREADS(bench_tutorial_##id, 256, ct_variant_args, args)                             \
    {                                                                                              \
        TUTORIAL_PARTITION(in, ct_layout2(tm, tn, dm, dn), values, how, columns, 1);               \
        TUTORIAL_PARTITION(out, ct_layout2(tm, tn, dm, dn), values, how, columns, 0);              \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        tutorial(&in, &out, &args, memory);                                                        \
    }
#define TUTORIAL_PARTITION(name, thr, values, how, columns, to_shared)                             \
    CT_STATIC(ct_partition, name,                                                                  \
              ct_partition_unchecked(                                                              \
                  ct_variant_partition(thr, ct_layout2(values, 1, 1, values), how, 4, 0,           \
                                       ct_tuple2(TUTORIAL_M, columns), to_shared)))
BENCH_TUTORIAL(TUTORIAL)

/* ---- static layouts -------------------------------------------------------------------------- */

#define STATIC(id, name, order, axis, tm, tn, dm, dn, vm, vn, how)                                 \
    CT_KERNEL_RESIDENT(bench_static_##id##_##order, 128, 16, ct_variant_args, args)                \
    {                                                                                              \
        STATIC_PARTITION(in, axis, tm, tn, dm, dn, vm, vn, how, 1);                                \
        STATIC_PARTITION(out, axis, tm, tn, dm, dn, vm, vn, how, 0);                               \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        ct_variant_args fixed = args;                                                              \
        fixed.src.step[1 - axis] = fixed.dst.step[1 - axis] = 2 * STATIC_SIDE;                     \
        ct_variant_tile_by(&in, &out, &fixed, memory);                                             \
    }
#define STATIC_PARTITION(name, axis, tm, tn, dm, dn, vm, vn, how, to_shared)                       \
    CT_STATIC(ct_partition, name,                                                                  \
              ct_partition_unchecked(ct_variant_partition(ct_layout2(tm, tn, dm, dn),              \
                                                          ct_layout2(vm, vn, 1, vm), how, 2, axis, \
                                                          ct_variant_tile(), to_shared)))
BENCH_STATIC(STATIC)
