/* Redistributions run by ranks that are threads: by messages, straight into the other rank's memory, and
 * staged in its scratch; against enumeration; and every failure on every rank. */
#include "test.h"

#include <sched.h>
#include <time.h>

#include "all_cases.h"
#include <cutlet/host/redistribute.h>
#include "sharded_oracle.h"

enum { RANKS = 16, GAP = 0xa5 };

/* What can go wrong on a rank. */
/* clang-format off */
enum { NOTHING, NULL_SOURCE, OTHER_DESCRIPTION, OTHER_RANK, STAYS_AWAY, NO_SCRATCH, START_FAILS, FINISH_FAILS, DIES,
       SHARE_FAILS, MOVE_FAILS, MEET_FAILS, FOLLOW_FAILS, LATE_TO_MEET, NO_MOVES, ONE_POINTER, LAST_SHARED,
       FIRST_SHARED, NO_SHARES };
/* clang-format on */

/* A redistribution of all ranks. */
typedef struct world {
    ct_redistribute_desc desc;
    const char *text;
    int64_t ranks, size;
    int32_t bytes[2];
    char *whole[2]; /* the tensor in both types, by the number of the element */
    char *src[RANKS], *dst[RANKS];
    int64_t src_bytes[RANKS], dst_bytes[RANKS];
    int fault, faulty; /* the rank at fault */
    ct_status status[RANKS];
    char message[RANKS][CT_MESSAGE_BYTES];
    double seconds[RANKS];
    int runs;
} world;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int32_t bytes_of(const ct_redistribute_side *s)
{
    return s->type == CT_TYPE_RAW ? s->elem_bytes
                                  : ct_plan_side_of(ct_layout1(1, 1), s->type).elem_bytes;
}

/* The tensor in the source's type, and what a copy plan makes of it. */
static void make_whole(world *w)
{
    char message[CT_MESSAGE_BYTES];
    float *const values = malloc((size_t)w->size * sizeof *values);
    for (int64_t i = 0; i < w->size; ++i) values[i] = (float)(i % 251) - 100;
    ct_plan_desc plans[2];
    memset(plans, 0, sizeof plans);
    for (int side = 0; side < 2; ++side) {
        const ct_redistribute_side *const s = side ? &w->desc.dst : &w->desc.src;
        w->bytes[side] = bytes_of(s);
        w->whole[side] = calloc((size_t)w->size, (size_t)w->bytes[side]);
        if (s->type == CT_TYPE_RAW) {
            for (int64_t i = 0; i < w->size * w->bytes[side]; ++i)
                w->whole[side][i] = (char)(i * 7 + i / 251);
            continue;
        }
        plans[side].src =
            ct_plan_side_of(ct_layout1(w->size, 1), side ? w->desc.src.type : CT_TYPE_FLOAT);
        plans[side].dst = ct_plan_side_of(ct_layout1(w->size, 1), s->type);
        plans[side].has_scale = side && w->desc.has_scale;
        plans[side].scale = w->desc.scale;
        ct_plan *plan;
        assert_int_equal(ct_plan_create(&plans[side], CT_EFFORT_ESTIMATE, &plan, message), CT_OK);
        assert_int_equal(ct_plan_run(plan, w->whole[side],
                                     side ? (void *)w->whole[0] : (void *)values, NULL, message),
                         CT_OK);
        ct_plan_destroy(plan);
    }
    free(values);
}

