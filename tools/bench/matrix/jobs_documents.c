/* The jobs that retell tutorial 000 and article 002, and those with a static layout. */
#include "jobs.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "documents.h"
#include "kernels/variants.h"
#include "../kernels/view_copies.h"

/* ---- tutorial 000 ---------------------------------------------------------------------------- */

/* In one block a launch is over at once: this many, back to back, are one run. */
enum { ONE_BLOCK_LAUNCHES = 200 };

/* A column-major matrix of whole tiles of floats, without gaps in a column. */
static ct_matrix tutorial_matrix(unsigned char *data, int64_t rows, int64_t cols)
{
    const ct_matrix m = {.data = data, .rows = rows, .cols = cols, .ld = rows, .elem_bytes = 4};
    return m;
}

static void add_tutorial(bench_list *list, const bench_setup *setup, const char *kernel,
                         const char *name, int64_t rows, int64_t cols)
{
    const int is_one = rows == TUTORIAL_M && cols == TUTORIAL_N;
    const ct_matrix from = tutorial_matrix(setup->src, rows, cols);
    const ct_matrix to = tutorial_matrix(setup->dst, rows, cols);
    const ct_layout L = ct_layout2(rows, cols, 1, rows);
    const ct_variant_args args = {.src = ct_make_global(from.data, 32, L),
                                  .dst = ct_make_global(to.data, 32, L)};
    const ct_dim3 grid = {(uint32_t)(rows / TUTORIAL_M), (uint32_t)(cols / TUTORIAL_N), 1};
    bench_job *const job =
        bench_add(list, "tutorial",
                  bench_launch_of(kernel, grid, (ct_dim3){256, 1, 1}, TUTORIAL_M * TUTORIAL_N * 4,
                                  &args, sizeof args),
                  from, to);
    job->forget_at = offsetof(ct_variant_args, dst) + offsetof(ct_global, at);
    job->launches = is_one ? ONE_BLOCK_LAUNCHES : 1;
    bench_name(list, "%s, %s", name, is_one ? "one block" : "whole GPU");
}

static void add_tutorials(bench_list *list, const bench_setup *setup)
{
    static const char *const rows[][2] = {
#define ROW(id, name, ...) {"bench_tutorial_" #id, name},
        BENCH_TUTORIAL(ROW)};
    const ct_matrix all = bench_matrix(setup, setup->src, 4, 0);
    for (int whole = 0; whole < 2; ++whole)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
            add_tutorial(list, setup, rows[i][0], rows[i][1],
                         whole ? all.rows / TUTORIAL_M * TUTORIAL_M : TUTORIAL_M,
                         whole ? all.cols / TUTORIAL_N * TUTORIAL_N : TUTORIAL_N);
}

/* ---- article 002 ----------------------------------------------------------------------------- */

/* Its layouts, in its order; half, and a matrix of this many rows and columns. */
enum { ARTICLE_SIDE = 4096 };
static const struct layout {
    const char *variant, *about;
    int row_major;
} layouts[] = {
    {"rows4", "row-major", 1},
    {"rows4", "column-major", 0},
    {"printed4", "its transposed", 0},
    {"cols4", "actually transposed", 0},
    {"rows8-async", "row-major, cp.async", 1},
    {"printed8-async", "its transposed, cp.async", 0},
    {"cols8-async", "transposed, cp.async", 0},
    {"half-line", "half a line, cp.async", 1},
};

static void add_articles(bench_list *list, const bench_setup *setup)
{
    for (int whole = 0; whole < 2; ++whole) {
        for (size_t i = 0; i < sizeof layouts / sizeof *layouts; ++i) {
            const struct layout *const l = &layouts[i];
            ct_matrix from = bench_matrix(setup, setup->src, 2, l->row_major);
            ct_matrix to = bench_matrix(setup, setup->dst, 2, l->row_major);
            if (!whole && from.rows >= ARTICLE_SIDE && from.cols >= ARTICLE_SIDE)
                from.rows = from.cols = from.ld = to.rows = to.cols = to.ld = ARTICLE_SIDE;
            bench_add_copy(list, setup, "article", ct_copy_variant_named(l->variant), from, to, "");
            bench_name(list, "%s, %lld x %lld", l->about, (long long)from.rows,
                       (long long)from.cols);
        }
    }
}

/* ---- static layouts -------------------------------------------------------------------------- */

/* The kernel of a variant whose leading dimension is a constant, beside the job before it. */
static void add_static_beside(bench_list *list, const bench_setup *setup, const char *kernel,
                              const ct_copy_variant *variant, ct_matrix from, ct_matrix to)
{
    const int beside = list->count;
    bench_job *const job = bench_add_copy(list, setup, "static", variant, from, to, " static");
    snprintf(job->launch.kernel, sizeof job->launch.kernel, "%s", kernel);
    job->beside = beside;
}

/* The copy that learns every step when it runs. */
static void add_view(bench_list *list, const char *kernel, ct_matrix from, ct_matrix to)
{
    const int by_cols = !from.row_major;
    const ct_view_copy_args args = ct_make_view_copy_args(
        from.data, (void *)to.data, from.elem_bytes,
        ct_layout2(from.rows, from.cols, by_cols ? 1 : from.ld, by_cols ? from.ld : 1),
        ct_layout2(to.rows, to.cols, by_cols ? 1 : to.ld, by_cols ? to.ld : 1));
    const uint32_t tall = (uint32_t)ct_ceil_div_int(from.rows, CT_VIEW_COPY_TILE);
    const uint32_t wide = (uint32_t)ct_ceil_div_int(from.cols, CT_VIEW_COPY_TILE);
    const ct_dim3 grid = {by_cols ? tall : wide, by_cols ? wide : tall, 1};
    bench_add(list, "static",
              bench_launch_of(kernel, grid, (ct_dim3){CT_VIEW_COPY_THREADS, 1, 1},
                              (size_t)ct_view_copy_of(from.elem_bytes).shared_bytes, &args,
                              sizeof args),
              from, to);
    bench_name(list, "%s %s", kernel + 3, by_cols ? "col" : "row");
}

/* A launch of a variant, and the kernel for it whose leading dimension is a constant. */
static void add_static(bench_list *list, const bench_setup *setup, const char *kernel,
                       const char *name, int row_major)
{
    const ct_matrix from = bench_matrix(setup, setup->src, 2, row_major);
    const ct_matrix to = bench_matrix(setup, setup->dst, 2, row_major);
    if (from.rows != STATIC_SIDE || from.cols != STATIC_SIDE) return;
    const ct_copy_variant *const variant = ct_copy_variant_named(name);
    bench_add_copy(list, setup, "static", variant, from, to, " run-time");
    add_static_beside(list, setup, kernel, variant, from, to);
    if (strcmp(name, "rows8-async") != 0 && strcmp(name, "cols8-async") != 0) return;
    for (int with = 0; with < 2; ++with) {
        add_view(list, with ? "ct_view_copy_with_2" : "ct_view_copy_2", from, to);
        add_static_beside(list, setup, kernel, variant, from, to);
    }
}

static void add_statics(bench_list *list, const bench_setup *setup)
{
#define STATIC(id, name, order, axis, ...)                                                         \
    add_static(list, setup, "bench_static_" #id "_" #order, name, axis);
    BENCH_STATIC(STATIC)
}

void bench_add_documents(bench_list *list, const bench_setup *setup)
{
    add_tutorials(list, setup);
    add_articles(list, setup);
    add_statics(list, setup);
}
