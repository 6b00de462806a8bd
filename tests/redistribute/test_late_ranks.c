/* A rank that is late when the others have waited for long enough: nobody writes their memory any more when their
 * runs have returned. By threads, straight to its place and by moves. */
#include "test.h"

#include <pthread.h>

#include <cutlet/host/redistribute.h>

/* 80 MiB, which are three slices: rank 0 has all, and rank 1 needs it too. */
enum {
    ROWS = 2560,
    COLUMNS = 2048,
    ELEM = 16,
    BYTES = ROWS * COLUMNS * ELEM,
    SLICE = 32 << 20,
    SLICES = 3
};
enum { SAMPLES = BYTES / 4096, OLD = 0x11, NEW = 0x22 };

enum { WELL, LATE, BETWEEN_SLICES }; /* what rank 0 does */

typedef struct job {
    ct_redistribute_desc desc;
    int rank_0;
    unsigned char *src, *dst[2];
    ct_status status[2];
    char line[2][CT_MESSAGE_BYTES];
    unsigned char sample[SAMPLES]; /* of rank 1's destination when its run has returned */
} job;

static int slices; /* that rank 0 began to write to rank 1 */
static int waits;  /* whether it waits before the second one until the others have failed */
static ct_status (*true_copy)(ct_engine *e, int32_t to, const ct_plan *plan, void *dst,
                              const void *src, void *stream, char *message);
static ct_status (*true_share)(ct_engine *e, void *memory, size_t bytes, void **all, void *stream,
                               double limit, char *message);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int has_left; /* whether the run of rank 1 has returned */