static void make_world(world *w)
{
    w->size = tensor_size(&w->desc.src.layout);
    w->ranks = ct_max(ct_sharded_ranks(&w->desc.src.layout), ct_sharded_ranks(&w->desc.dst.layout));
    w->fault = NOTHING;
    w->runs = 1;
    make_whole(w);
    for (int64_t r = 0; r < w->ranks; ++r) {
        held_element *e;
        w->src_bytes[r] = ct_sharded_span(&w->desc.src.layout, r) * w->bytes[0];
        w->dst_bytes[r] = ct_sharded_span(&w->desc.dst.layout, r) * w->bytes[1];
        w->src[r] = w->src_bytes[r] ? malloc((size_t)w->src_bytes[r]) : NULL;
        w->dst[r] = w->dst_bytes[r] ? malloc((size_t)w->dst_bytes[r]) : NULL;
        if (w->src[r]) memset(w->src[r], 0x3c, (size_t)w->src_bytes[r]);
        if (w->dst[r]) memset(w->dst[r], GAP, (size_t)w->dst_bytes[r]);
        const int64_t count = held_by(&w->desc.src.layout, r, &e);
        for (int64_t i = 0; i < count; ++i)
            memcpy(w->src[r] + e[i].offset * w->bytes[0], w->whole[0] + e[i].element * w->bytes[0],
                   (size_t)w->bytes[0]);
        free(e);
    }
}

static void free_world(world *w)
{
    for (int64_t r = 0; r < w->ranks; ++r) free(w->src[r]), free(w->dst[r]);
    free(w->whole[0]);
    free(w->whole[1]);
}

/* Every element is right, and no other byte has changed. */
static void check_world(const world *w)
{
    for (int64_t r = 0; r < w->ranks; ++r) {
        held_element *e;
        char *const expected = malloc((size_t)w->dst_bytes[r] + 1);
        memset(expected, GAP, (size_t)w->dst_bytes[r]);
        const int64_t count = held_by(&w->desc.dst.layout, r, &e);
        for (int64_t i = 0; i < count; ++i)
            memcpy(expected + e[i].offset * w->bytes[1], w->whole[1] + e[i].element * w->bytes[1],
                   (size_t)w->bytes[1]);
        for (int64_t i = 0; i < w->dst_bytes[r]; ++i)
            if (expected[i] != w->dst[r][i])
                fail_msg("%s: byte %lld of rank %lld is %d, not %d", w->text, (long long)i,
                         (long long)r, w->dst[r][i], expected[i]);
        free(expected);
        free(e);
    }
}

static int untouched(const world *w)
{
    for (int64_t r = 0; r < w->ranks; ++r)
        for (int64_t i = 0; i < w->dst_bytes[r]; ++i)
            if (w->dst[r][i] != (char)GAP) return 0;
    return 1;
}

/* Faults of an engine: the rank's functions fail. */
static void *no_memory(ct_engine *e, size_t bytes)
{
    (void)e, (void)bytes;
    return NULL;
}

static ct_status no_start(ct_engine *e, int32_t slot, const ct_engine_message *messages,
                          int32_t count, void *stream, double limit_seconds, char *message)
{
    (void)e, (void)slot, (void)messages, (void)count, (void)stream, (void)limit_seconds;
    snprintf(message, CT_MESSAGE_BYTES, "the link is down");
    return CT_E_FAILED;
}

static ct_status no_finish(ct_engine *e, int32_t slot, void *stream, double limit_seconds,
                           char *message)
{
    return no_start(e, slot, NULL, 0, stream, limit_seconds, message);
}

/* The next three take part in what is collective, as an engine has to. */
static ct_status (*true_share)(ct_engine *e, void *memory, size_t bytes, void **all, void *stream,
                               double limit, char *message);
static ct_status (*true_meet)(ct_engine *e, double limit, char *message);

static ct_status no_share(ct_engine *e, void *memory, size_t bytes, void **all, void *stream,
                          double limit, char *message)
{
    true_share(e, memory, bytes, all, stream, limit, message);
    return no_start(e, 0, NULL, 0, stream, limit, message);
}

static ct_status no_move(ct_engine *e, int32_t to, void *dst, const void *src, int64_t bytes,
                         void *stream, char *message)
{
    (void)to, (void)dst, (void)src, (void)bytes;
    return no_start(e, 0, NULL, 0, stream, 0, message);
}

static ct_status no_meet(ct_engine *e, double limit, char *message)
{
    true_meet(e, limit, message);
    return no_start(e, 0, NULL, 0, NULL, limit, message);
}

