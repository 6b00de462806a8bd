/* Transposes on the CPU grid: every kernel of the list over extents, leading dimensions and
 * addresses of any kind, against the definition; and what they cost where nothing is in the way. */
#include "kernel_cases.h"
#include "kernels/transpose.cu"
#include "tools/bench/kernels/misaligned_transpose.cu"
#include "all_cases.h"
#include "on_grid.h"

/* Other forms that the header allows. */
#define OTHERS(T)                                                                                  \
    T(1, 128, 128, 256, 1, async, 4, swizzled, out, 0)                                             \
    T(1, 256, 256, 512, 1, reg, 8, swizzled, out, 2)                                               \
    T(1, 512, 112, 512, 3, sector, 16, padded, out, 0)                                             \
    T(2, 64, 64, 128, 1, reg, 4, swizzled, in, 3)                                                  \
    T(2, 128, 64, 128, 1, reg, 8, swizzled, out, 0)                                                \
    T(2, 128, 248, 512, 3, sector, 8, padded, out, 0)                                              \
    T(4, 64, 64, 256, 1, async, 1, swizzled, out, 0)                                               \
    T(4, 32, 128, 256, 1, reg, 4, swizzled, out, 0)                                                \
    T(4, 64, 64, 256, 1, reg, 4, swizzled, out, 5)                                                 \
    T(4, 128, 64, 256, 6, sector, 1, padded, out, 0)                                               \
    T(8, 32, 32, 256, 1, async, 2, swizzled, out, 0)                                               \
    T(8, 16, 16, 128, 1, reg, 1, swizzled, out, 0)
OTHERS(CT_TRANSPOSE_KERNEL)

/* The rows of the list: C makes structures by functions at run time only. */
static kernel_row rows_of_list[256];
static int row_count, chosen_count;

static void add_row(const ct_grid_kernel *kernel, ct_staged_job job)
{
    rows_of_list[row_count++] = (kernel_row){.kernel = kernel,
                                             .kind = KERNEL_TRANSPOSE,
                                             .elem_bytes = job.elem_bytes,
                                             .transposed = 1,
                                             .job = job};
}

static int make_rows(void **state)
{
    (void)state;
#define ROW(bytes, rows, cols, threads, blocks, ...)                                               \
    add_row(&CT_TRANSPOSE_NAME(bytes, rows, cols, threads, blocks, __VA_ARGS__),                   \
            CT_TRANSPOSE_JOB(bytes, rows, cols, threads, blocks, __VA_ARGS__));
    CT_TRANSPOSES(ROW)
    CT_TRANSPOSES_MISALIGNED(ROW)
    chosen_count = row_count;
    OTHERS(ROW)
    return 0;
}

typedef struct transpose_case {
    int64_t rows, cols, src_ld, dst_ld;
    int src_skew, dst_skew;
} transpose_case;

/* Runs one kernel on one case and compares every byte of the result and around it. */
static void check(const kernel_row *row, transpose_case c, int records)
{
    const kernel_case k = {
        c.cols, c.rows, c.src_ld, c.dst_ld, c.src_skew, c.dst_skew, .elem_bytes = row->elem_bytes};
    check_kernel(row, &k, on_grid, records);
}

TEST(plans_are_valid)
{
    assert_true(chosen_count == 19 && row_count > chosen_count);
    for (int i = 0; i < row_count; ++i) {
        const ct_staged_copy tiling = ct_make_staged_copy(rows_of_list[i].job);
        if (tiling.err.status)
            fail_msg("%s: %d, %d, %lld %lld", rows_of_list[i].kernel->name, tiling.err.why,
                     tiling.err.mode, (long long)tiling.err.n[0], (long long)tiling.err.n[1]);
    }
}

static int64_t around(int tile) { return 1 + random_to(2 * tile + tile / 2); }