static void leave(void)
{
    pthread_mutex_lock(&lock);
    has_left = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void wait_until_left(void)
{
    pthread_mutex_lock(&lock);
    while (!has_left) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

/* Elements that stay are left out, so that rank 0 begins with what it sends. */
static ct_status copy_to_others(ct_engine *e, int32_t to, const ct_plan *plan, void *dst,
                                const void *src, void *stream, char *message)
{
    if (to == e->rank) return CT_OK;
    if (++slices == 2 && waits) wait_until_left();
    return true_copy(e, to, plan, dst, src, stream, message);
}

static ct_status share_late(ct_engine *e, void *memory, size_t bytes, void **all, void *stream,
                            double limit, char *message)
{
    const ct_status bad = true_share(e, memory, bytes, all, stream, limit, message);
    wait_until_left();
    return bad;
}

static ct_status work(void *user, ct_engine *e, char *unread)
{
    job *const j = user;
    const int r = e->rank;
    ct_redistribute *plan = NULL;
    (void)unread;
    if (r == 0) {
        true_copy = e->copy;
        true_share = e->share;
        if (e->copy) e->copy = copy_to_others;
        if (j->rank_0 == LATE) e->share = share_late;
    }
    j->status[r] = ct_redistribute_create(&j->desc, r, &plan, j->line[r]);
    if (!j->status[r])
        j->status[r] = ct_redistribute_run(plan, e, j->dst[r], r ? NULL : j->src, NULL, j->line[r]);
    for (int i = 0; i < SAMPLES && r == 1; ++i)
        j->sample[i] = j->dst[1][(size_t)i * (BYTES / SAMPLES)];
    if (r == 1) leave();
    ct_redistribute_destroy(plan);
    return CT_OK;
}

/* Both ranks run. Rank 1's destination stays as it was when its run returned. */
static void run(job *j, int32_t carry, const char *order, int rank_0, double limit)
{
    static const char all_on_0[] = "(2,(2560,2048)):(2560@0,(1@0,1@1))/c";
    static const char all_on_both[] = "(2,(2560,2048)):(0,(1@0,1@1))";
    const ct_tuple shape = ct_tuple2(ROWS, COLUMNS);
    char text[100], line[CT_MESSAGE_BYTES];
    ct_thread_group *group;
    memset(&j->desc, 0, sizeof j->desc);
    snprintf(text, sizeof text, "%s%s", all_on_both, order);
    assert_int_equal(ct_parse_sharded(all_on_0, shape, ct_tuple0(), &j->desc.src.layout, line),
                     CT_OK);
    assert_int_equal(ct_parse_sharded(text, shape, ct_tuple0(), &j->desc.dst.layout, line), CT_OK);
    j->desc.src.elem_bytes = j->desc.dst.elem_bytes = ELEM;
    j->desc.carry = carry;
    j->desc.limit_seconds = limit;
    j->desc.chunk_bytes = SLICE; /* all bytes are one chunk of a staged transfer */
    j->desc.scratch_bytes = (int64_t)16 * SLICE;
    j->rank_0 = rank_0;
    slices = has_left = 0;
    waits = rank_0 == BETWEEN_SLICES;
    memset(j->dst[1], OLD, BYTES);
    assert_int_equal(ct_thread_group_create(2, &group, line), CT_OK);
    assert_int_equal(ct_thread_group_run(group, work, j, line), CT_OK);
    ct_thread_group_destroy(group);
    for (int i = 0; i < SAMPLES; ++i)
        if (j->dst[1][(size_t)i * (BYTES / SAMPLES)] != j->sample[i])
            fail_msg("carry %d: rank 1 returned (%s), and byte %lld was written then", carry,
                     j->line[1], (long long)i * (BYTES / SAMPLES));
}

/* The samples that are written. */
static int written(const job *j)
{
    int count = 0;
    for (int i = 0; i < SAMPLES; ++i) count += j->sample[i] == NEW;
    return count;
}

static void expect_failure(const job *j)
{
    for (int r = 0; r < 2; ++r)
        if (j->status[r] != CT_E_FAILED || !strstr(j->line[r], "rank 0 did not come within "))
            fail_msg("rank %d: %d: %s", r, j->status[r], j->line[r]);
}

TEST(test_slices)
{
    job *const j = *state;
    run(j, CT_CARRY_DIRECT, "/f", WELL, 30);
    if (j->status[1]) fail_msg("%s", j->line[1]);
    assert_int_equal(slices, SLICES);
    for (int i = 0; i < BYTES; ++i) assert_int_equal(j->dst[1][i], NEW);
}

/* Rank 1 leaves after the first slice: the others are not written. */
TEST(test_between_slices)
{
    job *const j = *state;
    run(j, CT_CARRY_DIRECT, "/f", BETWEEN_SLICES, 1);
    expect_failure(j);
    assert_int_equal(slices, 2);
    if (written(j) > SAMPLES * 2 / 5) fail_msg("%d of %d samples are written", written(j), SAMPLES);
}

/* Rank 0 begins when rank 1 has left. */
TEST(test_late)
{
    static const int32_t carries[] = {CT_CARRY_AUTO, CT_CARRY_DIRECT, CT_CARRY_STAGED};
    for (int i = 0; i < 3; ++i) {
        job *const j = *state;
        run(j, carries[i], "/c", LATE, 0.7);
        expect_failure(j);
        assert_int_equal(written(j), 0);
    }
}

/* Rank 1's time is over while rank 0 writes. */
TEST(test_amid_a_slice)
{
    job *const j = *state;
    for (int i = 0; i < 6; ++i)
        run(j, i % 2 ? CT_CARRY_STAGED : CT_CARRY_DIRECT, i % 2 ? "/c" : "/f", WELL, 0.004);
}

static int take_memory(void **state)
{
    job *const j = calloc(1, sizeof *j);
    *state = j;
    if (!j) return -1;
    j->src = malloc(BYTES);
    for (int r = 0; r < 2; ++r) j->dst[r] = malloc(BYTES);
    if (!j->src || !j->dst[0] || !j->dst[1]) return -1;
    memset(j->src, NEW, BYTES);
    return 0;
}

static int give_memory(void **state)
{
    job *const j = *state;
    for (int r = 0; r < 2; ++r) free(j->dst[r]);
    free(j->src);
    free(j);
    return 0;
}

GROUP("late_ranks", take_memory, give_memory)
