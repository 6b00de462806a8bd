/* C = A B of one tile by wgmma, sm_90a: A (64,k) and B (64,k) of halves, contiguous along k, and C
 * (64,64) of floats. Of a block's two warpgroups one multiplies, the other loads A and B by TMA. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/pipeline/pipeline_tma.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/device/arch/wgmma.h>
#include <cutlet/mma/mma_partition.h>

#define ATOM "SM90_64x64x16_F32F16F16_SS"
enum { STAGES = 3, WARPS = 4 /* that multiply */, TILE_BYTES = 64 * 64 * 2 };
enum { RIGHT, NO_WAIT, TOO_EARLY }; /* two mistakes to show */

typedef struct wgmma_args {
    ct_tma_map a, b; /* boxes of (64,64), swizzled by 128 bytes */
    ct_global c;     /* (64,64) */
    int32_t steps;   /* of 64 along k */
} wgmma_args;

/* part: plan */
/* All that is known when the kernel is compiled. */
typedef struct wgmma_plan {
    ct_error err;
    ct_partition load, store;
    ct_mma_descriptor a, b;
} wgmma_plan;

CT_FN wgmma_plan make_plan(void)
{
    const ct_tuple tile = ct_tuple2(64, 64);
    const ct_tensor rows = /* a tile of A or of B */
        ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(64, 64, 64, 1));
    const ct_mma_atom atom = ct_make_mma_atom(ATOM);
    const ct_tiled_mma mma = ct_make_tiled_mma(atom, ct_layout1(1, 0), ct_tiler0());
    const ct_tiled_copy engine = ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 16));
    const ct_tiled_copy sums = ct_make_tiled_copy_c(ct_copy_atom_auto(32), mma);
    wgmma_plan p = CT_ZERO;
    p.load = ct_make_partition(engine, tile, ct_in_global(1), ct_in_shared(rows));
    p.store = ct_make_partition(sums, tile, ct_in_registers(), ct_in_global(1));
    p.a = ct_make_mma_descriptor(rows, CT_MMA_A, atom);
    p.b = ct_make_mma_descriptor(rows, CT_MMA_B, atom);
    const ct_error all[] = {p.load.err, p.store.err, p.a.err, p.b.err};
    for (int i = 0; i < 4; ++i) p.err = p.err.status ? p.err : all[i];
    return p;
}
/* part: produce */
/* Fills the stages, one after the other: one thread. */
CT_DEVICE void produce(const wgmma_plan *p, const wgmma_args *args, unsigned char *memory,
                       ct_tma_pipe pipe)
{
    for (int k = 0; k < args->steps; ++k) {
        const ct_view a = ct_view_stage(&p->load.dst, memory, pipe.stage);
        const ct_view b = ct_view_stage(&p->load.dst, memory, STAGES + pipe.stage);
        const ct_index at = ct_index2(0, k);
        uint64_t *const full = ct_tma_pipe_fill(&pipe, 2 * TILE_BYTES);
        ct_copy(&p->load, ct_view_map(&args->a, &p->load, at), ct_view_arriving(a, full, 0));
        ct_copy(&p->load, ct_view_map(&args->b, &p->load, at), ct_view_arriving(b, full, 0));
        ct_tma_pipe_next(&pipe);
    }
}
/* part: consume */
/* Multiplies what is in the stages, and stores the sums: a warpgroup. */
CT_DEVICE void consume(const wgmma_plan *p, const wgmma_args *args, unsigned char *memory,
                       ct_tma_pipe pipe, const int mistake)
{
    CT_STATIC(ct_mma_op, op, ct_make_mma_atom(ATOM).op); /* A and B contiguous along k */
    const uint32_t base = ct_shared_address(memory);
    const uint64_t a = ct_mma_descriptor_step(ct_mma_descriptor_pack(p->a), base);
    const uint64_t b =
        ct_mma_descriptor_step(ct_mma_descriptor_pack(p->b), base + STAGES * TILE_BYTES);
    const int releases = threadIdx.x % 32 == 0; /* a lane of each warp */
    CT_FRAGMENT(uint32_t, sum, 32);
    for (int k = 0; k < args->steps; ++k) {
        const int stage = pipe.stage * TILE_BYTES;
        if (mistake != NO_WAIT) ct_tma_pipe_wait(&pipe); /* A and B are there */
        ct_wgmma_fence();
        CT_UNROLL for (int i = 0; i < 4; ++i) /* 16 of k each */
            ct_wgmma(&op, sum, ct_mma_descriptor_step(a, stage + ct_eval2(p->a.steps, 0, i)),
                     ct_mma_descriptor_step(b, stage + ct_eval2(p->b.steps, 0, i)), k > 0 || i > 0);
        ct_wgmma_commit();
        if (mistake == TOO_EARLY && releases) ct_tma_pipe_release(&pipe, pipe.stage);
        ct_wgmma_wait(0);
        if (mistake != TOO_EARLY && releases) ct_tma_pipe_release(&pipe, pipe.stage);
        ct_tma_pipe_next(&pipe);
    }
    ct_wgmma_done(sum, 32);
    ct_copy(&p->store, ct_view_registers(sum), ct_view_tile(&args->c, &p->store, ct_index2(0, 0)));
}
/* part: kernel */
CT_DEVICE void multiply(const wgmma_plan *p, const wgmma_args *args, unsigned char *memory,
                        uint64_t *bars, const int mistake)
{
    const ct_tma_pipe pipe = ct_tma_pipe_begin(bars, STAGES, WARPS);
    if (threadIdx.x < 128) consume(p, args, memory, pipe, mistake);
    else if (threadIdx.x == 128) produce(p, args, memory, pipe);
}

#define PRODUCT(name, mistake)                                                                     \
    CT_KERNEL_THREADS(name, 256, wgmma_args, args)                                                 \
    {                                                                                              \
        CT_STATIC(wgmma_plan, p, make_plan());                                                     \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        CT_SHARED(uint64_t, bars, 2 * STAGES);                                                     \
        multiply(&p, &args, memory, bars, mistake);                                                \
    }
PRODUCT(product, RIGHT)
PRODUCT(no_wait, NO_WAIT)
PRODUCT(too_early, TOO_EARLY)
/* end */
