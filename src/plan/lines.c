/* Text that is put together piece by piece. */
#include "lines.h"

#include <stdarg.h>
#include <stdio.h>

void ct_plan_add(ct_plan_text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(t->length < t->size ? t->buf + t->length : NULL,
                            t->length < t->size ? t->size - t->length : 0, format, arguments);
    va_end(arguments);
    if (n > 0) t->length += (size_t)n;
}
