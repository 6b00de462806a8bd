/* cutlet-bench-gpu: how fast the copies are on a GPU, beside the driver's own copy of the bytes.
 *
 * Each job is verified before it is timed, and a wrong one is not timed. In each round the driver's
 * copy runs twice and then the job twice; the second of either counts, so that neither pays for the
 * switch from one to the other. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

typedef struct options {
    int64_t mib;
    int runs, warmups, device, list;
    const char *group, *only, *tsv;
    bench_setup setup;
} options;

typedef struct result {
    double seconds, least, most, driver; /* driver: the median of the driver's copy */
    ct_cuda_kernel kernel;
} result;

static const char usage[] =
    "usage: cutlet-bench-gpu [OPTION...]\n\n"
    "  --mib N        the size of each matrix (512)\n"
    "  --elem LIST    sizes of elements in bytes, as 2,4 (2,4)\n"
    "  --tile MxN     the tile of the tiled copies (what their kernels were made for)\n"
    "  --group NAME   only the jobs of this group\n"
    "  --only TEXT    only the jobs whose `group name' contains TEXT\n"
    "  --runs N       timed runs of each job (25)\n"
    "  --warmups N    runs before them (3)\n"
    "  --tsv FILE     also writes all figures as tab-separated values\n"
    "  --device N     the device (0)\n"
    "  --list         prints the jobs; needs no GPU\n"
    "  --help         this text\n\n"
    "GB/s counts bytes read and bytes written. Ends with status 0; 1 when a result was wrong; 2\n"
    "for bad arguments; 77 where there is no GPU.\n";

/* ---- arguments ------------------------------------------------------------------------------- */

_Noreturn static void wrong(const char *option, const char *value)
{
    fprintf(stderr, "cutlet-bench-gpu: --%s: %s?\n", option, value);
    exit(2);
}

/* A number from least to most; *end is what follows it. */
static int64_t number(const char *option, const char *text, int64_t least, int64_t most,
                      const char **end)
{
    char *stop;
    errno = 0;
    const long long value = strtoll(text, &stop, 10);
    if (stop == text || errno || value < least || value > most || (!end && *stop))
        wrong(option, text);
    if (end) *end = stop;
    return value;
}

static void read_elems(bench_setup *setup, const char *text)
{
    const char *at = text;
    setup->elem_count = 0;
    do {
        const int bytes = (int)number("elem", at, 1, 16, &at);
        if ((bytes & (bytes - 1)) || setup->elem_count == 5 || (*at && *at != ','))
            wrong("elem", text);
        setup->elem_bytes[setup->elem_count++] = bytes;
    } while (*at++);
}

static void read_tile(bench_setup *setup, const char *text)
{
    const char *at;
    setup->tile_m = number("tile", text, 1, 1 << 16, &at);
    if (*at != 'x') wrong("tile", text);
    setup->tile_n = number("tile", at + 1, 1, 1 << 16, NULL);
}

static options read_options(int argc, char **argv)
{
    static const struct option names[] = {
        {"mib", 1, 0, 'm'},  {"elem", 1, 0, 'e'},   {"tile", 1, 0, 't'},  {"only", 1, 0, 'o'},
        {"group", 1, 0, 'g'},
        {"runs", 1, 0, 'r'}, {"warmups", 1, 0, 'w'}, {"tsv", 1, 0, 'f'},  {"device", 1, 0, 'd'},
        {"list", 0, 0, 'l'}, {"help", 0, 0, 'h'},   {0, 0, 0, 0}};
    options o;
    memset(&o, 0, sizeof o);
    o.mib = 512;
    o.runs = 25;
    o.warmups = 3;
    read_elems(&o.setup, "2,4");
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        switch (c) {
        case 'm': o.mib = number("mib", optarg, 1, 1 << 16, NULL); break;
        case 'e': read_elems(&o.setup, optarg); break;
        case 't': read_tile(&o.setup, optarg); break;
        case 'g': o.group = optarg; break;
        case 'o': o.only = optarg; break;
        case 'r': o.runs = (int)number("runs", optarg, 1, 10000, NULL); break;
        case 'w': o.warmups = (int)number("warmups", optarg, 0, 10000, NULL); break;
        case 'f': o.tsv = optarg; break;
        case 'd': o.device = (int)number("device", optarg, 0, 1000, NULL); break;
        case 'l': o.list = 1; break;
        case 'h': fputs(usage, stdout); exit(0);
        default: exit(2);
        }
    }
    if (optind < argc) wrong("help", argv[optind]);
    o.setup.bytes = o.mib << 20;
    return o;
}

