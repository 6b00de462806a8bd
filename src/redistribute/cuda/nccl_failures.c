/* Failures of the engine of NCCL, and the thread that ends calls that do not return. */
#include "nccl.h"

#include <time.h>

#include "base/clock.h"

void ct_nccl_abort(ct_nccl_rank *s)
{
    if (!__atomic_exchange_n(&s->aborted, 1, __ATOMIC_SEQ_CST)) s->nccl->comm_abort(s->comm);
}

ct_status ct_nccl_give_up(ct_nccl_rank *s, ct_status bad, const char *message)
{
    ct_cuda_rank_die(&s->at, bad, message);
    ct_nccl_abort(s);
    return bad;
}

ct_status ct_nccl_check(const ct_nccl_rank *s, int result, const char *call, char *message)
{
    if (result == CT_NCCL_OK) return CT_OK;
    return ct_refuse(message, CT_E_FAILED, "rank %d: %s: %.200s", s->at.rank, call,
                     s->nccl->error_text(result));
}

ct_status ct_nccl_watch(void *user, char *message)
{
    ct_nccl_rank *const s = user;
    int error = 0;
    const ct_status dead = ct_cuda_rank_alive(&s->at, message);
    if (dead) return dead;
    const ct_status bad =
        ct_nccl_check(s, s->nccl->comm_error(s->comm, &error), "ncclCommGetAsyncError", message);
    if (bad || error == CT_NCCL_IN_PROGRESS) return bad;
    return ct_nccl_check(s, error, "the communicator", message);
}

/* ---- the watchdog ---------------------------------------------------------------------------- */

static void *keep_watch(void *user)
{
    ct_nccl_rank *const s = user;
    ct_nccl_watchdog *const dog = &s->dog;
    pthread_mutex_lock(&dog->lock);
    while (!dog->quits) {
        if (dog->deadline == 0) {
            pthread_cond_wait(&dog->changed, &dog->lock);
        } else if (ct_now() < dog->deadline) {
            struct timespec until;
            until.tv_sec = (time_t)dog->deadline;
            until.tv_nsec = (long)((dog->deadline - (double)until.tv_sec) * 1e9);
            pthread_cond_timedwait(&dog->changed, &dog->lock, &until);
        } else {
            dog->deadline = 0;
            ct_nccl_abort(s);
        }
    }
    pthread_mutex_unlock(&dog->lock);
    return NULL;
}

void ct_nccl_set_watch(ct_nccl_rank *s, double limit_seconds)
{
    pthread_mutex_lock(&s->dog.lock);
    s->dog.deadline = limit_seconds > 0 ? ct_now() + limit_seconds : 0;
    pthread_cond_signal(&s->dog.changed);
    pthread_mutex_unlock(&s->dog.lock);
}

ct_status ct_nccl_watchdog_start(ct_nccl_rank *s, char *message)
{
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&s->dog.lock, NULL);
    pthread_cond_init(&s->dog.changed, &clock);
    pthread_condattr_destroy(&clock);
    if (pthread_create(&s->dog.thread, NULL, keep_watch, s))
        return ct_refuse(message, CT_E_MEMORY, "rank %d: no thread for the engine", s->at.rank);
    s->dog.has_thread = 1;
    return CT_OK;
}

void ct_nccl_watchdog_stop(ct_nccl_rank *s)
{
    if (!s->dog.has_thread) return;
    pthread_mutex_lock(&s->dog.lock);
    s->dog.quits = 1;
    pthread_cond_signal(&s->dog.changed);
    pthread_mutex_unlock(&s->dog.lock);
    pthread_join(s->dog.thread, NULL);
    pthread_cond_destroy(&s->dog.changed);
    pthread_mutex_destroy(&s->dog.lock);
}
