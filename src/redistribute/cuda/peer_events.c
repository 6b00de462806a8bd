/* Events of the engine of peer memory that other ranks follow. */
#include "peer.h"

#include <pthread.h>
#include <stdlib.h>

/* An event that a rank shared. It is never destroyed: after a wait that was over too early another rank may
 * still be about to follow it. The next engine of its context takes it again. */
typedef struct shared_event {
    struct shared_event *next;
    void *context, *event;
    int taken;
} shared_event;

static pthread_mutex_t events_lock = PTHREAD_MUTEX_INITIALIZER;
static shared_event *events;

ct_status ct_peer_event_take(ct_peer *s, void **taken, char *message)
{
    void *const context = s->at.device->gpu->context;
    ct_status bad = CT_OK;
    pthread_mutex_lock(&events_lock);
    shared_event *e = events;
    while (e && (e->taken || e->context != context)) e = e->next;
    if (!e) {
        e = calloc(1, sizeof *e);
        if (!e) bad = ct_refuse(message, CT_E_MEMORY, "rank %d: not enough memory", s->at.rank);
        else
            bad =
                ct_cuda_rank_check(&s->at, s->at.driver->event_create(&e->event, CT_EVENT_UNTIMED),
                                   "cuEventCreate", message);
        if (bad) {
            free(e);
            e = NULL;
        } else {
            e->context = context;
            e->next = events;
            events = e;
        }
    }
    if (e) {
        e->taken = 1;
        *taken = e->event;
    }
    pthread_mutex_unlock(&events_lock);
    return bad;
}

void ct_peer_event_give(const void *taken)
{
    pthread_mutex_lock(&events_lock);
    for (shared_event *e = events; e; e = e->next)
        if (e->event == taken) e->taken = 0;
    pthread_mutex_unlock(&events_lock);
}
