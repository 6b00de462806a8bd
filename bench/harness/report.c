/* Progress, text and rows. */
#include "report.h"

#include <errno.h>
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

int bench_read_number(const char *text, int64_t least, int64_t most, int64_t *out)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9') return -1;
    errno = 0;
    const long long n = strtoll(text, &end, 10);
    *out = n;
    return errno || *end || n < least || n > most ? -1 : 0;
}

double bench_rate(int64_t bytes, double seconds)
{
    return seconds > 0 ? 1e-9 * (double)bytes / seconds : 0;
}

double bench_over(double a, double b) { return a > 0 && b > 0 ? a / b : 0; }

void bench_tsv_names(FILE *tsv, const bench_field *fields, int count)
{
    for (int i = 0; i < count; ++i)
        fprintf(tsv, "%s%c", fields[i].name, i + 1 < count ? '\t' : '\n');
}

void bench_tsv_row(FILE *tsv, const bench_field *fields, int count, const void *row)
{
    for (int i = 0; i < count; ++i) {
        const void *const at = (const char *)row + fields[i].at;
        switch (fields[i].kind) {
        case BENCH_WORDS: fputs(*(const char *const *)at ? *(const char *const *)at : "", tsv); break;
        case BENCH_COUNT: fprintf(tsv, "%" PRId32, *(const int32_t *)at); break;
        case BENCH_LONG: fprintf(tsv, "%" PRId64, *(const int64_t *)at); break;
        default: fprintf(tsv, "%.8g", *(const double *)at);
        }
        fputc(i + 1 < count ? '\t' : '\n', tsv);
    }
    fflush(tsv);
}
