/* The engines between GPUs on the fake driver and the fake NCCL, whose streams run their work in any order
 * that events allow: random redistributions against an enumeration, and how many bytes were sent. */
#include "all_cases.h"
#include "engine_ranks.h"
#include "process_host.h"

static uint64_t seed(void) { return number_of("CUTLET_SEED", 53); }

static void describe_failure(const ranks_job *j, const char *text, uint64_t number, int rank)
{
    fail_msg("case %llu, way %d: %s: rank %d: status %d, %d runs: %s", (unsigned long long)number,
             j->way, text, rank, j->status[rank], j->ran[rank],
             j->line[rank][0] ? j->line[rank] : "wrong bytes");
}

/* What NCCL has sent for the elements: the least that has to be. */
static void check_bytes(const ranks_job *j, const char *text)
{
    ct_redistribute_info info;
    char line[CT_MESSAGE_BYTES];
    int64_t sent = 0;
    if (ct_redistribute_simulate(&j->desc, &info, line)) fail_msg("%s", line);
    for (int r = 0; r < j->ranks; ++r) sent += nccl->bytes[r];
    if (sent != j->runs * info.least_bytes)
        fail_msg("%s: %lld bytes sent, %lld are needed", text, (long long)sent,
                 (long long)(j->runs * info.least_bytes));
}

/* Each block of an engine's memory was registered once, and none is any more. Two runs of one plan take the
 * same scratch; the other block of an engine is that of its records. */
static void check_registered(const ranks_job *j, const char *text)
{
    int scratch = 0;
    for (int r = 0; r < j->ranks; ++r) scratch += strstr(j->engine[r], "memory: 2 blocks") != NULL;
    if (nccl->registrations != j->ranks + scratch || j->left != 0)
        fail_msg("%s: %d blocks, %d registrations, %d left", text, j->ranks + scratch,
                 nccl->registrations, j->left);
    for (int r = 0; r < j->ranks; ++r)
        if (!strstr(j->engine[r], "NCCL 2.28.9") ||
            !strstr(j->engine[r], " registered with NCCL\n"))
            fail_msg("%s: %s", text, j->engine[r]);
}

static void check_case(int way, uint64_t number)
{
    dice d = dice_of_case(seed(), number);
    char text[400];
    ranks_job j;
    random_job(&d, &j, text, sizeof text);
    j.way = way;
    reset_ranks(NULL);
    fake->order = number;
    take_memory(&j);
    run_job(&j);
    for (int r = 0; r < j.ranks; ++r)
        if (j.status[r] || j.aborted[r] || j.ran[r] != j.runs || !is_right(&j, r))
            describe_failure(&j, text, number, r);
    assert_int_equal(nccl->mismatches, 0);
    if (way == BY_NCCL) check_bytes(&j, text);
    if (way >= BY_NCCL) check_registered(&j, text);
    give_memory(&j);
    assert_int_equal(fake->memories, 0);
    assert_int_equal(nccl->comms, 0);
}

/* Returns how many copies of rows there were. */
static int check_way(int way)
{
    int rows = 0;
    print_message("# seed %llu\n", (unsigned long long)seed());
    for (uint64_t number = 0; number < (all_cases() ? 120 : 40); ++number) {
        check_case(way, number);
        rows += fake->rows;
    }
    return rows;
}

/* A device that does not reach the memory of another: an error on every rank, and nothing is written.
 * The first of the tests: access stays once it is given. */
TEST(test_separate)
{
    dice d = dice_of(1);
    char text[400];
    ranks_job j;
    do random_job(&d, &j, text, sizeof text);
    while (j.ranks != 3);
    reset_ranks(NULL);
    fake->separate = 1;
    take_memory(&j);
    run_job(&j);
    for (int r = 0; r < j.ranks; ++r) {
        assert_int_equal(j.status[r], CT_E_BACKEND);
        char line[CT_MESSAGE_BYTES];
        snprintf(line, sizeof line,
                 "rank %d: device %d does not reach the memory of device %d, of rank %d", r, r, !r,
                 !r);
        assert_string_equal(j.line[r], line);
    }
    give_memory(&j);
}

TEST(test_peer) { assert_int_equal(check_way(BY_PEER), 0); }

