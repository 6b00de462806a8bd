/* One variant over one matrix: run on the CPU grid, verified, counted. */
#include <cutlet/host/compare.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/refuse.h"
#include "launch.h"

enum { GUARD_BYTES = 256, GUARD = 0xa5 };

/* ---- the destination -------------------------------------------------------------------------- */

/* Lines of equal length, the contiguous mode of a matrix, in memory between two guards. */
typedef struct target {
    unsigned char *memory;
    size_t bytes;        /* of the memory */
    size_t first;        /* the byte of the matrix */
    size_t matrix_bytes; /* from its first to its last */
    size_t line, pitch;  /* the bytes of a line, and from one to the next */
    int64_t lines;
} target;

/* Bytes that the copy has to change: each the complement of what it should become; guards elsewhere. */
static void fill(const target *t, const ct_matrix *m)
{
    const size_t src_pitch = (size_t)(m->ld * m->elem_bytes);
    memset(t->memory, GUARD, t->bytes);
    for (int64_t k = 0; k < t->lines; ++k) {
        const unsigned char *src = (const unsigned char *)m->data + (size_t)k * src_pitch;
        unsigned char *dst = t->memory + t->first + (size_t)k * t->pitch;
        for (size_t i = 0; i < t->line; ++i) dst[i] = (unsigned char)~src[i];
    }
}

