/* What cutlet-bench-gpu prints, and writes as tab-separated values. */
#include "table.h"

#include <stddef.h>
#include <string.h>

/* A row of the tab-separated values; times are of one run, which may be many launches. */
typedef struct row {
    const char *device, *group, *job, *kernel, *grid, *beside;
    int32_t elem_bytes, block, runs, launches;
    int64_t rows, cols, shared_bytes, bytes;
    double median, least, most, gb_s, memcpy_s, memcpy_gb_s, of_memcpy;
    double beside_s, beside_gb_s, beside_of_this;
    ct_cuda_kernel about;
} row;

#define FIELD(name, kind, member) {name, BENCH_##kind, offsetof(row, member)}
static const bench_field fields[] = {
    FIELD("device", WORDS, device),
    FIELD("group", WORDS, group),
    FIELD("job", WORDS, job),
    FIELD("kernel", WORDS, kernel),
    FIELD("elem_bytes", COUNT, elem_bytes),
    FIELD("rows", LONG, rows),
    FIELD("cols", LONG, cols),
    FIELD("grid", WORDS, grid),
    FIELD("block", COUNT, block),
    FIELD("shared_bytes", LONG, shared_bytes),
    FIELD("bytes", LONG, bytes),
    FIELD("runs", COUNT, runs),
    FIELD("median_s", SECONDS, median),
    FIELD("min_s", SECONDS, least),
    FIELD("max_s", SECONDS, most),
    FIELD("gb_s", FIGURE, gb_s),
    FIELD("memcpy_s", SECONDS, memcpy_s),
    FIELD("memcpy_gb_s", FIGURE, memcpy_gb_s),
    FIELD("of_memcpy", FIGURE, of_memcpy),
    FIELD("registers", COUNT, about.registers),
    FIELD("local_bytes", COUNT, about.local_bytes),
    FIELD("resident", COUNT, about.resident),
    FIELD("launches", COUNT, launches),
    FIELD("beside", WORDS, beside),
    FIELD("beside_s", SECONDS, beside_s),
    FIELD("beside_gb_s", FIGURE, beside_gb_s),
    FIELD("beside_of_this", FIGURE, beside_of_this),
};
enum { FIELDS = sizeof fields / sizeof *fields };

void bench_print_head(const bench_table *t)
{
    char words[512];
    bench_device_words(&t->device, words, sizeof words);
    printf("%s\nmatrices of %lld MiB, median of %d runs, verified before\n\n", words,
           (long long)t->options->mib, t->options->runs);
    printf("%-9s %-44s %9s %8s %8s %9s %9s %5s %4s\n", "group", "job", "us", "GB/s", "memcpy",
           "of memcpy", "spread", "regs", "res");
    if (t->tsv) bench_tsv_names(t->tsv, fields, FIELDS);
}

static const struct title {
    const char *group, *text;
} titles[] = {
    {"plain", "The driver's copy, and the plainest kernel"},
    {"best", "The best tiled copy: global -> shared -> global, 16 bytes a thread"},
    {"copy", "The variants of the tiled copy: one tile a block"},
    {"peer", "The variants beside the same written with CuTe, in turn"},
    {"ragged", "The variants on data that does not fit them"},
    {"tutorial", "Tutorial 000: 128 x 256 floats into shared memory; GB/s counts bytes read"},
    {"article", "Article 002: thread layouts and the order of the data"},
    {"static", "A leading dimension told at run time beside a constant one, in turn"},
    {"transpose", "Transposes in memory"},
    {"tuning", "Transposes that were tried"},
};

void bench_print_title(const char *group)
{
    const char *text = group;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; ++i)
        if (strcmp(titles[i].group, group) == 0) text = titles[i].text;
    printf("\n%s\n", text);
}

/* grid: room for the row's text. */
static row row_of(const bench_table *t, const bench_list *list, const bench_job *job,
                  const bench_measured *m, char grid[48])
{
    const bench_job *const beside = job->beside ? &list->jobs[job->beside - 1] : NULL;
    const bench_launch *const l = &job->launch;
    const int64_t matrix = job->from.rows * job->from.cols * job->from.elem_bytes;
    const int32_t launches = job->launches ? job->launches : 1;
    snprintf(grid, 48, "%ux%ux%u", l->grid.x, l->grid.y, l->grid.z);
    row r = {.device = t->device.about.name, .group = job->group, .job = job->name,
             .kernel = l->kernel, .grid = grid, .beside = beside ? beside->name : "",
             .elem_bytes = job->from.elem_bytes, .block = (int32_t)l->block.x,
             .runs = t->options->runs, .launches = launches, .rows = job->from.rows,
             .cols = job->from.cols, .shared_bytes = (int64_t)l->shared_bytes,
             .bytes = bench_moved(job), .median = launches * m->own.median,
             .least = launches * m->own.least, .most = launches * m->own.most,
             .memcpy_s = m->driver.median, .memcpy_gb_s = bench_rate(2 * matrix, m->driver.median),
             .beside_of_this = m->own.before, .about = m->kernel};
    r.gb_s = bench_rate(r.bytes, r.median);
    r.of_memcpy = bench_over(r.gb_s, r.memcpy_gb_s);
    if (!beside) return r;
    r.beside_s = m->beside.median * (beside->launches ? beside->launches : 1);
    r.beside_gb_s = bench_rate(bench_moved(beside), r.beside_s);
    return r;
}

void bench_print_row(const bench_table *t, const bench_list *list, const bench_job *job,
                     const bench_measured *m)
{
    char grid[48];
    const row r = row_of(t, list, job, m, grid);
    printf("%-9s %-44s %9.1f %8.0f %8.0f %9.3f %8.1f%% %5d %4d%s", job->group, job->name,
           1e6 * m->own.median, r.gb_s, r.memcpy_gb_s, r.of_memcpy,
           r.median > 0 ? 100 * (r.most - r.least) / r.median : 0, r.about.registers,
           r.about.resident, r.about.local_bytes ? "  local memory" : "");
    if (job->beside) printf("  %s / this %.3f", r.beside, r.beside_of_this);
    putchar('\n');
    fflush(stdout);
    if (t->tsv) bench_tsv_row(t->tsv, fields, FIELDS, &r);
}

void bench_print_jobs(const bench_options *o, const bench_list *list)
{
    for (int i = 0; i < list->count; ++i) {
        const bench_job *const j = &list->jobs[i];
        if (!bench_is_wanted(o, j)) continue;
        const bench_launch *const l = &j->launch;
        printf("%-9s %-44s %-32s %lld x %lld, grid %u x %u x %u, block %u, shared %zu\n", j->group,
               j->name, l->kernel[0] ? l->kernel : "(the driver's copy)", (long long)j->from.rows,
               (long long)j->from.cols, l->grid.x, l->grid.y, l->grid.z, l->block.x,
               l->shared_bytes);
    }
}
