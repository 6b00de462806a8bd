/* Copy plans on every backend: each rank from 1 to 8 in memory full of guards, conversions on the
 * way, every misalignment, many threads at once. */
#include "test.h"

#include <pthread.h>

#include "plan_places.h"
#include "plan_reference.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITISED = 1 };
#else
enum { SANITISED = 0 };
#endif

enum { RANKS = 8 };

static int64_t from[ORACLE_MAX], to[ORACLE_MAX];
static char message[CT_MESSAGE_BYTES];

static uint64_t seed(void)
{
    const char *const given = getenv("CUTLET_SEED");
    return given ? strtoull(given, NULL, 10) : 50;
}

/* So many extents of 2 and more, nested at random, no more elements than the oracle writes down. */
static ct_tuple shape_of_rank(dice *d, int rank)
{
    ct_tuple t = CT_ZERO;
    int64_t left = ORACLE_MAX / 2;
    for (int k = 0; k < rank; ++k) {
        const int64_t most = left >> (rank - 1 - k); /* the others take 2 each */
        t.value[k] = dice_int(d, 2, most < 2 ? 2 : most > 40 ? 40 : most);
        left /= t.value[k];
    }
    t.profile = dice_profile(d, rank);
    return t;
}

/* A copy of a rank: raw, or from any type to any, scaled now and then. */
static ct_plan_desc desc_of_rank(dice *d, int rank)
{
    static const int32_t sizes[] = {1, 2, 4, 8, 16, 3, 6, 12, 5};
    ct_plan_desc desc = {0};
    const ct_tuple shape = shape_of_rank(d, rank);
    int64_t size = 1;
    for (int k = 0; k < rank; ++k) size *= shape.value[k];
    const ct_tuple other = dice_int(d, 0, 3) ? shape : random_shape_of(d, size);
    const ct_layout a = dice_int(d, 0, 1) ? random_any(d, other) : random_noncontiguous(d, other);
    const ct_layout b = random_noncontiguous(d, shape);
    if (dice_int(d, 0, 2)) {
        const int32_t bytes = sizes[dice_int(d, 0, 8)];
        desc.src = ct_plan_side_raw(a, bytes);
        desc.dst = ct_plan_side_raw(b, bytes);
    } else {
        desc.src = ct_plan_side_of(a, (int32_t)dice_int(d, CT_TYPE_HALF, CT_TYPE_INT8));
        desc.dst = ct_plan_side_of(b, (int32_t)dice_int(d, CT_TYPE_HALF, CT_TYPE_INT8));
        desc.has_scale = dice_int(d, 0, 1) == 0;
        desc.scale = desc.has_scale ? 0.37 : 0;
    }
    maybe_swizzle(d, &desc.src);
    maybe_swizzle(d, &desc.dst);
    return desc;
}

/* Puts into dst what belongs there, element by element. */
static void copy_elements(const ct_plan_desc *d, int64_t n, unsigned char *dst,
                          const unsigned char *src)
{
    const int converts = d->src.type != d->dst.type || d->has_scale;
    for (int64_t i = 0; i < n; ++i) {
        unsigned char *const t = dst + to[i] * d->dst.elem_bytes;
        const unsigned char *const s = src + from[i] * d->src.elem_bytes;
        if (!converts) {
            memcpy(t, s, (size_t)d->dst.elem_bytes);
            continue;
        }
        const double x = value_of(s, d->src.type);
        reference(t, d->has_scale ? product_of(x, d->scale) : x, d->dst.type);
    }
}

/* Makes any NaN among the elements the one that is there already. */
static void forgive_nans(const ct_plan_desc *d, int64_t n, unsigned char *right,
                         const unsigned char *got)
{
    for (int64_t i = 0; i < n && d->dst.type != CT_TYPE_RAW; ++i) {
        const int64_t at = to[i] * d->dst.elem_bytes;
        if (same_value(right + at, got + at, d->dst.type))
            memcpy(right + at, got + at, (size_t)d->dst.elem_bytes);
    }
}

/* A copy against the enumeration, bytes between and around the elements too. `past` is how far the
 * pointers are from where 64 bytes divide them. */
