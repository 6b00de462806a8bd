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
 * these sums for some of its rows. For few rows COLUMNS is 32: the host exchanges A and B, and with them the modes of C
 * and D, so that 64 rows of B are the instruction's. Memory limits their rate, so that many stages are in flight. */
#include "wgmma_result.h"
#include "wgmma_small.h"

/* Fills the stages in turn for all tiles of this cluster, by one thread of a warpgroup. */
CT_DEVICE_OF(gemm_plan)
void produce(const gemm_plan *p, const gemm_wgmma_args *args, void *memory, ct_pipe pipe,
             gemm_work w, int32_t warp)
{
    const int rank = SHARE_B > 1 ? ct_cluster_rank() : 0,
              every_block = SHARE_B > 1 ? (1 << SHARE_B) - 1 : 0;
    if (COLUMNS > 64) ct_setmaxnreg_dec(40);
    if (warp != 1 || !ct_elect_one()) return;
    for (uint32_t i = blockIdx.x / CLUSTER; i < (uint32_t)args->tiles;) {
        for (int k = w.first; k < w.end; ++k) {
            uint64_t *const full = ct_pipe_fill(&pipe);
            const ct_view a = ct_stage_of(&p->a, memory, pipe.stage);
            const ct_view b = ct_view_inside(&p->load_b, ct_stage_of(&p->b, memory, pipe.stage),
                                             ct_index2(rank, 0));
            const ct_index x = ct_index3(SHARE_B * w.column + rank, k, w.batch);
            ct_copy(CT_OF(p, load_a),
                    ct_view_map(&args->a, &p->load_a, ct_index3(w.row, k, w.batch)),
                    ct_view_arriving(a, full, 0));
            ct_copy(CT_OF(p, load_b), ct_view_map(&args->b, &p->load_b, x),
                    ct_view_arriving(b, full, every_block));
            ct_pipe_next(&pipe);
        }
        i += gridDim.x / CLUSTER;
        w = work_of(args, i);
    }
}

/* Computes the sums of a tile; returns the next work. While instructions execute, it releases stages, stores the
 * last tile of D, and computes the next work. */
CT_DEVICE_OF(gemm_plan)
gemm_work sum_tile(const gemm_plan *p, const gemm_wgmma_args *args, const ct_registers sum,
                   const gemm_held *last, ct_pipe *pipe, ct_gemm_operand a, ct_gemm_operand b,
                   ct_index at, int steps, uint32_t next, uint32_t thread)
{
    const int every = 2 - ROWS / 128; /* with 64 rows the other warpgroup takes every other stage */
    for (int k = 0; k < steps; ++k) {
        ct_pipe_wait(pipe);
        ct_gemm(CT_OF(p, mma), sum, ct_gemm_stage(a, pipe->stage), ct_gemm_stage(b, pipe->stage),
                k > 0);
        CT_IF (ROWS == 128) put_due(p, args, last, thread, k, steps);
        ct_gemm_wait(&p->mma, 1);
        if (k > 0) ct_pipe_release(pipe, every);
        CT_UNROLL for (int i = 0; i < every; ++i) ct_pipe_next(pipe);
    }
    const gemm_work w = work_of(args, next);
    CT_IF (ROWS == 128) fetch_columns(p, args, last->d, at, thread);
    ct_gemm_wait(&p->mma, 0);
    ct_gemm_done(&p->mma, sum);
    if (ROWS == 128 || steps > 0) ct_pipe_release(pipe, every);
    else ct_clear(sum); /* a part of k without steps */
    return w;
}

