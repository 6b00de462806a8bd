/* The jobs of `cutlet-bench matrix`. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness/report.h"
#include "compare/launch.h"
#include "cute_copy.h"
#include "jobs.h"
#include "../kernels/plain_copy.h"
#include "tools/cutlet/common/cli.h"

/* ---- the driver's copy and the plain one ----------------------------------------------------- */

static void add_plain(bench_list *list, const bench_setup *setup)
{
    const ct_matrix from = bench_matrix(setup, setup->src, 16, 1);
    const ct_matrix to = bench_matrix(setup, setup->dst, 16, 1);
    const int64_t bytes = from.rows * from.cols * 16, block = 16 * CT_PLAIN_COPY_THREADS;
    const ct_plain_copy_args args = {setup->src, setup->dst, bytes};
    const ct_dim3 grid = {(uint32_t)((bytes + block - 1) / block), 1, 1};
    const ct_dim3 threads = {CT_PLAIN_COPY_THREADS, 1, 1};
    bench_add(list, "plain", bench_driver_copy(setup->dst, setup->src, bytes), from, to);
    bench_name(list, "memcpy");
    bench_add(list, "plain", bench_launch_of("ct_plain_copy", grid, threads, 0, &args, sizeof args),
              from, to)
        ->beside = bench_find(list, "plain", "memcpy");
    bench_name(list, "one-access");
}

/* ---- the variants of the tiled copy ---------------------------------------------------------- */

bench_job *bench_add_copy(bench_list *list, const bench_setup *setup, const char *group,
                          const ct_copy_variant *variant, ct_matrix from, ct_matrix to,
                          const char *note)
{
    char error[CT_MESSAGE_BYTES] = "";
    ct_copy_launch launch;
    if (ct_copy_launch_make(&launch, variant, &from, &to, setup->tile_m, setup->tile_n, error))
        bench_die("%s %d%s: %s", variant->name, from.elem_bytes, note, error);
    bench_job *const job =
        bench_add(list, group,
                  bench_launch_of(launch.kernel->name, launch.grid, launch.block,
                                  launch.shared_bytes, &launch.args, launch.kernel->args_bytes),
                  from, to);
    bench_name(list, "%s %s %d%s", variant->name, from.row_major ? "row" : "col", from.elem_bytes,
               note);
    return job;
}

/* What may be the matter with the source and the destination. */
static const bench_shape fits[][2] = {{{"", 0, 0, 0}, {"", 0, 0, 0}}};
static const bench_shape ragged[][2] = {
    {{" odd extents", 1, 3, 0}, {"", 1, 3, 0}},
    {{" misaligned", 0, 0, 1}, {"", 0, 0, 1}},
    {{" misaligned apart", 0, 0, 0}, {"", 0, 0, 1}},
};

/* The variants in all of this many shapes; the best copy is a group of its own. */
static void add_shapes(bench_list *list, const bench_setup *setup, const char *group,
                       const bench_shape (*shapes)[2], int shape_count)
{
    int count = 0;
    const ct_copy_variant *const all = ct_copy_variants(&count);
    for (int e = 0; e < setup->elem_count; ++e) {
        for (int row_major = 1; row_major >= 0; --row_major) {
            const ct_matrix from = bench_matrix(setup, setup->src, setup->elem_bytes[e], row_major);
            const ct_matrix to = bench_matrix(setup, setup->dst, setup->elem_bytes[e], row_major);
            for (int v = 0; v < count; ++v) {
                if (!(row_major ? all[v].for_rows : all[v].for_cols)) continue;
                for (int s = 0; s < shape_count && all[v].how != CT_COPY_BEST; ++s)
                    bench_add_copy(list, setup, group, &all[v], bench_shaped(from, &shapes[s][0]),
                                   bench_shaped(to, &shapes[s][1]), shapes[s][0].note);
            }
        }
    }
}

static void add_copies(bench_list *list, const bench_setup *setup)
{
    add_shapes(list, setup, "copy", fits, 1);
}

/* On data that does not fit their accesses. */
static void add_ragged(bench_list *list, const bench_setup *setup)
{
    add_shapes(list, setup, "ragged", ragged, 3);
}

