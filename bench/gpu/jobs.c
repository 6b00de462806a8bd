/* The jobs of the GPU benchmark. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "jobs_transpose.h"
#include "copy/launch.h"
#include "kernels/plain_copy.h"

/* ---- the driver's copy and the plain one ----------------------------------------------------- */

static void add_plain(bench_list *list, const bench_setup *setup)
{
    const ct_matrix from = bench_matrix(setup, setup->src, 16, 1);
    const ct_matrix to = bench_matrix(setup, setup->dst, 16, 1);
    bench_job *const driver = bench_add(list, "plain", "memcpy");
    driver->from = from;
    driver->to = to;

    bench_job *const plain = bench_add(list, "plain", "one-access");
    const int64_t bytes = from.rows * from.cols * 16, block = 16 * CT_PLAIN_COPY_THREADS;
    const ct_plain_copy_args args = {setup->src, setup->dst, bytes};
    plain->kernel = "ct_plain_copy";
    plain->grid = (ct_dim3){(uint32_t)((bytes + block - 1) / block), 1, 1};
    plain->block = (ct_dim3){CT_PLAIN_COPY_THREADS, 1, 1};
    plain->from = from;
    plain->to = to;
    bench_set_args(plain, &args, sizeof args);
}

/* ---- the variants of the tiled copy ---------------------------------------------------------- */

static void add_copy(bench_list *list, const bench_setup *setup, const char *group,
                     const ct_copy_variant *variant, ct_matrix from, ct_matrix to, const char *note)
{
    char error[CT_COMPARE_TEXT_BYTES] = "";
    ct_copy_launch launch;
    bench_job *const job = bench_add(list, group, "%s %s %d%s", variant->name,
                                     from.row_major ? "row" : "col", from.elem_bytes, note);
    if (ct_copy_launch_make(&launch, variant, &from, &to, setup->tile_m, setup->tile_n, error))
        bench_die("%s: %s", job->name, error);
    job->kernel = launch.kernel->name;
    job->grid = launch.grid;
    job->block = launch.block;
    job->shared_bytes = launch.shared_bytes;
    job->from = from;
    job->to = to;
    bench_set_args(job, &launch.args, sizeof launch.args);
}

static void add_copies(bench_list *list, const bench_setup *setup)
{
    int count = 0;
    const ct_copy_variant *const all = ct_copy_variants(&count);
    for (int e = 0; e < setup->elem_count; ++e) {
        for (int row_major = 1; row_major >= 0; --row_major) {
            const ct_matrix from = bench_matrix(setup, setup->src, setup->elem_bytes[e], row_major);
            const ct_matrix to = bench_matrix(setup, setup->dst, setup->elem_bytes[e], row_major);
            for (int v = 0; v < count; ++v)
                if (row_major ? all[v].for_rows : all[v].for_cols)
                    add_copy(list, setup, "copy", &all[v], from, to, "");
        }
    }
}

/* The matrix without its last rows and columns, or begun an element later. */
static ct_matrix cut(ct_matrix m, int rows, int cols, int shift)
{
    m.rows -= rows;
    m.cols -= cols;
    m.ld = m.row_major ? m.cols : m.rows;
    m.data = (const unsigned char *)m.data + shift * m.elem_bytes;
    return m;
}

/* The variants with wide accesses, on data that does not fit them. */
static void add_ragged(bench_list *list, const bench_setup *setup)
{
    int count = 0;
    const ct_copy_variant *const all = ct_copy_variants(&count);
    for (int e = 0; e < setup->elem_count; ++e) {
        for (int row_major = 1; row_major >= 0; --row_major) {
            const ct_matrix from = bench_matrix(setup, setup->src, setup->elem_bytes[e], row_major);
            const ct_matrix to = bench_matrix(setup, setup->dst, setup->elem_bytes[e], row_major);
            for (int v = 0; v < count; ++v) {
                if (!(row_major ? all[v].for_rows : all[v].for_cols)) continue;
                if (all[v].how != CT_COPY_BY_VECTOR && all[v].how != CT_COPY_BY_CP_ASYNC) continue;
                add_copy(list, setup, "ragged", &all[v], cut(from, 1, 3, 0), cut(to, 1, 3, 0),
                         " odd extents");
                add_copy(list, setup, "ragged", &all[v], cut(from, 0, 0, 1), cut(to, 0, 0, 1),
                         " misaligned");
            }
        }
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

void bench_add_all(bench_list *list, const bench_setup *setup)
{
    static void (*const groups[])(bench_list *, const bench_setup *) = {
        add_plain,
        add_copies,
        add_ragged,
        bench_add_best_copies,
        bench_add_transposes,
    };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; ++i) groups[i](list, setup);
}

/* ---- what jobs are made with ----------------------------------------------------------------- */

bench_job *bench_add(bench_list *list, const char *group, const char *format, ...)
{
    bench_job *const grown = realloc(list->jobs, (size_t)(list->count + 1) * sizeof *grown);
    if (!grown) bench_die("out of memory");
    list->jobs = grown;
    bench_job *const job = &grown[list->count++];
    memset(job, 0, sizeof *job);
    job->group = group;
    va_list args;
    va_start(args, format);
    vsnprintf(job->name, sizeof job->name, format, args);
    va_end(args);
    return job;
}

void bench_set_args(bench_job *job, const void *args, size_t bytes)
{
    if (bytes > sizeof job->args) bench_die("%s: an argument of %zu bytes", job->name, bytes);
    memcpy(job->args, args, bytes);
    job->args_bytes = bytes;
}

ct_matrix bench_matrix(const bench_setup *setup, unsigned char *data, int elem_bytes, int row_major)
{
    ct_matrix m;
    const int64_t elements = setup->bytes / elem_bytes;
    int64_t rows = 1;
    while (rows * rows * 4 <= elements) rows *= 2;
    memset(&m, 0, sizeof m);
    m.data = data;
    m.rows = rows;
    m.cols = elements / rows;
    m.ld = row_major ? m.cols : m.rows;
    m.row_major = row_major;
    m.elem_bytes = elem_bytes;
    return m;
}

int64_t bench_moved(const bench_job *job)
{
    return 2 * job->from.rows * job->from.cols * job->from.elem_bytes;
}

void bench_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("cutlet-bench-gpu: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}
