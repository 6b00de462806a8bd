/* Element-wise kernels, sums and layer norm over contiguous arrays, one element after another. */
#include "fake_vector.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "pattern.h"
#include <cutlet/device/elementwise/elementwise_args.h>
#include "vector.h"

static int begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static double half_to_double(uint16_t h)
{
    const int e = h >> 10 & 31;
    const double m = e ? 1024 + (h & 1023) : h & 1023;
    return (h & 0x8000 ? -1 : 1) * ldexp(m, (e ? e : 1) - 25);
}

/* The half nearest to a number that is not huge. */
static uint16_t half_of(double x)
{
    int e = 0;
    if (x == 0) return 0;
    frexp(x, &e);
    if (e < -13) e = -13;                         /* as fine as halves get */
    const long m = lrint(ldexp(fabs(x), 11 - e)); /* up to 2048, which carries */
    return (uint16_t)((x < 0 ? 0x8000 : 0) + ((e + 13) << 10) + (int)m);
}

static double get(const void *at, int64_t i, int is_half)
{
    return is_half ? half_to_double(((const uint16_t *)at)[i]) : ((const float *)at)[i];
}

static void put(void *at, int64_t i, int is_half, double x)
{
    if (is_half) ((uint16_t *)at)[i] = half_of(x);
    else ((float *)at)[i] = (float)x;
}

static double apply(const char *kernel, double x)
{
    if (begins(kernel, "relu_")) return x < 0 ? 0 : x;
    return x / (1 + exp(-1.5957691216057308 * (x + 0.044715 * x * x * x)));
}

/* Elements side by side: copied as bytes, or computed. */
static unsigned char *run_elementwise(const char *kernel, const ct_elementwise_args *a)
{
    const int is_half = strstr(kernel, "half") != NULL;
    const int64_t n = a->extent[0], bytes = n * a->side[0].step[0];
    unsigned char *const dst = a->side[0].at, *const src = a->side[1].at;
    if (begins(kernel, "width_copy_")) memcpy(dst, src, (size_t)n);
    else
        for (int64_t i = 0; i < n; ++i) put(dst, i, is_half, apply(kernel, get(src, i, is_half)));
    return dst + bytes - 1;
}

/* A copy in one of the forms of width_forms.cu. */
static unsigned char *run_width(const width_args *a)
{
    memcpy(a->dst.at, a->src.at, (size_t)a->src.extent[0]);
    return a->dst.at + a->src.extent[0] - 1;
}

/* Each block has an equal part. */
static unsigned char *run_sum(const sum_args *a, int blocks)
{
    for (int b = 0; b < blocks; ++b) {
        double sum = 0;
        for (int64_t i = a->n * b / blocks; i < a->n * (b + 1) / blocks; ++i)
            sum += ((const float *)a->src)[i];
        a->dst[b] = (float)sum;
    }
    return (unsigned char *)(a->dst + blocks) - 1;
}

static unsigned char *run_norm(const char *kernel, const layer_norm_args *a, int blocks)
{
    const int is_half = strstr(kernel, "half") != NULL;
    for (int64_t row = 0; row < blocks; ++row) {
        const int64_t x = row * a->x_ld, y = row * a->y_ld;
        double sum = 0, squares = 0;
        for (int64_t i = 0; i < a->n; ++i) sum += get(a->x, x + i, is_half);
        const double mean = sum / (double)a->n;
        for (int64_t i = 0; i < a->n; ++i) squares += pow(get(a->x, x + i, is_half) - mean, 2);
        const double scale = 1 / sqrt(squares / (double)a->n + a->eps);
        for (int64_t i = 0; i < a->n; ++i)
            put(a->y, y + i, is_half,
                (get(a->x, x + i, is_half) - mean) * scale * get(a->gamma, i, is_half) +
                    get(a->beta, i, is_half));
    }
    return (unsigned char *)a->y + ((blocks - 1) * a->y_ld + a->n) * (is_half ? 2 : 4) - 1;
}

static unsigned char *run_wrong_words(const pattern_args *a, int blocks)
{
    memset(a->wrong, 0, (size_t)blocks * sizeof *a->wrong);
    for (int64_t i = 0; i < a->count; ++i)
        a->wrong[i % blocks] += a->words[i] != bench_word((uint64_t)i);
    return (unsigned char *)(a->wrong + blocks) - 1;
}

static int is_elementwise(const char *kernel)
{
    return begins(kernel, "width_copy_") || begins(kernel, "relu_") || begins(kernel, "gelu_");
}

static int is_sum(const char *kernel)
{
    return begins(kernel, "sum_float") || begins(kernel, "read_float");
}

static int is_width_form(const char *kernel)
{
    return begins(kernel, "width_one_") || begins(kernel, "width_loop_");
}

int fake_vector_is(const char *kernel)
{
    return is_elementwise(kernel) || is_width_form(kernel) || is_sum(kernel) ||
           begins(kernel, "layer_norm_") || begins(kernel, "bench_wrong_words");
}

int fake_vector_run(const char *kernel, const void *args, int blocks, int wrong)
{
    unsigned char *last = NULL;
    if (!fake_vector_is(kernel)) return 0;
    if (is_elementwise(kernel)) last = run_elementwise(kernel, args);
    else if (is_width_form(kernel)) last = run_width(args);
    else if (is_sum(kernel)) last = run_sum(args, blocks);
    else if (begins(kernel, "layer_norm_")) last = run_norm(kernel, args, blocks);
    else last = run_wrong_words(args, blocks);
    if (wrong) *last ^= 0x40;
    return 1;
}
