/* Elements, and results compared with what they have to be, computed in double. */
#include "values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_BYTES = 1 << 22 };

/* How far a result may be off. A copy, ReLU and the sum of multiples of 1/16 are exact. GELU has a
 * fast exponential and a fast division; layer norm sums of floats and a fast root; half rounds to
 * 11 bits, bfloat16 to 8. */
static void set_tolerance(const vector_case *c, double *relative, double *absolute)
{
    const int exact = c->what == VECTOR_COPY || c->what == VECTOR_RELU || vector_adds(c);
    *relative = exact ? 0 : c->what == VECTOR_GELU ? 1e-5 : 2e-5;
    *absolute = exact ? 0 : c->what == VECTOR_GELU ? 1e-6 : 2e-5;
    if (!exact && c->type == VECTOR_HALF) *relative += 1.0 / 2048;
    if (!exact && c->type == VECTOR_BFLOAT16) *relative += 1.0 / 256;
}

void vector_tolerance(const vector_case *c, char *text, size_t size)
{
    double relative, absolute;
    set_tolerance(c, &relative, &absolute);
    if (relative > 0) snprintf(text, size, "within %.2g |y| + %.2g", relative, absolute);
    else snprintf(text, size, "exact");
}

/* ---- elements -------------------------------------------------------------------------------- */

/* A number that half holds, or is rounded to: the sign, 5 bits of exponent, 10 of fraction. */
static uint32_t half_bits(double x)
{
    const uint32_t sign = x < 0 ? 0x8000 : 0;
    int exponent = 0;
    if (x == 0) return sign;
    const double fraction = frexp(fabs(x), &exponent); /* from 1/2 to 1 */
    return sign + ((uint32_t)(exponent + 14) << 10) + (uint32_t)lrint(ldexp(fraction - 0.5, 11));
}

static double half_value(uint32_t bits)
{
    const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 31) return fraction ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static uint32_t elem_bits(const vector_case *c, double x)
{
    const float f = (float)x;
    uint32_t bits;
    if (c->type == VECTOR_HALF) return half_bits(x);
    memcpy(&bits, &f, sizeof bits);
    return c->type == VECTOR_BFLOAT16 ? bits >> 16 : bits; /* what the values are exactly */
}

/* The code of element i. */
static uint32_t code_of(const vector_values *v, int64_t i)
{
    return (uint32_t)(bench_hash((uint64_t)i / 4) >> 16 * (i & 3)) & v->mask;
}

static double get(const vector_values *v, const unsigned char *at)
{
    float f;
    uint16_t half;
    if (v->c->type != VECTOR_FLOAT) {
        memcpy(&half, at, sizeof half);
        if (v->c->type == VECTOR_HALF) return half_value(half);
        const uint32_t bits = (uint32_t)half << 16;
        memcpy(&f, &bits, sizeof f);
        return f;
    }
    memcpy(&f, at, sizeof f);
    return f;
}

static void put(const vector_values *v, int64_t first, int64_t count, unsigned char *to)
{
    const int32_t bytes = vector_elem_bytes(v->c);
    for (int64_t i = 0; i < count; ++i) {
        const uint32_t bits = v->bits[code_of(v, first + i)];
        const uint16_t half = (uint16_t)bits;
        if (bytes == 2) memcpy(to + 2 * i, &half, 2);
        else memcpy(to + 4 * i, &bits, 4);
    }
}

static void put_doubles(const vector_values *v, const double *from, int64_t count,
                        unsigned char *to)
{
    const int32_t bytes = vector_elem_bytes(v->c);
    for (int64_t i = 0; i < count; ++i) {
        const uint32_t bits = elem_bits(v->c, from[i]);
        const uint16_t half = (uint16_t)bits;
        if (bytes == 2) memcpy(to + 2 * i, &half, 2);
        else memcpy(to + 4 * i, &bits, 4);
    }
}

/* ---- results --------------------------------------------------------------------------------- */

static double result_of(const vector_case *c, double x)
{
    const double u = sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x);
    if (c->what == VECTOR_GELU) return 0.5 * x * (1 + tanh(u));
    if (c->what == VECTOR_RELU) return x < 0 ? 0 : x;
    return x;
}

/* The value of a code: of 2^16 floats, 2^11 halves or, of bfloat16 and of a sum, 2^8 values. */
static double value_of(const vector_values *v, int32_t code)
{
    if (vector_adds(v->c)) return (code & 128 ? -1 : 1) * (code & 127) / 16.0;
    if (v->c->type == VECTOR_BFLOAT16) return (code - 128) / 16.0;
    return v->c->type == VECTOR_HALF ? (code - 1024) / 128.0 : (code - 32768) / 4096.0;
}

static double sum_of(const vector_values *v, int64_t first, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += v->value[code_of(v, first + i)];
    return sum;
}

