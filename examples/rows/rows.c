/* Runs the kernels of this folder on the CPU grid: every length class in small, both types, rows that end anywhere and
 * begin anywhere; and asks for the class of some lengths. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cutlet/host/grid.h>

#include <cutlet/device/element/element.h>

/* The classes of rows.h with fewer threads and vectors. */
#define ROWS_CLASSES_OF(X, type)                                                                   \
    X(type, warps, 4, 128, 2, 1, 1)                                                                \
    X(type, block, 1, 64, 2, 1, 1)                                                                 \
    X(type, pair, 1, 64, 2, 2, 1)                                                                  \
    X(type, cluster, 1, 32, 4, 8, 1)
#include "cross_entropy.cu"
#include "rms_norm.cu"
#include "softmax.cu"

enum { MOST = 5 * 5000 + 16 };
static _Alignas(256) unsigned char memory[5][4 * MOST];
static _Alignas(256) int32_t target[8];
static _Alignas(256) float loss[8];
enum { X, RESIDUAL, WEIGHT, SUM, Y };

/* Rows of n elements, ld apart, that begin `past` elements past an aligned address. */
typedef struct matrices {
    int bytes, m, n, ld, past;
} matrices;

static unsigned char *at(const matrices *a, int which, int i, int j)
{
    return memory[which] + a->bytes * (a->past + (which == WEIGHT ? 0 : i * a->ld) + j);
}

static double get(const matrices *a, int which, int i, int j)
{
    uint32_t w = 0;
    memcpy(&w, at(a, which, i, j), (size_t)a->bytes);
    return a->bytes == 4 ? ct_get_float(&w, 0) : ct_get_bfloat16(&w, 0);
}

static void fill(const matrices *a)
{
    memset(memory, 0xa5, sizeof memory);
    for (int which = X; which <= WEIGHT; ++which)
        for (int i = 0; i < (which == WEIGHT ? 1 : a->m); ++i)
            for (int j = 0; j < a->n; ++j) {
                uint32_t w = 0;
                const float v = (float)((i * 37 + j * (29 + which)) % 101 - 50) / 16;
                if (a->bytes == 4) ct_put_float(&w, 0, v);
                else ct_put_bfloat16(&w, 0, v);
                memcpy(at(a, which, i, j), &w, (size_t)a->bytes);
            }
    for (int i = 0; i < a->m; ++i) target[i] = i == 1 ? -100 : (7 * i + a->n / 2) % a->n;
}

static ct_global tensor(const matrices *a, int which)
{
    const ct_layout rows = ct_layout2(a->m, a->n, which == WEIGHT ? 0 : a->ld, 1);
    return ct_make_global(at(a, which, 0, 0), 8 * a->bytes, rows);
}

static int is_near(const matrices *a, double got, double want)
{
    return fabs(got - want) <= (a->bytes == 4 ? 2e-6 : 0x1p-8) * fabs(want) + 2e-6;
}

/* What a row should become. */
typedef struct row_sums {
    double max, exps, squares;
} row_sums;

static row_sums sums_of(const matrices *a, int i)
{
    row_sums r = {-INFINITY, 0, 0};
    for (int j = 0; j < a->n; ++j) r.max = fmax(r.max, get(a, X, i, j));
    for (int j = 0; j < a->n; ++j) r.exps += exp(get(a, X, i, j) - r.max);
    for (int j = 0; j < a->n; ++j) r.squares += pow(get(a, SUM, i, j), 2) / a->n;
    return r;
}

static int is_right(const matrices *a, const char *kernel)
{
    int right = 1;
    for (int i = 0; i < a->m; ++i) {
        for (int j = a->bytes * a->n; j < a->bytes * a->ld;
             ++j) /* between rows nothing is written */
            right &= at(a, Y, i, 0)[j] == 0xa5 && at(a, SUM, i, 0)[j] == 0xa5;
        const row_sums r = sums_of(a, i);
        const double log_sum = r.max + log(r.exps);
        if (kernel[0] == 'c') {
            const double want = i == 1 ? 0 : log_sum - get(a, X, i, target[i]);
            right &= fabs(loss[i] - want) < 1e-5;
        }
        for (int j = 0; j < a->n && kernel[0] != 'c'; ++j) {
            const double x = get(a, X, i, j), s = x + get(a, RESIDUAL, i, j);
            double want = kernel[0] == 's' ? exp(x - log_sum) : x - log_sum;
            if (kernel[0] == 'r') {
                right &= is_near(a, get(a, SUM, i, j), s);
                want = get(a, SUM, i, j) / sqrt(r.squares + 1e-6) * get(a, WEIGHT, 0, j);
            }
            right &= is_near(a, get(a, Y, i, j), want);
        }
    }
    return right;
}

