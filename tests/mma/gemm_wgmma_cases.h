/**
 * The GEMM by wgmma for whoever runs kernels: every tile, with and without parts of k.
 */
#ifndef TESTS_GEMM_WGMMA_CASES_H
#define TESTS_GEMM_WGMMA_CASES_H

#include "gemm_cases.h"

#include "../../device/gemm/wgmma_host.h"

/* An e4m3 of an integer from -2 to 2, and back. */
static uint32_t write_e4m3(float x)
{
    const float size = x < 0 ? -x : x;
    return (x < 0 ? 0x80u : 0) | (size == 0 ? 0 : size == 1 ? 0x38u : 0x40u);
}
static float read_e4m3(uint32_t bits)
{
    const float size = (bits & 0x7f) == 0 ? 0 : (bits & 0x7f) == 0x38 ? 1 : 2;
    return bits & 0x80 ? -size : size;
}

static const gemm_type wgmma_types[] = {
    {"half", 16, 16, ct_half_of_float, ct_half_of_float, ct_float_of_half, ct_float_of_half, 0, 0},
    {"bfloat16", 16, 16, ct_bfloat16_of_float, ct_bfloat16_of_float, ct_float_of_bfloat16,
     ct_float_of_bfloat16, 0, 0},
    {"e4m3", 8, 16, write_e4m3, ct_bfloat16_of_float, read_e4m3, ct_float_of_bfloat16, 0, 0},
};

static const gemm_case wgmma_cases[] = {
    {256, 256, 64, {0, 0, 0, 0}, {0, 0, 0, 0}, 1, 0, 0, 0},
    {512, 256, 576, {8, 16, 0, 8}, {0, 8, 0, 0}, 1, 2, 0, ALL},
    {1, 1, 1, {7, 7, 0, 0}, {0, 0, 0, 0}, 2, 0, 0, BIAS},
    {129, 257, 33, {0, 0, 0, 0}, {0, 0, 0, 0}, 1, -1, 0, SCALE_COLS | RELU},
    {300, 520, 200, {0, 8, 5, 7}, {8, 0, 3, 5}, 1, 1, 0, SCALE_ROWS | BIAS},
    {700, 1100, 321, {7, 7, 1, 0}, {1, 3, 1, 1}, 3, 0, 0, GELU | BIAS},
    {150, 330, 700, {2, 0, 0, 0}, {0, 0, 0, 0}, 1, 0, 1 | 2, 0},
    {7, 200, 700, {4, 4, 0, 0}, {0, 0, 0, 0}, 1, 0, 0, 0},
    {37, 141, 1660, {0, 0, 3, 5}, {8, 0, 3, 1}, 2, 1, 0, ALL},
};

static gemm_wgmma_wish wish; /* of the case under test */

/* The problem of operands, wherever they lie. */
static gemm_wgmma_problem problem_of(const gemm_type *t, const operand *o, const gemm_case *g,
                                     const uint32_t *own)
{
    const int types_of[] = {CT_ELEM_F16, CT_ELEM_BF16, CT_ELEM_U8};
    gemm_wgmma_problem q;
    memset(&q, 0, sizeof q);
    for (int i = 0; i < 4; ++i) {
        q.at[i] = o[i].first;
        q.layout[i] = ct_make_layout(ct_tuple3(o[i].rows, o[i].columns, 1),
                                     ct_tuple3(o[i].step, o[i].across, 0));
    }
    q.elem = types_of[t - wgmma_types];
    q.is_half = t == wgmma_types;
    q.alpha = g->alpha;
    q.beta = g->beta;
    q.own = epilogue_of(t, g, own);
    return q;
}

/* The kernel of a plan. */
static void wgmma_kernel(char *name, size_t size, const gemm_type *t, const gemm_wgmma_plan *p)
{
    const gemm_wgmma_shape s = gemm_wgmma_shapes[p->shape];
    snprintf(name, size, "gemm_wgmma_%dx%d_%d_%s", (int)s.rows, (int)s.columns, (int)s.cluster,
             t->kernel);
}

/* Of whoever runs kernels: a launch, and a map of a descriptor. */
static void launch(const char *name, const uint32_t *grid, int threads, int shared_bytes,
                   const void *args, size_t bytes);
static void map_of(const ct_tma_desc *d, ct_tma_map *map);

/* Copies operand i, where the plan has it copied. */
static void copy_operand(gemm_wgmma_plan *p, int i, int bits)
{
    const char *const name = p->repack[i] == GEMM_BY_ROWS ? "gemm_repack_rows"
                             : bits == 8                  ? "gemm_repack_8"
                                                          : "gemm_repack_16";
    if (p->repack[i] != GEMM_DIRECT)
        launch(name, p->pack_grid[i], GEMM_REPACK_THREADS, GEMM_REPACK_SHARED_BYTES, &p->pack[i],
               sizeof p->pack[i]);
}

/* What a plan says. */
static void carry_out(const gemm_type *t, gemm_wgmma_plan *p)
{
    const uint32_t grid[3] = {p->blocks, 1, 1};
    ct_tma_map *const maps[4] = {&p->args.a, &p->args.b, &p->args.from, &p->args.to};
    char name[64];
    wgmma_kernel(name, sizeof name, t, p);
    assert_int_equal(p->rule, CT_TMA_OK);
    for (int i = 0; i < 3; ++i) copy_operand(p, i, i < 2 ? t->bits : 16);
    for (int i = 0; i < 4; ++i)
        if (p->side[i].rank > 0) map_of(&p->side[i], maps[i]);
    launch(name, grid, GEMM_WGMMA_THREADS, gemm_wgmma_shared_bytes(gemm_wgmma_shapes[p->shape]),
           &p->args, sizeof p->args);
    if (p->args.splits > 1)
        launch("gemm_sum_splits", p->sum_grid, GEMM_SUM_THREADS, 0, &p->args, sizeof p->args);
    copy_operand(p, 3, 16);
}

/* Every `thin`-th of all, in an order in which neighbours differ in all that there is. Splits that are more
 * than the steps along k are left out. */
static void every_wgmma_gemm(gemm_launch *launch, int thin)
{
    int count = 0;
    for (size_t i = 0; i < sizeof wgmma_cases / sizeof *wgmma_cases; ++i)
        for (int shape = 0; shape <= GEMM_WGMMA_SHAPES; ++shape)
            for (int splits = 1; splits <= 3; splits += 2)
                for (size_t k = 0; k < sizeof wgmma_types / sizeof *wgmma_types; ++k) {
                    const gemm_case *const g = &wgmma_cases[i];
                    wish = (gemm_wgmma_wish){shape, splits};
                    if (splits > 1 && g->k * wgmma_types[k].bits <= 2 * 1024) continue;
                    /* few rows only: otherwise thousands of blocks */
                    if (shape > 0 && g->m > 40 &&
                        gemm_wgmma_exchanges(gemm_wgmma_shapes[shape - 1].columns))
                        continue;
                    if (count++ % thin == 0) one(&wgmma_types[k], g, launch);
                }
}

#endif
