/* Copy plans for the scripts beside it, which measure them and others in one process: layouts as
 * text, and loops whose time is to be told without that of a script. */
#include <string.h>
#include <time.h>

#include <cutlet/host/plan.h>
#include <cutlet/host/text.h>

/* cuLaunchKernel */
typedef int launch_function(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                            unsigned by, unsigned bz, unsigned shared, void *stream, void **params,
                            void **extra);

void *bench_plan_make(const char *src, const char *dst, int elem_bytes, int effort, int backend,
                      char *message);
int bench_plan_run(const void *plan, void *dst, const void *src, void *stream, char *message);
double bench_plan_seconds(const void *plan, void *dst, const void *src, void *stream, int times,
                          char *message);
double bench_launch_seconds(launch_function *launch, void *function, void *dst, const void *src,
                            void *stream, int times);
launch_function bench_no_launch;
int bench_plan_describe(const void *plan, char *text, size_t size);
void bench_plan_sectors(const void *plan, int64_t sectors[2]);
void bench_plan_drop(void *plan);
void bench_memcpy(void *dst, const void *src, size_t bytes);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** The plan; NULL and one line of CT_MESSAGE_BYTES. */
void *bench_plan_make(const char *src, const char *dst, int elem_bytes, int effort, int backend,
                      char *message)
{
    ct_plan_desc desc = {0};
    ct_plan *plan = NULL;
    ct_layout from, to;
    ct_diag diag;
    if (ct_parse_layout(src, &from, &diag) || ct_parse_layout(dst, &to, &diag)) {
        const size_t capacity = CT_MESSAGE_BYTES - 1, length = strlen(diag.message);
        memcpy(message, diag.message, length < capacity ? length + 1 : capacity);
        message[capacity] = 0;
        return NULL;
    }
    desc.src = ct_plan_side_raw(from, elem_bytes);
    desc.dst = ct_plan_side_raw(to, elem_bytes);
    desc.backend = backend;
    ct_plan_create(&desc, effort, &plan, message);
    return plan;
}

int bench_plan_run(const void *plan, void *dst, const void *src, void *stream, char *message)
{
    return ct_plan_run(plan, dst, src, stream, message);
}

/** What each of this many calls takes the caller, in seconds; below 0 and a message where one failed. */
double bench_plan_seconds(const void *plan, void *dst, const void *src, void *stream, int times,
                          char *message)
{
    const double before = now();
    for (int i = 0; i < times; ++i)
        if (ct_plan_run(plan, dst, src, stream, message)) return -1;
    return (now() - before) / times;
}

/** The same for launches of a kernel of two pointers, one block of one warp. */
double bench_launch_seconds(launch_function *launch, void *function, void *dst, const void *src,
                            void *stream, int times)
{
    void *params[] = {&dst, &src};
    const double before = now();
    for (int i = 0; i < times; ++i)
        if (launch(function, 1, 1, 1, 32, 1, 1, 0, stream, params, NULL)) return -1;
    return (now() - before) / times;
}

/** Stands for cuLaunchKernel where there is no GPU. */
int bench_no_launch(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                    unsigned bz, unsigned shared, void *stream, void **params, void **extra)
{
    (void)function, (void)stream, (void)params, (void)extra;
    return gx * gy * gz * bx * by * bz != 32 || shared != 0;
}

int bench_plan_describe(const void *plan, char *text, size_t size)
{
    return ct_plan_describe(plan, text, size);
}

/** The sectors of 32 bytes that the source and the destination touch. */
void bench_plan_sectors(const void *plan, int64_t sectors[2])
{
    ct_plan_info info;
    ct_plan_info_of(plan, &info);
    sectors[0] = info.src_sectors;
    sectors[1] = info.dst_sectors;
}

void bench_plan_drop(void *plan) { ct_plan_destroy(plan); }

void bench_memcpy(void *dst, const void *src, size_t bytes) { memcpy(dst, src, bytes); }
