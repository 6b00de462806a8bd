/* mma.sync on the CPU grid: every instruction, and what it refuses. */
#include "all_cases.h"
#include "mma_cases.h"

#include <cutlet/host/grid.h>

#include "mma_kernels.cu"
#include "mma_mistakes.cu"

static int step(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return 17;
#endif
    return all_cases() ? 3 : 7;
}

static const struct {
    const char *name;
    const ct_grid_kernel *kernel;
} instructions[] = {
#define ROW(name) {#name, &mma_##name},
    MMA_NAMES(ROW)};

static int launch(const ct_grid_kernel *kernel, int warps, const mma_args *args,
                  ct_grid_report *report)
{
    const size_t bytes = (size_t)warps * 32 * MMA_WORDS * 4;
    const ct_grid_buffer buffers[] = {{"a", (void *)(uintptr_t)args->a, bytes, 0, 0},
                                      {"b", (void *)(uintptr_t)args->b, bytes, 0, 0},
                                      {"c", (void *)(uintptr_t)args->c, bytes, 0, 0},
                                      {"d", args->d, bytes, 1, 0}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 4, .no_records = 1};
    return ct_grid_launch(kernel, (ct_dim3){(uint32_t)warps, 1, 1}, (ct_dim3){32, 1, 1}, 0, args,
                          sizeof *args, &options, report);
}

static void on_grid(const char *name, int warps, const mma_args *args)
{
    ct_grid_report report;
    size_t i = 0;
    while (strcmp(instructions[i].name, name) != 0) ++i;
    if (launch(instructions[i].kernel, warps, args, &report))
        fail_msg("%s: %s", name, report.message);
    ct_grid_report_free(&report);
}

TEST(test_every)
{
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; ++i)
        mma_check(instructions[i].name, step(), on_grid);
}

/* A kernel that is wrong, and how the message ends. */
static void refused(const ct_grid_kernel *kernel, int status, const char *end)
{
    static uint32_t words[4][32 * MMA_WORDS];
    const mma_args args = {words[0], words[1], words[2], words[3]};
    ct_grid_report report;
    assert_int_equal(launch(kernel, 1, &args, &report), status);
    const size_t n = strlen(report.message), m = strlen(end);
    assert_true(n > m);
    assert_string_equal(report.message + n - m, end);
    ct_grid_report_free(&report);
}

TEST(test_refused)
{
    refused(&mma_of_block, CT_GRID_E_ATOM, "the instruction is not one of a warp");
    refused(&mma_unknown, CT_GRID_E_ATOM, "there is no such instruction: see ct_make_mma_atom");
    refused(&mma_complex, CT_GRID_E_ATOM,
            "the grid has no mma.sync of complex numbers, nor those of sm_120");
    refused(&mma_sparse, CT_GRID_E_ATOM, "a sparse instruction takes metadata, which is not given");
    refused(&mma_two_at_once, CT_GRID_E_DIVERGENCE,
            "lanes 0 and 16 of the warp ask for different instructions");
    refused(&mma_half_warp, CT_GRID_E_DIVERGENCE, "");
}

/* Numbers that are not integers: subnormal, rounded, infinite ones, in the types of D. */
TEST(test_numbers)
{
    const struct {
        const char *name;
        uint32_t a, b, c, d;
    } cases[] = {
        /* halves, the first of a word: 1.5 * 2^-24, which is no half, and its neighbours */
        {"SM80_16x8x16_F16F16F16F16_TN", 0x0001, 0x3e00, 0x0000,
         0x0002}, /* 1.5 units: to the even 2 */
        {"SM80_16x8x16_F16F16F16F16_TN", 0x0001, 0x3800, 0x0000,
         0x0000}, /* half a unit: to the even 0 */
        {"SM80_16x8x16_F16F16F16F16_TN", 0x7bff, 0x4000, 0x0000, 0x7c00}, /* too large: infinity */
        {"SM80_16x8x16_F16F16F16F16_TN", 0xc000, 0x3c00, 0x4000, 0x0000}, /* -2 + 2 */
        {"SM80_16x8x16_F32F16F16F32_TN", 0x7c00, 0x3c00, 0x00000000, 0x7f800000},
        {"SM80_16x8x16_F32F16F16F32_TN", 0x0001, 0x0001, 0x00000000, 0x27800000}, /* 2^-48 */
        {"SM80_16x8x16_F32BF16BF16F32_TN", 0x3f80, 0xbf80, 0x3f800000, 0x00000000},
        /* the 13 lowest bits of an operand of TF32 do not count */
        {"SM80_16x8x8_F32TF32TF32F32_TN", 0x3f801fff, 0x3f800000, 0x00000000, 0x3f800000},
        {"SM89_16x8x32_F32E4M3E4M3F32_TN", 0x7e, 0x38, 0x00000000, 0x43e00000}, /* 448 * 1 */
        {"SM89_16x8x32_F32E5M2E5M2F32_TN", 0x01, 0x3c, 0x00000000, 0x37800000}, /* 2^-16 * 1 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        static uint32_t words[4][32 * MMA_WORDS];
        const mma_args args = {words[0], words[1], words[2], words[3]};
        memset(words, 0, sizeof words);
        words[0][0] = cases[i].a; /* element (0,0) is the first value of thread 0 */
        words[1][0] = cases[i].b;
        words[2][0] = cases[i].c;
        on_grid(cases[i].name, 1, &args);
        if (words[3][0] != cases[i].d)
            fail_msg("case %d: %08x, and should be %08x", (int)i, words[3][0], cases[i].d);
    }
}

GROUP("mma.sync on the CPU grid", NULL, NULL)
