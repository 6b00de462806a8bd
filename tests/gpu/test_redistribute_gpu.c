/* Redistribution between two GPUs of one host, through peer memory and through NCCL: random pairs of sharded
 * layouts, every element compared with an enumeration; a rank that fails, and a process that is killed, of
 * which the other one learns within the stated time. A plain program that prints TAP: it needs no cmocka.
 * Skipped, with the reason, with fewer than two GPUs; NCCL's part, by name, without NCCL. CUTLET_GPU_CASES
 * sets the number of random pairs of each way, without processes that are killed; CUTLET_SEED the first of them. CUTLET_NCCL names the library
 * where the loader does not find it. CUTLET_GPU_PROCESSES of 0 leaves out two processes: a tool may see only
 * what its own one writes. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cutlet/host/cuda.h>
#include <cutlet/host/engine_cuda.h>
#include <cutlet/host/redistribute.h>
#include "dice.h"
#include "process_host.h"
#include "sharded_element.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 2, FILLER = 0x5a, SKIPPED = 77 };

/* How bytes are carried. */
enum { BY_PEER, BY_KERNELS, BY_STAGED, BY_NCCL, BY_NCCL_ALONE, WAYS };

static const char *const way_names[] = {"peer memory", "peer memory by kernels alone",
                                        "peer memory, staged", "NCCL", "NCCL, its records too"};

/* What makes a communicator of several processes. */
typedef struct unique_id {
    char bytes[128];
} unique_id;

/* The parts of the driver and of NCCL that a program with several GPUs calls itself. */
static struct api {
    void *cuda, *nccl;
    int (*retain)(void **context, int device);
    int (*set)(void *context);
    int (*get)(int *device, int ordinal);
    int (*stream)(void **stream, unsigned flags);
    int (*init_all)(void **comms, int count, const int *devices);
    int (*unique)(unique_id *id);
    int (*init_rank)(void **comm, int ranks, unique_id id, int rank);
    int (*destroy)(void *comm);
} api;

static ct_cuda *gpus[RANKS];
static void *contexts[RANKS], *streams[RANKS], *comms[RANKS];
static int planned, failures;

static void result(int right, const char *name, const char *line)
{
    ++planned;
    failures += !right;
    printf("%sok %d - %s\n", right ? "" : "not ", planned, name);
    if (!right) printf("# %s\n", line);
    fflush(stdout);
}

static void skip(const char *name, const char *reason)
{
    printf("ok %d - %s # SKIP %s\n", ++planned, name, reason);
}

/* ---- elements -------------------------------------------------------------------------------- */

static void put_all(const ct_redistribute_side *s, int rank, unsigned char *memory)
{
    const ct_sharded *const L = &s->layout;
    int64_t size = 1, coord[CT_SHARDED_MODES] = {0};
    for (int k = 0; k < L->modes; ++k) size *= L->shape[k];
    for (int64_t i = 0; i < size; ++i) {
        const int64_t at = ct_sharded_offset(L, rank, coord);
        if (at >= 0) put_element(s, memory + at * s->elem_bytes, (uint64_t)i);
        for (int k = 0; k < L->modes && ++coord[k] == L->shape[k]; ++k) coord[k] = 0;
    }
}

/* ---- one redistribution ---------------------------------------------------------------------- */

typedef struct job {
    ct_redistribute_desc desc;
    int way;
    unsigned char *host[2][RANKS], *device[2][RANKS]; /* source and destination of each rank */
    size_t bytes[2][RANKS];
    char line[RANKS][CT_MESSAGE_BYTES];
    ct_status status[RANKS];
} job;

static ct_status open_engine(int way, ct_engine *host, ct_engine *engine, char *line)
{
    const ct_peer_options kernels = {.row_bytes = -1}, rows = {.row_bytes = 64};
    if (way < BY_NCCL)
        return ct_peer_engine_open(host, way == BY_KERNELS ? &kernels : &rows, 0, engine, line);
    return ct_nccl_engine_open(way == BY_NCCL ? host : NULL, comms[host->rank], 0, engine, line);
}

static void close_engine(int way, ct_engine *engine)
{
    if (way < BY_NCCL) ct_peer_engine_close(engine);
    else ct_nccl_engine_close(engine);
}

