/* The running thread, and its switch to the scheduler. */
#include "state.h"

__thread __attribute__((tls_model("initial-exec"))) const ct_grid_thread_indices *ct_grid_self;

void ct_grid_wait(ct_thread *t, int state, const ct_grid_site *site)
{
    t->state = state;
    t->waits_at = site;
    ++t->grid->idle;
    ct_context_switch(&t->context, &t->grid->scheduler);
}
