/* Every failure of the driver and of NCCL on every rank: all ranks have an error within the stated time,
 * nothing hangs and nothing stays behind. A rank that does not come, or that gives no memory, too. */
#include "all_cases.h"
#include "engine_ranks.h"
#include "process_host.h"
#include "redistribute/cuda/peer.h"

#include <sys/mman.h>
#include <sys/wait.h>

enum { RANKS = 3 };

static const double limit = 0.3;

/* Ranks that are without a host engine tell nobody of a failure: the others wait for the limit. */
static double limit_of(int way) { return way == BY_NCCL_ALONE ? 0.2 : limit; }

/* Rows to columns: with packing, messages and unpacking; where copy engines are to move rows, there are some. */
static void make_job(ranks_job *j, int way)
{
    char line[CT_MESSAGE_BYTES];
    memset(j, 0, sizeof *j);
    j->way = way;
    j->ranks = RANKS;
    j->runs = 2;
    j->limit_seconds = limit_of(way);
    ct_redistribute_side *const sides[] = {&j->desc.src, &j->desc.dst};
    for (int k = 0; k < 2; ++k) {
        if (ct_parse_sharded(k == 0                ? "shard:0"
                             : way == BY_PEER_ROWS ? "shard:1/c"
                                                   : "shard:1/f",
                             ct_tuple2(60, 40), ct_tuple1(RANKS), &sides[k]->layout, line))
            fail_msg("%s", line);
        sides[k]->elem_bytes = 4;
    }
    j->desc.backend = CT_BACKEND_CUDA;
    j->desc.chunk_bytes = 4096;
    j->desc.scratch_bytes = 4 * 4096;
    j->desc.limit_seconds = limit_of(way);
}

/* All ranks are well, or none is; and none has waited for longer than a few limits, and seconds of a busy machine. */
static void check_end(const ranks_job *j, double seconds, const char *what, int rank, int after)
{
    int well = 0;
    for (int r = 0; r < j->ranks; ++r) well += j->status[r] == CT_OK;
    if (well != 0 && well != j->ranks) {
        for (int r = 0; r < j->ranks; ++r)
            fprintf(stderr, "# rank %d: %d: %s\n", r, j->status[r], j->line[r]);
        fail_msg("way %d, %s fails on rank %d after %d: %d of %d ranks are well", j->way, what,
                 rank, after, well, j->ranks);
    }
    for (int r = 0; r < j->ranks && well == 0; ++r)
        if (!j->line[r][0])
            fail_msg("way %d, %s on rank %d: rank %d says nothing", j->way, what, rank, r);
    for (int r = 0; r < j->ranks && well > 0; ++r)
        if (!is_right(j, r))
            fail_msg("way %d, %s on rank %d: rank %d is wrong", j->way, what, rank, r);
    if (seconds > 5 * j->limit_seconds + 5)
        fail_msg("way %d, %s on rank %d: %g s", j->way, what, rank, seconds);
}

/* Sentences of which each has to be said of the rank that fails, by some planted fault. */
static const char *const to_say[] = {
    ": its memory is not ready to be written; destinations may be partly written",
    ": its moves have failed; destinations may be partly written"};
static int said[sizeof to_say / sizeof *to_say];

static void count_said(const ranks_job *j, int rank)
{
    char line[CT_MESSAGE_BYTES];
    for (size_t i = 0; i < sizeof to_say / sizeof *to_say; ++i) {
        snprintf(line, sizeof line, "rank %d%s", rank, to_say[i]);
        for (int r = 0; r < j->ranks; ++r) said[i] += strcmp(j->line[r], line) == 0;
    }
}

/* Whether a stream comes to its end. */
static int ends(int rank, void *stream)
{
    int steps = 0;
    while (gpus[rank]->driver.stream_query(stream) == CT_DRIVER_NOT_READY && steps < 10000) ++steps;
    return steps < 10000;
}