static ct_status no_follow(ct_engine *e, int32_t from, int32_t k, void *stream, char *message)
{
    (void)from, (void)k;
    return no_start(e, 0, NULL, 0, stream, 0, message);
}

/* A rank that hangs for longer than the others wait. */
static ct_status late_meet(ct_engine *e, double limit, char *message)
{
    char line[CT_MESSAGE_BYTES];
    while (e->failed(e, line) == CT_OK) sched_yield();
    return true_meet(e, limit, message);
}

/* A rank that dies in the middle tells nobody. */
static void no_fail(ct_engine *e, const char *message) { (void)e, (void)message; }

static ct_status work(void *user, ct_engine *engine, char message[CT_MESSAGE_BYTES])
{
    world *const w = user;
    const int r = engine->rank, at_fault = w->fault && r == w->faulty;
    ct_redistribute_desc desc = w->desc;
    ct_redistribute *plan = NULL;
    const void *src = w->src[r];
    int64_t rank = r;
    if (at_fault && w->fault == OTHER_DESCRIPTION) desc.has_scale = 1, desc.scale = 3;
    if (at_fault && w->fault == OTHER_RANK) rank = (r + 1) % w->ranks;
    if (at_fault && w->fault == NULL_SOURCE) src = NULL;
    if (at_fault && w->fault == ONE_POINTER) src = w->dst[r];
    if (at_fault && w->fault == LAST_SHARED) src = w->dst[r] + w->dst_bytes[r] - 4;
    if (at_fault && w->fault == FIRST_SHARED) src = w->dst[r] - w->src_bytes[r] + 4;
    if (at_fault && w->fault == NO_SCRATCH) engine->take = no_memory;
    if (at_fault && w->fault == START_FAILS) engine->start = no_start;
    if (at_fault && w->fault == FINISH_FAILS) engine->finish = no_finish;
    if (at_fault && w->fault == DIES) engine->start = no_start, engine->fail = no_fail;
    if (at_fault && w->fault == SHARE_FAILS) engine->share = no_share;
    if (at_fault && w->fault == MOVE_FAILS) engine->move = no_move;
    if (at_fault && w->fault == MEET_FAILS) engine->meet = no_meet;
    if (at_fault && w->fault == FOLLOW_FAILS) engine->follow = no_follow;
    if (at_fault && w->fault == LATE_TO_MEET) engine->meet = late_meet;
    if (at_fault && w->fault == NO_MOVES) engine->move = NULL;
    if (at_fault && w->fault == NO_SHARES) engine->share = NULL;
    const double begin = seconds();
    if (at_fault && w->fault == STAYS_AWAY) {
        w->status[r] = CT_OK;
        return CT_OK;
    }
    ct_status bad = ct_redistribute_create(&desc, rank, &plan, message);
    for (int run = 0; run < w->runs && !bad; ++run)
        bad = ct_redistribute_run(plan, engine, w->dst[r], src, NULL, message);
    ct_redistribute_destroy(plan);
    w->seconds[r] = seconds() - begin;
    w->status[r] = bad;
    snprintf(w->message[r], CT_MESSAGE_BYTES, "%s", bad ? message : "");
    return at_fault && w->fault == DIES ? CT_OK : bad; /* the group hears nothing of it */
}

static ct_status run_world(world *w, char *message)
{
    ct_thread_group *group;
    ct_engine any;
    assert_int_equal(ct_thread_group_create((int32_t)w->ranks, &group, message), CT_OK);
    ct_thread_group_engine(group, 0, &any);
    true_share = any.share; /* the same on every rank */
    true_meet = any.meet;
    const ct_status bad = ct_thread_group_run(group, work, w, message);
    ct_thread_group_destroy(group);
    return bad;
}

