/* The device of a rank: calls of the driver, waits with a limit, memory that is kept. */
#include "cuda_rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/refuse.h"

/* ---- the device ------------------------------------------------------------------------------ */

ct_status ct_cuda_rank_check(const ct_cuda_rank *r, int result, const char *call, char *message)
{
    char why[160];
    if (result == CT_DRIVER_OK) return CT_OK;
    ct_driver_explain(r->driver, result, why, sizeof why);
    return ct_refuse(message, result == CT_DRIVER_OUT_OF_MEMORY ? CT_E_MEMORY : CT_E_FAILED,
                     "rank %d: %s: %s", r->rank, call, why);
}

ct_status ct_cuda_rank_enter(ct_cuda_rank *r, char *message)
{
    void *current = NULL;
    if (r->entered++ > 0) return CT_OK;
    r->pushed = NULL;
    if (r->driver->context_current) r->driver->context_current(&current);
    if (current == r->device->gpu->context) return CT_OK;
    const int result = r->driver->context_push(r->device->gpu->context);
    if (result == CT_DRIVER_OK) r->pushed = r->device->gpu->context;
    else r->entered = 0;
    return ct_cuda_rank_check(r, result, "cuCtxPushCurrent", message);
}

void ct_cuda_rank_leave(ct_cuda_rank *r)
{
    void *popped;
    if (r->entered == 0 || --r->entered > 0) return;
    if (r->pushed) r->driver->context_pop(&popped);
    r->pushed = NULL;
}

/* Functions of the driver that all engines need, but that old drivers lack. */
static int has_all(const ct_driver *d)
{
    return d->stream_follow && d->event_query && d->context_current;
}

ct_status ct_cuda_rank_open(ct_cuda_rank *r, const ct_engine *host, int32_t rank, int32_t ranks,
                            char *message)
{
    char why[CT_MESSAGE_BYTES];
    memset(r, 0, sizeof *r);
    r->rank = rank;
    r->ranks = ranks;
    r->has_host = host != NULL;
    if (host) r->host = *host;
    ct_plan_device *const device = ct_plan_device_open(why);
    if (!device) return ct_refuse(message, CT_E_BACKEND, "rank %d: %s", rank, why);
    r->driver = &device->gpu->driver;
    if (!has_all(r->driver))
        return ct_refuse(message, CT_E_BACKEND,
                         "rank %d: the driver is too old for streams that "
                         "follow events",
                         rank);
    r->device = device;
    ct_status bad = ct_cuda_rank_enter(r, message);
    if (!bad)
        bad = ct_cuda_rank_check(r, r->driver->event_create(&r->mark, CT_EVENT_UNTIMED),
                                 "cuEventCreate", message);
    if (bad) r->mark = NULL;
    ct_cuda_rank_leave(r);
    return bad;
}

static void free_block(ct_cuda_rank *r, ct_cuda_block *b)
{
    if (r->ends) r->ends(r->user, b);
    r->driver->memory_free((uint64_t)(uintptr_t)b->memory);
}

void ct_cuda_rank_close(ct_cuda_rank *r)
{
    if (r->mark) r->driver->event_destroy(r->mark);
    for (int32_t i = 0; i < r->blocks; ++i) free_block(r, &r->block[i]);
    free(r->block);
    r->block = NULL;
    r->blocks = 0;
    r->mark = NULL;
}

/* ---- failures -------------------------------------------------------------------------------- */

ct_status ct_cuda_rank_die(ct_cuda_rank *r, ct_status status, const char *message)
{
    if (r->dead) return status;
    r->dead = 1;
    ct_refuse(r->why, status, "%s", message && message[0] ? message : "the engine has failed");
    return status;
}

ct_status ct_cuda_rank_alive(ct_cuda_rank *r, char *message)
{
    if (r->dead) return ct_refuse(message, CT_E_FAILED, "%s", r->why);
    if (!r->has_host || !r->host.failed) return CT_OK;
    return r->host.failed(&r->host, message);
}

