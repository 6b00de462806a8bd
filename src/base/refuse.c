/* Failures: one line for the caller, and a status. */
#include "refuse.h"

#include <stdio.h>
#include <string.h>

#include <cutlet/host/text.h>

static void write_line(char *line, size_t bytes, const char *format, va_list arguments)
{
    const int length = vsnprintf(line, bytes, format, arguments);
    if (length >= 0 && (size_t)length >= bytes && bytes > 4) memcpy(line + bytes - 4, "...", 4);
    for (char *c = line; *c; ++c)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
}

void ct_one_line(char *line, size_t bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(line, bytes, format, arguments);
    va_end(arguments);
}

ct_status ct_refuse_list(char *message, ct_status status, const char *format, va_list arguments)
{
    char line[CT_MESSAGE_BYTES]; /* the arguments may stand in message */
    if (!message) return status;
    write_line(line, sizeof line, format, arguments);
    strcpy(message, line);
    return status;
}

ct_status ct_refuse(char *message, ct_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ct_refuse_list(message, status, format, arguments);
    va_end(arguments);
    return status;
}

ct_status ct_refuse_error(char *message, ct_error e)
{
    char sentence[CT_MESSAGE_BYTES];
    ct_error_message(e, sentence, sizeof sentence);
    return ct_refuse(message, e.status, "%s", sentence);
}