TEST(test_random)
{
    static const int32_t types[] = {CT_TYPE_FLOAT, CT_TYPE_HALF, CT_TYPE_DOUBLE, CT_TYPE_BFLOAT16,
                                    CT_TYPE_INT8};
    const char *const asked = getenv("CUTLET_SEED");
    const uint64_t seed = asked ? strtoull(asked, NULL, 10) : 1;
    print_message("# seed %llu\n", (unsigned long long)seed);
    for (int number = 0; number < (all_cases() ? 600 : 60); ++number) {
        dice d = dice_of_case(seed ^ 5, (uint64_t)number);
        world *const w = calloc(1, sizeof *w);
        int64_t shape[CT_SHARDED_MODES];
        char src[1024], dst[1024], text[4096], message[CT_MESSAGE_BYTES];
        const int modes = random_shape(&d, number % 10 ? 400 : 3000, shape);
        const int64_t ranks = dice_int(&d, 1, RANKS);
        w->desc.src.layout = any_sharded(&d, shape, modes, ranks, src);
        w->desc.dst.layout =
            any_sharded(&d, shape, modes, dice_int(&d, 0, 3) ? ranks : dice_int(&d, 1, RANKS), dst);
        w->desc.src.type = types[dice_int(&d, 0, 4)];
        w->desc.dst.type = dice_int(&d, 0, 1) ? w->desc.src.type : types[dice_int(&d, 0, 4)];
        if (dice_int(&d, 0, 3) == 0) w->desc.has_scale = 1, w->desc.scale = 0.375;
        else if (dice_int(&d, 0, 3) == 0) {
            w->desc.src.type = w->desc.dst.type = CT_TYPE_RAW;
            w->desc.src.elem_bytes = w->desc.dst.elem_bytes = (int32_t)dice_int(&d, 1, 16);
        }
        w->desc.carry = (int32_t)dice_int(&d, 0, CT_CARRY_COUNT - 1);
        w->desc.chunk_bytes = dice_int(&d, 0, 1) ? 4096 : 0;
        w->desc.scratch_bytes = w->desc.chunk_bytes * 4 * dice_int(&d, 1, 3);
        snprintf(text, sizeof text, "case %d, carry %d, types %d and %d, %s to %s", number,
                 w->desc.carry, w->desc.src.type, w->desc.dst.type, src, dst);
        w->text = text;
        make_world(w);
        w->runs = (int)dice_int(&d, 1, 2);
        if (run_world(w, message)) fail_msg("%s: %s", text, message);
        check_world(w);
        free_world(w);
        free(w);
    }
}

static world *world_of(ct_tuple shape, ct_tuple mesh, const char *from, const char *to)
{
    world *const w = calloc(1, sizeof *w);
    char message[CT_MESSAGE_BYTES];
    assert_int_equal(ct_parse_sharded(from, shape, mesh, &w->desc.src.layout, message), CT_OK);
    assert_int_equal(ct_parse_sharded(to, shape, mesh, &w->desc.dst.layout, message), CT_OK);
    w->desc.src.type = w->desc.dst.type = CT_TYPE_FLOAT;
    w->text = to;
    return w;
}

/* Every transfer between two ranks is staged, in several chunks where it is larger than two of messages. */
static void check_staged(ct_redistribute *plan, const world *w)
{
    const ct_transfer *list;
    char message[CT_MESSAGE_BYTES];
    assert_int_equal(ct_redistribute_prepare(plan, CT_CARRY_STAGED, message), CT_OK);
    const int32_t count = ct_redistribute_transfers(plan, &list);
    for (int32_t t = 0; t < count; ++t) {
        if (list[t].from == list[t].to) continue;
        if (list[t].chunks == 0)
            fail_msg("%s: %d to %d is not staged", w->text, list[t].from, list[t].to);
        assert_true(list[t].chunks > 1 || list[t].bytes <= 2 * w->desc.chunk_bytes);
    }
}

