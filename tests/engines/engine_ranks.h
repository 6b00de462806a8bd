/**
 * Ranks with a device each, on the fake driver and the fake NCCL: a redistribution by all of them, compared
 * with an enumeration.
 */
#ifndef CUTLET_TESTS_ENGINE_RANKS_H
#define CUTLET_TESTS_ENGINE_RANKS_H

#include <cutlet/host/engine_cuda.h>
#include <cutlet/host/redistribute.h>
#include "fake_nccl.h"
#include "plan_fake.h"
#include "sharded_element.h"

#include <time.h>

enum { RANKS_MOST = 5, SPAN_MOST = 1 << 14 };

/** How bytes are carried: by peer memory, staged there, by NCCL with the threads' host engine, by NCCL alone. */
enum { BY_PEER, BY_PEER_ROWS, BY_PEER_STAGED, BY_NCCL, BY_NCCL_ALONE, WAYS };

static fake_nccl_state *nccl;
static ct_cuda *gpus[RANKS_MOST];
static void *comms[RANKS_MOST];

/** What all ranks do together, and how it ended on each. */
typedef struct ranks_job {
    ct_redistribute_desc desc;
    int way, ranks, runs;
    double limit_seconds;
    unsigned char *src[RANKS_MOST], *dst[RANKS_MOST]; /* memory of the devices */
    void *stream[RANKS_MOST];
    ct_status status[RANKS_MOST];
    int aborted[RANKS_MOST]; /* whether its communicator was, when it ended */
    int ran[RANKS_MOST];     /* runs that ended well */
    char line[RANKS_MOST][CT_MESSAGE_BYTES];
    char engine[RANKS_MOST][CT_MESSAGE_BYTES]; /* what the engine says of itself at the end */
    int left;        /* memory that NCCL knew when all engines were closed */
    int bad_pointer; /* 1 + the rank that gives no destination; 0: none */
    int late;        /* 1 + the rank that does not come to the second run; 0: none */
} ranks_job;

/** A call of NCCL that a test makes itself. */
static inline int call_nccl(const char *name, void *comm)
{
    void *const library = dlopen(getenv("FAKE_NCCL"), RTLD_NOW | RTLD_LOCAL);
    int (*function)(void *comm) = NULL;
    *(void **)&function = library ? dlsym(library, name) : NULL;
    return function ? function(comm) : -1;
}

/** The context of a rank's device. */
static inline void *fake_pointer_of(int rank)
{
    return (void *)(uintptr_t)(FAKE_CONTEXT + FAKE_DEVICE + rank);
}

/** Finds the fake NCCL and names it to libcutlet. */
static inline int use_fake_nccl(void)
{
    void *const library =
        getenv("FAKE_NCCL") ? dlopen(getenv("FAKE_NCCL"), RTLD_NOW | RTLD_LOCAL) : NULL;
    nccl = library ? (fake_nccl_state *)dlsym(library, "fake_nccl") : NULL;
    if (!nccl) fprintf(stderr, "FAKE_NCCL has to name the library made from fake_nccl.c\n");
    if (nccl) setenv("CUTLET_NCCL", getenv("FAKE_NCCL"), 1);
    return nccl ? 0 : -1;
}

static inline void make_comms(int ranks)
{
    void *const library = dlopen(getenv("FAKE_NCCL"), RTLD_NOW | RTLD_LOCAL);
    int (*init)(void **made, int count, const int *devices) = NULL;
    *(void **)&init = library ? dlsym(library, "ncclCommInitAll") : NULL;
    assert_non_null(init);
    assert_int_equal(init(comms, ranks, NULL), 0);
}

/** Devices with deferred streams, opened once. */
static inline void open_devices(void)
{
    char reason[CT_MESSAGE_BYTES];
    fake->devices = RANKS_MOST;
    for (int r = 0; r < RANKS_MOST; ++r) {
        gpus[r] = ct_cuda_open(r, reason);
        if (!gpus[r]) fail_msg("%s", reason);
    }
    gpu = gpus[0];
}

/** As reset_fake, with deferred streams. */
static inline int reset_ranks(void **state)
{
    reset_fake(state);
    memset(nccl, 0, sizeof *nccl);
    nccl->fail_rank = -1;
    fake->devices = RANKS_MOST;
    fake->deferred = 1;
    return 0;
}

/** An engine by that way. Collective. */
static inline ct_status open_engine(const ranks_job *j, ct_engine *host, ct_engine *engine,
                                    char *line)
{
    const ct_peer_options rows = {.row_bytes = 8}, kernels = {.row_bytes = -1};
    if (j->way < BY_NCCL)
        return ct_peer_engine_open(host, j->way == BY_PEER ? &kernels : &rows, j->limit_seconds,
                                   engine, line);
    return ct_nccl_engine_open(j->way == BY_NCCL ? host : NULL, comms[host->rank], j->limit_seconds,
                               engine, line);
}

