/* What cutlet-bench-gpu prints, and writes as tab-separated values. */
#include "report.h"

#include <string.h>

static double rate(int64_t bytes, double seconds)
{
    return seconds > 0 ? 1e-9 * (double)bytes / seconds : 0;
}

/* What the driver's copy of the job's matrix moves. */
static int64_t driver_moved(const bench_job *job)
{
    return 2 * job->from.rows * job->from.cols * job->from.elem_bytes;
}

void bench_print_head(const bench_options *o, ct_cuda *gpu, FILE *tsv)
{
    const ct_cuda_device *const d = ct_cuda_about(gpu);
    printf("%s, sm_%d%d, %d multiprocessors, %.0f MiB of L2, driver for CUDA %d.%d\n", d->name,
           d->major, d->minor, d->processors, (double)d->l2_bytes / (1 << 20), d->driver / 1000,
           d->driver % 1000 / 10);
    printf("matrices of %lld MiB, median of %d runs, verified before\n\n", (long long)o->mib,
           o->runs);
    printf("%-9s %-44s %9s %8s %8s %9s %9s %5s %4s\n", "group", "job", "us", "GB/s", "memcpy",
           "of memcpy", "spread", "regs", "res");
    if (tsv)
        fprintf(tsv, "device\tgroup\tjob\tkernel\telem_bytes\trows\tcols\tgrid\tblock\t"
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
    {"tuning", "Transposes that were tried"},
};

void bench_print_title(const char *group)
{
    const char *text = group;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; ++i)
        if (strcmp(titles[i].group, group) == 0) text = titles[i].text;
    printf("\n%s\n", text);
}

void bench_print_row(const bench_options *o, ct_cuda *gpu, FILE *tsv, const bench_list *list,
                     const bench_job *job, const bench_result *r)
{
    const bench_job *const beside = job->beside ? &list->jobs[job->beside - 1] : NULL;
    const double gb_s = rate(bench_moved(job), r->seconds);
    const double driver_gb_s = rate(driver_moved(job), r->driver);
    const double of_driver = driver_gb_s > 0 ? gb_s / driver_gb_s : 0;
    printf("%-9s %-44s %9.1f %8.0f %8.0f %9.3f %8.1f%% %5d %4d%s", job->group, job->name,
           1e6 * r->seconds / (job->launches ? job->launches : 1), gb_s, driver_gb_s, of_driver,
           r->seconds > 0 ? 100 * (r->most - r->least) / r->seconds : 0, r->kernel.registers,
           r->kernel.resident, r->kernel.local_bytes ? "  local memory" : "");
    if (beside) printf("  %s / this %.3f", beside->name, r->ratio);
    putchar('\n');
    fflush(stdout);
    if (!tsv) return;
    fprintf(tsv, "%s\t%s\t%s\t%s\t%d\t%lld\t%lld\t%ux%ux%u\t%u\t%zu\t%lld\t%d\t%.9f\t%.9f\t%.9f\t"
                 "%.1f\t%.9f\t%.1f\t%.4f\t%d\t%d\t%d\t%d\t%s\t%.9f\t%.1f\t%.4f\n",
            ct_cuda_about(gpu)->name, job->group, job->name, job->kernel ? job->kernel : "",
            job->from.elem_bytes, (long long)job->from.rows, (long long)job->from.cols, job->grid.x,
            job->grid.y, job->grid.z, job->block.x, job->shared_bytes, (long long)bench_moved(job),
            o->runs, r->seconds, r->least, r->most, gb_s, r->driver, driver_gb_s, of_driver,
            r->kernel.registers, r->kernel.local_bytes, r->kernel.resident,
            job->launches ? job->launches : 1, beside ? beside->name : "", r->beside,
            beside ? rate(bench_moved(beside), r->beside) : 0, r->ratio);
    fflush(tsv);
}

void bench_print_jobs(const bench_options *o, const bench_list *list)
{
    for (int i = 0; i < list->count; ++i) {
        const bench_job *const j = &list->jobs[i];
        if (!bench_is_wanted(o, j)) continue;
        printf("%-9s %-44s %-32s %lld x %lld, grid %u x %u x %u, block %u, shared %zu\n", j->group,
               j->name, j->kernel ? j->kernel : "(the driver's copy)", (long long)j->from.rows,
               (long long)j->from.cols, j->grid.x, j->grid.y, j->grid.z, j->block.x,
               j->shared_bytes);
    }
}
