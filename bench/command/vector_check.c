/* Results compared: parts of an element-wise one, whole rows, or all that a sum writes. */
#include "vector_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { ROWS_BYTES = 1 << 22 };

void vector_put_x(const void *user, int64_t set, int64_t at, int64_t bytes, unsigned char *to)
{
    const vector_subject *const s = user;
    const int32_t elem = vector_elem_bytes(s->v->c);
    vector_put(s->v, set * s->elements + at / elem, bytes / elem, to);
}

void vector_put_gamma(const void *user, int64_t set, int64_t at, int64_t bytes, unsigned char *to)
{
    const vector_values *const v = user;
    const int32_t elem = vector_elem_bytes(v->c);
    (void)set;
    vector_put_doubles(v, v->gamma + at / elem, bytes / elem, to);
}

void vector_put_beta(const void *user, int64_t set, int64_t at, int64_t bytes, unsigned char *to)
{
    const vector_values *const v = user;
    const int32_t elem = vector_elem_bytes(v->c);
    (void)set;
    vector_put_doubles(v, v->beta + at / elem, bytes / elem, to);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* 1 when a result is near enough; a NaN is not. */
static int is_near(const vector_values *v, double found, double right)
{
    return fabs(found - right) <= v->relative * fabs(right) + v->absolute;
}

static int complain(char *wrong, int64_t i, double found, double right)
{
    snprintf(wrong, BENCH_WRONG, "result %" PRId64 " is %.9g and has to be %.9g", i, found, right);
    return 0;
}

/* A function of each element. */
static int check_elements(const void *user, int64_t set, int64_t at, int64_t bytes,
                          const unsigned char *found, char wrong[BENCH_WRONG])
{
    const vector_subject *const s = user;
    const int32_t elem = vector_elem_bytes(s->v->c);
    for (int64_t i = at / elem; i < (at + bytes) / elem; ++i) {
        const double right = s->v->result[vector_code(s->v, set * s->elements + i)];
        const double got = vector_get(s->v, found + i * elem - at);
        if (!is_near(s->v, got, right)) return complain(wrong, i, got, right);
    }
    return 1;
}

static int check_rows(const void *user, int64_t set, int64_t at, int64_t bytes,
                      const unsigned char *found, char wrong[BENCH_WRONG])
{
    const vector_subject *const s = user;
    const vector_values *const v = s->v;
    const int32_t elem = vector_elem_bytes(v->c);
    for (int64_t first = at / elem; first < (at + bytes) / elem; first += v->row) {
        vector_norm(v, set * s->elements + first, v->normed);
        for (int64_t i = first; i < first + v->row; ++i) {
            const double got = vector_get(v, found + i * elem - at);
            if (!is_near(v, got, v->normed[i - first]))
                return complain(wrong, i, got, v->normed[i - first]);
        }
    }
    return 1;
}

/* The sum, or the sums of all pieces: each is exact, and so is theirs. */
static int check_sum(const void *user, int64_t set, int64_t at, int64_t bytes,
                     const unsigned char *found, char wrong[BENCH_WRONG])
{
    const vector_subject *const s = user;
    const double right = vector_sum(s->v, set * s->elements, s->elements);
    double got = 0;
    (void)at;
    for (int64_t i = 0; i < bytes; i += 4) got += vector_get(s->v, found + i);
    return got == right ? 1 : complain(wrong, 0, got, right);
}

bench_right vector_right(const vector_subject *s)
{
    const vector_case *const c = s->v->c;
    const int64_t row = s->v->row * vector_elem_bytes(c);
    if (vector_adds(c))
        return (bench_right){check_sum, s, vector_result_bytes(c, s->elements)};
    if (row) return (bench_right){check_rows, s, ct_max(1, ROWS_BYTES / row) * row};
    return (bench_right){check_elements, s, 0};
}
