/* D = alpha A B + beta C by the matrix instructions of warpgroups, sm_90a: A is (m,k,batch) and B
 * (n,k,batch), contiguous along k; C and D are (m,n,batch). Extents are any; A, B and their rows are aligned to
 * 16 bytes. A and B are halves, bfloat16 or e4m3; sums are floats; C and D are halves or bfloat16.
 *
 * A block computes tiles of (128,COLUMNS) in turn. The two blocks of a cluster compute adjacent tiles along m and
 * share B: each loads half of it for both. One warpgroup loads steps of 128 bytes along k by TMA into stages of
 * swizzled shared memory. Two warpgroups multiply 64 rows each, with sums in registers. D's elements stay in
 * registers until the next tile's instructions execute; then TMA stores them.
 *
 * For small products ROWS is 64. Then each warpgroup of a cluster sums a part of k of one tile, and each block adds
 * these sums for some of its rows. */
#include <cutlet/device/arch/cluster.h>
#include <cutlet/device/pipeline/pipeline_tma.h>
#include <cutlet/device/arch/warp.h>
#include <cutlet/device/arch/wgmma.h>

#include "wgmma_result.h"
#include "wgmma_small.h"
#include "wgmma_work.h"

enum { ROWS = GEMM_ROWS, COLUMNS = GEMM_COLUMNS, CLUSTER = GEMM_CLUSTER, SUMS = COLUMNS / 2 };
enum {
    B_BLOCKS = ROWS == 128 ? CLUSTER : 1 /* blocks sharing B */,
    A_BYTES = ROWS * 128,
    B_BYTES = COLUMNS * 128
};
enum { STAGES = GEMM_WGMMA_STAGES(ROWS, COLUMNS), HELD = STAGES * (A_BYTES + B_BYTES) };

/* Fills the stages in turn for all tiles of this cluster, by one thread of a warpgroup. */
CT_DEVICE void produce(const gemm_wgmma_args *args, unsigned char *memory, ct_tma_pipe p,
                       gemm_work w, const int type)
{
    CT_STATIC(ct_partition, load_a, by_map(CT_ATOM_TMA_LOAD, ROWS));
    CT_STATIC(ct_partition, load_b, by_map(CT_ATOM_TMA_LOAD, COLUMNS / B_BLOCKS));
    const int tiles = type == CT_MMA_E4M3 ? 2 : 1; /* tiles of 64 elements in a step */
    const int rank = B_BLOCKS > 1 ? ct_cluster_rank() : 0;
    if (COLUMNS > 64) ct_setmaxnreg_dec(40);
    if (ct_uniform(threadIdx.x / 32) != 1 || !ct_elect_one()) return;
    for (uint32_t i = blockIdx.x / CLUSTER; i < (uint32_t)args->tiles;) {
        for (int k = w.first; k < w.end; ++k) {
            unsigned char *const b =
                memory + STAGES * A_BYTES + p.stage * B_BYTES + rank * (B_BYTES / B_BLOCKS);
            uint64_t *const full = ct_tma_pipe_fill(&p, A_BYTES + B_BYTES);
            const ct_view to =
                ct_view_arriving(ct_view_shared(memory + p.stage * A_BYTES), full, 0);
            const ct_index at = ct_index3(w.row, tiles * k, w.batch);
            const ct_index x = ct_index3(B_BLOCKS * w.column + rank, tiles * k, w.batch);
            ct_copy(&load_a, ct_view_map(&args->a, &load_a, at), to);
            ct_copy(&load_b, ct_view_map(&args->b, &load_b, x),
                    ct_view_arriving(ct_view_shared(b), full, B_BLOCKS == 1 ? 0 : 3));
            ct_tma_pipe_next(&p);
        }
        i += gridDim.x / CLUSTER;
        w = work_of(args, i);
    }
}

/* sum = A B for a step of 32 bytes along k, or sum += A B if `more` is not 0. */
CT_DEVICE void multiply(uint32_t *sum, uint64_t a, uint64_t b, int more, const int type)
{
    CT_STATIC(ct_mma_op, half, atom_of(CT_MMA_F16, COLUMNS).op); /* A and B contiguous along k */
    CT_STATIC(ct_mma_op, bfloat16, atom_of(CT_MMA_BF16, COLUMNS).op);
    CT_STATIC(ct_mma_op, e4m3, atom_of(CT_MMA_E4M3, COLUMNS).op);
    if (type == CT_MMA_F16) ct_wgmma(&half, sum, a, b, more);
    else if (type == CT_MMA_BF16) ct_wgmma(&bfloat16, sum, a, b, more);
    else ct_wgmma(&e4m3, sum, a, b, more);
}

/* Releases the previous stage, which the warp has read: one lane arrives for each producer of the cluster. */
CT_DEVICE void release(const ct_tma_pipe *p)
{
    const int lane = threadIdx.x % 32, stage = (p->stage == 0 ? STAGES : p->stage) - 1;
    if (B_BLOCKS > 1 && lane < B_BLOCKS) ct_mbarrier_arrive_remote_relaxed(p->empty + stage, lane);
    if (B_BLOCKS == 1 && lane == 0) ct_mbarrier_arrive(p->empty + stage);
}

/* Computes the sums of a warpgroup; returns its next work. While instructions execute, it releases stages, stores the
 * last tile of D, and computes the next work. */