/* Computes the tiles of this block. */
CT_DEVICE_OF(gemm_plan)
void consume(const gemm_plan *p, const gemm_wgmma_args *args, void *memory, uint64_t *bars,
             ct_pipe pipe, gemm_work w, uint32_t thread)
{
    CT_REGISTERS_OF(float, sum, p, c);
    CT_REGISTERS_OF(half, d, p, c); /* or bfloat16 */
    if (COLUMNS > 64) ct_setmaxnreg_inc(232);
    const int32_t group = ct_warpgroup() - 1;
    const uint32_t step = gridDim.x / CLUSTER;
    const uint32_t in_mma = ROWS == 128 ? thread : ct_warpgroup_thread();
    const ct_gemm_operand a = ct_gemm_a(&p->mma, ct_stage_of(&p->a, memory, 0), in_mma);
    const ct_gemm_operand b = ct_gemm_b(&p->mma, ct_stage_of(&p->b, memory, 0), in_mma);
    gemm_held held = {d, memory, bars + group, group, 0, 0, ct_index3(0, 0, 0)};
    if (ROWS == 64 && group == 1) ct_pipe_next(&pipe);
    for (uint32_t i = blockIdx.x / CLUSTER; i < (uint32_t)args->tiles; i += step) {
        const ct_index at = ct_index3(w.row, w.column * COLUMN_PARTS, w.place);
        const int steps = w.end - w.first, own = ROWS == 128 ? steps : (steps + 1 - group) / 2;
        w = sum_tile(p, args, sum, &held, &pipe, a, b, at, own, i + step, thread);
        held.at = at;
        CT_IF (ROWS == 64) hand_sums(p, memory, group, sum);
        else if (args->splits > 1) put_sums(p, args, at, sum, thread);
        else hold_tile(p, args, &held, sum, thread);
    }
    CT_IF (ROWS == 128) put_rest(p, args, &held, thread);
}

/* No block exits while another one may still release its stages, or read its sums. A block without a cluster need not
 * wait until the resources of a cluster are free. */
#define GEMM_IN_CLUSTERS(name, cluster)                                                            \
    CT_KERNEL_CLUSTER_RESIDENT(name, cluster, GEMM_WGMMA_THREADS, RESIDENT, gemm_wgmma_args, args)
#if defined(__CUDACC__) && GEMM_CLUSTER == 1
#define GEMM_KERNEL(name, cluster)                                                                 \
    CT_KERNEL_RESIDENT(name, GEMM_WGMMA_THREADS, RESIDENT, gemm_wgmma_args, args)
#else
#define GEMM_KERNEL GEMM_IN_CLUSTERS
#endif
#if defined(__CUDACC__)
#define GEMM_FORM_IS(...)
#else
#define GEMM_FORM_IS(...)                                                                          \
    form = (gemm_wgmma_shape) { __VA_ARGS__ }
#endif
#define GEMM_NAMED(name, rows, columns, cluster, type)                                             \
    GEMM_KERNEL(name, cluster)                                                                     \
    {                                                                                              \
        GEMM_FORM_IS(rows, columns, cluster);                                                      \
        CT_STATIC_PLAN(gemm_plan, p, plan_of(type));                                               \
        CT_SHARED_DYNAMIC(unsigned char, memory);                                                  \
        CT_SHARED(uint64_t, bars, GROUPS + 2 * STAGES);                                            \
        const int32_t warp = ct_warp();                                                            \
        const uint32_t thread = threadIdx.x - 128; /* of those that multiply */                    \
        gemm_work w = {0, 0, 0, 0, 0, 0};                                                          \
        if (warp == 0) prepare_bars(bars);                                                         \
        else w = work_of(&args, blockIdx.x / CLUSTER); /* takes as long as the barriers */         \
        if (warp == 2) prefetch_maps(&args);                                                       \
        const ct_pipe pipe = ct_pipe_begin(CT_OF(&p, pipe), bars + GROUPS);                        \
        if (SHARE_B > 1) ct_cluster_sync();                                                        \
        if (warp < 4) produce(&p, &args, memory, pipe, w, warp);                                   \
        else consume(&p, &args, memory, bars, pipe, w, thread);                                    \
        __syncwarp();                                                                              \
        CT_IF (ROWS == 64) add_handed(&p, &args, memory, w, warp, thread);                         \
        __syncwarp();                                                                              \
        if (CLUSTER > 1) ct_cluster_sync();                                                        \
    }
#define GEMM_OF(rows, columns, cluster, type, mma)                                                 \
    GEMM_NAMED(gemm_wgmma_##rows##x##columns##_##cluster##_##type, rows, columns, cluster, mma)
#define GEMM(rows, columns, cluster)                                                               \
    GEMM_OF(rows, columns, cluster, half, CT_MMA_F16)                                              \
    GEMM_OF(rows, columns, cluster, bfloat16, CT_MMA_BF16)                                         \
    GEMM_OF(rows, columns, cluster, e4m3, CT_MMA_E4M3)
#if defined(__CUDACC__)
GEMM(GEMM_ROWS, GEMM_COLUMNS, GEMM_CLUSTER)
#else
GEMM_WGMMA_FORMS(GEMM)
#endif
