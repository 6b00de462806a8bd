/* How many instructions of PTX a second the CPU grid runs, with all checks. No test: it prints the least
 * CPU time of five runs, as bench/data/ptx_speed.md has it.
 *
 *     for f in examples/quickstart examples/vector/layer_norm device/gemm/mma_sync; do
 *         nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx -Iinclude -I. -o /tmp/$(basename $f).ptx $f.cu
 *     done
 *     ninja -C build tests/ptx_speed
 *     CUTLET_THREADS=1 build/tests/ptx/ptx_speed /tmp/quickstart.ptx /tmp/layer_norm.ptx /tmp/mma_sync.ptx */
#define main quickstart_main
#include "../../examples/quickstart.cu"
#undef main
#include "../../device/gemm/mma_sync.h"
#include "../../examples/vector/vector.h"

#include <cutlet/host/ptx.h>

#include <time.h>

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int64_t all_instructions;
static double all_seconds;

static ct_ptx *load(const char *path)
{
    static char text[1 << 24];
    char message[CT_MESSAGE_BYTES] = "cannot be read";
    FILE *const file = fopen(path, "rb");
    const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[n] = 0;
    ct_ptx *const module = n ? ct_ptx_load(text, message) : NULL;
    if (!module) fprintf(stderr, "%s: %s\n", path, message);
    return module;
}

static void print_row(const char *what, int64_t instructions, double seconds)
{
    printf("| %s | %.1f | %.2f | %.0f |\n", what, 1e-6 * (double)instructions, seconds,
           1e-6 * (double)instructions / seconds);
}

static void run(const char *what, const ct_ptx *module, const char *name, ct_dim3 grid,
                uint32_t threads, size_t shared_bytes, const void *args, size_t bytes,
                const ct_grid_buffer *buffers, int count)
{
    enum { RUNS = 5 };
    int64_t instructions = 0;
    const ct_grid_options options = {.buffers = buffers, .buffer_count = count};
    ct_grid_report report = {0};
    double least = 0;
    for (int i = 0; i < RUNS; ++i) {
        const double begin = cpu_seconds();
        ct_grid_launch(ct_ptx_kernel(module, name), grid, (ct_dim3){threads, 1, 1}, shared_bytes,
                       args, bytes, &options, &report);
        const double seconds = cpu_seconds() - begin;
        if (i == 0 || seconds < least) least = seconds;
        instructions = report.instructions;
        if (report.status) fprintf(stderr, "%s\n", report.message);
        ct_grid_report_free(&report);
    }
    print_row(what, instructions, least);
    all_instructions += instructions;
    all_seconds += least;
}

/* A of m x k, B of n x k and D of m x n, halves; the memory is zeros. */
static void gemm(const ct_ptx *module, uint32_t n)
{
    uint16_t *const memory = calloc(3 * (size_t)n * n, sizeof *memory);
    gemm_args args = CT_ZERO;
    ct_global *const all[] = {&args.a, &args.b, &args.d};
    ct_grid_buffer buffers[] = {{"A", NULL, 0, 0, 0}, {"B", NULL, 0, 0, 0}, {"D", NULL, 0, 1, 0}};
    for (int i = 0; i < 3; ++i) {
        buffers[i].base = memory + (size_t)i * n * n;
        buffers[i].bytes = 2 * (size_t)n * n;
        *all[i] = ct_make_global(buffers[i].base, 16, ct_layout2(n, n, n, 1));
    }
    args.c = args.d;
    args.alpha = 1;
    run("`mma_sync.cu`, halves, 512 x 512 x 512", module, "gemm_half",
        (ct_dim3){n / GEMM_TILE * n / GEMM_TILE, 1, 1}, GEMM_THREADS, GEMM_SHARED_BYTES, &args,
        sizeof args, buffers, 3);
    free(memory);
}

static void transpose_matrix(const ct_ptx *module, int64_t n)
{
    float *const from = calloc((size_t)(2 * n * n), sizeof *from), *const to = from + n * n;
    const size_t bytes = (size_t)(n * n) * sizeof *from;
    transpose_args args = CT_ZERO;
    const ct_grid_buffer buffers[] = {{"src", from, bytes, 0, 0}, {"dst", to, bytes, 1, 0}};
    args.src = ct_make_global(from, 32, ct_layout2(n, n, n, 1));
    args.dst = ct_make_global(to, 32, ct_layout2(n, n, 1, n));
    run("`quickstart.cu`, 1024 x 1024 floats", module, "transpose",
        (ct_dim3){(uint32_t)n / 64, (uint32_t)n / 64, 1}, 256, 0, &args, sizeof args, buffers, 2);
    free(from);
}

static void layer_norm(const ct_ptx *module, uint32_t rows)
{
    enum { N = 4096, THREADS = 512 };
    const size_t row = N * sizeof(float);
    float *const x = calloc(2 * rows + 2, row), *const y = x + rows * N,
                 *const gamma = y + rows * N;
    const layer_norm_args args = {x, gamma, gamma + N, y, N, N, N, 1e-5f};
    const ct_grid_buffer buffers[] = {{"x", x, rows * row, 0, 0},
                                      {"y", y, rows * row, 1, 0},
                                      {"gamma and beta", gamma, 2 * row, 0, 0}};
    run("`layer_norm.cu`, 256 rows of 4096 floats", module, "layer_norm_float",
        (ct_dim3){rows, 1, 1}, THREADS, 0, &args, sizeof args, buffers, 3);
    free(x);
}

int main(int argc, char **argv)
{
    ct_ptx *modules[3] = {NULL};
    for (int i = 0; i < 3; ++i)
        if (i + 1 >= argc || !(modules[i] = load(argv[i + 1]))) return 2;
    printf(
        "| kernel | instructions, millions | CPU time, s | millions a second |\n|---|---|---|---|\n");
    transpose_matrix(modules[0], 1024);
    layer_norm(modules[1], 256);
    gemm(modules[2], 512);
    print_row("together", all_instructions, all_seconds);
    for (int i = 0; i < 3; ++i) ct_ptx_free(modules[i]);
    return 0;
}
