/* The CPU grid: every atom moves what it should, and the records count what it costs. */
#include "test.h"

#include "grid_launch.h"

#include "grid_kernels.cu"

static uint32_t word(const unsigned char *p, int i)
{
    uint32_t x;
    memcpy(&x, p + 4 * i, 4);
    return x;
}

/* ---- what the atoms do ----------------------------------------------------------------------- */

TEST(test_indices)
{
    const ct_dim3 grid = {2, 3, 2}, block = {4, 3, 2};
    pass(launch(&gk_indices, grid, block, 0, 0, 16 * 12 * 24, 0, 0));
    for (int b = 0; b < 12; ++b) {
        for (int t = 0; t < 24; ++t) {
            uint16_t x[8];
            const uint16_t right[8] = {
                (uint16_t)(b % 2), (uint16_t)(b / 2 % 3), (uint16_t)(b / 6),  2,
                (uint16_t)(t % 4), (uint16_t)(t / 4 % 3), (uint16_t)(t / 12), 2};
            memcpy(x, dst + 16 * (b * 24 + t), 16);
            assert_memory_equal(x, right, 16);
        }
    }
    assert_int_equal(dst[16 * 12 * 24], 0xee);
}

TEST(test_widths)
{
    pass(launch_block(&gk_widths, 64, 0, 0));
    assert_memory_equal(dst, src, 31 * 64);
    assert_int_equal(dst[31 * 64], 0xee);
    assert_int_equal(report.row_count, 20);
    assert_int_equal(report.global.instructions, 20);
    assert_int_equal(report.global.bytes_used, 2 * 31 * 64);
    assert_int_equal(report.global.sectors, 2 * 31 * 2);
    assert_int_equal(report.shared.conflicts, 0);
}

TEST(test_predicated)
{
    pass(launch_block(&gk_predicated, 64, 20, 0));
    for (int t = 0; t < 64; ++t) {
        if (t < 20) assert_int_equal(word(dst, t), 2 * word(src, t));
        else assert_int_equal(word(dst, t), t < 40 ? 7 + 9 : 0xeeeeeeee);
    }
    /* both warps issue all four instructions, the second warp's lanes are off in three of them */
    assert_int_equal(report.row_count, 4);
    assert_int_equal(report.rows[0].instructions, 2);
    assert_int_equal(report.rows[0].lanes, 20);
    assert_int_equal(report.rows[0].requests, 1);
    assert_int_equal(report.rows[3].lanes, 40);
    assert_int_equal(report.rows[3].requests, 2);
}

TEST(test_async)
{
    pass(launch_block(&gk_async, 64, 0, 0));
    for (int t = 0; t < 64; ++t) {
        unsigned char right[64];
        memcpy(right, src + 64 * t, 64);
        memset(right + 16 + t % 9, 0, (size_t)(8 - t % 9));
        if (t % 2 == 0) memset(right + 28, 0, 4);
        memset(right + 48 + t % 17, 0, (size_t)(16 - t % 17));
        assert_memory_equal(dst + 64 * t, right, 64);
    }
}

TEST(test_async_arrives_at_its_wait)
{
    pass(launch_block(&gk_peek, 32, 0, 0));
    for (int t = 0; t < 32; ++t) {
        assert_int_equal(word(dst, 2 * t), 0x11111111);
        assert_int_equal(word(dst, 2 * t + 1), word(src, t));
    }
}

TEST(test_pipeline)
{
    const ct_dim3 grid = {1, 1, 1}, block = {96, 1, 1};
    pass(launch(&gk_pipeline, grid, block, 2 * 16 * 96, BUFFER_BYTES, BUFFER_BYTES, 10, 0));
    assert_memory_equal(dst, src, 10 * 16 * 96);
    expect(launch(&gk_pipeline, grid, block, 2 * 16 * 96, BUFFER_BYTES, BUFFER_BYTES, 10, 1),
           CT_GRID_E_IN_FLIGHT,
           "kernel gk_pipeline, block (0,0,0), thread (48,0,0): 128-bit load from shared memory at "
           "grid_kernels.cu:N: byte 752 of stage: the cp.async of thread (47,0,0) at "
           "grid_kernels.cu:N was not waited for");
}

