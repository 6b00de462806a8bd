/**
 * `cutlet report` of a tiled MMA.
 */
#ifndef CUTLET_TOOLS_REPORT_MMA_H
#define CUTLET_TOOLS_REPORT_MMA_H

#include <cutlet/host/verify_mma.h>
#include "report.h"

typedef struct ct_report_mma {
    const char *expression;
    ct_tiled_mma mma;
    const ct_access_rules *rules;
    const char *text[2]; /* A and B in shared memory as they were written; NULL: not given */
    ct_tensor shared[2];
    ct_verify_mma_report found;
    ct_report fed[2]; /* by ldmatrix: its copy, the operand its source; without a text: not so */
} ct_report_mma;

/** Verifies, and counts what ldmatrix does. 0, or -1 and one line. */
int ct_report_mma_count(ct_report_mma *r, char message[CT_MESSAGE_BYTES]);

/** The verdicts, a line each. */
void ct_report_mma_print(FILE *stream, const ct_report_mma *r);

/** The page. 0, or -1 and one line in error. */
int ct_report_mma_page(FILE *f, const ct_report_mma *r, char error[CT_MESSAGE_BYTES]);

#endif
