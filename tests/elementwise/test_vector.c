/* The kernels of examples/vector on the CPU grid; test_cuda_vector runs the same on a GPU. */
#include "vector_cases.h"
#include "vector_sums.h"

#include <cutlet/host/grid.h>
#include <cutlet/host/text.h>
#include "grid_memory.h"
#include "kernels.h"

enum { SEED = 20261122 };

static void vector_run(const char *kernel, int64_t blocks, int32_t threads, const void *args,
                       size_t args_bytes, const guarded *arrays, int count)
{
    ct_grid_buffer buffers[4];
    ct_grid_report report;
    for (int i = 0; i < count; ++i)
        buffers[i] = (ct_grid_buffer){arrays[i].name, arrays[i].at, arrays[i].bytes,
                                      arrays[i].writable, (int32_t)(arrays[i].shift % 256)};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = count, .no_records = 1};
    const ct_grid_kernel *const k = vector_kernel(kernel);
    if (!k) fail_msg("there is no kernel %s", kernel);
    if (ct_grid_launch(k, (ct_dim3){(uint32_t)blocks, 1, 1}, (ct_dim3){(uint32_t)threads, 1, 1}, 0,
                       args, args_bytes, &options, &report))
        fail_msg("%s", report.message);
    ct_grid_report_free(&report);
}

/* Wherever both sides begin, all but the ends goes by accesses of 16 bytes: one store for each
 * vector, and one load, or the two that it is cut out of. */
TEST(misaligned_is_wide)
{
    enum { N = 4096 };
    for (int k = 0; k < 16; ++k) {
        unsigned char *const in = calloc(N, 4);
        assert_non_null(in);
        guarded from = array_take("src", in, 4 * N, (size_t)(4 * (k % 4)));
        guarded to = array_take("dst", NULL, 4 * N, (size_t)(4 * (k / 4)));
        const ct_operand src = ct_make_operand(from.at, ct_layout1(N, 1), 4);
        const ct_operand dst = ct_make_operand(to.at, ct_layout1(N, 1), 4);
        const ct_elementwise_args args = ct_make_elementwise(&src, 1, dst, 16);
        const ct_grid_buffer buffers[] = {{"src", from.at, from.bytes, 0, (int32_t)from.shift},
                                          {"dst", to.at, to.bytes, 1, (int32_t)to.shift}};
        const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
        const ct_dim3 grid = {(uint32_t)args.blocks, 1, 1}, block = {CT_ELEMENTWISE_THREADS, 1, 1};
        ct_grid_report report;
        int64_t lanes[2][2] = {{0, 0}, {0, 0}};
        if (ct_grid_launch(vector_kernel("relu_float"), grid, block, 0, &args, sizeof args,
                           &options, &report))
            fail_msg("%s", report.message);
        for (int i = 0; i < report.row_count; ++i)
            lanes[report.rows[i].buffer][report.rows[i].bits == 128] += report.rows[i].lanes;
        const int whole = k == 0 ? N / 4 : N / 4 - 1, cut = k % 4 != k / 4;
        assert_int_equal(args.path, cut ? CT_ELEMENTWISE_CUT : CT_ELEMENTWISE_WHOLE);
        assert_in_range(lanes[1][1], whole, N / 4);
        assert_in_range(lanes[1][0], 0, 4);
        assert_in_range(lanes[0][1], cut ? 2 * (N / 4 - 3) : whole, N / 2);
        assert_in_range(lanes[0][0], 0, 12);
        ct_grid_report_free(&report);
        free(array_give(&from, "relu_float"));
        free(array_give(&to, "relu_float"));
        free(in);
    }
}

/* particles_path says how the four particles of each thread are loaded. */
TEST(fragments_go_as_said)
{
    enum { N = 4096 };
    static const struct {
        const char *path;
        int64_t step, field, shift, wide; /* wide: the loads of 16 bytes, of all threads */
    } rows[] = {
        {"whole", 8, 1, 0, N},
        {"whole", 12, 1, 32, N},
        {"by element", 8, 1, 4, 0},
        {"whole", 1, N, 0, 3 * N / 4},
        {"cut", 1, N, 4, 6 * (N / 4 - 2)},
        {"by element", 2, 2 * N, 0, 0},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        const int64_t step = rows[r].step, field = rows[r].field;
        const int64_t elems = (N - 1) * step + 7 * field + 1;
        unsigned char *const in = calloc((size_t)elems, 4);
        assert_non_null(in);
        guarded from = array_take("particles", in, (size_t)(4 * elems), (size_t)rows[r].shift);
        guarded to = array_take("lengths", NULL, 4 * N, 0);
        const particles_args args = make_particles_args((const float *)(void *)from.at,
                                                        (float *)(void *)to.at, N, step, field);
        const ct_grid_buffer buffers[] = {{"src", from.at, from.bytes, 0, (int32_t)from.shift},
                                          {"dst", to.at, to.bytes, 1, 0}};
        const ct_grid_options options = {.buffers = buffers, .buffer_count = 2};
        const ct_dim3 grid = {(uint32_t)particles_blocks(N), 1, 1};
        ct_grid_report report;
        int64_t wide = 0;
        if (ct_grid_launch(vector_kernel("particle_lengths"), grid,
                           (ct_dim3){PARTICLES_THREADS, 1, 1}, 0, &args, sizeof args, &options,
                           &report))
            fail_msg("%s", report.message);
        for (int i = 0; i < report.row_count; ++i)
            if (report.rows[i].buffer == 0 && report.rows[i].bits == 128)
                wide += report.rows[i].lanes;
        assert_string_equal(particles_path(&args), rows[r].path);
        assert_int_equal(wide, rows[r].wide);
        ct_grid_report_free(&report);
        free(array_give(&from, "particle_lengths"));
        free(array_give(&to, "particle_lengths"));
        free(in);
    }
}

TEST(copies)
{
    static const int widths[] = {1, 2, 4, 8, 16, 32};
    check_width_copies(SEED, 70, 3000, widths, 6);
}

/* clang-format off */
TEST(gelu_bound) { check_gelu_bound(); }
TEST(forms) { check_width_forms(SEED, 26, 60000); }
TEST(arrays) { check_elementwise_arrays(SEED, 30, 3000); }
TEST(layouts) { check_elementwise_layouts(SEED, 400); }
TEST(remainders) { check_remainders(SEED, 12, 3000); }
TEST(sums) { check_sums(SEED, 26, 20000); }
TEST(particles) { check_particles(SEED, 36, 700); }
/* clang-format on */

TEST(layer_norms)
{
    static const int64_t sizes[] = {1, 2, 7, 8, 64, 100, 512, 1000, 4096, 4104, 9000};
    check_layer_norms(SEED, sizes, sizeof sizes / sizeof *sizes);
}

GROUP("vector kernels on the grid", NULL, NULL)
