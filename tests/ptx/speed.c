/* How many instructions of PTX a second the CPU grid runs, with all checks. No test: it prints the least
 * CPU time of five runs, as bench/data/ptx_speed.md has it.
 *
 *     for f in examples/quickstart examples/vector/layer_norm device/gemm/mma_sync; do
 *         nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx -Iinclude -I. -o /tmp/$(basename $f).ptx $f.cu
 *     done
 *     ninja -C build tests/ptx/ptx_speed
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

static float memory[(2 * 256 + 2) * 4096];

static void print_row(const char *what, int64_t instructions, double seconds)
{
    printf("| %s | %.1f | %.2f | %.0f |\n", what, 1e-6 * (double)instructions, seconds,
           1e-6 * (double)instructions / seconds);
}

static void run(const char *path, const char *name, const char *what, ct_dim3 grid,
                uint32_t threads, size_t shared_bytes, const void *args, size_t bytes)
{
    enum { RUNS = 5 };
    static char text[1 << 24];
    static int64_t all_instructions;
    static double all_seconds;
    const ct_grid_buffer buffer = {"memory", memory, sizeof memory, 1, 0};
    const ct_grid_options options = {.buffers = &buffer, .buffer_count = 1};
    char message[CT_MESSAGE_BYTES] = "cannot be read";
    ct_grid_report report = {0};
    double least = 1e9;
    FILE *const file = fopen(path, "rb");
    if (file) text[fread(text, 1, sizeof text - 1, file)] = 0;
    ct_ptx *const module = file ? ct_ptx_load(text, message) : NULL;
    for (int i = 0; module && i < RUNS; ++i) {
        ct_grid_report_free(&report);
        const double begin = cpu_seconds();
        ct_grid_launch(ct_ptx_kernel(module, name), grid, (ct_dim3){threads, 1, 1}, shared_bytes,
                       args, bytes, &options, &report);
        if (cpu_seconds() - begin < least) least = cpu_seconds() - begin;
    }
    if (!module || report.status)
        fprintf(stderr, "%s: %s\n", path, module ? report.message : message), exit(2);
    print_row(what, report.instructions, least);
    all_instructions += report.instructions;
    all_seconds += least;
    if (shared_bytes) print_row("together", all_instructions, all_seconds); /* the last one */
    ct_grid_report_free(&report);
    ct_ptx_free(module);
    fclose(file);
}

int main(int argc, char **argv)
{
    enum { N = 1024, ROWS = 256, LENGTH = 4096, K = 512 };
    float *const y = memory + ROWS * LENGTH, *const gamma = y + ROWS * LENGTH;
    const layer_norm_args norm = {memory, gamma, gamma + LENGTH, y, LENGTH, LENGTH, LENGTH, 1e-5f};
    transpose_args transposed = CT_ZERO;
    gemm_args gemm = CT_ZERO;
    transposed.src = ct_make_global(memory, 32, ct_layout2(N, N, N, 1));
    transposed.dst = ct_make_global(memory + N * N, 32, ct_layout2(N, N, 1, N));
    gemm.a = ct_make_global(memory, 16, ct_layout2(K, K, K, 1));
    gemm.b = ct_make_global(memory + K * K / 2, 16, ct_layout2(K, K, K, 1));
    gemm.c = gemm.d = ct_make_global(memory + K * K, 16, ct_layout2(K, K, K, 1));
    gemm.alpha = 1;
    if (argc != 4) return 2;
    printf(
        "| kernel | instructions, millions | CPU time, s | millions a second |\n|---|---|---|---|\n");
    run(argv[1], "transpose", "`quickstart.cu`, 1024 x 1024 floats", (ct_dim3){N / 64, N / 64, 1},
        256, 0, &transposed, sizeof transposed);
    run(argv[2], "layer_norm_float", "`layer_norm.cu`, 256 rows of 4096 floats",
        (ct_dim3){ROWS, 1, 1}, 512, 0, &norm, sizeof norm);
    run(argv[3], "gemm_half", "`mma_sync.cu`, halves, 512 x 512 x 512",
        (ct_dim3){K / GEMM_TILE * K / GEMM_TILE, 1, 1}, GEMM_THREADS, GEMM_SHARED_BYTES, &gemm,
        sizeof gemm);
    return 0;
}
