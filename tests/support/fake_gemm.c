/* Products of matrices for the fake driver, one element after another. */
#include "fake_gemm.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cutlet/device/element/element.h>
#include "gemm_args.h"
#include "wgmma_args.h"
#include "wgmma_helpers.h"

/* An element of 16 bits. */
static float read_16(const void *at, int is_half)
{
    const uint32_t bits = *(const uint16_t *)at;
    return is_half ? ct_float_of_half(bits) : ct_float_of_bfloat16(bits);
}

static void write_16(void *at, int is_half, float x)
{
    *(uint16_t *)at = (uint16_t)(is_half ? ct_half_of_float(x) : ct_bfloat16_of_float(x));
}

static double get(const ct_global *g, int is_half, int64_t i, int64_t j)
{
    const void *const at = g->at + i * g->step[0] + j * g->step[1];
    if (g->elem_bits == 8) return *(const int8_t *)at;
    if (g->elem_bits == 16) return (double)read_16(at, is_half);
    return (double)*(const float *)at;
}

/* Element i of a vector; `other` of one that is not there. */
static double element(const void *vector, int64_t i, double other)
{
    return vector ? (double)((const float *)vector)[i] : other;
}

static double scale(const gemm_epilogue *e, int64_t i, int64_t j)
{
    return element(e->scale_rows, i, 1) * element(e->scale_cols, j, 1);
}

static double activate(const gemm_epilogue *e, double x)
{
    switch (e->activation) {
        case GEMM_RELU: return x < 0 ? 0 : x;
        case GEMM_GELU: return x / 2 * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
        case GEMM_SILU: return x / (1 + exp(-x));
        default: return x;
    }
}

static void put(const gemm_args *a, int is_half, int64_t i, int64_t j, double sum)
{
    void *const at = a->d.at + i * a->d.step[0] + j * a->d.step[1];
    const void *const c = a->c.at + i * a->c.step[0] + j * a->c.step[1];
    if (a->a.elem_bits == 8) {
        const double own = a->beta != 0 ? a->beta * (double)*(const int32_t *)c : 0;
        const int32_t bias = a->own.bias ? ((const int32_t *)a->own.bias)[j] : 0;
        *(int32_t *)at = (int32_t)activate(&a->own, a->alpha * sum + own + bias);
        return;
    }
    const double own = a->beta != 0 ? a->beta * get(&a->c, is_half, i, j) : 0;
    const double before = scale(&a->own, i, j) * a->alpha * sum + own;
    const double x = activate(&a->own, before + element(a->own.bias, j, 0));
    if (a->d.elem_bits == 16) write_16(at, is_half, (float)x);
    else *(float *)at = (float)x;
}

/* ---- by wgmma -------------------------------------------------------------------------------- */

/* Where element (i,k) of the operand of a map lies, as cuTensorMapEncodeTiled writes it down here. */
static unsigned char *in_map(const ct_tma_map *map, int64_t i, int64_t k)
{
    const uint64_t *const told = map->opaque;
    return (unsigned char *)(uintptr_t)told[2] + (uint64_t)i * told[6] + 2 * k;
}

static double of_map(const ct_tma_map *map, int is_half, int64_t i, int64_t k)
{
    return (double)read_16(in_map(map, i, k), is_half);
}

/* Whether a map is of such elements, in boxes of this many rows and columns. */
static int is_map_of(const ct_tma_map *map, uint64_t elem, int32_t rows, int32_t columns)
{
    const uint64_t *const told = map->opaque;
    return told[0] == elem && told[1] == 3 && told[8] == (uint64_t)columns &&
           told[9] == (uint64_t)rows;
}

static gemm_wgmma_shape form; /* of the kernel that runs */

/* Where element (i,j) of C or D lies: with 128 rows and k in one part, the maps say it. */
static unsigned char *place(const gemm_wgmma_args *a, const ct_global *g, const ct_tma_map *map,
                            int64_t i, int64_t j)
{
    const int by_map = a->splits == 1 && form.rows == 128;
    return by_map ? in_map(map, i, j) : g->at + i * g->step[0] + j * g->step[1];
}

static void finish(const gemm_wgmma_args *a, int64_t i, int64_t j, float sum)
{
    const float own =
        a->beta != 0 ? a->beta * read_16(place(a, &a->c, &a->from, i, j), a->is_half) : 0;
    const double before = scale(&a->own, i, j) * a->alpha * sum + own;
    const int64_t of_bias = gemm_wgmma_exchanges(form.columns) ? i : j;
    write_16(place(a, &a->d, &a->to, i, j), a->is_half,
             (float)activate(&a->own, before + element(a->own.bias, of_bias, 0)));
}

