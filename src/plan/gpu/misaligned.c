/* Copies of bytes between rows and lines at any addresses. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "gpu.h"

enum {
    LONGEST = 1 << 30,
    MOST_LINE = 448,
    MOST_SHARED = 96 * 1024,
    SHORT_RUN = 1024,
    SHORT_ROW = 512
};

static int32_t up(int64_t n, int32_t to) { return (int32_t)ct_gpu_round_up(n, to); }

/* A candidate division of a copy between misaligned rows and lines. */
typedef struct way {
    int32_t run, line;                 /* bytes of a span of a run, and of a long line */
    int32_t lines;                     /* the most lines of a block */
    int32_t row_threads, row_blocks;   /* threads, and blocks of a multiprocessor, for rows */
    int32_t line_threads, line_blocks; /* the same for lines */
} way;

/* Each was the best of some case of bench/plan on an H200. */
static const way ways[] = {
    {13312, 160, 124, 256, 8, 256, 5},
    {4096, 256, 92, 128, 16, 384, 3},
    {6656, 96, 64, 128, 10, 256, 8},
};

/* Takes the modes from mode k on that continue a run of `run` bytes, except mode `not`; `taken` gets
 * a bit for each. Returns the bytes of the run; 0: too many. */
static int64_t take_run(ct_misaligned *p, const ct_plan_form *f, int k, int not, int64_t run,
                        uint32_t *taken)
{
    for (; k < f->modes; ++k) {
        const ct_plan_mode *const m = &f->mode[k];
        if (k == not || m->dst != run) continue;
        if (m->extent > LONGEST / run) return 0;
        run *= m->extent;
        ct_gpu_add_mode(p->mode, &p->modes, m);
        *taken |= 1u << k;
    }
    return run;
}

/* Bytes from row to row of the destination: more than those of a row where gaps follow rows and are
 * less than a fifth of them. A vector with a gap is stored in parts: boxes are faster for short rows. */
static int32_t step_of(const ct_plan_form *f, int32_t row_bytes)
{
    int64_t least = INT64_MAX;
    for (int k = 1; k < f->modes; ++k)
        if (f->mode[k].dst >= row_bytes) least = ct_min(least, f->mode[k].dst);
    const int is_far = least > ct_min((int64_t)row_bytes * 5 / 4, LONGEST);
    return row_bytes < SHORT_ROW || is_far ? row_bytes : (int32_t)least;
}

/* The modes of the rows; -1 for forms that are neither rows nor lines of bytes. The row's mode is not
 * among them. */
static int begin(ct_misaligned *p, const ct_plan_form *f, uint32_t *taken)
{
    const ct_plan_mode *const first = &f->mode[0];
    const int bytes = f->src_bytes;
    int64_t run = 0;
    *taken = 1;
    if (first->dst != bytes) return -1;
    if (first->src == bytes) {
        if (first->extent > LONGEST / bytes) return -1;
        p->line_bytes = p->row_bytes = (int32_t)(first->extent * bytes);
        p->line_step = step_of(f, p->line_bytes);
        run = take_run(p, f, 1, 0, p->line_step, taken);
        p->merged = 1;
        if (p->line_bytes < CT_VECTOR_BYTES || p->modes == 0) return -1;
        run -= run > 0 ? p->line_step - p->line_bytes : 0;
    } else {
        const int row = ct_gpu_contiguous(f, 0);
        if (row < 0 || bytes != 1 || first->extent > LONGEST || f->mode[row].extent > LONGEST)
            return -1;
        ct_gpu_add_mode(p->mode, &p->modes, first);
        run = take_run(p, f, 1, row, first->extent, taken);
        p->transposed = 1;
        p->dst_step = f->mode[row].dst;
        p->all_lines = (int32_t)f->mode[row].extent;
        p->line_bytes = p->line_step = (int32_t)run;
        p->merged = p->dst_step == run && run <= MOST_LINE && run * p->all_lines <= LONGEST;
        if (p->merged) run *= p->all_lines;
        *taken |= 1u << row;
        if (p->line_bytes < 64 || p->all_lines < 32) return -1;
    }
    if (run < SHORT_RUN && p->merged) return -1;
    p->row_modes = p->modes;
    p->run_bytes = (int32_t)run;
    return 0;
}

/* The part of a block: spans of a run of rows. */
static void divide_rows(ct_misaligned *p, const struct way *way)
{
    const int64_t spans = ct_ceil_div_int(p->run_bytes, way->run);
    p->threads = way->row_threads;
    p->span = up(ct_ceil_div_int(p->run_bytes, spans) + 31, 32);
    p->spans = (int32_t)ct_ceil_div_int(p->run_bytes + (int64_t)31, p->span);
    p->tiles = 1;
    p->rows = (int32_t)ct_ceil_div_int(p->span, p->line_step) + 1;
    p->chunks = (int32_t)ct_ceil_div_int(ct_min(p->row_bytes, p->span + 15) + 15, 16);
    p->pitch = up(p->row_bytes + (int64_t)15, 16);
}

