/* The engine of threads by itself: messages of two slots in order, records, failures. */
#define _GNU_SOURCE /* pthread_setattr_default_np */
#include "test.h"

#include <pthread.h>

#include <cutlet/host/engine.h>

enum { RANKS = 5, ROUNDS = 40, BYTES = 3000 };

static int fault; /* what goes wrong on rank 1 */
enum { NONE, OTHER_SIZE, FAILS, SILENT, TOO_MUCH };

/* Every rank sends to each other one, round after round, two slots in turn. */
static ct_status work(void *user, ct_engine *e, char message[CT_MESSAGE_BYTES])
{
    const int faulty = e->rank == 1;
    static unsigned char sent[RANKS]
                             [2 * RANKS * BYTES]; /* which others may read when a rank is gone */
    unsigned char *const out = sent[e->rank], *const in = e->take(e, 2 * RANKS * BYTES);
    ct_status bad = in ? CT_OK : CT_E_MEMORY;
    int32_t ranks[RANKS];
    (void)user;
    if (!bad) bad = e->gather(e, &e->rank, ranks, sizeof e->rank, 5, message);
    for (int32_t i = 0; i < RANKS && !bad; ++i) bad = ranks[i] != i;
    if (fault == TOO_MUCH && !bad) bad = e->gather(e, out, in, CT_ENGINE_RECORD + 1, 5, message);
    for (int round = 0; round <= ROUNDS && !bad; ++round) {
        const int slot = round % 2;
        if (fault == FAILS && faulty && round == 7) {
            (e->fail)(e, "rank 1 has had enough");
            bad = CT_E_FAILED;
            snprintf(message, CT_MESSAGE_BYTES, "rank 1 has had enough");
        }
        if (fault == SILENT && faulty && round == 7) break;
        if (round < ROUNDS && !bad) {
            ct_engine_message m[2 * RANKS];
            int32_t count = 0;
            for (int32_t peer = 0; peer < RANKS; ++peer) {
                if (peer == e->rank) continue;
                unsigned char *const data = out + (slot * RANKS + peer) * BYTES;
                memset(data, round * 31 + e->rank * 7 + peer, BYTES);
                const int64_t bytes = BYTES - (fault == OTHER_SIZE && faulty && round == 7);
                m[count++] = (ct_engine_message){peer, 1, data, bytes};
                m[count++] =
                    (ct_engine_message){peer, 0, in + (slot * RANKS + peer) * BYTES, BYTES};
            }
            bad = e->start(e, slot, m, count, NULL, 1, message);
        }
        if (round == 0 || bad) continue;
        bad = e->finish(e, 1 - slot, NULL, 1, message);
        for (int32_t peer = 0; peer < RANKS && !bad; ++peer)
            for (int i = 0; peer != e->rank && i < BYTES && !bad; ++i)
                if (in[((1 - slot) * RANKS + peer) * BYTES + i] !=
                    (unsigned char)((round - 1) * 31 + peer * 7 + e->rank)) {
                    snprintf(message, CT_MESSAGE_BYTES, "a wrong byte from rank %d", peer);
                    bad = CT_E_WRONG;
                }
    }
    if (bad) (e->fail)(e, message);
    e->give(e, in);
    return bad;
}

/* The line is one of two, of whichever rank. */
static void run(int what, ct_status wanted, const char *says, const char *or_says)
{
    ct_thread_group *group;
    char message[CT_MESSAGE_BYTES] = "", line[2][CT_MESSAGE_BYTES];
    int is_said = 0;
    fault = what;
    assert_int_equal(ct_thread_group_create(RANKS, &group, message), CT_OK);
    const ct_status bad = ct_thread_group_run(group, work, NULL, message);
    ct_thread_group_destroy(group);
    for (int rank = 0; rank < RANKS; ++rank) {
        snprintf(line[0], sizeof line[0], says, rank);
        snprintf(line[1], sizeof line[1], or_says, rank);
        is_said |= !strcmp(message, line[0]) || !strcmp(message, line[1]);
    }
    if (bad != wanted || !is_said) fail_msg("%d: %d, %s", what, bad, message);
}

TEST(test_messages)
{
    for (int i = 0; i < 20; ++i) run(NONE, CT_OK, "", "");
}

TEST(test_failures)
{
    run(OTHER_SIZE, CT_E_FAILED, "rank 1 sent rank %d 2999 bytes, which expected 3000", "");
    run(FAILS, CT_E_FAILED, "rank 1 has had enough", "");
    run(SILENT, CT_E_FAILED, "rank 1 sent rank %d nothing within 1 s",
        "what rank %d sent was not received within 1 s");
    run(TOO_MUCH, CT_E_ARGUMENT, "a record of 1025 bytes; it has up to 1024", "");
}

/* Threads with stacks that no memory holds: none starts. */
TEST(test_no_threads)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* which have attributes of their own */
#endif
    ct_thread_group *group;
    ct_engine engine;
    char message[CT_MESSAGE_BYTES];
    pthread_attr_t usual, large;
    assert_int_equal(ct_thread_group_create(2, &group, message), CT_OK);
    ct_thread_group_engine(group, 1, &engine);
    pthread_getattr_default_np(&usual);
    pthread_getattr_default_np(&large);
    pthread_attr_setstacksize(&large, (size_t)1 << 47);
    pthread_setattr_default_np(&large);
    const ct_status bad = ct_thread_group_run(group, work, NULL, message);
    pthread_setattr_default_np(&usual);
    assert_int_equal(bad, CT_E_MEMORY);
    assert_string_equal(message, "the thread of rank 0 could not be started");
    assert_int_equal(engine.failed(&engine, message), CT_E_FAILED);
    assert_string_equal(message, "a thread could not be started");
    ct_thread_group_destroy(group);
}

TEST(test_groups)
{
    static const int32_t refused[] = {0, -1, 4097};
    ct_thread_group *group;
    ct_engine engine;
    char message[CT_MESSAGE_BYTES], line[CT_MESSAGE_BYTES];
    for (size_t i = 0; i < 3; ++i) {
        assert_int_equal(ct_thread_group_create(refused[i], &group, message), CT_E_ARGUMENT);
        assert_null(group);
        snprintf(line, sizeof line, "%d ranks; a group of threads has 1 to 4096", refused[i]);
        assert_string_equal(message, line);
    }
    assert_int_equal(ct_thread_group_create(2, &group, message), CT_OK);
    ct_thread_group_engine(group, 1, &engine);
    assert_string_equal(engine.name, "threads");
    assert_true(engine.rank == 1 && engine.ranks == 2 && engine.share);
    ct_thread_group_destroy(group);
    ct_thread_group_destroy(NULL);
}

GROUP("thread engine", NULL, NULL)