/* All jobs of one way, with one engine for each rank. */
typedef struct jobs {
    job *job;
    int count, way;
} jobs;

static ct_status run_jobs(void *user, ct_engine *host, char *message)
{
    const jobs *const all = user;
    const int r = host->rank;
    ct_engine engine = {0};
    if (api.set(contexts[r])) return CT_E_FAILED;
    ct_status bad = open_engine(all->way, host, &engine, message);
    for (int i = 0; i < all->count && !bad; ++i) {
        job *const j = &all->job[i];
        ct_redistribute *plan = NULL;
        ct_redistribute_desc desc = j->desc;
        if (all->way == BY_STAGED) desc.carry = CT_CARRY_STAGED;
        bad = ct_redistribute_create(&desc, r, &plan, message);
        for (int again = 0; again < 2 && !bad; ++again)
            bad = ct_redistribute_run(plan, &engine, j->device[1][r], j->device[0][r], streams[r],
                                      message);
        ct_redistribute_destroy(plan);
        j->status[r] = bad;
    }
    close_engine(all->way, &engine);
    return bad;
}

/* Memory of one rank, with its elements of the source. */
static int take_rank(job *j, int r, char *line)
{
    for (int side = 0; side < 2; ++side) {
        const ct_redistribute_side *const s = side ? &j->desc.dst : &j->desc.src;
        const size_t bytes = (size_t)ct_sharded_span(&s->layout, r) * (size_t)s->elem_bytes + 16;
        j->bytes[side][r] = bytes;
        j->host[side][r] = malloc(bytes);
        j->device[side][r] = ct_cuda_alloc(gpus[r], bytes);
        snprintf(line, CT_MESSAGE_BYTES, "%s", ct_cuda_error(gpus[r]));
        if (!j->host[side][r] || !j->device[side][r]) return -1;
        memset(j->host[side][r], FILLER, bytes);
        if (side == 0) put_all(s, r, j->host[side][r]);
        if (ct_cuda_upload(gpus[r], j->device[side][r], j->host[side][r], bytes)) return -1;
    }
    return 0;
}

static int take_job(job *j, char *line)
{
    int bad = 0;
    for (int r = 0; r < RANKS && !bad; ++r) bad = take_rank(j, r, line);
    return bad;
}

/* Whether a rank's memory is right, bytes between elements too; gives it back. */
static int drop_rank(job *j, int r, char *line)
{
    int right = 1;
    unsigned char *const got = malloc(j->bytes[1][r]);
    put_all(&j->desc.dst, r, j->host[1][r]);
    if (!got || ct_cuda_download(gpus[r], got, j->device[1][r], j->bytes[1][r])) {
        snprintf(line, CT_MESSAGE_BYTES, "%s", ct_cuda_error(gpus[r]));
        right = 0;
    } else if (memcmp(got, j->host[1][r], j->bytes[1][r]) != 0) {
        size_t at = 0;
        while (got[at] == j->host[1][r][at]) ++at;
        snprintf(line, CT_MESSAGE_BYTES, "byte %zu of %zu of rank %d is wrong", at, j->bytes[1][r],
                 r);
        right = 0;
    }
    free(got);
    for (int side = 0; side < 2; ++side) {
        free(j->host[side][r]);
        ct_cuda_free(gpus[r], j->device[side][r]);
    }
    return right;
}

static int drop_job(job *j, char *line)
{
    int right = 1;
    for (int r = 0; r < RANKS; ++r) right &= drop_rank(j, r, line);
    return right;
}

/* ---- random pairs ---------------------------------------------------------------------------- */

static void random_form(dice *d, const int64_t *extent, int modes, char *text, size_t capacity)
{
    static const char *const orders[] = {"/c", "/f", "/local", "/c"};
    const int mode = (int)dice_int(d, 0, modes - 1), kind = (int)dice_int(d, 0, 6);
    const char *const order = orders[dice_int(d, 0, 3)];
    if (kind == 0) snprintf(text, capacity, "replicate%s", order);
    else if (kind < 4) snprintf(text, capacity, "shard:%d%s", mode, order);
    else
        snprintf(text, capacity, "cyclic:%d:%d%s", mode,
                 (int)dice_int(d, 1, ct_max(extent[mode] / 2, 1)), order);
}

