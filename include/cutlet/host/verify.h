/**
 * Proves by enumeration that a tiled copy, or any thread-value layout over a tile, is a correct
 * copy. A counterexample has threads, values, coordinates and offsets.
 *
 * In C:     const ct_layout overlap = ct_layout2(4, 2, 1, 2); // threads t and t + 2 share one
 *           ct_verify_job job = ct_verify_of_tv(overlap, ct_tuple2(4, 2), 16);
 *           ct_verify_report report;
 *           char message[CT_MESSAGE_BYTES];
 *           assert(ct_verify(&job, &report, message) == CT_OK && report.failed > 0);
 *           const ct_verify_finding *cover = &report.of[CT_VERIFY_COVER];
 *           assert(cover->state == CT_VERIFY_FAILED);
 *           assert(cover->thread[0] == 0 && cover->thread[1] == 2 && cover->offset[0] == 2);
 *           const ct_tiled_copy tiles = ct_make_tiled_copy(
 *               ct_copy_atom_universal(128, 16), ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1));
 *           const ct_tensor matrix = ct_make_tensor(ct_layout2(64, 64, 68, 1)); // rows of 68
 *           job = ct_verify_of_copy(&tiles);
 *           job.src = &matrix;
 *           assert(ct_verify(&job, &report, message) == CT_OK && report.failed == 1);
 *           assert(report.of[CT_VERIFY_SRC_ACCESS].state == CT_VERIFY_FAILED);
 *           const ct_layout thr = ct_layout2(4, 8, 8, 1), val = ct_layout2(1, 4, 1, 1);
 *           job = ct_verify_of_blocks(thr, val, ct_tuple0(), 16); // each element once
 *           assert(ct_verify(&job, &report, message) == CT_OK && report.failed == 0);
 */
#ifndef CUTLET_HOST_VERIFY_H
#define CUTLET_HOST_VERIFY_H

#include <cutlet/host/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The properties. */
enum {
    CT_VERIFY_COVER,   /* each element of the tile is held by one value of one thread, or of each of
                          `copies` threads, and each value holds one element */
    CT_VERIFY_WRITES,  /* no place of the destination (without one: no element) is written twice;
                          registers of one thread are no other's */
    CT_VERIFY_IDLE,    /* each thread holds an element that at most `copies` threads hold */
    CT_VERIFY_DOUBLED, /* no more than `copies` threads hold the same elements */
    CT_VERIFY_SHARED,  /* no two elements at one offset of the shared layout, none past its size */
    CT_VERIFY_SRC_ACCESS,    /* each access is contiguous and aligned in the source, */
    CT_VERIFY_DST_ACCESS,    /* in the destination, */
    CT_VERIFY_SHARED_ACCESS, /* in shared memory */
    CT_VERIFY_PROPERTIES
};

/** The thread-value layout, and the layouts that it is copied between. */
typedef struct ct_verify_job {
    ct_layout tv;             /* (thread, value) -> index in the tile, the first mode fastest */
    ct_layout src_tv, dst_tv; /* the same, values in the order in which accesses take them */
    ct_layout thr, val;       /* by_blocks: (m,n) -> thread, (m,n) -> value; no tv then */
    int32_t by_blocks;        /* each thread has a block of values, the blocks are adjacent */
    ct_tuple tile;            /* its shape; by_blocks: that over which blocks repeat */
    int32_t has_gaps;         /* the tile skips coordinates of a tensor: no layouts in memory */
    int32_t elem_bits;
    int32_t access_bits;                  /* of one access of a thread: a multiple of elem_bits */
    int32_t src_registers, dst_registers; /* 1: that side has no layout in memory */
    const ct_tensor *src, *dst, *shared;  /* offsets of full tensors; NULL: not looked at */
    int64_t src_align, dst_align; /* bytes that the bases are multiples of; 0: all that is needed */
    int64_t shared_bytes;         /* that the shared layout may take; 0: not looked at */
    int32_t copies; /* threads that are to hold each element: of an operand of a tiled MMA
                                 several, whose values are registers where dst is NULL; 0: one */
} ct_verify_job;

/** The finding about one property. Threads and values that a fault does not have are -1, offsets
 * CT_INVALID. */
typedef struct ct_verify_finding {
    int32_t state;               /* CT_VERIFY_SKIPPED, CT_VERIFY_OK, CT_VERIFY_FAILED */
    int64_t count, bad;          /* the number of checked ones, and of wrong ones */
    int64_t thread[2], value[2]; /* the counterexample */
    int64_t offset[2];           /* index in the tile, or offset in the layout */
    ct_tuple coord[2];           /* of the elements; () for an offset outside the tile */
    char text[CT_MESSAGE_BYTES]; /* one sentence: the numbers, or the counterexample */
} ct_verify_finding;

enum { CT_VERIFY_SKIPPED = 0, CT_VERIFY_OK, CT_VERIFY_FAILED };

typedef struct ct_verify_report {
    int64_t threads, values, elements; /* values of each thread; elements of the tile */
    int32_t failed;                    /* properties that do not hold */
    ct_verify_finding of[CT_VERIFY_PROPERTIES];
} ct_verify_report;

/** The most pairs of thread and value, and the most elements of a nested mode of a tensor or of
 *  shared memory, that are enumerated. Tiles of a tensor that lie alike are enumerated once. */
#define CT_VERIFY_MOST (1 << 22)

/**
 * The job of a tiled copy; of a failed one the tv is failed. That of an operand of a tiled MMA is to
 * hold each element as often as the MMA does.
 * Cost:    O(leaves).
 */
ct_verify_job ct_verify_of_copy(const ct_tiled_copy *copy);

/**
 * The job of a thread-value layout: rank 2, (thread, value) -> index in the tile.
 * Cost:    O(1).
 */
ct_verify_job ct_verify_of_tv(ct_layout tv, ct_tuple tile, int32_t elem_bits);

/**
 * The job of a thread and a value layout, also of those that ct_make_tiled_copy refuses. A tile of
 * () is the block that they cover once. Values are numbered on from repetition to repetition.
 * Cost:    O(leaves).
 */
ct_verify_job ct_verify_of_blocks(ct_layout thr, ct_layout val, ct_tuple tile, int32_t elem_bits);

/**
 * Verifies every property that the job has the layouts for; the others are skipped. The tile covers
 * a tensor repeatedly; elements beyond its edge are left out. Tiles whose offsets differ by a
 * multiple of the access and of the swizzle's period are proved by the first of them.
 *
 * Returns: CT_OK, and the report has the findings.
 * Fails:   CT_E_ARGUMENT: the operands do not fit. CT_E_CAPACITY: there is more than CT_VERIFY_MOST
 *          to enumerate. CT_E_OVERFLOW: an offset beyond 64 bits. CT_E_MEMORY. A failed layout: its
 *          status.
 * Cost:    O(n log n) for n elements of the tile, times the tiles that differ, and of a destination
 *          whose strides may overlap. Of 2^24 elements and more the strides show the overlap.
 */
ct_status ct_verify(const ct_verify_job *job, ct_verify_report *report,
                    char message[CT_MESSAGE_BYTES]);

/**
 * The name of a property: cover, writes, idle, doubled, shared, ...
 * Cost:    O(1).
 * In C:    assert(strcmp(ct_verify_name(CT_VERIFY_SRC_ACCESS), "source access") == 0);
 */
const char *ct_verify_name(int property);

#ifdef __cplusplus
}
#endif

#endif