static float *sum_at(const gemm_wgmma_args *a, int64_t i, int64_t j, int split)
{
    const ct_global *const s = &a->sums;
    return (float *)(s->at + i * s->step[0] + j * s->step[1] + split * s->step[2]);
}

/* One element, of a part of k. */
static void multiply(const gemm_wgmma_args *a, int64_t i, int64_t j, int split)
{
    const int64_t depth = (int64_t)a->a.opaque[3], first = 64 * (a->steps * split / a->splits);
    const int64_t end = 64 * (a->steps * (split + 1) / a->splits);
    double sum = 0;
    for (int64_t k = first; k < end && k < depth; ++k)
        sum += of_map(&a->a, a->is_half, i, k) * of_map(&a->b, a->is_half, j, k);
    if (a->splits > 1) *sum_at(a, i, j, split) = (float)sum;
    else finish(a, i, j, (float)sum);
}

/* With a map of another kind D stays as it is. */
static int run_wgmma(const gemm_wgmma_args *a)
{
    const uint64_t elem = a->is_half ? CT_ELEM_F16 : CT_ELEM_BF16;
    const int by_map = a->splits == 1 && form.rows == 128;
    const int32_t b = form.rows == 64 ? form.columns : form.columns / form.cluster;
    const int32_t part = gemm_wgmma_part_columns(form.columns);
    if (!is_map_of(&a->a, elem, form.rows, 64) || !is_map_of(&a->b, elem, b, 64)) return 1;
    if (by_map && !is_map_of(&a->to, CT_ELEM_F16, gemm_wgmma_part_rows(form.columns), part))
        return 1;
    if (by_map && a->beta != 0 && !is_map_of(&a->from, CT_ELEM_F16, 64, part)) return 1;
    for (int64_t i = 0; i < a->d.extent[0]; ++i)
        for (int64_t j = 0; j < a->d.extent[1]; ++j)
            for (int split = 0; split < a->splits; ++split) multiply(a, i, j, split);
    return 1;
}

static int run_sums(const gemm_wgmma_args *a)
{
    for (int64_t i = 0; i < a->d.extent[0]; ++i)
        for (int64_t j = 0; j < a->d.extent[1]; ++j) {
            float sum = 0;
            for (int split = 0; split < a->splits; ++split) sum += *sum_at(a, i, j, split);
            finish(a, i, j, sum);
        }
    return 1;
}

static int run_repack(const ct_staged_args *a)
{
    for (int64_t i = 0; i < a->src.extent[0]; ++i)
        for (int64_t k = 0; k < a->src.extent[1]; ++k)
            memcpy(a->dst.at + i * a->dst.step[0] + k * a->dst.step[1],
                   a->src.at + i * a->src.step[0] + k * a->src.step[1],
                   (size_t)a->src.elem_bits / 8);
    return 1;
}

/* The last element of a result becomes another one. */
static int spoil(unsigned char *last, int bits, int wrong)
{
    if (wrong) last[bits / 8 - 1] ^= 0x40;
    return 1;
}

static unsigned char *last_of(const ct_global *d)
{
    return d->at + (d->extent[0] - 1) * d->step[0] + (d->extent[1] - 1) * d->step[1];
}

int fake_gemm_run(const char *kernel, const void *args, int wrong)
{
    const gemm_args *const a = args;
    const gemm_wgmma_args *const w = args;
    if (strncmp(kernel, "gemm_", 5) != 0) return 0;
    if (strncmp(kernel, "gemm_repack_", 12) == 0) return run_repack(args);
    if (strcmp(kernel, "gemm_sum_splits") == 0)
        return run_sums(w) && spoil(last_of(&w->d), 16, wrong);
    if (sscanf(kernel, "gemm_wgmma_%dx%d_%d_", &form.rows, &form.columns, &form.cluster) == 3)
        return run_wgmma(w) &&
               spoil(place(w, &w->d, &w->to, w->d.extent[0] - 1, w->d.extent[1] - 1), 16, wrong);
    const int is_half = strcmp(kernel, "gemm_bfloat16") != 0;
    const int64_t m = a->a.extent[0], n = a->b.extent[0], depth = a->a.extent[1];
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (int64_t k = 0; k < depth; ++k)
                sum += get(&a->a, is_half, i, k) * get(&a->b, is_half, j, k);
            put(a, is_half, i, j, sum);
        }
    return spoil(last_of(&a->d), a->d.elem_bits, wrong);
}