static void run_planted(ranks_job *j, const char *what, int rank, int after)
{
    const double seconds = run_job(j);
    fake->fail = NULL;
    nccl->fail = NULL;
    nccl->hangs = 0;
    nccl->async_result = 0;
    check_end(j, seconds, what, rank, after);
    count_said(j, rank);
    for (int r = 0; r < j->ranks; ++r) /* no stream waits for ever */
        if (!ends(r, j->stream[r]))
            fail_msg("way %d, %s on rank %d after %d: the stream of rank %d waits", j->way, what,
                     rank, after, r);
    give_memory(j);
    if (j->left && strcmp(what, "ncclCommDeregister") != 0)
        fail_msg("way %d, %s on rank %d after %d: %d blocks are still registered", j->way, what,
                 rank, after, j->left);
    if (fake->memories || fake->pushed || nccl->comms)
        fail_msg("way %d, %s on rank %d after %d: left: %d memories, %d contexts, %d communicators",
                 j->way, what, rank, after, fake->memories, fake->pushed, nccl->comms);
}

static const char *const driver_calls[] = {
    "cuCtxPushCurrent_v2",   "cuMemAlloc_v2",        "cuLaunchKernel",
    "cuEventCreate",         "cuEventRecord",        "cuEventQuery",
    "cuStreamCreate",        "cuStreamWaitEvent",    "cuDeviceCanAccessPeer",
    "cuCtxEnablePeerAccess", "cuMemcpyDtoDAsync_v2", "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",  "cuMemcpy2DAsync_v2"};

enum { DRIVER_CALLS = sizeof driver_calls / sizeof *driver_calls };

/* Whether the call that fails was made. Where a busy machine has reached the limit before it, once more with more
 * time. */
static int run_driver(int way, int call, int rank, int after)
{
    const double more = 5;
    for (double seconds = limit_of(way);; seconds = more) {
        ranks_job j;
        make_job(&j, way);
        j.limit_seconds = j.desc.limit_seconds = seconds;
        reset_ranks(NULL);
        take_memory(&j);
        fake->fail = driver_calls[call];
        fake->fail_context = fake_pointer_of(rank);
        fake->result = call % 2 ? 2 : 719;
        fake->calls_before = after;
        run_planted(&j, driver_calls[call], rank, after);
        if (fake->calls_before < 0) return 1;
        if (j.status[rank] == CT_OK || seconds >= more) return 0;
    }
}

TEST(test_driver)
{
    int reached[DRIVER_CALLS][RANKS] = {{0}}; /* how often the call that fails was made there */
    for (int way = 0; way < WAYS; ++way)
        for (int i = 0; i < DRIVER_CALLS; ++i)
            for (int rank = 0; rank < RANKS; ++rank)
                for (int after = 0; after < 7; after += 3) {
                    if (!all_cases() && reached[i][rank] && (way + i + rank) % 3)
                        continue; /* once each at least */
                    if (way == BY_NCCL_ALONE && after == 0)
                        continue; /* a rank that does not even open: below */
                    if (!run_driver(way, i, rank, after))
                        break; /* fewer calls are made: none of them after more */
                    reached[i][rank]++;
                }
    for (size_t i = 0; i < DRIVER_CALLS; ++i)
        for (int rank = 0; rank < RANKS; ++rank)
            if (!reached[i][rank])
                fail_msg("no way of carrying makes rank %d call %s", rank, driver_calls[i]);
    for (size_t i = 0; i < sizeof to_say / sizeof *to_say; ++i)
        if (!said[i]) fail_msg("no rank says `%s`", to_say[i]);
}

/* ---- ranks that are processes ---------------------------------------------------------------- */

/* What the processes of all ranks share. */
typedef struct processes {
    ranks_job job;
    int reached[RANKS],
        left[RANKS]; /* whether the call that fails was made; memory that is still open */
} processes;

static void run_process(processes *all, const char *name, int rank)
{
    ct_engine host;
    if (ct_process_engine_open(name, rank, RANKS, 20, &host, all->job.line[rank])) _exit(1);
    rank_work(&all->job, &host, NULL);
    ct_process_engine_close(&host);
    all->reached[rank] = fake->calls_before < 0;
    all->left[rank] = fake->opened;
    _exit(0);
}

