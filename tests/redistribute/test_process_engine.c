/* The host engine of processes: records of forked ranks, ranks that do not come, that fail, that are killed. */
#include "test.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cutlet/host/engine.h>

enum { RANKS = 4, GATHERS = 300 };

/* What goes wrong on rank 2. */
enum { NONE, STAYS_AWAY, OTHER_RANKS, FAILS, LEAVES, IS_KILLED, FAULTS };

static const char *const says[FAULTS] = {"",
                                         "rank 2 did not come within 2 s",
                                         ", another rank one of ",
                                         "rank 2 has had enough",
                                         "rank 2 did not come within 2 s",
                                         "rank 2 did not come within 2 s"};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The records of all ranks are those of this gather: each has a size of its own. */
static ct_status gather_all(ct_engine *e, int number, char *line)
{
    unsigned char mine[CT_ENGINE_RECORD], all[RANKS * CT_ENGINE_RECORD];
    const size_t bytes = 1 + (size_t)(number * 37) % CT_ENGINE_RECORD;
    memset(mine, number * 5 + e->rank, bytes);
    const ct_status bad = e->gather(e, mine, all, bytes, 2, line);
    for (size_t i = 0; i < RANKS * bytes && !bad; ++i)
        if (all[i] != (unsigned char)(number * 5 + (int)(i / bytes))) {
            snprintf(line, CT_MESSAGE_BYTES, "gather %d has a wrong byte %zu", number, i);
            return CT_E_WRONG;
        }
    return bad;
}

/* The exit status of a rank: whether it ends as it has to. */
static int work(const char *name, int rank, int fault)
{
    char line[CT_MESSAGE_BYTES] = "";
    ct_engine e;
    const int at_fault = fault != NONE && rank == 2;
    const double begun = seconds();
    if (at_fault && fault == STAYS_AWAY) return 0;
    ct_status bad = ct_process_engine_open(name, rank, at_fault && fault == OTHER_RANKS ? 3 : RANKS,
                                           2, &e, line);
    for (int i = 0; i < GATHERS && !bad; ++i) {
        if (at_fault && i == 200 && fault == LEAVES) return 0;
        if (at_fault && i == 200 && fault == IS_KILLED) kill(getpid(), SIGKILL);
        if (at_fault && i == 200 && fault == FAILS) (e.fail)(&e, "rank 2 has had enough");
        bad = gather_all(&e, i, line);
    }
    if (e.state && (e.failed(&e, NULL) != CT_OK) != (bad != CT_OK)) return 1;
    ct_process_engine_close(&e);
    if (e.state) return 1;
    const int right =
        fault == NONE ? bad == CT_OK : bad != CT_OK && strstr(line, says[fault]) != NULL;
    if (!right) fprintf(stderr, "# fault %d, rank %d: %d, %s\n", fault, rank, bad, line);
    return !right || seconds() - begun > 10;
}

TEST(test_processes)
{
    for (int fault = 0; fault < FAULTS; ++fault) {
        pid_t child[RANKS];
        char name[64];
        snprintf(name, sizeof name, "/cutlet-test-%d-%d", (int)getpid(), fault);
        fflush(NULL);
        for (int r = 0; r < RANKS; ++r) {
            child[r] = fork();
            assert_true(child[r] >= 0);
            if (child[r] == 0) _exit(work(name, r, fault));
        }
        for (int r = 0; r < RANKS; ++r) {
            int status = 1;
            assert_true(waitpid(child[r], &status, 0) == child[r]);
            if (r == 2 && fault == IS_KILLED) assert_true(WIFSIGNALED(status));
            else if (status) fail_msg("fault %d, rank %d", fault, r);
        }
        char path[100]; /* its name is gone */
        snprintf(path, sizeof path, "/dev/shm%s", name);
        if (access(path, F_OK) == 0) fail_msg("%s is still there", path);
    }
}

TEST(test_refused)
{
#define NAME "a group of processes has a name as /cutlet-1, of up to 200 letters, digits, - _ or ."
    static const struct {
        const char *name;
        int32_t rank, ranks;
        const char *line;
    } rows[] = {{"/x", 0, 0, "rank 0 of 0; a group of processes has 1 to 64"},
                {"/x", 0, 65, "rank 0 of 65; a group of processes has 1 to 64"},
                {"/x", -1, 2, "rank -1 of 2; a group of processes has 1 to 64"},
                {"/x", 2, 2, "rank 2 of 2; a group of processes has 1 to 64"},
                {"x", 0, 2, NAME},
                {"/", 0, 2, NAME},
                {"/a/b", 0, 2, NAME},
                {NULL, 0, 2, NAME}};
    char line[CT_MESSAGE_BYTES];
    ct_engine e;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        assert_int_equal(
            ct_process_engine_open(rows[i].name, rows[i].rank, rows[i].ranks, 0.1, &e, line),
            CT_E_ARGUMENT);
        assert_null(e.state);
        assert_string_equal(line, rows[i].line);
    }
    assert_int_equal(ct_process_engine_open("/cutlet-test-one", 0, 1, 1, &e, line), CT_OK);
    unsigned char record[CT_ENGINE_RECORD + 1] = {0}, all[CT_ENGINE_RECORD + 1];
    assert_int_equal(e.gather(&e, record, all, sizeof record, 1, line), CT_E_ARGUMENT);
    assert_string_equal(line, "a record of 1025 bytes; it has up to 1024");
    assert_int_equal(e.gather(&e, record, all, sizeof record - 1, 1, line), CT_OK);
    (e.fail)(&e, NULL);
    assert_int_equal(e.failed(&e, line), CT_E_FAILED);
    assert_string_equal(line, "it has failed");
    ct_process_engine_close(&e);
    ct_process_engine_close(&e);
    ct_process_engine_close(NULL);
}

GROUP("process engine", NULL, NULL)
