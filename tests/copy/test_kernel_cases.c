/* Every kernel over random matrices, on the CPU grid; test_cuda_random runs the same on a GPU. */
#include "kernel_list.h"
#include "on_grid.h"

enum { SEED = 20261121, MOST = 90 };

/* A byte of the destination that the kernel seems to get wrong. */
static int64_t fault_at;

static int faulty(launch *l, char *what)
{
    const int status = on_grid(l, what);
    ((unsigned char *)l->buffers[1].base)[fault_at] ^= 1;
    return status;
}

static void check(int32_t kind, uint64_t cases, int64_t most)
{
    check_kernels(kind, SEED, cases, most, on_grid);
}

/* clang-format off */
TEST(tiled_copies) { check(KERNEL_TILED, 3, MOST); }
TEST(best_copies) { check(KERNEL_BEST, 12, MOST); }
TEST(transposes) { check(KERNEL_TRANSPOSE, 6, MOST); }
TEST(plain_copies) { check(KERNEL_PLAIN, 20, MOST); }
TEST(pipelines) { check(KERNEL_PIPELINE, 20, 200); }
TEST(views) { check(KERNEL_VIEW, 12, MOST); }
/* clang-format on */

/* The plain copy at every kind of end. */
TEST(ends_of_plain_copies)
{
    static const int64_t sizes[] = {1, 15, 16, 17, 2047, 2048, 2049, 4096 + 127, 8176};
    const kernel_row row = {.kernel = &ct_plain_copy, .kind = KERNEL_PLAIN};
    for (int i = 0; i < LENGTH(sizes); ++i)
        check_kernel(&row, &(kernel_case){sizes[i], 1, sizes[i], sizes[i], .elem_bytes = 1},
                     on_grid, 1);
}

/* Pipelines by cp.async at any size and alignment. */
TEST(sizes_of_pipelines)
{
    static const int64_t sizes[][4] = {/* inner, outer, leading dimension, shift */
                                       {64, 64, 64, 0},    {64, 640, 64, 0},  {128, 576, 160, 32},
                                       {200, 333, 208, 0}, {70, 100, 75, 2},  {1, 1, 1, 6},
                                       {129, 257, 130, 4}, {64, 1, 64, 16},   {3, 700, 8, 0},
                                       {200, 300, 203, 2}, {192, 192, 196, 8}};
    const kernel_row row = {.kernel = &ct_pipeline_cp_async, .kind = KERNEL_PIPELINE};
    for (int i = 0; i < LENGTH(sizes); ++i) {
        const int64_t *const s = sizes[i];
        for (int32_t y = 1; y <= 3; ++y)
            check_kernel(&row, &(kernel_case){s[0], s[1], s[2], s[2], s[3], s[3], 2, .blocks = y},
                         on_grid, 1);
    }
}

/* Pipelines by tile copies, with each swizzle and without. */
TEST(tile_pipelines)
{
    static const int64_t sizes[][4] = {/* inner, outer, leading dimension, shift */
                                       {64, 64, 64, 0},    {64, 640, 64, 0}, {128, 576, 160, 32},
                                       {200, 333, 208, 0}, {1, 1, 8, 16},    {129, 257, 136, 0},
                                       {7, 100, 8, 0},     {63, 65, 64, 0},  {71, 64, 72, 32}};
    static const ct_grid_kernel *const by_swizzle[] = {&ct_pipeline_tma_plain, &ct_pipeline_tma_32b,
                                                       &ct_pipeline_tma_64b, &ct_pipeline_tma};
    for (int i = 0; i < LENGTH(sizes); ++i)
        for (int swizzle = 0; swizzle <= CT_TMA_SWIZZLE_128B; ++swizzle) {
            const int64_t *const s = sizes[i], whole = ct_pipeline_whole((int32_t)s[0]);
            const ct_layout L = ct_layout2(s[1], s[0], s[2], 1),
                            M = ct_layout2(s[1], whole ? whole : s[0], s[2], 1);
            const tensor src = random_tensor(L, 16, s[3]), dst = make_tensor(L, 16, s[3]);
            const ct_tuple box = ct_pipeline_box(swizzle);
            ct_pipeline_tma_args args = {.out = global_of(&dst)};
            ct_global unused;
            launch l = make_launch(by_swizzle[swizzle],
                                   grid_of(ct_ceil_div_int(s[0], box.value[1]), 1 + i % 3, 1), 64,
                                   0, &args);
            add_sides(&l, &src, &unused, &dst, &args.out);
            l.desc[0] = ct_make_tma_desc(L, box, CT_ELEM_U16, swizzle, (uintptr_t)at_zero(&src));
            l.desc[1] = ct_make_tma_desc(M, box, CT_ELEM_U16, swizzle, (uintptr_t)at_zero(&dst));
            l.maps[0] = &args.src;
            l.maps[1] = &args.dst;
            l.shared_bytes = (size_t)ct_tma_bytes(&l.desc[0]) * CT_PIPELINE_STAGES;
            check_copy(&l, on_grid, src, dst);
        }
}

/* The reference against itself by hand: two runs of three elements, one going down, transposed. */
TEST(reference)
{
    kernel_row rows[KERNEL_ROWS_MOST];
    const int count = kernel_rows(rows);
    assert_int_equal(count, 11 * 2 * 5 + 1 + 19 + 18 + 2);
    int r = 0;
    while (rows[r].kind != KERNEL_TRANSPOSE || rows[r].elem_bytes != 1) ++r;
    const kernel_case c = {.inner = 3, .outer = 2, .src_ld = -4, .dst_ld = 3, .elem_bytes = 1};
    const tensor src = make_tensor(kernel_layout(&rows[r], &c, 0), 8, 0),
                 dst = make_tensor(kernel_layout(&rows[r], &c, 1), 8, 5);
    assert_int_equal(src.bytes, 7);
    assert_int_equal(dst.bytes, 8);
    memcpy(begin(&src), "def.abc", 7);
    memset(dst.memory, '_', dst.all);
    unsigned char *const right = copied(&dst, &src);
    assert_memory_equal(right + GUARD + 5 - 2, "__ad_be_cf__", 12);
    drop(&src);
    drop(&dst);
    free(right);
}

/* A byte before, at either end, in a gap, after. */
TEST(faults_are_found)
{
    kernel_row rows[KERNEL_ROWS_MOST];
    kernel_rows(rows);
    const kernel_case c = {.inner = 5, .outer = 3, .src_ld = 7, .dst_ld = 8, .elem_bytes = 1};
    static const int64_t places[] = {-GUARD, -1, 0, 4, 6, 20, 21, 20 + GUARD};
    assert_null(kernel_failure(&rows[0], &c, on_grid, 0));
    for (int i = 0; i < LENGTH(places); ++i) {
        char byte[64];
        fault_at = places[i];
        const char *const failure = kernel_failure(&rows[0], &c, faulty, 0);
        snprintf(byte, sizeof byte, "wrong result, byte %lld of 21", (long long)places[i]);
        assert_non_null(failure);
        assert_non_null(strstr(failure, byte));
    }
}

GROUP("kernels, random matrices", NULL, free_report)
