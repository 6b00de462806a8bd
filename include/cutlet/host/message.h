/**
 * What a failure of libcutlet says: one line.
 *
 * A function that can fail returns a status, 0 for success, and writes one line without a line break
 * into `message`, which the caller owns:
 *
 *     char message[CT_MESSAGE_BYTES];
 *     if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message))
 *         fprintf(stderr, "%s\n", message);
 *
 * A longer line is cut. For a value of the algebra, ct_error_message (text.h) writes the line.
 */
#ifndef CUTLET_HOST_MESSAGE_H
#define CUTLET_HOST_MESSAGE_H

/** The bytes of a line, with its zero. */
#define CT_MESSAGE_BYTES 640

#endif
