/* Copy plans on a fake device (fake_cuda.c), whose kernels run on the CPU grid: random
 * copies, conversions, where memory has to be, threads, what a plan says. */
#include "plan_fake.h"
#include "plan_launched.h"

#include <pthread.h>

/* ---- right copies ---------------------------------------------------------------------------- */

static uint64_t seed(void) { return number_of("CUTLET_SEED", 31); }

/* Each kind of launch was made often, and the kernel that was launched is that of its kind. */
TEST(test_random)
{
    print_message("# seed %llu\n", (unsigned long long)seed());
    memset(launches_of, 0, sizeof launches_of);
    for (uint64_t number = 0; number < 400; ++number) check_small(seed(), number);
    assert_true(launches_of[CT_GPU_BOXES] > 100 && launches_of[CT_GPU_INDICES] > 40);
    assert_true(launches_of[CT_GPU_RUN] > 5 && fake->copies > 5);
    assert_int_equal(*compiled, 0); /* all are small */
}

/* Copies of many blocks, also by the kernels for transposes and for rows that begin anywhere. */
TEST(test_large)
{
    for (uint64_t number = 0; number < 12; ++number) check_large(seed(), number);
}

/* Rows and lines at any address, as spans of runs and of lines. */
TEST(test_misaligned)
{
    for (uint64_t number = 0; number < 60; ++number) check_misaligned(seed(), number);
    assert_true(launches_of[CT_GPU_MISALIGNED] > 100);
}

/* What a plan says is what it launches, for aligned pointers and others. */
static void check_described(dice *d, ct_plan_desc *desc)
{
    char text[2000];
    const int unit = desc->dst.elem_bytes & -desc->dst.elem_bytes;
    desc->backend = CT_BACKEND_CUDA;
    ct_plan *const plan = plan_of(desc, CT_EFFORT_ESTIMATE);
    if (plan->form.kind == CT_FORM_NOTHING) {
        ct_plan_destroy(plan);
        return;
    }
    for (int past = 0; past <= unit % 16; past += unit) {
        const int launches = fake->launches, copies = fake->copies;
        check_run(d, plan, desc, 0, past, past);
        launched l = {.threads = fake->block[0]};
        snprintf(l.kernel, sizeof l.kernel, "%s", fake->launched + strlen("ct_"));
        memcpy(l.blocks, fake->grid, sizeof l.blocks);
        ct_plan_describe(plan, text, sizeof text);
        const char *const how = described_kernel(text, "cuda", past);
        const int is_copy = strncmp(how, "one copy of ", 12) == 0;
        assert_int_equal(fake->copies, copies + is_copy);
        assert_int_equal(fake->launches, launches + !is_copy);
        if (!is_copy && !is_of_launch(how, &l, 1, 1))
            fail_msg("%s, launched %s in %u blocks of %u", how, l.kernel, l.blocks[0], l.threads);
    }
    ct_plan_destroy(plan);
}

TEST(test_described)
{
    for (uint64_t number = 0; number < 100; ++number) {
        dice d = dice_of_case(seed() + 1, number);
        ct_plan_desc desc = number % 4 == 3 ? misaligned_desc(&d, (int)(number / 4 % 3))
                            : number % 4 == 2
                                ? transpose_desc(dice_int(&d, 20, 200), dice_int(&d, 20, 200), 0)
                                : random_desc(&d);
        check_described(&d, &desc);
    }
}

static const char *const kernels[] = {"ct_box_any", "ct_vectors_any", "ct_indexed_any",
                                      "ct_transpose_", "ct_sectors_4_"};

/* The first way that a plan has by launches of that kind. */
static int way_of(const ct_plan *plan, int kind)
{
    ct_gpu_launch launch;
    for (int way = 0; way < ct_gpu_variants(); ++way)
        if (ct_gpu_launch_of(plan, 16, 16, way, &launch, NULL) == CT_OK && launch.kind == kind)
            return way;
    fail_msg("no launch of kind %d", kind);
    return -1;
}

