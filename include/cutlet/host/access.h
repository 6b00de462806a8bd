/**
 * The access model: what one memory instruction of one warp costs.
 *
 * From the byte offset of each lane it computes the hardware's counters: requests and 32-byte
 * sectors for global memory, wavefronts and bank conflicts for shared memory. The rules were
 * validated against the counters of an NVIDIA H200; the tests compare them row by row
 * (tests/data/h200_one_warp.tsv and h200_pairs.tsv).
 *
 * Cost:     O(1), no allocation.
 * In C:     int64_t row[32], column[32]; // of a matrix of floats, 32 in a row
 *           for (int t = 0; t < 32; ++t) {
 *               row[t] = 4 * t;
 *               column[t] = 128 * t;
 *           }
 *           assert(ct_count_access(CT_ACCESS_LDG, 32, row).sectors == 4);
 *           assert(ct_count_access(CT_ACCESS_LDG, 32, column).sectors == 32);
 *           assert(ct_count_access(CT_ACCESS_LDS, 32, row).wavefronts == 1);
 *           assert(ct_count_access(CT_ACCESS_LDS, 32, column).wavefronts == 32);
 */
#ifndef CUTLET_HOST_ACCESS_H
#define CUTLET_HOST_ACCESS_H

#include <stdint.h>

#include <cutlet/host/capacity.h>

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

/** The offset of an inactive lane. Other offsets are at least 0. */
#define CT_LANE_OFF INT64_MIN

/** One instruction of one warp. The bases, that of the global and that of the shared memory, are
 *  aligned to 1024 bytes; an offset counts the bytes above that. */
typedef struct ct_access {
    int32_t kind;       /* CT_ACCESS_... */
    int32_t bits;       /* of a lane's access: 8 to 128, 256 of global memory; 128 of LDSM, STSM */
    int64_t offset[32]; /* the byte that each lane begins at, or CT_LANE_OFF */
    int64_t shared[32]; /* LDGSTS, LDGSTS_CG: the byte of shared memory that each lane writes to, or
                           CT_LANE_OFF everywhere: that side is not counted */
} ct_access;

/** What one instruction of one warp cost. */
typedef struct ct_access_count {
    int32_t requests;    /* global: 1, or 0 where no lane took part */
    int32_t sectors;     /* global: 32-byte sectors moved */
    int32_t lines;       /* global: 128-byte lines touched */
    int32_t wavefronts;  /* shared: passes through the banks */
    int32_t ideal;       /* shared: passes of 128 bytes for the active lanes of this width, or the
                            wavefronts if fewer: Nsight Compute's
                            memory_l1_wavefronts_shared_ideal */
    int32_t conflicts;   /* shared: passes beyond one for each group of lanes that is taken */
    int32_t at_least;    /* of LDGSTS and its shared side: 1 where the hardware may take more
                            wavefronts than this (LDGSTS_CG: sectors too) */
    int32_t lanes;       /* that took part */
    int32_t broadcast;   /* lanes that another lane's bytes served: lanes - different addresses */
    int32_t bytes_used;  /* different bytes that the lanes asked for */
    int32_t bytes_moved; /* global: of the sectors; shared: of the wavefronts, 128 each */
} ct_access_count;

/** The cost, lane by lane. */
typedef struct ct_access_detail {
    int32_t wavefront[32]; /* shared: the pass that serves the lane, from 0; -1: not served */
    int32_t group[32];     /* shared: the lanes that are taken together, from 0; -1: idle */
} ct_access_detail;

/** How an architecture moves bytes: one row of a table. */
typedef struct ct_access_rules {
    const char *arch;        /* "sm_90" */
    const char *measured_on; /* the device whose counters the row was checked against; NULL: not
                                measured, assumed to follow sm_90 */
    int32_t sector_bytes, line_bytes; /* of global memory */
    int32_t banks, bank_bytes;        /* of shared memory: together the bytes of a wavefront */
    uint32_t merges[CT_ACCESS_KINDS]; /* bit x: accesses wider than a bank take two groups at a time
                                         if every lane t and its partner t ^ x access one address,
                                         or one of them is inactive */
} ct_access_rules;

