/* One variant over one matrix: run on the CPU grid, verified, counted. */
#include <cutlet/host/compare.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "launch.h"

enum { GUARD_BYTES = 256, GUARD = 0xa5 };

/* ---- the destination -------------------------------------------------------------------------- */

/* Lines of equal length, the contiguous mode of a matrix, in memory of our own between two guards. */
typedef struct target {
    unsigned char *memory;
    size_t bytes;        /* of the memory */
    size_t first;        /* the byte of the matrix */
    size_t matrix_bytes; /* from its first to its last */
    size_t line, pitch;  /* the bytes of a line, and from one to the next */
    int64_t lines;
} target;

/* Bytes that the copy has to change: each the complement of what it should become; guards elsewhere. */
static void fill(target *t, const ct_matrix *m)
{
    const size_t src_pitch = (size_t)(m->ld * m->elem_bytes);
    memset(t->memory, GUARD, t->bytes);
    for (int64_t k = 0; k < t->lines; ++k) {
        const unsigned char *src = (const unsigned char *)m->data + (size_t)k * src_pitch;
        unsigned char *dst = t->memory + t->first + (size_t)k * t->pitch;
        for (size_t i = 0; i < t->line; ++i) dst[i] = (unsigned char)~src[i];
    }
}

static ct_status make_target(target *t, const ct_matrix *m, const ct_compare_options *o,
                             ct_matrix *dst)
{
    const int64_t inner = m->row_major ? m->cols : m->rows, ld = o->dst_ld ? o->dst_ld : inner;
    *dst = *m;
    dst->ld = ld;
    t->lines = m->row_major ? m->rows : m->cols;
    t->line = (size_t)(inner * m->elem_bytes);
    t->pitch = (size_t)(ld * m->elem_bytes);
    t->matrix_bytes = (size_t)(t->lines - 1) * t->pitch + t->line;
    t->first = GUARD_BYTES + (size_t)o->dst_shift * (size_t)m->elem_bytes;
    t->bytes = (t->first + t->matrix_bytes + 2 * GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES;
    t->memory = aligned_alloc(GUARD_BYTES, t->bytes);
    if (!t->memory) return CT_E_MEMORY;
    dst->data = t->memory + t->first;
    return 0;
}

/* Whether n bytes are all guards. */
static int untouched(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        if (p[i] != GUARD) return 0;
    }
    return 1;
}

/* The first element of a line that is not what it should be. */
static int64_t first_wrong(const unsigned char *got, const unsigned char *want, int64_t n,
                           int32_t bytes)
{
    for (int64_t i = 0; i < n; ++i) {
        if (memcmp(got + i * bytes, want + i * bytes, (size_t)bytes) != 0) return i;
    }
    return n;
}

static ct_status verify(const target *t, const ct_matrix *m, ct_compare_result *r)
{
    const size_t src_pitch = (size_t)(m->ld * m->elem_bytes);
    const size_t end = t->first + t->matrix_bytes;
    for (int64_t k = 0; k < t->lines; ++k) {
        const unsigned char *got = t->memory + t->first + (size_t)k * t->pitch;
        const unsigned char *want = (const unsigned char *)m->data + (size_t)k * src_pitch;
        if (memcmp(got, want, t->line) != 0) {
            const int64_t n = (int64_t)t->line / m->elem_bytes;
            const int64_t i = first_wrong(got, want, n, m->elem_bytes);
            return r->status = ct_refuse(r->message, CT_E_WRONG,
                                         "%s: the copy differs at row %lld, column %lld",
                                         r->variant->name, (long long)(m->row_major ? k : i),
                                         (long long)(m->row_major ? i : k));
        }
        if (k + 1 < t->lines && !untouched(got + t->line, t->pitch - t->line))
            return r->status =
                       ct_refuse(r->message, CT_E_WRONG, "%s: bytes after %s %lld were overwritten",
                                 r->variant->name, m->row_major ? "row" : "column", (long long)k);
    }
    if (!untouched(t->memory, t->first) || !untouched(t->memory + end, t->bytes - end))
        return r->status = ct_refuse(r->message, CT_E_WRONG,
                                     "%s: bytes outside the destination were overwritten",
                                     r->variant->name);
    return CT_OK;
}

