/* D = alpha A B + beta C by fused multiply-adds of single threads, floats: A is (m,k) and B (n,k); C and
 * D are (m,n). Any extents, strides and addresses.
 *
 * A block of 256 threads computes a tile of (128,128); each thread has (8,8) of it in registers. The
 * block steps along k by 16. cp.async loads tiles of A and of B into swizzled shared memory, with
 * STAGES - 1 tiles in flight. Its accesses have 16 bytes if rows are aligned, otherwise 4. A thread
 * loads its rows by accesses of four floats along k, those of the next step while it multiplies. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/element/element.h>
#include <cutlet/device/mma/mma_loop.h>
#include <cutlet/device/pipeline/pipeline_cp_async.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/mma/mma_partition.h>
#include <cutlet/algebra/read.h>

#include "simt.h"
#include "tile_order.h"

enum {
    TILE = 128,
    DEPTH = 16,
    STAGES = 4,
    STEPS = 4,
    WORDS = 32,
    SUMS = 64,
    PARTS = 2
}; /* words of a thread */

typedef struct gemm_plan { /* the constants of a kernel */
    ct_error err;
    ct_mma_loop loop;
    ct_partition rows, any, part_a, part_b, c_in, d_out;
} gemm_plan;

CT_FN gemm_plan make_plan(void)
{
    gemm_plan p = CT_ZERO;
    const ct_tuple tile = ct_tuple2(TILE, DEPTH), half = ct_tuple2(TILE, TILE / PARTS);
    /* a warp is (4,8) threads, warps are (4,2); a thread has four consecutive m and n, and again 64 on */
    const ct_layout threads = ct_read("((4,4),(8,2)):((8,32),(1,128))");
    const ct_tiler order = ct_tiler_append(
        ct_tiler2(ct_read("(16,4,2):(4,1,64)"), ct_read("(16,4):(4,1)")), ct_layout1(4, 1));
    const ct_tiled_mma mma = ct_make_tiled_mma(ct_make_mma_atom("universal_fma"), threads, order);
    /* threads of a warp read every fourth row: chunks of 16 bytes in different banks */
    const ct_layout plain = ct_layout2(TILE, DEPTH, DEPTH, 1);
    const ct_memory stage = ct_in_shared(ct_make_swizzled(ct_make_swizzle(3, 2, 4), 0, plain));
    const ct_memory registers = ct_in_registers(), memory = ct_in_global(1);
    const ct_copy_atom wide = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 32),
                       own = ct_copy_atom_auto(32);
    const ct_copy_atom one = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, 32, 32);
    const ct_tiled_copy by_rows =
        ct_make_tiled_copy(wide, ct_read("(64,4):(4,1)"), ct_layout2(1, 4, 0, 1));
    const ct_tiled_copy by_one =
        ct_make_tiled_copy(one, ct_read("(16,16):(16,1)"), ct_layout2(1, 1, 0, 0));
    p.loop = ct_make_mma_loop(mma, ct_tuple2(TILE, TILE));
    p.rows = ct_make_partition(by_rows, tile, memory, stage);
    p.any = ct_make_partition(by_one, tile, ct_in_global(-1), stage);
    p.part_a = ct_make_partition(ct_make_tiled_copy_a(own, mma), tile, stage, registers);
    p.part_b = ct_make_partition(ct_make_tiled_copy_b(own, mma), tile, stage, registers);
    p.c_in = ct_make_partition(ct_make_tiled_copy_c(own, mma), half, memory, registers);
    p.d_out = ct_make_partition(ct_make_tiled_copy_c(own, mma), half, registers, memory);
    const ct_error all[] = {p.loop.err,   p.rows.err, p.any.err,  p.part_a.err,
                            p.part_b.err, p.c_in.err, p.d_out.err};
    for (int i = 0; i < 7; ++i) p.err = p.err.status ? p.err : all[i];
    return p;
}

/* Copies tile `at` of an operand to a stage, by 16 bytes if all rows are aligned to 16 bytes. */
CT_DEVICE void load(const gemm_plan *p, const ct_global *from, ct_index at, const void *memory,
                    int stage)
{
    const ct_view to = ct_view_stage(&p->rows.dst, memory, stage);
    if (from->axis == 1 && from->align >= 16)
        ct_copy(&p->rows, ct_view_tile(from, &p->rows, at), to);
    else ct_copy(&p->any, ct_view_tile(from, &p->any, at), to);
}

