/* Products by the CPU, in floats. int8 is exact: DEPTH products are summed as
 * floats, which hold integers of up to 2^24, and then as int32.
 *
 * A task computes BAND rows of PANEL columns. It goes along k by DEPTH: so much of the panel of B,
 * turned so that its columns are side by side, stays in the first cache, and the band of A in the
 * second. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include <cutlet/device/element/element.h>
#include <cutlet/device/element/unpack.h>
#include "plan.h"

enum { BAND = 128, ROWS = 4, PANEL = 8, DEPTH = 256 };

_Static_assert(DEPTH * 128 * 128 <= 1 << 24, "the sums of a step are exact");

typedef struct product {
    const ct_gemm_plan *plan;
    const ct_gemm_operands *on;
    float *a, *b; /* contiguous rows */
    int64_t panels;
} product;

/* The sums of a task: of floats, and of int8 modulo 2^32. */
typedef struct sums {
    float f[BAND][PANEL];
    uint32_t i[BAND][PANEL];
} sums;

static void turn(const product *p, int64_t column, int64_t from, int depth, float (*panel)[PANEL])
{
    for (int c = 0; c < PANEL; ++c)
        for (int k = 0; k < depth; ++k)
            panel[k][c] = column + c < p->plan->n ? p->b[(column + c) * p->plan->k + from + k] : 0;
}

/* Four rows by a panel. The loops over columns become vectors. */
static void multiply(const float *const *row, const float (*panel)[PANEL], int depth,
                     float (*out)[PANEL])
{
    float sum[ROWS][PANEL] = {{0}};
    for (int k = 0; k < depth; ++k)
        for (int r = 0; r < ROWS; ++r)
            for (int c = 0; c < PANEL; ++c) sum[r][c] += row[r][k] * panel[k][c];
    memcpy(out, sum, sizeof sum);
}

static void add(const product *p, sums *s, int first, const float (*part)[PANEL])
{
    const int exact = p->plan->desc.type == CT_TYPE_INT8;
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < PANEL; ++c)
            if (exact) s->i[first + r][c] += (uint32_t)(int32_t)part[r][c];
            else s->f[first + r][c] += part[r][c];
}

/* Element (i,j) of D from its sum. */
static void finish(const product *p, int64_t row, int64_t column, float sum, uint32_t exact)
{
    const ct_gemm_desc *const d = &p->plan->desc;
    const int64_t place[] = {row, column}, at = row * d->d.stride[0] + column * d->d.stride[1];
    const int type = p->plan->type->result;
    if (type == CT_TYPE_INT32) {
        ((int32_t *)p->on->d)[at] = ct_gemm_integer(p->plan, p->on, place, exact);
        return;
    }
    const double before =
        ct_gemm_factor(p->plan, p->on, place) * (double)sum + ct_gemm_addend(p->plan, p->on, place);
    const float x = (float)ct_gemm_activated(d->activation, before);
    if (type == CT_TYPE_HALF) ((uint16_t *)p->on->d)[at] = (uint16_t)ct_half_of_float(x);
    else if (type == CT_TYPE_BFLOAT16)
        ((uint16_t *)p->on->d)[at] = (uint16_t)ct_bfloat16_of_float(x);
    else ((float *)p->on->d)[at] = x;
}

static void do_task(void *user, int64_t task)
{
    const product *const p = user;
    const ct_gemm_plan *const j = p->plan;
    const int64_t top = task / p->panels * BAND, left = task % p->panels * PANEL;
    const int rows = (int)ct_min(BAND, j->m - top), columns = (int)ct_min(PANEL, j->n - left);
    float panel[DEPTH][PANEL], part[ROWS][PANEL];
    const float *row[ROWS];
    sums s;
    memset(&s, 0, sizeof s);
    for (int64_t from = 0; from < j->k; from += DEPTH) {
        const int depth = (int)ct_min(DEPTH, j->k - from);
        turn(p, left, from, depth, panel);
        for (int r = 0; r < rows; r += ROWS) {
            for (int i = 0; i < ROWS;
                 ++i) /* below the last row it is computed again, and left out */
                row[i] = p->a + (top + ct_min(r + i, rows - 1)) * j->k + from;
            multiply(row, (const float(*)[PANEL])panel, depth, part);
            add(p, &s, r, (const float(*)[PANEL])part);
        }
    }
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) finish(p, top + r, left + c, s.f[r][c], s.i[r][c]);
}

