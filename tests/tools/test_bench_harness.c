/* The harness of the benchmarks: it finds every planted fault, and times in the order it says. */
#include "test.h"

#include "fake_cuda_find.h"
#include "harness.h"

enum { BYTES = 5000, SETS = 3, SHIFT = 12 };

/* ---- verification ---------------------------------------------------------------------------- */

/* Copies a set, but for one byte at `at` of set `of`: it is another one, or written beside. */
typedef struct copier {
    const bench_array *src, *dst;
    int64_t of, at;
} copier;

static int copy_set(ct_cuda *gpu, void *user, int64_t set)
{
    const copier *const c = user;
    unsigned char *const to = bench_array_at(c->dst, set);
    (void)gpu;
    memcpy(to, bench_array_at(c->src, set), BYTES);
    if (set == c->of) to[c->at] ^= 0x20;
    return 0;
}

/* Leaves the last byte of a set out. */
static int copy_short(ct_cuda *gpu, void *user, int64_t set)
{
    const copier *const c = user;
    (void)gpu;
    memcpy(bench_array_at(c->dst, set), bench_array_at(c->src, set), BYTES - (set == c->of));
    return 0;
}

/* A comparison that finds nothing. */
static int see_nothing(const void *user, int64_t set, int64_t at, int64_t bytes,
                       const unsigned char *found, char wrong[BENCH_WRONG])
{
    (void)user, (void)set, (void)at, (void)bytes, (void)found, (void)wrong;
    return 1;
}

static int verify(bench_target *t, int (*peer)(ct_cuda *, void *, int64_t), bench_compare *compare,
                  int64_t of, int64_t at, char wrong[BENCH_WRONG])
{
    bench_array src = {.name = "src"}, dst = {.name = "dst", .is_result = 1};
    assert_int_equal(bench_array_take(t, &src, BYTES, SETS, 0), 0);
    assert_int_equal(bench_array_take(t, &dst, BYTES, SETS, SHIFT), 0);
    assert_int_equal(bench_fill(t, &src, bench_put_pattern, NULL), 0);
    copier c = {&src, &dst, of, at};
    const bench_work work = {.sets = SETS, .peer = peer, .user = &c};
    const bench_right right = {compare, NULL, 0};
    bench_result result;
    const int status = bench_verify(t, &work, &dst, &right, &result, wrong);
    if (status >= 0) assert_int_equal(result.status, status ? BENCH_IS_RIGHT : BENCH_IS_WRONG);
    bench_array_drop(t, &dst);
    bench_array_drop(t, &src);
    return status;
}

/* Every byte of the result, and those up to a guard's end on either side. */
TEST(test_faults)
{
    bench_target t = {.gpu = NULL};
    char wrong[BENCH_WRONG], expected[BENCH_WRONG];
    assert_int_equal(verify(&t, copy_set, bench_compare_pattern, -1, 0, wrong), 1);
    for (int64_t of = 0; of < SETS; ++of) {
        for (int64_t at = of ? -2 : -BENCH_GUARD - SHIFT; at < BYTES + BENCH_GUARD; ++at) {
            if (at == 10) at = BYTES - 10;
            assert_int_equal(verify(&t, copy_set, bench_compare_pattern, of, at, wrong), 0);
            const int beside = at < 0 || at >= BYTES;
            snprintf(expected, sizeof expected, "byte %lld%s", (long long)at,
                     beside ? ", beside the result, is df, expected ff" : " is ");
            if (of == 0 || at >= 0) assert_memory_equal(wrong, expected, strlen(expected));
        }
        assert_int_equal(verify(&t, copy_short, bench_compare_pattern, of, 0, wrong), 0);
    }
}

TEST(test_blind_comparison)
{
    bench_target t = {.gpu = NULL};
    char wrong[BENCH_WRONG];
    assert_int_equal(verify(&t, copy_set, see_nothing, -1, 0, wrong), -1);
    assert_non_null(strstr(t.error, "a planted byte was not found"));
}

/* ---- time ------------------------------------------------------------------------------------ */

static char order[256]; /* works, in the order of their runs */
static fake_cuda_state *fake;

/* A work: its letter, how many milliseconds / 3 a run takes, and what was asked of it. */
typedef struct timed {
    char letter;
    int takes, calls;
    int64_t sets[32];
} timed;

/* The first of two runs takes as long again; each copy of the fake driver takes 3 ms. */
static int queue_copies(ct_cuda *gpu, void *user, int64_t set)
{
    timed *const w = user;
    static unsigned char bytes[2];
    const int slow = w->calls % 2 == 0;
    w->sets[w->calls++] = set;
    snprintf(order + strlen(order), sizeof order - strlen(order), "%c", w->letter);
    for (int i = 0; i < w->takes * (1 + slow); ++i)
        if (ct_cuda_copy(gpu, bytes, bytes + 1, 1)) return -1;
    return 0;
}

TEST(test_order_of_works)
{
    static const ct_cuda_image image = {"first", 90, 0, "one", 0};
    const ct_cuda_images images = {13000, 1, &image};
    char reason[CT_MESSAGE_BYTES];
    timed a = {.letter = 'a', .takes = 1}, b = {.letter = 'b', .takes = 2}, c = {'c', 5, 0, {0}};
    bench_work works[] = {{.peer = queue_copies, .user = &a, .sets = 3, .repeats = 1},
                          {.peer = queue_copies, .user = &b, .sets = 1, .repeats = 1},
                          {.peer = queue_copies, .user = &c, .sets = 1, .repeats = 1}};
    bench_times times[3];
    memset(fake, 0, sizeof *fake);
    fake->version = 13000;
    fake->devices = 1;
    fake->major = 9;
    bench_target t = {.gpu = ct_cuda_open_with(0, &images, reason)};
    assert_non_null(t.gpu);
    order[0] = 0;
    assert_int_equal(bench_time(&t, works, 3, 1, 4, times), 0);
    ct_cuda_close(t.gpu);
    assert_string_equal(order, "aabbcc"
                               "ccbbaa"
                               "aabbcc"
                               "ccbbaa"
                               "aabbcc");
    for (int i = 0; i < 10; ++i) assert_int_equal(a.sets[i], i % 3);
    assert_float_equal(times[0].median, 3e-3, 1e-9);
    assert_float_equal(times[1].most, 6e-3, 1e-9);
    assert_float_equal(times[1].before, 2, 1e-6);
    assert_float_equal(times[2].least, 15e-3, 1e-9);
    assert_float_equal(times[2].before, 2.5, 1e-6);
}

int main(void)
{
    fake = fake_cuda_find();
    if (!fake) return 1;
    setenv("CUTLET_CUDA_DRIVER", getenv("FAKE_CUDA"), 1);
    unsetenv("CUTLET_NO_GPU");
    return run_registered("bench_harness", NULL, NULL);
}