/* Many chunks of each message, more than scratch holds. */
TEST(test_chunks)
{
    static const char *const from[] = {"shard:0", "shard:1", "cyclic:0:7", "shard:0/f"};
    static const char *const to[] = {"shard:1", "cyclic:1:16", "replicate", "shard:1/f"};
    for (size_t i = 0; i < 4; ++i)
        for (size_t k = 0; k < 4; ++k)
            for (int32_t groups = 1; groups <= 3; groups += 1) {
                world *const w = world_of(ct_tuple2(301, 257), ct_tuple1(5), from[i], to[k]);
                char message[CT_MESSAGE_BYTES];
                w->desc.carry = groups == 2 ? CT_CARRY_STAGED : CT_CARRY_MESSAGES;
                w->desc.chunk_bytes = 4096 + 4 * (int64_t)i;
                w->desc.scratch_bytes = 4 * (groups == 2 ? 300 : groups) * w->desc.chunk_bytes;
                if (k % 2) w->desc.dst.type = CT_TYPE_HALF;
                make_world(w);
                if (run_world(w, message)) fail_msg("%s to %s: %s", from[i], to[k], message);
                check_world(w);
                ct_redistribute *plan;
                ct_redistribute_info info;
                assert_int_equal(ct_redistribute_create(&w->desc, 0, &plan, message), CT_OK);
                ct_redistribute_info_of(plan, &info);
                assert_true(info.scratch_bytes <= w->desc.scratch_bytes);
                if (groups == 2) check_staged(plan, w);
                ct_redistribute_destroy(plan);
                free_world(w);
                free(w);
            }
}

/* One fault on one rank. Returns whether a rank was too late to be part of it, and judges nothing then. */
static int run_fault(int fault, int carry, int faulty, double limit, const char *says,
                     int writes_nothing, const char *name, double *longest)
{
    world *const w = world_of(ct_tuple2(64, 60), ct_tuple1(4), "shard:0/f", "shard:1");
    char message[CT_MESSAGE_BYTES], expected[CT_MESSAGE_BYTES];
    if (fault == OTHER_DESCRIPTION) snprintf(expected, sizeof expected, says, faulty ? faulty : 1);
    else snprintf(expected, sizeof expected, says, limit);
    w->desc.carry = carry;
    w->desc.limit_seconds = limit;
    make_world(w);
    w->fault = fault;
    w->faulty = faulty;
    int late = 0;
    if (!run_world(w, message)) fail_msg("%s on rank %d: no failure", name, faulty);
    for (int r = 0; r < 4 && !writes_nothing; ++r)
        late += limit < 60 && strstr(w->message[r], "did not come within") != NULL &&
                strstr(w->message[r], "; nothing was written") != NULL;
    for (int r = 0; r < 4 && !late; ++r) {
        *longest = w->seconds[r] > *longest ? w->seconds[r] : *longest;
        if (w->seconds[r] > limit + 60)
            fail_msg("%s on rank %d: rank %d waits for %g s", name, faulty, r, w->seconds[r]);
        if (fault == STAYS_AWAY && r == faulty) continue;
        const int own = r == faulty && fault == DIES;
        if (w->status[r] == CT_OK || (!own && !strstr(w->message[r], expected)))
            fail_msg("%s on rank %d: rank %d: %d, %s", name, faulty, r, w->status[r],
                     w->message[r]);
    }
    if (writes_nothing && (!untouched(w) || !strstr(message, "; nothing was written")))
        fail_msg("%s on rank %d: bytes were written: %s", name, faulty, message);
    free_world(w);
    free(w);
    return late;
}

