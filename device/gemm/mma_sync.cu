/* D = alpha A B + beta C by the matrix instructions of warps: A is (m,k) and B (n,k), contiguous along
 * k; C and D are (m,n). Any extents, leading dimensions and addresses. Halves, bfloat16 and floats (as
 * TF32) are summed as floats; int8 is summed as int32, with integers alpha and beta.
 *
 * A block of four warps computes a tile of (128,128); each warp has (64,64) of it in registers. The
 * block steps along k by 128 bytes. cp.async loads tiles of A and of B into swizzled shared memory, with
 * STAGES - 1 tiles in flight. ldmatrix loads the fragments of each 32 bytes along k, those of the next
 * step while the instructions of this step execute. */
#include <cutlet/algebra/read.h>
#include <cutlet/algebra/tensor_ops.h>
#include <cutlet/copy/shared_space.h>
#include <cutlet/device/mma/gemm.h>
#include <cutlet/device/pipeline/pipeline_cp_async.h>
#include <cutlet/device/tensor/shared.h>

#include "mma_sync.h"
#include "tile_order.h"

enum { STAGES = 3, TILE = 128, PARTS = 4 /* of D, each in registers at once */ };

typedef struct gemm_plan { /* the constants of a kernel */
    int32_t elem, sums,
        type;              /* the element types of A and B, of the sums, of C and D: CT_TYPE_... */
    ct_shared_tensor a, b; /* (m,k,stage), (n,k,stage) */
    ct_gemm_partition mma;
    ct_fragment of_a, of_b, c, part, for_row, for_column; /* the last two: of part */
    ct_partition load, c_in, d_out;
} gemm_plan;
CT_PLAN(gemm_plan);

#include "epilogue.h"

CT_FN gemm_plan plan_of(const char *name, int32_t type)
{
    gemm_plan p = CT_ZERO;
    ct_shared_space space = CT_ZERO;
    const ct_mma_atom atom = ct_make_mma_atom(name);
    const int32_t bits = ct_mma_bits(atom.op.a), line = 1024 / bits;
    const ct_tuple tile = ct_tuple2(TILE, line), part = ct_tuple2(TILE, TILE / PARTS);
    /* warps (2,2); each has two adjacent atoms along n, because ldmatrix loads four matrices */
    const ct_tiler order = ct_tiler2(ct_read("32"), ct_read("(8,2,2):(1,16,8)"));
    const ct_tiled_mma mma = ct_make_tiled_mma(atom, ct_read("(2,2)"), order);
    /* rows of 128 bytes, swizzled: the chunks of 16 bytes of a column are in different banks */
    const ct_tensor bytes = ct_make_swizzled(ct_make_swizzle(3, 4, 3), 0,
                                             ct_layout3(TILE, 128, STAGES, 128, 1, TILE * 128));
    const ct_tensor rows = ct_tensor_recast(bytes, 8, bits);
    const ct_memory registers = ct_in_registers(), memory = ct_in_global(1);
    const ct_copy_atom async = ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, bits);
    const ct_layout values = ct_layout2(1, 128 / bits, 0, 1);
    const ct_tiled_copy by_rows = ct_make_tiled_copy(async, ct_read("(16,8):(8,1)"), values);
    const ct_tiled_copy sums = ct_make_tiled_copy_c(ct_copy_atom_auto(ct_type_bits(type)), mma);
    p.elem = ct_gemm_type(atom.op.a);
    p.sums = ct_gemm_type(atom.op.d);
    p.type = type;
    p.a = ct_shared_next(&space, bits, rows);
    p.b = ct_shared_next(&space, bits, rows);
    p.mma = ct_make_gemm(mma, ct_tuple3(TILE, TILE, line), ct_in_shared(rows), ct_in_shared(rows));
    p.of_a = ct_fragment_a(mma, tile);
    p.of_b = ct_fragment_b(mma, tile);
    p.c = ct_fragment_c(mma, ct_tuple2(TILE, TILE));
    p.part = ct_fragment_part(p.c, part);
    p.for_row = ct_fragment_reduced(p.part, 1);
    p.for_column = ct_fragment_reduced(p.part, 0);
    p.load = ct_make_partition(by_rows, tile, memory, ct_in_shared(rows));
    p.c_in = ct_make_partition(sums, part, memory, registers);
    p.d_out = ct_make_partition(sums, part, registers, memory);
    return p;
}

/* Starts the copies of the tiles of A and B to the next stage; then moves both views along k. */
CT_DEVICE_OF(gemm_plan)
void fetch(const gemm_plan *p, ct_view *a, ct_view *b, void *memory, ct_stages *s, int on)
{
    const int stage = ct_stages_write(s);
    if (on) {
        ct_copy(CT_OF(p, load), *a, ct_stage_of(&p->a, memory, stage));
        ct_copy(CT_OF(p, load), *b, ct_stage_of(&p->b, memory, stage));
        *a = ct_view_next(&p->load, *a, 1, 1);
        *b = ct_view_next(&p->load, *b, 1, 1);
    }
    ct_cp_async_commit();
}

