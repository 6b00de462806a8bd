/**
 * How a function of libcutlet fails: a status and one line.
 *
 * A function that can fail returns a ct_status, which is 0 for success. On a failure it writes one
 * line without a line break into `message`, which the caller owns:
 *
 *     char message[CT_MESSAGE_BYTES];
 *     if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message))
 *         fprintf(stderr, "%s\n", message);
 *
 * A longer line is cut. A function that returns a pointer fails with NULL and the line, one that
 * returns a length with -1 and the line. For a value of the algebra, ct_error_message (text.h)
 * writes the line.
 */
#ifndef CUTLET_HOST_MESSAGE_H
#define CUTLET_HOST_MESSAGE_H

#include <cutlet/algebra/base.h>

/** CT_OK, which is 0, or why a function failed: CT_E_... of base.h or of the enumeration below. */
typedef int ct_status;

/** The statuses that values of the algebra do not have. ct_status_name (text.h) names them all. */
enum {
    CT_E_MEMORY = 32, /* no memory, of the host or of the device */
    CT_E_POINTER,     /* null, not aligned, or two sides that share a byte */
    CT_E_BACKEND,     /* a backend or a device that does not exist here, or does not do this */
    CT_E_FAILED,      /* what runs on a backend or a device stopped on the way */
    CT_E_WRONG,       /* a result is wrong */
    CT_E_FILE,        /* a file that cannot be read or written, or whose bytes are no such file */
    CT_E_TEXT         /* a text that cannot be parsed */
};

/** The bytes of a line, with its zero. */
#define CT_MESSAGE_BYTES 640

#endif
