/* What ct_plan_describe says of the grid backend is what it launches: kernel, blocks and threads, of every size of
 * element, form and alignment; and what it says of the CPU's is what that asks of its threads. Every launch goes by
 * way of the test. */
#include "plan_launched.h"

#include "base/pool.h"
#include "plan/gpu/gpu.h"

static int launches[2]; /* transposes, all */
static launched last;
static int32_t pool_threads;

int __real_ct_grid_launch(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block,
                          size_t shared_bytes, const void *args, size_t args_bytes,
                          const ct_grid_options *options, ct_grid_report *report);
int __wrap_ct_grid_launch(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block,
                          size_t shared_bytes, const void *args, size_t args_bytes,
                          const ct_grid_options *options, ct_grid_report *report);

int __wrap_ct_grid_launch(const ct_grid_kernel *kernel, ct_dim3 grid, ct_dim3 block,
                          size_t shared_bytes, const void *args, size_t args_bytes,
                          const ct_grid_options *options, ct_grid_report *report)
{
    snprintf(last.kernel, sizeof last.kernel, "%s", kernel->name + strlen("ct_plan_"));
    last.blocks[0] = grid.x;
    last.blocks[1] = grid.y;
    last.blocks[2] = grid.z;
    last.threads = block.x;
    launches[0] += strncmp(last.kernel, "transpose", 9) == 0;
    ++launches[1];
    return __real_ct_grid_launch(kernel, grid, block, shared_bytes, args, args_bytes, options,
                                 report);
}

void __real_ct_pool_run(int32_t threads, int64_t tasks, void (*work)(void *, int64_t), void *user);
void __wrap_ct_pool_run(int32_t threads, int64_t tasks, void (*work)(void *, int64_t), void *user);

void __wrap_ct_pool_run(int32_t threads, int64_t tasks, void (*work)(void *, int64_t), void *user)
{
    pool_threads = threads;
    __real_ct_pool_run(threads, tasks, work, user);
}

static void check(const ct_plan_desc *desc, int64_t m, int64_t n, int past, int variant)
{
    char message[CT_MESSAGE_BYTES], text[2048];
    ct_plan *plan;
    const size_t bytes =
        (size_t)(ct_cosize(desc->dst.memory.layout) + m * n) * (size_t)desc->dst.elem_bytes + 64;
    unsigned char *const src = aligned_alloc(64, (bytes + 63) / 64 * 64);
    unsigned char *const dst = aligned_alloc(64, (bytes + 63) / 64 * 64);
    memset(src, 1, bytes);
    if (ct_plan_create(desc, CT_EFFORT_ESTIMATE, &plan, message)) fail_msg("%s", message);
    if (variant) plan->choice.variant = variant;
    assert_true(ct_plan_describe(plan, text, sizeof text) < (int)sizeof text);
    if (ct_plan_run(plan, dst + past, src + past, NULL, message)) fail_msg("%s", message);
    const char *const how = described_kernel(text, "grid", past);
    if (!is_of_launch(how, &last, m, n))
        fail_msg("%s, launched %s in %u blocks of %u", how, last.kernel, last.blocks[0],
                 last.threads);
    ct_plan_destroy(plan);
    free(src);
    free(dst);
}

TEST(test_described)
{
    static const int64_t extents[][2] = {{256, 256}, {257, 131}, {64, 80}, {15, 700}, {1000, 17}};
    for (int bytes = 1; bytes <= 16; ++bytes) {
        const int power = (bytes & (bytes - 1)) == 0;
        for (size_t e = power ? 0 : 2; e < sizeof extents / sizeof *extents; ++e) {
            const int64_t m = extents[e][0], n = extents[e][1];
            const ct_layout rows = ct_layout2(m, n, n, 1),
                            to[] = {ct_layout2(m, n, 1, m), rows, ct_layout2(m, n, n + 3, 1)};
            for (int k = 0; k < (power ? 3 : 1); ++k) {
                ct_plan_desc desc = {0};
                desc.backend = CT_BACKEND_GRID;
                desc.src = ct_plan_side_raw(rows, bytes);
                desc.dst = ct_plan_side_raw(to[k], bytes);
                const int own = bytes & -bytes;
                check(&desc, m, n, 0, 0);
                if (e < 3) check(&desc, m, n, own < 16 ? own : 16, 0);
                /* the transposes are the last variants */
                for (int v = 1; v <= 10 && power && e == 2 && k == 0; ++v)
                    check(&desc, m, n, 0, ct_gpu_variants() - v);
            }
        }
    }
    assert_true(launches[0] >= 5 + 10 && launches[1] > 100);
}

TEST(test_described_of_cpu)
{
    static float src[300 * 700], dst[300 * 700];
    char message[CT_MESSAGE_BYTES], text[2048], name[64];
    for (int32_t threads = 1; threads <= 3; ++threads) {
        for (int k = 0; k < 2; ++k) {
            ct_plan_desc desc = {.backend = CT_BACKEND_CPU};
            ct_plan *plan;
            desc.src = ct_plan_side_of(ct_layout2(300, 700, 700, 1), CT_TYPE_FLOAT);
            desc.dst =
                ct_plan_side_of(ct_layout2(300, 700, k ? 700 : 1, k ? 1 : 300), CT_TYPE_FLOAT);
            pool_threads = 0;
            if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message)) fail_msg("%s", message);
            plan->choice.threads = threads;
            if (ct_plan_run(plan, dst, src, NULL, message)) fail_msg("%s", message);
            ct_plan_describe(plan, text, sizeof text);
            snprintf(name, sizeof name, "backend cpu: %d thread%s, ", pool_threads,
                     pool_threads > 1 ? "s" : "");
            assert_int_equal(pool_threads, threads);
            name[strlen(name) - 2] = 0;
            if (!strstr(text, name)) fail_msg("%s, but %d threads ran", text, pool_threads);
            ct_plan_destroy(plan);
        }
    }
}

GROUP("described plans", NULL, NULL)