static inline void close_engine(const ranks_job *j, ct_engine *engine)
{
    if (j->way < BY_NCCL) ct_peer_engine_close(engine);
    else ct_nccl_engine_close(engine);
}

/** What one rank does. The status stays with the job, so that every rank's is known. */
static inline ct_status rank_work(void *user, ct_engine *host, char *unread)
{
    ranks_job *const j = user;
    const int r = host->rank;
    char *const line = j->line[r];
    ct_redistribute *plan = NULL;
    ct_engine engine = {0};
    (void)unread;
    ct_status bad = ct_cuda_enter(gpus[r]);
    if (bad) {
        j->status[r] = bad;
        snprintf(line, CT_MESSAGE_BYTES, "%s", ct_cuda_error(gpus[r]));
        (host->fail)(host, line);
        return CT_OK;
    }
    bad = open_engine(j, host, &engine, line);
    ct_redistribute_desc desc = j->desc;
    if (j->way == BY_PEER_STAGED) desc.carry = CT_CARRY_STAGED;
    if (!bad) bad = ct_redistribute_create(&desc, r, &plan, line);
    for (int i = 0; i < j->runs && !bad; ++i) {
        if (i == 1 && j->late == 1 + r) break;
        void *const dst = j->bad_pointer == 1 + r ? NULL : j->dst[r];
        bad = ct_redistribute_run(plan, &engine, dst, j->src[r], j->stream[r], line);
        j->ran[r] += !bad;
    }
    ct_redistribute_destroy(plan);
    j->aborted[r] = j->way >= BY_NCCL && ct_nccl_engine_has_aborted(&engine);
    if (j->way >= BY_NCCL) ct_nccl_engine_describe(&engine, j->engine[r], sizeof j->engine[r]);
    close_engine(j, &engine);
    ct_cuda_leave(gpus[r], 0);
    j->status[r] = bad;
    return CT_OK;
}

static inline size_t bytes_of(const ct_redistribute_side *s, int rank)
{
    return (size_t)ct_sharded_span(&s->layout, rank) * (size_t)s->elem_bytes;
}

/* ---- elements -------------------------------------------------------------------------------- */

/** Calls visit for each element that a rank holds, with its place and its number in the tensor. */
static inline void each_element(const ct_redistribute_side *s, int rank, unsigned char *memory,
                                void (*visit)(const ct_redistribute_side *s, unsigned char *at,
                                              uint64_t number))
{
    const ct_sharded *const L = &s->layout;
    int64_t size = 1, coord[CT_SHARDED_MODES];
    for (int k = 0; k < L->modes; ++k) size *= L->shape[k];
    for (int64_t i = 0; i < size; ++i) {
        int64_t rest = i;
        for (int k = 0; k < L->modes; rest /= L->shape[k++]) coord[k] = rest % L->shape[k];
        const int64_t at = ct_sharded_offset(L, rank, coord);
        if (at >= 0) visit(s, memory + at * s->elem_bytes, (uint64_t)i);
    }
}

static inline void take_memory(ranks_job *j)
{
    for (int r = 0; r < j->ranks; ++r) {
        gpu = gpus[r];
        expect(ct_cuda_enter(gpu));
        j->src[r] = device_take(bytes_of(&j->desc.src, r) + 16);
        j->dst[r] = device_take(bytes_of(&j->desc.dst, r) + 16);
        assert_int_equal(gpu->driver.stream_create(&j->stream[r], CT_STREAM_SEPARATE), 0);
        expect(ct_cuda_leave(gpu, 0));
        memset(j->dst[r], 0x5a, bytes_of(&j->desc.dst, r) + 16); /* memory of the host, in truth */
        each_element(&j->desc.src, r, j->src[r], put_element);
    }
}

static inline void give_memory(ranks_job *j)
{
    for (int r = 0; r < j->ranks; ++r) {
        gpu = gpus[r];
        expect(ct_cuda_enter(gpu));
        gpu->driver.stream_destroy(j->stream[r]);
        expect(ct_cuda_leave(gpu, 0));
        device_give(j->src[r]);
        device_give(j->dst[r]);
    }
}

/** Whether every rank's destination is what the enumeration says, bytes between elements too. */
static inline int is_right(const ranks_job *j, int rank)
{
    static unsigned char right[SPAN_MOST * 8 + 16];
    const size_t bytes = bytes_of(&j->desc.dst, rank) + 16;
    assert_true(bytes <= sizeof right);
    memset(right, 0x5a, bytes);
    each_element(&j->desc.dst, rank, right, put_element);
    return memcmp(right, j->dst[rank], bytes) == 0;
}

