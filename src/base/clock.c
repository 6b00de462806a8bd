#include "clock.h"

#include <sched.h>
#include <time.h>

double ct_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void ct_pause(double begun)
{
    const struct timespec moment = {0, 100000};
    if (ct_now() - begun > 0.02) nanosleep(&moment, NULL);
    else sched_yield();
}
