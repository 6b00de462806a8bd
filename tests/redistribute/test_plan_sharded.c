/* Copy plans of sharded sides: what they say and do is what a redistribution says and does, on every rank. */
#include "test.h"

#include <cutlet/host/redistribute.h>

enum { RANKS = 4, M = 10, N = 12 };

static ct_sharded parse(const char *text, int64_t ranks)
{
    ct_sharded s;
    char line[CT_MESSAGE_BYTES];
    if (ct_parse_sharded(text, ct_tuple2(M, N), ct_tuple1(ranks), &s, line))
        fail_msg("%s: %s", text, line);
    return s;
}

static ct_plan_desc desc_of(const ct_sharded *src, const ct_sharded *dst, int64_t rank)
{
    ct_plan_desc d = {0};
    d.src = ct_plan_side_sharded(src, CT_TYPE_FLOAT);
    d.dst = ct_plan_side_sharded(dst, CT_TYPE_HALF);
    d.has_scale = 1;
    d.scale = 2;
    d.rank = rank;
    return d;
}

/* Every number, and the whole text. */
TEST(test_says)
{
    static const char *const forms[] = {"shard:0", "shard:1/f", "cyclic:0:2", "replicate"};
    char line[CT_MESSAGE_BYTES], one[4096], other[4096];
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k)
            for (int64_t r = 0; r < RANKS; ++r) {
                ct_sharded src = parse(forms[i], RANKS), dst = parse(forms[k], RANKS);
                const ct_plan_desc d = desc_of(&src, &dst, r);
                const ct_redistribute_desc same = {.src = {src, CT_TYPE_FLOAT, 0},
                                                   .dst = {dst, CT_TYPE_HALF, 0},
                                                   .has_scale = 1,
                                                   .scale = 2};
                ct_plan *plan = NULL;
                ct_redistribute *right = NULL;
                ct_plan_info info;
                ct_redistribute_info numbers;
                if (ct_plan_create(&d, CT_EFFORT_ESTIMATE, &plan, line)) fail_msg("%s", line);
                if (ct_redistribute_create(&same, r, &right, line)) fail_msg("%s", line);
                memset(&src, 0xff, sizeof src); /* they were the caller's */
                memset(&dst, 0xff, sizeof dst);
                ct_plan_describe(plan, one, sizeof one);
                ct_redistribute_describe(right, 0, other, sizeof other);
                assert_string_equal(one, other);
                ct_redistribute_describe(ct_plan_redistribution(plan), 25e9, one, sizeof one);
                ct_redistribute_describe(right, 25e9, other, sizeof other);
                assert_string_equal(one, other);
                ct_plan_info_of(plan, &info);
                ct_redistribute_info_of(right, &numbers);
                assert_int_equal(info.form, CT_FORM_EXCHANGE);
                assert_int_equal(info.elements, numbers.elems_kept + numbers.elems_received);
                assert_int_equal(info.bytes_read, 4 * (numbers.elems_kept + numbers.elems_sent));
                assert_int_equal(info.bytes_written, 2 * info.elements);
                ct_redistribute_destroy(right);
                ct_plan_destroy(plan);
            }
}

/* ---- runs ------------------------------------------------------------------------------------ */

static float rows[RANKS][M * N], columns[RANKS][M * N];

static ct_status work(void *user, ct_engine *e, char *message)
{
    const ct_sharded src = parse("shard:0", RANKS), dst = parse("shard:1", RANKS);
    ct_plan_desc d = {0};
    ct_plan *plan = NULL;
    (void)user;
    d.src = ct_plan_side_sharded(&src, CT_TYPE_RAW);
    d.dst = ct_plan_side_sharded(&dst, CT_TYPE_RAW);
    d.src.elem_bytes = d.dst.elem_bytes = 4;
    d.rank = e->rank;
    ct_status bad = ct_plan_create(&d, CT_EFFORT_ESTIMATE, &plan, message);
    for (int i = 0; i < 2 && !bad; ++i)
        bad = ct_plan_run_with(plan, e, columns[e->rank], rows[e->rank], NULL, message);
    if (!bad && ct_plan_run(plan, columns[e->rank], rows[e->rank], NULL, message) != CT_E_ARGUMENT)
        bad = CT_E_WRONG;
    ct_plan_destroy(plan);
    return bad;
}

TEST(test_runs)
{
    ct_thread_group *group = NULL;
    char line[CT_MESSAGE_BYTES];
    for (int i = 0; i < M; ++i)
        for (int k = 0; k < N; ++k) rows[i / 3][i % 3 * N + k] = (float)(i * N + k);
    assert_int_equal(ct_thread_group_create(RANKS, &group, line), CT_OK);
    if (ct_thread_group_run(group, work, NULL, line)) fail_msg("%s", line);
    ct_thread_group_destroy(group);
    for (int i = 0; i < M; ++i)
        for (int k = 0; k < N; ++k)
            assert_true(columns[k / 3][i * 3 + k % 3] == (float)(i * N + k));
}