/** Runs the job in a thread for each rank. Seconds that it took. */
static inline double run_job(ranks_job *j)
{
    ct_thread_group *group = NULL;
    char line[CT_MESSAGE_BYTES];
    memset(j->ran, 0, sizeof j->ran);
    if (j->way >= BY_NCCL) make_comms(j->ranks);
    if (ct_thread_group_create(j->ranks, &group, line)) fail_msg("%s", line);
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    if (ct_thread_group_run(group, rank_work, j, line)) fail_msg("%s", line);
    clock_gettime(CLOCK_MONOTONIC, &after);
    ct_thread_group_destroy(group);
    j->left = nccl->registered;
    for (int r = 0; r < j->ranks && j->way >= BY_NCCL; ++r) call_nccl("ncclCommDestroy", comms[r]);
    return (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
}

/* ---- random redistributions ------------------------------------------------------------------ */

/** A form for each mode of the mesh; each mode of the tensor is cut by at most one. */
static inline void random_forms(dice *d, int modes, int mesh_modes, char *text, size_t capacity)
{
    int taken = 0;
    text[0] = 0;
    for (int m = 0; m < mesh_modes; ++m) {
        const size_t used = strlen(text);
        const int mode = (int)dice_int(d, 0, modes - 1), kind = (int)dice_int(d, 0, 4);
        const char *const comma = m ? "," : "";
        if (kind == 0 || (taken & 1 << mode))
            snprintf(text + used, capacity - used, "%sreplicate", comma);
        else if (kind < 3) snprintf(text + used, capacity - used, "%sshard:%d", comma, mode);
        else
            snprintf(text + used, capacity - used, "%scyclic:%d:%d", comma, mode,
                     (int)dice_int(d, 1, 4));
        taken |= 1 << mode;
    }
    static const char *const orders[] = {"", "/c", "/f", "/local"};
    const size_t used = strlen(text);
    snprintf(text + used, capacity - used, "%s", orders[dice_int(d, 0, 3)]);
}

/** A random redistribution between this many ranks. */
static inline void random_job(dice *d, ranks_job *j, char *text, size_t capacity)
{
    static const int32_t types[][2] = {{CT_TYPE_FLOAT, CT_TYPE_DOUBLE},
                                       {CT_TYPE_DOUBLE, CT_TYPE_FLOAT},
                                       {CT_TYPE_FLOAT, CT_TYPE_INT8},
                                       {CT_TYPE_INT8, CT_TYPE_FLOAT}};
    const int modes = (int)dice_int(d, 1, 3);
    ct_tuple shape = ct_tuple1(dice_int(d, 1, 13)), mesh;
    char forms[2][120], line[CT_MESSAGE_BYTES];
    for (int k = 1; k < modes; ++k) shape = ct_append(shape, ct_int(dice_int(d, 1, 13)));
    memset(j, 0, sizeof *j);
    j->ranks = (int)dice_int(d, 1, RANKS_MOST);
    j->runs = (int)dice_int(
        d, 1, 2); /* after a second one scratch and destinations would be right anyway */
    j->limit_seconds = 20;
    mesh = j->ranks == 4 && dice_int(d, 0, 1) ? ct_tuple2(2, 2) : ct_tuple1(j->ranks);
    for (int k = 0; k < 2; ++k) {
        ct_redistribute_side *const s = k ? &j->desc.dst : &j->desc.src;
        random_forms(d, modes, ct_rank(mesh), forms[k], sizeof *forms);
        if (ct_parse_sharded(forms[k], shape, mesh, &s->layout, line))
            fail_msg("%s: %s", forms[k], line);
        s->type = CT_TYPE_RAW;
        s->elem_bytes = 1 << (j->ranks + modes) % 4;
    }
    if (dice_int(d, 0, 3) == 0) {
        const int32_t *const t = types[dice_int(d, 0, 3)];
        j->desc.src.type = t[0];
        j->desc.dst.type = t[1];
        j->desc.src.elem_bytes = ct_type_bytes(t[0]);
        j->desc.dst.elem_bytes = ct_type_bytes(t[1]);
    }
    j->desc.backend = CT_BACKEND_CUDA;
    j->desc.limit_seconds = j->limit_seconds;
    j->desc.chunk_bytes = 4096;
    j->desc.scratch_bytes = 4 * 4096;
    snprintf(text, capacity, "%d ranks, %s to %s, %d to %d bytes", j->ranks, forms[0], forms[1],
             j->desc.src.elem_bytes, j->desc.dst.elem_bytes);
}

#endif