TEST(test_warp)
{
    pass(launch_block(&gk_warp, 64, 0, 0));
    for (int t = 0; t < 64; ++t) {
        const int lane = t % 32, first = t - lane;
        const uint32_t right[12] = {
            (uint32_t)(first + 5) * 3,
            (uint32_t)(first + lane / 8 * 8 + (lane + 1) % 8),
            (uint32_t)(lane < 3 ? t : t - 3),
            (uint32_t)(lane % 4 < 2 ? t : t - 2),
            (uint32_t)(lane > 26 ? t : t + 5),
            (uint32_t)(lane % 16 == 15 ? t : t + 1),
            (uint32_t)(first + (lane ^ 12)),
            (uint32_t)(lane & 8 ? t - 8 : t), /* xor reaches an earlier segment, not a later one */
            0x49249249u,
            t >= 32,
            t < 32,
            (uint32_t)(2 * (lane < 16 ? t ^ 1 : t))};
        for (int i = 0; i < 12; ++i) {
            if (word(dst, 12 * t + i) != right[i])
                fail_msg("thread %d result %d: %u, not %u", t, i, (unsigned)word(dst, 12 * t + i),
                         (unsigned)right[i]);
        }
    }
}

TEST(test_syncwarp)
{
    pass(launch_block(&gk_syncwarp, 64, 0, 0));
    for (int t = 0; t < 64; ++t) assert_int_equal(word(dst, t), t < 32 ? 496 : 1520);
    expect(launch_block(&gk_syncwarp, 64, 0, 1), CT_GRID_E_RACE,
           "kernel gk_syncwarp, block (0,0,0), thread (1,0,0): 32-bit load from shared memory at "
           "grid_kernels.cu:N: race: byte 0 of tile was written by thread (0,0,0) with no barrier "
           "since");
}

/* The fragment of an 8 x 8 matrix, by its definition. */
static uint32_t fragment(const unsigned char *rows, int lane, int trans)
{
    uint16_t half[2];
    for (int i = 0; i < 2; ++i) {
        const int row = lane / 4, column = lane % 4 * 2 + i;
        memcpy(&half[i], rows + (trans ? 16 * column + 2 * row : 16 * row + 2 * column), 2);
    }
    return half[0] | (uint32_t)half[1] << 16;
}

TEST(test_ldmatrix)
{
    static const int counts[6] = {1, 2, 4, 1, 2, 4};
    pass(launch_block(&gk_ldmatrix, 32, 0, 0));
    for (int t = 0; t < 32; ++t) {
        for (int form = 0, out = 0; form < 6; ++form) {
            for (int m = 0; m < counts[form]; ++m, ++out)
                assert_int_equal(word(dst, 14 * t + out), fragment(src + 128 * m, t, form >= 3));
        }
    }
    const ct_grid_row *x4 = &report.rows[4];
    assert_int_equal(x4->kind, CT_ACCESS_LDSM);
    assert_int_equal(x4->lanes, 32);
    assert_int_equal(x4->wavefronts, 4);
    assert_int_equal(x4->conflicts, 0);
}

TEST(test_stmatrix)
{
    static const int counts[6] = {1, 2, 4, 1, 2, 4};
    static const unsigned char zero[128];
    pass(launch_block(&gk_stmatrix, 32, 0, 0));
    for (int form = 0; form < 6; ++form) {
        for (int m = 0; m < 4; ++m) {
            const unsigned char *matrix = dst + 512 * form + 128 * m;
            if (m >= counts[form]) {
                assert_memory_equal(matrix, zero, 128);
                continue;
            }
            for (int t = 0; t < 32; ++t) {
                uint32_t own;
                memcpy(&own, src + 16 * t + 4 * m, 4);
                assert_int_equal(fragment(matrix, t, form >= 3), own);
            }
        }
    }
}

/* ---- records --------------------------------------------------------------------------------- */

typedef struct seen {
    int count, kinds;
    int64_t offsets;
} seen;

static void see(void *user, const ct_grid_request *request)
{
    seen *s = user;
    ++s->count;
    s->kinds |= 1 << request->kind;
    assert_int_equal(request->warp, 0);
    assert_string_equal(request->file, "grid_kernels.cu");
    assert_string_equal(request->name, request->buffer == 0   ? "src"
                                       : request->buffer == 1 ? "dst"
                                                              : "tile");
    for (int t = 0; t < 32; ++t) {
        if (request->kind == CT_ACCESS_LDG)
            assert_int_equal(request->offset[t], t / 4 * 512 + t % 4 * 16);
        if (request->kind == CT_ACCESS_STG)
            assert_true(request->offset[t] == (t % 2 ? 2 * t : CT_LANE_OFF));
        if (request->offset[t] != CT_LANE_OFF) s->offsets += request->offset[t];
    }
    assert_int_equal(request->count.requests, request->buffer >= 0);
}

