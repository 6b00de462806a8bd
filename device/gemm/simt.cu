/* D = alpha A B + beta C by fused multiply-adds of single threads, floats: A is (m,k) and B (n,k); C and
 * D are (m,n). Any extents, strides and addresses.
 *
 * A block of 256 threads computes a tile of (128,128); each thread has (8,8) of it in registers. The
 * block steps along k by 16. cp.async loads tiles of A and of B into swizzled shared memory, with
 * STAGES - 1 tiles in flight. Its accesses have 16 bytes if rows are aligned, otherwise 4. A thread
 * loads its rows by accesses of four floats along k, those of the next step while it multiplies. */
#include <cutlet/algebra/read.h>
#include <cutlet/copy/shared_space.h>
#include <cutlet/device/mma/gemm.h>
#include <cutlet/device/pipeline/pipeline_cp_async.h>
#include <cutlet/device/tensor/shared.h>

#include "simt.h"
#include "tile_order.h"

enum { TILE = 128, DEPTH = 16, STAGES = 4, PARTS = 2 /* of D, each in registers at once */ };

typedef struct gemm_plan { /* the constants of a kernel */
    ct_shared_tensor a, b; /* (m,k,stage), (n,k,stage) */
    ct_gemm_partition mma;
    ct_fragment of_a, of_b, c, part, for_row, for_column; /* the last two: of part */
    ct_partition rows, any, c_in, d_out;
} gemm_plan;
CT_PLAN(gemm_plan);

#include "epilogue.h"

CT_FN gemm_plan make_plan(void)
{
    gemm_plan p = CT_ZERO;
    ct_shared_space space = CT_ZERO;
    const ct_tuple tile = ct_tuple2(TILE, DEPTH), half = ct_tuple2(TILE, TILE / PARTS);
    /* a warp is (4,8) threads, warps are (4,2); a thread has four consecutive m and n, and again 64 on */
    const ct_layout threads = ct_read("((4,4),(8,2)):((8,32),(1,128))");
    const ct_tiler order = ct_tiler_append(
        ct_tiler2(ct_read("(16,4,2):(4,1,64)"), ct_read("(16,4):(4,1)")), ct_layout1(4, 1));
    const ct_tiled_mma mma = ct_make_tiled_mma(ct_make_mma_atom("universal_fma"), threads, order);
    /* threads of a warp read every fourth row: chunks of 16 bytes in different banks */
    const ct_tensor rows = ct_make_swizzled(
        ct_make_swizzle(3, 2, 4), 0, ct_layout3(TILE, DEPTH, STAGES, DEPTH, 1, TILE * DEPTH));
    const ct_memory stages = ct_in_shared(rows), registers = ct_in_registers(),
                    memory = ct_in_global(1);
    const ct_copy_atom wide = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 32),
                       own = ct_copy_atom_auto(32);
    const ct_copy_atom one = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, 32, 32);
    const ct_tiled_copy by_rows =
        ct_make_tiled_copy(wide, ct_read("(64,4):(4,1)"), ct_layout2(1, 4, 0, 1));
    const ct_tiled_copy by_one =
        ct_make_tiled_copy(one, ct_read("(16,16):(16,1)"), ct_layout2(1, 1, 0, 0));
    p.a = ct_shared_next(&space, 32, rows);
    p.b = ct_shared_next(&space, 32, rows);
    p.mma = ct_make_gemm(mma, ct_tuple3(TILE, TILE, DEPTH), stages, stages);
    p.of_a = ct_fragment_a(mma, tile);
    p.of_b = ct_fragment_b(mma, tile);
    p.c = ct_fragment_c(mma, ct_tuple2(TILE, TILE));
    p.part = ct_fragment_part(p.c, half);
    p.for_row = ct_fragment_reduced(p.part, 1);
    p.for_column = ct_fragment_reduced(p.part, 0);
    p.rows = ct_make_partition(by_rows, tile, memory, stages);
    p.any = ct_make_partition(by_one, tile, ct_in_global(-1), stages);
    p.c_in = ct_make_partition(ct_make_tiled_copy_c(own, mma), half, memory, registers);
    p.d_out = ct_make_partition(ct_make_tiled_copy_c(own, mma), half, registers, memory);
    return p;
}

/* Copies tile `at` of an operand to a stage, by 16 bytes if all rows are aligned to 16 bytes. */
CT_DEVICE_OF(gemm_plan)
void load(const gemm_plan *p, const ct_global *from, ct_index at, const ct_view to)
{
    if (from->axis == 1 && from->align >= 16)
        ct_copy(CT_OF(p, rows), ct_view_tile(from, &p->rows, at), to);
    else ct_copy(CT_OF(p, any), ct_view_tile(from, &p->any, at), to);
}