static int is_wanted(const options *o, const bench_job *job)
{
    char text[BENCH_NAME + 32];
    snprintf(text, sizeof text, "%s %s", job->group, job->name);
    if (o->group && strcmp(o->group, job->group) != 0) return 0;
    return !o->only || strstr(text, o->only);
}

/* ---- time ------------------------------------------------------------------------------------ */

typedef struct timed {
    const bench_setup *setup;
    const bench_job *job;
} timed;

static int queue_job(ct_cuda *gpu, void *user, int run)
{
    const timed *const t = user;
    (void)run;
    return bench_queue(gpu, t->setup, t->job);
}

static void time_job(ct_cuda *gpu, const options *o, const bench_job *job, result *r)
{
    const int runs = o->runs;
    bench_job driver = *job;
    driver.kernel = NULL;
    timed copy = {&o->setup, &driver}, own = {&o->setup, job};
    const ct_cuda_work works[] = {{queue_job, &copy}, {queue_job, &copy}, {queue_job, &own},
                                  {queue_job, &own}};
    double *const seconds = malloc(4 * (size_t)runs * sizeof *seconds);
    if (!seconds) bench_die("out of memory");
    memset(r, 0, sizeof *r);
    if (ct_cuda_time(gpu, works, 4, o->warmups, runs, seconds)) bench_die("%s", ct_cuda_error(gpu));
    r->driver = ct_median(seconds + runs, runs);
    r->seconds = ct_median(seconds + 3 * runs, runs);
    r->least = seconds[3 * runs];
    r->most = seconds[4 * runs - 1];
    free(seconds);
    if (job->kernel && ct_cuda_kernel_about(gpu, job->kernel, (int32_t)job->block.x,
                                            job->shared_bytes, &r->kernel))
        bench_die("%s", ct_cuda_error(gpu));
}

/* ---- tables ---------------------------------------------------------------------------------- */

static double rate(const bench_job *job, double seconds)
{
    return seconds > 0 ? 1e-9 * (double)bench_moved(job) / seconds : 0;
}

static void print_head(const options *o, ct_cuda *gpu, FILE *tsv)
{
    const ct_cuda_device *const d = ct_cuda_about(gpu);
    printf("%s, sm_%d%d, %d multiprocessors, %.0f MiB of L2, driver for CUDA %d.%d\n", d->name,
           d->major, d->minor, d->processors, (double)d->l2_bytes / (1 << 20), d->driver / 1000,
           d->driver % 1000 / 10);
    printf("matrices of %lld MiB, median of %d runs, verified before\n\n", (long long)o->mib,
           o->runs);
    printf("%-7s %-36s %9s %8s %8s %9s %9s %5s %4s\n", "group", "job", "us", "GB/s", "memcpy",
           "of memcpy", "spread", "regs", "res");
    if (tsv)
        fprintf(tsv, "device\tgroup\tjob\tkernel\telem_bytes\trows\tcols\tgrid\tblock\t"
                     "shared_bytes\tbytes\truns\tmedian_s\tmin_s\tmax_s\tgb_s\t"
                     "memcpy_s\tmemcpy_gb_s\tof_memcpy\tregisters\tlocal_bytes\tresident\n");
}

