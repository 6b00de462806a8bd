/**
 * The atoms of every architecture from sm_80 on: instructions that move data, one header for each
 * kind.
 *
 * Other atoms are included by name: cache_hints.h, prefetch.h; from sm_90 on mbarrier.h, bulk.h,
 * tma.h, cluster.h; from sm_100 on wide.h.
 */
#ifndef CUTLET_DEVICE_ATOMS_H
#define CUTLET_DEVICE_ATOMS_H

#include "cp_async.h"
#include "load_store.h"
#include "matrix.h"
#include "warp.h"

#endif
