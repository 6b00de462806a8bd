/* Progress on stderr. */
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static int shown;

void bench_tell(const char *format, ...)
{
    if (!isatty(STDERR_FILENO)) return;
    va_list args;
    va_start(args, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, args);
    va_end(args);
    shown = 1;
}

void bench_tell_end(void)
{
    if (shown) fputs("\r\033[K", stderr);
    shown = 0;
}
