/* Messages of the engine of NCCL, in groups, and records that all ranks gather. */
#include "nccl.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* Ends a group, which a communicator that does not block goes on with. */
static ct_status end_group(ct_nccl_rank *s, double limit_seconds, char *message)
{
    const double begun = ct_now();
    ct_nccl_set_watch(s, limit_seconds);
    int result = s->nccl->group_end();
    ct_nccl_set_watch(s, 0);
    if (__atomic_load_n(&s->aborted, __ATOMIC_SEQ_CST))
        return ct_refuse(message, CT_E_FAILED,
                         "rank %d: ncclGroupEnd has not ended within %g s: a rank "
                         "did not come",
                         s->at.rank, limit_seconds);
    while (result == CT_NCCL_IN_PROGRESS) {
        if (ct_now() - begun > limit_seconds)
            return ct_refuse(message, CT_E_FAILED,
                             "rank %d: messages have not begun within %g s: a rank "
                             "did not come",
                             s->at.rank, limit_seconds);
        ct_pause(begun);
        const int asked = s->nccl->comm_error(s->comm, &result);
        if (asked) result = asked;
    }
    return ct_nccl_check(s, result, "ncclGroupEnd", message);
}

/* Queues messages in the engine's stream. */
static ct_status queue(ct_nccl_rank *s, const ct_engine_message *messages, int32_t count,
                       double limit_seconds, char *message)
{
    ct_status bad = ct_nccl_check(s, s->nccl->group_start(), "ncclGroupStart", message);
    if (bad) return bad;
    for (int32_t i = 0; i < count && !bad; ++i) {
        const ct_engine_message *const m = &messages[i];
        if (m->sends)
            bad = ct_nccl_check(s,
                                s->nccl->send(m->data, (size_t)m->bytes, CT_NCCL_UINT8, m->peer,
                                              s->comm, s->stream),
                                "ncclSend", message);
        else
            bad = ct_nccl_check(s,
                                s->nccl->receive(m->data, (size_t)m->bytes, CT_NCCL_UINT8, m->peer,
                                                 s->comm, s->stream),
                                "ncclRecv", message);
    }
    char unread[CT_MESSAGE_BYTES];
    const ct_status ended = end_group(s, limit_seconds, bad ? unread : message);
    return bad ? bad : ended;
}

static ct_status start_within(ct_nccl_rank *s, int32_t slot, const ct_engine_message *messages,
                              int32_t count, void *stream, double limit_seconds, char *message)
{
    const ct_driver *const d = s->at.driver;
    ct_status bad =
        ct_cuda_rank_check(&s->at, d->event_record(s->packed, stream), "cuEventRecord", message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, d->stream_follow(s->stream, s->packed, 0),
                                 "cuStreamWaitEvent", message);
    if (!bad) bad = queue(s, messages, count, limit_seconds, message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, d->event_record(s->sent[slot], s->stream), "cuEventRecord",
                                 message);
    s->is_started[slot] = !bad;
    return bad;
}

ct_status ct_nccl_start(ct_engine *e, int32_t slot, const ct_engine_message *messages,
                        int32_t count, void *stream, double limit_seconds, char *message)
{
    ct_nccl_rank *const s = e->state;
    if (slot < 0 || slot >= CT_ENGINE_SLOTS)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no slot %d", slot);
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (bad || count == 0) return bad;
    bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = start_within(s, slot, messages, count, stream, limit_seconds, message);
    ct_cuda_rank_leave(&s->at);
    return bad ? ct_nccl_give_up(s, bad, message) : CT_OK;
}

/* The caller's stream waits; the caller does not. */
ct_status ct_nccl_finish(ct_engine *e, int32_t slot, void *stream, double limit_seconds,
                         char *message)
{
    ct_nccl_rank *const s = e->state;
    (void)limit_seconds;
    if (slot < 0 || slot >= CT_ENGINE_SLOTS)
        return ct_refuse(message, CT_E_ARGUMENT, "there is no slot %d", slot);
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (bad || !s->is_started[slot]) return bad;
    bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = ct_cuda_rank_check(&s->at, s->at.driver->stream_follow(stream, s->sent[slot], 0),
                             "cuStreamWaitEvent", message);
    s->is_started[slot] = 0;
    ct_cuda_rank_leave(&s->at);
    return bad ? ct_nccl_give_up(s, bad, message) : CT_OK;
}