/* Each fault on each rank: no rank returns success, none waits for longer than it may. */
TEST(test_faults)
{
    static const struct {
        int fault, carry;
        const char *name, *says;
        int writes_nothing;
    } rows[] = {
        {NULL_SOURCE, CT_CARRY_MESSAGES, "null source",
         "the source is a null pointer; nothing was written", 1},
        {NULL_SOURCE, CT_CARRY_DIRECT, "null source",
         "the source is a null pointer; nothing was written", 1},
        {OTHER_DESCRIPTION, CT_CARRY_MESSAGES, "other description",
         "ranks 0 and %d have different descriptions; nothing was written", 1},
        {OTHER_DESCRIPTION, CT_CARRY_DIRECT, "other description",
         "ranks 0 and %d have different descriptions; nothing was written", 1},
        {OTHER_RANK, CT_CARRY_DIRECT, "plan of another rank", "run by rank", 1},
        {STAYS_AWAY, CT_CARRY_MESSAGES, "a rank that does not come",
         "did not come within %g s; nothing was written", 1},
        {STAYS_AWAY, CT_CARRY_DIRECT, "a rank that does not come",
         "did not come within %g s; nothing was written", 1},
        {NO_SCRATCH, CT_CARRY_MESSAGES, "no scratch",
         "not enough memory for 67108864 bytes of scratch; nothing was written", 1},
        {START_FAILS, CT_CARRY_MESSAGES, "start",
         "the link is down; destinations may be partly written", 0},
        {FINISH_FAILS, CT_CARRY_MESSAGES, "finish",
         "the link is down; destinations may be partly written", 0},
        {DIES, CT_CARRY_MESSAGES, "a rank that dies",
         "within %g s; destinations may be partly written", 0},
        {ONE_POINTER, CT_CARRY_MESSAGES, "one pointer", "source and destination overlap: ", 1},
        {ONE_POINTER, CT_CARRY_DIRECT, "one pointer", "source and destination overlap: ", 1},
        {ONE_POINTER, CT_CARRY_STAGED, "one pointer", "source and destination overlap: ", 1},
        {LAST_SHARED, CT_CARRY_DIRECT, "one element", "source and destination overlap: ", 1},
        {FIRST_SHARED, CT_CARRY_MESSAGES, "one element", "source and destination overlap: ", 1},
        {NULL_SOURCE, CT_CARRY_STAGED, "null source",
         "the source is a null pointer; nothing was written", 1},
        {NO_SCRATCH, CT_CARRY_STAGED, "no scratch",
         "not enough memory for 21504 bytes of scratch; nothing was written", 1},
        /* clang-format off */
        {STAYS_AWAY, CT_CARRY_STAGED, "a rank that does not come", "did not come within %g s; nothing was written", 1},
        {NO_MOVES, CT_CARRY_STAGED, "no moves",
         "the engine threads moves nothing to another rank's scratch; nothing was written", 1},
        {NO_SHARES, CT_CARRY_DIRECT, "no shares",
         "the engine threads cannot write into another rank's memory; nothing was written", 1},
        {SHARE_FAILS, CT_CARRY_DIRECT, "share", "the link is down; destinations may be partly written", 0},
        {SHARE_FAILS, CT_CARRY_STAGED, "share", "the link is down; destinations may be partly written", 0},
        {MOVE_FAILS, CT_CARRY_STAGED, "move", "the link is down; destinations may be partly written", 0},
        {MEET_FAILS, CT_CARRY_STAGED, "meet", "the link is down; destinations may be partly written", 0},
        {FOLLOW_FAILS, CT_CARRY_STAGED, "follow", "the link is down; destinations may be partly written", 0},
        {LATE_TO_MEET, CT_CARRY_STAGED, "a rank that hangs", "within %g s; destinations may be partly written", 0},
        /* clang-format on */
    };
    double longest = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int faulty = 0; faulty < 4; ++faulty) {
            /* Only the ranks that wait for the faulty one reach a limit; it grows where the machine is
             * so busy that another rank comes too late. */
            const int waits = strstr(rows[i].says, "%g") != NULL;
            double limit = waits ? 0.3 : 60;
            while (run_fault(rows[i].fault, rows[i].carry, faulty, limit, rows[i].says,
                             rows[i].writes_nothing, rows[i].name, &longest) &&
                   limit < 60)
                limit *= 4;
        }
    print_message("# a rank returns after at most %.2f s\n", longest);
}

