/* Redistribution for redistribute.py beside it: cases as plain numbers and texts, and loops whose time is
 * to be told without that of a script. Each rank calls from a thread of its own. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cutlet/host/engine_cuda.h>
#include <cutlet/host/redistribute.h>

/** A case, over a mesh of one mode. */
typedef struct bench_case {
    const char *src, *dst; /* sharded layouts */
    int64_t shape[CT_SHARDED_MODES];
    int32_t modes, ranks;
    int32_t src_type, dst_type, elem_bytes, has_scale, carry, backend;
    double scale;
    int64_t chunk_bytes, scratch_bytes;
} bench_case;

/** What a plan sends, in numbers. */
typedef struct bench_numbers {
    int64_t sent, received, messages, all, least, scratch, all_messages, rounds, least_rounds;
} bench_numbers;

void *bench_group(int ranks, char *message);
void bench_group_drop(void *group);
void *bench_engine(void *group, int rank, const char *kind, void *comm, char *message);
void bench_engine_drop(void *engine);
void *bench_plan(const bench_case *c, int rank, char *message);
void bench_plan_drop(void *plan);
int bench_simulate(const bench_case *c, bench_numbers *numbers, char *message);
int bench_prepare(void *plan, int carry, char *message);
int bench_spans(const bench_case *c, int rank, int64_t spans[2], char *message);
void bench_numbers_of(const void *plan, bench_numbers *numbers);
int bench_describe(const void *plan, char *text, size_t size);
int bench_run(void *plan, void *engine, void *dst, const void *src, void *stream, int times,
              double *seconds, char *message);

void *bench_group(int ranks, char *message)
{
    ct_thread_group *group = NULL;
    ct_thread_group_create(ranks, &group, message);
    return group;
}

void bench_group_drop(void *group) { ct_thread_group_destroy(group); }

/* An engine, and how it is closed. */
typedef struct engine_of {
    ct_engine engine;
    void (*close)(ct_engine *engine);
} engine_of;

/** kind: threads, peer, direct and staged (the same engine), kernels (peer memory without the copy engines),
 *  nccl, or messages (nccl whose records go by NCCL too). Collective, as the engines are. NULL and one line. */
void *bench_engine(void *group, int rank, const char *kind, void *comm, char *message)
{
    const ct_peer_options kernels = {.row_bytes = -1};
    ct_engine host;
    ct_status bad = CT_OK;
    engine_of *const e = calloc(1, sizeof *e);
    if (!e) return NULL;
    ct_thread_group_engine(group, rank, &host);
    e->close = ct_peer_engine_close;
    if (strcmp(kind, "threads") == 0) {
        e->engine = host;
        e->close = NULL;
    } else if (strcmp(kind, "peer") == 0 || strcmp(kind, "direct") == 0 ||
               strcmp(kind, "staged") == 0) {
        bad = ct_peer_engine_open(&host, NULL, 0, &e->engine, message);
    } else if (strcmp(kind, "kernels") == 0) {
        bad = ct_peer_engine_open(&host, &kernels, 0, &e->engine, message);
    } else {
        e->close = ct_nccl_engine_close;
        bad = ct_nccl_engine_open(strcmp(kind, "nccl") == 0 ? &host : NULL, comm, 0, &e->engine,
                                  message);
    }
    if (!bad) return e;
    free(e);
    return NULL;
}

void bench_engine_drop(void *engine)
{
    engine_of *const e = engine;
    if (e && e->close) e->close(&e->engine);
    free(e);
}

static ct_tuple shape_of(const bench_case *c)
{
    ct_tuple shape = ct_tuple1(c->shape[0]);
    for (int32_t k = 1; k < c->modes; ++k) shape = ct_append(shape, ct_int(c->shape[k]));
    return shape;
}

static int describe_case(const bench_case *c, ct_redistribute_desc *desc, char *message)
{
    memset(desc, 0, sizeof *desc);
    desc->src.type = c->src_type;
    desc->dst.type = c->dst_type;
    desc->src.elem_bytes = desc->dst.elem_bytes = c->elem_bytes;
    desc->has_scale = c->has_scale;
    desc->scale = c->scale;
    desc->backend = c->backend;
    desc->carry = c->carry;
    desc->chunk_bytes = c->chunk_bytes;
    desc->scratch_bytes = c->scratch_bytes;
    const ct_tuple mesh = ct_tuple1(c->ranks);
    const int bad = ct_parse_sharded(c->src, shape_of(c), mesh, &desc->src.layout, message);
    return bad ? bad : ct_parse_sharded(c->dst, shape_of(c), mesh, &desc->dst.layout, message);
}

/** NULL and one line where it is refused. */
void *bench_plan(const bench_case *c, int rank, char *message)
{
    ct_redistribute_desc desc;
    ct_redistribute *plan = NULL;
    if (describe_case(c, &desc, message) == 0) ct_redistribute_create(&desc, rank, &plan, message);
    return plan;
}

void bench_plan_drop(void *plan) { ct_redistribute_destroy(plan); }

int bench_prepare(void *plan, int carry, char *message)
{
    return ct_redistribute_prepare(plan, carry, message);
}

/** The elements of memory that a rank needs for the source and for the destination. */
int bench_spans(const bench_case *c, int rank, int64_t spans[2], char *message)
{
    ct_redistribute_desc desc;
    const int bad = describe_case(c, &desc, message);
    if (bad) return bad;
    spans[0] = ct_sharded_span(&desc.src.layout, rank);
    spans[1] = ct_sharded_span(&desc.dst.layout, rank);
    return 0;
}

static bench_numbers numbers_in(const ct_redistribute_info *i)
{
    return (bench_numbers){i->bytes_sent,   i->bytes_received, i->messages_sent,
                           i->all_bytes,    i->least_bytes,    i->scratch_bytes,
                           i->all_messages, i->rounds,         i->least_rounds};
}

void bench_numbers_of(const void *plan, bench_numbers *numbers)
{
    ct_redistribute_info info;
    ct_redistribute_info_of(plan, &info);
    *numbers = numbers_in(&info);
}

/** The numbers of all ranks, without a plan. */
int bench_simulate(const bench_case *c, bench_numbers *numbers, char *message)
{
    ct_redistribute_desc desc;
    ct_redistribute_info info;
    int bad = describe_case(c, &desc, message);
    if (!bad) bad = ct_redistribute_simulate(&desc, &info, message);
    if (!bad) *numbers = numbers_in(&info);
    return bad;
}

int bench_describe(const void *plan, char *text, size_t size)
{
    return ct_redistribute_describe(plan, 0, text, size);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Runs it this many times. seconds[i] is what the caller waited for run i, which every rank begins
 *  together: a run ends on every rank when all have what they need. */
int bench_run(void *plan, void *engine, void *dst, const void *src, void *stream, int times,
              double *seconds, char *message)
{
    for (int i = 0; i < times; ++i) {
        const double before = now();
        const int bad =
            ct_redistribute_run(plan, &((engine_of *)engine)->engine, dst, src, stream, message);
        seconds[i] = now() - before;
        if (bad) return bad;
    }
    return 0;
}
