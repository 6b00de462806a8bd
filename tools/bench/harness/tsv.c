/* What all runs have as tab-separated values. */
#include "tsv.h"

#include <inttypes.h>
#include <stdio.h>

void bench_tsv_about(const char *name, const char *value)
{
    if (value && value[0]) printf("# %s: %s\n", name, value);
}

void bench_tsv_run(const char *bench, const bench_about *about)
{
    const ct_cuda_device *const d = &about->device.about;
    bench_tsv_about("bench", bench);
    if (about->on_gpu) {
        bench_tsv_about("device", d->name);
        printf("# capability: %d.%d\n# driver_cuda: %d\n# processors: %d\n", d->major, d->minor,
               d->driver, d->processors);
        printf("# memory_bytes: %" PRId64 "\n# l2_bytes: %" PRId64 "\n", d->memory_bytes,
               d->l2_bytes);
        if (about->device.peak > 0) printf("# peak_gb_s: %.8g\n", 1e-9 * about->device.peak);
    }
    bench_tsv_about("reason", about->reason);
    bench_tsv_about("left_out", about->left_out);
    printf("# runs: %d\n", about->runs);
}

void bench_tsv_columns(const char *own, const char *of_gpu, int on_gpu)
{
    printf("%s\tverified\t%s%s%s\n", own,
           on_gpu ? "seconds\tseconds_least\tseconds_most" : "instructions\trequests\tsectors",
           on_gpu ? "\t" : "", on_gpu ? of_gpu : "");
}

void bench_tsv_figure(double figure)
{
    if (figure > 0) printf("\t%.8g", figure);
    else putchar('\t');
}

void bench_tsv_result(const bench_result *result, int on_gpu)
{
    static const char *const words[] = {
        [BENCH_NOT_RUN] = "", [BENCH_IS_RIGHT] = "yes", [BENCH_IS_WRONG] = "no"};
    printf("\t%s", words[result->status]);
    if (on_gpu) {
        bench_tsv_figure(result->seconds.median);
        bench_tsv_figure(result->seconds.least);
        bench_tsv_figure(result->seconds.most);
    } else {
        printf("\t%" PRId64 "\t%" PRId64 "\t%" PRId64, result->instructions, result->requests,
               result->sectors);
    }
}
