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
    const int32_t x = (int32_t)blockIdx.x, y = (int32_t)blockIdx.y * parts;
    CT_UNROLL for (int part = 0; part < parts; ++part)
    {
        const ct_view tile = ct_view_shared(memory + part * bytes);
        ct_copy(in, ct_view_whole(in, &in->src, &args->src, args->step, x, y + part, threadIdx.x),
                ct_view_dst(in, tile, threadIdx.x));
    }
    ct_variant_arrive(in);
    if (!args->dst.at) return;
    CT_UNROLL for (int part = 0; part < parts; ++part)
    {
        const ct_view tile = ct_view_shared(memory + part * bytes);
        ct_copy(out, ct_view_src(out, tile, threadIdx.x),
                ct_view_whole(out, &out->dst, &args->dst, args->step, x, y + part, threadIdx.x));
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
              ct_variant_partition(thr, ct_layout2(values, 1, 1, values), how, 4, 0,               \
                                   ct_tuple2(TUTORIAL_M, columns), to_shared))
BENCH_TUTORIAL(TUTORIAL)

/* ---- static layouts -------------------------------------------------------------------------- */

#define STATIC(id, name, order, axis, tm, tn, dm, dn, vm, vn, how)                                 \
    CT_KERNEL_RESIDENT(bench_static_##id##_##order, 128, 16, ct_variant_args, args)                \
    {                                                                                              \
        CT_STATIC(ct_partition, in,                                                                \
                  ct_variant_partition(ct_layout2(tm, tn, dm, dn), ct_layout2(vm, vn, 1, vm), how, \
                                       2, axis, ct_variant_tile(), 1));                            \
        CT_STATIC(ct_partition, out,                                                               \
                  ct_variant_partition(ct_layout2(tm, tn, dm, dn), ct_layout2(vm, vn, 1, vm), how, \
                                       2, axis, ct_variant_tile(), 0));                            \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        ct_variant_args fixed = args;                                                              \
        fixed.step = 2 * STATIC_SIDE;                                                              \
        ct_variant_whole(&in, &out, &fixed, memory);                                               \
    }
BENCH_STATIC(STATIC)
