/**
 * The parts of `cutlet report`: what is counted of a tiled copy, and how it is told.
 */
#ifndef CUTLET_SRC_CLI_REPORT_H
#define CUTLET_SRC_CLI_REPORT_H

#include <stdio.h>

#include "cutlet/copy_width.h"
#include "cutlet/host/draw_access.h"
#include "cutlet/host/traffic.h"

/** The source of the copy, or its destination. */
typedef struct ct_report_side {
    const char *text;      /* the layout as it was written; NULL: registers, or not given */
    int global;            /* in global memory; otherwise shared */
    ct_traffic_side in;
    ct_traffic sum;        /* over the whole tensor */
    int joint;             /* the sum is that of a cp.async, both sides counted together */
    ct_traffic_step first; /* the first instruction of warp 0 */
    int steps;             /* 0: no instruction of the first tile was told */
} ct_report_side;

typedef struct ct_report {
    const char *expression; /* of the tiled copy */
    ct_tiled_copy copy;
    ct_tuple shape;         /* of the tensor */
    const ct_access_rules *rules;
    ct_report_side side[2]; /* source, destination */
} ct_report;

/** Room for a sentence. */
#define CT_REPORT_WORDS 512

/** `source` or `destination`. */
const char *ct_report_role(int side);

/** Counts both sides. 0, or -1 and one line. */
int ct_report_count(ct_report *r, char message[CT_TRAFFIC_MESSAGE_BYTES]);

/** A verdict in a word or two and a sentence with its numbers; 1 where there is nothing to mend: no
 *  byte moved in vain, no conflict, accesses of 128 bits. */
int ct_report_memory(const ct_report *r, int side, char *verdict, char *words, size_t size);
int ct_report_width(const ct_report *r, char *verdict, char *words, size_t size);

/** The page. 0, or -1 and one line in error. */
int ct_report_page(FILE *f, const ct_report *r, char error[CT_DRAW_ERROR_BYTES]);

#endif
