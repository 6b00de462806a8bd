/* The engine of peer memory: copies that write straight into the memory of another device. */
#include "peer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rows.h"

enum { LEAST_ROW_BYTES = 4096 };

/* ---- the functions of the engine ------------------------------------------------------------- */

static ct_status failed(ct_engine *e, char *message)
{
    return ct_cuda_rank_alive(&((ct_peer *)e->state)->at, message);
}

static void fail(ct_engine *e, const char *message)
{
    ct_peer *const s = e->state;
    ct_cuda_rank_die(&s->at, CT_E_FAILED, message);
    s->at.host.fail(&s->at.host, message);
}

static ct_status gather(ct_engine *e, const void *mine, void *all, size_t bytes,
                        double limit_seconds, char *message)
{
    ct_peer *const s = e->state;
    const ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (bad) s->at.host.fail(&s->at.host, message); /* the others do not wait for this rank */
    return bad ? bad : s->at.host.gather(&s->at.host, mine, all, bytes, limit_seconds, message);
}

/* The work of this rank before it may announce its memory. */
static ct_status make_ready(ct_peer *s, void *memory, ct_peer_shared *mine, void *stream,
                            double limit_seconds, char *message)
{
    ct_status bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = ct_cuda_rank_check(&s->at, s->at.driver->event_record(s->ready, stream), "cuEventRecord",
                             message);
    /* another process knows nothing of the event */
    if (!bad && s->is_separate)
        bad = ct_cuda_rank_wait(&s->at, stream, limit_seconds, NULL, NULL, message);
    if (!bad) bad = ct_peer_describe(s, memory, mine, message);
    ct_cuda_rank_leave(&s->at);
    return bad;
}

/* Where everybody's memory is. */
static ct_status find_all(ct_peer *s, const ct_peer_shared *others, void *stream, void **all,
                          char *message)
{
    ct_status bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    for (int32_t i = 0; i < s->at.ranks && !bad; ++i) {
        if (others[i].failed)
            bad = ct_refuse(message, CT_E_FAILED, "rank %d: its memory is not ready to be written",
                            i);
        else bad = ct_peer_find(s, i, &others[i], stream, &all[i], message);
    }
    ct_cuda_rank_leave(&s->at);
    return bad;
}

/* Whatever fails before, this rank takes part in the exchange: the others wait for it. */
static ct_status share(ct_engine *e, void *memory, size_t bytes, void **all, void *stream,
                       double limit_seconds, char *message)
{
    ct_peer *const s = e->state;
    ct_peer_shared mine;
    (void)bytes;
    memset(&mine, 0, sizeof mine);
    ct_peer_shared *const others = calloc((size_t)s->at.ranks, sizeof *others);
    ct_status bad = others
                        ? ct_cuda_rank_alive(&s->at, message)
                        : ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory", s->at.rank);
    if (!bad) bad = make_ready(s, memory, &mine, stream, limit_seconds, message);
    if (!others) {
        fail(e, message);
        return bad;
    }
    char why[CT_MESSAGE_BYTES];
    mine.failed = bad != CT_OK;
    const ct_status told =
        s->at.host.gather(&s->at.host, &mine, others, sizeof mine, limit_seconds, why);
    if (!bad && told) bad = ct_refuse(message, told, "%s", why);
    if (!bad) bad = find_all(s, others, stream, all, message);
    free(others);
    return bad;
}

/* The stream for a copy. Elements that stay on the rank have a separate stream from sends. Every
 * second piece of them uses the send streams, because small pieces leave most of a device idle. */
static ct_status stream_for(ct_peer *s, int32_t to, void *stream, void **chosen, char *message)
{
    const int stays = to == s->at.rank;
    const int side = stays           ? s->kept++ % 2 ? CT_PEER_COPIES : CT_PEER_STAYS
                     : s->turn++ % 2 ? CT_PEER_COPIES
                                     : -1;
    *chosen = stream;
    if (side < 0) return CT_OK;
    *chosen = s->side[side];
    if (s->is_forked[side]) return CT_OK;
    ct_status bad = ct_cuda_rank_check(&s->at, s->at.driver->event_record(s->fork, stream),
                                       "cuEventRecord", message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, s->at.driver->stream_follow(s->side[side], s->fork, 0),
                                 "cuStreamWaitEvent", message);
    s->is_forked[side] = !bad;
    return bad;
}

static ct_status copy(ct_engine *e, int32_t to, const ct_plan *plan, void *dst, const void *src,
                      void *stream, char *message)
{
    ct_peer *const s = e->state;
    const ct_plan *const on_device = plan->device ? plan->device : plan;
    ct_rows rows;
    void *chosen = stream;
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = stream_for(s, to, stream, &chosen, message);
    int moved = 0;
    if (!bad && to != s->at.rank && s->at.driver->copy_rows &&
        ct_rows_of(on_device, s->row_bytes, &rows))
        moved = ct_rows_start(s->at.driver, &rows, dst, src, chosen) == 0;
    if (!bad && !moved) bad = ct_plan_run(plan, dst, src, chosen, message);
    ct_cuda_rank_leave(&s->at);
    return bad;
}

/* ---- the end of a run ------------------------------------------------------------------------ */

/* The stream waits for the other streams. */
static ct_status join(ct_peer *s, void *stream, char *message)
{
    ct_status bad = CT_OK;
    for (int i = 0; i < CT_PEER_SIDES && !bad; ++i) {
        if (!s->is_forked[i]) continue;
        bad = ct_cuda_rank_check(&s->at, s->at.driver->event_record(s->merged[i], s->side[i]),
                                 "cuEventRecord", message);
        if (!bad)
            bad = ct_cuda_rank_check(&s->at, s->at.driver->stream_follow(stream, s->merged[i], 0),
                                     "cuStreamWaitEvent", message);
        s->is_forked[i] = 0;
    }
    return bad;
}