/* sum = activation(scales alpha sum + beta C + bias), of integers or of floats; x: the tile. */
CT_DEVICE_OF(gemm_plan)
void finish(const gemm_plan *p, const gemm_args *args, const ct_registers sum, const ct_registers c,
            ct_index x)
{
    const int is_int = p->sums == CT_TYPE_INT32, reads_c = args->beta != 0;
    const ct_index first = ct_index2(TILE * x.at[0], TILE / PARTS * x.at[1]);
    if (args->own.is_on && !is_int) scale_sums(p, &args->own, sum, first);
    CT_EACH(i, sum)
    {
        if (is_int) {
            const uint32_t own =
                reads_c ? (uint32_t)(int32_t)args->beta * (uint32_t)ct_val_s32(c, i) : 0;
            ct_put_s32(
                sum, i,
                (int32_t)((uint32_t)(int32_t)args->alpha * (uint32_t)ct_val_s32(sum, i) + own));
        } else {
            const float own = reads_c ? args->beta * ct_val(c, i) : 0;
            ct_put(sum, i, args->alpha * ct_val(sum, i) + own);
        }
    }
    if (args->own.is_on) activate_sums(p, &args->own, sum, first, ct_type_bits(p->type) == 16);
}

CT_DEVICE_OF(gemm_plan) void gemm_tile(const gemm_plan *p, const gemm_args *args, void *memory)
{
    const ct_index at = tile_of((uint32_t)ct_tiles_along(&args->a, &p->load, 0),
                                (uint32_t)ct_tiles_along(&args->b, &p->load, 0), blockIdx.x);
    const int tiles = (int)ct_tiles_along(&args->a, &p->load, 1), steps = ct_gemm_steps_of(&p->mma);
    ct_view a = ct_view_tile(&args->a, &p->load, ct_index2(at.at[0], 0));
    ct_view b = ct_view_tile(&args->b, &p->load, ct_index2(at.at[1], 0));
    const ct_gemm_operand in_a = ct_gemm_a(&p->mma, ct_stage_of(&p->a, memory, 0), threadIdx.x);
    const ct_gemm_operand in_b = ct_gemm_b(&p->mma, ct_stage_of(&p->b, memory, 0), threadIdx.x);
    CT_REGISTERS_OF(float, words_a, p, of_a); /* words enough for the types of this kernel */
    CT_REGISTERS_OF(float, words_b, p, of_b);
    CT_REGISTERS_OF(float, words_c, p, c);
    CT_REGISTERS_OF(float, words_own, p, part);
    CT_REGISTERS_OF(float, words_d, p, part);
    const ct_registers frag_a = ct_make_registers(words_a.as, p->elem, words_a.words, threadIdx.x);
    const ct_registers frag_b = ct_make_registers(words_b.as, p->elem, words_b.words, threadIdx.x);
    const ct_registers sum = ct_recast_registers(words_c, p->sums);
    const ct_registers c = ct_make_registers(words_own.as, p->type, words_own.words, threadIdx.x);
    const ct_registers d = ct_make_registers(words_d.as, p->type, words_d.words, threadIdx.x);
    ct_clear(sum);
    ct_stages s = ct_stages_begin(STAGES);
    for (int k = 0; k < STAGES - 1; ++k) fetch(p, &a, &b, memory, &s, k < tiles);
    ct_cp_async_stage_wait(STAGES);
    int stage = ct_stages_read(&s);
    ct_gemm_load(CT_OF(p, mma), frag_a, frag_b, ct_gemm_stage(in_a, stage),
                 ct_gemm_stage(in_b, stage), 0);
    CT_ROLL for (int k = 0; k < tiles; ++k) CT_UNROLL for (int step = 0; step < steps; ++step)
    {
        if (step == steps - 1) { /* the next stage arrives, and all threads have read this one */
            ct_cp_async_stage_wait(STAGES);
            stage = k + 1 < tiles ? ct_stages_read(&s) : stage;
        }
        ct_gemm_load(CT_OF(p, mma), frag_a, frag_b, ct_gemm_stage(in_a, stage),
                     ct_gemm_stage(in_b, stage), (step + 1) % steps);
        if (step == 0) fetch(p, &a, &b, memory, &s, k + STAGES - 1 < tiles);
        ct_gemm_step(CT_OF(p, mma), sum, frag_a, frag_b, step);
    }
    CT_UNROLL for (int part = 0; part < PARTS; ++part)
    {
        const ct_index x = ct_index2(at.at[0], PARTS * at.at[1] + part);
        const ct_registers own = ct_part_of(&p->part, sum, ct_index2(0, part));
        if (args->beta != 0) ct_copy(CT_OF(p, c_in), ct_view_tile(&args->c, &p->c_in, x), c);
        finish(p, args, own, c, x);
        ct_convert_registers(d, own);
        ct_copy(CT_OF(p, d_out), d, ct_view_tile(&args->d, &p->d_out, x));
    }
}

#define GEMM(kernel, atom, type)                                                                   \
    CT_KERNEL_RESIDENT(kernel, 128, 2, gemm_args, args)                                            \
    {                                                                                              \
        CT_STATIC_PLAN(gemm_plan, p, plan_of(atom, type));                                         \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        gemm_tile(&p, &args, memory);                                                              \
    }
GEMM(gemm_half, "SM80_16x8x16_F32F16F16F32_TN", CT_TYPE_HALF)
GEMM(gemm_bfloat16, "SM80_16x8x16_F32BF16BF16F32_TN", CT_TYPE_BFLOAT16)
GEMM(gemm_float, "SM80_16x8x8_F32TF32TF32F32_TN", CT_TYPE_FLOAT)
GEMM(gemm_int8, "SM80_16x8x32_S32S8S8S32_TN", CT_TYPE_INT32)
