/* What ct_plan_describe says of the grid backend is what it launches: kernel, blocks and threads, of every size of
 * element, form and alignment. Every launch goes by way of the test. */
#include "test.h"

#include <cutlet/host/grid.h>
#include "plan/gpu/gpu.h"

static int launches[2]; /* transposes, all */
static char launched[128];
static ct_dim3 blocks;
static uint32_t threads;

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
    snprintf(launched, sizeof launched, "%s", kernel->name + strlen("ct_plan_"));
    blocks = grid;
    threads = block.x;
    return __real_ct_grid_launch(kernel, grid, block, shared_bytes, args, args_bytes, options,
                                 report);
}

/* Whether a description is of the launch that was made: the name of the kernel, and each number that it has. */
static int is_of_launch(const char *how, int64_t m, int64_t n)
{
    char name[160];
    int rows, cols, of_threads;
    unsigned count = 0;
    ++launches[1];
    snprintf(name, sizeof name, "ct_%s,", launched);
    if (strncmp(how, "ct_", 3) == 0 && strncmp(how, name, strlen(name)) != 0) return 0;
    if (sscanf(launched, "transpose_%*d_%dx%d_%dx", &rows, &cols, &of_threads) == 3) {
        ++launches[0];
        snprintf(name, sizeof name, "tiles of %d x %d", rows, cols);
        return strstr(how, name) && (int)threads == of_threads &&
               blocks.x * blocks.y * blocks.z >=
                   ct_ceil_div_int(m, rows) * ct_ceil_div_int(n, cols);
    }
    if (strncmp(launched, "skewed", 6) == 0)
        return sscanf(how, "%*[^,], %u", &count) == 1 && count == blocks.x;
    static const char *const words[][2] = {{"box_any", " boxes of "},
                                           {"window_any", "of %*d windows"},
                                           {"index_any", " elements a thread"},
                                           {"misaligned_any", " at any address"}};
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
        if (strcmp(launched, words[k][0]) == 0 && k != 1 && !strstr(how, words[k][1])) return 0;
    return strncmp(how, "one copy", 8) == 0 ||
           (sscanf(how, "%u", &count) == 1 && count == blocks.x);
}

static void check(const ct_plan_desc *desc, int64_t m, int64_t n, int past, int variant)
{
    static const char other[] = "; for pointers that 16 bytes do not divide: ";
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
    char *how = strstr(text, "backend grid: ") + strlen("backend grid: "), *const two =
                                                                               strstr(how, other);
    if (two && past % 16 == 0) *two = '\0';
    if (two && past % 16 != 0) how = two + strlen(other);
    if (!is_of_launch(how, m, n))
        fail_msg("%s, launched %s in %u blocks of %u", how, launched, (unsigned)blocks.x,
                 (unsigned)threads);
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

GROUP("described plans", NULL, NULL)
