/* The best copies on the CPU grid: several forms over extents, leading dimensions and
 * addresses of any kind, against memcpy; and what they cost. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <cutlet/host/grid.h>

#include "kernels/best_copies.h"
#include "grid_report.h"

/* The chosen copy, and other forms that the header allows. */
#define COPIES(B)                                                                                  \
    CT_BEST_COPY_CHOSEN(B)                                                                         \
    B(128, 1, reg) B(64, 2, async) B(64, 2, reg) B(128, 4, async) B(512, 1, async)
COPIES(CT_BEST_COPY_KERNEL)

typedef struct best_row {
    const ct_grid_kernel *kernel;
    int32_t threads, accesses;
} best_row;

static const best_row ROWS[] = {
#define ROW(threads, accesses, how)                                                                \
    {&ct_best_copy_##threads##x##accesses##_##how, threads, accesses},
    COPIES(ROW)};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0], GUARD = 256, POISON = 0xa5 };

static unsigned random_bits(void)
{
    static uint64_t x = 0x9e3779b97f4a7c15u;
    x = x * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(x >> 33);
}

static int random_to(int n) { return (int)(random_bits() % (unsigned)(n + 1)); }

/* Memory of which `bytes` bytes from `skew` past a 256-byte boundary may be touched. */
static unsigned char *make_memory(size_t bytes, int skew, size_t *all)
{
    *all = (bytes + (size_t)skew + 3 * GUARD - 1) / GUARD * GUARD;
    unsigned char *memory = aligned_alloc(GUARD, *all);
    assert_non_null(memory);
    memset(memory, POISON, *all);
    return memory;
}

typedef struct copy_case {
    int64_t inner, outer, src_ld, dst_ld; /* elements; leading dimensions may be negative */
    int elem_bytes, src_skew, dst_skew;
} copy_case;

static int64_t first_row(int64_t ld, int64_t outer) { return ld < 0 ? -ld * (outer - 1) : 0; }

static size_t extent(int64_t ld, const copy_case *c)
{
    return (size_t)(((ld < 0 ? -ld : ld) * (c->outer - 1) + c->inner) * c->elem_bytes);
}

static void check(const best_row *row, copy_case c, int records)
{
    size_t src_all, dst_all, wrong = 0;
    const size_t src_bytes = extent(c.src_ld, &c), dst_bytes = extent(c.dst_ld, &c);
    unsigned char *src = make_memory(src_bytes, c.src_skew, &src_all);
    unsigned char *dst = make_memory(dst_bytes, c.dst_skew, &dst_all), *right = malloc(dst_all);
    assert_non_null(right);
    memcpy(right, dst, dst_all);
    const size_t from = GUARD + (size_t)c.src_skew, to = GUARD + (size_t)c.dst_skew;
    for (size_t i = 0; i < src_bytes; ++i) src[from + i] = (unsigned char)random_bits();
    const int64_t src_first = (int64_t)from + first_row(c.src_ld, c.outer) * c.elem_bytes;
    const int64_t dst_first = (int64_t)to + first_row(c.dst_ld, c.outer) * c.elem_bytes;
    for (int64_t i = 0; i < c.outer; ++i)
        memcpy(right + dst_first + i * c.dst_ld * c.elem_bytes,
               src + src_first + i * c.src_ld * c.elem_bytes, (size_t)(c.inner * c.elem_bytes));
    const ct_best_copy_args args = ct_make_best_copy_args(
        src + src_first, dst + dst_first, c.src_ld, c.dst_ld, c.inner, c.outer, c.elem_bytes);
    const ct_grid_buffer buffers[] = {{"src", src + from, src_bytes, 0, c.src_skew},
                                      {"dst", dst + to, dst_bytes, 1, c.dst_skew}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .no_records = !records};
    const ct_best_copy_grid g = ct_best_copy_grid_of(&args, row->threads, row->accesses);
    const ct_dim3 grid = {g.x, g.y, g.z}, block = {(uint32_t)row->threads, 1, 1};
    ct_grid_report_free(&report);
    const int status = ct_grid_launch(
        row->kernel, grid, block, (size_t)ct_best_copy_shared_bytes(row->threads, row->accesses),
        &args, sizeof args, &options, &report);
    while (wrong < dst_all && dst[wrong] == right[wrong]) ++wrong;
    free(src);
    free(dst);
    free(right);
    if (status || wrong < dst_all)
        fail_msg("%s: %lld x %lld of %d, ld %lld -> %lld, skew %d -> %d: %s, byte %lld",
                 row->kernel->name, (long long)c.inner, (long long)c.outer, c.elem_bytes,
                 (long long)c.src_ld, (long long)c.dst_ld, c.src_skew, c.dst_skew,
                 status ? report.message : "wrong result", (long long)wrong - (long long)to);
}