/* Starts the copies of tile k of A and of B to the next stage. */
CT_DEVICE_OF(gemm_plan)
void fetch(const gemm_plan *p, const gemm_args *args, ct_index at, int k, const void *memory,
           ct_stages *s)
{
    const int stage = ct_stages_write(s);
    if (k < ct_tiles_along(&args->a, &p->rows, 1)) {
        load(p, &args->a, ct_index2(at.at[0], k), ct_stage_of(&p->a, memory, stage));
        load(p, &args->b, ct_index2(at.at[1], k), ct_stage_of(&p->b, memory, stage));
    }
    ct_cp_async_commit();
}

/* Stores part `part` of D's tile: the sums, finished. */
CT_DEVICE_OF(gemm_plan)
void put(const gemm_plan *p, const gemm_args *args, ct_index at, const ct_registers sum,
         const int part)
{
    const ct_index x = ct_index2(at.at[0], PARTS * at.at[1] + part);
    CT_REGISTERS_OF(float, c, p, part);
    if (args->beta != 0) ct_copy(CT_OF(p, c_in), ct_view_tile(&args->c, &p->c_in, x), c);
    const ct_index first = ct_index2(TILE * x.at[0], TILE / PARTS * x.at[1]);
    if (args->own.is_on) scale_sums(p, &args->own, sum, first);
    CT_EACH(i, sum)
    {
        const float own = args->beta != 0 ? args->beta * ct_val(c, i) : 0;
        ct_put(c, i, args->alpha * ct_val(sum, i) + own);
    }
    if (args->own.is_on) activate_sums(p, &args->own, c, first, 0);
    ct_copy(CT_OF(p, d_out), c, ct_view_tile(&args->d, &p->d_out, x));
}

CT_DEVICE_OF(gemm_plan) void gemm_tile(const gemm_plan *p, const gemm_args *args, void *memory)
{
    const int tiles = (int)ct_tiles_along(&args->a, &p->rows, 1), steps = ct_gemm_steps_of(&p->mma);
    const ct_index at = tile_of((uint32_t)ct_tiles_along(&args->a, &p->rows, 0),
                                (uint32_t)ct_tiles_along(&args->b, &p->rows, 0), blockIdx.x);
    const ct_gemm_operand in_a = ct_gemm_a(&p->mma, ct_stage_of(&p->a, memory, 0), threadIdx.x);
    const ct_gemm_operand in_b = ct_gemm_b(&p->mma, ct_stage_of(&p->b, memory, 0), threadIdx.x);
    CT_REGISTERS_OF(float, a, p, of_a);
    CT_REGISTERS_OF(float, b, p, of_b);
    CT_REGISTERS_OF(float, sum, p, c);
    ct_clear(sum);
    ct_stages s = ct_stages_begin(STAGES);
    for (int k = 0; k < STAGES - 1; ++k) fetch(p, args, at, k, memory, &s);
    ct_cp_async_stage_wait(STAGES);
    int stage = ct_stages_read(&s);
    ct_gemm_load(CT_OF(p, mma), a, b, ct_gemm_stage(in_a, stage), ct_gemm_stage(in_b, stage), 0);
    CT_ROLL for (int k = 0; k < tiles; ++k) CT_UNROLL for (int step = 0; step < steps; ++step)
    {
        if (step == steps - 1) { /* the next stage arrives, and all threads have read this one */
            ct_cp_async_stage_wait(STAGES);
            stage = k + 1 < tiles ? ct_stages_read(&s) : stage;
        }
        ct_gemm_load(CT_OF(p, mma), a, b, ct_gemm_stage(in_a, stage), ct_gemm_stage(in_b, stage),
                     (step + 1) % steps);
        if (step == 0) fetch(p, args, at, k + STAGES - 1, memory, &s);
        ct_gemm_step(CT_OF(p, mma), sum, a, b, step);
    }
    CT_UNROLL for (int part = 0; part < PARTS; ++part)
        put(p, args, at, ct_part_of(&p->part, sum, ct_index2(0, part)), part);
}

CT_KERNEL_THREADS(gemm_simt, GEMM_SIMT_THREADS, gemm_args, args)
{
    CT_STATIC_PLAN(gemm_plan, p, make_plan());
    CT_SHARED_DYNAMIC(unsigned char, memory);
    gemm_tile(&p, &args, memory);
}
