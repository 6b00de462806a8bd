/* D = alpha A B + beta C by the matrix instructions of warp groups, sm_90a: A is (m,k) and B (n,k),
 * contiguous along k; C and D are (m,n). Any extents; A and B begin at multiples of 16 bytes, as do
 * their rows. Halves or bfloat16, sums of floats.
 *
 * A cluster of two blocks computes tiles of (256,256), one after the other; each block (128,256). One
 * warp group loads: steps of 64 along k come by TMA into four stages of swizzled shared memory, and
 * the half of B that each block loads goes to both. Two warp groups multiply, (64,256) each, and keep
 * the sums in registers: one group of instructions is at work while the next is issued. */
#include <cutlet/device/cluster.h>
#include <cutlet/device/copy.h>
#include <cutlet/device/element.h>
#include <cutlet/device/pipeline_tma.h>
#include <cutlet/device/static.h>
#include <cutlet/device/warp.h>
#include <cutlet/device/wgmma.h>
#include <cutlet/mma_partition.h>

#include "tile_order.h"
#include "wgmma_args.h"

#define HALF "SM90_64x256x16_F32F16F16_SS"
enum { STAGES = 4, RELEASES = 2 * 8 /* warps that multiply */, SUMS = 128, A_BYTES = 128 * 128, B_BYTES = 256 * 128 };

/* So many rows of A or B, of 64 along k. */
CT_FN ct_tensor stage_of(int rows)
{
    return ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ct_layout2(rows, 64, 64, 1));
}

/* The part (64,256) of C or D in a thread's registers. */
CT_FN ct_partition result_of(int is_load)
{
    const ct_tiler tile = ct_tiler_of_shape(ct_tuple2(64, 256));
    const ct_tiled_mma mma = ct_make_tiled_mma(ct_make_mma_atom(HALF), ct_layout1(1, 0), tile);
    const ct_memory global = ct_in_global(1), registers = ct_in_registers();
    return ct_make_partition(ct_make_tiled_copy_c(ct_copy_atom_auto(16), mma), ct_tuple2(64, 256),
                             is_load ? global : registers, is_load ? registers : global);
}

/* The tiles of (256,256) along an axis of D. */
CT_DEVICE uint32_t along(const ct_global *d, int axis) { return (uint32_t)((d->extent[axis] + 255) / 256); }

/* Fills the stages, one after the other, for all tiles of this cluster: one thread of a warp group. */
CT_DEVICE void produce(const gemm_wgmma_args *args, unsigned char *memory, ct_tma_pipe p)
{
    CT_STATIC(ct_partition, load, ct_make_partition(ct_make_tile_copy(ct_copy_atom_tile(CT_ATOM_TMA_LOAD, 16)),
                                                    ct_tuple2(128, 64), ct_in_global(1), ct_in_shared(stage_of(128))));
    ct_setmaxnreg_dec(40);
    if (threadIdx.x != 0) return;
    const uint32_t rank = ct_cluster_rank(), rows = along(&args->d, 0), columns = along(&args->d, 1);
    for (uint32_t i = blockIdx.x / 2; i < rows * columns; i += gridDim.x / 2) {
        const ct_index at = tile_of(rows, columns, i);
        for (int k = 0; k < (args->k + 63) / 64; ++k) {
            unsigned char *const a = memory + p.stage * A_BYTES;
            unsigned char *const b = memory + STAGES * A_BYTES + p.stage * B_BYTES + rank * (B_BYTES / 2);
            uint64_t *const full = ct_tma_pipe_fill(&p, A_BYTES + B_BYTES);
            ct_copy(&load, ct_view_map(&args->a, &load, ct_index2(2 * at.at[0] + rank, k)),
                    ct_view_arriving(ct_view_shared(a), full, 0));
            ct_copy(&load, ct_view_map(&args->b, &load, ct_index2(2 * at.at[1] + rank, k)),
                    ct_view_arriving(ct_view_shared(b), full, 3));
            ct_tma_pipe_next(&p);
        }
    }
}

/* A warp has read a stage: both blocks' producers are told, each by a lane. Nothing was written. */
CT_DEVICE void release(const ct_tma_pipe *p, int stage)
{
    if (threadIdx.x % 32 < 2) ct_mbarrier_arrive_remote_relaxed(p->empty + stage, (int)(threadIdx.x % 32));
}

