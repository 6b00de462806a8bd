/* Kernels by narrow and wide accesses on the CPU grid: what they ask of memory. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "copy/whole_file.h"
#include "kernels.h"
#include "progress.h"
#include "vector_check.h"
#include "vector_run.h"

enum { GUARD = 256, ARRAY_BYTES = 64 << 10, NORM_ROWS = 4, ODD_ELEMENTS = 1003, ODD_ROW = 251 };
enum { PROCESSORS = 1 };

/* The arrays of one launch, on the host. */
typedef struct place {
    const vector_values *v;
    unsigned char *x, *y, *gamma, *beta; /* memory; y behind a guard */
    float *parts;
    int64_t elements, x_bytes, y_bytes;
    int32_t x_shift, y_shift; /* bytes */
} place;

static size_t rounded(int64_t bytes)
{
    return (size_t)((bytes + GUARD - 1) / GUARD * GUARD) + 2 * GUARD;
}

static void drop(place *p)
{
    free(p->parts);
    free(p->beta);
    free(p->gamma);
    free(p->y);
    free(p->x);
}

static int take(place *p)
{
    const int32_t bytes = vector_elem_bytes(p->v->c), row = p->v->row;
    p->x = aligned_alloc(GUARD, rounded(p->x_bytes));
    p->y = aligned_alloc(GUARD, rounded(p->y_bytes));
    p->gamma = aligned_alloc(GUARD, rounded(row * bytes));
    p->beta = aligned_alloc(GUARD, rounded(row * bytes));
    p->parts = aligned_alloc(GUARD, rounded(VECTOR_PARTS * sizeof(float)));
    if (!p->x || !p->y || !p->gamma || !p->beta || !p->parts) return -1;
    vector_put(p->v, 0, p->elements, p->x + p->x_shift);
    memset(p->y, VECTOR_BEFORE, rounded(p->y_bytes));
    vector_put_doubles(p->v, p->v->gamma, row, p->gamma + p->x_shift);
    vector_put_doubles(p->v, p->v->beta, row, p->beta + p->x_shift);
    return 0;
}

static int read_result(void *user, int64_t at, int64_t bytes, unsigned char *to)
{
    const place *const p = user;
    memcpy(to, p->y + GUARD + p->y_shift + at, (size_t)bytes);
    return 0;
}

/* Compares the results and what lies beside them; as vector_check. */
static int verify(place *p, char wrong[VECTOR_WRONG_TEXT])
{
    const vector_source from = {read_result, p};
    const int64_t all = (int64_t)rounded(p->y_bytes) - GUARD - p->y_shift;
    int status = vector_check_untouched(-GUARD - p->y_shift, GUARD + p->y_shift, &from, wrong);
    if (status == 1) status = vector_check(p->v, 0, p->elements, &from, wrong);
    if (status == 1) status = vector_check_untouched(p->y_bytes, all - p->y_bytes, &from, wrong);
    return status;
}

/* Runs the launches and adds up what they count. 0, or -1 and one line. */
static int launch(place *p, vector_result *result, char error[CT_CUDA_LINE])
{
    const int32_t bytes = vector_elem_bytes(p->v->c), row = p->v->row;
    unsigned char *const x = p->x + p->x_shift, *const y = p->y + GUARD + p->y_shift;
    unsigned char *const gamma = p->gamma + p->x_shift, *const beta = p->beta + p->x_shift;
    const ct_grid_buffer buffers[] = {{"x", x, (size_t)p->x_bytes, 0, p->x_shift},
                                      {"y", y, (size_t)p->y_bytes, 1, p->y_shift},
                                      {"parts", p->parts, VECTOR_PARTS * sizeof(float), 1, 0},
                                      {"gamma", gamma, (size_t)(row * bytes), 0, p->x_shift},
                                      {"beta", beta, (size_t)(row * bytes), 0, p->x_shift}};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = row ? 5 : 3};
    const vector_arrays arrays = {x, gamma, beta, y, p->parts, p->elements, row};
    vector_launch l[2];
    const int32_t count = vector_launches(p->v->c, &arrays, PROCESSORS, l);
    for (int32_t i = 0; i < count; ++i) {
        ct_grid_report report;
        const int status = ct_grid_launch(vector_kernel(l[i].kernel), l[i].grid, l[i].block, 0,
                                          &l[i].args, l[i].args_bytes, &options, &report);
        if (status) ct_one_line(error, CT_CUDA_LINE, "%s", report.message);
        result->instructions += report.global.instructions;
        result->requests += report.global.requests;
        result->sectors += report.global.sectors;
        ct_grid_report_free(&report);
        if (status) return -1;
    }
    return 0;
}

