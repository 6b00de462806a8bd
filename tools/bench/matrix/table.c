/* What `cutlet-bench matrix` prints, and writes as tab-separated values. */
#include "table.h"

#include <string.h>

void bench_print_head(const bench_table *t)
{
    char words[512];
    bench_device_words(&t->device, words, sizeof words);
    printf("%s\nmatrices of %lld MiB, median of %d runs, verified before\n\n", words,
           (long long)t->options->mib, t->options->runs);
    printf("%-9s %-44s %9s %8s %8s %9s %9s %5s %4s\n", "group", "job", "us", "GB/s", "memcpy",
           "of memcpy", "spread", "regs", "res");
    if (t->tsv)
        fprintf(t->tsv, "device\tgroup\tjob\tkernel\telem_bytes\trows\tcols\tgrid\tblock\t"
                        "shared_bytes\tbytes\truns\tmedian_s\tmin_s\tmax_s\tgb_s\t"
                        "memcpy_s\tmemcpy_gb_s\tof_memcpy\tregisters\tlocal_bytes\tresident\t"
                        "launches\tbeside\tbeside_s\tbeside_gb_s\tbeside_of_this\n");
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
};

void bench_print_title(const char *group)
{
    const char *text = group;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; ++i)
        if (strcmp(titles[i].group, group) == 0) text = titles[i].text;
    printf("\n%s\n", text);
}

void bench_print_row(const bench_table *t, const bench_list *list, const bench_job *job,
                     const bench_measured *m)
{
    const bench_job *const beside = job->beside ? &list->jobs[job->beside - 1] : NULL;
    const bench_launch *const l = &job->launch;
    const int64_t matrix = job->from.rows * job->from.cols * job->from.elem_bytes;
    const int launches = bench_launches(job); /* of a run, whose time the values have */
    const double seconds = launches * m->own.median;
    const double gb_s = bench_rate(bench_moved(job), seconds);
    const double memcpy_gb_s = bench_rate(2 * matrix, m->driver.median);
    const double of_memcpy = bench_over(gb_s, memcpy_gb_s);
    const double beside_s = beside ? bench_launches(beside) * m->beside.median : 0;
    printf("%-9s %-44s %9.1f %8.0f %8.0f %9.3f %8.1f%% %5d %4d%s", job->group, job->name,
           1e6 * m->own.median, gb_s, memcpy_gb_s, of_memcpy,
           100 * bench_over(m->own.most - m->own.least, m->own.median), m->kernel.registers,
           m->kernel.resident, m->kernel.local_bytes ? "  local memory" : "");
    if (beside) printf("  %s / this %.3f", beside->name, m->own.before);
    putchar('\n');
    fflush(stdout);
    if (!t->tsv) return;
    fprintf(t->tsv,
            "%s\t%s\t%s\t%s\t%d\t%lld\t%lld\t%ux%ux%u\t%u\t%zu\t%lld\t%d\t%.9f\t%.9f\t"
            "%.9f\t%.1f\t%.9f\t%.1f\t%.4f\t%d\t%d\t%d\t%d\t%s\t%.9f\t%.1f\t%.4f\n",
            t->device.about.name, job->group, job->name, l->kernel, job->from.elem_bytes,
            (long long)job->from.rows, (long long)job->from.cols, l->grid.x, l->grid.y, l->grid.z,
            l->block.x, l->shared_bytes, (long long)bench_moved(job), t->options->runs, seconds,
            launches * m->own.least, launches * m->own.most, gb_s, m->driver.median, memcpy_gb_s,
            of_memcpy, m->kernel.registers, m->kernel.local_bytes, m->kernel.resident, launches,
            beside ? beside->name : "", beside_s,
            beside ? bench_rate(bench_moved(beside), beside_s) : 0, beside ? m->own.before : 0);
    fflush(t->tsv);
}

void bench_print_jobs(const matrix_options *o, const bench_list *list)
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