static void print_row(const options *o, ct_cuda *gpu, FILE *tsv, const bench_job *job,
                      const result *r)
{
    const double of_driver = r->seconds > 0 ? r->driver / r->seconds : 0;
    printf("%-7s %-36s %9.1f %8.0f %8.0f %9.3f %8.1f%% %5d %4d%s\n", job->group, job->name,
           1e6 * r->seconds, rate(job, r->seconds), rate(job, r->driver), of_driver,
           r->seconds > 0 ? 100 * (r->most - r->least) / r->seconds : 0, r->kernel.registers,
           r->kernel.resident, r->kernel.local_bytes ? "  local memory" : "");
    fflush(stdout);
    if (!tsv) return;
    fprintf(tsv, "%s\t%s\t%s\t%s\t%d\t%lld\t%lld\t%ux%ux%u\t%u\t%zu\t%lld\t%d\t%.9f\t%.9f\t%.9f\t"
                 "%.1f\t%.9f\t%.1f\t%.4f\t%d\t%d\t%d\n",
            ct_cuda_about(gpu)->name, job->group, job->name, job->kernel ? job->kernel : "",
            job->from.elem_bytes, (long long)job->from.rows, (long long)job->from.cols, job->grid.x,
            job->grid.y, job->grid.z, job->block.x, job->shared_bytes, (long long)bench_moved(job),
            o->runs, r->seconds, r->least, r->most, rate(job, r->seconds), r->driver,
            rate(job, r->driver), of_driver, r->kernel.registers, r->kernel.local_bytes,
            r->kernel.resident);
}

static void print_jobs(const options *o, const bench_list *list)
{
    for (int i = 0; i < list->count; ++i) {
        const bench_job *const j = &list->jobs[i];
        if (!is_wanted(o, j)) continue;
        printf("%-7s %-36s %-32s %lld x %lld, grid %u x %u x %u, block %u, shared %zu\n", j->group,
               j->name, j->kernel ? j->kernel : "(the driver's copy)", (long long)j->from.rows,
               (long long)j->from.cols, j->grid.x, j->grid.y, j->grid.z, j->block.x,
               j->shared_bytes);
    }
}

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

/* Verifies and times every job that is wanted; returns how many were wrong. */
static int run_all(const options *o, ct_cuda *gpu, const bench_list *list, bench_check *check,
                   FILE *tsv)
{
    int failed = 0;
    char why[BENCH_LINE];
    result r;
    for (int i = 0; i < list->count; ++i) {
        const bench_job *const job = &list->jobs[i];
        if (!is_wanted(o, job)) continue;
        if (bench_verify(check, job, why)) {
            printf("%-7s %-36s %s\n", job->group, job->name, why);
            ++failed;
            continue;
        }
        time_job(gpu, o, job, &r);
        print_row(o, gpu, tsv, job, &r);
    }
    return failed;
}

int main(int argc, char **argv)
{
    options o = read_options(argc, argv);
    bench_list list = {NULL, 0};
    char reason[CT_CUDA_LINE];
    if (o.list) {
        bench_add_all(&list, &o.setup);
        print_jobs(&o, &list);
        free(list.jobs);
        return 0;
    }
    ct_cuda *const gpu = ct_cuda_open(o.device, reason);
    if (!gpu) {
        printf("%s\n", reason);
        return 77;
    }
    const size_t bytes = (size_t)o.setup.bytes + BENCH_SPARE;
    FILE *const tsv = o.tsv ? fopen(o.tsv, "w") : NULL;
    if (o.tsv && !tsv) bench_die("%s: %s", o.tsv, strerror(errno));
    o.setup.src = ct_cuda_alloc(gpu, bytes);
    o.setup.dst = o.setup.src ? ct_cuda_alloc(gpu, bytes) : NULL;
    if (!o.setup.dst) bench_die("%s", ct_cuda_error(gpu));
    bench_add_all(&list, &o.setup);
    bench_check check = bench_start_check(gpu, o.setup.src, o.setup.dst, bytes);
    check_the_check(&check, &list);
    print_head(&o, gpu, tsv);
    const int failed = run_all(&o, gpu, &list, &check, tsv);
    if (failed) printf("\n%d wrong, not timed\n", failed);
    if (tsv && fclose(tsv)) bench_die("%s: %s", o.tsv, strerror(errno));
    bench_end_check(&check);
    free(list.jobs);
    ct_cuda_close(gpu);
    return failed ? 1 : 0;
}