static int check_copy(const plan_place *place, const ct_plan_desc *asked, dice *d,
                      const int past[2])
{
    ct_plan_desc desc = *asked;
    desc.backend = place->backend;
    const int64_t n = side_offsets(&desc.src, from);
    assert_int_equal(side_offsets(&desc.dst, to), n);
    plan_memory src = memory_of(&desc.src, from, n, past[0]);
    plan_memory dst = memory_of(&desc.dst, to, n, past[1]);
    for (size_t i = 0; i < src.bytes; ++i) src.all[i] = (unsigned char)(dice_next(d) >> 32);
    for (size_t i = 0; i < dst.bytes; ++i) dst.all[i] = (unsigned char)(dice_next(d) >> 32);
    unsigned char *const right = malloc(dst.bytes), *const was = malloc(src.bytes);
    memcpy(right, dst.all, dst.bytes);
    memcpy(was, src.all, src.bytes);
    copy_elements(&desc, n, right + (dst.at - dst.all), src.at);
    ct_plan *plan = NULL;
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message))
        fail_msg("%s: %s: %s", place->name, desc_text(&desc), message);
    const int form = plan->form.kind;
    if (place_run(place, plan, dst, src, message))
        fail_msg("%s: %s: %s", place->name, desc_text(&desc), message);
    forgive_nans(&desc, n, right + (dst.at - dst.all), dst.at);
    if (memcmp(right, dst.all, dst.bytes) != 0) {
        size_t at = 0;
        while (right[at] == dst.all[at]) ++at;
        fail_msg("%s: %s, type %d to %d, %d and %d past: byte %ld of the destination is wrong (%d)",
                 place->name, desc_text(&desc), desc.src.type, desc.dst.type, past[0], past[1],
                 (long)(at - (size_t)(dst.at - dst.all)), form);
    }
    assert_memory_equal(src.all, was, src.bytes);
    ct_plan_destroy(plan);
    free(right);
    free(was);
    free(src.all);
    free(dst.all);
    return form;
}

/* Calls on each backend of this machine. */
static void on_each(void (*test)(const plan_place *place))
{
    for (int k = 0; k < PLAN_PLACES; ++k) {
        plan_place place;
        if (!place_open(&place, k)) continue;
        test(&place);
        place_close(&place);
    }
}

static void ranks_on(const plan_place *place)
{
    int forms[CT_FORM_INDEXED + 1] = {0};
    const int is_quick = place->backend == CT_BACKEND_CPU; /* the grid is no GPU */
    const uint64_t cases = (is_quick ? 3200 : 480) / (SANITISED ? 2 : 1);
    for (uint64_t number = 0; number < cases; ++number) {
        dice d = dice_of_case(seed(), number);
        const ct_plan_desc desc = desc_of_rank(&d, 1 + (int)(number % RANKS));
        const int32_t a = desc.src.elem_bytes, b = desc.dst.elem_bytes;
        const int past[2] = {(a & -a) * (int)dice_int(&d, 0, 15),
                             (b & -b) * (int)dice_int(&d, 0, 15)};
        ++forms[check_copy(place, &desc, &d, past)];
    }
    for (int k = CT_FORM_ROWS; k <= CT_FORM_INDEXED; ++k)
        if (forms[k] < 5) fail_msg("%s: form %d only %d times", place->name, k, forms[k]);
}

TEST(test_ranks)
{
    print_message("# seed %llu\n", (unsigned long long)seed());
    on_each(ranks_on);
}

/* Every place that an element may have within 16 bytes, on either side, for every kind of copy. */
static void misalignments_on(const plan_place *place)
{
    static const int64_t steps[][4] = {/* of a matrix of 33 by 21: source, destination */
                                       {1, 33, 1, 33}, {1, 33, 1, 37}, {1, 33, 21, 1},
                                       {2, 66, 1, 40}, {21, 1, 21, 1}, {1, -33, 24, 1}};
    static const int32_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16};
    const int some = SANITISED ? 21 : place->backend == CT_BACKEND_CPU ? 1 : 7;
    int turn = 0;
    for (size_t e = 0; e < sizeof sizes / sizeof *sizes; ++e) {
        const int own = sizes[e] & -sizes[e];
        for (size_t s = 0; s < sizeof steps / sizeof *steps; ++s) {
            for (int i = 0; i < 16 / own * (16 / own); ++i) {
                if (turn++ % some != 0) continue;
                ct_plan_desc desc = {0};
                const int past[2] = {i % (16 / own) * own, i / (16 / own) * own};
                dice d = dice_of_case(seed(), (uint64_t)turn);
                desc.src = ct_plan_side_raw(ct_layout2(33, 21, steps[s][0], steps[s][1]), sizes[e]);
                desc.dst = ct_plan_side_raw(ct_layout2(33, 21, steps[s][2], steps[s][3]), sizes[e]);
                if (s == 4) desc.dst.memory.swizzle = ct_make_swizzle(2, 1, 3);
                check_copy(place, &desc, &d, past);
            }
        }
    }
    assert_true(turn > 1000);
}

TEST(test_misalignments) { on_each(misalignments_on); }

/* One plan, many threads, each with memory of its own. */
enum { RUNNERS = 5, ROUNDS = 4 };

typedef struct runner {
    const plan_place *place;
    const ct_plan *plan;
    plan_memory src, dst;
    unsigned char *right;
    int wrong;
} runner;

static void *run_it(void *user)
{
    runner *const r = user;
    for (int round = 0; round < ROUNDS; ++round) {
        memset(r->dst.all, 0x5a, r->dst.bytes);
        r->wrong += ct_plan_run(r->plan, r->dst.at, r->src.at, NULL, NULL) != 0;
        r->wrong += memcmp(r->dst.all, r->right, r->dst.bytes) != 0;
    }
    return NULL;
}

