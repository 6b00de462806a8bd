/* D = alpha A B + beta C by the matrix instructions of warps: A is (m,k) and B (n,k), contiguous along
 * k; C and D are (m,n). Any extents, leading dimensions and addresses. Halves, bfloat16 and floats (as
 * TF32) are summed as floats; int8 is summed as int32, with integers alpha and beta.
 *
 * A block of four warps computes a tile of (128,128); each warp has (64,64) of it in registers. The
 * block steps along k by 128 bytes. cp.async loads tiles of A and of B into swizzled shared memory, with
 * STAGES - 1 tiles in flight. ldmatrix loads the fragments of each 32 bytes along k, those of the next
 * step while the instructions of this step execute. */
#include <cutlet/device/element/convert.h>
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/mma/mma_loop.h>
#include <cutlet/device/pipeline/pipeline_cp_async.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/mma/mma_partition.h>
#include <cutlet/algebra/read.h>
#include <cutlet/algebra/tensor_ops.h>

#include "mma_sync.h"
#include "tile_order.h"

enum {
    STAGES = 3,
    STEPS = 4,
    WORDS = 16,
    TILE = 128,
    C_WORDS = 128,
    PARTS = 4
}; /* words of a thread */

typedef struct gemm_plan { /* the constants of a kernel */
    ct_error err;
    int32_t type; /* of C and D, CT_TYPE_...; raw: int32 */
    ct_mma_loop loop;
    ct_partition load, part_a, part_b, c_in, d_out;
} gemm_plan;

CT_FN gemm_plan plan_of(const char *name, int32_t type, int32_t result_bits)
{
    gemm_plan p = CT_ZERO;
    const ct_mma_atom atom = ct_make_mma_atom(name);
    const int32_t bits = ct_mma_bits(atom.op.a);
    const ct_tuple tile = ct_tuple2(TILE, 1024 / bits), part = ct_tuple2(TILE, TILE / PARTS);
    /* warps (2,2); each has two adjacent atoms along n, because ldmatrix loads four matrices */
    const ct_tiler order = ct_tiler2(ct_read("32"), ct_read("(8,2,2):(1,16,8)"));
    const ct_tiled_mma mma = ct_make_tiled_mma(atom, ct_read("(2,2)"), order);
    /* rows of 128 bytes, swizzled: the chunks of 16 bytes of a column are in different banks */
    const ct_tensor bytes =
        ct_make_swizzled(ct_make_swizzle(3, 4, 3), 0, ct_layout2(TILE, 128, 128, 1));
    const ct_memory stage = ct_in_shared(ct_tensor_recast(bytes, 8, bits));
    const ct_memory registers = ct_in_registers(), memory = ct_in_global(1);
    const ct_copy_atom async = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, bits);
    const ct_copy_atom matrices = ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, bits);
    const ct_layout values = ct_layout2(1, 128 / bits, 0, 1);
    const ct_tiled_copy rows = ct_make_tiled_copy(async, ct_read("(16,8):(8,1)"), values);
    const ct_tiled_copy sums = ct_make_tiled_copy_c(ct_copy_atom_auto(result_bits), mma);
    p.type = type;
    p.loop = ct_make_mma_loop(mma, ct_tuple2(TILE, TILE));
    p.load = ct_make_partition(rows, tile, memory, stage);
    p.part_a = ct_make_partition(ct_make_tiled_copy_a(matrices, mma), tile, stage, registers);
    p.part_b = ct_make_partition(ct_make_tiled_copy_b(matrices, mma), tile, stage, registers);
    p.c_in = ct_make_partition(sums, part, memory, registers);
    p.d_out = ct_make_partition(sums, part, registers, memory);
    const ct_error all[] = {p.loop.err,   p.load.err, p.part_a.err,
                            p.part_b.err, p.c_in.err, p.d_out.err};
    for (int i = 0; i < 6; ++i) p.err = p.err.status ? p.err : all[i];
    return p;
}

/* Starts the copies of the tiles of A and B to the next stage; then moves both views along k. */
CT_DEVICE void fetch(const gemm_plan *p, ct_view *a, ct_view *b, unsigned char *memory,
                     ct_stages *s, int on)
{
    const int stage = ct_stages_write(s);
    if (on) {
        ct_copy(&p->load, *a, ct_view_stage(&p->load.dst, memory, stage));
        ct_copy(&p->load, *b, ct_view_stage(&p->load.dst, memory, STAGES + stage));
        *a = ct_view_next(&p->load, *a, 1, 1);
        *b = ct_view_next(&p->load, *b, 1, 1);
    }
    ct_cp_async_commit();
}