static void any_extent_and_address(void **state)
{
    (void)state;
    for (int i = 0; i < ROW_COUNT; ++i) {
        const int tile = 16 * ROWS[i].threads * ROWS[i].accesses;
        for (int k = 0; k < 60; ++k) {
            copy_case c = {0};
            c.elem_bytes = 1 << random_to(4);
            c.inner = 1 + random_to(k % 4 == 3 ? 80 : 2 * tile + tile / 4) / c.elem_bytes;
            c.outer = 1 + random_to(4);
            c.src_ld = c.inner + random_to(2) * random_to(9);
            c.dst_ld = c.inner + random_to(2) * random_to(9);
            if (k % 3 == 1) {
                c.src_skew = c.elem_bytes * random_to(7);
                c.dst_skew = c.elem_bytes * random_to(7);
            } else if (k % 3 == 2) {
                c.src_skew = random_to(31);
                c.dst_skew = random_to(31);
            }
            if (k % 10 == 4) c.src_ld = -c.src_ld;
            if (k % 10 == 6) c.dst_ld = -c.dst_ld;
            check(&ROWS[i], c, 0);
        }
    }
}

/* Every short row, at every distance of both addresses from a multiple of 16. */
static void ends_of_rows(void **state)
{
    (void)state;
    for (int64_t inner = 1; inner < 80; inner += 1 + inner / 12) {
        for (int src = 0; src < 16; src += 3) {
            for (int dst = 0; dst < 16; ++dst) {
                const copy_case c = {inner, 1, inner, inner, 1, src, dst};
                check(&ROWS[2], c, 0);
            }
        }
    }
    for (int64_t inner = 1024 - 33; inner < 1024 + 50; ++inner) {
        const copy_case c = {inner, 2, inner + 16 - inner % 16, inner + 16 - inner % 16, 1, 0, 0};
        const copy_case d = {inner, 2, inner, inner + 1, 1, 5, 9};
        check(&ROWS[2], c, 0);
        check(&ROWS[2], d, 0);
    }
}

static void what_they_cost(void **state)
{
    (void)state;
    for (int i = 0; i < ROW_COUNT; ++i) {
        const int tile = 16 * ROWS[i].threads * ROWS[i].accesses;
        const copy_case aligned = {3 * tile / 2, 4, 3 * tile / 2 + 16, 3 * tile / 2, 2, 0, 0};
        const int64_t bytes = aligned.inner * aligned.outer * 2;
        check(&ROWS[i], aligned, 1);
        for (int k = 0; k < report.row_count; ++k) {
            if (report.rows[k].buffer >= 0 && report.rows[k].lanes && report.rows[k].bits != 128)
                fail_msg("%s: %d bits", ROWS[i].kernel->name, report.rows[k].bits);
        }
        if (report.shared.conflicts || 32 * report.global.sectors != 2 * bytes)
            fail_msg("%s: %lld conflicts, %lld sectors", ROWS[i].kernel->name,
                     (long long)report.shared.conflicts, (long long)report.global.sectors);
        const copy_case off = {4 * tile, 1, 4 * tile, 4 * tile, 2, 2, 0}; /* by one half */
        int64_t wide[2] = {0, 0};
        check(&ROWS[i], off, 1);
        for (int k = 0; k < report.row_count; ++k) {
            const ct_grid_row *r = &report.rows[k];
            if (r->buffer >= 0 && r->bits == 128) wide[r->buffer] += 16 * r->lanes;
        }
        if (report.shared.conflicts || wide[0] < 8 * tile - 64 || wide[1] < 8 * tile - 64 ||
            wide[0] > 8 * tile * 17 / 16)
            fail_msg("%s: %lld and %lld of %d bytes", ROWS[i].kernel->name, (long long)wide[0],
                     (long long)wide[1], 8 * tile);
    }
}

static void grids(void **state)
{
    (void)state;
    ct_best_copy_args args = ct_make_best_copy_args(0, 0, 4096, 4096, 4096, 3, 2);
    assert_true(args.src.extent[0] == 3 * 8192 && args.dst.extent[0] == 3 * 8192);
    assert_true(args.src.extent[1] == 1 && args.dst.extent[1] == 1);
    ct_best_copy_grid g = ct_best_copy_grid_of(&args, 128, 1);
    assert_true(g.x == 12 && g.y == 1 && g.z == 1);
    args = ct_make_best_copy_args(0, 0, 4097, 4096, 4096, 1, 2);
    assert_int_equal(ct_best_copy_grid_of(&args, 128, 1).x, 4);
    args = ct_make_best_copy_args(0, 0, 4097, 4097, 4097, 1, 2);
    assert_int_equal(ct_best_copy_grid_of(&args, 128, 1).x, 5);
    args = ct_make_best_copy_args(0, 0, 4096, 4099, 4096, 70000, 2);
    g = ct_best_copy_grid_of(&args, 128, 1);
    assert_true(g.x == 4 && g.y == 35000 && g.z == 2);
    args = ct_make_best_copy_args(0, 0, 8, 8, 8, 0, 2);
    assert_int_equal(ct_best_copy_grid_of(&args, 128, 1).x, 0);
    args = ct_make_best_copy_args(0, 0, 1, 1, (int64_t)1 << 50, 1, 1);
    assert_int_equal(ct_best_copy_grid_of(&args, 128, 1).x, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids),
        cmocka_unit_test(what_they_cost),
        cmocka_unit_test(ends_of_rows),
        cmocka_unit_test(any_extent_and_address),
    };
    return cmocka_run_group_tests_name("best copy", tests, NULL, free_report);
}
