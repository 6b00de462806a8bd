/* How the cases of the tests of tile copies on a real GPU run: in a process apart, which runs one
 * case after the other until one fails. A kernel that faults ends all use of the device by its
 * process, so that the next case begins with a new one. CUTLET_GPU_CASES sets the cases of each
 * kernel (all of them unless told), CUTLET_CASE_SECONDS the longest that one may take (10). */
#ifndef CUTLET_TESTS_TMA_GPU_H
#define CUTLET_TESTS_TMA_GPU_H

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cutlet/cutlet.h>
#include <cutlet/host/grid.h>
#include <cutlet/host/tma.h>

#include "dice.h"
#include "gpu_images.h"
#include "tools/bench/kernels/pipelines.h"
#include "tma_args.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))
#define P(...) ((const int32_t[6]){__VA_ARGS__})

enum {
    CAPACITY = 1 << 18,
    MOST_CASES = 1024,
    NAME_BYTES = 96,
    TEXT_BYTES = 1 << 18,
    END_OF_CASE = 1
};

/** The images of the kernels of these tests, beside libcutlet's own. */
extern const ct_cuda_images ct_test_images;

/* ---- the list of cases ----------------------------------------------------------------------- */

typedef struct test_case {
    char name[NAME_BYTES];
    void (*run)(const struct test_case *c); /* in the process apart: returns, or gives up */
    const ct_grid_kernel *kernel;
    int32_t p[6];
} test_case;

static test_case cases[MOST_CASES];
static int case_count;

__attribute__((format(printf, 4, 5))) static inline void add(void (*run)(const test_case *c),
                                                             const ct_grid_kernel *kernel,
                                                             const int32_t *p, const char *format,
                                                             ...)
{
    va_list args;
    if (case_count == MOST_CASES) abort();
    test_case *const c = &cases[case_count++];
    va_start(args, format);
    vsnprintf(c->name, sizeof c->name, format, args);
    va_end(args);
    c->run = run;
    c->kernel = kernel;
    memcpy(c->p, p, sizeof c->p);
}

/* ---- in the process apart -------------------------------------------------------------------- */

static FILE *report; /* what a case says, line by line; the first is why it failed */
static ct_cuda *gpu;
static _Alignas(1024) unsigned char host_src[CAPACITY],
    before_dst[CAPACITY], grid_dst[CAPACITY], gpu_dst[CAPACITY];
static unsigned char *gpu_src_at, *gpu_dst_at;

__attribute__((format(printf, 1, 2), noreturn)) static inline void give_up(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(report, format, args);
    va_end(args);
    fputc('\n', report);
    fflush(report);
    _exit(1);
}

/* Says that a case cannot run here; it returns then. */
static inline void skip_case(const char *what, const char *needs)
{
    fprintf(report, "skipped: %s needs %s\n", what, needs);
}

/* Whether the device has no such swizzle: says so. */
static inline int skip_swizzle(int swizzle)
{
    const int is_new = swizzle >= CT_TMA_SWIZZLE_128B_ATOM_32B && gpu->about.major < 10;
    if (is_new) skip_case("the swizzle", "sm_100");
    return is_new;
}

static inline void expect(int status)
{
    if (status) give_up("%s", ct_cuda_error(gpu));
}

/* Opens the device with the kernels of these tests too; NULL and the reason. */
static inline ct_cuda *open_gpu(char reason[CT_MESSAGE_BYTES])
{
    return open_all_images(&ct_test_images, reason);
}

static const test_case *chosen[MOST_CASES];
static int chosen_count;
static int undocumented; /* whether those are what the documentation does not allow */

/* Opens the device, and runs the chosen cases from first on until one gives up. END_OF_CASE says that
 * one has passed. */
__attribute__((noreturn)) static inline void be_worker(int first, int to)
{
    char reason[CT_MESSAGE_BYTES];
    report = fdopen(to, "w");
    if (!report) _exit(2);
    for (int s = 1; s < 32; ++s) signal(s, SIG_DFL);
    gpu = open_gpu(reason);
    if (!gpu) give_up("%s", reason);
    if (gpu->about.major < 9) give_up("no GPU: %s is older than sm_90", gpu->about.name);
    gpu_src_at = ct_cuda_alloc(gpu, CAPACITY);
    gpu_dst_at = ct_cuda_alloc(gpu, CAPACITY);
    if (!gpu_src_at || !gpu_dst_at) give_up("%s", ct_cuda_error(gpu));
    for (int i = first; i < chosen_count; ++i) {
        memset(host_src, 0, CAPACITY);
        memset(before_dst, 0xee, CAPACITY);
        chosen[i]->run(chosen[i]);
        fputc(END_OF_CASE, report);
        fflush(report);
    }
    fclose(report);
    ct_cuda_close(gpu);
    exit(0); /* and no earlier end: a tool that watches the process has its say now */
}