/* is_small: a few thousand elements, as a tool that slows everything down can take; otherwise this many that
 * kernels are compiled for most. */
static int random_job(dice *d, job *j, int is_small, char *text, char *line)
{
    static const int32_t types[][2] = {{CT_TYPE_FLOAT, CT_TYPE_DOUBLE},
                                       {CT_TYPE_DOUBLE, CT_TYPE_FLOAT},
                                       {CT_TYPE_FLOAT, CT_TYPE_INT8},
                                       {CT_TYPE_INT8, CT_TYPE_FLOAT}};
    const int modes = (int)dice_int(d, 1, 5);
    static const int64_t most[2][6] = {{0, 400000, 700, 90, 30, 16}, {0, 3000, 60, 16, 8, 6}};
    int64_t extent[5];
    char forms[2][80];
    memset(j, 0, sizeof *j);
    ct_tuple shape = CT_ZERO;
    for (int k = 0; k < modes; ++k) {
        extent[k] = dice_int(d, 1, most[is_small][modes]);
        shape = k ? ct_append(shape, ct_int(extent[k])) : ct_tuple1(extent[k]);
    }
    for (int side = 0; side < 2; ++side) {
        ct_redistribute_side *const s = side ? &j->desc.dst : &j->desc.src;
        random_form(d, extent, modes, forms[side], sizeof *forms);
        if (ct_parse_sharded(forms[side], shape, ct_tuple1(RANKS), &s->layout, line)) return -1;
        s->elem_bytes = 1 << (modes + extent[0]) % 4;
    }
    if (dice_int(d, 0, 2) == 0) {
        static const int32_t bytes[] = {0, 2, 2, 4, 8, 1};
        const int32_t *const t = types[dice_int(d, 0, 3)];
        j->desc.src.type = t[0];
        j->desc.dst.type = t[1];
        j->desc.src.elem_bytes = bytes[t[0]];
        j->desc.dst.elem_bytes = bytes[t[1]];
    }
    j->desc.backend = CT_BACKEND_CUDA;
    j->desc.chunk_bytes = dice_int(d, 0, 1) ? 1 << 16 : 1 << 22;
    j->desc.scratch_bytes = 4 * j->desc.chunk_bytes;
    snprintf(text, 200, "%s to %s of %d modes, %d to %d bytes", forms[0], forms[1], modes,
             j->desc.src.elem_bytes, j->desc.dst.elem_bytes);
    return 0;
}