/* Waits also when another rank has failed: work queued here writes that rank's memory, and ends. */
static ct_status complete(ct_engine *e, void *stream, double limit_seconds, char *message)
{
    ct_peer *const s = e->state;
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    s->kept = 0;
    bad = join(s, stream, message);
    if (!bad) bad = ct_cuda_rank_wait(&s->at, stream, limit_seconds, NULL, NULL, message);
    ct_cuda_rank_leave(&s->at);
    return bad;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static ct_status make_streams(ct_peer *s, char *message)
{
    const ct_driver *const d = s->at.driver;
    ct_status bad = ct_peer_event_take(s, &s->ready, message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, d->event_create(&s->fork, CT_EVENT_UNTIMED),
                                 "cuEventCreate", message);
    for (int i = 0; i < CT_PEER_SIDES && !bad; ++i) {
        bad = ct_cuda_rank_check(&s->at, d->event_create(&s->merged[i], CT_EVENT_UNTIMED),
                                 "cuEventCreate", message);
        if (!bad)
            bad = ct_cuda_rank_check(&s->at, d->stream_create(&s->side[i], CT_STREAM_SEPARATE),
                                     "cuStreamCreate", message);
    }
    return bad;
}

/* All that this rank needs by itself, and then of the others. Collective. */
static ct_status open_state(ct_peer *s, const ct_engine *host, double limit_seconds, char *message)
{
    ct_peer_who mine;
    memset(&mine, 0, sizeof mine);
    ct_status bad = ct_cuda_rank_open(&s->at, host, host->rank, host->ranks, message);
    s->at.host = *host;
    s->ranks = calloc((size_t)host->ranks, sizeof *s->ranks);
    s->met = calloc((size_t)host->ranks, sizeof *s->met);
    if (!bad && (!s->ranks || !s->met))
        bad = ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory", host->rank);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (!bad) bad = make_streams(s, message);
    bad = ct_engine_agree(&s->at.host, bad, limit_seconds, message);
    if (bad) return bad;
    mine.process = getpid();
    mine.host = ct_peer_host();
    mine.device = s->at.device->ordinal;
    mine.context = s->at.device->gpu->context;
    bad = s->at.host.gather(&s->at.host, &mine, s->ranks, sizeof mine, limit_seconds, message);
    if (bad) return bad;
    bad = ct_peer_reach(s, message);
    return ct_engine_agree(&s->at.host, bad, limit_seconds, message);
}

static void release(ct_peer *s)
{
    const ct_driver *const d = s->at.driver;
    for (int i = 0; i < CT_PEER_SIDES; ++i) {
        if (s->merged[i]) d->event_destroy(s->merged[i]);
        if (!s->side[i]) continue;
        if (!s->at.dead) d->stream_wait(s->side[i]);
        d->stream_destroy(s->side[i]);
    }
    if (s->fork) d->event_destroy(s->fork);
    if (s->ready) ct_peer_event_give(s->ready);
    for (int i = 0; i <= CT_PEER_MOVES; ++i)
        if (s->event[i]) ct_peer_event_give(s->event[i]);
    for (int i = 0; i < CT_PEER_OPENED; ++i)
        if (s->cache[i].base) ct_peer_close_opened(s, &s->cache[i]);
    ct_cuda_rank_close(&s->at);
}

static void close_state(ct_peer *s)
{
    if (s->at.device && ct_cuda_rank_enter(&s->at, NULL) == CT_OK) {
        release(s);
        ct_cuda_rank_leave(&s->at);
    }
    free(s->ranks);
    free(s->met);
    free(s);
}

ct_status ct_peer_engine_open(const ct_engine *host, const ct_peer_options *options,
                              double limit_seconds, ct_engine *engine,
                              char message[CT_MESSAGE_BYTES])
{
    char unread[CT_MESSAGE_BYTES];
    if (!message) message = unread;
    message[0] = 0;
    if (!engine) return ct_refuse(message, CT_E_ARGUMENT, "there is no place for the engine");
    memset(engine, 0, sizeof *engine);
    if (!host || !host->gather || !host->fail)
        return ct_refuse(message, CT_E_ARGUMENT, "peer memory needs a host engine");
    ct_peer *const s = calloc(1, sizeof *s);
    const double limit = limit_seconds > 0 ? limit_seconds : 30;
    if (!s) {
        ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory for an engine", host->rank);
        ct_engine own = *host;
        return ct_engine_agree(&own, CT_E_MEMORY, limit, message);
    }
    s->row_bytes = options && options->row_bytes ? options->row_bytes : LEAST_ROW_BYTES;
    const ct_status bad = open_state(s, host, limit, message);
    if (s->at.device) ct_cuda_rank_leave(&s->at);
    if (bad) {
        close_state(s);
        return bad;
    }
    /* clang-format off */
    *engine = (ct_engine){.name = "peer", .state = s, .rank = host->rank, .ranks = host->ranks,
                          .gather = gather, .share = share, .copy = copy, .complete = complete,
                          .take = ct_peer_take, .give = ct_peer_give, .failed = failed, .fail = fail, .stages = 1,
                          .move = ct_peer_move, .meet = ct_peer_meet, .follow = ct_peer_follow};
    /* clang-format on */
    return CT_OK;
}

void ct_peer_engine_close(ct_engine *engine)
{
    if (!engine || !engine->state) return;
    close_state(engine->state);
    memset(engine, 0, sizeof *engine);
}