TEST(any_extent_and_address)
{
    for (int i = 0; i < row_count; ++i) {
        const ct_staged_job *job = &rows_of_list[i].job;
        const int size = job->elem_bytes;
        const int runs = i >= chosen_count ? 3 : all_cases() ? 24 : 7;
        for (int k = 0; k < runs; ++k) {
            transpose_case c = {around(job->rows), around(job->cols), 0, 0, 0, 0};
            c.src_ld = c.cols + random_to(20);
            c.dst_ld = c.rows + random_to(20);
            if (k % 3 == 1) { /* off by elements */
                c.src_skew = size * random_to(15);
                c.dst_skew = size * random_to(15);
            } else if (k % 3 == 2) { /* off by bytes */
                c.src_skew = random_to(31);
                c.dst_skew = random_to(31);
            }
            if (k % 8 == 5) c.src_ld = -c.src_ld;
            if (k % 8 == 6) c.dst_ld = -c.dst_ld;
            check(&rows_of_list[i], c, 0);
        }
    }
}

/* Whole tiles at addresses that are off, or rows that are: aligned pointers with odd leading
 * dimensions, one side only, both. */
TEST(whole_tiles_misaligned)
{
    for (int i = 0; i < chosen_count; ++i) {
        const ct_staged_job *job = &rows_of_list[i].job;
        const int size = job->elem_bytes, rows = 2 * job->rows, cols = job->cols;
        const transpose_case cases[] = {
            {rows, cols, cols + 1, rows, 0, 0}, {rows, cols, cols, rows + 1, 0, 0},
            {rows, cols, cols, rows, size, 0},  {rows, cols, cols, rows, 0, size},
            {rows, cols, cols, rows, 1, 0},     {rows, cols, cols, rows, 0, 1},
            {rows, cols, cols, rows, 3, 13},    {rows, cols, cols + 3, rows + 5, size, size},
            {rows, cols, 0, rows, 0, 0},        {1, cols, cols, 1, 0, 0},
            {rows, 1, 1, rows, 0, 0},           {1, 1, 1, 1, 0, size},
        };
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k)
            check(&rows_of_list[i], cases[k], 0);
    }
}

/* More groups than a grid has in y, and a grid of three extents. */
TEST(grids)
{
    const ct_staged_job job =
        ct_make_staged_job(4, 32, 64, 64, CT_STAGED_reg, 4, CT_STAGED_swizzled, CT_STAGED_out, 1);
    ct_staged_grid g = ct_staged_grid_of(job, 33, 129);
    assert_true(g.x == 4 && g.y == 2 && g.z == 1);
    g = ct_staged_grid_of(job, 1, (int64_t)128 * 65535 * 3 - 5);
    assert_true(g.x == 2 && g.y == 65535 && g.z == 3);
    g = ct_staged_grid_of(job, (int64_t)32 << 30, 1);
    assert_int_equal(g.x, 0);
    assert_int_equal(ct_staged_grid_of(job, 0, 5).x, 0);
    assert_int_equal(ct_staged_grid_of(job, 5, 0).x, 0);
}

/* Aligned and whole: 16 bytes an access in global memory, whole sectors, no bank conflict, and each
 * byte once through the banks on either side. */
TEST(what_the_short_way_costs)
{
    for (int i = 0; i < row_count; ++i) {
        const kernel_row *row = &rows_of_list[i];
        const transpose_case c = {
            2 * row->job.rows, 2 * row->job.cols, 2 * row->job.cols, 2 * row->job.rows, 0, 0};
        if (ct_staged_by_sectors(row->job)) continue;
        const int64_t bytes = c.rows * c.cols * row->job.elem_bytes;
        check(row, c, 1);
        for (int k = 0; k < report.row_count; ++k) {
            const ct_grid_row *r = &report.rows[k];
            if (r->buffer >= 0 && r->lanes && r->bits != 128)
                fail_msg("%s: line %d: %d bits", row->kernel->name, r->line, r->bits);
        }
        if (report.shared.conflicts || report.shared.wavefronts != 2 * bytes / 128 ||
            32 * report.global.sectors != 2 * bytes)
            fail_msg("%s: %lld conflicts, %lld wavefronts, %lld sectors", row->kernel->name,
                     (long long)report.shared.conflicts, (long long)report.shared.wavefronts,
                     (long long)report.global.sectors);
    }
}