/* Loads the fragments of a step. */
CT_DEVICE void take(const gemm_plan *p, const void *memory, int stage, uint32_t *a, uint32_t *b,
                    const int step)
{
    const ct_view at = ct_view_stage(&p->load.dst, memory, stage);
    const ct_view under = ct_view_stage(&p->load.dst, memory, STAGES + stage);
    ct_copy_part(&p->part_a, at, ct_view_registers(a), step, STEPS);
    ct_copy_part(&p->part_b, under, ct_view_registers(b), step, STEPS);
}

/* Element i of D of a thread: alpha times the sum, plus beta times the element of C. */
CT_DEVICE void finish(const gemm_plan *p, const gemm_args *args, uint32_t *d, const uint32_t *c,
                      const uint32_t *sum, const int i)
{
    if (p->type == CT_TYPE_RAW) {
        const uint32_t own = args->beta != 0 ? (uint32_t)(int32_t)args->beta * c[i] : 0;
        d[i] = (uint32_t)(int32_t)args->alpha * sum[i] + own;
    } else {
        const float own = args->beta != 0 ? args->beta * ct_convert_get_float(c, i, p->type) : 0;
        ct_convert_put_float(d, i, args->alpha * ct_float_of_bits(sum[i]) + own, p->type);
    }
}

CT_DEVICE void gemm_tile(const gemm_plan *p, const gemm_args *args, unsigned char *memory)
{
    const ct_index at = tile_of((uint32_t)ct_tiles_along(&args->a, &p->load, 0),
                                (uint32_t)ct_tiles_along(&args->b, &p->load, 0), blockIdx.x);
    const int tiles = (int)ct_tiles_along(&args->a, &p->load, 1);
    ct_view a = ct_view_tile(&args->a, &p->load, ct_index2(at.at[0], 0));
    ct_view b = ct_view_tile(&args->b, &p->load, ct_index2(at.at[1], 0));
    CT_FRAGMENT(uint32_t, frag_a, STEPS * WORDS);
    CT_FRAGMENT(uint32_t, frag_b, STEPS * WORDS);
    CT_FRAGMENT(uint32_t, sum, C_WORDS);
    CT_FRAGMENT(uint32_t, c, C_WORDS / PARTS);
    CT_FRAGMENT(uint32_t, d, C_WORDS / PARTS);
    CT_UNROLL for (int i = 0; i < C_WORDS; ++i) sum[i] = 0; /* also 0.0 */
    ct_stages s = ct_stages_begin(STAGES);
    for (int k = 0; k < STAGES - 1; ++k) fetch(p, &a, &b, memory, &s, k < tiles);
    ct_cp_async_stage_wait(STAGES);
    int stage = ct_stages_read(&s);
    take(p, memory, stage, frag_a, frag_b, 0);
    CT_ROLL for (int k = 0; k < tiles; ++k) CT_UNROLL for (int step = 0; step < STEPS; ++step)
    {
        if (step == STEPS - 1) { /* the next stage arrives, and all threads have read this one */
            ct_cp_async_stage_wait(STAGES);
            stage = k + 1 < tiles ? ct_stages_read(&s) : stage;
        }
        take(p, memory, stage, frag_a, frag_b, (step + 1) % STEPS);
        if (step == 0) fetch(p, &a, &b, memory, &s, k + STAGES - 1 < tiles);
        ct_mma_step(&p->loop, sum, frag_a + step * WORDS, frag_b + step * WORDS);
    }
    CT_UNROLL for (int part = 0; part < PARTS; ++part)
    {
        const ct_index x = ct_index2(at.at[0], PARTS * at.at[1] + part);
        if (args->beta != 0)
            ct_copy(&p->c_in, ct_view_tile(&args->c, &p->c_in, x), ct_view_registers(c));
        CT_UNROLL for (int i = 0; i < C_WORDS / PARTS; ++i)
            finish(p, args, d, c, sum + part * C_WORDS / PARTS, i);
        ct_copy(&p->d_out, ct_view_registers(d), ct_view_tile(&args->d, &p->d_out, x));
    }
}

#define GEMM(kernel, atom, type, bits)                                                             \
    CT_KERNEL_RESIDENT(kernel, 128, 2, gemm_args, args)                                            \
    {                                                                                              \
        CT_STATIC(gemm_plan, p, plan_of(atom, type, bits));                                        \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        gemm_tile(&p, &args, memory);                                                              \
    }
GEMM(gemm_half, "SM80_16x8x16_F32F16F16F32_TN", CT_TYPE_HALF, 16)
GEMM(gemm_bfloat16, "SM80_16x8x16_F32BF16BF16F32_TN", CT_TYPE_BFLOAT16, 16)
GEMM(gemm_float, "SM80_16x8x8_F32TF32TF32F32_TN", CT_TYPE_FLOAT, 32)
GEMM(gemm_int8, "SM80_16x8x32_S32S8S8S32_TN", CT_TYPE_RAW, 32)
