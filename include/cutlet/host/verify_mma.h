/**
 * Proof by enumeration for a tiled MMA: the threads that hold each element of A, B and C, and the
 * ldmatrix or matrix descriptor that reads an operand from shared memory.
 *
 * In C:     const ct_tiled_mma mma =
 *               ct_make_tiled_mma(ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"),
 *                                 ct_layout2(2, 2, 1, 2), ct_tiler0());
 *           const ct_tensor a = ct_make_tensor(ct_make_row_major(ct_tuple2(32, 64)));
 *           const ct_verify_mma_job job = {mma, {&a, NULL}, NULL};
 *           static ct_verify_mma_report report;
 *           char message[CT_MESSAGE_BYTES];
 *           assert(ct_verify_mma(&job, &report, message) == CT_OK);
 *           const ct_verify_mma_finding *cover = &report.of[CT_VERIFY_COVER_A];
 *           assert(cover->times == 2 && cover->thread[1] == 64); // one of each atom along n
 *           assert(report.feed[0].by == CT_FEED_LDMATRIX && report.feed[0].traffic.conflicts > 0);
 *           assert(report.feed[0].nearest.swizzle.bits == 3); // without conflicts
 */
#ifndef CUTLET_HOST_VERIFY_MMA_H
#define CUTLET_HOST_VERIFY_MMA_H

#include <cutlet/mma/mma_descriptor_nearest.h>
#include <cutlet/mma/mma_partition.h>
#include <cutlet/host/traffic.h>
#include <cutlet/host/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The properties. */
enum {
    CT_VERIFY_COVER_A, /* each element of the tile of A is held as often as the atoms say, */
    CT_VERIFY_COVER_B, /* of B, */
    CT_VERIFY_COVER_C, /* of C, */
    CT_VERIFY_COVER_E, /* and each bit of a sparse atom's metadata once for each selector, where it
                              is in registers */
    CT_VERIFY_FEED_A,  /* ldmatrix or a descriptor reads A from shared memory, */
    CT_VERIFY_CONFLICTS_A, /* ldmatrix without bank conflicts; */
    CT_VERIFY_FEED_B,      /* the same of B */
    CT_VERIFY_CONFLICTS_B,
    CT_VERIFY_MMA_PROPERTIES
};

/** A tiled MMA, and the layouts of A and B in shared memory. */
typedef struct ct_verify_mma_job {
    ct_tiled_mma mma;
    const ct_tensor *shared[2];   /* (m,k) and (n,k), full tiles; NULL: not looked at */
    const ct_access_rules *rules; /* of the banks; NULL: sm_90 */
} ct_verify_mma_job;

/** The threads of an element that are named. */
#define CT_VERIFY_HOLDERS 4

/** The finding about one property. */
typedef struct ct_verify_mma_finding {
    int32_t state;                     /* CT_VERIFY_SKIPPED, CT_VERIFY_OK, CT_VERIFY_FAILED */
    int64_t elements, times;           /* of cover: of the tile; the threads holding each */
    int64_t thread[CT_VERIFY_HOLDERS]; /* of cover: the holders of `coord`, then -1 */
    ct_tuple coord;                    /* the element of the text */
    char text[CT_MESSAGE_BYTES];       /* one sentence: the numbers, or the counterexample */
} ct_verify_mma_finding;

/** The instruction that reads an operand in shared memory. */
enum { CT_FEED_NONE, CT_FEED_LDMATRIX, CT_FEED_DESCRIPTOR };

typedef struct ct_mma_feed {
    int32_t by;                   /* CT_FEED_NONE: nothing, and the finding says why */
    ct_tiled_copy copy;           /* of ldmatrix */
    ct_traffic traffic;           /* its instructions and wavefronts; 0 for elements below 8 bits */
    ct_mma_descriptor descriptor; /* of wgmma and tcgen05.mma */
    ct_tensor nearest; /* where the layout cannot, or has conflicts: one of the same shape
                                     that can, without any; failed where there is no such layout */
} ct_mma_feed;

typedef struct ct_verify_mma_report {
    int64_t threads;
    int32_t failed; /* properties that do not hold */
    ct_verify_mma_finding of[CT_VERIFY_MMA_PROPERTIES];
    ct_mma_feed feed[2]; /* of A and B, where they were looked at */
} ct_verify_mma_report;

/**
 * Verifies the thread-value layouts of a tiled MMA, and finds the instruction that reads each
 * layout of the job.
 *
 * Returns: CT_OK, and the report has the findings.
 * Fails:   CT_E_ARGUMENT: a layout is not of full tiles. CT_E_CAPACITY: there is more than
 *          CT_VERIFY_MOST to enumerate. CT_E_MEMORY. A failed tiled MMA or layout: its status.
 * Cost:    O(n log n) for n elements; that of ct_traffic_of_copy for each layout that ldmatrix
 *          reads.
 */
ct_status ct_verify_mma(const ct_verify_mma_job *job, ct_verify_mma_report *report,
                        char message[CT_MESSAGE_BYTES]);

/**
 * The name of a property: `cover A`, `feed B`, ...
 * Cost:    O(1).
 * In C:    assert(strcmp(ct_verify_mma_name(CT_VERIFY_CONFLICTS_B), "conflicts B") == 0);
 */
const char *ct_verify_mma_name(int property);

#ifdef __cplusplus
}
#endif

#endif