/* Whether a launch is right; it may touch its rows alone. */
static int runs(const ct_grid_kernel *kernel, const rows_class *class, const matrices *a)
{
    const ct_dim3 grid = {(uint32_t) class->grid, 1, 1};
    const ct_dim3 block = {(uint32_t) class->threads, 1, 1};
    const size_t bytes = (size_t)(a->bytes * ((a->m - 1) * a->ld + a->n));
    fill(a);
    const rows_args args = {tensor(a, X),
                            tensor(a, RESIDUAL),
                            tensor(a, WEIGHT),
                            tensor(a, SUM),
                            tensor(a, Y),
                            target,
                            loss,
                            1e-6f,
                            a->past ? 0 : 1};
    const ct_grid_buffer buffers[] = {
        {"x", args.x.at, bytes, 0, 0},
        {"residual", args.residual.at, bytes, 0, 0},
        {"weight", args.weight.at, (size_t)(a->bytes * a->n), 0, 0},
        {"sum", args.sum.at, bytes, 1, 0},
        {"y", args.y.at, bytes, 1, 0},
        {"target", target, sizeof target, 0, 0},
        {"loss", loss, sizeof loss, 1, 0},
    };
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 7};
    ct_grid_report report;
    ct_grid_launch(kernel, grid, block, 0, &args, sizeof args, &options, &report);
    const int right = report.status == 0 && is_right(a, kernel->name);
    if (!right)
        printf("%s, %d x %d, %d apart, +%d: %s\n", kernel->name, a->m, a->n, a->ld, a->past,
               report.status ? report.message : "wrong");
    ct_grid_report_free(&report);
    return right;
}

/* Lengths about the elements that a class reads once: few, odd, exactly those, a few more, and several rounds. */
static int class_runs(const ct_grid_kernel *kernel, const char *suffix, int bytes, int tensors)
{
    const char *const name = kernel->name + strlen(kernel->name) - strlen(suffix);
    rows_class class = rows_choose(1, 1);
    while (strcmp(class.suffix, suffix)) class = rows_choose(1, class.bytes + 1);
    const int most = (int)class.bytes / bytes / tensors;
    const int lengths[] = {1, most / 2 + 1, most - 3, most, most + 5, 2 * most + most / 2 + 1};
    int right = strcmp(name, suffix) == 0;
    for (int i = 0; i < 6; ++i) {
        const int n = lengths[i], vector = 16 / bytes;
        const matrices whole = {bytes, 5, n, (n + vector - 1) / vector * vector, 0};
        const matrices odd = {bytes, 2, n, n | 1, 1};
        const matrices *const a = i % 2 ? &odd : &whole;
        class.grid = (a->m + class.rows - 1) / class.rows * class.blocks;
        right &= runs(kernel, &class, a);
    }
    return right;
}

#define RUNS(type, suffix, ...)                                                                    \
    right &= class_runs(&softmax_##type##_##suffix, #suffix, CT_BYTES_##type, 1) &                 \
             class_runs(&log_softmax_##type##_##suffix, #suffix, CT_BYTES_##type, 1) &             \
             class_runs(&rms_norm_##type##_##suffix, #suffix, CT_BYTES_##type, 2) &                \
             class_runs(&cross_entropy_##type##_##suffix, #suffix, CT_BYTES_##type, 1);

int main(void)
{
    const rows_class few = rows_choose(9, 100), many = rows_choose(9, 1 << 30);
    int right = strcmp(few.suffix, "warps") == 0 && few.grid == 3 &&
                strcmp(many.suffix, "cluster") == 0 && many.grid == 72;
    ROWS_CLASSES(RUNS)
    printf(right ? "right\n" : "wrong\n");
    return !right;
}