static plan_memory host_memory(int64_t bytes, int past)
{
    plan_memory m;
    m.bytes = (size_t)(bytes + 2 * PLAN_GUARD);
    m.all = malloc(m.bytes);
    m.at = m.all + PLAN_GUARD + past;
    return m;
}

/* A matrix of floats copied by every thread; `dst` strides and all that a side may have besides. */
static void threads_with(const plan_place *place, ct_plan_desc desc, int64_t m, int64_t n)
{
    runner r[RUNNERS];
    pthread_t thread[RUNNERS];
    ct_plan *plan;
    desc.backend = place->backend;
    setenv("CUTLET_THREADS", "3", 1);
    assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
    unsetenv("CUTLET_THREADS");
    for (int i = 0; i < RUNNERS; ++i) {
        r[i] = (runner){place, plan, host_memory(8 * m * n, 0), host_memory(8 * m * n, 0), NULL, 0};
        r[i].right = malloc(r[i].dst.bytes);
        for (int64_t k = 0; k < m * n; ++k) {
            const float x = (float)((k * 2654435761u + (uint32_t)i) % 60000);
            memcpy(r[i].src.at + 4 * k, &x, sizeof x);
        }
        memset(r[i].right, 0x5a, r[i].dst.bytes);
        for (int64_t k = 0; k < m * n; ++k) {
            const int64_t s = ct_tensor_eval(desc.src.memory, k);
            const int64_t t = ct_tensor_eval(desc.dst.memory, k);
            unsigned char *const at =
                r[i].right + (r[i].dst.at - r[i].dst.all) + t * desc.dst.elem_bytes;
            if (desc.dst.type == CT_TYPE_FLOAT) memcpy(at, r[i].src.at + 4 * s, 4);
            else reference(at, value_of(r[i].src.at + 4 * s, CT_TYPE_FLOAT), desc.dst.type);
        }
    }
    for (int i = 0; i < RUNNERS; ++i)
        assert_int_equal(pthread_create(&thread[i], NULL, run_it, &r[i]), 0);
    for (int i = 0; i < RUNNERS; ++i) {
        pthread_join(thread[i], NULL);
        if (r[i].wrong) fail_msg("%s: %s: %d wrong", place->name, desc_text(&desc), r[i].wrong);
        free(r[i].src.all);
        free(r[i].dst.all);
        free(r[i].right);
    }
    ct_plan_destroy(plan);
}

static void threads_on(const plan_place *place)
{
    if (place->gpu) return; /* whose memory is not the host's */
    const int64_t m = place->backend == CT_BACKEND_CPU && !SANITISED ? 300 : 60, n = m + 17;
    for (int way = 0; way < 6; ++way) {
        ct_plan_desc desc = {0};
        desc.src = ct_plan_side_of(ct_layout2(m, n, 1, m), CT_TYPE_FLOAT);
        desc.dst = desc.src;                                               /* contiguous */
        if (way == 1) desc.dst.memory.layout = ct_layout2(m, n, 1, m + 3); /* rows */
        if (way == 2) desc.dst.memory.layout = ct_layout2(m, n, n, 1);     /* tiles */
        if (way == 3) desc.dst.memory.layout = ct_layout2(m, n, 2, 2 * m); /* strided */
        if (way == 4) desc.dst.memory.swizzle = ct_make_swizzle(2, 1, 3);  /* indexed */
        if (way == 5) desc.dst = ct_plan_side_of(ct_layout2(m, n, n, 1), CT_TYPE_HALF);
        threads_with(place, desc, m, n);
    }
}

TEST(test_threads) { on_each(threads_on); }

/* One array right after the other, both by the pointer of the first: an offset leads to the second. */
static void one_pointer_on(const plan_place *place)
{
    _Alignas(16) float memory[128];
    ct_plan_desc desc = {0};
    ct_plan *plan;
    if (place->gpu) return;
    for (int i = 0; i < 128; ++i) memory[i] = (float)i;
    desc.backend = place->backend;
    desc.src = desc.dst = ct_plan_side_of(ct_layout1(64, 1), CT_TYPE_FLOAT);
    desc.dst.memory.offset = ct_int(64);
    desc.dst.memory.swizzle = ct_make_swizzle(2, 1, 3);
    assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
    if (ct_plan_run(plan, memory, memory, NULL, message)) fail_msg("%s: %s", place->name, message);
    for (int i = 0; i < 64; ++i)
        assert_true(memory[ct_tensor_eval(desc.dst.memory, i)] == (float)i);
    ct_plan_destroy(plan);
}

TEST(test_one_pointer) { on_each(one_pointer_on); }

GROUP("plan backends", NULL, NULL)
