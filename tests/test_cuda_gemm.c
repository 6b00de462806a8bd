/* The GEMM examples on a real GPU. Skipped, with the reason, where there is no GPU. */
#include "gemm_cases.h"

#include <stdio.h>

#include <cutlet/host/tma.h>

#include "../examples/gemm/wgmma_args.h"
#include "gpu_memory.h"

extern const ct_cuda_images ct_test_images;

/* The operands in the device's memory. */
static void send(operand *there, const operand *o)
{
    for (int i = 0; i < 4; ++i) {
        there[i] = o[i];
        there[i].memory = device_take((size_t)o[i].bytes);
        there[i].first = there[i].memory + (o[i].first - o[i].memory);
        device_put(there[i].memory, o[i].memory, (size_t)o[i].bytes);
    }
}

/* D comes back. */
static void fetch(operand *there, const operand *o)
{
    device_get(o[D].memory, there[D].memory, (size_t)o[D].bytes);
    for (int i = 0; i < 4; ++i) device_give(there[i].memory);
}

static void on_gpu(const char *name, uint32_t blocks, const operand *o, const gemm_case *g)
{
    operand there[4];
    send(there, o);
    const gemm_args args = {tensor_of(&there[A]), tensor_of(&there[B]), tensor_of(&there[C]),
                            tensor_of(&there[D]), g->alpha, g->beta};
    if (ct_cuda_launch(gpu, name, (ct_dim3){blocks, 1, 1}, (ct_dim3){GEMM_THREADS, 1, 1}, GEMM_SHARED_BYTES,
                       &args, sizeof args) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", name, ct_cuda_error(gpu));
    fetch(there, o);
}

/* ---- by wgmma: rows of A and B begin at multiples of 16 bytes -------------------------------- */

static const gemm_type wgmma_types[] = {
    {"gemm_wgmma_half", 16, 16, ct_half_of_float, ct_half_of_float, ct_float_of_half, ct_float_of_half},
    {"gemm_wgmma_bfloat16", 16, 16, ct_bfloat16_of_float, ct_bfloat16_of_float, ct_float_of_bfloat16,
     ct_float_of_bfloat16},
};

static const gemm_case wgmma_cases[] = {
    {256, 256, 64, {0, 0, 0, 0}, {0, 0, 0, 0}, 1, 0},
    {512, 256, 576, {8, 16, 0, 8}, {0, 8, 0, 0}, 1, 2},
    {1, 1, 1, {7, 7, 0, 0}, {0, 0, 0, 0}, 2, 0},
    {129, 257, 33, {7, 15, 0, 0}, {0, 0, 0, 0}, 1, -1},
    {300, 520, 200, {0, 8, 5, 7}, {8, 0, 3, 5}, 1, 1},
    {700, 1100, 321, {7, 7, 1, 0}, {0, 0, 1, 1}, 3, 0},
};

static void map_of(const char *name, const operand *o, ct_tma_map *map)
{
    const int type = strstr(name, "bfloat16") ? CT_ELEM_BF16 : CT_ELEM_F16;
    const ct_tma_desc d = ct_make_tma_desc(ct_layout2(o->rows, o->columns, o->step, 1), ct_tuple2(128, 64), type,
                                           CT_TMA_SWIZZLE_128B, (uint64_t)(uintptr_t)o->first);
    expect(ct_cuda_tma_map(gpu, &d, map));
}

static void by_wgmma(const char *name, uint32_t blocks, const operand *o, const gemm_case *g)
{
    operand there[4];
    gemm_wgmma_args args;
    (void)blocks; /* as many as make a few clusters take several tiles */
    send(there, o);
    memset(&args, 0, sizeof args);
    map_of(name, &there[A], &args.a);
    map_of(name, &there[B], &args.b);
    args.c = tensor_of(&there[C]);
    args.d = tensor_of(&there[D]);
    args.k = (int32_t)g->k;
    args.alpha = g->alpha;
    args.beta = g->beta;
    if (ct_cuda_launch(gpu, name, (ct_dim3){4, 1, 1}, (ct_dim3){GEMM_WGMMA_THREADS, 1, 1},
                       GEMM_WGMMA_SHARED_BYTES, &args, sizeof args) ||
        ct_cuda_wait(gpu))
        fail_msg("%s: %s", name, ct_cuda_error(gpu));
    fetch(there, o);
}

static void test_wgmma(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wgmma_types / sizeof *wgmma_types; ++k)
        for (size_t i = 0; i < sizeof wgmma_cases / sizeof *wgmma_cases; ++i)
            one(&wgmma_types[k], &wgmma_cases[i], by_wgmma);
}

static void test_every(void **state)
{
    (void)state;
    every_gemm(on_gpu);
}

int main(void)
{
    if (!open_gpu(&ct_test_images, 9)) return 77;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every), cmocka_unit_test(test_wgmma)};
    const int failed = cmocka_run_group_tests_name("GEMM on the GPU", tests, NULL, NULL);
    ct_cuda_close(gpu);
    return failed;
}
