/* Progress, text and numbers. */
#include "report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
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

void bench_print_wrapped(FILE *stream, const char *text)
{
    enum { COLUMNS = 100 };
    int at = 0; /* the column */
    while (*text) {
        const int n = (int)strcspn(text, " ");
        if (at > 0 && at + 1 + n > COLUMNS) {
            fputc('\n', stream);
            at = 0;
        }
        at += fprintf(stream, "%s%.*s", at > 0 ? " " : "", n, text);
        text += n + (text[n] == ' ');
    }
    fputc('\n', stream);
}

int bench_is_among(const char *list, const char *name)
{
    const size_t n = strlen(name);
    if (!list) return 1;
    for (const char *p = list; p; p = strchr(p, ',')) {
        p += p != list;
        if (strncmp(p, name, n) == 0 && (p[n] == ',' || p[n] == 0)) return 1;
    }
    return 0;
}

double bench_rate(int64_t bytes, double seconds)
{
    return seconds > 0 ? 1e-9 * (double)bytes / seconds : 0;
}

double bench_over(double a, double b) { return a > 0 && b > 0 ? a / b : 0; }

/* ---- sizes ----------------------------------------------------------------------------------- */

void bench_size_text(char text[BENCH_SIZE_TEXT], int64_t bytes)
{
    static const char *const names[] = {"KiB", "MiB", "GiB", "TiB"};
    int unit = -1;
    double value = (double)bytes;
    while (unit < 3 && value >= 1024) {
        value /= 1024;
        ++unit;
    }
    if (unit < 0) snprintf(text, BENCH_SIZE_TEXT, "%" PRId64 " bytes", bytes);
    else snprintf(text, BENCH_SIZE_TEXT, "%.4g %s", value, names[unit]);
}