/* What a peer's image has, for half: the variants in both orders but rows8-async for column-major
 * data, which does not compile with CuTe, and the pairs that are in no table. */
static const struct peer {
    const char *variant, *kernel;
    int row_major;
} peers[] = {
    {"rows4", "cute_rows4_row", 1},
    {"rows4-wide", "cute_rows4_wide_row", 1},
    {"rows8", "cute_rows8_row", 1},
    {"rows8-async", "cute_rows8_async_row", 1},
    {"half-line", "cute_half_line_row", 1},
    {"cols4", "cute_cols4_row", 1},
    {"partition", "cute_partition_row", 1},
    {"rows4", "cute_rows4_col", 0},
    {"printed4", "cute_printed4_col", 0},
    {"printed8-async", "cute_printed8_async_col", 0},
    {"cols4", "cute_cols4_col", 0},
    {"cols8", "cute_cols8_col", 0},
    {"cols8-async", "cute_cols8_async_col", 0},
    {"partition", "cute_partition_col", 0},
};

/* The variants written with CuTe, in turn with our own. */
static void add_peers(bench_list *list, const bench_setup *setup)
{
    if (!setup->peer) return;
    for (size_t i = 0; i < sizeof peers / sizeof *peers; ++i) {
        const struct peer *const p = &peers[i];
        const ct_matrix from = bench_matrix(setup, setup->src, 2, p->row_major);
        const ct_matrix to = bench_matrix(setup, setup->dst, 2, p->row_major);
        const cute_copy_args args = {from.data, (void *)to.data, from.rows, from.cols};
        if (from.rows % CUTE_COPY_TILE || from.cols % CUTE_COPY_TILE)
            bench_die("--peer: matrices of whole tiles only");
        const bench_launch own =
            bench_add_copy(list, setup, "peer", ct_copy_variant_named(p->variant), from, to, "")
                ->launch;
        const int beside = list->count;
        bench_add(list, "peer",
                  bench_launch_of(p->kernel, own.grid, own.block, 0, &args, sizeof args), from, to)
            ->beside = beside;
        bench_name(list, "cute %s %s 2", p->variant, p->row_major ? "row" : "col");
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

void bench_add_all(bench_list *list, const bench_setup *setup)
{
    static void (*const groups[])(bench_list *, const bench_setup *) = {
        add_plain,           add_copies,           add_peers, add_ragged, bench_add_best_copy,
        bench_add_documents, bench_add_transposes,
    };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; ++i) groups[i](list, setup);
}

/* ---- what jobs are made with ----------------------------------------------------------------- */

bench_job *bench_add(bench_list *list, const char *group, bench_launch launch, ct_matrix from,
                     ct_matrix to)
{
    bench_job *const grown = realloc(list->jobs, (size_t)(list->count + 1) * sizeof *grown);
    if (!grown) bench_die("out of memory");
    list->jobs = grown;
    grown[list->count] = (bench_job){.group = group, .launch = launch, .from = from, .to = to};
    return &grown[list->count++];
}

void bench_name(bench_list *list, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(list->jobs[list->count - 1].name, BENCH_NAME, format, args);
    va_end(args);
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

ct_matrix bench_shaped(ct_matrix m, const bench_shape *s)
{
    m.rows -= s->cut_rows;
    m.cols -= s->cut_cols;
    m.ld = m.row_major ? m.cols : m.rows;
    m.data = (const unsigned char *)m.data + s->shift * m.elem_bytes;
    return m;
}

int bench_launches(const bench_job *job) { return job->launches ? job->launches : 1; }

int64_t bench_moved(const bench_job *job)
{
    const int64_t bytes = job->from.rows * job->from.cols * job->from.elem_bytes;
    return bytes * (job->forget_at ? 1 : 2) * bench_launches(job);
}

int bench_find(const bench_list *list, const char *group, const char *name)
{
    for (int i = 0; i < list->count; ++i)
        if (strcmp(list->jobs[i].group, group) == 0 && strcmp(list->jobs[i].name, name) == 0)
            return i + 1;
    return 0;
}

void bench_die(const char *format, ...)
{
    va_list args;
    bench_tell_end();
    va_start(args, format);
    fprintf(stderr, "%s matrix: ", ct_program);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(CT_EXIT_FAILED);
}