static void check_way(int way, int count, int is_small, uint64_t seed)
{
    job *const all = calloc((size_t)count, sizeof *all);
    char(*const texts)[200] = calloc((size_t)count, sizeof *texts);
    char line[CT_MESSAGE_BYTES] = "out of memory", name[300], why[CT_MESSAGE_BYTES];
    ct_thread_group *group = NULL;
    jobs work = {all, 0, way};
    if (!all || !texts) exit(2);
    for (; work.count < count; ++work.count) {
        dice d = dice_of_case(seed, (uint64_t)work.count);
        if (random_job(&d, &all[work.count], is_small, texts[work.count], line) ||
            take_job(&all[work.count], line)) {
            result(0, texts[work.count], line);
            break;
        }
    }
    ct_status bad = ct_thread_group_create(RANKS, &group, line);
    if (!bad) bad = ct_thread_group_run(group, run_jobs, &work, line);
    ct_thread_group_destroy(group);
    for (int i = 0; i < work.count; ++i) {
        const int right = drop_job(&all[i], why);
        snprintf(name, sizeof name, "%s: case %d of seed %llu: %s", way_names[way], i,
                 (unsigned long long)seed, texts[i]);
        result(!bad && right, name, bad ? line : why);
    }
    free(all);
    free(texts);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* Rank 1 gives no memory: both ranks say so, and nothing is written. */
static ct_status run_without_memory(void *user, ct_engine *host, char *message)
{
    const jobs *const all = user;
    const int r = host->rank;
    job *const j = all->job;
    ct_engine engine = {0};
    ct_redistribute *plan = NULL;
    if (api.set(contexts[r])) return CT_E_FAILED;
    ct_status bad = open_engine(all->way, host, &engine, message);
    if (!bad) bad = ct_redistribute_create(&j->desc, r, &plan, message);
    if (!bad)
        j->status[r] = ct_redistribute_run(plan, &engine, r ? NULL : j->device[1][r],
                                           j->device[0][r], streams[r], j->line[r]);
    ct_redistribute_destroy(plan);
    close_engine(all->way, &engine);
    return bad;
}

static void check_failure(int way)
{
    job j;
    char line[CT_MESSAGE_BYTES], name[200];
    jobs work = {&j, 1, way};
    ct_thread_group *group = NULL;
    memset(&j, 0, sizeof j);
    for (int side = 0; side < 2; ++side) {
        ct_redistribute_side *const s = side ? &j.desc.dst : &j.desc.src;
        if (ct_parse_sharded(side ? "shard:1" : "shard:0", ct_tuple2(60, 40), ct_tuple1(RANKS),
                             &s->layout, line))
            exit(2);
        s->elem_bytes = 4;
    }
    j.desc.backend = CT_BACKEND_CUDA;
    j.desc.limit_seconds = 5;
    if (take_job(&j, line)) exit(2);
    ct_status bad = ct_thread_group_create(RANKS, &group, line);
    if (!bad) bad = ct_thread_group_run(group, run_without_memory, &work, line);
    ct_thread_group_destroy(group);
    snprintf(name, sizeof name, "%s: a rank without memory", way_names[way]);
    const int right = !bad && j.status[0] == CT_E_POINTER && j.status[1] == CT_E_POINTER &&
                      strstr(j.line[0], "rank 1: ") != NULL;
    result(right, name, bad ? line : j.line[0]);
    drop_job(&j, line);
}

/* ---- devices --------------------------------------------------------------------------------- */

static int find(void *library, const char *name, void *function)
{
    void *const found = library ? dlsym(library, name) : NULL;
    memcpy(function, &found, sizeof found);
    return found ? 0 : -1;
}

/* The devices from first on, before last. 0; or -1 and a line. */
static int open_devices(int first, int last, char *line)
{
    const char *const chosen = getenv("CUTLET_CUDA_DRIVER");
    for (int r = first; r < last; ++r) {
        gpus[r] = ct_cuda_open(r, line);
        if (!gpus[r]) return -1;
    }
    api.cuda = dlopen(chosen && *chosen ? chosen : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    snprintf(line, CT_MESSAGE_BYTES, "no GPU: the driver lacks a function");
    if (find(api.cuda, "cuDevicePrimaryCtxRetain", &api.retain) ||
        find(api.cuda, "cuCtxSetCurrent", &api.set) || find(api.cuda, "cuDeviceGet", &api.get) ||
        find(api.cuda, "cuStreamCreate", &api.stream))
        return -1;
    for (int r = first; r < last; ++r) {
        int device = 0;
        if (api.get(&device, r) || api.retain(&contexts[r], device) || api.set(contexts[r]) ||
            api.stream(&streams[r], 1)) {
            snprintf(line, CT_MESSAGE_BYTES, "no GPU: device %d has no context", r);
            return -1;
        }
    }
    return 0;
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *const text = getenv(name);
    return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

/* ---- processes ------------------------------------------------------------------------------- */

/* One rank in a process of its own, which reaches the other's memory by its handle: that stays until both
 * engines are closed. The exit status. */
static int run_process(process_group *group, int r, int count, uint64_t seed)
{
    char line[CT_MESSAGE_BYTES] = "", why[CT_MESSAGE_BYTES] = "", text[200];
    ct_engine host = process_engine(group, r), engine = {0};
    job *const all = calloc((size_t)count, sizeof *all);
    int taken = 0, right = 1, mine = 1, theirs[RANKS];
    if (!all || open_devices(r, r + 1, line)) {
        process_fail(&host, line);
        return SKIPPED;
    }
    for (; taken < count; ++taken) {
        dice d = dice_of_case(seed, (uint64_t)taken);
        if (random_job(&d, &all[taken], 1, text, line) || take_rank(&all[taken], r, line)) return 1;
    }
    ct_status bad = ct_peer_engine_open(&host, NULL, 0, &engine, line);
    for (int i = 0; i < count && !bad; ++i) {
        ct_redistribute *plan = NULL;
        ct_redistribute_desc desc = all[i].desc;
        if (i % 2) desc.carry = CT_CARRY_STAGED;
        bad = ct_redistribute_create(&desc, r, &plan, line);
        for (int again = 0; again < 2 && !bad; ++again)
            bad = ct_redistribute_run(plan, &engine, all[i].device[1][r], all[i].device[0][r],
                                      streams[r], line);
        ct_redistribute_destroy(plan);
    }
    ct_peer_engine_close(&engine);
    if (bad) printf("# rank %d: %s\n", r, line);
    else bad = host.gather(&host, &mine, theirs, sizeof mine, 30, line);
    for (int i = 0; i < count; ++i) {
        if (drop_rank(&all[i], r, why)) continue;
        if (right)
            printf("# rank %d: case %d of seed %llu: %s\n", r, i, (unsigned long long)seed, why);
        right = 0;
    }
    fflush(stdout);
    ct_cuda_close(gpus[r]);
    free(all);
    return bad || !right;
}

/* Forks before this process has a device. */
static void check_processes(int count, uint64_t seed)
{
    static const char name[] = "peer memory of two processes";
    process_group *const group = process_group_make(RANKS);
    pid_t child[RANKS];
    int skipped = 0, failed = !group;
    fflush(NULL);
    for (int r = 0; r < RANKS && group; ++r) {
        child[r] = fork();
        if (child[r] == 0) _exit(run_process(group, r, count, seed));
    }
    for (int r = 0; r < RANKS && group; ++r) {
        int status = 1;
        if (child[r] < 0 || waitpid(child[r], &status, 0) != child[r]) failed = 1;
        else if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) skipped = 1;
        else failed |= status != 0;
    }
    if (skipped) skip(name, "a process has no GPU");
    else result(!failed, name, "see above");
}

/* ---- a process that is killed ---------------------------------------------------------------- */

static const double kill_limit = 2; /* seconds that a rank waits for another */

/* NULL where NCCL is there, or why it is not. */
static const char *load_nccl(void)
{
    const char *const chosen = getenv("CUTLET_NCCL");
    if (chosen && (!*chosen || strcmp(chosen, "0") == 0)) return "CUTLET_NCCL turns NCCL off";
    api.nccl = dlopen(chosen ? chosen : "libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (find(api.nccl, "ncclCommInitAll", &api.init_all) ||
        find(api.nccl, "ncclCommDestroy", &api.destroy) ||
        find(api.nccl, "ncclGetUniqueId", &api.unique) ||
        find(api.nccl, "ncclCommInitRank", &api.init_rank))
        return "no NCCL: CUTLET_NCCL may name libnccl.so.2";
    return NULL;
}

/* A communicator of this process and the other: the first one's number goes by the host engine. */
static int make_comm(ct_engine *host, int r, char *line)
{
    unique_id mine, all[RANKS];
    memset(&mine, 0, sizeof mine);
    if (r == 0 && api.unique(&mine)) return -1;
    if (host->gather(host, &mine, all, sizeof mine, 20, line)) return -1;
    return api.init_rank(&comms[r], RANKS, all[0], r) ? -1 : 0;
}

static void *kill_soon(void *moment)
{
    nanosleep(moment, NULL);
    kill(getpid(), SIGKILL);
    return NULL;
}

/* Runs until a run fails. Rank 1 is killed within a fraction of a second, wherever it is. The exit status. */
static int run_to_death(process_group *group, int r, int way)
{
    char line[CT_MESSAGE_BYTES] = "";
    ct_engine host = process_engine(group, r), engine = {0};
    struct timespec moment = {0, 150000000 + 37000000 * way};
    ct_redistribute *plan = NULL;
    pthread_t killer;
    double seconds = 0;
    int runs = 0;
    job j;
    memset(&j, 0, sizeof j);
    if (open_devices(r, r + 1, line) || (way >= BY_NCCL && load_nccl())) {
        process_fail(&host, "skipped");
        return SKIPPED;
    }
    if (way >= BY_NCCL && make_comm(&host, r, line)) return 1;
    for (int side = 0; side < 2; ++side) {
        ct_redistribute_side *const s = side ? &j.desc.dst : &j.desc.src;
        if (ct_parse_sharded(side ? "shard:1" : "shard:0", ct_tuple2(1024, 1000), ct_tuple1(RANKS),
                             &s->layout, line))
            return 1;
        s->elem_bytes = 4;
    }
    j.desc.backend = CT_BACKEND_CUDA;
    j.desc.limit_seconds = kill_limit;
    if (way == BY_STAGED) j.desc.carry = CT_CARRY_STAGED;
    if (take_rank(&j, r, line) || open_engine(way, &host, &engine, line) ||
        ct_redistribute_create(&j.desc, r, &plan, line)) {
        printf("# rank %d: %s\n", r, line);
        return 1;
    }
    ct_status bad =
        ct_redistribute_run(plan, &engine, j.device[1][r], j.device[0][r], streams[r], line);
    if (!bad && r == 1 && pthread_create(&killer, NULL, kill_soon, &moment)) return 1;
    for (; !bad; ++runs) {
        const double begun = process_seconds();
        bad = ct_redistribute_run(plan, &engine, j.device[1][r], j.device[0][r], streams[r], line);
        seconds = process_seconds() - begun;
    }
    const double begun = process_seconds();
    ct_redistribute_destroy(plan);
    close_engine(way, &engine);
    printf("# %s: after %d runs rank %d learns of it within %.2f s, and closes within %.2f s: %s\n",
           way_names[way], runs, r, seconds, process_seconds() - begun, line);
    fflush(stdout);
    return runs == 0 || bad != CT_E_FAILED || seconds > 2 * kill_limit + 1;
}

/* Waits for a child, for this many seconds; its status, or -1. */
static int wait_for(pid_t child, double seconds)
{
    const struct timespec moment = {0, 10000000};
    const double begun = process_seconds();
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (process_seconds() - begun > seconds) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return -1;
        }
        nanosleep(&moment, NULL);
    }
    return status;
}

