/* Copy plans on the CPU: random pairs of layouts against an enumeration, guards and all; what is
 * refused, and that nothing was written then; threads. */
#include "test.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plan/gpu/gpu.h"
#include "all_cases.h"
#include "plan_cases.h"

static int64_t from[ORACLE_MAX], to[ORACLE_MAX];
static char message[CT_MESSAGE_BYTES];

static uint64_t seed(void)
{
    const char *const given = getenv("CUTLET_SEED");
    return given ? strtoull(given, NULL, 10) : 20;
}

static void fill(dice *d, plan_memory m)
{
    for (size_t i = 0; i < m.bytes; ++i) m.all[i] = (unsigned char)(dice_next(d) >> 32);
}

/* The choices that a plan of a few elements would not make by itself. */
static void vary(dice *d, ct_plan *plan)
{
    if (dice_int(d, 0, 2)) return;
    plan->choice.threads = (int32_t)dice_int(d, 1, 3);
    if (plan->form.kind != CT_FORM_TILES) return;
    plan->choice.tile_src = (int32_t)dice_int(d, 1, 40);
    plan->choice.tile_dst = (int32_t)dice_int(d, 1, 40);
    plan->choice.streams = (int32_t)dice_int(d, 0, 1);
}

/* A random copy by a backend, against the enumeration. */
static void run_case(uint64_t number, int backend, int forms[])
{
    dice d = dice_of_case(seed(), number);
    ct_plan_desc desc = random_desc(&d);
    desc.backend = backend;
    const int32_t bytes = desc.dst.elem_bytes, own = bytes & -bytes;
    const int64_t n = side_offsets(&desc.src, from);
    assert_int_equal(side_offsets(&desc.dst, to), n);
    plan_memory src = memory_of(&desc.src, from, n, own * (int)dice_int(&d, 0, 7));
    plan_memory dst = memory_of(&desc.dst, to, n, own * (int)dice_int(&d, 0, 7));
    fill(&d, src);
    fill(&d, dst);
    unsigned char *const right = malloc(dst.bytes);
    memcpy(right, dst.all, dst.bytes);
    for (int64_t i = 0; i < n; ++i)
        memcpy(right + (dst.at - dst.all) + to[i] * bytes, src.at + from[i] * bytes, (size_t)bytes);
    ct_plan *plan = NULL;
    const int status = ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message);
    if (status)
        fail_msg("case %llu: %s: %s", (unsigned long long)number, desc_text(&desc), message);
    if (backend == CT_BACKEND_CPU) vary(&d, plan);
    else plan->choice.variant = (int32_t)dice_int(&d, 0, ct_gpu_variants() - 1);
    ++forms[plan->form.kind];
    if (ct_plan_run(plan, dst.at, src.at, NULL, message))
        fail_msg("case %llu: %s: %s", (unsigned long long)number, desc_text(&desc), message);
    if (memcmp(right, dst.all, dst.bytes) != 0) {
        size_t at = 0;
        while (right[at] == dst.all[at]) ++at;
        fail_msg("case %llu: %s: byte %ld of the destination is wrong (form %d)",
                 (unsigned long long)number, desc_text(&desc),
                 (long)(at - (size_t)(dst.at - dst.all)), plan->form.kind);
    }
    ct_plan_destroy(plan);
    free(right);
    free(src.all);
    free(dst.all);
}

TEST(test_random)
{
    int forms[CT_FORM_INDEXED + 1] = {0};
    print_message("# seed %llu\n", (unsigned long long)seed());
    const uint64_t cases = all_cases() ? 6000 : 3000;
    for (uint64_t number = 0; number < cases; ++number) run_case(number, CT_BACKEND_CPU, forms);
    for (int k = CT_FORM_CONTIGUOUS; k <= CT_FORM_INDEXED; ++k) /* each kind was met often */
        if (forms[k] < (int)(cases / 60)) fail_msg("form %d only %d times", k, forms[k]);
}

/* The same by the kernels on the CPU grid, which checks every access. */
TEST(test_grid)
{
#if defined(__SANITIZE_THREAD__)
    skip(); /* it does not follow the grid's threads, which are contexts of one */
#endif
    int forms[CT_FORM_INDEXED + 1] = {0};
    const uint64_t cases = all_cases() ? 1500 : 600;
    for (uint64_t number = 0; number < cases; ++number) run_case(number, CT_BACKEND_GRID, forms);
    for (int k = CT_FORM_CONTIGUOUS; k <= CT_FORM_INDEXED; ++k)
        if (forms[k] < (int)(cases / 75)) fail_msg("form %d only %d times", k, forms[k]);
}

