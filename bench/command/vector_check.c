/* Results compared. */
#include "vector_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PART = 1 << 20, SUMS = 1024 }; /* elements */

/* 1 when a result is near enough; a NaN is not. */
static int is_near(const vector_values *v, double found, double right)
{
    return fabs(found - right) <= v->relative * fabs(right) + v->absolute;
}

static int complain(char *wrong, int64_t i, double found, double right)
{
    snprintf(wrong, VECTOR_WRONG_TEXT, "result %" PRId64 " is %.9g and has to be %.9g", i, found,
             right);
    return 0;
}

/* A function of each element. */
static int check_part(const vector_values *v, int64_t first, int64_t at, int64_t n,
                      const unsigned char *found, char *wrong)
{
    const int32_t bytes = vector_elem_bytes(v->c);
    for (int64_t i = 0; i < n; ++i) {
        const double right = v->result[vector_code(v, first + at + i)];
        const double got = vector_get(v, found + i * bytes);
        if (!is_near(v, got, right)) return complain(wrong, at + i, got, right);
    }
    return 1;
}

/* Whole rows. */
static int check_rows(const vector_values *v, int64_t first, int64_t at, int64_t n,
                      const unsigned char *found, double *right, char *wrong)
{
    const int32_t bytes = vector_elem_bytes(v->c);
    for (int64_t row = 0; row < n; row += v->row) {
        vector_norm(v, first + at + row, right);
        for (int32_t i = 0; i < v->row; ++i) {
            const double got = vector_get(v, found + (row + i) * bytes);
            if (!is_near(v, got, right[i])) return complain(wrong, at + row + i, got, right[i]);
        }
    }
    return 1;
}

/* The sum, or the sums of all pieces. */
static int check_sum(const vector_values *v, int64_t first, int64_t elements,
                     const vector_source *from, char *wrong)
{
    unsigned char found[4 * SUMS];
    const int64_t bytes = vector_result_bytes(v->c, elements);
    const double right = vector_sum(v, first, elements);
    double got = 0; /* each sum is exact, and so is theirs */
    for (int64_t at = 0; at < bytes; at += (int64_t)sizeof found) {
        const int64_t n = ct_min((int64_t)sizeof found, bytes - at);
        if (from->read(from->user, at, n, found)) return -1;
        for (int64_t i = 0; i < n; i += 4) got += vector_get(v, found + i);
    }
    return got == right ? 1 : complain(wrong, 0, got, right);
}

int vector_check(const vector_values *v, int64_t first, int64_t elements, const vector_source *from,
                 char wrong[VECTOR_WRONG_TEXT])
{
    if (vector_adds(v->c)) return check_sum(v, first, elements, from, wrong);
    const int32_t bytes = vector_elem_bytes(v->c);
    const int64_t part = v->row ? ct_max(1, PART / v->row) * v->row : PART;
    unsigned char *const found = malloc((size_t)(part * bytes));
    double *const right = malloc(((size_t)v->row + 1) * sizeof *right);
    int status = found && right ? 1 : -1;
    for (int64_t at = 0; at < elements && status == 1; at += part) {
        const int64_t n = ct_min(part, elements - at);
        if (from->read(from->user, at * bytes, n * bytes, found)) status = -1;
        else if (v->row) status = check_rows(v, first, at, n, found, right, wrong);
        else status = check_part(v, first, at, n, found, wrong);
    }
    free(right);
    free(found);
    return status;
}

int vector_check_untouched(int64_t at, int64_t bytes, const vector_source *from,
                           char wrong[VECTOR_WRONG_TEXT])
{
    unsigned char found[1024];
    for (int64_t done = 0; done < bytes; done += (int64_t)sizeof found) {
        const int64_t n = ct_min((int64_t)sizeof found, bytes - done);
        if (from->read(from->user, at + done, n, found)) return -1;
        for (int64_t i = 0; i < n; ++i) {
            if (found[i] == VECTOR_BEFORE) continue;
            snprintf(wrong, VECTOR_WRONG_TEXT, "byte %" PRId64 ", beside the result, was written",
                     at + done + i);
            return 0;
        }
    }
    return 1;
}