/* Whether the call was made. */
static int run_processes(int way, const char *call, int rank, int after)
{
    static int number;
    char name[60];
    pid_t child[RANKS];
    processes *const all =
        mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(all != MAP_FAILED);
    make_job(&all->job, way);
    all->job.limit_seconds = all->job.desc.limit_seconds =
        5; /* a failure ends the others' waits before */
    reset_ranks(NULL);
    fake->shared = 1;
    take_memory(&all->job);
    fake->fail = call;
    fake->fail_context = fake_pointer_of(rank);
    fake->result = 2;
    fake->calls_before = after;
    snprintf(name, sizeof name, "/cutlet-faults-%d-%d", (int)getpid(), ++number);
    fflush(NULL);
    const double begun = process_seconds();
    for (int r = 0; r < RANKS; ++r) {
        child[r] = fork();
        if (child[r] == 0) run_process(all, name, r);
        assert_true(child[r] > 0);
    }
    for (int r = 0; r < RANKS; ++r) {
        int status = 1;
        assert_true(waitpid(child[r], &status, 0) == child[r]);
        if (status)
            fail_msg("way %d, %s fails on rank %d after %d: rank %d: %d: %s", way, call, rank,
                     after, r, status, all->job.line[r]);
        if (all->left[r])
            fail_msg("way %d, %s fails on rank %d after %d: rank %d leaves memory open", way, call,
                     rank, after, r);
    }
    fake->fail = NULL;
    check_end(&all->job, process_seconds() - begun, call, rank, after);
    const int reached = all->reached[rank];
    if (reached && !after && all->job.status[rank] == CT_OK)
        fail_msg("way %d: rank %d is well without %s", way, rank, call);
    give_memory(&all->job);
    munmap(all, sizeof *all);
    return reached;
}

TEST(test_processes)
{
    static const char *const calls[] = {"cuMemGetAddressRange_v2", "cuIpcGetMemHandle",
                                        "cuIpcOpenMemHandle_v2"};
    for (int way = BY_PEER; way < BY_NCCL; ++way)
        for (int i = 0; i < 3; ++i)
            for (int rank = 0; rank < RANKS; ++rank)
                for (int after = 0; after < 3; ++after) {
                    if (!all_cases() && (way + i + rank) % 3) continue;
                    const int reached = run_processes(way, calls[i], rank, after);
                    if (!reached && after < 2)
                        fail_msg("way %d: rank %d does not call %s", way, rank, calls[i]);
                }
}

static const char *const nccl_calls[] = {
    "ncclCommCount", "ncclCommUserRank", "ncclCommCuDevice", "ncclCommGetAsyncError", "ncclSend",
    "ncclRecv",      "ncclGroupEnd",     "ncclCommRegister", "ncclCommDeregister"};

TEST(test_nccl_calls)
{
    for (int way = BY_NCCL; way < WAYS; ++way)
        for (size_t i = 0; i < sizeof nccl_calls / sizeof *nccl_calls; ++i)
            for (int rank = 0; rank < RANKS; ++rank)
                for (int after = 0; after < 9; after += 4) {
                    ranks_job j;
                    if (!all_cases() && (way + i + rank) % 3) continue;
                    make_job(&j, way);
                    reset_ranks(NULL);
                    take_memory(&j);
                    nccl->fail = nccl_calls[i];
                    nccl->fail_rank = rank;
                    nccl->result = 3;
                    nccl->calls_before = after;
                    run_planted(&j, nccl_calls[i], rank, after);
                    if (nccl->calls_before >= 0) break;
                }
}

