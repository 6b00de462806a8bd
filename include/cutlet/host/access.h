/**
 * The access model: what one memory instruction of one warp costs.
 *
 * Given the byte offset of each lane it counts what the hardware's counters count: requests and
 * 32-byte sectors for global memory, wavefronts and bank conflicts for shared memory. The rules
 * were read off counters of an NVIDIA H200, and the tests hold them to these row by row
 * (tests/data/h200_one_warp.tsv and h200_pairs.tsv).
 */
#ifndef CUTLET_HOST_ACCESS_H
#define CUTLET_HOST_ACCESS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What an instruction does. */
enum {
    CT_ACCESS_LDG,       /* load from global memory */
    CT_ACCESS_STG,       /* store to global memory */
    CT_ACCESS_LDS,       /* load from shared memory */
    CT_ACCESS_STS,       /* store to shared memory */
    CT_ACCESS_LDGSTS,    /* cp.async.ca: the global side */
    CT_ACCESS_LDGSTS_CG, /* cp.async.cg: the global side */
    CT_ACCESS_LDSM,      /* ldmatrix: 128 bits from each lane that gives an address */
    CT_ACCESS_STSM,      /* stmatrix */
    CT_ACCESS_KINDS
};

/** The offset of a lane that takes no part. Other offsets are at least 0. */
#define CT_LANE_OFF INT64_MIN

/** What one instruction of one warp cost. */
typedef struct ct_access_count {
    int32_t requests;   /* global: 1, or 0 where no lane took part */
    int32_t sectors;    /* global: 32-byte sectors moved */
    int32_t wavefronts; /* shared: passes through the banks */
    int32_t conflicts;  /* shared: passes beyond those that the width needs */
    int32_t bytes_used; /* different bytes that the lanes asked for */
} ct_access_count;

/** The name of a kind as the assembler writes it: LDG, STG, LDS, STS, LDGSTS, ... */
const char *ct_access_name(int kind);

/** 1 for the kinds that touch global memory, 0 for those that touch shared memory. */
int ct_access_is_global(int kind);

/**
 * Counts one instruction: offset[t] is the byte that lane t begins at, from a base aligned to 1024
 * bytes and itself a multiple of the access, or CT_LANE_OFF; bits is the width per lane (8 to 128).
 * For LDSM and STSM the lanes of rows 8 m to 8 m + 7 form matrix m, lanes past the last are off.
 *
 * Ensures:  equal to the counters of the H200 for LDG, STG, LDS, STS, LDGSTS, LDSM and STSM.
 *           LDGSTS_CG counts the sectors asked of L2: the counters of L1 leave it out.
 *           STS for the shared side of a cp.async counts the banks written to; the hardware may add
 *           wavefronts where the words read share a bank of L1.
 * Cost:     no allocation; 0.1 to 0.5 us.
 */
ct_access_count ct_count_access(int kind, int bits, const int64_t offset[32]);

#ifdef __cplusplus
}
#endif

#endif