/* Transposes as large as several tiles, of every element size, with every candidate's tile. */
TEST(test_transposes)
{
    static const int64_t extents[][2] = {{257, 131}, {64, 64},  {128, 200}, {15, 700},
                                         {700, 3},   {16, 511}, {1000, 17}};
    for (int bytes = 1; bytes <= 16; bytes *= 2) {
        for (size_t e = 0; e < sizeof extents / sizeof *extents; ++e) {
            const int64_t m = extents[e][0], n = extents[e][1], ld = m + 3;
            ct_plan_desc desc = {0};
            desc.src = ct_plan_side_raw(ct_layout2(m, n, n, 1), bytes);
            desc.dst = ct_plan_side_raw(ct_layout2(m, n, 1, ld), bytes);
            unsigned char *const src = malloc((size_t)(m * n * bytes)), *const memory =
                                                                            malloc((size_t)(n * ld *
                                                                                            bytes) +
                                                                                   2 * PLAN_GUARD);
            unsigned char *const dst = memory + PLAN_GUARD;
            for (int64_t i = 0; i < m * n * bytes; ++i) src[i] = (unsigned char)(i * 40503 >> 7);
            ct_plan *plan;
            ct_plan_choice choice;
            assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
            assert_int_equal(plan->form.kind, CT_FORM_TILES);
            for (int k = 0; ct_plan_cpu.candidate(plan, k, &choice); ++k) {
                plan->choice = choice;
                memset(memory, 0x5a, (size_t)(n * ld * bytes) + 2 * PLAN_GUARD);
                assert_int_equal(ct_plan_run(plan, dst, src, NULL, message), 0);
                for (int64_t b = 0; b < n; ++b) {
                    for (int64_t a = 0; a < ld; ++a) {
                        for (int i = 0; i < bytes; ++i) {
                            const int right = a < m ? src[(a * n + b) * bytes + i] : 0x5a;
                            if (dst[(b * ld + a) * bytes + i] != right)
                                fail_msg("%d bytes, %lldx%lld, candidate %d: (%lld,%lld)", bytes,
                                         (long long)m, (long long)n, k, (long long)a, (long long)b);
                        }
                    }
                }
                for (int i = 0; i < PLAN_GUARD; ++i) {
                    assert_int_equal(memory[i], 0x5a);
                    assert_int_equal(dst[n * ld * bytes + i], 0x5a);
                }
            }
            ct_plan_destroy(plan);
            free(src);
            free(memory);
        }
    }
}

/* Whether offsets meet, decided by the plan and by enumeration. */
TEST(test_injective)
{
    int found[2] = {0, 0};
    for (uint64_t number = 0; number < 20000; ++number) {
        dice d = dice_of_case(seed() + 1, number);
        const ct_tuple shape = dice_shape(&d, 5, 512);
        ct_layout L = random_any(&d, shape);
        if (dice_int(&d, 0, 1))
            for (int k = 0; k < L.profile.leaves; ++k) L.stride[k] = dice_int(&d, -60, 60);
        const int64_t n = oracle_offsets(L, from);
        const int disjoint = oracle_distinct(from, n) == n;
        const int status = ct_plan_injective(L, message);
        ++found[disjoint];
        if (status != (disjoint ? CT_OK : CT_E_ARGUMENT)) {
            char text[CT_TEXT_BYTES];
            ct_format_layout(text, sizeof text, L);
            fail_msg("%s: %s", text, message);
        }
    }
    assert_true(found[0] > 1000 && found[1] > 1000);
}

