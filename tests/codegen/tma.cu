// Mbarriers, bulk copies and tile copies: the instructions themselves, nothing in local memory.

#include "../copy/tma_kernels.cu"

// arch sm_90a
// gate tk_hand_over
// gate tk_hand_over, count mbarrier.try_wait.parity >= 2
// gate tk_bulk
// gate tk_bulk, count cp.async.bulk.shared::cluster.global.mbarrier == 1
// gate tk_bulk, count cp.async.bulk.global.shared::cta.bulk_group == 1
// gate tk_bulk, count fence.proxy.async.shared::cta == 1
// gate tk_bulk_reduce
// gate tk_bulk_reduce, count cp.reduce.async.bulk.global == 8
// gate tk_bulk_copy
// gate tk_bulk_copy, count cp.async.bulk.tensor.[1-5]d.shared::cluster.global.tile == 5
// gate tk_bulk_copy, count cp.async.bulk.tensor.[1-5]d.global.shared::cta.tile == 5
// gate tk_tile_reduce
// gate tk_tile_reduce, count cp.reduce.async.bulk.tensor.2d.global.shared::cta.(add|min|max) == 3
// gate tk_multicast
// gate tk_multicast, count multicast::cluster == 1
// gate tk_multicast, count barrier.cluster.arrive == 2
// gate tk_read_cluster
// gate tk_read_cluster, count ^ld\.shared::cluster\.v4\.u32 == 4
