/* Copy plans without memory: each allocation that making and running a plan takes fails once. There is
 * no plan then, one line says so, and nothing is kept. */
#include "test.h"

#include <cutlet/device/kernel/kernel.h>
#include <cutlet/device/kernel/static.h>
#include <cutlet/host/dlpack.h>
#include <cutlet/host/plan.h>
#include "failing_allocator.h"

enum { M = 20, N = 30 };

/* A copy, made and run; the status and the line of what failed first. */
typedef struct scenario {
    const char *name;
    int32_t backend, effort, dst_type, swizzled, tensors;
} scenario;

static const scenario scenarios[] = {
    {"cpu", CT_BACKEND_CPU, CT_EFFORT_ESTIMATE, CT_TYPE_FLOAT, 0, 0},
    {"cpu, indexed", CT_BACKEND_CPU, CT_EFFORT_ESTIMATE, CT_TYPE_FLOAT, 1, 0},
    {"cpu, converted", CT_BACKEND_CPU, CT_EFFORT_ESTIMATE, CT_TYPE_HALF, 0, 0},
    {"cpu, measured", CT_BACKEND_CPU, CT_EFFORT_MEASURE, CT_TYPE_FLOAT, 0, 0},
    {"cpu, measured, indexed", CT_BACKEND_CPU, CT_EFFORT_MEASURE, CT_TYPE_FLOAT, 1, 0},
    {"auto", CT_BACKEND_AUTO, CT_EFFORT_ESTIMATE, CT_TYPE_FLOAT, 0, 0},
    {"grid", CT_BACKEND_GRID, CT_EFFORT_ESTIMATE, CT_TYPE_FLOAT, 0, 0},
    {"grid, indexed", CT_BACKEND_GRID, CT_EFFORT_ESTIMATE, CT_TYPE_FLOAT, 1, 0},
    {"tensors", 0, 0, CT_TYPE_FLOAT, 0, 1},
    {"a tensor given", 0, 0, CT_TYPE_FLOAT, 0, 2},
};

static float from[M * N];
static float to[2 * M * N];

static int copy_tensors(char *message)
{
    int64_t shape[2] = {M, N}, transposed[2] = {1, M};
    ct_dl_tensor src = {.data = from,
                        .device_type = CT_DL_CPU,
                        .ndim = 2,
                        .code = CT_DL_FLOAT,
                        .bits = 32,
                        .lanes = 1,
                        .shape = shape};
    ct_dl_tensor dst = src;
    dst.data = to;
    dst.strides = transposed;
    return ct_plan_copy_dlpack(&dst, &src, message);
}

static int give_tensor(char *message)
{
    ct_plan_side side = ct_plan_side_of(ct_layout2(M, N, N, 1), CT_TYPE_FLOAT);
    ct_dl_managed *given = (ct_dl_managed *)(void *)from;
    const int status = ct_plan_give_dlpack(&side, from, NULL, NULL, &given, message);
    if (status) assert_null(given);
    else given->deleter(given);
    return status;
}

static int play(const scenario *s, char *message)
{
    ct_plan_desc desc;
    ct_plan *plan = (ct_plan *)from; /* to be set whatever happens */
    memset(&desc, 0, sizeof desc);
    if (s->tensors) return s->tensors == 1 ? copy_tensors(message) : give_tensor(message);
    desc.src = ct_plan_side_of(ct_layout2(M, N, N, 1), CT_TYPE_FLOAT);
    desc.dst = ct_plan_side_of(ct_layout2(M, N, 1, M), s->dst_type);
    if (s->swizzled) desc.dst.memory.swizzle = ct_make_swizzle(2, 1, 3);
    desc.backend = s->backend;
    int status = ct_plan_create(&desc, s->effort, &plan, message);
    if (status) assert_null(plan);
    else status = ct_plan_run(plan, to, from, NULL, message);
    ct_plan_destroy(plan);
    return status;
}

TEST(test_each_allocation)
{
    char message[CT_MESSAGE_BYTES];
    for (int i = 0; i < M * N; ++i) from[i] = (float)i;
    for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; ++k) {
        const scenario *const s = &scenarios[k];
        fails_at = 0;
        assert_int_equal(play(s, message), CT_OK); /* what is kept for ever is there now */
        const int64_t before = live;
        int64_t refused = 0;
        for (int64_t at = 1;; ++at) {
            asked = 0;
            fails_at = at;
            snprintf(message, sizeof message, "nothing");
            const int status = play(s, message);
            const int was_asked = asked >= at;
            fails_at = 0;
            if (live != before)
                fail_msg("%s: %lld allocations kept after failure %lld", s->name,
                         (long long)(live - before), (long long)at);
            if (!was_asked) break;
            if (status == CT_OK) continue; /* it could do without */
            ++refused;
            if (status != CT_E_MEMORY || !strstr(message, "not enough memory") ||
                strchr(message, '\n'))
                fail_msg("%s: allocation %lld fails: %d, %s", s->name, (long long)at, status,
                         message);
        }
        if (refused == 0) fail_msg("%s: nothing was refused", s->name);
        print_message("# %s: %lld allocations refused\n", s->name, (long long)refused);
    }
}

typedef struct nothing {
    int32_t unused;
} nothing;

CT_KERNEL(keeps_a_constant, nothing, args)
{
    CT_STATIC_AT(ct_layout, kept, ct_layout2(4, 8, 8, 1));
    if (ct_size(*kept) != 32) __builtin_trap();
    (void)args;
}

/* A constant that is allocated when it is needed: the launch fails without memory, and the next one has it. */
TEST(test_a_constant_of_a_kernel)
{
    const ct_dim3 one = {1, 1, 1}, threads = {2, 1, 1};
    const ct_grid_options options = {0};
    const nothing none = {0};
    int refused = 0, status = 1;
    for (int64_t at = 1; status; ++at) {
        ct_grid_report report;
        asked = 0;
        fails_at = at;
        status = ct_grid_launch(&keeps_a_constant, one, threads, 0, &none, sizeof none, &options,
                                &report);
        refused += status && strstr(report.message, "constant kept at ") &&
                   strstr(report.message, ": no memory");
        fails_at = 0;
        ct_grid_report_free(&report);
    }
    assert_int_equal(refused, 1);
}

GROUP("plan memory", NULL, NULL)