/* The sectors that are predicted, by enumeration of the runs. */
TEST(test_sectors)
{
    for (uint64_t number = 0; number < 3000; ++number) {
        dice d = dice_of_case(seed() + 2, number);
        ct_plan_desc desc = {0};
        const ct_tuple shape = dice_shape(&d, 5, 1024);
        const int32_t bytes = 1 << dice_int(&d, 0, 4);
        desc.dst = ct_plan_side_raw(random_noncontiguous(&d, shape), bytes);
        desc.src = ct_plan_side_raw(random_noncontiguous(&d, shape), bytes);
        ct_plan *plan;
        ct_plan_info info;
        assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
        ct_plan_info_of(plan, &info);
        ct_plan_destroy(plan);
        const int64_t n = oracle_distinct(to, oracle_offsets(desc.dst.memory.layout, to));
        int64_t runs = 0, sectors = 0;
        /* a run ends where the innermost row does */
        int64_t row = 1;
        while (row < n && to[row] == to[row - 1] + 1) ++row;
        for (int64_t i = 0; i < n; i += row, ++runs) {
            const int64_t first = to[i] * bytes, last = to[i + row - 1] * bytes + bytes - 1;
            assert_int_equal(to[i + row - 1] - to[i], row - 1);
            sectors += (last >> 5) - (first >> 5) + 1;
        }
        if (info.dst_runs != runs || info.dst_sectors != sectors)
            fail_msg("%s: %lld runs, %lld sectors; right are %lld and %lld", desc_text(&desc),
                     (long long)info.dst_runs, (long long)info.dst_sectors, (long long)runs,
                     (long long)sectors);
        assert_int_equal(info.bytes_written, n * bytes);
    }
}

static ct_layout L_(const char *text)
{
    ct_layout L;
    if (ct_parse_layout(text, &L, NULL)) fail_msg("%s", text);
    return L;
}

static void refuses(const ct_plan_desc *desc, int32_t effort, ct_status status, const char *line)
{
    ct_plan *plan = (ct_plan *)&status;
    assert_int_equal(ct_plan_create(desc, effort, &plan, message), status);
    assert_null(plan);
    assert_string_equal(message, line);
}

