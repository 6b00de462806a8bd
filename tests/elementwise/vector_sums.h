/**
 * The kernels of examples/vector that add: sums, lengths of particles, layer norm; compared with
 * doubles.
 */
#ifndef CUTLET_TESTS_VECTOR_SUMS_H
#define CUTLET_TESTS_VECTOR_SUMS_H

#include "vector_arrays.h"

typedef struct sum_row {
    const char *name;
    int type;
} sum_row;

static const sum_row sum_rows[] = {
    {"sum_float", FLOAT},      {"sum_float_scalar", FLOAT}, {"sum_half", HALF},
    {"sum_half_scalar", HALF}, {"sum_bfloat16", BFLOAT16},  {"read_float", FLOAT},
};

enum { SUM_ROWS = sizeof sum_rows / sizeof *sum_rows };

/** The parts of several blocks, then their sum. Each of n numbers is added after at most n others,
 *  in floats: off by at most n units of the sum of their sizes; far less, as threads add a part
 *  each. */
static inline void check_sums(uint64_t seed, int cases, int64_t most)
{
    for (int k = 0; k < cases * SUM_ROWS; ++k) {
        const sum_row *const row = &sum_rows[k % SUM_ROWS];
        const int e = type_bytes[row->type];
        dice d = dice_of_case(seed, (uint64_t)k);
        const int is_read = strcmp(row->name, "read_float") == 0; /* a piece a block */
        const int64_t n = k < 120 ? 1 + k / SUM_ROWS : dice_int(&d, 1, is_read ? 3 * most : most);
        const int64_t blocks = is_read ? read_blocks(n) : sum_blocks(n, 1);
        unsigned char *const in = numbers(&d, n, row->type, 10, 0);
        guarded from = array_take("src", in, (size_t)(n * e), (size_t)(e * dice_int(&d, 0, 17)));
        guarded parts = array_take("parts", NULL, (size_t)(4 * blocks), 0);
        guarded to = array_take("sum", NULL, 4, 0);
        const sum_args first = {from.at, (float *)(void *)parts.at, n};
        const sum_args second = {parts.at, (float *)(void *)to.at, blocks};
        const guarded arrays[] = {from, parts, to};
        vector_run(row->name, blocks, is_read ? READ_THREADS : SUM_THREADS, &first, sizeof first,
                   arrays, 2);
        vector_run("sum_float", 1, SUM_THREADS, &second, sizeof second, arrays + 1, 2);
        free(array_give(&from, row->name));
        free(array_give(&parts, row->name));
        unsigned char *const out = array_give(&to, row->name);
        double sum = 0, size = 0;
        for (int64_t i = 0; i < n; ++i) {
            sum += number_at(in, i, row->type);
            size += fabs(number_at(in, i, row->type));
        }
        const double found = number_at(out, 0, FLOAT), unit = type_unit(FLOAT);
        if (!(fabs(found - sum) <= (24 + (double)n / SUM_THREADS) * unit * size))
            fail_msg("%s of %lld elements, case %d: %.9g, not %.9g", row->name, (long long)n, k,
                     found, sum);
        free(out);
        free(in);
    }
}

/** Fields side by side, particles side by side, neither; from any address. */
static inline void check_particles(uint64_t seed, int cases, int64_t most)
{
    for (int k = 0; k < cases; ++k) {
        dice d = dice_of_case(seed, (uint64_t)k);
        const int64_t n = k < 12 ? 1 + k / 3 : dice_int(&d, 1, most);
        const int64_t gap = k % 2 ? dice_int(&d, 0, 5) : 0;
        const int64_t step = k % 3 == 0 ? 8 + gap : k % 3 == 1 ? 1 : 2;
        const int64_t field = k % 3 == 0 ? 1 : step * n + gap;
        const int64_t elems = (n - 1) * step + 7 * field + 1;
        unsigned char *const in = numbers(&d, elems, FLOAT, 10, 0);
        guarded from =
            array_take("particles", in, (size_t)(4 * elems), (size_t)(4 * dice_int(&d, 0, 9)));
        guarded to = array_take("lengths", NULL, (size_t)(4 * n), (size_t)(4 * dice_int(&d, 0, 9)));
        const particles_args args = make_particles_args((const float *)(void *)from.at,
                                                        (float *)(void *)to.at, n, step, field);
        const guarded both[] = {from, to};
        vector_run("particle_lengths", particles_blocks(n), PARTICLES_THREADS, &args, sizeof args,
                   both, 2);
        free(array_give(&from, "particle_lengths"));
        unsigned char *const out = array_give(&to, "particle_lengths");
        for (int64_t i = 0; i < n; ++i) {
            double sum = 0;
            for (int j = 0; j < 3; ++j) {
                const double x = number_at(in, i * step + j * field, FLOAT);
                sum += x * x;
            }
            if (!is_near(number_at(out, i, FLOAT), sqrt(sum), FLOAT, 6))
                fail_msg("particle %lld of %lld, strides %lld, %lld: %.9g, not %.9g", (long long)i,
                         (long long)n, (long long)step, (long long)field, number_at(out, i, FLOAT),
                         sqrt(sum));
        }
        free(out);
        free(in);
    }
}

