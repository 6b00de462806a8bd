/* The arguments of the GEMM kernels, made for gemm.py. */
#include <string.h>

#include "../../device/gemm/mma_sync.h"
#include "../../device/gemm/wgmma_host.h"
#include "../attention/encode_map.h"

/* Writes it to `out`, which has room for `room` bytes. Its size; below 0 for a tensor that is refused. */
int gemm_make_args(void *out, int capacity, const void *const at[4], const int64_t extent[3],
                   const int64_t step[4], int bits, int result_bits, float alpha, float beta)
{
    const int64_t m = extent[0], n = extent[1], k = extent[2];
    const gemm_args args = {ct_make_global(at[0], bits, ct_layout2(m, k, step[0], 1)),
                            ct_make_global(at[1], bits, ct_layout2(n, k, step[1], 1)),
                            ct_make_global(at[2], result_bits, ct_layout2(m, n, step[2], 1)),
                            ct_make_global(at[3], result_bits, ct_layout2(m, n, step[3], 1)),
                            alpha,
                            beta};
    const int refused =
        args.a.err.status || args.b.err.status || args.c.err.status || args.d.err.status;
    if (refused || capacity < (int)sizeof args) return -1;
    memcpy(out, &args, sizeof args);
    return (int)sizeof args;
}

/* What gemm.py has to know of a plan: it launches. */
typedef struct gemm_call {
    int64_t workspace_bytes;
    int32_t rows, columns, cluster, splits, shared_bytes, args_bytes, pack_bytes;
    int32_t repack[4], pack_grid[4][3], sum_grid[3], blocks;
} gemm_call;

/* What gemm.py wants multiplied: m, n, k, batch; steps of A, B, C and D in elements, of rows, columns, batch. */
typedef struct gemm_wanted {
    void *at[4], *workspace;
    int64_t extent[4], step[4][3];
    int32_t elem, is_half, processors, shape, splits;
    float alpha, beta;
} gemm_wanted;

static gemm_wgmma_problem problem_of(const gemm_wanted *w)
{
    gemm_wgmma_problem q;
    memset(&q, 0, sizeof q);
    for (int i = 0; i < 4; ++i) {
        const int64_t rows = w->extent[i == 1 ? 1 : 0], columns = w->extent[i < 2 ? 2 : 1];
        q.at[i] = w->at[i];
        q.layout[i] = ct_make_layout(ct_tuple3(rows, columns, w->extent[3]),
                                     ct_tuple3(w->step[i][0], w->step[i][1], w->step[i][2]));
    }
    q.elem = w->elem;
    q.is_half = w->is_half;
    q.alpha = w->alpha;
    q.beta = w->beta;
    return q;
}

/* The call, and what its kernels are told: args, aligned to 64 bytes, and packs[4], of 4096 bytes each. Below 0
 * where a tensor is refused. Without a workspace: how large one it needs. */
int gemm_wgmma_prepare(gemm_call *call, const gemm_wanted *w, void *args, void *packs,
                       encode_tiled *encode)
{
    const gemm_wgmma_problem q = problem_of(w);
    const gemm_wgmma_wish wish = {w->shape, w->splits};
    gemm_wgmma_plan p = gemm_wgmma_make_plan(&q, w->workspace, w->processors, wish);
    const gemm_wgmma_shape s = gemm_wgmma_shapes[p.shape];
    gemm_call c = {p.workspace_bytes, s.rows, s.columns, s.cluster, p.args.splits};
    c.shared_bytes = gemm_wgmma_shared_bytes(s);
    c.args_bytes = sizeof p.args;
    c.pack_bytes = sizeof p.pack[0];
    c.blocks = (int32_t)p.blocks;
    memcpy(c.repack, p.repack, sizeof c.repack);
    memcpy(c.pack_grid, p.pack_grid, sizeof c.pack_grid);
    memcpy(c.sum_grid, p.sum_grid, sizeof c.sum_grid);
    *call = c;
    if (p.rule != CT_TMA_OK || p.args.d.err.status || p.args.c.err.status) return -1;
    if (p.workspace_bytes > 0 && !w->workspace) return 0;
    ct_tma_map *const maps[4] = {&p.args.a, &p.args.b, &p.args.from, &p.args.to};
    for (int i = 0; i < 4; ++i)
        if (p.side[i].rank > 0 && encode_map(maps[i], encode, p.side[i])) return -2;
    memcpy(args, &p.args, sizeof p.args);
    for (int i = 0; i < 4; ++i) memcpy((char *)packs + 4096 * i, &p.pack[i], sizeof p.pack[i]);
    return 0;
}