TEST(test_refused)
{
    static const struct {
        const char *src, *dst;
        int32_t src_bytes, dst_bytes, src_type, dst_type, backend, status;
        const char *line;
    } rows[] = {
        {"8:1", "9:1", 4, 4, 0, 0, 0, CT_E_ARGUMENT,
         "the source has 8 elements, the destination 9"},
        {"8:1", "8:1", 4, 2, 0, 0, 0, CT_E_ARGUMENT,
         "the source has elements of 4 bytes, the destination of 2"},
        {"8:1", "8:1", 0, 0, 0, 0, 0, CT_E_ARGUMENT,
         "source: elements of 0 bytes; they have 1 to 16"},
        {"8:1", "8:1", 17, 17, 0, 0, 0, CT_E_ARGUMENT,
         "source: elements of 17 bytes; they have 1 to 16"},
        {"8:1", "8:1", 2, 4, CT_TYPE_HALF, 0, 0, CT_E_ARGUMENT,
         "raw elements on one side only: they cannot be converted"},
        {"8:1", "8:1", 3, 2, CT_TYPE_HALF, CT_TYPE_HALF, 0, CT_E_ARGUMENT,
         "source: elements of 3 bytes, but its type has 2"},
        {"8:1", "8:1", 4, 4, 9, 9, 0, CT_E_ARGUMENT, "source: there is no element type 9"},
        {"8:1", "(4,2):(1,0)", 4, 4, 0, 0, 0, CT_E_ARGUMENT,
         "destination: mode 1 has stride 0 and extent 2: its elements lie at one offset"},
        {"8:1", "(4,2):(1,3)", 4, 4, 0, 0, 0, CT_E_ARGUMENT,
         "destination: elements overlap: 1 step of 3 along mode 1: an offset that mode 0 (stride 1, "
         "extent 4) reaches, too"},
        {"(4,2):(1@0,1@1)", "8:1", 4, 4, 0, 0, 0, CT_E_ARGUMENT,
         "source: mode 0 has a basis stride; a copy needs integers"},
        {"8:1", "8:1000000000000000000", 4, 4, 0, 0, 0, CT_E_ARGUMENT,
         "destination: offsets of 0 to 7000000000000000000 elements of 4 bytes are 2^62 bytes away or "
         "more"},
        {"1200000000000000000:0", "1200000000000000000:1", 8, 1, CT_TYPE_DOUBLE, CT_TYPE_INT8, 0,
         CT_E_ARGUMENT,
         "1200000000000000000 elements: 63 bits do not count the bytes to read and write"},
        {"8:1", "8:1", 4, 4, 0, 0, CT_BACKEND_CUDA, CT_E_BACKEND, "no GPU: CUTLET_NO_GPU is set"},
        {"8:1", "8:1", 4, 4, 0, 0, 17, CT_E_ARGUMENT, "there is no backend 17"},
        {"8000000000:1", "(2000,2000,2000):(1000000000039,1001234567891,1007654321987)", 4, 4, 0, 0,
         0, CT_E_UNDECIDED,
         "destination: its modes interleave, and 65536 steps did not decide whether elements overlap"},
    };
    setenv("CUTLET_NO_GPU", "1", 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_plan_desc desc = {0};
        ct_plan *plan = (ct_plan *)&desc;
        desc.src = ct_plan_side_raw(L_(rows[i].src), rows[i].src_bytes);
        desc.dst = ct_plan_side_raw(L_(rows[i].dst), rows[i].dst_bytes);
        desc.src.type = rows[i].src_type;
        desc.dst.type = rows[i].dst_type;
        desc.backend = rows[i].backend;
        const int status = ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message);
        if (status != rows[i].status || strcmp(message, rows[i].line))
            fail_msg("row %d: %d, %s", (int)i, status, message);
        assert_null(plan);
        assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, NULL), status);
    }
    unsetenv("CUTLET_NO_GPU");
    ct_plan_desc raw = {0}, begun, aligned;
    raw.src = raw.dst = ct_plan_side_raw(L_("8:1"), 4);
    begun = aligned = raw;
    raw.has_scale = 1;
    begun.dst.memory.offset = ct_tuple2(1, 2);
    aligned.dst.align_bytes = 24;
    const ct_plan_desc grid = {.src = ct_plan_side_raw(L_("1125899906842624:1"), 1),
                               .dst = ct_plan_side_raw(L_("1125899906842624:2"), 1),
                               .backend = CT_BACKEND_GRID};
    refuses(&raw, CT_EFFORT_ESTIMATE, CT_E_ARGUMENT, "raw elements cannot be scaled");
    refuses(&begun, CT_EFFORT_ESTIMATE, CT_E_ARGUMENT,
            "destination: it begins at a coordinate; a copy needs an integer");
    refuses(&aligned, CT_EFFORT_ESTIMATE, CT_E_ARGUMENT,
            "destination: an alignment of 24 bytes is not a power of two");
    refuses(&grid, 9, CT_E_ARGUMENT, "there is no effort 9");
    refuses(&grid, CT_EFFORT_ESTIMATE, CT_E_BACKEND,
            "grid: more blocks than a launch may have, for 1125899906842624 elements");
    raw.has_scale = 0;
    raw.backend = CT_BACKEND_GRID;
    refuses(&raw, CT_EFFORT_MEASURE, CT_E_BACKEND, "grid: there is nothing to measure");
    ct_plan_desc desc = {0};
    ct_plan *plan = (ct_plan *)&desc;
    assert_int_equal(ct_plan_create(NULL, CT_EFFORT_ESTIMATE, &plan, message), CT_E_ARGUMENT);
    assert_string_equal(message, "there is no description of a copy");
    assert_null(plan);
    assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, NULL, message), CT_E_ARGUMENT);
    assert_string_equal(message, "the pointer to the plan is NULL");
}

/* Swizzled elements with gaps, which no unit of several may hold: once nothing was copied. */
TEST(test_gaps)
{
    static const char *const rows[] = {"2:2", "4:2", "(2,4):(2,8)", "(2,2):(1,4)", "(4,2):(2,16)"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        unsigned char src[64], dst[64];
        ct_plan_desc desc = {0};
        ct_plan *plan;
        desc.src = ct_plan_side_raw(L_(rows[i]), 1);
        desc.src.memory.swizzle = ct_make_swizzle(2, 3, 3);
        desc.dst = desc.src;
        for (int k = 0; k < 64; ++k) src[k] = (unsigned char)(k + 1);
        memset(dst, 0, sizeof dst);
        assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
        assert_int_equal(ct_plan_run(plan, dst, src, NULL, message), 0);
        ct_plan_destroy(plan);
        const int64_t n = side_offsets(&desc.src, from);
        for (int64_t k = 0; k < n; ++k) {
            if (dst[from[k]] != from[k] + 1) fail_msg("%s: byte %ld", rows[i], (long)from[k]);
            dst[from[k]] = 0;
        }
        for (int k = 0; k < 64; ++k)
            if (dst[k]) fail_msg("%s: byte %d, a gap, was written", rows[i], k);
    }
}

