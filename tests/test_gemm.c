/* The GEMM examples on the CPU grid: integers, whose sums are exact, at extents, leading dimensions and
 * addresses that fit no tile, against loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <cutlet/host/grid.h>

#include "mma_sync.cu"

/* Extents; elements between rows beyond those of a row, of A, B, C and D; elements that addresses lie past
 * one that 16 bytes divide. */
typedef struct gemm_case {
    int64_t m, n, k;
    int64_t more[4];
    int64_t past[4];
    float alpha, beta;
} gemm_case;

static const gemm_case cases[] = {
    {128, 256, 64, {0, 0, 0, 0}, {0, 0, 0, 0}, 1, 0},
    {256, 256, 128, {8, 16, 8, 24}, {0, 0, 0, 0}, 1, 2},
    {1, 1, 1, {0, 0, 0, 0}, {0, 0, 0, 0}, 2, 0},
    {129, 257, 33, {0, 0, 0, 0}, {0, 0, 0, 0}, 1, -1},
    {100, 300, 70, {1, 3, 5, 7}, {1, 2, 3, 5}, 1, 1},
    {7, 40, 161, {2, 0, 1, 0}, {0, 4, 1, 0}, 0.5f, 0},
};

enum { A, B, C, D };

/* A matrix of halves, with what lies around it. */
typedef struct operand {
    int64_t rows, columns, step, bytes;
    unsigned char *memory;
    uint16_t *first;
} operand;

static operand operand_of(const gemm_case *g, int which)
{
    const int64_t rows[] = {g->m, g->n, g->m, g->m}, columns[] = {g->k, g->k, g->n, g->n};
    operand o = {rows[which], columns[which], columns[which] + g->more[which], 0, NULL, NULL};
    o.bytes = (2 * (o.rows * o.step + g->past[which]) + 63) / 64 * 64;
    o.memory = aligned_alloc(64, (size_t)o.bytes);
    o.first = (uint16_t *)(void *)o.memory + g->past[which];
    for (int64_t i = 0; i < o.bytes / 2; ++i) ((uint16_t *)(void *)o.memory)[i] = (uint16_t)(0x7e00 + which);
    return o;
}

static void fill(operand *o, uint32_t seed)
{
    for (int64_t i = 0; i < o->rows; ++i)
        for (int64_t j = 0; j < o->columns; ++j) {
            seed = seed * 1664525u + 1013904223u;
            o->first[i * o->step + j] = (uint16_t)ct_half_of_float((float)((int)(seed >> 24) % 5 - 2));
        }
}

static ct_global tensor_of(const operand *o)
{
    return ct_make_global(o->first, 16, ct_layout2(o->rows, o->columns, o->step, 1));
}

/* What D is to be, in a copy of all its memory. */
static void loops(const gemm_case *g, const operand *o, uint16_t *d)
{
    for (int64_t i = 0; i < g->m; ++i)
        for (int64_t j = 0; j < g->n; ++j) {
            float sum = 0;
            for (int64_t k = 0; k < g->k; ++k)
                sum += ct_float_of_half(o[A].first[i * o[A].step + k]) *
                       ct_float_of_half(o[B].first[j * o[B].step + k]);
            const float c = g->beta != 0 ? g->beta * ct_float_of_half(o[C].first[i * o[C].step + j]) : 0;
            d[i * o[D].step + j] = (uint16_t)ct_half_of_float(g->alpha * sum + c);
        }
}

static void one(const gemm_case *g)
{
    static const char *const names[] = {"A", "B", "C", "D"};
    operand o[4];
    ct_grid_buffer buffers[4];
    ct_grid_report report;
    for (int i = 0; i < 4; ++i) {
        o[i] = operand_of(g, i);
        if (i != D) fill(&o[i], (uint32_t)i + 1);
        buffers[i] = (ct_grid_buffer){names[i], o[i].memory, (size_t)o[i].bytes, i == D, 0};
    }
    unsigned char *const right = malloc((size_t)o[D].bytes);
    memcpy(right, o[D].memory, (size_t)o[D].bytes);
    loops(g, o, (uint16_t *)(void *)right + g->past[D]);
    const gemm_args args = {tensor_of(&o[A]), tensor_of(&o[B]), tensor_of(&o[C]), tensor_of(&o[D]), g->alpha, g->beta};
    const ct_grid_options options = {.buffers = buffers, .buffer_count = 4, .no_records = 1};
    const uint32_t blocks = (uint32_t)(((g->m + 127) / 128) * ((g->n + 255) / 256));
    if (ct_grid_launch(&gemm_mma_sync, (ct_dim3){blocks, 1, 1}, (ct_dim3){256, 1, 1}, GEMM_SHARED_BYTES, &args,
                       sizeof args, &options, &report))
        fail_msg("case %d: %s", (int)(g - cases), report.message);
    ct_grid_report_free(&report);
    for (int64_t i = 0; i < o[D].bytes / 2; ++i)
        if (memcmp(o[D].memory + 2 * i, right + 2 * i, 2) != 0)
            fail_msg("case %d: element %lld of D's memory is %04x, and should be %04x", (int)(g - cases),
                     (long long)i, ((uint16_t *)(void *)o[D].memory)[i], ((uint16_t *)(void *)right)[i]);
    free(right);
    for (int i = 0; i < 4; ++i) free(o[i].memory);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) one(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests_name("GEMM on the CPU grid", tests, NULL, NULL);
}