static ct_status make_target(target *t, const ct_matrix *m, const ct_compare_options *o, int64_t ld,
                             ct_matrix *dst)
{
    const int64_t inner = m->row_major ? m->cols : m->rows;
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

/* The passes of one instruction through the banks. */
typedef struct passes {
    const char *file;
    int32_t line, kind, bits;
    int64_t wavefronts, conflicts;
} passes;

enum { INSTRUCTIONS = 64 };

/* The receiver of the grid's requests. */
typedef struct watch {
    ct_compare_result *result;
    const ct_compare_options *options;
    const ct_copy_launch *launch;
    ct_tiles_run run[2];
    int64_t seen, skew[2];
    int64_t told;      /* instructions in the blocks that ran */
    int32_t conflicts; /* the most of one access to shared memory */
    int32_t widest[2]; /* access to either buffer, in bits */
    passes passes[INSTRUCTIONS];
    int count;
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

/* How many blocks of the launch a block stands for, which is number `at` along a mode. */
static int64_t stands_for(const ct_tiles_run *run, int64_t at)
{
    return at >= run->head && at < 2 * run->head ? run->times : 1;
}

static int64_t blocks_like(const watch *w, ct_dim3 block)
{
    const int row_major = w->result->row_major;
    const int64_t across = (int64_t)block.z * w->launch->grid.y + block.y;
    return stands_for(&w->run[row_major], block.x) * stands_for(&w->run[!row_major], across);
}

/* Adds the passes of an access to shared memory to those of its instruction. */
static void count_passes(watch *w, const ct_grid_request *q, int64_t times)
{
    int i = 0;
    while (i < w->count && (w->passes[i].file != q->file || w->passes[i].line != q->line ||
                            w->passes[i].kind != q->kind || w->passes[i].bits != q->bits))
        ++i;
    if (i == INSTRUCTIONS) return;
    if (i == w->count) w->passes[w->count++] = (passes){q->file, q->line, q->kind, q->bits, 0, 0};
    w->passes[i].wavefronts += times * q->count.wavefronts;
    w->passes[i].conflicts += times * q->count.conflicts;
}

static void count(watch *w, const ct_grid_request *q)
{
    ct_compare_result *const r = w->result;
    const int64_t times = blocks_like(w, q->block);
    if (!q->async) { /* a cp.async is one, with two sides */
        r->instructions += times;
        ++w->told;
    }
    if (q->buffer >= 0) {
        r->requests += times * q->count.requests;
        r->sectors += times * q->count.sectors;
        r->bytes_used += times * q->count.bytes_used;
        r->lines += times * lines_of(q, w->skew[q->buffer]);
        return;
    }
    r->wavefronts += times * q->count.wavefronts;
    r->conflicts += times * q->count.conflicts;
    count_passes(w, q, times);
}

static void on_request(void *user, const ct_grid_request *request)
{
    watch *w = user;
    const ct_dim3 *const grid = &w->launch->grid;
    ct_compare_load *first = &w->result->first;
    if (first->bits == 0 && request->buffer == SOURCE) {
        first->bits = request->bits;
        first->sectors = request->count.sectors;
        first->bytes_used = request->count.bytes_used;
        memcpy(first->offset, request->offset, sizeof first->offset);
    }
    if (request->async) w->result->async = 1;
    if (request->buffer < 0 && request->count.conflicts > w->conflicts) keep_worst(w, request);
    if (request->buffer >= 0 && request->bits > w->widest[request->buffer])
        w->widest[request->buffer] = request->bits;
    count(w, request);
    if (w->options->progress && w->seen++ % 1024 == 0) {
        const double at =
            request->block.x +
            (double)grid->x * (request->block.y + (double)grid->y * (double)request->block.z);
        w->options->progress(w->options->user,
                             at / ((double)grid->x * (double)grid->y * (double)grid->z));
    }
}

static int32_t skew_of(const void *address) { return (int32_t)((uintptr_t)address % GUARD_BYTES); }

/* Passes for each one that would do, of the instruction that has the worst conflicts. */
static double worst_way(const watch *w)
{
    double worst = 1;
    for (int i = 0; i < w->count; ++i) {
        const passes *p = &w->passes[i];
        if (p->wavefronts <= p->conflicts) continue;
        const double way = (double)p->wavefronts / (double)(p->wavefronts - p->conflicts);
        if (way > worst) worst = way;
    }
    return worst;
}

/* Instructions that were not told: without an active lane, before the first with one. Only a matrix
 * narrower than its tile has these, and its blocks stand for no others. */
static int64_t untold(const ct_grid_report *report, int64_t told)
{
    int64_t n = -told;
    for (int i = 0; i < report->row_count; ++i)
        if (!report->rows[i].async) n += report->rows[i].instructions;
    return n;
}

static ct_status run(const ct_copy_launch *l, const ct_matrix *m, const target *t,
                     const ct_compare_options *o, const ct_tiles_run tiles[2], ct_compare_result *r,
                     double *way)
{
    const int64_t lines = m->row_major ? m->rows : m->cols;
    const size_t src_bytes = (size_t)((lines - 1) * m->ld * m->elem_bytes) + t->line;
    void *const dst = (void *)l->dst.data;
    watch w = {.result = r,
               .options = o,
               .launch = l,
               .run = {tiles[0], tiles[1]},
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
    else r->instructions += untold(&report, w.told);
    r->load_bytes = w.widest[SOURCE] / 8;
    r->store_bytes = w.widest[DESTINATION] / 8;
    *way = worst_way(&w);
    ct_grid_report_free(&report);
    return r->status;
}

/* The launch for all of the matrix, made with the source standing for the copy. */
static ct_status make_whole(const ct_copy_variant *variant, const ct_matrix *matrix,
                            const ct_compare_options *o, ct_copy_launch *l, char *message)
{
    ct_matrix dst = *matrix;
    if (o->dst_ld < 0 || o->dst_shift < 0 || o->dst_shift > 4096)
        return ct_refuse(message, CT_E_ARGUMENT,
                         "the destination has the leading dimension %lld and is shifted by %lld "
                         "elements; both are at least 0, and the shift at most 4096",
                         (long long)o->dst_ld, (long long)o->dst_shift);
    /* refused with the source standing for the copy first, so that no size overflows below */
    ct_status bad = ct_copy_launch_make(l, variant, matrix, matrix, o->tile_m, o->tile_n, message);
    dst.ld = o->dst_ld ? o->dst_ld : matrix->row_major ? matrix->cols : matrix->rows;
    dst.data = (const void *)(uintptr_t)(o->dst_shift * matrix->elem_bytes); /* past a boundary */
    if (!bad) bad = ct_copy_launch_make(l, variant, matrix, &dst, o->tile_m, o->tile_n, message);
    return bad;
}

/* The tiles that are run, all of them but for `congruent`. */
static void find_part(const ct_copy_launch *l, const ct_compare_options *o, ct_tiles_run tiles[2])
{
    ct_copy_launch_part(l, tiles);
    if (o->congruent && !o->copy) return;
    tiles[0] = (ct_tiles_run){1, 1, l->src.rows};
    tiles[1] = (ct_tiles_run){1, 1, l->src.cols};
}

ct_status ct_compare_part(const ct_copy_variant *variant, const ct_matrix *matrix,
                          const ct_compare_options *options, int64_t *rows, int64_t *cols,
                          char message[CT_MESSAGE_BYTES])
{
    ct_copy_launch whole;
    ct_tiles_run tiles[2];
    const ct_status bad = make_whole(variant, matrix, options, &whole, message);
    if (bad) return bad;
    find_part(&whole, options, tiles);
    *rows = tiles[0].extent;
    *cols = tiles[1].extent;
    return CT_OK;
}

static void describe(ct_compare_result *r, const ct_copy_launch *l)
{
    r->row_major = l->src.row_major != 0;
    r->elem_bytes = l->src.elem_bytes;
    r->elements = l->src.rows * l->src.cols;
    r->threads = l->threads;
    r->wanted_bytes = l->access_bytes;
    r->thr = l->thr;
    r->val = l->val;
    r->tile_m = l->tile_m;
    r->tile_n = l->tile_n;
}

/* Runs the part of the matrix, whose launch is that of the whole but for the extents. */
static ct_status copy_part(const ct_copy_launch *whole, const ct_matrix *part, ct_matrix *dst,
                           const target *t, const ct_compare_options *o,
                           const ct_tiles_run tiles[2], ct_compare_result *r)
{
    ct_copy_launch l;
    double way = 1;
    fill(t, part);
    ct_status bad =
        ct_copy_launch_make(&l, r->variant, part, dst, o->tile_m, o->tile_n, r->message);
    if (bad) return r->status = bad;
    if (r->variant->how != CT_COPY_BEST && !whole->args.tiled.is_whole) l.args.tiled.is_whole = 0;
    bad = run(&l, part, t, o, tiles, r, &way);
    if (!bad) bad = verify(t, part, r);
    if (!bad) ct_compare_explain(r, &l, way);
    if (!bad && o->copy) take_copy(t, o->copy);
    return bad;
}

ct_status ct_compare_copy(const ct_copy_variant *variant, const ct_matrix *matrix,
                          const ct_compare_options *options, ct_compare_result *result)
{
    static const ct_compare_options none;
    const ct_compare_options *o = options ? options : &none;
    ct_copy_launch whole;
    ct_tiles_run tiles[2];
    ct_matrix part = *matrix, dst;
    target t = {0};
    memset(result, 0, sizeof *result);
    result->variant = variant;
    result->status = make_whole(variant, matrix, o, &whole, result->message);
    if (result->status) return result->status;
    describe(result, &whole);
    find_part(&whole, o, tiles);
    part.rows = tiles[0].extent;
    part.cols = tiles[1].extent;
    result->verified = part.rows * part.cols;
    if (make_target(&t, &part, o, whole.dst.ld, &dst))
        return result->status = ct_refuse(result->message, CT_E_MEMORY,
                                          "not enough memory for a copy of %lld x %lld elements",
                                          (long long)matrix->rows, (long long)matrix->cols);
    copy_part(&whole, &part, &dst, &t, o, tiles, result);
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