TEST(test_pointers)
{
    _Alignas(64) unsigned char memory[256], before[256];
    ct_plan_desc desc = {0};
    ct_plan *plan;
    desc.src = desc.dst = ct_plan_side_of(L_("8:-1"), CT_TYPE_FLOAT);
    desc.dst.align_bytes = 16;
    memset(memory, 7, sizeof memory);
    memcpy(before, memory, sizeof memory);
    assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
    const struct {
        void *dst, *src;
        const char *line; /* NULL: they overlap */
    } rows[] = {
        {NULL, memory + 64, "destination: the pointer is null"},
        {memory + 128, NULL, "source: the pointer is null"},
        {memory + 128, memory + 66,
         "source: the pointer is 2 past a multiple of 4 bytes, its alignment"},
        {memory + 132, memory + 64,
         "destination: the pointer is 4 past a multiple of 16 bytes, its alignment"},
        {memory + 64, memory + 64, NULL},
        {memory + 64, memory + 92, NULL},
        {memory + 64, memory + 36, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        assert_int_equal(ct_plan_run(plan, rows[i].dst, rows[i].src, NULL, message), CT_E_POINTER);
        char line[CT_MESSAGE_BYTES]; /* 7 of 8 elements lie below */
        snprintf(line, sizeof line,
                 "source and destination overlap: 32 bytes from 0x%llx, 32 bytes from 0x%llx",
                 (unsigned long long)(uintptr_t)rows[i].src - 28,
                 (unsigned long long)(uintptr_t)rows[i].dst - 28);
        assert_string_equal(message, rows[i].line ? rows[i].line : line);
        assert_memory_equal(memory, before, sizeof memory);
    }
    /* side by side is no overlap */
    assert_int_equal(ct_plan_run(plan, memory + 64, memory + 96, NULL, message), 0);
    assert_int_equal(ct_plan_run(plan, memory + 64, memory + 32, NULL, message), 0);
    assert_int_equal(ct_plan_run(NULL, memory, memory, NULL, message), CT_E_ARGUMENT);
    ct_plan_destroy(plan);
    /* fields of structures: they interleave, but share no byte */
    desc.src = desc.dst = ct_plan_side_of(L_("8:3"), CT_TYPE_FLOAT);
    assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
    for (int i = 0; i < 96; ++i) memory[i] = (unsigned char)i;
    assert_int_equal(ct_plan_run(plan, memory + 4, memory, NULL, message), 0);
    for (int i = 0; i < 96; ++i) assert_int_equal(memory[i], i % 12 / 4 == 1 ? i - 4 : i);
    assert_int_equal(ct_plan_run(plan, memory + 8, memory, NULL, message), 0);
    assert_int_equal(ct_plan_run(plan, memory + 12, memory, NULL, message), CT_E_POINTER);
    ct_plan_destroy(plan);
}

TEST(test_empty)
{
    ct_plan_desc desc = {0};
    ct_plan *plan;
    char text[256];
    desc.src = ct_plan_side_of(ct_make_layout(ct_tuple2(4, 0), ct_tuple2(1, 4)), CT_TYPE_FLOAT);
    desc.dst = desc.src;
    assert_int_equal(ct_plan_create(&desc, CT_EFFORT_MEASURE, &plan, message), 0);
    assert_int_equal(ct_plan_run(plan, NULL, NULL, NULL, message), 0);
    ct_plan_describe(plan, text, sizeof text);
    assert_string_equal(text, "nothing to do: there are no elements\n");
    ct_plan_destroy(plan);
    desc.dst = ct_plan_side_of(L_("4:1"), CT_TYPE_FLOAT);
    assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), CT_E_ARGUMENT);
    assert_non_null(strstr(message, "the source has 0 elements, the destination 4"));
    desc.src = ct_plan_side_of(ct_make_layout(ct_tuple2(4, -1), ct_tuple2(1, 4)), CT_TYPE_FLOAT);
    assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), CT_E_ARGUMENT);
}

/* One plan, many threads, each with memory of its own. */
enum { SIDE = 600, RUNNERS = 6 };

typedef struct runner {
    const ct_plan *plan;
    uint32_t *src, *dst;
    int wrong;
} runner;

