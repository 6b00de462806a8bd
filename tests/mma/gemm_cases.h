/**
 * The GEMM examples at extents, leading dimensions and addresses that fit no tile: integers, whose sums
 * are exact in every type, against loops; memory around D stays as it is.
 */
#ifndef CUTLET_TESTS_GEMM_CASES_H
#define CUTLET_TESTS_GEMM_CASES_H

#include "test.h"

#include <math.h>

#include <cutlet/device/element/element.h>

#include "../../device/gemm/mma_sync.h"
#include "../../device/gemm/simt.h"
#include "dice.h"

/* How a kernel's elements are written: of A and B, of C and D. */
typedef struct gemm_type {
    const char *kernel;
    int32_t bits, result_bits;
    uint32_t (*write)(float), (*write_result)(float);
    float (*read)(uint32_t), (*read_result)(uint32_t);
    int32_t threads, shared_bytes; /* of a block */
} gemm_type;

static uint32_t write_int(float x) { return (uint32_t)(int32_t)x; }
static float read_int8(uint32_t bits) { return (float)(int8_t)(uint8_t)bits; }
static float read_int(uint32_t bits) { return (float)(int32_t)bits; }

static const gemm_type types[] = {
    {"gemm_half", 16, 16, ct_half_of_float, ct_half_of_float, ct_float_of_half, ct_float_of_half,
     GEMM_THREADS, GEMM_SHARED_BYTES},
    {"gemm_bfloat16", 16, 16, ct_bfloat16_of_float, ct_bfloat16_of_float, ct_float_of_bfloat16,
     ct_float_of_bfloat16, GEMM_THREADS, GEMM_SHARED_BYTES},
    {"gemm_float", 32, 32, ct_bits_of_float, ct_bits_of_float, ct_float_of_bits, ct_float_of_bits,
     GEMM_THREADS, GEMM_SHARED_BYTES},
    {"gemm_int8", 8, 32, write_int, write_int, read_int8, read_int, GEMM_THREADS,
     GEMM_SHARED_BYTES},
    {"gemm_simt", 32, 32, ct_bits_of_float, ct_bits_of_float, ct_float_of_bits, ct_float_of_bits,
     GEMM_SIMT_THREADS, GEMM_SIMT_SHARED_BYTES},
};

/* Extents; elements between rows beyond those of a row, of A, B, C and D; elements that addresses lie past
 * one that 16 bytes divide; which operands have columns side by side instead, a bit each. */
typedef struct gemm_case {
    int64_t m, n, k;
    int64_t more[4];
    int64_t past[4];
    float alpha, beta;
    int32_t transposed;
    int32_t own; /* what the epilogue has */
} gemm_case;

enum { BIAS = 1, SCALE_ROWS = 2, SCALE_COLS = 4, RELU = 8, GELU = 16, ALL = 15 };

static const gemm_case cases[] = {
    {128, 128, 128, {0, 0, 0, 0}, {0, 0, 0, 0}, 1, 0, 0, 0},
    {256, 128, 256, {16, 32, 8, 24}, {0, 0, 0, 0}, 1, 2, 0, BIAS | RELU},
    {1, 1, 1, {0, 0, 0, 0}, {0, 0, 0, 0}, 2, 0, 0, SCALE_ROWS | SCALE_COLS | BIAS},
    {129, 257, 33, {0, 0, 0, 0}, {0, 0, 0, 0}, 1, -1, 0, 0},
    {100, 300, 70, {1, 3, 5, 7}, {1, 2, 3, 5}, 1, 1, 0, SCALE_COLS},
    {7, 40, 261, {2, 0, 1, 0}, {0, 4, 1, 0}, 3, 0, 0, SCALE_ROWS | RELU},
    {130, 140, 50, {0, 4, 0, 2}, {0, 0, 0, 0}, 2, 1, 1 | 8, ALL},
    {140, 70, 37, {3, 0, 1, 0}, {1, 0, 0, 2}, 1, 2, 2 | 4, GELU | BIAS},
};