static void check_row(const ct_grid_row *row, int kind, int bits, int lanes, int requests,
                      int sectors, int bytes_used, int wavefronts, int conflicts)
{
    assert_int_equal(row->kind, kind);
    assert_int_equal(row->bits, bits);
    assert_int_equal(row->instructions, 1);
    assert_int_equal(row->lanes, lanes);
    assert_int_equal(row->requests, requests);
    assert_int_equal(row->sectors, sectors);
    assert_int_equal(row->bytes_used, bytes_used);
    assert_int_equal(row->wavefronts, wavefronts);
    assert_int_equal(row->conflicts, conflicts);
    assert_true(row->line > 0);
}

TEST(test_traffic)
{
    pass(launch_block(&gk_traffic, 32, 0, 0));
    assert_int_equal(report.row_count, 4);
    check_row(&report.rows[0], CT_ACCESS_LDG, 128, 32, 1, 16, 512, 0, 0);
    check_row(&report.rows[1], CT_ACCESS_STS, 128, 32, 0, 0, 512, 4, 0);
    check_row(&report.rows[2], CT_ACCESS_LDS, 32, 32, 0, 0, 128, 4, 3);
    check_row(&report.rows[3], CT_ACCESS_STG, 16, 16, 1, 2, 32, 0, 0);
    assert_string_equal(report.rows[1].name, "tile");
    assert_int_equal(report.rows[1].buffer, -1);
    assert_string_equal(report.rows[3].name, "dst");
    assert_int_equal(report.rows[3].buffer, 1);
    assert_int_equal(report.global.sectors, 18);
    assert_int_equal(report.global.requests, 2);
    assert_int_equal(report.shared.wavefronts, 8);
    assert_int_equal(report.shared.conflicts, 3);
}

TEST(test_async_rows)
{
    pass(launch_block(&gk_async_row, 32, 0, 0));
    assert_int_equal(report.row_count, 4);
    check_row(&report.rows[0], CT_ACCESS_LDGSTS, 32, 32, 1, 4, 128, 0, 0);
    check_row(&report.rows[1], CT_ACCESS_STS, 32, 32, 0, 0, 128, 1, 0);
    assert_int_equal(report.rows[0].async, 0);
    assert_int_equal(report.rows[1].async, 1);
    assert_string_equal(report.rows[1].name, "tile");
}

/* What Nsight Compute counted for these very kernels, compiled by nvcc 13.0, on an NVIDIA H200. */
typedef struct measured {
    const ct_grid_kernel *kernel;
    ct_dim3 grid, block;
    int shared_bytes, n;
    int requests_ld, requests_st, sectors_ld, sectors_st, wavefronts_ld, wavefronts_st;
    int conflicts_ld, conflicts_st;
} measured;

