/**
 * The atoms of every architecture from sm_80 on: instructions that move data, one header for each
 * kind.
 *
 * Other atoms are included by name: cache_hints.h, prefetch.h; from sm_90 on mbarrier.h, bulk.h,
 * tma.h, cluster.h; from sm_100 on arch/load_store_256.h.
 */
#ifndef CUTLET_DEVICE_ARCH_ATOMS_H
#define CUTLET_DEVICE_ARCH_ATOMS_H

#include <cutlet/device/arch/cp_async.h>
#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/arch/ldmatrix.h>
#include <cutlet/device/arch/warp.h>

#endif
