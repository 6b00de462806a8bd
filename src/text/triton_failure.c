/* How a conversion fails. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "triton_bases.h"

ct_status ct_conversion_fail(ct_diag *diag, ct_status status, const char *format, ...)
{
    if (!diag) return status;
    memset(diag, 0, sizeof *diag);
    diag->length = 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(diag->message, sizeof diag->message, format, arguments);
    va_end(arguments);
    return status;
}

ct_status ct_conversion_error(ct_diag *diag, ct_error e)
{
    char message[CT_MESSAGE_BYTES];
    if (e.status == CT_OK) return CT_OK;
    ct_error_message(e, message, sizeof message);
    ct_conversion_fail(diag, e.status, "%s", message);
    if (diag) diag->err = e;
    return e.status;
}
