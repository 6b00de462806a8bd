/**
 * cutlet relayout: what is asked for, and the job that comes of it.
 */
#ifndef CUTLET_SRC_CLI_RELAYOUT_H
#define CUTLET_SRC_CLI_RELAYOUT_H

#include "copy/npy_header.h"
#include "plan/plan.h"

/** What the command line says. */
typedef struct ct_relayout_options {
    const char *input, *output;
    const char *from, *to;     /* c, f, tiled:RxC, swizzled:B,M,S or a layout; from may be NULL */
    const char *type;          /* of the output, or NULL: that of the input */
    const char *shape;         /* of the array where the input is flat, or NULL */
    int32_t inverse, verify, backend, effort;
    int64_t memory;            /* bytes that may be used */
} ct_relayout_options;

/** An array in C or Fortran order on one side, memory of some layout on the other. */
typedef struct ct_relayout_job {
    const char *input, *output;
    int32_t forward;           /* whether the array is the input */
    int32_t verify, backend, effort;
    int64_t memory;
    ct_npy array, flat;        /* the headers: of the array, and of the memory as one dimension */
    ct_layout compact;         /* the array's layout */
    ct_composed layout;        /* the memory's */
    ct_plan_side array_side, flat_side; /* both as sides of a copy */
} ct_relayout_job;

/** The job of the options, the header of the input read. 0; or -1 and one line of
 *  CT_NPY_ERROR_BYTES. */
int ct_relayout_prepare(const ct_relayout_options *options, ct_relayout_job *job, char *error);

/** Does it, in as much memory as it may use. 0; or -1 and one line. progress may be NULL. */
int ct_relayout_run(const ct_relayout_job *job, void (*progress)(double done), char *error);

#endif
