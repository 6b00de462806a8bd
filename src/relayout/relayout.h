/**
 * Moves the elements of an array in a file to another layout, in another file. Files may be larger
 * than the allowed memory.
 */
#ifndef CUTLET_SRC_RELAYOUT_RELAYOUT_H
#define CUTLET_SRC_RELAYOUT_RELAYOUT_H

#include <stdint.h>

#include <cutlet/host/message.h>

/** The least memory that may be asked for. */
#define CT_RELAYOUT_LEAST_BYTES 4096

/** What is asked for. */
typedef struct ct_relayout_options {
    const char *input, *output;
    const char *from, *to; /* c, f, tiled:4x32, swizzled:B,M,S or a layout; from may be NULL */
    const char *type;      /* of the output, or NULL: that of the input */
    const char *shape;     /* of the array where the input is flat, or NULL */
    int32_t inverse, verify, backend, effort;
    int64_t memory; /* bytes that may be used */
} ct_relayout_options;

/** What the caller wants to know meanwhile; any may be NULL. */
typedef struct ct_relayout_watch {
    /** How many bytes are done, of how many. */
    void (*progress)(int64_t done, int64_t all);
    /** An unfinished file is about to appear or to go: no signal may end the program now. */
    void (*hold)(void);
    /** Signals may end it again, and remove the file `unfinished`, unless NULL. */
    void (*guard)(const char *unfinished);
} ct_relayout_watch;

/** What was done. */
typedef struct ct_relayout_result {
    const char *wrong; /* the option above that the message is about, such as "shape"; or NULL */
    int64_t elems;     /* of the array */
    int64_t gaps;      /* elements of the output between those */
} ct_relayout_result;

/** Does it. The output appears complete or not at all; it may be the input. The line of a
 *  failure is about result->wrong where that is not NULL. CT_E_ARGUMENT: the options do not fit the
 *  input. CT_E_WRONG: the verification failed. CT_E_FILE, _E_MEMORY, and those of plan.h. */
ct_status ct_relayout(const ct_relayout_options *options, const ct_relayout_watch *watch,
                      ct_relayout_result *result, char *message);

#endif
