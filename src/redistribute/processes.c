/* The host engine whose ranks are processes of one host: records in memory that they share. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/refuse.h"
#include <cutlet/host/engine.h>

enum { RANKS_MAX = 64, NAME_MAX_LENGTH = 200 };

/* The record of one rank; the others only read it. */
typedef struct member {
    _Atomic int64_t gathers;                   /* that it has entered */
    unsigned char record[2][CT_ENGINE_RECORD]; /* of two alternating gathers */
} member;

/* What the processes share. Zeros at first. */
typedef struct shared {
    _Atomic int32_t ranks;   /* of the first to come */
    _Atomic int32_t most;    /* the most that any rank says there are ... */
    _Atomic int32_t come;    /* ... and how many have come */
    _Atomic int32_t telling; /* 1 + the rank that has failed first */
    _Atomic int32_t failed;  /* whether `why` is written */
    char why[CT_MESSAGE_BYTES];
    member member[RANKS_MAX];
} shared;

typedef struct state {
    shared *all;
    int64_t gathers;
} state;

static void tell(shared *all, int32_t rank, const char *why)
{
    int32_t nobody = 0;
    if (!atomic_compare_exchange_strong(&all->telling, &nobody, rank + 1)) return;
    ct_one_line(all->why, sizeof all->why, "%s", why ? why : "it has failed");
    atomic_store(&all->failed, 1);
}

static ct_status failed(ct_engine *e, char *message)
{
    shared *const all = ((state *)e->state)->all;
    return atomic_load(&all->failed) ? ct_refuse(message, CT_E_FAILED, "%s", all->why) : CT_OK;
}

static void fail(ct_engine *e, const char *message)
{
    tell(((state *)e->state)->all, e->rank, message);
}

static ct_status gather(ct_engine *e, const void *mine, void *all, size_t bytes,
                        double limit_seconds, char *message)
{
    state *const s = e->state;
    const double begun = ct_now();
    if (bytes > CT_ENGINE_RECORD)
        return ct_refuse(message, CT_E_ARGUMENT, "a record of %zu bytes; it has up to %d", bytes,
                         CT_ENGINE_RECORD);
    const int64_t number = ++s->gathers;
    memcpy(s->all->member[e->rank].record[number % 2], mine, bytes);
    atomic_store(&s->all->member[e->rank].gathers, number);
    for (int32_t i = 0; i < e->ranks; ++i) {
        while (atomic_load(&s->all->member[i].gathers) < number) {
            ct_status bad = failed(e, message);
            if (bad) return bad;
            if (ct_now() - begun > limit_seconds) {
                char why[CT_MESSAGE_BYTES];
                ct_one_line(why, sizeof why, "rank %d did not come within %g s", i, limit_seconds);
                tell(s->all, i, why);
                return failed(e, message) ? CT_E_FAILED
                                          : ct_refuse(message, CT_E_FAILED, "%s", why);
            }
            ct_pause(begun);
        }
        memcpy((char *)all + (size_t)i * bytes, s->all->member[i].record[number % 2], bytes);
    }
    return CT_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int is_name(const char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    const size_t length = name && name[0] == '/' ? strspn(name + 1, letters) : 0;
    return length > 0 && length <= NAME_MAX_LENGTH && name[1 + length] == 0;
}

static shared *map(const char *name, char *message)
{
    const int file = shm_open(name, O_CREAT | O_RDWR, S_IRUSR | S_IWUSR);
    void *memory = MAP_FAILED;
    if (file >= 0 && ftruncate(file, sizeof(shared)) == 0)
        memory = mmap(NULL, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) ct_refuse(message, CT_E_FAILED, "%s: %s", name, strerror(errno));
    if (file >= 0) close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Counts a rank that has come. */
static void arrive(shared *all, int32_t ranks)
{
    int32_t most = atomic_load(&all->most);
    while (most < ranks && !atomic_compare_exchange_weak(&all->most, &most, ranks)) continue;
    atomic_fetch_add(&all->come, 1);
}

/* Removes the name when all have come, who find nothing there otherwise, or when the time is over. */
static void remove_name(const char *name, const shared *all, double begun, double limit_seconds)
{
    while (atomic_load(&all->come) < atomic_load(&all->most) && ct_now() - begun <= limit_seconds)
        ct_pause(begun);
    shm_unlink(name);
}

/* All have arrived, with one number of ranks and different places. */
static ct_status meet(ct_engine *e, double limit_seconds, char *message)
{
    const state *const s = e->state;
    int32_t first = 0, all[RANKS_MAX];
    if (!atomic_compare_exchange_strong(&s->all->ranks, &first, e->ranks) && first != e->ranks) {
        char why[CT_MESSAGE_BYTES];
        ct_one_line(why, sizeof why, "rank %d is one of %d, another rank one of %d", e->rank,
                    e->ranks, first);
        tell(s->all, e->rank, why);
        return ct_refuse(message, CT_E_ARGUMENT, "%s", why);
    }
    return gather(e, &e->rank, all, sizeof e->rank, limit_seconds, message);
}

ct_status ct_process_engine_open(const char *name, int32_t rank, int32_t ranks,
                                 double limit_seconds, ct_engine *engine,
                                 char message[CT_MESSAGE_BYTES])
{
    memset(engine, 0, sizeof *engine);
    if (ranks < 1 || ranks > RANKS_MAX || rank < 0 || rank >= ranks)
        return ct_refuse(message, CT_E_ARGUMENT, "rank %d of %d; a group of processes has 1 to %d",
                         rank, ranks, RANKS_MAX);
    if (!is_name(name))
        return ct_refuse(message, CT_E_ARGUMENT,
                         "a group of processes has a name as /cutlet-1, of up to %d "
                         "letters, digits, - _ or .",
                         NAME_MAX_LENGTH);
    state *const s = calloc(1, sizeof *s);
    if (!s) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    s->all = map(name, message);
    if (!s->all) {
        free(s);
        return CT_E_FAILED;
    }
    *engine = (ct_engine){.name = "processes",
                          .state = s,
                          .rank = rank,
                          .ranks = ranks,
                          .gather = gather,
                          .failed = failed,
                          .fail = fail};
    const double begun = ct_now(), limit = limit_seconds > 0 ? limit_seconds : 30;
    arrive(s->all, ranks);
    const ct_status bad = meet(engine, limit, message);
    if (rank == 0 || bad) remove_name(name, s->all, begun, limit);
    if (bad) ct_process_engine_close(engine);
    return bad;
}

void ct_process_engine_close(ct_engine *engine)
{
    if (!engine || !engine->state) return;
    state *const s = engine->state;
    munmap(s->all, sizeof *s->all);
    free(s);
    memset(engine, 0, sizeof *engine);
}
