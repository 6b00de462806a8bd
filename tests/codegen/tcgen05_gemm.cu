// C = A B by ct_gemm and tcgen05.mma, which no device at hand runs: a tile (128,256) of floats, A and B of bfloat16.
// arch sm_100a
#include <cutlet/copy/shared_space.h>
#include <cutlet/device/mma/gemm_tcgen05.h>
#include <cutlet/device/pipeline/pipe.h>
#include <cutlet/device/tensor/shared.h>

enum { STAGES = 4, ROWS = 128, COLUMNS = 256, AT_ONCE = 32 /* columns in registers */ };

typedef struct tcgen05_gemm_args {
    ct_tma_map a, b; /* boxes of (128,64) and (256,64), swizzled by 128 bytes */
    ct_global c;
    int32_t steps; /* of 64 along k */
} tcgen05_gemm_args;

typedef struct tcgen05_plan {
    ct_shared_tensor a, b;
    ct_pipe_plan pipe;
    ct_gemm_partition mma;
    ct_fragment part;
    ct_partition load_a, load_b, store;
} tcgen05_plan;
CT_PLAN(tcgen05_plan);

CT_FN ct_tensor lines_of(int32_t rows)
{
    return ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0,
                            ct_layout3(rows, 64, STAGES, 64, 1, rows * 64));
}
CT_FN tcgen05_plan make_plan(void)
{
    tcgen05_plan p = CT_ZERO;
    ct_shared_space space = CT_ZERO;
    const ct_tiled_mma mma = ct_make_tiled_mma(ct_make_mma_atom("SM100_128x256x16_F32BF16BF16_SS"),
                                               ct_layout1(1, 0), ct_tiler0());
    const ct_tiled_copy engine = ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 16));
    const ct_tiled_copy rows = /* a thread has a lane of tensor memory */
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(ROWS, 1, 1, 0),
                           ct_layout2(1, AT_ONCE, 0, 1));
    p.a = ct_shared_next(&space, 16, lines_of(ROWS));
    p.b = ct_shared_next(&space, 16, lines_of(COLUMNS));
    const ct_memory in_a = ct_in_shared(p.a.tensor), in_b = ct_in_shared(p.b.tensor);
    p.mma = ct_make_gemm(mma, ct_tuple3(ROWS, COLUMNS, 64), in_a, in_b);
    p.load_a = ct_make_partition(engine, ct_tuple2(ROWS, 64), ct_in_global(1), in_a);
    p.load_b = ct_make_partition(engine, ct_tuple2(COLUMNS, 64), ct_in_global(1), in_b);
    p.store = ct_make_partition(rows, ct_tuple2(ROWS, AT_ONCE), ct_in_registers(), ct_in_global(1));
    p.part = ct_fragment_of(p.store);
    p.pipe = ct_make_pipe(STAGES, ct_tile_bytes(&p.load_a) + ct_tile_bytes(&p.load_b), 1);
    return p;
}

/* Fills the stages: a lane of warp 0. */
CT_DEVICE_OF(tcgen05_plan)
void produce(const tcgen05_plan *p, const tcgen05_gemm_args *args, void *memory, ct_pipe pipe)
{
    for (int k = 0; k < args->steps; ++k) {
        uint64_t *const full = ct_pipe_fill(&pipe);
        const ct_view a = ct_stage_of(&p->a, memory, pipe.stage);
        const ct_view b = ct_stage_of(&p->b, memory, pipe.stage);
        const ct_index x = ct_index2(blockIdx.y, k), y = ct_index2(blockIdx.x, k);
        ct_copy(CT_OF(p, load_a), ct_view_map(&args->a, &p->load_a, x),
                ct_view_arriving(a, full, 0));
        ct_copy(CT_OF(p, load_b), ct_view_map(&args->b, &p->load_b, y),
                ct_view_arriving(b, full, 0));
        ct_pipe_next(&pipe);
    }
}

/* Multiplies: a lane of warp 1. The arrival of a product frees its stage. */
CT_DEVICE_OF(tcgen05_plan)
void multiply(const tcgen05_plan *p, const tcgen05_gemm_args *args, ct_pipe pipe,
              ct_tensor_memory c, ct_gemm_operand a, ct_gemm_operand b, uint64_t *done)
{
    for (int k = 0; k < args->steps; ++k) {
        ct_pipe_wait(&pipe);
        ct_tcgen05_after();
        ct_gemm(CT_OF(p, mma), c, ct_gemm_stage(a, pipe.stage), ct_gemm_stage(b, pipe.stage),
                k > 0);
        ct_gemm_arrive(&p->mma, pipe.empty + pipe.stage);
        ct_pipe_next(&pipe);
    }
    ct_gemm_arrive(&p->mma, done);
}

CT_KERNEL_THREADS(tcgen05_gemm, ROWS, tcgen05_gemm_args, args)
{
    CT_STATIC_PLAN(tcgen05_plan, plan, make_plan());
    const auto *const p = &plan;
    CT_SHARED_DYNAMIC(unsigned char, memory);
    CT_SHARED(uint64_t, bars, 1 + 2 * STAGES);
    CT_SHARED(uint32_t, slot, 1);
    CT_REGISTERS_OF(float, part, p, part);
    if (ct_warp() == 0) ct_tmem_alloc(&p->mma.op, slot, COLUMNS);
    if (threadIdx.x == 0) ct_mbarrier_init(bars, 1);
    ct_tcgen05_before();
    const ct_pipe pipe = ct_pipe_begin(CT_OF(p, pipe), bars + 1);
    ct_tcgen05_after();
    const ct_tensor_memory c = ct_make_tensor_memory(slot[0]);
    const ct_gemm_operand a = ct_gemm_a(&p->mma, ct_stage_of(&p->a, memory, 0), 0);
    const ct_gemm_operand b = ct_gemm_b(&p->mma, ct_stage_of(&p->b, memory, 0), 0);
    if (ct_warp() == 0 && ct_elect_one()) produce(p, &args, memory, pipe);
    if (ct_warp() == 1 && ct_elect_one()) multiply(p, &args, pipe, c, a, b, bars);
    __syncwarp();
    ct_mbarrier_wait(bars, 0);
    ct_tcgen05_after();
    CT_UNROLL for (int j = 0; j < COLUMNS / AT_ONCE; ++j)
    {
        ct_tmem_load(part.words, c.address + ((uint32_t)(32 * ct_warp()) << 16) + j * AT_ONCE,
                     AT_ONCE);
        ct_tmem_wait_load();
        const ct_index x = ct_index2(blockIdx.y, blockIdx.x * (COLUMNS / AT_ONCE) + j);
        ct_copy(CT_OF(p, store), part, ct_view_tile(&args.c, &p->store, x));
    }
    ct_tcgen05_before();
    __syncthreads();
    if (ct_warp() == 0) {
        ct_tmem_relinquish(&p->mma.op);
        ct_tmem_free(&p->mma.op, slot[0], COLUMNS);
    }
}

// gate tcgen05_gemm
// gate tcgen05_gemm, count ^tcgen05\.mma\.cta_group::1\.kind::f16 == 4
// gate tcgen05_gemm, count ^tcgen05\.commit\.cta_group::1 == 2
// gate tcgen05_gemm, count ^tcgen05\.ld\.sync\.aligned\.32x32b\.x8 == 32
// gate tcgen05_gemm, count ^cp\.async\.bulk\.tensor\.2d == 2
// gate tcgen05_gemm, registers <= 128