/* The part of a block: whole lines of a run, or spans of long lines. */
static void divide_lines(ct_misaligned *p, const struct way *way)
{
    p->threads = way->line_threads;
    p->tiles = (int32_t)ct_ceil_div_int(p->all_lines, way->lines);
    p->lines = (int32_t)ct_ceil_div_int(p->all_lines, p->tiles);
    p->row_bytes = p->lines + p->merged;
    p->spans = 1;
    p->rows = p->line_bytes;
    if (!p->merged) {
        p->span = way->line;
        p->spans = (int32_t)ct_ceil_div_int(p->run_bytes, p->span);
        p->rows = p->span + CT_SECTOR_BYTES;
    }
    p->chunks = (up(p->lines, 4) + 20 + 15) / 16; /* a word more than the bytes of a row */
    p->pitch = 16 * (p->chunks | 1);
    p->line_pitch = 16 * ((up(p->rows + (p->merged ? 31 : 0), 16) / 16) | 1);
}

/* Places in shared memory: addresses, offsets, rows, lines. */
static void lay_out(ct_misaligned *p)
{
    const int32_t all = up(p->rows + (p->transposed && p->merged ? 31 : 0), 16);
    const int32_t rows = p->transposed ? up(p->rows, 16) : p->rows, lines = up(p->lines, 4);
    p->offsets_at = up(8 * (int64_t)rows, 16);
    p->rows_at = p->offsets_at + 4 * all;
    if (!p->transposed) { /* the span, and bytes staged before and after each row */
        p->shared_bytes = p->rows_at + p->span + rows * (p->pitch - p->row_bytes) + 64;
        return;
    }
    p->lines_at = up(p->rows_at + rows * p->pitch + rows / 8 * 16 + 16, 128);
    p->shared_bytes = p->lines_at + lines * p->line_pitch + lines / 8 * 32 + 32;
}

static int make(const ct_plan *plan, const ct_plan_form *form, int nth, ct_gpu_launch *launch)
{
    ct_misaligned *const p = &launch->args.misaligned;
    const struct way *const way = &ways[nth];
    uint32_t taken = 0;
    memset(p, 0, sizeof *p);
    (void)plan;
    if (form->modes < 2 || begin(p, form, &taken)) return -1;
    if (p->transposed) divide_lines(p, way);
    else divide_rows(p, way);
    lay_out(p);
    for (int k = 0; k < form->modes; ++k)
        if (!(taken >> k & 1)) ct_gpu_add_mode(p->mode, &p->modes, &form->mode[k]);
    if (p->shared_bytes > MOST_SHARED) return -1;
    launch->threads = (uint32_t)p->threads;
    launch->modes = p->modes;
    launch->resident = p->transposed ? way->line_blocks : way->row_blocks;
    launch->shared_bytes = p->shared_bytes;
    return ct_gpu_set_blocks(launch, (int64_t)p->tiles * p->spans, p->mode, p->row_modes, p->modes);
}

/* Rows and lines of single bytes: staged and realigned, they are faster than by boxes wherever rows
 * are not at multiples of 8 bytes. The first division is for long rows and long lines, the second for
 * short rows and for lines that follow one another; where these are short too, the third. */
static int choose(const ct_plan *plan, const ct_plan_form *f, ct_gpu_launch *launch)
{
    const ct_misaligned *const m = &launch->args.misaligned;
    if (f->kind != CT_FORM_TILES && f->kind != CT_FORM_ROWS) return -1;
    if (ct_gpu_alignment(f, launch) >= (f->kind == CT_FORM_ROWS ? 4 : 8) ||
        make(plan, f, 0, launch))
        return -1;
    if (m->transposed ? m->merged : m->line_bytes < 128)
        make(plan, f, m->transposed && m->line_bytes < 256 ? 2 : 1, launch);
    return 0;
}

static int say(const ct_gpu_launch *launch, char *buf, size_t size)
{
    const ct_misaligned *const m = &launch->args.misaligned;
    if (!m->transposed)
        return snprintf(buf, size, "%u spans of %d bytes, of rows of %d at any address",
                        launch->grid[0], m->span, m->row_bytes);
    return snprintf(buf, size,
                    "%u tiles of %d lines of %d bytes at any address, transposed in shared memory",
                    launch->grid[0], m->lines, m->merged ? m->line_bytes : m->span);
}

static const ct_gpu_field fields[] = {
    CT_GPU_ZEROS(ct_misaligned, at),
    CT_GPU_MEMBERS(ct_misaligned, transposed, modes),
    CT_GPU_MEMBERS(ct_misaligned, dst_step, dst_step),
    CT_GPU_STRUCTS(ct_misaligned, mode, ct_box_mode, ct_gpu_mode_fields),
    {0}};

const ct_gpu_engine ct_gpu_misaligned = {.name = "misaligned",
                                         .inside = "ct_misaligned_any",
                                         .choose = choose,
                                         .make = make,
                                         .variants = sizeof ways / sizeof *ways,
                                         .table = ways,
                                         .table_bytes = sizeof ways,
                                         .args_bytes = sizeof(ct_misaligned),
                                         .fields = fields,
                                         .say = say};
