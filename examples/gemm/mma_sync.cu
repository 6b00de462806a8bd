/* D = alpha A B + beta C by the matrix instructions of warps: A is (m,k) and B (n,k), contiguous along
 * k; C and D are (m,n). Any extents, leading dimensions and addresses; halves, sums of floats.
 *
 * A block computes a tile of (128,256). Its 8 warps hold (64,64) each, in registers, and go along k by
 * 32: tiles of A and B come by cp.async into swizzled shared memory, STAGES - 1 of them under way; from
 * there ldmatrix takes the fragments of 16, the next while the instructions of the last are at work. */
#include <cutlet/device/copy.h>
#include <cutlet/device/element.h>
#include <cutlet/device/mma_loop.h>
#include <cutlet/device/pipeline_cp_async.h>
#include <cutlet/device/static.h>
#include <cutlet/mma_partition.h>
#include <cutlet/read.h>

#include "mma_sync.h"

enum { STAGES = 4, STEPS = 2, A_WORDS = 32, B_WORDS = 32, C_WORDS = 128 }; /* words of a thread */

/* The warps are (2,4); each takes two atoms that lie side by side along n, for ldmatrix has four matrices. */
CT_FN ct_tiled_mma mma_of(void)
{
    const ct_tiler tile = ct_tiler_append(ct_tiler2(ct_read("32"), ct_read("(8,4,2):(1,16,8)")), ct_read("16"));
    return ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"), ct_read("(2,4)"), tile);
}

/* A stage of so many rows of A or B: rows of 64 bytes, swizzled so that ldmatrix has no conflict. */
CT_FN ct_memory stage_of(int rows)
{
    return ct_in_shared(ct_make_swizzled(ct_make_swizzle(2, 3, 3), 0, ct_layout2(rows, 32, 32, 1)));
}

/* Tiles of so many rows on their way to a stage: 16 bytes a thread and access. */
CT_FN ct_partition load_of(int rows)
{
    const ct_copy_atom async = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 16);
    return ct_make_partition(ct_make_tiled_copy(async, ct_read("(64,4):(4,1)"), ct_read("(1,8)")),
                             ct_tuple2(rows, 32), ct_in_global(1), stage_of(rows));
}

/* A stage's fragments, by ldmatrix. */
CT_FN ct_partition fragments_of(int operand, int rows)
{
    const ct_copy_atom matrices = ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16);
    return ct_make_partition(ct_make_tiled_copy_mma(matrices, mma_of(), operand), ct_tuple2(rows, 32),
                             stage_of(rows), ct_in_registers());
}

/* The tile of C or D in a thread's registers, as halves. */
CT_FN ct_partition result_of(int is_load)
{
    const ct_tiled_copy copy = ct_make_tiled_copy_c(ct_copy_atom_auto(16), mma_of());
    return is_load ? ct_make_partition(copy, ct_tuple2(128, 256), ct_in_global(1), ct_in_registers())
                   : ct_make_partition(copy, ct_tuple2(128, 256), ct_in_registers(), ct_in_global(1));
}

/* The tile of block i: 8 rows of tiles at a time, column by column, whose tiles of B L2 then holds. */
CT_DEVICE ct_index tile_of(uint32_t rows, uint32_t columns, uint32_t i)
{
    const uint32_t group = i / (8 * columns), in = i % (8 * columns);
    const uint32_t high = rows - 8 * group < 8 ? rows - 8 * group : 8;
    return ct_index2(8 * group + in % high, in / high);
}

CT_KERNEL_RESIDENT(gemm_mma_sync, 256, 1, gemm_args, args)
{
    CT_STATIC(ct_mma_loop, loop, ct_make_mma_loop(mma_of(), ct_tuple2(128, 256)));
    CT_STATIC(ct_partition, load_a, load_of(128));
    CT_STATIC(ct_partition, load_b, load_of(256));
    CT_STATIC(ct_partition, part_a, fragments_of(CT_MMA_A, 128));
    CT_STATIC(ct_partition, part_b, fragments_of(CT_MMA_B, 256));
    CT_STATIC(ct_partition, c_in, result_of(1));
    CT_STATIC(ct_partition, d_out, result_of(0));
    CT_SHARED_DYNAMIC(unsigned char, memory);
    unsigned char *const memory_b = memory + STAGES * load_a.dst.bytes;
    const ct_index at = tile_of((uint32_t)ct_tiles_along(&args.a, &load_a, 0),
                                (uint32_t)ct_tiles_along(&args.b, &load_b, 0), blockIdx.x);
    const int tiles = (int)ct_tiles_along(&args.a, &load_a, 1);
    ct_view a = ct_view_src(&load_a, ct_view_tile(&args.a, &load_a, ct_index2(at.at[0], 0)), threadIdx.x);
    ct_view b = ct_view_src(&load_b, ct_view_tile(&args.b, &load_b, ct_index2(at.at[1], 0)), threadIdx.x);
    CT_FRAGMENT(uint32_t, frag_a, A_WORDS);
    CT_FRAGMENT(uint32_t, frag_b, B_WORDS);
    CT_FRAGMENT(float, sum, C_WORDS);
    CT_UNROLL for (int i = 0; i < C_WORDS; ++i) sum[i] = 0;
    ct_stages s = ct_stages_begin(STAGES);
    for (int k = 1 - STAGES; k < tiles; ++k) { /* the first rounds only fetch */
        if (k >= 0) ct_cp_async_stage_wait(STAGES);
        if (k + STAGES - 1 < tiles) {
            const int stage = ct_stages_write(&s);
            ct_copy(&load_a, a, ct_view_stage(&load_a.dst, memory, stage));
            ct_copy(&load_b, b, ct_view_stage(&load_b.dst, memory_b, stage));
            a = ct_view_next(&load_a, a, 1, 1);
            b = ct_view_next(&load_b, b, 1, 1);
        }
        ct_cp_async_commit();
        if (k < 0) continue;
        const int stage = ct_stages_read(&s);
        CT_UNROLL for (int step = 0; step < STEPS; ++step) {
            ct_copy_part(&part_a, ct_view_stage(&part_a.src, memory, stage), ct_view_registers(frag_a), step, STEPS);
            ct_copy_part(&part_b, ct_view_stage(&part_b.src, memory_b, stage), ct_view_registers(frag_b), step, STEPS);
        }
        CT_UNROLL for (int step = 0; step < STEPS; ++step)
            ct_mma_step(&loop, sum, frag_a + step * A_WORDS / STEPS, frag_b + step * B_WORDS / STEPS);
    }
    CT_FRAGMENT(uint32_t, c, C_WORDS / 2);
    CT_FRAGMENT(uint32_t, d, C_WORDS / 2);
    if (args.beta != 0) ct_copy(&c_in, ct_view_tile(&args.c, &c_in, at), ct_view_registers(c));
    CT_UNROLL for (int i = 0; i < C_WORDS; ++i)
        ct_put_half(d, i, args.alpha * sum[i] + (args.beta != 0 ? args.beta * ct_get_half(c, i) : 0));
    ct_copy(&d_out, ct_view_registers(d), ct_view_tile(&args.d, &d_out, at));
}