/* A part's sums. Each stage is given back when the next one's instructions are at work. */
CT_DEVICE void sum_tile(uint32_t *sum, ct_tma_pipe *p, int steps, uint32_t base, uint32_t part, const int is_half)
{
    CT_STATIC(ct_mma_op, half, ct_make_mma_atom(HALF).op); /* A and B contiguous along k */
    CT_STATIC(ct_mma_op, bfloat16, ct_make_mma_atom("SM90_64x256x16_F32BF16BF16_SS").op);
    CT_STATIC(ct_mma_descriptor, in_a, ct_make_mma_descriptor(stage_of(128), CT_MMA_A, ct_make_mma_atom(HALF)));
    CT_STATIC(ct_mma_descriptor, in_b, ct_make_mma_descriptor(stage_of(256), CT_MMA_B, ct_make_mma_atom(HALF)));
    const uint64_t a = ct_mma_descriptor_step(ct_mma_descriptor_pack(in_a), base + part * ct_eval2(in_a.steps, 1, 0));
    const uint64_t b = ct_mma_descriptor_step(ct_mma_descriptor_pack(in_b), base + STAGES * A_BYTES);
    int last = 0;
    CT_UNROLL for (int i = 0; i < SUMS; ++i) sum[i] = 0;
    for (int k = 0; k < steps; ++k) {
        ct_tma_pipe_wait(p);
        ct_wgmma_fence();
        CT_UNROLL for (int i = 0; i < 4; ++i) {
            const uint64_t a_i = ct_mma_descriptor_step(a, p->stage * A_BYTES + ct_eval2(in_a.steps, 0, i));
            const uint64_t b_i = ct_mma_descriptor_step(b, p->stage * B_BYTES + ct_eval2(in_b.steps, 0, i));
            if (is_half) ct_wgmma(&half, sum, a_i, b_i, 1);
            else ct_wgmma(&bfloat16, sum, a_i, b_i, 1);
        }
        ct_wgmma_commit();
        ct_wgmma_wait(1);
        if (k > 0) release(p, last);
        last = p->stage;
        ct_tma_pipe_next(p);
    }
    ct_wgmma_wait(0);
    ct_wgmma_done(sum, SUMS);
    if (steps > 0) release(p, last);
}

/* D of a part (64,256) that begins at x. */
CT_DEVICE void put_result(const gemm_wgmma_args *args, ct_index x, const uint32_t *sum, const int is_half)
{
    CT_STATIC(ct_partition, c_in, result_of(1));
    CT_STATIC(ct_partition, d_out, result_of(0));
    CT_FRAGMENT(uint32_t, c, SUMS / 2);
    CT_FRAGMENT(uint32_t, d, SUMS / 2);
    const uint32_t thread = threadIdx.x % 128;
    if (args->beta != 0)
        ct_copy(&c_in, ct_view_src(&c_in, ct_view_at(&args->c, &c_in, x), thread), ct_view_registers(c));
    CT_UNROLL for (int i = 0; i < SUMS; ++i) {
        float value = args->alpha * ct_get_float(sum, i);
        if (args->beta != 0) value += args->beta * (is_half ? ct_get_half(c, i) : ct_get_bfloat16(c, i));
        ct_put_bits(d, i, is_half ? ct_half_of_float(value) : ct_bfloat16_of_float(value), 2);
    }
    ct_copy(&d_out, ct_view_registers(d), ct_view_dst(&d_out, ct_view_at(&args->d, &d_out, x), thread));
}

/* The tiles of this cluster: by two warp groups, each a part of 64 rows. */
CT_DEVICE void consume(const gemm_wgmma_args *args, const void *memory, ct_tma_pipe p, const int is_half)
{
    CT_FRAGMENT(uint32_t, sum, SUMS);
    ct_setmaxnreg_inc(232);
    const uint32_t part = __shfl_sync(0xffffffff, threadIdx.x / 128 - 1, 0); /* one for the warp */
    const uint32_t rows = along(&args->d, 0), columns = along(&args->d, 1);
    for (uint32_t i = blockIdx.x / 2; i < rows * columns; i += gridDim.x / 2) {
        const ct_index at = tile_of(rows, columns, i);
        sum_tile(sum, &p, (args->k + 63) / 64, ct_shared_address(memory), part, is_half);
        put_result(args, ct_index2(256 * at.at[0] + 128 * ct_cluster_rank() + 64 * part, 256 * at.at[1]), sum, is_half);
    }
}

/* No block ends while the other may still give its stages back. */
#define GEMM(name, is_half)                                               \
    CT_KERNEL_CLUSTER(name, 2, GEMM_WGMMA_THREADS, gemm_wgmma_args, args) \
    {                                                                     \
        CT_SHARED_DYNAMIC(unsigned char, memory);                         \
        CT_SHARED(uint64_t, bars, 2 * STAGES);                            \
        const ct_tma_pipe p = ct_tma_pipe_begin(bars, STAGES, RELEASES);  \
        ct_cluster_sync();                                                \
        if (threadIdx.x < 128) produce(&args, memory, p);                 \
        else consume(&args, memory, p, is_half);                          \
        __syncwarp();                                                     \
        ct_cluster_sync();                                                \
    }
GEMM(gemm_wgmma_half, 1)
GEMM(gemm_wgmma_bfloat16, 0)