CT_DEVICE gemm_work sum_tile(const gemm_wgmma_args *args, uint32_t *sum, gemm_held *last,
                             ct_tma_pipe *p, int steps, uint32_t next, uint32_t base,
                             uint32_t group, const int type)
{
    CT_STATIC(ct_mma_atom, atom,
              atom_of(CT_MMA_F16, COLUMNS)); /* e4m3 has the same layout in bytes */
    CT_STATIC(ct_mma_descriptor, in_a, ct_make_mma_descriptor(rows_of(ROWS), CT_MMA_A, atom));
    CT_STATIC(ct_mma_descriptor, in_b, ct_make_mma_descriptor(rows_of(COLUMNS), CT_MMA_B, atom));
    const uint32_t half = ct_eval2(in_a.steps, 0, 2),
                   own_a = ROWS == 64 ? half : ct_eval2(in_a.steps, 1, 0);
    const uint32_t rest = base + STAGES * A_BYTES + (ROWS == 64 ? group * half : 0);
    const uint64_t a = ct_mma_descriptor_step(ct_mma_descriptor_pack(in_a), base + group * own_a);
    const uint64_t b = ct_mma_descriptor_step(ct_mma_descriptor_pack(in_b), rest);
    for (int k = 0; k < steps; ++k) {
        const uint64_t a_k = ct_mma_descriptor_step(a, p->stage * A_BYTES);
        const uint64_t b_k = ct_mma_descriptor_step(b, p->stage * B_BYTES);
        ct_tma_pipe_wait(p);
        ct_wgmma_fence();
        CT_UNROLL for (int i = 0; i < ROWS / 32; ++i)
            multiply(sum, ct_mma_descriptor_step(a_k, ct_eval2(in_a.steps, 0, i)),
                     ct_mma_descriptor_step(b_k, ct_eval2(in_b.steps, 0, i)), k + i, type);
        ct_wgmma_commit();
        CT_UNROLL for (int j = 0; j < COLUMNS / 64; ++j) if (k == (j < steps ? j : steps - 1))
            put_part(args, last, group, j);
        ct_wgmma_wait(1);
        if (k > 0) release(p);
        ct_tma_pipe_next(p);
    }
    const gemm_work w = work_of(args, next);
    ct_wgmma_wait(0);
    ct_wgmma_done(sum, SUMS);
    if (ROWS == 128 || steps > 0) release(p);
    else CT_UNROLL for (int i = 0; i < SUMS; ++i) sum[i] = 0; /* the part of k has no steps */
    return w;
}

/* Computes the tiles of this block. */
CT_DEVICE void consume(const gemm_wgmma_args *args, unsigned char *memory, ct_tma_pipe p,
                       gemm_work w, const int type)
{
    CT_FRAGMENT(uint32_t, sum, SUMS);
    if (COLUMNS > 64) ct_setmaxnreg_inc(232);
    const uint32_t group = ct_uniform(threadIdx.x / 128 - 1);
    CT_FRAGMENT(uint32_t, words, SUMS / 2);
    unsigned char *const parts = memory + HELD + group * (PARTS * PART_BYTES);
    gemm_held held = {words, parts, p.full + 2 * STAGES + group, 0, 0, ct_index3(0, 0, 0)};
    const uint32_t base = ct_uniform(ct_shared_address(memory)), step = gridDim.x / CLUSTER;
    for (uint32_t i = blockIdx.x / CLUSTER; i < (uint32_t)args->tiles; i += step) {
        const ct_index at = ct_index3(2 * w.row + group, w.column * (COLUMNS / 64), w.place);
        w = sum_tile(args, sum, &held, &p, w.end - w.first, i + step, base, group, type);
        held.at = at;
        if (ROWS == 64) hand_sums(memory + HELD, group, sum);
        else if (args->splits > 1) put_sums(args, at, sum);
        else hold_tile(args, &held, group, sum);
    }
    put_rest(args, &held, group);
}

/* No block exits while another one may still release its stages, or read its sums. */
#define GEMM_NAMED(name, mma)                                                                      \
    GEMM_KERNEL(name)                                                                              \
    {                                                                                              \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        CT_SHARED(uint64_t, bars, 2 * STAGES + 2);                                                 \
        const uint32_t warp = ct_uniform(threadIdx.x / 32);                                        \
        gemm_work w = {0, 0, 0, 0, 0, 0};                                                          \
        if (warp == 0) prepare_bars(bars + 2 * STAGES);                                            \
        else w = work_of(&args, blockIdx.x / CLUSTER); /* takes as long as the barriers */         \
        if (warp == 2) prefetch_maps(&args);                                                       \
        const ct_tma_pipe p =                                                                      \
            ct_tma_pipe_begin(bars, STAGES, B_BLOCKS * 8 /* warps that release */);                \
        if (B_BLOCKS > 1) ct_cluster_sync();                                                       \
        if (warp < 4) produce(&args, memory, p, w, mma);                                           \
        else consume(&args, memory, p, w, mma);                                                    \
        __syncwarp();                                                                              \
        if (ROWS == 64) add_handed(&args, memory + HELD, w, warp);                                 \
        if (CLUSTER > 1) ct_cluster_sync();                                                        \
    }
#define GEMM_OF(rows, columns, cluster, type, mma)                                                 \
    GEMM_NAMED(gemm_wgmma_##rows##x##columns##_##cluster##_##type, mma)
#define GEMM(rows, columns, cluster, type, mma) GEMM_OF(rows, columns, cluster, type, mma)
GEMM(GEMM_ROWS, GEMM_COLUMNS, GEMM_CLUSTER, half, CT_MMA_F16)
GEMM(GEMM_ROWS, GEMM_COLUMNS, GEMM_CLUSTER, bfloat16, CT_MMA_BF16)
GEMM(GEMM_ROWS, GEMM_COLUMNS, GEMM_CLUSTER, e4m3, CT_MMA_E4M3)
