/**
 * A relayout while it runs: passes from one file to another, and what they work with.
 */
#ifndef CUTLET_SRC_RELAYOUT_RUN_H
#define CUTLET_SRC_RELAYOUT_RUN_H

#include "job.h"

/** Plans that are kept: blocks at the ends of modes are shorter than the others. */
#define CT_RELAYOUT_PLANS 16

typedef struct ct_relayout_plan {
    ct_plan_desc desc;
    int32_t effort;
    ct_plan *plan;
} ct_relayout_plan;

typedef struct ct_relayout_runner {
    const ct_relayout_job *job;
    ct_relayout_plan kept[CT_RELAYOUT_PLANS];
    int32_t next;             /* the one that has to go */
    unsigned char *src, *dst; /* the two ends of a block */
    unsigned char *sent,
        *came; /* to verify: its elements one after another, as they were and are */
    int64_t src_bytes, dst_bytes, packed_bytes;
    const ct_relayout_watch *watch;
    int64_t done, all;
} ct_relayout_runner;

/** A copy from one file to another. */
typedef struct ct_relayout_pass {
    ct_relayout_end src, dst;
    ct_relayout_box box; /* without tiles: the only one */
} ct_relayout_pass;

/** Copies each block of a box, of at most these extents, or compares both ends. */
ct_status ct_relayout_do_box(ct_relayout_runner *runner, const ct_relayout_pass *pass,
                             const ct_relayout_box *box, const int64_t *most, int verify,
                             char *message);

#endif