/* One copy for each kernel: that is the one which is launched, and which the plan names. */
TEST(test_kernels)
{
    static const char *const said[] = {"boxes of (", " vectors of ", " elements a thread",
                                       "ct_transpose_4_64x64_", "ct_sectors_4_"};
    for (int k = 0; k < 5; ++k) {
        dice d = dice_of(3);
        char text[2000];
        ct_plan_desc desc = transpose_desc(k == 3 ? 128 : 12, k == 3 ? 64 : 40, CT_BACKEND_CUDA);
        if (k == 1) {
            desc.src = ct_plan_side_raw(ct_layout2(57, 90, 1, 58), 4);
            desc.dst = ct_plan_side_raw(ct_layout2(57, 90, 1, 57), 4);
        } else {
            desc.src.type = desc.dst.type = CT_TYPE_RAW;
            desc.src.elem_bytes = desc.dst.elem_bytes = 4;
        }
        if (k == 2) desc.dst.memory.swizzle = ct_make_swizzle(2, 0, 3);
        ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
        if (k == 1) take_way(plan, way_of(plan, CT_GPU_VECTORS));
        if (k == 4) take_way(plan, way_of(plan, CT_GPU_SECTORS));
        const int launches = fake->launches;
        check_run(&d, plan, &desc, 0, 0, 0);
        assert_int_equal(fake->launches, launches + 1);
        if (strncmp(fake->launched, kernels[k], strlen(kernels[k])) != 0)
            fail_msg("%s and not %s", fake->launched, kernels[k]);
        ct_plan_describe(plan, text, sizeof text);
        if (!strstr(text, said[k]) || !strstr(text, "backend cuda: ") ||
            !strstr(text, ", a kernel built into libcutlet\n"))
            fail_msg("%s", text);
        check_run(&d, plan, &desc, 0, 4, 4);
        ct_plan_destroy(plan);
    }
}

TEST(test_conversions) { check_conversions(0); }

/* Nothing, one run of bytes: the driver's own copy, in the caller's stream. */
TEST(test_run_of_bytes)
{
    dice d = dice_of(4);
    char text[1000];
    ct_plan_desc desc = {.backend = CT_BACKEND_CUDA};
    desc.src = desc.dst = ct_plan_side_raw(ct_layout2(30, 40, 1, 30), 2);
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    check_run(&d, plan, &desc, 0, 0, 0);
    check_run(&d, plan, &desc, 0, 2, 6);
    assert_int_equal(fake->copies, 2);
    assert_int_equal(fake->launches, 0);
    ct_plan_describe(plan, text, sizeof text);
    assert_non_null(strstr(text, "backend cuda: one copy of 2400 bytes\n"));
    ct_plan_destroy(plan);
}

/* ---- where memory is ------------------------------------------------------------------------- */

enum { ROWS = 20, COLS = 30, BYTES = 4 * ROWS * COLS };

/* Memory of both kinds for a transpose of floats, the destinations full of 0x5a. */
typedef struct places {
    unsigned char host_src[BYTES], host_dst[BYTES], right[BYTES], got[BYTES];
    unsigned char *src, *dst;
} places;

static void places_take(places *p)
{
    for (int i = 0; i < BYTES; ++i) p->host_src[i] = (unsigned char)(i * 40503 >> 5);
    for (int i = 0; i < ROWS; ++i)
        for (int k = 0; k < COLS; ++k)
            memcpy(p->right + 4 * (k * ROWS + i), p->host_src + 4 * (i * COLS + k), 4);
    memset(p->host_dst, 0x5a, BYTES);
    p->src = device_take(BYTES);
    p->dst = device_take(BYTES);
    device_put(p->src, p->host_src, BYTES);
    device_put(p->dst, p->host_dst, BYTES);
}

static void places_drop(places *p)
{
    device_give(p->src);
    device_give(p->dst);
}

static int is_full_of(const unsigned char *at, int value)
{
    for (int i = 0; i < BYTES; ++i)
        if (at[i] != value) return 0;
    return 1;
}

/* Refused, with that line, before anything is written or launched. */
static void expect_refused(places *p, const ct_plan *plan, void *dst, const void *src,
                           const char *line)
{
    const int launches = fake->launches;
    assert_int_equal(ct_plan_run(plan, dst, src, NULL, message), CT_E_POINTER);
    assert_string_equal(message, line);
    device_get(p->got, p->dst, BYTES);
    assert_true(is_full_of(p->got, 0x5a) && is_full_of(p->host_dst, 0x5a));
    assert_int_equal(fake->launches, launches);
}

static const char host_source[] = "source: the pointer is to memory of the host, which the device "
                                  "does not reach";
static const char host_destination[] = "destination: the pointer is to memory of the host, which "
                                       "the device does not reach";

TEST(test_host_memory)
{
    static places p;
    places_take(&p);
    const ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_CUDA);
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    expect_refused(&p, plan, p.dst, p.host_src, host_source);
    expect_refused(&p, plan, p.host_dst, p.src, host_destination);
    expect_refused(&p, plan, p.host_dst, p.host_src, host_source);
    assert_int_equal(ct_plan_run(plan, p.host_dst, p.src, NULL, NULL), CT_E_POINTER);
    assert_int_equal(ct_plan_run(plan, p.dst, p.src, NULL, message), CT_OK);
    device_get(p.got, p.dst, BYTES);
    assert_memory_equal(p.got, p.right, BYTES);
    ct_plan_destroy(plan);
    places_drop(&p);
}