/* A or B as contiguous rows of floats; NULL after a message. */
static float *rows_of(const ct_gemm_plan *p, int operand, const void *from, char *message)
{
    const ct_layout *const L = ct_gemm_layout(p, operand);
    const ct_layout to = ct_layout2(L->shape[0], L->shape[1], L->shape[1], 1);
    int ok = 1;
    const int64_t bytes = ct_mul(ct_mul(L->shape[0], L->shape[1], &ok), sizeof(float), &ok);
    float *const rows = ok ? malloc((size_t)bytes) : NULL;
    ct_plan_desc desc = {.backend = CT_BACKEND_CPU};
    ct_plan *plan = NULL;
    if (!rows)
        ct_refuse(message, CT_E_MEMORY, "not enough memory for a matrix of (%lld,%lld)",
                  (long long)L->shape[0], (long long)L->shape[1]);
    if (rows && p->desc.type == CT_TYPE_E4M3) { /* which copies do not convert */
        for (int64_t i = 0; i < L->shape[0]; ++i)
            for (int64_t k = 0; k < L->shape[1]; ++k)
                rows[i * L->shape[1] + k] =
                    (float)ct_gemm_value(from, i * L->stride[0] + k * L->stride[1], CT_TYPE_E4M3);
        return rows;
    }
    desc.src = ct_plan_side_of(*L, p->desc.type);
    desc.dst = ct_plan_side_of(to, CT_TYPE_FLOAT);
    const int bad = !rows || ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message) ||
                    ct_plan_run(plan, rows, from, NULL, message);
    ct_plan_destroy(plan);
    if (!bad) return rows;
    free(rows);
    return NULL;
}

ct_status ct_gemm_run_cpu(const ct_gemm_plan *plan, const ct_gemm_operands *o, char *message)
{
    product p = {plan, o, rows_of(plan, 0, o->a, message), NULL, ct_ceil_div_int(plan->n, PANEL)};
    if (p.a) p.b = rows_of(plan, 1, o->b, message);
    if (p.b) ct_pool_run(ct_pool_threads(), ct_ceil_div_int(plan->m, BAND) * p.panels, do_task, &p);
    const ct_status bad = p.b ? CT_OK : CT_E_MEMORY;
    free(p.a);
    free(p.b);
    return bad;
}

/* ---- one element ----------------------------------------------------------------------------- */

double ct_gemm_value(const void *at, int64_t i, int32_t type)
{
    switch (type) {
        case CT_TYPE_HALF: return (double)ct_float_of_half(((const uint16_t *)at)[i]);
        case CT_TYPE_BFLOAT16: return (double)ct_float_of_bfloat16(((const uint16_t *)at)[i]);
        case CT_TYPE_INT8: return (double)((const int8_t *)at)[i];
        case CT_TYPE_INT32: return (double)((const int32_t *)at)[i];
        case CT_TYPE_E4M3: return (double)ct_float_of_fp8(((const uint8_t *)at)[i], 3);
        default: return (double)((const float *)at)[i];
    }
}

static int64_t place_in_c(const ct_gemm_plan *p, const int64_t *at)
{
    return at[0] * p->desc.c.stride[0] + at[1] * p->desc.c.stride[1];
}

double ct_gemm_factor(const ct_gemm_plan *p, const ct_gemm_operands *o, const int64_t *at)
{
    double x = (double)p->desc.alpha;
    if (p->desc.has_scale_rows) x *= (double)((const float *)o->scale_rows)[at[0]];
    if (p->desc.has_scale_cols) x *= (double)((const float *)o->scale_cols)[at[1]];
    return x;
}

double ct_gemm_addend(const ct_gemm_plan *p, const ct_gemm_operands *o, const int64_t *at)
{
    const double bias = p->desc.has_bias ? (double)((const float *)o->bias)[at[1]] : 0;
    if (p->desc.beta == 0) return bias;
    return (double)p->desc.beta * ct_gemm_value(o->c, place_in_c(p, at), p->type->result) + bias;
}

int32_t ct_gemm_integer(const ct_gemm_plan *p, const ct_gemm_operands *o, const int64_t *at,
                        uint32_t sum)
{
    const ct_gemm_desc *const d = &p->desc;
    uint32_t x = (uint32_t)(int32_t)d->alpha * sum;
    if (d->beta != 0) x += (uint32_t)(int32_t)d->beta * ((const uint32_t *)o->c)[place_in_c(p, at)];
    if (d->has_bias) x += ((const uint32_t *)o->bias)[at[1]];
    return d->activation == CT_ACTIVATION_RELU && (int32_t)x < 0 ? 0 : (int32_t)x;
}

double ct_gemm_activated(int32_t activation, double x)
{
    const double root = 0.79788456080286536; /* of 2 / pi */
    switch (activation) {
        case CT_ACTIVATION_RELU: return x < 0 ? 0 : x;
        case CT_ACTIVATION_GELU: return x / (1 + exp(-2 * root * (x + 0.044715 * x * x * x)));
        case CT_ACTIVATION_SILU: return x / (1 + exp(-x));
        default: return x;
    }
}
