/* Who the other ranks are, and where their memory is here: of this process, or of another one. */
#include "peer.h"

#include <stdio.h>
#include <string.h>

#include "base/fnv.h"

uint64_t ct_peer_host(void)
{
    char text[64] = "";
    FILE *const file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file) {
        if (!fgets(text, sizeof text, file)) text[0] = 0;
        fclose(file);
    }
    return ct_fnv(CT_FNV_BEGIN, text, strlen(text));
}

int ct_peer_is_here(const ct_peer *s, int32_t rank)
{
    return s->ranks[rank].process == s->ranks[s->at.rank].process;
}

/* Lets this rank's kernels reach the memory of another device of the process. */
static ct_status reach(ct_peer *s, int32_t rank, char *message)
{
    const ct_peer_who *const me = &s->ranks[s->at.rank], *const other = &s->ranks[rank];
    const ct_driver *const d = s->at.driver;
    int can = 0, ordinal = 0;
    if (other->host != me->host)
        return ct_refuse(message, CT_E_BACKEND, "rank %d: rank %d is on another host", s->at.rank,
                         rank);
    if (!ct_peer_is_here(s, rank)) {
        s->is_separate = 1;
        if (d->ipc_handle && d->ipc_open && d->ipc_close && d->memory_range) return CT_OK;
        return ct_refuse(message, CT_E_BACKEND,
                         "rank %d: the driver opens no memory of other "
                         "processes",
                         s->at.rank);
    }
    if (other->context == me->context) return CT_OK;
    if (!d->peer_can || !d->peer_enable)
        return ct_refuse(message, CT_E_BACKEND, "rank %d: the driver is too old for peer memory",
                         s->at.rank);
    ct_status bad =
        ct_cuda_rank_check(&s->at, d->device_get(&ordinal, other->device), "cuDeviceGet", message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, d->peer_can(&can, s->at.device->gpu->device, ordinal),
                                 "cuDeviceCanAccessPeer", message);
    if (bad) return bad;
    if (!can)
        return ct_refuse(message, CT_E_BACKEND,
                         "rank %d: device %d does not reach the memory of "
                         "device %d, of rank %d",
                         s->at.rank, me->device, other->device, rank);
    const int result = d->peer_enable(other->context, 0);
    if (result == CT_DRIVER_PEER_ENABLED) return CT_OK;
    return ct_cuda_rank_check(&s->at, result, "cuCtxEnablePeerAccess", message);
}

ct_status ct_peer_reach(ct_peer *s, char *message)
{
    ct_status bad = CT_OK;
    for (int32_t i = 0; i < s->at.ranks && !bad; ++i)
        if (i != s->at.rank) bad = reach(s, i, message);
    return bad;
}

/* ---- memory of other processes --------------------------------------------------------------- */

void ct_peer_close_opened(ct_peer *s, ct_peer_opened *o)
{
    if (o->base) s->at.driver->ipc_close(o->base);
    memset(o, 0, sizeof *o);
}

/* The local address of a handle's memory. */
static ct_status open_handle(ct_peer *s, const ct_driver_ipc *handle, uint64_t *base, char *message)
{
    ct_peer_opened *oldest = s->cache;
    for (int i = 0; i < CT_PEER_OPENED; ++i) {
        ct_peer_opened *const o = &s->cache[i];
        if (o->base && memcmp(&o->handle, handle, sizeof *handle) == 0) {
            o->used = ++s->clock;
            *base = o->base;
            return CT_OK;
        }
        if (o->used < oldest->used) oldest = o;
    }
    ct_peer_close_opened(s, oldest);
    const int result = s->at.driver->ipc_open(base, *handle, CT_IPC_LAZY);
    if (result) return ct_cuda_rank_check(&s->at, result, "cuIpcOpenMemHandle", message);
    *oldest = (ct_peer_opened){*handle, *base, ++s->clock};
    return CT_OK;
}

ct_status ct_peer_describe(ct_peer *s, void *memory, ct_peer_shared *mine, char *message)
{
    const uint64_t address = (uint64_t)(uintptr_t)memory;
    uint64_t base = 0;
    size_t bytes = 0;
    memset(mine, 0, sizeof *mine);
    mine->memory = memory;
    mine->ready = s->ready;
    if (!memory || !s->is_separate) return CT_OK;
    ct_status bad = ct_cuda_rank_check(&s->at, s->at.driver->memory_range(&base, &bytes, address),
                                       "cuMemGetAddressRange", message);
    if (!bad)
        bad = ct_cuda_rank_check(&s->at, s->at.driver->ipc_handle(&mine->handle, base),
                                 "cuIpcGetMemHandle", message);
    mine->offset = address - base;
    mine->has_handle = !bad;
    return bad;
}

ct_status ct_peer_find(ct_peer *s, int32_t i, const ct_peer_shared *theirs, void *stream, void **at,
                       char *message)
{
    uint64_t base = 0;
    *at = theirs->memory;
    if (!theirs->memory || i == s->at.rank) return CT_OK;
    if (ct_peer_is_here(s, i))
        return ct_cuda_rank_check(&s->at, s->at.driver->stream_follow(stream, theirs->ready, 0),
                                  "cuStreamWaitEvent", message);
    *at = NULL;
    if (!theirs->has_handle)
        return ct_refuse(message, CT_E_FAILED, "rank %d: rank %d has no handle of its memory",
                         s->at.rank, i);
    const ct_status bad = open_handle(s, &theirs->handle, &base, message);
    if (!bad) *at = (void *)(uintptr_t)(base + theirs->offset);
    return bad;
}