/* NCCL refuses to register memory: everything goes on without, and the engine says so. */
TEST(test_unregistered)
{
    for (int way = BY_NCCL; way < WAYS; ++way)
        for (int after = 0; after < 6; ++after) {
            ranks_job j;
            make_job(&j, way);
            j.limit_seconds = j.desc.limit_seconds = 20; /* nobody fails */
            reset_ranks(NULL);
            take_memory(&j);
            nccl->fail = "ncclCommRegister";
            nccl->fail_rank = -1;
            nccl->result = 1;
            nccl->calls_before = after;
            run_job(&j);
            int told = 0;
            for (int r = 0; r < RANKS; ++r) {
                if (j.status[r] || !is_right(&j, r))
                    fail_msg("way %d: rank %d: %s", way, r, j.line[r]);
                told +=
                    strstr(j.engine[r],
                           "the others are not: ncclCommRegister: a planted NCCL error") != NULL;
            }
            assert_true(told > 0); /* 6 blocks: scratch and records of each rank */
            assert_int_equal(nccl->registrations, after);
            assert_int_equal(j.left, 0);
            give_memory(&j);
        }
}

/* A communicator that dies: its groups never begin, or it has an error. */
TEST(test_dead_communicator)
{
    for (int way = BY_NCCL; way < WAYS; ++way)
        for (int rank = 0; rank < RANKS; ++rank)
            for (int kind = 0; kind < 2; ++kind) {
                ranks_job j;
                make_job(&j, way);
                reset_ranks(NULL);
                take_memory(&j);
                if (kind == 0) {
                    nccl->hangs = 1 + rank;
                } else {
                    nccl->async_rank = rank;
                    nccl->async_result = 6;
                    nccl->async_after = 1;
                    nccl->hangs = 1 + (rank + 1) % RANKS;
                }
                run_planted(&j, kind ? "an error of the communicator" : "a hang", rank, 0);
                for (int r = 0; r < RANKS; ++r)
                    if (j.status[r] == CT_OK)
                        fail_msg("rank %d is well beside a dead communicator", r);
                assert_true(nccl->aborts > 0 && nccl->aborts <= RANKS);
                if (way == BY_NCCL) assert_true(j.aborted[0] + j.aborted[1] + j.aborted[2] > 0);
            }
}

/* A group that stays in progress, and one whose end does not return; once more on a busy machine. */
TEST(test_unended)
{
    static const char *const lines[] = {": messages have not begun within ",
                                        ": ncclGroupEnd has not ended within "};
    const double seconds[] = {limit, 5};
    for (int blocks = 0; blocks < 2; ++blocks)
        for (int again = 0; again < 2; ++again) {
            ranks_job j;
            char line[CT_MESSAGE_BYTES];
            make_job(&j, BY_NCCL);
            j.limit_seconds = j.desc.limit_seconds = seconds[again];
            reset_ranks(NULL);
            take_memory(&j);
            nccl->stays = 2;
            nccl->blocks = blocks;
            run_planted(&j, "ncclGroupEnd", 1, 0);
            snprintf(line, sizeof line,
                     "rank 1%s%g s: a rank did not come; destinations may be partly written",
                     lines[blocks], seconds[again]);
            if (strcmp(j.line[1], line) == 0) break;
            if (again) fail_msg("%s\nis not: %s", j.line[1], line);
        }
}

/* Rank 1 gives no destination: nothing is written anywhere, and every rank says who it was. */
TEST(test_null_pointer)
{
    for (int way = 0; way < WAYS; ++way) {
        ranks_job j;
        make_job(&j, way);
        j.limit_seconds = j.desc.limit_seconds = 20; /* nobody waits for it */
        reset_ranks(NULL);
        take_memory(&j);
        j.bad_pointer = 2;
        run_job(&j);
        for (int r = 0; r < RANKS; ++r) {
            assert_int_equal(j.status[r], CT_E_POINTER);
            if (!strstr(j.line[r], "rank 1: ") || !strstr(j.line[r], "nothing was written"))
                fail_msg("way %d: %s", way, j.line[r]);
            for (size_t i = 0; i < bytes_of(&j.desc.dst, r); ++i)
                assert_int_equal(j.dst[r][i], 0x5a);
        }
        give_memory(&j);
        assert_int_equal(fake->memories, 0);
    }
}