static void *run_it(void *user)
{
    runner *const r = user;
    for (int round = 0; round < 8; ++round) {
        memset(r->dst, 0, SIDE * SIDE * sizeof *r->dst);
        r->wrong += ct_plan_run(r->plan, r->dst, r->src, NULL, NULL) != 0;
        for (int i = 0; i < SIDE; ++i)
            for (int k = 0; k < SIDE; ++k) r->wrong += r->dst[i * SIDE + k] != r->src[k * SIDE + i];
    }
    return NULL;
}

TEST(test_threads)
{
    runner r[RUNNERS];
    pthread_t thread[RUNNERS];
    ct_plan_desc desc = {0};
    ct_plan *plan;
    desc.src = ct_plan_side_of(ct_layout2(SIDE, SIDE, SIDE, 1), CT_TYPE_FLOAT);
    desc.dst = ct_plan_side_of(ct_layout2(SIDE, SIDE, 1, SIDE), CT_TYPE_FLOAT);
    setenv("CUTLET_THREADS", "3", 1);
    assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
    unsetenv("CUTLET_THREADS");
    assert_int_equal(plan->choice.threads, 3);
    for (int i = 0; i < RUNNERS; ++i) {
        r[i].plan = plan;
        r[i].wrong = 0;
        r[i].src = malloc(SIDE * SIDE * sizeof *r[i].src);
        r[i].dst = malloc(SIDE * SIDE * sizeof *r[i].dst);
        for (uint32_t k = 0; k < SIDE * SIDE; ++k) r[i].src[k] = k * 2654435761u + (uint32_t)i;
        assert_int_equal(pthread_create(&thread[i], NULL, run_it, &r[i]), 0);
    }
    for (int i = 0; i < RUNNERS; ++i) {
        pthread_join(thread[i], NULL);
        assert_int_equal(r[i].wrong, 0);
    }
#if !defined(__SANITIZE_THREAD__) /* which does not let a child start threads */
    const pid_t child = fork();   /* which has no threads, and goes on all the same */
    if (child == 0) {
        run_it(&r[0]);
        _exit(r[0].wrong != 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
#endif
    for (int i = 0; i < RUNNERS; ++i) {
        free(r[i].src);
        free(r[i].dst);
    }
    ct_plan_destroy(plan);
}

TEST(test_measure)
{
    ct_plan_desc desc = {0};
    ct_plan *plan;
    ct_plan_info info;
    char text[1024];
    desc.src = ct_plan_side_of(L_("(40,300):(-300,1)"), CT_TYPE_FLOAT);
    desc.dst = ct_plan_side_of(L_("(40,300):(1,40)"), CT_TYPE_FLOAT);
    assert_int_equal(ct_plan_create(&desc, CT_EFFORT_MEASURE, &plan, message), 0);
    ct_plan_info_of(plan, &info);
    assert_true(info.seconds > 0 && info.bound_seconds > 0);
    assert_int_equal(info.form, CT_FORM_TILES);
    const int length = ct_plan_describe(plan, text, sizeof text);
    assert_int_equal(length, (int)strlen(text));
    assert_non_null(strstr(text, "tiles: the source has steps of 4 bytes along 300 units"));
    assert_non_null(strstr(text, "measured "));
    char short_text[20];
    assert_int_equal(ct_plan_describe(plan, short_text, sizeof short_text), length);
    assert_memory_equal(short_text, text, sizeof short_text - 1);
    ct_plan_destroy(plan);
}

/* In a child with little memory, measuring is refused, and estimating is not. */
TEST(test_no_memory)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* which needs far more address space, and ends the program that gets no memory */
#endif
    ct_plan_desc desc = {0};
    desc.src = ct_plan_side_of(ct_layout1((int64_t)1 << 40, 1), CT_TYPE_FLOAT);
    desc.dst = desc.src;
    const pid_t child = fork();
    if (child == 0) {
        ct_plan *plan = NULL;
        const struct rlimit little = {(rlim_t)1 << 32, (rlim_t)1 << 32};
        if (setrlimit(RLIMIT_AS, &little)) _exit(3);
        const int measured = ct_plan_create(&desc, CT_EFFORT_MEASURE, &plan, message);
        if (measured != CT_E_MEMORY || plan || !strstr(message, "not enough memory to measure"))
            _exit(1);
        if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message)) _exit(2);
        ct_plan_destroy(plan);
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) skip();
    assert_int_equal(status, 0);
}

GROUP("plan", NULL, NULL)
