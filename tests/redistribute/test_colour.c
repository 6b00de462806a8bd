/* Rounds of random messages: each message has one, no rank sends or receives twice in a round, and there
 * are as many rounds as the busiest rank has messages. A large number of rounds makes tables hash tables:
 * their rounds have to be the same. */
#include "test.h"

#include "dice.h"
#include "redistribute/colour.h"

enum { RANKS = 3000, MESSAGES = 20000, MANY = 1 << 22 };

static ct_message list[MESSAGES];
static int32_t sends[RANKS], receives[RANKS];

/* Up to this many different messages; every third is to or from one of few ranks. Returns how many. */
static int64_t any_messages(dice *d, int64_t ranks, int64_t wanted)
{
    unsigned char *const taken = calloc((size_t)(ranks * ranks), 1);
    int64_t count = 0;
    memset(sends, 0, sizeof sends);
    memset(receives, 0, sizeof receives);
    for (int64_t i = 0; i < wanted; ++i) {
        int64_t from = dice_int(d, 0, ranks - 1), to = dice_int(d, 0, ranks - 1);
        if (i % 3 == 0 && i % 2) from /= 1 + ranks / 4;
        else if (i % 3 == 0) to /= 1 + ranks / 4;
        if (taken[from * ranks + to]++) continue;
        list[count++] = (ct_message){(int32_t)from, (int32_t)to};
        sends[from]++;
        receives[to]++;
    }
    free(taken);
    return count;
}

static void check(int64_t count, int64_t ranks, int64_t rounds, const int64_t *begin,
                  const ct_sent *sent)
{
    unsigned char *const receiving = calloc((size_t)(ranks * rounds), 1), *const sending = calloc(
                                                                              (size_t)rounds, 1);
    unsigned char *const found = calloc((size_t)(ranks * ranks), 1);
    assert_int_equal(begin[0], 0);
    assert_int_equal(begin[ranks], count);
    for (int64_t r = 0; r < ranks; ++r) {
        memset(sending, 0, (size_t)rounds);
        assert_int_equal(begin[r + 1] - begin[r], sends[r]);
        for (int64_t i = begin[r]; i < begin[r + 1]; ++i) {
            assert_in_range(sent[i].round, 0, rounds - 1);
            if (sending[sent[i].round]++)
                fail_msg("rank %d sends twice in round %d", (int)r, sent[i].round);
            if (receiving[sent[i].to * rounds + sent[i].round]++)
                fail_msg("rank %d receives twice in round %d", sent[i].to, sent[i].round);
            found[r * ranks + sent[i].to] = 1;
        }
    }
    for (int64_t i = 0; i < count; ++i)
        assert_int_equal(found[list[i].from * ranks + list[i].to], 1);
    free(receiving);
    free(sending);
    free(found);
}

/* The round of a message. */
static int32_t round_of(const int64_t *begin, const ct_sent *sent, ct_message m)
{
    int64_t i = begin[m.from];
    while (sent[i].to != m.to) ++i;
    return sent[i].round;
}

TEST(test_random)
{
    for (int number = 0; number < 400; ++number) {
        dice d = dice_of_case(3, (uint64_t)number);
        const int64_t ranks = number % 20 ? dice_int(&d, 1, 60) : dice_int(&d, 1000, RANKS);
        const int64_t count =
            any_messages(&d, ranks, dice_int(&d, 1, number % 20 ? 700 : MESSAGES));
        char message[CT_MESSAGE_BYTES];
        int64_t *begin[2], most = 0;
        ct_sent *sent[2];
        for (int64_t r = 0; r < ranks; ++r) most = ct_max(most, ct_max(sends[r], receives[r]));
        for (int hashed = 0; hashed < 2; ++hashed) {
            assert_int_equal(ct_colour(list, count, ranks, hashed ? MANY : most, &begin[hashed],
                                       &sent[hashed], message),
                             CT_OK);
            check(count, ranks, most, begin[hashed], sent[hashed]);
        }
        for (int64_t i = 0; i < count; ++i)
            assert_int_equal(round_of(begin[0], sent[0], list[i]),
                             round_of(begin[1], sent[1], list[i]));
        for (int k = 0; k < 2; ++k) free(begin[k]), free(sent[k]);
    }
}

GROUP("colour", NULL, NULL)