enum { A, B, C, D };

/* A matrix, with what lies around it. */
typedef struct operand {
    int64_t rows, columns, step, across,
        bytes; /* elements from row to row, from column to column */
    int32_t elem;
    unsigned char *memory, *first;
} operand;

static unsigned char *element(const operand *o, int64_t i, int64_t j)
{
    return o->first + (i * o->step + j * o->across) * o->elem;
}

static uint32_t get(const operand *o, int64_t i, int64_t j)
{
    uint32_t bits = 0;
    memcpy(&bits, element(o, i, j), (size_t)o->elem);
    return bits;
}

static operand operand_of(const gemm_type *t, const gemm_case *g, int which)
{
    const int64_t rows[] = {g->m, g->n, g->m, g->m}, columns[] = {g->k, g->k, g->n, g->n};
    const int transposed = g->transposed >> which & 1;
    const int64_t lines = transposed ? columns[which] : rows[which];
    const int64_t line = (transposed ? rows[which] : columns[which]) + g->more[which];
    operand o = {
        rows[which], columns[which], transposed ? 1 : line, transposed ? line : 1, 0, 0, NULL,
        NULL};
    o.elem = (which < C ? t->bits : t->result_bits) / 8;
    o.bytes = (o.elem * (lines * line + g->past[which]) + 63) / 64 * 64;
    o.memory = aligned_alloc(64, (size_t)o.bytes);
    o.first = o.memory + o.elem * g->past[which];
    memset(o.memory, 0x7f, (size_t)o.bytes);
    return o;
}

static void fill(operand *o, uint32_t (*write)(float), uint32_t seed)
{
    dice rolls = dice_of(seed);
    for (int64_t i = 0; i < o->rows; ++i)
        for (int64_t j = 0; j < o->columns; ++j) {
            const uint32_t bits = write((float)dice_int(&rolls, -2, 2));
            memcpy(element(o, i, j), &bits, (size_t)o->elem);
        }
}

static inline ct_global tensor_of(const operand *o)
{
    return ct_make_global(o->first, 8 * o->elem,
                          ct_layout2(o->rows, o->columns, o->step, o->across));
}

/* The vectors of an epilogue, of small integers: the bias, the scales of rows, and those of columns. */
enum { VECTOR = 2048 };
static uint32_t vectors[3 * VECTOR];
static float vector(int which, int64_t i) { return (float)((i * 7 + which) % 5 - 2); }

/* The epilogue of a case, with its vectors at `at`. */
static inline gemm_epilogue epilogue_of(const gemm_type *t, const gemm_case *g, const uint32_t *at)
{
    const int is_int = t->bits == 8 && t->result_bits == 32;
    const int own = is_int ? g->own & (BIAS | RELU) : g->own;
    for (int i = 0; i < 3 * VECTOR; ++i) {
        const float x = vector(i / VECTOR, i % VECTOR);
        vectors[i] = is_int ? write_int(x) : ct_bits_of_float(x);
    }
    const gemm_epilogue e = {own != 0,
                             own & GELU   ? GEMM_GELU
                             : own & RELU ? GEMM_RELU
                                          : GEMM_NO_ACTIVATION,
                             g->m,
                             g->n,
                             own & BIAS ? at : NULL,
                             own & SCALE_ROWS ? at + VECTOR : NULL,
                             own & SCALE_COLS ? at + 2 * VECTOR : NULL};
    return e;
}