/* Forks before this process has a device. */
static void check_killed(int way)
{
    char name[200];
    process_group *const group = process_group_make(RANKS);
    pid_t child[RANKS] = {-1, -1};
    int status[RANKS];
    snprintf(name, sizeof name, "%s: one of two processes is killed", way_names[way]);
    fflush(NULL);
    for (int r = 0; r < RANKS && group; ++r) {
        child[r] = fork();
        if (child[r] == 0) _exit(run_to_death(group, r, way));
    }
    for (int r = RANKS - 1; r >= 0; --r) status[r] = child[r] > 0 ? wait_for(child[r], 60) : -1;
    if (WIFEXITED(status[0]) && WEXITSTATUS(status[0]) == SKIPPED)
        skip(name, "a process has no GPU, or no NCCL");
    else result(status[0] == 0 && WIFSIGNALED(status[1]), name, "see above");
    if (group) munmap(group, sizeof *group);
}

int main(void)
{
    char line[CT_MESSAGE_BYTES];
    const uint64_t cases = number_of("CUTLET_GPU_CASES", 0), seed = number_of("CUTLET_SEED", 59);
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    if (number_of("CUTLET_GPU_PROCESSES", 1)) check_processes(cases ? (int)cases : 20, seed + 100);
    else skip("peer memory of two processes", "CUTLET_GPU_PROCESSES is 0");
    for (int way = 0; way < WAYS && !cases; ++way) check_killed(way);
    if (open_devices(0, RANKS, line)) {
        printf("# %s\n1..%d\n", line, planned);
        return SKIPPED;
    }
    const char *no_nccl = load_nccl();
    if (!no_nccl && api.init_all(comms, RANKS, NULL)) no_nccl = "ncclCommInitAll fails";
    for (int way = 0; way < WAYS; ++way) {
        if (way >= BY_NCCL && no_nccl) {
            skip(way_names[way], no_nccl);
            continue;
        }
        check_way(way, cases ? (int)cases : 60, 1, seed + (uint64_t)way);
        if (!cases) check_way(way, 20, 0, seed + 10 + (uint64_t)way);
        check_failure(way);
    }
    printf("1..%d\n", planned);
    for (int r = 0; r < RANKS && !no_nccl; ++r) api.destroy(comms[r]);
    for (int r = 0; r < RANKS; ++r) ct_cuda_close(gpus[r]);
    return failures > 0;
}
