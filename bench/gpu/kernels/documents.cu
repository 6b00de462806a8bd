/* Kernels that only the benchmark has: the experiment of tutorial 000, and tiled copies whose
 * leading dimension is a constant. */
#include "copy_tile.h"
#include "documents.h"
#include "kernel.h"
#include "kernels/variants.h"

/* ---- tutorial 000 ---------------------------------------------------------------------------- */

/* The tile of 128 x 256 floats, column-major, from global to shared memory; and back where there is
 * a destination, which only the verification gives. A plan may cover a part of the columns. */
CT_DEVICE void tutorial(const ct_tile_plan *plan, const ct_copy_args *args, unsigned char *tile)
{
    const int64_t bytes = plan->tile_inner * plan->tile_outer * plan->elem_bytes;
    const int64_t first = (int64_t)blockIdx.x * TUTORIAL_M + ct_copy_start(&plan->thread_inner);
    const int32_t column = (int32_t)blockIdx.y * TUTORIAL_N + ct_copy_start(&plan->thread_outer);
    const int32_t ld_bytes = (int32_t)args->src_ld * plan->elem_bytes, n = plan->tile_outer;
    const int64_t at = (int64_t)column * ld_bytes + first * plan->elem_bytes;
    const int64_t step = (int64_t)n * ld_bytes;
    CT_UNROLL for (int part = 0; part < TUTORIAL_N / n; ++part) {
        const ct_copy_global src = {(unsigned char *)args->src + at + part * step, ld_bytes};
        ct_copy_in_whole(plan, src, tile + part * bytes);
    }
    ct_copy_arrive(plan);
    if (!args->dst) return;
    CT_UNROLL for (int part = 0; part < TUTORIAL_N / n; ++part) {
        const ct_copy_global dst = {(unsigned char *)args->dst + at + part * step, ld_bytes};
        ct_copy_out_whole(plan, dst, tile + part * bytes);
    }
}

#define TUTORIAL(id, name, tm, tn, dm, dn, values, how, columns, about)                            \
    CT_KERNEL_THREADS(bench_tutorial_##id, 256, ct_copy_args, args)                                \
    {                                                                                              \
        CT_STATIC(ct_tile_plan, plan,                                                              \
                  ct_plan_variant(ct_layout2(tm, tn, dm, dn), ct_layout2(values, 1, 1, values),    \
                                  ct_make_plan_job(how, 4, CT_COL_MAJOR, TUTORIAL_M, columns)));   \
        CT_SHARED_DYNAMIC(unsigned char, tile);                                                    \
        tutorial(&plan, &args, tile);                                                              \
    }
BENCH_TUTORIAL(TUTORIAL)

/* ---- static layouts -------------------------------------------------------------------------- */

#define STATIC(id, name, order, ORDER, tm, tn, dm, dn, vm, vn, how)                              \
    CT_KERNEL_RESIDENT(bench_static_##id##_##order, 128, 16, ct_copy_args, args)                 \
    {                                                                                            \
        CT_STATIC(ct_tile_plan, plan,                                                            \
                  ct_plan_tiled_copy(ct_layout2(tm, tn, dm, dn), ct_layout2(vm, vn, 1, vm),      \
                                     ct_make_plan_job(how, 2, ORDER, CT_COPY_TILE,               \
                                                      CT_COPY_TILE)));                           \
        CT_SHARED_DYNAMIC(unsigned char, tile);                                                  \
        ct_copy_args fixed = args;                                                               \
        fixed.whole_ld_bytes = 2 * STATIC_SIDE;                                                  \
        ct_copy_tile_whole(&plan, &fixed, tile);                                                 \
    }
BENCH_STATIC(STATIC)