/**
 * The rules of an architecture by its name; NULL: there is no such row.
 * In C:     assert(ct_access_rules_named("sm_90")->banks == 32);
 *           assert(ct_access_rules_named("sm_10") == NULL);
 */
const ct_access_rules *ct_access_rules_named(const char *arch);

/**
 * The rows, *count of them; NULL means the first.
 * In C:     int count;
 *           const ct_access_rules *rules = ct_access_rules_all(&count);
 *           assert(count > 1 && strcmp(rules[0].arch, "sm_90") == 0);
 */
const ct_access_rules *ct_access_rules_all(int *count);

/**
 * Whether an instruction of the kind moves this number of bits per lane.
 * In C:     assert(ct_access_has_width(CT_ACCESS_LDG, 128));
 *           assert(!ct_access_has_width(CT_ACCESS_LDS, 256)); // of global memory alone
 *           assert(!ct_access_has_width(CT_ACCESS_LDGSTS, 16));
 */
int ct_access_has_width(int kind, int bits);

/**
 * The name of a kind as the assembler writes it: LDG, STG, LDS, STS, LDGSTS, ... ; `?` for an
 * unknown kind.
 * In C:     assert(strcmp(ct_access_name(CT_ACCESS_LDGSTS_CG), "LDGSTS.BYPASS") == 0);
 */
const char *ct_access_name(int kind);

/**
 * 1 for the kinds that access global memory, 0 for those that access only shared memory.
 * In C:     assert(ct_access_is_global(CT_ACCESS_LDGSTS) && !ct_access_is_global(CT_ACCESS_LDSM));
 */
int ct_access_is_global(int kind);

/**
 * Counts one instruction by the rules (NULL: sm_90). For LDSM and STSM the lanes of rows 8 m to 8 m
 * + 7 form matrix m; lanes past the last are inactive. If detail is not NULL, it is filled too.
 *
 * Requires: offsets of at least 0, each a multiple of the width.
 * Ensures:  equal to the counters of the H200 for LDG, STG, LDS, STS, LDSM and STSM, and for the
 *           global side of LDGSTS. Its shared side is exact where no two lanes of a group read the
 *           same bank, counted in the global address; LDGSTS_CG where no two lanes name the same
 *           bytes of either side and, for wavefronts, no 128-byte line of one side meets two of
 *           the other. Elsewhere at_least is 1. LDGSTS_CG counts the sectors asked of L2 for both
 *           sides; without the shared one, those of the global addresses.
 * Cost:     no allocation; 0.1 to 0.5 us.
 * In C:     ct_access load = {CT_ACCESS_LDS, 64, {0}, {0}};
 *           for (int t = 0; t < 32; ++t) load.offset[t] = 8 * t; // 8 bytes a lane, contiguous
 *           ct_access_detail detail;
 *           const ct_access_rules *rules = ct_access_rules_named("sm_90");
 *           const ct_access_count count = ct_count_access_by(rules, &load, &detail);
 *           assert(count.wavefronts == 2 && count.conflicts == 0 && count.bytes_used == 256);
 *           assert(detail.group[15] == 0 && detail.group[16] == 1); // by half warps
 */
ct_access_count ct_count_access_by(const ct_access_rules *rules, const ct_access *access,
                                   ct_access_detail *detail);

/**
 * Counts one side by the rules of sm_90: the global side of an LDGSTS. For its shared side STS
 * counts the banks; the cost is the same if the global side reads each bank of a group once.
 * Requires: as ct_count_access_by.
 */
ct_access_count ct_count_access(int kind, int bits, const int64_t offset[32]);

#ifdef __cplusplus
}
#endif

#endif