/* What an engine does not do, it says on every rank. */
TEST(test_carry)
{
    for (int way = BY_PEER; way <= BY_NCCL; way += BY_NCCL - BY_PEER) {
        ranks_job j;
        make_job(&j, way);
        j.limit_seconds = j.desc.limit_seconds = 20; /* nobody waits for it */
        reset_ranks(NULL);
        take_memory(&j);
        j.desc.carry = way == BY_PEER ? CT_CARRY_MESSAGES : CT_CARRY_DIRECT;
        run_job(&j);
        for (int r = 0; r < RANKS; ++r) {
            assert_int_equal(j.status[r], CT_E_BACKEND);
            assert_string_equal(
                j.line[r],
                way == BY_PEER
                    ? "rank 0: the engine peer sends no messages; nothing was written"
                    : "rank 0: the engine nccl cannot write into another rank's memory; nothing was "
                      "written");
        }
        give_memory(&j);
    }
}

/* Rank 2 leaves after the first run: the others wait for the limit, and say so. */
TEST(test_absent_rank)
{
    for (int way = 0; way < WAYS; ++way) {
        ranks_job j;
        make_job(&j, way);
        reset_ranks(NULL);
        take_memory(&j);
        j.late = 3;
        j.limit_seconds = j.desc.limit_seconds = 2; /* enough for the first run */
        const double seconds = run_job(&j);
        for (int r = 0; r < 2; ++r) {
            assert_int_equal(j.ran[r], 1);
            char line[CT_MESSAGE_BYTES];
            if (way == BY_NCCL_ALONE)
                snprintf(line, sizeof line,
                         "rank %d: the work of its stream has not ended within 2 s; nothing was "
                         "written",
                         r);
            else snprintf(line, sizeof line, "rank 2 did not come within 2 s; nothing was written");
            if (j.status[r] != CT_E_FAILED || strcmp(j.line[r], line))
                fail_msg("way %d: rank %d: %d: %s", way, r, j.status[r], j.line[r]);
        }
        assert_true(seconds < 12);
        give_memory(&j);
        assert_int_equal(fake->memories, 0);
    }
}

/* ---- engines that do not open ---------------------------------------------------------------- */

enum { OTHER_RANK, NO_COMM, OTHER_DEVICE, OTHER_HOST, NO_IPC, NO_PEER, NO_FOLLOW, KINDS };

/* What both ranks are told. */
static const char *const refusals[KINDS][2] = {
    {"the communicator is of rank 1 of 2, the host engine of rank 0 of 2",
     "the communicator is of rank 0 of 2, the host engine of rank 1 of 2"},
    {"there is no communicator", "there is no communicator"},
    {"rank 0: the communicator is of device 0, the calling thread's is 1",
     "rank 1: the communicator is of device 1, the calling thread's is 0"},
    {"rank 0: rank 1 is on another host", "rank 1: rank 0 is on another host"},
    {"rank 0: the driver opens no memory of other processes",
     "rank 1: the driver opens no memory of other processes"},
    {"rank 0: the driver is too old for peer memory",
     "rank 1: the driver is too old for peer memory"},
    {"rank 0: the driver is too old for streams that follow events",
     "rank 1: the driver is too old for streams that follow events"},
};

static ct_status (*true_gather)(ct_engine *e, const void *mine, void *all, size_t bytes,
                                double limit_seconds, char *message);
static int the_kind;

/* As the host engine's, but the other rank comes from another host or process. */
static ct_status gather_afar(ct_engine *e, const void *mine, void *all, size_t bytes,
                             double limit_seconds, char *message)
{
    const ct_status bad = true_gather(e, mine, all, bytes, limit_seconds, message);
    if (bad || bytes != sizeof(ct_peer_who)) return bad;
    ct_peer_who *const other = (ct_peer_who *)all + 1 - e->rank;
    other->host += the_kind == OTHER_HOST;
    other->process += the_kind == NO_IPC;
    return bad;
}