TEST(test_hardware_totals)
{
    static const measured table[] = {
        {&gk_indices, {2, 3, 2}, {4, 3, 2}, 0, 0, 0, 12, 0, 144, 0, 0, 0, 0},
        {&gk_widths, {1, 1, 1}, {64, 1, 1}, 0, 0, 10, 10, 62, 62, 18, 18, 0, 0},
        {&gk_predicated, {1, 1, 1}, {64, 1, 1}, 0, 20, 1, 2, 3, 5, 1, 1, 0, 0},
        {&gk_async, {1, 1, 1}, {64, 1, 1}, 0, 0, 12, 8, 340, 256, 128, 128, 96, 96},
        {&gk_pipeline, {1, 1, 1}, {96, 1, 1}, 3072, 10, 30, 30, 480, 480, 120, 0, 0, 0},
        {&gk_warp, {1, 1, 1}, {64, 1, 1}, 0, 0, 0, 24, 0, 768, 0, 0, 0, 0},
        {&gk_syncwarp, {1, 1, 1}, {64, 1, 1}, 0, 0, 0, 2, 0, 8, 10, 10, 0, 0},
        {&gk_ldmatrix, {1, 1, 1}, {32, 1, 1}, 0, 0, 1, 14, 16, 448, 14, 4, 0, 0},
        {&gk_stmatrix, {1, 1, 1}, {32, 1, 1}, 0, 0, 1, 6, 16, 96, 24, 38, 0, 0},
        {&gk_traffic, {1, 1, 1}, {32, 1, 1}, 0, 0, 1, 1, 16, 2, 4, 4, 3, 0},
        {&gk_async_row, {1, 1, 1}, {32, 1, 1}, 0, 0, 1, 1, 4, 4, 1, 0, 0, 0},
        {&gk_realigned, {1, 1, 1}, {32, 1, 1}, 0, 0, 2, 1, 6, 4, 0, 0, 0, 0},
        {&gk_long, {1, 1, 1}, {64, 1, 1}, 0, 10000, 20000, 2, 80000, 8, 0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        const measured *m = &table[i];
        pass(launch(m->kernel, m->grid, m->block, (size_t)m->shared_bytes, BUFFER_BYTES,
                    BUFFER_BYTES, m->n, 0));
        ct_grid_row ld = {0}, st = {0};
        for (int k = 0; k < report.row_count; ++k) {
            const ct_grid_row *row = &report.rows[k];
            if (row->async) continue; /* the counters of shared stores leave cp.async out */
            ct_grid_row *sum = row->kind == CT_ACCESS_STG || row->kind == CT_ACCESS_STS ||
                                       row->kind == CT_ACCESS_STSM
                                   ? &st
                                   : &ld;
            sum->requests += row->requests;
            sum->sectors += row->sectors;
            sum->wavefronts += row->wavefronts;
            sum->conflicts += row->conflicts;
        }
        if (ld.requests != m->requests_ld || st.requests != m->requests_st ||
            ld.sectors != m->sectors_ld || st.sectors != m->sectors_st ||
            ld.wavefronts != m->wavefronts_ld || st.wavefronts != m->wavefronts_st ||
            ld.conflicts != m->conflicts_ld || st.conflicts != m->conflicts_st)
            fail_msg("%s differs from the hardware", m->kernel->name);
    }
}

/* Both sides of a cp.async are counted together, however many there are between two barriers. */
TEST(test_long_async)
{
    enum { TIMES = 9000 };
    const ct_dim3 one = {1, 1, 1}, block = {32, 1, 1};
    pass(launch(&gk_long_async, one, block, 0, 4096, 4096, TIMES, 0));
    assert_int_equal(report.row_count, 2);
    assert_int_equal(report.rows[0].requests, TIMES);
    assert_int_equal(report.rows[1].wavefronts, 32 * TIMES);
    assert_int_equal(report.rows[1].conflicts, 31 * TIMES);
}

/* The executions before a barrier never mix with those after it. */
TEST(test_realigned)
{
    pass(launch_block(&gk_realigned, 32, 0, 0));
    assert_int_equal(report.row_count, 2);
    assert_int_equal(report.rows[0].instructions, 2);
    assert_int_equal(report.rows[0].lanes, 48);
    assert_int_equal(report.rows[0].sectors, 2 + 4);
}

TEST(test_long)
{
    enum { TIMES = 10000 };
    pass(launch_block(&gk_long, 64, TIMES, 0));
    assert_int_equal(report.rows[0].instructions, 2 * TIMES);
    assert_int_equal(report.rows[0].lanes, 64 * TIMES);
    assert_int_equal(report.rows[0].requests, 2 * TIMES);
    assert_int_equal(report.rows[0].sectors, 2 * 4 * TIMES);
    for (int t = 0; t < 64; ++t) {
        uint32_t sum = 0;
        for (int i = 0; i < TIMES; ++i) sum += word(src, i % 8 * 32 + t);
        assert_int_equal(word(dst, t), sum);
    }
}

/* The same launch again gives the same rows and the same requests. */
TEST(test_requests)
{
    const copy_args args = {src, dst, 0, 0};
    const ct_dim3 one = {1, 1, 1}, block = {32, 1, 1};
    const ct_grid_buffer buffers[] = {{"src", src, 8192, 0, 0}, {"dst", dst, 128, 1, 0}};
    seen first = {0, 0, 0}, second = {0, 0, 0};
    ct_grid_options options = {.buffers = buffers, .buffer_count = 2, .on_request = see};
    for (int i = 0; i < 2; ++i) {
        options.user = i ? &second : &first;
        ct_grid_report_free(&report);
        ct_grid_launch(&gk_traffic, one, block, 0, &args, sizeof args, &options, &report);
        pass(report.status);
    }
    assert_int_equal(first.count, 4);
    assert_int_equal(first.kinds, 1 << CT_ACCESS_LDG | 1 << CT_ACCESS_STG | 1 << CT_ACCESS_LDS |
                                      1 << CT_ACCESS_STS);
    assert_memory_equal(&first, &second, sizeof first);
}

GROUP_OF_EACH("grid", setup, teardown)