/* All that stays on its rank needs no engine. */
TEST(test_stays)
{
    float src[M * N], dst[M * N] = {0};
    char line[CT_MESSAGE_BYTES];
    ct_plan *plan = NULL;
    const ct_sharded here = parse("shard:0", 2), transposed = parse("shard:0/f", 2);
    ct_plan_desc d = {.src = ct_plan_side_sharded(&here, CT_TYPE_FLOAT),
                      .dst = ct_plan_side_sharded(&transposed, CT_TYPE_FLOAT)};
    for (int i = 0; i < M * N; ++i) src[i] = (float)i;
    d.rank = 1;
    assert_int_equal(ct_plan_create(&d, CT_EFFORT_ESTIMATE, &plan, line), CT_OK);
    assert_int_equal(ct_plan_run(plan, NULL, src, NULL, line), CT_E_POINTER);
    assert_string_equal(line, "destination: the pointer is null");
    assert_int_equal(ct_plan_run(plan, dst, src, NULL, line), CT_OK);
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < N; ++k) assert_true(dst[k * 5 + i] == src[i * N + k]);
    ct_plan_destroy(plan);
    /* any other plan runs as it does, and is no redistribution */
    ct_plan_desc copy = {.src = ct_plan_side_of(ct_layout1(60, 1), CT_TYPE_FLOAT),
                         .dst = ct_plan_side_of(ct_layout1(60, 1), CT_TYPE_FLOAT)};
    memset(dst, 0, sizeof dst);
    assert_int_equal(ct_plan_create(&copy, CT_EFFORT_ESTIMATE, &plan, line), CT_OK);
    assert_null(ct_plan_redistribution(plan));
    assert_int_equal(ct_plan_run_with(plan, NULL, dst, src, NULL, line), CT_OK);
    assert_memory_equal(dst, src, 60 * sizeof *src);
    ct_plan_destroy(plan);
    assert_null(ct_plan_redistribution(NULL));
    assert_int_equal(ct_plan_run_with(NULL, NULL, dst, src, NULL, line), CT_E_ARGUMENT);
}

static void expect(const ct_plan_desc *d, int32_t effort, const char *line)
{
    char said[CT_MESSAGE_BYTES];
    ct_plan *plan = NULL;
    assert_int_equal(ct_plan_create(d, effort, &plan, said), CT_E_ARGUMENT);
    assert_null(plan);
    assert_string_equal(said, line);
}

TEST(test_refused)
{
    const ct_sharded src = parse("shard:0", RANKS), dst = parse("shard:1", RANKS);
    char line[CT_MESSAGE_BYTES];
    ct_sharded other;
    assert_int_equal(
        ct_parse_sharded("shard:0", ct_tuple2(M, N + 1), ct_tuple1(RANKS), &other, line), CT_OK);
    ct_plan_desc d = desc_of(&src, &dst, 0);
    d.dst = ct_plan_side_of(ct_layout1(30, 1), CT_TYPE_HALF);
    expect(&d, CT_EFFORT_ESTIMATE,
           "the source is sharded over ranks, the destination is not: both have to be");
    d = desc_of(&src, &dst, 0);
    d.src = ct_plan_side_of(ct_layout1(30, 1), CT_TYPE_FLOAT);
    expect(&d, CT_EFFORT_ESTIMATE,
           "the destination is sharded over ranks, the source is not: both have to be");
    d = desc_of(&src, &dst, 0);
    expect(&d, CT_EFFORT_MEASURE,
           "sharded sides are planned by CT_EFFORT_ESTIMATE, not by effort 1");
    d.rank = RANKS;
    expect(&d, CT_EFFORT_ESTIMATE, "there is no rank 4; the meshes have 4");
    d = desc_of(&src, &other, 0);
    expect(&d, CT_EFFORT_ESTIMATE,
           "mode 1 has 12 coordinates in the source, and 13 in the destination");
    d = desc_of(&src, &dst, 0);
    d.src.align_bytes = 16;
    expect(&d, CT_EFFORT_ESTIMATE,
           "source: it is sharded: align_bytes of 16 has no meaning; leave it 0");
    d = desc_of(&src, &dst, 0);
    d.dst.elem_bytes = 4;
    expect(&d, CT_EFFORT_ESTIMATE, "destination: elements of 4 bytes; those of its type have 2");
    d = desc_of(&src, &dst, 0);
    d.src.type = CT_TYPE_RAW;
    d.src.elem_bytes = 4;
    expect(&d, CT_EFFORT_ESTIMATE,
           "raw elements are only moved: both sides have the same bytes, and no scale");
    d = desc_of(&src, &dst, 0);
    d.device = 2;
    expect(&d, CT_EFFORT_ESTIMATE,
           "sharded sides run on the device of the calling thread, not on device 1; leave it 0");
    d = desc_of(&src, &dst, 0);
    d.dst.type = 17;
    expect(&d, CT_EFFORT_ESTIMATE, "destination: there is no element type 17");
    /* without an engine */
    ct_plan *plan = NULL;
    d = desc_of(&src, &dst, 1);
    assert_int_equal(ct_plan_create(&d, CT_EFFORT_ESTIMATE, &plan, line), CT_OK);
    assert_int_equal(ct_plan_run(plan, rows, columns, NULL, line), CT_E_ARGUMENT);
    assert_string_equal(
        line, "rank 1 of 4 sends 3 messages and receives 3: ct_plan_run_with takes an engine that "
              "carries them");
    assert_int_equal(ct_plan_run_with(plan, NULL, rows, columns, NULL, line), CT_E_ARGUMENT);
    assert_string_equal(line, "there is no engine");
    ct_plan_destroy(plan);
}

GROUP("plan sharded", NULL, NULL)