static int is_async(int kind) { return kind == CT_ACCESS_LDGSTS || kind == CT_ACCESS_LDGSTS_CG; }

/* Sector-aligned, whatever the addresses: nothing is read from shared memory with a bank conflict. What a tile
 * loads is not more than its rows' chunks; neighbouring ones with a gap between them, one for each
 * run of rows, may be written by two passes. */
TEST(what_the_sector_way_costs)
{
    for (int i = 0; i < row_count; ++i) {
        const kernel_row *row = &rows_of_list[i];
        const ct_sector_copy sector = ct_make_staged_copy(row->job).sector;
        const int size = row->job.elem_bytes;
        if (!ct_staged_by_sectors(row->job)) continue;
        for (int k = 0; k < (i < chosen_count && all_cases() ? 12 : 4); ++k) {
            const transpose_case c = {3 * row->job.rows,           3 * row->job.cols,
                                      3 * row->job.cols + (k & 3), 3 * row->job.rows + k % 3,
                                      size * random_to(7),         size * random_to(7)};
            int64_t loaded = 0, gaps = 0;
            check(row, c, 1);
            for (int n = 0; n < report.row_count; ++n) {
                const ct_grid_row *r = &report.rows[n];
                if (r->buffer == 0 && is_async(r->kind)) loaded += sector.chunk * r->lanes;
                if (r->buffer < 0 && r->async) gaps += r->conflicts;
            }
            if (report.shared.conflicts > gaps || gaps > 9 * (sector.rows / sector.run - 1) ||
                loaded > 9 * sector.rows * sector.chunks * sector.chunk ||
                loaded < c.rows * c.cols * size - 16)
                fail_msg("%s, ld %lld -> %lld, skew %d -> %d: %lld conflicts, %lld bytes loaded",
                         row->kernel->name, (long long)c.src_ld, (long long)c.dst_ld, c.src_skew,
                         c.dst_skew, (long long)report.shared.conflicts, (long long)loaded);
        }
    }
}

/* Misaligned: nearly all bytes still move 16 at a time. */
TEST(what_the_careful_way_costs)
{
    for (int i = 0; i < chosen_count; ++i) {
        const kernel_row *row = &rows_of_list[i];
        const int size = row->job.elem_bytes;
        const transpose_case c = {4 * row->job.rows,     4 * row->job.cols, 4 * row->job.cols + 1,
                                  4 * row->job.rows + 1, size % 16,         size % 16};
        const int64_t bytes = c.rows * c.cols * size;
        int64_t wide[2] = {0, 0};
        check(row, c, 1);
        for (int k = 0; k < report.row_count; ++k) {
            const ct_grid_row *r = &report.rows[k];
            if (r->buffer >= 0 && r->bits == 128) wide[r->buffer] += 16 * r->lanes;
        }
        if (wide[0] < bytes * 9 / 10 || wide[1] < bytes * 5 / 6)
            fail_msg("%s: %lld and %lld of %lld bytes", row->kernel->name, (long long)wide[0],
                     (long long)wide[1], (long long)bytes);
    }
}

TEST(plans_that_are_refused)
{
    const ct_staged_job good = rows_of_list[0].job;
    for (int i = 0; i < 7; ++i) {
        ct_staged_job job = good;
        if (i == 0) job.elem_bytes = 32;
        if (i == 1) job.rows = 96;
        if (i == 2) job.block = 2; /* 2 bytes */
        if (i == 3) job.block = 32;
        if (i == 4) job.threads = 2048; /* less than a block each */
        if (i == 5) job.threads = 32;   /* more than 16 vectors each */
        if (i == 6) job.cols = 64;      /* the way across is shorter than 8 runs */
        assert_int_equal(ct_make_staged_copy(job).err.status, CT_E_ARGUMENT);
    }
    assert_int_equal(good.elem_bytes, 1);
    assert_int_equal(ct_make_staged_copy(good).err.status, CT_OK);
}

GROUP("transpose", make_rows, free_report)
