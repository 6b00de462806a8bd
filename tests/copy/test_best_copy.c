/* The best copies on the CPU grid: several forms over extents, leading dimensions and
 * addresses of any kind, against memcpy; and what they cost. */
#include "all_cases.h"
#include "kernel_cases.h"
#include "on_grid.h"

/* The chosen copy, which is libcutlet's, and other forms that the header allows. */
#define OTHERS(B) B(128, 1, reg) B(64, 2, async) B(64, 2, reg) B(128, 4, async) B(512, 1, async)
OTHERS(CT_BEST_COPY_KERNEL)
#define ELSEWHERE(count, each, how)                                                                \
    extern const ct_grid_kernel ct_best_copy_##count##x##each##_##how;
CT_BEST_COPY_CHOSEN(ELSEWHERE)

static const kernel_row ROWS[] = {
#define ROW(count, each, how)                                                                      \
    {.kernel = &ct_best_copy_##count##x##each##_##how,                                             \
     .kind = KERNEL_BEST,                                                                          \
     .threads = count,                                                                             \
     .accesses = each},
    CT_BEST_COPY_CHOSEN(ROW) OTHERS(ROW)};

static void check(const kernel_row *row, kernel_case c, int records)
{
    check_kernel(row, &c, on_grid, records);
}

TEST(any_extent_and_address)
{
    for (int i = 0; i < LENGTH(ROWS); ++i) {
        const int tile = 16 * ROWS[i].threads * ROWS[i].accesses;
        for (int k = 0; k < (all_cases() ? 60 : 30); ++k) {
            kernel_case c = {0};
            c.elem_bytes = 1 << random_to(4);
            c.inner = 1 + random_to(k % 4 == 3 ? 80 : 2 * tile + tile / 4) / c.elem_bytes;
            c.outer = 1 + random_to(4);
            c.src_ld = c.inner + random_to(2) * random_to(9);
            c.dst_ld = c.inner + random_to(2) * random_to(9);
            if (k % 3 == 1) {
                c.src_shift = c.elem_bytes * random_to(7);
                c.dst_shift = c.elem_bytes * random_to(7);
            } else if (k % 3 == 2) {
                c.src_shift = random_to(31);
                c.dst_shift = random_to(31);
            }
            if (k % 10 == 4) c.src_ld = -c.src_ld;
            if (k % 10 == 6) c.dst_ld = -c.dst_ld;
            check(&ROWS[i], c, 0);
        }
    }
}

/* Every short row, at every distance of both addresses from a multiple of 16. */
TEST(ends_of_rows)
{
    for (int64_t inner = 1; inner < 80; inner += 1 + inner / 12) {
        for (int src = 0; src < 16; src += 3) {
            for (int dst = 0; dst < 16; ++dst) {
                const kernel_case c = {inner, 1, inner, inner, src, dst, .elem_bytes = 1};
                check(&ROWS[2], c, 0);
            }
        }
    }
    for (int64_t inner = 1024 - 33; inner < 1024 + 50; ++inner) {
        const kernel_case c = {inner, 2, inner + 16 - inner % 16, inner + 16 - inner % 16,
                               0,     0, .elem_bytes = 1};
        const kernel_case d = {inner, 2, inner, inner + 1, 5, 9, .elem_bytes = 1};
        check(&ROWS[2], c, 0);
        check(&ROWS[2], d, 0);
    }
}

TEST(what_they_cost)
{
    for (int i = 0; i < LENGTH(ROWS); ++i) {
        const int tile = 16 * ROWS[i].threads * ROWS[i].accesses;
        const kernel_case aligned = {3 * tile / 2,   4, 3 * tile / 2 + 16, 3 * tile / 2, 0, 0,
                                     .elem_bytes = 2};
        const int64_t bytes = aligned.inner * aligned.outer * 2;
        check(&ROWS[i], aligned, 1);
        for (int k = 0; k < report.row_count; ++k) {
            if (report.rows[k].buffer >= 0 && report.rows[k].lanes && report.rows[k].bits != 128)
                fail_msg("%s: %d bits", ROWS[i].kernel->name, report.rows[k].bits);
        }
        if (report.shared.conflicts || 32 * report.global.sectors != 2 * bytes)
            fail_msg("%s: %lld conflicts, %lld sectors", ROWS[i].kernel->name,
                     (long long)report.shared.conflicts, (long long)report.global.sectors);
        const kernel_case off = {4 * tile, 1, 4 * tile,       4 * tile,
                                 2,        0, .elem_bytes = 2}; /* by one half */
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

static ct_staged_grid grid_of_lines(ct_staged_args args)
{
    const ct_staged_job job = ct_make_line_job(CT_STAGED_reg, 128, 1);
    return ct_staged_grid_of(job, args.src.extent[0], args.src.extent[1]);
}

TEST(grids)
{
    ct_staged_args args = ct_make_line_args(0, 0, 4096, 4096, 4096, 3, 2);
    assert_true(args.src.extent[0] == 3 * 8192 && args.dst.extent[0] == 3 * 8192);
    assert_true(args.src.extent[1] == 1 && args.dst.extent[1] == 1);
    ct_staged_grid g = grid_of_lines(args);
    assert_true(g.x == 12 && g.y == 1 && g.z == 1);
    assert_int_equal(grid_of_lines(ct_make_line_args(0, 0, 4097, 4096, 4096, 1, 2)).x, 4);
    assert_int_equal(grid_of_lines(ct_make_line_args(0, 0, 4097, 4097, 4097, 1, 2)).x, 5);
    g = grid_of_lines(ct_make_line_args(0, 0, 4096, 4099, 4096, 70000, 2));
    assert_true(g.x == 4 && g.y == 35000 && g.z == 2);
    assert_int_equal(grid_of_lines(ct_make_line_args(0, 0, 8, 8, 8, 0, 2)).x, 0);
    assert_int_equal(grid_of_lines(ct_make_line_args(0, 0, 1, 1, (int64_t)1 << 50, 1, 1)).x, 0);
}

GROUP("best copy", NULL, free_report)
