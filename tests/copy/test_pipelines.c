/* The pipelined copies of a matrix on the CPU grid: any size, by cp.async at any alignment, by tile
 * copies with and without a swizzle. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <cutlet/cutlet.h>
#include <cutlet/host/grid.h>
#include <cutlet/host/tma.h>

#include "tools/bench/kernels/pipelines.cu"

enum { MATRIX_BYTES = 1 << 18, FILL = 0xee };

static _Alignas(256) unsigned char src[MATRIX_BYTES], dst[MATRIX_BYTES], right[MATRIX_BYTES];
static ct_grid_report report;

/* A matrix of inner x outer elements of 2 bytes, rows ld apart, that begins so many bytes in. */
typedef struct matrix {
    int64_t inner, outer, ld;
    int begin;
} matrix;

static void begin(const matrix *m)
{
    for (int i = 0; i < MATRIX_BYTES; ++i)
        src[i] = (unsigned char)((uint32_t)i * 2654435761u >> 13);
    memset(dst, FILL, sizeof dst);
    memset(right, FILL, sizeof right);
    for (int64_t i = 0; i < m->outer; ++i)
        memcpy(right + m->begin + 2 * i * m->ld, src + m->begin + 2 * i * m->ld,
               (size_t)(2 * m->inner));
}

static void run(const ct_grid_kernel *kernel, ct_dim3 grid, uint32_t threads, size_t shared_bytes,
                const void *args, size_t args_bytes, const matrix *m)
{
    const ct_grid_buffer buffers[] = {{"src", src, MATRIX_BYTES, 0, 0},
                                      {"dst", dst, MATRIX_BYTES, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
    const ct_dim3 block = {threads, 1, 1};
    begin(m);
    if (ct_grid_launch(kernel, grid, block, shared_bytes, args, args_bytes, &options, &report))
        fail_msg("%lld x %lld: %s", (long long)m->inner, (long long)m->outer, report.message);
    ct_grid_report_free(&report);
    assert_memory_equal(dst, right, sizeof dst);
}

static void test_cp_async(void **state)
{
    const matrix sizes[] = {{64, 64, 64, 0},    {64, 640, 64, 0},  {128, 576, 160, 32},
                            {200, 333, 208, 0}, {70, 100, 75, 2},  {1, 1, 1, 6},
                            {129, 257, 130, 4}, {64, 1, 64, 16},   {3, 700, 8, 0},
                            {200, 300, 203, 2}, {192, 192, 196, 8}};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        const matrix *m = &sizes[k];
        for (uint32_t y = 1; y <= 3; ++y) {
            const ct_layout L = ct_layout2(m->outer, m->inner, m->ld, 1);
            const ct_pipeline_args args = {ct_make_global(src + m->begin, 16, L),
                                           ct_make_global(dst + m->begin, 16, L)};
            const ct_dim3 grid = {(uint32_t)ct_ceil_div_int(m->inner, 64), y, 1};
            run(&ct_pipeline_cp_async, grid, 128, 8192 * CT_PIPELINE_STAGES, &args, sizeof args, m);
        }
    }
}

static void test_tma(void **state)
{
    const matrix sizes[] = {{64, 64, 64, 0},    {64, 640, 64, 0}, {128, 576, 160, 32},
                            {200, 333, 208, 0}, {1, 1, 8, 16},    {129, 257, 136, 0},
                            {7, 100, 8, 0},     {63, 65, 64, 0},  {71, 64, 72, 32}};
    static const ct_grid_kernel *const by_swizzle[] = {&ct_pipeline_tma_plain, &ct_pipeline_tma_32b,
                                                       &ct_pipeline_tma_64b, &ct_pipeline_tma};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        for (int swizzle = 0; swizzle <= CT_TMA_SWIZZLE_128B; ++swizzle) {
            const matrix *m = &sizes[k];
            const ct_layout L = ct_layout2(m->outer, m->inner, m->ld, 1);
            const ct_tuple box = ct_pipeline_box(swizzle);
            const ct_tma_desc from =
                ct_make_tma_desc(L, box, CT_ELEM_U16, swizzle, (uintptr_t)(src + m->begin));
            const int32_t whole = ct_pipeline_whole((int32_t)m->inner);
            const ct_layout M = ct_layout2(m->outer, whole ? whole : m->inner, m->ld, 1);
            const ct_tma_desc to =
                ct_make_tma_desc(M, box, CT_ELEM_U16, swizzle, (uintptr_t)(dst + m->begin));
            const ct_dim3 grid = {(uint32_t)ct_ceil_div_int(m->inner, box.value[1]),
                                  1 + (uint32_t)k % 3, 1};
            char text[CT_MESSAGE_BYTES];
            ct_pipeline_tma_args args = {.out = ct_make_global(dst + m->begin, 16, L)};
            assert_int_equal(ct_grid_tma_map(&from, &args.src, text), 0);
            assert_int_equal(ct_grid_tma_map(&to, &args.dst, text), 0);
            run(by_swizzle[swizzle], grid, 64, (size_t)ct_tma_bytes(&from) * CT_PIPELINE_STAGES,
                &args, sizeof args, m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cp_async), cmocka_unit_test(test_tma)};
    return cmocka_run_group_tests_name("pipelines", tests, NULL, NULL);
}
