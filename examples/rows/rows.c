/* Runs the kernels of this folder on the CPU grid: every length class in small, both types, rows that end anywhere and
 * begin anywhere; and asks for the class of some lengths. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cutlet/host/grid.h>

#include <cutlet/device/element/element.h>

/* The classes of rows.h with fewer threads and vectors. */
#define ROWS_CLASSES_OF(X, type)                                                                   \
    X(type, warps, 4, 128, 2, 1, 0, 1)                                                             \
    X(type, block, 1, 64, 2, 1, 0, 1)                                                              \
    X(type, pair, 1, 64, 2, 2, 1, 1)                                                               \
    X(type, cluster, 1, 32, 2, 8, 1, 1)
#include "cross_entropy.cu"
#include "rms_norm.cu"
#include "softmax.cu"

/* Five rows at most of each tensor, n elements and `ld` apart, which begin `past` elements past an aligned address. */
enum { X, RESIDUAL, WEIGHT, SUM, Y, TENSORS };
static _Alignas(256) unsigned char memory[TENSORS][4 * 25000];
static int32_t target[8];
static float loss[8];
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
        for (int i = 0; i < a->m; ++i)
            for (int j = 0; j < a->n; ++j) {
                const float v = (float)((i * 37 + j * (29 + which)) % 101 - 50) / 16;
                uint32_t w = 0;
                if (a->bytes == 4) ct_put_float(&w, 0, v);
                else ct_put_bfloat16(&w, 0, v);
                memcpy(at(a, which, i, j), &w, (size_t)a->bytes);
            }
    for (int i = 0; i < a->m; ++i) target[i] = i == 1 ? -100 : (7 * i + a->n / 2) % a->n;
}

static int is_near(const matrices *a, double got, double want)
{
    return fabs(got - want) <= (a->bytes == 4 ? 2e-6 : 0x1p-8) * fabs(want) + 2e-6;
}

/* Whether row i is what the kernel, by the first letter of its name, should make of it. */
static int row_is_right(const matrices *a, char kernel, int i)
{
    double exps = 0, squares = 0;
    int right = 1;
    for (int j = 0; j < a->n; ++j) exps += exp(get(a, X, i, j));
    for (int j = 0; j < a->n; ++j) squares += pow(get(a, SUM, i, j), 2) / a->n;
    if (kernel == 'c')
        return fabs(loss[i] - (i == 1 ? 0 : log(exps) - get(a, X, i, target[i]))) < 1e-5;
    for (int j = 0; j < a->n; ++j) {
        const double x = get(a, X, i, j), s = get(a, SUM, i, j);
        right &= kernel != 'r' || is_near(a, s, x + get(a, RESIDUAL, i, j));
        right &= is_near(a, get(a, Y, i, j),
                         kernel == 's'   ? exp(x) / exps
                         : kernel == 'l' ? x - log(exps)
                                         : s / sqrt(squares + 1e-6) * get(a, WEIGHT, i, j));
    }
    for (int k = a->bytes * a->n; k < a->bytes * a->ld; ++k) /* between rows nothing is written */
        right &= at(a, Y, i, 0)[k] == 0xa5 && at(a, SUM, i, 0)[k] == 0xa5;
    return right;
}

/* Whether a launch is right; it may touch its rows alone. */
static int runs(const ct_grid_kernel *kernel, const rows_class *taken, const matrices *a)
{
    const ct_dim3 grid = {(uint32_t)(ct_ceil_div_int(a->m, taken->rows) * taken->blocks), 1, 1};
    const ct_dim3 block = {(uint32_t)taken->threads, 1, 1};
    const size_t bytes = (size_t)(a->bytes * ((a->m - 1) * a->ld + a->n));
    ct_grid_buffer buffers[TENSORS + 2] = {[TENSORS] = {"target", target, sizeof target, 0, 0},
                                           {"loss", loss, sizeof loss, 1, 0}};
    const char *const names[TENSORS] = {"x", "residual", "weight", "sum", "y"};
    rows_args args = {.target = target, .loss = loss, .eps = 1e-6f};
    ct_global *const tensor[TENSORS] = {&args.x, &args.residual, &args.weight, &args.sum, &args.y};
    fill(a);
    for (int t = X; t < TENSORS; ++t) {
        const size_t all = t == WEIGHT ? (size_t)(a->bytes * a->n) : bytes;
        *tensor[t] = ct_make_global(at(a, t, 0, 0), 8 * a->bytes,
                                    ct_layout2(a->m, a->n, t == WEIGHT ? 0 : a->ld, 1));
        buffers[t] = (ct_grid_buffer){names[t], at(a, t, 0, 0), all, t >= SUM, 0};
    }
    const ct_grid_options options = {.buffers = buffers, .buffer_count = TENSORS + 2};
    ct_grid_report report;
    ct_grid_launch(kernel, grid, block, 16u * taken->threads * taken->each, &args, sizeof args,
                   &options, &report);
    int right = report.status == 0;
    for (int i = 0; i < a->m && right; ++i) right = row_is_right(a, kernel->name[0], i);
    if (!right)
        printf("%s, %d x %d, %d apart, +%d: %s\n", kernel->name, a->m, a->n, a->ld, a->past,
               report.status ? report.message : "wrong");
    ct_grid_report_free(&report);
    return right;
}

/* Lengths about the elements that a class reads once: few, odd, exactly those, a few more, and several rounds. */
static int class_runs(const ct_grid_kernel *kernel, const char *suffix, int bytes, int tensors)
{
    rows_class taken = rows_choose(1);
    while (strcmp(taken.suffix, suffix)) taken = rows_choose(rows_held(&taken) + 1);
    const int most = (int)rows_held(&taken) / bytes / tensors, vector = 16 / bytes;
    const int lengths[] = {1, most / 2 + 1, most - 3, most, most + 5, 2 * most + most / 2 + 1};
    int right = 1;
    for (int i = 0; i < 6; ++i) {
        const int n = lengths[i], odd = i % 2, ld = (n + vector - 1) / vector * vector;
        const matrices a = {bytes, odd ? 2 : 5, n, odd ? n | 1 : ld, odd};
        right &= runs(kernel, &taken, &a);
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
    const rows_class few = rows_choose(100), many = rows_choose(1 << 30);
    int right = strcmp(few.suffix, "warps") == 0 && strcmp(many.suffix, "cluster") == 0;
    ROWS_CLASSES(RUNS)
    printf(right ? "right\n" : "wrong\n");
    return !right;
}