/* One launch, compared: over arrays at odd addresses, or of which the source begins so many bytes
 * past an aligned one; as vector_check, and one line where that is -1. */
static int run(const vector_case *c, int64_t elements, int32_t row, int odd, int32_t shift,
               vector_result *result, char wrong[VECTOR_WRONG_TEXT], char error[CT_CUDA_LINE])
{
    vector_values *const v = vector_values_make(c, row);
    place p;
    int status = -1;
    memset(&p, 0, sizeof p);
    if (!v) return ct_one_line(error, CT_CUDA_LINE, "out of memory");
    p.v = v;
    p.elements = elements;
    p.x_bytes = elements * vector_elem_bytes(c);
    p.y_bytes = vector_result_bytes(c, elements);
    p.x_shift = odd ? vector_elem_bytes(c) : shift;
    p.y_shift = odd && !vector_adds(c) ? 3 * vector_elem_bytes(c) : 0;
    if (take(&p)) ct_one_line(error, CT_CUDA_LINE, "out of memory");
    else if (launch(&p, result, error) == 0) status = verify(&p, wrong);
    if (status < 0 && !error[0]) ct_one_line(error, CT_CUDA_LINE, "out of memory");
    drop(&p);
    vector_values_free(v);
    return status;
}

/* 0; 1 when a result is wrong, after a line; or -1. */
static int count_case(vector_run *r, int32_t at, int32_t asked, char error[CT_CUDA_LINE])
{
    const vector_case *const c = &vector_cases[at];
    const int norm = c->what == VECTOR_NORM;
    const int32_t row = vector_group_of(c)->row, shift = (int32_t)vector_shift(c, asked);
    vector_result odd, *const result = &r->result[at];
    char wrong[VECTOR_WRONG_TEXT] = "";
    memset(&odd, 0, sizeof odd);
    result->elements = norm ? NORM_ROWS * row : ARRAY_BYTES / vector_elem_bytes(c);
    int status = run(c, norm ? NORM_ROWS * ODD_ROW : ODD_ELEMENTS, norm ? ODD_ROW : 0, 1, 0,
                     &odd, wrong, error);
    if (status == 1) status = run(c, result->elements, row, 0, shift, result, wrong, error);
    result->status = status == 1 ? VECTOR_RIGHT : VECTOR_WRONG;
    if (status != 0) return status < 0 ? -1 : 0;
    bench_tell_end();
    ct_cli_complain("bench", "%s: %s", c->kernel, wrong);
    return 1;
}

/* Groups of layer norm differ by the number of rows, which here is the same: one is enough. */
static int is_repeated(const vector_case *c, const vector_wish *wish)
{
    const vector_group *const g = vector_group_of(c);
    return g->row && !g->rows_fixed && vector_is_wanted(wish->only, "layer-norm");
}

int vector_count(vector_run *r, const vector_wish *wish, char error[CT_CUDA_LINE])
{
    int status = 0;
    error[0] = 0;
    r->shift = wish->shift;
    for (int32_t i = 0; i < vector_case_count && status >= 0; ++i) {
        const vector_case *const c = &vector_cases[i];
        if (!vector_is_asked(wish, c) || is_repeated(c, wish)) continue;
        bench_tell("%s, %s, on the CPU grid", c->group, c->kernel);
        const int wrong = count_case(r, i, wish->shift, error);
        status = wrong < 0 ? -1 : status | wrong;
    }
    bench_tell_end();
    return status;
}