/* ---- layer norm ------------------------------------------------------------------------------ */

static const sum_row norm_rows_of[] = {
    {"layer_norm_float", FLOAT},
    {"layer_norm_half", HALF},
    {"layer_norm_bfloat16", BFLOAT16},
    {"layer_norm_passes_float", FLOAT},
    {"layer_norm_passes_half", HALF},
    {"layer_norm_passes_bfloat16", BFLOAT16},
    {"layer_norm_passes_float_scalar", FLOAT},
    {"layer_norm_passes_half_scalar", HALF},
};

/** Rows of n elements far from 0, where a variance as mean of squares less square of mean fails. */
static inline void check_layer_norm(const sum_row *row, int64_t rows, int64_t n, int64_t gap,
                                    int64_t shift, dice *d)
{
    const int e = type_bytes[row->type];
    const int64_t x_ld = n + gap, y_ld = n + 2 * gap;
    unsigned char *const x = numbers(d, rows * x_ld, row->type, 1, 0);
    unsigned char *const gamma = numbers(d, n, row->type, 2, 0);
    unsigned char *const beta = numbers(d, n, row->type, 2, 0);
    for (int64_t i = 0; i < rows * x_ld; ++i)
        number_put(x, i, row->type, number_at(x, i, row->type) + (double)(10 * (i / x_ld)));
    guarded in = array_take("x", x, (size_t)(((rows - 1) * x_ld + n) * e), (size_t)(shift * e));
    guarded by = array_take("gamma", gamma, (size_t)(n * e), (size_t)(shift / 2 * e));
    guarded and = array_take("beta", beta, (size_t)(n * e), (size_t)(shift / 3 * e));
    guarded to = array_take("y", NULL, (size_t)(((rows - 1) * y_ld + n) * e), (size_t)(shift * e));
    const layer_norm_args args = {in.at, by.at, and.at, to.at, n, x_ld, y_ld, 1e-5f};
    const guarded arrays[] = {in, by, and, to};
    char what[96];
    snprintf(what, sizeof what, "%s, %lld rows of %lld, gap %lld, shift %lld", row->name,
             (long long)rows, (long long)n, (long long)gap, (long long)shift);
    const int one_read = strcmp(row->name, "layer_norm_float") == 0;
    vector_run(row->name, rows, one_read ? LAYER_NORM_FLOAT_THREADS : LAYER_NORM_THREADS, &args,
               sizeof args, arrays, 4);
    free(array_give(&in, what));
    free(array_give(&by, what));
    free(array_give(&and, what));
    unsigned char *const out = array_give(&to, what);
    for (int64_t i = 0; i < rows; ++i) {
        double mean = 0, variance = 0;
        for (int64_t j = 0; j < n; ++j) mean += number_at(x, i * x_ld + j, row->type) / (double)n;
        for (int64_t j = 0; j < n; ++j) {
            const double deviation = number_at(x, i * x_ld + j, row->type) - mean;
            variance += deviation * deviation / (double)n;
        }
        for (int64_t j = 0; j < n; ++j) {
            const double deviation = number_at(x, i * x_ld + j, row->type) - mean;
            const double scaled =
                deviation / sqrt(variance + 1e-5) * number_at(gamma, j, row->type);
            const double right = scaled + number_at(beta, j, row->type);
            const double found = number_at(out, i * y_ld + j, row->type);
            /* The mean is off by some units of the row's size, 10 i + 1; then a rounding of the
             * result. */
            const double of_mean = 8 * (10 * (double)i + 2) / sqrt(variance + 1e-5) *
                                   (1 + fabs(number_at(gamma, j, row->type)));
            const double capacity =
                type_unit(FLOAT) * (of_mean + 16 * (fabs(scaled) + fabs(right)));
            if (!(fabs(found - right) <= capacity + type_unit(row->type) * fabs(right) + 0x1p-25))
                fail_msg("%s: element (%lld,%lld) is %.9g, not %.9g", what, (long long)i,
                         (long long)j, found, right);
        }
        for (int64_t b = (i * y_ld + n) * e; b < (i + 1) * y_ld * e && i + 1 < rows; ++b)
            if (out[b] != POISON)
                fail_msg("%s: the gap after row %lld was written", what, (long long)i);
    }
    free(out);
    free(x);
    free(gamma);
    free(beta);
}

static inline void check_layer_norms(uint64_t seed, const int64_t *sizes, int count)
{
    for (size_t r = 0; r < sizeof norm_rows_of / sizeof *norm_rows_of; ++r) {
        for (int k = 0; k < count; ++k) {
            dice d = dice_of_case(seed, (uint64_t)k * 10 + r);
            check_layer_norm(&norm_rows_of[r], 3, sizes[k], 0, 0, &d);
            const int64_t gap = dice_int(&d, 1, 9), shift = dice_int(&d, 0, 9);
            check_layer_norm(&norm_rows_of[r], 3, sizes[k], gap, shift, &d);
        }
    }
}

#endif
