/**
 * Products by wgmma as ct_gemm_plan runs them: every choice of form and parts of k, for every case.
 */
#ifndef TESTS_GEMM_WGMMA_CASES_H
#define TESTS_GEMM_WGMMA_CASES_H

#include "gemm_cases.h"

#include <cutlet/host/gemm.h>

#include "../../device/gemm/wgmma_args.h"

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

/* The product of a case, of operands wherever they lie. */
static ct_gemm_desc desc_of(const gemm_type *t, const operand *o, const gemm_case *g)
{
    static const int32_t types_of[] = {CT_TYPE_HALF, CT_TYPE_BFLOAT16, CT_TYPE_E4M3};
    uintptr_t all = 0;
    ct_layout layout[4];
    for (int i = 0; i < 4; ++i) {
        all |= (uintptr_t)o[i].first;
        layout[i] = ct_layout2(o[i].rows, o[i].columns, o[i].step, o[i].across);
    }
    const ct_gemm_desc d = {.a = layout[A],
                            .b = layout[B],
                            .c = layout[C],
                            .d = layout[D],
                            .type = types_of[t - wgmma_types],
                            .by = CT_GEMM_BY_WGMMA,
                            .alpha = g->alpha,
                            .beta = g->beta,
                            .activation = g->own & GELU   ? CT_ACTIVATION_GELU
                                          : g->own & RELU ? CT_ACTIVATION_RELU
                                                          : CT_ACTIVATION_NONE,
                            .has_bias = g->own & BIAS,
                            .has_scale_rows = g->own & SCALE_ROWS,
                            .has_scale_cols = g->own & SCALE_COLS,
                            .align_bytes = (int32_t)(all & (0 - all) & 31)};
    return d;
}

static int choice; /* of the case under test */

/* The operands of a run, and the vectors at `own`. */
static ct_gemm_operands operands_of(const operand *o, const uint32_t *own, void *workspace)
{
    const ct_gemm_operands on = {o[A].first, o[B].first,   o[C].first,       o[D].first,
                                 own,        own + VECTOR, own + 2 * VECTOR, workspace};
    return on;
}

/* The plan of a choice on a GPU or, of NULL, the grid; NULL where the product has no such choice. */
static ct_gemm_plan *plan_of(const gemm_type *t, const operand *o, const gemm_case *g, ct_cuda *gpu)
{
    char message[CT_MESSAGE_BYTES];
    ct_gemm_plan *plan = NULL;
    ct_gemm_desc d = desc_of(t, o, g);
    d.gpu = gpu;
    d.backend = gpu ? CT_BACKEND_CUDA : CT_BACKEND_GRID;
    d.choice = choice;
    if (ct_gemm_plan_create(&d, &plan, message) && !strstr(message, "this product has"))
        fail_msg("%s", message);
    return plan;
}

/* The bit of a plan's form, which its text names. */
static uint32_t form_of(const ct_gemm_plan *plan)
{
    char text[256], name[32];
    ct_gemm_plan_describe(plan, text, sizeof text);
    for (int i = 0; i < GEMM_WGMMA_SHAPES; ++i) {
        const gemm_wgmma_shape s = gemm_wgmma_shapes[i];
        snprintf(name, sizeof name, "gemm_wgmma_%dx%d_%d_", s.rows, s.columns, s.cluster);
        if (strncmp(text, name, strlen(name)) == 0) return 1u << i;
    }
    fail_msg("%s", text);
    return 0;
}

/* Every `thin`-th of all, and of few rows each form once; returns the bits of the forms that ran. */
static uint32_t every_wgmma_gemm(gemm_launch *launch, ct_cuda *gpu, int thin)
{
    uint32_t forms = 0;
    int count = 0;
    for (size_t i = 0; i < sizeof wgmma_cases / sizeof *wgmma_cases; ++i)
        for (size_t k = 0; k < sizeof wgmma_types / sizeof *wgmma_types; ++k) {
            const gemm_case *const g = &wgmma_cases[i];
            operand o[4];
            for (int j = 0; j < 4; ++j) o[j] = operand_of(&wgmma_types[k], g, j);
            for (choice = 0;; ++choice) {
                ct_gemm_plan *const plan = plan_of(&wgmma_types[k], o, g, gpu);
                const uint32_t form = plan ? form_of(plan) : 0;
                ct_gemm_plan_destroy(plan);
                if (!plan) break;
                if (count++ % thin > 0 && (forms & form || g->k < 600 || g->m > 40)) continue;
                forms |= form;
                one(&wgmma_types[k], g, launch);
            }
            for (int j = 0; j < 4; ++j) free(o[j].memory);
        }
    return forms;
}

#endif
