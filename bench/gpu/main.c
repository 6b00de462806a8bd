/* cutlet-bench-gpu: how fast the copies are on a GPU, beside the driver's own copy of the bytes.
 *
 * Each job is verified before it is timed, and a wrong one is not timed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jobs_documents.h"
#include "report.h"

/* ---- the run --------------------------------------------------------------------------------- */

/* Whether the comparison finds a single wrong bit: the driver's copy against a planted one. */
static void check_the_check(bench_check *check, const bench_list *list)
{
    char why[BENCH_LINE];
    for (int i = 0; i < list->count; ++i) {
        const bench_job *const job = &list->jobs[i];
        if (job->kernel) continue;
        if (bench_verify(check, job, why)) bench_die("the driver's copy: %s", why);
        unsigned char *const last = &check->expected[bench_moved(job) / 2 - 1];
        *last ^= 1;
        if (bench_verify(check, job, why) == 0) bench_die("a planted fault was not found");
        *last ^= 1;
        return;
    }
}

/* Which job is under way, where somebody watches. */
static void show(int done, int wanted, const bench_job *job)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "%d/%d %s %s\033[K\r", done, wanted, job->group, job->name);
}

/* Verifies and times every job that is wanted; returns how many were wrong. */
static int run_all(const bench_options *o, ct_cuda *gpu, const bench_list *list, bench_check *check,
                   FILE *tsv)
{
    int failed = 0, done = 0, wanted = 0;
    const char *group = "";
    char why[BENCH_LINE];
    for (int i = 0; i < list->count; ++i) wanted += bench_is_wanted(o, &list->jobs[i]);
    for (int i = 0; i < list->count; ++i) {
        const bench_job *const job = &list->jobs[i];
        if (!bench_is_wanted(o, job)) continue;
        if (strcmp(group, job->group) != 0) bench_print_title(group = job->group);
        show(++done, wanted, job);
        if (bench_verify(check, job, why) ||
            (job->beside && bench_verify(check, &list->jobs[job->beside - 1], why))) {
            printf("%-9s %-44s %s\n", job->group, job->name, why);
            ++failed;
            continue;
        }
        const bench_result r = bench_time(gpu, &o->setup, list, job, o->warmups, o->runs);
        bench_print_row(o, gpu, tsv, list, job, &r);
    }
    return failed;
}

/* Makes the kernels of a file launchable. */
static void load_peer(ct_cuda *gpu, const char *path)
{
    enum { MOST = 64 << 20 };
    FILE *const file = fopen(path, "rb");
    unsigned char *const image = malloc(MOST);
    if (!file) bench_die("%s: %s", path, strerror(errno));
    if (!image) bench_die("out of memory");
    const size_t bytes = fread(image, 1, MOST, file);
    if (ferror(file) || !feof(file)) bench_die("%s: cannot be read whole", path);
    fclose(file);
    if (ct_cuda_load(gpu, image, bytes)) bench_die("%s: %s", path, ct_cuda_error(gpu));
    free(image);
}

int main(int argc, char **argv)
{
    bench_options o = bench_read_options(argc, argv);
    bench_list list = {NULL, 0};
    char reason[CT_CUDA_LINE];
    if (o.list) {
        bench_add_all(&list, &o.setup);
        bench_print_jobs(&o, &list);
        free(list.jobs);
        return 0;
    }
    ct_cuda *const gpu = bench_open(o.device, reason);
    if (!gpu) {
        printf("%s\n", reason);
        return 77;
    }
    if (o.peer) load_peer(gpu, o.peer);
    const size_t bytes = (size_t)o.setup.bytes + BENCH_SPARE;
    FILE *const tsv = o.tsv ? fopen(o.tsv, "w") : NULL;
    if (o.tsv && !tsv) bench_die("%s: %s", o.tsv, strerror(errno));
    o.setup.src = ct_cuda_alloc(gpu, bytes);
    o.setup.dst = o.setup.src ? ct_cuda_alloc(gpu, bytes) : NULL;
    if (!o.setup.dst) bench_die("%s", ct_cuda_error(gpu));
    bench_add_all(&list, &o.setup);
    bench_check check = bench_start_check(gpu, o.setup.src, o.setup.dst, bytes);
    check_the_check(&check, &list);
    bench_print_head(&o, gpu, tsv);
    const int failed = run_all(&o, gpu, &list, &check, tsv);
    if (failed) printf("\n%d wrong, not timed\n", failed);
    if (tsv && fclose(tsv)) bench_die("%s: %s", o.tsv, strerror(errno));
    bench_end_check(&check);
    free(list.jobs);
    ct_cuda_close(gpu);
    return failed ? 1 : 0;
}
