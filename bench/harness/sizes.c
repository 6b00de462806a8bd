/* Sizes in bytes, read and written. */
#include "sizes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char units[] = "kmg";

int bench_size_read(const char *text, int64_t *bytes)
{
    char *rest = NULL;
    if (text[0] < '0' || text[0] > '9') return -1;
    errno = 0;
    const long long n = strtoll(text, &rest, 10);
    int shift = 0;
    for (int i = 0; i < 3 && *rest; ++i) {
        if ((*rest | 0x20) != units[i]) continue;
        shift = 10 * (i + 1);
        ++rest;
        break;
    }
    if (shift && (strcasecmp(rest, "ib") == 0 || strcasecmp(rest, "b") == 0)) rest = "";
    if (errno || *rest || n < 1 || n > INT64_C(1) << (50 - shift)) return -1;
    *bytes = (int64_t)n << shift;
    return 0;
}

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