/* Rows of 8 bytes and more by the copy engines. */
TEST(test_peer_rows) { assert_true(check_way(BY_PEER_ROWS) > 20); }

/* Through scratch of the receiver, where it has room. */
TEST(test_peer_staged) { assert_int_equal(check_way(BY_PEER_STAGED), 0); }

TEST(test_nccl) { check_way(BY_NCCL); }

/* Records go by NCCL as well. */
TEST(test_nccl_alone) { check_way(BY_NCCL_ALONE); }

/* Chunks of 4096 bytes of larger tensors: packing, messages and unpacking overlap, in any order. */
TEST(test_chunks)
{
    static const char *const forms[][2] = {
        {"shard:0", "shard:1"}, {"shard:1/f", "cyclic:0:3"}, {"cyclic:1:5", "replicate"}};
    for (int i = 0; i < 3; ++i) {
        for (int way = 0; way < WAYS; ++way) {
            ranks_job j = {.way = way, .ranks = 3, .runs = 2, .limit_seconds = 20};
            char line[CT_MESSAGE_BYTES];
            ct_redistribute_side *const sides[] = {&j.desc.src, &j.desc.dst};
            for (int k = 0; k < 2; ++k) {
                if (ct_parse_sharded(forms[i][k], ct_tuple2(200, 150), ct_tuple1(3),
                                     &sides[k]->layout, line))
                    fail_msg("%s", line);
                sides[k]->elem_bytes = 4;
            }
            j.desc.backend = CT_BACKEND_CUDA;
            j.desc.chunk_bytes = 4096;
            j.desc.scratch_bytes = 4 * 4096;
            reset_ranks(NULL);
            fake->order = (uint64_t)(17 * i + way);
            take_memory(&j);
            run_job(&j);
            for (int r = 0; r < j.ranks; ++r)
                if (j.status[r] || !is_right(&j, r))
                    describe_failure(&j, forms[i][0], (uint64_t)i, r);
            if (way == BY_NCCL) {
                check_bytes(&j, forms[i][0]);
                assert_true(nccl->sends > 2 * 6 * 2); /* several chunks for each pair of ranks */
            }
            give_memory(&j);
            assert_int_equal(fake->memories, 0);
        }
    }
}

/* ---- processes ------------------------------------------------------------------------------- */

/* A rank in a process of its own; runs twice. Whether that went well, and its memory is right. */
static int process_work(ranks_job *j, process_group *group, int rank)
{
    ct_engine host = process_engine(group, rank);
    rank_work(j, &host, NULL);
    if (j->status[rank]) fprintf(stderr, "# rank %d: %s\n", rank, j->line[rank]);
    return j->status[rank] == CT_OK && j->ran[rank] == j->runs && is_right(j, rank) &&
           fake->opened == 0;
}

/* Ranks that are processes: each opens the memory of the others by its handle. */
TEST(test_processes)
{
    for (uint64_t number = 0; number < (all_cases() ? 30 : 15); ++number) {
        dice d = dice_of_case(seed() + 1, number);
        char text[400];
        ranks_job j;
        pid_t child[RANKS_MOST];
        random_job(&d, &j, text, sizeof text);
        j.way = BY_PEER + (int)(number % 3);
        reset_ranks(NULL);
        fake->shared = 1;
        take_memory(&j);
        process_group *const group = process_group_make(j.ranks);
        assert_non_null(group);
        fflush(NULL);
        for (int r = 0; r < j.ranks; ++r) {
            child[r] = fork();
            if (child[r] == 0) _exit(!process_work(&j, group, r));
            assert_true(child[r] > 0);
        }
        for (int r = 0; r < j.ranks; ++r) {
            int status = 1;
            assert_true(waitpid(child[r], &status, 0) == child[r]);
            if (status) fail_msg("case %llu: %s: rank %d", (unsigned long long)number, text, r);
        }
        munmap(group, sizeof *group);
        give_memory(&j);
        assert_int_equal(fake->memories, 0);
    }
}

int main(void)
{
    if (use_fakes() || use_fake_nccl()) return 2;
    open_devices();
    const int failed = run_registered("engine_pairs", NULL, NULL);
    for (int r = 0; r < RANKS_MOST; ++r) ct_cuda_close(gpus[r]);
    return failed;
}