TEST(test_auto)
{
    static places p;
    places_take(&p);
    const ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_AUTO);
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    ct_plan_info info;
    ct_plan_info_of(plan, &info);
    assert_int_equal(info.backend, CT_BACKEND_CUDA); /* where there is a device */
    expect_refused(&p, plan, p.dst, p.host_src, host_source);
    expect_refused(&p, plan, p.host_dst, p.src, host_destination);
    assert_int_equal(ct_plan_run(plan, p.host_dst, p.host_src, NULL, message), CT_OK);
    assert_memory_equal(p.host_dst, p.right, BYTES);
    assert_int_equal(fake->launches, 0);
    assert_int_equal(ct_plan_run(plan, p.dst, p.src, gpu->stream, message), CT_OK);
    assert_int_equal(fake->launches, 1);
    assert_ptr_equal(fake->stream, gpu->stream);
    device_get(p.got, p.dst, BYTES);
    assert_memory_equal(p.got, p.right, BYTES);
    ct_plan_destroy(plan);
    places_drop(&p);
}

/* Where offset 0 lies outside of the memory, as it does where a side has an offset of its own, it is the
 * memory that counts. */
TEST(test_offsets)
{
    static places p;
    places_take(&p);
    for (int sign = -1; sign <= 1; sign += 2) {
        ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_AUTO);
        desc.src.memory.offset = desc.dst.memory.offset = ct_int(sign * 100000);
        ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
        fake->launches = 0;
        device_put(p.dst, p.host_dst, BYTES);
        assert_int_equal(
            ct_plan_run(plan, p.dst - sign * 400000, p.src - sign * 400000, NULL, message), CT_OK);
        assert_int_equal(fake->launches, 1);
        device_get(p.got, p.dst, BYTES);
        assert_memory_equal(p.got, p.right, BYTES);
        ct_plan_destroy(plan);
    }
    places_drop(&p);
}

/* Host memory that the driver has pinned: the device reaches it; of itself it is the CPU's. */
TEST(test_pinned)
{
    static places p;
    places_take(&p);
    for (int backend = CT_BACKEND_AUTO; backend <= CT_BACKEND_CUDA; backend += CT_BACKEND_CUDA) {
        const ct_plan_desc desc = transpose_desc(ROWS, COLS, backend);
        ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
        fake->pinned = p.host_src;
        fake->pinned_bytes = BYTES;
        fake->launches = 0;
        assert_int_equal(ct_plan_run(plan, p.dst, p.host_src, NULL, message), CT_OK);
        assert_int_equal(fake->launches, 1);
        device_get(p.got, p.dst, BYTES);
        assert_memory_equal(p.got, p.right, BYTES);
        if (backend == CT_BACKEND_AUTO) {
            assert_int_equal(ct_plan_run(plan, p.host_dst, p.host_src, NULL, message), CT_OK);
            assert_memory_equal(p.host_dst, p.right, BYTES);
            assert_int_equal(fake->launches, 1);
        }
        ct_plan_destroy(plan);
    }
    places_drop(&p);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREADS = 6 };

typedef struct job {
    const ct_plan *plan;
    unsigned char *dst;
    const unsigned char *src;
    int status;
} job;

static void *run_job(void *data)
{
    job *const j = data;
    for (int i = 0; i < 3; ++i) j->status |= ct_plan_run(j->plan, j->dst, j->src, NULL, NULL);
    return NULL;
}

/* All meet at the kernel for pointers that 16 bytes do not divide, which nobody has made yet. */
TEST(test_threads)
{
    static places p;
    places_take(&p);
    const ct_plan_desc desc = transpose_desc(ROWS, COLS, CT_BACKEND_CUDA);
    ct_plan *const plan = plan_of(&desc, CT_EFFORT_ESTIMATE);
    pthread_t thread[THREADS];
    job jobs[THREADS];
    unsigned char *const all = device_take((size_t)THREADS * (BYTES + 16));
    for (int i = 0; i < THREADS; ++i) {
        jobs[i] = (job){plan, all + i * (BYTES + 16) + 4, p.src, 0};
        assert_int_equal(pthread_create(&thread[i], NULL, run_job, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(thread[i], NULL);
        assert_int_equal(jobs[i].status, CT_OK);
        device_get(p.got, jobs[i].dst, BYTES);
        assert_memory_equal(p.got, p.right, BYTES);
    }
    assert_int_equal(fake->launches, 3 * THREADS);
    device_give(all);
    ct_plan_destroy(plan);
    places_drop(&p);
}

int main(void)
{
    if (use_fakes()) return 2;
    open_fake_gpu();
    const int failed = run_each("plan_cuda", reset_fake, nothing_left);
    ct_cuda_close(gpu);
    return failed;
}
