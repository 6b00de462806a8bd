/**
 * The attention example against its definition in doubles, for whoever runs kernels.
 */
#ifndef TESTS_ATTENTION_CASES_H
#define TESTS_ATTENTION_CASES_H

#include "test.h"

#include <math.h>

#include <cutlet/device/element/element.h>
#include <cutlet/host/grid.h>
#include <cutlet/host/tma.h>

#include "../../examples/attention/attention.h"
#include "dice.h"

enum { ATTENTION_GUARD = 512, ATTENTION_POISON = 0x7fc1 }; /* a NaN */

/* Q, K, V or O: (heads, rows, d) of bfloat16, between guards. */
typedef struct attention_operand {
    uint16_t *memory, *first;
    int64_t rows, elems;
} attention_operand;

typedef struct attention_case {
    int64_t heads, m, n, d;
    int is_causal;
} attention_case;

/* Runs a case where the test runs kernels. */
typedef void attention_run(const attention_case *c, const char *name, const attention_operand *o);

static dice attention_dice = {7};

/* About from -2 to 2, most of them small. */
static float attention_number(void)
{
    float sum = 0;
    for (int i = 0; i < 4; ++i)
        sum += (float)dice_int(&attention_dice, 0, (1 << 24) - 1) / (1 << 24) - 0.5f;
    return sum;
}

static attention_operand attention_operand_of(const attention_case *c, int64_t rows, int filled)
{
    attention_operand o = {.rows = rows, .elems = c->heads * rows * c->d};
    const int64_t all = o.elems + 2 * ATTENTION_GUARD;
    o.memory = aligned_alloc(256, (size_t)(2 * all + 255) / 256 * 256);
    assert_non_null(o.memory);
    o.first = o.memory + ATTENTION_GUARD;
    for (int64_t i = 0; i < all; ++i) o.memory[i] = ATTENTION_POISON;
    for (int64_t i = 0; filled && i < o.elems; ++i)
        o.first[i] = (uint16_t)ct_bfloat16_of_float(3 * attention_number());
    return o;
}

/* The descriptor of an operand, of which a launch moves boxes of this many rows. */
static inline ct_tma_desc attention_desc(const attention_case *c, const attention_operand *o,
                                         int64_t box)
{
    const ct_layout L = ct_layout3(o->rows, c->d, c->heads, c->d, 1, o->rows * c->d);
    return ct_make_tma_desc(L, ct_tuple3(box, 64, 1), CT_ELEM_BF16, CT_TMA_SWIZZLE_128B,
                            (uint64_t)(uintptr_t)o->first);
}

static inline attention_args attention_args_of(const attention_case *c, const attention_operand *o)
{
    attention_args args;
    memset(&args, 0, sizeof args);
    args.o = ct_make_global(o->first, 16, ct_layout3(c->m, c->d, c->heads, c->d, 1, c->m * c->d));
    assert_int_equal(args.o.err.status, CT_OK);
    args.n = (int32_t)c->n;
    args.scale = 1 / sqrtf((float)c->d);
    return args;
}

static double attention_at(const attention_operand *o, const attention_case *c, int64_t head,
                           int64_t row, int64_t i)
{
    return ct_float_of_bfloat16(o->first[(head * o->rows + row) * c->d + i]);
}

/* A row of O in doubles. */
static void attention_row(const attention_case *c, const attention_operand *o, int64_t head,
                          int64_t row, double *out)
{
    const int64_t keys = c->is_causal && row + 1 < c->n ? row + 1 : c->n;
    double *const weight = malloc(sizeof *weight * (size_t)keys);
    double max = -INFINITY, sum = 0;
    assert_non_null(weight);
    for (int64_t k = 0; k < keys; ++k) {
        double score = 0;
        for (int64_t i = 0; i < c->d; ++i)
            score += attention_at(&o[0], c, head, row, i) * attention_at(&o[1], c, head, k, i);
        weight[k] = score / sqrt((double)c->d);
        max = fmax(max, weight[k]);
    }
    for (int64_t k = 0; k < keys; ++k) sum += weight[k] = exp(weight[k] - max);
    for (int64_t i = 0; i < c->d; ++i) {
        out[i] = 0;
        for (int64_t k = 0; k < keys; ++k)
            out[i] += weight[k] / sum * attention_at(&o[2], c, head, k, i);
    }
    free(weight);
}

/* Each element is off by 2^-7 of its row's largest at most: weights and results are rounded to 8 bits. */
static void check_attention(const attention_case *c, const char *name, const attention_operand *o)
{
    double want[128];
    for (int64_t head = 0; head < c->heads; ++head)
        for (int64_t row = 0; row < c->m; ++row) {
            double most = 0;
            attention_row(c, o, head, row, want);
            for (int64_t i = 0; i < c->d; ++i) most = fmax(most, fabs(want[i]));
            for (int64_t i = 0; i < c->d; ++i) {
                const double got = attention_at(&o[3], c, head, row, i);
                if (!(fabs(got - want[i]) <= 0x1p-7 * most))
                    fail_msg("%s, %d heads of %d rows, %d keys: head %d, row %d, %d: %g, not %g",
                             name, (int)c->heads, (int)c->m, (int)c->n, (int)head, (int)row, (int)i,
                             got, want[i]);
            }
        }
    for (int64_t i = 0; i < ATTENTION_GUARD; ++i)
        if (o[3].memory[i] != ATTENTION_POISON || o[3].first[o[3].elems + i] != ATTENTION_POISON)
            fail_msg("%s writes outside of O", name);
}

static const attention_case attention_cases[] = {
    {1, 128, 176, 128, 0}, {1, 1, 1, 64, 1},      {2, 70, 200, 64, 0},  {1, 130, 130, 128, 1},
    {2, 257, 400, 64, 1},  {1, 300, 353, 128, 0}, {3, 129, 353, 128, 1}};
enum { ATTENTION_CASES = sizeof attention_cases / sizeof *attention_cases };

static void every_attention(attention_run *run, int count)
{
    for (int k = 0; k < count; ++k) {
        const attention_case *const c = &attention_cases[k];
        attention_operand o[4];
        char name[40];
        snprintf(name, sizeof name, "attention_%d%s", (int)c->d, c->is_causal ? "_causal" : "");
        for (int i = 0; i < 4; ++i)
            o[i] = attention_operand_of(c, i == 0 || i == 3 ? c->m : c->n, i < 3);
        run(c, name, o);
        check_attention(c, name, o);
        for (int i = 0; i < 4; ++i) free(o[i].memory);
    }
}

#endif
