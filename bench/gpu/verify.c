/* Whether a job did what it has to: every byte of the destination is compared, on the host. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* What the destination holds before the job. */
enum { POISON = 0xEE };

static unsigned char *room(size_t bytes)
{
    unsigned char *const memory = malloc(bytes);
    if (!memory) bench_die("out of memory: %zu bytes", bytes);
    return memory;
}

bench_check bench_start_check(ct_cuda *gpu, unsigned char *src, unsigned char *dst, size_t bytes)
{
    bench_check c;
    memset(&c, 0, sizeof c);
    c.gpu = gpu;
    c.src = src;
    c.dst = dst;
    c.bytes = bytes;
    c.source = room(bytes);
    c.expected = room(bytes);
    c.found = room(bytes);
    uint64_t x = 0x9E3779B97F4A7C15u;
    for (size_t i = 0; i + 8 <= bytes; i += 8) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        memcpy(c.source + i, &x, 8);
    }
    if (ct_cuda_upload(gpu, src, c.source, bytes & ~(size_t)7)) bench_die("%s", ct_cuda_error(gpu));
    return c;
}

void bench_end_check(bench_check *check)
{
    free(check->source);
    free(check->expected);
    free(check->found);
}

/* ---- what is expected ------------------------------------------------------------------------ */

/* A matrix on the host: which elements lie how far apart. */
typedef struct view {
    unsigned char *data;
    size_t step_m, step_n; /* in bytes */
} view;

static view view_of(const ct_matrix *m, const unsigned char *device, unsigned char *host)
{
    const size_t elem = (size_t)m->elem_bytes, ld = (size_t)m->ld * elem;
    const view v = {host + ((const unsigned char *)m->data - device), m->row_major ? ld : elem,
                    m->row_major ? elem : ld};
    return v;
}

/* Copies one block, of at most 32 x 32 elements. A constant size makes memcpy one move. */
#define COPY_BLOCK(bytes)                                                                     \
    case bytes:                                                                               \
        for (int64_t i = 0; i < rows; ++i)                                                    \
            for (int64_t k = 0; k < cols; ++k)                                                \
                memcpy(to.data + i * to.step_m + k * to.step_n,                               \
                       from.data + i * from.step_m + k * from.step_n, bytes);                 \
        break;
static void copy_block(view from, view to, int64_t rows, int64_t cols, int elem_bytes)
{
    switch (elem_bytes) {
        COPY_BLOCK(1)
        COPY_BLOCK(2)
        COPY_BLOCK(4)
        COPY_BLOCK(8)
        COPY_BLOCK(16)
    }
}

static void copy_elements(view from, view to, int64_t rows, int64_t cols, int elem_bytes)
{
    for (int64_t m = 0; m < rows; m += 32) {
        for (int64_t n = 0; n < cols; n += 32) {
            view f = from, t = to;
            f.data += m * f.step_m + n * f.step_n;
            t.data += m * t.step_m + n * t.step_n;
            copy_block(f, t, rows - m < 32 ? rows - m : 32, cols - n < 32 ? cols - n : 32,
                       elem_bytes);
        }
    }
}

/* The same, when both are row-major or both column-major: line by line. */
static void copy_lines(const ct_matrix *m, view from, view to)
{
    const int64_t outer = m->row_major ? m->rows : m->cols;
    const size_t bytes = (size_t)((m->row_major ? m->cols : m->rows) * m->elem_bytes);
    for (int64_t i = 0; i < outer; ++i)
        memcpy(to.data + i * (m->row_major ? to.step_m : to.step_n),
               from.data + i * (m->row_major ? from.step_m : from.step_n), bytes);
}

static int same_matrix(const ct_matrix *a, const ct_matrix *b)
{
    return a->data == b->data && a->rows == b->rows && a->cols == b->cols && a->ld == b->ld &&
           a->row_major == b->row_major && a->elem_bytes == b->elem_bytes;
}

/* Makes check->expected, unless it is there already. */
static void expect(bench_check *check, const bench_job *job)
{
    const ct_matrix *const m = &job->from;
    if (same_matrix(m, &check->last.from) && same_matrix(&job->to, &check->last.to)) return;
    const view from = view_of(m, check->src, check->source);
    const view to = view_of(&job->to, check->dst, check->expected);
    memset(check->expected, POISON, check->bytes);
    if (m->row_major == job->to.row_major) copy_lines(m, from, to);
    else copy_elements(from, to, m->rows, m->cols, m->elem_bytes);
    check->last = *job;
}

/* ---- a job ----------------------------------------------------------------------------------- */

int bench_queue(ct_cuda *gpu, const bench_setup *setup, const bench_job *job)
{
    const ct_matrix *const m = &job->from;
    if (!job->kernel)
        return ct_cuda_copy(gpu, setup->dst, setup->src,
                            (size_t)(m->rows * m->cols * m->elem_bytes));
    return ct_cuda_launch(gpu, job->kernel, job->grid, job->block, job->shared_bytes, job->args,
                          job->args_bytes);
}

int bench_verify(bench_check *check, const bench_job *job, char why[BENCH_LINE])
{
    bench_setup setup;
    memset(&setup, 0, sizeof setup);
    setup.src = check->src;
    setup.dst = check->dst;
    if (ct_cuda_fill(check->gpu, check->dst, POISON, check->bytes) ||
        bench_queue(check->gpu, &setup, job) ||
        ct_cuda_download(check->gpu, check->found, check->dst, check->bytes)) {
        snprintf(why, BENCH_LINE, "%s", ct_cuda_error(check->gpu));
        return -1;
    }
    expect(check, job);
    if (memcmp(check->found, check->expected, check->bytes) == 0) return 0;
    size_t at = 0;
    while (check->found[at] == check->expected[at]) ++at;
    snprintf(why, BENCH_LINE, "wrong: byte %zu of the destination is %02x and has to be %02x", at,
             check->found[at], check->expected[at]);
    return -1;
}