ct_status ct_nccl_complete(ct_engine *e, void *stream, double limit_seconds, char *message)
{
    ct_nccl_rank *const s = e->state;
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (!bad) bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = ct_cuda_rank_wait(&s->at, stream, limit_seconds, ct_nccl_watch, s, message);
    ct_cuda_rank_leave(&s->at);
    return bad ? ct_nccl_give_up(s, bad, message) : CT_OK;
}

/* ---- records --------------------------------------------------------------------------------- */

/* A message of every rank to every other. */
static ct_status exchange(ct_nccl_rank *s, size_t bytes, double limit_seconds, char *message)
{
    ct_engine_message *const m = calloc(2 * (size_t)s->at.ranks, sizeof *m);
    int32_t count = 0;
    if (!m) return ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory", s->at.rank);
    for (int32_t i = 0; i < s->at.ranks; ++i) {
        if (i == s->at.rank) continue;
        unsigned char *const theirs = s->records + (size_t)(1 + i) * CT_ENGINE_RECORD;
        m[count++] = (ct_engine_message){i, 1, s->records, (int64_t)bytes};
        m[count++] = (ct_engine_message){i, 0, theirs, (int64_t)bytes};
    }
    const ct_status bad = queue(s, m, count, limit_seconds, message);
    free(m);
    return bad;
}

/* Waits before it reads: a copy to the host would wait for ever where a rank does not come. */
static ct_status gather_by_nccl(ct_nccl_rank *s, const void *mine, unsigned char *all, size_t bytes,
                                double limit_seconds, char *message)
{
    const ct_driver *const d = s->at.driver;
    const uint64_t records = (uint64_t)(uintptr_t)s->records;
    ct_status bad = ct_cuda_rank_check(&s->at, d->upload(records, mine, bytes, s->stream),
                                       "cuMemcpyHtoDAsync", message);
    if (!bad) bad = exchange(s, bytes, limit_seconds, message);
    if (!bad) bad = ct_cuda_rank_wait(&s->at, s->stream, limit_seconds, ct_nccl_watch, s, message);
    for (int32_t i = 0; i < s->at.ranks && !bad; ++i) {
        unsigned char *const to = all + (size_t)i * bytes;
        if (i == s->at.rank) memcpy(to, mine, bytes);
        else
            bad = ct_cuda_rank_check(
                &s->at,
                d->download(to, records + (uint64_t)(1 + i) * CT_ENGINE_RECORD, bytes, s->stream),
                "cuMemcpyDtoHAsync", message);
    }
    /* Also where one was refused: those before it write `all`. Nothing waits for ever in the stream of a
     * communicator that was aborted. */
    if (bad) ct_nccl_give_up(s, bad, message);
    const int waited = d->stream_wait(s->stream);
    return bad ? bad : ct_cuda_rank_check(&s->at, waited, "cuStreamSynchronize", message);
}

ct_status ct_nccl_gather(ct_engine *e, const void *mine, void *all, size_t bytes,
                         double limit_seconds, char *message)
{
    ct_nccl_rank *const s = e->state;
    ct_status bad = ct_cuda_rank_alive(&s->at, message);
    if (bad && s->at.has_host) s->at.host.fail(&s->at.host, message); /* the others do not wait */
    if (bad) return bad;
    if (bytes == 0 || bytes > CT_ENGINE_RECORD)
        return ct_refuse(message, CT_E_ARGUMENT, "a record of %zu bytes; it has 1 to %d", bytes,
                         CT_ENGINE_RECORD);
    if (s->at.has_host)
        return s->at.host.gather(&s->at.host, mine, all, bytes, limit_seconds, message);
    bad = ct_cuda_rank_enter(&s->at, message);
    if (bad) return bad;
    bad = gather_by_nccl(s, mine, all, bytes, limit_seconds, message);
    ct_cuda_rank_leave(&s->at);
    return bad ? ct_nccl_give_up(s, bad, message) : CT_OK;
}
