/**
 * The time that has passed, and waiting for another thread or process.
 */
#ifndef CUTLET_SRC_BASE_CLOCK_H
#define CUTLET_SRC_BASE_CLOCK_H

/** Seconds of a clock that is never set back. */
double ct_now(void);

/** Lets other threads run while the caller waits, since `begun`; after a while it sleeps. */
void ct_pause(double begun);

#endif
