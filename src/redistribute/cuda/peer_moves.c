/* Moves to the memory of other devices, and how their ranks follow them. */
#include "peer.h"

/* Moves are in a separate stream, one after another: each takes the full link. */
static ct_status move_within(ct_peer *s, int32_t to, void *dst, const void *src, int64_t bytes,
                             void *stream, char *message)
{
    const ct_driver *const d = s->at.driver;
    const int number = (int)ct_min(s->mine.count, CT_PEER_MOVES);
    void **const event = &s->event[number];
    ct_status bad = *event ? CT_OK : ct_peer_event_take(s, event, message);
    if (!bad)
        bad =
            ct_cuda_rank_check(&s->at, d->event_record(s->fork, stream), "cuEventRecord", message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, d->stream_follow(s->side[CT_PEER_LINE], s->fork, 0),
                                 "cuStreamWaitEvent", message);
    if (bad) return bad;
    s->is_forked[CT_PEER_LINE] = 1;
    bad = ct_cuda_rank_check(&s->at,
                             d->copy((uint64_t)(uintptr_t)dst, (uint64_t)(uintptr_t)src,
                                     (size_t)bytes, s->side[CT_PEER_LINE]),
                             "cuMemcpyDtoDAsync", message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, d->event_record(*event, s->side[CT_PEER_LINE]),
                                 "cuEventRecord", message);
    if (bad) return bad;
    s->mine.last = *event;
    if (number < CT_PEER_MOVES) {
        s->mine.to[number] = to;
        s->mine.event[number] = *event;
        s->mine.count++;
    }
    return CT_OK;
}

ct_status ct_peer_move(ct_engine *e, int32_t to, void *dst, const void *src, int64_t bytes,
                       void *stream, char *message)
{
    ct_peer *const s = e->state;
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = move_within(s, to, dst, src, bytes, stream, message);
    ct_cuda_rank_leave(&s->at);
    return bad;
}

/* Another process knows nothing of the events: moves to it have to have ended. */
static ct_status end_moves(ct_peer *s, double limit_seconds, char *message)
{
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (bad || !s->is_separate) return bad;
    bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = ct_cuda_rank_wait(&s->at, s->side[CT_PEER_LINE], limit_seconds, NULL, NULL, message);
    ct_cuda_rank_leave(&s->at);
    return bad;
}

ct_status ct_peer_meet(ct_engine *e, double limit_seconds, char *message)
{
    ct_peer *const s = e->state;
    char why[CT_MESSAGE_BYTES];
    ct_status bad = end_moves(s, limit_seconds, message);
    s->mine.failed = bad != CT_OK;
    const ct_status told =
        s->at.host.gather(&s->at.host, &s->mine, s->met, sizeof s->mine, limit_seconds, why);
    s->mine.count = 0;
    s->mine.last = NULL;
    if (!bad && told) bad = ct_refuse(message, told, "%s", why);
    for (int32_t i = 0; i < s->at.ranks && !bad; ++i)
        if (s->met[i].failed)
            bad = ct_refuse(message, CT_E_FAILED, "rank %d: its moves have failed", i);
    return bad;
}

ct_status ct_peer_follow(ct_engine *e, int32_t from, int32_t k, void *stream, char *message)
{
    ct_peer *const s = e->state;
    const ct_peer_moves *const theirs = &s->met[from];
    void *event = theirs->last;
    if (!ct_peer_is_here(s, from)) return CT_OK; /* it has come */
    for (int32_t i = 0; i < theirs->count; ++i) {
        if (theirs->to[i] != s->at.rank || k-- > 0) continue;
        event = theirs->event[i];
        break;
    }
    if (!event) return ct_refuse(message, CT_E_FAILED, "rank %d: its moves have failed", from);
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = ct_cuda_rank_check(&s->at, s->at.driver->stream_follow(stream, event, 0),
                             "cuStreamWaitEvent", message);
    ct_cuda_rank_leave(&s->at);
    return bad;
}
