/* The arguments of the kernels of cluster_kernels.cu, and what they can do. */
#ifndef CUTLET_TESTS_CLUSTER_KERNELS_H
#define CUTLET_TESTS_CLUSTER_KERNELS_H

#include <stdint.h>

enum { ORDER_CTA, ORDER_CLUSTER, ORDER_RELAXED, ORDERS };

/* How a block comes to the cluster's barrier; LATE: it stores between its arrival and its wait. */
enum { COMES_SYNC, COMES_APART, COMES_RELAXED, COMES_LATE, COMES };

/* What keeps a block while its peer accesses it; ARRIVES: it waits for no barrier, LEAVES: its peer
 * does not wait, and HANDED, HANDED_RELAXED: it waits for an mbarrier, at which its peer arrives. */
enum {
    KEPT_NOT, KEPT_ARRIVES, KEPT_SYNC, KEPT_APART, KEPT_RELAXED, KEPT_LEAVES, KEPT_HANDED,
    KEPT_HANDED_RELAXED, KEPTS
};

enum { PEER_LOAD, PEER_ARRIVE, PEER_ARRIVE_RELAXED, PEER_ACCESSES };

typedef struct cluster_args {
    uint32_t *dst;
    int32_t arrive[3], wait[3]; /* of gk_scopes, ORDER_... */
    int32_t on_global, reads_first;
    int32_t comes[2];
    int32_t access, kept;
    int32_t ends_early, wrong; /* of gk_halves_wrong */
} cluster_args;

#endif