/* A plan for a number of ranks that the engine does not have. */
TEST(test_other_engine)
{
    world *const w = world_of(ct_tuple2(8, 8), ct_tuple1(4), "shard:0", "shard:1");
    char message[CT_MESSAGE_BYTES];
    make_world(w);
    w->ranks = 3;
    assert_int_equal(run_world(w, message), CT_E_ARGUMENT);
    assert_string_equal(message,
                        "rank 0: a plan of rank 0 of 4, run by rank 0 of 3; nothing was written");
    w->ranks = 4;
    free_world(w);
    free(w);
}

/* What engines of others use: chunks that lie in the caller's memory as they are. */
TEST(test_chunk_places)
{
    world *const w = world_of(ct_tuple2(8, 8), ct_tuple1(2), "shard:0", "shard:1");
    char message[CT_MESSAGE_BYTES];
    ct_redistribute *plan;
    const ct_transfer *list;
    int64_t src, dst;
    float from[32], buffer[16], to[32];
    assert_int_equal(ct_redistribute_create(&w->desc, 0, &plan, message), CT_OK);
    assert_int_equal(ct_redistribute_pack(plan, 0, 0, buffer, from, NULL, message), CT_E_ARGUMENT);
    assert_string_equal(message, "rank 0 has no chunk 0 of transfer 0 to pack");
    assert_int_equal(ct_redistribute_prepare(plan, CT_CARRY_COUNT, message), CT_E_ARGUMENT);
    assert_int_equal(ct_redistribute_prepare(plan, -1, message), CT_E_ARGUMENT);
    assert_string_equal(message, "there is no way -1 to carry elements");
    assert_int_equal(ct_redistribute_prepare(plan, CT_CARRY_MESSAGES, message), CT_OK);
    assert_int_equal(ct_redistribute_transfers(plan, &list), 3);
    assert_int_equal(list[1].from, 0);
    assert_int_equal(list[1].chunks, 1);
    assert_int_equal(ct_redistribute_chunk(plan, 1, 0, &src, &dst), 64);
    assert_int_equal(src, -1); /* rows of 4 out of rows of 8 */
    assert_int_equal(dst, 0);  /* rows of 4 */
    assert_int_equal(ct_redistribute_chunk(plan, 2, 0, &src, &dst), 64);
    assert_int_equal(dst, 64);
    for (int i = 0; i < 32; ++i) from[i] = (float)i, to[i] = -1;
    assert_int_equal(ct_redistribute_pack(plan, 1, 0, buffer, from, NULL, message), CT_OK);
    for (int i = 0; i < 16; ++i) assert_true(buffer[i] == (float)(i / 4 * 8 + 4 + i % 4));
    assert_int_equal(ct_redistribute_unpack(plan, 2, 0, to, buffer, NULL, message), CT_OK);
    for (int i = 0; i < 32; ++i) assert_true(to[i] == (i < 16 ? -1 : buffer[i - 16]));
    assert_int_equal(ct_redistribute_unpack(plan, 1, 0, to, buffer, NULL, message), CT_E_ARGUMENT);
    assert_string_equal(message, "rank 0 has no chunk 0 of transfer 1 to unpack");
    assert_int_equal(ct_redistribute_put(plan, 0, to, from, NULL, message), CT_OK);
    for (int i = 0; i < 16; ++i) assert_true(to[i] == (float)(i / 4 * 8 + i % 4));
    assert_int_equal(ct_redistribute_put(plan, 1, to, from, NULL, message), CT_E_ARGUMENT);
    assert_string_equal(message, "rank 0 does not write transfer 1 itself");
    assert_int_equal(ct_redistribute_prepare(plan, CT_CARRY_DIRECT, message), CT_OK);
    assert_int_equal(ct_redistribute_put(plan, 1, to, from, NULL, message), CT_OK);
    for (int i = 0; i < 16; ++i) assert_true(to[i] == (float)(i / 4 * 8 + 4 + i % 4));
    ct_redistribute_destroy(plan);
    free(w);
}

GROUP("redistribute run", NULL, NULL)