static void take_copy(const target *t, void *copy)
{
    for (int64_t k = 0; k < t->lines; ++k)
        memcpy((unsigned char *)copy + (size_t)k * t->line,
               t->memory + t->first + (size_t)k * t->pitch, t->line);
}

/* ---- the run ---------------------------------------------------------------------------------- */

/* What the grid's requests are told to. */
typedef struct watch {
    ct_compare_result *result;
    const ct_compare_options *options;
    double blocks, block_x, block_y;
    int64_t seen, skew[2];
    int32_t conflicts; /* the most of one access to shared memory */
    int32_t widest[2]; /* access to either buffer, in bits */
} watch;

enum { SOURCE, DESTINATION, LINE = 128 };

/* The cache lines that the lanes of a request touch. */
static int lines_of(const ct_grid_request *request, int64_t skew)
{
    int64_t line[32];
    int count = 0;
    for (int t = 0; t < 32; ++t) {
        if (request->offset[t] == CT_LANE_OFF) continue;
        const int64_t at = (request->offset[t] + skew) / LINE;
        int k = count - 1; /* neighbours share lines: the last ones are the likeliest */
        while (k >= 0 && line[k] != at) --k;
        if (k < 0) line[count++] = at;
    }
    return count;
}

static void keep_worst(watch *w, const ct_grid_request *request)
{
    ct_access *const worst = &w->result->worst;
    w->conflicts = request->count.conflicts;
    worst->kind = request->kind;
    worst->bits = request->bits;
    memcpy(worst->offset, request->offset, sizeof worst->offset);
}

static void on_request(void *user, const ct_grid_request *request)
{
    watch *w = user;
    ct_compare_load *first = &w->result->first;
    if (first->bits == 0 && request->buffer == SOURCE) {
        first->bits = request->bits;
        first->sectors = request->count.sectors;
        first->bytes_used = request->count.bytes_used;
        memcpy(first->offset, request->offset, sizeof first->offset);
    }
    if (request->async) w->result->async = 1;
    if (request->buffer < 0 && request->count.conflicts > w->conflicts) keep_worst(w, request);
    if (request->buffer >= 0) {
        w->result->lines += lines_of(request, w->skew[request->buffer]);
        if (request->bits > w->widest[request->buffer]) w->widest[request->buffer] = request->bits;
    }
    if (w->options->progress && w->seen++ % 1024 == 0) {
        const double at = request->block.x +
                          w->block_x * (request->block.y + w->block_y * (double)request->block.z);
        w->options->progress(w->options->user, at / w->blocks);
    }
}

static int32_t skew_of(const void *address) { return (int32_t)((uintptr_t)address % GUARD_BYTES); }

/* A cp.async is one instruction with a row for either side: the shared side is not counted again. */
static int64_t instructions_of(const ct_grid_report *report)
{
    int64_t n = 0;
    for (int i = 0; i < report->row_count; ++i) {
        if (!report->rows[i].async) n += report->rows[i].instructions;
    }
    return n;
}

/* Passes for each one that would do, of the instruction that has the worst conflicts. */
static double worst_way(const ct_grid_report *report)
{
    double worst = 1;
    for (int i = 0; i < report->row_count; ++i) {
        const ct_grid_row *row = &report->rows[i];
        if (row->buffer >= 0 || row->wavefronts <= row->conflicts) continue;
        const double way = (double)row->wavefronts / (double)(row->wavefronts - row->conflicts);
        if (way > worst) worst = way;
    }
    return worst;
}