/* The element of the epilogue, before it is rounded. */
static float finished(const gemm_epilogue *e, int64_t i, int64_t j, float product, float c)
{
    if (e->scale_rows) product *= vector(1, i);
    if (e->scale_cols) product *= vector(2, j);
    const float x = product + c + (e->bias ? vector(0, j) : 0);
    if (e->activation == GEMM_RELU) return x < 0 ? 0 : x;
    if (e->activation != GEMM_GELU) return x;
    return x / 2 * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

/* The numbers of A or B, rows of k. */
static float *numbers_of(const gemm_type *t, const operand *o, int64_t rows, int64_t k)
{
    float *const x = malloc((size_t)(rows * k) * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < k; ++j) x[i * k + j] = t->read(get(o, i, j));
    return x;
}

/* What D is to be, in a copy of all its memory. */
static void loops(const gemm_type *t, const gemm_case *g, const operand *o, unsigned char *right)
{
    float *const a = numbers_of(t, &o[A], g->m, g->k), *const b = numbers_of(t, &o[B], g->n, g->k);
    const gemm_epilogue e = epilogue_of(t, g, vectors);
    for (int64_t i = 0; i < g->m; ++i)
        for (int64_t j = 0; j < g->n; ++j) {
            float sum = 0;
            for (int64_t k = 0; k < g->k; ++k) sum += a[i * g->k + k] * b[j * g->k + k];
            const float c = g->beta != 0 ? g->beta * t->read_result(get(&o[C], i, j)) : 0;
            const uint32_t d = t->write_result(finished(&e, i, j, g->alpha * sum, c));
            memcpy(right + (element(&o[D], i, j) - o[D].memory), &d, (size_t)o[D].elem);
        }
    free(a);
    free(b);
}

/* What an epilogue may give becomes what is right: a zero of any sign, and of gelu, whose operand is rounded, what is
 * near. */
static void accept_near(const gemm_type *t, const gemm_case *g, const operand *d,
                        unsigned char *right)
{
    for (int64_t i = 0; i < g->m && g->own; ++i)
        for (int64_t j = 0; j < g->n; ++j) {
            unsigned char *const at = right + (element(d, i, j) - d->memory);
            uint32_t bits = 0;
            memcpy(&bits, at, (size_t)d->elem);
            const float is = t->read_result(get(d, i, j)), should = t->read_result(bits);
            const float may = g->own & GELU ? fabsf(should) / 128 + 0.004f : 0;
            if (fabsf(is - should) <= may) memcpy(at, element(d, i, j), (size_t)d->elem);
        }
}

/* Launches a kernel on the operands, whose memory it may take elsewhere; D's comes back. */
typedef void gemm_launch(const gemm_type *t, uint32_t blocks, const operand *o, const gemm_case *g);

static void one(const gemm_type *t, const gemm_case *g, gemm_launch *launch)
{
    operand o[4];
    for (int i = 0; i < 4; ++i) {
        o[i] = operand_of(t, g, i);
        if (i != D) fill(&o[i], i == C ? t->write_result : t->write, (uint32_t)i + 1);
    }
    unsigned char *const right = malloc((size_t)o[D].bytes);
    memcpy(right, o[D].memory, (size_t)o[D].bytes);
    loops(t, g, o, right);
    const int64_t rows = (g->m + GEMM_TILE - 1) / GEMM_TILE,
                  columns = (g->n + GEMM_TILE - 1) / GEMM_TILE;
    launch(t, (uint32_t)(rows * columns), o, g);
    accept_near(t, g, &o[D], right);
    for (int64_t i = 0; i < o[D].bytes; ++i)
        if (o[D].memory[i] != right[i])
            fail_msg("%s, (%lld,%lld,%lld): byte %lld of D's memory is %02x, and should be %02x",
                     t->kernel, (long long)g->m, (long long)g->n, (long long)g->k, (long long)i,
                     o[D].memory[i], right[i]);
    free(right);
    for (int i = 0; i < 4; ++i) free(o[i].memory);
}

/* Every case of the types [first, end). */
static inline void every_gemm(int first, int end, gemm_launch *launch)
{
    for (int k = first; k < end; ++k)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) one(&types[k], &cases[i], launch);
}

#endif
