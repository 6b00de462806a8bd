/* C = A B of one tile by wgmma, sm_90a: A (64,k) and B (64,k) of halves, contiguous along k, and C
 * (64,64) of floats. Of a block's two warpgroups one multiplies, the other loads A and B by TMA. */
#include <cutlet/copy/shared_space.h>
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/mma/gemm.h>
#include <cutlet/device/pipeline/pipe.h>
#include <cutlet/device/tensor/shared.h>

enum { STAGES = 3, WARPS = 4 /* that multiply */ };
enum { RIGHT, NO_WAIT, TOO_EARLY }; /* two mistakes to show */

typedef struct wgmma_args {
    ct_tma_map a, b; /* boxes of (64,64), swizzled by 128 bytes */
    ct_global c;     /* (64,64) */
    int32_t steps;   /* of 64 along k */
} wgmma_args;

/* part: plan */
/* All that is known when the kernel is compiled. */
typedef struct wgmma_plan {
    ct_shared_tensor a, b; /* (m,k,stage), (n,k,stage) */
    ct_pipe_plan pipe;
    ct_gemm_partition mma;
    ct_fragment c; /* what a thread holds of C */
    ct_partition load, store;
} wgmma_plan;
CT_PLAN(wgmma_plan);

CT_FN wgmma_plan make_plan(void)
{
    const ct_tuple tile = ct_tuple2(64, 64);
    const ct_tensor rows = /* lines of 128 bytes, swizzled: (64,64,stages) */
        ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout3(64, 64, STAGES, 64, 1, 64 * 64));
    const ct_memory stages = ct_in_shared(rows);
    const ct_tiled_mma mma = ct_make_tiled_mma(ct_make_mma_atom("SM90_64x64x16_F32F16F16_SS"),
                                               ct_layout1(1, 0), ct_tiler0());
    const ct_tiled_copy engine = ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 16));
    const ct_tiled_copy sums = ct_make_tiled_copy_c(ct_copy_atom_auto(32), mma);
    ct_shared_space space = CT_ZERO;
    wgmma_plan p = CT_ZERO;
    p.a = ct_shared_next(&space, 16, rows);
    p.b = ct_shared_next(&space, 16, rows);
    p.mma = ct_make_gemm(mma, ct_tuple3(64, 64, 64), stages, stages);
    p.c = ct_fragment_c(mma, tile);
    p.load = ct_make_partition(engine, tile, ct_in_global(1), stages);
    p.store = ct_make_partition(sums, tile, ct_in_registers(), ct_in_global(1));
    p.pipe = ct_make_pipe(STAGES, 2 * ct_tile_bytes(&p.load), WARPS);
    return p;
}
/* part: produce */
/* Fills the stages, one after the other: one thread. */
CT_DEVICE_OF(wgmma_plan)
void produce(const wgmma_plan *p, const wgmma_args *args, void *memory, ct_pipe pipe)
{
    for (int k = 0; k < args->steps; ++k) {
        const ct_index at = ct_index2(0, k);
        uint64_t *const full = ct_pipe_fill(&pipe);
        const ct_view a = ct_stage_of(&p->a, memory, pipe.stage);
        const ct_view b = ct_stage_of(&p->b, memory, pipe.stage);
        ct_copy(CT_OF(p, load), ct_view_map(&args->a, &p->load, at), ct_view_arriving(a, full, 0));
        ct_copy(CT_OF(p, load), ct_view_map(&args->b, &p->load, at), ct_view_arriving(b, full, 0));
        ct_pipe_next(&pipe);
    }
}
/* part: consume */
/* Multiplies what is in the stages, and stores the sums: a warpgroup. */
CT_DEVICE_OF(wgmma_plan)
void consume(const wgmma_plan *p, const wgmma_args *args, void *memory, ct_pipe pipe,
             const int mistake)
{
    CT_REGISTERS_OF(float, c, p, c);
    const ct_gemm_operand a = ct_gemm_a(&p->mma, ct_stage_of(&p->a, memory, 0), threadIdx.x);
    const ct_gemm_operand b = ct_gemm_b(&p->mma, ct_stage_of(&p->b, memory, 0), threadIdx.x);
    for (int k = 0; k < args->steps; ++k) {
        if (mistake != NO_WAIT) ct_pipe_wait(&pipe); /* A and B are there */
        ct_gemm(CT_OF(p, mma), c, ct_gemm_stage(a, pipe.stage), ct_gemm_stage(b, pipe.stage),
                k > 0);
        if (mistake == TOO_EARLY) ct_pipe_release(&pipe, 0);
        ct_gemm_wait(&p->mma, 0);
        if (mistake != TOO_EARLY) ct_pipe_release(&pipe, 0);
        ct_pipe_next(&pipe);
    }
    ct_gemm_done(&p->mma, c);
    ct_copy(CT_OF(p, store), c, ct_view_tile(&args->c, &p->store, ct_index2(0, 0)));
}
/* part: kernel */
CT_DEVICE_OF(wgmma_plan)
void multiply(const wgmma_plan *p, const wgmma_args *args, void *memory, uint64_t *bars,
              const int mistake)
{
    const ct_pipe pipe = ct_pipe_begin(CT_OF(p, pipe), bars);
    if (ct_warpgroup() == 0) consume(p, args, memory, pipe, mistake);
    else if (threadIdx.x == 128) produce(p, args, memory, pipe);
}

#define PRODUCT(name, mistake)                                                                     \
    CT_KERNEL_THREADS(name, 256, wgmma_args, args)                                                 \
    {                                                                                              \
        CT_STATIC_PLAN(wgmma_plan, p, make_plan());                                                \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        CT_SHARED(uint64_t, bars, 2 * STAGES);                                                     \
        multiply(&p, &args, memory, bars, mistake);                                                \
    }
PRODUCT(product, RIGHT)
PRODUCT(no_wait, NO_WAIT)
PRODUCT(too_early, TOO_EARLY)
/* end */
