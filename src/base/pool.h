/**
 * The threads of the process that copies share: the number that the process may use, started when
 * first needed.
 */
#ifndef CUTLET_SRC_BASE_POOL_H
#define CUTLET_SRC_BASE_POOL_H

#include <stdint.h>

/** The threads that a run uses: CUTLET_THREADS where that is 1 to 256, else the processors of the
 *  affinity mask. */
int32_t ct_pool_threads(void);

/**
 * Does work(user, task) for 0 <= task < tasks on up to `threads` threads, the caller among them, and
 * returns when all is done. Concurrent calls have separate threads, up to 256 in all. Beyond that,
 * or if none can be started, threads join when other calls release them. The caller does the
 * remaining tasks, which is slower but never wrong.
 */
void ct_pool_run(int32_t threads, int64_t tasks, void (*work)(void *user, int64_t task),
                 void *user);

#endif
