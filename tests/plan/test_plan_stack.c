/* Copies on the CPU by a caller whose stack has 64 KiB: what is larger lies on the heap. The grid has 192 KiB: it divides
 * the box of a copy anew for each run. */
#include "test.h"

#include <pthread.h>

#include "oracle.h"
#include "plan/front/plan.h"
#include "read.h"

enum {
    STACK_BYTES = 65536,
    GRID_STACK_BYTES = 3 * STACK_BYTES,
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SANITIZER = 4 /* times as much, for what surrounds each variable */
#else
    SANITIZER = 1
#endif
};

typedef struct caller {
    const ct_plan *plan;
    void *dst;
    const void *src;
    int status;
    char message[CT_MESSAGE_BYTES];
} caller;

static void *run(void *user)
{
    caller *const c = user;
    c->status = ct_plan_run(c->plan, c->dst, c->src, NULL, c->message);
    return NULL;
}

static void run_on_small_stack(caller *c, size_t bytes)
{
    pthread_attr_t small;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&small), 0);
    assert_int_equal(pthread_attr_setstacksize(&small, bytes * SANITIZER), 0);
    assert_int_equal(pthread_create(&thread, &small, run, c), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&small);
}

/* Each element is its index, so that a float in its place is that of the source there. */
static void copies(const char *name, ct_tensor from, ct_tensor to, int32_t type, int32_t backend,
                   int threads, int form)
{
    const int64_t size = ct_tensor_size(from);
    const int32_t bytes = type == CT_TYPE_HALF ? 2 : 4;
    float *const src = calloc((size_t)ct_tensor_cosize(from).value[0], sizeof *src);
    unsigned char *const dst = calloc((size_t)ct_tensor_cosize(to).value[0], (size_t)bytes);
    ct_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.src = ct_plan_side_of(from.layout, CT_TYPE_FLOAT);
    desc.dst = ct_plan_side_of(to.layout, type);
    desc.src.memory = from;
    desc.dst.memory = to;
    desc.backend = backend;
    caller c = {.dst = dst, .src = src};
    ct_plan *plan = NULL;
    for (int64_t i = 0; i < size; ++i) src[oracle_tensor(&from, i)] = (float)(i % 2048);
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, c.message))
        fail_msg("%s: %s", name, c.message);
    assert_int_equal(plan->form.kind, form);
    if (backend == CT_BACKEND_CPU) plan->choice.threads = threads;
    c.plan = plan;
    run_on_small_stack(&c, backend == CT_BACKEND_CPU ? STACK_BYTES : GRID_STACK_BYTES);
    if (c.status) fail_msg("%s: %s", name, c.message);
    for (int64_t i = 0; i < size; ++i) {
        const unsigned char *const at = dst + oracle_tensor(&to, i) * bytes;
        float got = 0;
        uint16_t half = 0;
        memcpy(bytes == 2 ? (void *)&half : (void *)&got, at, (size_t)bytes);
        const int exponent = half >> 10 & 31; /* of a half that is no fraction and not 0 */
        if (half) got = (float)((half & 1023) | 1024) * (float)(1 << exponent) / (float)(1 << 25);
        if (got != (float)(i % 2048))
            fail_msg("%s: element %lld is %g", name, (long long)i, (double)got);
    }
    ct_plan_destroy(plan);
    free(src);
    free(dst);
}

TEST(test_small_stack)
{
    const ct_tensor rows = ct_make_tensor(L_("(512,520):(520,1)"));
    const ct_tensor columns = ct_make_tensor(L_("(512,520):(1,512)"));
    const ct_tensor padded = ct_make_tensor(L_("(512,520):(528,1)"));
    const ct_tensor swizzled = ct_make_swizzled(ct_make_swizzle(2, 1, 3), 0, columns.layout);
    const ct_tensor bricks = ct_make_tensor(L_("((8,64),(8,65)):((65,520),(33280,1))"));
    for (int threads = 1; threads <= 3; threads += 2) {
        copies("tiles", rows, columns, CT_TYPE_FLOAT, CT_BACKEND_CPU, threads, CT_FORM_TILES);
        copies("converted tiles", rows, columns, CT_TYPE_HALF, CT_BACKEND_CPU, threads,
               CT_FORM_TILES);
        copies("tiles of several modes", bricks, columns, CT_TYPE_FLOAT, CT_BACKEND_CPU, threads,
               CT_FORM_TILES);
        copies("indexed", rows, swizzled, CT_TYPE_FLOAT, CT_BACKEND_CPU, threads, CT_FORM_INDEXED);
        copies("converted, indexed", rows, swizzled, CT_TYPE_HALF, CT_BACKEND_CPU, threads,
               CT_FORM_INDEXED);
        copies("rows", rows, padded, CT_TYPE_FLOAT, CT_BACKEND_CPU, threads, CT_FORM_ROWS);
    }
}

TEST(test_small_stack_of_the_grid)
{
    const ct_tensor rows = ct_make_tensor(L_("(64,72):(72,1)")),
                    columns = ct_make_tensor(L_("(64,72):(1,64)")),
                    padded = ct_make_tensor(L_("(64,72):(80,1)"));
    const ct_tensor swizzled = ct_make_swizzled(ct_make_swizzle(2, 1, 3), 0, columns.layout);
    copies("grid: tiles", rows, columns, CT_TYPE_FLOAT, CT_BACKEND_GRID, 1, CT_FORM_TILES);
    copies("grid: converted tiles", rows, columns, CT_TYPE_HALF, CT_BACKEND_GRID, 1, CT_FORM_TILES);
    copies("grid: indexed", rows, swizzled, CT_TYPE_FLOAT, CT_BACKEND_GRID, 1, CT_FORM_INDEXED);
    copies("grid: rows", rows, padded, CT_TYPE_FLOAT, CT_BACKEND_GRID, 1, CT_FORM_ROWS);
}

GROUP("plan stack", NULL, NULL)