ct_status ct_cuda_rank_wait(ct_cuda_rank *r, void *stream, double limit_seconds,
                            ct_status (*watch)(void *user, char *message), void *user,
                            char *message)
{
    const double begun = ct_now();
    ct_status bad =
        ct_cuda_rank_check(r, r->driver->event_record(r->mark, stream), "cuEventRecord", message);
    while (!bad) {
        const int result = r->driver->event_query(r->mark);
        if (result == CT_DRIVER_OK) return CT_OK;
        if (result != CT_DRIVER_NOT_READY)
            return ct_cuda_rank_check(r, result, "work of the stream", message);
        if (watch) bad = watch(user, message);
        if (!bad && ct_now() - begun > limit_seconds)
            bad = ct_refuse(message, CT_E_FAILED,
                            "rank %d: the work of its stream has not ended within %g s", r->rank,
                            limit_seconds);
        if (!bad) ct_pause(begun);
    }
    return bad;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The smallest block that is free and large enough, or NULL. */
static ct_cuda_block *find(ct_cuda_rank *r, size_t bytes)
{
    ct_cuda_block *best = NULL;
    for (int32_t i = 0; i < r->blocks; ++i) {
        ct_cuda_block *const b = &r->block[i];
        if (!b->taken && b->bytes >= bytes && (!best || b->bytes < best->bytes)) best = b;
    }
    return best;
}

/* Frees unused memory, so that no more is kept than was in use at a time. */
static void drop_unused(ct_cuda_rank *r)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < r->blocks; ++i) {
        if (r->block[i].taken) r->block[kept++] = r->block[i];
        else free_block(r, &r->block[i]);
    }
    r->blocks = kept;
}

void *ct_cuda_rank_take(ct_cuda_rank *r, size_t bytes)
{
    uint64_t address = 0;
    ct_cuda_block *b = find(r, bytes);
    if (!b) {
        ct_cuda_block *const grown = realloc(r->block, ((size_t)r->blocks + 1) * sizeof *grown);
        if (!grown) return NULL;
        r->block = grown;
        if (ct_cuda_rank_enter(r, NULL)) return NULL;
        drop_unused(r);
        const int result = r->driver->memory_alloc(&address, bytes);
        ct_cuda_rank_leave(r);
        if (result) return NULL;
        b = &r->block[r->blocks++];
        *b = (ct_cuda_block){(void *)(uintptr_t)address, bytes, 0, NULL};
        if (r->made) r->made(r->user, b);
    }
    b->taken = 1;
    return b->memory;
}

void ct_cuda_rank_give(ct_cuda_rank *r, void *memory)
{
    for (int32_t i = 0; i < r->blocks; ++i)
        if (r->block[i].memory == memory) r->block[i].taken = 0;
}

/* ---- agreement ------------------------------------------------------------------------------- */

typedef struct verdict {
    int32_t status;
    char line[250];
} verdict;

ct_status ct_engine_agree(ct_engine *e, ct_status mine, double limit_seconds, char *message)
{
    char why[CT_MESSAGE_BYTES] = "";
    verdict v;
    memset(&v, 0, sizeof v);
    v.status = mine;
    if (mine && message) ct_one_line(v.line, sizeof v.line, "%s", message);
    verdict *const all = calloc((size_t)e->ranks, sizeof *all);
    if (!all) {
        e->fail(e, "not enough memory");
        return ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory", e->rank);
    }
    ct_status bad = e->gather(e, &v, all, sizeof v, limit_seconds, why);
    if (bad && !mine) ct_refuse(message, bad, "%s", why);
    for (int32_t i = 0; i < e->ranks && !bad && !mine; ++i) {
        if (!all[i].status) continue;
        bad = ct_refuse(message, all[i].status, "%.*s", (int)sizeof v.line - 1, all[i].line);
    }
    free(all);
    return mine ? mine : bad;
}