/* Starts the copies of tile k of A and of B to the next stage. */
CT_DEVICE void fetch(const gemm_plan *p, const gemm_args *args, ct_index at, int k,
                     const void *memory, ct_stages *s)
{
    const int stage = ct_stages_write(s);
    if (k < ct_tiles_along(&args->a, &p->rows, 1)) {
        load(p, &args->a, ct_index2(at.at[0], k), memory, stage);
        load(p, &args->b, ct_index2(at.at[1], k), memory, STAGES + stage);
    }
    ct_cp_async_commit();
}

/* Loads the fragments of a step. */
CT_DEVICE void take(const gemm_plan *p, const void *memory, int stage, uint32_t *a, uint32_t *b,
                    const int step)
{
    const ct_view at = ct_view_stage(&p->rows.dst, memory, stage);
    const ct_view under = ct_view_stage(&p->rows.dst, memory, STAGES + stage);
    ct_copy_part(&p->part_a, at, ct_view_registers(a), step, STEPS);
    ct_copy_part(&p->part_b, under, ct_view_registers(b), step, STEPS);
}

/* Stores part `part` of D's tile: alpha times the sums, plus beta times C. */
CT_DEVICE void put(const gemm_plan *p, const gemm_args *args, ct_index at, const uint32_t *sum,
                   const int part)
{
    const ct_index x = ct_index2(at.at[0], PARTS * at.at[1] + part);
    CT_FRAGMENT(uint32_t, c, SUMS / PARTS);
    CT_FRAGMENT(uint32_t, d, SUMS / PARTS);
    if (args->beta != 0)
        ct_copy(&p->c_in, ct_view_tile(&args->c, &p->c_in, x), ct_view_registers(c));
    CT_UNROLL for (int i = 0; i < SUMS / PARTS; ++i)
    {
        const float own = args->beta != 0 ? args->beta * ct_get_float(c, i) : 0;
        ct_put_float(d, i, args->alpha * ct_get_float(sum, part * SUMS / PARTS + i) + own);
    }
    ct_copy(&p->d_out, ct_view_registers(d), ct_view_tile(&args->d, &p->d_out, x));
}

CT_KERNEL_THREADS(gemm_simt, GEMM_SIMT_THREADS, gemm_args, args)
{
    CT_STATIC(gemm_plan, p, make_plan());
    CT_SHARED_DYNAMIC(unsigned char, memory);
    const int tiles = (int)ct_tiles_along(&args.a, &p.rows, 1);
    const ct_index at = tile_of((uint32_t)ct_tiles_along(&args.a, &p.rows, 0),
                                (uint32_t)ct_tiles_along(&args.b, &p.rows, 0), blockIdx.x);
    CT_FRAGMENT(uint32_t, a, STEPS * WORDS);
    CT_FRAGMENT(uint32_t, b, STEPS * WORDS);
    CT_FRAGMENT(uint32_t, sum, SUMS);
    CT_UNROLL for (int i = 0; i < SUMS; ++i) sum[i] = 0; /* 0.0 */
    ct_stages s = ct_stages_begin(STAGES);
    for (int k = 0; k < STAGES - 1; ++k) fetch(&p, &args, at, k, memory, &s);
    ct_cp_async_stage_wait(STAGES);
    int stage = ct_stages_read(&s);
    take(&p, memory, stage, a, b, 0);
    CT_ROLL for (int k = 0; k < tiles; ++k) CT_UNROLL for (int step = 0; step < STEPS; ++step)
    {
        if (step == STEPS - 1) { /* the next stage arrives, and all threads have read this one */
            ct_cp_async_stage_wait(STAGES);
            stage = k + 1 < tiles ? ct_stages_read(&s) : stage;
        }
        take(&p, memory, stage, a, b, (step + 1) % STEPS);
        if (step == 0) fetch(&p, &args, at, k + STAGES - 1, memory, &s);
        ct_mma_step(&p.loop, sum, a + step * WORDS, b + step * WORDS);
    }
    CT_UNROLL for (int part = 0; part < PARTS; ++part) put(&p, &args, at, sum, part);
}