static void norm(const vector_values *v, int64_t first)
{
    double *const right = v->normed, sum = 0, squares = 0;
    for (int32_t i = 0; i < v->row; ++i) sum += right[i] = v->value[code_of(v, first + i)];
    const double mean = sum / v->row;
    for (int32_t i = 0; i < v->row; ++i) squares += (right[i] - mean) * (right[i] - mean);
    const double scale = 1 / sqrt(squares / v->row + 1e-5);
    for (int32_t i = 0; i < v->row; ++i)
        right[i] = (right[i] - mean) * scale * v->gamma[i] + v->beta[i];
}

vector_values *vector_values_make(const vector_case *c, int32_t row)
{
    vector_values *const v = calloc(1, sizeof *v);
    if (!v) return NULL;
    v->c = c;
    v->row = row;
    v->mask = vector_adds(c) || c->type == VECTOR_BFLOAT16 ? 255
              : c->type == VECTOR_HALF                     ? 2047
                                                           : VECTOR_CODES - 1;
    set_tolerance(c, &v->relative, &v->absolute);
    for (int32_t code = 0; code <= (int32_t)v->mask; ++code) {
        v->value[code] = value_of(v, code);
        v->result[code] = result_of(c, v->value[code]);
        v->bits[code] = elem_bits(c, v->value[code]);
    }
    if (row == 0) return v;
    v->gamma = malloc(3 * (size_t)row * sizeof *v->gamma);
    v->beta = v->gamma ? v->gamma + row : NULL;
    v->normed = v->gamma ? v->gamma + 2 * row : NULL;
    for (int32_t i = 0; v->gamma && i < row; ++i) { /* 0.5 to 1.5, and -1 to 1, as halves too */
        const uint64_t bits = bench_hash(~(uint64_t)i);
        v->gamma[i] = 0.5 + (double)(bits & 255) / 256;
        v->beta[i] = (double)(bits >> 8 & 511) / 256 - 1;
    }
    if (v->gamma) return v;
    free(v);
    return NULL;
}

void vector_values_free(vector_values *v)
{
    if (!v) return;
    free(v->gamma);
    free(v);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

void vector_put_x(const void *user, int64_t set, int64_t at, int64_t bytes, unsigned char *to)
{
    const vector_operands *const s = user;
    const int32_t elem = vector_elem_bytes(s->v->c);
    put(s->v, set * s->elements + at / elem, bytes / elem, to);
}

void vector_put_gamma(const void *user, int64_t set, int64_t at, int64_t bytes, unsigned char *to)
{
    const vector_values *const v = user;
    const int32_t elem = vector_elem_bytes(v->c);
    (void)set;
    put_doubles(v, v->gamma + at / elem, bytes / elem, to);
}

void vector_put_beta(const void *user, int64_t set, int64_t at, int64_t bytes, unsigned char *to)
{
    const vector_values *const v = user;
    const int32_t elem = vector_elem_bytes(v->c);
    (void)set;
    put_doubles(v, v->beta + at / elem, bytes / elem, to);
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
    const vector_operands *const s = user;
    const int32_t elem = vector_elem_bytes(s->v->c);
    for (int64_t i = at / elem; i < (at + bytes) / elem; ++i) {
        const double right = s->v->result[code_of(s->v, set * s->elements + i)];
        const double got = get(s->v, found + i * elem - at);
        if (!is_near(s->v, got, right)) return complain(wrong, i, got, right);
    }
    return 1;
}

static int check_rows(const void *user, int64_t set, int64_t at, int64_t bytes,
                      const unsigned char *found, char wrong[BENCH_WRONG])
{
    const vector_operands *const s = user;
    const vector_values *const v = s->v;
    const int32_t elem = vector_elem_bytes(v->c);
    for (int64_t first = at / elem; first < (at + bytes) / elem; first += v->row) {
        norm(v, set * s->elements + first);
        for (int64_t i = first; i < first + v->row; ++i) {
            const double got = get(v, found + i * elem - at);
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
    const vector_operands *const s = user;
    const double right = sum_of(s->v, set * s->elements, s->elements);
    double got = 0;
    (void)at;
    for (int64_t i = 0; i < bytes; i += 4) got += get(s->v, found + i);
    return got == right ? 1 : complain(wrong, 0, got, right);
}

bench_right vector_right(const vector_operands *s)
{
    const vector_case *const c = s->v->c;
    const int64_t row = s->v->row * vector_elem_bytes(c);
    if (vector_adds(c)) return (bench_right){check_sum, s, vector_result_bytes(c, s->elements)};
    if (row) return (bench_right){check_rows, s, ct_max(1, ROWS_BYTES / row) * row};
    return (bench_right){check_elements, s, 0};
}
