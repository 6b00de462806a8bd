/**
 * How a function of the library fails: one line for the caller, and a status.
 */
#ifndef CUTLET_SRC_BASE_REFUSE_H
#define CUTLET_SRC_BASE_REFUSE_H

#include <stdarg.h>
#include <stddef.h>

#include <cutlet/host/message.h>

/** Writes one line of at most `bytes` bytes: control characters become `?`, a line that is too long
 *  ends in `...`. */
void ct_one_line(char *line, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Writes one line into message, of CT_MESSAGE_BYTES or NULL; its arguments may point into message.
 *  Returns status, so that `return ct_refuse(...)` fails. */
ct_status ct_refuse(char *message, ct_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** As ct_refuse, for a function with variable arguments. */
ct_status ct_refuse_list(char *message, ct_status status, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/** As ct_refuse, with the sentence and the status of an error of the algebra. */
ct_status ct_refuse_error(char *message, ct_error e);

#endif
