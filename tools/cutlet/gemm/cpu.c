/* cutlet gemm: the product by the CPU, in floats. int8 is exact: DEPTH products are summed as
 * floats, which hold integers of up to 2^24, and then as int32.
 *
 * A task computes BAND rows of PANEL columns. It goes along k by DEPTH: so much of the panel of B,
 * turned so that its columns are side by side, stays in the first cache, and the band of A in the
 * second. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pool.h"
#include <cutlet/device/element/element.h>
#include "gemm.h"

enum { BAND = 128, ROWS = 4, PANEL = 8, DEPTH = 256 };

_Static_assert(DEPTH * 128 * 128 <= 1 << 24, "the sums of a step are exact");

typedef struct product {
    const ct_gemm_job *job;
    ct_gemm_rows a, b; /* floats */
    int64_t panels;
} product;

/* The sums of a task: of floats, and of int8 modulo 2^32. */
typedef struct sums {
    float f[BAND][PANEL];
    uint32_t i[BAND][PANEL];
} sums;

static void turn(const product *p, int64_t column, int64_t from, int depth, float (*panel)[PANEL])
{
    const float *const b = p->b.at;
    for (int c = 0; c < PANEL; ++c)
        for (int k = 0; k < depth; ++k)
            panel[k][c] = column + c < p->job->n ? b[(column + c) * p->b.step + from + k] : 0;
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
    const int exact = p->job->type->type == CT_TYPE_INT8;
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < PANEL; ++c)
            if (exact) s->i[first + r][c] += (uint32_t)(int32_t)part[r][c];
            else s->f[first + r][c] += part[r][c];
}

/* Element (i,j) of D from its sum. */
static void finish(const ct_gemm_job *j, int64_t row, int64_t column, float sum, uint32_t exact)
{
    const int64_t place[] = {row, column}, at = row * j->n + column;
    const int type = j->type->type;
    if (type == CT_TYPE_INT8) {
        ((int32_t *)j->d)[at] = ct_gemm_integer(j, place, exact);
        return;
    }
    const double before = ct_gemm_factor(j, place) * (double)sum + ct_gemm_addend(j, place);
    const float x = (float)ct_gemm_activated(j->activation, before);
    if (type == CT_TYPE_HALF) ((uint16_t *)j->d)[at] = (uint16_t)ct_half_of_float(x);
    else if (type == CT_TYPE_BFLOAT16) ((uint16_t *)j->d)[at] = (uint16_t)ct_bfloat16_of_float(x);
    else ((float *)j->d)[at] = x;
}

static void do_task(void *user, int64_t task)
{
    const product *const p = user;
    const ct_gemm_job *const j = p->job;
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
                row[i] =
                    (const float *)p->a.at + (top + ct_min(r + i, rows - 1)) * p->a.step + from;
            multiply(row, (const float(*)[PANEL])panel, depth, part);
            add(p, &s, r, (const float(*)[PANEL])part);
        }
    }
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) finish(j, top + r, left + c, s.f[r][c], s.i[r][c]);
}

ct_status ct_gemm_on_cpu(ct_gemm_job *j, ct_gemm_result *run, char *error)
{
    product p = {j, {NULL, 0, 0}, {NULL, 0, 0}, ct_ceil_div_int(j->n, PANEL)};
    const int32_t threads = ct_pool_threads();
    ct_status bad = ct_gemm_arrange(&j->a, j->type->type, 16, &p.a, error);
    if (!bad) bad = ct_gemm_arrange(&j->b, j->type->type, 16, &p.b, error);
    const double begin = ct_now();
    if (!bad) ct_pool_run(threads, ct_ceil_div_int(j->m, BAND) * p.panels, do_task, &p);
    run->seconds = ct_now() - begin;
    ct_one_line(run->where, sizeof run->where, "on the CPU, %d thread%s", threads,
                threads == 1 ? "" : "s");
    free(p.a.at);
    free(p.b.at);
    return bad;
}