/* ---- outside --------------------------------------------------------------------------------- */

static pid_t worker; /* 0 for none */
static FILE *said;   /* what it says */

static inline int start_worker(int first)
{
    int ends[2];
    fflush(NULL);
    if (pipe(ends)) return -1;
    worker = fork();
    if (worker == 0) {
        close(ends[0]);
        be_worker(first, ends[1]);
    }
    close(ends[1]);
    if (worker > 0) said = fdopen(ends[0], "r");
    return worker > 0 && said ? 0 : -1;
}

/* A number above 0 from the environment, or `otherwise` if the variable has no such number. */
static inline int number_of(const char *name, int otherwise)
{
    const char *const text = getenv(name);
    const int number = text ? atoi(text) : 0;
    return number > 0 ? number : otherwise;
}

/* Ends the worker, and says how it ended in a word. */
static inline const char *stop_worker(int is_slow)
{
    int status = 0;
    if (is_slow) kill(worker, SIGKILL);
    waitpid(worker, &status, 0);
    fclose(said);
    worker = 0;
    return is_slow ? "hangs\n" : WIFSIGNALED(status) ? "was ended by a signal\n" : "";
}

/* Reads what the worker says of one case. 0 once that has passed, -1 when the worker gave up. */
static inline int hear_case(char *text)
{
    const int seconds = number_of("CUTLET_CASE_SECONDS", 10);
    int used = 0, is_slow = 0;
    setvbuf(said, NULL, _IONBF, 0); /* so that poll sees all that was not read */
    for (;;) {
        struct pollfd end = {fileno(said), POLLIN, 0};
        is_slow = poll(&end, 1, 1000 * seconds) == 0;
        const int c = is_slow ? EOF : fgetc(said);
        if (c == EOF || c == END_OF_CASE) {
            text[used] = 0;
            if (c == END_OF_CASE) return 0;
            strcpy(text + used, stop_worker(is_slow));
            return -1;
        }
        if (used < TEXT_BYTES - 64) text[used++] = (char)c;
    }
}

static char failures[MOST_CASES][NAME_BYTES + 200];
static int failure_count;

static inline void run_case(void **state)
{
    static char text[TEXT_BYTES];
    const int number = (int)((const test_case *const *)*state - chosen);
    if (!worker && start_worker(number)) fail_msg("no process");
    const int failed = hear_case(text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (failed && line == text)
            snprintf(failures[failure_count++], sizeof *failures, "%s: %.190s",
                     chosen[number]->name, line);
        printf("# %s\n", line);
    }
    if (failed) fail_msg("%s", text);
    if (strncmp(text, "skipped: ", 9) == 0) skip();
}

/* Whether a kernel has this many chosen cases already; those of no kernel are of one. */
static inline int has_enough(const ct_grid_kernel *kernel, int most)
{
    int has = 0;
    for (int i = 0; i < chosen_count; ++i) has += chosen[i]->kernel == kernel;
    return has >= most;
}

/* Chooses the cases whose names contain part. */
static inline void choose(const char *part)
{
    static const char word[] = "undocumented";
    const size_t n = sizeof word - 1;
    const int most = number_of("CUTLET_GPU_CASES", MOST_CASES);
    undocumented = strncmp(part, word, n) == 0;
    for (int i = 0; i < case_count; ++i) {
        const int is_separate = strncmp(cases[i].name, word, n) == 0;
        if (strstr(cases[i].name, part) && is_separate == undocumented &&
            !has_enough(cases[i].kernel, most))
            chosen[chosen_count++] = &cases[i];
    }
}

/* Runs the cases whose names contain part; how many failed, 77 without a GPU. */
static inline int run_cases(const char *part)
{
    static struct CMUnitTest tests[MOST_CASES];
    static char text[TEXT_BYTES];
    if (start_worker(MOST_CASES)) return 1; /* of no case: is there a GPU? */
    if (hear_case(text) && text[0]) {
        printf("%s\n", strtok(text, "\n"));
        return 77;
    }
    choose(part);
    for (int i = 0; i < chosen_count; ++i) {
        tests[i].name = chosen[i]->name;
        tests[i].test_func = run_case;
        tests[i].initial_state = &chosen[i];
    }
    const int failed = cmocka_run_group_tests_name("cuda_tma_gpu", tests, NULL, NULL);
    if (worker) stop_worker(0);
    for (int i = 0; i < failure_count; ++i) printf("# failed: %s\n", failures[i]);
    return failed > 76 ? 76 : failed;
}

#endif