static ct_status run(const ct_copy_launch *l, const ct_matrix *m, const target *t,
                     const ct_compare_options *o, ct_compare_result *r, double *way)
{
    const int64_t lines = m->row_major ? m->rows : m->cols;
    const size_t src_bytes = (size_t)((lines - 1) * m->ld * m->elem_bytes) + t->line;
    void *const dst = (void *)l->dst.data;
    watch w = {.result = r,
               .options = o,
               .blocks = (double)l->grid.x * l->grid.y * l->grid.z,
               .block_x = l->grid.x,
               .block_y = l->grid.y,
               .skew = {skew_of(m->data), skew_of(dst)}};
    const ct_grid_buffer buffers[] = {{"src", (void *)m->data, src_bytes, 0, w.skew[SOURCE]},
                                      {"dst", dst, t->matrix_bytes, 1, w.skew[DESTINATION]}};
    const ct_grid_options options = {.buffers = buffers,
                                     .buffer_count = 2,
                                     .no_global_races =
                                         1, /* the copy is compared with the source */
                                     .on_request = on_request,
                                     .user = &w};
    ct_grid_report report;
    if (ct_grid_launch(l->kernel, l->grid, l->block, l->shared_bytes, &l->args,
                       l->kernel->args_bytes, &options, &report))
        r->status =
            ct_refuse(r->message, report.status == CT_GRID_E_MEMORY ? CT_E_MEMORY : CT_E_FAILED,
                      "%s", report.message);
    r->load_bytes = w.widest[SOURCE] / 8;
    r->store_bytes = w.widest[DESTINATION] / 8;
    r->instructions = instructions_of(&report);
    r->requests = report.global.requests;
    r->sectors = report.global.sectors;
    r->bytes_used = report.global.bytes_used;
    r->wavefronts = report.shared.wavefronts;
    r->conflicts = report.shared.conflicts;
    *way = worst_way(&report);
    ct_grid_report_free(&report);
    return r->status;
}

ct_status ct_compare_copy(const ct_copy_variant *variant, const ct_matrix *matrix,
                          const ct_compare_options *options, ct_compare_result *result)
{
    static const ct_compare_options none;
    const ct_compare_options *o = options ? options : &none;
    ct_copy_launch launch;
    ct_matrix dst;
    target t = {0};
    double way = 1;
    memset(result, 0, sizeof *result);
    result->variant = variant;
    /* refused with the source standing for the copy first, so that no size overflows below */
    if (o->dst_ld < 0 || o->dst_shift < 0 || o->dst_shift > 4096)
        return result->status =
                   ct_refuse(result->message, CT_E_ARGUMENT,
                             "the destination's leading dimension or shift is out of range");
    result->status = ct_copy_launch_make(&launch, variant, matrix, matrix, o->tile_m, o->tile_n,
                                         result->message);
    if (result->status) return result->status;
    dst = *matrix;
    if (o->dst_ld) dst.ld = o->dst_ld;
    result->status =
        ct_copy_launch_make(&launch, variant, matrix, &dst, o->tile_m, o->tile_n, result->message);
    if (result->status) return result->status;
    result->row_major = matrix->row_major != 0;
    result->elem_bytes = matrix->elem_bytes;
    result->elements = matrix->rows * matrix->cols;
    result->threads = launch.threads;
    result->wanted_bytes = launch.access_bytes;
    result->thr = launch.thr;
    result->val = launch.val;
    result->tile_m = launch.tile_m;
    result->tile_n = launch.tile_n;
    if (make_target(&t, matrix, o, &dst))
        return result->status = ct_refuse(result->message, CT_E_MEMORY,
                                          "not enough memory for a copy of %lld x %lld elements",
                                          (long long)matrix->rows, (long long)matrix->cols);
    fill(&t, matrix);
    if (ct_copy_launch_make(&launch, variant, matrix, &dst, o->tile_m, o->tile_n,
                            result->message) == 0 &&
        run(&launch, matrix, &t, o, result, &way) == CT_OK && verify(&t, matrix, result) == CT_OK) {
        ct_compare_explain(result, &launch, way);
        if (o->copy) take_copy(&t, o->copy);
    }
    free(t.memory);
    return result->status;
}

/* ---- figures ---------------------------------------------------------------------------------- */

double ct_compare_instructions(const ct_compare_result *r)
{
    return r->elements > 0 ? 32.0 * (double)r->instructions / (double)r->elements : 0;
}

double ct_compare_used(const ct_compare_result *r)
{
    return r->sectors > 0 ? (double)r->bytes_used / (32.0 * (double)r->sectors) : 0;
}

static int order(int64_t a, int64_t b) { return (a > b) - (a < b); }

int ct_compare_rank(const void *a, const void *b)
{
    const ct_compare_result *x = a, *y = b;
    if ((x->status != 0) != (y->status != 0)) return x->status ? 1 : -1;
    if (x->sectors != y->sectors) return order(x->sectors, y->sectors);
    if (x->instructions != y->instructions) return order(x->instructions, y->instructions);
    if (x->lines != y->lines) return order(x->lines, y->lines);
    return strcmp(x->variant->name, y->variant->name);
}