/* Refused on every rank. */
static ct_status open_refused(void *user, ct_engine *host, char *message)
{
    const int r = host->rank, by_nccl = the_kind <= OTHER_DEVICE;
    ct_cuda *const own = gpus[the_kind == OTHER_DEVICE ? 1 - r : r];
    ct_engine engine, afar = *host;
    (void)user;
    expect(ct_cuda_enter(own));
    ct_driver *const driver = &ct_plan_device_open(message)->gpu->driver, kept = *driver;
    if (the_kind == NO_IPC) driver->ipc_open = NULL;
    if (the_kind == NO_PEER) driver->peer_can = NULL;
    if (the_kind == NO_FOLLOW) driver->stream_follow = NULL;
    afar.gather = gather_afar;
    void *const comm = the_kind == NO_COMM ? NULL : comms[the_kind == OTHER_RANK ? 1 - r : r];
    const ct_status bad = by_nccl ? ct_nccl_engine_open(host, comm, 20, &engine, message)
                                  : ct_peer_engine_open(&afar, NULL, 20, &engine, message);
    *driver = kept;
    ct_cuda_leave(own, 0);
    if (bad != (by_nccl ? CT_E_ARGUMENT : CT_E_BACKEND) || engine.state ||
        strcmp(message, refusals[the_kind][r])) {
        fprintf(stderr, "# rank %d: %d: %s, not %s\n", r, bad, message, refusals[the_kind][r]);
        abort();
    }
    return CT_OK;
}

TEST(test_refused)
{
    char line[CT_MESSAGE_BYTES];
    for (the_kind = 0; the_kind < KINDS; ++the_kind) {
        ct_thread_group *group = NULL;
        ct_engine any;
        reset_ranks(NULL);
        make_comms(2);
        assert_int_equal(ct_thread_group_create(2, &group, line), CT_OK);
        ct_thread_group_engine(group, 0, &any);
        true_gather = any.gather; /* the same on every rank */
        assert_int_equal(ct_thread_group_run(group, open_refused, NULL, line), CT_OK);
        ct_thread_group_destroy(group);
        for (int r = 0; r < 2; ++r) call_nccl("ncclCommDestroy", comms[r]);
    }
    ct_engine engine;
    assert_int_equal(ct_peer_engine_open(NULL, NULL, 0, &engine, line), CT_E_ARGUMENT);
    assert_string_equal(line, "peer memory needs a host engine");
    assert_int_equal(ct_peer_engine_open(NULL, NULL, 0, NULL, line), CT_E_ARGUMENT);
    assert_string_equal(line, "there is no place for the engine");
    assert_int_equal(ct_nccl_engine_open(NULL, NULL, 0, NULL, line), CT_E_ARGUMENT);
    assert_string_equal(line, "there is no place for the engine");
}

/* Calls of an engine with what it does not have, and a failure without a word. */
TEST(test_calls)
{
    char line[CT_MESSAGE_BYTES];
    int all = 0;
    ct_engine e;
    reset_ranks(NULL);
    make_comms(1);
    expect(ct_cuda_enter(gpus[0]));
    assert_int_equal(ct_nccl_engine_open(NULL, comms[0], 1, &e, line), CT_OK);
    assert_int_equal(e.start(&e, 2, NULL, 0, NULL, 1, line), CT_E_ARGUMENT);
    assert_string_equal(line, "there is no slot 2");
    assert_int_equal(e.finish(&e, -1, NULL, 1, line), CT_E_ARGUMENT);
    assert_string_equal(line, "there is no slot -1");
    assert_int_equal(e.gather(&e, &all, &all, 0, 1, line), CT_E_ARGUMENT);
    assert_string_equal(line, "a record of 0 bytes; it has 1 to 1024");
    (e.fail)(&e, NULL);
    assert_int_equal(e.failed(&e, line), CT_E_FAILED);
    assert_string_equal(line, "the engine has failed");
    ct_nccl_engine_close(&e);
    ct_cuda_leave(gpus[0], 0);
    call_nccl("ncclCommDestroy", comms[0]);
}

int main(void)
{
    if (use_fakes() || use_fake_nccl()) return 2;
    open_devices();
    const int failed = run_registered("engine_faults", NULL, NULL);
    for (int r = 0; r < RANKS_MOST; ++r) ct_cuda_close(gpus[r]);
    return failed;
}
