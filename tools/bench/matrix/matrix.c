/* cutlet-bench matrix: how fast the copies are on a GPU, beside the driver's own copy of the bytes.
 *
 * Each job is verified before it is timed, and a wrong one is not timed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../commands.h"
#include "driver/cuda/gpu.h"
#include "table.h"
#include "tools/cutlet/common/cli.h"

extern const ct_cuda_images copy_images; /* of tools/bench/kernels */
#if defined(CUTLET_BENCH_KERNELS)
extern const ct_cuda_images bench_images;
#else
static const ct_cuda_images bench_images = {0, 0, NULL};
#endif

/* ---- a job ----------------------------------------------------------------------------------- */

/* A job as it is timed; launch: room for what is launched. */
static bench_work timed(const bench_job *job, bench_launch *launch)
{
    *launch = job->launch;
    if (job->forget_at) memset(launch->args + job->forget_at, 0, sizeof(void *));
    return (bench_work){.launch = launch, .parts = 1, .sets = 1, .repeats = bench_launches(job)};
}

/* Times a job: the driver's copy of its matrix, the job beside it, if any, and the job, in turn.
 * There is one set of matrices, for --mib makes them larger than the caches. */
static bench_measured time_job(bench_target *t, const matrix_options *o, const bench_list *list,
                               const bench_job *job)
{
    const ct_matrix *const f = &job->from;
    const bench_launch copy =
        bench_driver_copy(o->setup.dst, o->setup.src, f->rows * f->cols * f->elem_bytes);
    bench_launch own, other;
    bench_work works[3] = {{.launch = &copy, .parts = 1, .sets = 1, .repeats = 1}};
    bench_times times[3];
    bench_measured m;
    memset(&m, 0, sizeof m);
    int32_t count = 1;
    if (job->beside) works[count++] = timed(&list->jobs[job->beside - 1], &other);
    works[count++] = timed(job, &own);
    if (bench_time(t, works, count, o->warmups, o->runs, times)) bench_die("%s", t->error);
    m.driver = times[0];
    if (job->beside) m.beside = times[1];
    m.own = times[count - 1];
    if (!job->beside) m.own.before = 0;
    if (own.kernel[0] &&
        ct_cuda_kernel_about(t->gpu, own.kernel, (int32_t)own.block.x, own.shared_bytes, &m.kernel))
        bench_die("%s", ct_cuda_error(t->gpu));
    return m;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* Whether a job and the one beside it do what they have to; else their row says what is wrong. */
static int is_right(bench_target *t, bench_expected *e, const bench_array *dst,
                    const bench_list *list, const bench_job *job)
{
    char wrong[BENCH_WRONG];
    int status = bench_verify_job(t, e, dst, job, wrong);
    if (status == 1 && job->beside)
        status = bench_verify_job(t, e, dst, &list->jobs[job->beside - 1], wrong);
    bench_tell_end();
    if (status == 1) return 1;
    printf("%-9s %-44s %s%s\n", job->group, job->name,
           status ? "" : "wrong: ", status ? t->error : wrong);
    return 0;
}

/* The driver's copy, which all are measured by, whether it is asked for or not. */
static void verify_driver(bench_target *t, bench_expected *e, const bench_array *dst,
                          const bench_list *list)
{
    char wrong[BENCH_WRONG];
    const int status =
        bench_verify_job(t, e, dst, &list->jobs[bench_find(list, "plain", "memcpy") - 1], wrong);
    if (status != 1) bench_die("the driver's copy: %s", status ? t->error : wrong);
}

/* Verifies and times every job that is wanted; returns how many were wrong. */
static int run_all(const bench_table *table, bench_target *t, const bench_list *list,
                   bench_expected *e, const bench_array *dst)
{
    const matrix_options *const o = table->options;
    int failed = 0, done = 0, wanted = 0;
    const char *group = "";
    for (int i = 0; i < list->count; ++i) wanted += bench_is_wanted(o, &list->jobs[i]);
    for (int i = 0; i < list->count; ++i) {
        const bench_job *const job = &list->jobs[i];
        if (!bench_is_wanted(o, job)) continue;
        if (strcmp(group, job->group) != 0) bench_print_title(group = job->group);
        bench_tell("%d of %d: %s, %s", ++done, wanted, job->group, job->name);
        if (is_right(t, e, dst, list, job)) {
            const bench_measured m = time_job(t, o, list, job);
            bench_print_row(table, list, job, &m);
        } else ++failed;
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

/* On an open device, with a list of jobs that is made when memory is there. */
static int run(const bench_table *table, matrix_options *o, bench_target *t)
{
    const int64_t bytes = o->setup.bytes + BENCH_SPARE;
    bench_array src = {.name = "src"}, dst = {.name = "dst"};
    bench_list list = {NULL, 0};
    if (bench_array_take(t, &src, bytes, 1, 0) || bench_array_take(t, &dst, bytes, 1, 0))
        bench_die("%s", t->error);
    o->setup.src = bench_array_at(&src, 0);
    o->setup.dst = bench_array_at(&dst, 0);
    bench_add_all(&list, &o->setup);
    bench_expected e = bench_expect_start(t, &src, &dst);
    verify_driver(t, &e, &dst, &list);
    bench_print_head(table);
    const int failed = run_all(table, t, &list, &e, &dst);
    if (failed) printf("\n%d wrong, not timed\n", failed);
    bench_expect_end(&e);
    free(list.jobs);
    bench_array_drop(t, &dst);
    bench_array_drop(t, &src);
    return failed ? CT_EXIT_FAILED : CT_EXIT_OK;
}

/* Whether any job is asked for; or one line. */
static int wants_any(const matrix_options *o, const bench_list *list)
{
    int wanted = 0;
    for (int i = 0; i < list->count; ++i) wanted += bench_is_wanted(o, &list->jobs[i]);
    if (!wanted)
        ct_cli_complain("matrix", "there is no such job; `cutlet-bench matrix --list` names groups "
                                  "and jobs");
    return wanted;
}

/* The jobs that are asked for, with --list printed. An exit status. */
static int list_jobs(const matrix_options *o)
{
    bench_list list = {NULL, 0};
    bench_add_all(&list, &o->setup);
    const int status = wants_any(o, &list) ? CT_EXIT_OK : CT_EXIT_BAD;
    if (o->list) bench_print_jobs(o, &list);
    free(list.jobs);
    return status;
}

/* Opens the device and what is written, and measures. An exit status. */
static int measure(matrix_options *o)
{
    const ct_cuda_images *const images[] = {&ct_cuda_inside, &copy_images, &bench_images};
    bench_table table = {.options = o};
    char reason[CT_MESSAGE_BYTES];
    bench_target t = {.gpu = bench_open(&table.device, o->device, images, 3, reason)};
    if (!t.gpu) {
        printf("%s\n", reason);
        return BENCH_EXIT_SKIPPED;
    }
    if (o->peer) load_peer(t.gpu, o->peer);
    table.tsv = o->tsv ? fopen(o->tsv, "w") : NULL;
    if (o->tsv && !table.tsv) bench_die("%s: %s", o->tsv, strerror(errno));
    const int status = run(&table, o, &t);
    if (table.tsv && fclose(table.tsv)) bench_die("%s: %s", o->tsv, strerror(errno));
    ct_cuda_close(t.gpu);
    return status;
}

int bench_cmd_matrix(int argc, char **argv)
{
    matrix_options o = matrix_usual;
    const int parsed = ct_cli_parse(&bench_matrix_argp, argc, argv, &o);
    if (parsed != 0) return ct_cli_finish("matrix", parsed < 0 ? CT_EXIT_BAD : CT_EXIT_OK);
    int status = list_jobs(&o);
    if (status == CT_EXIT_OK && !o.list) status = measure(&o);
    return ct_cli_finish("matrix", status);
}
