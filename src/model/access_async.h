/**
 * The shared side of cp.async, for the access model.
 */
#ifndef CUTLET_SRC_MODEL_ACCESS_ASYNC_H
#define CUTLET_SRC_MODEL_ACCESS_ASYNC_H

#include <cutlet/host/access.h>

/** The number of distinct values of v / per, for n <= 32, by a table of twice the entries. */
int ct_count_different(const int64_t *value, int n, int per);

/** Adds what cp.async.ca costs in shared memory to the count of its global side. */
void ct_count_async_ca(ct_access_count *count, const ct_access_rules *rules,
                       const ct_access *access);

/** Counts cp.async.cg, whose sectors depend on the shared side too. */
void ct_count_async_cg(ct_access_count *count, const ct_access_rules *rules,
                       const ct_access *access);

#endif
