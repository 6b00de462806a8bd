/**
 * What the parts of `cutlet explain copy` share.
 */
#ifndef CUTLET_TOOLS_EXPLAIN_COPY_H
#define CUTLET_TOOLS_EXPLAIN_COPY_H

#include <stdio.h>

#include <cutlet/host/advice.h>

/** Prints the advice as JSON. 0, or -1 when memory runs out. */
int ct_advice_json(const ct_advice_job *job, const ct_advice *a, FILE *stream);

#endif
