/* What the destination has to be after a job. */
#include <stdlib.h>
#include <string.h>

#include "jobs.h"

static unsigned char *capacity(int64_t bytes)
{
    unsigned char *const memory = malloc((size_t)bytes);
    if (!memory) bench_die("out of memory: %lld bytes", (long long)bytes);
    return memory;
}

bench_expected bench_expect_start(bench_target *t, const bench_array *src, const bench_array *dst)
{
    bench_expected e;
    memset(&e, 0, sizeof e);
    e.src = bench_array_at(src, 0);
    e.dst = bench_array_at(dst, 0);
    e.count = src->bytes;
    e.source = capacity(e.count);
    e.bytes = capacity(e.count);
    bench_put_pattern(NULL, 0, 0, e.count, e.source);
    if (bench_fill(t, src, bench_put_pattern, NULL)) bench_die("%s", t->error);
    return e;
}

void bench_expect_end(bench_expected *e)
{
    free(e->source);
    free(e->bytes);
}

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

/* A constant size makes memcpy one move. */
static void copy_element(unsigned char *to, const unsigned char *from, int elem_bytes)
{
    switch (elem_bytes) {
        case 1: *to = *from; return;
        case 2: memcpy(to, from, 2); return;
        case 4: memcpy(to, from, 4); return;
        case 8: memcpy(to, from, 8); return;
        default: memcpy(to, from, 16);
    }
}

/* Block by block of 32 x 32 elements, for the caches. */
static void copy_elements(view from, view to, const ct_matrix *like)
{
    for (int64_t m = 0; m < like->rows; m += 32)
        for (int64_t n = 0; n < like->cols; n += 32)
            for (int64_t i = m; i < ct_min(m + 32, like->rows); ++i)
                for (int64_t k = n; k < ct_min(n + 32, like->cols); ++k)
                    copy_element(to.data + i * to.step_m + k * to.step_n,
                                 from.data + i * from.step_m + k * from.step_n, like->elem_bytes);
}

static int same_matrix(const ct_matrix *a, const ct_matrix *b)
{
    return a->data == b->data && a->rows == b->rows && a->cols == b->cols && a->ld == b->ld &&
           a->row_major == b->row_major && a->elem_bytes == b->elem_bytes;
}

/* Makes e->bytes, unless they are there already. */
static void expect(bench_expected *e, const bench_job *job)
{
    const ct_matrix *const m = &job->from;
    if (same_matrix(m, &e->from) && same_matrix(&job->to, &e->to)) return;
    const view from = view_of(m, e->src, e->source);
    const view to = view_of(&job->to, e->dst, e->bytes);
    memset(e->bytes, BENCH_POISON, (size_t)e->count);
    copy_elements(from, to, m);
    e->from = job->from;
    e->to = job->to;
}

static int compare(const void *user, int64_t set, int64_t at, int64_t bytes,
                   const unsigned char *found, char wrong[BENCH_WRONG])
{
    const bench_expected *const e = user;
    (void)set;
    return bench_same_bytes(found, e->bytes + at, at, bytes, wrong);
}

int bench_verify_job(bench_target *t, bench_expected *e, const bench_array *dst,
                     const bench_job *job, char wrong[BENCH_WRONG])
{
    const bench_right right = {compare, e, 0};
    const bench_work work = {.launch = &job->launch, .parts = 1, .sets = 1};
    bench_result result;
    expect(e, job);
    return bench_verify(t, &work, dst, &right, &result, wrong);
}
