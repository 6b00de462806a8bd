/* Redistributions without memory: each allocation of planning and running fails once. Every rank learns
 * of it, none hangs, and nothing is kept. */
#include "test.h"

#include <cutlet/host/redistribute.h>
#include "failing_allocator.h"

enum { RANKS = 3, M = 24, N = 20 };

static ct_redistribute_desc desc;
static float src[RANKS][M * N], dst[RANKS][M * N];
static ct_status status[RANKS];
static char said[RANKS][CT_MESSAGE_BYTES];

static ct_status work(void *user, ct_engine *engine, char *message)
{
    ct_redistribute *plan;
    (void)user;
    ct_status bad = ct_redistribute_create(&desc, engine->rank, &plan, message);
    if (!bad)
        bad =
            ct_redistribute_run(plan, engine, dst[engine->rank], src[engine->rank], NULL, message);
    ct_redistribute_destroy(plan);
    status[engine->rank] = bad;
    snprintf(said[engine->rank], CT_MESSAGE_BYTES, "%s", bad ? message : "");
    return bad;
}

static ct_status play(char *message)
{
    ct_thread_group *group;
    memset(status, 0, sizeof status);
    ct_status bad = ct_thread_group_create(RANKS, &group, message);
    if (bad) assert_null(group);
    else bad = ct_thread_group_run(group, work, NULL, message);
    ct_thread_group_destroy(group);
    return bad;
}

TEST(test_each_allocation)
{
    static const struct {
        const char *from, *to;
        int32_t carry;
    } rows[] = {{"shard:0", "shard:1", CT_CARRY_MESSAGES},
                {"cyclic:0:2", "shard:0", CT_CARRY_MESSAGES},
                {"shard:0", "cyclic:0:12", CT_CARRY_MESSAGES}, /* coloured */
                {"shard:1/f", "replicate", CT_CARRY_DIRECT},
                {"shard:0", "shard:1/f", CT_CARRY_STAGED}};
    char message[CT_MESSAGE_BYTES];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        const ct_tuple shape = ct_tuple2(M, N), mesh = ct_tuple1(RANKS);
        memset(&desc, 0, sizeof desc);
        fails_at = 0;
        assert_int_equal(ct_parse_sharded(rows[k].from, shape, mesh, &desc.src.layout, message),
                         CT_OK);
        assert_int_equal(ct_parse_sharded(rows[k].to, shape, mesh, &desc.dst.layout, message),
                         CT_OK);
        desc.src.type = desc.dst.type = CT_TYPE_FLOAT;
        desc.carry = rows[k].carry;
        desc.scratch_bytes = 1 << 20; /* enough, and filled soon where malloc fills memory */
        assert_int_equal(play(message), CT_OK); /* what is kept for ever is there now */
        const long long before = live;
        int64_t refused = 0;
        for (long long at = 1;; ++at) {
            asked = 0;
            fails_at = at;
            const ct_status bad = play(message);
            const int was_asked = asked >= at;
            fails_at = 0;
            if (live != before)
                fail_msg("%s: %lld allocations kept after failure %lld", rows[k].to, live - before,
                         at);
            if (!was_asked) break;
            if (bad == CT_OK) continue; /* it could do without */
            ++refused;
            if (bad != CT_E_MEMORY || !strstr(message, "not enough memory"))
                fail_msg("%s: allocation %lld fails: %d, %s", rows[k].to, at, bad, message);
            for (int r = 0; r < RANKS; ++r)
                if (strstr(said[r], "within"))
                    fail_msg("%s: allocation %lld fails, and rank %d hears nothing of it: %s",
                             rows[k].to, at, r, said[r]);
            for (int r = 0; r < RANKS; ++r)
                if (status[r] == CT_OK && status[(r + 1) % RANKS] != CT_OK)
                    fail_msg("%s: allocation %lld fails, and rank %d does not know: %s", rows[k].to,
                             at, r, said[(r + 1) % RANKS]);
        }
        assert_true(refused > 20);
        print_message("# %s to %s: %lld allocations refused\n", rows[k].from, rows[k].to,
                      (long long)refused);
    }
}

GROUP("redistribute memory", NULL, NULL)
